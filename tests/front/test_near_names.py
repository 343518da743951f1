"""What a function was perhaps meant to be: a name that is nearly its own, and not any other."""

from __future__ import annotations

import pytest

from dpsql.errors import Rejected
from tests.support.answers import home


def help_of(call: str) -> str | None:
    """What an error says of a function that there is not."""
    with pytest.raises(Rejected) as caught:
        home("shop").session.explain(f"SELECT COUNT(*) AS n FROM customers WHERE {call} = 1", eps=1)
    (problem,) = caught.value.diagnostics
    assert problem.code == "DP204"
    return problem.help


@pytest.mark.parametrize(
    ("written", "known"),
    [
        *(("rond", "round"), ("flor", "floor"), ("uper", "upper"), ("lenght", "length")),
        *(
            ("colesce", "coalesce"),
            ("subtring", "substring"),
            ("trm", "trim"),
            ("stdev_", "stddev"),
        ),
        *(("sttdev", "stddev"), ("medain", "median"), ("smu", "sum"), ("agv", "avg")),
        *(("mdoe", "mode"), ("splitpart", "split_part"), ("repalce", "replace")),
    ],
)
def test_a_misspelt_name(written: str, known: str) -> None:
    assert help_of(f"{written}(age)") == f"did you mean {known}?"


@pytest.mark.parametrize(
    "name",
    [
        *("soundex", "quote", "space", "choose", "conv", "square_", "haversine", "st_area"),
        *("getdate", "tostring", "inet_aton", "shuffle_", "replicate", "wm_concat"),
    ],
)
def test_a_name_of_another_system(name: str) -> None:
    assert help_of(f"{name}(age)") is None
