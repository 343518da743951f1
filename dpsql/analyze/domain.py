"""Public domains of group keys: which groups are output, whatever the data is.

A key built from public tables' columns takes its values from those tables: from the *public part*
of the query, its joins and filters that touch public columns alone. A key built from private
columns must have finitely many declared or derived values. Several keys make the product.

Claim: which groups come out is a function of public things. Why: every part of the domain is read
from public tables or computed from the policy and the query, and every key of it is output; private
rows with another key are dropped before they are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from dpsql.analyze.keys import plain_column
from dpsql.analyze.properties import Properties
from dpsql.analyze.ranges import infer
from dpsql.analyze.unit import UNIT
from dpsql.errors import Diagnostic, Rejected
from dpsql.plan.expr import Call, Column, Expr, Ref, columns_of, conjunction, conjuncts, walk
from dpsql.plan.nodes import Filter, Join, Plan, Project, Scan, expressions, nodes
from dpsql.plan.values import comparable, enumerate_interval
from dpsql.sql.evaluate import evaluate
from dpsql.types import Scalar

MAX_GROUPS = 1_000_000
MAX_IMAGE = 20_000

Keys = tuple[tuple[Column, Expr], ...]


@dataclass(frozen=True, slots=True)
class ListedKey:
    """One key whose values are known from the policy and the query; None stands for NULL."""

    column: Column
    expr: Expr
    values: tuple[Scalar | None, ...]


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """Keys whose joint values are the distinct rows of a plan over public tables alone."""

    columns: tuple[Column, ...]
    plan: Plan


@dataclass(frozen=True, slots=True)
class Domain:
    """The product of its parts. `size` is None where it depends on public tables' contents."""

    listed: tuple[ListedKey, ...]
    public: tuple[PublicKeys, ...]
    why: str

    @property
    def size(self) -> int | None:
        """How many groups there are."""
        if self.public:
            return None
        result = 1
        for key in self.listed:
            result *= len(key.values)
        return result


def domain_of(keys: Keys, plan: Plan, properties: Properties) -> Domain:
    """The public domain of the keys of an aggregate over `plan`.

    Raises:
        Rejected: DP303, DP304, DP307, DP404.
    """
    parts = [(frozenset(c.id for c in p.columns), p) for p in public_parts(plan)]
    public: list[list[tuple[Column, Expr]]] = [[] for _ in parts]
    listed: list[ListedKey] = []
    for column, expr in keys:
        _check_key(column, expr, properties)
        used = columns_of(expr)
        home = next((i for i, (ids, _) in enumerate(parts) if used and used <= ids), None)
        if home is not None:
            public[home].append((column, expr))
        else:
            listed.append(ListedKey(column, expr, _listed_values(column, expr, properties)))
    found = tuple(
        PublicKeys(tuple(c for c, _ in items), Project(part, tuple(items)))
        for items, (_, part) in zip(public, parts, strict=True)
        if items
    )
    domain = Domain(tuple(listed), found, _words(listed, found))
    size = domain.size
    if size is not None and size > MAX_GROUPS:
        message = f"the group keys have {size:,} combinations, more than {MAX_GROUPS:,}"
        raise Rejected(Diagnostic("DP304", message, keys[0][1].span, "group by coarser keys"))
    return domain


def _check_key(column: Column, expr: Expr, properties: Properties) -> None:
    plain = plain_column(expr)
    if plain is not None and plain in properties.anchors:
        what = "is the unit" if properties.anchors[plain] == UNIT else "leads to one unit"
        message = f"{column.name} {what}: every group would be one individual"
        raise Rejected(
            Diagnostic("DP404", message, expr.span, "group by something that many units share")
        )
    if expr.type.is_float or expr.type.is_opaque or expr.type.name == "INTERVAL":
        help = "round it, or group by a range: CASE WHEN x < 10 THEN 'low' ELSE 'high' END"
        message = f"a group key cannot be of type {expr.type}"
        raise Rejected(Diagnostic("DP307", message, expr.span, help))


def _listed_values(column: Column, expr: Expr, properties: Properties) -> tuple[Scalar | None, ...]:
    values = infer(expr, properties.expected)
    found = _image(expr, properties) if not isinstance(expr, Ref) else None
    if found is None:
        plain = enumerate_interval(values, expr.type)
        found = None if plain is None else (*plain, *((None,) if values.nullable else ()))
    if found is None:
        raise Rejected(
            Diagnostic(
                "DP303",
                f"the values of {column.name} are private: no public list of its groups is known",
                expr.span,
                "declare `values` or `bounds` for its column in the policy, filter it with "
                "IN (…), or join a public table and group by that table's column",
            )
        )
    # Each once: a group that was listed twice would be released twice.
    return tuple(dict.fromkeys(found))


def _image(expr: Expr, properties: Properties) -> tuple[Scalar | None, ...] | None:
    """The values of a function of columns with few values each, computed one by one."""
    used = {node.column.id: node.column for node in walk(expr) if isinstance(node, Ref)}
    if not used or (isinstance(expr, Call) and expr.function == "year"):
        return None  # the years of consecutive dates are consecutive: their range is the image
    choices: list[tuple[Scalar | None, ...]] = []
    size = 1
    for column_id, column in used.items():
        values = properties.expected[column_id]
        options = enumerate_interval(values, column.type)
        if options is None:
            return None
        choices.append((*options, *((None,) if values.nullable else ())))
        size *= len(choices[-1])
        if size > MAX_IMAGE:
            return None
    results = evaluate(expr, list(product(*choices)), tuple(used.values()))
    distinct = dict.fromkeys(_constant(r) for r in results)
    real = [v for v in distinct if v is not None]
    ordered = sorted(real, key=comparable)
    return (*ordered, *((None,) if None in distinct else ()))


def _constant(value: Any) -> Scalar | None:
    """A value as the engine gives it, as an exact constant."""
    return Fraction(value) if isinstance(value, Decimal) else value


def public_parts(plan: Plan) -> list[Plan]:
    """The public tables of a tree of inner joins under the predicates that need nothing else, one
    plan for each group of tables that such predicates tie together.

    Claim: the public columns of every row of `plan` are a row of each of these plans. Why: an inner
    join's row is a row of every side, and it passes every predicate; leaving tables and predicates
    out only adds rows. Tables tied by private rows alone make a product, which is never formed.
    """
    scans = [n for n in nodes(plan) if isinstance(n, Scan) and not n.table.private]
    owner = {c.id: index for index, scan in enumerate(scans) for c in scan.columns}
    group = list(range(len(scans)))
    terms: list[tuple[int, Expr]] = []
    for node in nodes(plan):
        for predicate in expressions(node):
            for term in conjuncts(predicate):
                used = columns_of(term)
                if used and used <= owner.keys():
                    tables = sorted({group[owner[c]] for c in used})
                    group = [tables[0] if g in tables else g for g in group]
                    terms.append((owner[next(iter(used))], term))
    return [
        _tied(
            [scan for scan, g in zip(scans, group, strict=True) if g == label],
            [term for index, term in terms if group[index] == label],
        )
        for label in sorted(set(group))
    ]


def _tied(scans: list[Scan], terms: list[Expr]) -> Plan:
    """A left-deep join of scans, each term as soon as its columns are there."""
    result: Plan | None = None
    for scan in scans:
        result = scan if result is None else Join(result, scan, None)
        available = frozenset(c.id for c in result.columns)
        ready = [t for t in terms if columns_of(t) <= available]
        placed = set(ready)
        terms = [t for t in terms if t not in placed]
        predicate = conjunction(ready)
        result = result if predicate is None else Filter(result, predicate)
    assert result is not None
    return result


def _words(listed: list[ListedKey], public: tuple[PublicKeys, ...]) -> str:
    parts = [f"{key.column.name}: {len(key.values)} values" for key in listed]
    for part in public:
        tables = dict.fromkeys(n.table.name for n in nodes(part.plan) if isinstance(n, Scan))
        keys = ", ".join(c.name for c in part.columns)
        parts.append(f"{keys}: from the public {', '.join(tables)}")
    return "; ".join(parts)
