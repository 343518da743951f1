"""The values of a PostgreSQL column, where they are, of the type that they have in DuckDB.

Claim: reading fails for no value. Why: where a value has none of that type, it is another one, and
the column is not `faithful`: then nothing is taken for proven of it that rests on its being there,
or on its being the only one.
"""

from __future__ import annotations

from dpsql.platform.engine.far.postgres_words import BYTES, type_of
from dpsql.types import DOUBLE, VARCHAR, Type

PLAIN = {
    "bool": "BOOLEAN",
    "int2": "SMALLINT",
    "int4": "INTEGER",
    "int8": "BIGINT",
    "float4": "FLOAT",
    "float8": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMP",
}
"""The types that DuckDB has as well."""


def value_of(
    sql: str, sent: str, kind: Type, own: str, *, limited: bool = False
) -> tuple[str, bool]:
    """A column's value, and whether each is another one and none is NULL.

    A numeric may have more digits than its type here, or be NaN: such a value is NULL; as a DOUBLE
    it is the nearest one, be it 0 or an infinity.

    Args:
        sql: the column.
        sent: its value as a text.
        kind: its type in DuckDB.
        own: its type there, if that is one of PostgreSQL itself.
        limited: whether the column itself is a numeric(p, s) of `kind`: then only NaN is none.
    """
    if own == "numeric" and limited:
        return f"NULLIF({sql}, 'NaN')", False
    if own == "numeric" and kind != VARCHAR:
        return (_nearest(sql) if kind == DOUBLE else _fitting(sql, kind)), False
    if own == "timestamptz":
        return f"({sql} AT TIME ZONE 'UTC')", True
    if own == "bytea":
        return sql, True
    if own in PLAIN:
        return f"CAST({sql} AS {type_of(kind)})", True
    # Functions of one name have one text.
    return f"CAST({sent} AS TEXT){BYTES}", not own.startswith("reg")


def _fitting(sql: str, kind: Type) -> str:
    """A numeric as an exact type; NULL where it is none of its values, but for what is rounded."""
    if kind.is_decimal:
        # Not what is rounded: of the largest numeric that would be none.
        scale = kind.scale or 0
        most = f"{10 ** ((kind.precision or 0) - scale) - 1}.{'9' * scale}5"
        return f"CASE WHEN abs({sql}) < {most} THEN CAST({sql} AS {type_of(kind)}) END"
    low, high = kind.limits() or (0, 0)
    fits = f"{sql} = trunc({sql}) AND {sql} BETWEEN {low} AND {high}"
    return f"CASE WHEN {fits} THEN CAST({sql} AS {type_of(kind)}) END"


def _nearest(sql: str) -> str:
    """A numeric as a DOUBLE."""
    least, most = "2.5e-324", "1.7976931348623157e308"
    parts = {
        f"{sql} = 0 OR abs({sql}) BETWEEN {least} AND {most}": sql,
        f"{sql} = 'NaN'": "'NaN'",
        f"abs({sql}) < {least}": "'0'",
        f"{sql} > 0": "'Infinity'",
        f"{sql} < 0": "'-Infinity'",
    }
    cases = (f"WHEN {when} THEN CAST({then} AS {type_of(DOUBLE)})" for when, then in parts.items())
    return f"CASE {' '.join(cases)} END"
