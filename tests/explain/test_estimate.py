"""What a workload costs: exact where it is basic composition, dp-accounting's figures where PLD."""

from __future__ import annotations

import html
import inspect
import json
from collections.abc import Iterable
from fractions import Fraction
from math import tanh
from pathlib import Path

import pytest

import dpsql
from dpsql import demo
from dpsql.core.account import pld
from dpsql.core.account.amount import Cost
from dpsql.core.account.events import Event
from dpsql.core.account.loss import NOTHING, total
from dpsql.report.workloads.pricing import Estimate, times
from tests.explain.test_explanation import policy

ONE = "SELECT COUNT(*) FROM customers"
MIXED = """\
-- eps: 0.25
SELECT COUNT(*) FROM orders;
SELECT region FROM regions;
SELECT email
  FROM customers;
SELECT channel, COUNT(*) AS n, AVG(shipping) AS mean FROM orders GROUP BY channel;
"""


def estimate(queries: object, eps: object = 1, budget: str | None = None) -> Estimate:
    chosen = demo.policy() if budget is None else policy(budget)
    return dpsql.estimate(queries, chosen, eps=eps)  # type: ignore[arg-type]


def test_signatures() -> None:
    assert list(inspect.signature(dpsql.estimate).parameters)[:2] == ["queries", "policy"]
    assert list(inspect.signature(dpsql.Database.estimate).parameters)[:3] == [
        "self",
        "queries",
        "eps",
    ]


def test_verdicts() -> None:
    found = estimate({"w.sql": MIXED}, Fraction(1, 2))
    assert [entry.verdict for entry in found.entries] == [
        "released",
        "public",
        "rejected",
        "released",
    ]
    assert [entry.eps for entry in found.entries] == [0.25, 0.5, 0.5, 0.5]
    first, public, rejected, last = found.entries
    assert first.cost is not None and first.cost.exact == Cost(Fraction(1, 4))
    assert public.cost is not None and public.cost.exact == Cost(Fraction(0))
    assert (rejected.cost, rejected.code, rejected.problem) == (None, "DP401", "w.sql:4:8")
    assert last.place == "w.sql:6:1"
    assert found.rejected == (rejected,)
    assert found.basic.exact == Cost(Fraction(3, 4))
    assert found.loss.cost == Cost(Fraction(3, 4))


def test_totals_are_those_of_all_mechanisms() -> None:
    found = estimate(MIXED, Fraction(1, 2))
    single = [
        dpsql.explain(entry.text, entry.eps, policy=demo.policy()).totals.loss.rounded_up()
        for entry in found.entries
        if entry.verdict == "released"
    ]
    assert found.loss == total(single)


def test_a_hundred_counts() -> None:
    found = estimate([ONE] * 100, 0.1)
    assert found.basic.exact == Cost(Fraction(10))
    assert found.zcdp is not None and found.rdp is not None and found.pld is not None
    assert found.totals.delta == Fraction(1, 10**6)
    assert float(found.loss.rho) == pytest.approx(100 * 0.1 * tanh(0.05), rel=1e-12)
    # dp-accounting 0.6: 100 × discrete Laplace(0.1) at δ = 1e-6.
    assert found.pld.eps == pytest.approx(4.775, abs=0.001)
    assert found.pld.eps < found.rdp.eps < found.zcdp.eps < 10
    assert found.zcdp.eps < 5.757  # ε²/2-zCDP would give that
    assert found.fits == 1 and found.apart.more == 0


def test_equal_queries_are_compiled_and_composed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    composed: list[dict[Event, int]] = []

    def epsilon(events: Iterable[Event], delta: Fraction) -> Fraction:
        counted: dict[Event, int] = {}
        for event in events:
            counted[event] = counted.get(event, 0) + 1
        composed.append(counted)
        return Fraction(7)

    monkeypatch.setattr(pld, "epsilon", epsilon)
    asked: list[str] = []
    real = dpsql.session.costs.compile_query

    def compile_query(text: str, *args: object, **kwargs: object) -> object:
        asked.append(text)
        return real(text, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(dpsql.session.costs, "compile_query", compile_query)
    found = estimate(f"{ONE};\n" * 10_000 + "SELECT COUNT(*) FROM orders", 0.1)
    assert len(found.entries) == 10_001 and len(asked) == 2
    assert sorted(found.totals.events.values()) == [1, 10_000]
    assert found.pld is not None and found.pld.eps == 7
    found.to_dict(), str(found)
    assert [sorted(counted.values()) for counted in composed] == [[1, 10_000]]
    assert found.basic.exact.eps == Fraction(10_001, 10)
    assert "1:1 and 9,999 like it: released, ε = 0.1" in str(found)


def test_times_is_repeated_addition() -> None:
    each = estimate(ONE, Fraction(1, 3)).loss
    for count in (0, 1, 2, 3, 7, 64, 100):
        assert times(each, count) == sum([each] * count, NOTHING)


# --- what the ledger charges ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("budget", "fits"),
    [
        ("{eps: 10, delta: 1e-6}", 3),
        ("{eps: 9.9, delta: 1e-6}", 3),
        ("{eps: 9.8999999, delta: 1e-6}", 2),
        ("{eps: 3.3}", 1),
        ("{eps: 3.2}", 0),
    ],
)
def test_how_often_it_fits(budget: str, fits: int) -> None:
    found = estimate([ONE] * 33, 0.1, budget)
    assert found.fits == fits
    assert found.apart.fits == bool(fits)
    assert (found.batch == found.apart) == ("delta" not in budget)


def test_public_workloads_fit_for_ever() -> None:
    found = estimate("SELECT region FROM regions; SELECT 1")
    assert found.fits is None and found.basic.exact == Cost(Fraction(0))
    assert "any number of such workloads more" in str(found)


def test_a_pld_budget_charges_a_batch_by_its_distribution() -> None:
    found = estimate([ONE] * 100, 0.1, "{eps: 10, delta: 1e-6, accountant: pld}")
    assert found.batch is not None and found.pld is not None
    assert found.apart.charge == "ε = 10" and found.apart.more == 0
    assert found.batch.charge == str(found.pld)
    assert found.batch.left.exact.eps == 10 - found.pld.exact.rounded_up().eps
    assert "as one declared batch, the ledger (pld) charges ε = 4.77" in str(found)


def test_a_zcdp_budget_fits_more() -> None:
    basic = estimate([ONE] * 10, 0.01, "{eps: 1, delta: 1e-6}")
    found = estimate([ONE] * 10, 0.01, "{eps: 1, delta: 1e-6, accountant: zcdp}")
    assert basic.fits == 10
    assert found.fits is not None and found.fits > 20
    assert found.apart.charge.startswith("ρ = ")


# --- forms ---------------------------------------------------------------------------------------


def test_text() -> None:
    sql = f"{MIXED}{ONE};{ONE}"
    assert str(estimate({"w.sql": sql}, 0.5, "{eps: 10}")) == (
        "6 queries: 4 released, 1 public, 1 rejected; 4 mechanisms, 3 different\n"
        "  w.sql:2:1: released, ε = 0.25\n"
        "    SELECT COUNT(*) FROM orders\n"
        "    count(*): ± 479 at 95 %; 1 group\n"
        "    cut: at most 40 rows of each unit count\n"
        "  w.sql:3:1: public, exact and free\n"
        "    SELECT region FROM regions\n"
        "  w.sql:4:1: rejected DP401 at w.sql:4:8: the query returns rows of individuals\n"
        "    SELECT email FROM customers\n"
        "  w.sql:6:1: released, ε = 0.5\n"
        "    SELECT channel, COUNT(*) AS n, AVG(shipping) AS mean FROM o…\n"
        "    n: ± 329 at 95 %; 4 groups\n"
        "    mean: ± 3,290 / values at 95 %; 4 groups\n"
        "    cut: at most 40 rows of each unit count; shipping is clamped to [0, 20]\n"
        "  w.sql:7:1 and 1 like it: released, ε = 0.5\n"
        "    SELECT COUNT(*) FROM customers\n"
        "    count(*): ± 6 at 95 %; 1 group\n"
        "total ε 1.75 by basic composition, ρ 0.3803 by zCDP; ε by it, or PLD, needs a δ\n"
        "one by one, the ledger (approx) charges ε = 1.75; then ε = 8.25 is left, "
        "4 more such workloads\n"
        "as one declared batch, the same\n"
        "daily for 30 days, on other data each day, the ledger (approx) has too little for "
        "ε = 52.5: ε = 10 is left"
    )


def test_text_with_a_delta() -> None:
    lines = [line.split() for line in str(estimate([ONE] * 100, 0.1)).splitlines()]
    assert lines[3] == ["count(*):", "±", "30", "at", "95", "%;", "1", "group"]
    assert lines[4] == ["by", "ε", "δ"]
    assert lines[6] == ["basic", "composition", "10", "0"]
    assert lines[7] == ["zCDP,", "ρ", "=", "0.4996", "5.22", "1e-6"]
    assert (lines[9][0], lines[9][1][:4], lines[9][2]) == ("PLD", "4.77", "1e-6")


def test_json_is_the_plain_data() -> None:
    found = estimate(MIXED)
    plain = found.to_dict()
    assert json.loads(found.to_json()) == plain
    assert set(plain) == {
        "queries",
        "mechanisms",
        "totals",
        "one_by_one",
        "as_a_batch",
        "daily_for_a_month",
        "fits",
    }


def test_html_escapes_every_text() -> None:
    evil = "<script>alert(1)</script>"
    found = estimate({evil: f"{ONE} -- {evil}\n, x; SELECT '{evil}', COUNT(*) FROM {evil}"})
    for page in (found.to_html(), found._repr_html_()):
        assert "<script" not in page
        assert html.escape(evil) in page
    assert found.to_html().startswith("<!doctype html>")


def test_texts_cannot_break_a_line() -> None:
    found = str(estimate("SELECT '\x1b[2J\u2028', COUNT(*) FROM orders"))
    assert "\x1b" not in found and "\u2028" not in found


# --- nothing is read, nothing is charged ---------------------------------------------------------


def test_nothing_is_read_or_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, declared = demo.save(tmp_path)
    with dpsql.connect(data, declared) as db:
        db.run(ONE, 1)
        monkeypatch.setattr(type(db._engine), "snapshot", None)
        found = db.estimate([ONE] * 9, 1)
        assert found.fits == 1 and found.apart.left.exact.eps == 0
        again = db.explain(ONE, 2)
        assert again.ledger is not None
        assert (again.ledger.left.exact.eps, again.ledger.more) == (7, 3)
        assert db.budget.spent.exact.eps == 1


def test_an_answer_says_what_was_charged_and_not_what_is_left() -> None:
    with demo.database() as db:
        answer = db.run(ONE, 1)
        assert answer.explanation.ledger is None
        explained = db.explain(ONE, 1)
        assert explained.ledger is not None and explained.ledger.more == 8


def test_the_default_database() -> None:
    with demo.database() as db:
        dpsql.use(db)
        try:
            assert dpsql.estimate(ONE).fits == 10
        finally:
            dpsql.use(None)
