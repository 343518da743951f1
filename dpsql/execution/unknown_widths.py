"""Why it is not known in its own unit how far a column may be off, in a few words.

A value that was picked is as good as its mechanism proves: so many rows from the rank that was
asked for, or from the greatest count. How far that is in values depends on how close together rows
are, which nobody was told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dpsql.compile import ReleasedQuery
from dpsql.core.calibrate.calibration import Picker
from dpsql.core.emit.plans import output_name
from dpsql.core.noise.quantiles import JointQuantiles
from dpsql.core.plan.nodes import Scan, each
from dpsql.core.release.formulas import Picked
from dpsql.core.release.noisy import sources
from dpsql.core.release.picks import Best, Pick
from dpsql.execution.loaded import CONFIDENCE
from dpsql.execution.noise import NoisyRelease
from dpsql.types import INTERVAL, TIME, TIMESTAMP

TOO_MUCH = "its noise would have to be drawn again for too many numbers"
COINS = "the answers themselves were randomized"
NO_NUMBER = "made of noisy numbers, and no number itself"
CUT = "what is cut off may be most of it"
TIMES = (TIMESTAMP, TIME, INTERVAL)
MANY = 1000
"""Candidates of a list that is not known beforehand."""


def unknown(
    query: ReleasedQuery,
    released: Sequence[NoisyRelease],
    columns: Sequence[bool],
    derived: Collection[int] = (),
) -> list[str | None]:
    """Of each column why no half-width can be found; None where one can.

    Args:
        query: what was asked.
        released: its noisy numbers.
        columns: which are looked at.
        derived: those of which derivatives say it: moments, too, in seconds.
    """
    if not any(columns):
        return [None] * len(columns)
    plans = (query.plan, *(release.aggregate for release in query.releases))
    coins = any(isinstance(n, Scan) and n.table.randomized for p in plans for n in each(p))
    unsure = any(noisy.unsure for noisy in released)
    picked = _picked(query)
    made = sources(query.plan) if picked else {}

    def why(place: int) -> str | None:
        column = query.plan.columns[place]
        of = [picked[field] for field in sorted(made.get(column.id, ())) if field in picked]
        if coins or of:
            return COINS if coins else of[0]
        told = column.type.is_numeric or (place in derived and column.type in TIMES)
        return CUT if unsure else None if told else NO_NUMBER

    return [why(i) if wanted else None for i, wanted in enumerate(columns)]


def _picked(query: ReleasedQuery) -> dict[str, str]:
    """By the field of a released table, how good the pick is that it holds."""
    found: dict[str, str] = {}
    for planned in query.planned:
        release = planned.release
        for output in release.outputs:
            if isinstance(output.formula, Picked):
                number = output.formula.pick
                words = _words(release.picks[number], planned.pickers[number], output.formula)
                found[output_name(output.column.id)] = words
    return found


def _words(pick: Pick | Best, picker: Picker, formula: Picked) -> str:
    if isinstance(picker, JointQuantiles):
        errors = picker.rank_error(CONFIDENCE)
        rows = _rows(max(errors[place] for place in formula.places))
        beyond = [abs(picker.targets[place].shift) for place in formula.places]
        if len(beyond) == 1 and beyond[0]:  # the extreme values themselves are of single units
            return f"within {rows} of the rank {beyond[0]:,} from the end, at 95 %"
        return f"within {rows} of the rank that was asked for, at 95 %"
    if isinstance(pick, Best):
        reach = picker.within(pick.domain.size or MANY, CONFIDENCE) * pick.measure.unit
        which = "greatest" if pick.greatest else "least"
        return f"its number is within {float(reach):,g} of the {which}, at 95 %"
    below = picker.within(pick.grid.size, CONFIDENCE)
    return f"within {_rows(below)} of the most frequent, at 95 %"


def _rows(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"
