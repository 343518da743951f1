# about: HAVING, ORDER BY, LIMIT, DISTINCT and arithmetic on noisy rows
# policy: shop
# case: having_order_limit/having
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING COUNT(*) > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter (count > 1)
--         released r1 (segment#2, count)
==
# case: having_order_limit/having-alias
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING n > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter (count > 1)
--         released r1 (segment#2, count)
==
# case: having_order_limit/having-other-aggregate
SELECT status, SUM(amount) AS s FROM orders GROUP BY status HAVING AVG(weight) < 10
-- accept
-- sensitivity: sum(weight)  l0=3 l1=60.3 l2=60.3 linf=60.3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 0, the least; groups: status: 4 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=3 l1=60.3 l2=60.3 linf=60.3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 20.1, the greatest; groups: status: 4 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(weight), sum = sum(amount)
--       scan orders (id, customer, amount, weight, status)
--   answer:
--     project status#3 = status#2, s = sum
--       filter (avg < 10)
--         released r1 (status#2, avg, sum)
==
# case: having_order_limit/having-without-keys
SELECT COUNT(*) AS n FROM orders HAVING COUNT(*) > 2
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project n = count
--       filter (count > 2)
--         released r1 (count)
==
# case: having_order_limit/order
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY n DESC, segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     sort n desc nulls last, segment#3 asc nulls last
--       project segment#3 = segment#2, n = count
--         released r1 (segment#2, count)
==
# case: having_order_limit/order-by-other-aggregate
SELECT segment FROM customers GROUP BY segment ORDER BY SUM(balance) DESC
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     project segment#4 = segment#3
--       sort order desc nulls last
--         project segment#3 = segment#2, order = sum
--           released r1 (segment#2, sum)
==
# case: having_order_limit/limit
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY 2 DESC LIMIT 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     limit 1 offset 0
--       sort n desc nulls last
--         project segment#3 = segment#2, n = count
--           released r1 (segment#2, count)
==
# case: having_order_limit/limit-offset
SELECT units, COUNT(*) AS n FROM orders GROUP BY units ORDER BY units LIMIT 3 OFFSET 2
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       scan orders (id, customer, units)
--   answer:
--     limit 3 offset 2
--       sort units#3 asc nulls last
--         project units#3 = units#2, n = count
--           project units#2, count
--             filter present
--               released r1 (units#2, count, present)
==
# case: having_order_limit/distinct
SELECT DISTINCT COUNT(*) > 0 AS some FROM customers GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     aggregate by some#2 = some
--       project some = (count > 0)
--         project segment#2, count
--           filter present
--             released r1 (segment#2, count, present)
==
# case: having_order_limit/nulls-first
SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY status NULLS FIRST
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     sort status#3 asc nulls first
--       project status#3 = status#2, n = count
--         released r1 (status#2, count)
==
# case: having_order_limit/arithmetic
SELECT SUM(amount) / COUNT(*) AS a, COUNT(*) * 2 + 1 AS b FROM orders
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: sum = sum(amount), count = count(*)
--       scan orders (id, customer, amount)
==
# case: having_order_limit/case-on-aggregate
SELECT CASE WHEN COUNT(*) > 3 THEN 'many' ELSE 'few' END AS c FROM orders
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: having_order_limit/round
SELECT ROUND(AVG(amount), 1) AS a FROM orders
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(amount)
--       scan orders (id, customer, amount)
==
# case: having_order_limit/share
SELECT 100 * SUM(CASE WHEN paid THEN amount ELSE 0 END) / SUM(amount) AS pct FROM orders
-- accept
-- sensitivity: sum(CASE WHEN paid THEN amount ELSE CAST(0.00 AS DECIMAL(12, 2)) END)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(0.00 AS DECIMAL(12, 2)) END in [0, 500], clamped)
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(case(paid then coerce(amount); else 0)), sum#2 = sum(amount)
--       scan orders (id, customer, amount, paid)
==
# case: having_order_limit/division-by-a-noisy-zero
SELECT SUM(amount) / COUNT(*) AS a FROM orders WHERE amount > 400
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(amount)  l0=1 l1=150 l2=150 linf=150 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [400, 500], clamped; summed around 450, the middle)
-- plan:
--   r1:
--     aggregate: sum = sum(amount), count = count(*)
--       filter (amount > 400)
--         scan orders (id, customer, amount)
==
# case: having_order_limit/aggregate-of-aggregate
SELECT AVG(n) AS a FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project a = avg
--       aggregate: avg = avg(n)
--         project segment#3 = segment#2, n = count
--           project segment#2, count
--             filter present
--               released r1 (segment#2, count, present)
==
# case: having_order_limit/cast-of-aggregate
SELECT CAST(COUNT(*) AS DOUBLE) AS d FROM orders
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: having_order_limit/order-by-unselected-distinct
SELECT DISTINCT segment FROM customers GROUP BY segment ORDER BY COUNT(*)
-- reject DP104  ORDER BY of SELECT DISTINCT must use selected columns
==
# case: having_order_limit/limit-not-constant
SELECT COUNT(*) AS n FROM orders LIMIT n
-- reject DP202  no column n
--                                     ^
==
# case: having_order_limit/order-by-all
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY ALL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     sort segment#3 asc nulls last, n asc nulls last
--       project segment#3 = segment#2, n = count
--         released r1 (segment#2, count)
==
# case: having_order_limit/order-by-all-descending
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY ALL ORDER BY ALL DESC NULLS FIRST LIMIT 4
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     limit 4 offset 0
--       sort segment#3 desc nulls first, vip#3 desc nulls first, n desc nulls first
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: having_order_limit/order-by-all-hides-nothing
SELECT status FROM orders GROUP BY status ORDER BY ALL
-- accept
-- plan:
--   r1:
--     aggregate by status#2 = status
--       scan orders (id, customer, status)
--   answer:
--     sort status#3 asc nulls last
--       project status#3 = status#2
--         released r1 (status#2)
==
# case: having_order_limit/order-by-expression-of-an-alias
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY -n, UPPER(segment)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#4 = segment#3, n#2 = n
--       sort order asc nulls last, order#2 asc nulls last
--         project segment#3 = segment#2, n = count, order = (0 - coerce(count)), order#2 = upper(segment#2)
--           released r1 (segment#2, count)
==
# case: having_order_limit/order-by-position-out-of-range
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY 3
-- reject DP202  ORDER BY 3: there is no such column
--                                                                     ^
==
# case: having_order_limit/having-without-aggregate
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING segment <> 'home'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter (segment#2 <> 'home')
--         released r1 (segment#2, count)
==
# case: having_order_limit/having-on-private-column
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING age > 30
-- reject DP208  age is neither grouped nor aggregated
--                                                                   ^^^
-- help: add age to GROUP BY, or aggregate it
==
# case: having_order_limit/limit-of-a-sum
SELECT segment, SUM(balance) AS s FROM customers GROUP BY segment ORDER BY segment LIMIT 2
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     limit 2 offset 0
--       sort segment#3 asc nulls last
--         project segment#3 = segment#2, s = sum
--           project segment#2, sum
--             filter present
--               released r1 (segment#2, sum, present)
==
# case: having_order_limit/limit-of-the-greatest-sums
SELECT segment, SUM(balance) AS s FROM customers GROUP BY segment ORDER BY s DESC LIMIT 2
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     limit 2 offset 0
--       sort s desc nulls last
--         project segment#3 = segment#2, s = sum
--           project segment#2, sum
--             filter present
--               released r1 (segment#2, sum, present)
==
# case: having_order_limit/limit-of-the-least-sums
SELECT segment, SUM(balance) AS s FROM customers GROUP BY segment ORDER BY s LIMIT 2
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     limit 2 offset 0
--       sort s asc nulls last
--         project segment#3 = segment#2, s = sum
--           project segment#2, sum
--             filter present
--               released r1 (segment#2, sum, present)
==
# case: having_order_limit/limit-of-sums-of-groups
SELECT vip, SUM(s) AS s FROM (SELECT segment, vip, SUM(balance) AS s FROM customers GROUP BY segment, vip) GROUP BY vip ORDER BY vip LIMIT 1
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     limit 1 offset 0
--       sort vip#5 asc nulls last
--         project vip#5 = vip#4, s#2 = sum#2
--           aggregate by vip#4 = vip#3: sum#2 = sum(s)
--             project segment#3 = segment#2, vip#3 = vip#2, s = sum
--               project segment#2, vip#2, sum
--                 filter present
--                   released r1 (segment#2, vip#2, sum, present)
==
# case: having_order_limit/offset-of-a-union
SELECT k, SUM(n) AS n FROM (SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT status, COUNT(*) FROM orders GROUP BY status) GROUP BY k ORDER BY k LIMIT 3 OFFSET 1
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate by status#2 = status: count#2 = count(*)
--       scan orders (id#2, customer, status)
--   answer:
--     limit 3 offset 1
--       sort k#5 asc nulls last
--         project k#5 = k#4, n#4 = sum
--           aggregate by k#4 = k#3: sum = sum(n#3)
--             union (k#3, n#3)
--               project k#2 = k, n#2 = n
--                 project k = segment#2, n = count
--                   project segment#2, count
--                     filter present
--                       released r1 (segment#2, count, present)
--               project status#4 = status#3, count(*)#2 = count(*)
--                 project status#3 = status#2, count(*) = count#2
--                   project status#2, count#2
--                     filter present#2
--                       released r2 (status#2, count#2, present#2)
==
# case: having_order_limit/limit-of-the-greatest-of-both-signs
SELECT segment, SUM(balance - 100) AS s FROM customers GROUP BY segment ORDER BY s DESC LIMIT 1
-- accept
-- sensitivity: s  l0=1 l1=4900 l2=4900 linf=4900 groups=3  (rows per unit 1, proven (id is the key of customers); balance - 100 in [-1100, 4900], clamped; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum((balance - 100))
--       scan customers (id, balance, segment)
--   answer:
--     limit 1 offset 0
--       sort s desc nulls last
--         project segment#3 = segment#2, s = sum
--           project segment#2, sum
--             filter present
--               released r1 (segment#2, sum, present)
==
# case: having_order_limit/limit-of-the-greatest-positive
SELECT status, SUM(amount * units) AS s FROM orders GROUP BY status ORDER BY s DESC LIMIT 2
-- accept
-- sensitivity: s  l0=3 l1=13500 l2=13500 linf=13500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount * units in [0, 4500], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum((amount * units))
--       scan orders (id, customer, amount, status, units)
--   answer:
--     limit 2 offset 0
--       sort s desc nulls last
--         project status#3 = status#2, s = sum
--           released r1 (status#2, sum)
==
# case: having_order_limit/limit-of-the-greatest-after-some
SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 2 OFFSET 1
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     limit 2 offset 1
--       sort n desc nulls last
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: having_order_limit/limit-of-the-greatest-nulls-first
SELECT status, SUM(amount) AS s FROM orders GROUP BY status ORDER BY s DESC NULLS FIRST LIMIT 2
-- accept
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(amount)
--       scan orders (id, customer, amount, status)
--   answer:
--     limit 2 offset 0
--       sort s desc nulls first
--         project status#3 = status#2, s = sum
--           project status#2, sum
--             filter present
--               released r1 (status#2, sum, present)
