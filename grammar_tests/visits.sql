# about: A table of several rows a unit, without a table of units
# policy: visits
# case: visits/count
SELECT COUNT(*) AS n FROM visits
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit (4 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan visits (pid)
-- sql:
WITH "cells" AS (SELECT "t1"."pid" AS "u", COUNT(*) AS "n"
FROM "main"."visits" AS "t1"
WHERE ("t1"."pid" IS NOT NULL)
GROUP BY "t1"."pid"),
"cut" AS (SELECT u, n AS m, LEAST(n, CAST(4 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n
FROM counted)
SELECT SUM(n) AS n
FROM kept
==
# case: visits/sum
SELECT SUM(cost) AS s FROM visits
-- accept
-- sensitivity: s  l0=1 l1=400 l2=400 linf=400 groups=1  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cost)
--       scan visits (pid, cost)
-- sql:
WITH "cells" AS (SELECT "t1"."pid" AS "u", COUNT(*) AS "n", SUM((CASE WHEN ("t1"."cost" < (-20)) THEN (-20) WHEN ("t1"."cost" > 100) THEN 100 ELSE "t1"."cost" END)) AS "s0"
FROM "main"."visits" AS "t1"
WHERE ("t1"."pid" IS NOT NULL)
GROUP BY "t1"."pid"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(4 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE (CAST(counted.s0 AS INT128) * counted.n + CASE WHEN counted.s0 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: visits/by-ward
SELECT ward, COUNT(*) AS n, SUM(cost) AS s FROM visits GROUP BY ward
-- accept
-- sensitivity: rows with cost near -20  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with cost near 100  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: count = count(*), sum = sum(cost)
--       scan visits (pid, ward, cost)
-- sql:
WITH "base" AS NOT MATERIALIZED (SELECT "t1"."pid" AS "u", "t1"."ward" AS "k0", (CAST(100 AS BIGINT) - COALESCE(CAST((CASE WHEN ("t1"."cost" < (-20)) THEN (-20) WHEN ("t1"."cost" > 100) THEN 100 ELSE "t1"."cost" END) AS BIGINT), CAST(0 AS BIGINT))) AS "x1"
FROM "main"."visits" AS "t1"
WHERE ("t1"."pid" IS NOT NULL)),
"over" AS MATERIALIZED (SELECT "base"."u" AS "u"
FROM "base"
GROUP BY "base"."u"
HAVING (COUNT(*) > 4)),
"cells" AS (SELECT "over"."u", "base"."k0", COUNT(*) AS "n", SUM("base"."x1") AS "s1"
FROM "base"
LEFT
JOIN "over" ON ("base"."u" = "over"."u")
GROUP BY "over"."u", "base"."k0"),
"totals" AS (SELECT cells.*, CAST(SUM(cells.n) OVER (PARTITION BY cells.u) AS BIGINT) AS total, CAST(SUM(cells.n) OVER (PARTITION BY cells.u ORDER BY cells.k0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS upto
FROM cells),
"placed" AS (SELECT totals.*, CAST(HASH(totals.u, 'cells') % CAST(totals.total AS UBIGINT) AS BIGINT) AS h
FROM totals),
"cut" AS (SELECT u, k0, s1, n AS m, CASE WHEN u IS NULL THEN n ELSE CASE WHEN total <= CAST(4 AS BIGINT) THEN n ELSE CAST((CAST(upto AS INT128) * CAST(4 AS BIGINT) + h) // total - ((CAST(upto AS INT128) - n) * CAST(4 AS BIGINT) + h) // total AS BIGINT) END END AS n
FROM placed),
"counted" AS (SELECT u, k0, m, n, s1
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.k0, counted.n, CASE WHEN counted.u IS NULL THEN counted.s1 ELSE CASE WHEN counted.n = counted.m THEN counted.s1 ELSE (CAST(counted.s1 AS INT128) * counted.n + CASE WHEN counted.s1 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END END AS s1
FROM counted
WHERE ("counted"."k0" IN ('a', 'b', 'c')))
SELECT k0, SUM(n) AS n, SUM(s1) AS s1
FROM kept
GROUP BY k0
==
# case: visits/by-ward-and-day
SELECT ward, day, COUNT(*) AS n FROM visits GROUP BY ward, day
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=15  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: 3 values; day: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#2 = ward, day#2 = day: count = count(*)
--       scan visits (pid, ward, day)
==
# case: visits/average-by-day
SELECT day, AVG(cost) AS a FROM visits GROUP BY day ORDER BY day
-- accept
-- sensitivity: sum(cost + 20)  l0=4 l1=480 l2=480 linf=480 groups=5  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; summed around -20, the least; groups: day: 5 values; a unit can be in several; a row adds 120 to sum(cost + 20) and sum(cost - 100) together)
-- sensitivity: sum(cost - 100)  l0=4 l1=480 l2=480 linf=480 groups=5  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; summed around 100, the greatest; groups: day: 5 values; a unit can be in several; a row adds 120 to sum(cost + 20) and sum(cost - 100) together)
-- plan:
--   r1:
--     aggregate by day#2 = day: avg = avg(cost)
--       scan visits (pid, day, cost)
--   answer:
--     sort day#3 asc nulls last
--       project day#3 = day#2, a = avg
--         released r1 (day#2, avg)
==
# case: visits/dose
SELECT ward, AVG(dose) AS a, SUM(dose) AS s FROM visits GROUP BY ward
-- accept
-- sensitivity: sum(dose - 0.1)  l0=3 l1=2.40000000001 l2=2.40000000001 linf=2.40000000001 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); dose in [0.1, 0.7], clamped; summed around 0.1, the least; groups: ward: 3 values; a unit can be in several; a row adds 0.6 to sum(dose - 0.1) and sum(dose - 0.7) together)
-- sensitivity: sum(dose - 0.7)  l0=3 l1=2.40000000001 l2=2.40000000001 linf=2.40000000001 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); dose in [0.1, 0.7], clamped; summed around 0.7, the greatest; groups: ward: 3 values; a unit can be in several; a row adds 0.6 to sum(dose - 0.1) and sum(dose - 0.7) together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: avg = avg(dose), sum = sum(dose)
--       scan visits (pid, ward, dose)
==
# case: visits/public-ward
SELECT w.site, SUM(v.cost) AS s FROM visits v JOIN wards w ON v.ward = w.ward GROUP BY w.site
-- accept
-- sensitivity: s  l0=4 l1=400 l2=400 linf=400 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; groups: site: from the public wards; a unit can be in several)
-- plan:
--   r1:
--     aggregate by site#2 = site: sum = sum(cost)
--       filter in(ward#2, 'a', 'b', 'c')
--         join inner on (ward = ward#2)
--           scan visits (pid, ward, cost)
--           scan wards (ward#2, site)
==
# case: visits/one-ward
SELECT ward, SUM(cost) AS s FROM visits WHERE ward = 'a' GROUP BY ward
-- accept
-- sensitivity: s  l0=1 l1=400 l2=400 linf=400 groups=1  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; groups: ward: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: sum = sum(cost)
--       filter (ward = 'a')
--         scan visits (pid, ward, cost)
==
# case: visits/filtered
SELECT SUM(cost) AS s FROM visits WHERE cost > 0 AND day >= '2024-03-01'
-- accept
-- sensitivity: s  l0=1 l1=400 l2=400 linf=400 groups=1  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [1, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cost)
--       filter ((cost > 0) AND (day >= 2024-03-01))
--         scan visits (pid, day, cost)
==
# case: visits/same-person
SELECT COUNT(*) AS n FROM visits a JOIN visits b ON a.pid = b.pid AND a.day < b.day
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((pid = pid#2) AND (day < day#2))
--         filter (number_up_to_4 <= 4)
--           project pid, day, number_up_to_4 = row_number
--             window row_number = row_number() over (partition pid; order pid asc nulls last, day asc nulls last)
--               filter coalesce((strlen(pid) <= 40000), true)
--                 scan visits (pid, day)
--         filter (number_up_to_4#2 <= 4)
--           project pid#2, day#2, number_up_to_4#2 = row_number#2
--             window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, day#2 asc nulls last)
--               filter coalesce((strlen(pid#2) <= 40000), true)
--                 scan visits (pid#2, day#2)
==
# policy: visits verified
# case: visits/verified-by-ward
SELECT ward, COUNT(*) AS n, SUM(cost) AS s FROM visits GROUP BY ward
-- accept
-- sensitivity: rows with cost near -20  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, proven (4 rows of visits per pid); cost in [-20, 100], proven; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with cost near 100  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, proven (4 rows of visits per pid); cost in [-20, 100], proven; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: count = count(*), sum = sum(cost)
--       scan visits (pid, ward, cost)
-- sql:
SELECT "t1"."ward" AS "k0", COUNT(*) AS "n", SUM((CAST(100 AS BIGINT) - COALESCE(CAST("t1"."cost" AS BIGINT), CAST(0 AS BIGINT)))) AS "s1"
FROM "main"."visits" AS "t1"
GROUP BY "t1"."ward"
==
# case: visits/verified-average
SELECT day, AVG(dose) AS a FROM visits GROUP BY day
-- accept
-- sensitivity: sum(dose - 0.1)  l0=4 l1=2.40000000001 l2=2.40000000001 linf=2.40000000001 groups=5  (rows per unit 4, proven (4 rows of visits per pid); dose in [0.1, 0.7], proven; summed around 0.1, the least; groups: day: 5 values; a unit can be in several; a row adds 0.6 to sum(dose - 0.1) and sum(dose - 0.7) together)
-- sensitivity: sum(dose - 0.7)  l0=4 l1=2.40000000001 l2=2.40000000001 linf=2.40000000001 groups=5  (rows per unit 4, proven (4 rows of visits per pid); dose in [0.1, 0.7], proven; summed around 0.7, the greatest; groups: day: 5 values; a unit can be in several; a row adds 0.6 to sum(dose - 0.1) and sum(dose - 0.7) together)
-- plan:
--   r1:
--     aggregate by day#2 = day: avg = avg(dose)
--       scan visits (pid, day, dose)
==
# case: visits/by-a-whole-number-of-both-signs
# note: 1 / cost is between -1 and 1 for every cost but 0, by which a quotient is NULL
SELECT SUM(dose / cost) AS s FROM visits
-- accept
-- sensitivity: s  l0=1 l1=2.8 l2=2.8 linf=2.8 groups=1  (rows per unit 4, proven (4 rows of visits per pid); dose / cost in [-0.7, 0.7], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(div(dose, coerce(cost)))
--       scan visits (pid, cost, dose)
