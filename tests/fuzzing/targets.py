"""What takes an input from outside, and how it is tried.

A target draws one input and says how to try it: `Try.shown` is the input, `Try.work` uses it. Each
has its own data, made when it is first tried.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import string
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import dpsql
from dpsql import dbapi
from dpsql.cli import exits, main
from dpsql.compile import compile_query, engine_sql
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.plan.canonical import digest
from dpsql.dbapi.parameters import filled
from dpsql.execution import stored
from dpsql.platform.ledger.ledger import Stored
from dpsql.session import costs as without_data
from dpsql.session.database import Database
from tests.adversarial import world
from tests.fuzzing import corpus, mutate
from tests.fuzzing.damaged_files import damaged, ledger, policied, record
from tests.fuzzing.tries import FOLDER, Try, UntypedExitError
from tests.support.policies import load
from tests.support.store import Store

# --- queries ------------------------------------------------------------------------------------

OTHERS = ("postgres", "bigquery", "snowflake", "spark", "tsql", "mysql", "redshift")
DIALECTS = ("duckdb",) * 12 + OTHERS


def drawn(rng: random.Random) -> tuple[str, str]:
    """A policy's name and a mutated query over it."""
    pools = corpus.queries()
    policy = rng.choice(("tpch", "tpch", "shop", "shop", rng.choice(tuple(pools))))
    return policy, mutate.text(rng, rng.choice(pools[policy]), pools[policy])


def explained(rng: random.Random) -> Try:
    """A query is compiled, and all that is said of it is printed."""
    policy, sql = drawn(rng)
    dialect = rng.choice(DIALECTS)

    def work() -> bool:
        schema = load(policy).schema
        options = Options(delta=usual_delta(Fraction(1), None, schema))
        found = compile_query(sql, schema, Fraction(1), dialect, options)
        engine_sql(found)
        return True

    return Try(f"[{policy}, {dialect}] {sql}", work)


def told(rng: random.Random) -> Try:
    """The same by the public way, with all forms of an explanation."""
    policy, sql = drawn(rng)
    eps, delta = rng.choice((1, 0.1, Fraction(1, 3), 1e-9, 1000)), rng.choice((None, 0, 1e-6))

    def work() -> bool:
        found = without_data.explain(sql, eps, load(policy).policy, delta)
        str(found), found.sql, str(found.tree), found.to_json(), found.to_html(), repr(found)
        return True

    return Try(f"[{policy}, eps={eps}, delta={delta}] {sql}", work)


@cache
def hostile() -> Database:
    """TPC-H with a customer who breaks what can be broken."""
    return world.database(eps=10**9, delta=1)


@cache
def shop() -> Database:
    """The grammar tests' shop: nothing but NULLs and extremes."""
    held = Store(load("shop").schema).connection
    rows = {
        "customers": "(0, 1, 1, 200, -99999, 'nan', true, 'gold', 'trade', 'infinity', 'SECRET', "
        "NULL), (0, 7, NULL, NULL, 99999, '-inf', false, NULL, 'SECRET', '-infinity', '', NULL)",
        "orders": "(0, 1, 7, '5000-01-01', '-infinity', 99999, 'inf', NULL, 'SECRET', "
        "2147483647, -32768, 9223372036854775807, 1e308), (0, 2, 7, NULL, NULL, -1, 'nan', true, "
        "NULL, -2147483648, 32767, -9223372036854775808, 'nan')",
        "lines": "(0, 2, 1, 2147483647, -99999, true, 'SECRET')",
        "regions": "(0, 1, 'r', 'north')",
        "products": "(0, 1, 'k', 1)",
        "holidays": "(0, '2024-01-01', 'x'), (0, '2024-05-01', 'y'), (0, NULL, NULL)",
    }
    for name, values in rows.items():
        held.execute(f"INSERT INTO {name} VALUES {values}")
        held.execute(f"ALTER TABLE {name} DROP COLUMN of_world")
    budget = load("shop").policy.budget.model_copy(update={"eps": Fraction(10**9)})
    return dpsql.connect(held, load("shop").policy.model_copy(update={"budget": budget}))


def ran(rng: random.Random) -> Try:
    """A query is answered, over data that breaks every claim."""
    chosen = rng.choice(("tpch", "tpch", "shop"))
    pool = corpus.queries()[chosen]
    sql = mutate.text(rng, rng.choice(pool), pool)
    db = hostile() if chosen == "tpch" else shop()

    def work() -> bool:
        answer = db.run(sql, 1, 1e-9)
        str(answer), repr(answer), answer.rows, answer.types
        return True

    return Try(f"[{chosen}] {sql}", work)


def asked(rng: random.Random) -> Try:
    """What may be said beside a query."""
    odd: tuple[object, ...] = (
        *(None, True, 0, -1, 1, 10**400, 1e-320, 1e308, float("nan"), float("inf"), "1", b"1"),
        *(
            Decimal("NaN"),
            Decimal("1E-9"),
            Decimal("1E+999999"),
            Fraction(1, 7),
            1j,
            [],
            {},
            object,
        ),
        *(
            {"n": 1},
            {"n": "x"},
            {"zz": 0},
            {1: 2},
            "auto",
            "gaussian",
            "laplace",
            "adaptive",
            "spark",
        ),
        *("duckdb", "\ud800", "", "a" * 10_000, date(2020, 1, 1), range(3), ("n", 1)),
    )
    names = ("eps", "delta", "noise", "clipping", "weights", "dialect", "fresh", "idempotency_key")
    wishes = {name: rng.choice(odd) for name in rng.sample(names, rng.randint(1, 3))}
    pool = corpus.queries()["tpch"]
    texts: tuple[object, ...] = (None, 1, b"SELECT 1", "", "SELECT 1 AS n", ["SELECT 1"], "\ud800")
    sql = rng.choice(pool) if rng.random() < 0.6 else rng.choice(texts)
    how = rng.choice(("run", "explain", "estimate", "run_batch", "calibrate"))
    db = hostile()

    def work() -> bool:
        given = dict(wishes)
        if how in ("explain", "estimate"):
            given.pop("fresh", None), given.pop("idempotency_key", None)
        if how == "calibrate":
            given = {k: v for k, v in given.items() if k not in ("eps", "fresh", "idempotency_key")}
            given["error"] = wishes.get("eps", 100)
        elif how in ("run", "run_batch"):
            given.setdefault("eps", 1)
        getattr(db, how)(sql, **given)
        return True

    return Try(f"{how}({sql!r}, {wishes!r})", work)


# --- DB-API and command line ----------------------------------------------------------------------


class _Text(str):
    """A text of a class of its own, that lies about itself."""

    def __str__(self) -> str:
        return "1); SELECT 1 --"


def _parameter(rng: random.Random) -> object:
    letters = mutate.CHARACTERS + string.printable
    return rng.choice((
        *(None, True, 0, -1, 10**79, 10**80, -(10**81), 0.1, -0.0, 1e308, 5e-324, float("nan")),
        *(float("-inf"), Decimal("1.10"), Decimal("NaN"), Decimal("sNaN"), Decimal("1E+99999")),
        *(Decimal("-1E-99999"), date.min, date.max, datetime.min, datetime.max, time(1)),
        *(datetime(2020, 1, 1, tzinfo=UTC), b"x", bytearray(b"x"), [1], (1,), {}, object()),
        *(_Text("x"), 1j, Fraction(1, 3), "\ud800", "\0", "'", "''", "\\", "$$", "%", "?"),
        "x" * 10**6,
        "".join(rng.choice(letters) for _ in range(rng.randint(0, 12))),
    ))  # fmt: skip


def _asked(rng: random.Random) -> tuple[str, object]:
    """A query with ? and what is given for them, mostly as many."""
    pool = corpus.queries()["tpch"]
    sql = rng.choice(pool)
    if rng.random() < 0.3:
        sql = mutate.text(rng, sql, pool)
    words = corpus.tokens(sql)
    numbers = [i for i, w in enumerate(words) if w[0].isdigit() or w[0] == "'"]
    count = 0
    for place in numbers:
        if rng.random() < 0.7:
            words[place], count = "?", count + 1
    sql = "".join(words)
    given: object = [_parameter(rng) for _ in range(count + rng.choice((0, 0, 0, 0, 1, -1)))]
    return sql, _parameter(rng) if rng.random() < 0.05 else given


def parameters(rng: random.Random) -> Try:
    """Parameters in their places."""
    sql, given = _asked(rng)
    dialect = rng.choice(DIALECTS)

    def work() -> bool:
        filled(sql, given, dialect)
        return True

    return Try(f"[{dialect}] {sql} {given!r}"[:3000], work)


def executed(rng: random.Random) -> Try:
    """Parameters of a query that a cursor executes."""
    sql, given = _asked(rng)
    dialect = rng.choice(DIALECTS)
    db = hostile()

    def work() -> bool:
        cursor = dbapi.connect(db, eps=1, dialect=dialect).cursor()
        cursor.execute(sql, given)
        cursor.description, cursor.fetchall()
        return True

    return Try(f"[{dialect}] {sql} {given!r}"[:3000], work)


@cache
def _files() -> Path:
    folder = FOLDER / "cli"
    folder.mkdir(exist_ok=True)
    (folder / "queries.sql").write_text(
        "-- eps: 0.1\nSELECT COUNT(*) FROM t;\nSELECT 1 AS x", "utf-8"
    )
    (folder / "policy.yaml").write_text(corpus.policies()[0], encoding="utf-8")
    (folder / "folder").mkdir(exist_ok=True)
    (folder / "folder" / "t.csv").write_text("id\n1\n", encoding="utf-8")
    (folder / "bad.yaml").write_bytes(b"\xff\xfe unit: \0")
    (folder / "t.yaml").write_text(
        "unit: t.id\nbudget: {eps: 10}\n"
        "tables: {t: {access: private, key: [id], columns: {id: {type: INTEGER}}}}\n",
        encoding="utf-8",
    )
    return folder


def arguments(rng: random.Random) -> Try:
    """The arguments of a command."""
    folder = _files()
    files = [
        str(folder / n)
        for n in ("folder", "policy.yaml", "t.yaml", "bad.yaml", "queries.sql", "no")
    ]
    files += ["", "-", "/", "\0", "x" * 5000, "/dev/null", "\udc80"]
    queries = corpus.queries()["shop"]
    options = (
        *("--policy", "--eps", "--delta", "--noise", "--clipping", "--weight", "--dialect", "-f"),
        *(
            "--format",
            "--intervals",
            "--fresh",
            "--idempotency-key",
            "--ledger",
            "--analyst",
            "--sql",
        ),
        *(
            "--tree",
            "--within",
            "--size",
            "--confidence",
            "--help",
            "--version",
            "--",
            "-c",
            "--zz",
        ),
    )
    values = (
        *files,
        "1",
        "0.5",
        "1e-400",
        "nan",
        "-1",
        "1/3",
        "1e999",
        "json",
        "csv",
        "spark",
        "a=b",
        "1%",
    )
    made = [
        rng.choice(("explain", "estimate", "run", "budget", "help", "batch", "randomize", "zz"))
    ]
    if made[0] in ("run", "batch", "budget") and rng.random() < 0.7:
        made += [files[0], "--policy", str(folder / "t.yaml")]
    elif rng.random() < 0.5:
        made += ["--policy", rng.choice(files)]
    for _ in range(rng.randint(0, 5)):
        made.append(rng.choice(rng.choice((options, values, (rng.choice(queries),)))))
    if rng.random() < 0.2:
        made.append(mutate.text(rng, rng.choice(queries), queries))

    def work() -> bool:
        out, err = io.StringIO(), io.StringIO()
        before = os.getcwd()
        os.chdir(folder)
        os.environ["DPSQL_STATE"] = str(folder / "state")
        code: object = None
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _no_stdin():
                code = main(made)
        except SystemExit as end:
            code = end.code
        finally:
            os.chdir(before)
        known = (exits.OK, exits.USAGE, exits.REJECTED, exits.POLICY, exits.BUDGET, exits.LEDGER)
        unusable = code == exits.INTERNAL and "dpsql: the ledger " in err.getvalue()
        if (
            (code not in known and not unusable)
            or "Traceback" in err.getvalue()
            or "internal" in err.getvalue()
        ):
            raise UntypedExitError(f"exit {code}: {err.getvalue()[-300:]}")
        return code == exits.OK

    return Try(repr(made)[:3000], work)


@contextlib.contextmanager
def _no_stdin():
    import sys

    kept, sys.stdin = sys.stdin, io.StringIO("")
    try:
        yield
    finally:
        sys.stdin = kept


# --- stored answers -----------------------------------------------------------------------------

_ANSWER = (
    '{"shape":"s","groups":[["a",1,{"d":"2020-01-01"},null],["b",2,{"t":"2020-01-01T00:00:00"},true]],'
    '"measures":[[1,{"f":"1/3"}],[2,-3]],"picks":[[],[]],'
    '"noises":[[["laplace","0x1.8p+1"],1],[["gaussian","0x1.8p+1"],{"f":"1/2"}]],'
    '"fineness":[["k",["1/2","3"],null],["k",[],["laplace","0x1p+0"]]],'
    '"parts":{"conditions":["c"],"keys":["a","b","c","d"],"tested":[true,false,true,true],'
    '"measures":["m","n"]}}'
)


def kept(rng: random.Random) -> Try:
    """A stored answer, under a digest that is right."""
    text = mutate.text(rng, _ANSWER, (_ANSWER, "[" * 2000, '{"f":"9e999999"}', "1" * 5000))
    if rng.random() < 0.3:
        text = damaged(rng, _ANSWER.encode()).decode("utf-8", "replace")

    def work() -> bool:
        whole = {"format": stored.FORMAT, "digest": digest("k", "f", text), "answer": text}
        return stored.read(Stored("k", "f", json.dumps(whole))) is not None

    return Try(text, work)


TARGETS: dict[str, tuple[Callable[[random.Random], Try], int]] = {
    "queries compiled": (explained, 600),
    "queries explained in all forms": (told, 30),
    "queries answered": (ran, 40),
    "options of a query": (asked, 10),
    "policies": (policied, 60),
    "verification records": (record, 40),
    "stored answers": (kept, 90),
    "ledgers and witnesses": (ledger, 4),
    "DB-API parameters": (parameters, 90),
    "DB-API queries": (executed, 30),
    "command lines": (arguments, 6),
}
"""Each with how often it is tried, of a thousand."""
