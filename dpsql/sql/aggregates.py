"""The aggregate functions of the language: their arguments and the types of their results.

Which of them may be computed on private rows, and how, the later stages say; over public and
released rows all of them are post-processing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from dpsql.sql.functions.typing import sum_type
from dpsql.types import BIGINT, BOOLEAN, DOUBLE, Type


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """One aggregate.

    Attributes:
        name: what the engine calls it.
        takes: "any", "number" or "boolean".
        result: the type of its value, from its argument's type.
        distinct: whether DISTINCT may be written in it.
    """

    name: str
    takes: str
    result: Callable[[Type], Type]
    distinct: bool = False


def _same(kind: Type) -> Type:
    return kind


def _double(kind: Type) -> Type:
    return DOUBLE


AGGREGATES: dict[type[exp.Expr], AggregateFunction] = {
    exp.Count: AggregateFunction("count", "any", lambda _: BIGINT, distinct=True),
    exp.Sum: AggregateFunction("sum", "number", sum_type, distinct=True),
    exp.Avg: AggregateFunction("avg", "number", _double, distinct=True),
    exp.Min: AggregateFunction("min", "any", _same),
    exp.Max: AggregateFunction("max", "any", _same),
    exp.LogicalAnd: AggregateFunction("bool_and", "boolean", lambda _: BOOLEAN),
    exp.LogicalOr: AggregateFunction("bool_or", "boolean", lambda _: BOOLEAN),
    exp.Median: AggregateFunction("median", "number", _double),
    exp.Stddev: AggregateFunction("stddev_samp", "number", _double),
    exp.StddevSamp: AggregateFunction("stddev_samp", "number", _double),
    exp.StddevPop: AggregateFunction("stddev_pop", "number", _double),
    exp.Variance: AggregateFunction("var_samp", "number", _double),
    exp.VariancePop: AggregateFunction("var_pop", "number", _double),
}
"""By the syntax node; COUNT_IF is a COUNT of a CASE."""

_BY_NAME = {f.name: f for f in AGGREGATES.values()}


def result_type(name: str, argument: Type, otherwise: Type) -> Type:
    """The type of an aggregate of such an argument; `otherwise` for one that is not known."""
    function = _BY_NAME.get(name)
    return otherwise if function is None else function.result(argument)
