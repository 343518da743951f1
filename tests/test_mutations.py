"""The tests have teeth: each mutant of dpsql, made in this process, is killed by a named check.

| mutant | what is wrong | killed by the grammar case | where it fails |
|---|---|---|---|
| `delta_minus_one` | every L1 bound is one step too small | `count/customers` | neighbours |
| `no_clamp` | values beyond the bounds are summed as they are | `sum/integer` | neighbours |
| `no_unit_bound` | a unit's rows are not cut down to its quota | `count/orders` | neighbours |
| `quota_plus_one` | a unit keeps one row too many | `visits/count` | neighbours |
| `sums_not_bounded` | a heavy unit keeps its sum, though not its rows | `visits/sum` | neighbours |
| `unit_by_name` | a column is the unit if called like it | `join/not-the-unit-by-name` | verdict |
| `unit_by_name` | the same, as far as its answer goes | `join/not-the-unit-by-name` | neighbours |
| `rows_of_nobody` | rows without a unit are counted | `count/orders` | neighbours |
| `null_becomes_a_bound` | a clamp made of LEAST and GREATEST | `sum/with-nulls` | answers |
| `no_domain_filter` | rows of other groups are counted | `group_by/declared-values` | neighbours |
| `lattice_inward` | lattice ends are rounded inward | `row_unit/average` | neighbours |
| `noise_reused` | the same noise for every number | `noise_is_fresh` | check |
| `no_noise` | none at all | `noise_is_fresh` | check |
| `not_charged` | the answer is given, the ledger not asked | `count/orders` | answers |
| `charged_late` | the ledger is charged after the engine was asked | `charged_first` | check |
| `groups_from_data` | groups without rows are left out | `group_by/declared-values` | neighbours |

The same table is in `MUTATIONS.md`; the last test compares the two with the mutants below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp

import dpsql.analyze.properties
import dpsql.execution.run
import dpsql.rewrite.attach_unit
import dpsql.rewrite.join_order
import dpsql.rewrite.lattice
import dpsql.sensitivity.arguments
import dpsql.sensitivity.bound
import dpsql.sensitivity.release
import dpsql.session
from dpsql.accounting.amount import Cost
from dpsql.accounting.memory_ledger import MemoryLedger
from dpsql.mechanism import sampler
from dpsql.sql.functions import BY_NAME
from tests.support import answers, brute, grammar
from tests.support.checks import charged_first, find, noise_is_fresh
from tests.support.grammar import EPS, Case

Patch = pytest.MonkeyPatch
Check = Callable[[Case], None]


def neighbours(case: Case) -> None:
    compiled = grammar.compile_query(case.query, grammar.load(case.policy).schema, EPS)
    brute.check_neighbours(compiled, case.policy)


def answered(case: Case) -> None:
    compiled = grammar.compile_query(case.query, grammar.load(case.policy).schema, EPS)
    answers.check_answers(compiled, case.policy, compare=True)


def verdict(case: Case) -> None:
    grammar.compiled.cache_clear()
    try:
        assert grammar.verdict(case) == case.golden
    finally:
        grammar.compiled.cache_clear()


# --- mutants -------------------------------------------------------------------------------------


def delta_minus_one(patch: Patch) -> None:
    bound = dpsql.sensitivity.bound
    true = bound.add_remove
    patch.setattr(bound, "add_remove", lambda c: replace(true(c), l1=true(c).l1 - 1))


def no_clamp(patch: Patch) -> None:
    patch.setitem(BY_NAME, "clamp", replace(BY_NAME["clamp"], sql=lambda args, node: args[0]))


def no_unit_bound(patch: Patch) -> None:
    patch.setattr(dpsql.sensitivity.release, "_must_enforce", lambda rows: False)


def _cells(patch: Patch, change: Callable[[Any], Any]) -> None:
    release = dpsql.sensitivity.release
    true = release._cells
    patch.setattr(release, "_cells", lambda *args: change(true(*args)))


def quota_plus_one(patch: Patch) -> None:
    _cells(patch, lambda c: replace(c, quota=c.quota + 1))


def sums_not_bounded(patch: Patch) -> None:
    import dpsql.rewrite.cells_sql

    patch.setattr(dpsql.rewrite.cells_sql, "_clamped", lambda lattice, value, kept: value)


def unit_by_name(patch: Patch) -> None:
    true = dpsql.analyze.properties.scan_anchors

    def named(scan: Any, schema: Any) -> dict[int, str]:
        return true(scan, schema) | {
            c.id: "" for c in scan.columns if c.name.lower() == schema.unit_column
        }

    for module in (
        dpsql.analyze.properties,
        dpsql.rewrite.attach_unit,
        dpsql.rewrite.join_order,
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
    arguments = dpsql.sensitivity.arguments
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
    true = dpsql.session.execute
    other = MemoryLedger(Cost(EPS * 10**30))

    def elsewhere(query: Any, statements: Any, engine: Any, ledger: Any, *rest: Any) -> Any:
        return true(query, statements, engine, other, *rest)

    patch.setattr(dpsql.session, "execute", elsewhere)


def charged_late(patch: Patch) -> None:
    true = dpsql.session.execute

    def late(query: Any, statements: Any, engine: Any, ledger: Any, *rest: Any) -> Any:
        rows = true(query, statements, engine, MemoryLedger(Cost(EPS * 10**30)), *rest)
        ledger.reserve(query.cost, dpsql.execution.run.Entry(query.text, "[]"))
        return rows

    patch.setattr(dpsql.session, "execute", late)


def groups_from_data(patch: Patch) -> None:
    true = brute.group_rows

    def present(domain: Any, columns: Any, snapshot: Any, source: Any) -> Any:
        table = source(grammar.load("shop").schema.tables["customers"]).sql(dialect="duckdb")
        seen = {r[0] for r in snapshot.rows(f"SELECT segment FROM {table} AS c")}
        return [g for g in true(domain, columns, snapshot, source) if g[0] in seen]

    patch.setattr(brute, "group_rows", present)


MUTANTS: tuple[tuple[Callable[[Patch], None], Check, str], ...] = (
    (delta_minus_one, neighbours, "count/customers"),
    (no_clamp, neighbours, "sum/integer"),
    (no_unit_bound, neighbours, "count/orders"),
    (quota_plus_one, neighbours, "visits/count"),
    (sums_not_bounded, neighbours, "visits/sum"),
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
)


@pytest.mark.parametrize(
    ("mutant", "check", "name"),
    MUTANTS,
    ids=[f"{m.__name__}-{c.__name__}" for m, c, _ in MUTANTS],
)
def test_mutant_is_killed(
    mutant: Callable[[Patch], None], check: Check, name: str, monkeypatch: Patch
) -> None:
    mutant(monkeypatch)
    with pytest.raises(AssertionError):
        check(find(name))


@pytest.mark.parametrize(
    ("check", "name"), sorted({(c, n) for _, c, n in MUTANTS if c is not verdict}, key=str)
)
def test_the_check_passes_without_a_mutant(check: Check, name: str) -> None:
    case = find(name)
    if grammar.accepted(case):
        check(case)


def test_the_table_names_every_mutant() -> None:
    text = Path(__file__).with_name("MUTATIONS.md").read_text(encoding="utf-8")
    assert __doc__ is not None
    alone = (noise_is_fresh, charged_first)
    for table in (text, __doc__):
        rows = [row.split("|") for row in table.splitlines() if row.startswith("| `")]
        named = [(row[1].strip(), row[3].strip()) for row in rows]
        expected = [
            (f"`{mutant.__name__}`", f"`{check.__name__ if check in alone else name}`")
            for mutant, check, name in MUTANTS
        ]
        assert named == expected
