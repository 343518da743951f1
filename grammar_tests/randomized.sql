# about: Columns of randomized answers: COUNT, SUM, AVG and GROUP BY are debiased; other uses are rejected
# policy: survey
# case: randomized/count-where
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/count-where-not
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE NOT smokes AND age > 30
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/count-filter
# differs: the answers are debiased
SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE smokes) AS s FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/count-if
# differs: the answers are debiased
SELECT sex, COUNT_IF(smokes) AS s FROM people GROUP BY sex
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
==
# case: randomized/is-true
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE drinks IS TRUE
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/equals-true
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE drinks = TRUE
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/is-null
SELECT COUNT(*) AS n FROM people WHERE drinks IS NULL
-- accept
-- sensitivity: count(CASE WHEN (drinks IS NULL) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/average
# differs: the answers are debiased
SELECT AVG(CAST(smokes AS INTEGER)) AS share FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/average-case
# differs: the answers are debiased
SELECT AVG(CASE WHEN drinks THEN 1 ELSE 0 END) AS share FROM people
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/average-where
# differs: the answers are debiased
SELECT AVG(age) AS mean FROM people WHERE smokes
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
==
# case: randomized/average-filter
# differs: the answers are debiased
SELECT sex, AVG(age) FILTER (WHERE NOT smokes) AS mean FROM people GROUP BY sex
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 18, the least; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END - 99) together)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99)  l0=1 l1=81 l2=81 linf=81 groups=2  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped; summed around 99, the greatest; groups: sex: 2 values; a unit is in one group; a row adds 81 to sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 18) and sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END - 99) together)
==
# case: randomized/sum-where
# differs: the answers are debiased
SELECT SUM(age) AS total FROM people WHERE smokes
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
==
# case: randomized/sum-cast
# differs: the answers are debiased
SELECT SUM(CAST(smokes AS INTEGER)) AS n FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/sum-case
# differs: the answers are debiased
SELECT SUM(CASE WHEN smokes THEN age ELSE 1 END) AS total FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
==
# case: randomized/count-column
SELECT COUNT(drinks) AS n FROM people
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/with-another-column
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes = member
-- accept
-- sensitivity: count(CASE WHEN (smokes AND (TRUE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (FALSE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (TRUE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (FALSE = member)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/or
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes OR member
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND member) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND member) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/two-columns
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes AND drinks
-- accept
-- sensitivity: count(CASE WHEN (smokes AND drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (NOT drinks)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (NOT drinks)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/two-columns-equal
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE smokes = steals
-- accept
-- sensitivity: count(CASE WHEN (steals AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (steals AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
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
==
# case: randomized/group-by-null
# differs: the answers are debiased
SELECT drinks, COUNT(*) AS n FROM people GROUP BY drinks
-- accept
-- sensitivity: count(CASE WHEN drinks THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT drinks) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (drinks IS NULL) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/group-by-and-another
# differs: the answers are debiased
SELECT sex, smokes, COUNT(*) AS n FROM people GROUP BY sex, smokes ORDER BY n DESC
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: sex: 2 values; a unit is in one group)
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
==
# case: randomized/group-by-case
# differs: the answers are debiased
SELECT CASE WHEN smokes THEN 'yes' ELSE 'no' END AS s, COUNT(*) AS n FROM people GROUP BY 1
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/group-by-where
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n FROM people WHERE steals GROUP BY smokes
-- accept
-- sensitivity: count(CASE WHEN (steals AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (steals AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT steals) AND (NOT smokes)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/having
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n FROM people GROUP BY smokes HAVING COUNT(*) > 5
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/rollup
# differs: the answers are debiased
SELECT smokes, COUNT(*) AS n FROM people GROUP BY ROLLUP (smokes)
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/one-sided
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people WHERE cheats
-- accept
-- sensitivity: count(CASE WHEN cheats THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT cheats) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/share
# differs: the answers are debiased
SELECT COUNT_IF(smokes) / COUNT(*) AS share FROM people
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/subquery
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM (SELECT smokes AS s, age AS a FROM people WHERE member) AS t WHERE s AND a < 50
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/with
# differs: the answers are debiased
WITH t AS (SELECT * FROM people WHERE smokes) SELECT COUNT(*) AS n FROM t WHERE age > 40
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/with-twice
# differs: the answers are debiased
WITH t AS (SELECT * FROM people WHERE smokes) SELECT (SELECT COUNT(*) FROM t) AS n, (SELECT SUM(age) FROM t) AS s
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: sum(CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN smokes THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of people); CASE WHEN (NOT smokes) THEN age ELSE CAST(NULL AS INT) END in [18, 99], clamped)
==
# case: randomized/join
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM visits v JOIN people p ON v.person = p.id WHERE p.smokes AND v.pain
-- accept
-- sensitivity: count(CASE WHEN (smokes AND pain) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- sensitivity: count(CASE WHEN (smokes AND (NOT pain)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND pain) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
-- sensitivity: count(CASE WHEN ((NOT smokes) AND (NOT pain)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people))
==
# case: randomized/sum-join
# differs: the answers are debiased
SELECT SUM(cost) AS total FROM visits v JOIN people p ON v.person = p.id WHERE p.smokes
-- accept
-- sensitivity: sum(CASE WHEN smokes THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people); CASE WHEN smokes THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
-- sensitivity: sum(CASE WHEN (NOT smokes) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person; id is the key of people); CASE WHEN (NOT smokes) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
==
# case: randomized/several-rows
# differs: the answers are debiased
SELECT COUNT(*) AS n, SUM(cost) AS total FROM visits WHERE pain
-- accept
-- sensitivity: count(CASE WHEN pain THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person))
-- sensitivity: count(CASE WHEN (NOT pain) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person))
-- sensitivity: sum(CASE WHEN pain THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person); CASE WHEN pain THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
-- sensitivity: sum(CASE WHEN (NOT pain) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per person); CASE WHEN (NOT pain) THEN cost ELSE CAST(NULL AS DECIMAL(6, 2)) END in [0, 100], clamped)
==
# case: randomized/unused
SELECT COUNT(*) AS n, AVG(age) AS mean FROM people
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of people); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
==
# case: randomized/exists-of-another
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people p WHERE p.smokes AND EXISTS (SELECT 1 FROM visits v WHERE v.person = p.id AND v.cost > 50)
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
==
# case: randomized/left-join
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM people p LEFT JOIN visits v ON v.person = p.id WHERE p.smokes
-- accept
-- sensitivity: count(CASE WHEN smokes THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (id is the key of people; 2 rows of visits per person))
-- sensitivity: count(CASE WHEN (NOT smokes) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (id is the key of people; 2 rows of visits per person))
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
==
# case: randomized/public
# differs: the answers are debiased
SELECT COUNT(*) AS n FROM earlier WHERE smokes
-- accept
==
# case: randomized/public-groups
# differs: the answers are debiased
SELECT sex, smokes, COUNT(*) AS n FROM earlier GROUP BY sex, smokes
-- accept
==
# case: randomized/public-unused
SELECT sex, COUNT(*) AS n FROM earlier GROUP BY sex
-- accept
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
--         ^^^
-- help: use COUNT, SUM or AVG
==
# case: randomized/min-of-it
SELECT MIN(CAST(smokes AS INTEGER)) AS m FROM people
-- reject DP406  MIN does not add up rows, so randomized answers cannot be debiased
--              ^^^^^^
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
