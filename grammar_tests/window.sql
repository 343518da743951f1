# about: Window functions: on noisy rows, and over the rows of one unit
# policy: shop
# case: window/running-total-of-counts
# differs: every month of the domain is output, and its running total runs over them
SELECT MONTH(day) AS m, SUM(COUNT(*)) OVER (ORDER BY MONTH(day)) AS total FROM orders GROUP BY m
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
==
# case: window/share-of-total
SELECT segment, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM customers GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: window/rank-of-released
# differs: segments without customers have a rank too
SELECT segment, RANK() OVER (ORDER BY SUM(balance) DESC) AS place FROM customers GROUP BY segment
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
==
# case: window/change-to-the-month-before
# differs: the month before is the one of the calendar here, in the engine the one before that occurs
SELECT m, n - LAG(n) OVER (ORDER BY m) AS change FROM (SELECT MONTH(day) AS m, COUNT(*) AS n FROM orders GROUP BY 1) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
==
# case: window/moving-average
# differs: months without orders count as months here
SELECT MONTH(day) AS m, AVG(COUNT(*)) OVER (ORDER BY MONTH(day) ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS smooth FROM orders GROUP BY m
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
==
# case: window/released-partitions
# differs: levels without customers have a place too
SELECT vip, level, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY COUNT(*) DESC, level) AS place FROM customers GROUP BY vip, level
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; level: 4 values; a unit is in one group)
==
# case: window/lead-first-last
# differs: every value of the domain is output
SELECT units, LEAD(COUNT(*), 1, 0) OVER w AS next, FIRST_VALUE(COUNT(*)) OVER w AS f, LAST_VALUE(COUNT(*)) OVER w AS l FROM orders GROUP BY units WINDOW w AS (ORDER BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
==
# case: window/ntile-and-percent-rank
# differs: every value of the domain is output
SELECT units, NTILE(3) OVER (ORDER BY units) AS third, PERCENT_RANK() OVER (ORDER BY units) AS p, CUME_DIST() OVER (ORDER BY units) AS c, DENSE_RANK() OVER (ORDER BY units DESC) AS d FROM orders GROUP BY units
-- accept
==
# case: window/over-public-rows
SELECT name, ROW_NUMBER() OVER (ORDER BY name, id) AS n FROM regions
-- exact
==
# case: window/first-order-of-each
# note: a customer and a number name one row
SELECT COUNT(*) AS n FROM (SELECT amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same customer, row_number))
==
# case: window/first-two-orders
SELECT SUM(amount) AS s FROM (SELECT amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day, id) AS k FROM orders) o WHERE k <= 2
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=1  (rows per unit 2, proven (no two rows with the same customer, row_number); amount in [0, 500], clamped)
==
# case: window/numbers-in-the-middle
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o WHERE k BETWEEN 2 AND 3
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (no two rows with the same customer, row_number))
==
# case: window/number-and-then-a-join
SELECT COUNT(*) AS n FROM (SELECT customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o JOIN orders p ON p.customer = o.customer WHERE o.k = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (no two rows with the same customer, row_number; 3 rows of orders per customer))
==
# case: window/number-after-a-join
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY o.id ORDER BY l.price) AS k FROM orders o JOIN lines l ON l.order_id = o.id) x WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (no two rows with the same id, row_number))
==
# case: window/number-of-one-branch
SELECT COUNT(*) AS n FROM (SELECT customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders UNION ALL SELECT customer, 1 FROM orders) o WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: window/number-in-a-finer-partition
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer, paid ORDER BY day) AS k FROM orders) o WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, paid, row_number))
==
# case: window/number-and-group
SELECT status, SUM(amount) AS s FROM (SELECT status, amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day, id) AS k FROM orders) o WHERE k = 1 GROUP BY status
-- accept
-- sensitivity: s  l0=1 l1=500 l2=500 linf=500 groups=4  (rows per unit 1, proven (no two rows with the same customer, row_number); amount in [0, 500], clamped; groups: status: 4 values; a unit is in one group)
==
# case: window/number-as-a-key
SELECT k, COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: k: 3 values; a unit can be in several)
==
# case: window/running-sum
SELECT SUM(t) AS s FROM (SELECT SUM(units) OVER (PARTITION BY customer ORDER BY day, id) AS t FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); sum in [1, 27], clamped)
==
# case: window/total-of-the-customer
# note: a part is at most 1; its range is that of a quotient of any two values
SELECT AVG(part) AS a FROM (SELECT units / SUM(units) OVER (PARTITION BY customer) AS part FROM orders) o
-- accept
-- sensitivity: sum(units / sum - 0.037037)  l0=1 l1=26.8888888889 l2=26.8888888889 linf=26.8888888889 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units / sum in [0.037037, 9], clamped; summed around 0.037037, the least; a row adds 8.96296 to sum(units / sum - 0.037037) and sum(units / sum - 9) together)
-- sensitivity: sum(units / sum - 9)  l0=1 l1=26.8888888889 l2=26.8888888889 linf=26.8888888889 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units / sum in [0.037037, 9], clamped; summed around 9, the greatest; a row adds 8.96296 to sum(units / sum - 0.037037) and sum(units / sum - 9) together)
==
# case: window/count-of-the-customer
SELECT k, COUNT(*) AS n FROM (SELECT COUNT(*) OVER (PARTITION BY customer) AS k FROM orders) o GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: k: 4 values; a unit can be in several)
==
# case: window/difference-to-the-order-before
# note: the differences of one customer add up to last - first; each by itself can be 8
SELECT SUM(units - b) AS s FROM (SELECT units, LAG(units) OVER (PARTITION BY customer ORDER BY day, id) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - lag in [-8, 8], clamped)
==
# case: window/days-since-the-order-before
# note: as above: the days of one customer add up to less than a year
SELECT AVG(d) AS a FROM (SELECT DATE_DIFF('day', LAG(day) OVER (PARTITION BY customer ORDER BY day), day) AS d FROM orders) o
-- accept
-- sensitivity: sum(DATE_DIFF('day', lag, day) + 365)  l0=1 l1=2190 l2=2190 linf=2190 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', lag, day) in [-365, 365], clamped; summed around -365, the least; a row adds 730 to sum(DATE_DIFF('day', lag, day) + 365) and sum(DATE_DIFF('day', lag, day) - 365) together)
-- sensitivity: sum(DATE_DIFF('day', lag, day) - 365)  l0=1 l1=2190 l2=2190 linf=2190 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', lag, day) in [-365, 365], clamped; summed around 365, the greatest; a row adds 730 to sum(DATE_DIFF('day', lag, day) + 365) and sum(DATE_DIFF('day', lag, day) - 365) together)
==
# case: window/lag-with-default
# note: one order of each customer is the first: that only ROW_NUMBER says
SELECT COUNT(*) AS n FROM (SELECT LAG(status, 1, 'none') OVER (PARTITION BY customer ORDER BY day) AS b FROM orders) o WHERE b = 'none'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: window/ties
# note: days are often equal: every column breaks the tie, so that no other unit's rows decide
SELECT SUM(b) AS s FROM (SELECT FIRST_VALUE(units) OVER (PARTITION BY customer ORDER BY day) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); first_value in [1, 9], clamped)
-- sql:
WITH "cells" AS MATERIALIZED (SELECT "q1"."c2" AS "u", COUNT(*) AS "n", SUM((CASE WHEN ("q1"."c13" < 1) THEN 1 WHEN ("q1"."c13" > 9) THEN 9 ELSE "q1"."c13" END)) AS "s0"
FROM (SELECT "q2"."c1" AS "c1", "q2"."c2" AS "c2", "q2"."c3" AS "c3", "q2"."c9" AS "c9", "q2"."c17" AS "c13" FROM (SELECT "t1"."id" AS "c1", "t1"."customer" AS "c2", "t1"."day" AS "c3", "t1"."units" AS "c9", CAST(FIRST_VALUE("t1"."units") OVER (PARTITION BY "t1"."customer" ORDER BY "t1"."day" ASC, "t1"."id" ASC, "t1"."customer" ASC, "t1"."units" ASC) AS INT) AS "c17" FROM "main"."orders" AS "t1") AS "q2") AS "q1"
WHERE ("q1"."c2" IS NOT NULL)
GROUP BY "q1"."c2"),
"cut" AS (SELECT u, s0, n AS m, CAST(3 AS BIGINT) AS n
FROM cells
WHERE n > CAST(3 AS BIGINT)),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT cells.n, cells.s0
FROM cells
WHERE cells.n <= CAST(3 AS BIGINT) UNION ALL
SELECT counted.n, CASE WHEN counted.s0 < 0 THEN (CAST(counted.s0 AS INT128) * counted.n - CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS INT128)) // NULLIF(counted.m, 0) ELSE (CAST(counted.s0 AS INT128) * counted.n + CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS INT128)) // NULLIF(counted.m, 0) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: window/frame-of-rows
SELECT SUM(b) AS s FROM (SELECT MAX(units) OVER (PARTITION BY customer ORDER BY day, id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); max in [1, 9], clamped)
==
# case: window/frame-may-be-empty
SELECT COUNT(b) AS n FROM (SELECT MIN(units) OVER (PARTITION BY customer ORDER BY day, id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS b FROM orders) o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: window/frame-of-range
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY day RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
==
# case: window/range-with-offset
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY units RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  RANGE with an offset is not supported
--                                                                                                ^
-- help: use ROWS
==
# case: window/sum-of-doubles
# note: floating-point sums depend on the order: added on the lattice, they do not
SELECT SUM(t) AS s FROM (SELECT SUM(weight) OVER (PARTITION BY customer) AS t FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=180.9 l2=180.9 linf=180.9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); sum in [0, 60.3], clamped)
==
# case: window/partition-by-unit-and-more
SELECT COUNT(*) AS n FROM (SELECT RANK() OVER (PARTITION BY customer, status ORDER BY amount DESC) AS r FROM orders) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: window/partition-by-a-key-that-leads-there
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY price DESC) AS r FROM lines) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (no two rows with the same order_id, row_number))
==
# case: window/joined-rows
SELECT segment, COUNT(*) AS n FROM (SELECT c.segment, ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY o.day) AS k FROM customers c JOIN orders o ON o.customer = c.id) x WHERE k = 1 GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (no two rows with the same id, row_number); groups: segment: 3 values; a unit is in one group)
==
# case: window/with-filter
SELECT SUM(b) AS s FROM (SELECT COUNT(*) FILTER (WHERE paid) OVER (PARTITION BY customer) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
==
# case: window/two-windows
# note: the two numbers are two keys; each alone leaves one row
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS a, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day DESC) AS z FROM orders) o WHERE a = 1 AND z = 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same customer, row_number))
==
# case: window/named-window
SELECT SUM(units) AS s FROM (SELECT units, RANK() OVER w AS r FROM orders WINDOW w AS (PARTITION BY customer ORDER BY units DESC)) o WHERE r = 1
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
==
# case: window/window-of-a-window
# note: one order of each customer has none before it, which is not looked for
SELECT COUNT(*) AS n FROM (SELECT LAG(k) OVER (PARTITION BY customer ORDER BY k) AS b FROM (SELECT customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o) p WHERE b IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: window/no-partition
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (ORDER BY day) AS k FROM orders) o WHERE k < 10
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/partition-by-something-else
SELECT AVG(r) AS a FROM (SELECT RANK() OVER (PARTITION BY status ORDER BY amount) AS r FROM orders) o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/partition-by-an-expression-of-the-unit
SELECT AVG(r) AS a FROM (SELECT RANK() OVER (PARTITION BY customer % 10 ORDER BY amount) AS r FROM orders) o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/in-where
SELECT COUNT(*) AS n FROM orders WHERE ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) = 1
-- reject DP207  a window function cannot stand here
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: filter it with QUALIFY
==
# case: window/inside-a-window
SELECT SUM(COUNT(*) OVER ()) OVER () AS n FROM orders GROUP BY units
-- reject DP207  a window function cannot stand here
--         ^^^^^^^
-- help: filter it with QUALIFY
==
# case: window/unknown-name
SELECT RANK() OVER w AS r FROM orders GROUP BY units
-- reject DP202  no window w
--     ^^^^^^^^^^^^^
==
# case: window/individuals
SELECT amount, RANK() OVER (PARTITION BY customer ORDER BY amount) AS r FROM orders
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: window/first-customer-of-one-branch
SELECT COUNT(*) AS n FROM (SELECT MIN(x) OVER (PARTITION BY k) AS m FROM (SELECT order_id AS k, order_id AS x FROM lines UNION ALL SELECT NULL, id FROM customers) u) w WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                    ^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/first-customer-of-a-status
SELECT COUNT(*) AS n FROM (SELECT MIN(customer) OVER (PARTITION BY status) AS m FROM orders) o WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# policy: shop verified
# case: window/verified-partition-by-a-key-that-leads-there
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY price DESC) AS r FROM lines) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same order_id, row_number))
