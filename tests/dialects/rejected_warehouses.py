"""The same as in `rejected`, of the dialects of warehouses."""

from __future__ import annotations

MIXED = "SELECT gift, rating AS r FROM orders UNION ALL SELECT gift, shipping FROM orders"
"""Whole numbers, and others."""

WAREHOUSES = {
    "bigquery": [
        ("SELECT AVG(s.a) FROM (SELECT STRUCT(rating + 1) AS s FROM orders)", "rating + 1"),
        ("SELECT AVG(s.a) FROM (SELECT STRUCT<INT64>(rating) AS s FROM orders)", None),
        ("SELECT AVG(s.a) FROM (SELECT STRUCT<a INT64>(rating, 1) AS s FROM orders)", None),
        ("SELECT (SELECT AS STRUCT COUNT(*) AS n FROM orders) AS x", None),
        ("SELECT AS STRUCT rating AS r FROM orders UNION ALL SELECT AS STRUCT 1 AS r", None),
        ("SELECT AS VALUE COUNT(*) FROM orders", None),
        ("SELECT STRUCT(COUNT(*) AS n) AS s FROM orders", "STRUCT(COUNT(*) AS n) AS s"),
        *(
            (f"SELECT COUNT(*) FROM orders WHERE {of}", None)
            for of in ("rating = 2 IS NULL", "NOT rating < 2 IS NOT NULL", "rating IS NULL = gift")
        ),
        ("SELECT COUNT(DISTINCT FORMAT_DATE('%V', ordered_on)) FROM orders", None),
        ("SELECT COUNT(DISTINCT FORMAT_DATE('%e', ordered_on)) FROM orders", None),
        (
            "SELECT COUNT(DISTINCT FORMAT_TIMESTAMP('%Y', ordered_on, 'Asia/Tokyo')) FROM orders",
            None,
        ),
        (
            "SELECT COUNT(*) FROM orders WHERE ordered_on > PARSE_DATE('%Y-%m-%d', '2024/02/29')",
            None,
        ),
        (
            "SELECT channel, PERCENTILE_CONT(rating, 0.5) OVER (PARTITION BY channel) FROM orders",
            None,
        ),
        (
            "SELECT DISTINCT gift, PERCENTILE_CONT(rating, 0.5) OVER (PARTITION BY channel) FROM "
            "orders",
            None,
        ),
        ("SELECT PERCENTILE_CONT(rating, 0.5) OVER () FROM orders LIMIT 2", None),
        ("SELECT rating - PERCENTILE_CONT(rating, 0.5) OVER () FROM orders LIMIT 1", None),
        ("SELECT PERCENTILE_CONT(rating, 0.5) OVER () + COUNT(*) FROM orders LIMIT 1", None),
        ("SELECT APPROX_QUANTILES(rating, 4)[OFFSET(5)] FROM orders", None),
        ("SELECT SUM(EXTRACT(DAY FROM ordered_on - ordered_on)) FROM orders", None),
        ("SELECT UPPER(channel) AS channel, COUNT(*) FROM orders GROUP BY channel", "channel"),
        ("SELECT REGEXP_EXTRACT(email, 'a(b)?'), COUNT(*) FROM customers GROUP BY 1", None),
        ("SELECT REGEXP_EXTRACT(email, 'a', 2), COUNT(*) FROM customers GROUP BY 1", "2"),
        ("SELECT REGEXP_EXTRACT_ALL(email, 'a'), COUNT(*) FROM customers GROUP BY 1", None),
        ("SELECT ANON_AVG(shipping CLAMPED BETWEEN 0 AND 9) FROM orders", "ANON_AVG"),
        (
            "SELECT SUM(shipping, contribution_bounds_per_group => (0, 9)) FROM orders",
            "contribution_bounds_per_group",
        ),
        (
            "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=10) COUNT(*) FROM orders",
            "WITH DIFFERENTIAL_PRIVACY",
        ),
        ("SELECT SUM(DIV(shipping, 2)) FROM orders", "DIV(shipping, 2"),
        ("SELECT SUM(rating ^ 2) FROM orders", "rating ^ 2"),
        ("SELECT SUM(LOG(shipping, 3)) FROM orders", None),
        ("SELECT SUM(EXTRACT(WEEK FROM ordered_on)) FROM orders", None),
        ("SELECT SUM(DATE_DIFF(ordered_on, '2024-01-01', WEEK)) FROM orders", None),
        (
            "SELECT COUNT(*) FROM orders WHERE TIMESTAMP_TRUNC(ordered_on, DAY, 'Asia/Tokyo') "
            "> '2024-01-01'",
            "'Asia/Tokyo'",
        ),
        (
            "SELECT COUNT(*) FROM orders WHERE TIMESTAMP_TRUNC(ordered_on, MILLISECOND) > "
            "'2024-01-01'",
            None,
        ),
        (
            "SELECT COUNT(*) FROM orders WHERE TIME_TRUNC(ordered_on, MILLISECOND) > '12:00:00'",
            None,
        ),
        ("SELECT COUNT(*) FROM customers WHERE TRIM(email) = 'x'", None),
        ("SELECT COUNT(*) FROM customers WHERE email = 'a\\n'", "'a\\n'"),
        ("SELECT COUNT(*) FROM customers WHERE email = 'it''s'", "'it'"),
        ("SELECT COUNT(*) FROM customers WHERE email = r'it\\'s'", None),
        ("SELECT COUNT(*) FROM customers WHERE SUBSTR(email, 0, 3) = 'x'", None),
        ("SELECT COUNT(*) FROM orders WHERE CAST(ordered_on AS TIMESTAMP) > '2024-01-01'", None),
        (
            "SELECT * REPLACE (-n AS n) FROM (SELECT COUNT(*) AS n FROM orders) AS q "
            "ORDER BY n + 1",
            None,
        ),
        ("SELECT COUNT(*) FROM orders WHERE channel NOT LIKE ANY ('a', 'b')", None),
        ("SELECT COUNT(*) FROM orders WHERE channel LIKE ANY UNNEST(['a', 'b'])", None),
        (
            "SELECT SUM(n) OVER (w ORDER BY n) FROM (SELECT channel, COUNT(*) AS n FROM orders "
            "GROUP BY channel) AS q WINDOW w AS (ORDER BY channel)",
            None,
        ),
        (
            "SELECT SUM(n) OVER w FROM (SELECT channel, COUNT(*) AS n FROM orders "
            "GROUP BY channel) AS q WINDOW w AS (ORDER BY channel), w AS (ORDER BY n)",
            None,
        ),
        ("SELECT SUM(SAFE.EXP(shipping)) FROM orders", "EXP(shipping"),
        ("SELECT SUM(SAFE_CAST(email AS FLOAT64)) FROM customers", None),
        ("SELECT channel, COUNT(*) FROM orders GROUP BY channel WITH ROLLUP", None),
        ("SELECT COUNT(*) FROM orders WHERE rating IN UNNEST([])", None),
        ("SELECT COUNT(*) FROM orders, UNNEST(GENERATE_ARRAY(1, 3, 0)) AS x", None),
        ("SELECT COUNT(*) FROM orders, UNNEST(GENERATE_ARRAY(1, 2001)) AS x", None),
        ("SELECT COUNT(*) FROM orders, UNNEST(GENERATE_ARRAY(1, 2.5)) AS x", None),
        (
            "SELECT COUNT(*) FROM orders, "
            "UNNEST(GENERATE_DATE_ARRAY('2024-01-31', '2024-05-01', INTERVAL 1 MONTH)) AS d",
            None,
        ),
        (
            "SELECT COUNT(*) FROM orders, "
            "UNNEST(GENERATE_DATE_ARRAY('9999-12-30', '9999-12-31')) AS d",
            None,
        ),
        ("SELECT COUNT(*) FROM orders WHERE rating IN UNNEST(ratings)", None),
        ("SELECT COUNT(*) FROM orders, UNNEST([1, 2])", None),
        ("SELECT COUNT(*) FROM orders, UNNEST([1, 2]) AS x WITH OFFSET AS o", None),
        ("SELECT COUNT(*) FROM orders, UNNEST(orders.channel) AS x", None),
        ("SELECT COUNT(*) FROM orders AS a JOIN Orders AS b USING (order_id)", "Orders"),
        ("FROM orders |> AGGREGATE COUNT(*)", "|>"),
        ("SELECT COUNT(*) FROM orders WHERE CAST(shipping AS STRING) = '1'", None),
    ],
    "snowflake": [
        *(
            (f"SELECT COUNT(*) FROM orders WHERE {of}", None)
            for of in ("rating = 2 IS NULL", "NOT rating < 2 IS NOT NULL", "rating IS NULL = gift")
        ),
        ("SELECT MAX(DATEADD(day, rating / 2, ordered_on)) AS m FROM orders", "rating / 2"),
        ("SELECT COUNT(*) FROM customers WHERE SUBSTRING(email, 1, 2, 3) = 'a'", "3"),
        ("SELECT COUNT(*) FROM customers WHERE SUBSTR(email, 1, 2, 3) = 'a'", "3"),
        ("SELECT gift, SUM(COUNT(*)) OVER (ORDER BY gift) AS s FROM orders GROUP BY gift", None),
        ("SELECT COUNT(*) FROM orders WHERE DATEDIFF(day, 0, ordered_on) > 1", None),
        ("SELECT gift, SUM(SUM(rating)) OVER (ORDER BY gift) FROM orders GROUP BY gift", None),
        ("SELECT COUNT(*) FROM customers WHERE CAST(email AS VARCHAR(9)) = 'a'", None),
        ("SELECT COUNT(DISTINCT TO_CHAR(ordered_on, 'YYYY-MM-DDD')) FROM orders", None),
        ("SELECT COUNT(DISTINCT TO_CHAR(shipping, '999')) FROM orders", None),
        ("SELECT COUNT(DISTINCT LAST_DAY(ordered_on, 'week')) FROM orders", None),
        ("SELECT WIDTH_BUCKET(shipping, 20, 0, 5) AS b, COUNT(*) FROM orders GROUP BY 1", None),
        (
            "SELECT SUM(rating) AS rating FROM orders GROUP BY channel QUALIFY RANK() OVER "
            "(ORDER BY rating) < 2",
            "rating",
        ),
        ("SELECT COUNT(*) FROM orders WHERE ordered_on > DATE_FROM_PARTS(2024, 1.5, 1)", None),
        ("SELECT SUM(DAYOFWEEK(ordered_on)) FROM orders", None),
        ("SELECT SUM(WEEK(ordered_on)) FROM orders", None),
        ("SELECT DATE_TRUNC('week', ordered_on) AS w, COUNT(*) FROM orders GROUP BY w", None),
        ("SELECT COUNT(*) FROM customers WHERE email = 'a\\n'", "'a\\n'"),
        ("SELECT SUM(TRY_CAST(email AS INT)) FROM customers", None),
        ("SELECT SUM(DECODE(rating, 1, 2)) FROM orders", None),
        ("SELECT SUM(LOG(3, shipping)) FROM orders", None),
        ("SELECT COUNT(*) FROM orders WHERE ADD_MONTHS(ordered_on, 1) > '2024-01-01'", None),
        ("SELECT DATEDIFF(millisecond, ordered_on, '2025-01-01') AS m FROM orders", None),
        ("SELECT SUM(FLOOR(shipping, 1)) FROM orders", "1"),
        ('SELECT COUNT(*) FROM "orders", ORDERS', None),
        (
            "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift "
            "QUALIFY LAG(COUNT(*)) OVER (ORDER BY gift NULLS LAST ROWS UNBOUNDED PRECEDING) > 1",
            None,
        ),
        ("SELECT COUNT(*) FROM orders WHERE ordered_on > '2024-01-01'::TIMESTAMP", None),
        ("SELECT $1 FROM regions", None),
        ("SELECT SUM(NVL2(rating, 1, 0)) FROM orders", None),
    ],
    "spark": [
        ("SELECT s.r FROM (SELECT STRUCT(COUNT(*) AS r) AS s FROM orders)", None),
        *(
            (f"SELECT COUNT(*) FROM orders WHERE {of}", None)
            for of in ("rating = 2 IS NULL", "NOT rating < 2 IS NOT NULL", "rating IS NULL = gift")
        ),
        (
            "WITH v(a, b) AS (SELECT col1, col1 FROM (VALUES (1, 2))) "
            "SELECT COUNT(*) FROM orders JOIN v ON a = rating",
            None,
        ),
        ("SELECT COUNT(*) FROM orders GROUP BY DATE_FORMAT(ordered_on, 'YYYY-MM')", "'YYYY-MM'"),
        ("SELECT COUNT(*) FROM orders WHERE isnan(shipping)", None),
        ("SELECT COUNT(DISTINCT DATE_FORMAT(ordered_on, 'MMM')) FROM orders", None),
        ("SELECT COUNT(DISTINCT DATE_FORMAT(ordered_on, 'u')) FROM orders", None),
        ("SELECT COUNT(DISTINCT DATE_FORMAT(ordered_on, 'yyyyy')) FROM orders", None),
        ("SELECT COUNT(*) FROM orders WHERE ordered_on > TO_DATE('20240229', 'yyyy-MM-dd')", None),
        ("SELECT SUM(SIZE(rating)) FROM orders", None),
        ("SELECT TRUNC(ordered_on, 'DAY') AS d, COUNT(*) FROM orders GROUP BY d", None),
        ("SELECT SUM(shipping DIV 2) FROM orders", "shipping DIV 2"),
        (
            "SELECT channel, grouping_id() AS g, COUNT(*) FROM orders GROUP BY channel WITH ROLLUP",
            None,
        ),
        ("SELECT COUNT(*) FROM orders WHERE !gift = true", "!"),
        ("SELECT COUNT(*) FROM customers WHERE email = 'a\\'b'", "'a\\'b'"),
        ("SELECT COUNT(*) FROM customers WHERE email = 'it''s'", "'it'"),
        ("SELECT COUNT(*) FROM customers WHERE email RLIKE 'a.*'", None),
        ("SELECT SUM(rating ^ 2) FROM orders", "rating ^ 2"),
        ("SELECT SUM(EXTRACT(SECOND FROM ordered_on)) FROM orders", None),
        ("SELECT SUM(datediff(DAY, ordered_on, '2024-01-01')) FROM orders", None),
        ("SELECT COUNT(rating, gift) FROM orders", None),
        ("SELECT COUNT(*) FROM orders WHERE CAST(ordered_on AS TIMESTAMP) > '2024-01-01'", None),
        ("SELECT SUM(try_cast(email AS INT)) FROM customers", None),
        ("SELECT COUNT(*) FROM customers WHERE ltrim('x', email) = 'a'", None),
        ("SELECT /*+ BROADCAST(orders) */ COUNT(*) FROM orders", None),
        ("SELECT SUM(bround(shipping)) FROM orders", None),
        ("SELECT SUM(log(3, shipping)) FROM orders", None),
        ("SELECT gift, rating + COUNT(*) FROM orders GROUP BY ALL", "rating + COUNT(*"),
        ("SELECT COUNT(*) FROM orders RIGHT SEMI JOIN customers USING (customer_id)", None),
        ("SELECT * FROM orders LEFT SEMI JOIN customers USING (customer_id)", "*"),
        (
            "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel "
            "HAVING channel = 'WEB'",
            "channel",
        ),
    ],
    "tsql": [
        *(
            (f"SELECT COUNT(*) FROM orders WHERE {of}", None)
            for of in ("rating = 2 IS NULL", "NOT rating < 2 IS NOT NULL", "rating IS NULL = gift")
        ),
        ("SELECT COUNT(*) FROM orders JOIN (VALUES (1), ('b')) AS v(a) ON a = rating", "1"),
        ("SELECT COUNT(*) FROM orders JOIN (VALUES (1), (2.5)) AS v(a) ON a = rating", "1"),
        ("SELECT COUNT(*) FROM orders JOIN (VALUES (NULL), (NULL)) AS v(a) ON a = rating", None),
        ("SELECT COUNT(*) FROM orders JOIN (VALUES (1, 2)) AS v ON 1 = rating", None),
        (
            "SELECT x, COUNT(*) FROM orders CROSS APPLY (VALUES (rating), (7)) AS v(x) GROUP BY x",
            "rating",
        ),
        ("SELECT COUNT(*) FROM orders WHERE DATEADD(day, 1, 99999999) > ordered_on", None),
        ("SELECT COUNT(DISTINCT FORMAT(ordered_on, 'd')) FROM orders", None),
        ("SELECT COUNT(DISTINCT FORMAT(ordered_on, 'mmmm')) FROM orders", None),
        ("SELECT COUNT(DISTINCT FORMAT(ordered_on, 'YYYY-MM')) FROM orders", "'YYYY-MM'"),
        ("SELECT COUNT(DISTINCT FORMAT((ordered_on), 'MM-y')) FROM orders", "'MM-y'"),
        ("SELECT COUNT(DISTINCT FORMAT(ordered_on, 'MMM yyyy')) FROM orders", None),
        ("SELECT COUNT(DISTINCT FORMAT(ordered_on, 'yyyy/MM')) FROM orders", None),
        ("SELECT COUNT(DISTINCT FORMAT(ordered_on, 'yyyy-MM', 'de-DE')) FROM orders", None),
        ("SELECT COUNT(DISTINCT DATENAME(week, ordered_on)) FROM orders", None),
        ("SELECT COUNT(DISTINCT DATENAME(ordered_on)) FROM orders", None),
        ("SELECT COUNT(DISTINCT CHOOSE(shipping, 'a', 'b')) FROM orders", None),
        ("SELECT COUNT(DISTINCT CHOOSE(rating)) FROM orders", None),
        ("SELECT COUNT(DISTINCT LEFT(shipping, 2)) FROM orders", None),
        ("SELECT COUNT(DISTINCT LEFT(email, customer_id)) FROM customers", None),
        ("SELECT COUNT(DISTINCT EOMONTH(ordered_on, 1)) FROM orders", None),
        (
            "SELECT gift, SUM(COUNT(*)) OVER (ORDER BY gift RANGE BETWEEN CURRENT ROW AND "
            "UNBOUNDED FOLLOWING) AS s FROM orders GROUP BY gift",
            None,
        ),
        ("SELECT SUM(POWER(rating, 2)) FROM orders", "POWER(rating, 2"),
        ("SELECT COUNT(*) FROM customers WHERE CHARINDEX('a', email) > 0", None),
        ("SELECT COUNT(*) FROM customers WHERE REPLACE(email, 'a', 'b') = 'b'", None),
        ("SELECT COUNT(*) FROM customers WHERE REPLACE(LOWER(email), 'A', 'b') = 'b'", None),
        ("SELECT COUNT(*) FROM customers WHERE REPLACE(email, '–', '-') = 'b'", None),
        ("SELECT COUNT(*) FROM customers WHERE LOWER(email) LIKE LOWER('%É%')", None),
        ("SELECT COUNT(*) FROM customers WHERE email NOT LIKE 'a%'", None),
        (f"SELECT SUM(r / 2) FROM ({MIXED}) AS o", "r / 2"),
        (f"SELECT AVG(r) FROM ({MIXED}) AS o", "AVG(r"),
        (f"SELECT gift, AVG(MIN(r)) OVER () FROM ({MIXED}) AS o GROUP BY gift", "AVG(MIN(r"),
        ("SELECT channel, COUNT(*) FROM [orders] GROUP BY ROLLUP (channel) WITH CUBE", None),
        ("SELECT SUM(TRY_CAST(email AS FLOAT)) FROM customers", None),
        ("SELECT SUM(rating ^ 2) FROM orders", "rating ^ 2"),
        ("SELECT SUM(LEN(email)) FROM customers", None),
        ("SELECT COUNT(*) FROM customers WHERE email LIKE 'a%'", None),
        ("SELECT COUNT(*) FROM customers WHERE LOWER(email) LIKE 'A%'", None),
        ("SELECT COUNT(*) FROM customers WHERE LOWER(email) LIKE '[ab]%'", "'[ab]%'"),
        ("SELECT COUNT(*) FROM customers WHERE region_id + 'x' = 'bx'", "region_id + 'x'"),
        ("SELECT COUNT(*) FROM customers WHERE email + NULL = 'bx'", None),
        ("SELECT COUNT(DISTINCT RIGHT(shipping, 2)) FROM orders", None),
        ("SELECT COUNT(DISTINCT RIGHT(email, -1)) FROM customers", None),
        ("SELECT CAST(AVG(shipping) AS VARCHAR) AS t FROM orders", "AVG(shipping"),
        ("SELECT CAST(1.5 * COUNT(*) AS VARCHAR) AS t FROM orders", "1.5 * COUNT(*"),
        ("SELECT CAST(CAST(COUNT(*) AS FLOAT) AS VARCHAR(12)) AS t FROM orders", None),
        ("SELECT CAST(x AS VARCHAR) AS t FROM (SELECT 0.5 * COUNT(*) AS x FROM orders) AS o", "x"),
        ("SELECT COUNT(DISTINCT CAST(ordered_on AS VARCHAR(9))) FROM orders", None),
        ("SELECT SUM(DATEPART(weekday, ordered_on)) FROM orders", None),
        ("SELECT SUM(DATEPART(week, ordered_on)) FROM orders", None),
        ("SELECT SUM(DATEDIFF(millisecond, ordered_on, '2025-01-01')) FROM orders", None),
        ("SELECT TOP 5 PERCENT channel, COUNT(*) FROM orders GROUP BY channel", None),
        ("SELECT TOP 1 WITH TIES gift, COUNT(*) AS n FROM orders GROUP BY gift ORDER BY n", None),
        ("SELECT COUNT(*) FROM orders WITH (NOLOCK)", None),
        ("SELECT SUM(ROUND(shipping, 1, 1)) FROM orders", "1"),
        ("SELECT SUM(ISNULL(rating, 0.5)) FROM orders", None),
        ("SELECT SUM(ISNULL(rating, shipping)) FROM orders", None),
        ("SELECT COUNT(*) FROM customers WHERE ISNULL(email, email) = 'a'", None),
        ("SELECT COUNT(*) FROM orders WHERE ordered_on > CAST('2024-01-01' AS DATETIME)", None),
        ("SELECT COUNT(*) FROM orders CROSS APPLY customers", None),
        ("SELECT CONVERT(VARCHAR, ordered_on, 106) FROM orders", None),
        ("SELECT CONVERT(CHAR(6), ordered_on, 112) FROM orders", None),
        ("SELECT CONVERT(VARCHAR(5), ordered_on, 112) FROM orders", None),
        ("SELECT CONVERT(VARCHAR(9), shipping, 120) FROM orders", None),
        ("SELECT CONVERT(DATE, '01/02/2024', 103) FROM orders", None),
        ("SELECT COUNT(*) FROM orders WHERE CAST(rating AS VARCHAR(19)) = '3'", None),
        ("SELECT COUNT(*) FROM orders WHERE CAST(YEAR(ordered_on) AS VARCHAR(3)) = '3'", None),
        ("SELECT COUNT(*) FROM orders WHERE CAST(shipping AS VARCHAR(30)) = '3'", None),
        ("SELECT COUNT(*) FROM customers WHERE email COLLATE Latin1_General_CI_AS = 'a'", None),
    ],
}
