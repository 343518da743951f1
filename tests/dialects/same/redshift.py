"""Redshift's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import CHANNELS, JOINED

SAME = (
    (
        "SELECT TOP 2 channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n DESC",
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n DESC NULLS FIRST "
        "LIMIT 2",
    ),
    (
        "SELECT AVG(rating) AS a, SUM(rating) / COUNT(*) AS b FROM orders",
        "SELECT CAST(TRUNC(AVG(rating)) AS BIGINT) AS a, SUM(rating) // COUNT(*) AS b FROM orders",
    ),
    (
        "SELECT AVG(rating::float) AS a, AVG(shipping) AS b, SUM(order_id % 9) / COUNT(*) AS c "
        "FROM orders",
        "SELECT AVG(rating::DOUBLE) AS a, AVG(shipping) AS b, SUM(order_id % 9) / COUNT(*) AS c "
        "FROM orders",
    ),
    (
        "SELECT ROUND(100.0 * SUM(CASE WHEN gift THEN 1 ELSE 0 END) / COUNT(*), 1) AS p "
        "FROM orders",
        "SELECT ROUND(100.0 * SUM(CASE WHEN gift THEN 1 ELSE 0 END) / COUNT(*), 1) AS p "
        "FROM orders",
    ),
    (
        "SELECT NVL(rating, 0) AS r, NVL2(rating, 1, 0) AS k, COUNT(*) AS n FROM orders "
        "GROUP BY 1, 2",
        "SELECT COALESCE(rating, 0) AS r, CASE WHEN NOT rating IS NULL THEN 1 ELSE 0 END AS k, "
        "COUNT(*) AS n FROM orders GROUP BY 1, 2",
    ),
    (
        "SELECT DECODE(channel, 'web', 1, NULL, 2, 3) AS c, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT CASE WHEN channel = 'web' THEN 1 WHEN channel IS NULL THEN 2 ELSE 3 END AS c, "
        "COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE DATEADD(day, 30, ordered_on) > '2024-06-01' "
        "AND DATEADD('mon', -1, ordered_on) < DATE '2024-12-31' AND ordered_on + 7 > '20240105'",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on + INTERVAL 30 DAY > '2024-06-01' "
        "AND ordered_on - INTERVAL 1 MONTH < DATE '2024-12-31' AND ordered_on + 7 > "
        "DATE '2024-01-05'",
    ),
    (
        f"SELECT SUM(DATEDIFF(day, joined_on, ordered_on)) AS s {JOINED}",
        f"SELECT SUM(ordered_on::DATE - joined_on::DATE) AS s {JOINED}",
    ),
    (
        "SELECT SUM(DATEDIFF(qtr, ordered_on, '2024-12-31')) AS s FROM orders",
        "SELECT SUM(DATE_DIFF('quarter', ordered_on::DATE, DATE '2024-12-31')) AS s FROM orders",
    ),
    (
        "SELECT TRUNC(ordered_on) AS d, COUNT(*) AS n FROM orders WHERE ordered_on BETWEEN "
        "'20240101' AND '20240131' GROUP BY 1",
        "SELECT ordered_on::DATE AS d, COUNT(*) AS n FROM orders WHERE ordered_on BETWEEN "
        "DATE '2024-01-01' AND DATE '2024-01-31' GROUP BY 1",
    ),
    (
        "SELECT EXTRACT(dow FROM ordered_on) AS d, DATE_PART(y, ordered_on) AS y, COUNT(*) AS n "
        "FROM orders GROUP BY 1, 2",
        "SELECT EXTRACT(dayofweek FROM ordered_on) AS d, EXTRACT(year FROM ordered_on) AS y, "
        "COUNT(*) AS n FROM orders GROUP BY 1, 2",
    ),
    (
        "SELECT DATE_TRUNC('week', ordered_on) AS w, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT DATE_TRUNC('week', ordered_on) AS w, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT TO_CHAR(ordered_on, 'YYYY-MM') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT channel, MEDIAN(shipping) AS m, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY "
        "shipping) AS q FROM orders GROUP BY channel",
        "SELECT channel, MEDIAN(shipping::DOUBLE) AS m, QUANTILE_CONT(shipping::DOUBLE, 0.25) AS q "
        "FROM orders GROUP BY channel",
    ),
    (
        "SELECT DISTINCT channel, MEDIAN(shipping) OVER (PARTITION BY channel) AS m FROM orders",
        "SELECT channel, MEDIAN(shipping::DOUBLE) AS m FROM orders GROUP BY channel",
    ),
    (
        "SELECT APPROXIMATE COUNT(DISTINCT customer_id) AS n FROM orders",
        "SELECT APPROX_COUNT_DISTINCT(customer_id) AS n FROM orders",
    ),
    (
        "SELECT channel, RATIO_TO_REPORT(COUNT(*)) OVER () AS r FROM orders GROUP BY channel",
        "SELECT channel, COUNT(*) / NULLIF(SUM(COUNT(*)) OVER (), 0) AS r FROM orders "
        "GROUP BY channel",
    ),
    (
        f"SELECT LISTAGG(channel, '-') WITHIN GROUP (ORDER BY n DESC) AS s FROM {CHANNELS}",
        f"SELECT STRING_AGG(channel, '-' ORDER BY n DESC NULLS FIRST) AS s FROM {CHANNELS}",
    ),
    (
        f"SELECT channel, n FROM {CHANNELS} QUALIFY ROW_NUMBER() OVER (ORDER BY n DESC) <= 2",
        f"SELECT channel, n FROM {CHANNELS} QUALIFY ROW_NUMBER() OVER (ORDER BY n DESC NULLS FIRST)"
        " <= 2",
    ),
    (
        "SELECT LEN(channel) AS l, COUNT(*) AS n FROM orders WHERE STRPOS(channel, 'e') > 0 AND "
        "CHARINDEX('b', channel) > 0 AND BTRIM(channel) = 'web' GROUP BY 1",
        "SELECT LENGTH(channel) AS l, COUNT(*) AS n FROM orders WHERE STRPOS(channel, 'e') > 0 AND "
        "STRPOS(channel, 'b') > 0 AND TRIM(channel, ' ') = 'web' GROUP BY 1",
    ),
    (
        "SELECT CONCAT(channel, '-') AS c, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT channel || '-' AS c, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT n FROM (SELECT * EXCLUDE (channel) FROM (SELECT channel, COUNT(*) AS n FROM orders "
        "GROUP BY channel) AS t) AS u",
        "SELECT n FROM (SELECT * EXCLUDE (channel) FROM (SELECT channel, COUNT(*) AS n FROM orders "
        "GROUP BY channel) AS t) AS u",
    ),
    (
        "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY ROLLUP (channel, gift)",
        "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY ROLLUP (channel, gift)",
    ),
    # A query of OHDSI's library, whose quantiles are found by hand.
    (
        "WITH w AS (SELECT rating AS x, ROW_NUMBER() OVER (ORDER BY rating) AS order_nr, COUNT(*) "
        "OVER () AS population_size FROM orders) SELECT MIN(CASE WHEN order_nr < .25 * "
        "population_size THEN 9999 ELSE x END) AS q FROM w",
        "WITH w AS (SELECT rating AS x, ROW_NUMBER() OVER (ORDER BY rating) AS order_nr, COUNT(*) "
        "OVER () AS population_size FROM orders) SELECT MIN(CASE WHEN order_nr < 0.25 * "
        "population_size THEN 9999 ELSE x END) AS q FROM w",
    ),
)
