"""Types of other dialects, and casts to them: see `dialects`."""

from __future__ import annotations

import re

from sqlglot import exp

from dpsql.sql.dialects.numbers import INTEGERS, whole
from dpsql.sql.dialects.words import Rule, constant, copied, operand, refuse


def _convert(node: exp.Expr, dialect: str) -> exp.Expr:
    """CONVERT(type, x) without a style is CAST."""
    return _cast(exp.Cast(this=node.expression, to=node.this), dialect)


def _cast(node: exp.Expr, dialect: str) -> exp.Expr:
    target, value = node.args["to"], node.this
    kind = target.this
    if isinstance(node, exp.TryCast) and (dialect != "spark" or node.args.get("safe")):
        raise refuse(node, dialect, "a cast that gives NULL for what does not fit")
    if kind in INTEGERS and not target.expressions:
        return _to(_rounded(value, dialect), _integer(kind, dialect))
    if kind in (exp.DType.DOUBLE, exp.DType.FLOAT):
        return _to(value, "DOUBLE")  # FLOAT is 64 bits in most, and computed in 64 here in all
    if kind == exp.DType.DECIMAL:
        return _to(value, f"DECIMAL({_digits(node, dialect)})")
    if kind in (exp.DType.TEXT, exp.DType.VARCHAR) and not target.expressions:
        literal = isinstance(value, exp.Literal) and value.is_string
        if literal or whole(value, dialect):
            return _to(value, "TEXT")
        raise refuse(node, dialect, "a cast to text, which looks different in each system")
    if kind == exp.DType.DATE:
        return _to(value, "DATE")
    if kind in _TIMESTAMPS[dialect] and not target.expressions:
        return _to(value, "TIMESTAMP")
    hint = _TIMESTAMP_HINTS.get(dialect) if "TIME" in kind.value else None
    raise refuse(node, dialect, f"a cast to {target.sql(dialect=dialect)}", hint)


_TIMESTAMPS = {
    # Those without a time zone. Snowflake's TIMESTAMP hangs on a setting; T-SQL's DATETIME counts
    # in steps of 3.3 ms, and reads a text as the session's language has it.
    "bigquery": (exp.DType.TIMESTAMP,),  # its DATETIME; its TIMESTAMP is TIMESTAMPTZ in the tree
    "postgres": (exp.DType.TIMESTAMP,),
    "snowflake": (exp.DType.TIMESTAMPNTZ,),
    "spark": (exp.DType.TIMESTAMPNTZ,),
    "tsql": (exp.DType.DATETIME2,),
}
_TIMESTAMP_HINTS = {
    "bigquery": "use DATETIME",
    "snowflake": "use TIMESTAMP_NTZ",
    "spark": "use TIMESTAMP_NTZ",
    "tsql": "use DATETIME2",
}


def _to(value: exp.Expr, kind: str) -> exp.Cast:
    return exp.Cast(this=value, to=exp.DataType.build(kind, dialect="duckdb"))


def _integer(kind: exp.DType, dialect: str) -> str:
    """BigQuery has one integer type, of 64 bits; Snowflake's have 38 digits, and 64 bits here."""
    return "BIGINT" if dialect in ("bigquery", "snowflake") else INTEGERS[kind]


def _rounded(value: exp.Expr, dialect: str) -> exp.Expr:
    """A fraction cast to an integer is rounded half away from zero in BigQuery and Snowflake, and
    truncated in Spark and T-SQL. PostgreSQL does what DuckDB does: a DECIMAL half away from zero, a
    DOUBLE half to even. ROUND, FLOOR and CEIL leave integers as they are, and take no string: some
    of them read '1.5' as an integer, and some do not.
    """
    digits = isinstance(value, exp.Literal) and re.fullmatch(r"[+-]?\d{1,18}", str(value.this))
    if dialect == "postgres" or digits or whole(value, dialect):
        return value
    if dialect in ("bigquery", "snowflake"):
        return exp.Round(this=value)
    if sum(1 for _ in value.walk()) > 200:  # it is there three times
        raise refuse(value, dialect, "so long an expression cast to an integer")
    negative = exp.LT(this=operand(value), expression=exp.Literal.number(0))
    up = exp.If(this=negative, true=exp.Ceil(this=copied(value)))
    return exp.Case(ifs=[up], default=exp.Floor(this=copied(value)))


_DIGITS = {"spark": "10, 0", "tsql": "18, 0", "bigquery": "38, 9"}


def _digits(node: exp.Expr, dialect: str) -> str:
    """A DECIMAL without digits has others in each system; in PostgreSQL it has no limit."""
    sizes = [parameter.this for parameter in node.args["to"].expressions]
    if not sizes and dialect in _DIGITS:
        return _DIGITS[dialect]
    if not sizes or len(sizes) > 2 or not all(constant(size, 0) for size in sizes):
        raise refuse(node, dialect, "DECIMAL without digits", "use DECIMAL(p, s)")
    return ", ".join([*(str(size.this) for size in sizes), "0"][:2])


RULES: dict[type[exp.Expr], Rule] = {
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Convert: _convert,
}
