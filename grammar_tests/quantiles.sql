# about: MIN, MAX, MEDIAN and QUANTILE_*: points of a public grid, picked by how many rows are below
# policy: shop
# case: quantiles/median
SELECT MEDIAN(age) AS m FROM customers
-- accept
-- sql:
==
# case: quantiles/several-of-one
# note: all quantiles of a column are answered together
SELECT MIN(age) AS lo, MEDIAN(age) AS m, MAX(age) AS hi, QUANTILE_CONT(age, [0.9, 0.1]) AS q FROM customers
==
# case: quantiles/list-in-its-own-order
SELECT QUANTILE_DISC(units, [0.75, 0.25]) AS q FROM orders
==
# case: quantiles/percentile-cont
SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount DESC) AS p FROM orders
==
# case: quantiles/approximate
SELECT APPROX_QUANTILE(age, 0.25) AS q FROM customers
==
# case: quantiles/double
SELECT MEDIAN(weight) AS m FROM orders
-- accept
-- sql:
==
# case: quantiles/wide-integers
SELECT MEDIAN(total) AS m, MAX(total) AS t FROM orders
==
# case: quantiles/type-with-few-values
# note: of 16 bits all values are listed
SELECT MEDIAN(code) AS m FROM orders
==
# case: quantiles/dates
SELECT MIN(day) AS first, MEDIAN(day) AS m, MAX(day) AS last FROM orders
==
# case: quantiles/timestamps
# note: to a second
SELECT MIN(placed) AS first, QUANTILE_DISC(placed, 0.5) AS m FROM orders
-- accept
-- sql:
==
# case: quantiles/declared-texts
SELECT MIN(segment) AS lo, MAX(segment) AS hi FROM customers
==
# case: quantiles/enum
# note: in the order of its values: basic, plus, gold
SELECT MIN(level) AS lo, QUANTILE_DISC(level, 0.5) AS m FROM customers
==
# case: quantiles/booleans
SELECT MIN(vip) AS lo, MAX(vip) AS hi FROM customers
==
# case: quantiles/expression
SELECT MAX(price * quantity) AS m FROM lines
==
# case: quantiles/case-of-few-values
# note: no other value can be the answer
SELECT MEDIAN(CASE WHEN vip THEN 10 ELSE 1000 END) AS m FROM customers
==
# case: quantiles/of-nothing-but-null
# note: of no value any value is the answer
SELECT MAX(CASE WHEN age > 200 THEN age END) AS m FROM customers
==
# case: quantiles/filtered
SELECT MEDIAN(age) FILTER (WHERE vip) AS m, MEDIAN(age) AS every FROM customers
==
# case: quantiles/beside-counts-and-sums
SELECT COUNT(*) AS n, MEDIAN(amount) AS m, AVG(amount) AS a FROM orders
==
# case: quantiles/distinct-extremes
# note: what is extreme stays so without its copies; the rank is that among all rows
SELECT MAX(DISTINCT age) AS m FROM customers
==
# case: quantiles/grouped
SELECT segment, MEDIAN(balance) AS m FROM customers GROUP BY segment
-- accept
-- sql:
==
# case: quantiles/having
# differs: groups are kept by their noisy medians
SELECT vip, COUNT(*) AS n FROM customers GROUP BY vip HAVING MEDIAN(age) > 40
==
# case: quantiles/where-bounds-dates
# note: infinite dates are no days of 2024
SELECT MEDIAN(born) AS m FROM customers WHERE born BETWEEN DATE '1980-01-01' AND DATE '1989-12-31'
==
# case: quantiles/arithmetic-on-them
# differs: the rank of each is off by up to a row
SELECT MAX(age) - MIN(age) AS spread FROM customers
==
# case: quantiles/unbounded
SELECT MAX(rate) AS m FROM orders
==
# case: quantiles/undeclared-texts
SELECT MIN(email) AS m FROM customers
==
# case: quantiles/distinct-median
SELECT MEDIAN(DISTINCT age) AS m FROM customers
==
# case: quantiles/fraction-above-one
SELECT QUANTILE_CONT(age, 1.5) AS q FROM customers
==
# policy: unbounded
# case: quantiles/unbounded-dates
SELECT MIN(born) AS m FROM customers
==
# case: quantiles/unbounded-rows
# note: a list of values, but nothing bounds the rows of a unit
SELECT MEDIAN(amount) AS m FROM orders
==
# policy: shop verified
# case: quantiles/verified
SELECT MEDIAN(amount) AS m FROM orders
-- accept
-- sql:
==
# policy: replace
# case: quantiles/replace
# note: one row goes, another comes
SELECT MEDIAN(weight) AS m FROM patients
==
# case: quantiles/replace-several-rows
SELECT ward, MAX(days) AS m FROM stays GROUP BY ward
