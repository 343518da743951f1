"""How many groups a unit is in, and how many rows it has in each and in all of them."""

from __future__ import annotations

import math
from dataclasses import replace

from dpsql.core.infer.domain import Domain, Keys
from dpsql.core.infer.evidence import Evidence
from dpsql.core.infer.keys import plain_column
from dpsql.core.infer.multiplicity import Bound
from dpsql.core.infer.properties import Properties, rows_in_group
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import columns_of
from dpsql.core.plan.nodes import Plan
from dpsql.core.release.queries import must_enforce
from dpsql.core.schema import Schema


def own_groups(keys: Keys, domain: Domain, properties: Properties) -> int | None:
    """In how many groups that are output one unit can be: as many as the keys that it does not
    determine have values; None where these are not listed.

    Claim: of a key that public tables list it is also as many as the rows are proven to have, with
    NULL and NaN. Why: each group that the unit is in has the value of one of its rows.
    """
    sizes = {key.column.id: len(key.values) for key in domain.listed}
    free = [c.id for c, e in keys if not set(columns_of(e)) <= properties.determined]
    proven = {c.id: infer(e, properties.proven) for c, e in keys if c.id not in sizes}
    few = {c: (v, v.finite) for c, v in proven.items()}
    sizes |= {c: len(f) + v.nullable + v.nan for c, (v, f) in few.items() if f is not None}
    return math.prod(sizes[c] for c in free) if sizes.keys() >= set(free) else None


def in_one_group(
    keys: Keys, domain: Domain, plan: Plan, properties: Properties, schema: Schema
) -> int | None:
    """How many rows a unit has in one group that is output, in fact. Claim: a column that is a key
    may be taken for never NULL where NULL is no value that is listed. Why: the statement's WHERE
    leaves the rows out in which it is.
    """
    told = {key.column.id for key in domain.listed if None not in key.values}
    never = {plain_column(e) for c, e in keys if c.id in told}
    proven = {i: v.but(nullable=False) if i in never else v for i, v in properties.proven.items()}
    known = replace(properties, proven=proven)
    return rows_in_group(plan, (e for _, e in keys), known, schema).proven


def in_listed_groups(
    keys: Keys,
    domain: Domain,
    plan: Plan,
    properties: Properties,
    schema: Schema,
    declared: int | None,
) -> Properties:
    """The properties with a bound on the rows that are counted, where that needs no cut.

    Claim: a unit has at most n·c rows in listed groups, in fact, if it can be in n of them and has
    at most c rows in each. Why: each of its rows is in one group, and those in no listed group are
    left out by the statement's WHERE. Source: the sum over disjoint groups. Where n·c is no more
    than is declared, it stands for that, and no unit is cut down: so it is for what a subquery has
    grouped by the unit and by these keys, of which a group has one row of a unit.
    """
    own = own_groups(keys, domain, properties)
    if own is None or declared is None or not keys or not must_enforce(properties.rows):
        return properties
    cell = in_one_group(keys, domain, plan, properties, schema)
    if cell is None or own * cell > declared:
        return properties
    rows = Bound(own * cell, own * cell)
    return replace(properties, rows=rows, rows_why=Evidence("in each", (cell, own)))
