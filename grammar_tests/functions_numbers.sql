# about: Functions and operators of numbers, and the ranges that follow
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
-- plan:
--   r1:
--     aggregate: sum = sum(round(amount)), sum#2 = sum(floor(weight)), sum#3 = sum(ceil(amount))
--       scan orders (id, customer, amount, weight)
==
# case: functions_numbers/round-digits
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(ROUND(weight, 1)) AS r FROM orders
-- accept
-- sensitivity: r  l0=1 l1=60.6 l2=60.6 linf=60.6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ROUND(weight, 1) in [0, 20.2], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(round(weight, 1))
--       scan orders (id, customer, weight)
==
# case: functions_numbers/sqrt-ln-exp
SELECT SUM(SQRT(amount)) AS q, SUM(LN(amount + 1)) AS l, SUM(EXP(score)) AS e FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: q  l0=1 l1=67.082039325 l2=67.082039325 linf=67.082039325 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); SQRT(amount) in [0, 22.3607], clamped)
-- sensitivity: l  l0=1 l1=18.6498183033 l2=18.6498183033 linf=18.6498183033 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); LN((amount + 1)) in [-7.27596e-12, 6.21661], clamped)
-- sensitivity: e  l0=1 l1=8.15484548538 l2=8.15484548538 linf=8.15484548538 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); EXP(score) in [0.367879, 2.71828], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(sqrt(coerce(amount))), sum#2 = sum(ln(coerce((amount + 1)))), sum#3 = sum(exp(score))
--       join inner on (customer = id)
--         scan customers (id, score)
--         scan orders (id#2, customer, amount)
==
# case: functions_numbers/sqrt-of-negative
# differs: the root of a negative number is NULL, the engine fails
SELECT SUM(SQRT(score)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); SQRT(score) in [0, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(sqrt(score))
--       scan customers (id, score)
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
-- plan:
--   r1:
--     aggregate: sum = sum(div(coerce(amount), coerce(units)))
--       scan orders (id, customer, amount, units)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM(CAST(ROUND(((CAST((CASE WHEN ("t1"."amount" < CAST(0.00 AS DECIMAL(10, 2))) THEN CAST(0.00 AS DECIMAL(10, 2)) WHEN ("t1"."amount" > CAST(500.00 AS DECIMAL(10, 2))) THEN CAST(500.00 AS DECIMAL(10, 2)) ELSE "t1"."amount" END) AS DOUBLE) / CAST((CASE WHEN ("t1"."units" < 1) THEN 1 WHEN ("t1"."units" > 9) THEN 9 ELSE "t1"."units" END) AS DOUBLE)) / CAST('4.656612873077393e-10' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
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
# case: functions_numbers/division-by-zero
# differs: x / 0 is NULL
SELECT SUM(CASE WHEN amount / score > 1 THEN 1 ELSE 0 END) AS s FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); CASE WHEN ((amount / score) > CAST('1.0' AS DOUBLE)) THEN 1 ELSE 0 END in [0, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case((div(coerce(amount), score) > 1) then 1; else 0))
--       join inner on (customer = id)
--         scan customers (id, score)
--         scan orders (id#2, customer, amount)
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
-- sensitivity: d  l0=1 l1=14043 l2=14043 linf=14043 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code // 7 in [-4681, 4681], proven)
-- sensitivity: m  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code % 7 in [-6, 6], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(intdiv(coerce(code), 7)), sum#2 = sum(mod(coerce(code), 7))
--       scan orders (id, customer, code)
-- sql:
WITH "cells" AS (SELECT "t1"."customer" AS "u", COUNT(*) AS "n", SUM((CAST("t1"."code" AS INT) // 7)) AS "s0", SUM((CAST("t1"."code" AS INT) % 7)) AS "s1"
FROM "main"."orders" AS "t1"
WHERE ("t1"."customer" IS NOT NULL)
GROUP BY "t1"."customer"),
"cut" AS (SELECT u, s0, s1, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0, s1
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE (CAST(counted.s0 AS INT128) * counted.n + CASE WHEN counted.s0 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s0, CASE WHEN counted.n = counted.m THEN counted.s1 ELSE (CAST(counted.s1 AS INT128) * counted.n + CASE WHEN counted.s1 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s1
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0, SUM(s1) AS s1
FROM kept
==
# case: functions_numbers/whole-division-by-column
SELECT COUNT(*) AS n FROM orders WHERE code // units = 1 AND total % code = 0
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((intdiv(coerce(code), clamp(units, 1, 9)) = 1) AND (mod(clamp(total, -9000000000000000000, 9000000000000000000), coerce(nullif(code, 0))) = 0))
--         scan orders (id, customer, units, code, total)
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
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (((coerce(clamp(total, -9000000000000000000, 9000000000000000000)) * coerce(clamp(total, -9000000000000000000, 9000000000000000000))) > 5) AND ((clamp(total, -9000000000000000000, 9000000000000000000) - 1) < (clamp(total, -9000000000000000000, 9000000000000000000) + 1)))
--         scan orders (id, customer, total)
==
# case: functions_numbers/decimal-product
SELECT SUM(amount * amount * (1 + amount)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=375750000 l2=375750000 linf=375750000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount * amount) * (1 + amount) in [0, 125250000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(((amount * amount) * (1 + amount)))
--       scan orders (id, customer, amount)
==
# case: functions_numbers/negation
SELECT SUM(-amount) AS s, SUM(- -units) AS u FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 0 - amount in [-500, 0], clamped)
-- sensitivity: u  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 0 - (0 - units) in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((0 - amount)), sum#2 = sum((0 - (0 - units)))
--       scan orders (id, customer, amount, units)
==
# case: functions_numbers/least-of-nullable
SELECT SUM(LEAST(age, 50)) AS a, SUM(GREATEST(amount, 100)) AS g FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: a  l0=1 l1=150 l2=150 linf=150 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); LEAST(age, 50) in [18, 50], clamped)
-- sensitivity: g  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); GREATEST(amount, CAST(100.00 AS DECIMAL(12, 2))) in [100, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(least(age, 50)), sum#2 = sum(greatest(coerce(amount), 100))
--       join inner on (customer = id)
--         scan customers (id, age)
--         scan orders (id#2, customer, amount)
==
# case: functions_numbers/mixed-types
SELECT SUM(amount + weight + units) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1587.3 l2=1587.3 linf=1587.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (amount + weight) + units in [1, 529.1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(((amount + weight) + units))
--       scan orders (id, customer, amount, weight, units)
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
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or(((rate * 0) = 0), (sqrt(inside(rate, -1/202402253307310618352495346718917307049556649764142118356901358027430339567995346891960383701437124495187077864316811911389808737385793476867013399940738509921517424276566361364466907742093216341239767678472745068562007483424692698618103355649159556340810056512358769552333414615230502532186327508646006263307707741093494784, NULL)) > 1), (exp(rate) < 1))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/power
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(units ^ 2) AS s, SUM(POWER(weight, 0.5)) AS p, SUM(score ** 3) AS c FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=243 l2=243 linf=243 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); POWER(units, CAST('2.0' AS DOUBLE)) in [1, 81], clamped)
-- sensitivity: p  l0=1 l1=13.4499070629 l2=13.4499070629 linf=13.4499070629 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); POWER(weight, CAST('0.5' AS DOUBLE)) in [0, 4.4833], clamped)
-- sensitivity: c  l0=1 l1=3.00000000001 l2=3.00000000001 linf=3.00000000001 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); POWER(score, CAST('3.0' AS DOUBLE)) in [-1, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(pow(coerce(units), 2)), sum#2 = sum(pow(weight, 1/2)), sum#3 = sum(pow(score, 3))
--       join inner on (customer = id)
--         scan customers (id, score)
--         scan orders (id#2, customer, weight, units)
==
# case: functions_numbers/power-of-negative
# differs: a root of a negative number is NULL
SELECT SUM(POW(score, 0.5)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); POWER(score, CAST('0.5' AS DOUBLE)) in [0, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(pow(score, 1/2))
--       scan customers (id, score)
==
# case: functions_numbers/power-unbounded
SELECT SUM(POWER(rate, 2)) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^
-- help: declare bounds for rate in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/logarithms
# differs: the logarithm of what is not positive is NULL, the engine's is an infinity
SELECT SUM(LOG(amount + 1)) AS l, SUM(LOG2(units)) AS b, SUM(LOG10(units)) AS d, SUM(LOG(3, units)) AS t FROM orders
-- accept
-- sensitivity: l  l0=1 l1=8.0995131776 l2=8.0995131776 linf=8.0995131776 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LOG10((amount + 1)) in [-3.63798e-12, 2.69984], clamped)
-- sensitivity: b  l0=1 l1=9.50977500433 l2=9.50977500433 linf=9.50977500433 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LOG2(units) in [-3.63798e-12, 3.16993], clamped)
-- sensitivity: d  l0=1 l1=2.86272752832 l2=2.86272752832 linf=2.86272752832 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LOG10(units) in [-9.09495e-13, 0.954243], clamped)
-- sensitivity: t  l0=1 l1=6.00000000001 l2=6.00000000001 linf=6.00000000001 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LOG(CAST('3.0' AS DOUBLE), units) in [-3.63798e-12, 2], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(log10(coerce((amount + 1)))), sum#2 = sum(log2(coerce(units))), sum#3 = sum(log10(coerce(units))), sum#4 = sum(log(3, coerce(units)))
--       scan orders (id, customer, amount, units)
==
# case: functions_numbers/logarithm-base-column
SELECT SUM(LOG(units, amount)) AS s FROM orders
-- reject DP205  log: the base must be a positive constant other than 1
--             ^^^^^
==
# case: functions_numbers/trigonometry
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(SIN(weight)) AS s, SUM(COS(rate)) AS c, SUM(ATAN(weight)) AS a, SUM(DEGREES(ASIN(score))) AS d, SUM(ATAN2(weight, score)) AS b, SUM(RADIANS(units) * PI()) AS p FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=3.00000000001 l2=3.00000000001 linf=3.00000000001 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); SIN(weight) in [-1, 1], clamped)
-- sensitivity: c  l0=1 l1=3.00000000001 l2=3.00000000001 linf=3.00000000001 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); COS(rate) in [-1, 1], proven)
-- sensitivity: a  l0=1 l1=4.56325821008 l2=4.56325821008 linf=4.56325821008 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); ATAN(weight) in [-1.81899e-12, 1.52109], clamped)
-- sensitivity: d  l0=1 l1=270 l2=270 linf=270 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); DEGREES(ASIN(score)) in [-90, 90], clamped)
-- sensitivity: b  l0=1 l1=9.42477796078 l2=9.42477796078 linf=9.42477796078 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); ATAN2(weight, score) in [-3.14159, 3.14159], clamped)
-- sensitivity: p  l0=1 l1=1.48044066017 l2=1.48044066017 linf=1.48044066017 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); RADIANS(units) * CAST('3.141592653589793' AS DOUBLE) in [0.0548311, 0.49348], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(sin(weight)), sum#2 = sum(cos(rate)), sum#3 = sum(atan(weight)), sum#4 = sum(degrees(asin(score))), sum#5 = sum(atan2(weight, score)), sum#6 = sum((radians(coerce(units)) * 884279719003555/281474976710656))
--       join inner on (customer = id)
--         scan customers (id, score)
--         scan orders (id#2, customer, weight, units, rate)
==
# case: functions_numbers/tangent-unbounded
SELECT SUM(TAN(weight)) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/sign-trunc
SELECT SUM(SIGN(balance)) AS s, SUM(TRUNC(amount)) AS t, SUM(ROUND(amount, -1)) AS r, SUM(TRUNC(age, -1)) AS c, SUM(EVEN(units)) AS e FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); SIGN(balance) in [-1, 1], clamped)
-- sensitivity: t  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); TRUNC(amount) in [0, 500], clamped)
-- sensitivity: r  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); ROUND(amount, (-1)) in [0, 500], clamped)
-- sensitivity: c  l0=1 l1=270 l2=270 linf=270 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); TRUNC(age, (-1)) in [10, 90], clamped)
-- sensitivity: e  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); EVEN(units) in [2, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(sign(balance)), sum#2 = sum(trunc(amount)), sum#3 = sum(round(amount, -1)), sum#4 = sum(trunc(age, -1)), sum#5 = sum(even(coerce(units)))
--       join inner on (customer = id)
--         scan customers (id, age, balance)
--         scan orders (id#2, customer, amount, units)
==
# case: functions_numbers/group-by-sign
SELECT SIGN(balance) AS s, COUNT(*) AS n FROM customers GROUP BY SIGN(balance)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = sign(balance): count = count(*)
--       scan customers (id, balance)
==
# case: functions_numbers/round-too-many-digits
SELECT SUM(ROUND(weight, 16)) AS s FROM orders
-- reject DP205  round: argument 2 must be a constant from -15 to 15
--                       ^^
==
# case: functions_numbers/decimal-remainder
SELECT SUM(MOD(amount, 7)) AS m, SUM(amount % 0.25) AS q FROM orders
-- accept
-- sensitivity: m  l0=1 l1=20.97 l2=20.97 linf=20.97 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount % CAST(7.00 AS DECIMAL(12, 2)) in [0, 6.99], clamped)
-- sensitivity: q  l0=1 l1=0.72 l2=0.72 linf=0.72 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount % CAST(0.25 AS DECIMAL(10, 2)) in [0, 0.24], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(mod(coerce(amount), 7)), sum#2 = sum(mod(amount, 1/4))
--       scan orders (id, customer, amount)
==
# case: functions_numbers/double-remainder
SELECT SUM(weight % 2) AS s FROM orders
-- reject DP205  %: needs whole numbers or DECIMALs, not DOUBLE
--         ^^^^^^
==
# case: functions_numbers/bits
SELECT SUM(code & 15) AS a, SUM(units | 8) AS o, SUM(XOR(units, 5)) AS x, SUM((~units)) AS n, SUM(units << 3) AS l, SUM(units >> 1) AS r, SUM(bit_count(code)) AS c FROM orders
-- accept
-- sensitivity: a  l0=1 l1=45 l2=45 linf=45 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code & CAST(15 AS SMALLINT) in [0, 15], proven)
-- sensitivity: o  l0=1 l1=45 l2=45 linf=45 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units | 8 in [8, 15], clamped)
-- sensitivity: x  l0=1 l1=45 l2=45 linf=45 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); XOR(units, 5) in [0, 15], clamped)
-- sensitivity: n  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ~(units) in [-10, -2], clamped)
-- sensitivity: l  l0=1 l1=216 l2=216 linf=216 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units << 3 in [8, 72], clamped)
-- sensitivity: r  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units >> 1 in [0, 4], clamped)
-- sensitivity: c  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); BIT_COUNT(code) in [0, 16], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(bit_and(code, 15)), sum#2 = sum(bit_or(units, 8)), sum#3 = sum(bit_xor(units, 5)), sum#4 = sum(bit_not(units)), sum#5 = sum(shl(units, 3)), sum#6 = sum(shr(units, 1)), sum#7 = sum(bit_count(code))
--       scan orders (id, customer, units, code)
==
# case: functions_numbers/complement-without-parentheses
SELECT SUM(~units + 1) AS s FROM orders
-- reject DP104  ~ takes all arithmetic to its right: say with parentheses what it is of
--          ^^^^^
-- help: write (~x) or ~(x + …)
==
# case: functions_numbers/absolute-of-bits
SELECT SUM(@ units & 3) AS s FROM orders
-- reject DP104  @ takes no bit operators to its right: say with parentheses what it is of
--           ^^^^^^^^^
-- help: write ABS(x) & y or ABS(x & y)
==
# case: functions_numbers/absolute-sign
SELECT SUM(@ units - 3) AS s, SUM(@ (units & 3)) AS b FROM orders
-- accept
-- sensitivity: s  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ABS((units - 3)) in [0, 6], clamped)
-- sensitivity: b  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ABS((units & 3)) in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(abs((units - 3))), sum#2 = sum(abs(bit_and(units, 3)))
--       scan orders (id, customer, units)
==
# case: functions_numbers/bits-of-decimal
SELECT SUM(amount & 1) AS s FROM orders
-- reject DP205  &: needs whole numbers, not DECIMAL(10,2)
--         ^^^^^^
==
# case: functions_numbers/factorial-gcd
# note: GCD(0, age) is age: reached by customers of 99 with three orders of 0 units, against the policy, which are seldom drawn
SELECT SUM(FACTORIAL(units)) AS f, SUM(GCD(units, age)) AS g, SUM(LCM(units, 6)) AS l FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: f  l0=1 l1=1088640 l2=1088640 linf=1088640 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); FACTORIAL(units) in [1, 362880], clamped)
-- sensitivity: g  l0=1 l1=297 l2=297 linf=297 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); GCD(units, age) in [0, 99], clamped)
-- sensitivity: l  l0=1 l1=162 l2=162 linf=162 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); LCM(units, CAST(6 AS BIGINT)) in [0, 54], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(factorial(units)), sum#2 = sum(gcd(coerce(units), coerce(age))), sum#3 = sum(lcm(coerce(units), 6))
--       join inner on (customer = id)
--         scan customers (id, age)
--         scan orders (id#2, customer, units)
==
# case: functions_numbers/factorial-unbounded
SELECT COUNT(*) AS n FROM orders WHERE FACTORIAL(code) > 5
-- reject DP306  needs numbers that are known to lie in [0, 33]
--                                     ^^^^^^^^^^^^^^
-- help: declare bounds in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/gcd-unbounded
SELECT COUNT(*) AS n FROM orders WHERE GCD(total, 12) = 12
-- reject DP306  needs numbers that are known to lie in [-2147483647, 2147483647]
--                                     ^^^^^^^^^^^^^
-- help: declare bounds in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/nan-tests
SELECT COUNT(*) AS n FROM orders WHERE ISFINITE(rate) AND NOT ISNAN(rate) AND NOT ISINF(weight)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and(isfinite(rate), not(isnan(rate)), not(isinf(weight)))
--         scan orders (id, customer, weight, rate)
==
# case: functions_numbers/width-bucket
SELECT SUM(WIDTH_BUCKET(amount, 0, 500, 5)) AS s FROM orders
-- reject DP204  the function width_bucket is not on the allow-list
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write FLOOR((x - low) / width) + 1
==
# case: functions_numbers/random
SELECT SUM(RANDOM()) AS s FROM orders
-- reject DP204  the function random is not on the allow-list
--         ^^^^^^
-- help: leave it out: an answer says nothing that is drawn by chance but its noise
==
# case: functions_numbers/list-constants
SELECT COUNT(*) AS n FROM orders WHERE units IN [1, 2] OR code = ANY([3, 4]) OR LIST_CONTAINS([5, 6], code) OR total > ALL([1, 2])
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or(in(units, 1, 2), in(code, 3, 4), in(code, 5, 6), ((total > 1) AND (total > 2)))
--         scan orders (id, customer, units, code, total)
==
# case: functions_numbers/struct-constant
SELECT SUM(units * {'rate': 2}.rate) AS s, SUM(units + [10, 20][2]) AS t FROM orders
-- accept
-- sensitivity: sum(units * 2 - 2)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units * 2 in [2, 18], clamped; summed around 2, the least; a row adds 16 to sum(units * 2 - 2) and sum(units * 2 - 18) together)
-- sensitivity: sum(units * 2 - 18)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units * 2 in [2, 18], clamped; summed around 18, the greatest; a row adds 16 to sum(units * 2 - 2) and sum(units * 2 - 18) together)
-- plan:
--   r1:
--     aggregate: sum = sum((units * 2)), sum#2 = sum((units + 20))
--       scan orders (id, customer, units)
==
# case: functions_numbers/list-of-columns
SELECT COUNT(*) AS n FROM orders WHERE 5 = ANY([units, code])
-- reject DP104  lists can hold constants only
--                                              ^^^^^
==
# case: functions_numbers/list-as-value
SELECT SUM([1, 2]) AS s FROM orders
-- reject DP104  a list can stand only as a constant: in x IN [1, 2] and x = ANY([1, 2])
--          ^^^^
==
# case: functions_numbers/null-in-list
SELECT COUNT(*) AS n FROM orders WHERE units NOT IN [1, NULL]
-- reject DP104  NULL in a list after IN
--                                                      ^^^^
-- help: leave it out
==
# case: functions_numbers/equal-nan
SELECT COUNT(*) AS n FROM orders WHERE rate = 'NaN'::DOUBLE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate = try_cast('nan'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/below-nan
SELECT COUNT(*) AS n FROM orders WHERE rate < CAST('nan' AS DOUBLE)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate < try_cast('nan'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/above-minus-infinity
SELECT COUNT(*) AS n FROM orders WHERE rate > CAST('-infinity' AS DOUBLE)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate > try_cast('-inf'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/distinct-from-nan
SELECT COUNT(*) AS n FROM orders WHERE rate IS DISTINCT FROM 'NaN'::DOUBLE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(is_not_distinct(rate, try_cast('nan')))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/nullif-nan
SELECT COUNT(NULLIF(rate, 'NaN'::DOUBLE)) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(nullif(rate, try_cast('nan')))
--       scan orders (id, customer, rate)
==
# case: functions_numbers/nan-cast-in-a-list
SELECT COUNT(*) AS n FROM orders WHERE rate IN ('NaN'::DOUBLE, 1)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((rate = try_cast('nan')) OR (rate = 1))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/nan-in-a-list
SELECT COUNT(*) AS n FROM orders WHERE rate IN ('NaN', 1)
-- reject DP205  the constant cannot be read as DOUBLE
--                                              ^^^^^
-- help: compare with it by itself: x = 'NaN' OR x IN (…)
==
# case: functions_numbers/sum-of-nan
SELECT SUM(COALESCE(weight, 'NaN'::DOUBLE)) AS n FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/clamped-nan
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(LEAST(GREATEST(COALESCE(weight, 'NaN'::DOUBLE), 0), 30)) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST(COALESCE(weight, TRY_CAST('nan' AS DOUBLE)), CAST('0.0' AS DOUBLE)), CAST('30.0' AS DOUBLE)) in [0, 30], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(least(greatest(coalesce(weight, try_cast('nan')), 0), 30))
--       scan orders (id, customer, weight)
==
# case: functions_numbers/below-nan-as-text
SELECT COUNT(*) AS n FROM orders WHERE rate < 'NaN'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate < try_cast('nan'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/below-infinite-float
SELECT COUNT(*) AS n FROM orders WHERE rate < 'inf'::FLOAT
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate < try_cast('inf'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/between-infinities
SELECT COUNT(*) AS n FROM orders WHERE rate BETWEEN '-inf' AND 'inf'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((rate >= try_cast('-inf')) AND (rate <= try_cast('inf')))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/sum-of-nan-in-a-case
SELECT SUM(CASE WHEN weight > 3 THEN weight ELSE 'NaN'::DOUBLE END) AS n FROM orders
-- reject DP301  nothing bounds what SUM adds up
--                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/isnan-as-key
SELECT isnan(COALESCE(rate, 'NaN'::DOUBLE)) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = isnan(coalesce(rate, try_cast('nan'))): count = count(*)
--       scan orders (id, customer, rate)
==
# case: functions_numbers/least-of-nan
SELECT SUM(LEAST(weight, 'NaN'::DOUBLE)) AS n FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/greatest-of-nan
SELECT SUM(GREATEST(weight, 'NaN'::DOUBLE)) AS n FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/least-of-infinity
SELECT SUM(LEAST(weight, 'inf'::DOUBLE)) AS n FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/kinds-of-numbers-as-keys
SELECT CASE WHEN rate = 'NaN'::DOUBLE THEN 'nan' WHEN rate = 'inf' THEN 'inf' WHEN rate = '-inf' THEN '-inf' WHEN rate IS NOT NULL THEN 'number' END AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((rate = try_cast('nan')) then 'nan'; (rate = try_cast('inf')) then 'inf'; (rate = try_cast('-inf')) then '-inf'; not(is_null(rate)) then 'number'; else NULL): count = count(*)
--       scan orders (id, customer, rate)
==
# case: functions_numbers/decimal-below-nan
SELECT COUNT(*) AS n FROM orders WHERE amount < 'NaN'
-- reject DP205  the constant cannot be read as DECIMAL(10,2)
--                                              ^^^^^
==
# case: functions_numbers/integer-equal-nan
SELECT COUNT(*) AS n FROM orders WHERE units = 'NaN'::DOUBLE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (coerce(units) = try_cast('nan'))
--         scan orders (id, customer, units)
==
# case: functions_numbers/times-nan
SELECT SUM(amount * 'NaN'::DOUBLE) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/text-nan
SELECT COUNT(*) AS n FROM customers WHERE email = 'NaN'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (email = 'NaN')
--         scan customers (id, email)
==
# case: functions_numbers/beyond-nan
SELECT SUM(CASE WHEN rate > 'NaN'::DOUBLE THEN 1 ELSE 0 END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (rate > TRY_CAST('nan' AS DOUBLE)) THEN 1 ELSE 0 END in [0, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case((rate > try_cast('nan')) then 1; else 0))
--       scan orders (id, customer, rate)
==
# case: functions_numbers/distinct-but-nan
SELECT COUNT(DISTINCT NULLIF(rate, 'nan'::DOUBLE)) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct nullif(rate, try_cast('nan')))
--       scan orders (id, customer, rate)
==
# case: functions_numbers/nan-as-key
SELECT 'NaN'::DOUBLE AS k, COUNT(*) AS n FROM orders GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^
-- help: group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x; or ask with a delta, and groups of few units are left out
==
# case: functions_numbers/greatest-infinity
SELECT MAX(COALESCE(weight, 'inf'::DOUBLE)) AS n FROM orders
-- reject DP301  nothing bounds what MAX reads
--         ^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/average-but-nan
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT AVG(NULLIF(weight, 'NaN'::DOUBLE)) AS n FROM orders
-- accept
-- sensitivity: sum(NULLIF(weight, TRY_CAST('nan' AS DOUBLE)))  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); NULLIF(weight, TRY_CAST('nan' AS DOUBLE)) in [0, 20.1], clamped; summed around 0, the least; a row adds 20.1 to sum(NULLIF(weight, TRY_CAST('nan' AS DOUBLE))) and sum(NULLIF(weight, TRY_CAST('nan' AS DOUBLE)) - 20.1) together)
-- sensitivity: sum(NULLIF(weight, TRY_CAST('nan' AS DOUBLE)) - 20.1)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); NULLIF(weight, TRY_CAST('nan' AS DOUBLE)) in [0, 20.1], clamped; summed around 20.1, the greatest; a row adds 20.1 to sum(NULLIF(weight, TRY_CAST('nan' AS DOUBLE))) and sum(NULLIF(weight, TRY_CAST('nan' AS DOUBLE)) - 20.1) together)
-- plan:
--   r1:
--     aggregate: avg = avg(nullif(weight, try_cast('nan')))
--       scan orders (id, customer, weight)
==
# case: functions_numbers/nan-of-noisy-numbers
SELECT COUNT(*) AS n FROM orders GROUP BY status HAVING AVG(weight) < 'NaN'::DOUBLE
-- accept
-- sensitivity: rows with weight near 0  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with weight near 20.1  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows without weight  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(weight), count = count(*)
--       scan orders (id, customer, weight, status)
--   answer:
--     project n = count
--       filter (avg < try_cast('nan'))
--         released r1 (status#2, avg, count)
==
# case: functions_numbers/nan-in-a-join
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id AND o.rate < 'NaN'::DOUBLE WHERE c.score <> 'nan'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         filter (score <> try_cast('nan'))
--           scan customers (id, score)
--         filter (rate < try_cast('nan'))
--           scan orders (id#2, customer, rate)
==
# case: functions_numbers/nan-in-an-outer-join
SELECT COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id AND isnan(o.rate)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(id#2)
--       join left on ((customer = id) AND isnan(rate))
--         scan customers (id)
--         scan orders (id#2, customer, rate)
==
# case: functions_numbers/nan-in-a-subquery
SELECT COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.rate = 'NaN'::DOUBLE)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           filter (rate = try_cast('nan'))
--             scan orders (id#2, customer, rate)
==
# case: functions_numbers/nan-grouped
SELECT status, COUNT_IF(rate = 'NaN'::DOUBLE) AS nans, COUNT_IF(rate < 'inf' AND rate > '-inf') AS numbers FROM orders GROUP BY status
-- accept
-- sensitivity: nans  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- sensitivity: numbers  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(case((rate = try_cast('nan')) then 1; else NULL)), count#2 = count(case(((rate < try_cast('inf')) AND (rate > try_cast('-inf'))) then 1; else NULL))
--       scan orders (id, customer, status, rate)
==
# case: functions_numbers/nan-having
SELECT status, COUNT(*) AS n FROM orders WHERE rate <> 'NaN' GROUP BY status HAVING COUNT(*) > 2
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       filter (rate <> try_cast('nan'))
--         scan orders (id, customer, status, rate)
--   answer:
--     project status#3 = status#2, n = count
--       filter (count > 2)
--         released r1 (status#2, count)
==
# case: functions_numbers/nan-negated
SELECT COUNT(*) AS n FROM orders WHERE NOT (rate < 'NaN'::DOUBLE)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate >= try_cast('nan'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/nan-or-null
SELECT COUNT(*) AS n FROM orders WHERE NULLIF(rate, 'NaN'::DOUBLE) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(nullif(rate, try_cast('nan')))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/isinf
SELECT COUNT_IF(isinf(rate)) AS i, COUNT_IF(isfinite(rate)) AS f, COUNT_IF(NOT isfinite(rate)) AS b FROM orders
-- accept
-- sensitivity: i  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: f  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: b  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(isinf(rate) then 1; else NULL)), count#2 = count(case(isfinite(rate) then 1; else NULL)), count#3 = count(case(not(isfinite(rate)) then 1; else NULL))
--       scan orders (id, customer, rate)
==
# case: functions_numbers/isnan-of-whole-numbers
SELECT COUNT_IF(isnan(units)) AS n, COUNT_IF(isfinite(amount)) AS f FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: f  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(isnan(coerce(units)) then 1; else NULL)), count#2 = count(case(isfinite(coerce(amount)) then 1; else NULL))
--       scan orders (id, customer, amount, units)
==
# case: functions_numbers/isnan-of-nan
SELECT COUNT_IF(isnan('NaN'::DOUBLE)) AS n, COUNT_IF('NaN'::DOUBLE = 'nan'::DOUBLE) AS e FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: e  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(case(isnan(try_cast('nan')) then 1; else NULL)), count#2 = count(case((try_cast('nan') = try_cast('nan')) then 1; else NULL))
--       scan customers (id)
==
# case: functions_numbers/infinity-is-no-nan
SELECT COUNT_IF('inf'::DOUBLE < 'NaN'::DOUBLE) AS n, COUNT_IF('-infinity'::DOUBLE < 0) AS m FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(case((try_cast('inf') < try_cast('nan')) then 1; else NULL)), count#2 = count(case((try_cast('-inf') < 0) then 1; else NULL))
--       scan customers (id)
==
# case: functions_numbers/nan-replaced
# differs: a sum of DOUBLEs is rounded onto a lattice
SELECT SUM(CASE WHEN isfinite(rate) THEN LEAST(GREATEST(rate, -1), 1) ELSE 0 END) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN ISFINITE(rate) THEN LEAST(GREATEST(rate, CAST('-1.0' AS DOUBLE)), CAST('1.0' AS DOUBLE)) ELSE CAST('0.0' AS DOUBLE) END in [-1, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(isfinite(rate) then least(greatest(rate, -1), 1); else 0))
--       scan orders (id, customer, rate)
==
# case: functions_numbers/nan-per-unit
SELECT SUM(n) AS s FROM (SELECT customer, COUNT_IF(rate = 'NaN') AS n FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by customer#2 = customer: count = count(case((rate = try_cast('nan')) then 1; else NULL))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/nan-per-unit-maximum
SELECT COUNT(*) AS n FROM (SELECT customer, MAX(rate) AS m FROM orders GROUP BY customer) x WHERE m = 'NaN'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (max = try_cast('nan'))
--         aggregate per unit by customer#2 = customer: max = max(rate)
--           scan orders (id, customer, rate)
==
# case: functions_numbers/nan-with-spaces
SELECT COUNT(*) AS n FROM orders WHERE rate < ' +NaN '
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate < try_cast('nan'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/nan-misspelt
SELECT COUNT(*) AS n FROM orders WHERE rate < 'not a number'
-- reject DP205  the constant cannot be read as DOUBLE
--                                            ^^^^^^^^^^^^^^
==
# case: functions_numbers/nan-tried
SELECT COUNT(*) AS n FROM orders WHERE rate < TRY_CAST('-NaN' AS DOUBLE)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rate < try_cast('nan'))
--         scan orders (id, customer, rate)
==
# case: functions_numbers/sums-of-hyperbolic-functions
SELECT SUM(COSH(score)) AS c, SUM(ASINH(score)) AS s, SUM(ACOSH(age)) AS a, AVG(ATANH(score / 2)) AS t FROM customers
-- accept
-- sensitivity: centred sum(CAST(ATANH((score / CAST('2.0' AS DOUBLE))) AS DOUBLE))  l0=1 l1=0.549306144335 l2=0.549306144335 linf=0.549306144335 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(ATANH((score / CAST('2.0' AS DOUBLE))) AS DOUBLE) in [-0.549306, 0.549306], clamped; summed around 0, the middle)
-- sensitivity: count(CAST(ATANH((score / CAST('2.0' AS DOUBLE))) AS DOUBLE))  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: c  l0=1 l1=1.54308063482 l2=1.54308063482 linf=1.54308063482 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(COSH(score) AS DOUBLE) in [1, 1.54308], clamped)
-- sensitivity: s  l0=1 l1=0.88137358702 l2=0.88137358702 linf=0.88137358702 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(ASINH(score) AS DOUBLE) in [-0.881374, 0.881374], clamped)
-- sensitivity: a  l0=1 l1=5.28824152212 l2=5.28824152212 linf=5.28824152212 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(ACOSH(age) AS DOUBLE) in [3.58275, 5.28824], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cosh(score)), sum#2 = sum(asinh(score)), sum#3 = sum(acosh(coerce(age))), avg = avg(atanh(div(score, 2)))
--       scan customers (id, age, score)
==
# case: functions_numbers/by-a-whole-number-from-zero
# note: by 0 it is NULL, and else by 1 or more
SELECT AVG(amount / (units - 1)) AS a FROM orders
-- accept
-- sensitivity: sum(amount / (units - 1))  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount / (units - 1) in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount / (units - 1)) and sum(amount / (units - 1) - 500) together)
-- sensitivity: sum(amount / (units - 1) - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount / (units - 1) in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount / (units - 1)) and sum(amount / (units - 1) - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div(coerce(amount), coerce((units - 1))))
--       scan orders (id, customer, amount, units)
==
# case: functions_numbers/by-a-double-from-zero
SELECT AVG(amount / weight) AS a FROM orders
-- reject DP301  nothing bounds what AVG adds up
--         ^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/bits-of-negative
SELECT SUM(code | units) AS o, SUM(code & (units - 5)) AS a, SUM(XOR(units - 5, 3)) AS x, SUM(BIT_COUNT(units)) AS c, SUM(BIT_COUNT(units - 5)) AS d, AVG((units + 8) >> 1) AS r FROM orders
-- accept
-- sensitivity: centred sum((units + 8) >> 1)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); (units + 8) >> 1 in [4, 8], clamped; summed around 6, the middle)
-- sensitivity: rows with code | units near -32768  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code | units in [-32768, 32767], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with code | units near 32767  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code | units in [-32768, 32767], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: a  l0=1 l1=98304 l2=98304 linf=98304 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); code & (units - 5) in [-32768, 32767], clamped)
-- sensitivity: centred sum(XOR((units - 5), 3))  l0=1 l1=22.5 l2=22.5 linf=22.5 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); XOR((units - 5), 3) in [-8, 7], clamped; summed around -0.5, the middle)
-- sensitivity: centred sum(BIT_COUNT(units))  l0=1 l1=4.5 l2=4.5 linf=4.5 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); BIT_COUNT(units) in [1, 4], clamped; summed around 2.5, the middle)
-- sensitivity: centred sum(BIT_COUNT((units - 5)))  l0=1 l1=192 l2=192 linf=192 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); BIT_COUNT((units - 5)) in [0, 128], clamped; summed around 64, the middle)
-- plan:
--   r1:
--     aggregate: sum = sum(bit_or(coerce(code), units)), sum#2 = sum(bit_and(coerce(code), (units - 5))), sum#3 = sum(bit_xor((units - 5), 3)), sum#4 = sum(bit_count(units)), sum#5 = sum(bit_count(as_wide_as((units - 5), 0))), avg = avg(shr(as_wide_as((units + 8), 0), 1))
--       scan orders (id, customer, units, code)
==
# case: functions_numbers/power-of-negative-by-a-column
SELECT SUM(POWER(units - 5, units)) AS s FROM orders
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^^^^^^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_numbers/domain-that-a-released-mean-keeps-at-one-end
SELECT AVG(ASIN(units / (SELECT AVG(units) FROM orders))) AS a FROM orders
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(ASIN((units / "avg(units)")) - 0.111341)  l0=1 l1=4.37836593737 l2=4.37836593737 linf=4.37836593737 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ASIN((units / "avg(units)")) in [0.111341, 1.5708], clamped; summed around 0.111341, the least; a row adds 1.45946 to sum(ASIN((units / "avg(units)")) - 0.111341) and sum(ASIN((units / "avg(units)")) - 1.5708) together)
-- sensitivity: sum(ASIN((units / "avg(units)")) - 1.5708)  l0=1 l1=4.37836593737 l2=4.37836593737 linf=4.37836593737 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ASIN((units / "avg(units)")) in [0.111341, 1.5708], clamped; summed around 1.5708, the greatest; a row adds 1.45946 to sum(ASIN((units / "avg(units)")) - 0.111341) and sum(ASIN((units / "avg(units)")) - 1.5708) together)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     project avg(units) = avg
--       released r1 (avg)
--   r2:
--     aggregate: avg#2 = avg(asin(div(coerce(units#2), avg(units))))
--       join inner on true
--         scan orders (id#2, customer#2, units#2)
--         released f1 (avg(units))
==
# case: functions_numbers/bits-of-no-certain-width
SELECT SUM(BIT_COUNT(SIGN(units - 5))) AS n FROM orders
-- reject DP205  the value of BIT_COUNT hangs on how many bits a number has, which is not sure here
--                   ^^^^^^^^^^^^^^
-- help: write CAST(x AS INTEGER) around the number, or the type that is meant
==
# case: functions_numbers/angle-of-what-has-no-end
SELECT SUM(ATAN(TAN(amount))) AS t, SUM(ATAN(COT(amount))) AS c, SUM(TANH(POWER(amount, 200.5))) AS p FROM orders
-- accept
-- sensitivity: t  l0=1 l1=4.71238898039 l2=4.71238898039 linf=4.71238898039 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ATAN(CAST(TAN(amount) AS DOUBLE)) in [-1.5708, 1.5708], clamped)
-- sensitivity: c  l0=1 l1=4.71238898039 l2=4.71238898039 linf=4.71238898039 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ATAN(CAST(COT(amount) AS DOUBLE)) in [-1.5708, 1.5708], clamped)
-- sensitivity: p  l0=1 l1=3.00000000001 l2=3.00000000001 linf=3.00000000001 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); TANH(POWER(amount, CAST('200.5' AS DOUBLE))) in [-1, 1], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(atan(tan(coerce(amount)))), sum#2 = sum(atan(cot(coerce(amount)))), sum#3 = sum(tanh(pow(coerce(amount), 401/2)))
--       scan orders (id, customer, amount)
