# about: WHERE: conditions on rows
# policy: shop
# case: where/comparison
SELECT COUNT(*) AS n FROM orders WHERE amount > 100
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (amount > 100)
--         scan orders (id, customer, amount)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n"
FROM "main"."orders" AS "t1"
WHERE ("t1"."amount" > CAST(100.00 AS DECIMAL(10, 2))) AND ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n
FROM counted)
SELECT SUM(n) AS n
FROM kept
==
# case: where/narrows-the-sum
SELECT SUM(amount) AS s FROM orders WHERE amount <= 20 AND amount >= 5
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [5, 20], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter ((amount <= 20) AND (amount >= 5))
--         scan orders (id, customer, amount)
==
# case: where/narrows-an-unbounded-column
SELECT SUM(code) AS s FROM orders WHERE code BETWEEN 1 AND 7
-- accept
-- sensitivity: s  l0=1 l1=21 l2=21 linf=21 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code in [1, 7], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(code)
--       filter ((code >= 1) AND (code <= 7))
--         scan orders (id, customer, code)
==
# case: where/narrows-a-double
SELECT SUM(rate) AS s FROM orders WHERE rate >= 0 AND rate < 3
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); rate in [0, 3], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(rate)
--       filter ((rate >= 0) AND (rate < 3))
--         scan orders (id, customer, rate)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(CAST(ROUND(("t1"."rate" / CAST('3.637978807091713e-12' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE (("t1"."rate" >= CAST('0.0' AS DOUBLE)) AND ("t1"."rate" < CAST('3.0' AS DOUBLE))) AND ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE (CAST(counted.s0 AS INT128) * counted.n + CASE WHEN counted.s0 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: where/lower-end-alone-is-not-enough
SELECT SUM(rate) AS s FROM orders WHERE rate > 0
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: where/or
SELECT SUM(code) AS s FROM orders WHERE (code = 1 OR code = 4) AND paid
-- accept
-- sensitivity: s  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code in [1, 4], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(code)
--       filter (((code = 1) OR (code = 4)) AND paid)
--         scan orders (id, customer, paid, code)
==
# case: where/in
SELECT COUNT(*) AS n FROM orders WHERE status IN ('open', 'sent')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter in(status, 'open', 'sent')
--         scan orders (id, customer, status)
==
# case: where/not-in
SELECT COUNT(*) AS n FROM orders WHERE status NOT IN ('open')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(in(status, 'open'))
--         scan orders (id, customer, status)
==
# case: where/between-dates
SELECT COUNT(*) AS n FROM orders WHERE day BETWEEN DATE '2024-03-01' AND '2024-06-30'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((day >= 2024-03-01) AND (day <= 2024-06-30))
--         scan orders (id, customer, day)
==
# case: where/date-arithmetic
SELECT COUNT(*) AS n FROM orders WHERE day < DATE '2024-12-31' - INTERVAL '90' DAY
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (day < 2024-10-02)
--         scan orders (id, customer, day)
==
# case: where/date-plus-interval
SELECT COUNT(*) AS n FROM orders WHERE day + INTERVAL 1 MONTH > placed
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 1, 0, 0) > placed)
--         scan orders (id, customer, day, placed)
==
# case: where/is-null
SELECT COUNT(*) AS n FROM orders WHERE amount IS NULL OR weight IS NOT NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (is_null(amount) OR not(is_null(weight)))
--         scan orders (id, customer, amount, weight)
==
# case: where/null-comparison
# note: no row passes, which is not looked for
SELECT COUNT(*) AS n FROM orders WHERE amount = NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (amount = NULL)
--         scan orders (id, customer, amount)
==
# case: where/like
SELECT COUNT(*) AS n FROM customers WHERE email LIKE '%a%' AND NOT email ILIKE 'B_'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (like(cut(email, 10000), '%a%') AND not(ilike(cut(email, 10000), 'B_')))
--         scan customers (id, email)
==
# case: where/boolean
SELECT COUNT(*) AS n FROM customers WHERE vip
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter vip
--         scan customers (id, vip)
==
# case: where/is-true
SELECT COUNT(*) AS n FROM orders WHERE paid IS TRUE OR paid IS NOT DISTINCT FROM FALSE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (is_not_distinct(paid, true) OR is_not_distinct(paid, false))
--         scan orders (id, customer, paid)
==
# case: where/nothing
# note: no row passes, which is not looked for
SELECT COUNT(*) AS n, SUM(amount) AS s FROM orders WHERE FALSE
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       filter false
--         scan orders (id, customer, amount)
==
# case: where/nothing-passes
SELECT SUM(amount) AS s FROM orders WHERE amount > 900
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [500, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (amount > 900)
--         scan orders (id, customer, amount)
==
# case: where/double-infinite
SELECT COUNT(*) AS n FROM orders WHERE rate > 1e300
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate > 1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160)
--         scan orders (id, customer, rate)
==
# case: where/columns
SELECT COUNT(*) AS n FROM orders WHERE amount > total AND weight < rate
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((coerce(amount) > coerce(total)) AND (weight < rate))
--         scan orders (id, customer, amount, weight, total, rate)
==
# case: where/on-unit
SELECT COUNT(*) AS n FROM customers WHERE id = 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (id = 2)
--         scan customers (id)
==
# case: where/alias
SELECT COUNT(*) AS n FROM (SELECT amount * 2 AS d FROM orders) x WHERE d > 100
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((clamp(amount, 0, 500) * 2) > 100)
--         scan orders (id, customer, amount)
==
# case: where/arithmetic
SELECT COUNT(*) AS n FROM orders WHERE amount / units > 10 AND code % 3 = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((div(coerce(clamp(amount, 0, 500)), coerce(clamp(units, 1, 9))) > 10) AND (mod(coerce(code), 3) = 1))
--         scan orders (id, customer, amount, units, code)
==
# case: where/enum
SELECT COUNT(*) AS n FROM customers WHERE level <> 'gold' AND level >= 'c'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((coerce(level) <> 'gold') AND (coerce(level) >= 'c'))
--         scan customers (id, level)
==
# case: where/infinity-date
SELECT COUNT(*) AS n FROM orders WHERE day - DATE '2024-01-01' > 100
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (days_between(clamp(day, 2024-01-01, 2024-12-31), 2024-01-01) > 100)
--         scan orders (id, customer, day)
==
# case: where/number-as-a-condition
SELECT COUNT(*) AS n FROM orders WHERE code AND NOT units % 2
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((code <> 0) AND (mod(clamp(units, 1, 9), 2) = 0))
--         scan orders (id, customer, units, code)
==
# case: where/constant-number
SELECT COUNT(*) AS n, SUM(CASE WHEN units THEN 1 ELSE 0 END) AS s FROM orders WHERE 1 AND status = 'open'
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without units <> 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(case((units <> 0) then 1; else 0))
--       filter (1 <> 0)
--         filter (status = 'open')
--           scan orders (id, customer, status, units)
==
# case: where/decimal-as-a-condition
SELECT COUNT(*) AS n FROM orders WHERE amount
-- reject DP205  needs a condition, not DECIMAL(10,2)
--                                     ^^^^^^
==
# case: where/bounds-an-expression
SELECT AVG(DATE_DIFF('day', day, placed)) AS a, SUM(code * 2 + 1) AS s FROM orders WHERE DATE_DIFF('day', day, placed) BETWEEN 0 AND 10 AND code * 2 > -5 AND code * 2 < 9
-- accept
-- sensitivity: sum(LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT)))  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT)) in [0, 10], clamped; summed around 0, the least; a row adds 10 to sum(LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT))) and sum(LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT)) - 10) together)
-- sensitivity: sum(LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT)) - 10)  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT)) in [0, 10], clamped; summed around 10, the greatest; a row adds 10 to sum(LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT))) and sum(LEAST(GREATEST(DATE_DIFF('day', day, placed), CAST(0 AS BIGINT)), CAST(10 AS BIGINT)) - 10) together)
-- sensitivity: centred sum(LEAST(GREATEST((code * 2), (-4)), 8) + 1)  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST((code * 2), (-4)), 8) + 1 in [-3, 9], proven; summed around 3, the middle)
-- plan:
--   r1:
--     aggregate: avg = avg(least(greatest(date_diff('day', coerce(day), placed), 0), 10)), sum = sum((least(greatest((code * 2), -4), 8) + 1))
--       filter and((date_diff('day', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) >= 0), (date_diff('day', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) <= 10), ((coerce(code) * 2) > -5), ((coerce(code) * 2) < 9))
--         scan orders (id, customer, day, placed, code)
==
# case: where/bounds-an-expression-on-one-side
SELECT SUM(amount * 2) AS s FROM orders WHERE amount * 2 < 8
-- accept
-- sensitivity: s  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST((amount * 2), CAST(8.00 AS DECIMAL(18, 2))) in [0, 8], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(least((amount * 2), 8))
--       filter ((clamp(amount, 0, 500) * 2) < 8)
--         scan orders (id, customer, amount)
==
# case: where/filter-bounds-an-expression
SELECT AVG(code * 2) FILTER (WHERE code * 2 BETWEEN 0 AND 9) AS a FROM orders
-- accept
-- sensitivity: sum(CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END in [0, 9], proven; summed around 0, the least; a row adds 9 to sum(CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END) and sum(CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END - 9) together)
-- sensitivity: sum(CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END - 9)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END in [0, 9], proven; summed around 9, the greatest; a row adds 9 to sum(CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END) and sum(CASE WHEN (((code * 2) >= 0) AND ((code * 2) <= 9)) THEN LEAST(GREATEST((code * 2), 0), 9) ELSE CAST(NULL AS INT) END - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case((((code * 2) >= 0) AND ((code * 2) <= 9)) then least(greatest((code * 2), 0), 9); else NULL))
--       scan orders (id, customer, code)
==
# case: where/either-bounds-an-expression
SELECT MAX(day + units) AS m, SUM(code + units) AS s FROM orders WHERE day + units < DATE '2024-02-01' AND (code + units IN (1, 5) OR code + units BETWEEN 7 AND 9)
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST((code + units), 1), 9) in [1, 9], clamped)
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 30 points; MIN and MAX are of the rank 77 from the end)
-- plan:
--   r1:
--     aggregate: max = max(least(plus_days(day, units), 2024-01-31)), sum = sum(least(greatest((code + units), 1), 9))
--       filter ((plus_days(clamp(day, 2024-01-01, 2024-12-31), clamp(units, 1, 9)) < 2024-02-01) AND (in((coerce(code) + clamp(units, 1, 9)), 1, 5) OR (((coerce(code) + clamp(units, 1, 9)) >= 7) AND ((coerce(code) + clamp(units, 1, 9)) <= 9))))
--         scan orders (id, customer, day, units, code)
==
# case: where/bounds-an-expression-of-each-unit
SELECT AVG(s) AS a FROM (SELECT customer, SUM(x) AS s FROM (SELECT customer, code * 2 AS x FROM orders) AS o WHERE x BETWEEN 0 AND 9 GROUP BY customer) AS c
-- accept
-- sensitivity: sum(sum)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 27], clamped; summed around 0, the least; a row adds 27 to sum(sum) and sum(sum - 27) together)
-- sensitivity: sum(sum - 27)  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 27], clamped; summed around 27, the greatest; a row adds 27 to sum(sum) and sum(sum - 27) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(least(greatest((coerce(code) * 2), 0), 9))
--           filter (((coerce(code) * 2) >= 0) AND ((coerce(code) * 2) <= 9))
--             scan orders (id, customer, code)
==
# case: where/another-column-bounds-no-expression
SELECT AVG(code + units) AS a FROM orders WHERE code + units BETWEEN 0 AND code
-- reject DP301  nothing bounds what AVG adds up
--         ^^^^^^^^^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: where/another-expression-is-not-bounded
SELECT AVG(code * 3) AS a FROM orders WHERE code * 2 BETWEEN 0 AND 9
-- reject DP301  nothing bounds what AVG adds up
--         ^^^^^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: where/unlike-another-column-of-another-type
SELECT SUM(CASE WHEN (total * total) <> customer THEN units ELSE 0 END) AS v FROM orders
-- accept
-- sensitivity: v  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ((total * total) <> customer) THEN units ELSE 0 END in [0, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(((total * total) <> customer) then units; else 0))
--       scan orders (id, customer, units, total)
==
# case: where/bounds-of-an-expression-that-is-grouped-per-unit
SELECT AVG(r) AS a FROM (SELECT customer, 1.0 * SUM(units) / DATE_DIFF('day', day, placed) AS r FROM orders WHERE DATE_DIFF('day', day, placed) > 10 GROUP BY customer, DATE_DIFF('day', day, placed)) AS o
-- accept
-- sensitivity: sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 0.00273973)  l0=1 l1=7.35541718556 l2=7.35541718556 linf=7.35541718556 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); (CAST(1.0 AS DECIMAL(2, 1)) * sum) / key in [0.00273973, 2.45455], clamped; summed around 0.00273973, the least; a row adds 2.45181 to sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 0.00273973) and sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 2.45455) together)
-- sensitivity: sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 2.45455)  l0=1 l1=7.35541718556 l2=7.35541718556 linf=7.35541718556 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); (CAST(1.0 AS DECIMAL(2, 1)) * sum) / key in [0.00273973, 2.45455], clamped; summed around 2.45455, the greatest; a row adds 2.45181 to sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 0.00273973) and sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 2.45455) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div((1 * sum#2), coerce(key)))
--       project customer#2, key, sum#2 = sum
--         aggregate per unit by customer#2 = customer, key = greatest(date_diff('day', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), 11): sum = sum(clamp(units, 1, 9))
--           filter (date_diff('day', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) > 10)
--             scan orders (id, customer, day, placed, units)
==
# case: where/no-bounds-of-an-expression-that-is-grouped-per-unit
# note: the hours say nothing of the days; by a whole number a quotient is no more than what is divided
SELECT AVG(r) AS a FROM (SELECT customer, 1.0 * SUM(units) / DATE_DIFF('day', day, placed) AS r FROM orders WHERE DATE_DIFF('hour', day, placed) > 10 GROUP BY customer, DATE_DIFF('day', day, placed)) AS o
-- accept
-- sensitivity: sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key + 27)  l0=1 l1=162 l2=162 linf=162 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); (CAST(1.0 AS DECIMAL(2, 1)) * sum) / key in [-27, 27], clamped; summed around -27, the least; a row adds 54 to sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key + 27) and sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 27) together)
-- sensitivity: sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 27)  l0=1 l1=162 l2=162 linf=162 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); (CAST(1.0 AS DECIMAL(2, 1)) * sum) / key in [-27, 27], clamped; summed around 27, the greatest; a row adds 54 to sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key + 27) and sum((CAST(1.0 AS DECIMAL(2, 1)) * sum) / key - 27) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div((1 * sum#2), coerce(key)))
--       project customer#2, key, sum#2 = sum
--         aggregate per unit by customer#2 = customer, key = date_diff('day', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)): sum = sum(clamp(units, 1, 9))
--           filter (date_diff('hour', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) > 10)
--             scan orders (id, customer, day, placed, units)
==
# case: where/contradiction
# note: whichever of the conditions stands first
SELECT SUM(units) AS s FROM orders WHERE units <= 2 AND units >= 5
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units)
--       filter ((units <= 2) AND (units >= 5))
--         scan orders (id, customer, units)
==
# case: where/contradiction-turned
SELECT SUM(units) AS s FROM orders WHERE units >= 5 AND units <= 2
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units)
--       filter ((units >= 5) AND (units <= 2))
--         scan orders (id, customer, units)
==
# policy: shop verified
# case: where/ends-that-are-left-out
# note: of whole numbers from 1 to 9 those that are neither 1 nor 2 are from 3 on
SELECT AVG(units) AS a FROM orders WHERE units NOT IN (1, 2)
-- accept
-- sensitivity: sum(units - 3)  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 3, proven (3 rows of orders per customer); units in [3, 9], proven; summed around 3, the least; a row adds 6 to sum(units - 3) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 3, proven (3 rows of orders per customer); units in [3, 9], proven; summed around 9, the greatest; a row adds 6 to sum(units - 3) and sum(units - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       filter not(in(units, 1, 2))
--         scan orders (id, customer, units)
==
# case: where/ends-that-are-left-out-of-groups
SELECT units, COUNT(*) AS n FROM orders WHERE units NOT IN (9, 1, 8) GROUP BY units
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, proven (3 rows of orders per customer); groups: units: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       filter not(in(units, 9, 1, 8))
--         scan orders (id, customer, units)
==
# policy: shop
# case: where/rows-in-a-list
# note: each part is said to be no NULL, so that the groups are those of the values
SELECT status, paid, COUNT(*) AS n FROM orders WHERE (status, paid) IN (('open', TRUE), ('sent', FALSE)) GROUP BY status, paid
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status, paid: 2 combinations; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status, paid#2 = paid: count = count(*)
--       filter and(not(is_null(status)), not(is_null(paid)), (((status = 'open') AND (paid = true)) OR ((status = 'sent') AND (paid = false))))
--         scan orders (id, customer, paid, status)
==
# case: where/rows-that-are-none-of-these
# note: NULL is equal to NULL alone in a row, so that orders without a status count, as DuckDB counts them
SELECT COUNT(*) AS n FROM orders WHERE (status, paid) NOT IN (('open', TRUE), ('sent', FALSE)) AND (units, status) <> (3, NULL)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and(or((status <> 'open'), is_null(status), (paid <> true), is_null(paid)), or((status <> 'sent'), is_null(status), (paid <> false), is_null(paid)), not(and((units = 3), not(is_null(units)), is_not_distinct(status, NULL))))
--         scan orders (id, customer, paid, status, units)
==
# case: where/rows-of-other-lengths
SELECT COUNT(*) FROM orders WHERE (status, paid) IN (('open', TRUE, 1))
-- reject DP205  a row of 2 values against one of 3
--                                                    ^^^^^^^^^^^^^^^
