"""Dates and timestamps in PostgreSQL, of all ages; parts of an infinite one are NULL in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from dpsql.platform.engine.far.operators import Call, Unsupported
from dpsql.platform.engine.far.postgres_words import BYTES, repeated, typed
from dpsql.platform.engine.far.typed_arguments import Printed, word


def _extracted(part: str, x: str) -> str:
    """The year before 1 is 0."""
    found = f"extract({part} FROM {x})"
    if part in ("year", "isoyear"):
        found = f"({found} + CASE WHEN {found} < 0 THEN 1 ELSE 0 END)"
    return found


def _part_of_date(of: Callable[[str], str]) -> Printed:
    """NULL of an infinite day."""

    def made(node: Call, args: Sequence[str]) -> str:
        [kind] = {a.type.name for a in node.args}
        if kind not in ("DATE", "TIMESTAMP"):
            raise Unsupported(f"{node.name} of {kind}")
        return repeated(found)(node, args)

    def found(x: str) -> str:
        return f"CASE WHEN isfinite({x}) THEN CAST(floor({of(x)}) AS BIGINT) END"

    return made


def _part(name: str) -> Printed:
    return _part_of_date(lambda x: _extracted(name, x))


def _months(x: str) -> str:
    return f"({_extracted('year', x)} * 12 + {_extracted('month', x)})"


_SINCE: dict[str, Callable[[str], str]] = {
    "year": lambda x: _extracted("year", x),
    "quarter": lambda x: f"div({_months(x)} - 1, 3)",  # towards zero, as DuckDB does it
    "month": lambda x: _months(x),
    "day": lambda x: f"(CAST({x} AS DATE) - CAST('1970-01-01' AS DATE))",
    "hour": lambda x: f"floor(extract(epoch FROM {x}) / 3600)",
    "minute": lambda x: f"floor(extract(epoch FROM {x}) / 60)",
    "second": lambda x: f"floor(extract(epoch FROM {x}))",
    "millisecond": lambda x: f"floor(extract(epoch FROM {x}) * 1000)",
    "microsecond": lambda x: f"extract(epoch FROM {x}) * 1000000",
}
"""How many of them have begun, from a fixed one on."""


def _year_and_week(x: str) -> str:
    year, week = _extracted("isoyear", x), _extracted("week", x)
    return f"{year} * 100 + CASE WHEN {year} > 0 THEN {week} ELSE - {week} END"


def _from_1(years: int) -> Callable[[str], str]:
    """Which so many years it is in, counted from the year 1; before it, downwards."""

    def found(x: str) -> str:
        year = _extracted("year", x)
        after = f"div({year} - 1, {years}) + 1"
        return f"CASE WHEN {year} > 0 THEN {after} ELSE div({year}, {years}) - 1 END"

    return found


def _name(part: str, names: Sequence[str]) -> Printed:
    """NULL of an infinite day."""
    listed = ", ".join(f"'{name}'" for name in names)

    def made(node: Call, args: Sequence[str]) -> str:
        if node.args[0].type.name not in ("DATE", "TIMESTAMP"):
            raise Unsupported(f"{node.name} of {node.args[0].type}")
        place = f"CAST(extract({part} FROM {args[0]}) AS INTEGER)"
        return f"((CAST(ARRAY[{listed}] AS TEXT[]))[{place}]{BYTES})"

    return made


_ERA = r"regexp_replace({text}, E'^(\\S+)(.*) BC$', E'\\1 (BC)\\2')"


def text_of(x: str) -> str:
    """A day or a moment as DuckDB writes it: before our era it says so after the day."""
    text = f"CAST({x} AS TEXT){BYTES}"
    return f"(CASE WHEN {x} < '0001-01-01' THEN {_ERA.format(text=text)} ELSE {text} END)"


def _between(node: Call, args: Sequence[str]) -> str:
    """How many of a part of time begin between two; NULL where one of these is infinite."""
    kinds = {a.type.name for a in node.args[1:]}
    since = _SINCE.get(word(node.args[0]) or "")
    if since is None or kinds not in ({"DATE"}, {"TIMESTAMP"}):
        raise Unsupported("date_diff of such a part")

    def found(a: str, b: str) -> str:
        both = f"isfinite({a}) AND isfinite({b})"
        return f"CASE WHEN {both} THEN CAST({since(b)} - {since(a)} AS BIGINT) END"

    return repeated(found)(Call(node.name, node.args[1:], node.type), args[1:])


def _try_cast(node: Call, args: Sequence[str]) -> str:
    """A day as a moment, where there is such a moment in DuckDB."""
    if (node.args[0].type.name, node.type.name) != ("DATE", "TIMESTAMP"):
        raise Unsupported(f"a {node.args[0].type} as {node.type} if it can be")
    last = "CAST('294247-01-10' AS DATE)"

    def found(x: str) -> str:
        return f"CASE WHEN {x} <= {last} OR NOT isfinite({x}) THEN CAST({x} AS TIMESTAMP) END"

    return repeated(found)(node, args)


def _cut(node: Call, args: Sequence[str]) -> str:
    part = word(node.args[0])
    if part not in _PARTS or node.args[1].type.name != "TIMESTAMP":
        raise Unsupported("date_trunc to such a part")
    return f"date_trunc('{part}', {args[1]})"


_PARTS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")

DATES: dict[str, Printed] = {
    "year": _part("year"),
    "month": _part("month"),
    "day": _part("day"),
    "quarter": _part("quarter"),
    "week": _part("week"),
    "isoyear": _part("isoyear"),
    "isodow": _part("isodow"),
    "dayofweek": _part("dow"),
    "dayofyear": _part("doy"),
    "hour": _part("hour"),
    "minute": _part("minute"),
    "second": _part("second"),
    "millisecond": _part("milliseconds"),
    "microsecond": _part("microseconds"),
    "decade": _part_of_date(lambda x: f"div({_extracted('year', x)}, 10)"),
    "century": _part_of_date(_from_1(100)),
    "millennium": _part_of_date(_from_1(1000)),
    "era": _part_of_date(lambda x: f"CASE WHEN {_extracted('year', x)} > 0 THEN 1 ELSE 0 END"),
    "monthname": _name("month", [date(2024, n, 1).strftime("%B") for n in range(1, 13)]),
    "dayname": _name("isodow", [date(2024, 1, n).strftime("%A") for n in range(1, 8)]),
    "yearweek": _part_of_date(_year_and_week),
    "date_diff": _between,
    "try_cast": _try_cast,
    "date_trunc": _cut,
    "to_months": typed(lambda node, args: f"make_interval(months => {args[0]})", "INTEGER"),
    "to_days": typed(lambda node, args: f"make_interval(days => {args[0]})", "INTEGER"),
}
