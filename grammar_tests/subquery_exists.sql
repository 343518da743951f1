# about: EXISTS and NOT EXISTS
# policy: shop
# case: subquery_exists/public-key
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT * FROM regions r WHERE r.id = c.region AND r.zone = 'north')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (id#2 = region)
--           scan customers (id, region)
--           filter (zone = 'north')
--             scan regions (id#2, zone)
==
# case: subquery_exists/public-fan-out
SELECT COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product WHERE EXISTS (SELECT 1 FROM rumours r WHERE r.product = p.id)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (product#2 = id)
--           join inner on (id = product)
--             scan lines (order_id, product)
--             scan products (id)
--           scan rumours (product#2)
==
# case: subquery_exists/public-inequality
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM holidays h WHERE h.day > o.day)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (day#2 > day)
--           scan orders (id, customer, day)
--           scan holidays (day#2)
==
# case: subquery_exists/key-and-inequality
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.quantity > o.units)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((order_id = id) AND (quantity > units))
--           scan orders (id, customer, units)
--           scan lines (order_id, quantity)
==
# case: subquery_exists/not
SELECT COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.units > 4)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (customer = id)
--           scan customers (id)
--           filter (units > 4)
--             scan orders (id#2, customer, units)
==
# case: subquery_exists/nested-not
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND NOT EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found#2
--         join mark found#2 on (customer = id)
--           scan customers (id)
--           filter not(found)
--             join mark found on (order_id = id#2)
--               scan orders (id#2, customer)
--               scan lines (order_id)
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
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       filter found
--         join mark found on ((customer#2 = customer) AND (id#2 <> id))
--           filter (number_up_to_3 <= 3)
--             project id, customer, amount, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, amount asc nulls last)
--                 scan orders (id, customer, amount)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--                 scan orders (id#2, customer#2)
==
# case: subquery_exists/null-safe
# note: where both are NULL, the rows belong to nobody
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.customer IS NOT DISTINCT FROM o.customer AND p.id <> o.id)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (is_not_distinct(customer#2, customer) AND (id#2 <> id))
--           filter (number_up_to_3 <= 3)
--             project id, customer, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                 scan orders (id, customer)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--                 scan orders (id#2, customer#2)
==
# case: subquery_exists/left-join-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o LEFT JOIN lines l ON l.order_id = o.id WHERE o.customer = c.id AND l.quantity IS NULL)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           filter is_null(quantity)
--             join left on (order_id = id#2)
--               scan orders (id#2, customer)
--               scan lines (order_id, quantity)
==
# case: subquery_exists/case
SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.returned) THEN 0 ELSE o.amount END) AS s FROM orders o
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN found THEN CAST(0.00 AS DECIMAL(12, 2)) ELSE amount END in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(found then 0; else coerce(amount)))
--       join mark found on (order_id = id)
--         scan orders (id, customer, amount)
--         filter returned
--           scan lines (order_id, returned)
==
# case: subquery_exists/under-not
SELECT COUNT(*) AS n FROM customers c WHERE NOT (c.vip OR EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (customer = id)
--           filter not(vip)
--             scan customers (id, vip)
--           scan orders (id#2, customer)
==
# case: subquery_exists/filter
SELECT COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)) AS n FROM orders o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(found then 1; else NULL))
--       join mark found on (order_id = id)
--         scan orders (id, customer)
--         scan lines (order_id)
==
# case: subquery_exists/group-key
SELECT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id) AS active, COUNT(*) AS n FROM customers c GROUP BY active
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: found: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by found#2 = found: count = count(*)
--       join mark found on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: subquery_exists/limit-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id LIMIT 1)
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
# case: subquery_exists/grouped-inside
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT o.customer FROM orders o WHERE o.customer = c.id GROUP BY o.customer HAVING COUNT(*) > 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on (customer#2 = id)
--           scan customers (id)
--           filter (count > 1)
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery_exists/released
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s WHERE s.segment = c.segment AND s.n > 1.5)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   f1:
--     filter (coerce(n) > 3/2)
--       project segment#3 = segment#2, n = count
--         project segment#2, count
--           filter present
--             released r1 (segment#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on (segment#3 = segment#4)
--           scan customers (id#2, segment#4)
--           released f1 (segment#3, n)
==
# case: subquery_exists/having-public
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING EXISTS (SELECT 1 FROM regions WHERE zone = segment || 'x' OR zone = 'north')
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter found
--         join mark found on ((zone = concat(segment#2, 'x')) OR (zone = 'north'))
--           released r1 (segment#2, count)
--           scan regions (id#2, name, zone)
==
# case: subquery_exists/left-side-of-join
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (order_id = id#2)
--           join inner on (customer = id)
--             scan customers (id)
--             scan orders (id#2, customer)
--           scan lines (order_id)
==
# case: subquery_exists/other-units
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM customers d WHERE d.age = c.age AND d.id <> c.id)
-- reject DP402  whether a row counts could depend on rows of other units
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = d.id
==
# case: subquery_exists/other-units-by-or
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id OR o.amount > 100)
-- reject DP402  whether a row counts could depend on rows of other units
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: subquery_exists/other-units-by-inequality
SELECT COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer <> c.id)
-- reject DP402  whether a row counts could depend on rows of other units
--                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: subquery_exists/uncorrelated
SELECT COUNT(*) AS n FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE paid)
-- reject DP402  whether a row counts could depend on rows of other units
--                                                       ^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit: customers.id = orders.customer
==
# case: subquery_exists/public-outside
SELECT r.name FROM regions r WHERE EXISTS (SELECT 1 FROM customers c WHERE c.region = r.id)
-- reject DP402  whether private rows exist would decide which public rows are shown
--                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: release which there are, with noise: SELECT DISTINCT region there
==
# case: subquery_exists/nested-other-units
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM regions r WHERE r.id = c.region AND EXISTS (SELECT 1 FROM customers d WHERE d.region = r.id AND d.vip))
-- reject DP402  whether private rows exist would decide which public rows are shown
--                                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: release which there are, with noise: SELECT DISTINCT region there
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
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           filter (number = 2)
--             project id#2, customer, number = row_number
--               window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last)
--                 scan orders (id#2, customer)
==
# case: subquery_exists/nested-scalar
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.units > (SELECT AVG(p.units) FROM orders p WHERE p.customer = o.customer))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           filter (coerce(units) > avg)
--             join left on (customer#3 = customer)
--               scan orders (id#2, customer, units)
--               project customer#3, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1, 9))
--                 aggregate per unit by customer#3 = customer#2: sum = sum(clamp(units#2, 1, 9)), count = count(clamp(units#2, 1, 9))
--                   scan orders (id#3, customer#2, units#2)
==
# case: subquery_exists/group-key-in-having
SELECT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id) AS active, vip, COUNT(*) AS n FROM customers c GROUP BY 1, vip HAVING active
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: found: 2 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by found#2 = found, vip#2 = vip: count = count(*)
--       join mark found on (customer = id)
--         scan customers (id, vip)
--         scan orders (id#2, customer)
--   answer:
--     project active = found#2, vip#3 = vip#2, n = count
--       filter found#2
--         released r1 (found#2, vip#2, count)
==
# case: subquery_exists/group-key-of-each-order
# note: a customer has orders with lines and orders without
SELECT EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id) AS filled, COUNT(*) AS n FROM orders o GROUP BY filled
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: found: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by found#2 = found: count = count(*)
--       join mark found on (order_id = id)
--         scan orders (id, customer)
--         scan lines (order_id)
==
# case: subquery_exists/in-on
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.returned)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (order_id = id#2)
--           join inner on (customer = id)
--             scan customers (id)
--             scan orders (id#2, customer)
--           filter returned
--             scan lines (order_id, returned)
==
# case: subquery_exists/in-on-of-left-join
SELECT COUNT(*) AS n, SUM(o.amount) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.returned)
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       join left on ((customer = id) AND found)
--         scan customers (id)
--         join mark found on (order_id = id#2)
--           scan orders (id#2, customer, amount)
--           filter returned
--             scan lines (order_id, returned)
==
# case: subquery_exists/in-on-of-left-join-of-the-left-side
SELECT COUNT(*) AS n, SUM(o.amount) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.customer = c.id AND p.paid)
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       join left on ((customer#2 = id) AND not(found))
--         join mark found on (customer = id)
--           scan customers (id)
--           filter paid
--             scan orders (id#2, customer, paid)
--         scan orders (id#3, customer#2, amount)
==
# case: subquery_exists/in-on-of-both-sides
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.quantity > c.age)
-- reject DP104  a subquery in the ON of an outer join reads both sides of it
--                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join in a subquery of FROM first
==
# case: subquery_exists/in-on-no-unit
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)
-- reject DP402  the joined rows could belong to two different units
--                                         ^^^^^^^^
-- help: join on the unit: c.id = o.customer
==
# case: subquery_exists/in-on-of-a-semi-join
SELECT COUNT(*) AS n FROM customers c SEMI JOIN orders o ON o.customer = c.id AND EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id AND l.returned)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found#2
--         join mark found#2 on ((customer = id) AND found)
--           scan customers (id)
--           join mark found on (order_id = id#2)
--             scan orders (id#2, customer)
--             filter returned
--               scan lines (order_id, returned)
==
# case: subquery_exists/in-first
SELECT COUNT(*) AS n FROM customers c WHERE c.age IN (SELECT o.units * 10 FROM orders o WHERE o.customer = c.id ORDER BY o.id LIMIT 2)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((customer = id) AND (age = (clamp(units, 1, 9) * 10)))
--           scan customers (id, age)
--           filter ((number > 0) AND (number <= 2))
--             project id#2, customer, units, number = row_number
--               window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last, units asc nulls last)
--                 scan orders (id#2, customer, units)
==
# case: subquery_exists/having-without-group
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id HAVING COUNT(*) > 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on (customer#2 = id)
--           scan customers (id)
--           filter (count > 1)
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery_exists/having-no-rows
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id HAVING COUNT(*) < 2)
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
