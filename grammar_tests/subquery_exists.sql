# about: EXISTS and NOT EXISTS
# policy: shop
# case: subquery_exists/public-key
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT * FROM regions r WHERE r.id = c.region AND r.zone = 'north')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/public-fan-out
SELECT COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product WHERE EXISTS (SELECT 1 FROM rumours r WHERE r.product = p.id)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: subquery_exists/public-inequality
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM holidays h WHERE h.day > o.day)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_exists/key-and-inequality
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.quantity > o.units)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_exists/not
SELECT COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.units > 4)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/nested-not
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND NOT EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/two-levels-out
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.quantity > c.age - 95))
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_exists/same-table
SELECT COUNT(*) AS n, SUM(o.amount) AS s FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.customer = o.customer AND p.id <> o.id)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3))
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); amount in [0, 500], clamped)
==
# case: subquery_exists/null-safe
# note: where both are NULL, the rows belong to nobody
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.customer IS NOT DISTINCT FROM o.customer AND p.id <> o.id)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3))
==
# case: subquery_exists/left-join-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o LEFT JOIN lines l ON l.order_id = o.id WHERE o.customer = c.id AND l.quantity IS NULL)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/case
SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.returned) THEN 0 ELSE o.amount END) AS s FROM orders o
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN found THEN CAST(0.00 AS DECIMAL(12, 2)) ELSE amount END in [0, 500], clamped)
==
# case: subquery_exists/under-not
SELECT COUNT(*) AS n FROM customers c WHERE NOT (c.vip OR EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/filter
SELECT COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)) AS n FROM orders o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_exists/group-key
SELECT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id) AS active, COUNT(*) AS n FROM customers c GROUP BY active
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: found: 2 values; a unit is in one group)
==
# case: subquery_exists/limit-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id LIMIT 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/grouped-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT o.customer FROM orders o WHERE o.customer = c.id GROUP BY o.customer HAVING COUNT(*) > 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/released
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s WHERE s.segment = c.segment AND s.n > 1.5)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/having-public
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING EXISTS (SELECT 1 FROM regions WHERE zone = segment || 'x' OR zone = 'north')
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: subquery_exists/left-side-of-join
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)
-- reject DP104  a subquery cannot stand here
--                                                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: move it to WHERE
==
# case: subquery_exists/other-units
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM customers d WHERE d.age = c.age AND d.id <> c.id)
-- reject DP402  the joined rows could belong to two different units
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = d.id
==
# case: subquery_exists/other-units-by-or
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id OR o.amount > 100)
-- reject DP402  the joined rows could belong to two different units
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: subquery_exists/other-units-by-inequality
SELECT COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer <> c.id)
-- reject DP402  the joined rows could belong to two different units
--                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: subquery_exists/uncorrelated
SELECT COUNT(*) AS n FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE paid)
-- reject DP402  the joined rows could belong to two different units
--                                                       ^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: customers.id = orders.customer
==
# case: subquery_exists/public-outside
SELECT r.name FROM regions r WHERE EXISTS (SELECT 1 FROM customers c WHERE c.region = r.id)
-- reject DP402  whether private rows exist would decide which public rows are shown
--                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: count them: (SELECT COUNT(*) …) > 0
==
# case: subquery_exists/nested-other-units
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM regions r WHERE r.id = c.region AND EXISTS (SELECT 1 FROM customers d WHERE d.region = r.id AND d.vip))
-- reject DP402  whether private rows exist would decide which public rows are shown
--                                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: count them: (SELECT COUNT(*) …) > 0
==
# case: subquery_exists/aggregate-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id)
-- reject DP104  an aggregate without GROUP BY always has one row: EXISTS is always true
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: compare its value instead
==
# case: subquery_exists/union-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id UNION ALL SELECT 1 FROM customers d WHERE d.id = c.id AND d.vip)
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_exists/limit-offset-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id LIMIT 1 OFFSET 1)
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                       ^
-- help: instead of LIMIT use MIN or MAX, or keep the rows for which no later one exists
==
# case: subquery_exists/nested-scalar
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.units > (SELECT AVG(p.units) FROM orders p WHERE p.customer = o.customer))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_exists/group-key-in-having
SELECT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id) AS active, vip, COUNT(*) AS n FROM customers c GROUP BY 1, vip HAVING active
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: found: 2 values; vip: 2 values; a unit is in one group)
==
# case: subquery_exists/group-key-of-each-order
# note: a customer has orders with lines and orders without
SELECT EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id) AS filled, COUNT(*) AS n FROM orders o GROUP BY filled
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: found: 2 values; a unit can be in several)
