"""A tree of another dialect -> the tree that DuckDB's parser would give for the same meaning.

Only what is listed here is read, with only the parts that are listed; all else is rejected, also
where DuckDB has a construct of the same name. A rule stands beside the reason why it keeps the
meaning. Where the meaning hangs on types, and they are not surely known, the rule gives a tree that
is right for every type, or rejects. At the end the tree is printed as DuckDB's SQL and parsed
again: it must come out the same, so that no difference between the two grammars is left.

What is not the dialect's but the data's is DuckDB's for all of them: strings are compared by their
bytes, NaN is above every number, quotients are DOUBLE, numbers and times as texts look as DuckDB
writes them, and what is an error there may be NULL here.
"""

from __future__ import annotations

import re
from functools import partial

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.errors import Rejected, Span, UnknownDialect
from dpsql.front.dialects import (
    aggregate_rules,
    clause_rules,
    constant_lists,
    constant_rows,
    counted_intervals,
    date_rules,
    date_texts,
    dates_of_parts,
    grains,
    moment_functions,
    mysql_rules,
    named_functions,
    named_windows,
    number_kinds,
    number_rules,
    patterns,
    quantile_windows,
    redshift_rules,
    scalar_rules,
    structs,
)
from dpsql.front.dialects.column_types import absent, note
from dpsql.front.dialects.words import TITLES, WRITTEN, Rule, place, refuse
from dpsql.front.dialects.written_parsers import grammar
from dpsql.front.parse import Tables, reject
from dpsql.front.written import called, part_of

DIALECTS = ("duckdb", *TITLES)
"""What `dialect=` takes."""


def dialect_of(name: str) -> Dialect:
    """The tokenizer and parser of a dialect.

    Raises:
        UnknownDialect: for a name that is not in `DIALECTS`.
    """
    if name not in DIALECTS:
        raise UnknownDialect(f"no dialect {name!r}; there are {', '.join(DIALECTS)}")
    return grammar(name)


# --- what is read, and which parts of it; the rest of the file is about those that change ---

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_MATCHES = (exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike)
_PREDICATES = (*_COMPARISONS, *_MATCHES, exp.In, exp.Between, exp.Is, exp.Not)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv)

_BINARY = ("this", "expression")
_SET_PARTS = (*_BINARY, "distinct", "with_", "order", "limit", "offset")
_READ: dict[type[exp.Expr], tuple[str, ...]] = {
    # Clauses: standard SQL, the same in all of them.
    exp.Select: (
        *("with_", "expressions", "distinct", "from_", "joins", "where", "group", "having"),
        *("qualify", "order", "limit", "offset"),
    ),
    exp.Qualify: ("this",),
    exp.Window: ("this", "partition_by", "order", "spec", "over"),
    exp.WindowSpec: ("kind", "start", "start_side", "end", "end_side"),
    **dict.fromkeys(clause_rules.RANKS, ()),
    **dict.fromkeys(clause_rules.PLACED, ("this", "offset", "default")),
    **dict.fromkeys((exp.Ntile, *clause_rules.NTH), ("this", "offset")),
    **dict.fromkeys(clause_rules.SETS, _SET_PARTS),
    exp.Subquery: ("this", "alias", "joins"),
    exp.With: ("expressions",),
    exp.CTE: ("this", "alias"),
    exp.TableAlias: ("this", "columns"),
    exp.From: ("this",),
    exp.Join: ("this", "on", "using", "side", "kind"),
    exp.Table: ("this", "alias", "db", "catalog", "joins"),
    **dict.fromkeys((exp.Unnest, exp.Values), ("expressions", "alias")),
    exp.Lateral: ("this", "alias", "cross_apply"),
    exp.Where: ("this",),
    exp.Group: ("expressions", "rollup", "cube", "grouping_sets", "all"),
    **dict.fromkeys((*clause_rules.SUMMARIES, exp.Tuple), ("expressions",)),
    exp.Having: ("this",),
    exp.Order: ("expressions",),
    exp.Ordered: ("this", "desc", "nulls_first"),
    exp.Limit: ("expression", "limit_options"),
    exp.Fetch: ("direction", "count", "limit_options"),
    exp.LimitOptions: ("rows",),
    exp.Offset: ("expression",),
    exp.Distinct: ("expressions", "on"),
    # Names and constants.
    exp.Alias: ("this", "alias"),
    exp.Column: ("this", "table", "db", "catalog"),
    exp.Identifier: ("this", "quoted"),
    exp.Star: (),
    exp.Literal: ("this", "is_string"),
    exp.National: ("this",),
    exp.Boolean: ("this",),
    exp.Null: (),
    exp.Paren: ("this",),
    exp.Var: ("this",),
    # Operators. NULL in, NULL out; AND, OR and NOT in three values; / is below.
    **dict.fromkeys((*_COMPARISONS, *_ARITHMETIC), (*_BINARY, "typed", "safe")),
    **dict.fromkeys((exp.And, exp.Or, exp.EqualNull), _BINARY),
    **dict.fromkeys((exp.Like, exp.ILike, exp.Is), (*_BINARY, "negate")),
    exp.DPipe: (*_BINARY, "safe"),
    exp.Not: ("this",),
    exp.Neg: ("this",),
    exp.Between: ("this", "low", "high"),
    exp.In: ("this", "expressions", "query"),
    exp.Exists: ("this",),
    exp.Case: ("this", "ifs", "default"),
    exp.If: ("this", "true", "false"),
    # Functions.
    exp.Coalesce: ("this", "expressions", "is_null"),
    exp.Nullif: _BINARY,
    **dict.fromkeys((exp.SafeDivide, exp.SafeAdd, exp.SafeSubtract, exp.SafeMultiply), _BINARY),
    **dict.fromkeys((exp.SafeFunc, exp.SafeNegate), ("this",)),
    exp.WidthBucket: ("this", "min_value", "max_value", "num_buckets"),
    **dict.fromkeys((exp.Least, exp.Greatest), ("this", "expressions", "ignore_nulls")),
    **dict.fromkeys((exp.Abs, exp.Sqrt, exp.Ln, exp.Exp, exp.Floor, exp.Ceil), ("this",)),
    **dict.fromkeys((exp.Sin, exp.Cos, exp.Tan, exp.Asin, exp.Acos, exp.Atan), ("this",)),
    **dict.fromkeys((exp.Sinh, exp.Cosh, exp.Tanh, exp.Cot, exp.Cbrt), ("this",)),
    exp.Atan2: _BINARY,
    **dict.fromkeys((exp.Sign, exp.Degrees, exp.Radians), ("this",)),
    exp.Trunc: ("this", "decimals", "fractions_supported"),
    exp.Pi: (),
    **dict.fromkeys((exp.Pow, exp.Log), _BINARY),
    exp.Round: ("this", "decimals", "casts_non_integer_decimals"),
    **dict.fromkeys((exp.Lower, exp.Upper, exp.MD5, exp.IsNan, exp.IsInf), ("this",)),
    **dict.fromkeys((exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime), ()),
    exp.Length: ("this", "binary"),
    exp.ArraySize: ("this",),
    exp.Substring: ("this", "start", "length", "zero_start"),
    **dict.fromkeys((exp.Left, exp.Right), (*_BINARY, "negative_length_returns_empty")),
    exp.Pad: (*_BINARY, "fill_pattern", "is_left"),
    **dict.fromkeys((exp.StartsWith, exp.EndsWith), _BINARY),
    exp.StrPosition: ("this", "substr", "clamp_position"),
    exp.SubstringIndex: ("this", "delimiter", "count"),
    exp.SplitPart: (
        *("this", "delimiter", "part_index"),
        *("part_index_zero_as_one", "empty_delimiter_returns_whole"),
    ),
    exp.Replace: (*_BINARY, "replacement"),
    exp.Trim: ("this", "expression", "position"),
    **dict.fromkeys((exp.Concat, exp.ConcatWs), ("expressions", "safe", "coalesce")),
    exp.Cast: ("this", "to"),
    exp.TryCast: ("this", "to", "safe"),
    exp.Convert: (*_BINARY, "style"),
    exp.DataType: ("this", "expressions", "nested"),
    exp.DataTypeParam: ("this",),
    # Aggregates; more of them in `aggregate_rules`, by the dialect.
    exp.Count: ("this", "big_int"),
    exp.CountIf: ("this", "zero_on_all_null"),
    **dict.fromkeys((exp.Sum, exp.Avg, exp.Min, exp.Max), ("this",)),
    exp.Filter: _BINARY,
    **patterns.READ,
    **date_rules.READ,
    **date_texts.READ,
    **redshift_rules.READ,
    **moment_functions.READ,
    exp.ExplodingGenerateSeries: ("start", "end", "step"),
}


def normalised(tree: exp.Query, dialect: str, tables: Tables) -> exp.Query:
    """The tree with DuckDB's meaning.

    Args:
        tree: as the dialect's parser reads the text.
        dialect: one of `TITLES`.
        tables: the types of their columns, as far as they are known.

    Raises:
        Rejected: DP104, at the construct whose meaning could be another one.
    """
    tree = tree.copy()  # sqlglot's may hold one node in two places
    named_windows.written_out(tree, dialect)
    quantile_windows.grouped(tree)
    constant_lists.members(tree, dialect)
    moment_functions.intervals(tree, dialect)
    if dialect == "bigquery":
        structs.named(tree, dialect)
    if dialect == "mysql":
        grains.truncated(tree, constants=False)
        counted_intervals.beside_moments(tree)
    for node in tree.walk():
        _check_read(node, dialect)
    clause_rules.check(tree, dialect)
    note(tree, tables, partial(number_kinds.kind, dialect=dialect))
    if dialect == "mysql":
        mysql_rules.check(tree)
    elif dialect == "redshift":
        redshift_rules.check(tree)
    if dialect in ("mysql", "snowflake"):
        counted_intervals.round_units(tree, dialect)
    for node in reversed(list(tree.walk())):  # children first
        rule = named_functions.rule_of(node, dialect) or _RULES.get(type(node))
        if rule is None:
            continue
        try:
            made = rule(node, dialect)
        except Rejected as refused:
            raise absent(node) or refused from None
        except (KeyError, AttributeError):  # of an argument that is not there
            raise refuse(node, dialect, "a function with less than it needs") from None
        if made is not node:
            node.replace(place(made, node))
    for node in tree.walk():
        if isinstance(node, (*date_rules.WRAPPERS, *date_texts.MOMENTS)):
            raise refuse(node, dialect, "the conversion of text to a date", "use CAST(x AS DATE)")
    _check_reading(tree, dialect)
    return tree


def _beside(node: exp.Expr, dialect: str) -> bool:
    """Whether an operand of a condition is another one, around which nobody wrote parentheses;
    `a = b IS NULL` is read as PostgreSQL and MySQL read it: (a = b) IS NULL.
    """
    if not isinstance(node, exp.Paren) or node.meta.get(WRITTEN):
        return isinstance(node, _PREDICATES)
    known = dialect in ("mysql", "postgres") and isinstance(node.this, (*_COMPARISONS, exp.Is))
    return isinstance(node.this, _PREDICATES) and not known


_STARS = {
    "bigquery": ("except_", "replace"),
    "redshift": ("except_",),
    "snowflake": ("except_", "replace"),
    "spark": ("except_",),
}
_FLAGS = (
    *("binary", "encoding", "fractions_supported", "zero_on_all_null", "allow_overflow"),
    *("zero_start", "negative_length_returns_empty", "part_index_zero_as_one", "clamp_position"),
)
"""What a parser notes of a function; as an argument of a text it is one too many."""
_ORDERED = (exp.ArrayAgg, exp.GroupConcat, exp.Limit)


def _check_read(node: exp.Expr, dialect: str) -> None:
    parts = _READ.get(type(node))
    if isinstance(node, exp.Order | exp.Limit) and isinstance(node.parent, _ORDERED):
        parts = ("this", "expressions", "expression")  # of what is aggregated
    if isinstance(node, exp.Star):
        parts = _STARS.get(dialect, ())
    if dialect == "bigquery":
        parts = structs.READ.get(type(node), parts)
    if parts is None:
        parts = aggregate_rules.read(node, dialect)
    if parts is None and named_functions.rule_of(node, dialect) is not None:
        parts = ("this", "expressions")
    if parts is None:
        raise refuse(node, dialect)
    for key, value in node.args.items():
        if key in _FLAGS and isinstance(value, exp.Expr):
            raise refuse(value, dialect, f"an argument more than {called(node)} has")
        if key not in parts and value not in (None, [], False):
            part = value if isinstance(value, exp.Expr) else node
            what = part_of(node, key, key.strip("_").replace("_", " ").upper())
            if key == "join_mark":
                raise refuse(node, dialect, "(+)", "write LEFT JOIN … ON …")
            sample = isinstance(part, exp.TableSample)
            raise refuse(part, dialect, "TABLESAMPLE" if sample else what)
    if dialect == "tsql" and isinstance(node, exp.Length):
        raise refuse(node, dialect, "LEN, which leaves out the spaces at the end")
    if dialect not in ("bigquery", "snowflake") and isinstance(node, exp.ArraySize):
        raise refuse(node, dialect, "the length of a list, which may be -1 or NULL for none")
    if dialect != "bigquery" and isinstance(node, exp.IsNan | exp.IsInf):
        raise refuse(node, dialect)  # Spark's is false for NULL
    operands = [v for v in node.args.values() if isinstance(v, exp.Expr)]
    if isinstance(node, _PREDICATES) and not isinstance(node, exp.Not):
        # Which of two comparisons side by side binds more tightly differs from grammar to grammar.
        nested = next((o for o in operands if _beside(o, dialect)), None)
        if nested is not None:
            raise refuse(nested, dialect, "a condition inside another one", "write parentheses")
    if isinstance(node, exp.DPipe | exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
        # So does || beside + or *.
        other = _ARITHMETIC if isinstance(node, exp.DPipe) else exp.DPipe
        mixed = next((o for o in operands if isinstance(o, other)), None)
        if mixed is not None:
            raise refuse(mixed, dialect, "|| beside arithmetic", "write parentheses")


def _check_reading(tree: exp.Query, dialect: str) -> None:
    """DuckDB's parser reads the printed tree as this tree. Names are quoted for the comparison,
    since what is a keyword in one grammar is a name in another; those of fields are texts there.
    """
    mine = tree.copy()
    for identifier in mine.find_all(exp.Identifier):
        identifier.set("quoted", not isinstance(identifier.parent, exp.PropertyEQ))
    problem: Rejected | None = None
    try:
        again = Dialect.get_or_raise("duckdb").parse(mine.sql(dialect="duckdb"))
        if len(again) != 1 or again[0] != mine:
            problem = reject("DP104", f"this {TITLES[dialect]} cannot be read without doubt", tree)
    except RecursionError:
        raise
    except Exception:  # whatever the printer or the parser stumbles over
        problem = reject("DP104", f"this {TITLES[dialect]} cannot be read without doubt", tree)
    if problem is not None:
        raise problem


# --- the text ---


def check_tokens(tokens: list[Token], text: str, dialect: str) -> None:
    """Refuse text that sqlglot takes for something else than the dialect does.

    Raises:
        Rejected: DP104.
    """
    if dialect == "mysql" and (found := _COMMENTS.search(text)) is not None:
        raise refuse(Span(*found.span()), dialect, "-- without a blank, or a comment that is run")
    for number, (token, after) in enumerate(zip(tokens, [*tokens[1:], None], strict=True)):
        span = Span(token.start, token.end + 1)
        kind, source = token.token_type, text[token.start : token.end + 1]
        if kind == TokenType.STRING:
            # Not every escape sequence is known to the tokenizer. In T-SQL \ joins lines.
            joined = dialect == "tsql" and re.search(r"\\[\r\n]", source)
            if joined or (dialect in _ESCAPING and "\\" in source):
                raise refuse(span, dialect, "a backslash in a string")
            if dialect == "spark" and _WEEK_YEAR.fullmatch(source):  # the parser takes it for y
                raise refuse(span, dialect, "Y in a format, the year of a week", "write yyyy")
            odd = dialect == "tsql" and not _TSQL_DATE.fullmatch(source)
            if odd and _is_format(tokens[:number]):
                # To the parser YYYY is a year, too, and so is y; to T-SQL it is four letters.
                help = "write FORMAT(x, 'yyyy-MM-dd') or a part of it"
                raise refuse(span, dialect, "this format of a date or a number", help)
            if after is not None and after.token_type == TokenType.STRING:
                # 'it''s' in BigQuery and Spark; one literal in the others.
                raise refuse(span, dialect, "two strings side by side", "use CONCAT(a, b)")
        elif kind == TokenType.NUMBER:
            beside = after.text[:1] if after is not None and after.start == token.end + 1 else ""
            if beside.isalpha() or beside == "_":  # 1_000 is 1 AS _000 to some of the tokenizers
                raise refuse(span, dialect, "a number with letters in it", "write its digits alone")
            if "e" in source.lower() and dialect in ("postgres", "redshift", "snowflake"):
                # Exact there, DOUBLE in DuckDB.
                raise refuse(span, dialect, "a number with an exponent", "write its digits out")
        elif kind == TokenType.PIPE_GT:
            raise refuse(span, dialect, "the pipe |>")
        elif kind == TokenType.NOT and source == "!" and not _is_unlike(after, token, dialect):
            # It binds more tightly than NOT.
            raise refuse(span, dialect, "the operator !", "write NOT (…)")


def _is_unlike(after: Token | None, token: Token, dialect: str) -> bool:
    """Whether ! begins PostgreSQL's !~ or !~*."""
    beside = after is not None and after.start == token.end + 1 and after.text[:1] == "~"
    return beside and dialect == "postgres"


def _is_format(before: list[Token]) -> bool:
    """Whether what comes next is the second argument of FORMAT."""
    depth = commas = 0
    for number in reversed(range(len(before))):
        kind = before[number].token_type
        depth += (kind == TokenType.R_PAREN) - (kind == TokenType.L_PAREN)
        commas += kind == TokenType.COMMA and depth == 0
        if depth < 0:
            return commas == 1 and number > 0 and before[number - 1].text.upper() == "FORMAT"
    return False


_TSQL_DATE = re.compile(r"'(yyyy|MM|dd|HH|mm|ss|[-._ ])*'")
"""What T-SQL's FORMAT reads as the parts of a date that are written so."""

_ESCAPING = ("bigquery", "mysql", "redshift", "snowflake", "spark")
_COMMENTS = re.compile(r"--(?=\S)|/\*M?!")
"""1--1 is 2 in MySQL, and /*! … */ is no comment; in a text they are refused as well."""

_WEEK_YEAR = re.compile(r"'[yMdHms\W_]*Y[yYMdHms\W_]*'")
"""A format of dates with a Y in it."""

_RULES: dict[type[exp.Expr], Rule] = {
    **aggregate_rules.RULES,
    **number_rules.RULES,
    **patterns.RULES,
    **scalar_rules.RULES,
    **date_rules.RULES,
    **date_texts.RULES,
    **dates_of_parts.RULES,
    **moment_functions.RULES,
    **scalar_rules.CAST_RULES,
    **clause_rules.RULES,
    **redshift_rules.RULES,
    exp.Values: constant_rows.values,
}
