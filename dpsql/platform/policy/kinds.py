"""Several kinds of unit: of each kind the policy that has it as its only one.

    units: [customers.id, suppliers.id]      a line of an order is of a customer and of a supplier

In the policy of a kind those tables are private from which its unit is reached along references
between private tables; the others are *hidden*: of other kinds alone. A table is of every kind that
it leads to, whatever its `owner` says: that tells which way leads to the kinds that it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dpsql.platform.policy.messages import not_listed
from dpsql.platform.policy.owners import Links, reaching
from dpsql.platform.policy.places import Path, Problem

if TYPE_CHECKING:
    from dpsql.platform.policy.model import Policy


def kinds(policy: Policy, links: Links) -> tuple[Policy, ...]:
    """The policies, one for each kind; the policy itself where it has one unit.

    Args:
        policy: what the owner declares.
        links: the references of its tables.
    """
    if not policy.units:
        return (policy,)
    return tuple(_of(policy, unit, links) for unit in policy.units)


def hidden(policy: Policy, kind: Policy) -> frozenset[str]:
    """The private tables, in lower case, that are not of the kind."""
    pairs = zip(policy.tables.items(), kind.tables.values(), strict=True)
    return frozenset(
        name.lower() for (name, whole), part in pairs if whole.private and not part.private
    )


def problems(policy: Policy) -> Iterator[Problem]:
    """What is wrong with which units a policy has."""
    if not policy.unit and not policy.units:
        yield Problem((), "the key unit is missing; or units, where rows belong to several kinds")
        return
    if policy.unit and policy.units:
        yield Problem(("units",), "a policy has a unit, or several units, and not both")
        return
    if not policy.units:
        return
    if len(policy.units) < 2:
        yield Problem(("units",), f"one kind of unit is written unit: {policy.units[0]}")
    if policy.neighbours == "replace":
        message = "with several kinds of unit a unit comes or goes: neighbours: add_remove"
        yield Problem(("neighbours",), message)
    seen: set[str] = set()
    for place, unit in enumerate(policy.units):
        table, column = policy.split(unit)
        path: Path = ("units", place)
        yield from no_units(policy, table, path)
        if not column:
            yield Problem(path, "of several kinds of unit each is named by table.column")
        if unit.lower() in seen:
            yield Problem(path, f"{unit} is there twice")
        seen.add(unit.lower())


def no_units(policy: Policy, table: str, path: Path) -> Iterator[Problem]:
    """What is wrong with a table that shall have the units."""
    found = policy.table(table)
    if found is None:
        yield Problem(path, not_listed(table, policy.tables))
    elif not found[1].private:
        yield Problem(path, f"the table {found[0]} is public; the unit's must be private")


def orphans(policy: Policy, links: Links) -> Iterator[Problem]:
    """The private tables whose rows belong to no unit."""
    owned = {
        name
        for kind in kinds(policy, links)
        for name, table in kind.tables.items()
        if table.private
    }
    for name, table in policy.tables.items():
        if table.private and name not in owned:
            message = "a private table without a path to a unit of any kind; one of its columns "
            message += "needs `references:` to a private table's key"
            yield Problem(("tables", name), message)


def _of(policy: Policy, unit: str, links: Links) -> Policy:
    own = _reaching(policy, policy.split(unit)[0].lower(), links)
    tables = {}
    for name, table in policy.tables.items():
        if table.private and name.lower() not in own:
            tables[name] = table.model_copy(update={"access": "public", "owner": None})
        elif table.owner is not None and not _leads(name.lower(), table.owner, own, links, unit):
            tables[name] = table.model_copy(update={"owner": None})
        else:
            tables[name] = table
    frozen = type(policy.tables)(tables)  # type: ignore[call-arg]
    return policy.model_copy(update={"unit": unit, "units": (), "tables": frozen})


def _leads(table: str, owner: str, own: frozenset[str], links: Links, unit: str) -> bool:
    """Whether the declared owner of a table is a step to the unit."""
    if unit.lower() == f"{table}.{owner.lower()}":
        return True
    return any(
        link.column == owner.lower() and link.to_table in own for link in links.get(table, ())
    )


def _reaching(policy: Policy, target: str, links: Links) -> frozenset[str]:
    """The private tables from which the unit's own is reached along private ones, with that."""
    private = {name.lower() for name, table in policy.tables.items() if table.private}
    return frozenset(private & reaching(target, {low: links.get(low, ()) for low in private}))
