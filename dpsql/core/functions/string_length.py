"""How long a string can be, in characters, whatever the data; and where that ends.

A text of a table is cut to its declared length, or to the policy's, where a function reads it (see
`enforce.secure`). So the length of every string that a function makes is bounded by a number that
is known before a row is read: constants count with their own length, and what makes strings longer
multiplies or adds. `bounded` is the totality rule; the engine's own limit (4 GB a string) is never
met, since a character has at most four bytes.

Claim: `length` is at least the number of characters of every value of the call. Why: by cases,
beside each. Functions that have no case here give no more characters than their longest operand
has (lower, upper, trim, reverse, parts, COALESCE), or are texts of numbers and moments, of which
DuckDB writes fewer than MAX_PLAIN.
"""

from __future__ import annotations

from collections.abc import Callable

from dpsql.core.functions.regex_states import check
from dpsql.core.functions.spec import NotTotal
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values

MAX_LENGTH = 1_000_000
"""Characters of a string that a private query makes."""

MAX_REPEAT = 64
"""How often REPEAT may write its string."""

MAX_PLAIN = 128
"""More characters than the text of any number, moment, or part of one has."""

Lengths = list[int | None]


def length(node: Call, values: tuple[Values, ...]) -> int | None:
    """The most characters of the result; None where nothing bounds an operand's."""
    lengths: Lengths = [
        v.longest if a.type.is_string else 0 for a, v in zip(node.args, values, strict=True)
    ]
    rule = _RULES.get(node.function)
    if rule is not None:
        return rule(node, lengths)
    strings = [n for a, n in zip(node.args, lengths, strict=True) if a.type.is_string]
    return _longest(strings) if strings else MAX_PLAIN


def bounded(node: Call, values: tuple[Values, ...]) -> Expr:
    """Raises NotTotal where the result could have more than MAX_LENGTH characters."""
    found = length(node, values)
    if found is None or found > MAX_LENGTH:
        raise NotTotal(
            f"a string that can have more than {MAX_LENGTH:,} characters",
            "shorten its parts first: LEFT(x, 100)",
        )
    return node


def _longest(lengths: Lengths) -> int | None:
    return None if None in lengths else max(n for n in lengths if n is not None)


def _total(lengths: Lengths) -> int | None:
    return None if None in lengths else sum(n for n in lengths if n is not None)


def _text(node: Call, index: int) -> str:
    arg = node.args[index]
    return arg.value if isinstance(arg, Literal) and isinstance(arg.value, str) else ""


def _number(node: Call, index: int) -> int:
    arg = node.args[index]
    return arg.value if isinstance(arg, Literal) and isinstance(arg.value, int) else MAX_LENGTH


def _concat(node: Call, lengths: Lengths) -> int | None:
    return _total(lengths)


def _concat_ws(node: Call, lengths: Lengths) -> int | None:
    """All but the separator, which stands between them."""
    parts = _total(lengths[1:])
    return None if parts is None else parts + len(_text(node, 0)) * (len(lengths) - 2)


def _first(node: Call, lengths: Lengths) -> int | None:
    """Some of the first operand's characters, once each: what is trimmed, looked for, or
    translated one by one.
    """
    return lengths[0]


def _some(node: Call, lengths: Lengths) -> int | None:
    """LEFT and RIGHT: so many; a negative count leaves so many out."""
    return _least(lengths[0], _number(node, 1)) if _number(node, 1) >= 0 else lengths[0]


def _substring(node: Call, lengths: Lengths) -> int | None:
    return _least(lengths[0], _number(node, 2)) if len(lengths) > 2 else lengths[0]


def _least(first: int | None, second: int) -> int:
    return second if first is None else min(first, second)


def _pad(node: Call, lengths: Lengths) -> int | None:
    """Exactly so many."""
    return max(0, _number(node, 1))


def _repeat(node: Call, lengths: Lengths) -> int | None:
    """A literal 0 or less gives the empty string."""
    return None if lengths[0] is None else lengths[0] * max(0, _number(node, 1))


def _replace(node: Call, lengths: Lengths) -> int | None:
    """For each disjoint place of the pattern, its replacement; the rest stays."""
    old, new = len(_text(node, 1)), len(_text(node, 2))
    if lengths[0] is None or not old or new <= old:
        return lengths[0]
    return lengths[0] // old * new + lengths[0] % old


def _regexp_replace(node: Call, lengths: Lengths) -> int | None:
    r"""Once, or for each match: its constant characters, and all that \0 to \9 name. The groups of
    one match lie in it, and matches are disjoint, so that each name gives the string once at most.
    A match of at least w bytes has at least w/4 characters, and n characters have at most n matches
    and one, of nothing, at the end.
    """
    if lengths[0] is None:
        return None
    new, options = _text(node, 2), _text(node, 3) if len(node.args) > 3 else ""
    kept = lengths[0] * (1 + new.count("\\"))
    if "g" not in options:
        return kept + len(new)
    width = check(_text(node, 1), options.replace("g", "")).width
    matches = min(lengths[0] + 1, lengths[0] * 4 // width) if width else lengths[0] + 1
    return kept + len(new) * matches


def _strftime(node: Call, lengths: Lengths) -> int | None:
    """A directive of two characters is written out as MAX_PLAIN at most."""
    return sum(MAX_PLAIN if c == "%" else 1 for c in _text(node, 1))


def _cut(node: Call, lengths: Lengths) -> int | None:
    return _least(lengths[0], _number(node, 1))


_RULES: dict[str, Callable[[Call, Lengths], int | None]] = {
    "concat": _concat,
    "concat_ws": _concat_ws,
    "cut": _cut,
    "left": _some,
    "right": _some,
    "substring": _substring,
    "lpad": _pad,
    "rpad": _pad,
    "repeat": _repeat,
    "replace": _replace,
    "regexp_replace": _regexp_replace,
    "strftime": _strftime,
    **dict.fromkeys(
        ("trim", "ltrim", "rtrim", "translate", "split_part", "regexp_extract", "nullif"), _first
    ),
}
