"""Whose row is it? Aliases, shadowed names, odd join conditions, keys that are not the key."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpsql
from dpsql import audit
from dpsql.session.database import Database
from tests.adversarial.world import opened
from tests.support.effort import sampled

POLICY = """
unit: u.id
neighbours: {neighbours}
budget: {{eps: 1000}}
tables:
  u:
    access: private
    key: [id]
    {rows}
    columns:
      w: {{bounds: [10, 30]}}
      seg: {{values: [a, b]}}
      reg: {{references: r.k}}
  o:
    access: private
    key: [k]
    columns:
      uid: {{references: u.id, max_rows: 2}}
      amt: {{bounds: [-5, 50]}}
      day: {{bounds: [2020-01-01, 2020-01-31]}}
      f: {{bounds: [0, 1]}}
      pk: {{references: p.k}}
  l:
    access: private
    key: [ok, n]
    columns: {{ok: {{references: o.k, max_rows: 3}}, q: {{bounds: [1, 9]}}}}
  m:
    access: private
    columns: {{uid: {{references: u.id, max_rows: 4}}, v: {{bounds: [0, 7]}}}}
  p: {{access: public, key: [k]}}
  r: {{access: public, key: [k]}}
  x: {{access: public, columns: {{a: {{max_rows: 2}}}}}}
"""

# Heavy units, orphans, NULL units, values outside of every bound, NaN, false fan-outs.
TABLES = """
CREATE TABLE u (id INTEGER, w INTEGER, seg VARCHAR, reg INTEGER);
CREATE TABLE o (k INTEGER, uid INTEGER, amt DECIMAL(8,2), day DATE, f DOUBLE, pk INTEGER);
CREATE TABLE l (ok INTEGER, n INTEGER, q INTEGER, pk INTEGER);
CREATE TABLE m (uid BIGINT, v INTEGER);
CREATE TABLE p (k INTEGER, name VARCHAR, cust INTEGER);
CREATE TABLE r (k INTEGER, name VARCHAR);
CREATE TABLE x (a INTEGER, b INTEGER);
INSERT INTO p VALUES (1, 'p1', 1), (2, 'p2', 2), (3, 'p2', 1);
INSERT INTO r VALUES (0, 'r0'), (1, 'r1'), (2, 'r2');
INSERT INTO x VALUES (1, 1), (1, 2), (1, 3), (1, 1), (2, 3), (3, 1), (NULL, 2);
INSERT INTO u SELECT i, i * 20 - 15, ['a', 'b', 'c'][1 + i % 3], i % 4 FROM range(6) t(i);
INSERT INTO o SELECT i, CASE WHEN i % 11 = 0 THEN NULL WHEN i < 14 THEN 1 WHEN i = 39 THEN 77
    ELSE i % 7 END, i * 7 - 30, DATE '2019-12-25' + i::INT, CASE i % 4 WHEN 0 THEN 'nan'::DOUBLE
    WHEN 1 THEN 'inf'::DOUBLE WHEN 2 THEN NULL ELSE 0.3 END, 1 + i % 4 FROM range(40) t(i);
INSERT INTO l SELECT CASE WHEN i % 13 = 0 THEN NULL WHEN i % 5 = 0 THEN 3 ELSE i % 45 END, i,
    i % 12, 1 + i % 3 FROM range(150) t(i);
INSERT INTO m SELECT CASE WHEN i < 9 THEN 1 WHEN i = 20 THEN NULL ELSE i % 6 END, i - 3
    FROM range(25) t(i);
"""

ANSWERED = """
SELECT COUNT(*), SUM(amt), AVG(amt), COUNT(amt) FROM o
SELECT SUM(f), AVG(f), COUNT(f) FROM o
SELECT SUM(amt) FROM o WHERE f > 0.5
SELECT day, COUNT(*), SUM(amt) FROM o GROUP BY day
SELECT p.name, COUNT(*), SUM(amt) FROM o JOIN p ON o.pk = p.k GROUP BY p.name
SELECT p.name, r.name, COUNT(*) FROM o, p, u, r WHERE pk=p.k AND uid=id AND reg=r.k GROUP BY 1, 2
SELECT seg, p.name, SUM(w) FROM o JOIN u ON o.uid = u.id JOIN p ON p.k = o.pk GROUP BY seg, p.name
SELECT seg, COUNT(*) FROM l JOIN o ON l.ok = o.k JOIN u ON o.uid = u.id GROUP BY seg
SELECT COUNT(*), SUM(q) FROM l
SELECT COUNT(*) FROM l a JOIN l b ON a.ok = b.ok
SELECT COUNT(*) FROM l JOIN o ON l.ok = o.k JOIN m ON o.uid = m.uid
SELECT COUNT(*) FROM o JOIN m ON (o.uid = m.uid AND o.k > 1) OR (o.uid = m.uid AND m.v > 1)
SELECT COUNT(*) FROM o JOIN m ON CAST(o.uid AS BIGINT) = m.uid
SELECT COUNT(*) FROM o JOIN m USING (uid)
SELECT b, COUNT(*) FROM o JOIN x ON o.pk = x.a GROUP BY b
SELECT b, COUNT(*), SUM(w) FROM u JOIN x ON u.id = x.a GROUP BY b
SELECT x.b, COUNT(*) FROM u JOIN x ON u.id = x.a AND u.id = 1 GROUP BY x.b
SELECT b, COUNT(*) FROM u JOIN o ON u.id = o.uid JOIN x ON x.a = u.reg GROUP BY b
SELECT COUNT(*) FROM o JOIN p ON o.uid = p.k JOIN m ON p.k = m.uid
SELECT name, COUNT(*) FROM o JOIN p ON o.uid = p.k JOIN m ON p.k = m.uid GROUP BY name
SELECT name, COUNT(*) FROM u JOIN p ON u.id = p.k GROUP BY name
SELECT p.k + 0 AS kk, COUNT(*) FROM o JOIN p ON o.uid = p.k GROUP BY kk
SELECT p.name, COUNT(*) FROM u JOIN o ON u.id = o.uid JOIN p ON u.reg = p.k GROUP BY p.name
SELECT name, COUNT(*) FROM o JOIN p ON pk = p.k JOIN u ON id = uid AND reg = pk GROUP BY name
SELECT day, p.name, COUNT(*) FROM o JOIN p ON o.pk = p.k WHERE o.pk = 2 GROUP BY day, p.name
SELECT day, COUNT(*) FROM o WHERE k = 5 GROUP BY day
SELECT seg, reg, COUNT(*) FROM u WHERE reg IN (0, 1, 2) GROUP BY seg, reg
SELECT v, COUNT(*), SUM(w) FROM u JOIN m ON u.id = m.uid GROUP BY v
SELECT AVG(w), SUM(w), COUNT(*), COUNT(w) FROM u
SELECT SUM(w * amt), AVG(w * amt), SUM(w * w * w) FROM u JOIN o ON o.uid = u.id
SELECT SUM(x.w - y.w) FROM u x JOIN u y ON x.id = y.id
SELECT COUNT(*) FROM (SELECT uid AS k, k AS uid FROM o) t JOIN m ON t.k = m.uid
SELECT COUNT(*) FROM o AS m JOIN m AS o ON o.uid = m.uid
WITH u AS (SELECT * FROM o) SELECT COUNT(*) FROM u JOIN m ON u.uid = m.uid
SELECT 5 AS five, COUNT(*), SUM(amt) FROM o GROUP BY five
SELECT SUM(CASE WHEN amt > 3 THEN amt END), SUM(COALESCE(f, 5)), SUM(LEAST(f, 0.5)) FROM o
""".strip().splitlines()

REJECTED = """
SELECT COUNT(*) FROM l JOIN m ON l.q = m.v
SELECT COUNT(*) FROM o JOIN m ON o.uid IS NOT DISTINCT FROM m.uid
SELECT COUNT(*) FROM o JOIN m ON o.uid = m.uid OR o.k = m.v
SELECT COUNT(*) FROM o JOIN m ON CAST(o.uid AS VARCHAR) = CAST(m.uid AS VARCHAR)
SELECT COUNT(*) FROM o JOIN m ON o.uid::DOUBLE = m.uid
SELECT COUNT(*) FROM o JOIN m ON o.uid + 0 = m.uid
SELECT COUNT(*) FROM o JOIN m ON TRUE
SELECT COUNT(*) FROM o JOIN p ON o.pk = p.k JOIN m ON p.cust = m.uid
SELECT COUNT(*) FROM o a JOIN o b ON a.k = b.uid
SELECT COUNT(*) FROM o a JOIN u b ON a.k = b.id
SELECT COUNT(*) FROM o a JOIN o b ON a.uid = a.uid
SELECT COUNT(*) FROM (SELECT seg, w AS id FROM u) t JOIN o ON t.id = o.uid
SELECT COUNT(*) FROM (SELECT uid AS k, k AS uid FROM o) t JOIN m ON t.uid = m.uid
WITH m AS (SELECT k AS uid FROM o) SELECT COUNT(*) FROM m JOIN u ON m.uid = u.id
""".strip().splitlines()


@pytest.fixture(scope="module", params=["add_remove", "replace"])
def db(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Database:
    rows = "rows: 6" if request.param == "replace" else ""
    policy = POLICY.format(neighbours=request.param, rows=rows)
    return opened(TABLES, policy, tmp_path_factory.mktemp("policy"))


@pytest.mark.parametrize("sql", [sql for sql in ANSWERED if sampled(sql, 3)])
@pytest.mark.one_in(3)
def test_one_unit_moves_no_more_than_claimed(db: Database, sql: str) -> None:
    for observed in audit.sensitivity(db, sql):
        assert observed.within, observed
    db.run(sql, eps=1)


@pytest.mark.parametrize("sql", REJECTED)
def test_rows_of_two_units_do_not_meet(db: Database, sql: str) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        db.run(sql, eps=1)
    assert caught.value.code == "DP402"


# --- a foreign key to a unique column that is not the key ---------------------------------------

SECOND_KEY = """
CREATE TABLE u (id INTEGER PRIMARY KEY);
CREATE TABLE o (k INTEGER PRIMARY KEY, code INTEGER NOT NULL UNIQUE, uid INTEGER);
CREATE TABLE l (code INTEGER);
INSERT INTO u SELECT i FROM range(1, 5) t(i);
-- All of user 1's codes are the keys of other users' orders.
INSERT INTO o SELECT 100 + i, 200 + i, 1 FROM range(30) t(i);
INSERT INTO o SELECT 200 + i, 300 + i, 2 + i % 3 FROM range(30) t(i);
INSERT INTO l SELECT 200 + i % 30 FROM range(300) t(i);
"""
SECOND_KEY_POLICY = """
unit: u.id
budget: {eps: 100}
tables:
  u: {access: private, key: [id]}
  o: {access: private, key: [k], columns: {uid: {references: u.id, max_rows: 2}}}
  l: {access: private, columns: {code: {references: o.code, max_rows: 5}}}
"""


def test_owner_is_found_by_the_referenced_column(tmp_path: Path) -> None:
    db = opened(SECOND_KEY, SECOND_KEY_POLICY, tmp_path)
    for sql in ("SELECT COUNT(*) FROM l", "SELECT COUNT(*) FROM l JOIN o ON l.code = o.code"):
        (observed,) = audit.sensitivity(db, sql)
        assert observed.within and observed.l1 == 10
    with pytest.raises(dpsql.Rejected, match="DP402"):
        db.run("SELECT COUNT(*) FROM l JOIN o ON l.code = o.k", eps=1)


# --- each row is a unit -------------------------------------------------------------------------


def test_row_units_cannot_be_multiplied(tmp_path: Path) -> None:
    db = opened(
        "CREATE TABLE p (city VARCHAR, w INTEGER); INSERT INTO p VALUES ('a', 1), ('b', 2);"
        "CREATE TABLE c (city VARCHAR); INSERT INTO c VALUES ('a'), ('a'), ('a');",
        """
unit: p
budget: {eps: 100}
tables:
  p: {access: private, columns: {w: {bounds: [0, 10]}}}
  c: {access: public, columns: {city: {max_rows: 2}}}
""",
        tmp_path,
    )
    assert all(o.within for o in audit.sensitivity(db, "SELECT COUNT(*), SUM(w) FROM p"))
    with pytest.raises(dpsql.Rejected, match="DP403"):
        db.run("SELECT COUNT(*) FROM p JOIN c ON p.city = c.city", eps=1)
    with pytest.raises(dpsql.Rejected, match="DP402"):
        db.run("SELECT COUNT(*) FROM p a JOIN p b ON a.city = b.city", eps=1)
