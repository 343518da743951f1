"""A bound plan as a statement in another engine's language.

Claim: the statement's rows are those of DuckDB's plan, if the language's functions are DuckDB's.
Why: each operator becomes one SELECT over what is below it, in a subquery; the only names are made
here (`c0`, `c1`, … of each subquery `q…`), so nothing that a user wrote is looked up but tables and
their columns, by the names that the plan has. Conditions are true or not, so a join that marks rows
(IN, EXISTS) is printed where a filter keeps those that are, or those that are not, marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from dpsql.platform.engine.far.about import about
from dpsql.platform.engine.far.once import once
from dpsql.platform.engine.far.operators import (
    ONE_ROW,
    AggregateCall,
    Call,
    Constant,
    Distinct,
    Expr,
    Filtered,
    Get,
    Grouped,
    Joined,
    Named,
    Operator,
    Parameter,
    Projected,
    Ref,
    Rows,
    United,
    Unsupported,
    WindowCall,
    Windowed,
    With,
    types,
)
from dpsql.types import BOOLEAN, INTERVAL, Type


@dataclass(frozen=True, slots=True)
class Language:
    """How an engine writes what it can compute exactly as DuckDB does; whatever raises
    `Unsupported` it cannot.

    Attributes:
        engine: its name, for people.
        name: an identifier, quoted.
        type: the type that holds each value of a type of DuckDB's.
        constant: a value.
        call: a function of arguments that are printed.
        aggregate: an aggregate, likewise.
        window: what stands before OVER, likewise.
        key: a printed value of a type as rows are put together and in order by it in a window: one
            that is equal is the same.
        rereads: whether it computes a WITH query as often as it is read.
        several: whether a function's arguments are written several times; see `once`.
    """

    engine: str
    name: Callable[[str], str]
    type: Callable[[Type], str]
    constant: Callable[[Constant], str]
    call: Callable[[Call, Sequence[str]], str]
    aggregate: Callable[[AggregateCall, Sequence[str]], str]
    window: Callable[[WindowCall, Sequence[str]], str]
    key: Callable[[Type, str], str] = lambda _, value: value
    rereads: bool = False
    several: Callable[[Call], bool] = lambda _: False


Tables = Callable[[tuple[str, ...]], str]
"""How a table is named, by its path in the plan."""

Given = Mapping[str, Sequence[object]]
"""The elements of the parameters."""

PART = "dpsql_part_"
"""How the names of WITH queries begin. No table of one part may have such a name (`FarEngine`)."""

MOST = 10_000
"""The rows of released numbers in one list of a statement; more are several lists."""

_LISTS = 100
"""So many lists, which are longer then: a server dies of a plan that is some hundred parts deep."""


def printed(plan: Operator, language: Language, tables: Tables, given: Given) -> str:
    """The statement.

    Raises:
        Unsupported: the language has not what it takes.
    """
    printer = _Printer(language, tables, given)
    body = printer.select(plan)
    parts = ", ".join(f"{name} AS ({sql})" for name, sql in printer.parts)
    return f"WITH {parts} {body}" if parts else body


class _Printer:
    def __init__(self, language: Language, tables: Tables, given: Given) -> None:
        self._language, self._tables, self._given = language, tables, given
        self._fresh = count()
        self.parts: list[tuple[str, str]] = []

    def select(self, plan: Operator) -> str:
        """A SELECT with the columns c0, c1, …"""
        match plan:
            case Get():
                return self._get(plan)
            case Rows():
                return self._rows(plan)
            case Filtered():
                return self._filtered(plan)
            case Projected():
                plan = once(plan, self._language.several)
                alone = plan.below == ONE_ROW
                source, scope = ("", _Scope(["TRUE"], [])) if alone else self._from(plan.below)
                return _select([self._expr(e, scope) for e in plan.items], source)
            case Grouped():
                return self._grouped(plan)
            case Windowed():
                source, scope = self._from(plan.below)
                own = [self._window(e, scope) for e in plan.items]
                return _select([*scope.left, *own], source)
            case Joined():
                return self._joined(plan)
            case United():
                if not plan.all:
                    self._know(*(Ref(i, kind) for i, kind in enumerate(types(plan))))
                return (" UNION ALL " if plan.all else " UNION ").join(
                    f"({self.select(part)})" for part in plan.parts
                )
            case Distinct():
                self._know(*(Ref(i, kind) for i, kind in enumerate(types(plan))))
                source, scope = self._from(plan.below)
                return f"SELECT DISTINCT {_listed(scope.left)} FROM {source}"
            case With():
                sql = self.select(plan.part)
                self.parts.append((f"{PART}{plan.number}", sql))
                return self.select(plan.body)
            case Named():
                return _select([f"c{i}" for i in range(len(plan.types))], f"{PART}{plan.number}")

    def _from(self, plan: Operator) -> tuple[str, _Scope]:
        """What stands after FROM, and its columns."""
        name = f"q{next(self._fresh)}"
        width = len(types(plan))
        inner = f"{PART}{plan.number}" if isinstance(plan, Named) else f"({self.select(plan)})"
        return f"{inner} AS {name}", _Scope([f"{name}.c{i}" for i in range(width)], [])

    def _get(self, plan: Get) -> str:
        name = self._language.name
        items = ["TRUE" if c is None else name(c) for c in plan.columns]
        return _select(items or ["TRUE"], self._tables(plan.table))

    def _rows(self, plan: Rows) -> str:
        kinds = [self._language.type(kind) for kind in plan.types]
        rows = [self._row(row) for row in plan.rows]
        if any(isinstance(item, Parameter) for row in plan.rows for item in row):
            lists = [self._elements(item) for item in plan.rows[0]]
            rows = [list(row) for row in zip(*lists, strict=True)]
        if not rows:
            nothing = [f"CAST(NULL AS {kind})" for kind in kinds]
            return f"SELECT * FROM ({_select(nothing, '')}) AS q{next(self._fresh)} WHERE FALSE"
        if len(rows) == 1:
            return _select(rows[0], "")
        # Not a UNION of each: a parser goes as deep as there are parts.
        written = [f"({', '.join(row or ['TRUE'])})" for row in rows]
        names = ", ".join(f"c{i}" for i in range(max(len(kinds), 1)))
        size = max(MOST, -(-len(written) // _LISTS))
        return " UNION ALL ".join(
            f"SELECT * FROM (VALUES {', '.join(written[n : n + size])}) "
            f"AS q{next(self._fresh)} ({names})"
            for n in range(0, len(written), size)
        )

    def _row(self, row: tuple[Expr, ...]) -> list[str]:
        none = _Scope([], [])
        return [self._expr(item, none) for item in row if not isinstance(item, Parameter)]

    def _elements(self, item: Expr) -> list[str]:
        assert isinstance(item, Parameter)
        values = self._given.get(item.name, ())
        return [self._language.constant(Constant(value, item.type)) for value in values]

    def _filtered(self, plan: Filtered) -> str:
        inner = plan.below
        if isinstance(inner, Joined) and inner.kind == "mark":
            found = self._marked(inner, plan.conditions)
            if found is not None:
                return found
        source, scope = self._from(inner)
        return f"{_select(scope.left, source)} WHERE {self._all(plan.conditions, scope)}"

    def _marked(self, join: Joined, conditions: tuple[Expr, ...]) -> str | None:
        """Rows that have a partner, or have none, and meet other conditions; None where the mark is
        in another condition.
        """
        place = len(types(join.left))
        mark = Ref(place, BOOLEAN)
        wanted = {c == mark for c in conditions if c in (mark, Call("not", (mark,), BOOLEAN))}
        others = tuple(c for c in conditions if place not in set(_places(c)))
        if len(wanted) != 1 or len(others) != len(conditions) - 1:
            return None
        (found,) = wanted
        if not found and not all(_is_known(c) for c in join.conditions):
            return None  # x NOT IN (…) is true only where no partner is NULL
        left = Filtered(join.left, others) if others else join.left
        kind = "semi" if found else "anti"
        return self._joined(Joined(kind, left, join.right, join.conditions), str(found).upper())

    def _mark(self, join: Joined) -> str:
        """The left columns, and x IN (…) or EXISTS (…) as a value: each different partner once, so
        that no row is there twice. x = NULL is neither, where there is anything to compare with.
        """
        sides = [c.args for c in join.conditions if isinstance(c, Call) and c.name in _SAME]
        if len(sides) != len(join.conditions) or not (
            len(sides) == 1 or all(_is_known(c) for c in join.conditions)
        ):
            raise Unsupported("IN or EXISTS of several columns as a value")
        partners = Projected(join.right, tuple(_left(right) for _, right in sides))
        part = f"{PART}m{next(self._fresh)}"
        self.parts.append((part, self.select(partners)))
        left, scope = self._from(join.left)
        every = [f"p.c{i}" for i in range(len(sides))]
        both = _Scope(scope.left, every)
        same = [
            Call(c.name, (mine, Ref(i, right.type, right=True)), BOOLEAN)
            for i, (c, (mine, right)) in enumerate(zip(join.conditions, sides, strict=True))
            if isinstance(c, Call)
        ]
        mine = self._expr(sides[0][0], both)
        found = "(p.found IS NOT NULL)"
        if not all(_is_known(c) for c in join.conditions):
            unknown = f"s.n > 0 AND ({mine} IS NULL OR s.k < s.n)"
            found = f"CASE WHEN {found} THEN TRUE WHEN {unknown} THEN NULL ELSE FALSE END"
        once = f"(SELECT DISTINCT {', '.join(e.replace('p.', '') for e in every)}, TRUE AS found"
        counted = f"(SELECT COUNT(*) AS n, COUNT(c0) AS k FROM {part}) AS s"
        source = f"{left} CROSS JOIN {counted} LEFT JOIN {once} FROM {part}) AS p"
        return f"{_select([*scope.left, found], source)} ON {self._all(same, both)}"

    def _joined(self, plan: Joined, mark: str | None = None) -> str:
        if plan.kind == "mark":
            return self._mark(plan)
        left, first = self._from(plan.left)
        right, second = self._from(plan.right)
        both = _Scope(first.left, second.left)
        condition = self._all(plan.conditions, both)
        if plan.kind in ("semi", "anti"):
            exists = "EXISTS" if plan.kind == "semi" else "NOT EXISTS"
            items = first.left if mark is None else [*first.left, mark]
            return (
                f"{_select(items, left)} WHERE {exists} (SELECT 1 FROM {right} WHERE {condition})"
            )
        items = [*first.left, *second.left]
        if not plan.conditions and plan.kind == "inner":
            return _select(items, f"{left} CROSS JOIN {right}")
        word = {"inner": "JOIN", "left": "LEFT JOIN"}[plan.kind]
        return _select(items, f"{left} {word} {right} ON {condition}")

    def _grouped(self, plan: Grouped) -> str:
        if not all(isinstance(key, Ref) for key in plan.keys):
            return self._grouped(_by_place(plan))  # a number would be a place, and a text a name
        if not plan.keys and not plan.items:
            # It is one row, and a SELECT of no aggregate is not.
            raise Unsupported("a group of nothing")
        source, scope = self._from(plan.below)
        self._know(*plan.keys)
        keys = [self._expr(key, scope) for key in plan.keys]
        own = []
        for item in plan.items:
            if item.name != "count" or item.distinct:
                self._know(*item.args)
            args = [self._expr(a, scope) for a in item.args]
            own.append(self._language.aggregate(item, args))
        sql = _select([*keys, *own], source)
        return f"{sql} GROUP BY {', '.join(keys)}" if keys else sql

    def _window(self, item: WindowCall, scope: _Scope) -> str:
        self._know(*item.args, *item.partitions, *(expr for expr, _, _ in item.orders))
        call = self._language.window(item, [self._expr(a, scope) for a in item.args])
        over = []
        if item.partitions:
            keys = ", ".join(self._key(e, scope) for e in item.partitions)
            over.append(f"PARTITION BY {keys}")
        if item.orders:
            orders = (
                f"{self._key(e, scope)} {'DESC' if down else 'ASC'} NULLS "
                f"{'FIRST' if first else 'LAST'}"
                for e, down, first in item.orders
            )
            over.append(f"ORDER BY {', '.join(orders)}")
        elif item.name in _RANKS:
            over.append("ORDER BY 1")
        if item.rows:
            over.append("ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")
        return f"CAST({call} OVER ({' '.join(over)}) AS {self._language.type(item.type)})"

    def _know(self, *exprs: Expr) -> None:
        """Refuse values of types that the language has not: no function of them is known. (That a
        column is there, and whether it is NULL, is known of all.)
        """
        for expr in exprs:
            if not isinstance(expr, Constant):
                self._language.type(expr.type)

    def _key(self, expr: Expr, scope: _Scope) -> str:
        return self._language.key(expr.type, self._expr(expr, scope))

    def _all(self, conditions: Sequence[Expr], scope: _Scope) -> str:
        return " AND ".join(f"({self._expr(c, scope)})" for c in conditions) or "TRUE"

    def _expr(self, expr: Expr, scope: _Scope) -> str:
        match expr:
            case Ref():
                columns = scope.right if expr.right else scope.left
                every = columns if expr.right else [*columns, *scope.right]
                return every[expr.place]
            case Constant():
                return self._language.constant(expr)
            case Call():
                expr = about(expr)
                if expr.name not in ("is null", "is not null"):
                    self._know(*expr.args)
                args = [self._arg(expr, a, scope) for a in expr.args]
                return _OWN.get(expr.name, self._language.call)(expr, args)
        raise Unsupported("a parameter elsewhere than in a list of rows")

    def _arg(self, call: Call, arg: Expr, scope: _Scope) -> str:
        """Where an interval is no value, what adds one that is a constant says it itself."""
        if isinstance(arg, Constant) and arg.type == INTERVAL and call.name in ("+", "-"):
            with suppress(Unsupported):
                return self._language.constant(arg)
            return ""
        return self._expr(arg, scope)


@dataclass(frozen=True, slots=True)
class _Scope:
    """The columns of what is below, as they are written; of a join, those of each side."""

    left: list[str]
    right: list[str]


def _by_place(plan: Grouped) -> Grouped:
    """The same, with the keys as columns of what is grouped."""
    kinds = types(plan.below)
    columns = tuple(Ref(place, kind) for place, kind in enumerate(kinds))
    keys = tuple(Ref(len(kinds) + i, key.type) for i, key in enumerate(plan.keys))
    return Grouped(Projected(plan.below, (*columns, *plan.keys)), keys, plan.items)


def _listed(items: Sequence[str]) -> str:
    return ", ".join(f"{item} AS c{i}" for i, item in enumerate(items))


def _select(items: Sequence[str], source: str) -> str:
    return f"SELECT {_listed(items or ['TRUE'])}{f' FROM {source}' if source else ''}"


_RANKS = ("row_number", "rank", "dense_rank")
"""Apache Spark has none without an order. By a constant all rows are peers, as without one."""

_SAME = ("=", "IS NOT DISTINCT FROM")
_KNOWN = ("IS DISTINCT FROM", "IS NOT DISTINCT FROM")


def _is_known(condition: Expr) -> bool:
    """Whether it is true or false, and never NULL."""
    return isinstance(condition, Call) and condition.name in _KNOWN


def _left(expr: Expr) -> Expr:
    """An expression of a join's right side, of the right side alone."""
    match expr:
        case Ref():
            return Ref(expr.place, expr.type)
        case Call():
            return Call(expr.name, tuple(_left(a) for a in expr.args), expr.type)
    return expr


def _places(expr: Expr) -> list[int]:
    match expr:
        case Ref():
            return [expr.place]
        case Call():
            return [place for a in expr.args for place in _places(a)]
    return []


def _case(call: Call, args: Sequence[str]) -> str:
    pairs = zip(args[:-1:2], args[1:-1:2], strict=True)
    branches = " ".join(f"WHEN {condition} THEN {value}" for condition, value in pairs)
    return f"CASE {branches} ELSE {args[-1]} END"


def _in(call: Call, args: Sequence[str]) -> str:
    word = "IN" if call.name == "in" else "NOT IN"
    return f"({args[0]} {word} ({', '.join(args[1:])}))"


def _between(word: str) -> Callable[[Call, Sequence[str]], str]:
    return lambda call, args: f"({f' {word} '.join(args)})"


_OWN: dict[str, Callable[[Call, Sequence[str]], str]] = {
    "case": _case,
    "and": _between("AND"),
    "or": _between("OR"),
    "not": lambda call, args: f"(NOT {args[0]})",
    "is null": lambda call, args: f"({args[0]} IS NULL)",
    "is not null": lambda call, args: f"({args[0]} IS NOT NULL)",
    "coalesce": lambda call, args: f"COALESCE({', '.join(args)})",
    "in": _in,
    "not in": _in,
}
"""What all SQL has alike."""
