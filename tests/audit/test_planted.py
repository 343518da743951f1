"""What is wrong is found: mutants of the analysis and of the noise, each planted in a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.audit import Report, check_compiled
from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.core.calibrate.calibration import PlannedRelease
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.functions import BY_NAME
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.release.picks import Pick
from dpsql.core.release.release import Release
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database

POLICY = """
unit: people.id
neighbours: {neighbours}
budget: {{eps: 100, delta: 1e-6}}
tables:
  people:
    access: private
    key: [id]
    {rows}
    columns:
      id: {{}}
      age: {{bounds: [18, 90], nullable: false}}
      town: {{values: [cork, derry, trim]}}
  visits:
    access: private
    columns:
      person: {{references: people.id, max_rows: 3}}
      cost: {{bounds: [0, 10]}}
      code: {{}}
"""
DDL = """
CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, town VARCHAR);
CREATE TABLE visits (person INTEGER, cost INTEGER, code VARCHAR);
INSERT INTO people VALUES (1, 20, 'cork'), (2, 30, 'derry'), (3, 40, 'trim'), (4, 50, NULL);
INSERT INTO visits VALUES (1, 2, 'a'), (1, 3, 'b'), (2, 5, 'a'), (3, 9, 'c'), (NULL, 1, 'a');
"""

WORLDS = 400

NOBODY = 10**6
"""A quota that nobody has more rows than."""

Mutant = Callable[[ReleasedQuery], ReleasedQuery]


def opened(neighbours: str = "add_remove") -> Database:
    con = duckdb.connect(":memory:", config={"threads": "1"})
    con.execute(DDL)
    rows = "rows: 4" if neighbours == "replace" else ""
    policy = dpsql.Policy.parse(POLICY.format(neighbours=neighbours, rows=rows))
    return dpsql.connect(con, policy, ledger=MemoryLedger(Cost(Fraction(100), Fraction(1, 10**6))))


@pytest.fixture
def db() -> Iterator[Database]:
    with opened() as found:
        yield found


def compiled(db: Database, sql: str) -> Compiled:
    options = Options(usual_delta(Fraction(1), None, db.schema))
    return compile_query(sql, db.schema, Fraction(1), options=options)


def audited(db: Database, sql: str, mutant: Mutant | None = None, samples: int = 0) -> Report:
    made = compiled(db, sql)
    assert isinstance(made.query, ReleasedQuery)
    if mutant is not None:
        made = replace(made, query=mutant(made.query))
    return check_compiled(db, made, worlds=WORLDS, samples=samples)


def of_release(change: Callable[[Release], Release]) -> Mutant:
    def changed(query: ReleasedQuery) -> ReleasedQuery:
        planned = (replace(p, release=change(p.release)) for p in query.planned)
        return replace(query, planned=tuple(planned))

    return changed


def less(name: str) -> Mutant:
    """One claim of each measure is one step too small."""

    def change(release: Release) -> Release:
        measures = tuple(
            replace(
                m, sensitivity=replace(m.sensitivity, **{name: getattr(m.sensitivity, name) - 1})
            )
            for m in release.measures
        )
        return replace(release, measures=measures)

    return of_release(change)


def without_quota(release: Release) -> Release:
    return replace(
        release,
        cells=None if release.cells is None else replace(release.cells, quota=NOBODY),
        pairs=tuple((replace(pairs, quota=NOBODY), n) for pairs, n in release.pairs),
    )


def fewer_rows(release: Release) -> Release:
    picks = tuple(replace(p, rows=p.rows - 1) if isinstance(p, Pick) else p for p in release.picks)
    return replace(release, picks=picks)


COUNTED = "SELECT COUNT(*) AS n FROM visits"
SUMMED = "SELECT SUM(cost) AS s FROM visits"
BY_TOWN = "SELECT town, COUNT(*) AS n FROM people JOIN visits ON id = person GROUP BY town"
DISTINCT = "SELECT COUNT(DISTINCT cost) AS n FROM visits"
PRIVATE = "SELECT code, COUNT(*) AS n FROM visits GROUP BY code"
MEDIAN = "SELECT MEDIAN(cost) AS m FROM visits"

PLANTED = {
    "l0 of a count": (COUNTED, less("l0"), "L0"),
    "l1 of a count": (COUNTED, less("l1"), "L1"),
    "l1 of a sum": (SUMMED, less("l1"), "L1"),
    "l2 of a sum": (SUMMED, less("l2_squared"), "L2"),
    "l∞ of a sum by town": (BY_TOWN, less("linf"), "L∞"),
    "quota of a count": (COUNTED, of_release(without_quota), "L1"),
    "quota of a sum": (SUMMED, of_release(without_quota), "L1"),
    "quota of distinct values": (DISTINCT, of_release(without_quota), "L1"),
    "quota of private groups": (PRIVATE, of_release(without_quota), "L1"),
    "rows of a median": (MEDIAN, of_release(fewer_rows), "L1"),
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.one_in(2)
def test_a_planted_bug_is_found(name: str, db: Database) -> None:
    sql, mutant, what = PLANTED[name]
    found = audited(db, sql, mutant)
    assert not found.holds
    assert what in {c.what for c in found.checked if not c.holds}
    assert found.example and all(line.startswith("INSERT INTO") for line in found.example)
    assert found.databases < WORLDS + 200  # the search ends with it


@pytest.mark.parametrize("sql", sorted({sql for sql, _, _ in PLANTED.values()}))
@pytest.mark.one_in(2)
def test_without_a_mutant_every_claim_holds(sql: str, db: Database) -> None:
    found = audited(db, sql)
    assert found.holds and not found.broken and not found.example
    assert found.databases >= WORLDS and found.removed == 4
    assert max(c.ratio for c in found.checked if c.what == "L1") == 1  # and cannot be lower


def test_a_missing_clamp_is_found(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    sql = "SELECT SUM(age) AS s FROM people"
    clamp = replace(BY_NAME["clamp"], sql=lambda args, node: args[0])
    monkeypatch.setitem(BY_NAME, "clamp", clamp)
    found = audited(db, sql)
    assert "L1" in {c.what for c in found.checked if not c.holds}
    assert any("people" in line for line in found.example)


@pytest.mark.parametrize("what", ["l1", "linf", None])
def test_under_replace(what: str | None) -> None:
    with opened("replace") as db:
        mutant = None if what is None else less(what)
        for sql in (BY_TOWN, "SELECT AVG(age) AS a FROM people"):
            assert audited(db, sql, mutant).holds == (what is None)


def test_a_claim_that_the_data_breaks_is_found_there(db: Database) -> None:
    made = compiled(db, "SELECT SUM(age) AS s FROM people")
    assert isinstance(made.query, ReleasedQuery)
    found = check_compiled(db, replace(made, query=_l1(made.query, 49)), worlds=0, samples=0)
    assert [c.data for c in found.checked if not c.holds] == [50]
    assert check_compiled(db, replace(made, query=_l1(made.query, 50)), worlds=0, samples=0).holds


def _l1(query: ReleasedQuery, l1: int) -> ReleasedQuery:
    def change(release: Release) -> Release:
        (measure,) = release.measures
        moved = replace(measure.sensitivity, l1=l1)
        return replace(release, measures=(replace(measure, sensitivity=moved),))

    return of_release(change)(query)


# --- noise ---------------------------------------------------------------------------------------


def quieter(query: ReleasedQuery) -> ReleasedQuery:
    def less(planned: PlannedRelease) -> PlannedRelease:
        noise = tuple(DiscreteLaplace(n.scale / 1.5) for n in planned.noise)  # type: ignore[union-attr]
        return replace(planned, noise=noise)

    return replace(query, planned=tuple(map(less, query.planned)))


def test_too_little_noise_is_found(db: Database) -> None:
    right = audited(db, COUNTED, samples=5000)
    assert right.holds and right.estimate is not None
    assert 0.6 < right.estimate.eps <= 1
    wrong = audited(db, COUNTED, quieter, samples=5000)
    assert not wrong.holds and wrong.estimate is not None
    assert wrong.estimate.eps > 1 and all(c.holds for c in wrong.checked)
    assert wrong.broken == (f"ε: claimed 1, at least {wrong.estimate.eps:.4g}",)


def test_no_threshold_is_found(db: Database) -> None:
    def shown(query: ReleasedQuery) -> ReleasedQuery:
        (planned,) = query.planned
        return replace(query, planned=(replace(planned, threshold=1),))

    assert audited(db, PRIVATE, samples=1000).holds
    wrong = audited(db, PRIVATE, shown, samples=1000)
    assert wrong.estimate is not None and wrong.estimate.delta > 1e-6 and not wrong.holds


def test_a_pick_that_is_too_sure_is_found(db: Database) -> None:
    sql = "SELECT MODE(town) AS m FROM people"
    assert audited(db, sql, samples=600).holds

    def surer(query: ReleasedQuery) -> ReleasedQuery:
        (planned,) = query.planned
        pickers = tuple(replace(p, scale=p.scale / 8) for p in planned.pickers)
        return replace(query, planned=(replace(planned, pickers=pickers),))

    wrong = audited(db, sql, surer, samples=600)
    assert wrong.estimate is not None and wrong.estimate.eps > 1
