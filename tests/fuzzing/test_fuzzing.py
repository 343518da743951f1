"""A few seconds of the fuzzer; `benchmarks/fuzz.py` runs it for as long as one likes."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

import pytest

from tests.fuzzing.loop import Tally, leaks, tried, typed
from tests.fuzzing.targets import TARGETS
from tests.fuzzing.tries import UntypedExitError, clean

INPUTS = 350
DEADLINE = 60.0
"""Generous: other work may run on the machine."""


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> Iterator[None]:
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path))
    yield
    log = logging.getLogger("dpsql.owner")
    for handler in list(log.handlers):
        if isinstance(handler, logging.FileHandler):  # of a command line with --log
            log.removeHandler(handler)
            handler.close()


@pytest.fixture(scope="module", autouse=True)
def folder() -> Iterator[None]:
    yield
    clean()


def check(seed: int, inputs: int) -> Tally:
    rng = random.Random(seed)
    tally = Tally()
    names, weights = list(TARGETS), [weight for _, weight in TARGETS.values()]
    for _ in range(inputs):
        tried(rng.choices(names, weights)[0], rng.getrandbits(48), tally, DEADLINE)
    assert not tally.findings, "\n".join(f"{f}" for f in tally.findings.values())
    return tally


def test_nothing_but_typed_errors() -> None:
    tally = check(2, INPUTS)
    assert sum(tally.accepted.values()) > INPUTS // 20


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(10, 14))
def test_nothing_but_typed_errors_deep(seed: int) -> None:
    check(seed, 2500)


def test_the_fuzzer_finds_what_it_should() -> None:
    """An error that is no typed one, and a message that tells a value, are findings."""
    assert not typed(KeyError("x")) and not typed(UntypedExitError("exit 1"))
    with pytest.raises(ValueError, match="invalid literal") as caught:
        int("x")
    assert not typed(caught.value)  # Python's own, not one that is documented
    assert leaks(ValueError("Could not convert 'SECRET'"), "SELECT 1")
    assert not leaks(ValueError("no column SECRET"), "SELECT secret")
