# policy: shop
# case: functions_numbers/abs
SELECT SUM(ABS(balance)) AS s, SUM(ABS(code)) AS c FROM customers c JOIN orders o ON o.customer = c.id
-- reject DP301  nothing bounds what SUM adds up
--                                 ^^^^^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/round-floor-ceil
SELECT SUM(ROUND(amount)) AS r, SUM(FLOOR(weight)) AS f, SUM(CEIL(amount)) AS c FROM orders
-- accept
-- sensitivity: r  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ROUND(amount) in [0, 500], clamped)
-- sensitivity: f  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); FLOOR(weight) in [0, 20], clamped)
-- sensitivity: c  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CEIL(amount) in [0, 500], clamped)
==
# case: functions_numbers/round-digits
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(ROUND(weight, 1)) AS r FROM orders
-- accept
-- sensitivity: r  l0=1 l1=60.6 l2=60.6 linf=60.6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ROUND(weight, 1) in [0, 20.2], clamped)
==
# case: functions_numbers/sqrt-ln-exp
SELECT SUM(SQRT(amount)) AS q, SUM(LN(amount + 1)) AS l, SUM(EXP(score)) AS e FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: q  l0=1 l1=67.082039325 l2=67.082039325 linf=67.082039325 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); SQRT(amount) in [0, 22.3607], clamped)
-- sensitivity: l  l0=1 l1=18.6498183033 l2=18.6498183033 linf=18.6498183033 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); LN((amount + 1)) in [-7.27596e-12, 6.21661], clamped)
-- sensitivity: e  l0=1 l1=8.15484548538 l2=8.15484548538 linf=8.15484548538 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); EXP(score) in [0.367879, 2.71828], clamped)
==
# case: functions_numbers/sqrt-of-negative
# differs: the root of a negative number is NULL, the engine fails
SELECT SUM(SQRT(score)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); SQRT(score) in [0, 1], clamped)
==
# case: functions_numbers/ln-unbounded
SELECT SUM(LN(amount)) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/division
SELECT SUM(amount / units) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount / units in [0, 500], clamped)
-- sql:
WITH "cells" AS MATERIALIZED (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(CAST(ROUND(((CAST((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) AS DOUBLE) / CAST((CASE WHEN ("t1"."units" < 1) THEN 1 WHEN ("t1"."units" > 9) THEN 9 ELSE "t1"."units" END) AS DOUBLE)) / CAST('4.656612873077393e-10' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"shares" AS (SELECT (CASE WHEN ("cells"."n" <= CAST(3 AS BIGINT)) THEN "cells"."n" ELSE CAST(((CAST("cells"."n" AS INT128) * CAST(3 AS BIGINT)) // "cells"."n") AS BIGINT) END) AS "n", "cells"."s0" AS "s0"
FROM "cells"),
"kept" AS (SELECT "shares"."n", (CASE WHEN ("shares"."s0" < (CAST("shares"."n" AS INT128) * CAST(0 AS BIGINT))) THEN (CAST("shares"."n" AS INT128) * CAST(0 AS BIGINT)) WHEN ("shares"."s0" > (CAST("shares"."n" AS INT128) * 1073741824000)) THEN (CAST("shares"."n" AS INT128) * 1073741824000) ELSE "shares"."s0" END) AS "s0"
FROM "shares")
SELECT SUM("kept"."n"), SUM("kept"."s0")
FROM "kept"
==
# case: functions_numbers/division-by-zero
# differs: x / 0 is NULL
SELECT SUM(CASE WHEN amount / score > 1 THEN 1 ELSE 0 END) AS s FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); CASE WHEN ((amount / score) > CAST('1.0' AS DOUBLE)) THEN 1 ELSE 0 END in [0, 1], clamped)
==
# case: functions_numbers/division-unbounded
SELECT SUM(amount / score) AS s FROM customers c JOIN orders o ON o.customer = c.id
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/whole-division
SELECT SUM(code // 7) AS d, SUM(code % 7) AS m FROM orders
-- accept
-- sensitivity: d  l0=1 l1=98304 l2=98304 linf=98304 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code // 7 in [-32768, 32768], proven)
-- sensitivity: m  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code % 7 in [-6, 6], proven)
-- sql:
WITH "cells" AS MATERIALIZED (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM((CAST("t1"."code" AS INT) // 7)) AS "s0", SUM((CAST("t1"."code" AS INT) % 7)) AS "s1"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"shares" AS (SELECT (CASE WHEN ("cells"."n" <= CAST(3 AS BIGINT)) THEN "cells"."n" ELSE CAST(((CAST("cells"."n" AS INT128) * CAST(3 AS BIGINT)) // "cells"."n") AS BIGINT) END) AS "n", "cells"."s0" AS "s0", "cells"."s1" AS "s1"
FROM "cells"),
"kept" AS (SELECT "shares"."n", (CASE WHEN ("shares"."s0" < (CAST("shares"."n" AS INT128) * CAST((-32768) AS BIGINT))) THEN (CAST("shares"."n" AS INT128) * CAST((-32768) AS BIGINT)) WHEN ("shares"."s0" > (CAST("shares"."n" AS INT128) * CAST(32768 AS BIGINT))) THEN (CAST("shares"."n" AS INT128) * CAST(32768 AS BIGINT)) ELSE "shares"."s0" END) AS "s0", (CASE WHEN ("shares"."s1" < (CAST("shares"."n" AS INT128) * CAST((-6) AS BIGINT))) THEN (CAST("shares"."n" AS INT128) * CAST((-6) AS BIGINT)) WHEN ("shares"."s1" > (CAST("shares"."n" AS INT128) * CAST(6 AS BIGINT))) THEN (CAST("shares"."n" AS INT128) * CAST(6 AS BIGINT)) ELSE "shares"."s1" END) AS "s1"
FROM "shares")
SELECT SUM("kept"."n"), SUM("kept"."s0"), SUM("kept"."s1")
FROM "kept"
==
# case: functions_numbers/whole-division-by-column
SELECT COUNT(*) AS n FROM orders WHERE code // units = 1 AND total % code = 0
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_numbers/overflow-is-avoided
SELECT SUM(code * code * code * code) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/wide-product
SELECT COUNT(*) AS n FROM orders WHERE total * total > 5 AND total - 1 < total + 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_numbers/decimal-product
SELECT SUM(amount * amount * (1 + amount)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=375750000 l2=375750000 linf=375750000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount * amount) * (1 + amount) in [0, 125250000], clamped)
==
# case: functions_numbers/negation
SELECT SUM(-amount) AS s, SUM(- -units) AS u FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 0 - amount in [-500, 0], clamped)
-- sensitivity: u  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 0 - (0 - units) in [1, 9], clamped)
==
# case: functions_numbers/least-of-nullable
SELECT SUM(LEAST(age, 50)) AS a, SUM(GREATEST(amount, 100)) AS g FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: a  l0=1 l1=150 l2=150 linf=150 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); LEAST(age, 50) in [18, 50], clamped)
-- sensitivity: g  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); GREATEST(amount, CAST(100.00 AS DECIMAL(12, 2))) in [100, 500], clamped)
==
# case: functions_numbers/mixed-types
SELECT SUM(amount + weight + units) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1587.3 l2=1587.3 linf=1587.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount + weight) + units in [1, 529.1], clamped)
==
# case: functions_numbers/unbounded-double
SELECT SUM(rate * 2) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/nan-in-comparison
SELECT COUNT(*) AS n FROM orders WHERE rate * 0 = 0 OR SQRT(rate) > 1 OR EXP(rate) < 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
