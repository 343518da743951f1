"""Repeats are free: what is the same query, what is not, and what is read and charged."""

from __future__ import annotations

from typing import Any

import pytest

from tests.execution.repeated import GROUPS, WHOLE, Data, served
from tests.support.effort import tries

SAME = [
    "select REGION, count(*) from Customer group by 1",
    "SELECT c.region, COUNT(*) AS persons /* all of them */ FROM main.customer AS c GROUP BY ALL",
    "SELECT region AS r, COUNT(*) AS n FROM customer GROUP BY region ORDER BY n DESC LIMIT 2",
    "SELECT region, COUNT(*) + 1 AS n FROM customer GROUP BY region HAVING COUNT(*) > 3",
    "SELECT SUM(n) AS m FROM (SELECT region, COUNT(*) AS n FROM customer GROUP BY region) AS t",
    "WITH t AS (SELECT region, COUNT(*) AS n FROM customer GROUP BY region) "
    "SELECT name, n FROM t JOIN city ON t.region = city.region",
    "SELECT region, n / SUM(n) OVER () AS part FROM "
    "(SELECT region, COUNT(*) AS n FROM customer GROUP BY region) AS t",
]


@pytest.mark.parametrize("sql", SAME)
def test_the_same_query_in_other_words_is_free(data: Data, sql: str) -> None:
    first = data.ask(GROUPS)
    assert first.reused is None and first.charged.cost.eps == 1
    again = served(data, sql)
    assert again is not None and again.reused is not None
    assert again.reused.kind == "repeat" and again.reused.number == 1
    repeated = served(data, GROUPS)
    assert repeated is not None
    assert (repeated.rows, repeated.intervals) == (first.rows, first.intervals)


OTHER = [
    "SELECT region AS r, COUNT(*) AS n FROM customer WHERE age > 3 GROUP BY region",
    "SELECT region AS r, COUNT(age) AS n, SUM(age) AS s FROM customer GROUP BY region",
    "SELECT region AS r, COUNT(DISTINCT age) AS n FROM customer GROUP BY region",
    "SELECT level AS r, COUNT(*) AS n FROM customer GROUP BY level",
    "SELECT COUNT(*) AS n FROM customer",  # some are in no region of the list
    "SELECT region, COUNT(*) AS n FROM customer JOIN orders ON customer.id = orders.customer "
    "GROUP BY region",
]


@pytest.mark.parametrize("sql", OTHER)
def test_another_query_is_charged(data: Data, sql: str) -> None:
    data.ask(GROUPS)
    assert served(data, sql) is None


@pytest.mark.parametrize("constant", ["3", "4", "'3'", "3.5", "-3"])
def test_a_condition_is_its_constant(data: Data, constant: str) -> None:
    text = "SELECT COUNT(*) AS n FROM customer WHERE age > {}"
    data.ask(text.format(3))
    assert (served(data, text.format(constant)) is not None) is (constant.strip("'") == "3")


def test_a_dialect_in_which_it_means_something_else_is_another_query(data: Data) -> None:
    text = "SELECT SUM(LOG(age + 1)) AS s FROM customer"
    data.ask(text, 1)
    assert served(data, text, 1, dialect="spark") is None  # the natural logarithm
    assert served(data, text, 1) is not None
    plain = "SELECT COUNT(*) AS n FROM customer WHERE age > 9"
    data.ask(plain, 1, dialect="postgres")
    assert served(data, plain, 1, dialect="tsql") is not None


def test_a_larger_eps_is_charged_and_a_smaller_one_is_served(data: Data) -> None:
    data.ask(GROUPS, 1)
    assert served(data, GROUPS, 1.001) is None
    for eps in (1.001, 1, 0.5):
        found = served(data, GROUPS, eps)
        assert found is not None and found.reused is not None and found.reused.number == 2


def test_the_best_answer_is_given(data: Data) -> None:
    best = data.ask(GROUPS, 5)
    data.ask(GROUPS, 1, fresh=True)
    found = served(data, GROUPS, 0.5)
    assert found is not None and found.rows == best.rows and found.intervals == best.intervals


def test_fresh_noise_is_paid_for(data: Data) -> None:
    data.ask(GROUPS, 0.01)
    before = data.lines
    answers = [data.ask(GROUPS, 0.01, fresh=True) for _ in range(3)]
    assert data.lines == before + 3 and all(a.reused is None for a in answers)
    assert len({tuple(a.rows) for a in answers}) == 3


def test_asking_again_and_again_is_one_answer_and_one_charge(data: Data) -> None:
    answers = {tuple(data.ask(GROUPS, 0.1).rows) for _ in range(tries(100, 1000))}
    assert len(answers) == 1 and data.lines == 1


@pytest.mark.parametrize("sql", WHOLE)
@pytest.mark.one_in(3)
def test_a_repeat_is_the_same_to_the_last_bit(data: Data, sql: str) -> None:
    first = data.ask(sql, 2)
    again = served(data, sql, 2)
    assert again is not None
    assert (again.rows, again.intervals) == (first.rows, first.intervals)
    assert (again.columns, again.types) == (first.columns, first.types)


@pytest.mark.parametrize(
    ("sql", "wishes"),
    [
        ("SELECT job, COUNT(*) AS n FROM customer GROUP BY job", {"delta": 1e-3}),
        ("SELECT SUM(amount) AS s FROM orders", {"clipping": "adaptive"}),
        (GROUPS, {"noise": "gaussian", "delta": 1e-3}),
        (GROUPS, {"weights": {"n": 2}}),
    ],
)
def test_other_mechanisms_are_repeated_too(data: Data, sql: str, wishes: dict[str, Any]) -> None:
    first = data.ask(sql, 2, **wishes)
    again = served(data, sql, 2, **wishes)
    assert again is not None
    assert (again.rows, again.intervals) == (first.rows, first.intervals)
    assert first.rows


def test_a_better_clip_threshold_or_noise_is_charged(data: Data) -> None:
    jobs = "SELECT job, COUNT(*) AS n FROM customer GROUP BY job"
    data.ask(jobs, 1, delta=1e-6)
    assert served(data, jobs, 1, delta=1e-7) is not None  # a lower threshold than is asked for
    assert served(data, jobs, 1, delta=1e-4) is None
    clipped = "SELECT SUM(amount) AS s FROM orders"
    data.ask(clipped, 1, clipping="adaptive")
    assert served(data, clipped, 1) is None
    assert served(data, clipped, 0.9, clipping="adaptive") is not None
    assert served(data, clipped, 1.1, clipping="adaptive") is None


def test_several_releases_come_from_one_line(data: Data) -> None:
    one = "SELECT COUNT(*) AS n FROM customer"
    both = f"SELECT ({one}) AS a, (SELECT SUM(age) FROM customer) AS b"
    data.ask(one, 1)
    data.ask("SELECT SUM(age) AS s FROM customer", 1)
    assert served(data, both, 1) is None
    assert served(data, both, 1) is not None
    assert served(data, "SELECT SUM(age) AS s FROM customer", 0.4) is not None


def test_what_reads_other_noise_is_another_release(data: Data) -> None:
    text = "SELECT COUNT(*) AS n FROM customer WHERE age > (SELECT {} FROM customer)"
    first = data.ask(text.format("AVG(age)"), 2)
    assert served(data, text.format("AVG(age) + 1"), 2) is None
    again = served(data, text.format("AVG(age)"), 2)
    assert again is not None and again.rows == first.rows
    assert again.reused is not None and again.reused.number == 1
