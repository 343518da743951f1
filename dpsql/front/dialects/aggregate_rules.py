"""Statistical aggregates of other dialects: see `dialects`.

Standard deviations, variances and covariances are the same in all that have them, NULL for too few
rows. What lies between two values is a DOUBLE here, since DuckDB keeps the digits of a DECIMAL. The
approximate ones are exact here.

Left out, since they mean something else: MAX_BY and MIN_BY, which may give a NULL key where DuckDB
leaves its row out; BigQuery's CORR, which is NULL for one row and NaN for equal values; Spark's
PERCENTILE_DISC, which hangs on the version, and its PERCENTILE(x, q, frequency), of which the
parser forgets the frequency; REGR_… of Snowflake.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpsql.front.dialects.number_kinds import SPREADS, textual
from dpsql.front.dialects.quantile_windows import OF_WINDOW
from dpsql.front.dialects.words import Rule, constant, copied, keep, refuse
from dpsql.front.written import called

_ONE = ("this",)
_TWO = ("this", "expression")
_DEVIATIONS: dict[type[exp.Expr], tuple[str, ...]] = dict.fromkeys(SPREADS[:5], _ONE)
_COVARIANCES: dict[type[exp.Expr], tuple[str, ...]] = {exp.CovarSamp: _TWO, exp.CovarPop: _TWO}
_LINES: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Corr: _TWO,
    exp.RegrSlope: _TWO,
    exp.RegrIntercept: _TWO,
    exp.RegrR2: _TWO,
    **dict.fromkeys((exp.RegrCount, exp.RegrAvgx, exp.RegrAvgy), _TWO),
    **dict.fromkeys((exp.RegrSxx, exp.RegrSyy, exp.RegrSxy), _TWO),
}
_LOGICAL: dict[type[exp.Expr], tuple[str, ...]] = {exp.LogicalAnd: _ONE, exp.LogicalOr: _ONE}
_CONTINUOUS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.WithinGroup: _TWO,
    exp.PercentileCont: _ONE,
}

_READ: dict[str, dict[type[exp.Expr], tuple[str, ...]]] = {
    "postgres": {
        **_DEVIATIONS,
        **_COVARIANCES,
        **_LINES,
        **_LOGICAL,
        **_CONTINUOUS,
        exp.AnyValue: _ONE,
        exp.PercentileDisc: _ONE,
        exp.Mode: (),
        exp.Array: ("expressions",),
        exp.ArrayAgg: _ONE,  # with NULLs, as DuckDB's; elsewhere without, or an error
        exp.GroupConcat: ("this", "separator"),
    },
    "redshift": {
        **_DEVIATIONS,
        **_LOGICAL,
        **_CONTINUOUS,
        exp.AnyValue: _ONE,
        exp.ApproxDistinct: _ONE,
        exp.Median: _ONE,
        exp.PercentileDisc: _ONE,
        exp.GroupConcat: ("this", "separator"),
    },
    "mysql": {**_DEVIATIONS, exp.AnyValue: _ONE, exp.GroupConcat: ("this", "separator")},
    "bigquery": {
        **_DEVIATIONS,
        exp.AnyValue: _ONE,
        **_COVARIANCES,
        exp.Corr: _TWO,
        **_LOGICAL,
        exp.ApproxDistinct: _ONE,
        exp.PercentileCont: _TWO,
        exp.PercentileDisc: _TWO,
        exp.ApproxQuantiles: _TWO,
        exp.GroupConcat: ("this", "separator"),
        exp.Array: ("expressions", "struct_name_inheritance"),
        exp.Bracket: ("this", "expressions", "offset", "safe"),
    },
    "snowflake": {
        **_DEVIATIONS,
        exp.AnyValue: _ONE,
        **_COVARIANCES,
        **_LOGICAL,
        **_CONTINUOUS,
        exp.Corr: (*_TWO, "null_on_zero_variance"),
        exp.Median: _ONE,
        exp.Mode: _ONE,
        exp.PercentileDisc: _ONE,
        exp.ApproxDistinct: _ONE,
        exp.ApproxQuantile: ("this", "quantile"),
        exp.Hll: _ONE,
    },
    "spark": {
        **_DEVIATIONS,
        exp.AnyValue: _ONE,
        **_COVARIANCES,
        **_LINES,
        **_LOGICAL,
        **_CONTINUOUS,
        exp.Median: _ONE,
        exp.Mode: _ONE,
        exp.ApproxDistinct: _ONE,
        **dict.fromkeys((exp.ApproxQuantile, exp.Quantile), ("this", "quantile")),
        exp.Array: ("expressions",),
    },
    "tsql": {
        **_CONTINUOUS,
        exp.PercentileDisc: _ONE,
        exp.Stddev: _ONE,
        exp.ApproxDistinct: _ONE,
        exp.GroupConcat: ("this", "separator"),
    },
}

_NAMED: dict[str, dict[str, type[exp.Expr]]] = {
    "postgres": {"every": exp.LogicalAnd},
    "spark": {
        "every": exp.LogicalAnd,
        "some": exp.LogicalOr,
        "std": exp.Stddev,
        "mean": exp.Avg,
    },
    "tsql": {"stdevp": exp.StddevPop, "var": exp.Variance, "varp": exp.VariancePop},
}
"""Those that the parser has no node for."""


def read(node: exp.Expr, dialect: str) -> tuple[str, ...] | None:
    """The parts that are read of an aggregate of the dialect; None if it is none."""
    if isinstance(node, exp.Anonymous):
        return ("this", "expressions") if _named(node, dialect) is not None else None
    return _READ[dialect].get(type(node))


def _named(node: exp.Expr, dialect: str) -> type[exp.Expr] | None:
    kind = _NAMED.get(dialect, {}).get(str(node.this).lower())
    return kind if len(node.expressions) == 1 else None


def _anonymous(node: exp.Expr, dialect: str) -> exp.Expr:
    kind = _named(node, dialect)
    assert kind is not None
    made = kind(this=node.expressions[0])
    logical = isinstance(made, exp.LogicalAnd | exp.LogicalOr)
    return _logical(made, dialect) if logical else made


def _double(value: exp.Expr, node: exp.Expr, dialect: str) -> exp.Expr:
    if isinstance(value, exp.Distinct):
        raise refuse(node, dialect, "DISTINCT in a quantile")
    return exp.Cast(this=value, to=exp.DataType.build("DOUBLE", dialect="duckdb"))


def _median(node: exp.Expr, dialect: str) -> exp.Expr:
    return exp.Median(this=_double(node.this, node, dialect))


def _logical(node: exp.Expr, dialect: str) -> exp.Expr:
    """Of conditions; marked as one, or the printer casts what is no condition to one."""
    node.this.type = exp.DType.BOOLEAN
    return node


def _approximate(node: exp.Expr, dialect: str) -> exp.Expr:
    """One of the values in Spark, a DOUBLE between two in Snowflake."""
    value = _double(node.this, node, dialect) if dialect == "snowflake" else node.this
    return exp.ApproxQuantile(this=value, quantile=node.args["quantile"])


def _exact(node: exp.Expr, dialect: str) -> exp.Expr:
    """Spark's PERCENTILE, which lies between two values."""
    value = _double(node.this, node, dialect)
    return exp.PercentileCont(this=value, expression=node.args["quantile"])


def _within(node: exp.Expr, dialect: str) -> exp.Expr:
    """… WITHIN GROUP (ORDER BY x). NULLs do not count, wherever they would be."""
    function, order = node.this, node.expression
    if dialect == "tsql" and OF_WINDOW not in node.meta and not isinstance(node.parent, exp.Window):
        raise refuse(node, dialect, "WITHIN GROUP without OVER")
    keys = order.expressions if isinstance(order, exp.Order) else []
    if isinstance(function, exp.GroupConcat) and keys:  # Redshift's LISTAGG
        inside = exp.Order(this=function.this, expressions=keys)
        return exp.GroupConcat(this=inside, separator=function.args["separator"])
    if len(keys) != 1:
        raise refuse(node, dialect, "WITHIN GROUP without ORDER BY of one expression")
    value, descending = keys[0].this, bool(keys[0].args.get("desc"))
    if isinstance(function, exp.Mode) and function.this is None and not descending:
        return exp.Mode(this=value)
    if isinstance(function, exp.PercentileDisc) and not descending:
        return exp.PercentileDisc(this=value, expression=function.this)
    if isinstance(function, exp.PercentileCont):
        fraction = _turned(function.this, dialect) if descending else function.this
        return exp.PercentileCont(this=_double(value, node, dialect), expression=fraction)
    raise refuse(node, dialect, "WITHIN GROUP in descending order, or of such an aggregate")


def _turned(fraction: exp.Expr, dialect: str) -> exp.Expr:
    """1 - q: the quantile from the other end."""
    if isinstance(fraction, exp.Array):
        return exp.Array(expressions=[_turned(q, dialect) for q in fraction.expressions])
    plain = isinstance(fraction, exp.Literal) and not fraction.is_string
    text = str(fraction.this) if plain else ""
    if not text or "e" in text.lower() or len(text) > 30:
        raise refuse(fraction, dialect, "a fraction that is no plain constant")
    scale = 10 ** len(text.partition(".")[2])
    steps = scale - Fraction(text) * scale
    if steps < 0:
        raise refuse(fraction, dialect, "a fraction above 1")
    digits = str(steps.numerator).rjust(len(str(scale)), "0")
    return exp.Literal.number(f"{digits[0]}.{digits[1:]}" if scale > 1 else digits)


def _alone(node: exp.Expr, dialect: str) -> exp.Expr:
    """PERCENTILE_CONT and the like are nothing without WITHIN GROUP, or in BigQuery OVER; but
    PERCENTILE_CONT(x, 0.5) is an aggregate of BigQuery's differential privacy.
    """
    continuous = isinstance(node, exp.PercentileCont)
    windowed = isinstance(node.parent, exp.Window)
    if dialect == "bigquery" and (OF_WINDOW in node.meta or (continuous and not windowed)):
        value = _double(node.this, node, dialect) if continuous else node.this
        return type(node)(this=value, expression=node.expression)
    if dialect == "bigquery" and windowed:
        return node  # what the window should be is told there
    if not isinstance(node.parent, exp.WithinGroup):
        raise refuse(node, dialect, f"{called(node)} without WITHIN GROUP")
    return node


def _one_of(node: exp.Expr, dialect: str) -> exp.Expr:
    """APPROX_QUANTILES(x, n)[OFFSET(k)]: the quantile k/n; and elements of a column that is a list,
    which beyond the last are NULL here, and perhaps an error there.
    """
    several, places = node.this, node.expressions
    first = node.args.get("offset")
    if isinstance(several, exp.Column) and first is not None and constant(places[0], first):
        place = exp.Literal.number(int(places[0].name) - first)  # the parser counts from 0
        return exp.Bracket(this=several, expressions=[place])
    if not isinstance(several, exp.ApproxQuantiles) or isinstance(several.this, exp.Distinct):
        help = "of quantiles, ask for one: APPROX_QUANTILES(x, 4)[OFFSET(1)]"
        raise refuse(node, dialect, None, help)
    parts = several.expression
    if (
        first is None
        or len(places) != 1
        or not constant(parts, 1)
        or not constant(places[0], first)
    ):
        raise refuse(node, dialect, "APPROX_QUANTILES without constants: [OFFSET(1)]")
    number, of = int(places[0].name) - first, int(parts.name)
    if number > of:
        raise refuse(node, dialect, f"a quantile beyond the last of {of}")
    return exp.ApproxQuantile(this=several.this, quantile=_fraction(number, of))


def _fraction(number: int, of: int) -> exp.Expr:
    return exp.Literal.number(str(Decimal(number) / Decimal(of)))


def _several(node: exp.Expr, dialect: str) -> exp.Expr:
    """APPROX_QUANTILES(x, n): the list of the least, the n - 1 quantiles, and the greatest."""
    if isinstance(node.parent, exp.Bracket):
        return node
    parts = node.expression
    if isinstance(node.this, exp.Distinct) or not constant(parts, 1) or int(parts.name) > 1_000:
        raise refuse(node, dialect, "APPROX_QUANTILES but of values and a constant up to 1,000")
    of = int(parts.name)
    every = exp.Array(expressions=[_fraction(number, of) for number in range(of + 1)])
    return exp.ApproxQuantile(this=node.this, quantile=every)


def _mode(node: exp.Expr, dialect: str) -> exp.Expr:
    if node.this is None:
        return _alone(node, dialect)
    return exp.Mode(this=node.this)


def _list(node: exp.Expr, dialect: str) -> exp.Expr:
    quantiles = (exp.PercentileCont, exp.PercentileDisc, exp.ApproxQuantile, exp.Quantile)
    above = (*quantiles, exp.Unnest)
    if not isinstance(node.parent, above):
        raise refuse(node, dialect, "ARRAY")
    return exp.Array(expressions=node.expressions)


def _line(node: exp.Expr, dialect: str) -> exp.Expr:
    """Of values without any spread they are NULL there, and NaN in DuckDB."""
    if dialect == "bigquery":
        help = "write COVAR_POP(y, x) / (STDDEV_POP(y) * STDDEV_POP(x))"
        raise refuse(node, dialect, None, help)
    made = keep(node, "this", "expression").copy()
    test = exp.If(this=exp.IsNan(this=copied(made)), true=exp.Null())
    return exp.Case(ifs=[test], default=made)


def _distinct(node: exp.Expr, dialect: str) -> exp.Expr:
    return exp.ApproxDistinct(this=node.this)


_OF_SEVERAL = ("mysql", "snowflake", "spark")
"""Where DISTINCT in COUNT takes several expressions."""


def _count(node: exp.Expr, dialect: str) -> exp.Expr:
    """COUNT(DISTINCT a, b) of MySQL, Snowflake and Spark counts rows in which neither is NULL."""
    several = node.this.expressions if isinstance(node.this, exp.Distinct) else []
    if len(several) < 2 or dialect not in _OF_SEVERAL:
        return exp.Count(this=node.this, big_int=True)
    if isinstance(node.parent, exp.Filter | exp.Window):
        raise refuse(node, dialect, "DISTINCT of several expressions with FILTER or OVER")
    row = exp.Tuple(expressions=several)
    counted = exp.Count(this=exp.Distinct(expressions=[row]), big_int=True)
    known = exp.and_(
        *(exp.Not(this=exp.Is(this=part.copy(), expression=exp.Null())) for part in several)
    )
    return exp.Filter(this=counted, expression=exp.Where(this=known))


def _any(node: exp.Expr, dialect: str) -> exp.Expr:
    """ANY_VALUE may be any of them, and NULL where one is; here, as in DuckDB, the first that is
    not NULL.
    """
    return exp.IgnoreNulls(this=exp.AnyValue(this=node.this))


def _count_if(node: exp.Expr, dialect: str) -> exp.Expr:
    """The rows for which the condition is true."""
    one = exp.If(this=node.this, true=exp.Literal.number(1))
    return exp.Count(this=exp.Case(ifs=[one]), big_int=True)


def _joined(node: exp.Expr, dialect: str) -> exp.Expr:
    """STRING_AGG: NULLs are left out, and no text at all is NULL. Of other than texts it is another
    text in each system.
    """
    value = node.this
    while isinstance(value, exp.Order | exp.Distinct):
        value = value.expressions[0] if isinstance(value, exp.Distinct) else value.this
    if isinstance(value, exp.Limit):
        raise refuse(node, dialect, "LIMIT within STRING_AGG")
    if not textual(value, dialect):
        help = "use CAST(x AS VARCHAR), or the type of texts there"
        raise refuse(node, dialect, "STRING_AGG of what may be no text", help)
    if node.args.get("separator") is None:
        node.set("separator", exp.Literal.string(","))
    return node


def _of_one(node: exp.Expr, dialect: str) -> exp.Expr:
    counted = dialect in _OF_SEVERAL and isinstance(node.parent, exp.Count)
    if len(node.expressions) > 1 and not counted:
        raise refuse(node, dialect, "DISTINCT of several values")
    return node


RULES: dict[type[exp.Expr], Rule] = {
    exp.Count: _count,
    exp.CountIf: _count_if,
    exp.AnyValue: _any,
    exp.Distinct: _of_one,
    exp.Anonymous: _anonymous,
    exp.Median: _median,
    exp.Mode: _mode,
    exp.LogicalAnd: _logical,
    exp.LogicalOr: _logical,
    exp.ApproxQuantile: _approximate,
    exp.Quantile: _exact,
    exp.PercentileCont: _alone,
    exp.PercentileDisc: _alone,
    exp.WithinGroup: _within,
    exp.Array: _list,
    exp.Corr: _line,
    exp.RegrSlope: _line,
    exp.Hll: _distinct,
    exp.ApproxQuantiles: _several,
    exp.Bracket: _one_of,
    exp.GroupConcat: _joined,
}
