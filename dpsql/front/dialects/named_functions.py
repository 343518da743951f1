"""Functions that sqlglot has no node for, or another one: see `dialects` and `written_parsers`."""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.moment_functions import seconds
from dpsql.front.dialects.number_kinds import kind, whole
from dpsql.front.dialects.words import Rule, refuse
from dpsql.types import VARCHAR


def _choose(node: exp.Expr, dialect: str) -> exp.Expr:
    """CHOOSE(i, a, b): the i-th from 1 on, or NULL; a fraction would be cut off."""
    index, *values = node.expressions or (None,)
    if index is None or not values or not whole(index, dialect):
        raise refuse(node, dialect, "CHOOSE by what may be no whole number", "cast it to INT")
    branches = [exp.If(this=exp.Literal.number(n), true=value) for n, value in enumerate(values, 1)]
    return exp.Case(this=index, ifs=branches)


_NAMES = {
    **dict.fromkeys(("month", "mm", "m"), "%B"),
    **dict.fromkeys(("weekday", "dw", "w"), "%A"),
    **dict.fromkeys(("year", "yyyy", "yy"), "%Y"),
    **dict.fromkeys(("day", "dd", "d"), "%-d"),
    **dict.fromkeys(("dayofyear", "dy", "y"), "%-j"),
    **dict.fromkeys(("hour", "hh"), "%-H"),
    **dict.fromkeys(("minute", "mi", "n"), "%-M"),
    **dict.fromkeys(("second", "ss", "s"), "%-S"),
}
"""Parts as T-SQL's DATENAME writes them: numbers without zeros in front, but for years before
1000; names in English, as they are where the session's language is no other one.
"""


def _date_name(node: exp.Expr, dialect: str) -> exp.Expr:
    """DATENAME(part, x). A quarter and a week have no part in a format; one hangs on DATEFIRST."""
    parts = node.expressions
    name = parts[0].name.lower() if parts else ""
    if len(parts) == 2 and name in ("quarter", "qq", "q"):
        quarter = exp.Extract(this=exp.Var(this="QUARTER"), expression=parts[1])
        return exp.Cast(this=quarter, to=exp.DataType.build("TEXT", dialect="duckdb"))
    if len(parts) != 2 or name not in _NAMES:
        help = "write DATEPART(iso_week, x), or a part down to the second"
        raise refuse(node, dialect, f"DATENAME of the part {name}", help)
    return exp.TimeToStr(this=parts[1], format=exp.Literal.string(_NAMES[name]))


def _age(node: exp.Expr, dialect: str) -> exp.Expr:
    """AGE(a, b): the years, months, days and times that DuckDB's has, which is PostgreSQL's own
    reckoning. Its length depends on what a month is, so that only its parts are read.
    """
    if len(node.expressions) != 2:
        raise refuse(node, dialect, "AGE of one moment", "write AGE(CURRENT_DATE, x)")
    around = node.parent
    part = around.this.name.upper() if isinstance(around, exp.Extract) else ""
    if part.removesuffix("S") not in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE"):
        help = "write EXTRACT(year FROM AGE(a, b)), or its month or day; a - b are days"
        raise refuse(node, dialect, "AGE but for one of its parts", help)
    return node


def _week_day(node: exp.Expr, dialect: str) -> exp.Expr:
    """MySQL's WEEKDAY: Monday is 0."""
    if len(node.expressions) != 1:
        raise refuse(node, dialect, "WEEKDAY but of one moment")
    day = exp.Extract(this=exp.Var(this="ISODOW"), expression=node.expressions[0])
    return exp.Paren(this=exp.Sub(this=day, expression=exp.Literal.number(1)))


def _field(node: exp.Expr, dialect: str) -> exp.Expr:
    """FIELD(x, 'a', 'b'): which of these texts it is, from 1 on, or 0."""
    value, *texts = node.expressions
    known = all(isinstance(text, exp.Literal) and text.is_string for text in texts)
    if not texts or not known or kind(value, dialect) != VARCHAR:
        raise refuse(node, dialect, "FIELD but of a text among constant texts")
    number = exp.Literal.number
    branches = [exp.If(this=text, true=number(n)) for n, text in enumerate(texts, 1)]
    return exp.Case(this=value, ifs=branches, default=number(0))


def _share(node: exp.Expr, dialect: str) -> exp.Expr:
    """RATIO_TO_REPORT(x) OVER (…) is x / SUM(x) OVER (…): what its window makes of it."""
    if len(node.expressions) != 1 or not isinstance(node.parent, exp.Window):
        raise refuse(node, dialect, "RATIO_TO_REPORT but of one number, with OVER")
    return node


def _year(node: exp.Expr, dialect: str) -> exp.Expr:
    """DATE_PART_YEAR(x) is EXTRACT(year FROM x)."""
    if len(node.expressions) != 1:
        raise refuse(node, dialect, "DATE_PART_YEAR but of one date")
    return exp.Extract(this=exp.Var(this="YEAR"), expression=node.expressions[0])


def _is_null(node: exp.Expr, dialect: str) -> exp.Expr:
    raise refuse(node, dialect, "ISNULL as a function", "use NVL(a, b) or COALESCE(a, b)")


_RULES: dict[tuple[str, str], Rule] = {
    ("tsql", "CHOOSE"): _choose,
    ("tsql", "DATENAME"): _date_name,
    ("postgres", "AGE"): _age,
    ("mysql", "FIELD"): _field,
    ("mysql", "WEEKDAY"): _week_day,
    ("redshift", "DATE_PART_YEAR"): _year,
    ("redshift", "ISNULL"): _is_null,
    ("redshift", "RATIO_TO_REPORT"): _share,
    ("mysql", "UNIX_TIMESTAMP"): seconds,
    ("snowflake", "RATIO_TO_REPORT"): _share,
}


def rule_of(node: exp.Expr, dialect: str) -> Rule | None:
    """What is made of a function that is known by its name alone; None of others."""
    return _RULES.get((dialect, str(node.this).upper())) if type(node) is exp.Anonymous else None


def is_share(node: exp.Expr, dialect: str) -> bool:
    """Whether it is RATIO_TO_REPORT, of which its window makes a quotient."""
    return rule_of(node, dialect) is _share
