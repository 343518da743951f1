"""Strings out of strings: left, right, replace, split_part, lpad, rpad, repeat, reverse, translate,
concat_ws; and what is counted of one: its bytes, its bits, its first character.

All are total on any valid string: counts, separators, fills and maps are constants, and those on
which DuckDB fails (an empty fill) are refused. All but concat_ws are strict. Their time is linear
in the string's length; `timing` has the factor between strings of one length.

How long the result can be is in `string_length`.
"""

from __future__ import annotations

from dpsql.plan.expr import Call
from dpsql.plan.values import Values
from dpsql.sql.functions.spec import Args, Function, TypeMismatch, plain
from dpsql.sql.functions.string_length import MAX_REPEAT, bounded, text
from dpsql.sql.functions.string_search import MAX_NEEDLE, strings
from dpsql.sql.functions.typing import integer_constant, require
from dpsql.types import BIGINT, INTEGER, VARCHAR, Type

MAX_PAD = 1000
MAX_SEPARATOR = 64
_COUNT_LIMIT = 1_000_000
_MAX_PARTS = 64
_BYTE_LIMIT = 2**32
_LAST_CHARACTER = 0x10FFFF


def _one(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    return strings(args, 1), VARCHAR


def _counted(args: Args) -> tuple[Args, Type]:
    return _one(args)[0], BIGINT


def _code_bind(args: Args) -> tuple[Args, Type]:
    return _one(args)[0], INTEGER


def _some(args: Args) -> tuple[Args, Type]:
    """So many characters; a negative count leaves as many out."""
    require(args, 2)
    integer_constant(args[1], 1, -_COUNT_LIMIT, _COUNT_LIMIT)
    return strings(args, 1), VARCHAR


def _replace_bind(args: Args) -> tuple[Args, Type]:
    require(args, 3)
    text(args[1], 1, "string to replace", MAX_NEEDLE)
    text(args[2], 2, "replacement", MAX_NEEDLE)
    return strings(args, 3), VARCHAR


def _split_bind(args: Args) -> tuple[Args, Type]:
    """A negative index counts from the end; where there is no such part, the part is empty."""
    require(args, 3)
    text(args[1], 1, "separator", MAX_NEEDLE)
    integer_constant(args[2], 2, -_COUNT_LIMIT, _COUNT_LIMIT)
    return strings(args, 2), VARCHAR


def _pad_bind(args: Args) -> tuple[Args, Type]:
    require(args, 3)
    integer_constant(args[1], 1, 0, MAX_PAD)
    if not text(args[2], 2, "fill", MAX_SEPARATOR):
        raise TypeMismatch("the fill must not be empty", 2)
    first, last = strings((args[0], args[2]), 2)
    return (first, args[1], last), VARCHAR


def _repeat_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    integer_constant(args[1], 1, 0, MAX_REPEAT)
    return strings(args, 1), VARCHAR


def _translate_bind(args: Args) -> tuple[Args, Type]:
    require(args, 3)
    text(args[1], 1, "list of characters", MAX_NEEDLE)
    text(args[2], 2, "list of characters", MAX_NEEDLE)
    return strings(args, 3), VARCHAR


def _concat_ws_bind(args: Args) -> tuple[Args, Type]:
    require(args, (2, _MAX_PARTS))
    text(args[0], 0, "separator", MAX_SEPARATOR)
    return strings(args, len(args)), VARCHAR


def _any_string(node: Call, values: tuple[Values, ...]) -> Values:
    return Values(nullable=False)


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
    Function("left", _some, _any_string, plain("left"), names=("left",)),
    Function("right", _some, _any_string, plain("right"), names=("right",)),
    Function(
        "replace",
        _replace_bind,
        _any_string,
        plain("replace"),
        bounded,
        names=("replace",),
        timing="0.4 ns a byte, and 8 ns for each place found",
    ),
    Function(
        "split_part",
        _split_bind,
        _any_string,
        plain("split_part"),
        names=("split_part",),
        timing="0.4 ns a byte, and 11 ns for each separator",
    ),
    Function("lpad", _pad_bind, _any_string, plain("lpad"), bounded, names=("lpad",)),
    Function("rpad", _pad_bind, _any_string, plain("rpad"), bounded, names=("rpad",)),
    Function("repeat", _repeat_bind, _any_string, plain("repeat"), bounded, names=("repeat",)),
    Function(
        "reverse",
        _one,
        _any_string,
        plain("reverse"),
        names=("reverse",),
        timing="0.6 ns a byte of ASCII, 3 to 7 ns of anything else",
    ),
    Function(
        "translate",
        _translate_bind,
        _any_string,
        plain("translate"),
        bounded,
        names=("translate",),
        timing="6 to 10 ns a character",
    ),
    Function(
        "concat_ws",
        _concat_ws_bind,
        _any_string,
        plain("concat_ws"),
        bounded,
        strict=False,  # NULLs are left out; the separator is no NULL
        names=("concat_ws",),
    ),
    Function(
        "strlen",
        _counted,
        _strlen_values,
        plain("strlen"),
        names=("strlen", "octet_length"),
    ),
    Function(
        "bit_length",
        _counted,
        _bit_length_values,
        plain("bit_length"),
        names=("bit_length",),
    ),
    Function("ascii", _code_bind, _ascii_values, plain("ascii"), names=("ascii",)),
    Function(
        "unicode",
        _code_bind,
        _unicode_values,
        plain("unicode"),
        names=("unicode", "ord"),
    ),
)
