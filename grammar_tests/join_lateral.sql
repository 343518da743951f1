# about: LATERAL subqueries in FROM
# policy: shop
# case: join_lateral/inner
SELECT SUM(x.amount) AS s FROM customers c, LATERAL (SELECT o.amount FROM orders o WHERE o.customer = c.id AND o.paid) x
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       join inner on (customer = id)
--         scan customers (id)
--         filter paid
--           scan orders (id#2, customer, amount, paid)
==
# case: join_lateral/left
SELECT COUNT(*) AS n, COUNT(x.id) AS matched FROM customers c LEFT JOIN LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id) x ON TRUE
-- accept
-- sensitivity: matched  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on ((customer = id) AND true)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join_lateral/left-computed
SELECT SUM(x.d) AS s FROM customers c LEFT JOIN LATERAL (SELECT o.units * 2 AS d FROM orders o WHERE o.customer = c.id) x ON TRUE
-- accept
-- sensitivity: s  l0=1 l1=54 l2=54 linf=54 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); value in [2, 18], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(value)
--       join left on ((customer = id) AND true)
--         scan customers (id)
--         project customer, value = (clamp(units, 1, 9) * 2)
--           scan orders (id#2, customer, units)
==
# case: join_lateral/left-condition
SELECT COUNT(*) AS n FROM customers c LEFT JOIN LATERAL (SELECT o.id, o.paid AS p FROM orders o WHERE o.customer = c.id) x ON x.p AND c.vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on and((customer = id), paid, vip)
--         scan customers (id, vip)
--         scan orders (id#2, customer, paid)
==
# case: join_lateral/no-table
SELECT SUM(x.d) AS s FROM orders o, LATERAL (SELECT o.units * 2 AS d) x
-- accept
-- sensitivity: s  l0=1 l1=54 l2=54 linf=54 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); units * 2 in [2, 18], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum((units * 2))
--       scan orders (id, customer, units)
==
# case: join_lateral/without-the-word
SELECT COUNT(*) AS n FROM customers c, (SELECT o.id FROM orders o WHERE o.customer = c.id) x
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join_lateral/chain
SELECT COUNT(*) AS n FROM customers c CROSS JOIN LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id) x CROSS JOIN LATERAL (SELECT l.price FROM lines l WHERE l.order_id = x.id) y
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id = id#2)
--         join inner on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
--         scan lines (order_id)
==
# case: join_lateral/public
SELECT r.name, COUNT(*) AS n FROM customers c JOIN LATERAL (SELECT g.name FROM regions g WHERE g.id = c.region) r ON TRUE GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       filter true
--         join inner on (id#2 = region)
--           scan customers (id, region)
--           scan regions (id#2, name)
==
# case: join_lateral/public-rows
SELECT COUNT(*) AS n FROM orders o CROSS JOIN LATERAL (SELECT 1 AS one FROM holidays h WHERE h.day > o.day) x
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (day#2 > day)
--         scan orders (id, customer, day)
--         scan holidays (day#2)
==
# case: join_lateral/groups-of-the-unit
SELECT COUNT(*) AS n, SUM(x.k) AS s FROM customers c, LATERAL (SELECT o.status, COUNT(*) AS k FROM orders o WHERE o.customer = c.id GROUP BY o.status) x
-- accept
-- sensitivity: sum(count - 1)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; at most 3 groups per unit (3 rows of orders per customer)); count in [1, 3], clamped; summed around 1, the least; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- sensitivity: sum(count - 3)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; at most 3 groups per unit (3 rows of orders per customer)); count in [1, 3], clamped; summed around 3, the greatest; a row adds 2 to sum(count - 1) and sum(count - 3) together)
-- plan:
--   r1:
--     aggregate: count#2 = count(*), sum = sum(count)
--       join inner on (customer#2 = id)
--         scan customers (id)
--         aggregate per unit by customer#2 = customer, status#2 = status: count = count(*)
--           scan orders (id#2, customer, status)
==
# case: join_lateral/aggregate
SELECT SUM(x.k) AS s FROM customers c, LATERAL (SELECT COUNT(*) AS k FROM orders o WHERE o.customer = c.id) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(here, CAST(0 AS BIGINT)) in [0, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(coalesce(here, 0))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, here = count
--           aggregate per unit by customer#2 = customer: count = count(*)
--             scan orders (id#2, customer)
==
# case: join_lateral/latest
SELECT SUM(x.amount) AS s FROM customers c, LATERAL (SELECT o.amount FROM orders o WHERE o.customer = c.id ORDER BY o.day DESC LIMIT 1) x
-- accept
-- sensitivity: s  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       join inner on (customer = id)
--         scan customers (id)
--         filter (number = 1)
--           project id#2, customer, day, amount, number = row_number
--             window row_number = row_number() over (partition customer; order day desc nulls last, id#2 asc nulls last, customer asc nulls last, amount asc nulls last)
--               scan orders (id#2, customer, day, amount)
==
# case: join_lateral/across-units
SELECT COUNT(*) AS n FROM orders o, LATERAL (SELECT p.id FROM orders p WHERE p.day = o.day) x
-- reject DP402  the joined rows could belong to two different units
--                                                            ^^^^^^^^
-- help: join on the unit: o.customer = p.customer
==
# case: join_lateral/right
SELECT COUNT(*) AS n FROM customers c RIGHT JOIN LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id) x ON TRUE
-- reject DP104  LATERAL goes with CROSS, INNER and LEFT JOIN … ON
--                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: join_lateral/left-of-outer-columns
SELECT SUM(x.d) AS s FROM customers c LEFT JOIN LATERAL (SELECT o.units + c.age AS d FROM orders o WHERE o.customer = c.id) x ON TRUE
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: join_lateral/of-public-rows
SELECT r.id, COUNT(x.id) AS n FROM regions r LEFT JOIN LATERAL (SELECT c.id FROM customers c WHERE c.region = r.id) x ON TRUE GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on ((region = id) AND true)
--         scan regions (id)
--         scan customers (id#2, region)
==
# case: join_lateral/aggregates-left
SELECT SUM(x.k) AS k, SUM(x.s) AS s, COUNT(x.s) AS c FROM customers c LEFT JOIN LATERAL (SELECT COUNT(*) AS k, SUM(amount) AS s FROM orders o WHERE o.customer = c.id AND o.paid) x ON true
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit; one group per unit); sum in [0, 1500], clamped; summed around 0, the least; a row adds 1500 to sum(sum) and sum(sum - 1500) together)
-- sensitivity: k  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit; one group per unit); k in [0, 3], proven)
-- sensitivity: sum(sum - 1500)  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit; one group per unit); sum in [0, 1500], clamped; summed around 1500, the greatest; a row adds 1500 to sum(sum) and sum(sum - 1500) together)
-- plan:
--   r1:
--     aggregate: sum#3 = sum(k), sum#4 = sum(sum#2), count#2 = count(sum#2)
--       join left on (customer#4 = id)
--         project id, k = coalesce(clamp(here, 1, 3), 0)
--           join left on (customer#2 = id)
--             scan customers (id)
--             project customer#2, here = count
--               aggregate per unit by customer#2 = customer: count = count(*)
--                 filter paid
--                   scan orders (id#2, customer, paid)
--         project customer#4, sum#2 = sum
--           aggregate per unit by customer#4 = customer#3: sum = sum(clamp(amount, 0, 500))
--             filter paid#2
--               scan orders (id#3, customer#3, amount, paid#2)
==
# case: join_lateral/aggregate-with-a-condition
SELECT COUNT(*) AS n FROM customers c JOIN LATERAL (SELECT COUNT(*) AS k, MAX(amount) AS top FROM orders o WHERE o.customer = c.id) x ON x.k > 1 AND x.top > 100
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit; one group per unit))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       filter ((k > 1) AND (max > 100))
--         join left on (customer#4 = id)
--           project id, k = coalesce(clamp(here, 1, 3), 0)
--             join left on (customer#2 = id)
--               scan customers (id)
--               project customer#2, here = count
--                 aggregate per unit by customer#2 = customer: count = count(*)
--                   scan orders (id#2, customer)
--           aggregate per unit by customer#4 = customer#3: max = max(amount)
--             scan orders (id#3, customer#3, amount)
==
# case: join_lateral/aggregate-left-with-a-condition
SELECT COUNT(*) AS n FROM customers c LEFT JOIN LATERAL (SELECT COUNT(*) AS k FROM orders o WHERE o.customer = c.id) x ON x.k > 1
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write it as a scalar subquery, or add GROUP BY that column and LEFT JOIN it
==
# case: join_lateral/aggregate-of-public-rows
SELECT name, k FROM regions r, LATERAL (SELECT COUNT(*) AS k FROM customers c WHERE c.region = r.id) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#3 = region#2: count = count(*)
--       join inner on (region = region#2)
--         scan customers (id, region)
--         aggregate by region#2 = id#2
--           scan regions (id#2)
--   answer:
--     project name#2 = name, k#2 = k
--       project id#3, name, zone, k = coalesce(here, 0)
--         join left on (region#3 = id#3)
--           scan regions (id#3, name, zone)
--           project region#3, count, here = count
--             released r1 (region#3, count)
==
# case: join_lateral/aggregate-in-an-aggregate
SELECT SUM(x.s) AS s FROM customers c, LATERAL (SELECT SUM(y.k) AS s FROM orders o, LATERAL (SELECT COUNT(*) AS k FROM lines l WHERE l.order_id = o.id) y WHERE o.customer = c.id) x
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write it as a scalar subquery, or add GROUP BY that column and LEFT JOIN it
==
# case: join_lateral/aggregate-across-units
SELECT SUM(x.k) AS s FROM customers c, LATERAL (SELECT COUNT(*) AS k FROM orders o WHERE o.code = c.age) x
-- reject DP301  nothing bounds what SUM adds up
--         ^^^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: join_lateral/latest-of-two-columns
SELECT x.status, SUM(x.amount) AS s FROM customers c, LATERAL (SELECT o.amount, o.status FROM orders o WHERE o.customer = c.id ORDER BY o.placed DESC, o.id LIMIT 1) x GROUP BY 1
-- accept
-- sensitivity: s  l0=1 l1=500 l2=500 linf=500 groups=4  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); amount in [0, 500], clamped; groups: status: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by status#2 = status: sum = sum(amount)
--       join inner on (customer = id)
--         scan customers (id)
--         filter (number = 1)
--           project id#2, customer, placed, amount, status, number = row_number
--             window row_number = row_number() over (partition customer; order placed desc nulls last, id#2 asc nulls last, customer asc nulls last, amount asc nulls last, status asc nulls last)
--               scan orders (id#2, customer, placed, amount, status)
==
# case: join_lateral/latest-or-none
SELECT COUNT(*) AS n, COUNT(x.id) AS m FROM customers c LEFT JOIN LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id AND o.paid ORDER BY o.id LIMIT 1) x ON TRUE
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on ((customer = id) AND true)
--         scan customers (id)
--         filter (number = 1)
--           project id#2, customer, paid, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last, paid asc nulls last)
--               filter paid
--                 scan orders (id#2, customer, paid)
==
# case: join_lateral/second-and-third
SELECT AVG(x.units) AS a FROM customers c, LATERAL (SELECT o.units FROM orders o WHERE o.customer = c.id ORDER BY o.id LIMIT 2 OFFSET 1) x
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 2, proven (id is the key of customers; no two rows with the same customer, number); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 2, proven (id is the key of customers; no two rows with the same customer, number); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- plan:
--   r1:
--     aggregate: avg = avg(units)
--       join inner on (customer = id)
--         scan customers (id)
--         filter ((number > 1) AND (number <= 3))
--           project id#2, customer, units, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last, units asc nulls last)
--               scan orders (id#2, customer, units)
==
# case: join_lateral/all-but-first
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id ORDER BY o.id OFFSET 1) x
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (id is the key of customers; no two rows with the same customer, number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         filter (number > 1)
--           project id#2, customer, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last)
--               scan orders (id#2, customer)
==
# case: join_lateral/first-of-none
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id ORDER BY o.id LIMIT 0) x
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         filter ((number > 0) AND (number <= 0))
--           project id#2, customer, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last)
--               scan orders (id#2, customer)
==
# case: join_lateral/counted-of-first
SELECT AVG(x.n) AS a FROM customers c, LATERAL (SELECT COUNT(*) AS n FROM (SELECT o.paid FROM orders o WHERE o.customer = c.id ORDER BY o.id LIMIT 2) y WHERE y.paid) x
-- accept
-- sensitivity: sum(COALESCE(here, CAST(0 AS BIGINT)))  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(here, CAST(0 AS BIGINT)) in [0, 2], proven; summed around 0, the least; a row adds 2 to sum(COALESCE(here, CAST(0 AS BIGINT))) and sum(COALESCE(here, CAST(0 AS BIGINT)) - 2) together)
-- sensitivity: sum(COALESCE(here, CAST(0 AS BIGINT)) - 2)  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); COALESCE(here, CAST(0 AS BIGINT)) in [0, 2], proven; summed around 2, the greatest; a row adds 2 to sum(COALESCE(here, CAST(0 AS BIGINT))) and sum(COALESCE(here, CAST(0 AS BIGINT)) - 2) together)
-- plan:
--   r1:
--     aggregate: avg = avg(coalesce(here, 0))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2, here = count
--           aggregate per unit by customer#2 = customer: count = count(*)
--             filter and((number > 0), (number <= 2), paid)
--               project id#2, customer, paid, number = row_number
--                 window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last, paid asc nulls last)
--                   scan orders (id#2, customer, paid)
==
# case: join_lateral/first-condition-above
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT * FROM (SELECT o.units, o.id FROM orders o WHERE o.customer = c.id ORDER BY o.id LIMIT 2) y WHERE y.units < c.age - 20) x
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven (id is the key of customers; no two rows with the same customer, number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((customer = id) AND (units < (clamp(age, 18, 99) - 20)))
--         scan customers (id, age)
--         filter ((number > 0) AND (number <= 2))
--           project id#2, customer, units, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last, units asc nulls last)
--               scan orders (id#2, customer, units)
==
# case: join_lateral/top-of-released
SELECT r.id, x.status, x.n FROM regions r, LATERAL (SELECT o.status, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id WHERE c.region = r.id GROUP BY 1 ORDER BY n DESC LIMIT 1) x
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: status: 4 values; region: from the public regions; a unit can be in 4 of them; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#3, status#2 = status: count = count(*)
--       join inner on (region = id#3)
--         join inner on (customer = id)
--           scan customers (id, region)
--           scan orders (id#2, customer, status)
--         scan regions (id#3)
--   answer:
--     project id#5 = id#4, status#4 = status#3, n#2 = n
--       project id#4, name, zone, status#3 = status#2, n = count
--         join inner on (region#2 = id#4)
--           scan regions (id#4, name, zone)
--           filter (number = 1)
--             window number = row_number() over (partition region#2; order count desc nulls last)
--               project region#2, status#2, count
--                 filter present
--                   released r1 (region#2, status#2, count, present)
==
# case: join_lateral/first-of-other-units
SELECT p.id, x.quantity FROM products p, LATERAL (SELECT l.quantity FROM lines l WHERE l.product = p.id ORDER BY l.quantity LIMIT 1) x
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: join_lateral/first-untied
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id AND o.day > c.born ORDER BY o.id LIMIT 1) x
-- reject DP104  the subquery is tied to the outer row by a comparison, which gives each row a group of its own rows
--                                                                                                    ^^^^^^^^^^^^^^
-- help: tie it by an equality, inner.column = outer.column; of what is before a row write a window of one unit: AVG(x) OVER (PARTITION BY unit ORDER BY …)
==
# case: join_lateral/first-in-outer-order
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT o.id FROM orders o WHERE o.customer = c.id ORDER BY o.units * c.age LIMIT 1) x
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                                               ^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: join_lateral/first-of-one
SELECT AVG(x.n) AS a FROM customers c, LATERAL (SELECT COUNT(*) AS n FROM orders o WHERE o.customer = c.id LIMIT 1) x
-- reject DP104  the subquery uses a column of the query around it in a way that is no join
--                                                                                                               ^
-- help: tie it to the outer query by inner.column = outer.column in its WHERE
==
# case: join_lateral/of-its-own-number
# note: a condition on the outer row alone, in the form of a place among rows, was an error of ours
SELECT COUNT(*) AS n FROM orders o CROSS JOIN LATERAL (SELECT r.* FROM regions r WHERE o.customer / 4 = o.customer) x
-- reject DP403  one private row could meet any number of rows of regions
--                                                                     ^^^^^^^^^
-- help: join on its key, r.id
