# about: Inner joins: of private tables along the unit, and with public tables
# policy: shop
# case: join/two-private
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
-- sql:
WITH "cells" AS (SELECT "t1"."id" AS "u", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
CROSS
JOIN "main"."orders" AS "t2"
WHERE ("t2"."customer" = "t1"."id")
GROUP BY "t1"."id"),
"cut" AS (SELECT u, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n
FROM counted)
SELECT SUM(n) AS n
FROM kept
==
# case: join/on-the-path
SELECT SUM(l.price) AS s FROM orders o JOIN lines l ON l.order_id = o.id WHERE o.paid
-- accept
-- sensitivity: s  l0=1 l1=600 l2=600 linf=600 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); price in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(price)
--       join inner on (order_id = id)
--         filter paid
--           scan orders (id, customer, paid)
--         scan lines (order_id, price)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM((CASE WHEN ("t2"."price" < CAST(0.00 AS DECIMAL(8, 2))) THEN CAST(0.00 AS DECIMAL(8, 2)) WHEN ("t2"."price" > CAST(100.00 AS DECIMAL(8, 2))) THEN CAST(100.00 AS DECIMAL(8, 2)) ELSE "t2"."price" END)) AS "s0"
FROM "main"."orders" AS "t1"
CROSS
JOIN "main"."lines" AS "t2"
WHERE ("t1"."paid" AND ("t2"."order_id" = "t1"."id")) AND ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(6 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: join/three-private
SELECT SUM(l.quantity) AS s FROM customers c JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id WHERE c.vip
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(quantity)
--       join inner on (order_id = id#2)
--         join inner on (customer = id)
--           filter vip
--             scan customers (id, vip)
--           scan orders (id#2, customer)
--         scan lines (order_id, quantity)
==
# case: join/comma
SELECT COUNT(*) AS n FROM orders o, lines l WHERE l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id = id)
--         scan orders (id, customer)
--         scan lines (order_id)
==
# case: join/using
SELECT COUNT(*) AS n FROM (SELECT id AS customer, vip FROM customers) c JOIN orders USING (customer) WHERE vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = customer)
--         filter vip
--           scan customers (id, vip)
--         scan orders (id#2, customer)
==
# case: join/public-by-key
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id WHERE r.zone = 'north'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         filter (zone = 'north')
--           scan regions (id#2, zone)
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
CROSS
JOIN "main"."regions" AS "t2"
WHERE ("t2"."zone" = 'north') AND ("t1"."region" = "t2"."id")
==
# case: join/public-fan-out
SELECT COUNT(*) AS n FROM lines l JOIN tags t ON t.product = l.product
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (product#2 = product)
--         scan lines (order_id, product)
--         scan tags (product#2)
-- sql:
WITH "rows" AS NOT MATERIALIZED (SELECT "t1"."order_id" AS "fk"
FROM "main"."lines" AS "t1"
CROSS
JOIN "main"."tags" AS "t2"
WHERE ("t2"."product" = "t1"."product")),
"cells" AS (SELECT "p1"."customer" AS "u", COUNT(*) AS "n"
FROM "rows" AS "r"
CROSS
JOIN "main"."orders" AS "p1"
WHERE ("r"."fk" = "p1"."id") AND ("p1"."customer" IS NOT NULL)
GROUP BY "p1"."customer"),
"cut" AS (SELECT u, n AS m, LEAST(n, CAST(12 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n
FROM counted)
SELECT SUM(n) AS n
FROM kept
==
# case: join/public-rows
SELECT COUNT(*) AS n FROM orders o JOIN holidays h ON o.day >= h.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (day >= day#2)
--         scan orders (id, customer, day)
--         scan holidays (day#2)
==
# case: join/public-cross
SELECT COUNT(*) AS n FROM customers CROSS JOIN holidays
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         scan customers (id)
--         scan holidays ()
==
# case: join/public-unknown-fan-out
SELECT COUNT(*) AS n FROM lines l JOIN rumours r ON r.product = l.product
-- reject DP403  one private row could meet any number of rows of rumours
--                                     ^^^^^^^^^
-- help: declare max_rows for r.product in the policy, or the key or rows of rumours
==
# case: join/public-no-condition
SELECT COUNT(*) AS n FROM orders, regions
-- reject DP403  one private row could meet any number of rows of regions
--                                ^^^^^^^
-- help: join on its key, regions.id
==
# case: join/self-on-unit
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = customer#2)
--         filter (number_up_to_3 <= 3)
--           project id, customer, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--               scan orders (id, customer)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--               scan orders (id#2, customer#2)
==
# case: join/self-on-key
SELECT COUNT(*) AS n FROM lines a JOIN lines b ON a.order_id = b.order_id
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id = order_id#2)
--         filter (number_up_to_2 <= 2)
--           project order_id, number_up_to_2 = row_number
--             window row_number = row_number() over (partition order_id; order order_id asc nulls last)
--               scan lines (order_id)
--         filter (number_up_to_2#2 <= 2)
--           project order_id#2, number_up_to_2#2 = row_number#2
--             window row_number#2 = row_number() over (partition order_id#2; order order_id#2 asc nulls last)
--               scan lines (order_id#2)
==
# case: join/across-units
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.day = b.day
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join/not-the-unit-by-name
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.id = c.id
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join/unit-in-an-expression
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer + 0 = c.id
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join/or-of-units
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id OR o.paid
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join/swapped-alias
SELECT COUNT(*) AS n FROM (SELECT id AS customer, customer AS id FROM orders) x JOIN customers c ON x.customer = c.id
-- reject DP402  the joined rows could belong to two different units
--                                                                                   ^^^^^^^^^^^
-- help: join on the unit: orders.customer = c.id
==
# case: join/alias-of-the-unit
SELECT COUNT(*) AS n FROM (SELECT customer AS id FROM orders) x JOIN customers c ON x.id = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id#2)
--         scan orders (id, customer)
--         scan customers (id#2)
==
# case: join/condition-on-public
SELECT SUM(l.quantity) AS s FROM lines l JOIN products p ON l.product = p.id AND p.price > l.price
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(quantity)
--       join inner on ((product = id) AND (price#2 > price))
--         scan lines (order_id, product, quantity, price)
--         scan products (id, price#2)
==
# case: join/public-value
SELECT SUM(l.quantity * p.price) AS s FROM lines l JOIN products p ON l.product = p.id
-- accept
-- sensitivity: s  l0=1 l1=12000 l2=12000 linf=12000 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity * price in [0, 2000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((quantity * price))
--       join inner on (product = id)
--         scan lines (order_id, product, quantity)
--         scan products (id, price)
==
# case: join/through-public
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id JOIN customers d ON d.region = r.id
-- reject DP402  the joined rows could belong to two different units
--                                                                           ^^^^^^^^^^^
-- help: join on the unit: c.id = d.id
==
# case: join/left
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join/full
SELECT COUNT(*) AS n FROM customers c FULL JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#4)
--         project customer#2 = customer
--           join left on (customer = id#2)
--             scan orders (id, customer)
--             scan customers (id#2)
--         project id#5 = id#3
--           filter not(found)
--             join mark found on (customer#3 = id#3)
--               scan customers (id#3)
--               scan orders (id#4, customer#3)
==
# case: join/natural
SELECT COUNT(*) AS n FROM customers NATURAL JOIN orders
-- reject DP402  the joined rows could belong to two different units
--                                               ^^^^^^
-- help: join on the unit: customers.id = orders.customer
==
# case: join/semi
SELECT COUNT(*) AS n FROM customers c SEMI JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
==
# case: join/same-alias
SELECT COUNT(*) AS n FROM orders o JOIN lines o ON o.id = o.order_id
-- reject DP203  two tables of this FROM are called o
--                                      ^^^^^^^
-- help: use AS
==
# case: join/unit-constant
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = 1 AND c.id = 1
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join/order-of-from
SELECT COUNT(*) AS n FROM lines l, customers c, orders o WHERE l.order_id = o.id AND c.id = o.customer
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#2 = customer)
--         join inner on (order_id = id)
--           scan lines (order_id)
--           scan orders (id, customer)
--         scan customers (id#2)
==
# policy: shop verified
# case: join/verified-path
SELECT SUM(l.price) AS s FROM orders o JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: s  l0=1 l1=600 l2=600 linf=600 groups=1  (rows per unit 6, proven (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); price in [0, 100], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(price)
--       join inner on (order_id = id)
--         scan orders (id, customer)
--         scan lines (order_id, price)
-- sql:
SELECT COUNT(*) AS "n", SUM("t2"."price") AS "s0"
FROM "main"."orders" AS "t1"
CROSS
JOIN "main"."lines" AS "t2"
WHERE ("t2"."order_id" = "t1"."id")
==
# case: join/verified-fan-out
SELECT COUNT(*) AS n FROM lines l JOIN tags t ON t.product = l.product
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (product#2 = product)
--         scan lines (order_id, product)
--         scan tags (product#2)
==
# case: join/full-names
SELECT COUNT(*) AS n FROM memory.main.customers AS c JOIN "MAIN".Orders AS o ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join/one-inside-the-other
SELECT COUNT(*) AS n FROM lines l JOIN orders o JOIN customers c ON c.id = o.customer ON o.id = l.order_id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#2 = customer)
--         join inner on (id = order_id)
--           scan lines (order_id)
--           scan orders (id, customer)
--         scan customers (id#2)
==
# case: join/one-inside-the-other-public
SELECT r.name, COUNT(*) AS n FROM regions r JOIN customers c JOIN orders o ON o.customer = c.id ON r.id = c.region GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, proven (id is the key of customers; 3 rows of orders per customer); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (customer = id#2)
--         join inner on (id = region)
--           scan regions (id, name)
--           scan customers (id#2, region)
--         scan orders (id#3, customer)
==
# case: join/inside-the-other-no-unit
SELECT COUNT(*) AS n FROM orders a JOIN orders b JOIN products p ON p.id = b.units ON a.units = b.units
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join/equal-through-the-unit
SELECT COUNT(*) AS n FROM orders o JOIN customers c ON o.customer = c.id AND o.total = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((customer = id#2) AND (total = id#2))
--         scan orders (id, customer, total)
--         scan customers (id#2)
==
# case: join/unit-through-an-equal-column
SELECT SUM(c.age) AS s FROM orders o JOIN regions r ON o.customer = r.id AND o.total = r.id JOIN customers c ON c.id = o.total
-- accept
-- sensitivity: s  l0=1 l1=297 l2=297 linf=297 groups=1  (rows per unit 3, proven (3 rows of orders per customer; id is the key of customers); age in [18, 99], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(age)
--       join inner on (id#3 = total)
--         join inner on ((customer = coerce(id#2)) AND (total = coerce(id#2)))
--           scan orders (id, customer, total)
--           scan regions (id#2)
--         scan customers (id#3, age)
==
# case: join/group-keys-of-one-public-row
# note: a unit is in as many groups as it has orders, not pairs of orders
SELECT COUNT(*) AS n FROM (SELECT o.customer, o.day, r.zone, SUM(p.units) AS s FROM orders o JOIN orders p ON p.customer = o.customer JOIN (SELECT id, zone FROM regions WHERE id = 2) r ON r.id = p.units GROUP BY o.customer, o.day, r.zone) AS t
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (at most 3 groups per unit (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#3 = customer, day#2 = day, zone#2 = zone
--         join inner on (id#3 = units)
--           join inner on (customer#2 = customer)
--             scan orders (id, customer, day)
--             scan orders (id#2, customer#2, units)
--           filter (id#3 = 2)
--             scan regions (id#3, zone)
==
# case: join/group-keys-of-one-public-row-or-none
# note: where the row may be missing, the key may be NULL besides
SELECT COUNT(*) AS n FROM (SELECT o.customer, o.day, r.zone, SUM(p.units) AS s FROM orders o JOIN orders p ON p.customer = o.customer LEFT JOIN (SELECT id, zone FROM regions WHERE id = 2) r ON r.id = p.units GROUP BY o.customer, o.day, r.zone) AS t
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (at most 9 groups per unit (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#3 = customer, day#2 = day, zone#3 = zone#2
--         join left on (id#4 = units)
--           join inner on (customer#2 = customer)
--             scan orders (id, customer, day)
--             scan orders (id#2, customer#2, units)
--           project id#4 = id#3, zone#2 = zone
--             filter (id#3 = 2)
--               scan regions (id#3, zone)
==
# case: join/group-keys-of-one-public-row-left
# note: the same of an outer join of public rows
SELECT COUNT(*) AS n FROM (SELECT o.customer, o.day, r.zone, SUM(p.units) AS s FROM orders o JOIN orders p ON p.customer = o.customer JOIN (SELECT a.zone, b.id FROM regions b LEFT JOIN (SELECT id, zone FROM regions WHERE id = 2) a ON a.id = b.id) r ON r.id = p.units GROUP BY o.customer, o.day, r.zone) AS t
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (at most 9 groups per unit (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#3 = customer, day#2 = day, zone#3 = zone#2
--         join inner on (id#3 = units)
--           join inner on (customer#2 = customer)
--             scan orders (id, customer, day)
--             scan orders (id#2, customer#2, units)
--           join left on (id#5 = id#3)
--             scan regions (id#3)
--             project id#5 = id#4, zone#2 = zone
--               filter (id#4 = 2)
--                 scan regions (id#4, zone)
