"""Whether an expression of another dialect is a whole number there, a fraction, or a text."""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.date_rules import PARTS
from dpsql.front.dialects.words import OF_DATE_PART, OF_DATEDIFF
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
        if dialect == "redshift":
            return 64 if node.meta.get(OF_DATEDIFF) else 0
        return 32
    if isinstance(node, exp.Sum):
        argument = _bits(node.this, dialect)
        if dialect in _WIDENING:  # of BIGINT it is NUMERIC
            return 64 if argument == 32 else 0
        return 64 if argument else 0
    if isinstance(node, exp.Avg) and dialect == "redshift":
        return 64 if _bits(node.this, dialect) else 0
    if isinstance(node, (exp.Extract, *PARTS)):
        if dialect == "redshift":
            return 0 if node.meta.get(OF_DATE_PART) else 32
        return 0 if dialect == "postgres" else 64  # NUMERIC or DOUBLE there
    if isinstance(node, _COUNTS):
        return 32 if isinstance(node, _INTEGERS.get(dialect, ())) else 64
    if isinstance(node, exp.Subquery):
        item = _only(node)
        return 0 if item is None else _bits(item, dialect)
    found = [_bits(part, dialect) for part in _results(node) or _cut(node, dialect)]
    return max(found) if found and all(found) else 0


_WIDENING = ("postgres", "redshift")
"""Where a sum of INTEGERs is a BIGINT, and one of BIGINTs a NUMERIC."""

_ALIKE = (
    *(exp.Paren, exp.Neg, exp.Abs, exp.Min, exp.Max, exp.Window, exp.Filter),
    *(exp.FirstValue, exp.LastValue),
)
"""What has the type of what it is of."""

_COUNTS = (
    *(exp.Count, exp.CountIf, exp.Length, exp.Grouping, exp.GroupingId, exp.DateDiff),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile),
)
_INTEGERS = {"postgres": (exp.Length, exp.Grouping, exp.Ntile), "redshift": (exp.Length,)}
"""Those of them that are INTEGERs, where that tells what their sum is; the others are BIGINTs."""


def _cut(node: exp.Expr, dialect: str) -> list[exp.Expr | None]:
    """The parts of what is an integer where they all are; in PostgreSQL the others are DOUBLE."""
    if isinstance(node, exp.Div) and dialect in ("postgres", "redshift", "tsql"):
        return [node.this, node.expression]
    if isinstance(node, _OF_INTEGERS) and dialect in ("redshift", "tsql"):
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
    if textual(node, dialect):
        return VARCHAR
    if _is_date(node):
        return DATE
    bits = _bits(node, dialect)
    if bits:
        return BIGINT if bits > 32 else INTEGER
    if not fraction(node, dialect):
        return None
    if dialect == "redshift" and without_digits(node, dialect):
        return decimal(38, 0)
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


def textual(node: exp.Expr | None, dialect: str) -> bool:
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
    return bool(parts) and all(textual(part, dialect) for part in parts)


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
        wide = dialect in _WIDENING and _bits(node.this, dialect) == 64
        return wide or fraction(node.this, dialect)
    if isinstance(node, exp.Div):
        return fraction(node.this, dialect) or fraction(node.expression, dialect)
    if isinstance(node, exp.Cast):
        return node.args["to"].this in _FRACTIONS
    if isinstance(node, exp.Avg | exp.Round | exp.Floor | exp.Ceil):
        # NUMERIC or DOUBLE in PostgreSQL; the type of the argument in T-SQL.
        return dialect == "postgres" or fraction(node.this, dialect)
    if isinstance(node, (exp.Extract, *PARTS)):
        return dialect == "postgres" or bool(node.meta.get(OF_DATE_PART))
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


def without_digits(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression may be a NUMERIC of Redshift's without digits behind the point, whose
    mean has none either; or a whole number.
    """
    if whole(node, dialect):
        return True
    if isinstance(node, exp.Column):
        kind = type_of(node)
        return kind is not None and kind.is_decimal and kind.scale == 0
    if isinstance(node, exp.Cast):
        sizes = node.args["to"].expressions
        exact = node.args["to"].this == exp.DType.DECIMAL
        return exact and (len(sizes) < 2 or sizes[1].name == "0")
    if isinstance(node, (exp.Sum, *_OF_INTEGERS)):
        return without_digits(node.this, dialect)
    if isinstance(node, exp.Subquery):
        item = _only(node)
        return item is not None and without_digits(item, dialect)
    parts = _results(node)
    return bool(parts) and all(without_digits(part, dialect) for part in parts)


_EXACT = (
    exp.Avg,
    exp.Sum,
    exp.Stddev,
    exp.StddevSamp,
    exp.StddevPop,
    exp.Variance,
    exp.VariancePop,
)
"""Aggregates that are NUMERIC in PostgreSQL where what they are of is an integer or NUMERIC."""


def numeric(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression is surely a NUMERIC of PostgreSQL's, or a whole number (or NULL)."""
    if whole(node, dialect):
        return True
    if isinstance(node, exp.Literal):
        return not node.is_string
    if isinstance(node, exp.Column):
        kind = type_of(node)
        return kind is not None and kind.is_decimal
    if isinstance(node, exp.Cast):
        return node.args["to"].this == exp.DType.DECIMAL and bool(node.args["to"].expressions)
    if isinstance(node, exp.Div):
        return numeric(node.this, dialect) and numeric(node.expression, dialect)
    if isinstance(node, _EXACT):
        return numeric(node.this, dialect)
    if isinstance(node, exp.Subquery):
        item = _only(node)
        return item is not None and numeric(item, dialect)
    parts = _results(node)
    return bool(parts) and all(numeric(part, dialect) for part in parts)


def is_exact(node: exp.Expr, dialect: str) -> bool:
    """Whether it is surely a whole number or a DECIMAL there."""
    if isinstance(node, exp.Literal):
        return not node.is_string and "e" not in str(node.this).lower()
    if isinstance(node, exp.Column):
        found = type_of(node)
        return found is not None and (found.is_decimal or found.is_integer)
    if isinstance(node, exp.Cast):
        return node.args["to"].this == exp.DType.DECIMAL or whole(node, dialect)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
        return is_exact(node.this, dialect) and is_exact(node.expression, dialect)
    if isinstance(node, exp.Paren | exp.Neg | exp.Abs | exp.Sum | exp.Avg | exp.Min | exp.Max):
        return is_exact(node.this, dialect)
    return whole(node, dialect)
