"""What `init --eps` proposes: answers with noise, charged, and nothing else of the data."""

from __future__ import annotations

import math
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.errors import BudgetExceeded, InvalidArgument, InvalidBudget
from dpsql.session.connect import opened
from dpsql.session.database import Database
from dpsql.session.noisy_look import DELTA, MISTAKEN, noisy_draft

EPS = Fraction(2_000)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "d.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("""
            CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, born DATE, w DOUBLE,
                d DECIMAL(4,2), town VARCHAR, nothing INTEGER);
            INSERT INTO people SELECT i, 18 + i % 60, DATE '1950-03-04' + (i * 9)::INT,
                CASE WHEN i = 3 THEN 'nan'::DOUBLE ELSE -i / 7 END, (i % 90) / 100,
                CASE WHEN i = 5 THEN 'Rare' WHEN i % 2 = 0 THEN 'Graz' ELSE 'Linz' END, NULL
                FROM range(1000) r(i);
            CREATE TABLE visits (id INTEGER PRIMARY KEY, people_id INTEGER REFERENCES people(id),
                seen TIMESTAMP);
            INSERT INTO visits SELECT i, i % 900, TIMESTAMP '2024-05-06 07:08:09'
                FROM range(2700) r(i);
            CREATE TABLE tests (visit INTEGER REFERENCES visits(id), x TINYINT);
            INSERT INTO tests SELECT i % 2700, i % 30 - 128 FROM range(10_000) r(i);
            """)
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """For what is no question of what is asked: each column is a query, or two."""
    path = tmp_path / "small.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, town VARCHAR)")
        con.execute("INSERT INTO people SELECT i, 18 + i % 60, 'Graz' FROM range(1000) r(i)")
    return path


def drafted(file: Path, eps: object = EPS, unit: str | None = "people.id") -> str:
    engine = opened(file)
    catalog = engine.catalog()
    engine.close()
    return noisy_draft(file, catalog, unit, eps)  # type: ignore[arg-type]


def test_with_hardly_any_noise_they_are_those_of_the_data(file: Path) -> None:
    text = drafted(file)
    policy = dpsql.Policy.parse(text)
    people, visits, tests = (policy.tables[t].columns for t in ("people", "visits", "tests"))
    assert people["age"].bounds == (10, 100)
    assert people["born"].bounds == (date(1950, 1, 1), date(1974, 12, 31))
    assert people["w"].bounds == (-200, 0) and people["d"].bounds == (0, 1)
    assert people["town"].values is not None and {"Graz", "Linz"} <= set(people["town"].values)
    assert people["nothing"].bounds is None and people["id"].bounds is None
    assert visits["seen"].bounds == (datetime(2024, 1, 1).isoformat(), "2024-12-31T23:59:59")
    assert visits["people_id"].max_rows == 5  # 3 each
    assert tests["visit"].max_rows == 5  # 4 of a visit, over two joins
    assert tests["x"].bounds == (-128, -50)
    for line in text.splitlines():
        said = line.partition("#")[0]
        if "bounds: " in said or "values: " in said or "max_rows: " in said:
            assert "# from the data, with noise: check it" in line
    assert "cost ε = 2000 of the budget below" in text


def test_what_it_costs_is_charged_to_the_data(small: Path) -> None:
    policy = dpsql.Policy.parse(drafted(small, 0.5))
    assert (policy.budget.eps, policy.budget.delta) == (1.5, 2 * DELTA)
    with dpsql.connect(small, policy) as database:
        assert database.budget.spent.eps == 0.5
        assert 0 < database.budget.spent.delta <= DELTA
    assert drafted(small, 0.5).count("with noise: check it")  # asked again: free
    with dpsql.connect(small, policy) as database:
        assert database.budget.spent.eps == 0.5
        database.run("SELECT COUNT(*) FROM people", 1)
    with pytest.raises(BudgetExceeded):
        drafted(small, 0.6)


@pytest.mark.parametrize("eps", [0, -1, float("nan"), float("inf"), "much"])
def test_an_eps_that_is_none(file: Path, eps: object) -> None:
    with pytest.raises(InvalidBudget):
        drafted(file, eps)
    assert not list(file.parent.glob("*ledger*"))


def test_whom_noise_protects_is_not_guessed(file: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="--unit names it"):
        drafted(file, unit=None)
    with duckdb.connect(str(tmp_path / "no_keys.duckdb")) as con:
        con.execute(f"ATTACH '{file}' AS w")
        con.execute("CREATE TABLE people AS SELECT id, age FROM w.people")
        con.execute("CREATE TABLE visits AS FROM w.visits")
    text = drafted(tmp_path / "no_keys.duckdb")
    policy = dpsql.Policy.parse(text)
    assert policy.tables["people"].columns["age"].bounds == (10, 100)
    visits = policy.tables["visits"].columns  # which a name alone links to people
    assert visits["people_id"].references is not None
    assert visits["people_id"].max_rows is None and visits["seen"].bounds is None


def test_rows_that_are_units(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as con:
        con.execute("CREATE TABLE survey AS SELECT (i % 40)::INTEGER AS age FROM range(500) r(i)")
    policy = dpsql.Policy.parse(drafted(tmp_path / "rows.duckdb", unit="survey"))
    assert policy.tables["survey"].columns["age"].bounds == (0, 50)


def test_nothing_to_ask(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "ids.duckdb")) as con:
        con.execute("CREATE TABLE ids(id INTEGER PRIMARY KEY)")
    assert "no data was read" in drafted(tmp_path / "ids.duckdb", 1, "ids.id")
    assert not list(tmp_path.glob("*ledger*"))


@pytest.mark.parametrize(("above", "last"), [(0, None), (1, 5)])
def test_a_step_counts_from_more_than_noise_makes_of_nobody(
    file: Path, monkeypatch: pytest.MonkeyPatch, above: int, last: int | None
) -> None:
    """All that is known of the data is the answers: these say what is proposed."""
    steps = {"BIGINT": 1 + 2 * 39}
    asked: list[str] = []

    class Answer:
        def __init__(self, rows: list[tuple[object, ...]]) -> None:
            self.rows = rows

    def run(self: Database, sql: str, eps: Fraction, delta: object = None) -> Answer:
        asked.append(sql)
        if "COUNT(*) AS n" not in sql:
            return Answer([])
        over = math.log((steps["BIGINT"] + 1) / MISTAKEN) / eps
        place = steps["BIGINT"] // 2 + 3  # 0, 1, 2, 5
        return Answer([(place, math.floor(over) + above), (place + 1, math.floor(over))])

    monkeypatch.setattr(Database, "run", run)
    policy = dpsql.Policy.parse(drafted(file, 1))
    assert asked
    assert policy.tables["visits"].columns["people_id"].max_rows == last
    assert policy.tables["people"].columns["age"].bounds is None
    assert policy.tables["people"].columns["town"].values is None


@pytest.mark.parametrize(("low", "high"), [(1, -1), (-1, -1), (-3, -2), (2, 3)])
def test_whatever_is_answered_the_draft_is_a_policy(
    file: Path, monkeypatch: pytest.MonkeyPatch, low: int, high: int
) -> None:
    """Also where noise, or other units, make the low end the higher one. 0 is the middle step."""

    class Answer:
        def __init__(self, rows: list[tuple[object, ...]]) -> None:
            self.rows = rows

    def run(self: Database, sql: str, eps: Fraction, delta: object = None) -> Answer:
        place = -low if "MIN(" in sql else high
        return Answer([(sql.count("WHEN") // 2 + place, 10**6)])

    monkeypatch.setattr(Database, "run", run)
    policy = dpsql.Policy.parse(drafted(file, 1))
    people, visits = policy.tables["people"].columns, policy.tables["visits"].columns
    assert (people["w"].bounds is None) == (low > high)
    assert (people["d"].bounds is None) == (low > high)  # a DECIMAL(4,2)
    assert visits["people_id"].max_rows == ({3: 5}.get(high))


def test_an_eps_without_a_last_digit(small: Path) -> None:
    policy = dpsql.Policy.parse(drafted(small, Fraction(1, 7)))
    with dpsql.connect(small, policy) as database:
        assert 0 < database.budget.spent.eps <= 1 / 7
        assert policy.budget.eps - database.budget.spent.eps >= 1


def test_columns_that_rows_name_are_told_without_noise(tmp_path: Path) -> None:
    """One row of one unit adds one: so JSON is refused before anything is asked."""
    (tmp_path / "d").mkdir()
    rows = [f'{{"id": {i}, "age": 3}}' for i in range(99)]
    (tmp_path / "d" / "people.jsonl").write_text("\n".join([*rows, '{"id": 99, "rare": 1}']))
    with pytest.raises(InvalidArgument, match="from its rows alone"):
        drafted(tmp_path / "d")
    (tmp_path / "d" / "people.jsonl").rename(tmp_path / "people.jsonl")
    (tmp_path / "d" / "people.csv").write_text("id,age\n1,2\n")
    assert dpsql.Policy.parse(drafted(tmp_path / "d")).tables["people"].columns.keys() == {
        "id",
        "age",
    }
