"""The tree of an explanation: release ← aggregate ← join ← table, with what matters at each step.

What is below a release point is told by `explanation.step_rows`, over the plan that was proven.
Here its measurements and their noise come on top, and what is made of released rows. A release that
is read twice is told once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.plan import nodes as ops
from dpsql.core.plan.expr import Ref
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release as Point
from dpsql.core.release.several import schema_of
from dpsql.core.schema import Schema, Table
from dpsql.proven import PublicQuery
from dpsql.report.explanation import sentences
from dpsql.report.explanation.reasons import groups_why
from dpsql.report.explanation.step_rows import aggregate_step
from dpsql.report.steps import TreeStep

if TYPE_CHECKING:
    from dpsql.report.explanation.measurement import Release

FREE = "post-processing, free"
EXACT = "public, exact and free"

_Points = dict[str, tuple[Point, tuple["Release", ...]]]


def tree(compiled: Compiled, releases: tuple[Release, ...]) -> TreeStep:
    """How the answer of a compiled query is made.

    Args:
        compiled: what was proven.
        releases: the same as it is explained, in order.
    """
    query = compiled.query
    if isinstance(query, PublicQuery):
        return TreeStep("public", EXACT, (), tuple(map(_public, query.tables)))
    points: _Points = {}
    every = iter(releases)
    for point in query.releases:
        count = len(point.measures) + len(point.picks)
        points[point.table] = point, tuple(next(every) for _ in range(count))
    return _AnswerTeller(query, compiled.schema, points).root()


@dataclass(slots=True)
class _AnswerTeller:
    query: ReleasedQuery
    schema: Schema
    points: _Points
    told: set[str] = field(default_factory=set)

    def root(self) -> TreeStep:
        """The whole answer; a release that no row of it is made of comes last."""
        made = self._processed(self.query.plan)
        others = tuple(self.noisy(name) for name in self.points if name not in self.told)
        return TreeStep("released", FREE, (), (made, *others)) if others else made

    def noisy(self, name: str) -> TreeStep:
        """A noisy table: a release, or rows that are made of releases."""
        kind = "release" if name in self.points else "noisy rows"
        if name in self.told:
            return TreeStep("released", f"{kind} {name}, as above")
        self.told.add(name)
        if name in self.points:
            return self._release(name)
        made = self._processed(self.query.feeds[name].plan)
        return TreeStep("released", f"{kind} {name}", ("read like a public table",), (made,))

    def _processed(self, plan: ops.Plan) -> TreeStep:
        """Noisy and public rows processed further, in one line; none where nothing is done."""
        steps: list[TreeStep] = []
        done: dict[str, None] = {}
        for node in ops.nodes(plan):
            if isinstance(node, ops.Released):
                steps.append(self.noisy(node.name))
            elif isinstance(node, ops.Scan):
                steps.append(_public(node.table))
            elif said := _done(node):
                done[said] = None
        if not done and len(steps) == 1:
            return steps[0]
        if any(step.kind == "released" for step in steps):
            return TreeStep("released", FREE, tuple(done), tuple(steps))
        return TreeStep("public", EXACT, tuple(done), tuple(steps))

    def _release(self, name: str) -> TreeStep:
        point, releases = self.points[name]
        best = next((pick for pick in point.picks if isinstance(pick, Best)), None)
        domain = point.domain if best is None else best.domain
        title = sentences.groups(domain.size)
        title = f"release {name}, {title if best is None else f'the best of {title}'}"
        said = (why.removeprefix("groups: ") for why in groups_why(point.setting, domain))
        most = self.schema.limits.work_per_unit
        work = f"work of one unit: at most {point.work:,} of {most:,} steps"
        why = (*said, f"neighbours: {self.schema.neighbours}", work)
        labels = (*point.labels, *point.pick_labels)
        steps = list(map(_measured, releases, labels))
        if not steps:
            why = (*why, "nothing is measured: every group of the public list is shown")
        rows = aggregate_step(point.aggregate, schema_of(point.aggregate, self.schema), self.noisy)
        return TreeStep("released", title, why, (*steps, rows))


def _measured(release: Release, label: str) -> TreeStep:
    name = release.name
    if name != label:  # a column's name is in quotes where it could be read as what follows it
        shown = '"' + name.replace('"', '""') + '"' if ":" in name or ";" in name else name
        name = f"{shown} = {label}"
    own = (why for why in release.reasons if not why.startswith(("groups: ", "neighbours: ")))
    return TreeStep("measured", name, (*sentences.noise(release), *own))


def _public(table: Table) -> TreeStep:
    return TreeStep("public", table.name, ("public",), (), table.name)


_DONE: tuple[tuple[type[ops.Plan], str], ...] = (
    (ops.Filter, "filter"),
    (ops.Sort, "order by"),
    (ops.Limit, "limit"),
    (ops.Window, "window functions"),
    (ops.Aggregate, "groups of noisy or public rows"),
    (ops.Join, "join"),
    (ops.Union, "union all"),
    (ops.OneRow, "one row, of no table"),
)
"""What a node does to noisy rows."""


def _done(node: ops.Plan) -> str:
    """The same of any node; "" where it only passes them on."""
    if isinstance(node, ops.Project):
        return "" if all(isinstance(e, Ref) for _, e in node.items) else "computed columns"
    for kind, done in _DONE:
        if isinstance(node, kind):
            return done
    raise AssertionError(f"{type(node).__name__} is no step")
