"""The probes, the databases that they are run on, and what an analyst sees of an answer.

`tests/data/probes.jsonl` has one probe a line: `id`, `cls`, `sql`, `why`, and `expect`:

* `reject`: refused before anything is read, nothing charged;
* `answer`: answered with noise; `exact`: over public tables alone, free;
* `free`: of private rows, of which nothing is told: released, without a charge;
* `safe`: any of these;
* `property`: not one query; `test` names the test that shows it.

`world` is the database, "tpch" if it is not said; `given` what is said beside the query (`eps`,
`delta`, `noise`, …, and `params` for the DB-API).
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

import dpsql
from dpsql import dbapi
from dpsql.core.account.amount import Cost
from dpsql.core.plan.nodes import Filter, Limit, nodes
from dpsql.dbapi.parameters import filled
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.policy import Policy
from dpsql.proven import PublicQuery
from dpsql.session.database import Database
from tests.adversarial import world

FILE = Path(__file__).resolve().parents[1] / "data" / "probes.jsonl"


@dataclass(frozen=True)
class Probe:
    """A line of the file."""

    id: str
    cls: str
    expect: str
    sql: str
    why: str
    world: str = "tpch"
    given: Mapping[str, Any] = field(default_factory=dict)
    test: str = ""


@cache
def probes() -> tuple[Probe, ...]:
    """All of them."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(Probe(**json.loads(line)) for line in lines)


# --- databases ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """A policy, tables, what is in them besides the unit 7, that unit's rows, and how it goes."""

    policy: str
    tables: str
    others: str
    seven: str
    without: str

    def open(self, rows: str, *, seven: bool) -> Database:
        """The database with or without the unit."""
        connection = duckdb.connect(":memory:")
        connection.execute(self.tables + rows + ("" if seven else self.without))
        ledger = MemoryLedger(Cost(Fraction(10**8), Fraction(1)))
        return dpsql.connect(connection, Policy.parse(self.policy), ledger=ledger)


_T = """
unit: t.id
neighbours: {neighbours}
budget: {{eps: 100000000, delta: 0.5}}
tables:
  t:
    access: private
    key: [id]
    {rows}
    columns:
      k: {{bounds: [0, 3]}}
      u: {{bounds: [0, 3]}}
      v: {{bounds: [0, 9]}}
      p: {{bounds: [0, 2]}}
      x: {{bounds: [-10, 10]}}
      f: {{bounds: [0, 20]}}
      d: {{bounds: [2020-01-01, 2020-01-05]}}
      z: {{bounds: [2020-01-01, 2020-12-31]}}
      s: {{values: [a, b, c]}}
"""
_T_TABLES = """
CREATE TABLE t (id INTEGER PRIMARY KEY, k TINYINT, u UTINYINT, v SMALLINT, p DECIMAL(4,1), x DOUBLE,
    f FLOAT, d DATE, z TIMESTAMP, s VARCHAR, e ENUM('lo', 'hi'), ok BOOLEAN, m BIGINT,
    name VARCHAR, txt VARCHAR);
"""
_T_OTHERS = """
INSERT INTO t SELECT i, i % 4, i % 4, i % 10, (i % 21) / 10, i - 6, i,
    DATE '2020-01-01' + (i % 5)::INTEGER,
    TIMESTAMP '2020-03-01' + INTERVAL (i) DAY, ['a', 'b', 'c'][1 + i % 3], ['lo', 'hi'][1 + i % 2],
    i % 2 = 0, i, 'name ' || i, 'text' FROM range(1, 13) r(i) WHERE i <> 7;
"""
# In range where a join leads on, and at the ends of the types where nothing is declared.
_T_SEVEN = """
INSERT INTO t VALUES (7, 3, 0, 7, 1.5, 'nan', 'inf', '2020-01-03', 'infinity', 'b', 'hi', NULL,
    9223372036854775807, 'alice', repeat('ab', 100000));
"""

_SURVEY = """
unit: people.id
budget: {eps: 100000000, delta: 0.5}
tables:
  people:
    access: private
    key: [id]
    columns:
      sex:    {values: [F, M], nullable: false}
      age:    {bounds: [18, 99]}
      smokes: {nullable: false, randomized: {truth: 0.5, yes: 0.5}}
      drinks: {nullable: true, randomized: {truth: 0.8, yes: 0.25}}
      cheats: {randomized: {truth: 0.25, yes: 1}}
      steals: {nullable: false, randomized: {truth: 0.5, yes: 0.5}}
  earlier:
    access: public
    columns:
      smokes: {randomized: {truth: 0.5, yes: 0.5}}
"""
_SURVEY_TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, sex VARCHAR, age INTEGER, member BOOLEAN,
    smokes BOOLEAN, drinks BOOLEAN, cheats BOOLEAN, steals BOOLEAN);
CREATE TABLE earlier (sex VARCHAR, age INTEGER, smokes BOOLEAN);
INSERT INTO earlier SELECT ['F', 'M'][1 + i % 2], 20 + i, i % 3 = 0 FROM range(9) r(i);
"""
_SURVEY_OTHERS = """
INSERT INTO people SELECT i, ['F', 'M'][1 + i % 2], 18 + i, i % 2 = 0, i % 3 = 0, i % 4 = 0,
    i % 5 = 0, i % 2 = 1 FROM range(1, 13) r(i) WHERE i <> 7;
"""

WORLDS = {
    "types": World(
        _T.format(neighbours="add_remove", rows=""),
        *(_T_TABLES, _T_OTHERS, _T_SEVEN, "DELETE FROM t WHERE id = 7"),
    ),
    "replace": World(
        _T.format(neighbours="replace", rows="rows: 12"),
        *(_T_TABLES, _T_OTHERS, _T_SEVEN),
        "DELETE FROM t WHERE id = 7; INSERT INTO t SELECT * REPLACE (7 AS id) FROM t WHERE id = 2",
    ),
    "survey": World(
        *(_SURVEY, _SURVEY_TABLES, _SURVEY_OTHERS),
        "INSERT INTO people VALUES (7, 'X', 1000, NULL, true, NULL, NULL, NULL);",
        "DELETE FROM people WHERE id = 7",
    ),
    "tpch": World(
        world.POLICY.read_text(encoding="utf-8"),
        *(world.TABLES + world.PUBLIC, world.PRIVATE, world.SEVEN, world.WITHOUT),
    ),
}


def fixed(name: str) -> tuple[Database, Database]:
    """D, where the unit 7 breaks what can be broken, and D′, where it is not."""
    made = WORLDS[name]
    rows = made.others + made.seven
    return made.open(rows, seven=True), made.open(rows, seven=False)


# --- generated ones -------------------------------------------------------------------------------

_POOLS: dict[str, tuple[str, ...]] = {
    "BIGINT": ("0", "1", "7", "-1", "9223372036854775807", "-9223372036854775808", "NULL"),
    "INTEGER": ("0", "1", "7", "30", "2147483647", "-2147483648", "NULL"),
    "SMALLINT": ("0", "7", "9", "32767", "-32768", "NULL"),
    "TINYINT": ("0", "1", "3", "127", "-128", "NULL"),
    "UTINYINT": ("0", "1", "3", "255", "NULL"),
    "DECIMAL(15,2)": ("0", "100", "9999999999999.99", "-9999999999999.99", "0.01", "5000", "NULL"),
    "DECIMAL(4,1)": ("0", "0.1", "1.5", "999.9", "-999.9", "NULL"),
    "DOUBLE": ("0", "-0.0", "'nan'", "'inf'", "'-inf'", "1e308", "5e-324", "3.5", "NULL"),
    "FLOAT": ("0", "-0.0", "'nan'", "'inf'", "1e38", "3.5", "NULL"),
    "DATE": ("'1995-01-05'", "'2020-01-03'", "'infinity'", "'-infinity'", "'5881580-07-10'",
             "NULL"),
    "TIMESTAMP": ("'2020-03-01'", "'infinity'", "'-infinity'", "'294247-01-10 04:00:54'", "NULL"),
    "BOOLEAN": ("true", "false", "NULL"),
    "VARCHAR": ("''", "'x'", "'a'", "'b'", "'BUILDING'", "'F'", "'SECRET'", "'1'", "'é😀'",
                "'%_\\'", "repeat('a', 60)", "'alice'", "'NULL'", "NULL"),
}  # fmt: skip


_ORDER = ("people", "t", "customer", "orders", "lineitem")
"""The private tables; those that others lead to come first."""


def generated(name: str, seed: int) -> tuple[Database, Database]:
    """A database of drawn rows, as nasty as its types allow, and the same without the unit 7."""
    rng = random.Random(f"{name} {seed}")
    made = WORLDS[name]
    empty = duckdb.connect(":memory:")
    empty.execute(made.tables)
    statements: list[str] = []
    units = [7, *rng.sample([1, 2, 3, 5, 8, 11], rng.randint(0, 5))]
    if name == "replace":
        units = [*range(1, 13)]
    keys: dict[str, list[int]] = {"c_custkey": units, "o_orderkey": [], "id": units}
    described = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?"
    found = empty.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    tables = [row[0] for row in found]
    for table in _ORDER:
        if table not in tables:
            continue
        columns = empty.execute(described, [table]).fetchall()
        count = {"orders": 25, "lineitem": 40}.get(table, len(units))
        if table == "orders":
            keys["o_orderkey"] = rng.sample(range(1, 2000), count)
        for number in range(count):
            cells = [_cell(rng, table, column, kind, number, keys) for column, kind in columns]
            statements.append(f"INSERT INTO {table} VALUES ({', '.join(cells)})")
    rows = ";".join(statements) + ";"
    return made.open(rows, seven=True), made.open(rows, seven=False)


def _cell(
    rng: random.Random, table: str, column: str, kind: str, number: int, keys: dict[str, list[int]]
) -> str:
    if column in ("c_custkey", "id", "o_orderkey"):
        return str(keys[column][number])
    if column == "o_custkey":  # most rows are of the unit that goes
        return str(rng.choice([7, 7, *keys["c_custkey"], 99, "NULL"]))
    if column == "l_orderkey":
        return str(rng.choice([*keys["o_orderkey"], 99999, "NULL"]))
    if column == "l_linenumber":
        return str(number)
    if kind.startswith("ENUM"):
        return rng.choice(("'lo'", "'hi'", "NULL"))
    return rng.choice(_POOLS[kind])


# --- what is seen ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What an analyst sees of an answer, the noise aside.

    Attributes:
        verdict: "released" or "public", or an error's type.
        code: of a rejection.
        text: of an error.
        shape: columns, types, and of what does not depend on noise: how many rows, and which.
        chained: whether an error leads to another one.
        cost: the ε that was charged.
    """

    verdict: str
    code: str | None
    text: str
    shape: object
    chained: bool
    cost: Fraction


def seen(db: Database, probe: Probe) -> Seen:
    """Run a probe and look."""
    given = {name: _value(value) for name, value in probe.given.items()}
    params = given.pop("params", None)
    eps = given.pop("eps", 1)
    before = db.budget.spent.exact.eps
    try:
        if params is None:
            answer = db.run(probe.sql, eps, **given)
        else:
            with dbapi.connect(db, eps=eps, **given) as connection:
                cursor = connection.cursor()
                cursor.execute(probe.sql, params)
                found = cursor.answer
                assert found is not None
                answer = found
    except (dpsql.DpsqlError, dbapi.Error, ValueError, TypeError) as error:
        code = getattr(error, "code", None)
        chained = (error.__cause__ or error.__context__) is not None
        cost = db.budget.spent.exact.eps - before
        return Seen(type(error).__name__, code, str(error), None, chained, cost)
    sql = probe.sql
    if params is not None:
        sql = filled(sql, params, given.get("dialect", "duckdb"))
    kept = _certain(db, sql, eps, given)
    keys: list[tuple[str, ...]] | None = None
    if kept is not None:
        rows = [tuple(repr(v) for i, v in enumerate(row) if i in kept) for row in answer.rows]
        # Where noise can decide the order, which of them comes first says nothing.
        keys = sorted(rows) if "ORDER BY" in sql.upper() and kept != range(1000) else rows
    shape = (answer.columns, answer.types, keys)
    cost = db.budget.spent.exact.eps - before
    return Seen(answer.explanation.kind, None, "", shape, False, cost)


def _value(value: Any) -> Any:
    """A value of JSON; a number that JSON lacks is {"float": "nan"}."""
    if isinstance(value, dict):
        if set(value) == {"float"}:
            return float(value["float"])
        return {name: _value(part) for name, part in value.items()}
    return value


def _certain(db: Database, sql: str, eps: Any, given: Mapping[str, Any]) -> range | set[int] | None:
    """The columns that do not depend on noise, where the rows do not either: one release of public
    groups, of which every row is shown.
    """
    wishes = {name: value for name, value in given.items() if name != "delta"}
    query = db._analysis.ready(db, sql, eps, given.get("delta"), wishes)[0].compiled.query
    if isinstance(query, PublicQuery):
        return range(1000)
    whole = not any(isinstance(n, Limit | Filter) for n in nodes(query.plan))
    public = len(query.releases) == 1 and not query.releases[0].domain.private
    if not (public and whole and query.trace is not None):
        return None
    return {i for i in range(len(query.names)) if i not in query.trace.noisy}
