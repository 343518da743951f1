"""Small databases for a schema, as nasty as its claims allow.

Every value is a text that the engine casts to the column's type, or None for NULL: so ±infinity
and dates beyond Python's calendar can be drawn. What is true *in fact* (unique keys, a public
number of rows) is true of every database; what is only claimed is not, unless `claims` is HOLD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from hypothesis import strategies as st

from dpsql.core.schema import Column, Table
from dpsql.types import Scalar, Type
from tests.support.policies import Loaded

Cell = str | None
Row = tuple[Cell, ...]
Database = Mapping[str, tuple[Row, ...]]
"""The rows of every table, by lower-cased name, in the order of the schema's columns."""

MAX_ROWS = 8
_IDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")
_LETTERS = "abcdefghi"
_DAY = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?")


@dataclass(frozen=True)
class Claims:
    """What a drawn database satisfies of the policy's claims.

    Attributes:
        hold: bounds, domains, fan-outs and unbroken paths.
        nulls: whether a column of which nothing is said may have NULLs.
    """

    hold: bool
    nulls: bool = True


BROKEN = Claims(hold=False)
HOLD = Claims(hold=True)
PLAIN = Claims(hold=True, nulls=False)


def databases(loaded: Loaded, text: str, claims: Claims) -> st.SearchStrategy[Database]:
    """Databases for a policy.

    Args:
        loaded: the policy.
        text: of the query; columns that it does not name are not varied, and its constants are
            among the values of those that it does name.
        claims: which of the policy's claims hold.
    """
    words = {w.lower() for w in re.findall(r"\w+", text)}
    constants = _constants(text)
    drawn = {
        low: {c.name: _drawn(c, words, constants, claims) for c in table.columns}
        for low, table in loaded.schema.tables.items()
    }
    for low, table in loaded.schema.tables.items():
        if (found := table.lookup) is not None:  # so that rows share parts of a key
            for of, names in ((low, found.columns), (found.table.name.lower(), found.key)):
                for column in (c for c in names if c.lower() not in words):
                    few = values(loaded.schema.tables[of].column(column), HOLD)  # type: ignore[arg-type]
                    drawn[of][column] = _Drawn(few[:2], ())
    return _draw(loaded, words, drawn, claims)


@dataclass(frozen=True)
class _Drawn:
    """The values of a column: all that are drawn, and those that an aimed database has most: what
    the query compares it with, or else what the policy claims.
    """

    all: tuple[Cell, ...]
    aims: tuple[Cell, ...]


@st.composite
def _draw(
    draw: st.DrawFn,
    loaded: Loaded,
    words: set[str],
    drawn: Mapping[str, Mapping[str, _Drawn]],
    claims: Claims,
) -> dict[str, tuple[Row, ...]]:
    schema, owners = loaded.schema, loaded.owners
    found: dict[str, tuple[Row, ...]] = {}
    # In an aimed database one unit has many rows, most columns have one value, and it is often one
    # that the query names: conditions that must hold together are seldom met one by one.
    aimed = draw(st.sampled_from((False, False, True)))
    things: dict[tuple[str, Row], Cell] = {}
    for low in _order(loaded):
        table = schema.tables[low]
        count = draw(st.integers(MAX_ROWS - 2 if aimed else 0, MAX_ROWS))
        if table.rows is not None:
            count = table.rows
        unread = low not in words and not _named_by(low, loaded, words)
        if unread and not _needed(low, loaded, words):
            count = table.rows or 0
        if loaded.replace and low == loaded.unit_table.lower() and table.rows is not None:
            count = table.rows + 1  # leaving out any one of them gives a database of the class
        # How many values a reference has here: with one, all rows are one unit's.
        spread = draw(st.sampled_from((1, 20) if aimed else (1, 2, 20)))
        # In every other column all rows have one value, so that what they add up to is extreme.
        choices = {name: values_of.all for name, values_of in drawn[low].items()}
        for name, options in choices.items():
            if len(options) > 1 and draw(st.integers(0, 7)) < (6 if aimed else 4):
                aims = drawn[low][name].aims if aimed and draw(st.integers(0, 3)) else ()
                choices[name] = (draw(st.sampled_from(aims or options)),)
        rows = []
        for number in range(count):
            cells = [
                draw(_cells(table, column, number, spread, found, loaded, choices, claims))
                for column in table.columns
            ]
            if table.lookup is not None:
                there = found[table.lookup.table.name.lower()]
                led = claims.hold or draw(st.integers(0, 3)) > 0
                cells = _found(table, cells, draw(st.sampled_from(there)) if there and led else ())
                if not claims.hold and draw(st.integers(0, 7)) == 0:
                    cells[_place(table, draw(st.sampled_from(table.lookup.columns)))] = None
                cells = looked_up(table, cells, there)
            rows.append(tuple(cells))
        owner = owners.get(table.name)
        strict = claims.hold and owner is not None
        found[low] = tuple(_kept(rows, table, things, hold=claims.hold, owned=strict))
    return found


def _found(table: Table, cells: list[Cell], row: Row) -> list[Cell]:
    """The cells, leading to a row of the table in which their owner is looked up."""
    found, made = table.lookup, list(cells)
    if found is None or not row:
        return made
    for own, key in zip(found.columns, found.key, strict=True):
        made[_place(table, own)] = row[_place(found.table, key)]
    return made


def looked_up(table: Table, cells: list[Cell], rows: Iterable[Row]) -> list[Cell]:
    """The cells with the owner that they find, which no data have."""
    found, made = table.lookup, list(cells)
    assert found is not None and table.owner is not None
    pairs = [
        (_place(table, own), _place(found.table, key))
        for own, key in zip(found.columns, found.key, strict=True)
    ]
    met = (r for r in rows if all(made[a] is not None and made[a] == r[b] for a, b in pairs))
    row = next(met, None)
    made[_place(table, table.owner)] = (
        None if row is None else row[_place(found.table, found.owner)]
    )
    return made


def _place(table: Table, column: str) -> int:
    return [c.name.lower() for c in table.columns].index(column.lower())


def _order(loaded: Loaded) -> list[str]:
    """Referenced tables first."""
    tables = loaded.schema.tables
    order: list[str] = []
    todo = list(tables)
    while todo:
        for low in todo:
            targets = {c.references.table.lower() for c in tables[low].columns if c.references}
            if (found := tables[low].lookup) is not None:
                targets.add(found.table.name.lower())
            if targets <= {*order, low}:
                order.append(low)
                todo.remove(low)
                break
        else:
            raise AssertionError("references in a circle")
    return order


def _needed(low: str, loaded: Loaded, words: set[str]) -> bool:
    """Whether the path of a table that the query names leads through this one."""
    for name, owner in loaded.owners.items():
        while name.lower() in words and owner.table is not None:
            if owner.table.lower() == low:
                return True
            name, owner = owner.table, loaded.owners[owner.table]
            words = words | {name.lower()}
    return False


def _named_by(low: str, loaded: Loaded, words: set[str]) -> bool:
    """Whether a column that the query reads names rows of this table."""
    return any(
        column.references is not None and column.references.table.lower() == low
        for table in loaded.schema.tables.values()
        if table.name.lower() in words
        for column in table.columns
        if column.name.lower() in words
    )


def _cells(
    table: Table,
    column: Column,
    number: int,
    spread: int,
    found: Mapping[str, tuple[Row, ...]],
    loaded: Loaded,
    choices: Mapping[str, tuple[Cell, ...]],
    claims: Claims,
) -> st.SearchStrategy[Cell]:
    """One cell of row `number`."""
    owner = loaded.owners.get(table.name)
    owning = owner is not None and owner.column == column.name
    if [k.lower() for k in table.key] == [column.name.lower()]:
        return st.just(_identity(column.type, number))
    if column.references is not None:
        target = column.references
        other = loaded.schema.tables[target.table.lower()]
        place = [c.name for c in other.columns].index(target.column)
        known = [row[place] for row in found[target.table.lower()]]
        options: list[Cell] = list(dict.fromkeys(k for k in known if k is not None))
        direct = owning and owner is not None and owner.table is None
        empty = not options and column.declared_nullable is not False
        if claims == PLAIN and not other.private and (options or empty):
            # A group that no public table lists is left out.
            return st.sampled_from(options or [None])
        if not (claims.hold and owning) or (direct and not options):
            options = [*options, "8", "9"]
        if not (claims.hold and (owning or column.declared_nullable is False)):
            options = [*options, None]
        # An unbroken path without anything at its end: no row can be there.
        return st.sampled_from(options[:spread] or [None])
    if owning:
        units: list[Cell] = [_identity(column.type, n) for n in range(4)]
        return st.sampled_from((units if claims.hold else [*units, None])[:spread])
    return st.sampled_from(choices[column.name])


def _drawn(column: Column, words: set[str], constants: tuple[str, ...], claims: Claims) -> _Drawn:
    """The values of a column, or the plainest alone if the query does not name it."""
    options = values(column, claims)
    if column.name.lower() not in words:
        return _Drawn(options[:1], ())
    aims = tuple(dict.fromkeys(_aims(column, constants)))
    beyond = not claims.hold or (column.bounds is None and column.values is None)
    inside = tuple(a for a in aims if beyond or a in options or _within(column, a))
    plain = tuple(value for value in _inside(column) if value in options)
    return _Drawn(tuple(dict.fromkeys([*options, *inside])), inside or plain)


def _constants(text: str) -> tuple[str, ...]:
    """The constants in a query: strings with their quotes, and numbers."""
    strings = re.findall(r"'(?:[^']|'')*'", text)
    numbers = re.findall(
        r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", re.sub(r"'(?:[^']|'')*'", "''", text)
    )
    return tuple(dict.fromkeys([*strings, *numbers]))


def _aims(column: Column, constants: tuple[str, ...]) -> Iterable[str]:
    """Those of the constants that are values of a column's type."""
    kind = column.type
    for constant in constants:
        quoted = constant.startswith("'")
        plain = constant[1:-1].replace("''", "'") if quoted else constant
        if kind.is_boolean or column.references is not None:
            continue
        if kind.is_numeric and not quoted:
            value = Fraction(plain)
            near = _step(kind)
            yield from (
                _text(v, kind) for v in (value, value - near, value + near) if _holds(kind, v)
            )
        elif kind.name in ("DATE", "TIMESTAMP") and quoted and _DAY.fullmatch(plain):
            with suppress(ValueError):
                day = datetime.fromisoformat(plain)
                yield _text(day.date() if kind.name == "DATE" else day, kind)
        elif quoted and column.values is not None:
            yield from (v for v in column.values if isinstance(v, str) and v == plain)
        elif quoted and kind.name == "VARCHAR":
            yield plain


def _step(kind: Type) -> Fraction:
    """How far the next value is, or one that is near."""
    return Fraction(1, 10 ** (kind.scale or 0)) if kind.is_exact else Fraction(1, 1000)


def _holds(kind: Type, value: Fraction) -> bool:
    """Whether a type has the number."""
    if kind.is_float:
        return True
    limits = kind.limits()
    whole = (value * 10 ** (kind.scale or 0)).denominator == 1
    return whole and (limits is None or limits[0] <= value <= limits[1])


def _within(column: Column, cell: str) -> bool:
    """Whether a value is within a column's bounds."""
    if column.bounds is None:
        return False
    low, high = column.bounds
    if isinstance(low, date):
        return _text(low, column.type) <= cell <= _text(high, column.type)
    assert isinstance(low, int | Fraction) and isinstance(high, int | Fraction)
    return low <= Fraction(cell) <= high


def _identity(kind: Type, number: int) -> str:
    return _IDS[number] if kind.is_integer else _LETTERS[number]


def _kept(
    rows: list[Row],
    table: Table,
    things: dict[tuple[str, Row], Cell],
    *,
    hold: bool,
    owned: bool,
) -> Iterable[Row]:
    """Rows without those that would break what is true of the database; `things` are those of one
    unit that were named so far, with their units.
    """
    names = [c.name.lower() for c in table.columns]
    key = [names.index(k.lower()) for k in table.key]
    seen: set[tuple[Cell, ...]] = set()
    counts: dict[tuple[int, Cell], int] = {}
    for row in rows:
        value = tuple(row[i] for i in key)
        if key and (None in value or value in seen):
            continue
        if hold:
            full = [
                (i, row[i])
                for i, c in enumerate(table.columns)
                if c.max_rows is not None and row[i] is not None
            ]
            if any(counts.get(f, 0) >= (table.columns[f[0]].max_rows or 0) for f in full):
                continue
            if owned and table.owner is not None and row[names.index(table.owner.lower())] is None:
                continue
            named = [
                (thing, tuple(row[names.index(c.lower())] for c in columns))
                for thing, columns in table.one_unit.items()
            ]
            unit = row[names.index(table.owner.lower())] if named and table.owner else None
            named = [thing for thing in named if None not in thing[1]]
            if any(things.get(thing, unit) != unit for thing in named):
                continue
            things.update(dict.fromkeys(named, unit))
            for f in full:
                counts[f] = counts.get(f, 0) + 1
        seen.add(value)
        yield row


# --- the values of a column, the plainest first --------------------------------------------------


def values(column: Column, claims: Claims) -> tuple[Cell, ...]:
    """What is drawn for a column: texts of its type, or None."""
    inside = _inside(column)
    nothing: list[Cell] = [None]
    if claims.hold:
        if column.bounds is None and column.values is None:
            inside = [*inside, *_extremes(column.type, finite=not claims.nulls)]
        allowed = column.declared_nullable
        null = allowed is True or (claims.nulls and allowed is None)
        return tuple(dict.fromkeys([*inside, *(nothing if null else [])]))
    # NULL even where the policy says that there is none: that is a claim.
    everything = [*inside, *nothing, *_outside(column), *_extremes(column.type, finite=False)]
    return tuple(dict.fromkeys(everything))


def _inside(column: Column) -> list[Cell]:
    kind = column.type
    if column.values is not None:
        return [_text(v, kind) for v in column.values]
    if column.bounds is not None:
        low, high = column.bounds
        return [_text(v, kind) for v in (high, low, *_between(low, high, kind))]
    if kind.is_boolean:
        return ["true", "false"]
    if kind.is_numeric:
        return ["1", "2", "0", "-3", *(["100"] if _holds(kind, Fraction(100)) else [])]
    if kind.name == "DATE":
        return ["2024-02-29", "2024-03-01", "1999-12-31"]
    if kind.name == "TIMESTAMP":
        return ["2024-02-29 12:34:56", "2024-03-01 00:00:00", "2024-12-31 23:59:59"]
    if kind.name == "VARCHAR":
        return ["a", "b", "", "ab c", "Ä%_", " x ", "12", "ab@example.com"]
    if kind.name == "TIME":
        return ["12:34:56.789", "00:00:00", "24:00:00", "06:30:00"]
    if kind.name == "LIST":
        return ["[]", "[1, NULL]", "[NULL]", "[1, 2, 3]"]
    return ["a"]


def _between(low: Scalar, high: Scalar, kind: Type) -> list[Scalar]:
    if isinstance(low, date) and isinstance(high, date):
        near = timedelta(days=1)
        found = [low + near, high - near]
        if isinstance(low, datetime) and isinstance(high, datetime):
            found.append(high - near + timedelta(hours=23, minutes=59, seconds=59))
        return [v for v in found if low <= v <= high]
    assert isinstance(low, int | Fraction) and isinstance(high, int | Fraction)
    step = _step(kind)
    middle = Fraction((low + high) // 2)
    return [v for v in (middle, low + step, high - step, Fraction(0)) if low <= v <= high]


def _outside(column: Column) -> list[Cell]:
    """Just beyond the bounds, and values that no domain has."""
    kind, result = column.type, []
    if column.bounds is not None:
        low, high = column.bounds
        if isinstance(low, date) and isinstance(high, date):
            near = timedelta(days=1)
            result += [_text(low - near, kind), _text(high + near, kind)]
        else:
            assert isinstance(low, int | Fraction) and isinstance(high, int | Fraction)
            step = _step(kind)
            limits = kind.limits()
            for v in (low - step, high + step):
                if limits is None or limits[0] <= v <= limits[1]:
                    result.append(_text(v, kind))
    if kind.name == "VARCHAR":
        result += ["elsewhere", ""]
    return result


def _extremes(kind: Type, *, finite: bool) -> list[Cell]:
    """The ends of a type."""
    limits = kind.limits()
    if limits is not None:
        return [_text(v, kind) for v in limits]
    if kind.is_float:
        ends: list[Cell] = ["1e-320", "-0.0", "0.1"]
        return ends if finite else [*ends, "nan", "inf", "-inf", "1.7976931348623157e308", "-1e308"]
    if kind.name == "DATE":
        far: list[Cell] = ["0001-01-01", "9999-12-31"]
        wild: list[Cell] = ["infinity", "-infinity", "5881580-07-10", "5877642-06-25 (BC)"]
        return far if finite else [*far, *wild]
    if kind.name == "TIMESTAMP":
        far = ["0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"]
        wild = ["infinity", "-infinity", "294247-01-10 04:00:54", "290309-12-22 (BC) 00:00:00"]
        return far if finite else [*far, *wild]
    return []


def _text(value: Scalar, kind: Type) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return value
    if kind.is_float:
        return repr(float(value))
    return format(Decimal(Fraction(value).numerator) / Decimal(Fraction(value).denominator), "f")
