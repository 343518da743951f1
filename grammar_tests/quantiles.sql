# about: MIN, MAX, MEDIAN and QUANTILE_*: points of a public grid, picked by how many rows are below
# policy: shop
# case: quantiles/median
SELECT MEDIAN(age) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- plan:
--   r1:
--     aggregate: median = median(age)
--       scan customers (id, age)
-- sql:
SELECT CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT) AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
GROUP BY CAST((CASE WHEN ("t1"."age" < 18) THEN 18 WHEN ("t1"."age" > 99) THEN 99 ELSE "t1"."age" END) AS BIGINT)
==
# case: quantiles/several-of-one
# note: all quantiles of a column are answered together
SELECT MIN(age) AS lo, MEDIAN(age) AS m, MAX(age) AS hi, QUANTILE_CONT(age, [0.9, 0.1]) AS q FROM customers
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 49 from the end)
-- plan:
--   r1:
--     aggregate: min = min(age), median = median(age), max = max(age), quantile_cont = quantile_cont(age, 9/10, 1/10)
--       scan customers (id, age)
==
# case: quantiles/list-in-its-own-order
SELECT QUANTILE_DISC(units, [0.75, 0.25]) AS q FROM orders
-- accept
-- sensitivity: q  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: quantile_disc = quantile_disc(units, 3/4, 1/4)
--       scan orders (id, customer, units)
==
# case: quantiles/percentile-cont
SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount DESC) AS p FROM orders
-- accept
-- sensitivity: p  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 50,001 points)
-- plan:
--   r1:
--     aggregate: quantile_cont = quantile_cont(amount, 1/10)
--       scan orders (id, customer, amount)
==
# case: quantiles/approximate
SELECT APPROX_QUANTILE(age, 0.25) AS q FROM customers
-- accept
-- sensitivity: q  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- plan:
--   r1:
--     aggregate: quantile_disc = quantile_disc(age, 1/4)
--       scan customers (id, age)
==
# case: quantiles/double
SELECT MEDIAN(weight) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 658,638 points)
-- plan:
--   r1:
--     aggregate: median = median(weight)
--       scan orders (id, customer, weight)
-- sql:
WITH "base" AS NOT MATERIALIZED (SELECT "t1"."customer" AS "u", CAST(ROUND(((CASE WHEN ISNAN("t1"."weight") THEN NULL WHEN ("t1"."weight" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."weight" > CAST('20.1' AS DOUBLE)) THEN CAST('20.1' AS DOUBLE) ELSE "t1"."weight" END) / CAST('3.0517578125e-05' AS DOUBLE))) AS BIGINT) AS "k0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)),
"over" AS MATERIALIZED (SELECT "base"."u" AS "u"
FROM "base"
GROUP BY "base"."u"
HAVING (COUNT(*) > 3)),
"cells" AS (SELECT "over"."u", "base"."k0", COUNT(*) AS "n"
FROM "base"
LEFT
JOIN "over" ON ("base"."u" = "over"."u")
GROUP BY "over"."u", "base"."k0"),
"totals" AS (SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY cells.k0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto
FROM cells),
"placed" AS (SELECT totals.*, CAST(HASH(totals.u, 'cells') % CAST(totals.total AS UBIGINT) AS BIGINT) AS h
FROM totals),
"cut" AS (SELECT u, k0, n AS m, CASE WHEN u IS NULL THEN n ELSE CASE WHEN total <= CAST(3 AS BIGINT) THEN n ELSE CAST((CAST(upto AS INT128) * CAST(3 AS BIGINT) + h) // total - ((CAST(upto AS INT128) - n) * CAST(3 AS BIGINT) + h) // total AS BIGINT) END END AS n
FROM placed),
"counted" AS (SELECT u, k0, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.k0, counted.n
FROM counted)
SELECT k0, SUM(n) AS n
FROM kept
GROUP BY k0
==
# case: quantiles/wide-integers
SELECT MEDIAN(total) AS m, MAX(total) AS t FROM orders
-- accept
-- sensitivity: quantiles(total)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 1,023,183 points; MIN and MAX are of the rank 211 from the end)
-- plan:
--   r1:
--     aggregate: median = median(total), max = max(total)
--       scan orders (id, customer, total)
==
# case: quantiles/type-with-few-values
# note: of 16 bits all values are listed
SELECT MEDIAN(code) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 65,536 points)
-- plan:
--   r1:
--     aggregate: median = median(code)
--       scan orders (id, customer, code)
==
# case: quantiles/dates
SELECT MIN(day) AS first, MEDIAN(day) AS m, MAX(day) AS last FROM orders
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 107 from the end)
-- plan:
--   r1:
--     aggregate: min = min(day), median = median(day), max = max(day)
--       scan orders (id, customer, day)
==
# case: quantiles/timestamps
# note: to a second
SELECT MIN(placed) AS first, QUANTILE_DISC(placed, 0.5) AS m FROM orders
-- accept
-- sensitivity: quantiles(placed)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 31,536,001 points; MIN and MAX are of the rank 252 from the end)
-- plan:
--   r1:
--     aggregate: min = min(placed), quantile_disc = quantile_disc(placed, 1/2)
--       scan orders (id, customer, placed)
-- sql:
WITH "base" AS NOT MATERIALIZED (SELECT "t1"."customer" AS "u", DATE_DIFF('second', CAST('2024-01-01 00:00:00' AS TIMESTAMP), (CASE WHEN (NOT ("t1"."placed" IS NULL)) THEN LEAST(GREATEST("t1"."placed", CAST('2024-01-01 00:00:00' AS TIMESTAMP)), CAST('2024-12-31 00:00:00' AS TIMESTAMP)) ELSE NULL END)) AS "k0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)),
"over" AS MATERIALIZED (SELECT "base"."u" AS "u"
FROM "base"
GROUP BY "base"."u"
HAVING (COUNT(*) > 3)),
"cells" AS (SELECT "over"."u", "base"."k0", COUNT(*) AS "n"
FROM "base"
LEFT
JOIN "over" ON ("base"."u" = "over"."u")
GROUP BY "over"."u", "base"."k0"),
"totals" AS (SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY cells.k0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto
FROM cells),
"placed" AS (SELECT totals.*, CAST(HASH(totals.u, 'cells') % CAST(totals.total AS UBIGINT) AS BIGINT) AS h
FROM totals),
"cut" AS (SELECT u, k0, n AS m, CASE WHEN u IS NULL THEN n ELSE CASE WHEN total <= CAST(3 AS BIGINT) THEN n ELSE CAST((CAST(upto AS INT128) * CAST(3 AS BIGINT) + h) // total - ((CAST(upto AS INT128) - n) * CAST(3 AS BIGINT) + h) // total AS BIGINT) END END AS n
FROM placed),
"counted" AS (SELECT u, k0, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.k0, counted.n
FROM counted)
SELECT k0, SUM(n) AS n
FROM kept
GROUP BY k0
==
# case: quantiles/declared-texts
SELECT MIN(segment) AS lo, MAX(segment) AS hi FROM customers
-- accept
-- sensitivity: quantiles(segment)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points; MIN and MAX are of the rank 20 from the end)
-- plan:
--   r1:
--     aggregate: min = min(segment), max = max(segment)
--       scan customers (id, segment)
==
# case: quantiles/enum
# note: in the order of its values: basic, plus, gold
SELECT MIN(level) AS lo, QUANTILE_DISC(level, 0.5) AS m FROM customers
-- accept
-- sensitivity: quantiles(level)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points; MIN and MAX are of the rank 20 from the end)
-- plan:
--   r1:
--     aggregate: min = min(level), quantile_disc = quantile_disc(level, 1/2)
--       scan customers (id, level)
==
# case: quantiles/booleans
SELECT MIN(vip) AS lo, MAX(vip) AS hi FROM customers
-- accept
-- sensitivity: quantiles(vip)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 2 points; MIN and MAX are of the rank 18 from the end)
-- plan:
--   r1:
--     aggregate: min = min(vip), max = max(vip)
--       scan customers (id, vip)
==
# case: quantiles/expression
SELECT MAX(price * quantity) AS m FROM lines
-- accept
-- sensitivity: m  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); 100,001 points; MIN and MAX are of the rank 175 from the end)
-- plan:
--   r1:
--     aggregate: max = max((price * quantity))
--       scan lines (order_id, quantity, price)
==
# case: quantiles/case-of-few-values
# note: no other value can be the answer
SELECT MEDIAN(CASE WHEN vip THEN 10 ELSE 1000 END) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 2 points)
-- plan:
--   r1:
--     aggregate: median = median(case(vip then 10; else 1000))
--       scan customers (id, vip)
==
# case: quantiles/of-nothing-but-null
# note: of no value any value is the answer
SELECT MAX(CASE WHEN age > 200 THEN age END) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 1 points; MIN and MAX are of the rank 6 from the end)
-- plan:
--   r1:
--     aggregate: max = max(case((age > 200) then age; else NULL))
--       scan customers (id, age)
==
# case: quantiles/filtered
SELECT MEDIAN(age) FILTER (WHERE vip) AS m, MEDIAN(age) AS every FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- sensitivity: every  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- plan:
--   r1:
--     aggregate: median = median(case(vip then age; else NULL)), median#2 = median(age)
--       scan customers (id, age, vip)
==
# case: quantiles/beside-counts-and-sums
SELECT COUNT(*) AS n, MEDIAN(amount) AS m, AVG(amount) AS a FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(amount)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: count(amount)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 50,001 points)
-- plan:
--   r1:
--     aggregate: count = count(*), median = median(amount), avg = avg(amount)
--       scan orders (id, customer, amount)
==
# case: quantiles/distinct-extremes
# note: what is extreme stays so without its copies; the rank is that among all rows
SELECT MAX(DISTINCT age) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 15 from the end)
-- plan:
--   r1:
--     aggregate: max = max(age)
--       scan customers (id, age)
==
# case: quantiles/grouped
SELECT segment, MEDIAN(balance) AS m FROM customers GROUP BY segment
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); 600,001 points)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: median = median(balance)
--       scan customers (id, balance, segment)
-- sql:
SELECT "t1"."segment" AS "k0", CAST(ROUND((CAST((CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT) AS "k1", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
WHERE ("t1"."segment" IN ('home', 'office', 'trade'))
GROUP BY "t1"."segment", CAST(ROUND((CAST((CASE WHEN ("t1"."balance" < CAST((-1000.00) AS DECIMAL(12, 2))) THEN CAST((-1000.00) AS DECIMAL(12, 2)) WHEN ("t1"."balance" > CAST(5000.00 AS DECIMAL(12, 2))) THEN CAST(5000.00 AS DECIMAL(12, 2)) ELSE "t1"."balance" END) AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)
==
# case: quantiles/having
# differs: groups are kept by their noisy medians
SELECT vip, COUNT(*) AS n FROM customers GROUP BY vip HAVING MEDIAN(age) > 40
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); 82 points)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: median = median(age), count = count(*)
--       scan customers (id, age, vip)
--   answer:
--     project vip#3 = vip#2, n = count
--       filter (median > 40)
--         released r1 (vip#2, median, count)
==
# case: quantiles/where-bounds-dates
# note: infinite dates are no days of 2024
SELECT MEDIAN(born) AS m FROM customers WHERE born BETWEEN DATE '1980-01-01' AND DATE '1989-12-31'
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3,653 points)
-- plan:
--   r1:
--     aggregate: median = median(born)
--       filter ((born >= 1980-01-01) AND (born <= 1989-12-31))
--         scan customers (id, born)
==
# case: quantiles/arithmetic-on-them
# differs: the rank of each is off by up to a row
SELECT MAX(age) - MIN(age) AS spread FROM customers
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 33 from the end)
-- plan:
--   r1:
--     aggregate: max = max(age), min = min(age)
--       scan customers (id, age)
==
# case: quantiles/unbounded
SELECT MAX(rate) AS m FROM orders
-- reject DP301  nothing bounds what MAX reads
--         ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: quantiles/undeclared-texts
SELECT MIN(email) AS m FROM customers
-- reject DP301  nothing bounds what MIN reads
--         ^^^^^
-- help: declare values for email in the policy, or ask how many there are: COUNT(DISTINCT x)
==
# case: quantiles/text-that-is-cut-before-a-join
SELECT MIN(c.email) AS m FROM customers AS c JOIN orders AS a ON a.customer = c.id JOIN orders AS b ON b.customer = c.id
-- reject DP301  nothing bounds what MIN reads
--         ^^^^^^^
-- help: declare values for its column in the policy, or ask how many there are: COUNT(DISTINCT x)
==
# case: quantiles/distinct-median
SELECT MEDIAN(DISTINCT age) AS m FROM customers
-- reject DP104  DISTINCT takes one expression in COUNT, SUM, AVG, VAR and STDDEV
--                     ^^^
-- help: leave out DISTINCT
==
# case: quantiles/fraction-above-one
SELECT QUANTILE_CONT(age, 1.5) AS q FROM customers
-- reject DP205  a quantile's fraction must be from 0 to 1
--                        ^^^
-- help: write 0.25 for the value that a quarter of the rows does not exceed
==
# policy: unbounded
# case: quantiles/unbounded-dates
SELECT MIN(born) AS m FROM customers
-- reject DP301  nothing bounds what MIN reads
--         ^^^^
-- help: declare bounds for born in the policy
==
# case: quantiles/unbounded-rows
# note: a list of values, but nothing bounds the rows of a unit
SELECT MEDIAN(amount) AS m FROM orders
-- reject DP302  nothing bounds how many rows one unit has: ∞ rows of orders per customer
--     ^^^^^^^^^^^^^
-- help: declare max_rows for orders.customer in the policy
==
# policy: shop verified
# case: quantiles/verified
SELECT MEDIAN(amount) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 50,001 points)
-- plan:
--   r1:
--     aggregate: median = median(amount)
--       scan orders (id, customer, amount)
-- sql:
SELECT CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT) AS "k0", COUNT(*) AS "n"
FROM "main"."orders" AS "t1"
GROUP BY CAST(ROUND((CAST("t1"."amount" AS DOUBLE) / CAST('0.01' AS DOUBLE))) AS BIGINT)
==
# policy: replace
# case: quantiles/replace
# note: one row goes, another comes
SELECT MEDIAN(weight) AS m FROM patients
-- accept
-- sensitivity: m  l0=1 l1=2 l2=2 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients); 121 points)
-- plan:
--   r1:
--     aggregate: median = median(weight)
--       scan patients (pid, weight)
==
# case: quantiles/replace-several-rows
SELECT ward, MAX(days) AS m FROM stays GROUP BY ward
-- accept
-- sensitivity: m  l0=3 l1=4 l2=4 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); 30 points; MIN and MAX are of the rank 52 from the end)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: max = max(days)
--       scan stays (pid, days, ward)
==
# policy: shop
# case: quantiles/of-what-stands-for-null
# note: 100 is one of the points, though nothing is said of NULLs in age
SELECT QUANTILE_DISC(COALESCE(age, 100), 0.5) AS m, MODE(COALESCE(age, 100)) AS o FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 83 points)
-- sensitivity: o  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 83 points)
-- plan:
--   r1:
--     aggregate: quantile_disc = quantile_disc(coalesce(age, 100), 1/2), mode = mode(coalesce(age, 100))
--       scan customers (id, age)
==
# case: quantiles/by-place
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(units, 1/2)
--       scan orders (id, customer, units)
--   answer:
--     project m = min#2
--       project min#2 = min
--         released r1 (min)
==
# case: quantiles/by-place-below-a-constant
SELECT MIN(CASE WHEN place < .25 * total THEN 9999 ELSE units END) AS a, MIN(CASE WHEN total / 2 > place THEN 9999 ELSE units END) AS b, COUNT(*) AS n FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(units, 1/4), min#2 = quantile_disc(units, 1/2), count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     project a = min#3, b = min#4, n = count
--       project min#3 = least(min, 9999), min#4 = least(min#2, 9999), count
--         released r1 (min, min#2, count)
==
# case: quantiles/by-place-in-groups
SELECT vip, MIN(CASE WHEN 0.9 * total <= place THEN balance END) AS m FROM (SELECT vip, balance, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY balance) AS place, COUNT(*) OVER (PARTITION BY vip) AS total FROM customers) AS t GROUP BY vip
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); 600,001 points)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: min = quantile_disc(balance, 9/10)
--       scan customers (id, balance, vip)
--   answer:
--     project vip#3 = vip#2, m = min#2
--       project vip#2, min#2 = min
--         released r1 (vip#2, min)
==
# case: quantiles/by-place-of-totals
WITH s AS (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer), o AS (SELECT n, ROW_NUMBER() OVER (ORDER BY n) AS place FROM s), p AS (SELECT COUNT(*) AS total FROM s) SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE n END) AS m, AVG(n) AS a FROM o CROSS JOIN p
-- accept
-- sensitivity: centred sum(count)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 2, the middle)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: quantiles(count)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); 3 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(count, 1/2), avg = avg(count)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
--   answer:
--     project m = min#2, a = avg
--       project min#2 = least(min, 9999), avg
--         released r1 (min, avg)
==
# case: quantiles/by-place-under-the-same-conditions
SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE u END) AS m FROM (SELECT o.units AS u, ROW_NUMBER() OVER (ORDER BY o.units) AS place, (SELECT COUNT(*) FROM orders WHERE units > 3) AS total FROM orders AS o WHERE o.units > 3) AS t
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 6 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(units, 1/2)
--       filter (units > 3)
--         scan orders (id, customer, units)
--   answer:
--     project m = min#2
--       project min#2 = least(min, 9999)
--         released r1 (min)
==
# case: quantiles/by-place-under-other-conditions
SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE u END) AS m FROM (SELECT o.units AS u, ROW_NUMBER() OVER (ORDER BY o.units) AS place, (SELECT COUNT(*) FROM orders WHERE units > 4) AS total FROM orders AS o WHERE o.units > 3) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile the total must count the rows that are numbered: COUNT(*) OVER (…)
==
# case: quantiles/by-place-of-as-many-groups-and-null
SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE n END) AS m FROM (SELECT COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*)) AS place, (SELECT COUNT(DISTINCT o.customer) FROM orders AS o) AS total FROM orders GROUP BY customer) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile the total must count the rows that are numbered: COUNT(*) OVER (…)
==
# case: quantiles/by-place-of-as-many-groups
SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE n END) AS m FROM (SELECT COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*)) AS place, (SELECT COUNT(DISTINCT o.customer) FROM orders AS o WHERE NOT o.customer IS NULL) AS total FROM orders WHERE NOT customer IS NULL GROUP BY customer) AS t
-- accept
-- sensitivity: quantiles(count)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); 3 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(count, 1/2)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         filter not(is_null(customer))
--           scan orders (id, customer)
--   answer:
--     project m = min#2
--       project min#2 = least(min, 9999)
--         released r1 (min)
==
# case: quantiles/by-place-of-other-groups
SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE n END) AS m FROM (SELECT COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*)) AS place, (SELECT COUNT(DISTINCT o.id) FROM orders AS o) AS total FROM orders GROUP BY customer) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile the total must count the rows that are numbered: COUNT(*) OVER (…)
==
# case: quantiles/by-place-of-a-subquery
WITH s AS (SELECT age FROM customers WHERE age > 20) SELECT MIN(CASE WHEN place < .5 * total THEN 9999 ELSE age END) AS m FROM (SELECT age, ROW_NUMBER() OVER (ORDER BY age) AS place, (SELECT COUNT(*) FROM s) AS total FROM s) AS t
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 79 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(age, 1/2)
--       filter (age > 20)
--         scan customers (id, age)
--   answer:
--     project m = min#2
--       project min#2 = least(min, 9999)
--         released r1 (min)
==
# case: quantiles/by-place-beside-null
SELECT MIN(CASE WHEN place >= 0.5 * total THEN age END) AS m FROM (SELECT age, ROW_NUMBER() OVER (ORDER BY age) AS place, COUNT(*) OVER () AS total FROM customers) AS t
-- accept
-- sensitivity: quantiles(COALESCE(age, 100))  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 83 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(coalesce(age, 100), 1/2)
--       scan customers (id, age)
--   answer:
--     project m = min#2
--       project min#2 = nullif(min, 100)
--         released r1 (min)
==
# case: quantiles/by-place-of-days-before-null
SELECT MIN(CASE WHEN place < 0.75 * total THEN DATE '2030-01-01' ELSE day END) AS m, COUNT(*) AS n FROM (SELECT day, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: quantiles(COALESCE(day, CAST('2025-01-01' AS DATE)))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 367 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(coalesce(day, 2025-01-01), 3/4), count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     project m = min#2, n = count
--       project min#2 = least(nullif(min, 2025-01-01), 2030-01-01), count
--         released r1 (min, count)
==
# case: quantiles/by-place-after-nulls
SELECT MIN(CASE WHEN place >= 0.5 * total THEN age END) AS m FROM (SELECT age, ROW_NUMBER() OVER (ORDER BY age NULLS FIRST) AS place, COUNT(*) OVER () AS total FROM customers) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile leave out NULLs before rows are numbered: WHERE x IS NOT NULL
==
# case: quantiles/by-place-before-nulls-of-what-nothing-bounds
SELECT MIN(CASE WHEN place >= 0.5 * total THEN code END) AS m FROM (SELECT code, ROW_NUMBER() OVER (ORDER BY code) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile leave out NULLs before rows are numbered: WHERE x IS NOT NULL
==
# case: quantiles/by-place-before-nulls-of-a-double
SELECT MIN(CASE WHEN place >= 0.5 * total THEN score END) AS m FROM (SELECT score, ROW_NUMBER() OVER (ORDER BY score) AS place, COUNT(*) OVER () AS total FROM customers) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile leave out NULLs before rows are numbered: WHERE x IS NOT NULL
==
# case: quantiles/by-place-that-is-read
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m, MAX(place) AS n FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-of-some-rows
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, paid, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE paid
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-in-other-groups
SELECT paid, MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, paid, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t GROUP BY paid
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-from-the-top
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units DESC) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-of-other-rows
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, (SELECT COUNT(*) FROM customers) AS total FROM orders) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile the total must count the rows that are numbered: COUNT(*) OVER (…)
==
# case: quantiles/by-place-of-another-column
SELECT MIN(CASE WHEN place >= 0.5 * total THEN id END) AS m FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-with-a-joined-total
SELECT o.code, MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT code, units, ROW_NUMBER() OVER (PARTITION BY code ORDER BY code, units) AS place FROM orders WHERE code IN (1, 2)) AS o JOIN (SELECT code, COUNT(*) AS total FROM orders WHERE code IN (1, 2) GROUP BY code) AS t ON t.code = o.code GROUP BY o.code
-- accept
-- sensitivity: m  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate by code#2 = code: min = quantile_disc(units, 1/2)
--       filter in(code, 1, 2)
--         scan orders (id, customer, units, code)
--   answer:
--     project code#3 = code#2, m = min#2
--       project code#2, min#2 = min
--         released r1 (code#2, min)
==
# case: quantiles/by-place-with-a-joined-total-of-others
SELECT o.code, MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT code, units, ROW_NUMBER() OVER (PARTITION BY code ORDER BY units) AS place FROM orders WHERE code IN (1, 2)) AS o JOIN (SELECT code, COUNT(*) AS total FROM orders WHERE code IN (1, 2, 3) GROUP BY code) AS t ON t.code = o.code GROUP BY o.code
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile the total must count the rows that are numbered: COUNT(*) OVER (…)
==
# case: quantiles/by-place-with-a-total-joined-on-another
SELECT o.code, MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT code, units, ROW_NUMBER() OVER (PARTITION BY code ORDER BY units) AS place FROM orders WHERE code IN (1, 2)) AS o JOIN (SELECT code, COUNT(*) AS total FROM orders WHERE code IN (1, 2) GROUP BY code) AS t ON t.code = o.units GROUP BY o.code
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-with-a-joined-total-of-what-may-be-null
SELECT o.code, MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT code, units, ROW_NUMBER() OVER (PARTITION BY code ORDER BY units) AS place FROM orders WHERE code IN (1, 2)) AS o JOIN (SELECT code, COUNT(paid) AS total FROM orders WHERE code IN (1, 2) GROUP BY code) AS t ON t.code = o.code GROUP BY o.code
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile the total must count the rows that are numbered: COUNT(*) OVER (…)
==
# case: quantiles/by-place-of-a-running-count
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, SUM(1) OVER (ORDER BY units ROWS UNBOUNDED PRECEDING) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(units, 1/2)
--       scan orders (id, customer, units)
--   answer:
--     project m = min#2
--       project min#2 = min
--         released r1 (min)
==
# case: quantiles/by-place-of-days-since-the-first
SELECT m + INTERVAL (MIN(CASE WHEN place >= 0.5 * total THEN days END)) DAY AS middle FROM (SELECT m, days, ROW_NUMBER() OVER (ORDER BY days) AS place, COUNT(*) OVER () AS total FROM (SELECT day - m AS days, m FROM (SELECT day, MIN(day) OVER () AS m FROM orders WHERE day BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'))) AS t GROUP BY m
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 107 from the end)
-- sensitivity: quantiles(day - min)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 731 points)
-- plan:
--   r1:
--     aggregate: min = min(day)
--       filter ((day >= 2024-01-01) AND (day <= 2024-12-31))
--         scan orders (id, customer, day)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate: min#2 = quantile_disc(days_between(day#2, min), 1/2)
--       join inner on true
--         filter ((day#2 >= 2024-01-01) AND (day#2 <= 2024-12-31))
--           scan orders (id#2, customer#2, day#2)
--         released f1 (min)
--   answer:
--     project middle = coerce(plus_days(m, coerce(min#4)))
--       project m, min#4 = min#2
--         project m = min#3, min#2
--           join inner on true
--             released r2 (min#2)
--             released r1 (min#3)
==
# case: quantiles/by-place-of-what-rises-with-the-order
SELECT MIN(CASE WHEN place >= 0.5 * total THEN days END) AS m, MIN(CASE WHEN place < 0.75 * total THEN 9999 ELSE CAST(DATE_DIFF('month', first, day) AS SMALLINT) + 1 END) AS q FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 161 from the end)
-- sensitivity: quantiles(day - min)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 731 points)
-- sensitivity: quantiles(CAST(DATE_DIFF('month', min, day) AS SMALLINT) + 1)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 23 points)
-- plan:
--   r1:
--     aggregate: min = min(day)
--       filter not(is_null(day))
--         scan orders (id, customer, day)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate: min#2 = quantile_disc(days_between(day#2, min), 1/2), min#3 = quantile_disc((cast(date_diff('month', min, day#2)) + 1), 3/4)
--       join inner on true
--         filter not(is_null(day#2))
--           scan orders (id#2, customer#2, day#2)
--         released f1 (min)
--   answer:
--     project m = min#4, q = min#5
--       project min#4 = min#2, min#5 = least(min#3, 9999)
--         released r2 (min#2, min#3)
==
# case: quantiles/by-place-of-what-falls-with-the-order
SELECT MIN(CASE WHEN place >= 0.5 * total THEN first - day END) AS m FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-of-what-rises-with-another-column-too
SELECT MIN(CASE WHEN place >= 0.5 * total THEN days + units END) AS m FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-of-a-text-of-it
SELECT MIN(CASE WHEN place >= 0.5 * total THEN CAST(units AS VARCHAR) END) AS m FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-over-whole-partitions
SELECT DISTINCT first, MAX(day) OVER () AS last, first + INTERVAL (MIN(CASE WHEN place >= 0.5 * total THEN days END) OVER ()) DAY AS middle FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 161 from the end)
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 161 from the end)
-- sensitivity: quantiles(day - min)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 731 points)
-- plan:
--   r1:
--     aggregate: min = min(day)
--       filter not(is_null(day))
--         scan orders (id, customer, day)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate: max = max(day#2), min#2 = quantile_disc(days_between(day#2, min), 1/2)
--       join inner on true
--         filter not(is_null(day#2))
--           scan orders (id#2, customer#2, day#2)
--         released f1 (min)
--   answer:
--     project first#2 = first, last = max, middle = coerce(plus_days(first, coerce(min#4)))
--       project first, max, min#4 = min#2
--         project first = min#3, max, min#2
--           join inner on true
--             released r2 (max, min#2)
--             released r1 (min#3)
==
# case: quantiles/by-place-over-whole-partitions-of-groups
SELECT DISTINCT vip, MIN(CASE WHEN 0.9 * total <= place THEN balance END) OVER (PARTITION BY vip) + 1 AS m, COUNT(*) OVER (PARTITION BY vip) AS n FROM (SELECT vip, balance, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY balance) AS place, COUNT(*) OVER (PARTITION BY vip) AS total FROM customers) AS t
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- sensitivity: quantiles(balance)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); 600,001 points)
-- plan:
--   r1:
--     aggregate by key = vip: min = quantile_disc(balance, 9/10), count = count(*)
--       scan customers (id, balance, vip)
--   answer:
--     project vip#2 = key, m = (min#2 + 1), n = count
--       project key, min#2 = min, count
--         released r1 (key, min, count)
==
# case: quantiles/by-place-over-whole-partitions-that-do-not-come-out
SELECT DISTINCT MIN(CASE WHEN 0.9 * total <= place THEN balance END) OVER (PARTITION BY vip) AS m FROM (SELECT vip, balance, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY balance) AS place, COUNT(*) OVER (PARTITION BY vip) AS total FROM customers) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-over-whole-partitions-beside-a-row
SELECT DISTINCT units, MIN(CASE WHEN place >= 0.5 * total THEN days END) OVER () AS m FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-over-partitions-of-two-kinds
SELECT DISTINCT units, MIN(CASE WHEN place >= 0.5 * total THEN days END) OVER () AS m, COUNT(*) OVER (PARTITION BY units) AS n FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                                                                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-of-rows-that-are-groups
SELECT MIN(CASE WHEN place >= 0.5 * total THEN days END) AS m, COUNT(*) AS n FROM (SELECT place, total, days FROM (SELECT day, day - MIN(day) OVER () AS days, units, id, MIN(day) OVER () AS first, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS t GROUP BY place, days, total) AS g
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 56 from the end)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: quantiles(day - min)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 731 points)
-- plan:
--   r1:
--     aggregate: min = min(day)
--       filter not(is_null(day))
--         scan orders (id, customer, day)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate: min#2 = quantile_disc(days_between(day#2, min), 1/2), count = count(*)
--       join inner on true
--         filter not(is_null(day#2))
--           scan orders (id#2, customer#2, day#2)
--         released f1 (min)
--   answer:
--     project m = min#3, n = count
--       project min#3 = min#2, count
--         released r2 (min#2, count)
==
# case: quantiles/by-place-of-groups-of-several-rows
SELECT MIN(CASE WHEN place >= 0.5 * total THEN balance END) AS m FROM (SELECT place, total, balance FROM (SELECT vip, balance, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY balance) AS place, COUNT(*) OVER () AS total FROM customers) AS t GROUP BY place, total, balance) AS g
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/rows-that-are-groups-of-their-number-and-partition
SELECT vip, COUNT(*) AS n FROM (SELECT vip, place FROM (SELECT vip, id, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY id) AS place FROM customers) AS t GROUP BY vip, place) AS g GROUP BY vip
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: count = count(*)
--       scan customers (id, vip)
==
# case: quantiles/by-place-beside-null-that-is-left-out
SELECT MIN(CASE WHEN place >= 0.5 * total THEN age END) AS m FROM (SELECT age, ROW_NUMBER() OVER (ORDER BY age) AS place, COUNT(*) OVER () AS total FROM customers WHERE age IS NOT NULL) AS t
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(age, 1/2)
--       filter not(is_null(age))
--         scan customers (id, age)
--   answer:
--     project m = min#2
--       project min#2 = min
--         released r1 (min)
==
# case: quantiles/row-at-a-place
WITH r AS (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place FROM orders) SELECT AVG(units * 2) AS q FROM (SELECT *, (SELECT COUNT(*) FROM r) AS total FROM r) AS t WHERE (place = CAST(total * 0.25 AS INTEGER) AND total * 25 % 100 = 0) OR (place = CAST(total * 0.25 AS INTEGER) + 1 AND total * 25 % 100 > 0)
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: units#2 = quantile_disc(units, 1/4)
--       scan orders (id, customer, units)
--   answer:
--     project q = avg
--       aggregate: avg = avg((units#3 * 2))
--         project units#3 = units#2
--           released r1 (units#2)
==
# case: quantiles/row-at-a-place-before-null
WITH r AS (SELECT day, ROW_NUMBER() OVER (ORDER BY day) AS place FROM orders) SELECT AVG(day - DATE '2000-01-01') AS q FROM (SELECT *, (SELECT COUNT(*) FROM r) AS total FROM r) AS t WHERE place = CAST(total * 0.25 AS INTEGER)
-- accept
-- sensitivity: quantiles(COALESCE(day, CAST('2025-01-01' AS DATE)))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 367 points)
-- plan:
--   r1:
--     aggregate: day#2 = quantile_disc(coalesce(day, 2025-01-01), 1/4)
--       scan orders (id, customer, day)
--   answer:
--     project q = avg
--       aggregate: avg = avg(inside(days_between(day#3, 2000-01-01), 8765, 9133))
--         project day#3 = nullif(day#2, 2025-01-01)
--           released r1 (day#2)
==
# case: quantiles/rows-at-two-places-of-one-query
WITH r AS (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place FROM orders), t AS (SELECT *, (SELECT COUNT(*) FROM r) AS total FROM r) SELECT a.units AS a, b.units AS b FROM (SELECT units FROM t WHERE place = FLOOR(total / 4)) AS a, (SELECT units FROM t WHERE place = ROUND(total * 0.75)) AS b
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: units#2 = quantile_disc(units, 1/4)
--       scan orders (id, customer, units)
--   r2:
--     aggregate: units#4 = quantile_disc(units#3, 3/4)
--       scan orders (id#2, customer#2, units#3)
--   answer:
--     project a = units#6, b = units#8
--       join inner on true
--         project units#6 = units#5
--           project units#5 = units#2
--             released r1 (units#2)
--         project units#8 = units#7
--           project units#7 = units#4
--             released r2 (units#4)
==
# case: quantiles/row-at-either-of-two-places
SELECT AVG(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = CAST(total * 0.25 AS INTEGER) OR place = CAST(total * 0.75 AS INTEGER)
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/row-at-a-place-with-another-condition
SELECT AVG(units) AS q FROM (SELECT units, paid, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = CAST(total * 0.25 AS INTEGER) AND paid
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/another-column-of-the-row-at-a-place
SELECT AVG(code) AS q FROM (SELECT units, code, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = CAST(total * 0.25 AS INTEGER)
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/row-at-a-place-of-what-may-be-null
SELECT AVG(age) AS q FROM (SELECT age, ROW_NUMBER() OVER (ORDER BY age) AS place, COUNT(*) OVER () AS total FROM customers) AS t WHERE place = CAST(total * 0.25 AS INTEGER)
-- accept
-- sensitivity: quantiles(COALESCE(age, 100))  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 83 points)
-- plan:
--   r1:
--     aggregate: age#2 = quantile_disc(coalesce(age, 100), 1/4)
--       scan customers (id, age)
--   answer:
--     project q = avg
--       aggregate: avg = avg(age#3)
--         project age#3 = nullif(age#2, 100)
--           released r1 (age#2)
==
# case: quantiles/row-at-a-constant-place
SELECT AVG(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = 3 AND total > 10
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/number-of-rows-at-a-place
SELECT AVG(units) AS q, COUNT(*) AS n FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = CAST(total * 0.25 AS INTEGER)
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/at-a-place-of-a-total-that-is-great
SELECT AVG(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = CAST(total * 0.5 AS INTEGER) AND total > 1000
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/at-a-place-in-hundreds
SELECT AVG(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = ROUND(total * 0.25, -2)
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/at-a-place-that-is-a-truth
SELECT AVG(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS t WHERE place = CAST(CAST(total * 0.25 AS BOOLEAN) AS INTEGER)
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-number-with-a-computed-constant-below
SELECT MIN(CASE WHEN place < 0.25 * total THEN MAKE_DATE(9999, 1, 1) ELSE day END) AS q FROM (SELECT day, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS o
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points)
-- plan:
--   r1:
--     aggregate: min = quantile_disc(day, 1/4)
--       filter not(is_null(day))
--         scan orders (id, customer, day)
--   answer:
--     project q = min#2
--       project min#2 = least(min, make_date(9999, 1, 1))
--         released r1 (min)
==
# case: quantiles/by-number-of-the-groups-of-a-computed-total
SELECT vip, mean, MIN(CASE WHEN place < 0.5 * total THEN 9999 ELSE units END) AS q FROM (SELECT vip, units, FLOOR(AVG(units) OVER (PARTITION BY vip)) AS mean, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY units) AS place, COUNT(*) OVER (PARTITION BY vip) AS total FROM orders JOIN customers ON customer = customers.id) AS o GROUP BY vip, mean
-- accept
-- sensitivity: centred sum(units)  l0=1 l1=12 l2=12 linf=12 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); units in [1, 9], clamped; summed around 5, the middle; groups: key: 2 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: key: 2 values; a unit is in one group)
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); 9 points)
-- plan:
--   r1:
--     aggregate by key = vip: avg = avg(units)
--       join inner on (customer = id#2)
--         scan orders (id, customer, units)
--         scan customers (id#2, vip)
--   f1:
--     released r1 (key, avg)
--   r2:
--     aggregate by vip#3 = vip#2: min = quantile_disc(units#2, 1/2)
--       join inner on (vip#2 = key)
--         join inner on (customer#2 = id#4)
--           scan orders (id#3, customer#2, units#2)
--           scan customers (id#4, vip#2)
--         released f1 (key, avg)
--   answer:
--     project vip#4 = vip#3, mean#2 = mean, q = min#2
--       project vip#3, mean, min#2 = least(min, 9999)
--         project vip#3, mean = floor(avg#4), min
--           join inner on (vip#3 = key#4)
--             project vip#3, min
--               filter chosen
--                 join mark chosen on (vip#3 = key#3)
--                   released r2 (vip#3, min)
--                   project key#3 = key#2, avg#3 = avg#2
--                     released r1 (key#2, avg#2)
--             released r1 (key#4, avg#4)
==
# case: quantiles/row-at-a-place-that-is-whole-or-not
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE (place = CAST(total * 0.25 AS INTEGER) AND FLOOR(total * 25 / 100) = total * 25 / 100) OR (place = CAST(total * 0.25 AS INTEGER) + 1 AND FLOOR(total * 25 / 100) <> total * 25 / 100)
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: units#2 = quantile_disc(units, 1/4)
--       scan orders (id, customer, units)
--   answer:
--     project q = max
--       aggregate: max = max(units#3)
--         project units#3 = units#2
--           released r1 (units#2)
==
# case: quantiles/by-place-of-some-totals-alone
# note: where the total is even DuckDB has no row
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE place = CAST(total * 0.5 AS INTEGER) AND total % 2 = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-of-odd-and-even-totals
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE (place = CAST(total * 0.5 AS INTEGER) AND total % 2 = 1) OR (place = CAST(total * 0.5 AS INTEGER) + 1 AND total % 2 = 0)
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: units#2 = quantile_disc(units, 1/2)
--       scan orders (id, customer, units)
--   answer:
--     project q = max
--       aggregate: max = max(units#3)
--         project units#3 = units#2
--           released r1 (units#2)
==
# case: quantiles/by-place-of-other-totals-twice
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE (place = CAST(total * 0.5 AS INTEGER) AND total % 3 = 1) OR (place = CAST(total * 0.5 AS INTEGER) + 1 AND total % 3 = 0)
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-place-beyond-the-last-row
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE place = CAST(1.0 * total AS INTEGER) + 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/row-at-a-place-where-a-total-is-great
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE place = CAST(total * 0.25 AS INTEGER) AND FLOOR(total / 100) > 3
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/by-number-with-a-null-that-is-computed-below
SELECT MIN(CASE WHEN place < 0.25 * total THEN MAKE_DATE(2023, 2, 30) ELSE day END) AS q FROM (SELECT day, ROW_NUMBER() OVER (ORDER BY day) AS place, COUNT(*) OVER () AS total FROM orders WHERE day IS NOT NULL) AS o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: quantiles/row-at-a-place-beside-what-holds-of-whole-numbers
# note: as T-SQL's FLOOR(total * 25 / 100) = total * 25 / 100
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE (place = total // 4 AND total * 25 // 100 = total * 25 // 100) OR (place = total // 4 + 1 AND total * 25 // 100 <> total * 25 // 100)
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: units#2 = quantile_disc(units, 1/4)
--       scan orders (id, customer, units)
--   answer:
--     project q = max
--       aggregate: max = max(units#3)
--         project units#3 = units#2
--           released r1 (units#2)
==
# case: quantiles/row-at-a-place-beside-what-never-holds
SELECT MAX(units) AS q FROM (SELECT units, ROW_NUMBER() OVER (ORDER BY units) AS place, COUNT(*) OVER () AS total FROM orders) AS o WHERE place = total // 4 AND total * 25 // 100 <> total * 25 // 100
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
