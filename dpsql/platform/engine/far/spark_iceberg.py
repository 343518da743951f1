"""Which state of an Iceberg table Spark reads: a snapshot, by its number.

Claim: rows that are read at a snapshot's number are those that were there when it was named, and
the name is the same only for the same rows in columns of the same names.

Why: a snapshot, once it is committed, is never changed, nor are its list of manifests, these, and
the files that they name. Its number is drawn from 2^63, so that no other state has it, of this
table or of one that is made again in its place; that its list is the same file still is asked as of
Delta's commits. The statement says the number itself (VERSION AS OF), and fails where the table has
no such snapshot: an option that a server does not know would be ignored. What a column is called
belongs to the schema and not to the snapshot: it is read by the schema that the snapshot was
written with, which is part of the name, beside the table's own number and what the list says. A
snapshot that names no schema would be read by that of the moment, and has no state.

Which snapshot is the current one is told twice, by the last file of metadata in the table's folder
and by the catalog. Where these are two, as where another catalog's writer was there, or where two
writers have made files of one number, there is no state: to take an older one would be no leak,
since it is the one that is read, but old rows without an end.

Source: "Iceberg Table Spec", sections "Snapshots", "Table Metadata", "Commit Conflict Resolution";
Iceberg, "Spark Queries", section "Time travel"; measured on Sail 0.7.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpsql.platform.engine.far.spark_states import Commit, binary, content, digest, location

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_METADATA = re.compile(r"(?:.*/)?(?:v(\d+)|(\d+)-[0-9a-f-]{36})\.metadata\.json")
_LAST = re.compile(r"[\[ ]metadata_location=([^,\]]*)[,\]]")


def current_snapshot(session: SparkSession, name: str, details: Mapping[str, str]) -> Commit | None:
    """The last state of a table of Iceberg's; None where it has none, and of other tables.

    Args:
        session: with the table.
        name: of the table, as a statement has it.
        details: what is told of it (`spark_states.stored`).
    """
    where = location(details, "iceberg")
    told = _LAST.findall(details.get("Table Properties", ""))
    if where is None or len(told) != 1:
        return None
    last = _last(binary(session, [f"{where}/metadata"]).inputFiles())
    if last is None or _file(last) != _file(told[0]):
        return None
    metadata = json.loads(content(session, last))
    # What is not there has no state: see `Spark.hold`.
    snapshot = _only(metadata["snapshots"], "snapshot-id", metadata["current-snapshot-id"])
    schema = _only(metadata["schemas"], "schema-id", snapshot["schema-id"])
    number, listed = int(snapshot["snapshot-id"]), str(snapshot["manifest-list"])
    parts = [str(metadata["table-uuid"]).encode(), json.dumps(schema, sort_keys=True).encode()]
    rows = session.sql(f"SELECT * FROM {name} VERSION AS OF {number}")
    named = f"snapshot {number}: {digest([*parts, content(session, listed)])}"
    return Commit(rows, listed, named)


def _last(files: list[str]) -> str | None:
    """That of the greatest number; None where there is none, or not one alone."""
    numbered = [(int(n[1] or n[2]), file) for file in files if (n := _METADATA.fullmatch(file))]
    last = max(numbered, default=(0, ""))[0]
    found = {file for number, file in numbered if number == last}
    return found.pop() if len(found) == 1 else None


def _file(path: str) -> str:
    """A path without what says which way to it is taken."""
    return re.sub(r"^[a-z0-9]+:/*", "/", path)


def _only(listed: list[dict[str, Any]], key: str, value: object) -> dict[str, Any]:
    [found] = [one for one in listed if one[key] == value]
    return found
