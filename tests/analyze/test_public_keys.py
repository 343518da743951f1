"""A public key of a wider type than the private column that it stands for."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql

POLICY = """
unit: people.id
neighbours: add_remove
budget: {eps: 1000}
tables:
  people:
    access: private
    key: [id]
    columns:
      id:    {type: BIGINT}
      place: {type: INTEGER}
      level: {type: "ENUM('low','high')"}
  places:
    access: public
    key: [id]
    columns:
      id:    {type: BIGINT, nullable: false}
  levels:
    access: public
    key: [name]
    columns:
      name:  {type: VARCHAR, nullable: false}
"""
FAR = 3_000_000_000


@pytest.fixture
def database() -> Iterator[dpsql.Database]:
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TYPE level AS ENUM ('low', 'high')")
        connection.execute("CREATE TABLE people (id BIGINT, place INTEGER, level level)")
        connection.execute("INSERT INTO people VALUES (1, 1, 'low'), (2, 2, 'high')")
        connection.execute("CREATE TABLE places (id BIGINT)")
        connection.execute(f"INSERT INTO places VALUES (1), ({FAR})")
        connection.execute("CREATE TABLE levels (name VARCHAR)")
        connection.execute("INSERT INTO levels VALUES ('low'), ('other')")
        yield dpsql.connect(connection, policy=POLICY)


def test_a_value_that_the_private_column_cannot_have_is_no_group(database: dpsql.Database) -> None:
    query = "SELECT place, COUNT(*) AS n FROM people JOIN places p ON place = p.id GROUP BY place"
    answer = database.run(query, eps=1)
    assert {row[0] for row in answer.rows} == {1}


def test_text_that_no_enum_value_has_is_no_group(database: dpsql.Database) -> None:
    query = "SELECT level, COUNT(*) AS n FROM people JOIN levels ON level = name GROUP BY level"
    answer = database.run(query, eps=1)
    assert {row[0] for row in answer.rows} == {"low"}


def test_an_enum_meets_one_row_of_a_table_with_that_key(database: dpsql.Database) -> None:
    query = "SELECT COUNT(*) AS n FROM people JOIN levels ON level = name"
    assert database.explain(query).releases[0].l1 == 1
