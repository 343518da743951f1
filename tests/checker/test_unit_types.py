"""Units of every type: their rows are cut down by statements that the second proof follows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import ReleasedQuery, compile_query, plain_source
from dpsql.core.emit.plans import Keeping, Rereading
from dpsql.core.release.statements import statements
from dpsql.execution.certify import proofs
from dpsql.platform.policy import Policy, resolve

EQUAL = [
    "BIGINT",
    "HUGEINT",
    "UBIGINT",
    "VARCHAR",
    "BOOLEAN",
    "DECIMAL(18,3)",
    "DATE",
    "TIMESTAMP",
    "TIME",
    "UUID",
    "BLOB",
]
OTHERS = ["DOUBLE", "FLOAT", "INTERVAL", "TIMESTAMP WITH TIME ZONE", "BIT", "UHUGEINT"]
QUERIES = (
    "SELECT g, COUNT(*), SUM(x) FROM v GROUP BY g",
    "SELECT SUM(x) FROM v",
    "SELECT g, COUNT(DISTINCT x) FROM v GROUP BY g",
)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("kind", [*EQUAL, *OTHERS])
def test_units_of_each_type_are_cut_down(kind: str, query: str) -> None:
    """Where equal ones may be others, as 0 and -0, they meet in no join."""
    policy = f"""
unit: v.u
neighbours: add_remove
budget: {{eps: 10}}
tables:
  v:
    access: private
    columns:
      u: {{type: "{kind}", max_rows: 2}}
      g: {{type: INTEGER, values: [1, 2]}}
      x: {{type: INTEGER, bounds: [0, 9]}}
"""
    compiled = compile_query(query, resolve(Policy.parse(policy), None, None), Fraction(1))
    assert isinstance(compiled.query, ReleasedQuery)
    for source in (plain_source, Keeping(plain_source), Rereading(plain_source)):
        texts = [statements(release, source) for release in compiled.query.releases]
        assert proofs(compiled, texts, source)
        joined = any("JOIN" in text for found in texts for text in found.every)
        assert not (joined and kind in OTHERS)
        assert joined or kind in OTHERS or isinstance(source, Rereading) or query == QUERIES[1]
