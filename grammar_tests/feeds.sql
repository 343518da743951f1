# about: What is released is rows of the rest of the query: joined, ranked, aggregated, read for groups
# policy: shop
# case: feeds/joined-on-the-key
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT segment, AVG(balance) + 0.5 AS a FROM customers GROUP BY segment) s ON s.segment = c.segment WHERE c.balance > s.a
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: avg = avg(balance)
--       scan customers (id, balance, segment)
--   f1:
--     project segment#3 = segment#2, a = (avg + 1/2)
--       project segment#2, avg
--         filter present
--           released r1 (segment#2, avg, present)
--   r2:
--     aggregate: count = count(*)
--       join inner on ((segment#3 = segment#4) AND (coerce(balance#2) > a))
--         scan customers (id#2, balance#2, segment#4)
--         released f1 (segment#3, a)
==
# case: feeds/cross-join-of-groups
SELECT COUNT(*) AS n FROM customers c, (SELECT vip, COUNT(*) AS n FROM customers GROUP BY vip) s WHERE c.age > s.n + 20.5 AND s.n > 0.5
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate by vip#2 = vip: count = count(*)
--       scan customers (id, vip)
--   f1:
--     project vip#3 = vip#2, n = count
--       project vip#2, count
--         filter present
--           released r1 (vip#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (coerce(age) > (coerce(n) + 41/2))
--         scan customers (id#2, age)
--         filter (coerce(n) > 1/2)
--           released f1 (vip#3, n)
==
# case: feeds/left-joined
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT segment, COUNT(*) AS n FROM customers WHERE vip GROUP BY segment) s ON s.segment = c.segment AND s.n > 0.5 WHERE s.n IS NULL
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       filter vip
--         scan customers (id, vip, segment)
--   f1:
--     project segment#3 = segment#2, n = count
--       project segment#2, count
--         filter present
--           released r1 (segment#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       filter is_null(n)
--         join left on ((segment#3 = segment#4) AND (coerce(n) > 1/2))
--           scan customers (id#2, segment#4)
--           released f1 (segment#3, n)
==
# case: feeds/chain
WITH a AS (SELECT AVG(units) + 0.25 AS m FROM orders), b AS (SELECT COUNT(*) AS k FROM orders, a WHERE units > a.m) SELECT COUNT(*) AS n FROM orders, a, b WHERE orders.units > a.m AND orders.units > b.k + 0.5
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f2:
--     project m#2 = m
--       project m = (avg#2 + 1/4)
--         released r1 (avg#2)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(units#2) > m#2)
--         scan orders (id#2, customer#2, units#2)
--         released f2 (m#2)
--   f1:
--     project m#4 = m#3
--       project m#3 = (avg + 1/4)
--         released r1 (avg)
--   f3:
--     project k#2 = k
--       project k = count
--         released r2 (count)
--   r3:
--     aggregate: count#2 = count(*)
--       join inner on (coerce(units#3) > (coerce(k#2) + 1/2))
--         join inner on (coerce(units#3) > m#4)
--           scan orders (id#3, customer#3, units#3)
--           released f1 (m#4)
--         released f3 (k#2)
==
# case: feeds/argument
SELECT SUM(CASE WHEN c.balance > s.a THEN 1 ELSE 0 END) AS above FROM customers c JOIN (SELECT level, AVG(balance) + 0.5 AS a FROM customers GROUP BY level) s ON s.level = c.level
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=4  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: level: 4 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: level: 4 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: sum(CASE WHEN (balance > a) THEN 1 ELSE 0 END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN (balance > a) THEN 1 ELSE 0 END in [0, 1], proven)
-- plan:
--   r1:
--     aggregate by level#2 = level: avg = avg(balance)
--       scan customers (id, balance, level)
--   f1:
--     project level#3 = level#2, a = (avg + 1/2)
--       project level#2, avg
--         filter present
--           released r1 (level#2, avg, present)
--   r2:
--     aggregate: sum = sum(case((coerce(balance#2) > a) then 1; else 0))
--       join inner on (coerce(level#3) = coerce(level#4))
--         scan customers (id#2, balance#2, level#4)
--         released f1 (level#3, a)
==
# case: feeds/best-group
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT segment FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x ORDER BY n DESC LIMIT 1) best ON best.segment = c.segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   f1:
--     project segment#5 = segment#4
--       limit 1 offset 0
--         sort order desc nulls last
--           project segment#4 = segment#3, order = n
--             project segment#3 = segment#2, n = count
--               project segment#2, count
--                 filter present
--                   released r1 (segment#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (segment#5 = segment#6)
--         scan customers (id#2, segment#6)
--         released f1 (segment#5)
==
# case: feeds/ranked
SELECT COUNT(*) AS n FROM orders o JOIN (SELECT units, RANK() OVER (ORDER BY n DESC) AS place FROM (SELECT units, COUNT(*) AS n FROM orders GROUP BY units) x) g ON g.units = o.units WHERE g.place < 3
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   f1:
--     project units#4 = units#3, place = rank
--       window rank = rank() over (order n desc nulls last)
--         project units#3 = units#2, n = count
--           project units#2, count
--             filter present
--               released r1 (units#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (units#4 = units#5)
--         scan orders (id#2, customer#2, units#5)
--         filter (place < 3)
--           released f1 (units#4, place)
==
# case: feeds/united-with-public
SELECT COUNT(*) AS n FROM orders WHERE units IN (SELECT n FROM (SELECT COUNT(*) AS n FROM regions UNION ALL SELECT TRY_CAST(ROUND(AVG(units)) AS BIGINT) FROM orders) x)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     project n#4 = n#3
--       union (n#3)
--         project n#2 = n
--           project n = count
--             aggregate: count = count(*)
--               scan regions (id#2, name, zone)
--         project try_cast(round(avg(units)) as bigint)#2 = try_cast(round(avg(units)) as bigint)
--           project try_cast(round(avg(units)) as bigint) = coerce(round(avg))
--             released r1 (avg)
--   r2:
--     aggregate: count#2 = count(*)
--       filter found
--         join mark found on (coerce(units#2) = n#4)
--           scan orders (id#3, customer#2, units#2)
--           released f1 (n#4)
==
# case: feeds/per-unit-of-fed-rows
SELECT k, COUNT(*) AS n FROM (SELECT o.customer, COUNT(*) AS k FROM orders o, (SELECT AVG(units) + 0.25 AS a FROM orders) x WHERE o.units > x.a GROUP BY o.customer) p GROUP BY k
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: k: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     project a = (avg + 1/4)
--       released r1 (avg)
--   r2:
--     aggregate by k = count: count#2 = count(*)
--       aggregate per unit by customer#3 = customer#2: count = count(*)
--         join inner on (coerce(units#2) > a)
--           scan orders (id#2, customer#2, units#2)
--           released f1 (a)
==
# case: feeds/joined-with-public
SELECT r.zone, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region JOIN (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) s ON s.region = r.id WHERE s.n > 0.5 GROUP BY r.zone
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   f1:
--     project region#3 = region#2, n = count
--       project region#2, count
--         filter present
--           released r1 (region#2, count, present)
--   r2:
--     aggregate by zone#2 = zone: count#2 = count(*)
--       join inner on (region#3 = id#4)
--         join inner on (id#4 = region#4)
--           scan customers (id#3, region#4)
--           scan regions (id#4, zone)
--         filter (coerce(n) > 1/2)
--           released f1 (region#3, n)
--   answer:
--     project zone#4 = zone#2, n#4 = count#2
--       project zone#2, count#2
--         filter chosen
--           join mark chosen on and((id#5 = id#5), (region#8 = id#5), (coerce(n#3) > 1/2), is_not_distinct(zone#2, zone#3))
--             released r2 (zone#2, count#2)
--             join inner on true
--               scan regions (id#5, name, zone#3)
--               project region#8 = region#7, n#3 = n#2
--                 project region#7 = region#6, n#2 = count#4
--                   project region#6 = region#5, count#4 = count#3
--                     filter present#2
--                       released r1 (region#5, count#3, present#2)
==
# case: feeds/released-number-as-key
SELECT s.n, COUNT(*) AS k FROM customers c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s ON s.segment = c.segment GROUP BY s.n
-- reject DP303  the values of n are private: no public list of its groups is known
--                                                                                                                                                  ^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: feeds/released-text-as-key
SELECT s.segment, COUNT(*) AS k FROM customers c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s ON s.segment = c.segment GROUP BY s.segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   f1:
--     project segment#3 = segment#2
--       project segment#2
--         filter present
--           released r1 (segment#2, present)
--   r2:
--     aggregate by segment#5 = segment#3: count = count(*)
--       join inner on (segment#3 = segment#4)
--         scan customers (id#2, segment#4)
--         released f1 (segment#3)
--   answer:
--     project segment#10 = segment#5, k = count
--       project segment#5, count
--         filter chosen
--           join mark chosen on ((segment#9 = segment#9) AND is_not_distinct(segment#5, segment#9))
--             released r2 (segment#5, count)
--             project segment#9 = segment#8
--               project segment#8 = segment#7
--                 project segment#7 = segment#6
--                   filter present#2
--                     released r1 (segment#6, present#2)
==
# case: feeds/case-of-released-as-key
SELECT CASE WHEN s.n > 1.5 THEN 'many' ELSE 'few' END AS size, COUNT(*) AS k FROM customers c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s ON s.segment = c.segment GROUP BY size
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   f1:
--     project segment#3 = segment#2, n = count
--       project segment#2, count
--         filter present
--           released r1 (segment#2, count, present)
--   r2:
--     aggregate by key = case((coerce(n) > 3/2) then 'many'; else 'few'): count#2 = count(*)
--       join inner on (segment#3 = segment#4)
--         scan customers (id#2, segment#4)
--         released f1 (segment#3, n)
--   answer:
--     project size = key, k = count#2
--       project key, count#2
--         filter chosen
--           join mark chosen on ((segment#8 = segment#8) AND is_not_distinct(key, case((coerce(n#3) > 3/2) then 'many'; else 'few')))
--             released r2 (key, count#2)
--             project segment#8 = segment#7, n#3 = n#2
--               project segment#7 = segment#6, n#2 = count#4
--                 project segment#6 = segment#5, count#4 = count#3
--                   filter present#2
--                     released r1 (segment#5, count#3, present#2)
==
# case: feeds/public-of-unknown-size
SELECT COUNT(*) AS n FROM customers c, (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) s WHERE c.age > s.n
-- reject DP403  one private row could meet any number of rows of a subquery of released numbers
--                                                                                                           ^^^^^^^^^^^
-- help: join on all that it is grouped by
==
# case: feeds/released-in-a-sum
SELECT SUM(c.age * s.n) AS t FROM customers c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s ON s.segment = c.segment
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: feeds/united-with-private
SELECT COUNT(*) AS n FROM (SELECT units FROM orders UNION ALL SELECT n FROM (SELECT COUNT(*) AS n FROM customers) x) u
-- reject DP402  numbers over several units among rows of individuals belong to no unit
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: feeds/private-rows-above
SELECT c.age FROM customers c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s ON s.segment = c.segment
-- reject DP401  the query returns rows of individuals
--     ^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: feeds/released-that-fails
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT email, COUNT(*) AS n FROM customers GROUP BY email) s ON s.email = c.email
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                                                              ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: feeds/key-compared-with-a-wider-column
WITH r AS (SELECT vip, age // 50 AS k, COUNT(*) AS n FROM customers GROUP BY vip, age // 50)
SELECT COUNT(*) AS n FROM customers c JOIN r ON c.vip = r.vip WHERE r.k < c.id AND r.k < r.n
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; key: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven (id is the key of customers, times 4 rows of a public table))
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = intdiv(age, 50): count = count(*)
--       scan customers (id, age, vip)
--   f1:
--     project vip#4 = vip#3, k#2 = k, n#2 = n
--       project vip#3 = vip#2, k = key, n = count
--         project vip#2, key, count
--           filter present
--             released r1 (vip#2, key, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on ((vip#5 = vip#4) AND (coerce(k#2) < id#2))
--         scan customers (id#2, vip#5)
--         filter (coerce(k#2) < n#2)
--           released f1 (vip#4, k#2, n#2)
==
# case: feeds/released-cast-that-may-not-fit
SELECT CAST(COUNT(*) AS TINYINT) AS n, CAST(SUM(balance) AS DECIMAL(9,2)) / 2 AS h FROM customers
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(balance)
--       scan customers (id, balance)
==
# case: feeds/released-cast-compared
SELECT segment, CAST(n AS DECIMAL(15,4)) / CAST(m AS DECIMAL(15,4)) AS r FROM (SELECT segment, COUNT(*) AS n, SUM(balance) AS m FROM customers GROUP BY segment) WHERE CAST(n AS SMALLINT) > 0
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*), sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     project segment#4 = segment#3, r = div(coerce(coerce(inside(n, -100000000000, 100000000000))), nullif(coerce(coerce(inside(m, -100000000000, 100000000000))), 0))
--       filter (coerce(inside(n, -32769, 32768)) > 0)
--         project segment#3 = segment#2, n = count, m = sum
--           released r1 (segment#2, count, sum)
==
# case: feeds/the-greatest-of-what-the-keys-fix
# note: of a segment there is one released row: that is no MAX of private rows
SELECT c.segment, MAX(g.n) AS n, COUNT(*) / MIN(g.n) AS share FROM customers AS c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) AS g ON g.segment = c.segment WHERE c.vip GROUP BY c.segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   f1:
--     project segment#3 = segment#2, n = count
--       project segment#2, count
--         filter present
--           released r1 (segment#2, count, present)
--   r2:
--     aggregate by segment#5 = segment#4: count#2 = count(*)
--       join inner on (segment#3 = segment#4)
--         filter vip
--           scan customers (id#2, vip, segment#4)
--         released f1 (segment#3, n)
--   answer:
--     project segment#13 = segment#5, n#5 = max, share = div(coerce(count#2), coerce(nullif(min, 0)))
--       project segment#5, max, count#2, min
--         project segment#5, max = n#4, min = n#4, count#2
--           join inner on (segment#5 = segment#12)
--             project segment#5, count#2
--               filter chosen
--                 join mark chosen on (segment#9 = segment#5)
--                   released r2 (segment#5, count#2)
--                   project segment#9 = segment#8, n#3 = n#2
--                     project segment#8 = segment#7, n#2 = count#4
--                       project segment#7 = segment#6, count#4 = count#3
--                         filter present#2
--                           released r1 (segment#6, count#3, present#2)
--             project segment#12 = segment#11, n#4 = count#6
--               project segment#11 = segment#10, count#6 = count#5
--                 filter present#3
--                   released r1 (segment#10, count#5, present#3)
==
# case: feeds/the-greatest-of-the-only-row
WITH t AS (SELECT COUNT(*) AS n, AVG(amount) AS m FROM orders) SELECT status, COUNT(*) * 100.0 / MAX(t.n) AS pct, AVG(amount) - ANY_VALUE(t.m) AS above FROM orders, t GROUP BY status
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without amount  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 0  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows without amount  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(amount)
--       scan orders (id, customer, amount)
--   f1:
--     project n#2 = n, m#2 = m
--       project n = count, m = avg
--         released r1 (count, avg)
--   r2:
--     aggregate by status#2 = status: count#2 = count(*), avg#2 = avg(amount#2)
--       join inner on true
--         scan orders (id#2, customer#2, amount#2, status)
--         released f1 (n#2, m#2)
--   answer:
--     project status#3 = status#2, pct = div(coerce((coerce(count#2) * 100)), coerce(nullif(max, 0))), above = (avg#2 - any_value)
--       project status#2, count#2, max, avg#2, any_value
--         project status#2, max = n#4, any_value = m#4, count#2, avg#2
--           join inner on true
--             released r2 (status#2, count#2, avg#2)
--             project n#4 = n#3, m#4 = m#3
--               project n#3 = count#3, m#3 = avg#3
--                 released r1 (count#3, avg#3)
==
# case: feeds/the-first-of-the-only-row-beside-some-rows
# note: it is NULL in groups that have none of these
WITH t AS (SELECT COUNT(*) AS n FROM orders) SELECT status, FIRST(t.n) FILTER (WHERE paid) AS f FROM orders, t GROUP BY status
-- reject DP204  the aggregate first of private rows is not supported
--                                                          ^^^^^^^^^
-- help: use MIN, MAX or MODE
==
# case: feeds/the-greatest-of-the-only-row-without-groups
WITH t AS (SELECT COUNT(*) AS n FROM orders) SELECT COUNT(*) * 1.0 / MAX(t.n) FROM orders, t WHERE paid
-- reject DP301  nothing bounds what MAX reads
--                                                                       ^^^
-- help: put it into GROUP BY, if it is one value for all rows, or write LEAST(GREATEST(x, low), high) around it
==
# case: feeds/the-greatest-of-what-a-computed-key-fixes
SELECT YEAR(c.born) AS y, MAX(g.n) AS n, COUNT(*) AS m FROM customers AS c JOIN (SELECT YEAR(born) AS y, COUNT(*) AS n FROM customers GROUP BY YEAR(born)) AS g ON g.y = YEAR(c.born) GROUP BY YEAR(c.born)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=91  (rows per unit 1, proven (id is the key of customers); groups: key: 91 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=91  (rows per unit 1, proven (id is the key of customers); groups: key: 91 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = year(born): count = count(*)
--       scan customers (id, born)
--   f1:
--     project y = key, n = count
--       project key, count
--         filter present
--           released r1 (key, count, present)
--   r2:
--     aggregate by key#2 = year(born#2): count#2 = count(*)
--       join inner on (y = year(clamp(born#2, 1920-01-01, 2010-12-31)))
--         scan customers (id#2, born#2)
--         released f1 (y, n)
--   answer:
--     project y#3 = key#2, n#3 = max, m = count#2
--       project key#2, max, count#2
--         project key#2, max = n#2, count#2
--           join inner on (key#2 = y#2)
--             released r2 (key#2, count#2)
--             project y#2 = key#4, n#2 = count#4
--               project key#4 = key#3, count#4 = count#3
--                 filter present#2
--                   released r1 (key#3, count#3, present#2)
==
# case: feeds/the-greatest-of-what-no-key-fixes
SELECT c.vip, MAX(g.n) AS n FROM customers AS c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) AS g ON g.segment = c.segment GROUP BY c.vip
-- reject DP301  nothing bounds what MAX reads
--                ^^^
-- help: put it into GROUP BY, if it is one value for all rows, or write LEAST(GREATEST(x, low), high) around it
==
# case: feeds/distance-from-the-mean
# note: a released mean lies within the bounds of what it is of, whatever the noise
SELECT AVG(ABS(units - (SELECT AVG(units) FROM orders))) AS d FROM orders
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(ABS((units - "avg(units)")))  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ABS((units - "avg(units)")) in [0, 8], clamped; summed around 0, the least; a row adds 8 to sum(ABS((units - "avg(units)"))) and sum(ABS((units - "avg(units)")) - 8) together)
-- sensitivity: sum(ABS((units - "avg(units)")) - 8)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ABS((units - "avg(units)")) in [0, 8], clamped; summed around 8, the greatest; a row adds 8 to sum(ABS((units - "avg(units)"))) and sum(ABS((units - "avg(units)")) - 8) together)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     project avg(units) = avg
--       released r1 (avg)
--   r2:
--     aggregate: avg#2 = avg(abs((units#2 - avg(units))))
--       join inner on true
--         scan orders (id#2, customer#2, units#2)
--         released f1 (avg(units))
==
# case: feeds/median-absolute-deviation
SELECT MEDIAN(ABS(units - (SELECT MEDIAN(units) FROM orders))) AS mad FROM orders
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- sensitivity: quantiles(ABS((units - "median(units)")))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 524,290 points)
-- plan:
--   r1:
--     aggregate: median = median(units)
--       scan orders (id, customer, units)
--   f1:
--     project median(units) = median
--       released r1 (median)
--   r2:
--     aggregate: median#2 = median(abs((units#2 - median(units))))
--       join inner on true
--         scan orders (id#2, customer#2, units#2)
--         released f1 (median(units))
==
# case: feeds/from-the-mean-of-the-group
SELECT o.status, SUM(o.units - a.m) AS s FROM orders o JOIN (SELECT status, AVG(units) AS m FROM orders GROUP BY status) a ON a.status = o.status GROUP BY o.status
-- accept
-- sensitivity: centred sum(units)  l0=3 l1=12 l2=12 linf=12 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: sum(units - m)  l0=3 l1=24 l2=24 linf=24 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - m in [-8, 8], clamped; groups: status: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(units)
--       scan orders (id, customer, status, units)
--   f1:
--     project status#3 = status#2, m = avg
--       project status#2, avg
--         filter present
--           released r1 (status#2, avg, present)
--   r2:
--     aggregate by status#5 = status#4: sum = sum((units#2 - m))
--       join inner on (status#3 = status#4)
--         scan orders (id#2, customer#2, status#4, units#2)
--         released f1 (status#3, m)
--   answer:
--     project status#10 = status#5, s = sum
--       project status#5, sum
--         filter chosen
--           join mark chosen on (status#9 = status#5)
--             released r2 (status#5, sum)
--             project status#9 = status#8, m#3 = m#2
--               project status#8 = status#7, m#2 = avg#3
--                 project status#7 = status#6, avg#3 = avg#2
--                   filter present#2
--                     released r1 (status#6, avg#2, present#2)
==
# case: feeds/in-spreads
# note: a spread may be 0, and what is divided by it has no bound: GREATEST gives it one
SELECT AVG((balance - (SELECT AVG(balance) FROM customers)) / GREATEST((SELECT STDDEV(balance) FROM customers), 1)) AS z FROM customers
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: rows with balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with balance near 2000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: sum((balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) + 6000)  l0=1 l1=12000 l2=12000 linf=12000 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) in [-6000, 6000], clamped; summed around -6000, the least; a row adds 12000 to sum((balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) + 6000) and sum((balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) - 6000) together)
-- sensitivity: sum((balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) - 6000)  l0=1 l1=12000 l2=12000 linf=12000 groups=1  (rows per unit 1, proven (id is the key of customers); (balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) in [-6000, 6000], clamped; summed around 6000, the greatest; a row adds 12000 to sum((balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) + 6000) and sum((balance - "avg(balance)") / GREATEST("stddev(balance)", CAST('1.0' AS DOUBLE)) - 6000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(balance)
--       scan customers (id, balance)
--   r2:
--     aggregate: stddev_samp = stddev_samp(balance#2)
--       scan customers (id#2, balance#2)
--   f1:
--     project avg(balance) = avg
--       released r1 (avg)
--   f2:
--     project stddev(balance) = stddev_samp
--       released r2 (stddev_samp)
--   r3:
--     aggregate: avg#2 = avg(div((balance#3 - avg(balance)), greatest(stddev(balance), 1)))
--       join inner on true
--         join inner on true
--           scan customers (id#3, balance#3)
--           released f1 (avg(balance))
--         released f2 (stddev(balance))
==
# case: feeds/times-a-correlation
SELECT SUM(age * (SELECT CORR(age, balance) FROM customers)) AS s FROM customers
-- accept
-- sensitivity: rows with age near 18 and balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 18 and balance near 2000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 18 and balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 58.5 and balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 58.5 and balance near 2000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 58.5 and balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 99 and balance near -1000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 99 and balance near 2000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: rows with age near 99 and balance near 5000  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; balance in [-1000, 5000], clamped; a row adds 1 to all 9 weights together)
-- sensitivity: sum(age * "corr(age, balance)")  l0=1 l1=99.0000000001 l2=99.0000000001 linf=99.0000000001 groups=1  (rows per unit 1, proven (id is the key of customers); age * "corr(age, balance)" in [-99, 99], clamped)
-- plan:
--   r1:
--     aggregate: corr = corr(age, balance)
--       scan customers (id, age, balance)
--   f1:
--     project corr(age, balance) = corr
--       released r1 (corr)
--   r2:
--     aggregate: sum = sum((age#2 * corr(age, balance)))
--       join inner on true
--         scan customers (id#2, age#2)
--         released f1 (corr(age, balance))
==
# case: feeds/over-a-count
# note: a noisy count has no end
SELECT SUM((SELECT COUNT(*) FROM customers) / age) AS s, SUM(age / (SELECT COUNT(*) FROM customers)) AS t FROM customers
-- reject DP301  nothing bounds what SUM adds up
--                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: feeds/the-mean-of-the-only-row
WITH t AS (SELECT COUNT(*) AS n, AVG(amount) AS m FROM orders) SELECT status, COUNT(*) * 100.0 / AVG(t.n) AS pct, AVG(amount) - AVG(t.m) AS above FROM orders, t GROUP BY status
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without amount  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 0  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with amount near 500  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows without amount  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(amount)
--       scan orders (id, customer, amount)
--   f1:
--     project n#2 = n, m#2 = m
--       project n = count, m = avg
--         released r1 (count, avg)
--   r2:
--     aggregate by status#2 = status: count#2 = count(*), avg#2 = avg(amount#2)
--       join inner on true
--         scan orders (id#2, customer#2, amount#2, status)
--         released f1 (n#2, m#2)
--   answer:
--     project status#3 = status#2, pct = div(coerce((coerce(count#2) * 100)), nullif(avg#4, 0)), above = (avg#2 - avg#5)
--       project status#2, count#2, avg#4, avg#2, avg#5
--         project status#2, avg#4 = coerce(n#4), avg#5 = m#4, count#2, avg#2
--           join inner on true
--             released r2 (status#2, count#2, avg#2)
--             project n#4 = n#3, m#4 = m#3
--               project n#3 = count#3, m#3 = avg#3
--                 released r1 (count#3, avg#3)
==
# case: feeds/the-mean-of-what-a-key-fixes
SELECT l.product, AVG(p.price) AS price, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product GROUP BY l.product
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product, avg: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id, avg = coerce(price): count = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product)
--         scan products (id, price)
--   answer:
--     project product#3 = product#2, price#2 = avg, n = count
--       project product#2, avg, count
--         released r1 (product#2, avg, count)
==
# case: feeds/the-mean-of-what-a-key-fixes-of-some-rows
SELECT l.product, AVG(p.price) FILTER (WHERE l.returned) AS price, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product GROUP BY l.product
-- accept
-- sensitivity: rows with CASE WHEN returned THEN price ELSE CAST(NULL AS DECIMAL(8, 2)) END near 0  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); CASE WHEN returned THEN price ELSE CAST(NULL AS DECIMAL(8, 2)) END in [0, 200], clamped; groups: product: from the public products; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with CASE WHEN returned THEN price ELSE CAST(NULL AS DECIMAL(8, 2)) END near 200  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); CASE WHEN returned THEN price ELSE CAST(NULL AS DECIMAL(8, 2)) END in [0, 200], clamped; groups: product: from the public products; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows without CASE WHEN returned THEN price ELSE CAST(NULL AS DECIMAL(8, 2)) END  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by product#2 = id: avg = avg(case(returned then price; else NULL)), count = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product, returned)
--         scan products (id, price)
==
# case: feeds/groups-that-released-rows-choose
# note: the others are no groups: what is released is filtered by the same condition
SELECT region, COUNT(*) AS n FROM customers WHERE region IN (SELECT region FROM customers GROUP BY region HAVING COUNT(*) > 3) GROUP BY region
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   f1:
--     project region#3 = region#2
--       filter (count > 3)
--         project region#2, count
--           filter present
--             released r1 (region#2, count, present)
--   r2:
--     aggregate by region#5 = id#4: count#2 = count(*)
--       filter found
--         join mark found on (region#4 = region#3)
--           join inner on (region#4 = id#4)
--             scan customers (id#3, region#4)
--             scan regions (id#4)
--           released f1 (region#3)
--   answer:
--     project region#10 = region#5, n = count#2
--       project region#5, count#2
--         filter found#2
--           join mark found#2 on (region#5 = region#9)
--             released r2 (region#5, count#2)
--             project region#9 = region#8
--               project region#8 = region#7
--                 filter (count#4 > 3)
--                   project region#7 = region#6, count#4 = count#3
--                     filter present#2
--                       released r1 (region#6, count#3, present#2)
==
# case: feeds/groups-that-a-released-number-chooses
SELECT region, COUNT(*) AS n FROM customers WHERE region > (SELECT COUNT(*) / 10 FROM customers) GROUP BY region
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   f1:
--     project count(*) / 10 = div(coerce(count), 10)
--       released r1 (count)
--   r2:
--     aggregate by region#2 = id#3: count#2 = count(*)
--       join inner on (region = id#3)
--         join inner on (coerce(region) > count(*) / 10)
--           scan customers (id#2, region)
--           released f1 (count(*) / 10)
--         scan regions (id#3)
--   answer:
--     project region#3 = region#2, n = count#2
--       project region#2, count#2
--         filter chosen
--           join mark chosen on (coerce(region#2) > count(*) / 10#3)
--             released r2 (region#2, count#2)
--             project count(*) / 10#3 = count(*) / 10#2
--               project count(*) / 10#2 = div(coerce(count#3), 10)
--                 released r1 (count#3)
==
# case: feeds/groups-of-what-a-chosen-row-has
SELECT r.zone, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region WHERE c.region IN (SELECT region FROM customers GROUP BY region HAVING COUNT(*) > 3) GROUP BY r.zone
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   f1:
--     project region#3 = region#2
--       filter (count > 3)
--         project region#2, count
--           filter present
--             released r1 (region#2, count, present)
--   r2:
--     aggregate by zone#2 = zone: count#2 = count(*)
--       filter found
--         join mark found on (region#4 = region#3)
--           join inner on (id#4 = region#4)
--             scan customers (id#3, region#4)
--             scan regions (id#4, zone)
--           released f1 (region#3)
--   answer:
--     project zone#4 = zone#2, n = count#2
--       project zone#2, count#2
--         filter chosen
--           join mark chosen on and((id#5 = id#5), found#2, is_not_distinct(zone#2, zone#3))
--             released r2 (zone#2, count#2)
--             join mark found#2 on (id#5 = region#8)
--               scan regions (id#5, name, zone#3)
--               project region#8 = region#7
--                 project region#7 = region#6
--                   filter (count#4 > 3)
--                     project region#6 = region#5, count#4 = count#3
--                       filter present#2
--                         released r1 (region#5, count#3, present#2)
==
# case: feeds/sum-of-shares-of-a-total
SELECT status, SUM(amount / (SELECT SUM(amount) FROM orders)) AS share FROM orders GROUP BY status
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       scan orders (id, customer, amount)
--   f1:
--     project sum(amount) = sum
--       released r1 (sum)
--   r2:
--     aggregate by status#2 = status: sum#2 = sum(coerce(amount#2))
--       join inner on true
--         scan orders (id#2, customer#2, amount#2, status)
--         released f1 (sum(amount))
--   answer:
--     project status#3 = status#2, share = sum#4
--       project status#2, sum#4 = div(sum#2, nullif(factor, 0))
--         project status#2, factor = coerce(sum(amount)#2), sum#2
--           join inner on true
--             released r2 (status#2, sum#2)
--             project sum(amount)#2 = sum#3
--               released r1 (sum#3)
==
# case: feeds/mean-divided-by-what-the-group-has
SELECT o.status, AVG((o.units - g.mean) / (1 + g.total)) AS a FROM orders AS o JOIN (SELECT status, AVG(units) AS mean, SUM(units) AS total FROM orders GROUP BY status) AS g ON g.status = o.status GROUP BY o.status
-- accept
-- sensitivity: centred sum(units)  l0=3 l1=12 l2=12 linf=12 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: sum(units - mean + 8)  l0=3 l1=48.0000000001 l2=48.0000000001 linf=48.0000000001 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - mean in [-8, 8], clamped; summed around -8, the least; groups: status: 3 values; a unit can be in several; a row adds 16 to sum(units - mean + 8) and sum(units - mean - 8) together)
-- sensitivity: sum(units - mean - 8)  l0=3 l1=48.0000000001 l2=48.0000000001 linf=48.0000000001 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - mean in [-8, 8], clamped; summed around 8, the greatest; groups: status: 3 values; a unit can be in several; a row adds 16 to sum(units - mean + 8) and sum(units - mean - 8) together)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(units), sum = sum(units)
--       scan orders (id, customer, status, units)
--   f1:
--     project status#3 = status#2, mean = avg, total = sum
--       project status#2, avg, sum
--         filter present
--           released r1 (status#2, avg, sum, present)
--   r2:
--     aggregate by status#5 = status#4: avg#2 = avg((units#2 - mean))
--       join inner on (status#3 = status#4)
--         scan orders (id#2, customer#2, status#4, units#2)
--         released f1 (status#3, mean, total)
--   answer:
--     project status#13 = status#5, a = avg#7
--       project status#5, avg#7 = div(avg#2, nullif(factor, 0))
--         project status#5, factor = coerce((1 + coerce(total#4))), avg#2
--           join inner on (status#5 = status#12)
--             project status#5, avg#2
--               filter chosen
--                 join mark chosen on (status#9 = status#5)
--                   released r2 (status#5, avg#2)
--                   project status#9 = status#8, mean#3 = mean#2, total#3 = total#2
--                     project status#8 = status#7, mean#2 = avg#4, total#2 = sum#3
--                       project status#7 = status#6, avg#4 = avg#3, sum#3 = sum#2
--                         filter present#2
--                           released r1 (status#6, avg#3, sum#2, present#2)
--             project status#12 = status#11, mean#4 = avg#6, total#4 = sum#5
--               project status#11 = status#10, avg#6 = avg#5, sum#5 = sum#4
--                 filter present#3
--                   released r1 (status#10, avg#5, sum#4, present#3)
==
# case: feeds/a-factor-that-is-no-value-of-the-group
SELECT SUM(o.units / g.n) AS a FROM orders AS o JOIN (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g ON g.status = o.status
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: feeds/two-released-rows-that-a-column-between-them-equates
WITH g AS (SELECT status, AVG(units) AS mean FROM orders GROUP BY status), h AS (SELECT status, SUM(units) AS total FROM orders GROUP BY status) SELECT g.status, h.total, SUM((o.units - g.mean) / h.total) AS s FROM orders AS o JOIN g ON o.status = g.status JOIN h ON o.status = h.status GROUP BY g.status, h.total
-- accept
-- sensitivity: centred sum(units)  l0=3 l1=12 l2=12 linf=12 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: sum(units)  l0=3 l1=27 l2=27 linf=27 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: sum(units - mean)  l0=3 l1=24 l2=24 linf=24 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - mean in [-8, 8], clamped; groups: status: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(units)
--       scan orders (id, customer, status, units)
--   r2:
--     aggregate by status#4 = status#3: sum = sum(units#2)
--       scan orders (id#2, customer#2, status#3, units#2)
--   f1:
--     project status#6 = status#5, mean#2 = mean
--       project status#5 = status#2, mean = avg
--         project status#2, avg
--           filter present
--             released r1 (status#2, avg, present)
--   f2:
--     project status#8 = status#7, total#2 = total
--       project status#7 = status#4, total = sum
--         project status#4, sum
--           filter present#2
--             released r2 (status#4, sum, present#2)
--   r3:
--     aggregate by status#10 = status#6: sum#2 = sum((units#3 - mean#2))
--       join inner on (status#9 = status#8)
--         join inner on (status#9 = status#6)
--           scan orders (id#3, customer#3, status#9, units#3)
--           released f1 (status#6, mean#2)
--         released f2 (status#8, total#2)
--   answer:
--     project status#25 = status#10, total#9 = total#8, s = sum#7
--       project status#10, total#8, sum#7 = div(sum#2, nullif(factor, 0))
--         project status#10, total#8, factor = coerce(total#8), sum#2
--           project status#10, total#8 = total#7, sum#2
--             join inner on (status#10 = status#24)
--               project status#10, sum#2
--                 filter chosen
--                   join mark chosen on and((status#15 = status#15), (status#15 = status#20), is_not_distinct(status#10, status#15))
--                     released r3 (status#10, sum#2)
--                     join inner on true
--                       project status#15 = status#14, mean#5 = mean#4
--                         project status#14 = status#13, mean#4 = mean#3
--                           project status#13 = status#12, mean#3 = avg#3
--                             project status#12 = status#11, avg#3 = avg#2
--                               filter present#3
--                                 released r1 (status#11, avg#2, present#3)
--                       project status#20 = status#19, total#5 = total#4
--                         project status#19 = status#18, total#4 = total#3
--                           project status#18 = status#17, total#3 = sum#4
--                             project status#17 = status#16, sum#4 = sum#3
--                               filter present#4
--                                 released r2 (status#16, sum#3, present#4)
--               project status#24 = status#23, total#7 = total#6
--                 project status#23 = status#22, total#6 = sum#6
--                   project status#22 = status#21, sum#6 = sum#5
--                     filter present#5
--                       released r2 (status#21, sum#5, present#5)
