"""Compiles to the same SQL, sensitivities and noise as a query in DuckDB's dialect."""

from __future__ import annotations

import pytest

from dpsql.compile import Compiled, ReleasedQuery, engine_sql
from tests.dialects.same import bigquery, mysql, postgres, redshift, snowflake, spark, tsql
from tests.dialects.shop import compiled

SAME = {
    "mysql": mysql.SAME,
    "postgres": postgres.SAME,
    "redshift": redshift.SAME,
    "bigquery": bigquery.SAME,
    "snowflake": snowflake.SAME,
    "spark": spark.SAME,
    "tsql": tsql.SAME,
}


def meaning(found: Compiled) -> object:
    """All that the query reads, releases and returns."""
    assert isinstance(found.query, ReleasedQuery)
    measures = [
        (label, measure.sensitivity)
        for release in found.query.releases
        for label, measure in zip(release.labels, release.measures, strict=True)
    ]
    return engine_sql(found), found.query.post_sql, found.query.names, measures, found.cost


@pytest.mark.parametrize(
    ("dialect", "text", "ours"), [(d, *pair) for d, pairs in SAME.items() for pair in pairs]
)
@pytest.mark.one_in(3)
def test_it_means_what_duckdbs_spelling_means(dialect: str, text: str, ours: str) -> None:
    assert meaning(compiled(text, dialect)) == meaning(compiled(ours))
