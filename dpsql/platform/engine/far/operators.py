"""A statement's plan: operators with their columns by place, expressions with their types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpsql.types import BOOLEAN, Type


class Unsupported(Exception):  # noqa: N818  (an outcome, turned into a diagnostic)
    """Another engine cannot be asked for it; `what` names it, from the statement alone."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class Ref:
    """A column of what is below, by its place; `right`: of a join's right side."""

    place: int
    type: Type
    right: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """A value as DuckDB's plan has it; None is NULL."""

    value: Any
    type: Type


@dataclass(frozen=True, slots=True)
class Call:
    """A function, an operator, CASE ("case": condition, value, …, default) or a cast ("cast")."""

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Parameter:
    """The elements of a list that is given when the statement is run."""

    name: str
    type: Type


Expr = Ref | Constant | Call | Parameter


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """An aggregate function."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    distinct: bool


@dataclass(frozen=True, slots=True)
class WindowCall:
    """A window function; `rows`: its frame is by rows up to the current one, not by peers."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    partitions: tuple[Expr, ...]
    orders: tuple[tuple[Expr, bool, bool], ...]
    """Each with whether it descends, and whether NULLs come first."""
    rows: bool


@dataclass(frozen=True, slots=True)
class Get:
    """Columns of a table, by their names; None for one that is no column of it."""

    table: tuple[str, ...]
    columns: tuple[str | None, ...]
    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of constants, or of the parameters' elements."""

    rows: tuple[tuple[Expr, ...], ...]
    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Filtered:
    """The rows for which all conditions are true."""

    below: Operator
    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Projected:
    """Expressions of each row."""

    below: Operator
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The groups' keys, then aggregates; without keys one row."""

    below: Operator
    keys: tuple[Expr, ...]
    items: tuple[AggregateCall, ...]


@dataclass(frozen=True, slots=True)
class Windowed:
    """The columns below, then window functions."""

    below: Operator
    items: tuple[WindowCall, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """inner, left, semi or anti; `mark`: the left columns, and whether there is a partner."""

    kind: str
    left: Operator
    right: Operator
    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class United:
    """All rows of all parts, or each different one once."""

    parts: tuple[Operator, ...]
    all: bool


@dataclass(frozen=True, slots=True)
class Distinct:
    """Each different row once."""

    below: Operator


@dataclass(frozen=True, slots=True)
class With:
    """A part that others name by its number."""

    number: int
    part: Operator
    body: Operator


@dataclass(frozen=True, slots=True)
class Named:
    """What `With` has by that number."""

    number: int
    types: tuple[Type, ...]


Operator = (
    Get
    | Rows
    | Filtered
    | Projected
    | Grouped
    | Windowed
    | Joined
    | United
    | Distinct
    | With
    | Named
)

ONE_ROW = Rows(((Constant(True, BOOLEAN),),), (BOOLEAN,))
"""What a SELECT without FROM reads."""


def below(plan: Operator) -> tuple[Operator, ...]:
    """What an operator reads."""
    match plan:
        case Get() | Rows() | Named():
            return ()
        case Joined():
            return (plan.left, plan.right)
        case United():
            return plan.parts
        case With():
            return (plan.part, plan.body)
        case _:
            return (plan.below,)


def types(plan: Operator) -> tuple[Type, ...]:
    """The types of its columns."""
    match plan:
        case Get() | Rows() | Named():
            return plan.types
        case Filtered() | Distinct():
            return types(plan.below)
        case Projected():
            return tuple(e.type for e in plan.items)
        case Grouped():
            return tuple(e.type for e in (*plan.keys, *plan.items))
        case Windowed():
            return (*types(plan.below), *(e.type for e in plan.items))
        case Joined(kind="semi" | "anti"):
            return types(plan.left)
        case Joined(kind="mark"):
            return (*types(plan.left), BOOLEAN)
        case Joined():
            return (*types(plan.left), *types(plan.right))
        case United():
            return types(plan.parts[0])
        case With():
            return types(plan.body)
