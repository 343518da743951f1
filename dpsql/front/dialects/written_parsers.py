"""Parsers that leave some functions as they are written, where sqlglot's forget what was there: its
last argument, of any function,

PERCENTILE(x, 0.5, n)  is read as PERCENTILE(x, 0.5), and LENGTH(x, 2) as LENGTH(x)

or how it was written:

TO_CHAR(x, 'Day')      its format becomes DuckDB's by halves: Dy and dy come out as one
DATE_FORMAT(x, '%B')   becomes the name of a month, as %M does; it is a B in MySQL
DATENAME(day, x)       becomes a format, though its 5 is not 05
ADDDATE(x, 3)          stays a name, and DATE_ADD(x, INTERVAL 3 DAY) is known
NOW()                  likewise, and CURRENT_TIMESTAMP is known
LEFT(x, 2)             becomes LEFT(CAST(x AS VARCHAR), 2), as of a text that T-SQL cuts at 30
RIGHT(x, 2)            likewise
DATEADD(mm, 1, x)      of months, as DATEADD(mon, 1, x) is, though Redshift has no such part
APPROXIMATE PERCENTILE_DISC(q) WITHIN GROUP (ORDER BY x DESC)     loses its DESC in Redshift

rating = 2 IS NULL     gets parentheses that nobody wrote; those that were are marked here

And of every dialect here, DuckDB's own, too: a term of ROLLUP, CUBE and GROUPING SETS may be a
condition, as in GROUP BY ROLLUP (x > 5, y), where sqlglot's read only what has no comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp
from sqlglot.dialects.bigquery import BigQuery
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.postgres import Postgres
from sqlglot.dialects.redshift import Redshift
from sqlglot.dialects.snowflake import Snowflake
from sqlglot.dialects.spark import Spark
from sqlglot.dialects.tsql import TSQL
from sqlglot.parser import Parser
from sqlglot.parsers.bigquery import BigQueryParser
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.parsers.redshift import RedshiftParser
from sqlglot.parsers.snowflake import SnowflakeParser
from sqlglot.parsers.spark import SparkParser
from sqlglot.parsers.tsql import TSQLParser
from sqlglot.tokenizer_core import TokenType

from dpsql.front.dialects.words import OF_DATE_PART, WRITTEN

Builder = Callable[..., exp.Expr]
"""The arguments, and for some of them the dialect -> the call."""


def _whole(functions: Mapping[str, Builder]) -> dict[str, Builder]:
    """The same; but where a call is that without its last argument, it is only a name."""
    return {name: _with_all(name, build) for name, build in functions.items()}


def _with_all(name: str, build: Builder) -> Builder:
    def made(args: list[exp.Expr], **of: Any) -> exp.Expr:
        before = [arg.copy() for arg in args[:-1]]
        node = build(args, **of)
        if not args:
            return node
        try:
            forgotten = build(before, **of) == node
        except Exception:  # it cannot be without it
            return node
        return _named(name, args) if forgotten else node

    return made


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


def _of_parts(kind: type[exp.Func]) -> Builder:
    """Redshift's DATEADD(part, n, x) and DATEDIFF(part, x, y): the moment is the last argument."""

    def build(args: list[exp.Expr]) -> exp.Expr:
        if len(args) != 3:
            return _named("DATEADD" if kind is exp.DateAdd else "DATEDIFF", args)
        return kind(this=args[2], expression=args[1], unit=exp.Var(this=args[0].name.upper()))

    return build


def _list_agg(args: list[exp.Expr]) -> exp.Expr:
    """LISTAGG(x), LISTAGG(x, ',') and LISTAGG(DISTINCT x, ','); without a text nothing is between
    them.
    """
    first = args[0] if args else None
    if len(args) == 1 and isinstance(first, exp.Distinct) and len(first.expressions) == 2:
        args = [exp.Distinct(expressions=first.expressions[:1]), first.expressions[1]]
    if not 1 <= len(args) <= 2:
        return _named("LISTAGG", args)
    between = args[1] if len(args) == 2 else exp.Literal.string("")
    return exp.GroupConcat(this=args[0], separator=between)


def _now(args: list[exp.Expr]) -> exp.Expr:
    """NOW(), and NOW(6) with so many digits of the second, which is one clock here."""
    digits = len(args) <= 1 and all(isinstance(arg, exp.Literal) for arg in args)
    return exp.CurrentTimestamp() if digits else _named("NOW", args)


class _Conditions(Parser):
    """Whose sets of keys are of any expressions."""

    def _parse_cube_or_rollup(self, with_prefix: bool = False) -> exp.Cube | exp.Rollup | None:
        kinds: dict[TokenType, type[exp.Cube | exp.Rollup]] = {
            TokenType.CUBE: exp.Cube,
            TokenType.ROLLUP: exp.Rollup,
        }
        if with_prefix or not self._match_set(kinds):
            return super()._parse_cube_or_rollup(with_prefix)
        kind = kinds[self._prev.token_type]
        return kind(expressions=self._parse_wrapped_csv(self._parse_disjunction))

    def _parse_grouping_set(self) -> exp.Expr | None:
        sets = self._parse_grouping_sets() or self._parse_cube_or_rollup()
        return sets or self._parse_disjunction()

    def _parse_paren(self) -> exp.Expr | None:
        made = super()._parse_paren()
        if isinstance(made, exp.Paren):
            made.meta[WRITTEN] = True
        return made


class _DuckDBParser(_Conditions, DuckDBParser):
    pass


class _BigQueryParser(_Conditions, BigQueryParser):
    FUNCTIONS = _whole(BigQueryParser.FUNCTIONS)


class _SnowflakeParser(_Conditions, SnowflakeParser):
    FUNCTIONS = _whole(SnowflakeParser.FUNCTIONS)

    def _parse_substring(self) -> exp.Substring:
        made = Parser._parse_substring(self)  # its own writes over a fourth argument
        if made.args.get("zero_start") is None:
            made.set("zero_start", True)
        return made


class _SparkParser(_Conditions, SparkParser):
    FUNCTION_PARSERS = {  # noqa: RUF012
        name: of for name, of in SparkParser.FUNCTION_PARSERS.items() if name != "PERCENTILE"
    }
    FUNCTIONS = _whole({**SparkParser.FUNCTIONS, "PERCENTILE": exp.Quantile.from_arg_list})


class _PostgresParser(_Conditions, PostgresParser):
    FUNCTIONS = _whole({**PostgresParser.FUNCTIONS, "TO_CHAR": _to_char})

    def _parse_substring(self) -> exp.Substring:
        """SUBSTRING(x SIMILAR p ESCAPE e), too, of which the pattern is a part of its own."""
        index, value = self._index, self._parse_bitwise()
        if not self._match_text_seq("SIMILAR"):
            self._retreat(index)
            return super()._parse_substring()
        pattern = self._parse_bitwise()
        if self._match_text_seq("ESCAPE"):
            self._parse_bitwise()
        return exp.Substring(this=value, similar=pattern)


class _RedshiftParser(_Conditions, RedshiftParser):
    FUNCTIONS = {  # noqa: RUF012
        **_whole({**RedshiftParser.FUNCTIONS, "TO_CHAR": _to_char}),
        **dict.fromkeys(("DATEADD", "DATE_ADD"), _of_parts(exp.DateAdd)),
        **dict.fromkeys(("DATEDIFF", "DATE_DIFF"), _of_parts(exp.DateDiff)),
        "ADD_MONTHS": exp.AddMonths.from_arg_list,
        "LISTAGG": _list_agg,
    }
    NO_PAREN_FUNCTION_PARSERS = {  # noqa: RUF012
        **RedshiftParser.NO_PAREN_FUNCTION_PARSERS,
        "SYSDATE": lambda self: self.expression(exp.CurrentTimestamp()),
    }

    def _parse_date_part(self) -> exp.Expr:
        made = super()._parse_date_part()
        made.meta[OF_DATE_PART] = True
        return made

    def _parse_approximate_count(self) -> exp.Expr | None:  # type: ignore[override]
        """APPROXIMATE COUNT(DISTINCT x) and APPROXIMATE PERCENTILE_DISC, which is exact here."""
        index = self._index
        function = self._parse_function()
        if isinstance(function, exp.WithinGroup):
            return function
        self._retreat(index)
        return super()._parse_approximate_count()


class _TSQLParser(_Conditions, TSQLParser):
    FUNCTIONS = _whole(
        {**TSQLParser.FUNCTIONS, "DATENAME": _date_name, "LEFT": _left, "RIGHT": _right}
    )


class _MySQLParser(_Conditions, MySQLParser):
    FUNCTIONS = {  # noqa: RUF012
        **_whole(
            {
                **MySQLParser.FUNCTIONS,
                "DATE_FORMAT": _to_char,
                "ADDDATE": _days_later(exp.DateAdd),
                "SUBDATE": _days_later(exp.DateSub),
                "MONTHNAME": lambda args: exp.Monthname(this=args[0]),
            }
        ),
        "NOW": _now,
    }


class _BigQuery(BigQuery):
    Parser = _BigQueryParser


class _DuckDB(DuckDB):
    Parser = _DuckDBParser


class _MySQL(MySQL):
    Parser = _MySQLParser


class _Snowflake(Snowflake):
    Parser = _SnowflakeParser


class _Spark(Spark):
    Parser = _SparkParser


class _Postgres(Postgres):
    Parser = _PostgresParser


class _Redshift(Redshift):
    Parser = _RedshiftParser


class _TSQL(TSQL):
    Parser = _TSQLParser


_OWN: dict[str, type[Dialect]] = {
    "bigquery": _BigQuery,
    "duckdb": _DuckDB,
    "mysql": _MySQL,
    "postgres": _Postgres,
    "redshift": _Redshift,
    "snowflake": _Snowflake,
    "spark": _Spark,
    "tsql": _TSQL,
}


def grammar(name: str) -> Dialect:
    """The tokenizer and parser of a dialect."""
    return _OWN[name]() if name in _OWN else Dialect.get_or_raise(name)
