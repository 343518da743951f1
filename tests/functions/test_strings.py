"""The rules of string functions: what is refused, what bounds a result's length, and NULLs."""

from __future__ import annotations

import pytest
from sqlglot import exp

from dpsql.core.emit.plans import scalar
from dpsql.core.enforce.secure import secure, total
from dpsql.core.functions.build import make
from dpsql.core.functions.regex_states import MAX_STATES, Refused, check
from dpsql.core.functions.string_length import MAX_LENGTH
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, walk
from dpsql.core.plan.values import Values
from dpsql.errors import Rejected
from dpsql.types import BIGINT, VARCHAR
from tests.functions.draw_strings import constant
from tests.functions.engine import CONNECTION

S = Ref(Column(0, "s", VARCHAR))
ENV = {0: Values(nullable=False, length=1000)}


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
    ("expr", "most"),
    [
        (S, 1000),
        (call("repeat", 64), 64_000),
        (call("repeat", 0), 0),
        (make("repeat", (constant("ab" * 50), constant(64)), None), 6400),
        (make("concat", (S, constant("xyz"), S), None), 2003),
        (make("concat_ws", (constant(", "), S, S, S), None), 3004),
        (call("replace", "a", "bb"), 2000),
        (call("replace", "aaa", "bbbb"), 333 * 4 + 1),
        (call("replace", "", "bb"), 1000),
        (call("replace", "aa", "ä"), 1000),
        (call("translate", "a", "🤦"), 1000),
        (call("lpad", 7, "xy"), 7),
        (call("rpad", 1000, "🤦"), 1000),
        (call("left", 5), 5),
        (call("left", -5), 1000),
        (call("right", 2000), 1000),
        (call("substring", 3, 4), 4),
        (call("regexp_extract", "(a+)b", 1), 1000),
        (call("regexp_replace", "a", r"\0\0"), 3004),
        (call("regexp_replace", "a", "xyz", "g"), 1000 + 3 * 1001),
        (call("regexp_replace", "", "xyz", "g"), 1000 + 3 * 1001),
        (call("regexp_replace", "(.)", r"\1\1", "g"), 3000 + 4 * 1001),
        (make("lower", (call("upper"),), None), 1000),
        (make("coalesce", (S, constant("x" * 1001)), None), 1001),
        (make("nullif", (S, constant("x" * 1001)), None), 1000),
        (Case(((make("gt", (S, constant("a")), None), S),), constant("x" * 7), VARCHAR), 1000),
        (Call("cut", (S, constant(9)), VARCHAR), 9),
        (Call("cut", (S, constant(1001)), VARCHAR), 1000),
    ],
)
def test_length(expr: Expr, most: int) -> None:
    """No text of 1000 characters gives more; the inferred bound is `most`."""
    assert infer(expr, ENV).longest == most
    assert total(expr, ENV) == expr
    for value in ("a" * 1000, "ä" * 1000, "aä" * 500, "🤦" * 1000, "b" * 1000, "aab" * 333, ""):
        sql = scalar(expr, {0: exp.Literal.string(value)}).sql(dialect="duckdb")
        (size,) = CONNECTION.execute(f"SELECT length({sql})").fetchone() or (0,)
        assert size is None or size <= most


@pytest.mark.parametrize(
    ("name", "args"), [("repeat", (64,)), ("replace", ("a", "bb")), ("rpad", (1000, "x"))]
)
def test_length_is_reached(name: str, args: tuple[str | int, ...]) -> None:
    expr = call(name, *args)
    sql = scalar(expr, {0: exp.Literal.string("a" * 1000)}).sql(dialect="duckdb")
    assert CONNECTION.execute(f"SELECT length({sql})").fetchall() == [(infer(expr, ENV).longest,)]


def test_length_ends() -> None:
    """Whatever stands between two concatenations, the lengths add up."""
    expr: Expr = S
    for _ in range(9):
        expr = make("lower", (make("concat", (expr, expr), None),), None)
    assert infer(expr, ENV).longest == 512_000 <= MAX_LENGTH
    total(expr, ENV)
    for more in (make("concat", (expr, expr), None), make("repeat", (expr, constant(2)), None)):
        with pytest.raises(Rejected, match="DP306"):
            total(more, ENV)
    exact = make("concat", (constant("x" * (MAX_LENGTH - 1000)), S), None)
    total(exact, ENV)
    with pytest.raises(Rejected, match="DP306"):
        total(make("concat", (exact, constant("x")), None), ENV)


UNDECLARED = {0: Values()}


@pytest.mark.parametrize(
    ("expr", "places"),
    [
        (call("repeat", 2), 1),
        (make("concat", (S, S), None), 2),
        (
            make("repeat", (Case(((make("eq", (S, S), None), S),), S, VARCHAR), constant(2)), None),
            2,
        ),
        (make("length", (make("coalesce", (S, constant("")), None),), None), 1),
        (call("like", "a%"), 1),
        (call("regexp_matches", "a"), 1),
        (make("eq", (S, constant("a")), None), 0),
        (make("lt", (S, S), None), 0),
        (make("in", (S, constant("a")), None), 0),
        (make("is_null", (S,), None), 0),
        (S, 0),
    ],
)
def test_what_a_function_reads_is_cut(expr: Expr, places: int) -> None:
    """A text is cut where a function reads it, behind a CASE too, and not where it is compared."""
    safe = secure(expr, UNDECLARED, ENV, value=False)
    cuts = [n for n in walk(safe) if isinstance(n, Call) and n.function == "cut"]
    assert cuts == [Call("cut", (S, Literal(1000, BIGINT)), VARCHAR)] * places
    assert secure(expr, ENV, ENV, value=False) == expr


def test_a_text_without_any_bound_is_refused_where_it_grows() -> None:
    with pytest.raises(Rejected, match="DP306"):
        secure(call("repeat", 2), UNDECLARED, UNDECLARED, value=False)


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_cut(most: int) -> None:
    """The first characters, whatever their bytes; NULL stays NULL."""
    expr = Call("cut", (S, constant(most)), VARCHAR)
    for value in ("", "a", "äbc", "🤦🏼‍♂️x", "abcdef"):
        sql = scalar(expr, {0: exp.Literal.string(value)}).sql(dialect="duckdb")
        assert CONNECTION.execute(f"SELECT {sql}").fetchall() == [(value[:most],)]
    sql = scalar(expr, {0: exp.Null()}).sql(dialect="duckdb")
    assert CONNECTION.execute(f"SELECT {sql}").fetchall() == [(None,)]


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
