"""Expressions and queries, as they were written and as they are printed: equal, or rejected."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import duckdb
from hypothesis import HealthCheck, Phase, given, seed, settings

from dpsql.compile import compile_query
from dpsql.core.emit.plans import column, scalar
from dpsql.core.enforce.secure import total
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Expr
from dpsql.core.plan.nodes import Project
from dpsql.core.plan.values import of_type
from dpsql.core.schema import Schema
from dpsql.errors import Rejected
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from dpsql.platform.policy import Policy, resolve
from dpsql.proven import PublicQuery
from tests.adversarial.queries import Query, queries
from tests.differential.write import POLICY, TABLE, expression
from tests.support.policies import path_of

BATCH = 40
_MOMENT = re.compile(r"[0-9]+-[0-9]{2}-[0-9]{2}( [0-9:.]+)?( \(BC\))?( [0-9:.]+)?")
CLOSE = 1e-12
"""Floats may differ by rounding, where a sum is of another order."""


@dataclass
class Tally:
    """What became of each text: `rejected`, `equal`, `fails` (DuckDB refuses a row or the text's
    types; what is printed answers NULL there), `infinite` (inf or NaN, for which NULL is printed),
    or a difference. `infinite` is also a date outside of the years 1 to 9999.
    """

    seen: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    differ: list[tuple[str, str, str]] = field(default_factory=list)

    def report(self) -> str:
        """For people."""
        parts = [f"{name} {count:,}" for name, count in self.seen.most_common()]
        shown = [f"{a}\n  {b}\n  {c}" for a, b, c in self.differ[:20]]
        return "\n".join([f"{sum(self.seen.values()):,} tried: {', '.join(parts)}", *shown])


# --- expressions ----------------------------------------------------------------------------------


@cache
def _schema() -> Schema:
    return resolve(Policy.parse(POLICY), None, None)


@cache
def _connection(written: bool) -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:", config={"threads": "1"})
    made.execute(TABLE)
    if written:
        made.execute("SET ieee_floating_point_ops = false")  # x / 0 is NULL, as it is with us
    return made


def printed(text: str) -> tuple[str, Expr]:
    """An expression over `t` as a private query would have it printed: bound, and made total.

    Raises:
        Rejected: it is not accepted.
    """
    plan = bind(parse(f"SELECT {text} AS v FROM t"), _schema())[0].plan
    assert isinstance(plan, Project)
    env = {c.id: of_type(c.type).but(nullable=True) for c in plan.input.columns}
    safe = total(plan.items[0][1], env)
    infer(safe, env)
    names = {c.id: column("t", c.name) for c in plan.input.columns}
    return scalar(safe, names).sql(dialect="duckdb"), safe


def expressions(count: int, start: int = 0) -> Tally:
    """Compare so many random expressions."""
    rng = random.Random(f"expressions {start}")
    return compared(expression(rng) for _ in range(count))


def compared(texts: Iterable[str]) -> Tally:
    """Compare these expressions over `t`."""
    tally = Tally()
    waiting: list[tuple[str, str]] = []
    for text in texts:
        try:
            waiting.append((text, printed(text)[0]))
        except Rejected as rejected:
            tally.seen["rejected"] += 1
            tally.codes[rejected.code] += 1
        if len(waiting) == BATCH:
            _compare(waiting, tally)
            waiting = []
    _compare(waiting, tally)
    return tally


def _compare(pairs: Sequence[tuple[str, str]], tally: Tally) -> None:
    if not pairs:
        return
    ours = _columns([sql for _, sql in pairs], written=False)
    theirs = _columns([text for text, _ in pairs], written=True)
    for place, (text, sql) in enumerate(pairs):
        found = _columns([text], written=True) if theirs is None else [theirs[place]]
        made = _columns([sql], written=False) if ours is None else [ours[place]]
        if made is None:
            tally.seen["differ"] += 1
            tally.differ.append((text, sql, "what is printed fails"))
            continue
        if found is None:
            tally.seen["fails"] += 1
            continue
        word = _verdict(found[0], made[0])
        tally.seen[word] += 1
        if word == "differ":
            rows = [f"{a!r} is {b!r}" for a, b in zip(found[0], made[0], strict=True) if a != b]
            tally.differ.append((text, sql, "; ".join(rows[:3])))


def _columns(texts: Sequence[str], *, written: bool) -> list[tuple[Any, ...]] | None:
    listed = ", ".join(f"({text}\n) AS v{n}" for n, text in enumerate(texts))
    try:
        rows = _connection(written).execute(f"SELECT {listed} FROM t ORDER BY id").fetchall()
    except (duckdb.Error, OverflowError, ValueError):
        return None
    return list(zip(*rows, strict=True))


def _verdict(theirs: tuple[Any, ...], ours: tuple[Any, ...]) -> str:
    infinite = False
    for a, b in zip(theirs, ours, strict=True):
        if b is None and (_infinite(a) or _beyond(a)):
            infinite = True
        elif not same(a, b):
            return "differ"
    return "infinite" if infinite else "equal"


def _infinite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _beyond(value: Any) -> bool:
    """A date that Python's calendar does not have comes as a text."""
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None


def same(a: Any, b: Any) -> bool:
    """Whether two values are one: 1 and 1.0 are, and floats that differ by rounding."""
    if a is None or b is None:
        return a is b
    if isinstance(a, float) or isinstance(b, float):
        if not isinstance(a, int | float | Decimal) or not isinstance(b, int | float | Decimal):
            return False
        a, b = float(a), float(b)
        return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=CLOSE)
    if isinstance(a, date) and isinstance(b, date):
        return str(a).removesuffix(" 00:00:00") == str(b).removesuffix(" 00:00:00")
    return bool(a == b)


# --- queries over public tables -------------------------------------------------------------------


@cache
def _public() -> tuple[Schema, duckdb.DuckDBPyConnection]:
    """The grammar tests' shop with every table public, and rows in it."""
    text = path_of("shop").read_text(encoding="utf-8")
    text = text.replace("access: private", "access: public").replace(
        "unit: customers.id", "unit: zz.id"
    )
    text = text.replace("    rows: 3\n", "")
    private = "\n  zz: {access: private, key: [id], columns: {id: {type: INTEGER}}}\n"
    schema = resolve(Policy.parse(text.rstrip() + private), None, None)
    made = duckdb.connect(":memory:", config={"threads": "1"})
    rng = random.Random(5)
    for table in schema.tables.values():
        listed = ", ".join(f'"{c.name}" {c.type}' for c in table.columns)
        made.execute(f'CREATE TABLE "{table.name}" ({listed})')
        for number in range(12):
            cells = [_cell(rng, str(c.type), number, c.name in table.key) for c in table.columns]
            made.execute(f'INSERT INTO "{table.name}" VALUES ({", ".join(cells)})')
    return schema, made


def _cell(rng: random.Random, kind: str, number: int, key: bool) -> str:
    if key:
        return str(number)
    pools = {
        "VARCHAR": ("'a'", "'b'", "'home'", "'open'", "'north'", "''", "NULL"),
        "DATE": ("'2024-02-29'", "'2024-03-01'", "'2000-01-01'", "NULL"),
        "TIMESTAMP": ("'2024-02-29 12:00:00'", "'2024-01-01'", "NULL"),
        "BOOLEAN": ("true", "false", "NULL"),
        "DOUBLE": ("0.5", "1", "-2.25", "20", "NULL"),
        "BLOB": ("NULL",),
    }
    if kind.startswith("ENUM"):
        return rng.choice(("'basic'", "'gold'", "NULL"))
    return rng.choice(pools.get(kind, ("0", "1", "2", "3", "5", "11", "NULL")))


def public(count: int, start: int = 0) -> Tally:
    """Compare so many random queries; those whose rows the engine may choose are not compared."""
    schema, held = _public()
    tally = Tally()

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries("shop"))
    def run(query: Query) -> None:
        try:
            found = compile_query(query.text, schema, Fraction(1)).query
        except Rejected as rejected:
            tally.seen["rejected"] += 1
            tally.codes[rejected.code] += 1
            return
        assert isinstance(found, PublicQuery)
        if query.constructs & {"LIMIT", "tied rows"}:
            tally.seen["rows of the engine's choice"] += 1
            return
        theirs, ours = (_rows(held, sql) for sql in (query.text, found.sql))
        if theirs is None and ours is None:
            tally.seen["fails"] += 1
        elif theirs is None or ours is None or not _alike(theirs, ours):
            tally.seen["differ"] += 1
            tally.differ.append((query.text, found.sql, f"{theirs!r:.200} is {ours!r:.200}"))
        else:
            tally.seen["equal"] += 1

    run()
    return tally


def _rows(held: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]] | None:
    try:
        return held.execute(sql).fetchall()
    except duckdb.Error:
        return None


def _alike(theirs: list[tuple[Any, ...]], ours: list[tuple[Any, ...]]) -> bool:
    """Whether the same rows came, in any order."""
    if len(theirs) != len(ours):
        return False
    one, other = (
        sorted(rows, key=lambda row: [_rounded(v) for v in row]) for rows in (theirs, ours)
    )
    return all(
        same(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True)
    )


def _rounded(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)
