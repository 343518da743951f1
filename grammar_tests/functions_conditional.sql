# about: CASE, COALESCE, NULLIF, LEAST, GREATEST, and which values may come of them
# policy: shop
# case: functions_conditional/case-ranges
SELECT SUM(CASE WHEN amount < 100 THEN amount WHEN amount < 200 THEN 100 ELSE 200 END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=600 l2=600 linf=600 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (amount < CAST(100.00 AS DECIMAL(10, 2))) THEN amount WHEN (amount < CAST(200.00 AS DECIMAL(10, 2))) THEN CAST(100.00 AS DECIMAL(12, 2)) ELSE CAST(200.00 AS DECIMAL(12, 2)) END in [0, 200], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case((amount < 100) then coerce(amount); (amount < 200) then 100; else 200))
--       scan orders (id, customer, amount)
==
# case: functions_conditional/case-without-else
SELECT SUM(CASE WHEN paid THEN amount END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(paid then amount; else NULL))
--       scan orders (id, customer, amount, paid)
==
# case: functions_conditional/case-operand
SELECT SUM(CASE status WHEN 'open' THEN 1 WHEN 'sent' THEN 2 ELSE 0 END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN 1 WHEN (status = 'sent') THEN 2 ELSE 0 END in [0, 2], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case((status = 'open') then 1; (status = 'sent') then 2; else 0))
--       scan orders (id, customer, status)
==
# case: functions_conditional/if
SELECT SUM(IF(paid, 1, -1)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN 1 ELSE (-1) END in [-1, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(paid then 1; else -1))
--       scan orders (id, customer, paid)
==
# case: functions_conditional/coalesce
SELECT SUM(COALESCE(amount, 0)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); COALESCE(amount, CAST(0.00 AS DECIMAL(12, 2))) in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(coalesce(coerce(amount), 0))
--       scan orders (id, customer, amount)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(COALESCE(CAST((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) AS DECIMAL(12, 2)), CAST(0.00 AS DECIMAL(12, 2)))) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE CAST(CAST((CAST(CAST(counted.s0 * 100 AS INT128) AS INT128) * counted.n + CASE WHEN CAST(counted.s0 * 100 AS INT128) < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) AS DECIMAL(38, 0)) * CAST('0.01' AS DECIMAL(18, 2)) AS DECIMAL(38, 2)) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: functions_conditional/coalesce-column
SELECT SUM(COALESCE(amount, weight, 1)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); COALESCE(amount, weight, CAST('1.0' AS DOUBLE)) in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(coalesce(coerce(amount), weight, 1))
--       scan orders (id, customer, amount, weight)
==
# case: functions_conditional/nullif
SELECT SUM(NULLIF(units, 9)) AS s, COUNT(NULLIF(units, 9)) AS n FROM orders
-- accept
-- sensitivity: sum(NULLIF(units, 9) - 1)  l0=1 l1=21 l2=21 linf=21 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); NULLIF(units, 9) in [1, 8], clamped; summed around 1, the least; a row adds 7 to sum(NULLIF(units, 9) - 1) and sum(NULLIF(units, 9) - 8) together)
-- sensitivity: sum(NULLIF(units, 9) - 8)  l0=1 l1=21 l2=21 linf=21 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); NULLIF(units, 9) in [1, 8], clamped; summed around 8, the greatest; a row adds 7 to sum(NULLIF(units, 9) - 1) and sum(NULLIF(units, 9) - 8) together)
-- plan:
--   r1:
--     aggregate: sum = sum(nullif(units, 9)), count = count(nullif(units, 9))
--       scan orders (id, customer, units)
==
# case: functions_conditional/cast-up
SELECT SUM(CAST(units AS DECIMAL(10,3))) AS s, SUM(CAST(amount AS DOUBLE)) AS d FROM orders
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(units AS DECIMAL(10, 3)) in [1, 9], clamped)
-- sensitivity: d  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(amount AS DOUBLE) in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cast(units)), sum#2 = sum(cast(amount))
--       scan orders (id, customer, amount, units)
==
# case: functions_conditional/cast-down
SELECT SUM(CAST(amount AS INTEGER)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(amount AS INT) in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cast(amount))
--       scan orders (id, customer, amount)
==
# case: functions_conditional/cast-may-fail
SELECT SUM(CAST(code AS TINYINT)) AS s FROM orders
-- reject DP306  CAST from SMALLINT to TINYINT could fail on some row
--              ^^^^
-- help: use TRY_CAST(… AS TINYINT), which gives NULL where the value does not fit
==
# case: functions_conditional/cast-string-may-fail
SELECT COUNT(*) AS n FROM customers WHERE CAST(email AS INTEGER) = 1
-- reject DP306  CAST from VARCHAR to INTEGER could fail on some row
--                                             ^^^^^
-- help: use TRY_CAST(… AS INTEGER), which gives NULL where the value does not fit
==
# case: functions_conditional/try-cast
SELECT SUM(TRY_CAST(code AS TINYINT)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=384 l2=384 linf=384 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); TRY_CAST(code AS TINYINT) in [-128, 127], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(try_cast(code))
--       scan orders (id, customer, code)
==
# case: functions_conditional/try-cast-string
SELECT COUNT(TRY_CAST(email AS INTEGER)) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(try_cast(email))
--       scan customers (id, email)
==
# case: functions_conditional/cast-double-may-fail
SELECT COUNT(*) AS n FROM orders WHERE CAST(rate AS INTEGER) > 3
-- reject DP306  CAST from DOUBLE to INTEGER could fail on some row
--                                          ^^^^
-- help: use TRY_CAST(… AS INTEGER), which gives NULL where the value does not fit
==
# case: functions_conditional/cast-boolean
SELECT SUM(CAST(paid AS INTEGER)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(paid AS INT) in [0, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(cast(paid))
--       scan orders (id, customer, paid)
==
# case: functions_conditional/cast-unmodelled
SELECT SUM(CAST(day AS INTEGER)) AS s FROM orders
-- reject DP205  CAST from DATE to INTEGER is not modelled
--              ^^^
==
# case: functions_conditional/spellings
SELECT SUM(IF(paid, units, 0)) AS i, SUM(IFNULL(amount, 0)) AS f FROM orders
-- accept
-- sensitivity: i  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN units ELSE 0 END in [0, 9], clamped)
-- sensitivity: f  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); COALESCE(amount, CAST(0.00 AS DECIMAL(12, 2))) in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(paid then units; else 0)), sum#2 = sum(coalesce(coerce(amount), 0))
--       scan orders (id, customer, amount, paid, units)
==
# case: functions_conditional/is-tests
SELECT COUNT(*) AS n FROM orders WHERE paid IS TRUE OR paid IS UNKNOWN OR paid IS NOT FALSE OR status IS DISTINCT FROM 'open' OR units IS NOT DISTINCT FROM 3
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or(is_not_distinct(paid, true), is_null(paid), not(is_not_distinct(paid, false)), not(is_not_distinct(status, 'open')), is_not_distinct(units, 3))
--         scan orders (id, customer, paid, status, units)
==
# case: functions_conditional/is-of-number
SELECT COUNT(*) AS n FROM orders WHERE units IS TRUE
-- reject DP205  IS: comparison of INTEGER and BOOLEAN
--                                     ^^^^^
-- help: write CAST(x AS INTEGER) for the condition
==
# case: functions_conditional/conditions-as-numbers
SELECT COUNT(*) AS n FROM orders WHERE paid = 1 OR 0 > paid OR paid IN (0, 1)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or((paid = true), (paid < false), in(paid, false, true))
--         scan orders (id, customer, paid)
==
# case: functions_conditional/condition-beside-another-number
SELECT COUNT(*) AS n FROM orders WHERE paid = 2 OR paid IN (1, 2)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((coerce(paid) = 2) OR in(coerce(paid), 1, 2))
--         scan orders (id, customer, paid)
==
# case: functions_conditional/numbers-beside-conditions
SELECT COUNT(*) AS n FROM orders WHERE units = TRUE OR units > paid OR units BETWEEN FALSE AND TRUE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or((units = coerce(true)), (units > coerce(paid)), ((units >= coerce(false)) AND (units <= coerce(true))))
--         scan orders (id, customer, paid, units)
==
# case: functions_conditional/decimals-beside-conditions
SELECT COUNT(*) AS n FROM orders WHERE amount * 1.5 = TRUE
-- reject DP205  =: comparison of DECIMAL(12,3) and BOOLEAN
--                                     ^^^^^^^^^^^^
-- help: write CAST(x AS INTEGER) for the condition
==
# case: functions_conditional/between
SELECT COUNT(*) AS n FROM orders WHERE units BETWEEN 2 AND 5 AND amount NOT BETWEEN 10 AND 20
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((units >= 2), (units <= 5), ((amount < 10) OR (amount > 20)))
--         scan orders (id, customer, amount, units)
==
# case: functions_conditional/between-symmetric
SELECT COUNT(*) AS n FROM orders WHERE units BETWEEN SYMMETRIC 5 AND 2
-- reject DP104  SYMMETRIC is not supported here
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write BETWEEN LEAST(a, b) AND GREATEST(a, b)
==
# case: functions_conditional/cast-to-boolean
SELECT SUM(units) AS s FROM orders WHERE CAST(code AS BOOLEAN)
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units)
--       filter coerce(code)
--         scan orders (id, customer, units, code)
==
# case: functions_conditional/cast-boolean-to-decimal
SELECT SUM(paid::DECIMAL(3,1)) AS s, SUM(paid::DOUBLE) AS d FROM orders
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(paid AS DECIMAL(3, 1)) in [0, 1], proven)
-- sensitivity: d  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(paid AS DOUBLE) in [0, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(cast(paid)), sum#2 = sum(cast(paid))
--       scan orders (id, customer, paid)
==
# case: functions_conditional/cast-to-float
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(amount::FLOAT) AS s, SUM(TRY_CAST(weight AS REAL)) AS d FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500.00071526 l2=1500.00071526 linf=1500.00071526 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(CAST(amount AS REAL) AS DOUBLE) in [0, 500], clamped)
-- sensitivity: d  l0=1 l1=60.3000011444 l2=60.3000011444 linf=60.3000011444 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(CAST(weight AS REAL) AS DOUBLE) in [0, 20.1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(single(amount)), sum#2 = sum(try_single(weight))
--       scan orders (id, customer, amount, weight)
==
# case: functions_conditional/cast-to-float-may-fail
SELECT COUNT(*) AS n FROM orders WHERE rate::FLOAT > 1
-- reject DP306  CAST from DOUBLE to FLOAT could fail on some row
--                                     ^^^^
-- help: use TRY_CAST(… AS FLOAT), which gives NULL where the value does not fit
==
# case: functions_conditional/cast-to-coarse-timestamp
SELECT COUNT(*) AS n FROM orders WHERE placed::TIMESTAMP_S IS NULL
-- reject DP205  CAST to TIMESTAMP_S is not modelled
--                                     ^^^^^^
-- help: cast to TIMESTAMP, or write DATE_TRUNC('second', …)
==
# case: functions_conditional/cast-to-no-decimal
SELECT SUM(amount::DECIMAL(50,2)) AS s FROM orders
-- reject DP205  DECIMAL(50, 2): needs 1 <= precision <= 38 and scale <= precision
--         ^^^^^^^^^^^^^^^^^^^^
==
# case: functions_conditional/cast-to-list
SELECT COUNT(*) AS n FROM orders WHERE amount::INTEGER[] IS NULL
-- reject DP205  CAST from DECIMAL(10,2) to INTEGER[] is not modelled
--                                     ^^^^^^
==
# case: functions_conditional/typed-string-cast
SELECT COUNT(*) AS n FROM orders WHERE placed > DATE '2024-02-01'::TIMESTAMP
-- reject DP104  :: after a string with its type
--                                              ^^^^^^^^^^^^^^^^^^^
-- help: write CAST(… AS …)
==
# case: functions_conditional/try
SELECT COUNT(*) AS n FROM orders WHERE TRY(code + 1) > 1
-- reject DP104  TRY is not supported: what could fail on a row is NULL already, or rejected
--                                     ^^^^^^^^^^^^
-- help: leave out TRY
==
# case: functions_conditional/not-of-this-engine
# note: our parser knows IIF, DuckDB does not
SELECT SUM(IIF(paid, units, 0)) AS i FROM orders
-- reject DP105  Catalog Error: Scalar Function with name iif does not exist!
--         ^^^^^^^^^^^^^^^^^^^
-- help: write IF
==
# case: functions_conditional/clamp-by-hand
# note: in the ELSE neither condition holds, which bounds what nobody declared
SELECT AVG(CASE WHEN rate < 0 THEN 0 WHEN rate > 50 THEN 50 ELSE rate END) AS a FROM orders
-- accept
-- sensitivity: sum(CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END)  l0=1 l1=150 l2=150 linf=150 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END in [0, 50], proven; summed around 0, the least; a row adds 50 to sum(CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END) and sum(CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END - 50) together)
-- sensitivity: sum(CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END - 50)  l0=1 l1=150 l2=150 linf=150 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END in [0, 50], proven; summed around 50, the greatest; a row adds 50 to sum(CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END) and sum(CASE WHEN (rate < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN (rate > CAST('50.0' AS DOUBLE)) THEN CAST('50.0' AS DOUBLE) ELSE rate END - 50) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case((rate < 0) then 0; (rate > 50) then 50; else rate))
--       scan orders (id, customer, rate)
==
# case: functions_conditional/clamp-by-hand-with-or
SELECT SUM(CASE WHEN code < 1 OR 100 < code THEN 0 ELSE code END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=300 l2=300 linf=300 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ((code < CAST(1 AS SMALLINT)) OR (code > CAST(100 AS SMALLINT))) THEN 0 ELSE code END in [0, 100], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(((code < 1) OR (code > 100)) then 0; else coerce(code)))
--       scan orders (id, customer, code)
==
# case: functions_conditional/half-a-clamp
SELECT SUM(CASE WHEN rate < 0 THEN 0 ELSE rate END) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--                   ^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_conditional/condition-on-another-column
# note: that one is large says nothing of the other
SELECT SUM(CASE WHEN amount < 0 THEN 0 WHEN amount > 50 THEN 50 ELSE rate END) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_conditional/nullif-of-another-type
# note: what is given back is a whole number, though fractions are compared
SELECT SUM(LENGTH(CAST(NULLIF(units, units / 2) AS VARCHAR))) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=384 l2=384 linf=384 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH(CAST((CASE WHEN (units = (units / CAST('2.0' AS DOUBLE))) THEN CAST(NULL AS INT) ELSE units END) AS TEXT)) in [0, 128], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(length(cast(case((coerce(units) = div(coerce(units), 2)) then NULL; else units))))
--       scan orders (id, customer, units)
