"""Numbers, conditions and aggregates of other dialects: see `dialects`."""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.number_kinds import (
    fraction,
    kind,
    numeric,
    textual,
    whole,
    without_digits,
)
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
from dpsql.front.written import called
from dpsql.types import INTEGER, VARCHAR


def _div(node: exp.Expr, dialect: str) -> exp.Expr:
    """7 / 2 is 3 in PostgreSQL, Redshift and T-SQL, where both are of integer types, and truncated
    toward zero, as DuckDB's // is; it is 3.5 in the others and in DuckDB. By zero: an error there,
    NULL here.
    """
    whole_ones = dialect in ("postgres", "redshift", "tsql")
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


def _safe_negate(node: exp.Expr, dialect: str) -> exp.Expr:
    return exp.Paren(this=exp.Neg(this=operand(node.this)))


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
    texts = [dialect == "tsql" and textual(side, dialect) for side in sides]
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
        if isinstance(inner, exp.Interval) and not (whole(count, dialect) or _no_fraction(count)):
            unit = str(inner.args.get("unit")).upper()
            if unit != "DAY" or fraction(count, dialect):
                what = "an interval times what may be no whole number"
                raise refuse(node, dialect, what, "cast it to INT")
    return node


_PARTS_WITHOUT = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE")
_PARTS_OF_WEEKS = ("DAYOFWEEK", "ISODOW", "DAYOFYEAR")


def _no_fraction(node: exp.Expr) -> bool:
    """Whether a number has none, whatever its type is: of PostgreSQL's EXTRACT it is NUMERIC."""
    if isinstance(node, exp.Extract):
        return node.name.upper() in (*_PARTS_WITHOUT, *_PARTS_OF_WEEKS)
    if isinstance(node, exp.Floor | exp.Ceil | exp.Trunc | exp.Round):
        return node.args.get("decimals") is None
    if isinstance(node, exp.Literal):
        return constant(node, 0)
    if isinstance(node, exp.Paren | exp.Neg):
        return _no_fraction(node.this)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return _no_fraction(node.this) and _no_fraction(node.expression)
    return False


def _round(node: exp.Expr, dialect: str) -> exp.Expr:
    """ROUND goes half away from zero, as DuckDB's does; but in PostgreSQL that of a DOUBLE, which
    takes no number of digits, goes half to even.
    """
    digits = node.args.get("decimals")
    if digits is None and dialect == "postgres" and not numeric(node.this, dialect):
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
        what = f"{called(node)} of numbers that may be whole, where it cuts off the fraction"
        raise refuse(node, dialect, what, "write CAST(x AS FLOAT)")
    return node


def _floor(node: exp.Expr, dialect: str) -> exp.Expr:
    """FLOOR and CEILING of a whole number are that number in T-SQL and Redshift, and a DOUBLE in
    DuckDB.
    """
    alike = dialect in ("redshift", "tsql") and whole(node.this, dialect)
    return operand(node.this) if alike else node


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
    _check_prefix(node, dialect)
    return _where_sound(node, node.this, dialect) if dialect == "mysql" else node


def _cbrt(node: exp.Expr, dialect: str) -> exp.Expr:
    _check_prefix(node, dialect)
    return node


def _check_prefix(node: exp.Expr, dialect: str) -> None:
    """PostgreSQL's |/ x and ||/ x take all of x + 1, and the parser takes x. Comparisons and what
    combines them bind less tightly than both.
    """
    around, less = node.parent, (exp.Predicate, exp.Connector)
    if "start" not in node.meta and isinstance(around, exp.Binary) and not isinstance(around, less):
        what = "a root by an operator beside another one"
        raise refuse(around, dialect, what, f"use {called(node)}(x)")


def _log(node: exp.Expr, dialect: str) -> exp.Expr:
    """To base 10 in PostgreSQL and Redshift, as in DuckDB; sqlglot reads it as LN where it is that,
    and puts the base first where there are two arguments.
    """
    if node.expression is None:
        none = node.this.name in ("2", "10") and "start" not in node.this.meta  # LOG10()
        if dialect in ("postgres", "redshift") and not none:
            return node
    elif isinstance(node.this, exp.Literal) and str(node.this.this) in ("2", "10"):
        null = dialect in ("mysql", "spark")
        return _where_sound(node, node.expression, dialect) if null else node
    raise refuse(node, dialect, None, "use LN(x), or LOG to base 2 or 10")


_TO_DIGITS = ("bigquery", "mysql", "postgres", "redshift", "snowflake")


def _trunc(node: exp.Expr, dialect: str) -> exp.Expr:
    """Toward zero, to a whole number or to digits. In Snowflake and Spark it is of dates too, where
    no digits are written; in Redshift `redshift_rules` tells.
    """
    digits = node.args.get("decimals")
    if dialect not in (("bigquery", "postgres", "redshift") if digits is None else _TO_DIGITS):
        raise refuse(node, dialect)
    places = digits.this if isinstance(digits, exp.Neg) else digits
    if places is not None and not constant(places, 0):
        raise refuse(node, dialect, f"{called(node)} to digits that are no constant")
    return keep(node, "this", "decimals")


def _extreme(node: exp.Expr, dialect: str) -> exp.Expr:
    """LEAST and GREATEST skip NULL in PostgreSQL, Redshift, Spark, T-SQL and DuckDB. In BigQuery
    and Snowflake they are NULL where an operand is.
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
    """T-SQL's and Redshift's mean of integers is an integer, cut off toward zero as TRUNC does. Of
    a NUMERIC of Redshift's without digits behind the point it has none either, and perhaps so is
    that of BIGINTs in a window, a NUMERIC: whether they are cut off or rounded is not said. A
    condition is 0 or 1 in MySQL, so that its mean is a share.
    """
    if dialect == "mysql" and isinstance(node.this.unnest(), _CONDITIONS):
        number = exp.DataType.build("INT", dialect="duckdb")
        return exp.Avg(this=exp.Cast(this=node.this, to=number))
    redshift, window = dialect == "redshift", isinstance(node.parent, exp.Window)
    sure = fraction(node.this, dialect) and not (redshift and without_digits(node.this, dialect))
    if dialect not in ("redshift", "tsql") or sure:
        return node
    long = redshift and window and kind(node.this, dialect) != INTEGER
    if whole(node.this, dialect) and not long:
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
    exp.SafeNegate: _safe_negate,
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
    exp.Cbrt: _cbrt,
    exp.Log: _log,
    exp.Trunc: _trunc,
    exp.Least: _extreme,
    exp.Greatest: _extreme,
    exp.Coalesce: _coalesce,
    exp.EqualNull: _equal_null,
    exp.If: _if,
    exp.Avg: _avg,
}
