# about: FILTER (WHERE …) of an aggregate
# policy: shop
# case: filter_clause/count
SELECT COUNT(*) FILTER (WHERE paid) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(paid then 1; else NULL))
--       scan orders (id, customer, paid)
==
# case: filter_clause/sum
SELECT SUM(amount) FILTER (WHERE status = 'open') AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case((status = 'open') then amount; else NULL))
--       scan orders (id, customer, amount, status)
==
# case: filter_clause/avg
SELECT AVG(amount) FILTER (WHERE status = 'open') AS s FROM orders
-- accept
-- sensitivity: sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- sensitivity: sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case((status = 'open') then amount; else NULL))
--       scan orders (id, customer, amount, status)
==
# case: filter_clause/count-of-a-column
SELECT COUNT(weight) FILTER (WHERE units > 3) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case((units > 3) then weight; else NULL))
--       scan orders (id, customer, weight, units)
==
# case: filter_clause/same-filter-shares
# note: the average reuses the count: two measures, not three
SELECT COUNT(amount) FILTER (WHERE paid) AS n, AVG(amount) FILTER (WHERE paid) AS a FROM orders
-- accept
-- sensitivity: sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- sensitivity: sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- plan:
--   r1:
--     aggregate: count = count(case(paid then amount; else NULL)), avg = avg(case(paid then amount; else NULL))
--       scan orders (id, customer, amount, paid)
==
# case: filter_clause/of-a-group
# note: three paid orders of one customer are seldom drawn: the claim is tight all the same
SELECT units, COUNT(*) FILTER (WHERE paid) AS p, COUNT(*) AS n FROM orders GROUP BY units
-- accept
-- sensitivity: p  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows without paid  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(case(paid then 1; else NULL)), count#2 = count(*)
--       scan orders (id, customer, paid, units)
==
# case: filter_clause/null-condition-keeps-nothing
# note: n is always 0, which is not looked for
SELECT COUNT(*) FILTER (WHERE NULL) AS n, COUNT(*) FILTER (WHERE paid IS NULL) AS m FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(NULL then 1; else NULL)), count#2 = count(case(is_null(paid) then 1; else NULL))
--       scan orders (id, customer, paid)
==
# case: filter_clause/narrowed-by-its-condition
# note: where the condition holds, amounts are above 400; elsewhere NULL is added, which is nothing
SELECT SUM(amount) FILTER (WHERE amount > 400) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (amount > CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [400, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case((amount > 400) then amount; else NULL))
--       scan orders (id, customer, amount)
==
# case: filter_clause/having
SELECT segment FROM customers GROUP BY segment HAVING COUNT(*) FILTER (WHERE vip) > 1
-- accept
-- sensitivity: count(CASE WHEN vip THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(case(vip then 1; else NULL))
--       scan customers (id, vip, segment)
--   answer:
--     project segment#3 = segment#2
--       filter (count > 1)
--         released r1 (segment#2, count)
==
# case: filter_clause/count-if-with-filter
SELECT COUNT_IF(paid) FILTER (WHERE units > 2) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(((units > 2) AND paid) then 1; else NULL))
--       scan orders (id, customer, paid, units)
==
# case: filter_clause/count-distinct-per-unit
SELECT SUM(d) AS s FROM (SELECT customer, COUNT(DISTINCT status) FILTER (WHERE paid) AS d FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by customer#2 = customer: count = count(distinct case(paid then status; else NULL))
--         scan orders (id, customer, paid, status)
==
# case: filter_clause/per-unit
SELECT AVG(s) AS a FROM (SELECT customer, SUM(amount) FILTER (WHERE paid) AS s FROM orders GROUP BY customer) x
-- accept
-- sensitivity: sum(sum)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; summed around 0, the least; a row adds 1500 to sum(sum) and sum(sum - 1500) together)
-- sensitivity: sum(sum - 1500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; summed around 1500, the greatest; a row adds 1500 to sum(sum) and sum(sum - 1500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(case(paid then clamp(amount, 0, 500); else NULL))
--           scan orders (id, customer, amount, paid)
==
# case: filter_clause/subquery-in-it
SELECT COUNT(*) FILTER (WHERE region IN (SELECT id FROM regions WHERE zone = 'north')) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(case(found then 1; else NULL))
--       join mark found on (region = id#3)
--         scan customers (id, region)
--         project id#3 = id#2
--           filter (zone = 'north')
--             scan regions (id#2, zone)
==
# case: filter_clause/aggregate-in-it
SELECT SUM(amount) FILTER (WHERE COUNT(*) > 1) AS s FROM orders
-- reject DP207  an aggregate cannot stand in FILTER
--                               ^^^^^^^^^^^^
-- help: compare with a subquery: FILTER (WHERE x > (SELECT AVG(x) FROM t))
==
# case: filter_clause/no-condition
SELECT SUM(amount) FILTER (WHERE amount) AS s FROM orders
-- reject DP205  needs a condition, not DECIMAL(10,2)
--                               ^^^^^^
==
# case: filter_clause/no-aggregate
SELECT ABS(amount) FILTER (WHERE paid) AS s FROM orders
-- reject DP207  FILTER belongs to an aggregate, which cannot stand here
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: filter_clause/of-released-rows
SELECT SUM(n) FILTER (WHERE segment <> 'home') AS s FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project s = sum
--       aggregate: sum = sum(case((segment#3 <> 'home') then n; else NULL))
--         project segment#3 = segment#2, n = count
--           released r1 (segment#2, count)
==
# case: filter_clause/exclusive
# note: an order is in one of them at most: they share what a customer can add
SELECT COUNT(*) FILTER (WHERE paid) AS p, SUM(units) FILTER (WHERE NOT paid) AS u, COUNT(*) FILTER (WHERE paid IS NULL) AS n FROM orders
-- accept
-- sensitivity: p  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: u  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (NOT paid) THEN units ELSE CAST(NULL AS INT) END in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: count = count(case(paid then 1; else NULL)), sum = sum(case(not(paid) then units; else NULL)), count#2 = count(case(is_null(paid) then 1; else NULL))
--       scan orders (id, customer, paid, units)
==
# case: filter_clause/exclusive-averages
SELECT units, AVG(amount) FILTER (WHERE status = 'open') AS o, AVG(amount) FILTER (WHERE status = 'sent' AND paid) AS s FROM orders GROUP BY units
-- accept
-- sensitivity: sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=3 l1=1500 l2=1500 linf=1500 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 0, the least; groups: units: 9 values; a unit can be in several; a row adds 500 to sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- sensitivity: sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500)  l0=3 l1=1500 l2=1500 linf=1500 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 500, the greatest; groups: units: 9 values; a unit can be in several; a row adds 500 to sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- sensitivity: sum(CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=3 l1=1500 l2=1500 linf=1500 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 0, the least; groups: units: 9 values; a unit can be in several; a row adds 500 to sum(CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- sensitivity: sum(CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500)  l0=3 l1=1500 l2=1500 linf=1500 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 500, the greatest; groups: units: 9 values; a unit can be in several; a row adds 500 to sum(CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END) and sum(CASE WHEN ((status = 'sent') AND paid) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - 500) together)
-- plan:
--   r1:
--     aggregate by units#2 = units: avg = avg(case((status = 'open') then amount; else NULL)), avg#2 = avg(case(((status = 'sent') AND paid) then amount; else NULL))
--       scan orders (id, customer, amount, paid, status, units)
==
# case: filter_clause/exclusive-sums
# note: with the counts of their own rows: that of all rows would allow each of them as much as all
SELECT SUM(amount) FILTER (WHERE units <= 2) AS few, SUM(CASE WHEN units BETWEEN 3 AND 5 THEN amount ELSE 0 END) AS some, SUM(weight) FILTER (WHERE units > 5) AS many FROM orders
-- accept
-- sensitivity: few  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (units <= 2) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped)
-- sensitivity: some  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ((units >= 3) AND (units <= 5)) THEN amount ELSE CAST(0.00 AS DECIMAL(12, 2)) END in [0, 500], clamped)
-- sensitivity: many  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (units > 5) THEN weight ELSE CAST(NULL AS DOUBLE) END in [0, 20.1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case((units <= 2) then amount; else NULL)), sum#2 = sum(case(((units >= 3) AND (units <= 5)) then coerce(amount); else 0)), sum#3 = sum(case((units > 5) then weight; else NULL))
--       scan orders (id, customer, amount, weight, units)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", COUNT((CASE WHEN ("t1"."units" <= 2) THEN (CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) ELSE CAST(NULL AS DECIMAL(10, 2)) END)) AS "n0", SUM((CASE WHEN ("t1"."units" <= 2) THEN (CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) ELSE CAST(NULL AS DECIMAL(10, 2)) END)) AS "s0", COUNT((CASE WHEN (("t1"."units" >= 3) AND ("t1"."units" <= 5)) THEN CAST((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) AS DECIMAL(12, 2)) ELSE CAST(NULL AS DECIMAL(12, 2)) END)) AS "n1", SUM((CASE WHEN (("t1"."units" >= 3) AND ("t1"."units" <= 5)) THEN CAST((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) AS DECIMAL(12, 2)) ELSE CAST(NULL AS DECIMAL(12, 2)) END)) AS "s1", COUNT(CAST(ROUND(((CASE WHEN ("t1"."units" > 5) THEN (CASE WHEN ISNAN("t1"."weight") THEN NULL WHEN ("t1"."weight" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."weight" > CAST('20.1' AS DOUBLE)) THEN CAST('20.1' AS DOUBLE) ELSE "t1"."weight" END) ELSE CAST(NULL AS DOUBLE) END) / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "n2", SUM(CAST(ROUND(((CASE WHEN ("t1"."units" > 5) THEN (CASE WHEN ISNAN("t1"."weight") THEN NULL WHEN ("t1"."weight" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."weight" > CAST('20.1' AS DOUBLE)) THEN CAST('20.1' AS DOUBLE) ELSE "t1"."weight" END) ELSE CAST(NULL AS DOUBLE) END) / CAST('2.9103830456733704e-11' AS DOUBLE))) AS BIGINT)) AS "s2"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, n0, s0, n1, s1, n2, s2, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, n0 AS m0, CAST(n0 AS INT128) AS e0, CAST((e0 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS BIGINT)) // m AS BIGINT) AS n0, n1 AS m1, e0 + CAST(n1 AS INT128) AS e1, CAST((e1 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS BIGINT)) // m - (e0 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS BIGINT)) // m AS BIGINT) AS n1, n2 AS m2, e1 + CAST(n2 AS INT128) AS e2, CAST((e2 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS BIGINT)) // m - (e1 * n + CAST(HASH(u, 'rows') % CAST(m AS UBIGINT) AS BIGINT)) // m AS BIGINT) AS n2, s0, s1, s2
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, counted.n0, CASE WHEN counted.n0 = counted.m0 THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n0 + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m0, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m0, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m0, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0, counted.n1, CASE WHEN counted.n1 = counted.m1 THEN counted.s1 ELSE CAST(CAST((CAST(CAST(counted.s1 * 100 AS INT128) AS INT128) * counted.n1 + CASE WHEN CAST(counted.s1 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m1, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m1, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m1, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s1, counted.n2, CASE WHEN counted.n2 = counted.m2 THEN counted.s2 ELSE (CAST(counted.s2 AS INT128) * counted.n2 + CASE WHEN counted.s2 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m2, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m2, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m2, 0) END AS s2
FROM counted)
SELECT SUM(n) AS n, SUM(n0) AS n0, SUM(s0) AS s0, SUM(n1) AS n1, SUM(s1) AS s1, SUM(n2) AS n2, SUM(s2) AS s2
FROM kept
==
# case: filter_clause/overlapping
SELECT COUNT(*) FILTER (WHERE paid) AS p, COUNT(*) FILTER (WHERE units > 3) AS u FROM orders
-- accept
-- sensitivity: p  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: u  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(paid then 1; else NULL)), count#2 = count(case((units > 3) then 1; else NULL))
--       scan orders (id, customer, paid, units)
