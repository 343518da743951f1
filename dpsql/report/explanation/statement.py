"""EXPLAIN: an explanation as the rows of a query of constants, which is answered as any other is:
free, and without a row of any table.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.platform.engine.sql_text import text
from dpsql.report.explanation.explanation import Explanation
from dpsql.report.explanation.measurement import Release
from dpsql.report.explanation.sentences import PUBLIC
from dpsql.report.figures import figure
from dpsql.visible import one_line


def rows_of(told: Explanation) -> str:
    """The query of the verdict, the cost, and each number with its claims and why they hold."""
    pairs = [
        ("verdict", PUBLIC if told.kind == "public" else "released: noise is added"),
        ("cost", str(told.cost)),
        *((release.name, "; ".join(_said(release))) for release in told.releases),
    ]
    rows = ", ".join(f"({', '.join(text(one_line(part)) for part in pair)})" for pair in pairs)
    return f"SELECT * FROM (VALUES {rows}) AS explained(explain_key, explain_value)"


def _said(release: Release) -> Iterator[str]:
    norms = {"L0": release.l0, "L1": release.l1, "L2": release.l2, "L∞": release.linf}
    yield ", ".join(f"{k} = {figure(v)}" for k, v in norms.items() if v is not None) or (
        "known when it is run"
    )
    scale = "" if release.scale is None else f" of scale {figure(release.scale)}"
    yield f"{release.mechanism}{scale}"
    yield from release.reasons
