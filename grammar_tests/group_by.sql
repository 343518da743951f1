# about: GROUP BY: keys with a public domain, products of them, and rows outside
# policy: shop
# case: group_by/declared-values
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
-- sql:
SELECT "t1"."segment" AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
WHERE ("t1"."segment" IN ('home', 'office', 'trade'))
GROUP BY "t1"."segment"
==
# case: group_by/nullable-values
SELECT status, COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY status
-- accept
-- sensitivity: rows with amount near 0  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*), sum = sum(amount)
--       scan orders (id, customer, amount, status)
-- sql:
WITH "base" AS NOT MATERIALIZED (SELECT "t1"."customer" AS "u", "t1"."status" AS "k0", (CAST(50000 AS BIGINT) - COALESCE(CAST(ROUND((CAST((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT), CAST(0 AS BIGINT))) AS "x1"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)),
"over" AS MATERIALIZED (SELECT "base"."u" AS "u"
FROM "base"
GROUP BY "base"."u"
HAVING (COUNT(*) > 3)),
"cells" AS (SELECT "over"."u", "base"."k0", COUNT(*) AS "n", SUM("base"."x1") AS "s1"
FROM "base"
LEFT
JOIN "over" ON ("base"."u" = "over"."u")
GROUP BY "over"."u", "base"."k0"),
"totals" AS (SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY cells.k0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto
FROM cells),
"placed" AS (SELECT totals.*, CAST(HASH(totals.u, 'cells') % CAST(totals.total AS UBIGINT) AS BIGINT) AS h
FROM totals),
"cut" AS (SELECT u, k0, s1, n AS m, CASE WHEN u IS NULL THEN n ELSE CASE WHEN total <= CAST(3 AS BIGINT) THEN n ELSE CAST((CAST(upto AS INT128) * CAST(3 AS BIGINT) + h) // total - ((CAST(upto AS INT128) - n) * CAST(3 AS BIGINT) + h) // total AS BIGINT) END END AS n
FROM placed),
"counted" AS (SELECT u, k0, m, n, s1
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.k0, counted.n, CASE WHEN counted.u IS NULL THEN counted.s1 ELSE CASE WHEN counted.n = counted.m THEN counted.s1 ELSE (CAST(counted.s1 AS INT128) * counted.n + CASE WHEN counted.s1 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END END AS s1
FROM counted
WHERE (("counted"."k0" IN ('open', 'sent', 'done')) OR ("counted"."k0" IS NULL)))
SELECT k0, SUM(n) AS n, SUM(s1) AS s1
FROM kept
GROUP BY k0
==
# case: group_by/boolean
SELECT returned, COUNT(*) AS n FROM lines GROUP BY returned
-- accept
-- sensitivity: n  l0=2 l1=6 l2=6 linf=6 groups=2  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: returned: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by returned#2 = returned: count = count(*)
--       scan lines (order_id, returned)
==
# case: group_by/enum
SELECT level, COUNT(*) AS n, AVG(balance) AS b FROM customers GROUP BY level
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=4  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: level: 4 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=4  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: level: 4 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate by level#2 = level: count = count(*), avg = avg(balance)
--       scan customers (id, balance, level)
==
# case: group_by/integer-range
SELECT units, COUNT(*) AS n FROM orders GROUP BY units
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
==
# case: group_by/month
SELECT MONTH(day) AS m, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY 1
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = month(day): count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     sort m asc nulls last
--       project m = key, n = count
--         released r1 (key, count)
-- sql:
WITH "base" AS NOT MATERIALIZED (SELECT "t1"."customer" AS "u", MONTH((CASE WHEN (NOT ("t1"."day" IS NULL)) THEN LEAST(GREATEST("t1"."day", CAST('2024-01-01' AS DATE)), CAST('2024-12-31' AS DATE)) ELSE NULL END)) AS "k0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)),
"over" AS MATERIALIZED (SELECT "base"."u" AS "u"
FROM "base"
GROUP BY "base"."u"
HAVING (COUNT(*) > 3)),
"cells" AS (SELECT "over"."u", "base"."k0", COUNT(*) AS "n"
FROM "base"
LEFT
JOIN "over" ON ("base"."u" = "over"."u")
GROUP BY "over"."u", "base"."k0"),
"totals" AS (SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY cells.k0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto
FROM cells),
"placed" AS (SELECT totals.*, CAST(HASH(totals.u, 'cells') % CAST(totals.total AS UBIGINT) AS BIGINT) AS h
FROM totals),
"cut" AS (SELECT u, k0, n AS m, CASE WHEN u IS NULL THEN n ELSE CASE WHEN total <= CAST(3 AS BIGINT) THEN n ELSE CAST((CAST(upto AS INT128) * CAST(3 AS BIGINT) + h) // total - ((CAST(upto AS INT128) - n) * CAST(3 AS BIGINT) + h) // total AS BIGINT) END END AS n
FROM placed),
"counted" AS (SELECT u, k0, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.k0, counted.n
FROM counted
WHERE (("counted"."k0" >= CAST(1 AS BIGINT)) AND ("counted"."k0" <= CAST(12 AS BIGINT))))
SELECT k0, SUM(n) AS n
FROM kept
GROUP BY k0
==
# case: group_by/year-quarter
SELECT YEAR(day) AS y, QUARTER(day) AS q, SUM(amount) AS s FROM orders GROUP BY ALL
-- accept
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: key: 1 values; key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = year(day), key#2 = quarter(day): sum = sum(amount)
--       scan orders (id, customer, day, amount)
==
# case: group_by/date-trunc
SELECT DATE_TRUNC('month', day) AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', coerce(day)): count = count(*)
--       scan orders (id, customer, day)
==
# case: group_by/dayofweek
SELECT DAYOFWEEK(day) AS d, COUNT(*) AS n FROM orders GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=7  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 7 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = dayofweek(day): count = count(*)
--       scan orders (id, customer, day)
==
# case: group_by/hour-of-timestamp
SELECT HOUR(placed) AS h, COUNT(*) AS n FROM orders GROUP BY h
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=24  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 24 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = hour(placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: group_by/date
SELECT day, COUNT(*) AS n FROM orders WHERE day BETWEEN '2024-03-01' AND '2024-03-05' GROUP BY day
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#2 = day: count = count(*)
--       filter ((day >= 2024-03-01) AND (day <= 2024-03-05))
--         scan orders (id, customer, day)
==
# case: group_by/in-list
SELECT email, COUNT(*) AS n FROM customers WHERE email IN ('a', 'b') GROUP BY email
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: email: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by email#2 = email: count = count(*)
--       filter in(email, 'a', 'b')
--         scan customers (id, email)
-- sql:
SELECT "t1"."email" AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
WHERE ("t1"."email" IN ('a', 'b'))
GROUP BY "t1"."email"
==
# case: group_by/equal-to-constant
SELECT code, COUNT(*) AS n FROM orders WHERE code = 3 GROUP BY code
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: code: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(*)
--       filter (code = 3)
--         scan orders (id, customer, code)
==
# case: group_by/public-column
SELECT r.name, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name)
-- sql:
SELECT "t2"."name" AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
CROSS
JOIN "main"."regions" AS "t2"
WHERE ("t1"."region" = "t2"."id")
GROUP BY "t2"."name"
==
# case: group_by/public-column-filtered
SELECT r.zone, r.name, SUM(c.balance) AS s FROM customers c JOIN regions r ON c.region = r.id WHERE r.name <> 'b' GROUP BY r.zone, r.name
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: zone, name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone, name#2 = name: sum = sum(balance)
--       join inner on (region = id#2)
--         scan customers (id, region, balance)
--         filter (name <> 'b')
--           scan regions (id#2, name, zone)
==
# case: group_by/public-key
SELECT p.id, SUM(l.quantity) AS s FROM lines l JOIN products p ON l.product = p.id GROUP BY p.id
-- accept
-- sensitivity: s  l0=6 l1=60 l2=60 linf=60 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; groups: id: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by id#2 = id: sum = sum(quantity)
--       join inner on (product = id)
--         scan lines (order_id, product, quantity)
--         scan products (id)
==
# case: group_by/two-public-tables
SELECT r.name, p.kind, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id JOIN regions r ON c.region = r.id JOIN products p ON l.product = p.id GROUP BY 1, 2
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: name: from the public regions; kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by name#2 = name, kind#2 = kind: count = count(*)
--       join inner on (product = id#4)
--         join inner on (region = id#3)
--           join inner on (order_id = id#2)
--             join inner on (customer = id)
--               scan customers (id, region)
--               scan orders (id#2, customer)
--             scan lines (order_id, product)
--           scan regions (id#3, name)
--         scan products (id#4, kind)
==
# case: group_by/product-of-domains
SELECT segment, vip, level, COUNT(*) AS n FROM customers GROUP BY segment, vip, level
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=24  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; level: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip, level#2 = level: count = count(*)
--       scan customers (id, vip, level, segment)
==
# case: group_by/public-and-declared
SELECT r.zone, c.segment, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY 1, 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone, segment#2 = segment: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region, segment)
--         scan regions (id#2, zone)
==
# case: group_by/case
SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'middle' ELSE 'old' END AS g, COUNT(*) AS n FROM customers GROUP BY g
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age < 30) then 'young'; (age < 60) then 'middle'; else 'old'): count = count(*)
--       scan customers (id, age)
-- sql:
SELECT (CASE WHEN ("t1"."age" < 30) THEN 'young' WHEN ("t1"."age" < 60) THEN 'middle' ELSE 'old' END) AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
GROUP BY (CASE WHEN ("t1"."age" < 30) THEN 'young' WHEN ("t1"."age" < 60) THEN 'middle' ELSE 'old' END)
==
# case: group_by/substring-of-domain
SELECT SUBSTRING(segment, 1, 1) AS initial, COUNT(*) AS n FROM customers GROUP BY initial
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = substring(segment, 1, 1): count = count(*)
--       scan customers (id, segment)
==
# case: group_by/whole-tens
SELECT age // 10 AS tens, COUNT(*) AS n FROM customers GROUP BY tens
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=9  (rows per unit 1, proven (id is the key of customers); groups: key: 9 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = intdiv(age, 10): count = count(*)
--       scan customers (id, age)
==
# case: group_by/sum-of-the-key
SELECT units, SUM(units) AS s, AVG(units) AS a FROM orders GROUP BY units
-- accept
-- sensitivity: s  l0=3 l1=27 l2=27 linf=27 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: units: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: sum = sum(units)
--       scan orders (id, customer, units)
--   answer:
--     project units#3 = units#2, s = sum, a = avg
--       project units#2, sum, avg
--         project units#2, avg = coerce(units#2), sum
--           released r1 (units#2, sum)
==
# case: group_by/comparison
SELECT amount > 100 AS large, COUNT(*) AS n FROM orders GROUP BY large
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (amount > 100): count = count(*)
--       scan orders (id, customer, amount)
==
# case: group_by/is-null
SELECT email IS NULL AS silent, COUNT(*) AS n FROM customers GROUP BY silent
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = is_null(email): count = count(*)
--       scan customers (id, email)
==
# case: group_by/coalesce
SELECT COALESCE(status, 'none') AS st, COUNT(*) AS n FROM orders GROUP BY st
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = coalesce(status, 'none'): count = count(*)
--       scan orders (id, customer, status)
==
# case: group_by/unit
SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer
-- reject DP404  customer leads to one unit: every group would be one individual
--                                                  ^^^^^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: group_by/key-of-unit
SELECT id, SUM(amount) AS s FROM orders GROUP BY id
-- reject DP404  id leads to one unit: every group would be one individual
--                                               ^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: group_by/leads-to-unit
SELECT order_id, COUNT(*) AS n FROM lines GROUP BY order_id
-- reject DP404  order_id leads to one unit: every group would be one individual
--                                                 ^^^^^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: group_by/no-domain
SELECT email, COUNT(*) AS n FROM customers GROUP BY email
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                  ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_by/foreign-key-without-its-table
SELECT region, COUNT(*) AS n FROM customers GROUP BY region
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
==
# case: group_by/double
SELECT score, COUNT(*) AS n FROM customers GROUP BY score
-- reject DP303  the values of score are private: no public list of its groups is known
--                                                  ^^^^^
-- help: group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x; or ask with a delta, and groups of few units are left out
==
# case: group_by/blob
SELECT photo, COUNT(*) AS n FROM customers GROUP BY photo
-- reject DP307  a group key cannot be of type BLOB
--                                                  ^^^^^
-- help: group by whether it is NULL: x IS NULL
==
# case: group_by/too-many
SELECT born, day, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id GROUP BY born, day
-- reject DP304  the group keys have 12,165,108 combinations, more than 1,000,000
--                                                                                           ^^^^
-- help: group by coarser keys
==
# case: group_by/too-many-numbers
# note: noise is drawn for each of 65,537 groups
SELECT code, COUNT(*) AS n, COUNT(status) AS s, COUNT(paid) AS p, COUNT(weight) AS w, COUNT(rate) AS r, SUM(amount) AS a, SUM(units) AS u, SUM(weight) AS x, COUNT(*) FILTER (WHERE paid) AS f, COUNT(*) FILTER (WHERE NOT paid) AS g, COUNT(*) FILTER (WHERE status = 'open') AS o, COUNT(*) FILTER (WHERE status = 'sent') AS t, COUNT(*) FILTER (WHERE amount > 3) AS m, COUNT(*) FILTER (WHERE amount > 4) AS m4, COUNT(*) FILTER (WHERE amount > 5) AS m5, COUNT(*) FILTER (WHERE amount > 6) AS m6 FROM orders GROUP BY code
-- reject DP304  65,536 groups with 16 noisy numbers each are more than 1,000,000
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: group by coarser keys, or ask for fewer columns
==
# case: group_by/star-not-grouped
SELECT * FROM orders GROUP BY status
-- reject DP208  columns of * are neither grouped nor aggregated
--     ^
-- help: name the columns of GROUP BY instead of *
==
# case: group_by/alias-of-an-aggregate-with-the-name-of-its-column
SELECT status, SUM(amount) AS amount FROM orders GROUP BY status HAVING amount > 3
-- reject DP208  amount is neither grouped nor aggregated
--                                                                      ^^^^^^
-- help: rename the alias, or write SUM(amount)
==
# case: group_by/not-grouped
SELECT segment, level, COUNT(*) AS n FROM customers GROUP BY segment
-- reject DP208  level is neither grouped nor aggregated
--              ^^^^^
-- help: add level to GROUP BY, or aggregate it
==
# case: group_by/key-not-selected
SELECT COUNT(*) AS n FROM customers GROUP BY vip
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: count = count(*)
--       scan customers (id, vip)
==
# case: group_by/keys-only
SELECT segment FROM customers GROUP BY segment
-- accept
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
==
# case: group_by/constant
SELECT 1 AS one, COUNT(*) AS n FROM customers GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: key: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = 1: count = count(*)
--       scan customers (id)
==
# case: group_by/ordinal-out-of-range
SELECT COUNT(*) AS n FROM customers GROUP BY 7
-- reject DP202  GROUP BY 7: there is no such column
--                                           ^
==
# case: group_by/rollup
SELECT segment, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#9 = segment#8, n = count#10
--       union (segment#8, count#10)
--         project segment#4 = segment#3, count#3 = count#2
--           project segment#3 = segment#2, count#2 = count
--             released r1 (segment#2, count)
--         project segment#7 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project segment#6 = segment#5, count#5 = count#4
--                   released r1 (segment#5, count#4)
==
# case: group_by/per-customer-attribute
SELECT c.segment, SUM(o.amount) AS s FROM customers c JOIN orders o ON o.customer = c.id GROUP BY c.segment
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=3  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#3 = segment#2: sum = sum(amount)
--       join inner on (customer = id)
--         project id, segment#2 = cut(segment, 7)
--           scan customers (id, segment)
--         scan orders (id#2, customer, amount)
==
# case: group_by/same-key-twice
SELECT vip, vip AS again, COUNT(*) AS n FROM customers GROUP BY vip, vip
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: count = count(*)
--       scan customers (id, vip)
==
# policy: shop verified
# case: group_by/verified-values
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
-- sql:
SELECT "t1"."segment" AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
WHERE ("t1"."segment" IN ('home', 'office', 'trade'))
GROUP BY "t1"."segment"
==
# case: group_by/verified-status
SELECT status, SUM(amount) AS s FROM orders GROUP BY status
-- accept
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(amount)
--       scan orders (id, customer, amount, status)
-- sql:
SELECT "t1"."status" AS "k0", COUNT(*) AS "n", SUM("t1"."amount") AS "s0"
FROM "main"."orders" AS "t1"
GROUP BY "t1"."status"
==
# policy: shop
# case: group_by/all
SELECT segment, COUNT(*) AS n, vip FROM customers GROUP BY ALL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
==
# case: group_by/all-without-keys
SELECT COUNT(*) AS n, SUM(units) AS s FROM orders GROUP BY ALL
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(units)
--       scan orders (id, customer, units)
==
# case: group_by/all-with-an-expression-of-an-aggregate
SELECT vip, age // 50 AS g, COUNT(*) + 1 AS n FROM customers GROUP BY ALL
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = intdiv(age, 50): count = count(*)
--       scan customers (id, age, vip)
==
# case: group_by/all-of-a-star
SELECT * FROM customers GROUP BY ALL
-- reject DP401  the query returns rows of individuals
--     ^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: group_by/null
SELECT COUNT(*) AS n FROM customers GROUP BY NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: key: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = NULL: count = count(*)
--       scan customers (id)
==
# case: group_by/function-of-a-constant
SELECT COUNT(*) AS n FROM customers GROUP BY ceil(5)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: key: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = ceil(5): count = count(*)
--       scan customers (id)
==
# case: group_by/membership
SELECT units IN (1, 2) AS few, COUNT(*) AS n FROM orders GROUP BY units IN (1, 2)
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = in(units, 1, 2): count = count(*)
--       scan orders (id, customer, units)
==
# case: group_by/range
SELECT units BETWEEN 2 AND 4 AS some, COUNT(*) AS n FROM orders GROUP BY 1
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = ((units >= 2) AND (units <= 4)): count = count(*)
--       scan orders (id, customer, units)
==
# case: group_by/character
SELECT status[1] AS c, COUNT(*) AS n FROM orders GROUP BY status[1]
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = substring(status, 1, 1): count = count(*)
--       scan orders (id, customer, status)
==
# case: group_by/all-constants
# note: of no key it is one group, also where there is no row
SELECT TRUE AS k, COUNT(*) AS n FROM orders GROUP BY ALL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: group_by/all-numbers-are-no-places
SELECT 5 AS k, status, COUNT(*) AS n FROM orders GROUP BY ALL
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
==
# case: group_by/value-for-null
# note: nothing is declared of NULLs of a region: there is no group of them, but the query asks for one
SELECT COALESCE(segment, 'none') AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: key: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = coalesce(segment, 'none'): count = count(*)
--       scan customers (id, segment)
==
# case: group_by/whether-it-is-null
SELECT paid IS NULL AS unsaid, COUNT(*) AS n FROM orders GROUP BY unsaid
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = is_null(paid): count = count(*)
--       scan orders (id, customer, paid)
==
# case: group_by/else-for-null
SELECT CASE WHEN paid THEN 'yes' WHEN NOT paid THEN 'no' ELSE 'unsaid' END AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case(paid then 'yes'; not(paid) then 'no'; else 'unsaid'): count = count(*)
--       scan orders (id, customer, paid)
==
# case: group_by/value-for-null-that-is-ruled-out
SELECT COALESCE(segment, 'none') AS k, COUNT(*) AS n FROM customers WHERE segment IS NOT NULL GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = coalesce(segment, 'none'): count = count(*)
--       filter not(is_null(segment))
--         scan customers (id, segment)
==
# case: group_by/least-of-what-the-key-fixes
# note: the name of a region is a public function of it: exact, and nothing is measured for it
SELECT c.region, MIN(r.name) AS name, COUNT(*) AS n FROM customers AS c JOIN regions AS r ON r.id = c.region GROUP BY c.region
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region, min: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2, min = name: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         scan regions (id#2, name)
--   answer:
--     project region#3 = region#2, name#2 = min, n = count
--       project region#2, min, count
--         released r1 (region#2, min, count)
==
# case: group_by/any-value-of-what-the-key-fixes
SELECT r.id, ANY_VALUE(r.name) AS name, MAX(UPPER(r.zone)) AS zone, FIRST(r.id) AS again, AVG(age) AS age FROM customers AS c JOIN regions AS r ON r.id = c.region GROUP BY r.id
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; groups: id, any_value, max, first: from the public regions; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; groups: id, any_value, max, first: from the public regions; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate by id#3 = id#2, any_value = name, max = upper(zone), first = id#2: avg = avg(age)
--       join inner on (id#2 = region)
--         scan customers (id, region, age)
--         scan regions (id#2, name, zone)
--   answer:
--     project id#4 = id#3, name#2 = any_value, zone#2 = max, again = first, age#2 = avg
--       project id#3, any_value, max, first, avg
--         released r1 (id#3, any_value, max, first, avg)
==
# case: group_by/any-value-of-what-the-key-does-not-fix
SELECT r.zone, ANY_VALUE(r.name) AS name FROM customers AS c JOIN regions AS r ON r.id = c.region GROUP BY r.zone
-- reject DP204  the aggregate any_value of private rows is not supported
--                       ^^^^^^
-- help: use MIN, MAX or MODE
==
# case: group_by/least-of-a-table-without-a-key
SELECT l.product, MIN(t.text) AS t FROM lines AS l JOIN rumours AS t ON t.product = l.product GROUP BY l.product
-- reject DP403  one private row could meet any number of rows of rumours
--                                                      ^^^^^^^^^^^^
-- help: declare max_rows for t.product in the policy, or the key or rows of rumours
==
# case: group_by/computed-of-what-keys-fix
# note: a number that is made wider, so that it cannot overflow, is of another type above
SELECT r.id, MAX(r.id + 1) AS next, COUNT(*) AS n FROM customers AS c JOIN regions AS r ON r.id = c.region GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id#2: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project id#4 = id#3, next = max, n = count
--       project id#3, max, count
--         project id#3, max = (coerce(id#3) + 1), count
--           released r1 (id#3, count)
