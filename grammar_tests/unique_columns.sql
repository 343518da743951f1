# about: Columns that are declared or proven unique, with and without NULLs
# policy: tickets verified
# case: unique_columns/window-over-one-with-nulls
# note: the tickets without a prize are of many people
SELECT COUNT(*) AS n FROM (SELECT MIN(pid) OVER (PARTITION BY prize) AS m FROM tickets) t WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: unique_columns/window-over-one-without-nulls
SELECT COUNT(*) AS n FROM (SELECT MIN(pid) OVER (PARTITION BY seat) AS m FROM seats) t WHERE m = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of seats per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (min#2 = 1)
--         project pid, seat, min#2 = min
--           window min = min(pid) over (partition seat)
--             scan seats (pid, seat)
==
# case: unique_columns/groups-of-one-with-nulls
SELECT SUM(k) AS s FROM (SELECT prize, COUNT(*) AS k FROM tickets GROUP BY prize) t
-- reject DP404  prize leads to one unit: every group would be one individual
--                                                                         ^^^^^
-- help: group by something that many units share
==
# case: unique_columns/groups-of-one-without-nulls
SELECT SUM(k) AS s FROM (SELECT seat, COUNT(*) AS k FROM seats GROUP BY seat) t
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (at most 3 groups per unit (3 rows of seats per pid)); count in [1, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by seat#2 = seat: count = count(*)
--         scan seats (pid, seat)
==
# case: unique_columns/joined
SELECT COUNT(*) AS n FROM seats a JOIN seats b ON a.seat = b.seat
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of seats per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (seat = seat#2)
--         scan seats (pid, seat)
--         scan seats (pid#2, seat#2)
==
# policy: tickets
# case: unique_columns/joined-without-proof
SELECT COUNT(*) AS n FROM seats a JOIN seats b ON a.seat = b.seat
-- reject DP402  the joined rows could belong to two different units
--                                     ^^^^^^^
-- help: join on the unit: a.pid = b.pid
==
# case: unique_columns/window-without-proof
SELECT COUNT(*) AS n FROM (SELECT MIN(pid) OVER (PARTITION BY seat) AS m FROM seats) t WHERE m = 1
-- reject DP301  nothing bounds what MIN reads
--                                    ^^^
-- help: declare bounds for pid in the policy, or write LEAST(GREATEST(x, low), high) around it
-- reject DP303  the values of key are private: no public list of its groups is known
--                                                            ^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
