"""The checker follows what is released: the queries of TPC-H, what the fuzzer draws, and, in
`grammar_tests`, every accepted case; and what it is made of.
"""

from __future__ import annotations

import ast
import random
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import dpsql.checker
from dpsql import cli
from dpsql.checker.functions import called
from dpsql.checker.values import of_moment
from dpsql.compile import Compiled, ReleasedQuery, compile_query, plain_source
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.release.statements import statements
from dpsql.errors import DpsqlError, Rejected
from dpsql.execution import certify as certifying
from dpsql.session.costs import explain
from tests.fuzzing import targets
from tests.support.policies import load, path_of
from tests.support.second_proof import refusal
from tests.tpch.data import query
from tests.tpch.test_tpch import PRIORITY, RELEASED, VARIANTS

FOLDER = Path(dpsql.checker.__file__).parent
LIMIT = 5_000
"""Lines, with the argument; it is to become 2,000, and never more than now."""

DRAWN = 3_000
"""Queries that the fuzzer draws; of these about one in fourteen is accepted."""


@pytest.mark.deep
@pytest.mark.parametrize("policy", ["tpch", "tpch verified"])
@pytest.mark.parametrize(
    "options",
    [Options(), Options(noise="gaussian", delta=Fraction(1, 10**6)), Options(clipping="adaptive")],
)
def test_tpch_is_followed(policy: str, options: Options) -> None:
    schema = load(policy).schema
    for text in (*(query(k) for k in RELEASED), *VARIANTS.values(), PRIORITY):
        try:
            compiled = compile_query(text, schema, Fraction(1), options=options)
        except Rejected:
            continue
        assert refusal(compiled) is None


def drawn(seed: int, count: int) -> list[Compiled]:
    """What is accepted of drawn queries."""
    rng, found = random.Random(seed), list[Compiled]()
    for _ in range(count):
        name, text = targets.drawn(rng)
        schema = load(name).schema
        options = Options(delta=usual_delta(Fraction(1), None, schema))
        try:
            found.append(compile_query(text, schema, Fraction(1), options=options))
        except DpsqlError:
            continue
    return found


@pytest.mark.deep
def test_drawn_queries_are_followed() -> None:
    found = [refusal(compiled) for compiled in drawn(1, DRAWN)]
    assert len(found) > 100
    assert [why for why in found if why is not None] == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COVAR_POP(educ - age, age) FROM people",
        "SELECT VAR_POP(educ - age), STDDEV(educ) FROM people",
        "SELECT CORR(educ * 2 - age, age - educ) FROM people",
    ],
)
def test_moments_of_differences_are_followed(sql: str) -> None:
    """A difference is one variable of a weight, not two."""
    assert refusal(compile_query(sql, load("people").schema, Fraction(1))) is None


FOLLOWED = [
    ("shop", "SELECT COUNT_IF(price >= 30), COUNT_IF(price = 0) FROM lines"),
    (
        "shop",
        "SELECT COUNT_IF(quantity > 3), AVG(CASE WHEN quantity < 3 THEN price END) FROM lines",
    ),
    (
        "shop",
        "SELECT c.region, SUM(sign(s.v - s.v)) FROM (SELECT quantity AS k, AVG(quantity) AS v "
        "FROM lines GROUP BY 1) AS s JOIN customers c ON s.v IS NOT NULL GROUP BY 1",
    ),
    (
        "replace",
        "SELECT SUM(s.v) FROM (SELECT pid, COUNT(*) AS v FROM patients WHERE DATE '2024-02-29' = "
        "DATE '2024-03-01' GROUP BY pid) AS s RIGHT JOIN stays AS t ON t.pid = s.pid",
    ),
    ("visits", "SELECT COUNT(*) FROM visits GROUP BY regexp_replace(ward, 'a', 'b')"),
    ("shop", "SELECT regexp_replace(segment, 'o', 'x'), COUNT(*) FROM customers GROUP BY 1"),
    (
        "shop",
        "SELECT concat_ws('-', segment, 'x') AS k, COUNT(*) FROM orders o JOIN customers c "
        "ON o.customer = c.id GROUP BY 1",
    ),
    ("shop", "SELECT DATE '2024-01-01' + units // 5 AS k, COUNT(*) FROM orders GROUP BY 1"),
    ("shop", "SELECT SUM(LEAST(STRPOS(COALESCE(status, 'abc'), 'e'), 7)) FROM orders"),
    ("shop verified", "SELECT SUM(LEAST(STRPOS(COALESCE(status, 'abc'), 'e'), 7)) FROM orders"),
    (
        "visits",
        "SELECT AVG(s.w) FROM visits t JOIN (SELECT pid, dense_rank() OVER (PARTITION BY pid "
        "ORDER BY ward) AS w FROM visits) AS s ON t.pid = s.pid AND s.w <> 1",
    ),
    (
        "replace verified",
        "SELECT SUM(x - 7) FROM (SELECT LEAD(weight, 1, 7) OVER (PARTITION BY pid) AS x "
        "FROM patients) AS w",
    ),
    ("two", "SELECT COUNT(DISTINCT b.price) FROM offers a JOIN offers b ON a.seller = b.seller"),
    (
        "shop verified",
        "SELECT COUNT(*) FROM customers JOIN (SELECT k, COUNT(*) FROM (SELECT 1 AS k LIMIT 0) "
        "AS v GROUP BY k) AS g ON region = g.k",
    ),
]
"""What drawn queries found that the checker did not follow."""


@pytest.mark.parametrize(("policy", "sql"), FOLLOWED)
def test_what_was_not_followed_once_is_followed(policy: str, sql: str) -> None:
    assert refusal(compile_query(sql, load(policy).schema, Fraction(1))) is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM orders WHERE amount = NULL",
        "SELECT units, SUM(amount) FROM orders WHERE units > 4 AND units < 4 GROUP BY units",
    ],
)
def test_no_row_is_nobody_s(sql: str) -> None:
    """Where sums are clipped at a noisy threshold, too."""
    options = Options(clipping="adaptive")
    compiled = compile_query(sql, load("shop").schema, Fraction(1), options=options)
    assert refusal(compiled) is None


@pytest.mark.parametrize(
    "text",
    [
        *("replace(ward, 'a', 'bb')", "replace(ward, 'aa', 'b')", "replace(ward, '', 'bb')"),
        *("repeat(ward, 3)", "lpad(ward, 5, 'x')", "rpad(ward, 0, 'x')", "reverse(ward)"),
        *("concat_ws('--', ward, ward)", "translate(ward, 'a', 'b')", "split_part(ward, '-', 1)"),
        *("regexp_extract(ward, 'a+')", "replace(repeat(ward, 3), 'aa', 'bbb')"),
        *("regexp_replace(ward, 'a', 'bb')", "CAST(pid AS VARCHAR)", "concat(ward, days)"),
    ],
)
def test_lengths_of_texts_are_followed(text: str) -> None:
    compiled = compile_query(
        f"SELECT SUM(length({text})) FROM stays", load("replace").schema, Fraction(1)
    )
    assert refusal(compiled) is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(date_diff('day', born, born + INTERVAL 1 DAY)) FROM customers",
        "SELECT AVG(date_sub('month', last_day(born), born)) FROM customers",
        "SELECT AVG(date_sub('year', born, DATE '2024-06-30')) FROM customers",
        "SELECT AVG(date_sub('month', placed, TIMESTAMP '2025-05-05 12:00:00')) FROM orders",
        "SELECT AVG(date_diff('week', born, DATE '2024-12-31')) FROM customers",
        "SELECT SUM(date_diff('decade', born, DATE '2024-12-31')) FROM customers",
        "SELECT AVG(date_diff('isoyear', born, DATE '2024-12-31')) FROM customers",
        "SELECT AVG(atan2(age, 7)) FROM customers",
        """SELECT AVG(p) FROM (SELECT PERCENT_RANK() OVER (PARTITION BY customer ORDER BY day) AS p
           FROM orders)""",
        """SELECT SUM(p) FROM (SELECT CUME_DIST() OVER (PARTITION BY customer ORDER BY day) AS p
           FROM orders)""",
        "SELECT SUM(hour(date_trunc('hour', placed))), AVG(year(last_day(day))) FROM orders",
        "SELECT SUM(epoch(placed + INTERVAL 2 HOUR)) FROM orders",
        "SELECT COUNT(DISTINCT date_trunc('decade', day + 30)) FROM orders",
        "SELECT COUNT(DISTINCT date_trunc('year', placed - INTERVAL 1 MONTH)) FROM orders",
        "SELECT SUM(year(x)) FROM (SELECT id, MAX(last_day(born)) AS x FROM customers GROUP BY id)",
        "SELECT SUM(length(x)) FROM (SELECT concat(segment, region) AS x FROM customers)",
        "SELECT year(day + INTERVAL 1 DAY), COUNT(*) FROM orders GROUP BY 1",
        "SELECT dayofweek(day), COUNT(*) FROM orders WHERE day < DATE '2024-01-03' GROUP BY 1",
        "SELECT AVG(NULLIF(age, 18)) FILTER (WHERE age >= 17.5) FROM customers",
        "SELECT SUM(CASE WHEN vip THEN hour(TIMESTAMP '2024-02-29 12:00:00') END) FROM customers",
        "SELECT region IS DISTINCT FROM age, COUNT(*) FROM customers GROUP BY 1",
        "SELECT AVG(age) FILTER (WHERE born >= DATE '1990-01-01' AND born IS NULL) FROM customers",
        "SELECT AVG(age) FILTER (WHERE born IS NULL AND born >= DATE '1990-01-01') FROM customers",
    ],
)
@pytest.mark.parametrize("policy", ["shop", "shop verified"])
def test_ranges_of_what_is_made_of_moments_and_texts_are_followed(policy: str, sql: str) -> None:
    """They are in the SQL."""
    assert refusal(compile_query(sql, load(policy).schema, Fraction(1))) is None


def test_an_hour_of_one_moment_is_its_own() -> None:
    """It is no part of the day alone."""
    found = called("hour", [of_moment("time", "2024-02-29 12:00:00")])
    assert found is not None
    assert (found.low, found.high) == (12, 12)


def test_it_shares_no_code_with_what_it_checks() -> None:
    allowed = sys.stdlib_module_names | {"duckdb"}
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in allowed or name.startswith("dpsql.checker"), path


def test_it_is_no_longer_than_it_was() -> None:
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in FOLDER.glob("*.py"))
    assert lines <= LIMIT


def test_a_refusal_is_a_bug_that_says_so() -> None:
    compiled = compile_query("SELECT COUNT(*) FROM customers", load("shop").schema, Fraction(1))
    assert isinstance(compiled.query, ReleasedQuery)
    (release,) = compiled.query.releases
    made = statements(release, plain_source)
    assert made.cells is not None
    doubled = replace(made, cells=f"{made.cells}, regions")
    with pytest.raises(Rejected) as caught:
        certifying.certified(compiled, [doubled], plain_source)
    assert caught.value.code == "DP601"
    assert "nothing was charged" in str(caught.value)


def test_explain_prints_the_certificate(capsys: pytest.CaptureFixture[str]) -> None:
    policy, text = path_of("shop"), "SELECT SUM(age) FROM customers"
    found = explain(text, 1, policy).certificate
    assert found.startswith("sums: 1 numbers for each group\n  bound: sum(age): a row adds")
    assert cli.main(["explain", text, "--policy", str(policy), "--certificate"]) == 0
    assert capsys.readouterr().out.endswith(f"\n{found}\n")
    assert explain("SELECT COUNT(*) FROM regions", 1, policy).certificate.startswith("public")
