"""Whose the rows of a copy are, and of when in units of time; see `policy.time_units`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpsql.core.sqltypes import parse_type
from dpsql.errors import PolicyError
from dpsql.platform.engine.sql_text import name
from dpsql.platform.policy import Catalog, CatalogColumn, Policy
from dpsql.platform.policy.checks import declared_links
from dpsql.platform.policy.kinds import kinds
from dpsql.platform.policy.owners import find_owners
from dpsql.platform.policy.scalars import comparable
from dpsql.platform.policy.time_units import TimeUnits
from dpsql.session.copies import Copy
from dpsql.types import Type


def with_units(catalog: Catalog, policy: Policy, units: TimeUnits) -> Catalog:
    """The catalog of the data, with the column that the copy has of units.

    Raises:
        PolicyError: a time that is none; persons that floating-point numbers name, or numbers here
            and texts there; or a column of that name.
    """
    made, first = catalog, None
    for low, own in units.own.items():
        declared = policy.table(low)
        assert declared is not None
        table = catalog.called([declared[0]]).table(declared[0])
        if table is None:
            continue  # which is told where policy and catalog are merged
        at = ("tables", declared[0])
        time, person = table.column(own.time), table.column(own.person)
        if time is None or not time.type.is_temporal:
            what = "is missing" if time is None else f"is {time.type}"
            raise policy.error(f"{own.time} must be a DATE or a TIMESTAMP, and {what}", *at)
        if person is None or not _named(person.type):
            what = "is missing" if person is None else f"is {person.type}"
            message = f"{own.person} must name persons by texts, whole numbers or dates, and {what}"
            raise policy.error(message, *at)
        first = first or person.type
        if not comparable(person.type, first):  # 7 and 7.0 are one person, and two texts
            message = f"{own.person} is {person.type}, and another table's persons are {first}"
            raise policy.error(message, *at)
        if table.column(units.column) is not None:
            message = f"{units.column} is to be the name of its units; give that column another"
            raise policy.error(message, *at)
        more = CatalogColumn(units.column, parse_type("VARCHAR"))
        found = [t for t in made.tables if t.path == table.path]
        others = [t for t in made.tables if t.path != table.path]
        grown = [replace(t, columns=(*t.columns, more)) for t in found]
        made = replace(made, tables=(*others, *grown))
    return made


def _named(type_: Type) -> bool:
    """Whether two values of a type are equal just where their texts are."""
    return type_.is_exact or type_.is_string or type_.is_temporal


def sources_with_units(source: Mapping[str, str], units: TimeUnits) -> dict[str, str]:
    """SQL of the tables whose rows tell their unit, with that in a column.

    A time that is no day (infinity has none in some periods) is NULL, as one that is missing.
    """
    return {
        low: f"(SELECT *, {_unit(own.person, own.time, units.period)} AS {name(units.column)} "
        f"FROM {source[low]})"
        for low, own in units.own.items()
    }


def _unit(person: str, time: str, period: str) -> str:
    start = f"TRY(CAST(date_trunc('{period}', {name(time)}) AS DATE))"
    return f"CAST({start} AS VARCHAR) || '/' || CAST({name(person)} AS VARCHAR)"


def whose(policy: Policy) -> dict[str, list[str]]:
    """By private tables in lower case, how a row tells its unit: the columns on its way there."""
    owners = find_owners(policy, declared_links(policy), final=False)[0]
    time = policy.time
    told = {low: [own.person, own.time] for low, own in ({} if time is None else time.own).items()}
    for low in (one.lower() for one, table in policy.tables.items() if table.private):
        link = owners.get(low)
        if link is None:
            told.setdefault(low, [policy.unit_column or ""])
        else:
            there = [] if link.units else [link.to_table, link.to_column]
            way = [part for pair in link.pairs for part in pair]
            told.setdefault(low, [link.column, *there, *way])
    return {low: [column.lower() for column in way] for low, way in told.items()}


def check_copy(policy: Policy, copy: Copy | None) -> None:
    """Refuse a copy that was made for other units, and data that are none for units in time.

    Which rows a copy has of a unit is told by its rows alone; of what other columns name it is not:
    without one of those a row of another may be there instead.

    Args:
        policy: what is declared.
        copy: what the data are; None where they are no copy.

    Raises:
        PolicyError: they are of no use under the policy.
    """
    made = "" if copy is None else copy.unit
    if policy.time is not None and made.lower() != policy.unit.lower():
        message = f"units in time ({policy.unit}) are those of a copy that dpsql prepare writes"
        raise policy.error(message, "unit")
    if policy.time is None and made:
        raise PolicyError(f"it is a copy for the units {made}: the policy says {policy.unit}")
    if copy is None:
        return
    for kind in kinds(policy, declared_links(policy)):
        told = whose(kind)
        if wrong := [t for t in kind.tables if copy.owners.get(t.lower()) != told.get(t.lower())]:
            message = f"the copy was prepared for other owners of the rows of {wrong[0]}"
            raise policy.error(f"{message}; prepare it again", "tables", wrong[0])
