"""Spark's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import JOINED, OF_EACH

SAME = (
    (
        "SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, '@', 2) = 'a.de'",
        "SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, '@', 2) = 'a.de'",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers AS c LEFT SEMI JOIN orders USING (customer_id)",
        "SELECT COUNT(*) AS n FROM customers AS c SEMI JOIN orders USING (customer_id)",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers AS c LEFT ANTI JOIN orders AS o "
        "ON o.customer_id = c.customer_id AND o.gift",
        "SELECT COUNT(*) AS n FROM customers AS c ANTI JOIN orders AS o "
        "ON o.customer_id = c.customer_id AND o.gift",
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
        "SELECT COUNT(*) AS n FROM orders AS o "
        "LEFT JOIN (customers AS c JOIN regions AS r ON r.region_id = c.region_id) "
        "ON c.customer_id = o.customer_id",
        "SELECT COUNT(*) AS n FROM orders AS o "
        "LEFT JOIN customers AS c JOIN regions AS r ON r.region_id = c.region_id "
        "ON c.customer_id = o.customer_id",
    ),
    (
        f"SELECT COUNT(*) AS n FROM customers AS c JOIN LATERAL {OF_EACH} ON TRUE WHERE x.s > 9",
        f"SELECT COUNT(*) AS n FROM customers AS c JOIN LATERAL {OF_EACH} ON TRUE WHERE x.s > 9",
    ),
    (
        "SELECT percentile(shipping, 0.5) AS n FROM orders",
        "SELECT QUANTILE_CONT(CAST(shipping AS DOUBLE), 0.5) AS n FROM orders",
    ),
    (
        "SELECT percentile(shipping, array(0.25, 0.75)) AS n FROM orders",
        "SELECT QUANTILE_CONT(CAST(shipping AS DOUBLE), [0.25, 0.75]) AS n FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE add_months(ordered_on, -2) > DATE '2024-05-01'",
        "SELECT COUNT(*) AS n FROM orders "
        "WHERE CAST(ordered_on - INTERVAL 2 MONTH AS DATE) > DATE '2024-05-01'",
    ),
    (
        "SELECT channel, rating + 1 AS r, COUNT(*) AS n FROM orders GROUP BY ALL",
        "SELECT channel, rating + 1 AS r, COUNT(*) AS n FROM orders GROUP BY 1, 2",
    ),
    (
        "SELECT DATE_FORMAT(ordered_on, 'yyyy-MM') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT STRFTIME(ordered_on, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > TO_DATE('2024-02-29', 'yyyy-MM-dd')",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-02-29'",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE date_sub(ordered_on, rating + 1) > '2025-01-01'",
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
        "SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift ORDER BY n DESC, gift NULLS FIRST",
    ),
)
