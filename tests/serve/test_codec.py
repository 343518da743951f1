"""What is told comes back as it was, and nothing else comes in."""

from __future__ import annotations

import json
import random
from array import array
from collections import Counter
from datetime import UTC
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql import demo
from dpsql.core.frozen import FrozenMap
from dpsql.core.plan.expr import Column
from dpsql.errors import EngineError, Span
from dpsql.session.remote.codec import _classes, decoded, encoded
from dpsql.session.remote.remote_facts import Told
from tests.support.effort import tries

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.binary(),
    st.fractions(),
    st.decimals(allow_nan=False),
    st.dates(),
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
    st.times(),
    st.timedeltas(),
    st.uuids(),
    st.builds(Span, st.integers(), st.integers(), st.text()),
    st.lists(st.floats(allow_nan=False)).map(lambda v: array("d", v)),
)
KEYS = st.one_of(st.text(), st.integers(), st.dates(), st.none())
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.dictionaries(KEYS, inner),
        st.dictionaries(st.text(), inner).map(FrozenMap),
        st.frozensets(KEYS),
        st.sets(KEYS),
        st.dictionaries(KEYS, st.integers()).map(Counter),
    ),
    max_leaves=12,
)


def back(value: object) -> Any:
    return decoded(json.loads(json.dumps(encoded(value))))


def same(one: object, other: object) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        assert isinstance(other, list | tuple)
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict | FrozenMap):
        return same(list(one.items()), list(other.items()))  # type: ignore[attr-defined]
    return one == other


@given(VALUES)
def test_values(value: object) -> None:
    assert same(back(value), value)


def test_what_json_has_not() -> None:
    for text in ("nan", "inf", "-inf"):
        assert repr(back(float(text))) == text
    assert back(Decimal("NaN")).is_nan() and back(2**200) == 2**200


def test_everything_of_a_database() -> None:
    """Schemas, explanations and what half-widths are made of."""
    with demo.database() as db:
        assert encoded(back(db.schema)) == encoded(db.schema) and repr(back(db.schema))
        for sql in (demo.QUERY, "SELECT MEDIAN(birth_year), SQRT(COUNT(*)) FROM customers"):
            answer = db.run(sql, 1)
            assert same(back(encoded_parts(answer)), encoded_parts(answer))
            told = back(Told.of(answer.explanation))
            assert str(told.compiled(told.schema).cost) == str(answer.explanation.cost)


def encoded_parts(answer: Any) -> tuple[object, ...]:
    return answer.rows, answer.intervals, answer.types, answer.cost, answer.reused


class Other:
    pass


@pytest.mark.parametrize("value", [Other(), object, print, Column.__init__, range(3), 1j])
def test_what_is_not_told(value: object) -> None:
    with pytest.raises(TypeError, match="is not told"):
        encoded(value)


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"$": "list"},
        {"$": "os.system", "v": ["id"]},
        {"$": "builtins.eval", "v": ["1"]},
        {"$": "errors.Rejected", "v": []},
        {"$": "errors.Span", "v": [1]},
        {"$": "errors.Span", "v": [1, 2, "", "", 5]},
        {"$": "fraction", "v": "1/0"},
        {"$": "fraction", "v": None},
        {"$": "dict", "v": [[{"$": "list", "v": []}, 1]]},
        {"$": "int", "v": "x"},
        {"$": [], "v": []},
        {"$": "types.Type", "v": [None, "x"]},
        {"$": "date", "v": "2024-13-01"},
        {"$": "list", "v": 3},
    ],
)
def test_what_stands_for_nothing(said: object) -> None:
    with pytest.raises(EngineError, match="cannot be read") as caught:
        decoded(said)
    assert caught.value.__context__ is None


def test_classes_are_data() -> None:
    """All that can be made are frozen dataclasses and enumerations of ours."""
    assert len(_classes()) > 50
    for kind in _classes().values():
        assert kind.__module__.startswith("dpsql.")
        parameters = getattr(kind, "__dataclass_params__", None)
        assert parameters is None or parameters.frozen


def test_what_was_changed_on_the_way() -> None:
    """Never anything but a value, or the one error."""
    with demo.database() as db:
        text = json.dumps(encoded((db.schema, Told.of(db.explain(demo.QUERY)))))
    draw = random.Random(5)
    for _ in range(tries(60, 5_000)):
        letters = list(text)
        for _ in range(draw.randint(1, 6)):
            at = draw.randrange(len(letters))
            letters[at] = draw.choice(
                ['"', "0", "[", "]", "{", "}", "x", ",", ":", "$", letters[at]]
            )
        try:
            decoded(json.loads("".join(letters)))
        except (ValueError, EngineError):
            continue


@pytest.mark.parametrize("text", ["1e999999999", "0.5", "1e-9", "1/2e9", "nan", "1/0", "", "/2"])
def test_a_fraction_is_two_numbers(text: str) -> None:
    """One with an exponent would fill the client's memory."""
    with pytest.raises(EngineError):
        decoded({"$": "fraction", "v": text})
