"""Flight SQL: at which ε and δ a query is asked."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.flight as flight
import pytest

from dpsql.serve.flight import flight_sql as m
from tests.serve.flight.asking import COUNT, at
from tests.support.flight_server import Served, served


@pytest.mark.parametrize(
    ("sql", "header", "eps"),
    [
        ("/* eps: 0.016 */ SELECT COUNT(*) FROM orders WHERE gift", "0.5", "0.016"),
        ("-- eps: 0.017\nSELECT COUNT(*) FROM orders WHERE gift", "0.5", "0.017"),
        ("SELECT COUNT(*) FROM orders WHERE gift -- eps: 0.018", "0.5", "0.018"),
        ("SELECT * FROM (/* eps: 0.019 */ SELECT COUNT(*) FROM orders WHERE gift) q", "", "0.019"),
        ("/* EPS: 0.0195 */ SELECT COUNT(*) FROM orders WHERE gift", "0.5", "0.0195"),
        ("SELECT COUNT(*) FROM orders WHERE gift", "1/50", "1/50"),
        ("SELECT COUNT(*) FROM orders WHERE gift OR channel = '-- eps: 0.5'", "0.021", "0.021"),
    ],
)
def test_eps_is_said_by_a_comment_or_a_header(
    there: Served, sql: str, header: str, eps: str
) -> None:
    headers = {"x_dpsql_eps": header} if header else {}
    before = there.spent("ben")
    there.client("ben", **headers).ask(sql)
    assert there.spent("ben") == before + Fraction(eps)


@pytest.mark.parametrize(
    ("sql", "header", "said"),
    [
        (COUNT, None, "this query needs an ε: write"),
        (COUNT, "x", "no ε"),
        (COUNT, "0", "ε must be positive"),
        (COUNT, "-1", "ε must be positive"),
        (COUNT, "nan", "ε"),
        (f"/* eps: x */ {COUNT}", "0.1", "no ε"),
        (f"/* eps: 0.1 */ {COUNT} -- eps: 0.2", "0.1", "two different ε"),
    ],
)
def test_an_eps_that_is_none(there: Served, sql: str, header: str | None, said: str) -> None:
    headers = {} if header is None else {"x_dpsql_eps": header}
    with pytest.raises(flight.FlightServerError, match=said):
        there.client("anna", **headers).info(m.CommandStatementQuery(sql))


def test_a_long_comment_takes_no_time(there: Served) -> None:
    """It was read in time that grows with its square, while nobody else was served."""
    began = time.monotonic()
    with pytest.raises(flight.FlightServerError, match="has too many digits"):
        there.client("anna").info(at("0.1" + " " * 500_000 + "y"))
    assert time.monotonic() - began < 20


def test_delta_is_said_by_a_comment(there: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """As over MySQL's protocol."""
    asked, run = [], there.service.run

    def noted(*given: Any) -> Any:
        asked.append(given[2])
        return run(*given)

    monkeypatch.setattr(there.service, "run", noted)
    there.client("ben").ask(at("0.022", f"{COUNT} -- delta: 1e-9"))
    assert asked[-1].delta == Fraction(1, 10**9)
    there.client("ben").ask(at("0.023"))
    assert asked[-1].delta is None


def test_what_is_free_is_free_for_whom_a_least_eps_is_set(tmp_path: Path) -> None:
    with served(tmp_path) as made:
        made.service.principals.add("ben", min_eps=Fraction(2))
        assert made.client("ben").ask(m.CommandGetTables()).num_rows == 5
        assert made.client("ben").ask("SELECT 1 AS x").num_rows == 1


def test_what_is_public_needs_no_eps(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    assert anna.ask("SHOW TABLES").num_rows == 5
    assert anna.ask("SELECT region FROM regions ORDER BY region LIMIT 1").num_rows == 1
    told = dict(map(tuple, (row.values() for row in anna.ask(f"EXPLAIN {COUNT}").to_pylist())))
    assert told["verdict"].startswith("released") and told["cost"] == "ε = 1"
    told = anna.ask(f"EXPLAIN /* eps: 0.3 */ {COUNT}").to_pylist()
    assert "ε = 0.3" in str(told)
    assert there.spent("anna") == before


def test_the_servers_own_eps(tmp_path: Path) -> None:
    with served(tmp_path, default_eps="1/30") as made:
        made.client("anna").ask(COUNT)
        assert made.spent("anna") == Fraction(1, 30)
        made.service.principals.add("ben", default_eps=Fraction(1, 20))
        made.client("ben").ask(f"{COUNT} WHERE gift")
        assert made.spent("ben") == Fraction(1, 20)
