"""Names, types and constants as Spark writes them, and constants that stand in a plan."""

from __future__ import annotations

from dpsql.platform.engine.far import plan_constants
from dpsql.platform.engine.far.operators import Constant, Unsupported
from dpsql.types import DOUBLE, Type

_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "TINYINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INT",
    "BIGINT": "BIGINT",
    "UBIGINT": "DECIMAL(20, 0)",
    "HUGEINT": "DECIMAL(38, 0)",
    "DOUBLE": "DOUBLE",
    "VARCHAR": "STRING",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "NULL": "VOID",
}
WIDE = ("HUGEINT", "UBIGINT")
"""Whole numbers that are decimals there."""


_FIRST, _LAST = "TIMESTAMP_NTZ '0001-01-01 00:00:00'", "TIMESTAMP_NTZ '9999-12-31 00:00:00'"
_ENDS = {
    "DATE": {
        plan_constants.BEFORE: "date_add(DATE '0001-01-01', -1)",
        plan_constants.AFTER: "date_add(DATE '9999-12-31', 1)",
    },
    "TIMESTAMP": {
        plan_constants.BEFORE: f"({_FIRST} - INTERVAL '0.000001' SECOND)",
        plan_constants.AFTER: f"({_LAST} + INTERVAL '1' DAY)",
    },
}


def quoted(name: str) -> str:
    """An identifier."""
    if "${" in name:
        raise Unsupported("a name with ${, for which Spark would put a variable")
    return "`" + name.replace("`", "``") + "`"


def text(value: str) -> str:
    """A text: no character of it means anything, nor ${…}, which Spark would put a variable for."""
    inner = value.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\u0024")
    if "\x00" in value:
        raise Unsupported("a text with the character 0")
    return f"'{inner}'"


def type_of(kind: Type) -> str:
    """The type that holds each of its values."""
    if kind.is_decimal:
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if kind.name == "LIST" and kind.of is not None:
        return f"ARRAY<{type_of(kind.of)}>"
    found = _TYPES.get(kind.name)
    if found is None:
        raise Unsupported(f"the type {kind.name}")
    return found


def constant(value: Constant) -> str:
    """A value, of its own type."""
    kind = value.type
    if value.value is None:
        return "NULL" if kind.name == "NULL" else f"CAST(NULL AS {type_of(kind)})"
    if kind.is_boolean:
        return "TRUE" if value.value else "FALSE"
    if kind.is_integer:
        return of(kind, str(plan_constants.whole(value)))
    if kind.is_decimal:
        return of(kind, f"{plan_constants.decimal(value):f}")
    if kind.name == "DOUBLE":
        return of(kind, plan_constants.double(value))
    if kind.name == "VARCHAR":
        return text(str(value.value))
    if kind.is_temporal and value.value in _ENDS[kind.name]:
        return _ENDS[kind.name][value.value]
    if kind.name == "DATE":
        return f"DATE '{plan_constants.day(value).isoformat()}'"
    if kind.name == "TIMESTAMP":
        return f"TIMESTAMP_NTZ '{plan_constants.moment(value).isoformat(sep=' ')}'"
    raise Unsupported(f"a constant of the type {kind}")


def of(kind: Type, digits: str) -> str:
    """A number of a type."""
    return f"CAST('{digits}' AS {type_of(kind)})"


def double(digits: str) -> str:
    """A DOUBLE."""
    return of(DOUBLE, digits)


ZERO = double("0")


def cast(value: str, kind: Type) -> str:
    """A value that is of a type, or can be, whatever Spark has it in."""
    return f"CAST({value} AS {type_of(kind)})"


def one_zero(kind: Type, value: str) -> str:
    """0.0 and -0.0 are one value."""
    return f"({value} + {ZERO})" if kind == DOUBLE else value
