"""The queries of a matrix factorisation. Items' biases and factors are constants in them.

    seen     a rating: its user u, item i, level (a whole number), y = rating − middle − bias, and
             the item's factors v1, v2, …
    own      of a user A = ridge·I + Σ v·vᵀ and b = Σ y·v over the ratings
    solved   w = A⁻¹·b by Cramer's rule; f is w, kept within ± box

    the counts   n of each item and level
    a look       Σ f by itself for each of a few directions; see `directions`
    a round      Σ f_i and Σ f_i·f_j over the users of each item and level
    a score      Σ e² over ratings, each predicted without itself

Users' factors are seen by these sums alone. A ≥ ridge·I, so that det A ≥ ridge^rank; it is clamped
there, for dpsql does not know it.

MAX over the one row of a user changes nothing; but what is analysed then reads the column, not all
that it is made of, many times over.

Why levels, and DISTINCT. What one user moves is what noise is in proportion to. A user has up to R
ratings, mostly of R items; but nothing says that to dpsql of a plain sum, so that all R may be of
one item: Σ f is moved by R·box in Euclid's norm. f is one number a user, and SUM(DISTINCT f) takes
it once in each group, however often it is there: so it is moved by √R·box. y·f differs between the
ratings of a user, but Σ y·f = Σ over levels of (the level's y)·Σ f.

Claim: the distinct f of a group are those of all of its users. Why: f is a continuous function of a
user's ratings; where it is clamped `SLOPE` of w is added, so that it still is one. Two users have
one f where they gave the same items the same ratings; these count once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpsql.models.factors.ratings import Ratings
from dpsql.models.literals import constant, double, quoted

Array = NDArray[np.float64]

SLOPE = 1e-7
"""How much of a user's factor is left beyond the box."""

LARGEST = 3.0
"""Of an item's factors, whose mean square is 1."""

SHIFT = 3
"""How far a bias is at most, in halves of the rating's range: the middle of all is within one, and
an item's mean within two of that.
"""

FARTHEST = 1.5
"""How far off a guess counts as at most, in halves of the rating's range."""


def counts(of: Ratings) -> str:
    """How many users gave each item each level."""
    listed = ", ".join(f"({constant(item)})" for item in of.items)
    return (
        f"SELECT r.i, r.level, COUNT(DISTINCT r.u) AS n\nFROM ({_rows(of)}) AS r\n"
        f"JOIN (VALUES {listed}) AS items(i) ON r.i = items.i\nGROUP BY r.i, r.level"
    )


def round_of(of: Ratings, biases: Array, factors: Array) -> str:
    """The sums for new factors of items."""
    wide = range(1, of.model.rank + 1)
    return f"WITH {_solved(of, biases, factors)},\n{boxed(of, wide)}\n{summed(of.sums)}"


def boxed(of: Ratings, wide: Sequence[int]) -> str:
    """The table `boxed`: of each w of `solved` the f that is added up."""
    box, slope, most = double(of.box), double(SLOPE), double(10 * of.box)
    made = [
        f"LEAST(GREATEST(w{i}, -{box}), {box}) + {slope} * LEAST(GREATEST(w{i}, -{most}), {most}) "
        f"AS f{i}"
        for i in wide
    ]
    return f"boxed AS (SELECT u, {', '.join(made)} FROM solved)"


def summed(sums: Mapping[str, str]) -> str:
    """These sums of `boxed` by item and level."""
    made = ", ".join(f"{sql} AS {name}" for name, sql in sums.items())
    return (
        f"SELECT seen.i, seen.level, {made}\n"
        "FROM seen JOIN boxed ON seen.u = boxed.u\nGROUP BY seen.i, seen.level"
    )


def score(of: Ratings, biases: Array, factors: Array) -> str:
    """How far off predictions are, each without the rating itself.

    Claim: with h = v·A⁻¹·v, a rating minus what the others predict is (y − v·w)/(1 − h), and
    1 − h ≥ ridge/(ridge + v·v). Source: Sherman and Morrison (1950); Cook and Weisberg (1982).
    """
    wide = range(1, of.model.rank + 1)
    guess = " + ".join(f"v{i} * w{i}" for i in wide)
    lever = " + ".join(f"{'' if i == j else '2e0 * '}v{i} * v{j} * c{i}{j}" for i, j in of.pairs)
    ridge, most, half = of.model.ridge, FARTHEST * of.half, of.half
    least = ridge / (ridge + of.model.rank * LARGEST**2)
    own = f"(seen.y - ({guess})) / GREATEST(1e0 - ({lever}) / d, {double(least)})"
    return (
        f"WITH {_solved(of, biases, factors)},\n"
        f"guesses AS (SELECT seen.z AS y, LEAST(ABS({own}), {double(most)}) AS e\n"
        "FROM seen JOIN solved ON seen.u = solved.u)\n"
        f"SELECT COUNT(*) AS n, SUM(y) AS y, SUM(ABS(y) * ABS(y) - {double(half**2 / 2)}) AS yy, "
        f"SUM(e * e - {double(most**2 / 2)}) AS ee\nFROM guesses"
    )


def _rows(of: Ratings) -> str:
    """u, i, z = rating − middle, and its level."""
    target, last = of.columns.target, of.model.levels - 1
    z = f"CAST({target.centred} AS DOUBLE)"
    step = target.half * 2 / Fraction(last)
    level = f"CAST(ROUND((z + {double(target.half)}) / {double(step)}) AS INTEGER)"
    model = of.model
    inside = (
        f"SELECT {quoted(model.user)} AS u, {quoted(model.item)} AS i, {z} AS z FROM (\n{of.sql}\n"
        f") AS r WHERE {' AND '.join(of.columns.conditions)}"
    )
    return f"SELECT u, i, z, LEAST(GREATEST({level}, 0), {last}) AS level FROM ({inside}) AS r"


def seen(of: Ratings, biases: Array, factors: Array) -> str:
    """The table `seen`: each item has a row of numbers v."""
    names = ", ".join(f"v{i + 1}" for i in range(factors.shape[1]))
    listed = ",\n".join(
        f"({constant(item)}, {', '.join(map(double, (bias, *own)))})"
        for item, bias, own in zip(of.items, biases.tolist(), factors.tolist(), strict=True)
    )
    return (
        f"seen AS (SELECT r.u, r.i, r.level, r.z, r.z - f.m AS y, {names}\nFROM ({_rows(of)}) AS r"
        f"\nJOIN (VALUES {listed}) AS f(i, m, {names}) ON r.i = f.i)"
    )


def _solved(of: Ratings, biases: Array, factors: Array) -> str:
    """The tables `seen` and `solved`, which has d = det A and the c = adj A, too."""
    wide = range(1, of.model.rank + 1)
    ridge = double(of.model.ridge)
    entries = [f"SUM(v{i} * v{j}){f' + {ridge}' if i == j else ''} AS a{i}{j}" for i, j in of.pairs]
    entries += [f"SUM(v{i} * y) AS b{i}" for i in wide]
    cofactors, det = ADJUGATES[of.model.rank]
    adjugate = [f"{sql} AS c{i}{j}" for (i, j), sql in zip(of.pairs, cofactors, strict=True)]
    every = [f"MAX(c{i}{j}) AS c{i}{j}" for i, j in of.pairs]
    known = ", ".join([*(f"MAX(b{i}) AS b{i}" for i in wide), *every])
    solution = [f"MAX(({_row(i, wide)}) / d) AS w{i}" for i in wide]
    least = double(of.model.ridge**of.model.rank)
    return (
        f"{seen(of, biases, factors)},\n"
        f"own AS (SELECT u, {', '.join(entries)} FROM seen GROUP BY u),\n"
        f"parts AS (SELECT *, {', '.join(adjugate)} FROM own),\n"
        f"whole AS (SELECT u, {known}, MAX(GREATEST({det}, {least})) AS d "
        "FROM parts GROUP BY u),\n"
        f"solved AS (SELECT u, MAX(d) AS d, {', '.join((*every, *solution))} FROM whole GROUP BY u)"
    )


ADJUGATES: dict[int, tuple[Sequence[str], str]] = {
    1: (("1e0",), "a11"),
    2: (("a22", "-a12", "a11"), "a11 * c11 + a12 * c12"),
    3: (
        (
            "a22 * a33 - a23 * a23",
            "a13 * a23 - a12 * a33",
            "a12 * a23 - a13 * a22",
            "a11 * a33 - a13 * a13",
            "a12 * a13 - a11 * a23",
            "a11 * a22 - a12 * a12",
        ),
        "a11 * c11 + a12 * c12 + a13 * c13",
    ),
}
"""By rank: the adjugate of a symmetric A, and its determinant."""


def _row(i: int, wide: Sequence[int]) -> str:
    """(adj A · b)_i."""
    return " + ".join(f"c{min(i, j)}{max(i, j)} * b{j}" for j in wide)
