# about: VALUES: rows that stand in the query
# policy: shop
# case: values/joined
# note: no constant stands there twice: an order meets one row at most
SELECT v.label, COUNT(*) AS n FROM customers c JOIN (VALUES ('home', 'H'), ('office', 'O')) AS v(segment, label) ON c.segment = v.segment GROUP BY v.label
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: col1: listed in the query; a unit is in one group)
-- plan:
--   r1:
--     aggregate by col1#4 = col1#3: count = count(*)
--       join inner on (segment = col0#3)
--         scan customers (id, segment)
--         union (col0#3, col1#3)
--           project col0 = 'home', col1 = 'H'
--             one row
--           project col0#2 = 'office', col1#2 = 'O'
--             one row
==
# case: values/ranges
# note: a customer is in one of these ranges, but nothing shows it: the ranges could overlap
SELECT v.label, COUNT(*) AS n FROM customers c JOIN (VALUES (0, 30, 'young'), (30, 200, 'old')) AS v(low, high, label) ON c.age >= v.low AND c.age < v.high GROUP BY v.label
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=public  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table); rows per unit and group 1, proven; groups: col2: listed in the query; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by col2#4 = col2#3: count = count(*)
--       join inner on ((age >= col0#3) AND (age < col1#3))
--         scan customers (id, age)
--         union (col0#3, col1#3, col2#3)
--           project col0 = 0, col1 = 30, col2 = 'young'
--             one row
--           project col0#2 = 30, col1#2 = 200, col2#2 = 'old'
--             one row
==
# case: values/in-a-with-query
WITH v(k, w) AS (VALUES ('open', 1), ('sent', 2)) SELECT v.k, SUM(o.amount) AS s FROM orders o JOIN v ON o.status = v.k GROUP BY v.k
-- accept
-- sensitivity: s  l0=2 l1=1500 l2=1500 linf=1500 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: col0: listed in the query; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by col0#4 = col0#3: sum = sum(amount)
--       join inner on (status = col0#3)
--         scan orders (id, customer, amount, status)
--         union (col0#3)
--           project col0 = 'open'
--             one row
--           project col0#2 = 'sent'
--             one row
==
# case: values/left-join
SELECT v.k, COUNT(o.id) AS n FROM (VALUES ('open'), ('lost')) AS v(k) LEFT JOIN orders o ON o.status = v.k GROUP BY v.k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: col0: listed in the query; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by col0#4 = col0#3: count = count(id)
--       join matched on (status = col0#3)
--         union (col0#3)
--           project col0 = 'open'
--             one row
--           project col0#2 = 'lost'
--             one row
--         scan orders (id, customer, status)
==
# case: values/same-value-twice
# note: each order meets two rows
SELECT COUNT(*) AS n FROM orders o JOIN (VALUES ('open'), ('open')) AS v(k) ON o.status = v.k
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (status#2 = col0#3)
--         project id, customer, status#2 = cut(status, 5)
--           scan orders (id, customer, status)
--         union (col0#3)
--           project col0 = 'open'
--             one row
--           project col0#2 = 'open'
--             one row
==
# case: values/null-among-them
SELECT COUNT(*) AS n FROM orders o JOIN (VALUES ('open'), (NULL)) AS v(k) ON o.status IS NOT DISTINCT FROM v.k
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on is_not_distinct(status#2, col0#3)
--         project id, customer, status#2 = cut(status, 5)
--           scan orders (id, customer, status)
--         union (col0#3)
--           project col0 = 'open'
--             one row
--           project col0#2 = NULL
--             one row
==
# case: values/two-columns-of-which-one-differs
SELECT COUNT(*) AS n FROM orders o JOIN (VALUES ('open', 1), ('open', 2)) AS v(k, w) ON o.status = v.k AND o.units >= v.w
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((status#2 = col0#3) AND (units >= col1#3))
--         project id, customer, status#2 = cut(status, 5), units
--           scan orders (id, customer, status, units)
--         union (col0#3, col1#3)
--           project col0 = 'open', col1 = 1
--             one row
--           project col0#2 = 'open', col1#2 = 2
--             one row
==
# case: values/alone
VALUES (1, 'a'), (2, NULL)
-- reject DP102  dpsql answers SELECT statements, not VALUES
--^^^^
==
# case: values/constants-as-a-table
SELECT a + 1 AS b, c FROM (VALUES (1, 'x'), (2, 'y')) AS t(a, c) ORDER BY b DESC
-- accept
-- plan:
--   answer:
--     sort b desc nulls last
--       project b = (col0#3 + 1), c = col1#3
--         union (col0#3, col1#3)
--           project col0 = 1, col1 = 'x'
--             one row
--           project col0#2 = 2, col1#2 = 'y'
--             one row
==
# case: values/in-list-of-values
SELECT COUNT(*) AS n FROM customers WHERE segment IN (VALUES ('home'), ('trade'))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (segment = col0#3)
--           scan customers (id, segment)
--           union (col0#3)
--             project col0 = 'home'
--               one row
--             project col0#2 = 'trade'
--               one row
==
# case: values/with-released
SELECT v.k, r.n FROM (VALUES ('home'), ('other')) AS v(k) LEFT JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) r ON r.segment = v.k
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project k = col0#3, n#2 = n
--       join left on (segment#3 = col0#3)
--         union (col0#3)
--           project col0 = 'home'
--             one row
--           project col0#2 = 'other'
--             one row
--         project segment#3 = segment#2, n = count
--           released r1 (segment#2, count)
==
# case: values/union-with-private
SELECT COUNT(*) AS n FROM (SELECT age FROM customers UNION ALL VALUES (1)) u
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   answer:
--     project n = count#3
--       project count#3 = coerce(inside(sum, -9223372036854775809, 9223372036854775808))
--         aggregate: sum = sum(part#3)
--           union (part#3)
--             project part = count
--               released r1 (count)
--             project part#2 = count#2
--               aggregate: count#2 = count(*)
--                 project age = col0#4
--                   project col0#4 = col0#3
--                     project col0#3 = col0#2
--                       union (col0#2)
--                         project col0 = 1
--                           one row
==
# case: values/random
SELECT * FROM (VALUES (1 + random())) AS t(a)
-- reject DP204  the function random is not on the allow-list
--                         ^^^^^^
-- help: leave it out: an answer says nothing that is drawn by chance but its noise
==
# case: values/widths-apart
SELECT * FROM (VALUES (1, 2), (3)) AS t(a, b)
-- reject DP101  VALUES lists must all be the same length, expected 2 entries but found a list with 1 entry
--                             ^
==
# case: values/too-many-names
SELECT * FROM (VALUES (1, 2)) AS t(a, b, c)
-- reject DP205  3 names for 2 columns
--                     ^^^^^^^^^^^^^^^^^^^
==
# case: values/series-of-groups
SELECT m, COUNT(*) AS n FROM generate_series(1, 3) AS t(m) JOIN orders o ON month(o.day) = m GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: col0: listed in the query; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by col0#5 = col0#4: count = count(*)
--       join inner on (month(clamp(day, 2024-01-01, 2024-12-31)) = col0#4)
--         union (col0#4)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--         scan orders (id, customer, day)
==
# case: values/series-left-join
SELECT m, COUNT(o.id) AS n FROM range(1, 4) AS t(m) LEFT JOIN orders o ON month(o.day) = m GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: col0: listed in the query; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by col0#5 = col0#4: count = count(id)
--       join matched on (month(clamp(day, 2024-01-01, 2024-12-31)) = col0#4)
--         union (col0#4)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--         scan orders (id, customer, day)
==
# case: values/months
SELECT d, COUNT(*) AS n FROM range(DATE '2024-01-01', DATE '2024-04-01', INTERVAL 1 MONTH) AS t(d) JOIN orders o ON date_trunc('month', o.placed) = d GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=9 l2=9 linf=9 groups=public  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); groups: col0: listed in the query; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by col0#5 = col0#4: count = count(*)
--       join inner on (date_trunc('month', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) = col0#4)
--         union (col0#4)
--           project col0 = 2024-01-01 00:00:00
--             one row
--           project col0#2 = 2024-02-01 00:00:00
--             one row
--           project col0#3 = 2024-03-01 00:00:00
--             one row
--         scan orders (id, customer, placed)
==
# case: values/unnest
SELECT x, COUNT(*) AS n FROM customers c, unnest(['home', 'office']) AS t(x) WHERE c.segment = x GROUP BY x
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: col0: listed in the query; a unit is in one group)
-- plan:
--   r1:
--     aggregate by col0#4 = col0#3: count = count(*)
--       join inner on (segment = col0#3)
--         scan customers (id, segment)
--         union (col0#3)
--           project col0 = 'home'
--             one row
--           project col0#2 = 'office'
--             one row
==
# case: values/unnest-twice-the-same
SELECT COUNT(*) AS n FROM customers c JOIN unnest(['home', 'home', 'office']) AS t(x) ON c.segment = x
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (id is the key of customers, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (segment#2 = col0#4)
--         project id, segment#2 = cut(segment, 7)
--           scan customers (id, segment)
--         union (col0#4)
--           project col0 = 'home'
--             one row
--           project col0#2 = 'home'
--             one row
--           project col0#3 = 'office'
--             one row
==
# case: values/series-in-in
SELECT COUNT(*) AS n FROM customers WHERE age IN (SELECT a FROM generate_series(20, 24) AS t(a))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (coerce(age) = a)
--           scan customers (id, age)
--           project a = col0#6
--             union (col0#6)
--               project col0 = 20
--                 one row
--               project col0#2 = 21
--                 one row
--               project col0#3 = 22
--                 one row
--               project col0#4 = 23
--                 one row
--               project col0#5 = 24
--                 one row
==
# case: values/series-of-a-column
SELECT COUNT(*) FROM orders o, generate_series(1, o.units) AS t(i)
-- reject DP104  generate_series as a table takes constants, and nothing that is computed
--                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write the values, or VALUES (…)
==
# case: values/series-too-long
SELECT COUNT(*) FROM range(1000000000000)
-- reject DP103  range has more than 2,000 rows
--                   ^^^^^^^^^^^^^^^^^^^
