"""A server that speaks Spark Connect: Sail, in a process of its own, which needs no JVM, or the one
that DPSQL_SPARK names. To ask Apache Spark itself: install `pyspark` somewhere, start its
`sbin/start-connect-server.sh`, and set DPSQL_SPARK to sc://localhost:15002.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

from dpsql.core.emit.plans import Keeping, Rereading, Source
from dpsql.core.schema import Schema
from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import mentioned, read
from dpsql.platform.engine.far.operators import Unsupported, types
from dpsql.platform.engine.far.server_sql import Given, printed
from dpsql.platform.engine.far.spark_language import SPARK, quoted
from dpsql.types import Type
from tests.support.databases import Database
from tests.support.store import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.dataframe import DataFrame


# It says its port, and ends with its input: no test leaves one behind.
SAIL = """
import sys
from pysail.spark import SparkConnectServer
server = SparkConnectServer(port=0)
server.start(background=True)
print(server.listening_address[1], flush=True)
sys.stdin.read()
server.stop()
"""


@contextmanager
def sail() -> Iterator[str]:
    """The URL of one."""
    if named := os.environ.get("DPSQL_SPARK"):
        yield named
        return
    with subprocess.Popen(
        [sys.executable, "-c", SAIL], stdin=PIPE, stdout=PIPE, text=True
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        yield f"sc://localhost:{int(server.stdout.readline())}"


@contextmanager
def _no_doctest() -> Iterator[None]:
    """pyspark takes a worker of pytest, which has no file, for a doctest; a process that is spawned
    looks for the file, and dies where there is none.
    """
    main = sys.modules["__main__"]
    if hasattr(main, "__file__"):
        yield
        return
    main.__file__ = ""
    try:
        yield
    finally:
        del main.__file__


def session(url: str) -> SparkSession:
    """A new session, in UTC."""
    with warnings.catch_warnings(), _no_doctest():
        warnings.simplefilter("ignore", FutureWarning)  # pyspark's, of pandas 3
        from pyspark.sql.connect.session import SparkSession

        made = SparkSession.builder.remote(url).create()
    atexit.unregister(made.client._on_exit)  # it would wait minutes for a server that is gone
    made.conf.set("spark.sql.session.timeZone", "UTC")
    return made


def lend(spark: SparkSession, name: str, rows: Any) -> None:
    """A view of the rows of an Arrow table."""
    from pyspark.sql.pandas.types import from_arrow_schema

    frame = spark.createDataFrame(rows, from_arrow_schema(rows.schema))
    frame.createOrReplaceTempView(name)


class FarStore(Store):
    """Many small databases, of which a server computes what is asked of private rows."""

    @staticmethod
    def told(source: Source) -> Source:
        """As of data that have a state: what can be kept stands in the statement here."""
        return Keeping(Rereading(source))

    def __init__(self, schema: Schema, spark: SparkSession) -> None:
        super().__init__(schema)
        self._spark = spark
        self._private = {t.name for t in schema.tables.values() if t.private}

    def fill(self, worlds: Sequence[Database]) -> None:
        """Replace all contents, on the server, too."""
        super().fill(worlds)
        for table in self.schema.tables.values():
            # What lies outside of the years 1 to 9999 is read as NULL there (see `far.spark`).
            moments = [c.name for c in table.columns if str(c.type) in ("DATE", "TIMESTAMP")]
            years = "\"{0}\" >= '0001-01-01' AND \"{0}\" < '10000-01-01'"
            ends = ", ".join(
                f'CASE WHEN {years.format(m)} THEN "{m}" END AS "{m}"' for m in moments
            )
            kept = f"* REPLACE ({ends})" if moments else "*"
            rows = self.connection.sql(f'SELECT {kept} FROM "{table.name}"').to_arrow_table()
            lend(self._spark, table.name, rows)

    def lacks(self, sql: str) -> str | None:
        """What the server's language has not."""
        try:
            self._said(sql, {})
        except Unsupported as missing:
            return missing.what
        return None

    def bind(self, sql: str) -> None:
        """Have the server analyse a statement."""
        said = self._said(sql, {})
        if said is not None:
            _ = self._planned(said[0]).schema

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> list[tuple[object, ...]]:
        """The rows of a query, with values for its named parameters."""
        given = {n: v for n, v in (parameters or {}).items() if isinstance(v, list)}
        said = self._said(sql, given)
        if said is None:
            return super().rows(sql, parameters)
        text, kinds = said
        arrow, _ = self._planned(text)._to_table()
        items = ", ".join(f"CAST(c{i} AS {kind}) AS c{i}" for i, kind in enumerate(kinds))
        self.connection.register("cells of a server", arrow)
        return self.connection.execute(f'SELECT {items} FROM "cells of a server"').fetchall()

    def _planned(self, text: str) -> DataFrame:
        """Not `sql`, which is run, and kept by the server; nor, for rows, `toArrow`, which asks it
        four things for one.
        """
        from pyspark.sql.connect.dataframe import DataFrame
        from pyspark.sql.connect.plan import SQL

        return DataFrame(SQL(text), self._spark)  # type: ignore[arg-type]

    def _said(self, sql: str, given: Given) -> tuple[str, tuple[Type, ...]] | None:
        [(plan,)] = self.connection.execute(PLAN, {"sql": sql}).fetchall()
        if not {path[-1] for path in mentioned(plan)} & self._private:
            return None
        bound = read(plan)
        return printed(bound, SPARK, lambda path: f"{quoted(path[-1])} AS t", given), types(bound)
