"""How long a list is, and one of its elements."""

from __future__ import annotations

from dpsql.core.functions.spec import Args, Function, Sql, TypeMismatch, cast, fn, plain
from dpsql.core.functions.typing import require
from dpsql.core.plan.expr import Call, Literal
from dpsql.core.plan.values import Values, of_type
from dpsql.types import BIGINT, Type


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    if args[0].type.name != "LIST":
        raise TypeMismatch(f"needs a list, not {args[0].type}", 0)
    return args, BIGINT


def _values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: from 0 on. Elements that are NULL count; DuckDB keeps the number beside the list."""
    return Values(0, None, False)


def _bind_element(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    kind, place = args[0].type.of, args[1]
    if kind is None:
        raise TypeMismatch(f"needs a list, not {args[0].type}", 0)
    if not (kind.is_numeric or kind.is_boolean or kind.is_temporal):
        raise TypeMismatch(f"takes no element of {args[0].type}", 0)  # texts have no length here
    if not isinstance(place, Literal) or not isinstance(place.value, int) or place.value < 1:
        raise TypeMismatch("needs a constant place, from 1", 1)
    return args, kind


def _element(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: anything of its type, or NULL, which is also what is beyond the last. Of a number no
    ends are said: noise that hides all that a type can hold hides everything.
    """
    found = of_type(node.type)
    return found.but(low=None, high=None) if node.type.is_numeric else found


def _element_sql(args: list[Sql], node: Call) -> Sql:
    """With its type, which who reads the SQL alone does not know."""
    return cast(fn("list_extract", *args), node.type)


FUNCTIONS = (
    Function(
        "list_element",
        _bind_element,
        _element,
        _element_sql,
        names=("list_extract", "list_element", "array_extract"),
    ),
    Function("array_length", _bind, _values, plain("array_length"), names=("array_length",)),
)
