"""What no model can be made of is refused before anything is charged; and what is odd, but can, is
what it should be.
"""

from __future__ import annotations

import datetime as dt
import decimal

import duckdb
import numpy as np
import pandas as pd
import pytest

import dpsql
from dpsql.errors import InvalidArgument
from dpsql.models import (
    DecisionTree,
    KMeans,
    LinearRegression,
    LogisticRegression,
    MatrixFactorization,
    PoissonRegression,
)

NUMBERS = "x: {type: BIGINT, bounds: [0, 49]}, y: {type: BOOLEAN}"
SHOWN = "(i * 7) % 50 AS x, i % 3 = 0 AS y"


def opened(shown: str, columns: str, rows: int = 600) -> dpsql.Database:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t AS SELECT i::BIGINT AS id, {shown} FROM range({rows}) r(i)")
    connection.execute("CREATE UNIQUE INDEX one ON t(id)")
    return dpsql.connect(
        connection,
        "unit: t.id\nbudget: {eps: 1e9, delta: 0.1}\ntables: {t: {access: private, key: [id], "
        f"columns: {{id: {{type: BIGINT}}, {columns}}}}}}}",
        version="1",
    )


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression("y", ["x"], by=["k"]),
        PoissonRegression("x", ["y"], by=["k"], steps=1),
        LinearRegression("x", ["y"], by=["k"]),
    ],
)
def test_where_no_group_is_seen_there_are_no_models(model: LinearRegression) -> None:
    with opened(f"{SHOWN}, 'k' || i AS k", f"{NUMBERS}, k: {{type: VARCHAR}}", 20) as db:
        found = db.fit("FROM t", model, 1, 1e-6)
        assert len(found.groups) == 0  # type: ignore[attr-defined]
        assert found.to_sql() == "CAST(NULL AS DOUBLE)"


def test_a_key_that_no_minus_makes() -> None:
    """-2^127 is no number with a minus before it."""
    shown = "CASE i % 2 WHEN 0 THEN '-170141183460469231731687303715884105728' ELSE '5' END"
    columns = f"{NUMBERS}, k: {{type: HUGEINT}}"
    with opened(f"{SHOWN}, CAST({shown} AS HUGEINT) AS k", columns) as db:
        model = db.fit("FROM t", LogisticRegression("y", ["x"], by=["k"]), 1e4, 1e-3)
        assert len(model.groups) == 2
        said = [note for one in model.groups.values() for note in one.notes]
        assert not any("did not tell" in note for note in said)


def test_two_terms_of_one_name() -> None:
    columns = "work: {type: VARCHAR, values: [office, plant, sales]}, " + NUMBERS
    with opened(f"['office', 'plant', 'sales'][1 + i % 3] AS work, {SHOWN}", columns) as db:
        query = 'SELECT work, x, y AS "work = plant" FROM t'
        for model in (
            LinearRegression("x", ["work", "work = plant"]),
            KMeans(["work", "work = plant"], 2),
        ):
            with pytest.raises(InvalidArgument, match="two terms are called 'work = plant'"):
                db.fit(query, model, 10)
        assert db.budget.spent.eps == 0


@pytest.mark.parametrize(
    ("kind", "shown", "items"),
    [
        ("TIMESTAMP", "TIMESTAMP '2020-01-01' + to_days((i % 3)::INT)", [dt.date(2020, 1, 1)]),
        ("DATE", "DATE '2020-01-01' + (i % 3)::INT", ["a"]),
        ("VARCHAR", "'a'", [1]),
    ],
)
def test_items_that_the_column_has_not(kind: str, shown: str, items: list[object]) -> None:
    more = [items[0], *(_next(items[0], n) for n in (1, 2))]
    columns = f"d: {{type: {kind}}}, w: {{type: BIGINT, bounds: [0, 49]}}"
    with opened(f"{shown} AS d, (i * 7) % 50 AS w", columns) as db:
        model = MatrixFactorization("id", "d", "w", items=more)
        with pytest.raises(InvalidArgument, match=f"d is a {kind}, and items such as"):
            db.fit("FROM t", model, 10, 1e-9)
        assert db.budget.spent.eps == 0


def _next(item: object, by: int) -> object:
    if isinstance(item, dt.date):
        return item + dt.timedelta(days=by)
    return item + by if isinstance(item, int) else f"{item}{by}"


def test_items_of_which_none_is_there() -> None:
    columns = "d: {type: DOUBLE}, w: {type: BIGINT, bounds: [0, 49]}"
    with opened("(i % 5)::DOUBLE AS d, (i * 7) % 50 AS w", columns) as db:
        model = MatrixFactorization("id", "d", "w", items=[11, 12, 13])
        assert len(db.fit("FROM t", model, 10, 1e-9).ratings) == 3


@pytest.mark.parametrize("ridge", [1e13, 1e308, 10**400, float("nan"), float("inf"), -1])
def test_a_ridge_that_leaves_nothing(ridge: float) -> None:
    for kind in (LinearRegression, LogisticRegression, PoissonRegression):
        with pytest.raises(InvalidArgument, match=r"ridge is a number from 0 to 1e\+12"):
            kind("y", ["x"], ridge=ridge)


def test_a_ridge_of_400_digits_in_sql() -> None:
    with opened(SHOWN, NUMBERS) as db, pytest.raises(dpsql.DpsqlError) as caught:
        db.run(f"SELECT dp_linear_regression(y, [x], ridge := 1{'0' * 400}) FROM t", 1)
    assert not isinstance(caught.value, dpsql.errors.InternalError)


def test_a_caller_who_computes_in_few_digits() -> None:
    with opened(SHOWN, NUMBERS) as db, decimal.localcontext(prec=6):
        assert db.fit("FROM t", LogisticRegression("y", ["x"]), 7.123456).answers


DAYS = "d: {type: DATE, values: [2024-01-01, 2024-01-02, 2024-01-03]}"


@pytest.mark.parametrize("form", ["frame", "objects", "missing"])
@pytest.mark.parametrize("by", [(), ("d",)])
@pytest.mark.one_in(2)
def test_days_are_told_apart_in_frames(by: tuple[str, ...], form: str) -> None:
    """pandas has them as moments, or as objects."""
    shown = f"{SHOWN}, DATE '2024-01-01' + (i % 3)::INTEGER AS d"
    days = [dt.date(2024, 1, 1 + k) for k in range(3)]
    with opened(shown, f"{NUMBERS}, {DAYS}") as db:
        text = "SELECT x + 20 * DAY(d) AS s, x, d FROM t"
        text = f"SELECT LEAST(GREATEST(s, 0), 110) AS s, x, d FROM ({text})"
        features, named = (["x"], ()) if by else (["x", "d"], ("d",))
        model = LinearRegression("s", features, categorical=named, by=by)
        found = db.fit(text, model, 10**6)
        tree = db.fit(text, DecisionTree("s", ["d"], depth=2, categorical=("d",)), 10**6)
    column = pd.Series(pd.to_datetime(days)) if form == "frame" else pd.Series(days, dtype=object)
    frame = pd.DataFrame({"x": [0, 10, 20], "d": column})
    if form == "missing":
        frame = pd.concat([frame, pd.DataFrame({"x": [5], "d": [pd.NA]})])
    told = found.predict(frame)
    assert told[:3] == pytest.approx([20, 50, 80], abs=0.5)
    assert np.isnan(told[3:]).all()
    assert tree.predict(frame)[:3] == pytest.approx([44.5, 64.5, 84.5], abs=1)


def test_columns_of_other_numbers_of_rows() -> None:
    with opened(SHOWN, NUMBERS) as db:
        text = "SELECT x, y, x > 20 AS z FROM t"
        found = db.fit(text, LinearRegression("x", ["y", "z"]), 10**6)
    with pytest.raises(InvalidArgument, match="z has another number of rows"):
        found.predict({"y": [True], "z": [True, False]})
