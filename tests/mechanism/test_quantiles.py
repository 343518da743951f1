"""Joint quantiles: the privacy claim by enumeration, its tightness, order, accuracy, extremes."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.noise import mass, quantiles
from dpsql.core.noise.exponential import MOST, Piece
from dpsql.core.noise.mass import UNITS, Candidates, Mass, Rank
from dpsql.core.noise.quantiles import MAX_SIZE, OUTSIDE, JointQuantiles, divide, off

from .bounds import limits
from .test_exponential import DEEP_DRAWS, DRAWS, proven_range

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
RATE = Fraction(1, 2)


def halves(pairs: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Cells, and how many rows are in each that has any."""
    held = [pair for pair in pairs if pair[1]]
    return [cell for cell, _ in held], [count for _, count in held]


def weights(pieces: list[Piece], rate: Fraction) -> Iterator[tuple[int, int, float]]:
    """(piece, place, weight) of every candidate."""
    for i, (n, a, b) in enumerate(pieces):
        for j in range(n):
            yield i, j, math.exp(-float(rate * (a + b * j)))


Law = dict[tuple[int, ...], float]


def law(
    mechanism: JointQuantiles, pairs: tuple[tuple[int, int], ...], patch: pytest.MonkeyPatch
) -> Law:
    """The exact law of `draw`, by running it along every path of choices."""
    total: Law = defaultdict(float)
    pending: list[list[int]] = [[]]
    script: list[int] = []
    taken, chance = 0, 1.0

    def scripted(offer: Candidates) -> int:
        nonlocal taken, chance
        found = list(weights(offer.pieces, offer.rate))
        if taken == len(script):
            pending.extend([*script, k] for k in range(1, len(found)))
            script.append(0)
        i, j, weight = found[script[taken]]
        taken += 1
        chance *= weight / math.fsum(w for _, _, w in found)
        return offer.starts[i] + offer.step * j

    patch.setattr(Candidates, "draw", scripted)
    while pending:
        script, taken, chance = pending.pop(), 0, 1.0
        answers = tuple(mechanism.draw(*halves(pairs)))
        total[answers] += chance
    assert math.isclose(math.fsum(total.values()), 1.0)
    return total


def max_loss(left: Law, right: Law) -> float:
    assert left.keys() == right.keys()
    return max(abs(math.log(left[key] / right[key])) for key in left)


CASES: dict[str, tuple[Rank, ...]] = {
    "median": (Rank(HALF),),
    "quarter": (Rank(QUARTER),),
    "min": (Rank(Fraction(0), 1),),
    "max": (Rank(Fraction(1), -2),),
    "shifted": (Rank(QUARTER, 1),),
    "two": (Rank(QUARTER), Rank(Fraction(9, 10))),
    "extremes": (Rank(Fraction(0), 1), Rank(Fraction(1), -1)),
    "quartiles": (Rank(QUARTER), Rank(HALF), Rank(Fraction(3, 4))),
    "all": (Rank(Fraction(0), 2), Rank(HALF), Rank(Fraction(1), -2)),
    "equal": (Rank(HALF), Rank(HALF, 1), Rank(HALF, -3)),
    "lower ends": (Rank(Fraction(0), 1), Rank(Fraction(0), 2), Rank(Fraction(1, 3))),
    "upper ends": (Rank(Fraction(2, 3)), Rank(Fraction(1), -2), Rank(Fraction(1))),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(3)])
@pytest.mark.one_in(3)
def test_no_neighbours_are_farther_apart_than_claimed(
    case: str, rate: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All histograms of up to 2 rows a cell, and 1 or 2 rows more anywhere, on 3 cells."""
    for module in (mass, quantiles):
        monkeypatch.setattr(module, "UNITS", 4)
    mechanism = JointQuantiles(3, CASES[case], rate)

    @cache
    def law_of(counts: tuple[int, ...]) -> Law:
        return law(mechanism, tuple(enumerate(counts)), monkeypatch)

    for counts in product(range(3), repeat=3):
        for rows in (1, 2):
            for added in combinations_with_replacement(range(3), rows):
                more = Counter(added)
                neighbour = tuple(count + more[cell] for cell, count in enumerate(counts))
                loss = max_loss(law_of(counts), law_of(neighbour))
                assert loss <= mechanism.event(rows).cost.eps + 1e-9


def log_chance(offer: Candidates, place: int) -> float:
    """ln P(`place`), from the sums of the pieces."""
    totals, own = [], None
    for start, (n, a, b) in zip(offer.starts, offer.pieces, strict=True):
        if not n:
            continue
        near, step = float(offer.rate * min(a, a + b * (n - 1))), float(offer.rate * abs(b))
        series = math.expm1(-step * n) / math.expm1(-step) if step else float(n)
        totals.append(math.exp(-near) * series)
        j, off = divmod(place - start, offer.step)
        if off == 0 and 0 <= j < n:
            own = -float(offer.rate * (a + b * j))
    assert own is not None
    return own - math.log(math.fsum(totals))


END = MAX_SIZE - 1
# One target; a wide gap gains what another cell loses: (target, (cell, rows), row added, cell).
WORST = {
    "median": (Rank(HALF), (1, 1), END, 0),
    "min": (Rank(Fraction(0), 5), (END - 1, 20), 0, END),
    "max": (Rank(Fraction(1), -5), (1, 20), END, 0),
    "third": (Rank(Fraction(1, 3)), (END - 1, 20), 0, END),
    "ninth": (Rank(Fraction(9, 10)), (1, 20), END, 0),
}


@pytest.mark.parametrize("case", WORST)
def test_the_claim_is_tight_for_one_target(case: str) -> None:
    """One row is worth the whole ε: a rate that were 1 % larger would break the claim."""
    target, pair, added, cell = WORST[case]
    claimed = float(JointQuantiles(MAX_SIZE, (target,), RATE).event(1).cost.eps)

    def loss(mechanism: JointQuantiles) -> float:
        chances = [
            log_chance(
                Mass(*halves(pairs)).cells(
                    0, MAX_SIZE * UNITS, target, mechanism.choice_rate(target)
                ),
                cell,
            )
            for pairs in ([pair], sorted([pair, (added, 1)]))
        ]
        return abs(chances[0] - chances[1])

    assert loss(JointQuantiles(MAX_SIZE, (target,), RATE)) <= claimed
    assert loss(JointQuantiles(MAX_SIZE, (target,), RATE * Fraction(101, 100))) > claimed


def test_the_claim_is_tight_for_two_levels() -> None:
    """The same row is worth ε / 2 to the cut for the median, and as much to the least value."""
    targets = (Rank(Fraction(0), 5), Rank(HALF), Rank(Fraction(1)))
    cut = END * UNITS + 1  # above all rows

    def loss(rate: Fraction) -> float:
        mechanism = JointQuantiles(MAX_SIZE, targets, rate)
        (below,), middle, _ = divide(mechanism.targets)  # the upper part has none of the row
        total = 0.0
        for sign, pairs in ((1, [(END - 1, 40)]), (-1, [(0, 1), (END - 1, 40)])):
            rows = Mass(*halves(pairs))
            first = rows.cuts(0, MAX_SIZE * UNITS, middle, mechanism.choice_rate(middle))
            second = rows.cells(0, cut, below, mechanism.choice_rate(below))
            total += sign * (log_chance(first, cut) + log_chance(second, END))
        return total

    claimed = float(JointQuantiles(MAX_SIZE, targets, RATE).event(1).cost.eps)
    assert loss(RATE) <= claimed < loss(RATE * Fraction(101, 100))


histograms = st.dictionaries(st.integers(0, 5), st.integers(1, 4)).map(lambda d: sorted(d.items()))
shares = st.fractions(0, 1, max_denominator=12)


def mass_below(pairs: list[tuple[int, int]], step: int, units: int) -> Fraction:
    return sum(
        (count * min(max(Fraction(step, units) - cell, 0), 1) for cell, count in pairs), Fraction()
    )


@settings(deadline=None)
@given(histograms, shares, st.integers(-3, 3), st.data())
def test_scores_are_what_the_claim_says(
    pairs: list[tuple[int, int]], share: Fraction, shift: int, data: st.DataObject
) -> None:
    """Every candidate once, with its distance from the target as the docstring defines it."""
    units, size, rate = 8, 6, Fraction(1, 10**6)  # so small a rate neglects nothing
    cuts = st.integers(0, size * units // 2 - 1).map(lambda i: 2 * i + 1)
    low, high = sorted([data.draw(cuts | st.just(0)), data.draw(cuts | st.just(size * units))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mass, "UNITS", units)
        rows = Mass(*halves(pairs))
        target = Rank(share, shift)
        offers = [rows.cuts(low, high, target, rate), rows.cells(low, high, target, rate)]
        below = [Fraction(rows.below(step), units) for step in range(size * units + 1)]
    assert below == [mass_below(pairs, step, units) for step in range(size * units + 1)]
    n = below[high] - below[low]
    rank = share * n + shift
    if shift > 0:
        rank = min(rank, max(share * n, n / 2))
    else:
        rank = max(rank, min(share * n, n / 2))
    if low < high:
        for offer in offers:
            found = {
                start + offer.step * j: (a + b * j) * offer.rate / rate
                for start, (n, a, b) in zip(offer.starts, offer.pieces, strict=True)
                for j in range(n)
            }
            assert sum(piece.n for piece in offer.pieces) == len(found)
            if offer.step == 2:
                wanted = {
                    step: abs(below[step] - below[low] - rank)
                    for step in range(low | 1, high + 1, 2)
                }
            else:
                wanted = {}
                for cell in range(low // units, (high - 1) // units + 1):
                    left = below[max(low, cell * units)] - below[low]
                    right = below[min(high, (cell + 1) * units)] - below[low]
                    wanted[cell] = max(Fraction(), left - rank, rank - right)
            assert found == wanted
    else:
        assert [offer.starts for offer in offers] == [[low], [low // units]]


@settings(deadline=None, max_examples=50)
@given(
    st.integers(1, MAX_SIZE),
    st.lists(shares, min_size=1, max_size=7).map(sorted),
    st.fractions(Fraction(1, 100), 100),
    st.data(),
)
def test_answers_are_cells_in_order(
    size: int, wanted: list[Fraction], eps: Fraction, data: st.DataObject
) -> None:
    cells = st.dictionaries(st.integers(0, size - 1), st.integers(0, 10**12), max_size=20)
    pairs = sorted(data.draw(cells).items())
    mechanism = JointQuantiles.calibrate(3, eps, size, wanted)
    assert mechanism.event(3).cost.eps == min(eps, MOST * len(wanted).bit_length())
    answers = mechanism.draw(*halves(pairs))
    assert len(answers) == len(wanted)
    assert answers == sorted(answers)
    assert all(0 <= answer < size for answer in answers)


def test_no_rows_give_any_cell() -> None:
    drawn = Counter(
        JointQuantiles(4, (Rank(HALF),), RATE).draw(*halves([]))[0] for _ in range(4000)
    )
    for cell in range(4):
        low, high = limits(drawn[cell], 4000, 1e-6 / 8)
        assert low <= 0.25 <= high


def test_much_budget_gives_the_exact_quantiles() -> None:
    wanted = [Fraction(0), Fraction(1, 10), QUARTER, HALF, Fraction(9, 10), Fraction(1)]
    mechanism = JointQuantiles.calibrate(1, Fraction(10**6), 10**6, wanted)
    pairs = [(7 * i, 1000) for i in range(9)]
    assert mechanism.draw(*halves(pairs)) == [0, 0, 14, 28, 56, 56]
    assert mechanism.draw(*halves([(3, 10**15)])) == [3] * 6  # ties are divided


def test_levels_and_shares_of_the_budget() -> None:
    for m, levels in {1: 1, 2: 2, 3: 2, 4: 3, 7: 3, 8: 4}.items():
        mechanism = JointQuantiles.calibrate(5, Fraction(2), 100, [HALF] * m)
        assert (mechanism.levels, mechanism.rate) == (levels, Fraction(2, 5 * levels))
        # The last one or two targets of a part are one choice each.
        paths = mechanism._paths(mechanism.targets)
        assert (
            max(len(path) - 1 + path[-1].places // 100 for path in paths if path[-1].places <= 200)
            == levels
        )


def test_rescaled_targets_keep_their_ranks() -> None:
    """Whatever the mass N, if the cut is where it should be."""
    cuts = [Rank(Fraction(1, 3), 6), Rank(Fraction(0), 6), Rank(Fraction(1), -6)]
    for cut, n in product(cuts, (600, 1200)):
        at = cut.share * n + cut.shift
        for target in (Rank(Fraction(1, 6), 3), Rank(Fraction(5, 6), -4)):
            rank = target.share * n + target.shift
            if target.share <= cut.share:
                new = target.below(cut)
                assert abs(new.share * at + new.shift - rank) <= HALF
            else:
                new = target.above(cut)
                assert abs(new.share * (n - at) + new.shift + at - rank) <= HALF


@pytest.mark.deep
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_the_rank_error_holds(confidence: float) -> None:
    wanted = [Fraction(0), QUARTER, HALF, Fraction(9, 10), Fraction(1)]
    mechanism = JointQuantiles.calibrate(1, Fraction(1), 1000, wanted)
    pairs = [(i, 20) for i in range(200, 700)]
    errors, draws = mechanism.rank_error(confidence), 300
    answers = [mechanism.draw(*halves(pairs)) for _ in range(draws)]
    for i, (target, error) in enumerate(zip(mechanism.targets, errors, strict=True)):
        rank = target.share * 10_000 + target.shift
        lows = [min(max(answer[i] - 200, 0), 500) * 20 for answer in answers]
        highs = [min(max(answer[i] - 199, 0), 500) * 20 for answer in answers]
        hits = sum(a - error <= rank <= b + error for a, b in zip(lows, highs, strict=True))
        assert limits(hits, draws, 1e-6)[1] >= confidence
    # The first choice inherits nothing: P(|e| > r) = exp(−rate·r).
    assert errors[2] == pytest.approx(-math.log(1 - confidence) / float(mechanism.rate), abs=1.2)


@pytest.mark.parametrize("wanted", [[Fraction(9, 10)], [QUARTER, HALF, Fraction(3, 4)]])
def test_the_rank_error_is_no_wider_than_it_must_be(wanted: list[Fraction]) -> None:
    """Of rows spread evenly 95 % of the answers are within it, and not within a third as many."""
    mechanism = JointQuantiles.calibrate(1, Fraction(1, 5), 2**16, wanted)
    answers = [mechanism.draw(*halves([(200 * i, 10) for i in range(300)])) for _ in range(150)]
    for i, (share, error) in enumerate(zip(wanted, mechanism.rank_error(0.95), strict=True)):
        away = [abs(answer[i] / 20 - float(share) * 3000) for answer in answers]
        assert limits(sum(x <= error + 10 for x in away), 150, 1e-7)[1] >= 0.95
        assert limits(sum(x <= error / 3 for x in away), 150, 1e-7)[1] < 0.95


@pytest.mark.parametrize(("a", "b"), [(1, 2), (1, 10), (3, 4)])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_two_errors_add_up_as_they_should(a: int, b: int, confidence: float) -> None:
    """P(|e₁ + e₂| > t), in closed form, for spreads a and b."""
    t = off([Fraction(a), Fraction(b)], confidence)
    missed = (b * b * math.exp(-t / b) - a * a * math.exp(-t / a)) / (b * b - a * a)
    assert missed == pytest.approx(1 - confidence, rel=0.05)


def test_extremes_lie_in_the_data() -> None:
    for share in (Fraction(0), Fraction(1)):
        mechanism = JointQuantiles.calibrate(2, Fraction(1), 10**6, [share])
        tau = abs(mechanism.targets[0].shift)
        assert tau == math.ceil(math.log(10**6 / OUTSIDE) / (float(mechanism.rate) / 2))
        drawn = [mechanism.draw(*halves([(5000, tau), (5001, 2 * tau)]))[0] for _ in range(500)]
        assert limits(sum(not 5000 <= z <= 5001 for z in drawn), 500, 1e-6)[0] <= OUTSIDE
        # Too few rows: the middle, not an end of the grid.
        few = [
            mechanism.draw(*halves([(5000, tau // 2), (105_000, tau // 2)]))[0] for _ in range(500)
        ]
        assert sum(5000 <= z <= 105_000 for z in few) > 450


def test_senseless_arguments_are_refused() -> None:
    good = (Rank(HALF),)
    for size, targets, rate in (
        (0, good, RATE),
        (MAX_SIZE + 1, good, RATE),
        (3, (), RATE),
        (3, good, Fraction(0)),
        (3, (Rank(HALF), Rank(QUARTER)), RATE),
        (3, (Rank(Fraction(-1)),), RATE),
        (3, (Rank(Fraction(2)),), RATE),
    ):
        with pytest.raises(ValueError, match=r"grid|shares"):
            JointQuantiles(size, targets, rate)
    with pytest.raises(TypeError):
        JointQuantiles(3, (Rank(0.5),), RATE)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        JointQuantiles.calibrate(1, 0.5, 3, [HALF])  # type: ignore[arg-type]
    for rows, eps in ((0, 1), (1, 0), (1, -1)):
        with pytest.raises(ValueError, match="positive"):
            JointQuantiles.calibrate(rows, Fraction(eps), 3, [HALF])
    with pytest.raises(ValueError, match="shares"):
        JointQuantiles.calibrate(1, Fraction(1), 3, [])
    mechanism = JointQuantiles(3, good, RATE)
    with pytest.raises(ValueError, match="confidence"):
        mechanism.rank_error(1.0)
    with pytest.raises(ValueError, match="rows"):
        mechanism.event(-1)


def test_senseless_pairs_are_refused_without_a_value() -> None:
    mechanism = JointQuantiles(3000, (Rank(HALF),), RATE)
    for pairs in (
        [(777, 1), (777, 1)],
        [(777, 1), (776, 1)],
        [(3777, 1)],
        [(-777, 1)],
        [(1, -777)],
    ):
        with pytest.raises(ValueError, match="cell") as caught:
            mechanism.draw(*halves(pairs))
        assert "77" not in str(caught.value)


def check_the_range(draws: int, too_small: Fraction) -> None:
    # A row more at the upper end takes ½ from the first cell and gives ½ to the third.
    def loss(eps: Fraction) -> float:
        mechanism = JointQuantiles.calibrate(1, eps, 4, [HALF])
        left = [mechanism.draw(*halves([(1, 1)]))[0] for _ in range(draws)]
        right = [mechanism.draw(*halves([(1, 1), (3, 1)]))[0] for _ in range(draws)]
        return proven_range(left, right, 0, 2)

    assert loss(Fraction(2)) <= 2 < loss(2 / too_small)


@pytest.mark.deep
def test_the_loss_is_within_the_claim_and_20_percent_less_noise_is_caught() -> None:
    check_the_range(DRAWS, Fraction(8, 10))


@pytest.mark.deep
def test_10_percent_less_noise_is_caught() -> None:
    check_the_range(DEEP_DRAWS, Fraction(9, 10))
