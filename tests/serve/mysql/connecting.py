"""Queries that nobody has asked, and principals of one test's own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pymysql

from tests.support.serving_mysql import (
    Serving,
)

DENIED = 1045


def asked(cents: Iterator[int] = itertools.count(1)) -> str:  # noqa: B008
    """A query that nobody has asked: the answer to another's would be given again for free."""
    return f"SELECT COUNT(*) AS n FROM orders WHERE shipping > {next(cents)} / 100"


def new(server: Serving, name: str) -> pymysql.Connection:
    """A principal of one test's own, connected."""
    server.join(name)
    return server.connect(name)
