"""The steps below a release point: each node of the private plan that the proof runs over, with
what the analysis infers there. The rules themselves stand in `analyze`; here they are only told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from dpsql.core.infer.properties import Properties, derive
from dpsql.core.infer.unit import best_home
from dpsql.core.plan import nodes as ops
from dpsql.core.plan.expr import Expr, columns_of
from dpsql.core.plan.kind import Kind
from dpsql.core.schema import Schema, Table
from dpsql.report.explanation import step_words as words
from dpsql.report.explanation.step_joins import join_words
from dpsql.report.explanation.step_names import StepNames, names_of
from dpsql.report.steps import TreeStep

Watched = frozenset[int]
"""The columns whose ranges matter: sums and groups are made of them."""

Said = tuple[str, tuple[str, ...]]
"""What a node does, and what matters of it."""


def aggregate_step(
    plan: ops.Aggregate, schema: Schema, noisy: Callable[[str], TreeStep]
) -> TreeStep:
    """An aggregate over private rows, and all below it.

    Args:
        plan: of a release point.
        schema: what is public.
        noisy: the step of a noisy table, by its name.
    """
    names = names_of(plan.input)
    read = _read(
        [*(e for _, e in plan.keys), *(a for _, call in plan.calls for a in call.arguments)]
    )
    below, known = _Teller(schema, names, noisy).step(plan.input, read)
    calls = ", ".join(words.aggregate(call, names) for _, call in plan.calls)
    keys = words.expressions((e for _, e in plan.keys), names)
    if calls:
        text = f"{calls} by {keys}" if keys else calls
    else:
        text = f"distinct {keys}"
    home = best_home(known.home, known.anchors)
    found = [c for c in plan.input.columns if c.id == home]
    unit = f", the unit found by {names.of(*found)}" if found else ""
    return TreeStep("private", words.shortened(text), (f"{_rows(known)[0]}{unit}",), (below,))


def _read(exprs: Iterable[Expr]) -> Watched:
    return frozenset().union(*map(columns_of, exprs))


@dataclass(frozen=True, slots=True)
class _Teller:
    schema: Schema
    names: StepNames
    noisy: Callable[[str], TreeStep]

    def step(self, plan: ops.Plan, watched: Watched) -> tuple[TreeStep, Properties]:
        """The step of a node, and the node's properties."""
        wanted = watched | _watched_below(plan, watched)
        made = [self.step(child, wanted) for child in ops.inputs(plan)]
        below = tuple(known for _, known in made)
        known = derive(plan, below, self.schema)
        if isinstance(plan, ops.Released):
            return self.noisy(plan.name), known
        text, why = self._said(plan, known, below, watched)
        steps = tuple(step for step, _ in made)
        table = plan.table.name if isinstance(plan, ops.Scan) else None
        own = _kind(plan, known, steps)
        return TreeStep(own, text, why, steps, table), known

    def _said(
        self, plan: ops.Plan, known: Properties, below: tuple[Properties, ...], watched: Watched
    ) -> Said:
        names = self.names
        if isinstance(plan, ops.Scan):
            return self._scan(plan, known, watched)
        if isinstance(plan, ops.OneRow):
            return "one row, of no table", ("public",)
        if isinstance(plan, ops.Filter):
            text = f"filter {words.expression(plan.predicate, names)}"
            return text, self._narrowed(plan, known, below[0], watched)
        if isinstance(plan, ops.Project):
            return self._columns(plan), ()
        if isinstance(plan, ops.Join):
            text, why = join_words(plan, names, below[0], below[1])
            return text, why if plan.kind == "mark" else (*why, *_rows(known))
        if isinstance(plan, ops.Union):
            named = f" as {names.of(*plan.columns)}" if plan.columns else ""
            return f"union all of {len(plan.branches)} parts{named}", _rows(known)
        if isinstance(plan, ops.Aggregate):
            return self._groups(plan, known)
        if isinstance(plan, ops.Window):
            calls = ", ".join(words.window(call, names) for _, call in plan.calls)
            own = ("a partition has rows of one unit",) if known.kind is Kind.TRACKED else ()
            return words.shortened(f"window {calls}"), own
        if isinstance(plan, ops.Sort):
            return f"order by {words.order(plan.keys, names)}", ()
        if isinstance(plan, ops.Limit):
            count = "" if plan.count is None else f"limit {plan.count}"
            return f"{count}{f' offset {plan.offset}' if plan.offset else ''}".strip(), ()
        raise AssertionError(f"{type(plan).__name__} is no step")

    def _scan(self, plan: ops.Scan, known: Properties, watched: Watched) -> Said:
        table, shown = plan.table, self.names.tables[id(plan)]
        own = shown.split(" #")[0].lower() == table.name.lower()
        text = shown if own else f"{table.name} as {shown}"
        ranges = []
        for field, column in zip(plan.fields, plan.columns, strict=True):
            said = words.values(column, known.claimed[column.id])
            if column.id in watched and said:
                proven = known.proven[column.id] == known.claimed[column.id]
                how = "proven" if proven else "declared"
                ranges.append(f"{self.names.of(column)} {said}, {how}")
            declared = table.column(field)
            if declared is not None and declared.randomized is not None:
                ranges.append(f"{self.names.of(column)} {words.coins(declared.randomized)}")
        if table.hidden:
            return text, ("private, of another kind of unit", *ranges)
        if not table.private:
            rows = () if table.rows is None else (f"{table.rows:,} rows, declared",)
            return text, ("public", *rows, *ranges)
        lost = () if known.owned else ("a row without a unit is left out",)
        why = (f"private, {self._path(table)}", f"{_rows(known)[0]} ({known.rows_why})")
        return text, (*why, *lost, *ranges)

    def _path(self, table: Table) -> str:
        """How a row leads to its unit."""
        if table.owner is None:
            return "each row is a unit"
        places = [f"{table.name}.{table.owner}"]
        while (reference := self.schema.next_owner(table)) is not None:
            upper = self.schema.table(reference.table)
            assert upper is not None and upper.owner is not None
            table = upper
            places.append(f"{table.name}.{table.owner}")
        return f"unit by {' → '.join(places)}"

    def _narrowed(
        self, plan: ops.Filter, known: Properties, below: Properties, watched: Watched
    ) -> tuple[str, ...]:
        why: list[str] = []
        for column in plan.columns:
            before, after = below.claimed[column.id], known.claimed[column.id]
            if column.id not in watched or before == after:
                continue
            said = words.values(column, after)
            if said and said != words.values(column, before):
                why.append(f"{self.names.of(column)} {said}")
            elif before.nullable and not after.nullable:
                why.append(f"{self.names.of(column)} is not NULL")
        return (*why, *(_rows(known) if known.rows != below.rows else ()))

    def _columns(self, plan: ops.Project) -> str:
        parts: list[str] = []
        for column, expr in plan.items:
            name, value = self.names.of(column), words.expression(expr, self.names)
            parts.append(name if ops.passes(column, expr) or name == value else f"{name} = {value}")
        return words.shortened(f"columns {', '.join(parts)}" if parts else "no columns")

    def _groups(self, plan: ops.Aggregate, known: Properties) -> Said:
        keys = words.expressions((e for _, e in plan.keys), self.names)
        calls = ", ".join(
            f"{self.names.of(c)} = {words.aggregate(call, self.names)}" for c, call in plan.calls
        )
        text = f"group by {keys}" if keys else "one group"
        text = f"{text}: {calls}" if calls else f"distinct {keys}"
        own = ("groups of one unit each",) if plan.per_unit else ()
        return words.shortened(text), (*own, *_rows(known))


def _watched_below(plan: ops.Plan, watched: Watched) -> Watched:
    """The input's columns that the watched ones are made of."""
    if isinstance(plan, ops.Project):
        return _read(expr for column, expr in plan.items if column.id in watched)
    if isinstance(plan, ops.Union):
        places = [n for n, column in enumerate(plan.columns) if column.id in watched]
        return frozenset(branch.columns[n].id for branch in plan.branches for n in places)
    if not isinstance(plan, ops.Aggregate | ops.Window):
        return frozenset()
    keys = plan.keys if isinstance(plan, ops.Aggregate) else ()
    made = (call.arguments for column, call in plan.calls if column.id in watched)
    return _read([*(key for column, key in keys if column.id in watched), *chain(*made)])


def _kind(
    plan: ops.Plan, known: Properties, steps: tuple[TreeStep, ...]
) -> Literal["private", "public", "released"]:
    hidden = isinstance(plan, ops.Scan) and plan.table.hidden
    if known.kind is Kind.TRACKED or hidden or any(step.kind == "private" for step in steps):
        return "private"
    return "released" if any(step.kind == "released" for step in steps) else "public"


def _rows(known: Properties) -> tuple[str, ...]:
    """How many rows a unit has; a declared bound is enforced where something is measured."""
    if known.kind is not Kind.TRACKED:
        return ()
    rows = known.rows
    if rows.claimed is None:
        return ("any number of rows per unit",)
    how = "proven" if rows.claimed == rows.proven else "declared"
    count = "one row" if rows.claimed == 1 else f"at most {rows.claimed:,} rows"
    return (f"{count} per unit, {how}",)
