# about: VAR, STDDEV, COVAR, CORR, REGR_*: sums of squares and products around the middle
# policy: shop
# case: moments/variance-of-integers
SELECT VAR_POP(age) AS v FROM customers
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sql:
SELECT COUNT(*) AS "n", COUNT(CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) AS "n0", SUM(CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) AS "s0", SUM(((CAST(2 AS BIGINT) * (((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT)) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT)))) - CAST(6561 AS BIGINT))) AS "s1"
FROM "main"."customers" AS "t1"
==
# case: moments/four-of-one
# note: one sum, one sum of squares and one count for all of them
SELECT VAR_POP(age) AS vp, VAR_SAMP(age) AS vs, STDDEV_POP(age) AS sp, STDDEV_SAMP(age) AS ss FROM customers
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: moments/synonyms
SELECT VARIANCE(units) AS v, STDDEV(units) AS s FROM orders
-- accept
-- sensitivity: centred sum(units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: sum((units - middle)²)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - middle)² in [-8, 8], clamped)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: moments/shares-with-average-and-count
SELECT AVG(balance) AS a, VAR_SAMP(balance) AS v, COUNT(*) AS n, SUM(balance) AS s FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: sum((balance - middle)²)  l0=1 l1=4500000 l2=4500000 linf=4500000 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - middle)² in [-4500000, 4500000], clamped)
==
# case: moments/never-null
# note: the number of rows is the number of values
SELECT VAR_POP(units) AS v FROM orders
-- accept
-- sensitivity: centred sum(units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: sum((units - middle)²)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - middle)² in [-8, 8], clamped)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: moments/double
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT VAR_POP(weight) AS v FROM orders
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=30.1500091553 l2=30.1500091553 linf=30.1500091553 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 10.05, the middle)
-- sensitivity: sum((weight - middle)²)  l0=1 l1=151.503842011 l2=151.503842011 linf=151.503842011 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (weight - middle)² in [-50.5013, 50.5013], clamped)
-- sensitivity: count(weight)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: moments/average-beside-variance-of-a-double
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT AVG(score) AS a, STDDEV_POP(score) AS s FROM customers
-- accept
-- sensitivity: centred sum(score)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; summed around 0, the middle)
-- sensitivity: count(score)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum((score - middle)²)  l0=1 l1=0.5 l2=0.5 linf=0.5 groups=1  (rows per unit 1, proven (id is the key of customers); (score - middle)² in [-0.5, 0.5], clamped)
==
# case: moments/wide-integers
# differs: more digits than a variance can be told to
SELECT VAR_POP(total) AS v FROM orders
-- accept
-- sensitivity: centred sum(total)  l0=1 l1=2.70000121519e+19 l2=2.70000121519e+19 linf=2.70000121519e+19 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); total in [-9000004050648825856, 9000004050648825856], clamped; summed around 0, the middle)
-- sensitivity: sum((total - middle)²)  l0=1 l1=1.21500109368e+38 l2=1.21500109368e+38 linf=1.21500109368e+38 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (total - middle)² in [-40500036455847636581955204295707066368, 40500036455847636581955204295707066368], clamped)
-- sensitivity: count(total)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: moments/expression
SELECT VAR_POP(price * quantity) AS v FROM lines
-- accept
-- sensitivity: centred sum(price * quantity)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); price * quantity in [0, 1000], clamped; summed around 500, the middle)
-- sensitivity: sum((price * quantity - middle)²)  l0=1 l1=750000 l2=750000 linf=750000 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); (price * quantity - middle)² in [-125000, 125000], clamped)
-- sensitivity: count(price * quantity)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: moments/constant
# note: nothing but a count is measured
SELECT VAR_POP(2) AS v, VAR_SAMP(2) AS s FROM orders
-- accept
-- sensitivity: centred sum(2)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 2 in [2, 2], proven; summed around 2, the middle; every row adds 0: no row is read)
-- sensitivity: sum((2 - middle)²)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (2 - middle)² in [0, 0], proven; every row adds 0: no row is read)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: moments/filtered
SELECT VAR_POP(age) FILTER (WHERE vip) AS v, COUNT(*) FILTER (WHERE vip) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: centred sum(CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: moments/where-narrows
SELECT VAR_POP(age) AS v FROM customers WHERE age BETWEEN 30 AND 40
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=5 l2=5 linf=5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [30, 40], proven; summed around 35, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=12.5 l2=12.5 linf=12.5 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-12.5, 12.5], proven)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: moments/grouped
SELECT segment, VAR_POP(balance) AS v, AVG(balance) AS a FROM customers GROUP BY segment
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: sum((balance - middle)²)  l0=1 l1=4500000 l2=4500000 linf=4500000 groups=3  (rows per unit 1, proven (id is the key of customers); (balance - middle)² in [-4500000, 4500000], clamped; groups: segment: 3 values; a unit is in one group)
==
# case: moments/having
# differs: groups are kept by their noisy deviations
SELECT vip, STDDEV_SAMP(age) AS s FROM customers GROUP BY vip HAVING STDDEV_SAMP(age) > 5
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=2  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle; groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=2  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped; groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
==
# case: moments/arithmetic-on-it
# differs: where nothing varies, noise over noise is anything
SELECT STDDEV_POP(units) / AVG(units) AS relative FROM orders
-- accept
-- sensitivity: centred sum(units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum((units - middle)²)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - middle)² in [-8, 8], clamped)
==
# case: moments/covariance
SELECT COVAR_POP(balance, age) AS c, COVAR_SAMP(balance, age) AS d FROM customers
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum((balance - middle)·(age - middle))  l0=1 l1=121500 l2=121500 linf=121500 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - middle)·(age - middle) in [-121500, 121500], clamped)
-- sql:
SELECT COUNT(*) AS "n", COUNT(CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) AS "n0", SUM(CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) AS "s0", COUNT(CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) AS "n1", SUM(CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) AS "s1", SUM((((CAST(2 AS BIGINT) * CAST(ROUND((CAST((CASE WHEN ("t1"."age" IS NOT NULL) THEN (CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) ELSE CAST(NULL AS DECIMAL(12, 2)) END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(400000 AS BIGINT)) * ((CAST(2 AS BIGINT) * CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)) - CAST(117 AS BIGINT)))) AS "s2"
FROM "main"."customers" AS "t1"
==
# case: moments/pairs-without-null
# note: both may be NULL: a row counts where neither is
SELECT COVAR_POP(amount, code) AS c FROM orders WHERE code BETWEEN 1 AND 5
-- accept
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: centred sum(code)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code in [1, 5], proven; summed around 3, the middle)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum((amount - middle)·(code - middle))  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount - middle)·(code - middle) in [-500, 500], clamped)
==
# case: moments/either-order
# note: one sum of products and one number of pairs for both
SELECT COVAR_POP(age, balance) AS a, COVAR_POP(balance, age) AS b, VAR_POP(age) AS v FROM customers
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: sum((age - middle)·(balance - middle))  l0=1 l1=121500 l2=121500 linf=121500 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)·(balance - middle) in [-121500, 121500], clamped)
==
# case: moments/with-itself
# note: the covariance is the variance
SELECT COVAR_POP(age, age) AS c, VAR_POP(age) AS v, COUNT(age) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
==
# case: moments/correlation
# differs: where nothing varies, noise over noise is anything
SELECT CORR(balance, age) AS c FROM customers
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: sum((balance - middle)²)  l0=1 l1=4500000 l2=4500000 linf=4500000 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - middle)² in [-4500000, 4500000], clamped)
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum((balance - middle)·(age - middle))  l0=1 l1=121500 l2=121500 linf=121500 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - middle)·(age - middle) in [-121500, 121500], clamped)
==
# case: moments/correlation-with-itself
# differs: where nothing varies, noise over noise is anything
SELECT CORR(age, age) AS c FROM customers
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
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
==
# case: moments/regression
# differs: where nothing varies, noise over noise is anything
SELECT REGR_SLOPE(balance, age) AS s, REGR_INTERCEPT(balance, age) AS i, REGR_R2(balance, age) AS r FROM customers
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: sum((age - middle)²)  l0=1 l1=820.125 l2=820.125 linf=820.125 groups=1  (rows per unit 1, proven (id is the key of customers); (age - middle)² in [-820.125, 820.125], clamped)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum((balance - middle)·(age - middle))  l0=1 l1=121500 l2=121500 linf=121500 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - middle)·(age - middle) in [-121500, 121500], clamped)
-- sensitivity: sum((balance - middle)²)  l0=1 l1=4500000 l2=4500000 linf=4500000 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - middle)² in [-4500000, 4500000], clamped)
==
# case: moments/correlation-beside-variances
# note: VAR is of all values, CORR of pairs: other rows, so other sums
# differs: where nothing varies, noise over noise is anything
SELECT VAR_POP(amount) AS v, CORR(amount, weight) AS c FROM orders
-- accept
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: sum((amount - middle)²)  l0=1 l1=93750 l2=93750 linf=93750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount - middle)² in [-31250, 31250], clamped)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: sum((amount - middle)²)  l0=1 l1=93750 l2=93750 linf=93750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount - middle)² in [-31250, 31250], clamped)
-- sensitivity: centred sum(weight)  l0=1 l1=30.1500091553 l2=30.1500091553 linf=30.1500091553 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 10.05, the middle)
-- sensitivity: sum((weight - middle)²)  l0=1 l1=151.503842011 l2=151.503842011 linf=151.503842011 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (weight - middle)² in [-50.5013, 50.5013], clamped)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum((amount - middle)·(weight - middle))  l0=1 l1=7537.50228882 l2=7537.50228882 linf=7537.50228882 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount - middle)·(weight - middle) in [-2512.5, 2512.5], clamped)
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
==
# case: moments/of-dates
SELECT VAR_POP(born) AS v FROM customers
-- reject DP205  needs a number, not DATE
--             ^^^^
==
# case: moments/distinct
SELECT VAR_POP(DISTINCT age) AS v FROM customers
-- reject DP104  DISTINCT takes one expression in COUNT, SUM and AVG
--                      ^^^
==
# policy: shop verified
# case: moments/verified
SELECT VAR_POP(amount) AS v FROM orders
-- accept
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven; summed around 250, the middle)
-- sensitivity: sum((amount - middle)²)  l0=1 l1=93750 l2=93750 linf=93750 groups=1  (rows per unit 3, proven (3 rows of orders per customer); (amount - middle)² in [-31250, 31250], proven)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- sql:
SELECT COUNT(*) AS "n", COUNT(CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) AS "n0", SUM(CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) AS "s0", SUM(((CAST(2 AS BIGINT) * (((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT)) * ((CAST(2 AS BIGINT) * CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)) - CAST(50000 AS BIGINT)))) - 2500000000)) AS "s1"
FROM "main"."orders" AS "t1"
==
# policy: replace
# case: moments/replace-public-rows
# note: the number of rows is public, and no number of values is measured
SELECT VAR_POP(weight) AS v, AVG(weight) AS a FROM patients
-- accept
-- sensitivity: a  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle; divided by the public 4 rows; a NULL counts as 90)
-- sensitivity: sum((weight - middle)²)  l0=1 l1=3600 l2=3600 linf=3600 groups=1  (rows per unit 1, proven (pid is the key of patients); (weight - middle)² in [-1800, 1800], clamped)
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
==
# case: moments/replace-several-rows
SELECT ward, VAR_SAMP(days) AS v FROM stays GROUP BY ward
-- accept
-- sensitivity: centred sum(days)  l0=3 l1=58 l2=58 linf=58 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped; summed around 15.5, the middle; groups: ward: 3 values; a unit can be in several)
-- sensitivity: sum((days - middle)²)  l0=3 l1=420.5 l2=420.5 linf=420.5 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); (days - middle)² in [-105.125, 105.125], clamped; groups: ward: 3 values; a unit can be in several)
-- sensitivity: count(days)  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); groups: ward: 3 values; a unit can be in several)
==
# policy: people
# case: moments/null-in-one-of-a-pair
# note: a weight counts where the age is known; the average is of all weights
SELECT COVAR_POP(weight, CASE WHEN sex = 'F' THEN age END) AS c, AVG(weight) AS a FROM people
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 90, the middle)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people))
-- sensitivity: centred sum(weight)  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 90, the middle)
-- sensitivity: centred sum(CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END)  l0=1 l1=55 l2=55 linf=55 groups=1  (rows per unit 1, proven (pid is the key of people); CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END in [0, 110], clamped; summed around 55, the middle)
-- sensitivity: count(CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people))
-- sensitivity: sum((weight - middle)·(CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END - middle))  l0=1 l1=3300 l2=3300 linf=3300 groups=1  (rows per unit 1, proven (pid is the key of people); (weight - middle)·(CASE WHEN (sex = 'F') THEN age ELSE CAST(NULL AS TINYINT) END - middle) in [-3300, 3300], clamped)
==
# case: moments/pairs-in-either-order
# note: one number of pairs, that of educ, and one sum of products for both
SELECT COVAR_SAMP(age, educ) AS c, COVAR_POP(educ, age) AS d, VAR_POP(educ) AS v, COUNT(educ) AS n FROM people
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people))
-- sensitivity: centred sum(educ)  l0=1 l1=1.5 l2=1.5 linf=1.5 groups=1  (rows per unit 1, proven (pid is the key of people); educ in [1, 4], clamped; summed around 2.5, the middle)
-- sensitivity: sum((educ - middle)²)  l0=1 l1=1.125 l2=1.125 linf=1.125 groups=1  (rows per unit 1, proven (pid is the key of people); (educ - middle)² in [-1.125, 1.125], clamped)
-- sensitivity: centred sum(age)  l0=1 l1=55 l2=55 linf=55 groups=1  (rows per unit 1, proven (pid is the key of people); age in [0, 110], clamped; summed around 55, the middle)
-- sensitivity: sum((age - middle)·(educ - middle))  l0=1 l1=82.5 l2=82.5 linf=82.5 groups=1  (rows per unit 1, proven (pid is the key of people); (age - middle)·(educ - middle) in [-82.5, 82.5], clamped)
