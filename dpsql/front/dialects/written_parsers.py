"""Parsers that leave some functions as they are written, where sqlglot's forget what was there.

TO_CHAR(x, 'Day')      its format becomes DuckDB's by halves: Dy and dy come out as one
DATE_FORMAT(x, '%B')   becomes the name of a month, as %M does; it is a B in MySQL
DATENAME(day, x)       becomes a format, though its 5 is not 05
ADDDATE(x, 3)          stays a name, and DATE_ADD(x, INTERVAL 3 DAY) is known
LEFT(x, 2)             becomes LEFT(CAST(x AS VARCHAR), 2), as of a text that T-SQL cuts at 30
RIGHT(x, 2)            likewise
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.postgres import Postgres
from sqlglot.dialects.tsql import TSQL
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.parsers.tsql import TSQLParser

Builder = Callable[[list[exp.Expr]], exp.Expr]


def _to_char(args: list[exp.Expr]) -> exp.Expr:
    return exp.ToChar(this=args[0], format=args[1]) if len(args) == 2 else _named("TO_CHAR", args)


def _date_name(args: list[exp.Expr]) -> exp.Expr:
    """Its part as a text, that it is no column."""
    if args and isinstance(args[0], exp.Column) and not args[0].table:
        args = [exp.Literal.string(args[0].name), *args[1:]]
    return _named("DATENAME", args)


def _left(args: list[exp.Expr]) -> exp.Expr:
    return exp.Left(this=args[0], expression=args[1]) if len(args) == 2 else _named("LEFT", args)


def _right(args: list[exp.Expr]) -> exp.Expr:
    return exp.Right(this=args[0], expression=args[1]) if len(args) == 2 else _named("RIGHT", args)


def _named(name: str, args: list[exp.Expr]) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=args)


def _days_later(kind: type[exp.Func]) -> Builder:
    """ADDDATE(x, 3) is so many days later, and ADDDATE(x, INTERVAL 3 MONTH) what it says."""

    def build(args: list[exp.Expr]) -> exp.Expr:
        if len(args) != 2:
            return _named(kind.sql_name(), args)
        moment, step = args
        days = not isinstance(step, exp.Interval)
        unit = exp.Var(this="DAY") if days else step.args.get("unit")
        return kind(this=moment, expression=step if days else step.this, unit=unit)

    return build


class _PostgresParser(PostgresParser):
    FUNCTIONS = {**PostgresParser.FUNCTIONS, "TO_CHAR": _to_char}  # noqa: RUF012


class _TSQLParser(TSQLParser):
    FUNCTIONS = {  # noqa: RUF012
        **TSQLParser.FUNCTIONS,
        "DATENAME": _date_name,
        "LEFT": _left,
        "RIGHT": _right,
    }


class _MySQLParser(MySQLParser):
    FUNCTIONS = {  # noqa: RUF012
        **MySQLParser.FUNCTIONS,
        "DATE_FORMAT": _to_char,
        "ADDDATE": _days_later(exp.DateAdd),
        "SUBDATE": _days_later(exp.DateSub),
        "MONTHNAME": lambda args: exp.Monthname(this=args[0]),
    }


class _MySQL(MySQL):
    Parser = _MySQLParser


class _Postgres(Postgres):
    Parser = _PostgresParser


class _TSQL(TSQL):
    Parser = _TSQLParser


def grammar(name: str) -> Dialect:
    """The tokenizer and parser of a dialect."""
    own = {"mysql": _MySQL, "postgres": _Postgres, "tsql": _TSQL}.get(name)
    return Dialect.get_or_raise(name) if own is None else own()
