"""What an analyst keeps can be copied and sent to another process, says the same there, and has
nothing private in its bytes.
"""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from types import FunctionType
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql import dbapi, demo, errors
from dpsql.core.noise.integer_noise import NoiseError
from dpsql.execution import cells, run
from dpsql.execution.cells import ExactCells
from dpsql.repl.command import UsageError
from dpsql.repl.telling import Failure
from dpsql.report.result.answer import ColumnError
from tests.adversarial.test_reachable import DATA, POLICY, QUERIES, reached
from tests.support.effort import chosen

SECRET = 1_234_567_891_011
"""A private number that stands nowhere else, in bounds and in each sum."""

WORD = "Wolpertinger"
"""A private text that stands nowhere else."""


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    with duckdb.connect() as owner:
        owner.execute(DATA)
        with dpsql.connect(owner, POLICY, version="1") as opened:
            yield opened


def said(value: Any) -> list[object]:
    """All that it says."""
    if isinstance(value, dpsql.Batch):
        return [str(value), repr(value), value._repr_html_(), *(said(a) for a in value)]
    found = [str(value), repr(value), value._repr_html_()]
    if isinstance(value, dpsql.Estimate):
        return [*found, value.to_dict(), value.to_html(), value.fits]
    if isinstance(value, dpsql.Answer):
        explained, columns = value.explanation, value.columns
        found += [value.rows, value.intervals, value.types, value.noisy, value.reused]
        found += [value.interval(c, p) for c in columns for p in (0.5, 0.99)]
    else:
        explained = value
    found += [explained.to_dict(), explained.to_html(), str(explained.tree), explained.sql]
    for release in explained.releases:
        if release.clipping is None:
            found += [release.interval(0.9)]
        found += [release.mass(3)] if release.noisy else []
    return found


def kept(database: dpsql.Database, name: str) -> list[Any]:
    clipping = "adaptive" if name == "adaptive" else "auto"
    sql = QUERIES[name]
    explained = database.explain(sql, 1, clipping=clipping)
    return [
        database.run(sql, 1, fresh=True, clipping=clipping),
        database.run(sql, 1, clipping=clipping),
        explained,
        explained.within(50),
        database.estimate(sql, clipping=clipping),
        dpsql.explain("SELECT COUNT(*) AS n FROM orders", 1, policy=demo.policy()),
    ]


@pytest.mark.parametrize(
    "name", chosen(QUERIES, "ratio", "private keys", "adaptive", "two releases")
)
@pytest.mark.one_in(2)
def test_a_copy_says_the_same(database: dpsql.Database, name: str) -> None:
    for value in kept(database, name):
        again = pickle.loads(pickle.dumps(value))  # before what is lazy is made
        assert type(again) is type(value)
        assert said(again) == said(value)
        late = pickle.loads(pickle.dumps(value))
        assert (str(late), late._repr_html_()) == (str(value), value._repr_html_())
        for other in (copy.copy(value), copy.deepcopy(value)):
            assert (str(other), repr(other)) == (str(value), repr(value))


def test_a_copy_of_an_explanation_knows_the_query_at_another_epsilon(
    database: dpsql.Database,
) -> None:
    explained = database.explain(QUERIES["counts"], 1)
    again = pickle.loads(pickle.dumps(explained))
    assert again.within(100).wanted == explained.within(100).wanted
    assert again._at(Fraction(1, 2)).to_dict() == explained._at(Fraction(1, 2)).to_dict()


def test_public_answers_and_batches(database: dpsql.Database) -> None:
    batch = database.run_batch([QUERIES["counts"], QUERIES["total"]], 1, fresh=True)
    public = database.run("SELECT 1.5 AS a, 'b' AS b, DATE '2020-01-01' AS c", 1)
    for value in (batch, public):
        assert said(pickle.loads(pickle.dumps(value))) == said(value)
    assert list(pickle.loads(pickle.dumps(batch))[0].rows) == list(batch[0].rows)


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.one_in(2)
def test_nothing_that_is_kept_has_a_closure(database: dpsql.Database, name: str) -> None:
    """A function that remembers what was around it could remember anything."""
    for value in kept(database, name):
        mine = [o for o in reached(value) if isinstance(o, FunctionType) and o.__closure__]
        assert [f.__qualname__ for f in mine if f.__module__.startswith("dpsql")] == []


def test_no_private_value_is_in_the_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[ExactCells] = []
    real = cells.read

    def noted(*arguments: Any) -> ExactCells:
        read.append(real(*arguments))
        return read[-1]

    monkeypatch.setattr(run.cells, "read", noted)
    policy = f"""
unit: people.id
budget: {{eps: 1000, delta: 0.001}}
tables:
  people:
    access: private
    key: [id]
    columns:
      name: {{type: VARCHAR}}
      size: {{bounds: [0, {2 * 10**12}]}}
"""
    with duckdb.connect() as owner:
        owner.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, size BIGINT)")
        owner.execute(f"INSERT INTO people SELECT i, '{WORD}', {SECRET} FROM range(500) r(i)")
        with dpsql.connect(owner, policy) as db:
            values = [
                db.run("SELECT SUM(size) AS s, COUNT(name) AS n FROM people", 1),
                db.run("SELECT MEDIAN(size) AS s FROM people", 1),
                db.run("SELECT MAX(size) FROM people WHERE name <> 'x'", 1),
                db.run_batch("SELECT SUM(size) FROM people; SELECT AVG(size) FROM people", 1),
                db.explain("SELECT SUM(size) AS s FROM people", 1),
            ]
            with pytest.raises(dpsql.BudgetExceeded) as refused:
                db.run("SELECT COUNT(*) FROM people", 10**4)
    exact = {abs(v) for one in read for column in one.values for v in column} | {SECRET}
    exact = {v for v in exact if v > 10**6}
    assert len(exact) >= 2  # a sum, and the value itself
    for value in [*values, refused.value]:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            data = pickle.dumps(value, protocol)
            assert WORD.encode() not in data
            for number in exact:
                size = (number.bit_length() + 8) // 8
                assert number.to_bytes(size, "little", signed=True) not in data
                assert str(number).encode() not in data


ERRORS: list[BaseException] = [
    dpsql.Rejected(
        (
            dpsql.Diagnostic("DP101", "what", dpsql.Span(0, 3), "help"),
            dpsql.Diagnostic("DP104", "more"),
        ),
        "SELECT 1",
    ),
    dpsql.PolicyError("what", file="a.yaml", line=3),
    dpsql.InvalidBudget("what"),
    dpsql.InvalidArgument("what"),
    dpsql.NotCalibrated("what"),
    dpsql.UnknownDialect("what"),
    dpsql.BudgetExceeded("what", (Fraction(1, 3), Fraction(0)), (Fraction(1), Fraction(1, 7))),
    dpsql.RequestExists("what"),
    dpsql.InternalError("12345678"),
    dpsql.EngineError("what"),
    dpsql.LedgerTampered("what"),
    NoiseError("what"),
    ColumnError("what"),
    UsageError("what"),
    Failure("words", dpsql.EngineError("what")),
    dbapi.ProgrammingError("what", "DP101"),
    dbapi.InternalError("what"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__qualname__)
def test_errors(error: BaseException) -> None:
    error.add_note("a note")
    error._render_traceback_ = lambda: [""]  # type: ignore[attr-defined]
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    made = [pickle.loads(pickle.dumps(error, p)) for p in protocols] if is_ours(error) else []
    for again in [*made, copy.copy(error)]:
        assert type(again) is type(error)
        assert (str(again), repr(again), again.args) == (str(error), repr(error), error.args)
        for name, value in vars(error).items():
            if not callable(value) and not isinstance(value, BaseException):
                assert getattr(again, name) == value
    del error._render_traceback_  # type: ignore[attr-defined]
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def is_ours(error: BaseException) -> bool:
    return isinstance(error, dpsql.DpsqlError)


def test_every_error_is_tried() -> None:
    """Those that are not above take a text, and more that may be left out."""
    tried = {type(error) for error in ERRORS} | {dpsql.DpsqlError}
    classes = {v for v in vars(errors).values() if isinstance(v, type)}
    for kind in {c for c in classes if issubclass(c, dpsql.DpsqlError)} - tried:
        error = kind("what")
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (kind, "what", vars(error))


def in_another_process(sql: str) -> dpsql.Answer:
    return demo.database().run(sql, 1)


def test_through_a_pool_of_processes() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        answer = pool.submit(in_another_process, "SELECT COUNT(*) AS n FROM orders").result()
        assert answer.columns == ("n",) and answer.interval("n", 0.5)[0] is not None
        assert re.search(r"COUNT", str(answer.explanation.tree), re.IGNORECASE)
        refused = pool.submit(in_another_process, "SELECT email FROM customers")
        with pytest.raises(dpsql.Rejected) as caught:
            refused.result()
        assert caught.value.code == "DP401" and caught.value.span is not None
        again = pool.submit(in_another_process, "SELECT COUNT(*) AS n FROM orders").result()
        assert again.columns == ("n",)  # the pool lives
