# about: IN and NOT IN of a subquery
# policy: shop
# case: subquery_in/key-that-leads
SELECT COUNT(*) AS n FROM lines WHERE order_id IN (SELECT id FROM orders WHERE units > 4)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (order_id = id#2)
--           scan lines (order_id)
--           project id#2 = id
--             filter (units > 4)
--               scan orders (id, customer, units)
==
# case: subquery_in/repeated
SELECT COUNT(*) AS n FROM customers WHERE id IN (SELECT customer FROM orders)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (id = customer#2)
--           scan customers (id)
--           project customer#2 = customer
--             scan orders (id#2, customer)
==
# case: subquery_in/not-in-private
SELECT COUNT(*) AS n FROM customers WHERE id NOT IN (SELECT customer FROM orders WHERE units > 4)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (id = customer#2)
--           scan customers (id)
--           project customer#2 = customer
--             filter (units > 4)
--               scan orders (id#2, customer, units)
==
# case: subquery_in/not-in-private-not-null
SELECT COUNT(*) AS n FROM customers WHERE id NOT IN (SELECT customer FROM orders WHERE units > 4 AND customer IS NOT NULL)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (id = customer#2)
--           scan customers (id)
--           project customer#2 = customer
--             filter ((units > 4) AND not(is_null(customer)))
--               scan orders (id#2, customer, units)
==
# case: subquery_in/not-in-key
SELECT COUNT(*) AS n FROM orders WHERE customer NOT IN (SELECT id FROM customers WHERE vip)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (customer = id#3)
--           scan orders (id, customer)
--           project id#3 = id#2
--             filter vip
--               scan customers (id#2, vip)
==
# case: subquery_in/not-in-null-left
SELECT COUNT(*) AS n FROM orders WHERE status NOT IN (SELECT name FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((status#2 = name#2), false))
--           project id, customer, status#2 = cut(status, 5)
--             scan orders (id, customer, status)
--           project name#2 = name
--             scan regions (id#2, name)
==
# case: subquery_in/not-in-null-right
SELECT COUNT(*) AS n FROM orders WHERE units NOT IN (SELECT NULLIF(id, 2) FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((units = nullif(id, 2)), false))
--           scan orders (id, customer, units)
--           project nullif(id, 2) = nullif(id#2, 2)
--             scan regions (id#2)
==
# case: subquery_in/value-is-null
SELECT COUNT(*) AS n FROM orders WHERE (status IN (SELECT name FROM regions)) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(case(found then true; found#2 then NULL; else false))
--         join mark found#2 on not(is_not_distinct((status#2 = name#4), false))
--           join mark found on (status#2 = name#2)
--             project id, customer, status#2 = cut(status, 5)
--               scan orders (id, customer, status)
--             project name#2 = name
--               scan regions (id#2, name)
--           project name#4 = name#3
--             scan regions (id#3, name#3)
==
# case: subquery_in/value-not-in-is-null
SELECT COUNT(*) AS n FROM orders WHERE (units NOT IN (SELECT NULLIF(id, 2) FROM regions)) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(case(found then false; found#2 then NULL; else true))
--         join mark found#2 on not(is_not_distinct((units = nullif(id, 2)#2), false))
--           join mark found on (units = nullif(id, 2))
--             scan orders (id, customer, units)
--             project nullif(id, 2) = nullif(id#2, 2)
--               scan regions (id#2)
--           project nullif(id, 2)#2 = nullif(id#3, 2)
--             scan regions (id#3)
==
# case: subquery_in/value-private
SELECT COUNT(*) AS n FROM orders WHERE (customer IN (SELECT id FROM customers WHERE vip)) IS FALSE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_not_distinct(case(found then true; found#2 then NULL; else false), false)
--         join mark found#2 on (customer = id#5)
--           join mark found on (customer = id#3)
--             scan orders (id, customer)
--             project id#3 = id#2
--               filter vip
--                 scan customers (id#2, vip)
--           project id#5 = id#4
--             filter vip#2
--               scan customers (id#4, vip#2)
==
# case: subquery_in/in-case
SELECT SUM(CASE WHEN product IN (SELECT product FROM tags WHERE tag = 'a') THEN quantity ELSE 0 END) AS s FROM lines
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); CASE WHEN found THEN quantity ELSE 0 END in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(found then quantity; else 0))
--       join mark found on (product = product#3)
--         scan lines (order_id, product, quantity)
--         project product#3 = product#2
--           filter (tag = 'a')
--             scan tags (product#2, tag)
==
# case: subquery_in/public-set-with-duplicates
SELECT COUNT(*) AS n FROM orders WHERE units IN (SELECT product FROM rumours)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (units = product#2)
--           scan orders (id, customer, units)
--           project product#2 = product
--             scan rumours (product)
==
# case: subquery_in/tuple
SELECT COUNT(*) AS n FROM orders o WHERE (o.customer, o.units) IN (SELECT p.customer, p.units FROM orders p WHERE p.id <> 1)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((customer = customer#3) AND (units = units#3))
--           scan orders (id, customer, units)
--           project customer#3 = customer#2, units#3 = units#2
--             filter (id#2 <> 1)
--               scan orders (id#2, customer#2, units#2)
==
# case: subquery_in/tuple-not-in
SELECT COUNT(*) AS n FROM orders WHERE (units, units) NOT IN (SELECT id, NULLIF(id, 1) FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct(((units = id#3) AND (units = nullif(id, 1))), false))
--           scan orders (id, customer, units)
--           project id#3 = id#2, nullif(id, 1) = nullif(id#2, 1)
--             scan regions (id#2)
==
# case: subquery_in/correlated
SELECT COUNT(*) AS n FROM customers c WHERE c.id IN (SELECT o.customer FROM orders o WHERE o.amount > c.balance)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((coerce(amount) > balance) AND (id = customer))
--           scan customers (id, balance)
--           scan orders (id#2, customer, amount)
==
# case: subquery_in/correlated-other-column
# note: three orders of one unit, each with a line of as many pieces, are drawn rarely
SELECT COUNT(*) AS n FROM orders o WHERE o.units IN (SELECT l.quantity FROM lines l WHERE l.order_id = o.id)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((order_id = id) AND (units = quantity))
--           scan orders (id, customer, units)
--           scan lines (order_id, quantity)
==
# case: subquery_in/groups-with-having
SELECT COUNT(*) AS n, SUM(balance) AS s FROM customers WHERE id IN (SELECT customer FROM orders GROUP BY customer HAVING SUM(units) > 9)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum#3 = sum(balance)
--       filter found
--         join mark found on (id = customer#3)
--           scan customers (id, balance)
--           project customer#3 = customer#2
--             filter (sum#2 > 9)
--               project customer#2, sum#2 = sum
--                 aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--                   scan orders (id#2, customer, units)
==
# case: subquery_in/values
SELECT COUNT(*) AS n FROM orders WHERE units IN (VALUES (1), (9), (9))
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (units = col0#4)
--           scan orders (id, customer, units)
--           union (col0#4)
--             project col0 = 1
--               one row
--             project col0#2 = 9
--               one row
--             project col0#3 = 9
--               one row
==
# case: subquery_in/union
SELECT COUNT(*) AS n FROM orders WHERE units IN (SELECT id FROM regions UNION ALL SELECT product FROM tags)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (units = id#4)
--           scan orders (id, customer, units)
--           union (id#4)
--             project id#3 = id#2
--               scan regions (id#2)
--             project product#2 = product
--               scan tags (product)
==
# case: subquery_in/released
SELECT COUNT(*) AS n, SUM(amount) AS s FROM orders WHERE units IN (SELECT units FROM (SELECT units, COUNT(*) AS n FROM orders GROUP BY units) x WHERE n > 1.5)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   f1:
--     project units#4 = units#3
--       filter (coerce(n) > 3/2)
--         project units#3 = units#2, n = count
--           project units#2, count
--             filter present
--               released r1 (units#2, count, present)
--   r2:
--     aggregate: count#2 = count(*), sum = sum(amount)
--       filter found
--         join mark found on (units#5 = units#4)
--           scan orders (id#2, customer#2, amount, units#5)
--           released f1 (units#4)
==
# case: subquery_in/group-key
SELECT region, COUNT(*) AS n FROM customers WHERE region IN (SELECT id FROM regions WHERE zone = 'north') GROUP BY region
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#3: count = count(*)
--       join inner on (region = id#3)
--         scan customers (id, region)
--         aggregate by id#3 = id#2
--           filter (zone = 'north')
--             scan regions (id#2, zone)
==
# case: subquery_in/as-group-key
SELECT customer IN (SELECT id FROM customers WHERE vip) AS of_vip, COUNT(*) AS n FROM orders GROUP BY of_vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case(found then true; found#2 then NULL; else false): count = count(*)
--       join mark found#2 on (customer = id#5)
--         join mark found on (customer = id#3)
--           scan orders (id, customer)
--           project id#3 = id#2
--             filter vip
--               scan customers (id#2, vip)
--         project id#5 = id#4
--           filter vip#2
--             scan customers (id#4, vip#2)
==
# case: subquery_in/public-limit
SELECT COUNT(*) AS n FROM lines WHERE product IN (SELECT id FROM products ORDER BY price DESC, id LIMIT 2)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (product = id#3)
--           scan lines (order_id, product)
--           project id#3 = id#2
--             limit 2 offset 0
--               sort order desc nulls last, id#2 asc nulls last
--                 project id#2 = id, order = price
--                   scan products (id, kind, price)
==
# case: subquery_in/public-alone
SELECT id FROM products WHERE id IN (SELECT product FROM tags) ORDER BY id
-- exact
==
# case: subquery_in/other-units
SELECT COUNT(*) AS n FROM customers WHERE age IN (SELECT age FROM customers WHERE vip)
-- reject DP402  whether a row counts could depend on rows of other units
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)
==
# case: subquery_in/other-units-by-tuple
SELECT COUNT(*) AS n FROM lines WHERE (product, quantity) IN (SELECT product, quantity FROM lines WHERE returned)
-- reject DP402  whether a row counts could depend on rows of other units
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)
==
# case: subquery_in/wrong-key
SELECT COUNT(*) AS n FROM lines WHERE product IN (SELECT id FROM customers)
-- reject DP402  whether a row counts could depend on rows of other units
--                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join orders too, which leads to the unit: lines.order_id = orders.id
==
# case: subquery_in/public-outside
SELECT COUNT(*) AS n FROM products WHERE id IN (SELECT product FROM lines)
-- reject DP402  whether private rows exist would decide which public rows are shown
--                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: release which there are, with noise: SELECT DISTINCT product there
==
# case: subquery_in/two-columns
SELECT COUNT(*) AS n FROM orders WHERE customer IN (SELECT id, vip FROM customers)
-- reject DP205  one value against 2 columns of the subquery
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: subquery_in/types
SELECT COUNT(*) AS n FROM orders WHERE customer IN (SELECT vip FROM customers)
-- reject DP402  whether a row counts could depend on rows of other units
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)
==
# case: subquery_in/private-limit
SELECT COUNT(*) AS n FROM orders WHERE customer IN (SELECT id FROM customers ORDER BY balance LIMIT 1)
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                                                                  ^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: subquery_in/not-in-an-extended-column
# note: a NULL among them would decide about every unit
SELECT COUNT(*) AS n FROM customers d WHERE d.id NOT IN (SELECT o.customer FROM customers c LEFT JOIN orders o ON o.customer = c.id)
-- reject DP402  whether a row counts could depend on rows of other units
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: subquery_in/in-on
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id AND c.region IN (SELECT id FROM regions WHERE zone = 'north')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (region = id#4)
--           join inner on (customer = id)
--             scan customers (id, region)
--             scan orders (id#2, customer)
--           project id#4 = id#3
--             filter (zone = 'north')
--               scan regions (id#3, zone)
==
# case: subquery_in/in-on-of-left-join-left-side
SELECT COUNT(*) AS n, COUNT(o.id) AS o FROM customers c LEFT JOIN orders o ON o.customer = c.id AND c.region IN (SELECT id FROM regions WHERE zone = 'north')
-- accept
-- sensitivity: o  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#4)
--       join left on ((customer = id) AND found)
--         join mark found on (region = id#3)
--           scan customers (id, region)
--           project id#3 = id#2
--             filter (zone = 'north')
--               scan regions (id#2, zone)
--         scan orders (id#4, customer)
==
# case: subquery_in/not-in-on-of-left-join-right-side
SELECT COUNT(*) AS n, COUNT(o.id) AS o FROM customers c LEFT JOIN orders o ON o.customer = c.id AND o.units NOT IN (SELECT id FROM regions)
-- accept
-- sensitivity: o  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on ((customer = id) AND not(found))
--         scan customers (id)
--         join mark found on (units = id#4)
--           scan orders (id#2, customer, units)
--           project id#4 = id#3
--             scan regions (id#3)
==
# case: subquery_in/or-in-on
SELECT COUNT(o.id) AS o FROM customers c LEFT JOIN orders o ON o.customer = c.id AND (o.paid OR c.region IN (SELECT id FROM regions WHERE zone = 'north'))
-- accept
-- sensitivity: o  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(id#4)
--       join left on ((customer = id) AND (paid OR found))
--         join mark found on (region = id#3)
--           scan customers (id, region)
--           project id#3 = id#2
--             filter (zone = 'north')
--               scan regions (id#2, zone)
--         scan orders (id#4, customer, paid)
==
# case: subquery_in/a-count
# note: of no orders there is a row, too
SELECT COUNT(*) AS n FROM customers c WHERE 0 IN (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter is_not_distinct((coalesce(clamp(here, 1, 3), 0) = 0), true)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, here = count
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery_in/a-count-of-public-rows
SELECT COUNT(*) AS n FROM lines l WHERE l.quantity NOT IN (SELECT COUNT(*) FROM tags t WHERE t.product = l.product)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter not(is_not_distinct(not(is_not_distinct((coerce(quantity) = coalesce(here, 0)), false)), true))
--         join left on (product#3 = product)
--           scan lines (order_id, product, quantity)
--           project product#3, here = count
--             aggregate by product#3 = product#2: count = count(*)
--               scan tags (product#2)
==
# case: subquery_in/a-count-with-having
SELECT COUNT(*) AS n FROM customers c WHERE c.age - 20 IN (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id HAVING COUNT(*) > 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on ((customer#2 = id) AND (coerce((clamp(age, 18, 99) - 20)) = count))
--           scan customers (id, age)
--           filter (count > 1)
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery_in/a-count-with-having-of-no-rows
SELECT COUNT(*) AS n FROM customers c WHERE c.age - 20 IN (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id HAVING COUNT(*) < 2)
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_in/a-count-within-exists
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.units - 1 IN (SELECT COUNT(*) FROM lines l WHERE l.order_id = o.id))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           filter is_not_distinct((coerce((clamp(units, 1, 9) - 1)) = coalesce(clamp(here, 1, 2), 0)), true)
--             join left on (order_id#2 = id#2)
--               scan orders (id#2, customer, units)
--               project order_id#2, here = count
--                 aggregate per unit by order_id#2 = order_id: count = count(*)
--                   scan lines (order_id)
