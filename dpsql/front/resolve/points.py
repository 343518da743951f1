"""Release points: where a plan's private part ends and post-processing begins.

    Sort(Project(Filter(Aggregate(Join(orders, customer)))))
    Sort(Project(Filter(Released r1)))   and the release r1

Everything above reads noisy answers and public tables only, so it costs nothing (post-processing,
Dwork & Roth 2014, Proposition 2.1). What was released may be read by another private plan, as a
public table would be: a *feed*. Each release's sensitivity holds for whatever its feeds contain, so
that their costs add up (adaptive composition). An aggregate that the query writes twice is two
releases; a WITH query that it uses twice is one.

Resolving goes bottom up and leaves no WITH query, no subquery and no FULL JOIN of private rows:

    WITH           its plan, resolved once
    subqueries     joins, see `resolve.decorrelate`; one that is correlated on public columns is
                   released for each of the values that these have in the outer query
    GROUP BY       stays private where its keys determine the unit, else a release point
    FULL JOIN      the LEFT JOIN and, with NULLs, the right rows without a match
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dpsql.core.enforce.secure_plan import Securer
from dpsql.core.functions.build import make
from dpsql.core.infer.domain import Part, public_parts
from dpsql.core.infer.grouping import homes
from dpsql.core.infer.keys import covers, equalities, plain_column
from dpsql.core.infer.kind import kind_of, private_root
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.unit import scan_anchors
from dpsql.core.plan.copy import fresh_copy
from dpsql.core.plan.expr import (
    Call,
    Expr,
    Ref,
    columns_of,
    conjunction,
    conjuncts,
    substitute,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.invariants import check
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Named,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    inputs,
    map_expressions,
    nodes,
    with_inputs,
)
from dpsql.core.release import best, several
from dpsql.core.release.best import Question
from dpsql.core.release.feed import Feed
from dpsql.core.release.release import Release, release
from dpsql.core.schema import Schema
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.normal import Normaliser
from dpsql.core.shape.retype import everywhere, retyped
from dpsql.errors import Diagnostic, Problems, Rejected, Span
from dpsql.front.resolve import decorrelate, full_join, not_in
from dpsql.front.resolve.debiased import refuse_per_unit
from dpsql.front.resolve.decorrelate import Scalar

MAX_NODES = 3_000
"""How large a plan may become once each use of a WITH query is a copy: `a AS (… FROM b, b), b AS
(… FROM c, c)` doubles with each line.
"""


@dataclass(frozen=True, slots=True)
class Split:
    """A query at its release points.

    Attributes:
        plan: what is above them; post-processing.
        releases: in the order in which they are made.
        feeds: what releases read of those before them, by name.
    """

    plan: Plan
    releases: tuple[Release, ...]
    feeds: dict[str, Feed]


def split(
    plan: Plan, schema: Schema, ids: Ids, *, thresholds: bool = False, clipping: str = "auto"
) -> Split:
    """The plan above its release points, and the releases.

    Args:
        plan: what is asked.
        schema: what is public.
        ids: new columns.
        thresholds: whether there is a δ, so that group keys may be private.
        clipping: where the data says how much a unit may add, see `dpsql.core.calibrate.options`.

    Raises:
        Rejected: DP401 and DP404 where the root would be private rows; and what `release` rejects.
    """
    resolver = _Resolver(schema, ids, thresholds, clipping)
    above = resolver.problems.attempt(lambda: resolver.plan(plan))
    resolver.problems.check()
    assert above is not None
    if kind_of(above) is Kind.TRACKED:
        raise private_root(above)
    return Split(resolver.finished(above), tuple(resolver.releases), resolver.feeds)


@dataclass(slots=True)
class _Resolver:
    schema: Schema
    ids: Ids
    thresholds: bool = False
    clipping: str = "auto"
    releases: list[Release] = field(default_factory=list)
    feeds: dict[str, Feed] = field(default_factory=dict)
    named: dict[int, tuple[Plan, Plan]] = field(default_factory=dict)
    current: dict[int, Expr] = field(default_factory=dict)
    copied: int = 0
    problems: Problems = field(default_factory=Problems)

    def plan(self, plan: Plan) -> Plan:
        """The resolved plan."""
        if isinstance(plan, Named):
            return self._named(plan)
        if isinstance(plan, Apply):
            return self._apply(plan)
        alone = not self.schema.kinds
        asked = best.question(plan) if isinstance(plan, Aggregate) and alone else None
        if isinstance(plan, Aggregate) and asked is not None:
            return self._best(plan, asked)
        plan = self._renewed(with_inputs(plan, tuple(self.plan(c) for c in inputs(plan))))
        if isinstance(plan, Aggregate):
            return self._aggregate(plan)
        if isinstance(plan, Join):
            return self._join(plan)
        if isinstance(plan, Union):
            return self._union(plan)
        return plan

    def finished(self, plan: Plan) -> Plan:
        """A plan over releases with every function total, and types as they are now."""
        return check(Securer(self.schema, self.ids).plan(plan)[0])

    def _renewed(self, plan: Plan) -> Plan:
        """The node with columns of the types that their releases have."""
        if not self.current:
            return plan
        return map_expressions(plan, lambda e: retyped(e, self.current))

    # --- WITH ---

    def _named(self, plan: Named) -> Plan:
        key = id(plan.query)
        if key not in self.named:
            resolved = self.plan(plan.query)
            self.named[key] = (plan.query, resolved)  # keeps the query, and so its id, alive
            copy, own = resolved, {c.id: c for c in resolved.columns}
        else:
            resolved = self.named[key][1]
            message = "the query is too large once each use of a WITH query is written out"
            self._count_copy(resolved, message, plan.span)
            copy, new = fresh_copy(resolved, lambda c: self.ids.column(c.name, c.type))
            own = {c.id: new.get(c.id, c) for c in resolved.columns}
        items = tuple(
            (column, Ref(own[old.id]))
            for column, old in zip(plan.columns, resolved.columns, strict=True)
        )
        return Project(copy, items)

    def _count_copy(self, plan: Plan, message: str, span: Span | None) -> None:
        self.copied += sum(1 for _ in nodes(plan))
        if self.copied > MAX_NODES:
            raise Rejected(Diagnostic("DP103", message, span))

    # --- groups ---

    def _aggregate(self, plan: Aggregate) -> Plan:
        if plan.per_unit:
            return plan
        if kind_of(plan.input) is not Kind.TRACKED:
            self._check_counted(plan)
            return plan
        if plan.keys and self._determines_unit(plan):
            refuse_per_unit(plan)
            return replace(plan, per_unit=True)
        name = self._new_name()
        point = self.problems.attempt(lambda: self._release(plan, name))
        return self._placed(plan, name, point)

    def _release(self, plan: Aggregate, name: str) -> Release:
        if self.schema.kinds:
            return several.released(plan, self.schema, self.ids, name)
        return release(
            plan,
            self.schema,
            self.ids,
            name,
            thresholds=self.thresholds,
            clipping=self.clipping,
        )

    def _best(self, plan: Aggregate, asked: Question) -> Plan:
        """An ARG_MAX over groups: told alone where they are of private rows and can be scored."""
        groups = self._renewed(replace(asked.groups, input=self.plan(asked.groups.input)))
        assert isinstance(groups, Aggregate)
        released = kind_of(groups.input) is Kind.TRACKED and not self._determines_unit(groups)
        scored = best.scored(plan, replace(asked, groups=groups)) if released else None
        if scored is not None:
            name = self._new_name()
            point = self.problems.attempt(
                lambda: best.best(plan, scored, self.schema, self.ids, name)
            )
            return self._placed(plan, name, point)
        result = self._aggregate(groups)
        for node in reversed(asked.above):
            result = self._renewed(with_inputs(node, (result,)))
        renewed = self._renewed(with_inputs(plan, (result,)))
        assert isinstance(renewed, Aggregate)
        return self._aggregate(renewed)

    def _new_name(self) -> str:
        """What the next release is called in post-processing, where public tables are, too."""
        name = f"r{len(self.releases) + 1}"
        while name in self.schema.tables:
            name += "_"
        return name

    def _placed(self, plan: Aggregate, name: str, point: Release | None) -> Plan:
        """The leaf in the place of an aggregate; if it was rejected, one to go on with."""
        if point is None:
            key = frozenset(c.id for c, _ in plan.keys)
            fields = tuple(f"c{c.id}" for c in plan.columns)
            return Released(name, plan.columns, fields, (key,), 1)
        self.releases.append(point)
        before = {c.id: c for c in plan.columns}
        for column in point.node.columns:
            if column.type != before[column.id].type:
                self.current[column.id] = Ref(column)
        return point.node

    def _check_counted(self, plan: Aggregate) -> None:
        """The distinct values of a private column come out as the public list of them, the ones
        that do not occur too: a number that is made from how many there are would be of the list.
        Private groups come out without those of few units: a total of a grouping set would too.
        """
        bare = {p.table for p in self.releases if not p.measures and not p.picks}
        read = {node.name for node in nodes(plan.input) if isinstance(node, Released)}
        hidden = {p.table for p in self.releases if p.domain.private}
        if plan.totals and hidden & read:
            message = "groups of few units are not shown, and the totals would be without them"
            help = "ask for the totals in a query of their own: … UNION ALL SELECT … GROUP BY …"
            raise Rejected(Diagnostic("DP405", message, plan.span, help))
        if plan.calls and bare & read:
            message = "which values occur is private: this would count all that the policy lists"
            help = "aggregate the rows themselves"
            raise Rejected(Diagnostic("DP405", message, plan.calls[0][1].span, help))

    def _determines_unit(self, plan: Aggregate) -> bool:
        if self.schema.kinds:
            return False  # of one kind, perhaps, and its groups would be of several of another
        block = flatten(plan.input)
        keys = tuple(block.inline(e) for _, e in plan.keys)
        if not self._may_be_home(block, keys):
            return False
        read = frozenset().union(*(columns_of(e) for e in keys))
        tree = Normaliser(self.schema, self.ids).tree(block, read)
        return bool(homes(keys, analyze(tree, self.schema)))

    def _may_be_home(self, block: Block, keys: tuple[Expr, ...]) -> bool:
        """Whether a key is worth a look: a home is an anchored column of a table, or equal to one;
        of other sources each column may be one.
        """
        found: set[int] = set()
        for source in block.sources:
            if isinstance(source, Scan):
                found |= scan_anchors(source, self.schema).keys()
            else:
                found |= {c.id for c in source.columns}
        pairs = equalities(block.terms)
        while True:
            equal = {c for pair in pairs if found & set(pair) for c in pair} - found
            if not equal:
                return any(plain_column(key) in found for key in keys)
            found |= equal

    # --- joins ---

    def _join(self, plan: Join) -> Plan:
        kinds = kind_of(plan.left), kind_of(plan.right)
        if Kind.TRACKED not in kinds:
            return plan
        if plan.kind == "mark" and kinds[0] is not Kind.TRACKED:
            message = "whether private rows exist would decide which public rows are shown"
            help = "count them: (SELECT COUNT(*) …) > 0"
            raise Rejected(Diagnostic("DP402", message, plan.span, help))
        sides = self._fed(plan.left), self._fed(plan.right)
        renewed = self._renewed(replace(plan, left=sides[0], right=sides[1]))
        assert isinstance(renewed, Join)
        plan = renewed
        if plan.kind == "full":
            return self._full(plan, kinds)
        if plan.kind == "mark" and kinds[1] is Kind.TRACKED and not_in.has_open_equality(plan):
            return not_in.closed(plan, self._known(plan.left), self._known(plan.right))
        if plan.kind == "left" and kinds[0] is not Kind.TRACKED:
            return replace(plan, kind="matched")
        return plan

    def _known(self, plan: Plan) -> Properties:
        """The properties of a resolved private plan."""
        used = frozenset(c.id for c in plan.columns)
        return analyze(Normaliser(self.schema, self.ids).relation(plan, used), self.schema)

    def _full(self, plan: Join, kinds: tuple[Kind, Kind]) -> Plan:
        """A public row without a match is no private row; of two private sides each is kept.

        The side that meets one row at most is the LEFT JOIN's: a unit then has no more rows than
        both sides have together.
        """
        if kinds[1] is not Kind.TRACKED:
            return replace(plan, kind="left")
        if kinds[0] is not Kind.TRACKED:
            return replace(plan, kind="left", left=plan.right, right=plan.left)
        message = (
            "the query is too large: each FULL JOIN of private rows writes its sides out twice"
        )
        self._count_copy(plan, message, plan.span)
        columns = plan.columns
        if self._met_once(plan.left, plan) and not self._met_once(plan.right, plan):
            plan = replace(plan, left=plan.right, right=plan.left)
        return full_join.written_out(plan, columns, self.ids)

    def _met_once(self, side: Plan, join: Join) -> bool:
        """Whether a row of the other side meets one row of this one at most."""
        terms = [] if join.condition is None else conjuncts(join.condition)
        used = frozenset(c.id for c in side.columns)
        tied = used & {c for pair in equalities(terms) for c in pair}
        known = analyze(Normaliser(self.schema, self.ids).relation(side, used), self.schema)
        return covers(tied, known.keys)

    def _union(self, plan: Union) -> Plan:
        if kind_of(plan) is not Kind.TRACKED:
            return plan
        return replace(plan, branches=tuple(self._fed(branch) for branch in plan.branches))

    def _fed(self, plan: Plan) -> Plan:
        """Released rows as another release reads them."""
        if kind_of(plan) is not Kind.RELEASED or _is_feed(plan, self.feeds):
            return plan
        made = self.finished(plan)
        known = analyze(made, self.schema)
        name = f"f{len(self.feeds) + 1}"
        fields = tuple(f"c{c.id}" for c in made.columns)
        self.feeds[name] = Feed(name, made, made.columns, fields)
        values = {i: v for i, v in known.proven.items() if v.finite is not None}
        for column, before in zip(made.columns, plan.columns, strict=True):
            if column.type != before.type:
                self.current[column.id] = Ref(column)
        return Released(name, made.columns, fields, known.keys, known.table_rows, values)

    # --- subqueries ---

    def _apply(self, apply: Apply) -> Plan:
        outer = self.plan(apply.input)
        apply = self._renewed_apply(replace(apply, input=outer))
        if apply.kind != "scalar":
            return self._applied(decorrelate.apply_join(apply, self.ids))
        found = decorrelate.scalar(apply, self.ids)
        right, terms = self._per_outer_row(found, outer)
        if not (found.always and not terms):
            self._check_single(right, terms, apply)
        value = found.value
        if self.current:
            value = retyped(value, self.current)
            terms = tuple(retyped(t, self.current) for t in terms)
        found = replace(found, value=value)
        return self._applied(decorrelate.scalar_join(apply, found, right, terms, self.ids))

    def _applied(self, plan: Plan) -> Plan:
        """What an Apply has become: a join, perhaps under a projection; its left is resolved."""
        if isinstance(plan, Join):
            right = self.plan(plan.right)
            renewed = self._renewed(replace(plan, right=right))
            assert isinstance(renewed, Join)
            return self._join(renewed)
        assert isinstance(plan, Project)
        return self._renewed(replace(plan, input=self._applied(plan.input)))

    def _renewed_apply(self, apply: Apply) -> Apply:
        if not self.current:
            return apply
        subquery = everywhere(apply.subquery, self.current)
        renewed = self._renewed(replace(apply, subquery=subquery))
        assert isinstance(renewed, Apply)
        return renewed

    def _check_single(self, right: Plan, terms: tuple[Expr, ...], apply: Apply) -> None:
        """A scalar subquery must have at most one row for each outer row, whatever the data."""
        here = {c.id for c in right.columns}
        tied = frozenset(c for pair in equalities(terms) for c in pair if c in here)
        tracked = kind_of(right) is Kind.TRACKED
        tree = right
        if tracked:
            used = frozenset(c.id for c in right.columns)
            tree = Normaliser(self.schema, self.ids).relation(right, used)
        known = analyze(tree, self.schema)
        if not covers(tied, known.keys):
            message = "the subquery is used as one value, but it could have several rows"
            help = "aggregate it, or compare its key with = in its WHERE"
            raise Rejected(Diagnostic("DP205", message, apply.span, help))

    def _per_outer_row(self, found: Scalar, outer: Plan) -> tuple[Plan, tuple[Expr, ...]]:
        """The scalar's plan, resolved. One that would be released by a correlated key is released
        for the values that the key has in the outer query's public part.
        """
        if not found.terms:
            return self.plan(found.plan), ()
        above, aggregate = _split_aggregate(found.plan)
        if aggregate is None:
            return self.plan(found.plan), found.terms
        below = replace(aggregate, input=self.plan(aggregate.input))
        renewed = self._renewed(below)
        assert isinstance(renewed, Aggregate)
        below = renewed
        private = kind_of(below.input) is Kind.TRACKED
        if private and not self._determines_unit(below):
            below = self._for_values(below, found.terms, outer)
        result = self._aggregate(below)
        for node in reversed(above):
            result = self._renewed(with_inputs(node, (result,)))
        return result, found.terms

    def _for_values(self, plan: Aggregate, terms: tuple[Expr, ...], outer: Plan) -> Aggregate:
        """The groups of those values alone that the outer query's public tables have."""
        keys = {c.id: i for i, (c, _) in enumerate(plan.keys)}
        sides: list[tuple[int, Expr]] = []
        block = flatten(outer)
        for term in terms:
            assert isinstance(term, Call)
            inner, value = term.args
            assert isinstance(inner, Ref)
            sides.append((keys[inner.column.id], block.inline(value)))
        read = frozenset().union(*(columns_of(e) for _, e in sides))
        part = self._public_part(outer, read)
        if part is None:
            return plan
        copy, own = fresh_copy(part[1], lambda c: self.ids.column(c.name, c.type))
        renamed: dict[int, Expr] = {old: Ref(new) for old, new in own.items()}
        values = tuple(
            (self.ids.column(plan.keys[i][0].name, e.type), substitute(e, renamed))
            for i, e in sides
        )
        distinct = Aggregate(copy, values, ())
        same = [
            make("eq", (plan.keys[i][1], Ref(v)), plan.span)
            for (i, _), (v, _) in zip(sides, values, strict=True)
        ]
        joined = Join(plan.input, distinct, conjunction(same), plan.span)
        new_keys = list(plan.keys)
        for (i, _), (v, _) in zip(sides, values, strict=True):
            new_keys[i] = (plan.keys[i][0], Ref(v, plan.keys[i][1].span))
        return replace(plan, input=joined, keys=tuple(new_keys))

    def _public_part(self, outer: Plan, read: frozenset[int]) -> Part | None:
        """The public part of the outer plan that has the columns `read`, if there is one."""
        if not read:
            return None
        block = flatten(outer)
        tree = Normaliser(self.schema, self.ids).tree(block, read)
        for ids, part in public_parts(tree):
            if read <= ids:
                return ids, part
        return None


def _split_aggregate(plan: Plan) -> tuple[list[Plan], Aggregate | None]:
    """The filters and projections above an aggregate, outermost first, and the aggregate."""
    above: list[Plan] = []
    while isinstance(plan, Filter | Project | Sort):
        above.append(plan)
        plan = plan.input
    return (above, plan) if isinstance(plan, Aggregate) else (above, None)


def _is_feed(plan: Plan, feeds: dict[str, Feed]) -> bool:
    return isinstance(plan, Released) and plan.name in feeds
