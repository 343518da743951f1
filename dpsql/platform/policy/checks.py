"""What can be said against a policy from its text alone.

What a database's catalog might still supply (a type, a key, a reference) is not missed here but
in `resolve`, which knows whether there is a catalog.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.platform.policy import several_columns
from dpsql.platform.policy.kinds import kinds, no_units
from dpsql.platform.policy.kinds import problems as unit_problems
from dpsql.platform.policy.messages import not_listed
from dpsql.platform.policy.owners import Link, Links, find_owners, owner_name
from dpsql.platform.policy.places import Path, Problem
from dpsql.platform.policy.scalars import coerce, kind_of, show
from dpsql.types import Scalar, Type

if TYPE_CHECKING:
    from dpsql.platform.policy.model import ColumnPolicy, Policy, TablePolicy


def problems(policy: Policy) -> tuple[Problem, ...]:
    """All that is wrong with the policy and that no catalog could cure."""
    found = [*_names(policy), *_unit(policy), *_budget(policy)]
    every = (policy,) if found else kinds(policy, declared_links(policy))
    for name, table in policy.tables.items():
        told = [p for kind in every for p in _table(kind, name, kind.tables[name])]
        told += _several(policy, name, table)
        found += dict.fromkeys(told)
        for column_name, column in table.columns.items():
            path = ("tables", name, "columns", column_name)
            found += domain(column, column.type, path)
            found += _reference(policy, table, column, path)
    found += _one_unit(policy)
    if not found:
        # On a broken graph every path is broken: tell the cause alone.
        for kind in every:
            found += find_owners(kind, declared_links(policy), final=False)[1]
    return tuple(found)


def _budget(policy: Policy) -> Iterator[Problem]:
    """An accountant that needs a δ, or takes none; and caps that bind nobody."""
    budget = policy.budget
    parts: list[tuple[Path, Fraction]] = [(("budget",), budget.delta)]
    for name, cap in budget.caps.items():
        if cap.delta is not None:
            parts.append((("budget", "caps", name), cap.delta))
    for path, delta in parts:
        if budget.accountant in ("zcdp", "rdp") and not delta:
            yield Problem(path, f"the accountant {budget.accountant} needs a delta, such as 1e-6")
        if budget.accountant == "pure" and delta:
            yield Problem((*path, "delta"), "the accountant pure allows no delta")
    for name, cap in budget.caps.items():
        if name == "*" and cap.members:
            message = "* stands for each analyst without a cap; a group needs a name"
            yield Problem(("budget", "caps", name, "members"), message)


def declared_links(policy: Policy) -> Links:
    """The references that the policy declares to tables that it lists, by table; and between the
    columns that are the unit, where it has no table of its own.
    """
    listed = {name.lower() for name in policy.tables}
    found = {
        name.lower(): tuple(
            Link(name.lower(), column_name.lower(), to.table.lower(), to.column.lower())
            for column_name, column in table.columns.items()
            if (to := column.references) is not None and to.table.lower() in listed
        )
        for name, table in policy.tables.items()
    }
    for low, several in several_columns.links(policy).items():
        found[low] += tuple(link for link in [unit_link(policy, low)] if link is not None)
        found[low] += several
    return found


def unit_link(policy: Policy, table: str) -> Link | None:
    """From a table's own column with the unit to that of the first such table, where no table has
    one row for each unit. Nothing is claimed by it: both name units, and neither is a key.
    """
    (first, *_), columns = [*policy.own_units] or [""], policy.own_units
    low = {name.lower(): column.lower() for name, column in columns.items()}
    if table not in low or table == first.lower():
        return None
    return Link(table, low[table], first.lower(), low[first.lower()], units=True)


def domain(column: ColumnPolicy, type_: Type | None, path: Path) -> Iterator[Problem]:
    """What is wrong with the bounds and the values of a column of that type (None: not known)."""
    bounds, values = column.ends, column.values
    ends: Path = (*path, "clip" if column.bounds is None else "bounds")
    for claim, cut in (("bounds", "clip"), ("max_rows", "clip_rows")):
        if getattr(column, claim) is not None and getattr(column, cut) is not None:
            message = f"give {claim} or {cut}, not both: {claim} says that nothing is beyond it, "
            message += f"{cut} that something may be"
            yield Problem((*path, cut), message)
    if column.randomized is not None:
        yield from _randomized(column, type_, path)
    if bounds is not None and type_ is not None and not (type_.is_numeric or type_.is_temporal):
        of = "of which NULLs alone are known has no bounds; leave them out (FLOAT, DOUBLE and long "
        of += "DECIMALs in a server's files: docs/how-to/spark.md)"
        opaque = f"a column {of}" if type_.name == "BLOB" else f"{type_} has no bounds; use values"
        yield Problem(ends, opaque)
        bounds = None
    if values is not None and type_ is not None and type_.is_opaque:
        yield Problem((*path, "values"), f"{type_} has no values that the analysis knows")
        values = None
    if column.max_length is not None and type_ is not None and type_.name != "VARCHAR":
        yield Problem((*path, "max_length"), f"{type_} has no length; only VARCHAR has one")
    low_high = yield from _typed(bounds, type_, ends)
    of_domain = yield from _typed(values, type_, (*path, "values"))
    if low_high and _below(low_high[1], low_high[0]):
        low, high = show(low_high[0]), show(low_high[1])
        yield Problem(ends, f"the lower bound {low} is above the upper bound {high}")
        return
    seen: set[object] = set()
    for index, value in enumerate(of_domain or ()):
        known = (kind_of(value), value)  # True == 1
        if known in seen:
            yield Problem((*path, "values", index), f"the value {show(value)} is there twice")
        seen.add(known)
        if isinstance(value, str) and len(value) > (column.max_length or len(value)):
            message = f"the value {show(value)} has more than {column.max_length} characters"
            yield Problem((*path, "values", index), message)
        if low_high and (_below(value, low_high[0]) or _below(low_high[1], value)):
            low, high = show(low_high[0]), show(low_high[1])
            message = f"the value {show(value)} is outside the bounds [{low}, {high}]"
            yield Problem((*path, "values", index), message)


def _randomized(column: ColumnPolicy, type_: Type | None, path: Path) -> Iterator[Problem]:
    """Randomized answers are yes or no, whatever the truth is, and identify nothing."""
    if type_ is not None and not type_.is_boolean:
        message = f"randomized answers are yes or no: the column must be BOOLEAN, not {type_}"
        yield Problem((*path, "randomized"), message)
    if column.values is not None:
        yield Problem((*path, "values"), "a randomized column has both values, whatever the truth")
    if column.references is not None:
        yield Problem((*path, "references"), "a randomized column cannot be a reference")
    if column.most_rows is not None:
        most = "clip_rows" if column.max_rows is None else "max_rows"
        yield Problem((*path, most), "a randomized column has two values, in any row")


def _typed(
    items: tuple[Scalar, ...] | None, type_: Type | None, path: Path
) -> Generator[Problem, None, tuple[Scalar, ...] | None]:
    """The items as values of the type; None where one is not, which is told."""
    if items is None:
        return None
    if type_ is None:
        if len({kind_of(item) for item in items}) > 1:
            yield Problem(path, "the values are not of one type")
            return None
        return items
    typed: list[Scalar] = []
    for index, item in enumerate(items):
        try:
            typed.append(coerce(item, type_))
        except ValueError as error:
            yield Problem((*path, index), str(error))
    return tuple(typed) if len(typed) == len(items) else None


def _below(left: Scalar, right: Scalar) -> bool:
    """Whether left < right; False where they cannot be compared (text of an unknown type)."""
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return left < right
    if isinstance(left, date) and isinstance(right, date) and type(left) is type(right):
        return left < right
    return False


def _names(policy: Policy) -> Iterator[Problem]:
    yield from _twice(policy.tables, ("tables",), "table")
    places: list[Path] = [("tables", name) for name in policy.tables]
    for path in [*places, *(("views", place) for place in range(len(policy.views)))]:
        name = str(path[1]) if path[0] == "tables" else policy.views[int(path[1])]
        if not all(name.split(".")) or name.count(".") > 2:
            yield Problem(path, "a name is table, schema.table or database.schema.table")
    for name in policy.attach:
        if not name or "." in name:
            yield Problem(("attach", name), "a database's name is not empty and has no point")
    for place, name in enumerate(policy.views):
        if policy.table(name) is not None:
            yield Problem(("views", place), f"{name} is listed as a table, too")
    for name, table in policy.tables.items():
        path = ("tables", name)
        yield from _twice(table.columns, (*path, "columns"), "column")
        if "" in table.columns:
            yield Problem((*path, "columns", ""), "a column's name is not empty")
        seen: set[str] = set()
        for index, column in enumerate(table.key):
            if column.lower() in seen:
                yield Problem((*path, "key", index), f"the column {column} is there twice")
            seen.add(column.lower())


def _twice(names: Iterable[str], path: Path, what: str) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for name in names:
        if name.lower() in seen:
            message = f"the same {what} as {seen[name.lower()]}"
            yield Problem((*path, name), f"{message}: names must differ in more than case")
        seen.setdefault(name.lower(), name)


def _unit(policy: Policy) -> Iterator[Problem]:
    wrong = list(unit_problems(policy))
    yield from wrong
    if wrong or policy.units:
        return
    yield from no_units(policy, policy.unit_table, ("unit",))
    if policy.unit.endswith("."):
        yield Problem(("unit",), "expected table.column, or a table")
    if policy.unit_column is None:
        for name, table in policy.tables.items():
            if table.private and name.lower() != policy.unit_table.lower():
                message = (
                    f"where each row of {policy.unit_table} is a unit, no other table is private: "
                    f"its rows could not say whose they are; write unit: {policy.unit_table}.KEY"
                )
                yield Problem(("tables", name, "access"), message)


def _table(policy: Policy, name: str, table: TablePolicy) -> Iterator[Problem]:
    path = ("tables", name)
    of_unit = name.lower() == policy.unit_table.lower()
    low = {c.lower() for c, column in table.columns.items() if column.randomized is not None}
    for index, key in enumerate(table.key):
        if key.lower() in low:
            yield Problem((*path, "key", index), f"the column {key} is randomized, so it is no key")
    if of_unit and (policy.unit_column or "").lower() in low:
        yield Problem(("unit",), f"the column {policy.unit_column} is randomized, so it is no unit")
    if table.rows is not None and table.private:
        if policy.neighbours == "add_remove":
            message = "a private table's number of rows is public only with neighbours: replace"
            yield Problem((*path, "rows"), message)
        elif not of_unit:
            message = "of the private tables only the unit's may declare its number of rows"
            yield Problem((*path, "rows"), message)
    if table.owner is None:
        return
    if not table.private:
        yield Problem((*path, "owner"), "a public table has no owner")
    elif of_unit and table.owner.lower() != (policy.unit_column or "").lower():
        message = f"the unit {policy.unit} owns the rows of its own table"
        yield Problem((*path, "owner"), message)


def _one_unit(policy: Policy) -> Iterator[Problem]:
    """A thing of one unit is named by as many columns wherever it is named."""
    first: dict[str, tuple[str, int]] = {}
    for name, table in policy.tables.items():
        coins = {c.lower() for c, column in table.columns.items() if column.randomized is not None}
        for thing, columns in table.one_unit.items():
            path = ("tables", name, "one_unit", thing)
            low = [column.lower() for column in columns]
            other, count = first.setdefault(thing.lower(), (name, len(columns)))
            if not table.private:
                yield Problem(path, "rows of a public table belong to no unit")
            elif policy.units:
                yield Problem(path, "with several kinds of unit a thing belongs to several units")
            elif not columns:
                yield Problem(path, f"expected the columns that name one {thing}")
            elif len(set(low)) < len(low):
                yield Problem(path, "a column is there twice")
            elif len(columns) != count:
                words = "a column" if count == 1 else f"{count} columns"
                yield Problem(path, f"in the table {other} one {thing} is named by {words}")
            elif coins.intersection(low):
                yield Problem(path, "a column is randomized, so it names nothing")


def _reference(
    policy: Policy, table: TablePolicy, column: ColumnPolicy, path: Path
) -> Iterator[Problem]:
    if column.references is None:
        return
    target = policy.table(column.references.table)
    if target is None:
        yield Problem((*path, "references"), not_listed(column.references.table, policy.tables))
    elif target[1].private and not table.private:
        message = f"a public table cannot refer to the private table {target[0]}"
        yield Problem((*path, "references"), message)


def _several(policy: Policy, name: str, table: TablePolicy) -> Iterator[Problem]:
    """What is wrong with the references of several columns: they tell whose a row is, and nothing
    else, so that a public table has none, and leads to none by them.
    """
    coins = {c.lower() for c, column in table.columns.items() if column.randomized is not None}
    seen: set[str] = set()
    for index, of in enumerate(table.references):
        path, target = ("tables", name, "references", index), policy.table(of.to)
        own, there = ([column.lower() for column in part] for part in (of.columns, of.key))
        if len(own) < 2:
            message = "a reference of one column is said of that column, under columns"
            yield Problem((*path, "columns"), f"{message}: `references: table.column`")
        elif there and len(there) != len(own):
            message = f"{len(own)} columns lead to a key of {len(own)} columns, not of {len(there)}"
            yield Problem((*path, "key"), message)
        elif len({*own}) < len(own) or len({*there}) < len(there):
            yield Problem(path, "a column is there twice")
        elif coins.intersection(own):
            yield Problem((*path, "columns"), "a randomized column cannot be a reference")
        elif policy.units:
            message = "with several kinds of unit a reference is of one column: give the table one "
            yield Problem(path, message + "that leads to each unit")
        elif target is None:
            yield Problem((*path, "to"), not_listed(of.to, policy.tables))
        elif not table.private or not target[1].private:
            which = name if not table.private else target[0]
            message = f"the table {which} is public, and a reference of several columns tells "
            message += "whose a private row is; a join with public rows needs their `key` alone"
            yield Problem(path, message)
        elif target[0] == name:
            message = "a row does not say whose it is by another row of its table; give it a "
            yield Problem((*path, "to"), message + "column that leads to the unit")
        elif of.to.lower() in seen:
            message = f"there is another reference of several columns to {target[0]}; one of them "
            yield Problem(path, message + "says whose a row is")
        elif any(owner_name(of.to) == column.lower() for column in table.columns):
            message = f"{owner_name(of.to)} is the name of what it tells; give that column another"
            yield Problem(path, message)
        seen.add(of.to.lower())
