"""What travels between a worker and its parent comes back exactly, or is no message."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpsql.platform.engine import worker_wire

SINGLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**127), 2**127),
    st.floats(),
    st.text(st.characters(exclude_categories=("Cs",))),
    st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**30)).filter(
        lambda v: abs(v) < 10**30
    ),
    st.dates(),
    st.datetimes().map(lambda v: v.replace(fold=0)),  # the engine has no folds
    st.times().map(lambda v: v.replace(fold=0)),
    st.timedeltas(),
    st.binary(),
    st.uuids(),
)
VALUES = st.recursive(
    SINGLE,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text("ab"), inner, max_size=3),
    ),
    max_leaves=5,
)


def there_and_back(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return worker_wire.rows(worker_wire.parsed(worker_wire.text(worker_wire.columns(rows))))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(VALUES, min_size=1, max_size=6))
def test_every_value_comes_back_exactly(values: list[object]) -> None:
    # By repr: 1 and True, 1.5 and Decimal('1.50'), 0.0 and -0.0 are equal, and not the same.
    rows = [(value, value) for value in values]
    assert repr(there_and_back(rows)) == repr(rows)


@pytest.mark.parametrize(
    "value",
    [
        *(0.1, -0.0, float("inf"), float("nan"), 5e-324, 2**127 - 1, True, None, "", "\0", "é😀"),
        *(Decimal("1.50"), Decimal("0E-10"), Decimal("-0.00"), Decimal(10**37)),
        *(date(1, 1, 1), date(9999, 12, 31), datetime(1, 1, 1), time(23, 59, 59, 999999)),
        *(timedelta(days=-3, microseconds=1), b"\x00\xff", UUID(int=5), [1, [None]], (1,), {}),
    ],
)
def test_values_at_the_edges(value: object) -> None:
    for rows in ([(value,)], [(value,), (None,)], [(value,), ("x",)]):
        assert repr(there_and_back(rows)) == repr(rows)


def test_a_time_with_a_zone_is_the_same_moment() -> None:
    there = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    [(back,)] = there_and_back([(there,)])
    assert back == there
    assert isinstance(back, datetime) and back.tzinfo is UTC


@pytest.mark.parametrize("value", [object(), {1, 2}, 1j, "\ud800"])
def test_what_has_no_form_is_not_sent(value: object) -> None:
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.text(worker_wire.columns([(value,)]))


@pytest.mark.parametrize(
    "said",
    [
        *(None, 5, "x", {}, [["f"]], [["f", [1]]], [["f", ["nan"]]], [["", [1.5]]], [["", [[]]]]),
        *([["D", [5]]], [["D", ["x"]]], [["D", ["NaN"]]], [["D", ["1E+999999"]]], [["d", ["x"]]]),
        *([["?", [1]]], [[[], [1]]], [["", [1]], ["", [1, 2]]], [["*", [["l", {}]]]]),
        *([["*", [[]]]], [["*", [["i", 1, 2]]]], [["*", [["i", 10**18, 0, 0]]]], [["*", [{}]]]),
        *([["*", [["m", [["l"], 1]]]]], [["b", ["zz"]]], [["u", ["zz"]]], [["*", [["f", "1"]]]]),
        [["D", ["1" * 100]]],
    ],
)
def test_what_is_no_message_is_not_read(said: object) -> None:
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.understood(lambda: worker_wire.rows(said))


def test_depth_and_length_are_bounded() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.parsed(deep)
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.parsed(b"1" * 10_000)  # Python reads no longer numbers
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.header(worker_wire.HEADER.pack(worker_wire.MAX_FRAME + 1, b"R"))
    with pytest.raises(worker_wire.NotSaid):
        worker_wire.text("x" * worker_wire.MAX_FRAME)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_none(body: bytes) -> None:
    try:
        said = worker_wire.parsed(body)
        worker_wire.understood(lambda: worker_wire.rows(said))
    except worker_wire.NotSaid:
        pass


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(st.none() | st.integers() | st.text() | st.floats(), st.lists))
def test_any_json_is_rows_or_none(said: object) -> None:
    try:
        found = worker_wire.understood(lambda: worker_wire.rows(json.loads(json.dumps(said))))
    except worker_wire.NotSaid:
        return
    assert all(isinstance(row, tuple) for row in found)
