"""How much a test with random examples tries: a share of it usually, all in the deep suite. That
runs once more what imports this, or `brute` that does, and nothing else."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from typing import TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")

FULL = bool(os.environ.get("DPSQL_FULL"))
"""Set by `make test-deep`, and by `tools.engines`."""

ALL = os.environ.get("DPSQL_FULL") == "all"
"""By the second of these: an engine is tried with all there is."""

DAY = int(os.environ.get("DPSQL_DAY") or date.today().toordinal())
"""The deep suite draws other examples each day; the number, said with what fails, repeats them."""

PARTS = int(os.environ.get("DPSQL_PARTS") or 20)
"""Days after which `tools.engines` has tried each case of the language on each server; with 1 it
tries all at once. No multiple of 7: who runs it once a week comes to all parts as well."""

OTHERS = bool(os.environ.get("DPSQL_OTHERS"))
"""Set by `make deep-cases`: the cases are tried that `make test` leaves out."""


def left_out(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """What `make test` leaves to the deep suite: of the cases of a test that is marked `one_in(n)`
    all but one in n, always the same ones.
    """
    cases = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if (mark := item.get_closest_marker("one_in")) is not None:
            cases[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    left = list[pytest.Item]()
    for (_, of), same in cases.items():
        same.sort(key=lambda item: crc32(item.nodeid.encode()))
        left += same[-(-len(same) // of) :]
    return left


def tries(usual: int, full: int) -> int:
    """How many examples to try.

    Args:
        usual: in `make test`, by everybody and often; enough to kill the mutants of the rule.
        full: in `make test-deep`.
    """
    return full if FULL else usual


def chosen(every: Iterable[T], *usual: T) -> list[T]:
    """Those of many that are tried: the named ones usually, all of them in `make test-deep`."""
    found = list(every)
    assert all(one in found for one in usual)
    return found if FULL else list(usual)


def some_of_each(every: Iterable[T], kind: Callable[[T], str], usual: int) -> list[T]:
    """Of each kind of many cases so many usually, always the same ones; all in `make test-deep`."""
    kinds = defaultdict[str, list[T]](list)
    for one in every:
        kinds[kind(one)].append(one)
    for name, same in kinds.items():
        if not FULL:
            start = crc32(name.encode()) % len(same)
            same[:] = [*same[start:], *same[:start]][:usual]
    return [one for same in kinds.values() for one in same]


def sampled(name: str, of: int, full: int = 1, engines: int = 1) -> bool:
    """Whether one of many is tried: about one in `of` usually, always the same ones; in
    `make test-deep` one in `full`, in `make test-engines` one in `engines`, other ones each day.

    Args:
        name: by which it is chosen.
        of, full, engines: how many there are for each that is tried.
    """
    return dealt(name, engines if ALL else full, DAY) if FULL else dealt(name, of, 0)


def dealt(name: str, parts: int, day: int) -> bool:
    """Whether it is one's turn: in so many days in a row each name has exactly one."""
    return (crc32(name.encode()) - day) % parts == 0
