"""What the owner has checked in the data: keys when a database is opened, claims by `verify`.

The results are exact counts. They are for the owner, and never for an analyst.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from dpsql.core.schema import Reference, Schema, Table
from dpsql.errors import EngineError
from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.engine.sql_text import dotted, name, not_among, outside
from dpsql.platform.policy.verification import Verification

Kind = Literal[
    "bounds", "values", "length", "fanout", "not_null", "owner", "one_unit", "key", "rows"
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim and what speaks against it.

    Attributes:
        column: "table.column", lower-case; for "key" all columns of it, for "rows" the table.
        rows: rows that violate the claim; for "fanout" the values that too many rows share; for
            "owner" the rows that are NULL or whose referenced row is missing; for "one_unit" the
            things of several units, and the column is the thing's name; for "key" the rows that
            are NULL or that share its value, for "rows" how many there are too many or too few.
        role: a "fact" must be true for the data to open under the policy; a "cut" claims nothing,
            and `rows` are what it cuts.
    """

    kind: Kind
    column: str
    rows: int
    role: Literal["claim", "fact", "cut"] = "claim"


@dataclass(frozen=True, slots=True)
class Report:
    """Every claim that was checked, in the order of the schema.

    Attributes:
        schema: what is claimed.
        unrecorded: why the claims that hold were not recorded; None where they were.
        left_out: what of a folder is not read, and why.
    """

    findings: tuple[Finding, ...]
    schema: Schema = field(repr=False, compare=False)
    unrecorded: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def false(self) -> tuple[Finding, ...]:
        """The claims that do not hold."""
        return tuple(f for f in self.findings if f.rows and f.role != "cut")

    @property
    def clean(self) -> bool:
        """Whether no claim is violated."""
        return not self.false


def units_of(engine: Engine, schema: Schema) -> int:
    """How many units there are; of several kinds, those of the smallest one."""
    if schema.kinds:
        return min(units_of(engine, kind) for kind in schema.kinds)
    owners = [(t.name, t.owner) for t in schema.tables.values() if t.private and t.owner]
    if schema.unit_name is None:
        owners = [(schema.unit_table, schema.unit_column)] if schema.unit_column else []
    parts = [
        f"SELECT {name(column)} AS u FROM {looked_up(engine, known)}"
        for table, column in owners
        if (known := schema.table(table)) is not None and schema.next_owner(known) is None
    ]
    with engine.snapshot() as snapshot:
        if not parts:
            return _count(
                snapshot, f"SELECT count(*) FROM {dotted(engine.target(schema.unit_table))}"
            )
        return _count(snapshot, f"SELECT count(DISTINCT u) FROM ({' UNION ALL '.join(parts)})")


def looked_up(engine: Engine, table: Table) -> str:
    """SQL: a table after FROM; with the owner of each row where that is looked up, which is NULL of
    a row that finds none.
    """
    rows, found = dotted(engine.target(table.name)), table.lookup
    if found is None:
        return rows
    on = " AND ".join(
        f"r.{name(own)} = o.{name(key)}" for own, key in zip(found.columns, found.key, strict=True)
    )
    there, owner = dotted(engine.target(found.table.name)), name(table.owner or "")
    items = f"r.*, o.{name(found.owner)} AS {owner}"
    return f"(SELECT {items} FROM {rows} AS r LEFT JOIN {there} AS o ON {on})"


def rows_hold(snapshot: Snapshot, target: Sequence[str], rows: int) -> bool:
    """Whether a table has exactly so many rows in what a snapshot sees."""
    return _count(snapshot, f"SELECT count(*) FROM {dotted(target)}") == rows


def key_holds(snapshot: Snapshot, target: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether the columns are unique and never NULL in what a snapshot sees.

    Args:
        snapshot: of the engine.
        target: the table's full name there.
        columns: of the key.
    """
    if not columns:
        raise ValueError("a key needs a column")
    table = dotted(target)
    return _null_rows(snapshot, table, columns) == 0 and _shared(snapshot, table, columns, 1) == 0


def is_readable(engine: Engine, table: str, columns: Sequence[str]) -> bool:
    """Whether every value of the columns can be read.

    A Parquet file may hold texts that are none, moments that are out of range, damaged pages: each
    would make every query that reads it fail. All of it is read once.
    """
    if not columns:
        return True
    whole = ", ".join(f"max(hash({name(column)}))" for column in columns)
    try:
        with engine.snapshot() as snapshot:
            snapshot.rows(f"SELECT {whole} FROM {dotted(engine.target(table))}")
    except EngineError:
        return False
    return True


def verify(
    engine: Engine,
    schema: Schema,
    not_null: frozenset[str] = frozenset(),
    lengths: Mapping[str, int] | None = None,
    keys: Mapping[str, Sequence[str]] | None = None,
    cuts: frozenset[tuple[str, str]] = frozenset(),
) -> Report:
    """Check every claim of the schema, those that are proven already too, in one snapshot.

    Args:
        engine: the owner's.
        schema: the claims.
        not_null: columns claimed to have no NULL, as lower-case "table.column".
        lengths: the most characters of texts, where the owner claims one; by the same names.
        keys: that the owner declares, by tables in lower case.
        cuts: what is cut to and not claimed: the kind and the lower-case "table.column".
    """
    findings: list[Finding] = []
    with engine.snapshot() as snapshot:
        for table in schema.tables.values():
            target = looked_up(engine, table)
            findings += _facts(snapshot, target, table, (keys or {}).get(table.name.lower(), ()))
            findings += _row_findings(snapshot, target, table, not_null, lengths or {})
            findings += _fanouts(snapshot, target, table)
            findings += _owner(engine, snapshot, target, schema, table)
        findings += _one_unit(engine, snapshot, schema)
    told = [replace(f, role="cut") if (f.kind, f.column) in cuts else f for f in findings]
    return Report(tuple(told), schema)


def holds(
    report: Report, version: str, policy_digest: str, before: Verification | None = None
) -> Verification:
    """The record of the claims that no row violates.

    A cut is none of them, unless a record of a copy that is still in force says that it is true.

    Args:
        report: what `verify` found.
        version: of the data, as the engine told it before *and* after the check.
        policy_digest: of the policy whose claims these are.
        before: the record that is in force for that version and policy, if one is.
    """
    bounds, fanouts = (before.bounds, before.fanouts) if before else (frozenset[str](),) * 2
    made = {("bounds", column) for column in bounds} | {("fanout", column) for column in fanouts}

    def kept(kind: Kind) -> frozenset[str]:
        return frozenset(
            f.column
            for f in report.findings
            if f.kind == kind and f.rows == 0 and (f.role != "cut" or (kind, f.column) in made)
        )

    return Verification(
        version=version,
        policy_digest=policy_digest,
        bounds=kept("bounds"),
        values=kept("values"),
        fanouts=kept("fanout"),
        lengths=kept("length"),
        not_null=kept("not_null"),
        owners=kept("owner"),
        keys=frozenset(f.column for f in report.findings if f.kind == "key" and _new(f)),
    )


def _new(finding: Finding) -> bool:
    """Whether a key holds that is none without this record."""
    return finding.role == "claim" and finding.rows == 0


def _facts(
    snapshot: Snapshot, target: str, table: Table, declared: Sequence[str]
) -> Iterable[Finding]:
    """A key, which is a fact where the analysis takes it for one, and the number of rows."""
    if columns := table.key or declared:
        listed = ", ".join(map(name, columns))
        missing = " OR ".join(f"{name(column)} IS NULL" for column in columns)
        rows = _null_rows(snapshot, target, columns) + _count(
            snapshot,
            f"SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM (SELECT count(*) AS n FROM {target} "
            f"WHERE NOT ({missing}) GROUP BY {listed} HAVING count(*) > 1)",
        )
        full = _full(table, ", ".join(columns))
        yield Finding("key", full, rows, "fact" if table.key else "claim")
    if table.rows is not None:
        off = abs(_count(snapshot, f"SELECT count(*) FROM {target}") - table.rows)
        yield Finding("rows", table.name.lower(), off, "fact")


def _row_findings(
    snapshot: Snapshot,
    target: str,
    table: Table,
    not_null: frozenset[str],
    lengths: Mapping[str, int],
) -> Iterable[Finding]:
    """All claims that a row violates by itself, in one scan."""
    claims: list[tuple[Kind, str, str]] = []
    for column in table.columns:
        full, sql = _full(table, column.name), name(column.name)
        if column.bounds is not None:
            claims.append(("bounds", full, _present(sql, outside(sql, column.type, column.bounds))))
        if column.values is not None:
            claims.append(
                ("values", full, _present(sql, not_among(sql, column.type, column.values)))
            )
        if full in lengths:
            claims.append(("length", full, _present(sql, f"length({sql}) > {lengths[full]:d}")))
        if full in not_null:
            claims.append(("not_null", full, f"{sql} IS NULL"))
    if not claims:
        return ()
    counts = ", ".join(f"count(CASE WHEN {violated} THEN 1 END)" for _, _, violated in claims)
    [row] = snapshot.rows(f"SELECT {counts} FROM {target}")
    return [
        Finding(kind, full, _whole(rows)) for (kind, full, _), rows in zip(claims, row, strict=True)
    ]


def _fanouts(snapshot: Snapshot, target: str, table: Table) -> Iterable[Finding]:
    for column in table.columns:
        if column.max_rows is not None and table.key != (column.name,):  # a key says as much
            # NULL is no value: rows without an owner are dropped before anything is computed.
            rows = _shared(snapshot, target, [column.name], column.max_rows, nulls=False)
            yield Finding("fanout", _full(table, column.name), rows)


def _owner(
    engine: Engine, snapshot: Snapshot, target: str, schema: Schema, table: Table
) -> Iterable[Finding]:
    """Of each column that leads to a unit, of whatever kind: a record has the column alone."""
    paths: dict[str, set[Reference | None]] = {}
    for kind in schema.kinds or (schema,):
        own = kind.table(table.name)
        if own is not None and own.private and own.owner and table.column(own.owner):
            paths.setdefault(own.owner, set()).add(kind.next_owner(own))
    for column, references in paths.items():
        rows = _null_rows(snapshot, target, [column])
        for reference in references - {None}:
            assert reference is not None
            other = dotted(engine.target(reference.table))
            rows += _count(
                snapshot,
                f"SELECT count(*) FROM {target} AS a WHERE a.{name(column)} IS NOT NULL "
                f"AND NOT EXISTS (SELECT 1 FROM {other} AS b "
                f"WHERE b.{name(reference.column)} = a.{name(column)})",
            )
        yield Finding("owner", _full(table, column), rows)


def _one_unit(engine: Engine, snapshot: Snapshot, schema: Schema) -> Iterable[Finding]:
    """Things that are of several units in all tables together; NULL names none."""
    tables = schema.tables.values()
    for thing in dict.fromkeys(thing for table in tables for thing in table.one_unit):
        rows: list[str] = []
        for table in tables:
            if thing in table.one_unit and table.owner is not None:
                keys = [name(column) for column in table.one_unit[thing]]
                every = [*keys, name(table.owner)]
                present = " AND ".join(f"{column} IS NOT NULL" for column in every)
                items = ", ".join(f"{column} AS k{i}" for i, column in enumerate(every))
                target = looked_up(engine, table)
                rows.append(f"SELECT {items} FROM {target} WHERE {present}")
        count = max(len(table.one_unit.get(thing, ())) for table in tables)
        listed = ", ".join(f"k{i}" for i in range(count))
        violated = _count(
            snapshot,
            f"SELECT count(*) FROM (SELECT 1 FROM ({' UNION ALL '.join(rows)}) "
            f"GROUP BY {listed} HAVING min(k{count}) < max(k{count}))",
        )
        yield Finding("one_unit", thing, violated)


def _null_rows(snapshot: Snapshot, target: str, columns: Sequence[str]) -> int:
    missing = " OR ".join(f"{name(column)} IS NULL" for column in columns)
    return _count(snapshot, f"SELECT count(*) FROM {target} WHERE {missing}")


def _shared(
    snapshot: Snapshot, target: str, columns: Sequence[str], most: int, *, nulls: bool = True
) -> int:
    """The combinations of values that more than `most` rows share."""
    listed = ", ".join(name(column) for column in columns)
    present = "" if nulls else f" WHERE {name(columns[0])} IS NOT NULL"
    return _count(
        snapshot,
        f"SELECT count(*) FROM (SELECT 1 FROM {target}{present} "
        f"GROUP BY {listed} HAVING count(*) > {most:d})",
    )


def _count(snapshot: Snapshot, sql: str) -> int:
    [[count]] = snapshot.rows(sql)
    return _whole(count)


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def _present(column: str, condition: str) -> str:
    return f"{column} IS NOT NULL AND {condition}"


def _full(table: Table, column: str) -> str:
    return f"{table.name.lower()}.{column.lower()}"
