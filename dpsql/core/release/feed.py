"""Released rows that a later release reads, as a public table would be read."""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Plan


@dataclass(frozen=True, slots=True)
class Feed:
    """Released rows that a later release reads.

    Attributes:
        name: what the release's SQL calls them.
        plan: makes them from the releases before; post-processing.
        columns: its columns.
        fields: what they are called.
    """

    name: str
    plan: Plan
    columns: tuple[Column, ...]
    fields: tuple[str, ...]
