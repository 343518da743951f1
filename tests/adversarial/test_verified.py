"""What a verification proves, and what it does not: steps are left out only while it stands."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.platform.policy import Verification
from dpsql.session.beside import sidecar
from dpsql.session.database import Database
from tests.adversarial.test_provenance import ANSWERED, POLICY, TABLES
from tests.support.effort import FULL, sampled, tries

# As there, but every claim is true.
CLEAN = """
INSERT INTO p VALUES (1, 'p1', 1), (2, 'p2', 2), (3, 'p2', 1);
INSERT INTO r VALUES (0, 'r0'), (1, 'r1'), (2, 'r2');
INSERT INTO x VALUES (1, 1), (1, 2), (2, 3), (NULL, 2);
INSERT INTO u SELECT i, 10 + i * 4, ['a', 'b'][1 + i % 2], i % 3 FROM range(5) t(i);
INSERT INTO o SELECT i, i // 2, i * 5 - 5, DATE '2020-01-02' + i::INT, i / 10.0, 1 + i % 3
    FROM range(10) t(i);
INSERT INTO l SELECT i // 3, i, 1 + i % 9, 1 FROM range(30) t(i);
INSERT INTO m SELECT i // 4, i % 8 FROM range(20) t(i);
"""


NEIGHBOURS = ("add_remove", "replace")


@pytest.fixture(params=NEIGHBOURS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    data, policy = tmp_path / "d.duckdb", tmp_path / "p.yaml"
    with duckdb.connect(str(data)) as con:
        con.execute(TABLES[: TABLES.index("INSERT")] + CLEAN)
    rows = "rows: 5" if request.param == "replace" else ""
    policy.write_text(POLICY.format(neighbours=request.param, rows=rows), encoding="utf-8")
    return data, policy


@pytest.fixture
def verified(place: tuple[Path, Path]) -> Iterator[Database]:
    with dpsql.connect(*place) as db:
        assert db.verify().clean and not db.verified
    with dpsql.connect(*place) as db:
        assert db.verified
        yield db


def test_verified_claims_bound_without_a_step_per_unit(verified: Database) -> None:
    assert "heavy" not in verified.explain("SELECT COUNT(*) FROM l").sql
    for sql in ANSWERED:
        assert all(o.within for o in audit.sensitivity(verified, sql)), sql


def test_a_record_dies_with_the_data_it_is_of(verified: Database, place: tuple[Path, Path]) -> None:
    verified.close()
    data, policy = place
    with duckdb.connect(str(data)) as con:
        con.execute("INSERT INTO l SELECT 1, 100 + i, 99, 1 FROM range(50) t(i)")
    with dpsql.connect(data, policy) as db:
        assert not db.verified
        assert all(o.within for o in audit.sensitivity(db, "SELECT COUNT(*), SUM(q) FROM l"))


def test_a_record_dies_with_the_claims_it_is_of(
    verified: Database, place: tuple[Path, Path]
) -> None:
    verified.close()
    data, policy = place
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("max_rows: 3", "max_rows: 2"), encoding="utf-8")
    with dpsql.connect(data, policy) as db:
        assert not db.verified
        assert all(o.within for o in audit.sensitivity(db, "SELECT COUNT(*), SUM(q) FROM l"))


# --- claim by claim -------------------------------------------------------------------------------

# What makes one claim false, where a record keeps it, and a query that shows it.
FALSE = {
    "u.w": ("bounds", "UPDATE u SET w = 99 WHERE id = 0", "SELECT SUM(w) FROM u"),
    "u.seg": ("values", "UPDATE u SET seg = 'z' WHERE id = 1", ""),
    "o.amt": ("bounds", "UPDATE o SET amt = 900 WHERE k = 3", "SELECT SUM(amt) FROM o"),
    "o.f": ("bounds", "UPDATE o SET f = 7.5 WHERE k = 4", "SELECT SUM(f) FROM o"),
    "o.day": ("bounds", "UPDATE o SET day = '2031-01-01' WHERE k = 5", ""),
    "m.v": ("bounds", "UPDATE m SET v = 80 WHERE v = 7", "SELECT SUM(v) FROM m"),
    "o.uid": (
        "fanouts",
        "INSERT INTO o SELECT 50 + i, 1, 1, '2020-01-09', 0, 1 FROM range(9) t(i)",
        "SELECT COUNT(*) FROM o",
    ),
    "m.uid": (
        "fanouts",
        "INSERT INTO m SELECT 2, 1 FROM range(9) t(i)",
        "SELECT COUNT(*) FROM m",
    ),
    "l.ok": (
        "fanouts",
        "INSERT INTO l SELECT 4, 90 + i, 1, 1 FROM range(20) t(i)",
        "SELECT COUNT(*) FROM l",
    ),
    "o.uid ": ("owners", "UPDATE o SET uid = NULL WHERE k = 2", ""),
    "l.ok ": ("owners", "INSERT INTO l VALUES (77, 500, 1, 1)", ""),
    "x.a": ("fanouts", "INSERT INTO x SELECT 3, i FROM range(8) t(i)", ""),
}


def breaking(place: tuple[Path, Path], *names: str) -> Verification:
    """Make claims false; the record of all the others."""
    with duckdb.connect(str(place[0])) as con:
        for name in names:
            con.execute(FALSE[name][1])
    report = dpsql.verify(*place)
    assert report.unrecorded is None
    record = Verification.load(sidecar(place[0], "verified.json"))
    assert record is not None
    return record


def in_turn(names: Iterable[str]) -> list[tuple[str, str]]:
    """Each claim under one of the two neighbours usually, under both in the deep suite."""
    pairs = ((kind, number, name) for number, name in enumerate(names) for kind in NEIGHBOURS)
    return [(k, name) for k, number, name in pairs if FULL or NEIGHBOURS[number % 2] == k]


@pytest.mark.parametrize(("place", "name"), in_turn(FALSE), indirect=["place"])
@pytest.mark.one_in(3)
def test_what_is_false_is_enforced_and_all_else_is_proven(
    place: tuple[Path, Path], name: str
) -> None:
    whole, less = breaking(place), breaking(place, name)
    kind = FALSE[name][0]
    without = getattr(whole, kind) - {name.strip()}
    assert less == replace(whole, version=less.version, **{kind: without})
    with dpsql.connect(*place) as db:
        assert db.verified
        for sql in [FALSE[name][2] or "SELECT COUNT(*) FROM l", *ANSWERED]:
            if sampled(sql, 24) or sql not in ANSWERED:
                assert all(o.within for o in audit.sensitivity(db, sql)), sql


SHOWN = [name for name, (_, _, shows) in FALSE.items() if shows]


@pytest.mark.parametrize(("place", "name"), in_turn(SHOWN), indirect=["place"])
@pytest.mark.one_in(2)
def test_a_false_claim_that_was_taken_for_proven_would_be_seen(
    place: tuple[Path, Path], name: str
) -> None:
    record, (kind, _, sql) = breaking(place, name), FALSE[name]
    wrong = replace(record, **{kind: getattr(record, kind) | {name}})
    wrong.save(sidecar(place[0], "verified.json"))
    with dpsql.connect(*place) as db:
        assert not all(o.within for o in audit.sensitivity(db, sql))


@pytest.mark.parametrize("seed", range(tries(2, 40)))
@pytest.mark.one_in(2)
def test_any_claims_may_be_false_together(place: tuple[Path, Path], seed: int) -> None:
    rng = random.Random(seed)
    names = rng.sample(list(FALSE), rng.randint(2, 6))
    breaking(place, *names)
    with dpsql.connect(*place) as db:
        for sql in rng.sample(ANSWERED, tries(4, 20)):
            assert all(o.within for o in audit.sensitivity(db, sql)), (names, sql)


@pytest.mark.parametrize("seed", range(tries(2, 40)))
@pytest.mark.one_in(2)
def test_any_part_of_a_record_is_enough(place: tuple[Path, Path], seed: int) -> None:
    """True claims that a record does not have are enforced beside those that it has."""
    rng, record = random.Random(seed), breaking(place)
    sets = ("bounds", "values", "fanouts", "owners")
    part = {k: frozenset(c for c in sorted(getattr(record, k)) if rng.random() < 0.5) for k in sets}
    replace(record, **part).save(sidecar(place[0], "verified.json"))
    with dpsql.connect(*place) as db:
        for sql in rng.sample(ANSWERED, tries(4, 20)):
            assert all(o.within for o in audit.sensitivity(db, sql)), (part, sql)


def test_a_cut_is_never_proven_whatever_the_data_are(place: tuple[Path, Path]) -> None:
    data, policy = place
    text = policy.read_text(encoding="utf-8")
    text = text.replace("amt: {bounds: [-5, 50]}", "amt: {clip: [-5, 50]}")
    policy.write_text(text.replace("max_rows: 4", "clip_rows: 4"), encoding="utf-8")
    seen = []
    for names in ((), ("o.amt", "m.uid")):
        record = breaking(place, *names)
        assert "o.amt" not in record.bounds and "m.uid" not in record.fanouts
        seen.append(replace(record, version=""))
        report = dpsql.verify(data, policy)
        assert report.clean
        cut = {(f.column, f.rows > 0) for f in report.findings if f.role == "cut"}
        assert cut == {("o.amt", bool(names)), ("m.uid", bool(names))}
        with dpsql.connect(data, policy) as db:
            assert "enforced" in str(db.explain("SELECT COUNT(*) FROM m"))
            assert "clamped" in str(db.explain("SELECT SUM(amt) FROM o"))
            for sql in ("SELECT COUNT(*) FROM m", "SELECT SUM(amt), AVG(amt) FROM o"):
                assert all(o.within for o in audit.sensitivity(db, sql))
    assert seen[0] == seen[1]  # nobody can tell from the record whether a row was beyond


def test_a_bound_that_becomes_a_cut_is_proven_no_more(
    verified: Database, place: tuple[Path, Path]
) -> None:
    verified.close()
    data, policy = place
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("w: {bounds: [", "w: {clip: ["), encoding="utf-8")
    with dpsql.connect(data, policy) as db:
        assert not db.verified


def test_in_a_copy_a_cut_is_true_of_all_data_and_so_proven(
    place: tuple[Path, Path], tmp_path: Path
) -> None:
    data, policy = place
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("amt: {bounds: [", "amt: {clip: ["), encoding="utf-8")
    breaking(place, "o.amt")
    dpsql.prepare(data, policy, tmp_path / "copy")
    for _ in range(2):
        with dpsql.connect(tmp_path / "copy", policy) as db:
            assert "amt in [-5, 50], proven" in str(db.explain("SELECT SUM(amt) FROM o"))
            assert db.verify().clean  # which keeps it


def test_explanations_of_a_policy_that_is_not_visible(place: tuple[Path, Path]) -> None:
    data, policy = place
    sql = "SELECT SUM(amt) FROM o"
    policy.write_text(policy.read_text(encoding="utf-8") + "visible: false\n", encoding="utf-8")
    with dpsql.connect(data, policy) as db:
        told = db.explain(sql)
        assert "SELECT" not in told.sql + told.certificate + str(told.to_dict())
        told = db.run(sql, eps=1).explanation
        assert "SELECT" not in told.sql + told.certificate + str(told.to_dict())


def test_a_column_is_proven_to_lead_to_units_of_every_kind() -> None:
    """A row whose patient is unknown is of a patient, and of no hospital."""
    made = duckdb.connect()
    for sql in (
        "CREATE TABLE hospitals AS SELECT 1 AS id",
        "CREATE TABLE patients AS SELECT 7 AS id, 1 AS hospital",
        "CREATE TABLE visits AS SELECT 7 AS patient UNION ALL SELECT 8",
    ):
        made.execute(sql)
    policy = """
units: [patients.id, hospitals.id]
budget: {eps: 1}
tables:
  hospitals: {access: private, key: [id]}
  patients: {access: private, key: [id], columns: {hospital: {references: hospitals.id}}}
  visits: {access: private, columns: {patient: {references: patients.id}}}
"""
    found = {f.column: f.rows for f in dpsql.verify(made, policy).findings if f.kind == "owner"}
    assert found == {
        "hospitals.id": 0,
        "patients.id": 0,
        "patients.hospital": 0,
        "visits.patient": 1,
    }


# --- keys that nothing leads to -------------------------------------------------------------------

RATINGS = """
unit: users.id
neighbours: add_remove
budget: {eps: 1000, delta: 0.001}
tables:
  users: {access: private, key: [id], columns: {id: {type: BIGINT}}}
  ratings:
    access: private
    key: [person, item]
    columns:
      person: {type: BIGINT, references: users.id, max_rows: 4}
      item: {type: INTEGER, values: [1, 2, 3, 4], nullable: false}
      stars: {type: INTEGER, bounds: [1, 5], nullable: false}
"""
RATED = (
    "SELECT item, COUNT(*), SUM(stars) FROM ratings GROUP BY item",
    "SELECT stars, COUNT(*) FROM ratings WHERE stars IN (1, 2) GROUP BY stars",
    "SELECT COUNT(*) FROM ratings WHERE item = 2",
)


@pytest.fixture
def rated(tmp_path: Path) -> tuple[Path, Path]:
    data, policy = tmp_path / "d.duckdb", tmp_path / "p.yaml"
    with duckdb.connect(str(data)) as con:
        con.execute("CREATE TABLE users AS SELECT range AS id FROM range(5)")
        con.execute(
            "CREATE TABLE ratings AS SELECT u.range AS person, CAST(1 + i.range AS INTEGER) AS "
            "item, CAST(1 + (u.range + i.range) % 5 AS INTEGER) AS stars "
            "FROM range(5) AS u, range(4) AS i WHERE i.range <= u.range"
        )
    policy.write_text(RATINGS, encoding="utf-8")
    return data, policy


def test_a_declared_key_is_proven_where_it_holds(rated: tuple[Path, Path]) -> None:
    for _ in range(2):  # a record does not make a fact of it
        report = dpsql.verify(*rated)
        assert [f.role for f in report.findings if f.kind == "key"] == ["fact", "claim"]
        record = Verification.load(sidecar(rated[0], "verified.json"))
        assert record is not None and record.keys == {"ratings.person, item"}
        with dpsql.connect(*rated) as db:
            told = [str(db.explain(sql, 1, delta=1e-6)) for sql in RATED]
            assert ["rows per unit and group 1, proven" in text for text in told] == [
                True,
                False,
                False,
            ]
            assert "rows per unit 1, proven (no two rows with the same person, item" in told[2]
            assert all(o.within for sql in RATED for o in audit.sensitivity(db, sql))
            assert db.verify().clean


def test_a_declared_key_that_does_not_hold_is_none(rated: tuple[Path, Path]) -> None:
    proven = dpsql.verify(*rated)
    assert proven.clean
    record = Verification.load(sidecar(rated[0], "verified.json"))
    with duckdb.connect(str(rated[0])) as con:
        con.execute("UPDATE ratings SET item = 2, stars = 5 WHERE person = 4")
    report = dpsql.verify(*rated)
    assert [(f.kind, f.column, f.rows) for f in report.false] == [
        ("key", "ratings.person, item", 4)
    ]
    false = Verification.load(sidecar(rated[0], "verified.json"))
    assert record is not None and false is not None and not false.keys
    with dpsql.connect(*rated) as db:
        assert "rows per unit and group" not in str(db.explain(RATED[0], 1, delta=1e-6))
        assert all(o.within for sql in RATED for o in audit.sensitivity(db, sql))
    replace(record, version=false.version).save(sidecar(rated[0], "verified.json"))
    with dpsql.connect(*rated) as db:
        assert not all(o.within for o in audit.sensitivity(db, RATED[0]))
        assert not all(o.within for o in audit.sensitivity(db, RATED[2]))
