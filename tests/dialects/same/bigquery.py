"""BigQuery's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import CHANNELS, JOINED

SAME = (
    (
        "SELECT s.k, t.a AS n FROM (SELECT STRUCT(channel AS k, 1 AS one) AS s, "
        "STRUCT<a FLOAT64, b STRING>(COUNT(*), 'x') AS t FROM orders GROUP BY channel)",
        "SELECT s.k, t.a AS n FROM (SELECT {'k': channel, 'one': 1} AS s, "
        "{'a': CAST(COUNT(*) AS DOUBLE), 'b': CAST('x' AS TEXT)} AS t FROM orders "
        "GROUP BY channel)",
    ),
    (
        "SELECT AVG(q.s.t.shipping) AS a, SUM(STRUCT(rating AS r).r) AS r FROM (SELECT rating, "
        "STRUCT(STRUCT(o.shipping, gift AS g) AS t) AS s FROM orders AS o) AS q",
        "SELECT AVG(q.s.t.shipping) AS a, SUM({'r': rating}.r) AS r FROM (SELECT rating, "
        "{'t': {'shipping': o.shipping, 'g': gift}} AS s FROM orders AS o) AS q",
    ),
    (
        "SELECT AS STRUCT channel, AVG(s.x) AS x FROM (SELECT AS STRUCT channel, shipping AS x "
        "FROM orders) AS s GROUP BY channel",
        "SELECT channel, AVG(s.x) AS x FROM (SELECT channel, shipping AS x FROM orders) AS s "
        "GROUP BY channel",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE REGEXP_CONTAINS(email, r'^\\w+@') AND "
        "REGEXP_EXTRACT(email, '@(.*)') = 'a.de' AND "
        "REGEXP_REPLACE(email, r'(a)\\d', r'\\1') = 'b'",
        "SELECT COUNT(*) AS n FROM customers WHERE REGEXP_MATCHES(email, '^\\w+@') AND CASE WHEN "
        "REGEXP_MATCHES(email, '@(.*)') THEN REGEXP_EXTRACT(email, '@(.*)', 1) END = 'a.de' AND "
        "REGEXP_REPLACE(email, '(a)\\d', '\\1', 'g') = 'b'",
    ),
    (
        "SELECT SUM(TRUNC(shipping)) AS n, SUM(ATAN2(shipping, 2)) AS a, SUM(CBRT(shipping)) AS c "
        "FROM orders",
        "SELECT SUM(TRUNC(shipping)) AS n, SUM(ATAN2(shipping, 2)) AS a, SUM(CBRT(shipping)) AS c "
        "FROM orders",
    ),
    (
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
    ),
    (
        "SELECT channel, PERCENTILE_CONT(rating, 0.5) AS m FROM orders GROUP BY channel",
        "SELECT channel, QUANTILE_CONT(CAST(rating AS DOUBLE), 0.5) AS m FROM orders "
        "GROUP BY channel",
    ),
    (
        "SELECT AVG(SAFE_CAST(shipping AS FLOAT64)) AS a, AVG(SAFE_CAST(shipping AS NUMERIC(6, 2)))"
        " AS b, SUM(SAFE_CAST(rating AS NUMERIC)) AS s FROM orders",
        "SELECT AVG(CAST(shipping AS DOUBLE)) AS a, AVG(TRY_CAST(shipping AS DECIMAL(6, 2)))"
        " AS b, SUM(TRY_CAST(rating AS DECIMAL(38, 9))) AS s FROM orders",
    ),
    (
        "SELECT SUM(SAFE_NEGATE(rating)) AS s FROM orders",
        "SELECT SUM((-rating)) AS s FROM orders",
    ),
    (
        "SELECT STRING_AGG(channel ORDER BY n DESC) AS s, STRING_AGG(channel, ';' ORDER BY n) AS t "
        f"FROM {CHANNELS}",
        "SELECT STRING_AGG(channel, ',' ORDER BY n DESC NULLS LAST) AS s, "
        "STRING_AGG(channel, ';' ORDER BY n NULLS FIRST) AS t "
        f"FROM {CHANNELS}",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders AS o "
        "LEFT JOIN (customers AS c JOIN regions AS r ON r.region_id = c.region_id) "
        "ON c.customer_id = o.customer_id",
        "SELECT COUNT(*) AS n FROM orders AS o "
        "LEFT JOIN customers AS c JOIN regions AS r ON r.region_id = c.region_id "
        "ON c.customer_id = o.customer_id",
    ),
    (
        "SELECT channel, rating + 1 AS r, COUNT(*) AS n FROM orders GROUP BY ALL",
        "SELECT channel, rating + 1 AS r, COUNT(*) AS n FROM orders GROUP BY 1, 2",
    ),
    (
        "SELECT FORMAT_DATE('%Y-%m', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE NOT IS_NAN(shipping) AND NOT IS_INF(shipping)",
        "SELECT COUNT(*) AS n FROM orders WHERE NOT ISNAN(shipping) AND NOT ISINF(shipping)",
    ),
    (
        "SELECT FORMAT_TIMESTAMP('%b %H', ordered_on, 'UTC') AS m, "
        "COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT STRFTIME(ordered_on, '%b %H') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > PARSE_DATE('%d.%m.%Y', '29.02.2024')",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE "
        "DATE_SUB(ordered_on, INTERVAL rating DAY) > '2025-01-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on - INTERVAL (rating) DAY > '2025-01-01'",
    ),
    (
        "SELECT ABS(PERCENTILE_CONT(shipping, 0.5) OVER () - 1.5) < 0.1 AS near FROM orders "
        "LIMIT 1",
        "SELECT ABS(QUANTILE_CONT(CAST(shipping AS DOUBLE), 0.5) - 1.5) < 0.1 AS near FROM orders",
    ),
    (
        "SELECT x, COUNT(*) AS n FROM orders CROSS JOIN UNNEST([1, 2]) AS x GROUP BY x",
        "SELECT x, COUNT(*) AS n FROM orders CROSS JOIN UNNEST([1, 2]) AS x(x) GROUP BY x",
    ),
    (
        "SELECT SUM(DIV(rating, 2)) AS n FROM orders WHERE CAST(rating AS STRING) = '3'",
        "SELECT SUM(rating // 2) AS n FROM orders WHERE CAST(rating AS VARCHAR) = '3'",
    ),
    (
        "SELECT channel, gift, GROUPING(gift) AS g, SUM(shipping) AS n FROM orders GROUP BY "
        "ROLLUP (channel, gift)",
        "SELECT channel, gift, GROUPING(gift) AS g, SUM(shipping) AS n FROM orders GROUP BY "
        "ROLLUP (channel, gift)",
    ),
    (
        "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS (channel, "
        "CUBE (gift)) HAVING GROUPING(channel) = 1",
        "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS (channel, "
        "CUBE (gift)) HAVING GROUPING(channel) = 1",
    ),
    (
        "SELECT SUM(SAFE.LN(shipping + 1)) AS n, SUM(SAFE.SQRT(shipping)) AS m FROM orders "
        "WHERE SAFE.SUBSTR(channel, 1, 1) = 'w'",
        "SELECT SUM(CASE WHEN (shipping + 1) > 0 THEN LN(shipping + 1) END) AS n, SUM(CASE "
        "WHEN shipping >= 0 THEN SQRT(shipping) END) AS m FROM orders "
        "WHERE SUBSTRING(channel, 1, 1) = 'w'",
    ),
    (
        "SELECT SUM(SAFE_CAST(shipping AS INT64)) AS n FROM orders",
        "SELECT SUM(TRY_CAST(ROUND(shipping) AS BIGINT)) AS n FROM orders",
    ),
    (
        "SELECT DISTINCT channel, PERCENTILE_CONT(rating, 0.5) OVER (PARTITION BY channel) "
        "AS m FROM orders",
        "SELECT channel, QUANTILE_CONT(CAST(rating AS DOUBLE), 0.5) AS m FROM orders GROUP "
        "BY channel",
    ),
    (
        "SELECT PERCENTILE_DISC(rating, 0.25) OVER () AS m FROM orders LIMIT 1",
        "SELECT QUANTILE_DISC(rating, 0.25) AS m FROM orders",
    ),
    (
        "SELECT APPROX_QUANTILES(rating, 4)[OFFSET(1)] AS a, APPROX_QUANTILES(rating, "
        "10)[SAFE_ORDINAL(10)] AS b FROM orders",
        "SELECT APPROX_QUANTILE(rating, 0.25) AS a, APPROX_QUANTILE(rating, 0.9) AS b FROM orders",
    ),
    (
        "SELECT APPROX_QUANTILES(rating, 4) AS a FROM orders",
        "SELECT APPROX_QUANTILE(rating, [0, 0.25, 0.5, 0.75, 1]) AS a FROM orders",
    ),
    (
        "SELECT SUM(SAFE_MULTIPLY(SAFE_ADD(rating, 1), SAFE_SUBTRACT(rating, 1))) AS n FROM orders",
        "SELECT SUM((rating + 1) * (rating - 1)) AS n FROM orders",
    ),
    (
        "SELECT COUNTIF(STARTS_WITH(email, 'a') OR ENDS_WITH(email, '.org')) AS n FROM customers",
        "SELECT COUNT_IF(STARTS_WITH(email, 'a') OR ENDS_WITH(email, '.org')) AS n FROM customers",
    ),
    ("SELECT COUNT(*) AS n FROM `orders`", "SELECT COUNT(*) AS n FROM orders"),
    (
        'SELECT COUNT(*) AS n FROM orders WHERE channel = "web"',
        "SELECT COUNT(*) AS n FROM orders WHERE channel = 'web'",
    ),
    (
        "SELECT SUM(rating / 2) AS n FROM orders",
        "SELECT SUM(rating / 2) AS n FROM orders",
    ),
    (
        "SELECT SUM(SAFE_DIVIDE(shipping, rating + 1)) AS n FROM orders",
        "SELECT SUM(shipping / NULLIF(rating + 1, 0)) AS n FROM orders",
    ),
    (
        "SELECT COUNTIF(gift) AS n FROM orders",
        "SELECT COUNT(CASE WHEN gift THEN 1 END) AS n FROM orders",
    ),
    (
        "SELECT SUM(IF(gift, shipping, 0)) AS n FROM orders",
        "SELECT SUM(CASE WHEN gift THEN shipping ELSE 0 END) AS n FROM orders",
    ),
    (
        "SELECT EXTRACT(DAYOFWEEK FROM ordered_on) AS d, COUNT(*) AS n FROM orders GROUP BY d",
        "SELECT dayofweek(ordered_on) + 1 AS d, COUNT(*) AS n FROM orders GROUP BY d",
    ),
    (
        "SELECT DATE_TRUNC(ordered_on, MONTH) AS m, COUNT(*) AS n FROM orders GROUP BY m",
        "SELECT date_trunc('month', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY m",
    ),
    (
        "SELECT DATE_TRUNC(ordered_on, ISOWEEK) AS m, COUNT(*) AS n FROM orders GROUP BY m",
        "SELECT date_trunc('week', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY m",
    ),
    (
        "SELECT TIMESTAMP_TRUNC(ordered_on, MONTH, 'UTC') AS m, COUNT(*) AS n FROM orders "
        "GROUP BY m",
        "SELECT date_trunc('month', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY m",
    ),
    (
        "SELECT DATE_TRUNC(ordered_on, WEEK) AS m, COUNT(*) AS n FROM orders GROUP BY m",
        "SELECT date_trunc('week', ordered_on + INTERVAL 1 DAY) - INTERVAL 1 DAY AS m, "
        "COUNT(*) AS n FROM orders GROUP BY m",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on < DATE_SUB(DATE '2025-03-31', "
        "INTERVAL 1 MONTH)",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on < DATE '2025-03-31' - INTERVAL 1 MONTH",
    ),
    (
        f"SELECT SUM(DATE_DIFF(o.ordered_on, c.joined_on, DAY)) AS n {JOINED}",
        "SELECT SUM(CAST(o.ordered_on AS DATE) - CAST(c.joined_on AS DATE)) AS n " + JOINED,
    ),
    (
        "SELECT SUM(LEAST(rating, 3)) AS n FROM orders",
        "SELECT SUM(CASE WHEN rating IS NULL THEN NULL ELSE LEAST(rating, 3) END) AS n FROM orders",
    ),
    (
        "SELECT SUM(CAST(shipping AS INT64)) AS n FROM orders",
        "SELECT SUM(CAST(ROUND(shipping) AS BIGINT)) AS n FROM orders",
    ),
    (
        "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift HAVING n > 5 ORDER BY gift",
        "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift HAVING n > 5 "
        "ORDER BY gift NULLS FIRST",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE rating IN UNNEST([1, 2]) "
        "AND channel NOT IN UNNEST(['web', NULL])",
        "SELECT COUNT(*) AS n FROM orders WHERE rating IN (1, 2) AND NOT channel IN ('web', NULL)",
    ),
    (
        "SELECT x, COUNT(*) AS n FROM orders, UNNEST(GENERATE_ARRAY(6, -1, -3)) AS x GROUP BY x",
        "SELECT x, COUNT(*) AS n FROM orders, UNNEST([6, 3, 0]) AS x(x) GROUP BY x",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE channel LIKE ANY ('w%', '%p') "
        "AND NOT (channel LIKE ALL ('s%', '%p'))",
        "SELECT COUNT(*) AS n FROM orders WHERE (channel LIKE 'w%' OR channel LIKE '%p') "
        "AND NOT (channel LIKE 's%' AND channel LIKE '%p')",
    ),
    (
        "SELECT * EXCEPT (s) REPLACE (n / 2 AS n) FROM "
        "(SELECT channel, COUNT(*) AS n, SUM(rating) AS s FROM orders GROUP BY channel) AS q "
        "ORDER BY channel",
        "SELECT * EXCLUDE (s) REPLACE (n / 2.0 AS n) FROM "
        "(SELECT channel, COUNT(*) AS n, SUM(rating) AS s FROM orders GROUP BY channel) AS q "
        "ORDER BY channel NULLS FIRST",
    ),
    (
        "SELECT SUM(x / 2) AS s FROM (SELECT o.* EXCEPT (rating) REPLACE (1 AS gift), "
        "rating AS x FROM orders AS o) AS q",
        "SELECT SUM(x / 2.0) AS s FROM (SELECT o.* EXCLUDE (rating) REPLACE (1 AS gift), "
        "rating AS x FROM orders AS o) AS q",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE rating IN UNNEST(GENERATE_ARRAY(1, 3))",
        "SELECT COUNT(*) AS n FROM orders WHERE rating IN (1, 2, 3)",
    ),
    (
        "SELECT d, COUNT(order_id) AS n FROM UNNEST(GENERATE_DATE_ARRAY('2024-11-08', "
        "DATE '2025-02-07', INTERVAL 1 MONTH)) AS d LEFT JOIN orders ON ordered_on = d GROUP BY d",
        "SELECT d, COUNT(order_id) AS n FROM UNNEST([DATE '2024-11-08', DATE '2024-12-08', "
        "DATE '2025-01-08']) AS d(d) LEFT JOIN orders ON ordered_on = d GROUP BY d",
    ),
    (
        "SELECT d, COUNT(*) AS n FROM orders JOIN UNNEST(GENERATE_DATE_ARRAY('2024-02-27', "
        "'2024-03-01')) AS d ON ordered_on = d GROUP BY d",
        "SELECT d, COUNT(*) AS n FROM orders JOIN UNNEST([DATE '2024-02-27', DATE '2024-02-28', "
        "DATE '2024-02-29', DATE '2024-03-01']) AS d(d) ON ordered_on = d GROUP BY d",
    ),
    (
        "SELECT q[OFFSET(1)] AS low, q[ORDINAL(4)] - q[SAFE_OFFSET(1)] AS w "
        "FROM (SELECT APPROX_QUANTILES(rating, 4) AS q FROM orders) AS t",
        "SELECT q[2] AS low, q[4] - q[2] AS w FROM "
        "(SELECT APPROX_QUANTILE(rating, [0, 0.25, 0.5, 0.75, 1]) AS q FROM orders) AS t",
    ),
)
