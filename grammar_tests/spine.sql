# about: Groups of public rows that an outer join keeps: all are there
# policy: shop
# case: spine/average
SELECT AVG(n) AS mean, COUNT(*) AS regions, MIN(n) AS least FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region)
--   answer:
--     project mean = avg, regions = count#2, least = min
--       aggregate: avg = avg(n), count#2 = count(*), min = min(n)
--         project id#4 = id#3, n = count
--           released r1 (id#3, count)
==
# case: spine/empty-groups-are-counted
SELECT COUNT(*) FILTER (WHERE n = 0) AS empty FROM (SELECT r.id, COUNT(c.id) AS n FROM customers c RIGHT JOIN regions r ON c.region = r.id GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region)
--   answer:
--     project empty = count#2
--       aggregate: count#2 = count(case((n = 0) then 1; else NULL))
--         project id#4 = id#3, n = count
--           released r1 (id#3, count)
==
# case: spine/row-before
SELECT d.day, COUNT(o.id) AS n, LAG(COUNT(o.id)) OVER (ORDER BY d.day) AS before FROM generate_series(DATE '2024-01-01', DATE '2024-01-10', INTERVAL 1 DAY) d(day) LEFT JOIN orders o ON o.day = d.day GROUP BY d.day
-- accept
-- sensitivity: n  l0=10 l1=30 l2=30 linf=30 groups=public  (rows per unit 30, enforced per unit (3 rows of orders per customer, times 10 rows of a public table); groups: col0: listed in the query; a unit can be in 10 of them)
-- plan:
--   r1:
--     aggregate by col0#12 = col0#11: count = count(id)
--       join matched on (try_cast(day) = col0#11)
--         union (col0#11)
--           project col0 = 2024-01-01 00:00:00
--             one row
--           project col0#2 = 2024-01-02 00:00:00
--             one row
--           project col0#3 = 2024-01-03 00:00:00
--             one row
--           project col0#4 = 2024-01-04 00:00:00
--             one row
--           project col0#5 = 2024-01-05 00:00:00
--             one row
--           project col0#6 = 2024-01-06 00:00:00
--             one row
--           project col0#7 = 2024-01-07 00:00:00
--             one row
--           project col0#8 = 2024-01-08 00:00:00
--             one row
--           project col0#9 = 2024-01-09 00:00:00
--             one row
--           project col0#10 = 2024-01-10 00:00:00
--             one row
--         scan orders (id, customer, day)
--   answer:
--     project day#2 = col0#12, n = count, before = lag
--       window lag = lag(count) over (order col0#12 asc nulls last)
--         released r1 (col0#12, count)
==
# case: spine/range-in-with
WITH numbers AS (SELECT x FROM range(5, 12) t(x)), groups AS (SELECT x, COUNT(o.id) AS n FROM numbers LEFT JOIN orders o ON o.units = x GROUP BY x) SELECT x, AVG(n) OVER (ORDER BY x ROWS 1 PRECEDING) AS mean FROM groups
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: x: listed in the query; a unit can be in 7 of them)
-- plan:
--   r1:
--     aggregate by x#2 = x: count = count(id)
--       join matched on (coerce(units) = x)
--         project x = col0#8
--           union (col0#8)
--             project col0 = 5
--               one row
--             project col0#2 = 6
--               one row
--             project col0#3 = 7
--               one row
--             project col0#4 = 8
--               one row
--             project col0#5 = 9
--               one row
--             project col0#6 = 10
--               one row
--             project col0#7 = 11
--               one row
--         scan orders (id, customer, units)
--   answer:
--     project x#5 = x#4, mean = avg
--       window avg = avg(n#2) over (order x#4 asc nulls last; rows 1 preceding to 0 current)
--         project x#4 = x#3, n#2 = n
--           project x#3 = x#2, n = count
--             released r1 (x#2, count)
==
# case: spine/using
SELECT MIN(n) AS least FROM (SELECT product, COUNT(quantity) AS n FROM tags LEFT JOIN lines USING (product) GROUP BY product)
-- accept
-- sensitivity: count(quantity)  l0=12 l1=12 l2=12 linf=12 groups=public  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table); groups: product: from the public tags; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#3 = product: count = count(quantity)
--       join matched on (product = product#2)
--         scan tags (product)
--         scan lines (order_id, product#2, quantity)
--   answer:
--     project least = min
--       aggregate: min = min(n)
--         project product#4 = product#3, n = count
--           released r1 (product#3, count)
==
# case: spine/least-groups
SELECT id, n FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.id) ORDER BY n LIMIT 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region)
--   answer:
--     limit 2 offset 0
--       sort n#2 asc nulls last
--         project id#5 = id#4, n#2 = n
--           project id#4 = id#3, n = count
--             released r1 (id#3, count)
==
# case: spine/condition-of-the-join
SELECT AVG(n) AS mean FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id AND c.vip AND r.zone = 'north' GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on and((region = id), vip, (zone = 'north'))
--         scan regions (id, zone)
--         scan customers (id#2, region, vip)
--   answer:
--     project mean = avg
--       aggregate: avg = avg(n)
--         project id#4 = id#3, n = count
--           released r1 (id#3, count)
==
# case: spine/where-on-public-columns
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE r.zone = 'north' GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       filter (zone = 'north')
--         join matched on (region = id)
--           scan regions (id, zone)
--           scan customers (id#2, region)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#4 = id#3, n = count
--           released r1 (id#3, count)
==
# case: spine/where-on-private-columns
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE c.vip GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       filter vip
--         join matched on (region = id)
--           scan regions (id)
--           scan customers (id#2, region, vip)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#4 = id#3, n = count
--           project id#3, count
--             filter present
--               released r1 (id#3, count, present)
==
# case: spine/inner-join
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r JOIN customers c ON c.region = r.id GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join inner on (region = id)
--         scan regions (id)
--         scan customers (id#2, region)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#4 = id#3, n = count
--           project id#3, count
--             filter present
--               released r1 (id#3, count, present)
==
# case: spine/beside-private-rows
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r CROSS JOIN customers c GROUP BY r.id)
-- reject DP403  one private row could meet any number of rows of regions
--                                                                                                 ^^^^^^^^^^^
-- help: join on its key, r.id
==
# case: spine/key-of-the-private-side
# differs: groups that are no more than noise are left out
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, c.vip, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.id, c.vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; id: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by id#3 = id, vip#2 = vip: count = count(id#2)
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region, vip)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#4 = id#3, vip#3 = vip#2, n = count
--           project id#3, vip#2, count
--             filter present
--               released r1 (id#3, vip#2, count, present)
==
# case: spine/two-public-sides
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, v.vip, COUNT(c.id) AS n FROM regions r CROSS JOIN (VALUES (TRUE), (FALSE)) v(vip) LEFT JOIN customers c ON c.region = r.id AND c.vip = v.vip GROUP BY r.id, v.vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table); groups: id: from the public regions; col0: listed in the query; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id, col0#4 = col0#3: count = count(id#2)
--       join matched on ((region = id) AND (vip = col0#3))
--         join inner on true
--           scan regions (id)
--           union (col0#3)
--             project col0 = true
--               one row
--             project col0#2 = false
--               one row
--         scan customers (id#2, region, vip)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#4 = id#3, vip#2 = col0#4, n = count
--           released r1 (id#3, col0#4, count)
==
# case: spine/one-of-two-public-sides
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r CROSS JOIN holidays h LEFT JOIN customers c ON c.region = r.id AND c.born = h.day GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on ((region = id) AND (born = day))
--         join inner on true
--           scan regions (id)
--           scan holidays (day)
--         scan customers (id#2, region, born)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#6 = id#3, n = count
--           project id#3, count
--             filter there
--               join mark there on is_not_distinct(id#3, id#5)
--                 released r1 (id#3, count)
--                 aggregate by id#5 = id#4
--                   join inner on true
--                     scan regions (id#4, name, zone)
--                     scan holidays (day#2, name#2)
==
# case: spine/condition-without-columns
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE 1 = 0 GROUP BY r.id)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       filter (1 = 0)
--         join matched on (region = id)
--           scan regions (id)
--           scan customers (id#2, region)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project id#6 = id#3, n = count
--           project id#3, count
--             filter there
--               join mark there on is_not_distinct(id#3, id#5)
--                 released r1 (id#3, count)
--                 aggregate by id#5 = id#4
--                   filter (1 = 0)
--                     scan regions (id#4, name, zone)
==
# case: spine/key-of-both-public-sides
SELECT AVG(n) AS mean, COUNT(*) AS k FROM (SELECT r.zone = 'north' AND h.name = 'may' AS both, COUNT(c.id) AS n FROM regions r CROSS JOIN holidays h LEFT JOIN customers c ON c.region = r.id AND c.born = h.day GROUP BY 1)
-- accept
-- sensitivity: count(*)  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = ((zone = 'north') AND (name = 'may')): count = count(id#2)
--       join matched on ((region = id) AND (born = day))
--         join inner on true
--           scan regions (id, zone)
--           scan holidays (day, name)
--         scan customers (id#2, region, born)
--   answer:
--     project mean = avg, k = count#2
--       aggregate: avg = avg(n), count#2 = count(*)
--         project both = key, n = count
--           project key, count
--             filter there
--               join mark there on is_not_distinct(key, key#2)
--                 released r1 (key, count)
--                 aggregate by key#2 = ((zone#2 = 'north') AND (name#3 = 'may'))
--                   join inner on true
--                     scan regions (id#3, name#2, zone#2)
--                     scan holidays (day#2, name#3)
==
# case: spine/sum
SELECT AVG(s) AS mean, COUNT(s) AS k FROM (SELECT r.id, SUM(c.age) AS s FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.id)
-- accept
-- sensitivity: sum(age)  l0=1 l1=99 l2=99 linf=99 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; groups: id: from the public regions; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by id#3 = id: sum = sum(age)
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region, age)
--   answer:
--     project mean = avg, k = count
--       aggregate: avg = avg(s), count = count(s)
--         project id#4 = id#3, s = sum#2
--           project id#3, sum#2 = case(present then sum; else NULL)
--             released r1 (id#3, sum, present)
==
# case: spine/sum-of-no-null
SELECT AVG(s) AS mean, COUNT(s) AS k FROM (SELECT r.id, SUM(CASE WHEN c.vip THEN 1 ELSE 0 END) AS s FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.id)
-- accept
-- sensitivity: sum(CASE WHEN vip THEN 1 ELSE 0 END)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN 1 ELSE 0 END in [0, 1], proven; groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: sum = sum(case(vip then 1; else 0))
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region, vip)
--   answer:
--     project mean = avg, k = count
--       aggregate: avg = avg(s), count = count(s)
--         project id#4 = id#3, s = sum
--           released r1 (id#3, sum)
==
# case: spine/average-beside-a-count
SELECT id, n, LAG(a) OVER (ORDER BY id) AS before FROM (SELECT r.id, COUNT(c.id) AS n, AVG(c.age) AS a FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; groups: id: from the public regions; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; groups: id: from the public regions; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2), avg = avg(age)
--       join matched on (region = id)
--         scan regions (id)
--         scan customers (id#2, region, age)
--   answer:
--     project id#5 = id#4, n#2 = n, before = lag
--       window lag = lag(a) over (order id#4 asc nulls last)
--         project id#4 = id#3, n = count, a = avg#2
--           project id#3, count, avg#2 = case(present then avg; else NULL)
--             released r1 (id#3, count, avg, present)
==
# case: spine/nothing-else-is-asked
SELECT zone, COUNT(*) AS k FROM (SELECT DISTINCT r.id, r.zone FROM regions r LEFT JOIN customers c ON c.region = r.id) GROUP BY zone
-- accept
-- plan:
--   answer:
--     project zone#5 = zone#4, k = count
--       aggregate by zone#4 = zone#3: count = count(*)
--         aggregate by id#3 = id#2, zone#3 = zone#2
--           project id#2 = id, zone#2 = zone
--             scan regions (id, name, zone)
==
# case: spine/before-an-inner-join
SELECT AVG(n) AS mean FROM (SELECT r.id, p.kind, COUNT(c.id) AS n FROM (regions r LEFT JOIN customers c ON c.region = r.id) JOIN products p ON p.id = r.id GROUP BY r.id, p.kind)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id, kind: from the public regions, products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#4 = id#3, kind#2 = kind: count = count(id#2)
--       join inner on (id#3 = id)
--         join matched on (region = id)
--           scan regions (id)
--           scan customers (id#2, region)
--         scan products (id#3, kind)
--   answer:
--     project mean = avg
--       aggregate: avg = avg(n)
--         project id#5 = id#4, kind#3 = kind#2, n = count
--           released r1 (id#4, kind#2, count)
==
# case: spine/two-outer-joins
SELECT MIN(n) AS least FROM (SELECT r.id, COUNT(o.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id LEFT JOIN orders o ON o.customer = c.id GROUP BY r.id)
-- accept
-- sensitivity: count(id)  l0=1 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#4 = id: count = count(id#3)
--       join left on (customer = id#2)
--         join matched on (region = id)
--           scan regions (id)
--           scan customers (id#2, region)
--         scan orders (id#3, customer)
--   answer:
--     project least = min
--       aggregate: min = min(n)
--         project id#5 = id#4, n = count
--           released r1 (id#4, count)
==
# case: spine/of-noisy-rows
WITH f AS (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) SELECT MIN(m) AS least FROM (SELECT f.segment, COUNT(c.id) AS m FROM f LEFT JOIN customers c ON c.segment = f.segment AND c.vip GROUP BY f.segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   f1:
--     project segment#4 = segment#3
--       project segment#3 = segment#2
--         project segment#2
--           filter present
--             released r1 (segment#2, present)
--   r2:
--     aggregate by segment#6 = segment#4: count = count(id#2)
--       join matched on ((segment#5 = segment#4) AND vip)
--         released f1 (segment#4)
--         scan customers (id#2, vip, segment#5)
--   answer:
--     project least = min
--       aggregate: min = min(m)
--         project segment#13 = segment#6, m = count
--           project segment#6, count
--             filter there
--               join mark there on is_not_distinct(segment#6, segment#12)
--                 released r2 (segment#6, count)
--                 aggregate by segment#12 = segment#11
--                   project segment#11 = segment#10
--                     project segment#10 = segment#9
--                       project segment#9 = segment#8
--                         project segment#8 = segment#7
--                           filter present#2
--                             released r1 (segment#7, present#2)
