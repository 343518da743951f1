"""What the checker is told: the policy as plain facts, and what is claimed of each statement.

All of it is taken for true but the claims. A fact stands here only if the engine enforces it, it
was checked when the database was opened, or a verification found it; what an owner has merely
declared is no fact, and must be enforced by the statement itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a table; equal to itself alone.

    Attributes:
        name: in lower case.
        type: in DuckDB's words.
        nullable: whether NULL can occur.
        low, high: of its numbers, or of its dates as days since 0001-01-01, day 1; or None.
        values: all that it can have, apart from NULL: numbers, days, texts; None for many.
        references: the table and the column that its values are looked up in, which is unique.
        max_rows: at most so many rows share one value; None for many.
    """

    name: str
    type: str
    nullable: bool = True
    low: Fraction | None = None
    high: Fraction | None = None
    values: frozenset[object] | None = None
    references: tuple[str, str] | None = None
    max_rows: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        path: as statements write it, in lower case: catalog, schema, table.
        name: as references call it, in lower case.
        private: whether its rows belong to units.
        columns: by name.
        key: columns that are unique together and never NULL; () for none.
        owner: of a private table, the column that leads to the unit; None where a row is a unit.
        owned: no owner is NULL, and none that must be looked up is missing there.
        lookup: of an owner that is not in the data, the columns that find it in another table: each
            with that table and the column of its key, which no two rows share.
        rows: how many rows it has, where that is public.
    """

    path: tuple[str, ...]
    name: str
    private: bool
    columns: Mapping[str, Column]
    key: tuple[str, ...] = ()
    owner: str | None = None
    owned: bool = False
    lookup: tuple[tuple[str, tuple[str, str]], ...] = ()
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """A policy.

    Attributes:
        tables: all of them.
        unit: the table and the column that name units; the column is None where each row is one.
        replace: whether neighbours differ in what one unit's rows are, instead of in one unit.
    """

    tables: tuple[Table, ...]
    unit: tuple[str, str | None]
    replace: bool

    @property
    def units(self) -> int:
        """In how many units neighbours differ."""
        return 2 if self.replace else 1

    def table(self, name: str) -> Table | None:
        """The table of that name."""
        return next((t for t in self.tables if t.name == name), None)

    def read(self, path: tuple[str, ...]) -> Table | None:
        """The table that a statement writes like that."""
        return next((t for t in self.tables if t.path == path), None)


@dataclass(frozen=True, slots=True)
class Released:
    """The noisy answer of a statement before, as a table.

    Attributes:
        name: of the table.
        columns: name and type; of the first `keys` together no two rows have the same values.
        rows: how many groups are listed, where that is known without the data; None for many.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    keys: int
    rows: int | None


@dataclass(frozen=True, slots=True)
class Feed:
    """Released rows that a statement reads from its parameters.

    Attributes:
        name: of the WITH query that holds them.
        text: the statement that makes them, in the same order of columns, of released and public
            tables.
        tables: the released ones.
    """

    name: str
    text: str = ""
    tables: tuple[Released, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """What is claimed of one number for each group: a weighted sum of columns of the answer.

    Attributes:
        label: for people.
        terms: a column's place in the answer, and its weight.
        l0, l1, l2_squared, linf: how far neighbours move it over all groups at most; None where
            nothing is claimed.
        family: measures of one family share what one unit can add: of each the part of its own
            claim that is moved, added up, is at most 1, for L1 and for the squares of L2.
        one_way: one unit moves all groups in one direction.
    """

    label: str
    terms: tuple[tuple[int, Fraction], ...]
    l0: int | None
    l1: int | None
    l2_squared: int | None
    linf: int | None
    family: int
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Sums:
    """The claims of a statement that answers with one row a group: `keys` columns, then numbers.
    If there are several rows of a group, they are added up.
    """

    text: str
    keys: int
    measures: tuple[Measure, ...]
    feeds: tuple[Feed, ...] = ()


@dataclass(frozen=True, slots=True)
class Clip:
    """Measures that are clipped together at one of several thresholds.

    Attributes:
        number: that the statement gives to how many units are at each.
        measures: the numbers that it gives to their sums.
        thresholds: ascending.
        parts: in how many parts what a heavy unit adds is cut.
        width: how far a unit moves all of them for each that the threshold allows it.
        units: neighbours move what is clipped by so many times that at most.
    """

    number: int
    measures: tuple[int, ...]
    thresholds: tuple[int, ...]
    parts: int
    width: int
    units: int


@dataclass(frozen=True, slots=True)
class Clips:
    """The claims of a statement of clipped sums: rows of a measure's number, a threshold's, two
    numbers, `keys` columns. One unit is counted once, at a threshold b; where b is no number of a
    threshold, it is above them all. What it adds to the first numbers of all measures of a clip is
    at most width times threshold b in L1, where there is one; to the second width times `parts`.
    """

    text: str
    keys: int
    clips: tuple[Clip, ...]
    feeds: tuple[Feed, ...] = ()


@dataclass(frozen=True, slots=True)
class Offers:
    """The claims of a statement of distinct values: one row for each unit and group; `keys`
    columns, the hashes of its values there, its number in a public order of units, the number of
    the row among its own. All values of a unit are `most` at most; neighbours differ in `units`.
    """

    text: str
    keys: int
    most: int
    units: int
    feeds: tuple[Feed, ...] = ()


@dataclass(frozen=True, slots=True)
class Edges:
    """The claims of a statement of rows of two units, which are truncated outside of the engine:
    its WITH query `rows` has two units and `keys` columns, and all else reads nothing but that.
    Where a unit goes, just those rows go that have it; they are in `groups` groups at most, or,
    where that is None, in any: noise is for all groups that are shown.
    """

    text: str
    keys: int
    groups: int | None
    feeds: tuple[Feed, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The claim of a statement that lists groups: no private row is read."""

    text: str
    feeds: tuple[Feed, ...] = ()


Claim = Sums | Clips | Offers | Edges | Listed
