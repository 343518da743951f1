"""What the user of a shell may choose; frozen, a command replaces it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from dpsql.accounting.amount import parse_delta, parse_eps, read
from dpsql.options import Clipping, Noise, Wishes

Exact = int | Decimal | Fraction
"""An ε or a δ as it was written, so that it is charged exactly."""

Editing = Literal["emacs", "vi"]


def exact_eps(text: str) -> Exact:
    """An ε as somebody types it, such as 0.5 or 1/3.

    Raises:
        InvalidBudget: it is none.
    """
    found = read(text, "ε")
    parse_eps(found)
    return found


def exact_delta(text: str) -> Exact:
    """A δ as somebody types it, such as 1e-6.

    Raises:
        InvalidBudget: it is none.
    """
    found = read(text, "δ")
    parse_delta(found)
    return found


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for the next query.

    Attributes:
        eps: the ε of each query.
        delta: the δ of each query; None for that part of the policy's which ε is of its ε.
        clipping, noise, dialect: see `dpsql.options.Wishes`.
        format: how answers are written: a name in `dpsql.formats.FORMATS`.
        intervals: whether csv and markdown have a column of half-widths after each noisy one.
        timing: whether each query says how long it took.
        confirm: whether a terminal asks before each charge.
        editing: which keys edit a line.
        pager: whether what is longer than the terminal goes through $PAGER.
        toolbar: whether the verdict of what is typed is shown while it is typed.
        color: whether there are colours on a terminal; never elsewhere.
        history: whether what is typed is kept for the next session.
    """

    eps: Exact = Decimal("0.5")
    delta: Exact | None = None
    clipping: Clipping = "auto"
    noise: Noise = "auto"
    dialect: str = "duckdb"
    format: str = "table"
    intervals: bool = False
    timing: bool = False
    confirm: bool = False
    editing: Editing = "emacs"
    pager: bool = True
    toolbar: bool = True
    color: bool = True
    history: bool = True

    @property
    def wishes(self) -> Wishes:
        """How a query is to be answered, beside its ε and δ."""
        return Wishes(noise=self.noise, clipping=self.clipping, dialect=self.dialect)
