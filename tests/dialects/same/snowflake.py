"""Snowflake's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import JOINED

SAME = (
    (
        "SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, '@', 2) = 'a.de'",
        "SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, '@', 2) = 'a.de'",
    ),
    (
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
    ),
    (
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel",
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY orders.channel",
    ),
    (
        "SELECT v.t, COUNT(*) AS n FROM orders AS o "
        "JOIN (VALUES (1, 'low'), (-2, NULL)) AS v(a, t) ON v.a = o.rating GROUP BY v.t",
        "SELECT v.t, COUNT(*) AS n FROM orders AS o "
        "JOIN (VALUES (1, 'low'), (-2, NULL)) AS v(a, t) ON v.a = o.rating GROUP BY v.t",
    ),
    (
        "SELECT DATE_FROM_PARTS(2024, MONTH(ordered_on), 1) AS m, COUNT(*) AS n FROM orders "
        "WHERE ordered_on > DATE_FROM_PARTS(2023, 14, 0) GROUP BY 1",
        "SELECT MAKE_DATE(2024, MONTH(ordered_on), 1) AS m, COUNT(*) AS n FROM orders WHERE "
        "ordered_on > CAST(MAKE_DATE(2023, 1, 1) + INTERVAL '13' MONTH AS DATE) + (-1) GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders "
        "WHERE DATE_FROM_PARTS(2024, rating, MONTH(ordered_on)) < ordered_on",
        "SELECT COUNT(*) AS n FROM orders WHERE CAST(MAKE_DATE(2024, 1, 1) + "
        "INTERVAL (rating - 1) MONTH AS DATE) + CAST((MONTH(ordered_on) - 1) AS INTEGER) "
        "< ordered_on",
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
        "SELECT channel, RATIO_TO_REPORT(COUNT(*)) OVER () AS r FROM orders GROUP BY channel",
        "SELECT channel, COUNT(*) / NULLIF(SUM(COUNT(*)) OVER (), 0) AS r FROM orders "
        "GROUP BY channel",
    ),
    (
        "SELECT channel, gift, ROUND(100 * RATIO_TO_REPORT(SUM(rating)) OVER (PARTITION BY gift), "
        "1) AS r FROM orders GROUP BY channel, gift",
        "SELECT channel, gift, ROUND(100 * (SUM(rating) / NULLIF(SUM(SUM(rating)) OVER (PARTITION "
        "BY gift), 0)), 1) AS r FROM orders GROUP BY channel, gift",
    ),
    (
        "SELECT channel, rating + 1 AS r, COUNT(*) AS n FROM orders GROUP BY ALL",
        "SELECT channel, rating + 1 AS r, COUNT(*) AS n FROM orders GROUP BY 1, 2",
    ),
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
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > TO_DATE('29/02/2024', 'DD/MM/YYYY')",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
    ),
    (
        "SELECT SUM(DATEDIFF(quarter, ordered_on, '2025-01-01')) AS n FROM orders",
        "SELECT SUM(DATE_DIFF('quarter', ordered_on::DATE, DATE '2025-01-01')) AS n FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE DATEADD(month, rating, ordered_on) > '2025-01-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE "
        "ordered_on + INTERVAL (rating) MONTH > '2025-01-01'",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE DATEADD(week, rating, ordered_on) > '2025-01-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on + INTERVAL (rating) WEEK > '2025-01-01'",
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
        "SELECT channel, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM orders GROUP BY channel",
        "SELECT channel, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM orders GROUP BY channel",
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
        "ELSE shipping / NULLIF(rating, 0) END) AS n FROM orders",
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
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-03-31' - INTERVAL 1 MONTH",
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
    (
        "SELECT gift, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY COUNT(*)) OVER () AS m "
        "FROM orders GROUP BY gift",
        "SELECT gift, QUANTILE_DISC(COUNT(*), 0.5) OVER () AS m FROM orders GROUP BY gift",
    ),
)
