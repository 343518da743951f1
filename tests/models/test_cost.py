"""A model is one query: it costs what is said before, and nothing when it is asked for again."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.models import LinearRegression
from dpsql.models.linear.fitted import LinearModel
from tests.models.people import POLICY, data, opened

MODEL = LinearRegression("paid", ["age", "works", "town"])
LITTLE = POLICY.replace("{eps: 1e9, delta: 0.1}", "{eps: 2, delta: 1e-5}")
SQL = "SELECT * FROM people"


@pytest.fixture
def owner() -> duckdb.DuckDBPyConnection:
    return data(200)


def test_it_is_charged_what_was_said_and_once(owner: duckdb.DuckDBPyConnection) -> None:
    with opened(owner, LITTLE) as db:
        said = db.explain_fit(SQL, MODEL, 1)
        assert db.budget.spent.eps == 0
        first = db.fit(SQL, MODEL, 1)
        assert isinstance(first, LinearModel)
        assert first.cost.exact == said.cost.exact and first.cost.eps == 1
        assert db.budget.spent.eps == 1
        again = db.fit(SQL, MODEL, 1)
        assert isinstance(again, LinearModel)
        assert again.cost.eps == 0 and db.budget.spent.eps == 1
        assert again.coefficients == first.coefficients, "intervals, too"
        assert (
            str(again).replace("ε = 0", "ε = 1").splitlines()[:-1] == str(first).splitlines()[:-1]
        )
        other = db.fit(SQL, MODEL, 1, fresh=True)
        assert isinstance(other, LinearModel)
        assert other.coef != first.coef and db.budget.spent.eps == 2
        with pytest.raises(dpsql.BudgetExceeded):
            db.fit(SQL, MODEL, 0.5, fresh=True)


def test_what_is_rejected_is_not_charged(owner: duckdb.DuckDBPyConnection) -> None:
    with opened(owner, LITTLE) as db:
        for sql, features in ((SQL, ["free"]), (SQL, ["born"]), ("SELECT 1 AS paid", ["paid2"])):
            with pytest.raises((dpsql.Rejected, dpsql.InvalidArgument)):
                db.fit(sql, LinearRegression("paid", features), 1)
        assert db.budget.spent.eps == 0


def test_the_noise_that_is_said_is_the_noise_that_is_drawn(
    owner: duckdb.DuckDBPyConnection,
) -> None:
    """Of each kind of noise, and of groups."""
    from dpsql.models import noise_law
    from dpsql.models.linear import fitting
    from dpsql.models.wanted import How

    with opened(owner) as db:
        for noise in ("laplace", "gaussian"):
            for by in ((), ("town",)):
                model = LinearRegression("paid", ["age", "works"], by=by)
                made = fitting.plan(db, SQL, model, How(noise=noise))
                law = noise_law.planned(db.explain(made.sql, 1, **made.wishes), len(by))
                got = noise_law.of_answer(db.run(made.sql, 1, **made.wishes), len(by))
                assert set(law.kinds) == {noise} and got.kinds == law.kinds
                assert (got.scales == law.scales).all() and (got.parts == law.parts).all()


def test_expected_half_widths_are_those_of_evenly_spread_features() -> None:
    owner = data(2000)
    with opened(owner) as db:
        model = LinearRegression("size", ["age", "works"])  # it has nothing to do with them
        said = db.explain_fit(SQL, model, 1, size=2000)
        found = db.fit(SQL, model, 1)
    assert isinstance(found, LinearModel)
    for name, made in found.coefficients.items():
        assert made.noise == pytest.approx(said.expected[name], rel=0.25)
    assert not said.notes and "the intercept" in said.expected


def test_it_is_said_before_that_an_epsilon_is_too_small(
    owner: duckdb.DuckDBPyConnection,
) -> None:
    with opened(owner) as db:
        (note,) = db.explain_fit(SQL, MODEL, 0.1, size=200).notes
        assert note.startswith("ε = 0.1 is too small for 5 parameters of about 200 rows")
        enough = float(note.partition("about ε = ")[2].split()[0])
        assert not db.explain_fit(SQL, MODEL, enough, size=200).notes
        assert db.explain_fit(SQL, MODEL, enough / 1.5, size=200).notes


def test_many_models_cost_together_what_the_accountant_makes_of_them(
    owner: duckdb.DuckDBPyConnection,
) -> None:
    """docs/explanation/models.md."""
    policy = LITTLE.replace("delta: 1e-5", "delta: 1e-5, accountant: zcdp")
    with opened(owner, policy) as db:
        for least in range(20, 30):
            sql = f"SELECT * FROM people WHERE age > {least}"
            db.fit(sql, MODEL, 0.05, noise="gaussian")
        assert db.budget.spent.exact.eps == Fraction(1, 2)
        assert 0.1 < db.budget.guarantee.exact.eps < 0.2
