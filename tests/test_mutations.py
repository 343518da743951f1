"""The tests have teeth: each mutant of dpsql, made in this process, is killed by a named check.

Most mutants are an edit of one rule, in `mutants.txt`; the others are functions here. What each
does wrong is told in `MUTATIONS.md`; the last test compares its table with the mutants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlglot import exp

import dpsql.core.enforce.lattice
import dpsql.core.enforce.quota_sql
import dpsql.core.infer.properties
import dpsql.core.release.arguments
import dpsql.core.release.bound
import dpsql.core.release.queries
import dpsql.core.release.release
import dpsql.core.shape.attach_unit
import dpsql.execution.run
import dpsql.front.resolve.group_by
import dpsql.session.database
from dpsql.core.account.amount import Cost
from dpsql.core.functions import BY_NAME
from dpsql.core.infer.unit import UNIT, Anchor
from dpsql.core.noise import sampler
from dpsql.core.plan.nodes import Scan, nodes
from dpsql.errors import Rejected
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support import answers, brute, grammar
from tests.support.checks import charged_first, find, noise_is_fresh
from tests.support.edits import edits
from tests.support.grammar import EPS, Case

Patch = pytest.MonkeyPatch
Check = Callable[[Case], None]

NEIGHBOURS, ANSWERS, UNCHANGED = 200, 40, 3
"""How many databases are drawn: for a mutant until one kills it, and where nothing is changed."""


def _draw(patch: Patch, neighbours: int, answered: int) -> None:
    for module, examples in ((brute, neighbours), (answers, answered)):
        repeat = partial(_repeat, examples=examples)
        patch.setattr(module, "repeat", repeat)


def _repeat(strategy: object, check: Any, _: int, *, examples: int) -> None:
    REPEAT(strategy, check, examples, shrink=False)


REPEAT = brute.repeat


def neighbours(case: Case) -> None:
    compiled = grammar.compiled_anew(case)
    brute.check_neighbours(compiled, case.policy)


def answered(case: Case) -> None:
    compiled = grammar.compiled_anew(case)
    answers.check_answers(compiled, case.policy, compare=True)


def verdict(case: Case) -> None:
    grammar.compiled.cache_clear()
    try:
        assert grammar.verdict(case) == case.golden
    finally:
        grammar.compiled.cache_clear()


# --- mutants -------------------------------------------------------------------------------------


def delta_minus_one(patch: Patch) -> None:
    bound = dpsql.core.release.bound
    true = bound.add_remove
    patch.setattr(bound, "add_remove", lambda c: replace(true(c), l1=true(c).l1 - 1))


def no_clamp(patch: Patch) -> None:
    patch.setitem(BY_NAME, "clamp", replace(BY_NAME["clamp"], sql=lambda args, node: args[0]))


def no_unit_bound(patch: Patch) -> None:
    patch.setattr(dpsql.core.release.queries, "must_enforce", lambda rows: False)


def _cells(patch: Patch, change: Callable[[Any], Any]) -> None:
    builder = dpsql.core.release.queries.Builder
    true = builder.cells
    patch.setattr(builder, "cells", lambda *args, **named: change(true(*args, **named)))


def quota_plus_one(patch: Patch) -> None:
    _cells(patch, lambda c: replace(c, quota=c.quota + 1))


def sums_not_scaled(patch: Patch) -> None:
    patch.setattr(dpsql.core.enforce.quota_sql, "_scaled", lambda lattice, name, now, then: name)


def unit_by_name(patch: Patch) -> None:
    true = dpsql.core.infer.properties.scan_anchors

    def named(scan: Any, schema: Any) -> dict[int, Anchor]:
        return true(scan, schema) | {
            c.id: UNIT for c in scan.columns if c.name.lower() == schema.unit_column
        }

    for module in (
        dpsql.core.infer.properties,
        dpsql.core.shape.attach_unit,
        dpsql.front.resolve.group_by,
    ):
        patch.setattr(module, "scan_anchors", named)


def rows_of_nobody(patch: Patch) -> None:
    _cells(patch, lambda c: replace(c, unit_not_null=False))


def null_becomes_a_bound(patch: Patch) -> None:
    def extremes(args: list[exp.Expr], node: Any) -> exp.Expr:
        inner = exp.Anonymous(this="greatest", expressions=[args[0], args[1]])
        return exp.Anonymous(this="least", expressions=[inner, args[2]])

    patch.setitem(BY_NAME, "clamp", replace(BY_NAME["clamp"], sql=extremes))


def no_domain_filter(patch: Patch) -> None:
    _cells(patch, lambda c: replace(c, members=()))


def lattice_inward(patch: Patch) -> None:
    arguments = dpsql.core.release.arguments
    true = arguments.on_lattice

    def inward(expr: Any, values: Any) -> Any:
        found = true(expr, values)
        low, high = values.low / found.step, values.high / found.step
        return replace(found, low=-int(-low // 1), high=int(high // 1))

    patch.setattr(arguments, "on_lattice", inward)


def noise_reused(patch: Patch) -> None:
    true = sampler.noise
    kept: list[int] = []

    def again(made: Any, n: int) -> list[int]:
        kept.extend(true(made, 1) if not kept else [])
        return kept * n

    patch.setattr(sampler, "noise", again)


def no_noise(patch: Patch) -> None:
    patch.setattr(sampler, "noise", lambda made, n: [0] * n)


def not_charged(patch: Patch) -> None:
    database = dpsql.session.database
    true = database.execute
    other = MemoryLedger(Cost(EPS * 10**30))

    def elsewhere(query: Any, run: Any, request: Any) -> Any:
        return true(query, replace(run, ledger=other), request)

    patch.setattr(database, "execute", elsewhere)


def charged_late(patch: Patch) -> None:
    database = dpsql.session.database
    true = database.execute

    def late(query: Any, run: Any, request: Any) -> Any:
        rows = true(query, replace(run, ledger=MemoryLedger(Cost(EPS * 10**30))), request)
        text = query.compiled.text
        run.ledger.reserve(query.compiled.cost, dpsql.execution.run.Entry(text, "[]"))
        return rows

    patch.setattr(database, "execute", late)


def groups_from_data(patch: Patch) -> None:
    true = brute.public_groups

    def present(release: Any, snapshot: Any, source: Any) -> Any:
        table = source(grammar.load("shop").schema.tables["customers"]).sql(dialect="duckdb")
        seen = {r[0] for r in snapshot.rows(f"SELECT segment FROM {table} AS c")}
        return [g for g in true(release, snapshot, source) if g[0] in seen]

    patch.setattr(brute, "public_groups", present)


def quota_of_tables_alone(patch: Patch) -> None:
    def without(made: Any) -> Any:
        derived = any(not isinstance(node, Scan) for node in nodes(made.plan))
        return replace(made, quota=None) if derived else made

    _cells(patch, without)


def feeds_of_each_database(patch: Patch) -> None:
    source = brute.source

    def see(self: brute.Measured, world: int) -> list[brute.Seen]:
        with patch.context() as here:
            here.setattr(brute, "source", lambda _: source(world))
            self.feeds = self._fed()
        return [self._see(number, one, world) for number, one in enumerate(self.releases)]

    patch.setattr(brute.Measured, "see", see)


EDITS = Path(__file__).with_name("mutants.txt")
CHECKS: dict[str, Check] = {c.__name__: c for c in (neighbours, answered, verdict)}

MUTANTS: tuple[tuple[Callable[[Patch], None], Check, str], ...] = (
    (delta_minus_one, neighbours, "count/customers"),
    (no_clamp, neighbours, "sum/integer"),
    (no_unit_bound, neighbours, "count/orders"),
    (quota_plus_one, neighbours, "visits/count"),
    (sums_not_scaled, neighbours, "visits/sum"),
    (unit_by_name, verdict, "join/not-the-unit-by-name"),
    (unit_by_name, neighbours, "join/not-the-unit-by-name"),
    (rows_of_nobody, neighbours, "count/orders"),
    (null_becomes_a_bound, answered, "sum/with-nulls"),
    (no_domain_filter, neighbours, "group_by/declared-values"),
    (lattice_inward, neighbours, "row_unit/average"),
    (noise_reused, noise_is_fresh, "group_by/declared-values"),
    (no_noise, noise_is_fresh, "group_by/declared-values"),
    (not_charged, answered, "count/orders"),
    (charged_late, charged_first, "count/orders"),
    (groups_from_data, neighbours, "group_by/declared-values"),
    (rows_of_nobody, neighbours, "per_unit/sum-of-counts"),
    (quota_of_tables_alone, neighbours, "set_operations/same-table-twice"),
    (feeds_of_each_database, neighbours, "subquery_in/released"),
    *((mutant, CHECKS[check], name) for mutant, check, name in edits(EDITS)),
)


@pytest.mark.parametrize(
    ("mutant", "check", "name"),
    [
        pytest.param(
            m, c, n, marks=() if c is verdict else pytest.mark.deep, id=f"{m.__name__}-{c.__name__}"
        )
        for m, c, n in MUTANTS
    ],
)
@pytest.mark.one_in(3)
def test_mutant_is_killed(
    mutant: Callable[[Patch], None], check: Check, name: str, monkeypatch: Patch
) -> None:
    _draw(monkeypatch, NEIGHBOURS, ANSWERS)
    mutant(monkeypatch)
    with pytest.raises((AssertionError, duckdb.Error, Rejected)) as caught:
        check(find(name))  # what is accepted never fails, and the checker follows it
    assert not isinstance(caught.value, Rejected) or caught.value.code == "DP601"


@pytest.mark.parametrize("mutant", {m: None for m, _, _ in MUTANTS}, ids=lambda m: m.__name__)
def test_mutant_can_be_made(mutant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """What it changes is still said once, where it says so."""
    mutant(monkeypatch)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("check", "name"), sorted({(c, n) for _, c, n in MUTANTS if c is not verdict}, key=str)
)
def test_the_check_passes_without_a_mutant(check: Check, name: str, monkeypatch: Patch) -> None:
    _draw(monkeypatch, UNCHANGED, UNCHANGED)
    case = find(name)
    if grammar.accepted(case):
        check(case)


def test_the_table_names_every_mutant() -> None:
    text = Path(__file__).with_name("MUTATIONS.md").read_text(encoding="utf-8")
    where = {neighbours: "neighbours", answered: "answers", verdict: "verdict"}
    table = [row.split("|") for row in text.splitlines() if row.startswith("| `")]
    assert [(row[1].strip(), row[3].strip(), row[4].strip()) for row in table] == [
        (
            f"`{mutant.__name__}`",
            f"`{name if check in where else check.__name__}`",
            where.get(check, "check"),
        )
        for mutant, check, name in MUTANTS
    ]
