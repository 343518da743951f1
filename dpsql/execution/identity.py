"""What a release measures, as a digest: equal for queries that ask for the same in other words.

Claim: two releases of one version of the data with the same `shape` have the same exact cells, and
what is noisy of one is an answer to the other. Why: in the shape are the statements that the engine
runs (with columns numbered anew) and everything structured that they were printed from: rows, keys,
groups, what is measured and in which units, bounds, quotas, grids, the least number of units; what
released rows a later release reads, and how these were made; and the whole schema but its budget,
that is, all that the policy, the engine's catalog and the verification say. Left out are names and
words, and what is computed from noisy numbers afterwards. Where more could matter than is known
here, the statement or the class differs, and so does the digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dpsql.compile import ReleasedQuery
from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.plan.canonical import Canonical, Digest, Fed, digest
from dpsql.core.plan.expr import Expr, columns_of
from dpsql.core.plan.nodes import Released, nodes
from dpsql.core.release.measures import APART, Kind, Measure
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, plans
from dpsql.core.schema import Schema

FORMAT = "1"
"""Changes when a digest, or what is stored under one, gets another meaning."""

LEFT_OUT = frozenset(
    {
        *(f"Release.{name}" for name in ("table", "node")),
        *("Release.outputs", "Release.setting", "Release.arguments", "Release.pairable"),
        *("Best.arguments", "Best.setting", "Measure.near", "Truncation.kinds"),
        "PublicKeys.factors",
    }
)
"""Names and words, what is written twice, and what comes after the noise; the setting is in the
sensitivities.
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """A count that measures say together: (A - B)/w, see `release.together`, or A + B, see
    `release.subsets`.

    Attributes:
        made: what is counted.
        plus, minus: the places of those that are added, and taken away; their noise is the same.
        width: w, in their steps.
    """

    made: Digest
    plus: tuple[int, ...]
    minus: tuple[int, ...]
    width: int

    @property
    def read(self) -> tuple[int, ...]:
        """All of them."""
        return self.plus + self.minus


@dataclass(frozen=True, slots=True)
class Parts:
    """A release whose groups add up: sums over rows, each of which is in one group at most.

    Attributes:
        rows: the rows without the conditions on them, and how units are found and bounded.
        conditions: on the rows, by digest.
        keys: the group keys.
        tested: for each key whether rows are dropped whose key is not in the list of groups.
        measures: for each measure what is added up; "" where it is public.
        counts: how many rows or values there are, by two of the measures.
    """

    rows: Digest
    conditions: Mapping[Digest, Expr]
    keys: tuple[Digest, ...]
    tested: tuple[bool, ...]
    measures: tuple[Digest, ...]
    counts: tuple[Counted, ...]
    canonical: Canonical = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a release is.

    Attributes:
        shape: the same for the same release, on any data.
        schema: of what is public.
        parts: what it adds up, where its groups may be added up.
    """

    shape: Digest
    schema: Digest
    parts: Parts | None

    def key(self, version: str) -> Digest:
        """The same for the same release of the same version of the data."""
        return digest("key", FORMAT, self.shape, version)

    def family(self, version: str) -> Digest:
        """The same for releases of the same rows, whatever their conditions; "" without parts."""
        if self.parts is None:
            return ""
        return digest("family", FORMAT, self.schema, self.parts.rows, version)


def identities(
    query: ReleasedQuery, schema: Schema, texts: tuple[Statements, ...]
) -> tuple[Identity, ...]:
    """The identity of each release.

    Args:
        query: accepted.
        schema: that it was read with.
        texts: the statements of each release.
    """
    public = schema_digest(schema)
    known: dict[str, Fed] = {}
    found: list[Identity] = []
    for release, text in zip(query.releases, texts, strict=True):
        for plan in (
            *plans(release),
            release.aggregate,
        ):  # a key of which nothing is asked reads, too
            for node in nodes(plan):
                if isinstance(node, Released):
                    _feed(node.name, query, known)
        canonical = Canonical(known, LEFT_OUT)
        for plan in plans(release):
            canonical.plan(plan)
        shape = digest("release", FORMAT, public, *_numbered(text), canonical.of(release))
        found.append(Identity(shape, public, _parts(release, canonical)))
        known[release.table] = _released(release, shape, canonical)
    return tuple(found)


def schema_digest(schema: Schema) -> Digest:
    """All that is public, but for the budget."""
    tables = sorted(schema.tables.items())
    rest = replace(schema, tables={}, eps=Fraction(1), delta=Fraction(0))
    kinds = (schema_digest(kind) for kind in schema.kinds)
    looked = (f"{low} {t.lookup}" for low, t in tables if t.lookup is not None)
    return digest("schema", repr(rest), *(repr(item) for item in tables), *kinds, *looked)


def _numbered(text: Statements) -> list[str]:
    """The statements with columns c17, c5, … called c0, c1, … in the order in which they come, also
    where they name the parameters of released rows.
    """
    numbers: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        return match[1] + numbers.setdefault(match[2], f"c{len(numbers)}")

    return [re.sub(r'("|\$f\d+_)(c\d+)\b', renamed, statement) for statement in text.every]


def _released(release: Release, shape: Digest, canonical: Canonical) -> Fed:
    """What the noisy answer of a release is, to a later one."""
    columns = release.node.columns
    keys = len(columns) - len(release.outputs)
    parts = [digest("key", str(place)) for place in range(keys)]
    parts += [canonical.of(output.formula) for output in release.outputs]
    return Fed(
        shape,
        {
            name: digest("released", shape, part, str(column.type))
            for name, part, column in zip(release.node.fields, parts, columns, strict=True)
        },
    )


def _feed(name: str, query: ReleasedQuery, known: dict[str, Fed]) -> None:
    """Note what the released rows of that name are."""
    if name in known:
        return
    feed = query.feeds[name]
    for node in nodes(feed.plan):
        if isinstance(node, Released):
            _feed(node.name, query, known)
    canonical = Canonical(known, LEFT_OUT)
    rows = digest("feed", canonical.plan(feed.plan))
    known[name] = Fed(
        rows,
        {
            field_name: digest("fed", rows, canonical.column(column), str(column.type))
            for field_name, column in zip(feed.fields, feed.columns, strict=True)
        },
    )


def _parts(release: Release, canonical: Canonical) -> Parts | None:
    """What adds up; None where a release has none, or has more.

    Left out: clipped sums, whose clip is that of all groups; distinct values, of which two groups
    may have the same; picks; groups that are known with noise alone; rows that depend on noise;
    groups that are not all combinations of what their keys can be, of which a row that breaks a
    claim may be in none; and sums of units that are cut down, unless a unit is in one group only:
    which rows of a group are kept depends on how many are in the others. (Whoever wants these sums
    asks for them: a sum over the same groups is what is done with a release, and costs nothing.)
    """
    cells = release.cells
    if cells is None or release.clipping is not None or release.domain.private or cells.per_group:
        return None
    if release.picks or any(m.kind in APART or m.adaptive for m in release.measures):
        return None
    if cells.quota is not None and not release.setting.one_group:
        return None
    if release.domain.together or any(isinstance(n, Released) for n in nodes(cells.plan)):
        return None
    block = canonical.block(cells.plan)
    keys = tuple(canonical.expr(e) for _, e in cells.keys)
    tested = {c for member in cells.members for c in columns_of(member)}
    rows = digest(
        *("rows", *block.sources, "unit", canonical.of(cells.path)),
        repr((cells.unit_not_null, cells.quota)),
    )
    measures = tuple(_measure(m, cells, canonical) for m in release.measures)
    return Parts(
        rows,
        block.conditions,
        keys,
        tuple(c.id in tested for c, _ in cells.keys),
        measures,
        (*_counted(release.measures, cells, canonical), *_in_parts(release, cells, canonical)),
        canonical,
    )


def _counted(
    measures: tuple[Measure, ...], cells: Cells, canonical: Canonical
) -> Iterator[Counted]:
    for below, measure in enumerate(measures):
        bound = measure.contribution
        if measure.kind is not Kind.CENTRED or measure.input is None or bound.high or not bound.low:
            continue
        place = next(
            n
            for n, m in enumerate(measures)
            if (m.kind, m.input, m.contribution.low) == (Kind.CENTRED, measure.input, 0)
        )
        apart = cells.inputs[measure.input].counted
        count = replace(
            measure,
            kind=Kind.VALUES if apart else Kind.ROWS,
            input=measure.input if apart else None,
            unit=Fraction(1),
            centre=0,
        )
        yield Counted(_measure(count, cells, canonical), (place,), (below,), -bound.low)


def _in_parts(release: Release, cells: Cells, canonical: Canonical) -> Iterator[Counted]:
    """The counts that are sums of weights, of which every row has some: see `subsets`. Where units
    are cut down, what is kept of all rows is what is kept of these; of some rows it may be rounded
    apart.
    """
    families: dict[int, list[int]] = {}
    for place, measure in enumerate(release.measures):
        if measure.kind is Kind.PART:
            families.setdefault(measure.family, []).append(place)
    for places in families.values():
        near = {p: release.measures[p].near for p in places}
        first = release.measures[places[0]]
        if any(i is not None and cells.inputs[i].counted for i in first.between):
            continue  # they are of the rows with a value alone
        whole = first.contribution.high
        rows = replace(first, kind=Kind.ROWS, input=None, unit=Fraction(1), between=(None, None))
        yield Counted(_measure(rows, cells, canonical), tuple(places), (), whole)
        for index, _ in first.near if cells.quota is None else ():
            if first.conditional and release.arguments[index].lattice is None:
                plus = tuple(p for p in places if (index, Fraction(1)) in near[p])
            elif not first.conditional and not all(near.values()):
                plus = tuple(p for p in places if near[p])
            else:
                continue  # it may be a sum of what is 0 or 1, or one to which NULLs add
            values = replace(rows, kind=Kind.VALUES, input=index)
            own = replace(cells.inputs[index], counted=True)
            inputs = (*cells.inputs[:index], own, *cells.inputs[index + 1 :])
            made = _measure(values, replace(cells, inputs=inputs), canonical)
            yield Counted(made, plus, (), whole)


def _measure(measure: Measure, cells: Cells, canonical: Canonical) -> Digest:
    if measure.constant is not None:
        return ""
    if measure.input is None:
        return digest("measure", measure.kind.value)
    item = cells.inputs[measure.input]
    total = item.total
    parts = [canonical.of(item.expr), repr((measure.unit, measure.centre))]
    if total is not None and measure.kind is not Kind.VALUES:
        parts += [canonical.of(total.expr), repr(total.step)]
    if measure.kind is Kind.PART:
        parts += ["" if i is None else canonical.of(cells.inputs[i].expr) for i in measure.between]
        parts.append(repr(measure.contribution.high))
    # How many values there are decides what is centred, and what a heavy unit's sum may be.
    if measure.kind is not Kind.SUM or cells.quota is not None:
        parts.append(repr(item.counted))
    if cells.quota is not None and total is not None:
        parts.append(repr((total.low, total.high)))
    if cells.quota is not None and item.counted:
        parts.append(repr(item.chained.down))
        after = item.chained.after
        while after is not None:
            parts.append(canonical.of(cells.inputs[after].expr))
            after = cells.inputs[after].chained.after
    return digest("measure", measure.kind.value, *parts)
