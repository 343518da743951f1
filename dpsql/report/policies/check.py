"""What is odd about a policy that loads: what `dpsql check` tells its owner.

Each rule looks at the policy, and at what the database's catalog adds to it; none reads a row. How
many units there are is told by who asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpsql.core.schema import Column, Schema, Table
from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy
from dpsql.platform.policy.places import Path
from dpsql.platform.policy.scalars import decimal_text
from dpsql.report.document import Document, Listing, Said
from dpsql.report.forms import Documented, Plain

PAGE = "docs/reference/checks.md"
MOST_EPS, MOST_DELTA, MOST_VALUES = Fraction(10), Fraction(1, 10**5), 1_000

Weight = Literal["error", "warning", "note"]
Found = tuple[Path, str]
"""Where in the policy something is odd, and what."""


@dataclass(frozen=True, slots=True)
class Remarked(Plain):
    """One thing that is odd.

    Attributes:
        rule: its name, which is that of a heading of the page.
        weight: an "error" keeps the policy from being used; a "warning" costs privacy or answers;
            a "note" does neither.
        line: of the policy's file, from 1; None where it has none.
        message: what is odd, and what to do.
        page: that says more.
    """

    rule: str
    weight: Weight
    line: int | None
    message: str
    page: str


@dataclass(frozen=True, slots=True)
class Check(Documented):
    """All that is odd about a policy.

    Attributes:
        file: of the policy, if it has one.
        remarks: in the order of the file.
    """

    file: str | None
    remarks: tuple[Remarked, ...]

    @property
    def clean(self) -> bool:
        """Whether there is nothing but notes."""
        return all(remark.weight == "note" for remark in self.remarks)

    def _document(self) -> Document:
        """What is told, in order."""
        at = "" if self.file is None else f"{self.file}:"
        rows, lines = [], []
        for r in self.remarks:
            place = f"{at}{r.line}" if r.line is not None else at.rstrip(":") or "policy"
            rows.append((place, f"{r.weight} {r.rule}", r.message, r.page))
            lines += [Said(f"{place}: {r.weight} {r.rule}: {r.message}"), Said(f"see {r.page}", 1)]
        count = len(rows)
        said = f"{count} remark{'s' if count != 1 else ''}" if count else "nothing is odd"
        table = Listing(("where", "rule", "what", "page"), tuple(rows), tuple(lines))
        return Document("dpsql: a policy, checked", (*([table] if rows else []), Said(said)))


def refused(error: PolicyError, rule: str = "invalid") -> Check:
    """The remarks on a policy that does not load, or not without its data."""
    parts = [(error.line, error.message.split("\n")[0])]
    for line in error.message.split("\n")[1:]:
        head, _, rest = line.partition(": ")
        number = head.removeprefix("line ")
        parts.append((int(number), rest) if number.isdecimal() else (None, line))
    made = (Remarked(rule, "error", at, what, f"{PAGE}#{rule}") for at, what in parts)
    return Check(error.file, tuple(made))


def checked(policy: Policy, schema: Schema, units: int | None) -> Check:
    """The remarks on a policy.

    Args:
        policy: that loads.
        schema: the same with what the catalog says, if there is one.
        units: how many units there are, by order of the owner; None if nobody counted.
    """
    found = [
        Remarked(rule, weight, policy.line(*path), message, f"{PAGE}#{rule}")
        for rule, (weight, look) in RULES.items()
        for path, message in look(policy, schema, units)
    ]
    return Check(policy.file, tuple(sorted(found, key=lambda remark: remark.line or 0)))


def _large_epsilon(policy: Policy, schema: Schema, units: int | None) -> Iterator[Found]:
    if schema.eps > MOST_EPS:
        eps = decimal_text(schema.eps)
        what = f"ε = {eps} protects from little: whether a unit is there may show with odds of "
        yield ("budget", "eps"), f"{what}e^{eps} to 1; 10 is much already"


def _large_delta(policy: Policy, schema: Schema, units: int | None) -> Iterator[Found]:
    delta = decimal_text(schema.delta)
    units = _public_units(policy, schema) if units is None else units
    if units is not None and schema.delta * units >= 1:
        what = f"δ = {delta} is at least one in the number of units: so much allows to publish "
        yield ("budget", "delta"), f"{what}one of them whole; take a tenth of that, or less"
    elif schema.delta > MOST_DELTA:
        what = f"δ = {delta} is over 1e-5; it is to be far below one in the number of units"
        yield ("budget", "delta"), what


def _public_units(policy: Policy, schema: Schema) -> int | None:
    table = schema.table(schema.unit_table)
    return None if table is None or policy.neighbours != "replace" else table.rows


def _no_max_rows(policy: Policy, schema: Schema, units: int | None) -> Iterator[Found]:
    several = bool(schema.kinds)  # their sums are truncated where the data says, whatever is said
    for table in schema.tables.values():
        owner = None if table.owner is None else table.column(table.owner)
        if table.private and not several and owner is not None and owner.max_rows is None:
            what = f"{table.name}.{owner.name} leads to the unit without max_rows or clip_rows"
            if table.lookup is not None:
                there = f"{table.lookup.table.name}.{table.lookup.owner}"
                what += f" (of its reference, and of {there})"
            what += ": each count and sum is clipped where the data says, with a third of its ε, "
            what += "and quantiles and private groups are refused"
            place = _at(policy, table, owner)
            yield (place[:2] if table.lookup is not None else place), what


def _unused_bounds(policy: Policy, schema: Schema, units: int | None) -> Iterator[Found]:
    for table, column in _columns(schema):
        found = policy.table(table.name)
        declared = {} if found is None else {n.lower(): c for n, c in found[1].columns.items()}
        said = declared.get(column.name.lower())
        if said is None or said.ends is None:
            continue
        key = "clip" if said.bounds is None else "bounds"
        why = None
        if not table.private:
            why = "what is public is looked up in the data"
        elif column.references or column.name in (table.owner, *_named(table)):
            why = "the column names a unit or a row, and nobody adds up names"
        elif said.values is not None:
            why = "its values are listed, and tell them"
        elif column.bounds_proven and said.bounds is not None and column.bounds != said.bounds:
            why = "the database enforces narrower ones"
        if why is not None:
            path = (*_at(policy, table, column), key)
            yield path, f"no query needs the {key} of {table.name}.{column.name}: {why}"


def _large_domain(policy: Policy, schema: Schema, units: int | None) -> Iterator[Found]:
    for table, column in _columns(schema):
        if column.values is not None and len(column.values) > MOST_VALUES:
            what = f"{table.name}.{column.name} has {len(column.values):,} values: each is a group "
            what += "with noise, also where nobody is in it; without values, and with a δ, groups "
            what += "of enough units are shown and no others"
            yield (*_at(policy, table, column), "values"), what


def _unusable_column(policy: Policy, schema: Schema, units: int | None) -> Iterator[Found]:
    for table, column in _columns(schema):
        if not table.private:
            continue
        what = f"{table.name}.{column.name}"
        names = {table.owner, *table.key, *(c for cs in table.one_unit.values() for c in cs)}
        if column.type.is_opaque:
            yield _at(policy, table, column), f"{what} is {column.type}: it can only be counted"
        elif column.name in names or column.references is not None or schema.delta:
            continue
        elif column.type.is_string and column.values is None:
            message = f"{what} can be no group key: it has no values, and the budget has no δ"
            yield _at(policy, table, column), message


def _named(table: Table) -> tuple[str, ...]:
    """The columns of names alone."""
    looked = () if table.lookup is None else table.lookup.columns
    return (*looked, *(table.key if len(table.key) == 1 else ()))


def _columns(schema: Schema) -> Iterator[tuple[Table, Column]]:
    for table in schema.tables.values():
        for column in table.columns:
            yield table, column


def _at(policy: Policy, table: Table, column: Column) -> Path:
    """Of a column, as the policy spells it; the nearest part that it has is shown."""
    found = policy.table(table.name)
    if found is None:
        return ("tables",)
    low = column.name.lower()
    named = next((name for name in found[1].columns if name.lower() == low), column.name)
    return ("tables", found[0], "columns", named)


Rule = Callable[[Policy, Schema, int | None], Iterator[Found]]
RULES: dict[str, tuple[Weight, Rule]] = {
    "large-epsilon": ("warning", _large_epsilon),
    "large-delta": ("warning", _large_delta),
    "no-max-rows": ("warning", _no_max_rows),
    "large-domain": ("warning", _large_domain),
    "unusable-column": ("note", _unusable_column),
    "unused-bounds": ("note", _unused_bounds),
}
"""By name: how much it weighs, and what it looks for."""
