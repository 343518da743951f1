"""What `init --read-data` proposes."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsql
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.proposals import FEW, MOST_VALUES, Look, outward
from dpsql.platform.policy import draft


@settings(deadline=None)
@given(
    value=st.fractions(-(10**12), 10**12).filter(lambda x: x == 0 or abs(x) > Fraction(1, 10**8))
)
def test_outward(value: Fraction) -> None:
    low, high = outward(value, up=False), outward(value, up=True)
    assert low <= value <= high
    for end in (low, high):
        if end:
            digits = str(abs(end.numerator) * 10**12 // end.denominator).rstrip("0")
            assert digits in ("1", "2", "5")
    # The next one, and not one beyond it.
    assert low == value == high or abs(high - low) <= max(abs(low), abs(high)) * Fraction(3, 5)


def test_outward_near_zero() -> None:
    tiny = Fraction(1, 10**30)
    assert outward(tiny, up=False) == 0 == outward(-tiny, up=True)
    assert outward(tiny, up=True) == Fraction(1, 10**9) == -outward(-tiny, up=False)
    assert outward(Fraction(0), up=True) == outward(Fraction(0), up=False) == 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "d.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(f"""
            CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, born DATE, seen TIMESTAMP,
                w DOUBLE, t TINYINT, d DECIMAL(4,2), name VARCHAR, town VARCHAR, nothing INTEGER);
            INSERT INTO people SELECT i, 18 + i % 60, DATE '1950-03-04' + (i * 9)::INT,
                TIMESTAMP '2024-05-06 07:08:09' + i * INTERVAL 1 HOUR,
                CASE WHEN i = 3 THEN 'nan'::DOUBLE WHEN i = 4 THEN '-inf'::DOUBLE ELSE i / 7 END,
                -120 + i % 100, (i % 90) / 100, 'n' || i,
                CASE WHEN i < {FEW - 1} THEN 'Rare' WHEN i % 2 = 0 THEN 'Graz' ELSE 'Linz' END, NULL
                FROM range(1000) r(i);
            CREATE TABLE visits (id INTEGER, people_id INTEGER, ward VARCHAR);
            INSERT INTO visits SELECT i, i % 1000, 'w' || i % {MOST_VALUES + 1}
                FROM range(3000) r(i);
            """)
    return path


def proposed(file: Path) -> str:
    engine = duckdb_open.open_file(file)
    with engine.snapshot() as snapshot:
        text = draft(engine.catalog(), "people.id", look=Look(engine, snapshot))
    engine.close()
    return text


def test_proposals_hold_and_are_rounded(file: Path) -> None:
    text = proposed(file)
    policy = dpsql.Policy.parse(text)
    people, visits = policy.tables["people"].columns, policy.tables["visits"].columns
    assert (people["age"].bounds, people["t"].bounds) == ((10, 100), (-128, -20))
    assert people["born"].bounds == (date(1950, 1, 1), date(1974, 12, 31))
    assert people["seen"].bounds == (datetime(2024, 1, 1).isoformat(), "2024-12-31T23:59:59")
    assert people["w"].bounds == (0, 200) and people["d"].bounds == (0, 1)
    assert people["town"].values == ("Graz", "Linz") and "Rare" not in text
    assert "rarer values are left out" in next(x for x in text.splitlines() if " town:" in x)
    assert people["name"].values is None and visits["ward"].values is None
    assert people["nothing"].bounds is None and people["id"].bounds is None
    assert visits["people_id"].max_rows == 5 and visits["id"].bounds is None
    for line in text.splitlines():
        if any(f", {said}: " in line.partition("#")[0] for said in ("bounds", "values")):
            assert "# from the data: confirm that this may be public" in line
    assert "its DATA WAS READ" in text.splitlines()[1]
    report = dpsql.verify(file, policy)
    # NaN and what is infinite lie in no bounds; what was left out is no value.
    assert {f.column for f in report.false} == {"people.w", "people.town"}


def test_what_is_not_asked_for_is_not_read(file: Path) -> None:
    engine = duckdb_open.open_file(file)
    text = draft(engine.catalog(), "people.id")
    engine.close()
    assert "no data was read" in text and "from the data:" not in text and "Graz" not in text


def test_a_value_is_proposed_from_so_many_units_on_and_from_no_fewer(file: Path) -> None:
    with duckdb.connect(str(file)) as con:
        con.execute("UPDATE people SET town = 'Rare' WHERE id = 500")
    assert "Rare" in proposed(file)


def test_values_of_few_units_with_many_rows_are_not_proposed(file: Path) -> None:
    with duckdb.connect(str(file)) as con:
        con.execute(
            "DELETE FROM visits; INSERT INTO visits SELECT i, 7, 'same' FROM range(99) t(i)"
        )
    assert "same" not in proposed(file)


TEXTS = {
    "whole": ("-7", "+12", "0", None),
    "real": ("0.5", "-2e3", "7", None),
    "day": ("2024-02-29", "1999-12-31", None, None),
    "seen": ("2024-02-29 10:00", "2024-02-29T10:00:01.5", None, None),
    "zip": ("0012", "1234", "5678", "9999"),  # whose zeros mean something
    "some": ("1", "2", "n/a", "4"),
    "days": ("2024-02-29", "2024-02-30", None, None),
    "none": (None, None, None, None),
}


def test_types_of_texts_are_proposed_where_all_values_fit(tmp_path: Path) -> None:
    rows = [",".join(["id", *TEXTS])]
    for i in range(40):
        rows.append(",".join([str(i), *(values[i % 4] or "" for values in TEXTS.values())]))
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    with duckdb.connect() as con:  # which has types of its own
        con.execute(f"COPY (SELECT '7' AS people_id) TO '{tmp_path / 'visits.parquet'}'")
    engine = duckdb_open.open_folder(tmp_path)
    with engine.snapshot() as snapshot:
        look = Look(engine, snapshot, engine.texts)
        text = draft(engine.catalog(), "people.id", look=look)
        plain = draft(engine.catalog(), "people.id")
    engine.close()
    policy = dpsql.Policy.parse(text)
    found = policy.tables["people"].columns
    kinds = {name: str(column.type) for name, column in found.items()}
    assert kinds.pop("id") == "VARCHAR"  # others lead to it
    assert [kinds[name] for name in TEXTS] == [
        *("BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR")
    ]
    assert (found["whole"].bounds, found["real"].bounds) == ((-10, 20), (-2000, 10))
    assert found["day"].bounds == (date(1999, 1, 1), date(2024, 12, 31))
    for line in text.splitlines():
        typed = any(f"{name}: " in line for name in ("whole", "real", "day", "seen"))
        assert ("from the data: confirm" in line) >= typed
    assert "BIGINT" not in plain and "DATE" not in plain
    assert dpsql.verify(tmp_path, policy).clean
