"""Queries over public tables alone: answered exactly, free, with nearly all of SELECT.

They run in the scratch database, which holds nothing but the public tables that they name, and has
no access to files, settings or the network. So the analysis need not model them; it only makes
sure that every table is public, and that each node of the tree is on a list of what neither reaches
outside nor differs from run to run. What the parser learns to read one day is refused until then.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpsql.core.functions import SPELLINGS
from dpsql.core.schema import Schema, Table
from dpsql.front.bind_strings import is_short
from dpsql.front.named import is_cte
from dpsql.front.parse import every, reject
from dpsql.front.scope import fold
from dpsql.front.unknown import unknown_function
from dpsql.front.written import called


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SYNTAX = _names("""
    Add Alias All Any AtTimeZone Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr
    BitwiseRightShift Boolean Bracket ByteString CTE Column ColumnDef Comprehension Cube DPipe
    DataType DataTypeParam Distance Distinct Div Dot EQ Escape Except Fetch Filter From GT GTE
    Glob Group GroupingSets Having ILike Identifier IgnoreNulls In IntDiv Intersect Interval Is
    JSONPath JSONPathKey JSONPathRecursive JSONPathRoot JSONPathSelector JSONPathSlice
    JSONPathSubscript JSONPathUnion JSONPathWildcard Join Kwarg LT LTE Lambda Like Limit
    LimitOptions Literal Mod Mul NEQ Neg Not Null NullSafeEQ NullSafeNEQ Offset Order Ordered
    Paren Pivot PivotAlias PositionalColumn PropertyEQ Qualify RawString RespectNulls Rollup
    Select SimilarTo Slice Star Sub Subquery Table TableAlias Tuple Union UnpivotColumns Values
    Var Where Window WindowSpec With WithinGroup
""")
"""Nodes of the parser's tree that are no functions: clauses, operators, constants, types."""

_FUNCTIONS = _names("""
    Abs Acos Acosh And AnyValue ApproxDistinct ApproxQuantile ApproxQuantiles ApproxTopK ArgMax
    ArgMin Array ArrayAgg ArrayAppend ArrayConcat ArrayContainedBy ArrayContains
    ArrayContainsAll ArrayDistinct ArrayFilter ArrayIntersect ArrayMax ArrayMin ArrayOverlaps
    ArrayPosition ArrayPrepend ArrayReverse ArraySize ArraySlice ArraySort ArrayToString Ascii
    Asin Asinh Atan Atan2 Atanh Avg BitLength BitwiseAndAgg BitwiseOrAgg BitwiseXor
    BitwiseXorAgg Case Cast Cbrt Ceil Chr Coalesce Collate Columns Concat ConcatWs Contains
    Convert Corr Cos Cosh CosineDistance Cot Count CountIf CovarPop CovarSamp CumeDist Date
    DateAdd DateBin DateDiff DateFromParts DateSub DateTrunc DatetimeTrunc Day DayOfMonth
    DayOfWeek DayOfWeekIso DayOfYear Dayname Decode Degrees DenseRank Encode EndsWith EqualNull
    EuclideanDistance Exists Exp Extract Factorial First FirstValue Flatten Floor Format
    FromBase64 FromJson Getbit Greatest GroupConcat Grouping GroupingId Hex Hour If IsInf IsNan
    JSONArray JSONExtract JSONExtractScalar JSONKeys JSONObject JSONRemove JSONSet
    JSONStripNulls JSONType
    JarowinklerSimilarity Kurtosis Lag Last LastDay LastValue Lead Least Left Length Levenshtein
    Ln Log LogicalAnd LogicalOr Lower MD5 Map MapFromEntries MapKeys Max Median Min Minute Mod
    Mode Month Monthname NthValue Ntile Nullif Or Overlay ParseJSON PercentRank PercentileCont
    PercentileDisc Pi Pow Quantile Quarter Radians Rank Reduce RegexpExtract RegexpExtractAll
    RegexpFullMatch RegexpILike RegexpLike RegexpReplace RegexpSplit RegrAvgx RegrAvgy RegrCount
    RegrIntercept RegrR2 RegrSlope RegrSxx RegrSxy RegrSyy Replace Reverse Right Round RowNumber
    SHA SHA2 SafeDivide Second Sign Sin Sinh Skewness Split SplitPart Sqrt StartsWith Stddev
    StddevPop StddevSamp StrPosition StrToTime Struct StructExtract Substring Sum Tan Tanh
    TimeFromParts TimeStrToTime TimeToStr TimeToUnix TimestampFromParts TimestampTrunc ToBase64
    ToBinary ToDays ToMap Transform Translate Trim Trunc Try TryCast TsOrDsAdd TsOrDsToDate
    Typeof Unhex Unicode UnixToTime Upper Variance VariancePop Week WeekOfYear WeekStart Year
""")
"""DuckDB's functions that have a node of their own. Not: what reads a clock, a file, a setting, a
generator, or who asks (`random`, `now`, `version`), and what makes much of little (`range`,
`repeat`, `rpad` to any length, `format` of most patterns). Nor what DuckDB has not and the parser
would spell out: that may hold any of those (UNIFORM, RANDSTR, GENERATOR).
"""

# Functions without one, by their names.
_ALSO = frozenset(SPELLINGS) | {
    "strlen",
    "list_contains",
    "regexp_full_match",
    "first",
    "last",
    "any_value",
    "bool_and",
    "bool_or",
    "product",
    "mode",
    "median",
    "histogram",
    "entropy",
    "mad",
    "kurtosis_pop",
}


_VALUES = frozenset(
    ("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp")
)
"""The clock: names that the engine takes for functions where no column has them, quoted or not."""


def public_tables(
    tree: exp.Query, schema: Schema, *, made: bool = False
) -> tuple[Table, ...] | None:
    """The tables of a query, if each one that it names is public; None if it must be bound and
    analysed, also because a public table has randomized answers, which are to be debiased.

    Args:
        tree: the query.
        schema: what is public.
        made: whether rows of it were made of the schema, so that it may name no table at all.

    Raises:
        Rejected: DP201, DP204, DP206 for a public query that names what is not allowed.
    """
    found: dict[str, Table] = {}
    for node in every(tree, exp.Table):
        if not isinstance(node.this, exp.Identifier):
            return None  # a table function: the binder says no
        qualified = bool(node.args.get("db") or node.args.get("catalog"))
        if not qualified and is_cte(node):
            continue
        table = schema.table(fold(node.name))
        if table is None or table.private or table.hidden or table.randomized:
            return None  # the binder analyses it, or says which name is unknown
        if node.args.get("catalog") or fold(node.db or "main") != "main":
            return None
        found[fold(node.name)] = table
    if not found and not made:
        return None  # constants alone: the binder knows them
    for clause in every(tree, exp.With):
        if clause.recursive:
            raise reject("DP104", "WITH RECURSIVE is not supported: it need not end", clause)
    _check_nodes(tree)
    return tuple(found.values())


def translated(tree: exp.Query) -> str:
    """What runs of another dialect's text: the tree, in the engine's SQL.

    Raises:
        Rejected: DP104 for what that has no words for.
    """
    try:
        return tree.sql(dialect="duckdb", comments=False)
    except Exception:  # a node that was made without its parts, J_S_O_N_OBJECT(x) for one
        pass
    raise reject("DP104", "the query cannot be written in the engine's SQL", tree)


def _check_pad(node: exp.Pad) -> None:
    """LPAD and RPAD to a constant length."""
    length = node.expression
    constant = isinstance(length, exp.Literal) and re.fullmatch(r"\d{1,3}", str(length.this))
    if not constant or length.is_string:
        help = "write a constant of 999 at most"
        raise reject("DP204", f"the length of {called(node)} is no small constant", node, help)


def _check_nodes(tree: exp.Query) -> None:
    for node in every(tree, exp.Expr):
        name = type(node).__name__
        if isinstance(node, exp.Anonymous):
            if str(node.this).lower() not in _ALSO:
                raise unknown_function(node)
        elif isinstance(node, exp.DataType) and node.this is exp.DataType.Type.USERDEFINED:
            raise reject("DP204", "the type is not on the allow-list", node)  # printed as it is
        elif isinstance(node, exp.Var) and not re.fullmatch(r"\w*", node.name, re.ASCII):
            raise reject("DP204", f"{node.name} is not on the allow-list", node)
        elif isinstance(node, exp.Column) and not node.table and fold(node.name) in _VALUES:
            raise reject("DP204", f"{node.name} would be a function of the engine's", node)
        elif isinstance(node, exp.Pad):
            _check_pad(node)
        elif isinstance(node, exp.Format) and not is_short(node):
            raise reject("DP204", "FORMAT but of '{:g}' is not on the allow-list", node)
        elif name not in _SYNTAX and name not in _FUNCTIONS:
            raise unknown_function(node)
