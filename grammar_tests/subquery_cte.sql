# about: WITH used twice or more, in subqueries, of what is private and of what is released
# policy: shop
# case: subquery_cte/private-three-uses
WITH o AS (SELECT id, customer FROM orders WHERE paid) SELECT COUNT(*) AS n FROM o a JOIN o b ON a.customer = b.customer JOIN o c ON c.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 27, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer#3 = customer#2)
--         join inner on (customer = customer#2)
--           filter ((number_up_to_3 <= 3) AND paid)
--             project id, customer, paid, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, paid asc nulls last)
--                 scan orders (id, customer, paid)
--           filter ((number_up_to_3#2 <= 3) AND paid#2)
--             project id#2, customer#2, paid#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, paid#2 asc nulls last)
--                 scan orders (id#2, customer#2, paid#2)
--         filter ((number_up_to_3#3 <= 3) AND paid#3)
--           project id#3, customer#3, paid#3, number_up_to_3#3 = row_number#3
--             window row_number#3 = row_number() over (partition customer#3; order id#3 asc nulls last, customer#3 asc nulls last, paid#3 asc nulls last)
--               scan orders (id#3, customer#3, paid#3)
==
# case: subquery_cte/private-in-two-releases
WITH o AS (SELECT * FROM orders WHERE units > 2) SELECT (SELECT COUNT(*) FROM o) AS n, (SELECT SUM(amount) FROM o) AS s
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (units > 2)
--         scan orders (id, customer, units)
--   r2:
--     aggregate: sum = sum(amount)
--       filter (units#2 > 2)
--         scan orders (id#2, customer#2, amount, units#2)
--   answer:
--     project n = count(*)#2, s = sum(amount)#2
--       project count(*)#2, sum(amount)#2 = sum(amount)
--         join inner on true
--           project count(*)#2 = count(*)
--             join inner on true
--               one row
--               project count(*) = count
--                 released r1 (count)
--           project sum(amount) = sum
--             released r2 (sum)
==
# case: subquery_cte/released-once
WITH t AS (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) SELECT a.segment, a.n + b.n AS n FROM t a JOIN t b ON a.segment = b.segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#9 = segment#4, n#5 = (coerce(n#2) + coerce(n#4))
--       join inner on (segment#4 = segment#8)
--         project segment#4 = segment#3, n#2 = n
--           project segment#3 = segment#2, n = count
--             project segment#2, count
--               filter present
--                 released r1 (segment#2, count, present)
--         project segment#8 = segment#7, n#4 = n#3
--           project segment#7 = segment#6, n#3 = count#3
--             project segment#6 = segment#5, count#3 = count#2
--               filter present#2
--                 released r1 (segment#5, count#2, present#2)
==
# case: subquery_cte/released-share
WITH t AS (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) SELECT segment, n / (SELECT SUM(n) + 1 FROM t) AS share FROM t
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#8 = segment#4, share = div(coerce(n#2), coerce(nullif(sum(n) + 1#2, 0)))
--       project segment#4, n#2, sum(n) + 1#2 = sum(n) + 1
--         join inner on true
--           project segment#4 = segment#3, n#2 = n
--             project segment#3 = segment#2, n = count
--               released r1 (segment#2, count)
--           project sum(n) + 1 = (sum + 1)
--             aggregate: sum = sum(n#4)
--               project segment#7 = segment#6, n#4 = n#3
--                 project segment#6 = segment#5, n#3 = count#2
--                   released r1 (segment#5, count#2)
==
# case: subquery_cte/maximum-joined-with-public
WITH revenue (region, total) AS (SELECT c.region, SUM(c.balance) FROM customers c JOIN regions r ON r.id = c.region GROUP BY c.region) SELECT COUNT(*) >= 0 AS any FROM regions r, revenue v WHERE r.id = v.region AND v.total = (SELECT MAX(total) FROM revenue)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: region: from the public regions; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: sum = sum(balance)
--       join inner on (id#2 = region)
--         scan customers (id, region, balance)
--         scan regions (id#2)
--   answer:
--     project any = (count >= 0)
--       aggregate: count = count(*)
--         filter (sum(c.balance)#2 = max(total)#2)
--           project id#3, name, zone, region#4, sum(c.balance)#2, max(total)#2 = max(total)
--             join inner on true
--               filter (id#3 = region#4)
--                 join inner on true
--                   scan regions (id#3, name, zone)
--                   project region#4 = region#3, sum(c.balance)#2 = sum(c.balance)
--                     project region#3 = region#2, sum(c.balance) = sum
--                       project region#2, sum
--                         filter present
--                           released r1 (region#2, sum, present)
--               project max(total) = max
--                 aggregate: max = max(sum(c.balance)#4)
--                   project region#8 = region#7, sum(c.balance)#4 = sum(c.balance)#3
--                     project region#7 = region#6, sum(c.balance)#3 = sum#3
--                       project region#6 = region#5, sum#3 = sum#2
--                         filter present#2
--                           released r1 (region#5, sum#2, present#2)
==
# case: subquery_cte/released-then-fed
WITH t AS (SELECT AVG(units) + 0.25 AS a FROM orders) SELECT COUNT(*) AS n FROM orders WHERE units > (SELECT a FROM t) AND units < 2 + (SELECT a FROM t)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     project a#3 = a#2
--       project a#2 = a
--         project a = (avg + 1/4)
--           released r1 (avg)
--   f2:
--     project a#6 = a#5
--       project a#5 = a#4
--         project a#4 = (avg#2 + 1/4)
--           released r1 (avg#2)
--   r2:
--     aggregate: count = count(*)
--       filter (coerce(units#2) < (2 + clamp(a#6, 1407374883553279/1125899906842624, 5207287069147141/562949953421312)))
--         join left on true
--           filter (coerce(units#2) > a#3)
--             join left on true
--               scan orders (id#2, customer#2, units#2)
--               released f1 (a#3)
--           released f2 (a#6)
==
# case: subquery_cte/released-fed-and-shown
WITH t AS (SELECT COUNT(*) AS k FROM customers) SELECT (SELECT k FROM t) AS k, (SELECT COUNT(*) FROM orders, t WHERE units > t.k + 0.5) AS n
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   f1:
--     project k#2 = k
--       project k = count#2
--         released r1 (count#2)
--   r2:
--     aggregate: count#3 = count(*)
--       join inner on (coerce(units) > (coerce(k#2) + 1/2))
--         scan orders (id#2, customer, units)
--         released f1 (k#2)
--   answer:
--     project k#7 = k#6, n = count(*)#2
--       project k#6, count(*)#2 = count(*)
--         join inner on true
--           project k#6 = k#5
--             join left on true
--               one row
--               project k#5 = k#4
--                 project k#4 = k#3
--                   project k#3 = count
--                     released r1 (count)
--           project count(*) = count#3
--             released r2 (count#3)
==
# case: subquery_cte/nested
WITH a AS (WITH b AS (SELECT * FROM orders WHERE units > 1) SELECT customer, amount FROM b) SELECT SUM(amount) AS s FROM a
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (units > 1)
--         scan orders (id, customer, amount, units)
==
# case: subquery_cte/inner-shadows-outer
WITH a AS (SELECT * FROM orders WHERE units > 2) SELECT COUNT(*) AS n FROM (WITH a AS (SELECT * FROM orders WHERE units > 8) SELECT * FROM a) x JOIN a ON x.id = a.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = id#2)
--         filter (units > 8)
--           scan orders (id, customer, units)
--         filter (units#2 > 2)
--           scan orders (id#2, customer#2, units#2)
==
# case: subquery_cte/before-it-not-itself
WITH a AS (SELECT units AS x FROM orders), b AS (WITH a AS (SELECT x + 1 AS x FROM a) SELECT x FROM a) SELECT SUM(b.x) AS s FROM b
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units + 1 in [2, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((units + 1))
--       scan orders (id, customer, units)
==
# case: subquery_cte/shadows-its-own-table
WITH orders AS (SELECT * FROM main.orders WHERE paid) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter paid
--         scan orders (id, customer, paid)
==
# case: subquery_cte/materialized
WITH a AS MATERIALIZED (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer), b AS NOT MATERIALIZED (SELECT s FROM a) SELECT AVG(s) AS m FROM b
-- accept
-- sensitivity: sum(sum - 1)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped; summed around 1, the least; a row adds 26 to sum(sum - 1) and sum(sum - 27) together)
-- sensitivity: sum(sum - 27)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 27], clamped; summed around 27, the greatest; a row adds 26 to sum(sum - 1) and sum(sum - 27) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--           scan orders (id, customer, units)
==
# case: subquery_cte/per-unit-twice
WITH a AS (SELECT customer, COUNT(*) AS n, SUM(units) AS s FROM orders GROUP BY customer) SELECT COUNT(*) AS k, SUM(x.n + y.s) AS t FROM a x JOIN a y ON x.customer = y.customer
-- accept
-- sensitivity: sum(count + sum - 2)  l0=1 l1=28 l2=28 linf=28 groups=1  (rows per unit 1, proven (one group per unit); count + sum in [2, 30], clamped; summed around 2, the least; a row adds 28 to sum(count + sum - 2) and sum(count + sum - 30) together)
-- sensitivity: sum(count + sum - 30)  l0=1 l1=28 l2=28 linf=28 groups=1  (rows per unit 1, proven (one group per unit); count + sum in [2, 30], clamped; summed around 30, the greatest; a row adds 28 to sum(count + sum - 2) and sum(count + sum - 30) together)
-- plan:
--   r1:
--     aggregate: count#2 = count(*), sum#3 = sum((count + sum#2))
--       join inner on (customer#2 = customer#4)
--         aggregate per unit by customer#2 = customer: count = count(*)
--           scan orders (id, customer)
--         project customer#4, sum#2 = sum
--           aggregate per unit by customer#4 = customer#3: sum = sum(clamp(units, 1, 9))
--             scan orders (id#2, customer#3, units)
==
# case: subquery_cte/in-exists
WITH big AS (SELECT customer FROM orders WHERE units > 5) SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM big WHERE big.customer = c.id) AND c.id IN (SELECT customer FROM big)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (found AND found#2)
--         join mark found#2 on (id = customer#4)
--           join mark found on (customer#2 = id)
--             scan customers (id)
--             project customer#2 = customer
--               filter (units > 5)
--                 scan orders (id#2, customer, units)
--           project customer#4 = customer#3
--             filter (units#2 > 5)
--               scan orders (id#3, customer#3, units#2)
==
# case: subquery_cte/in-a-subquery
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (WITH big AS (SELECT customer FROM orders WHERE units > 5) SELECT 1 FROM big WHERE big.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer#2 = id)
--           scan customers (id)
--           project customer#2 = customer
--             filter (units > 5)
--               scan orders (id#2, customer, units)
==
# case: subquery_cte/folded-name
WITH "Big" AS (SELECT * FROM orders WHERE units > 5) SELECT COUNT(*) AS n FROM bIG
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (units > 5)
--         scan orders (id, customer, units)
==
# case: subquery_cte/some-columns-named
WITH o (a) AS (SELECT units, customer FROM orders) SELECT SUM(a) AS s, COUNT(customer) AS n FROM o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units), count = count(customer)
--       scan orders (id, customer, units)
==
# case: subquery_cte/public-groups
WITH north AS (SELECT id, name FROM regions WHERE zone = 'north') SELECT north.name, COUNT(*) AS n FROM customers c JOIN north ON north.id = c.region GROUP BY north.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         filter (zone = 'north')
--           scan regions (id#2, name, zone)
==
# case: subquery_cte/unused
WITH secret AS (SELECT email FROM customers) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: subquery_cte/unused-but-wrong
# note: the engine does not look at it either
WITH wrong AS (SELECT nothing FROM customers) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: subquery_cte/too-many-names
WITH o (a, b, c) AS (SELECT units, customer FROM orders) SELECT COUNT(*) AS n FROM o
-- reject DP205  3 names for 2 columns
--   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: subquery_cte/joined-across-units
WITH o AS (SELECT * FROM orders) SELECT COUNT(*) AS n FROM o a JOIN o b ON a.units = b.units
-- reject DP402  the joined rows could belong to two different units
--                       ^^^^^^
-- help: join on the unit: orders.customer of both sides
==
# case: subquery_cte/outer-column
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (WITH big AS (SELECT customer FROM orders WHERE customer = c.id) SELECT 1 FROM big)
-- reject DP201  no table c in this FROM
--                                                                                                            ^^^^
==
# case: subquery_cte/private-rows
WITH o AS (SELECT * FROM orders) SELECT units FROM o
-- reject DP401  the query returns rows of individuals
--                                      ^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: subquery_cte/ordered-with-limit
WITH o AS (SELECT * FROM orders ORDER BY day LIMIT 3) SELECT COUNT(*) AS n FROM o
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                 ^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: subquery_cte/shadows-itself
WITH orders AS (SELECT * FROM orders WHERE units > 4) SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (units > 4)
--         scan orders (id, customer, units)
