"""Clauses of other dialects: see `dialects`.

Names of other dialects: DuckDB folds the case of all of them, and lets an alias of the SELECT
list stand where no column has its name. Where another dialect could mean something else by a name,
the query is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from dpsql.front.dialects.cases import check_case
from dpsql.front.dialects.named_functions import is_share
from dpsql.front.dialects.quantile_windows import is_quantile
from dpsql.front.dialects.words import (
    CUT_OFF,
    Rule,
    constant,
    copied,
    cut_off,
    keep,
    operand,
    place,
    refuse,
)
from dpsql.front.scope import fold

SETS = (exp.Union, exp.Except, exp.Intersect)


def _fetch(node: exp.Expr, dialect: str) -> exp.Expr:
    """FETCH FIRST n ROWS ONLY is LIMIT n; of WITH TIES and PERCENT `_READ` knows nothing."""
    return _limit(exp.Limit(expression=node.args.get("count")), dialect)


def _limit(node: exp.Expr, dialect: str) -> exp.Expr:
    """TOP n is LIMIT n."""
    if not constant(node.expression, 0):
        raise refuse(node, dialect, "LIMIT or OFFSET that is no constant")
    return keep(node, "expression")


def _ordered(node: exp.Expr, dialect: str) -> exp.Expr:
    """sqlglot's parser writes down where NULL goes: NULL is the largest value in PostgreSQL and
    Snowflake, the smallest in the others, and last in DuckDB.
    """
    first = bool(node.args.get("nulls_first"))
    return exp.Ordered(this=node.this, desc=node.args.get("desc"), nulls_first=first)


def _join(node: exp.Expr, dialect: str) -> exp.Expr:
    side, kind = str(node.args.get("side") or ""), str(node.args.get("kind") or "")
    if dialect == "spark" and side in ("", "LEFT") and kind in ("SEMI", "ANTI"):
        node.set("side", None)  # the rows of the left side with a match, or without, as DuckDB's
        return node
    if side not in ("", "LEFT", "RIGHT", "FULL") or kind not in ("", "INNER", "OUTER", "CROSS"):
        join = "" if kind.endswith("JOIN") else "JOIN"
        raise refuse(node, dialect, " ".join(w for w in (side, kind, join) if w))
    if dialect == "tsql" and isinstance(node.this, exp.Lateral):
        outer = node.this.args.pop("cross_apply") is False  # OUTER APPLY
        return exp.Join(this=node.this, side="LEFT" if outer else None, on=exp.true())
    return node


def _lateral(node: exp.Expr, dialect: str) -> exp.Expr:
    """A query that reads the rows before it; T-SQL's APPLY."""
    if not isinstance(node.this, exp.Subquery):
        raise refuse(node, dialect, "LATERAL but of a query")
    return node


def _joins(node: exp.Expr) -> Iterator[exp.Expr]:
    """The joins of a FROM, also those inside of others."""
    inner = node.args.get("from_") or node if isinstance(node, exp.Select | exp.Subquery) else None
    if inner is not None and isinstance(inner.this, exp.Table | exp.Subquery):
        yield from _joins(inner.this)
    for join in node.args.get("joins") or ():
        yield join
        yield from _joins(join.this)


def _check_on(node: exp.Expr, dialect: str) -> None:
    """DISTINCT ON is PostgreSQL's and DuckDB's. A name in it is an alias there, before a column."""
    distinct = node.args.get("distinct")
    on = None if distinct is None else distinct.args.get("on")
    if on is None:
        return
    called = {fold(i.alias): i.this for i in node.expressions if isinstance(i, exp.Alias)}
    for key in on.expressions if isinstance(on, exp.Tuple) else [on.unnest()]:
        plain = isinstance(key, exp.Column) and (key.table or fold(key.name) not in called)
        if dialect != "postgres" or not plain:
            raise refuse(key, dialect, "DISTINCT ON of what is no column", "name its columns")


def _check_replaced(node: exp.Expr, dialect: str) -> None:
    """In an expression of ORDER BY a name is the new column elsewhere, and DuckDB's old one."""
    stars = [i if isinstance(i, exp.Star) else i.this for i in node.expressions if i.is_star]
    star = next((s for s in stars if s.args.get("replace")), None)
    if star is None:
        return
    order = node.args.get("order") or exp.Order(expressions=[])
    keys = [key.this for key in order.expressions]
    if node.args.get("qualify") or not all(isinstance(k, exp.Column | exp.Literal) for k in keys):
        raise refuse(star, dialect, "REPLACE beside expressions in ORDER BY or QUALIFY")


def _select(node: exp.Expr, dialect: str) -> exp.Expr:
    _check_on(node, dialect)
    _check_replaced(node, dialect)
    joins = list(_joins(node))
    comma = next((j for j in joins if not (j.args.get("on") or j.args.get("using"))), None)
    if comma is not None and any(j.args.get("side") in ("RIGHT", "FULL") for j in joins):
        # Whether the comma binds more tightly than JOIN differs.
        raise refuse(comma, dialect, "a join without a condition beside a RIGHT or FULL JOIN")
    if any(j.args.get("using") for j in joins):
        star = next((e for e in node.expressions if isinstance(e, exp.Star)), None)
        # USING's columns come first in most, and where they stand in DuckDB.
        if star is not None and not _read_by_name(node):
            raise refuse(star, dialect, "* above USING", "name the columns")
    return node


def _read_by_name(select: exp.Expr) -> bool:
    """Whether nothing hangs on the order of the columns of a query: each is read by its name."""
    above, order = select.parent, select.args.get("order")
    if order is not None and any(isinstance(key.this, exp.Literal) for key in order.expressions):
        return False
    if isinstance(above, exp.Exists):
        return True
    alias = above.args.get("alias") if isinstance(above, exp.Subquery | exp.CTE) else None
    if above is None or not isinstance(alias, exp.TableAlias) or alias.columns:
        return False
    around: Iterable[exp.Select | None] = [above.find_ancestor(exp.Select)]
    if isinstance(above, exp.CTE):
        around = select.root().find_all(exp.Select)
    elif not isinstance(above.parent, exp.From | exp.Join):
        return False
    readers = [r for r in around if r is not None and r is not select]
    if isinstance(above, exp.CTE):
        readers = [r for r in readers if _names(r, fold(alias.name))]
    return all(not any(e.is_star for e in r.expressions) or _read_by_name(r) for r in readers)


def _names(query: exp.Expr, name: str) -> bool:
    return any(fold(table.name) == name for table in query.find_all(exp.Table))


def _set(node: exp.Expr, dialect: str) -> exp.Expr:
    """One after the other from the left in all of them; INTERSECT binds more tightly in some."""
    for part in (node.this, node.expression):
        if isinstance(part, SETS) and type(part) is not type(node):
            raise refuse(part, dialect, "set operations of several kinds", "write parentheses")
    return node


_WITH: dict[str, type[exp.Expr]] = {"rollup": exp.Rollup, "cube": exp.Cube}
_SETS_OF_KEYS = (exp.Rollup, exp.Cube, exp.GroupingSets)
SUMMARIES = (*_SETS_OF_KEYS, exp.Grouping, exp.GroupingId)


def _group(node: exp.Expr, dialect: str) -> exp.Expr:
    """ROLLUP (a, b), CUBE, GROUPING SETS and products of them are the standard's in all of them. In
    MySQL, T-SQL and Spark a, b WITH ROLLUP is ROLLUP (a, b); in Spark, a, b GROUPING SETS (…) names
    the keys once more before the sets of them. GROUPING_ID's lowest bit is its last key's in all.
    GROUP BY ALL is by all that does not aggregate, in those that have it.
    """
    if node.args.get("all"):
        _check_all(node, dialect)
    after = [(key, part) for key in (*_WITH, "grouping_sets") for part in node.args.get(key) or []]
    if not after:
        return node
    key, part = after[0]
    many = [k for k in node.expressions if isinstance(k, (*_SETS_OF_KEYS, exp.Tuple))]
    of = ("mysql", "spark", "tsql") if key in _WITH else ("spark",)
    if dialect not in of or many or len(after) > 1:
        raise refuse(node, dialect, f"{key.replace('_', ' ').upper()} after keys")
    made = _WITH[key](expressions=node.expressions) if key in _WITH else part
    return exp.Group(expressions=[made])


def _check_all(node: exp.Expr, dialect: str) -> None:
    """What aggregates and names columns beside is by these in some, and refused by others."""
    items = node.parent.expressions if isinstance(node.parent, exp.Select) else []
    for item in items:
        outside = (c for c in item.find_all(exp.Column) if c.find_ancestor(exp.AggFunc) is None)
        if item.find(exp.AggFunc) is not None and any(outside):
            raise refuse(item, dialect, "GROUP BY ALL beside what aggregates and names columns")
    if dialect not in ("snowflake", "bigquery", "spark") or node.expressions:
        raise refuse(node, dialect, "GROUP BY ALL", "name the keys")


def _grouping_id(node: exp.Expr, dialect: str) -> exp.Expr:
    """Of all keys where it names none; Spark takes them in the order of GROUP BY, which is gone."""
    if not node.expressions:
        raise refuse(node, dialect, "GROUPING_ID without keys", "name them")
    return node


def _tuple(node: exp.Expr, dialect: str) -> exp.Expr:
    counted = dialect == "postgres" and isinstance(node.parent, exp.Distinct)  # or DISTINCT ON
    if not counted and not isinstance(node.parent, (*_SETS_OF_KEYS, exp.Values)):
        raise refuse(node, dialect, "a list in parentheses")
    return node


_RUNNING = ("bigquery", "mysql", "postgres", "spark", "tsql")
"""Where a window with an order, and without a frame, is the standard's."""

_RANGES = ("mysql", "postgres")
"""Whose RANGE has other ends than these, for aggregates: as in DuckDB, as their servers say."""

RANKS = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist)
PLACED = (exp.Lag, exp.Lead)
NTH = (exp.FirstValue, exp.LastValue, exp.NthValue)
_SPREADS = (exp.Stddev, exp.StddevSamp, exp.StddevPop, exp.Variance, exp.VariancePop)
_QUANTILES = (exp.PercentileCont, exp.PercentileDisc, exp.Median)
_WINDOWED = ("redshift", "snowflake", "tsql")
"""Dialects in which quantiles of the groups of GROUP BY are windows."""
_AGGREGATES = (exp.Count, exp.CountIf, exp.Sum, exp.Avg, exp.Min, exp.Max, *_SPREADS)


def _window(node: exp.Expr, dialect: str) -> exp.Expr:
    """Ranks, LAG and LEAD, aggregates of whole partitions, quantiles of groups where these are
    windows, and running aggregates, first and last values. Without a frame those read the rows up
    to this one and all with the same key, as the standard and DuckDB have it; in Snowflake it hangs
    on the function.
    """
    ordered, spec = node.args.get("order") is not None, node.args.get("spec")
    function = node.this
    if is_share(function, dialect) and not ordered and spec is None:
        (value,) = function.expressions
        whole = exp.Window(**{**node.args, "this": exp.Sum(this=value.copy())})
        divisor = exp.Nullif(this=whole, expression=exp.Literal.number(0))
        share = exp.Div(this=operand(value), expression=divisor, typed=False, safe=False)
        return exp.Paren(this=share)
    if spec is not None and str(spec.args.get("kind")).upper() != "ROWS":
        near = dialect in _RANGES and isinstance(function, _AGGREGATES)
        if not (_up_to_peers(spec) or (near and str(spec.args.get("kind")).upper() == "RANGE")):
            raise refuse(node, dialect, "a frame of a window but ROWS")
        spec.set("kind", "RANGE")
    running = spec is not None or dialect != "snowflake"
    if not ordered or spec is not None or (running and isinstance(function, _AGGREGATES)):
        read = isinstance(function, _AGGREGATES) and (ordered or spec is None)
        read = read or (ordered and isinstance(function, NTH))
        if dialect in _WINDOWED and isinstance(function, _QUANTILES) and spec is None:
            select = node.find_ancestor(exp.Select)
            read = not ordered and select is not None and bool(select.args.get("group"))
    else:
        running = dialect in _RUNNING and isinstance(function, _AGGREGATES + NTH)
        read = running or isinstance(function, (*RANKS, exp.Ntile, *PLACED))
    if read:
        if spec is not None and spec.args.get("end") is None:
            spec.set("end", "CURRENT ROW")
        if function.meta.get(CUT_OFF):
            return cut_off(place(exp.Window(**node.args), node))
        return node
    what = "a window function but a rank, or an aggregate without ORDER BY or ROWS"
    help = "write SELECT DISTINCT g, … OVER (PARTITION BY g), or … OVER () and one row of it"
    raise refuse(node, dialect, what, help if is_quantile(node) else None)


def _up_to_peers(spec: exp.Expr) -> bool:
    """Whether a frame is RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW, in words or without."""
    start = (str(spec.args.get("start")), str(spec.args.get("start_side")))
    from_first = tuple(word.upper() for word in start) == ("UNBOUNDED", "PRECEDING")
    end = str(spec.args.get("end") or "CURRENT ROW").upper()
    return str(spec.args.get("kind")).upper() == "RANGE" and from_first and end == "CURRENT ROW"


def _unnest(node: exp.Expr, dialect: str) -> exp.Expr:
    """Rows of a constant list. What it is called there is the name of its column, and in PostgreSQL
    of the rows as well, but where both have names, AS t(x); in DuckDB it would be that of the rows
    alone.
    """
    alias = node.args.get("alias")
    names = [] if alias is None else [n for n in (alias.this, *alias.columns) if n is not None]
    lists = node.expressions
    most = 2 if dialect == "postgres" else 1
    if dialect not in ("bigquery", "postgres") or not 0 < len(names) <= most or len(lists) != 1:
        raise refuse(node, dialect, "UNNEST but of one list, with one name")
    if not isinstance(lists[0], exp.Array) or not lists[0].expressions:
        raise refuse(node, dialect, "UNNEST of what is no list of constants")
    named = exp.TableAlias(this=names[0], columns=[copied(names[-1])])
    return exp.Unnest(expressions=lists, alias=named)


def _series(node: exp.Expr, dialect: str) -> exp.Expr:
    """PostgreSQL's generate_series in FROM, of numbers, or of days or moments: both ends belong to
    it, and a step is taken from the one before. What it is called there is the name of its column,
    too. Of days it has moments, midnights, with the session's time zone in PostgreSQL, where a step
    of less than a day could meet a change of the clock.
    """
    table, step = node.parent, node.args.get("step")
    ends = (node.args["start"], node.args["end"])
    if dialect != "postgres" or not isinstance(table, exp.Table):
        raise refuse(node, dialect, "a series but in FROM of PostgreSQL")
    days = any(isinstance(e, exp.Cast) and e.args["to"].this == exp.DType.DATE for e in ends)
    if isinstance(step, exp.Interval):
        unit = str(step.args["unit"]).upper()
        if days and unit not in ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR"):
            raise refuse(node, dialect, "a series of days by parts of a day", "write TIMESTAMP '…'")
    elif days or not all(map(_number, (*ends, *([] if step is None else [step])))):
        raise refuse(node, dialect, "a series of what are no constants")
    alias = table.args.get("alias")
    if alias is not None and not alias.columns:
        alias.set("columns", [copied(alias.this)])
    parts = {key: node.args[key] for key in ("start", "end", "step") if node.args.get(key)}
    return exp.GenerateSeries(**parts, is_end_exclusive=False)


def _number(node: exp.Expr) -> bool:
    inner = node.this if isinstance(node, exp.Neg) else node
    return constant(inner, 0)


RULES: dict[type[exp.Expr], Rule] = {
    exp.ExplodingGenerateSeries: _series,
    exp.Unnest: _unnest,
    exp.Group: _group,
    exp.Tuple: _tuple,
    exp.GroupingId: _grouping_id,
    exp.Window: _window,
    exp.Fetch: _fetch,
    exp.Limit: _limit,
    exp.Offset: _limit,
    exp.Ordered: _ordered,
    exp.Join: _join,
    exp.Lateral: _lateral,
    exp.Select: _select,
    **dict.fromkeys(SETS, _set),
}


def check(tree: exp.Query, dialect: str) -> None:
    """Refuse names that are not DuckDB's.

    Raises:
        Rejected: DP104.
    """
    check_case(tree, dialect)
    for select in tree.find_all(exp.Select):
        _check_aliases(select, dialect)


_COLUMN_FIRST: dict[str, tuple[str, ...]] = {
    "GROUP BY": ("mysql", "postgres", "snowflake", "spark", "tsql"),
    "HAVING": ("postgres", "tsql"),
    "QUALIFY": (),
}
"""Where a name of a clause is a column before it is an alias, or never an alias."""


def _check_aliases(select: exp.Select, dialect: str) -> None:
    """In WHERE, ON and the SELECT list a name is a column first in all of them, as in DuckDB; as
    the whole of an ORDER BY key it is an alias first. In GROUP BY, HAVING and larger ORDER BY keys
    it differs, so there it must not be both: an alias, and a column that the query uses elsewhere.
    Where it is a column first, as in DuckDB, or no alias is seen at all, it may be.
    """
    aliases = {
        fold(item.alias)
        for item in select.expressions
        if isinstance(item, exp.Alias) and not _is_column(item.this, fold(item.alias))
    }
    if not aliases and select.args.get("order") is None:
        return
    plain = [*select.expressions, select.args.get("where"), *(select.args.get("joins") or [])]
    columns = {fold(c.name) for part in plain if part is not None for c in _columns(part)}
    keys = select.args["group"].expressions if select.args.get("group") else []
    having, qualify = select.args.get("having"), select.args.get("qualify")
    clauses = {"HAVING": [having], "QUALIFY": [qualify], "GROUP BY": keys}
    differs = {c: parts for c, parts in clauses.items() if dialect not in _COLUMN_FIRST[c]}
    for clause, part in ((c, p) for c, parts in differs.items() for p in parts if p is not None):
        for column in _columns(part):
            if fold(column.name) in aliases & columns:
                what = f"{column.name} in {clause}, which is a "
                raise refuse(column, dialect, what + "column and an alias", "rename the alias")
    grouped = {fold(c.name) for key in keys for c in _columns(key)}
    for column in _columns(having) if having is not None else ():
        if fold(column.name) in aliases & grouped and _aggregated(select, fold(column.name)):
            what = f"{column.name} in HAVING, which could be a column or an alias"
            raise refuse(column, dialect, what, "rename the alias")
    order = select.args.get("order")
    for key in order.expressions if order is not None else ():
        if isinstance(key.this, exp.Column):
            if fold(key.this.name) == "all" and not key.this.table:
                raise refuse(key, dialect, "ORDER BY all")
            continue
        for column in _columns(key):
            if fold(column.name) in aliases:
                what = f"the alias {column.name} inside an ORDER BY key"
                raise refuse(column, dialect, what, "repeat the expression")


def _is_column(node: exp.Expr, name: str) -> bool:
    return isinstance(node, exp.Column) and fold(node.name) == name


def _aggregated(select: exp.Select, name: str) -> bool:
    found = (i for i in select.expressions if isinstance(i, exp.Alias) and fold(i.alias) == name)
    return any(item.find(exp.AggFunc) is not None for item in found)


def _columns(node: exp.Expr) -> Iterator[exp.Column]:
    """The columns without a qualifier, but those of queries inside."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Query) and part is not node:
            continue
        if isinstance(part, exp.Column):
            if not part.table:
                yield part
            continue
        stack.extend(part.iter_expressions())
