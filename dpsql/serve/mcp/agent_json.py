"""What an agent is told, as JSON: names, values and texts of others stand in it as data.

Claim: no text of the owner's, of the data or of the agent itself is told but as a string of JSON,
on one line, of visible letters, and not without end. Why: what a tool answers is made of `plain`,
and of sentences that are written here and hold none of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from mcp.types import CallToolResult, TextContent

from dpsql.errors import DpsqlError
from dpsql.report.figures import LONGEST, QueryCost
from dpsql.report.result import Answer, footer
from dpsql.serve import errors
from dpsql.visible import one_line

Json = dict[str, Any]

ROWS = 500
"""Of an answer that are told."""

NOISY = (
    "A number with plus_minus is noisy: noise was added to protect single units, and with a "
    "probability of 95 % the number without noise is within value ± plus_minus, each by itself. "
    "Where plus_minus is null it is not known how far off it is. Values without plus_minus are "
    "keys, or exact and public. Give the ± beside each noisy number that you repeat, and call no "
    "difference real that is within it."
)
EXACT = "All of this is exact and public: no noise was added, and nothing was charged."
REUSED = "It was answered before: the same noisy answer is given again, and nothing was charged."


def told(found: Json) -> CallToolResult:
    """A result."""
    return _result(found, failed=False)


def failed(error: DpsqlError) -> CallToolResult:
    """An error, with its code."""
    found = errors.body(error, raised=False)
    said: Any = found["error"]
    problems = said.get("problems") or [{}]
    code = problems[0].get("code")
    return _result({"error": said | ({"code": code} if code else {})}, failed=True)


def refused(kind: str, text: str) -> CallToolResult:
    """What is not done, and why: a sentence of ours."""
    return _result({"error": {"type": kind, "text": text}}, failed=True)


def answer(found: Answer) -> Json:
    """An answer, with ± beside each number."""
    columns = zip(found.columns, found.types, found.noisy, found.reasons, strict=True)
    lines = zip(found.rows[:ROWS], found.intervals[:ROWS], strict=True)
    noise = any(found.noisy)
    what = REUSED + " " + NOISY if found.reused is not None else NOISY if noise else EXACT
    made: Json = {
        "what_is_noise": what,
        "columns": [
            {"name": name, "type": kind, "noisy": noisy} | ({"why_no_width": why} if why else {})
            for name, kind, noisy, why in columns
        ],
        "rows": [
            [
                {"value": value, "plus_minus": width} if noisy else value
                for value, width, noisy in zip(*line, found.noisy, strict=True)
            ]
            for line in lines
        ],
        "cost": cost(found.cost),
        "notes": footer(found),
    }
    if len(found) > ROWS:
        made["rows_left_out"] = len(found) - ROWS
    return made


def cost(found: QueryCost) -> Json:
    """What is charged."""
    return {"eps": found.eps, "delta": found.delta}


def plain(value: object) -> Any:
    """As JSON has it; texts on one line, cut where nobody reads on."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        text = one_line(value[: 2 * LONGEST])
        return text if len(value) <= LONGEST else f"{text[:LONGEST]}… ({len(value):,} characters)"
    if isinstance(value, Decimal | Fraction):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {plain(str(key)): plain(inner) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [plain(inner) for inner in value]
    return plain(str(value))


def _result(found: Json, *, failed: bool) -> CallToolResult:
    made = plain(found)
    text = json.dumps(made, ensure_ascii=False, indent=1)
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=made, is_error=failed
    )
