"""Flight SQL, call by call: who may, what is charged and when, what is told."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.flight as flight
import pytest

from dpsql import demo
from dpsql.errors import EngineError, PolicyError
from dpsql.serve.config import FlightConfig, LimitsConfig, ServerConfig
from dpsql.serve.flight import messages as m
from dpsql.serve.flight.catalog import _like
from dpsql.serve.flight.wire import TYPES, Wrapped, read, unwrapped, wrapped, written
from tests.support.flight_server import Served, served

COUNT = "SELECT COUNT(*) AS n FROM orders"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("flight")) as made:
        yield made


def at(eps: str, sql: str = COUNT) -> m.CommandStatementQuery:
    return m.CommandStatementQuery(f"/* eps: {eps} */ {sql}")


# --- what is charged ---


def test_a_ticket_is_charged_once(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    info = anna.info(at("0.011"))
    assert there.spent("anna") == before, "GetFlightInfo charged"
    first = anna.get(info.endpoints[0].ticket)
    assert there.spent("anna") == before + Fraction("0.011")
    for _ in range(3):
        assert anna.get(info.endpoints[0].ticket) == first
    assert there.spent("anna") == before + Fraction("0.011")
    assert info.schema == first.schema == pa.schema([("n", pa.int64())])


def test_one_ticket_at_the_same_time_is_one_charge(there: Served) -> None:
    before = there.spent("anna")
    ticket = there.client("anna").info(at("0.012", "SELECT COUNT(*) FROM customers")).endpoints[0]
    found: list[Any] = []

    def get() -> None:
        found.append(there.client("anna").get(ticket.ticket).to_pylist())

    threads = [threading.Thread(target=get) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(found) == 8 and all(one == found[0] for one in found)
    assert there.spent("anna") == before + Fraction("0.012")


def test_a_ticket_whose_answer_is_no_longer_kept_is_not_charged_again(there: Served) -> None:
    anna = there.client("anna")
    ticket = anna.info(at("0.013", "SELECT SUM(rating) AS s FROM orders")).endpoints[0].ticket
    first, before = anna.get(ticket), there.spent("anna")
    there.service.asked._kept.clear()
    assert anna.get(ticket) == first
    assert there.spent("anna") == before


def test_the_ticket_of_another_is_useless(there: Served) -> None:
    anna, ben = there.client("anna"), there.client("ben")
    info = anna.info(at("0.014", "SELECT COUNT(*) AS n FROM order_lines"))
    before = there.spent("anna"), there.spent("ben")
    for _ in range(2):  # before and after it was answered
        with pytest.raises(flight.FlightUnauthorizedError, match="this ticket is not yours"):
            ben.get(info.endpoints[0].ticket)
        anna.get(info.endpoints[0].ticket)
    assert there.spent("ben") == before[1]
    stop = written(m.CancelFlightInfoRequest(info.serialize()))
    with pytest.raises(flight.FlightUnauthorizedError):
        ben.act("CancelFlightInfo", stop)


def test_a_prepared_query_of_another_is_useless(there: Served) -> None:
    handle = there.client("anna").prepare(at("0.1").query).prepared_statement_handle
    ben = there.client("ben")
    with pytest.raises(flight.FlightUnauthorizedError):
        ben.info(m.CommandPreparedStatementQuery(handle))
    with pytest.raises(flight.FlightUnauthorizedError):
        ben.act("ClosePreparedStatement", wrapped(m.ActionClosePreparedStatementRequest(handle)))


def test_a_prepared_query_costs_nothing_until_it_is_asked(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    made = anna.prepare(at("0.015", "SELECT COUNT(*) AS n FROM order_lines").query)
    assert pa.ipc.read_schema(pa.py_buffer(made.dataset_schema)).names == ["n"]
    anna.act(
        "ClosePreparedStatement",
        wrapped(m.ActionClosePreparedStatementRequest(made.prepared_statement_handle)),
    )
    assert there.spent("anna") == before


# --- at which ε ---


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


# --- which data set ---


def test_which_data_set(tmp_path: Path) -> None:
    with served(tmp_path, names=("shop", "other")) as made:
        made.service.principals.add("ben", data=frozenset({"other"}))
        with pytest.raises(flight.FlightServerError, match=r"x-dpsql-data.*: shop, other"):
            made.client("anna").ask("SELECT 1")
        assert made.client("anna", x_dpsql_data="other").ask("SELECT 1 AS x").num_rows == 1
        assert made.client("ben").ask("SELECT 1 AS x").num_rows == 1
        for name in ("shop", "nope", "' OR 1=1"):
            with pytest.raises(flight.FlightUnauthorizedError, match="or it is not yours"):
                made.client("ben", x_dpsql_data=name).ask("SELECT 1")


def test_a_ticket_after_the_right_to_see_has_ended(tmp_path: Path) -> None:
    with served(tmp_path) as made:
        ticket = made.client("anna").info(at("0.1")).endpoints[0].ticket
        made.service.principals.add("anna", data=frozenset({"none"}))
        with pytest.raises(flight.FlightUnauthorizedError):
            made.client("anna").get(ticket)
        made.service.principals.add("anna", data=frozenset({"shop"}))
        made.service.principals.pause("anna", True)
        with pytest.raises(flight.FlightUnauthorizedError, match="paused"):
            made.client("anna").get(ticket)
        made.service.principals.pause("anna", False)
        made.service.principals.revoke("anna")
        with pytest.raises(flight.FlightUnauthenticatedError):
            made.client("anna").get(ticket)


# --- who ---


@pytest.mark.parametrize("token", ["", "x", "dpsql_0_1", "Bearer", "é", "\x01", "a" * 5000])
def test_nobody(there: Served, token: str) -> None:
    with pytest.raises((flight.FlightUnauthenticatedError, pa.ArrowException)):
        there.client(token or " ").ask("SELECT 1")


def test_every_call_needs_a_token(there: Served) -> None:
    raw = flight.connect(there.uri)
    calls = [
        lambda: raw.get_flight_info(flight.FlightDescriptor.for_command(wrapped(at("0.1")))),
        lambda: raw.get_schema(flight.FlightDescriptor.for_command(wrapped(at("0.1")))),
        lambda: raw.do_get(flight.Ticket(b"")).read_all(),
        lambda: list(raw.do_action(flight.Action("CreatePreparedStatement", b""))),
        lambda: list(raw.list_actions()),
        lambda: list(raw.list_flights()),
        lambda: raw.do_put(flight.FlightDescriptor.for_command(b""), pa.schema([]))[0].close(),
        lambda: raw.do_exchange(flight.FlightDescriptor.for_command(b""))[1].read_all(),
        lambda: raw.authenticate_basic_token("anna", "x"),
    ]
    for call in calls:  # of GetSchema pyarrow's client makes an OSError
        unknown = (flight.FlightUnauthenticatedError, OSError)
        with pytest.raises(unknown, match="does not know this token"):
            call()


def test_a_name_and_a_token_give_the_bearers_header(there: Served) -> None:
    raw = flight.connect(there.uri)
    header = raw.authenticate_basic_token("anna", there.tokens["anna"])
    assert header == (b"authorization", f"Bearer {there.tokens['anna']}".encode())
    for name, token in (("ben", "anna"), ("", "anna"), ("anna ", "anna"), ("anna", "x")):
        with pytest.raises(flight.FlightUnauthenticatedError):
            raw.authenticate_basic_token(name, there.tokens.get(token, token))


def test_basic_is_for_the_handshake_alone(there: Served) -> None:
    basic = base64.b64encode(f"anna:{there.tokens['anna']}".encode())
    options = flight.FlightCallOptions(headers=[(b"authorization", b"Basic " + basic)])
    with pytest.raises(flight.FlightUnauthenticatedError):
        list(flight.connect(there.uri).list_actions(options))


def test_two_tokens_are_none(there: Served) -> None:
    headers = [(b"authorization", f"Bearer {there.tokens[n]}".encode()) for n in ("anna", "ben")]
    options = flight.FlightCallOptions(headers=headers)
    with pytest.raises(flight.FlightUnauthenticatedError):
        list(flight.connect(there.uri).list_actions(options))


def test_too_many_requests(tmp_path: Path) -> None:
    with served(tmp_path, limits=LimitsConfig(requests_per_minute=3)) as made:
        anna = made.client("anna")
        for _ in range(3):
            list(anna.raw.list_actions(anna.options))
        with pytest.raises(flight.FlightUnavailableError, match="too many requests"):
            list(anna.raw.list_actions(anna.options))


# --- what is told ---


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


# --- what there is ---


def test_tables(there: Served) -> None:
    anna = there.client("anna")
    every = anna.ask(m.CommandGetTables())
    names = every["table_name"].to_pylist()
    assert names == ["customers", "order_lines", "orders", "products", "regions"]
    (catalog,) = anna.ask(m.CommandGetCatalogs())["catalog_name"].to_pylist()
    assert anna.ask(m.CommandGetDbSchemas(catalog, "ma%")).to_pylist() == [
        {"catalog_name": catalog, "db_schema_name": "main"}
    ]
    assert anna.ask(m.CommandGetDbSchemas("nope")).num_rows == 0
    some = anna.ask(m.CommandGetTables(catalog, "main", "%order%", ("TABLE",), True))
    assert some["table_name"].to_pylist() == ["order_lines", "orders"]
    schema = pa.ipc.read_schema(pa.py_buffer(some["table_schema"][1].as_py()))
    assert schema.field("shipping").type == pa.decimal128(6, 2)
    assert anna.ask(m.CommandGetTables(table_types=("VIEW",))).num_rows == 0
    assert anna.ask(m.CommandGetTableTypes()).num_rows == 2
    for kind in ("PrimaryKeys", "ImportedKeys", "ExportedKeys"):
        assert anna.ask(getattr(m, f"CommandGet{kind}")(table="orders")).num_rows == 0
    assert anna.ask(m.CommandGetCrossReference("orders", "customers")).num_rows == 0
    assert anna.ask(m.CommandGetXdbcTypeInfo()).num_rows == 0
    info = anna.ask(m.CommandGetSqlInfo((0, 3, 99, 0)))
    assert info.to_pylist() == [
        {"info_name": 0, "value": "dpsql"},
        {"info_name": 3, "value": True},
    ]
    assert anna.ask(m.CommandGetSqlInfo()).num_rows > 10


@pytest.mark.parametrize(
    "command", [c() for c in m.Catalogued.__args__], ids=lambda c: type(c).__name__
)
def test_schemas_of_what_there_is(there: Served, command: Any) -> None:
    anna = there.client("anna")
    info = anna.info(command)
    assert info.schema == anna.schema(command) == anna.get(info.endpoints[0].ticket).schema


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (None, ["", "a"], []),
        ("", [""], ["a"]),
        ("a", ["a"], ["", "b", "aa"]),
        ("%", ["", "a", "abc"], []),
        ("_", ["a"], ["", "ab"]),
        ("a%", ["a", "ab"], ["ba", ""]),
        ("%a", ["a", "ba"], ["ab"]),
        ("a%a", ["aa", "aba"], ["a"]),
        ("%a_c%", ["abc", "xaaaczz"], ["ac", "abd"]),
        ("%%_%%", ["a"], [""]),
        ("a.c", ["a.c"], ["abc"]),
    ],
)
def test_patterns(pattern: str | None, yes: list[str], no: list[str]) -> None:
    assert all(map(_like(pattern), yes)) and not any(map(_like(pattern), no))


def test_a_pattern_takes_no_time() -> None:
    assert not _like("%a_" * 3000 + "b")("a" * 10_000)


# --- stopping ---


def test_what_was_never_asked_cannot_be_stopped(there: Served) -> None:
    anna = there.client("anna")
    info = anna.info(at("0.1")).serialize()
    (done,) = anna.act("CancelFlightInfo", written(m.CancelFlightInfoRequest(info)))
    assert read(m.CancelFlightInfoResult, done).status == m.NOT_CANCELLABLE


def test_what_waits_is_stopped_and_not_charged(there: Served) -> None:
    anna, before = there.client("anna"), there.spent("anna")
    held = threading.Event()
    blocks = [there.service.queue.ask(f"other{n}", held.wait) for n in range(2)]
    try:
        info = anna.info(at("0.09"))
        caught: list[BaseException] = []

        def get() -> None:
            try:
                anna.get(info.endpoints[0].ticket)
            except BaseException as error:
                caught.append(error)

        thread = threading.Thread(target=get)
        thread.start()
        while there.service.queue.length == 0:
            thread.join(0.05)
        body = wrapped(m.ActionCancelQueryRequest(info.serialize()))
        (done,) = anna.act("CancelQuery", body)
        assert read(m.ActionCancelQueryResult, unwrapped(done)[1]).result == m.CANCELLING
        thread.join(60)
        assert "stopped before it began" in str(caught[0])
    finally:
        held.set()
    assert all(block.result(30) for block in blocks)
    assert there.spent("anna") == before


# --- where ---


def test_tls(tmp_path: Path) -> None:
    certificate, key = _certificate(tmp_path)
    tls = {"certificate": str(certificate), "key": str(key)}
    with served(tmp_path, tls=tls) as made:
        uri = made.uri.replace("grpc://", "grpc+tls://").replace("127.0.0.1", "localhost")
        raw = flight.connect(uri, tls_root_certs=certificate.read_bytes())
        raw.authenticate_basic_token("anna", made.tokens["anna"])
        with pytest.raises(flight.FlightUnavailableError):
            made.client("anna").ask("SELECT 1")  # without TLS


def test_a_certificate_that_is_not_there(tmp_path: Path) -> None:
    tls = {"certificate": str(tmp_path / "none.pem"), "key": str(tmp_path / "none.pem")}
    with pytest.raises(PolicyError, match="cannot be read"), served(tmp_path, tls=tls):
        pass


def _certificate(folder: Path) -> tuple[Path, Path]:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "own.pem", folder / "own.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


def test_a_place_where_nothing_can_listen(there: Served, tmp_path: Path) -> None:
    with (
        pytest.raises(EngineError, match=r"cannot listen at 127\.0\.0\.1:"),
        served(tmp_path, port=there.port),
    ):
        pass


def test_the_section_of_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    start = "data: {shop: {data: shop.duckdb, policy: shop.yaml}}\nflight:\n"
    file.write_text(
        start + "  host: 0.0.0.0\n  default_eps: 1/3\n  tls: {certificate: a.pem, key: a.key}\n"
    )
    found = ServerConfig.load(file).flight
    assert found is not None and found.eps == Fraction(1, 3) and found.tls is not None
    assert found.tls.key == str(tmp_path / "a.key")
    for part, said in (
        ("  host: 0.0.0.0\n", "tokens would be read by others"),
        ("  default_eps: 0\n", "ε must be positive"),
        ("  default_eps: x\n", "no ε"),
    ):
        file.write_text(start + part)
        with pytest.raises(PolicyError, match=said):
            ServerConfig.load(file)
    assert FlightConfig(default_eps=0.1).eps == Fraction(1, 10)
