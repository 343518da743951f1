"""NTILE over rows of several units: the parts that their quantiles make.

    NTILE(3) OVER (ORDER BY x)      CASE WHEN x > q2 THEN 3 WHEN x > q1 THEN 2 ELSE 1 END
    q1, q2                          QUANTILE_DISC(x, 1/3) OVER (), QUANTILE_DISC(x, 2/3) OVER ()

Claim: without noise a part ends within a row of where NTILE's does, and what is equal is in one
part: of equal values all may be in the part beside. NULLs, which are in the last or the first, are
none of the rows that are parted. Why: QUANTILE_DISC(x, i/k) of n values is the ceil(n·i/k)-th, and
here any up to the next; NTILE's i-th part ends at the i·floor(n/k) + min(i, n mod k)-th; of these
two neither is a whole row away from n·i/k. In a descending order the parts begin after
QUANTILE_DISC(x, 1 - i/k).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from dpsql.core.functions.build import make
from dpsql.core.functions.constants import exactly
from dpsql.core.plan.expr import Case, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import SortKey, WindowCall
from dpsql.types import BIGINT

MOST = 100
"""Parts; of more the noise of the quantiles would be all that is seen."""

Calls = tuple[tuple[Column, WindowCall], ...]


def without_tiles(
    calls: Iterable[tuple[Column, WindowCall]], ids: Ids
) -> tuple[Calls, dict[int, Expr]]:
    """The calls with quantiles instead of NTILE, and what NTILE is of these, by its column."""
    found: dict[tuple[Column, WindowCall], None] = {}
    tiles: dict[int, Expr] = {}
    for column, call in calls:
        parts, key = _parts(call), call.order[0] if len(call.order) == 1 else None
        if key is None or parts is None or key.expr.type.is_string:
            found[column, call] = None
            continue
        ends = [Fraction(i, parts) for i in range(1, parts)]
        shares = [1 - e for e in ends] if key.descending else ends
        base = replace(call, function="quantile_disc", order=())
        made = [(ids.column("end", key.expr.type), share) for share in shares]
        for end, share in made:
            found[end, replace(base, arguments=(key.expr, exactly(share)))] = None
        tiles[column.id] = _tile(key, [end for end, _ in made], column)
    return tuple(found), tiles


def _parts(call: WindowCall) -> int | None:
    if call.function != "ntile" or call.frame is not None:
        return None
    (parts,) = call.arguments
    number = parts.value if isinstance(parts, Literal) else None
    return number if isinstance(number, int) and 2 <= number <= MOST else None


def _tile(key: SortKey, ends: list[Column], column: Column) -> Expr:
    parts = len(ends) + 1

    def number(n: int) -> Expr:
        return Literal(n, BIGINT)

    beyond = "le" if key.descending else "gt"
    branches = [(make("is_null", (key.expr,), None), number(1 if key.nulls_first else parts))]
    for n in range(parts, 1, -1):
        branches.append((make(beyond, (key.expr, Ref(ends[n - 2])), None), number(n)))
    return Case(tuple(branches), number(1), column.type)
