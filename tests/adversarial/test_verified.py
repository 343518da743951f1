"""What a verification proves, and what it does not: steps are left out only while it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.session.database import Database
from tests.adversarial.test_provenance import ANSWERED, POLICY, TABLES

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


@pytest.fixture(params=["add_remove", "replace"])
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
