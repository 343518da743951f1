# about: Things that belong to one unit, and what is joined by them
# policy: slips
# case: one_unit/inner-join
SELECT COUNT(*) AS n, SUM(amount) AS s FROM sales JOIN returned ON slip = of_slip
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2); amount in [0, 10], clamped; summed around 0, the least; a row adds 10 to sum(amount) and sum(amount - 10) together)
-- sensitivity: sum(amount - 10)  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2); amount in [0, 10], clamped; summed around 10, the greatest; a row adds 10 to sum(amount) and sum(amount - 10) together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       join inner on ((slip = of_slip) AND (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, slip, amount, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last, amount asc nulls last)
--               scan sales (person, slip, amount)
--         filter (number_up_to_2 <= 2)
--           project whose, of_slip, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--               scan returned (whose, of_slip)
==
# case: one_unit/comma-join
SELECT SUM(amount - back) AS s FROM sales s, returned r WHERE s.slip = r.of_slip AND amount > 3
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2); amount - back in [-6, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((amount - back))
--       join inner on ((slip = of_slip) AND (person = whose))
--         filter ((number_up_to_3 <= 3) AND (amount > 3))
--           project person, slip, amount, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last, amount asc nulls last)
--               scan sales (person, slip, amount)
--         filter (number_up_to_2 <= 2)
--           project whose, of_slip, back, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last, back asc nulls last)
--               scan returned (whose, of_slip, back)
==
# case: one_unit/left-join
SELECT COUNT(*) AS n, COUNT(back) AS b FROM sales LEFT JOIN returned ON of_slip = slip
-- accept
-- sensitivity: b  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2); a row adds 1 to all 2 weights together)
-- sensitivity: rows without back  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(back)
--       join left on ((of_slip = slip) AND (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, slip, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last)
--               scan sales (person, slip)
--         filter (number_up_to_2 <= 2)
--           project whose, of_slip, back, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last, back asc nulls last)
--               scan returned (whose, of_slip, back)
==
# case: one_unit/two-columns
SELECT COUNT(*) AS n FROM sales s JOIN returned r ON s.depot = r.depot AND s.number = r.number
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((depot#2 = depot#4), (number = number#2), (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, depot#2, number, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, depot#2 asc nulls last, number asc nulls last)
--               project person, depot#2 = cut(depot, 10000), number
--                 scan sales (person, depot, number)
--         filter (number_up_to_2 <= 2)
--           project whose, depot#4, number#2, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, depot#4 asc nulls last, number#2 asc nulls last)
--               project whose, depot#4 = cut(depot#3, 10000), number#2
--                 scan returned (whose, depot#3, number#2)
==
# case: one_unit/two-columns-apart
SELECT COUNT(*) AS n FROM sales s JOIN returned r ON s.depot = r.depot WHERE s.number = r.number
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((depot#2 = depot#4), (number = number#2), (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, depot#2, number, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, depot#2 asc nulls last, number asc nulls last)
--               project person, depot#2 = cut(depot, 10000), number
--                 scan sales (person, depot, number)
--         filter (number_up_to_2 <= 2)
--           project whose, depot#4, number#2, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, depot#4 asc nulls last, number#2 asc nulls last)
--               project whose, depot#4 = cut(depot#3, 10000), number#2
--                 scan returned (whose, depot#3, number#2)
==
# case: one_unit/two-columns-using
SELECT COUNT(*) AS n FROM sales JOIN returned USING (depot, number)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((depot#2 = depot#4), (number = number#2), (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, depot#2, number, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, depot#2 asc nulls last, number asc nulls last)
--               project person, depot#2 = cut(depot, 10000), number
--                 scan sales (person, depot, number)
--         filter (number_up_to_2 <= 2)
--           project whose, depot#4, number#2, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, depot#4 asc nulls last, number#2 asc nulls last)
--               project whose, depot#4 = cut(depot#3, 10000), number#2
--                 scan returned (whose, depot#3, number#2)
==
# case: one_unit/one-of-two-columns
SELECT COUNT(*) AS n FROM sales s JOIN returned r ON s.depot = r.depot
-- reject DP402  the joined rows could belong to two different units
--                                     ^^^^^^^^^^
-- help: join on the unit: s.person = r.whose
==
# case: one_unit/self-join
SELECT COUNT(*) AS n FROM sales a JOIN sales b ON a.slip = b.slip AND a.amount < b.amount
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same person, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((slip = slip#2), (amount < amount#2), (person = person#2))
--         filter (number_up_to_3 <= 3)
--           project person, slip, amount, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last, amount asc nulls last)
--               scan sales (person, slip, amount)
--         filter (number_up_to_3#2 <= 3)
--           project person#2, slip#2, amount#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition person#2; order person#2 asc nulls last, slip#2 asc nulls last, amount#2 asc nulls last)
--               scan sales (person#2, slip#2, amount#2)
==
# case: one_unit/other-things
SELECT COUNT(*) AS n FROM sales s JOIN returned r ON s.slip = r.number
-- reject DP402  the joined rows could belong to two different units
--                                     ^^^^^^^^^^
-- help: join on the unit: s.person = r.whose
==
# case: one_unit/not-equal
SELECT COUNT(*) AS n FROM sales s JOIN returned r ON s.slip < r.of_slip
-- reject DP402  the joined rows could belong to two different units
--                                     ^^^^^^^^^^
-- help: join on the unit: s.person = r.whose
==
# case: one_unit/exists
SELECT COUNT(*) AS n FROM sales s WHERE EXISTS (SELECT 1 FROM returned r WHERE r.of_slip = s.slip AND r.back > 2)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((of_slip = slip) AND (person = whose))
--           scan sales (person, slip)
--           filter (back > 2)
--             scan returned (whose, of_slip, back)
==
# case: one_unit/not-exists
SELECT COUNT(*) AS n FROM sales s WHERE NOT EXISTS (SELECT 1 FROM returned r WHERE r.of_slip = s.slip)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on ((of_slip = slip) AND (person = whose))
--           scan sales (person, slip)
--           scan returned (whose, of_slip)
==
# case: one_unit/in
SELECT SUM(amount) AS s FROM sales WHERE slip IN (SELECT of_slip FROM returned WHERE back > 0)
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person); amount in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter found
--         join mark found on ((slip = of_slip#2) AND (person = whose#2))
--           scan sales (person, slip, amount)
--           project of_slip#2 = of_slip, whose#2 = whose
--             filter (back > 0)
--               scan returned (whose, of_slip, back)
==
# case: one_unit/in-with-query
WITH big AS (SELECT a.slip FROM sales a JOIN sales b ON a.slip = b.slip AND a.amount <> b.amount) SELECT COUNT(*) AS n FROM returned WHERE of_slip IN (SELECT slip FROM big) OR of_slip IN (SELECT slip FROM big WHERE slip > 2)
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (found OR found#2)
--         join mark found#2 on ((of_slip = slip#6) AND (whose = person#6))
--           join mark found on ((of_slip = slip#3) AND (whose = person#3))
--             filter (number_up_to_2 <= 2)
--               project whose, of_slip, number_up_to_2 = row_number
--                 window row_number = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--                   scan returned (whose, of_slip)
--             project slip#3 = slip, person#3 = person
--               join inner on and((slip = slip#2), (amount <> amount#2), (person = person#2))
--                 filter (number_up_to_3 <= 3)
--                   project person, slip, amount, number_up_to_3 = row_number#2
--                     window row_number#2 = row_number() over (partition person; order person asc nulls last, slip asc nulls last, amount asc nulls last)
--                       scan sales (person, slip, amount)
--                 filter (number_up_to_3#2 <= 3)
--                   project person#2, slip#2, amount#2, number_up_to_3#2 = row_number#3
--                     window row_number#3 = row_number() over (partition person#2; order person#2 asc nulls last, slip#2 asc nulls last, amount#2 asc nulls last)
--                       scan sales (person#2, slip#2, amount#2)
--           project slip#6 = slip#4, person#6 = person#4
--             join inner on and((slip#4 = slip#5), (amount#3 <> amount#4), (person#4 = person#5))
--               filter ((number_up_to_3#3 <= 3) AND (slip#4 > 2))
--                 project person#4, slip#4, amount#3, number_up_to_3#3 = row_number#4
--                   window row_number#4 = row_number() over (partition person#4; order person#4 asc nulls last, slip#4 asc nulls last, amount#3 asc nulls last)
--                     scan sales (person#4, slip#4, amount#3)
--               filter (number_up_to_3#4 <= 3)
--                 project person#5, slip#5, amount#4, number_up_to_3#4 = row_number#5
--                   window row_number#5 = row_number() over (partition person#5; order person#5 asc nulls last, slip#5 asc nulls last, amount#4 asc nulls last)
--                     scan sales (person#5, slip#5, amount#4)
==
# case: one_unit/not-in
SELECT COUNT(*) AS n FROM returned WHERE of_slip NOT IN (SELECT slip FROM sales)
-- reject DP402  whether a row counts could depend on rows of other units
--                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)
==
# case: one_unit/semi-join
SELECT COUNT(*) AS n FROM sales SEMI JOIN returned ON slip = of_slip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((slip = of_slip) AND (person = whose))
--           scan sales (person, slip)
--           scan returned (whose, of_slip)
==
# case: one_unit/per-thing
SELECT AVG(total) AS a, COUNT(*) AS n FROM (SELECT slip, SUM(amount) AS total FROM sales GROUP BY slip)
-- accept
-- sensitivity: sum(sum)  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of sales per person)); sum in [0, 30], clamped; summed around 0, the least; a row adds 30 to sum(sum) and sum(sum - 30) together)
-- sensitivity: sum(sum - 30)  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of sales per person)); sum in [0, 30], clamped; summed around 30, the greatest; a row adds 30 to sum(sum) and sum(sum - 30) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2), count = count(*)
--       project slip#2, person#2, sum#2 = sum
--         aggregate per unit by slip#2 = slip, person#2 = person: sum = sum(clamp(amount, 0, 10))
--           scan sales (person, slip, amount)
==
# case: one_unit/per-thing-of-nulls
SELECT COUNT(*) AS n FROM (SELECT of_slip, SUM(back) AS total FROM returned GROUP BY of_slip HAVING SUM(back) > 3)
-- accept
-- sensitivity: sum(back)  l0=2 l1=20 l2=20 linf=20 groups=4  (rows per unit 2, enforced per unit (2 rows of returned per whose); back in [0, 10], clamped; groups: of_slip: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=2 l1=2 l2=2 linf=2 groups=4  (rows per unit 2, enforced per unit (2 rows of returned per whose); groups: of_slip: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by of_slip#2 = of_slip: sum = sum(back)
--       scan returned (whose, of_slip, back)
--   answer:
--     project n = count
--       aggregate: count = count(*)
--         project of_slip#3 = of_slip#2, total = sum
--           filter (sum > 3)
--             project of_slip#2, sum
--               filter present
--                 released r1 (of_slip#2, sum, present)
==
# case: one_unit/per-thing-joined
SELECT SUM(total) AS s FROM (SELECT slip, SUM(amount) AS total FROM sales GROUP BY slip) t JOIN returned r ON r.of_slip = t.slip
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 2, enforced per unit (at most 3 groups per unit (3 rows of sales per person); 2 rows of returned per whose); sum in [0, 30], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       join inner on ((of_slip = slip#2) AND (person#2 = whose))
--         project slip#2, person#2, sum#2 = sum
--           aggregate per unit by slip#2 = slip, person#2 = person: sum = sum(clamp(amount, 0, 10))
--             scan sales (person, slip, amount)
--         scan returned (whose, of_slip)
==
# case: one_unit/as-the-group
SELECT slip, COUNT(*) AS n FROM sales GROUP BY slip
-- reject DP404  slip leads to one unit: every group would be one individual
--                                             ^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: one_unit/scalar
SELECT COUNT(*) AS n FROM returned r WHERE back < (SELECT SUM(amount) FROM sales s WHERE s.slip = r.of_slip)
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of returned per whose; at most 3 groups per unit (3 rows of sales per person)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (coerce(back) < sum#2)
--         join left on ((slip#2 = of_slip) AND (person#2 = whose))
--           scan returned (whose, of_slip, back)
--           project slip#2, person#2, sum#2 = sum
--             aggregate per unit by slip#2 = slip, person#2 = person: sum = sum(clamp(amount, 0, 10))
--               scan sales (person, slip, amount)
==
# case: one_unit/window
SELECT SUM(amount) AS s FROM (SELECT amount, ROW_NUMBER() OVER (PARTITION BY slip ORDER BY amount, depot, number, person) AS i FROM sales) WHERE i = 1
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person); amount in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (row_number#2 = 1)
--         project person, slip, depot, number, amount, row_number#2 = row_number
--           window row_number = row_number() over (partition slip, person; order amount asc nulls last, depot asc nulls last, number asc nulls last, person asc nulls last, slip asc nulls last)
--             scan sales (person, slip, depot, number, amount)
==
# case: one_unit/window-of-nulls
SELECT COUNT(*) AS n FROM (SELECT back, COUNT(*) OVER (PARTITION BY of_slip) AS i FROM returned) WHERE i > 1
-- accept
-- sensitivity: count(*)  l0=2 l1=2 l2=2 linf=2 groups=4  (rows per unit 2, enforced per unit (2 rows of returned per whose); groups: key: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of returned per whose))
-- plan:
--   r1:
--     aggregate by key = of_slip: count = count(*)
--       scan returned (whose, of_slip)
--   f1:
--     released r1 (key, count)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (of_slip#2 = key)
--         scan returned (whose#2, of_slip#2)
--         filter (count > 1)
--           released f1 (key, count)
==
# case: one_unit/distinct
SELECT COUNT(*) AS n FROM (SELECT DISTINCT slip FROM sales)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of sales per person)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by slip#2 = slip, person#2 = person
--         scan sales (person, slip)
==
# case: one_unit/count-distinct
SELECT COUNT(DISTINCT slip) AS n FROM sales
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person))
-- plan:
--   r1:
--     aggregate: count = count(distinct slip)
--       scan sales (person, slip)
==
# case: one_unit/lateral
SELECT SUM(b) AS s FROM sales s, LATERAL (SELECT SUM(back) AS b FROM returned r WHERE r.of_slip = s.slip) t
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 3, enforced per unit (3 rows of sales per person; at most 2 groups per unit (2 rows of returned per whose)); sum in [0, 20], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       join left on ((of_slip#2 = slip) AND (whose#2 = person))
--         scan sales (person, slip)
--         project of_slip#2, whose#2, sum#2 = sum
--           aggregate per unit by of_slip#2 = of_slip, whose#2 = whose: sum = sum(clamp(back, 0, 10))
--             scan returned (whose, of_slip, back)
==
# case: one_unit/with-the-unit-too
SELECT COUNT(*) AS n FROM sales JOIN returned ON slip = of_slip AND person = whose
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((slip = of_slip) AND (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, slip, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last)
--               scan sales (person, slip)
--         filter (number_up_to_2 <= 2)
--           project whose, of_slip, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--               scan returned (whose, of_slip)
==
# case: one_unit/renamed
SELECT COUNT(*) AS n FROM (SELECT slip AS x, amount AS y FROM sales) a JOIN (SELECT of_slip AS z FROM returned) b ON a.x = b.z
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((slip = of_slip) AND (person = whose))
--         filter (number_up_to_3 <= 3)
--           project person, slip, number_up_to_3 = row_number
--             window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last)
--               scan sales (person, slip)
--         filter (number_up_to_2 <= 2)
--           project whose, of_slip, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--               scan returned (whose, of_slip)
==
# case: one_unit/union
SELECT COUNT(*) AS n FROM (SELECT slip FROM sales UNION ALL SELECT of_slip FROM returned) a JOIN sales b ON a.slip = b.slip
-- reject DP402  the joined rows could belong to two different units
--                                                                                               ^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: one_unit/full-join
SELECT COUNT(*) AS n FROM sales FULL JOIN returned ON slip = of_slip
-- accept
-- sensitivity: n  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 8, proven ((no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2) plus (no two rows with the same whose, number_up_to_2)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (person#4)
--         project person#2 = person
--           join left on ((slip = of_slip) AND (person = whose))
--             filter (number_up_to_3 <= 3)
--               project person, slip, number_up_to_3 = row_number
--                 window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last)
--                   scan sales (person, slip)
--             filter (number_up_to_2 <= 2)
--               project whose, of_slip, number_up_to_2 = row_number#2
--                 window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--                   scan returned (whose, of_slip)
--         project whose#3 = whose#2
--           filter not(found)
--             join mark found on ((slip#2 = of_slip#2) AND (person#3 = whose#2))
--               filter (number_up_to_2#2 <= 2)
--                 project whose#2, of_slip#2, number_up_to_2#2 = row_number#3
--                   window row_number#3 = row_number() over (partition whose#2; order whose#2 asc nulls last, of_slip#2 asc nulls last)
--                     scan returned (whose#2, of_slip#2)
--               filter (number_up_to_3#2 <= 3)
--                 project person#3, slip#2, number_up_to_3#2 = row_number#4
--                   window row_number#4 = row_number() over (partition person#3; order person#3 asc nulls last, slip#2 asc nulls last)
--                     scan sales (person#3, slip#2)
==
# case: one_unit/unmatched
SELECT COUNT(*) AS n FROM sales LEFT JOIN returned ON slip = of_slip WHERE of_slip IS NULL
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same person, number_up_to_3; no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(of_slip)
--         join left on ((slip = of_slip) AND (person = whose))
--           filter (number_up_to_3 <= 3)
--             project person, slip, number_up_to_3 = row_number
--               window row_number = row_number() over (partition person; order person asc nulls last, slip asc nulls last)
--                 scan sales (person, slip)
--           filter (number_up_to_2 <= 2)
--             project whose, of_slip, number_up_to_2 = row_number#2
--               window row_number#2 = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--                 scan returned (whose, of_slip)
==
# case: one_unit/key-of-one-row
SELECT code, COUNT(*) AS n FROM sales GROUP BY code
-- reject DP404  no two rows have the same code: every group would be one row
--                                             ^^^^
-- help: group by something that many units share, or count: COUNT(DISTINCT code)
==
# case: one_unit/key-of-one-row-that-is-joined
SELECT code, depot, COUNT(*) AS n FROM sales s JOIN returned r USING (depot, number) GROUP BY ALL
-- reject DP404  code leads to one unit: every group would be one individual
--     ^^^^
-- help: group by something that many units share
==
# case: one_unit/key-of-one-row-of-the-missing-side
SELECT code, COUNT(*) AS n FROM returned LEFT JOIN sales ON slip = of_slip GROUP BY code
-- accept
-- sensitivity: weight of units  l0=6 l1=1 l2=1 linf=1 threshold=29.9949188232 groups=private  (rows per unit 6, proven (no two rows with the same whose, number_up_to_2; no two rows with the same person, number_up_to_3); a unit counts once in a group; groups: code: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=private  (rows per unit 6, proven (no two rows with the same whose, number_up_to_2; no two rows with the same person, number_up_to_3); groups: code: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(*)
--       join left on ((slip = of_slip) AND (whose = person))
--         filter (number_up_to_2 <= 2)
--           project whose, of_slip, number_up_to_2 = row_number
--             window row_number = row_number() over (partition whose; order whose asc nulls last, of_slip asc nulls last)
--               scan returned (whose, of_slip)
--         filter (number_up_to_3 <= 3)
--           project person, slip, code, number_up_to_3 = row_number#2
--             window row_number#2 = row_number() over (partition person; order person asc nulls last, slip asc nulls last, code asc nulls last)
--               scan sales (person, slip, code)
==
# case: one_unit/key-of-several-rows
SELECT depot, COUNT(*) AS n FROM sales GROUP BY depot
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=28.7752990723 groups=private  (rows per unit 3, enforced per unit (3 rows of sales per person); a unit counts once in a group; groups: depot: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of sales per person); groups: depot: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by depot#2 = depot: count = count(*)
--       scan sales (person, depot)
==
# case: one_unit/row-by-its-declared-key
SELECT COUNT(*) AS n FROM returned AS a JOIN returned AS b ON a.item = b.item AND a.back <= b.back
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven (no two rows with the same whose, number_up_to_2))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((item = item#2), (back <= back#2), (whose = whose#2))
--         filter (number_up_to_2 <= 2)
--           project whose, item, back, number_up_to_2 = row_number
--             window row_number = row_number() over (partition whose; order whose asc nulls last, item asc nulls last, back asc nulls last)
--               scan returned (whose, item, back)
--         filter (number_up_to_2#2 <= 2)
--           project whose#2, item#2, back#2, number_up_to_2#2 = row_number#2
--             window row_number#2 = row_number() over (partition whose#2; order whose#2 asc nulls last, item#2 asc nulls last, back#2 asc nulls last)
--               scan returned (whose#2, item#2, back#2)
==
# case: one_unit/rows-in-a-list-of-keys
SELECT SUM(back) AS s FROM returned WHERE item IN (SELECT item FROM returned WHERE of_slip = 2)
-- accept
-- sensitivity: s  l0=1 l1=20 l2=20 linf=20 groups=1  (rows per unit 2, enforced per unit (2 rows of returned per whose); back in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(back)
--       filter found
--         join mark found on ((item = item#3) AND (whose = whose#3))
--           scan returned (whose, item, back)
--           project item#3 = item#2, whose#3 = whose#2
--             filter (of_slip = 2)
--               scan returned (whose#2, item#2, of_slip)
==
# case: one_unit/key-of-rows-grouped
SELECT item, COUNT(*) AS n FROM returned GROUP BY item
-- reject DP404  item leads to one unit: every group would be one individual
--                                                ^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: one_unit/key-against-another-column
SELECT COUNT(*) AS n FROM returned AS a JOIN returned AS b ON a.item = b.number
-- reject DP402  the joined rows could belong to two different units
--                                           ^^^^^^^^^^^^^
-- help: join on the unit: a.whose = b.whose
