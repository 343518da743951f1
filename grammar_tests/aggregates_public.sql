# about: Every aggregate over public tables (exact) and over released rows (post-processing)
# policy: shop
# case: aggregates_public/moments
SELECT kind, STDDEV(price) AS s, VAR_POP(price) AS v, MEDIAN(price) AS m FROM products GROUP BY kind
-- exact
==
# case: aggregates_public/pairs
SELECT CORR(p.price, t.product) AS c, REGR_SLOPE(p.price, t.product) AS s FROM products p JOIN tags t ON t.product = p.id
-- exact
==
# case: aggregates_public/quantiles
SELECT QUANTILE_CONT(price, [0.25, 0.75]) AS q, PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY price DESC) AS d FROM products
-- exact
==
# case: aggregates_public/key-of-the-greatest
SELECT MODE(kind) AS m, ARG_MAX(kind, price) AS dearest, MIN_BY(id, price) AS cheapest FROM products
-- exact
==
# case: aggregates_public/histogram
SELECT HISTOGRAM(price, [10, 20, 50]) AS h, HISTOGRAM(kind) AS k FROM products
-- exact
==
# case: aggregates_public/unlisted
SELECT RESERVOIR_QUANTILE(price, 0.5) FROM products
-- reject DP204  the function RESERVOIR_QUANTILE is not on the allow-list
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: aggregates_public/released-median
# differs: groups without rows are groups here
SELECT MEDIAN(n) AS m FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: aggregates_public/released-correlation
# differs: groups without rows are groups here
SELECT CORR(a, b) AS c, REGR_SLOPE(a, b) AS s, COVAR_SAMP(a, b) AS v FROM (SELECT day, COUNT(*) AS a, SUM(amount) AS b FROM orders GROUP BY day) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: 366 values; a unit can be in several)
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: day: 366 values; a unit can be in several)
==
# case: aggregates_public/released-key-of-the-greatest
# differs: groups without rows are groups here
SELECT ARG_MAX(product, n) AS best, ARG_MIN(product, n) FILTER (WHERE product <> 1) AS worst FROM (SELECT product, COUNT(*) AS n FROM lines GROUP BY product) x
-- accept
-- sensitivity: count(*)  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several)
==
# case: aggregates_public/released-quantiles
# differs: groups without rows are groups here
SELECT QUANTILE_CONT(n, 0.1) AS low, QUANTILE_DISC(n, [0.5, 0.9]) AS high, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n DESC) AS top FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: aggregates_public/released-one-and-a-list-of-one
# differs: groups without rows are groups here
SELECT QUANTILE_DISC(n, 0.5) AS one, QUANTILE_DISC(n, [0.5]) AS listed FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: aggregates_public/released-mode
# differs: groups without rows are groups here
SELECT MODE(segment) AS m, MODE() WITHIN GROUP (ORDER BY n > 10) AS most FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: aggregates_public/released-histogram
# differs: groups without rows are groups here
SELECT HISTOGRAM(n, [10, 100, 1000]) AS h, HISTOGRAM(vip) AS v FROM (SELECT vip, segment, COUNT(*) AS n FROM customers GROUP BY vip, segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; segment: 3 values; a unit is in one group)
==
# case: aggregates_public/released-histogram-of-days
# differs: groups without rows are groups here
SELECT HISTOGRAM(day, ['2024-03-31', DATE '2024-06-30']) AS h FROM (SELECT day, COUNT(*) AS n FROM orders GROUP BY day HAVING COUNT(*) > 5) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: 366 values; a unit can be in several)
==
# case: aggregates_public/released-approximate
# differs: groups without rows are groups here
SELECT APPROX_QUANTILE(n, 0.5) AS q, APPROX_COUNT_DISTINCT(region) AS d FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: aggregates_public/released-filter
# differs: groups without rows are groups here
SELECT CORR(a, b) FILTER (WHERE a > 3) AS c, VAR_SAMP(a) FILTER (WHERE b > 0) AS v FROM (SELECT status, COUNT(*) AS a, SUM(units) AS b FROM orders GROUP BY status) x
-- accept
-- sensitivity: sum(units - 1)  l0=3 l1=24 l2=24 linf=24 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; groups: status: 4 values; a unit can be in several; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=3 l1=24 l2=24 linf=24 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; groups: status: 4 values; a unit can be in several; a row adds 8 to sum(units - 1) and sum(units - 9) together)
==
# case: aggregates_public/released-rollup
# differs: groups without rows are groups here
SELECT vip, segment, MAX(DISTINCT n) AS most, MEDIAN(n) AS m FROM (SELECT vip, segment, COUNT(*) AS n FROM customers GROUP BY vip, segment) x GROUP BY ROLLUP (vip, segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; segment: 3 values; a unit is in one group)
==
# case: aggregates_public/fraction-too-large
SELECT QUANTILE_CONT(n, 95) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  a quantile's fraction must be from 0 to 1
--                      ^^
-- help: write 0.25 for the value that a quarter of the rows does not exceed
==
# case: aggregates_public/fraction-no-constant
SELECT QUANTILE_CONT(n, region / 10) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  a quantile's fraction must be a constant from 0 to 1
--                      ^^^^^^^^^^^
-- help: write the number itself, such as 0.25
==
# case: aggregates_public/fraction-missing
SELECT PERCENTILE_CONT(0.5) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  a quantile takes a value and a fraction
--     ^^^^^^^^^^^^^^^^^^^
-- help: write QUANTILE_CONT(x, 0.5)
==
# case: aggregates_public/discrete-descending
SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n DESC) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP104  PERCENTILE_DISC in descending order
--                                                 ^
-- help: write ORDER BY x alone
==
# case: aggregates_public/between-texts
SELECT QUANTILE_CONT(segment, 0.5) AS q FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- reject DP205  needs a number or a date, not VARCHAR
--                   ^^^^^^^
-- help: QUANTILE_DISC gives one of the values
==
# case: aggregates_public/bins-no-constants
SELECT HISTOGRAM(n, [10, region]) AS h FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  bins are a list of constants
--                       ^^^^^^
-- help: write [10, 20, 30]
==
# case: aggregates_public/bins-rounded
SELECT HISTOGRAM(n, [10, 20.5]) AS h FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  this end of a bin is no BIGINT
--                       ^^^^
-- help: DuckDB would round it
==
# case: aggregates_public/several-keys
SELECT ARG_MAX(region, n, 3) AS best FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP104  ARG_MAX of several rows is not supported
--             ^^^^^^^^^^^^
-- help: write ARG_MAX(key, by) for one of them
==
# case: aggregates_public/distinct-spread
SELECT STDDEV(DISTINCT n) AS s FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP104  DISTINCT takes one expression in COUNT, SUM and AVG
--                     ^
==
# case: aggregates_public/listed
SELECT LIST(n) AS l, ANY_VALUE(n) AS v, STRING_AGG(region, ',') AS s FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP204  the aggregate array_agg is not supported
--     ^^^^^^
-- help: rows cannot be listed: GROUP BY the value
-- reject DP204  the aggregate any_value is not supported
--                             ^
-- help: use MIN, MAX or MODE
-- reject DP204  the aggregate group_concat is not supported
--                                                 ^^^^^^^^^^^
-- help: rows cannot be listed: GROUP BY the value
==
# case: aggregates_public/list-is-only-output
SELECT q + 1 AS x FROM (SELECT QUANTILE_CONT(n, [0.5]) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x) y
-- reject DP205  add: needs a number, not DOUBLE[]
--     ^
