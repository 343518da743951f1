"""An audit in words."""

from __future__ import annotations

from dpsql.audit.report import Checked, Report
from dpsql.explanation.figures import figure
from dpsql.visible import one_line

PUBLIC = "public: the query reads public tables alone; there is nothing private to audit"

HEAD = ("what", "claimed", "your data", "generated")


def text(found: Report) -> str:
    """All of it."""
    if not found.released:
        return PUBLIC
    return "\n".join(
        [
            *_table(found.checked),
            "",
            *summary(found),
            *(f"note: {note}" for note in found.notes),
            *_example(found),
            "",
            verdict(found),
        ]
    )


def verdict(found: Report) -> str:
    """The last line."""
    if found.holds:
        return "every claim held; that contradicts none of them, and proves none"
    return "\n".join(("A CLAIM DOES NOT HOLD", *(f"  {one_line(line)}" for line in found.broken)))


def summary(found: Report) -> list[str]:
    """What was done, and what the answers show."""
    done = "swapped" if found.neighbours == "replace" else "removed"
    lines = [
        f"{done} {found.removed:,} of the {found.units:,} units of your data; "
        f"{found.databases:,} databases generated"
    ]
    estimate = found.estimate
    if estimate is not None:
        sure = f"{100 * estimate.confidence:g} %"
        lines.append(
            f"ε: claimed {estimate.claimed_eps:g}; the answers show {estimate.eps:.4g} or more, "
            f"with {sure} confidence; endless ones would show about {estimate.guess:.4g}, were the "
            f"noise as claimed"
        )
        if estimate.claimed_delta:
            lines.append(
                f"δ: claimed {estimate.claimed_delta:g}; the answers show "
                f"{max(0.0, estimate.delta):.3g} or more"
            )
        seen = estimate.event if estimate.eps else "no event tells them apart"
        lines.append(
            f"{estimate.samples:,} answers of each of two worlds ({estimate.where}), of which the "
            f"second half is counted: {seen}"
        )
    return lines


def numbers(claim: Checked) -> tuple[str, str, str]:
    """Claimed, observed on the data, observed on generated databases."""
    return (
        figure(claim.claimed),
        "–" if claim.data is None else figure(claim.data),
        ("–" if claim.generated is None else figure(claim.generated))
        + ("" if claim.holds else "  MORE THAN CLAIMED"),
    )


def _table(checked: tuple[Checked, ...]) -> list[str]:
    rows: list[tuple[str, ...]] = [HEAD]
    name = None
    for claim in checked:
        if claim.name != name:
            rows.append((one_line(claim.name), "", "", ""))
            name = claim.name
        rows.append((f"  {claim.what}", *numbers(claim)))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2]), row[3]]
        ).rstrip()
        for row in rows
    ]


def _example(found: Report) -> list[str]:
    if not found.example:
        return []
    return ["neighbours that break a claim:", *(f"  {one_line(line)}" for line in found.example)]
