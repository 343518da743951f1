"""What an audit found: as data, as text for a terminal, and as a page."""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.audit.estimate import Estimate
from dpsql.compile import Compiled
from dpsql.report.document import Document
from dpsql.report.figures import Number, figure
from dpsql.report.forms import Documented, Plain


@dataclass(frozen=True, slots=True)
class Checked(Plain):
    """One claim, and the most that was observed.

    Attributes:
        name: of what is released.
        what: the norm, or what else is bounded.
        claimed: the bound, in the released unit.
        data: the most on the owner's data; None where no unit was removed. Private.
        generated: the most on generated databases; None where there are none.
        ratio: the larger of both, as a part of the claim.
        holds: whether neither is larger than the claim; compared exactly.
    """

    name: str
    what: str
    claimed: Number
    data: Number | None
    generated: Number | None
    ratio: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Report(Documented):
    """What an audit found. Private, but for `example`.

    Attributes:
        sql: the query, in one form.
        unit, neighbours: whom it protects, and how neighbours differ.
        released: False where it reads public tables alone, and nothing was to be audited.
        checked: every claim on how far one unit moves what is released.
        units, removed, heaviest: units of the data; how many were removed, or swapped; how many of
            these because they have the most rows.
        databases: that were generated.
        failed: whether the query failed on one of them, which no value may make it do.
        estimate: what answers of the two worlds that differ most show; None where none were drawn.
        example: of a claim that is broken on generated databases, two small neighbours, as INSERT
            statements; nobody's data.
        notes: what was not audited, and what must be known to read the numbers.
    """

    sql: str
    unit: str
    neighbours: str
    released: bool
    checked: tuple[Checked, ...] = ()
    units: int = 0
    removed: int = 0
    heaviest: int = 0
    databases: int = 0
    failed: bool = False
    estimate: Estimate | None = None
    example: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def public(cls, compiled: Compiled) -> Report:
        """Of a query that reads nothing private."""
        schema = compiled.schema
        return cls(compiled.sql, schema.unit_table, schema.neighbours, released=False)

    @property
    def holds(self) -> bool:
        """Whether no claim was contradicted. That is no proof of any."""
        kept = all(claim.holds for claim in self.checked)
        return kept and not self.failed and (self.estimate is None or self.estimate.within)

    @property
    def broken(self) -> tuple[str, ...]:
        """The claims that do not hold, in words."""
        found = [
            f"{c.name}, {c.what}: claimed {figure(c.claimed)}, observed {figure(_most(c))}"
            for c in self.checked
            if not c.holds
        ]
        if self.failed:
            found.append("the query fails on a generated database; no value may make it fail")
        estimate = self.estimate
        if estimate is not None and not estimate.eps <= estimate.claimed_eps:
            found.append(f"ε: claimed {estimate.claimed_eps:g}, at least {estimate.eps:.4g}")
        pure = estimate is not None and not estimate.claimed_delta
        if estimate is not None and not pure and not estimate.delta <= estimate.claimed_delta:
            found.append(f"δ: claimed {estimate.claimed_delta:g}, at least {estimate.delta:.3g}")
        return tuple(found)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return Plain.to_dict(self) | {"holds": self.holds, "broken": list(self.broken)}

    def _document(self) -> Document:
        """What is told, in order."""
        from dpsql.audit import findings

        return findings.document(self)


def _most(claim: Checked) -> Number:
    return max(v for v in (claim.data, claim.generated) if v is not None)
