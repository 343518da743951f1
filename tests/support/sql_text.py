"""One clause a line: between the engine's one long line and the printer's one word a line."""

from __future__ import annotations

import re

_CLAUSES = "FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|CROSS JOIN|LEFT JOIN|INNER JOIN|JOIN|SELECT"
_BREAK = re.compile(rf' (?=(?:{_CLAUSES})\b)|(?<=,) (?="\w+" AS (?:MATERIALIZED )?\(SELECT\b)')
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|.", re.DOTALL)


def lines_of(sql: str) -> list[str]:
    """The query, printed on one line, broken before the clauses of its SELECT and of its CTEs."""
    text, depth = "", 0
    for token in _TOKEN.findall(sql):
        depth -= token == ")"
        # What must not be broken is masked by characters that no pattern matches.
        text += "\0" * len(token) if depth > 1 or token[0] == "'" else token
        depth += token == "("
    cuts = [match.start() for match in _BREAK.finditer(text)]
    starts, ends = [0, *(cut + 1 for cut in cuts)], [*cuts, len(sql)]
    return [sql[start:end] for start, end in zip(starts, ends, strict=True)]
