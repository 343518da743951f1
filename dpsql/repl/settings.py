"""What the user of a shell may choose, and its file, `~/.config/dpsql/config.toml`.

Its keys are those of `ShellSettings`:

    eps = 0.1
    format = "markdown"
    confirm = true

A file that is wrong in any part is not used at all. A script ends then, before anything is charged;
at a terminal that is said once, and each charge is asked for, since what the user wished to be
careful about is not known.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args

from dpsql.core.account.amount import parse_delta, parse_eps, read
from dpsql.core.calibrate.options import Clipping, Noise, Wishes
from dpsql.front.dialects import DIALECTS
from dpsql.repl.command import UsageError
from dpsql.report.result.formats import FORMATS


def config_file() -> Path:
    """What the user chose for every session."""
    return _home("XDG_CONFIG_HOME", ".config") / "config.toml"


def query_folder() -> Path:
    r"""The queries of `\save`."""
    return _home("XDG_DATA_HOME", ".local/share") / "queries"


def history_file() -> Path:
    """What was typed in earlier sessions."""
    return _home("XDG_STATE_HOME", ".local/state") / "history"


def _home(variable: str, usual: str) -> Path:
    """A relative path in a variable is to be ignored, says the specification."""
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / usual) / "dpsql"


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
class ShellSettings:
    """What holds for the next query.

    Attributes:
        eps: the ε of each query.
        delta: the δ of each query; None for that part of the policy's which ε is of its ε.
        clipping, noise, dialect: see `dpsql.core.calibrate.options.Wishes`.
        format: how answers are written: a name in `dpsql.report.result.formats.FORMATS`.
        intervals: whether csv has the ends of 95 % intervals after each noisy column, and markdown
            its half-widths.
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


class ConfigError(UsageError):
    """The file of settings is wrong: which file, which key, and what is allowed."""


def load(file: Path) -> ShellSettings:
    """The settings of a file; the usual ones where there is no file.

    Raises:
        ConfigError: it cannot be read, or a key or a value is none.
    """
    problem = ""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    except FileNotFoundError:
        return ShellSettings()
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read: {getattr(error, 'strerror', None) or 'no UTF-8 text'}"
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        problem = f"is no TOML: {error}"
    if problem:
        raise ConfigError(f"{file} {problem}")
    return _settings(content, file)


def _settings(content: Mapping[str, object], file: Path) -> ShellSettings:
    made: dict[str, Any] = {}
    for key, value in content.items():
        read = _READ.get(key)
        if read is None:
            near = get_close_matches(key, _READ, 1)
            more = f"did you mean {near[0]}?" if near else f"there are {', '.join(_READ)}"
            raise ConfigError(f"{file}: no setting {key!r}; {more}")
        allowed = ""
        try:
            made[key] = read(value)
        except ValueError as error:  # InvalidBudget is one
            allowed = str(error)
        if allowed:
            raise ConfigError(f"{file}: {key}: {allowed}")
    return ShellSettings(**made)


def _amount(parse: Callable[[str], object]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
            raise ValueError('must be a number, such as 0.5, or a text such as "1/3"')
        return parse(str(value))

    return read


def _is_one_of(allowed: Sequence[str]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return value

    return read


def _switch(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


ALLOWED: Mapping[str, Sequence[str]] = {
    "clipping": get_args(Clipping),
    "noise": get_args(Noise),
    "dialect": tuple(DIALECTS),
    "format": tuple(FORMATS),
    "editing": get_args(Editing),
}
"""The words that some settings are one of."""

_READ: Mapping[str, Callable[[object], object]] = {
    **{field.name: _switch for field in fields(ShellSettings) if field.type == "bool"},
    "eps": _amount(exact_eps),
    "delta": _amount(exact_delta),
    **{name: _is_one_of(words) for name, words in ALLOWED.items()},
}
"""How each setting is read."""

assert set(_READ) == {field.name for field in fields(ShellSettings)}
