# about: COUNT, SUM and AVG of DISTINCT values of private rows: what counts is how many values one unit can add
# policy: shop
# case: distinct_values/units
SELECT COUNT(DISTINCT customer) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct customer)
--       scan orders (id, customer)
-- sql:
SELECT COUNT(DISTINCT "t1"."customer") AS "n"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
==
# case: distinct_values/units-by-group
# note: a customer is in 3 groups at most, and counts once in each
SELECT status, COUNT(DISTINCT customer) AS n FROM orders GROUP BY status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit counts once in a group; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(distinct customer)
--       scan orders (id, customer, status)
==
# case: distinct_values/units-in-many-groups
# note: a month of days: no customer has orders on more than 3 of them
SELECT day, COUNT(DISTINCT customer) AS n FROM orders WHERE day <= DATE '2024-01-31' GROUP BY day
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=31  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit counts once in a group; groups: day: 31 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#2 = day: count = count(distinct customer)
--       filter (day <= 2024-01-31)
--         scan orders (id, customer, day)
==
# case: distinct_values/units-where
SELECT COUNT(DISTINCT customer) FILTER (WHERE paid) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit has one value of CASE WHEN paid THEN customer ELSE CAST(NULL AS BIGINT) END at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct case(paid then customer; else NULL))
--       scan orders (id, customer, paid)
==
# case: distinct_values/units-by-case
SELECT COUNT(DISTINCT CASE WHEN amount > 100 THEN customer END) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit has one value of CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN customer ELSE CAST(NULL AS BIGINT) END at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct case((amount > 100) then customer; else NULL))
--       scan orders (id, customer, amount)
==
# case: distinct_values/units-by-case-and-filter
SELECT status, COUNT(DISTINCT CASE WHEN amount > 100 THEN customer END) FILTER (WHERE paid) AS n FROM orders GROUP BY status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit has one value of CASE WHEN paid THEN (CASE WHEN (amount > CAST(100.00 AS DECIMAL(10, 2))) THEN customer ELSE CAST(NULL AS BIGINT) END) ELSE CAST(NULL AS BIGINT) END at most; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(distinct case(paid then case((amount > 100) then customer; else NULL); else NULL))
--       scan orders (id, customer, amount, paid, status)
==
# case: distinct_values/one-of-two-values-of-a-unit
# note: a customer's orders may take either branch: the bound is that of its rows
SELECT COUNT(DISTINCT CASE WHEN o.paid THEN c.born ELSE c.born + 1 END) AS n FROM orders o JOIN customers c ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(distinct case(paid then born; else cast(plus_interval(coerce(born), 0, 1, 0))))
--       join inner on (customer = id#2)
--         scan orders (id, customer, paid)
--         scan customers (id#2, born)
==
# case: distinct_values/case-of-the-unit-else-something
SELECT COUNT(DISTINCT CASE WHEN paid THEN customer ELSE code END) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct case(paid then customer; else coerce(code)))
--       scan orders (id, customer, paid, code)
==
# case: distinct_values/column-of-the-unit
# note: all orders of a customer have one region
SELECT COUNT(DISTINCT c.region) AS n FROM orders o JOIN customers c ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); a unit has one value of region at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct region)
--       join inner on (customer = id#2)
--         scan orders (id, customer)
--         scan customers (id#2, region)
==
# case: distinct_values/of-a-key-that-leads-there
# note: as many values as rows: that a customer has 3 orders is not used
SELECT COUNT(DISTINCT order_id) AS n FROM lines
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct order_id)
--       scan lines (order_id)
==
# case: distinct_values/two-values
# note: what BOOLEAN has
SELECT COUNT(DISTINCT paid) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); paid has at most 2 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct paid)
--       scan orders (id, customer, paid)
-- sql:
SELECT COUNT(DISTINCT "t1"."paid") AS "n"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
==
# case: distinct_values/two-values-by-group
# note: 3 groups, 2 values in each, but 3 rows
SELECT status, COUNT(DISTINCT paid) AS n FROM orders GROUP BY status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=2.44948974278 linf=2 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); paid has at most 2 values; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(distinct paid)
--       scan orders (id, customer, paid, status)
==
# case: distinct_values/claimed-values
# note: the list of values is a claim, and is not relied on
SELECT COUNT(DISTINCT status) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct status)
--       scan orders (id, customer, status)
==
# case: distinct_values/many-values
SELECT COUNT(DISTINCT code) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code has at most 65536 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct code)
--       scan orders (id, customer, code)
-- sql:
WITH "pairs" AS MATERIALIZED (SELECT DISTINCT "t1"."customer" AS "u", "t1"."code" AS "x"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL) AND ("t1"."code" IS NOT NULL)),
"heavy" AS MATERIALIZED (SELECT "pairs"."u"
FROM "pairs"
GROUP BY "pairs"."u"
HAVING (COUNT(*) > CAST(3 AS BIGINT))),
"ranked" AS (SELECT "pairs"."u", "pairs"."x", ROW_NUMBER() OVER (PARTITION BY "pairs"."u" ORDER BY HASH("pairs"."u", "pairs"."x", 'dpsql'), "pairs"."x") AS "place"
FROM "pairs"
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")),
"kept" AS (SELECT "ranked"."u", "ranked"."x"
FROM "ranked"
WHERE ("ranked"."place" <= CAST(3 AS BIGINT)) UNION ALL
SELECT "pairs"."u", "pairs"."x"
FROM "pairs"
LEFT
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")
WHERE "heavy"."u" IS NULL)
SELECT COUNT(DISTINCT "kept"."x") AS "n"
FROM "kept"
==
# case: distinct_values/of-a-row-each
SELECT COUNT(DISTINCT email) AS n, COUNT(DISTINCT age) AS ages FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of email at most)
-- sensitivity: ages  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct email), count#2 = count(distinct age)
--       scan customers (id, age, email)
==
# case: distinct_values/beside-all-values
SELECT COUNT(DISTINCT units) AS d, COUNT(units) AS n, SUM(units) AS s FROM orders
-- accept
-- sensitivity: d  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- plan:
--   r1:
--     aggregate: count = count(distinct units), count#2 = count(units), sum = sum(units)
--       scan orders (id, customer, units)
==
# case: distinct_values/filtered
SELECT COUNT(DISTINCT code) FILTER (WHERE paid) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN code ELSE CAST(NULL AS SMALLINT) END has at most 65536 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct case(paid then code; else NULL))
--       scan orders (id, customer, paid, code)
==
# case: distinct_values/expression
SELECT COUNT(DISTINCT amount > 100) AS n, COUNT(DISTINCT MONTH(day)) AS m FROM orders
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount > CAST(100.00 AS DECIMAL(10, 2)) has at most 2 values)
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); MONTH(day) has at most 12 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct (amount > 100)), count#2 = count(distinct month(day))
--       scan orders (id, customer, day, amount)
==
# case: distinct_values/sum
SELECT SUM(DISTINCT units) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(distinct units)
--       scan orders (id, customer, units)
-- sql:
WITH "pairs" AS MATERIALIZED (SELECT DISTINCT "t1"."customer" AS "u", (CASE WHEN ("t1"."units" < 1) THEN 1 WHEN ("t1"."units" > 9) THEN 9 ELSE "t1"."units" END) AS "x"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL) AND ((CASE WHEN ("t1"."units" < 1) THEN 1 WHEN ("t1"."units" > 9) THEN 9 ELSE "t1"."units" END) IS NOT NULL)),
"heavy" AS MATERIALIZED (SELECT "pairs"."u"
FROM "pairs"
GROUP BY "pairs"."u"
HAVING (COUNT(*) > CAST(3 AS BIGINT))),
"ranked" AS (SELECT "pairs"."u", "pairs"."x", ROW_NUMBER() OVER (PARTITION BY "pairs"."u" ORDER BY HASH("pairs"."u", "pairs"."x", 'dpsql'), "pairs"."x") AS "place"
FROM "pairs"
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")),
"kept" AS (SELECT "ranked"."u", "ranked"."x"
FROM "ranked"
WHERE ("ranked"."place" <= CAST(3 AS BIGINT)) UNION ALL
SELECT "pairs"."u", "pairs"."x"
FROM "pairs"
LEFT
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")
WHERE "heavy"."u" IS NULL)
SELECT COUNT(DISTINCT "kept"."x") AS "n", SUM(DISTINCT "kept"."x") AS "s"
FROM "kept"
==
# case: distinct_values/sum-of-both-signs
# note: a value goes or comes, so that what counts is its size, not the range
SELECT SUM(DISTINCT units - 5) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - 5 has at most 9 values; units - 5 in [-4, 4], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(distinct (units - 5))
--       scan orders (id, customer, units)
==
# case: distinct_values/average
SELECT AVG(DISTINCT units) AS a FROM orders
-- accept
-- sensitivity: sum(distinct units)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- plan:
--   r1:
--     aggregate: avg = avg(distinct units)
--       scan orders (id, customer, units)
==
# case: distinct_values/average-of-doubles
# note: values that are one on the lattice are one
# differs: the lattice is coarser than a DOUBLE
SELECT AVG(DISTINCT weight) AS a FROM orders
-- accept
-- sensitivity: sum(distinct weight)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped)
-- sensitivity: count(distinct weight)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(distinct weight)
--       scan orders (id, customer, weight)
==
# case: distinct_values/sum-of-decimals
SELECT status, SUM(DISTINCT amount) AS s FROM orders GROUP BY status
-- accept
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(distinct amount)
--       scan orders (id, customer, amount, status)
==
# case: distinct_values/sum-of-a-column-of-the-unit
SELECT SUM(DISTINCT c.age) AS s FROM orders o JOIN customers c ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); a unit has one value of age at most; age in [18, 99], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(distinct age)
--       join inner on (customer = id#2)
--         scan orders (id, customer)
--         scan customers (id#2, age)
==
# case: distinct_values/approximate
SELECT APPROX_COUNT_DISTINCT(code) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code has at most 65536 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct code)
--       scan orders (id, customer, code)
==
# case: distinct_values/floats
# note: NaN is a value, and -0.0 is 0.0
SELECT COUNT(DISTINCT rate) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct rate)
--       scan orders (id, customer, rate)
==
# case: distinct_values/text
SELECT COUNT(DISTINCT note) AS n FROM lines
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct note)
--       scan lines (order_id, note)
==
# case: distinct_values/public-column
SELECT COUNT(DISTINCT p.kind) AS n FROM lines l JOIN products p ON l.product = p.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct kind)
--       join inner on (product = id)
--         scan lines (order_id, product)
--         scan products (id, kind)
==
# case: distinct_values/grouped-by-a-public-column
SELECT p.kind, COUNT(DISTINCT o.customer) AS n FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON l.product = p.id GROUP BY p.kind
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); a unit counts once in a group; groups: kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(distinct customer)
--       join inner on (product = id#2)
--         join inner on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, product)
--         scan products (id#2, kind)
==
# case: distinct_values/sum-without-bounds
SELECT SUM(DISTINCT code) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--                  ^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: distinct_values/several-columns
# note: a pair is told by a text that is another for other pairs; NULL is a value in it
SELECT COUNT(DISTINCT (code, units)) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct concat(case(is_null(code) then '-'; else concat(cast(length(cast(code))), ':', cast(code))), case(is_null(units) then '-'; else concat(cast(length(cast(units))), ':', cast(units)))))
--       scan orders (id, customer, units, code)
==
# case: distinct_values/pairs-by-group
SELECT paid, COUNT(DISTINCT (status, day)) FILTER (WHERE units > 2) AS n, COUNT(DISTINCT ROW(weight, paid)) AS m FROM orders GROUP BY paid
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; a unit can be in several)
-- sensitivity: m  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: count = count(distinct case((units > 2) then concat(case(is_null(status) then '-'; else concat(cast(length(status)), ':', status)), case(is_null(day) then '-'; else concat(cast(length(cast(day))), ':', cast(day)))); else NULL)), count#2 = count(distinct concat(case(is_null(weight) then '-'; else concat(cast(length(case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24)))), ':', case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24)))), case(is_null(paid) then '-'; else concat(cast(length(cast(paid))), ':', cast(paid)))))
--       scan orders (id, customer, day, weight, paid, status, units)
==
# case: distinct_values/pairs-of-what-a-unit-has-once
SELECT o.paid, COUNT(DISTINCT (c.segment, c.score)) AS n FROM orders AS o JOIN customers AS c ON c.id = o.customer GROUP BY o.paid
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); a unit has one value of (segment, score) at most; groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: count = count(distinct concat(case(is_null(segment#2) then '-'; else concat(cast(length(segment#2)), ':', segment#2)), case(is_null(score) then '-'; else concat(cast(length(case(isnan(score) then 'nan'; else left(cast((score + 0)), 24)))), ':', case(isnan(score) then 'nan'; else left(cast((score + 0)), 24))))))
--       join inner on (id#2 = customer)
--         scan orders (id, customer, paid)
--         project id#2, score, segment#2 = cut(segment, 7)
--           scan customers (id#2, score, segment)
==
# case: distinct_values/pairs-of-one-unit
SELECT AVG(n) AS a FROM (SELECT customer, COUNT(DISTINCT (status, paid)) AS n FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(count)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [0, 3], clamped; summed around 0, the least; a row adds 3 to sum(count) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [0, 3], clamped; summed around 3, the greatest; a row adds 3 to sum(count) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate: avg = avg(count)
--       aggregate per unit by customer#2 = customer: count = count(distinct concat(case(is_null(status) then '-'; else concat(coerce(length(cut(status, 5))), ':', cut(status, 5))), case(is_null(paid) then '-'; else concat(coerce(inside(length(coerce(paid)), -1, 129)), ':', coerce(paid)))))
--         scan orders (id, customer, paid, status)
==
# case: distinct_values/pairs-of-noisy-rows
SELECT COUNT(DISTINCT (n, vip)) AS v FROM (SELECT vip, segment, COUNT(*) AS n FROM customers GROUP BY vip, segment) HAVING COUNT(*) > 0
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, segment#2 = segment: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project v = count#3
--       filter (count#2 > 0)
--         aggregate: count#2 = count(*), count#3 = count(distinct concat(case(is_null(n) then '-'; else concat(coerce(inside(length(coerce(n)), -1, 129)), ':', coerce(n))), case(is_null(vip#3) then '-'; else concat(coerce(least(greatest(length(coerce(vip#3)), 0), 128)), ':', coerce(vip#3)))))
--           project vip#3 = vip#2, segment#3 = segment#2, n = count
--             project vip#2, segment#2, count
--               filter present
--                 released r1 (vip#2, segment#2, count, present)
==
# case: distinct_values/without-parentheses
SELECT COUNT(DISTINCT code, units) AS n FROM orders
-- reject DP104  DISTINCT takes one expression in COUNT, SUM, AVG, VAR and STDDEV
--                    ^^^^^^^^^^^
-- help: write COUNT(DISTINCT (a, b))
==
# case: distinct_values/sum-of-rows
SELECT SUM(DISTINCT (code, units)) AS n FROM orders
-- reject DP104  SUM takes no row
--     ^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write one expression
==
# case: distinct_values/row-with-a-blob
SELECT COUNT(DISTINCT (vip, photo)) AS n FROM customers
-- reject DP205  needs a number, a text, a condition or a date, not BLOB
--                          ^^^^^
==
# case: distinct_values/spread
SELECT STDDEV(DISTINCT units) AS s FROM orders
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- sensitivity: sum(distinct units)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- sensitivity: sum(distinct (units - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped)
-- plan:
--   r1:
--     aggregate: stddev_samp = stddev_samp(distinct units)
--       scan orders (id, customer, units)
==
# case: distinct_values/minimum
# note: of distinct values it is the same
SELECT MIN(DISTINCT age) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 15 from the end)
-- plan:
--   r1:
--     aggregate: min = min(age)
--       scan customers (id, age)
==
# case: distinct_values/all-rows
SELECT COUNT(DISTINCT *) AS n FROM orders
-- reject DP205  a star can stand only in COUNT(*)
--                    ^
==
# policy: shop verified
# case: distinct_values/verified-values
# note: the values are proven, but 3 rows have no more than 3 of them
SELECT COUNT(DISTINCT status) AS n, COUNT(DISTINCT code) AS c FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); status has at most 3 values)
-- sensitivity: c  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); code has at most 65536 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct status), count#2 = count(distinct code)
--       scan orders (id, customer, status, code)
==
# case: distinct_values/verified-of-a-large-table
# note: six lines have both values of returned, and six quantities of at most 10
SELECT COUNT(DISTINCT l.returned) AS n, SUM(DISTINCT l.quantity) AS s FROM lines l
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 6, proven (2 rows of lines per order_id, 3 rows of orders per customer); returned has at most 2 values)
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, proven (2 rows of lines per order_id, 3 rows of orders per customer); quantity has at most 10 values; quantity in [1, 10], proven)
-- plan:
--   r1:
--     aggregate: count = count(distinct returned), sum = sum(distinct quantity)
--       scan lines (order_id, quantity, returned)
==
# policy: unbounded
# case: distinct_values/unbounded-of-the-unit
SELECT COUNT(DISTINCT customer) FILTER (WHERE amount > 10) AS n, COUNT(DISTINCT c.age) AS a FROM orders JOIN customers c ON customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (a unit has one value of CASE WHEN (amount > CAST(10.00 AS DECIMAL(10, 2))) THEN customer ELSE CAST(NULL AS BIGINT) END at most)
-- sensitivity: a  l0=1 l1=1 l2=1 linf=1 groups=1  (a unit has one value of age at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct case((amount > 10) then customer; else NULL)), count#2 = count(distinct age)
--       join inner on (customer = id)
--         scan orders (customer, amount)
--         scan customers (id, age)
==
# case: distinct_values/unbounded-of-few-values
# note: two values, however many rows
SELECT COUNT(DISTINCT amount > 100) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (amount > CAST(100.00 AS DECIMAL(10, 2)) has at most 2 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct (amount > 100))
--       scan orders (customer, amount)
-- sql:
SELECT COUNT(DISTINCT ("t1"."amount" > CAST(100.00 AS DECIMAL(10, 2)))) AS "n"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
==
# case: distinct_values/unbounded-of-few-values-by-few-groups
SELECT amount > 50 AS large, COUNT(DISTINCT amount > 100) AS n, SUM(DISTINCT CASE WHEN amount > 10 THEN 7 ELSE 5 END) AS s FROM orders GROUP BY large
-- accept
-- sensitivity: n  l0=2 l1=4 l2=2.82842712475 linf=2 groups=2  (amount > CAST(100.00 AS DECIMAL(10, 2)) has at most 2 values; groups: key: 2 values; a unit can be in several)
-- sensitivity: s  l0=2 l1=28 l2=19.7989898732 linf=14 groups=2  (CASE WHEN (amount > CAST(10.00 AS DECIMAL(10, 2))) THEN 7 ELSE 5 END has at most 2 values; CASE WHEN (amount > CAST(10.00 AS DECIMAL(10, 2))) THEN 7 ELSE 5 END in [5, 7], proven; groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (amount > 50): count = count(distinct (amount > 100)), sum = sum(distinct case((amount > 10) then 7; else 5))
--       scan orders (customer, amount)
==
# case: distinct_values/unbounded-units-by-group
SELECT MONTH(c.born) AS m, COUNT(DISTINCT o.customer) AS n FROM customers c JOIN orders o ON o.customer = c.id GROUP BY m
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=13  (a unit counts once in a group; groups: key: 13 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = month(born): count = count(distinct customer)
--       join inner on (customer = id)
--         scan customers (id, born)
--         scan orders (customer)
==
# case: distinct_values/unbounded
SELECT COUNT(DISTINCT amount) AS n FROM orders
-- reject DP302  nothing bounds how many rows one unit has: ∞ rows of orders per customer
--     ^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for orders.customer in the policy
==
# policy: replace
# case: distinct_values/replaced
# note: how many units there are is public, how many have a stay is not
SELECT COUNT(DISTINCT pid) AS n FROM stays
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 2, enforced per unit (2 rows of stays per pid); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct pid)
--       scan stays (pid)
==
# case: distinct_values/replaced-by-group
# note: one leaves 2 wards, another comes to 2
SELECT ward, COUNT(DISTINCT pid) AS n FROM stays GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); a unit counts once in a group; groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: count = count(distinct pid)
--       scan stays (pid, ward)
==
# case: distinct_values/replaced-values
# note: both stays of the one have days that nobody else has, and both of the other
SELECT COUNT(DISTINCT days) AS n, SUM(DISTINCT days) AS s FROM stays
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of stays per pid); days has at most 30 values)
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 2, enforced per unit (2 rows of stays per pid); days has at most 30 values; days in [1, 30], clamped)
-- plan:
--   r1:
--     aggregate: count = count(distinct days), sum = sum(distinct days)
--       scan stays (pid, days)
==
# case: distinct_values/replaced-public-number
# note: there are as many patients in all neighbours
SELECT COUNT(DISTINCT pid) AS n FROM patients
-- accept
-- sensitivity: n  l0=0 l1=0 l2=0 linf=0 groups=1  (rows per unit 1, proven (pid is the key of patients); the same on all neighbours: 4 rows are public)
-- plan:
--   r1:
--     aggregate: count = count(distinct pid)
--       scan patients (pid)
==
# policy: people_rows
# case: distinct_values/row-units
SELECT COUNT(DISTINCT income) AS n, COUNT(DISTINCT c.name) AS cities FROM people p JOIN cities c ON p.city = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (each row of people is a unit); a unit has one value of income at most)
-- sensitivity: cities  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (each row of people is a unit); a unit has one value of name at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct income), count#2 = count(distinct name)
--       join inner on (city = id)
--         scan people (income, city)
--         scan cities (id, name)
==
# policy: shop
# case: distinct_values/rows-of-one-key
# note: as many groups as different values, whether they are listed or private
SELECT COUNT(*) AS n FROM (SELECT DISTINCT email FROM customers) e
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of email at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct email)
--       scan customers (id, email)
==
# case: distinct_values/rows-of-several-keys
# note: DISTINCT tells NULLs apart from values, and two texts from one that is both
SELECT COUNT(*) AS n FROM (SELECT status, note, COUNT(*) AS lines FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY status, note) g
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct concat(case(is_null(status#2) then '-'; else concat(cast(length(status#2)), ':', status#2)), case(is_null(note) then '-'; else concat(cast(length(note)), ':', note))))
--       join inner on (order_id = id)
--         project id, customer, status#2 = cut(status, 5)
--           scan orders (id, customer, status)
--         scan lines (order_id, note)
==
# case: distinct_values/rows-by-a-key-of-them
SELECT status, COUNT(*) AS n FROM (SELECT DISTINCT status, day FROM orders) d WHERE day > DATE '2024-06-30' GROUP BY status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(distinct day)
--       filter (day > 2024-06-30)
--         scan orders (id, customer, day, status)
==
# case: distinct_values/rows-of-a-union
SELECT COUNT(*) AS n FROM (SELECT email FROM customers UNION SELECT note FROM lines) u
-- accept
-- sensitivity: n  l0=1 l1=7 l2=7 linf=7 groups=1  (rows per unit 7, enforced per unit ((id is the key of customers) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(distinct email#3)
--       union (email#3, id#4)
--         project email#2, id#2 = id
--           project email#2 = email, id
--             scan customers (id, email)
--         project note#2, customer#2 = customer
--           join inner on (order_id = id#3)
--             project note#2 = note, order_id
--               scan lines (order_id, note)
--             scan orders (id#3, customer)
==
# case: distinct_values/rows-of-noisy-groups
# note: which groups there are depends on their noisy counts
SELECT COUNT(*) AS n FROM (SELECT status, COUNT(*) AS m FROM orders GROUP BY status) g WHERE m > 3
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project n = count#2
--       aggregate: count#2 = count(*)
--         filter (m > 3)
--           project status#3 = status#2, m = count
--             project status#2, count
--               filter present
--                 released r1 (status#2, count, present)
==
# case: distinct_values/rows-of-units
SELECT COUNT(*) AS n FROM (SELECT customer, COUNT(*) AS m FROM orders GROUP BY customer) g
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#2 = customer
--         scan orders (id, customer)
==
# case: distinct_values/nothing-left-to-count
SELECT status, COUNT(*) AS n FROM (SELECT DISTINCT status FROM orders) d GROUP BY status
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, n = count
--       aggregate by status#3 = status#2: count = count(*)
--         project status#2
--           filter present
--             released r1 (status#2, present)
==
# case: distinct_values/rows-of-a-with-query
WITH r AS (SELECT email, segment FROM customers), e AS (SELECT DISTINCT email FROM r) SELECT COUNT(*) AS n FROM e
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of email at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct email)
--       scan customers (id, email)
==
# case: distinct_values/rows-of-a-with-query-used-twice
# note: it is released once, and told by its noisy counts
WITH s AS (SELECT DISTINCT status FROM orders) SELECT (SELECT COUNT(*) FROM s) AS n, (SELECT COUNT(*) FROM s WHERE status <> 'open') AS m
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status
--       scan orders (id, customer, status)
--   answer:
--     project n = count(*)#2, m = count(*)#4
--       project count(*)#2, count(*)#4 = count(*)#3
--         join inner on true
--           project count(*)#2 = count(*)
--             join inner on true
--               one row
--               project count(*) = count
--                 aggregate: count = count(*)
--                   project status#3 = status#2
--                     project status#2
--                       filter present
--                         released r1 (status#2, present)
--           project count(*)#3 = count#2
--             aggregate: count#2 = count(*)
--               filter (status#6 <> 'open')
--                 project status#6 = status#5
--                   project status#5 = status#4
--                     filter present#2
--                       released r1 (status#4, present#2)
==
# case: distinct_values/variance
SELECT VAR_SAMP(DISTINCT amount) AS v FROM orders
-- accept
-- sensitivity: count(distinct amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(distinct amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- sensitivity: sum(distinct (amount - least)²)  l0=1 l1=375000 l2=375000 linf=375000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount - least)² in [-125000, 125000], clamped)
-- plan:
--   r1:
--     aggregate: var_samp = var_samp(distinct amount)
--       scan orders (id, customer, amount)
==
# case: distinct_values/deviation
SELECT STDDEV(DISTINCT units) AS v FROM orders
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- sensitivity: sum(distinct units)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- sensitivity: sum(distinct (units - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped)
-- plan:
--   r1:
--     aggregate: stddev_samp = stddev_samp(distinct units)
--       scan orders (id, customer, units)
==
# case: distinct_values/variance-of-all
SELECT VAR_POP(DISTINCT age) AS v, STDDEV_POP(DISTINCT age) AS s FROM customers
-- accept
-- sensitivity: count(distinct age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most)
-- sensitivity: sum(distinct age)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most; age in [18, 99], clamped)
-- sensitivity: sum(distinct (age - least)²)  l0=1 l1=3280.5 l2=3280.5 linf=3280.5 groups=1  (rows per unit 1, proven (id is the key of customers); (age - least)² in [-3280.5, 3280.5], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct age), stddev_pop = stddev_pop(distinct age)
--       scan customers (id, age)
==
# case: distinct_values/variance-of-doubles
SELECT STDDEV(DISTINCT weight) AS s FROM orders
-- accept
-- sensitivity: count(distinct weight)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(distinct weight)  l0=1 l1=60.3000183105 l2=60.3000183105 linf=60.3000183105 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped)
-- sensitivity: sum(distinct (weight - least)²)  l0=1 l1=606.015368042 l2=606.015368042 linf=606.015368042 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (weight - least)² in [-202.005, 202.005], clamped)
-- plan:
--   r1:
--     aggregate: stddev_samp = stddev_samp(distinct weight)
--       scan orders (id, customer, weight)
==
# case: distinct_values/variance-of-wide-decimals
SELECT VAR_SAMP(DISTINCT total) AS v FROM orders
-- accept
-- sensitivity: count(distinct total)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(distinct total)  l0=1 l1=2.70000121519e+19 l2=2.70000121519e+19 linf=2.70000121519e+19 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); total in [-9000004050648825856, 9000004050648825856], clamped)
-- sensitivity: sum(distinct (total - least)²)  l0=1 l1=4.8600043747e+38 l2=4.8600043747e+38 linf=4.8600043747e+38 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (total - least)² in [-162000145823390546327820817182828265472, 162000145823390546327820817182828265472], clamped)
-- plan:
--   r1:
--     aggregate: var_samp = var_samp(distinct total)
--       scan orders (id, customer, total)
==
# case: distinct_values/variance-beside-others
SELECT COUNT(DISTINCT units) AS c, SUM(DISTINCT units) AS s, AVG(DISTINCT units) AS a, VAR_POP(DISTINCT units) AS v FROM orders
-- accept
-- sensitivity: c  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- sensitivity: sum(distinct (units - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped)
-- plan:
--   r1:
--     aggregate: count = count(distinct units), sum = sum(distinct units), avg = avg(distinct units), var_pop = var_pop(distinct units)
--       scan orders (id, customer, units)
==
# case: distinct_values/variance-beside-that-of-rows
SELECT VAR_POP(DISTINCT units) AS d, VAR_POP(units) AS v FROM orders
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- sensitivity: sum(distinct units)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- sensitivity: sum(distinct (units - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped)
-- sensitivity: rows with units near 1  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 5  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with units near 9  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct units), var_pop#2 = var_pop(units)
--       scan orders (id, customer, units)
==
# case: distinct_values/variance-grouped
SELECT status, VAR_POP(DISTINCT units) AS v FROM orders GROUP BY status
-- accept
-- sensitivity: count(distinct units)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; groups: status: 4 values; a unit can be in several)
-- sensitivity: sum(distinct units)  l0=3 l1=27 l2=27 linf=27 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped; groups: status: 4 values; a unit can be in several)
-- sensitivity: sum(distinct (units - least)²)  l0=3 l1=96 l2=96 linf=96 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: var_pop = var_pop(distinct units)
--       scan orders (id, customer, status, units)
==
# case: distinct_values/variance-filtered
SELECT VAR_POP(DISTINCT units) FILTER (WHERE paid) AS v FROM orders
-- accept
-- sensitivity: count(distinct CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END has at most 9 values)
-- sensitivity: sum(distinct CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END has at most 9 values; CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END in [1, 9], clamped)
-- sensitivity: sum(distinct (CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END - least)² in [-32, 32], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct case(paid then units; else NULL))
--       scan orders (id, customer, paid, units)
==
# case: distinct_values/variance-in-a-join
SELECT c.vip, STDDEV_POP(DISTINCT o.units) AS v FROM orders o JOIN customers c ON o.customer = c.id GROUP BY c.vip
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); units has at most 9 values; groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum(distinct units)  l0=1 l1=27 l2=27 linf=27 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); units has at most 9 values; units in [1, 9], clamped; groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum(distinct (units - least)²)  l0=1 l1=96 l2=96 linf=96 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); (units - least)² in [-32, 32], clamped; groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: stddev_pop = stddev_pop(distinct units)
--       join inner on (customer = id#2)
--         scan orders (id, customer, units)
--         scan customers (id#2, vip)
==
# case: distinct_values/variance-having
SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING VAR_POP(DISTINCT units) > 2
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- sensitivity: count(distinct units)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; groups: status: 4 values; a unit can be in several)
-- sensitivity: sum(distinct units)  l0=3 l1=27 l2=27 linf=27 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped; groups: status: 4 values; a unit can be in several)
-- sensitivity: sum(distinct (units - least)²)  l0=3 l1=96 l2=96 linf=96 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: var_pop = var_pop(distinct units), count = count(*)
--       scan orders (id, customer, status, units)
--   answer:
--     project status#3 = status#2, n = count
--       filter (var_pop > 2)
--         released r1 (status#2, var_pop, count)
==
# case: distinct_values/variance-rolled-up
SELECT status, VAR_POP(DISTINCT units) AS v FROM orders GROUP BY ROLLUP (status)
-- accept
-- sensitivity: count(distinct units)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; groups: status: 4 values; a unit can be in several)
-- sensitivity: sum(distinct units)  l0=3 l1=27 l2=27 linf=27 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped; groups: status: 4 values; a unit can be in several)
-- sensitivity: sum(distinct (units - least)²)  l0=3 l1=96 l2=96 linf=96 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values)
-- sensitivity: sum(distinct units)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units has at most 9 values; units in [1, 9], clamped)
-- sensitivity: sum(distinct (units - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units - least)² in [-32, 32], clamped)
-- plan:
--   r1:
--     aggregate by status#2 = status: var_pop = var_pop(distinct units)
--       scan orders (id, customer, status, units)
--   r2:
--     aggregate: var_pop#2 = var_pop(distinct units#2)
--       scan orders (id#2, customer#2, units#2)
--   answer:
--     project status#7 = status#6, v = var_pop#7
--       union (status#6, var_pop#7)
--         project status#4 = status#3, var_pop#4 = var_pop#3
--           project status#3 = status#2, var_pop#3 = var_pop
--             released r1 (status#2, var_pop)
--         project status#5 = NULL, var_pop#6 = var_pop#5
--           project var_pop#5 = var_pop#2
--             released r2 (var_pop#2)
==
# case: distinct_values/variance-of-an-expression
SELECT VAR_POP(DISTINCT units % 3 - 1) AS v FROM orders
-- accept
-- sensitivity: count(distinct (units % 3) - 1)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units % 3) - 1 has at most 3 values)
-- sensitivity: sum(distinct (units % 3) - 1)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units % 3) - 1 has at most 3 values; (units % 3) - 1 in [-1, 1], clamped)
-- sensitivity: sum(distinct ((units % 3) - 1 - least)²)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ((units % 3) - 1 - least)² in [-2, 2], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct (mod(units, 3) - 1))
--       scan orders (id, customer, units)
==
# case: distinct_values/variance-of-one-value
SELECT VAR_POP(DISTINCT 5) AS v, VAR_SAMP(DISTINCT 5) AS w FROM orders
-- accept
-- sensitivity: count(distinct 5)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit has one value of 5 at most)
-- sensitivity: sum(distinct 5)  l0=1 l1=5 l2=5 linf=5 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a unit has one value of 5 at most; 5 in [5, 5], proven)
-- sensitivity: sum(distinct (5 - least)²)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (5 - least)² in [0, 0], proven)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct 5), var_samp = var_samp(distinct 5)
--       scan orders (id, customer)
==
# case: distinct_values/variance-of-null
SELECT VAR_POP(DISTINCT NULLIF(units, 3)) AS v FROM orders
-- accept
-- sensitivity: count(distinct NULLIF(units, 3))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); NULLIF(units, 3) has at most 9 values)
-- sensitivity: sum(distinct NULLIF(units, 3))  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); NULLIF(units, 3) has at most 9 values; NULLIF(units, 3) in [1, 9], clamped)
-- sensitivity: sum(distinct (NULLIF(units, 3) - least)²)  l0=1 l1=96 l2=96 linf=96 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (NULLIF(units, 3) - least)² in [-32, 32], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct nullif(units, 3))
--       scan orders (id, customer, units)
==
# case: distinct_values/variance-of-anything
SELECT VAR_SAMP(DISTINCT rate) AS v FROM orders
-- reject DP301  nothing bounds what VAR_SAMP reads
--                       ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: distinct_values/variance-per-unit
SELECT SUM(v) AS s FROM (SELECT customer, VAR_POP(DISTINCT units) AS v FROM orders GROUP BY customer) x
-- reject DP204  the aggregate var_pop of one unit's rows is not supported
--                                        ^^^^^^^^^^^^^^^^^^^^^^
-- help: use COUNT, SUM, AVG, VAR, MIN, MAX, MEDIAN, MODE, ARG_MAX, FIRST or LAST
==
# case: distinct_values/variance-over-the-rows-of-units
SELECT VAR_POP(DISTINCT n) AS v FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: count(distinct count)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); a unit has one value of count at most)
-- sensitivity: sum(distinct count)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); a unit has one value of count at most; count in [1, 3], clamped)
-- sensitivity: sum(distinct (count - least)²)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (one group per unit); (count - least)² in [-2, 2], clamped)
-- plan:
--   r1:
--     aggregate: var_pop = var_pop(distinct count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: distinct_values/variance-of-released-rows
SELECT VAR_POP(DISTINCT n) AS v FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project v = var_pop
--       aggregate: var_pop = var_pop(distinct n)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: distinct_values/correlation
SELECT CORR(DISTINCT units, amount) AS c FROM orders
-- reject DP101  the text is not a complete SELECT
--                                ^
==
# case: distinct_values/skewness
SELECT SKEWNESS(DISTINCT units) AS c FROM orders
-- reject DP104  DISTINCT takes one expression in COUNT, SUM, AVG, VAR and STDDEV
--                       ^^^^^
-- help: leave out DISTINCT
==
# case: distinct_values/variance-around-zero
SELECT VAR_SAMP(DISTINCT score) AS v FROM customers
-- accept
-- sensitivity: count(distinct score)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: sum(distinct score)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped)
-- sensitivity: sum(distinct (score - least)²)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (id is the key of customers); (score - least)² in [-2, 2], clamped)
-- plan:
--   r1:
--     aggregate: var_samp = var_samp(distinct score)
--       scan customers (id, score)
==
# case: distinct_values/variance-of-doubles-grouped
SELECT vip, STDDEV_POP(DISTINCT score) AS v, AVG(DISTINCT score) AS a FROM customers GROUP BY vip
-- accept
-- sensitivity: sum(distinct score)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); a unit has one value of score at most; score in [-1, 1], clamped; groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(distinct score)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); a unit has one value of score at most; groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(distinct score)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum(distinct score)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); score in [-1, 1], clamped; groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum(distinct (score - least)²)  l0=1 l1=2 l2=2 linf=2 groups=2  (rows per unit 1, proven (id is the key of customers); (score - least)² in [-2, 2], clamped; groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: stddev_pop = stddev_pop(distinct score), avg = avg(distinct score)
--       scan customers (id, score, vip)
==
# case: distinct_values/text-that-looks-like-a-row
# note: a text that is made by hand is no row of values
SELECT COUNT(DISTINCT CASE WHEN paid THEN '-' ELSE 'x' END || CASE WHEN units > 1 THEN '-' ELSE 'y' END) AS n, COUNT(DISTINCT CASE WHEN code IS NULL THEN '-' ELSE 'x' END || CASE WHEN status IS NULL THEN '-' ELSE 'y' END) AS m FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct concat(case(paid then '-'; else 'x'), case((units > 1) then '-'; else 'y'))), count#2 = count(distinct concat(case(is_null(code) then '-'; else 'x'), case(is_null(status) then '-'; else 'y')))
--       scan orders (id, customer, paid, status, units, code)
==
# case: distinct_values/rows-with-nan
# note: a NaN has a sign in DuckDB's text, and is one value all the same
SELECT COUNT(DISTINCT (rate, paid)) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct concat(case(is_null(rate) then '-'; else concat(cast(length(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)))), ':', case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)))), case(is_null(paid) then '-'; else concat(cast(length(cast(paid))), ':', cast(paid)))))
--       scan orders (id, customer, paid, rate)
==
# case: distinct_values/of-no-row-at-all
SELECT COUNT(DISTINCT t.tag) AS n FROM lines l JOIN tags t ON t.product = l.product JOIN tags u ON u.product = l.product WHERE l.quantity < 3 AND l.quantity > 5
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 24, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(distinct tag)
--       join inner on (product#3 = product)
--         join inner on (product#2 = product)
--           filter ((quantity < 3) AND (quantity > 5))
--             scan lines (order_id, product, quantity)
--           scan tags (product#2, tag)
--         scan tags (product#3)
