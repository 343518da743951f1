"""The public part of a private plan: which values its public columns can have together.

FROM lines JOIN products ON product = products.id WHERE products.price > 10
products.id, products.kind: those of products, where the price is above 10
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import (
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjunction,
    conjuncts,
)
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    nodes,
)

Keys = tuple[tuple[Column, Expr], ...]

Part = tuple[frozenset[int], Plan]
"""Columns of a private plan, and a public plan that has each combination of their values."""


def public_parts(plan: Plan) -> list[Part]:
    """The public columns of a private plan: for each group of them that conditions tie together, a
    public plan which has every combination of their values that a row of `plan` can have.

    Claim: the public columns of every row of `plan` are a row of each of these plans. By cases:
    - inner joins under a conjunction: a joined row is a row of every side and passes every
      predicate; leaving tables and predicates out only adds rows. Tables tied by private rows alone
      make a product, which is never formed.
    - an outer join: the preserved side as above, under its own conditions only; the other side
      under its own too, and one row of NULLs, for rows without a match.
    - `matched`: a condition of the join itself does not take groups away, as in SQL.
    - a mark of public rows (`id NOT IN (SELECT …)`): a row's is a function of the columns that its
      condition reads, so that of the part's row of these is the same.
    - a Project, or groups: what is computed from public columns alone.
    - UNION ALL: a row is one of a branch, where the columns are of one plan, or constants.
    """
    sources: list[Part] = []
    terms: list[Expr] = []
    marks: list[Join] = []
    _collect(plan, sources, terms, marks)
    owner = {c: index for index, (ids, _) in enumerate(sources) for c in ids}
    group = list(range(len(sources)))
    tied: list[tuple[int, Expr]] = []
    read: dict[int, frozenset[int]] = {c: frozenset({c}) for c in owner}
    for mark in marks:
        if mark.mark is not None and (used := _asked(mark)) and used <= owner.keys():
            read[mark.mark.id] = used
    for term in terms:
        if columns_of(term) and columns_of(term) <= read.keys():
            used = frozenset().union(*(read[c] for c in columns_of(term)))
            tables = sorted({group[owner[c]] for c in used})
            group = [tables[0] if g in tables else g for g in group]
            tied.append((owner[next(iter(used))], term))
    result: list[Part] = []
    for label in sorted(set(group)):
        members = [part for part, g in zip(sources, group, strict=True) if g == label]
        own = [term for index, term in tied if group[index] == label]
        ids = frozenset().union(*(i for i, _ in members))
        result.append((ids, _tied([p for _, p in members], own, marks)))
    return result


def _asked(mark: Join) -> frozenset[int]:
    """The columns of a row that its mark hangs on."""
    own = {c.id for c in mark.right.columns}
    return frozenset() if mark.condition is None else columns_of(mark.condition) - own


def has_matched(plan: Plan) -> bool:
    """Whether a join is `matched`: its condition takes no group away."""
    return any(isinstance(node, Join) and node.kind == "matched" for node in nodes(plan))


def _collect(plan: Plan, sources: list[Part], terms: list[Expr], marks: list[Join]) -> None:
    """The public sources of a plan, the conditions that its rows fulfil, and marks of public rows
    that these may read.
    """
    taken_apart = isinstance(plan, OneRow | Filter) or (
        isinstance(plan, Join) and plan.kind == "inner"
    )
    if kind_of(plan) is Kind.PUBLIC and not taken_apart:
        if _hidden(plan):
            return  # of another kind of unit: whatever is made of its rows is no public list
        sources.append((frozenset(c.id for c in plan.columns), plan))
        return
    match plan:
        case Filter():
            _collect(plan.input, sources, terms, marks)
            terms += conjuncts(plan.predicate)
        case Join():
            _collect(plan.left, sources, terms, marks)
            if plan.kind == "mark" and kind_of(plan.right) is Kind.PUBLIC:
                marks += [] if _hidden(plan.right) else [plan]
            elif plan.kind == "left":
                sources += [_extended(part) for part in public_parts(plan.right)]
            elif plan.kind != "mark":
                _collect(plan.right, sources, terms, marks)
                if plan.kind == "inner" and plan.condition is not None:
                    terms += conjuncts(plan.condition)
        case Project():
            sources += _computed(plan.items, public_parts(plan.input))
        case Aggregate():
            sources += _computed(plan.keys, public_parts(plan.input))
        case Window():
            _collect(plan.input, sources, terms, marks)
        case Union():
            sources += _united(plan)
        case Scan() | OneRow() | Released() | Sort() | Limit() | Apply() | Named():
            pass  # nothing is known of their rows
        case _:
            assert_never(plan)


def _hidden(plan: Plan) -> bool:
    return any(isinstance(node, Scan) and node.table.hidden for node in nodes(plan))


def _computed(items: Keys, parts: list[Part]) -> list[Part]:
    """What is computed from the columns of one part alone."""
    result: list[Part] = []
    for ids, part in parts:
        kept = tuple((c, e) for c, e in items if columns_of(e) and columns_of(e) <= ids)
        if kept:
            result.append((frozenset(c.id for c, _ in kept), Project(part, kept)))
    return result


def _united(plan: Union) -> list[Part]:
    """The columns of a union that are in one part, the same one, in each branch, or constants."""
    parts = [public_parts(branch) for branch in plan.branches]
    found: list[tuple[list[Part | None], list[tuple[Column, list[Expr]]]]] = []
    for place, column in enumerate(plan.columns):
        made = [_made(branch, branch.columns[place]) for branch in plan.branches]
        homes = [
            next((p for p in of if columns_of(e) and columns_of(e) <= p[0]), None)
            for of, e in zip(parts, made, strict=True)
        ]
        if any(h is None and columns_of(e) for h, e in zip(homes, made, strict=True)):
            continue
        for of, items in found:
            pairs = list(zip(of, homes, strict=True))
            if all(a is b or a is None or b is None for a, b in pairs):
                of[:] = [a or b for a, b in pairs]
                items.append((column, made))
                break
        else:
            found.append((homes, [(column, made)]))
    result: list[Part] = []
    for of, items in found:
        columns = tuple(c for c, _ in items)
        branches = tuple(
            Project(OneRow() if home is None else home[1], tuple((c, e[i]) for c, e in items))
            for i, home in enumerate(of)
        )
        result.append((frozenset(c.id for c in columns), Union(branches, columns)))
    return result


def _made(plan: Plan, column: Column) -> Expr:
    """What a column of a plan is: a constant, or itself."""
    below, inner = plan, column
    while True:
        match below:
            case Project():
                found = next(e for c, e in below.items if c.id == inner.id)
                if not isinstance(found, Ref):
                    return Ref(column) if columns_of(found) else found
                below, inner = below.input, found.column
            case Filter():
                below = below.input
            case Join(kind="inner"):
                left = inner.id in {c.id for c in below.left.columns}
                below = below.left if left else below.right
            case Join() | Scan() | OneRow() | Released() | Aggregate() | Window() | Union():
                return Ref(column)
            case Sort() | Limit() | Apply() | Named():
                return Ref(column)


def _extended(part: Part) -> Part:
    """The part and one row of NULLs."""
    ids, plan = part
    columns = plan.columns
    nulls = Project(OneRow(), tuple((c, Literal(None, c.type)) for c in columns))
    return ids, Union((plan, nulls), columns)


def _tied(scans: list[Plan], terms: list[Expr], marks: list[Join]) -> Plan:
    """A left-deep join of scans, each term as soon as its columns are there, and the marks that
    terms read.
    """
    result: Plan | None = None
    asked = frozenset().union(*map(columns_of, terms))
    marks = [m for m in marks if m.mark is not None and m.mark.id in asked]
    for scan in scans:
        result = scan if result is None else Join(result, scan, None)
        here = {c.id for c in result.columns}
        for mark in [m for m in marks if _asked(m) <= here]:
            result = replace(mark, left=result)
            marks.remove(mark)
        available = frozenset(c.id for c in result.columns)
        ready = [t for t in terms if columns_of(t) <= available]
        placed = set(ready)
        terms = [t for t in terms if t not in placed]
        predicate = conjunction(ready)
        result = result if predicate is None else Filter(result, predicate)
    assert result is not None
    return result


def constants(plan: Union) -> list[Column]:
    """The columns that are a constant in each branch."""
    places = enumerate(plan.columns)
    return [
        c for i, c in places if not any(columns_of(_made(b, b.columns[i])) for b in plan.branches)
    ]
