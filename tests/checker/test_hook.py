"""What the checker does not follow is not run: nothing is read, and nothing is charged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import dbapi
from dpsql.checker.proof import Refused
from dpsql.core.account.loss import NOTHING
from dpsql.core.emit.plans import Source
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, statements
from dpsql.execution import cells, ready
from dpsql.execution import certify as certifying
from dpsql.session import costs as without_data
from tests.fuzzing.loop import typed
from tests.support.policies import path_of

POLICY = """
unit: p.id
budget: {eps: 100, delta: 1e-6}
tables:
  p:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, age: {type: BIGINT, bounds: [0, 99]}}
  town: {access: public, columns: {name: {type: VARCHAR}}}
"""
COUNT = "SELECT COUNT(*) AS n FROM p"
FED = "SELECT COUNT(*) AS n FROM p, (SELECT AVG(age) AS a FROM p) x WHERE p.age > x.a"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[dpsql.Database]:
    made = tmp_path / "p.duckdb"
    with duckdb.connect(str(made)) as connection:
        connection.execute("CREATE TABLE p AS SELECT i AS id, i % 100 AS age FROM range(500) r(i)")
        connection.execute("CREATE TABLE town AS SELECT 'Linz' AS name FROM range(3)")
    with dpsql.connect(made, dpsql.Policy.parse(POLICY)) as found:
        yield found


def mutated(patch: pytest.MonkeyPatch, which: str, change: Callable[[str], str]) -> None:
    """The printer makes another text of what `which` is in."""

    def made(release: Release, source: Source, *, pretty: bool = False) -> Statements:
        found = statements(release, source, pretty=pretty)
        assert found.cells is not None
        return replace(found, cells=change(found.cells)) if which in found.cells else found

    patch.setattr(ready, "statements", made)


def unread(*_: object) -> None:
    raise AssertionError("private rows were read")


Ask = Callable[[dpsql.Database, str], object]
WAYS: dict[str, Ask] = {
    "run": lambda db, sql: db.run(sql, 1),
    "batch": lambda db, sql: db.run_batch([COUNT + " WHERE age < 9", sql], 1),
    "explain": lambda db, sql: db.explain(sql, 1),
    "cursor": lambda db, sql: dbapi.connect(db, eps=1).cursor().execute(sql),
}
CHANGES: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "a table more": (COUNT, "", lambda sql: sql.replace('AS "t1"', 'AS "t1", "main"."town"')),
    "no clamp": (
        "SELECT SUM(age) FROM p",
        "99",
        lambda sql: sql.replace("> CAST(99 AS BIGINT)", "> CAST(999 AS BIGINT)"),
    ),
    "another sum": (COUNT, "", lambda sql: sql.replace("COUNT(*)", "SUM(2)")),
    "no sum": (COUNT, "", lambda sql: "SELECT MAX(age) AS n FROM main.p"),
    "two statements": (COUNT, "", lambda sql: f"{sql}; {sql}"),
    "the second of two releases": (
        FED,
        "f1",
        lambda sql: sql.replace("COUNT(*)", "COUNT(*) + COUNT(*)"),
    ),
    "a feed that meets rows again": (
        FED,
        "f1",
        lambda sql: sql.replace('"f1" AS', '"main"."town", "f1" AS').replace(
            "FROM f1", "FROM main.town, f1"
        ),
    ),
}


@pytest.mark.parametrize(
    ("how", "change"),
    [*(("run", change) for change in CHANGES), *((how, "a table more") for how in WAYS)],
)
@pytest.mark.one_in(2)
def test_nothing_is_run_that_the_checker_does_not_follow(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch, how: str, change: str
) -> None:
    text, which, mutation = CHANGES[change]
    mutated(monkeypatch, which, mutation)
    monkeypatch.setattr(cells, "read", unread)
    with pytest.raises((dpsql.Rejected, dbapi.Error), match="own checker does not follow"):
        WAYS[how](db, text)
    assert db.budget.spent.exact == NOTHING.cost
    assert list(db.budget.history) == []


def test_what_has_no_statements_is_not_proven_and_not_run(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "_printed", lambda query, source: ())
    monkeypatch.setattr(cells, "read", unread)
    with pytest.raises(dpsql.InternalError):
        db.run(COUNT, 1)
    assert db.budget.spent.eps == 0 and not db.budget.history


def test_the_texts_were_right_before(db: dpsql.Database) -> None:
    for text in {text for text, _, _ in CHANGES.values()}:
        assert db.run(text, 1).rows


def test_a_statement_of_which_nothing_is_claimed_is_not_run(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certifying, "claims", lambda *_: [])
    with pytest.raises(dpsql.Rejected, match="nothing is claimed") as caught:
        db.run(COUNT, 1)
    assert caught.value.code == "DP601"
    assert not typed(caught.value)  # the fuzzer reports it
    assert db.budget.spent.exact == NOTHING.cost


def test_a_query_is_proven_once(db: dpsql.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    proofs = certifying.proofs

    def counted(*args: object) -> object:
        asked.append(args)
        return proofs(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(certifying, "proofs", counted)
    db.explain(FED, 1)
    db.run(FED, 1)
    db.run(FED, 1, fresh=True)
    assert len(asked) == 1


def test_what_is_claimed_at_another_epsilon_is_proven_already(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No ε is in a claim; but another text is another claim."""
    asked: list[object] = []
    certify = certifying.certify

    def counted(*args: object) -> object:
        asked.append(args)
        return certify(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(certifying, "certify", counted)
    found = []
    for text, eps in ((COUNT, 1), (COUNT, 2), (COUNT + " WHERE age < 7", 2)):
        db.explain(text, eps)
        found.append(len(asked))
    assert 0 < found[0] == found[1] < found[2]


def test_without_data_it_is_not_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Refused("it")

    without_data.explain(COUNT.replace("FROM p", "FROM customers"), 1, path_of("shop"))
    monkeypatch.setattr(certifying, "certify", refuse)
    with pytest.raises(dpsql.Rejected, match="DP601"):
        without_data.explain(COUNT.replace("FROM p", "FROM customers"), 1, path_of("shop"))
