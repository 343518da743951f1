# about: SEMI and ANTI joins
# policy: shop
# case: join_semi_anti/anti
SELECT COUNT(*) AS n FROM customers c ANTI JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
==
# case: join_semi_anti/semi-with-a-condition
SELECT SUM(c.balance) AS s FROM customers c SEMI JOIN orders o ON o.customer = c.id AND o.amount > c.balance
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(balance)
--       filter found
--         join mark found on ((customer = id) AND (coerce(amount) > balance))
--           scan customers (id, balance)
--           scan orders (id#2, customer, amount)
==
# case: join_semi_anti/down-the-path
SELECT COUNT(*) AS n FROM orders o ANTI JOIN lines l ON l.order_id = o.id AND l.returned
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on ((order_id = id) AND returned)
--           scan orders (id, customer)
--           scan lines (order_id, returned)
==
# case: join_semi_anti/self-latest
SELECT COUNT(*) AS n, SUM(a.amount) AS s FROM orders a ANTI JOIN orders b ON b.customer = a.customer AND b.day > a.day
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       filter not(found)
--         join mark found on ((customer#2 = customer) AND (day#2 > day))
--           filter (number_up_to_3 <= 3)
--             project id, customer, day, amount, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last, amount asc nulls last)
--                 scan orders (id, customer, day, amount)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, day#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last)
--                 scan orders (id#2, customer#2, day#2)
==
# case: join_semi_anti/using
SELECT COUNT(*) AS n FROM lines a SEMI JOIN (SELECT order_id FROM lines WHERE returned) b USING (order_id)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (order_id = order_id#3)
--           scan lines (order_id)
--           project order_id#3 = order_id#2
--             filter returned
--               scan lines (order_id#2, returned)
==
# case: join_semi_anti/both
SELECT COUNT(*) AS n FROM customers c SEMI JOIN orders a ON a.customer = c.id AND a.paid ANTI JOIN orders b ON b.customer = c.id AND NOT b.paid
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (found AND not(found#2))
--         join mark found#2 on ((customer#2 = id) AND not(paid#2))
--           join mark found on ((customer = id) AND paid)
--             scan customers (id)
--             scan orders (id#2, customer, paid)
--           scan orders (id#3, customer#2, paid#2)
==
# case: join_semi_anti/public-of-unknown-fan-out
SELECT COUNT(*) AS n FROM lines l SEMI JOIN rumours r ON r.product = l.product
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (product#2 = product)
--           scan lines (order_id, product)
--           scan rumours (product#2)
==
# case: join_semi_anti/public-by-inequality
SELECT COUNT(*) AS n FROM orders o ANTI JOIN holidays h ON h.day >= o.day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (day#2 >= day)
--           scan orders (id, customer, day)
--           scan holidays (day#2)
==
# case: join_semi_anti/groups
SELECT r.name, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id SEMI JOIN orders o ON o.customer = c.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       filter found
--         join mark found on (customer = id)
--           join inner on (region = id#2)
--             scan customers (id, region)
--             scan regions (id#2, name)
--           scan orders (id#3, customer)
==
# case: join_semi_anti/null-safe-on-a-home
SELECT COUNT(*) AS n FROM orders a ANTI JOIN (SELECT customer FROM orders WHERE paid) b ON a.customer IS NOT DISTINCT FROM b.customer
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on is_not_distinct(customer, customer#3)
--           scan orders (id, customer)
--           project customer#3 = customer#2
--             filter paid
--               scan orders (id#2, customer#2, paid)
==
# case: join_semi_anti/in-a-per-unit-group
SELECT SUM(x.k) AS s FROM (SELECT o.customer, COUNT(*) AS k FROM orders o SEMI JOIN lines l ON l.order_id = o.id GROUP BY o.customer) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         filter found
--           join mark found on (order_id = id)
--             scan orders (id, customer)
--             scan lines (order_id)
==
# case: join_semi_anti/null-safe-on-an-extended-side
SELECT COUNT(*) AS n FROM (SELECT o.customer AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) x SEMI JOIN orders b ON x.k IS NOT DISTINCT FROM b.customer
-- reject DP402  whether a row counts could depend on rows of other units
--                                                                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = b.customer
==
# case: join_semi_anti/public-rows-by-private-ones
SELECT COUNT(*) AS n FROM regions r SEMI JOIN customers c ON c.region = r.id
-- reject DP402  whether private rows exist would decide which public rows are shown
--                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: release which there are, with noise: SELECT DISTINCT region there
==
# case: join_semi_anti/across-units
SELECT COUNT(*) AS n FROM orders a ANTI JOIN orders b ON a.day = b.day AND a.id <> b.id
-- reject DP402  whether a row counts could depend on rows of other units
--                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_semi_anti/columns-of-the-other-side
SELECT SUM(o.amount) AS s FROM customers c SEMI JOIN orders o ON o.customer = c.id
-- reject DP201  no table o in this FROM
--         ^^^^^^^^
==
# case: join_semi_anti/null-safe-on-two-extended-sides
# note: the customers without orders would all meet the first of them
SELECT COUNT(*) AS n FROM (SELECT o.customer AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) x SEMI JOIN (SELECT o.customer AS k, c.id FROM customers c LEFT JOIN orders o ON o.customer = c.id) y ON x.k IS NOT DISTINCT FROM y.k AND y.id = 1
-- reject DP402  whether a row counts could depend on rows of other units
--                                                                                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
