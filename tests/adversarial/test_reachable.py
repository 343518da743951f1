"""What an analyst keeps, an answer or an explanation, leads to nothing of the data: not by an
attribute, nor by what a function of it remembers.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import FunctionType, ModuleType

import duckdb
import pytest

import dpsql
from dpsql.execution import cells, run
from dpsql.execution.cells import Clips, ExactCells
from dpsql.platform.engine.duckdb_engine import DuckDBEngine

DATA = """
CREATE TABLE people (id INTEGER PRIMARY KEY, city VARCHAR, size INTEGER, weight DOUBLE);
INSERT INTO people SELECT i, ['Rome', 'Ulm', 'Oslo'][i % 3 + 1], 7919 + i % 89, 60 + i % 41
    FROM range(5003) AS r(i);
CREATE TABLE visits (visit INTEGER PRIMARY KEY, id INTEGER, paid INTEGER);
INSERT INTO visits SELECT i, i % 5003, i % 97 FROM range(9001) AS r(i);
"""

POLICY = """
unit: people.id
budget: {eps: 1000, delta: 0.001}
tables:
  people:
    access: private
    key: [id]
    columns:
      city: {values: [Rome, Ulm, Oslo]}
      size: {bounds: [0, 9000]}
      weight: {bounds: [0, 99]}
  visits:
    access: private
    key: [visit]
    columns: {id: {references: people.id}, paid: {bounds: [0, 97]}}
"""

QUERIES = {
    "counts": "SELECT city, COUNT(*) AS n, SUM(size) AS s FROM people GROUP BY city",
    "total": "SELECT SUM(size) AS s FROM people",
    "ratio": "SELECT SUM(size) / COUNT(*) AS r, CORR(size, weight) AS c FROM people",
    "quantile": "SELECT city, MEDIAN(size) AS q FROM people GROUP BY city",
    "best": "SELECT city FROM people GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1",
    "private keys": "SELECT size, COUNT(*) AS n FROM people WHERE size > 7000 GROUP BY size",
    "adaptive": "SELECT SUM(paid) AS s FROM visits",
    "two releases": "SELECT COUNT(*) AS n FROM people WHERE size > (SELECT AVG(size) FROM people)",
}


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    with duckdb.connect() as owner:
        owner.execute(DATA)
        with dpsql.connect(owner, POLICY, version="1") as opened:
            yield opened


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[ExactCells]:
    """The exact cells of what is run."""
    found: list[ExactCells] = []
    real = cells.read

    def noted(*arguments: object) -> ExactCells:
        found.append(real(*arguments))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(run.cells, "read", noted)
    return found


def reached(root: object) -> list[object]:
    """All objects that `root` leads to; but for what is the same for everybody, the modules."""
    found, open_ = {id(root): root}, [root]
    while open_:
        this = open_.pop()
        if isinstance(this, type | ModuleType):
            continue
        near: list[object] = gc.get_referents(this)
        if isinstance(this, FunctionType):  # without its module's globals
            near = [this.__closure__, this.__defaults__, this.__kwdefaults__, this.__dict__]
        for one in near:
            if id(one) not in found:
                found[id(one)] = one
                open_.append(one)
    return list(found.values())


def forbidden(database: dpsql.Database, exact: list[ExactCells]) -> set[int]:
    """The identities of what must not be reached."""
    parts = [database, database._engine, database._ledger, database._scratches]
    lists = [column for one in exact for column in one.values]
    return {id(part) for part in [*parts, *exact, *lists]}


KINDS = (duckdb.DuckDBPyConnection, dpsql.Database, DuckDBEngine, ExactCells, Clips)


def check(root: object, never: set[int]) -> None:
    found = reached(root)
    assert [o for o in found if id(o) in never or isinstance(o, KINDS)] == []


@pytest.mark.parametrize("name", QUERIES)
def test_an_answer_leads_to_no_data(
    database: dpsql.Database, read: list[ExactCells], name: str
) -> None:
    clipping = "adaptive" if name == "adaptive" else "auto"
    answer = database.run(QUERIES[name], 1, fresh=True, clipping=clipping)
    again = database.run(QUERIES[name], 1, clipping=clipping)
    explained = database.explain(QUERIES[name], 1, clipping=clipping)
    assert read and again.reused is not None
    for root in (answer, again, explained, explained.within(50)):
        check(root, forbidden(database, read))
    # Both walks would have found something to find.
    assert any(id(o) in forbidden(database, read) for o in reached([answer, database]))


def test_a_batch_leads_to_no_data(database: dpsql.Database, read: list[ExactCells]) -> None:
    texts = [QUERIES["counts"], QUERIES["quantile"]]
    batch = database.run_batch(texts, 1, fresh=True)
    assert len(read) == 2
    check(batch, forbidden(database, read))
    check(database.estimate(texts, 1), forbidden(database, read))


def test_an_answer_holds_no_exact_number(database: dpsql.Database, read: list[ExactCells]) -> None:
    answer = database.run(QUERIES["counts"], 1, fresh=True)
    exact = {v for one in read for column in one.values for v in column if abs(v) > 10**6}
    assert len(exact) == 6  # the weights; that a noisy one is right has a chance of 1 in 10,000
    numbers = {o for o in reached(answer) if isinstance(o, int)}
    assert not numbers & exact


def test_the_text_of_an_explanation_is_that_of_the_engine(database: dpsql.Database) -> None:
    """Without the engine the tables still have their full names."""
    assert '"main"."people"' in database.explain(QUERIES["total"], 1).sql.replace('"memory".', "")
