"""What `dpsql verify` says about a claim, to the owner."""

from __future__ import annotations

from dpsql.core.schema import Column, Schema
from dpsql.platform.engine.claim_checks import Finding
from dpsql.platform.policy.scalars import show


def claim(schema: Schema, finding: Finding) -> str:
    """The claim in words, and what speaks against it."""
    if finding.kind == "one_unit":
        text = f"{finding.column}: each belongs to one unit"
        return text if finding.rows == 0 else f"{text}; not so for {finding.rows:,}"
    if finding.kind == "rows":
        text = f"{finding.column}: the declared number of rows"
        return text if finding.rows == 0 else f"{text}; off by {finding.rows:,}"
    if finding.kind == "key":
        text = f"{finding.column}: a key, no two rows share it, never NULL"
        return text if finding.rows == 0 else f"{text}; not so for {_rows(finding)}"
    [(table, column)] = [
        (t, c)
        for low, t in schema.tables.items()
        for c in t.columns
        if finding.column == f"{low}.{c.name.lower()}"
    ]
    text = f"{table.name}.{column.name}: {_claimed(finding, column)}"
    if finding.role == "cut":
        return f"{text}; {_rows(finding)} beyond"
    if finding.rows == 0:
        return text
    return f"{text}; not so for {_rows(finding)}"


def _claimed(finding: Finding, column: Column) -> str:
    if finding.kind == "bounds" and column.bounds is not None:
        low, high = column.bounds
        return f"from {show(low)} to {show(high)}"
    if finding.kind == "values" and column.values is not None:
        return f"one of {len(column.values)} values"
    if finding.kind == "length":
        return f"at most {column.max_length} characters"
    if finding.kind == "fanout":
        if column.max_rows == 1:
            return "no two rows share a value"
        return f"at most {column.max_rows} rows share a value"
    if finding.kind == "not_null":
        return "never NULL"
    return "leads to a unit in every row"


def _rows(finding: Finding) -> str:
    what = "value" if finding.kind == "fanout" else "row"
    return f"{finding.rows:,} {what if finding.rows == 1 else f'{what}s'}"
