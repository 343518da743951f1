"""The engine's queries over the rows of one release: what is added up, told apart, and picked."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.enforce.asked_cells import Cells, Input
from dpsql.core.enforce.clipped import Clipping, Grid, Value, top
from dpsql.core.enforce.members import members
from dpsql.core.enforce.pairs import Capacities, Pairs
from dpsql.core.infer.domain import Domain, Keys
from dpsql.core.infer.multiplicity import Bound
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.plan.expr import Column
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Filter, Join, OneRow, Plan, Project, Scan, nodes
from dpsql.core.release.arguments import inputs_of, weights_of
from dpsql.core.release.measures import APART, Argument, Kind, Measure, Setting
from dpsql.core.release.picks import Grid as Points
from dpsql.core.release.picks import Pick
from dpsql.core.schema import Schema
from dpsql.core.shape.attach_unit import UnitPath, unit_path
from dpsql.errors import Diagnostic, Rejected


@dataclass(frozen=True, slots=True)
class Builder:
    """The engine's queries over the rows of one release."""

    plan: Plan
    keys: Keys
    domain: Domain
    properties: Properties
    schema: Schema
    ids: Ids

    @property
    def enforced(self) -> bool:
        """Whether units with too many rows are cut down."""
        return must_enforce(self.properties.rows)

    def cells(
        self,
        inputs: tuple[Input, ...],
        keys: Keys | None = None,
        at_once: Bound | None = None,
        units: bool = False,
        cut: bool = True,
    ) -> Cells:
        """Sums for each group; `at_once` bounds a unit's rows in each group alone; `units` counts
        those that keep a row; not to be `cut` down are sums that are clipped, for each unit.
        """
        rows = self.properties.rows if at_once is None else at_once
        quota = rows.claimed if cut and must_enforce(rows) else None
        path = self._path(quota is not None or not cut)
        return Cells(
            plan=self.plan,
            keys=self.keys if keys is None else keys,
            inputs=inputs,
            members=members(self.domain, self.properties),
            path=path,
            quota=quota,
            unit_not_null=self._unit_not_null(path),
            per_group=at_once is not None,
            units=units,
            once=None if quota is None else self._once(quota),
        )

    def clipping(self, arguments: tuple[Argument, ...], measures: tuple[Measure, ...]) -> Clipping:
        """Sums for each unit and group."""
        inputs = inputs_of(arguments, measures)
        cells = self.cells(inputs, cut=False)
        clips: dict[int, list[int]] = {}
        for n, m in enumerate(measures):
            if m.adaptive and m.kind not in APART:
                clips.setdefault(m.family, []).append(n)
        values = tuple(_value(members, measures, inputs) for members in clips.values())
        return Clipping(cells, values, tuple(c for c, _ in self.keys))

    def points(self, grid: Points) -> tuple[Cells, Column]:
        """How many rows each group has at each point."""
        column = self.ids.column("point", grid.expr.type)
        return self.cells((), (*self.keys, (column, grid.expr))), column

    def pairs(self, argument: Argument | None, measure: Measure, summed: bool) -> Pairs:
        """Distinct values for each group; of the unit itself where there is no argument."""
        contribution = measure.contribution
        total, rows = contribution.total, self.properties.rows
        alone = replace(contribution, rows=None).total
        enforced = alone != total and (rows.proven is None or rows.proven > (total or 0))
        path = self._path(enforced or argument is None or measure.adaptive)
        lattice = argument.lattice if summed and argument is not None else None
        value = None if argument is None else argument.expr
        return Pairs(
            plan=self.plan,
            keys=self.keys,
            value=value if lattice is None else lattice.expr,
            total=lattice,
            members=members(self.domain, self.properties),
            path=path,
            quota=total if enforced else None,
            unit_not_null=argument is None or self._unit_not_null(path),
            capacities=Capacities(total) if measure.adaptive and total else None,
        )

    def _once(self, quota: int) -> Scan | None:
        """The private table that the rows are of, each once at most: where nothing else is known of
        a unit's rows but how many it has there.
        """
        if not all(
            isinstance(n, Scan | Filter | Join | Project | OneRow) for n in nodes(self.plan)
        ):
            return None
        private = [n for n in nodes(self.plan) if isinstance(n, Scan) and n.table.private]
        found = analyze(private[0], self.schema).rows.claimed if len(private) == 1 else None
        return private[0] if found == quota else None

    def _path(self, wanted: bool) -> UnitPath | None:
        if not wanted and self.properties.owned:
            return None
        path = unit_path(self.plan, self.properties, self.schema, self.ids)
        if wanted and path is None:
            help = "declare the key of that table in the policy and join on it"
            raise row_is_a_unit(self.properties.rows.proven, help)
        return path

    def _unit_not_null(self, path: UnitPath | None) -> bool:
        return path is not None and not _unit_present(path.unit, self.properties)


def row_is_a_unit(rows: int | None, help: str) -> Rejected:
    """Where rows are to be added up by units, which no column tells from one another."""
    message = "each row is a unit, and one of them could meet several rows of a public table"
    if rows == 1:
        message = "each row is a unit, so that there are no sums of a unit to be clipped"
        help = "leave out clipping"
    return Rejected(Diagnostic("DP403", message, None, help))


def _value(members: list[int], measures: tuple[Measure, ...], inputs: tuple[Input, ...]) -> Value:
    """What is clipped of measures that share a clip: the rows with a value, and of one alone what
    it adds itself.
    """
    first = measures[members[0]]
    own = tuple((n, weights_of(measures[n], inputs)) for n in members)
    bound = first.contribution
    if len(members) == 1:
        return Value(own[0][1], own, Grid(top(bound.magnitude, bound.total)))
    assert first.input is not None
    rows = f"n{first.input}" if inputs[first.input].counted else "n"
    return Value(((rows, 1),), own, Grid(top(1, bound.total), bound.magnitude))


def pairs_of(
    measures: tuple[Measure, ...],
    arguments: tuple[Argument, ...],
    builder: Builder,
    without: Set[int | None],
) -> tuple[tuple[Pairs, tuple[int, ...]], ...]:
    """One query for each argument whose distinct values are counted or summed, but for the measures
    `without` one.
    """
    users: dict[int | None, list[int]] = {}
    for number, measure in enumerate(measures):
        if measure.kind in APART and number not in without:
            users.setdefault(measure.input, []).append(number)
    found: list[tuple[Pairs, tuple[int, ...]]] = []
    for index, numbers in users.items():
        argument = None if index is None else arguments[index]
        summed = any(measures[n].kind is Kind.DISTINCT_SUM for n in numbers)
        found.append((builder.pairs(argument, measures[numbers[0]], summed), tuple(numbers)))
    return tuple(found)


def pick_of(
    kind: str,
    index: int,
    grid: Points,
    shares: tuple[Fraction, ...],
    setting: Setting,
    builder: Builder,
) -> Pick:
    """The pick of an argument on a grid, with its query.

    Raises:
        Rejected: DP302, where nothing bounds how many rows a unit has.
    """
    if setting.rows is None:
        assert setting.unbounded is not None
        raise Rejected(setting.unbounded)
    cells, column = builder.points(grid)
    return Pick(
        kind=kind,
        argument=index,
        grid=grid,
        column=column,
        cells=cells,
        rows=setting.rows,
        monotone=setting.sides == 1,
        shares=shares,
    )


def must_enforce(rows: Bound) -> bool:
    """Whether units are cut down to the bound on rows that is claimed: it is not proven."""
    return rows.proven is None or (rows.claimed is not None and rows.claimed < rows.proven)


def _unit_present(unit: Column, properties: Properties) -> bool:
    values = properties.proven.get(unit.id)
    return values is not None and not values.nullable
