"""What can be written: the functions from their table, the constructs from `grammar_tests`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator

from dpsql.core.functions import ALL, Function, aggregates
from dpsql.front import bind_window
from tests.support import grammar
from tests.support.grammar import Case
from tools.contents import codes_of, verdict_of
from tools.reference import costs, engines, signatures
from tools.reference.prose import escaped

HEAD = """\
<!-- Written by python -m tools.reference, from the function table and grammar_tests. -->

# SQL

What dpsql reads is DuckDB's SELECT, as far as it can prove what one unit changes. This page is
written from the tables that the program itself uses, and from the cases by which it is tested. What
is not here is not in the language: it is rejected, with a [code](errors.md), a place and the
smallest fix. [Aggregates](aggregates.md) says what each aggregate measures and costs.
"""

OPERATORS = {
    "eq": "a = b",
    "ne": "a <> b, a != b",
    "lt": "a < b",
    "le": "a <= b",
    "gt": "a > b, a BETWEEN b AND c",
    "ge": "a >= b",
    "is_not_distinct": "a IS [NOT] DISTINCT FROM b",
    "and": "a AND b",
    "or": "a OR b",
    "not": "NOT a",
    "is_null": "a IS [NOT] NULL",
    "in": "a [NOT] IN (b, c)",
    "like": "a LIKE 'pattern' [ESCAPE 'c']",
    "ilike": "a ILIKE 'pattern'",
    "glob": "a GLOB 'pattern'",
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "div": "a / b",
    "intdiv": "a // b",
    "mod": "a % b",
    "bit_and": "a & b",
    "bit_or": "a | b",
    "bit_not": "~a",
    "shr": "a >> b",
    "shl": "a << b",
    "concat": "a || b, CONCAT(a, b, …)",
    "six_digits": "FORMAT('{:g}', x)",
    "interval": "INTERVAL 3 MONTH",
    "plus_interval": "date + INTERVAL 3 MONTH",
    "plus_days": "date + n",
    "plus_months": "date + INTERVAL (n) MONTH",
    "plus_seconds": "date + INTERVAL (n) HOUR",
    "to_months": "TO_MONTHS(n), TO_YEARS(n)",
    "to_seconds": "TO_HOURS(n), TO_MINUTES(n), TO_SECONDS(n)",
    "days_between": "date - date",
    "elapsed": "timestamp - timestamp",
    "cast": "CAST(a AS type), a::type",
    "try_cast": "TRY_CAST(a AS type)",
    "log": "LOG(a), LOG(base, a)",
}
"""How what has no name of its own is written."""

INSIDE = {
    *("as_wide_as", "coerce", "clamp", "inside", "in_calendar", "cut", "steps"),
    *("single", "try_single"),
    *(
        "age_part",
        "try_make_date",
        "time_constant",
        "time_of_day",
        "time_us",
        "time_number",
        "time_at",
    ),
    *("interval_us", "elapsed_part"),
}
"""What no query can write: dpsql puts it in."""

FAMILIES = (
    ("Conditions", "boolean"),
    ("Numbers", "arithmetic division rounding powers transcendental extremes divisors floats"),
    ("Angles", "trigonometry"),
    ("Bits", "bits"),
    ("Strings", "strings string_shape string_search regex"),
    ("Lists", "lists"),
    ("Dates and times", "temporal later date_parts date_arithmetic elapsed date_format times"),
    ("Types and NULL", "casts enforcing"),
)
"""Headings, and the files of `dpsql/core/functions` whose entries stand below them."""

THEMES = (
    ("Rows and expressions", "where values star functions_"),
    (
        "Aggregates",
        "count sum avg moments distinct_values matched quantiles mode best indicators filter_",
    ),
    ("Groups", "group_ null_references grouping_sets private_keys having_ distinct pivot"),
    ("Joins", "join spine events one_unit references"),
    ("Subqueries, WITH and sets", "subquery cte structs feeds set_operations"),
    ("Per unit, and windows", "per_unit window qualify clipping rows_in_group"),
    ("Policies", "people visits row_unit replace unique_columns randomized tpch two_kinds"),
    ("Public tables", "public aggregates_public"),
    ("What is rejected as such", "reject_"),
)
"""Headings, and how the names of the grammar files below them begin."""

_REASON = re.compile(r"-- reject (DP\d+) +(.*)")


def page() -> str:
    """The whole page."""
    parts = [HEAD, *_functions(), *_aggregates(), *_constructs()]
    return "\n".join(parts).rstrip() + "\n"


def _functions() -> Iterator[str]:
    yield "## Functions and operators\n"
    yield "`[number]` and `[text]` are constants; ⟨…⟩ may be left out. *date* is DATE or TIMESTAMP;"
    yield "*condition* is BOOLEAN. Beside these there are CASE, and EXTRACT(part FROM date).\n"
    yield f"{engines.NOTE}\n"
    for heading, files in FAMILIES:
        entries = [f for name in files.split() for f in _entries(name)]
        yield f"### {heading}\n\n| written | gives | Spark | PostgreSQL |\n|---|---|---|---|"
        yield from (_row(f) for f in entries if f.name not in INSIDE)
        yield ""
    yield "### How long they take\n"
    yield "That must not tell what is in a row. Most take the same time for every value, or a time"
    yield "in proportion to its length. Of these it was measured:\n\n| | |\n|---|---|"
    for timing in dict.fromkeys(f.timing for f in ALL if f.timing):
        names = ", ".join(_name(f) for f in ALL if f.timing == timing and f.name not in INSIDE)
        if names:
            yield f"| {names} | {escaped(timing)} |"
    yield ""
    yield from costs.section()


def _name(function: Function) -> str:
    return _cell(OPERATORS.get(function.name, function.name))


def _entries(file: str) -> tuple[Function, ...]:
    module = importlib.import_module(f"dpsql.core.functions.{file}")
    found: tuple[Function, ...] = module.FUNCTIONS
    return found


def _row(function: Function) -> str:
    if function.name in OPERATORS:
        there = f"{_of_operator(function)} | {engines.of(function)}"
        return f"| {_cell(OPERATORS[function.name])} | {there} |"
    taken = signatures.of(function)
    first, *others = function.names
    calls = "<br>".join(_cell(f"{first}({arguments})") for arguments in taken.arguments)
    also = f"<br>also {', '.join(f'`{name}`' for name in others)}" if others else ""
    return f"| {calls}{also} | {_gives(taken.gives)} | {engines.of(function)} |"


def _of_operator(function: Function) -> str:
    if function.name in ("cast", "try_cast"):
        return "the type"
    return _gives(signatures.of(function).gives) or "date"  # an interval's own, beside a date


def _gives(kinds: str) -> str:
    return "what it takes" if kinds.count(",") > 1 else kinds.replace(", ", " or ")


def _cell(sql: str) -> str:
    return f"`{sql}`".replace("|", "\\|")


def _aggregates() -> Iterator[str]:
    yield "## Aggregates and window functions\n"
    yield "| aggregate | takes | DISTINCT |\n|---|---|---|"
    distinct = {"": "", "kept": "yes", "dropped": "makes no difference"}
    for tables, places in ((aggregates.AGGREGATES, 1), (aggregates.PAIRS, 2)):
        for name, entry in {e.name: e for e in tables.values()}.items():
            takes = ", ".join([entry.takes.replace("boolean", "condition")] * places)
            yield f"| `{name}` | {takes} | {distinct[entry.distinct]} |"
    yield "| `quantile_cont`, `percentile_cont` | number or date, [fraction or list] | |"
    yield "| `quantile_disc`, `percentile_disc`, `approx_quantile` | any, [fraction or list] | |"
    yield "| `mode` | any | |\n| `histogram` | any, [list of upper ends] | |"
    yield "| `count_if` | condition | |\n"
    ranks = [name for name, _ in bind_window._RANKS.values()]
    names = [*ranks, "ntile", *bind_window._VALUES.values()]
    windows = [f"`{name}`" for name in names]
    yield "With OVER, all of these but `mode`, `histogram` and lists of fractions, and"
    yield f"{', '.join(windows)}.\n"
    yield "Not in the language, and what to write instead:\n\n| | instead |\n|---|---|"
    for node, words in aggregates.INSTEAD.items():
        yield f"| `{node.sql_name()}` | {escaped(words)} |"
    yield ""


def _constructs() -> Iterator[str]:
    yield "## Constructs\n"
    yield "For each construct a query that is accepted and, for each code, one that is not."
    yield "[CONTENTS.md](../../grammar_tests/CONTENTS.md) names all cases; the files say of each"
    yield "what it is rejected for, or how much one unit changes.\n"
    left = {path.stem for path in grammar.paths()}
    for heading, names in THEMES:
        files = [
            p
            for start in names.split()
            for p in grammar.paths()
            if p.stem in left and (p.stem == start or p.stem.startswith(_prefix(start)))
        ]
        left -= {path.stem for path in files}
        yield f"### {heading}\n"
        for path in files:
            about = escaped(grammar.about(path) or "").rstrip(".")
            yield f"**{about}.** [{path.stem}.sql](../../grammar_tests/{path.name})\n"
            yield from _examples(grammar.read(path))
    if left:
        raise ValueError(f"under no heading: {', '.join(sorted(left))}")


def _prefix(start: str) -> str:
    return start if start.endswith("_") else f"{start}_"


def _examples(cases: tuple[Case, ...]) -> Iterator[str]:
    accepted = [c for c in cases if verdict_of(c) in ("accept", "exact")]
    if accepted:
        yield f"```sql\n{_shortest(accepted).query}\n```\n"
    for code in sorted({code for case in cases for code in codes_of(case)}):
        case = _shortest([c for c in cases if code in codes_of(c)])
        found = (m for line in case.golden if (m := _REASON.match(line)))
        reason = next(m[2] for m in found if m[1] == code)
        yield f"[{code}](../../dpsql/data/errors/{code}.md): {escaped(reason)}\n"
        yield f"```sql\n{case.query}\n```\n"


def _shortest(cases: list[Case]) -> Case:
    return min(cases, key=lambda case: (len(case.query), case.name))


def unlisted() -> set[str]:
    """Entries of the function table that the page would not show."""
    shown = {f.name for _, files in FAMILIES for name in files.split() for f in _entries(name)}
    nameless = {f.name for f in ALL if not f.names} - OPERATORS.keys() - INSIDE
    return ({f.name for f in ALL} - shown) | nameless | (OPERATORS.keys() - {f.name for f in ALL})
