"""Pydantic's errors in the words of the policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from dpsql.platform.policy.places import Problem
from dpsql.platform.policy.scalars import show

_EXPECTED = {
    "string_type": "expected text",
    "bool_type": "expected true or false",
    "tuple_type": "expected a list",
    "mapping_type": "expected a mapping",
    "dict_type": "expected a mapping",
    "model_type": "expected a mapping",
}


def problem(
    detail: Mapping[str, Any], keys: tuple[str, ...], of_columns: tuple[str, ...]
) -> Problem:
    """The problem that a line of `ValidationError.errors()` stands for.

    Args:
        detail: that line.
        keys: the keys that are allowed where it happened.
        of_columns: those that are said of columns, and may stand beside them by mistake.
    """
    loc: tuple[str | int, ...] = detail["loc"]
    kind: str = detail["type"]
    given = detail.get("input")
    if kind == "extra_forbidden":
        if len(loc) == 3 and loc[0] == "tables" and loc[2] in of_columns:
            return Problem(loc, f"unknown key; {loc[2]} is said of a column, under columns")
        return Problem(loc, f"unknown key{did_you_mean(str(loc[-1]), keys)}")
    if kind == "missing":
        return Problem(loc[:-1], f"the key {loc[-1]} is missing")
    if kind == "literal_error":
        allowed = str(detail["ctx"]["expected"]).replace("'", "")
        return Problem(loc, f"expected {allowed}, not {show(given)}")
    if kind == "value_error":
        return Problem(loc, str(detail["ctx"]["error"]))
    if kind in _EXPECTED:
        hint = ""
        if loc[:1] == ("tables",) and loc[2:] == ("references",):
            hint = "; a reference of one column is said of that column, under columns"
        if kind == "string_type" and isinstance(given, str | int | float):
            hint = "; put it in quotes"
        return Problem(loc, f"{_EXPECTED[kind]}, not {show(given)}{hint}")
    return Problem(loc, str(detail["msg"]))


def not_listed(table: str, listed: Iterable[str]) -> str:
    """A table that the policy does not list."""
    return f"the table {table} is not listed{did_you_mean(table, listed)}"


def no_column(table: str, column: str, known: Iterable[str]) -> str:
    """A column that a table, as it is named there, does not have."""
    return f"the {table} has no column {column}{did_you_mean(column, known)}"


def did_you_mean(name: str, candidates: Iterable[str], *, alike: float = 0.6) -> str:
    """``; did you mean …?``, or nothing where nothing is near."""
    by_lower = {candidate.lower(): candidate for candidate in candidates}
    near = get_close_matches(name.lower(), by_lower, n=1, cutoff=alike)
    return f"; did you mean {by_lower[near[0]]}?" if near else ""
