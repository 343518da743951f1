# about: SUM(x): each value is clamped, each unit's share is bounded
# policy: shop
# case: sum/decimal
SELECT SUM(amount) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       scan orders (id, customer, amount)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: sum/integer
SELECT SUM(age) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(age)
--       scan customers (id, age)
-- sql:
SELECT COUNT(*) AS "n", SUM((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END)) AS "s0"
FROM "main"."customers" AS "t1"
==
# case: sum/double
SELECT SUM(weight) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(weight)
--       scan orders (id, customer, weight)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(CAST(ROUND(((CASE WHEN ISNAN("t1"."weight") THEN NULL WHEN ("t1"."weight" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."weight" > CAST('20.1' AS DOUBLE)) THEN CAST('20.1' AS DOUBLE) ELSE "t1"."weight" END) / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE (CAST(counted.s0 AS INT128) * counted.n + CASE WHEN counted.s0 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: sum/negative-values
SELECT SUM(balance) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(balance)
--       scan customers (id, balance)
-- sql:
SELECT COUNT(*) AS "n", SUM((CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END)) AS "s0"
FROM "main"."customers" AS "t1"
==
# case: sum/double-around-zero
SELECT SUM(score) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(score)
--       scan customers (id, score)
-- sql:
SELECT COUNT(*) AS "n", SUM(CAST(ROUND(((CASE WHEN ISNAN("t1"."score") THEN NULL WHEN ("t1"."score" < CAST('-1.0' AS DOUBLE)) THEN CAST('-1.0' AS DOUBLE) WHEN ("t1"."score" > CAST('1.0' AS DOUBLE)) THEN CAST('1.0' AS DOUBLE) ELSE "t1"."score" END) / CAST('9.094947017729282e-13' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."customers" AS "t1"
==
# case: sum/huge-integers
SELECT SUM(total) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=2.7e+19 l2=2.7e+19 linf=2.7e+19 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); total in [-9000000000008126464, 9000000000008126464], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(total)
--       scan orders (id, customer, total)
==
# case: sum/lines
SELECT SUM(price) AS s FROM lines
-- accept
-- sensitivity: s  l0=1 l1=600 l2=600 linf=600 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); price in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(price)
--       scan lines (order_id, price)
==
# case: sum/product
SELECT SUM(price * quantity) AS s FROM lines
-- accept
-- sensitivity: s  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); price * quantity in [0, 1000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((price * quantity))
--       scan lines (order_id, quantity, price)
-- sql:
WITH "rows" AS NOT MATERIALIZED (SELECT "t1"."order_id" AS "fk", ((CASE WHEN ("t1"."price" < CAST(0.00 AS DECIMAL(8, 2))) THEN CAST(0.00 AS DECIMAL(8, 2)) WHEN ("t1"."price" > CAST(100.00 AS DECIMAL(8, 2))) THEN CAST(100.00 AS DECIMAL(8, 2)) ELSE "t1"."price" END) * CAST((CASE WHEN ("t1"."quantity" < 1) THEN 1 WHEN ("t1"."quantity" > 10) THEN 10 ELSE "t1"."quantity" END) AS DECIMAL(10, 0))) AS "x0"
FROM "main"."lines" AS "t1"),
"cells" AS (SELECT "p1"."customer" AS "u", COUNT(*) AS "n", SUM("r"."x0") AS "s0"
FROM "rows" AS "r"
CROSS
JOIN "main"."orders" AS "p1"
WHERE ("r"."fk" = "p1"."id") AND ("p1"."customer" IS NOT NULL)
GROUP BY "p1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(6 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: sum/difference
SELECT SUM(amount - 250) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount - 250 in [-250, 250], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((amount - 250))
--       scan orders (id, customer, amount)
==
# case: sum/unbounded-column-in-case
SELECT SUM(CASE WHEN code BETWEEN 1 AND 5 THEN code ELSE 0 END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=15 l2=15 linf=15 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ((code >= CAST(1 AS SMALLINT)) AND (code <= CAST(5 AS SMALLINT))) THEN code ELSE 0 END in [0, 5], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(((code >= 1) AND (code <= 5)) then coerce(code); else 0))
--       scan orders (id, customer, code)
==
# case: sum/type-bounds
SELECT SUM(code) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: sum/least-greatest
SELECT SUM(LEAST(GREATEST(rate, -2), 2)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST(rate, CAST('-2.0' AS DOUBLE)), CAST('2.0' AS DOUBLE)) in [-2, 2], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(least(greatest(rate, -2), 2))
--       scan orders (id, customer, rate)
==
# case: sum/two
SELECT SUM(amount) AS a, SUM(weight) AS w FROM orders
-- accept
-- sensitivity: a  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- sensitivity: w  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount), sum#2 = sum(weight)
--       scan orders (id, customer, amount, weight)
==
# case: sum/with-count
SELECT SUM(amount) AS a, COUNT(amount) AS n FROM orders
-- accept
-- sensitivity: a  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- plan:
--   r1:
--     aggregate: sum = sum(amount), count = count(amount)
--       scan orders (id, customer, amount)
==
# case: sum/square
SELECT SUM(score * score) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score * score in [-1, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((score * score))
--       scan customers (id, score)
==
# case: sum/of-boolean-case
SELECT SUM(CASE WHEN vip THEN 1 ELSE 0 END) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN 1 ELSE 0 END in [0, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(vip then 1; else 0))
--       scan customers (id, vip)
==
# case: sum/constant
SELECT SUM(2) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 2 in [2, 2], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(2)
--       scan orders (id, customer)
==
# policy: shop verified
# case: sum/verified-decimal
SELECT SUM(amount) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       scan orders (id, customer, amount)
-- sql:
SELECT COUNT(*) AS "n", SUM("t1"."amount") AS "s0"
FROM "main"."orders" AS "t1"
==
# case: sum/verified-double
SELECT SUM(weight) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); weight in [0, 20.1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(weight)
--       scan orders (id, customer, weight)
-- sql:
SELECT COUNT(*) AS "n", SUM(CAST(ROUND(("t1"."weight" / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
==
# case: sum/verified-product
SELECT SUM(price * quantity) AS s FROM lines
-- accept
-- sensitivity: s  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 6, proven (2 rows of lines per order_id, 3 rows of orders per customer); price * quantity in [0, 1000], proven)
-- plan:
--   r1:
--     aggregate: sum = sum((price * quantity))
--       scan lines (order_id, quantity, price)
-- sql:
SELECT COUNT(*) AS "n", SUM(("t1"."price" * CAST("t1"."quantity" AS DECIMAL(10, 0)))) AS "s0"
FROM "main"."lines" AS "t1"
==
# policy: people
# case: sum/with-nulls
# note: a NULL adds nothing, not the lower bound
SELECT SUM(educ) AS s FROM people
-- accept
-- sensitivity: s  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(educ)
--       scan people (pid, educ)
==
# policy: shop
# case: sum/beside-all-rows
# note: a NULL is 0: both take all of one part of ε
SELECT COUNT(*) AS n, SUM(units - 5) FILTER (WHERE paid) AS s FROM orders
-- accept
-- sensitivity: rows with CASE WHEN paid THEN (units - 5) ELSE CAST(NULL AS INT) END near -4  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN (units - 5) ELSE CAST(NULL AS INT) END in [-4, 4], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with CASE WHEN paid THEN (units - 5) ELSE CAST(NULL AS INT) END near 4  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN (units - 5) ELSE CAST(NULL AS INT) END in [-4, 4], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(case(paid then (units - 5); else NULL))
--       scan orders (id, customer, paid, units)
==
# case: sum/rest-of-a-product
# note: a product of decimals has the digits of both, so that what is left of it by 7 is 6.99 at most
SELECT SUM(- amount * CAST(amount AS INTEGER) % 7) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=20.97 l2=20.97 linf=20.97 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ((0 - amount) * CAST(amount AS INT)) % CAST(7.00 AS DECIMAL(18, 2)) in [-6.99, 0], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(mod(((0 - amount) * cast(amount)), 7))
--       scan orders (id, customer, amount)
==
# case: sum/without-rounding-errors
# note: FSUM, KAHAN_SUM and SUMKAHAN are sums of DOUBLE, which are exact here
SELECT FSUM(amount) AS a, KAHAN_SUM(weight) AS w FROM orders
-- accept
-- sensitivity: a  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(amount AS DOUBLE) in [0, 500], clamped)
-- sensitivity: w  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(weight AS DOUBLE) in [0, 20.1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cast(amount)), sum#2 = sum(cast(weight))
--       scan orders (id, customer, amount, weight)
==
# case: sum/whole-percentages
# note: a hundred times a sum of 128 bits is a DOUBLE, of which a division of whole numbers takes the whole number
SELECT status, SUM(CASE WHEN paid THEN 1 ELSE 0 END) * 100 // COUNT(*) AS percent FROM orders GROUP BY status
-- accept
-- sensitivity: rows with paid  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows without paid  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(case(paid then 1; else 0)), count = count(*)
--       scan orders (id, customer, paid, status)
