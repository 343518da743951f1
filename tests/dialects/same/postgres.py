"""PostgreSQL's spelling of a query, and DuckDB's."""

from __future__ import annotations

from tests.dialects.shop import CHANNELS, OF_EACH

SAME = (
    (
        'SELECT "Products".category, SUM(l.quantity) AS n FROM order_lines AS l '
        'JOIN products AS "Products" ON "Products".product_id = l.product_id '
        'GROUP BY "Products".category',
        "SELECT p.category, SUM(l.quantity) AS n FROM order_lines AS l "
        "JOIN products AS p ON p.product_id = l.product_id GROUP BY p.category",
    ),
    (
        'SELECT channel AS "Channel", COUNT(*) AS "Orders", SUM(shipping) AS "Shipping" '
        'FROM orders GROUP BY channel ORDER BY "Shipping" DESC, "Channel"',
        'SELECT channel AS "Channel", COUNT(*) AS "Orders", SUM(orders.shipping) AS "Shipping" '
        'FROM orders GROUP BY channel ORDER BY "Shipping" DESC NULLS FIRST, "Channel"',
    ),
    (
        "SELECT COUNT(*) AS n FROM orders "
        "WHERE ordered_on >= TO_TIMESTAMP('2024-01-31 00:00:00', 'YYYY-MM-DD HH24:MI:SS')",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= TIMESTAMP '2024-01-31 00:00:00'",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE email !~* '^[a-c].*de$' AND email ~ 'x|y'",
        "SELECT COUNT(*) AS n FROM customers WHERE NOT REGEXP_MATCHES(email, '^[a-c].*de$', 'si') "
        "AND REGEXP_MATCHES(email, 'x|y', 's')",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE SUBSTRING(email FROM '@(.*)$') = 'a.de' "
        "AND SUBSTRING(email, '^[a-z]+') = 'b'",
        "SELECT COUNT(*) AS n FROM customers WHERE CASE WHEN REGEXP_MATCHES(email, '@(.*)$', 's') "
        "THEN REGEXP_EXTRACT(email, '@(.*)$', 1, 's') END = 'a.de' AND "
        "CASE WHEN REGEXP_MATCHES(email, '^[a-z]+', 's') "
        "THEN REGEXP_EXTRACT(email, '^[a-z]+', 0, 's') END = 'b'",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, '@', 2) = 'a.de'",
        "SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, '@', 2) = 'a.de'",
    ),
    (
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
        "SELECT SUM(TRUNC(shipping, 1)) AS n FROM orders",
    ),
    (
        "SELECT x.y, COUNT(*) AS n FROM orders CROSS JOIN UNNEST(ARRAY[1, 2]) AS x(y) GROUP BY y",
        "SELECT x.y, COUNT(*) AS n FROM orders CROSS JOIN UNNEST([1, 2]) AS x(y) GROUP BY y",
    ),
    (
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY channel "
        "HAVING channel = 'web'",
        "SELECT UPPER(channel) AS channel, COUNT(*) AS n FROM orders GROUP BY orders.channel "
        "HAVING orders.channel = 'web'",
    ),
    (
        "WITH v(d, t) AS (VALUES (CAST('2025-01-01' AS DATE), 'first')) "
        "SELECT v.t, COUNT(*) AS n FROM orders AS o JOIN v ON v.d = o.ordered_on GROUP BY v.t",
        "WITH v(d, t) AS (VALUES (DATE '2025-01-01', 'first')) "
        "SELECT v.t, COUNT(*) AS n FROM orders AS o JOIN v ON v.d = o.ordered_on GROUP BY v.t",
    ),
    (
        "SELECT v.t, COUNT(*) AS n FROM orders AS o "
        "JOIN (VALUES (1, 'low'), (-2, NULL)) AS v(a, t) ON v.a = o.rating GROUP BY v.t",
        "SELECT v.t, COUNT(*) AS n FROM orders AS o "
        "JOIN (VALUES (1, 'low'), (-2, NULL)) AS v(a, t) ON v.a = o.rating GROUP BY v.t",
    ),
    (
        f"SELECT STRING_AGG(channel, '-' ORDER BY n DESC) AS s FROM {CHANNELS}",
        f"SELECT STRING_AGG(channel, '-' ORDER BY n DESC NULLS FIRST) AS s FROM {CHANNELS}",
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
        f"SELECT AVG(x.s) AS n FROM customers AS c LEFT JOIN LATERAL {OF_EACH} ON TRUE",
        f"SELECT AVG(x.s) AS n FROM customers AS c LEFT JOIN LATERAL {OF_EACH} ON TRUE",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders "
        "WHERE ordered_on > DATE '2024-06-01' - '2 days'::interval",
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > DATE '2024-06-01' - INTERVAL 2 DAY",
    ),
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
        "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel) AS s FROM orders GROUP BY channel",
        "SELECT channel, SUM(COUNT(*)) OVER (ORDER BY channel) AS s FROM orders GROUP BY channel",
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
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on > TO_DATE('2024/02-29', 'yyyy-mm/dd')",
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
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on + INTERVAL (rating) DAY > '2025-01-01'",
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
        "SELECT channel, n, SUM(n) OVER w AS s, MAX(n) OVER (w ROWS 1 PRECEDING) AS m, "
        "RANK() OVER (v ORDER BY n DESC) AS r FROM (SELECT channel, COUNT(*) AS n FROM orders "
        "GROUP BY channel) AS q WINDOW w AS (ORDER BY channel), u AS (PARTITION BY channel), "
        "v AS (u)",
        "SELECT channel, n, SUM(n) OVER (ORDER BY channel) AS s, "
        "MAX(n) OVER (ORDER BY channel ROWS 1 PRECEDING) AS m, RANK() OVER "
        "(PARTITION BY channel ORDER BY n DESC NULLS FIRST) AS r FROM (SELECT channel, "
        "COUNT(*) AS n FROM orders GROUP BY channel) AS q",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE channel LIKE ANY (ARRAY['w%', '%p'])",
        "SELECT COUNT(*) AS n FROM orders WHERE channel LIKE 'w%' OR channel LIKE '%p'",
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
        "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= DATE '2025-01-31' + INTERVAL 1 MONTH",
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
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n DESC NULLS FIRST",
    ),
    (
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n "
        "OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY",
        "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel ORDER BY n LIMIT 2 OFFSET 1",
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
    (
        "SELECT RIGHT(channel, 2) AS c, COUNT(*) AS n FROM orders GROUP BY 1",
        "SELECT RIGHT(channel, 2) AS c, COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT LPAD(rating::TEXT, 3, '0') || CONCAT_WS('-', channel, rating) AS c, COUNT(*) AS n "
        "FROM orders GROUP BY 1",
        "SELECT LPAD(CAST(rating AS TEXT), 3, '0') || CONCAT_WS('-', channel, rating) AS c, "
        "COUNT(*) AS n FROM orders GROUP BY 1",
    ),
    (
        "SELECT ROUND(AVG(rating)) AS a, ROUND(STDDEV(rating) * 2) AS s, "
        "ROUND(SUM(rating) / 3.0) AS t FROM orders",
        "SELECT ROUND(AVG(rating)) AS a, ROUND(STDDEV(rating) * 2) AS s, "
        "ROUND(SUM(rating) / 3.0) AS t FROM orders",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE rating = ANY(ARRAY[1, 2]) "
        "AND channel <> ALL(ARRAY['web', NULL]) AND rating = SOME(ARRAY[2])",
        "SELECT COUNT(*) AS n FROM orders WHERE rating IN (1, 2) "
        "AND NOT channel IN ('web', NULL) AND rating IN (2)",
    ),
    (
        "WITH q AS (SELECT * FROM orders JOIN customers USING (customer_id)), "
        "r AS (SELECT * FROM q) SELECT segment, SUM(shipping) AS s FROM r GROUP BY segment",
        "WITH q AS (SELECT * FROM orders JOIN customers USING (customer_id)), "
        "r AS (SELECT * FROM q) SELECT segment, SUM(shipping) AS s FROM r GROUP BY segment",
    ),
    (
        "SELECT COUNT(*) AS n FROM customers AS c WHERE EXISTS "
        "(SELECT * FROM orders AS o JOIN customers USING (customer_id) "
        "WHERE o.customer_id = c.customer_id)",
        "SELECT COUNT(*) AS n FROM customers AS c WHERE EXISTS "
        "(SELECT * FROM orders AS o JOIN customers USING (customer_id) "
        "WHERE o.customer_id = c.customer_id)",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE (rating, gift) IN ((1, TRUE), (2, FALSE))",
        "SELECT COUNT(*) AS n FROM orders "
        "WHERE (rating = 1 AND gift = TRUE) OR (rating = 2 AND gift = FALSE)",
    ),
    (
        "SELECT COUNT(*) AS n FROM orders WHERE (rating, gift) <> (1, TRUE) "
        "AND (rating, gift) NOT IN ((1, FALSE))",
        "SELECT COUNT(*) AS n FROM orders WHERE NOT (rating = 1 AND gift = TRUE) "
        "AND NOT (rating = 1 AND gift = FALSE)",
    ),
    (
        "SELECT SUM(s) AS s FROM (SELECT DISTINCT ON (customer_id) customer_id, shipping AS s "
        "FROM orders ORDER BY customer_id, ordered_on DESC, order_id, shipping) AS q",
        "SELECT SUM(s) AS s FROM (SELECT DISTINCT ON (customer_id) customer_id, shipping AS s "
        "FROM orders ORDER BY customer_id, ordered_on DESC NULLS FIRST, order_id, shipping) AS q",
    ),
    (
        "SELECT ARRAY_AGG(channel ORDER BY n) AS c "
        "FROM (SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel) AS q",
        "SELECT ARRAY_AGG(channel ORDER BY n) AS c "
        "FROM (SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel) AS q",
    ),
    (
        "SELECT COUNT(*) AS n FROM (SELECT ordered_on::timestamp - LAG(ordered_on::timestamp) "
        "OVER (PARTITION BY customer_id ORDER BY ordered_on) AS gap FROM orders) AS q "
        "WHERE gap < INTERVAL '90 days' AND gap BETWEEN INTERVAL '1 hour' AND INTERVAL '9 days'",
        "SELECT COUNT(*) AS n FROM (SELECT ordered_on::timestamp - LAG(ordered_on::timestamp) "
        "OVER (PARTITION BY customer_id ORDER BY ordered_on) AS gap FROM orders) AS q "
        "WHERE gap < INTERVAL '90' DAY AND gap BETWEEN INTERVAL '1' HOUR AND INTERVAL '9' DAY",
    ),
)
