"""Which other database a text that DuckDB does not read is written for, by what stands at the place
where the reading ended. It is only told: what is refused stays refused.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dpsql.errors import Diagnostic

_SIGNS = [
    (r"\bSELECT\s+(DISTINCT\s+|ALL\s+)?TOP\s*$", r"\d", "SQL Server", "tsql"),
    (r"", r"WITH\s+(ROLLUP|CUBE)\b", "MySQL or SQL Server", "mysql"),
    (r"", r"`", "MySQL, BigQuery or Spark", "mysql"),
    (r"`\w*$", r"", "MySQL, BigQuery or Spark", "mysql"),
    (r"\bLIMIT\s+\d+\s*$", r",\s*\d", "MySQL", "mysql"),
]
"""What is before the place, what stands there, whose it is, and a dialect."""

_NEAR = 200
"""So many letters around the place are looked at."""


def told(problem: Diagnostic, text: str) -> Diagnostic:
    """A syntax error, with the dialect to name where the text looks like one; help that it has
    stays.
    """
    if problem.help is not None or problem.span is None:
        return problem
    start = problem.span.start
    before, here = text[max(0, start - _NEAR) : start], text[start : start + _NEAR]
    for ends, begins, whose, dialect in _SIGNS:
        if re.search(ends, before, re.IGNORECASE) and re.match(begins, here, re.IGNORECASE):
            help = f'if the query is written for {whose}, say so: dialect="{dialect}"'
            return replace(problem, help=help)
    return problem
