"""The parts of an audit: exact bounds, the owner's units, many worlds at once, the page."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.audit.binomial import at_least, at_most
from dpsql.audit.databases import Maker, Owners, neighbours
from dpsql.audit.observed_claims import GROUPS, Observer
from dpsql.audit.world_store import WorldStore
from dpsql.audit.worlds import Printed, Worlds
from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError
from dpsql.platform.engine.protocol import Snapshot
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database
from tests.audit.test_planted import PRIVATE, compiled, opened

# --- exact bounds --------------------------------------------------------------------------------


def test_bounds_are_those_of_clopper_and_pearson() -> None:
    # For k = 0 and k = n there are closed forms: 1 - α^(1/n), and α^(1/n).
    for n, alpha in ((1, 0.05), (30, 0.01), (10_000, 1e-6)):
        assert at_least(0, n, alpha) == 0 and at_most(n, n, alpha) == 1
        assert at_most(0, n, alpha) == pytest.approx(1 - alpha ** (1 / n), rel=1e-6)
        assert at_least(n, n, alpha) == pytest.approx(alpha ** (1 / n), rel=1e-6)
    # Tables of Clopper and Pearson, 95 % two-sided: 8 of 10, and 4 of 20.
    assert at_least(8, 10, 0.025) == pytest.approx(0.4439, abs=5e-5)
    assert at_most(8, 10, 0.025) == pytest.approx(0.9748, abs=5e-5)
    assert at_least(4, 20, 0.025) == pytest.approx(0.0573, abs=5e-5)
    assert at_most(4, 20, 0.025) == pytest.approx(0.4366, abs=5e-5)


@pytest.mark.parametrize("p", [0.01, 0.37, 0.5, 0.93])
def test_a_bound_is_wrong_no_more_often_than_it_says(p: float) -> None:
    n, alpha = 60, 0.02
    masses = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    assert sum(m for k, m in enumerate(masses) if at_least(k, n, alpha) > p) <= alpha
    assert sum(m for k, m in enumerate(masses) if at_most(k, n, alpha) < p) <= alpha


@pytest.mark.parametrize(("k", "n", "alpha"), [(-1, 5, 0.1), (6, 5, 0.1), (1, 5, 0.0), (1, 5, 1.0)])
def test_what_is_no_count_has_no_bound(k: int, n: int, alpha: float) -> None:
    with pytest.raises(ValueError, match="needed"):
        at_least(k, n, alpha)


# --- worlds --------------------------------------------------------------------------------------


def test_all_worlds_at_once_are_each_alone() -> None:
    with opened() as db:
        sql = "SELECT town, SUM(cost) AS s FROM people JOIN visits ON id = person GROUP BY town"
        observer = Observer.of(compiled(db, sql))
        maker = Maker(db.schema, sql, random.Random(3))
        with WorldStore(db.schema) as store:
            side = store.fill([maker.draw().tables for _ in range(40)])
            found = []
            for together in (True, False):
                worlds = Worlds(side, Printed.of(observer.query, side.source), [{}])
                worlds.read(together=together)
                assert worlds.one_by_one is not together
                found.append([(w[0].groups, w[0].values) for w in worlds.all(range(40))])
    assert found[0] == found[1]
    assert any(any(any(values) for values in world[1]) for world in found[0])


class _OnlyPlain:
    """An engine that knows no LATERAL."""

    def __init__(self, store: WorldStore) -> None:
        self.store = store

    def rows(
        self, sql: str, parameters: object = None, kept: object = ()
    ) -> list[tuple[object, ...]]:
        if "LATERAL" in sql:
            raise EngineError("no")
        return self.store.rows(sql)


def test_an_engine_that_cannot_is_asked_for_each() -> None:
    with opened() as db, WorldStore(db.schema) as store:
        observer = Observer.of(compiled(db, "SELECT COUNT(*) AS n FROM visits"))
        maker = Maker(db.schema, "SELECT COUNT(*) AS n FROM visits", random.Random(1))
        side = store.fill([maker.draw().tables for _ in range(4)])
        plain: Snapshot = _OnlyPlain(store)  # type: ignore[assignment]
        sides = (side, type(side)(plain, *(getattr(side, n) for n in side.__slots__[1:])))
        seen = []
        for one in sides:
            worlds = Worlds(one, Printed.of(observer.query, one.source), [{}])
            worlds.read()
            seen.append([w[0].values for w in worlds.all(range(4))])
        assert worlds.one_by_one and seen[0] == seen[1]


def test_generated_neighbours_differ_in_one_unit() -> None:
    for kind in ("add_remove", "replace"):
        with opened(kind) as db:
            maker = Maker(db.schema, "SELECT * FROM people JOIN visits", random.Random(5))
            made = [maker.draw() for _ in range(60)]
            made += [maker.mutate(a, b) for a, b in pairwise(made)]
            pairs = [pair for c in made if (pair := neighbours(c, db.schema)) is not None]
            assert len(pairs) > 60
            for a, b in pairs:
                gone = _units(db, a) ^ _units(db, b)
                assert len(gone) == (2 if kind == "replace" else 1)
                keys = [row[0] for row in a["people"]]
                assert len(keys) == len(set(keys)) and None not in keys


def _units(db: Database, tables: object) -> set[object]:
    owners = Owners(db.schema, tables)  # type: ignore[arg-type]
    found: set[object] = set()
    for low, table in db.schema.tables.items():
        found |= {owners.of(table, row) for row in tables[low]}  # type: ignore[index]
    return found - {None}


def test_a_seed_is_the_same_search() -> None:
    with opened() as db:
        made = compiled(db, "SELECT SUM(cost) AS s FROM visits")
        one, two = (audit.check_compiled(db, made, worlds=200, samples=0, seed=9) for _ in range(2))
    assert one == two


# --- the owner's data ----------------------------------------------------------------------------


def test_of_many_units_the_heaviest_and_some_others_are_removed() -> None:
    con = duckdb.connect(":memory:", config={"threads": "1"})
    con.execute("CREATE TABLE t AS SELECT i % 300 AS u, i AS x FROM range(900) AS r(i)")
    con.execute("INSERT INTO t SELECT 7, i FROM range(20) AS r(i)")
    policy = dpsql.Policy.parse(
        "unit: t.u\nbudget: {eps: 9}\ntables:\n  t:\n    access: private\n"
        "    columns: {u: {max_rows: 30}, x: {}}\n"
    )
    with dpsql.connect(con, policy, ledger=MemoryLedger(Cost(Fraction(9)))) as db:
        found = audit.check(db, "SELECT COUNT(*) AS n FROM t", units=10, worlds=0, samples=0)
    assert (found.units, found.removed, found.heaviest) == (300, 10, 5)
    assert {c.what: c.data for c in found.checked}["L1"] == 23
    assert "290 of 300 units were not removed" in found.notes[0]


def test_each_row_may_be_a_unit() -> None:
    con = duckdb.connect(":memory:", config={"threads": "1"})
    con.execute("CREATE TABLE p (x INTEGER); INSERT INTO p VALUES (1), (5), (NULL)")
    policy = (
        "unit: p\nbudget: {eps: 9}\ntables:\n  p:\n    access: private\n"
        "    columns: {x: {bounds: [0, 5]}}\n"
    )
    with dpsql.connect(con, policy, ledger=MemoryLedger(Cost(Fraction(9)))) as db:
        found = audit.check(db, "SELECT SUM(x) AS s, COUNT(*) AS n FROM p", worlds=100, samples=0)
        assert found.removed == 3 and found.holds
        seen = {c.name: c.data for c in found.checked if c.what == "L1"}
        assert seen == {"rows with x near 0": 1, "rows with x near 5": 1}


# --- private groups ------------------------------------------------------------------------------


def test_a_group_that_one_world_alone_shows_is_no_claim_on_its_numbers() -> None:
    """Units are cut to their groups by a hash, and counts in proportion: a unit may count in a
    group that is not there because of it. What is compared is the list that came out.
    """
    con = duckdb.connect(":memory:", config={"threads": "1"})
    con.execute("CREATE TABLE note (who INTEGER, txt VARCHAR)")
    con.execute(
        "INSERT INTO note VALUES (1, 'b'), (1, 'b'), (2, 'a'), (2, 'A'), (2, 'b'), (2, 'b')"
    )
    policy = (
        "unit: note.who\nbudget: {eps: 9, delta: 1e-6}\ntables:\n  note:\n    access: private\n"
        "    columns: {who: {max_rows: 2}, txt: {}}\n"
    )
    sql = "SELECT txt, COUNT(*) AS n FROM note GROUP BY 1"
    with dpsql.connect(
        con, policy, ledger=MemoryLedger(Cost(Fraction(9), Fraction(1, 10**6)))
    ) as db:
        assert all(o.within for o in audit.sensitivity(db, sql))
        found = audit.check(db, sql, worlds=400, samples=0)
    assert found.holds
    (groups,) = (c for c in found.checked if c.what == GROUPS)
    assert 1 <= (groups.data or 0) <= groups.claimed
    assert any("an event of δ" in note for note in found.notes)


# --- what it says --------------------------------------------------------------------------------


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)


def test_the_page_has_both_histograms_and_nothing_from_elsewhere() -> None:
    with opened() as db:
        found = audit.check(db, f"{PRIVATE} HAVING COUNT(*) > 0", worlds=100, samples=400)
    text = found.to_html()
    parser = _Parser()
    parser.feed(text)
    assert "svg" in parser.tags and "script" not in parser.tags
    assert text.count("<polygon") == 2 * text.count("<svg")
    assert found.estimate is not None
    for histogram in found.estimate.histograms:
        assert sum(histogram.with_unit) <= 400 and sum(histogram.without) <= 400
    assert json.loads(json.dumps(found.to_dict()))["holds"] is True


def test_a_public_query_has_nothing_private(db: Database) -> None:
    found = audit.check(db, "SELECT 1 AS x")
    assert found.holds and not found.released
    assert (
        str(found)
        == "public: the query reads public tables alone; there is nothing private to audit"
    )
    assert "nothing private" in found.to_html()


def test_a_name_that_could_be_html_is_none(db: Database) -> None:
    found = audit.check(db, 'SELECT COUNT(*) AS "<b>\u202e" FROM visits', worlds=100, samples=100)
    assert "<b>" not in found.to_html() and "\u202e" not in str(found) + found.to_html()


def test_numbers_that_are_none_are_refused(db: Database) -> None:
    sql = "SELECT COUNT(*) FROM visits"
    for wrong in ({"worlds": -1}, {"samples": 3}, {"units": -1}, {"confidence": 1.0}):
        with pytest.raises(ValueError, match=r"negative|between"):
            audit.check(db, sql, **wrong)  # type: ignore[arg-type]
    with pytest.raises(dpsql.Rejected):
        audit.check(db, "SELECT nothing FROM visits")


def test_nothing_is_charged(db: Database) -> None:
    audit.check(db, "SELECT COUNT(*) FROM visits", worlds=100, samples=100)
    assert db.budget.spent.eps == 0


def test_an_audit_tells_how_far_it_is(db: Database) -> None:
    told: list[tuple[str, int, int]] = []
    audit.check(
        db,
        "SELECT COUNT(*) FROM visits",
        worlds=100,
        samples=100,
        progress=lambda *found: told.append(found),
    )
    assert {stage: done for stage, done, _ in told} == {
        "units removed": 4,
        "databases generated": 100,
        "answers drawn": 200,
    }


@pytest.fixture
def db() -> object:
    with opened() as found:
        yield found
