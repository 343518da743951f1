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
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=25  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: 25 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = hour(at): count = count(*)
--       scan visits (pid, at)
==
# case: functions_times/extract-and-date-part
SELECT EXTRACT(minute FROM at) < 30 AS early, COUNT(*) AS n FROM visits WHERE DATE_PART('second', at) >= 0 GROUP BY early
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=2  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: 2 values; a unit can be in several)
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
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: key: from the public shifts; a unit can be in 3 of them)
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
-- accept
-- sensitivity: sum(CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE))  l0=1 l1=172800 l2=172800 linf=172800 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE) in [0, 86400], proven; summed around 0, the least; a row adds 86400 to sum(CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE)) and sum(CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE) - 86400) together)
-- sensitivity: sum(CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE) - 86400)  l0=1 l1=172800 l2=172800 linf=172800 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE) in [0, 86400], proven; summed around 86400, the greatest; a row adds 86400 to sum(CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE)) and sum(CAST(EPOCH_US("at") AS BIGINT) / CAST('1000000.0' AS DOUBLE) - 86400) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div(coerce(time_number(at)), 1000000))
--       scan visits (pid, at)
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
# case: functions_times/hours-as-times
SELECT MAKE_TIME(HOUR(at) % 24, 0, 0) AS h, COUNT(*) AS n FROM visits GROUP BY h ORDER BY h
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=24  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: time: 24 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by time = mod(hour(at), 24): count = count(*)
--       scan visits (pid, at)
--   answer:
--     sort h asc nulls last
--       project h = key, n = count
--         project key = make_time(time, 0, 0), count
--           released r1 (time, count)
==
# case: functions_times/minutes-as-times-in-sums
SELECT MAKE_TIME(HOUR(at) % 24, MINUTE(at), 30) AS m, SUM(ward) AS s FROM visits WHERE MAKE_TIME(HOUR(at) % 24, MINUTE(at), 30) < TIME '01:00:00' GROUP BY ALL HAVING COUNT(*) > 3
-- accept
-- sensitivity: rows with ward near 0  l0=2 l1=2 l2=2 linf=2 groups=1440  (rows per unit 2, enforced per unit (2 rows of visits per pid); ward in [1, 3], clamped; groups: time: 1440 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with ward near 3  l0=2 l1=2 l2=2 linf=2 groups=1440  (rows per unit 2, enforced per unit (2 rows of visits per pid); ward in [1, 3], clamped; groups: time: 1440 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by time = ((mod(hour(at), 24) * 60) + minute(at)): count = count(*), sum = sum(ward)
--       filter ((((0 + (inside(mod(hour(at), 24), -1, 24) * 3600000000)) + (inside(minute(at), -1, 60) * 60000000)) + (30 * 1000000)) < 3600000000)
--         scan visits (pid, at, ward)
--   answer:
--     project m = key, s = sum
--       filter (count > 3)
--         project key = make_time(intdiv(time, 60), mod(time, 60), 30), count, sum
--           released r1 (time, count, sum)
==
# case: functions_times/hours-of-a-moment-as-times
SELECT CAST(DATE_TRUNC('hour', seen) AS TIME) AS h, ward, COUNT(*) AS n FROM visits GROUP BY h, ward
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=72  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: time: 24 values; ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by time = hour(date_trunc('hour', seen)), ward#2 = ward: count = count(*)
--       scan visits (pid, seen, ward)
--   answer:
--     project h = key, ward#3 = ward#2, n = count
--       project key = make_time(time, 0, 0), ward#2, count
--         released r1 (time, ward#2, count)
==
# case: functions_times/distinct-hours-as-times
SELECT DISTINCT MAKE_TIME(HOUR(seen), 0, 0) AS h FROM visits
-- accept
-- plan:
--   r1:
--     aggregate by time = hour(seen)
--       scan visits (pid, seen)
==
# case: functions_times/hours-as-times-of-a-subquery
SELECT h, ward, COUNT(*) AS n FROM (SELECT MAKE_TIME(HOUR(seen), 0, 0) AS h, ward FROM visits) AS v WHERE ward > 1 GROUP BY h, ward
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=48  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: time: 24 values; ward: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by time = hour(seen), ward#2 = ward: count = count(*)
--       filter (ward > 1)
--         scan visits (pid, seen, ward)
--   answer:
--     project h#2 = h, ward#3 = ward#2, n = count
--       project h = make_time(time, 0, 0), ward#2, count
--         released r1 (time, ward#2, count)
==
# case: functions_times/made-times
SELECT COUNT(MAKE_TIME(ward, ward * 30, 0)) AS n FROM visits WHERE MAKE_TIME(ward, ward, 0) >= '02:00'
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: count = count(make_time(coerce(ward), coerce((ward * 30)), 0))
--       filter ((((0 + (inside(coerce(clamp(ward, 1, 3)), -1, 24) * 3600000000)) + (inside(coerce(clamp(ward, 1, 3)), -1, 60) * 60000000)) + (0 * 1000000)) >= 7200000000)
--         scan visits (pid, ward)
==
# case: functions_times/hour-that-may-be-24
SELECT MAKE_TIME(HOUR(at), 0, 0) AS h, COUNT(*) AS n FROM visits GROUP BY h
-- reject DP307  a group key cannot be of type TIME
--     ^^^^^^^^^^^^^^^^^^^^^^^^
-- help: group by its hour, HOUR(t), or by MAKE_TIME(HOUR(t) % 24, MINUTE(t), 0)
==
# case: functions_times/minutes-that-may-be-90
SELECT MAKE_TIME(HOUR(at) % 24, ward * 30, 0) AS h, COUNT(*) AS n FROM visits GROUP BY h
-- reject DP307  a group key cannot be of type TIME
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: group by its hour, HOUR(t), or by MAKE_TIME(HOUR(t) % 24, MINUTE(t), 0)
==
# case: functions_times/moments-as-times
SELECT CAST(seen AS TIME) AS h, COUNT(*) AS n FROM visits GROUP BY h
-- reject DP307  a group key cannot be of type TIME
--          ^^^^
-- help: group by its hour, HOUR(t), or by MAKE_TIME(HOUR(t) % 24, MINUTE(t), 0)
==
# case: functions_times/parts-that-are-no-whole-numbers
SELECT COUNT(*) AS n FROM visits WHERE MAKE_TIME(1, 2, 3.5) < at
-- reject DP205  make_time: needs whole numbers, not DECIMAL(2,1)
--                                                     ^^^
==
# case: functions_times/times-as-groups
SELECT at, COUNT(*) AS n FROM visits GROUP BY at
-- reject DP307  a group key cannot be of type TIME
--                                            ^^
-- help: group by its hour, HOUR(t), or by MAKE_TIME(HOUR(t) % 24, MINUTE(t), 0)
==
# case: functions_times/earliest
SELECT MIN(at) AS m FROM visits
-- accept
-- sensitivity: quantiles("at" in µs)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); 659,181 points; MIN and MAX are of the rank 66 from the end)
-- plan:
--   r1:
--     aggregate: min = min(time_number(at))
--       scan visits (pid, at)
--   answer:
--     project m = min#2
--       project min#2 = time_at(min)
--         released r1 (min)
==
# case: functions_times/difference
SELECT AVG(DATE_DIFF('minute', at, seen::TIME)) AS a FROM visits
-- reject DP205  date_diff: needs a date or timestamp, not TIME
--                             ^^
==
# case: functions_times/mean
SELECT ward, AVG(at) AS usual FROM visits GROUP BY ward
-- accept
-- sensitivity: sum("at" in µs)  l0=2 l1=172800000000 l2=172800000000 linf=172800000000 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; summed around 0, the least; groups: ward: 3 values; a unit can be in several; a row adds 86400000000 to sum("at" in µs) and sum("at" in µs - 86400000000) together)
-- sensitivity: sum("at" in µs - 86400000000)  l0=2 l1=172800000000 l2=172800000000 linf=172800000000 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; summed around 86400000000, the greatest; groups: ward: 3 values; a unit can be in several; a row adds 86400000000 to sum("at" in µs) and sum("at" in µs - 86400000000) together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: avg = avg(time_number(at))
--       scan visits (pid, at, ward)
--   answer:
--     project ward#3 = ward#2, usual = avg#2
--       project ward#2, avg#2 = time_at(coerce(trunc(avg)))
--         released r1 (ward#2, avg)
==
# case: functions_times/mean-under-a-filter
SELECT AVG(at) FILTER (WHERE ward = 1) AS first, COUNT(at) AS n FROM visits
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- sensitivity: sum(CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END)  l0=1 l1=172800000000 l2=172800000000 linf=172800000000 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END in [0, 86400000000], proven; summed around 0, the least; a row adds 86400000000 to sum(CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END) and sum(CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END - 86400000000) together)
-- sensitivity: sum(CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END - 86400000000)  l0=1 l1=172800000000 l2=172800000000 linf=172800000000 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END in [0, 86400000000], proven; summed around 86400000000, the greatest; a row adds 86400000000 to sum(CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END) and sum(CASE WHEN (ward = 1) THEN CAST(EPOCH_US("at") AS BIGINT) ELSE CAST(NULL AS BIGINT) END - 86400000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case((ward = 1) then time_number(at); else NULL)), count = count(at)
--       scan visits (pid, at, ward)
--   answer:
--     project first = avg#2, n = count
--       project avg#2 = time_at(coerce(trunc(avg))), count
--         released r1 (avg, count)
==
# case: functions_times/quantiles
SELECT MEDIAN(at) AS m, QUANTILE_CONT(at, 0.25) AS lower, QUANTILE_DISC(at, 0.75) AS upper, MAX(at) AS last FROM visits
-- accept
-- sensitivity: quantiles("at" in µs)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); 659,181 points; MIN and MAX are of the rank 197 from the end)
-- plan:
--   r1:
--     aggregate: median = median(time_number(at)), quantile_cont = quantile_cont(time_number(at), 1/4), quantile_disc = quantile_disc(time_number(at), 3/4), max = max(time_number(at))
--       scan visits (pid, at)
--   answer:
--     project m = median#2, lower = quantile_cont#2, upper = quantile_disc#2, last = max#2
--       project median#2 = time_at(inside(coerce(round(median)), -1, 86400000001)), quantile_cont#2 = time_at(inside(coerce(round(quantile_cont)), -1, 86400000001)), quantile_disc#2 = time_at(quantile_disc), max#2 = time_at(max)
--         released r1 (median, quantile_cont, quantile_disc, max)
==
# case: functions_times/list-of-quantiles
SELECT QUANTILE_DISC(at, [0.25, 0.75]) AS q FROM visits
-- reject DP301  nothing bounds what QUANTILE_DISC reads
--                   ^^
-- help: declare values for at in the policy
==
# case: functions_times/mean-of-the-first-ones
SELECT AVG(f) AS usual, MAX(f) AS latest FROM (SELECT pid, MIN(at) AS f FROM visits GROUP BY pid)
-- accept
-- sensitivity: centred sum(CAST(MAKE_TIMESTAMP((min - (min // 86400000000))) AS TIME) in µs)  l0=1 l1=43200000000 l2=43200000000 linf=43200000000 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP((min - (min // 86400000000))) AS TIME) in µs in [0, 86400000000], proven; summed around 43200000000, the middle)
-- sensitivity: count(CAST(MAKE_TIMESTAMP((min - (min // 86400000000))) AS TIME) in µs)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: quantiles(CAST(MAKE_TIMESTAMP((min - (min // 86400000000))) AS TIME) in µs)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); 659,181 points; MIN and MAX are of the rank 95 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(time_number(time_at(min))), max = max(time_number(time_at(min)))
--       aggregate per unit by pid#2 = pid: min = min(inside(time_number(at), -1, 86400000001))
--         scan visits (pid, at)
--   answer:
--     project usual = avg#2, latest = max#2
--       project avg#2 = time_at(coerce(trunc(avg))), max#2 = time_at(max)
--         released r1 (avg, max)
==
# case: functions_times/mean-of-means
SELECT AVG(f) AS usual FROM (SELECT pid, AVG(at) AS f FROM visits GROUP BY pid)
-- accept
-- sensitivity: sum(CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs)  l0=1 l1=86400000000 l2=86400000000 linf=86400000000 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs in [0, 86400000000], proven; summed around 0, the least; a row adds 86400000000 to sum(CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs) and sum(CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs - 86400000000) together)
-- sensitivity: sum(CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs - 86400000000)  l0=1 l1=86400000000 l2=86400000000 linf=86400000000 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs in [0, 86400000000], proven; summed around 86400000000, the greatest; a row adds 86400000000 to sum(CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs) and sum(CAST(MAKE_TIMESTAMP((TRY_CAST(TRUNC(avg) AS BIGINT) - (TRY_CAST(TRUNC(avg) AS BIGINT) // 86400000000))) AS TIME) in µs - 86400000000) together)
-- plan:
--   r1:
--     aggregate: avg#2 = avg(time_number(time_at(try_cast(trunc(avg)))))
--       project pid#2, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 0, 86400000000))
--         aggregate per unit by pid#2 = pid: sum = sum(inside(time_number(at), -1, 86400000001)), count = count(inside(time_number(at), -1, 86400000001))
--           scan visits (pid, at)
--   answer:
--     project usual = avg#3
--       project avg#3 = time_at(coerce(trunc(avg#2)))
--         released r1 (avg#2)
==
# case: functions_times/mean-of-made-ones
SELECT AVG(MAKE_TIME(HOUR(seen), ward, 0)) AS usual, MIN(CAST(seen AS TIME)) AS first FROM visits
-- accept
-- sensitivity: centred sum(MAKE_TIME(HOUR(seen), ward, CAST(0 AS BIGINT)) in µs)  l0=1 l1=86400000000 l2=86400000000 linf=86400000000 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); MAKE_TIME(HOUR(seen), ward, CAST(0 AS BIGINT)) in µs in [0, 86400000000], clamped; summed around 43200000000, the middle)
-- sensitivity: count(MAKE_TIME(HOUR(seen), ward, CAST(0 AS BIGINT)) in µs)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- sensitivity: quantiles(CAST(seen AS TIME) in µs)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); 659,181 points; MIN and MAX are of the rank 190 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(time_number(make_time(hour(seen), coerce(ward), 0))), min = min(time_number(time_of_day(seen)))
--       scan visits (pid, seen, ward)
--   answer:
--     project usual = avg#2, first = min#2
--       project avg#2 = time_at(coerce(trunc(avg))), min#2 = time_at(min)
--         released r1 (avg, min)
==
# case: functions_times/mean-of-public-ones
SELECT AVG(start) AS usual, MIN(start) AS first FROM shifts
-- exact
==
# case: functions_times/mean-of-released-ones
SELECT AVG(usual) AS usual, MAX(usual) AS latest FROM (SELECT ward, AVG(at) AS usual FROM visits GROUP BY ward)
-- accept
-- sensitivity: sum("at" in µs)  l0=2 l1=172800000000 l2=172800000000 linf=172800000000 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; summed around 0, the least; groups: ward: 3 values; a unit can be in several; a row adds 86400000000 to sum("at" in µs) and sum("at" in µs - 86400000000) together)
-- sensitivity: sum("at" in µs - 86400000000)  l0=2 l1=172800000000 l2=172800000000 linf=172800000000 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; summed around 86400000000, the greatest; groups: ward: 3 values; a unit can be in several; a row adds 86400000000 to sum("at" in µs) and sum("at" in µs - 86400000000) together)
-- sensitivity: count(*)  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: ward: 3 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: avg = avg(time_number(at))
--       scan visits (pid, at, ward)
--   answer:
--     project usual#2 = avg#4, latest = max#2
--       project avg#4 = time_at(coerce(trunc(avg#3))), max#2 = time_at(max)
--         aggregate: avg#3 = avg(inside(time_number(usual), -1, 86400000001)), max = max(inside(time_number(usual), -1, 86400000001))
--           project ward#3 = ward#2, usual = avg#2
--             project ward#2, avg#2 = time_at(coerce(trunc(avg)))
--               project ward#2, avg
--                 filter present
--                   released r1 (ward#2, avg, present)
==
# case: functions_times/mean-in-a-window
SELECT AVG(at) OVER (PARTITION BY ward) AS usual FROM visits
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: functions_times/spread
SELECT STDDEV(at) AS spread FROM visits
-- reject DP205  needs a number, not TIME
--            ^^
==
# case: functions_times/means-of-all-sets
SELECT ward, AVG(at) AS usual, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)
-- accept
-- sensitivity: rows with "at" in µs near 0  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with "at" in µs near 86400000000  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows without "at" in µs  l0=2 l1=2 l2=2 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of visits per pid); groups: ward: 3 values; a unit can be in several; a row adds 1 to all 3 weights together)
-- sensitivity: rows with "at" in µs near 0  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; a row adds 1 to all 3 weights together)
-- sensitivity: rows with "at" in µs near 86400000000  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; a row adds 1 to all 3 weights together)
-- sensitivity: rows without "at" in µs  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: avg = avg(time_number(at)), count = count(*)
--       scan visits (pid, at, ward)
--   r2:
--     aggregate: avg#2 = avg(time_number(at#2)), count#2 = count(*)
--       scan visits (pid#2, at#2)
--   answer:
--     project ward#7 = ward#6, usual = avg#9, n = count#7
--       union (ward#6, avg#9, count#7)
--         project ward#4 = ward#3, avg#5 = avg#4, count#4 = count#3
--           project ward#3 = ward#2, avg#4 = avg#3, count#3 = count
--             project ward#2, avg#3 = time_at(coerce(trunc(avg))), count
--               released r1 (ward#2, avg, count)
--         project ward#5 = NULL, avg#8 = avg#7, count#6 = count#5
--           project avg#7 = avg#6, count#5 = count#2
--             project avg#6 = time_at(coerce(trunc(avg#2))), count#2
--               released r2 (avg#2, count#2)
==
# case: functions_times/after-the-mean
SELECT COUNT(*) AS n FROM visits WHERE at > (SELECT AVG(at) FROM visits)
-- accept
-- sensitivity: sum("at" in µs)  l0=1 l1=172800000000 l2=172800000000 linf=172800000000 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; summed around 0, the least; a row adds 86400000000 to sum("at" in µs) and sum("at" in µs - 86400000000) together)
-- sensitivity: sum("at" in µs - 86400000000)  l0=1 l1=172800000000 l2=172800000000 linf=172800000000 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); "at" in µs in [0, 86400000000], proven; summed around 86400000000, the greatest; a row adds 86400000000 to sum("at" in µs) and sum("at" in µs - 86400000000) together)
-- sensitivity: count(*)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- plan:
--   r1:
--     aggregate: avg = avg(time_number(at))
--       scan visits (pid, at)
--   f1:
--     project avg("at") = avg#2
--       project avg#2 = time_at(coerce(trunc(avg)))
--         released r1 (avg)
--   r2:
--     aggregate: count = count(*)
--       join inner on (time_us(at#2) > time_us(avg("at")))
--         scan visits (pid#2, at#2)
--         released f1 (avg("at"))
==
# case: functions_times/mean-of-a-constant
SELECT AVG(TIME '10:00') AS t, MIN(TIME '10:00') AS first FROM visits
-- accept
-- sensitivity: centred sum(36000000000)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); 36000000000 in [36000000000, 36000000000], proven; summed around 36000000000, the middle; every row adds 0: no row is read)
-- sensitivity: count(*)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid))
-- sensitivity: quantiles(36000000000)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (2 rows of visits per pid); 1 points; MIN and MAX are of the rank 24 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(36000000000), min = min(36000000000)
--       scan visits (pid)
--   answer:
--     project t = avg#2, first = min#2
--       project avg#2 = time_at(coerce(trunc(avg))), min#2 = time_at(min)
--         released r1 (avg, min)
