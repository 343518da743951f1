# about: What nothing bounds how many rows of it a unit has is clipped where the data says
# policy: unbounded
# case: clipping/count
# differs: the heaviest units are clipped
SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (customer)
-- sql:
WITH "cells" AS MATERIALIZED (SELECT "t1"."customer" AS "u", COUNT(*) AS "n"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"v0" AS (SELECT "cells"."u", (CAST(1 AS INT128) * "cells"."n") AS "n", (CAST(1 AS INT128) * "cells"."n") AS "v0"
FROM "cells"),
"m0" AS (SELECT "v0"."u", SUM(ABS("v0"."n")) AS "m"
FROM "v0"
GROUP BY "v0"."u"
HAVING (SUM(ABS("v0"."n")) > 0)),
"p0" AS (SELECT "m0"."u", "m0"."m", GREATEST(LEAST(CAST(CEIL((4 * LOG(2, CAST("m0"."m" AS DOUBLE)))) AS BIGINT), 96), 0) AS "b", CAST([1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 23, 27, 32, 39, 46, 54, 64, 77, 91, 108, 128, 153, 182, 216, 256, 305, 363, 431, 512, 609, 725, 862, 1024, 1218, 1449, 1723, 2048, 2436, 2897, 3445, 4096, 4871, 5793, 6889, 8192, 9742, 11586, 13778, 16384, 19484, 23171, 27555, 32768, 38968, 46341, 55109, 65536, 77936, 92682, 110218, 131072, 155872, 185364, 220436, 262144, 311744, 370728, 440872, 524288, 623488, 741456, 881744, 1048576, 1246975, 1482911, 1763488, 2097152, 2493949, 2965821, 3526976, 4194304, 4987897, 5931642, 7053951, 8388608, 9975793, 11863284, 14107901, 16777216] AS INT128[]) AS "t"
FROM "m0"),
"b0" AS MATERIALIZED (SELECT "p0"."u", "p0"."m", (CASE WHEN ("p0"."m" <= "p0"."t"[("p0"."b" + 1)]) THEN "p0"."b" WHEN ("p0"."m" <= "p0"."t"[("p0"."b" + 2)]) THEN ("p0"."b" + 1) ELSE 97 END) AS "b"
FROM "p0")
SELECT 0 AS "i", "b0"."b", CAST(COUNT(*) AS INT128) AS "a", CAST(NULL AS INT128) AS "f"
FROM "b0"
GROUP BY "b0"."b" UNION ALL
SELECT 0 AS "i", "b0"."b", SUM("v0"."v0") AS "a", SUM((("v0"."v0" * 4096) // "b0"."m")) AS "f"
FROM "v0"
JOIN "b0" ON ("v0"."u" = "b0"."u")
GROUP BY "b0"."b"
==
# case: clipping/count-in-a-join
# differs: the heaviest units are clipped
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (customer)
==
# case: clipping/sum
# differs: the heaviest units are clipped
SELECT SUM(amount) AS s FROM orders
-- accept
-- sensitivity: s  clip=adaptive groups=1  (what one unit adds is clipped where the data says; amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       scan orders (customer, amount)
==
# case: clipping/sum-and-count
# note: each has a clip of its own; the sum is made from the centred one and the count
# differs: the heaviest units are clipped
SELECT SUM(amount) AS s, COUNT(amount) AS n FROM orders
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- sensitivity: centred sum(amount)  clip=adaptive groups=1  (what one unit adds is clipped where the data says; amount in [0, 500], clamped; summed around 250, the middle)
-- plan:
--   r1:
--     aggregate: sum = sum(amount), count = count(amount)
--       scan orders (customer, amount)
==
# case: clipping/average
# differs: the heaviest units are clipped
SELECT AVG(amount) AS a FROM orders
-- accept
-- sensitivity: sum(amount)  clip=adaptive groups=1  (a unit counts with as many of its rows as the data says; amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to the sums around both ends together)
-- sensitivity: sum(amount - 500)  clip=adaptive groups=1  (a unit counts with as many of its rows as the data says; amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to the sums around both ends together)
-- plan:
--   r1:
--     aggregate: avg = avg(amount)
--       scan orders (customer, amount)
==
# case: clipping/average-beside-its-sum
# note: one clip of rows for all of it
# differs: the heaviest units are clipped
SELECT amount > 250 AS large, COUNT(amount) AS n, SUM(amount) AS s, AVG(amount) AS a FROM orders GROUP BY large
-- accept
-- sensitivity: s  clip=adaptive groups=2  (a unit counts with as many of its rows as the data says; amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to the sums around both ends together; groups: key: 2 values; a unit can be in several)
-- sensitivity: sum(amount - 500)  clip=adaptive groups=2  (a unit counts with as many of its rows as the data says; amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to the sums around both ends together; groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (amount > 250): count = count(amount), sum = sum(amount), avg = avg(amount)
--       scan orders (customer, amount)
==
# case: clipping/averages
# note: each has its own count, and COUNT(*) is one of these
# differs: the heaviest units are clipped
SELECT COUNT(*) AS n, AVG(COALESCE(amount, 0)) AS a, AVG(CASE WHEN amount > 100 THEN 1 ELSE 0 END) AS b FROM orders
-- accept
-- sensitivity: sum(COALESCE(amount, CAST(0.00 AS DECIMAL(12, 2))))  clip=adaptive groups=1  (a unit counts with as many of its rows as the data says; COALESCE(amount, CAST(0.00 AS DECIMAL(12, 2))) in [0, 500], clamped; summed around 0, the least; a row adds 500 to the sums around both ends together)
-- sensitivity: sum(COALESCE(amount, CAST(0.00 AS DECIMAL(12, 2))) - 500)  clip=adaptive groups=1  (a unit counts with as many of its rows as the data says; COALESCE(amount, CAST(0.00 AS DECIMAL(12, 2))) in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to the sums around both ends together)
-- sensitivity: sum(CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN 1 ELSE 0 END)  clip=adaptive groups=1  (a unit counts with as many of its rows as the data says; CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN 1 ELSE 0 END in [0, 1], proven; summed around 0, the least; a row adds 1 to the sums around both ends together)
-- sensitivity: sum(CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN 1 ELSE 0 END - 1)  clip=adaptive groups=1  (a unit counts with as many of its rows as the data says; CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN 1 ELSE 0 END in [0, 1], proven; summed around 1, the greatest; a row adds 1 to the sums around both ends together)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(coalesce(coerce(amount), 0)), avg#2 = avg(case((amount > 100) then 1; else 0))
--       scan orders (customer, amount)
==
# case: clipping/average-in-the-limits-of-a-type
# note: nobody has said how large it is, and the limits are far from what it may be
# differs: the heaviest units are clipped
SELECT AVG(c.age) AS a FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: centred sum(age)  clip=adaptive groups=1  (what one unit adds is clipped where the data says; age in [-32768, 32767], proven; summed around -0.5, the middle)
-- sensitivity: count(age)  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: avg = avg(age)
--       join inner on (customer = id)
--         scan customers (id, age)
--         scan orders (customer)
==
# case: clipping/spread
# differs: the heaviest units are clipped
SELECT STDDEV(amount) AS s, VAR_POP(amount) AS v FROM orders
-- accept
-- sensitivity: centred sum(amount)  clip=adaptive groups=1  (what one unit adds is clipped where the data says; amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: sum((amount - middle)²)  clip=adaptive groups=1  (what one unit adds is clipped where the data says; (amount - middle)² in [-31250, 31250], clamped)
-- sensitivity: count(amount)  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: stddev_samp = stddev_samp(amount), var_pop = var_pop(amount)
--       scan orders (customer, amount)
==
# case: clipping/grouped
# note: a unit's vector over all groups is scaled down
# differs: the heaviest units are clipped
SELECT amount > 100 AS large, COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY large
-- accept
-- sensitivity: n  clip=adaptive groups=2  (what one unit adds is clipped where the data says; groups: key: 2 values; a unit can be in several)
-- sensitivity: s  clip=adaptive groups=2  (what one unit adds is clipped where the data says; amount in [0, 500], clamped; groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (amount > 100): count = count(*), sum = sum(amount)
--       scan orders (customer, amount)
==
# case: clipping/grouped-with-nulls
# note: a unit may have NULLs alone in one group, and values in another
# differs: the heaviest units are clipped
SELECT MONTH(c.born) > 6 AS late, SUM(CASE WHEN o.amount > 100 THEN o.amount END) AS s FROM orders o JOIN customers c ON o.customer = c.id GROUP BY late
-- accept
-- sensitivity: s  clip=adaptive groups=3  (what one unit adds is clipped where the data says; CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [100, 500], clamped; groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = (month(born) > 6): sum = sum(case((amount > 100) then amount; else NULL))
--       join inner on (customer = id)
--         scan orders (customer, amount)
--         scan customers (id, born)
==
# case: clipping/grouped-average-with-nulls
# differs: the heaviest units are clipped
SELECT amount > 250 AS large, AVG(NULLIF(amount, 300)) AS a, VAR_POP(CASE WHEN amount < 400 THEN amount END) AS v FROM orders GROUP BY large
-- accept
-- sensitivity: sum(NULLIF(amount, CAST(300.00 AS DECIMAL(12, 2))))  clip=adaptive groups=2  (a unit counts with as many of its rows as the data says; NULLIF(amount, CAST(300.00 AS DECIMAL(12, 2))) in [0, 500], clamped; summed around 0, the least; a row adds 500 to the sums around both ends together; groups: key: 2 values; a unit can be in several)
-- sensitivity: sum(NULLIF(amount, CAST(300.00 AS DECIMAL(12, 2))) - 500)  clip=adaptive groups=2  (a unit counts with as many of its rows as the data says; NULLIF(amount, CAST(300.00 AS DECIMAL(12, 2))) in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to the sums around both ends together; groups: key: 2 values; a unit can be in several)
-- sensitivity: centred sum(CASE WHEN (amount < CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  clip=adaptive groups=2  (what one unit adds is clipped where the data says; CASE WHEN (amount < CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 400], clamped; summed around 200, the middle; groups: key: 2 values; a unit can be in several)
-- sensitivity: sum((CASE WHEN (amount < CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - middle)²)  clip=adaptive groups=2  (what one unit adds is clipped where the data says; (CASE WHEN (amount < CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END - middle)² in [-20000, 20000], clamped; groups: key: 2 values; a unit can be in several)
-- sensitivity: count(CASE WHEN (amount < CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  clip=adaptive groups=2  (what one unit adds is clipped where the data says; groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (amount > 250): avg = avg(nullif(coerce(amount), 300)), var_pop = var_pop(case((amount < 400) then amount; else NULL))
--       scan orders (customer, amount)
==
# case: clipping/grouped-by-a-column-of-the-unit
# differs: the heaviest units are clipped
SELECT MONTH(c.born) AS m, SUM(o.amount) AS s FROM customers c JOIN orders o ON o.customer = c.id GROUP BY m
-- accept
-- sensitivity: s  clip=adaptive groups=13  (what one unit adds is clipped where the data says; amount in [0, 500], clamped; groups: key: 13 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = month(born): sum = sum(amount)
--       join inner on (customer = id)
--         scan customers (id, born)
--         scan orders (customer, amount)
==
# case: clipping/members
# note: rows of other groups do not count towards a unit's total
# differs: the heaviest units are clipped
SELECT amount, COUNT(*) AS n FROM orders WHERE amount IN (1, 2, 3) GROUP BY amount
-- accept
-- sensitivity: n  clip=adaptive groups=3  (what one unit adds is clipped where the data says; groups: amount: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by amount#2 = amount: count = count(*)
--       filter in(amount, 1, 2, 3)
--         scan orders (customer, amount)
==
# case: clipping/filtered
# differs: the heaviest units are clipped
SELECT COUNT(*) FILTER (WHERE amount > 10) AS n, COUNT_IF(amount < 5) AS m FROM orders
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- sensitivity: m  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: count = count(case((amount > 10) then 1; else NULL)), count#2 = count(case((amount < 5) then 1; else NULL))
--       scan orders (customer, amount)
==
# case: clipping/histogram
# note: the bins of a clipped histogram are counts of their own
# differs: the heaviest units are clipped
SELECT HISTOGRAM(amount, [100, 200]) AS h FROM orders
-- accept
-- sensitivity: count(amount <= 100)  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- sensitivity: count(100 < amount <= 200)  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: histogram = histogram(amount, 100, 200)
--       scan orders (customer, amount)
==
# case: clipping/expression
# differs: the heaviest units are clipped
SELECT SUM(amount * 2 - 500) AS s FROM orders
-- accept
-- sensitivity: s  clip=adaptive groups=1  (what one unit adds is clipped where the data says; (amount * 2) - 500 in [-500, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(((amount * 2) - 500))
--       scan orders (customer, amount)
==
# case: clipping/negative
# note: what counts is the sum's absolute value, of a unit and group
# differs: the heaviest units are clipped
SELECT SUM(250 - amount) AS s FROM orders
-- accept
-- sensitivity: s  clip=adaptive groups=1  (what one unit adds is clipped where the data says; 250 - amount in [-250, 250], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((250 - amount))
--       scan orders (customer, amount)
==
# case: clipping/one-row-each
# note: a unit has one row of this table, which is a bound
SELECT COUNT(*) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
==
# case: clipping/units
# note: a unit counts once, however many rows it has
SELECT COUNT(DISTINCT customer) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct customer)
--       scan orders (customer)
==
# case: clipping/units-beside-rows
# differs: the heaviest units are clipped
SELECT COUNT(*) AS n, COUNT(DISTINCT customer) AS u FROM orders
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- sensitivity: u  l0=1 l1=1 l2=1 linf=1 groups=1  (a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(distinct customer)
--       scan orders (customer)
==
# case: clipping/ratio
# differs: the heaviest units are clipped
SELECT SUM(amount) / COUNT(DISTINCT customer) AS spent FROM orders
-- accept
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 groups=1  (a unit counts once in a group)
-- sensitivity: sum(amount)  clip=adaptive groups=1  (what one unit adds is clipped where the data says; amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount), count = count(distinct customer)
--       scan orders (customer, amount)
==
# case: clipping/in-a-subquery
# differs: the heaviest units are clipped
SELECT n * 2 AS twice FROM (SELECT COUNT(*) AS n FROM orders) WHERE n > -1e9
-- accept
-- sensitivity: count(*)  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (customer)
--   answer:
--     project twice = (coerce(n) * 2)
--       filter (coerce(n) > -1000000000)
--         project n = count
--           released r1 (count)
==
# case: clipping/per-unit-first
# note: one row per unit after the inner grouping, so nothing is left to clip
SELECT AVG(n) AS a FROM (SELECT customer, LEAST(COUNT(*), 20) AS n FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(LEAST(count, CAST(20 AS BIGINT)) - 1)  l0=1 l1=19 l2=19 linf=19 groups=1  (rows per unit 1, proven (one group per unit); LEAST(count, CAST(20 AS BIGINT)) in [1, 20], proven; summed around 1, the least; a row adds 19 to sum(LEAST(count, CAST(20 AS BIGINT)) - 1) and sum(LEAST(count, CAST(20 AS BIGINT)) - 20) together)
-- sensitivity: sum(LEAST(count, CAST(20 AS BIGINT)) - 20)  l0=1 l1=19 l2=19 linf=19 groups=1  (rows per unit 1, proven (one group per unit); LEAST(count, CAST(20 AS BIGINT)) in [1, 20], proven; summed around 20, the greatest; a row adds 19 to sum(LEAST(count, CAST(20 AS BIGINT)) - 1) and sum(LEAST(count, CAST(20 AS BIGINT)) - 20) together)
-- plan:
--   r1:
--     aggregate: avg = avg(least(count, 20))
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (customer)
==
# case: clipping/self-join
# differs: the heaviest units are clipped
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer
-- reject DP501  one unit could cause any amount of work: its rows are joined with one another, and nothing bounds how many it has
--                                      ^^^^^^^^
-- help: declare max_rows for the column that leads to the unit, or join on a key
==
# case: clipping/unbounded-values
SELECT SUM(income) AS s FROM customers c JOIN orders o ON o.customer = c.id
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^
-- help: declare bounds for income in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: clipping/limits-of-a-type
# note: a whole number's type is bound enough where the clip is found
# differs: the heaviest units are clipped
SELECT SUM(c.age) AS s FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  clip=adaptive groups=1  (what one unit adds is clipped where the data says; age in [-32768, 32767], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(age)
--       join inner on (customer = id)
--         scan customers (id, age)
--         scan orders (customer)
==
# case: clipping/mode
SELECT MODE(amount > 5) AS m FROM orders
-- reject DP302  nothing bounds how many rows one unit has: ∞ rows of orders per customer
--     ^^^^^^^^^^^^^^^
-- help: declare max_rows for orders.customer in the policy
==
# policy: keys
# case: clipping/private-groups
# note: a person has any number of calls, and one job: the units of a job need no clip
# differs: the heaviest units are clipped, and groups of few units are not shown
SELECT p.job, SUM(c.length) AS s, COUNT(*) AS n FROM people p JOIN calls c ON c.person = p.id GROUP BY p.job
-- accept
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 threshold=34 groups=private  (a unit counts once in a group; groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: n  clip=adaptive groups=private  (what one unit adds is clipped where the data says; groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: s  clip=adaptive groups=private  (what one unit adds is clipped where the data says; length in [1, 60], clamped; groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#3 = job#2: sum = sum(length), count = count(*)
--       join inner on (person = id)
--         project id, job#2 = cut(job, 10000)
--           scan people (id, job)
--         scan calls (person, length)
==
# policy: keys_replace
# case: clipping/replaced
# note: two units are clipped, one in each database
# differs: the heaviest units are clipped
SELECT COUNT(*) AS n, SUM(length - 30) AS s FROM calls
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- sensitivity: s  clip=adaptive groups=1  (what one unit adds is clipped where the data says; length - 30 in [-29, 30], clamped)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum((length - 30))
--       scan calls (person, length)
==
# case: clipping/replaced-by-group
# differs: the heaviest units are clipped
SELECT length > 30 AS long, COUNT(*) AS n, SUM(30 - length) AS s FROM calls GROUP BY long
-- accept
-- sensitivity: n  clip=adaptive groups=2  (what one unit adds is clipped where the data says; groups: key: 2 values; a unit can be in several)
-- sensitivity: s  clip=adaptive groups=2  (what one unit adds is clipped where the data says; 30 - length in [-30, 29], clamped; groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (length > 30): count = count(*), sum = sum((30 - length))
--       scan calls (person, length)
==
# case: clipping/replaced-average
# note: two units move both sums, each by a clip of rows times the width
# differs: the heaviest units are clipped
SELECT length > 30 AS long, COUNT(*) AS n, AVG(length) AS a FROM calls GROUP BY long
-- accept
-- sensitivity: n  clip=adaptive groups=2  (what one unit adds is clipped where the data says; groups: key: 2 values; a unit can be in several)
-- sensitivity: sum(length - 1)  clip=adaptive groups=2  (a unit counts with as many of its rows as the data says; length in [1, 60], clamped; summed around 1, the least; a row adds 59 to the sums around both ends together; groups: key: 2 values; a unit can be in several)
-- sensitivity: sum(length - 60)  clip=adaptive groups=2  (a unit counts with as many of its rows as the data says; length in [1, 60], clamped; summed around 60, the greatest; a row adds 59 to the sums around both ends together; groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (length > 30): count = count(*), avg = avg(length)
--       scan calls (person, length)
