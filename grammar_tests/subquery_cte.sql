# about: WITH used twice or more, in subqueries, of what is private and of what is released
# policy: shop
# case: subquery_cte/private-three-uses
WITH o AS (SELECT id, customer FROM orders WHERE paid) SELECT COUNT(*) AS n FROM o a JOIN o b ON a.customer = b.customer JOIN o c ON c.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 27, proven (no two rows with the same customer, number_up_to_3))
==
# case: subquery_cte/private-in-two-releases
WITH o AS (SELECT * FROM orders WHERE units > 2) SELECT (SELECT COUNT(*) FROM o) AS n, (SELECT SUM(amount) FROM o) AS s
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
==
# case: subquery_cte/released-once
WITH t AS (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) SELECT a.segment, a.n + b.n AS n FROM t a JOIN t b ON a.segment = b.segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: subquery_cte/released-share
WITH t AS (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) SELECT segment, n / (SELECT SUM(n) + 1 FROM t) AS share FROM t
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: subquery_cte/maximum-joined-with-public
WITH revenue (region, total) AS (SELECT c.region, SUM(c.balance) FROM customers c JOIN regions r ON r.id = c.region GROUP BY c.region) SELECT COUNT(*) >= 0 AS any FROM regions r, revenue v WHERE r.id = v.region AND v.total = (SELECT MAX(total) FROM revenue)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: region: from the public regions; a unit is in one group)
==
# case: subquery_cte/released-then-fed
WITH t AS (SELECT AVG(units) + 0.25 AS a FROM orders) SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT a FROM t) AND units < 2 + (SELECT a FROM t)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/released-fed-and-shown
WITH t AS (SELECT COUNT(*) AS k FROM customers) SELECT (SELECT k FROM t) AS k, (SELECT COUNT(*) FROM orders, t WHERE units > t.k + 0.5) AS n
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/nested
WITH a AS (WITH b AS (SELECT * FROM orders WHERE units > 1) SELECT customer, amount FROM b) SELECT SUM(amount) AS s FROM a
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
==
# case: subquery_cte/inner-shadows-outer
WITH a AS (SELECT * FROM orders WHERE units > 2) SELECT COUNT(*) AS n FROM (WITH a AS (SELECT * FROM orders WHERE units > 8) SELECT * FROM a) x JOIN a ON x.id = a.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/before-it-not-itself
WITH a AS (SELECT units AS x FROM orders), b AS (WITH a AS (SELECT x + 1 AS x FROM a) SELECT x FROM a) SELECT SUM(b.x) AS s FROM b
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units + 1 in [2, 10], clamped)
==
# case: subquery_cte/shadows-its-own-table
WITH orders AS (SELECT * FROM main.orders WHERE paid) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/materialized
WITH a AS MATERIALIZED (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer), b AS NOT MATERIALIZED (SELECT s FROM a) SELECT AVG(s) AS m FROM b
-- accept
-- sensitivity: sum(sum - 1)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped; summed around 1, the least; a row adds 26 to sum(sum - 1) and sum(sum - 27) together)
-- sensitivity: sum(sum - 27)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped; summed around 27, the greatest; a row adds 26 to sum(sum - 1) and sum(sum - 27) together)
==
# case: subquery_cte/per-unit-twice
WITH a AS (SELECT customer, COUNT(*) AS n, SUM(units) AS s FROM orders GROUP BY customer) SELECT COUNT(*) AS k, SUM(x.n + y.s) AS t FROM a x JOIN a y ON x.customer = y.customer
-- accept
-- sensitivity: sum(count + sum - 2)  l0=1 l1=28 l2=28 linf=28 groups=1  (rows per unit 1, proven (one group per unit); count + sum in [2, 30], clamped; summed around 2, the least; a row adds 28 to sum(count + sum - 2) and sum(count + sum - 30) together)
-- sensitivity: sum(count + sum - 30)  l0=1 l1=28 l2=28 linf=28 groups=1  (rows per unit 1, proven (one group per unit); count + sum in [2, 30], clamped; summed around 30, the greatest; a row adds 28 to sum(count + sum - 2) and sum(count + sum - 30) together)
==
# case: subquery_cte/in-exists
WITH big AS (SELECT customer FROM orders WHERE units > 5) SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM big WHERE big.customer = c.id) AND c.id IN (SELECT customer FROM big)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_cte/in-a-subquery
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (WITH big AS (SELECT customer FROM orders WHERE units > 5) SELECT 1 FROM big WHERE big.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_cte/folded-name
WITH "Big" AS (SELECT * FROM orders WHERE units > 5) SELECT COUNT(*) AS n FROM bIG
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/some-columns-named
WITH o (a) AS (SELECT units, customer FROM orders) SELECT SUM(a) AS s, COUNT(customer) AS n FROM o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
==
# case: subquery_cte/public-groups
WITH north AS (SELECT id, name FROM regions WHERE zone = 'north') SELECT north.name, COUNT(*) AS n FROM customers c JOIN north ON north.id = c.region GROUP BY north.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
==
# case: subquery_cte/unused
WITH secret AS (SELECT email FROM customers) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/unused-but-wrong
# note: the engine does not look at it either
WITH wrong AS (SELECT nothing FROM customers) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_cte/too-many-names
WITH o (a, b, c) AS (SELECT units, customer FROM orders) SELECT COUNT(*) AS n FROM o
-- reject DP205  3 names for 2 columns
--   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: subquery_cte/joined-across-units
WITH o AS (SELECT * FROM orders) SELECT COUNT(*) AS n FROM o a JOIN o b ON a.units = b.units
-- reject DP402  the joined rows could belong to two different units
--                       ^^^^^^
-- help: join on the unit: orders.customer of both sides
==
# case: subquery_cte/outer-column
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (WITH big AS (SELECT customer FROM orders WHERE customer = c.id) SELECT 1 FROM big)
-- reject DP201  no table c in this FROM
--                                                                                                            ^^^^
==
# case: subquery_cte/private-rows
WITH o AS (SELECT * FROM orders) SELECT units FROM o
-- reject DP401  the query returns rows of individuals
--                                      ^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: subquery_cte/ordered-with-limit
WITH o AS (SELECT * FROM orders ORDER BY day LIMIT 3) SELECT COUNT(*) AS n FROM o
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                 ^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: subquery_cte/shadows-itself
WITH orders AS (SELECT * FROM orders WHERE units > 4) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
