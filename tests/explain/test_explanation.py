"""What an explanation says of cost, as text, plain data, JSON and HTML; from the policy alone."""

from __future__ import annotations

import html
import json
import subprocess
import sys
from fractions import Fraction
from math import exp, tanh

import duckdb
import pytest

import dpsql
from dpsql import demo
from dpsql.compile import Compiled
from dpsql.core.account import pld
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING, approximate
from dpsql.platform.policy import resolve
from dpsql.report.explanation.explanation import Explanation, beforehand
from dpsql.session.policies import account

COUNT = "SELECT COUNT(*) AS n FROM orders"
BOTH = "SELECT channel, COUNT(*) AS n, AVG(shipping) AS mean FROM orders GROUP BY channel"
PAIR = "SELECT COUNT(*) AS n, COUNT(DISTINCT customer_id) AS c FROM orders"
PRIVATE = "SELECT email, COUNT(*) AS n FROM customers GROUP BY email"


def policy(budget: str) -> dpsql.Policy:
    """The demo's policy with another budget."""
    text = demo._text("demo.yaml").replace("{eps: 10, delta: 1e-6}", budget)
    assert budget in text
    return dpsql.Policy.parse(text)


def explain(sql: str, eps: object = 1, budget: str | None = None, **wishes: object) -> Explanation:
    chosen = demo.policy() if budget is None else policy(budget)
    return dpsql.explain(sql, eps, policy=chosen, **wishes)  # type: ignore[arg-type]


# --- figures -------------------------------------------------------------------------------------


def test_rho_of_one_count_is_its_relative_entropy() -> None:
    found = explain("SELECT COUNT(*) FROM customers", 1)
    (release,) = found.releases
    # Sensitivity 1 and scale 1: randomized response at ε = 1.
    assert release.rho == pytest.approx(tanh(0.5), rel=1e-12)
    assert found.totals.loss.rho == pytest.approx(tanh(0.5), rel=1e-12)
    wide = explain(COUNT, 1).releases[0]
    a = exp(-1 / 40)
    assert wide.rho == pytest.approx(1 - (1 - exp(-1)) * 2 / 40 * a / (1 - a * a), rel=1e-9)


def test_rho_of_gaussian_noise_is_its_own_and_adds_up() -> None:
    found = explain(PAIR, 1, noise="gaussian", delta=1e-7)
    for release in found.releases:
        assert release.mechanism == "gaussian" and release.l2 is not None and release.scale
        assert release.rho == pytest.approx(release.l2**2 / (2 * release.scale**2), rel=1e-12)
    rho = sum(release.rho for release in found.releases)
    assert float(found.totals.loss.rho) == pytest.approx(rho, rel=1e-9)


def test_a_clip_says_its_share() -> None:
    """A quarter of ε chooses the clip, a twelfth checks it, the rest is the noise's."""
    found = explain(COUNT, 1, clipping="adaptive")
    (release,) = found.releases
    assert (release.eps, release.clip_eps) == (1, pytest.approx(1 / 4 + 1 / 12))
    assert "gives, for ε 0.333333, then laplace noise, for ε 0.666667; ε 1" in str(found)
    assert "clip_eps" in found.to_json()
    (release,) = explain(COUNT).releases
    assert release.clip_eps == 0


def test_rho_of_other_mechanisms() -> None:
    (median,) = explain("SELECT MEDIAN(shipping) FROM orders", 1).releases
    assert median.rho == pytest.approx(1 / 8)  # one choice of bounded range 1
    (mode,) = explain("SELECT MODE(rating) FROM orders", 1).releases
    assert mode.rho == pytest.approx(tanh(0.5), rel=1e-9)


def test_delta_is_the_query_s_or_the_budget_s() -> None:
    assert explain(COUNT).totals.delta == Fraction(1, 10**6)
    found = explain(PRIVATE, 1)
    assert found.totals.delta == found.cost.exact.delta == Fraction(1, 10**7)
    gaussian = explain(PAIR, 1, noise="gaussian", delta=1e-8)
    assert gaussian.totals.delta == Fraction(1, 10**8)


def test_totals_are_side_by_side() -> None:
    found = explain(PAIR).totals
    assert found.basic.exact == Cost(Fraction(1))
    assert len(found.events) == 2
    for total in (found.zcdp, found.rdp, found.pld):
        assert total is not None and total.exact.delta == found.delta
        assert total.exact.eps <= 1


def test_without_any_delta() -> None:
    found = explain(BOTH, 1, "{eps: 10}")
    assert (found.totals.zcdp, found.totals.rdp, found.totals.pld) == (None, None, None)
    assert found.totals.delta == 0
    assert " by zCDP; ε by it, or PLD, needs a δ" in str(found)
    assert "needs a δ" in found.to_html()
    plain = found.to_dict()["totals"]
    assert isinstance(plain, dict)
    assert (plain["pld"], plain["zcdp"], plain["delta"]) == (None, None, 0)


# --- what is saved -------------------------------------------------------------------------------


def test_groups_and_shared_counts_are_saved() -> None:
    found = explain(BOTH, 1, noise="gaussian", delta=1e-7)
    assert [release.name for release in found.releases] == ["n", "centred sum(shipping)"]
    found = explain(BOTH, 1)
    assert [release.eps for release in found.releases] == [1, 1]
    assert found.saved is not None and found.saved.groups is not None
    # COUNT and AVG both need two sums that share all of ε; each in 4 groups, one unit in all.
    assert found.saved.shared == 1
    assert found.saved.groups == 3 * 2


def test_one_group_and_one_aggregate_save_nothing() -> None:
    found = explain(COUNT).saved
    assert found is not None and (found.groups, found.shared, found.any) == (0, 0, False)
    assert "saved" not in str(explain(COUNT))


def test_of_unknown_groups_only_the_rest_is_said() -> None:
    sql = "SELECT email, COUNT(*) AS n, COUNT(*) + 1 AS m FROM customers GROUP BY email"
    found = explain(sql).saved
    assert found is not None and found.groups is None
    assert found.to_dict()["groups"] is None
    assert "by parallel composition" not in str(explain(sql))


def test_filters_that_exclude_each_other_share() -> None:
    found = explain(
        "SELECT COUNT(*) FILTER (WHERE gift) AS a, COUNT(*) FILTER (WHERE NOT gift) AS b "
        "FROM orders"
    )
    assert all(release.shared for release in found.releases)
    assert found.saved is not None
    assert (found.saved.groups, found.saved.shared) == (0, pytest.approx(1, rel=1e-12))


def test_a_histogram_is_one_aggregate() -> None:
    found = explain("SELECT HISTOGRAM(shipping, [5, 10, 15]) AS h FROM orders")
    assert len(found.releases) == 3 and found.saved is not None
    assert (found.saved.groups, found.saved.shared) == (0, 0)


def test_picks_cost_the_same_in_each_group() -> None:
    found = explain("SELECT channel, MEDIAN(shipping) AS m FROM orders GROUP BY channel")
    assert found.saved is not None
    assert (found.saved.groups, found.saved.shared) == (3, 0)
    best = explain(
        "SELECT ARG_MAX(channel, n) FROM "
        "(SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel)"
    )
    assert best.saved is not None and not best.saved.any


def test_gaussian_noise_alone_saves_nothing_over_itself() -> None:
    found = explain("SELECT COUNT(*) AS n FROM orders", 1, noise="gaussian", delta=1e-7).saved
    assert found is not None and (found.groups, found.shared) == (0, 0)
    grouped = explain(BOTH, 1, noise="gaussian", delta=1e-7).saved
    assert grouped is not None and grouped.groups is not None
    assert grouped.groups > 0 and grouped.shared > 0


# --- what the ledger charges, and what is left ---------------------------------------------------


@pytest.mark.parametrize(
    ("budget", "accountant", "charge", "more"),
    [
        ("{eps: 10, delta: 1e-6}", "approx", "ε = 1", 9),
        ("{eps: 10}", "approx", "ε = 1", 9),
        ("{eps: 10, accountant: pure}", "pure", "ε = 1", 9),
        ("{eps: 10, delta: 1e-6, accountant: pld}", "pld", "ε = 1", 9),
        ("{eps: 1}", "approx", "ε = 1", 0),
    ],
)
def test_what_basic_composition_leaves(
    budget: str, accountant: str, charge: str, more: int
) -> None:
    found = explain(COUNT, 1, budget).ledger
    assert found is not None and found.fits
    assert (found.charge, found.more) == (charge, more)
    assert found.left.exact.eps == more
    if "accountant" in budget:
        assert found.accountant == accountant


def test_more_is_exact() -> None:
    # 0.1 is one tenth: a budget of 10 has room for 100, so for 99 after this one.
    found = explain(COUNT, 0.1).ledger
    assert found is not None and (found.more, found.left.exact.eps) == (99, Fraction(99, 10))
    third = explain(COUNT, Fraction(1, 3)).ledger
    assert third is not None and third.more == 29
    just = explain(COUNT, Fraction(10, 3) + Fraction(1, 10**9)).ledger
    assert just is not None and just.more == 1


def test_a_zcdp_budget_charges_rho() -> None:
    budget = "{eps: 1, delta: 1e-6, accountant: zcdp}"
    found = explain(COUNT, 0.01, budget).ledger
    assert found is not None and found.accountant == "zcdp" and found.charge.startswith("ρ = ")
    assert found.more is not None and found.more > 200  # by basic composition it would be 99
    assert "the ledger (zcdp) charges ρ = " in str(explain(COUNT, 0.01, budget))
    private = explain(PRIVATE, 0.01, budget).ledger
    assert private is not None and ", δ = 1e-8" in private.charge


def test_an_rdp_budget_charges_divergences() -> None:
    budget = "{eps: 1, delta: 1e-6, accountant: rdp}"
    found = explain(COUNT, 0.01, budget).ledger
    assert found is not None and "a divergence of" in found.charge and "at α = " in found.charge
    assert found.more is not None and found.more > 99


def test_what_does_not_fit() -> None:
    found = explain(COUNT, 11).ledger
    assert found is not None and not found.fits
    assert (found.left.exact.eps, found.more) == (10, 0)
    assert "too little for ε = 11: ε = 10, δ = 1e-6 is left" in str(explain(COUNT, 11))
    pure = explain(PRIVATE, 1, "{eps: 10, delta: 1e-6}", delta=1e-5).ledger
    assert pure is not None and not pure.fits


def test_what_was_spent_is_gone() -> None:
    found = explain(COUNT, 1)
    budget = account(demo.policy(), resolve(demo.policy(), None, None))

    def again(eps: Fraction) -> Compiled:
        raise AssertionError("the query is not asked for at another ε")

    after = beforehand(found, budget, approximate(Cost(Fraction(13, 2))), again).ledger
    assert after is not None and (after.left.exact.eps, after.more) == (Fraction(5, 2), 2)
    public = explain("SELECT region FROM regions")
    assert beforehand(public, budget, NOTHING, again).ledger is None


def test_a_query_that_costs_nothing_fits_for_ever() -> None:
    text = "unit: t\nneighbours: replace\nbudget: {eps: 1}\ntables: {t: {access: private, rows: 9}}"
    found = dpsql.explain("SELECT COUNT(*) AS n FROM t", 1, policy=dpsql.Policy.parse(text + "\n"))
    assert [release.mechanism for release in found.releases] == ["constant"]
    assert found.ledger is not None and found.ledger.more is None
    assert "any number of such queries more" in str(found)
    assert [release.rho for release in found.releases] == [0]


def test_what_costs_nothing_is_not_refused_for_that() -> None:
    """It is not charged, so that no least ε and no cap is asked."""
    policy = (
        "unit: t\nneighbours: replace\nbudget: {eps: 1, min_eps: 0.5}\n"
        "tables: {t: {access: private, key: [id], rows: 9, columns: {id: {}}}}\n"
    )
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS id FROM range(9) r(i)")
    with dpsql.connect(connection, policy) as db:
        found = db.explain("SELECT COUNT(*) AS n FROM t", 0.1)
        assert found.ledger is not None and found.ledger.fits and found.ledger.refused is None
        assert db.run("SELECT COUNT(*) AS n FROM t", 0.1).rows == ((9,),)
        refused = db.explain("SELECT COUNT(*) AS n FROM t WHERE id > 3", 0.1).ledger
        assert refused is not None and not refused.fits


# --- the smallest ε for an accuracy --------------------------------------------------------------


def test_the_smallest_eps_within_an_error() -> None:
    found = explain(COUNT, 1).within(100)
    assert found.wanted is not None and found.wanted.eps is not None
    db = demo.database()
    with db:
        assert found.wanted.eps == db.calibrate(COUNT, 100)
    assert explain(COUNT, found.wanted.eps).releases[0].interval() <= 100
    assert explain(COUNT, found.wanted.eps * 0.998).releases[0].interval() > 100
    assert "each number within ± 100 at 95 % needs ε 1.193" in str(found)
    assert found.cost.eps == 1


def test_within_keeps_to_the_delta_that_is_asked_for() -> None:
    private = "SELECT segment, COUNT(DISTINCT customer_id) AS n FROM customers GROUP BY segment"
    with demo.database() as db:
        for delta in (None, 1e-7, 1e-9):  # at ε = 1 None and 1e-7 are the same
            found = db.explain(private, 1, delta, noise="gaussian").within(5)
            assert found.wanted is not None
            assert found.wanted.eps == db.calibrate(private, 5, delta=delta, noise="gaussian")


def test_an_answer_knows_its_eps_alone() -> None:
    with demo.database() as db:
        found = db.run(COUNT, 1).explanation.within(100)
    assert found.wanted is not None and found.wanted.eps is None


def test_within_a_part_of_a_size() -> None:
    found = explain(COUNT, 1).within(0.01, 0.9, size={"n": 100_000})
    assert found.wanted is not None and found.wanted.eps is not None
    assert "each number within ± 1 % of its size at 90 % needs ε 0.09" in str(found)
    assert found.to_dict()["wanted"] == {
        "error": 0.01,
        "confidence": 0.9,
        "size": {"n": 100_000},
        "eps": found.wanted.eps,
        "why": None,
        "widths": {"n": 1000.0},
    }


def test_within_what_depends_on_the_data() -> None:
    found = explain(BOTH, 1).within(1)
    assert found.wanted is not None and found.wanted.eps is None
    assert "how far mean is off depends on the data" in str(found)
    with pytest.raises(ValueError, match="positive"):
        explain(COUNT).within(0)


# --- forms ---------------------------------------------------------------------------------------


def test_text() -> None:
    assert str(explain(BOTH, 1)) == (
        "released: costs ε = 1; unit customers.customer_id, neighbours add_remove\n"
        "  because rows per unit 40, enforced per unit (40 rows of orders per "
        "customer_id)\n"
        "  because shipping in [0, 20], clamped\n"
        "  because groups: channel: 4 values; a unit can be in several\n"
        "  because a row adds 20 to sum(shipping) and sum(shipping - 20) together\n"
        "  sum(shipping), 4 groups\n"
        "    sensitivity L0 4, L1 800, L2 800, L∞ 800\n"
        "    laplace noise, scale 800, ε 1, ρ 0.3679, shared: ± 2,397 at 95 %\n"
        "    because summed around 0, the least\n"
        "  sum(shipping - 20), 4 groups\n"
        "    sensitivity L0 4, L1 800, L2 800, L∞ 800\n"
        "    laplace noise, scale 800, ε 1, ρ 0.3679, shared: ± 2,397 at 95 %\n"
        "    because summed around 20, the greatest\n"
        "  n, from sum(shipping) and sum(shipping - 20): ± 165 at 95 %\n"
        "  mean, from sum(shipping) and sum(shipping - 20): ± 1,645 / values at 95 %, ± "
        "2,397 / values at an end of its range\n"
        "  total ε 1 by basic composition, 1 by zCDP (ρ 0.3679), 1 by PLD, at δ 1e-6\n"
        "  saved ε 6 by parallel composition, ε 1 by shared measurements, over asking "
        "apart\n"
        "  bounds are enforced while it runs: on a copy that `dpsql prepare` writes it is faster\n"
        "  the ledger (approx) charges ε = 1; then ε = 9, δ = 1e-6 is left, 9 more such "
        "queries"
    )


def test_json_is_the_plain_data() -> None:
    for sql in (BOTH, PRIVATE, "SELECT region FROM regions"):
        found = explain(sql).within(5)
        assert json.loads(found.to_json()) == found.to_dict()


def test_html_escapes_every_text() -> None:
    evil = '<script>alert("1")</script>'
    found = explain(f'SELECT COUNT(*) AS "{evil.replace(chr(34), chr(34) * 2)}" FROM orders')
    assert found.releases[0].name == evil
    for page in (found.to_html(), found._repr_html_(), found.within(1).to_html()):
        assert "<script" not in page
        assert html.escape(evil) in page


@pytest.mark.parametrize("sql", [BOTH, PRIVATE, COUNT, "SELECT region FROM regions"])
def test_html_is_self_contained(sql: str) -> None:
    page = explain(sql).to_html()
    assert page.startswith("<!doctype html>") and page.count("<style>") == 1
    assert "http" not in page and "<link" not in page and "src=" not in page
    assert explain(sql)._repr_html_() in page


def test_keys_alone_cost_nothing() -> None:
    found = explain("SELECT channel FROM orders GROUP BY channel")
    assert (found.kind, found.releases, found.cost.eps) == ("released", (), 0)
    assert str(found).startswith("released: costs ε = 0;") and "any number of" in str(found)
    assert found.to_html() and found.to_json()


def test_public_queries_stay_short() -> None:
    found = explain("SELECT region FROM regions")
    assert str(found) == "public: reads public tables alone; answered exactly, free"
    assert (found.saved, found.ledger, found.cost.eps) == (None, None, 0)
    assert found.totals.loss == NOTHING and not found.totals.events


# --- what takes long is left for later -----------------------------------------------------------


def test_pld_is_composed_only_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Fraction] = []

    def epsilon(events: object, delta: Fraction) -> Fraction:
        asked.append(delta)
        return Fraction(1, 2)

    monkeypatch.setattr(pld, "epsilon", epsilon)
    one = explain(COUNT)
    str(one), one.to_dict(), one.to_html()
    found = explain(PAIR)
    assert found.releases and found.sql and found.ledger and not asked
    assert ", 0.5 by PLD, " in str(found)
    found.to_dict(), found.to_html()
    assert asked == [Fraction(1, 10**6)]  # once


def test_pld_is_that_of_the_mechanisms() -> None:
    found = explain(PAIR).totals
    assert found.pld is not None
    events = [event for event, count in found.events.items() for _ in range(count)]
    assert found.pld.exact.eps == min(1, pld.epsilon(events, found.delta))


def test_nothing_slow_is_imported() -> None:
    script = (
        "import sys, dpsql; from dpsql import demo\n"
        f"found = dpsql.explain({BOTH!r}, 1, policy=demo.policy())\n"
        "str(found), found.to_json(), found.to_html()\n"
        "print([name for name in ('dp_accounting', 'scipy', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
