# about: Neighbours by replacing a unit: the number of units is public
# policy: replace
# case: replace/average-of-four
SELECT AVG(weight) AS a FROM patients
-- accept
-- sensitivity: a  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle; divided by the public 4 rows; a NULL counts as 90)
-- plan:
--   r1:
--     aggregate: avg = avg(weight)
--       scan patients (pid, weight)
-- sql:
SELECT COUNT(*) AS "n", SUM(COALESCE((CASE WHEN ("t1"."weight" < 30) THEN 30 WHEN ("t1"."weight" > 150) THEN 150 ELSE "t1"."weight" END), 90)) AS "s0"
FROM "main"."patients" AS "t1"
==
# case: replace/average-of-nullable
SELECT AVG(height) AS a FROM patients
-- accept
-- sensitivity: centred sum(height)  l0=1 l1=2.1 l2=2.1 linf=2.1 groups=1  (rows per unit 1, proven (pid is the key of patients); height in [0.4, 2.5], clamped; summed around 1.45, the middle)
-- sensitivity: count(height)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- plan:
--   r1:
--     aggregate: avg = avg(height)
--       scan patients (pid, height)
==
# case: replace/numbers-of-nullable
# note: what is not said to be never NULL is counted apart from the public rows
SELECT COUNT(height) AS n, SUM(height) AS s FROM patients
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- sensitivity: centred sum(height)  l0=1 l1=2.1 l2=2.1 linf=2.1 groups=1  (rows per unit 1, proven (pid is the key of patients); height in [0.4, 2.5], clamped; summed around 1.45, the middle)
-- plan:
--   r1:
--     aggregate: count = count(height), sum = sum(height)
--       scan patients (pid, height)
==
# case: replace/null-as-key
SELECT height IS NULL AS missing, COUNT(*) AS n FROM patients GROUP BY 1
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=2  (rows per unit 1, proven (pid is the key of patients); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = is_null(height): count = count(*)
--       scan patients (pid, height)
==
# case: replace/sum
SELECT SUM(weight) AS s FROM patients
-- accept
-- sensitivity: centred sum(weight)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle; divided by the public 4 rows; a NULL counts as 90)
-- sensitivity: count(*)  l0=0 l1=0 l2=0 linf=0 groups=1  (rows per unit 1, proven (pid is the key of patients); the same on all neighbours: 4 rows are public)
-- plan:
--   r1:
--     aggregate: sum = sum(weight)
--       scan patients (pid, weight)
-- sql:
SELECT COUNT(*) AS "n", SUM(COALESCE((CASE WHEN ("t1"."weight" < 30) THEN 30 WHEN ("t1"."weight" > 150) THEN 150 ELSE "t1"."weight" END), 90)) AS "s0"
FROM "main"."patients" AS "t1"
==
# case: replace/count
SELECT COUNT(*) AS n FROM patients
-- accept
-- sensitivity: n  l0=0 l1=0 l2=0 linf=0 groups=1  (rows per unit 1, proven (pid is the key of patients); the same on all neighbours: 4 rows are public)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan patients (pid)
==
# case: replace/filtered
SELECT COUNT(*) AS n, AVG(weight) AS a FROM patients WHERE height > 1.5
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- sensitivity: centred sum(weight)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 90, the middle)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(weight)
--       filter (height > 3/2)
--         scan patients (pid, weight, height)
==
# case: replace/by-sex
SELECT sex, COUNT(*) AS n, SUM(weight) AS s FROM patients GROUP BY sex
-- accept
-- sensitivity: sum(weight - 30)  l0=2 l1=240 l2=169.705627485 linf=120 groups=2  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 30, the least; groups: sex: 2 values; a unit is in one group; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- sensitivity: sum(weight - 150)  l0=2 l1=240 l2=169.705627485 linf=120 groups=2  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], clamped; summed around 150, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: count = count(*), sum = sum(weight)
--       scan patients (pid, weight, sex)
==
# case: replace/stays
SELECT COUNT(*) AS n, SUM(days) AS s FROM stays
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of stays per pid))
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(days)
--       scan stays (pid, days)
-- sql:
WITH "cells" AS (SELECT "t1"."pid" AS "u", COUNT(*) AS "n", SUM((CASE WHEN ("t1"."days" < 1) THEN 1 WHEN ("t1"."days" > 30) THEN 30 ELSE "t1"."days" END)) AS "s0"
FROM "main"."stays" AS "t1"
WHERE ("t1"."pid" IS NOT NULL)
GROUP BY "t1"."pid"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(2 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE (CAST(counted.s0 AS INT128) * counted.n + CASE WHEN counted.s0 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: replace/stays-by-ward
SELECT ward, COUNT(*) AS n, AVG(days) AS a FROM stays GROUP BY ward
-- accept
-- sensitivity: rows with days near 1  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with days near 30  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); days in [1, 30], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows without days  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: count = count(*), avg = avg(days)
--       scan stays (pid, days, ward)
==
# case: replace/joined
SELECT p.sex, SUM(s.days) AS d FROM patients p JOIN stays s ON s.pid = p.pid GROUP BY p.sex
-- accept
-- sensitivity: d  l0=2 l1=120 l2=84.8528137424 linf=60 groups=2  (rows per unit 2, enforced per unit (pid is the key of patients; 2 rows of stays per pid); days in [1, 30], clamped; groups: sex: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by sex#3 = sex#2: sum = sum(days)
--       join inner on (pid#2 = pid)
--         project pid, sex#2 = cut(sex, 2)
--           scan patients (pid, sex)
--         scan stays (pid#2, days)
==
# policy: replace verified
# case: replace/verified-average
SELECT AVG(weight) AS a, AVG(height) AS h FROM patients
-- accept
-- sensitivity: a  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 1, proven (pid is the key of patients); weight in [30, 150], proven; summed around 90, the middle; divided by the public 4 rows; a NULL counts as 90)
-- sensitivity: centred sum(height)  l0=1 l1=2.1 l2=2.1 linf=2.1 groups=1  (rows per unit 1, proven (pid is the key of patients); height in [0.4, 2.5], proven; summed around 1.45, the middle)
-- sensitivity: count(height)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- plan:
--   r1:
--     aggregate: avg = avg(weight), avg#2 = avg(height)
--       scan patients (pid, weight, height)
-- sql:
SELECT COUNT(*) AS "n", SUM("t1"."weight") AS "s0", COUNT(CAST(ROUND(("t1"."height" / CAST('3.637978807091713e-12' AS DOUBLE))) AS BIGINT)) AS "n1", SUM(CAST(ROUND(("t1"."height" / CAST('3.637978807091713e-12' AS DOUBLE))) AS BIGINT)) AS "s1"
FROM "main"."patients" AS "t1"
==
# case: replace/verified-by-ward
SELECT ward, SUM(days) AS s FROM stays GROUP BY ward
-- accept
-- sensitivity: s  l0=3 l1=120 l2=84.8528137424 linf=60 groups=3  (rows per unit 2, proven (2 rows of stays per pid); days in [1, 30], proven; groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: sum = sum(days)
--       scan stays (pid, days, ward)
-- sql:
SELECT "t1"."ward" AS "k0", COUNT(*) AS "n", SUM("t1"."days") AS "s0"
FROM "main"."stays" AS "t1"
WHERE ("t1"."ward" IN ('a', 'b', 'c'))
GROUP BY "t1"."ward"
==
# case: replace/join-that-is-never-true
# note: no row of the list is left: nothing is ever found
SELECT COUNT(*) FROM (VALUES (1, 'a'), (2, 'b')) AS s(a, b) JOIN (SELECT pid AS k FROM patients GROUP BY pid) AS t ON s.a NOT IN (1, 2) WHERE EXISTS (SELECT 1 FROM patients AS p WHERE p.pid = t.k)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same col0, pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (pid#3 = pid#2)
--           join inner on true
--             filter not(in(col0#3, 1, 2))
--               union (col0#3)
--                 project col0 = 1
--                   one row
--                 project col0#2 = 2
--                   one row
--             aggregate per unit by pid#2 = pid
--               scan patients (pid)
--           scan patients (pid#3)
==
# case: replace/join-of-what-is-left-of-a-list
# note: one of two rows is left, whatever names the other
SELECT COUNT(*) FROM (VALUES (1, 'a'), (2, 'b')) AS s(a, b) JOIN (SELECT pid AS k FROM patients GROUP BY pid) AS t ON s.a NOT IN (1) WHERE EXISTS (SELECT 1 FROM patients AS p WHERE p.pid = t.k)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same col0, pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (pid#3 = pid#2)
--           join inner on true
--             filter not(in(col0#3, 1))
--               union (col0#3)
--                 project col0 = 1
--                   one row
--                 project col0#2 = 2
--                   one row
--             aggregate per unit by pid#2 = pid
--               scan patients (pid)
--           scan patients (pid#3)
==
# case: replace/key-that-is-null-alone
# note: one row of each patient: none has two, and the key is tested for NULL, of which there is one group
SELECT s.ward, p.n, COUNT(*) AS c FROM (SELECT pid, COUNT(*) AS n FROM patients GROUP BY pid HAVING COUNT(*) > 1) p RIGHT JOIN stays s ON s.pid = p.pid GROUP BY 1, 2
-- accept
-- sensitivity: c  l0=3 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, proven (2 rows of stays per pid; one group per unit); groups: ward: 3 values; n: 1 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#2 = ward, n#2 = n: count#2 = count(*)
--       join left on (pid = pid#4)
--         scan stays (pid, ward)
--         project pid#4 = pid#3, n = count
--           filter (count > 1)
--             aggregate per unit by pid#3 = pid#2: count = count(*)
--               scan patients (pid#2)
