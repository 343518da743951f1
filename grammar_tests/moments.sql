# about: VAR, STDDEV, COVAR, CORR, REGR_*: sums of squares and products around the middle
# policy: shop
# case: moments/variance-of-integers
SELECT VAR_POP(age) AS v FROM customers
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(age)
--       scan customers (id, age)
-- sql:
SELECT COUNT(*) AS "n", COUNT((((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) - CAST(243 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) - CAST(243 AS BIGINT)))) AS "n2", SUM((((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) - CAST(243 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) - CAST(243 AS BIGINT)))) AS "s2", COUNT((CAST(328050 AS BIGINT) - (((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) + CAST(243 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) + CAST(243 AS BIGINT))))) AS "n3", SUM((CAST(328050 AS BIGINT) - (((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) + CAST(243 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT))) + CAST(243 AS BIGINT))))) AS "s3"
FROM "main"."customers" AS "t1"
==
# case: moments/four-of-one
# note: one sum, one sum of squares and one count for all of them
SELECT VAR_POP(age) AS vp, VAR_SAMP(age) AS vs, STDDEV_POP(age) AS sp, STDDEV_SAMP(age) AS ss FROM customers
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(age), var_samp = var_samp(age), stddev_pop = stddev_pop(age), stddev_samp = stddev_samp(age)
--       scan customers (id, age)
==
# case: moments/synonyms
SELECT VARIANCE(units) AS v, STDDEV(units) AS s FROM orders
-- accept
-- sensitivity: rows with units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_samp = var_samp(units), stddev_samp = stddev_samp(units)
--       scan orders (id, customer, units)
==
# case: moments/beside-an-average-of-other-rows
# note: what the two are made of shares one part of ε, and the squares are measured apart
SELECT VAR_POP(amount) FILTER (WHERE paid) AS v, AVG(units) FILTER (WHERE NOT paid) AS a FROM orders
-- accept
-- sensitivity: centred sum(CASE WHEN (NOT paid) THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (NOT paid) THEN units ELSE CAST(NULL AS INT) END in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: count(CASE WHEN (NOT paid) THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- sensitivity: sum((CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - middle)²)  l0=1 l1=93750 l2=93750 linf=93750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - middle)² in [-31250, 31250], clamped)
-- sensitivity: sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(case(paid then amount; else NULL)), avg = avg(case(not(paid) then units; else NULL))
--       scan orders (id, customer, amount, paid, units)
==
# case: moments/shares-with-average-and-count
SELECT AVG(balance) AS a, VAR_SAMP(balance) AS v, COUNT(*) AS n, SUM(balance) AS s FROM customers
-- accept
-- sensitivity: rows with balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with balance near 2000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: avg = avg(balance), var_samp = var_samp(balance), count = count(*), sum = sum(balance)
--       scan customers (id, balance)
==
# case: moments/never-null
# note: the number of rows is the number of values
SELECT VAR_POP(units) AS v FROM orders
-- accept
-- sensitivity: rows with units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(units)
--       scan orders (id, customer, units)
==
# case: moments/double
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT VAR_POP(weight) AS v FROM orders
-- accept
-- sensitivity: rows with weight near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with weight near 10.05  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with weight near 20.1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(weight)
--       scan orders (id, customer, weight)
==
# case: moments/average-beside-variance-of-a-double
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT AVG(score) AS a, STDDEV_POP(score) AS s FROM customers
-- accept
-- sensitivity: rows with score near -1  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with score near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with score near 1  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: avg = avg(score), stddev_pop = stddev_pop(score)
--       scan customers (id, score)
==
# case: moments/wide-integers
# differs: more digits than a variance can be told to
SELECT VAR_POP(total) AS v FROM orders
-- accept
-- sensitivity: rows with total near -9000004050648825856  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); total in [-9000004050648825856, 9000004050648825856], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with total near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); total in [-9000004050648825856, 9000004050648825856], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with total near 9000004050648825856  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); total in [-9000004050648825856, 9000004050648825856], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(total)
--       scan orders (id, customer, total)
==
# case: moments/expression
SELECT VAR_POP(price * quantity) AS v FROM lines
-- accept
-- sensitivity: rows with price * quantity near 0  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); price * quantity in [0, 1000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with price * quantity near 500  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); price * quantity in [0, 1000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with price * quantity near 1000  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); price * quantity in [0, 1000], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop((price * quantity))
--       scan lines (order_id, quantity, price)
==
# case: moments/constant
# note: nothing but a count is measured
SELECT VAR_POP(2) AS v, VAR_SAMP(2) AS s FROM orders
-- accept
-- sensitivity: centred sum(2)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 2 in [2, 2], proven; summed around 2, the middle; every row adds 0: no row is read)
-- sensitivity: sum((2 - middle)²)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (2 - middle)² in [0, 0], proven; every row adds 0: no row is read)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(2), var_samp = var_samp(2)
--       scan orders (id, customer)
==
# case: moments/filtered
SELECT VAR_POP(age) FILTER (WHERE vip) AS v, COUNT(*) FILTER (WHERE vip) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: rows with CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(case(vip then age; else NULL)), count = count(case(vip then 1; else NULL))
--       scan customers (id, age, vip)
==
# case: moments/where-narrows
SELECT VAR_POP(age) AS v FROM customers WHERE age BETWEEN 30 AND 40
-- accept
-- sensitivity: rows with age near 30  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [30, 40], proven; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 35  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [30, 40], proven; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 40  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [30, 40], proven; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(age)
--       filter ((age >= 30) AND (age <= 40))
--         scan customers (id, age)
==
# case: moments/grouped
SELECT segment, VAR_POP(balance) AS v, AVG(balance) AS a FROM customers GROUP BY segment
-- accept
-- sensitivity: rows with balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with balance near 2000  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: var_pop = var_pop(balance), avg = avg(balance)
--       scan customers (id, balance, segment)
==
# case: moments/having
# differs: groups are kept by their noisy deviations
SELECT vip, STDDEV_SAMP(age) AS s FROM customers GROUP BY vip HAVING STDDEV_SAMP(age) > 5
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; groups: vip: 2 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; groups: vip: 2 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; groups: vip: 2 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: stddev_samp = stddev_samp(age)
--       scan customers (id, age, vip)
--   answer:
--     project vip#3 = vip#2, s = stddev_samp
--       filter (stddev_samp > 5)
--         released r1 (vip#2, stddev_samp)
==
# case: moments/arithmetic-on-it
# differs: where nothing varies, noise over noise is anything
SELECT STDDEV_POP(units) / AVG(units) AS relative FROM orders
-- accept
-- sensitivity: rows with units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: stddev_pop = stddev_pop(units), avg = avg(units)
--       scan orders (id, customer, units)
==
# case: moments/covariance
SELECT COVAR_POP(balance, age) AS c, COVAR_SAMP(balance, age) AS d FROM customers
-- accept
-- sensitivity: rows with balance near -1000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with balance near -1000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with balance near 5000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with balance near 5000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 4 weights together)
-- plan:
--   r1:
--     aggregate: covar_pop = covar_pop(balance, age), covar_samp = covar_samp(balance, age)
--       scan customers (id, age, balance)
-- sql:
SELECT COUNT(*) AS "n", COUNT(((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)))) AS "n3", SUM(((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)))) AS "s3", COUNT((((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT))) + ((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * (CAST(81 AS BIGINT) - (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)))))) AS "n4", SUM((((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT))) + ((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * (CAST(81 AS BIGINT) - (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)))))) AS "s4", COUNT((((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * CAST(81 AS BIGINT)) + ((CAST(600000 AS BIGINT) - (CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT))) * (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT))))) AS "n5", SUM((((CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) * CAST(81 AS BIGINT)) + ((CAST(600000 AS BIGINT) - (CAST(500000 AS BIGINT) - CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT))) * (CAST(99 AS BIGINT) - CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT))))) AS "s5"
FROM "main"."customers" AS "t1"
==
# case: moments/pairs-without-null
# note: both may be NULL: a row counts where neither is
SELECT COVAR_POP(amount, code) AS c FROM orders WHERE code BETWEEN 1 AND 5
-- accept
-- sensitivity: rows with amount near 0 and code near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; code in [1, 5], proven; a row adds 1 to all 4 weights together)
-- sensitivity: rows with amount near 0 and code near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; code in [1, 5], proven; a row adds 1 to all 4 weights together)
-- sensitivity: rows with amount near 500 and code near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; code in [1, 5], proven; a row adds 1 to all 4 weights together)
-- sensitivity: rows with amount near 500 and code near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; code in [1, 5], proven; a row adds 1 to all 4 weights together)
-- plan:
--   r1:
--     aggregate: covar_pop = covar_pop(amount, code)
--       filter ((code >= 1) AND (code <= 5))
--         scan orders (id, customer, amount, code)
==
# case: moments/either-order
# note: one sum of products and one number of pairs for both
SELECT COVAR_POP(age, balance) AS a, COVAR_POP(balance, age) AS b, VAR_POP(age) AS v FROM customers
-- accept
-- sensitivity: rows with age near 18 and balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with age near 18 and balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with age near 58.5 and balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with age near 58.5 and balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with age near 99 and balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with age near 99 and balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 6 weights together)
-- plan:
--   r1:
--     aggregate: covar_pop = covar_pop(age, balance), covar_pop#2 = covar_pop(balance, age), var_pop = var_pop(age)
--       scan customers (id, age, balance)
==
# case: moments/with-itself
# note: the covariance is the variance
SELECT COVAR_POP(age, age) AS c, VAR_POP(age) AS v, COUNT(age) AS n FROM customers
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: covar_pop = covar_pop(age, age), var_pop = var_pop(age), count = count(age)
--       scan customers (id, age)
==
# case: moments/correlation
# differs: where nothing varies, noise over noise is anything
SELECT CORR(balance, age) AS c FROM customers
-- accept
-- sensitivity: rows with balance near -1000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near -1000 and age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near -1000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 2000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 2000 and age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 2000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 5000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 5000 and age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 5000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- plan:
--   r1:
--     aggregate: corr = corr(balance, age)
--       scan customers (id, age, balance)
==
# case: moments/correlation-with-itself
# differs: where nothing varies, noise over noise is anything
SELECT CORR(age, age) AS c FROM customers
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: corr = corr(age, age)
--       scan customers (id, age)
==
# case: moments/correlation-with-a-constant
# note: the engine says NaN, dpsql NULL
SELECT CORR(units, 3) AS c FROM orders
-- accept
-- sensitivity: centred sum(units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: sum((units - middle)²)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - middle)² in [-8, 8], clamped)
-- sensitivity: centred sum(3)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 3 in [3, 3], proven; summed around 3, the middle; every row adds 0: no row is read)
-- sensitivity: sum((3 - middle)²)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (3 - middle)² in [0, 0], proven; every row adds 0: no row is read)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum((units - middle)·(3 - middle))  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - middle)·(3 - middle) in [0, 0], clamped; every row adds 0: no row is read)
-- plan:
--   r1:
--     aggregate: corr = corr(units, 3)
--       scan orders (id, customer, units)
==
# case: moments/regression
# differs: where nothing varies, noise over noise is anything
SELECT REGR_SLOPE(balance, age) AS s, REGR_INTERCEPT(balance, age) AS i, REGR_R2(balance, age) AS r FROM customers
-- accept
-- sensitivity: rows with balance near -1000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near -1000 and age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near -1000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 2000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 2000 and age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 2000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 5000 and age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 5000 and age near 58.5  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with balance near 5000 and age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; age in [18, 99], clamped; a row adds 1 to all 9 weights together)
-- plan:
--   r1:
--     aggregate: regr_slope = regr_slope(balance, age), regr_intercept = regr_intercept(balance, age), regr_r2 = regr_r2(balance, age)
--       scan customers (id, age, balance)
==
# case: moments/sums-and-count-of-pairs
# note: the number of pairs, the sums of squares and of products are made of nine weights
SELECT REGR_COUNT(amount, weight) AS n, REGR_SXX(amount, weight) AS xx, REGR_SYY(amount, weight) AS yy, REGR_SXY(amount, weight) AS xy FROM orders
-- accept
-- sensitivity: rows with weight near 0 and amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 0 and amount near 250  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 0 and amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 10.05 and amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 10.05 and amount near 250  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 10.05 and amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 20.1 and amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 20.1 and amount near 250  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with weight near 20.1 and amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; amount in [0, 500], clamped; a row adds 1 to all 9 weights together)
-- plan:
--   r1:
--     aggregate: regr_count = regr_count(amount, weight), regr_sxx = regr_sxx(amount, weight), regr_syy = regr_syy(amount, weight), regr_sxy = regr_sxy(amount, weight)
--       scan orders (id, customer, amount, weight)
==
# case: moments/averages-of-pairs
# note: the number of pairs is counted once
SELECT paid, REGR_AVGX(amount, weight) AS x, REGR_AVGY(amount, weight) AS y, REGR_COUNT(weight, amount) AS n FROM orders GROUP BY paid
-- accept
-- sensitivity: sum(weight)  l0=2 l1=60.3 l2=60.3 linf=60.3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 0, the least; groups: paid: 2 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=2 l1=60.3 l2=60.3 linf=60.3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 20.1, the greatest; groups: paid: 2 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: centred sum(amount)  l0=2 l1=750 l2=750 linf=750 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle; groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: regr_avgx = regr_avgx(amount, weight), regr_avgy = regr_avgy(amount, weight), regr_count = regr_count(weight, amount)
--       scan orders (id, customer, amount, weight, paid)
==
# case: moments/count-of-pairs
# note: what is only looked at for NULL needs no bounds
SELECT REGR_COUNT(code, rate) AS n, REGR_COUNT(units, id) AS same, COUNT(*) AS every FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without code  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: regr_count = regr_count(code, rate), regr_count#2 = regr_count(units, id), count = count(*)
--       scan orders (id, customer, units, code, rate)
==
# case: moments/spread-of-one-of-a-pair
SELECT status, REGR_SXX(rate, units) AS xx, REGR_AVGX(rate, units) AS x FROM orders GROUP BY status
-- accept
-- sensitivity: rows with units near 1  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 5  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 9  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by status#2 = status: regr_sxx = regr_sxx(rate, units), regr_avgx = regr_avgx(rate, units)
--       scan orders (id, customer, status, units, rate)
==
# case: moments/sum-of-products-alone
SELECT REGR_SXY(amount, units) AS xy FROM orders WHERE weight > 1
-- accept
-- sensitivity: rows with amount near 0 and units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; units in [1, 9], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with amount near 0 and units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; units in [1, 9], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with amount near 500 and units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; units in [1, 9], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with amount near 500 and units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; units in [1, 9], clamped; a row adds 1 to all 4 weights together)
-- plan:
--   r1:
--     aggregate: regr_sxy = regr_sxy(amount, units)
--       filter (weight > 1)
--         scan orders (id, customer, amount, weight, units)
==
# case: moments/count-of-pairs-in-a-subquery
# note: a count of no row is 0, in a subquery as well
SELECT COUNT(*) AS n FROM regions AS r WHERE (SELECT REGR_COUNT(c.age, c.score) FROM customers AS c WHERE c.region = r.id) > 10
-- accept
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#3 = region#2: regr_count = regr_count(age, score)
--       join inner on (region = region#2)
--         scan customers (id, region, age, score)
--         aggregate by region#2 = id#2
--           scan regions (id#2)
--   answer:
--     project n = count
--       aggregate: count = count(*)
--         filter (regr_count(c.age, c.score) > 10)
--           project id#3, name, zone, regr_count(c.age, c.score) = coalesce(here, 0)
--             join left on (region#3 = id#3)
--               scan regions (id#3, name, zone)
--               project region#3, regr_count, here = regr_count
--                 released r1 (region#3, regr_count)
==
# case: moments/square-of-what-nothing-bounds
SELECT REGR_SYY(rate, units) AS yy FROM orders
-- reject DP301  nothing bounds what REGR_SYY reads
--              ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: moments/correlation-beside-variances
# note: VAR is of all values, CORR of pairs: other rows, so other sums
# differs: where nothing varies, noise over noise is anything
SELECT VAR_POP(amount) AS v, CORR(amount, weight) AS c FROM orders
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 250  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 0 and weight near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 0 and weight near 10.05  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 0 and weight near 20.1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 250 and weight near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 250 and weight near 10.05  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 250 and weight near 20.1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 500 and weight near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 500 and weight near 10.05  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with amount near 500 and weight near 20.1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; weight in [0, 20.1], clamped; a row adds 1 to all 9 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(amount), corr = corr(amount, weight)
--       scan orders (id, customer, amount, weight)
==
# case: moments/unbounded
SELECT VAR_POP(rate) AS v FROM orders
-- reject DP301  nothing bounds what VAR_POP reads
--             ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: moments/unbounded-second
SELECT CORR(amount, rate) AS c FROM orders
-- reject DP301  nothing bounds what CORR reads
--                  ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: moments/of-text
SELECT STDDEV(email) AS s FROM customers
-- reject DP205  needs a number, not VARCHAR
--            ^^^^^
-- help: write COUNT(x), or TRY_CAST(x AS INTEGER)
==
# case: moments/of-dates
SELECT VAR_POP(born) AS v FROM customers
-- reject DP205  needs a number, not DATE
--             ^^^^
-- help: use MIN, MAX or MEDIAN, or days since one: DATE_DIFF('day', DATE '2024-01-01', x)
==
# case: moments/distinct
SELECT VAR_POP(DISTINCT age) AS v FROM customers
-- accept
-- sensitivity: count(distinct age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most)
-- sensitivity: sum(distinct age)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most; age in [18, 99], clamped)
-- sensitivity: sum(distinct (age - least)²)  l0=1 l1=3280.5 l2=3280.5 linf=3280.5 groups=1  (rows per unit 1, proven (id is the key of customers); (age - least)² in [-3280.5, 3280.5], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct age)
--       scan customers (id, age)
==
# policy: shop verified
# case: moments/verified
SELECT VAR_POP(amount) AS v FROM orders
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 250  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(amount)
--       scan orders (id, customer, amount)
-- sql:
SELECT COUNT(*) AS "n", COUNT((((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) - CAST(150000 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) - CAST(150000 AS BIGINT)))) AS "n2", SUM((((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) - CAST(150000 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) - CAST(150000 AS BIGINT)))) AS "s2", COUNT((125000000000 - (((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) + CAST(150000 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) + CAST(150000 AS BIGINT))))) AS "n3", SUM((125000000000 - (((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) + CAST(150000 AS BIGINT)) * ((CAST(4 AS BIGINT) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT))) + CAST(150000 AS BIGINT))))) AS "s3"
FROM "main"."orders" AS "t1"
==
# policy: replace
# case: moments/replace-public-rows
# note: the number of rows is public, and no number of values is measured
SELECT VAR_POP(weight) AS v, AVG(weight) AS a FROM patients
-- accept
-- sensitivity: a  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle; divided by the public 4 rows; a NULL counts as 90)
-- sensitivity: sum((weight - middle)²)  l0=1 l1=3600 l2=3600 linf=3600 groups=1  (rows per unit 1, proven (pid is the key of patients); (weight - middle)² in [-1800, 1800], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(weight), avg = avg(weight)
--       scan patients (pid, weight)
-- sql:
SELECT COUNT(*) AS "n", SUM(COALESCE(CAST((CASE WHEN ("t1"."weight" < 30) THEN 30 WHEN ("t1"."weight" > 150) THEN 150 ELSE "t1"."weight" END) AS BIGINT), CAST(90 AS BIGINT))) AS "s0", SUM(((CAST(2 AS BIGINT) * (((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."weight" < 30) THEN 30 WHEN ("t1"."weight" > 150) THEN 150 ELSE "t1"."weight" END) AS BIGINT)) - CAST(180 AS BIGINT)) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."weight" < 30) THEN 30 WHEN ("t1"."weight" > 150) THEN 150 ELSE "t1"."weight" END) AS BIGINT)) - CAST(180 AS BIGINT)))) - CAST(14400 AS BIGINT))) AS "s1"
FROM "main"."patients" AS "t1"
==
# case: moments/replace-nullable
SELECT COVAR_POP(weight, height) AS c, VAR_POP(weight) AS v FROM patients WHERE height > 1
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle)
-- sensitivity: sum((weight - middle)²)  l0=1 l1=3600 l2=3600 linf=3600 groups=1  (rows per unit 1, proven (pid is the key of patients); (weight - middle)² in [-1800, 1800], clamped)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- sensitivity: centred sum(height)  l0=1 l1=1.5 l2=1.5 linf=1.5 groups=1  (rows per unit 1, proven (pid is the key of patients); height in [1, 2.5], clamped; summed around 1.75, the middle)
-- sensitivity: sum((weight - middle)·(height - middle))  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 1, proven (pid is the key of patients); (weight - middle)·(height - middle) in [-45, 45], clamped)
-- plan:
--   r1:
--     aggregate: covar_pop = covar_pop(weight, height), var_pop = var_pop(weight)
--       filter (height > 1)
--         scan patients (pid, weight, height)
==
# case: moments/replace-several-rows
SELECT ward, VAR_SAMP(days) AS v FROM stays GROUP BY ward
-- accept
-- sensitivity: rows with days near 1  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with days near 15.5  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with days near 30  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: var_samp = var_samp(days)
--       scan stays (pid, days, ward)
==
# case: moments/replace-sums-of-pairs
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT REGR_COUNT(weight, height) AS n, REGR_SXX(weight, height) AS xx, REGR_SXY(weight, height) AS xy, REGR_AVGY(weight, height) AS y FROM patients
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle)
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- sensitivity: centred sum(height)  l0=1 l1=2.10000228882 l2=2.10000228882 linf=2.10000228882 groups=1  (rows per unit 1, proven (pid is the key of patients); height in [0.399998, 2.5], clamped; summed around 1.45, the middle)
-- sensitivity: sum((height - middle)²)  l0=1 l1=1.10250240326 l2=1.10250240326 linf=1.10250240326 groups=1  (rows per unit 1, proven (pid is the key of patients); (height - middle)² in [-0.551251, 0.551251], clamped)
-- sensitivity: sum((weight - middle)·(height - middle))  l0=1 l1=126.000137329 l2=126.000137329 linf=126.000137329 groups=1  (rows per unit 1, proven (pid is the key of patients); (weight - middle)·(height - middle) in [-63.0001, 63.0001], clamped)
-- plan:
--   r1:
--     aggregate: regr_count = regr_count(weight, height), regr_sxx = regr_sxx(weight, height), regr_sxy = regr_sxy(weight, height), regr_avgy = regr_avgy(weight, height)
--       scan patients (pid, weight, height)
==
# policy: people
# case: moments/null-in-one-of-a-pair
# note: a weight counts where the age is known; the average is of all weights
SELECT COVAR_POP(weight, CASE WHEN sex = 'F' THEN age END) AS c, AVG(weight) AS a FROM people
-- accept
-- sensitivity: sum(weight - 30)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 30, the least; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- sensitivity: sum(weight - 150)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 150, the greatest; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- sensitivity: rows with weight near 30 and CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END in [0, 110], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with weight near 30 and CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END near 110  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END in [0, 110], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with weight near 150 and CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END in [0, 110], clamped; a row adds 1 to all 4 weights together)
-- sensitivity: rows with weight near 150 and CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END near 110  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END in [0, 110], clamped; a row adds 1 to all 4 weights together)
-- plan:
--   r1:
--     aggregate: covar_pop = covar_pop(weight, case((sex = 'F') then age; else NULL)), avg = avg(weight)
--       scan people (pid, sex, weight, age)
==
# case: moments/pairs-in-either-order
# note: one number of pairs, that of educ, and one sum of products for both
SELECT COVAR_SAMP(age, educ) AS c, COVAR_POP(educ, age) AS d, VAR_POP(educ) AS v, COUNT(educ) AS n FROM people
-- accept
-- sensitivity: rows with educ near 1 and age near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; age in [0, 110], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with educ near 1 and age near 110  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; age in [0, 110], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with educ near 2.5 and age near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; age in [0, 110], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with educ near 2.5 and age near 110  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; age in [0, 110], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with educ near 4 and age near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; age in [0, 110], clamped; a row adds 1 to all 6 weights together)
-- sensitivity: rows with educ near 4 and age near 110  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; age in [0, 110], clamped; a row adds 1 to all 6 weights together)
-- plan:
--   r1:
--     aggregate: covar_samp = covar_samp(age, educ), covar_pop = covar_pop(educ, age), var_pop = var_pop(educ), count = count(educ)
--       scan people (pid, educ, age)
==
# policy: shop
# case: moments/tenths-of-a-number
# note: the middle of rounded tenths, which are 38 to 119
SELECT VAR_POP(0.1 * age + 2) AS v FROM customers
-- accept
-- sensitivity: rows with (CAST(0.1 AS DECIMAL(2, 1)) * age) + 2 near 3.8  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); (CAST(0.1 AS DECIMAL(2, 1)) * age) + 2 in [3.8, 11.9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with (CAST(0.1 AS DECIMAL(2, 1)) * age) + 2 near 7.85  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); (CAST(0.1 AS DECIMAL(2, 1)) * age) + 2 in [3.8, 11.9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with (CAST(0.1 AS DECIMAL(2, 1)) * age) + 2 near 11.9  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); (CAST(0.1 AS DECIMAL(2, 1)) * age) + 2 in [3.8, 11.9], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(((1/10 * age) + 2))
--       scan customers (id, age)
==
# case: moments/of-no-row
# note: no row is paid and not paid
SELECT VAR_POP(units) FILTER (WHERE paid AND NOT paid) AS v, AVG(CASE WHEN paid THEN units + 1 END) FILTER (WHERE NOT paid) AS a FROM orders
-- accept
-- sensitivity: centred sum(CASE WHEN (NOT paid) THEN (CASE WHEN paid THEN (units + 1) ELSE CAST(NULL AS INT) END) ELSE CAST(NULL AS INT) END)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (NOT paid) THEN (CASE WHEN paid THEN (units + 1) ELSE CAST(NULL AS INT) END) ELSE CAST(NULL AS INT) END in [2, 10], clamped; summed around 6, the middle)
-- sensitivity: count(CASE WHEN (NOT paid) THEN (CASE WHEN paid THEN (units + 1) ELSE CAST(NULL AS INT) END) ELSE CAST(NULL AS INT) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(CASE WHEN (paid AND (NOT paid)) THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (paid AND (NOT paid)) THEN units ELSE CAST(NULL AS INT) END in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: sum((CASE WHEN (paid AND (NOT paid)) THEN units ELSE CAST(NULL AS INT) END - middle)²)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (CASE WHEN (paid AND (NOT paid)) THEN units ELSE CAST(NULL AS INT) END - middle)² in [-8, 8], clamped)
-- sensitivity: count(CASE WHEN (paid AND (NOT paid)) THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(case((paid AND not(paid)) then units; else NULL)), avg = avg(case(not(paid) then case(paid then (units + 1); else NULL); else NULL))
--       scan orders (id, customer, paid, units)
==
# case: moments/standard-error
# note: stddev_pop(x) / sqrt(count(x)), as DuckDB makes it
SELECT SEM(units) AS e FROM orders
-- accept
-- sensitivity: rows with units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: stddev_pop = stddev_pop(units), count = count(units)
--       scan orders (id, customer, units)
==
# case: moments/of-no-row-by-alternatives
# note: of the alternatives none is left
SELECT AVG(units) FILTER (WHERE (units < 2 OR units > 8) AND units BETWEEN 3 AND 6) AS a FROM orders
-- accept
-- sensitivity: centred sum(CASE WHEN (((units < 2) OR (units > 8)) AND ((units >= 3) AND (units <= 6))) THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=4.5 l2=4.5 linf=4.5 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (((units < 2) OR (units > 8)) AND ((units >= 3) AND (units <= 6))) THEN units ELSE CAST(NULL AS INT) END in [3, 6], clamped; summed around 4.5, the middle)
-- sensitivity: count(CASE WHEN (((units < 2) OR (units > 8)) AND ((units >= 3) AND (units <= 6))) THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(case((((units < 2) OR (units > 8)) AND ((units >= 3) AND (units <= 6))) then units; else NULL))
--       scan orders (id, customer, units)
