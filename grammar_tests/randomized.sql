# about: Columns of randomized answers: COUNT, SUM, AVG and GROUP BY are debiased; other uses are rejected
# policy: survey
# case: randomized/count-where
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   answer:
--     project n = count#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/count-where-not
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE NOT smokes AND age > 30
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       filter (age > 30)
--         scan people (id, age, smokes)
--   answer:
--     project n = count#3
--       project count#3 = div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/count-filter
# differs: the answers are debiased
SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE smokes) AS s FROM people
-- accept
-- sensitivity: rows with smokes  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- sensitivity: rows with NOT smokes  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- sensitivity: rows without smokes and without NOT smokes  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL)), count#3 = count(*)
--       scan people (id, smokes)
--   answer:
--     project n = count#4, s = count#5
--       project count#4 = count#3, count#5 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2, count#3)
==
# case: randomized/count-if
# differs: the answers are debiased
SELECT sex, COUNT_IF(smokes) AS s FROM people GROUP BY sex
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, sex, smokes)
--   answer:
--     project sex#3 = sex#2, s = count#3
--       project sex#2, count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (sex#2, count, count#2)
==
# case: randomized/is-true
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE drinks IS TRUE
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(drinks then 1; else NULL)), count#2 = count(case(not(drinks) then 1; else NULL))
--       scan people (id, drinks)
--   answer:
--     project n = count#3
--       project count#3 = div(((19 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 16)
--         released r1 (count, count#2)
==
# case: randomized/equals-true
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE drinks = TRUE
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(drinks then 1; else NULL)), count#2 = count(case(not(drinks) then 1; else NULL))
--       scan people (id, drinks)
--   answer:
--     project n = count#3
--       project count#3 = div(((19 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 16)
--         released r1 (count, count#2)
==
# case: randomized/is-null
SELECT COUNT(*) AS n FROM people WHERE drinks IS NULL
-- accept
-- sensitivity: count(CASE WHEN (drinks IS NULL) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(is_null(drinks) then 1; else NULL))
--       scan people (id, drinks)
--   answer:
--     project n = count#2
--       project count#2 = coalesce(coerce(count), 0)
--         released r1 (count)
==
# case: randomized/average
# differs: the answers are debiased
SELECT AVG(CAST(smokes AS INTEGER)) AS share FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   answer:
--     project share = avg
--       project avg = div(div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2), nullif((coalesce(coerce(count), 0) + coalesce(coerce(count#2), 0)), 0))
--         released r1 (count, count#2)
==
# case: randomized/average-case
# differs: the answers are debiased
SELECT AVG(CASE WHEN drinks THEN 1 ELSE 0 END) AS share FROM people
-- accept
-- sensitivity: rows with drinks  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- sensitivity: rows with NOT drinks  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- sensitivity: rows without drinks and without NOT drinks  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(case(drinks then 1; else NULL)), count#2 = count(case(not(drinks) then 1; else NULL)), count#3 = count(1)
--       scan people (id, drinks)
--   answer:
--     project share = avg
--       project avg = div(div(((19 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 16), nullif(coerce(count#3), 0))
--         released r1 (count, count#2, count#3)
==
# case: randomized/average-where
# differs: the answers are debiased
SELECT AVG(age) AS mean FROM people WHERE smokes
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- plan:
--   r1:
--     aggregate: sum = sum(case(smokes then age; else NULL)), sum#2 = sum(case(not(smokes) then age; else NULL)), count = count(case(smokes then age; else NULL)), count#2 = count(case(not(smokes) then age; else NULL))
--       scan people (id, age, smokes)
--   answer:
--     project mean = avg
--       project avg = div(div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2), nullif(div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2), 0))
--         released r1 (sum, sum#2, count, count#2)
==
# case: randomized/average-filter
# differs: the answers are debiased
SELECT sex, AVG(age) FILTER (WHERE NOT smokes) AS mean FROM people GROUP BY sex
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: sum = sum(case(smokes then age; else NULL)), sum#2 = sum(case(not(smokes) then age; else NULL)), count = count(case(smokes then age; else NULL)), count#2 = count(case(not(smokes) then age; else NULL))
--       scan people (id, sex, age, smokes)
--   answer:
--     project sex#3 = sex#2, mean = avg
--       project sex#2, avg = div(div(((-1 * coalesce(coerce(sum), 0)) + (3 * coalesce(coerce(sum#2), 0))), 2), nullif(div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2), 0))
--         released r1 (sex#2, sum, sum#2, count, count#2)
==
# case: randomized/sum-where
# differs: the answers are debiased
SELECT SUM(age) AS total FROM people WHERE smokes
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(smokes then age; else NULL)), sum#2 = sum(case(not(smokes) then age; else NULL))
--       scan people (id, age, smokes)
--   answer:
--     project total = sum#3
--       project sum#3 = div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2)
--         released r1 (sum, sum#2)
==
# case: randomized/sum-cast
# differs: the answers are debiased
SELECT SUM(CAST(smokes AS INTEGER)) AS n FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   answer:
--     project n = sum
--       project sum = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/sum-case
# differs: the answers are debiased
SELECT SUM(CASE WHEN smokes THEN age ELSE 1 END) AS total FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(smokes then age; else NULL)), count = count(case(smokes then 1; else NULL)), sum#2 = sum(case(not(smokes) then age; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, age, smokes)
--   answer:
--     project total = sum#3
--       project sum#3 = div(((((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(count), 0))) + (-1 * coalesce(coerce(sum#2), 0))) + (3 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (sum, count, sum#2, count#2)
==
# case: randomized/count-column
SELECT COUNT(drinks) AS n FROM people
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(drinks then 1; else NULL)), count#2 = count(case(not(drinks) then 1; else NULL))
--       scan people (id, drinks)
--   answer:
--     project n = count#3
--       project count#3 = (coalesce(coerce(count), 0) + coalesce(coerce(count#2), 0))
--         released r1 (count, count#2)
==
# case: randomized/with-another-column
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes = member
-- accept
-- sensitivity: count(CASE WHEN (smokes AND (TRUE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (FALSE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (TRUE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (FALSE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case((smokes AND (true = member)) then 1; else NULL)), count#2 = count(case((smokes AND (false = member)) then 1; else NULL)), count#3 = count(case((not(smokes) AND (true = member)) then 1; else NULL)), count#4 = count(case((not(smokes) AND (false = member)) then 1; else NULL))
--       scan people (id, member, smokes)
--   answer:
--     project n = count#5
--       project count#5 = div(((((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))) + (-1 * coalesce(coerce(count#3), 0))) + (3 * coalesce(coerce(count#4), 0))), 2)
--         released r1 (count, count#2, count#3, count#4)
==
# case: randomized/or
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes OR member
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND member) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND member) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case((smokes AND member) then 1; else NULL)), count#3 = count(case(not(smokes) then 1; else NULL)), count#4 = count(case((not(smokes) AND member) then 1; else NULL))
--       scan people (id, member, smokes)
--   answer:
--     project n = count#5
--       project count#5 = div(((((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))) + (-1 * coalesce(coerce(count#3), 0))) + (3 * coalesce(coerce(count#4), 0))), 2)
--         released r1 (count, count#2, count#3, count#4)
==
# case: randomized/two-columns
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes AND drinks
-- accept
-- sensitivity: count(CASE WHEN (smokes AND drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (NOT drinks)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (NOT drinks)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case((smokes AND drinks) then 1; else NULL)), count#2 = count(case((smokes AND not(drinks)) then 1; else NULL)), count#3 = count(case((not(smokes) AND drinks) then 1; else NULL)), count#4 = count(case((not(smokes) AND not(drinks)) then 1; else NULL))
--       scan people (id, smokes, drinks)
--   answer:
--     project n = count#5
--       project count#5 = div(((((57 * coalesce(coerce(count), 0)) + (-3 * coalesce(coerce(count#2), 0))) + (-19 * coalesce(coerce(count#3), 0))) + coalesce(coerce(count#4), 0)), 32)
--         released r1 (count, count#2, count#3, count#4)
==
# case: randomized/two-columns-equal
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes = steals
-- accept
-- sensitivity: count(CASE WHEN (steals AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (steals AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case((steals AND smokes) then 1; else NULL)), count#2 = count(case((steals AND not(smokes)) then 1; else NULL)), count#3 = count(case((not(steals) AND smokes) then 1; else NULL)), count#4 = count(case((not(steals) AND not(smokes)) then 1; else NULL))
--       scan people (id, smokes, steals)
--   answer:
--     project n = count#5
--       project count#5 = div(((((5 * coalesce(coerce(count), 0)) + (-3 * coalesce(coerce(count#2), 0))) + (-3 * coalesce(coerce(count#3), 0))) + (5 * coalesce(coerce(count#4), 0))), 2)
--         released r1 (count, count#2, count#3, count#4)
==
# case: randomized/group-by
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n, AVG(age) AS mean FROM people GROUP BY smokes
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL)), sum = sum(case(smokes then age; else NULL)), sum#2 = sum(case(not(smokes) then age; else NULL)), count#3 = count(case(smokes then age; else NULL)), count#4 = count(case(not(smokes) then age; else NULL))
--       scan people (id, age, smokes)
--   answer:
--     project smokes#3 = smokes#2, n = count#5, mean = avg
--       project smokes#2 = case((answer#3 = 0) then true; else false), count#5 = case((answer#3 = 0) then div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2); else div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2)), avg = case((answer#3 = 0) then div(div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2), nullif(div(((3 * coalesce(coerce(count#3), 0)) + (-1 * coalesce(coerce(count#4), 0))), 2), 0)); else div(div(((-1 * coalesce(coerce(sum), 0)) + (3 * coalesce(coerce(sum#2), 0))), 2), nullif(div(((-1 * coalesce(coerce(count#3), 0)) + (3 * coalesce(coerce(count#4), 0))), 2), 0)))
--         join inner on true
--           released r1 (count, count#2, sum, sum#2, count#3, count#4)
--           union (answer#3)
--             project answer = 0
--               one row
--             project answer#2 = 1
--               one row
==
# case: randomized/group-by-null
# differs: the answers are debiased
SELECT drinks, COUNT(*) AS n FROM people GROUP BY drinks
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (drinks IS NULL) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(drinks then 1; else NULL)), count#2 = count(case(not(drinks) then 1; else NULL)), count#3 = count(case(is_null(drinks) then 1; else NULL))
--       scan people (id, drinks)
--   answer:
--     project drinks#3 = drinks#2, n = count#4
--       project drinks#2 = case((answer#4 = 0) then true; (answer#4 = 1) then false; else NULL), count#4 = case((answer#4 = 0) then div(((19 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 16); (answer#4 = 1) then div(((-3 * coalesce(coerce(count), 0)) + (17 * coalesce(coerce(count#2), 0))), 16); else coalesce(coerce(count#3), 0))
--         join inner on true
--           released r1 (count, count#2, count#3)
--           union (answer#4)
--             project answer = 0
--               one row
--             project answer#2 = 1
--               one row
--             project answer#3 = 2
--               one row
==
# case: randomized/group-by-and-another
# differs: the answers are debiased
SELECT sex, smokes, COUNT(*) AS n FROM people GROUP BY sex, smokes ORDER BY n DESC
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, sex, smokes)
--   answer:
--     sort n desc nulls last
--       project sex#3 = sex#2, smokes#3 = smokes#2, n = count#3
--         project sex#2, smokes#2 = case((answer#3 = 0) then true; else false), count#3 = case((answer#3 = 0) then div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2); else div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2))
--           join inner on true
--             released r1 (sex#2, count, count#2)
--             union (answer#3)
--               project answer = 0
--                 one row
--               project answer#2 = 1
--                 one row
==
# case: randomized/group-by-two
# differs: the answers are debiased
SELECT smokes, drinks, COUNT(*) AS n FROM people GROUP BY smokes, drinks
-- accept
-- sensitivity: count(CASE WHEN (smokes AND drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (NOT drinks)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (NOT drinks)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (drinks IS NULL)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (drinks IS NULL)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case((smokes AND drinks) then 1; else NULL)), count#2 = count(case((smokes AND not(drinks)) then 1; else NULL)), count#3 = count(case((not(smokes) AND drinks) then 1; else NULL)), count#4 = count(case((not(smokes) AND not(drinks)) then 1; else NULL)), count#5 = count(case((smokes AND is_null(drinks)) then 1; else NULL)), count#6 = count(case((not(smokes) AND is_null(drinks)) then 1; else NULL))
--       scan people (id, smokes, drinks)
--   answer:
--     project smokes#3 = smokes#2, drinks#3 = drinks#2, n = count#7
--       project smokes#2 = case((answer#7 = 0) then true; (answer#7 = 1) then true; (answer#7 = 2) then false; (answer#7 = 3) then false; (answer#7 = 4) then true; else false), drinks#2 = case((answer#7 = 0) then true; (answer#7 = 1) then false; (answer#7 = 2) then true; (answer#7 = 3) then false; (answer#7 = 4) then NULL; else NULL), count#7 = case((answer#7 = 0) then div(((((57 * coalesce(coerce(count), 0)) + (-3 * coalesce(coerce(count#2), 0))) + (-19 * coalesce(coerce(count#3), 0))) + coalesce(coerce(count#4), 0)), 32); (answer#7 = 1) then div(((((-9 * coalesce(coerce(count), 0)) + (51 * coalesce(coerce(count#2), 0))) + (3 * coalesce(coerce(count#3), 0))) + (-17 * coalesce(coerce(count#4), 0))), 32); (answer#7 = 2) then div(((((-19 * coalesce(coerce(count), 0)) + coalesce(coerce(count#2), 0)) + (57 * coalesce(coerce(count#3), 0))) + (-3 * coalesce(coerce(count#4), 0))), 32); (answer#7 = 3) then div(((((3 * coalesce(coerce(count), 0)) + (-17 * coalesce(coerce(count#2), 0))) + (-9 * coalesce(coerce(count#3), 0))) + (51 * coalesce(coerce(count#4), 0))), 32); (answer#7 = 4) then div(((3 * coalesce(coerce(count#5), 0)) + (-1 * coalesce(coerce(count#6), 0))), 2); else div(((-1 * coalesce(coerce(count#5), 0)) + (3 * coalesce(coerce(count#6), 0))), 2))
--         join inner on true
--           released r1 (count, count#2, count#3, count#4, count#5, count#6)
--           union (answer#7)
--             project answer = 0
--               one row
--             project answer#2 = 1
--               one row
--             project answer#3 = 2
--               one row
--             project answer#4 = 3
--               one row
--             project answer#5 = 4
--               one row
--             project answer#6 = 5
--               one row
==
# case: randomized/group-by-case
# differs: the answers are debiased
SELECT CASE WHEN smokes THEN 'yes' ELSE 'no' END AS s, COUNT(*) AS n FROM people GROUP BY 1
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   answer:
--     project s = key, n = count#3
--       project key = case((answer#3 = 0) then 'yes'; else 'no'), count#3 = case((answer#3 = 0) then div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2); else div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2))
--         join inner on true
--           released r1 (count, count#2)
--           union (answer#3)
--             project answer = 0
--               one row
--             project answer#2 = 1
--               one row
==
# case: randomized/group-by-where
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n FROM people WHERE steals GROUP BY smokes
-- accept
-- sensitivity: count(CASE WHEN (steals AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (steals AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case((steals AND smokes) then 1; else NULL)), count#2 = count(case((steals AND not(smokes)) then 1; else NULL)), count#3 = count(case((not(steals) AND smokes) then 1; else NULL)), count#4 = count(case((not(steals) AND not(smokes)) then 1; else NULL))
--       scan people (id, smokes, steals)
--   answer:
--     project smokes#3 = smokes#2, n = count#5
--       project smokes#2 = case((answer#3 = 0) then true; else false), count#5 = case((answer#3 = 0) then div(((((9 * coalesce(coerce(count), 0)) + (-3 * coalesce(coerce(count#2), 0))) + (-3 * coalesce(coerce(count#3), 0))) + coalesce(coerce(count#4), 0)), 4); else div(((((-3 * coalesce(coerce(count), 0)) + (9 * coalesce(coerce(count#2), 0))) + coalesce(coerce(count#3), 0)) + (-3 * coalesce(coerce(count#4), 0))), 4))
--         join inner on true
--           released r1 (count, count#2, count#3, count#4)
--           union (answer#3)
--             project answer = 0
--               one row
--             project answer#2 = 1
--               one row
==
# case: randomized/having
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n FROM people GROUP BY smokes HAVING COUNT(*) > 5
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   answer:
--     project smokes#3 = smokes#2, n = count#3
--       filter (count#3 > 5)
--         project smokes#2 = case((answer#3 = 0) then true; else false), count#3 = case((answer#3 = 0) then div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2); else div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2))
--           join inner on true
--             released r1 (count, count#2)
--             union (answer#3)
--               project answer = 0
--                 one row
--               project answer#2 = 1
--                 one row
==
# case: randomized/rollup
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n FROM people GROUP BY ROLLUP (smokes)
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   answer:
--     project smokes#10 = smokes#9, n = count#15
--       union (smokes#9, count#15)
--         project smokes#4 = smokes#3, count#5 = count#4
--           project smokes#3 = smokes#2, count#4 = count#3
--             project smokes#2 = case((answer#3 = 0) then true; else false), count#3 = case((answer#3 = 0) then div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2); else div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2))
--               join inner on true
--                 released r1 (count, count#2)
--                 union (answer#3)
--                   project answer = 0
--                     one row
--                   project answer#2 = 1
--                     one row
--         project smokes#8 = smokes#7, count#14 = coerce(count#13)
--           project smokes#7 = NULL, count#13 = count#12
--             project count#12 = count#11
--               project count#11 = coalesce(coerce(inside(count#10, -9223372036854777856, 9223372036854775808)), 0)
--                 aggregate: count#10 = sum(count#9)
--                   project smokes#6 = smokes#5, count#9 = count#8
--                     project smokes#5 = case((answer#6 = 0) then true; else false), count#8 = case((answer#6 = 0) then div(((3 * coalesce(coerce(count#6), 0)) + (-1 * coalesce(coerce(count#7), 0))), 2); else div(((-1 * coalesce(coerce(count#6), 0)) + (3 * coalesce(coerce(count#7), 0))), 2))
--                       join inner on true
--                         released r1 (count#6, count#7)
--                         union (answer#6)
--                           project answer#4 = 0
--                             one row
--                           project answer#5 = 1
--                             one row
==
# case: randomized/one-sided
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE cheats
-- accept
-- sensitivity: count(CASE WHEN cheats THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT cheats) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(cheats then 1; else NULL)), count#2 = count(case(not(cheats) then 1; else NULL))
--       scan people (id, cheats)
--   answer:
--     project n = count#3
--       project count#3 = (coalesce(coerce(count), 0) + (-3 * coalesce(coerce(count#2), 0)))
--         released r1 (count, count#2)
==
# case: randomized/share
# differs: the answers are debiased
SELECT COUNT_IF(smokes) / COUNT(*) AS share FROM people
-- accept
-- sensitivity: rows with smokes  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- sensitivity: rows with NOT smokes  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- sensitivity: rows without smokes and without NOT smokes  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL)), count#3 = count(*)
--       scan people (id, smokes)
--   answer:
--     project share = div(coerce(count#4), coerce(nullif(count#5, 0)))
--       project count#4 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2), count#5 = count#3
--         released r1 (count, count#2, count#3)
==
# case: randomized/subquery
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM (SELECT smokes AS s, age AS a FROM people WHERE member) AS t WHERE s AND a < 50
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       filter (member AND (age < 50))
--         scan people (id, age, member, smokes)
--   answer:
--     project n = count#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/with
# differs: the answers are debiased
WITH t AS (SELECT * FROM people WHERE smokes) SELECT COUNT(*) AS n FROM t WHERE age > 40
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       filter (age > 40)
--         scan people (id, age, smokes)
--   answer:
--     project n = count#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/with-twice
# differs: the answers are debiased
WITH t AS (SELECT * FROM people WHERE smokes) SELECT (SELECT COUNT(*) FROM t) AS n, (SELECT SUM(age) FROM t) AS s
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       scan people (id, smokes)
--   r2:
--     aggregate: sum = sum(case(smokes#2 then age; else NULL)), sum#2 = sum(case(not(smokes#2) then age; else NULL))
--       scan people (id#2, age, smokes#2)
--   answer:
--     project n = count(*)#2, s = sum(age)#2
--       project count(*)#2, sum(age)#2 = sum(age)
--         join inner on true
--           project count(*)#2 = count(*)
--             join inner on true
--               one row
--               project count(*) = count#3
--                 project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--                   released r1 (count, count#2)
--           project sum(age) = sum#3
--             project sum#3 = div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2)
--               released r2 (sum, sum#2)
==
# case: randomized/join
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM visits v JOIN people p ON v.person = p.id WHERE p.smokes AND v.pain
-- accept
-- sensitivity: count(CASE WHEN (smokes AND pain) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (NOT pain)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND pain) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (NOT pain)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case((smokes AND pain) then 1; else NULL)), count#2 = count(case((smokes AND not(pain)) then 1; else NULL)), count#3 = count(case((not(smokes) AND pain) then 1; else NULL)), count#4 = count(case((not(smokes) AND not(pain)) then 1; else NULL))
--       join inner on (person = id)
--         scan visits (person, pain)
--         scan people (id, smokes)
--   answer:
--     project n = count#5
--       project count#5 = div(((((9 * coalesce(coerce(count), 0)) + (-3 * coalesce(coerce(count#2), 0))) + (-3 * coalesce(coerce(count#3), 0))) + coalesce(coerce(count#4), 0)), 4)
--         released r1 (count, count#2, count#3, count#4)
==
# case: randomized/sum-join
# differs: the answers are debiased
SELECT SUM(cost) AS total FROM visits v JOIN people p ON v.person = p.id WHERE p.smokes
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people); CASE WHEN smokes THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people); CASE WHEN (NOT smokes) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(smokes then cost; else NULL)), sum#2 = sum(case(not(smokes) then cost; else NULL))
--       join inner on (person = id)
--         scan visits (person, cost)
--         scan people (id, smokes)
--   answer:
--     project total = sum#3
--       project sum#3 = div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2)
--         released r1 (sum, sum#2)
==
# case: randomized/several-rows
# differs: the answers are debiased
SELECT COUNT(*) AS n, SUM(cost) AS total FROM visits WHERE pain
-- accept
-- sensitivity: count(CASE WHEN pain THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person))
-- sensitivity: count(CASE WHEN (NOT pain) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person))
-- sensitivity: sum(CASE WHEN pain THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person); CASE WHEN pain THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
-- sensitivity: sum(CASE WHEN (NOT pain) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person); CASE WHEN (NOT pain) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: count = count(case(pain then 1; else NULL)), count#2 = count(case(not(pain) then 1; else NULL)), sum = sum(case(pain then cost; else NULL)), sum#2 = sum(case(not(pain) then cost; else NULL))
--       scan visits (person, pain, cost)
--   answer:
--     project n = count#3, total = sum#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2), sum#3 = div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2)
--         released r1 (count, count#2, sum, sum#2)
==
# case: randomized/unused
SELECT COUNT(*) AS n, AVG(age) AS mean FROM people
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without age  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(age)
--       scan people (id, age)
==
# case: randomized/exists-of-another
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people p WHERE p.smokes AND EXISTS (SELECT 1 FROM visits v WHERE v.person = p.id AND v.cost > 50)
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       filter found
--         join mark found on (person = id)
--           scan people (id, smokes)
--           filter (cost > 50)
--             scan visits (person, cost)
--   answer:
--     project n = count#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/left-join
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people p LEFT JOIN visits v ON v.person = p.id WHERE p.smokes
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (id is the key of people; 2 rows of visits per person))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (id is the key of people; 2 rows of visits per person))
-- plan:
--   r1:
--     aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--       join left on (person = id)
--         scan people (id, smokes)
--         scan visits (person)
--   answer:
--     project n = count#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         released r1 (count, count#2)
==
# case: randomized/released-twice
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE age > (SELECT AVG(age) FROM people WHERE smokes)
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: sum = sum(case(smokes then age; else NULL)), sum#2 = sum(case(not(smokes) then age; else NULL)), count = count(case(smokes then age; else NULL)), count#2 = count(case(not(smokes) then age; else NULL))
--       scan people (id, age, smokes)
--   f1:
--     project avg(age) = avg
--       project avg = div(div(((3 * coalesce(coerce(sum), 0)) + (-1 * coalesce(coerce(sum#2), 0))), 2), nullif(div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2), 0))
--         released r1 (sum, sum#2, count, count#2)
--   r2:
--     aggregate: count#3 = count(*)
--       join inner on (coerce(age#2) > avg(age))
--         scan people (id#2, age#2)
--         released f1 (avg(age))
==
# case: randomized/public
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM earlier WHERE smokes
-- accept
-- plan:
--   answer:
--     project n = count#3
--       project count#3 = div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2)
--         aggregate: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL))
--           scan earlier (sex, age, smokes)
==
# case: randomized/public-groups
# differs: the answers are debiased
SELECT sex, smokes, COUNT(*) AS n FROM earlier GROUP BY sex, smokes
-- accept
-- plan:
--   answer:
--     project sex#3 = sex#2, smokes#3 = smokes#2, n = count#4
--       project sex#2, smokes#2 = case((answer#4 = 0) then true; (answer#4 = 1) then false; else NULL), count#4 = case((answer#4 = 0) then div(((3 * coalesce(coerce(count), 0)) + (-1 * coalesce(coerce(count#2), 0))), 2); (answer#4 = 1) then div(((-1 * coalesce(coerce(count), 0)) + (3 * coalesce(coerce(count#2), 0))), 2); else coalesce(coerce(count#3), 0))
--         filter case((answer#4 = 0) then true; (answer#4 = 1) then true; else (coalesce(coerce(count#3), 0) > 0))
--           join inner on true
--             aggregate by sex#2 = sex: count = count(case(smokes then 1; else NULL)), count#2 = count(case(not(smokes) then 1; else NULL)), count#3 = count(case(is_null(smokes) then 1; else NULL))
--               scan earlier (sex, age, smokes)
--             union (answer#4)
--               project answer = 0
--                 one row
--               project answer#2 = 1
--                 one row
--               project answer#3 = 2
--                 one row
==
# case: randomized/public-unused
SELECT sex, COUNT(*) AS n FROM earlier GROUP BY sex
-- accept
-- plan:
--   answer:
--     project sex#3 = sex#2, n = count
--       aggregate by sex#2 = sex: count = count(*)
--         scan earlier (sex, age, smokes)
==
# case: randomized/output
SELECT id, smokes FROM people
-- reject DP406  smokes is a randomized answer
--         ^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/public-output
SELECT age, smokes FROM earlier
-- reject DP406  smokes is a randomized answer
--          ^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/public-star
SELECT * FROM earlier
-- reject DP406  smokes is a randomized answer
--     ^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/public-chosen
SELECT age FROM earlier WHERE smokes
-- reject DP406  rows would be chosen by a randomized answer, which is not the person's own
--                            ^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/order
SELECT age FROM earlier ORDER BY smokes
-- reject DP406  smokes is a randomized answer
--                               ^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/distinct
SELECT DISTINCT smokes FROM people
-- reject DP406  which randomized answers occur says nothing
--              ^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/count-distinct
SELECT COUNT(DISTINCT age) AS n FROM people WHERE smokes
-- reject DP406  COUNT of distinct values does not add up rows, so randomized answers cannot be debiased
--     ^^^^^^^^^^^^^^^^^^
-- help: use COUNT, SUM or AVG
==
# case: randomized/max
SELECT MAX(age) AS m FROM people WHERE smokes
-- reject DP406  MAX does not add up rows, so randomized answers cannot be debiased
--     ^^^^^^^
-- help: use COUNT, SUM or AVG
==
# case: randomized/min-of-it
SELECT MIN(CAST(smokes AS INTEGER)) AS m FROM people
-- reject DP406  MIN does not add up rows, so randomized answers cannot be debiased
--         ^^^^^^^^^^^
-- help: use COUNT, SUM or AVG
==
# case: randomized/bool-or
SELECT BOOL_OR(smokes) AS m FROM people
-- reject DP406  BOOL_OR does not add up rows, so randomized answers cannot be debiased
--     ^^^^^^^^^^^^^^
-- help: use COUNT, SUM or AVG
==
# case: randomized/join-key
SELECT COUNT(*) AS n FROM people p JOIN visits v ON v.person = p.id AND v.pain = p.smokes
-- reject DP406  smokes is a randomized answer
--                                                                               ^^^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/exists
SELECT COUNT(*) AS n FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.person = p.id AND v.pain)
-- reject DP406  rows would be chosen by a randomized answer, which is not the person's own
--                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/in
SELECT COUNT(*) AS n FROM people WHERE id IN (SELECT person FROM visits WHERE pain)
-- reject DP406  rows would be chosen by a randomized answer, which is not the person's own
--                                                                            ^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/per-unit
SELECT COUNT(*) AS n FROM (SELECT person, COUNT_IF(pain) AS k FROM visits GROUP BY person) AS t WHERE k > 0
-- reject DP406  randomized answers would be aggregated per unit first
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the rows themselves
==
# case: randomized/outer-join
SELECT COUNT(*) AS n FROM people p LEFT JOIN visits v ON v.person = p.id WHERE v.pain
-- reject DP406  pain is a randomized answer of other rows than these
--                                                                             ^^^^^^
-- help: aggregate its table itself: no UNION, outer join or query around between
==
# case: randomized/union
SELECT COUNT(*) AS n FROM (SELECT smokes FROM people UNION ALL SELECT steals FROM people) AS t WHERE smokes
-- reject DP406  steals is a randomized answer of other rows than these
--                                                                                                   ^^^^^^
-- help: aggregate its table itself: no UNION, outer join or query around between
==
# case: randomized/window
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY id ORDER BY smokes) AS r FROM people) AS t WHERE r = 1
-- reject DP406  smokes is a randomized answer
--                                                                            ^^^^^^
-- help: use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY
==
# case: randomized/limit
SELECT COUNT(*) AS n FROM (SELECT * FROM earlier LIMIT 5) AS t WHERE smokes
-- reject DP406  smokes is a randomized answer of other rows than these
--                                                                   ^^^^^^
-- help: aggregate its table itself: no UNION, outer join or query around between
==
# case: randomized/twice
SELECT COUNT(*) AS n FROM people a JOIN people b ON a.id = b.id WHERE a.smokes AND b.smokes
-- reject DP406  smokes is read twice: one row's answer has one coin
--                                                                                 ^^^^^^^^
-- help: use each randomized column once
==
# case: randomized/too-many
SELECT COUNT(*) AS n FROM people WHERE smokes AND drinks AND cheats AND steals
-- reject DP406  more than 3 randomized columns in one aggregate
--     ^^^^^^^
-- help: use fewer of them
==
# case: randomized/key-of-two
SELECT smokes AND member AS k, COUNT(*) AS n FROM people GROUP BY 1
-- reject DP406  a key of a randomized answer and another column
--     ^^^^^^^^^^^^^^^^^
-- help: group by each of them on its own
==
# case: randomized/scalar-subquery
SELECT COUNT(*) AS n FROM people p WHERE p.smokes = (SELECT v.smokes FROM people v WHERE v.id = p.id)
-- reject DP406  smokes is a randomized answer of other rows than these
--                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate its table itself: no UNION, outer join or query around between
