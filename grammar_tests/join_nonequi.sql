# about: Joins by inequalities beside, or instead of, an equality
# policy: shop
# case: join_nonequi/between
SELECT COUNT(*) AS n FROM orders o JOIN holidays h ON h.day BETWEEN o.day - 3 AND o.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((day#2 >= coerce(plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 0, -3, 0))) AND (day#2 <= day))
--         scan orders (id, customer, day)
--         scan holidays (day#2)
==
# case: join_nonequi/unequal
SELECT COUNT(*) AS n FROM orders o JOIN holidays h ON o.day <> h.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (day <> day#2)
--         scan orders (id, customer, day)
--         scan holidays (day#2)
==
# case: join_nonequi/cross-twice
SELECT COUNT(*) AS n FROM customers c CROSS JOIN holidays a CROSS JOIN holidays b
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (id is the key of customers, times 3 rows of a public table, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         join inner on true
--           scan customers (id)
--           scan holidays ()
--         scan holidays ()
==
# case: join_nonequi/cross-groups
SELECT h.name, COUNT(*) AS n FROM orders o CROSS JOIN holidays h WHERE o.day < h.day GROUP BY h.name
-- accept
-- sensitivity: n  l0=9 l1=9 l2=9 linf=9 groups=public  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); groups: name: from the public holidays; a unit can be in several)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (day < day#2)
--         scan orders (id, customer, day)
--         scan holidays (day#2, name)
==
# case: join_nonequi/values
SELECT v.k, COUNT(*) AS n FROM customers c CROSS JOIN (VALUES (18), (40), (65)) v(k) WHERE c.age >= v.k GROUP BY v.k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=public  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table); rows per unit and group 1, proven; groups: col0: listed in the query; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by col0#5 = col0#4: count = count(*)
--       join inner on (age >= col0#4)
--         scan customers (id, age)
--         union (col0#4)
--           project col0 = 18
--             one row
--           project col0#2 = 40
--             one row
--           project col0#3 = 65
--             one row
==
# case: join_nonequi/bands
SELECT b.name, COUNT(*) AS n FROM customers c JOIN (VALUES ('young', 18, 39), ('old', 40, 99)) b(name, low, high) ON c.age BETWEEN b.low AND b.high GROUP BY b.name
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=public  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table); rows per unit and group 1, proven; groups: col0: listed in the query; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by col0#4 = col0#3: count = count(*)
--       join inner on ((age >= col1#3) AND (age <= col2#3))
--         scan customers (id, age)
--         union (col0#3, col1#3, col2#3)
--           project col0 = 'young', col1 = 18, col2 = 39
--             one row
--           project col0#2 = 'old', col1#2 = 40, col2#2 = 99
--             one row
==
# case: join_nonequi/first-rows
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT id FROM regions ORDER BY id LIMIT 2) r ON c.region <= r.id
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region <= id#3)
--         scan customers (id, region)
--         limit 2 offset 0
--           sort id#3 asc nulls last
--             project id#3 = id#2
--               scan regions (id#2, name, zone)
==
# case: join_nonequi/key-and-more
SELECT COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product AND l.price BETWEEN p.price / 2 AND p.price
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((id = product), (coerce(price) >= div(coerce(clamp(price#2, 0, 200)), 2)), (price <= price#2))
--         scan lines (order_id, product, price)
--         scan products (id, price#2)
==
# case: join_nonequi/equal-to-an-expression
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region + 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (coerce(id#2) = (coerce(region) + 1))
--         scan customers (id, region)
--         scan regions (id#2)
==
# case: join_nonequi/left-join-on-an-expression
SELECT COUNT(*) AS n, COUNT(r.id) AS m FROM customers c LEFT JOIN regions r ON r.id = c.region + 1
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on (coerce(id#2) = (coerce(region) + 1))
--         scan customers (id, region)
--         scan regions (id#2)
==
# case: join_nonequi/groups-of-what-an-expression-finds
# note: of all rows of a unit it is the same, so that a unit is in one group
SELECT r.name, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer JOIN regions r ON r.id = COALESCE(c.region, 1) GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (id#3 = coalesce(region, 1))
--         join inner on (id#2 = customer)
--           scan orders (id, customer)
--           scan customers (id#2, region)
--         scan regions (id#3, name)
==
# case: join_nonequi/groups-of-what-an-expression-of-rows-finds
SELECT r.name, COUNT(*) AS n FROM orders o JOIN regions r ON r.id = o.units % 3 GROUP BY r.name
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: name: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       filter ((id#2 >= 0) AND (id#2 <= 2))
--         join inner on (id#2 = mod(clamp(units, 1, 9), 3))
--           scan orders (id, customer, units)
--           scan regions (id#2, name)
==
# case: join_nonequi/month-of-a-public-number
SELECT r.name, SUM(o.amount) AS s FROM regions r, customers c, orders o WHERE c.id = o.customer AND MONTH(o.day) = r.id GROUP BY r.name
-- accept
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); amount in [0, 500], clamped; groups: name: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by name#2 = name: sum = sum(amount)
--       join inner on (id#3 = customer)
--         join inner on (month(clamp(day, 2024-01-01, 2024-12-31)) = coerce(id))
--           scan regions (id, name)
--           scan orders (id#2, customer, day, amount)
--         scan customers (id#3)
==
# case: join_nonequi/exists-by-an-expression
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM products p WHERE p.id = o.units - 1)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (id#2 = (clamp(units, 1, 9) - 1))
--           scan orders (id, customer, units)
--           scan products (id#2)
==
# case: join_nonequi/whole-key-by-expressions
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT kind, id % 3 AS k FROM products GROUP BY ALL) g ON g.kind = o.status || 's' AND g.k = o.units % 3
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((kind#2 = concat(cut(status, 5), 's')) AND (key = mod(clamp(units, 1, 9), 3)))
--         scan orders (id, customer, status, units)
--         aggregate by kind#2 = kind, key = mod(id#2, 3)
--           scan products (id#2, kind)
==
# case: join_nonequi/one-value-by-an-expression
SELECT COUNT(*) AS n FROM orders o WHERE (SELECT zone FROM regions r WHERE r.id = o.units + 1) = 'north'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (zone = 'north')
--         join left on (id#2 = (clamp(units, 1, 9) + 1))
--           scan orders (id, customer, units)
--           scan regions (id#2, zone)
==
# case: join_nonequi/one-value-by-an-expression-of-both
SELECT COUNT(*) AS n FROM orders o WHERE (SELECT zone FROM regions r WHERE r.id = o.units * 0 + r.id) = 'north'
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: join_nonequi/full-join-on-an-expression
# differs: a FULL JOIN says nothing of which groups are there, and no order has a remainder above 2
SELECT r.name, COUNT(o.id) AS n FROM regions r FULL JOIN orders o ON r.id = o.units % 3 GROUP BY r.name
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: name: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(id)
--       filter (((id#2 >= 0) AND (id#2 <= 2)) OR is_null(id#2))
--         join left on (id#2 = mod(clamp(units, 1, 9), 3))
--           scan orders (id, customer, units)
--           scan regions (id#2, name)
==
# case: join_nonequi/part-of-a-key-by-an-expression
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT kind, price, COUNT(*) AS k FROM products GROUP BY kind, price) g ON g.kind = o.status || 's'
-- reject DP403  one private row could meet any number of rows of products
--                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on all that it is grouped by
==
# case: join_nonequi/equal-to-an-expression-of-both
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region * 0 + r.id
-- reject DP403  one private row could meet any number of rows of regions
--                                         ^^^^^^^^^
-- help: equate its key as it is with something of the other side: r.id = …
==
# case: join_nonequi/key-in-an-expression
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id % 2 = c.region
-- reject DP403  one private row could meet any number of rows of regions
--                                         ^^^^^^^^^
-- help: equate its key as it is with something of the other side: r.id = …
==
# case: join_nonequi/fan-out-by-another-column
SELECT COUNT(*) AS n FROM lines l JOIN tags t ON t.product = l.quantity
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (product = quantity)
--         scan lines (order_id, quantity)
--         scan tags (product)
==
# case: join_nonequi/public-before-private
# note: at most 3 of the 9 pairs of holidays are in order, which is not looked for; a unit with more orders than declared comes nearer
SELECT COUNT(*) AS n FROM holidays h JOIN holidays g ON h.day < g.day JOIN orders o ON o.day BETWEEN h.day AND g.day
-- accept
-- sensitivity: n  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 27, enforced per unit (3 rows of orders per customer, times 9 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((day#3 >= day) AND (day#3 <= day#2))
--         join inner on (day < day#2)
--           scan holidays (day)
--           scan holidays (day#2)
--         scan orders (id, customer, day#3)
==
# case: join_nonequi/key-of-public-rows
SELECT COUNT(*) AS n FROM regions r JOIN holidays h ON TRUE JOIN customers c ON c.region = r.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter true
--         join inner on true
--           join inner on (region = id)
--             scan regions (id)
--             scan customers (id#2, region)
--           scan holidays ()
==
# case: join_nonequi/on-true
SELECT COUNT(*) AS n FROM customers c JOIN holidays h ON TRUE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter true
--         join inner on true
--           scan customers (id)
--           scan holidays ()
==
# case: join_nonequi/private-and-the-unit
SELECT COUNT(*) AS n FROM orders o JOIN lines l ON l.order_id <= o.id AND l.order_id >= o.id AND l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id = id)
--         scan orders (id, customer)
--         scan lines (order_id)
==
# case: join_nonequi/below-a-key
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON c.region < r.id
-- reject DP403  one private row could meet any number of rows of regions
--                                         ^^^^^^^^^
-- help: equate its key as it is with something of the other side: r.id = …
==
# case: join_nonequi/key-or-more
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id OR r.zone = 'north'
-- reject DP403  one private row could meet any number of rows of regions
--                                         ^^^^^^^^^
-- help: equate its key as it is with something of the other side: r.id = …
==
# case: join_nonequi/fan-out-by-inequality
SELECT COUNT(*) AS n FROM lines l JOIN tags t ON t.product > l.product
-- reject DP403  one private row could meet any number of rows of tags
--                                     ^^^^^^
-- help: declare the key of tags in the policy and join on it, or its rows
==
# case: join_nonequi/private
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer <= b.customer AND a.customer >= b.customer
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
# case: join_nonequi/null-safe-key
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON c.region IS NOT DISTINCT FROM r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
==
# case: join_nonequi/grouped-public-rows
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT day, COUNT(*) AS c FROM holidays GROUP BY day) h ON o.day <= h.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (day <= day#3)
--         scan orders (id, customer, day)
--         aggregate by day#3 = day#2
--           scan holidays (day#2)
==
# case: join_nonequi/grouped-public-rows-of-customers
SELECT COUNT(*) AS n FROM customers c CROSS JOIN (SELECT day FROM holidays GROUP BY day) h
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         scan customers (id)
--         aggregate by day#2 = day
--           scan holidays (day)
==
# case: join_nonequi/distinct-public-rows
SELECT SUM(o.units) AS s FROM orders o CROSS JOIN (SELECT DISTINCT day FROM holidays WHERE day > DATE '2024-01-01') h
-- accept
-- sensitivity: s  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units)
--       join inner on true
--         scan orders (id, customer, units)
--         aggregate by day#2 = day
--           filter (day > 2024-01-01)
--             scan holidays (day)
==
# case: join_nonequi/grouped-public-rows-of-no-known-number
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT tag, COUNT(*) AS c FROM tags GROUP BY tag) t ON o.units <= t.c
-- reject DP403  one private row could meet any number of rows of tags
--                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on all that it is grouped by
==
# case: join_nonequi/day-of-a-moment
SELECT h.day, COUNT(*) AS n FROM orders o JOIN (SELECT DISTINCT day FROM holidays) h ON h.day = date_trunc('day', o.placed) GROUP BY h.day
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: from the public holidays; a unit can be in 366 of them)
-- plan:
--   r1:
--     aggregate by day#3 = day#2: count = count(*)
--       filter ((day#2 >= 2024-01-01) AND (day#2 <= 2024-12-31))
--         join inner on (day#2 = coerce(date_trunc('day', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))))
--           scan orders (id, customer, placed)
--           aggregate by day#2 = day
--             scan holidays (day)
==
# case: join_nonequi/day-and-a-moment
SELECT h.day, COUNT(*) AS n FROM orders o JOIN (SELECT DISTINCT day FROM holidays) h ON h.day = o.placed GROUP BY h.day
-- accept
-- sensitivity: n  l0=9 l1=9 l2=9 linf=9 groups=public  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); groups: day: from the public holidays; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#3 = day#2: count = count(*)
--       join inner on (try_cast(day#2) = placed)
--         scan orders (id, customer, placed)
--         aggregate by day#2 = day
--           scan holidays (day)
