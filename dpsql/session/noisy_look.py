"""What `init --eps` asks of the data: proposals with noise, charged to the data's own account.

The draft without proposals is a policy already, and all that is told of the data is an answer of
`Database.run` under it. So nothing here is trusted: the queries below are proven as an analyst's
are. A unit adds one row, its least or greatest value, so that no bound need be known before.
Which questions are asked, and what each may cost, follows from the catalog and the unit alone. So
the catalog must tell nothing of the rows: the columns of JSON are those that some row has, and no
noise is in their names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from dpsql.core.account.amount import parse_eps
from dpsql.core.schema import Table
from dpsql.errors import InvalidArgument, Rejected
from dpsql.platform.engine import file_kinds
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.proposals import MOST_VALUES
from dpsql.platform.engine.sql_text import dotted, name, nearest
from dpsql.platform.policy import Policy
from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable
from dpsql.platform.policy.draft import Noisy, draft
from dpsql.session.connect import connect
from dpsql.session.database import Database
from dpsql.types import BIGINT, Scalar, Type

DELTA = Fraction(1, 10**6)
"""What the texts of columns may cost together: a text is shown where enough units have it."""

NO_DELTA = Fraction(0)

MISTAKEN = Fraction(1, 20)
"""How often a step is taken to be somebody's though it is nobody's, at most, in one question."""

_YEARS = range(1900, 2101)

Bounds = tuple[Scalar, Scalar]


def noisy_draft(data: Path, catalog: Catalog, unit: str | None, eps: object) -> str:
    """The draft of a policy with bounds, values and fan-outs from the data, with noise.

    Args:
        data: its owner's file or folder.
        catalog: of it.
        unit: as `draft` takes it, but not to be guessed: noise protects whom it names. Nor is a
            table asked of which leads to the unit by a guess alone.
        eps: what all of it costs, as `Database.run` takes it; each question has an equal part.

    Raises:
        PolicyError: as `draft` does.
        InvalidArgument: no unit is named; or rows name the columns.
        InvalidBudget: an ε that is no positive number.
        BudgetExceeded: the data's account has not so much left. What was charged by then stays
            charged; asked again, it is told for free.
    """
    exact, asked = parse_eps(eps), _Questions()
    if unit is None:
        raise InvalidArgument("noise protects a unit, so that it is not guessed: --unit names it")
    noisy = Noisy(exact, DELTA)
    draft(catalog, unit, look=asked, noisy=noisy)
    plain = draft(catalog, unit, noisy=noisy)
    if not asked.runs:
        return plain
    with connect(data, Policy.parse(plain)) as database:
        _check_named(database)
        look = NoisyLook(database, exact / asked.runs, DELTA / max(asked.texts, 1))
        return draft(catalog, unit, look=look, noisy=noisy)


def _check_named(database: Database) -> None:
    """Refuse data whose rows say which columns there are: one row of one unit adds one."""
    engine = database._engine
    assert isinstance(engine, DuckDBEngine)
    for files in engine.sources.values():
        for _, path, _ in files.stamps:
            form = file_kinds.named(path.name)
            if form is not None and form.kind == "json":
                message = f"{path.name}: which columns JSON has is known from its rows alone, and"
                raise InvalidArgument(f"{message} would be told without noise; write the policy")


@dataclass(slots=True)
class _Questions:
    """How many queries a draft would ask, and how many of texts: a look that sees nothing."""

    runs: int = 0
    texts: int = 0

    def type(self, table: CatalogTable, column: CatalogColumn) -> Type | None:
        """None: one row may change it, so that it cannot be asked with noise."""
        return None

    def bounds(self, table: CatalogTable, column: CatalogColumn) -> Bounds | None:
        """None."""
        self.runs += 2  # each end is one
        return None

    def values(
        self, table: CatalogTable, column: CatalogColumn, owner: str | None
    ) -> tuple[tuple[Scalar, ...], bool]:
        """None."""
        self.runs, self.texts = self.runs + 1, self.texts + 1
        return (), False

    def rows(self, table: CatalogTable, column: CatalogColumn) -> int | None:
        """None."""
        self.runs += 1
        return None


@dataclass(frozen=True, slots=True)
class NoisyLook:
    """Asks a database under its draft; each question costs `eps`, one of texts `delta` too."""

    database: Database
    eps: Fraction
    delta: Fraction

    def type(self, table: CatalogTable, column: CatalogColumn) -> Type | None:
        """None: one row may change it, so that it cannot be asked with noise."""
        return None

    def bounds(self, table: CatalogTable, column: CatalogColumn) -> Bounds | None:
        """Where the least and the greatest values of most units lie, at steps of 1, 2, 5 or years;
        None where that cannot be told at this ε.
        """
        kind = column.type
        low, high = (
            self._outermost(self._per_unit(table, column, call), kind, low=call == "MIN")
            for call in ("MIN", "MAX")
        )
        lows, highs = _steps(kind, low=True), _steps(kind, low=False)
        # Either end is said of other units, or made by noise: so the low one may be above.
        if low is None or high is None or len(lows) - 1 - low > high:
            return None
        return lows[low], highs[high]

    def values(
        self, table: CatalogTable, column: CatalogColumn, owner: str | None
    ) -> tuple[tuple[Scalar, ...], bool]:
        """The texts that are the first of enough units; there may be more."""
        rows = self._per_unit(table, column, "MIN")
        sql = f"SELECT m, COUNT(*) FROM ({rows}) GROUP BY m ORDER BY m"
        answer = self._asked(sql, self.delta)
        found = [text for text, _ in answer if isinstance(text, str) and text.isprintable()]
        return (tuple(found), False) if len(found) <= MOST_VALUES else ((), False)

    def rows(self, table: CatalogTable, column: CatalogColumn) -> int | None:
        """How many rows of most units share a value at most."""
        source, unit = self._rows(table)
        each = f"SELECT {unit} AS u, COUNT(*) AS n FROM {source} GROUP BY 1, r0.{name(column.name)}"
        rows = f"SELECT u, MAX(n) AS m FROM ({each}) GROUP BY u"
        found = self._outermost(rows, BIGINT, low=False)
        most = 0 if found is None else int(str(_steps(BIGINT, low=False)[found]))
        return most if most > 0 else None  # less is noise: who has rows has one

    def _outermost(self, rows: str, kind: Type, *, low: bool) -> int | None:
        """The place of the last step, downwards (`low`) or upwards, where units are taken to be.

        A unit is one row, which is counted at one step: it moves one count by 1. Each count has
        geometric noise of scale 1/ε, which is t or more with probability e^(−εt) at most. So of n
        counts of nobody one is over ln(n/β)/ε with probability β at most.
        """
        steps = _steps(kind, low=low)
        sign = ">=" if low else "<="
        cells = [f"WHEN m {sign} {nearest(kind, s, low=low)} THEN {i}" for i, s in enumerate(steps)]
        step = f"CASE {' '.join(cells)} ELSE {len(steps)} END"
        sql = f"SELECT s, COUNT(*) FROM (SELECT {step} AS s FROM ({rows})) GROUP BY s"
        over = math.log((len(steps) + 1) / MISTAKEN) / self.eps
        counts = self._asked(sql)
        last = max((int(str(i)) for i, n in counts if float(str(n)) > over), default=len(steps))
        return last if last < len(steps) else None

    def _asked(self, sql: str, delta: Fraction = NO_DELTA) -> Sequence[tuple[object, ...]]:
        """The answer; nothing where no proof is found, and then nothing is charged."""
        try:
            return self.database.run(sql, self.eps, delta).rows
        except Rejected:
            return ()

    def _per_unit(self, table: CatalogTable, column: CatalogColumn, call: str) -> str:
        source, unit = self._rows(table)
        kind, x = column.type, f"r0.{name(column.name)}"
        finite = f" AND isfinite({x})" if kind.is_float or kind.is_temporal else ""
        source = f"{source} WHERE {x} IS NOT NULL{finite}"
        if unit is None:  # each row is one
            return f"SELECT {x} AS m FROM {source}"
        return f"SELECT {unit} AS u, {call}({x}) AS m FROM {source} GROUP BY 1"

    def _rows(self, table: CatalogTable) -> tuple[str, str | None]:
        """SQL: a table joined along its path, as FROM has it; and the unit of each row."""
        schema, step, number = self.database.schema, self._table(table.name), 0
        source = f"{_named(step)} AS r0"
        while (reference := schema.next_owner(step)) is not None:
            to = self._table(reference.table)
            assert step.owner is not None
            on = f"r{number}.{name(step.owner)} = r{number + 1}.{name(reference.column)}"
            source += f" JOIN {_named(to)} AS r{number + 1} ON {on}"
            step, number = to, number + 1
        unit = step.owner or schema.unit_column
        return source, None if unit is None else f"r{number}.{name(unit)}"

    def _table(self, named: str) -> Table:
        found = self.database.schema.table(named)
        assert found is not None
        return found


def _named(table: Table) -> str:
    return dotted(table.name.split("."))


def _steps(kind: Type, *, low: bool) -> list[Scalar]:
    """The steps of a column's type, outwards: ends of years, or 0 and ±1, ±2, ±5 times powers of
    ten, within the type.
    """
    found: list[Scalar]
    if kind.is_temporal:
        first = [datetime(year, 1, 1) for year in _YEARS]
        last = [datetime(year, 12, 31, 23, 59, 59) for year in _YEARS]
        times = first if low else last
        found = [time.date() if kind.name == "DATE" else time for time in times]
    else:
        digits = min(kind.scale or 0, 3) if kind.is_exact else 3
        powers = range(-digits, 13)
        sizes = [Fraction(10) ** power * step for power in powers for step in (1, 2, 5)]
        every = {Fraction(0), *sizes, *(-size for size in sizes)}
        if (limits := kind.limits()) is not None:
            least, most = map(Fraction, limits)
            ends = {end for end in (least, most) if abs(end) < max(every)}
            every = {step for step in every if least < step < most} | ends
        found = [*sorted(every)]
    return found[::-1] if low else found
