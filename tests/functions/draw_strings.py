"""Hypothesis strategies: calls of each function of strings with its constants, over tables."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dpsql.core.functions import regex, string_search, string_shape
from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.types import INTEGER, VARCHAR, Type
from tests.functions import draw
from tests.functions.engine import Table

NAMES = {f.name for module in (regex, string_search, string_shape) for f in module.FUNCTIONS}

PIECES = ["", "a", "ä", "aa", "it's", "🤦", "%", "\\", " ", "e", "20", "x\n", "İ", "\u0301"]
REGEXPS = [
    "",
    "a",
    "^a",
    "a$",
    "(a)|(ä)",
    "a*",
    "(a*)*",
    ".",
    "..",
    "[^a]+",
    r"\d+",
    r"\bx\b",
    "é?",
]
REGEXPS += [r"(\d)(\d)?", "(?i)A|Ä", "(?:x|y)*?", "[[:alpha:]]+", r"\W", "a{2,9}", "'", "🤦", r"\\"]
REPLACEMENTS = ["", "x", r"[\0]", r"\\", "ä🤦", "'"]
LIKES = ["a%", "%a$%b%", "$_", "_$%_", "%%", "$a", "%ä", "a%b$_c", "$$", "", "%x__%"]
GLOBS = [
    "*",
    "a*",
    "*a*",
    "?",
    "??",
    "[a-z]*",
    "[!a]",
    "[",
    "a[",
    "\\",
    "\\*",
    "*ä",
    "[]]",
    "*[ab]x",
]


def groups() -> list[tuple[Type, ...]]:
    """Types of columns that the functions take."""
    return [(a, b) for a in draw.STRINGS for b in draw.STRINGS]


def constant(value: str | int) -> Literal:
    """A constant."""
    return Literal(value, VARCHAR if isinstance(value, str) else INTEGER)


def pieces() -> st.SearchStrategy[str]:
    """Strings to look for, and to put in."""
    return st.sampled_from(PIECES) | st.text(st.sampled_from("aäx 12🤦"), max_size=3)


def _counts() -> st.SearchStrategy[int]:
    return st.integers(-9, 9) | st.sampled_from([1_000_000, -1_000_000])


def _more(name: str) -> st.SearchStrategy[tuple[str | int, ...]]:
    """The constants after the first argument."""
    if name in ("contains", "strpos"):
        return st.tuples(pieces())
    if name in ("left", "right"):
        return st.tuples(_counts())
    if name in ("replace", "translate"):
        return st.tuples(pieces(), pieces())
    if name == "split_part":
        return st.tuples(pieces(), _counts())
    if name in ("lpad", "rpad"):
        return st.tuples(st.integers(0, 12) | st.just(1000), pieces().filter(bool))
    if name == "repeat":
        return st.tuples(st.integers(0, 5) | st.just(64))
    if name in ("like_escape", "ilike_escape"):
        return st.tuples(st.sampled_from(LIKES), st.just("$"))
    if name == "glob":
        return st.tuples(st.sampled_from(GLOBS))
    if name in ("regexp_matches", "regexp_full_match"):
        return st.tuples(st.sampled_from(REGEXPS)) | st.tuples(
            st.sampled_from(REGEXPS), st.sampled_from(["", "i", "s", "c", "is"])
        )
    if name == "regexp_extract":
        return (
            st.tuples(st.sampled_from(REGEXPS))
            | st.tuples(st.sampled_from(REGEXPS), st.integers(0, 9))
            | st.tuples(st.sampled_from(REGEXPS), st.integers(0, 9), st.sampled_from(["i", "s"]))
        )
    if name == "regexp_replace":
        options = st.sampled_from(["", "g", "gi", "s"])
        return st.tuples(st.sampled_from(REGEXPS), st.sampled_from(REPLACEMENTS), options)
    return st.just(())


@st.composite
def expression(pick: Any, name: str, table: Table) -> Expr:
    """A call of the function, over the table's columns; sometimes within another."""
    first, second = Ref(table.columns[0]), Ref(table.columns[1])
    if name in ("starts_with", "ends_with"):
        other = pick(st.just(second) | pieces().map(constant))
        return make(name, (first, other), None)
    if name == "concat_ws":
        others = pick(st.lists(st.just(second) | pieces().map(constant), max_size=2))
        return make(name, (constant(pick(pieces())), first, *others), None)
    inner: Expr = first
    if pick(st.integers(0, 3)) == 0:
        inner = make("concat", (first, second), None)
    return make(name, (inner, *(constant(v) for v in pick(_more(name)))), None)
