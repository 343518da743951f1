# about: ROLLUP, CUBE, GROUPING SETS, and GROUPING()
# policy: shop
# case: grouping_sets/rollup
# note: the totals are added up from the groups: free
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#18 = segment#17, vip#12 = vip#11, n = count#19
--       union (segment#17, vip#11, count#19)
--         project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2
--           project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--             released r1 (segment#2, vip#2, count)
--         project segment#10 = segment#9, vip#7 = NULL, count#9 = count#8
--           project segment#9 = segment#8, count#8 = count#7
--             project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                   released r1 (segment#5, vip#5, count#4)
--         project segment#16 = NULL, vip#10 = NULL, count#18 = count#17
--           project count#17 = count#16
--             project count#16 = coalesce(coerce(inside(count#15, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#15 = sum(count#14)
--                 project segment#15 = segment#14, count#14 = count#13
--                   project segment#14 = segment#13, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#13 = segment#12: count#12 = sum(count#11)
--                       project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                         released r1 (segment#11, vip#8, count#10)
==
# case: grouping_sets/cube
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#21 = segment#20, vip#18 = vip#17, n = count#25
--       union (segment#20, vip#17, count#25)
--         project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2
--           project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--             released r1 (segment#2, vip#2, count)
--         project segment#10 = segment#9, vip#7 = NULL, count#9 = count#8
--           project segment#9 = segment#8, count#8 = count#7
--             project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                   released r1 (segment#5, vip#5, count#4)
--         project segment#13 = NULL, vip#13 = vip#12, count#15 = count#14
--           project vip#12 = vip#11, count#14 = count#13
--             project vip#11 = vip#10, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--               aggregate by vip#10 = vip#9: count#12 = sum(count#11)
--                 project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                   released r1 (segment#11, vip#8, count#10)
--         project segment#19 = NULL, vip#16 = NULL, count#24 = count#23
--           project count#23 = count#22
--             project count#22 = coalesce(coerce(inside(count#21, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#21 = sum(count#20)
--                 project segment#18 = segment#17, count#20 = count#19
--                   project segment#17 = segment#16, count#19 = coerce(inside(count#18, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#16 = segment#15: count#18 = sum(count#17)
--                       project segment#15 = segment#14, vip#15 = vip#14, count#17 = count#16
--                         released r1 (segment#14, vip#14, count#16)
==
# case: grouping_sets/sets-apart
# note: no set lies in the other: each is a release of its own, at half of the ε
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (vip))
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate by vip#2 = vip: count#2 = count(*)
--       scan customers (id#2, vip)
--   answer:
--     project segment#7 = segment#6, vip#7 = vip#6, n = count#7
--       union (segment#6, vip#6, count#7)
--         project segment#4 = segment#3, vip#3 = NULL, count#4 = count#3
--           project segment#3 = segment#2, count#3 = count
--             released r1 (segment#2, count)
--         project segment#5 = NULL, vip#5 = vip#4, count#6 = count#5
--           project vip#4 = vip#2, count#5 = count#2
--             released r2 (vip#2, count#2)
==
# case: grouping_sets/sets-nested
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (segment, vip), ())
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#18 = segment#17, vip#12 = vip#11, n = count#19
--       union (segment#17, vip#11, count#19)
--         project segment#7 = segment#6, vip#4 = NULL, count#6 = count#5
--           project segment#6 = segment#5, count#5 = count#4
--             project segment#5 = segment#4, count#4 = coerce(inside(count#3, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#4 = segment#3: count#3 = sum(count#2)
--                 project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--                   released r1 (segment#2, vip#2, count)
--         project segment#10 = segment#9, vip#7 = vip#6, count#9 = count#8
--           project segment#9 = segment#8, vip#6 = vip#5, count#8 = count#7
--             released r1 (segment#8, vip#5, count#7)
--         project segment#16 = NULL, vip#10 = NULL, count#18 = count#17
--           project count#17 = count#16
--             project count#16 = coalesce(coerce(inside(count#15, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#15 = sum(count#14)
--                 project segment#15 = segment#14, count#14 = count#13
--                   project segment#14 = segment#13, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#13 = segment#12: count#12 = sum(count#11)
--                       project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                         released r1 (segment#11, vip#8, count#10)
==
# case: grouping_sets/grand-total-alone
SELECT COUNT(*) AS n FROM customers GROUP BY GROUPING SETS (())
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
==
# case: grouping_sets/grouping-function
SELECT segment, vip, GROUPING(segment, vip) AS g, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#21 = segment#20, vip#18 = vip#17, g = grouping#5, n = count#25
--       union (segment#20, vip#17, count#25, grouping#5)
--         project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2, grouping = 0
--           project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--             released r1 (segment#2, vip#2, count)
--         project segment#10 = segment#9, vip#7 = NULL, count#9 = count#8, grouping#2 = 1
--           project segment#9 = segment#8, count#8 = count#7
--             project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                   released r1 (segment#5, vip#5, count#4)
--         project segment#13 = NULL, vip#13 = vip#12, count#15 = count#14, grouping#3 = 2
--           project vip#12 = vip#11, count#14 = count#13
--             project vip#11 = vip#10, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--               aggregate by vip#10 = vip#9: count#12 = sum(count#11)
--                 project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                   released r1 (segment#11, vip#8, count#10)
--         project segment#19 = NULL, vip#16 = NULL, count#24 = count#23, grouping#4 = 3
--           project count#23 = count#22
--             project count#22 = coalesce(coerce(inside(count#21, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#21 = sum(count#20)
--                 project segment#18 = segment#17, count#20 = count#19
--                   project segment#17 = segment#16, count#19 = coerce(inside(count#18, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#16 = segment#15: count#18 = sum(count#17)
--                       project segment#15 = segment#14, vip#15 = vip#14, count#17 = count#16
--                         released r1 (segment#14, vip#14, count#16)
==
# case: grouping_sets/null-key-and-total
# note: NULL is a value of status, and what the total has; GROUPING tells them apart
SELECT status, GROUPING(status) AS g, COUNT(*) AS n FROM orders GROUP BY ROLLUP (status)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#9 = status#8, g = grouping#3, n = count#10
--       union (status#8, count#10, grouping#3)
--         project status#4 = status#3, count#3 = count#2, grouping = 0
--           project status#3 = status#2, count#2 = count
--             released r1 (status#2, count)
--         project status#7 = NULL, count#9 = count#8, grouping#2 = 1
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project status#6 = status#5, count#5 = count#4
--                   released r1 (status#5, count#4)
==
# case: grouping_sets/average
SELECT segment, AVG(balance) AS a FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance), count = count(balance)
--       scan customers (id, balance, segment)
--   answer:
--     project segment#9 = segment#8, a = avg#3
--       union (segment#8, avg#3)
--         project segment#4 = segment#3, avg = div(coerce(sum#2), coerce(nullif(count#2, 0)))
--           project segment#3 = segment#2, sum#2 = sum, count#2 = count
--             released r1 (segment#2, sum, count)
--         project segment#7 = NULL, avg#2 = div(coerce(sum#7), coerce(nullif(count#7, 0)))
--           project sum#7 = sum#6, count#7 = count#6
--             project sum#6 = sum#5, count#6 = coalesce(coerce(inside(count#5, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: sum#5 = sum(sum#4), count#5 = sum(count#4)
--                 project segment#6 = segment#5, sum#4 = sum#3, count#4 = count#3
--                   released r1 (segment#5, sum#3, count#3)
==
# case: grouping_sets/sum-and-average
SELECT status, SUM(amount) AS s, AVG(amount) AS a, COUNT(amount) AS n FROM orders GROUP BY ROLLUP (status)
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; groups: status: 4 values; a unit can be in several; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; groups: status: 4 values; a unit can be in several; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(amount), count = count(amount)
--       scan orders (id, customer, amount, status)
--   answer:
--     project status#9 = status#8, s = sum#10, a = avg#3, n = count#10
--       union (status#8, sum#10, avg#3, count#10)
--         project status#4 = status#3, sum#3 = sum#2, avg = div(coerce(sum#2), coerce(nullif(count#2, 0))), count#3 = count#2
--           project status#3 = status#2, sum#2 = sum, count#2 = count
--             released r1 (status#2, sum, count)
--         project status#7 = NULL, sum#9 = sum#8, avg#2 = div(coerce(sum#8), coerce(nullif(count#8, 0))), count#9 = count#8
--           project sum#8 = sum#7, count#8 = count#7
--             project sum#7 = sum#6, count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: sum#6 = sum(sum#5), count#6 = sum(count#5)
--                 project status#6 = status#5, sum#5 = sum#4, count#5 = count#4
--                   released r1 (status#5, sum#4, count#4)
==
# case: grouping_sets/product-of-sets
# note: NULL of an ENUM in the coarser sets
SELECT segment, vip, level, COUNT(*) AS n FROM customers GROUP BY segment, ROLLUP (vip, level)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=24  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; level: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip, level#2 = level: count = count(*)
--       scan customers (id, vip, level, segment)
--   answer:
--     project segment#21 = segment#20, vip#18 = vip#17, level#12 = level#11, n = count#19
--       union (segment#20, vip#17, level#11, count#19)
--         project segment#4 = segment#3, vip#4 = vip#3, level#4 = level#3, count#3 = count#2
--           project segment#3 = segment#2, vip#3 = vip#2, level#3 = level#2, count#2 = count
--             released r1 (segment#2, vip#2, level#2, count)
--         project segment#10 = segment#9, vip#10 = vip#9, level#7 = NULL, count#9 = count#8
--           project segment#9 = segment#8, vip#9 = vip#8, count#8 = count#7
--             project segment#8 = segment#7, vip#8 = vip#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6, vip#7 = vip#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, level#6 = level#5, count#5 = count#4
--                   released r1 (segment#5, vip#5, level#5, count#4)
--         project segment#19 = segment#18, vip#16 = NULL, level#10 = NULL, count#18 = count#17
--           project segment#18 = segment#17, count#17 = count#16
--             project segment#17 = segment#16, count#16 = coerce(inside(count#15, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#16 = segment#15: count#15 = sum(count#14)
--                 project segment#15 = segment#14, vip#15 = vip#14, count#14 = count#13
--                   project segment#14 = segment#13, vip#14 = vip#13, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#13 = segment#12, vip#13 = vip#12: count#12 = sum(count#11)
--                       project segment#12 = segment#11, vip#12 = vip#11, level#9 = level#8, count#11 = count#10
--                         released r1 (segment#11, vip#11, level#8, count#10)
==
# case: grouping_sets/two-rollups
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment), ROLLUP (vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#21 = segment#20, vip#18 = vip#17, n = count#25
--       union (segment#20, vip#17, count#25)
--         project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2
--           project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--             released r1 (segment#2, vip#2, count)
--         project segment#10 = segment#9, vip#7 = NULL, count#9 = count#8
--           project segment#9 = segment#8, count#8 = count#7
--             project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                   released r1 (segment#5, vip#5, count#4)
--         project segment#13 = NULL, vip#13 = vip#12, count#15 = count#14
--           project vip#12 = vip#11, count#14 = count#13
--             project vip#11 = vip#10, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--               aggregate by vip#10 = vip#9: count#12 = sum(count#11)
--                 project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                   released r1 (segment#11, vip#8, count#10)
--         project segment#19 = NULL, vip#16 = NULL, count#24 = count#23
--           project count#23 = count#22
--             project count#22 = coalesce(coerce(inside(count#21, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#21 = sum(count#20)
--                 project segment#18 = segment#17, count#20 = count#19
--                   project segment#17 = segment#16, count#19 = coerce(inside(count#18, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#16 = segment#15: count#18 = sum(count#17)
--                       project segment#15 = segment#14, vip#15 = vip#14, count#17 = count#16
--                         released r1 (segment#14, vip#14, count#16)
==
# case: grouping_sets/same-set-twice
SELECT segment, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (segment))
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#12 = segment#11, n = count#10
--       union (segment#11, count#10)
--         project segment#4 = segment#3, count#3 = count#2
--           project segment#3 = segment#2, count#2 = count
--             released r1 (segment#2, count)
--         project segment#10 = segment#9, count#9 = count#8
--           project segment#9 = segment#8, count#8 = count#7
--             project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, count#5 = count#4
--                   released r1 (segment#5, count#4)
==
# case: grouping_sets/rollup-of-pairs
SELECT YEAR(day) AS y, QUARTER(day) AS q, MONTH(day) AS m, COUNT(*) AS n FROM orders GROUP BY ROLLUP (y, (q, m))
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key, key, key: 12 combinations; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = year(day), key#2 = quarter(day), key#3 = month(day): count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     project y = key#34, q = key#35, m = key#36, n = count#19
--       union (key#34, key#35, key#36, count#19)
--         project key#7 = key#4, key#8 = key#5, key#9 = key#6, count#3 = count#2
--           project key#4 = key, key#5 = key#2, key#6 = key#3, count#2 = count
--             released r1 (key, key#2, key#3, count)
--         project key#19 = key#18, key#20 = NULL, key#21 = NULL, count#9 = count#8
--           project key#18 = key#17, count#8 = count#7
--             project key#17 = key#16, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by key#16 = key#13: count#6 = sum(count#5)
--                 project key#13 = key#10, key#14 = key#11, key#15 = key#12, count#5 = count#4
--                   released r1 (key#10, key#11, key#12, count#4)
--         project key#31 = NULL, key#32 = NULL, key#33 = NULL, count#18 = count#17
--           project count#17 = count#16
--             project count#16 = coalesce(coerce(inside(count#15, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#15 = sum(count#14)
--                 project key#30 = key#29, count#14 = count#13
--                   project key#29 = key#28, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by key#28 = key#25: count#12 = sum(count#11)
--                       project key#25 = key#22, key#26 = key#23, key#27 = key#24, count#11 = count#10
--                         released r1 (key#22, key#23, key#24, count#10)
==
# case: grouping_sets/public-key
SELECT r.name, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY ROLLUP (r.name)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name)
--   answer:
--     project name#9 = name#8, n = count#10
--       union (name#8, count#10)
--         project name#4 = name#3, count#3 = count#2
--           project name#3 = name#2, count#2 = count
--             released r1 (name#2, count)
--         project name#7 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project name#6 = name#5, count#5 = count#4
--                   released r1 (name#5, count#4)
==
# case: grouping_sets/per-unit-sets
# note: the totals' range is taken for every row, and as a sum over the finer groups
SELECT SUM(n) AS s FROM (SELECT customer, status, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((customer, status), (customer))) x
-- accept
-- sensitivity: s  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 4, enforced per unit ((at most 3 groups per unit (3 rows of orders per customer)) plus (one group per unit)); count in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum#2 = sum(count#6)
--       union (count#6, customer#8)
--         project count#2, customer#3 = customer#2
--           project count#2 = count, customer#2
--             aggregate per unit by customer#2 = customer, status#2 = status: count = count(*)
--               scan orders (id, customer, status)
--         project count#5, customer#7 = customer#6
--           project count#5 = coerce(inside(count#4, -9223372036854775809, 9223372036854775808)), customer#6
--             project customer#6, count#4 = sum
--               aggregate per unit by customer#6 = customer#5: sum = sum(clamp(count#3, 1, 3))
--                 aggregate per unit by customer#5 = customer#4, status#4 = status#3: count#3 = count(*)
--                   scan orders (id#2, customer#4, status#3)
==
# case: grouping_sets/set-without-the-unit
SELECT SUM(n) AS s FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY ROLLUP (customer)) x
-- reject DP402  numbers over several units among rows of individuals belong to no unit
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: grouping_sets/having-and-order
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip) HAVING GROUPING(vip) = 1 ORDER BY n DESC
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     sort n desc nulls last
--       project segment#21 = segment#20, vip#18 = vip#17, n = count#25
--         filter (grouping#5 = 1)
--           union (segment#20, vip#17, count#25, grouping#5)
--             project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2, grouping = 0
--               project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--                 released r1 (segment#2, vip#2, count)
--             project segment#10 = segment#9, vip#7 = NULL, count#9 = count#8, grouping#2 = 1
--               project segment#9 = segment#8, count#8 = count#7
--                 project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--                   aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                     project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                       released r1 (segment#5, vip#5, count#4)
--             project segment#13 = NULL, vip#13 = vip#12, count#15 = count#14, grouping#3 = 0
--               project vip#12 = vip#11, count#14 = count#13
--                 project vip#11 = vip#10, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                   aggregate by vip#10 = vip#9: count#12 = sum(count#11)
--                     project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                       released r1 (segment#11, vip#8, count#10)
--             project segment#19 = NULL, vip#16 = NULL, count#24 = count#23, grouping#4 = 1
--               project count#23 = count#22
--                 project count#22 = coalesce(coerce(inside(count#21, -9223372036854775809, 9223372036854775808)), 0)
--                   aggregate: count#21 = sum(count#20)
--                     project segment#18 = segment#17, count#20 = count#19
--                       project segment#17 = segment#16, count#19 = coerce(inside(count#18, -9223372036854775809, 9223372036854775808))
--                         aggregate by segment#16 = segment#15: count#18 = sum(count#17)
--                           project segment#15 = segment#14, vip#15 = vip#14, count#17 = count#16
--                             released r1 (segment#14, vip#14, count#16)
==
# case: grouping_sets/with-a-window
SELECT segment, COUNT(*) / MAX(COUNT(*)) OVER () AS part FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#10 = segment#9, part = div(coerce(count#11), coerce(nullif(max, 0)))
--       window max = max(count#11) over ()
--         union (segment#9, count#11)
--           project segment#4 = segment#3, count#3 = count#2
--             project segment#3 = segment#2, count#2 = count
--               project segment#2, count
--                 filter present
--                   released r1 (segment#2, count, present)
--           project segment#8 = NULL, count#10 = count#9
--             project count#9 = count#8
--               project count#8 = coalesce(coerce(inside(count#7, -9223372036854775809, 9223372036854775808)), 0)
--                 aggregate: count#7 = sum(count#6)
--                   project segment#7 = segment#6, count#6 = count#5
--                     project segment#6 = segment#5, count#5 = count#4
--                       filter present#2
--                         released r1 (segment#5, count#4, present#2)
==
# case: grouping_sets/filtered-aggregate
SELECT segment, COUNT(*) FILTER (WHERE vip) AS v FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: count(CASE WHEN vip THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(case(vip then 1; else NULL))
--       scan customers (id, vip, segment)
--   answer:
--     project segment#9 = segment#8, v = count#10
--       union (segment#8, count#10)
--         project segment#4 = segment#3, count#3 = count#2
--           project segment#3 = segment#2, count#2 = count
--             released r1 (segment#2, count)
--         project segment#7 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project segment#6 = segment#5, count#5 = count#4
--                   released r1 (segment#5, count#4)
==
# case: grouping_sets/minimum
SELECT segment, MIN(age) AS a FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 30 from the end)
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 30 from the end)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: min = min(age)
--       scan customers (id, age, segment)
--   r2:
--     aggregate: min#2 = min(age#2)
--       scan customers (id#2, age#2)
--   answer:
--     project segment#7 = segment#6, a = min#7
--       union (segment#6, min#7)
--         project segment#4 = segment#3, min#4 = min#3
--           project segment#3 = segment#2, min#3 = min
--             released r1 (segment#2, min)
--         project segment#5 = NULL, min#6 = min#5
--           project min#5 = min#2
--             released r2 (min#2)
==
# case: grouping_sets/unit-in-a-set
SELECT segment, id, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (id))
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: grouping_sets/no-domain-in-a-set
SELECT segment, email, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (email))
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                                                      ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: grouping_sets/grouping-of-no-key
SELECT segment, GROUPING(vip) AS g, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment)
-- reject DP208  vip is neither grouped nor aggregated
--                       ^^^
-- help: add vip to GROUP BY, or aggregate it
==
# case: grouping_sets/too-many-sets
SELECT COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip, level, age, region, born, email)
-- reject DP103  more than 64 grouping sets
--                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: grouping_sets/grouping-id
SELECT segment, vip, GROUPING_ID(segment, vip) AS g, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#18 = segment#17, vip#12 = vip#11, g = grouping#4, n = count#19
--       union (segment#17, vip#11, count#19, grouping#4)
--         project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2, grouping = 0
--           project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--             released r1 (segment#2, vip#2, count)
--         project segment#10 = segment#9, vip#7 = NULL, count#9 = count#8, grouping#2 = 1
--           project segment#9 = segment#8, count#8 = count#7
--             project segment#8 = segment#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by segment#7 = segment#6: count#6 = sum(count#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                   released r1 (segment#5, vip#5, count#4)
--         project segment#16 = NULL, vip#10 = NULL, count#18 = count#17, grouping#3 = 3
--           project count#17 = count#16
--             project count#16 = coalesce(coerce(inside(count#15, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#15 = sum(count#14)
--                 project segment#15 = segment#14, count#14 = count#13
--                   project segment#14 = segment#13, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#13 = segment#12: count#12 = sum(count#11)
--                       project segment#12 = segment#11, vip#9 = vip#8, count#11 = count#10
--                         released r1 (segment#11, vip#8, count#10)
==
# case: grouping_sets/grouping-id-of-all
SELECT vip, segment, GROUPING_ID() AS g, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (vip))
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate by vip#2 = vip: count#2 = count(*)
--       scan customers (id#2, vip)
--   answer:
--     project vip#7 = vip#6, segment#7 = segment#6, g = grouping#3, n = count#7
--       union (segment#6, vip#6, count#7, grouping#3)
--         project segment#4 = segment#3, vip#3 = NULL, count#4 = count#3, grouping = 1
--           project segment#3 = segment#2, count#3 = count
--             released r1 (segment#2, count)
--         project segment#5 = NULL, vip#5 = vip#4, count#6 = count#5, grouping#2 = 2
--           project vip#4 = vip#2, count#5 = count#2
--             released r2 (vip#2, count#2)
==
# case: grouping_sets/grouping-id-turned
SELECT GROUPING_ID(vip, segment) AS g, SUM(balance) AS s FROM customers GROUP BY CUBE (segment, vip)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project g = grouping#5, s = sum#25
--       union (segment#20, vip#17, sum#25, grouping#5)
--         project segment#4 = segment#3, vip#4 = vip#3, sum#3 = sum#2, grouping = 0
--           project segment#3 = segment#2, vip#3 = vip#2, sum#2 = sum
--             released r1 (segment#2, vip#2, sum)
--         project segment#10 = segment#9, vip#7 = NULL, sum#9 = sum#8, grouping#2 = 2
--           project segment#9 = segment#8, sum#8 = sum#7
--             project segment#8 = segment#7, sum#7 = sum#6
--               aggregate by segment#7 = segment#6: sum#6 = sum(sum#5)
--                 project segment#6 = segment#5, vip#6 = vip#5, sum#5 = sum#4
--                   released r1 (segment#5, vip#5, sum#4)
--         project segment#13 = NULL, vip#13 = vip#12, sum#15 = sum#14, grouping#3 = 1
--           project vip#12 = vip#11, sum#14 = sum#13
--             project vip#11 = vip#10, sum#13 = sum#12
--               aggregate by vip#10 = vip#9: sum#12 = sum(sum#11)
--                 project segment#12 = segment#11, vip#9 = vip#8, sum#11 = sum#10
--                   released r1 (segment#11, vip#8, sum#10)
--         project segment#19 = NULL, vip#16 = NULL, sum#24 = sum#23, grouping#4 = 3
--           project sum#23 = sum#22
--             project sum#22 = sum#21
--               aggregate: sum#21 = sum(sum#20)
--                 project segment#18 = segment#17, sum#20 = sum#19
--                   project segment#17 = segment#16, sum#19 = sum#18
--                     aggregate by segment#16 = segment#15: sum#18 = sum(sum#17)
--                       project segment#15 = segment#14, vip#15 = vip#14, sum#17 = sum#16
--                         released r1 (segment#14, vip#14, sum#16)
==
# case: grouping_sets/grouping-id-of-one-set
SELECT segment, GROUPING_ID(segment) AS g, COUNT(*) AS n FROM customers GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
==
# case: grouping_sets/grouping-id-having
SELECT segment, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment) HAVING GROUPING_ID(segment) = 1
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#9 = segment#8, n = count#10
--       filter (grouping#3 = 1)
--         union (segment#8, count#10, grouping#3)
--           project segment#4 = segment#3, count#3 = count#2, grouping = 0
--             project segment#3 = segment#2, count#2 = count
--               released r1 (segment#2, count)
--           project segment#7 = NULL, count#9 = count#8, grouping#2 = 1
--             project count#8 = count#7
--               project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--                 aggregate: count#6 = sum(count#5)
--                   project segment#6 = segment#5, count#5 = count#4
--                     released r1 (segment#5, count#4)
==
# case: grouping_sets/grouping-id-of-no-key
SELECT segment, GROUPING_ID(vip) AS g, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment)
-- reject DP208  vip is neither grouped nor aggregated
--                          ^^^
-- help: add vip to GROUP BY, or aggregate it
==
# case: grouping_sets/grouping-id-in-a-join
SELECT r.zone, o.status, GROUPING_ID(r.zone, o.status) AS g, COUNT(*) AS n FROM orders o JOIN customers c ON o.customer = c.id JOIN regions r ON c.region = r.id WHERE r.zone IN ('north', 'south') GROUP BY CUBE (r.zone, o.status)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: status: 4 values; zone: from the public regions; a unit can be in 4 of them)
-- plan:
--   r1:
--     aggregate by zone#2 = zone, status#2 = status: count = count(*)
--       join inner on (region = id#3)
--         join inner on (customer = id#2)
--           scan orders (id, customer, status)
--           scan customers (id#2, region)
--         filter in(zone, 'north', 'south')
--           scan regions (id#3, zone)
--   answer:
--     project zone#21 = zone#20, status#18 = status#17, g = grouping#5, n = count#25
--       union (zone#20, status#17, count#25, grouping#5)
--         project zone#4 = zone#3, status#4 = status#3, count#3 = count#2, grouping = 0
--           project zone#3 = zone#2, status#3 = status#2, count#2 = count
--             released r1 (zone#2, status#2, count)
--         project zone#10 = zone#9, status#7 = NULL, count#9 = count#8, grouping#2 = 1
--           project zone#9 = zone#8, count#8 = count#7
--             project zone#8 = zone#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by zone#7 = zone#6: count#6 = sum(count#5)
--                 project zone#6 = zone#5, status#6 = status#5, count#5 = count#4
--                   released r1 (zone#5, status#5, count#4)
--         project zone#13 = NULL, status#13 = status#12, count#15 = count#14, grouping#3 = 2
--           project status#12 = status#11, count#14 = count#13
--             project status#11 = status#10, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--               aggregate by status#10 = status#9: count#12 = sum(count#11)
--                 project zone#12 = zone#11, status#9 = status#8, count#11 = count#10
--                   released r1 (zone#11, status#8, count#10)
--         project zone#19 = NULL, status#16 = NULL, count#24 = count#23, grouping#4 = 3
--           project count#23 = count#22
--             project count#22 = coalesce(coerce(inside(count#21, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#21 = sum(count#20)
--                 project zone#18 = zone#17, count#20 = count#19
--                   project zone#17 = zone#16, count#19 = coerce(inside(count#18, -9223372036854775809, 9223372036854775808))
--                     aggregate by zone#16 = zone#15: count#18 = sum(count#17)
--                       project zone#15 = zone#14, status#15 = status#14, count#17 = count#16
--                         released r1 (zone#14, status#14, count#16)
==
# case: grouping_sets/grouping-id-of-null
SELECT status, GROUPING_ID(status) AS g, COUNT(*) AS n FROM orders GROUP BY ROLLUP (status) ORDER BY g, n
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     sort g asc nulls last, n asc nulls last
--       project status#9 = status#8, g = grouping#3, n = count#10
--         union (status#8, count#10, grouping#3)
--           project status#4 = status#3, count#3 = count#2, grouping = 0
--             project status#3 = status#2, count#2 = count
--               released r1 (status#2, count)
--           project status#7 = NULL, count#9 = count#8, grouping#2 = 1
--             project count#8 = count#7
--               project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--                 aggregate: count#6 = sum(count#5)
--                   project status#6 = status#5, count#5 = count#4
--                     released r1 (status#5, count#4)
==
# case: grouping_sets/grouping-id-sorted
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip) ORDER BY GROUPING_ID(segment, vip), n DESC LIMIT 4
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#25 = segment#24, vip#22 = vip#21, n#2 = n
--       limit 4 offset 0
--         sort order asc nulls last, n desc nulls last
--           project segment#24 = segment#23, vip#21 = vip#20, n = count#28, order = grouping#5
--             union (segment#23, vip#20, count#28, grouping#5)
--               project segment#4 = segment#3, vip#4 = vip#3, count#3 = count#2, grouping = 0
--                 project segment#3 = segment#2, vip#3 = vip#2, count#2 = count
--                   project segment#2, vip#2, count
--                     filter present
--                       released r1 (segment#2, vip#2, count, present)
--               project segment#11 = segment#10, vip#8 = NULL, count#10 = count#9, grouping#2 = 1
--                 project segment#10 = segment#9, count#9 = count#8
--                   project segment#9 = segment#8, count#8 = coerce(inside(count#7, -9223372036854775809, 9223372036854775808))
--                     aggregate by segment#8 = segment#7: count#7 = sum(count#6)
--                       project segment#7 = segment#6, vip#7 = vip#6, count#6 = count#5
--                         project segment#6 = segment#5, vip#6 = vip#5, count#5 = count#4
--                           filter present#2
--                             released r1 (segment#5, vip#5, count#4, present#2)
--               project segment#15 = NULL, vip#15 = vip#14, count#17 = count#16, grouping#3 = 2
--                 project vip#14 = vip#13, count#16 = count#15
--                   project vip#13 = vip#12, count#15 = coerce(inside(count#14, -9223372036854775809, 9223372036854775808))
--                     aggregate by vip#12 = vip#11: count#14 = sum(count#13)
--                       project segment#14 = segment#13, vip#11 = vip#10, count#13 = count#12
--                         project segment#13 = segment#12, vip#10 = vip#9, count#12 = count#11
--                           filter present#3
--                             released r1 (segment#12, vip#9, count#11, present#3)
--               project segment#22 = NULL, vip#19 = NULL, count#27 = count#26, grouping#4 = 3
--                 project count#26 = count#25
--                   project count#25 = coalesce(coerce(inside(count#24, -9223372036854775809, 9223372036854775808)), 0)
--                     aggregate: count#24 = sum(count#23)
--                       project segment#21 = segment#20, count#23 = count#22
--                         project segment#20 = segment#19, count#22 = coerce(inside(count#21, -9223372036854775809, 9223372036854775808))
--                           aggregate by segment#19 = segment#18: count#21 = sum(count#20)
--                             project segment#18 = segment#17, vip#18 = vip#17, count#20 = count#19
--                               project segment#17 = segment#16, vip#17 = vip#16, count#19 = count#18
--                                 filter present#4
--                                   released r1 (segment#16, vip#16, count#18, present#4)
==
# case: grouping_sets/grouping-id-in-a-case
SELECT CASE GROUPING_ID(segment) WHEN 1 THEN 'all' ELSE segment END AS s, AVG(age) AS a FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=3  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; groups: segment: 3 values; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=3  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(age), count = count(age)
--       scan customers (id, age, segment)
--   answer:
--     project s = case((grouping#3 = 1) then 'all'; else segment#8), a = avg#3
--       union (segment#8, avg#3, grouping#3)
--         project segment#4 = segment#3, avg = div(coerce(sum#2), coerce(nullif(count#2, 0))), grouping = 0
--           project segment#3 = segment#2, sum#2 = sum, count#2 = count
--             released r1 (segment#2, sum, count)
--         project segment#7 = NULL, avg#2 = div(coerce(sum#7), coerce(nullif(count#7, 0))), grouping#2 = 1
--           project sum#7 = sum#6, count#7 = count#6
--             project sum#6 = sum#5, count#6 = coalesce(coerce(inside(count#5, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: sum#5 = sum(sum#4), count#5 = sum(count#4)
--                 project segment#6 = segment#5, sum#4 = sum#3, count#4 = count#3
--                   released r1 (segment#5, sum#3, count#3)
==
# case: grouping_sets/grouping-id-of-rows
SELECT GROUPING_ID(segment) AS g FROM customers
-- reject DP208  segment is neither grouped nor aggregated
--                 ^^^^^^^
-- help: add segment to GROUP BY, or aggregate it
==
# case: grouping_sets/grouping-id-public
SELECT zone, name, GROUPING_ID(zone, name) AS g, COUNT(*) AS n FROM regions GROUP BY ROLLUP (zone, name)
-- exact
==
# case: grouping_sets/made-of-a-constant-that-is-a-key
SELECT 5 AS five, five + 1 AS six, 5 + 1 AS too, 7 AS seven, seven + 1 AS eight, COUNT(*) AS n FROM orders GROUP BY ROLLUP (five)
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = 5: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project five = key#7, six = (key#7 + 1), too = (key#7 + 1), seven = 7, eight = 8, n = count#10
--       union (key#7, count#10)
--         project key#3 = key#2, count#3 = count#2
--           project key#2 = key, count#2 = count
--             released r1 (key, count)
--         project key#6 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(count#6), 0)
--               aggregate: count#6 = sum(count#5)
--                 project key#5 = key#4, count#5 = count#4
--                   released r1 (key#4, count#4)
==
# case: grouping_sets/same-key-twice
SELECT status AS a, status AS b, COUNT(*) AS n FROM orders GROUP BY ROLLUP (a, b)
-- reject DP104  a key that is written twice is one key here, and two in these sets
--                                                                          ^^^^
-- help: write the key once
==
# case: grouping_sets/rollup-of-a-condition
SELECT amount > 5 AS much, status, COUNT(*) AS n FROM orders GROUP BY ROLLUP (amount > 5, status)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (amount > 5), status#2 = status: count = count(*)
--       scan orders (id, customer, amount, status)
--   answer:
--     project much = key#16, status#12 = status#11, n = count#19
--       union (key#16, status#11, count#19)
--         project key#3 = key#2, status#4 = status#3, count#3 = count#2
--           project key#2 = key, status#3 = status#2, count#2 = count
--             released r1 (key, status#2, count)
--         project key#9 = key#8, status#7 = NULL, count#9 = count#8
--           project key#8 = key#7, count#8 = count#7
--             project key#7 = key#6, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by key#6 = key#5: count#6 = sum(count#5)
--                 project key#5 = key#4, status#6 = status#5, count#5 = count#4
--                   released r1 (key#4, status#5, count#4)
--         project key#15 = NULL, status#10 = NULL, count#18 = count#17
--           project count#17 = count#16
--             project count#16 = coalesce(coerce(inside(count#15, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#15 = sum(count#14)
--                 project key#14 = key#13, count#14 = count#13
--                   project key#13 = key#12, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by key#12 = key#11: count#12 = sum(count#11)
--                       project key#11 = key#10, status#9 = status#8, count#11 = count#10
--                         released r1 (key#10, status#8, count#10)
==
# case: grouping_sets/sets-of-conditions
SELECT amount > 5 OR paid AS much, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS (amount > 5 OR paid, ())
-- accept
-- sensitivity: count(*)  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = ((amount > 5) OR paid): count = count(*)
--       scan orders (id, customer, amount, paid)
--   answer:
--     project much = key#7, n = count#10
--       union (key#7, count#10)
--         project key#3 = key#2, count#3 = count#2
--           project key#2 = key, count#2 = count
--             released r1 (key, count)
--         project key#6 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project key#5 = key#4, count#5 = count#4
--                   released r1 (key#4, count#4)
