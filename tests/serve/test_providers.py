"""A token of an identity provider is as good as one of the server's by every protocol."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import cast

import pyarrow.flight as flight
import pymysql
import pytest

from tests.support.flight_server import served
from tests.support.provider import OTHER, provider, said, signed
from tests.support.serving_mysql import Serving, certificate, refused, rows, serving

NAME, DENIED = "ann@example.org", 1045
COUNT = "/* eps: 0.125 */ SELECT COUNT(*) AS n FROM orders"
SECRET = {"ssl": {"check_hostname": False}}


def token(**claims: object) -> str:
    return signed(said(**claims)).partition(" ")[2]


@pytest.fixture(scope="module")
def mysql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("provider")
    with serving(folder, tls=certificate(folder), oidc=provider(folder)) as made:
        made.join(NAME)
        made.join("bert")
        yield made


def test_over_mysql(mysql: Serving) -> None:
    with mysql.connect(NAME, password=token(), **SECRET) as made:
        assert len(rows(made, COUNT)) == 1
    assert mysql.spent(NAME) == 0.125


def test_what_is_refused_over_mysql(mysql: Serving) -> None:
    past = datetime.now(UTC) - timedelta(minutes=1)
    wrong = {
        "expired": (NAME, token(exp=past)),
        "another server's": (NAME, token(aud="other")),
        "signed by another": (NAME, signed(said(), OTHER).partition(" ")[2]),
        "another's": ("bert", token()),
        "of nobody here": ("eve", token(sub="eve")),
        "too late for any year": (NAME, token(exp=10**15)),
    }
    for user, password in wrong.values():
        with pytest.raises(pymysql.OperationalError) as caught:
            mysql.connect(user, password=password, **SECRET)
        assert caught.value.args[0] == DENIED


class Later(datetime):
    """An hour from now."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Later:
        """See datetime."""
        return cast("Later", super().now(tz) + timedelta(hours=1))


def test_a_connection_ends_with_its_token(mysql: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    with mysql.connect(NAME, password=token(), **SECRET) as made:
        assert rows(made, "SELECT 1") == [(1,)]
        before = mysql.spent(NAME)
        monkeypatch.setattr("dpsql.serve.principals.datetime", Later)
        assert refused(made, COUNT.replace("orders", "customers"))[0] == DENIED
        assert mysql.spent(NAME) == before


def test_over_flight(tmp_path: Path) -> None:
    with served(tmp_path, oidc=provider(tmp_path)) as there:
        there.service.principals.add(NAME)
        assert there.client(token()).ask(COUNT).num_rows == 1
        raw = flight.connect(there.uri)
        name, header = raw.authenticate_basic_token(NAME, token())
        assert name == b"authorization" and header.startswith(b"Bearer ")
        with pytest.raises(flight.FlightUnauthenticatedError):
            raw.authenticate_basic_token("anna", token())
        with pytest.raises(flight.FlightUnauthenticatedError):
            there.client(token(aud="other")).ask(COUNT)
