"""Groups that released rows choose: what they do not choose is no group of the answer.

    SELECT k, COUNT(*) FROM t WHERE k IN (SELECT k FROM g) GROUP BY k              -- g is released
    SELECT k, n FROM (SELECT k, COUNT(*) AS n … GROUP BY k) AS r WHERE k IN (SELECT k FROM g)

Which groups are listed is known before g is (`infer.domain`), so that without this those that g
does not choose come out with no rows. So would pairs of keys that are listed apart, one by a public
table, say, and of which a condition leaves some: WHERE (a = 1 AND k = 2) OR (a = 2 AND k = 3).

Claim: each group that has a row passes what stands above the release. Why: such a row is joined of
one of each source, and passes every condition; so the group's keys and the row's public and
released part, which are in the join of these sources, pass those conditions that read nothing else.
A private column is read as what the conditions say it is equal to: a key, or a public column.
As conditions on noisy rows they are post-processing.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.core.functions.build import make
from dpsql.core.infer.domain import Domain
from dpsql.core.infer.keys import equalities
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, conjunction
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, Filter, Join, Plan, Project, Scan, nodes
from dpsql.core.shape.flatten import Block, Mark, flatten
from dpsql.core.shape.retype import retyped
from dpsql.front.resolve.state import Resolution
from dpsql.front.resolve.sure_rows import copied
from dpsql.types import BOOLEAN

Keys = tuple[tuple[Column, Expr], ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """Conditions, and the sources and marks that they tie together."""

    sources: frozenset[int]
    marks: frozenset[int]
    terms: tuple[Expr, ...]


def chosen(state: Resolution, plan: Aggregate, released: Plan, domain: Domain) -> Plan:
    """Of what is released of an aggregate, the groups that conditions leave which the domain does
    not know of: those on released rows, and those that tie keys of several of its parts.
    """
    if state.schema.kinds or not plan.keys:
        return released
    here = {c.id: c for c in released.columns}
    block = flatten(plan.input)
    chooser = _Chooser(state, block, tuple((here[c.id], block.inline(e)) for c, e in plan.keys))
    result = released
    for part in chooser.parts():
        if chooser.reads_released(part) or _across(part, domain):
            result = chooser.having(result, part)
    if result is released:
        return released
    return Project(result, tuple((c, Ref(c)) for c in released.columns))


def _open(plan: Plan) -> bool:
    """Whether all may read the rows of a source."""
    return kind_of(plan) is not Kind.TRACKED and not any(
        isinstance(node, Scan) and node.table.hidden for node in nodes(plan)
    )


class _Chooser:
    """The conditions of a block that read nothing but its keys and what all may read."""

    def __init__(self, state: Resolution, block: Block, keys: Keys) -> None:
        self._state, self._block, self._keys = state, block, keys
        self._own = {c.id for c, _ in keys}
        self._owner = {c.id: i for i, s in enumerate(block.sources) if _open(s) for c in s.columns}
        self._known = self._equal()

    def _equal(self) -> dict[int, Expr]:
        """Private columns, as the keys or the columns of others that they are equal to."""
        columns = {c.id: c for source in self._block.sources for c in source.columns}
        known: dict[int, Expr] = {
            e.column.id: Ref(c)
            for c, e in self._keys
            if isinstance(e, Ref) and e.column.id not in self._owner
            if c.type == e.type and not c.type.is_float  # of a group of 0.0 a row may have -0.0
        }
        pairs = [(x, y) for a, b in equalities(self._block.terms) for x, y in ((a, b), (b, a))]
        for _ in self._block.sources:
            for x, y in pairs:
                if x in known or x in self._owner or not {x, y} <= columns.keys():
                    continue
                if columns[x].type.is_float or columns[x].type != columns[y].type:
                    continue
                if y in known or y in self._owner:
                    known[x] = known.get(y, Ref(columns[y]))
        return known

    def parts(self) -> list[_Part]:
        """Such conditions, by the sources that they tie together."""
        read = {c: _Part(frozenset({i}), frozenset(), ()) for c, i in self._owner.items()}
        read |= dict.fromkeys(self._own, _Part(frozenset(), frozenset(), ()))
        for number, mark in enumerate(self._block.marks):
            asked = self._asked(mark)
            if _open(mark.right) and (asked <= self._own or asked <= self._owner.keys()):
                of = frozenset(self._owner[c] for c in asked - self._own)
                read[mark.column.id] = _Part(of, frozenset({number}), ())
        terms = [retyped(term, self._known) for term in self._block.terms]
        terms += [
            make("is_not_distinct", (Ref(c), e), None)
            for c, e in self._keys
            if c.type == e.type or (c.type.is_integer and e.type.is_integer)
            if columns_of(e) and columns_of(e) <= self._owner.keys()
        ]
        parts: list[_Part] = []
        for term in terms:
            if (used := columns_of(term)) and used <= read.keys():
                made = _together(
                    [_Part(frozenset(), frozenset(), (term,)), *(read[c] for c in used)]
                )
                tied = [part for part in parts if part.sources & made.sources]
                parts = [part for part in parts if part not in tied] + [_together([*tied, made])]
        return parts

    def reads_released(self, part: _Part) -> bool:
        """Whether rows that nobody knows yet are among what is read."""
        sides = [self._block.sources[i] for i in part.sources]
        sides += [self._block.marks[i].right for i in part.marks]
        return any(kind_of(side) is Kind.RELEASED for side in sides)

    def _asked(self, mark: Mark) -> frozenset[int]:
        """The columns of a row that its mark hangs on."""
        if mark.condition is None:
            return frozenset()
        own = {c.id for c in mark.right.columns}
        return columns_of(retyped(mark.condition, self._known)) - own

    def having(self, groups: Plan, part: _Part) -> Plan:
        """The groups, and more columns, for which what is read beside them fulfils a part."""
        rows, names = None, dict[int, Expr]()
        for number in sorted(part.sources):
            copy, own = copied(self._state, self._block.sources[number])
            rows = copy if rows is None else Join(rows, copy, None)
            names |= own
        for number in sorted(part.marks):
            mark = self._block.marks[number]
            if rows is None or self._asked(mark) <= self._own:
                groups = self._marked(groups, mark, names)
            else:
                rows = self._marked(rows, mark, names)
        condition = conjunction([retyped(retyped(t, self._known), names) for t in part.terms])
        assert condition is not None
        if rows is None:
            return Filter(groups, condition)
        there = self._state.ids.column("chosen", BOOLEAN)
        return Filter(Join(groups, rows, condition, kind="mark", mark=there), Ref(there))

    def _marked(self, plan: Plan, mark: Mark, names: dict[int, Expr]) -> Plan:
        copy, own = copied(self._state, mark.right)
        column = self._state.ids.column(mark.column.name, BOOLEAN)
        condition = mark.condition
        if condition is not None:
            condition = retyped(retyped(condition, self._known), {**names, **own})
        names[mark.column.id] = Ref(column)
        return Join(plan, copy, condition, mark.span, "mark", column)


def _across(part: _Part, domain: Domain) -> bool:
    """Whether conditions tie keys whose values the domain lists apart from one another."""
    apart = [{key.column.id for key in domain.listed}]
    apart += [{c.id for c in public.columns} for public in domain.public]
    keys = set[int]().union(*apart)
    used = keys & set[int]().union(*map(columns_of, part.terms))
    return not any(used <= one for one in apart)


def _together(parts: list[_Part]) -> _Part:
    """One part of several."""
    none = frozenset[int]()
    return _Part(
        none.union(*(part.sources for part in parts)),
        none.union(*(part.marks for part in parts)),
        tuple(term for part in parts for term in part.terms),
    )
