"""Flight SQL: where the server listens, and with which certificate."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pyarrow.flight as flight
import pytest

from dpsql.errors import EngineError, PolicyError
from dpsql.serve.config import FlightConfig, ServerConfig
from tests.support.flight_server import Served, served
from tests.support.serving_mysql import certificate


def test_tls(tmp_path: Path) -> None:
    own = certificate(tmp_path)
    with served(tmp_path, tls={"certificate": own.certificate, "key": own.key}) as made:
        uri = made.uri.replace("grpc://", "grpc+tls://").replace("127.0.0.1", "localhost")
        raw = flight.connect(uri, tls_root_certs=Path(own.certificate).read_bytes())
        raw.authenticate_basic_token("anna", made.tokens["anna"])
        with pytest.raises(flight.FlightUnavailableError):
            made.client("anna").ask("SELECT 1")  # without TLS


def test_a_certificate_that_is_not_there(tmp_path: Path) -> None:
    tls = {"certificate": str(tmp_path / "none.pem"), "key": str(tmp_path / "none.pem")}
    with pytest.raises(PolicyError, match="cannot be read"), served(tmp_path, tls=tls):
        pass


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
