"""What is expected of a workload's answers is what they have."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import dpsql
from dpsql import demo
from dpsql.report.workloads.pricing import DAYS, Estimate
from tests.explain.test_explanation import policy

QUERIES = """
SELECT channel, COUNT(*) AS n, SUM(shipping) AS paid FROM orders GROUP BY channel;
SELECT SUM(shipping) + COUNT(*) AS both, COUNT(shipping) FROM orders;
SELECT segment, COUNT(DISTINCT customer_id) AS people FROM customers GROUP BY segment;
SELECT COUNT(*) FROM customers WHERE birth_year > 1990;
"""


def column(found: Estimate, query: int = 0, place: int = 0) -> dict[str, object]:
    return found.entries[query].columns[place].to_dict()


def test_half_widths_are_those_of_the_answers() -> None:
    with dpsql.connect(demo.connection(), demo.policy()) as db:
        found = db.estimate(QUERIES, 0.5)
        for entry in found.entries:
            answer = db.run(entry.text, 0.5)
            widths = {c.name: c.width for c in entry.columns}
            for row in answer.intervals:
                told = {n: w for n, w in zip(answer.columns, row, strict=True) if w is not None}
                assert told == pytest.approx(widths)
            groups = {c.groups for c in entry.columns}
            assert groups == {len(answer.rows)}


def test_relative_where_a_size_is_given() -> None:
    one = dpsql.estimate(QUERIES, demo.policy(), eps=0.5, size={"N": 1000})
    wide = column(one)["width"]
    assert isinstance(wide, float) and column(one)["relative"] == pytest.approx(wide / 1000)
    assert column(one, 0, 1)["relative"] is None
    assert "% of its size; 4 groups" in str(one)
    every = dpsql.estimate(QUERIES, demo.policy(), eps=0.5, size=10)
    assert all(
        c.relative == pytest.approx((c.width or 0) / 10) for e in every.entries for c in e.columns
    )


CUT = "cut: at most 40 rows of each unit count; shipping is clamped to [0, 20]"
FURTHER = "SELECT SUM(n) AS m FROM (SELECT COUNT(*) AS n FROM orders GROUP BY channel) WHERE n > 2"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT AVG(shipping) AS m FROM orders", "m: ± 1,645 / values at 95 %; 1 group"),
        ("SELECT MEDIAN(shipping) AS m FROM orders", "m: within 120 rows of its rank at 95 %"),
        (FURTHER, "m: ± that only the run tells"),
        ("SELECT email, COUNT(*) FROM customers GROUP BY 1", "shown from 17 units on"),
        ("SELECT SUM(shipping) AS m FROM orders", CUT),
    ],
)
def test_what_else_is_known(sql: str, said: str) -> None:
    text = str(dpsql.estimate(sql, demo.policy(), eps=1))
    assert said in text, text


def test_a_clip_that_the_data_gives() -> None:
    found = dpsql.estimate("SELECT COUNT(*) AS n FROM visits", POLICY)
    assert "n: ± by a clip that the data gives; 1 group" in str(found)
    assert column(found)["width"] is None


POLICY = """
unit: people.id
budget: {eps: 10}
tables:
  people: {access: private, key: [id], columns: {id: {type: BIGINT}}}
  visits: {access: private, columns: {who: {type: BIGINT, references: people.id}}}
"""


def test_a_month_is_thirty_times_the_workload() -> None:
    sql = "SELECT COUNT(*) FROM customers"
    for eps, fits in ((Fraction(1, 10), True), (Fraction(34, 100), False)):
        found = dpsql.estimate(sql, demo.policy(), eps=eps)
        assert found.month.fits is fits
        if fits:
            assert found.month.charge == "ε = 3" and found.month.left.exact.eps == 7
        assert f"daily for {DAYS} days, on other data each day, the ledger" in str(found)
    zcdp, tenth = policy("{eps: 10, delta: 1e-6, accountant: zcdp}"), Fraction(1, 10)
    once, thirty = (dpsql.estimate([sql] * n, zcdp, eps=tenth) for n in (1, DAYS))
    assert once.month.charge == thirty.apart.charge


def test_as_json_and_as_a_page_with_a_picture() -> None:
    found = dpsql.estimate({"<w>.sql": QUERIES}, demo.policy(), eps=0.5)
    told = json.loads(found.to_json())
    assert [c["name"] for c in told["queries"][0]["columns"]] == ["n", "paid"]
    assert told["daily_for_a_month"]["charge"] == "ε = 60"
    page = found.to_html()
    assert page.count("<rect") == 5 and "± " in page and "<w>" not in page
    public = dpsql.estimate("SELECT region FROM regions", demo.policy())
    assert "<svg" not in public.to_html() and public.entries[0].columns == ()
