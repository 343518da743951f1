"""A server that speaks Spark Connect, in this process: Sail, which needs no JVM."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def sail() -> Iterator[str]:
    """The URL of one."""
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer(port=0)
    server.start(background=True)
    try:
        yield f"sc://localhost:{server.listening_address[1]}"
    finally:
        server.stop()


def session(url: str) -> SparkSession:
    """A new session, in UTC."""
    main = sys.modules["__main__"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # pyspark's, of pandas 3
        if not hasattr(main, "__file__"):  # or pyspark takes a worker of pytest for a doctest
            main.__file__ = ""
        from pyspark.sql.connect.session import SparkSession

        made = SparkSession.builder.remote(url).create()
    made.conf.set("spark.sql.session.timeZone", "UTC")
    return made


def lend(spark: SparkSession, name: str, rows: Any) -> None:
    """A view of the rows of an Arrow table."""
    from pyspark.sql.pandas.types import from_arrow_schema

    frame = spark.createDataFrame(rows, from_arrow_schema(rows.schema))
    frame.createOrReplaceTempView(name)
