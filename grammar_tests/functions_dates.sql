# policy: shop
# case: functions_dates/parts
SELECT SUM(YEAR(day)) AS y, SUM(MONTH(day)) AS m, SUM(DAY(day)) AS d FROM orders
-- accept
-- sensitivity: y  l0=1 l1=6072 l2=6072 linf=6072 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); YEAR(day) in [2024, 2024], clamped)
-- sensitivity: m  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); MONTH(day) in [1, 12], clamped)
-- sensitivity: d  l0=1 l1=93 l2=93 linf=93 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DAY(day) in [1, 31], clamped)
==
# case: functions_dates/parts-in-where
SELECT COUNT(*) AS n FROM orders WHERE WEEK(day) < 20 AND DAYOFYEAR(day) > 1 AND ISODOW(day) <> 3 AND DAYOFWEEK(placed) < 6
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_dates/extract
SELECT COUNT(*) AS n FROM orders WHERE EXTRACT(year FROM day) = 2024
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_dates/unbounded-date-parts
SELECT COUNT(*) AS n FROM customers WHERE YEAR(born + INTERVAL 3 YEAR) > 2000
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: functions_dates/date-trunc-in-where
SELECT COUNT(*) AS n FROM orders WHERE DATE_TRUNC('week', placed) < TIMESTAMP '2024-05-01 00:00:00' AND DATE_TRUNC('hour', placed) <> placed
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_dates/difference
SELECT AVG(day - DATE '2024-01-01') AS a FROM orders
-- accept
-- sensitivity: centred sum(day - CAST('2024-01-01' AS DATE))  l0=1 l1=547.5 l2=547.5 linf=547.5 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); day - CAST('2024-01-01' AS DATE) in [0, 365], clamped; summed around 182.5, the middle)
-- sensitivity: count(day - CAST('2024-01-01' AS DATE))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_dates/difference-of-columns
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id WHERE o.day - c.born > 7000
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
==
# case: functions_dates/date-plus-days
SELECT COUNT(*) AS n FROM orders WHERE day + 30 > DATE '2024-06-01'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_dates/cast-to-date
SELECT COUNT(*) AS n FROM orders WHERE CAST(placed AS DATE) = day
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: functions_dates/timestamp-parts
SELECT SUM(HOUR(placed)) AS h, SUM(MINUTE(placed)) AS m, SUM(SECOND(placed)) AS s FROM orders
-- accept
-- sensitivity: h  l0=1 l1=69 l2=69 linf=69 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); HOUR(placed) in [0, 23], clamped)
-- sensitivity: m  l0=1 l1=177 l2=177 linf=177 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); MINUTE(placed) in [0, 59], clamped)
-- sensitivity: s  l0=1 l1=177 l2=177 linf=177 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); SECOND(placed) in [0, 59], clamped)
==
# case: functions_dates/case-year
SELECT CASE WHEN YEAR(born) < 1980 THEN 'before' ELSE 'after' END AS c, COUNT(*) AS n FROM customers GROUP BY c
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
==
# case: functions_dates/now
SELECT COUNT(*) AS n FROM orders WHERE day < CURRENT_DATE
-- reject DP204  the function currentdate is not on the allow-list
==
# case: functions_dates/bad-constant
SELECT COUNT(*) AS n FROM orders WHERE day > 'tomorrow'
-- reject DP205  the constant cannot be read as DATE
--                                           ^^^^^^^^^^
