# about: AVG(x): sums around both ends of the bounds, whose difference counts the rows
# policy: shop
# case: avg/decimal
SELECT AVG(amount) AS a FROM orders
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(amount)
--       scan orders (id, customer, amount)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", COUNT((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END)) AS "n0", SUM((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, n0, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, n0 AS m0, CAST(n0 AS INT128) AS e0, CAST((e0 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS BIGINT)) // m AS BIGINT) AS n0, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, counted.n0, CASE WHEN counted.n0 = counted.m0 THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n0 + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m0, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m0, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m0, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(n0) AS n0, SUM(s0) AS s0
FROM kept
==
# case: avg/integer
SELECT AVG(age) AS a FROM customers
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate: avg = avg(age)
--       scan customers (id, age)
==
# case: avg/double
SELECT AVG(weight) AS a FROM orders
-- accept
-- sensitivity: sum(weight)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 0, the least; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 20.1, the greatest; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- plan:
--   r1:
--     aggregate: avg = avg(weight)
--       scan orders (id, customer, weight)
==
# case: avg/not-null
SELECT AVG(balance) AS a FROM customers
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(balance)
--       scan customers (id, balance)
==
# case: avg/shares-a-count
SELECT AVG(balance) AS a, COUNT(*) AS n, SUM(balance) AS s FROM customers
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(balance), count = count(*), sum = sum(balance)
--       scan customers (id, balance)
==
# case: avg/two
SELECT AVG(amount) AS a, AVG(units) AS u FROM orders
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(amount), avg#2 = avg(units)
--       scan orders (id, customer, amount, units)
==
# case: avg/expression
SELECT AVG(amount * 1.2) AS gross FROM orders
-- accept
-- sensitivity: sum(amount * CAST(1.2 AS DECIMAL(2, 1)))  l0=1 l1=1800 l2=1800 linf=1800 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount * CAST(1.2 AS DECIMAL(2, 1)) in [0, 600], clamped; summed around 0, the least; a row adds 600 to sum(amount * CAST(1.2 AS DECIMAL(2, 1))) and sum(amount * CAST(1.2 AS DECIMAL(2, 1)) - 600) together)
-- sensitivity: sum(amount * CAST(1.2 AS DECIMAL(2, 1)) - 600)  l0=1 l1=1800 l2=1800 linf=1800 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount * CAST(1.2 AS DECIMAL(2, 1)) in [0, 600], clamped; summed around 600, the greatest; a row adds 600 to sum(amount * CAST(1.2 AS DECIMAL(2, 1))) and sum(amount * CAST(1.2 AS DECIMAL(2, 1)) - 600) together)
-- plan:
--   r1:
--     aggregate: avg = avg((amount * 6/5))
--       scan orders (id, customer, amount)
==
# case: avg/beside-all-rows
# note: COUNT(*) is of other rows than the average
SELECT COUNT(*) AS n, AVG(amount) AS a FROM orders
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without amount  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(amount)
--       scan orders (id, customer, amount)
==
# case: avg/by-key
SELECT vip, AVG(score) AS a FROM customers GROUP BY vip
-- accept
-- sensitivity: sum(score + 1)  l0=1 l1=2 l2=2 linf=2 groups=2  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; summed around -1, the least; groups: vip: 2 values; a unit is in one group; a row adds 2 to sum(score + 1) and sum(score - 1) together)
-- sensitivity: sum(score - 1)  l0=1 l1=2 l2=2 linf=2 groups=2  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; summed around 1, the greatest; groups: vip: 2 values; a unit is in one group; a row adds 2 to sum(score + 1) and sum(score - 1) together)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: avg = avg(score)
--       scan customers (id, score, vip)
==
# policy: shop verified
# case: avg/verified
SELECT AVG(weight) AS a FROM orders
-- accept
-- sensitivity: sum(weight)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); weight in [0, 20.1], proven; summed around 0, the least; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); weight in [0, 20.1], proven; summed around 20.1, the greatest; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- plan:
--   r1:
--     aggregate: avg = avg(weight)
--       scan orders (id, customer, weight)
-- sql:
SELECT COUNT(*) AS "n", COUNT(CAST(ROUND(("t1"."weight" / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "n0", SUM(CAST(ROUND(("t1"."weight" / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
==
# policy: shop
# case: avg/by-its-second-name
# note: MEAN and FAVG are AVG
SELECT MEAN(score) AS a, FAVG(DISTINCT age) AS b FROM customers
-- accept
-- sensitivity: sum(score + 1)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; summed around -1, the least; a row adds 2 to sum(score + 1) and sum(score - 1) together)
-- sensitivity: sum(score - 1)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; summed around 1, the greatest; a row adds 2 to sum(score + 1) and sum(score - 1) together)
-- sensitivity: sum(distinct age)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most; age in [18, 99], clamped)
-- sensitivity: count(distinct age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most)
-- plan:
--   r1:
--     aggregate: avg = avg(score), avg#2 = avg(distinct age)
--       scan customers (id, age, score)
==
# case: avg/geometric
# note: exp(avg(ln(x))), as DuckDB makes it
SELECT GEOMEAN(age) AS g FROM customers
-- accept
-- sensitivity: sum(LN(age) - 2.89037)  l0=1 l1=1.70474809224 l2=1.70474809224 linf=1.70474809224 groups=1  (rows per unit 1, proven (id is the key of customers); LN(age) in [2.89037, 4.59512], clamped; summed around 2.89037, the least; a row adds 1.70475 to sum(LN(age) - 2.89037) and sum(LN(age) - 4.59512) together)
-- sensitivity: sum(LN(age) - 4.59512)  l0=1 l1=1.70474809224 l2=1.70474809224 linf=1.70474809224 groups=1  (rows per unit 1, proven (id is the key of customers); LN(age) in [2.89037, 4.59512], clamped; summed around 4.59512, the greatest; a row adds 1.70475 to sum(LN(age) - 2.89037) and sum(LN(age) - 4.59512) together)
-- plan:
--   r1:
--     aggregate: avg = avg(ln(coerce(age)))
--       scan customers (id, age)
==
# case: avg/weighted
# note: sum(x * w) / sum(w where x is known), as DuckDB makes it
SELECT WAVG(weight, units) AS w FROM orders
-- accept
-- sensitivity: sum(weight * units)  l0=1 l1=542.7 l2=542.7 linf=542.7 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight * units in [0, 180.9], clamped)
-- sensitivity: sum(CASE WHEN (weight IS NOT NULL) THEN units ELSE 0 END)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (weight IS NOT NULL) THEN units ELSE 0 END in [0, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((weight * units)), sum#2 = sum(case(not(is_null(weight)) then units; else 0))
--       scan orders (id, customer, weight, units)
==
# case: avg/weighted-of-some
SELECT WAVG(weight, units) FILTER (WHERE paid) AS w FROM orders
-- reject DP104  WAVG takes no FILTER, OVER or DISTINCT
--     ^^^^^^^^^^^^^^^^^^
-- help: write what it is made of: (SUM((weight) * (units)) / SUM(CASE WHEN NOT weight IS NULL THEN units ELSE 0 END))
