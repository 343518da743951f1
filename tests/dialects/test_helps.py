"""What a refusal says to write instead is read."""

from __future__ import annotations

import pytest

import dpsql
from tests.dialects.shop import compiled

PRIVACY = "leave WITH … OPTIONS (…) out, and give eps: run(query, eps=1), or --eps 1"
CHANCE = "leave it out: an answer says nothing that is drawn by chance but its noise"
HELPS = [
    (
        "bigquery",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, delta = 0.1) "
        "AVG(shipping, contribution_bounds_per_group => (0, 9)) AS a FROM orders",
        [
            PRIVACY,
            "leave it out; for bounds of your own write LEAST(GREATEST(x, low), high) for x",
        ],
        "SELECT AVG(LEAST(GREATEST(shipping, 0), 9)) AS a FROM orders",
    ),
    (
        "bigquery",
        "SELECT WITH ANONYMIZATION ANON_SUM(shipping CLAMPED BETWEEN 0 AND 9) AS s FROM orders",
        [
            PRIVACY,
            "write SUM(x), and LEAST(GREATEST(x, low), high) for x CLAMPED BETWEEN",
        ],
        "SELECT SUM(LEAST(GREATEST(shipping, 0), 9)) AS s FROM orders",
    ),
    (
        "bigquery",
        "SELECT ANON_COUNT(*) AS n FROM orders",
        ["write COUNT(*), and LEAST(GREATEST(x, low), high) for x CLAMPED BETWEEN"],
        "SELECT COUNT(*) AS n FROM orders",
    ),
    (
        "bigquery",
        "SELECT WITH AGGREGATION_THRESHOLD OPTIONS (threshold = 9) channel, "
        "COUNT(*, report_format => 'JSON') AS n FROM orders GROUP BY channel",
        [
            "leave WITH … OPTIONS (…) out: groups of few units are not shown; see min_units",
            "leave it out",
        ],
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel",
    ),
    (
        "bigquery",
        "SELECT CORR(rating, shipping) AS c FROM orders",
        ["write COVAR_POP(y, x) / (STDDEV_POP(y) * STDDEV_POP(x))"],
        "SELECT COVAR_POP(rating, shipping) / (STDDEV_POP(rating) * STDDEV_POP(shipping)) AS c "
        "FROM orders",
    ),
    (
        "bigquery",
        "SELECT APPROX_TOP_COUNT(channel, 2) FROM orders",
        ["GROUP BY the value, ORDER BY COUNT(*) DESC LIMIT n"],
        "SELECT channel, COUNT(*) FROM orders GROUP BY channel ORDER BY COUNT(*) DESC LIMIT 2",
    ),
    (
        "spark",
        "SELECT collect_list(channel) FROM orders",
        ["rows cannot be listed: GROUP BY the value"],
        "SELECT channel FROM orders GROUP BY channel",
    ),
    (
        "postgres",
        "SELECT COUNT(*) AS n, RANDOM() FROM orders",
        [CHANCE],
        "SELECT COUNT(*) AS n FROM orders",
    ),
    (
        "postgres",
        "SELECT COUNT(*) AS n FROM orders TABLESAMPLE BERNOULLI (1)",
        [CHANCE],
        "SELECT COUNT(*) AS n FROM orders",
    ),
    (
        "postgres",
        "SELECT SUM(@ shipping) AS n FROM orders",
        ["write ABS(x) for @ x, or a value in place of a parameter"],
        "SELECT SUM(ABS(shipping)) AS n FROM orders",
    ),
]


@pytest.mark.parametrize(("dialect", "text", "helps", "instead"), HELPS)
def test_what_to_write_instead(dialect: str, text: str, helps: list[str], instead: str) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, dialect)
    assert [d.help for d in caught.value.diagnostics] == helps
    compiled(instead, dialect)
