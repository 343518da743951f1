"""T-SQL's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import CHANNELS, JOINED, OF_EACH

SAME = (
    (
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel "
        "HAVING channel = 'web'",
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY orders.channel "
        "HAVING orders.channel = 'web'",
    ),
    (
        "SELECT v.t, COUNT(*) AS n FROM orders AS o "
        "JOIN (VALUES (1, 'low'), (-2, NULL)) AS v(a, t) ON v.a = o.rating GROUP BY v.t",
        "SELECT v.t, COUNT(*) AS n FROM orders AS o "
        "JOIN (VALUES (1, 'low'), (-2, NULL)) AS v(a, t) ON v.a = o.rating GROUP BY v.t",
    ),
    (
        f"SELECT STRING_AGG(channel, '-') WITHIN GROUP (ORDER BY n) AS s FROM {CHANNELS}",
        f"SELECT STRING_AGG(channel, '-' ORDER BY n NULLS FIRST) AS s FROM {CHANNELS}",
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
        f"SELECT COUNT(*) AS n FROM customers AS c CROSS APPLY {OF_EACH} WHERE x.s > 9",
        f"SELECT COUNT(*) AS n FROM customers AS c JOIN LATERAL {OF_EACH} ON TRUE WHERE x.s > 9",
    ),
    (
        f"SELECT COUNT(x.s) AS n FROM customers AS c OUTER APPLY {OF_EACH}",
        f"SELECT COUNT(x.s) AS n FROM customers AS c LEFT JOIN LATERAL {OF_EACH} ON TRUE",
    ),
    (
        "SELECT CONVERT(VARCHAR(7), ordered_on, 120) AS m, COUNT(*) AS n FROM orders "
        "GROUP BY CONVERT(VARCHAR(7), ordered_on, 120)",
        "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT CONVERT(VARCHAR, ordered_on, 103) AS m, COUNT(*) AS n FROM orders "
        "GROUP BY CONVERT(VARCHAR, ordered_on, 103)",
        "SELECT STRFTIME(ordered_on, '%d/%m/%Y') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT DATENAME(month, ordered_on) AS m, LEFT(ordered_on, 4) AS y, COUNT(*) AS n "
        "FROM orders GROUP BY DATENAME(month, ordered_on), LEFT(ordered_on, 4)",
        "SELECT STRFTIME(ordered_on, '%B') AS m, SUBSTRING(CAST(ordered_on AS TEXT), 1, 4) AS "
        "y, COUNT(*) AS n FROM orders GROUP BY ALL",
    ),
    (
        "SELECT CHOOSE(rating, 'a', 'b') AS k, COUNT(*) AS n FROM orders GROUP BY "
        "CHOOSE(rating, 'a', 'b')",
        "SELECT CASE rating WHEN 1 THEN 'a' WHEN 2 THEN 'b' END AS k, COUNT(*) AS n FROM "
        "orders GROUP BY 1",
    ),
    (
        "SELECT DATEADD(month, DATEDIFF(month, 0, ordered_on), 0) AS m, COUNT(*) AS n FROM "
        "orders GROUP BY DATEADD(month, DATEDIFF(month, 0, ordered_on), 0)",
        "SELECT CAST('1900-01-01' AS TIMESTAMP) + INTERVAL (DATE_DIFF('month', "
        "CAST('1900-01-01' AS DATE), CAST(ordered_on AS DATE))) MONTH AS m, COUNT(*) AS n FROM "
        "orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= '20240101' AND "
        "ordered_on IN ('20240229', '20240301')",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2024-01-01' AND "
        "ordered_on IN (DATE '2024-02-29', DATE '2024-03-01')",
    ),
    (
        "SELECT gift, SUM(COUNT(*)) OVER (ORDER BY gift) AS s FROM orders GROUP BY gift",
        "SELECT gift, SUM(COUNT(*)) OVER (ORDER BY gift NULLS FIRST) AS s FROM orders "
        "GROUP BY gift",
    ),
    (
        "SELECT FORMAT(ordered_on, 'yyyy-MM') AS m, "
        "COUNT(*) AS n FROM orders GROUP BY FORMAT(ordered_on, 'yyyy-MM')",
        "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT EOMONTH(ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY EOMONTH(ordered_on)",
        "SELECT LAST_DAY(ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > CONVERT(date, '20240229')",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
    ),
    (
        "SELECT SUM(DATEDIFF(month, ordered_on, '2025-01-01')) AS n, "
        "SUM(DATEDIFF(yy, '2020-01-01', ordered_on)) AS m FROM orders",
        "SELECT SUM(DATE_DIFF('month', ordered_on::DATE, DATE '2025-01-01')) AS n, "
        "SUM(DATE_DIFF('year', DATE '2020-01-01', ordered_on::DATE)) AS m FROM orders",
    ),
    (
        "SELECT gift, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY COUNT(*)) OVER () AS m "
        "FROM orders GROUP BY gift",
        "SELECT gift, QUANTILE_DISC(COUNT(*), 0.5) OVER () AS m FROM orders GROUP BY gift",
    ),
    (
        "WITH o AS (SELECT rating AS r FROM orders) SELECT AVG(r / 2) AS n FROM o",
        "WITH o AS (SELECT rating AS r FROM orders) "
        "SELECT CAST(TRUNC(AVG(r // 2)) AS BIGINT) AS n FROM o",
    ),
    (
        "SELECT gift, AVG(MIN(rating)) OVER () AS m FROM orders GROUP BY gift",
        "SELECT gift, CAST(TRUNC(AVG(MIN(rating)) OVER ()) AS BIGINT) AS m FROM orders "
        "GROUP BY gift",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE DATEADD(hour, -rating, ordered_on) > '2025-01-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE "
        "ordered_on + INTERVAL (-rating) HOUR > '2025-01-01'",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE DATEADD(day, -rating, ordered_on) > '2025-01-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on + INTERVAL (-rating) DAY > '2025-01-01'",
    ),
    (
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel",
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel",
    ),
    (
        "SELECT channel, STDEV(CAST(COUNT(*) AS FLOAT)) OVER () AS s, LEAD(COUNT(*)) OVER "
        "(ORDER BY channel) AS l FROM orders GROUP BY channel",
        "SELECT channel, STDDEV(CAST(COUNT(*) AS DOUBLE)) OVER () AS s, LEAD(COUNT(*)) OVER "
        "(ORDER BY channel NULLS FIRST) AS l FROM orders GROUP BY channel",
    ),
    (
        "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel ROWS UNBOUNDED PRECEDING) AS s "
        "FROM orders GROUP BY channel",
        "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel NULLS FIRST ROWS BETWEEN "
        "UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM orders GROUP BY channel",
    ),
    (
        "SELECT SUM(SIGN(rating)) AS n FROM orders",
        "SELECT SUM(SIGN(rating)) AS n FROM orders",
    ),
    (
        "SELECT channel, AVG(rating) AS m, AVG(shipping) AS s, SUM(rating / 2) AS n "
        "FROM orders GROUP BY channel",
        "SELECT channel, CAST(TRUNC(AVG(rating)) AS BIGINT) AS m, AVG(shipping) AS s, "
        "SUM(rating // 2) AS n FROM orders GROUP BY channel",
    ),
    (
        "SELECT channel, gift, GROUPING_ID(channel, gift) AS g, COUNT(*) AS n FROM [orders] "
        "GROUP BY channel, gift WITH ROLLUP",
        "SELECT channel, gift, GROUPING(channel, gift) AS g, COUNT(*) AS n FROM orders "
        "GROUP BY ROLLUP (channel, gift)",
    ),
    (
        "SELECT channel, COUNT(*) AS n FROM [orders] GROUP BY channel WITH CUBE",
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY CUBE (channel)",
    ),
    (
        "SELECT SUM(TRY_CAST(shipping AS INT)) AS n FROM [orders]",
        "SELECT SUM(TRY_CAST(CASE WHEN shipping < 0 THEN CEIL(shipping) ELSE "
        "FLOOR(shipping) END AS INT)) AS n FROM orders",
    ),
    (
        "SELECT DISTINCT channel, PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY shipping) OVER "
        "(PARTITION BY channel) AS m FROM orders",
        "SELECT channel, QUANTILE_CONT(CAST(shipping AS DOUBLE), 0.9) AS m FROM orders GROUP "
        "BY channel",
    ),
    (
        "SELECT TOP 1 PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY rating) OVER () AS m FROM orders",
        "SELECT QUANTILE_DISC(rating, 0.5) AS m FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATEFROMPARTS(2024, 3, 1)",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= MAKE_DATE(2024, 3, 1)",
    ),
    (
        "SELECT channel, SUM(COUNT(*)) OVER () AS t FROM orders GROUP BY channel",
        "SELECT channel, SUM(COUNT(*)) OVER () AS t FROM orders GROUP BY channel",
    ),
    (
        "SELECT CAST(FLOOR(rating / 2) AS VARCHAR(255)) AS r, COUNT(*) AS n FROM orders "
        "GROUP BY FLOOR(rating / 2)",
        "SELECT CAST(rating // 2 AS VARCHAR) AS r, COUNT(*) AS n FROM orders GROUP BY rating // 2",
    ),
    (
        "SELECT SUM(CEILING(rating + 1) * 2) AS n, SUM(FLOOR(shipping)) AS m FROM orders",
        "SELECT SUM((rating + 1) * 2) AS n, SUM(FLOOR(shipping)) AS m FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ISNULL(ordered_on, ordered_on) > '2024-03-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE COALESCE(ordered_on, ordered_on) > "
        "DATE '2024-03-01'",
    ),
    (
        "SELECT CAST(rating AS VARCHAR(255)) AS r, CAST(NULL AS VARCHAR(5)) AS s, "
        "COUNT(*) AS n FROM orders GROUP BY rating",
        "SELECT CAST(rating AS VARCHAR) AS r, CAST(NULL AS VARCHAR) AS s, COUNT(*) AS n "
        "FROM orders GROUP BY rating",
    ),
    (
        "SELECT CAST(YEAR(ordered_on) AS VARCHAR(4)) AS y, COUNT(*) AS n FROM orders "
        "GROUP BY YEAR(ordered_on)",
        "SELECT CAST(year(ordered_on) AS VARCHAR) AS y, COUNT(*) AS n FROM orders "
        "GROUP BY year(ordered_on)",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE CAST(email AS NVARCHAR(2)) = 'a' "
        "AND CAST(email AS VARCHAR) = 'b' AND CAST(email AS VARCHAR(MAX)) = 'c'",
        "SELECT COUNT(*) AS n FROM customers WHERE SUBSTRING(email, 1, 2) = 'a' "
        "AND SUBSTRING(email, 1, 30) = 'b' AND CAST(email AS VARCHAR) = 'c'",
    ),
    (
        "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel DESC) AS s FROM orders "
        "GROUP BY channel",
        "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel DESC NULLS LAST) AS s FROM "
        "orders GROUP BY channel",
    ),
    ("SELECT COUNT_BIG(*) AS [n] FROM [orders]", "SELECT COUNT(*) AS n FROM orders"),
    (
        "SELECT TOP 2 channel, n = COUNT(*) FROM orders GROUP BY channel ORDER BY n DESC",
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n DESC LIMIT 2",
    ),
    (
        "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift ORDER BY gift "
        "OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY",
        "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift ORDER BY gift NULLS FIRST "
        "LIMIT 1 OFFSET 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE channel = N'web'",
        "SELECT COUNT(*) AS n FROM orders WHERE channel = 'web'",
    ),
    (
        "SELECT SUM(rating * 1.0 / 2) AS n FROM orders",
        "SELECT SUM(rating * 1.0 / 2) AS n FROM orders",
    ),
    (
        "SELECT SUM(CAST(rating AS FLOAT) / 2) AS n, AVG(CAST(rating AS FLOAT)) AS m FROM orders",
        "SELECT SUM(CAST(rating AS DOUBLE) / 2) AS n, AVG(CAST(rating AS DOUBLE)) AS m FROM orders",
    ),
    (
        "SELECT SUM(CONVERT(INT, shipping)) AS n FROM orders",
        "SELECT SUM(CAST(CASE WHEN shipping < 0 THEN CEIL(shipping) ELSE FLOOR(shipping) END "
        "AS INT)) AS n FROM orders",
    ),
    (
        "SELECT YEAR(ordered_on) AS y, DATEPART(iso_week, ordered_on) AS w, COUNT(*) AS n "
        "FROM orders GROUP BY YEAR(ordered_on), DATEPART(iso_week, ordered_on)",
        "SELECT year(ordered_on) AS y, week(ordered_on) AS w, COUNT(*) AS n FROM orders "
        "GROUP BY year(ordered_on), week(ordered_on)",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATEADD(month, 1, "
        "CAST('2025-01-31' AS DATE))",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-01-31' + INTERVAL 1 MONTH",
    ),
    (
        f"SELECT SUM(DATEDIFF(day, c.joined_on, o.ordered_on)) AS n {JOINED}",
        "SELECT SUM(CAST(o.ordered_on AS DATE) - CAST(c.joined_on AS DATE)) AS n " + JOINED,
    ),
    (
        "SELECT SUM(IIF(shipping > 5, 1, 0)) AS n, SUM(ISNULL(rating, 3)) AS m FROM orders",
        "SELECT SUM(CASE WHEN shipping > 5 THEN 1 ELSE 0 END) AS n, "
        "SUM(COALESCE(rating, 3)) AS m FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE LOWER(email) LIKE 'a%'",
        "SELECT COUNT(*) AS n FROM customers WHERE LOWER(email) LIKE 'a%'",
    ),
    (
        "SELECT SUM(ROUND(shipping, 1)) AS n, SUM(LOG(shipping + 1)) AS m FROM orders",
        "SELECT SUM(ROUND(shipping, 1)) AS n, SUM(LN(shipping + 1)) AS m FROM orders",
    ),
    (
        "SELECT channel + '-' + CAST(rating AS VARCHAR) AS k, COUNT(*) AS n FROM orders "
        "GROUP BY channel + '-' + CAST(rating AS VARCHAR)",
        "SELECT channel || '-' || CAST(rating AS VARCHAR) AS k, COUNT(*) AS n FROM orders "
        "GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE RIGHT(email, 3) = '.de'",
        "SELECT COUNT(*) AS n FROM customers WHERE RIGHT(email, 3) = '.de'",
    ),
    (
        "SELECT RIGHT(ordered_on, 2) AS d, CAST(ordered_on AS VARCHAR) AS k, COUNT(*) AS n "
        "FROM orders GROUP BY RIGHT(ordered_on, 2), CAST(ordered_on AS VARCHAR)",
        "SELECT RIGHT(CAST(ordered_on AS VARCHAR), 2) AS d, CAST(ordered_on AS VARCHAR) AS k, "
        "COUNT(*) AS n FROM orders GROUP BY ALL",
    ),
    (
        "SELECT CAST(o.k AS VARCHAR(20)) AS k, COUNT(*) AS n FROM (SELECT CASE WHEN rating > 3 "
        "THEN 'good' WHEN rating < 2 THEN NULL ELSE LEFT('badly', 3) END AS k FROM orders) AS o "
        "GROUP BY o.k",
        "SELECT SUBSTRING(o.k, 1, 20) AS k, COUNT(*) AS n FROM (SELECT CASE WHEN rating > 3 THEN "
        "'good' WHEN rating < 2 THEN NULL ELSE SUBSTRING('badly', 1, 3) END AS k FROM orders) "
        "AS o GROUP BY o.k",
    ),
    (
        "SELECT CAST(x / 3 AS VARCHAR(255)) AS t FROM (SELECT CAST(COUNT(*) AS FLOAT) AS x FROM "
        "orders) AS o",
        "SELECT REGEXP_REPLACE(FORMAT('{:g}', CAST(x / 3 AS DOUBLE)), 'e([+-])(..)$', "
        r"'e\10\2') AS t FROM (SELECT CAST(COUNT(*) AS DOUBLE) AS x FROM orders) AS o",
    ),
    (
        "SELECT CAST(CAST(YEAR(ordered_on) AS VARCHAR) + '07' AS INT) AS k, COUNT(*) AS n FROM "
        "orders GROUP BY CAST(CAST(YEAR(ordered_on) AS VARCHAR) + '07' AS INT)",
        "SELECT CAST(CAST(YEAR(ordered_on) AS VARCHAR) || '07' AS INT) AS k, COUNT(*) AS n FROM "
        "orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE REPLACE(REPLACE(email, ' ', ''), '-', '_') = "
        "'b_' AND CHARINDEX('@', email) > 2 AND REPLACE(LOWER(email), 'a', 'b') = 'b'",
        "SELECT COUNT(*) AS n FROM customers WHERE REPLACE(REPLACE(email, ' ', ''), '-', '_') = "
        "'b_' AND STRPOS(email, '@') > 2 AND REPLACE(LOWER(email), 'a', 'b') = 'b'",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE LOWER(email) LIKE LOWER('%A@b%')",
        "SELECT COUNT(*) AS n FROM customers WHERE LOWER(email) LIKE '%a@b%'",
    ),
)
