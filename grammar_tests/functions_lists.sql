# about: How long lists are: columns of lists, and lists that are released
# policy: lists
# case: functions_lists/length-in-where
SELECT COUNT(*) AS n FROM notes WHERE LEN(marks) > 1
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (array_length(marks) > 1)
--         scan notes (pid, marks)
==
# case: functions_lists/in-all-spellings
SELECT COUNT(*) AS n FROM notes WHERE LENGTH(marks) = ARRAY_LENGTH(marks) AND LEN(marks) + 1 < 3
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((array_length(marks) = array_length(marks)) AND ((coerce(array_length(marks)) + 1) < 3))
--         scan notes (pid, marks)
==
# case: functions_lists/bounded-sum
SELECT SUM(LEAST(LEN(marks), 3)) AS s, AVG(CASE WHEN LEN(marks) > 2 THEN 1 ELSE 0 END) AS a FROM notes
-- accept
-- sensitivity: rows with ARRAY_LENGTH(marks) > CAST(2 AS BIGINT)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid); a row adds 1 to all 2 weights together)
-- sensitivity: rows without ARRAY_LENGTH(marks) > CAST(2 AS BIGINT)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid); a row adds 1 to all 2 weights together)
-- sensitivity: centred sum(LEAST(ARRAY_LENGTH(marks), CAST(3 AS BIGINT)))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid); LEAST(ARRAY_LENGTH(marks), CAST(3 AS BIGINT)) in [0, 3], proven; summed around 1.5, the middle)
-- plan:
--   r1:
--     aggregate: sum = sum(least(array_length(marks), 3)), avg = avg(case((array_length(marks) > 2) then 1; else 0))
--       scan notes (pid, marks)
==
# case: functions_lists/as-a-key
SELECT LEAST(ARRAY_LENGTH(marks), 2) AS k, COUNT(*) AS n FROM notes GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of notes per pid); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = least(array_length(marks), 2): count = count(*)
--       scan notes (pid, marks)
==
# case: functions_lists/filtered-key
SELECT LEN(marks) AS k, COUNT(*) AS n FROM notes WHERE LEN(marks) BETWEEN 0 AND 2 GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of notes per pid); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = array_length(marks): count = count(*)
--       filter ((array_length(marks) >= 0) AND (array_length(marks) <= 2))
--         scan notes (pid, marks)
==
# case: functions_lists/of-public-rows
SELECT LEN(r.seats) AS k, COUNT(*) AS n FROM notes AS v JOIN rooms AS r ON r.room = v.room GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (2 rows of notes per pid); groups: key: from the public rooms; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = array_length(seats): count = count(*)
--       filter ((room#2 >= 1) AND (room#2 <= 3))
--         join inner on (room#2 = room)
--           scan notes (pid, room)
--           scan rooms (room#2, seats)
==
# case: functions_lists/per-unit
SELECT COUNT(*) AS n FROM (SELECT pid, SUM(LEAST(LEN(marks), 5)) AS m FROM notes GROUP BY pid) AS p WHERE m > 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (sum#2 > 2)
--         project pid#2, sum#2 = sum
--           aggregate per unit by pid#2 = pid: sum = sum(least(array_length(marks), 5))
--             scan notes (pid, marks)
==
# case: functions_lists/of-released-rows
SELECT LEN(LIST(n)) AS l, ARRAY_LENGTH(ARRAY_AGG(room)) AS k FROM (SELECT room, COUNT(*) AS n FROM notes GROUP BY room) AS g
-- accept
-- sensitivity: count(*)  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of notes per pid); groups: room: 3 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by room#2 = room: count = count(*)
--       scan notes (pid, room)
--   answer:
--     project l = array_length(list), k = array_length(list#2)
--       aggregate: list = list(n), list#2 = list(room#3)
--         project room#3 = room#2, n = count
--           project room#2, count
--             filter present
--               released r1 (room#2, count, present)
==
# case: functions_lists/of-quantiles
SELECT LEN(q) AS l FROM (SELECT QUANTILE_DISC(LEAST(LEN(marks), 4), [0.1, 0.5]) AS q FROM notes) AS g
-- accept
-- sensitivity: quantiles(LEAST(ARRAY_LENGTH(marks), CAST(4 AS BIGINT)))  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid); 5 points)
-- plan:
--   r1:
--     aggregate: quantile_disc = quantile_disc(least(array_length(marks), 4), 1/10, 1/2)
--       scan notes (pid, marks)
--   answer:
--     project l = array_length(q)
--       project q = quantile_disc
--         released r1 (quantile_disc)
==
# case: functions_lists/public
SELECT room, ARRAY_LENGTH(seats) AS n FROM rooms
-- exact
==
# case: functions_lists/unbounded-sum
SELECT SUM(LEN(marks)) AS s FROM notes
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_lists/unbounded-key
SELECT LEN(marks) AS k, COUNT(*) AS n FROM notes GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: functions_lists/of-no-list
SELECT COUNT(*) AS n FROM notes WHERE ARRAY_LENGTH(room) > 1
-- reject DP205  array_length: needs a list, not INTEGER
--                                                 ^^^^
==
# case: functions_lists/of-a-dimension
SELECT COUNT(*) AS n FROM notes WHERE ARRAY_LENGTH(marks, 1) > 1
-- reject DP104  the argument 1 of ARRAY_LENGTH is not supported here
--                                                        ^
==
# case: functions_lists/an-element-that-is-a-text
SELECT COUNT(*) AS n FROM notes WHERE marks[1] = 'a'
-- reject DP205  list_element: takes no element of VARCHAR[]
--                                    ^^^^^
==
# case: functions_lists/an-element
SELECT r.seats[1] AS k, COUNT(*) AS n FROM notes AS v JOIN rooms AS r ON r.room = v.room GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (2 rows of notes per pid); groups: key: from the public rooms; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = list_element(seats, 1): count = count(*)
--       filter ((room#2 >= 1) AND (room#2 <= 3))
--         join inner on (room#2 = room)
--           scan notes (pid, room)
--           scan rooms (room#2, seats)
==
# case: functions_lists/an-element-that-is-added-up
SELECT SUM(r.seats[2]) AS t FROM notes AS v JOIN rooms AS r ON r.room = v.room
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: functions_lists/an-element-between-ends
SELECT SUM(LEAST(GREATEST(r.seats[2], 0), 9)) AS s, COUNT(r.seats[1]) AS n FROM notes AS v JOIN rooms AS r ON r.room = v.room
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid))
-- sensitivity: s  l0=1 l1=18 l2=18 linf=18 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid); LEAST(GREATEST(CAST(LIST_EXTRACT(seats, 2) AS INT), 0), 9) in [0, 9], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(least(greatest(list_element(seats, 2), 0), 9)), count = count(list_element(seats, 1))
--       join inner on (room#2 = room)
--         scan notes (pid, room)
--         scan rooms (room#2, seats)
==
# case: functions_lists/elements-of-quantiles
SELECT q[1] AS low, q[3] - q[1] AS width FROM (SELECT QUANTILE_DISC(room, [0.25, 0.5, 0.75]) AS q FROM notes) AS g
-- accept
-- sensitivity: quantiles(room)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of notes per pid); 3 points)
-- plan:
--   r1:
--     aggregate: quantile_disc = quantile_disc(room, 1/4, 1/2, 3/4)
--       scan notes (pid, room)
--   answer:
--     project low = list_element(q, 1), width = (coerce(list_element(q, 3)) - coerce(list_element(q, 1)))
--       project q = quantile_disc
--         released r1 (quantile_disc)
==
# case: functions_lists/an-element-of-released-rows
SELECT LIST(n ORDER BY n DESC)[1] AS most FROM (SELECT room, COUNT(*) AS n FROM notes GROUP BY room) AS g
-- accept
-- sensitivity: count(*)  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of notes per pid); groups: room: 3 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by room#2 = room: count = count(*)
--       scan notes (pid, room)
--   answer:
--     project most = list_element(list, 1)
--       aggregate: list = list(n; order n desc nulls last)
--         project room#3 = room#2, n = count
--           project room#2, count
--             filter present
--               released r1 (room#2, count, present)
==
# case: functions_lists/an-element-from-the-end
SELECT q[-1] AS high FROM (SELECT QUANTILE_DISC(room, [0.25, 0.5, 0.75]) AS q FROM notes) AS g
-- reject DP104  […] takes one element of a list, by a constant place from 1
--     ^
==
# case: functions_lists/several-elements
SELECT q[1:2] AS low FROM (SELECT QUANTILE_DISC(room, [0.25, 0.5, 0.75]) AS q FROM notes) AS g
-- reject DP104  […] takes one element of a list, by a constant place from 1
--     ^^^^^
==
# case: functions_lists/compared
SELECT COUNT(*) AS n FROM notes WHERE marks = ['a']
-- reject DP104  a list can stand only as a constant: in x IN [1, 2] and x = ANY([1, 2])
--                                             ^^^
==
# case: functions_lists/repeated-by-a-join
SELECT SUM(LEAST(LEN(a.marks), 3)) AS s FROM notes AS a JOIN notes AS b ON a.pid = b.pid
-- reject DP501  one unit could cause any amount of work: rows of notes are repeated by a join, and nothing says how long a value of marks is (VARCHAR[])
--                                           ^^^^^^^^^^
-- help: take what is needed of marks before the join, in a subquery with GROUP BY
