"""What a plan alone says of a call's arguments: constants, and types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpsql.platform.engine.far import plan_constants
from dpsql.platform.engine.far.operators import Call, Constant, Expr

Printed = Callable[[Call, Sequence[str]], str]
"""How a function of arguments that are printed is written."""


def known(node: Expr) -> Constant | None:
    """The constant that it is, or is a cast of; None for what is none, and for NULL."""
    while isinstance(node, Call) and node.name == "cast":
        (node,) = node.args
    return node if isinstance(node, Constant) and node.value is not None else None


def is_constant(node: Expr) -> bool:
    """Whether it is a constant, or a cast of one; NULL is one, too."""
    while isinstance(node, Call) and node.name == "cast":
        (node,) = node.args
    return isinstance(node, Constant)


def number(node: Expr) -> int | None:
    """A constant whole number."""
    found = known(node)
    return plan_constants.whole(found) if found is not None and found.type.is_integer else None


def word(node: Expr) -> str | None:
    """A constant text."""
    found = known(node)
    return str(found.value) if found is not None and found.type.name == "VARCHAR" else None


def kinds(node: Call) -> str:
    """The types of a function's arguments, for people."""
    return ", ".join(str(a.type) for a in node.args)
