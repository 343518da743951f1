# about: Joins that are rejected: across units, or by an unknown factor
# policy: shop
# case: join_rejected/on-a-value
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.amount = b.amount
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_rejected/no-condition
SELECT COUNT(*) AS n FROM customers c, orders o
-- reject DP402  the joined rows could belong to two different units
--                                     ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join_rejected/table-between-is-missing
SELECT COUNT(*) AS n FROM customers c JOIN lines l ON l.order_id = c.id
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^
-- help: join orders too, which leads to the unit: l.order_id = orders.id
==
# case: join_rejected/inside-a-subquery
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders a JOIN orders b ON a.day = b.day WHERE a.customer = c.id)
-- reject DP402  the joined rows could belong to two different units
--                                                                              ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_rejected/exists
SELECT COUNT(*) AS n FROM orders a WHERE EXISTS (SELECT 1 FROM lines l WHERE l.price > a.amount)
-- reject DP402  whether a row counts could depend on rows of other units
--                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on a key that leads to the unit: a.id = l.order_id
==
# case: join_rejected/left-across-units
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.paid
-- reject DP402  the joined rows could belong to two different units
--                                              ^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join_rejected/full-across-units
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.day = b.day
-- reject DP402  the joined rows could belong to two different units
--                                           ^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_rejected/unit-in-where-of-an-outer-join
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.paid WHERE o.customer = c.id
-- reject DP402  the joined rows could belong to two different units
--                                              ^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join_rejected/null-safe-unit
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer IS NOT DISTINCT FROM b.customer
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_rejected/extended-sides-on-each-other
SELECT COUNT(*) AS n FROM (SELECT c.id, o.customer AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) x JOIN (SELECT c.id, o.customer AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) y ON x.k IS NOT DISTINCT FROM y.k
-- reject DP402  the joined rows could belong to two different units
--                                                                                                                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id of both sides
==
# case: join_rejected/extended-unit-coalesced
SELECT COUNT(*) AS n FROM (SELECT COALESCE(o.customer, 0) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) x JOIN customers d ON d.id = x.k
-- reject DP402  the joined rows could belong to two different units
--                                                                                                                              ^^^^^^^^^^^
-- help: join on the unit: c.id = d.id
==
# case: join_rejected/full-using-unit-then-inner
SELECT COUNT(*) AS n FROM (SELECT id AS customer FROM customers) c FULL JOIN orders o USING (customer) JOIN orders p USING (customer)
-- reject DP402  the joined rows could belong to two different units
--                                                                                                          ^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: join_rejected/nulls-in-a-union-null-safe
SELECT COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT NULL FROM orders) x SEMI JOIN orders p ON p.customer IS NOT DISTINCT FROM x.k
-- reject DP402  whether a row counts could depend on rows of other units
--                                                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: join_rejected/two-keys-in-a-union
SELECT COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT id FROM orders) x JOIN customers c ON c.id = x.k
-- reject DP402  the joined rows could belong to two different units
--                                                                                                  ^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: join_rejected/groups-by-an-extended-side-of-full
SELECT SUM(x.k) AS s FROM (SELECT o.customer, COUNT(*) AS k FROM customers c FULL JOIN orders o ON o.customer = c.id GROUP BY o.customer) x
-- reject DP404  customer is the unit: every group would be one individual
--                                                                                                                            ^^^^^^^^^^
-- help: group by something that many units share
==
# case: join_rejected/positional
SELECT COUNT(*) AS n FROM customers POSITIONAL JOIN orders
-- reject DP405  POSITIONAL JOIN is not supported: which rows it joins depends on an order
--                                                  ^^^^^^
-- help: use a join with ON
==
# case: join_rejected/asof
SELECT COUNT(*) AS n FROM orders a ASOF JOIN orders b ON a.customer = b.customer AND a.day >= b.day
-- reject DP405  ASOF JOIN is not supported: which rows it joins depends on an order
--                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use a join with ON
==
# case: join_rejected/left-unknown-fan-out
SELECT COUNT(*) AS n FROM lines l LEFT JOIN rumours r ON r.product = l.product
-- reject DP403  one private row could meet any number of rows of rumours
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for r.product in the policy, or the key or rows of rumours
==
# case: join_rejected/full-unknown-fan-out
SELECT COUNT(*) AS n FROM lines l FULL JOIN rumours r ON r.product = l.product
-- reject DP403  one private row could meet any number of rows of rumours
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for r.product in the policy, or the key or rows of rumours
==
# case: join_rejected/public-full-without-a-key
SELECT COUNT(*) AS n FROM regions a FULL JOIN regions b ON a.id = b.id JOIN customers c ON c.region = a.id
-- reject DP403  one private row could meet any number of rows of regions
--                                                                          ^^^^^^^^^^^
-- help: join on its key, a.id and b.id
==
# case: join_rejected/subquery-passes-no-unit
SELECT COUNT(*) AS n FROM (SELECT customer, paid FROM orders) x JOIN (SELECT id, vip FROM customers) y ON x.paid = y.vip
-- reject DP402  the joined rows could belong to two different units
--                                                                                        ^^^^^^^^^
-- help: join on the unit: orders.customer = customers.id
==
# case: join_rejected/groups-of-two-units
SELECT COUNT(*) AS n FROM (SELECT customer, COUNT(*) AS k FROM orders GROUP BY customer) a JOIN (SELECT customer, COUNT(*) AS k FROM orders GROUP BY customer) b ON a.k = b.k
-- reject DP402  the joined rows could belong to two different units
--                                                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: join_rejected/with-query-twice
WITH o AS (SELECT customer, day FROM orders) SELECT COUNT(*) AS n FROM o a JOIN o b ON a.day = b.day
-- reject DP402  the joined rows could belong to two different units
--                                   ^^^^^^
-- help: join on the unit: orders.customer of both sides
==
# case: join_rejected/two-problems
SELECT COUNT(*) AS n FROM orders o JOIN shipments s ON s.id = o.id JOIN parcels p ON p.id = o.id
-- reject DP201  no table shipments
--                                      ^^^^^^^^^^^
-- reject DP201  no table parcels
--                                                                      ^^^^^^^^^
==
# policy: unbounded
# case: join_rejected/public-without-key
SELECT COUNT(*) AS n FROM customers c LEFT JOIN cities t ON t.name = c.name
-- reject DP403  one private row could meet any number of rows of cities
--                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for t.name in the policy, or the key or rows of cities
