# about: AVG(x): a sum around the middle of the bounds, divided by a noisy count
# policy: shop
# case: avg/decimal
SELECT AVG(amount) AS a FROM orders
-- accept
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sql:
WITH "cells" AS MATERIALIZED (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", COUNT((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END)) AS "n0", SUM((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, n0, s0, n AS m, CAST(3 AS BIGINT) AS n
FROM cells
WHERE n > CAST(3 AS BIGINT)),
"counted" AS (SELECT u, m, n, n0 AS m0, CAST(n0 AS INT128) AS e0, CAST((e0 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS INT128)) // m AS BIGINT) AS n0, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT cells.n, cells.n0, cells.s0
FROM cells
WHERE cells.n <= CAST(3 AS BIGINT) UNION ALL
SELECT counted.n, counted.n0, CAST(CAST(CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN (CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n0 - CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m0, 0) AS UBIGINT) AS INT128)) // NULLIF(counted.m0, 0) ELSE (CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n0 + CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m0, 0) AS UBIGINT) AS INT128)) // NULLIF(counted.m0, 0) END AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(n0) AS n0, SUM(s0) AS s0
FROM kept
==
# case: avg/integer
SELECT AVG(age) AS a FROM customers
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: avg/double
SELECT AVG(weight) AS a FROM orders
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=30.15 l2=30.15 linf=30.15 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 10.05, the middle)
-- sensitivity: count(weight)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: avg/not-null
SELECT AVG(balance) AS a FROM customers
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: avg/shares-a-count
SELECT AVG(balance) AS a, COUNT(*) AS n, SUM(balance) AS s FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
==
# case: avg/two
SELECT AVG(amount) AS a, AVG(units) AS u FROM orders
-- accept
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: avg/expression
SELECT AVG(amount * 1.2) AS gross FROM orders
-- accept
-- sensitivity: centred sum(amount * CAST(1.2 AS DECIMAL(2, 1)))  l0=1 l1=900 l2=900 linf=900 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount * CAST(1.2 AS DECIMAL(2, 1)) in [0, 600], clamped; summed around 300, the middle)
-- sensitivity: count(amount * CAST(1.2 AS DECIMAL(2, 1)))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: avg/by-key
SELECT vip, AVG(score) AS a FROM customers GROUP BY vip
-- accept
-- sensitivity: centred sum(score)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; summed around 0, the middle; groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(score)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
==
# policy: shop verified
# case: avg/verified
SELECT AVG(weight) AS a FROM orders
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=30.15 l2=30.15 linf=30.15 groups=1  (rows per unit 3, proven (3 rows of orders per customer); weight in [0, 20.1], proven; summed around 10.05, the middle)
-- sensitivity: count(weight)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- sql:
SELECT COUNT(*) AS "n", COUNT(CAST(ROUND(("t1"."weight" / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "n0", SUM(CAST(ROUND(("t1"."weight" / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
