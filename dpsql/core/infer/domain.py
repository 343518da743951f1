"""Public domains of group keys: which groups are output, whatever the data is.

A key built from public tables' columns takes its values from those tables: from the *public part*
of the query, its joins and filters that touch public columns alone. A key built from private
columns must have finitely many declared or derived values. Several keys make the product.

Claim: which groups come out is a function of public things. Why: every part of the domain is read
from public tables or computed from the policy and the query, and every key of it is output; private
rows with another key are dropped before they are counted.

Crowded keys. Where public tables list more groups than are answered, and there is a δ, those keys
are taken for private ones.
Claim: the release is private whichever of its keys are taken so (`Schema.crowded`). Why: what is
claimed of private keys (`noise.threshold`) nowhere asks that their values be unknown. In how many
groups a unit is follows from its rows: of a key that is not listed there is no list that bounds it
(`release.in_groups`). A group exists by the units that have a row in it, not by the list, and
comes out by a noisy number of them. Which keys are crowded is made from counts of public rows, the
text and the policy, the same on all neighbours; ids that meant other columns here would make other
public keys private ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dpsql.core.functions import BY_NAME
from dpsql.core.functions.build import make
from dpsql.core.infer.conditions import left
from dpsql.core.infer.image import Options, image
from dpsql.core.infer.in_common import ListedKey, Together, in_common
from dpsql.core.infer.key_parts import KeyPart, parts_of_keys
from dpsql.core.infer.keys import one_to_one, plain_column
from dpsql.core.infer.narrower import narrower
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.public_parts import constants, has_matched
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.infer.tracking import kind_of
from dpsql.core.infer.unit import UNIT
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Ref,
    columns_of,
    conjunction,
    conjuncts,
    transform,
    walk,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Filter,
    Join,
    Plan,
    Project,
    Scan,
    Union,
    expressions,
    nodes,
)
from dpsql.core.plan.values import Values, enumerate_interval, of_type
from dpsql.core.schema import Schema
from dpsql.errors import Diagnostic, Problems, Rejected
from dpsql.types import TIME, Scalar

MAX_GROUPS = 1_000_000
MAX_LISTED = 1_000
"""Values of a key that is no longer listed where all keys together make too many groups."""

Keys = tuple[tuple[Column, Expr], ...]


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """Keys whose joint values are the distinct rows of a plan over public tables alone.

    Attributes:
        factors: plans of whose product's rows they are made, where they are.
    """

    columns: tuple[Column, ...]
    plan: Project
    factors: tuple[Plan, ...] = ()


@dataclass(frozen=True, slots=True)
class Domain:
    """The product of its parts. `size` is None where it depends on public tables' contents, or on
    private rows.

    Attributes:
        private: whether a key's values are known to nobody: a group is output only if enough units
            have a row in it.
        together: listed keys of which not all combinations are output.
    """

    listed: tuple[ListedKey, ...]
    public: tuple[PublicKeys, ...]
    private: tuple[Column, ...] = ()
    together: tuple[Together, ...] = ()

    @property
    def size(self) -> int | None:
        """How many groups there are."""
        if self.public or self.private:
            return None
        return math.prod(count for _, count in self.counts)

    @property
    def counts(self) -> tuple[tuple[tuple[Column, ...], int], ...]:
        """The listed keys, and how many there are of each."""
        alone = (((key.column,), len(key.values)) for key in self._alone)
        return (*((part.columns, len(part.rows)) for part in self.together), *alone)

    @property
    def listings(self) -> tuple[Together, ...]:
        """The listed keys; the groups are the product of these and of what public tables list."""
        own = (Together((key.column,), tuple((v,) for v in key.values)) for key in self._alone)
        return (*self.together, *own)

    @property
    def _alone(self) -> tuple[ListedKey, ...]:
        apart = {c for part in self.together for c in part.columns}
        return tuple(key for key in self.listed if key.column not in apart)

    @property
    def product(self) -> int | None:
        """How many groups there were if all combinations were output: what rows are tested for."""
        if self.public or self.private:
            return None
        return math.prod(len(key.values) for key in self.listed)


def domain_of(
    keys: Keys,
    plan: Plan,
    properties: Properties,
    filtered: Mapping[int, Filtered],
    schema: Schema,
    ids: Ids,
    *,
    thresholds: bool = False,
) -> Domain:
    """The public domain of the keys of an aggregate over `plan`.

    Args:
        keys: the group keys.
        plan: the rows.
        properties: of the rows.
        filtered: what the query's conditions say of the keys, see `filtered_keys`.
        schema: what is declared of public tables.
        ids: for what a public list has beside its tables' columns.
        thresholds: whether keys without a list, and those of a crowded one, may be private: δ is
            there to pay for it.

    Raises:
        Rejected: DP303, DP304, DP307, DP404.
    """
    own = tuple(e for _, e in keys)
    parts, in_parts = parts_of_keys(plan, own, properties, ids)
    public: list[list[tuple[Column, Expr, Expr]]] = [[] for _ in parts]
    listed: list[ListedKey] = []
    private: list[Column] = []
    problems = Problems()
    homes = _homes(in_parts, parts, plan)
    for (column, expr), in_part, home in zip(keys, in_parts, homes, strict=True):
        try:
            _check_key(column, expr, properties)
        except Rejected as rejected:
            problems.add(rejected)
            continue
        if home is not None and not (thresholds and column.id in schema.crowded):
            public[home].append((column, expr, in_part))
        elif home is not None:
            private.append(column)
        else:
            said = filtered.get(column.id)
            try:
                values = _listed_values(column, expr, properties, said)
            except Rejected as rejected:
                if thresholds and rejected.code == "DP303":
                    private.append(column)
                else:
                    problems.add(rejected)
                continue
            listed.append(ListedKey(column, expr, values))
    problems.check()
    for column, expr in keys:  # of what is listed such groups are shown, with noise
        if column in private and one_to_one(expr) in properties.anchors:
            raise _of_one_unit(column, expr, "leads to one unit")
    if private:
        _check_shared(keys, plan, properties)
    found = tuple(
        PublicKeys(
            tuple(c for c, _, _ in items),
            _narrowed(part.plan, items, plan, properties, schema),
            part.factors,
        )
        for items, part in zip(public, parts, strict=True)
        if items
    )
    terms = {c: said.terms for c, said in filtered.items()}
    alone, together = in_common(listed, terms, properties.expected)
    domain = Domain(alone, found, tuple(private), together)
    if too_many(domain) and thresholds:  # those of enough units are shown, of whatever values
        short = sorted(listed, key=lambda key: len(key.values))
        while short and (len(short[-1].values) > MAX_LISTED or too_many(domain)):
            short.pop()
            alone, together = in_common(
                [key for key in listed if key in short], terms, properties.expected
            )
            shown = {*(key.column for key in short), *(c for part in found for c in part.columns)}
            hidden = tuple(c for c, _ in keys if c not in shown)
            domain = Domain(alone, found, hidden, together)
        _check_shared(keys, plan, properties)
    if too_many(domain):
        size = math.prod(count for _, count in domain.counts)
        message = f"the group keys have {size:,} combinations, more than {MAX_GROUPS:,}"
        raise Rejected(Diagnostic("DP304", message, keys[0][1].span, "group by coarser keys"))
    return domain


def too_many(domain: Domain) -> bool:
    """Whether what is listed alone makes more groups than are answered."""
    return math.prod(count for _, count in domain.counts) > MAX_GROUPS


def _check_key(column: Column, expr: Expr, properties: Properties) -> None:
    plain = plain_column(expr)
    if plain is not None and plain in properties.anchors:
        unit = properties.anchors[plain] == UNIT
        raise _of_one_unit(column, expr, "is the unit" if unit else "leads to one unit")
    if expr.type.is_opaque or expr.type.name == "INTERVAL":
        help = "group by whether it is NULL: x IS NULL"
        if expr.type.name == "INTERVAL":
            help = "use its months or days: EXTRACT(month FROM …)"
        if expr.type == TIME:
            help = "group by its hour, HOUR(t), or by MAKE_TIME(HOUR(t) % 24, MINUTE(t), 0)"
        message = f"a group key cannot be of type {expr.type}"
        raise Rejected(Diagnostic("DP307", message, expr.span, help))


def _of_one_unit(column: Column, expr: Expr, what: str) -> Rejected:
    message = f"{column.name} {what}: every group would be one individual"
    help = "group by something that many units share"
    return Rejected(Diagnostic("DP404", message, expr.span, help))


def _homes(keys: Sequence[Expr], parts: list[KeyPart], plan: Plan) -> list[int | None]:
    """The part that lists each key. No table is read for constants of a union's branches alone."""
    found: list[int | None] = []
    for expr in keys:
        used = columns_of(expr)
        found.append(next((i for i, p in enumerate(parts) if used and used <= p.columns), None))
    unions = [n for n in nodes(plan) if isinstance(n, Union) and kind_of(n) is Kind.TRACKED]
    fixed = {c.id for union in unions for c in constants(union)}
    pairs = list(zip(keys, found, strict=True))
    needed = {i for e, i in pairs if not columns_of(e) <= fixed}
    return [i if i in needed else None for i in found]


def _narrowed(
    part: Plan,
    items: Sequence[tuple[Column, Expr, Expr]],
    plan: Plan,
    properties: Properties,
    schema: Schema,
) -> Project:
    """The values of public keys, without those that the private rows are proven not to have, as by
    a condition of each branch of a union, or what `enforce.as_declared` adds. The condition of a
    `matched` join says so, too, and takes no group away.
    """
    keys = tuple((column, in_part) for column, _, in_part in items)
    if has_matched(plan):
        return Project(part, keys)
    own = analyze(part, schema).expected
    pairs = ((e, infer(key, properties.proven), infer(e, own)) for _, key, e in items)
    predicate = conjunction([t for e, said, listed in pairs for t in _narrower(e, said, listed)])
    return Project(part if predicate is None else Filter(part, predicate), keys)


def _narrower(expr: Expr, said: Values, listed: Values) -> list[Expr]:
    """As `narrower`; or that it is not NULL, where no more than that is said."""
    if (found := narrower(expr, said, listed)) or said.nullable or not listed.nullable:
        return found
    return [make("not", (make("is_null", (expr,), None),), None)]


def _check_shared(keys: Keys, plan: Plan, properties: Properties) -> None:
    """Refuse private groups of one row each, or of the rows that one row is joined with: no
    threshold would ever let them through.
    """
    plain = {e.column.id: c for c, e in keys if isinstance(e, Ref)}
    apart = [min(key) for key in properties.keys if key and key <= plain.keys()]
    apart += [
        c
        for c in plain
        if not properties.expected[c].nullable  # NULL may stand there many times
        and (rows := properties.per_value.get(c)) is not None
        and rows.claimed == 1
    ]
    alone = [
        column.id
        for scan in nodes(plan)
        if isinstance(scan, Scan) and scan.table.private
        for field, column in zip(scan.fields, scan.columns, strict=True)
        if column.id in plain and not properties.expected[column.id].nullable
        if (said := scan.table.column(field)) is not None and said.max_rows == 1
    ]
    if alone and not apart:
        message = f"{plain[alone[0]].name} leads to one unit: every group would be one individual"
        help = "group by something that many units share"
        raise Rejected(Diagnostic("DP404", message, keys[0][1].span, help))
    if apart:
        name = plain[apart[0]].name
        message = f"no two rows have the same {name}: every group would be one row"
        help = f"group by something that many units share, or count: COUNT(DISTINCT {name})"
        raise Rejected(Diagnostic("DP404", message, keys[0][1].span, help))


@dataclass(frozen=True, slots=True)
class Filtered:
    """What the conditions say of a key.

    Attributes:
        key: as the conditions have it.
        terms: those on every row.
        whole: what they say of it as a whole; None where they say nothing.
    """

    key: Expr
    terms: tuple[Expr, ...]
    whole: Values | None


def filtered_keys(plan: Plan, keys: Keys, properties: Properties) -> dict[int, Filtered]:
    """What the conditions on every row say of each key. `left(x, 2) IN ('13', '31')` says so of the
    key left(x, 2) as a whole: it is taken for a column, and the conditions narrow it.
    """
    found: dict[int, Filtered] = {}
    terms = tuple(t for node in spine(plan) for e in expressions(node) for t in conjuncts(e))
    for column, key in keys:

        def stand_in(node: Expr, column: Column = column, key: Expr = key) -> Expr:
            return Ref(column) if node == key and node.type == key.type else node

        env, whole = {**properties.expected, column.id: of_type(key.type)}, False
        for term in () if isinstance(key, Ref) else terms:  # properties know of columns already
            moved = transform(term, stand_in)
            if column.id in columns_of(moved):
                env, whole = dict(narrow(moved, env)), True
        found[column.id] = Filtered(key, terms, env[column.id] if whole else None)
    return found


def spine(plan: Plan) -> Iterator[Plan]:
    """The nodes whose conditions every row of the plan fulfils."""
    if isinstance(plan, Filter):
        yield plan
        yield from spine(plan.input)
    elif isinstance(plan, Join) and plan.kind in ("mark", "left"):
        yield from spine(plan.left)
    elif isinstance(plan, Join):
        yield plan
        yield from spine(plan.left)
        yield from spine(plan.right)


def listed_values(expr: Expr, env: Environment) -> tuple[Scalar, ...] | None:
    """The values of an expression that the policy and the query list, without NULL; None where no
    list is known.

    Args:
        expr: over columns of `env`.
        env: what these can be. Where NULL is `expected` only if it is declared, what stands for it
            is not listed: no group of it, but no value either.
    """
    found = image(expr, env)
    return None if found is None else tuple(v for v in found if v is not None)


def is_strict(expr: Expr) -> bool:
    """Whether it is NULL wherever a column of it is."""
    return not any(
        isinstance(n, Case) or (isinstance(n, Call) and not BY_NAME[n.function].strict)
        for n in walk(expr)
    )


def with_nulls(expr: Expr, properties: Properties) -> Environment:
    """What the columns of a key are taken to be. Of NULL that is not declared there is no group;
    but where the key is a value for it, as in COALESCE(x, 'none') or x IS NULL, the query itself
    asks for one.
    """
    expected = properties.expected
    if is_strict(expr):
        return expected
    unsaid = (c for c in columns_of(expr) if properties.claimed[c].nullable)
    return {**expected, **{c: expected[c].but(nullable=True) for c in unsaid}}


def _named(expr: Expr, properties: Properties, env: Environment) -> Options | None:
    """The values of a key; NULL where it is declared of what the key is made of."""
    found = image(expr, env)
    if found is None or None not in found or env is properties.expected:
        return found
    declared = image(expr, properties.expected)
    return found if declared is None or None in declared else found[:-1]  # it is the last


def _listed_values(
    column: Column, expr: Expr, properties: Properties, said: Filtered | None
) -> tuple[Scalar | None, ...]:
    env = with_nulls(expr, properties)
    found = _named(expr, properties, env)
    whole = None if said is None else said.whole
    if whole is not None and found is None:
        known = enumerate_interval(whole, expr.type)
        if known is not None:
            return tuple(dict.fromkeys((*known, *((None,) if whole.nullable else ()))))
    if found is not None and said is not None:
        return left(said.key, found, said.terms, env)
    if found is None:
        help = (
            "group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x"
            if expr.type.is_decimal or expr.type.is_float
            else "declare `values` or `bounds` for its column in the policy, filter it "
            "with IN (…), or join a public table and group by that table's column"
        )
        raise Rejected(
            Diagnostic(
                "DP303",
                f"the values of {column.name} are private: no public list of its groups is known",
                expr.span,
                f"{help}; or ask with a delta, and groups of few units are left out",
            )
        )
    return found
