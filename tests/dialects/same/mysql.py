"""MySQL's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import JOINED, OF_EACH

SAME = (
    (
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on - INTERVAL rating - 1 DAY > '2025-01-01'"
        " AND ordered_on + INTERVAL shipping WEEK < '2026-01-01'",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on - INTERVAL (rating - 1) DAY > "
        "'2025-01-01' AND ordered_on + INTERVAL (ROUND(shipping)) WEEK < '2026-01-01'",
    ),
    (
        "SELECT SUM(TRUNCATE(shipping, 1)) AS n FROM orders",
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
    ),
    (
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel",
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY orders.channel",
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
        f"SELECT COUNT(x.s) AS n FROM customers AS c JOIN LATERAL {OF_EACH} ON TRUE",
        f"SELECT COUNT(x.s) AS n FROM customers AS c JOIN LATERAL {OF_EACH} ON TRUE",
    ),
    (
        "SELECT COUNT(DISTINCT SUBSTRING_INDEX(email, '@', -1)) AS n FROM customers",
        "SELECT COUNT(DISTINCT SPLIT_PART(email, '@', -1)) AS n FROM customers",
    ),
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
        "SELECT DATE_FORMAT(ordered_on, '%W, %e %M') AS m, COUNT(*) AS n FROM orders GROUP BY 1",
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
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on - INTERVAL (rating) DAY > '2025-01-01'",
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
    (
        "SELECT LPAD(rating, 3, '0') AS c, COUNT(*) AS n FROM orders GROUP BY c",
        "SELECT LPAD(CAST(rating AS TEXT), 3, '0') AS c, COUNT(*) AS n FROM orders GROUP BY c",
    ),
    (
        "SELECT SUM(LN(rating)) AS n FROM orders",
        "SELECT SUM(CASE WHEN rating > 0 THEN LN(rating) END) AS n FROM orders",
    ),
    (
        "SELECT SUM(rating % shipping) AS n FROM orders",
        "SELECT SUM(rating % NULLIF(shipping, 0)) AS n FROM orders",
    ),
    (
        "SELECT AVG(TIMESTAMPDIFF(DAY, ordered_on, '2025-01-01')) AS n FROM orders",
        "SELECT AVG(DATE_SUB('day', ordered_on, DATE '2025-01-01')) AS n FROM orders",
    ),
    (
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel HAVING n > 100",
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel HAVING n > 100",
    ),
    (
        "SELECT COUNT(DISTINCT channel, gift) AS n FROM orders",
        "SELECT COUNT(DISTINCT (channel, gift)) "
        "FILTER (channel IS NOT NULL AND gift IS NOT NULL) AS n FROM orders",
    ),
    (
        "SELECT AVG(x) AS a FROM (SELECT rating - FIRST_VALUE(rating) OVER "
        "(PARTITION BY customer_id ORDER BY ordered_on, order_id) AS x FROM orders) AS t",
        "SELECT AVG(x) AS a FROM (SELECT rating - FIRST_VALUE(rating) OVER "
        "(PARTITION BY customer_id ORDER BY ordered_on NULLS FIRST, order_id NULLS FIRST) AS x "
        "FROM orders) AS t",
    ),
    (
        "SELECT AVG(rating > 3) AS a FROM orders",
        "SELECT AVG(CAST(rating > 3 AS INTEGER)) AS a FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE (rating, gift) IN ((1, TRUE), (2, FALSE))",
        "SELECT COUNT(*) AS n FROM orders "
        "WHERE (rating = 1 AND gift = TRUE) OR (rating = 2 AND gift = FALSE)",
    ),
)
