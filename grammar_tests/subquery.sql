# about: Subqueries in FROM
# policy: shop
# case: subquery/filter
SELECT COUNT(*) AS n FROM (SELECT * FROM orders WHERE amount > 10) o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (amount > 10)
--         scan orders (id, customer, amount)
==
# case: subquery/project
SELECT SUM(x) AS s FROM (SELECT amount * 2 AS x FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount * 2 in [0, 1000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((amount * 2))
--       scan orders (id, customer, amount)
-- sql:
WITH "cells" AS MATERIALIZED (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) * CAST(2 AS DECIMAL(10, 0)))) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, CAST(3 AS BIGINT) AS n
FROM cells
WHERE n > CAST(3 AS BIGINT)),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT cells.n, cells.s0
FROM cells
WHERE cells.n <= CAST(3 AS BIGINT) UNION ALL
SELECT counted.n, CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n + CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS INT128)) // NULLIF(counted.m, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: subquery/renamed-columns
SELECT SUM(b) AS s FROM (SELECT id, amount FROM orders) AS o (a, b)
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       scan orders (id, customer, amount)
==
# case: subquery/nested
SELECT SUM(y) AS s FROM (SELECT x + 1 AS y FROM (SELECT amount AS x FROM orders WHERE paid) a WHERE x < 50) b
-- accept
-- sensitivity: s  l0=1 l1=153 l2=153 linf=153 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount + 1 in [1, 51], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((amount + 1))
--       filter (paid AND (amount < 50))
--         scan orders (id, customer, amount, paid)
==
# case: subquery/join-inside
SELECT COUNT(*) AS n FROM (SELECT o.id, c.vip FROM orders o JOIN customers c ON o.customer = c.id) j WHERE vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id#2)
--         scan orders (id, customer)
--         filter vip
--           scan customers (id#2, vip)
==
# case: subquery/join-outside
SELECT COUNT(*) AS n FROM (SELECT * FROM orders WHERE paid) o JOIN (SELECT * FROM customers WHERE vip) c ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id#2)
--         filter paid
--           scan orders (id, customer, paid)
--         filter vip
--           scan customers (id#2, vip)
==
# case: subquery/redefined-column
SELECT SUM(amount) AS s FROM (SELECT amount * 10 AS amount FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=15000 l2=15000 linf=15000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount * 10 in [0, 5000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((amount * 10))
--       scan orders (id, customer, amount)
==
# case: subquery/released-inside
SELECT n + 1 AS m FROM (SELECT COUNT(*) AS n FROM orders) x
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project m = (coerce(n) + 1)
--       project n = count
--         released r1 (count)
==
# case: subquery/released-rows
SELECT COUNT(*) AS groups, SUM(n) AS total FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x WHERE n > 0
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project groups = count#2, total = sum
--       aggregate: count#2 = count(*), sum = sum(n)
--         filter (n > 0)
--           project segment#3 = segment#2, n = count
--             project segment#2, count
--               filter present
--                 released r1 (segment#2, count, present)
==
# case: subquery/limit-inside
SELECT COUNT(*) AS n FROM (SELECT * FROM orders LIMIT 10) o
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                    ^^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: subquery/distinct-inside
SELECT COUNT(*) AS n FROM (SELECT DISTINCT status FROM orders) o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct case(is_null(status) then '-'; else concat(cast(length(status)), ':', status)))
--       scan orders (id, customer, status)
==
# case: subquery/order-inside
SELECT COUNT(*) AS n FROM (SELECT * FROM orders ORDER BY amount) o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: subquery/aggregate-by-unit-inside
SELECT AVG(s) AS a FROM (SELECT customer, SUM(amount) AS s FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(sum)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; summed around 0, the least; a row adds 1500 to sum(sum) and sum(sum - 1500) together)
-- sensitivity: sum(sum - 1500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; summed around 1500, the greatest; a row adds 1500 to sum(sum) and sum(sum - 1500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(amount, 0, 500))
--           scan orders (id, customer, amount)
==
# case: subquery/scalar
SELECT COUNT(*) AS n FROM orders WHERE amount > (SELECT AVG(amount) FROM orders)
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(amount)
--       scan orders (id, customer, amount)
--   f1:
--     project avg(amount) = avg
--       released r1 (avg)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(amount#2) > avg(amount))
--         scan orders (id#2, customer#2, amount#2)
--         released f1 (avg(amount))
==
# case: subquery/in
SELECT COUNT(*) AS n FROM orders WHERE customer IN (SELECT id FROM customers WHERE vip)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id#3)
--           scan orders (id, customer)
--           project id#3 = id#2
--             filter vip
--               scan customers (id#2, vip)
==
# case: subquery/exists
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id)
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
# case: subquery/released-joined-with-private
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT AVG(amount) AS a FROM orders) x ON o.amount > x.a
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(amount)
--       scan orders (id, customer, amount)
--   f1:
--     project a = avg
--       released r1 (avg)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(amount#2) > a)
--         scan orders (id#2, customer#2, amount#2)
--         released f1 (a)
==
# case: subquery/released-joined-with-released
SELECT a.n AS orders, b.n AS customers FROM (SELECT COUNT(*) AS n FROM orders) a, (SELECT COUNT(*) AS n FROM customers) b
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
--     project orders = n, customers = n#2
--       join inner on true
--         project n = count
--           released r1 (count)
--         project n#2 = count#2
--           released r2 (count#2)
==
# case: subquery/released-joined-with-public
SELECT r.zone, x.n FROM (SELECT c.region AS id, COUNT(*) AS n FROM customers c WHERE c.region IN (1, 2) GROUP BY c.region) x JOIN regions r ON r.id = x.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         filter in(region, 1, 2)
--           scan customers (id, region)
--         filter in(id#2, 1, 2)
--           scan regions (id#2)
--   answer:
--     project zone#2 = zone, n#2 = n
--       join inner on (id#4 = id#3)
--         project id#3 = region#2, n = count
--           released r1 (region#2, count)
--         scan regions (id#4, name, zone)
==
# case: subquery/unit-hidden-by-name
SELECT COUNT(*) AS n FROM (SELECT amount AS customer FROM orders) o GROUP BY customer
-- reject DP303  the values of customer are private: no public list of its groups is known
--                                                                           ^^^^^^^^
-- help: group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x; or ask with a delta, and groups of few units are left out
