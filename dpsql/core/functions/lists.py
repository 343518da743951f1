"""How long a list is: what else is in it no expression reads."""

from __future__ import annotations

from dpsql.core.functions.spec import Args, Function, TypeMismatch, plain
from dpsql.core.functions.typing import require
from dpsql.core.plan.expr import Call
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, Type


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    if args[0].type.name != "LIST":
        raise TypeMismatch(f"needs a list, not {args[0].type}", 0)
    return args, BIGINT


def _values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: from 0 on. Elements that are NULL count; DuckDB keeps the number beside the list."""
    return Values(0, None, False)


FUNCTIONS = (
    Function("array_length", _bind, _values, plain("array_length"), names=("array_length",)),
)
