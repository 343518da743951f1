# about: Events that share a unit, without a table of units
# policy: events
# case: events/count
SELECT COUNT(*) AS n FROM clicks
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of clicks per who))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan clicks (id, who)
==
# case: events/other-table
SELECT COUNT(*) AS n, SUM(mins) AS s FROM calls
-- accept
-- sensitivity: rows with mins near 0  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of calls per caller); mins in [0, 60], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with mins near 60  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of calls per caller); mins in [0, 60], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(mins)
--       scan calls (caller, mins)
==
# case: events/people
SELECT COUNT(DISTINCT caller) AS n FROM calls
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 2, enforced per unit (2 rows of calls per caller); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct caller)
--       scan calls (caller)
==
# case: events/join
SELECT page, COUNT(*) AS n, SUM(mins) AS s FROM clicks JOIN calls ON who = caller GROUP BY page
-- accept
-- sensitivity: rows with mins near 0  l0=2 l1=6 l2=6 linf=6 groups=2  (rows per unit 6, proven (no two rows with the same who, number_up_to_3; no two rows with the same caller, number_up_to_2); mins in [0, 60], clamped; groups: page: 2 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with mins near 60  l0=2 l1=6 l2=6 linf=6 groups=2  (rows per unit 6, proven (no two rows with the same who, number_up_to_3; no two rows with the same caller, number_up_to_2); mins in [0, 60], clamped; groups: page: 2 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by page#3 = page#2: count = count(*), sum = sum(mins)
--       join inner on (coerce(who) = caller)
--         filter (number_up_to_3 <= 3)
--           project id, who, page#2, number_up_to_3 = row_number
--             window row_number = row_number() over (partition who; order id asc nulls last, who asc nulls last, page#2 asc nulls last)
--               project id, who, page#2 = cut(page, 5)
--                 scan clicks (id, who, page)
--         filter (number_up_to_2 <= 2)
--           project caller, mins, number_up_to_2 = row_number#2
--             window row_number#2 = row_number() over (partition caller; order caller asc nulls last, mins asc nulls last)
--               scan calls (caller, mins)
==
# case: events/path-then-join
SELECT SUM(size) AS s FROM parts JOIN clicks ON click = id JOIN calls ON caller = who WHERE topic = 'help'
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 12, proven (2 rows of parts per click, 3 rows of clicks per who; no two rows with the same who, number_up_to_3; no two rows with the same caller, number_up_to_2); size in [0, 5], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(size)
--       join inner on (caller = coerce(who))
--         join inner on (click = id)
--           filter (number_up_to_2 <= 2)
--             project click, size, number_up_to_2 = row_number
--               window row_number = row_number() over (partition click; order click asc nulls last, size asc nulls last)
--                 scan parts (click, size)
--           filter (number_up_to_3 <= 3)
--             project id, who, number_up_to_3 = row_number#2
--               window row_number#2 = row_number() over (partition who; order id asc nulls last, who asc nulls last)
--                 scan clicks (id, who)
--         filter ((number_up_to_2#2 <= 2) AND (topic#2 = 'help'))
--           project caller, topic#2, number_up_to_2#2 = row_number#3
--             window row_number#3 = row_number() over (partition caller; order caller asc nulls last, topic#2 asc nulls last)
--               project caller, topic#2 = cut(topic, 10000)
--                 scan calls (caller, topic)
==
# case: events/left-join
SELECT COUNT(DISTINCT who) AS n FROM clicks LEFT JOIN calls ON who = caller WHERE caller IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 6, proven (no two rows with the same who, number_up_to_3; no two rows with the same caller, number_up_to_2); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct who)
--       filter is_null(caller)
--         join left on (coerce(who) = caller)
--           filter (number_up_to_3 <= 3)
--             project id, who, number_up_to_3 = row_number
--               window row_number = row_number() over (partition who; order id asc nulls last, who asc nulls last)
--                 scan clicks (id, who)
--           filter (number_up_to_2 <= 2)
--             project caller, number_up_to_2 = row_number#2
--               window row_number#2 = row_number() over (partition caller; order caller asc nulls last)
--                 scan calls (caller)
==
# case: events/semi-join
SELECT SUM(secs) AS s FROM clicks WHERE who IN (SELECT caller FROM calls WHERE mins > 30)
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 3, enforced per unit (3 rows of clicks per who); secs in [0, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(secs)
--       filter found
--         join mark found on (coerce(who) = caller#2)
--           scan clicks (id, who, secs)
--           project caller#2 = caller
--             filter (mins > 30)
--               scan calls (caller, mins)
==
# case: events/per-unit
SELECT AVG(n) AS a FROM (SELECT caller, COUNT(*) AS n FROM calls GROUP BY caller)
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 2], clamped; summed around 1, the least; a row adds 1 to sum(count - 1) and sum(count - 2) together)
-- sensitivity: sum(count - 2)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 2], clamped; summed around 2, the greatest; a row adds 1 to sum(count - 1) and sum(count - 2) together)
-- plan:
--   r1:
--     aggregate: avg = avg(count)
--       aggregate per unit by caller#2 = caller: count = count(*)
--         scan calls (caller)
==
# case: events/union
SELECT COUNT(*) AS n FROM (SELECT who FROM clicks UNION SELECT caller FROM calls)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by who#4 = who#3
--         union (who#3)
--           project who#2
--             project who#2 = coerce(who), who
--               scan clicks (id, who)
--           project caller#2 = caller
--             scan calls (caller)
==
# case: events/full-join
SELECT COUNT(*) AS n FROM (SELECT who, SUM(secs) AS s FROM clicks GROUP BY who) FULL JOIN (SELECT caller, SUM(mins) AS m FROM calls GROUP BY caller) ON who = caller
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven ((one group per unit) plus (one group per unit)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (who#9)
--         project who#5 = coerce(who#4)
--           project who#4 = who#3
--             join left on (coerce(who#3) = caller#3)
--               project who#3 = who#2
--                 aggregate per unit by who#2 = who
--                   scan clicks (id, who)
--               project caller#3 = caller#2
--                 aggregate per unit by caller#2 = caller
--                   scan calls (caller)
--         project caller#6 = caller#5
--           filter not(found)
--             join mark found on (coerce(who#8) = caller#5)
--               aggregate per unit by caller#5 = caller#4
--                 scan calls (caller#4)
--               project who#8 = who#7
--                 aggregate per unit by who#7 = who#6
--                   scan clicks (id#2, who#6)
==
# case: events/private-key
SELECT topic, COUNT(*) AS n FROM calls JOIN clicks ON caller = who GROUP BY topic
-- accept
-- sensitivity: weight of units  l0=6 l1=1 l2=1 linf=1 threshold=43.8104248047 groups=private  (rows per unit 6, proven (no two rows with the same caller, number_up_to_2; no two rows with the same who, number_up_to_3); a unit counts once in a group; groups: topic: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=private  (rows per unit 6, proven (no two rows with the same caller, number_up_to_2; no two rows with the same who, number_up_to_3); groups: topic: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by topic#3 = topic#2: count = count(*)
--       join inner on (caller = coerce(who))
--         filter (number_up_to_2 <= 2)
--           project caller, topic#2, number_up_to_2 = row_number
--             window row_number = row_number() over (partition caller; order caller asc nulls last, topic#2 asc nulls last)
--               project caller, topic#2 = cut(topic, 10000)
--                 scan calls (caller, topic)
--         filter (number_up_to_3 <= 3)
--           project id, who, number_up_to_3 = row_number#2
--             window row_number#2 = row_number() over (partition who; order id asc nulls last, who asc nulls last)
--               scan clicks (id, who)
==
# case: events/other-columns
SELECT COUNT(*) AS n FROM clicks JOIN calls ON id = caller
-- reject DP402  the joined rows could belong to two different units
--                                    ^^^^^
-- help: join on the unit: clicks.who = calls.caller
==
# case: events/ids
SELECT who FROM clicks UNION ALL SELECT caller FROM calls
-- reject DP401  the query returns rows of individuals
--     ^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: events/leads-to-a-unit
SELECT SUM(paid) AS s FROM fees
-- accept
-- sensitivity: s  l0=1 l1=10 l2=10 linf=10 groups=1  (rows per unit 2, enforced per unit (2 rows of fees per payer, member is the key of members); paid in [0, 5], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(paid)
--       scan fees (payer, paid)
==
# case: events/leads-to-a-unit-and-joins
SELECT COUNT(*) AS n FROM fees JOIN clicks ON payer = who
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (no two rows with the same payer, number_up_to_2; no two rows with the same who, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (payer = who)
--         filter (number_up_to_2 <= 2)
--           project payer, number_up_to_2 = row_number
--             window row_number = row_number() over (partition payer; order payer asc nulls last)
--               scan fees (payer)
--         filter (number_up_to_3 <= 3)
--           project id, who, number_up_to_3 = row_number#2
--             window row_number#2 = row_number() over (partition who; order id asc nulls last, who asc nulls last)
--               scan clicks (id, who)
==
# case: events/units-of-both-kinds
# note: INTEGER in one table and BIGINT in the other: one person, all the same
SELECT COUNT(DISTINCT who) AS n FROM (SELECT who FROM clicks UNION ALL SELECT caller FROM calls)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 5, enforced per unit ((3 rows of clicks per who) plus (2 rows of calls per caller)); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct who#3)
--       union (who#3)
--         project who#2
--           project who#2 = coerce(who), who
--             scan clicks (id, who)
--         project caller#2 = caller
--           scan calls (caller)
==
# case: events/intersect
SELECT COUNT(*) AS n FROM (SELECT who FROM clicks INTERSECT SELECT caller FROM calls)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on is_not_distinct(who#2, caller#2)
--           aggregate per unit by who#2 = coerce(who)
--             scan clicks (id, who)
--           project caller#2 = caller
--             scan calls (caller)
==
# case: events/except
SELECT COUNT(*) AS n FROM (SELECT caller FROM calls EXCEPT SELECT who FROM clicks)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on is_not_distinct(caller#2, who#2)
--           aggregate per unit by caller#2 = caller
--             scan calls (caller)
--           project who#2 = coerce(who)
--             scan clicks (id, who)
==
# case: events/busy-in-both-kinds
SELECT COUNT(*) AS n FROM (SELECT who, COUNT(*) AS m FROM (SELECT who FROM clicks UNION ALL SELECT caller FROM calls) GROUP BY who) WHERE m > 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter (count > 2)
--         aggregate per unit by who#4 = who#3: count = count(*)
--           union (who#3)
--             project who#2
--               project who#2 = coerce(who), who
--                 scan clicks (id, who)
--             project caller#2 = caller
--               scan calls (caller)
==
# case: events/first-of-a-unit-as-a-wider-number
# note: the one column of persons is an INTEGER, the other a BIGINT
SELECT COUNT(*) AS n FROM calls k, LATERAL (SELECT c.secs FROM clicks c WHERE c.who = k.caller ORDER BY c.id LIMIT 1) x WHERE x.secs > 3
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of calls per caller; no two rows with the same who, number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (coerce(who) = caller)
--         scan calls (caller)
--         filter ((number = 1) AND (secs > 3))
--           project id, who, secs, number = row_number
--             window row_number = row_number() over (partition coerce(who); order id asc nulls last, who asc nulls last, secs asc nulls last)
--               scan clicks (id, who, secs)
==
# case: events/median-of-a-unit-as-a-wider-number
SELECT COUNT(*) AS n FROM calls k WHERE (SELECT MEDIAN(c.secs) FROM clicks c WHERE c.who = k.caller) > 3
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of calls per caller; one group per unit))
-- plan:
--   r1:
--     aggregate: count#3 = count(*)
--       filter (median > 3)
--         join left on (key = caller)
--           scan calls (caller)
--           aggregate per unit by key = coerce(who): median = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 0, 10)) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 0, 10)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 0, 10))), coerce(clamp(high, 0, 10))); else NULL))
--             project id, who, secs, row_number#2, count#2, low = min, high = min#2
--               window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then secs; else NULL)) over (partition coerce(who)), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then secs; else NULL)) over (partition coerce(who))
--                 project id, who, secs, row_number#2 = row_number, count#2 = count
--                   window row_number = row_number() over (partition coerce(who); order is_null(secs) asc nulls last, secs asc nulls last, id asc nulls last, who asc nulls last), count = count(secs) over (partition coerce(who))
--                     scan clicks (id, who, secs)
