"""Flight SQL: answers, their schemas, and errors."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.flight as flight
import pytest

from dpsql import demo
from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.protobuf import TYPES, Wrapped, wrapped, written
from tests.serve.flight.asking import at
from tests.support.flight_server import Served


def test_errors_are_the_librarys_own(there: Served) -> None:
    anna = there.client("anna")
    with pytest.raises(flight.FlightServerError, match="DP401: the query returns rows") as caught:
        anna.info(m.CommandStatementQuery("SELECT * FROM customers"))
    assert "Traceback" not in str(caught.value) and ".py" not in str(caught.value)
    told = json.loads(caught.value.extra_info)["error"]
    assert told["type"] == "Rejected" and told["problems"][0]["code"] == "DP401"
    with pytest.raises(flight.FlightServerError, match="is left of ε = 10"):
        anna.ask(at("100000"))


def test_long_errors_arrive(there: Served) -> None:
    anna = there.client("anna")
    for text in (
        "x" * 50_000,
        "é" * 50_000,
        '"' * 3_001,
        "│\n" * 9_000,
        "SELECT '" + "\x01" * 9000,
    ):
        with pytest.raises(flight.FlightServerError, match="DP"):
            anna.info(m.CommandStatementQuery(f"SELECT {text} FROM customers"))


def test_what_is_not_done_is_said(there: Served) -> None:
    anna = there.client("anna")
    raw, options = anna.raw, anna.options
    command = flight.FlightDescriptor.for_command
    rows = pa.table({"x": [1]})
    handle = anna.prepare(at("0.1").query).prepared_statement_handle
    bound = wrapped(m.CommandPreparedStatementQuery(handle))

    def put(descriptor: flight.FlightDescriptor) -> None:
        writer, _ = raw.do_put(descriptor, rows.schema, options)
        with writer:
            writer.write_table(rows)

    update = written(Wrapped(TYPES + "CommandStatementUpdate", b""))
    for call, said in (
        (lambda: put(command(bound)), "parameters are not taken"),
        (lambda: put(command(update)), "nothing is written here"),
        (lambda: anna.info(update), "does not do that"),
        (lambda: anna.act("BeginTransaction", b""), "does not do that"),
        (
            lambda: raw.get_flight_info(flight.FlightDescriptor.for_path("a"), options),
            "does not do that",
        ),
        (lambda: anna.get(wrapped(at("0.1"))), "asked for by the ticket"),
        (lambda: anna.info(m.CommandStatementQuery("SELECT ?")), "write the value in its place"),
        (lambda: anna.info(b"x" * 3_000_000), "too large"),
    ):
        with pytest.raises(flight.FlightServerError, match=said):
            call()
    assert list(raw.list_flights(options=options)) == []
    assert len(list(raw.list_actions(options))) == 4


def test_nothing_of_a_bug_is_told(there: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a private value: 1234567")

    monkeypatch.setattr(there.service, "explain", broken)
    with pytest.raises(flight.FlightInternalError, match="dpsql itself failed") as caught:
        there.client("anna").info(at("0.1"))
    assert "1234567" not in str(caught.value) and "Traceback" not in str(caught.value)


def test_half_widths_are_columns_where_that_is_wanted(there: Served) -> None:
    anna = there.client("anna", x_dpsql_intervals="true")
    info = anna.info(at("0.1"))
    assert info.schema is None
    found = anna.get(info.endpoints[0].ticket)
    assert found.column_names == ["n", "n_low", "n_high"]
    low, n, high = (found[name][0].as_py() for name in ("n_low", "n", "n_high"))
    assert low < n < high
    with pytest.raises(flight.FlightServerError, match="true or false"):
        there.client("anna", x_dpsql_intervals="perhaps").info(at("0.1"))


QUERIES = (
    demo.QUERY,
    "SELECT COUNT(*), COUNT(*) FROM orders",
    "SELECT channel, COUNT(DISTINCT customer_id) AS n, MIN(shipping), MEDIAN(shipping) FROM orders "
    "GROUP BY channel",
    "SELECT SUM(shipping) AS s, AVG(rating) AS a, STDDEV(rating) AS d FROM orders",
    "SELECT SUM(rating) AS s FROM orders",
    "SELECT CASE WHEN COUNT(*) > 5 THEN 'many' END AS w, COUNT(*) > 5 AS b FROM orders",
    "SELECT date_trunc('month', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY ALL",
    "SELECT n + 1 AS n, n::VARCHAR AS t, n / 3 AS q, n::DOUBLE AS d FROM "
    "(SELECT COUNT(*) AS n FROM orders)",
    "SELECT r.region, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*)) AS k FROM customers AS c "
    "JOIN regions AS r USING (region_id) GROUP BY r.region ORDER BY n DESC LIMIT 2",
    "SELECT * FROM regions",
)


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(2)
def test_the_schema_that_is_promised_comes(there: Served, sql: str) -> None:
    anna = there.client("anna", x_dpsql_eps="0.1")
    try:
        info = anna.info(m.CommandStatementQuery(sql))
    except flight.FlightServerError as error:
        pytest.fail(str(error))
    found = anna.get(info.endpoints[0].ticket)
    assert info.schema is None or info.schema == found.schema
    usual = anna.schema(m.CommandStatementQuery(sql))
    prepared = anna.prepare(sql).dataset_schema
    assert usual == pa.ipc.read_schema(pa.py_buffer(prepared)) == found.schema
