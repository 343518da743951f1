"""The work of an analysis grows with the query, whatever its shape: nothing can be asked that keeps
dpsql busy for long before anything is charged.

What is counted is calls of functions, which no machine is slower at.
"""

from __future__ import annotations

import cProfile
import pstats
import subprocess
import sys
from fractions import Fraction

import pytest

from dpsql.compile import compile_query, plain_source
from dpsql.core.account.divergences import laplace
from dpsql.core.release.statements import statements
from dpsql.errors import Rejected
from dpsql.execution import ready
from dpsql.report.explanation.explanation import explanation
from tests.support.answers import home
from tests.support.effort import chosen
from tests.support.hostile import SHAPES
from tests.support.policies import load

LINEAR = {
    "corr": 8,
    "corr same": 40,
    "avg": 24,
    "median": 20,
    "windows": 12,
    "aggregates in arithmetic": 24,
    "filter equal": 30,
    "filter or": 20,
    "filter range": 16,
    "case sums": 24,
    "or of pairs": 100,
    "in of decimals": 200,
    "grouped by in of texts": 200,
    "case search": 60,
    "exists or": 16,
    "unions of releases": 10,
    "unions told apart": 10,
    "values": 60,
    "chain of filters": 20,
    "post-processing columns": 30,
    "having": 20,
}
"""Shapes, and a size that takes some tenths of a second."""

MOST = 2.4
"""How many times the calls there may be for twice the size: 2, and a little for what a level of
nesting or a pair of short conditions costs.
"""


def analysed(text: str) -> str:
    """All that comes before a charge, but for the engine's part; and what it is for people."""
    schema = load("shop").schema
    compiled = compile_query(text, schema, Fraction(1))
    _ = compiled.query.trace  # type: ignore[union-attr]
    for release in compiled.query.releases:  # type: ignore[union-attr]
        statements(release, plain_source)
    found = explanation(compiled, tuple)
    return str(found) + str(found.tree)


def calls(text: str) -> int:
    """How many functions are called for it."""
    laplace.cache_clear()
    profile = cProfile.Profile()
    profile.enable()
    try:
        analysed(text)
    finally:
        profile.disable()
    return sum(own for own, *_ in pstats.Stats(profile).stats.values())  # type: ignore[attr-defined]


@pytest.mark.deep
@pytest.mark.parametrize("name", LINEAR)
def test_twice_the_query_is_twice_the_work(name: str) -> None:
    shape, size = SHAPES[name], LINEAR[name]
    calls(shape(3))  # what is made once
    assert calls(shape(2 * size)) <= MOST * calls(shape(size))


def test_a_union_of_many_is_not_multiplied_out() -> None:
    """Of 24 branches there would be 2^24 products."""
    laplace.cache_clear()
    shape = SHAPES["unions told apart"]
    calls(shape(3))
    assert calls(shape(24)) <= 2 * MOST * calls(shape(12))


TOO_LARGE = {
    "regexes": (1_400, "different regular expressions"),
    "nested nullif": (30, "copies"),
    "nested simple case": (30, "copies"),
    "nested between": (30, "copies"),
    "public nested nullif": (30, "copies"),
    "public nested case": (30, "copies"),
    "post-processing nullif": (30, "copies"),
    "chain of sums": (30, "too large once"),
    "chain of filtered cases": (30, "too large once"),
    "chain of public cases": (30, "too large once"),
    "doubling union": (30, "once each use of a WITH query is written out"),
    "doubling join": (30, "once each use of a WITH query is written out"),
    "values": (3_000, "rows of VALUES"),
    "sum": (1_000, "aggregates in one SELECT"),
    "brackets": (200, "nested"),
    "plus": (5_000, "nested"),
    "or": (20_000, "tokens"),
    "exists": (300, "tables"),
    "pivots": (60, "PIVOT makes more than 500 columns"),
    "groupings": (30, "more than 12 groupings, each of the one before it"),
}
"""Shapes that would double with each level, or take seconds, and what is said of them."""


@pytest.mark.parametrize("name", TOO_LARGE)
@pytest.mark.one_in(2)
def test_what_would_take_long_is_rejected_before(name: str) -> None:
    size, message = TOO_LARGE[name]
    laplace.cache_clear()
    with pytest.raises(Rejected) as caught:
        compile_query(SHAPES[name](size), load("shop").schema, Fraction(1))
    problem = caught.value.diagnostics[0]
    assert problem.code == "DP103" and message in problem.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"SELECT COUNT(*) FROM orders {'NATURAL JOIN ' * 60} lines", "DP101"),
        (f"SELECT COUNT(*) FROM orders {'JOIN lines ' * 60} {'ON TRUE ' * 60}", "DP103"),
        (f"SELECT COUNT(*) FROM orders o, {'LATERAL (o, ' * 60}(SELECT 1){')' * 60}", "DP103"),
        (f"SELECT COUNT(*) FROM orders o, {'LATERAL (o, ' * 60}", "DP103"),
        (
            f"SELECT COUNT(*) FROM orders {'JOIN lines ' * 60} WHERE units IN "
            f"(SELECT units FROM orders {'JOIN lines ON ON ON TRUE ' * 60})",
            "DP103",
        ),
    ],
)
def test_joins_that_the_parser_takes_forever_to_read(text: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        compile_query(text, load("shop").schema, Fraction(1))
    assert caught.value.code == code


def test_what_becomes_too_much_sql_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    home("shop").session._analysis.kept.clear()
    monkeypatch.setattr(ready, "MAX_SQL", 100_000)
    home("shop").session.explain(SHAPES["corr"](1), eps=1)
    with pytest.raises(Rejected) as caught:
        home("shop").session.explain(SHAPES["corr"](5), eps=1)
    assert "100,000 characters of SQL" in caught.value.diagnostics[0].message


SLOW = """
import re, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
from tests.analyze.test_hostile import analysed
from tests.support.hostile import SHAPES
from dpsql.errors import Rejected
try:
    analysed(SHAPES[sys.argv[1]](int(sys.argv[2])))
except Rejected:
    pass
# Not ru_maxrss: that of the process that started this one is in it.
print(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1])
"""


LARGE = {
    "nested simple case": 32,
    "public nested nullif": 32,
    "far key": 308,
    "post-processing abs": 40,
}


@pytest.mark.parametrize("name", chosen(LARGE, "public nested nullif", "far key"))
def test_it_ends(name: str) -> None:
    """A guard against hanging: ten times what it takes, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, name, str(LARGE[name])],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(ran.stdout) < 1_000_000  # KB; it was five gigabytes
