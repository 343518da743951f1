"""The folder of a copy: what is in it, whose ledger it has, and what is left when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.__main__ import main
from dpsql.errors import EngineError, InvalidArgument, PolicyError
from dpsql.platform.engine.conform import Conformer, Cut
from dpsql.session import conforming
from dpsql.session.copies import part

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}, age: {type: INTEGER, bounds: [0, 100], nullable: false}}
  orders:
    access: private
    columns:
      cust: {type: INTEGER, references: people.id, max_rows: 2}
      amount: {type: INTEGER, bounds: [0, 50]}
  towns: {access: public, key: [town], columns: {town: {type: VARCHAR}}}
"""
PEOPLE = "SELECT * FROM (VALUES (1, 30, 'a'), (2, 130, 'b')) AS t(id, age, name)"
ORDERS = "SELECT (i % 2 + 1)::INTEGER AS cust, (i * 10)::INTEGER AS amount FROM range(1, 9) AS t(i)"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "shop.duckdb"
    with duckdb.connect(file) as made:
        made.execute(f"CREATE TABLE people AS {PEOPLE}")
        made.execute(f"CREATE TABLE orders AS {ORDERS}")
        made.execute("CREATE TABLE towns AS SELECT 'x' AS town, 7 AS size")
    return file


def without_a_key(data: Path) -> None:
    with duckdb.connect(data) as made:
        made.execute("INSERT INTO people VALUES (NULL, 1, 'c')")


def test_a_copy_is_proven_and_enforces_nothing(data: Path, tmp_path: Path) -> None:
    without_a_key(data)  # with which `connect` refuses it
    people, orders = dpsql.prepare(data, POLICY, tmp_path / "copy")
    assert people == Cut(
        *("people", 3, 2, {"without a unit": 1}, 0),
        changed={("age", "outside its bounds"): 1},
        totals={"age": (161.0, 130.0)},
    )
    assert (orders.rows, orders.kept, orders.units) == (8, 4, 2)
    assert orders.reasons == {"more than 2 rows of one cust": 4}
    with dpsql.connect(tmp_path / "copy", POLICY) as db:
        assert db.verified
        explained = db.explain("SELECT SUM(amount) AS s FROM orders")
        assert "enforced" not in str(explained) and "clamped" not in str(explained)
        found = db.run("SELECT COUNT(*) AS n, SUM(age) AS s FROM people", 1e6)
        assert found.rows == ((2, 130),)


def test_a_key_of_a_copy_has_no_null(tmp_path: Path) -> None:
    """As the policy claims; so that a count of one is that of the copy's rows, and DuckDB's."""
    data = tmp_path / "d.duckdb"
    with duckdb.connect(str(data)) as con:
        con.execute("CREATE TABLE u AS SELECT i AS id FROM range(9) t(i)")
        con.execute("CREATE TABLE o AS SELECT i % 9 AS u, nullif(i, 7) AS k FROM range(20) t(i)")
    policy = """
unit: u.id
budget: {eps: 1e7}
tables:
  u: {access: private, key: [id], columns: {id: {type: BIGINT}}}
  o:
    access: private
    key: [k]
    columns: {u: {type: BIGINT, references: u.id, max_rows: 5}, k: {type: BIGINT}}
"""
    _, cut = dpsql.prepare(data, policy, tmp_path / "copy")
    assert cut.kept == 19 and sum(cut.reasons.values()) == 1
    with dpsql.connect(tmp_path / "copy", policy) as db:
        assert db.run("SELECT COUNT(*), COUNT(k) FROM o", eps=10**6).rows == ((19, 19),)


def test_what_the_policy_does_not_name_is_left_out(data: Path, tmp_path: Path) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    with dpsql.connect(tmp_path / "copy", POLICY) as db:
        assert [c.name for c in db.schema.tables["people"].columns] == ["id", "age"]
        # Of a public table all is public.
        assert [c.name for c in db.schema.tables["towns"].columns] == ["town", "size"]
    [file] = (tmp_path / "copy").glob("*.duckdb")
    assert b"name" not in file.read_bytes()


def test_data_and_copy_have_one_ledger(data: Path, tmp_path: Path) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    for place in (data, tmp_path / "copy"):
        with dpsql.connect(place, POLICY) as db:
            db.run("SELECT COUNT(*) AS n FROM people", 1000)
    with dpsql.connect(data, POLICY) as db:
        assert db.budget.spent.eps == 2000
    assert not list((tmp_path / "copy").glob("*ledger*"))
    # A copy of a copy is of the same data, too.
    dpsql.prepare(tmp_path / "copy", POLICY, tmp_path / "again")
    with dpsql.connect(tmp_path / "again", POLICY) as db:
        assert db.budget.spent.eps == 2000


def test_a_ledger_that_is_named_stays_the_ledger(data: Path, tmp_path: Path) -> None:
    with dpsql.connect(data, POLICY, ledger=tmp_path / "books") as db:
        db.run("SELECT COUNT(*) AS n FROM people", 1000)
        db.prepare(tmp_path / "copy")
    with dpsql.connect(tmp_path / "copy", POLICY) as db:
        assert db.budget.spent.eps == 1000


def test_a_ledger_that_is_no_file_has_to_be_named(tmp_path: Path) -> None:
    owners = duckdb.connect()
    owners.execute(f"CREATE TABLE people AS {PEOPLE}")
    owners.execute(f"CREATE TABLE orders AS {ORDERS}")
    owners.execute("CREATE TABLE towns AS SELECT 'x' AS town")
    dpsql.connect(owners, POLICY).prepare(tmp_path / "copy")
    with pytest.raises(PolicyError, match="the ledger of the data that were copied is no file"):
        dpsql.connect(tmp_path / "copy", POLICY)
    with dpsql.connect(tmp_path / "copy", POLICY, ledger=tmp_path / "books") as db:
        assert db.verified
    assert owners.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(3,)]


def test_a_file_of_a_copy_has_no_budget_of_its_own(data: Path, tmp_path: Path) -> None:
    with dpsql.connect(data, POLICY) as db:
        db.run("SELECT COUNT(*) AS n FROM people", 1000)
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    [file] = (tmp_path / "copy").glob("*.duckdb")
    with dpsql.connect(file, POLICY) as db:
        assert db.budget.spent.eps == 1000
    with duckdb.connect(file) as owners, dpsql.connect(owners, POLICY) as db:
        assert db.budget.spent.eps == 1000
    (tmp_path / "link").symlink_to(file)
    with dpsql.connect(tmp_path / "link", POLICY) as db:
        assert db.budget.spent.eps == 1000
    dpsql.prepare(file, POLICY, tmp_path / "again")
    with dpsql.connect(tmp_path / "again", POLICY) as db:
        assert db.budget.spent.eps == 1000


def test_a_ledger_that_is_gone_is_no_new_budget(data: Path, tmp_path: Path) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")  # which makes the ledger
    other = tmp_path / "other"
    other.mkdir()
    for file in tmp_path.glob("shop.duckdb*"):
        file.rename(other / file.name)
    with pytest.raises(PolicyError, match="the ledger of the data that were copied is not where"):
        dpsql.connect(tmp_path / "copy", POLICY)
    with dpsql.connect(other / "shop.duckdb", POLICY) as db:
        db.run("SELECT COUNT(*) AS n FROM people", 1000)
    # Nothing is made anew, and yet it is known where the ledger is now.
    assert dpsql.prepare(other / "shop.duckdb", POLICY, tmp_path / "copy", refresh=True) == ()
    with dpsql.connect(tmp_path / "copy", POLICY) as db:
        assert db.budget.spent.eps == 1000


def test_a_copy_is_of_the_units_that_it_was_made_for(data: Path, tmp_path: Path) -> None:
    """Where max_rows chose among rows of one unit, one of another may come for each that goes."""
    with duckdb.connect(data) as made:
        made.execute("ALTER TABLE orders ADD COLUMN buyer INTEGER")
    text = POLICY.replace(
        "    columns:\n      cust", "    owner: cust\n    columns:\n      cust"
    ).replace("      amount", "      buyer: {type: INTEGER, references: people.id}\n      amount")
    dpsql.prepare(data, text, tmp_path / "copy")
    dpsql.connect(tmp_path / "copy", text).close()
    with pytest.raises(PolicyError, match="prepared for other owners of the rows of orders"):
        dpsql.connect(tmp_path / "copy", text.replace("owner: cust", "owner: buyer"))
    kept = json.loads((tmp_path / "copy" / "prepared.json").read_text())
    del kept["owners"]  # as of an older version, which nothing is known of
    (tmp_path / "copy" / "prepared.json").write_text(json.dumps(kept))
    with pytest.raises(PolicyError, match="prepared for other owners"):
        dpsql.connect(tmp_path / "copy", text)


def test_one_prepares_at_a_time(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    with part(folder), pytest.raises(PolicyError, match="a copy is being prepared in it"):
        dpsql.prepare(data, POLICY, folder)
    dpsql.prepare(data, POLICY, folder)


def test_a_copy_that_was_changed_is_not_taken_over(data: Path, tmp_path: Path) -> None:
    """Also where its claims are true all the same: rows that others chose are not ours."""
    folder = tmp_path / "copy"
    dpsql.prepare(data, POLICY, folder)
    assert dpsql.prepare(data, POLICY, folder, refresh=True) == ()
    [file] = folder.glob("*.duckdb")
    with duckdb.connect(file) as made:
        made.execute("DELETE FROM orders WHERE cust = 1")
    with dpsql.connect(folder, POLICY) as db:
        assert db.verify().clean
    assert len(dpsql.prepare(data, POLICY, folder, refresh=True)) == 2
    [file] = folder.glob("*.duckdb")
    file.unlink()
    assert len(dpsql.prepare(data, POLICY, folder, refresh=True)) == 2


def test_things_of_one_unit_are_rules_of_the_copy(data: Path, tmp_path: Path) -> None:
    """An amount that names a thing is not clamped: the row goes."""
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    other = POLICY.replace("  orders:\n", "  orders:\n    one_unit: {bill: [amount]}\n")
    [_, orders] = dpsql.prepare(data, other, tmp_path / "copy", refresh=True)
    assert orders.reasons["amount: outside its bounds"] == 3


def test_what_the_database_enforces_the_policy_has_to_say(tmp_path: Path) -> None:
    """A copy has no constraints: told before any work, not when it is opened."""
    file = tmp_path / "shop.duckdb"
    with duckdb.connect(file) as made:
        made.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER)")
        made.execute("CREATE TABLE orders (cust INTEGER REFERENCES people (id), amount INTEGER)")
        made.execute("CREATE TABLE towns (town VARCHAR)")
    for less, said in (
        ("    key: [id]\n", "people.id is not the key of its table"),
        (" references: people.id,", "a private table without a path to the unit people.id"),
    ):
        with pytest.raises(PolicyError, match=said):
            dpsql.prepare(file, POLICY.replace(less, ""), tmp_path / "copy")
    dpsql.prepare(file, POLICY, tmp_path / "copy")


@pytest.mark.parametrize("called", ["memory", "dpsql_copy", "main"])
def test_the_name_of_a_file_is_no_name_in_the_work(data: Path, tmp_path: Path, called: str) -> None:
    file = data.rename(tmp_path / f"{called}.duckdb")
    assert len(dpsql.prepare(file, POLICY, tmp_path / "copy")) == 2


def test_a_declared_number_of_rows_is_that_of_the_copy(data: Path, tmp_path: Path) -> None:
    text = POLICY.replace("budget:", "neighbours: replace\nbudget:", 1)
    text = text.replace("key: [id]", "key: [id]\n    rows: 2", 1)
    dpsql.prepare(data, text, tmp_path / "copy")
    dpsql.connect(tmp_path / "copy", text).close()
    few = text.replace("id: {type: INTEGER}", "id: {type: INTEGER, bounds: [0, 1]}")
    with pytest.raises(PolicyError, match="people does not have the declared 2 rows"):
        dpsql.prepare(data, few, tmp_path / "copy")


def test_no_macro_of_the_owners_database_is_called(tmp_path: Path) -> None:
    """One that was made after it was opened, when macros that shadow functions were refused."""
    owners = duckdb.connect()
    owners.execute(f"CREATE TABLE people AS {PEOPLE}")
    owners.execute(f"CREATE TABLE orders AS {ORDERS}")
    owners.execute("CREATE TABLE towns AS SELECT 'x' AS town")
    db = dpsql.connect(owners, POLICY)
    for macro in ("count(a) AS 0", "sum(a) AS 1", "greatest(a, b) AS 200", "hash(a, b, c) AS 0"):
        owners.execute(f"CREATE MACRO {macro}")
    people, orders = db.prepare(tmp_path / "copy")
    assert (people.rows, people.kept, people.totals) == (2, 2, {"age": (160.0, 130.0)})
    assert (orders.rows, orders.kept) == (8, 4)


def test_a_copy_that_fails_leaves_the_one_that_was_there(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copy"
    dpsql.prepare(data, POLICY, folder)
    before = sorted(p.name for p in folder.iterdir())
    assert len(before) == 4  # the copy, its record, what is said of it, and the lock
    whole = Conformer.private

    def killed(self: Conformer, table: dpsql.platform.core.Table) -> Cut:  # type: ignore
        if table.name == "orders":
            raise KeyboardInterrupt
        return whole(self, table)

    monkeypatch.setattr(Conformer, "private", killed)
    with pytest.raises(KeyboardInterrupt):
        dpsql.prepare(data, POLICY, folder)
    monkeypatch.undo()
    assert sorted(p.name for p in folder.iterdir()) == before
    with dpsql.connect(folder, POLICY) as db:
        assert db.verified


def test_what_a_killed_process_left_is_removed(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    dpsql.prepare(data, POLICY, folder)
    (folder / ".part-00").write_text("half")
    (folder / "data-00.duckdb").write_text("a whole one, and then the machine stopped")
    dpsql.prepare(data, POLICY, folder)
    assert len([p for p in folder.iterdir() if p.name != ".lock"]) == 3
    with dpsql.connect(folder, POLICY) as db:
        assert db.verified


def test_a_folder_with_other_files_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="has other files in it"):
        dpsql.prepare(data, POLICY, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(PolicyError, match="cannot be written"):
        dpsql.prepare(data, POLICY, tmp_path / "file")


_FIELDS = {"format": 1, "file": "f", "version": "", "ledger": "", "salt": "", "rules": ""}
ODD = [
    json.dumps({**_FIELDS, "sources": {}, "owners": {}, **odd})
    for odd in (
        *({"unit": 3}, {"owners": None}, {"owners": [1]}, {"file": None}, {"file": "\0"}),
        *({"ledger": 3}, {"salt": None}, {"rules": []}, {"version": 1}, {"sources": []}),
    )
]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 1}', '{"format": 9}', "[" * 100_000, *ODD]
)
@pytest.mark.one_in(2)
def test_a_manifest_that_is_none(data: Path, tmp_path: Path, text: str) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    (tmp_path / "copy" / "prepared.json").write_text(text)
    with pytest.raises(PolicyError, match="prepare the copy again"):
        dpsql.connect(tmp_path / "copy", POLICY)


def test_where_nobody_may_look(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.is_file

    def shut(path: Path) -> bool:
        if path.name == "prepared.json":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "is_file", shut)  # root may look where chmod forbids it
    with pytest.raises(PolicyError, match=r"shop\.duckdb: cannot be read: Permission denied"):
        dpsql.connect(data, POLICY)


def test_a_manifest_names_no_file_elsewhere(data: Path, tmp_path: Path) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    path = tmp_path / "copy" / "prepared.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "file": "../shop.duckdb"}))
    with pytest.raises(PolicyError, match="prepare the copy again"):
        dpsql.connect(tmp_path / "copy", POLICY)


def test_a_changed_copy_is_proven_no_more(data: Path, tmp_path: Path) -> None:
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    [file] = (tmp_path / "copy").glob("*.duckdb")
    with duckdb.connect(file) as made:
        made.execute("INSERT INTO orders VALUES (1, 999)")
    with dpsql.connect(tmp_path / "copy", POLICY) as db:
        assert not db.verified
    other = POLICY.replace("bounds: [0, 50]", "bounds: [0, 40]")
    dpsql.prepare(data, POLICY, tmp_path / "copy")
    with dpsql.connect(tmp_path / "copy", other) as db:
        assert not db.verified


def test_refresh_takes_over_what_is_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()

    def table(name: str, sql: str) -> None:
        duckdb.sql(f"COPY ({sql}) TO '{folder / name}.parquet'")

    table("people", PEOPLE)
    table("orders", ORDERS)
    table("towns", "SELECT 'x' AS town")
    copy = tmp_path / "copy"
    assert len(dpsql.prepare(folder, POLICY, copy)) == 2
    assert dpsql.prepare(folder, POLICY, copy, refresh=True) == ()
    table("orders", f"{ORDERS} UNION ALL SELECT 1, 5")
    [cut] = dpsql.prepare(folder, POLICY, copy, refresh=True)
    assert (cut.table, cut.rows, cut.kept) == ("orders", 9, 4)
    # What leads to a table that has changed is made anew: other rows may have a unit now.
    table("people", f"{PEOPLE} UNION ALL SELECT 3, 3, 'd'")
    found = dpsql.prepare(folder, POLICY, copy, refresh=True)
    assert [c.table for c in found] == ["people"]  # an order has its person's id itself
    other = POLICY.replace("max_rows: 2", "max_rows: 3")
    assert len(dpsql.prepare(folder, other, copy, refresh=True)) == 2
    with dpsql.connect(copy, other) as db:
        assert db.verified
        assert db.run("SELECT COUNT(*) AS n FROM orders", 1e6).rows == ((6,),)


def test_two_kinds_of_unit_are_refused(data: Path, tmp_path: Path) -> None:
    text = POLICY.replace("unit: people.id", "units: [people.id, orders.cust]")
    with pytest.raises(PolicyError, match="a copy is made of data with one kind of unit"):
        dpsql.prepare(data, text.replace(", references: people.id", ""), tmp_path / "copy")


def test_nothing_of_a_row_is_in_an_error(tmp_path: Path) -> None:
    file = tmp_path / "shop.duckdb"
    with duckdb.connect(file) as made:
        made.execute("CREATE TABLE people AS SELECT 1 AS id, 'secret' AS age")
        made.execute(f"CREATE TABLE orders AS {ORDERS}")
        made.execute("CREATE TABLE towns AS SELECT 'x' AS town")
    with pytest.raises(PolicyError) as caught:
        dpsql.prepare(file, POLICY, tmp_path / "copy")
    assert "secret" not in str(caught.value)
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises((PolicyError, EngineError)) as broken:
        dpsql.prepare(file, POLICY, tmp_path / "copy")
    assert broken.value.__cause__ is None
    with pytest.raises(InvalidArgument):
        dpsql.prepare(file, POLICY, 7)  # type: ignore[arg-type]


def test_progress_is_told(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conforming, "OFTEN", 0.001)
    with duckdb.connect(data) as made:
        made.execute("INSERT INTO orders SELECT i % 9, i FROM range(300000) AS t(i)")
    seen: dict[str, list[tuple[int, int]]] = {}
    dpsql.prepare(
        data, POLICY, tmp_path / "c", told=lambda t, *of: seen.setdefault(t, []).append(of)
    )
    assert list(seen) == ["people", "orders", "towns"]
    done, rows = zip(*seen["orders"], strict=True)
    assert set(rows) == {300_008} and done[-1] == 300_008 and list(done) == sorted(done)
    assert len({n for n in done if 0 < n < 300_008}) > 4  # also within a statement


def test_the_command_tells_the_owner(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_a_key(data)
    policy = tmp_path / "shop.yaml"
    policy.write_text(POLICY)
    copy = str(tmp_path / "copy")
    assert main(["prepare", str(data), "--policy", str(policy), "--into", copy]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[:4] == [
        "people: 2 of 3 rows (-33.3 %)",
        "  1 row left out: without a unit",
        "  1 value of age changed: outside its bounds",
        "  the total of age is 130 instead of 161 (-19.3 %)",
    ]
    assert main(["prepare", str(data), "--policy", str(policy), "--into", copy, "--refresh"]) == 0
    assert "nothing has changed" in capsys.readouterr().out
    query = [
        "run",
        copy,
        "--policy",
        str(policy),
        "--eps",
        "1e6",
        "SELECT COUNT(*) AS n FROM people",
    ]
    assert main(query) == 0
    assert main(["budget", copy, "--policy", str(policy)]) == 0
    assert "charges     1," in capsys.readouterr().out
