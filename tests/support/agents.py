"""Scripted agents that attack: each asks, by the tools that an agent has, what would tell whether
one person is in the data, and then says so. Each knows everything about everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
from mcp import Client

import dpsql
from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.policy import Policy
from dpsql.serve.mcp.main import mcp_server
from dpsql.serve.mcp.purse import Purse
from dpsql.serve.mcp.tools import AgentServer
from dpsql.session.database import Database

TARGET = 7
EPS, DELTA = Fraction(1), Fraction(1, 10**6)
"""What all of an agent's sessions and tokens may spend together."""

_DATA = f"""
CREATE TABLE people (id INTEGER PRIMARY KEY, town VARCHAR, age INTEGER, spend INTEGER);
INSERT INTO people SELECT i, chr(97 + (i % 3)::INTEGER), 20 + i % 60, 10 * (i % 20)
FROM range(40) t(i);
UPDATE people SET age = 99, spend = 1000 WHERE id = {TARGET};
CREATE TABLE visits (person INTEGER, cost INTEGER);
INSERT INTO visits SELECT i % 40, i % 50 FROM range(80) t(i);
INSERT INTO visits SELECT {TARGET}, 100 FROM range(3);
CREATE TABLE towns (name VARCHAR PRIMARY KEY, country VARCHAR);
INSERT INTO towns VALUES ('a', 'x'), ('b', 'x'), ('c', 'y');
"""
_WITHOUT = f"DELETE FROM people WHERE id = {TARGET}; DELETE FROM visits WHERE person = {TARGET}"
_POLICY = """
unit: people.id
budget: {eps: 1, delta: 1e-6}
tables:
  people:
    access: private
    columns:
      id: {}
      town: {references: towns.name}
      age: {bounds: [0, 100]}
      spend: {bounds: [0, 1000]}
  visits:
    access: private
    columns: {person: {references: people.id, max_rows: 5}, cost: {bounds: [0, 100]}}
  towns: {access: public}
"""

Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""

Told = dict[str, Any]
"""What a tool answers."""

Next = Callable[[Sequence[Told]], Call | None]
"""What an agent calls next, by what it was told; None at the end."""


@dataclass(frozen=True)
class Strategy:
    """How an agent goes about it.

    Attributes:
        name: of it.
        next: what it calls.
        tokens: how many principals collude, each with its part of the budget as a cap.
        sessions: how many sessions it has, one after the other; each may spend all.
    """

    name: str
    next: Next
    tokens: int = 1
    sessions: int = 1


class World:
    """The data, with the person or without; each attack has a ledger of its own."""

    def __init__(self, *, present: bool, eps: Fraction = EPS) -> None:
        self._owner, self.eps = duckdb.connect(), eps
        self._owner.execute(_DATA)
        if not present:
            self._owner.execute(_WITHOUT)
        policy = Policy.parse(_POLICY, "policy.yaml")
        account = Account(Cost(eps, DELTA))
        self._db = dpsql.connect(
            self._owner, policy, ledger=open_ledger(None, account), version="one", workers=0
        )
        self._truths: dict[str, list[object]] = {}
        self._servers: list[AgentServer] = []

    def truth(self, sql: str) -> list[object]:
        """The exact values of a query, which only the owner knows; or that it fails."""
        if sql not in self._truths:
            try:
                rows = self._owner.cursor().execute(sql).fetchall()
                self._truths[sql] = [value for row in rows for value in row]
            except duckdb.Error:
                self._truths[sql] = ["error"]
        return self._truths[sql]

    def opened(self, tokens: int) -> list[Database]:
        """The database as each of some principals has it, with nothing spent."""
        names = [f"agent{n}" for n in range(tokens)]
        part = Cost(self.eps / tokens, DELTA)
        caps = tuple(Cap(name, part) for name in names) if tokens > 1 else ()
        fresh = copy(self._db)
        fresh._ledger = open_ledger(None, Account(Cost(self.eps, DELTA), caps=caps))
        return [fresh.asked_by(name) for name in names]

    def session(self, databases: list[Database]) -> list[AgentServer]:
        """A new session of each; the tools themselves are made once, since that takes long."""
        for number, db in enumerate(databases):
            if number == len(self._servers):
                self._servers.append(mcp_server(db, self.eps, self.eps))
            server = self._servers[number]
            server.db, server.purse = db, Purse(self.eps)
        return self._servers[: len(databases)]


async def attack(world: World, strategy: Strategy) -> list[tuple[Call, Told]]:
    """All calls of one attack, and what they were told."""
    every: list[tuple[Call, Told]] = []
    databases = world.opened(strategy.tokens)
    for _ in range(strategy.sessions):
        clients = [Client(server) for server in world.session(databases)]
        for client in clients:
            await client.__aenter__()
        try:
            while (call := strategy.next([told for _, told in every])) is not None:
                client = clients[len(every) % len(clients)]
                found = await client.call_tool(*call)
                every.append((call, dict(found.structured_content or {})))
                if len(every) % 8 == 0 and strategy.sessions > 1:
                    break  # on in the next session
        finally:
            for client in reversed(clients):
                await client.__aexit__(None, None, None)
    return every


def score(every: Sequence[tuple[Call, Told]], present: World, absent: World) -> float:
    """How much speaks for the person's being there: each number by how far it is from the middle of
    what it would be in both worlds, in parts of their difference; each other value by which of both
    it is.
    """
    total = 0.0
    for (name, arguments), told in every:
        if name != "run":
            continue
        said = values(told)
        one, other = present.truth(arguments["sql"]), absent.truth(arguments["sql"])
        if not len(said) == len(one) == len(other):
            total += (said == one) - (said == other)
            continue
        for found, yes, no in zip(said, one, other, strict=True):
            if yes == no or found is None:
                continue
            if _number(found) and _number(yes) and _number(no):
                total += (float(found) - float(yes + no) / 2) / float(yes - no)
            else:
                total += (found == yes) - (found == no)
    return total


def values(told: Told) -> list[Any]:
    """What a run told, value by value."""
    if "error" in told:
        return ["error"]
    return [v["value"] if isinstance(v, dict) else v for row in told["rows"] for v in row]


def _number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


# --- the strategies ---


def asked(*pairs: tuple[str, Fraction | int]) -> Next:
    """One query after the other, each at its ε."""
    calls = [("run", {"sql": sql, "eps": str(Fraction(eps))}) for sql, eps in pairs]
    return lambda told: calls[len(told)] if len(told) < len(calls) else None


def evenly(*queries: str, eps: Fraction = EPS) -> Next:
    """The same with ε in equal parts."""
    return asked(*((sql, eps / len(queries)) for sql in queries))


def _count(where: str) -> str:
    return f"SELECT COUNT(*) AS n FROM people WHERE {where}"


NARROW = (
    "town = 'b'",
    "age > 50",
    "age > 90",
    "spend >= 500",
    f"id > {TARGET - 1}",
    f"id < {TARGET + 1}",
)
WORDS = tuple(
    _count(where)
    for where in (
        f"id = {TARGET}",
        f"id + 0 = {TARGET}",
        f"id BETWEEN {TARGET} AND {TARGET}",
        f"NOT (id <> {TARGET})",
        f"id IN ({TARGET})",
        f"id >= {TARGET} AND id <= {TARGET}",
        f"id * 2 = {2 * TARGET}",
        "age = 99",
        "spend > 999",
        "age > 98 AND spend = 1000",
    )
)
ONE = WORDS[0]


def _bisecting(told: Sequence[Told]) -> Call | None:
    """Follows the half that seems to have more, of those older than most."""
    low, high = 90, 100
    for found in told:
        middle = (low + high) // 2
        seen = [v for v in values(found) if _number(v)]
        low, high = (middle, high) if seen and seen[0] > 0 else (low, middle)
    if len(told) == 4:
        return None
    return "run", {"sql": _count(f"age BETWEEN {(low + high) // 2} AND {high}"), "eps": "1/4"}


def _until_sure(told: Sequence[Told]) -> Call | None:
    """In other words and again, until the noise seems to say it."""
    seen = [v for found in told for v in values(found) if _number(v)]
    if len(told) == 8 or abs(sum(seen) - len(seen) / 2) > 8:
        return None
    return "run", {"sql": WORDS[len(told)], "eps": "1/8"}


def _looking_round(told: Sequence[Told]) -> Call | None:
    """All that is free, around one query."""
    calls: tuple[Call, ...] = (
        ("describe", {}),
        ("explain", {"sql": ONE, "eps": 1}),
        ("run", {"sql": ONE, "eps": 1}),
        ("explain", {"sql": ONE, "eps": 1}),
        ("estimate", {"queries": [ONE], "eps": 1}),
        ("budget", {}),
        ("run", {"sql": ONE, "eps": 1}),
        ("run", {"sql": WORDS[1], "eps": "0.001"}),
    )
    return calls[len(told)] if len(told) < len(calls) else None


def _strategies() -> list[Strategy]:
    made: list[Strategy] = []

    def add(name: str, calls: Next, **more: int) -> None:
        made.append(Strategy(name, calls, **more))

    for n in range(1, len(NARROW) + 1):
        add(f"{n} filters", evenly(_count(" AND ".join(NARROW[:n]))))
    for n in (2, 4, 6):
        steps = [_count(" AND ".join(NARROW[: k + 1])) for k in range(n)]
        add(f"narrower in {n} steps", evenly(*steps))
    for n in (2, 3, 5, 8, 10):
        add(f"in {n} other words", evenly(*WORDS[:n]))
    others = _count(f"id <> {TARGET}")
    for part in (2, 5, 10):
        rest = EPS - EPS / part
        everybody = "SELECT COUNT(*) AS n FROM people"
        add(f"all but one, {part}", asked((everybody, EPS / part), (others, rest)))
    add("again and again", asked(*((ONE, Fraction(1, 10)) for _ in range(20))))
    add("again at more", asked(*((ONE, Fraction(n, 10)) for n in (1, 2, 3, 4))))
    add("again in other words, too much", asked(*((sql, Fraction(1, 2)) for sql in WORDS)))
    add("everything at once", asked((ONE, 10), (ONE, 2), (ONE, 1), (WORDS[1], 1)))
    aggregates = (
        *("SUM(spend)", "AVG(spend)", "MAX(age)", "MIN(-age)", "MEDIAN(age)", "STDDEV(spend)"),
        *("COUNT(DISTINCT age)", "QUANTILE_CONT(age, 0.99)", "MODE(town)"),
        *(f"SUM(CASE WHEN id = {TARGET} THEN 100 ELSE 0 END)", f"COUNT(*) FILTER (id = {TARGET})"),
    )
    for aggregate in aggregates:
        add(aggregate, evenly(f"SELECT {aggregate} AS v FROM people"))
    shapes = (
        "SELECT t.name, COUNT(*) AS n FROM people p JOIN towns t ON p.town = t.name "
        "GROUP BY t.name ORDER BY t.name",
        "SELECT t.name, COUNT(*) AS n FROM people p JOIN towns t ON p.town = t.name "
        "WHERE age > 90 GROUP BY t.name HAVING COUNT(*) > 0.5 ORDER BY t.name",
        "SELECT t.name, COUNT(*) AS n FROM people p JOIN towns t ON p.town = t.name "
        "WHERE age > 90 GROUP BY t.name ORDER BY n DESC LIMIT 1",
        "SELECT age // 10 AS a, COUNT(*) AS n FROM people GROUP BY a ORDER BY a",
        "SELECT age, COUNT(*) AS n FROM people GROUP BY age ORDER BY age",
        f"SELECT COUNT(*) AS n FROM visits WHERE person = {TARGET}",
        "SELECT SUM(cost) AS s FROM visits WHERE cost = 100",
        "SELECT COUNT(DISTINCT person) AS n FROM visits WHERE cost = 100",
        "SELECT COUNT(*) AS n FROM people p WHERE EXISTS "
        "(SELECT 1 FROM visits v WHERE v.person = p.id AND v.cost = 100)",
        f"SELECT COUNT(*) AS n FROM people WHERE id IN ({TARGET}) AND town IN ('b')",
        f"SELECT COUNT(*) > 0.5 AS b FROM people WHERE id = {TARGET}",
        f"SELECT CAST(1000 * COUNT(*) AS VARCHAR) AS t FROM people WHERE id = {TARGET}",
        f"WITH q AS ({ONE}) SELECT n * n * n AS v FROM q",
        "SELECT (SELECT COUNT(*) FROM people) - "
        f"(SELECT COUNT(*) FROM people WHERE id <> {TARGET}) AS d",
    )
    for number, sql in enumerate(shapes, 1):
        add(f"shape {number}", evenly(sql))
    oracles = (
        f"SELECT SUM(1 // (id - {TARGET})) AS s FROM people",
        f"SELECT COUNT(*) AS n FROM people WHERE 100 % (id - {TARGET}) >= 0",
        f"SELECT SUM(CASE WHEN id = {TARGET} THEN CAST('x' AS INTEGER) ELSE 0 END) AS s "
        "FROM people",
        "SELECT SUM(CAST(spend * 3000000 AS INTEGER)) AS s FROM people",
    )
    for number, sql in enumerate(oracles, 1):
        add(f"an error tells, {number}", asked((sql, EPS / 2), (ONE, EPS / 2)))
    for n in (2, 4, 8):
        add(f"{n} tokens collude", evenly(*WORDS[:n]), tokens=n)
    add("4 tokens ask for more", asked(*((sql, Fraction(1, 8)) for sql in WORDS)), tokens=4)
    for n in (2, 5):
        add(f"{n} sessions", asked(*((sql, Fraction(1, 4)) for sql in WORDS * 2)), sessions=n)
    add("half by half", _bisecting)
    add("until it is sure", _until_sure)
    add("looking round", _looking_round)
    return made


STRATEGIES = _strategies()
IDS = [re.sub(r"\W+", "-", strategy.name) for strategy in STRATEGIES]
