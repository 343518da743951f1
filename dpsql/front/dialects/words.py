"""What the rules about dialects share: how a refusal is said, and how nodes are put together."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpsql.errors import Rejected, Span
from dpsql.front.parse import reject, set_span, span_of
from dpsql.front.unknown import BY_CHANCE
from dpsql.front.written import called, name_of, words

TITLES = {
    "bigquery": "BigQuery",
    "mysql": "MySQL",
    "postgres": "PostgreSQL",
    "redshift": "Redshift",
    "snowflake": "Snowflake",
    "spark": "Spark SQL",
    "tsql": "T-SQL",
}
"""The dialects that are read besides DuckDB's, and what they are called."""


Rule = Callable[[exp.Expr, str], exp.Expr]
"""A node of the dialect -> the node of DuckDB's; its children are DuckDB's already."""


def refuse(
    node: exp.Expr | Span, dialect: str, what: str | None = None, help: str | None = None
) -> Rejected:
    """DP104 for a construct of a dialect; to be raised by the caller."""
    if what is None:
        assert isinstance(node, exp.Expr)
        what = _described(node, dialect)
    if help is None and isinstance(node, exp.Expr):
        help = _INSTEAD_IN.get((dialect, type(node))) or _INSTEAD.get(type(node))
    while isinstance(node, exp.Expr) and span_of(node) is None and node.parent is not None:
        node = node.parent  # what has no place of its own is a part of what has one
    return reject("DP104", f"not read from {TITLES[dialect]}: {what}", node, help)


_LISTED = "rows cannot be listed: GROUP BY the value"
_INSTEAD: dict[type[exp.Expr], str] = {
    exp.Rand: BY_CHANCE,
    exp.Uuid: BY_CHANCE,
    exp.TableSample: BY_CHANCE,
    **dict.fromkeys((exp.ArrayAgg, exp.ArrayUniqueAgg, exp.JSONArrayAgg), _LISTED),
    exp.ApproxTopK: "GROUP BY the value, ORDER BY COUNT(*) DESC LIMIT n",
    exp.ApproxTopSum: "GROUP BY the value, ORDER BY SUM(x) DESC LIMIT n",
    exp.Parameter: "write ABS(x) for @ x, or a value in place of a parameter",
    exp.SimilarTo: "write LIKE",
    exp.Into: "leave INTO out: what is answered is not kept in a table",
}
"""What to write in place of a construct of which a dialect's meaning is another one, or none."""
_INSTEAD_IN: dict[tuple[str, type[exp.Expr]], str] = {
    ("redshift", exp.MonthsBetween): "write DATEDIFF(month, a, b), the months that begin between",
    ("redshift", exp.ConvertTimezone): "write DATEADD(hour, n, x), with the hours between them",
    ("redshift", exp.AtTimeZone): "write DATEADD(hour, n, x), with the hours between them",
    ("redshift", exp.RegexpLike): "write LIKE",
}
"""The same, of a dialect that has what is written."""


def _described(node: exp.Expr, dialect: str) -> str:
    if name_of(node) is not None:
        return f"the function {called(node)[:40]}"
    return words(node, node.key.upper(), dialect)


def place(made: exp.Expr, node: exp.Expr) -> exp.Expr:
    """`made`, standing for the text of `node`."""
    span = span_of(node)
    if span is not None and span_of(made) is None:
        set_span(made, span)
    return made


def copied(node: exp.Expr) -> exp.Expr:
    """A copy that stands for the same text."""
    return node.copy()


def keep(node: exp.Expr, *parts: str) -> exp.Expr:
    """The node with these parts alone."""
    for key in [key for key in node.args if key not in parts]:
        node.set(key, None)
    return node


def operand(node: exp.Expr) -> exp.Expr:
    """The node in parentheses, where an operator beside it could take a part of it."""
    kinds = (exp.Binary, exp.Connector, exp.Unary, exp.Between, exp.In)
    if isinstance(node, kinds) and not isinstance(node, exp.Paren):
        return place(exp.Paren(this=node), node)
    return node


def constant(node: exp.Expr | None, least: int) -> bool:
    """Whether it is a whole-number constant, no less than `least`."""
    if not isinstance(node, exp.Literal) or node.is_string or not str(node.this).isdigit():
        return False
    return int(str(node.this)[:12]) >= least


WRITTEN = "written"
"""The mark of parentheses that somebody wrote."""

OF_DATE_PART = "of DATE_PART"
"""The mark of a part of a date that is a DOUBLE in Redshift, where EXTRACT's is an INTEGER."""

OF_DATEDIFF = "of DATEDIFF"
"""The mark of a difference of days that is a BIGINT in Redshift; of which type `a - b` is there it
does not say.
"""

OF_MOMENTS = "of moments"
"""The mark of a difference of what are surely dates or moments."""

CUT_OFF = "cut off"
"""The mark of an aggregate whose window is to be cut off."""


def cut_off(node: exp.Expr) -> exp.Expr:
    """A number as a whole one, toward zero."""
    return exp.Cast(this=exp.Trunc(this=node), to=exp.DataType.build("BIGINT", dialect="duckdb"))
