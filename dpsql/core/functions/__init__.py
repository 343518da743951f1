"""The allow-list of scalar functions: what is not in `BY_NAME` is not in the language."""

from __future__ import annotations

from dpsql.core.functions import (
    arithmetic,
    bits,
    boolean,
    casts,
    date_arithmetic,
    date_format,
    date_parts,
    division,
    divisors,
    elapsed,
    enforcing,
    extremes,
    floats,
    later,
    lists,
    powers,
    regex,
    rounding,
    string_search,
    string_shape,
    strings,
    temporal,
    times,
    transcendental,
    trigonometry,
)
from dpsql.core.functions.spec import Function, NotTotal, TypeMismatch, coerce

ALL: tuple[Function, ...] = (
    *boolean.FUNCTIONS,
    *arithmetic.FUNCTIONS,
    *division.FUNCTIONS,
    *rounding.FUNCTIONS,
    *transcendental.FUNCTIONS,
    *powers.FUNCTIONS,
    *trigonometry.FUNCTIONS,
    *bits.FUNCTIONS,
    *divisors.FUNCTIONS,
    *floats.FUNCTIONS,
    *extremes.FUNCTIONS,
    *strings.FUNCTIONS,
    *lists.FUNCTIONS,
    *string_shape.FUNCTIONS,
    *string_search.FUNCTIONS,
    *regex.FUNCTIONS,
    *temporal.FUNCTIONS,
    *later.FUNCTIONS,
    *date_parts.FUNCTIONS,
    *date_arithmetic.FUNCTIONS,
    *elapsed.FUNCTIONS,
    *date_format.FUNCTIONS,
    *times.FUNCTIONS,
    *casts.FUNCTIONS,
    *enforcing.FUNCTIONS,
)

BY_NAME: dict[str, Function] = {f.name: f for f in ALL}
"""Canonical name → entry; what `Call.function` refers to."""

SPELLINGS: dict[str, Function] = {name: f for f in ALL for name in f.names}
"""Every spelling that SQL text may use for a call → entry."""

__all__ = ["ALL", "BY_NAME", "SPELLINGS", "Function", "NotTotal", "TypeMismatch", "coerce"]
