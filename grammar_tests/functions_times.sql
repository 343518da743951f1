# about: Times of day: their parts, and comparisons of them
# policy: times
# case: functions_times/hour-in-where
SELECT COUNT(*) AS n FROM visits WHERE HOUR(at) >= 22
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (hour(at) >= 22)
--         scan visits (pid, at)
==
# case: functions_times/hours-as-groups
SELECT HOUR(at) AS h, COUNT(*) AS n FROM visits GROUP BY h
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=26  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: 26 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = hour(at): count = count(*)
--       scan visits (pid, at)
==
# case: functions_times/extract-and-date-part
SELECT EXTRACT(minute FROM at) < 30 AS early, COUNT(*) AS n FROM visits WHERE DATE_PART('second', at) >= 0 GROUP BY early
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (minute(at) < 30): count = count(*)
--       filter (second(at) >= 0)
--         scan visits (pid, at)
==
# case: functions_times/sums-of-parts
SELECT SUM(MINUTE(at)) AS m, AVG(HOUR(at)) AS h, SUM(MILLISECOND(at)) AS ms FROM visits
-- accept
-- sensitivity: sum(HOUR("at"))  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); HOUR("at") in [0, 24], proven; summed around 0, the least; a row adds 24 to sum(HOUR("at")) and sum(HOUR("at") - 24) together)
-- sensitivity: sum(HOUR("at") - 24)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); HOUR("at") in [0, 24], proven; summed around 24, the greatest; a row adds 24 to sum(HOUR("at")) and sum(HOUR("at") - 24) together)
-- sensitivity: m  l0=1 l1=118 l2=118 linf=118 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); MINUTE("at") in [0, 59], proven)
-- sensitivity: ms  l0=1 l1=119998 l2=119998 linf=119998 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CAST(MILLISECOND("at") AS BIGINT) in [0, 59999], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(minute(at)), avg = avg(hour(at)), sum#2 = sum(millisecond(at))
--       scan visits (pid, at)
==
# case: functions_times/compared-with-constants
SELECT COUNT(*) AS n FROM visits WHERE at BETWEEN TIME '06:00:00' AND '12:34:56.789' OR at IN ('24:00:00', TIME '00:00')
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (((time_us(at) >= 21600000000) AND (time_us(at) <= 45296789000)) OR in(time_us(at), 86400000000, 0))
--         scan visits (pid, at)
==
# case: functions_times/night-and-day
SELECT CASE WHEN at >= '22:00' OR at < '06:00' THEN 'night' ELSE 'day' END AS shift, COUNT(*) AS n FROM visits GROUP BY shift
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=2  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case(((time_us(at) >= 79200000000) OR (time_us(at) < 21600000000)) then 'night'; else 'day'): count = count(*)
--       scan visits (pid, at)
==
# case: functions_times/of-a-moment
SELECT HOUR(seen::TIME) AS h, COUNT(*) AS n FROM visits WHERE CAST(seen AS TIME) < '12:00' GROUP BY h
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=24  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: 24 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = hour(seen): count = count(*)
--       filter (inside(time_us(time_of_day(clamp(seen, 2024-01-01 00:00:00, 2024-12-31 00:00:00))), -1, 86400000001) < 43200000000)
--         scan visits (pid, seen)
==
# case: functions_times/with-that-of-a-moment
SELECT COUNT(*) AS n FROM visits WHERE seen::TIME = at OR at IS NULL
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((inside(time_us(time_of_day(clamp(seen, 2024-01-01 00:00:00, 2024-12-31 00:00:00))), -1, 86400000001) = time_us(at)) OR is_null(at))
--         scan visits (pid, at, seen)
==
# case: functions_times/with-public-ones
SELECT start < '12:00' AS morning, COUNT(*) AS n FROM visits JOIN shifts ON shift = ward WHERE at >= start GROUP BY morning
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: from the public shifts; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (time_us(start) < 43200000000): count = count(*)
--       filter ((shift >= 1) AND (shift <= 3))
--         join inner on ((shift = ward) AND (time_us(at) >= time_us(start)))
--           scan visits (pid, at, ward)
--           scan shifts (shift, start)
==
# case: functions_times/how-many-different
SELECT COUNT(at) AS n, COUNT(DISTINCT at) AS d FROM visits
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- sensitivity: d  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: count = count(at), count#2 = count(distinct at)
--       scan visits (pid, at)
==
# case: functions_times/sum-of-what-the-checker-has-no-range-of
SELECT SUM(CENTURY(seen)) AS c, SUM(EPOCH_MS(seen)) AS e, SUM(LAST_DAY(seen) - DATE '2024-01-01') AS d FROM visits
-- accept
-- sensitivity: c  l0=1 l1=42 l2=42 linf=42 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CAST(CENTURY(seen) AS BIGINT) in [21, 21], clamped)
-- sensitivity: e  l0=1 l1=3.4712064e+12 l2=3.4712064e+12 linf=3.4712064e+12 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CAST(EPOCH_MS(seen) AS BIGINT) in [1704067200000, 1735603200000], clamped)
-- sensitivity: d  l0=1 l1=730 l2=730 linf=730 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CAST(LAST_DAY(seen) AS DATE) - CAST('2024-01-01' AS DATE) in [30, 365], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(century(seen)), sum#2 = sum(epoch_ms(seen)), sum#3 = sum(days_between(last_day(seen), 2024-01-01))
--       scan visits (pid, seen)
==
# case: functions_times/day-of-a-time
SELECT COUNT(*) AS n FROM visits WHERE DAY(at) = 3
-- reject DP205  day: needs a date or timestamp, not TIME
--                                         ^^
==
# case: functions_times/epoch-of-a-time
SELECT AVG(EPOCH(at)) AS a FROM visits
-- reject DP205  epoch: needs a date or timestamp, not TIME
--               ^^
==
# case: functions_times/no-time
SELECT COUNT(*) AS n FROM visits WHERE at > '25:00'
-- reject DP205  the constant is no TIME
--                                          ^^^^^^^
==
# case: functions_times/time-of-a-text
SELECT COUNT(*) AS n FROM visits WHERE CAST(ward::VARCHAR AS TIME) > '12:00'
-- reject DP205  CAST from VARCHAR to TIME is not modelled
--                                          ^^^^
==
# case: functions_times/times-as-groups
SELECT at, COUNT(*) AS n FROM visits GROUP BY at
-- reject DP307  a group key cannot be of type TIME
--                                            ^^
-- help: group by whether it is NULL: x IS NULL
==
# case: functions_times/earliest
SELECT MIN(at) AS m FROM visits
-- reject DP301  nothing bounds what MIN reads
--         ^^
-- help: declare values for at in the policy
==
# case: functions_times/difference
SELECT AVG(DATE_DIFF('minute', at, seen::TIME)) AS a FROM visits
-- reject DP205  date_diff: needs a date or timestamp, not TIME
--                             ^^
