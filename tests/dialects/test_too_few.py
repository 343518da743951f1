"""Functions with fewer arguments than they need, or others, are errors with a code."""

from __future__ import annotations

from contextlib import suppress

import pytest

from dpsql.errors import Rejected
from dpsql.front.dialects import DIALECTS
from dpsql.front.dialects.written_parsers import grammar
from dpsql.front.parse import parse
from tests.dialects.shop import SCHEMA
from tests.support.effort import sampled

ARGUMENTS = ("", "shipping", "channel, 'a'", "channel, 'a', 1", "ordered_on", "'a'", "shipping, 2")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_function_fails_otherwise(dialect: str) -> None:
    parser = grammar(dialect).parser_class
    for name in sorted({*parser.FUNCTIONS, *parser.FUNCTION_PARSERS}):
        if not sampled(f"{dialect} {name}", 8):
            continue
        for listed in ARGUMENTS:
            with suppress(Rejected):
                parse(f"SELECT SUM({name}({listed})) AS s FROM orders", dialect, SCHEMA.types())


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("bigquery", "DATEFROMPARTS(rating)"),
        ("bigquery", "REGEXP_REPLACE(channel, 'a')"),
        ("postgres", "SPLIT_PART(channel, 'a')"),
        ("postgres", "SPLIT_PART(channel)"),
        ("redshift", "DATEADD(day, ordered_on)"),
        ("redshift", "DATEDIFF(day, ordered_on)"),
        ("redshift", "LISTAGG()"),
        ("redshift", "DECODE(rating, 1)"),
        ("snowflake", "DIV0()"),
        ("spark", "APPROX_PERCENTILE()"),
    ],
)
def test_what_is_missing(dialect: str, call: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse(f"SELECT COUNT({call}) AS s FROM orders", dialect, SCHEMA.types())
    assert caught.value.code == "DP104"
