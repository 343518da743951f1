"""`make test-engines` leaves out no case of the language: each has its day."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support import effort, far_cases


@pytest.fixture(autouse=True)
def engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "FULL", True)
    monkeypatch.setattr(effort, "ALL", True)


@pytest.mark.parametrize("first", [0, 1, effort.DAY])
def test_each_case_has_one_day(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = []
    for day in range(first, first + effort.PARTS):
        monkeypatch.setattr(effort, "DAY", day)
        parts.append([case.name for case in far_cases.tried()])
    times = Counter(name for part in parts for name in part)
    assert times == {case.name: 1 for case in far_cases.ACCEPTED}
    assert max(map(len, parts)) <= 1.5 * len(times) / effort.PARTS  # or a day lasts too long


def test_who_comes_once_a_week_tries_each_case(monkeypatch: pytest.MonkeyPatch) -> None:
    found = set[str]()
    for _ in range(effort.PARTS):
        monkeypatch.setattr(effort, "DAY", effort.DAY + 7)
        found |= {case.name for case in far_cases.tried()}
    assert found == {case.name for case in far_cases.ACCEPTED}


def test_all_are_tried_at_once_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far_cases, "PARTS", 1)
    assert far_cases.tried() == far_cases.ACCEPTED
