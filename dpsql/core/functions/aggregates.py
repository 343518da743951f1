"""The aggregate functions of the language: their arguments and the types of their results.

Which of them may be computed on private rows, and how, the later stages say; over public and
released rows all of them are post-processing. The types are DuckDB's.

No aggregate but COUNT(*) and those of `SEEING_NULLS` sees a row in which one of its arguments is
NULL; nor do ARG_MAX and ARG_MIN, in DuckDB, one whose key is NULL. So FILTER (WHERE c) is the same
as arguments that are NULL where c is not TRUE.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from dpsql.core.functions.typing import sum_type
from dpsql.errors import Span
from dpsql.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    HUGEINT,
    INTERVAL,
    TIME,
    TIMESTAMP,
    UINTEGER,
    VARCHAR,
    Type,
    counts_of,
    list_of,
)

Takes = Literal["any", "number", "mean", "boolean", "continuous", "integer", "plain", "text"]
"""What an argument may be; "continuous" is a number, a DATE, a TIMESTAMP or a TIME, "mean" an
INTERVAL, too; "plain" no list.
"""


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """One aggregate.

    Attributes:
        name: what the engine calls it.
        takes: the types of its arguments.
        result: the type of its value, from its (first) argument's type.
        distinct: whether DISTINCT may be written in it: "kept", or "dropped" where it changes
            nothing.
    """

    name: str
    takes: Takes
    result: Callable[[Type], Type]
    distinct: Literal["", "kept", "dropped"] = ""


def _same(kind: Type) -> Type:
    return kind


def _double(kind: Type) -> Type:
    return DOUBLE


def _mean(kind: Type) -> Type:
    """Of numbers a DOUBLE; of moments, times of day and intervals one of them."""
    return kind if kind in (TIMESTAMP, TIME, INTERVAL) else DOUBLE


def _between(kind: Type) -> Type:
    """What lies between two values: of integers a DOUBLE, of days a moment. Between two DECIMALs it
    is a DECIMAL again, its digits cut off. Of what is not continuous, MEDIAN is one of the values.
    """
    if kind.is_integer:
        return DOUBLE
    return TIMESTAMP if kind.name == "DATE" else kind


AGGREGATES: dict[type[exp.Expr], AggregateFunction] = {
    exp.Count: AggregateFunction("count", "any", lambda _: BIGINT, distinct="kept"),
    exp.Sum: AggregateFunction("sum", "number", sum_type, distinct="kept"),
    exp.Avg: AggregateFunction("avg", "mean", _mean, distinct="kept"),
    exp.Min: AggregateFunction("min", "any", _same, distinct="dropped"),
    exp.Max: AggregateFunction("max", "any", _same, distinct="dropped"),
    exp.LogicalAnd: AggregateFunction("bool_and", "boolean", lambda _: BOOLEAN, "dropped"),
    exp.LogicalOr: AggregateFunction("bool_or", "boolean", lambda _: BOOLEAN, "dropped"),
    exp.Median: AggregateFunction("median", "any", _between),
    exp.Stddev: AggregateFunction("stddev_samp", "number", _double, distinct="kept"),
    exp.StddevSamp: AggregateFunction("stddev_samp", "number", _double, distinct="kept"),
    exp.StddevPop: AggregateFunction("stddev_pop", "number", _double, distinct="kept"),
    exp.Variance: AggregateFunction("var_samp", "number", _double, distinct="kept"),
    exp.VariancePop: AggregateFunction("var_pop", "number", _double, distinct="kept"),
}
"""Those of one argument, by the syntax node; COUNT_IF is a COUNT of a CASE."""

MODE = AggregateFunction("mode", "any", _same)

LISTING: dict[type[exp.Expr], AggregateFunction] = {
    exp.ArrayAgg: AggregateFunction("list", "plain", list_of, distinct="kept"),
    exp.GroupConcat: AggregateFunction("string_agg", "text", lambda _: VARCHAR, distinct="kept"),
    exp.First: AggregateFunction("first", "plain", _same),
    exp.Last: AggregateFunction("last", "plain", _same),
    exp.AnyValue: AggregateFunction("any_value", "plain", _same, distinct="dropped"),
}
"""Those that show values as they are, in the order of the rows or in that of an ORDER BY. They are
for released and public rows. All but the second and the last see NULLs.
"""
SHOWING = frozenset(f.name for f in LISTING.values())
SEEING_NULLS = frozenset({"list", "first", "last"})

FURTHER: dict[type[exp.Expr], AggregateFunction] = {
    exp.Skewness: AggregateFunction("skewness", "number", _double),
    exp.Kurtosis: AggregateFunction("kurtosis", "number", _double),
    exp.BitwiseAndAgg: AggregateFunction("bit_and", "integer", _same, distinct="dropped"),
    exp.BitwiseOrAgg: AggregateFunction("bit_or", "integer", _same, distinct="dropped"),
    exp.BitwiseXorAgg: AggregateFunction("bit_xor", "integer", _same),
}
"""These, and those below, are for released and public rows alone, too."""

NAMED: dict[str, AggregateFunction] = {
    "product": AggregateFunction("product", "number", _double),
    "kurtosis_pop": AggregateFunction("kurtosis_pop", "number", _double),
    "entropy": AggregateFunction("entropy", "any", _double),
    "mad": AggregateFunction("mad", "number", _between),
}
"""Those that the parser has no node for."""

PAIRS: dict[type[exp.Expr], AggregateFunction] = {
    exp.CovarSamp: AggregateFunction("covar_samp", "number", _double),
    exp.CovarPop: AggregateFunction("covar_pop", "number", _double),
    exp.Corr: AggregateFunction("corr", "number", _double),
    exp.RegrSlope: AggregateFunction("regr_slope", "number", _double),
    exp.RegrIntercept: AggregateFunction("regr_intercept", "number", _double),
    exp.RegrR2: AggregateFunction("regr_r2", "number", _double),
    exp.RegrCount: AggregateFunction("regr_count", "number", lambda _: UINTEGER),
    exp.RegrAvgx: AggregateFunction("regr_avgx", "number", _double),
    exp.RegrAvgy: AggregateFunction("regr_avgy", "number", _double),
    exp.RegrSxx: AggregateFunction("regr_sxx", "number", _double),
    exp.RegrSyy: AggregateFunction("regr_syy", "number", _double),
    exp.RegrSxy: AggregateFunction("regr_sxy", "number", _double),
    exp.ArgMax: AggregateFunction("arg_max", "any", _same),
    exp.ArgMin: AggregateFunction("arg_min", "any", _same),
}
"""Those of two: (y, x), or the key and what it is the greatest or least by."""

COUNTS = frozenset({"count", "regr_count"})
"""Those that are 0 of no row, where others are NULL."""

_DISCRETE = AggregateFunction("quantile_disc", "any", _same)

QUANTILES: dict[type[exp.Expr], AggregateFunction] = {
    exp.PercentileCont: AggregateFunction("quantile_cont", "continuous", _between),
    exp.PercentileDisc: _DISCRETE,
    exp.Quantile: _DISCRETE,
    exp.ApproxQuantile: AggregateFunction("quantile_disc", "continuous", _same),
}
"""Those of a value and one fraction or a list of them; APPROX_QUANTILE is exact here."""

HISTOGRAM = AggregateFunction("histogram", "any", counts_of)
"""Of each value; of bins it is another, see `bind_calls`."""

INSTEAD: dict[type[exp.Expr], str] = {
    exp.ApproxQuantiles: "use APPROX_QUANTILE(x, [0.25, 0.5, 0.75])",
    exp.ApproxTopK: "GROUP BY the value, ORDER BY COUNT(*) DESC",
    exp.Hll: "use COUNT(DISTINCT x)",
}
"""What to write in place of an aggregate that is not one of the language."""

_EVERY = (QUANTILES, AGGREGATES, FURTHER, PAIRS, LISTING, NAMED)
_BY_NAME = {f.name: f for f in (*(f for some in _EVERY for f in some.values()), MODE)}
AGGREGATE_NAMES = tuple(_BY_NAME)
"""As the engine calls them."""


def called(name: str, span: Span | None) -> str:
    """An aggregate as it was typed: `var_samp` as `variance`. One that was made of another, such as
    the sum of what was counted, is called by its own name.
    """
    typed = "" if span is None else span.called.lower()
    return name if typed in _BY_NAME else typed or name


def result_type(name: str, argument: Type, otherwise: Type) -> Type:
    """The type of an aggregate of such an argument.

    Args:
        name: the engine's name of the aggregate.
        argument: its first argument's type.
        otherwise: its type so far, which says whether it is a list of quantiles; the answer for an
            aggregate that is not known.
    """
    if name == "histogram":
        binned = argument.is_decimal and otherwise.of == DOUBLE
        return otherwise if binned else counts_of(argument)
    function = _BY_NAME.get(name)
    if function is None:
        return otherwise
    kind = function.result(argument)
    return list_of(kind) if otherwise.name == "LIST" and kind.name != "LIST" else kind


def approximate_type(kind: Type, several: bool) -> Type:
    """The type of APPROX_QUANTILE, to which its argument is brought.

    Args:
        kind: the argument's type.
        several: whether it is of a list of fractions.
    """
    if kind.name in ("UTINYINT", "USMALLINT", "UINTEGER"):
        return BIGINT
    if kind.name == "UBIGINT":
        return HUGEINT
    if several:
        return kind
    if kind.name == "TINYINT":
        return BIGINT
    return DOUBLE if kind.is_float else kind
