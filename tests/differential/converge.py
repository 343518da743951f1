"""Whole drawn queries over private tables, at an ε at which there is no noise: dpsql's answer
beside the engine's own to the analyst's text, on data that keep every claim of the policy."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from dpsql.proven import PublicQuery
from tests.adversarial.queries import Query, queries
from tests.adversarial.test_generated import divides, set_aside, some
from tests.support.answers import Home, check_equal
from tests.support.databases import PLAIN
from tests.support.noiseless import NO_NOISE, noiseless
from tests.support.policies import load

Rows = list[tuple[object, ...]]


def both(held: Home, sql: str) -> tuple[Rows, Rows]:
    """dpsql's rows without noise, and the engine's."""
    with noiseless():
        mine = held.run(sql, eps=NO_NOISE).rows
    return [*mine], held.connection.execute(sql).fetchall()


def plain(row: tuple[object, ...]) -> str:
    return repr([round(float(v), 6) if isinstance(v, int | float | Decimal) else v for v in row])


def converging(policy: str, count: int, start: int) -> Counter[str]:
    """What became of so many drawn queries: "rejected", "public", "equal", or by which declared
    difference they were set aside.

    Args:
        policy: of the grammar tests.
        count: how many are drawn.
        start: the seed.

    Raises:
        AssertionError: an answer that is not the engine's own.
    """
    loaded, tally = load(policy), Counter[str]()

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(policy), st.integers(0, 10**6))
    def run(query: Query, number: int) -> None:
        tally["drawn"] += 1
        try:
            compiled = compile_query(query.text, loaded.schema, Fraction(1))
        except Rejected:
            tally["rejected"] += 1
            return
        if isinstance(compiled.query, PublicQuery):
            tally["public"] += 1
            return
        if aside := set_aside(query):
            tally.update(aside)
            return
        for database in some(compiled, query, PLAIN, number, 1):
            # Rows that lead to no row of a public table are in no group that it lists.
            if all(database[n] for n, t in loaded.schema.tables.items() if not t.private):
                check_equal(compiled, policy, database, quotient=divides(query))
                tally["equal"] += 1
            else:
                tally["no public row"] += 1

    run()
    return tally
