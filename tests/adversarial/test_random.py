"""Random queries over random small databases: no unit moves a measurement further than claimed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import dpsql
from dpsql import audit
from tests.adversarial.test_provenance import POLICY, TABLES
from tests.adversarial.world import opened

DDL = TABLES[: TABLES.index("INSERT")]

SOURCES = {
    "u": ("w", "reg"),
    "o": ("amt", "f", "pk"),
    "l": ("q", "n"),
    "m": ("v",),
    "u JOIN o ON id = o.uid": ("w", "amt", "f", "w * amt", "reg"),
    "u JOIN m ON id = m.uid": ("w", "v", "w - v"),
    "o JOIN m ON o.uid = m.uid": ("amt", "v", "f"),
    "l JOIN o ON ok = o.k": ("q", "amt", "q * amt"),
    "u JOIN o ON id = o.uid JOIN l ON ok = o.k": ("w", "amt", "q"),
    "o JOIN p ON pk = p.k": ("amt", "f", "p.cust"),
    "u JOIN r ON reg = r.k": ("w", "r.k"),
    "u JOIN x ON reg = x.a": ("w", "x.b"),
    "o JOIN x ON pk = x.a JOIN p ON pk = p.k": ("amt", "p.cust"),
    "o a JOIN o b ON a.uid = b.uid": ("a.amt", "b.f"),
    "l a JOIN l b ON a.ok = b.ok": ("a.q", "a.q - b.q"),
}
KEYS = {
    "u": ("seg", "w > 20", "CASE WHEN reg = 1 THEN 'x' ELSE seg END"),
    "o": ("day", "month(day)", "f > 0.5", "amt > 10"),
    "l": ("q", "q % 3"),
    "m": ("v", "v BETWEEN 2 AND 4"),
    "p": ("p.name",),
    "r": ("r.name",),
    "x": ("x.b",),
}


def _database(rng: random.Random, tmp_path: Path, neighbours: str) -> dpsql.Database:
    units = rng.randint(1, 3)

    def some(*values: object) -> str:
        return str(rng.choice(values))

    unit = [*range(units), *range(units), units, "NULL"]
    rows = {
        "u": [(i, some(-9, 10, 20, 30, 99, "NULL"), some("'a'", "'b'", "'c'", "NULL"),
               some(0, 1, 2, "NULL")) for i in range(units)],
        "o": [(i, some(*unit), some(-500, -5, 0, 49.99, 777, "NULL"),
               some("'2019-01-01'", "'2020-01-05'", "'2020-01-31'", "'infinity'", "NULL"),
               some("'nan'", "'inf'", "'-inf'", 0, 0.3, 1, -2, "NULL"), some(1, 2, 3, 4, "NULL"))
              for i in range(rng.randint(0, 12))],
        "l": [(some(*range(13), "NULL"), i, some(-3, 1, 5, 9, 50, "NULL"), 1)
              for i in range(rng.randint(0, 20))],
        "m": [(some(*unit), some(-1, 0, 3, 7, 8, "NULL")) for _ in range(rng.randint(0, 12))],
        "p": [(i, f"'p{i % 2}'", i % 2) for i in range(1, 4)],
        "r": [(i, f"'r{i % 2}'") for i in range(2)],
        "x": [(some(0, 1, 2, "NULL"), some(1, 2, 3, "NULL")) for _ in range(rng.randint(1, 6))],
    }  # fmt: skip
    sql = DDL
    for table, values in rows.items():
        if values:
            listed = ", ".join(f"({', '.join(map(str, row))})" for row in values)
            sql += f"INSERT INTO {table} VALUES {listed};"
    count = f"rows: {units}" if neighbours == "replace" else ""
    return opened(sql, POLICY.format(neighbours=neighbours, rows=count), tmp_path)


def _query(rng: random.Random) -> str:
    source = rng.choice(list(SOURCES))
    numbers = SOURCES[source]
    tables = [word for word in source.replace("(", " ").split() if word in KEYS]
    aggregates = [rng.choice(["COUNT(*)", "COUNT({})", "SUM({})", "AVG({})"]) for _ in range(2)]
    shapes = ("{}", "{}", "-{}", "{} * 2 + 1", "{} / 4", "abs({})", "COALESCE({}, 3)",
              "CASE WHEN {0} > 3 THEN {0} END", "LEAST({}, 7)", "round({})")  # fmt: skip
    calls = [a.format(rng.choice(shapes).format(rng.choice(numbers))) for a in aggregates]
    sql = f"FROM {source}"
    if rng.random() < 0.5:
        column = rng.choice(numbers)
        test = rng.choice(["{} > 2", "{} IN (1, 2, 9)", "{} IS NULL", "{} BETWEEN 0 AND 25",
                           "NOT {} = 1", "{0} < 9 OR {0} > 40", "{} = 1"])  # fmt: skip
        sql += f" WHERE {test.format(column)}"
    if " a " in source or rng.random() < 0.4:
        return f"SELECT {', '.join(calls)} {sql}"
    keys = list(dict.fromkeys(rng.choice(KEYS[rng.choice(tables)]) for _ in range(2)))
    named = ", ".join(f"{key} AS g{i}" for i, key in enumerate(keys))
    return f"SELECT {named}, {', '.join(calls)} {sql} GROUP BY ALL"


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_observed_is_never_more_than_claimed(seed: int, neighbours: str, tmp_path: Path) -> None:
    rng = random.Random(seed)
    db = _database(rng, tmp_path, neighbours)
    accepted = tries = 0
    while accepted < 25:
        tries += 1
        assert tries < 200, "too few of the queries are accepted"
        sql = _query(rng)
        try:
            observed = audit.sensitivity(db, sql)
        except dpsql.Rejected:
            continue
        accepted += 1
        assert all(o.within for o in observed), (sql, observed)
