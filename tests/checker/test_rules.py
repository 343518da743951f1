"""Each rule of the checker is needed: a statement that leaks is refused, and followed without it.

`mutants.txt` has one edit of a rule in each block, and a statement that leaks by just that, with
what is claimed of it: L1, or L1/L0/L∞/keys/policy, `-` for what is not claimed; or `family`, for
counts of which a row is said to be in one alone.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Column, Facts, Measure, Sums
from tests.checker.claims import TABLES, refused, table
from tests.support.edits import Mutant, edits

F = Fraction

ODDS = table(
    "odds",
    Column("customer", "BIGINT", False, references=("customers", "id"), max_rows=3),
    Column("iv", "INTERVAL"),
    Column("d", "DOUBLE"),
    Column("stamp", "TIMESTAMP", False, F(1_476_001, 2), F(738_002)),
    Column("day", "DATE", False, F(738_000), F(738_009)),
    Column("b", "BOOLEAN"),
    owner="customer",
    owned=True,
)
PEOPLE = table(
    "people",
    Column("id", "BIGINT", False, max_rows=1),
    Column("age", "INTEGER", False, F(18), F(99)),
    key=("id",),
    owner="id",
    owned=True,
    rows=4,
)
STAYS = table(
    "stays",
    Column("person", "BIGINT", False, references=("people", "id"), max_rows=2),
    owner="person",
    owned=True,
)
ROOMS = (
    table("guests", Column("id", "BIGINT", False), key=("id",), owner="id", owned=True),
    table(
        "stays",
        Column("ward", "BIGINT", False),
        Column("number", "BIGINT", False),
        Column("person", "BIGINT", references=("guests", "id"), max_rows=3),
        key=("ward", "number"),
        owner="person",
    ),
    table(
        "results",
        Column("of_ward", "BIGINT"),
        Column("of_number", "BIGINT"),
        Column("owner", "BIGINT", references=("guests", "id"), max_rows=6),
        owner="owner",
        lookup=(("of_ward", ("stays", "ward")), ("of_number", ("stays", "number"))),
    ),
)
SHARED = replace(ROOMS[1], key=("ward", "number", "person"))
"""Of which several have the same ward and number."""

POLICIES = {
    "wards": Facts(ROOMS, ("guests", "id"), replace=False),
    "shared": Facts((ROOMS[0], SHARED, ROOMS[2]), ("guests", "id"), replace=False),
    "remove": Facts((*TABLES, ODDS), ("customers", "id"), replace=False),
    "replace": Facts((*TABLES, ODDS), ("customers", "id"), replace=True),
    "people": Facts((PEOPLE, STAYS), ("people", "id"), replace=True),
}
RULES = edits(Path(__file__).with_name("mutants.txt"))


def claimed(numbers: str, text: str) -> tuple[Sums, Facts]:
    """What is claimed of a statement, and on which policy."""
    if numbers == "family":
        both = (Measure(f"n{i}", ((i, F(1)),), 1, 1, 1, 1, 0) for i in range(2))
        return Sums(text, 0, tuple(both)), POLICIES["remove"]
    first, *more = numbers.split("/")
    *ends, keys, policy = (*more, *("1", first, "0", "remove")[len(more) :])
    l1, l0, linf = (None if n == "-" else int(n) for n in (first, *ends))
    squared = None if l1 is None or linf is None else l1 * linf
    one = Measure("it", ((int(keys), F(1)),), l0, l1, squared, linf, 0)
    return Sums(text, int(keys), (one,)), POLICIES[policy]


@pytest.mark.parametrize(
    ("mutant", "numbers", "text"), RULES, ids=lambda m: getattr(m, "__name__", "")
)
def test_each_rule_is_needed(
    mutant: Mutant, numbers: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, facts = claimed(numbers, text)
    refused(made, facts)
    mutant(monkeypatch)
    assert certify(made, facts).lines()


@pytest.mark.parametrize(
    "argument",
    [
        "CAST(isnan(sin(d)) AS INTEGER)",
        "CAST(isnan(atan2(d, 1)) AS INTEGER)",
        "CAST(isnan(sqrt(-1)) AS INTEGER)",
        "CAST(isnan(asin(2)) AS INTEGER)",
        "CAST(isnan(acos(2)) AS INTEGER)",
        "CAST(floor(-7) // 2 AS INTEGER) + 3",
        "CAST(ceil(9007199254740995) AS BIGINT) - 9007199254740995",
        "CAST(log10(exp('100')) AS INTEGER) - 1",
        "~CAST(0 AS UTINYINT) + 1",
        "~LEAST(CAST(0 AS UTINYINT), 2) + 1",
    ],
)
def test_what_an_engine_makes_of_numbers(argument: str) -> None:
    """NaN of what has no root or angle, floats of whole numbers, numbers of texts."""
    refused(*claimed("0", f"SELECT SUM({argument}) FROM main.odds"))


@pytest.mark.parametrize(
    ("signs", "followed"), [("-+", True), ("++", False), ("--", False), ("+-", False)]
)
@pytest.mark.parametrize("summed", ["units", "units - 5", "units - 10"])
def test_what_is_kept_of_a_sum_is_rounded_away_from_0(
    summed: str, signs: str, followed: bool
) -> None:
    """Or it would be no sum of as many numbers of the range: of units, 1 to 9."""
    size = "NULLIF(m, 0)"
    hashed = f"CAST(HASH(u, 'rows') % CAST({size} AS UBIGINT) AS BIGINT)"
    below, above = (f"{sign.strip('+')} {hashed}" for sign in signs)
    text = (
        f"WITH cells AS (SELECT customer AS u, COUNT(*) AS n, SUM({summed}) AS s FROM main.free"
        " GROUP BY customer), cut AS (SELECT u, s, n AS m, LEAST(n, CAST(2 AS BIGINT)) AS n FROM"
        " cells), kept AS (SELECT n, CASE WHEN n = m THEN s ELSE"
        f" (CAST(s AS INT128) * n + CASE WHEN s < 0 THEN {below} ELSE {above} END) // {size}"
        " END AS s FROM cut) SELECT SUM(s) FROM kept"
    )
    if followed:
        assert certify(*claimed("18", text)).lines()
    refused(*claimed("18" if not followed else "1", text))
