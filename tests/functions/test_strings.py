"""The rules of string functions: what is refused, what bounds a result's length, and NULLs."""

from __future__ import annotations

import pytest
from sqlglot import exp

from dpsql.analyze.ranges import infer
from dpsql.errors import Rejected
from dpsql.plan.expr import Column, Expr, Literal, Ref
from dpsql.plan.values import Values
from dpsql.rewrite.secure import total
from dpsql.sql.build import make
from dpsql.sql.emit import scalar
from dpsql.sql.functions.regex_states import MAX_STATES, Refused, check
from dpsql.sql.functions.string_growth import MAX_GROWTH
from dpsql.types import VARCHAR
from tests.functions.draw_strings import constant
from tests.functions.engine import CONNECTION

S = Ref(Column(0, "s", VARCHAR))
ENV = {0: Values(nullable=False)}


def call(name: str, *more: str | int | Expr) -> Expr:
    args = (v if not isinstance(v, str | int) else constant(v) for v in more)
    return make(name, (S, *args), None)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *(("contains", (v,)) for v in (S, "a" * 257, 1)),
        ("strpos", ("a" * 257,)),
        ("replace", ("a", S)),
        ("replace", ("a", "b" * 257)),
        ("split_part", (S, 1)),
        ("split_part", (",", S)),
        *(("lpad", v) for v in ((1001, "x"), (-1, "x"), (3, ""), (3, "x" * 65), (S, "x"))),
        ("rpad", (3, "")),
        *(("repeat", (v,)) for v in (65, -1, S)),
        ("left", (1_000_001,)),
        *(("like_escape", v) for v in (("a$", "$"), ("a", "$$"), ("%" + "_" * 9, "$"))),
        ("like_escape", ("a%" + "$_" + "_" * 9, "$")),
        *(("glob", (v,)) for v in ("*?????", "*[a][a][a][a]?", "a" * 65, S)),
        ("regexp_matches", (S,)),
        ("regexp_matches", ("a" * 257,)),
        *(("regexp_matches", ("a", v)) for v in ("g", "ci", "l", "x")),
        *(("regexp_extract", ("a", v)) for v in (-1, 10, "i")),
        *(
            ("regexp_replace", v)
            for v in (("a", r"\1"), ("a", r"\q"), ("a", "\\"), ("a", "x" * 33))
        ),
        ("translate", (S, "a")),
    ],
)
def test_refused(name: str, more: tuple[str | int | Expr, ...]) -> None:
    with pytest.raises(Rejected, match="DP205"):
        call(name, *more)


PATHOLOGICAL = ["(a|b)*a(a|b){20}c", "c(a|b){20}a(a|b)*$", "(a|b)*a" + "(a|b)" * 20, ".*a.{30}"]


@pytest.mark.parametrize(
    "pattern",
    [
        *PATHOLOGICAL,
        *("(", ")", "a**", "[", "[z-a]", "\\", "a{2,1}", "(?=a)", "(?!a)", "(?<n>a)", r"\1", "*"),
        *(r"\C", r"a\C", r"[\C]", r"\Q\C\E", r"\pL", "a{1001}", "a{129}", "{", "(?i:a)", "(?U)a"),
        "(" * 21 + ")" * 21,
    ],
)
def test_refused_pattern(pattern: str) -> None:
    for name, more in (("regexp_matches", ()), ("regexp_extract", ()), ("regexp_replace", ("",))):
        with pytest.raises(Rejected, match="DP205"):
            call(name, pattern, *more)


@pytest.mark.parametrize(
    ("pattern", "width"),
    [
        *(("", 0), ("a", 1), ("a*", 0), ("a+", 1), ("ab|c", 1), (r"\d{3}-\d{3}-\d{4}", 12)),
        *((r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", 36), (r"[\w.+-]+@[\w-]+\.\w+", 5)),
        *((r"\b(foo|bar)\b", 3), ("(?i)hello", 5), ("[]a]", 1), ("[a-]", 1), ("x{2}{0}", 0)),
        *(("(a+)+$", 1), (".*foo.*bar.*", 6), ("(?P<n>a)", 1), ("[[:^alpha:]]", 1)),
    ],
)
def test_taken_pattern(pattern: str, width: int) -> None:
    if pattern in ("x{2}{0}", "[[:^alpha:]]"):  # what RE2 reads otherwise is refused
        with pytest.raises(Refused):
            check(pattern, "")
    else:
        assert check(pattern, "").width == width


def test_states_are_counted() -> None:
    """2^(n+1) states and a few: 5 characters back are taken, 6 are not."""
    check("(a|b)*a(a|b){5}c", "")
    with pytest.raises(Refused, match=str(MAX_STATES)):
        check("(a|b)*a(a|b){6}c", "")


@pytest.mark.parametrize(
    "pattern", ["a(.*z)?", "(a+c){0,9}", "a*?c|b.*d|a", "(a.*z)|b", "(ab.*c)*", "a(b{9}c)?"]
)
def test_replacing_all_would_be_quadratic(pattern: str) -> None:
    call("regexp_replace", pattern, "x")
    with pytest.raises(Rejected, match="DP205"):
        call("regexp_replace", pattern, "x", "g")


@pytest.mark.parametrize(
    "pattern", ["a", r"\s+", "[^,]*", "a|b", "(ab)+", "a*", "^a+", "a(b{5}c)?"]
)
def test_replacing_all_is_linear(pattern: str) -> None:
    call("regexp_replace", pattern, "x", "g")


@pytest.mark.parametrize("pattern", ["((.)*(.)*(.)*(.)*(.)*)", "(a|a|a|a|a)*", "(.{0,9}){6}"])
def test_groups_of_ambiguous_patterns(pattern: str) -> None:
    for name, more in (("regexp_extract", (1,)), ("regexp_replace", (r"\1",))):
        with pytest.raises(Rejected, match="DP205"):
            call(name, pattern, *more)
    call("regexp_extract", pattern)
    call("regexp_replace", pattern, r"\\1\0")


@pytest.mark.parametrize(
    "pattern",
    [r"(\d+)-(\d+)", "@(.+)$", "https?://([^/]+)/", r".*foo(\d+)", "(a)|(b)", "@(.*)[.]com"],
)
def test_groups(pattern: str) -> None:
    call("regexp_extract", pattern, 1)


@pytest.mark.parametrize(
    ("expr", "factor"),
    [
        (call("repeat", 64), 64),
        (call("replace", "a", "bb"), 2),
        (call("replace", "", "bb"), 1),
        (call("replace", "aa", "ä"), 1),
        (call("translate", "a", "🤦"), 4),
        (call("regexp_replace", "a", r"\0\0"), 3),
        (call("regexp_replace", "a", "xyz", "g"), 3),
        (call("regexp_replace", "", "xyz", "g"), 4),
        (call("regexp_replace", "(.)", r"\1\1", "g"), 6),
        (make("concat_ws", (constant(","), S, S), None), 3),
    ],
)
def test_growth(expr: Expr, factor: int) -> None:
    assert infer(expr, ENV).growth == factor
    assert total(expr, ENV) == expr
    for value in ("a" * 999, "ä" * 999, "aä" * 500, "🤦" * 999, "b" * 999):
        sql = scalar(expr, {0: exp.Literal.string(value)}).sql(dialect="duckdb")
        (size,) = CONNECTION.execute(f"SELECT strlen({sql})").fetchone() or (0,)
        assert size <= factor * len(value.encode()) + 8


def test_growth_ends() -> None:
    """Whatever stands between two concatenations, the factors multiply."""
    expr: Expr = S
    for _ in range(6):
        expr = make("lower", (make("concat", (expr, expr), None),), None)
    assert infer(expr, ENV).growth == MAX_GROWTH
    total(expr, ENV)
    for more in (make("concat", (expr, expr), None), make("repeat", (expr, constant(2)), None)):
        with pytest.raises(Rejected, match="DP306"):
            total(more, ENV)


def test_concat_ws_is_never_null() -> None:
    null = Literal(None, VARCHAR)
    expr = make("concat_ws", (constant(","), S, null), None)
    assert not infer(expr, {0: Values(nullable=True)}).nullable


def test_ranges_of_known_strings() -> None:
    env = {0: Values(nullable=False, finite=("", "ä🤦", "a"))}
    assert (infer(call("strlen"), env).low, infer(call("strlen"), env).high) == (0, 6)
    assert infer(call("bit_length"), env).high == 48
    assert (infer(call("strpos", "a"), env).low, infer(call("strpos", "a"), env).high) == (0, 2)
    assert infer(call("unicode"), env).low == -1
    assert infer(call("ascii"), env).low == 0
