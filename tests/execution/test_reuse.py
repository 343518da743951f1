"""Repeats are free: what is the same query, what is not, and what is read and charged."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest

import dpsql
from dpsql.core.account.loss import NOTHING
from dpsql.errors import EngineError, RequestExists
from dpsql.execution.epochs import epoch_at
from dpsql.execution.processing import Rows
from dpsql.execution.run import Request, Run, execute
from dpsql.platform.engine.duckdb_engine import DuckDBSnapshot
from dpsql.platform.ledger.ledger import Stored
from tests.support.effort import tries
from tests.support.filled import save

POLICY = """
unit: customer.id
budget: {eps: 10000, delta: 1e-3}
tables:
  customer:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      region: {type: VARCHAR, values: [n, s, w], nullable: true}
      level: {type: "ENUM('basic', 'plus')"}
      age: {type: INTEGER, bounds: [0, 99], nullable: false}
      job: {type: VARCHAR}
  orders:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      customer: {type: INTEGER, references: customer.id, max_rows: 5}
      amount: {type: "DECIMAL(8,2)", bounds: [0, 500]}
      day: {type: DATE, bounds: [2024-01-01, 2024-01-31]}
  city:
    access: public
    key: [region]
    columns:
      region: {type: VARCHAR}
      name: {type: VARCHAR}
"""

TABLES = """
CREATE TYPE levels AS ENUM ('basic', 'plus');
CREATE TABLE customer
    (id INTEGER PRIMARY KEY, region VARCHAR, level levels, age INTEGER, job VARCHAR);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, amount DECIMAL(8, 2), day DATE);
CREATE TABLE city (region VARCHAR, name VARCHAR);
INSERT INTO customer SELECT i, ['n', 's', 'w', NULL, 'x'][1 + i % 5],
    CASE i % 3 WHEN 0 THEN 'basic' WHEN 1 THEN 'plus' END, i % 100, ['a', 'b'][1 + i % 2]
    FROM range(1, 201) t(i);
INSERT INTO orders SELECT i, 1 + i % 210, i % 600, DATE '2024-01-01' + CAST(i % 31 AS INTEGER)
    FROM range(1, 600) t(i);
INSERT INTO city VALUES ('n', 'Bergen'), ('s', 'Rome'), ('w', 'Porto');
"""


class Data:
    """An open database, and what is seen from beside."""

    log: ClassVar[list[str]] = []

    def __init__(self, file: Path, policy: str = POLICY, **rest: Any) -> None:
        if not file.exists():
            save(file, TABLES)
        self.db = dpsql.connect(file, policy, **rest)

    def ask(self, sql: str, eps: float = 1, **wishes: Any) -> Rows:
        """The answer with what it cost."""
        known = {k: wishes.pop(k) for k in ("fresh", "key") if k in wishes}
        delta = wishes.pop("delta", None)
        made, _ = self.db._analysis.ready(self.db, sql, eps, delta, wishes)
        request = Request([], version=self.db._named_version, **known)
        engine, recheck = self.db._engine, None if self.db._engine.stable else self.db._checks
        run = Run(engine, self.db._ledger, self.db._scratches, recheck)
        return execute(made, run, request)

    @property
    def lines(self) -> int:
        return len(self.db._ledger.entries())


@contextmanager
def reads() -> Iterator[list[str]]:
    """The SQL that the engine is asked meanwhile."""
    seen: list[str] = []
    true = DuckDBSnapshot.rows

    def rows(self: DuckDBSnapshot, sql: str, parameters: Any = None) -> Any:
        seen.append(sql)
        return true(self, sql, parameters)

    arrow = DuckDBSnapshot.arrow

    def streamed(self: DuckDBSnapshot, sql: str) -> Any:
        seen.append(sql)
        return arrow(self, sql)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DuckDBSnapshot, "rows", rows)
        patch.setattr(DuckDBSnapshot, "arrow", streamed)
        yield seen


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Data]:
    found = Data(tmp_path / "shop.duckdb")
    yield found
    found.db.close()


def served(data: Data, sql: str, eps: float = 1, **wishes: Any) -> Rows | None:
    """The stored answer that is given again, with nothing private read and nothing charged; None
    where it was answered anew and charged.
    """
    before = data.lines
    with reads() as seen:
        rows = data.ask(sql, eps, **wishes)
    if rows.reused is None:
        assert data.lines == before + 1 and rows.charged.cost.eps > 0
        return None
    assert data.lines == before and rows.charged == NOTHING
    assert not [text for text in seen if '"customer"' in text or '"orders"' in text]
    return rows


GROUPS = "SELECT region AS r, COUNT(*) AS n FROM customer GROUP BY region"

SAME = [
    "select REGION, count(*) from Customer group by 1",
    "SELECT c.region, COUNT(*) AS persons /* all of them */ FROM main.customer AS c GROUP BY ALL",
    "SELECT region AS r, COUNT(*) AS n FROM customer GROUP BY region ORDER BY n DESC LIMIT 2",
    "SELECT region, COUNT(*) + 1 AS n FROM customer GROUP BY region HAVING COUNT(*) > 3",
    "SELECT SUM(n) AS m FROM (SELECT region, COUNT(*) AS n FROM customer GROUP BY region) AS t",
    "WITH t AS (SELECT region, COUNT(*) AS n FROM customer GROUP BY region) "
    "SELECT name, n FROM t JOIN city ON t.region = city.region",
    "SELECT region, n / SUM(n) OVER () AS part FROM "
    "(SELECT region, COUNT(*) AS n FROM customer GROUP BY region) AS t",
]


@pytest.mark.parametrize("sql", SAME)
def test_the_same_query_in_other_words_is_free(data: Data, sql: str) -> None:
    first = data.ask(GROUPS)
    assert first.reused is None and first.charged.cost.eps == 1
    again = served(data, sql)
    assert again is not None and again.reused is not None
    assert again.reused.kind == "repeat" and again.reused.number == 1
    repeated = served(data, GROUPS)
    assert repeated is not None
    assert (repeated.rows, repeated.intervals) == (first.rows, first.intervals)


OTHER = [
    "SELECT region AS r, COUNT(*) AS n FROM customer WHERE age > 3 GROUP BY region",
    "SELECT region AS r, COUNT(age) AS n, SUM(age) AS s FROM customer GROUP BY region",
    "SELECT region AS r, COUNT(DISTINCT age) AS n FROM customer GROUP BY region",
    "SELECT level AS r, COUNT(*) AS n FROM customer GROUP BY level",
    "SELECT COUNT(*) AS n FROM customer",  # some are in no region of the list
    "SELECT region, COUNT(*) AS n FROM customer JOIN orders ON customer.id = orders.customer "
    "GROUP BY region",
]


@pytest.mark.parametrize("sql", OTHER)
def test_another_query_is_charged(data: Data, sql: str) -> None:
    data.ask(GROUPS)
    assert served(data, sql) is None


@pytest.mark.parametrize("constant", ["3", "4", "'3'", "3.5", "-3"])
def test_a_condition_is_its_constant(data: Data, constant: str) -> None:
    text = "SELECT COUNT(*) AS n FROM customer WHERE age > {}"
    data.ask(text.format(3))
    assert (served(data, text.format(constant)) is not None) is (constant.strip("'") == "3")


def test_a_dialect_in_which_it_means_something_else_is_another_query(data: Data) -> None:
    text = "SELECT SUM(LOG(age + 1)) AS s FROM customer"
    data.ask(text, 1)
    assert served(data, text, 1, dialect="spark") is None  # the natural logarithm
    assert served(data, text, 1) is not None
    plain = "SELECT COUNT(*) AS n FROM customer WHERE age > 9"
    data.ask(plain, 1, dialect="postgres")
    assert served(data, plain, 1, dialect="tsql") is not None


def test_a_larger_eps_is_charged_and_a_smaller_one_is_served(data: Data) -> None:
    data.ask(GROUPS, 1)
    assert served(data, GROUPS, 1.001) is None
    for eps in (1.001, 1, 0.5):
        found = served(data, GROUPS, eps)
        assert found is not None and found.reused is not None and found.reused.number == 2


def test_the_best_answer_is_given(data: Data) -> None:
    best = data.ask(GROUPS, 5)
    data.ask(GROUPS, 1, fresh=True)
    found = served(data, GROUPS, 0.5)
    assert found is not None and found.rows == best.rows and found.intervals == best.intervals


def test_fresh_noise_is_paid_for(data: Data) -> None:
    data.ask(GROUPS, 0.01)
    before = data.lines
    answers = [data.ask(GROUPS, 0.01, fresh=True) for _ in range(3)]
    assert data.lines == before + 3 and all(a.reused is None for a in answers)
    assert len({tuple(a.rows) for a in answers}) == 3


def test_asking_again_and_again_is_one_answer_and_one_charge(data: Data) -> None:
    answers = {tuple(data.ask(GROUPS, 0.1).rows) for _ in range(tries(100, 1000))}
    assert len(answers) == 1 and data.lines == 1


WHOLE = [
    "SELECT SUM(amount) AS s FROM orders",
    "SELECT AVG(age) AS a, VAR_POP(age) AS v FROM customer",
    "SELECT MEDIAN(age) AS m, MAX(age) AS x, COUNT(*) AS n FROM customer",
    "SELECT level, QUANTILE_CONT(age, [0.25, 0.75]) AS q FROM customer GROUP BY level",
    "SELECT MODE(level) AS m FROM customer",
    "SELECT MAX(day) AS d FROM orders",
    "SELECT level, COUNT(DISTINCT age) AS n FROM customer GROUP BY level",
    "SELECT HISTOGRAM(age, [20, 50]) AS h FROM customer",
    "SELECT BOOL_OR(age > 98) AS b FROM customer",
    "SELECT ARG_MAX(level, n) AS l FROM "
    "(SELECT level, COUNT(*) AS n FROM customer GROUP BY level) AS t",
    "SELECT name, COUNT(*) AS n FROM customer JOIN city ON customer.region = city.region "
    "GROUP BY name",
    "SELECT day, COUNT(*) AS n FROM orders GROUP BY day",
    "SELECT (SELECT COUNT(*) FROM customer) - (SELECT COUNT(*) FROM customer) AS d",
    "SELECT COUNT(*) AS n FROM customer WHERE age > (SELECT AVG(age) FROM customer)",
    "SELECT level, COUNT(*) AS n FROM customer GROUP BY ROLLUP (level)",
]


@pytest.mark.parametrize("sql", WHOLE)
def test_a_repeat_is_the_same_to_the_last_bit(data: Data, sql: str) -> None:
    first = data.ask(sql, 2)
    again = served(data, sql, 2)
    assert again is not None
    assert (again.rows, again.intervals) == (first.rows, first.intervals)
    assert (again.columns, again.types) == (first.columns, first.types)


@pytest.mark.parametrize(
    ("sql", "wishes"),
    [
        ("SELECT job, COUNT(*) AS n FROM customer GROUP BY job", {"delta": 1e-3}),
        ("SELECT SUM(amount) AS s FROM orders", {"clipping": "adaptive"}),
        (GROUPS, {"noise": "gaussian", "delta": 1e-3}),
        (GROUPS, {"weights": {"n": 2}}),
    ],
)
def test_other_mechanisms_are_repeated_too(data: Data, sql: str, wishes: dict[str, Any]) -> None:
    first = data.ask(sql, 2, **wishes)
    again = served(data, sql, 2, **wishes)
    assert again is not None
    assert (again.rows, again.intervals) == (first.rows, first.intervals)
    assert first.rows


def test_a_better_clip_threshold_or_noise_is_charged(data: Data) -> None:
    jobs = "SELECT job, COUNT(*) AS n FROM customer GROUP BY job"
    data.ask(jobs, 1, delta=1e-6)
    assert served(data, jobs, 1, delta=1e-7) is not None  # a lower threshold than is asked for
    assert served(data, jobs, 1, delta=1e-4) is None
    clipped = "SELECT SUM(amount) AS s FROM orders"
    data.ask(clipped, 1, clipping="adaptive")
    assert served(data, clipped, 1) is None
    assert served(data, clipped, 0.9, clipping="adaptive") is not None
    assert served(data, clipped, 1.1, clipping="adaptive") is None


def test_several_releases_come_from_one_line(data: Data) -> None:
    one = "SELECT COUNT(*) AS n FROM customer"
    both = f"SELECT ({one}) AS a, (SELECT SUM(age) FROM customer) AS b"
    data.ask(one, 1)
    data.ask("SELECT SUM(age) AS s FROM customer", 1)
    assert served(data, both, 1) is None
    assert served(data, both, 1) is not None
    assert served(data, "SELECT SUM(age) AS s FROM customer", 0.4) is not None


def test_what_reads_other_noise_is_another_release(data: Data) -> None:
    text = "SELECT COUNT(*) AS n FROM customer WHERE age > (SELECT {} FROM customer)"
    first = data.ask(text.format("AVG(age)"), 2)
    assert served(data, text.format("AVG(age) + 1"), 2) is None
    again = served(data, text.format("AVG(age)"), 2)
    assert again is not None and again.rows == first.rows
    assert again.reused is not None and again.reused.number == 1


# --- what an answer belongs to --------------------------------------------------------------------


def reopened(data: Data, tmp_path: Path, policy: str = POLICY) -> Data:
    data.db.close()
    return Data(tmp_path / "shop.duckdb", policy)


def test_it_outlives_the_process(data: Data, tmp_path: Path) -> None:
    first = data.ask(GROUPS)
    other = reopened(data, tmp_path)
    again = served(other, GROUPS)
    assert again is not None and again.rows == first.rows
    other.db.close()


def change(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE customer SET region = 'w' WHERE id = 1")


def test_whether_the_data_changed_does_not_show(
    data: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Or a repeat at ε = 10⁻⁹ would tell every night whether any row did."""
    first = data.ask(GROUPS)
    data.db.close()
    log = logging.getLogger("dpsql.owner")
    log.addHandler(caplog.handler)
    for name in ("as it was", "changed"):
        if name == "changed":
            change(tmp_path / "shop.duckdb")
        other = Data(tmp_path / "shop.duckdb")
        again = served(other, GROUPS)
        assert again is not None and again.rows == first.rows
        assert not caplog.messages
        assert served(other, f"{GROUPS} LIMIT 1") is not None
        other.ask("SELECT COUNT(*) AS n FROM orders", 1, fresh=True)
        other.db.close()
        # The owner learns of it, when something is charged, in his own log.
        assert ["the data changed within the epoch" in text for text in caplog.messages] == (
            [True] if name == "changed" else []
        )
        caplog.clear()
    log.removeHandler(caplog.handler)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("2026-11", "2026-11", True),
        ("2026-11", "2026-12", False),
        ("monthly", "monthly", True),
        ("monthly", "2026-11", False),
        ("yearly", "monthly", False),
    ],
)
def test_an_epoch_of_the_owners_ends_it(
    tmp_path: Path, before: str, after: str, same: bool
) -> None:
    def opened(epoch: str) -> Data:
        return Data(tmp_path / "shop.duckdb", POLICY.replace("1e-3}", f"1e-3, epoch: {epoch}}}"))

    data = opened(before)
    assert data.db.run(GROUPS, eps=1).reused is None
    data.db.close()
    change(tmp_path / "shop.duckdb")
    data = opened(after)
    assert (data.db.run(GROUPS, eps=1).reused is not None) is same
    data.db.close()


def test_data_that_can_change_while_they_are_open_have_an_epoch_that_is_named() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    policy = POLICY.replace("1e-3}", "1e-3, epoch: 2026-11}")
    with dpsql.connect(connection, policy) as db:
        assert db.run(GROUPS, eps=1).reused is None
        connection.execute("UPDATE customer SET region = 'w'")
        assert db.run(GROUPS, eps=1).reused is not None
    with dpsql.connect(connection, policy, version="2") as db:
        assert db.run(GROUPS, eps=1).reused is None


@pytest.mark.parametrize(
    ("declared", "version", "stable", "name"),
    [
        (None, None, True, "always"),
        (None, None, False, ""),
        (None, "v", False, "always, version v"),
        ("2026-11", None, False, "named 2026-11"),
        ("daily", None, True, "daily 2026-12-31"),
        ("weekly", None, True, "weekly 2026-W53"),
        ("monthly", "v", True, "monthly 2026-12, version v"),
        ("yearly", None, True, "yearly 2026"),
    ],
)
def test_the_names_of_epochs(
    declared: str | None, version: str | None, stable: bool, name: str
) -> None:
    moment = datetime(2027, 1, 1, 0, 59, tzinfo=timezone(timedelta(hours=1)))
    assert epoch_at(declared, version, moment, stable) == name


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("bounds: [0, 99]", "bounds: [0, 98]", False),
        ("values: [n, s, w]", "values: [n, s, w, x]", False),
        ("max_rows: 5", "max_rows: 6", False),
        ("budget: {eps: 10000", "budget: {eps: 20000", True),
    ],
)
def test_another_policy_is_another_question(
    data: Data,
    tmp_path: Path,
    old: str,
    new: str,
    same: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data.ask(GROUPS)
    data.db.close()
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "state"))  # where nobody knows the first one
    # A ledger of the first policy's may refuse the second: the answers are carried over.
    kept = data.db._ledger.answers(1)
    other = Data(tmp_path / "shop.duckdb", POLICY.replace(old, new), ledger=tmp_path / "other")
    other.ask("SELECT COUNT(*) AS n FROM customer WHERE age > 1", 1, key="empty")
    ledger = Kept(other.db._ledger, kept)
    other.db._ledger = ledger
    assert (other.ask(GROUPS).reused is not None) is same
    other.db.close()


class Kept:
    """A ledger that has answers of another one."""

    def __init__(self, ledger: Any, answers: tuple[Stored, ...]) -> None:
        self._ledger, self._answers = ledger, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def find(self, *, key: str = "", family: str = "") -> tuple[Stored, ...]:
        return tuple(a for a in self._answers if (a.key == key if key else a.family == family))


def test_without_a_version_nothing_is_kept() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    with dpsql.connect(connection, POLICY) as db:
        data = object.__new__(Data)
        data.db = db
        data.ask(GROUPS)
        assert not db._ledger.answers(1)
        assert served(data, GROUPS) is None


def test_an_owner_may_name_the_version() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    with dpsql.connect(connection, POLICY, version="2024-05") as db:
        data = object.__new__(Data)
        data.db = db
        data.ask(GROUPS)
        assert served(data, GROUPS) is not None
        db._named_version = "2024-06"
        assert served(data, GROUPS) is None


# --- retries --------------------------------------------------------------------------------------


def test_a_retry_gets_the_first_answer(data: Data) -> None:
    first = data.ask(GROUPS, 1, key="k", fresh=True)
    again = served(data, GROUPS, 1, key="k", fresh=True)
    assert again is not None and again.reused is not None
    assert again.reused.kind == "retry" and again.rows == first.rows
    again = served(data, f"{GROUPS} ORDER BY n", 0.5, key="k")
    assert again is not None and sorted(again.rows, key=str) == sorted(first.rows, key=str)


def test_a_retry_needs_no_version() -> None:
    connection = duckdb.connect()
    connection.execute(TABLES)
    with dpsql.connect(connection, POLICY) as db:
        data = object.__new__(Data)
        data.db = db
        first = data.ask(GROUPS, 1, key="k")
        connection.execute("UPDATE customer SET region = 'w'")
        again = served(data, GROUPS, 1, key="k")
        assert again is not None and again.rows == first.rows
        assert served(data, GROUPS, 1) is None


@pytest.mark.parametrize(("sql", "eps"), [("SELECT COUNT(*) AS n FROM orders", 1), (GROUPS, 2)])
def test_a_key_of_another_request_is_refused(data: Data, sql: str, eps: float) -> None:
    data.ask(GROUPS, 1, key="k")
    with pytest.raises(RequestExists, match="another query"):
        data.ask(sql, eps, key="k")
    assert data.lines == 1


def test_a_request_that_died_is_not_answered_again(data: Data) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpsql.execution.run.add_noise", broken)
        with pytest.raises(EngineError):
            data.ask(GROUPS, 1, key="k")
    for _ in range(2):
        with pytest.raises(RequestExists, match="no answer"):
            data.ask(GROUPS, 1, key="k")
    assert data.lines == 2  # the charge, and that it failed
    assert data.ask(GROUPS, 1).reused is None


def broken(*_: object) -> None:
    raise RuntimeError("no")


def test_requests_at_the_same_time_are_one_charge(data: Data) -> None:
    """Whoever is slower gets the answer, or is told that it is on its way."""
    gate, found = threading.Barrier(4), []

    def work() -> None:
        gate.wait()
        try:
            found.append(tuple(data.ask(GROUPS, 1, key="k", fresh=True).rows))
        except RequestExists:
            found.append(None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = {rows for rows in found if rows is not None}
    assert len(found) == 4 and len(answers) == 1 and data.lines == 1


# --- an answer is shown only once it is kept ------------------------------------------------------


def test_an_answer_that_is_not_kept_is_not_shown(data: Data) -> None:
    def refused(*_: object) -> None:
        raise EngineError("the ledger cannot be written")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(data.db._ledger), "commit", refused)
        with pytest.raises(EngineError, match="cannot be written"):
            data.ask(GROUPS)
    assert [line.kind for line in data.db._ledger.entries()] == ["charge", "failed"]
    assert not data.db._ledger.answers(1)


def test_an_answer_is_kept_before_it_is_shown(data: Data) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpsql.execution.run.post_process", broken)
        with pytest.raises(EngineError):
            data.ask(GROUPS)
    assert len(data.db._ledger.answers(1)) == 1
    assert served(data, GROUPS) is not None
