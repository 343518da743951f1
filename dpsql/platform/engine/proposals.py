"""What `init --read-data` reads in the data, for the owner: proposals, rounded outward.

Nothing of it is private: no noise is added. So it is read by order of the owner alone, each line of
the draft that comes of it says so, and what few units have in common is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.engine.sql_text import dotted, name, text
from dpsql.platform.engine.texts import cast, misfit
from dpsql.platform.policy.catalog import CatalogColumn, CatalogTable
from dpsql.types import BIGINT, DATE, DOUBLE, TIMESTAMP, Scalar, Type

MOST_VALUES = 50
"""Of a proposed domain."""

FEW = 20
"""A value that fewer units have is not proposed."""

_LEAST, _MOST = Fraction(1, 10**9), Fraction(10**18)


def outward(value: Fraction, *, up: bool) -> Fraction:
    """The next of 0, ±1, ±2, ±5 times a power of ten that is not below (`up`), or not above."""
    if value < 0:
        return -outward(-value, up=not up)
    if value < _LEAST:
        return _LEAST if up and value else Fraction(0)
    power = Fraction(1)
    while power > value:
        power /= 10
    while power * 10 <= value:
        power *= 10
    steps = [power * step for step in (1, 2, 5, 10)]
    return min(s for s in steps if s >= value) if up else max(s for s in steps if s <= value)


_WHOLE = "[+-]?(0|[1-9][0-9]*)"  # of 007 the zeros mean something
_DAY = "[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}"
_FORMS = (
    (BIGINT, _WHOLE),
    (DOUBLE, rf"{_WHOLE}(\.[0-9]+)?([eE][+-]?[0-9]+)?"),
    (DATE, _DAY),
    (TIMESTAMP, rf"{_DAY}[ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,6}})?)?"),
)
"""How texts of a type are written."""


@dataclass(frozen=True, slots=True)
class Look:
    """Reads the columns of tables, in one snapshot of the owner's."""

    engine: Engine
    snapshot: Snapshot
    texts: frozenset[str] = frozenset()
    """The tables of files of texts, in lower case: their columns have the types of the policy."""

    def type(self, table: CatalogTable, column: CatalogColumn) -> Type | None:
        """The first of BIGINT, DOUBLE, DATE and TIMESTAMP of which all of a column's texts are, as
        these are usually written; None where there is none, or no text.
        """
        if table.name.lower() not in self.texts:
            return None
        x = name(column.name)
        wrong = [
            f"count(*) FILTER (WHERE {misfit(x, kind)} OR NOT regexp_full_match({x}, {text(form)}))"
            for kind, form in _FORMS
        ]
        count, *misfits = self._one(f"count({x}), {', '.join(wrong)}", table, f"{x} IS NOT NULL")
        fit = (kind for (kind, _), rows in zip(_FORMS, misfits, strict=True) if not rows)
        return next(fit, None) if count else None

    def bounds(self, table: CatalogTable, column: CatalogColumn) -> tuple[Scalar, Scalar] | None:
        """Where the values of a column lie: numbers rounded outward, days and times to years."""
        kind, x = column.type, name(column.name)
        if table.name.lower() in self.texts:
            x = cast(x, kind)
        finite = f"AND isfinite({x})" if kind.is_float or kind.is_temporal else ""
        low, high = self._one(f"min({x}), max({x})", table, f"{x} IS NOT NULL {finite}")
        if low is None:
            return None
        if isinstance(low, date):  # a datetime is one
            first, last = date(low.year, 1, 1), date(high.year, 12, 31)
            if not isinstance(low, datetime):
                return first, last
            whole = (datetime.min.time(), datetime.max.time().replace(microsecond=0))
            return datetime.combine(first, whole[0]), datetime.combine(last, whole[1])
        if not kind.is_numeric or max(abs(Fraction(low)), abs(Fraction(high))) > _MOST:
            return None
        ends = outward(Fraction(low), up=False), outward(Fraction(high), up=True)
        least, most = kind.limits() or ends
        return max(ends[0], Fraction(least)), min(ends[1], Fraction(most))

    def values(
        self, table: CatalogTable, column: CatalogColumn, owner: str | None
    ) -> tuple[tuple[Scalar, ...], bool]:
        """The texts that many units have, and whether these are all; () where there are many."""
        x, units = name(column.name), "*" if owner is None else f"DISTINCT {name(owner)}"
        rows = self.snapshot.rows(
            f"SELECT {x}, count({units}) FROM {self._target(table)} WHERE {x} IS NOT NULL "
            f"GROUP BY 1 ORDER BY 1 LIMIT {MOST_VALUES + 1}"
        )
        if len(rows) > MOST_VALUES:
            return (), False
        shown = [(one, n) for one, n in rows if isinstance(one, str) and one.isprintable()]
        found = tuple(one for one, n in shown if isinstance(n, int) and n >= FEW)
        return found, len(found) == len(rows)

    def rows(self, table: CatalogTable, column: CatalogColumn) -> int | None:
        """How many rows share a value at most, rounded outward."""
        x = name(column.name)
        inner = (
            f"SELECT count(*) AS n FROM {self._target(table)} WHERE {x} IS NOT NULL GROUP BY {x}"
        )
        [[most]] = self.snapshot.rows(f"SELECT max(n) FROM ({inner})")
        return None if most is None else int(outward(Fraction(int(str(most))), up=True))

    def _one(self, items: str, table: CatalogTable, where: str) -> list[Any]:
        [row] = self.snapshot.rows(f"SELECT {items} FROM {self._target(table)} WHERE {where}")
        return list(row)

    def _target(self, table: CatalogTable) -> str:
        return dotted(self.engine.target(table.name))
