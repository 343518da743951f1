"""The states of Iceberg's tables: by the snapshot and the schema that its own files tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dpsql.platform.engine.far.spark import Spark
from tests.session import test_states
from tests.session.test_states import needs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

session = test_states.session


class Ice:
    """An Iceberg table, and what its folder says."""

    def __init__(self, session: SparkSession, folder: Path) -> None:
        self.session, self.folder = session, folder / "ice" / "metadata"
        session.sql("DROP TABLE IF EXISTS ice")
        made = f"CREATE TABLE ice USING iceberg LOCATION '{folder}/ice'"
        session.sql(f"{made} AS SELECT 1 AS id, 2 AS x, 3 AS y").toArrow()

    def state(self) -> str | None:
        """Its name as a new session of ours finds it."""
        return Spark(self.session).hold(["ice"])

    def read(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "v1.metadata.json").read_text()))

    def write(self, metadata: dict[str, Any], number: int = 1) -> None:
        """What another engine would commit."""
        (self.folder / f"v{number}.metadata.json").write_text(json.dumps(metadata))
        (self.folder / "version-hint.text").write_text(str(number))


@pytest.fixture
def ice(session: SparkSession, tmp_path: Path) -> Iterator[Ice]:
    needs(session, "iceberg")
    yield Ice(session, tmp_path)
    session.sql("DROP TABLE IF EXISTS ice")


def swapped(metadata: dict[str, Any]) -> None:
    """Two columns have each other's names: a change of the schema alone, in no snapshot."""
    [schema] = metadata["schemas"]
    others = {"x": "y", "y": "x"}
    fields = [{**f, "name": others.get(f["name"], f["name"])} for f in schema["fields"]]
    metadata["schemas"] = [schema, {**schema, "schema-id": 1, "fields": fields}]
    metadata["current-schema-id"] = 1


def test_names_that_change_places(ice: Ice, session: SparkSession) -> None:
    """What is held is read by the schema of its snapshot, whatever the table's is by now."""
    server = Spark(session)
    assert server.hold(["ice"]) is not None
    metadata = ice.read()
    swapped(metadata)
    ice.write(metadata, 2)
    columns = [("id", "INTEGER"), ("x", "INTEGER"), ("y", "INTEGER")]
    assert session.table("ice").columns == ["id", "y", "x"]
    assert server.held() and server.columns("ice") == columns
    read = server.run(f"SELECT * FROM {server.source('ice', columns)}")
    assert read.to_pylist() == [{"id": 1, "x": 2, "y": 3}]


def test_a_snapshot_in_other_columns_is_another_state(ice: Ice) -> None:
    before, metadata = ice.state(), ice.read()
    swapped(metadata)
    metadata["snapshots"][0]["schema-id"] = 1
    ice.write(metadata)
    assert None not in (before, ice.state()) and ice.state() != before


@pytest.mark.parametrize("wrong", ["no schema", "another writer", "two of one number", "no rows"])
def test_an_iceberg_table_without_a_state(wrong: str, ice: Ice) -> None:
    """Nothing is guessed: claims are then enforced in each query."""
    assert ice.state() is not None
    metadata = ice.read()
    if wrong == "no schema":
        del metadata["snapshots"][0]["schema-id"]
    elif wrong == "no rows":
        del metadata["current-snapshot-id"]
    elif wrong == "two of one number":
        other = "00001-3846b4f6-1230-450b-bef8-28ccc90fe450.metadata.json"
        (ice.folder / other).write_text(json.dumps(metadata))
    ice.write(metadata, 2 if wrong == "another writer" else 1)
    assert ice.state() is None
