# about: QUALIFY: rows chosen by a window function
# policy: shop
# case: qualify/first-row-of-each-unit
SELECT COUNT(*) AS n, SUM(amount) AS s FROM (SELECT amount FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) = 1) o
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same customer, row_number); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same customer, row_number); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       filter (row_number#2 = 1)
--         project id, customer, day, amount, row_number#2 = row_number
--           window row_number = row_number() over (partition customer; order day asc nulls last, id asc nulls last, customer asc nulls last, amount asc nulls last)
--             scan orders (id, customer, day, amount)
==
# case: qualify/by-alias
SELECT status, COUNT(*) AS n FROM (SELECT status, RANK() OVER (PARTITION BY customer ORDER BY units DESC) AS r FROM orders QUALIFY r = 1) o GROUP BY status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       filter (rank#2 = 1)
--         project id, customer, status, units, rank#2 = rank
--           window rank = rank() over (partition customer; order units desc nulls last)
--             scan orders (id, customer, status, units)
==
# case: qualify/of-released
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter (rank <= 2)
--         window rank = rank() over (order count desc nulls last)
--           project segment#2, count
--             filter present
--               released r1 (segment#2, count, present)
==
# case: qualify/top-of-each
SELECT vip, level, COUNT(*) AS n FROM customers GROUP BY vip, level QUALIFY ROW_NUMBER() OVER (PARTITION BY vip ORDER BY n DESC, level) = 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; level: 4 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, level#2 = level: count = count(*)
--       scan customers (id, vip, level)
--   answer:
--     project vip#3 = vip#2, level#3 = level#2, n = count
--       filter (row_number = 1)
--         window row_number = row_number() over (partition vip#2; order count desc nulls last, level#2 asc nulls last)
--           project vip#2, level#2, count
--             filter present
--               released r1 (vip#2, level#2, count, present)
==
# case: qualify/with-where-and-having
SELECT units, COUNT(*) AS n FROM orders WHERE paid GROUP BY units HAVING COUNT(*) > 0 QUALIFY RANK() OVER (ORDER BY n DESC) = 1
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       filter paid
--         scan orders (id, customer, paid, units)
--   answer:
--     project units#3 = units#2, n = count
--       filter (rank = 1)
--         window rank = rank() over (order count desc nulls last)
--           filter (count > 0)
--             project units#2, count
--               filter present
--                 released r1 (units#2, count, present)
==
# case: qualify/how-many-groups
SELECT status, COUNT(*) AS n FROM orders GROUP BY status QUALIFY COUNT(*) OVER () > 2
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#3 = status#2, n = count
--       filter (count#2 > 2)
--         window count#2 = count(1) over ()
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: qualify/total-of-groups
SELECT units, COUNT(*) AS n FROM orders GROUP BY units QUALIFY SUM(n) OVER () > 3 AND n > 0.1 * SUM(n) OVER ()
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     project units#3 = units#2, n = count
--       filter ((sum > 3) AND (coerce(count) > (3602879701896397/36028797018963968 * coerce(sum))))
--         window sum = sum(count) over ()
--           released r1 (units#2, count)
==
# case: qualify/total-of-groups-in-where
SELECT status, n FROM (SELECT status, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS t FROM orders GROUP BY status) AS g WHERE t > 3
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project status#4 = status#3, n#2 = n
--       filter (t > 3)
--         project status#3 = status#2, n = count, t = sum
--           window sum = sum(count) over ()
--             released r1 (status#2, count)
==
# case: qualify/total-of-rows
SELECT COUNT(*) AS n FROM (SELECT units FROM orders QUALIFY SUM(units) OVER () > 3) AS o
-- reject DP405  this asks of a total alone, which is the same for all rows: so is its noise
--                                                          ^^^^^^^^^^^^^^^^^^^^^^
-- help: ask for the total in a query of its own
==
# case: qualify/total-of-units
SELECT COUNT(*) AS n FROM (SELECT customer, COUNT(*) AS c FROM orders GROUP BY customer QUALIFY SUM(c) OVER () > 3) AS o
-- reject DP405  this asks of a total alone, which is the same for all rows: so is its noise
--                                                                                              ^^^^^^^^^^^^^^^^^^
-- help: ask for the total in a query of its own
==
# case: qualify/total-of-rows-beside-a-value
SELECT COUNT(*) AS n FROM (SELECT units FROM orders QUALIFY units > AVG(units) OVER ()) AS o
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       scan orders (id, customer, units)
--   f1:
--     released r1 (avg)
--   r2:
--     aggregate: count = count(*)
--       join inner on (coerce(units#2) > avg)
--         scan orders (id#2, customer#2, units#2)
--         released f1 (avg)
==
# case: qualify/several-units
SELECT COUNT(*) AS n FROM (SELECT amount FROM orders QUALIFY ROW_NUMBER() OVER (ORDER BY amount DESC) <= 10) o
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: qualify/without-window
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment QUALIFY n > 1
-- reject DP207  QUALIFY without a window function
--                                                                    ^^^^^
-- help: use HAVING or WHERE
==
# case: qualify/individuals
SELECT amount FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) = 1
-- reject DP401  the query returns rows of individuals
--     ^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
