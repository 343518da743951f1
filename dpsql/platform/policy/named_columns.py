"""The columns that a policy names: what is read of data that do not say what types they have."""

from __future__ import annotations

from dpsql.platform.policy.model import Policy
from dpsql.types import Type


def named_columns(policy: Policy) -> dict[str, dict[str, Type | None]]:
    """The columns that the policy names, by table, with their types where it declares them."""
    targets = [c.references for t in policy.tables.values() for c in t.columns.values()]
    units = [policy.split(unit) for unit in policy.units or (policy.unit,)]
    led_to = [(t.table, t.column) for t in targets if t] + [(t, c) for t, c in units if c]
    found: dict[str, dict[str, Type | None]] = {}
    for name, table in policy.tables.items():
        kinds = {column: declared.type for column, declared in table.columns.items()}
        things = [column for columns in table.one_unit.values() for column in columns]
        others = [column for other, column in led_to if other.lower() == name.lower()]
        for column in [*table.key, *([table.owner] if table.owner else []), *things, *others]:
            if column.lower() not in {known.lower() for known in kinds}:
                kinds[column] = None
        found[name] = kinds
    return found
