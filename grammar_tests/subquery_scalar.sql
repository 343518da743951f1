# about: Subqueries that are one value: public, of the unit itself, or released first
# policy: shop
# case: subquery_scalar/public
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT MAX(price) FROM products)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (amount > coerce(max))
--         scan orders (id, customer, amount)
--         aggregate: max = max(price)
--           scan products (id#2, price)
==
# case: subquery_scalar/public-empty-is-null
SELECT COUNT(*) AS n FROM orders WHERE (SELECT MAX(price) FROM products WHERE id > 1000) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         scan orders (id, customer)
--         filter is_null(max)
--           aggregate: max = max(price)
--             filter (id#2 > 1000)
--               scan products (id#2, price)
==
# case: subquery_scalar/public-count-of-nothing
SELECT COUNT(*) AS n FROM lines l WHERE (SELECT COUNT(*) FROM tags t WHERE t.product = l.product) = 0
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coalesce(here, 0) = 0)
--         join left on (product#3 = product)
--           scan lines (order_id, product)
--           project product#3, here = count
--             aggregate by product#3 = product#2: count = count(*)
--               scan tags (product#2)
==
# case: subquery_scalar/public-lookup
SELECT COUNT(*) AS n FROM lines l WHERE l.price > (SELECT p.price FROM products p WHERE p.id = l.product)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (price > price#2)
--         join left on (id = product)
--           scan lines (order_id, product, price)
--           scan products (id, price#2)
==
# case: subquery_scalar/public-lookup-as-key
SELECT (SELECT r.zone FROM regions r WHERE r.id = c.region) AS zone, COUNT(*) AS n FROM customers c GROUP BY zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone: count = count(*)
--       join left on (id#2 = region)
--         scan customers (id, region)
--         scan regions (id#2, zone)
==
# case: subquery_scalar/public-row-of-one-key
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region WHERE r.zone = (SELECT zone FROM regions WHERE id = 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (zone = zone#3)
--         join left on true
--           join inner on (id#2 = region)
--             scan customers (id, region)
--             scan regions (id#2, zone)
--           project zone#3 = zone#2
--             filter (id#3 = 1)
--               scan regions (id#3, zone#2)
==
# case: subquery_scalar/public-row-of-a-key-of-two-columns
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT n FROM (SELECT zone, name, COUNT(*) AS n FROM regions GROUP BY zone, name) WHERE zone = 'north' AND name = 'a')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coerce(units) > n)
--         join left on true
--           scan orders (id, customer, units)
--           project n = count
--             filter ((zone#2 = 'north') AND (name#2 = 'a'))
--               aggregate by zone#2 = zone, name#2 = name: count = count(*)
--                 scan regions (id#2, name, zone)
==
# case: subquery_scalar/public-rows-of-half-a-key
# note: the zone alone does not tell which row; that there is one at most is looked up in the public table
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT DISTINCT n FROM (SELECT zone, name, COUNT(*) AS n FROM regions GROUP BY zone, name) WHERE zone = 'north')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coerce(units) > value)
--         join left on true
--           scan orders (id, customer, units)
--           aggregate: value = min(n)
--             aggregate by n = count
--               filter (zone#2 = 'north')
--                 aggregate by zone#2 = zone, name#2 = name: count = count(*)
--                   scan regions (id#2, name, zone)
==
# case: subquery_scalar/private-lookup-as-key
SELECT (SELECT c.segment FROM customers c WHERE c.id = o.customer) AS seg, COUNT(*) AS n FROM orders o GROUP BY seg
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: segment: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#3 = segment#2: count = count(*)
--       join left on (id#2 = customer)
--         scan orders (id, customer)
--         project id#2, segment#2 = cut(segment, 7)
--           scan customers (id#2, segment)
==
# case: subquery_scalar/released-first
SELECT SUM(amount) AS s FROM orders WHERE units >= (SELECT COUNT(*) + 0.5 FROM customers)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   f1:
--     project count(*) + 0.5 = (coerce(count) + 1/2)
--       released r1 (count)
--   r2:
--     aggregate: sum = sum(amount)
--       join inner on (coerce(units) >= count(*) + 0.5)
--         scan orders (id#2, customer, amount, units)
--         released f1 (count(*) + 0.5)
==
# case: subquery_scalar/released-twice
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT AVG(units) + 0.25 FROM orders) AND units < (SELECT AVG(units) + 2.25 FROM orders)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   r2:
--     aggregate: avg#2 = avg(units#2)
--       scan orders (id#2, customer#2, units#2)
--   f1:
--     project avg(units) + 0.25 = (avg + 1/4)
--       released r1 (avg)
--   f2:
--     project avg(units) + 2.25 = (avg#2 + 9/4)
--       released r2 (avg#2)
--   r3:
--     aggregate: count = count(*)
--       join inner on (coerce(units#3) < avg(units) + 2.25)
--         join inner on (coerce(units#3) > avg(units) + 0.25)
--           scan orders (id#3, customer#3, units#3)
--           released f1 (avg(units) + 0.25)
--         released f2 (avg(units) + 2.25)
==
# case: subquery_scalar/released-in-the-key
SELECT units > (SELECT AVG(units) + 0.25 FROM orders) AS many, COUNT(*) AS n FROM orders GROUP BY many
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     project avg(units) + 0.25 = (avg + 1/4)
--       released r1 (avg)
--   r2:
--     aggregate by key = (coerce(units#2) > avg(units) + 0.25): count = count(*)
--       join inner on true
--         scan orders (id#2, customer#2, units#2)
--         released f1 (avg(units) + 0.25)
==
# case: subquery_scalar/released-in-the-argument
SELECT SUM(LEAST(GREATEST(units - (SELECT COUNT(*) FROM customers), -5), 5)) AS s FROM orders
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum(LEAST(GREATEST((units - "count(*)"), CAST((-5) AS BIGINT)), CAST(5 AS BIGINT)))  l0=1 l1=15 l2=15 linf=15 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST((units - "count(*)"), CAST((-5) AS BIGINT)), CAST(5 AS BIGINT)) in [-5, 5], clamped)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   f1:
--     project count(*) = count
--       released r1 (count)
--   r2:
--     aggregate: sum = sum(least(greatest((units - count(*)), -5), 5))
--       join inner on true
--         scan orders (id#2, customer, units)
--         released f1 (count(*))
==
# case: subquery_scalar/select-list
SELECT (SELECT COUNT(*) FROM orders) AS orders, (SELECT COUNT(*) FROM customers) AS customers
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   r2:
--     aggregate: count#2 = count(*)
--       scan customers (id#2)
--   answer:
--     project orders = count(*)#2, customers = count(*)#4
--       project count(*)#2, count(*)#4 = count(*)#3
--         join inner on true
--           project count(*)#2 = count(*)
--             join inner on true
--               one row
--               project count(*) = count
--                 released r1 (count)
--           project count(*)#3 = count#2
--             released r2 (count#2)
==
# case: subquery_scalar/share
SELECT segment, COUNT(*) / (SELECT COUNT(*) + 1 FROM orders) AS share FROM customers GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate: count#2 = count(*)
--       scan orders (id#2, customer)
--   answer:
--     project segment#3 = segment#2, share = div(coerce(count), coerce(nullif(count(*) + 1#2, 0)))
--       project segment#2, count, count(*) + 1#2 = count(*) + 1
--         join inner on true
--           released r1 (segment#2, count)
--           project count(*) + 1 = (coerce(count#2) + 1)
--             released r2 (count#2)
==
# case: subquery_scalar/having
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING COUNT(*) > (SELECT COUNT(*) FROM customers) / 3 + 0.1
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate: count#2 = count(*)
--       scan customers (id#2)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter (coerce(count) > (div(coerce(count(*)#2), 3) + 3602879701896397/36028797018963968))
--         project segment#2, count, count(*)#2 = count(*)
--           join inner on true
--             released r1 (segment#2, count)
--             project count(*) = count#2
--               released r2 (count#2)
==
# case: subquery_scalar/unit-average
# note: two of three orders can be above their average, not all; that is not used
SELECT COUNT(*) AS n FROM orders o WHERE o.units > (SELECT AVG(p.units) FROM orders p WHERE p.customer = o.customer)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coerce(units) > avg)
--         join left on (customer#3 = customer)
--           scan orders (id, customer, units)
--           project customer#3, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1, 9))
--             aggregate per unit by customer#3 = customer#2: sum = sum(clamp(units#2, 1, 9)), count = count(clamp(units#2, 1, 9))
--               scan orders (id#2, customer#2, units#2)
==
# case: subquery_scalar/unit-count-of-nothing
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id) = 0
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coalesce(clamp(here, 1, 3), 0) = 0)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, here = count
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery_scalar/unit-count-expression
SELECT SUM((SELECT 2 * COUNT(*) + 1 FROM orders o WHERE o.customer = c.id)) AS s FROM customers c
-- accept
-- sensitivity: s  l0=1 l1=7 l2=7 linf=7 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); CASE WHEN (customer IS NULL) THEN ((2 * CAST(0 AS BIGINT)) + 1) ELSE here END in [1, 7], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(is_null(customer#2) then ((2 * 0) + 1); else here))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, here = ((2 * clamp(count, 1, 3)) + 1)
--           aggregate per unit by customer#2 = customer: count = count(*)
--             scan orders (id#2, customer)
==
# case: subquery_scalar/unit-histogram
# note: 0, 1, 2 and 3: a count is never NULL, though the join behind it gives NULLs
SELECT (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id) AS k, COUNT(*) AS n FROM customers c GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers; one group per unit); groups: count(*): 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by count(*) = coalesce(here, 0): count#2 = count(*)
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, here = count
--           aggregate per unit by customer#2 = customer: count = count(*)
--             scan orders (id#2, customer)
==
# case: subquery_scalar/unit-sum-of-nothing
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT SUM(o.units) FROM orders o WHERE o.customer = c.id) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(sum#2)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, sum#2 = sum
--             aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--               scan orders (id#2, customer, units)
==
# case: subquery_scalar/unit-coalesce
SELECT AVG(COALESCE((SELECT SUM(o.units) FROM orders o WHERE o.customer = c.id AND o.units > 2), 0)) AS a FROM customers c
-- accept
-- sensitivity: sum(COALESCE(sum, CAST(0 AS INT128)))  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(sum, CAST(0 AS INT128)) in [0, 27], clamped; summed around 0, the least; a row adds 27 to sum(COALESCE(sum, CAST(0 AS INT128))) and sum(COALESCE(sum, CAST(0 AS INT128)) - 27) together)
-- sensitivity: sum(COALESCE(sum, CAST(0 AS INT128)) - 27)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(sum, CAST(0 AS INT128)) in [0, 27], clamped; summed around 27, the greatest; a row adds 27 to sum(COALESCE(sum, CAST(0 AS INT128))) and sum(COALESCE(sum, CAST(0 AS INT128)) - 27) together)
-- plan:
--   r1:
--     aggregate: avg = avg(coalesce(sum#2, 0))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, sum#2 = sum
--           aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--             filter (units > 2)
--               scan orders (id#2, customer, units)
==
# case: subquery_scalar/unit-count-filtered
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id AND o.units > c.age - 95) >= 1
-- reject DP104  the subquery is tied to the outer row by a comparison, which gives each row a group of its own rows
--                                                                                                     ^^^^^^^^^^^^^^^^^^^^
-- help: tie it by an equality, inner.column = outer.column; of what is before a row write a window of one unit: AVG(x) OVER (PARTITION BY unit ORDER BY …)
==
# case: subquery_scalar/unit-having
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT SUM(o.units) FROM orders o WHERE o.customer = c.id HAVING SUM(o.units) > 9) > 12
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (sum#2 > 12)
--         join left on (customer#2 = id)
--           scan customers (id)
--           filter (sum#2 > 9)
--             project customer#2, sum#2 = sum
--               aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--                 scan orders (id#2, customer, units)
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
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter is_null(here)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, here = (coerce(max) + clamp(count, 1, 3))
--             aggregate per unit by customer#2 = customer: max = max(nullif(clamp(units, 1, 9), 9)), count = count(*)
--               scan orders (id#2, customer, units)
==
# case: subquery_scalar/nested
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX((SELECT COUNT(*) FROM lines l WHERE l.order_id = o.id)) FROM orders o WHERE o.customer = c.id) > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (max > 1)
--         join left on (customer#2 = id)
--           scan customers (id)
--           aggregate per unit by customer#2 = customer: max = max(coalesce(clamp(here, 1, 2), 0))
--             join left on (order_id#2 = id#2)
--               scan orders (id#2, customer)
--               project order_id#2, here = count
--                 aggregate per unit by order_id#2 = order_id: count = count(*)
--                   scan lines (order_id)
==
# case: subquery_scalar/in-case
# note: three orders of one unit at the bound, each with a line, are drawn rarely
SELECT SUM(CASE WHEN (SELECT COUNT(*) FROM lines l WHERE l.order_id = o.id) = 0 THEN 0 ELSE o.amount END) AS s FROM orders o
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); CASE WHEN (COALESCE(here, CAST(0 AS BIGINT)) = CAST(0 AS BIGINT)) THEN CAST(0.00 AS DECIMAL(12, 2)) ELSE amount END in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case((coalesce(here, 0) = 0) then 0; else coerce(amount)))
--       join left on (order_id#2 = id)
--         scan orders (id, customer, amount)
--         project order_id#2, here = count
--           aggregate per unit by order_id#2 = order_id: count = count(*)
--             scan lines (order_id)
==
# case: subquery_scalar/per-public-key
SELECT COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product WHERE l.quantity > (SELECT AVG(m.quantity) + 0.25 FROM lines m WHERE m.product = p.id)
-- accept
-- sensitivity: sum(quantity - 1)  l0=6 l1=54 l2=54 linf=54 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; summed around 1, the least; groups: product: from the public products; a unit can be in several; a row adds 9 to sum(quantity - 1) and sum(quantity - 10) together)
-- sensitivity: sum(quantity - 10)  l0=6 l1=54 l2=54 linf=54 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; summed around 10, the greatest; groups: product: from the public products; a unit can be in several; a row adds 9 to sum(quantity - 1) and sum(quantity - 10) together)
-- sensitivity: count(*)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by product#3 = product#2: avg = avg(quantity)
--       join inner on (product = product#2)
--         scan lines (order_id, product, quantity)
--         aggregate by product#2 = id
--           scan products (id)
--   f1:
--     project product#3, avg, here = (avg + 1/4)
--       released r1 (product#3, avg)
--   r2:
--     aggregate: count = count(*)
--       filter (coerce(quantity#2) > here)
--         join left on (product#3 = id#2)
--           join inner on (id#2 = product#4)
--             scan lines (order_id#2, product#4, quantity#2)
--             scan products (id#2)
--           released f1 (product#3, avg, here)
==
# case: subquery_scalar/per-public-key-count
SELECT COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region WHERE (SELECT COUNT(*) FROM customers d WHERE d.region = r.id AND d.vip) > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by region#3 = region#2: count = count(*)
--       join inner on (region = region#2)
--         filter vip
--           scan customers (id, region, vip)
--         aggregate by region#2 = id#2
--           scan regions (id#2)
--   f1:
--     project region#3, count, here = count
--       released r1 (region#3, count)
--   r2:
--     aggregate: count#2 = count(*)
--       filter (coerce(coalesce(here, 0)) > 1/2)
--         join left on (region#3 = id#4)
--           join inner on (id#4 = region#4)
--             scan customers (id#3, region#4)
--             scan regions (id#4)
--           released f1 (region#3, count, here)
==
# case: subquery_scalar/per-public-row
SELECT r.name, (SELECT COUNT(*) FROM customers c WHERE c.region = r.id) AS n FROM regions r
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#3 = region#2: count = count(*)
--       join inner on (region = region#2)
--         scan customers (id, region)
--         aggregate by region#2 = id#2
--           scan regions (id#2)
--   answer:
--     project name#2 = name, n = count(*)
--       project id#3, name, zone, count(*) = coalesce(here, 0)
--         join left on (region#3 = id#3)
--           scan regions (id#3, name, zone)
--           project region#3, count, here = count
--             released r1 (region#3, count)
==
# case: subquery_scalar/per-public-row-filtered
SELECT r.name, (SELECT COUNT(*) FROM customers c WHERE c.region = r.id) AS n FROM regions r WHERE r.zone = 'north'
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#3 = region#2: count = count(*)
--       join inner on (region = region#2)
--         scan customers (id, region)
--         aggregate by region#2 = id#2
--           filter (zone = 'north')
--             scan regions (id#2, zone)
--   answer:
--     project name#2 = name, n = count(*)
--       project id#3, name, zone#2, count(*) = coalesce(here, 0)
--         join left on (region#3 = id#3)
--           filter (zone#2 = 'north')
--             scan regions (id#3, name, zone#2)
--           project region#3, count, here = count
--             released r1 (region#3, count)
==
# case: subquery_scalar/per-private-key
SELECT COUNT(*) AS n FROM customers c WHERE c.balance > (SELECT AVG(d.balance) + 0.5 FROM customers d WHERE d.region = c.region) AND EXISTS (SELECT 1 FROM regions)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: region: from the public regions; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: region: from the public regions; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by region#2 = id#2: avg = avg(balance)
--       join inner on (region = id#2)
--         scan customers (id, region, balance)
--         scan regions (id#2)
--   f1:
--     project region#2, avg, here = (avg + 1/2)
--       released r1 (region#2, avg)
--   r2:
--     aggregate: count = count(*)
--       filter found
--         join mark found on true
--           filter (coerce(balance#2) > here)
--             join left on (region#2 = region#3)
--               scan customers (id#3, region#3, balance#2)
--               released f1 (region#2, avg, here)
--           scan regions (id#4)
==
# case: subquery_scalar/per-declared-key
SELECT COUNT(*) AS n FROM customers c WHERE c.balance > (SELECT AVG(d.balance) + 0.5 FROM customers d WHERE d.segment = c.segment)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: avg = avg(balance)
--       scan customers (id, balance, segment)
--   f1:
--     project segment#2, avg, here = (avg + 1/2)
--       released r1 (segment#2, avg)
--   r2:
--     aggregate: count = count(*)
--       filter (coerce(balance#2) > here)
--         join left on (segment#2 = segment#3)
--           scan customers (id#2, balance#2, segment#3)
--           released f1 (segment#2, avg, here)
==
# case: subquery_scalar/several-rows
SELECT COUNT(*) AS n FROM customers c WHERE c.balance < (SELECT o.amount FROM orders o WHERE o.customer = c.id)
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/one-public-row
# note: that there is one at most is looked up in the public table
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT DISTINCT 5 FROM products)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (coerce(amount) > coerce(value))
--         join left on true
--           scan orders (id, customer, amount)
--           aggregate: value = min(5)
--             aggregate by 5
--               scan products (id#2)
==
# case: subquery_scalar/group-of-a-constant
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT AVG(balance) FROM customers WHERE segment = 'home' GROUP BY segment)
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 1 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: segment: 1 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: avg = avg(balance)
--       filter (segment = 'home')
--         scan customers (id, balance, segment)
--   f1:
--     project avg(balance) = avg
--       filter (segment#2 = 'home')
--         project segment#2, avg
--           filter present
--             released r1 (segment#2, avg, present)
--   r2:
--     aggregate: count = count(*)
--       filter (coerce(amount) > avg(balance))
--         join left on true
--           scan orders (id#2, customer, amount)
--           released f1 (avg(balance))
==
# case: subquery_scalar/group-of-a-constant-under-a-join
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT AVG(balance) FROM customers c JOIN regions r ON c.region = r.id WHERE 'north' = r.zone AND c.segment = 'home' GROUP BY r.zone, c.segment)
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 1 values; zone: from the public regions; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: segment: 1 values; zone: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by zone#2 = zone, segment#2 = segment: avg = avg(balance)
--       join inner on (region = id#2)
--         filter (segment = 'home')
--           scan customers (id, region, balance, segment)
--         filter (zone = 'north')
--           scan regions (id#2, zone)
--   f1:
--     project avg(balance) = avg
--       filter ((zone#2 = 'north') AND (segment#2 = 'home'))
--         project zone#2, segment#2, avg
--           filter present
--             released r1 (zone#2, segment#2, avg, present)
--   r2:
--     aggregate: count = count(*)
--       filter (coerce(amount) > avg(balance))
--         join left on true
--           scan orders (id#3, customer, amount)
--           released f1 (avg(balance))
==
# case: subquery_scalar/group-of-another-constant
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT AVG(balance) FROM customers WHERE segment = 'home' GROUP BY vip)
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
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
-- reject DP104  the subquery is tied to the outer row by a comparison, which gives each row a group of its own rows
--                                                                                                                  ^^^^^^^^^^^^^
-- help: tie it by an equality, inner.column = outer.column; of what is before a row write a window of one unit: AVG(x) OVER (PARTITION BY unit ORDER BY …)
==
# case: subquery_scalar/outer-column-in-aggregate
SELECT SUM((SELECT SUM(o.units * c.age) FROM orders o WHERE o.customer = c.id)) AS s FROM customers c
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/private-limit
SELECT COUNT(*) AS n FROM customers c WHERE c.balance < (SELECT o.amount FROM orders o WHERE o.customer = c.id ORDER BY o.day LIMIT 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (balance < coerce(amount))
--         join left on (customer = id)
--           scan customers (id, balance)
--           filter (number = 1)
--             project id#2, customer, day, amount, number = row_number
--               window row_number = row_number() over (partition customer; order day asc nulls last, id#2 asc nulls last, customer asc nulls last, amount asc nulls last)
--                 scan orders (id#2, customer, day, amount)
==
# case: subquery_scalar/maximum-of-all
SELECT COUNT(*) AS n FROM orders WHERE units = (SELECT MAX(units) FROM orders)
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points; MIN and MAX are of the rank 32 from the end)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: max = max(units)
--       scan orders (id, customer, units)
--   f1:
--     project max(units) = max
--       released r1 (max)
--   r2:
--     aggregate: count = count(*)
--       join inner on (units#2 = max(units))
--         scan orders (id#2, customer#2, units#2)
--         released f1 (max(units))
==
# case: subquery_scalar/unbounded-in-the-argument
SELECT SUM(units + (SELECT COUNT(*) FROM customers)) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: subquery_scalar/lookup-of-another-width
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT r.zone FROM regions r WHERE r.id = c.id) = 'north'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (zone = 'north')
--         join left on (coerce(id#2) = id)
--           scan customers (id)
--           scan regions (id#2, zone)
==
# case: subquery_scalar/unit-grouped
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id GROUP BY o.customer) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter is_null(count)
--         join left on (customer#2 = id)
--           scan customers (id)
--           aggregate per unit by customer#2 = customer: count = count(*)
--             scan orders (id#2, customer)
==
# case: subquery_scalar/per-group-in-having
SELECT segment, COUNT(*) AS n FROM customers c GROUP BY segment HAVING (SELECT COUNT(*) FROM customers d WHERE d.segment = c.segment AND d.vip) > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate by segment#4 = segment#3: count#2 = count(*)
--       filter vip
--         scan customers (id#2, vip, segment#3)
--   answer:
--     project segment#5 = segment#2, n = count
--       filter (coerce(count(*)) > 1/2)
--         project segment#2, count, count(*) = coalesce(here, 0)
--           join left on (segment#4 = segment#2)
--             released r1 (segment#2, count)
--             project segment#4, count#2, here = count#2
--               released r2 (segment#4, count#2)
==
# case: subquery_scalar/per-public-row-in-where
SELECT r.id FROM regions r WHERE (SELECT COUNT(*) FROM customers c WHERE c.region = r.id) > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#3 = region#2: count = count(*)
--       join inner on (region = region#2)
--         scan customers (id, region)
--         aggregate by region#2 = id#2
--           scan regions (id#2)
--   answer:
--     project id#4 = id#3
--       filter (coerce(count(*)) > 1/2)
--         project id#3, name, zone, count(*) = coalesce(here, 0)
--           join left on (region#3 = id#3)
--             scan regions (id#3, name, zone)
--             project region#3, count, here = count
--               released r1 (region#3, count)
==
# case: subquery_scalar/two-unit-values
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX(o.units) FROM orders o WHERE o.customer = c.id) > (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coerce(max(o.units)) > coalesce(clamp(here, 1, 3), 0))
--         join left on (customer#4 = id)
--           project id, max(o.units) = max
--             join left on (customer#2 = id)
--               scan customers (id)
--               aggregate per unit by customer#2 = customer: max = max(units)
--                 scan orders (id#2, customer, units)
--           project customer#4, here = count
--             aggregate per unit by customer#4 = customer#3: count = count(*)
--               scan orders (id#3, customer#3)
==
# case: subquery_scalar/per-public-row-of-an-unlisted-key
# note: the regions list the groups
SELECT r.name, (SELECT COUNT(*) FROM orders o WHERE o.code = r.id) AS n FROM regions r
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key#2 = key: count = count(*)
--       join inner on (coerce(code) = key)
--         scan orders (id, customer, code)
--         aggregate by key = id#2
--           scan regions (id#2)
--   answer:
--     project name#2 = name, n = count(*)
--       project id#3, name, zone, count(*) = coalesce(here, 0)
--         join left on (key#2 = id#3)
--           scan regions (id#3, name, zone)
--           project key#2, count, here = count
--             released r1 (key#2, count)
==
# case: subquery_scalar/null-of-a-group
# note: NULL where the highest is 9, 5 without orders
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT CASE WHEN COUNT(*) = 0 THEN 5 ELSE NULLIF(MAX(o.units), 9) END FROM orders o WHERE o.customer = c.id) = 5
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (case(is_null(customer#2) then case((0 = 0) then 5; else nullif(NULL, 9)); else here) = 5)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, here = case((count = 0) then 5; else nullif(clamp(max, 1, 9), 9))
--             aggregate per unit by customer#2 = customer: count = count(*), max = max(units)
--               scan orders (id#2, customer, units)
==
# case: subquery_scalar/public-rows-of-two-thirds-of-a-key
SELECT COUNT(*) AS n FROM lines WHERE quantity > (SELECT n FROM (SELECT zone, name, id, COUNT(*) AS n FROM regions GROUP BY zone, name, id) r WHERE r.id = product AND zone = 'north')
-- reject DP205  the subquery is used as one value, but it could have several rows
--                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/nothing-of-no-rows
SELECT SUM(COALESCE((SELECT MAX(units) FROM orders o WHERE o.customer = c.id), 0)) AS s FROM customers c
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(max, 0) in [0, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(coalesce(max, 0))
--       join left on (customer#2 = id)
--         scan customers (id)
--         aggregate per unit by customer#2 = customer: max = max(units)
--           scan orders (id#2, customer, units)
==
# case: subquery_scalar/something-of-no-rows
SELECT SUM((SELECT COALESCE(MAX(units), 7) FROM orders o WHERE o.customer = c.id)) AS s FROM customers c
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); CASE WHEN (customer IS NULL) THEN COALESCE(CAST(NULL AS INT), 7) ELSE here END in [1, 9], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(is_null(customer#2) then coalesce(NULL, 7); else here))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, here = coalesce(clamp(max, 1, 9), 7)
--           aggregate per unit by customer#2 = customer: max = max(units)
--             scan orders (id#2, customer, units)
==
# case: subquery_scalar/test-of-no-rows
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX(units) IS NULL FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter case(is_null(customer#2) then is_null(NULL); else here)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, here = is_null(max)
--             aggregate per unit by customer#2 = customer: max = max(units)
--               scan orders (id#2, customer, units)
==
# case: subquery_scalar/case-of-no-rows
SELECT SUM((SELECT CASE WHEN SUM(units) IS NULL THEN 3 WHEN COUNT(*) > 1 THEN 2 ELSE 1 END FROM orders o WHERE o.customer = c.id)) AS s FROM customers c
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); CASE WHEN (customer IS NULL) THEN (CASE WHEN (CAST(NULL AS INT128) IS NULL) THEN 3 WHEN (CAST(0 AS BIGINT) > CAST(1 AS BIGINT)) THEN 2 ELSE 1 END) ELSE here END in [1, 3], proven)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(case(is_null(customer#2) then case(is_null(NULL) then 3; (0 > 1) then 2; else 1); else here))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, here = case(is_null(sum#2) then 3; (count#2 > 1) then 2; else 1)
--           project customer#2, sum#2 = sum, count#2 = count
--             aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9)), count = count(*)
--               scan orders (id#2, customer, units)
==
# case: subquery_scalar/group-of-no-rows
SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT COUNT(*) FROM customers WHERE segment = 'home' GROUP BY segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: segment: 1 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       filter (segment = 'home')
--         scan customers (id, segment)
--   f1:
--     project count(*) = count
--       filter (segment#2 = 'home')
--         project segment#2, count
--           filter present
--             released r1 (segment#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       filter (coerce(units) > count(*))
--         join left on true
--           scan orders (id#2, customer, units)
--           released f1 (count(*))
==
# case: subquery_scalar/released-extremes-have-ends
SELECT AVG(DATE_DIFF('day', (SELECT MIN(day) FROM orders), day)) AS a, SUM((SELECT MAX(amount) FROM orders) - amount) AS s FROM orders
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 111 from the end)
-- sensitivity: quantiles(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 50,001 points; MIN and MAX are of the rank 172 from the end)
-- sensitivity: centred sum(DATE_DIFF('day', "min(day)", day))  l0=1 l1=1095 l2=1095 linf=1095 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', "min(day)", day) in [-365, 365], clamped; summed around 0, the middle)
-- sensitivity: count(DATE_DIFF('day', "min(day)", day))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum("max(amount)" - amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); "max(amount)" - amount in [-500, 500], clamped)
-- plan:
--   r1:
--     aggregate: min = min(day)
--       scan orders (id, customer, day)
--   r2:
--     aggregate: max = max(amount)
--       scan orders (id#2, customer#2, amount)
--   f1:
--     project min(day) = min
--       released r1 (min)
--   f2:
--     project max(amount) = max
--       released r2 (max)
--   r3:
--     aggregate: avg = avg(date_diff('day', min(day), day#2)), sum = sum((max(amount) - amount#2))
--       join inner on true
--         join inner on true
--           scan orders (id#3, customer#3, day#2, amount#2)
--           released f1 (min(day))
--         released f2 (max(amount))
==
# case: subquery_scalar/latest-as-key
SELECT (SELECT o.status FROM orders o WHERE o.customer = c.id ORDER BY o.placed DESC, o.id LIMIT 1) AS last, COUNT(*) AS n FROM customers c GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); groups: status: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         filter (number = 1)
--           project id#2, customer, placed, status, number = row_number
--             window row_number = row_number() over (partition customer; order placed desc nulls last, id#2 asc nulls last, customer asc nulls last, status asc nulls last)
--               scan orders (id#2, customer, placed, status)
==
# case: subquery_scalar/latest-as-value
SELECT AVG((SELECT o.amount FROM orders o WHERE o.customer = c.id ORDER BY o.id DESC LIMIT 1)) AS a FROM customers c
-- accept
-- sensitivity: sum(amount)  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(amount)
--       join left on (customer = id)
--         scan customers (id)
--         filter (number = 1)
--           project id#2, customer, amount, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 desc nulls last, customer asc nulls last, amount asc nulls last)
--               scan orders (id#2, customer, amount)
==
# case: subquery_scalar/latest-compared
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT o.units FROM orders o WHERE o.customer = c.id ORDER BY o.id LIMIT 1) > (SELECT o.units FROM orders o WHERE o.customer = c.id ORDER BY o.id DESC LIMIT 1)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number; no two rows with the same customer, number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (units#2 > units#3)
--         join left on (customer#2 = id)
--           project id, units#2 = units
--             join left on (customer = id)
--               scan customers (id)
--               filter (number = 1)
--                 project id#2, customer, units, number = row_number
--                   window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last, units asc nulls last)
--                     scan orders (id#2, customer, units)
--           filter (number#2 = 1)
--             project id#3, customer#2, units#3, number#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#3 desc nulls last, customer#2 asc nulls last, units#3 asc nulls last)
--                 scan orders (id#3, customer#2, units#3)
==
# case: subquery_scalar/most-frequent-of-unit
SELECT (SELECT o.status FROM orders o WHERE o.customer = c.id GROUP BY o.status ORDER BY COUNT(*) DESC, o.status LIMIT 1) AS usual, COUNT(*) AS n FROM customers c GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); groups: status: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by status#3 = status#2: count#2 = count(*)
--       join left on (customer#2 = id)
--         scan customers (id)
--         filter (number = 1)
--           project customer#2, status#2, count, number = row_number
--             window row_number = row_number() over (partition customer#2; order count desc nulls last, status#2 asc nulls last, customer#2 asc nulls last)
--               aggregate per unit by customer#2 = customer, status#2 = status: count = count(*)
--                 scan orders (id#2, customer, status)
==
# case: subquery_scalar/two-of-unit
SELECT AVG((SELECT o.amount FROM orders o WHERE o.customer = c.id ORDER BY o.id DESC LIMIT 2)) AS a FROM customers c
-- reject DP205  the subquery is used as one value, but it could have several rows
--                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate it, or compare its key with = in its WHERE
==
# case: subquery_scalar/latest-before
# note: the last holiday before each order: groups of one customer's orders and the holidays
SELECT COUNT(*) AS n FROM orders o WHERE (SELECT h.name FROM holidays h WHERE h.day <= o.day ORDER BY h.day DESC LIMIT 1) = 'x'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; at most 3 groups per unit (3 rows of orders per customer, times 3 rows of a public table)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (first#2 = 'x')
--         join left on ((customer#3 = customer) AND (day#4 = day))
--           scan orders (id, customer, day)
--           aggregate per unit by customer#3 = customer#2, day#4 = day#2: first#2 = min(first)
--             project id#2, customer#2, day#2, day#3, name, first = first_value
--               window first_value = first_value(name) over (partition customer#2, day#2; order day#3 desc nulls last, name asc nulls last, id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last)
--                 join inner on (day#3 <= day#2)
--                   scan orders (id#2, customer#2, day#2)
--                   scan holidays (day#3, name)
==
# case: subquery_scalar/order-before
SELECT AVG(o.amount - (SELECT q.amount FROM orders q WHERE q.customer = o.customer AND q.day < o.day ORDER BY q.day DESC, q.id LIMIT 1)) AS a, COUNT(*) AS n FROM orders o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3; at most 3 groups per unit (no two rows with the same customer, number_up_to_3)))
-- sensitivity: sum(amount - first + 500)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3; at most 3 groups per unit (no two rows with the same customer, number_up_to_3)); amount - first in [-500, 500], clamped; summed around -500, the least; a row adds 1000 to sum(amount - first + 500) and sum(amount - first - 500) together)
-- sensitivity: sum(amount - first - 500)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3; at most 3 groups per unit (no two rows with the same customer, number_up_to_3)); amount - first in [-500, 500], clamped; summed around 500, the greatest; a row adds 1000 to sum(amount - first + 500) and sum(amount - first - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg((amount - first#2)), count = count(*)
--       join left on ((customer#4 = customer) AND (day#4 = day))
--         filter (number_up_to_3 <= 3)
--           project id, customer, day, amount, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last, amount asc nulls last)
--               scan orders (id, customer, day, amount)
--         aggregate per unit by customer#4 = customer#2, day#4 = day#2: first#2 = min(first)
--           project id#2, customer#2, day#2, number_up_to_3#2, id#3, customer#3, day#3, amount#2, number_up_to_3#3, first = first_value
--             window first_value = first_value(amount#2) over (partition customer#2, day#2; order day#3 desc nulls last, id#3 asc nulls last, amount#2 asc nulls last, id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last, number_up_to_3#2 asc nulls last, customer#3 asc nulls last, number_up_to_3#3 asc nulls last)
--               join inner on ((customer#3 = customer#2) AND (day#3 < day#2))
--                 filter (number_up_to_3#2 <= 3)
--                   project id#2, customer#2, day#2, number_up_to_3#2 = row_number#2
--                     window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last)
--                       scan orders (id#2, customer#2, day#2)
--                 filter (number_up_to_3#3 <= 3)
--                   project id#3, customer#3, day#3, amount#2, number_up_to_3#3 = row_number#3
--                     window row_number#3 = row_number() over (partition customer#3; order id#3 asc nulls last, customer#3 asc nulls last, day#3 asc nulls last, amount#2 asc nulls last)
--                       scan orders (id#3, customer#3, day#3, amount#2)
==
# case: subquery_scalar/next-of-one-unit
SELECT (SELECT h.name IS NULL FROM holidays h WHERE h.day > c.born AND h.day < DATE '2030-01-01' ORDER BY h.day LIMIT 1) AS k, COUNT(*) AS n FROM customers c GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers; one group per unit); groups: h.name is null: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by h.name is null = first#2: count = count(*)
--       join left on ((id#3 = id) AND (born#3 = born))
--         scan customers (id, born)
--         aggregate per unit by id#3 = id#2, born#3 = born#2: first#2 = min(first)
--           project id#2, born#2, day, name, first = first_value
--             window first_value = first_value(is_null(name)) over (partition id#2, born#2; order day asc nulls last, is_null(name) asc nulls last, id#2 asc nulls last, born#2 asc nulls last, name asc nulls last)
--               join inner on (day > born#2)
--                 scan customers (id#2, born#2)
--                 filter (day < 2030-01-01)
--                   scan holidays (day, name)
==
# case: subquery_scalar/nearest
SELECT COUNT(*) AS n FROM orders o WHERE (SELECT h.name FROM holidays h WHERE h.day <> o.day ORDER BY ABS(DATE_DIFF('day', h.day, o.day)), h.name LIMIT 1) = 'x'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; at most 3 groups per unit (3 rows of orders per customer, times 3 rows of a public table)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (first#2 = 'x')
--         join left on ((customer#3 = customer) AND (day#4 = day))
--           scan orders (id, customer, day)
--           aggregate per unit by customer#3 = customer#2, day#4 = day#2: first#2 = min(first)
--             project id#2, customer#2, day#2, day#3, name, first = first_value
--               window first_value = first_value(name) over (partition customer#2, day#2; order abs(date_diff('day', in_calendar(day#3), clamp(day#2, 2024-01-01, 2024-12-31))) asc nulls last, name asc nulls last, name asc nulls last, id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last, day#3 asc nulls last)
--                 join inner on (day#3 <> day#2)
--                   scan orders (id#2, customer#2, day#2)
--                   scan holidays (day#3, name)
==
# case: subquery_scalar/latest-before-of-other-units
SELECT COUNT(*) AS n FROM orders o WHERE (SELECT q.amount FROM orders q WHERE q.day < o.day ORDER BY q.day DESC LIMIT 1) > 3
-- reject DP402  the joined rows could belong to two different units
--                                                             ^^^^^^^^
-- help: join on the unit: o.customer = q.customer
==
# case: subquery_scalar/nearest-of-what-may-be-null
# note: an order without a day has a nearest holiday as well
SELECT COUNT(*) AS n FROM orders o WHERE (SELECT h.name FROM holidays h ORDER BY ABS(DATE_DIFF('day', h.day, o.day)) LIMIT 1) = 'x'
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                                         ^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/latest-before-each-public-row
SELECT h.name, (SELECT o.status FROM orders o WHERE o.day <= h.day ORDER BY o.day DESC LIMIT 1) AS s FROM holidays h
-- reject DP104  the subquery is tied to the outer row by a comparison, which gives each row a group of its own rows
--                                                  ^^^^^^^^^^^^^^
-- help: tie it by an equality, inner.column = outer.column; of what is before a row write a window of one unit: AVG(x) OVER (PARTITION BY unit ORDER BY …)
==
# case: subquery_scalar/public-first
SELECT AVG((SELECT t.product FROM tags t WHERE t.product = l.product ORDER BY t.product LIMIT 1)) AS a FROM lines l
-- reject DP301  nothing bounds what AVG adds up
--                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare bounds for product in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: subquery_scalar/having-more-than-nothing
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id HAVING COUNT(*) > 1) = 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (count = 2)
--         join left on (customer#2 = id)
--           scan customers (id)
--           filter (count > 1)
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery_scalar/having-nothing
SELECT COUNT(*) AS n FROM customers c WHERE (SELECT 1 FROM orders o WHERE o.customer = c.id HAVING MAX(o.units) IS NULL) = 1
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: subquery_scalar/correlated-to-groups-in-brackets
SELECT status, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer WHERE o.units > (SELECT g.m FROM (SELECT segment AS k, AVG(age) AS m FROM customers GROUP BY segment) AS g WHERE g.k = c.segment) GROUP BY status
-- accept
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=3  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: avg = avg(age)
--       scan customers (id, age, segment)
--   f1:
--     project k = segment#2, m = avg
--       project segment#2, avg
--         filter present
--           released r1 (segment#2, avg, present)
--   r2:
--     aggregate by status#2 = status: count = count(*)
--       filter (coerce(units) > m)
--         join left on (k = segment#4)
--           join inner on (id#3 = customer)
--             scan orders (id#2, customer, status, units)
--             project id#3, segment#4 = cut(segment#3, 7)
--               scan customers (id#3, segment#3)
--           released f1 (k, m)
