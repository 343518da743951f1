"""Every probe on D and on D′, without one unit: nothing but the noise may tell them apart."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from dpsql import audit
from dpsql.session.database import Database
from tests.adversarial.probes import WORLDS, Probe, Seen, fixed, generated, probes, seen
from tests.support.effort import DAY, some_of_each

ROOT = Path(__file__).resolve().parents[2]
QUERIES = [p for p in probes() if p.expect != "property"]
SOME = some_of_each(QUERIES, lambda probe: probe.cls, 3)
"""What `make test` tries of each kind; all of them are tried by `make test-deep`."""

GENERATED = 10
"""Databases that `make test-deep` tries each probe on, other ones each day."""

# Probes to be answered that are rejected for now.
LATER = {
    "nan_inf-002": "DP301",  # an infinity has no bound
    "nan_inf-003": "DP301",  # 0.0 / x has no range
    "nan_inf-004": "DP301",  # ln(x) near 0
}

ANSWERED = ("released", "public")
REFUSED = (
    *("Rejected", "InvalidArgument", "InvalidBudget", "BudgetExceeded", "UnknownDialect"),
    "ValueError",
    *("ProgrammingError", "NotSupportedError", "DataError"),
)


@cache
def worlds(name: str) -> tuple[Database, Database]:
    return fixed(name)


def as_it_should(probe: Probe, found: Seen) -> None:
    """The verdict is the right one, and costs what it should."""
    eps = probe.given.get("eps", 1)
    if probe.expect == "reject" or probe.id in LATER:
        assert found.verdict in REFUSED and found.cost == 0
        assert found.code == LATER.get(probe.id, found.code)
    elif probe.expect == "exact":
        assert found.verdict == "public" and found.cost == 0
    elif probe.expect == "free":
        assert found.verdict == "released" and found.cost == 0
    elif probe.expect == "answer":
        assert found.verdict == "released" and float(found.cost) == eps
    else:
        assert found.verdict in REFUSED + ANSWERED
        assert found.cost == 0 or found.verdict == "released"
    assert not found.chained


@pytest.mark.parametrize("probe", SOME, ids=lambda probe: probe.id)
def test_probe_tells_no_neighbours_apart(probe: Probe) -> None:
    with_seven, without = worlds(probe.world)
    found = seen(with_seven, probe)
    if found.verdict not in ("InvalidBudget", "BudgetExceeded"):
        assert seen(without, probe) == found
    as_it_should(probe, found)


@pytest.mark.deep
@pytest.mark.parametrize("number", range(GENERATED))
def test_generated_neighbours_are_not_told_apart(number: int) -> None:
    """All probes on a database of drawn rows, and on the same without one unit."""
    seed = GENERATED * DAY + number
    pairs = {name: generated(name, seed) for name in ("tpch", "types", "survey", "replace")}
    for probe in QUERIES:
        with_seven, without = pairs[probe.world]
        found = seen(with_seven, probe)
        assert seen(without, probe) == found, probe
        as_it_should(probe, found)


@pytest.mark.deep
@pytest.mark.parametrize("number", range(2))
def test_no_unit_moves_a_probe_further_than_claimed(number: int) -> None:
    pairs = {name: generated(name, number) for name in ("tpch", "types", "survey", "replace")}
    measured = 0
    for probe in QUERIES:
        db = pairs[probe.world][0]
        if not probe.given and seen(db, probe).verdict == "released":
            assert all(o.within for o in audit.sensitivity(db, probe.sql)), probe
            measured += 1
    assert measured > 150


def test_a_verdict_is_a_function_of_the_query() -> None:
    """What is refused is refused in the same words without any customer at all."""
    empty = WORLDS["tpch"].open("", seven=True)
    for probe in QUERIES:
        plain = not probe.given and probe.cls != "work"
        if probe.world == "tpch" and probe.expect == "reject" and plain:
            assert seen(worlds("tpch")[0], probe) == seen(empty, probe), probe


def test_there_are_enough_and_each_has_its_reason() -> None:
    assert len(QUERIES) >= 700
    assert len({p.id for p in probes()}) == len(probes())
    assert len({(p.sql, str(p.given), p.world) for p in probes()}) == len(probes())
    assert sum(n >= 10 for n in Counter(p.cls for p in probes()).values()) >= 25
    assert all(p.why for p in probes())


def test_what_is_not_one_query_names_its_test() -> None:
    for probe in probes():
        if probe.expect == "property":
            file, _, name = probe.test.partition("::")
            text = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\(", text, re.MULTILINE), probe.test
