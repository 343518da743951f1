"""Holes that reviews of the aggregates found, each with the data that showed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial.world import opened

CLIPPED = """
unit: people.id
budget: {eps: 1000}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}}
  visits:
    access: private
    columns:
      pid: {type: INTEGER, references: people.id}
      place: {type: VARCHAR, values: [a, b]}
      x: {type: INTEGER, bounds: [-10, 10], nullable: true}
"""

VISITS = """
CREATE TABLE people AS SELECT i::INTEGER AS id FROM range(20) t(i);
CREATE TABLE visits (pid INTEGER, place VARCHAR, x INTEGER);
INSERT INTO visits SELECT i % 20, 'a', 1 FROM range(40) t(i);
"""

NOTHING_THERE = """
INSERT INTO people VALUES (99);
INSERT INTO visits VALUES (99, 'a', 5), (99, 'b', NULL);
"""
"""One more person, who has a value in one group and NULL alone in another, where nobody else is."""


@pytest.mark.parametrize("extra", ["", NOTHING_THERE], ids=["without", "with"])
@pytest.mark.parametrize(
    "select", ["SUM(x) AS s", "AVG(x) AS a", "VAR_POP(x) AS v", "SUM(x) AS s, COUNT(x) AS n"]
)
@pytest.mark.one_in(2)
def test_a_group_of_nulls_alone_does_not_fail_a_clipped_sum(
    select: str, extra: str, tmp_path: Path
) -> None:
    """Its sum is NULL in the engine: whether that is so, one unit decides."""
    db = opened(VISITS + extra, CLIPPED, tmp_path)
    answer = db.run(f"SELECT place, {select} FROM visits GROUP BY place", eps=1)
    assert [row[0] for row in answer] == ["a", "b"]
