r"""Regular expressions of other dialects: see `dialects`.

BigQuery's are RE2's, as DuckDB's are, and so is what replaces a match; r'\d' is a text in which a
backslash is one. Of PostgreSQL's it is read whether there is a match; and which it is, only where
that is the same: of two that begin at one place it takes the longer one, RE2 the first. The dot is
a line's end there, too, which the option 's' says. A pattern of PostgreSQL's may have what both
read in one way: letters and signs, . ^ $ | * + ? {2} {2,3}, sets such as [^a-z], and groups in
parentheses; no backslash, class or other group.

SUBSTRING(x FROM '@(.*)$')     REGEXP_EXTRACT(x, '@(.*)$', 1, 's'), and NULL where there is no match

Claim: of a pattern that is a row of single characters, sets and dots, each with * + ? {2} {2,3} or
nothing, and of groups of such around which there is nothing, RE2's first match is the longest, and
its first group is PostgreSQL's. Why: a match is a path of places in the text and in the pattern,
where each step takes a character or leaves the rest of one repetition out. RE2's path takes
characters as early as it can: where another parts from it, RE2's is behind in the pattern. If the
other one ends later, RE2's, which is at the end of the pattern before, has come past it, and so
through a place that is on both, from where RE2 would have gone on as the other does. So it is of
another one with the same end of which more is before the group, or in it: PostgreSQL takes the
longest of these. With | or a group that is repeated a step takes more than one character.

Left out: MySQL's, which ignore case by the collation; Java's of Spark, in which . is no line's end
of five kinds, and $ stands before the last one; Snowflake's, which match a text as a whole.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpsql.front.dialects.words import Rule, refuse
from dpsql.front.written import called

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    **dict.fromkeys((exp.RegexpLike, exp.RegexpILike), ("this", "expression")),
    exp.RegexpExtract: (
        *("this", "expression", "group"),
        *("null_if_pos_overflow", "null_if_no_match", "empty_if_group_missing"),
    ),
    exp.RegexpReplace: ("this", "expression", "replacement", "single_replace"),
    exp.RawString: ("this",),
}

_ALIKE = re.compile(r"(\((?!\?)|\[\^?[^][\\]+\]|\{\d{1,3}(,\d{0,3})?\}|[^][\\({])*", re.DOTALL)
"""What PostgreSQL and RE2 read in one way; which parentheses belong together both check."""

_REPEATED = r"(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?(?![*+?{])"
_CHARACTERS = rf"(?:(?:[^][\\(){{}}*+?|^$]|\[\^?[^][\\]+\]){_REPEATED})*"
_ONE_WAY = re.compile(
    rf"\^?{_CHARACTERS}(?:\({_CHARACTERS}\)(?![*+?{{]){_CHARACTERS})*\$?", re.DOTALL
)
"""Of which both find one match, and one of the first group; no sign after a sign, and no |."""

_OPTIONAL = re.compile(r"\)[?*{]|\|")
"""What could leave a group without a match of its own: NULL there, '' in DuckDB."""


def _raw(node: exp.Expr, dialect: str) -> exp.Expr:
    """r'…' of BigQuery, whose backslashes are characters, as they are in '…' here. Where a quote or
    the end of the text comes after one, it ends there for some parsers.
    """
    text = str(node.this)
    if dialect != "bigquery" or re.search(r"['\"]|\\$", text):
        raise refuse(node, dialect, "a raw string but without quotes")
    return exp.Literal.string(text)


def _pattern(node: exp.Expr, dialect: str) -> str:
    pattern = node.expression
    if dialect not in ("bigquery", "postgres"):
        raise refuse(node, dialect)
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        raise refuse(node, dialect, "a regular expression that is no constant string")
    return str(pattern.this)


def _matches(node: exp.Expr, dialect: str) -> exp.Expr:
    """REGEXP_CONTAINS, ~ and ~*: whether there is a match anywhere in the text."""
    text, postgres = _pattern(node, dialect), dialect == "postgres"
    if postgres and (_ALIKE.fullmatch(text) is None or text.startswith("***")):
        what = "a regular expression that RE2 could read otherwise"
        help = "use LIKE, or letters, . ^ $ | * + ?, [sets] and (groups) without backslashes"
        raise refuse(node, dialect, what, help)
    options = "s" * postgres + "i" * isinstance(node, exp.RegexpILike)
    flag = exp.Literal.string(options) if options else None
    return exp.RegexpLike(this=node.this, expression=node.expression, flag=flag)


def _extract(node: exp.Expr, dialect: str) -> exp.Expr:
    """REGEXP_EXTRACT(x, p): the match, or that of its group, and NULL where there is none."""
    text = _pattern(node, dialect)
    if dialect != "bigquery" or (node.args.get("group") and _OPTIONAL.search(text)):
        what = "REGEXP_EXTRACT of a group that a match may be without"
        raise refuse(node, dialect, what if dialect == "bigquery" else None)
    found = {"this": node.this, "expression": node.expression}
    group = node.args.get("group") or exp.Literal.number(0)
    part = exp.RegexpExtract(**found, group=group, null_if_pos_overflow=True)
    copies = {key: value.copy() for key, value in found.items()}
    return exp.Case(ifs=[exp.If(this=exp.RegexpLike(**copies), true=part)])


def _replace(node: exp.Expr, dialect: str) -> exp.Expr:
    """REGEXP_REPLACE(x, p, r): every match, by a text in which \\1 is what the first group has."""
    _pattern(node, dialect)
    by = node.args["replacement"]
    if dialect != "bigquery" or not isinstance(by, exp.Literal) or not by.is_string:
        raise refuse(node, dialect)
    every = exp.Literal.string("g")
    return exp.RegexpReplace(
        this=node.this,
        expression=node.expression,
        replacement=by,
        modifiers=every,
        single_replace=True,
    )


def substring_of_pattern(node: exp.Expr) -> exp.Expr | None:
    """PostgreSQL's SUBSTRING(x FROM 'a(.*)'): the first group of the match, or all of it without a
    group; None of one by positions. SUBSTR has none by patterns.
    """
    pattern = node.args.get("start")
    text = isinstance(pattern, exp.Literal) and pattern.is_string
    if pattern is None or not text or called(node).upper() != "SUBSTRING":
        return None
    if node.args.get("length") is not None:
        help = "write SUBSTRING(x FROM 'pattern'), with a regular expression"
        raise refuse(node, "postgres", "SUBSTRING by an SQL pattern with an escape", help)
    if _ONE_WAY.fullmatch(pattern.name) is None:
        what = "a regular expression of which RE2 could find another part"
        help = "use letters, . ^ $ * + ?, [sets] and (groups) that are not repeated"
        raise refuse(pattern, "postgres", what, help)
    found = {"this": node.this, "expression": pattern}
    copies = {key: value.copy() for key, value in found.items()}
    group = exp.Literal.number(1 if "(" in re.sub(r"\[[^]]*\]", "", pattern.name) else 0)
    line, ends = exp.Literal.string("s"), exp.Literal.string("s")
    part = exp.RegexpExtract(**found, group=group, parameters=line, null_if_pos_overflow=True)
    return exp.Case(ifs=[exp.If(this=exp.RegexpLike(**copies, flag=ends), true=part)])


RULES: dict[type[exp.Expr], Rule] = {
    exp.RawString: _raw,
    exp.RegexpLike: _matches,
    exp.RegexpILike: _matches,
    exp.RegexpExtract: _extract,
    exp.RegexpReplace: _replace,
}
