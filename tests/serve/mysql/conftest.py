"""A server that speaks MySQL's protocol, and one that does so over TLS."""

from __future__ import annotations

from collections.abc import Iterator

import pymysql
import pytest

from tests.support.serving_mysql import (
    Serving,
    certificate,
    serving,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("mysql")) as made:
        made.join("anna", data=frozenset({"shop"}))
        made.join("bert")
        made.join("boss", role="owner")
        yield made


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("tls")
    with serving(folder, tls=certificate(folder), default_eps=0.125) as made:
        made.join("anna")
        yield made


@pytest.fixture
def anna(server: Serving) -> Iterator[pymysql.Connection]:
    with server.connect("anna") as made:
        yield made
