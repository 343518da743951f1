"""People, their visits and their calls in a PostgreSQL database."""

from __future__ import annotations

from typing import Any

import psycopg

PEOPLE = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN years AS int CHECK (VALUE < 200);
CREATE SCHEMA clinic;
CREATE TABLE people (
  id bigint PRIMARY KEY, age years NOT NULL CHECK (age >= 0 AND age <= 120),
  town varchar(9) CHECK (town IN ('a', 'b')), mood mood
);
CREATE TABLE clinic.visits (
  id int UNIQUE NOT NULL, person bigint NOT NULL REFERENCES people,
  cost int CHECK (cost BETWEEN 0 AND 50), note text, at timestamptz
);
CREATE TABLE calls (
  caller bigint REFERENCES people, minutes smallint CHECK (minutes = ANY (ARRAY[1, 2, 5]))
);
CREATE VIEW old AS SELECT * FROM people;
INSERT INTO people SELECT i, i % 100, CASE i % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' END, 'ok'
FROM generate_series(1, 200) AS i;
INSERT INTO clinic.visits SELECT i, i % 200 + 1, i % 51, 'note ' || i % 7, '2024-01-01 01:00+02'
FROM generate_series(1, 1000) AS i;
INSERT INTO calls SELECT i % 200 + 1, 5 FROM generate_series(1, 300) AS i;
"""
POLICY = """
unit: people.id
budget: {eps: 1e6, delta: 1e-6}
tables:
  people: {access: private, key: [id], columns: {id: {}}}
  clinic.visits:
    access: private
    columns: {person: {references: people.id, max_rows: 5}, note: {max_length: 20}}
  calls: {access: private, columns: {caller: {references: people.id, max_rows: 2}}}
"""


def do(url: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql)  # type: ignore[call-overload]
        return [] if cursor.description is None else cursor.fetchall()
