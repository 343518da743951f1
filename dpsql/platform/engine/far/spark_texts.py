"""Texts in Spark: both count characters as Unicode's code points, and compare the bytes of UTF-8.

What knows the letters of a language (upper, lower, collations) is not here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpsql.platform.engine.far.operators import Call, Unsupported
from dpsql.platform.engine.far.spark_words import (
    text,
)
from dpsql.platform.engine.far.typed_arguments import (
    Printed,
    number,
    word,
)

_BLANKS = "".join(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
"""What DuckDB trims: Unicode's separators of words. Spark alone would trim the first."""

_LONGEST = 10_000
"""The characters to which a text is filled up, at most."""


def _length(name: str) -> Printed:
    return lambda node, args: f"CAST({name}({args[0]}) AS BIGINT)"


def _substring(node: Call, args: Sequence[str]) -> str:
    """From a place that is at least 1, so many characters."""
    places = [number(a) for a in node.args[1:]]
    if any(n is None for n in places) or places[0] is None or places[0] < 1:
        raise Unsupported("substring from a place that is no constant, or is below 1")
    if len(places) == 2 and (places[1] or 0) < 0:
        raise Unsupported("substring of a negative length")
    return f"substring({', '.join([args[0], *map(str, places)])})"


def _left(node: Call, args: Sequence[str]) -> str:
    return f"substring({args[0]}, 1, {_size(node, 1)})"


def _right(node: Call, args: Sequence[str]) -> str:
    return f"right({args[0]}, {_size(node, 1)})"


def _size(node: Call, place: int) -> int:
    size = number(node.args[place])
    if size is None or not 0 <= size < 1 << 31:
        raise Unsupported(f"{node.name} with a number that is no constant, or is negative")
    return size


def _trimmed(side: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        if len(args) != 1:
            raise Unsupported(f"{node.name} of other characters than blanks")
        return f"trim({side} {text(_BLANKS)} FROM {args[0]})"

    return made


def _sought(made: Callable[[str, str], str]) -> Printed:
    """A part that is a constant, and not empty: engines differ on where an empty text is."""

    def found(node: Call, args: Sequence[str]) -> str:
        if not word(node.args[1]):
            raise Unsupported(f"{node.name} with a text that is no constant, or is empty")
        return made(args[0], args[1])

    return found


def _replaced(node: Call, args: Sequence[str]) -> str:
    if not word(node.args[1]) or word(node.args[2]) is None:
        raise Unsupported("replace with a text that is no constant, or of an empty one")
    return f"replace({', '.join(args)})"


def _filled(name: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        if not word(node.args[2]) or _size(node, 1) > _LONGEST:
            raise Unsupported(f"{name} to so many characters, or with a text that is no constant")
        return f"{name}({args[0]}, {_size(node, 1)}, {args[2]})"

    return made


def _repeated(node: Call, args: Sequence[str]) -> str:
    if _size(node, 1) > _LONGEST:
        raise Unsupported("repeat so many times")
    return f"repeat({args[0]}, {_size(node, 1)})"


def _between(node: Call, args: Sequence[str]) -> str:
    if word(node.args[0]) is None or any(a.type.name != "VARCHAR" for a in node.args):
        raise Unsupported("concat_ws with a separator that is no constant")
    return f"concat_ws({', '.join(args)})"


def _like(node: Call, args: Sequence[str]) -> str:
    """DuckDB has no escape but the one that is named; Spark's is a backslash."""
    pattern = word(node.args[1])
    escape = word(node.args[2]) if len(node.args) == 3 else ""
    if pattern is None or escape is None or len(escape) > 1:
        raise Unsupported("LIKE with a pattern that is no constant")
    said, rest = "", iter(pattern)
    for letter in rest:
        plain = bool(escape) and letter == escape
        letter = next(rest, "") if plain else letter
        if plain and letter not in ("%", "_", escape):
            raise Unsupported("LIKE with an escape of a character that needs none")
        said += f"\\{letter}" if (plain and letter in "%_") or letter == "\\" else letter
    return f"({args[0]} LIKE {text(said)})"


TEXTS: dict[str, Printed] = {
    "strlen": _length("octet_length"),
    "bit_length": _length("bit_length"),
    "length": _length("char_length"),
    "substring": _substring,
    "left": _left,
    "right": _right,
    "trim": _trimmed("BOTH"),
    "ltrim": _trimmed("LEADING"),
    "rtrim": _trimmed("TRAILING"),
    "strpos": _sought(lambda x, part: f"CAST(instr({x}, {part}) AS BIGINT)"),
    "contains": _sought(lambda x, part: f"contains({x}, {part})"),
    "starts_with": _sought(lambda x, part: f"startswith({x}, {part})"),
    "prefix": _sought(lambda x, part: f"startswith({x}, {part})"),
    "suffix": _sought(lambda x, part: f"endswith({x}, {part})"),
    "replace": _replaced,
    "lpad": _filled("lpad"),
    "rpad": _filled("rpad"),
    "repeat": _repeated,
    "concat_ws": _between,
    "||": lambda node, args: f"concat({', '.join(args)})",
    "~~": _like,
    "!~~": lambda node, args: f"(NOT {_like(node, args)})",
    "like_escape": _like,
}
