"""A SELECT of MySQL's language -> the text in DuckDB's language that is asked for.

What is not listed here is refused: sqlglot passes on what it does not know, and many functions have
the same name in both languages and not the same meaning. If this is wrong, the answer is one to
another question, and as private: dpsql proves what it is given.

What is the data's is DuckDB's: texts are compared by their letters, where MySQL takes a and A for
the same, and a division is never one of integers.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from dpsql.errors import AccessDenied, Rejected, shallow
from dpsql.front.dialects.grains import truncated
from dpsql.front.model_statement import is_model
from dpsql.front.parse import reject

_CLAUSES = (
    *(exp.Select, exp.Subquery, exp.With, exp.CTE, exp.TableAlias, exp.From, exp.Join, exp.Table),
    *(exp.Union, exp.Intersect, exp.Except, exp.Where, exp.Group, exp.Having, exp.Order),
    *(exp.Ordered, exp.Limit, exp.Offset, exp.Distinct, exp.Tuple),
)
_WORDS = (
    *(exp.Alias, exp.Column, exp.Identifier, exp.Star, exp.Literal, exp.Boolean, exp.Null),
    *(exp.Paren, exp.Var, exp.DataType, exp.DataTypeParam, exp.Cast, exp.Interval),
)
_OPERATORS = (
    *(exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.NullSafeEQ, exp.Is, exp.In, exp.Between, exp.Like, exp.Exists, exp.Add, exp.Sub),
    *(exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Case, exp.If, exp.Coalesce, exp.Nullif),
)
_NUMBERS = (
    *(exp.Abs, exp.Ceil, exp.Floor, exp.Round, exp.Sqrt, exp.Ln, exp.Log, exp.Exp, exp.Pow),
    *(exp.Sign, exp.Lower, exp.Upper, exp.Trim, exp.Left, exp.Concat, exp.Replace, exp.Length),
    *(exp.Substring, exp.StrPosition),
)
_DATES = (
    *(exp.Year, exp.Quarter, exp.Month, exp.Day, exp.DayOfMonth, exp.DayOfYear, exp.DayOfWeek),
    *(exp.Hour, exp.Minute, exp.Second, exp.Extract, exp.DateAdd, exp.DateSub, exp.DateDiff),
    *(exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TimeToStr, exp.CurrentDate, exp.DateTrunc),
    exp.LastDay,
)
_AGGREGATES = (
    *(exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.StddevPop, exp.StddevSamp),
    *(exp.VariancePop, exp.Variance, exp.Median, exp.CountIf, exp.Window, exp.WindowSpec),
    *(exp.RowNumber, exp.Rank, exp.DenseRank),
)
READ = frozenset((*_CLAUSES, *_WORDS, *_OPERATORS, *_NUMBERS, *_DATES, *_AGGREGATES))
"""What means in DuckDB, as it is printed, what it means in MySQL."""

_TEXTS = (exp.DType.CHAR, exp.DType.VARCHAR, exp.DType.NCHAR, exp.DType.TEXT)
_TYPES = (
    *(*_TEXTS, exp.DType.BIGINT, exp.DType.UBIGINT, exp.DType.INT, exp.DType.DECIMAL),
    *(exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.DATE, exp.DType.DATETIME),
    *(exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ),
)

_OWN = frozenset(("quantile_cont", "quantile_disc", "quantile", "approx_quantile"))
"""Functions that MySQL does not have, and dpsql has."""

_PREDICATES = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ),
    *(exp.Is, exp.In, exp.Between, exp.Like),
)
_PARTS = frozenset(("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"))
_UNITS = _PARTS | {"WEEK"}

_FORMATS = frozenset((*"YmdHMSjypBbAaI%", "-d", "-m", "-H"))
"""Letters after % that strftime has as MySQL does, once sqlglot has read the format."""

_OF_DATES = (exp.TimeToStr, exp.Year, exp.Month, exp.Day, exp.DayOfMonth)

ONE_AT_A_TIME = "a query reads one data set: choose it by USE, and leave its name out"


def duckdb(tree: exp.Query, data: str, tables: Collection[str]) -> str:
    """The same in DuckDB's language.

    Args:
        tree: as MySQL's parser reads it; it is changed.
        data: the name of the data set, which may stand before that of a table.
        tables: the names of its tables.

    Raises:
        Rejected: what cannot be said so that it means the same.
        AccessDenied: a table of another data set.
    """
    return shallow(lambda: _duckdb(tree, data, tables), "")


def _duckdb(tree: exp.Query, data: str, tables: Collection[str]) -> str:
    named(tree)
    truncated(tree)
    for node in list(tree.walk()):
        _check(node)
    for table in list(tree.find_all(exp.Table)):
        _place(table, data, tables)
    for column in tree.find_all(exp.Column):
        if column.text("db").lower() == data.lower():
            column.set("db", None)
    made = with_meaning(tree)
    try:
        return str(made.sql(dialect="duckdb", comments=False, unsupported_level=ErrorLevel.RAISE))
    except SqlglotError:
        pass
    raise reject("DP104", "the query cannot be said in DuckDB's language, which dpsql reads")


def _check(node: exp.Expr) -> None:
    if is_model(node) or (isinstance(node, exp.Anonymous) and node.name.lower() in _OWN):
        return
    if isinstance(node, exp.Array | exp.PropertyEQ) and is_model(node.parent):
        return
    if type(node) not in READ:
        known = node.name if isinstance(node, exp.Anonymous) else type(node).__name__
        raise _refused(node, f"MySQL's {known.upper()[:60]} is not read here")
    if isinstance(node, exp.Select):
        node.set("hint", None)
        if node.args.get("locks") or node.args.get("into") or node.args.get("operation_modifiers"):
            raise _refused(node, "only plain SELECTs are read: no lock, no INTO, no modifier")
    if isinstance(node, exp.Cast):
        cut = node.to.this in _TEXTS and node.to.expressions  # MySQL cuts off what is longer
        if cut or node.to.this not in _TYPES:
            raise _refused(node, "this type is not cast to")
    if isinstance(node, _PREDICATES):
        # Which of two comparisons side by side binds more tightly differs from grammar to grammar.
        parts = (part for part in node.args.values() if isinstance(part, (*_PREDICATES, exp.Not)))
        if next(parts, None) is not None:
            raise _refused(node, "a condition inside another one is read in parentheses alone")
    if isinstance(node, exp.Length) and node.args.get("binary"):
        raise _refused(node, "LENGTH counts bytes in MySQL; write CHAR_LENGTH")
    if isinstance(node, exp.Trim) and (node.expression or node.args.get("position")):
        raise _refused(node, "only TRIM(x) is read")
    if isinstance(node, exp.Substring):
        start, length = node.args.get("start"), node.args.get("length")
        if not (_whole(start, 1) and (length is None or _whole(length))):
            raise _refused(node, "SUBSTRING is read with a constant place of at least 1 and length")
    if isinstance(node, exp.Left) and not _whole(node.expression):
        raise _refused(node, "LEFT is read with a constant length")
    if isinstance(node, exp.Interval | exp.DateAdd | exp.DateSub):
        much = node.this if isinstance(node, exp.Interval) else node.expression
        if node.text("unit").upper() not in _UNITS or not _whole(much):
            raise _refused(node, "an interval is a whole number of a unit, such as 3 MONTH")
    if isinstance(node, exp.Extract) and node.name.upper() not in _PARTS:
        raise _refused(node, f"EXTRACT is read of {', '.join(sorted(_PARTS))}")
    if isinstance(node, exp.TimeToStr):
        text = node.args.get("format")
        letters = re.findall(r"%(-?.)", text.name) if isinstance(text, exp.Literal) else ["?"]
        if not set(letters) <= _FORMATS:
            raise _refused(node, "DATE_FORMAT is read with %Y, %y, %m, %d, %j, %H, %i, %s and %p")


def _refused(node: exp.Expr, message: str) -> Rejected:
    shown = node.sql(dialect="mysql", comments=False)
    return reject("DP104", f"{message}: {shown[:100]}")


def _whole(node: object, least: int = 0) -> bool:
    """Whether it is a constant whole number, of a least value."""
    if not isinstance(node, exp.Literal) or not (node.name.isascii() and node.name.isdigit()):
        return False
    return int(node.name[:9]) >= least


def named(tree: exp.Query) -> None:
    """Give columns the names that MySQL gives them: the text of an expression."""
    if not isinstance(tree, exp.Select):
        return
    made = [
        part
        if isinstance(part, exp.Alias | exp.Column | exp.Star) or is_model(part)
        else exp.alias_(part, part.sql(dialect="mysql", comments=False)[:256], quoted=True)
        for part in tree.expressions
    ]
    tree.set("expressions", made)


def _place(table: exp.Table, data: str, tables: Collection[str]) -> None:
    """The table as dpsql knows it: without the data set, and in its schema if it has one."""
    known = {name.lower() for name in tables}
    whole = ".".join(part.name for part in table.parts)
    if len(table.parts) > 1 and whole.lower() not in known:
        first = table.parts[0].name
        if first.lower() != data.lower():
            raise AccessDenied(ONE_AT_A_TIME)
        whole = whole[len(first) + 1 :]
    names = [table.parts[-1].name] if whole.lower() not in known else whole.split(".")
    if len(names) > 3:
        raise _refused(table, "a name of too many parts")
    parts: list[exp.Identifier | None] = [exp.to_identifier(name, quoted=True) for name in names]
    while len(parts) < 3:
        parts.insert(0, None)
    for key, part in zip(("catalog", "db", "this"), parts, strict=True):
        table.set(key, part)


def with_meaning(tree: exp.Query) -> exp.Query:
    """The tree with MySQL's meaning where DuckDB's differs: a copy."""
    tree = tree.copy()
    for node in reversed(list(tree.walk())):  # children first
        made = _meant(node)
        if made is not node:
            node.replace(made)
    return tree


def _meant(node: exp.Expr) -> exp.Expr:
    parent = node.parent
    if isinstance(node, exp.DayOfWeek):  # 1 is Sunday; DuckDB's 0 is
        return exp.paren(exp.Add(this=node.copy(), expression=exp.Literal.number(1)))
    # A backslash escapes in MySQL without being named.
    escapes = isinstance(node, exp.Like) and "\\" in node.expression.name
    if escapes and not isinstance(parent, exp.Escape):
        return exp.Escape(this=node.copy(), expression=exp.Literal.string("\\"))
    # A column in it is a date or a time already, or dpsql says that it is none.
    made_date = isinstance(node, exp.TsOrDsToTimestamp | exp.TsOrDsToDate)
    if made_date and isinstance(parent, _OF_DATES) and isinstance(node.this, exp.Column):
        return node.this.copy()
    if isinstance(node, exp.TimeToStr):
        return _beginning(node)
    if isinstance(node, exp.DataType) and node.this is exp.DType.TIMESTAMPTZ:
        return exp.DataType.build("TIMESTAMP")  # of no zone, in a policy
    return node


def _beginning(node: exp.TimeToStr) -> exp.Expr:
    """A date in the usual order as the beginning of its text, 2024-12-31, whose values dpsql knows;
    any other format as it is.
    """
    found = re.fullmatch(r"%Y(?:(-%m)(-%d)?)?([^%]*)", node.args["format"].name)
    if found is None:
        return node
    letters = 4 + 3 * sum(part is not None for part in found.groups()[:2])
    day = exp.cast(node.this.copy(), "DATE")
    made: exp.Expr = exp.Left(this=exp.cast(day, "TEXT"), expression=exp.Literal.number(letters))
    rest = exp.Literal.string(found[3])
    return exp.paren(exp.DPipe(this=made, expression=rest, safe=True)) if found[3] else made
