"""Texts that are large, deep or explosive: a typed error or an answer, soon, and never a crash."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

import dpsql
from dpsql.session.database import Database
from tests.adversarial.world import database
from tests.support.effort import tries


def _ctes(count: int, body: str, first: str) -> str:
    rest = "".join(f", a{i} AS ({body.format(i - 1)})" for i in range(1, count))
    return f"WITH a0 AS (SELECT * FROM {first}){rest} SELECT COUNT(*) FROM a{count - 1}"


C = "SELECT COUNT(*) FROM customer"
SAME = "c_custkey = customer.c_custkey"
QUOTED = "', '"
BIG = "CASE WHEN c_acctbal > 1 THEN "
TEXTS = {
    "10 MB": f"{C} WHERE c_name = '{'x' * 10_000_000}'",
    "parentheses": f"SELECT {'(' * 5000}COUNT(*){')' * 5000} FROM customer",
    "brackets": f"{C} WHERE c_name{'[1:2]' * 3000} = 'x'",
    "in": f"{C} WHERE c_custkey IN ({','.join(map(str, range(10_000)))})",
    "or": f"{C} WHERE {' OR '.join(f'c_custkey = {i}' for i in range(10_000))}",
    "and": f"{C} WHERE {' AND '.join(f'c_custkey <> {i}' for i in range(3000))}",
    "plus": f"SELECT SUM(c_acctbal{' + 1' * 5000}) FROM customer",
    "public plus": f"SELECT SUM(n_nationkey{' + 1' * 5000}) FROM nation",
    "not": f"{C} WHERE {'NOT ' * 10_000} c_custkey = 1",
    "minus": f"{C} WHERE c_custkey = {'- ' * 10_000}1",
    "cast": f"SELECT COUNT(c_custkey{'::BIGINT' * 9000}) FROM customer",
    "pipes": f"SELECT COUNT(c_name{' || c_name' * 9000}) FROM customer",
    "chain of CTEs": _ctes(1000, "SELECT * FROM a{0}", "customer"),
    "doubling CTEs": _ctes(40, "SELECT x.* FROM a{0} x, a{0} y", "customer"),
    "doubling stars": f"{C[:-9]}{'(SELECT *, * FROM ' * 25}customer{')' * 25}",
    "nested quotients": f"SELECT SUM({'c_acctbal / (' * 40}c_acctbal{')' * 40}) FROM customer",
    "nested logarithms": f"SELECT SUM({'ln(' * 40}c_acctbal{')' * 40}) FROM customer",
    "doubling sums": f"SELECT {'a+a AS a FROM (SELECT ' * 30}COUNT(*) AS a FROM customer{')' * 30}",
    "quotients above": f"SELECT {'COUNT(*)/(1+' * 30}1{')' * 30} FROM customer",
    "joins without ON": f"{C} {'JOIN nation ' * 40}",
    "300 joins": f"{C}{''.join(f' JOIN nation n{i} ON n{i}.n_nationkey = 1' for i in range(300))}",
    "aggregates": f"SELECT {', '.join(f'SUM(c_acctbal + {i})' for i in range(2000))} FROM customer",
    "digits": f"{C} ORDER BY {'1' * 5000}",
    "digits of an interval": f"SELECT DATE '1995-01-01' + INTERVAL '{'9' * 5000}' DAY",
    "strange digit": "SELECT DATE '1995-01-01' + INTERVAL '²' DAY",
    "exponent": f"{C} WHERE c_acctbal = '1e999999999'",
    "negative exponent": f"{C} WHERE c_acctbal = '1e-999999999'",
    "digits of a string": f"{C} WHERE c_custkey = '{'1' * 5000}'",
    "unions": " UNION ALL ".join([C] * 5000),
    "LIKE": f"{C} WHERE c_comment LIKE '{'%a_' * 5000}b'",
    "1 MB of comments": f"{C} /* {'x' * 1_000_000} */",
    "1 MB of terms": f"{C} WHERE {' OR '.join(['c_acctbal > 1'] * 60_000)}",
    "500 parentheses": f"{C} WHERE {'(' * 500}c_acctbal > 1{')' * 500}",
    "500 negations": f"{C} WHERE {'NOT (' * 500}c_acctbal > 1{')' * 500}",
    "negations of conjunctions": f"{C} WHERE {'NOT (c_custkey > 1 AND ' * 60}TRUE{')' * 60}",
    "NOT IN": f"{C} WHERE c_custkey NOT IN ({','.join(map(str, range(10_000)))})",
    "IN of strings": f"{C} WHERE c_name IN ('{QUOTED.join(map(str, range(10_000)))}')",
    "200 CTEs, each twice": _ctes(
        200, "SELECT x.* FROM a{0} x SEMI JOIN a{0} y USING (c_custkey)", "customer"
    ),
    "200 CTEs, each united": _ctes(
        200, "SELECT * FROM a{0} UNION ALL SELECT * FROM a{0}", "customer"
    ),
    "200 subqueries": f"{C[:-9]}{'(SELECT * FROM ' * 200}customer{')' * 200}",
    "100 unions": " UNION ALL ".join([C] * 100),
    "100 unions of rows": f"{C[:-9]} ({' UNION ALL '.join(['SELECT * FROM customer'] * 100)})",
    "60 EXISTS": C
    + "".join(
        f" WHERE EXISTS (SELECT 1 FROM orders o{i} WHERE o{i}.o_custkey = c_custkey AND TRUE"
        if i == 0
        else f" AND EXISTS (SELECT 1 FROM orders o{i} WHERE o{i}.o_custkey = c_custkey"
        for i in range(60)
    )
    + ")" * 60,
    "60 EXISTS side by side": C
    + " WHERE "
    + " AND ".join(
        f"EXISTS (SELECT 1 FROM orders o{i} WHERE o{i}.o_custkey = c_custkey)" for i in range(60)
    ),
    "60 scalar subqueries": f"SELECT {' + '.join([f'({C})'] * 60)}",
    "64 grouping sets": "SELECT COUNT(*) FROM orders GROUP BY CUBE (o_orderstatus, o_orderpriority,"
    " (year(o_orderdate)), (month(o_orderdate)), (o_shippriority = 0), (o_totalprice > 9))",
    "wide ROLLUP": "SELECT COUNT(*) FROM orders GROUP BY ROLLUP "
    f"({', '.join(f'(o_totalprice > {i})' for i in range(60))})",
    "wider ROLLUP": "SELECT COUNT(*) FROM orders GROUP BY ROLLUP "
    f"({', '.join(f'(o_totalprice > {i})' for i in range(600))})",
    "30 joins": C + "".join(f" JOIN customer c{i} ON c{i}.{SAME}" for i in range(30)),
    "30 joins in a chain": "SELECT COUNT(*) FROM customer c0"
    + "".join(f" JOIN customer c{i} USING (c_custkey)" for i in range(1, 30)),
    "30 outer joins": C + "".join(f" LEFT JOIN customer c{i} ON c{i}.{SAME}" for i in range(30)),
    "30 full joins": C + "".join(f" FULL JOIN customer c{i} ON c{i}.{SAME}" for i in range(30)),
    "500 CASEs": f"SELECT SUM({BIG * 500}1{' END' * 500}) FROM customer",
    "2000 WHENs": f"SELECT SUM(CASE {''.join(f'WHEN c_custkey = {i} THEN 1 ' for i in range(2000))}"
    "END) FROM customer",
    "padding": "SELECT lpad('x', 1000000000, 'y') FROM nation",
}


@pytest.fixture(scope="module")
def db() -> Database:
    return database()


@pytest.mark.deep
@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_is_refused_or_answered_soon(db: Database, name: str) -> None:
    start = time.process_time()
    with suppress(dpsql.Rejected):
        db.explain(TEXTS[name])
    assert time.process_time() - start < 5  # far less on an idle machine


def test_extremes_of_nothing_but_null(db: Database) -> None:
    """Under `x IS NULL` each operand is always NULL; there is no range to take the ends of."""
    for function in ("LEAST", "GREATEST"):
        text = f"CASE WHEN c_custkey IS NULL THEN {function}(c_custkey, c_custkey) ELSE 1 END"
        found = db.explain(f"SELECT SUM({text}) FROM customer", 1)
        assert found.releases[0].linf == 1


def test_near_the_depth_that_can_be_printed(db: Database) -> None:
    """An accepted sum is explained with its SQL, and answered; any other is rejected."""
    verdicts = []
    for terms in range(100, 221, tries(24, 12)):
        text = f"SELECT SUM({' + '.join(['c_acctbal'] * terms)}) AS s FROM customer"
        try:
            found = db.explain(text, 1)
        except dpsql.Rejected as rejected:
            verdicts.append(rejected.code)
            continue
        try:
            assert "SELECT" in found.sql
            assert len(db.run(text, 1, fresh=True)) == 1
            verdicts.append("answered")
        except dpsql.Rejected as rejected:
            verdicts.append(rejected.code)
    assert verdicts[0] == "answered" and verdicts[-1] == "DP103"
    assert set(verdicts) == {"answered", "DP103"}
