"""The columns that a policy names: what is read of data that do not say what types they have."""

from __future__ import annotations

from dpsql.platform.policy.model import Policy
from dpsql.types import Type


def named_columns(policy: Policy) -> dict[str, dict[str, Type | None]]:
    """The columns that the policy names, by table, with their types where it declares them."""
    targets = [c.references for t in policy.tables.values() for c in t.columns.values()]
    units = [policy.split(unit) for unit in policy.units or (policy.unit,)]
    led_to = [(t.table, t.column) for t in targets if t] + [(t, c) for t, c in units if c]
    several = [r for t in policy.tables.values() for r in t.references]
    led_to += [(r.to, column) for r in several for column in r.key or r.columns]
    found: dict[str, dict[str, Type | None]] = {}
    for name, table in policy.tables.items():
        kinds = {column: declared.type for column, declared in table.columns.items()}
        things = [column for columns in table.one_unit.values() for column in columns]
        others = [column for other, column in led_to if other.lower() == name.lower()]
        others += [column for reference in table.references for column in reference.columns]
        owner = [table.owner] if table.owner and not table.looks_up(table.owner) else []
        for column in [*table.key, *owner, *things, *others]:
            if column.lower() not in {known.lower() for known in kinds}:
                kinds[column] = None
        found[name] = kinds
    return found
