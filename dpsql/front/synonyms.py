"""Aggregates of DuckDB that are others by a second name, or that it makes of others: they are read
as those. Source: duckdb_functions(), `alias_of` and `macro_definition`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from dpsql.front.parse import reject
from dpsql.front.written import unnamed

Part = exp.Expr


def _double(x: Part) -> Part:
    return exp.Cast(this=x, to=exp.DataType.build("DOUBLE"))


def _sum(x: Part) -> Part:
    """With fewer rounding errors than a SUM of DOUBLE: here sums are exact anyway."""
    if isinstance(x, exp.Distinct):
        return exp.Sum(this=exp.Distinct(expressions=[_double(e) for e in x.expressions]))
    return exp.Sum(this=_double(x))


def _geometric(x: Part) -> Part:
    return exp.Exp(this=exp.Avg(this=exp.Ln(this=x)))


def _weighted(value: Part, weight: Part) -> Part:
    known = exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null()))
    ifs = [exp.If(this=known, true=weight.copy())]
    whole = exp.Case(ifs=ifs, default=exp.Literal.number(0))
    product = exp.Mul(this=exp.Paren(this=value), expression=exp.Paren(this=weight))
    return exp.Paren(this=exp.Div(this=exp.Sum(this=product), expression=exp.Sum(this=whole)))


def _error(x: Part) -> Part:
    """Of the mean."""
    root = exp.Sqrt(this=exp.Count(this=x.copy(), big_int=True))
    return exp.Paren(this=exp.Div(this=exp.StddevPop(this=x), expression=root))


NAMES: dict[str, tuple[int, Callable[..., Part]]] = {
    **dict.fromkeys(("mean", "favg"), (1, lambda x: exp.Avg(this=x))),
    **dict.fromkeys(("fsum", "kahan_sum", "sumkahan"), (1, _sum)),
    **dict.fromkeys(("geomean", "geometric_mean"), (1, _geometric)),
    **dict.fromkeys(("wavg", "weighted_avg"), (2, _weighted)),
    "sem": (1, _error),
}
"""How many arguments each has, and what it is."""


def restore_aggregates(nodes: Sequence[exp.Expr]) -> None:
    """Put the others in their places.

    Raises:
        Rejected: DP104, one that is made of several has FILTER, OVER or DISTINCT.
    """
    for node in nodes:
        if not isinstance(node, exp.Anonymous) or str(node.this).lower() not in NAMES:
            continue
        many, made_of = NAMES[str(node.this).lower()]
        if len(node.expressions) != many:
            continue
        made = made_of(*node.expressions)
        if not isinstance(made, exp.AggFunc) and (
            isinstance(node.parent, exp.Filter | exp.Window)
            or isinstance(node.expressions[0], exp.Distinct)
        ):
            name = str(node.this).upper()
            help = f"write what it is made of: {made.sql('duckdb')}"
            raise reject("DP104", f"{name} takes no FILTER, OVER or DISTINCT", node, help)
        made.meta.update(node.meta)
        if isinstance(node.parent, exp.Select) and node.arg_key == "expressions":
            made = exp.Alias(this=made, alias=exp.to_identifier(unnamed(node), quoted=True))
            made.meta.update(node.meta)
        node.replace(made)
