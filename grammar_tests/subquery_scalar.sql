# about: Subqueries that are one value: public, of the unit itself, or released first
# policy: shop
# case: subquery_scalar/public
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT MAX(price) FROM products)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_scalar/public-empty-is-null
SELECT COUNT(*) AS n FROM orders WHERE (SELECT MAX(price) FROM products WHERE id > 1000) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_scalar/public-count-of-nothing
SELECT COUNT(*) AS n FROM lines l WHERE (SELECT COUNT(*) FROM tags t WHERE t.product = l.product) = 0
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: subquery_scalar/public-lookup
SELECT COUNT(*) AS n FROM lines l WHERE l.price > (SELECT p.price FROM products p WHERE p.id = l.product)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: subquery_scalar/public-lookup-as-key
SELECT (SELECT r.zone FROM regions r WHERE r.id = c.region) AS zone, COUNT(*) AS n FROM customers c GROUP BY zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
==
# case: subquery_scalar/public-row-of-one-key
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region WHERE r.zone = (SELECT zone FROM regions WHERE id = 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/public-row-of-a-key-of-two-columns
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT n FROM (SELECT zone, name, COUNT(*) AS n FROM regions GROUP BY zone, name) WHERE zone = 'north' AND name = 'a')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_scalar/public-rows-of-half-a-key
# note: the zone alone does not tell which row
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT n FROM (SELECT zone, name, COUNT(*) AS n FROM regions GROUP BY zone, name) WHERE zone = 'north')
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/private-lookup-as-key
SELECT (SELECT c.segment FROM customers c WHERE c.id = o.customer) AS seg, COUNT(*) AS n FROM orders o GROUP BY seg
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: segment: 4 values; a unit is in one group)
==
# case: subquery_scalar/released-first
SELECT SUM(amount) AS s FROM orders WHERE units >= (SELECT COUNT(*) + 0.5 FROM customers)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
==
# case: subquery_scalar/released-twice
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT AVG(units) + 0.25 FROM orders) AND units < (SELECT AVG(units) + 2.25 FROM orders)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_scalar/released-in-the-key
SELECT units > (SELECT AVG(units) + 0.25 FROM orders) AS many, COUNT(*) AS n FROM orders GROUP BY many
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
==
# case: subquery_scalar/released-in-the-argument
SELECT SUM(LEAST(GREATEST(units - (SELECT COUNT(*) FROM customers), -5), 5)) AS s FROM orders
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum(LEAST(GREATEST((units - "count(*)"), CAST((-5) AS BIGINT)), CAST(5 AS BIGINT)))  l0=1 l1=15 l2=15 linf=15 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST((units - "count(*)"), CAST((-5) AS BIGINT)), CAST(5 AS BIGINT)) in [-5, 5], clamped)
==
# case: subquery_scalar/select-list
SELECT (SELECT COUNT(*) FROM orders) AS orders, (SELECT COUNT(*) FROM customers) AS customers
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/share
SELECT segment, COUNT(*) / (SELECT COUNT(*) + 1 FROM orders) AS share FROM customers GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_scalar/having
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING COUNT(*) > (SELECT COUNT(*) FROM customers) / 3 + 0.1
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/unit-average
# note: two of three orders can be above their average, not all; that is not used
SELECT COUNT(*) AS n FROM orders o WHERE o.units > (SELECT AVG(p.units) FROM orders p WHERE p.customer = o.customer)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; one group per unit))
==
# case: subquery_scalar/unit-count-of-nothing
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id) = 0
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
==
# case: subquery_scalar/unit-count-expression
SELECT SUM((SELECT 2 * COUNT(*) + 1 FROM orders o WHERE o.customer = c.id)) AS s FROM customers c
-- accept
-- sensitivity: s  l0=1 l1=7 l2=7 linf=7 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); CASE WHEN (customer IS NULL) THEN ((2 * CAST(0 AS BIGINT)) + 1) ELSE here END in [1, 7], proven)
==
# case: subquery_scalar/unit-histogram
# note: 0, 1, 2 and 3: a count is never NULL, though the join behind it gives NULLs
SELECT (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id) AS k, COUNT(*) AS n FROM customers c GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers; one group per unit); groups: count(*): 4 values; a unit is in one group)
==
# case: subquery_scalar/unit-sum-of-nothing
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT SUM(o.units) FROM orders o WHERE o.customer = c.id) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
==
# case: subquery_scalar/unit-coalesce
SELECT AVG(COALESCE((SELECT SUM(o.units) FROM orders o WHERE o.customer = c.id AND o.units > 2), 0)) AS a FROM customers c
-- accept
-- sensitivity: sum(COALESCE(sum, CAST(0 AS INT128)))  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(sum, CAST(0 AS INT128)) in [0, 27], clamped; summed around 0, the least; a row adds 27 to sum(COALESCE(sum, CAST(0 AS INT128))) and sum(COALESCE(sum, CAST(0 AS INT128)) - 27) together)
-- sensitivity: sum(COALESCE(sum, CAST(0 AS INT128)) - 27)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(sum, CAST(0 AS INT128)) in [0, 27], clamped; summed around 27, the greatest; a row adds 27 to sum(COALESCE(sum, CAST(0 AS INT128))) and sum(COALESCE(sum, CAST(0 AS INT128)) - 27) together)
==
# case: subquery_scalar/unit-count-filtered
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id AND o.units > c.age - 95) >= 1
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                     ^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/unit-having
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT SUM(o.units) FROM orders o WHERE o.customer = c.id HAVING SUM(o.units) > 9) > 12
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
==
# case: subquery_scalar/unit-having-count
# note: what HAVING makes of the count of no rows would have to be worked out
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id HAVING COUNT(*) < 2) = 0
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/unit-null-in-a-group
# note: NULL in a group is not the count of no rows: a key tells them apart
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX(NULLIF(o.units, 9)) + COUNT(*) FROM orders o WHERE o.customer = c.id) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
==
# case: subquery_scalar/nested
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX((SELECT COUNT(*) FROM lines l WHERE l.order_id = o.id)) FROM orders o WHERE o.customer = c.id) > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
==
# case: subquery_scalar/in-case
# note: three orders of one unit at the bound, each with a line, are drawn rarely
SELECT SUM(CASE WHEN (SELECT COUNT(*) FROM lines l WHERE l.order_id = o.id) = 0 THEN 0 ELSE o.amount END) AS s FROM orders o
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); CASE WHEN (COALESCE(here, CAST(0 AS BIGINT)) = CAST(0 AS BIGINT)) THEN CAST(0.00 AS DECIMAL(12, 2)) ELSE amount END in [0, 500], clamped)
==
# case: subquery_scalar/per-public-key
SELECT COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product WHERE l.quantity > (SELECT AVG(m.quantity) + 0.25 FROM lines m WHERE m.product = p.id)
-- accept
-- sensitivity: sum(quantity - 1)  l0=6 l1=54 l2=54 linf=54 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; summed around 1, the least; groups: product: from the public products; a unit can be in several; a row adds 9 to sum(quantity - 1) and sum(quantity - 10) together)
-- sensitivity: sum(quantity - 10)  l0=6 l1=54 l2=54 linf=54 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; summed around 10, the greatest; groups: product: from the public products; a unit can be in several; a row adds 9 to sum(quantity - 1) and sum(quantity - 10) together)
-- sensitivity: count(*)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: subquery_scalar/per-public-key-count
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region WHERE (SELECT COUNT(*) FROM customers d WHERE d.region = r.id AND d.vip) > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/per-public-row
SELECT r.name, (SELECT COUNT(*) FROM customers c WHERE c.region = r.id) AS n FROM regions r
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: subquery_scalar/per-public-row-filtered
SELECT r.name, (SELECT COUNT(*) FROM customers c WHERE c.region = r.id) AS n FROM regions r WHERE r.zone = 'north'
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: subquery_scalar/per-private-key
SELECT COUNT(*) AS n FROM customers c WHERE c.balance > (SELECT AVG(d.balance) + 0.5 FROM customers d WHERE d.region = c.region) AND EXISTS (SELECT 1 FROM regions)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: region: from the public regions; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: region: from the public regions; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/per-declared-key
SELECT COUNT(*) AS n FROM customers c WHERE c.balance > (SELECT AVG(d.balance) + 0.5 FROM customers d WHERE d.segment = c.segment)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/several-rows
SELECT COUNT(*) AS n FROM customers c WHERE c.balance < (SELECT o.amount FROM orders o WHERE o.customer = c.id)
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/several-rows-uncorrelated
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT price FROM products)
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                      ^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/several-groups
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT COUNT(*) FROM customers GROUP BY vip)
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/two-columns
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT COUNT(*), 1 FROM customers)
-- reject DP205  a subquery used as a value needs exactly one column
--                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: subquery_scalar/inequality-under-aggregate
SELECT COUNT(*) AS n FROM orders o WHERE o.units > (SELECT COUNT(*) FROM orders p WHERE p.customer = o.customer AND p.day < o.day)
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                                  ^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/outer-column-in-aggregate
SELECT SUM((SELECT SUM(o.units * c.age) FROM orders o WHERE o.customer = c.id)) AS s FROM customers c
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/private-limit
SELECT COUNT(*) AS n FROM customers c WHERE c.balance < (SELECT o.amount FROM orders o WHERE o.customer = c.id ORDER BY o.day LIMIT 1)
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                                                  ^
-- help: instead of LIMIT use MIN or MAX, or keep the rows for which no later one exists
==
# case: subquery_scalar/maximum-of-all
SELECT COUNT(*) AS n FROM orders WHERE units = (SELECT MAX(units) FROM orders)
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_scalar/unbounded-in-the-argument
SELECT SUM(units * (SELECT COUNT(*) FROM customers)) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare bounds for count(*) in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: subquery_scalar/lookup-of-another-width
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT r.zone FROM regions r WHERE r.id = c.id) = 'north'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_scalar/unit-grouped
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id GROUP BY o.customer) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
==
# case: subquery_scalar/per-group-in-having
SELECT segment, COUNT(*) AS n FROM customers c GROUP BY segment HAVING (SELECT COUNT(*) FROM customers d WHERE d.segment = c.segment AND d.vip) > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: subquery_scalar/per-public-row-in-where
SELECT r.id FROM regions r WHERE (SELECT COUNT(*) FROM customers c WHERE c.region = r.id) > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
==
# case: subquery_scalar/two-unit-values
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX(o.units) FROM orders o WHERE o.customer = c.id) > (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit; one group per unit))
==
# case: subquery_scalar/per-public-row-of-an-unlisted-key
# note: the regions list the groups
SELECT r.name, (SELECT COUNT(*) FROM orders o WHERE o.code = r.id) AS n FROM regions r
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: from the public regions; a unit can be in several)
==
# case: subquery_scalar/null-of-a-group
# note: NULL where the highest is 9, 5 without orders
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT CASE WHEN COUNT(*) = 0 THEN 5 ELSE NULLIF(MAX(o.units), 9) END FROM orders o WHERE o.customer = c.id) = 5
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
