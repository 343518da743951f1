"""Random expressions as texts: operators side by side, in DuckDB's own spelling."""

from __future__ import annotations

import random

TABLE = """
CREATE TABLE t (id INTEGER, i INTEGER, l BIGINT, h SMALLINT, m DECIMAL(6,2), x DOUBLE, s VARCHAR,
    r VARCHAR, d DATE, z TIMESTAMP, p BOOLEAN, q BOOLEAN);
INSERT INTO t SELECT n, [0, 1, -1, 7, 30, NULL, 2, -3][1 + n % 8],
    [0, 9, 1000000, -4, NULL, 3, 12][1 + n % 7], [1, 2, 0, NULL, -2][1 + n % 5],
    [0, 1.25, -2.5, 99.99, NULL, 0.5, 1][1 + n % 7],
    [0, 0.5, -1.5, 2.5, NULL, 100, 1e-3][1 + n % 7],
    ['a', 'B', '', 'ab', NULL, 'a%b', '12', 'é x', '2020-02-29'][1 + n % 9],
    ['b', 'A_c', NULL, '1.5', 'true', ' y '][1 + n % 6],
    [DATE '2020-02-29', DATE '1999-12-31', NULL, DATE '2021-01-03', DATE '1000-01-01'][1 + n % 5],
    [TIMESTAMP '2020-01-31 10:20:30.5', NULL, TIMESTAMP '1969-12-31 23:59:59'][1 + n % 3],
    [true, false, NULL][1 + n % 3], [false, true][1 + n % 2] FROM range(40) u(n);
"""
POLICY = """
unit: zz.id
budget: {eps: 1}
tables:
  zz: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  t:
    access: public
    columns:
      id: {type: INTEGER}
      i: {type: INTEGER}
      l: {type: BIGINT}
      h: {type: SMALLINT}
      m: {type: "DECIMAL(6,2)"}
      x: {type: DOUBLE}
      s: {type: VARCHAR}
      r: {type: VARCHAR}
      d: {type: DATE}
      z: {type: TIMESTAMP}
      p: {type: BOOLEAN}
      q: {type: BOOLEAN}
"""

_ATOMS = {
    "n": ("i", "l", "h", "m", "x", "T.I", '"m"', "1", "2", "0", "0.5", "1e2", ".5", "10", "1_000",
          "NULL", "'3'", "i", "m", "x"),
    "t": ("s", "r", "'a'", "''", "'it''s'", "E'b'", "$$a$$", "s", "NULL", "'%'"),
    "d": ("d", "d", "DATE '2020-02-29'", "'2020-01-31'::DATE", "DATE '1999-12-31'",
          "CAST(z AS DATE)"),
    "z": ("z", "z", "TIMESTAMP '2020-02-29 12:34:56'", "CAST(d AS TIMESTAMP)"),
    "b": ("p", "q", "TRUE", "FALSE", "NULL", "p", "q"),
}  # fmt: skip

# What may stand in place of a kind; {n} is a number, {t} a text, …; with no brackets around.
_FORMS = {
    "n": (
        *("{n} + {n}", "{n} - {n}", "{n} * {n}", "{n} / {n}", "{n} // {n}", "{n} % {n}", "-{n}"),
        *("- {n}", "+{n}", "{n} ^ {k}", "{n} ** {k}", "({n})", "({n})", "@ {n}", "{n}::INTEGER"),
        *("{n}::DOUBLE", "{n}::DECIMAL(9,1)", "CAST({n} AS BIGINT)", "TRY_CAST({n} AS TINYINT)"),
        *("TRY_CAST({t} AS INTEGER)", "TRY_CAST({t} AS DOUBLE)", "i & {k}", "i | {k}", "~i"),
        "~(i)",
        *("i << {k}", "l >> {k}", "xor(i, {k})", "abs({n})", "round({n})", "round({n}, 1)"),
        *("floor({n})", "ceil({n})", "trunc({n})", "sign({n})", "even({n})", "sqrt(abs({n}))"),
        *("exp({k})", "ln(abs({n}) + 1)", "log2(abs({n}) + 1)", "least({n}, {n})", "pow({k}, {k})"),
        *("greatest({n}, {n}, {n})", "coalesce({n}, {n})", "nullif({n}, {n})", "length({t})"),
        *("CASE WHEN {b} THEN {n} ELSE {n} END", "CASE {n} WHEN {n} THEN {n} WHEN {n} THEN 5 END"),
        *("if({b}, {n}, {n})", "ifnull({n}, {n})", "year({d})", "month({d})", "week({z})"),
        *("dayofweek({d})", "extract(day FROM {d})", "hour({z})", "{d} - {d}", "quarter({d})"),
        *("date_diff('month', {d}, {d})", "strpos({t}, 'a')", "ascii({t})", "bit_count(i)"),
        *("mod(i, {k})", "[10, 20, 30][{k}]", "gcd(i, {k})", "CAST({b} AS INTEGER)", "isodow({d})"),
    ),
    "t": (
        *("{t} || {t}", "lower({t})", "upper({t})", "substr({t}, {k}, 2)", "substring({t}, {k})"),
        *("trim({t})", "trim({t}, 'a')", "concat({t}, {n}, {t})", "{n}::VARCHAR", "({t})"),
        *("CASE WHEN {b} THEN {t} END", "coalesce({t}, {t})", "left({t}, 1)", "right({t}, 2)"),
        *("replace({t}, 'a', 'xy')", "split_part({t}, 'a', 1)", "lpad({t}, 3, '*')"),
        "repeat({t}, 2)",
        *("{d}::VARCHAR", "concat_ws('-', {t}, {t})", "reverse({t})", "nullif({t}, {t})"),
        *("strftime({d}, '%Y-%m')", "regexp_replace({t}, 'a+', 'z')", "translate({t}, 'ab', 'x')"),
        *("greatest({t}, {t})", "dayname({d})", "i::VARCHAR || {t}", "{t} || {n}"),
    ),
    "d": (
        *("{d} + {k}", "{d} - {k}", "date_trunc('month', {d})::DATE", "last_day({d})", "({d})"),
        *("CASE WHEN {b} THEN {d} END", "coalesce({d}, {d})", "TRY_CAST({t} AS DATE)"),
        *("greatest({d}, {d})", "make_date(2020, {k}, 1)", "CAST({d} + INTERVAL 1 MONTH AS DATE)"),
    ),
    "z": (
        *("{z} + INTERVAL 1 DAY", "{z} - INTERVAL '2' HOUR", "{d} + INTERVAL 3 MONTH", "({z})"),
        *("date_trunc('hour', {z})", "date_trunc('week', {z})", "coalesce({z}, {z})"),
        "{d}::TIMESTAMP",
    ),
    "b": (
        *("{n} = {n}", "{n} <> {n}", "{n} < {n}", "{n} >= {n}", "{n} != {n}", "{n} == {n}"),
        "NOT {b}",
        *("{b} AND {b}", "{b} OR {b}", "{b} AND {b}", "{b} OR {b}", "({b})", "({b})"),
        "{n} IS NULL",
        *("{t} IS NOT NULL", "{b} IS TRUE", "{b} IS NOT FALSE", "{n} BETWEEN {n} AND {n}"),
        "{b} = {b}",
        *("{n} NOT BETWEEN {n} AND {n}", "{n} IN ({n}, {n})", "{n} NOT IN ({n}, 3)"),
        "{t} LIKE 'a%'",
        *("{t} NOT LIKE '%b'", "{t} ILIKE 'A_'", "{t} = {t}", "{t} < {t}", "{t} IN ('a', {t})"),
        *("{d} < {d}", "{d} = {z}", "{z} >= {d}", "{d} BETWEEN {d} AND {d}"),
        "{n} IS DISTINCT FROM {n}",
        *("{b} IS NOT DISTINCT FROM {b}", "starts_with({t}, {t})", "{t} GLOB '*a*'", "{n} ISNULL"),
        *("regexp_matches({t}, '[ab]+')", "CASE WHEN {b} THEN {b} ELSE {b} END", "{n} NOTNULL"),
        *("{n} > ALL([1, 2])", "{n} = ANY([1, NULL])", "{t} LIKE 'a!%%' ESCAPE '!'", "i = {t}"),
        *("coalesce({b}, {b})", "contains({t}, 'a')", "{d} > '2020-01-01'", "isfinite({z})"),
        "! {b}",
        *("{n} = {n} IS NULL", "{t} || {t} LIKE 'a%'", "{n} < {n} = {b}", "NOT {n} = {n}"),
    ),
    "k": ("{k} + 1", "- {k}", "h", "0", "1", "2", "3"),
}  # fmt: skip


def expression(rng: random.Random, kind: str = "", depth: int = 0) -> str:
    """A text; about as deep as asked, and of any kind if none is named."""
    kind = kind or rng.choice("nnnbbbtdz")
    depth = depth or rng.randint(1, 4)
    atoms = _ATOMS.get(kind, ("0", "1", "2", "3", "h", "-1"))
    if (depth <= 1 and rng.random() < 0.8) or rng.random() < 0.1:
        return rng.choice(atoms)
    form = rng.choice(_FORMS[kind])
    if depth <= 1 and "{" in form:
        return rng.choice(atoms)
    made = ""
    place = 0
    while True:
        start = form.find("{", place)
        if start < 0:
            return made + form[place:]
        made += form[place:start] + expression(rng, form[start + 1], depth - 1)
        place = start + 3
