# about: Window functions: on noisy rows, and over the rows of one unit
# policy: shop
# case: window/running-total-of-counts
SELECT MONTH(day) AS m, SUM(COUNT(*)) OVER (ORDER BY MONTH(day)) AS total FROM orders GROUP BY m
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = month(day): count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     project m = key, total = sum
--       window sum = sum(count) over (order key asc nulls last)
--         released r1 (key, count)
==
# case: window/share-of-total
SELECT segment, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM customers GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, share = div(coerce(count), coerce(nullif(sum, 0)))
--       window sum = sum(count) over ()
--         released r1 (segment#2, count)
==
# case: window/rank-of-released
SELECT segment, RANK() OVER (ORDER BY SUM(balance) DESC) AS place FROM customers GROUP BY segment
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     project segment#3 = segment#2, place = rank
--       window rank = rank() over (order sum desc nulls last)
--         project segment#2, sum
--           filter present
--             released r1 (segment#2, sum, present)
==
# case: window/change-to-the-month-before
SELECT m, n - LAG(n) OVER (ORDER BY m) AS change FROM (SELECT MONTH(day) AS m, COUNT(*) AS n FROM orders GROUP BY 1) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by key = month(day): count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     project m#2 = m, change = (coerce(n) - coerce(lag))
--       window lag = lag(n) over (order m asc nulls last)
--         project m = key, n = count
--           project key, count
--             filter present
--               released r1 (key, count, present)
==
# case: window/moving-average
SELECT MONTH(day) AS m, AVG(COUNT(*)) OVER (ORDER BY MONTH(day) ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS smooth FROM orders GROUP BY m
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by key = month(day): count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     project m = key, smooth = avg
--       window avg = avg(count) over (order key asc nulls last; rows 1 preceding to 1 following)
--         project key, count
--           filter present
--             released r1 (key, count, present)
==
# case: window/released-partitions
SELECT vip, level, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY vip ORDER BY COUNT(*) DESC, level) AS place FROM customers GROUP BY vip, level
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; level: 4 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, level#2 = level: count = count(*)
--       scan customers (id, vip, level)
--   answer:
--     project vip#3 = vip#2, level#3 = level#2, n = count, place = row_number
--       window row_number = row_number() over (partition vip#2; order count desc nulls last, level#2 asc nulls last)
--         project vip#2, level#2, count
--           filter present
--             released r1 (vip#2, level#2, count, present)
==
# case: window/named-refined
SELECT units, RANK() OVER (w ORDER BY COUNT(*) DESC) AS r, SUM(COUNT(*)) OVER (v ROWS 1 PRECEDING) AS s FROM orders GROUP BY units WINDOW w AS (PARTITION BY units), v AS (w ORDER BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     project units#3 = units#2, r = rank, s = sum
--       window rank = rank() over (partition units#2; order count desc nulls last), sum = sum(count) over (partition units#2; order units#2 asc nulls last; rows 1 preceding to 0 current)
--         project units#2, count
--           filter present
--             released r1 (units#2, count, present)
==
# case: window/named-refined-of-rows
SELECT COUNT(*) AS n FROM (SELECT units, RANK() OVER (w ORDER BY units DESC) AS r FROM orders WINDOW w AS (PARTITION BY customer)) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rank#2 = 1)
--         project id, customer, units, rank#2 = rank
--           window rank = rank() over (partition customer; order units desc nulls last)
--             scan orders (id, customer, units)
==
# case: window/named-refined-twice
SELECT SUM(COUNT(*)) OVER (w ORDER BY COUNT(*)) AS s FROM orders GROUP BY units WINDOW w AS (ORDER BY units)
-- reject DP104  a named window that is refined so is not supported
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/named-refined-in-a-ring
SELECT SUM(COUNT(*)) OVER w AS s FROM orders GROUP BY units WINDOW w AS (v), v AS (w)
-- reject DP202  no window v
--                                                                 ^^^^^^^
==
# case: window/lead-first-last
SELECT units, LEAD(COUNT(*), 1, 0) OVER w AS next, FIRST_VALUE(COUNT(*)) OVER w AS f, LAST_VALUE(COUNT(*)) OVER w AS l FROM orders GROUP BY units WINDOW w AS (ORDER BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     project units#3 = units#2, next = lead, f = first_value, l = last_value
--       window lead = lead(count, 1, 0) over (order units#2 asc nulls last), first_value = first_value(count) over (order units#2 asc nulls last), last_value = last_value(count) over (order units#2 asc nulls last)
--         project units#2, count
--           filter present
--             released r1 (units#2, count, present)
==
# case: window/ntile-and-percent-rank
SELECT units, NTILE(3) OVER (ORDER BY units) AS third, PERCENT_RANK() OVER (ORDER BY units) AS p, CUME_DIST() OVER (ORDER BY units) AS c, DENSE_RANK() OVER (ORDER BY units DESC) AS d FROM orders GROUP BY units
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units
--       scan orders (id, customer, units)
--   answer:
--     project units#3 = units#2, third = ntile, p = percent_rank, c = cume_dist, d = dense_rank
--       window ntile = ntile(3) over (order units#2 asc nulls last), percent_rank = percent_rank() over (order units#2 asc nulls last), cume_dist = cume_dist() over (order units#2 asc nulls last), dense_rank = dense_rank() over (order units#2 desc nulls last)
--         project units#2
--           filter present
--             released r1 (units#2, present)
==
# case: window/over-public-rows
SELECT name, ROW_NUMBER() OVER (ORDER BY name, id) AS n FROM regions
-- exact
==
# case: window/first-order-of-each
# note: a customer and a number name one row
SELECT COUNT(*) AS n FROM (SELECT amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same customer, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (row_number#2 = 1)
--         project id, customer, day, row_number#2 = row_number
--           window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--             scan orders (id, customer, day)
==
# case: window/first-two-orders
SELECT SUM(amount) AS s FROM (SELECT amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day, id) AS k FROM orders) o WHERE k <= 2
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=1  (rows per unit 2, proven (no two rows with the same customer, row_number); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (row_number#2 <= 2)
--         project id, customer, day, amount, row_number#2 = row_number
--           window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, amount asc nulls last)
--             scan orders (id, customer, day, amount)
==
# case: window/numbers-in-the-middle
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o WHERE k BETWEEN 2 AND 3
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (no two rows with the same customer, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((row_number#2 >= 2) AND (row_number#2 <= 3))
--         project id, customer, day, row_number#2 = row_number
--           window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--             scan orders (id, customer, day)
==
# case: window/number-and-then-a-join
SELECT COUNT(*) AS n FROM (SELECT customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o JOIN orders p ON p.customer = o.customer WHERE o.k = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (no two rows with the same customer, row_number; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer#2 = customer)
--         filter (row_number#2 = 1)
--           project id, customer, day, row_number#2 = row_number
--             window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--               scan orders (id, customer, day)
--         scan orders (id#2, customer#2)
==
# case: window/number-after-a-join
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY o.id ORDER BY l.price) AS k FROM orders o JOIN lines l ON l.order_id = o.id) x WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (no two rows with the same id, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (row_number#2 = 1)
--         project id, customer, order_id, price, row_number#2 = row_number
--           window row_number = row_number() over (partition id; order price asc nulls last, id asc nulls last, customer asc nulls last, order_id asc nulls last)
--             join inner on (order_id = id)
--               scan orders (id, customer)
--               scan lines (order_id, price)
==
# case: window/number-of-one-branch
SELECT COUNT(*) AS n FROM (SELECT customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders UNION ALL SELECT customer, 1 FROM orders) o WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (k#2 = 1)
--         union (k#2, customer#5)
--           project k, customer#2 = customer
--             project k = row_number#2, customer
--               project id, customer, day, row_number#2 = row_number
--                 window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--                   scan orders (id, customer, day)
--           project 1, customer#4 = customer#3
--             project 1 = coerce(1), customer#3
--               scan orders (id#2, customer#3)
==
# case: window/number-in-a-finer-partition
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer, paid ORDER BY day) AS k FROM orders) o WHERE k = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same customer, paid, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (row_number#2 = 1)
--         project id, customer, day, paid, row_number#2 = row_number
--           window row_number = row_number() over (partition customer, paid; order day asc nulls last, id asc nulls last, customer asc nulls last, paid asc nulls last)
--             scan orders (id, customer, day, paid)
==
# case: window/number-and-group
SELECT status, SUM(amount) AS s FROM (SELECT status, amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day, id) AS k FROM orders) o WHERE k = 1 GROUP BY status
-- accept
-- sensitivity: s  l0=1 l1=500 l2=500 linf=500 groups=4  (rows per unit 1, proven (no two rows with the same customer, row_number); amount in [0, 500], clamped; groups: status: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(amount)
--       filter (row_number#2 = 1)
--         project id, customer, day, amount, status, row_number#2 = row_number
--           window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, amount asc nulls last, status asc nulls last)
--             scan orders (id, customer, day, amount, status)
==
# case: window/number-as-a-key
SELECT k, COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=3  (rows per unit 3, proven (at most 1 in each of 3 groups); rows per unit and group 1, proven; groups: k: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = row_number#2: count = count(*)
--       project id, customer, day, row_number#2 = row_number
--         window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--           scan orders (id, customer, day)
==
# case: window/running-sum
SELECT SUM(t) AS s FROM (SELECT SUM(units) OVER (PARTITION BY customer ORDER BY day, id) AS t FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); sum in [1, 27], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project id, customer, day, units, sum#2 = sum
--         window sum = sum(clamp(units, 1, 9)) over (partition customer; order day asc nulls last, id asc nulls last)
--           scan orders (id, customer, day, units)
==
# case: window/total-of-the-customer
# note: a part is at most 1; its range is that of a quotient of any two values
SELECT AVG(part) AS a FROM (SELECT units / SUM(units) OVER (PARTITION BY customer) AS part FROM orders) o
-- accept
-- sensitivity: sum(units / sum - 0.037037)  l0=1 l1=26.8888888889 l2=26.8888888889 linf=26.8888888889 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units / sum in [0.037037, 9], clamped; summed around 0.037037, the least; a row adds 8.96296 to sum(units / sum - 0.037037) and sum(units / sum - 9) together)
-- sensitivity: sum(units / sum - 9)  l0=1 l1=26.8888888889 l2=26.8888888889 linf=26.8888888889 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units / sum in [0.037037, 9], clamped; summed around 9, the greatest; a row adds 8.96296 to sum(units / sum - 0.037037) and sum(units / sum - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(div(coerce(units), coerce(sum#2)))
--       project id, customer, units, sum#2 = sum
--         window sum = sum(clamp(units, 1, 9)) over (partition customer)
--           scan orders (id, customer, units)
==
# case: window/count-of-the-customer
SELECT k, COUNT(*) AS n FROM (SELECT COUNT(*) OVER (PARTITION BY customer) AS k FROM orders) o GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: k: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = count#2: count#3 = count(*)
--       project id, customer, count#2 = count
--         window count = count(1) over (partition customer)
--           scan orders (id, customer)
==
# case: window/difference-to-the-order-before
# note: the differences of one customer add up to last - first; each by itself can be 8
SELECT SUM(units - b) AS s FROM (SELECT units, LAG(units) OVER (PARTITION BY customer ORDER BY day, id) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units - lag in [-8, 8], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((units - lag#2))
--       project id, customer, day, units, lag#2 = lag
--         window lag = lag(units) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last)
--           scan orders (id, customer, day, units)
==
# case: window/days-since-the-order-before
# note: as above: the days of one customer add up to less than a year
SELECT AVG(d) AS a FROM (SELECT DATE_DIFF('day', LAG(day) OVER (PARTITION BY customer ORDER BY day), day) AS d FROM orders) o
-- accept
-- sensitivity: sum(DATE_DIFF('day', lag, day) + 365)  l0=1 l1=2190 l2=2190 linf=2190 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', lag, day) in [-365, 365], clamped; summed around -365, the least; a row adds 730 to sum(DATE_DIFF('day', lag, day) + 365) and sum(DATE_DIFF('day', lag, day) - 365) together)
-- sensitivity: sum(DATE_DIFF('day', lag, day) - 365)  l0=1 l1=2190 l2=2190 linf=2190 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); DATE_DIFF('day', lag, day) in [-365, 365], clamped; summed around 365, the greatest; a row adds 730 to sum(DATE_DIFF('day', lag, day) + 365) and sum(DATE_DIFF('day', lag, day) - 365) together)
-- plan:
--   r1:
--     aggregate: avg = avg(date_diff('day', lag#2, day))
--       project id, customer, day, lag#2 = lag
--         window lag = lag(day) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--           scan orders (id, customer, day)
==
# case: window/lag-with-default
# note: one order of each customer is the first: that only ROW_NUMBER says
SELECT COUNT(*) AS n FROM (SELECT LAG(status, 1, 'none') OVER (PARTITION BY customer ORDER BY day) AS b FROM orders) o WHERE b = 'none'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (lag#2 = 'none')
--         project id, customer, day, status, lag#2 = lag
--           window lag = lag(status, 1, 'none') over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, status asc nulls last)
--             scan orders (id, customer, day, status)
==
# case: window/ties
# note: days are often equal: every column breaks the tie, so that no other unit's rows decide
SELECT SUM(b) AS s FROM (SELECT FIRST_VALUE(units) OVER (PARTITION BY customer ORDER BY day) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); first_value in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(first_value#2)
--       project id, customer, day, units, first_value#2 = first_value
--         window first_value = first_value(units) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last)
--           scan orders (id, customer, day, units)
-- sql:
WITH "cells" AS (SELECT "q1"."c2" AS "u", COUNT(*) AS "n", SUM((CASE WHEN ("q1"."c13" < 1) THEN 1 WHEN ("q1"."c13" > 9) THEN 9 ELSE "q1"."c13" END)) AS "s0"
FROM (SELECT "q2"."c1" AS "c1", "q2"."c2" AS "c2", "q2"."c3" AS "c3", "q2"."c9" AS "c9", "q2"."c17" AS "c13" FROM (SELECT "t1"."id" AS "c1", "t1"."customer" AS "c2", "t1"."day" AS "c3", "t1"."units" AS "c9", CAST(FIRST_VALUE("t1"."units") OVER (PARTITION BY "t1"."customer" ORDER BY "t1"."day" ASC, "t1"."id" ASC, "t1"."customer" ASC, "t1"."units" ASC) AS INT) AS "c17" FROM "main"."orders" AS "t1") AS "q2") AS "q1"
WHERE ("q1"."c2" IS NOT NULL)
GROUP BY "q1"."c2"),
"cut" AS (SELECT u, s0, n AS m, LEAST(n, CAST(3 AS BIGINT)) AS n
FROM cells),
"counted" AS (SELECT u, m, n, s0
FROM cut
WHERE n > 0),
"kept" AS (SELECT counted.n, CASE WHEN counted.n = counted.m THEN counted.s0 ELSE (CAST(counted.s0 AS INT128) * counted.n + CASE WHEN counted.s0 < 0 THEN -CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) ELSE CAST(HASH(counted.u, 'rows') % CAST(NULLIF(counted.m, 0) AS UBIGINT) AS BIGINT) END) // NULLIF(counted.m, 0) END AS s0
FROM counted)
SELECT SUM(n) AS n, SUM(s0) AS s0
FROM kept
==
# case: window/frame-of-rows
SELECT SUM(b) AS s FROM (SELECT MAX(units) OVER (PARTITION BY customer ORDER BY day, id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); max in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(max#2)
--       project id, customer, day, units, max#2 = max
--         window max = max(units) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last; rows 1 preceding to 0 current)
--           scan orders (id, customer, day, units)
==
# case: window/frame-may-be-empty
SELECT COUNT(b) AS n FROM (SELECT MIN(units) OVER (PARTITION BY customer ORDER BY day, id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS b FROM orders) o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(min#2)
--       project id, customer, day, units, min#2 = min
--         window min = min(units) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last; rows 2 preceding to 1 preceding)
--           scan orders (id, customer, day, units)
==
# case: window/frame-of-range
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY day RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count#2)
--       project id, customer, day, count#2 = count
--         window count = count(1) over (partition customer; order day asc nulls last)
--           scan orders (id, customer, day)
==
# case: window/range-with-an-interval
# note: by the number of the day: no end of a frame is beyond what a number can be
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY day RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count#2)
--       project id, customer, day, count#2 = count
--         window count = count(1) over (partition customer; order coerce(date_diff('day', 1970-01-01, clamp(day, 2024-01-01, 2024-12-31))) asc nulls last; range 7 preceding to 0 current)
--           scan orders (id, customer, day)
==
# case: window/range-with-an-interval-as-a-join
SELECT SUM(b) AS s FROM (SELECT a.id, COUNT(*) AS b FROM orders a JOIN orders b ON a.customer = b.customer AND b.day BETWEEN a.day - INTERVAL 7 DAY AND a.day GROUP BY a.id) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, proven (at most 3 groups per unit (no two rows with the same customer, number_up_to_3)); count in [1, 3], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by id#3 = id: count = count(*)
--         join inner on and((customer = customer#2), (try_cast(day#2) >= plus_interval(coerce(clamp(day, 2024-01-01, 2024-12-31)), 0, -7, 0)), (day#2 <= day))
--           filter (number_up_to_3 <= 3)
--             project id, customer, day, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last)
--                 scan orders (id, customer, day)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, day#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last)
--                 scan orders (id#2, customer#2, day#2)
==
# case: window/range-with-offset
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY units RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count#2)
--       project id, customer, units, count#2 = count
--         window count = count(1) over (partition customer; order coerce(units) asc nulls last; range 1 preceding to 0 current)
--           scan orders (id, customer, units)
==
# case: window/range-of-timestamps
SELECT AVG(b) AS a FROM (SELECT MAX(amount) OVER (PARTITION BY customer ORDER BY placed DESC RANGE BETWEEN INTERVAL 36 HOUR PRECEDING AND INTERVAL 1 HOUR FOLLOWING) AS b FROM orders) o
-- accept
-- sensitivity: sum(max)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); max in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(max) and sum(max - 500) together)
-- sensitivity: sum(max - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); max in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(max) and sum(max - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(max#2)
--       project id, customer, placed, amount, max#2 = max
--         window max = max(amount) over (partition customer; order coerce(date_diff('microsecond', 1970-01-01 00:00:00, clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00))) desc nulls last; range 129600000000 preceding to 3600000000 following)
--           scan orders (id, customer, placed, amount)
==
# case: window/range-before-the-row
SELECT SUM(b) AS s FROM (SELECT SUM(units) OVER (PARTITION BY customer ORDER BY day NULLS FIRST RANGE BETWEEN 60 PRECEDING AND 1 PRECEDING) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); sum in [1, 27], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project id, customer, day, units, sum#2 = sum
--         window sum = sum(clamp(units, 1, 9)) over (partition customer; order coerce(date_diff('day', 1970-01-01, clamp(day, 2024-01-01, 2024-12-31))) asc nulls first; range 60 preceding to 1 preceding)
--           scan orders (id, customer, day, units)
==
# case: window/range-of-nothing
# note: an offset of 0 is the row and its peers
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY weight RANGE BETWEEN 0 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count#2)
--       project id, customer, weight, count#2 = count
--         window count = count(1) over (partition customer; order weight asc nulls last; range 0 current to 0 current)
--           scan orders (id, customer, weight)
==
# case: window/range-of-released-groups
SELECT units, SUM(n) OVER (ORDER BY units RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) AS rolling FROM (SELECT units, COUNT(*) AS n FROM orders GROUP BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     project units#4 = units#3, rolling = sum
--       window sum = sum(n) over (order coerce(units#3) asc nulls last; range 2 preceding to 0 current)
--         project units#3 = units#2, n = count
--           released r1 (units#2, count)
==
# case: window/range-of-released-groups-before
# note: where no group is before one the sum is NULL: which groups there are makes a difference
SELECT units, SUM(n) OVER (ORDER BY units RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) AS before FROM (SELECT units, COUNT(*) AS n FROM orders GROUP BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     project units#4 = units#3, before = sum
--       window sum = sum(n) over (order coerce(units#3) asc nulls last; range 2 preceding to 1 preceding)
--         project units#3 = units#2, n = count
--           project units#2, count
--             filter present
--               released r1 (units#2, count, present)
==
# case: window/range-of-all-rows
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (ORDER BY day RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/range-in-months
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY day RANGE BETWEEN INTERVAL 1 MONTH PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  RANGE with an offset in months is not supported over private rows
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use days, or join the rows: b.day BETWEEN a.day - INTERVAL 1 MONTH AND a.day
==
# case: window/range-in-months-of-groups
SELECT m, SUM(n) OVER (ORDER BY m RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND CURRENT ROW) AS quarter, AVG(n) OVER (ORDER BY m DESC RANGE BETWEEN INTERVAL 1 YEAR PRECEDING AND INTERVAL 1 MONTH FOLLOWING) AS around FROM (SELECT date_trunc('month', placed) AS m, COUNT(*) AS n FROM orders GROUP BY 1)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', placed): count = count(*)
--       scan orders (id, customer, placed)
--   answer:
--     project m#2 = m, quarter = sum, around = avg
--       window sum = sum(n) over (order in_calendar(m) asc nulls last; months 2 preceding to 0 current), avg = avg(n) over (order in_calendar(m) desc nulls last; months 12 preceding to 1 following)
--         project m = key, n = count
--           project key, count
--             filter present
--               released r1 (key, count, present)
==
# case: window/range-in-months-and-days
SELECT m, SUM(n) OVER (ORDER BY m RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND INTERVAL 1 DAY FOLLOWING) AS s FROM (SELECT date_trunc('month', placed) AS m, COUNT(*) AS n FROM orders GROUP BY 1)
-- reject DP104  the ends of a frame are both in months or both in days
--        ^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/range-in-months-of-numbers
SELECT units, SUM(n) OVER (ORDER BY units RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND CURRENT ROW) AS s FROM (SELECT units, COUNT(*) AS n FROM orders GROUP BY 1)
-- reject DP205  the offset of a key of type INTEGER is a number
--            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/range-of-part-of-a-day
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY day RANGE BETWEEN INTERVAL 36 HOUR PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  the offset of a date is in whole days
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/range-of-doubles
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY weight RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  RANGE with an offset is by whole numbers, dates or timestamps, not DOUBLE
--                                                                                                 ^
-- help: use ROWS, or order by a whole number, such as CAST(FLOOR(x * 100) AS BIGINT)
==
# case: window/range-of-a-timestamp-by-a-number
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY placed RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP205  the offset of a timestamp is an interval
--                                                                                                 ^
-- help: write it as INTERVAL 1 HOUR
==
# case: window/range-of-a-number-by-an-interval
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY units RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP205  the offset of a key of type INTEGER is a number
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/range-by-two-keys
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY units, day RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP205  RANGE with an offset needs one key in ORDER BY
--                                                                                                     ^
==
# case: window/range-of-a-first-value
SELECT SUM(b) AS s FROM (SELECT FIRST_VALUE(units) OVER (PARTITION BY customer ORDER BY units RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  FIRST_VALUE in a RANGE with an offset is not supported
--                                                                                                          ^
-- help: use ROWS, or an aggregate such as MIN
==
# case: window/range-of-a-row-number
SELECT SUM(b) AS s FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY units RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  ROW_NUMBER in a RANGE with an offset is not supported
--                                                                                                    ^
-- help: use ROWS, or an aggregate such as MIN
==
# case: window/range-that-is-negative
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY day RANGE BETWEEN INTERVAL '-7' DAY PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP205  the offset of a frame is not negative
--                                                                                                       ^^^^
==
# case: window/range-of-a-column
SELECT SUM(b) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY customer ORDER BY units RANGE BETWEEN units PRECEDING AND CURRENT ROW) AS b FROM orders) o
-- reject DP104  a frame's ends are constants
--                                                                                                ^^^^^
==
# case: window/sum-of-doubles
# note: floating-point sums depend on the order: added on the lattice, they do not
SELECT SUM(t) AS s FROM (SELECT SUM(weight) OVER (PARTITION BY customer) AS t FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=180.9 l2=180.9 linf=180.9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); sum in [0, 60.3], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project id, customer, weight, sum#2 = (coerce(sum) * 1/34359738368)
--         window sum = sum(steps(clamp(weight, 0, 2828823515942093/140737488355328), 1/34359738368)) over (partition customer)
--           scan orders (id, customer, weight)
==
# case: window/partition-by-unit-and-more
SELECT COUNT(*) AS n FROM (SELECT RANK() OVER (PARTITION BY customer, status ORDER BY amount DESC) AS r FROM orders) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (rank#2 = 1)
--         project id, customer, amount, status, rank#2 = rank
--           window rank = rank() over (partition customer, status; order amount desc nulls last)
--             scan orders (id, customer, amount, status)
==
# case: window/partition-by-a-key-that-leads-there
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY price DESC) AS r FROM lines) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (no two rows with the same order_id, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (row_number#2 = 1)
--         project order_id, price, row_number#2 = row_number
--           window row_number = row_number() over (partition order_id; order price desc nulls last, order_id asc nulls last)
--             scan lines (order_id, price)
==
# case: window/joined-rows
SELECT segment, COUNT(*) AS n FROM (SELECT c.segment, ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY o.day) AS k FROM customers c JOIN orders o ON o.customer = c.id) x WHERE k = 1 GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (no two rows with the same id, row_number); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#3 = segment#2: count = count(*)
--       filter (row_number#2 = 1)
--         project id, segment#2, id#2, customer, day, row_number#2 = row_number
--           window row_number = row_number() over (partition id; order day asc nulls last, id asc nulls last, segment#2 asc nulls last, id#2 asc nulls last, customer asc nulls last)
--             join inner on (customer = id)
--               project id, segment#2 = cut(segment, 7)
--                 scan customers (id, segment)
--               scan orders (id#2, customer, day)
==
# case: window/with-filter
SELECT SUM(b) AS s FROM (SELECT COUNT(*) FILTER (WHERE paid) OVER (PARTITION BY customer) AS b FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count#2)
--       project id, customer, paid, count#2 = count
--         window count = count(case(paid then 1; else NULL)) over (partition customer)
--           scan orders (id, customer, paid)
==
# case: window/two-windows
# note: the two numbers are two keys; each alone leaves one row
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS a, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day DESC) AS z FROM orders) o WHERE a = 1 AND z = 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same customer, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((row_number#3 = 1) AND (row_number#4 = 1))
--         project id, customer, day, row_number#3 = row_number, row_number#4 = row_number#2
--           window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last), row_number#2 = row_number() over (partition customer; order day desc nulls last, id asc nulls last, customer asc nulls last)
--             scan orders (id, customer, day)
==
# case: window/named-window
SELECT SUM(units) AS s FROM (SELECT units, RANK() OVER w AS r FROM orders WINDOW w AS (PARTITION BY customer ORDER BY units DESC)) o WHERE r = 1
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units)
--       filter (rank#2 = 1)
--         project id, customer, units, rank#2 = rank
--           window rank = rank() over (partition customer; order units desc nulls last)
--             scan orders (id, customer, units)
==
# case: window/window-of-a-window
# note: one order of each customer has none before it, which is not looked for
SELECT COUNT(*) AS n FROM (SELECT LAG(k) OVER (PARTITION BY customer ORDER BY k) AS b FROM (SELECT customer, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) AS k FROM orders) o) p WHERE b IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(lag#2)
--         project customer#2, k, lag#2 = lag
--           window lag = lag(k) over (partition customer#2; order k asc nulls last, customer#2 asc nulls last)
--             project customer#2 = customer, k = row_number#2
--               project id, customer, day, row_number#2 = row_number
--                 window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last)
--                   scan orders (id, customer, day)
==
# case: window/no-partition
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (ORDER BY day) AS k FROM orders) o WHERE k < 10
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: window/partition-by-something-else
SELECT AVG(r) AS a FROM (SELECT RANK() OVER (PARTITION BY status ORDER BY amount) AS r FROM orders) o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: window/partition-by-an-expression-of-the-unit
SELECT AVG(r) AS a FROM (SELECT RANK() OVER (PARTITION BY customer % 10 ORDER BY amount) AS r FROM orders) o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: window/in-where
SELECT COUNT(*) AS n FROM orders WHERE ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) = 1
-- reject DP207  a window function cannot stand here
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: filter it with QUALIFY
==
# case: window/inside-a-window
SELECT SUM(COUNT(*) OVER ()) OVER () AS n FROM orders GROUP BY units
-- reject DP207  a window function cannot stand here
--         ^^^^^^^
-- help: filter it with QUALIFY
==
# case: window/unknown-name
SELECT RANK() OVER w AS r FROM orders GROUP BY units
-- reject DP202  no window w
--     ^^^^^^^^^^^^^
==
# case: window/individuals
SELECT amount, RANK() OVER (PARTITION BY customer ORDER BY amount) AS r FROM orders
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: window/first-customer-of-one-branch
SELECT COUNT(*) AS n FROM (SELECT MIN(x) OVER (PARTITION BY k) AS m FROM (SELECT order_id AS k, order_id AS x FROM lines UNION ALL SELECT NULL, id FROM customers) u) w WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/first-customer-of-a-status
SELECT COUNT(*) AS n FROM (SELECT MIN(customer) OVER (PARTITION BY status) AS m FROM orders) o WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# policy: shop verified
# case: window/verified-partition-by-a-key-that-leads-there
SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY price DESC) AS r FROM lines) o WHERE r = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (no two rows with the same order_id, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (row_number#2 = 1)
--         project order_id, price, row_number#2 = row_number
--           window row_number = row_number() over (partition order_id; order price desc nulls last, order_id asc nulls last)
--             scan lines (order_id, price)
==
# case: window/ntile-of-nothing
SELECT units, NTILE() OVER (ORDER BY units) AS t FROM orders GROUP BY units
-- reject DP205  NTILE needs an argument
--            ^^^^^
==
# case: window/nulls-first
# note: the place of NULLs is part of the order
SELECT SUM(x) FROM (SELECT amount * ROW_NUMBER() OVER (PARTITION BY customer ORDER BY paid DESC NULLS FIRST, id) AS x FROM orders)
-- accept
-- sensitivity: sum(x)  l0=1 l1=4500 l2=4500 linf=4500 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount * row_number in [0, 1500], proven)
-- plan:
--   r1:
--     aggregate: sum = sum((amount * row_number#2))
--       project id, customer, amount, paid, row_number#2 = row_number
--         window row_number = row_number() over (partition customer; order paid desc nulls first, id asc nulls last, customer asc nulls last, amount asc nulls last)
--           scan orders (id, customer, amount, paid)
==
# case: window/least-of-all-rows
SELECT COUNT(*) AS n FROM (SELECT day, MIN(day) OVER () AS m FROM orders) AS o WHERE day < m + INTERVAL 30 DAY
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 55 from the end)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: min = min(day)
--       scan orders (id, customer, day)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(day#2) < plus_interval(coerce(clamp(min, 2024-01-01, 2024-12-31)), 0, 30, 0))
--         scan orders (id#2, customer#2, day#2)
--         released f1 (min)
==
# case: window/least-of-all-rows-released
SELECT COUNT(*) AS n FROM orders WHERE day < (SELECT MIN(day) FROM orders) + INTERVAL 30 DAY
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 55 from the end)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: min = min(day)
--       scan orders (id, customer, day)
--   f1:
--     project min(day) = min
--       released r1 (min)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(day#2) < plus_interval(coerce(clamp(min(day), 2024-01-01, 2024-12-31)), 0, 30, 0))
--         scan orders (id#2, customer#2, day#2)
--         released f1 (min(day))
==
# case: window/average-of-each-partition
SELECT COUNT(*) AS n FROM (SELECT balance, AVG(balance) OVER (PARTITION BY segment) AS a FROM customers) AS c WHERE balance > a
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], proven; summed around -1000, the least; groups: key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], proven; summed around 5000, the greatest; groups: key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by key = segment: avg = avg(balance)
--       scan customers (id, balance, segment)
--   f1:
--     released r1 (key, avg)
--   r2:
--     aggregate: count = count(*)
--       join inner on ((segment#2 = key) AND (coerce(balance#2) > avg))
--         scan customers (id#2, balance#2, segment#2)
--         released f1 (key, avg)
==
# case: window/totals-of-two-partitions-and-of-one-unit
SELECT SUM(amount) AS s FROM (SELECT amount, COUNT(*) OVER (PARTITION BY paid) AS a, MAX(units) OVER () AS m, units, COUNT(*) OVER (PARTITION BY customer) AS own FROM orders WHERE paid IS NOT NULL) AS o WHERE a > 1 AND units < m AND own > 1
-- accept
-- sensitivity: count(*)  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, proven (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 9 points; MIN and MAX are of the rank 33 from the end)
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven)
-- plan:
--   r1:
--     aggregate by key = paid: count = count(*)
--       filter not(is_null(paid))
--         scan orders (id, customer, paid)
--   r2:
--     aggregate: max = max(units)
--       filter not(is_null(paid#2))
--         scan orders (id#2, customer#2, paid#2, units)
--   f1:
--     released r1 (key, count)
--   f2:
--     released r2 (max)
--   r3:
--     aggregate: sum = sum(amount)
--       filter and((count > 1), (units#2 < max), (count#3 > 1))
--         project id#3, customer#3, amount, paid#3, units#2, key, count, max, count#3 = count#2
--           window count#2 = count(1) over (partition customer#3)
--             join inner on true
--               join inner on (paid#3 = key)
--                 filter not(is_null(paid#3))
--                   scan orders (id#3, customer#3, amount, paid#3, units#2)
--                 released f1 (key, count)
--               released f2 (max)
==
# case: window/totals-with-a-filter
SELECT COUNT(*) AS n FROM (SELECT age, SUM(age) FILTER (WHERE vip) OVER (PARTITION BY segment) AS a FROM customers) AS c WHERE age < a
-- accept
-- sensitivity: sum(CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END)  l0=1 l1=99 l2=99 linf=99 groups=3  (rows per unit 1, proven (id is the key of customers); CASE WHEN vip THEN age ELSE CAST(NULL AS INT) END in [18, 99], proven; groups: key: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by key = segment: sum = sum(case(vip then age; else NULL))
--       scan customers (id, age, vip, segment)
--   f1:
--     released r1 (key, sum)
--   r2:
--     aggregate: count = count(*)
--       join inner on ((segment#2 = key) AND (coerce(age#2) < sum))
--         scan customers (id#2, age#2, segment#2)
--         released f1 (key, sum)
==
# case: window/total-of-a-partition-that-may-be-null
# note: a row whose status is NULL would find no total
SELECT COUNT(*) AS n FROM (SELECT units, MAX(units) OVER (PARTITION BY status) AS m FROM orders) AS o WHERE units = m
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/running-total-of-several-units
SELECT COUNT(*) AS n FROM (SELECT SUM(units) OVER (PARTITION BY code ORDER BY units) AS m FROM orders) AS o WHERE m > 3
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/median-of-a-unit
SELECT COUNT(*) AS n FROM (SELECT units, MEDIAN(units) OVER (PARTITION BY customer) AS m FROM orders) WHERE units > m
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#3 = count(*)
--       filter (coerce(units) > median)
--         project id, customer, units, row_number#2, count#2, low, high, median = min#3
--           window min#3 = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(low) * (1 - (((coerce(count#2) - 1) * 1/2) - floor(((coerce(count#2) - 1) * 1/2))))) + (coerce(high) * (((coerce(count#2) - 1) * 1/2) - floor(((coerce(count#2) - 1) * 1/2))))), coerce(low)), coerce(high)); else NULL)) over (partition customer)
--             project id, customer, units, row_number#2, count#2, low = min, high = min#2
--               window min = min(case((coerce(row_number#2) = (floor(((coerce(count#2) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(count#2) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer)
--                 project id, customer, units, row_number#2 = row_number, count#2 = count
--                   window row_number = row_number() over (partition customer; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last), count = count(units) over (partition customer)
--                     scan orders (id, customer, units)
==
# case: window/places-of-a-unit
SELECT AVG(amount - low) AS a, COUNT(day) AS n FROM (SELECT amount, day, QUANTILE_DISC(amount, 0.25) OVER w AS low, MEDIAN(day) OVER w AS m FROM orders WINDOW w AS (PARTITION BY customer)) WHERE day > m
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- sensitivity: sum(amount - quantile_disc + 500)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount - quantile_disc in [-500, 500], proven; summed around -500, the least; a row adds 1000 to sum(amount - quantile_disc + 500) and sum(amount - quantile_disc - 500) together)
-- sensitivity: sum(amount - quantile_disc - 500)  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount - quantile_disc in [-500, 500], proven; summed around 500, the greatest; a row adds 1000 to sum(amount - quantile_disc + 500) and sum(amount - quantile_disc - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg((amount - quantile_disc)), count#5 = count(day)
--       filter (coerce(day) > median)
--         project id, customer, day, amount, row_number#3, count#3, row_number#4, count#4, low, high, quantile_disc = min#3, median = min#4
--           window min#3 = min(case((coerce(row_number#3) = greatest((coerce(count#3) - floor((coerce(count#3) - (1/4 * coerce(count#3))))), 1)) then amount; else NULL)) over (partition customer), min#4 = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(make_timestamp((date_diff('microsecond', 1970-01-01 00:00:00, low) + coerce(round((coerce(date_diff('microsecond', low, high)) * (((coerce(count#4) - 1) * 1/2) - floor(((coerce(count#4) - 1) * 1/2)))))))), low), high); else NULL)) over (partition customer)
--             project id, customer, day, amount, row_number#3, count#3, row_number#4, count#4, low = min, high = min#2
--               window min = min(case((coerce(row_number#4) = (floor(((coerce(count#4) - 1) * 1/2)) + 1)) then coerce(day); else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#4) = (ceil(((coerce(count#4) - 1) * 1/2)) + 1)) then coerce(day); else NULL)) over (partition customer)
--                 project id, customer, day, amount, row_number#3 = row_number, count#3 = count, row_number#4 = row_number#2, count#4 = count#2
--                   window row_number = row_number() over (partition customer; order is_null(amount) asc nulls last, amount asc nulls last, id asc nulls last, customer asc nulls last, day asc nulls last), count = count(amount) over (partition customer), row_number#2 = row_number() over (partition customer; order is_null(day) asc nulls last, day asc nulls last, id asc nulls last, customer asc nulls last, amount asc nulls last), count#2 = count(day) over (partition customer)
--                     scan orders (id, customer, day, amount)
==
# case: window/chosen-of-a-unit
SELECT COUNT(*) AS n FROM (SELECT status, MODE(status) OVER (PARTITION BY customer) AS s, ARG_MAX(paid, day) OVER (PARTITION BY customer, units) AS p, SUM(units) OVER (PARTITION BY customer) AS u FROM orders) WHERE p AND s = status AND u > 3
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#3 = count(*)
--       filter and(arg_max#2, (mode#2 = status), (sum#2 > 3))
--         project id, customer, day, paid, status, units, count#2, mode, arg_max, mode#2 = min, arg_max#2 = min#2, sum#2 = sum
--           window min = min(mode) over (partition customer), min#2 = min(arg_max) over (partition customer, units), sum = sum(units) over (partition customer)
--             project id, customer, day, paid, status, units, count#2, mode, arg_max = first_value#2
--               window first_value#2 = first_value(case((not(is_null(paid)) AND not(is_null(day))) then paid; else NULL)) over (partition customer, units; order not((not(is_null(paid)) AND not(is_null(day)))) asc nulls last, day desc nulls last, paid asc nulls last, id asc nulls last, customer asc nulls last, status asc nulls last, units asc nulls last, count#2 asc nulls last, mode asc nulls last)
--                 project id, customer, day, paid, status, units, count#2, mode = first_value
--                   window first_value = first_value(status) over (partition customer; order is_null(status) asc nulls last, count#2 desc nulls last, status asc nulls last, id asc nulls last, customer asc nulls last, day asc nulls last, paid asc nulls last, units asc nulls last)
--                     project id, customer, day, paid, status, units, count#2 = count
--                       window count = count(status) over (partition customer, status)
--                         scan orders (id, customer, day, paid, status, units)
==
# case: window/median-of-a-unit-beside-a-total
SELECT AVG(units - m) AS a FROM (SELECT units, MEDIAN(units) OVER (PARTITION BY customer) AS m, AVG(units) OVER () AS u FROM orders) WHERE units > u - 2
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, proven (3 rows of orders per customer); units in [1, 9], proven; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, proven (3 rows of orders per customer); units in [1, 9], proven; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - median + 8)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, proven (3 rows of orders per customer); units - median in [-8, 8], proven; summed around -8, the least; a row adds 16 to sum(units - median + 8) and sum(units - median - 8) together)
-- sensitivity: sum(units - median - 8)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, proven (3 rows of orders per customer); units - median in [-8, 8], proven; summed around 8, the greatest; a row adds 16 to sum(units - median + 8) and sum(units - median - 8) together)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     released r1 (avg)
--   r2:
--     aggregate: avg#2 = avg((units#2 - median))
--       filter (coerce(units#2) > (clamp(avg, 9007199254740983/9007199254740992, 5066549580791813/562949953421312) - 2))
--         project id#2, customer#2, units#2, row_number#2, count#2, low, high, avg, median = min#3
--           window min#3 = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(low) * (1 - (((coerce(count#2) - 1) * 1/2) - floor(((coerce(count#2) - 1) * 1/2))))) + (coerce(high) * (((coerce(count#2) - 1) * 1/2) - floor(((coerce(count#2) - 1) * 1/2))))), coerce(low)), coerce(high)); else NULL)) over (partition customer#2)
--             join inner on true
--               project id#2, customer#2, units#2, row_number#2, count#2, low = min, high = min#2
--                 window min = min(case((coerce(row_number#2) = (floor(((coerce(count#2) - 1) * 1/2)) + 1)) then units#2; else NULL)) over (partition customer#2), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(count#2) - 1) * 1/2)) + 1)) then units#2; else NULL)) over (partition customer#2)
--                   project id#2, customer#2, units#2, row_number#2 = row_number, count#2 = count
--                     window row_number = row_number() over (partition customer#2; order is_null(units#2) asc nulls last, units#2 asc nulls last, id#2 asc nulls last, customer#2 asc nulls last), count = count(units#2) over (partition customer#2)
--                       scan orders (id#2, customer#2, units#2)
--               released f1 (avg)
==
# case: window/spread-of-a-unit
SELECT COUNT(*) AS n FROM (SELECT units, AVG(units) OVER w AS m, STDDEV(units) OVER w AS s FROM orders WINDOW w AS (PARTITION BY customer)) WHERE units > m + s
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#3 = count(*)
--       filter (coerce(units) > (avg + stddev_samp))
--         project id, customer, units, avg = case((count = 0) then NULL; else clamp(div(coerce(sum), coerce(count)), 1, 9)), stddev_samp = case((coerce(count#2) < 2) then NULL; else (clamp(sqrt(clamp(div((coerce(sum#3) - div((coerce(sum#2) * coerce(sum#2)), coerce(count#2))), (coerce(count#2) - 1)), 0, 128)), 0, 12) * 1/2))
--           window sum = sum(units) over (partition customer), count = count(units) over (partition customer), count#2 = count(((2 * coerce(units)) - 10)) over (partition customer), sum#2 = sum(((2 * coerce(units)) - 10)) over (partition customer), sum#3 = sum((((2 * coerce(units)) - 10) * ((2 * coerce(units)) - 10))) over (partition customer)
--             scan orders (id, customer, units)
==
# case: window/spread-of-a-unit-so-far
SELECT AVG(v) AS v FROM (SELECT VAR_POP(units) OVER (PARTITION BY customer ORDER BY day, id ROWS 1 PRECEDING) AS v FROM orders)
-- accept
-- sensitivity: sum(var_pop)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, proven (3 rows of orders per customer); var_pop in [0, 16], proven; summed around 0, the least; a row adds 16 to sum(var_pop) and sum(var_pop - 16) together)
-- sensitivity: sum(var_pop - 16)  l0=1 l1=48 l2=48 linf=48 groups=1  (rows per unit 3, proven (3 rows of orders per customer); var_pop in [0, 16], proven; summed around 16, the greatest; a row adds 16 to sum(var_pop) and sum(var_pop - 16) together)
-- plan:
--   r1:
--     aggregate: avg = avg(var_pop)
--       project id, customer, day, units, var_pop = case((coerce(count) < 1) then NULL; else (clamp(div((coerce(sum#2) - div((coerce(sum) * coerce(sum)), coerce(count))), coerce(count)), 0, 64) * 1/4))
--         window count = count(((2 * coerce(units)) - 10)) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last; rows 1 preceding to 0 current), sum = sum(((2 * coerce(units)) - 10)) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last; rows 1 preceding to 0 current), sum#2 = sum((((2 * coerce(units)) - 10) * ((2 * coerce(units)) - 10))) over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, units asc nulls last; rows 1 preceding to 0 current)
--           scan orders (id, customer, day, units)
==
# case: window/texts-of-a-unit
SELECT COUNT(*) AS n FROM (SELECT paid, STRING_AGG(status, '-' ORDER BY day, status) OVER (PARTITION BY customer) AS s FROM orders) WHERE s = 'open-sent' AND paid
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((string_agg = 'open-sent') AND paid)
--         project id, customer, day, paid, status, row_number#2, text, text#2, text#3, string_agg = min#4
--           window min#4 = min(case(not(is_null(text)) then concat(text, case(is_null(text#2) then ''; else concat('-', text#2)), case(is_null(text#3) then ''; else concat('-', text#3))); else NULL)) over (partition customer)
--             project id, customer, day, paid, status, row_number#2, text = min, text#2 = min#2, text#3 = min#3
--               window min = min(case((row_number#2 = 1) then status; else NULL)) over (partition customer), min#2 = min(case((row_number#2 = 2) then status; else NULL)) over (partition customer), min#3 = min(case((row_number#2 = 3) then status; else NULL)) over (partition customer)
--                 project id, customer, day, paid, status, row_number#2 = row_number
--                   window row_number = row_number() over (partition customer; order is_null(status) asc nulls last, day asc nulls last, status asc nulls last, status asc nulls last, status asc nulls last, id asc nulls last, customer asc nulls last, paid asc nulls last)
--                     scan orders (id, customer, day, paid, status)
==
# case: window/median-so-far
SELECT COUNT(*) AS n FROM (SELECT units, MEDIAN(units) OVER (PARTITION BY customer ORDER BY day) AS m FROM orders) WHERE units > m
-- reject DP204  the window function median over private rows is not supported
--                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/median-of-each-partition
SELECT COUNT(*) AS n FROM (SELECT age, MEDIAN(age) OVER (PARTITION BY segment) AS a FROM customers) AS c WHERE age < a
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); 82 points)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by key = segment: median = median(age)
--       scan customers (id, age, segment)
--   f1:
--     released r1 (key, median)
--   r2:
--     aggregate: count = count(*)
--       join inner on ((segment#2 = key) AND (coerce(age#2) < median))
--         scan customers (id#2, age#2, segment#2)
--         released f1 (key, median)
==
# case: window/grouped-by-the-least-of-all
SELECT m, COUNT(*) AS n, AVG(DATE_DIFF('day', m, day)) AS a FROM (SELECT day, MIN(day) OVER () AS m FROM orders) AS o GROUP BY m
-- accept
-- sensitivity: quantiles(day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 366 points; MIN and MAX are of the rank 56 from the end)
-- sensitivity: rows with DATE_DIFF('day', min, day) near -365  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); DATE_DIFF('day', min, day) in [-365, 365], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with DATE_DIFF('day', min, day) near 365  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); DATE_DIFF('day', min, day) in [-365, 365], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without DATE_DIFF('day', min, day)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: min = min(day)
--       scan orders (id, customer, day)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate: count = count(*), avg = avg(date_diff('day', min, day#2))
--       join inner on true
--         scan orders (id#2, customer#2, day#2)
--         released f1 (min)
--   answer:
--     project m#2 = m, n = count, a = avg
--       project m = min#2, count, avg
--         join inner on true
--           released r2 (count, avg)
--           released r1 (min#2)
==
# case: window/grouped-by-what-a-partition-fixes
SELECT segment, a + 1 AS b, COUNT(*) AS n FROM (SELECT segment, MAX(age) OVER (PARTITION BY segment) AS a FROM customers) AS c GROUP BY segment, a + 1
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 15 from the end)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = segment: max = max(age)
--       scan customers (id, age, segment)
--   f1:
--     released r1 (key, max)
--   r2:
--     aggregate by segment#3 = segment#2: count = count(*)
--       join inner on (segment#2 = key)
--         scan customers (id#2, segment#2)
--         released f1 (key, max)
--   answer:
--     project segment#4 = segment#3, b = key#5, n = count
--       project segment#3, key#5 = (max#4 + 1), count
--         join inner on (segment#3 = key#4)
--           project segment#3, count
--             filter chosen
--               join mark chosen on (segment#3 = key#3)
--                 released r2 (segment#3, count)
--                 project key#3 = key#2, max#3 = max#2
--                   released r1 (key#2, max#2)
--           released r1 (key#4, max#4)
==
# case: window/grouped-by-what-a-partition-does-not-fix
SELECT a, COUNT(*) AS n FROM (SELECT segment, MAX(age) OVER (PARTITION BY segment) AS a FROM customers) AS c GROUP BY a
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); 82 points; MIN and MAX are of the rank 15 from the end)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=83  (rows per unit 1, proven (id is the key of customers); groups: a: 83 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = segment: max = max(age)
--       scan customers (id, age, segment)
--   f1:
--     released r1 (key, max)
--   r2:
--     aggregate by a = max: count = count(*)
--       join inner on (segment#2 = key)
--         scan customers (id#2, segment#2)
--         released f1 (key, max)
--   answer:
--     project a#2 = a, n = count
--       project a, count
--         filter chosen
--           join mark chosen on ((key#3 = key#3) AND is_not_distinct(a, max#3))
--             released r2 (a, count)
--             project key#3 = key#2, max#3 = max#2
--               released r1 (key#2, max#2)
==
# case: window/grouped-by-what-a-key-and-a-partition-fix
SELECT code, code - m AS d, COUNT(*) AS n FROM (SELECT code, MIN(units) OVER () AS m FROM orders WHERE code BETWEEN 1 AND 3) AS o GROUP BY code, code - m
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 9 points; MIN and MAX are of the rank 32 from the end)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, proven (3 rows of orders per customer); groups: code: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate: min = min(units)
--       filter ((code >= 1) AND (code <= 3))
--         scan orders (id, customer, units, code)
--   f1:
--     released r1 (min)
--   r2:
--     aggregate by code#3 = code#2: count = count(*)
--       join inner on true
--         filter ((code#2 >= 1) AND (code#2 <= 3))
--           scan orders (id#2, customer#2, code#2)
--         released f1 (min)
--   answer:
--     project code#4 = code#3, d = key, n = count
--       project code#3, key = (coerce(code#3) - min#2), count
--         join inner on true
--           released r2 (code#3, count)
--           released r1 (min#2)
==
# case: window/condition-on-a-total-alone
SELECT COUNT(*) AS c FROM (SELECT COUNT(*) OVER () AS n FROM orders) t WHERE n = 61
-- reject DP405  this asks of a total alone, which is the same for all rows: so is its noise
--                                                                           ^^^^^^
-- help: ask for the total in a query of its own
==
# case: window/sum-of-a-total
SELECT SUM(m) AS s FROM (SELECT MAX(units) OVER () AS m FROM orders) AS t
-- reject DP405  this asks of a total alone, which is the same for all rows: so is its noise
--         ^
-- help: ask for the total in a query of its own
==
# policy: shop
# case: window/quantiles-of-released-rows
SELECT status, paid, n, MEDIAN(n) OVER (PARTITION BY status) AS m, QUANTILE_CONT(n, 0.9) OVER () AS q FROM (SELECT status, paid, COUNT(*) AS n FROM orders GROUP BY status, paid) AS g
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; paid: 2 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status, paid#2 = paid: count = count(*)
--       scan orders (id, customer, paid, status)
--   answer:
--     project status#4 = status#3, paid#4 = paid#3, n#2 = n, m = median, q = quantile_cont
--       window median = median(n) over (partition status#3), quantile_cont = quantile_cont(n, 9/10) over ()
--         project status#3 = status#2, paid#3 = paid#2, n = count
--           project status#2, paid#2, count
--             filter present
--               released r1 (status#2, paid#2, count, present)
==
# case: window/further-aggregates-of-released-rows
SELECT status, BOOL_OR(paid) OVER (PARTITION BY status) AS m, ARG_MAX(paid, n) OVER (PARTITION BY status) AS best, COUNT_IF(n > 3) OVER () AS c, MAD(n) FILTER (WHERE paid) OVER () AS d, CORR(n, u) OVER () AS r FROM (SELECT status, paid, COUNT(*) AS n, SUM(units) AS u FROM orders GROUP BY status, paid) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; paid: 2 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: centred sum(units)  l0=3 l1=12 l2=12 linf=12 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle; groups: status: 4 values; paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status, paid#2 = paid: count = count(*), sum = sum(units)
--       scan orders (id, customer, paid, status, units)
--   answer:
--     project status#4 = status#3, m = bool_or, best = arg_max, c = count#2, d = mad, r = corr
--       window bool_or = bool_or(paid#3) over (partition status#3), arg_max = arg_max(paid#3, n) over (partition status#3), count#2 = count(case((n > 3) then 1; else NULL)) over (), mad = mad(case(paid#3 then n; else NULL)) over (), corr = corr(n, u) over ()
--         project status#3 = status#2, paid#3 = paid#2, n = count, u = sum
--           project status#2, paid#2, count, sum
--             filter present
--               released r1 (status#2, paid#2, count, sum, present)
==
# case: window/quantile-in-qualify
SELECT status, COUNT(*) AS n FROM orders GROUP BY status QUALIFY n >= QUANTILE_DISC(n, 0.5) OVER ()
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#3 = status#2, n = count
--       filter (count >= quantile_disc)
--         window quantile_disc = quantile_disc(count, 1/2) over ()
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: window/quantile-of-public-rows
SELECT COUNT(*) AS n FROM lines l JOIN (SELECT id, price > QUANTILE_CONT(price, 0.75) OVER (PARTITION BY kind) AS dear FROM products) AS p ON p.id = l.product WHERE p.dear
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product)
--         filter (price > quantile_cont)
--           window quantile_cont = quantile_cont(price, 3/4) over (partition kind)
--             scan products (id, kind, price)
==
# case: window/best-of-public-rows
SELECT COUNT(*) AS n FROM lines l JOIN (SELECT id, MEDIAN(price) OVER (PARTITION BY kind) AS m, ARG_MAX(id, price) OVER (PARTITION BY kind) AS k FROM products) AS p ON p.id = l.product WHERE p.m > 10 AND p.k = p.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product)
--         filter ((median > 10) AND (arg_max = id))
--           window median = median(price) over (partition kind), arg_max = arg_max(id, price; order id asc nulls last, price asc nulls last) over (partition kind)
--             scan products (id, kind, price)
==
# case: window/median-of-all-rows
# differs: the median is released, and with few rows is any of them
SELECT COUNT(*) AS n FROM (SELECT units FROM orders QUALIFY units > MEDIAN(units) OVER ()) AS o
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: median = median(units)
--       scan orders (id, customer, units)
--   f1:
--     released r1 (median)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(units#2) > median)
--         scan orders (id#2, customer#2, units#2)
--         released f1 (median)
==
# case: window/median-of-one-units-rows
SELECT AVG(m) AS a FROM (SELECT customer, MEDIAN(units) OVER (PARTITION BY customer) AS m FROM orders) AS o
-- accept
-- sensitivity: sum(median - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); median in [1, 9], proven; summed around 1, the least; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- sensitivity: sum(median - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); median in [1, 9], proven; summed around 9, the greatest; a row adds 8 to sum(median - 1) and sum(median - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(median)
--       project id, customer, units, row_number#2, count#2, low, high, median = min#3
--         window min#3 = min(case((not(is_null(low)) AND not(is_null(high))) then least(greatest(((coerce(clamp(low, 1, 9)) * (1 - (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))) + (coerce(clamp(high, 1, 9)) * (((coerce(clamp(count#2, 0, 3)) - 1) * 1/2) - floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2))))), coerce(clamp(low, 1, 9))), coerce(clamp(high, 1, 9))); else NULL)) over (partition customer)
--           project id, customer, units, row_number#2, count#2, low = min, high = min#2
--             window min = min(case((coerce(row_number#2) = (floor(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer), min#2 = min(case((coerce(row_number#2) = (ceil(((coerce(clamp(count#2, 0, 3)) - 1) * 1/2)) + 1)) then units; else NULL)) over (partition customer)
--               project id, customer, units, row_number#2 = row_number, count#2 = count
--                 window row_number = row_number() over (partition customer; order is_null(units) asc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last), count = count(units) over (partition customer)
--                   scan orders (id, customer, units)
==
# case: window/quantile-of-private-rows
SELECT COUNT(*) AS n FROM (SELECT units FROM orders QUALIFY units > QUANTILE_DISC(units, 0.9) OVER ()) AS o
-- accept
-- sensitivity: quantiles(units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: quantile_disc = quantile_disc(units, 9/10)
--       scan orders (id, customer, units)
--   f1:
--     released r1 (quantile_disc)
--   r2:
--     aggregate: count = count(*)
--       join inner on (units#2 > quantile_disc)
--         scan orders (id#2, customer#2, units#2)
--         released f1 (quantile_disc)
==
# case: window/list-of-quantiles
SELECT status, QUANTILE_CONT(n, [0.1, 0.9]) OVER () AS q FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- reject DP104  a list is no value of a window function here
--             ^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/mode-of-released-rows
SELECT status, MODE(n) OVER () AS m FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, m = mode
--       window mode = mode(n; order n asc nulls last) over ()
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: window/list-of-rows
SELECT status, LIST(n) OVER () AS l FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, l = list
--       window list = list(n; order n asc nulls last) over ()
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: window/distinct-released-rows
SELECT status, COUNT(DISTINCT n) OVER () AS d FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, d = count#2
--       window count#2 = count(distinct n) over ()
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: window/mode-of-released-rows-so-far
# differs: rows may tie
SELECT status, units, MODE(units) OVER (PARTITION BY status ORDER BY n DESC) AS m FROM (SELECT status, units, COUNT(*) AS n FROM orders GROUP BY ALL) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=36  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status, units#2 = units: count = count(*)
--       scan orders (id, customer, status, units)
--   answer:
--     project status#4 = status#3, units#4 = units#3, m = mode
--       window mode = mode(units#3; order units#3 asc nulls last) over (partition status#3; order n desc nulls last)
--         project status#3 = status#2, units#3 = units#2, n = count
--           project status#2, units#2, count
--             filter present
--               released r1 (status#2, units#2, count, present)
==
# case: window/lists-of-released-rows
SELECT status, LIST(status ORDER BY n DESC) OVER () AS every, STRING_AGG(DISTINCT status, ', ') OVER (ORDER BY n) AS so_far FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, every = list, so_far = string_agg
--       window list = list(status#3; order n desc nulls last, status#3 asc nulls last) over (), string_agg = string_agg(distinct status#3, ', '; order status#3 asc nulls last) over (order n asc nulls last)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: window/first-last-and-nth-of-released-rows
SELECT status, FIRST(n) OVER (ORDER BY status) AS a, LAST(n) OVER (ORDER BY status) AS b, ANY_VALUE(n) OVER (ORDER BY status) AS c, NTH_VALUE(n, 2) OVER (ORDER BY status) AS d FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, a = first, b = last, c = any_value, d = nth_value
--       window first = first(n; order status#3 asc nulls last, n asc nulls last) over (order status#3 asc nulls last), last = last(n; order status#3 asc nulls last, n asc nulls last) over (order status#3 asc nulls last), any_value = any_value(n; order status#3 asc nulls last, n asc nulls last) over (order status#3 asc nulls last), nth_value = nth_value(n, 2) over (order status#3 asc nulls last)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: window/distinct-values-of-a-partition-of-several-units
SELECT status, SUM(LEAST(units - kinds, 10)) AS s FROM (SELECT status, units, COUNT(DISTINCT units) OVER (PARTITION BY vip) AS kinds FROM orders JOIN customers ON customer = customers.id) AS o WHERE units >= kinds GROUP BY status
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: key: 2 values; a unit is in one group)
-- sensitivity: sum(LEAST((units - count), CAST(10 AS BIGINT)))  l0=3 l1=30 l2=30 linf=30 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); LEAST((units - count), CAST(10 AS BIGINT)) in [-8, 10], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = vip: count = count(distinct units)
--       join inner on (customer = id#2)
--         scan orders (id, customer, units)
--         scan customers (id#2, vip)
--   f1:
--     released r1 (key, count)
--   r2:
--     aggregate by status#2 = status: sum = sum(least((units#2 - count), 10))
--       join inner on ((vip#2 = key) AND (coerce(units#2) >= count))
--         join inner on (customer#2 = id#4)
--           scan orders (id#3, customer#2, status, units#2)
--           scan customers (id#4, vip#2)
--         released f1 (key, count)
--   answer:
--     project status#3 = status#2, s = sum
--       project status#2, sum
--         filter chosen
--           join mark chosen on (key#3 = key#3)
--             released r2 (status#2, sum)
--             project key#3 = key#2, count#3 = count#2
--               released r1 (key#2, count#2)
==
# case: window/distinct-of-one-units-rows
SELECT AVG(k) AS a FROM (SELECT COUNT(DISTINCT units) OVER (PARTITION BY customer) AS k FROM orders) AS o
-- reject DP104  DISTINCT in a window function over private rows is not supported
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: GROUP BY the partition in a subquery, and join it
==
# case: window/mode-of-one-units-rows
# differs: values of a unit may tie
SELECT AVG(k) AS a FROM (SELECT MODE(units) OVER (PARTITION BY customer) AS k FROM orders) AS o
-- accept
-- sensitivity: sum(mode - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); mode in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(mode - 1) and sum(mode - 9) together)
-- sensitivity: sum(mode - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); mode in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(mode - 1) and sum(mode - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(mode#2)
--       project id, customer, units, count#2, mode, mode#2 = min
--         window min = min(mode) over (partition customer)
--           project id, customer, units, count#2, mode = first_value
--             window first_value = first_value(units) over (partition customer; order is_null(units) asc nulls last, count#2 desc nulls last, units asc nulls last, id asc nulls last, customer asc nulls last)
--               project id, customer, units, count#2 = count
--                 window count = count(units) over (partition customer, units)
--                   scan orders (id, customer, units)
==
# case: window/list-of-one-units-rows
SELECT AVG(LEAST(LEN(k), 3)) AS a FROM (SELECT LIST(units) OVER (PARTITION BY customer) AS k FROM orders) AS o
-- reject DP204  the window function list over private rows is not supported
--                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: window/mode-of-public-rows
SELECT COUNT(*) AS n FROM lines l JOIN (SELECT id, MODE(kind) OVER (ORDER BY id) AS m, COUNT(DISTINCT kind) OVER () AS k FROM products) AS p ON p.id = l.product WHERE p.m > 'a' AND p.k > 1
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product)
--         filter ((mode > 'a') AND (count > 1))
--           window mode = mode(kind; order kind asc nulls last) over (order id asc nulls last), count = count(distinct kind) over ()
--             scan products (id, kind)
==
# case: window/filtered-list
SELECT status, LIST(n) FILTER (WHERE n > 1) OVER () AS l FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) AS g
-- reject DP104  FILTER of LIST as a window is not supported
--             ^^^^^^
==
# case: window/a-sum-of-ones-that-is-distinct-numbers-no-rows
SELECT MIN(CASE WHEN place >= 0.5 * total THEN units END) AS m FROM (SELECT units, SUM(DISTINCT 1) OVER (ORDER BY units ROWS UNBOUNDED PRECEDING) AS place, COUNT(*) OVER () AS total FROM orders) AS o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: window/distinct-of-averages-of-partitions
SELECT DISTINCT region, AVG(age) OVER (PARTITION BY region) AS a FROM customers
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; groups: key: from the public regions; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; groups: key: from the public regions; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate by key = id#2: avg = avg(age)
--       join inner on (region = id#2)
--         scan customers (id, region, age)
--         scan regions (id#2)
==
# case: window/distinct-of-a-count-of-all
SELECT DISTINCT COUNT(*) OVER () AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
==
# case: window/parts-of-customers
# differs: equal values are in one part of NTILE, and NULLs are none of what is parted
SELECT q, COUNT(*) AS n, AVG(total) AS mean FROM (SELECT customer, SUM(amount) AS total, NTILE(4) OVER (ORDER BY SUM(amount) DESC) AS q FROM orders GROUP BY customer) GROUP BY q
-- accept
-- sensitivity: quantiles(sum)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); 150,001 points)
-- sensitivity: rows with sum near 0  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; groups: q: 4 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with sum near 1500  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; groups: q: 4 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows without sum  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: q: 4 values; a unit is in one group; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: end = quantile_disc(sum#2, 3/4), end#2 = quantile_disc(sum#2, 1/2), end#3 = quantile_disc(sum#2, 1/4)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(clamp(amount, 0, 500))
--           scan orders (id, customer, amount)
--   f1:
--     released r1 (end, end#2, end#3)
--   r2:
--     aggregate by q = case(is_null(sum#4) then 4; (sum#4 <= end#3) then 4; (sum#4 <= end#2) then 3; (sum#4 <= end) then 2; else 1): count = count(*), avg = avg(sum#4)
--       join inner on true
--         project customer#4, sum#4 = sum#3
--           aggregate per unit by customer#4 = customer#3: sum#3 = sum(clamp(amount#2, 0, 500))
--             scan orders (id#2, customer#3, amount#2)
--         released f1 (end, end#2, end#3)
==
# case: window/parts-of-a-region
# differs: equal values are in one part of NTILE, and NULLs are none of what is parted
SELECT COUNT(*) AS n FROM (SELECT NTILE(2) OVER (PARTITION BY r.zone ORDER BY age NULLS FIRST) AS q FROM customers c JOIN regions r ON r.id = c.region WHERE r.zone IS NOT NULL) WHERE q = 2
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); 82 points)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by key = zone: end = quantile_disc(age, 1/2)
--       join inner on (id#2 = region)
--         scan customers (id, region, age)
--         filter not(is_null(zone))
--           scan regions (id#2, zone)
--   f1:
--     released r1 (key, end)
--   r2:
--     aggregate: count = count(*)
--       join inner on ((zone#2 = key) AND (case(is_null(age#2) then 1; (age#2 > end) then 2; else 1) = 2))
--         join inner on (id#4 = region#2)
--           scan customers (id#3, region#2, age#2)
--           filter not(is_null(zone#2))
--             scan regions (id#4, zone#2)
--         released f1 (key, end)
==
# case: window/parts-by-two-keys
SELECT q, COUNT(*) AS n FROM (SELECT NTILE(4) OVER (ORDER BY age, balance) AS q FROM customers) GROUP BY q
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; or NTILE by one number or date, of up to 100 parts
==
# case: window/too-many-parts
SELECT q, COUNT(*) AS n FROM (SELECT NTILE(101) OVER (ORDER BY age) AS q FROM customers) GROUP BY q
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; or NTILE by one number or date, of up to 100 parts
==
# case: window/quantile-of-a-partition
SELECT COUNT(*) AS n FROM (SELECT age, QUANTILE_DISC(age, 0.9) OVER (PARTITION BY segment) AS old FROM customers WHERE segment = 'home') WHERE age > old
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by key = segment: quantile_disc = quantile_disc(age, 9/10)
--       filter (segment = 'home')
--         scan customers (id, age, segment)
--   f1:
--     released r1 (key, quantile_disc)
--   r2:
--     aggregate: count = count(*)
--       join inner on ((segment#2 = key) AND (age#2 > quantile_disc))
--         filter (segment#2 = 'home')
--           scan customers (id#2, age#2, segment#2)
--         released f1 (key, quantile_disc)
==
# case: window/ignore-nulls
SELECT m, LAST_VALUE(n IGNORE NULLS) OVER (ORDER BY m) AS last, LAG(n, 2 IGNORE NULLS) OVER (ORDER BY m) AS before FROM (SELECT MONTH(placed) AS m, NULLIF(COUNT(*), 0) AS n FROM orders GROUP BY 1)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by key = month(placed): count = count(*)
--       scan orders (id, customer, placed)
--   answer:
--     project m#2 = m, last = last_value, before = lag
--       window last_value = last_value(n ignore nulls) over (order m asc nulls last), lag = lag(n, 2 ignore nulls) over (order m asc nulls last)
--         project m = key, n = nullif(count, 0)
--           project key, count
--             filter present
--               released r1 (key, count, present)
==
# case: window/ignore-nulls-of-private-rows
SELECT SUM(b) AS s FROM (SELECT LAG(units IGNORE NULLS) OVER (PARTITION BY customer ORDER BY day) AS b FROM orders) o
-- reject DP104  IGNORE NULLS is not supported over private rows
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: leave NULLs out before: FROM (SELECT … WHERE x IS NOT NULL)
==
# case: window/ignore-nulls-of-a-sum
SELECT m, SUM(n IGNORE NULLS) OVER (ORDER BY m) AS s FROM (SELECT MONTH(placed) AS m, COUNT(*) AS n FROM orders GROUP BY 1)
-- reject DP104  IGNORE NULLS of this function is not supported
--        ^^^^^
-- help: leave NULLs out before: FROM (SELECT … WHERE x IS NOT NULL)
==
# case: window/last-of-equal-rows
SELECT AVG(last) AS last, AVG(place) AS place FROM (SELECT LAST_VALUE(amount) OVER (PARTITION BY customer ORDER BY day) AS last, RANK() OVER (PARTITION BY customer ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS place FROM orders) x
-- accept
-- sensitivity: sum(last_value)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); last_value in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(last_value) and sum(last_value - 500) together)
-- sensitivity: sum(last_value - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); last_value in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(last_value) and sum(last_value - 500) together)
-- sensitivity: sum(rank - 1)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); rank in [1, 3], clamped; summed around 1, the least; a row adds 2 to sum(rank - 1) and sum(rank - 3) together)
-- sensitivity: sum(rank - 3)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); rank in [1, 3], clamped; summed around 3, the greatest; a row adds 2 to sum(rank - 1) and sum(rank - 3) together)
-- plan:
--   r1:
--     aggregate: avg = avg(last_value#2), avg#2 = avg(rank#2)
--       project id, customer, day, amount, last_value#2 = last_value, rank#2 = rank
--         window last_value = last_value(amount) over (partition customer, day; order id asc nulls last, customer asc nulls last, amount asc nulls last; rows preceding to following), rank = rank() over (partition customer; order day asc nulls last; rows 1 preceding to 0 current)
--           scan orders (id, customer, day, amount)
==
# case: window/groups-of-one-unit
SELECT SUM(s) AS n FROM (SELECT SUM(units) OVER (PARTITION BY customer ORDER BY day GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM orders) t
-- accept
-- sensitivity: n  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); sum in [1, 27], clamped)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(sum#2)
--       project id, customer, day, units, dense_rank#2, sum#2 = sum
--         window sum = sum(clamp(units, 1, 9)) over (partition customer; order coerce(dense_rank#2) asc nulls last; range 1 preceding to 0 current)
--           project id, customer, day, units, dense_rank#2 = dense_rank
--             window dense_rank = dense_rank() over (partition customer; order day asc nulls last)
--               scan orders (id, customer, day, units)
==
# case: window/groups-of-released-rows
SELECT status, SUM(n) OVER (ORDER BY n GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) t
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, s = sum
--       window sum = sum(n) over (order coerce(dense_rank) asc nulls last; range 1 preceding to 1 following)
--         window dense_rank = dense_rank() over (order n asc nulls last)
--           project status#3 = status#2, n = count
--             project status#2, count
--               filter present
--                 released r1 (status#2, count, present)
==
# case: window/groups-of-public-rows
SELECT r.s, COUNT(*) AS n FROM customers c JOIN (SELECT id, SUM(id) OVER (ORDER BY zone GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM regions) r ON c.region = r.id GROUP BY r.s
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: s: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by s = sum: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         window sum = sum(id#2) over (order coerce(dense_rank) asc nulls last; range 1 preceding to 0 current)
--           window dense_rank = dense_rank() over (order zone asc nulls last)
--             scan regions (id#2, zone)
==
# case: window/groups-of-several-units
SELECT SUM(s) AS n FROM (SELECT SUM(units) OVER (ORDER BY day GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM orders) t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: window/groups-without-an-order
SELECT status, SUM(n) OVER (GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) t
-- reject DP101  Expecting )
--                                 ^^^^^^^
==
# case: window/first-of-groups
SELECT status, FIRST_VALUE(n) OVER (ORDER BY n GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) t
-- reject DP104  FIRST_VALUE in GROUPS is not supported
--             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use ROWS, or an aggregate such as MIN
