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
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) * CAST(2 AS DECIMAL(10, 0)))) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0
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
==
# case: subquery/unread-aggregate
SELECT a FROM (SELECT COUNT(*) AS a, SUM(amount) AS b, MAX(amount) AS c FROM orders) x
-- accept
-- sensitivity: a  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project a#2 = a
--       project a = count
--         released r1 (count)
==
# case: subquery/unread-of-groups
SELECT paid, a FROM (SELECT paid, AVG(amount) AS b, COUNT(*) AS a FROM orders GROUP BY paid) x
-- accept
-- sensitivity: a  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: count = count(*)
--       scan orders (id, customer, paid)
--   answer:
--     project paid#4 = paid#3, a#2 = a
--       project paid#3 = paid#2, a = count
--         released r1 (paid#2, count)
==
# case: subquery/unread-but-compared
SELECT a FROM (SELECT COUNT(*) AS a, SUM(amount) AS b FROM orders) x WHERE b > 10
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       scan orders (id, customer, amount)
--   answer:
--     project a#2 = a
--       filter (b > 10)
--         project a = count, b = sum
--           released r1 (count, sum)
==
# case: subquery/unread-twice
WITH w AS (SELECT paid, COUNT(*) AS a, SUM(amount) AS b, AVG(amount) AS c FROM orders GROUP BY paid) SELECT x.paid, x.a, y.b FROM w x JOIN w y ON x.paid = y.paid
-- accept
-- sensitivity: count(*)  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: sum(amount)  l0=2 l1=1500 l2=1500 linf=1500 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: count = count(*), sum = sum(amount)
--       scan orders (id, customer, amount, paid)
--   answer:
--     project paid#9 = paid#4, a#5 = a#2, b#5 = b#4
--       join inner on (paid#4 = paid#8)
--         project paid#4 = paid#3, a#2 = a, b#2 = b
--           project paid#3 = paid#2, a = count, b = sum
--             project paid#2, count, sum
--               filter present
--                 released r1 (paid#2, count, sum, present)
--         project paid#8 = paid#7, a#4 = a#3, b#4 = b#3
--           project paid#7 = paid#6, a#3 = count#3, b#3 = sum#3
--             project paid#6 = paid#5, count#3 = count#2, sum#3 = sum#2
--               filter present#2
--                 released r1 (paid#5, count#2, sum#2, present#2)
==
# case: subquery/unread-and-computed-from
SELECT a FROM (SELECT a, b / a AS c FROM (SELECT COUNT(*) AS a, SUM(amount) AS b FROM orders) y) x
-- accept
-- sensitivity: a  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project a#3 = a#2
--       project a#2 = a
--         project a = count
--           released r1 (count)
==
# case: subquery/unread-window
SELECT paid, a FROM (SELECT paid, COUNT(*) AS a, RANK() OVER (ORDER BY SUM(amount)) AS r FROM orders GROUP BY paid) x
-- accept
-- sensitivity: a  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: count = count(*)
--       scan orders (id, customer, paid)
--   answer:
--     project paid#4 = paid#3, a#2 = a
--       project paid#3 = paid#2, a = count
--         released r1 (paid#2, count)
==
# case: subquery/all-unread
SELECT 7 AS seven FROM (SELECT COUNT(*) AS a, SUM(amount) AS b FROM orders) x
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project seven = 7
--       project a = count
--         released r1 (count)
==
# case: subquery/unread-per-unit
SELECT AVG(n) AS m FROM (SELECT customer, COUNT(*) AS n, SUM(amount) AS s, MAX(day) AS d FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 1, the least; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 3, the greatest; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate: avg = avg(count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: subquery/unread-in-a-correlated
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT COUNT(*) AS k, SUM(amount) AS s FROM orders o WHERE o.customer = c.id) x WHERE x.k > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (coalesce(clamp(here, 1, 3), 0) > 1)
--         join left on (customer#2 = id)
--           scan customers (id)
--           project customer#2, here = count
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id#2, customer)
==
# case: subquery/unread-beside-a-constant
SELECT k, n FROM (SELECT 7 AS k, SUM(amount) AS s FROM orders) x, (SELECT COUNT(*) AS n FROM customers) y
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   answer:
--     project k#2 = k, n#2 = n
--       join inner on true
--         project k = 7
--           one row
--         project n = count
--           released r1 (count)
==
# case: subquery/unread-of-one-row
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT 2 AS k, MAX(amount) AS s FROM orders) x ON c.region = x.k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (region = 2)
--         scan customers (id, region)
