"""The session of a process with a server that speaks Spark Connect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support import on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_opened: dict[str, SparkSession] = {}


def use(url: str) -> None:
    """Ask this server."""
    if url not in _opened:
        _opened.clear()
        _opened[url] = on_spark.session(url)
        _opened[url].conf.set("spark.sql.ansi.enabled", "true")


def session() -> SparkSession:
    """With the server that is in use, and the settings that dpsql asks for."""
    [found] = _opened.values()
    return found


def lend(name: str, rows: Any) -> None:
    """A view of the rows of an Arrow table, whose timestamps are without a zone there too."""
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = from_arrow_schema(rows.schema, prefer_timestamp_ntz=True)
    session().createDataFrame(rows, schema).createOrReplaceTempView(name)
