# about: A unit that is a row: no column names it
# policy: people_rows
# case: row_unit/count
SELECT COUNT(*) AS n FROM people
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (each row of people is a unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan people ()
-- sql:
SELECT COUNT(*) AS "n"
FROM "main"."people" AS "t1"
==
# case: row_unit/sum
SELECT SUM(income) AS s FROM people
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=1  (rows per unit 1, proven (each row of people is a unit); income in [-100, 1000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(income)
--       scan people (income)
-- sql:
SELECT COUNT(*) AS "n", SUM((CASE WHEN ("t1"."income" < (-100)) THEN (-100) WHEN ("t1"."income" > 1000) THEN 1000 ELSE "t1"."income" END)) AS "s0"
FROM "main"."people" AS "t1"
==
# case: row_unit/average
SELECT AVG(height) AS a FROM people
-- accept
-- sensitivity: sum(height - 0.3)  l0=1 l1=2.4 l2=2.4 linf=2.4 groups=1  (rows per unit 1, proven (each row of people is a unit); height in [0.3, 2.7], clamped; summed around 0.3, the least; a row adds 2.4 to sum(height - 0.3) and sum(height - 2.7) together)
-- sensitivity: sum(height - 2.7)  l0=1 l1=2.4 l2=2.4 linf=2.4 groups=1  (rows per unit 1, proven (each row of people is a unit); height in [0.3, 2.7], clamped; summed around 2.7, the greatest; a row adds 2.4 to sum(height - 0.3) and sum(height - 2.7) together)
-- plan:
--   r1:
--     aggregate: avg = avg(height)
--       scan people (height)
==
# case: row_unit/by-sex
SELECT sex, AVG(income) AS a, SUM(height) AS h FROM people GROUP BY sex
-- accept
-- sensitivity: sum(income + 100)  l0=1 l1=1100 l2=1100 linf=1100 groups=2  (rows per unit 1, proven (each row of people is a unit); income in [-100, 1000], clamped; summed around -100, the least; groups: sex: 2 values; a unit is in one group; a row adds 1100 to sum(income + 100) and sum(income - 1000) together)
-- sensitivity: sum(income - 1000)  l0=1 l1=1100 l2=1100 linf=1100 groups=2  (rows per unit 1, proven (each row of people is a unit); income in [-100, 1000], clamped; summed around 1000, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 1100 to sum(income + 100) and sum(income - 1000) together)
-- sensitivity: h  l0=1 l1=2.7 l2=2.7 linf=2.7 groups=2  (rows per unit 1, proven (each row of people is a unit); height in [0.3, 2.7], clamped; groups: sex: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: avg = avg(income), sum = sum(height)
--       scan people (sex, income, height)
==
# case: row_unit/by-city
SELECT c.name, COUNT(*) AS n FROM people p JOIN cities c ON p.city = c.id GROUP BY c.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (each row of people is a unit); groups: name: from the public cities; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (city = id)
--         scan people (city)
--         scan cities (id, name)
-- sql:
SELECT "t2"."name" AS "k0", COUNT(*) AS "n"
FROM "main"."people" AS "t1"
CROSS
JOIN "main"."cities" AS "t2"
WHERE ("t1"."city" = "t2"."id")
GROUP BY "t2"."name"
==
# case: row_unit/self-join
SELECT COUNT(*) AS n FROM people a JOIN people b ON a.sex = b.sex
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: one side has no column that leads to the unit: have its subquery pass one on, if it can
==
# case: row_unit/rows
SELECT * FROM people
-- reject DP401  the query returns rows of individuals
--     ^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# policy: people_rows verified
# case: row_unit/verified-sum
SELECT sex, SUM(income) AS s FROM people GROUP BY sex
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=2  (rows per unit 1, proven (each row of people is a unit); income in [-100, 1000], proven; groups: sex: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: sum = sum(income)
--       scan people (sex, income)
-- sql:
SELECT "t1"."sex" AS "k0", COUNT(*) AS "n", SUM("t1"."income") AS "s0"
FROM "main"."people" AS "t1"
WHERE ("t1"."sex" IN ('F', 'M'))
GROUP BY "t1"."sex"
