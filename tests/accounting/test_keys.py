"""A request's key is its analyst's own: nobody meets, fetches or blocks those of others."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsql
from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.errors import RequestExists
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.memory_ledger import MemoryLedger

from .conftest import Make

ONE = Cost(Fraction(1))
TOTAL = Account(Cost(Fraction(1000)))
# Such as would meet if name and key were written one after the other.
NAMES = st.sampled_from(["", "a", "ab", "a:b", "ann"])
KEYS = st.sampled_from(["", "b", "bb", ":b", "k", "b\x00"])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(NAMES, KEYS, st.booleans()), max_size=12))
def test_keys_of_analysts_are_apart(asked: list[tuple[str, str, bool]]) -> None:
    """The ledger beside a table of (analyst, key)."""
    ledger = MemoryLedger(TOTAL)
    charged: dict[tuple[str, str], int] = {}
    stored: dict[int, str] = {}
    for n, (analyst, key, answered) in enumerate(asked):
        entry = Entry(f"SELECT {n}", analyst=analyst, request=key)
        if key and (analyst, key) in charged:
            with pytest.raises(RequestExists):
                ledger.reserve(ONE, entry)
            continue
        number = ledger.reserve(ONE, entry)
        charged[analyst, key] = number
        if answered:
            ledger.commit(number, (Stored(f"k{n}", "", f"[{n}]"),))
            stored[number] = f"[{n}]"
    for analyst in ("", "a", "ab", "a:b", "ann"):
        for key in ("b", "bb", ":b", "k", "b\x00"):
            found = ledger.request(key, analyst)
            assert (found and found.number) == charged.get((analyst, key))
            if found is not None:
                assert found.entry.analyst == analyst
                assert [s.body for s in ledger.answers(found.number)] == (
                    [stored[found.number]] if found.number in stored else []
                )
    assert ledger.request("", "a") is None


def test_on_each_store(make: Make) -> None:
    ledger = make(TOTAL)
    entry = Entry("SELECT 1", analyst="ann", request="k")
    assert ledger.reserve(ONE, entry) == 1
    assert ledger.reserve(ONE, replace(entry, analyst="bob")) == 2
    assert ledger.reserve(ONE, replace(entry, analyst="")) == 3
    for again in ("ann", "bob", ""):
        with pytest.raises(RequestExists):
            ledger.reserve(ONE, replace(entry, analyst=again, sql="SELECT 2"))
    found = [ledger.request("k", analyst) for analyst in ("ann", "bob", "", "eve")]
    assert [charge and charge.number for charge in found] == [1, 2, 3, None]


POLICY = """
unit: t.id
budget: {eps: 10}
tables:
  t: {access: private, columns: {id: {type: BIGINT}, v: {type: BIGINT, bounds: [0, 9]}}}
"""


def test_another_analysts_key_gives_nothing_and_refuses_nothing() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS id, i % 9 AS v FROM range(90) r(i)")
    with (
        dpsql.connect(connection, POLICY, analyst="ann") as ann,
        dpsql.connect(connection, POLICY, analyst="bob") as bob,
    ):
        count, total = "SELECT COUNT(*) AS n FROM t", "SELECT SUM(v) AS n FROM t"
        first = ann.run(count, eps=1, idempotency_key="k")
        assert bob.charged("k") is None
        other = bob.run(total, eps=1, idempotency_key="k")  # not "used for another query"
        assert other.reused is None
        assert bob.budget.spent.exact.eps == 2
        assert ann.run(count, eps=1, idempotency_key="k").rows == first.rows
        assert bob.run(total, eps=1, idempotency_key="k").rows == other.rows
        lines = ann.charged("k"), bob.charged("k")
        assert [line and line.analyst for line in lines] == ["ann", "bob"]
        assert ann.budget.spent.exact.eps == 2
