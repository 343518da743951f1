# about: COUNT(*), COUNT(x), and what they cost together
# policy: shop
# case: count/customers
SELECT COUNT(*) FROM customers
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
==
# case: count/orders
SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n
FROM counted)
SELECT SUM(n) AS n
FROM kept
==
# case: count/lines
SELECT COUNT(*) AS n FROM lines
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan lines (order_id)
-- sql:
WITH "rows" AS NOT MATERIALIZED (SELECT "t1"."order_id" AS "fk"
FROM "main"."lines" AS "t1"),
"cells" AS (SELECT "p1"."customer" AS "u", COUNT(*) AS "n"
FROM "rows" AS "r"
CROSS
JOIN "main"."orders" AS "p1"
WHERE ("r"."fk" = "p1"."id") AND ("p1"."customer" IS NOT NULL)
GROUP BY "p1"."customer"),
"cut" AS (SELECT u, n AS m, LEAST(n, CAST(6 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n
FROM counted)
SELECT SUM(n) AS n
FROM kept
==
# case: count/column
SELECT COUNT(amount) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(amount)
--       scan orders (id, customer, amount)
==
# case: count/not-null-column
SELECT COUNT(balance) AS n, COUNT(*) AS m FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(balance), count#2 = count(*)
--       scan customers (id, balance)
==
# case: count/opaque-column
SELECT COUNT(photo) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(photo)
--       scan customers (id, photo)
==
# case: count/constant
# note: z is always 0, which is not looked for
SELECT COUNT(1) AS n, COUNT(NULL) AS z FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: z  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(NULL)
--       scan orders (id, customer)
==
# case: count/several
SELECT COUNT(*) AS n, COUNT(score) AS s, COUNT(email) AS e FROM customers
-- accept
-- sensitivity: rows with score and with email  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 4 weights together)
-- sensitivity: rows with score and without email  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 4 weights together)
-- sensitivity: rows without score and with email  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 4 weights together)
-- sensitivity: rows without score and without email  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 4 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(score), count#3 = count(email)
--       scan customers (id, score, email)
==
# case: count/expression
SELECT COUNT(CASE WHEN amount > 100 THEN 1 END) AS large FROM orders
-- accept
-- sensitivity: large  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case((amount > 100) then 1; else NULL))
--       scan orders (id, customer, amount)
==
# case: count/same-twice
SELECT COUNT(*) AS a, COUNT(*) AS b, COUNT(*) + COUNT(*) AS c FROM orders
-- accept
-- sensitivity: a  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: count/case-of-names
SELECT count(*) AS N FROM main."ORDERS" AS O WHERE o.AMOUNT > 10
-- accept
-- sensitivity: N  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (amount > 10)
--         scan orders (id, customer, amount)
==
# policy: shop verified
# case: count/verified-orders
SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."orders" AS "t1"
==
# case: count/verified-lines
SELECT COUNT(*) AS n FROM lines
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan lines (order_id)
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."lines" AS "t1"
==
# case: count/row-whose-key-is-its-unit
# note: id is unique, and equal to what is one value for a unit
SELECT COUNT(*) AS n FROM orders WHERE id = customer
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, proven (3 rows of orders per customer); rows per unit and group 1, proven)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (id = customer)
--         scan orders (id, customer)
==
# case: count/row-whose-key-is-no-other-than-its-unit
SELECT COUNT(*) AS n FROM orders WHERE id IS NOT DISTINCT FROM customer
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, proven (3 rows of orders per customer); rows per unit and group 1, proven)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (id = customer)
--         scan orders (id, customer)
==
# policy: shop
# case: count/decimals-that-exclude-each-other
SELECT COUNT_IF(amount = 0) AS nothing, COUNT_IF(amount = 1.5) AS little, COUNT_IF(amount > 2) AS more FROM orders
-- accept
-- sensitivity: nothing  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: little  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: more  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case((amount = 0) then 1; else NULL)), count#2 = count(case((amount = 3/2) then 1; else NULL)), count#3 = count(case((amount > 2) then 1; else NULL))
--       scan orders (id, customer, amount)
==
# case: count/key
# note: a key says that there is no NULL
SELECT COUNT(*) AS n, COUNT(id) AS k FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id)
--       scan orders (id, customer)
