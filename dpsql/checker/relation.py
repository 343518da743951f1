"""Rows, and what is known of them: whose they are, and how many one unit has.

Let D be a database, u a unit, D(u) the rows of u's own in all private tables. A relation R is
*private* here if for each u the rows R(u) of u in it are a function of D(u), of public tables and
of released rows alone; all other rows of R belong to other units or, if `owned` is false, to
nobody. A *public* relation is a function of public tables and released rows.

A column is *anchored* at a unique column k of a private table T, or at the unit itself, if its
value v, where it is not NULL, tells the unit of the row: it is that of the row of T with k = v, or
v. It is a *home* if its row belongs to nobody where it is NULL. Claim: if a = b holds for columns
anchored at the same place, the rows that they stand in are of one unit. Why: the unit is a function
of the value, as k is unique; and NULL is equal to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from dpsql.checker.facts import Column, Facts, Table
from dpsql.checker.proof import Refused, Step, at_most
from dpsql.checker.scalars import World, assumed, value
from dpsql.checker.tree import Expr, Meaning, columns, mapped
from dpsql.checker.values import Value, of_type

Anchor = tuple[str, str]
UNIT: Anchor = ("", "")

Sets = Mapping[frozenset[int], int]


@dataclass(frozen=True, slots=True)
class Tally:
    """Each row stands for a number of rows, its *size*: see `quotas`.

    Attributes:
        inputs: the expressions that were counted and added up, and what they can be.
        of: the rows that they were read from.
        total: of one unit, all rows together stand for at most so many; None for many.
        cell: one row stands for at most so many.
    """

    inputs: tuple[tuple[Expr, Value], ...]
    of: Relation
    total: int | None
    cell: int | None


@dataclass(frozen=True, eq=False)
class Relation:
    """What is known of rows.

    Attributes:
        private: see above.
        names: its columns: alias, name, number.
        known: what columns can be, by ("column", number), and other expressions.
        anchors, homes, owned: see above.
        rows: a unit has at most so many rows; of a public relation, it has so many. None for many.
        per: at most so many rows have the same values, none NULL, of a set of columns.
        sure: those of these sets where NULL is a value like others.
        fixed: columns that have one value in all rows of a unit.
        complete: every unit has one row exactly, in every database (for `replace`).
        step: how all that is known.
        origin: the WITH query, or table, whose rows these are, all that are somebody's; or "".
        part_of: the same where some units may be missing, each with all its rows.
        within: such queries and tables of whose rows each is here once at most.
        units_of: such queries, with whether all its rows are of their units, or none is.
        meaning: what columns are to the rules of quotas, see there.
        tally: what its rows stand for, see there.
        over: the units it names: those with more rows than a number, of which query or table.
        mixed: where rows that are several units' stand for one of each, see `quotas`: the columns
            that are added up in them. Else None.
        parts: sets of columns of which a unit has at most so many combinations of values.
    """

    private: bool
    names: tuple[tuple[str, str, int], ...]
    known: Mapping[Expr, Value]
    step: Step
    rows: int | None = None
    per: Sets = field(default_factory=dict)
    anchors: Mapping[int, Anchor] = field(default_factory=dict)
    homes: frozenset[int] = frozenset()
    owned: bool = True
    fixed: frozenset[int] = frozenset()
    complete: bool = False
    origin: str = ""
    part_of: str = ""
    within: frozenset[str] = frozenset()
    units_of: frozenset[tuple[str, bool]] = frozenset()
    meaning: Mapping[int, Meaning] = field(default_factory=dict)
    tally: Tally | None = None
    over: tuple[str, int] | None = None
    mixed: frozenset[int] | None = None
    sure: frozenset[frozenset[int]] = frozenset()
    parts: Sets = field(default_factory=dict)

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Its columns, and those that have no name any more."""
        return frozenset(n for _, _, n in self.names)

    @cached_property
    def every(self) -> frozenset[int]:
        """The columns of which anything is known."""
        return frozenset(e[1] for e in self.known if e[0] == "column")

    @cached_property
    def units(self) -> frozenset[int]:
        """The homes that hold the unit itself."""
        return frozenset(c for c in self.homes if self.anchors[c] == UNIT)

    def at(self, column: int) -> Value:
        """What a column can be."""
        return self.known[("column", column)]

    def means(self, expr: Expr) -> Meaning:
        """What a column means; () of one that means nothing, and of other expressions."""
        return self.meaning.get(expr[1], ()) if expr[0] == "column" else ()

    def bound(self, number: int | None, what: str = "rows") -> str:
        """In words, how many there are; where it is private, of a unit."""
        return at_most(number, what) + (" of a unit" if self.private else "")

    def find(self, parts: tuple[str, ...]) -> int | None:
        """The column of that name; None for none.

        Raises:
            Refused: for several.
        """
        *alias, name = parts
        found = {n for a, c, n in self.names if c == name and (not alias or a == alias[-1])}
        if len(found) > 1:
            raise Refused(f"the column {name} is ambiguous")
        return next(iter(found), None)

    def called(self, alias: str, names: Iterable[str] = ()) -> Relation:
        """The same under an alias, and with new names for its first columns."""
        new = iter(names)
        listed = tuple((alias, next(new, name), n) for _, name, n in self.names)
        return replace(self, names=listed)

    def most(self, solid: frozenset[int] | set[int], every: frozenset[int]) -> int | None:
        """How many rows have the same values of `every` column, of which the `solid` are not NULL:
        of others that bound rows together with them, each combination of values has as many.
        """
        found: int | None = None
        for of, n in self.per.items():
            here: int | None = n
            sure = of in self.sure
            for column in of - (every if sure else solid):
                value = self.at(column)
                many = value.options if sure or not value.null else None
                here = None if many is None else times(here, many)
            found = least(found, here)
        return found


Numbers = Iterator[int]
"""New numbers for columns, none of which any other column has."""


def least(*counts: Any) -> Any:
    """The smallest of those that are known."""
    return min((c for c in counts if c is not None), default=None)


def times(a: Any, b: Any) -> Any:
    """The product; None where it is not known."""
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def plus(a: int | None, b: int | None) -> int | None:
    """The sum; None where it is not known."""
    return None if a is None or b is None else a + b


def settled(made: Relation, facts: Facts) -> Relation:
    """The relation with what follows from what is known of it.

    rows. All rows of u have the same value of a home that holds the unit, and of a fixed column
    that is not NULL; so u has at most as many as there are of one value.

    fixed. Where u has one row, every column has one value; and where it has one of a set of columns
    that are unique together, so has it one row for them. Of a home that is anchored at a table's
    column, a unit has as many values as it has rows there.
    """
    if not made.private:
        return replace(made, rows=least(made.rows, made.most(set(), frozenset())))
    units = made.units
    fixed = made.fixed | units
    solid = {c for c in fixed if c in units or not made.at(c).null}
    rows = least(made.rows, made.most(solid, fixed))
    for home in made.homes - units:
        one = made.most(solid | {home}, fixed | {home})
        rows = least(rows, times(one, units_keys(made.anchors[home], facts)))
    owned = made.owned or any(not made.at(c).null for c in units)
    if rows is not None and rows <= 1:
        fixed |= made.every
    return replace(made, rows=rows, fixed=fixed, owned=owned)


def scan(table: Table, facts: Facts, numbers: Numbers) -> Relation:
    """The rows of a table.

    A private table's rows belong to the unit that its owner column holds, or leads to: along
    references to unique columns, each row to one row. A unit has as many rows as share one value of
    the owner, times as many as it has of the rows that these lead to. An owner that is looked up,
    and has no name, is that of the one row with the key; where there is none, a row is nobody's.
    """
    ids = {name: next(numbers) for name in table.columns}
    known = World(
        {("column", ids[n]): _column(c, n in table.key) for n, c in table.columns.items()}
    )
    per = {frozenset([ids[n]]): c.max_rows for n, c in table.columns.items() if c.max_rows}
    if table.key:
        per[frozenset(ids[k] for k in table.key)] = 1
    for to, _ in (led := {to for _, to in table.lookup}):
        upper = facts.table(to)
        if upper is None or not upper.key or not led.issuperset((to, k) for k in upper.key):
            raise Refused(f"the owners of {table.name} are looked up by what is no key")
    looked = [table.owner] if table.lookup else []
    names = tuple((table.name, n, i) for n, i in ids.items() if n not in looked)
    if not table.private:
        step = Step("public", table.name)
        return settled(Relation(False, names, known, step, table.rows, per), facts)
    unique = {n: i for n, i in ids.items() if per.get(frozenset([i])) == 1}
    anchors: dict[int, Anchor] = {i: (table.name, n) for n, i in unique.items()}
    homes = {i for i in unique.values() if not known[("column", i)].null}
    if table.owner is not None:
        own = ids[table.owner]
        anchors[own] = _owner_anchor(table, facts)
    elif table.name == facts.unit[0]:  # each row is a unit, which no column names
        own = next(numbers)
        known[("column", own)], per[frozenset([own])] = Value(null=False), 1
        anchors |= dict.fromkeys([own, *(ids[k] for k in table.key if len(table.key) == 1)], UNIT)
    else:
        raise Refused(f"the table {table.name} does not say whose rows it has")
    rows = _rows(table, facts)
    text = f"{table.name}, whose rows belong to the unit of {table.owner or 'a row'}"
    every = facts.replace and table.name == facts.unit[0]
    keys = units_keys(anchors[own], facts)
    key = (part for c, k in table.lookup for part in (("column", ids[c]), k))
    meaning = {i: ("key", (table.name, n), ("column", own)) for n, i in ids.items()}
    made = Relation(
        private=True,
        names=names,
        known=known,
        step=Step("table", text + ("" if rows is None else f"; {at_most(rows, 'rows')} of a unit")),
        rows=rows,
        per=per,
        anchors=anchors,
        homes=frozenset(homes | {own}),
        owned=table.owner is None or table.owned,
        complete=every and table.rows is not None and rows == 1,
        parts={} if keys is None else {frozenset([own]): keys},
        origin=f"{table.name}:",
        within=frozenset({f"{table.name}:"}),
        meaning={**meaning, **({own: ("looked up", *key)} if looked else {})},
    )
    return settled(made, facts)


@lru_cache(maxsize=4096)
def _column(column: Column, keyed: bool) -> Value:
    made = of_type(column.type).clipped(column.low, column.high)
    return replace(made, null=column.nullable and not keyed, among=column.values or made.among)


def _next(table: Table, facts: Facts) -> Anchor | None:
    """Where the owner leads; None where it is the unit."""
    assert table.owner is not None
    to = table.columns[table.owner].references
    return None if to is None or to == facts.unit or table.name == facts.unit[0] else to


def _owner_anchor(table: Table, facts: Facts) -> Anchor:
    """Of what the owner's value tells the unit: of a column that owns its rows, what that tells."""
    if (to := _next(table, facts)) is None:
        return UNIT
    upper = facts.table(to[0])
    return _owner_anchor(upper, facts) if upper is not None and upper.owner == to[1] else to


def _rows(table: Table, facts: Facts) -> int | None:
    if table.owner is None:
        return 1
    own = 1 if table.key == (table.owner,) else table.columns[table.owner].max_rows
    to = _next(table, facts)
    if to is None:
        return own
    upper = facts.table(to[0])
    if upper is None:
        raise Refused(f"the table {to[0]} is not known")
    return times(own, _rows(upper, facts))  # type: ignore[no-any-return]


def units_keys(anchor: Anchor, facts: Facts) -> int | None:
    """How many values of an anchor one unit has."""
    if anchor == UNIT:
        return 1
    table = facts.table(anchor[0])
    return None if table is None else _rows(table, facts)


def filtered(made: Relation, condition: Expr, facts: Facts) -> Relation:
    """Rows for which a condition is TRUE; it reads nothing but the row (and what EXISTS asks)."""
    inside = assumed(condition, made.known)
    of_units = columns(condition) <= made.fixed  # it holds for all rows of a unit or for none
    after = replace(
        made,
        known=inside or made.known,
        complete=made.complete and condition == ("literal", "BOOLEAN", "true"),
        step=Step("filter", "rows are dropped, each by itself", (made.step,)),
        origin="",
        part_of=made.part_of if of_units else "",
        over=None,
        rows=0 if inside is None else made.rows,
        owned=made.owned or inside is None,  # of no row at all each has its unit
    )
    return settled(after, facts)


def renumbered(made: Relation, numbers: Numbers) -> Relation:
    """The same rows read once more, with columns of their own."""
    every = made.every
    new = {c: next(numbers) for c in sorted(every)}

    def renamed(expr: Expr) -> Expr:
        return (
            ("column", new.get(expr[1], expr[1])) if expr[0] == "column" else mapped(expr, renamed)
        )

    def meant(part: object) -> object:
        if isinstance(part, frozenset):
            return each(part)
        written = isinstance(part, tuple) and part and isinstance(part[0], str)
        return renamed(part) if written else part  # type: ignore[arg-type]

    def each(found: Iterable[int]) -> frozenset[int]:
        return frozenset(new[c] for c in found if c in new)

    return replace(
        made,
        names=tuple((a, n, new[c]) for a, n, c in made.names),
        known=World({renamed(e): v for e, v in made.known.items()}),
        anchors={new[c]: a for c, a in made.anchors.items() if c in new},
        homes=each(made.homes),
        per={each(of): n for of, n in made.per.items() if of <= every},
        sure=frozenset(each(of) for of in made.sure if of <= every),
        parts={each(of): n for of, n in made.parts.items()},
        fixed=each(made.fixed),
        meaning={new[c]: tuple(map(meant, m)) for c, m in made.meaning.items() if c in new},
        mixed=None if made.mixed is None else each(made.mixed),
    )


MANY: Expr = ("many",)


def choices(expr: Expr, rows: Relation) -> set[Expr]:
    """Expressions, each of one value for a unit, of which the expression is one, or NULL; MANY
    among them where that is not known.
    """
    if columns(expr) <= rows.fixed:
        return set() if value(expr, rows.known).count == 0 else {expr}
    if expr[0] == "case":
        branches = [then for _, then in expr[1]] + [expr[2]]
        return set().union(*(choices(b, rows) for b in branches))
    return {MANY}


def resolved(expr: Expr, parts: Sequence[Relation], aliases: Mapping[str, Expr]) -> Expr:
    """The expression over column numbers.

    Raises:
        Refused: a name that is none, or is several columns'.
    """
    bound: list[Expr] = []

    def visit(part: Expr) -> Expr:
        if part[0] == "lambda":
            bound.append(part[1])
            made = ("lambda", part[1], visit(part[2]))
            bound.pop()
            return made
        if part in bound:
            return part
        if part[0] != "name":
            return mapped(part, visit)
        found = [own for side in parts if (own := side.find(part[1])) is not None]
        if len(part[1]) == 1 and len({*found}) > 1:
            raise Refused(f"the column {part[1][0]} is ambiguous")
        if found:
            return ("column", found[0])
        if len(part[1]) == 1 and part[1][0] in aliases:
            return aliases[part[1][0]]
        raise Refused(f"the column {'.'.join(part[1])} is not known")

    return visit(expr)
