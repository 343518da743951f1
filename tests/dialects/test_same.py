"""Compiles to the same SQL, sensitivities and noise as a query in DuckDB's dialect."""

from __future__ import annotations

import pytest

from dpsql.compile import Compiled, ReleasedQuery, engine_sql
from tests.dialects.shop import compiled

JOINED = "FROM orders AS o JOIN customers AS c ON c.customer_id = o.customer_id"

SAME = {
    "mysql": [
        (
            'SELECT `channel`, COUNT(*) AS n FROM `orders` WHERE channel = "web" GROUP BY channel',
            "SELECT channel, COUNT(*) AS n FROM orders WHERE channel = 'web' GROUP BY channel",
        ),
        (
            "SELECT SUM(IFNULL(rating, 3)) AS m, SUM(IF(shipping > 5, 1, 0)) AS n FROM orders",
            "SELECT SUM(COALESCE(rating, 3)) AS m, SUM(CASE WHEN shipping > 5 THEN 1 ELSE 0 END) "
            "AS n FROM orders",
        ),
        (
            "SELECT DATE_FORMAT(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY m",
            "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY m",
        ),
        (
            "SELECT DATE_FORMAT(ordered_on, '%W, %e %M') AS m, COUNT(*) AS n FROM orders "
            "GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%A, %-d %B') AS m, COUNT(*) AS n FROM orders GROUP BY m",
        ),
        (
            "SELECT YEAR(ordered_on) AS y, MONTHNAME(ordered_on) AS m, COUNT(*) AS n FROM orders "
            "GROUP BY y, m",
            "SELECT YEAR(ordered_on) AS y, STRFTIME(ordered_on, '%B') AS m, COUNT(*) AS n FROM "
            "orders GROUP BY y, m",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= STR_TO_DATE('2025-01-01', "
            "'%Y-%m-%d') AND ordered_on < DATE_ADD(DATE '2025-01-31', INTERVAL 1 MONTH)",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-01-01' AND "
            "ordered_on < DATE '2025-01-31' + INTERVAL 1 MONTH",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE DATE_SUB(ordered_on, INTERVAL rating DAY) > "
            "'2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on - INTERVAL (rating) DAY > "
            "'2025-01-01'",
        ),
        (
            "SELECT SUM(rating / 2) AS a, SUM(rating DIV 2) AS b FROM orders",
            "SELECT SUM(rating / 2) AS a, SUM(rating // 2) AS b FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE gift || rating > 3 && shipping < 5",
            "SELECT COUNT(*) AS n FROM orders WHERE gift OR rating > 3 AND shipping < 5",
        ),
        (
            f"SELECT SUM(DATEDIFF(o.ordered_on, c.joined_on)) AS n {JOINED}",
            "SELECT SUM(CAST(o.ordered_on AS DATE) - CAST(c.joined_on AS DATE)) AS n " + JOINED,
        ),
        (
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY channel, gift WITH ROLLUP",
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY ROLLUP (channel, gift)",
        ),
        (
            "SELECT STD(shipping) AS s, VAR_SAMP(shipping) AS v FROM orders",
            "SELECT STDDEV_POP(shipping) AS s, VAR_SAMP(shipping) AS v FROM orders",
        ),
        (
            "SELECT DAYOFWEEK(ordered_on) AS d, WEEKDAY(ordered_on) AS w, COUNT(*) AS n FROM "
            "orders GROUP BY d, w",
            "SELECT DAYOFWEEK(ordered_on) + 1 AS d, ISODOW(ordered_on) - 1 AS w, COUNT(*) AS n "
            "FROM orders GROUP BY d, w",
        ),
        (
            "SELECT DATE(ordered_on) AS d, COUNT(*) AS n FROM orders WHERE DATE(ordered_on) < "
            "'2025-01-09' GROUP BY d",
            "SELECT CAST(ordered_on AS DATE) AS d, COUNT(*) AS n FROM orders WHERE "
            "CAST(ordered_on AS DATE) < '2025-01-09' GROUP BY d",
        ),
    ],
    "postgres": [
        (
            "SELECT 100 * SUM(rating)::numeric / COUNT(*) AS n, ROUND(AVG(shipping)::numeric, 2) "
            "AS m FROM orders",
            "SELECT 100 * CAST(SUM(rating) AS DOUBLE) / COUNT(*) AS n, "
            "ROUND(CAST(AVG(shipping) AS DOUBLE), 2) AS m FROM orders",
        ),
        (
            "SELECT TO_CHAR(ordered_on, 'YYYY-MM') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel) AS s FROM orders "
            "GROUP BY channel",
            "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel) AS s FROM orders "
            "GROUP BY channel",
        ),
        (
            "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel RANGE UNBOUNDED PRECEDING) AS s "
            "FROM orders GROUP BY channel",
            "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel RANGE BETWEEN UNBOUNDED "
            "PRECEDING AND CURRENT ROW) AS s FROM orders GROUP BY channel",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on BETWEEN '20240101' AND '20240229'",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on BETWEEN DATE '2024-01-01' AND "
            "DATE '2024-02-29'",
        ),
        (
            "SELECT TO_CHAR(ordered_on, 'Mon yyyy') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%b %Y') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT TO_CHAR(ordered_on, 'Month') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT RPAD(STRFTIME(ordered_on, '%B'), 9, ' ') AS m, "
            "COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT TO_CHAR(ordered_on, 'Day, DD mon') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT RPAD(STRFTIME(ordered_on, '%A'), 9, ' ') || STRFTIME(ordered_on, ', %d ') || "
            "LOWER(STRFTIME(ordered_on, '%b')) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT TO_CHAR(ordered_on, 'MONTH') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT RPAD(UPPER(STRFTIME(ordered_on, '%B')), 9, ' ') AS m, COUNT(*) AS n FROM "
            "orders GROUP BY 1",
        ),
        (
            "SELECT TO_CHAR(ordered_on, 'FMDay DY') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%A ') || UPPER(STRFTIME(ordered_on, '%a')) AS m, "
            "COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT EXTRACT(year FROM AGE(ordered_on, DATE '2000-05-06')) AS y, COUNT(*) AS n "
            "FROM orders GROUP BY 1",
            "SELECT EXTRACT(year FROM AGE(ordered_on, DATE '2000-05-06')) AS y, COUNT(*) AS n "
            "FROM orders GROUP BY 1",
        ),
        (
            "SELECT g, COUNT(o.rating) AS n FROM generate_series(1, 5) AS g LEFT JOIN orders AS o "
            "ON o.rating = g GROUP BY g",
            "SELECT g, COUNT(o.rating) AS n FROM generate_series(1, 5) AS g(g) LEFT JOIN orders "
            "AS o ON o.rating = g GROUP BY g",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on + INTERVAL '1 month 2 days' > "
            "'2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE (ordered_on + INTERVAL 1 MONTH) + "
            "INTERVAL 2 DAY > '2025-01-01'",
        ),
        (
            "SELECT ROUND(100 * COUNT(*)::numeric / 3, 1) AS n FROM orders",
            "SELECT ROUND(100 * CAST(COUNT(*) AS DOUBLE) / 3, 1) AS n FROM orders",
        ),
        (
            "SELECT SUM(CAST(shipping AS numeric)) AS n FROM orders",
            "SELECT SUM(CAST(shipping AS DOUBLE)) AS n FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on < "
            "DATE_TRUNC('month', '2024-05-07'::date) + INTERVAL '1 month' - INTERVAL '1 day'",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on < "
            "DATE_TRUNC('month', DATE '2024-05-07') + INTERVAL 1 MONTH - INTERVAL 1 DAY",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on > TO_DATE('2024/02-29', 'yyyy-mm/dd')",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > TO_DATE('20240229', 'YYYYMMDD')",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > '20240229'::date",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
        ),
        (
            "SELECT AVG(joined_on - '0001-01-01') AS n FROM customers",
            "SELECT AVG(joined_on - DATE '0001-01-01') AS n FROM customers",
        ),
        (
            "SELECT SUM(r / 2) AS n FROM (SELECT rating AS r FROM orders) AS o",
            "SELECT SUM(r // 2) AS n FROM (SELECT rating AS r FROM orders) AS o",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on + rating * INTERVAL '1 day' > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on + INTERVAL (rating) DAY > '2025-01-01'",
        ),
        (
            "SELECT SUM(rating / 2) AS n, SUM(rating) / COUNT(*) AS m FROM orders AS o",
            "SELECT SUM(rating // 2) AS n, SUM(rating) // COUNT(*) AS m FROM orders AS o",
        ),
        (
            "SELECT SUM(o.shipping / 2) AS n, SUM(o.customer_id) / 2 AS m FROM orders AS o "
            "JOIN customers USING (customer_id) WHERE o.customer_id < 10 AND o.customer_id > 0",
            "SELECT SUM(o.shipping / 2) AS n, SUM(o.customer_id) / 2 AS m FROM orders AS o "
            "JOIN customers USING (customer_id) WHERE o.customer_id < 10 AND o.customer_id > 0",
        ),
        (
            "SELECT COUNT(*) AS n, SUM(LOG(shipping + 1)) AS m FROM orders WHERE rating IS NOT "
            "NULL AND channel NOT LIKE 'w%'",
            "SELECT COUNT(*) AS n, SUM(LOG(shipping + 1)) AS m FROM orders WHERE rating IS NOT "
            "NULL AND channel NOT LIKE 'w%'",
        ),
        (
            "SELECT POWER(AVG(shipping), 2) AS m FROM orders",
            "SELECT POWER(AVG(shipping), 2) AS m FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM customers WHERE POSITION('@' IN email) > 2",
            "SELECT COUNT(*) AS n FROM customers WHERE STRPOS(email, '@') > 2",
        ),
        (
            "SELECT channel, gift, GROUPING(channel, gift) AS g, COUNT(*) AS n FROM orders "
            "GROUP BY channel, ROLLUP (gift)",
            "SELECT channel, gift, GROUPING(channel, gift) AS g, COUNT(*) AS n FROM orders "
            "GROUP BY channel, ROLLUP (gift)",
        ),
        (
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((channel, "
            "gift), channel, ())",
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((channel, "
            "gift), channel, ())",
        ),
        (
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY CUBE ((channel, gift), rating)",
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY CUBE ((channel, gift), rating)",
        ),
        (
            "SELECT WIDTH_BUCKET(shipping, 0, 20, 4) AS b, COUNT(*) AS n FROM orders GROUP BY b",
            "SELECT CASE WHEN shipping < 0 THEN 0 WHEN shipping >= 20 THEN 5 WHEN shipping >= 0 "
            "THEN CAST(GREATEST(LEAST(FLOOR(((shipping - 0) * 4) / 20), 3), 0) AS INT) + 1 END "
            "AS b, COUNT(*) AS n FROM orders GROUP BY b",
        ),
        (
            "SELECT WIDTH_BUCKET(shipping, 15.5, -1, 3) AS b, COUNT(*) AS n FROM orders GROUP BY b",
            "SELECT CASE WHEN shipping > 15.5 THEN 0 WHEN shipping <= -1 THEN 4 WHEN shipping "
            "<= 15.5 THEN CAST(GREATEST(LEAST(FLOOR(((15.5 - shipping) * 30) / 165), 2), 0) AS "
            "INT) + 1 END AS b, COUNT(*) AS n FROM orders GROUP BY b",
        ),
        (
            "SELECT channel, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM "
            "orders GROUP BY channel",
            "SELECT channel, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC NULLS FIRST) AS "
            "r FROM orders GROUP BY channel",
        ),
        ('SELECT COUNT(*) AS n FROM "orders"', "SELECT COUNT(*) AS n FROM orders"),
        (
            "SELECT SUM(CAST(rating AS double precision) / 2) AS n FROM orders",
            "SELECT SUM(CAST(rating AS DOUBLE) / 2) AS n FROM orders",
        ),
        (
            "SELECT SUM(rating::int / 2::int) AS n FROM orders",
            "SELECT SUM(CAST(rating AS INT) // CAST(2 AS INT)) AS n FROM orders",
        ),
        (
            "SELECT COUNT(*) / 100 AS n, AVG(shipping) / 2 AS m FROM orders",
            "SELECT COUNT(*) // 100 AS n, AVG(shipping) / 2 AS m FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= '2025-01-31'::date + "
            "INTERVAL '1 month'",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-01-31' + "
            "INTERVAL 1 MONTH",
        ),
        (
            "SELECT EXTRACT(DOW FROM ordered_on) AS d, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT dayofweek(ordered_on) AS d, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT date_part('week', ordered_on) AS w, COUNT(*) AS n FROM orders GROUP BY w",
            "SELECT week(ordered_on) AS w, COUNT(*) AS n FROM orders GROUP BY w",
        ),
        (
            "SELECT date_trunc('month', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY m",
            "SELECT date_trunc('month', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY m",
        ),
        (
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n DESC",
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel "
            "ORDER BY n DESC NULLS FIRST",
        ),
        (
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n "
            "OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n "
            "LIMIT 2 OFFSET 1",
        ),
        (
            "SELECT COUNT(*) AS n FROM customers WHERE email ILIKE 'a%' OR trim(email) = 'b'",
            "SELECT COUNT(*) AS n FROM customers WHERE email ILIKE 'a%' OR trim(email, ' ') = 'b'",
        ),
        (
            "SELECT COUNT(*) AS n FROM customers WHERE substring(email FROM 2 FOR 3) = 'abc' "
            "AND left(email, 1) = 'x'",
            "SELECT COUNT(*) AS n FROM customers WHERE substring(email, 2, 3) = 'abc' "
            "AND substring(email, 1, 1) = 'x'",
        ),
        (
            "SELECT SUM(ROUND(shipping, 1)) AS n FROM orders WHERE rating IS NOT DISTINCT FROM 3",
            "SELECT SUM(ROUND(shipping, 1)) AS n FROM orders WHERE rating IS NOT DISTINCT FROM 3",
        ),
        (
            "SELECT SUM(LEAST(GREATEST(shipping, 1), 9)) AS n FROM orders",
            "SELECT SUM(LEAST(GREATEST(shipping, 1), 9)) AS n FROM orders",
        ),
    ],
    "bigquery": [
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
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on > PARSE_DATE('%d.%m.%Y', '29.02.2024')",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "DATE_SUB(ordered_on, INTERVAL rating DAY) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on - INTERVAL (rating) DAY > '2025-01-01'",
        ),
        (
            "SELECT ABS(PERCENTILE_CONT(shipping, 0.5) OVER () - 1.5) < 0.1 AS near FROM orders "
            "LIMIT 1",
            "SELECT ABS(QUANTILE_CONT(CAST(shipping AS DOUBLE), 0.5) - 1.5) < 0.1 AS near "
            "FROM orders",
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
            "SELECT APPROX_QUANTILE(rating, 0.25) AS a, APPROX_QUANTILE(rating, 0.9) AS b FROM "
            "orders",
        ),
        (
            "SELECT APPROX_QUANTILES(rating, 4) AS a FROM orders",
            "SELECT APPROX_QUANTILE(rating, [0, 0.25, 0.5, 0.75, 1]) AS a FROM orders",
        ),
        (
            "SELECT SUM(SAFE_MULTIPLY(SAFE_ADD(rating, 1), SAFE_SUBTRACT(rating, 1))) AS n FROM "
            "orders",
            "SELECT SUM((rating + 1) * (rating - 1)) AS n FROM orders",
        ),
        (
            "SELECT COUNTIF(STARTS_WITH(email, 'a') OR ENDS_WITH(email, '.org')) AS n FROM "
            "customers",
            "SELECT COUNT_IF(STARTS_WITH(email, 'a') OR ENDS_WITH(email, '.org')) AS n FROM "
            "customers",
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
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on < DATE '2025-03-31' - "
            "INTERVAL 1 MONTH",
        ),
        (
            f"SELECT SUM(DATE_DIFF(o.ordered_on, c.joined_on, DAY)) AS n {JOINED}",
            "SELECT SUM(CAST(o.ordered_on AS DATE) - CAST(c.joined_on AS DATE)) AS n " + JOINED,
        ),
        (
            "SELECT SUM(LEAST(rating, 3)) AS n FROM orders",
            "SELECT SUM(CASE WHEN rating IS NULL THEN NULL ELSE LEAST(rating, 3) END) AS n "
            "FROM orders",
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
    ],
    "snowflake": [
        (
            "SELECT TO_CHAR(ordered_on, 'YYYY-MM') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT TO_VARCHAR(ordered_on, 'mmmm dd') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%B %d') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT DAYNAME(ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%a') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT MONTHNAME(ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%b') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT LAST_DAY(ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT LAST_DAY(ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on > TO_DATE('29/02/2024', 'DD/MM/YYYY')",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
        ),
        (
            "SELECT SUM(DATEDIFF(quarter, ordered_on, '2025-01-01')) AS n FROM orders",
            "SELECT SUM(DATE_DIFF('quarter', ordered_on::DATE, DATE '2025-01-01')) AS n "
            "FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "DATEADD(month, rating, ordered_on) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on + INTERVAL (rating) MONTH > '2025-01-01'",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "DATEADD(week, rating, ordered_on) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on + INTERVAL (rating) WEEK > '2025-01-01'",
        ),
        (
            "SELECT channel, GROUPING_ID(channel, gift) AS g, COUNT(*) AS n FROM orders GROUP "
            "BY CUBE (channel, gift)",
            "SELECT channel, GROUPING_ID(channel, gift) AS g, COUNT(*) AS n FROM orders GROUP "
            "BY CUBE (channel, gift)",
        ),
        (
            "SELECT GROUPING(channel) AS g, COUNT(*) AS n FROM orders GROUP BY ROLLUP (channel) "
            "ORDER BY g",
            "SELECT GROUPING(channel) AS g, COUNT(*) AS n FROM orders GROUP BY ROLLUP (channel) "
            "ORDER BY g",
        ),
        (
            "SELECT AVG(WIDTH_BUCKET(rating, 1, 6, 5)) AS b FROM orders",
            "SELECT AVG(CASE WHEN rating < 1 THEN 0 WHEN rating >= 6 THEN 6 WHEN rating >= 1 "
            "THEN CAST(GREATEST(LEAST(FLOOR(((rating - 1) * 5) / 5), 4), 0) AS INT) + 1 END) AS "
            "b FROM orders",
        ),
        (
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel QUALIFY RANK() OVER "
            "(ORDER BY COUNT(*) DESC) <= 2",
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel QUALIFY RANK() OVER "
            "(ORDER BY COUNT(*) DESC NULLS FIRST) <= 2",
        ),
        (
            "SELECT channel, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM orders GROUP BY "
            "channel",
            "SELECT channel, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM orders GROUP BY "
            "channel",
        ),
        ("SELECT COUNT(*) AS n FROM ORDERS", "SELECT COUNT(*) AS n FROM orders"),
        (
            "SELECT SUM(IFF(gift, 1, 0)) AS n FROM orders",
            "SELECT SUM(CASE WHEN gift THEN 1 ELSE 0 END) AS n FROM orders",
        ),
        (
            "SELECT SUM(NVL(rating, 3)) AS n, SUM(ZEROIFNULL(rating)) AS m FROM orders",
            "SELECT SUM(COALESCE(rating, 3)) AS n, "
            "SUM(CASE WHEN rating IS NULL THEN 0 ELSE rating END) AS m FROM orders",
        ),
        (
            "SELECT SUM(DIV0(shipping, rating)) AS n FROM orders",
            "SELECT SUM(CASE WHEN rating = 0 AND NOT shipping IS NULL THEN 0 "
            "ELSE shipping / rating END) AS n FROM orders",
        ),
        (
            "SELECT SUM(rating / 2) AS n FROM orders",
            "SELECT SUM(rating / 2) AS n FROM orders",
        ),
        (
            "SELECT DAYOFWEEKISO(ordered_on) AS d, COUNT(*) AS n FROM orders GROUP BY d",
            "SELECT isodow(ordered_on) AS d, COUNT(*) AS n FROM orders GROUP BY d",
        ),
        (
            "SELECT DATE_PART(week_iso, ordered_on) AS w, COUNT(*) AS n FROM orders GROUP BY w",
            "SELECT week(ordered_on) AS w, COUNT(*) AS n FROM orders GROUP BY w",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATEADD(month, -1, '2025-03-31'"
            "::DATE)",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-03-31' - "
            "INTERVAL 1 MONTH",
        ),
        (
            f"SELECT SUM(DATEDIFF(day, c.joined_on, o.ordered_on)) AS n {JOINED}",
            "SELECT SUM(CAST(o.ordered_on AS DATE) - CAST(c.joined_on AS DATE)) AS n " + JOINED,
        ),
        (
            "SELECT SUM(GREATEST(rating, 2)) AS n FROM orders",
            "SELECT SUM(CASE WHEN rating IS NULL THEN NULL ELSE GREATEST(rating, 2) END) AS n "
            "FROM orders",
        ),
        (
            "SELECT SUM(GREATEST_IGNORE_NULLS(rating, 2)) AS n FROM orders",
            "SELECT SUM(GREATEST(rating, 2)) AS n FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM customers WHERE CONCAT(email, 'x') = 'bx'",
            "SELECT COUNT(*) AS n FROM customers WHERE email || 'x' = 'bx'",
        ),
        (
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY 1 DESC LIMIT 2",
            "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel "
            "ORDER BY 1 DESC NULLS FIRST LIMIT 2",
        ),
    ],
    "spark": [
        (
            "SELECT DATE_FORMAT(ordered_on, 'yyyy-MM') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on > TO_DATE('2024-02-29', 'yyyy-MM-dd')",
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "date_sub(ordered_on, rating + 1) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "CAST(ordered_on AS DATE) - (rating + 1) > '2025-01-01'",
        ),
        (
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY channel, gift WITH ROLLUP",
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY ROLLUP (channel, gift)",
        ),
        (
            "SELECT channel, gift, grouping_id(gift, channel) AS g, COUNT(*) AS n FROM orders "
            "GROUP BY channel, gift WITH CUBE",
            "SELECT channel, gift, GROUPING(gift, channel) AS g, COUNT(*) AS n FROM orders "
            "GROUP BY CUBE (channel, gift)",
        ),
        (
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY channel, gift GROUPING "
            "SETS ((channel, gift), channel)",
            "SELECT channel, gift, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((channel, "
            "gift), channel)",
        ),
        (
            "SELECT width_bucket(shipping, 0, 1.5, 2) AS b, COUNT(*) AS n FROM orders GROUP BY 1",
            "SELECT CASE WHEN CAST(shipping AS DOUBLE) < 0 THEN 0 WHEN CAST(shipping AS DOUBLE) "
            ">= 1.5 THEN 3 WHEN CAST(shipping AS DOUBLE) >= 0 THEN "
            "CAST(GREATEST(LEAST(FLOOR(((CAST(shipping AS DOUBLE) - 0) * 20) / 15), 1), 0) AS "
            "INT) + 1 END AS b, COUNT(*) AS n FROM orders GROUP BY 1",
        ),
        ("SELECT COUNT(*) AS n FROM `orders`", "SELECT COUNT(*) AS n FROM orders"),
        (
            'SELECT COUNT(*) AS n FROM orders WHERE channel == "web" OR rating <=> NULL',
            "SELECT COUNT(*) AS n FROM orders WHERE channel = 'web' "
            "OR rating IS NOT DISTINCT FROM NULL",
        ),
        (
            "SELECT SUM(rating / 2) AS n FROM orders",
            "SELECT SUM(rating / 2) AS n FROM orders",
        ),
        (
            "SELECT SUM(CAST(shipping AS INT)) AS n FROM orders",
            "SELECT SUM(CAST(CASE WHEN shipping < 0 THEN CEIL(shipping) ELSE FLOOR(shipping) END "
            "AS INT)) AS n FROM orders",
        ),
        (
            "SELECT SUM(CAST(shipping AS DOUBLE) * 1.5D) AS n FROM orders",
            "SELECT SUM(CAST(shipping AS DOUBLE) * CAST(1.5 AS DOUBLE)) AS n FROM orders",
        ),
        (
            "SELECT dayofweek(ordered_on) AS d, COUNT(*) AS n FROM orders GROUP BY d",
            "SELECT dayofweek(ordered_on) + 1 AS d, COUNT(*) AS n FROM orders GROUP BY d",
        ),
        (
            "SELECT year(ordered_on) AS y, weekofyear(ordered_on) AS w, COUNT(*) AS n FROM orders "
            "GROUP BY 1, 2",
            "SELECT year(ordered_on) AS y, week(ordered_on) AS w, COUNT(*) AS n FROM orders "
            "GROUP BY 1, 2",
        ),
        (
            "SELECT trunc(ordered_on, 'MM') AS m, COUNT(*) AS n FROM orders GROUP BY m",
            "SELECT CAST(date_trunc('month', ordered_on) AS DATE) AS m, COUNT(*) AS n FROM orders "
            "GROUP BY m",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE date_add(ordered_on, 7) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE CAST(ordered_on AS DATE) + 7 > '2025-01-01'",
        ),
        (
            f"SELECT SUM(datediff(o.ordered_on, c.joined_on)) AS n {JOINED}",
            "SELECT SUM(CAST(o.ordered_on AS DATE) - CAST(c.joined_on AS DATE)) AS n " + JOINED,
        ),
        (
            "SELECT SUM(nvl(rating, 3)) AS n, SUM(if(gift, 1, 0)) AS m FROM orders",
            "SELECT SUM(COALESCE(rating, 3)) AS n, SUM(CASE WHEN gift THEN 1 ELSE 0 END) AS m "
            "FROM orders",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE try_divide(shipping, rating) > 1",
            "SELECT COUNT(*) AS n FROM orders WHERE shipping / NULLIF(rating, 0) > 1",
        ),
        (
            "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift ORDER BY n DESC, gift",
            "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift "
            "ORDER BY n DESC, gift NULLS FIRST",
        ),
    ],
    "tsql": [
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
            "SELECT EOMONTH(ordered_on) AS m, "
            "COUNT(*) AS n FROM orders GROUP BY EOMONTH(ordered_on)",
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
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "DATEADD(hour, -rating, ordered_on) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on + INTERVAL (-rating) HOUR > '2025-01-01'",
        ),
        (
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "DATEADD(day, -rating, ordered_on) > '2025-01-01'",
            "SELECT COUNT(*) AS n FROM orders WHERE "
            "ordered_on + INTERVAL (-rating) DAY > '2025-01-01'",
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
            "SELECT TOP 1 PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY rating) OVER () AS m FROM "
            "orders",
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
            "SELECT CAST(rating // 2 AS VARCHAR) AS r, COUNT(*) AS n FROM orders "
            "GROUP BY rating // 2",
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
            "SELECT SUM(CAST(rating AS FLOAT) / 2) AS n, AVG(CAST(rating AS FLOAT)) AS m "
            "FROM orders",
            "SELECT SUM(CAST(rating AS DOUBLE) / 2) AS n, AVG(CAST(rating AS DOUBLE)) AS m "
            "FROM orders",
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
            "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-01-31' + "
            "INTERVAL 1 MONTH",
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
    ],
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
def test_it_means_what_duckdbs_spelling_means(dialect: str, text: str, ours: str) -> None:
    assert meaning(compiled(text, dialect)) == meaning(compiled(ours))
