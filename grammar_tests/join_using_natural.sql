# about: JOIN … USING and NATURAL JOIN
# policy: visits
# case: join_using_natural/using
SELECT ward, site, COUNT(*) AS n FROM visits JOIN wards USING (ward) GROUP BY ward, site
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: from the public wards; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by ward#3 = ward#2: count = count(*)
--       filter in(ward#2, 'a', 'b', 'c')
--         join inner on (ward = ward#2)
--           scan visits (pid, ward)
--           scan wards (ward#2)
--   answer:
--     project ward#5 = ward#3, site#3 = site#2, n = count
--       project ward#3, site#2 = site, count
--         join inner on (ward#3 = ward#4)
--           released r1 (ward#3, count)
--           scan wards (ward#4, site)
==
# case: join_using_natural/using-qualified
SELECT w.ward, COUNT(v.ward) AS n FROM visits v JOIN wards w USING (ward) GROUP BY w.ward
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: from the public wards; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by ward#3 = ward#2: count = count(ward)
--       filter in(ward#2, 'a', 'b', 'c')
--         join inner on (ward = ward#2)
--           scan visits (pid, ward)
--           scan wards (ward#2)
==
# case: join_using_natural/natural
SELECT site, SUM(cost) AS s FROM visits NATURAL JOIN wards GROUP BY site
-- accept
-- sensitivity: s  l0=4 l1=400 l2=400 linf=400 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; groups: site: from the public wards; a unit can be in several)
-- plan:
--   r1:
--     aggregate by site#2 = site: sum = sum(cost)
--       filter in(ward#2, 'a', 'b', 'c')
--         join inner on (ward = ward#2)
--           scan visits (pid, ward, cost)
--           scan wards (ward#2, site)
==
# case: join_using_natural/left-using
SELECT ward, COUNT(w.ward) AS n FROM visits v LEFT JOIN wards w USING (ward) GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#3 = ward: count = count(ward#2)
--       join left on (ward = ward#2)
--         scan visits (pid, ward)
--         scan wards (ward#2)
==
# case: join_using_natural/right-using
SELECT ward, COUNT(v.pid) AS n FROM visits v RIGHT JOIN wards w USING (ward) GROUP BY ward
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: from the public wards; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#3 = ward: count = count(pid)
--       join matched on (ward#2 = ward)
--         scan wards (ward)
--         scan visits (pid, ward#2)
==
# case: join_using_natural/natural-right
SELECT ward, COUNT(*) AS n FROM wards NATURAL RIGHT JOIN visits GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#3 = ward: count = count(*)
--       join left on (ward#2 = ward)
--         scan visits (pid, ward)
--         scan wards (ward#2)
==
# case: join_using_natural/several-columns
SELECT COUNT(*) AS n FROM visits a JOIN visits b USING (pid, ward)
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((pid = pid#2) AND (ward#2 = ward#4))
--         filter (number_up_to_4 <= 4)
--           project pid, ward#2, number_up_to_4 = row_number
--             window row_number = row_number() over (partition pid; order pid asc nulls last, ward#2 asc nulls last)
--               project pid, ward#2 = cut(ward, 2)
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid, ward)
--         filter (number_up_to_4#2 <= 4)
--           project pid#2, ward#4, number_up_to_4#2 = row_number#2
--             window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, ward#4 asc nulls last)
--               project pid#2, ward#4 = cut(ward#3, 2)
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2, ward#3)
==
# case: join_using_natural/three-times
SELECT COUNT(*) AS n FROM visits a JOIN visits b USING (pid) JOIN visits c USING (pid)
-- accept
-- sensitivity: n  l0=1 l1=64 l2=64 linf=64 groups=1  (rows per unit 64, proven (no two rows with the same pid, number_up_to_4))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (pid = pid#3)
--         join inner on (pid = pid#2)
--           filter (number_up_to_4 <= 4)
--             project pid, number_up_to_4 = row_number
--               window row_number = row_number() over (partition pid; order pid asc nulls last)
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid)
--           filter (number_up_to_4#2 <= 4)
--             project pid#2, number_up_to_4#2 = row_number#2
--               window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last)
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2)
--         filter (number_up_to_4#3 <= 4)
--           project pid#3, number_up_to_4#3 = row_number#3
--             window row_number#3 = row_number() over (partition pid#3; order pid#3 asc nulls last)
--               filter coalesce((strlen(pid#3) <= 40000), true)
--                 scan visits (pid#3)
==
# case: join_using_natural/star
SELECT SUM(cost) AS s FROM (SELECT * FROM visits JOIN wards USING (ward)) x WHERE x.ward <> 'a'
-- accept
-- sensitivity: s  l0=1 l1=400 l2=400 linf=400 groups=1  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(cost)
--       join inner on (ward = ward#2)
--         filter (ward <> 'a')
--           scan visits (pid, ward, cost)
--         scan wards (ward#2)
==
# case: join_using_natural/not-the-unit
SELECT COUNT(*) AS n FROM visits a JOIN visits b USING (ward)
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.pid = b.pid
==
# case: join_using_natural/natural-on-everything
SELECT COUNT(*) AS n FROM visits a NATURAL JOIN visits b
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on and((pid = pid#2), (ward#2 = ward#4), (day = day#2), (cost = cost#2), (dose = dose#2))
--         filter (number_up_to_4 <= 4)
--           project pid, ward#2, day, cost, dose, number_up_to_4 = row_number
--             window row_number = row_number() over (partition pid; order pid asc nulls last, ward#2 asc nulls last, day asc nulls last, cost asc nulls last, dose asc nulls last)
--               project pid, ward#2 = cut(ward, 2), day, cost, dose
--                 filter coalesce((strlen(pid) <= 40000), true)
--                   scan visits (pid, ward, day, cost, dose)
--         filter (number_up_to_4#2 <= 4)
--           project pid#2, ward#4, day#2, cost#2, dose#2, number_up_to_4#2 = row_number#2
--             window row_number#2 = row_number() over (partition pid#2; order pid#2 asc nulls last, ward#4 asc nulls last, day#2 asc nulls last, cost#2 asc nulls last, dose#2 asc nulls last)
--               project pid#2, ward#4 = cut(ward#3, 2), day#2, cost#2, dose#2
--                 filter coalesce((strlen(pid#2) <= 40000), true)
--                   scan visits (pid#2, ward#3, day#2, cost#2, dose#2)
==
# policy: replace
# case: join_using_natural/full-using
SELECT COUNT(pid) AS n, COUNT(*) AS m FROM patients FULL JOIN stays USING (pid)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)))
-- plan:
--   r1:
--     aggregate: count = count(coalesce(pid#11, pid#12)), count#2 = count(*)
--       union (pid#11, pid#12, pid#13)
--         project pid#3, pid#4, pid#5 = pid#4
--           project pid#3 = pid#2, pid#4 = pid
--             join left on (pid#2 = pid)
--               scan stays (pid)
--               scan patients (pid#2)
--         project pid#8, pid#9, pid#10 = pid#8
--           project pid#8 = pid#6, pid#9 = NULL
--             filter not(found)
--               join mark found on (pid#6 = pid#7)
--                 scan patients (pid#6)
--                 scan stays (pid#7)
==
# case: join_using_natural/full-using-star
SELECT COUNT(pid) AS n, SUM(days) AS s FROM (SELECT * FROM patients FULL JOIN stays USING (pid)) x
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)))
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)); days in [1, 30], clamped)
-- plan:
--   r1:
--     aggregate: count = count(coalesce(pid#11, pid#12)), sum = sum(days#4)
--       union (pid#11, pid#12, days#4, pid#13)
--         project pid#3, pid#4, days#2, pid#5 = pid#4
--           project pid#3 = pid#2, pid#4 = pid, days#2 = days
--             join left on (pid#2 = pid)
--               scan stays (pid, days)
--               scan patients (pid#2)
--         project pid#8, pid#9, days#3, pid#10 = pid#8
--           project pid#8 = pid#6, pid#9 = NULL, days#3 = NULL
--             filter not(found)
--               join mark found on (pid#6 = pid#7)
--                 scan patients (pid#6)
--                 scan stays (pid#7)
==
# policy: shop
# case: join_using_natural/full-using-qualified
SELECT COUNT(*) AS n, COUNT(a.customer) AS a, COUNT(b.customer) AS b, COUNT(customer) AS u FROM (SELECT * FROM orders WHERE paid) a FULL JOIN (SELECT * FROM orders WHERE units > 3) b USING (customer)
-- accept
-- sensitivity: a  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)); a row adds 1 to all 2 weights together)
-- sensitivity: rows without customer  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)); a row adds 1 to all 2 weights together)
-- sensitivity: b  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
-- sensitivity: u  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(customer#14), count#3 = count(customer#15), count#4 = count(coalesce(customer#14, customer#15))
--       union (customer#14, customer#15, customer#16)
--         project customer#5, customer#6, customer#7 = customer#5
--           project customer#5 = customer#2, customer#6 = customer#4
--             join left on (customer#2 = customer#4)
--               project customer#2 = customer
--                 filter ((number_up_to_3 <= 3) AND paid)
--                   project id, customer, paid, number_up_to_3 = row_number
--                     window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, paid asc nulls last)
--                       scan orders (id, customer, paid)
--               project customer#4 = customer#3
--                 filter ((number_up_to_3#2 <= 3) AND (units > 3))
--                   project id#2, customer#3, units, number_up_to_3#2 = row_number#2
--                     window row_number#2 = row_number() over (partition customer#3; order id#2 asc nulls last, customer#3 asc nulls last, units asc nulls last)
--                       scan orders (id#2, customer#3, units)
--         project customer#11, customer#12, customer#13 = customer#12
--           project customer#11 = NULL, customer#12 = customer#8
--             filter not(found)
--               join mark found on (customer#10 = customer#8)
--                 filter ((number_up_to_3#3 <= 3) AND (units#2 > 3))
--                   project id#3, customer#8, units#2, number_up_to_3#3 = row_number#3
--                     window row_number#3 = row_number() over (partition customer#8; order id#3 asc nulls last, customer#8 asc nulls last, units#2 asc nulls last)
--                       scan orders (id#3, customer#8, units#2)
--                 project customer#10 = customer#9
--                   filter ((number_up_to_3#4 <= 3) AND paid#2)
--                     project id#4, customer#9, paid#2, number_up_to_3#4 = row_number#4
--                       window row_number#4 = row_number() over (partition customer#9; order id#4 asc nulls last, customer#9 asc nulls last, paid#2 asc nulls last)
--                         scan orders (id#4, customer#9, paid#2)
==
# case: join_using_natural/full-using-public-key
SELECT id, COUNT(x.age) AS n FROM (SELECT region AS id, age FROM customers) x FULL JOIN regions USING (id) GROUP BY id
-- reject DP303  the values of id are private: no public list of its groups is known
--                                                                                                                  ^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: join_using_natural/full-using-public-key-qualified
SELECT regions.id, COUNT(x.age) AS n FROM (SELECT region AS id, age FROM customers) x FULL JOIN regions USING (id) GROUP BY regions.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#4 = id#3: count = count(age#2)
--       join left on (id#2 = id#3)
--         project id#2 = region, age#2 = age, id
--           scan customers (id, region, age)
--         scan regions (id#3)
==
# case: join_using_natural/natural-public-fan-out
SELECT COUNT(*) AS n FROM lines NATURAL JOIN tags
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (product = product#2)
--         scan lines (order_id, product)
--         scan tags (product#2)
==
# case: join_using_natural/chain
SELECT COUNT(*) AS n FROM lines JOIN tags USING (product) JOIN (SELECT id AS product, kind FROM products) p USING (product) WHERE kind = 'a'
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (product = product#2)
--         join inner on (product = id)
--           scan lines (order_id, product)
--           filter (kind = 'a')
--             scan products (id, kind)
--         scan tags (product#2)
==
# case: join_using_natural/ambiguous
SELECT COUNT(product) AS n FROM lines l JOIN tags t ON t.product = l.product
-- reject DP203  product could be more than one column
--           ^^^^^^^
-- help: write l.product
==
# case: join_using_natural/ambiguous-for-using
SELECT COUNT(*) AS n FROM lines a JOIN lines b ON a.order_id = b.order_id JOIN tags USING (product)
-- reject DP203  product could be more than one column
--                                                                                         ^^^^^^^
-- help: write a.product
==
# case: join_using_natural/using-unknown
SELECT COUNT(*) AS n FROM orders JOIN lines USING (order_id)
-- reject DP202  no column order_id on both sides
--                                                 ^^^^^^^^
==
# case: join_using_natural/natural-nothing-in-common
SELECT COUNT(*) AS n FROM lines NATURAL JOIN holidays
-- reject DP202  NATURAL JOIN: the sides have no column in common
--                                           ^^^^^^^^
==
# case: join_using_natural/full-using-in-parentheses
SELECT COUNT(*) AS n FROM regions r JOIN (customers c FULL JOIN (SELECT customer AS id FROM orders) o USING (id)) ON r.id = c.region
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = region#5)
--         scan regions (id)
--         union (region#5, id#10)
--           project region#2, id#5 = id#3
--             project region#2 = region, id#3
--               join left on (id#4 = id#3)
--                 project id#3 = customer
--                   scan orders (id#2, customer)
--                 scan customers (id#4, region)
--           project region#4, id#9 = id#6
--             project region#4 = region#3, id#6
--               filter not(found)
--                 join mark found on (id#6 = id#8)
--                   scan customers (id#6, region#3)
--                   project id#8 = customer#2
--                     scan orders (id#7, customer#2)
==
# case: join_using_natural/parentheses-with-a-name
SELECT j.level, COUNT(*) AS n FROM (customers c JOIN orders o ON o.customer = c.id) AS j WHERE j.paid GROUP BY j.level
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: level: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by level#2 = level: count = count(*)
--       join inner on (customer = id)
--         scan customers (id, level)
--         filter paid
--           scan orders (id#2, customer, paid)
==
# case: join_using_natural/parentheses-with-names-of-columns
SELECT COUNT(*) AS n, COUNT(k) AS k FROM (customers c JOIN regions r ON r.id = c.region) AS j(k, g) WHERE g = 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id)
--       join inner on (id#2 = region)
--         filter (region = 2)
--           scan customers (id, region)
--         scan regions (id#2)
==
# case: join_using_natural/parentheses-within
SELECT SUM(price) AS s FROM ((orders o JOIN lines l ON l.order_id = o.id) JOIN customers c ON c.id = o.customer) AS j WHERE vip
-- accept
-- sensitivity: s  l0=1 l1=600 l2=600 linf=600 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer; id is the key of customers); price in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(price)
--       join inner on (id#2 = customer)
--         join inner on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, price)
--         filter vip
--           scan customers (id#2, vip)
==
# case: join_using_natural/subquery-first-in-parentheses
SELECT COUNT(*) AS n FROM ((SELECT id AS customer FROM customers WHERE vip) AS s JOIN orders o USING (customer)) AS j
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = customer)
--         filter vip
--           scan customers (id, vip)
--         scan orders (id#2, customer)
==
# case: join_using_natural/hidden-by-the-name
SELECT c.level FROM (customers c JOIN orders o ON o.customer = c.id) AS j
-- reject DP201  no table c in this FROM
--     ^^^^^^^
==
# case: join_using_natural/right-then-right
SELECT COUNT(customer) AS n FROM (SELECT id AS customer FROM customers WHERE vip) a RIGHT JOIN (SELECT id AS customer FROM customers WHERE age > 30) b USING (customer) RIGHT JOIN orders o USING (customer)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(customer)
--       join left on (customer#2 = customer)
--         scan orders (id, customer)
--         join left on (customer#3 = customer#2)
--           project customer#2 = id#2
--             filter (age > 30)
--               scan customers (id#2, age)
--           project customer#3 = id#3
--             filter vip
--               scan customers (id#3, vip)
==
# case: join_using_natural/full-in-parentheses-with-a-name
SELECT COUNT(customer) AS n FROM ((SELECT id AS customer FROM customers WHERE vip) a FULL JOIN (SELECT id AS customer FROM customers WHERE age > 30) b USING (customer)) AS j
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, proven ((id is the key of customers) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(coalesce(customer#10, customer#11))
--       union (customer#10, customer#11, customer#12)
--         project customer#3, customer#4, customer#5 = customer#3
--           project customer#3 = customer, customer#4 = customer#2
--             join left on (customer = customer#2)
--               project customer = id
--                 filter vip
--                   scan customers (id, vip)
--               project customer#2 = id#2
--                 filter (age > 30)
--                   scan customers (id#2, age)
--         project customer#7, customer#8, customer#9 = customer#8
--           project customer#7 = NULL, customer#8 = id#3
--             filter not(found)
--               join mark found on (customer#6 = id#3)
--                 filter (age#2 > 30)
--                   scan customers (id#3, age#2)
--                 project customer#6 = id#4
--                   filter vip#2
--                     scan customers (id#4, vip#2)
==
# case: join_using_natural/full-in-parentheses-then-using
SELECT COUNT(*) AS n FROM orders o JOIN ((SELECT id AS customer FROM customers WHERE vip) a FULL JOIN (SELECT id AS customer FROM customers WHERE age > 30) b USING (customer)) USING (customer)
-- reject DP402  the joined rows could belong to two different units
--                                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: join_using_natural/positional
SELECT COUNT(*) FROM customers c POSITIONAL JOIN orders o
-- reject DP405  POSITIONAL JOIN is not supported: which rows it joins depends on an order
--                                               ^^^^^^^^
-- help: use a join with ON
==
# case: join_using_natural/asof
SELECT COUNT(*) FROM customers c ASOF JOIN orders o ON o.customer = c.id AND o.day >= c.born
-- reject DP405  ASOF JOIN is not supported: which rows it joins depends on an order
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use a join with ON
