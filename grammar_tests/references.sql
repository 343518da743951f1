# about: References of several columns, which tell whose a row is
# policy: wards
# case: references/count
SELECT COUNT(*) AS n, SUM(value) AS s FROM results
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); value in [0, 5], clamped; summed around 0, the least; a row adds 5 to sum(value) and sum(value - 5) together)
-- sensitivity: sum(value - 5)  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); value in [0, 5], clamped; summed around 5, the greatest; a row adds 5 to sum(value) and sum(value - 5) together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(value)
--       scan results (value, stays_owner)
==
# case: references/groups
SELECT kind, COUNT(*) AS n FROM results WHERE value > 2 GROUP BY kind
-- accept
-- sensitivity: n  l0=2 l1=6 l2=6 linf=6 groups=2  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); groups: kind: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*)
--       filter (value > 2)
--         scan results (kind, value, stays_owner)
==
# case: references/one-column-of-the-key-in-where
SELECT SUM(value) AS s FROM results WHERE of_number = 2
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); value in [0, 5], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(value)
--       filter (of_number = 2)
--         scan results (of_number, value, stays_owner)
==
# case: references/owner-is-a-column
SELECT COUNT(DISTINCT stays_owner) AS people FROM results WHERE kind = 'x'
-- accept
-- sensitivity: people  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct stays_owner)
--       filter (kind = 'x')
--         scan results (kind, stays_owner)
==
# case: references/owner-is-the-unit
SELECT city, SUM(value) AS s FROM results JOIN people ON id = stays_owner GROUP BY city
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=2  (rows per unit 6, enforced per unit (6 rows of results per stays_owner; id is the key of people); value in [0, 5], clamped; groups: city: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by city#3 = city#2: sum = sum(value)
--       join inner on (id = stays_owner)
--         scan results (value, stays_owner)
--         project id, city#2 = cut(city, 2)
--           scan people (id, city)
==
# case: references/join
SELECT SUM(value * days) AS s FROM results JOIN stays ON ward = of_ward AND number = of_number
-- accept
-- sensitivity: s  l0=1 l1=300 l2=300 linf=300 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner; 3 rows of stays per person); value * days in [0, 50], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((value * days))
--       join inner on and((ward = of_ward), (number = of_number), (stays_owner = person))
--         scan results (of_ward, of_number, value, stays_owner)
--         filter coalesce((strlen(ward) <= 40000), true)
--           scan stays (ward, number, person, days)
==
# case: references/join-the-other-way
SELECT SUM(days) AS s FROM stays s, results r WHERE r.of_number = s.number AND s.ward = r.of_ward AND value = 5
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, enforced per unit (3 rows of stays per person; 6 rows of results per stays_owner); days in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(days)
--       join inner on and((of_number = number), (ward = of_ward), (person = stays_owner))
--         filter coalesce((strlen(ward) <= 40000), true)
--           scan stays (ward, number, person, days)
--         filter (value = 5)
--           scan results (of_ward, of_number, value, stays_owner)
==
# case: references/left-join
SELECT COUNT(*) AS n, COUNT(kind) AS k FROM stays LEFT JOIN results ON ward = of_ward AND number = of_number
-- accept
-- sensitivity: k  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of stays per person; 6 rows of results per stays_owner); a row adds 1 to all 2 weights together)
-- sensitivity: rows without kind  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of stays per person; 6 rows of results per stays_owner); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(kind)
--       join left on (((ward = of_ward) AND (number = of_number)) AND (person = stays_owner))
--         filter coalesce((strlen(ward) <= 40000), true)
--           scan stays (ward, number, person)
--         scan results (of_ward, of_number, kind, stays_owner)
==
# case: references/exists
SELECT COUNT(*) AS n FROM stays WHERE EXISTS (SELECT 1 FROM results WHERE of_ward = ward AND of_number = number AND value = 3)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of stays per person))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on and((of_ward = ward), (of_number = number), (person = stays_owner))
--           scan stays (ward, number, person)
--           filter (value = 3)
--             scan results (of_ward, of_number, value, stays_owner)
==
# case: references/in
SELECT COUNT(*) AS n FROM people WHERE id IN (SELECT stays_owner FROM results WHERE value > 3)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (id = stays_owner#2)
--           scan people (id)
--           project stays_owner#2 = stays_owner
--             filter (value > 3)
--               scan results (value, stays_owner)
==
# case: references/with-itself
SELECT COUNT(*) AS n FROM results a JOIN results b ON a.of_ward = b.of_ward AND a.of_number = b.of_number AND a.value < b.value
-- accept
-- sensitivity: n  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 36, proven (no two rows with the same stays_owner, number_up_to_6))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((of_ward = of_ward#2), (of_number = of_number#2), (value < value#2), (stays_owner = stays_owner#2))
--         filter (number_up_to_6 <= 6)
--           project of_ward, of_number, value, stays_owner, number_up_to_6 = row_number
--             window row_number = row_number() over (partition stays_owner; order of_ward asc nulls last, of_number asc nulls last, value asc nulls last, stays_owner asc nulls last)
--               filter coalesce((strlen(of_ward) <= 40000), true)
--                 scan results (of_ward, of_number, value, stays_owner)
--         filter (number_up_to_6#2 <= 6)
--           project of_ward#2, of_number#2, value#2, stays_owner#2, number_up_to_6#2 = row_number#2
--             window row_number#2 = row_number() over (partition stays_owner#2; order of_ward#2 asc nulls last, of_number#2 asc nulls last, value#2 asc nulls last, stays_owner#2 asc nulls last)
--               filter coalesce((strlen(of_ward#2) <= 40000), true)
--                 scan results (of_ward#2, of_number#2, value#2, stays_owner#2)
==
# case: references/grouped-by-what-it-leads-to
SELECT AVG(n) AS a FROM (SELECT of_ward, of_number, COUNT(*) AS n FROM results GROUP BY of_ward, of_number)
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (at most 6 groups per unit (6 rows of results per stays_owner)); count in [1, 6], clamped; summed around 1, the least; a row adds 5 to sum(count - 1) and sum(count - 6) together)
-- sensitivity: sum(count - 6)  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (at most 6 groups per unit (6 rows of results per stays_owner)); count in [1, 6], clamped; summed around 6, the greatest; a row adds 5 to sum(count - 1) and sum(count - 6) together)
-- plan:
--   r1:
--     aggregate: avg = avg(count)
--       aggregate per unit by of_ward#2 = of_ward, of_number#2 = of_number, stays_owner#2 = stays_owner: count = count(*)
--         scan results (of_ward, of_number, stays_owner)
==
# case: references/window
SELECT SUM(value) AS s FROM (SELECT value, ROW_NUMBER() OVER (PARTITION BY of_ward, of_number ORDER BY value DESC) AS k FROM results) WHERE k = 1
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); value in [0, 5], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(value)
--       filter (row_number#2 = 1)
--         project of_ward, of_number, value, stays_owner, row_number#2 = row_number
--           window row_number = row_number() over (partition of_ward, of_number, stays_owner; order value desc nulls last, of_ward asc nulls last, of_number asc nulls last, stays_owner asc nulls last)
--             scan results (of_ward, of_number, value, stays_owner)
==
# case: references/public-join
SELECT SUM(beds) AS b FROM results JOIN wards ON name = of_ward
-- accept
-- sensitivity: b  l0=1 l1=300 l2=300 linf=300 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); beds in [0, 50], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(beds)
--       join inner on (name = of_ward)
--         scan results (of_ward, stays_owner)
--         scan wards (name, beds)
==
# case: references/quantile
SELECT MEDIAN(value) AS m FROM results
-- accept
-- sensitivity: m  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); 6 points)
-- plan:
--   r1:
--     aggregate: median = median(value)
--       scan results (value, stays_owner)
==
# case: references/union
SELECT SUM(x) AS s FROM (SELECT value AS x, stays_owner AS u FROM results UNION ALL SELECT price, whose FROM meals)
-- accept
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 10, enforced per unit ((6 rows of results per stays_owner) plus (4 rows of meals per whose)); x in [0, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2)
--       union (x#2, stays_owner#3)
--         project x, stays_owner#2 = stays_owner
--           project x = value, stays_owner
--             scan results (value, stays_owner)
--         project price#2, whose#2 = whose
--           project price#2 = price, whose
--             scan meals (whose, price)
==
# case: references/both-say-it
SELECT SUM(price) AS s, SUM(days) AS d FROM meals m JOIN stays s ON s.ward = m.ward AND s.number = m.number
-- accept
-- sensitivity: s  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 4, enforced per unit (4 rows of meals per whose; 3 rows of stays per person); price in [0, 9], clamped)
-- sensitivity: d  l0=1 l1=40 l2=40 linf=40 groups=1  (rows per unit 4, enforced per unit (4 rows of meals per whose; 3 rows of stays per person); days in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(price), sum#2 = sum(days)
--       join inner on and((ward#2 = ward), (number#2 = number), (whose = person))
--         scan meals (whose, ward, number, price)
--         filter coalesce((strlen(ward#2) <= 40000), true)
--           scan stays (ward#2, number#2, person, days)
==
# case: references/of-two-tables
SELECT COUNT(*) AS n FROM meals m JOIN results r ON r.of_ward = m.ward AND r.of_number = m.number
-- accept
-- sensitivity: n  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 24, proven (no two rows with the same whose, number_up_to_4; no two rows with the same stays_owner, number_up_to_6))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((of_ward = ward#2), (of_number = number), (whose = stays_owner))
--         filter (number_up_to_4 <= 4)
--           project whose, ward#2, number, number_up_to_4 = row_number
--             window row_number = row_number() over (partition whose; order whose asc nulls last, ward#2 asc nulls last, number asc nulls last)
--               project whose, ward#2 = cut(ward, 10000), number
--                 scan meals (whose, ward, number)
--         filter (number_up_to_6 <= 6)
--           project of_ward, of_number, stays_owner, number_up_to_6 = row_number#2
--             window row_number#2 = row_number() over (partition stays_owner; order of_ward asc nulls last, of_number asc nulls last, stays_owner asc nulls last)
--               filter coalesce((strlen(of_ward) <= 40000), true)
--                 scan results (of_ward, of_number, stays_owner)
==
# case: references/columns-are-not-swapped
SELECT COUNT(*) AS n FROM results a JOIN results b ON a.of_ward = b.of_ward
-- reject DP402  the joined rows could belong to two different units
--                                       ^^^^^^^^^
-- help: join on the unit: a.stays_owner = b.stays_owner
==
# case: references/part-of-the-key
SELECT SUM(value) AS s FROM results JOIN stays ON ward = of_ward
-- reject DP402  the joined rows could belong to two different units
--                                       ^^^^^
-- help: join on the unit: results.stays_owner = stays.person
==
# case: references/part-and-a-constant
SELECT SUM(value) AS s FROM results JOIN stays ON ward = of_ward AND number = 1
-- reject DP402  the joined rows could belong to two different units
--                                       ^^^^^
-- help: join on the unit: results.stays_owner = stays.person
==
# case: references/null-is-no-key
SELECT COUNT(*) AS n FROM results JOIN stays ON ward IS NOT DISTINCT FROM of_ward AND number IS NOT DISTINCT FROM of_number
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner; 3 rows of stays per person))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((ward = of_ward), (number = of_number), (stays_owner = person))
--         scan results (of_ward, of_number, stays_owner)
--         filter coalesce((strlen(ward) <= 40000), true)
--           scan stays (ward, number, person)
==
# case: references/rows
SELECT of_ward, value FROM results
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# policy: wards verified
# case: references/verified-count
SELECT COUNT(*) AS n FROM results
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (6 rows of results per stays_owner))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan results (stays_owner)
==
# case: references/verified-groups
SELECT kind, SUM(value) AS s FROM results GROUP BY kind
-- accept
-- sensitivity: s  l0=2 l1=30 l2=30 linf=30 groups=2  (rows per unit 6, proven (6 rows of results per stays_owner); value in [0, 5], proven; groups: kind: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: sum = sum(value)
--       scan results (kind, value, stays_owner)
==
# case: references/verified-join
SELECT SUM(value * days) AS s FROM stays JOIN results ON ward = of_ward AND number = of_number
-- accept
-- sensitivity: s  l0=1 l1=300 l2=300 linf=300 groups=1  (rows per unit 6, proven (3 rows of stays per person; 6 rows of results per stays_owner); value * days in [0, 50], proven)
-- plan:
--   r1:
--     aggregate: sum = sum((value * days))
--       join inner on and((ward = of_ward), (number = of_number), (person = stays_owner))
--         filter coalesce((strlen(ward) <= 40000), true)
--           scan stays (ward, number, person, days)
--         scan results (of_ward, of_number, value, stays_owner)
==
# case: references/verified-left-join
SELECT COUNT(*) AS n, SUM(value) AS s FROM stays LEFT JOIN results ON ward = of_ward AND number = of_number
-- accept
-- sensitivity: rows with value near 0  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (3 rows of stays per person; 6 rows of results per stays_owner); value in [0, 5], proven; a row adds 1 to all 2 weights together)
-- sensitivity: rows with value near 5  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (3 rows of stays per person; 6 rows of results per stays_owner); value in [0, 5], proven; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(value)
--       join left on (((ward = of_ward) AND (number = of_number)) AND (person = stays_owner))
--         filter coalesce((strlen(ward) <= 40000), true)
--           scan stays (ward, number, person)
--         scan results (of_ward, of_number, value, stays_owner)
==
# policy: wards replaced counted
# case: references/replaced-sum
SELECT SUM(value) AS s FROM results
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner); value in [0, 5], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(value)
--       scan results (value, stays_owner)
==
# case: references/replaced-join
SELECT COUNT(*) AS n FROM results JOIN stays ON ward = of_ward AND number = of_number WHERE days > 3
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (6 rows of results per stays_owner; 3 rows of stays per person))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((ward = of_ward), (number = of_number), (stays_owner = person))
--         scan results (of_ward, of_number, stays_owner)
--         filter (days > 3)
--           filter coalesce((strlen(ward) <= 40000), true)
--             scan stays (ward, number, person, days)
