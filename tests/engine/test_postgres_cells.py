"""Exact cells of accepted queries, on drawn databases: those that PostgreSQL computes are DuckDB's.

Of a hash any function will do, so both are given the same one here: which rows are kept where a
unit has too many is then the same, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from dpsql.compile import ReleasedQuery
from dpsql.core.release.statements import statements
from dpsql.core.schema import Schema
from dpsql.platform.engine.far.about import ABOUT
from dpsql.platform.engine.far.operators import Call, Parameter, Rows, Unsupported, below
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.platform.engine.far.postgres_language import POSTGRES
from tests.support import grammar
from tests.support.brute import repeat
from tests.support.databases import BROKEN, HOLD, Database, databases
from tests.support.effort import tries
from tests.support.policies import load
from tests.support.postgres_store import PostgresStore
from tests.support.store import ANY, Store, in_world, source

EVERY, PARTS = tries(120, 1), tries(1, 16)
"""Of so many cases one."""
EXAMPLES = 6
"""Databases of each."""

CASES = [case for case in grammar.every() if grammar.accepted(case)]

_HERE = "CREATE MACRO same_hash({names}) AS ('0x' || substr(md5({text}), 1, 15))::BIGINT::UBIGINT"
_ARG = "coalesce('v' || {}::VARCHAR, 'n') || '|'"


def same(store: Store) -> None:
    """Give DuckDB the hash that is the same in both."""
    forms = []
    for size in range(1, 12):
        names = [f"a{n}" for n in range(size)]
        text = " || ".join(_ARG.format(n) for n in names)
        forms.append(_HERE.format(names=", ".join(names), text=text).split("same_hash", 1)[1])
    store.connection.execute("CREATE MACRO same_hash" + ", ".join(forms))


def _call(node: Call, args: Sequence[str]) -> str:
    if node.name == ABOUT:
        raise Unsupported("what need not be the same")
    if node.name != "hash":
        return POSTGRES.call(node, args)
    if any(a.type.is_float or a.type.is_temporal or a.type.is_boolean for a in node.args):
        raise Unsupported("a hash of what both write in other ways")
    parts = (f"coalesce('v' || CAST({value} AS TEXT), 'n') || '|'" for value in args)
    bits = f"('x0' || substr(md5({' || '.join(parts)}), 1, 15))"
    return f"CAST(CAST(CAST({bits} AS BIT(64)) AS BIGINT) AS NUMERIC)"


LANGUAGE = replace(POSTGRES, call=_call)


class Pair(PostgresStore):
    """A store of drawn databases, and its tables there."""

    def __init__(self, schema: Schema, postgres: Postgres) -> None:
        super().__init__(schema, postgres, LANGUAGE)
        same(self)

    def agree(self, sql: str) -> bool:
        """Whether both have the same rows."""
        plan = self.plan(sql)
        assert plan is not None
        here = self.connection.execute(re.sub(r"\bHASH\(", "same_hash(", sql)).fetchall()
        return sorted(map(_shown, self.there(plan, {}))) == sorted(map(_shown, here))


def _shown(row: tuple[object, ...]) -> str:
    """Of 0.0 and -0.0, which are one key, a group has either."""
    return repr(tuple(v + 0.0 if isinstance(v, float) else v for v in row))


@pytest.fixture(scope="module")
def pairs(server: str) -> Iterator[dict[str, Pair]]:
    postgres = Postgres(server.format("postgres"), "server", {})
    made = {p: Pair(load(p).schema, postgres) for p in {case.policy for case in CASES}}
    yield made
    postgres.close()


def drawn(case: grammar.Case) -> list[Database]:
    loaded, found = load(case.policy), list[Database]()
    claims = HOLD if loaded.verified else BROKEN
    repeat(databases(loaded, case.query, claims), found.append, EXAMPLES)
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_cells_of_accepted_queries_are_duckdbs(part: int, pairs: dict[str, Pair]) -> None:
    wrong, said = [], 0
    for case in CASES[::EVERY][part::PARTS]:
        query = grammar.compiled_anew(case).query
        if not isinstance(query, ReleasedQuery):
            continue
        pair = pairs[case.policy]
        texts = [statements(release, source(ANY)) for release in query.releases]
        if not any(_is_said(pair, sql) for text in texts for sql in text.every):
            continue
        worlds = drawn(case)
        pair.fill(worlds)
        for text in texts:
            for world in range(len(worlds)):
                for sql in in_world(text, world).every:
                    if not _is_said(pair, sql):
                        continue
                    said += 1
                    if not pair.agree(sql):
                        wrong.append((case.name, world))
    assert wrong == [] and said > 10


def _is_said(pair: Pair, sql: str) -> bool:
    """Whether it can be, and reads no released rows."""
    if pair.lacks(sql) is not None or (plan := pair.plan(sql)) is None:
        return False
    pending, rows = [plan], list[Rows]()
    while pending:
        one = pending.pop()
        rows += [one] if isinstance(one, Rows) else []
        pending += below(one)
    return not any(isinstance(e, Parameter) for r in rows for row in r.rows for e in row)
