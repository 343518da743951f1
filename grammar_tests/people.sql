# about: A table of one row a person: counts, histograms, averages, pairs of persons
# policy: people
# case: people/count
SELECT COUNT(*) AS n FROM people
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan people (pid)
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."people" AS "t1"
==
# case: people/histogram
SELECT educ, COUNT(*) AS n FROM people GROUP BY educ
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=5  (rows per unit 1, proven (pid is the key of people); groups: educ: 5 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by educ#2 = educ: count = count(*)
--       scan people (pid, educ)
==
# case: people/average
SELECT AVG(income) AS a FROM people
-- accept
-- sensitivity: sum(income)  l0=1 l1=200000 l2=200000 linf=200000 groups=1  (rows per unit 1, proven (pid is the key of people); income in [0, 200000], clamped; summed around 0, the least; a row adds 200000 to sum(income) and sum(income - 200000) together)
-- sensitivity: sum(income - 200000)  l0=1 l1=200000 l2=200000 linf=200000 groups=1  (rows per unit 1, proven (pid is the key of people); income in [0, 200000], clamped; summed around 200000, the greatest; a row adds 200000 to sum(income) and sum(income - 200000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(income)
--       scan people (pid, income)
-- sql:
SELECT COUNT(*) AS "n", COUNT(CAST(ROUND(((CASE WHEN ISNAN("t1"."income") THEN NULL WHEN ("t1"."income" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."income" > CAST('200000.0' AS DOUBLE)) THEN CAST('200000.0' AS DOUBLE) ELSE "t1"."income" END) / CAST('2.384185791015625e-07' AS DOUBLE))) AS BIGINT)) AS "n0", SUM(CAST(ROUND(((CASE WHEN ISNAN("t1"."income") THEN NULL WHEN ("t1"."income" < CAST('0.0' AS DOUBLE)) THEN CAST('0.0' AS DOUBLE) WHEN ("t1"."income" > CAST('200000.0' AS DOUBLE)) THEN CAST('200000.0' AS DOUBLE) ELSE "t1"."income" END) / CAST('2.384185791015625e-07' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."people" AS "t1"
==
# case: people/census
SELECT sex, married, COUNT(*) AS n, AVG(income) AS a, SUM(income) AS s FROM people WHERE age >= 18 GROUP BY sex, married
-- accept
-- sensitivity: rows with income near 0  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (pid is the key of people); income in [0, 200000], clamped; groups: sex: 2 values; married: 2 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with income near 200000  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (pid is the key of people); income in [0, 200000], clamped; groups: sex: 2 values; married: 2 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows without income  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (pid is the key of people); groups: sex: 2 values; married: 2 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by sex#2 = sex, married#2 = married: count = count(*), avg = avg(income), sum = sum(income)
--       filter (age >= 18)
--         scan people (pid, sex, married, income, age)
==
# case: people/weight
SELECT SUM(weight) AS s, AVG(weight) AS a, COUNT(*) AS n FROM people
-- accept
-- sensitivity: sum(weight - 30)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 30, the least; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- sensitivity: sum(weight - 150)  l0=1 l1=120 l2=120 linf=120 groups=1  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 150, the greatest; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- plan:
--   r1:
--     aggregate: sum = sum(weight), avg = avg(weight), count = count(*)
--       scan people (pid, weight)
==
# case: people/self-join
SELECT COUNT(*) AS n FROM people a JOIN people b ON a.pid = b.pid WHERE a.age < b.weight
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((pid = pid#2) AND (coerce(age) < weight))
--         scan people (pid, age)
--         scan people (pid#2, weight)
==
# case: people/by-person
SELECT pid, SUM(income) AS s FROM people GROUP BY pid
-- reject DP404  pid leads to one unit: every group would be one individual
--                                                ^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: people/age-groups
SELECT age // 20 AS g, AVG(weight) AS w FROM people GROUP BY g HAVING COUNT(*) > 1 ORDER BY g
-- accept
-- sensitivity: sum(weight - 30)  l0=1 l1=120 l2=120 linf=120 groups=6  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 30, the least; groups: key: 6 values; a unit is in one group; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- sensitivity: sum(weight - 150)  l0=1 l1=120 l2=120 linf=120 groups=6  (rows per unit 1, proven (pid is the key of people); weight in [30, 150], clamped; summed around 150, the greatest; groups: key: 6 values; a unit is in one group; a row adds 120 to sum(weight - 30) and sum(weight - 150) together)
-- plan:
--   r1:
--     aggregate by key = intdiv(coerce(age), 20): count = count(*), avg = avg(weight)
--       scan people (pid, weight, age)
--   answer:
--     sort g asc nulls last
--       project g = key, w = avg
--         filter (count > 1)
--           released r1 (key, count, avg)
==
# policy: people verified
# case: people/verified-count
SELECT COUNT(*) AS n FROM people
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan people (pid)
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."people" AS "t1"
==
# case: people/verified-average
SELECT sex, AVG(income) AS a FROM people GROUP BY sex
-- accept
-- sensitivity: sum(income)  l0=1 l1=200000 l2=200000 linf=200000 groups=2  (rows per unit 1, proven (pid is the key of people); income in [0, 200000], proven; summed around 0, the least; groups: sex: 2 values; a unit is in one group; a row adds 200000 to sum(income) and sum(income - 200000) together)
-- sensitivity: sum(income - 200000)  l0=1 l1=200000 l2=200000 linf=200000 groups=2  (rows per unit 1, proven (pid is the key of people); income in [0, 200000], proven; summed around 200000, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 200000 to sum(income) and sum(income - 200000) together)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: avg = avg(income)
--       scan people (pid, sex, income)
-- sql:
SELECT "t1"."sex" AS "k0", COUNT(*) AS "n", COUNT(CAST(ROUND(("t1"."income" / CAST('2.384185791015625e-07' AS DOUBLE))) AS BIGINT)) AS "n0", SUM(CAST(ROUND(("t1"."income" / CAST('2.384185791015625e-07' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."people" AS "t1"
GROUP BY "t1"."sex"
