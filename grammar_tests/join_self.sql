# about: A private table joined with itself
# policy: shop
# case: join_self/three-on-the-unit
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer JOIN orders c ON b.customer = c.customer
-- accept
-- sensitivity: n  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 27, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer#2 = customer#3)
--         join inner on (customer = customer#2)
--           filter (number_up_to_3 <= 3)
--             project id, customer, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                 scan orders (id, customer)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--                 scan orders (id#2, customer#2)
--         filter (number_up_to_3#3 <= 3)
--           project id#3, customer#3, number_up_to_3#3 = row_number#3
--             window row_number#3 = row_number() over (partition customer#3; order id#3 asc nulls last, customer#3 asc nulls last)
--               scan orders (id#3, customer#3)
==
# case: join_self/chain-in-where
SELECT COUNT(*) AS n FROM orders a, orders b, orders c WHERE a.customer = b.customer AND a.customer = c.customer
-- accept
-- sensitivity: n  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 27, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = customer#3)
--         join inner on (customer = customer#2)
--           filter (number_up_to_3 <= 3)
--             project id, customer, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                 scan orders (id, customer)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--                 scan orders (id#2, customer#2)
--         filter (number_up_to_3#3 <= 3)
--           project id#3, customer#3, number_up_to_3#3 = row_number#3
--             window row_number#3 = row_number() over (partition customer#3; order id#3 asc nulls last, customer#3 asc nulls last)
--               scan orders (id#3, customer#3)
==
# case: join_self/three-on-a-key
SELECT COUNT(*) AS n FROM lines a JOIN lines b ON a.order_id = b.order_id JOIN lines c ON c.order_id = a.order_id
-- accept
-- sensitivity: n  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 24, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id#3 = order_id)
--         join inner on (order_id = order_id#2)
--           filter (number_up_to_2 <= 2)
--             project order_id, number_up_to_2 = row_number
--               window row_number = row_number() over (partition order_id; order order_id asc nulls last)
--                 scan lines (order_id)
--           filter (number_up_to_2#2 <= 2)
--             project order_id#2, number_up_to_2#2 = row_number#2
--               window row_number#2 = row_number() over (partition order_id#2; order order_id#2 asc nulls last)
--                 scan lines (order_id#2)
--         filter (number_up_to_2#3 <= 2)
--           project order_id#3, number_up_to_2#3 = row_number#3
--             window row_number#3 = row_number() over (partition order_id#3; order order_id#3 asc nulls last)
--               scan lines (order_id#3)
==
# case: join_self/own-key
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.id = b.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = id#2)
--         scan orders (id, customer)
--         scan orders (id#2, customer#2)
==
# case: join_self/own-key-and-unit
SELECT SUM(a.amount + b.amount) AS s FROM orders a JOIN orders b ON a.id = b.id AND a.customer = b.customer
-- accept
-- sensitivity: s  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount + amount in [0, 1000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((amount + amount#2))
--       join inner on ((id = id#2) AND (customer = customer#2))
--         scan orders (id, customer, amount)
--         scan orders (id#2, customer#2, amount#2)
==
# case: join_self/lines-by-their-order
SELECT COUNT(*) AS n FROM lines a JOIN orders o ON a.order_id = o.id JOIN lines b ON b.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven (2 rows of lines per order_id, 3 rows of orders per customer; no two rows with the same customer, number_up_to_3; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id#2 = id)
--         join inner on (order_id = id)
--           filter (number_up_to_2 <= 2)
--             project order_id, number_up_to_2 = row_number
--               window row_number = row_number() over (partition order_id; order order_id asc nulls last)
--                 scan lines (order_id)
--           filter (number_up_to_3 <= 3)
--             project id, customer, number_up_to_3 = row_number#2
--               window row_number#2 = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                 scan orders (id, customer)
--         filter (number_up_to_2#2 <= 2)
--           project order_id#2, number_up_to_2#2 = row_number#3
--             window row_number#3 = row_number() over (partition order_id#2; order order_id#2 asc nulls last)
--               scan lines (order_id#2)
==
# case: join_self/lines-by-their-customer
SELECT COUNT(*) AS n FROM lines a JOIN orders o ON a.order_id = o.id JOIN orders p ON o.customer = p.customer JOIN lines b ON b.order_id = p.id
-- accept
-- sensitivity: n  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 36, proven (2 rows of lines per order_id, 3 rows of orders per customer; no two rows with the same customer, number_up_to_3; no two rows with the same customer, number_up_to_3; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id#2 = id#2)
--         join inner on (customer = customer#2)
--           join inner on (order_id = id)
--             filter (number_up_to_2 <= 2)
--               project order_id, number_up_to_2 = row_number
--                 window row_number = row_number() over (partition order_id; order order_id asc nulls last)
--                   scan lines (order_id)
--             filter (number_up_to_3 <= 3)
--               project id, customer, number_up_to_3 = row_number#2
--                 window row_number#2 = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                   scan orders (id, customer)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, number_up_to_3#2 = row_number#3
--               window row_number#3 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--                 scan orders (id#2, customer#2)
--         filter (number_up_to_2#2 <= 2)
--           project order_id#2, number_up_to_2#2 = row_number#4
--             window row_number#4 = row_number() over (partition order_id#2; order order_id#2 asc nulls last)
--               scan lines (order_id#2)
==
# case: join_self/other-orders
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer AND a.id <> b.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((customer = customer#2) AND (id <> id#2))
--         filter (number_up_to_3 <= 3)
--           project id, customer, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--               scan orders (id, customer)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--               scan orders (id#2, customer#2)
==
# case: join_self/pairs
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer AND a.id < b.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((customer = customer#2) AND (id < id#2))
--         filter (number_up_to_3 <= 3)
--           project id, customer, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--               scan orders (id, customer)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--               scan orders (id#2, customer#2)
==
# case: join_self/same-day
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.day = b.day WHERE a.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((day = day#2) AND (customer = customer#2))
--         filter (number_up_to_3 <= 3)
--           project id, customer, day, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last)
--               scan orders (id, customer, day)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, day#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last)
--               scan orders (id#2, customer#2, day#2)
==
# case: join_self/customers
SELECT COUNT(*) AS n FROM customers a JOIN customers b ON a.id = b.id JOIN customers c ON c.id = b.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#3 = id#2)
--         join inner on (id = id#2)
--           scan customers (id)
--           scan customers (id#2)
--         scan customers (id#3)
==
# case: join_self/per-unit-groups
SELECT COUNT(*) AS n, SUM(a.k * b.k) AS s FROM (SELECT customer, COUNT(*) AS k FROM orders GROUP BY customer) a JOIN (SELECT customer, COUNT(*) AS k FROM orders WHERE paid GROUP BY customer) b ON a.customer = b.customer
-- accept
-- sensitivity: sum(count * count - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); count * count in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(count * count - 1) and sum(count * count - 9) together)
-- sensitivity: sum(count * count - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); count * count in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(count * count - 1) and sum(count * count - 9) together)
-- plan:
--   r1:
--     aggregate: count#3 = count(*), sum = sum((count * count#2))
--       join inner on (customer#2 = customer#4)
--         aggregate per unit by customer#2 = customer: count = count(*)
--           scan orders (id, customer)
--         aggregate per unit by customer#4 = customer#3: count#2 = count(*)
--           filter paid
--             scan orders (id#2, customer#3, paid)
==
# case: join_self/with-query
WITH big AS (SELECT id, customer FROM orders WHERE amount > 100) SELECT COUNT(*) AS n FROM big a JOIN big b ON a.customer = b.customer JOIN big c ON c.id = b.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#3 = id#2)
--         join inner on (customer = customer#2)
--           filter ((number_up_to_3 <= 3) AND (amount > 100))
--             project id, customer, amount, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, amount asc nulls last)
--                 scan orders (id, customer, amount)
--           filter ((number_up_to_3#2 <= 3) AND (amount#2 > 100))
--             project id#2, customer#2, amount#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, amount#2 asc nulls last)
--                 scan orders (id#2, customer#2, amount#2)
--         filter ((number_up_to_3#3 <= 3) AND (amount#3 > 100))
--           project id#3, customer#3, amount#3, number_up_to_3#3 = row_number#3
--             window row_number#3 = row_number() over (partition customer#3; order id#3 asc nulls last, customer#3 asc nulls last, amount#3 asc nulls last)
--               scan orders (id#3, customer#3, amount#3)
==
# case: join_self/in-a-list-of-one
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer IN (b.customer)
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
# case: join_self/in-a-list-of-two
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer IN (b.customer, b.id)
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/not-in-a-list-of-one
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer NOT IN (b.customer)
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/between-two
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer BETWEEN b.customer AND b.id
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/null-safe-unit
# note: of both sides NULL may stand there: two rows of nobody would meet, and = lets none of these meet
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer IS NOT DISTINCT FROM b.customer
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/null-safe-unit-and-its-key
SELECT COUNT(*) AS n, SUM(o.amount) AS s FROM customers c JOIN orders o ON o.customer IS NOT DISTINCT FROM c.id
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, amount)
==
# case: join_self/null-safe-unit-by-or
# note: as tools write it where a key may be NULL; that of customers is none
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON c.id = o.customer OR c.id IS NULL AND o.customer IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (id = customer)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join_self/null-safe-unit-by-or-of-both
# note: of both sides NULL may stand there, as with IS NOT DISTINCT FROM
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer OR a.customer IS NULL AND b.customer IS NULL
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/null-safe-unit-by-or-of-others
# note: of another column NULL is the only value that is asked for, so that rows of two units could meet
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON c.id = o.customer OR c.id IS NULL AND o.status IS NULL
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: join_self/null-safe-unit-behind-a-left-join
SELECT COUNT(*) AS n, COUNT(o.id) AS m FROM customers c LEFT JOIN orders o ON o.customer IS NOT DISTINCT FROM c.id
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join_self/between-itself
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer BETWEEN b.customer AND b.customer
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
# case: join_self/other-column
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.id
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/only-two-of-three
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer JOIN orders c ON c.day = b.day
-- reject DP402  the joined rows could belong to two different units
--                                                                               ^^^^^^^^
-- help: join on the unit: a.customer = c.customer
==
# case: join_self/chain-through-a-public-column
SELECT COUNT(*) AS n FROM lines a JOIN products p ON a.product = p.id JOIN lines b ON b.product = p.id
-- reject DP402  the joined rows could belong to two different units
--                                                                         ^^^^^^^
-- help: join on a key that leads to the unit: a.order_id = b.order_id
==
# case: join_self/order-and-unit-crossed
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.id AND a.id = b.customer
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# case: join_self/product-of-units
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer * b.id = b.customer * b.id
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.customer = b.customer
==
# policy: visits
# case: join_self/visits-of-one-ward
SELECT COUNT(*) AS n, SUM(a.cost) AS s FROM visits a JOIN visits b ON a.pid = b.pid AND a.ward = b.ward
-- accept
-- sensitivity: rows with cost near -20  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4); cost in [-20, 100], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with cost near 100  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4); cost in [-20, 100], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(cost)
--       join inner on ((pid = pid#2) AND (ward#2 = ward#4))
--         filter (number_up_to_4 <= 4)
--           project pid, ward#2, cost, number_up_to_4 = row_number
--             window row_number = row_number() over (partition pid; order pid asc nulls last, ward#2 asc nulls last, cost asc nulls last)
--               project pid, ward#2 = cut(ward, 2), cost
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid, ward, cost)
--         filter (number_up_to_4#2 <= 4)
--           project pid#2, ward#4, number_up_to_4#2 = row_number#2
--             window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, ward#4 asc nulls last)
--               project pid#2, ward#4 = cut(ward#3, 2)
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2, ward#3)
==
# case: join_self/visits-on-a-date
SELECT COUNT(*) AS n FROM visits a JOIN visits b ON a.day = b.day
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.pid = b.pid
==
# policy: people_rows
# case: join_self/rows-without-a-key
SELECT COUNT(*) AS n FROM people a JOIN people b ON a.city = b.city
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: one side has no column that leads to the unit: have its subquery pass one on, if it can
