"""Every entry of Spark's language gives DuckDB's value, at the ends of every type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from dpsql.platform.engine.far.about import ABOUT
from dpsql.platform.engine.far.spark_functions import NAMES
from dpsql.platform.engine.far.spark_language import AGGREGATES, CALLS, WINDOWS
from tests.support import spark
from tests.support.edges import KINDS
from tests.support.effort import chosen, sampled, some_of_each
from tests.support.languages import (
    Asked,
    asked,
    database,
    differences,
    different,
    hashed,
    lend,
    names_in,
    said,
    table,
    without,
    written,
)


@pytest.fixture(autouse=True, scope="module")
def _server(sail: str) -> None:
    spark.use(sail)


INTEGERS = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UBIGINT"]
DECIMALS = [kind for kind in KINDS if kind.startswith("DECIMAL")]
NUMBERS = [*INTEGERS, "DOUBLE", *DECIMALS]
TIMES = ["DATE", "TIMESTAMP"]
TEXTS = ["VARCHAR"]

COMPARED = [
    *[f"{{0}} {sign} {{1}}" for sign in ("=", "!=", "<", "<=", ">", ">=")],
    *["{0} IS DISTINCT FROM {1}", "{0} IS NOT DISTINCT FROM {1}"],
    *["{0} IN ({1}, {1})", "{0} NOT IN ({1}, NULL)", "coalesce({0}, {1})", "nullif({0}, {1})"],
    *["greatest({0}, {1})", "least({0}, {1})", "least({0}, {1}, {0})"],
    "CASE WHEN {0} < {1} THEN {0} ELSE {1} END",
]
OF_TWO_NUMBERS = [
    *[f"{{0}} {sign} {{1}}" for sign in ("+", "-", "*", "/", "//", "%", "&", "|")],
    *["xor({0}, {1})", "CAST({0} AS HUGEINT) // CAST({1} AS BIGINT)"],
    "CAST({0} AS HUGEINT) // CAST({1} AS UBIGINT)",
    "(CAST({0} AS HUGEINT) // 3 + 1) // CAST({1} AS BIGINT)",
]
OF_A_NUMBER = [
    *["-{0}", "abs({0})", "sign({0})", "round({0})", "ceil({0})", "floor({0})", "trunc({0})"],
    *[f"round({{0}}, {n})" for n in (0, 1, 2, 5, 15, -1, -2)],
    *["sqrt({0})", "isnan({0})", "isinf({0})", "isfinite({0})", "greatest({0})"],
    *[f"{{0}} << {n}" for n in (0, 1, 5, 29, 61)],
    *[f"{{0}} >> {n}" for n in (0, 1, 5, 29, 61)],
    *[
        "{0} // 7",
        "{0} // -1",
        "{0} // 0",
        "{0} % 3",
        "{0} % -10",
        "{0} / 8",
        "{0} / 0",
        "{0} / 0.1",
    ],
    *["{0} * 2", "{0} + 0.01", "{0} - 1000", "1 / {0}", "least(greatest({0}, -2), 2)"],
    *["greatest({0}, 0)", "least({0}, CAST('NaN' AS DOUBLE))", "CAST({0} AS HUGEINT) * 1000"],
    "{0} < TRY_CAST('nan' AS DOUBLE)",
    *[f"{{0}} {sign} {n}" for sign in ("+", "*", "/", "//", "%", "&", "|") for n in (0, 1, -1)],
    *[f"{{0}} {sign} {{0}}" for sign in ("-", "/", "//", "%", "&", "|", "=", "<", "!=")],
    *["0 * {0}", "{0} % 1.0", "{0} % 0.5", "0 - {0}", "xor({0}, {0})", "0 & {0}", "{0} * 1.0"],
    *["{0} = 1", "{0} < 0.5", "{0} >= 2.5", "{0} IN (1, 2.5, NULL)", "1e0 / round({0})"],
    *["1e0 / ceil({0})", "1e0 / trunc({0})", "{0} BETWEEN -1 AND 128", "{0} = 0", "0 / {0}"],
]
PATTERNS = [
    *[
        "",
        "%",
        "_",
        "__",
        "a%",
        "%a",
        "%b%",
        "a_b",
        "%a_b%",
        "_%",
        "%_",
        "😀",
        "%😀%",
        "_😀_",
        "a''b",
    ],
    *[
        "\\",
        "\\\\",
        "a\\b",
        "%\\%",
        "\\%",
        "\\_",
        "ä",
        "a_",
        '%"%',
        "%日%",
        "%%",
        "a%%b",
        "[a]",
        "(a|b)",
        "a.b",
    ],
    *["10\\%", "^a$", "a+", "\n", "_\n_", "%\n%", "{{2}}"],
]
PARTS = ["a", "b", "ab", " ", "😀", "日本", "\\", "''", "%", "\n", "abcd", "\u0308"]
OF_A_TEXT = [
    *["length({0})", "strlen({0})", "bit_length({0})", "trim({0})", "ltrim({0})", "rtrim({0})"],
    *[f"substring({{0}}, {n})" for n in (1, 2, 3, 100)],
    *[f"substring({{0}}, {n}, {m})" for n in (1, 2, 5) for m in (0, 1, 3, 1000, 2**31 - 1)],
    *[f"{side}({{0}}, {n})" for side in ("left", "right") for n in (0, 1, 2, 3, 1000)],
    *[f"{{0}} {word} '{p}'" for word in ("LIKE", "NOT LIKE") for p in PATTERNS],
    *[
        f"{{0}} LIKE '{p}' ESCAPE '!'"
        for p in ("a!%b", "!_", "!!%", "%!%%", "a\\b", "_!!_", "\\!%")
    ],
    *["{0} NOT LIKE '%!_%' ESCAPE '!'", "{0} LIKE '%\\%%' ESCAPE '\\'"],
    *[
        f"{name}({{0}}, '{part}')"
        for name in ("strpos", "contains", "starts_with", "prefix", "suffix")
        for part in PARTS
    ],
    *[f"replace({{0}}, '{a}', '{b}')" for a in PARTS for b in ("", "x", "\\", "aa", "$1")],
    *[
        f"{s}pad({{0}}, {n}, '{p}')"
        for s in "lr"
        for n in (0, 1, 3, 7)
        for p in ("x", "ab", "😀", " ")
    ],
    *[f"repeat({{0}}, {n})" for n in (0, 1, 3)],
    *[
        "concat_ws('-', {0}, 'b', {0})",
        "concat_ws('', {0})",
        "{0} || 'a\\'",
        "{0} = 'ä'",
        "{0} > 'ab'",
    ],
    *["{0} IN ('a', 'A', '')", "'😀' || {0}", "CASE {0} WHEN 'a' THEN 1 ELSE 2 END"],
]
UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
SHIFTS = ("1 MONTH", "13 MONTH", "-1 MONTH", "100 YEAR", "1 DAY", "-400 DAY", "36525 DAY", "1 WEEK")
TIMES_OF_DAY = ("1 HOUR", "-25 HOUR", "90 MINUTE", "1 SECOND", "1 MICROSECOND", "-1 MICROSECOND")
OF_A_TIME = [
    *[f"{unit}({{0}})" for unit in UNITS],
    *["isoyear({0})", "yearweek({0})", "dayofyear({0})", "dayofweek({0})", "isodow({0})"],
    *["dayname({0})", "monthname({0})", "last_day({0})", "isfinite({0})"],
    *[f"date_trunc('{unit}', {{0}})" for unit in UNITS],
    *[f"{{0}} {sign} INTERVAL '{shift}'" for sign in "+-" for shift in SHIFTS + TIMES_OF_DAY],
    "{0} + INTERVAL '1 month 31 days 25 hours 1 microsecond'",
    "{0} - INTERVAL '13 months -3 days 2 hours'",
    *[f"{{0}} {sign} {n}" for sign in "+-" for n in (0, 1, -1, 365, 36525, -36525)],
    "{0} + CAST(greatest(least(day({0}), 9), 3) AS INTEGER)",
    "{0} - CASE WHEN CAST(day({0}) AS INTEGER) < 3 THEN 3 "
    "WHEN CAST(day({0}) AS INTEGER) > 9 THEN 9 ELSE CAST(day({0}) AS INTEGER) END",
    *["greatest({0}, CAST('0001-12-31 (BC)' AS DATE))", "least({0}, CAST('10000-01-01' AS DATE))"],
    "nullif(least({0}, CAST('0001-12-31 (BC) 23:59:59.999999' AS TIMESTAMP)), {0})",
    "greatest({0}, CAST('10000-01-01 00:00:00' AS TIMESTAMP))",
    *["7 + {0}", "{0} - DATE '2000-02-29'", "DATE '0001-01-01' - {0}"],
    *["{0} < DATE '1970-01-01'", "{0} >= TIMESTAMP '2024-02-29 12:34:56.789012'"],
    *[f"date_diff('{unit}', {{0}}, DATE '2020-02-29')" for unit in UNITS],
    *[f"{part}({{0}} - INTERVAL '100 years')" for part in (*UNITS, "isoyear", "isodow", "dayname")],
    *[f"{part}({{0}} + INTERVAL '100 years')" for part in (*UNITS, "isoyear", "isodow", "dayname")],
    *[f"date_trunc('{unit}', {{0}} - INTERVAL '99 years')" for unit in UNITS],
    *[f"date_trunc('{unit}', {{0}} + INTERVAL '99 years')" for unit in UNITS],
    "{0} - 36525 - 36525",
    "year({0} + 36525 + 36525)",
]
LISTS = [f"[{{0}}, NULL, 7][{n}]" for n in ("1", "2", "3", "4", "0", "{0}", "{0} + 1")]
OF_TWO_TIMES = [
    *["{0} - {1}", *[f"date_diff('{unit}', {{0}}, {{1}})" for unit in UNITS]],
    "date_diff('week', {0} - INTERVAL '100 years', {1})",
]
CASTS = [f"{cast}({{0}} AS {kind})" for kind in KINDS for cast in ("CAST", "TRY_CAST")]
LOGIC = ["{0} AND {1}", "{0} OR {1}", "NOT {0}", "{0} = {1}", "{0} < {1}"]

GROUPS: dict[str, tuple[list[str], tuple[list[str], ...]]] = {
    "casts": (CASTS, (list(KINDS),)),
    "a number": (OF_A_NUMBER, (NUMBERS,)),
    "a text": (OF_A_TEXT, (TEXTS,)),
    "a time": (OF_A_TIME, (TIMES,)),
    "lists": (LISTS, (["BIGINT"],)),
    "nulls": (["{0} IS NULL", "{0} IS NOT NULL", "coalesce({0}, NULL)"], (list(KINDS),)),
    "two texts": ([*COMPARED, "{0} || {1}", "concat_ws(', ', {0}, {1})"], (TEXTS, TEXTS)),
    "two times": ([*COMPARED, *OF_TWO_TIMES], (TIMES, TIMES)),
    "two truths": ([*COMPARED, *LOGIC], (["BOOLEAN"], ["BOOLEAN"])),
    **{
        f"{kind} and a number": ([*COMPARED, *OF_TWO_NUMBERS], ([kind], NUMBERS))
        for kind in NUMBERS
    },
}

ALONE = ("casts", "a number", "a text", "a time", "lists", "two texts", "two times", "two truths")


@cache
def cases(group: str) -> dict[tuple[str, ...], Asked]:
    """Those that DuckDB and the language have, by template and types."""
    templates, kinds = GROUPS[group]
    found = {(t, *of): asked(t, of) for of in product(*kinds) for t in templates}
    return {name: case for name, case in found.items() if case is not None}


def tried(group: str, alone: int = 2) -> list[Asked]:
    """Of each template at least one."""
    usual = alone if group in ALONE else 1
    names = some_of_each(cases(group), lambda name: name[0], usual)
    return [cases(group)[name] for name in names]


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.one_in(3)
def test_a_value_is_duckdbs(group: str) -> None:
    assert not list(differences(tried(group)))


@pytest.mark.parametrize("group", [g for g in GROUPS if g in ALONE or sampled(g, 8)])
@pytest.mark.one_in(2)
def test_a_group_of_values_that_are_never_null_is_duckdbs(group: str) -> None:
    assert not list(differences(tried(group, 1), known=True))


def test_every_entry_is_in_a_case() -> None:
    """And every template is said for some type, so that none is tried in vain."""
    every = [case for group in GROUPS for case in tried(group)]
    assert CALLS.keys() - {"hash", ABOUT} <= {name for case in every for name in case.names}
    templates = {template for templates, _ in GROUPS.values() for template in templates}
    assert templates == {template for group in GROUPS for template, *_ in cases(group)}


NO_FUNCTIONS = {"trim", "cast", "decimal", "in", "values", "over"}
"""What stands before a parenthesis, and is no name of a function: of TRIM(BOTH … FROM …), too."""


def test_every_function_that_is_written_is_looked_at() -> None:
    """Whether a session has another one by its name."""
    asked = [(f"SELECT {c.sql} AS v FROM {table(c.kinds)}") for g in GROUPS for c in tried(g)]
    asked += [sql for kind in OVER for sql in over_a_table(kind) if said(sql)]
    asked += ["SELECT hash(1, 'a') AS h"]
    found = {name.lower() for sql in asked for name in re.findall(r"(\w+)\(", written(sql))}
    assert sorted(found - NAMES - NO_FUNCTIONS) == []


OVER_A_TABLE = [
    "SELECT {x}, count(*), count(x0) FROM t GROUP BY x0",
    "SELECT {x} FROM (SELECT DISTINCT x0 FROM t)",
    "SELECT {x} FROM (SELECT x0 FROM t UNION SELECT x0 FROM t)",
    "SELECT count(*), count(x0), count(DISTINCT x0) FROM t",
    "SELECT id % 7 AS g, {min}, {max}, count(DISTINCT x0) FROM t GROUP BY g",
    "SELECT {min}, {max} FROM t WHERE id < 0",
    "SELECT id // 2 AS g, sum(x0), sum(DISTINCT x0) FROM t WHERE {small} GROUP BY g",
    "SELECT sum(x0) FROM t WHERE {small}",
    "SELECT id // 2 AS g, bool_and(x0), bool_or(x0) FROM t GROUP BY g",
    "SELECT a.id, b.id FROM t AS a JOIN t AS b ON a.x0 = b.x0",
    "SELECT a.id, b.id FROM t AS a JOIN t AS b ON a.x0 IS NOT DISTINCT FROM b.x0",
    "SELECT a.id, b.id FROM t AS a LEFT JOIN t AS b ON a.x0 = b.x0 AND b.id > 3",
    "SELECT a.id, b.id FROM t AS a JOIN t AS b ON a.x0 < b.x0",
    "SELECT id FROM t WHERE x0 IN (SELECT x0 FROM t WHERE id % 2 = 0)",
    "SELECT id FROM t WHERE x0 NOT IN (SELECT x0 FROM t WHERE id % 2 = 0 AND x0 IS NOT NULL)",
    "SELECT id, x0 IN (SELECT x0 FROM t WHERE id % 2 = 0) AS found FROM t",
    "SELECT id, row_number() OVER (PARTITION BY x0 ORDER BY id) AS n FROM t",
    "SELECT id, row_number() OVER (ORDER BY x0 DESC NULLS FIRST, id) AS n FROM t",
    "SELECT id, rank() OVER (ORDER BY x0 NULLS LAST) AS n FROM t",
    "SELECT id, dense_rank() OVER (ORDER BY x0 DESC NULLS LAST) AS n FROM t",
    "SELECT {x}, row_number() OVER (PARTITION BY x0) AS n FROM t",
    "SELECT id, rank() OVER (PARTITION BY x0) AS n, dense_rank() OVER () AS m FROM t",
    "SELECT id, sum(id) OVER (ORDER BY x0 NULLS FIRST) AS n FROM t",
    "SELECT id, sum(x0) OVER (PARTITION BY id % 3 ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING "
    "AND CURRENT ROW) AS n FROM t WHERE {small}",
    "SELECT id, count(x0) OVER (PARTITION BY id % 3 ORDER BY id) AS n FROM t",
    "SELECT id, {min} OVER (PARTITION BY id % 3) AS a, {max} OVER (ORDER BY id) AS b FROM t",
    "SELECT id FROM t WHERE x0 > (SELECT min(x0) FROM t)",
    "SELECT id, lag(x0) OVER (ORDER BY id) AS v FROM t",
    "SELECT id, lag(id, 2, 7) OVER (PARTITION BY x0 ORDER BY id DESC) AS v FROM t",
    "SELECT id, lag(id, 0) OVER (ORDER BY id) AS v FROM t",
]


def over_a_table(kind: str, *, known: bool = False) -> Iterator[str]:
    """Of 0.0 and -0.0, which are equal, engines may keep either."""
    source = without(table((kind,)), (), known)
    same = " + 0e0" if kind == "DOUBLE" else ""
    small = "abs(CAST(x0 AS DOUBLE)) < 1e27" if kind in NUMBERS else "TRUE"
    for template in OVER_A_TABLE:
        both = {
            f: f"{f}(x0){same}" if " OVER" not in template else f"{f}(x0)" for f in ("min", "max")
        }
        sql = template.format(x=f"x0{same} AS x", small=small, **both)
        yield re.sub(r"\bt\b", source, sql)


OVER = chosen(KINDS, "BOOLEAN", "HUGEINT", "DOUBLE", "DECIMAL(9,2)", "VARCHAR", "TIMESTAMP")
NEVER_NULL = chosen(KINDS, "DECIMAL(9,2)", "VARCHAR")


@pytest.mark.parametrize(
    ("kind", "known"), [*((k, False) for k in OVER), *((k, True) for k in NEVER_NULL)]
)
@pytest.mark.one_in(2)
def test_rows_are_duckdbs(kind: str, known: bool) -> None:
    found = {sql: different(sql) for sql in over_a_table(kind, known=known) if said(sql)}
    assert not {sql: row for sql, row in found.items() if row}


@pytest.mark.parametrize("name", ["row_number", "rank", "dense_rank"])
def test_a_rank_has_an_order(name: str) -> None:
    """Of the servers here only Apache Spark would tell that there is none."""
    assert "OVER (ORDER BY 1)" in written(f"SELECT {name}() OVER () AS n FROM {table(('BIGINT',))}")


def test_every_aggregate_and_window_is_in_a_case() -> None:
    known = {name for kind in KINDS for sql in over_a_table(kind) for name in names_in(sql)}
    assert known >= {f"{name}()" for name in AGGREGATES}
    assert known >= {f"{name} over" for name in WINDOWS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_hash_is_another_but_is_one(kind: str) -> None:
    """The same for equal values; of all 64 bits; and each time."""
    name = table((kind,))
    lend(name)
    first, second = (hashed(f"SELECT id, hash({x}) FROM {name}") for x in ("x0, 'a'", "x0, 'a'"))
    other = hashed(f"SELECT id, hash(x0, 'b') FROM {name}")
    assert first == second
    assert all(0 <= h < 2**64 for h in first.values())
    groups = database().execute(f"SELECT list(id) FROM {name} GROUP BY x0").fetchall()
    assert all(len({first[i] for i in ids}) == 1 for (ids,) in groups)
    assert len(set(first.values())) == len(groups)
    assert not first.keys() - {i for i in first if first[i] != other[i]}


def test_a_hash_is_well_mixed() -> None:
    """Of neighbouring numbers, each bit is set in about one half, whatever the salt."""
    database().execute(
        "CREATE OR REPLACE TABLE mixed AS SELECT CAST(i AS INTEGER) AS id FROM range(4096) AS r(i)"
    )
    lend("mixed")
    values = hashed("SELECT id, hash(id, 'rows') FROM mixed").values()
    assert len(set(values)) == 4096
    ones = [sum(h >> bit & 1 for h in values) for bit in range(64)]
    assert all(abs(n - 2048) < 6 * 32 for n in ones)  # six standard deviations
