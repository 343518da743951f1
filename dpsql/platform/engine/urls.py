"""How data on a server are named."""

from __future__ import annotations

POSTGRES = ("postgresql://", "postgres://")

SPARK = ("sc://", "spark://")
"""Spark Connect's own, which Sail speaks too, and a cluster's."""


SERVED = ("https://", "http://")
"""A dpsql server, which has data, policy and ledger."""


def is_served(data: object) -> bool:
    """Whether it is a data set of a dpsql server."""
    return isinstance(data, str) and data.startswith(SERVED)


def is_server(data: object) -> bool:
    """Whether what is to be opened is a server, named by a URL."""
    return isinstance(data, str) and data.startswith(POSTGRES + SPARK)


def is_postgres(data: object) -> bool:
    """Whether it is a PostgreSQL database."""
    return isinstance(data, str) and data.startswith(POSTGRES)


def is_spark(data: object) -> bool:
    """Whether it is one that speaks Spark's SQL."""
    return isinstance(data, str) and data.startswith(SPARK)


def shown(data: str) -> str:
    """What data are called where others may read it: a URL may have a password in it, but for that
    of a dpsql server, which is refused with one.
    """
    return "URL" if "://" in data and not is_served(data) else data
