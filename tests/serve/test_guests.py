"""Who holds connections, and how many."""

from __future__ import annotations

import pytest

from dpsql.errors import RateExceeded
from dpsql.serve.guests import STRANGERS, Guests


def test_the_oldest_stranger_leaves_for_a_new_one() -> None:
    guests, left = Guests(10, 10), list[int]()
    every = [guests.come(lambda n=n: left.append(n)) for n in range(STRANGERS + 2)]  # type: ignore[misc]
    assert left == [0, 1]
    guests.gone(every[2])
    guests.come(lambda: left.append(-1))
    assert left == [0, 1]


def test_who_is_known_is_no_stranger() -> None:
    guests, left = Guests(10, 10), list[str]()
    guests.known(guests.come(lambda: left.append("anna")), "anna")
    for _ in range(STRANGERS):
        guests.come(lambda: left.append("nobody"))
    assert left == []
    guests.come(lambda: None)
    assert left == ["nobody"]


def test_one_has_so_many_and_all_have_so_many() -> None:
    guests = Guests(3, 2)
    first, second, third, fourth = (guests.come(lambda: None) for _ in range(4))
    guests.known(first, "anna")
    guests.known(second, "anna")
    guests.known(second, "anna")  # it is already
    with pytest.raises(RateExceeded, match="in your name"):
        guests.known(third, "anna")
    guests.known(third, "ben")
    with pytest.raises(RateExceeded, match="the server has too many"):
        guests.known(fourth, "cleo")
    guests.known(second, "cleo")  # goes on as somebody else
    guests.gone(first)
    guests.gone(first)  # twice is once
    guests.known(fourth, "cleo")
    with pytest.raises(RateExceeded):
        guests.known(guests.come(lambda: None), "cleo")
