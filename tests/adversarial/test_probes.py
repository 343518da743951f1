"""Every probe on D and on D without customer 7: nothing but the noise may tell them apart."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql import audit
from dpsql.compile import PublicQuery
from dpsql.errors import DpsqlError, Rejected
from dpsql.plan.nodes import Filter, Limit, nodes
from dpsql.session import Database
from tests.adversarial.world import database

FILE = Path(__file__).resolve().parents[3] / "shared" / "probes" / "probes.jsonl"

# Probes to be answered that are rejected for now.
LATER = {
    "nan_inf-002": "DP306",  # 'inf'::DOUBLE
    "nan_inf-003": "DP301",  # 0.0 / x has no range
    "nan_inf-004": "DP301",  # ln(x) near 0
}


def _probes() -> list[dict[str, str]]:
    if not FILE.exists():
        return []
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [p for p in map(json.loads, filter(None, lines)) if p["expect"] != "property"]


PROBES = _probes()


@pytest.fixture(scope="module")
def worlds() -> tuple[Database, Database]:
    return database(delta=1), database(seven=False, delta=1)


def _keys(db: Database, sql: str) -> list[int] | None:
    """The columns that do not depend on noise, where the rows do not either: one release of public
    groups, of which every row is shown.
    """
    query = db._prepare(sql, 1, None, {}).compiled.query
    if isinstance(query, PublicQuery):
        return list(range(1000))
    whole = not any(isinstance(n, Limit | Filter) for n in nodes(query.plan))
    public = len(query.releases) == 1 and not query.releases[0].domain.private
    if not (public and whole and query.trace is not None):
        return None
    return [i for i in range(len(query.names)) if i not in query.trace.noisy]


def _seen(db: Database, sql: str) -> tuple[object, Fraction]:
    """What the analyst sees apart from the noise, and what it cost."""
    before = db.budget.spent.eps
    try:
        answer = db.run(sql, eps=1)
        kind, found, size = answer.explanation.kind, _keys(db, sql), len(answer)
        keys = [tuple(v for i, v in enumerate(row) if i in (found or ())) for row in answer.rows]
        if found is None:
            keys, size = [], 0
        seen: object = (kind, answer.columns, answer.types, size, keys)
    except DpsqlError as error:
        chained = error.__cause__ or error.__context__
        seen = (type(error), getattr(error, "code", None), str(error), chained)
    return seen, db.budget.spent.eps - before


@pytest.mark.skipif(not PROBES, reason="../shared/probes is not there")
@pytest.mark.parametrize("probe", PROBES, ids=[p["id"] for p in PROBES])
def test_probe_tells_no_neighbours_apart(
    worlds: tuple[Database, Database], probe: dict[str, str]
) -> None:
    sql, expect = probe["sql"], probe["expect"]
    (seen, cost), (neighbour, neighbour_cost) = (_seen(db, sql) for db in worlds)
    assert seen == neighbour and cost == neighbour_cost
    assert isinstance(seen, tuple) and (seen[-1] is None or isinstance(seen[-1], list))
    verdict = seen[0]
    if expect == "reject" or probe["id"] in LATER:
        assert verdict is Rejected and cost == 0
        assert seen[1] == LATER.get(probe["id"], seen[1])
    elif expect == "exact":
        assert verdict == "public" and cost == 0
    elif expect == "answer":
        assert verdict == "released" and cost == 1
    else:
        assert verdict in (Rejected, "released", "public")
        assert cost == 0 or verdict == "released"
    if verdict == "released":
        assert all(o.within for o in audit.sensitivity(worlds[0], sql))
