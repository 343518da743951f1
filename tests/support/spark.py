"""A server that speaks Spark Connect: Sail, in this process, or the one that a variable names.

To ask Apache Spark itself: install `pyspark` somewhere, start its `sbin/start-connect-server.sh`,
and set DPSQL_SPARK to `sc://localhost:15002`.
"""

from __future__ import annotations

import atexit
import os
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

URL = os.environ.get("DPSQL_SPARK", "")
"""Of another server than Sail."""


@cache
def session() -> SparkSession:
    """The one session of a process, with the settings that dpsql asks for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # pyspark's, of pandas 3
        from pyspark.sql import SparkSession
    made = SparkSession.builder.remote(URL or _sail()).create()
    made.conf.set("spark.sql.session.timeZone", "UTC")
    made.conf.set("spark.sql.ansi.enabled", "true")
    return made


def _sail() -> str:
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer(port=0)
    server.start(background=True)
    atexit.register(server.stop)
    return f"sc://localhost:{server.listening_address[1]}"


def lend(name: str, rows: Any) -> None:
    """A view of the rows of an Arrow table, whose timestamps are without a zone there too."""
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = from_arrow_schema(rows.schema, prefer_timestamp_ntz=True)
    session().createDataFrame(rows, schema).createOrReplaceTempView(name)
