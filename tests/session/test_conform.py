"""What a copy has of one unit is told by that unit's rows, and every claim is true of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.errors import PolicyError
from dpsql.platform.engine.conform import Conformer, fanouts
from dpsql.platform.engine.sql_text import name
from dpsql.platform.policy import length_claims, null_claims, resolve
from dpsql.session.conforming import own_keys
from tests.session.copied import Copier, proven
from tests.support.brute import Measured, compare, repeat, store
from tests.support.databases import BROKEN, HOLD, Cell, Database, Row, databases
from tests.support.effort import sampled, tries
from tests.support.grammar import EPS, Case, accepted, every
from tests.support.neighbours import unit_of, worlds
from tests.support.policies import FOLDER, Loaded, load

POLICIES = sorted(p.stem for p in FOLDER.glob("*.yaml") if p.stem != "two")


@lru_cache(maxsize=32)
def copier(policy: str) -> Copier:
    return Copier(policy)


def everything(loaded: Loaded) -> str:
    """A text that names every column, so that all of them are drawn."""
    tables = loaded.schema.tables.values()
    return " ".join(word for t in tables for word in (t.name, *(c.name for c in t.columns)))


@st.composite
def doubled(draw: st.DrawFn, loaded: Loaded) -> dict[str, tuple[Row, ...]]:
    """Databases that break all claims at once, also keys: rows are there twice, and again with
    another value, of the same unit.
    """
    made = dict(draw(databases(loaded, everything(loaded), BROKEN)))
    for low, table in loaded.schema.tables.items():
        if not table.private or table.rows is not None:
            continue  # of keys that are no facts, any two rows of a unit may share one
        names = [c.name.lower() for c in table.columns]
        free = [i for i, n in enumerate(names) if n not in {k.lower() for k in table.key}]
        free = [i for i in free if names[i] != (table.owner or "").lower()]
        if table.owner is None and table.key:
            continue  # two rows are two units, and may not share a key
        more: list[Row] = []
        for row in made[low]:
            if draw(st.integers(0, 2)) == 0:
                other = list(row)
                if free and draw(st.booleans()):
                    place = draw(st.sampled_from(free))
                    other[place] = draw(st.sampled_from([r[place] for r in made[low]]))
                more.append(tuple(other))
        made[low] = (*made[low], *more)
    return made


def owners(database: Database, loaded: Loaded) -> dict[str, list[Cell]]:
    """The unit of each row of each private table."""
    if loaded.owners[loaded.unit_table].column is None:
        return {loaded.unit_table.lower(): [str(i) for i in range(10**6)]}
    return {
        low: [unit_of(t.name, row, database, loaded) for row in database[low]]
        for low, t in loaded.schema.tables.items()
        if t.private
    }


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.one_in(3)
def test_without_a_unit_the_copy_is_without_its_rows_and_else_the_same(policy: str) -> None:
    loaded, made = load(policy), copier(policy)
    by_row = loaded.owners[loaded.unit_table].column is None

    def check(database: Database) -> None:
        whole = made.copy(database)
        units = owners(whole, loaded)
        before = owners(database, loaded)
        everyone = dict.fromkeys(u for found in before.values() for u in found if u is not None)
        for gone in [] if by_row else everyone:
            less = {
                low: tuple(r for r, u in zip(rows, before[low], strict=True) if u != gone)
                if low in before
                else rows
                for low, rows in database.items()
            }
            left = made.copy(less)
            for low, found in units.items():
                kept = [r for r, u in zip(whole[low], found, strict=True) if u != gone]
                assert Counter(left[low]) == Counter(kept), f"{low} without {gone}"
        if by_row:
            low = loaded.unit_table.lower()
            one_by_one = [
                r for row in database[low] for r in made.copy({**database, low: (row,)})[low]
            ]
            assert Counter(whole[low]) == Counter(one_by_one)

    repeat(doubled(loaded), check, tries(1, 20))


@pytest.mark.parametrize("policy", POLICIES)
def test_position_is_no_difference(policy: str) -> None:
    loaded, made = load(policy), copier(policy)

    def check(database: Database) -> None:
        whole = made.copy(database)
        turned = made.copy({low: tuple(reversed(rows)) for low, rows in database.items()})
        for low, rows in whole.items():
            assert Counter(rows) == Counter(turned[low])

    repeat(doubled(loaded), check, tries(1, 20))


def broken_claims(database: Database, loaded: Loaded) -> Iterator[str]:
    """The claims that are not true of a database, told by other means than the copy is made."""
    held = store(loaded.name)
    held.fill([database])
    lengths, full = length_claims(loaded.policy), null_claims(loaded.policy)
    for low, table in loaded.schema.tables.items():
        if not table.private:
            continue
        for column in table.columns:
            name, item = f"{low}.{column.name.lower()}", f'"{column.name}"'

            def count(where: str, table: str = table.name) -> object:
                return held.rows(f'SELECT count(*) FROM "{table}" WHERE {where}')[0][0]

            if column.bounds is not None and column.type.is_numeric:
                [first, last] = map(Fraction, column.bounds)  # type: ignore[arg-type]
                found = [v for (v,) in held.rows(f'SELECT {item} FROM "{table.name}"')]
                if not all(v is None or first <= _exact(v) <= last for v in found):
                    yield f"{name} bounds"
            elif column.bounds is not None:
                ends = " AND ".join(f"'{end}'" for end in column.bounds)
                if count(f"NOT ({item} BETWEEN {ends})"):
                    yield f"{name} bounds"
            if column.values is not None and column.type.is_numeric:
                found = [v for (v,) in held.rows(f'SELECT {item} FROM "{table.name}"')]
                if not all(v is None or _exact(v) in column.values for v in found):
                    yield f"{name} values"
            elif column.values is not None:
                listed = {str(v).lower() for v in column.values}
                found = [v for (v,) in held.rows(f'SELECT {item} FROM "{table.name}"')]
                if not all(v is None or str(v).lower() in listed for v in found):
                    yield f"{name} values"
            if name in lengths and count(f"length({item}) > {lengths[name]}"):
                yield f"{name} length"
            if (name in full or column.name == table.owner) and count(f"{item} IS NULL"):
                yield f"{name} NULL"
            if name in fanouts(loaded.schema):
                sql = (
                    f'SELECT max(n) FROM (SELECT count(*) AS n FROM "{table.name}" GROUP BY {item})'
                )
                most = held.rows(sql)[0][0]
                assert column.max_rows is not None
                if isinstance(most, int) and most > column.max_rows:
                    yield f"{name} rows"
        if key := table.key or own_keys(loaded.policy, loaded.schema).get(low):
            keys = ", ".join(f'"{k}"' for k in key)
            if held.rows(f'SELECT 1 FROM "{table.name}" GROUP BY {keys} HAVING count(*) > 1'):
                yield f"{low} key"


def _exact(value: object) -> Fraction | float:
    """A number; of one that is not finite, itself, which no bound has on its right side."""
    assert isinstance(value, int | float | Decimal)
    return Fraction(value) if isfinite(value) else float(value)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.one_in(3)
def test_every_claim_is_true_of_the_copy(policy: str) -> None:
    loaded, made = load(policy), copier(policy)
    broken: list[str] = []

    def check(database: Database) -> None:
        broken.extend(broken_claims(database, loaded))
        assert list(broken_claims(made.copy(database), loaded)) == []

    repeat(doubled(loaded), check, tries(3, 20))
    assert broken, "nothing was there to mend"


CASES = [c for c in every() if accepted(c) and c.policy in POLICIES and sampled(c.name, 240, 8)]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
@pytest.mark.one_in(2)
def test_queries_of_copies_keep_the_claims_of_a_verified_schema(case: Case) -> None:
    """Of private rows that break every claim, copied: the exact cells of two neighbours differ by
    no more than is claimed where every claim is proven. (What is claimed of public rows is not made
    true, only recorded where it is.)
    """
    loaded, made = proven(case.policy), copier(case.policy)
    options = Options(delta=usual_delta(EPS, None, loaded.schema))
    found = compile_query(case.query, loaded.schema, EPS, options=options)
    if not isinstance(found.query, ReleasedQuery):
        return
    measured = Measured(found, store(case.policy))

    def check(database: Database) -> None:
        some, pairs = worlds(database, loaded)
        measured.store.fill([made.copy(world) for world in some])
        seen = measured.see_all(len(some))
        for a, b in pairs:
            for number, release in enumerate(measured.releases):
                compare(release, seen[a][number], seen[b][number], {})

    def mixed(two: tuple[Database, Database]) -> Database:
        tables = loaded.schema.tables
        return {name: two[not tables[name].private][name] for name in two[0]}

    drawn = (databases(loaded, found.text, claims) for claims in (BROKEN, HOLD))
    repeat(st.tuples(*drawn).map(mixed), check, tries(2, 6))


def test_a_key_of_two_units_is_an_error_with_its_count() -> None:
    made = copier("shop")
    database = dict.fromkeys(made.schema.tables, ()) | {
        "customers": _rows(made, "customers", {"id": "1"}, {"id": "2"}),
        "orders": _rows(
            made,
            "orders",
            *({"id": "7", "customer": "1"}, {"id": "7", "customer": "1"}),
            *({"id": "8", "customer": "1"}, {"id": "8", "customer": "2"}),
        ),
    }
    with pytest.raises(PolicyError, match=r"^1 values of the key \(id\) of orders are in rows of"):
        made.copy(database)
    database["orders"] = database["orders"][:3]
    kept = made.copy(database)["orders"]
    assert sorted(row[0] or "" for row in kept) == ["7", "8"]


def test_rows_that_share_a_declared_key_are_resolved_within_their_unit() -> None:
    """Nothing leads to the key; another user has the same item, and keeps it."""
    made = copier("ratings")
    rows = [("1", "5", "3"), ("1", "5", "4"), ("1", "6", "4"), ("2", "5", "4"), ("1", None, "2")]
    database = dict.fromkeys(made.schema.tables, ()) | {
        "users": _rows(made, "users", *({"id": i, "age": "9"} for i in "12")),
        "ratings": _rows(
            made, "ratings", *({"person": p, "item": i, "stars": s} for p, i, s in rows)
        ),
    }
    kept = Counter(row[:2] for row in made.copy(database)["ratings"])
    assert kept == Counter({("1", "5"): 1, ("1", "6"): 1, ("2", "5"): 1})


def test_bounds_without_a_value_of_the_type_are_an_error(tmp_path: Path) -> None:
    text = """
unit: t.id
budget: {eps: 1}
tables:
  t: {access: private, key: [id], columns: {id: {type: INTEGER}, x: {bounds: [0.1, 0.1]}}}
"""
    data = duckdb.connect()
    data.execute("CREATE TABLE t AS SELECT 1 AS id, 2.0::DOUBLE AS x")
    with pytest.raises(PolicyError, match="no DOUBLE lies within the bounds of x"):
        dpsql.prepare(data, text, tmp_path / "copy")


def test_the_middle_of_bounds_with_one_value_is_that_value(tmp_path: Path) -> None:
    """The double next to 1/10 is above it, and above the middle of these bounds."""
    text = """
unit: t.id
budget: {eps: 1}
tables:
  t:
    access: private
    columns:
      id: {type: INTEGER, max_rows: 1}
      x: {bounds: [0.1, 0.100000000000000006], nullable: false}
"""
    data = duckdb.connect()
    data.execute("CREATE TABLE t AS SELECT 1 AS id, NULL::DOUBLE AS x")
    [cut] = dpsql.prepare(data, text, tmp_path / "copy")
    assert cut.totals == {"x": (0.0, 0.1)}


def test_a_column_called_rowid_is_refused(tmp_path: Path) -> None:
    """It would hide the places of rows: those of others with the same value went, too."""
    text = """
unit: t.id
budget: {eps: 1}
tables:
  t: {access: private, columns: {id: {type: INTEGER, max_rows: 1}, RowId: {type: INTEGER}}}
"""
    data = duckdb.connect()
    data.execute("CREATE TABLE t AS FROM (VALUES (1, 7), (1, 7), (2, 7)) AS v(id, RowId)")
    with pytest.raises(PolicyError, match="a column of t is called rowid; give it another name"):
        dpsql.prepare(data, text, tmp_path / "copy")
    [cut] = dpsql.prepare(data, text.replace(", RowId: {type: INTEGER}", ""), tmp_path / "copy")
    assert (cut.rows, cut.kept, cut.units) == (3, 2, 1)


@pytest.mark.parametrize("column", ["g", "c0", "r0", "v0", "s", "t", "u", "r", "unit", 'q"x'])
@pytest.mark.one_in(2)
def test_names_of_columns_are_none_of_ours(column: str, tmp_path: Path) -> None:
    text = f"""
unit: t.id
budget: {{eps: 1}}
tables:
  t:
    access: private
    columns:
      id: {{type: INTEGER, max_rows: 1}}
      {column!r}: {{type: INTEGER, bounds: [0, 10], nullable: false}}
"""
    quoted = name(column)
    data = duckdb.connect()
    data.execute(f"CREATE TABLE t AS FROM (VALUES (1, 70), (2, 8), (3, NULL)) AS v(id, {quoted})")
    [cut] = dpsql.prepare(data, text, tmp_path / "copy")
    assert cut.changed == {(column, "outside its bounds"): 1, (column, "NULL"): 1}
    assert cut.totals == {column: (78.0, 23.0)}


def test_a_number_that_is_none_is_missing_as_where_queries_clamp(tmp_path: Path) -> None:
    """Data and copy answer alike: NaN is no largest value."""
    text = """
unit: t.id
budget: {eps: 1e12}
tables:
  t:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      x: {type: DOUBLE, bounds: [0, 8]}
      y: {type: DOUBLE, bounds: [0, 8], nullable: false}
"""
    data, values = tmp_path / "t.duckdb", "(1, 'NaN', 'NaN'), (2, 'inf', 1), (3, 2, NULL)"
    with duckdb.connect(data) as made:
        made.execute("CREATE TABLE t (id INTEGER, x DOUBLE, y DOUBLE)")
        made.execute(f"INSERT INTO t VALUES {values}")
    [cut] = dpsql.prepare(data, text, tmp_path / "copy")
    assert cut.changed == {
        ("x", "NaN"): 1,
        ("x", "outside its bounds"): 1,
        ("y", "NaN"): 1,
        ("y", "NULL"): 1,
    }
    assert cut.totals == {"x": (2.0, 10.0), "y": (1.0, 9.0)}
    query = "SELECT COUNT(x) AS n, SUM(x) AS x, SUM(y) AS y, AVG(y) AS m FROM t"
    for where in (data, tmp_path / "copy"):
        with dpsql.connect(where, text, workers=0) as db:
            [row] = db.run(query, 1e6, fresh=True).rows
            assert row == pytest.approx((2, 10, 9, 3), abs=0.01)


def _rows(made: Copier, low: str, *given: dict[str, str]) -> tuple[Row, ...]:
    table = made.schema.tables[low]
    return tuple(tuple(row.get(c.name) for c in table.columns) for row in given)


# --- what a row becomes ---------------------------------------------------------------------------

ROWS = """
unit: t.id
budget: {eps: 1}
tables:
  t:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      i: {type: INTEGER, bounds: [-2, 7]}
      d: {type: "DECIMAL(6,2)", bounds: [0.01, 9.99]}
      f: {type: FLOAT, bounds: [0.1, 0.7]}
      x: {type: DOUBLE, bounds: [0.1, 0.7], nullable: false}
      day: {type: DATE, bounds: [2024-01-01, 2024-12-31]}
      v: {type: VARCHAR, values: [a, b]}
      s: {type: VARCHAR, max_length: 3}
"""


@pytest.mark.parametrize(
    ("column", "value", "made"),
    [
        ("i", "-3", -2),
        ("i", "8", 7),
        ("i", "7", 7),
        ("i", None, None),
        ("d", "0.00", Decimal("0.01")),
        ("d", "100", Decimal("9.99")),
        ("x", "0.7", 0.7),
        ("x", "0.70001", 0.7),
        ("x", "0.1", 0.1),  # above 1/10
        ("x", "nan", 0.39999999999999997),  # as a NULL
        ("x", "-inf", 0.1),
        ("f", "nan", None),
        ("f", "-nan", None),
        ("x", None, 0.39999999999999997),  # the middle, 2/5, from below
        ("day", "2023-05-05", date(2024, 1, 1)),
        ("day", "infinity", date(2024, 12, 31)),
        ("v", "c", None),
        ("v", "a", "a"),
        ("s", "abcd", "abc"),
        ("s", "äöüß", "äöü"),
    ],
)
def test_what_a_value_becomes(column: str, value: str | None, made: object) -> None:
    made_of = {"id": "1", "x": "0.5", column: value}
    assert _one(made_of)[column] == made


@pytest.mark.parametrize(("value", "low"), [("-1", True), ("1", False), ("inf", False)])
def test_a_single_is_clamped_to_one_inside_the_bounds(value: str, low: bool) -> None:
    found = _one({"id": "1", "x": "0.5", "f": value})["f"]
    assert isinstance(found, float)
    near = Fraction(found)
    assert Fraction(1, 10) <= near <= Fraction(7, 10)
    step = Fraction(1, 2**23)
    assert near - Fraction(1, 10) < step if low else Fraction(7, 10) - near < step


def _one(row: dict[str, str | None]) -> dict[str, object]:
    """What a copy has of one row."""
    schema = resolve(dpsql.Policy.parse(ROWS), None, None)
    table = schema.tables["t"]
    data = duckdb.connect()
    items = ", ".join(f'CAST(? AS {c.type}) AS "{c.name}"' for c in table.columns)
    data.execute(f"CREATE TABLE t AS SELECT {items}", [row.get(c.name) for c in table.columns])
    data.execute("ATTACH ':memory:' AS copied")
    policy = dpsql.Policy.parse(ROWS)
    Conformer(
        do=lambda sql: data.execute(sql).fetchall(),
        schema=schema,
        source={"t": "memory.main.t"},
        copy={"t": "copied.main.t"},
        named={"t": frozenset(c.name for c in table.columns)},
        not_null=null_claims(policy),
        lengths=length_claims(policy),
        salt="",
    ).private(table)
    [found] = data.execute("SELECT * FROM copied.main.t").fetchall()
    return dict(zip([c.name for c in table.columns], found, strict=True))
