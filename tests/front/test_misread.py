"""Texts that DuckDB does not read: what is told of them knows the names of the policy."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from dpsql.platform.policy import Policy, resolve

POLICY = """
unit: clinic.people.id
budget: {eps: 1}
tables:
  clinic.people: {access: private, key: [id], columns: {id: {type: BIGINT}}}
  clinic.visits:
    access: private
    columns: {id: {type: BIGINT, references: clinic.people.id, max_rows: 3}}
"""


@pytest.mark.parametrize("word", ["SEMI", "ANTI"])
def test_a_join_of_another_system_is_told_ours(word: str) -> None:
    text = f"SELECT COUNT(*) FROM clinic.people LEFT {word} JOIN clinic.visits USING (id)"
    schema = resolve(Policy.parse(POLICY), None, None)
    with pytest.raises(Rejected) as refused:
        compile_query(text, schema, Fraction(1))
    [told] = refused.value.diagnostics
    assert (told.code, told.message, told.help) == (
        "DP101",
        f"LEFT {word} JOIN",
        f"write {word} JOIN",
    )
