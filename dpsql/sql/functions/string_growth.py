"""How much longer a string can become than those in the data, and where that ends.

Doubling a string in each of many nested calls would exhaust the memory for a long one. So each
function that makes strings longer has a factor; `bounded` is its totality rule.
"""

from __future__ import annotations

from collections.abc import Callable

from dpsql.plan.expr import Call, Case, Expr, Literal
from dpsql.plan.values import Values
from dpsql.sql.functions.regex_states import check
from dpsql.sql.functions.spec import NotTotal, TypeMismatch

MAX_GROWTH = 64


def growth(expr: Expr) -> int:
    """The length of a string in units of the longest in its row, constants aside."""
    if isinstance(expr, Case):
        return max(growth(v) for v in (*(v for _, v in expr.branches), expr.default))
    if not isinstance(expr, Call) or not expr.type.is_string:
        return 1
    if expr.function in ("concat", "concat_ws"):
        return sum(growth(a) for a in expr.args)
    inner = max((growth(a) for a in expr.args), default=1)
    factor = _FACTORS.get(expr.function)
    return inner * factor(expr) if factor is not None else inner


def bounded(node: Call, values: tuple[Values, ...]) -> Expr:
    """Raises NotTotal where the result could be more than MAX_GROWTH times as long."""
    if growth(node) > MAX_GROWTH:
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
