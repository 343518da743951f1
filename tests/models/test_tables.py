"""Trees and factors that are asked for in SQL: their rows are those of the model of `fit`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction

import duckdb
import numpy as np
import pytest

import dpsql
from dpsql.errors import Rejected
from dpsql.models import DecisionTree, Estimate, MatrixFactorization
from dpsql.models.model_rows import leaves, typed
from tests.models import raters
from tests.models.people import ENOUGH, data, opened

TREE = "dp_decision_tree"
FACTORS = "dp_matrix_factorization"


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data()


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.fixture(scope="module")
def club() -> Iterator[dpsql.Database]:
    with raters.opened(raters.data(80)) as found:
        yield found


def test_a_tree_of_a_number_has_a_row_for_each_leaf(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection
) -> None:
    """Its conditions are SQL, and of the rows of one another."""
    sql = f"SELECT {TREE}(paid, [age, works, town], depth := 3, bins := 8) FROM people"
    explained, answer = db.explain(sql, ENOUGH), db.run(sql, ENOUGH)
    assert answer.columns == ("leaf", "condition", "mean", "rows")
    assert answer.types == ("INTEGER", "VARCHAR", "DOUBLE", "DOUBLE")
    assert answer.noisy == (False, True, True, True)
    assert explained.cost.eps == answer.cost.eps == ENOUGH and db.stored(sql, ENOUGH)
    assert answer["leaf"] == tuple(range(8))
    for condition, mean, rows in zip(*(answer[n] for n in answer.columns[1:]), strict=True):
        asked = f"SELECT AVG(paid), COUNT(*) FROM people WHERE {condition}"
        assert owner.execute(asked).fetchall()[0] == pytest.approx((mean, rows), abs=0.01)
    assert sum(answer["rows"]) == pytest.approx(400)  # type: ignore[arg-type]
    widths = answer.interval("mean")
    assert all(width is not None and width > 0 for width in widths)
    model = DecisionTree("paid", ["age", "works", "town"], bins=8)
    rows = 'SELECT * FROM (SELECT paid, age, works, town FROM people) AS r("paid", "age", "works", '
    tree = db.fit(f'{rows}"town")', model, ENOUGH)
    assert tree.conditions == answer["condition"] and tree.cost.eps == 0
    assert [node.value for node in tree.leaves] == list(answer["mean"])
    assert [node.error for node in tree.leaves] == list(widths)


def test_a_tree_of_classes_says_which_and_how_sure(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection
) -> None:
    sql = f"SELECT {TREE}(works, [age, paid * 2], depth := 2, bins := 4) FROM people"
    answer = db.run(sql, ENOUGH)
    assert answer.columns == ("leaf", "condition", "class", "share", "rows")
    assert answer.types[2] == "BOOLEAN" and set(answer["class"]) == {False, True}
    named = 'SELECT age, paid * 2 AS "paid * 2", works FROM people'
    for condition, said, share, _ in zip(*(answer[n] for n in answer.columns[1:]), strict=True):
        asked = f"SELECT AVG((works = {said})::INT) FROM ({named}) AS r WHERE {condition}"
        assert owner.execute(asked).fetchall()[0][0] == pytest.approx(share, abs=1e-3)
    assert '≈ "paid * 2" < ' in str(answer) and "≈ class: the class that" in str(answer)
    given = f"SELECT {TREE}(age // 30, [paid], depth := 1, classes := [1, 2]) FROM people"
    one = db.run(given, ENOUGH)
    assert one.types[2] == "BIGINT" and set(one["class"]) <= {1, 2}
    text = db.run(f"SELECT {TREE}(town, [paid], depth := 1, bins := 2) FROM people", ENOUGH)
    assert text.types[2] == "VARCHAR" and set(text["class"]) <= {"Aki", "Bern", "Cork"}


def test_what_noise_hides_has_no_half_width(db: dpsql.Database) -> None:
    tree = db.fit("FROM people", DecisionTree("works", ["age"], depth=1), 20)
    alone = replace(tree.nodes[0], split=None, yes=None, no=None, error=None, hidden=True)
    ((_, row),) = leaves(replace(tree, nodes=(alone,))).rows
    assert row[:3] == (0, "TRUE", alone.value)
    assert row[3] == Estimate(max(alone.shares), None) and row[4] == alone.rows


@pytest.mark.deep
def test_factors_are_a_row_for_each_item(club: dpsql.Database) -> None:
    sql = f"SELECT {FACTORS}(stars, id, film, rounds := 1, ridge := 2.5) FROM ratings"
    answer = club.run(sql, ENOUGH, 1e-6)
    assert answer.columns == ("item", "bias", "factor1", "factor2", "seen", "ratings")
    assert answer["item"] == tuple("abcdefgh") and answer.types[0] == "VARCHAR"
    assert answer.cost.eps == ENOUGH and answer.cost.delta <= 1e-6
    assert club.explain(sql, ENOUGH, 1e-6).cost.eps == ENOUGH and club.stored(sql, ENOUGH, 1e-6)
    rows = 'SELECT * FROM (\nSELECT stars, id, film FROM ratings\n) AS r("stars", "id", "film")'
    model = MatrixFactorization("id", "film", "stars", rounds=1, ridge=2.5)
    fitted = club.fit(rows, model, ENOUGH, 1e-6)
    mine = {"a": 5.0, "c": 1.0}
    bias, *factors = (np.array(answer[n], dtype=float) for n in answer.columns[1:4])
    guess = bias + np.column_stack(factors) @ fitted.folded(mine)
    assert np.clip(guess, 1, 5) == pytest.approx(list(fitted.predict(mine).values()), abs=1e-2)
    assert answer.interval("ratings")[0] is not None and answer.interval("bias") == (None,) * 8
    british = sql.replace("ization", "isation")
    assert club.run(british, ENOUGH, 1e-6).rows == answer.rows


@pytest.mark.parametrize("items", ["'SELECT number FROM films'", "[0, 1, 2, 3, 4, 5, 6, 7]"])
def test_items_are_a_public_query_or_a_list(club: dpsql.Database, items: str) -> None:
    sql = f"SELECT {FACTORS}(stars, id, number, rank := 1, rounds := 1, items := {items}) FROM "
    answer = club.run(sql + "ratings", ENOUGH, 1e-6)
    assert answer["item"] == tuple(range(8)) and answer.types[0] == "BIGINT"
    assert answer.columns == ("item", "bias", "factor1", "seen", "ratings")


REFUSED = {
    "a group": (
        f"SELECT town, {TREE}(works, [age]) FROM people GROUP BY town",
        *(f"{TREE}(works, [age", "one model, and none for each group"),
    ),
    "no list": (f"SELECT {TREE}(works, age) FROM people", f"{TREE}(works, age", "do not fit"),
    "depth": (
        f"SELECT {TREE}(works, [age], depth := 9) FROM people",
        *(f"{TREE}(works, [age], depth := 9", "depth is a whole number"),
    ),
    "a list of rows": (
        f"SELECT {TREE}(works, [age], classes := [1, age]) FROM people",
        *("1, age", "is no constant, and no list of these"),
    ),
    "half a list": (
        f"SELECT {TREE}(works, [age], classes := [1, -age]) FROM people",
        *("1, -age", "is no constant, and no list of these"),
    ),
    "no class": (
        f"SELECT {TREE}(works, [age], classes := ['x', 'y']) FROM people",
        *(f"{TREE}(works, [age], classes := ['x', 'y'", "cannot be read as BOOLEAN"),
    ),
    "a list": (
        f"SELECT {FACTORS}(stars, [id], film) FROM ratings",
        *(f"{FACTORS}(stars, [id], film", "do not fit"),
    ),
    "no option": (
        f"SELECT {FACTORS}(stars, id, film, features := 1) FROM ratings",
        *(f"{FACTORS}(stars, id, film, features := 1", "no option features"),
    ),
    "no unit": (
        f"SELECT {FACTORS}(stars, number, film) FROM ratings",
        *("number", "is not the policy's unit"),
    ),
    "no items": (
        f"SELECT {FACTORS}(stars, id, number) FROM ratings",
        *("number", "the values of number are not listed"),
    ),
    "a query of no items": (
        f"SELECT {FACTORS}(stars, id, film, items := 'SELECT a FROM films') FROM ratings",
        *(f"{FACTORS}(stars, id, film, items := 'SELECT a FROM films'", "no column a: a"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_shown_where_it_stands(
    db: dpsql.Database, club: dpsql.Database, name: str
) -> None:
    sql, shown, said = REFUSED[name]
    there = club if "ratings" in sql else db
    before = there.budget.spent.eps
    with pytest.raises(Rejected) as found:
        there.run(sql, 1, 1e-6)
    assert said in found.value.message and found.value.text == sql
    span = found.value.span
    assert span is not None and sql[span.start : span.end] == shown
    assert there.budget.spent.eps == before
    if "do not fit" in said:
        form = {TREE: "(y, [x1, x2])", FACTORS: "(rating, user, item)"}
        assert any(f"write {name}{end}" == found.value.help for name, end in form.items())


def test_a_tree_that_would_take_long_is_refused(db: dpsql.Database) -> None:
    """Whose processor it is may not be the analyst's."""
    sql = f"SELECT {TREE}(works, [age, size, paid], depth := 8, bins := 64) FROM people"
    for ask in (db.explain, db.run):
        with pytest.raises(Rejected, match="too much to compute") as found:
            ask(sql, 1)
        assert found.value.code == "DP205" and "`fit`" in str(found.value.help)
    assert db.explain(sql.replace("8", "4"), 1).cost.eps == 1
    model = DecisionTree("works", ["age", "size", "paid"], depth=8, bins=64)
    assert db.explain_fit("FROM people", model, 1).work > 10**10


def test_any_way_of_asking(db: dpsql.Database) -> None:
    from dpsql.dbapi import connect

    sql = f"SELECT {TREE}(works, [age, town], depth := 1, bins := 4) FROM people"
    with connect(db, eps=20) as there:
        cursor = there.cursor()
        cursor.execute(sql)
        assert cursor.description is not None and cursor.description[1][0] == "condition"
        assert tuple(cursor.fetchall()) == db.run(sql, 20).rows
    made = db.run(sql, 20).to_arrow(intervals=True)
    assert "share_low" in made.column_names and "condition_low" not in made.column_names


@pytest.mark.parametrize(
    ("values", "kind", "told"),
    [
        ([True, False], "BOOLEAN", True),
        ([2**63, 1], "VARCHAR", str(2**63)),
        ([Fraction(5, 2), 1], "DOUBLE", 2.5),
        ([date(2026, 1, 1)], "DATE", date(2026, 1, 1)),
        (["a"], "VARCHAR", "a"),
        ([], "VARCHAR", None),
    ],
)
def test_types_of_columns(values: list[object], kind: str, told: object) -> None:
    found, made = typed(values)  # type: ignore[arg-type]
    assert found == kind and (not values or made(values[0]) == told)
