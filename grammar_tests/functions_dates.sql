# about: Functions of dates and timestamps, and intervals
# policy: shop
# case: functions_dates/parts
SELECT SUM(YEAR(day)) AS y, SUM(MONTH(day)) AS m, SUM(DAY(day)) AS d FROM orders
-- accept
-- sensitivity: y  l0=1 l1=6072 l2=6072 linf=6072 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); YEAR(day) in [2024, 2024], clamped)
-- sensitivity: m  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); MONTH(day) in [1, 12], clamped)
-- sensitivity: d  l0=1 l1=93 l2=93 linf=93 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DAY(day) in [1, 31], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(year(day)), sum#2 = sum(month(day)), sum#3 = sum(day(day))
--       scan orders (id, customer, day)
==
# case: functions_dates/parts-in-where
SELECT COUNT(*) AS n FROM orders WHERE WEEK(day) < 20 AND DAYOFYEAR(day) > 1 AND ISODOW(day) <> 3 AND DAYOFWEEK(placed) < 6
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((week(clamp(day, 2024-01-01, 2024-12-31)) < 20), (dayofyear(clamp(day, 2024-01-01, 2024-12-31)) > 1), (isodow(clamp(day, 2024-01-01, 2024-12-31)) <> 3), (dayofweek(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) < 6))
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/extract
SELECT COUNT(*) AS n FROM orders WHERE EXTRACT(year FROM day) = 2024
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (year(clamp(day, 2024-01-01, 2024-12-31)) = 2024)
--         scan orders (id, customer, day)
==
# case: functions_dates/unbounded-date-parts
SELECT COUNT(*) AS n FROM customers WHERE YEAR(born + INTERVAL 3 YEAR) > 2000
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (inside(year(plus_interval(coerce(clamp(born, 1920-01-01, 2010-12-31)), 36, 0, 0)), 1922, 2014) > 2000)
--         scan customers (id, born)
==
# case: functions_dates/date-trunc-in-where
SELECT COUNT(*) AS n FROM orders WHERE DATE_TRUNC('week', placed) < TIMESTAMP '2024-05-01 00:00:00' AND DATE_TRUNC('hour', placed) <> placed
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((date_trunc('week', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) < 2024-05-01 00:00:00) AND (date_trunc('hour', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) <> placed))
--         scan orders (id, customer, placed)
==
# case: functions_dates/difference
SELECT AVG(day - DATE '2024-01-01') AS a FROM orders
-- accept
-- sensitivity: sum(day - CAST('2024-01-01' AS DATE))  l0=1 l1=1095 l2=1095 linf=1095 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); day - CAST('2024-01-01' AS DATE) in [0, 365], clamped; summed around 0, the least; a row adds 365 to sum(day - CAST('2024-01-01' AS DATE)) and sum(day - CAST('2024-01-01' AS DATE) - 365) together)
-- sensitivity: sum(day - CAST('2024-01-01' AS DATE) - 365)  l0=1 l1=1095 l2=1095 linf=1095 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); day - CAST('2024-01-01' AS DATE) in [0, 365], clamped; summed around 365, the greatest; a row adds 365 to sum(day - CAST('2024-01-01' AS DATE)) and sum(day - CAST('2024-01-01' AS DATE) - 365) together)
-- plan:
--   r1:
--     aggregate: avg = avg(days_between(day, 2024-01-01))
--       scan orders (id, customer, day)
==
# case: functions_dates/difference-of-columns
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id WHERE o.day - c.born > 7000
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((customer = id) AND (days_between(clamp(day, 2024-01-01, 2024-12-31), clamp(born, 1920-01-01, 2010-12-31)) > 7000))
--         scan customers (id, born)
--         scan orders (id#2, customer, day)
==
# case: functions_dates/date-plus-days
SELECT COUNT(*) AS n FROM orders WHERE day + 30 > DATE '2024-06-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (coerce(plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 0, 30, 0)) > 2024-06-01)
--         scan orders (id, customer, day)
==
# case: functions_dates/cast-to-date
SELECT COUNT(*) AS n FROM orders WHERE CAST(placed AS DATE) = day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (coerce(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) = day)
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/timestamp-parts
SELECT SUM(HOUR(placed)) AS h, SUM(MINUTE(placed)) AS m, SUM(SECOND(placed)) AS s FROM orders
-- accept
-- sensitivity: h  l0=1 l1=69 l2=69 linf=69 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); HOUR(placed) in [0, 23], clamped)
-- sensitivity: m  l0=1 l1=177 l2=177 linf=177 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); MINUTE(placed) in [0, 59], clamped)
-- sensitivity: s  l0=1 l1=177 l2=177 linf=177 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); SECOND(placed) in [0, 59], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(hour(placed)), sum#2 = sum(minute(placed)), sum#3 = sum(second(placed))
--       scan orders (id, customer, placed)
==
# case: functions_dates/case-year
SELECT CASE WHEN YEAR(born) < 1980 THEN 'before' ELSE 'after' END AS c, COUNT(*) AS n FROM customers GROUP BY c
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((year(born) < 1980) then 'before'; else 'after'): count = count(*)
--       scan customers (id, born)
==
# case: functions_dates/now
SELECT COUNT(*) AS n FROM orders WHERE day < CURRENT_DATE
-- reject DP204  the answer would depend on when it is asked
--                                           ^^^^^^^^^^^^
-- help: write a constant, such as DATE '2024-12-31'
==
# case: functions_dates/bad-constant
SELECT COUNT(*) AS n FROM orders WHERE day > 'tomorrow'
-- reject DP205  the constant cannot be read as DATE
--                                           ^^^^^^^^^^
-- help: write it as '2024-12-31'
==
# case: functions_dates/more-parts
SELECT SUM(ISOYEAR(day)) AS y, SUM(QUARTER(day)) AS q, SUM(DECADE(day)) AS d, SUM(EPOCH(day)) AS e FROM orders
-- accept
-- sensitivity: y  l0=1 l1=6075 l2=6075 linf=6075 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); ISOYEAR(day) in [2024, 2025], clamped)
-- sensitivity: q  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); QUARTER(day) in [1, 4], clamped)
-- sensitivity: d  l0=1 l1=606 l2=606 linf=606 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DECADE(day) in [202, 202], clamped)
-- sensitivity: e  l0=1 l1=5206809600 l2=5206809600 linf=5206809600 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); EPOCH(day) in [1704067200, 1735603200], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(isoyear(day)), sum#2 = sum(quarter(day)), sum#3 = sum(decade(day)), sum#4 = sum(epoch(day))
--       scan orders (id, customer, day)
==
# case: functions_dates/parts-in-all-spellings
SELECT COUNT(*) AS n FROM orders WHERE EXTRACT(doy FROM day) > 5 AND DATE_PART('isodow', placed) < 6 AND DATEPART('millisecond', placed) >= 0 AND EXTRACT('century' FROM day) = 21 AND YEARWEEK(day) <> 202410 AND EPOCH_MS(placed) > 0
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((dayofyear(clamp(day, 2024-01-01, 2024-12-31)) > 5), (isodow(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) < 6), (inside(millisecond(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), -1, 60000) >= 0), (inside(century(clamp(day, 2024-01-01, 2024-12-31)), 20, 22) = 21), (inside(yearweek(clamp(day, 2024-01-01, 2024-12-31)), 202400, 202502) <> 202410), (inside(epoch_ms(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), 1704067199999, 1735603200001) > 0))
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/extract-as-a-key
SELECT EXTRACT(quarter FROM placed) AS q, COUNT(*) AS n FROM orders GROUP BY q
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = quarter(placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/yearweek-as-a-key
SELECT YEARWEEK(placed) AS w, COUNT(*) AS n FROM orders WHERE placed < TIMESTAMP '2024-01-20 00:00:00' GROUP BY w
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = yearweek(placed): count = count(*)
--       filter (placed < 2024-01-20 00:00:00)
--         scan orders (id, customer, placed)
==
# case: functions_dates/date-trunc-as-a-key
SELECT DATE_TRUNC('month', placed) AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/dayname
SELECT DAYNAME(placed) AS d, COUNT(*) AS n FROM orders GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=7  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 7 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = dayname(placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/monthname
SELECT MONTHNAME(day) AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = monthname(day): count = count(*)
--       scan orders (id, customer, day)
==
# case: functions_dates/strftime-as-a-key
SELECT STRFTIME(placed, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = strftime(placed, '%Y-%m'): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/strftime-of-fewer-texts-than-rows
SELECT strftime(day, '%Y') AS y, COUNT(*) AS n FROM orders GROUP BY y
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 1 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = strftime(day, '%Y'): count = count(*)
--       scan orders (id, customer, day)
==
# case: functions_dates/strftime-of-a-moment-of-fewer-texts-than-rows
SELECT strftime(placed, '%y/%-m') AS m, COUNT(*) AS n FROM orders
WHERE placed >= TIMESTAMP '2024-11-01' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = strftime(placed, '%y/%-m'): count = count(*)
--       filter (placed >= 2024-11-01 00:00:00)
--         scan orders (id, customer, placed)
==
# case: functions_dates/names-of-few-months
SELECT monthname(day) AS m, COUNT(*) AS n FROM orders WHERE day < DATE '2024-03-01' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = monthname(day): count = count(*)
--       filter (day < 2024-03-01)
--         scan orders (id, customer, day)
==
# case: functions_dates/strftime-in-where
# note: no drawn time is in that hour: the claim is tight all the same
SELECT COUNT(*) AS n FROM orders WHERE STRFTIME('%H', placed) = '09'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (strftime(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), '%H') = '09')
--         scan orders (id, customer, placed)
==
# case: functions_dates/last-day
SELECT LAST_DAY(day) AS d, COUNT(*) AS n FROM orders WHERE day < DATE '2024-04-01' GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = last_day(day): count = count(*)
--       filter (day < 2024-04-01)
--         scan orders (id, customer, day)
==
# case: functions_dates/date-diff
SELECT SUM(DATE_DIFF('month', day, DATE '2024-12-31')) AS m, SUM(DATEDIFF('day', DATE '2024-01-01', day)) AS d FROM orders
-- accept
-- sensitivity: m  l0=1 l1=33 l2=33 linf=33 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('month', day, CAST('2024-12-31' AS DATE)) in [0, 11], clamped)
-- sensitivity: d  l0=1 l1=1095 l2=1095 linf=1095 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST('2024-01-01' AS DATE), day) in [0, 365], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(date_diff('month', day, 2024-12-31)), sum#2 = sum(date_diff('day', 2024-01-01, day))
--       scan orders (id, customer, day)
==
# case: functions_dates/date-diff-of-columns
SELECT AVG(DATE_DIFF('year', c.born, o.day)) AS a FROM customers c JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: sum(DATE_DIFF('year', born, day) - 14)  l0=1 l1=270 l2=270 linf=270 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); DATE_DIFF('year', born, day) in [14, 104], clamped; summed around 14, the least; a row adds 90 to sum(DATE_DIFF('year', born, day) - 14) and sum(DATE_DIFF('year', born, day) - 104) together)
-- sensitivity: sum(DATE_DIFF('year', born, day) - 104)  l0=1 l1=270 l2=270 linf=270 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); DATE_DIFF('year', born, day) in [14, 104], clamped; summed around 104, the greatest; a row adds 90 to sum(DATE_DIFF('year', born, day) - 14) and sum(DATE_DIFF('year', born, day) - 104) together)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('year', born, day))
--       join inner on (customer = id)
--         scan customers (id, born)
--         scan orders (id#2, customer, day)
==
# case: functions_dates/date-sub
SELECT SUM(DATE_SUB('month', DATE '2024-01-31', day)) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=33 l2=33 linf=33 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_SUB('month', CAST('2024-01-31' AS DATE), day) in [0, 11], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(date_sub('month', 2024-01-31, day))
--       scan orders (id, customer, day)
==
# case: functions_dates/age
SELECT SUM(EXTRACT(year FROM AGE(DATE '2024-12-31', born))) AS y FROM customers
-- accept
-- sensitivity: y  l0=1 l1=104 l2=104 linf=104 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(DATE_PART('year', AGE(CAST('2024-12-31 00:00:00' AS TIMESTAMP), born)) AS BIGINT) in [14, 104], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(age_part('year', 2024-12-31 00:00:00, coerce(born)))
--       scan customers (id, born)
==
# case: functions_dates/age-with-an-interval
SELECT COUNT(*) AS n FROM customers WHERE AGE(DATE '2024-12-31', born) >= INTERVAL '18 years'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (age(2024-12-31 00:00:00, coerce(clamp(born, 1920-01-01, 2010-12-31))) >= interval(216, 0, 0))
--         scan customers (id, born)
==
# case: functions_dates/intervals-in-all-spellings
SELECT COUNT(*) AS n FROM orders WHERE day < DATE '2024-02-01' + INTERVAL 3 MONTH AND day < DATE '2024-02-01' + INTERVAL '3' MONTH AND day < DATE '2024-02-01' + INTERVAL '1 year' AND placed + INTERVAL '1 day 2 hours' > TIMESTAMP '2024-01-02 00:00:00' AND placed - INTERVAL (2) WEEK < placed + to_days(3) AND DATE_ADD(day, INTERVAL '1' QUARTER) > day AND INTERVAL (-1) DAY + day < 1 + day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((day < 2024-05-01), (day < 2025-02-01), (plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 1, 7200) > 2024-01-02 00:00:00), (plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, -14, 0) < plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 3, 0)), (plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 3, 0, 0) > try_cast(day)), (plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 0, -1, 0) < coerce(coerce(plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 0, 1, 0)))))
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/intervals-of-intervals
SELECT COUNT(*) AS n FROM orders WHERE day + (INTERVAL 1 MONTH + INTERVAL 3 DAY) > DATE '2024-03-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 1, 3, 0) > 2024-03-01 00:00:00)
--         scan orders (id, customer, day)
==
# case: functions_dates/make-date
SELECT COUNT(*) AS n, SUM(DATE_DIFF('day', MAKE_DATE(2024, units, 31), day)) AS s FROM orders WHERE MAKE_DATE(YEAR(day), MONTH(day), 1) >= DATE '2024-03-01'
-- accept
-- sensitivity: rows with DATE_DIFF('day', CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(31 AS BIGINT)) AS DATE), day) near -273  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(31 AS BIGINT)) AS DATE), day) in [-273, 335], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with DATE_DIFF('day', CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(31 AS BIGINT)) AS DATE), day) near 335  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(31 AS BIGINT)) AS DATE), day) in [-273, 335], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(date_diff('day', make_date(2024, coerce(units), 31), day))
--       filter (make_date(year(clamp(day, 2024-01-01, 2024-12-31)), month(clamp(day, 2024-01-01, 2024-12-31)), 1) >= 2024-03-01)
--         scan orders (id, customer, day, units)
==
# case: functions_dates/time-bucket
SELECT TIME_BUCKET(INTERVAL '1 week', day) AS w, COUNT(*) AS n FROM orders WHERE day < DATE '2024-02-01' GROUP BY w
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = time_bucket(interval(0, 7, 0), day): count = count(*)
--       filter (day < 2024-02-01)
--         scan orders (id, customer, day)
==
# case: functions_dates/strptime
SELECT COUNT(*) AS n FROM orders WHERE placed > STRPTIME('31/01/2024', '%d/%m/%Y') OR placed = TRY_STRPTIME('x', '%Y')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((placed > 2024-01-31 00:00:00) OR (placed = NULL))
--         scan orders (id, customer, placed)
==
# case: functions_dates/now-function
SELECT COUNT(*) AS n FROM orders WHERE placed < NOW()
-- reject DP204  the answer would depend on when it is asked
--                                              ^^^
-- help: write a constant, such as DATE '2024-12-31'
==
# case: functions_dates/age-of-today
SELECT COUNT(*) AS n FROM customers WHERE EXTRACT(year FROM AGE(born)) > 18
-- reject DP204  the answer would depend on when it is asked
--                                                          ^^^^^^^^
-- help: write a constant, such as DATE '2024-12-31'
==
# case: functions_dates/strftime-of-a-column
SELECT COUNT(*) AS n FROM orders WHERE STRFTIME(day, status) = 'x'
-- reject DP205  strftime: needs a constant format
--                                                   ^^^^^^
==
# case: functions_dates/strftime-unknown-specifier
SELECT COUNT(*) AS n FROM orders WHERE STRFTIME(day, '%n') = 'x'
-- reject DP205  strftime: the format specifier %n is not known
--                                     ^^^^^^^^^^^^
==
# case: functions_dates/strptime-of-a-column
SELECT COUNT(*) AS n FROM orders WHERE STRPTIME(status, '%Y') < placed
-- reject DP104  strptime takes two constant strings
--                                     ^^^^^^^^^^^^^^^
-- help: use TRY_CAST(… AS DATE), which gives NULL where the text is no date
==
# case: functions_dates/interval-of-a-column
SELECT COUNT(*) AS n FROM orders WHERE day + INTERVAL (units) DAY > DATE '2024-03-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (plus_days(clamp(day, 2024-01-01, 2024-12-31), clamp(units, 1, 9)) > 2024-03-01)
--         scan orders (id, customer, day, units)
==
# case: functions_dates/interval-without-unit
SELECT COUNT(*) AS n FROM orders WHERE day + INTERVAL '3' > DATE '2024-03-01'
-- reject DP104  an interval must be a constant such as INTERVAL '3' MONTH
--                                                    ^^^
-- help: write INTERVAL '3' DAY
==
# case: functions_dates/intervals-with-short-units
SELECT COUNT(*) AS n FROM orders WHERE placed + INTERVAL '90 m' > placed + INTERVAL '1h 29min 59 s' AND placed < placed + INTERVAL '-1 mon +40 d'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 0, 5400) > plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 0, 5399)) AND (placed < plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), -1, 40, 0)))
--         scan orders (id, customer, placed)
==
# case: functions_dates/interval-as-a-sum
SELECT SUM(AGE(DATE '2024-12-31', born)) AS a FROM customers
-- reject DP205  needs a number, not INTERVAL
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use its seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/interval-as-a-key
SELECT AGE(DATE '2024-12-31', born) AS a, COUNT(*) AS n FROM customers GROUP BY a
-- reject DP307  a group key cannot be of type INTERVAL
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use its months or days: EXTRACT(month FROM …)
==
# case: functions_dates/unknown-part
SELECT COUNT(*) AS n FROM orders WHERE EXTRACT(timezone FROM placed) = 0
-- reject DP204  the date part TIMEZONE is not supported
--                                                           ^^^^^^
==
# case: functions_dates/unknown-unit
SELECT COUNT(*) AS n FROM orders WHERE DATE_DIFF('dow', day, placed) = 0
-- reject DP205  date_diff: needs one of millennium, century, decade, year, quarter, month, week, day, hour, minute, second, millisecond, microsecond, isoyear
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: functions_dates/epoch-ns
SELECT COUNT(*) AS n FROM orders WHERE EPOCH_NS(placed) > 0
-- reject DP204  the function epoch_ns is not on the allow-list
--                                     ^^^^^^^^^^^^^^^
==
# case: functions_dates/moment-of-a-number
SELECT COUNT(*) AS n FROM orders WHERE EPOCH_MS(total) > placed
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (make_timestamp(inside(coerce(inside((coerce(clamp(total, -9000000000000000000, 9000000000000000000)) * 1000), -9223372036854775809, 9223372036854775808)), -62135596800000001, 253402300800000000)) > placed)
--         scan orders (id, customer, placed, total)
==
# case: functions_dates/bucket-with-origin
SELECT COUNT(*) AS n FROM orders WHERE TIME_BUCKET(INTERVAL '1 week', day, DATE '2024-01-02') = day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (coerce(coerce(plus_interval(coerce(time_bucket(interval(0, 7, 0), coerce(plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 0, -1, 0)))), 0, 1, 0))) = day)
--         scan orders (id, customer, day)
==
# case: functions_dates/buckets-with-offset
SELECT TIME_BUCKET(INTERVAL '4 months', day, INTERVAL '1 month') AS b, COUNT(*) AS n FROM orders GROUP BY b
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(plus_interval(time_bucket(interval(4, 0, 0), plus_interval(coerce(day), -1, 0, 0)), 1, 0, 0)): count = count(*)
--       scan orders (id, customer, day)
==
# case: functions_dates/bucket-with-origin-within-a-month
SELECT COUNT(*) AS n FROM orders WHERE TIME_BUCKET(INTERVAL '1 month', day, DATE '2024-01-02') = day
-- reject DP205  needs a constant origin, of months the first of one, or an offset such as 2 days
--                                                                               ^^^^^^^^^^^^
==
# case: functions_dates/bucket-with-origin-of-rows
SELECT COUNT(*) AS n FROM orders WHERE TIME_BUCKET(INTERVAL '1 week', day, placed) = day
-- reject DP205  needs a constant origin, of months the first of one, or an offset such as 2 days
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: functions_dates/difference-of-timestamps
SELECT AVG(EXTRACT(epoch FROM placed - TIMESTAMP '2024-01-01')) / 86400 AS d FROM orders
-- accept
-- sensitivity: sum(DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE))  l0=1 l1=94608000 l2=94608000 linf=94608000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE) in [0, 31536000], clamped; summed around 0, the least; a row adds 31536000 to sum(DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE)) and sum(DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE) - 31536000) together)
-- sensitivity: sum(DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE) - 31536000)  l0=1 l1=94608000 l2=94608000 linf=94608000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE) in [0, 31536000], clamped; summed around 31536000, the greatest; a row adds 31536000 to sum(DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE)) and sum(DATE_DIFF('microsecond', CAST('2024-01-01 00:00:00' AS TIMESTAMP), placed) / CAST('1000000.0' AS DOUBLE) - 31536000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div(coerce(date_diff('microsecond', 2024-01-01 00:00:00, placed)), 1000000))
--       scan orders (id, customer, placed)
==
# case: functions_dates/difference-of-a-timestamp-and-a-date
SELECT SUM(EPOCH(placed - day)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=94608000 l2=94608000 linf=94608000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('microsecond', day, placed) / CAST('1000000.0' AS DOUBLE) in [-31536000, 31536000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(div(coerce(date_diff('microsecond', coerce(day), placed)), 1000000))
--       scan orders (id, customer, day, placed)
==
# case: functions_dates/difference-compared
SELECT COUNT(*) AS n FROM orders WHERE placed - day >= INTERVAL '36 hours'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) >= 129600000000)
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/difference-within
SELECT COUNT(*) AS n FROM orders WHERE day - placed BETWEEN INTERVAL '-1 month' AND INTERVAL '1 month 2 hours'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((date_diff('microsecond', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), coerce(clamp(day, 2024-01-01, 2024-12-31))) >= -2592000000000) AND (date_diff('microsecond', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), coerce(clamp(day, 2024-01-01, 2024-12-31))) <= 2599200000000))
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/days-of-a-difference
SELECT EXTRACT(day FROM TIMESTAMP '2024-12-31' - placed) AS d, COUNT(*) AS n FROM orders GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 366 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = elapsed_part('day', elapsed(2024-12-31 00:00:00, placed)): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/hours-of-a-difference
SELECT SUM(EXTRACT(hour FROM placed - day)) AS h, SUM(EXTRACT(minute FROM placed - day)) AS m, SUM(EXTRACT(second FROM placed - day)) AS s FROM orders
-- accept
-- sensitivity: h  l0=1 l1=69 l2=69 linf=69 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_PART('hour', (placed - day)) in [-23, 23], clamped)
-- sensitivity: m  l0=1 l1=177 l2=177 linf=177 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_PART('minute', (placed - day)) in [-59, 59], clamped)
-- sensitivity: s  l0=1 l1=177 l2=177 linf=177 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_PART('second', (placed - day)) in [-59, 59], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(elapsed_part('hour', elapsed(placed, coerce(day)))), sum#2 = sum(elapsed_part('minute', elapsed(placed, coerce(day)))), sum#3 = sum(elapsed_part('second', elapsed(placed, coerce(day))))
--       scan orders (id, customer, day, placed)
==
# case: functions_dates/difference-in-a-case
SELECT CASE WHEN placed - day < INTERVAL '1 day' THEN 'fast' ELSE 'slow' END AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((date_diff('microsecond', coerce(day), placed) < 86400000000) then 'fast'; else 'slow'): count = count(*)
--       scan orders (id, customer, day, placed)
==
# case: functions_dates/differences-per-unit
SELECT AVG(t) AS a FROM (SELECT customer, SUM(EXTRACT(epoch FROM placed - day)) AS t FROM orders GROUP BY customer) AS x
-- accept
-- sensitivity: sum(sum + 94608000)  l0=1 l1=189216000 l2=189216000 linf=189216000 groups=1  (rows per unit 1, proven (one group per unit); sum in [-94608000, 94608000], clamped; summed around -94608000, the least; a row adds 189216000 to sum(sum + 94608000) and sum(sum - 94608000) together)
-- sensitivity: sum(sum - 94608000)  l0=1 l1=189216000 l2=189216000 linf=189216000 groups=1  (rows per unit 1, proven (one group per unit); sum in [-94608000, 94608000], clamped; summed around 94608000, the greatest; a row adds 189216000 to sum(sum + 94608000) and sum(sum - 94608000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#2, sum#2 = (coerce(sum) * 1/32768)
--         aggregate per unit by customer#2 = customer: sum = sum(steps(div(coerce(date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))), 1000000), 1/32768))
--           scan orders (id, customer, day, placed)
==
# case: functions_dates/difference-of-unbounded-years
SELECT COUNT(*) AS n FROM orders WHERE EXTRACT(month FROM placed - day) = 1
-- reject DP104  the part MONTH of a difference of timestamps is not supported
--                                                        ^^^^^^^^^^^^
-- help: use EXTRACT(epoch FROM a - b), or DATE_DIFF
==
# case: functions_dates/difference-averaged
SELECT AVG(placed - day) AS a FROM orders
-- accept
-- sensitivity: sum(placed - day in µs + 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around -31536000000000, the least; a row adds 63072000000000 to sum(placed - day in µs + 31536000000000) and sum(placed - day in µs - 31536000000000) together)
-- sensitivity: sum(placed - day in µs - 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around 31536000000000, the greatest; a row adds 63072000000000 to sum(placed - day in µs + 31536000000000) and sum(placed - day in µs - 31536000000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', coerce(day), placed))
--       scan orders (id, customer, day, placed)
--   answer:
--     project a = avg#2
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--         released r1 (avg)
==
# case: functions_dates/a-number-of-days-later
SELECT COUNT(*) AS n FROM orders WHERE day + units > DATE '2024-06-01' AND placed - TO_DAYS(units) < day AND DATE_ADD(day, INTERVAL (units - 1) DAY) <> placed AND day + units * INTERVAL 2 WEEK > day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((plus_days(clamp(day, 2024-01-01, 2024-12-31), clamp(units, 1, 9)) > 2024-06-01), (plus_days(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), (0 - clamp(units, 1, 9))) < try_cast(day)), (coerce(plus_days(clamp(day, 2024-01-01, 2024-12-31), (clamp(units, 1, 9) - 1))) <> placed), (plus_days(clamp(day, 2024-01-01, 2024-12-31), (clamp(units, 1, 9) * 14)) > day))
--         scan orders (id, customer, day, placed, units)
==
# case: functions_dates/days-until-a-number-of-days-later
SELECT AVG(DATE_DIFF('day', DATE '2024-01-01', day + units)) AS a, SUM((day - units) - DATE '2024-12-31') AS s FROM orders
-- accept
-- sensitivity: sum(DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) - 1)  l0=1 l1=1119 l2=1119 linf=1119 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) in [1, 374], clamped; summed around 1, the least; a row adds 373 to sum(DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) - 1) and sum(DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) - 374) together)
-- sensitivity: sum(DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) - 374)  l0=1 l1=1119 l2=1119 linf=1119 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) in [1, 374], clamped; summed around 374, the greatest; a row adds 373 to sum(DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) - 1) and sum(DATE_DIFF('day', CAST('2024-01-01' AS DATE), CAST((day + units) AS DATE)) - 374) together)
-- sensitivity: s  l0=1 l1=1122 l2=1122 linf=1122 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST((day + (0 - units)) AS DATE) - CAST('2024-12-31' AS DATE) in [-374, -1], clamped)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('day', 2024-01-01, plus_days(day, units))), sum = sum(days_between(plus_days(day, (0 - units)), 2024-12-31))
--       scan orders (id, customer, day, units)
==
# case: functions_dates/least-of-a-number-of-days-later
SELECT MIN(day + units) AS low, MAX(placed + INTERVAL (units) DAY) AS high FROM orders
-- accept
-- sensitivity: low  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 374 points; MIN and MAX are of the rank 108 from the end)
-- sensitivity: high  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 32,227,201 points; MIN and MAX are of the rank 244 from the end)
-- plan:
--   r1:
--     aggregate: min = min(plus_days(day, units)), max = max(plus_days(placed, units))
--       scan orders (id, customer, day, placed, units)
==
# case: functions_dates/groups-of-a-number-of-days-later
SELECT DATE_TRUNC('month', day + units) AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=13  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 13 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', coerce(plus_days(day, units))): count = count(*)
--       scan orders (id, customer, day, units)
==
# case: functions_dates/within-a-number-of-days
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer AND a.day BETWEEN b.day AND b.day + b.units
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((customer = customer#2), (day >= day#2), (day <= plus_days(clamp(day#2, 2024-01-01, 2024-12-31), clamp(units, 1, 9))))
--         filter (number_up_to_3 <= 3)
--           project id, customer, day, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last)
--               scan orders (id, customer, day)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, day#2, units, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last, units asc nulls last)
--               scan orders (id#2, customer#2, day#2, units)
==
# case: functions_dates/undeclared-number-of-days
SELECT COUNT(*) AS n FROM orders WHERE day + code > DATE '2024-06-01' AND placed + TO_DAYS(id) > day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((plus_days(clamp(day, 2024-01-01, 2024-12-31), coerce(code)) > 2024-06-01) AND (plus_days(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), inside(coerce(inside(id, -2147483649, 2147483648)), -3660001, 3660001)) > try_cast(day)))
--         scan orders (id, customer, day, placed, code)
==
# case: functions_dates/number-of-days-with-a-fraction
SELECT COUNT(*) AS n FROM orders WHERE day + INTERVAL (weight) DAY > DATE '2024-06-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (plus_days(clamp(day, 2024-01-01, 2024-12-31), coerce(trunc(clamp(weight, 0, 2828823515942093/140737488355328)))) > 2024-06-01)
--         scan orders (id, customer, day, weight)
==
# case: functions_dates/number-of-hours-and-years
SELECT COUNT(*) AS n FROM orders WHERE placed - INTERVAL (units) HOUR > day AND placed + units * INTERVAL 2 MINUTE <> day AND day + TO_YEARS(units) > placed AND DATE_ADD(day, INTERVAL (units - 1) QUARTER) >= day AND placed + INTERVAL (units) SECOND > placed
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((plus_seconds(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), (0 - coerce((clamp(units, 1, 9) * 3600)))) > try_cast(day)), (plus_seconds(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), coerce((clamp(units, 1, 9) * 120))) <> try_cast(day)), (plus_months(coerce(clamp(day, 2024-01-01, 2024-12-31)), (clamp(units, 1, 9) * 12)) > placed), (plus_months(coerce(clamp(day, 2024-01-01, 2024-12-31)), ((clamp(units, 1, 9) - 1) * 3)) >= try_cast(day)), (plus_seconds(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), coerce(clamp(units, 1, 9))) > placed))
--         scan orders (id, customer, day, placed, units)
==
# case: functions_dates/days-until-a-number-of-months-later
SELECT AVG(DATE_DIFF('day', DATE '2024-01-01', day + INTERVAL (units) MONTH)) AS a, SUM(DATE_DIFF('minute', placed, placed + INTERVAL (units) HOUR)) AS s FROM orders
-- accept
-- sensitivity: sum(DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) - 31)  l0=1 l1=1821 l2=1821 linf=1821 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) in [31, 638], clamped; summed around 31, the least; a row adds 607 to sum(DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) - 31) and sum(DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) - 638) together)
-- sensitivity: sum(DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) - 638)  l0=1 l1=1821 l2=1821 linf=1821 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) in [31, 638], clamped; summed around 638, the greatest; a row adds 607 to sum(DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) - 31) and sum(DATE_DIFF('day', CAST('2024-01-01 00:00:00' AS TIMESTAMP), CAST((day + TO_MONTHS(units)) AS TIMESTAMP)) - 638) together)
-- sensitivity: s  l0=1 l1=1578420 l2=1578420 linf=1578420 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('minute', placed, CAST((placed + TO_MICROSECONDS((CAST((units * 3600) AS BIGINT) * 1000000))) AS TIMESTAMP)) in [-525540, 526140], clamped)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('day', 2024-01-01 00:00:00, plus_months(coerce(day), units))), sum = sum(date_diff('minute', placed, plus_seconds(placed, coerce((units * 3600)))))
--       scan orders (id, customer, day, placed, units)
==
# case: functions_dates/least-of-a-number-of-months-later
SELECT MIN(placed + INTERVAL (units) MONTH) AS low, MAX(day - INTERVAL (units) HOUR) AS high FROM orders
-- accept
-- sensitivity: low  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 52,531,200 points; MIN and MAX are of the rank 250 from the end)
-- sensitivity: high  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 3,294 points; MIN and MAX are of the rank 134 from the end)
-- plan:
--   r1:
--     aggregate: min = min(plus_months(placed, units)), max = max(plus_seconds(coerce(day), (0 - coerce((units * 3600)))))
--       scan orders (id, customer, day, placed, units)
==
# case: functions_dates/groups-of-a-number-of-months-later
SELECT DATE_TRUNC('month', day + TO_MONTHS(units)) AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=20  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 20 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', plus_months(coerce(day), units)): count = count(*)
--       scan orders (id, customer, day, units)
==
# case: functions_dates/within-a-number-of-months
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer AND a.day BETWEEN b.day AND b.day + INTERVAL (b.units) MONTH
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((customer = customer#2), (day >= day#2), (try_cast(day) <= plus_months(coerce(clamp(day#2, 2024-01-01, 2024-12-31)), clamp(units, 1, 9))))
--         filter (number_up_to_3 <= 3)
--           project id, customer, day, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last)
--               scan orders (id, customer, day)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, day#2, units, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last, units asc nulls last)
--               scan orders (id#2, customer#2, day#2, units)
==
# case: functions_dates/undeclared-number-of-months
SELECT COUNT(*) AS n FROM orders WHERE day + INTERVAL (code) MONTH > DATE '2024-06-01' AND placed + TO_HOURS(id) > day AND placed - INTERVAL (total) SECOND < day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((plus_months(coerce(clamp(day, 2024-01-01, 2024-12-31)), inside(coerce(code), -12001, 12001)) > 2024-06-01 00:00:00), (plus_seconds(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), inside(coerce(inside((coerce(id) * 3600), -9223372036854775809, 9223372036854775808)), -100000000001, 100000000001)) > try_cast(day)), (plus_seconds(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), inside((0 - clamp(total, -9000000000000000000, 9000000000000000000)), -100000000001, 100000000001)) < try_cast(day)))
--         scan orders (id, customer, day, placed, code, total)
==
# case: functions_dates/number-of-seconds-with-a-fraction
SELECT COUNT(*) AS n FROM orders WHERE placed + INTERVAL (weight) SECOND > day
-- reject DP205  needs a whole number of seconds, not DOUBLE
--                                                        ^^^^^^
==
# case: functions_dates/number-of-months-with-a-fraction
SELECT COUNT(*) AS n FROM orders WHERE day + weight * INTERVAL 1 MONTH > DATE '2024-06-01'
-- reject DP205  *: needs a number, not INTERVAL
--                                           ^^^^^^
-- help: use its seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/number-of-months-and-days
SELECT COUNT(*) AS n FROM orders WHERE day + units * INTERVAL '1 month 2 days' > DATE '2024-06-01'
-- reject DP205  *: needs a number, not INTERVAL
--                                                            ^^^^^^^^^^^^^^^^
-- help: use its seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/number-of-microseconds
SELECT COUNT(*) AS n FROM orders WHERE placed + INTERVAL (units) MICROSECOND > placed
-- reject DP104  intervals of MICROSECOND are not supported
--                                                        ^^^^^
==
# case: functions_dates/number-of-months
SELECT COUNT(*) AS n FROM orders WHERE day + INTERVAL (units) MONTH > DATE '2024-06-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (plus_months(coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(units, 1, 9)) > 2024-06-01 00:00:00)
--         scan orders (id, customer, day, units)
==
# case: functions_dates/sums-of-parts-of-ages-and-of-far-units
SELECT SUM(DATE_PART('month', AGE(TIMESTAMP '2024-12-31', born))) AS m, AVG(MILLENNIUM(born)) AS k, SUM(YEARWEEK(born)) AS w, SUM(JULIAN(born)) AS j FROM customers
-- accept
-- sensitivity: centred sum(CAST(MILLENNIUM(born) AS BIGINT))  l0=1 l1=0.5 l2=0.5 linf=0.5 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(MILLENNIUM(born) AS BIGINT) in [2, 3], clamped; summed around 2.5, the middle)
-- sensitivity: count(CAST(MILLENNIUM(born) AS BIGINT))  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: m  l0=1 l1=11 l2=11 linf=11 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(DATE_PART('month', AGE(CAST('2024-12-31 00:00:00' AS TIMESTAMP), born)) AS BIGINT) in [0, 11], clamped)
-- sensitivity: w  l0=1 l1=201052 l2=201052 linf=201052 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(YEARWEEK(born) AS BIGINT) in [192001, 201052], clamped)
-- sensitivity: j  l0=1 l1=2455562 l2=2455562 linf=2455562 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(JULIAN(born) AS DOUBLE) in [2.42232e+06, 2.45556e+06], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(age_part('month', 2024-12-31 00:00:00, coerce(born))), avg = avg(millennium(born)), sum#2 = sum(yearweek(born)), sum#3 = sum(julian(born))
--       scan customers (id, born)
==
# case: functions_dates/sums-of-days-between-made-dates
SELECT SUM(LAST_DAY(day) - day) AS l, SUM(TIME_BUCKET(INTERVAL 7 DAYS, day) - day) AS b, AVG(MAKE_DATE(2024, units, 1) - day) AS d FROM orders
-- accept
-- sensitivity: sum(CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day + 365)  l0=1 l1=1827 l2=1827 linf=1827 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day in [-365, 244], clamped; summed around -365, the least; a row adds 609 to sum(CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day + 365) and sum(CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day - 244) together)
-- sensitivity: sum(CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day - 244)  l0=1 l1=1827 l2=1827 linf=1827 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day in [-365, 244], clamped; summed around 244, the greatest; a row adds 609 to sum(CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day + 365) and sum(CAST(MAKE_DATE(CAST(2024 AS BIGINT), units, CAST(1 AS BIGINT)) AS DATE) - day - 244) together)
-- sensitivity: l  l0=1 l1=1095 l2=1095 linf=1095 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(LAST_DAY(day) AS DATE) - day in [-335, 365], clamped)
-- sensitivity: b  l0=1 l1=1095 l2=1095 linf=1095 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(TIME_BUCKET(INTERVAL '7' DAY, day) AS DATE) - day in [-365, 364], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(days_between(last_day(day), day)), sum#2 = sum(days_between(time_bucket(interval(0, 7, 0), day), day)), avg = avg(days_between(make_date(2024, coerce(units), 1), day))
--       scan orders (id, customer, day, units)
==
# case: functions_dates/mean-of-moments
SELECT AVG(placed) AS usual, MIN(placed) AS first FROM orders
-- accept
-- sensitivity: centred sum(placed in µs)  l0=1 l1=4.7304e+13 l2=4.7304e+13 linf=4.7304e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed in µs in [1704067200000000, 1735603200000000], clamped; summed around 1719835200000000, the middle)
-- sensitivity: count(placed in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: first  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 31,536,001 points; MIN and MAX are of the rank 353 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, placed)), min = min(placed)
--       scan orders (id, customer, placed)
--   answer:
--     project usual = avg#2, first = min
--       project avg#2 = make_timestamp(coerce(trunc(avg))), min
--         released r1 (avg, min)
==
# case: functions_dates/mean-of-days
SELECT AVG(day) AS usual, AVG(DISTINCT day) AS apart FROM orders
-- accept
-- sensitivity: centred sum(day in µs)  l0=1 l1=4.7304e+13 l2=4.7304e+13 linf=4.7304e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); day in µs in [1704067200000000, 1735603200000000], clamped; summed around 1719835200000000, the middle)
-- sensitivity: count(day in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(distinct day in µs)  l0=1 l1=5.2068096e+15 l2=5.2068096e+15 linf=5.2068096e+15 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); day in µs in [1704067200000000, 1735603200000000], clamped)
-- sensitivity: count(distinct day in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, coerce(day))), avg#2 = avg(distinct date_diff('microsecond', 1970-01-01 00:00:00, coerce(day)))
--       scan orders (id, customer, day)
--   answer:
--     project usual = avg#3, apart = avg#4
--       project avg#3 = make_timestamp(coerce(trunc(avg))), avg#4 = make_timestamp(coerce(trunc(avg#2)))
--         released r1 (avg, avg#2)
==
# case: functions_dates/mean-of-days-under-a-filter
SELECT AVG(day) FILTER (WHERE day > DATE '2024-03-01') AS usual FROM orders
-- accept
-- sensitivity: sum(CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END - 1709337600000000)  l0=1 l1=7.87968e+13 l2=7.87968e+13 linf=7.87968e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END in [1709337600000000, 1735603200000000], clamped; summed around 1709337600000000, the least; a row adds 26265600000000 to sum(CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END - 1709337600000000) and sum(CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END - 1735603200000000) together)
-- sensitivity: sum(CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END - 1735603200000000)  l0=1 l1=7.87968e+13 l2=7.87968e+13 linf=7.87968e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END in [1709337600000000, 1735603200000000], clamped; summed around 1735603200000000, the greatest; a row adds 26265600000000 to sum(CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END - 1709337600000000) and sum(CASE WHEN (day > CAST('2024-03-01' AS DATE)) THEN DATE_DIFF('microsecond', CAST('1970-01-01 00:00:00' AS TIMESTAMP), day) ELSE CAST(NULL AS BIGINT) END - 1735603200000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case((day > 2024-03-01) then date_diff('microsecond', 1970-01-01 00:00:00, coerce(day)); else NULL))
--       scan orders (id, customer, day)
--   answer:
--     project usual = avg#2
--       project avg#2 = make_timestamp(coerce(trunc(avg)))
--         released r1 (avg)
==
# case: functions_dates/quantiles-of-differences
SELECT MEDIAN(placed - CAST(day AS TIMESTAMP)) AS m, MAX(placed - CAST(day AS TIMESTAMP)) AS most FROM orders
-- accept
-- sensitivity: quantiles(placed - CAST(day AS TIMESTAMP) in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 939,849 points; MIN and MAX are of the rank 210 from the end)
-- plan:
--   r1:
--     aggregate: median = median(date_diff('microsecond', cast(day), placed)), max = max(date_diff('microsecond', cast(day), placed))
--       scan orders (id, customer, day, placed)
--   answer:
--     project m = median#2, most = max#2
--       project median#2 = elapsed(make_timestamp(coerce(round(median))), 1970-01-01 00:00:00), max#2 = elapsed(make_timestamp(max), 1970-01-01 00:00:00)
--         released r1 (median, max)
==
# case: functions_dates/continuous-quantile-of-differences
SELECT QUANTILE_CONT(placed - CAST(day AS TIMESTAMP), 0.5) AS m FROM orders
-- reject DP205  needs a number or a date, not INTERVAL
--                   ^^^^^^^^^^^^^^^^^
-- help: use MEDIAN, or QUANTILE_DISC of one fraction
==
# case: functions_dates/mean-gap
WITH gaps AS (SELECT placed - LAG(placed) OVER (PARTITION BY customer ORDER BY placed, id) AS gap FROM orders) SELECT AVG(gap) AS gap, COUNT(gap) AS n FROM gaps
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: sum(placed - lag in µs + 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - lag in µs in [-31536000000000, 31536000000000], clamped; summed around -31536000000000, the least; a row adds 63072000000000 to sum(placed - lag in µs + 31536000000000) and sum(placed - lag in µs - 31536000000000) together)
-- sensitivity: sum(placed - lag in µs - 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - lag in µs in [-31536000000000, 31536000000000], clamped; summed around 31536000000000, the greatest; a row adds 63072000000000 to sum(placed - lag in µs + 31536000000000) and sum(placed - lag in µs - 31536000000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(interval_us(elapsed(placed, lag#2))), count = count(elapsed(placed, lag#2))
--       project id, customer, placed, lag#2 = lag
--         window lag = lag(placed) over (partition customer; order placed asc nulls last, id asc nulls last, customer asc nulls last)
--           scan orders (id, customer, placed)
--   answer:
--     project gap = avg#2, n = count
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00), count
--         released r1 (avg, count)
==
# case: functions_dates/mean-of-a-conditional-difference
SELECT AVG(d) AS d FROM (SELECT CASE WHEN total > 10 THEN placed - TIMESTAMP '2024-01-01' END AS d FROM orders)
-- accept
-- sensitivity: sum(CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs)  l0=1 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs in [0, 31536000000000], clamped; summed around 0, the least; a row adds 31536000000000 to sum(CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs) and sum(CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs - 31536000000000) together)
-- sensitivity: sum(CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs - 31536000000000)  l0=1 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs in [0, 31536000000000], clamped; summed around 31536000000000, the greatest; a row adds 31536000000000 to sum(CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs) and sum(CASE WHEN (total > CAST(10 AS BIGINT)) THEN (placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP)) ELSE CAST(NULL AS INTERVAL) END in µs - 31536000000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(interval_us(case((total > 10) then elapsed(placed, 2024-01-01 00:00:00); else NULL)))
--       scan orders (id, customer, placed, total)
--   answer:
--     project d = avg#2
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--         released r1 (avg)
==
# case: functions_dates/mean-span
SELECT AVG(span) AS usual, MAX(span) AS most FROM (SELECT customer, MAX(placed) - MIN(placed) AS span FROM orders GROUP BY customer)
-- accept
-- sensitivity: centred sum(max - min in µs)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); max - min in µs in [-31536000000000, 31536000000000], clamped; summed around 0, the middle)
-- sensitivity: count(max - min in µs)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: quantiles(max - min in µs)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); 939,849 points; MIN and MAX are of the rank 98 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(interval_us(elapsed(max, min))), max#2 = max(interval_us(elapsed(max, min)))
--       aggregate per unit by customer#2 = customer: max = max(placed), min = min(placed)
--         scan orders (id, customer, placed)
--   answer:
--     project usual = avg#2, most = max#3
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00), max#3 = elapsed(make_timestamp(max#2), 1970-01-01 00:00:00)
--         released r1 (avg, max#2)
==
# case: functions_dates/mean-of-longest
SELECT AVG(most) AS usual FROM (SELECT customer, MAX(placed - TIMESTAMP '2024-01-01') AS most FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs in [0, 31536000000000], proven; summed around 0, the least; a row adds 31536000000000 to sum(CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs) and sum(CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000) together)
-- sensitivity: sum(CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs in [0, 31536000000000], proven; summed around 31536000000000, the greatest; a row adds 31536000000000 to sum(CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs) and sum(CAST(MAKE_TIMESTAMP(max) AS TIMESTAMP) - CAST('1970-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(interval_us(elapsed(make_timestamp(max), 1970-01-01 00:00:00)))
--       aggregate per unit by customer#2 = customer: max = max(date_diff('microsecond', 2024-01-01 00:00:00, clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)))
--         scan orders (id, customer, placed)
--   answer:
--     project usual = avg#2
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--         released r1 (avg)
==
# case: functions_dates/mean-of-mean-moments
SELECT AVG(usual) AS usual FROM (SELECT customer, AVG(placed) AS usual FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs - 1704067200000000)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs in [1704067200000000, 1735603200000000], proven; summed around 1704067200000000, the least; a row adds 31536000000000 to sum(CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs - 1704067200000000) and sum(CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs - 1735603200000000) together)
-- sensitivity: sum(CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs - 1735603200000000)  l0=1 l1=3.1536e+13 l2=3.1536e+13 linf=3.1536e+13 groups=1  (rows per unit 1, proven (one group per unit); CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs in [1704067200000000, 1735603200000000], proven; summed around 1735603200000000, the greatest; a row adds 31536000000000 to sum(CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs - 1704067200000000) and sum(CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP) in µs - 1735603200000000) together)
-- plan:
--   r1:
--     aggregate: avg#2 = avg(date_diff('microsecond', 1970-01-01 00:00:00, make_timestamp(try_cast(trunc(avg)))))
--       project customer#2, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1704067200000000, 1735603200000000))
--         aggregate per unit by customer#2 = customer: sum = sum(date_diff('microsecond', 1970-01-01 00:00:00, clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))), count = count(date_diff('microsecond', 1970-01-01 00:00:00, clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)))
--           scan orders (id, customer, placed)
--   answer:
--     project usual = avg#3
--       project avg#3 = make_timestamp(coerce(trunc(avg#2)))
--         released r1 (avg#2)
==
# case: functions_dates/mean-of-released-moments
SELECT MAX(usual) - MIN(usual) AS apart FROM (SELECT MONTH(day) AS m, AVG(placed) AS usual FROM orders GROUP BY 1)
-- accept
-- sensitivity: centred sum(placed in µs)  l0=3 l1=4.7304e+13 l2=4.7304e+13 linf=4.7304e+13 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed in µs in [1704067200000000, 1735603200000000], clamped; summed around 1719835200000000, the middle; groups: key: 12 values; a unit can be in several)
-- sensitivity: count(placed in µs)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by key = month(day): avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, placed))
--       scan orders (id, customer, day, placed)
--   answer:
--     project apart = elapsed(max, min)
--       aggregate: max = max(usual), min = min(usual)
--         project m = key, usual = avg#2
--           project key, avg#2 = make_timestamp(coerce(trunc(avg)))
--             project key, avg
--               filter present
--                 released r1 (key, avg, present)
==
# case: functions_dates/mean-of-ages
SELECT AVG(AGE(placed, TIMESTAMP '2024-01-01')) AS usual FROM orders
-- reject DP306  this interval is not known to be a difference of two timestamps
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/mean-of-moments-in-a-window
SELECT AVG(placed) OVER (PARTITION BY customer) AS usual FROM orders
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: functions_dates/sum-of-differences
SELECT SUM(placed - TIMESTAMP '2024-01-01') AS s FROM orders
-- reject DP205  needs a number, not INTERVAL
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use its seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/moments-of-milliseconds
SELECT YEAR(EPOCH_MS(id * 1000)) AS y, COUNT(*) AS n FROM orders WHERE id BETWEEN 0 AND 100000000 GROUP BY 1
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = year(make_timestamp(((id * 1000) * 1000))): count = count(*)
--       filter ((id >= 0) AND (id <= 100000000))
--         scan orders (id, customer)
==
# case: functions_dates/moment-of-microseconds
SELECT AVG(MAKE_TIMESTAMP(id)) AS usual FROM orders WHERE id BETWEEN 0 AND 1000
-- accept
-- sensitivity: sum(CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs in [0, 1000], proven; summed around 0, the least; a row adds 1000 to sum(CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs) and sum(CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs - 1000) together)
-- sensitivity: sum(CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs - 1000)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs in [0, 1000], proven; summed around 1000, the greatest; a row adds 1000 to sum(CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs) and sum(CAST(MAKE_TIMESTAMP(id) AS TIMESTAMP) in µs - 1000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, make_timestamp(id)))
--       filter ((id >= 0) AND (id <= 1000))
--         scan orders (id, customer)
--   answer:
--     project usual = avg#2
--       project avg#2 = make_timestamp(coerce(trunc(avg)))
--         released r1 (avg)
==
# case: functions_dates/moment-of-seconds
SELECT COUNT(*) AS n FROM orders WHERE TO_TIMESTAMP(id) > placed
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (make_timestamp(inside(coerce(inside((coerce(id) * 1000000), -9223372036854775809, 9223372036854775808)), -62135596800000001, 253402300800000000)) > placed)
--         scan orders (id, customer, placed)
==
# case: functions_dates/moment-of-a-fraction
SELECT COUNT(*) AS n FROM orders WHERE MAKE_TIMESTAMP(1.5) > placed
-- reject DP205  needs a whole number, not DECIMAL(2,1)
--                                     ^^^^^^^^^^^^^^^^^^
==
# case: functions_dates/mean-of-constants
SELECT AVG(TIMESTAMP '2024-01-01 10:00:00') AS t, AVG(NULL::TIMESTAMP) AS none, AVG(TIMESTAMP '2024-01-02' - TIMESTAMP '2024-01-01') AS d FROM orders
-- accept
-- sensitivity: centred sum(CAST('2024-01-01 10:00:00' AS TIMESTAMP) in µs)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST('2024-01-01 10:00:00' AS TIMESTAMP) in µs in [1704103200000000, 1704103200000000], proven; summed around 1704103200000000, the middle; every row adds 0: no row is read)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(CAST(NULL AS BIGINT))  l0=1 l1=2.76701161106e+19 l2=2.76701161106e+19 linf=2.76701161106e+19 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST(NULL AS BIGINT) in [-9223372036854775808, 9223372036854775808], proven; summed around 0, the middle)
-- sensitivity: count(CAST(NULL AS BIGINT))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(CAST('2024-01-02 00:00:00' AS TIMESTAMP) - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs)  l0=1 l1=0 l2=0 linf=0 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST('2024-01-02 00:00:00' AS TIMESTAMP) - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs in [86400000000, 86400000000], proven; summed around 86400000000, the middle; every row adds 0: no row is read)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, 2024-01-01 10:00:00)), avg#2 = avg(NULL), avg#3 = avg(date_diff('microsecond', 2024-01-01 00:00:00, 2024-01-02 00:00:00))
--       scan orders (id, customer)
--   answer:
--     project t = avg#4, none = avg#5, d = avg#6
--       project avg#4 = make_timestamp(coerce(trunc(avg))), avg#5 = make_timestamp(inside(coerce(inside(trunc(avg#2), -9223372036854777856, 9223372036854775808)), -62135596800000001, 253402300800000000)), avg#6 = elapsed(make_timestamp(coerce(round(avg#3))), 1970-01-01 00:00:00)
--         released r1 (avg, avg#2, avg#3)
==
# case: functions_dates/mean-of-differences-by-sets
SELECT units, AVG(placed - TIMESTAMP '2024-01-01') AS d FROM orders GROUP BY CUBE (units)
-- accept
-- sensitivity: sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs)  l0=3 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs in [0, 31536000000000], clamped; summed around 0, the least; groups: units: 9 values; a unit can be in several; a row adds 31536000000000 to sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs) and sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000) together)
-- sensitivity: sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000)  l0=3 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs in [0, 31536000000000], clamped; summed around 31536000000000, the greatest; groups: units: 9 values; a unit can be in several; a row adds 31536000000000 to sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs) and sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000) together)
-- sensitivity: sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs)  l0=1 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs in [0, 31536000000000], clamped; summed around 0, the least; a row adds 31536000000000 to sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs) and sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000) together)
-- sensitivity: sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000)  l0=1 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs in [0, 31536000000000], clamped; summed around 31536000000000, the greatest; a row adds 31536000000000 to sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs) and sum(placed - CAST('2024-01-01 00:00:00' AS TIMESTAMP) in µs - 31536000000000) together)
-- plan:
--   r1:
--     aggregate by units#2 = units: avg = avg(date_diff('microsecond', 2024-01-01 00:00:00, placed))
--       scan orders (id, customer, placed, units)
--   r2:
--     aggregate: avg#2 = avg(date_diff('microsecond', 2024-01-01 00:00:00, placed#2))
--       scan orders (id#2, customer#2, placed#2)
--   answer:
--     project units#7 = units#6, d = avg#9
--       union (units#6, avg#9)
--         project units#4 = units#3, avg#5 = avg#4
--           project units#3 = units#2, avg#4 = avg#3
--             project units#2, avg#3 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--               released r1 (units#2, avg)
--         project units#5 = NULL, avg#8 = avg#7
--           project avg#7 = avg#6
--             project avg#6 = elapsed(make_timestamp(coerce(round(avg#2))), 1970-01-01 00:00:00)
--               released r2 (avg#2)
==
# case: functions_dates/after-the-mean
SELECT COUNT(*) AS n FROM orders WHERE placed > (SELECT AVG(placed) FROM orders)
-- accept
-- sensitivity: centred sum(placed in µs)  l0=1 l1=4.7304e+13 l2=4.7304e+13 linf=4.7304e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed in µs in [1704067200000000, 1735603200000000], clamped; summed around 1719835200000000, the middle)
-- sensitivity: count(placed in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, placed))
--       scan orders (id, customer, placed)
--   f1:
--     project avg(placed) = avg#2
--       project avg#2 = make_timestamp(coerce(trunc(avg)))
--         released r1 (avg)
--   r2:
--     aggregate: count = count(*)
--       join inner on (placed#2 > avg(placed))
--         scan orders (id#2, customer#2, placed#2)
--         released f1 (avg(placed))
==
# case: functions_dates/day-of-the-mean
SELECT CAST(AVG(placed) AS DATE) AS d, DATE_TRUNC('month', AVG(placed)) AS m, AVG(placed) - MIN(placed) AS apart FROM orders
-- accept
-- sensitivity: centred sum(placed in µs)  l0=1 l1=4.7304e+13 l2=4.7304e+13 linf=4.7304e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed in µs in [1704067200000000, 1735603200000000], clamped; summed around 1719835200000000, the middle)
-- sensitivity: count(placed in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: quantiles(placed)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 31,536,001 points; MIN and MAX are of the rank 353 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, placed)), min = min(placed)
--       scan orders (id, customer, placed)
--   answer:
--     project d = coerce(avg#2), m = date_trunc('month', avg#2), apart = elapsed(avg#2, min)
--       project avg#2 = make_timestamp(coerce(trunc(avg))), min
--         released r1 (avg, min)
==
# case: functions_dates/compared-difference-with-a-name
SELECT COUNT(*) AS n FROM (SELECT placed - day AS wait FROM orders) WHERE wait > INTERVAL '12 hours'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) > 43200000000)
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/long-gaps
WITH gaps AS (SELECT placed - LAG(placed) OVER (PARTITION BY customer ORDER BY placed, id) AS gap FROM orders) SELECT COUNT(*) AS n FROM gaps WHERE gap IS NULL OR gap >= INTERVAL 30 MINUTE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (is_null(elapsed(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), clamp(lag#2, 2024-01-01 00:00:00, 2024-12-31 00:00:00))) OR (date_diff('microsecond', clamp(lag#2, 2024-01-01 00:00:00, 2024-12-31 00:00:00), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) >= 1800000000))
--         project id, customer, placed, lag#2 = lag
--           window lag = lag(placed) over (partition customer; order placed asc nulls last, id asc nulls last, customer asc nulls last)
--             scan orders (id, customer, placed)
==
# case: functions_dates/having-a-mean-difference
SELECT status, AVG(placed - day) AS wait FROM orders GROUP BY status HAVING AVG(placed - day) > INTERVAL 6 HOUR
-- accept
-- sensitivity: sum(placed - day in µs + 31536000000000)  l0=3 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around -31536000000000, the least; groups: status: 4 values; a unit can be in several; a row adds 63072000000000 to sum(placed - day in µs + 31536000000000) and sum(placed - day in µs - 31536000000000) together)
-- sensitivity: sum(placed - day in µs - 31536000000000)  l0=3 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around 31536000000000, the greatest; groups: status: 4 values; a unit can be in several; a row adds 63072000000000 to sum(placed - day in µs + 31536000000000) and sum(placed - day in µs - 31536000000000) together)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(date_diff('microsecond', coerce(day), placed))
--       scan orders (id, customer, day, placed, status)
--   answer:
--     project status#3 = status#2, wait = avg#2
--       filter (inside(interval_us(avg#2), -31536000000002, 31536000000002) > 21600000000)
--         project status#2, avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--           released r1 (status#2, avg)
==
# case: functions_dates/seconds-and-days-of-a-mean
SELECT EXTRACT(epoch FROM AVG(placed - day)) / 3600 AS hours, EXTRACT(day FROM MAX(placed - day)) AS days FROM orders
-- accept
-- sensitivity: centred sum(placed - day in µs)  l0=1 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around 0, the middle)
-- sensitivity: count(placed - day in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: quantiles(placed - day in µs)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 939,849 points; MIN and MAX are of the rank 292 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('microsecond', coerce(day), placed)), max = max(date_diff('microsecond', coerce(day), placed))
--       scan orders (id, customer, day, placed)
--   answer:
--     project hours = div(div(coerce(inside(interval_us(avg#2), -31536000000002, 31536000000002)), 1000000), 3600), days = inside(elapsed_part('day', max#2), -366, 366)
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00), max#2 = elapsed(make_timestamp(max), 1970-01-01 00:00:00)
--         released r1 (avg, max)
==
# case: functions_dates/difference-of-means
SELECT AVG(placed - day) FILTER (WHERE paid) - AVG(placed - day) FILTER (WHERE NOT paid) AS more FROM orders
-- accept
-- sensitivity: sum(CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END + 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END in [-31536000000000, 31536000000000], clamped; summed around -31536000000000, the least; a row adds 63072000000000 to sum(CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END + 31536000000000) and sum(CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END - 31536000000000) together)
-- sensitivity: sum(CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END - 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END in [-31536000000000, 31536000000000], clamped; summed around 31536000000000, the greatest; a row adds 63072000000000 to sum(CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END + 31536000000000) and sum(CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END - 31536000000000) together)
-- sensitivity: sum(CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END + 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END in [-31536000000000, 31536000000000], clamped; summed around -31536000000000, the least; a row adds 63072000000000 to sum(CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END + 31536000000000) and sum(CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END - 31536000000000) together)
-- sensitivity: sum(CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END - 31536000000000)  l0=1 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END in [-31536000000000, 31536000000000], clamped; summed around 31536000000000, the greatest; a row adds 63072000000000 to sum(CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END + 31536000000000) and sum(CASE WHEN (NOT paid) THEN DATE_DIFF('microsecond', day, placed) ELSE CAST(NULL AS BIGINT) END - 31536000000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case(paid then date_diff('microsecond', coerce(day), placed); else NULL)), avg#2 = avg(case(not(paid) then date_diff('microsecond', coerce(day), placed); else NULL))
--       scan orders (id, customer, day, placed, paid)
--   answer:
--     project more = elapsed(make_timestamp((inside(interval_us(avg#3), -31536000000002, 31536000000002) - inside(interval_us(avg#4), -31536000000002, 31536000000002))), 1970-01-01 00:00:00)
--       project avg#3 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00), avg#4 = elapsed(make_timestamp(coerce(round(avg#2))), 1970-01-01 00:00:00)
--         released r1 (avg, avg#2)
==
# case: functions_dates/bounds-of-differences
# note: what a condition says of a difference bounds its mean
SELECT AVG(placed - day) AS wait FROM orders WHERE placed - day BETWEEN INTERVAL 0 SECOND AND INTERVAL 1 DAY
-- accept
-- sensitivity: sum(LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000))  l0=1 l1=259200000000 l2=259200000000 linf=259200000000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000) in [0, 86400000000], clamped; summed around 0, the least; a row adds 86400000000 to sum(LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000)) and sum(LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000) - 86400000000) together)
-- sensitivity: sum(LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000) - 86400000000)  l0=1 l1=259200000000 l2=259200000000 linf=259200000000 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000) in [0, 86400000000], clamped; summed around 86400000000, the greatest; a row adds 86400000000 to sum(LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000)) and sum(LEAST(GREATEST(DATE_DIFF('microsecond', day, placed), CAST(0 AS BIGINT)), 86400000000) - 86400000000) together)
-- plan:
--   r1:
--     aggregate: avg = avg(least(greatest(date_diff('microsecond', coerce(day), placed), 0), 86400000000))
--       filter ((date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) >= 0) AND (date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) <= 86400000000))
--         scan orders (id, customer, day, placed)
--   answer:
--     project wait = avg#2
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--         released r1 (avg)
==
# case: functions_dates/difference-or-a-constant
SELECT AVG(COALESCE(placed - day, INTERVAL 2 DAY)) AS wait, COUNT(*) FILTER (WHERE CASE WHEN paid THEN placed - day ELSE INTERVAL '1 month' END >= INTERVAL 30 DAY) AS late FROM orders
-- accept
-- sensitivity: late  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: centred sum(COALESCE(DATE_DIFF('microsecond', day, placed), 172800000000))  l0=1 l1=9.4608e+13 l2=9.4608e+13 linf=9.4608e+13 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); COALESCE(DATE_DIFF('microsecond', day, placed), 172800000000) in [-31536000000000, 31536000000000], clamped; summed around 0, the middle)
-- sensitivity: rows without (CASE WHEN paid THEN DATE_DIFF('microsecond', day, placed) ELSE 2592000000000 END) >= 2592000000000  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: avg = avg(coalesce(date_diff('microsecond', coerce(day), placed), 172800000000)), count = count(case((case(paid then date_diff('microsecond', coerce(day), placed); else 2592000000000) >= 2592000000000) then 1; else NULL))
--       scan orders (id, customer, day, placed, paid)
--   answer:
--     project wait = avg#2, late = count
--       project avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00), count
--         released r1 (avg, count)
==
# case: functions_dates/parts-of-a-unit-s-difference
SELECT AVG(EXTRACT(day FROM span)) AS days, SUM(EXTRACT(hour FROM span)) AS hours FROM (SELECT customer, MAX(placed) - MIN(placed) AS span FROM orders GROUP BY customer)
-- accept
-- sensitivity: sum(DATE_PART('day', (max - min)) + 365)  l0=1 l1=730 l2=730 linf=730 groups=1  (rows per unit 1, proven (one group per unit); DATE_PART('day', (max - min)) in [-365, 365], clamped; summed around -365, the least; a row adds 730 to sum(DATE_PART('day', (max - min)) + 365) and sum(DATE_PART('day', (max - min)) - 365) together)
-- sensitivity: sum(DATE_PART('day', (max - min)) - 365)  l0=1 l1=730 l2=730 linf=730 groups=1  (rows per unit 1, proven (one group per unit); DATE_PART('day', (max - min)) in [-365, 365], clamped; summed around 365, the greatest; a row adds 730 to sum(DATE_PART('day', (max - min)) + 365) and sum(DATE_PART('day', (max - min)) - 365) together)
-- sensitivity: hours  l0=1 l1=23 l2=23 linf=23 groups=1  (rows per unit 1, proven (one group per unit); DATE_PART('hour', (max - min)) in [-23, 23], clamped)
-- plan:
--   r1:
--     aggregate: avg = avg(elapsed_part('day', elapsed(max, min))), sum = sum(elapsed_part('hour', elapsed(max, min)))
--       aggregate per unit by customer#2 = customer: max = max(placed), min = min(placed)
--         scan orders (id, customer, placed)
==
# case: functions_dates/sum-of-differences-compared
SELECT COUNT(*) AS n FROM orders WHERE (placed - day) - (TIMESTAMP '2024-12-31' - placed) < INTERVAL '-1 day' AND (placed - day) + (placed - day) > INTERVAL 1 HOUR
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((inside(date_diff('microsecond', 1970-01-01 00:00:00, make_timestamp((date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) - date_diff('microsecond', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 2024-12-31 00:00:00)))), -63072000000001, 31536000000001) < -86400000000) AND (inside(date_diff('microsecond', 1970-01-01 00:00:00, make_timestamp((date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) + date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))))), -63072000000001, 63072000000001) > 3600000000))
--         scan orders (id, customer, day, placed)
==
# case: functions_dates/difference-above-the-mean
SELECT COUNT(*) AS n FROM orders WHERE placed - day > (SELECT AVG(placed - day) FROM orders)
-- reject DP306  this interval is not known to be a difference of two timestamps
--                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/ages-with-a-name
SELECT COUNT(*) AS n FROM (SELECT AGE(placed, day) AS old FROM orders) WHERE old > INTERVAL 1 DAY
-- reject DP306  this interval is not known to be a difference of two timestamps
--                                                                           ^^^
-- help: use seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/later-than-the-mean-of-the-unit
SELECT COUNT(*) AS n FROM (SELECT placed, AVG(placed) OVER (PARTITION BY customer) AS usual, MAX(placed - day) OVER (PARTITION BY customer) AS most FROM orders) WHERE placed > usual AND most < INTERVAL 2 DAY
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter ((placed > make_timestamp(coerce(trunc(avg)))) AND (inside(date_diff('microsecond', 1970-01-01 00:00:00, make_timestamp(max#2)), -31536000000001, 31536000000001) < 172800000000))
--         project id, customer, day, placed, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1704067200000000, 1735603200000000)), max#2 = max
--           window sum = sum(date_diff('microsecond', 1970-01-01 00:00:00, clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))) over (partition customer), count = count(date_diff('microsecond', 1970-01-01 00:00:00, clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))) over (partition customer), max = max(date_diff('microsecond', coerce(clamp(day, 2024-01-01, 2024-12-31)), clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))) over (partition customer)
--             scan orders (id, customer, day, placed)
==
# case: functions_dates/mean-of-means
SELECT status, AVG(placed - day) AS wait, AVG(AVG(placed - day)) OVER () AS usual FROM orders GROUP BY status
-- accept
-- sensitivity: sum(placed - day in µs + 31536000000000)  l0=3 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around -31536000000000, the least; groups: status: 4 values; a unit can be in several; a row adds 63072000000000 to sum(placed - day in µs + 31536000000000) and sum(placed - day in µs - 31536000000000) together)
-- sensitivity: sum(placed - day in µs - 31536000000000)  l0=3 l1=1.89216e+14 l2=1.89216e+14 linf=1.89216e+14 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed - day in µs in [-31536000000000, 31536000000000], clamped; summed around 31536000000000, the greatest; groups: status: 4 values; a unit can be in several; a row adds 63072000000000 to sum(placed - day in µs + 31536000000000) and sum(placed - day in µs - 31536000000000) together)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(date_diff('microsecond', coerce(day), placed))
--       scan orders (id, customer, day, placed, status)
--   answer:
--     project status#3 = status#2, wait = avg#2, usual = avg#4
--       project status#2, avg#2, avg#4 = elapsed(make_timestamp(coerce(round(avg#3))), 1970-01-01 00:00:00)
--         window avg#3 = avg(inside(interval_us(avg#2), -31536000000002, 31536000000002)) over ()
--           project status#2, avg#2 = elapsed(make_timestamp(coerce(round(avg))), 1970-01-01 00:00:00)
--             project status#2, avg
--               filter present
--                 released r1 (status#2, avg, present)
==
# case: functions_dates/day-of-a-moment-before-midnight
# note: a moment is cut off to its day, so the last one is that of 2024-06-30
SELECT AVG(DATE '2024-12-31' - CAST(LEAST(placed, TIMESTAMP '2024-06-30 23:59:59') AS DATE)) AS a FROM orders
-- accept
-- sensitivity: sum(CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) - 184)  l0=1 l1=543 l2=543 linf=543 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) in [184, 365], clamped; summed around 184, the least; a row adds 181 to sum(CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) - 184) and sum(CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) - 365) together)
-- sensitivity: sum(CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) - 365)  l0=1 l1=543 l2=543 linf=543 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) in [184, 365], clamped; summed around 365, the greatest; a row adds 181 to sum(CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) - 184) and sum(CAST('2024-12-31' AS DATE) - CAST(LEAST(placed, CAST('2024-06-30 23:59:59' AS TIMESTAMP)) AS DATE) - 365) together)
-- plan:
--   r1:
--     aggregate: avg = avg(days_between(2024-12-31, cast(least(placed, 2024-06-30 23:59:59))))
--       scan orders (id, customer, placed)
==
# case: functions_dates/public-moments-without-bounds
SELECT SUM(DATE_DIFF('day', placed, TRY_CAST(h.day AS TIMESTAMP))) AS s, AVG(TRY_CAST(h.day AS TIMESTAMP)) AS a FROM orders JOIN holidays AS h ON h.day >= orders.day
-- accept
-- sensitivity: sum(TRY_CAST(day AS TIMESTAMP) in µs + 62135596800016384)  l0=1 l1=2.8398410784e+18 l2=2.8398410784e+18 linf=2.8398410784e+18 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); TRY_CAST(day AS TIMESTAMP) in µs in [-62135596800016384, 253402300800040960], proven; summed around -62135596800016384, the least; a row adds 315537897600057344 to sum(TRY_CAST(day AS TIMESTAMP) in µs + 62135596800016384) and sum(TRY_CAST(day AS TIMESTAMP) in µs - 253402300800040960) together)
-- sensitivity: sum(TRY_CAST(day AS TIMESTAMP) in µs - 253402300800040960)  l0=1 l1=2.8398410784e+18 l2=2.8398410784e+18 linf=2.8398410784e+18 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); TRY_CAST(day AS TIMESTAMP) in µs in [-62135596800016384, 253402300800040960], proven; summed around 253402300800040960, the greatest; a row adds 315537897600057344 to sum(TRY_CAST(day AS TIMESTAMP) in µs + 62135596800016384) and sum(TRY_CAST(day AS TIMESTAMP) in µs - 253402300800040960) together)
-- sensitivity: s  l0=1 l1=26218557 l2=26218557 linf=26218557 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); DATE_DIFF('day', placed, TRY_CAST(day AS TIMESTAMP)) in [-739250, 2913173], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(date_diff('day', placed, try_cast(day#2))), avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, try_cast(day#2)))
--       join inner on (day#2 >= day)
--         scan orders (id, customer, day, placed)
--         scan holidays (day#2)
--   answer:
--     project s = sum, a = avg#2
--       project sum, avg#2 = make_timestamp(inside(coerce(trunc(avg)), -62135596800000001, 253402300800000000))
--         released r1 (sum, avg)
==
# case: functions_dates/keys-of-few-days
SELECT day + 1 AS m, COUNT(*) AS n FROM orders WHERE day < '2024-01-03' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(plus_interval(coerce(day), 0, 1, 0)): count = count(*)
--       filter (day < 2024-01-03)
--         scan orders (id, customer, day)
==
# case: functions_dates/keys-of-few-days-and-a-month
SELECT day + INTERVAL 1 MONTH AS m, COUNT(*) AS n FROM orders WHERE day BETWEEN '2024-01-01' AND '2024-01-02' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = plus_interval(coerce(day), 1, 0, 0): count = count(*)
--       filter ((day >= 2024-01-01) AND (day <= 2024-01-02))
--         scan orders (id, customer, day)
==
# case: functions_dates/last-days-of-few-months
SELECT LAST_DAY(day) AS m, COUNT(*) AS n FROM orders WHERE day < '2024-03-01' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = last_day(day): count = count(*)
--       filter (day < 2024-03-01)
--         scan orders (id, customer, day)
==
# case: functions_dates/few-buckets
SELECT TIME_BUCKET(INTERVAL '6 hours', placed) AS b, COUNT(*) AS n FROM orders WHERE placed < '2024-01-01 11:00:00' GROUP BY b
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = time_bucket(interval(0, 0, 21600), placed): count = count(*)
--       filter (placed < 2024-01-01 11:00:00)
--         scan orders (id, customer, placed)
==
# case: functions_dates/few-buckets-of-months
SELECT TIME_BUCKET(INTERVAL '5 months', day) AS b, COUNT(*) AS n FROM orders WHERE day < '2024-03-01' GROUP BY b
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 1 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = time_bucket(interval(5, 0, 0), day): count = count(*)
--       filter (day < 2024-03-01)
--         scan orders (id, customer, day)
==
# case: functions_dates/later-than-the-mean-of-all
SELECT units, COUNT(*) FILTER (WHERE placed > usual) AS late FROM (SELECT units, placed, AVG(placed) OVER (PARTITION BY units) AS usual FROM orders) GROUP BY units
-- accept
-- sensitivity: centred sum(placed in µs)  l0=3 l1=4.7304e+13 l2=4.7304e+13 linf=4.7304e+13 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); placed in µs in [1704067200000000, 1735603200000000], clamped; summed around 1719835200000000, the middle; groups: key: 9 values; a unit can be in several)
-- sensitivity: count(placed in µs)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 9 values; a unit can be in several)
-- sensitivity: count(CASE WHEN (placed > CAST(MAKE_TIMESTAMP(TRY_CAST(TRUNC(avg) AS BIGINT)) AS TIMESTAMP)) THEN 1 ELSE CAST(NULL AS INT) END)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = units: avg = avg(date_diff('microsecond', 1970-01-01 00:00:00, placed))
--       scan orders (id, customer, placed, units)
--   f1:
--     released r1 (key, avg)
--   r2:
--     aggregate by units#3 = units#2: count = count(case((placed#2 > make_timestamp(try_cast(trunc(avg)))) then 1; else NULL))
--       join inner on (units#2 = key)
--         scan orders (id#2, customer#2, placed#2, units#2)
--         released f1 (key, avg)
--   answer:
--     project units#4 = units#3, late = count
--       project units#3, count
--         filter chosen
--           join mark chosen on (units#3 = key#3)
--             released r2 (units#3, count)
--             project key#3 = key#2, avg#3 = avg#2
--               released r1 (key#2, avg#2)
==
# case: functions_dates/a-text-of-parts-as-a-date
SELECT (CAST(YEAR(day) AS VARCHAR) || '-' || CAST(MONTH(day) AS VARCHAR) || '-' || CAST(1 AS VARCHAR))::DATE AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = make_date(year(day), month(day), 1): count = count(*)
--       scan orders (id, customer, day)
==
# case: functions_dates/a-text-that-ends-in-a-day
SELECT COUNT(*) AS n FROM orders WHERE CAST(YEAR(day) || '-12-31' AS DATE) - day > 30
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (inside(days_between(try_make_date(year(clamp(day, 2024-01-01, 2024-12-31)), 12, 31), clamp(day, 2024-01-01, 2024-12-31)), -1, 366) > 30)
--         scan orders (id, customer, day)
==
# case: functions_dates/a-text-of-a-year-as-a-date
SELECT COUNT(*) AS n FROM orders WHERE CAST(CAST(YEAR(day) AS VARCHAR) || '-12-31' AS DATE) - day > 30
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (inside(days_between(try_make_date(year(clamp(day, 2024-01-01, 2024-12-31)), 12, 31), clamp(day, 2024-01-01, 2024-12-31)), -1, 366) > 30)
--         scan orders (id, customer, day)
==
# case: functions_dates/a-text-of-a-day-that-may-not-be
SELECT COUNT(*) AS n FROM orders WHERE CAST('2023-' || CAST(MONTH(day) AS VARCHAR) || '-' || CAST(DAY(day) AS VARCHAR) AS DATE) > day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (try_make_date(2023, month(clamp(day, 2024-01-01, 2024-12-31)), day(clamp(day, 2024-01-01, 2024-12-31))) > day)
--         scan orders (id, customer, day)
==
# case: functions_dates/a-text-in-another-order
SELECT COUNT(*) AS n FROM orders WHERE CAST(CAST(MONTH(day) AS VARCHAR) || '/1/' || CAST(YEAR(day) AS VARCHAR) AS DATE) > day
-- reject DP306  CAST from VARCHAR to DATE could fail on some row
--                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use TRY_CAST(… AS DATE), which gives NULL where the value does not fit
==
# case: functions_dates/number-of-a-day
# note: in the years 1000 to 9999 a day is written with eight digits, which an INTEGER holds
SELECT COUNT(*) AS n FROM customers WHERE CAST(STRFTIME(born, '%Y%m%d') AS INTEGER) BETWEEN 19500101 AND 19601231
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((try_cast(strftime(clamp(born, 1920-01-01, 2010-12-31), '%Y%m%d')) >= 19500101) AND (try_cast(strftime(clamp(born, 1920-01-01, 2010-12-31), '%Y%m%d')) <= 19601231))
--         scan customers (id, born)
==
# case: functions_dates/number-of-an-hour
# note: ten digits may be more than an INTEGER holds
SELECT COUNT(*) AS n FROM orders WHERE CAST(STRFTIME(placed, '%Y%m%d%H') AS INTEGER) > 2024063012
-- reject DP306  CAST from VARCHAR to INTEGER could fail on some row
--                                          ^^^^^^^^^^^^^^^
-- help: use TRY_CAST(… AS INTEGER), which gives NULL where the value does not fit
==
# case: functions_dates/interval-of-a-cast
SELECT COUNT(*) AS n FROM orders WHERE placed > TIMESTAMP '2024-06-01' - '2 days 6 hours'::INTERVAL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (placed > 2024-05-29 18:00:00)
--         scan orders (id, customer, placed)
==
# case: functions_dates/interval-with-a-clock
# note: the parser would leave the hours out
SELECT COUNT(*) AS n FROM orders WHERE placed > TIMESTAMP '2024-06-01' - INTERVAL '1 day 03:00:00'
-- reject DP104  an interval is numbers of units, such as '1 day 2 hours'
--                                                                                ^^^^^^^^^^^^^^^^
==
# case: functions_dates/interval-ago
SELECT COUNT(*) AS n FROM orders WHERE placed > TIMESTAMP '2024-06-01' + INTERVAL '1 day ago'
-- reject DP104  an interval is numbers of units, such as '1 day 2 hours'
--                                                                                ^^^^^^^^^^^
==
# case: functions_dates/bad-cast-of-a-constant
SELECT COUNT(*) AS n FROM orders WHERE day > CAST('01-jan-2024' AS DATE)
-- reject DP306  the constant cannot be read as DATE
--                                                ^^^^^^^^^^^^^
-- help: write it as '2024-12-31'
==
# case: functions_dates/date-of-a-moment
# note: DATE(x) is CAST(x AS DATE)
SELECT DATE(placed) AS d, COUNT(*) AS n FROM orders GROUP BY DATE(placed)
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 366 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/interval-times-a-whole-double
# note: FLOOR of a quotient is a DOUBLE, and whole
SELECT COUNT(*) AS n FROM orders WHERE DATE_TRUNC('hour', placed) + INTERVAL '15 minutes' * FLOOR(EXTRACT(minute FROM placed) / 15) < TIMESTAMP '2024-05-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (plus_seconds(date_trunc('hour', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), (coerce(floor(div(coerce(minute(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))), 15))) * 900)) < 2024-05-01 00:00:00)
--         scan orders (id, customer, placed)
==
# case: functions_dates/interval-times-a-fraction
SELECT COUNT(*) AS n FROM orders WHERE placed + INTERVAL '15 minutes' * 1.5 < TIMESTAMP '2024-05-01'
-- reject DP205  *: needs a number, not INTERVAL
--                                                                      ^^^
-- help: use its seconds: EXTRACT(epoch FROM a - b)
==
# case: functions_dates/moment-of-utc
# note: the session's zone is UTC
SELECT COUNT(*) AS n FROM orders WHERE placed BETWEEN '2024-01-01T00:00:00Z' AND '2024-03-01 12:00:00Z'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((placed >= 2024-01-01 00:00:00) AND (placed <= 2024-03-01 12:00:00))
--         scan orders (id, customer, placed)
==
# case: functions_dates/weeks-by-subtracting-days
# note: the days of the week are those of the day, so that there are as many groups as weeks
SELECT CAST(placed AS DATE) - CAST(DAYOFWEEK(placed) AS INTEGER) AS week, COUNT(*) AS n FROM orders GROUP BY week
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=53  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 53 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = plus_days(cast(placed), (0 - cast(dayofweek(cast(placed))))): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_dates/weeks-by-subtracting-intervals
SELECT DATE_TRUNC('day', placed) - INTERVAL (ISODOW(placed) - 1) DAY AS week, COUNT(*) AS n FROM orders GROUP BY week
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=53  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 53 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = plus_days(date_trunc('day', placed), (0 - coerce((isodow(date_trunc('day', placed)) - 1)))): count = count(*)
--       scan orders (id, customer, placed)
