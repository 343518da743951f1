"""What a unit counts for in a group whose key is private: less, the more groups it is in.

A unit that is in d groups weighs w = ⌊W/d⌋ in each of them (norm 1), or w = ⌊W/√d⌋ (norm 2), where
W is `WHOLE` steps. Claim: of the vector of its weights the L1 norm, or the L2 norm, is W at most,
whatever d is. Why: d·⌊W/d⌋ <= W; and d·w² <= W², which the query tests itself for what a root in
floats gives, and else takes 0.

So nothing has to be known of d for the noise, and a unit in few groups weighs as much there as if
no unit were ever in more. Source: Gopi, Gulhane, Kulkarni, Shen, Shokouhi, Yekhanin,
"Differentially private set union", ICML 2020, for the L2 norm.
"""

from __future__ import annotations

from math import isqrt
from typing import Literal

from sqlglot import exp

from dpsql.core.emit.plans import parsed

Norm = Literal[1, 2]

WHOLE = 2**16
"""What a unit weighs that is in one group, in steps."""


def weight(groups: int, norm: Norm) -> int:
    """What a unit in so many groups weighs in each, in steps."""
    return WHOLE // groups if norm == 1 else isqrt(WHOLE**2 // groups)


def weights_of(pairs: str, unit: str, norm: Norm) -> exp.Query:
    """The units, and what each weighs, w; of a relation of units and groups with each pair once."""
    whole = f"CAST({WHOLE} AS BIGINT)"
    found = f"{whole} // d"
    if norm == 2:
        root = f"CAST(floor({whole} / sqrt(d)) AS HUGEINT)"
        fits = f"{root} * {root} * d <= {WHOLE**2}"
        found = f"CASE WHEN {fits} THEN CAST({root} AS BIGINT) ELSE 0 END"
    counted = f"SELECT {unit}, COUNT(*) AS d FROM {pairs} GROUP BY {unit}"
    return parsed(f"SELECT {unit}, {found} AS w FROM ({counted}) AS counted")
