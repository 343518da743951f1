"""How much longer a string can become than those in the data, and where that ends.

Doubling a string in each of many nested calls, or of many nested queries, would exhaust the memory
for a long one. So each function that makes strings longer has a factor, what a string has grown to
is inferred along with its range, and `bounded` is the totality rule.
"""

from __future__ import annotations

from collections.abc import Callable

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import Values
from dpsql.sql.functions.regex_states import check
from dpsql.sql.functions.spec import NotTotal, TypeMismatch

MAX_GROWTH = 64


def growth(node: Call, values: tuple[Values, ...]) -> int:
    """The most that the result's length is, in units of the longest string of a table's row,
    constants aside; from what that is for the operands (`Values.growth`).
    """
    if not node.type.is_string:
        return 1
    lengths = [v.growth for v in values]
    if node.function in ("concat", "concat_ws"):
        return sum(lengths)
    inner = max(lengths, default=1)
    factor = _FACTORS.get(node.function)
    return inner * factor(node) if factor is not None else inner


def bounded(node: Call, values: tuple[Values, ...]) -> Expr:
    """Raises NotTotal where the result could be more than MAX_GROWTH times as long."""
    if growth(node, values) > MAX_GROWTH:
        raise NotTotal(f"a string that can become more than {MAX_GROWTH} times as long")
    return node


def text(arg: Expr, index: int, what: str, longest: int) -> str:
    """The value of an argument that must be a constant string."""
    if not (isinstance(arg, Literal) and isinstance(arg.value, str)):
        raise TypeMismatch(f"needs a constant {what}", index)
    if len(arg.value) > longest:
        raise TypeMismatch(f"a {what} of more than {longest} characters", index)
    return arg.value


def _text(node: Call, index: int) -> str:
    arg = node.args[index]
    return arg.value if isinstance(arg, Literal) and isinstance(arg.value, str) else ""


def _repeat(node: Call) -> int:
    times = node.args[1]
    return max(1, times.value) if isinstance(times, Literal) and isinstance(times.value, int) else 1


def _replace(node: Call) -> int:
    """In bytes: one of the pattern's for at most so many of the replacement's."""
    old, new = (len(_text(node, i).encode()) for i in (1, 2))
    return max(1, -(-new // old)) if old else 1


def _translate(node: Call) -> int:
    """A character of one byte for one of at most four."""
    return 1 if _text(node, 2).isascii() else 4


def _regexp_replace(node: Call) -> int:
    r"""Once, or for each match of at least so many bytes; all that \0 to \9 name, once each."""
    new, options = _text(node, 2), _text(node, 3) if len(node.args) > 3 else ""
    names = new.count("\\")
    if "g" not in options:
        return 1 + names
    size, width = len(new.encode()), check(_text(node, 1), options.replace("g", "")).width
    return names + (max(1, -(-size // width)) if width else 1 + size)


_FACTORS: dict[str, Callable[[Call], int]] = {
    "repeat": _repeat,
    "replace": _replace,
    "translate": _translate,
    "regexp_replace": _regexp_replace,
}
