# about: Comparisons with ANY, SOME and ALL of a subquery
# policy: shop
# case: subquery_any_all/all-public
SELECT COUNT(*) AS n FROM orders WHERE amount > ALL (SELECT price FROM products)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/all-with-null
SELECT COUNT(*) AS n FROM orders WHERE units > ALL (SELECT NULLIF(id, 2) FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/not-any
SELECT COUNT(*) AS n FROM orders WHERE NOT (units > ANY (SELECT NULLIF(id, 2) FROM regions))
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/not-all
SELECT COUNT(*) AS n FROM orders WHERE NOT (units >= ALL (SELECT NULLIF(id, 2) FROM regions))
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/any-as-value
SELECT COUNT(*) AS n FROM orders WHERE (units > ANY (SELECT NULLIF(id, 2) FROM regions)) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/all-as-value
SELECT COUNT(*) AS n FROM orders WHERE (units <> ALL (SELECT NULLIF(id, 2) FROM regions)) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/equals-any
SELECT COUNT(*) AS n FROM orders WHERE customer = ANY (SELECT id FROM customers WHERE vip)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: subquery_any_all/differs-from-all
SELECT COUNT(*) AS n FROM lines WHERE product <> ALL (SELECT product FROM tags)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: subquery_any_all/all-of-the-unit
SELECT COUNT(*) AS n, SUM(o.units) AS s FROM orders o WHERE o.units >= ALL (SELECT p.units FROM orders p WHERE p.customer = o.customer)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
==
# case: subquery_any_all/some
SELECT COUNT(*) AS n FROM customers c WHERE c.balance < SOME (SELECT o.amount FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_any_all/in-case
SELECT SUM(CASE WHEN l.quantity >= ALL (SELECT m.quantity FROM lines m WHERE m.order_id = l.order_id) THEN 1 ELSE 0 END) AS s FROM lines l
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); CASE WHEN (NOT found) THEN 1 ELSE 0 END in [0, 1], proven)
==
# case: subquery_any_all/released
SELECT COUNT(*) AS n FROM customers c WHERE c.balance > ALL (SELECT a FROM (SELECT segment, AVG(balance) + 0.5 AS a FROM customers GROUP BY segment) x)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: subquery_any_all/having
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING COUNT(*) + 0.5 > ALL (SELECT id FROM regions)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: subquery_any_all/other-units
SELECT COUNT(*) AS n FROM customers WHERE age >= ALL (SELECT age FROM customers)
-- reject DP402  the joined rows could belong to two different units
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: one side has no column that leads to the unit: have its subquery pass one on, if it can
==
# case: subquery_any_all/other-units-equal
SELECT COUNT(*) AS n FROM lines WHERE product = ANY (SELECT product FROM lines WHERE returned)
-- reject DP402  the joined rows could belong to two different units
--                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: one side has no column that leads to the unit: have its subquery pass one on, if it can
==
# case: subquery_any_all/tuple
SELECT COUNT(*) AS n FROM orders WHERE (customer, units) > ANY (SELECT id, age FROM customers)
-- reject DP104  tuples can only be tested with IN
--                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
