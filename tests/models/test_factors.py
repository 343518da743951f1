"""Matrix factorisation: what it is without noise, what it costs, and what is claimed of it."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

import dpsql
from dpsql import audit
from dpsql.errors import InvalidArgument
from dpsql.models import FactorModel, MatrixFactorization
from dpsql.models.factors import directions, factor_queries, fitting, solving
from dpsql.models.noise_law import Law
from dpsql.models.wanted import How
from tests.models.people import ENOUGH
from tests.models.raters import POLICY, SQL, data, opened
from tests.support.effort import chosen, tries

MODEL = MatrixFactorization("id", "film", "stars")
SMALL = MatrixFactorization("id", "film", "stars", rank=1, rounds=2)
HEADS = ["film", "ratings", "bias", "factor", "1", "factor", "2", "seen"]
LITTLE = POLICY.replace("{eps: 1e9, delta: 0.1}", "{eps: 20, delta: 1e-5}")


@pytest.fixture(scope="module")
def fitted() -> Iterator[tuple[dpsql.Database, FactorModel]]:
    with opened(data()) as db:
        yield db, db.fit(SQL, MODEL, ENOUGH, 1e-6)


def _rows(db: duckdb.DuckDBPyConnection) -> list[tuple[int, int, float]]:
    found = db.execute("SELECT id, film, stars FROM ratings ORDER BY ALL").fetchall()
    return [(person, "abcdefgh".index(film), stars - 3) for person, film, stars in found]


@pytest.mark.parametrize("rank", chosen([1, 2, 3], 1, 2))
def test_with_enough_it_is_alternating_least_squares(rank: int) -> None:
    """Each round's sums are those of NumPy, with users' factors by `solve`."""
    owner = data(120, rank)
    rows = _rows(owner)
    random = np.random.default_rng(rank)
    biases, v = random.normal(size=8) / 3, np.clip(random.normal(size=(8, rank)), -3, 3)
    model = MatrixFactorization("id", "film", "stars", rank=rank)
    with opened(owner) as db:
        of = fitting.ratings_of(db, SQL, model)
        answer = db.run(factor_queries.round_of(of, biases, v), ENOUGH, 1e-6, clipping="declared")
        sums = fitting.read(of, answer)
    expected = np.zeros_like(sums)
    for person in {row[0] for row in rows}:
        own = [(film, y) for who, film, y in rows if who == person]
        gram = sum(np.outer(v[f], v[f]) for f, _ in own) + model.ridge * np.eye(rank)
        u = np.linalg.solve(gram, sum((y - biases[f]) * v[f] for f, y in own))
        u = np.clip(u, -of.box, of.box)
        for film, y in own:
            expected[film, int(y + 2.5)] += [*u, *(u[i - 1] * u[j - 1] for i, j in of.pairs)]
    assert sums == pytest.approx(expected, abs=1e-2)


def test_a_look_adds_up_what_each_user_likes_along_each_direction() -> None:
    owner = data(60)
    rows = _rows(owner)
    biases = np.random.default_rng(2).normal(size=8) / 3
    with opened(owner) as db:
        of = fitting.ratings_of(db, SQL, MODEL)
        along = directions.directions(of, np.arange(8.0) + 2)
        answer = db.run(directions.look(of, biases, along), ENOUGH, 1e-6, clipping="declared")
        sums = fitting.read(of, answer)
    expected = np.zeros_like(sums)
    for person in {row[0] for row in rows}:
        own = [(film, y) for who, film, y in rows if who == person]
        cross = sum((y - biases[f]) * along[f] for f, y in own)
        w = np.clip(cross / (MODEL.ridge + sum(along[f] ** 2 for f, _ in own)), -of.box, of.box)
        for film, y in own:
            expected[film, int(y + 2.5)] += w
    assert sums.shape == (8, 5, 4) and sums == pytest.approx(expected, abs=1e-2)


def test_a_look_finds_the_directions_that_ratings_vary_in() -> None:
    """Of ratings that are two factors and nothing else, of all users and items, and no noise."""
    random = np.random.default_rng(5)
    v, u = random.normal(size=(40, 2)), random.normal(0, 0.3, size=(3000, 2))
    y = u @ v.T
    model = MatrixFactorization("id", "film", "stars", items=range(40), reach=1, levels=20)
    with opened(data(3)) as db:
        of = fitting.ratings_of(db, "SELECT id, number AS film, stars FROM ratings", model)
    along = directions.directions(of, np.full(40, 3000.0))
    assert along.shape == (40, 4) and np.allclose((along**2).mean(axis=0), 1)
    assert abs(along.T @ along - np.diag(np.diag(along.T @ along))).max() < 20, "about orthogonal"
    w = y @ along / (model.ridge + (along**2).sum(axis=0))
    levels = np.argmin(abs(y[:, :, None] - of.levels), axis=2)
    sums = np.zeros((40, 20, 4))
    for film in range(40):
        np.add.at(sums[film], levels[:, film], w)
    known = solving.Biases(np.full(40, 3000.0), 0.0, 0.0, np.zeros(40), np.ones(40))
    found = directions.found(of, sums, Law(("gaussian",) * 4, np.full(4, 1e-9), np.eye(4)), known)
    left = v - found @ np.linalg.lstsq(found, v, rcond=None)[0]
    assert np.abs(left).max() < 0.05 * np.abs(v).max()


def test_factors_solve_the_sums_of_the_last_round(
    fitted: tuple[dpsql.Database, FactorModel],
) -> None:
    """Without noise: least squares for each item, but for the part that few ratings hold back, and
    one turn and scale for all.
    """
    db, found = fitted
    of = fitting.ratings_of(db, SQL, MODEL)
    sums = fitting.read(of, found.answers[-1])
    cross = np.einsum("ml,mlk->mk", of.levels - found.biases[:, None], sums[:, :, :2])
    s11, s12, s22 = sums[:, :, 2:].sum(axis=1).T
    exact = np.array(
        [
            np.linalg.solve([[a, b], [b, c]], y)
            for a, b, c, y in zip(s11, s12, s22, cross, strict=True)
        ]
    )
    turned = exact @ np.linalg.lstsq(exact, found.factors, rcond=None)[0]
    assert np.corrcoef(turned.ravel(), found.factors.ravel())[0, 1] > 0.98
    assert found.seen.min() > 0.5 and not found.notes


def test_biases_are_means_of_items(fitted: tuple[dpsql.Database, FactorModel]) -> None:
    found = fitted[1]
    rows = _rows(data())
    for place in range(8):
        stars = [y for _, film, y in rows if film == place]
        assert found.ratings[place] == pytest.approx(len(stars), abs=0.1)
        assert found.biases[place] == pytest.approx(np.mean(stars), abs=0.1)


def test_a_user_is_folded_in_where_their_ratings_are(
    fitted: tuple[dpsql.Database, FactorModel],
) -> None:
    found = fitted[1]
    ratings = {"a": 5.0, "c": 1.0, "d": 2.0}
    predicted = found.predict(ratings)
    v, b = found.factors, found.biases
    own = [0, 2, 3]
    gram = v[own].T @ v[own] + 3 * np.eye(2)
    u = np.linalg.solve(gram, v[own].T @ (np.array([2.0, -2.0, -1.0]) - b[own]))
    assert list(predicted.values()) == pytest.approx(np.clip(b + v @ u + 3, 1, 5))
    best = found.recommend(ratings, 3)
    assert len(best) == 3 and not {item for item, _ in best} & set(ratings)
    assert [at for _, at in best] == sorted((at for _, at in best), reverse=True)
    plain = duckdb.connect()
    for item, at in predicted.items():
        sql = f"SELECT {found.to_sql(ratings)} FROM (SELECT '{item}' AS film)"
        assert plain.execute(sql).fetchall() == [(pytest.approx(at),)]
    with pytest.raises(InvalidArgument, match="no item z"):
        found.predict({"z": 1})
    with pytest.raises(InvalidArgument, match="a rating is a number"):
        found.predict({"a": float("nan")})


def test_a_score_predicts_each_rating_without_itself(
    fitted: tuple[dpsql.Database, FactorModel],
) -> None:
    db, found = fitted
    scored = db.score(found, SQL, ENOUGH)
    rows, left = _rows(data()), 0.0
    for person, film, y in rows:
        others = {"abcdefgh"[f]: s + 3 for who, f, s in rows if who == person and f != film}
        guess = found.biases[film] + found.factors[film] @ found.folded(others)
        left += min(abs(y - guess), 3) ** 2
    assert scored.rows.value == pytest.approx(len(rows))
    assert scored.rmse is not None
    assert scored.rmse.value == pytest.approx((left / len(rows)) ** 0.5, abs=1e-3)


def test_it_is_charged_once_and_a_killed_fit_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(data(60), LITTLE) as db:
        said = db.explain_fit(SQL, SMALL, 5, 1e-6)
        assert db.budget.spent.eps == 0 and said.cost.eps == 5
        assert [one.times for one in said.steps] == [1, 1, 1, 1]
        real, calls = solving.solved, []

        def killed(*args: object) -> object:
            calls.append(args)
            if len(calls) == 1:
                raise KeyboardInterrupt
            return real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(fitting, "solved", killed)
        with pytest.raises(KeyboardInterrupt):
            db.fit(SQL, SMALL, 5, 1e-6)
        assert db.budget.spent.eps == 3, "the counts, the look and one round"
        first = db.fit(SQL, SMALL, 5, 1e-6)
        assert db.budget.spent.eps == 5 and db.budget.spent.delta <= 1e-6
        again = db.fit(SQL, SMALL, 5, 1e-6)
        assert db.budget.spent.eps == 5 and again.cost.eps == 0
        assert np.array_equal(again.factors, first.factors)
        assert (db.fit(SQL, SMALL, 5, 1e-6, fresh=True).factors != first.factors).any()


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_one_person_moves_no_sum_by_more_than_is_claimed(rank: int) -> None:
    model = MatrixFactorization("id", "film", "stars", rank=rank, reach=0.05)
    for seed in range(tries(rank < 3, 12)):
        with opened(data(8, seed, broken=True)) as db:
            of = fitting.ratings_of(db, SQL, model)
            v = np.clip(np.random.default_rng(seed).normal(size=(8, rank)), -3, 3)
            along = directions.directions(of, np.arange(8.0))
            for sql in (
                factor_queries.counts(of),
                directions.look(of, np.zeros(8), along),
                factor_queries.round_of(of, np.zeros(8), v),
                factor_queries.score(of, np.zeros(8), v),
            ):
                found = audit.sensitivity(db, sql)
                assert all(one.within for one in found), [one for one in found if not one.within]
                assert any(one.l1 for one in found)


def test_an_audit_does_not_contradict_it() -> None:
    with opened(data(12, 3, broken=True)) as db:
        of = fitting.ratings_of(db, SQL, MODEL)
        v = np.clip(np.random.default_rng(3).normal(size=(8, 2)), -3, 3)
        wishes = fitting.wishes(of, How(noise="gaussian"))
        report = audit.check(
            db,
            factor_queries.round_of(of, np.zeros(8), v),
            1,
            1e-6,
            worlds=tries(3, 40),
            samples=0,
            **wishes,
        )
    assert all(one.holds for one in report.checked)


def test_what_one_person_moves_is_in_proportion_to_the_root_of_their_ratings() -> None:
    with opened(data(8)) as db:
        of = fitting.ratings_of(db, SQL, MODEL)
        found = fitting.stand_in(db, of, How(noise="gaussian", delta=1e-6))
        looked = directions.look(of, np.zeros(8), directions.directions(of, np.ones(8)))
        look = db.explain(looked, 1, 1e-6, noise="gaussian", clipping="declared")
    for first in (found.releases[0], *look.releases):
        assert first.linf == pytest.approx(of.box, rel=1e-5)
        assert first.l2 == pytest.approx(6**0.5 * of.box, rel=1e-5)
    assert len(look.releases) == 4


def test_it_is_told_as_text_page_and_plain_data(
    fitted: tuple[dpsql.Database, FactorModel],
) -> None:
    db, found = fitted
    text = str(found)
    assert text.splitlines()[0].split() == HEADS
    assert "(stars of 8 items, ε = 1000000" in text
    assert "± is noise; factors have none, since they may be turned together" in text
    assert "<table" in found.to_html()
    plain = found.to_dict()
    assert plain["items"] == list("abcdefgh") and len(plain["factors"]) == 8  # type: ignore[arg-type]
    assert found.to_json()
    before = str(db.explain_fit(SQL, MODEL, 1))
    assert "users' own factors are in no answer" in before and "f1f2" in before


def test_too_little_is_said() -> None:
    with opened(data(40)) as db:
        fits = (db.fit(SQL, SMALL, 0.1, 1e-6, fresh=True) for _ in range(4))  # no more than needed
        said = "is too small: noise hides the factors"
        assert any(said in note for found in fits for note in found.notes)
    with opened(data(0)) as db:
        (note,) = db.fit(SQL, SMALL, ENOUGH, 1e-6).notes
        assert note == "8 of 8 items have no ratings, or fewer than noise hides"


def test_items_are_listed_by_values_a_public_query_or_the_policy() -> None:
    numbers = "SELECT id, number, liked FROM ratings"
    with opened(data(40)) as db:
        for items in ("SELECT number FROM films", range(8)):
            model = MatrixFactorization(
                "id", "number", "liked", levels=2, rank=1, rounds=1, items=items
            )
            found = db.fit(numbers, model, ENOUGH, 1e-6)
            assert found.items == tuple(range(8))
            assert min(found.predict({1: 1}).values()) >= 0


@pytest.mark.parametrize(
    ("sql", "model", "problem"),
    [
        (SQL, {"user": "nobody"}, "no column nobody"),
        (SQL, {"items": "SELECT COUNT(*) FROM ratings"}, "public tables alone"),
        (SQL, {"items": "SELECT film, number FROM films"}, "one column"),
        (SQL, {"items": ["a", "b"]}, "more than its rank"),
        (SQL, {"items": [1, "b", "c"]}, "of one type"),
        (SQL, {"items": ["b", "b", "c"]}, "listed once"),
        (SQL, {"items": [0.5, 1.5, 2.5]}, "whole numbers, texts or dates"),
        ("SELECT id, number AS film, stars FROM ratings", {}, "are not listed: write items="),
        ("SELECT id, film, film AS stars FROM ratings", {}, "is no number"),
    ],
)
@pytest.mark.one_in(2)
def test_bad_input_is_refused(sql: str, model: dict[str, object], problem: str) -> None:
    wanted = {"user": "id", "item": "film", "rating": "stars", **model}
    with opened(data(8), LITTLE) as db:
        with pytest.raises(InvalidArgument, match=problem):
            db.fit(sql, MatrixFactorization(**wanted), 1)  # type: ignore[arg-type]
        assert db.budget.spent.eps == 0


def test_what_is_not_the_unit_is_refused_before_anything_is_paid() -> None:
    with opened(data(8), LITTLE) as db:
        model = MatrixFactorization("number", "film", "stars")
        with pytest.raises(InvalidArgument, match="number is not the policy's unit"):
            db.fit("SELECT number, film, stars FROM ratings", model, 1, 1e-6)
        assert db.budget.spent.eps == 0


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"rank": 4}, "rank is a whole number"),
        ({"rounds": 0}, "rounds is a whole number"),
        ({"levels": 1}, "levels is a whole number"),
        ({"ridge": 0}, "ridge is at least"),
        ({"reach": 2.0}, "reach is a part"),
        ({"item": "id"}, "named twice"),
    ],
)
def test_numbers_out_of_range_are_refused(given: dict[str, object], problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        MatrixFactorization(**{"user": "id", "item": "film", "rating": "stars", **given})  # type: ignore[arg-type]
