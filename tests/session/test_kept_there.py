"""Units over their quota are told once by a server whose data have a state, and lent to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dpsql.errors import EngineError
from dpsql.platform.engine.far import engine as far_engine
from dpsql.platform.engine.far.spark import Spark
from tests.session import test_states
from tests.session.test_states import Lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST = "SELECT i % 90 AS person, 7 AS cost, 'a' AS town FROM range(180) AS r(i)"
SOME = "SELECT 95 + i // 5 AS person, 9 AS cost, 'b' AS town FROM range(25) AS r(i)"
VISITS = f"{MOST} UNION ALL {SOME}"
"""Of ninety people two visits, of five others five each, of which three are kept."""

QUERY = "SELECT town, COUNT(*) AS n, SUM(cost) AS s FROM visits GROUP BY town ORDER BY town"
KEPT = [["a", 180, 7 * 180], ["b", 15, 9 * 15]]
READ_AGAIN = "`kept_"


session = test_states.session


@pytest.fixture
def lake(session: SparkSession, tmp_path: Path) -> Lake:
    made = Lake(session, tmp_path, "parquet")
    made.write("visits", VISITS)
    return made


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the server is asked for an answer, from here on."""
    found: list[str] = []
    run = Spark.run

    def noted(self: Spark, sql: str) -> Any:
        found.extend([sql] if "dpsql_part" in sql or "LIMIT" in sql else [])
        return run(self, sql)

    monkeypatch.setattr(Spark, "run", noted)
    return found


def answers(lake: Lake, times: int) -> list[list[list[object]]]:
    with lake.open() as db:
        assert db._engine.keeps
        found = [db.run(QUERY, 1e6, fresh=True).rows for _ in range(times)]
    return [[[town, round(n), round(s)] for town, n, s in rows] for rows in found]


def test_they_are_asked_once(lake: Lake, asked: list[str]) -> None:
    assert answers(lake, 3) == [KEPT] * 3
    first, *statements = asked
    assert f"LIMIT {far_engine.MOST_KEPT + 1}" in first and READ_AGAIN not in first
    assert len(statements) == 3 and all(READ_AGAIN in text for text in statements)


def test_what_is_too_long_is_not_lent(
    lake: Lake, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor asked for again: the statement that holds it is the same."""
    monkeypatch.setattr(far_engine, "MOST_KEPT", 4)
    assert answers(lake, 2) == [KEPT] * 2
    assert len(asked) == 3 and not any(READ_AGAIN in text for text in asked)


def test_as_many_as_there_may_be_are_lent(
    lake: Lake, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(far_engine, "MOST_KEPT", 5)
    assert answers(lake, 1) == [KEPT]
    assert READ_AGAIN in asked[-1]


@pytest.mark.parametrize("later", [True, False])
def test_they_are_those_of_one_state(
    later: bool, lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People who come to be over their quota are cut by who opens the data then, whether the change
    is seen before the statement or after it.
    """
    monkeypatch.setattr(far_engine, "RECENT", 0 if later else 3600)
    with lake.open() as db:
        assert round(db.run(QUERY, 1e6, fresh=True).rows[1][1]) == 15
        lake.write("visits", VISITS.replace("range(25)", "range(10)"))
        with pytest.raises(EngineError, match="changed" if later else "could not run"):
            db.run(QUERY, 1e6, fresh=True)
    assert answers(lake, 1) == [[KEPT[0], ["b", 6, 54]]]


def test_they_go_with_the_database(lake: Lake, session: SparkSession, asked: list[str]) -> None:
    answers(lake, 1)
    name = READ_AGAIN.strip("`") + asked[-1].partition(READ_AGAIN)[2].partition("`")[0]
    assert not session.catalog.tableExists(name)
    assert name not in str(session.catalog.listTables())


def test_a_person_more_moves_an_answer_by_their_quota(lake: Lake) -> None:
    [before] = answers(lake, 1)
    lake.write("visits", VISITS.replace("range(25)", "range(30)"))
    [after] = answers(lake, 1)
    assert after == [before[0], [before[1][0], before[1][1] + 3, before[1][2] + 27]]
