"""Names, types and constants as PostgreSQL writes them, and entries of a language by types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpsql.platform.engine.far import plan_constants
from dpsql.platform.engine.far.operators import Call, Constant, Ref, Unsupported
from dpsql.platform.engine.far.typed_arguments import Printed, kinds
from dpsql.types import Type

_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "SMALLINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INTEGER",
    "BIGINT": "BIGINT",
    "UBIGINT": "NUMERIC",
    "HUGEINT": "NUMERIC",
    "FLOAT": "REAL",
    "DOUBLE": "DOUBLE PRECISION",
    "VARCHAR": "TEXT",
    "BLOB": "BYTEA",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP",
    "INTERVAL": "INTERVAL",
    "NULL": "TEXT",
}
WIDE = ("HUGEINT", "UBIGINT")
"""Whole numbers that are numeric there."""

BYTES = ' COLLATE "C"'
"""Texts in the order of their bytes, and equal where these are."""


def quoted(name: str) -> str:
    """An identifier."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text, whatever `standard_conforming_strings` is."""
    if "\x00" in value:
        raise Unsupported("a text with the character 0")
    inner = value.replace("\\", "\\\\").replace("'", "''")
    return f"{'E' if chr(92) in value else ''}'{inner}'"


def type_of(kind: Type) -> str:
    """The type that holds each of its values."""
    if kind.is_decimal:
        return f"NUMERIC({kind.precision}, {kind.scale})"
    found = _TYPES.get(kind.name)
    if found is None:
        raise Unsupported(f"the type {kind.name}")
    return found


def cast(value: str, kind: Type) -> str:
    """A value as of another type; a text by its bytes."""
    return f"CAST({value} AS {type_of(kind)}){BYTES * (kind.name in ('VARCHAR', 'NULL'))}"


def constant(value: Constant) -> str:
    """A value, of its own type."""
    kind = value.type
    if value.value is None:
        return cast("NULL", kind)
    if kind.is_boolean:
        return "TRUE" if value.value else "FALSE"
    if kind.is_integer:
        return cast(f"'{plan_constants.whole(value)}'", kind)
    if kind.is_decimal:
        return cast(f"'{plan_constants.decimal(value):f}'", kind)
    if kind.name == "DOUBLE":
        return cast(f"'{plan_constants.double(value)}'", kind)
    if kind.name == "VARCHAR":
        return cast(text(str(value.value)), kind)
    if kind.name == "DATE":
        return cast(f"'{plan_constants.day(value).isoformat()}'", kind)
    if kind.name == "TIMESTAMP":
        return cast(f"'{plan_constants.moment(value).isoformat(sep=' ')}'", kind)
    if kind.name == "INTERVAL":
        parts = value.value
        days = f"{parts['months']} months {parts['days']} days"
        return f"INTERVAL '{days} {parts['micros']} microseconds'"
    raise Unsupported(f"a constant of the type {kind}")


def repeated(made: Callable[..., str]) -> Printed:
    """An entry that has its arguments in it more than once: those that are no columns and no
    constants are computed once, in a subquery that stays one (OFFSET 0).
    """

    def found(node: Call, args: Sequence[str]) -> str:
        if all(isinstance(a, Ref | Constant) for a in node.args):
            return made(*args)
        names = "abcdefgh"[: len(args)]
        listed = ", ".join(f"{value} AS {name}" for name, value in zip(names, args, strict=True))
        return f"(SELECT {made(*(f'x.{n}' for n in names))} FROM (SELECT {listed} OFFSET 0) AS x)"

    return found


def typed(made: Printed, *names: str) -> Printed:
    """An entry for arguments of these types alone."""

    def found(node: Call, args: Sequence[str]) -> str:
        if tuple(a.type.name for a in node.args) != names:
            raise Unsupported(f"{node.name} of {kinds(node)}")
        return made(node, args)

    return found
