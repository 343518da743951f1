"""What must be tested in the data, once, before a database is opened under a policy."""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.platform.policy.catalog import Catalog
from dpsql.platform.policy.kinds import kinds
from dpsql.platform.policy.merge import links, merge
from dpsql.platform.policy.model import Policy


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """These columns must be together unique in the table, and none of them NULL in any row."""

    table: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowCheck:
    """The table must have exactly so many rows."""

    table: str
    rows: int


def key_checks(policy: Policy, catalog: Catalog | None) -> tuple[KeyCheck, ...]:
    """The keys that the schema takes for facts and that the engine does not enforce.

    Raises:
        PolicyError: as `resolve` does.
    """
    found = dict.fromkeys(
        KeyCheck(table.name, tuple(table.columns[column].name for column in table.key))
        for kind in kinds(policy, links(policy, catalog))
        for table in merge(kind, catalog).values()
        if table.key_to_check
    )
    return tuple(found)


def row_checks(policy: Policy, catalog: Catalog | None = None) -> tuple[RowCheck, ...]:
    """The declared numbers of rows, none of which an engine enforces."""
    checks = []
    for name, table in policy.tables.items():
        if table.rows is not None:
            found = catalog.table(name) if catalog is not None else None
            checks.append(RowCheck(found.name if found is not None else name, table.rows))
    return tuple(checks)


def null_claims(policy: Policy) -> frozenset[str]:
    """The columns that the policy claims to be without NULL, as lower-case ``table.column``.

    For a verification to test; the opening check leaves them alone.
    """
    return frozenset(
        f"{name.lower()}.{column_name.lower()}"
        for name, table in policy.tables.items()
        for column_name, column in table.columns.items()
        if column.nullable is False
    )


def length_claims(policy: Policy) -> dict[str, int]:
    """The most characters that the policy claims texts to have, by lower-case ``table.column``."""
    return {
        f"{name.lower()}.{column_name.lower()}": column.max_length
        for name, table in policy.tables.items()
        for column_name, column in table.columns.items()
        if column.max_length is not None
    }
