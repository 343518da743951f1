"""Numbers, conditions and aggregates of other dialects: see `dialects`."""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.date_rules import PARTS
from dpsql.front.dialects.width_bucket import plain_number, width_bucket
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
from dpsql.types import BIGINT, DATE, DOUBLE, INTEGER, VARCHAR, Type, decimal

INTEGERS = {
    exp.DType.TINYINT: "TINYINT",
    exp.DType.UTINYINT: "UTINYINT",  # T-SQL's TINYINT
    exp.DType.SMALLINT: "SMALLINT",
    exp.DType.INT: "INT",
    exp.DType.BIGINT: "BIGINT",
}
TEXTS = (exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.NVARCHAR)
_FRACTIONS = (exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.DECIMAL)
_DOUBLES = (
    *(exp.Sqrt, exp.Ln, exp.Log, exp.Exp, exp.Pi),
    *(exp.Sin, exp.Cos, exp.Tan, exp.Asin, exp.Acos, exp.Atan),
)
"""Functions whose value is no integer in any of the dialects; of POWER and the like see below."""

SPREADS = (
    *(exp.Stddev, exp.StddevSamp, exp.StddevPop, exp.Variance, exp.VariancePop),
    *(exp.CovarSamp, exp.CovarPop, exp.Corr, exp.RegrSlope, exp.RegrIntercept, exp.RegrR2),
)
"""Aggregates whose value is no integer in any of the dialects."""


_BITS = {"TINYINT": 32, "UTINYINT": 32, "SMALLINT": 32, "INTEGER": 32, "INT": 32, "BIGINT": 64}


def whole(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression is surely of an integer type (or NULL)."""
    return _bits(node, dialect) > 0


def _bits(node: exp.Expr | None, dialect: str) -> int:
    """The bits of an integer expression, 32 (or fewer) or 64; 0 where it may be no integer."""
    if node is None or isinstance(node, exp.Null):
        return 32
    if isinstance(node, exp.Literal):
        if node.is_string or not str(node.this).isdigit():
            return 0
        return 32 if len(str(node.this)) < 10 else 64 if len(str(node.this)) < 19 else 0
    if isinstance(node, exp.Column):
        kind = type_of(node)
        return 0 if kind is None else _BITS.get(kind.name, 0)
    if isinstance(node, exp.Cast):
        return _BITS.get(INTEGERS.get(node.args["to"].this, ""), 0)
    if isinstance(node, exp.Sub) and _is_date(node.this) and _is_date(node.expression):
        return 32
    if isinstance(node, exp.Sum):
        argument = _bits(node.this, dialect)
        if dialect == "postgres":  # of BIGINT it is NUMERIC
            return 64 if argument == 32 else 0
        return 64 if argument else 0
    if isinstance(node, (exp.Extract, *PARTS)):
        return 0 if dialect == "postgres" else 64  # NUMERIC or DOUBLE there
    if isinstance(node, _COUNTS):
        return 64
    if isinstance(node, exp.Subquery):
        item = _only(node)
        return 0 if item is None else _bits(item, dialect)
    found = [_bits(part, dialect) for part in _results(node) or _cut(node, dialect)]
    return max(found) if found and all(found) else 0


_ALIKE = (
    *(exp.Paren, exp.Neg, exp.Abs, exp.Min, exp.Max, exp.Window, exp.Filter),
    *(exp.FirstValue, exp.LastValue),
)
"""What has the type of what it is of."""

_COUNTS = (
    *(exp.Count, exp.CountIf, exp.Length, exp.Grouping, exp.GroupingId, exp.DateDiff),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile),
)


def _cut(node: exp.Expr, dialect: str) -> list[exp.Expr | None]:
    """The parts of what is an integer where they all are; in PostgreSQL the others are DOUBLE."""
    if isinstance(node, exp.Div) and dialect in ("postgres", "tsql"):
        return [node.this, node.expression]
    if isinstance(node, _OF_INTEGERS) and dialect == "tsql":
        return [node.this]
    return []


_OF_INTEGERS = (exp.Avg, exp.Round, exp.Floor, exp.Ceil, exp.Sign)


def kind(node: exp.Expr, dialect: str) -> Type | None:
    """The type of an expression as the rules here need to know it: INTEGER or BIGINT of integers,
    DOUBLE of other numbers (in T-SQL of FLOATs, and some DECIMAL of the others), VARCHAR of texts,
    DATE of a cast to one, that of a column where it is one; None where it is not sure.
    """
    if isinstance(node, exp.Column):
        return type_of(node)
    if _text(node, dialect):
        return VARCHAR
    if _is_date(node):
        return DATE
    bits = _bits(node, dialect)
    if bits:
        return BIGINT if bits > 32 else INTEGER
    if not fraction(node, dialect):
        return None
    return DOUBLE if dialect != "tsql" or _floating(node) else decimal(38, 19)


_TEXTS = (
    *(exp.Lower, exp.Upper, exp.Substring, exp.Left, exp.Right, exp.Trim, exp.Replace),
    *(exp.Concat, exp.DPipe, exp.TimeToStr),
)
"""What gives a text whatever it is of."""

_CHOSEN = (
    *(exp.Paren, exp.Min, exp.Max, exp.Window, exp.Filter, exp.FirstValue, exp.LastValue),
    *(exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Least, exp.Greatest),
)


def _text(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression is surely a text. T-SQL's + is one of texts alone."""
    if isinstance(node, exp.Column):
        return type_of(node) == VARCHAR
    if isinstance(node, exp.Literal):
        return bool(node.is_string)
    if isinstance(node, exp.Cast):
        return node.args["to"].this in TEXTS
    if isinstance(node, _TEXTS):
        return True
    if not isinstance(node, _CHOSEN) and not (isinstance(node, exp.Add) and dialect == "tsql"):
        return False
    parts = [p for p in _results(node) if not (p is None or isinstance(p, exp.Null))]
    return bool(parts) and all(_text(part, dialect) for part in parts)


def _floating(node: exp.Expr | None) -> bool:
    """Whether a fraction of T-SQL's is surely a FLOAT, which any part of it that is one makes it;
    a constant with a point is a DECIMAL.
    """
    if isinstance(node, exp.Column):
        found = type_of(node)
        return found is not None and found.is_float
    if isinstance(node, exp.Cast):
        return node.args["to"].this in (exp.DType.DOUBLE, exp.DType.FLOAT)
    if isinstance(node, (*_DOUBLES, exp.PercentileCont, *SPREADS)):
        return True
    if isinstance(node, exp.Div):
        return _floating(node.this) or _floating(node.expression)
    if isinstance(node, (*_OF_INTEGERS, exp.Sum)):
        return _floating(node.this)
    return any(_floating(part) for part in _results(node))


def _only(node: exp.Subquery) -> exp.Expr | None:
    """The value of a subquery that is one."""
    query = node.this
    whole = isinstance(query, exp.Select) and len(query.expressions) == 1
    return query.expressions[0].unalias() if whole else None


def _results(node: exp.Expr | None) -> list[exp.Expr | None]:
    """The parts that an expression has its type from; none where they do not tell it."""
    if isinstance(node, _ALIKE):
        return [node.this]
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Mod | exp.IntDiv | exp.Nullif):
        return [node.this, node.expression]
    if isinstance(node, exp.Case):
        return [*(part.args["true"] for part in node.args["ifs"]), node.args.get("default")]
    if isinstance(node, exp.If):
        return [node.args["true"], node.args.get("false")]
    if isinstance(node, exp.Coalesce | exp.Least | exp.Greatest):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Distinct):
        return list(node.expressions)
    return []


def _is_date(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DATE


def fraction(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression is surely a number of no integer type."""
    if isinstance(node, exp.Literal):
        return not node.is_string and not str(node.this).isdigit()
    if isinstance(node, exp.Column):
        kind = type_of(node)
        return kind is not None and (kind.is_float or kind.is_decimal)
    if isinstance(node, exp.Sum):
        wide = dialect == "postgres" and _bits(node.this, dialect) == 64
        return wide or fraction(node.this, dialect)
    if isinstance(node, exp.Div):
        return fraction(node.this, dialect) or fraction(node.expression, dialect)
    if isinstance(node, exp.Cast):
        return node.args["to"].this in _FRACTIONS
    if isinstance(node, exp.Avg | exp.Round | exp.Floor | exp.Ceil):
        # NUMERIC or DOUBLE in PostgreSQL; the type of the argument in T-SQL.
        return dialect == "postgres" or fraction(node.this, dialect)
    if isinstance(node, (exp.Extract, *PARTS)):
        return dialect == "postgres"
    if isinstance(node, exp.Pow | exp.Degrees | exp.Radians):
        return True  # T-SQL's of integers are refused
    if isinstance(node, (*_DOUBLES, exp.PercentileCont, *SPREADS)):
        return True
    if isinstance(node, exp.Nullif):
        return fraction(node.this, dialect)
    if isinstance(node, exp.Subquery):
        item = _only(node)
        return item is not None and fraction(item, dialect)
    return any(fraction(part, dialect) for part in _results(node))


def _div(node: exp.Expr, dialect: str) -> exp.Expr:
    """7 / 2 is 3 in PostgreSQL and T-SQL, where both are of integer types, and truncated toward
    zero, as DuckDB's // is; it is 3.5 in the others and in DuckDB. By zero: an error there, NULL
    here.
    """
    whole_ones = dialect in ("postgres", "tsql")
    if not whole_ones or fraction(node.this, dialect) or fraction(node.expression, dialect):
        divisor = _but_zero(node.expression)
        return exp.Div(this=node.this, expression=divisor, typed=False, safe=False)
    if whole(node.this, dialect) and whole(node.expression, dialect):
        return exp.IntDiv(this=node.this, expression=node.expression)
    double = "DOUBLE PRECISION" if dialect == "postgres" else "FLOAT"
    what = "/ of numbers that may be whole, where it cuts off the fraction"
    raise refuse(node, dialect, what, f"write CAST(x AS {double}) / y")


def _but_zero(by: exp.Expr) -> exp.Expr:
    """A divisor, NULL for 0: of public rows DuckDB's quotient by 0 is infinite, and its rest NaN.
    One that is released with noise is 0 for nobody.
    """
    if (isinstance(by, exp.Literal) and plain_number(by)) or by.find(exp.AggFunc, exp.Nullif):
        return by
    return exp.Nullif(this=by, expression=exp.Literal.number(0))


def _intdiv(node: exp.Expr, dialect: str) -> exp.Expr:
    """DIV truncates toward zero; DuckDB's // does so for integers, and not for other numbers."""
    for part in (node.this, node.expression):
        if not whole(part, dialect):
            raise refuse(node, dialect, "DIV of numbers that may be no integers", "cast both")
    return node


def _safe_divide(node: exp.Expr, dialect: str) -> exp.Expr:
    """NULL for a divisor of zero."""
    divisor = exp.Nullif(this=node.expression, expression=exp.Literal.number(0))
    return exp.Paren(
        this=exp.Div(this=operand(node.this), expression=divisor, typed=False, safe=False)
    )


_SAFE: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.SafeAdd: exp.Add,
    exp.SafeSubtract: exp.Sub,
    exp.SafeMultiply: exp.Mul,
}


def _safe_binary(node: exp.Expr, dialect: str) -> exp.Expr:
    """NULL where it overflows, which nothing does here."""
    sides = {"this": operand(node.this), "expression": operand(node.expression)}
    return exp.Paren(this=_SAFE[type(node)](**sides))


_NEVER_FAIL = (
    *(exp.Floor, exp.Ceil, exp.Lower, exp.Upper, exp.Length),
    *(exp.Substring, exp.StartsWith, exp.EndsWith),
)
_FAIL_BUT: dict[type[exp.Expr], type[exp.Binary]] = {
    **dict.fromkeys((exp.Ln, exp.Log), exp.GT),
    exp.Sqrt: exp.GTE,
}


def _safe(node: exp.Expr, dialect: str) -> exp.Expr:
    """SAFE.f(x) is NULL where f fails, which LN and SQRT do for numbers not above, or below, 0."""
    function = node.this
    if isinstance(function, _NEVER_FAIL):
        return function
    if type(function) not in _FAIL_BUT:
        raise refuse(node, dialect, "SAFE before this function", "use CASE WHEN … THEN f(x) END")
    return _where_sound(function, function.this, dialect)


def _where_sound(function: exp.Expr, argument: exp.Expr, dialect: str) -> exp.Expr:
    """NULL where a function would fail."""
    if sum(1 for _ in function.walk()) > 200:  # its argument is there twice
        what = "a logarithm or root of so long an expression"
        raise refuse(function, dialect, what, "compute it in a subquery, and take it of the column")
    test = _FAIL_BUT[type(function)](
        this=operand(copied(argument)), expression=exp.Literal.number(0)
    )
    return exp.Case(ifs=[exp.If(this=place(test, function), true=copied(function))])


def _add(node: exp.Expr, dialect: str) -> exp.Expr:
    """+ joins texts in T-SQL, and is NULL where one of them is, as || is; it adds in the others and
    in DuckDB. A text beside what is none is a number there. Two columns of strings of which nothing
    is known are refused by their types.
    """
    sides = [node.this, node.expression]
    texts = [dialect == "tsql" and _text(side, dialect) for side in sides]
    if all(texts):
        joined = [operand(side) for side in sides]
        return exp.Paren(this=exp.DPipe(this=joined[0], expression=joined[1], safe=True))
    if any(texts):
        help = "use CONCAT(a, b), or CAST(x AS VARCHAR(20)) of a number"
        raise refuse(node, dialect, "+ of a text and what may be none", help)
    return node


def _times(node: exp.Expr, dialect: str) -> exp.Expr:
    """An interval times a number, of which a fraction would become days and hours."""
    for part, count in ((node.this, node.expression), (node.expression, node.this)):
        inner = part.unnest()
        if isinstance(inner, exp.Interval) and not whole(count, dialect):
            unit = str(inner.args.get("unit")).upper()
            if unit != "DAY" or fraction(count, dialect):
                what = "an interval times what may be no whole number"
                raise refuse(node, dialect, what, "cast it to INT")
    return node


def _round(node: exp.Expr, dialect: str) -> exp.Expr:
    """ROUND goes half away from zero, as DuckDB's does; but in PostgreSQL that of a DOUBLE, which
    takes no number of digits, goes half to even.
    """
    digits = node.args.get("decimals")
    if digits is None and dialect == "postgres":
        raise refuse(
            node, dialect, "ROUND without digits", "use ROUND(CAST(x AS DECIMAL(p, s)), 0)"
        )
    if digits is not None and not constant(digits, 0):
        raise refuse(node, dialect, "ROUND to digits that are no constant from 0 on")
    return keep(node, "this", "decimals")


def _power(node: exp.Expr, dialect: str) -> exp.Expr:
    """POWER(x, y), a DOUBLE; but in T-SQL of the type of x. How tightly x ^ y binds, and whether it
    is a power, differs.
    """
    if "start" not in node.meta:  # of the operator the parser remembers no token
        raise refuse(node, dialect, "the operator ^", "use POWER(x, y)")
    return _as_argument(node, dialect)


def _as_argument(node: exp.Expr, dialect: str) -> exp.Expr:
    """POWER, SIGN, DEGREES and RADIANS of an integer are integers in T-SQL, cut off."""
    if dialect == "tsql" and not fraction(node.this, dialect):
        what = f"{node.sql_name()} of numbers that may be whole, where it cuts off the fraction"  # type: ignore[attr-defined]
        raise refuse(node, dialect, what, "write CAST(x AS FLOAT)")
    return node


def _floor(node: exp.Expr, dialect: str) -> exp.Expr:
    """FLOOR and CEILING of a whole number are that number in T-SQL, and a DOUBLE in DuckDB."""
    return operand(node.this) if dialect == "tsql" and whole(node.this, dialect) else node


def _mod(node: exp.Expr, dialect: str) -> exp.Expr:
    """The rest has the sign of the dividend in all of them. Of a division by 0 it is NULL, or an
    error; of DOUBLE it is NaN in DuckDB, and an error of DECIMAL.
    """
    if whole(node.this, dialect) and whole(node.expression, dialect):
        return node
    return exp.Mod(this=node.this, expression=_but_zero(node.expression))


def _ln(node: exp.Expr, dialect: str) -> exp.Expr:
    """Of numbers that are not above 0 it is NULL in MySQL and Spark; elsewhere an error."""
    return _where_sound(node, node.this, dialect) if dialect in ("mysql", "spark") else node


def _sqrt(node: exp.Expr, dialect: str) -> exp.Expr:
    """Of numbers below 0 it is NULL in MySQL, NaN in Spark as in DuckDB, elsewhere an error."""
    return _where_sound(node, node.this, dialect) if dialect == "mysql" else node


def _log(node: exp.Expr, dialect: str) -> exp.Expr:
    """To base 10 in PostgreSQL, as in DuckDB; sqlglot reads it as LN where it is that, and puts the
    base first where there are two arguments.
    """
    if node.expression is None:
        if dialect == "postgres":
            return node
    elif isinstance(node.this, exp.Literal) and str(node.this.this) in ("2", "10"):
        null = dialect in ("mysql", "spark")
        return _where_sound(node, node.expression, dialect) if null else node
    raise refuse(node, dialect, None, "use LN(x), or LOG to base 2 or 10")


def _trunc(node: exp.Expr, dialect: str) -> exp.Expr:
    """Toward zero, to a whole number; of a date, or to digits, it is something else elsewhere."""
    if dialect != "postgres":
        raise refuse(node, dialect)
    return keep(node, "this")


def _extreme(node: exp.Expr, dialect: str) -> exp.Expr:
    """LEAST and GREATEST skip NULL in PostgreSQL, Spark, T-SQL and DuckDB. In BigQuery and
    Snowflake they are NULL where an operand is.
    """
    kind = type(node)
    made = kind(this=node.this, expressions=node.expressions, ignore_nulls=True)
    if node.args.get("ignore_nulls"):
        return made
    parts = [node.this, *node.expressions]
    tested = [p for p in parts if not isinstance(p.unnest(), exp.Literal)]
    if sum(1 for p in tested for _ in p.walk()) > 200:  # each is there twice, and they may nest
        raise refuse(node, dialect, f"{kind.__name__.upper()} of so long an expression")
    tests: list[exp.Expr] = [exp.Is(this=operand(copied(p)), expression=exp.Null()) for p in tested]
    if not tests:
        return made
    test = tests[0]
    for further in tests[1:]:
        test = exp.Or(this=test, expression=further)
    return exp.Case(ifs=[exp.If(this=test, true=exp.Null())], default=made)


def _coalesce(node: exp.Expr, dialect: str) -> exp.Expr:
    """COALESCE, IFNULL and NVL are one; T-SQL's ISNULL gives the second the type of the first,
    which leaves a whole number as it is, and what is of that type (of a text, its length counts).
    """
    if node.args.get("is_null") and not all(constant(e, 0) for e in node.expressions):
        types = {kind(part, dialect) for part in (node.this, *node.expressions)}
        if len(types) > 1 or types & {None, VARCHAR}:
            raise refuse(node, dialect, "ISNULL", "use COALESCE(a, b)")
    return keep(node, "this", "expressions")


def _if(node: exp.Expr, dialect: str) -> exp.Expr:
    """IF, IFF and IIF are CASE with one branch: where the condition is NULL, the other is taken."""
    if isinstance(node.parent, exp.Case) and node.arg_key == "ifs":
        return node
    branch = exp.If(this=node.this, true=node.args["true"])
    return exp.Case(ifs=[branch], default=node.args.get("false"))


def _equal_null(node: exp.Expr, dialect: str) -> exp.Expr:
    return exp.Paren(
        this=exp.NullSafeEQ(this=operand(node.this), expression=operand(node.expression))
    )


_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not, exp.Boolean)


def _avg(node: exp.Expr, dialect: str) -> exp.Expr:
    """T-SQL's mean of integers is an integer, cut off toward zero as TRUNC does. A condition is 0
    or 1 in MySQL, so that its mean is a share.
    """
    if dialect == "mysql" and isinstance(node.this.unnest(), _CONDITIONS):
        number = exp.DataType.build("INT", dialect="duckdb")
        return exp.Avg(this=exp.Cast(this=node.this, to=number))
    if dialect != "tsql" or fraction(node.this, dialect):
        return node
    if whole(node.this, dialect):
        if isinstance(node.parent, exp.Window):
            node.meta[CUT_OFF] = True  # around the window
            return node
        return cut_off(place(exp.Avg(this=node.this), node))
    what = "AVG of numbers that may be whole, where it cuts off the fraction"
    raise refuse(node, dialect, what, "write AVG(CAST(x AS FLOAT))")


RULES: dict[type[exp.Expr], Rule] = {
    exp.Div: _div,
    exp.IntDiv: _intdiv,
    exp.SafeDivide: _safe_divide,
    **dict.fromkeys(_SAFE, _safe_binary),
    exp.SafeFunc: _safe,
    exp.WidthBucket: width_bucket,
    exp.Add: _add,
    exp.Mul: _times,
    exp.Round: _round,
    exp.Floor: _floor,
    exp.Ceil: _floor,
    exp.Pow: _power,
    exp.Degrees: _as_argument,
    exp.Radians: _as_argument,
    exp.Mod: _mod,
    exp.Ln: _ln,
    exp.Sqrt: _sqrt,
    exp.Log: _log,
    exp.Trunc: _trunc,
    exp.Least: _extreme,
    exp.Greatest: _extreme,
    exp.Coalesce: _coalesce,
    exp.EqualNull: _equal_null,
    exp.If: _if,
    exp.Avg: _avg,
}
