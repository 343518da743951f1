"""Values as JSON and back: what a server tells its clients of a schema, an account or an answer.

A frozen dataclass is its fields under its name. What comes in can only become one of the classes
that are listed here, by its own constructor: JSON says which values there are, and runs nothing.
"""

from __future__ import annotations

import importlib
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any
from uuid import UUID

from dpsql.core.frozen import FrozenMap
from dpsql.errors import EngineError

MODULES = (
    "dpsql.types",
    "dpsql.errors",
    "dpsql.core.schema",
    "dpsql.core.limits",
    "dpsql.core.account.account",
    "dpsql.core.account.amount",
    "dpsql.core.account.loss",
    "dpsql.core.calibrate.options",
    "dpsql.core.plan.expr",
    "dpsql.core.release.decode",
    "dpsql.core.release.formulas",
    "dpsql.core.noise.exponential",
    "dpsql.core.noise.gaussian",
    "dpsql.core.noise.laplace",
    "dpsql.core.noise.truncated",
    "dpsql.execution.accuracy",
    "dpsql.execution.bent",
    "dpsql.execution.processing",
    "dpsql.execution.redrawn",
    "dpsql.execution.summed",
    "dpsql.platform.ledger.ledger",
    "dpsql.report.budget.balance",
    "dpsql.report.budget.caps",
    "dpsql.report.budget.line",
    "dpsql.report.figures",
    "dpsql.session.remote.remote_facts",
)
"""Whose dataclasses and enumerations are told."""

KIND, VALUE = "$", "v"
"""The keys of an object; a list of JSON is a tuple."""

UNREADABLE = "the server's answer cannot be read: it may be of another version"


def _fraction(text: str) -> Fraction:
    """As `str` writes it: not "1e999999999", which would fill the memory."""
    over, _, under = text.partition("/")
    return Fraction(int(over), int(under or "1"))


_ATOMS: Mapping[type, tuple[str, Callable[[Any], object], Callable[[Any], object]]] = {
    Fraction: ("fraction", str, _fraction),
    Decimal: ("decimal", str, Decimal),
    datetime: ("datetime", datetime.isoformat, datetime.fromisoformat),
    date: ("date", date.isoformat, date.fromisoformat),
    time: ("time", time.isoformat, time.fromisoformat),
    UUID: ("uuid", str, UUID),
    bytes: ("bytes", bytes.hex, bytes.fromhex),
    array: ("array", list, lambda v: array("d", v)),
    timedelta: (
        "timedelta",
        lambda t: [t.days, t.seconds, t.microseconds],
        lambda v: timedelta(*v),
    ),
}
_READ = {name: read for name, _, read in _ATOMS.values()}


def encoded(value: object) -> object:
    """A value as JSON has it.

    Raises:
        TypeError: it is of no kind that is told.
    """
    if value is None or isinstance(value, bool | str):
        return value
    kind: type[Any] = type(value)
    if isinstance(value, int):
        return value if abs(value) < 1 << 53 else {KIND: "int", VALUE: str(value)}
    if isinstance(value, float):
        return value if math.isfinite(value) else {KIND: "float", VALUE: repr(value)}
    if isinstance(value, tuple):
        return [encoded(item) for item in value]
    if kind in _ATOMS:
        name, write, _ = _ATOMS[kind]
        return {KIND: name, VALUE: write(value)}
    name, items = _parts(value)
    return {KIND: name, VALUE: [encoded(item) for item in items]}


def _parts(value: object) -> tuple[str, Iterator[object]]:
    kind = type(value)
    if kind in (list, set, frozenset):
        return kind.__name__, iter(value)  # type: ignore[call-overload]
    if kind in (dict, FrozenMap, Counter):
        return kind.__name__, iter(value.items())  # type: ignore[attr-defined]
    if isinstance(value, Enum):
        return _name(kind), iter((value.name,))
    if _classes().get(_name(kind)) is kind:
        return _name(kind), (getattr(value, f.name) for f in fields(value) if f.init)  # type: ignore[arg-type]
    raise TypeError(f"a {kind.__qualname__} is not told")


def decoded(value: object) -> Any:
    """The value that JSON stands for.

    Raises:
        EngineError: it stands for none.
    """
    try:
        return _decoded(value)
    except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError, AttributeError):
        pass
    raise EngineError(UNREADABLE)


def _decoded(value: object) -> object:
    if isinstance(value, list):
        return tuple(map(_decoded, value))
    if not isinstance(value, dict):
        return value
    kind, inner = value[KIND], value[VALUE]
    if kind == "int":
        return int(inner)
    if kind == "float":
        return float(inner)
    if kind in _READ:
        return _READ[kind](inner)
    items = list(map(_decoded, inner))
    if kind in _MANY:
        return _MANY[kind](items)
    made = _classes()[kind]
    if issubclass(made, Enum):
        return made[str(items[0])]
    names = [f.name for f in fields(made) if f.init]  # type: ignore[arg-type]
    return made(**dict(zip(names, items, strict=True)))


_MANY: Mapping[str, Callable[[Any], object]] = {
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "FrozenMap": lambda items: FrozenMap(dict(items)),
    "Counter": lambda items: Counter(dict(items)),
}


def _name(kind: type) -> str:
    return f"{kind.__module__.removeprefix('dpsql.')}.{kind.__qualname__}"


@cache
def _classes() -> Mapping[str, type]:
    found: dict[str, type] = {}
    for name in MODULES:
        module = importlib.import_module(name)
        for made in vars(module).values():
            here = isinstance(made, type) and made.__module__ == name
            if here and (is_dataclass(made) or issubclass(made, Enum)):
                found[_name(made)] = made
    return found
