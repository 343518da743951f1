"""Trees: without noise they are scikit-learn's; what they cost and say; what is wrong with them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dpsql
from dpsql import audit
from dpsql.models import Confusion, DecisionTree, Score, Split, Tree, entry
from dpsql.models.trees import planning
from dpsql.models.wanted import How
from tests.models.people import ENOUGH, POLICY, columns, data, opened
from tests.support.effort import tries

SQL = "SELECT * FROM people"
CLASSES = DecisionTree("works", ["age", "paid", "town"], bins=8)
NUMBER = DecisionTree("paid", ["age", "works", "town"], bins=8)
SMALL = DecisionTree("works", ["age", "paid"], depth=2, bins=4)


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data(1200, 3)


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.fixture(scope="module")
def classes(db: dpsql.Database) -> Tree:
    return db.fit(SQL, CLASSES, ENOUGH)


@pytest.fixture(scope="module")
def number(db: dpsql.Database) -> Tree:
    return db.fit(SQL, NUMBER, ENOUGH)


def _binned(tree: Tree, frame: dict[str, Any], model: DecisionTree) -> np.ndarray:
    """The bins of numbers, and a column for each value of a text."""
    from dpsql.models.trees.bins import binned

    made = []
    for one in binned(tree._columns, model.bins):
        own = frame[one.column]
        if one.values:
            made += [own == value for value in one.values]
        else:
            made.append(np.searchsorted([float(e) for e in one.edges], own.astype(float), "right"))
    return np.column_stack(made).astype(float)


def test_without_noise_it_is_the_tree_of_scikit_learn(
    owner: duckdb.DuckDBPyConnection, classes: Tree, number: Tree
) -> None:
    """The same bins are given to both."""
    frame = columns(owner, SQL)
    x = _binned(classes, frame, CLASSES)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, frame["works"])
    assert np.allclose(theirs.predict_proba(x), classes.predict_proba(frame), atol=1e-5)
    assert (theirs.predict(x) == classes.predict(frame)).all()
    x, y = _binned(number, frame, NUMBER), frame["paid"].astype(float)
    regressor = DecisionTreeRegressor(max_depth=3, random_state=0).fit(x, y)
    assert np.allclose(regressor.predict(x), number.predict(frame), atol=0.01)
    assert not classes.notes and not number.notes


def test_its_importance_is_scikit_learns(owner: duckdb.DuckDBPyConnection, number: Tree) -> None:
    frame = columns(owner, SQL)
    x, y = _binned(number, frame, NUMBER), frame["paid"].astype(float)
    theirs = DecisionTreeRegressor(max_depth=3, random_state=0).fit(x, y).feature_importances_
    each = [theirs[0], theirs[1:3].sum(), theirs[3:].sum()]
    assert list(number.importance.values()) == pytest.approx(each, abs=1e-4)


@pytest.mark.parametrize("which", ["classes", "number"])
def test_the_expression_the_frame_and_scikit_learn_say_the_same(
    owner: duckdb.DuckDBPyConnection, request: pytest.FixtureRequest, which: str
) -> None:
    tree: Tree = request.getfixturevalue(which)
    frame = columns(owner, SQL)
    said = tree.predict(frame)
    assert [v for (v,) in owner.execute(f"SELECT {tree.to_sql()} FROM people").fetchall()] == list(
        said
    )
    x = _terms(frame, [name for name in tree.model.features if name != "town"])
    made = tree.to_sklearn()
    assert list(made.feature_names_in_) == list(x) and made.get_depth() >= 3
    if tree.classes:
        assert (made.predict(x) == said).all()
        assert np.allclose(made.predict_proba(x), tree.predict_proba(frame))
        asked = f"SELECT {tree.to_sql(probability=True)}, {tree.to_sql(probability=True, of=False)}"
        shares = np.array(owner.execute(f"{asked} FROM people").fetchall())
        assert np.allclose(shares[:, ::-1], tree.predict_proba(frame))
    else:
        assert np.allclose(made.predict(x), said)


def test_a_question_for_the_first_value_of_a_text_is_one_of_scikit_learns_too() -> None:
    """It has no term: it is where none of the others is."""
    owner = data(600)
    with opened(owner) as db:
        sql = "SELECT town, works, town = 'Aki' AND works OR age > 80 AS y, age FROM people"
        tree = db.fit(sql, DecisionTree("y", ["town", "works", "age"], depth=2, bins=4), ENOUGH)
        frame = columns(owner, sql)
    assert Split("town", value="Aki") in [node.split for node in tree.nodes]
    made = tree.to_sklearn()
    x = _terms(frame, ["works", "age"])[made.feature_names_in_]
    assert (made.predict(x) == tree.predict(frame)).all()


def _terms(frame: dict[str, np.ndarray], plain: list[str]) -> pd.DataFrame:
    found = {name: frame[name] for name in plain}
    found |= {f"town = {town}": frame["town"] == town for town in ("Bern", "Cork")}
    return pd.DataFrame(found).astype(float)


def test_texts_and_given_classes(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    tree = db.fit(SQL, DecisionTree("town", ["paid"], depth=1, bins=4), ENOUGH)
    assert tree.classes == ("Aki", "Bern", "Cork")
    assert set(tree.predict({"paid": np.array([30.0, 400.0])})) <= set(tree.classes)
    assert sum(one.value for one in tree.nodes[0].counts.values()) == pytest.approx(1200)
    sql = "SELECT age // 30 AS decade, paid FROM people"
    given = db.fit(sql, DecisionTree("decade", ["paid"], depth=1, classes=[1, 2]), ENOUGH)
    rows = owner.execute("SELECT count(*) FROM people WHERE age // 30 IN (1, 2)").fetchall()
    assert given.nodes[0].rows.value == pytest.approx(rows[0][0])
    listed = "SELECT CASE WHEN age < 50 THEN 1 ELSE 2 END AS half, paid FROM people"
    named = DecisionTree("half", ["paid"], depth=1, categorical=["half"])
    assert db.fit(listed, named, ENOUGH).classes == (1, 2)


def test_what_is_not_known_is_not_foretold(classes: Tree, number: Tree) -> None:
    frame = {
        "age": np.array([20, np.nan, 40]),
        "paid": np.array([50.0, 50.0, np.nan]),
        "works": np.array([True, None, False], dtype=object),
        "town": np.array(["Bern", "Oslo", "Aki"], dtype=object),
    }
    said = classes.predict(frame)
    assert said[0] is not None and said[1] is None and said[2] is None
    assert np.isnan(classes.predict_proba(frame)[1]).all()
    assert np.isnan(number.predict(frame)).tolist() == [False, True, False]
    values = (
        "(VALUES (20, 50.0, TRUE, 'Bern'), (NULL, 50.0, NULL, 'Oslo')) AS v(age, paid, works, town)"
    )
    with duckdb.connect() as engine:
        rows = engine.execute(f"SELECT {classes.to_sql()}, {number.to_sql()} FROM {values}")
        first, second = rows.fetchall()
    assert None not in first and second == (None, None)


def test_it_is_charged_what_was_said_and_once_also_after_a_kill() -> None:
    with opened(data(300), POLICY.replace("1e9", "5")) as db:
        said = db.explain_fit(SQL, SMALL, 2)
        assert db.budget.spent.eps == 0 and [step.times for step in said.steps] == [2, 1]
        with pytest.raises(KeyboardInterrupt):
            entry.fit(_Killed(db, 2), SQL, SMALL, How(2))
        paid = float(db.budget.spent.eps)
        assert paid == pytest.approx(1.5 / 2)
        first = db.fit(SQL, SMALL, 2)
        assert float(first.cost.eps) == pytest.approx(2 - paid)
        assert db.budget.spent.exact == said.cost.exact and float(said.cost.eps) == 2
        again, cheaper = db.fit(SQL, SMALL, 2), db.fit(SQL, SMALL, 1)
        assert again.cost.eps == cheaper.cost.eps == 0
        assert again.nodes == first.nodes == cheaper.nodes


class _Killed:
    """A database that is killed at its so many-th noisy answer."""

    def __init__(self, db: dpsql.Database, after: int) -> None:
        self.db, self.left = db, after
        self.explain = db.explain

    def run(self, sql: str, *args: Any, **wishes: Any) -> Any:
        if not sql.startswith("DESCRIBE"):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt
        return self.db.run(sql, *args, **wishes)


VISITS = "SELECT hours, cost, age, works FROM visits JOIN people USING (id)"


@pytest.mark.parametrize(
    ("sql", "model"),
    [
        (SQL, CLASSES),
        (SQL, DecisionTree("size", ["age", "paid", "works"], depth=1, bins=4)),
        (VISITS, DecisionTree("cost", ["hours", "works"], depth=1, bins=4)),
    ],
)
def test_one_unit_moves_no_count_by_more_than_is_claimed(sql: str, model: DecisionTree) -> None:
    """On data that break what is declared, and in a tree that has leaves."""
    moved = []
    for seed in range(tries(1, 12)):
        with opened(data(10, seed, broken=True)) as db:
            made = planning.plan(db, sql, model, How(ENOUGH))
            tree = made.root
            noise = np.zeros((2, made.bins, made.wide))
            cells = np.random.default_rng(seed).uniform(5, 50, noise.shape[1:])
            tree.look(cells, noise, made.features, made.channels)
            assert tree.split is not None
            for query in (made.level(tree, 1), made.last(tree)):
                found = audit.sensitivity(db, query)
                assert all(one.within for one in found), [one for one in found if not one.within]
                moved += [one.l1 for one in found]
    assert any(moved)


def test_a_level_costs_as_many_rows_as_there_are_features() -> None:
    with opened(data(20)) as db:
        said = db.explain_fit(SQL, CLASSES, 4, size=1200)
        level, last = said.steps
        assert [one.sensitivity for one in level.statistics] == [3]
        assert [one.sensitivity for one in last.statistics] == [1]
        assert float(level.explanation.cost.eps) == float(last.explanation.cost.eps) == 1
        assert "share of a class there" in said.expected and "3 times" in str(said)
        (note,) = db.explain_fit(SQL, NUMBER, 0.01, size=200).notes
        assert note.startswith("ε = 0.01 is too small for so many leaves of 200 rows")


def test_what_noise_hides_is_not_split_and_said(db: dpsql.Database) -> None:
    with opened(data(150)) as few:
        unsure = [few.fit(SQL, SMALL, 0.2, fresh=True) for _ in range(4)]  # by chance one is sure
        assert any(made.notes for made in unsure) and unsure[0].cost.eps == pytest.approx(0.2)
        lost = few.fit(SQL, SMALL, 0.001, fresh=True)
        assert lost.notes[0].startswith("ε = 0.001 is too small") or "noise hides" in lost.notes[0]
        assert lost.to_sql() and len(lost.predict({"age": np.ones(4), "paid": np.ones(4)})) == 4
        assert str(lost) and lost.to_html() and lost.to_sklearn() is not None


def test_noise_alone_makes_a_split_in_half_of_the_cases() -> None:
    """Of one leaf, of which no feature tells anything."""
    from dpsql.models.trees.bins import Binned
    from dpsql.models.trees.splits import Channels, best, splits_of

    random = np.random.default_rng(1)
    bins = (Binned("a", 0, (), tuple(range(8))), Binned("b", 8, (), (False, True)))
    splits = splits_of(bins, frozenset(range(10)))
    cells = np.outer(np.repeat([100.0, 400.0], [8, 2]), [0.7, 0.3])
    channels = Channels(np.ones(2), np.eye(2))
    made = 0
    for _ in range(200):
        noise = random.laplace(0, 5, (200, *cells.shape))
        found = best(cells + random.laplace(0, 5, cells.shape), noise, splits, channels)
        made += found is not None and found.gain > found.least
    assert 60 < made < 140


def test_bins_that_a_question_leaves_empty_are_asked_for_no_more(classes: Tree) -> None:
    """No node asks again what an answer above it says."""

    def below(place: int, low: float, high: float, column: str) -> None:
        node = classes.nodes[place]
        if node.split is None or node.yes is None or node.no is None:
            return
        own = node.split.column == column and node.split.below is not None
        at = float(node.split.below) if own else low  # type: ignore[arg-type]
        assert not own or low < at < high
        below(node.yes, low, at if own else high, column)
        below(node.no, at if own else low, high, column)

    for column in ("age", "paid"):
        below(0, -np.inf, np.inf, column)


def test_it_is_drawn_as_lines_and_as_a_page(classes: Tree, number: Tree) -> None:
    text = str(classes)
    assert text.startswith("all 1,200.0") and "  paid < " in text and "    not " in text
    assert "importance: age " in text and "± is the noise of its share" in text
    assert "± is the noise of the mean" in str(number)
    assert "<html" in classes.to_html() and "paid &lt; " in classes.to_html()
    found = json.loads(classes.to_json())
    assert found["nodes"][0]["split"]["column"] == "paid" and "answers" not in found
    assert len(classes.leaves) == sum(n["split"] is None for n in found["nodes"])


def test_scores(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection, classes: Tree, number: Tree
) -> None:
    frame = columns(owner, SQL)
    scored = db.score(classes, SQL, ENOUGH)
    assert isinstance(scored, Confusion) and scored.accuracy is not None
    right = classes.predict(frame) == frame["works"]
    assert scored.accuracy.value == pytest.approx(right.mean())
    for a, b in itertools.product([False, True], repeat=2):
        many = np.sum((frame["works"] == a) & (classes.predict(frame) == b))
        assert scored.counts[a, b].value == pytest.approx(many)
    assert "said True" in str(scored) and scored.to_html() and json.loads(scored.to_json())
    other = db.score(number, SQL, ENOUGH)
    y = frame["paid"].astype(float)
    assert isinstance(other, Score) and other.r2 is not None
    r2 = 1 - np.mean((y - number.predict(frame)) ** 2) / y.var()
    assert other.r2.value == pytest.approx(r2, abs=1e-4)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"features": []}, "a model needs a feature"),
        ({"features": ["y"]}, "y is named twice"),
        ({"depth": 0}, "depth is a whole number from 1 to 8"),
        ({"bins": 1}, "bins is a whole number from 2 to 64"),
        ({"classes": [1]}, "2 to 50 different values"),
        ({"classes": [1, 1]}, "2 to 50 different values"),
        ({"classes": "ab"}, "classes are a list"),
        ({"classes": [0.5, 1.0]}, "classes are a list"),
        ({"categorical": ["z"]}, "z is categorical, but no"),
    ],
)
def test_a_tree_that_is_none(given: dict[str, Any], said: str) -> None:
    with pytest.raises(dpsql.InvalidArgument, match=said):
        DecisionTree(**{"target": "y", "features": ["x"], **given})


def test_what_cannot_be_fitted_is_said_before_it_is_charged(
    db: dpsql.Database, number: Tree, classes: Tree
) -> None:
    before = db.budget.spent
    for model, said in (
        (DecisionTree("works", ["agee"]), "no column agee"),
        (DecisionTree("born", ["age"]), "born is a DATE"),
        (DecisionTree("works", ["age"], categorical=["age"]), "a feature has 2 to 50"),
    ):
        with pytest.raises(dpsql.InvalidArgument, match=said):
            db.fit(SQL, model, 1)
    with pytest.raises(dpsql.Rejected, match="bounds"):
        db.fit(SQL, DecisionTree("free", ["age"]), 1)
    with pytest.raises(dpsql.InvalidArgument, match="its tree has no probabilities"):
        number.to_sql(probability=True)
    with pytest.raises(dpsql.InvalidArgument, match="none of the classes False, True"):
        classes.to_sql(probability=True, of="x")
    with pytest.raises(dpsql.InvalidArgument, match="no column"):
        classes.predict({"age": np.ones(2)})
    assert db.budget.spent == before


def test_rows_that_are_broken_do_not_count_and_no_rows_are_no_tree() -> None:
    model = DecisionTree("works", ["age", "size"], depth=1, bins=4)
    owner = data(200, 2, broken=True)
    with opened(owner) as db:
        tree = db.fit(SQL, model, ENOUGH)
    asked = "SELECT count(*) FROM people WHERE works IS NOT NULL AND isfinite(size)"
    assert tree.nodes[0].rows.value == pytest.approx(owner.execute(asked).fetchall()[0][0])
    owner.execute("DELETE FROM people")
    with opened(owner) as db:
        empty = db.fit(SQL, model, 1)
        assert empty.nodes[0].rows.noise is not None and len(empty.nodes) >= 1
