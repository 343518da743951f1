"""How the arguments of the command are read: in any order, never abbreviated, and exactly."""

from __future__ import annotations

import argparse
import math
from decimal import Decimal
from fractions import Fraction

from dpsql.core.account.amount import read
from dpsql.errors import InvalidBudget


class Parser(argparse.ArgumentParser):
    """No abbreviations: they would make every new option a change of meaning."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(allow_abbrev=False, **kwargs)  # type: ignore[arg-type]


class Intermixed(Parser):
    """Arguments may stand between and after the options: `run DATA --policy FILE QUERY`."""

    _busy = False

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """As argparse has it, for arguments in any order."""
        if self._busy:
            return super().parse_known_args(args, namespace)
        self._busy = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._busy = False


def share(text: str) -> float:
    """A probability."""
    return _number(text, 1, "is not between 0 and 1")


def seconds(text: str) -> float:
    """A time above 0."""
    return _number(text, math.inf, "is no number of seconds above 0")


def _number(text: str, below: float, problem: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < below:
        raise argparse.ArgumentTypeError(f"{text!r} {problem}")
    return found


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not text.isascii() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return int(text)


def amount(text: str) -> Decimal | Fraction:
    """An ε or δ as it is written: a decimal or a fraction, exactly."""
    try:
        return read(text)
    except InvalidBudget as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
