"""The table of signatures: each function of the allow-list is called as its signature says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import dpsql
from dpsql import demo
from dpsql.core.functions import SPELLINGS
from dpsql.repl.completion.vocabulary import AGGREGATES, SCALARS, WINDOWS

EXAMPLES = {
    "number": "rating", "y": "rating", "x": "rating", "digits": "1", "power": "2",
    "integer": "rating", "double": "CAST(rating AS DOUBLE)", "value": "rating",
    "condition": "gift", "string": "channel", "start": "2", "length": "3", "count": "2",
    "pad": "'x'", "characters": "'x'", "separator": "'-'", "part": "'a'", "end": "'a'",
    "pattern": "'a%'", "escape": "'!'", "regex": "'a.'", "options": "'i'", "group": "0",
    "replacement": "'b'", "unit": "'month'", "date": "ordered_on", "from": "'a'", "to": "'b'",
    "timestamp": "CAST(ordered_on AS TIMESTAMP)", "year": "2024", "month": "rating", "day": "1",
    "hour": "rating", "minute": "30", "seconds": "15",
    "interval": "INTERVAL 1 MONTH", "format": "'%Y'", "text": "'2024'", "fraction": "0.5",
    "bins": "[1, 2, 3]", "offset": "1", "list": "(SELECT LIST(region) FROM regions)",
    "numbers": "(SELECT LIST(region_id) FROM regions)", "place": "1",
}  # fmt: skip
"""An argument for each word in a signature."""


OTHERS = {
    "starts_with": {"start": "'a'"},
    "prefix": {"start": "'a'"},
    "split_part": {"part": "1"},
    "date_part": {"part": "'month'"},
    "datepart": {"part": "'month'"},
}


def calls(signature: str) -> Iterator[str]:
    """The call with as few arguments as can be, and those with more."""
    name, _, rest = signature[:-1].partition("(")
    words = re.sub(r"\[.*\]", "", rest).replace("...", "")
    arguments = [word for word in words.split(", ") if word]
    known = EXAMPLES | OTHERS.get(name, {})
    optional = re.findall(r"\[, (\w+)\]", rest)
    more = [arguments[-1]] if "..." in rest else []
    for extra in ([], optional, more):
        yield f"{name}({', '.join(known[word] for word in [*arguments, *extra])})"


def accepted(sql: str) -> bool:
    return dpsql.explain(sql, 1, policy=demo.policy()).kind == "released"


@pytest.mark.parametrize("signature", SCALARS.values())
@pytest.mark.one_in(3)
def test_a_scalar_is_called_as_its_signature_says(signature: str) -> None:
    for call in sorted(set(calls(signature))):
        assert accepted(f"SELECT COUNT(*) FROM orders WHERE {call} IS NOT NULL")


@pytest.mark.parametrize("signature", AGGREGATES.values())
def test_an_aggregate_is_called_as_its_signature_says(signature: str) -> None:
    for call in sorted(set(calls(signature))):
        if signature.startswith("arg_"):
            call = call.replace("(rating, rating)", "(channel, n)")
            inner = "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel"
            assert accepted(f"SELECT {call} FROM ({inner})")
        else:
            assert accepted(f"SELECT {call} FROM orders")


@pytest.mark.parametrize("signature", WINDOWS.values())
def test_a_window_function_is_called_as_its_signature_says(signature: str) -> None:
    inner = "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel"
    for call in sorted(set(calls(signature))):
        call = call.replace("rating", "n")
        assert accepted(f"SELECT channel, {call} OVER (ORDER BY n) AS w FROM ({inner})")


def test_every_function_of_the_allow_list_has_a_signature() -> None:
    assert set(SPELLINGS) - set(SCALARS) == set()
