"""What a server moves between its tasks, by its own plan of a statement that it has run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from dpsql import Database

_OPERATOR = re.compile(r"( *)(\w+)(.*)")
_ROWS = re.compile(r"output_rows=([\d.]+)(?: ([KMB]))?,")
_BYTES = re.compile(r"output_bytes=([\d.]+) ([KMG]?)B")
_TASKS = re.compile(r"partitioning=Hash\(\[.*\], \d+\), input_partitions=(\d+)")
_FILES = re.compile(r"/(\w+)\.parquet")
_THOUSANDS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}
_KILOBYTES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


@dataclass(slots=True)
class Operator:
    """An operator of Sail's physical plan.

    Attributes:
        name: such as AggregateExec.
        text: what is said of it.
        below: what it reads.
    """

    name: str
    text: str
    below: list[Operator] = field(default_factory=list)

    @property
    def rows(self) -> float:
        """Those that it gave, to four digits."""
        found = _ROWS.search(self.text)
        return 0 if found is None else float(found[1]) * _THOUSANDS[found[2] or ""]

    @property
    def bytes(self) -> float:
        """What these rows took, as it is in memory."""
        found = _BYTES.search(self.text)
        return 0 if found is None else float(found[1]) * _KILOBYTES[found[2]]

    @property
    def tasks(self) -> int:
        """Of an exchange, how many send rows; 0 of all else, and where no key says to whom."""
        found = _TASKS.search(self.text) if self.name == "RepartitionExec" else None
        return 0 if found is None else int(found[1])

    @property
    def whole(self) -> Iterator[Operator]:
        """It and all that it reads."""
        yield self
        for one in self.below:
            yield from one.whole

    @property
    def is_partial(self) -> bool:
        """Whether it groups what one task has."""
        return self.name == "AggregateExec" and "mode=Partial" in self.text

    @property
    def groups(self) -> bool:
        """Whether it gives each group once."""
        return self.name == "AggregateExec" and not self.is_partial


@dataclass(frozen=True, slots=True)
class Exchange:
    """Rows that tasks send each other, each to the task that a key of it says.

    Attributes:
        kind: "groups", sums of one task by their groups; "results", rows each of which was made of
            groups; "rows", of tables and of what joins make of them.
        rows: how many.
        bytes: what they took.
        most: of "groups", one for each group and task.
    """

    kind: str
    rows: float
    bytes: float
    most: float


def asked(db: Database, query: str) -> list[str]:
    """What the server is asked for a query's cells: before the first of a table who of its units
    are over their quota, which is kept.
    """
    found: list[str] = []
    server = db._engine._server  # type: ignore[attr-defined]

    def noted(sql: str) -> Any:
        found.append(sql)
        return type(server).run(server, sql)

    server.run = noted
    try:
        db.run(query, 1, fresh=True)
    finally:
        del server.run
    return found


def ran(session: SparkSession, sql: str) -> Operator:
    """The plan of a statement, with what was counted as it ran."""
    [row] = session.sql(f"EXPLAIN ANALYZE {sql}").toArrow().to_pylist()
    root = Operator("", "")
    path = [(-1, root)]
    for line in str(row["plan"]).splitlines()[1:]:
        found = _OPERATOR.fullmatch(line)
        if found is None:
            continue
        depth = len(found[1])
        while path[-1][0] >= depth:
            path.pop()
        path[-1][1].below.append(Operator(found[2], found[3]))
        path.append((depth, path[-1][1].below[-1]))
    return root


def exchanges(plan: Operator, above: Operator | None = None) -> Iterator[Exchange]:
    """All of a plan's."""
    if plan.tasks:
        found = _through(plan)
        most = 0.0
        if found.is_partial and above is not None:
            kind, most = "groups", plan.tasks * above.rows
        else:
            kind = "rows" if _reads_rows(found) else "results"
        yield Exchange(kind, plan.rows, plan.bytes, most)
    for one in plan.below:
        yield from exchanges(one, plan if plan.groups else above)


def _through(plan: Operator) -> Operator:
    """What makes an exchange's rows: not what only names their columns anew."""
    [found] = plan.below
    while found.name in ("ProjectionExec", "CoalesceBatchesExec") and not found.groups:
        [found] = found.below
    return found


def _reads_rows(plan: Operator) -> bool:
    """Whether a table's rows come here without having been grouped."""
    if plan.groups:
        return False
    return plan.name == "DataSourceExec" or any(map(_reads_rows, plan.below))


def reads(plan: Operator) -> Mapping[str, int]:
    """How often each table's files are read."""
    found: dict[str, int] = {}
    for one in plan.whole:
        for table in set(_FILES.findall(one.text)) if one.name == "DataSourceExec" else ():
            found[table] = found.get(table, 0) + 1
    return found
