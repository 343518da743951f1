# about: Aggregation in two steps: per unit first, then over units
# policy: shop
# case: per_unit/average-of-counts
SELECT AVG(n) AS a FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 1, the least; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 3, the greatest; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate: avg = avg(count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: per_unit/sum-of-counts
SELECT SUM(n) AS s, COUNT(*) AS k FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 1, the least; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 3, the greatest; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate: sum = sum(count), count#2 = count(*)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: per_unit/histogram
SELECT n, COUNT(*) AS k FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) x GROUP BY n ORDER BY n
-- accept
-- sensitivity: k  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: n: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by n = count: count#2 = count(*)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
--   answer:
--     sort n#2 asc nulls last
--       project n#2 = n, k = count#2
--         released r1 (n, count#2)
==
# case: per_unit/sum-of-sums
SELECT SUM(s) AS t FROM (SELECT customer, SUM(amount) AS s FROM orders GROUP BY customer) x
-- accept
-- sensitivity: t  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(amount, 0, 500))
--           scan orders (id, customer, amount)
==
# case: per_unit/keys-of-the-unit-beside-a-public-key
SELECT product, COUNT(*) AS n FROM (
    SELECT l.product, c.id, c.age FROM lines l JOIN orders o ON o.id = l.order_id
    JOIN customers c ON c.id = o.customer WHERE l.product IN (1, 2) GROUP BY l.product, c.id, c.age
) x GROUP BY product
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=public  (rows per unit 2, proven (no two rows with the same product, id, age); rows per unit and group 1, proven; groups: product: from the public products; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by product#3 = id#4: count = count(*)
--       filter in(id#4, 1, 2)
--         join inner on (product#2 = id#4)
--           aggregate per unit by product#2 = product, id#3 = id#2, age#2 = age
--             join inner on (id#2 = customer)
--               join inner on (id = order_id)
--                 filter in(product, 1, 2)
--                   scan lines (order_id, product)
--                 scan orders (id, customer)
--               scan customers (id#2, age)
--           scan products (id#4)
==
# case: per_unit/key-that-leads
SELECT SUM(q) AS s, COUNT(*) AS n FROM (SELECT order_id, SUM(quantity) AS q FROM lines GROUP BY order_id) x
-- accept
-- sensitivity: rows with sum near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); sum in [1, 20], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with sum near 20  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); sum in [1, 20], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2), count = count(*)
--       project order_id#2, sum#2 = sum
--         aggregate per unit by order_id#2 = order_id: sum = sum(clamp(quantity, 1, 10))
--           scan lines (order_id, quantity)
==
# case: per_unit/key-that-leads-histogram
# note: three orders of one unit with lines are drawn rarely
SELECT n, COUNT(*) AS k FROM (SELECT order_id, COUNT(*) AS n FROM lines GROUP BY order_id) x GROUP BY n
-- accept
-- sensitivity: k  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); groups: n: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by n = count: count#2 = count(*)
--       aggregate per unit by order_id#2 = order_id: count = count(*)
--         scan lines (order_id)
==
# case: per_unit/double
SELECT SUM(w) AS s FROM (SELECT customer, SUM(weight) AS w FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 60.3], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project customer#2, sum#2 = (coerce(sum) * 1/34359738368)
--         aggregate per unit by customer#2 = customer: sum = sum(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368))
--           scan orders (id, customer, weight)
-- sql:
SELECT COUNT(*) AS "n", SUM(CAST(ROUND(((CASE WHEN ISNAN("q1"."c14") THEN NULL WHEN ("q1"."c14" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("q1"."c14" > CAST('60.30000000001746' AS DOUBLE)) THEN CAST('60.30000000001746' AS DOUBLE) ELSE "q1"."c14" END) / CAST('5.820766091346741e-11' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM (SELECT "q2"."c13" AS "c13", (CAST("q2"."c19" AS DOUBLE) * CAST('2.9103830456733704e-11' AS DOUBLE)) AS "c14"
FROM (SELECT "t1"."customer" AS "c13", CAST(SUM(CAST(ROUND(((CASE WHEN ISNAN("t1"."weight") THEN NULL WHEN ("t1"."weight" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."weight" > CAST('20.1' AS DOUBLE)) THEN CAST('20.1' AS DOUBLE) ELSE "t1"."weight" END) / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS INT128) AS "c19" FROM "main"."orders" AS "t1" GROUP BY "t1"."customer") AS "q2") AS "q1"
WHERE ("q1"."c13" IS NOT NULL)
==
# case: per_unit/average-inside
SELECT AVG(a) AS a FROM (SELECT customer, AVG(units) AS a FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(avg - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); avg in [1, 9], proven; summed around 1, the least; a row adds 8 to sum(avg - 1) and sum(avg - 9) together)
-- sensitivity: sum(avg - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); avg in [1, 9], proven; summed around 9, the greatest; a row adds 8 to sum(avg - 1) and sum(avg - 9) together)
-- plan:
--   r1:
--     aggregate: avg#2 = avg(avg)
--       project customer#2, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1, 9))
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9)), count = count(clamp(units, 1, 9))
--           scan orders (id, customer, units)
==
# case: per_unit/average-of-doubles-inside
SELECT COUNT(*) AS n, SUM(a) AS s FROM (SELECT customer, AVG(weight) AS a FROM orders GROUP BY customer) x WHERE a > 1
-- accept
-- sensitivity: sum(avg - 1)  l0=1 l1=19.1 l2=19.1 linf=19.1 groups=1  (rows per unit 1, proven (one group per unit); avg in [1, 20.1], proven; summed around 1, the least; a row adds 19.1 to sum(avg - 1) and sum(avg - 20.1) together)
-- sensitivity: sum(avg - 20.1)  l0=1 l1=19.1 l2=19.1 linf=19.1 groups=1  (rows per unit 1, proven (one group per unit); avg in [1, 20.1], proven; summed around 20.1, the greatest; a row adds 19.1 to sum(avg - 1) and sum(avg - 20.1) together)
-- plan:
--   r1:
--     aggregate: count#2 = count(*), sum#2 = sum(avg)
--       filter (avg > 1)
--         project customer#2, avg = case((count = 0) then NULL; else clamp(div((coerce(sum) * 1/34359738368), coerce(count)), 0, 2828823515942093/140737488355328))
--           aggregate per unit by customer#2 = customer: sum = sum(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368)), count = count(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368))
--             scan orders (id, customer, weight)
==
# case: per_unit/minimum-and-maximum
# note: MAX - MIN is never negative; that they are of the same rows is not used
SELECT SUM(high - low) AS s FROM (SELECT customer, MIN(units) AS low, MAX(units) AS high FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); max - min in [-8, 8], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((max - min))
--       aggregate per unit by customer#2 = customer: min = min(units), max = max(units)
--         scan orders (id, customer, units)
==
# case: per_unit/maximum-of-text
SELECT last, COUNT(*) AS n FROM (SELECT customer, MAX(status) AS last FROM orders GROUP BY customer) x GROUP BY last
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: last: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by last = max: count = count(*)
--       aggregate per unit by customer#2 = customer: max = max(status)
--         scan orders (id, customer, status)
==
# case: per_unit/count-distinct
SELECT d, COUNT(*) AS n FROM (SELECT customer, COUNT(DISTINCT units) AS d FROM orders GROUP BY customer) x GROUP BY d
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: d: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by d = count: count#2 = count(*)
--       aggregate per unit by customer#2 = customer: count = count(distinct units)
--         scan orders (id, customer, units)
==
# case: per_unit/sum-distinct
# note: 9 + 8 + 7 is the most; that the values differ is not used
SELECT SUM(d) AS s FROM (SELECT customer, SUM(DISTINCT units) AS d FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(distinct clamp(units, 1, 9))
--           scan orders (id, customer, units)
==
# case: per_unit/conditions
SELECT every, "some", COUNT(*) AS n FROM (SELECT customer, BOOL_AND(paid) AS every, BOOL_OR(paid) AS "some" FROM orders GROUP BY customer) x GROUP BY every, "some"
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: every: 2 values; some: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by every = bool_and, some = bool_or: count = count(*)
--       aggregate per unit by customer#2 = customer: bool_and = bool_and(paid), bool_or = bool_or(paid)
--         scan orders (id, customer, paid)
==
# case: per_unit/filter-inside
SELECT SUM(n) AS s FROM (SELECT customer, COUNT(*) FILTER (WHERE units > 4) AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by customer#2 = customer: count = count(case((units > 4) then 1; else NULL))
--         scan orders (id, customer, units)
==
# case: per_unit/nulls
SELECT n, COUNT(*) AS k FROM (SELECT customer, COUNT(status) AS n FROM orders GROUP BY customer) x GROUP BY n
-- accept
-- sensitivity: k  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: n: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by n = count: count#2 = count(*)
--       aggregate per unit by customer#2 = customer: count = count(status)
--         scan orders (id, customer, status)
==
# case: per_unit/sum-of-nulls-is-null
SELECT s IS NULL AS none, COUNT(*) AS k FROM (SELECT customer, SUM(NULLIF(units, 9)) AS s FROM orders GROUP BY customer) x GROUP BY none
-- accept
-- sensitivity: k  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (one group per unit); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = is_null(sum#2): count = count(*)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(nullif(clamp(units, 1, 9), 9))
--           scan orders (id, customer, units)
==
# case: per_unit/having
SELECT COUNT(*) AS n, SUM(s) AS t FROM (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer HAVING COUNT(*) > 1) x
-- accept
-- sensitivity: sum(sum - 1)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped; summed around 1, the least; a row adds 26 to sum(sum - 1) and sum(sum - 27) together)
-- sensitivity: sum(sum - 27)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped; summed around 27, the greatest; a row adds 26 to sum(sum - 1) and sum(sum - 27) together)
-- plan:
--   r1:
--     aggregate: count#3 = count(*), sum#3 = sum(sum#2)
--       filter (count#2 > 1)
--         project customer#2, count#2 = count, sum#2 = sum
--           aggregate per unit by customer#2 = customer: count = count(*), sum = sum(clamp(units, 1, 9))
--             scan orders (id, customer, units)
==
# case: per_unit/having-narrows
SELECT s, COUNT(*) AS n FROM (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer HAVING SUM(units) BETWEEN 3 AND 5) x GROUP BY s
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: s: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by s = sum#2: count = count(*)
--       filter ((sum#2 >= 3) AND (sum#2 <= 5))
--         project customer#2, sum#2 = sum
--           aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--             scan orders (id, customer, units)
==
# case: per_unit/two-keys
SELECT status, COUNT(*) AS k, SUM(n) AS s FROM (SELECT customer, status, COUNT(*) AS n FROM orders GROUP BY customer, status) x GROUP BY status
-- accept
-- sensitivity: sum(count - 1)  l0=3 l1=6 l2=6 linf=6 groups=4  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); count in [1, 3], clamped; summed around 1, the least; groups: status: 4 values; a unit can be in several; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=3 l1=6 l2=6 linf=6 groups=4  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); count in [1, 3], clamped; summed around 3, the greatest; groups: status: 4 values; a unit can be in several; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate by status#3 = status#2: count#2 = count(*), sum = sum(count)
--       aggregate per unit by customer#2 = customer, status#2 = status: count = count(*)
--         scan orders (id, customer, status)
==
# case: per_unit/determined-key
SELECT segment, AVG(n) AS a FROM (SELECT c.id, c.segment, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id GROUP BY c.id, c.segment) x GROUP BY segment
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=2 l2=2 linf=2 groups=3  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 1, the least; groups: segment: 3 values; a unit is in one group; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=2 l2=2 linf=2 groups=3  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 3, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate by segment#4 = segment#3: avg = avg(count)
--       aggregate per unit by id#3 = id, segment#3 = segment#2: count = count(*)
--         join inner on (customer = id)
--           project id, segment#2 = cut(segment, 7)
--             scan customers (id, segment)
--           scan orders (id#2, customer)
==
# case: per_unit/with-empty
SELECT n, COUNT(*) AS k FROM (SELECT c.id, COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.id) x GROUP BY n
-- accept
-- sensitivity: k  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: n: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by n = count: count#2 = count(*)
--       aggregate per unit by id#3 = id: count = count(id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
==
# case: per_unit/three-levels-of-counts
SELECT k, COUNT(*) AS n FROM (SELECT o.customer, SUM(x.c) AS k FROM (SELECT order_id, COUNT(*) AS c FROM lines GROUP BY order_id) x JOIN orders o ON o.id = x.order_id GROUP BY o.customer) y GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (one group per unit); groups: k: 6 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k = sum#2: count#2 = count(*)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(count, 1, 2))
--           join inner on (id = order_id#2)
--             aggregate per unit by order_id#2 = order_id: count = count(*)
--               scan lines (order_id)
--             scan orders (id, customer)
==
# case: per_unit/joined-on-the-unit
SELECT SUM(a.s - b.k) AS d FROM (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer) a JOIN (SELECT o.customer, COUNT(*) AS k FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY o.customer) b ON a.customer = b.customer
-- accept
-- sensitivity: d  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum - count in [-5, 26], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum((sum#2 - count))
--       join inner on (customer#2 = customer#4)
--         project customer#2, sum#2 = sum
--           aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--             scan orders (id, customer, units)
--         aggregate per unit by customer#4 = customer#3: count = count(*)
--           join inner on (order_id = id#2)
--             scan orders (id#2, customer#3)
--             scan lines (order_id)
==
# case: per_unit/joined-with-its-rows
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT customer, AVG(units) AS a FROM orders GROUP BY customer) x ON x.customer = o.customer WHERE o.units >= x.a
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       join inner on ((customer#3 = customer) AND (coerce(units) >= avg))
--         scan orders (id, customer, units)
--         project customer#3, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1, 9))
--           aggregate per unit by customer#3 = customer#2: sum = sum(clamp(units#2, 1, 9)), count = count(clamp(units#2, 1, 9))
--             scan orders (id#2, customer#2, units#2)
==
# case: per_unit/distinct
SELECT COUNT(*) AS n FROM (SELECT DISTINCT customer FROM orders) x
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#2 = customer
--         scan orders (id, customer)
==
# case: per_unit/public-key-inside
# note: reached by six lines of six kinds, which are never drawn
SELECT zone, COUNT(*) AS n, SUM(k) AS s FROM (SELECT o.customer, p.kind AS zone, COUNT(*) AS k FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product GROUP BY o.customer, p.kind) x GROUP BY zone
-- accept
-- sensitivity: sum(count - 1)  l0=6 l1=30 l2=30 linf=30 groups=public  (rows per unit 6, enforced per unit (at most 6 groups per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer)); count in [1, 6], clamped; summed around 1, the least; groups: zone: from the public products; a unit can be in several; a row adds 5 to sum(count - 1) and sum(count - 6) together)
-- sensitivity: sum(count - 6)  l0=6 l1=30 l2=30 linf=30 groups=public  (rows per unit 6, enforced per unit (at most 6 groups per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer)); count in [1, 6], clamped; summed around 6, the greatest; groups: zone: from the public products; a unit can be in several; a row adds 5 to sum(count - 1) and sum(count - 6) together)
-- plan:
--   r1:
--     aggregate by zone = kind#2: count#2 = count(*), sum = sum(count)
--       aggregate per unit by customer#2 = customer, kind#2 = kind: count = count(*)
--         join inner on (id#2 = product)
--           join inner on (order_id = id)
--             scan orders (id, customer)
--             scan lines (order_id, product)
--           scan products (id#2, kind)
==
# case: per_unit/no-columns-used
SELECT COUNT(*) AS n FROM (SELECT order_id, SUM(price) AS s FROM lines GROUP BY order_id) x
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by order_id#2 = order_id
--         scan lines (order_id)
==
# case: per_unit/clamped
SELECT SUM(r) AS s FROM (SELECT customer, SUM(LEAST(GREATEST(rate, -1), 1)) AS r FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); sum in [-3, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project customer#2, sum#2 = (coerce(sum) * 1/1099511627776)
--         aggregate per unit by customer#2 = customer: sum = sum(steps(least(greatest(rate, -1), 1), 1/1099511627776))
--           scan orders (id, customer, rate)
==
# case: per_unit/large-sums
SELECT COUNT(*) AS n FROM (SELECT customer, SUM(total) AS t FROM orders GROUP BY customer) x WHERE t > 9000000000000000000
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (sum#2 > 9000000000000000000)
--         project customer#2, sum#2 = sum
--           aggregate per unit by customer#2 = customer: sum = sum(clamp(total, -9000000000000000000, 9000000000000000000))
--             scan orders (id, customer, total)
==
# case: per_unit/order-inside
SELECT SUM(n) AS s FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer ORDER BY n DESC) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: per_unit/returned
SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer HAVING COUNT(*) > 1
-- reject DP404  customer leads to one unit: every group would be one individual
--                                                  ^^^^^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: per_unit/returned-from-inside
SELECT n FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) x WHERE n > 1
-- reject DP404  customer leads to one unit: every group would be one individual
--                                                                 ^^^^^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: per_unit/limit-inside
SELECT AVG(n) AS a FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer ORDER BY n LIMIT 5) x
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                                                                     ^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: per_unit/unbounded-inside
SELECT SUM(r) AS s FROM (SELECT customer, SUM(rate) AS r FROM orders GROUP BY customer) x
-- reject DP301  nothing bounds what is added up
--                                            ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: per_unit/median-inside
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(units) AS m FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(median - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven; summed around 1, the least; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- sensitivity: sum(median - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven; summed around 9, the greatest; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 1, 9)) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 1, 9)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 1, 9))), coerce(clamp(high, 1, 9))); else NULL))
--         project id, customer, units, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer)
--             project id, customer, units, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last), count = count(units) over (partition customer)
--                 scan orders (id, customer, units)
==
# case: per_unit/computed-key
SELECT AVG(n) AS a FROM (SELECT customer % 10 AS g, COUNT(*) AS n FROM orders GROUP BY g) x
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=19  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 19 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by key = mod(customer, 10): count = count(*)
--       scan orders (id, customer)
--   answer:
--     project a = avg
--       aggregate: avg = avg(n)
--         project g = key, n = count
--           project key, count
--             filter present
--               released r1 (key, count, present)
==
# case: per_unit/joined-across-units
SELECT COUNT(*) AS n FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) a JOIN (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) b ON a.n = b.n
-- reject DP402  the joined rows could belong to two different units
--                                                                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# policy: visits
# case: per_unit/visits
SELECT n, COUNT(*) AS k, SUM(c) AS s FROM (SELECT pid, COUNT(*) AS n, SUM(cost) AS c FROM visits GROUP BY pid) x GROUP BY n
-- accept
-- sensitivity: rows with sum near -80  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); sum in [-80, 400], clamped; groups: n: 4 values; a unit is in one group; a row adds 1 to all 2 weights together)
-- sensitivity: rows with sum near 400  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); sum in [-80, 400], clamped; groups: n: 4 values; a unit is in one group; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by n = count#2: count#3 = count(*), sum#3 = sum(sum#2)
--       project pid#2, count#2 = count, sum#2 = sum
--         aggregate per unit by pid#2 = pid: count = count(*), sum = sum(clamp(cost, -20, 100))
--           scan visits (pid, cost)
==
# case: per_unit/keys-of-one-side
SELECT SUM(n) AS t FROM (SELECT a.pid, a.day, COUNT(*) AS n FROM visits AS a JOIN visits AS b ON a.pid = b.pid GROUP BY a.pid, a.day) AS s
-- accept
-- sensitivity: t  l0=1 l1=64 l2=64 linf=64 groups=1  (rows per unit 4, proven (at most 4 groups per unit (no two rows with the same pid, number_up_to_4)); count in [1, 16], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by pid#3 = pid, day#2 = day: count = count(*)
--         join inner on (pid = pid#2)
--           filter (number_up_to_4 <= 4)
--             project pid, day, number_up_to_4 = row_number
--               window row_number = row_number() over (partition pid; order pid asc nulls last, day asc nulls last)
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid, day)
--           filter (number_up_to_4#2 <= 4)
--             project pid#2, number_up_to_4#2 = row_number#2
--               window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last)
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2)
==
# case: per_unit/keys-of-the-extended-side
SELECT COUNT(*) AS n FROM (SELECT a.pid, b.cost FROM visits AS a LEFT JOIN visits AS b ON a.pid = b.pid AND a.cost > 0 GROUP BY a.pid, b.cost) AS s
-- accept
-- sensitivity: n  l0=1 l1=5 l2=5 linf=5 groups=1  (rows per unit 5, proven (at most 5 groups per unit (no two rows with the same pid, number_up_to_4)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by pid#3 = pid, cost#3 = cost#2
--         join left on ((pid = pid#2) AND (cost > 0))
--           filter (number_up_to_4 <= 4)
--             project pid, cost, number_up_to_4 = row_number
--               window row_number = row_number() over (partition pid; order pid asc nulls last, cost asc nulls last)
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid, cost)
--           filter (number_up_to_4#2 <= 4)
--             project pid#2, cost#2, number_up_to_4#2 = row_number#2
--               window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, cost#2 asc nulls last)
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2, cost#2)
==
# case: per_unit/keys-of-both-sides
SELECT COUNT(*) AS n FROM (SELECT a.pid, b.cost + a.cost AS c FROM visits AS a JOIN visits AS b ON a.pid = b.pid GROUP BY a.pid, c) AS s
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (at most 16 groups per unit (no two rows with the same pid, number_up_to_4)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by pid#3 = pid, key = (clamp(cost#2, -20, 100) + clamp(cost, -20, 100))
--         join inner on (pid = pid#2)
--           filter (number_up_to_4 <= 4)
--             project pid, cost, number_up_to_4 = row_number
--               window row_number = row_number() over (partition pid; order pid asc nulls last, cost asc nulls last)
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid, cost)
--           filter (number_up_to_4#2 <= 4)
--             project pid#2, cost#2, number_up_to_4#2 = row_number#2
--               window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, cost#2 asc nulls last)
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2, cost#2)
==
# case: per_unit/keys-of-a-side-and-a-public-table
SELECT COUNT(*) AS n FROM (SELECT a.pid, w.site, a.cost FROM visits AS a JOIN visits AS b ON a.pid = b.pid JOIN wards AS w ON w.ward = a.ward GROUP BY a.pid, w.site, a.cost) AS s
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (at most 16 groups per unit (no two rows with the same pid, number_up_to_4)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by pid#3 = pid, site#2 = site, cost#2 = cost
--         join inner on (ward#3 = ward#2)
--           join inner on (pid = pid#2)
--             filter (number_up_to_4 <= 4)
--               project pid, ward#2, cost, number_up_to_4 = row_number
--                 window row_number = row_number() over (partition pid; order pid asc nulls last, ward#2 asc nulls last, cost asc nulls last)
--                   project pid, ward#2 = cut(ward, 2), cost
--                     filter coalesce((strlen(pid) <= 40000), true)
--                       scan visits (pid, ward, cost)
--             filter (number_up_to_4#2 <= 4)
--               project pid#2, number_up_to_4#2 = row_number#2
--                 window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last)
--                   filter coalesce((strlen(pid#2) <= 40000), true)
--                     scan visits (pid#2)
--           scan wards (ward#3, site)
==
# case: per_unit/keys-of-a-side-with-distinct
SELECT COUNT(*) AS n FROM (SELECT DISTINCT pid, c FROM (SELECT DISTINCT a.pid, a.cost + 1 AS c, b.day FROM visits AS a JOIN visits AS b ON a.pid = b.pid) AS d) AS s
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven (at most 4 groups per unit (at most 16 groups per unit (no two rows with the same pid, number_up_to_4))))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by pid#4 = pid#3, c#2 = c
--         aggregate per unit by pid#3 = pid, c = (clamp(cost, -20, 100) + 1), day#2 = day
--           join inner on (pid = pid#2)
--             filter (number_up_to_4 <= 4)
--               project pid, cost, number_up_to_4 = row_number
--                 window row_number = row_number() over (partition pid; order pid asc nulls last, cost asc nulls last)
--                   filter coalesce((strlen(pid) <= 40000), true)
--                     scan visits (pid, cost)
--             filter (number_up_to_4#2 <= 4)
--               project pid#2, day, number_up_to_4#2 = row_number#2
--                 window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, day asc nulls last)
--                   filter coalesce((strlen(pid#2) <= 40000), true)
--                     scan visits (pid#2, day)
==
# case: per_unit/visits-by-ward
# note: a ward has one row of a unit, so that nobody has more than three
SELECT ward, AVG(c) AS a FROM (SELECT pid, ward, MAX(cost) AS c FROM visits GROUP BY pid, ward) x GROUP BY ward
-- accept
-- sensitivity: sum(max + 20)  l0=3 l1=360 l2=207.846096908 linf=120 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); rows per unit and group 1, proven; max in [-20, 100], clamped; summed around -20, the least; groups: ward: 3 values; a unit can be in several; a row adds 120 to sum(max + 20) and sum(max - 100) together)
-- sensitivity: sum(max - 100)  l0=3 l1=360 l2=207.846096908 linf=120 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); rows per unit and group 1, proven; max in [-20, 100], clamped; summed around 100, the greatest; groups: ward: 3 values; a unit can be in several; a row adds 120 to sum(max + 20) and sum(max - 100) together)
-- plan:
--   r1:
--     aggregate by ward#3 = ward#2: avg = avg(max)
--       aggregate per unit by pid#2 = pid, ward#2 = ward: max = max(cost)
--         scan visits (pid, ward, cost)
==
# case: per_unit/rows-of-a-listed-key
SELECT ward, COUNT(*) AS n, SUM(c) AS s FROM (SELECT pid, ward, SUM(cost) AS c FROM visits GROUP BY pid, ward) x GROUP BY ward
-- accept
-- sensitivity: rows with sum near -80  l0=3 l1=3 l2=1.73205080757 linf=1 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); rows per unit and group 1, proven; sum in [-80, 400], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with sum near 400  l0=3 l1=3 l2=1.73205080757 linf=1 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); rows per unit and group 1, proven; sum in [-80, 400], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by ward#3 = ward#2: count = count(*), sum#3 = sum(sum#2)
--       project pid#2, ward#2, sum#2 = sum
--         aggregate per unit by pid#2 = pid, ward#2 = ward: sum = sum(clamp(cost, -20, 100))
--           scan visits (pid, ward, cost)
==
# case: per_unit/distinct-rows-of-a-listed-key
SELECT ward, COUNT(*) AS n, MEDIAN(v) AS m FROM (SELECT DISTINCT pid, ward, 1 AS v FROM visits) x GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); rows per unit and group 1, proven; groups: ward: 3 values; a unit can be in several)
-- sensitivity: m  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); 1 points)
-- plan:
--   r1:
--     aggregate by ward#3 = ward#2: count = count(*), median = median(v)
--       aggregate per unit by pid#2 = pid, ward#2 = ward, v = 1
--         scan visits (pid, ward)
==
# case: per_unit/part-of-what-tells-rows-apart
# note: a ward has many rows of a unit, one for each day
SELECT ward, COUNT(*) AS n FROM (SELECT DISTINCT pid, ward, day FROM visits) x GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (at most 4 groups per unit (4 rows of visits per pid)); groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#3 = ward#2: count = count(*)
--       aggregate per unit by pid#2 = pid, ward#2 = ward, day#2 = day
--         scan visits (pid, ward, day)
==
# policy: replace
# case: per_unit/replaced
SELECT n, COUNT(*) AS k FROM (SELECT p.pid, COUNT(s.days) AS n FROM patients p LEFT JOIN stays s ON s.pid = p.pid GROUP BY p.pid) x GROUP BY n
-- accept
-- sensitivity: k  l0=2 l1=2 l2=1.41421356237 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: n: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by n = count: count#2 = count(*)
--       aggregate per unit by pid#3 = pid: count = count(days)
--         join left on (pid#2 = pid)
--           scan patients (pid)
--           scan stays (pid#2, days)
==
# case: per_unit/replaced-sum
SELECT SUM(d) AS s, COUNT(*) AS k FROM (SELECT pid, SUM(days) AS d FROM stays GROUP BY pid) x
-- accept
-- sensitivity: k  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 60], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2), count = count(*)
--       project pid#2, sum#2 = sum
--         aggregate per unit by pid#2 = pid: sum = sum(clamp(days, 1, 30))
--           scan stays (pid, days)
==
# policy: shop verified
# case: per_unit/verified-sums
# note: nothing is clamped here
SELECT SUM(s) AS t, SUM(n) AS k FROM (SELECT customer, SUM(units) AS s, COUNT(*) AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: t  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], proven)
-- sensitivity: k  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], proven)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2), sum#4 = sum(count#2)
--       project customer#2, sum#2 = sum, count#2 = count
--         aggregate per unit by customer#2 = customer: sum = sum(units), count = count(*)
--           scan orders (id, customer, units)
==
# case: per_unit/verified-average
# note: as above
SELECT AVG(n) AS a FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], proven; summed around 1, the least; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], proven; summed around 3, the greatest; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate: avg = avg(count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: per_unit/verified-key-that-leads
SELECT COUNT(*) AS n FROM (SELECT order_id, SUM(quantity) AS q FROM lines GROUP BY order_id) x
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by order_id#2 = order_id
--         scan lines (order_id)
==
# case: per_unit/verified-null-is-a-value-of-a-key
SELECT COUNT(*) AS n FROM (SELECT customer, status FROM orders GROUP BY customer, status) x WHERE status = 'open' OR status IS NULL
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (no two rows with the same customer, status))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((status#2 = 'open') OR is_null(status#2))
--         aggregate per unit by customer#2 = customer, status#2 = status
--           scan orders (id, customer, status)
==
# policy: shop
# case: per_unit/widened-below
# note: the product is wider than its type says
SELECT COUNT(*) AS n FROM (SELECT c.id, MAX(GREATEST(o.y, 0)) AS m FROM customers c LEFT JOIN (SELECT customer, total * 2 AS y FROM orders) o ON o.customer = c.id GROUP BY c.id) t WHERE m > 3
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (max > 3)
--         aggregate per unit by id#3 = id: max = max(greatest(y, 0))
--           join left on (customer#2 = id)
--             scan customers (id)
--             project customer#2 = customer, y = (coerce(clamp(total, -9000000000000000000, 9000000000000000000)) * 2)
--               scan orders (id#2, customer, total)
==
# case: per_unit/no-value-of-a-key-is-left
# note: no row is; none counts as one value, so that a median is calibrated
SELECT MEDIAN(n) AS m FROM (SELECT customer, units, status, COUNT(*) AS n FROM orders GROUP BY customer, units, status) AS t WHERE status IN ('open') AND status <> 'open'
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); 3 points)
-- plan:
--   r1:
--     aggregate: median = median(count)
--       filter (in(status#2, 'open') AND (status#2 <> 'open'))
--         aggregate per unit by customer#2 = customer, units#2 = units, status#2 = status: count = count(*)
--           scan orders (id, customer, status, units)
==
# case: per_unit/status-of-the-last-order
SELECT last, COUNT(*) AS n FROM (SELECT customer, ARG_MAX(status, placed) AS last FROM orders GROUP BY customer) GROUP BY last
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: last: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by last = arg_max#2: count = count(*)
--       aggregate per unit by customer#2 = customer: arg_max#2 = min(arg_max)
--         project id, customer, placed, status, arg_max = first_value
--           window first_value = first_value(case((not(is_null(status)) AND not(is_null(placed))) then status; else NULL)) over (partition customer; order not((not(is_null(status)) AND not(is_null(placed)))) asc nulls last, placed desc nulls last, status asc nulls last, id asc nulls last, customer asc nulls last)
--             scan orders (id, customer, placed, status)
==
# case: per_unit/first-and-last
SELECT AVG(first) AS a, COUNT(*) FILTER (WHERE paid) AS n FROM (SELECT customer, FIRST(units ORDER BY day) AS first, LAST(paid ORDER BY day DESC) AS paid, ANY_VALUE(status) AS s FROM orders GROUP BY customer) WHERE s = 'open'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: sum(first - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); first in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(first - 1) and sum(first - 9) together)
-- sensitivity: sum(first - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); first in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(first - 1) and sum(first - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(first#2), count = count(case(last#2 then 1; else NULL))
--       filter (any_value = 'open')
--         aggregate per unit by customer#2 = customer: first#2 = min(first), last#2 = min(last), any_value = min(status)
--           project id, customer, day, paid, status, units, first = first_value, last = first_value#2
--             window first_value = first_value(units) over (partition customer; order day asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last, paid asc nulls last, status asc nulls last), first_value#2 = first_value(paid) over (partition customer; order day asc nulls first, paid asc nulls last, id asc nulls last, customer asc nulls last, status asc nulls last, units asc nulls last)
--               scan orders (id, customer, day, paid, status, units)
==
# case: per_unit/amount-of-the-least-by-month
SELECT AVG(a) AS a FROM (SELECT customer, MONTH(day) AS m, MIN_BY(amount, weight) AS a FROM orders GROUP BY customer, m)
-- accept
-- sensitivity: sum(arg_min)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); arg_min in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(arg_min) and sum(arg_min - 500) together)
-- sensitivity: sum(arg_min - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); arg_min in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(arg_min) and sum(arg_min - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(arg_min#2)
--       aggregate per unit by customer#2 = customer, key = month(clamp(day, 2024-01-01, 2024-12-31)): arg_min#2 = min(arg_min)
--         project id, customer, day, amount, weight, arg_min = first_value
--           window first_value = first_value(case((not(is_null(amount)) AND not(is_null(weight))) then amount; else NULL)) over (partition customer, month(clamp(day, 2024-01-01, 2024-12-31)); order not((not(is_null(amount)) AND not(is_null(weight)))) asc nulls last, weight asc nulls last, amount asc nulls last, id asc nulls last, customer asc nulls last, day asc nulls last)
--             scan orders (id, customer, day, amount, weight)
==
# case: per_unit/filtered-first
SELECT COUNT(s) AS n FROM (SELECT customer, FIRST(status ORDER BY day) FILTER (WHERE paid) AS s FROM orders GROUP BY customer)
-- reject DP204  the aggregate first of one unit's rows is not supported
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use COUNT, SUM, AVG, VAR, MIN, MAX, MEDIAN, MODE, ARG_MAX, FIRST or LAST
==
# case: per_unit/median
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(amount) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(median)  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (one group per unit); median in [0, 500], proven; summed around 0, the least; a row adds 500 to sum(median) and sum(median - 500) together)
-- sensitivity: sum(median - 500)  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (one group per unit); median in [0, 500], proven; summed around 500, the greatest; a row adds 500 to sum(median) and sum(median - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then coerce(least(greatest((clamp(low, 0, 500) + coerce((floor((div(coerce((clamp(high, 0, 500) - clamp(low, 0, 500))), 5764607523034235/576460752303423488) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) * 5764607523034235/576460752303423488))), coerce(clamp(low, 0, 500))), coerce(clamp(high, 0, 500)))); else NULL))
--         project id, customer, amount, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then amount; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then amount; else NULL)) over (partition customer)
--             project id, customer, amount, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(amount) asc nulls last, amount asc nulls last, id asc nulls last, customer asc nulls last), count = count(amount) over (partition customer)
--                 scan orders (id, customer, amount)
==
# case: per_unit/median-of-integers
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(units) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(median - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven; summed around 1, the least; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- sensitivity: sum(median - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven; summed around 9, the greatest; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 1, 9)) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 1, 9)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 1, 9))), coerce(clamp(high, 1, 9))); else NULL))
--         project id, customer, units, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer)
--             project id, customer, units, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last), count = count(units) over (partition customer)
--                 scan orders (id, customer, units)
==
# case: per_unit/median-of-doubles
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(weight) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(median)  l0=1 l1=20.1 l2=20.1 linf=20.1 groups=1  (rows per unit 1, proven (one group per unit); median in [0, 20.1], clamped; summed around 0, the least; a row adds 20.1 to sum(median) and sum(median - 20.1) together)
-- sensitivity: sum(median - 20.1)  l0=1 l1=20.1 l2=20.1 linf=20.1 groups=1  (rows per unit 1, proven (one group per unit); median in [0, 20.1], clamped; summed around 20.1, the greatest; a row adds 20.1 to sum(median) and sum(median - 20.1) together)
-- plan:
--   r1:
--     aggregate: avg = avg(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((clamp(low, 0, 2828823515942093/140737488355328) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (clamp(high, 0, 2828823515942093/140737488355328) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), clamp(low, 0, 2828823515942093/140737488355328)), clamp(high, 0, 2828823515942093/140737488355328)); else NULL))
--         project id, customer, weight, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then weight; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then weight; else NULL)) over (partition customer)
--             project id, customer, weight, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(weight) asc nulls last, weight asc nulls last, id asc nulls last, customer asc nulls last), count = count(weight) over (partition customer)
--                 scan orders (id, customer, weight)
==
# case: per_unit/median-of-some
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(units) FILTER (WHERE paid) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(median - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven; summed around 1, the least; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- sensitivity: sum(median - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven; summed around 9, the greatest; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 1, 9)) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 1, 9)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 1, 9))), coerce(clamp(high, 1, 9))); else NULL))
--         project id, customer, paid, units, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then case(paid then units; else NULL); else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then case(paid then units; else NULL); else NULL)) over (partition customer)
--             project id, customer, paid, units, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(case(paid then units; else NULL)) asc nulls last, case(paid then units; else NULL) asc nulls last, id asc nulls last, customer asc nulls last, paid asc nulls last, units asc nulls last), count = count(case(paid then units; else NULL)) over (partition customer)
--                 scan orders (id, customer, paid, units)
==
# case: per_unit/quantile-between
SELECT AVG(m) AS a FROM (SELECT customer, PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(quantile_cont)  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (one group per unit); quantile_cont in [0, 500], proven; summed around 0, the least; a row adds 500 to sum(quantile_cont) and sum(quantile_cont - 500) together)
-- sensitivity: sum(quantile_cont - 500)  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (one group per unit); quantile_cont in [0, 500], proven; summed around 500, the greatest; a row adds 500 to sum(quantile_cont) and sum(quantile_cont - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(quantile_cont)
--       aggregate per unit by customer#2 = customer: quantile_cont = min(case((not(is_null(low)) AND not(is_null(high))) then coerce(least(greatest((clamp(low, 0, 500) + coerce((floor((div(coerce((clamp(high, 0, 500) - clamp(low, 0, 500))), 5764607523034235/576460752303423488) * (((coerce(clamp(count#2, 0, 3)) - 1) * 9/10) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 9/10))))) * 5764607523034235/576460752303423488))), coerce(clamp(low, 0, 500))), coerce(clamp(high, 0, 500)))); else NULL))
--         project id, customer, amount, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 9/10)) + 1)) then amount; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 9/10)) + 1)) then amount; else NULL)) over (partition customer)
--             project id, customer, amount, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(amount) asc nulls last, amount asc nulls last, id asc nulls last, customer asc nulls last), count = count(amount) over (partition customer)
--                 scan orders (id, customer, amount)
==
# case: per_unit/quantile-discrete
SELECT AVG(m) AS a FROM (SELECT customer, QUANTILE_DISC(units, 0.3) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(quantile_disc - 1)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); quantile_disc in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(quantile_disc - 1) and sum(quantile_disc - 9) together)
-- sensitivity: sum(quantile_disc - 9)  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 1, proven (one group per unit); quantile_disc in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(quantile_disc - 1) and sum(quantile_disc - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(quantile_disc)
--       aggregate per unit by customer#2 = customer: quantile_disc = min(case((coerce(row_number#2) = greatest((coerce(clamp(count#2, 0, 3)) - floor((coerce(clamp(count#2, 0, 3)) - (3/10 * coerce(clamp(count#2, 0, 3)))))), 1)) then units; else NULL))
--         project id, customer, units, row_number#2 = row_number, count#2 = count
--           window row_number = row_number() over (partition customer; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last), count = count(units) over (partition customer)
--             scan orders (id, customer, units)
==
# case: per_unit/quantile-of-days
SELECT date_trunc('month', m) AS k, COUNT(*) AS n FROM (SELECT customer, QUANTILE_DISC(day, 0.5) AS m FROM orders GROUP BY customer) GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=13  (rows per unit 1, proven (one group per unit); groups: key: 13 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', coerce(quantile_disc)): count#3 = count(*)
--       aggregate per unit by customer#2 = customer: quantile_disc = min(case((coerce(row_number#2) = greatest((coerce(clamp(count#2, 0, 3)) - floor((coerce(clamp(count#2, 0, 3)) - (1/2 * coerce(clamp(count#2, 0, 3)))))), 1)) then day; else NULL))
--         project id, customer, day, row_number#2 = row_number, count#2 = count
--           window row_number = row_number() over (partition customer; order is_null(day) asc nulls last, day asc nulls last, id asc nulls last, customer asc nulls last), count = count(day) over (partition customer)
--             scan orders (id, customer, day)
==
# case: per_unit/median-of-booleans
SELECT m, COUNT(*) AS n FROM (SELECT customer, MEDIAN(paid) AS m FROM orders GROUP BY customer) GROUP BY m
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: m: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by m = median: count#3 = count(*)
--       aggregate per unit by customer#2 = customer: median = min(case((coerce(row_number#2) = greatest((coerce(clamp(count#2, 0, 3)) - floor((coerce(clamp(count#2, 0, 3)) - (1/2 * coerce(clamp(count#2, 0, 3)))))), 1)) then paid; else NULL))
--         project id, customer, paid, row_number#2 = row_number, count#2 = count
--           window row_number = row_number() over (partition customer; order is_null(paid) asc nulls last, paid asc nulls last, id asc nulls last, customer asc nulls last), count = count(paid) over (partition customer)
--             scan orders (id, customer, paid)
==
# case: per_unit/spreads
SELECT AVG(s) AS s, AVG(v) AS v FROM (SELECT customer, STDDEV(units) AS s, VAR_POP(amount) FILTER (WHERE paid) AS v FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(stddev_samp)  l0=1 l1=5.65685424949 l2=5.65685424949 linf=5.65685424949 groups=1  (rows per unit 1, proven (one group per unit); stddev_samp in [0, 5.65685], proven; summed around 0, the least; a row adds 5.65685 to sum(stddev_samp) and sum(stddev_samp - 5.65685) together)
-- sensitivity: sum(stddev_samp - 5.65685)  l0=1 l1=5.65685424949 l2=5.65685424949 linf=5.65685424949 groups=1  (rows per unit 1, proven (one group per unit); stddev_samp in [0, 5.65685], proven; summed around 5.65685, the greatest; a row adds 5.65685 to sum(stddev_samp) and sum(stddev_samp - 5.65685) together)
-- sensitivity: sum(var_pop)  l0=1 l1=62500 l2=62500 linf=62500 groups=1  (rows per unit 1, proven (one group per unit); var_pop in [0, 62500], proven; summed around 0, the least; a row adds 62500 to sum(var_pop) and sum(var_pop - 62500) together)
-- sensitivity: sum(var_pop - 62500)  l0=1 l1=62500 l2=62500 linf=62500 groups=1  (rows per unit 1, proven (one group per unit); var_pop in [0, 62500], proven; summed around 62500, the greatest; a row adds 62500 to sum(var_pop) and sum(var_pop - 62500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(stddev_samp), avg#2 = avg(var_pop)
--       project customer#2, stddev_samp = case((coerce(count) < 2) then NULL; else (clamp(sqrt(clamp(div((coerce(sum#2) - div((coerce(sum) * coerce(sum)), coerce(count))), (coerce(count) - 1)), 0, 128)), 0, 12) * 1/2)), var_pop = case((coerce(count#2) < 1) then NULL; else (clamp(div((coerce(sum#4) - div((coerce(sum#3) * coerce(sum#3)), coerce(count#2))), coerce(count#2)), 0, 2500000000) * 1/40000))
--         aggregate per unit by customer#2 = customer: count = count(((2 * coerce(clamp(units, 1, 9))) - 10)), sum = sum(((2 * coerce(clamp(units, 1, 9))) - 10)), sum#2 = sum((((2 * coerce(clamp(units, 1, 9))) - 10) * ((2 * coerce(clamp(units, 1, 9))) - 10))), count#2 = count(((2 * steps(coerce(case(paid then clamp(amount, 0, 500); else NULL)), 1/100)) - 50000)), sum#3 = sum(((2 * steps(coerce(case(paid then clamp(amount, 0, 500); else NULL)), 1/100)) - 50000)), sum#4 = sum((((2 * steps(coerce(case(paid then clamp(amount, 0, 500); else NULL)), 1/100)) - 50000) * ((2 * steps(coerce(case(paid then clamp(amount, 0, 500); else NULL)), 1/100)) - 50000)))
--           scan orders (id, customer, amount, paid, units)
==
# case: per_unit/spread-of-doubles
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT SUM(v) AS v FROM (SELECT customer, VAR_SAMP(weight) AS v, AVG(weight) AS a FROM orders GROUP BY customer) WHERE a < 9
-- accept
-- sensitivity: v  l0=1 l1=202.005122681 l2=202.005122681 linf=202.005122681 groups=1  (rows per unit 1, proven (one group per unit); var_samp in [0, 202.005], proven)
-- plan:
--   r1:
--     aggregate: sum#4 = sum(var_samp)
--       filter (avg < 9)
--         project customer#2, var_samp = case((coerce(count) < 2) then NULL; else (clamp(div((coerce(sum#2) - div((coerce(sum) * coerce(sum)), coerce(count))), (coerce(count) - 1)), 0, 867605395538) * 1/4294967296)), avg = case((count#2 = 0) then NULL; else clamp(div((coerce(sum#3) * 1/34359738368), coerce(count#2)), 0, 2828823515942093/140737488355328))
--           aggregate per unit by customer#2 = customer: count = count(((2 * steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/32768)) - 658637)), sum = sum(((2 * steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/32768)) - 658637)), sum#2 = sum((((2 * steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/32768)) - 658637) * ((2 * steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/32768)) - 658637))), sum#3 = sum(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368)), count#2 = count(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368))
--             scan orders (id, customer, weight)
==
# case: per_unit/spread-of-a-constant
SELECT SUM(v) AS v, COUNT(s) AS n FROM (SELECT customer, VAR_POP(2) AS v, STDDEV(units * 0) AS s FROM orders GROUP BY customer)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: v  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 1, proven (one group per unit); var_pop in [0, 0], proven; every row adds 0: no row is read)
-- plan:
--   r1:
--     aggregate: sum#5 = sum(var_pop), count#3 = count(stddev_samp)
--       project customer#2, var_pop = case((coerce(count) < 1) then NULL; else (clamp(div((coerce(sum#2) - div((coerce(sum) * coerce(sum)), coerce(count))), coerce(count)), 0, 0) * 1/4)), stddev_samp = case((coerce(count#2) < 2) then NULL; else (clamp(sqrt(clamp(div((coerce(sum#4) - div((coerce(sum#3) * coerce(sum#3)), coerce(count#2))), (coerce(count#2) - 1)), 0, 0)), 0, 1) * 1/2))
--         aggregate per unit by customer#2 = customer: count = count(((2 * 2) - 4)), sum = sum(((2 * 2) - 4)), sum#2 = sum((((2 * 2) - 4) * ((2 * 2) - 4))), count#2 = count(((2 * coerce((clamp(units, 1, 9) * 0))) - 0)), sum#3 = sum(((2 * coerce((clamp(units, 1, 9) * 0))) - 0)), sum#4 = sum((((2 * coerce((clamp(units, 1, 9) * 0))) - 0) * ((2 * coerce((clamp(units, 1, 9) * 0))) - 0)))
--           scan orders (id, customer, units)
==
# case: per_unit/spread-without-bounds
SELECT AVG(v) AS v FROM (SELECT customer, VAR_POP(code) AS v, STDDEV(rate) AS s FROM orders GROUP BY customer)
-- reject DP301  nothing bounds what is added up
--                                                ^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: per_unit/spread-of-distinct-values
SELECT AVG(v) AS v FROM (SELECT customer, VAR_POP(DISTINCT units) AS v FROM orders GROUP BY customer)
-- reject DP204  the aggregate var_pop of one unit's rows is not supported
--                                        ^^^^^^^^^^^^^^^^^^^^^^
-- help: use COUNT, SUM, AVG, VAR, MIN, MAX, MEDIAN, MODE, ARG_MAX, FIRST or LAST
==
# case: per_unit/texts
# note: as many places as a customer has orders at most
SELECT COUNT(*) AS n FROM (SELECT customer, STRING_AGG(status, ' > ' ORDER BY day DESC, status) AS path FROM orders GROUP BY customer) WHERE path = 'sent > open'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (string_agg = 'sent > open')
--         aggregate per unit by customer#2 = customer: string_agg = min(case(not(is_null(text)) then concat(cut(text, 4), case(is_null(text#2) then ''; else concat(' > ', cut(text#2, 4))), case(is_null(text#3) then ''; else concat(' > ', cut(text#3, 4)))); else NULL))
--           project id, customer, day, status, row_number#2, text = min, text#2 = min#2, text#3 = min#3
--             window min = min(case((row_number#2 = 1) then status; else NULL)) over (partition customer), min#2 = min(case((row_number#2 = 2) then status; else NULL)) over (partition customer), min#3 = min(case((row_number#2 = 3) then status; else NULL)) over (partition customer)
--               project id, customer, day, status, row_number#2 = row_number
--                 window row_number = row_number() over (partition customer; order is_null(status) asc nulls last, day desc nulls last, status asc nulls last, status asc nulls last, id asc nulls last, customer asc nulls last)
--                   scan orders (id, customer, day, status)
==
# case: per_unit/distinct-texts
SELECT AVG(LENGTH(s)) AS a, COUNT(s) AS n FROM (SELECT customer, STRING_AGG(DISTINCT status, '-' ORDER BY status DESC) FILTER (WHERE paid) AS s FROM orders GROUP BY customer)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: sum(LENGTH(string_agg))  l0=1 l1=14 l2=14 linf=14 groups=1  (rows per unit 1, proven (one group per unit); LENGTH(string_agg) in [0, 14], proven; summed around 0, the least; a row adds 14 to sum(LENGTH(string_agg)) and sum(LENGTH(string_agg) - 14) together)
-- sensitivity: sum(LENGTH(string_agg) - 14)  l0=1 l1=14 l2=14 linf=14 groups=1  (rows per unit 1, proven (one group per unit); LENGTH(string_agg) in [0, 14], proven; summed around 14, the greatest; a row adds 14 to sum(LENGTH(string_agg)) and sum(LENGTH(string_agg) - 14) together)
-- plan:
--   r1:
--     aggregate: avg = avg(length(string_agg)), count = count(string_agg)
--       aggregate per unit by customer#2 = customer: string_agg = min(case(not(is_null(text)) then concat(cut(text, 4), case(is_null(text#2) then ''; else concat('-', cut(text#2, 4))), case(is_null(text#3) then ''; else concat('-', cut(text#3, 4)))); else NULL))
--         project id, customer, paid, status, dense_rank#2, text = min, text#2 = min#2, text#3 = min#3
--           window min = min(case((dense_rank#2 = 1) then case(paid then status; else NULL); else NULL)) over (partition customer), min#2 = min(case((dense_rank#2 = 2) then case(paid then status; else NULL); else NULL)) over (partition customer), min#3 = min(case((dense_rank#2 = 3) then case(paid then status; else NULL); else NULL)) over (partition customer)
--             project id, customer, paid, status, dense_rank#2 = dense_rank
--               window dense_rank = dense_rank() over (partition customer; order is_null(case(paid then status; else NULL)) asc nulls last, case(paid then status; else NULL) desc nulls last)
--                 scan orders (id, customer, paid, status)
==
# case: per_unit/texts-of-numbers
SELECT COUNT(*) AS n FROM (SELECT customer, paid, STRING_AGG(units, '' ORDER BY units) AS s FROM orders GROUP BY customer, paid) WHERE s LIKE '%12%'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, paid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter like(string_agg, '%12%')
--         aggregate per unit by customer#2 = customer, paid#2 = paid: string_agg = min(case(not(is_null(text)) then concat(text, case(is_null(text#2) then ''; else concat('', text#2)), case(is_null(text#3) then ''; else concat('', text#3))); else NULL))
--           project id, customer, paid, units, row_number#2, text = min, text#2 = min#2, text#3 = min#3
--             window min = min(case((row_number#2 = 1) then concat(coerce(clamp(units, 1, 9))); else NULL)) over (partition customer, paid), min#2 = min(case((row_number#2 = 2) then concat(coerce(clamp(units, 1, 9))); else NULL)) over (partition customer, paid), min#3 = min(case((row_number#2 = 3) then concat(coerce(clamp(units, 1, 9))); else NULL)) over (partition customer, paid)
--               project id, customer, paid, units, row_number#2 = row_number
--                 window row_number = row_number() over (partition customer, paid; order is_null(concat(coerce(clamp(units, 1, 9)))) asc nulls last, units asc nulls last, concat(coerce(clamp(units, 1, 9))) asc nulls last, id asc nulls last, customer asc nulls last, paid asc nulls last)
--                   scan orders (id, customer, paid, units)
==
# case: per_unit/texts-of-many-rows
SELECT COUNT(*) AS n FROM (SELECT o.customer, STRING_AGG(l.note, ',' ORDER BY l.price) AS s FROM orders AS o JOIN lines AS l ON l.order_id = o.id JOIN orders AS p ON p.customer = o.customer GROUP BY o.customer) WHERE s = 'a,b'
-- reject DP204  the aggregate string_agg of one unit's rows is not supported
--                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows, of 16 at most, for the column of the unit
==
# case: per_unit/median-of-days
# note: between two days it is a moment, and between their ends
SELECT month(m) AS k, COUNT(m) AS n FROM (SELECT customer, MEDIAN(day) AS m FROM orders GROUP BY customer) GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=13  (rows per unit 1, proven (one group per unit); groups: key: 13 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = month(median): count#3 = count(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(make_timestamp((least(greatest(date_diff('microsecond', 1970-01-01 00:00:00, clamp(low, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), 1704067200000000), 1735603200000000) + coerce(round((coerce(least(greatest(date_diff('microsecond', clamp(low, 2024-01-01 00:00:00, 2024-12-31 00:00:00), clamp(high, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), -31536000000000), 31536000000000)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)))))))), clamp(low, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), clamp(high, 2024-01-01 00:00:00, 2024-12-31 00:00:00)); else NULL))
--         project id, customer, day, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then try_cast(day); else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then try_cast(day); else NULL)) over (partition customer)
--             project id, customer, day, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(day) asc nulls last, day asc nulls last, id asc nulls last, customer asc nulls last), count = count(day) over (partition customer)
--                 scan orders (id, customer, day)
==
# case: per_unit/quantile-of-moments
SELECT AVG(m) AS a FROM (SELECT customer, QUANTILE_CONT(placed, 0.3) FILTER (WHERE paid) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(quantile_cont in µs - 1704067200000000)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); quantile_cont in µs in [1704067200000000, 1735603200000000], proven; summed around 1704067200000000, the least; a row adds 31536000000000 to sum(quantile_cont in µs - 1704067200000000) and sum(quantile_cont in µs - 1735603200000000) together)
-- sensitivity: sum(quantile_cont in µs - 1735603200000000)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); quantile_cont in µs in [1704067200000000, 1735603200000000], proven; summed around 1735603200000000, the greatest; a row adds 31536000000000 to sum(quantile_cont in µs - 1704067200000000) and sum(quantile_cont in µs - 1735603200000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, quantile_cont))
--       aggregate per unit by customer#2 = customer: quantile_cont = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(make_timestamp((date_diff('microsecond', 1970-01-01 00:00:00, clamp(low, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) + coerce(round((coerce(date_diff('microsecond', clamp(low, 2024-01-01 00:00:00, 2024-12-31 00:00:00), clamp(high, 2024-01-01 00:00:00, 2024-12-31 00:00:00))) * (((coerce(clamp(count#2, 0, 3)) - 1) * 3/10) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 3/10)))))))), clamp(low, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), clamp(high, 2024-01-01 00:00:00, 2024-12-31 00:00:00)); else NULL))
--         project id, customer, placed, paid, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 3/10)) + 1)) then case(paid then placed; else NULL); else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 3/10)) + 1)) then case(paid then placed; else NULL); else NULL)) over (partition customer)
--             project id, customer, placed, paid, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(case(paid then placed; else NULL)) asc nulls last, case(paid then placed; else NULL) asc nulls last, id asc nulls last, customer asc nulls last, placed asc nulls last, paid asc nulls last), count = count(case(paid then placed; else NULL)) over (partition customer)
--                 scan orders (id, customer, placed, paid)
--   answer:
--     project a = avg#2
--       project avg#2 = make_timestamp(coerce(trunc(avg)))
--         released r1 (avg)
==
# case: per_unit/median-of-later-moments
SELECT COUNT(m) AS n FROM (SELECT customer, MEDIAN(placed + INTERVAL 1 DAY) AS m FROM orders GROUP BY customer)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count#3 = count(median)
--       aggregate per unit by customer#2 = customer: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(make_timestamp((least(greatest(date_diff('microsecond', 1970-01-01 00:00:00, low), 1704153600000000), 1735689600000000) + coerce(round((coerce(least(greatest(date_diff('microsecond', low, high), -31536000000000), 31536000000000)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)))))))), low), high); else NULL))
--         project id, customer, placed, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 1, 0); else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 1, 0); else NULL)) over (partition customer)
--             project id, customer, placed, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer; order is_null(plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 1, 0)) asc nulls last, plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 1, 0) asc nulls last, id asc nulls last, customer asc nulls last, placed asc nulls last), count = count(plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 1, 0)) over (partition customer)
--                 scan orders (id, customer, placed)
==
# case: per_unit/median-of-unbounded
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(rate) AS m FROM orders GROUP BY customer)
-- reject DP301  nothing bounds what AVG adds up
--         ^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: per_unit/quantiles
SELECT COUNT(m) AS n FROM (SELECT customer, QUANTILE_CONT(amount, [0.5]) AS m FROM orders GROUP BY customer)
-- reject DP204  the aggregate quantile_cont of one unit's rows is not supported
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use COUNT, SUM, AVG, VAR, MIN, MAX, MEDIAN, MODE, ARG_MAX, FIRST or LAST
==
# case: per_unit/mode
# differs: values of a unit may tie
SELECT m, COUNT(*) AS n FROM (SELECT customer, MODE(status) AS m FROM orders GROUP BY customer) GROUP BY m
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: m: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by m = mode#2: count#3 = count(*)
--       aggregate per unit by customer#2 = customer: mode#2 = min(mode)
--         project id, customer, status, count#2, mode = first_value
--           window first_value = first_value(status) over (partition customer; order is_null(status) asc nulls last, count#2 desc nulls last, status asc nulls last, id asc nulls last, customer asc nulls last)
--             project id, customer, status, count#2 = count
--               window count = count(status) over (partition customer, status)
--                 scan orders (id, customer, status)
==
# case: per_unit/mode-of-some
SELECT m, COUNT(*) AS n FROM (SELECT customer, MODE(status) FILTER (WHERE paid) AS m FROM orders GROUP BY customer) GROUP BY m
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: m: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by m = mode#2: count#3 = count(*)
--       aggregate per unit by customer#2 = customer: mode#2 = min(mode)
--         project id, customer, paid, status, count#2, mode = first_value
--           window first_value = first_value(case(paid then status; else NULL)) over (partition customer; order is_null(case(paid then status; else NULL)) asc nulls last, count#2 desc nulls last, case(paid then status; else NULL) asc nulls last, id asc nulls last, customer asc nulls last, paid asc nulls last, status asc nulls last)
--             project id, customer, paid, status, count#2 = count
--               window count = count(case(paid then status; else NULL)) over (partition customer, case(paid then status; else NULL))
--                 scan orders (id, customer, paid, status)
==
# case: per_unit/several-places
SELECT SUM(m) AS s FROM (SELECT customer, MEDIAN(units) AS m, MODE(paid) AS p, QUANTILE_CONT(units, 0.25) AS q, ARG_MAX(status, day) AS l, AVG(weight) AS w, COUNT(*) AS n FROM orders GROUP BY customer) WHERE p AND q < 4 AND l = 'open' AND w > 1 AND n > 1
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 1, proven (one group per unit); median in [1, 9], proven)
-- plan:
--   r1:
--     aggregate: sum#2 = sum(median)
--       filter and(mode#2, (quantile_cont < 4), (arg_max#2 = 'open'), (avg > 1), (count#7 > 1))
--         project customer#2, median = min#5, mode#2 = min#6, quantile_cont = min#7, arg_max#2 = min#8, avg = case((count#5 = 0) then NULL; else clamp(div((coerce(sum) * 1/34359738368), coerce(count#5)), 0, 2828823515942093/140737488355328)), count#7 = count#6
--           aggregate per unit by customer#2 = customer: min#5 = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 1, 9)) * (1 - (((coerce(clamp(count#3, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#3, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 1, 9)) * (((coerce(clamp(count#3, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#3, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 1, 9))), coerce(clamp(high, 1, 9))); else NULL)), min#6 = min(mode), min#7 = min(case((not(is_null(low#2)) AND not(is_null(high#2))) then least(greatest(((coerce(clamp(low#2, 1, 9)) * (1 - (((coerce(clamp(count#3, 0, 3)) - 1) * 1/4) - floor(((coerce(clamp(count#3, 0, 3)) - 1) * 1/4))))) + (coerce(clamp(high#2, 1, 9)) * (((coerce(clamp(count#3, 0, 3)) - 1) * 1/4) - floor(((coerce(clamp(count#3, 0, 3)) - 1) * 1/4))))), coerce(clamp(low#2, 1, 9))), coerce(clamp(high#2, 1, 9))); else NULL)), min#8 = min(arg_max), sum = sum(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368)), count#5 = count(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368)), count#6 = count(*)
--             project id, customer, day, weight, paid, status, units, row_number#2, count#3, count#4, low = min, high = min#2, mode = first_value, low#2 = min#3, high#2 = min#4, arg_max = first_value#2
--               window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#3, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#3, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer), first_value = first_value(paid) over (partition customer; order is_null(paid) asc nulls last, count#4 desc nulls last, paid asc nulls last, id asc nulls last, customer asc nulls last, day asc nulls last, weight asc nulls last, status asc nulls last, units asc nulls last, row_number#2 asc nulls last, count#3 asc nulls last), min#3 = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#3, 0, 3)) - 1) * 1/4)) + 1)) then units; else NULL)) over (partition customer), min#4 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#3, 0, 3)) - 1) * 1/4)) + 1)) then units; else NULL)) over (partition customer), first_value#2 = first_value(case((not(is_null(status)) AND not(is_null(day))) then status; else NULL)) over (partition customer; order not((not(is_null(status)) AND not(is_null(day)))) asc nulls last, day desc nulls last, status asc nulls last, id asc nulls last, customer asc nulls last, weight asc nulls last, paid asc nulls last, units asc nulls last, row_number#2 asc nulls last, count#3 asc nulls last, count#4 asc nulls last)
--                 project id, customer, day, weight, paid, status, units, row_number#2 = row_number, count#3 = count, count#4 = count#2
--                   window row_number = row_number() over (partition customer; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last, day asc nulls last, weight asc nulls last, paid asc nulls last, status asc nulls last), count = count(units) over (partition customer), count#2 = count(paid) over (partition customer, paid)
--                     scan orders (id, customer, day, weight, paid, status, units)
==
# case: per_unit/median-of-groups-of-the-unit
SELECT status, AVG(m) AS a FROM (SELECT customer, status, MEDIAN(units) AS m FROM orders GROUP BY customer, status) GROUP BY status
-- accept
-- sensitivity: sum(median - 1)  l0=3 l1=24 l2=24 linf=24 groups=4  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); median in [1, 9], proven; summed around 1, the least; groups: status: 4 values; a unit can be in several; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- sensitivity: sum(median - 9)  l0=3 l1=24 l2=24 linf=24 groups=4  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); median in [1, 9], proven; summed around 9, the greatest; groups: status: 4 values; a unit can be in several; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- plan:
--   r1:
--     aggregate by status#3 = status#2: avg = avg(median)
--       aggregate per unit by customer#2 = customer, status#2 = status: median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 1, 9)) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 1, 9)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 1, 9))), coerce(clamp(high, 1, 9))); else NULL))
--         project id, customer, status, units, row_number#2, count#2, low = min, high = min#2
--           window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer, status), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer, status)
--             project id, customer, status, units, row_number#2 = row_number, count#2 = count
--               window row_number = row_number() over (partition customer, status; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last, status asc nulls last), count = count(units) over (partition customer, status)
--                 scan orders (id, customer, status, units)
==
# case: per_unit/share-of-a-count-that-may-be-zero
# note: the divisor is NULL where it would be 0, and else at least 1
SELECT AVG(x) AS a FROM (SELECT customer, SUM(amount) / NULLIF(COUNT(day), 0) AS x FROM orders GROUP BY customer) AS t
-- accept
-- sensitivity: sum(sum / NULLIF(count, CAST(0 AS BIGINT)))  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum / NULLIF(count, CAST(0 AS BIGINT)) in [0, 1500], clamped; summed around 0, the least; a row adds 1500 to sum(sum / NULLIF(count, CAST(0 AS BIGINT))) and sum(sum / NULLIF(count, CAST(0 AS BIGINT)) - 1500) together)
-- sensitivity: sum(sum / NULLIF(count, CAST(0 AS BIGINT)) - 1500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum / NULLIF(count, CAST(0 AS BIGINT)) in [0, 1500], clamped; summed around 1500, the greatest; a row adds 1500 to sum(sum / NULLIF(count, CAST(0 AS BIGINT))) and sum(sum / NULLIF(count, CAST(0 AS BIGINT)) - 1500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div(coerce(sum#2), coerce(nullif(count#2, 0))))
--       project customer#2, sum#2 = sum, count#2 = count
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(amount, 0, 500)), count = count(day)
--           scan orders (id, customer, day, amount)
==
# case: per_unit/avg-of-undeclared-averages
SELECT AVG(m) AS a FROM (SELECT customer, AVG(id) AS m FROM orders GROUP BY customer) AS o
-- reject DP301  nothing bounds what AVG adds up
--         ^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: per_unit/avg-of-undeclared-medians
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(id) AS m FROM orders GROUP BY customer) AS o
-- reject DP301  nothing bounds what AVG adds up
--         ^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: per_unit/avg-of-what-windows-make-of-undeclared
SELECT AVG(m) AS a FROM (SELECT AVG(id) OVER (PARTITION BY customer) AS m FROM orders) AS o
-- reject DP301  nothing bounds what AVG adds up
--         ^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: per_unit/key-of-units-that-two-tables-name
SELECT n // 2 AS half, COUNT(*) AS units FROM (SELECT m.id, SUM(o.units) AS n FROM (SELECT DISTINCT c.id FROM (SELECT customer FROM orders UNION ALL SELECT customer FROM orders WHERE paid) s, customers c WHERE c.id = s.customer) m, orders o WHERE m.id = o.customer GROUP BY m.id) x GROUP BY 1
-- accept
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 groups=14  (rows per unit 1, proven (one group per unit); groups: key: 14 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = intdiv(sum#2, 2): count = count(*)
--       project id#6, sum#2 = sum
--         aggregate per unit by id#6 = id#4: sum = sum(clamp(units, 1, 9))
--           join inner on (id#4 = customer#6)
--             aggregate per unit by id#4 = id#3
--               join inner on (id#3 = customer#5)
--                 union (customer#5)
--                   project customer#2 = customer
--                     scan orders (id, customer)
--                   project customer#4 = customer#3
--                     filter paid
--                       scan orders (id#2, customer#3, paid)
--                 scan customers (id#3)
--             scan orders (id#5, customer#6, units)
