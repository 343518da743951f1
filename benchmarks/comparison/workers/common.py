"""What the workers share: a request is read from stdin as JSON, and one line of JSON is written.

This runs in each system's own environment, so it needs the standard library only.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Protocol

Rows = list[list[Any]]

INTERNAL = (TypeError, AttributeError, LookupError, AssertionError, RecursionError, NameError)
"""Errors by which a program says that it is at fault, not the query."""

ENGINES = ("psycopg2", "sqlalchemy", "duckdb", "_duckdb")
"""Whose errors come from running the rewritten query."""

MARK = "@@"
"""Before the line of JSON: a library may print too."""


class System(Protocol):
    """A system that is open on a database, with its ε and δ set for each query."""

    def answer(self, sql: str) -> Rows:
        """The rows of the private answer."""
        ...

    def cost(self, sql: str) -> object:
        """The ε that the system itself counts for the query, or the event that it describes."""
        ...

    def plain(self, sql: str) -> Rows:
        """The engine's own answer, without privacy."""
        ...


def kind(error: BaseException) -> str:
    """`rejected`, `failed` (in the engine) or `crashed` (a panic or an internal error)."""
    if not isinstance(error, Exception) or isinstance(error, INTERNAL):
        return "crashed"
    modules = {base.__module__.partition(".")[0] for base in type(error).__mro__}
    if type(error).__name__ == "EngineError" or modules & set(ENGINES):
        return "failed"
    return "rejected"


def chain(error: BaseException | None) -> str:
    """All that a caller can read: the error, its cause and its context."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return "\n".join(str(one) for one in seen)


def answers(system: System, request: dict[str, Any]) -> dict[str, Any]:
    """The query again and again, `n` times."""
    return {"draws": [system.answer(request["sql"]) for _ in range(request.get("n", 1))]}


def cost(system: System, request: dict[str, Any]) -> dict[str, Any]:
    """What the system counts for the query."""
    return {"cost": system.cost(request["sql"])}


def spend(system: System, request: dict[str, Any]) -> dict[str, Any]:
    """How many of `n` queries are answered before one is refused."""
    for number in range(request["n"]):
        try:
            system.answer(request["sql"])
        except Exception as error:
            return {"answered": number, "message": str(error)}
    return {"answered": request["n"], "message": ""}


def times(system: System, request: dict[str, Any]) -> dict[str, Any]:
    """Seconds of the plain and the private query, in turn: the least of up to `n` rounds, and no
    new round after a minute."""
    plain, private, rows = math.inf, math.inf, 0
    begun = time.perf_counter()
    for _ in range(request["n"]):
        start = time.perf_counter()
        system.plain(request["sql"])
        middle = time.perf_counter()
        rows = len(system.answer(request["sql"]))
        end = time.perf_counter()
        plain, private = min(plain, middle - start), min(private, end - middle)
        if end - begun > 60:
            break
    return {"plain": plain, "private": private, "rows": rows}


DO = {"answers": answers, "cost": cost, "spend": spend, "times": times}


def outcome(opened: Callable[[dict[str, Any]], System], request: dict[str, Any]) -> dict[str, Any]:
    """What came of one request, errors included."""
    try:
        return {"status": "answered", **DO[request["do"]](opened(request), request)}
    except BaseException as error:
        text = chain(error)
        name = type(error).__name__
        return {"status": kind(error), "message": f"{name}: {error}", "text": text}


def main(opened: Callable[[dict[str, Any]], System]) -> None:
    """Serve the one request on stdin."""
    print(MARK + json.dumps(outcome(opened, json.load(sys.stdin)), default=_plain))


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else str(value)
