"""What one unit can make the engine do: the bound, what it is made of, and that it holds."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query, engine_sql
from dpsql.core.schema import Schema
from dpsql.platform.policy import Policy, resolve

POLICY = """
unit: people.id
budget: {{eps: 1000000000}}
limits: {{work_per_unit: {limit}, text_length: 100}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: BIGINT}}
      name: {{type: VARCHAR}}
      town: {{type: VARCHAR, values: [Ulm, Bonn]}}
      nick: {{type: VARCHAR, max_length: 9}}
  visits:
    access: private
    columns:
      person: {{type: BIGINT, references: people.id{fan}}}
      x: {{type: INTEGER, bounds: [0, 9]}}
      note: {{type: VARCHAR}}
  sites:
    access: public
    key: [id]
    rows: 20
    columns: {{id: {{type: INTEGER}}, y: {{type: INTEGER}}}}
"""
MANY = 1_000_000


def policy(limit: int = MANY, fan: str = ", max_rows: 3") -> Policy:
    return Policy.parse(POLICY.format(limit=limit, fan=fan))


def schema(limit: int = MANY, fan: str = ", max_rows: 3") -> Schema:
    return resolve(policy(limit, fan), None, None)


def work(sql: str, limit: int = MANY, fan: str = ", max_rows: 3") -> int:
    query = compile_query(sql, schema(limit, fan), Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    return sum(release.work for release in query.releases)


TEN = ", ".join(f"({n})" for n in range(10))

STEPS = {
    # read 3 rows of 1 column (3 · 2), add them up for the unit and then all units (3 · 16)
    "SELECT COUNT(*) FROM visits": 3 * 2 + 3 * 16,
    # a column more; x is compared (1 step), clamped and kept (2 · 1) where it is added up
    "SELECT SUM(x) FROM visits": 3 * 3 + 3 * (16 + 1 + 1),
    "SELECT SUM(x) FROM visits WHERE x > 2": 3 * 3 + (3 * 3 + 3 * 1) + 3 * (16 + 1 + 1),
    # a text of 100 characters at most, read by LIKE: 1 + 1 + 100 · 2/16 steps, and cut: 1 + 100/16
    "SELECT COUNT(*) FROM visits WHERE note LIKE 'a%'": 3 * 3
    + 3 * 3
    + 3 * (1 + 13 + 1 + 7)
    + 3 * 16,
    # ten public rows for each row: 30 rows of a column, and 30 pairs looked at
    f"SELECT COUNT(*) FROM visits CROSS JOIN (VALUES {TEN}) v(a)": 3 * 2
    + (30 * 2 + 3 + 30)
    + 30 * 16,
    # twenty rows of a public table, since nothing is equated
    "SELECT COUNT(*) FROM visits JOIN sites ON x > y": 3 * 3 + (60 * 5 + 6 + 60 * 2) + 60 * 16,
    # by its key: one
    "SELECT COUNT(*) FROM visits JOIN sites ON x = sites.id": 3 * 3 + (3 * 4 + 6 + 3 * 2) + 3 * 16,
}


@pytest.mark.parametrize("sql", STEPS)
def test_steps(sql: str) -> None:
    assert work(sql) == STEPS[sql]


def test_the_limit_is_exact() -> None:
    sql = "SELECT SUM(x) FROM visits WHERE x > 2"
    most = work(sql)
    assert work(sql, limit=most) == most
    with pytest.raises(dpsql.Rejected, match=f"DP501.*{most} steps"):
        work(sql, limit=most - 1)


def test_nothing_declared_counts_as_a_hundred_rows() -> None:
    assert work("SELECT COUNT(*) FROM visits", fan="") == 100 * 2 + 100 * 16


def test_what_adds_nothing_reads_nothing() -> None:
    """It costs nothing, so that it could be asked for ever, with a stopwatch."""
    for sql in (
        "SELECT SUM(0) FROM visits",
        "SELECT SUM(0 * 1) FROM people",
        "SELECT town, SUM(0) FROM people GROUP BY town",
    ):
        compiled = compile_query(sql, schema(), Fraction(1))
        assert compiled.cost.eps == 0 and engine_sql(compiled) == ()
    connection = _connection()
    connection.execute("INSERT INTO people VALUES (1, 'n', 'Ulm', 'b')")
    db = dpsql.connect(connection, policy())
    assert db.run("SELECT SUM(0) FROM people", 1).rows == ((0,),)
    assert db.run("SELECT town, SUM(0) FROM people GROUP BY 1", 1).rows == (("Ulm", 0), ("Bonn", 0))


def test_several_statements_read_the_rows_several_times() -> None:
    one = work("SELECT MEDIAN(x) FROM visits")
    assert work("SELECT MEDIAN(x), SUM(x), COUNT(DISTINCT x) FROM visits") == 3 * one


SELF = {
    "SELECT COUNT(*) FROM visits a JOIN visits b USING (person)": 9,
    "SELECT COUNT(*) FROM visits a JOIN visits b USING (person) JOIN visits c USING (person)": 27,
    "SELECT COUNT(*) FROM visits a LEFT JOIN visits b USING (person)": 9,
    "SELECT COUNT(*) FROM visits a WHERE EXISTS "
    "(SELECT 1 FROM visits b WHERE b.person = a.person AND b.x > a.x)": 2,
}


@pytest.mark.parametrize("sql", SELF)
def test_rows_that_meet_one_another_are_cut_first(sql: str) -> None:
    """A unit with a hundred rows where three are declared makes 3^k pairs, not 100^k. (Three rows
    of different x: two of them have a greater one beside them.)
    """
    connection = _connection()
    rows = ", ".join(f"(1, {n}, 'a')" for n in range(100))
    connection.execute(
        f"INSERT INTO people VALUES (1, 'a', 'Ulm', 'b'); INSERT INTO visits VALUES {rows}"
    )
    db = dpsql.connect(connection, policy())
    ((found,),) = db.run(sql, 1_000_000).rows
    assert found == SELF[sql]
    with pytest.raises(dpsql.Rejected, match="DP501: one unit could cause any amount of work"):
        work(sql, fan="")


def test_rows_within_what_is_declared_all_stay() -> None:
    connection = _connection()
    connection.execute(
        "INSERT INTO people SELECT i, 'a', 'Ulm', 'b' FROM range(50) t(i); "
        "INSERT INTO visits SELECT i % 50, i % 10, 'n' FROM range(130) t(i)"
    )
    db = dpsql.connect(connection, policy())
    for sql in SELF:
        ((found,),) = db.run(sql, 1_000_000).rows
        assert (found,) == connection.execute(sql).fetchone()


def test_only_what_grows_faster_than_the_rows_is_cut() -> None:
    for sql in ("SELECT COUNT(*) FROM visits JOIN people ON person = people.id", *STEPS):
        assert "ROW_NUMBER" not in "".join(engine_sql(compile_query(sql, schema(), Fraction(1))))
    for sql in SELF:
        assert "ROW_NUMBER" in "".join(engine_sql(compile_query(sql, schema(), Fraction(1))))


QUERIES = (
    *STEPS,
    *SELF,
    "SELECT town, COUNT(*) FROM people JOIN visits ON person = people.id GROUP BY town",
    "SELECT SUM(n) FROM (SELECT person, COUNT(*) AS n FROM visits GROUP BY person) t",
    "SELECT COUNT(*) FROM (SELECT person, ROW_NUMBER() OVER (PARTITION BY person ORDER BY x) AS k "
    "FROM visits) t WHERE k = 1",
    "SELECT COUNT(*) FROM (SELECT person, x FROM visits UNION ALL SELECT id, 1 FROM people) t",
    "SELECT MEDIAN(x), COUNT(DISTINCT x) FROM visits",
    "SELECT COUNT(*) FROM visits v WHERE x > ALL (SELECT y FROM sites)",
)


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(3)
def test_the_engine_handles_no_more_rows_than_claimed(sql: str) -> None:
    """All operators together, on D with a unit at its declared most, and on D′ without it."""
    statements = engine_sql(compile_query(sql, schema(), Fraction(1)))
    seen = []
    for own in (
        "",
        "INSERT INTO people VALUES (7, 'n', 'Ulm', 'b'); INSERT INTO visits VALUES "
        "(7, 1, 'abc'), (7, 3, 'ab'), (7, 5, 'a');",
    ):
        connection = _connection()
        connection.execute(
            "INSERT INTO people SELECT i, 'n', 'Bonn', 'b' FROM range(100, 120) t(i); "
            "INSERT INTO visits SELECT 100 + i % 20, i % 10, 'abc' FROM range(60) t(i); " + own
        )
        handled = [_handled(connection, text) for text in statements]
        seen.append((sum(r for r, _ in handled), sum(n for _, n in handled)))
    (rows, size), (more_rows, more_size) = seen
    assert 0 < more_rows - rows <= work(sql)
    assert more_size - size <= 64 * work(sql)


def _handled(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[int, int]:
    """The rows that come out of all operators of a statement, and their bytes."""
    ((_, text),) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}").fetchall()
    stack, rows, size = list(json.loads(text)["operator"]), 0, 0
    while stack:
        operator = stack.pop()
        rows += max(operator["intermediate_rows"], operator.get("rows_scanned", 0))
        size += operator["intermediate_size_bytes"]
        stack.extend(operator.get("children", []))
    assert rows
    return rows, size


def test_a_text_of_many_megabytes_fails_nobody() -> None:
    """Written 64 times it would pass what the engine holds in one value."""
    sql = "SELECT COUNT(*) FROM people WHERE length(repeat(name, 64)) > 5"
    for size in (0, 70_000_000):
        connection = _connection()
        connection.execute("INSERT INTO people VALUES (1, repeat('x', ?), 'Ulm', 'b')", [size])
        db = dpsql.connect(connection, policy())
        assert db.run(sql, 1_000_000).rows == ((int(size > 0),),)


def test_declared_lengths() -> None:
    """Cut where they are read; NULL stays; what is only compared is not cut."""
    connection = _connection()
    connection.execute(
        "INSERT INTO people VALUES (1, repeat('x', 101), 'Ulm', repeat('y', 12)), "
        "(2, repeat('x', 99), 'Bonn', NULL)"
    )
    db = dpsql.connect(connection, policy())

    def asked(what: str) -> object:
        return db.run(f"SELECT {what} FROM people", 1_000_000).rows[0][0]

    assert asked("SUM(LEAST(length(name), 1000))") == 199
    assert asked("SUM(length(nick))") == 9
    assert asked("SUM(strlen(town))") == 7
    assert asked("COUNT(*) FILTER (WHERE nick = 'yyyyyyyyyyyy')") == 1
    assert asked("COUNT(*) FILTER (WHERE right(nick, 20) = 'yyyyyyyyy')") == 1
    assert asked("COUNT(*) FILTER (WHERE name LIKE '%x')") == 2


def test_a_verified_length_is_not_cut(tmp_path: Path) -> None:
    file = tmp_path / "d.duckdb"
    with _connection(str(file)) as connection:
        connection.execute("INSERT INTO people VALUES (1, 'n', 'Ulm', 'ninechars')")
    sql = "SELECT COUNT(*) FROM people WHERE upper(nick) = 'A'"
    with dpsql.connect(file, policy()) as db:
        assert "STRLEN" in db.explain(sql).sql
        (length,) = [f for f in db.verify().findings if f.kind == "length"]
        assert (length.column, length.rows) == ("people.nick", 0)
    with dpsql.connect(file, policy()) as db:
        assert db.verified and "STRLEN" not in db.explain(sql).sql
    with duckdb.connect(str(file)) as connection:
        connection.execute("UPDATE people SET nick = 'tencharact'")
    with dpsql.connect(file, policy()) as db:
        assert not db.verified and "STRLEN" in db.explain(sql).sql
        (length,) = [f for f in db.verify().findings if f.kind == "length"]
        assert length.rows == 1


def _connection(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute(
        "CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR, town VARCHAR, nick VARCHAR); "
        "CREATE TABLE visits (person BIGINT, x INTEGER, note VARCHAR); "
        "CREATE TABLE sites (id INTEGER PRIMARY KEY, y INTEGER); "
    )
    connection.execute("INSERT INTO sites SELECT i, i % 4 FROM range(20) t(i)")
    return connection


HEAVY = {
    "carried": f"SELECT COUNT(*) FROM (SELECT DISTINCT person, note, a FROM visits CROSS JOIN "
    f"(VALUES {TEN}) v(a)) t",
    "compared": f"SELECT COUNT(*) FROM people CROSS JOIN (VALUES {TEN}) v(a) "
    "WHERE CASE WHEN a >= 0 THEN name END <> 'q'",
    "in a window": "SELECT COUNT(*) FROM (SELECT LAG(name) OVER (PARTITION BY id ORDER BY a) AS n "
    f"FROM people CROSS JOIN (VALUES {TEN}) v(a)) t WHERE n = 'x'",
    "meeting": "SELECT COUNT(*) FROM visits a JOIN visits b USING (person) WHERE a.note = b.note",
    "with each visit": "SELECT COUNT(*) FROM (SELECT LAG(name) OVER (PARTITION BY v.person "
    "ORDER BY v.x) AS n FROM people p JOIN visits v ON v.person = p.id) t WHERE n = 'x'",
}


@pytest.mark.parametrize("name", HEAVY)
def test_texts_are_cut_before_rows_are_multiplied(name: str) -> None:
    """What operators hand on is no longer than what is declared, however long the stored text is:
    100 characters here.
    """
    (statement,) = engine_sql(compile_query(HEAVY[name], schema(), Fraction(1)))
    sizes = []
    for length in (100, 1_000_000):
        connection = _connection()
        connection.execute("INSERT INTO people VALUES (1, repeat('x', ?), 'Ulm', 'b')", [length])
        connection.execute(
            "INSERT INTO visits SELECT 1, i, repeat('x', ?) FROM range(3) t(i)", [length]
        )
        rows = connection.execute(statement).fetchall()
        sizes.append((rows, _handled(connection, statement)))
    (short, (count, size)), (long, (other_count, other_size)) = sizes
    assert (short, count) == (long, other_count)
    assert other_size - size < 10_000  # not a megabyte, let alone for each row


LISTS = """
unit: people.id
budget: {eps: 1}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, marks: {type: 'INTEGER[]'}, photo: {type: BLOB}}
  visits:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 3}
      marks: {type: 'INTEGER[]'}
  sites: {access: public, key: [id], rows: 20, columns: {id: {type: INTEGER}}}
"""
WITH_LISTS = {
    "SUM(GREATEST(LEAST(marks[1], 9), 0)) FROM people": True,
    "SUM(GREATEST(LEAST(v.marks[1], 9), 0)) FROM people p JOIN visits v ON person = p.id": True,
    "COUNT(photo) FROM people WHERE EXISTS (FROM sites s WHERE s.id > people.id)": True,
    "COUNT(*) FROM sites, (SELECT id FROM people WHERE photo IS NULL GROUP BY id) t": True,
    "SUM(GREATEST(LEAST(p.marks[1], 9), 0)) FROM people p JOIN visits v ON person = p.id": False,
    "COUNT(photo) FROM people CROSS JOIN sites": False,
    "COUNT(*) FROM sites, (SELECT id, marks FROM people GROUP BY id, marks) t": False,
    "COUNT(*) FROM people WHERE EXISTS (FROM sites s WHERE s.id > len(marks))": False,
}


@pytest.mark.parametrize(("query", "taken"), WITH_LISTS.items())
def test_lists_are_not_repeated_by_joins(query: str, taken: bool) -> None:
    """Nothing says how long a list is, and none is cut: a join would copy it with each row."""
    made, query = resolve(Policy.parse(LISTS), None, None), f"SELECT {query}"
    if taken:
        compile_query(query, made, Fraction(1))
        return
    with pytest.raises(dpsql.Rejected, match=r"DP501.* repeated by a join"):
        compile_query(query, made, Fraction(1))


def test_keys_are_told_apart_by_all_their_characters() -> None:
    text = POLICY.replace("id: {{type: BIGINT}}\n      name", "id: {{type: VARCHAR}}\n      name")
    made = resolve(
        Policy.parse(
            text.replace("person: {{type: BIGINT", "person: {{type: VARCHAR").format(
                limit=MANY, fan=", max_rows: 3"
            )
        ),
        None,
        None,
    )
    rows = f"SELECT DISTINCT person, a FROM visits CROSS JOIN (VALUES {TEN}) v(a)"
    sql = f"SELECT COUNT(*) FROM ({rows})"
    assert "SUBSTRING" not in "".join(engine_sql(compile_query(sql, made, Fraction(1))))


def test_the_limit_is_that_of_a_query_as_a_whole() -> None:
    one = "(SELECT COUNT(*) FROM visits WHERE x > 2)"
    most = work(f"SELECT {one} + {one.replace('2', '3')}")
    assert most == 2 * work("SELECT COUNT(*) FROM visits WHERE x > 2")
    assert work(f"SELECT {one} + {one.replace('2', '3')}", limit=most) == most
    with pytest.raises(dpsql.Rejected, match=f"DP501.*{most} steps .* together"):
        work(f"SELECT {one} + {one.replace('2', '3')}", limit=most - 1)


def test_a_mark_that_looks_at_the_left_row_alone_is_of_pairs() -> None:
    """The engine pairs the values that it looks at with all right rows; with none it looks once."""
    exists = "SELECT COUNT(*) FROM visits a WHERE EXISTS (SELECT 1 FROM sites s{})"
    alone = work(exists.format(" WHERE a.x > 3"))
    assert alone >= work(exists.format("")) + 3 * 20
    equal = work(exists.format(" WHERE s.y = a.x"))
    assert work(exists.format(" WHERE s.y = a.x AND a.x > 3")) >= equal + 3 * 20


@pytest.mark.parametrize("kind", ["LEFT", "FULL"])
def test_public_rows_of_outer_joins_are_no_guess(kind: str) -> None:
    """All of 20 rows may meet all of 20."""
    exists = "SELECT COUNT(*) FROM visits a WHERE EXISTS (SELECT 1 FROM sites s {} JOIN sites r "
    exists += "ON s.y = r.y WHERE s.id + r.id > a.x)"
    assert work(exists.format(kind)) >= work(exists.format("INNER")) >= 3 * 20 * 20


@pytest.mark.parametrize("rows", [2_000, 200_000])
def test_public_rows_of_which_nobody_says_how_many_there_are_are_counted(rows: int) -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR, x INTEGER)")
    con.execute(f"CREATE TABLE sites AS SELECT i::INTEGER AS id FROM range({rows}) t(i)")
    con.execute("CREATE TABLE visits (person BIGINT, x INTEGER)")
    text = """
unit: people.id
budget: {eps: 1}
tables:
  people: {access: private, key: [id]}
  visits: {access: private, columns: {person: {references: people.id, max_rows: 20}}}
  sites: {access: public}
"""
    db = dpsql.connect(con, text)
    query = "SELECT COUNT(*) FROM visits a WHERE EXISTS (SELECT 1 FROM sites WHERE id {} a.x)"
    assert db.explain(query.format("=")).kind == "released"
    if rows == 2_000:
        assert db.explain(query.format("<")).kind == "released"
    else:
        with pytest.raises(dpsql.Rejected, match="DP501"):
            db.explain(query.format("<"))


TEXT_KEYS = """
unit: people.id
budget: {eps: 1000000000}
tables:
  people: {access: private, key: [id], columns: {id: {type: VARCHAR}, maybe: {type: VARCHAR}}}
  visits:
    access: private
    columns: {person: {type: VARCHAR, references: people.id, max_rows: 3}, x: {type: INTEGER}}
  sites: {access: public, key: [id], rows: 20, columns: {id: {type: INTEGER}}}
"""
OF_LONG_KEYS = {
    # Rows of each person: of whose key there is one character, as many as are taken, one more.
    "people": (1, 1, 1),
    "people CROSS JOIN sites": (20, 20, 0),
    "people p JOIN visits v ON v.person = p.id": (3, 3, 0),
    "visits v LEFT JOIN people p ON v.person = p.id": (3, 3, 3),
    "(SELECT id FROM people GROUP BY id) p CROSS JOIN sites": (20, 20, 0),
    "visits v CROSS JOIN sites": (60, 60, 0),
    "visits v JOIN visits w ON v.person = w.person": (9, 9, 0),
}


@pytest.mark.parametrize(("rows", "each"), OF_LONG_KEYS.items())
def test_rows_of_a_key_of_megabytes_are_not_repeated(rows: str, each: tuple[int, ...]) -> None:
    """A text that tells units apart is not cut: where joins would copy it, its rows stay away."""
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people (id VARCHAR PRIMARY KEY, maybe VARCHAR); "
        "CREATE TABLE visits (person VARCHAR, x INTEGER); CREATE TABLE sites (id INTEGER); "
        "INSERT INTO sites FROM range(20)"
    )
    with dpsql.connect(connection, policy=TEXT_KEYS) as db:
        total = 0
        for size, more in zip((1, 40_000, 40_001), each, strict=True):
            connection.execute("INSERT INTO people VALUES (repeat('x', ?), NULL)", [size])
            connection.execute(
                "INSERT INTO visits SELECT repeat('x', ?), i FROM range(3) r(i)", [size]
            )
            [[found]] = db.run(f"SELECT COUNT(*) FROM {rows}", 10**6, fresh=True)
            total += more
            assert round(found) == total


def test_rows_that_stay_away_are_not_the_same_on_all_neighbours() -> None:
    """How many people there are is public; of how many the key is short enough to be repeated is
    not.
    """
    text = TEXT_KEYS.replace("budget:", "neighbours: replace\nbudget:", 1)
    text = text.replace("private, key: [id], columns", "private, key: [id], rows: 6, columns", 1)
    made = resolve(Policy.parse(text), None, None)
    for rows, most in (("people", 0), ("people CROSS JOIN sites", 20)):
        query = compile_query(f"SELECT COUNT(*) FROM {rows}", made, Fraction(1)).query
        assert isinstance(query, ReleasedQuery)
        [measure] = query.releases[0].measures
        assert measure.sensitivity.l1 == most
