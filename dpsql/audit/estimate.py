"""How far apart answers of two worlds are, in ε, with a confidence bound.

Claim. If the query is (ε, δ)-private, `Estimate.eps` is above ε with a probability of at most
1 - `confidence`, whatever the query and the pair of worlds. Why: for every event E of answers
P(E) ≤ e^ε·P′(E) + δ, so ln((P(E) - δ)/P′(E)) ≤ ε. Two such events, one for each order of the
worlds, are chosen on one half of the answers, and counted in the other half, which knows nothing of
the choice. Of each P(E) and P′(E) there is an exact bound, at a quarter of what may go wrong: all
four hold but for that, by the union bound. Where there is a δ there are two events more, for the
bound on δ, and all eight have their part.

The events are that a score of the answer is high, or low. The score is the log-likelihood ratio
that the claimed noise would have, and of what has no such noise (picks, clips, whether a group is
shown) that of the frequencies in the first half. A score that is badly chosen makes the bound low,
never wrong.

Source: Jagielski, Ullman, Oprea, "Auditing differentially private machine learning", NeurIPS 2020;
Nasr et al., "Tight auditing of differentially private machine learning", USENIX Security 2023.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.audit import noisy_worlds
from dpsql.audit.binomial import at_least, at_most
from dpsql.audit.defaults import SAMPLES, SLOW_SAMPLES
from dpsql.audit.noisy_worlds import Answer, NoisyNumber
from dpsql.audit.worlds import World
from dpsql.compile import Compiled, ReleasedQuery

CUTS = 200
"""Events that are tried on the first half."""

FEW = 40
"""Different values of a number up to which each is counted; else they are sorted into so many."""

SURE = 1000.0
"""The score of what one world alone can show."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often a number came out, in each of the two worlds.

    Attributes:
        name: of the number.
        low, high: the ends.
        with_unit, without: the counts of equal parts between them.
        cut: from where on, or up to where, the event is; None for no event.
    """

    name: str
    low: float
    high: float
    with_unit: tuple[int, ...]
    without: tuple[int, ...]
    cut: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What answers show of a query's ε and δ.

    Attributes:
        eps: at least so much, with `confidence`; 0 where they show nothing.
        delta: δ at the claimed ε is at least so much.
        confidence: of both bounds together.
        samples: answers that were drawn of each world.
        claimed_eps, claimed_delta: what the query is charged.
        guess: what the pair would show with endless samples, were the noise as claimed.
        event: the event of the bound, in words.
        where: whose worlds they are.
        histograms: of the score, and of the numbers that differ most.
    """

    eps: float
    delta: float
    confidence: float
    samples: int
    claimed_eps: float
    claimed_delta: float
    guess: float
    event: str
    where: str
    histograms: tuple[Histogram, ...]

    @property
    def within(self) -> bool:
        """Whether the claims are not contradicted."""
        return self.eps <= self.claimed_eps and self.delta <= self.claimed_delta


@dataclass(frozen=True, slots=True)
class _Event:
    """The score is at least, or at most, `cut`; `swapped`: more likely in the second world."""

    cut: float
    swapped: bool

    def count(self, scores: Sequence[float]) -> int:
        """How many of sorted scores are in it."""
        if self.swapped:
            return bisect_right(scores, self.cut)
        return len(scores) - bisect_left(scores, self.cut)


def estimate(
    compiled: Compiled,
    pair: tuple[World, World],
    where: str,
    guess: float,
    samples: int | None,
    confidence: float,
    progress: Callable[[int], None] = lambda _: None,
) -> Estimate | None:
    """Draw answers of two worlds and bound ε from below; None where the worlds do not differ.

    Args:
        compiled: the query.
        pair: the two worlds.
        where: whose they are, in words.
        guess: what they are thought to show.
        samples: of each world, at least 4; None for as many as is usual.
        confidence: between 0 and 1.
        progress: told of so many answers that are drawn.
    """
    query = compiled.query
    assert isinstance(query, ReleasedQuery)
    wanted = noisy_worlds.numbers(query, *pair)
    if not wanted:
        return None
    count = samples or (SLOW_SAMPLES if noisy_worlds.slow(query) else SAMPLES)
    drawn: list[list[Answer]] = []
    for world in pair:
        found: list[Answer] = []
        while len(found) < count:
            more = noisy_worlds.draw(query, world, wanted, min(count - len(found), 1000))
            found += more
            progress(len(more))
        drawn.append(found)
    half = count // 2
    scored = _scorer(wanted, drawn[0][:half], drawn[1][:half])
    first = [sorted(map(scored, found[:half])) for found in drawn]
    last = [sorted(map(scored, found[half:])) for found in drawn]
    eps, delta = float(compiled.cost.eps), float(compiled.cost.delta)
    chosen = [_chosen(first, swapped, lambda p, q: _loss(p, q, delta)) for swapped in (False, True)]
    if delta:
        chosen += [
            _chosen(first, swapped, lambda p, q: p - math.exp(min(eps, 700)) * q)
            for swapped in (False, True)
        ]
    alpha = (1 - confidence) / (2 * len(chosen))
    best, most, event = 0.0, 0.0, chosen[0]
    for one in chosen:
        p, q = _bounds(one, last, alpha)
        found_eps = _loss(p, q, delta)
        if found_eps > best:
            best, event = found_eps, one
        most = max(most, p - math.exp(min(eps, 700)) * q)
    return Estimate(
        eps=best,
        delta=most,
        confidence=confidence,
        samples=count,
        claimed_eps=eps,
        claimed_delta=delta,
        guess=guess,
        event=_words(event, last),
        where=where,
        histograms=_histograms(compiled, wanted, drawn, first, last, event),
    )


def _bounds(event: _Event, last: Sequence[Sequence[float]], alpha: float) -> tuple[float, float]:
    """P(E) at least, and P′(E) at most."""
    one, other = (last[1], last[0]) if event.swapped else (last[0], last[1])
    return (
        at_least(event.count(one), len(one), alpha),
        at_most(event.count(other), len(other), alpha),
    )


def _loss(p: float, q: float, delta: float) -> float:
    return max(0.0, math.log((p - delta) / q)) if p > delta and q > 0 else 0.0


def _chosen(
    first: Sequence[Sequence[float]], swapped: bool, worth: Callable[[float, float], float]
) -> _Event:
    """The event that looks best on the first half, at a distance of four standard deviations."""
    pooled = sorted((*first[0], *first[1]))
    cuts = dict.fromkeys(pooled[i * (len(pooled) - 1) // CUTS] for i in range(CUTS + 1))
    one, other = (first[1], first[0]) if swapped else (first[0], first[1])
    found, best = _Event(pooled[len(pooled) // 2], swapped), -math.inf
    for cut in cuts:
        event = _Event(cut, swapped)
        p, q = event.count(one) / len(one), event.count(other) / len(other)
        low = max(0.0, p - 4 * math.sqrt(p * (1 - p) / len(one)) - 4 / len(one))
        high = min(1.0, q + 4 * math.sqrt(q * (1 - q) / len(other)) + 8 / len(other))
        value = worth(low, high)
        if value > best:
            found, best = event, value
    return found


# --- the score -----------------------------------------------------------------------------------


def _scorer(
    wanted: Sequence[NoisyNumber], one: Sequence[Answer], other: Sequence[Answer]
) -> Callable[[Answer], float]:
    parts = [
        _part(number, [a[place] for a in one], [a[place] for a in other])
        for place, number in enumerate(wanted)
    ]

    def scored(answer: Answer) -> float:
        total = sum(part(value) for part, value in zip(parts, answer, strict=True))
        return max(-SURE, min(SURE, total))

    return scored


Part = Callable[[object], float]


def _part(number: NoisyNumber, one: Sequence[object], other: Sequence[object]) -> Part:
    """The score of one number: of each world's share of answers like it."""
    shown = [sum(v is not None for v in found) for found in (one, other)]
    absent = _ratio(len(one) - shown[0], len(one), len(other) - shown[1], len(other))
    present = _ratio(shown[0], len(one), shown[1], len(other))
    value = _of_noise(number) if number.noise is not None else _of_values(one, other)
    return lambda v: absent if v is None else present + value(v)


def _of_noise(number: NoisyNumber) -> Part:
    """The log-likelihood ratio of noise that is as claimed."""
    noise, a, b = number.noise, number.a, number.b
    assert noise is not None
    if noise.kind == "laplace":
        return lambda y: (abs(y - b) - abs(y - a)) / noise.scale  # type: ignore[operator]
    return lambda y: (
        float((y - b) ** 2 - (y - a) ** 2) / (2 * noise.scale**2)  # type: ignore[operator]
    )


def _of_values(one: Sequence[object], other: Sequence[object]) -> Part:
    """The same of what is counted: each value, or where there are many each part of their range."""
    values = [[v for v in found if v is not None] for found in (one, other)]
    different = set(values[0]) | set(values[1])
    if len(different) > FEW:
        ordered = sorted([*values[0], *values[1]], key=_key)
        cuts = sorted({_key(ordered[i * (len(ordered) - 1) // FEW]) for i in range(1, FEW)})
        place: Callable[[object], object] = lambda v: bisect_right(cuts, _key(v))  # noqa: E731
    else:
        place = lambda v: v  # noqa: E731
    counts: list[dict[object, int]] = [{}, {}]
    for found, count in zip(values, counts, strict=True):
        for v in found:
            count[place(v)] = count.get(place(v), 0) + 1
    sizes = [max(1, len(found)) for found in values]

    def part(v: object) -> float:
        at = place(v)
        return _ratio(counts[0].get(at, 0), sizes[0], counts[1].get(at, 0), sizes[1])

    return part


def _key(value: object) -> tuple[object, ...]:
    """An order of values of one column: of texts, numbers, dates, and tuples of them."""
    if isinstance(value, tuple):
        return tuple(part for v in value for part in _key(v))
    return (value is None, 0 if value is None else value)


def _ratio(k: int, n: int, other: int, m: int) -> float:
    return math.log((k + 0.5) / (n + 1)) - math.log((other + 0.5) / (m + 1))


# --- for people ----------------------------------------------------------------------------------

BINS = 48


def _words(event: _Event, last: Sequence[Sequence[float]]) -> str:
    counts = [event.count(scores) for scores in last]
    return (
        f"{counts[0]:,} of {len(last[0]):,} with the unit and {counts[1]:,} of {len(last[1]):,} "
        f"without it are in the event that tells them apart"
    )


def _histograms(
    compiled: Compiled,
    wanted: Sequence[NoisyNumber],
    drawn: Sequence[Sequence[Answer]],
    first: Sequence[Sequence[float]],
    last: Sequence[Sequence[float]],
    event: _Event,
) -> tuple[Histogram, ...]:
    scores = [[*a, *b] for a, b in zip(first, last, strict=True)]
    score = _histogram("score: how much more likely the answer is with the unit", *scores)
    found = [replace(score, cut=event.cut)]
    for place, number in enumerate(wanted[:6]):
        values = [[_plain(a[place]) for a in answers if a[place] is not None] for answers in drawn]
        listed = [[v for v in part if v is not None] for part in values]
        if all(listed):
            found.append(_histogram(_name(compiled, number), *listed))
    return tuple(found)


def _plain(value: object) -> float | None:
    if isinstance(value, tuple):
        value = value[0]
    return float(value) if isinstance(value, int | Fraction) else None


def _name(compiled: Compiled, number: NoisyNumber) -> str:
    query = compiled.query
    assert isinstance(query, ReleasedQuery)
    release = query.releases[number.release]
    if number.measure is not None:
        name = f"{release.labels[number.measure]}, in steps of its lattice"
    else:
        assert number.pick is not None
        name = release.pick_labels[number.pick]
    if not number.group:
        return name
    return f"{name}; group {', '.join(map(str, number.group))}"


def _histogram(name: str, one: Sequence[float], other: Sequence[float]) -> Histogram:
    """Both worlds over one range; the outermost 1 in 200 are added at its ends."""
    pooled = sorted((*one, *other))
    low, high = pooled[len(pooled) // 200], pooled[-1 - len(pooled) // 200]
    if high <= low:
        low, high = low - 0.5, high + 0.5

    def counts(values: Sequence[float]) -> tuple[int, ...]:
        found = [0] * BINS
        for value in values:
            found[max(0, min(BINS - 1, int((value - low) / (high - low) * BINS)))] += 1
        return tuple(found)

    return Histogram(name, low, high, counts(one), counts(other))
