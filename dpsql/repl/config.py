"""The user's file of settings, `~/.config/dpsql/config.toml`.

Its keys are those of `Settings`:

    eps = 0.1
    format = "markdown"
    confirm = true

A file that is wrong in any part is not used at all. A script ends then, before anything is charged;
at a terminal that is said once, and each charge is asked for, since what the user wished to be
careful about is not known.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from dpsql.errors import InvalidBudget
from dpsql.formats import FORMATS
from dpsql.options import Clipping, Noise
from dpsql.repl.command import UsageError
from dpsql.repl.settings import Editing, Settings, exact_delta, exact_eps
from dpsql.sql.dialects import DIALECTS


class ConfigError(UsageError):
    """The file of settings is wrong: which file, which key, and what is allowed."""


def load(file: Path) -> Settings:
    """The settings of a file; the usual ones where there is no file.

    Raises:
        ConfigError: it cannot be read, or a key or a value is none.
    """
    problem = ""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read: {getattr(error, 'strerror', None) or 'no UTF-8 text'}"
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        problem = f"is no TOML: {error}"
    if problem:
        raise ConfigError(f"{file} {problem}")
    return _settings(content, file)


def _settings(content: Mapping[str, object], file: Path) -> Settings:
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
        except (InvalidBudget, _Unfit) as error:
            allowed = str(error)
        if allowed:
            raise ConfigError(f"{file}: {key}: {allowed}")
    return Settings(**made)


class _Unfit(Exception):  # noqa: N818  (becomes a ConfigError)
    """A value that a setting may not have."""


def _amount(parse: Callable[[str], object]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
            raise _Unfit('must be a number, such as 0.5, or a text such as "1/3"')
        return parse(str(value))

    return read


def _one_of(allowed: Sequence[str]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if value not in allowed:
            raise _Unfit(f"must be one of {', '.join(allowed)}")
        return value

    return read


def _switch(value: object) -> object:
    if not isinstance(value, bool):
        raise _Unfit("must be true or false")
    return value


_READ: Mapping[str, Callable[[object], object]] = {
    **{field.name: _switch for field in fields(Settings) if field.type == "bool"},
    "eps": _amount(exact_eps),
    "delta": _amount(exact_delta),
    "clipping": _one_of(get_args(Clipping)),
    "noise": _one_of(get_args(Noise)),
    "dialect": _one_of(tuple(DIALECTS)),
    "format": _one_of(tuple(FORMATS)),
    "editing": _one_of(get_args(Editing)),
}
"""How each setting is read."""

assert set(_READ) == {field.name for field in fields(Settings)}
