"""Strings out of strings: left, right, replace, split_part, lpad, rpad, repeat, reverse, translate,
concat_ws; and what is counted of one: its bytes, its bits, its first character.

All are total on any valid string: counts, separators, fills and maps are constants, and those on
which DuckDB fails (an empty fill) are refused. All but concat_ws are strict. Their time is linear
in the string's length; `timing` has the factor between strings of one length.

How long the result can be is in `string_length`.
"""

from __future__ import annotations

from dpsql.core.functions.spec import (
    Args,
    Function,
    TypeMismatch,
    any_string,
    named,
    plain,
    shown,
)
from dpsql.core.functions.string_length import MAX_REPEAT, bounded
from dpsql.core.functions.string_search import MAX_NEEDLE
from dpsql.core.functions.typing import (
    as_text,
    constant,
    constant_string,
    signature,
    string,
    text,
)
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, INTEGER, VARCHAR

MAX_PAD = 1000
MAX_SEPARATOR = 64
_COUNT_LIMIT = 1_000_000
_MAX_PARTS = 64
_BYTE_LIMIT = 2**32
_LAST_CHARACTER = 0x10FFFF


_COUNT = constant(-_COUNT_LIMIT, _COUNT_LIMIT)
"""A negative count leaves as many out; a negative index counts from the end."""


def _fill(args: Args, index: int) -> Expr:
    if not text(args[index], index, "fill", MAX_SEPARATOR):
        raise TypeMismatch("the fill must not be empty", index)
    return args[index]


_ONE, _SOME = signature(string, gives=VARCHAR), signature(string, _COUNT, gives=VARCHAR)
_BYTES, _CODE = signature(string, gives=BIGINT), signature(string, gives=INTEGER)
_REPLACE = signature(
    *(string, constant_string("string to replace", MAX_NEEDLE)),
    constant_string("replacement", MAX_NEEDLE),
    gives=VARCHAR,
)
_SPLIT = signature(string, constant_string("separator", MAX_NEEDLE), _COUNT, gives=VARCHAR)
_PAD = signature(string, constant(0, MAX_PAD), _fill, gives=VARCHAR)
_REPEAT = signature(string, constant(0, MAX_REPEAT), gives=VARCHAR)
_CHARACTERS = constant_string("list of characters", MAX_NEEDLE)
_TRANSLATE = signature(string, _CHARACTERS, _CHARACTERS, gives=VARCHAR)
_CONCAT_WS = signature(
    *(constant_string("separator", MAX_SEPARATOR), *[as_text] * (_MAX_PARTS - 1)),
    gives=VARCHAR,
    least=2,
)


def _pad_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Digits filled up, or cut, to some number of characters are so many digits."""
    text, count, fill = values
    sure = text.most_digits is not None and fill.most_digits is not None and count.low > 0
    return Values(nullable=False, digits=count.high if sure else None)


def _strlen_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: up to four bytes a character."""
    sizes, longest = _sizes(values[0]), values[0].longest
    if sizes:
        return Values(min(sizes), max(sizes), False)
    return Values(0, _BYTE_LIMIT if longest is None else 4 * longest, False)


def _bit_length_values(node: Call, values: tuple[Values, ...]) -> Values:
    found = _strlen_values(node, values)
    return Values(8 * found.low, 8 * found.high, False)


def _sizes(values: Values) -> list[int]:
    return [len(v.encode()) for v in values.finite or () if isinstance(v, str)]


def _ascii_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the first character's code point, 0 for the empty string."""
    return Values(0, _LAST_CHARACTER, False)


def _unicode_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the first character's code point, -1 for the empty string."""
    return Values(-1, _LAST_CHARACTER, False)


FUNCTIONS = (
    named("left", _SOME, any_string),
    named("right", _SOME, any_string),
    named(
        "replace",
        _REPLACE,
        any_string,
        bounded,
        timing="0.4 ns a byte, and 8 ns for each place found",
    ),
    named("split_part", _SPLIT, any_string, timing="0.4 ns a byte, and 11 ns for each separator"),
    named("lpad", _PAD, _pad_values, bounded),
    named("rpad", _PAD, _pad_values, bounded),
    named("repeat", _REPEAT, any_string, bounded),
    named("reverse", _ONE, any_string, timing="0.6 ns a byte of ASCII, 3 to 7 ns of anything else"),
    named("translate", _TRANSLATE, any_string, bounded, timing="6 to 10 ns a character"),
    Function(
        "concat_ws",
        _CONCAT_WS,
        any_string,
        plain("concat_ws"),
        bounded,
        strict=False,  # NULLs are left out; the separator is no NULL
        names=("concat_ws",),
    ),
    named("strlen", _BYTES, _strlen_values),
    shown(named("bit_length", _BYTES, _bit_length_values)),
    named("ascii", _CODE, _ascii_values),
    named("unicode", _CODE, _unicode_values, also=("ord",)),
)
