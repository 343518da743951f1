"""What is stored is read back to the last bit, or not at all; and nothing in it is exact."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from operator import mul
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.tails import half_width
from dpsql.core.plan.canonical import Canonical, digest
from dpsql.core.release.decode import Noisy
from dpsql.execution import stored
from dpsql.execution.fineness import EXACT, Fineness
from dpsql.execution.identity import Counted, Identity, Parts
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.stored import Answered, Summands
from dpsql.execution.summed import FEW, SMOOTH, Summed, summed
from dpsql.platform.ledger.ledger import Stored
from tests.execution.repeated import GROUPS, WHOLE, Data, served

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**130), 2**130),
    st.fractions(),
    st.text(),
    st.dates(),
    st.datetimes(),
)
wild = st.sampled_from([math.nan, math.inf, -math.inf])
numbers = st.one_of(st.integers(-(2**130), 2**130), st.fractions())
noises = st.builds(
    lambda kind, scale: kind(scale),
    st.sampled_from([DiscreteLaplace, DiscreteGaussian]),
    st.floats(0, 2.0**55),
)
CONDITION = digest("condition")


@st.composite
def releases(draw: st.DrawFn) -> NoisyRelease:
    keys, measures, picks, groups = (draw(st.integers(0, 3)) for _ in range(4))
    return NoisyRelease(
        [tuple(draw(scalars | wild) for _ in range(keys)) for _ in range(groups)],
        [
            Noisy(
                [draw(numbers) for _ in range(measures)],
                tuple((draw(scalars),) * draw(st.integers(1, 2)) for _ in range(picks)),
            )
            for _ in range(groups)
        ],
        tuple((draw(noises), draw(st.fractions(0, 1))) for _ in range(measures)),
        frozenset(n for n in range(measures) if draw(st.booleans())),
    )


def kinds(release: NoisyRelease) -> list[object]:
    """The types that equality does not tell apart: 1 == True == Fraction(1)."""
    rows = [(*row.measures, *(v for pick in row.picks for v in pick)) for row in release.noisy]
    return [[type(v) for v in part] for part in (*release.groups, *rows)]


def identity(release: NoisyRelease, *, parts: bool) -> Identity:
    width = len(release.groups[0]) if release.groups else 0
    keys = tuple(f"key {n}" for n in range(width))
    measures = tuple(f"measure {n}" for n in range(len(release.noises)))
    counts = (Counted("count", (1,), (0,), 9),) if len(measures) > 1 else ()
    all_tested = (True,) * width
    made = Parts("rows", {CONDITION: None}, keys, all_tested, measures, counts, Canonical())  # type: ignore[dict-item]
    return Identity("shape", "schema", made if parts else None)


FINE = (
    Fineness("laplace", (Fraction(1, 3),), DiscreteLaplace(0.1)),
    Fineness(EXACT),
    Fineness("adaptive", (Fraction(1), Fraction(2**70))),
)


def written(release: NoisyRelease, *, parts: bool = True) -> Stored:
    return stored.stored(identity(release, parts=parts), "key", "family", release, FINE)


@settings(suppress_health_check=[HealthCheck.too_slow])  # that is of the machine
@given(releases(), st.booleans())
def test_what_is_stored_is_read_to_the_last_bit(release: NoisyRelease, parts: bool) -> None:
    kept = replace(written(release, parts=parts), number=7, place=1)
    found = stored.read(kept)
    assert found is not None
    known = identity(release, parts=True).parts
    assert known is not None
    summands = Summands(
        frozenset([CONDITION]), known.keys, known.tested, known.measures, known.counts
    )
    assert found == Answered("shape", release, FINE, summands if parts else None, 7, 1)
    assert kinds(found.release) == kinds(release)
    assert [n.scale.hex() for n, _ in found.release.noises] == [
        n.scale.hex() for n, _ in release.noises
    ]


EXAMPLE = NoisyRelease(
    [("a", date(2024, 1, 2)), (None, datetime(2024, 1, 2))],
    [Noisy([5, Fraction(1, 2)]), Noisy([6, Fraction(7)])],
    ((DiscreteLaplace(2.5), Fraction(1)), (DiscreteGaussian(3.5), Fraction(1, 4))),
)


def resealed(**changes: object) -> Stored:
    """The example with another content and a digest that fits."""
    kept = written(EXAMPLE)
    whole = json.loads(kept.body)
    answer = {**json.loads(whole["answer"]), **changes}
    text = json.dumps({k: v for k, v in answer.items() if v != "drop"})
    whole |= {"answer": text, "digest": digest(kept.key, kept.family, text)}
    return replace(kept, body=json.dumps(whole))


def test_a_sealed_example_is_read() -> None:
    assert stored.read(resealed()) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"groups": "drop"},
        {"groups": [["a", {"d": "2024-01-02"}]]},
        {"groups": [["a", {"d": "2024-1-2"}], [None, None]]},
        {"groups": [["a"], [None]]},
        {"groups": [["a", 1.5], [None, None]]},
        {"groups": [["a", {"x": "1"}], [None, None]]},
        {"groups": [["a", {"f": "2/4"}], [None, None]]},
        {"groups": [["a", ["b"]], [None, None]]},
        {"measures": [[5], [6]]},
        {"measures": [[5, 1.0], [6, 7]]},
        {"measures": [[5, True], [6, 7]]},
        {"measures": [[5, "1"], [6, 7]]},
        {"measures": [[5, {"f": "1/0"}], [6, 7]]},
        {"noises": [[["laplace", "-0x1p+1"], 1], [["gaussian", "0x1p+1"], 1]]},
        {"noises": [[["laplace", "inf"], 1], [["gaussian", "0x1p+1"], 1]]},
        {"noises": [[["cauchy", "0x1p+1"], 1], [["gaussian", "0x1p+1"], 1]]},
        {"noises": [[["laplace"], 1], [["gaussian", "0x1p+1"], 1]]},
        {"fineness": [["laplace", [1], None]]},
        {"fineness": None},
        {"unsure": [2]},
        {"unsure": ["0"]},
        {"unsure": None},
        {"shape": 5},
        {"parts": {}},
        {"parts": []},
    ],
)
def test_another_content_is_not_read(changes: dict[str, object]) -> None:
    assert stored.read(resealed(**changes)) is None


@pytest.mark.parametrize(
    "count", [["c", 0, 1], ["c", 0, 2, 9], ["c", -1, 1, 9], ["c", 0, 1, 0], ["c", True, 1, 9], "c"]
)
def test_another_count_is_not_read(count: object) -> None:
    parts = {"conditions": [], "keys": ["k", "l"], "tested": [True, True], "measures": ["a", "b"]}
    assert stored.read(resealed(parts={**parts, "counts": [["c", 0, 1, 9]]})) is not None
    assert stored.read(resealed(parts=parts)) is not None  # of a version that had none
    assert stored.read(resealed(parts={**parts, "counts": [count]})) is None


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", "5", '"a"', "[" * 10_000, '{"format": 1}', "\x00", "NaN"],
)
def test_what_is_no_answer_is_not_read(body: str) -> None:
    assert stored.read(replace(written(EXAMPLE), body=body)) is None


@pytest.mark.parametrize(
    "edit",
    [
        lambda s: replace(s, body=s.body.replace('"format":2', '"format":1')),
        lambda s: replace(s, body=s.body.replace("[[5,", "[[50,")),
        lambda s: replace(s, body=s.body[:-1]),
        lambda s: replace(s, key="other"),
        lambda s: replace(s, family="other"),
    ],
)
def test_an_edited_answer_is_not_read(edit: object) -> None:
    kept = written(EXAMPLE)
    edited = edit(kept)  # type: ignore[operator]
    assert edited != kept and stored.read(kept) is not None and stored.read(edited) is None


def test_nothing_exact_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All numbers are made by the noise: where it puts 10^12 for everything, so do the bodies."""
    data = Data(tmp_path / "shop.duckdb")
    true = "dpsql.execution.noise._noised"
    monkeypatch.setattr(true, lambda values, noise: [10**12 for _ in values])
    for sql in (GROUPS, *WHOLE):
        data.ask(sql, 1)
    for line in range(1, data.lines + 1):
        for kept in data.db._ledger.answers(line):
            found = stored.read(kept)
            assert found is not None
            assert all(v == 10**12 for row in found.release.noisy for v in row.measures)
    data.db.close()


def test_a_tampered_answer_is_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Data(tmp_path / "shop.duckdb")
    data.ask(GROUPS)
    assert served(data, GROUPS) is not None
    ledger, true = type(data.db._ledger), type(data.db._ledger).find

    def edited(self: object, **by: str) -> tuple[Stored, ...]:
        return tuple(replace(s, body=s.body.replace("groups", "Groups")) for s in true(self, **by))  # type: ignore[arg-type]

    monkeypatch.setattr(ledger, "find", edited)
    assert served(data, GROUPS) is None
    data.db.close()


# --- the noise of sums ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "one", [DiscreteLaplace(0.5), DiscreteLaplace(20.0), DiscreteGaussian(9.0)]
)
@pytest.mark.parametrize("count", [2, 3, FEW])
def test_a_sum_is_as_wide_as_its_parts_together(
    one: DiscreteLaplace | DiscreteGaussian, count: int
) -> None:
    assert Summed(one, count).interval(0.95) == half_width(((one, 1.0),) * count, 0.95)


def sums(scale: float, count: int) -> list[float]:
    """P(S = 0), P(S = 1), … of a sum of discrete Laplace draws: each is the difference of two
    geometric numbers, so that S is that of two negative binomial ones.
    """
    rate = -1 / scale
    stop = -math.expm1(rate)
    mean, deviation = count * math.exp(rate) / stop, math.sqrt(count * math.exp(rate)) / stop
    first, last = max(0, int(mean - 12 * deviation)), int(mean + 12 * deviation) + 20
    start = math.lgamma(count)
    half = [
        math.exp(math.lgamma(n + count) - start - math.lgamma(n + 1) + rate * n)
        * math.exp(count * math.log(stop))
        for n in range(first, last)
    ]
    return [math.fsum(map(mul, half, half[d:])) for d in range(int(8 * deviation) + 5)]


@pytest.mark.parametrize("scale", [0.02, 0.1, 0.2, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("count", [FEW + 1, 100, 300])
def test_many_draws_are_no_wider_than_is_said(scale: float, count: int) -> None:
    masses = sums(scale, count)
    assert math.fsum((masses[0], *(2 * p for p in masses[1:]))) == pytest.approx(1, abs=1e-6)
    inside, true = masses[0], 0
    while inside < 0.95:
        true += 1
        inside += 2 * masses[true]
    found = Summed(DiscreteLaplace(scale), count)
    assert found.interval(0.95) >= true
    if found._deviation >= SMOOTH:
        assert found.interval(0.95) <= true * (1 + 1 / count) + 1


@given(noises, st.integers(1, 20))
def test_more_draws_are_wider(noise: DiscreteLaplace | DiscreteGaussian, count: int) -> None:
    more = summed(noise, count + 1).interval(0.95)
    assert summed(noise, count).interval(0.95) <= more * (1 + 1e-3)


def test_no_noise_stays_none() -> None:
    assert Summed(DiscreteLaplace(0.0), 1000).interval(0.95) == 0
