# about: UNION, INTERSECT and EXCEPT, ALL and DISTINCT
# policy: shop
# case: set_operations/two-tables
SELECT COUNT(*) AS n FROM (SELECT customer, amount FROM orders UNION ALL SELECT id, balance FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
==
# case: set_operations/same-table-twice
SELECT SUM(amount) AS s FROM (SELECT customer, amount FROM orders UNION ALL SELECT customer, amount FROM orders) u
-- accept
-- sensitivity: s  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)); amount in [0, 500], clamped)
==
# case: set_operations/disjoint-halves
# note: no unit has 6 rows, but that the halves are disjoint is not looked for: observed is half of what is claimed
SELECT COUNT(*) AS n FROM (SELECT customer FROM orders WHERE paid UNION ALL SELECT customer FROM orders WHERE NOT paid) u
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: set_operations/hidden-unit
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT SUM(x) AS s FROM (SELECT amount AS x FROM orders UNION ALL SELECT balance FROM customers) u
-- accept
-- sensitivity: s  l0=1 l1=20000 l2=20000 linf=20000 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)); x in [-1000, 5000], clamped)
==
# case: set_operations/unit-in-other-places
SELECT COUNT(*) AS n FROM (SELECT customer, units AS x FROM orders UNION ALL SELECT age, id FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
==
# case: set_operations/key-and-unit-in-one-column
# note: the first column leads to the unit by way of orders in one branch, and is the unit in the other
SELECT SUM(x) AS s FROM (SELECT order_id AS k, quantity AS x FROM lines UNION ALL SELECT customer, units FROM orders) u
-- accept
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)); x in [1, 10], clamped)
==
# case: set_operations/same-unit-column-then-per-unit
SELECT AVG(s) AS a FROM (SELECT customer, SUM(x) AS s FROM (SELECT customer, units AS x FROM orders UNION ALL SELECT id, age FROM customers) u GROUP BY customer) v
-- accept
-- sensitivity: sum(sum - 1)  l0=1 l1=395 l2=395 linf=395 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 396], clamped; summed around 1, the least; a row adds 395 to sum(sum - 1) and sum(sum - 396) together)
-- sensitivity: sum(sum - 396)  l0=1 l1=395 l2=395 linf=395 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 396], clamped; summed around 396, the greatest; a row adds 395 to sum(sum - 1) and sum(sum - 396) together)
==
# case: set_operations/joined-again-by-the-unit
SELECT c.segment, COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT id FROM customers) u JOIN customers c ON c.id = u.k GROUP BY c.segment
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers); id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: set_operations/chain
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL SELECT id FROM customers WHERE vip UNION ALL SELECT id FROM customers WHERE age > 30 UNION ALL SELECT id FROM customers WHERE age < 60) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven ((id is the key of customers) plus (id is the key of customers) plus (id is the key of customers) plus (id is the key of customers)))
==
# case: set_operations/parentheses
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT SUM(x) AS s FROM ((SELECT units AS x FROM orders) UNION ALL ((SELECT quantity FROM lines) UNION ALL (SELECT age FROM customers))) u
-- accept
-- sensitivity: s  l0=1 l1=990 l2=990 linf=990 groups=1  (rows per unit 10, enforced per unit ((3 rows of orders per customer) plus ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers))); x in [1, 99], clamped)
==
# case: set_operations/types-together
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT SUM(x) AS s FROM (SELECT units AS x FROM orders UNION ALL SELECT price FROM lines) u
-- accept
-- sensitivity: s  l0=1 l1=900 l2=900 linf=900 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); x in [0, 100], clamped)
==
# case: set_operations/types-apart
SELECT SUM(x) AS s FROM (SELECT units AS x FROM orders UNION ALL SELECT email FROM customers) u
-- reject DP205  column 1: values of INTEGER and VARCHAR
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: set_operations/widths-apart
SELECT COUNT(*) AS n FROM (SELECT id FROM orders UNION ALL SELECT id, age FROM customers) u
-- reject DP205  the sides have different numbers of columns
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: set_operations/group-by-domain-of-both
SELECT kind, COUNT(*) AS n FROM (SELECT status AS kind FROM orders UNION ALL SELECT segment FROM customers) u GROUP BY kind
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=7  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)); groups: kind: 7 values; a unit can be in several)
==
# case: set_operations/group-by-literal-tag
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT tag, SUM(x) AS s FROM (SELECT 'order' AS tag, amount AS x FROM orders UNION ALL SELECT 'line', price FROM lines) u GROUP BY tag
-- accept
-- sensitivity: s  l0=2 l1=4500 l2=4500 linf=4500 groups=2  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); x in [0, 500], clamped; groups: tag: 2 values; a unit can be in several)
==
# case: set_operations/tag-and-null
SELECT tag, COUNT(*) AS n FROM (SELECT NULL AS tag, id FROM customers UNION ALL SELECT 'x', id FROM customers) u GROUP BY tag
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=2  (rows per unit 2, proven ((id is the key of customers) plus (id is the key of customers)); groups: tag: 2 values; a unit can be in several)
==
# case: set_operations/group-without-common-domain
SELECT k, COUNT(*) AS n FROM (SELECT status AS k FROM orders UNION ALL SELECT email FROM customers) u GROUP BY k
-- reject DP303  the values of k are private: no public list of its groups is known
--                                                                                                             ^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: set_operations/filtered-above
SELECT COUNT(*) AS n FROM (SELECT amount AS x FROM orders UNION ALL SELECT balance FROM customers) u WHERE x > 100
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
==
# case: set_operations/join-in-a-branch
SELECT SUM(x) AS s FROM (SELECT o.units AS x FROM orders o JOIN customers c ON o.customer = c.id UNION ALL SELECT l.quantity FROM lines l JOIN products p ON l.product = p.id) u
-- accept
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); x in [1, 10], clamped)
==
# case: set_operations/of-per-unit-groups
SELECT SUM(n) AS s FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer UNION ALL SELECT id, 1 FROM customers) u
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 2, proven ((one group per unit) plus (id is the key of customers)); n in [1, 3], clamped)
==
# case: set_operations/union-distinct-with-unit
SELECT COUNT(*) AS n FROM (SELECT customer AS k, units AS x FROM orders UNION SELECT id, age FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit (at most 4 groups per unit ((3 rows of orders per customer) plus (id is the key of customers))))
==
# case: set_operations/union-distinct-without-unit
SELECT COUNT(*) AS n FROM (SELECT units AS x FROM orders UNION SELECT age FROM customers) u
-- reject DP405  which values occur is private: this would count all that the policy lists
--     ^^^^^^^
-- help: aggregate the rows themselves
==
# case: set_operations/intersect-by-unit
SELECT COUNT(*) AS n FROM (SELECT id FROM customers INTERSECT SELECT customer FROM orders) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
==
# case: set_operations/except-by-unit
SELECT COUNT(*) AS n FROM (SELECT id FROM customers EXCEPT SELECT customer FROM orders WHERE paid) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
==
# case: set_operations/intersect-of-other-units
SELECT COUNT(*) AS n FROM (SELECT id, age FROM customers INTERSECT SELECT id, units FROM orders) u
-- reject DP402  the joined rows could belong to two different units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: set_operations/except-public
SELECT COUNT(*) AS n FROM (SELECT id, region FROM customers EXCEPT SELECT id, id FROM regions) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
==
# case: set_operations/intersect-all
SELECT COUNT(*) AS n FROM (SELECT id FROM customers INTERSECT ALL SELECT customer FROM orders) u
-- reject DP104  INTERSECT ALL is not supported
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: set_operations/by-name
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL BY NAME SELECT id FROM orders) u
-- reject DP104  UNION BY NAME is not supported
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: list the columns
==
# case: set_operations/of-released
SELECT 'customers' AS t, COUNT(*) AS n FROM customers UNION ALL SELECT 'orders', COUNT(*) FROM orders
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: set_operations/released-union-distinct
SELECT segment AS k FROM customers GROUP BY segment UNION SELECT status FROM orders GROUP BY status
-- accept
==
# case: set_operations/released-except-public
# differs: a region that the public table does not list is in no group
SELECT region FROM customers GROUP BY region EXCEPT SELECT id FROM regions WHERE zone = 'north'
-- accept
==
# case: set_operations/released-intersect
SELECT segment AS k, COUNT(*) > 2 AS many FROM customers GROUP BY segment INTERSECT SELECT 'home', TRUE
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: set_operations/released-with-public
SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT name, id FROM regions
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: set_operations/of-public
SELECT name FROM regions UNION SELECT kind FROM products
-- exact
==
# case: set_operations/private-with-public
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL SELECT id FROM regions) u
-- reject DP402  rows of a public table among private ones belong to no unit
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/private-with-constant
SELECT SUM(x) AS s FROM (SELECT age AS x FROM customers UNION ALL SELECT 5) u
-- reject DP402  rows of a public table among private ones belong to no unit
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/private-with-released
SELECT SUM(x) AS s FROM (SELECT age AS x FROM customers UNION ALL SELECT COUNT(*) FROM orders) u
-- reject DP402  rows of a public table among private ones belong to no unit
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/order-and-limit-around
SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY n DESC, 1 LIMIT 3
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
==
# case: set_operations/order-by-no-column-of-it
SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY balance
-- reject DP202  ORDER BY here takes output columns
--                                                                                                                                        ^^^^^^^
-- help: use its name or number
==
# case: set_operations/limit-in-a-private-branch
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL (SELECT id FROM orders ORDER BY amount LIMIT 5)) u
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                                                                         ^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: set_operations/rows-of-individuals
SELECT age FROM customers UNION ALL SELECT units FROM orders
-- reject DP401  the query returns rows of individuals
--     ^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: set_operations/with-query-twice
WITH o AS (SELECT customer, amount FROM orders WHERE paid) SELECT COUNT(*) AS n FROM (SELECT amount FROM o UNION ALL SELECT amount FROM o WHERE amount > 10) u
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: set_operations/key-and-unit-in-one-column-joined
# note: the order 1 is not the customer 1
SELECT COUNT(*) AS n FROM (SELECT order_id AS k FROM lines UNION ALL SELECT customer FROM orders) u JOIN customers c ON c.id = u.k
-- reject DP402  the joined rows could belong to two different units
--                                                                                                       ^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# policy: shop verified
# case: set_operations/verified-same-table-twice
SELECT COUNT(*) AS n FROM (SELECT customer FROM orders UNION ALL SELECT customer FROM orders) u
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven ((3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: set_operations/verified-joined-again-by-the-unit
SELECT COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT id FROM customers) u JOIN customers c ON c.id = u.k
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven ((3 rows of orders per customer) plus (id is the key of customers); id is the key of customers))
