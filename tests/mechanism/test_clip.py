"""The choice of a clip: its exact law, the tight pair, what it spends, what it says of itself."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import pytest

from dpsql.core.account.events import ExponentialEvent
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import FINE, SUMS, ClipChoice
from dpsql.core.noise.laplace import DiscreteLaplace
from tests.support.edits import edit

from .bounds import limits

CLIPS = (1, 2, 4, 8)
DRAWS = 3_000
EPS = Fraction(3, 2)


def made(units: int = 1, eps: Fraction = EPS) -> ClipChoice:
    return ClipChoice.calibrate(eps, Fraction(1, 2), Fraction(1), units, CLIPS, SUMS)


def law(choice: ClipChoice, above: Sequence[int]) -> list[float]:
    """P(each candidate), from the scores and the rate that it is drawn at."""
    logs = [float(choice.eps) * score / FINE for score in choice.scores(above)]
    weights = [math.exp(x - max(logs)) for x in logs]
    return [w / sum(weights) for w in weights]


def loss(left: Sequence[float], right: Sequence[float]) -> float:
    return max(abs(math.log(a / b)) for a, b in zip(left, right, strict=True))


def falling(most: int) -> list[tuple[int, ...]]:
    """Counts of units above each clip."""
    return [c for c in product(range(most, -1, -1), repeat=4) if list(c) == sorted(c)[::-1]]


@pytest.mark.parametrize("replaced", [False, True])
def test_no_neighbours_are_farther_apart_than_claimed(replaced: bool) -> None:
    """All counts up to 5; one unit more is above the first few clips, and where it is another one's
    place that it takes, that one is above no more.
    """
    choice = made()
    spent = float(choice.events()[0].cost.eps)
    assert spent == pytest.approx(float(EPS))
    ones = [(1,) * n + (0,) * (4 - n) for n in range(5)]
    worst = 0.0
    for counts in falling(5):
        for more in ones:
            for less in ones if replaced else [(0, 0, 0, 0)]:
                other = [c + m - n for c, m, n in zip(counts, more, less, strict=True)]
                if min(other) >= 0:
                    worst = max(worst, loss(law(choice, counts), law(choice, other)))
    assert worst <= spent + 1e-9
    assert worst > 0.5 * spent


def test_the_claim_is_reached() -> None:
    """Two clips far apart, of which one unit decides."""
    choice = ClipChoice.calibrate(EPS, Fraction(1, 2), Fraction(10), 1, (1, 2**60), SUMS)
    left, right = law(choice, (60, 0)), law(choice, (61, 0))
    assert loss(left, right) == pytest.approx(float(EPS), rel=0.01)


def test_the_range_of_the_losses_is_what_is_recorded() -> None:
    """Bounded range: from the least to the greatest logarithm it is ε; no neighbour has more."""
    choice = made()
    left, right = law(choice, (5, 5, 0, 0)), law(choice, (6, 6, 0, 0))
    ratios = [math.log(a / b) for a, b in zip(left, right, strict=True)]
    assert max(ratios) - min(ratios) == pytest.approx(float(EPS))
    assert choice.events()[0] == ExponentialEvent(EPS)


@pytest.mark.parametrize("above", [(0, 0, 0, 0), (9, 4, 2, 0), (30, 30, 30, 30), (50, 40, 1, 1)])
@pytest.mark.one_in(2)
def test_every_clip_comes_as_often_as_it_should(above: tuple[int, ...]) -> None:
    choice = made()
    drawn = [choice.draw(above, max(above))[0] for _ in range(DRAWS)]
    for number, chance in enumerate(law(choice, above)):
        low, high = limits(drawn.count(number), DRAWS, 1e-6 / 16)
        assert low <= chance + 1e-12 and chance - 1e-12 <= high


def test_the_prior_falls_as_it_says() -> None:
    """With nobody above any clip each is as much less likely as it is said."""
    chances = law(made(), (0, 0, 0, 0))
    for a, b in pairwise(chances):
        assert a / b == pytest.approx(2.0 ** float(SUMS), rel=0.01)


@pytest.mark.parametrize(
    ("old", "new", "check"),
    [
        (" - prior", "", test_the_prior_falls_as_it_says),
        (
            "max(0, count - self.target)",
            "2 * max(0, count - self.target)",
            partial(test_no_neighbours_are_farther_apart_than_claimed, replaced=False),
        ),
    ],
    ids=["prior", "scores"],
)
def test_mutants(
    old: str, new: str, check: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the prior, and with scores that one unit moves by two."""
    edit("", ClipChoice.scores, old, new)(monkeypatch)
    with pytest.raises(AssertionError):
        check()


def test_the_count_above_says_whether_the_clip_is_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = made()
    monkeypatch.setattr(DiscreteLaplace, "draw", lambda self, n: [0] * n)
    assert choice.draw((5,) * 4, choice.enough + 5)[1]
    assert not choice.draw((5,) * 4, choice.enough + 4)[1]


@pytest.mark.parametrize(("units", "above"), [(30, 30), (300, 300), (2, 0)])
def test_no_clip_is_sure_below_which_nobody_or_hardly_anybody_is(units: int, above: int) -> None:
    choice = made()
    said = sum(choice.draw((above,) * 4, units)[1] for _ in range(2_000))
    assert said / 2_000 <= 0.01


def test_a_clip_below_which_most_are_is_sure() -> None:
    choice = made()
    said = sum(choice.draw((3,) * 4, 2 * choice.enough)[1] for _ in range(2_000))
    assert said / 2_000 >= 0.99


@pytest.mark.parametrize("units", [1, 2])
def test_it_spends_what_it_is_given(units: int) -> None:
    thresholds = [(2**k, 4096) for k in range(30)]
    for eps in (Fraction(1, 100), Fraction(4, 5), Fraction(50)):
        found = AdaptiveLaplace.calibrate(eps, units, thresholds, SUMS)
        spent = sum(event.cost.eps for event in found.events())
        assert eps * (1 - Fraction(1, 2**40)) <= spent <= eps
        assert found.clip.target == round(units / (eps * Fraction(2, 3)))
        assert len(found.clip.priors) == len(found.thresholds)
    # No choice uses more than the sampler's error allows.
    most = AdaptiveLaplace.calibrate(Fraction(10**6), units, thresholds, SUMS)
    assert most.clip.events()[0].cost.eps == 64


def test_senseless_arguments_are_refused() -> None:
    good = (Fraction(1), Fraction(1), Fraction(1), 1, (1, 2), SUMS)
    for place, wrong in (
        (0, Fraction(0)),
        (1, Fraction(-1)),
        (2, Fraction(0)),
        (3, 0),
        (4, (0, 1)),
    ):
        given = [*good[:place], wrong, *good[place + 1 :]]
        with pytest.raises(ValueError, match="positive"):
            ClipChoice.calibrate(*given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Fraction"):
        ClipChoice.calibrate(0.5, Fraction(1), Fraction(1), 1, (1, 2), SUMS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("units", "expected", "best"),
    [
        (100, 0.9997, 0.1285),
        (150, 0.3021, 0.0985),
        (200, 0.1117, 0.0811),
        (300, 0.0840, 0.0621),
        (1000, 0.0353, 0.0267),
    ],
)
def test_few_units_are_enough(units: int, expected: float, best: float) -> None:
    """What is lost above the clip and the mean of the noise, over the sum, by the exact law; at the
    quantiles of a lognormal law with σ = 1, at ε = 0.8.
    """
    thresholds = [(math.ceil(2 ** (k / 4)), 1) for k in range(4 * 40)]
    found = AdaptiveLaplace.calibrate(Fraction(4, 5), 1, thresholds, SUMS)
    totals = [math.ceil(2**14 * math.exp(z)) for z in normal(units)]
    clips = [clip for clip, _ in thresholds]
    chances = law(found.clip, [sum(v > clip for v in totals) for clip in clips])
    off = [
        (sum(max(0, v - clip) for v in totals) + clip / float(found.rest)) / sum(totals)
        for clip in clips
    ]
    assert min(off) == pytest.approx(best, abs=1e-4)
    mean = math.fsum(p * lost for p, lost in zip(chances, off, strict=True))
    assert mean == pytest.approx(expected, abs=1e-4)


def normal(count: int) -> list[float]:
    from statistics import NormalDist

    return [NormalDist().inv_cdf((i + 0.5) / count) for i in range(count)]
