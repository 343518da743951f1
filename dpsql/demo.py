"""The demo: a small shop of 10,000 customers and 100,000 orders, made by SQL in about a second.

Everything in it is invented, deterministic, and the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import duckdb

from dpsql.errors import PolicyError, Rejected
from dpsql.platform.engine.sandbox import no_bar
from dpsql.platform.policy import Policy
from dpsql.report.result import Answer
from dpsql.session.connect import connect
from dpsql.session.database import Database

DATABASE_FILE = "shop.duckdb"
POLICY_FILE = "shop.yaml"
"""What `save` calls its two files."""

QUERY = """\
SELECT r.region, COUNT(*) AS orders, AVG(o.shipping) AS shipping
FROM orders AS o
JOIN customers AS c ON c.customer_id = o.customer_id
JOIN regions AS r ON r.region_id = c.region_id
WHERE o.ordered_on >= DATE '2025-01-01'
GROUP BY r.region
ORDER BY r.region"""
"""What `dpsql demo` asks."""

REJECTED = "SELECT email, birth_year FROM customers WHERE trust < 0.1"
"""What `dpsql demo` asks and does not get."""

EPS = 0.5
"""What `dpsql demo` spends."""


def policy() -> Policy:
    """The demo's policy."""
    return Policy.parse(_text("demo.yaml"), "demo.yaml")


def connection(path: str | Path = ":memory:") -> duckdb.DuckDBPyConnection:
    """The shop's data as its owner sees it: a plain DuckDB connection, not private at all.

    Args:
        path: where to put it; in memory by default.
    """
    made = duckdb.connect(str(path))
    no_bar(made)
    made.execute(_text("demo.sql"))
    return made


def database() -> Database:
    """The shop in memory under its policy, with a budget of its own."""
    return connect(connection(), policy(), version="demo")


def save(folder: str | Path) -> tuple[Path, Path]:
    """Write the shop as a DuckDB file and a policy file into `folder`; returns the two.

    Raises:
        PolicyError: the folder cannot be written, or one of the files is there already.
    """
    place = Path(folder)
    data, declared = place / DATABASE_FILE, place / POLICY_FILE
    for file in (data, declared):
        if file.exists():
            raise PolicyError("is there already; nothing was written", file=str(file))
    try:
        place.mkdir(parents=True, exist_ok=True)
        # The first line names a schema that only `dpsql init` writes.
        _, _, text = _text("demo.yaml").partition("\n")
        declared.write_text(text, encoding="utf-8")
        connection(data).close()
    except (OSError, duckdb.Error) as error:
        reason = getattr(error, "strerror", None) or "DuckDB cannot write there"
        raise PolicyError(f"cannot be written: {reason}", file=str(place)) from None
    return data, declared


def lines() -> Iterator[str]:
    """The tour that `dpsql demo` prints: explain, run, the truth beside it, cost, a rejection."""
    owner = connection()
    with connect(owner, policy()) as db:
        yield "An analyst asks:\n"
        yield _indented(QUERY)
        yield "\nWhat it would release and cost. Nothing is read and nothing is charged for this:\n"
        yield _indented(str(db.explain(QUERY, EPS)))
        answer = db.run(QUERY, EPS)
        yield f"\nThe answer at ε = {EPS:g}, ± at 95 %:\n"
        yield _indented(str(answer))
        yield "\nThe truth beside it, which only the owner can see:\n"
        yield from _beside(answer, owner.execute(QUERY).fetchall())
        yield f"\nIt cost {answer.cost}. The budget: {db.budget}."
        yield "\nA query about individuals is rejected, before anything is read:\n"
        try:
            db.run(REJECTED, EPS)
        except Rejected as rejected:
            yield _indented(str(rejected))
        yield f"\nThe budget: {db.budget}."


def _beside(answer: Answer, truth: list[tuple[object, ...]]) -> Iterator[str]:
    """Each number's true value and error. An exact query leaves out the groups without rows."""
    exact = {row[0]: row[1:] for row in truth}
    yield f"  {'region':<8}  {'orders':>8}  {'error':>7}  {'shipping':>8}  {'error':>8}"
    for region, orders, shipping in answer.rows:
        true_orders, true_shipping = exact.get(region, (0, None))
        line = f"  {region:<8}  {true_orders:>8,}  {orders - true_orders:>+7,}"
        if isinstance(true_shipping, float):
            line += f"  {true_shipping:>8.2f}  {shipping - true_shipping:>+8.4f}"
        else:
            line += f"  {'none':>8}"
        yield line


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())


def _text(name: str) -> str:
    return (files("dpsql.data") / name).read_text(encoding="utf-8")
