"""Random queries in which released numbers and keys are read again: by private queries, by joins,
windows and aggregates, with keys of every type. All of it must be total: noise can be any number,
and one that only one person's row meets must not be one that fails."""

from __future__ import annotations

import random
from dataclasses import dataclass

KEYS: dict[str, tuple[str, ...]] = {
    "TINYINT": ("-128", "0", "127"),
    "SMALLINT": ("-32768", "1", "32767"),
    "INTEGER": ("-2147483648", "3", "2147483647"),
    "BIGINT": ("-9223372036854775808", "2", "9223372036854775807"),
    "HUGEINT": ("-170141183460469231731687303715884105727", "0", f"{2**127 - 1}"),
    "UTINYINT": ("0", "1", "255"),
    "USMALLINT": ("0", "7", "65535"),
    "UINTEGER": ("0", "4294967295"),
    "UBIGINT": ("0", "5", "18446744073709551615"),
    "DECIMAL(4,1)": ("-999.9", "0.5", "999.9"),
    "DECIMAL(18,3)": ("-999999999999999.999", "0.125", "999999999999999.999"),
    "DECIMAL(38,10)": (f"-{'9' * 28}.{'9' * 10}", "0", f"{'9' * 28}.{'9' * 10}"),
    "BOOLEAN": ("false", "true"),
    "DATE": ("0001-01-01", "2024-02-29", "9999-12-31"),
    "TIMESTAMP": ("0001-01-01 00:00:00", "2024-02-29 12:34:56", "9999-12-31 23:59:59"),
    "VARCHAR": ("", "a", "12", "2024-02-29"),
    "ENUM('x', 'y', '3')": ("x", "y", "3"),
}
"""Types of keys, and what the policy lists for them: the ends of each type."""

FREE: dict[str, tuple[str | None, ...]] = {
    **{kind: (*values, None) for kind, values in KEYS.items()},
    "DOUBLE": ("nan", "inf", "-inf", "1.7976931348623157e308", "5e-324", "-0.0", None),
    "FLOAT": ("nan", "3.4028234e38", "-inf", "0.1", None),
    "DATE": ("infinity", "-infinity", "5881580-07-10", "5877642-06-25 (BC)", None),
    "TIMESTAMP": ("infinity", "294247-01-10 04:00:54", "290309-12-22 (BC) 00:00:00", None),
}
"""Types of columns of which the policy says nothing, and what is in them."""


def short(kind: str) -> str:
    """The part of a column's name that says its type."""
    return "".join(c if c.isalnum() else "_" for c in kind.split("(")[0].lower()) + "".join(
        c for c in kind if c.isdigit()
    )


def kind_of(kind: str) -> str:
    """What expressions take it for."""
    if kind.startswith(("ENUM", "VARCHAR")):
        return "text"
    names = {"BOOLEAN": "boolean", "DATE": "date", "TIMESTAMP": "time"}
    return names.get(kind, "number")


def policy() -> str:
    """The policy's YAML."""
    lines = [
        "unit: u.id",
        "neighbours: add_remove",
        "budget: {eps: 1.0e9, delta: 1.0e-3}",
        "tables:",
    ]
    lines += ["  u: {access: private, key: [id], columns: {id: {type: INTEGER}}}"]
    lines += ["  t:", "    access: private", "    owner: id", "    columns:"]
    lines += ["      id: {type: INTEGER, references: u.id, max_rows: 3}"]
    lines += ["      v: {type: INTEGER, bounds: [0, 9]}", "      name: {type: VARCHAR}"]
    for kind, values in KEYS.items():
        listed = ", ".join(f'"{v}"' if kind_of(kind) != "number" else v for v in values)
        if kind == "BOOLEAN":
            lines += ["      k_boolean: {type: BOOLEAN}"]
        else:
            lines += [f'      k_{short(kind)}: {{type: "{kind}", values: [{listed}]}}']
    lines += [f'      m_{short(kind)}: {{type: "{kind}"}}' for kind in FREE]
    lines += ["  p:", "    access: public", "    columns:"]
    lines += [f'      p_{short(kind)}: {{type: "{kind}"}}' for kind in FREE]
    return "\n".join(lines) + "\n"


def tables() -> str:
    """The DDL."""
    keys = "".join(f", k_{short(k)} {k}" for k in KEYS)
    free = "".join(f", m_{short(k)} {k}" for k in FREE)
    public = ", ".join(f"p_{short(k)} {k}" for k in FREE)
    rows = max(map(len, FREE.values()))
    listed = ", ".join(
        "(" + ", ".join(_quoted(values[i % len(values)]) for values in FREE.values()) + ")"
        for i in range(rows)
    )
    return (
        f"CREATE TABLE u (id INTEGER); CREATE TABLE t (id INTEGER, v INTEGER, name VARCHAR"
        f"{keys}{free}); CREATE TABLE p ({public}); INSERT INTO p VALUES {listed};"
    )


def rows(ids: list[int]) -> str:
    """Units, each with every end of every type; alice is number 7, and she alone reaches the
    branches that ask for her.
    """
    texts = []
    for number in ids:
        for row in range(3):
            i = number + row
            cells = [
                str(number),
                str(i % 10 if number != 7 else 7),
                "'alice'" if number == 7 else "'bob'",
            ]
            cells += [_quoted(values[i % len(values)]) for values in KEYS.values()]
            cells += [_quoted(values[i % len(values)]) for values in FREE.values()]
            texts.append("(" + ", ".join(cells) + ")")
    return (
        f"DELETE FROM u; DELETE FROM t; INSERT INTO u SELECT unnest({ids}); "
        f"INSERT INTO t VALUES {', '.join(texts)};"
    )


def _quoted(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


@dataclass(frozen=True)
class Col:
    """Something that an expression can read: how it is written, and what for."""

    sql: str
    kind: str


ALICE = "t.v = 7 AND t.name = 'alice'"

_SHAPES = {
    "number": [
        "({n} + {n})", "({n} - {n})", "({n} * {n})", "({n} / {n})", "({i} // {i})", "({i} % {i})",
        "- {n}", "abs({n})", "round({n})", "round({n}, 1)", "floor({n})", "ceil({n})", "sign({n})",
        "sqrt({n})", "ln({n})", "exp({n})", "pow({n}, 2)", "pow({n}, {n})", "log2({n})",
        "CASE WHEN {b} THEN {n} ELSE {n} END", "COALESCE({n}, {n})", "NULLIF({n}, {n})",
        "LEAST({n}, {n})", "GREATEST({n}, {n})", "length({t})", "year({d})", "month({d})",
        "date_diff('day', {d}, {d})", "date_diff('hour', {m}, {m})", "TRY_CAST({n} AS INTEGER)",
        "TRY_CAST({t} AS BIGINT)", "TRY_CAST({n} AS DECIMAL(9,2))", "CAST({n} AS DOUBLE)",
        "TRY_CAST({n} AS UTINYINT)", "IF({b}, {n}, {n})", "({i} & {i})", "({i} << {i})",
        "xor({i}, {i})", "bit_count({i})", "epoch({m})", "dayofweek({d})", "week({d})",
        "CAST({b} AS INTEGER)", "sin({n})", "atan2({n}, {n})", "instr({t}, {t})", "mod({i}, 7)",
        "cbrt({n})", "trunc({n})", "quarter({d})", "hour({m})", "TRY_CAST({n} AS HUGEINT)",
    ],
    "text": [
        "lower({t})", "{t} || {t}", "substr({t}, 1, 2)", "concat({t}, {n})", "CAST({e} AS VARCHAR)",
        "COALESCE({t}, {t})", "CASE WHEN {b} THEN {t} ELSE {t} END", "replace({t}, 'a', 'b')",
        "trim({t})", "left({t}, 1)", "CAST({d} AS VARCHAR)", "CAST({m} AS VARCHAR)", "upper({t})",
        "NULLIF({t}, {t})", "strftime({d}, '%Y-%m')", "reverse({t})",
    ],
    "date": [
        "date_trunc('month', {d})::DATE", "{d} + INTERVAL 1 DAY", "COALESCE({d}, {d})",
        "CAST({m} AS DATE)", "last_day({d})", "CASE WHEN {b} THEN {d} ELSE {d} END",
        "TRY_CAST({t} AS DATE)", "LEAST({d}, {d})", "({d} + 1)", "({d} - 400000)",
        "({d} + TRY_CAST({n} AS INTEGER))",
    ],
    "time": [
        "date_trunc('hour', {m})", "{m} + INTERVAL 1 MONTH", "CAST({d} AS TIMESTAMP)",
        "TRY_CAST({t} AS TIMESTAMP)", "COALESCE({m}, {m})", "GREATEST({m}, {m})",
    ],
    "boolean": [
        "{n} < {n}", "{n} = {n}", "{n} <> {n}", "{n} BETWEEN {n} AND {n}", "{n} IN ({n}, {n})",
        "{t} = {t}", "{t} < {t}", "{d} < {d}", "{m} >= {m}", "{d} < {m}", "{b} IS TRUE",
        "({b} AND {b})", "({b} OR {b})", "NOT {b}", "{n} IS NOT DISTINCT FROM {n}", "{n} IS NULL",
        "{t} LIKE 'a%'", "COALESCE({b}, FALSE)", "{b} = {b}", "{d} = {d}", "{t} IN ({t}, 'a')",
        "CAST({n} AS BOOLEAN)", "isnan(CAST({n} AS DOUBLE))", "starts_with({t}, 'a')",
    ],
}  # fmt: skip

_CONSTANTS = {
    "number": ["1", "0", "-3", "0.5", "9223372036854775807", "-9223372036854775808", "1e308",
               "NULL", "170141183460469231731687303715884105727", "99999999999999999999.5", "255"],
    "text": ["'a'", "''", "'12'", "NULL", "'2024-02-29'"],
    "date": ["DATE '2024-02-29'", "DATE '9999-12-31'", "DATE '0001-01-01'", "NULL::DATE"],
    "time": ["TIMESTAMP '2024-02-29 12:00:00'", "TIMESTAMP '9999-12-31 23:59:59.999999'"],
    "boolean": ["TRUE", "FALSE", "NULL::BOOLEAN"],
}  # fmt: skip

_LETTERS = {"n": "number", "t": "text", "d": "date", "m": "time", "b": "boolean"}


class Fed:
    """Writes one query."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self, options: list[str]) -> str:
        return self.random.choice(options)

    def expression(self, columns: list[Col], kind: str, depth: int) -> str:
        """An expression of a kind over columns."""
        mine = [c.sql for c in columns if c.kind == kind]
        if not mine or self.random.random() < 0.12:
            mine = _CONSTANTS[kind]
        if depth <= 0 or self.random.random() < 0.3:
            return self.one(mine)
        shape = self.one(_SHAPES[kind])
        for letter, other in _LETTERS.items():
            while f"{{{letter}}}" in shape:
                inner = self.expression(columns, other, depth - 1)
                shape = shape.replace(f"{{{letter}}}", inner, 1)
        while "{i}" in shape:
            inner = self.expression(columns, "number", depth - 1)
            shape = shape.replace("{i}", f"TRY_CAST({inner} AS {self.one(_WHOLE)})", 1)
        while "{e}" in shape:  # what has a text
            exact = [c.sql for c in columns if c.kind in ("boolean", "date")] or ["1"]
            shape = shape.replace("{e}", self.one(exact), 1)
        return shape

    def any(self, columns: list[Col], depth: int) -> tuple[str, str]:
        """An expression of some kind."""
        kind = self.one(["number"] * 5 + ["text", "date", "time", "boolean"])
        return self.expression(columns, kind, depth), kind

    # --- releases ---

    def key(self) -> Col:
        """What private rows are grouped by, in public groups."""
        kind = self.one(list(KEYS))
        column = f"k_{short(kind)}"
        shape = self.one(["{}"] * 6 + {
            "number": ["CASE WHEN {} > 2 THEN 1 ELSE 0 END", "{} + 1", "- {}", "abs({})",
                       "({} / 2)",
                       "COALESCE({}, 0)", "NULLIF({}, 0)", "CAST({} AS DOUBLE)", "sign({})"],
            "text": ["{} || 'x'", "COALESCE({}, 'none')", "substr({}, 1, 1)", "lower({})"],
            "date": ["year({})", "month({})", "date_trunc('year', {})::DATE",
                     "{} + INTERVAL 1 DAY"],
            "time": ["hour({})", "CAST({} AS DATE)", "date_trunc('day', {})"],
            "boolean": ["NOT {}", "CAST({} AS INTEGER)", "COALESCE({}, TRUE)"],
        }[kind_of(kind)])  # fmt: skip
        made = kind_of(kind)
        if any(w in shape for w in ("THEN 1", "year(", "month(", "hour(", "INTEGER")):
            made = "number"
        if "AS DATE" in shape or "::DATE" in shape:
            made = "date"
        if "INTERVAL" in shape:
            made = "time"
        return Col(shape.format(f"t.{column}"), made)

    def call(self) -> Col:
        """An aggregate of private rows."""
        text = self.one(
            ["COUNT(*)"] * 3
            + ["SUM(t.v)", "AVG(t.v)", "COUNT(t.m_date)", "MIN(t.v)", "MAX(t.v)", "MEDIAN(t.v)",
               "MODE(t.v)", "STDDEV(t.v)", "COUNT(DISTINCT t.v)", "SUM(t.k_decimal41)",
               "SUM(t.k_tinyint)", "MAX(t.k_tinyint)", "MAX(t.k_ubigint)", "MIN(t.k_decimal183)",
               "MAX(t.k_date)", "MEDIAN(t.k_date)", "MAX(t.k_timestamp)", "MODE(t.k_varchar)",
               "MIN(t.k_boolean)", "BOOL_OR(t.k_boolean)", "QUANTILE_DISC(t.k_integer, 0.5)",
               "QUANTILE_CONT(t.v, [0.25, 0.5])", "HISTOGRAM(t.v, [3, 6, 9])", "AVG(t.k_smallint)",
               "SUM(CASE WHEN t.name = 'alice' THEN 1 ELSE 0 END)", "MODE(t.k_tinyint)",
               "CORR(t.v, t.k_tinyint)", "SUM(t.v / 7)", "MAX((t.v << 7) << (t.v & 3))",
               "MODE(t.k_enumxy3)", "VAR_POP(t.v)"]
        )  # fmt: skip
        kind = "number"
        if "LIST" in text or "[" in text:
            kind = "other"
        elif "date" in text and "COUNT" not in text:
            kind = "time" if "MEDIAN" in text else "date"
        elif "timestamp" in text:
            kind = "time"
        elif "varchar" in text or "enum" in text:
            kind = "text"
        elif "boolean" in text:
            kind = "boolean"
        return Col(text, kind)

    def release(self, keys: int, alias: str, having: bool = False) -> tuple[str, list[Col]]:
        """An aggregate of private rows, and its columns."""
        by = [self.key() for _ in range(keys)]
        calls = [self.call() for _ in range(self.random.randint(1, 2))]
        listed = [f"{c.sql} AS k{i}" for i, c in enumerate(by)]
        listed += [f"{c.sql} AS a{i}" for i, c in enumerate(calls)]
        where = ""
        if self.random.random() < 0.2:
            where = f" WHERE {self.expression(self.private(), 'boolean', 2)}"
        text = f"SELECT {', '.join(listed)} FROM t{where}"
        if by:
            text += " GROUP BY " + ", ".join(c.sql for c in by)
        if having:
            text += f" HAVING {self.expression([*by, *calls], 'boolean', 2)}"
        columns = [Col(f"{alias}.k{i}", c.kind) for i, c in enumerate(by)]
        columns += [Col(f"{alias}.a{i}", c.kind) for i, c in enumerate(calls)]
        return text, columns

    def private(self) -> list[Col]:
        found = [Col("t.v", "number"), Col("t.name", "text")]
        found += [Col(f"t.k_{short(k)}", kind_of(k)) for k in self.random.sample(list(KEYS), 3)]
        return found + [
            Col(f"t.m_{short(k)}", kind_of(k)) for k in self.random.sample(list(FREE), 4)
        ]

    def public(self) -> list[Col]:
        return [Col(f"p.p_{short(k)}", kind_of(k)) for k in self.random.sample(list(FREE), 4)]

    # --- queries ---

    def query(self) -> str:
        """One query."""
        shape = self.one(
            ["fed", "fed", "fed", "having", "above", "above", "grouped", "scalar", "window",
             "joined", "union", "member", "public_join", "twice"]
        )  # fmt: skip
        text: str = getattr(self, shape)()
        return text

    def fed(self) -> str:
        text, columns = self.release(
            self.random.randint(0, 2), "r", having=self.random.random() < 0.2
        )
        both = [*columns, *columns, *self.private()]
        on = self.expression(both, "boolean", 1) if self.random.random() < 0.5 else "TRUE"
        test = self.expression(both, "boolean", 3)
        computed = ""
        if self.random.random() < 0.3:
            more = [self.any(columns, 2) for _ in range(2)]
            listed = ", ".join(f"{sql} AS x{i}" for i, (sql, _) in enumerate(more))
            computed = f", s AS (SELECT r.*, {listed} FROM r)"
            test = self.expression(
                [*both, *(Col(f"r.x{i}", k) for i, (_, k) in enumerate(more))], "boolean", 2
            )
        source = "s AS r" if computed else "r"
        call = self.one(["COUNT(*)", "COUNT(*)", "SUM(t.v)", "AVG(t.v)", "MAX(t.v)"])
        if self.random.random() < 0.2:
            value = self.expression(both, "number", 2)
            call = f"SUM(LEAST(GREATEST(CASE WHEN {ALICE} THEN {value} ELSE 0 END, 0), 1))"
        join = self.one(["JOIN", "JOIN", "LEFT JOIN"])
        return (
            f"WITH r AS ({text}){computed} SELECT {call} AS n FROM t {join} {source} ON {on} "
            f"WHERE CASE WHEN {ALICE} THEN {test} ELSE FALSE END"
        )

    def having(self) -> str:
        return self.release(self.random.randint(1, 2), "r", having=True)[0]

    def above(self) -> str:
        text, columns = self.release(self.random.randint(0, 2), "r")
        outputs = [f"{self.any(columns, 3)[0]} AS x{i}" for i in range(2)]
        where = f" WHERE {self.expression(columns, 'boolean', 2)}" * self.random.randint(0, 1)
        order = f" ORDER BY {self.any(columns, 2)[0]}" * self.random.randint(0, 1)
        return f"SELECT {', '.join(outputs)} FROM ({text}) AS r{where}{order}"

    def grouped(self) -> str:
        text, columns = self.release(self.random.randint(1, 2), "r")
        key, _ = self.any(columns, 2)
        value = self.expression(columns, "number", 2)
        call = self.one(["SUM", "AVG", "MIN", "MAX", "COUNT", "MEDIAN", "STDDEV", "MODE", "VAR_POP",
                         "COUNT(DISTINCT"])  # fmt: skip
        call = f"{call} {value})" if "(" in call else f"{call}({value})"
        return f"SELECT {key} AS g, {call} AS x FROM ({text}) AS r GROUP BY {key}"

    def scalar(self) -> str:
        text, columns = self.release(0, "r")
        name = columns[0].sql.split(".")[1]
        kind = columns[0].kind
        value = f"(SELECT {name} FROM ({text}) AS r)"
        if kind == "other":
            return f"SELECT COUNT(*) FROM t WHERE {value} IS NOT NULL"
        if self.random.random() < 0.5:
            test = self.expression(
                [Col(value, kind), Col(value, kind), *self.private()], "boolean", 2
            )
            return f"SELECT COUNT(*) AS n FROM t WHERE CASE WHEN {ALICE} THEN {test} ELSE FALSE END"
        return f"SELECT {self.any([Col(value, kind)], 2)[0]} AS x"

    def window(self) -> str:
        text, columns = self.release(self.random.randint(1, 2), "r")
        value, order = self.expression(columns, "number", 2), self.any(columns, 1)[0]
        function = self.one([f"sum({value})", f"avg({value})", f"lag({value})", "rank()",
                             "row_number()", f"max({value})", f"first_value({value})", "ntile(3)",
                             f"lag({value}, 1, {value})", f"count({value})", "percent_rank()"]
                            )  # fmt: skip
        part = f"PARTITION BY {self.any(columns, 1)[0]} " * self.random.randint(0, 1)
        inner = f"SELECT r.*, {function} OVER ({part}ORDER BY {order}) AS w FROM ({text}) AS r"
        more = [Col(c.sql.replace("r.", "s."), c.kind) for c in columns] + [
            Col("s.w", "number")
        ] * 2
        return f"SELECT {self.any(more, 2)[0]} AS x FROM ({inner}) AS s"

    def joined(self) -> str:
        left, columns = self.release(self.random.randint(0, 1), "r")
        right, others = self.release(self.random.randint(0, 1), "s")
        join = self.one(["JOIN", "LEFT JOIN", "FULL JOIN"])
        both = [*columns, *others]
        pairs = [(a, b) for a in columns for b in others if a.kind == b.kind != "other"]
        on = "TRUE"
        if pairs:
            a, b = self.random.choice(pairs)
            on = f"{a.sql} = {b.sql}"
        return (
            f"SELECT {self.any(both, 2)[0]} AS x FROM ({left}) AS r {join} ({right}) AS s ON {on}"
        )

    def union(self) -> str:
        parts = []
        for _ in range(2):
            text, columns = self.release(self.random.randint(0, 1), "r")
            parts.append(f"SELECT {self.expression(columns, 'number', 2)} AS x FROM ({text}) AS r")
        how = self.one(["UNION ALL", "UNION ALL", "UNION", "EXCEPT", "INTERSECT"])
        both = f" {how} ".join(parts)
        if self.random.random() < 0.5:
            return both
        test = self.expression([Col("q.x", "number"), *self.private()], "boolean", 2)
        return (
            f"WITH q AS ({both}) SELECT COUNT(*) AS n FROM t JOIN q ON TRUE "
            f"WHERE CASE WHEN {ALICE} THEN {test} ELSE FALSE END"
        )

    def member(self) -> str:
        text, columns = self.release(self.random.randint(0, 1), "r")
        known = [c for c in columns if c.kind != "other"] or [Col("1", "number")]
        column = self.random.choice(known)
        mine = self.expression(self.private(), column.kind, 1)
        negated = self.one(["", "NOT "])
        test = f"{mine} {negated}IN (SELECT {column.sql} FROM ({text}) AS r)"
        return f"SELECT COUNT(*) AS n FROM t WHERE {test}"

    def public_rows(self) -> tuple[str, list[Col]]:
        text, columns = self.release(self.random.randint(0, 1), "r")
        public = self.public()
        on = self.expression([*columns, *public], "boolean", 1)
        join = self.one(["JOIN", "LEFT JOIN"])
        return f"p {join} ({text}) AS r ON {on}", [*columns, *public]

    def public_join(self) -> str:
        rows_, columns = self.public_rows()
        return f"SELECT {self.any(columns, 3)[0]} AS x FROM {rows_}"

    def twice(self) -> str:
        """What was made of a release and public rows is read by a private query."""
        rows_, columns = self.public_rows()
        made = [self.any(columns, 2) for _ in range(2)]
        listed = ", ".join(f"{sql} AS x{i}" for i, (sql, _) in enumerate(made))
        mine = [Col(f"q.x{i}", kind) for i, (_, kind) in enumerate(made)] * 2
        test = self.expression([*mine, *self.private()], "boolean", 2)
        return (
            f"WITH q AS (SELECT {listed} FROM {rows_}) SELECT COUNT(*) AS n FROM t JOIN q ON TRUE "
            f"WHERE CASE WHEN {ALICE} THEN {test} ELSE FALSE END"
        )


_WHOLE = ["INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "UBIGINT", "SMALLINT"]


def query(seed: int) -> str:
    """The query of a number."""
    return Fed(seed).query()
