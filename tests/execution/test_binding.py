"""What cannot be answered is not charged: everything that a run sends is bound beforehand."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.core.emit import plans as emit
from dpsql.core.enforce import cells_sql
from dpsql.errors import Rejected
from dpsql.execution import binding
from dpsql.platform.engine.empty import Empty, Unbound
from dpsql.session.database import Database
from dpsql.types import BIGINT, DATE, INTEGER, VARCHAR, Type, decimal
from tests.adversarial.world import database, opened

ANSWERED = [
    "SELECT COUNT(*) FROM orders GROUP BY NULL",
    "SELECT NULL AS x, COUNT(*) FROM orders GROUP BY NULL",
    "SELECT COUNT(*) FROM customer GROUP BY ceil(5)",
    "SELECT ceil(5), COUNT(*) FROM orders GROUP BY 1",
    "SELECT COUNT(DISTINCT o_custkey) FROM orders GROUP BY ceil(5), 'a'",
    "SELECT COUNT(*) AS n FROM orders GROUP BY o_orderstatus ORDER BY ceil(1)",
    "SELECT COUNT(*) FROM orders a, (SELECT COUNT(*) AS m FROM region) b",
    "SELECT COUNT(*) FROM (SELECT o_custkey, row_number() OVER (PARTITION BY o_custkey ORDER BY "
    "NULL) AS r FROM orders) t WHERE r = 1",
    "SELECT SUM(COUNT(*)) OVER (ORDER BY NULL) FROM orders GROUP BY o_orderpriority",
    "SELECT MAX((c_nationkey << 7) << (c_nationkey & 3)) FROM customer",
]
"""Each of them was charged, and could never be answered."""


@pytest.fixture(scope="module")
def world() -> Database:
    return database()


@pytest.mark.parametrize("query", ANSWERED)
def test_it_is_answered(world: Database, query: str) -> None:
    before = world.budget.spent.exact.eps
    assert len(world.run(query, eps=1).columns) >= 1
    assert world.budget.spent.exact.eps - before == 1


def test_a_scalar_aggregate_of_which_nothing_is_read_is_one_row(world: Database) -> None:
    """Not a row for each of its three regions."""
    query = "SELECT COUNT(*) FROM orders a, (SELECT COUNT(*) AS m FROM region) b"
    alone = world.run("SELECT COUNT(*) FROM orders", eps=10_000)  # no noise is left
    assert world.run(query, eps=10_000).rows == alone.rows


def _unprintable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constant keys as they once were printed."""
    for module in (emit, cells_sql):
        monkeypatch.setattr(module, "key_value", emit.scalar)


def test_what_is_not_bound_is_not_charged(world: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    _unprintable(monkeypatch)
    monkeypatch.setattr(world._engine, "snapshot", None)  # whoever reads anything fails
    world._analysis.kept.clear()
    before = world.budget.spent.exact.eps
    for _ in range(2):  # the second is prepared, and no less refused
        with pytest.raises(Rejected, match="does not take") as refused:
            world.run("SELECT COUNT(*) FROM customer GROUP BY ceil(5)", eps=1)
        assert [d.code for d in refused.value.diagnostics] == ["DP105"]
    assert world.budget.spent.exact.eps == before


def test_nor_is_a_batch_with_one_such_query(
    world: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    _unprintable(monkeypatch)
    world._analysis.kept.clear()
    before = world.budget.spent.exact.eps
    with pytest.raises(Rejected, match="does not take"):
        world.run_batch(
            ["SELECT COUNT(*) FROM orders", "SELECT COUNT(*) FROM customer GROUP BY ceil(5)"], eps=1
        )
    assert world.budget.spent.exact.eps == before


FED = (
    "WITH r AS (SELECT n_nationkey AS k, COUNT(*) AS n FROM customer JOIN nation ON c_nationkey = "
    "n_nationkey GROUP BY 1) SELECT COUNT(*) FROM customer JOIN r ON c_nationkey = k WHERE n > 0"
)


def test_a_released_table_of_other_types_than_the_plans_is_refused(
    world: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = binding.table_columns

    def wrong(query: object, number: int) -> list[tuple[str, Type]]:
        columns = right(query, number)  # type: ignore[arg-type]
        return [(name, decimal(20, 2) if kind == BIGINT else kind) for name, kind in columns]

    monkeypatch.setattr(binding, "table_columns", wrong)
    world._analysis.kept.clear()
    before = world.budget.spent.exact.eps
    with pytest.raises(Rejected, match=r"a DECIMAL\(20,2\) where the plan has a BIGINT"):
        world.run(FED, eps=1)
    assert world.budget.spent.exact.eps == before


def test_parameters_of_other_types_than_the_plans_are_refused(
    world: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells_sql, "loaded_type", lambda kind: INTEGER)
    world._analysis.kept.clear()
    with pytest.raises(Rejected, match="a INTEGER where the plan has a BIGINT"):
        world.run(FED, eps=1)


def test_it_is_bound_once(world: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    world._analysis.kept.clear()
    asked = 0
    opened_ = world._analysis._empty.opened

    def counted() -> object:
        nonlocal asked
        asked += 1
        return opened_()

    monkeypatch.setattr(world._analysis._empty, "opened", counted)
    for _ in range(3):
        world.run("SELECT COUNT(*) FROM orders", eps=1)
    assert asked == 1


def test_a_public_table_may_have_the_name_of_a_release(tmp_path: Path) -> None:
    tables = (
        "CREATE TABLE people (id INTEGER, r INTEGER); INSERT INTO people VALUES (1, 1), (2, 2);"
        "CREATE TABLE r1 (r INTEGER, name VARCHAR); INSERT INTO r1 VALUES (1, 'a'), (2, 'b');"
    )
    policy = (
        "{unit: people.id, neighbours: add_remove, budget: {eps: 100}, tables: {people: {access: "
        "private, key: [id], columns: {id: {}, r: {references: r1.r}}}, "
        "r1: {access: public, key: [r], columns: {r: {}, name: {}}}}}"
    )
    shop = opened(tables, policy, tmp_path)
    query = (
        "SELECT r1.name, q.n FROM r1 JOIN (SELECT r, COUNT(*) AS n FROM people GROUP BY r) q "
        "ON q.r = r1.r"
    )
    assert len(shop.run(query, eps=1).rows) == 2


# --- the empty database ---


def test_the_empty_database_has_the_tables_by_their_full_names() -> None:
    places = [("memory", "main", "t"), ("shop", "odd schema", 'a "table"'), ("shop", "main", "t")]
    empty = Empty({place: [("a b", decimal(5, 2)), ("d", DATE)] for place in places})
    for place in places:
        named = ".".join('"' + part.replace('"', '""') + '"' for part in place)
        with empty.opened() as binder:
            assert binder.types(f'SELECT "a b", d, 1 AS x FROM {named}') == (
                *(decimal(5, 2), DATE),
                INTEGER,
            )
    empty.close()
    with empty.opened() as binder:  # it is made anew
        assert binder.types("SELECT d FROM shop.main.t") == (DATE,)


def test_types_that_only_the_owners_database_has_can_be_counted() -> None:
    kinds = [Type("UNKNOWN"), Type("GEOMETRY_OF_MINE"), Type("STRUCT(a INTEGER)"), Type("UUID")]
    empty = Empty({("memory", "main", "t"): [(f"c{i}", k) for i, k in enumerate(kinds)]})
    with empty.opened() as binder:
        for i in range(len(kinds)):
            assert binder.types(f"SELECT COUNT(c{i}) FROM memory.main.t") == (BIGINT,)


def test_scratch_tables_are_there_for_one_query() -> None:
    empty = Empty({("memory", "main", "t"): [("a", INTEGER)]})
    with empty.opened() as binder:
        binder.table("t", [("a", VARCHAR)])
        assert binder.types("SELECT a FROM t") == (VARCHAR,)
        assert binder.types("SELECT a FROM memory.main.t") == (INTEGER,)
    with empty.opened() as binder:
        assert binder.types("SELECT a FROM t") == (INTEGER,)


def test_parameters_are_lists() -> None:
    with Empty({}).opened() as binder:
        query = "SELECT unnest(CAST($x AS DATE[])) AS d"
        assert binder.types(query, ["x"]) == (DATE,)
        with pytest.raises(Unbound):
            binder.types(query)


def test_nothing_is_run() -> None:
    with Empty({}).opened() as binder:
        assert binder.types("SELECT count(*) FROM range(10000000000), range(10000000)") == (BIGINT,)
        assert binder.types("SELECT error('run') AS x")[0].name != ""


def test_what_the_engine_does_not_take_is_told_without_a_cause() -> None:
    with Empty({}).opened() as binder, pytest.raises(Unbound) as unbound:
        binder.types("SELECT nope FROM nowhere")
    assert unbound.value.__cause__ is None
    assert unbound.value.__context__ is None
    assert "nowhere" in unbound.value.message


def test_a_file_is_bound_under_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "my shop.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, r INTEGER)")
        made.execute("INSERT INTO people VALUES (1, 2)")
    policy = (
        "{unit: people.id, neighbours: add_remove, budget: {eps: 100}, tables: {people: {access: "
        "private, columns: {id: {}, r: {bounds: [0, 3]}}}}}\n"
    )
    with dpsql.connect(file, policy, ledger=str(tmp_path / "ledger")) as shop:
        assert shop.run("SELECT SUM(r) FROM people", eps=1).columns == ("sum(r)",)
