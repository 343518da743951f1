# about: UNION, INTERSECT and EXCEPT, ALL and DISTINCT
# policy: shop
# case: set_operations/two-tables
SELECT COUNT(*) AS n FROM (SELECT customer, amount FROM orders UNION ALL SELECT id, balance FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#3)
--         project customer#2 = customer
--           scan orders (id, customer)
--         project id#3 = id#2
--           scan customers (id#2)
==
# case: set_operations/same-table-twice
SELECT SUM(amount) AS s FROM (SELECT customer, amount FROM orders UNION ALL SELECT customer, amount FROM orders) u
-- accept
-- sensitivity: s  l0=1 l1=3000 l2=3000 linf=3000 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount#5)
--       union (amount#5, customer#5)
--         project amount#2, customer#2 = customer
--           project amount#2 = amount, customer
--             scan orders (id, customer, amount)
--         project amount#4, customer#4 = customer#3
--           project amount#4 = amount#3, customer#3
--             scan orders (id#2, customer#3, amount#3)
==
# case: set_operations/disjoint-halves
# note: no unit has 6 rows, but that the halves are disjoint is not looked for: observed is half of what is claimed
SELECT COUNT(*) AS n FROM (SELECT customer FROM orders WHERE paid UNION ALL SELECT customer FROM orders WHERE NOT paid) u
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#5)
--         project customer#2 = customer
--           filter paid
--             scan orders (id, customer, paid)
--         project customer#4 = customer#3
--           filter not(paid#2)
--             scan orders (id#2, customer#3, paid#2)
==
# case: set_operations/hidden-unit
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT SUM(x) AS s FROM (SELECT amount AS x FROM orders UNION ALL SELECT balance FROM customers) u
-- accept
-- sensitivity: s  l0=1 l1=20000 l2=20000 linf=20000 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)); x in [-1000, 5000], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2)
--       union (x#2, customer#3)
--         project x, customer#2 = customer
--           project x = coerce(amount), customer
--             scan orders (id, customer, amount)
--         project balance#2, id#3 = id#2
--           project balance#2 = balance, id#2
--             scan customers (id#2, balance)
==
# case: set_operations/unit-in-other-places
SELECT COUNT(*) AS n FROM (SELECT customer, units AS x FROM orders UNION ALL SELECT age, id FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#3)
--         project customer#2 = customer
--           scan orders (id, customer)
--         project id#3 = id#2
--           scan customers (id#2)
==
# case: set_operations/key-and-unit-in-one-column
# note: the first column leads to the unit by way of orders in one branch, and is the unit in the other
SELECT SUM(x) AS s FROM (SELECT order_id AS k, quantity AS x FROM lines UNION ALL SELECT customer, units FROM orders) u
-- accept
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)); x in [1, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2)
--       union (x#2, customer#5)
--         project x, customer#2 = customer
--           join inner on (order_id = id)
--             project x = quantity, order_id
--               scan lines (order_id, quantity)
--             scan orders (id, customer)
--         project units#2, customer#4 = customer#3
--           project units#2 = units, customer#3
--             scan orders (id#2, customer#3, units)
==
# case: set_operations/same-unit-column-then-per-unit
SELECT AVG(s) AS a FROM (SELECT customer, SUM(x) AS s FROM (SELECT customer, units AS x FROM orders UNION ALL SELECT id, age FROM customers) u GROUP BY customer) v
-- accept
-- sensitivity: sum(sum - 1)  l0=1 l1=395 l2=395 linf=395 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 396], clamped; summed around 1, the least; a row adds 395 to sum(sum - 1) and sum(sum - 396) together)
-- sensitivity: sum(sum - 396)  l0=1 l1=395 l2=395 linf=395 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 396], clamped; summed around 396, the greatest; a row adds 395 to sum(sum - 1) and sum(sum - 396) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#4, sum#2 = sum
--         aggregate per unit by customer#4 = customer#3: sum = sum(clamp(x#2, 1, 99))
--           union (customer#3, x#2)
--             project customer#2 = customer, x = units
--               scan orders (id, customer, units)
--             project id#3 = id#2, age#2 = age
--               scan customers (id#2, age)
==
# case: set_operations/joined-again-by-the-unit
SELECT c.segment, COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT id FROM customers) u JOIN customers c ON c.id = u.k GROUP BY c.segment
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers); id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#3 = segment#2: count = count(*)
--       join inner on (id#4 = k#2)
--         union (k#2)
--           project k = customer
--             scan orders (id, customer)
--           project id#3 = id#2
--             scan customers (id#2)
--         project id#4, segment#2 = cut(segment, 7)
--           scan customers (id#4, segment)
==
# case: set_operations/chain
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL SELECT id FROM customers WHERE vip UNION ALL SELECT id FROM customers WHERE age > 30 UNION ALL SELECT id FROM customers WHERE age < 60) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven ((id is the key of customers) plus (id is the key of customers) plus (id is the key of customers) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (id#9)
--         project id#2 = id
--           scan customers (id)
--         project id#4 = id#3
--           filter vip
--             scan customers (id#3, vip)
--         project id#6 = id#5
--           filter (age > 30)
--             scan customers (id#5, age)
--         project id#8 = id#7
--           filter (age#2 < 60)
--             scan customers (id#7, age#2)
==
# case: set_operations/parentheses
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT SUM(x) AS s FROM ((SELECT units AS x FROM orders) UNION ALL ((SELECT quantity FROM lines) UNION ALL (SELECT age FROM customers))) u
-- accept
-- sensitivity: s  l0=1 l1=990 l2=990 linf=990 groups=1  (rows per unit 10, enforced per unit ((3 rows of orders per customer) plus ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers))); x in [1, 99], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2)
--       union (x#2, customer#7)
--         project x, customer#2 = customer
--           project x = units, customer
--             scan orders (id, customer, units)
--         project quantity#4, customer#6 = customer#5
--           project quantity#4 = quantity#3, customer#5
--             union (quantity#3, customer#5)
--               project quantity#2, customer#4 = customer#3
--                 join inner on (order_id = id#2)
--                   project quantity#2 = quantity, order_id
--                     scan lines (order_id, quantity)
--                   scan orders (id#2, customer#3)
--               project age#2, id#4 = id#3
--                 project age#2 = age, id#3
--                   scan customers (id#3, age)
==
# case: set_operations/types-together
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT SUM(x) AS s FROM (SELECT units AS x FROM orders UNION ALL SELECT price FROM lines) u
-- accept
-- sensitivity: s  l0=1 l1=900 l2=900 linf=900 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); x in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2)
--       union (x#2, customer#5)
--         project x, customer#2 = customer
--           project x = coerce(units), customer
--             scan orders (id, customer, units)
--         project price#2, customer#4 = customer#3
--           join inner on (order_id = id#2)
--             project price#2 = coerce(price), order_id
--               scan lines (order_id, price)
--             scan orders (id#2, customer#3)
==
# case: set_operations/types-apart
SELECT SUM(x) AS s FROM (SELECT units AS x FROM orders UNION ALL SELECT email FROM customers) u
-- reject DP205  column 1: values of INTEGER and VARCHAR
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: set_operations/widths-apart
SELECT COUNT(*) AS n FROM (SELECT id FROM orders UNION ALL SELECT id, age FROM customers) u
-- reject DP205  the sides have different numbers of columns
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: set_operations/group-by-domain-of-both
SELECT kind, COUNT(*) AS n FROM (SELECT status AS kind FROM orders UNION ALL SELECT segment FROM customers) u GROUP BY kind
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=7  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)); groups: kind: 7 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#3 = kind#2: count = count(*)
--       union (kind#2, customer#3)
--         project kind, customer#2 = customer
--           project kind = status, customer
--             scan orders (id, customer, status)
--         project segment#2, id#3 = id#2
--           project segment#2 = segment, id#2
--             scan customers (id#2, segment)
==
# case: set_operations/group-by-literal-tag
# note: each row counts with the range of all branches, so that what is claimed is above what is seen
SELECT tag, SUM(x) AS s FROM (SELECT 'order' AS tag, amount AS x FROM orders UNION ALL SELECT 'line', price FROM lines) u GROUP BY tag
-- accept
-- sensitivity: s  l0=2 l1=4500 l2=4500 linf=4500 groups=2  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); x in [0, 500], clamped; groups: tag: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by tag#3 = tag#2: sum = sum(x#2)
--       union (tag#2, x#2, customer#5)
--         project tag, x, customer#2 = customer
--           project tag = 'order', x = amount, customer
--             scan orders (id, customer, amount)
--         project 'line', price#2, customer#4 = customer#3
--           join inner on (order_id = id#2)
--             project 'line', price#2 = coerce(price), order_id
--               scan lines (order_id, price)
--             scan orders (id#2, customer#3)
==
# case: set_operations/tag-and-null
SELECT tag, COUNT(*) AS n FROM (SELECT NULL AS tag, id FROM customers UNION ALL SELECT 'x', id FROM customers) u GROUP BY tag
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=2  (rows per unit 2, proven ((id is the key of customers) plus (id is the key of customers)); groups: tag: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by tag#3 = tag#2: count = count(*)
--       union (tag#2, id#5)
--         project tag, id#2 = id
--           project tag = coerce(NULL), id
--             scan customers (id)
--         project 'x', id#4 = id#3
--           project 'x', id#3
--             scan customers (id#3)
==
# case: set_operations/group-without-common-domain
SELECT k, COUNT(*) AS n FROM (SELECT status AS k FROM orders UNION ALL SELECT email FROM customers) u GROUP BY k
-- reject DP303  the values of k are private: no public list of its groups is known
--                                                                                                             ^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: set_operations/filtered-above
SELECT COUNT(*) AS n FROM (SELECT amount AS x FROM orders UNION ALL SELECT balance FROM customers) u WHERE x > 100
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (x#2 > 100)
--         union (x#2, customer#3)
--           project x, customer#2 = customer
--             project x = coerce(amount), customer
--               scan orders (id, customer, amount)
--           project balance#2, id#3 = id#2
--             project balance#2 = balance, id#2
--               scan customers (id#2, balance)
==
# case: set_operations/join-in-a-branch
SELECT SUM(x) AS s FROM (SELECT o.units AS x FROM orders o JOIN customers c ON o.customer = c.id UNION ALL SELECT l.quantity FROM lines l JOIN products p ON l.product = p.id) u
-- accept
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); x in [1, 10], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2)
--       union (x#2, customer#5)
--         project x, customer#2 = customer
--           project x = units, customer
--             join inner on (customer = id#2)
--               scan orders (id, customer, units)
--               scan customers (id#2)
--         project quantity#2, customer#4 = customer#3
--           join inner on (order_id = id#4)
--             project quantity#2 = quantity, order_id
--               join inner on (product = id#3)
--                 scan lines (order_id, product, quantity)
--                 scan products (id#3)
--             scan orders (id#4, customer#3)
==
# case: set_operations/of-per-unit-groups
SELECT SUM(n) AS s FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer UNION ALL SELECT id, 1 FROM customers) u
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 2, proven ((one group per unit) plus (id is the key of customers)); n in [1, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(n#2)
--       union (n#2, customer#4)
--         project n, customer#3 = customer#2
--           project n = count, customer#2
--             aggregate per unit by customer#2 = customer: count = count(*)
--               scan orders (id, customer)
--         project 1, id#3 = id#2
--           project 1 = coerce(1), id#2
--             scan customers (id#2)
==
# case: set_operations/union-distinct-with-unit
SELECT COUNT(*) AS n FROM (SELECT customer AS k, units AS x FROM orders UNION SELECT id, age FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit (at most 4 groups per unit ((3 rows of orders per customer) plus (id is the key of customers))))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by k#3 = k#2, x#3 = x#2
--         union (k#2, x#2)
--           project k = customer, x = units
--             scan orders (id, customer, units)
--           project id#3 = id#2, age#2 = age
--             scan customers (id#2, age)
==
# case: set_operations/union-distinct-without-unit
SELECT COUNT(*) AS n FROM (SELECT units AS x FROM orders UNION SELECT age FROM customers) u
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(distinct x#2)
--       union (x#2, customer#3)
--         project x, customer#2 = customer
--           project x = units, customer
--             scan orders (id, customer, units)
--         project age#2, id#3 = id#2
--           project age#2 = age, id#2
--             scan customers (id#2, age)
==
# case: set_operations/intersect-by-unit
SELECT COUNT(*) AS n FROM (SELECT id FROM customers INTERSECT SELECT customer FROM orders) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on is_not_distinct(id#2, customer#2)
--           aggregate per unit by id#2 = id
--             scan customers (id)
--           project customer#2 = customer
--             scan orders (id#3, customer)
==
# case: set_operations/except-by-unit
SELECT COUNT(*) AS n FROM (SELECT id FROM customers EXCEPT SELECT customer FROM orders WHERE paid) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on is_not_distinct(id#2, customer#2)
--           aggregate per unit by id#2 = id
--             scan customers (id)
--           project customer#2 = customer
--             filter paid
--               scan orders (id#3, customer, paid)
==
# case: set_operations/intersect-of-other-units
SELECT COUNT(*) AS n FROM (SELECT id, age FROM customers INTERSECT SELECT id, units FROM orders) u
-- reject DP402  whether a row counts could depend on rows of other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# case: set_operations/except-public
SELECT COUNT(*) AS n FROM (SELECT id, region FROM customers EXCEPT SELECT id, id FROM regions) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (is_not_distinct(id#2, id#4) AND is_not_distinct(region#2, id#5))
--           aggregate per unit by id#2 = id, region#2 = region
--             scan customers (id, region)
--           project id#4 = coerce(id#3), id#5 = id#3
--             scan regions (id#3)
==
# case: set_operations/intersect-all
SELECT COUNT(*) AS n FROM (SELECT id FROM customers INTERSECT ALL SELECT customer FROM orders) u
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (is_not_distinct(id#2, customer#2) AND is_not_distinct(number, number#2))
--           project id#2, number = row_number
--             window row_number = row_number() over (partition id#2; order id#2 asc nulls last)
--               project id#2 = id
--                 scan customers (id)
--           project customer#2, number#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order customer#2 asc nulls last)
--               project customer#2 = customer
--                 scan orders (id#3, customer)
==
# case: set_operations/by-name
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL BY NAME SELECT id FROM orders) u
-- reject DP104  UNION BY NAME is not supported
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: list the columns
==
# case: set_operations/of-released
SELECT 'customers' AS t, COUNT(*) AS n FROM customers UNION ALL SELECT 'orders', COUNT(*) FROM orders
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   r2:
--     aggregate: count#2 = count(*)
--       scan orders (id#2, customer)
--   answer:
--     union (t#3, n#3)
--       project t#2 = t, n#2 = n
--         project t = 'customers', n = count
--           released r1 (count)
--       project 'orders'#2 = 'orders', count(*)#2 = count(*)
--         project 'orders', count(*) = count#2
--           released r2 (count#2)
==
# case: set_operations/released-union-distinct
SELECT segment AS k FROM customers GROUP BY segment UNION SELECT status FROM orders GROUP BY status
-- accept
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   r2:
--     aggregate by status#2 = status
--       scan orders (id#2, customer, status)
--   answer:
--     aggregate by k#4 = k#3
--       union (k#3)
--         project k#2 = k
--           project k = segment#2
--             released r1 (segment#2)
--         project status#4 = status#3
--           project status#3 = status#2
--             released r2 (status#2)
==
# case: set_operations/released-except-public
# differs: a region that the public table does not list is in no group
SELECT region FROM customers GROUP BY region EXCEPT SELECT id FROM regions WHERE zone = 'north'
-- accept
-- plan:
--   r1:
--     aggregate by region#2 = id#2
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project region#6 = region#5
--       filter not(found)
--         join mark found on is_not_distinct(region#5, id#5)
--           aggregate by region#5 = region#4
--             project region#4 = region#3
--               project region#3 = region#2
--                 released r1 (region#2)
--           project id#5 = id#4
--             project id#4 = id#3
--               filter (zone = 'north')
--                 scan regions (id#3, name, zone)
==
# case: set_operations/released-intersect
SELECT segment AS k, COUNT(*) > 2 AS many FROM customers GROUP BY segment INTERSECT SELECT 'home', TRUE
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project k#4 = k#3, many#4 = many#3
--       filter found
--         join mark found on (is_not_distinct(k#3, 'home'#2) AND is_not_distinct(many#3, true#2))
--           aggregate by k#3 = k#2, many#3 = many#2
--             project k#2 = k, many#2 = many
--               project k = segment#2, many = (count > 2)
--                 project segment#2, count
--                   filter present
--                     released r1 (segment#2, count, present)
--           project 'home'#2 = 'home', true#2 = true
--             project 'home', true
--               one row
==
# case: set_operations/released-with-public
SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT name, id FROM regions
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     union (k#3, n#3)
--       project k#2 = k, n#2 = n
--         project k = segment#2, n = count
--           released r1 (segment#2, count)
--       project name#3 = name#2, id#4 = coerce(id#3)
--         project name#2 = name, id#3 = id#2
--           scan regions (id#2, name, zone)
==
# case: set_operations/of-public
SELECT name FROM regions UNION SELECT kind FROM products
-- exact
==
# case: set_operations/private-with-public
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL SELECT id FROM regions) u
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   answer:
--     project n = count#3
--       project count#3 = coerce(inside(sum, -9223372036854775809, 9223372036854775808))
--         aggregate: sum = sum(part#3)
--           union (part#3)
--             project part = count
--               released r1 (count)
--             project part#2 = count#2
--               aggregate: count#2 = count(*)
--                 project id#5 = id#4
--                   project id#4 = coerce(id#3)
--                     project id#3 = id#2
--                       scan regions (id#2, name, zone)
==
# case: set_operations/private-with-constant
SELECT SUM(x) AS s FROM (SELECT age AS x FROM customers UNION ALL SELECT 5) u
-- accept
-- sensitivity: sum(age)  l0=1 l1=99 l2=99 linf=99 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(age)
--       scan customers (id, age)
--   answer:
--     project s = sum#4
--       project sum#4 = sum#3
--         aggregate: sum#3 = sum(part#3)
--           union (part#3)
--             project part = sum
--               released r1 (sum)
--             project part#2 = sum#2
--               aggregate: sum#2 = sum(x)
--                 project x = 5#2
--                   project 5#2 = 5
--                     project 5
--                       one row
==
# case: set_operations/private-with-released
SELECT SUM(x) AS s FROM (SELECT age AS x FROM customers UNION ALL SELECT COUNT(*) FROM orders) u
-- reject DP402  numbers over several units among rows of individuals belong to no unit
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/order-and-limit-around
SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY n DESC, 1 LIMIT 3
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate by status#2 = status: count#2 = count(*)
--       scan orders (id#2, customer, status)
--   answer:
--     limit 3 offset 0
--       sort n#3 desc nulls last, k#3 asc nulls last
--         union (k#3, n#3)
--           project k#2 = k, n#2 = n
--             project k = segment#2, n = count
--               released r1 (segment#2, count)
--           project status#4 = status#3, count(*)#2 = count(*)
--             project status#3 = status#2, count(*) = count#2
--               released r2 (status#2, count#2)
==
# case: set_operations/order-by-no-column-of-it
SELECT segment AS k, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY balance
-- reject DP202  ORDER BY here takes output columns
--                                                                                                                                        ^^^^^^^
-- help: use its name or number
==
# case: set_operations/limit-in-a-private-branch
SELECT COUNT(*) AS n FROM (SELECT id FROM customers UNION ALL (SELECT id FROM orders ORDER BY amount LIMIT 5)) u
-- reject DP405  LIMIT over private rows: which rows it keeps depends on other units' rows
--                                                                                                         ^
-- help: aggregate first; ORDER BY and LIMIT may follow
==
# case: set_operations/rows-of-individuals
SELECT age FROM customers UNION ALL SELECT units FROM orders
-- reject DP401  the query returns rows of individuals
--     ^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: set_operations/with-query-twice
WITH o AS (SELECT customer, amount FROM orders WHERE paid) SELECT COUNT(*) AS n FROM (SELECT amount FROM o UNION ALL SELECT amount FROM o WHERE amount > 10) u
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#5)
--         project customer#2 = customer
--           filter paid
--             scan orders (id, customer, paid)
--         project customer#4 = customer#3
--           filter (paid#2 AND (amount > 10))
--             scan orders (id#2, customer#3, amount, paid#2)
==
# case: set_operations/key-and-unit-in-one-column-joined
# note: the order 1 is not the customer 1
SELECT COUNT(*) AS n FROM (SELECT order_id AS k FROM lines UNION ALL SELECT customer FROM orders) u JOIN customers c ON c.id = u.k
-- reject DP402  the joined rows could belong to two different units
--                                                                                                       ^^^^^^^^^^^
-- help: join on the unit, or on a key that leads to it
==
# policy: shop verified
# case: set_operations/verified-same-table-twice
SELECT COUNT(*) AS n FROM (SELECT customer FROM orders UNION ALL SELECT customer FROM orders) u
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#5)
--         project customer#2 = customer
--           scan orders (id, customer)
--         project customer#4 = customer#3
--           scan orders (id#2, customer#3)
==
# case: set_operations/verified-joined-again-by-the-unit
SELECT COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT id FROM customers) u JOIN customers c ON c.id = u.k
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, proven ((3 rows of orders per customer) plus (id is the key of customers); id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#4 = k#2)
--         union (k#2)
--           project k = customer
--             scan orders (id, customer)
--           project id#3 = id#2
--             scan customers (id#2)
--         scan customers (id#4)
==
# policy: shop
# case: set_operations/count-of-values-in-both
SELECT COUNT(*) AS n FROM (SELECT segment FROM customers INTERSECT SELECT status FROM orders)
-- accept
-- sensitivity: count(distinct segment)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of segment at most)
-- sensitivity: count(distinct (status))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(distinct (segment))  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((id is the key of customers) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: n = count(distinct segment)
--       filter not(is_null(segment))
--         scan customers (id, segment)
--   r2:
--     aggregate: n#2 = count(distinct case(is_null(status) then '-'; else concat(cast(length(status)), ':', status)))
--       scan orders (id#2, customer, status)
--   r3:
--     aggregate: n#3 = count(distinct case(is_null(segment#4) then '-'; else concat(cast(length(segment#4)), ':', segment#4)))
--       union (segment#4, id#6)
--         project segment#3, id#4 = id#3
--           project segment#3 = segment#2, id#3
--             filter not(is_null(segment#2))
--               scan customers (id#3, segment#2)
--         project status#3, customer#3 = customer#2
--           project status#3 = status#2, customer#2
--             scan orders (id#5, customer#2, status#2)
--   answer:
--     project n#4 = count
--       project count = ((coerce(n) + coerce(n#2)) - coerce(n#3))
--         join inner on true
--           join inner on true
--             released r1 (n)
--             released r2 (n#2)
--           released r3 (n#3)
==
# case: set_operations/count-of-values-in-one
SELECT COUNT(*) AS n FROM (SELECT age FROM customers EXCEPT SELECT units FROM orders)
-- accept
-- sensitivity: count(distinct age)  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((id is the key of customers) plus (3 rows of orders per customer)))
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: n = count(distinct age#3)
--       union (age#3, id#4)
--         project age#2, id#2 = id
--           project age#2 = age, id
--             filter not(is_null(age))
--               scan customers (id, age)
--         project units#2, customer#2 = customer
--           project units#2 = units, customer
--             filter not(is_null(units))
--               scan orders (id#3, customer, units)
--   r2:
--     aggregate: n#2 = count(distinct units#3)
--       filter not(is_null(units#3))
--         scan orders (id#5, customer#3, units#3)
--   answer:
--     project n#3 = count
--       project count = (coerce(n) - coerce(n#2))
--         join inner on true
--           released r1 (n)
--           released r2 (n#2)
==
# case: set_operations/count-of-values-in-three
SELECT COUNT(*) AS n FROM (SELECT units FROM orders WHERE paid INTERSECT SELECT units FROM orders WHERE NOT paid INTERSECT SELECT quantity FROM lines)
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(distinct units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)))
-- sensitivity: count(distinct units)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(distinct quantity)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- sensitivity: count(distinct units)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- sensitivity: count(distinct units)  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)))
-- sensitivity: count(distinct units)  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: n = count(distinct units)
--       filter (paid AND not(is_null(units)))
--         scan orders (id, customer, paid, units)
--   r2:
--     aggregate: n#2 = count(distinct units#6)
--       union (units#6, customer#8)
--         project units#3, customer#3 = customer#2
--           project units#3 = units#2, customer#2
--             filter (paid#2 AND not(is_null(units#2)))
--               scan orders (id#2, customer#2, paid#2, units#2)
--         project units#5, customer#5 = customer#4
--           project units#5 = units#4, customer#4
--             filter (not(paid#3) AND not(is_null(units#4)))
--               scan orders (id#3, customer#4, paid#3, units#4)
--         project quantity#2, customer#7 = customer#6
--           join inner on (order_id = id#4)
--             project quantity#2 = quantity, order_id
--               filter not(is_null(quantity))
--                 scan lines (order_id, quantity)
--             scan orders (id#4, customer#6)
--   r3:
--     aggregate: n#3 = count(distinct units#7)
--       filter (not(paid#4) AND not(is_null(units#7)))
--         scan orders (id#5, customer#9, paid#4, units#7)
--   r4:
--     aggregate: n#4 = count(distinct quantity#3)
--       filter not(is_null(quantity#3))
--         scan lines (order_id#2, quantity#3)
--   r5:
--     aggregate: n#5 = count(distinct units#12)
--       union (units#12, customer#14)
--         project units#9, customer#11 = customer#10
--           project units#9 = units#8, customer#10
--             filter (paid#5 AND not(is_null(units#8)))
--               scan orders (id#6, customer#10, paid#5, units#8)
--         project units#11, customer#13 = customer#12
--           project units#11 = units#10, customer#12
--             filter (not(paid#6) AND not(is_null(units#10)))
--               scan orders (id#7, customer#12, paid#6, units#10)
--   r6:
--     aggregate: n#6 = count(distinct units#15)
--       union (units#15, customer#19)
--         project units#14, customer#16 = customer#15
--           project units#14 = units#13, customer#15
--             filter (paid#7 AND not(is_null(units#13)))
--               scan orders (id#8, customer#15, paid#7, units#13)
--         project quantity#5, customer#18 = customer#17
--           join inner on (order_id#3 = id#9)
--             project quantity#5 = quantity#4, order_id#3
--               filter not(is_null(quantity#4))
--                 scan lines (order_id#3, quantity#4)
--             scan orders (id#9, customer#17)
--   r7:
--     aggregate: n#7 = count(distinct units#18)
--       union (units#18, customer#24)
--         project units#17, customer#21 = customer#20
--           project units#17 = units#16, customer#20
--             filter (not(paid#8) AND not(is_null(units#16)))
--               scan orders (id#10, customer#20, paid#8, units#16)
--         project quantity#7, customer#23 = customer#22
--           join inner on (order_id#4 = id#11)
--             project quantity#7 = quantity#6, order_id#4
--               filter not(is_null(quantity#6))
--                 scan lines (order_id#4, quantity#6)
--             scan orders (id#11, customer#22)
--   answer:
--     project n#8 = count
--       project count = ((((((coerce(n) + coerce(n#2)) + coerce(n#3)) + coerce(n#4)) - coerce(n#5)) - coerce(n#6)) - coerce(n#7))
--         join inner on true
--           join inner on true
--             join inner on true
--               join inner on true
--                 join inner on true
--                   join inner on true
--                     released r1 (n)
--                     released r2 (n#2)
--                   released r3 (n#3)
--                 released r4 (n#4)
--               released r5 (n#5)
--             released r6 (n#6)
--           released r7 (n#7)
==
# case: set_operations/count-of-values-in-one-of-three
SELECT COUNT(*) AS n FROM (SELECT DISTINCT units FROM orders WHERE paid EXCEPT (SELECT DISTINCT units FROM orders WHERE NOT paid) EXCEPT SELECT quantity FROM lines)
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)))
-- sensitivity: count(distinct units)  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: n = count(distinct units#5)
--       union (units#5, customer#7)
--         project units#2, customer#2 = customer
--           project units#2 = units, customer
--             filter (paid AND not(is_null(units)))
--               scan orders (id, customer, paid, units)
--         project units#4, customer#4 = customer#3
--           project units#4 = units#3, customer#3
--             filter (not(paid#2) AND not(is_null(units#3)))
--               scan orders (id#2, customer#3, paid#2, units#3)
--         project quantity#2, customer#6 = customer#5
--           join inner on (order_id = id#3)
--             project quantity#2 = quantity, order_id
--               filter not(is_null(quantity))
--                 scan lines (order_id, quantity)
--             scan orders (id#3, customer#5)
--   r2:
--     aggregate: n#2 = count(distinct units#8)
--       union (units#8, customer#12)
--         project units#7, customer#9 = customer#8
--           project units#7 = units#6, customer#8
--             filter (not(paid#3) AND not(is_null(units#6)))
--               scan orders (id#4, customer#8, paid#3, units#6)
--         project quantity#4, customer#11 = customer#10
--           join inner on (order_id#2 = id#5)
--             project quantity#4 = quantity#3, order_id#2
--               filter not(is_null(quantity#3))
--                 scan lines (order_id#2, quantity#3)
--             scan orders (id#5, customer#10)
--   answer:
--     project n#3 = count
--       project count = (coerce(n) - coerce(n#2))
--         join inner on true
--           released r1 (n)
--           released r2 (n#2)
==
# case: set_operations/count-of-pairs-in-both
SELECT COUNT(*) AS n FROM (SELECT units, status FROM orders WHERE paid INTERSECT SELECT units, status FROM orders WHERE NOT paid)
-- accept
-- sensitivity: count(distinct (units, status))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(distinct (units, status))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(distinct (units, status))  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: n = count(distinct concat(case(is_null(units) then '-'; else concat(cast(length(cast(units))), ':', cast(units))), case(is_null(status) then '-'; else concat(cast(length(status)), ':', status))))
--       filter paid
--         scan orders (id, customer, paid, status, units)
--   r2:
--     aggregate: n#2 = count(distinct concat(case(is_null(units#2) then '-'; else concat(cast(length(cast(units#2))), ':', cast(units#2))), case(is_null(status#2) then '-'; else concat(cast(length(status#2)), ':', status#2))))
--       filter not(paid#2)
--         scan orders (id#2, customer#2, paid#2, status#2, units#2)
--   r3:
--     aggregate: n#3 = count(distinct concat(case(is_null(units#7) then '-'; else concat(cast(length(cast(units#7))), ':', cast(units#7))), case(is_null(status#7) then '-'; else concat(cast(length(status#7)), ':', status#7))))
--       union (units#7, status#7, customer#7)
--         project units#4, status#4, customer#4 = customer#3
--           project units#4 = units#3, status#4 = status#3, customer#3
--             filter paid#3
--               scan orders (id#3, customer#3, paid#3, status#3, units#3)
--         project units#6, status#6, customer#6 = customer#5
--           project units#6 = units#5, status#6 = status#5, customer#5
--             filter not(paid#4)
--               scan orders (id#4, customer#5, paid#4, status#5, units#5)
--   answer:
--     project n#4 = count
--       project count = ((coerce(n) + coerce(n#2)) - coerce(n#3))
--         join inner on true
--           join inner on true
--             released r1 (n)
--             released r2 (n#2)
--           released r3 (n#3)
==
# case: set_operations/count-of-values-in-a-union-but-not
SELECT COUNT(*) AS n FROM ((SELECT units FROM orders UNION SELECT quantity FROM lines) EXCEPT SELECT age FROM customers)
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=10 l2=10 linf=10 groups=1  (rows per unit 10, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers)))
-- sensitivity: count(distinct age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most)
-- plan:
--   r1:
--     aggregate: n = count(distinct units#3)
--       union (units#3, customer#5)
--         project units#2, customer#2 = customer
--           project units#2 = units, customer
--             filter not(is_null(units))
--               scan orders (id, customer, units)
--         project quantity#2, customer#4 = customer#3
--           join inner on (order_id = id#2)
--             project quantity#2 = quantity, order_id
--               filter not(is_null(quantity))
--                 scan lines (order_id, quantity)
--             scan orders (id#2, customer#3)
--         project age#2, id#4 = id#3
--           project age#2 = age, id#3
--             filter not(is_null(age))
--               scan customers (id#3, age)
--   r2:
--     aggregate: n#2 = count(distinct age#3)
--       filter not(is_null(age#3))
--         scan customers (id#5, age#3)
--   answer:
--     project n#3 = count
--       project count = (coerce(n) - coerce(n#2))
--         join inner on true
--           released r1 (n)
--           released r2 (n#2)
==
# case: set_operations/count-of-values-not-in-public
SELECT COUNT(*) AS n FROM (SELECT region FROM customers EXCEPT SELECT id FROM regions WHERE zone = 'north')
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project n = count
--       aggregate: count = count(*)
--         project region#3 = region#2
--           filter not(found)
--             join mark found on is_not_distinct(region#2, id#5)
--               project region#2
--                 filter present
--                   released r1 (region#2, present)
--               project id#5 = id#4
--                 project id#4 = id#3
--                   filter (zone = 'north')
--                     scan regions (id#3, name, zone)
==
# case: set_operations/count-of-values-in-five
SELECT COUNT(*) AS n FROM (SELECT units FROM orders WHERE paid INTERSECT SELECT units FROM orders WHERE NOT paid INTERSECT SELECT quantity FROM lines INTERSECT SELECT age FROM customers INTERSECT SELECT code FROM orders)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=6 l1=6 l2=6 linf=6 groups=10  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: quantity: 10 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=82  (rows per unit 1, proven (id is the key of customers); groups: age: 82 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=65536  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: code: 65536 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by units#2 = units
--       filter paid
--         scan orders (id, customer, paid, units)
--   r2:
--     aggregate by units#4 = units#3
--       filter not(paid#2)
--         scan orders (id#2, customer#2, paid#2, units#3)
--   r3:
--     aggregate by quantity#2 = quantity
--       scan lines (order_id, quantity)
--   r4:
--     aggregate by age#2 = age
--       scan customers (id#3, age)
--   r5:
--     aggregate by code#2 = coerce(code)
--       scan orders (id#4, customer#3, code)
--   answer:
--     project n = count
--       aggregate: count = count(*)
--         project units#14 = units#13
--           filter found#4
--             join mark found#4 on is_not_distinct(units#13, code#2)
--               aggregate by units#13 = units#12
--                 project units#12 = units#11
--                   project units#11 = units#10
--                     filter found#3
--                       join mark found#3 on is_not_distinct(units#10, age#2)
--                         aggregate by units#10 = units#9
--                           project units#9 = units#8
--                             project units#8 = units#7
--                               filter found#2
--                                 join mark found#2 on is_not_distinct(units#7, quantity#2)
--                                   aggregate by units#7 = units#6
--                                     project units#6 = units#5
--                                       project units#5 = units#2
--                                         filter found
--                                           join mark found on is_not_distinct(units#2, units#4)
--                                             project units#2
--                                               filter present
--                                                 released r1 (units#2, present)
--                                             project units#4
--                                               filter present#2
--                                                 released r2 (units#4, present#2)
--                                   project quantity#2
--                                     filter present#3
--                                       released r3 (quantity#2, present#3)
--                         project age#2
--                           filter present#4
--                             released r4 (age#2, present#4)
--               project code#2
--                 filter present#5
--                   released r5 (code#2, present#5)
==
# case: set_operations/difference-beside-a-branch
SELECT COUNT(*) AS n FROM ((SELECT units FROM orders EXCEPT SELECT quantity FROM lines) UNION ALL SELECT age FROM customers)
-- reject DP402  numbers over several units among rows of individuals belong to no unit
--                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/difference-of-a-union-all
SELECT COUNT(*) AS n FROM ((SELECT units FROM orders UNION ALL SELECT quantity FROM lines) EXCEPT SELECT age FROM customers)
-- accept
-- sensitivity: count(distinct units)  l0=1 l1=10 l2=10 linf=10 groups=1  (rows per unit 10, enforced per unit ((3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers)))
-- sensitivity: count(distinct age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of age at most)
-- plan:
--   r1:
--     aggregate: n = count(distinct units#3)
--       union (units#3, customer#5)
--         project units#2, customer#2 = customer
--           project units#2 = units, customer
--             filter not(is_null(units))
--               scan orders (id, customer, units)
--         project quantity#2, customer#4 = customer#3
--           join inner on (order_id = id#2)
--             project quantity#2 = quantity, order_id
--               filter not(is_null(quantity))
--                 scan lines (order_id, quantity)
--             scan orders (id#2, customer#3)
--         project age#2, id#4 = id#3
--           project age#2 = age, id#3
--             filter not(is_null(age))
--               scan customers (id#3, age)
--   r2:
--     aggregate: n#2 = count(distinct age#3)
--       filter not(is_null(age#3))
--         scan customers (id#5, age#3)
--   answer:
--     project n#3 = count
--       project count = (coerce(n) - coerce(n#2))
--         join inner on true
--           released r1 (n)
--           released r2 (n#2)
==
# policy: shop verified
# case: set_operations/distinct-of-both-in-groups
# note: a unit has as many orders in both branches as in one
SELECT quantity, COUNT(*) AS n FROM (SELECT DISTINCT order_id, quantity FROM (SELECT order_id, quantity FROM lines UNION ALL SELECT order_id, quantity FROM lines)) GROUP BY quantity
-- accept
-- sensitivity: n  l0=10 l1=12 l2=6 linf=3 groups=10  (rows per unit 12, proven (at most 12 groups per unit ((2 rows of lines per order_id, 3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer))); rows per unit and group 3, proven; groups: quantity: 10 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by quantity#7 = quantity#6: count = count(*)
--       aggregate per unit by order_id#6 = order_id#5, quantity#6 = quantity#5
--         union (order_id#5, quantity#5)
--           project order_id#2 = order_id, quantity#2 = quantity
--             scan lines (order_id, quantity)
--           project order_id#4 = order_id#3, quantity#4 = quantity#3
--             scan lines (order_id#3, quantity#3)
==
# case: set_operations/except-all-of-one-unit
SELECT COUNT(*) AS n FROM (SELECT customer, units FROM orders EXCEPT ALL SELECT customer, units FROM orders WHERE paid) u
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on and(is_not_distinct(customer#2, customer#4), is_not_distinct(units#2, units#4), is_not_distinct(number, number#2))
--           project customer#2, units#2, number = row_number
--             window row_number = row_number() over (partition customer#2, units#2; order customer#2 asc nulls last, units#2 asc nulls last)
--               project customer#2 = customer, units#2 = units
--                 scan orders (id, customer, units)
--           project customer#4, units#4, number#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#4, units#4; order customer#4 asc nulls last, units#4 asc nulls last)
--               project customer#4 = customer#3, units#4 = units#3
--                 filter paid
--                   scan orders (id#2, customer#3, paid, units#3)
==
# case: set_operations/except-all-of-released-rows
SELECT n > 2 AS many FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) s EXCEPT ALL SELECT zone = 'north' FROM regions
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project many#3 = many#2
--       filter not(found)
--         join mark found on (is_not_distinct(many#2, zone = 'north'#2) AND is_not_distinct(number, number#2))
--           window number = row_number() over (partition many#2)
--             project many#2 = many
--               project many = (n > 2)
--                 project segment#3 = segment#2, n = count
--                   project segment#2, count
--                     filter present
--                       released r1 (segment#2, count, present)
--           window number#2 = row_number() over (partition zone = 'north'#2; order zone = 'north'#2 asc nulls last)
--             project zone = 'north'#2 = zone = 'north'
--               project zone = 'north' = (zone = 'north')
--                 scan regions (id#2, name, zone)
==
# case: set_operations/intersect-all-of-several-units
SELECT COUNT(*) AS n FROM (SELECT units FROM orders WHERE paid INTERSECT ALL SELECT units FROM orders WHERE NOT paid) u
-- reject DP405  INTERSECT ALL of rows of several units, of which it would choose some
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write INTERSECT without ALL, or count the rows of each side with GROUP BY
==
# case: set_operations/except-all-of-private-rows
SELECT units FROM orders EXCEPT ALL SELECT id FROM regions
-- reject DP401  the query returns rows of individuals
--     ^^^^^
-- help: write EXCEPT without ALL, or count the rows of each side with GROUP BY
==
# case: set_operations/public-rows-except-all-private-ones
SELECT id FROM regions EXCEPT ALL SELECT region FROM customers
-- reject DP402  whether private rows exist would decide which public rows are shown
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write EXCEPT without ALL, or count the rows of each side with GROUP BY
==
# case: set_operations/union-with-public-values
SELECT region FROM customers UNION SELECT id FROM regions
-- accept
-- plan:
--   r1:
--     aggregate by region#2 = id#2
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     aggregate by region#4 = region#3
--       union (region#3)
--         released r1 (region#2)
--         project id#5 = id#4
--           project id#4 = id#3
--             scan regions (id#3, name, zone)
==
# case: set_operations/how-many-values-with-public-ones
SELECT COUNT(*) AS n FROM (SELECT status FROM orders WHERE paid UNION SELECT zone FROM regions UNION SELECT 'none') u
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, proven (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status
--       filter paid
--         scan orders (id, customer, paid, status)
--   answer:
--     project n = count
--       aggregate: count = count(*)
--         aggregate by status#4 = status#3
--           union (status#3)
--             project status#2
--               filter present
--                 released r1 (status#2, present)
--             project zone#3 = zone#2
--               project zone#2 = zone
--                 scan regions (id#2, name, zone)
--             project 'none'#2 = 'none'
--               project 'none'
--                 one row
==
# case: set_operations/union-all-with-public-rows
SELECT region FROM customers UNION ALL SELECT id FROM regions
-- reject DP401  the query returns rows of individuals
--     ^^^^^^
-- help: write UNION without ALL: which values there are
==
# case: set_operations/counts-with-public-rows
SELECT COUNT(*) AS n, COUNT(x) AS m FROM (SELECT age AS x FROM customers UNION ALL SELECT id FROM regions UNION ALL SELECT NULL) u
-- accept
-- sensitivity: rows with age  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- sensitivity: rows without age  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(age)
--       scan customers (id, age)
--   answer:
--     project n = count#5, m = count#6
--       project count#5 = coerce(inside(sum, -9223372036854775809, 9223372036854775808)), count#6 = coerce(inside(sum#2, -9223372036854775809, 9223372036854775808))
--         aggregate: sum = sum(part#5), sum#2 = sum(part#6)
--           union (part#5, part#6)
--             project part = count, part#2 = count#2
--               released r1 (count, count#2)
--             project part#3 = count#3, part#4 = count#4
--               aggregate: count#3 = count(*), count#4 = count(x)
--                 union (x)
--                   project id#4 = id#3
--                     project id#3 = id#2
--                       scan regions (id#2, name, zone)
--                   project null#2 = coerce(null)
--                     project null = NULL
--                       one row
==
# case: set_operations/sums-with-constants
SELECT SUM(x) AS s, SUM(x * 2 + 1) AS t FROM (SELECT age AS x FROM customers UNION ALL SELECT units FROM orders UNION ALL VALUES (1), (5)) u
-- accept
-- sensitivity: sum(x - 1)  l0=1 l1=392 l2=392 linf=392 groups=1  (rows per unit 4, proven ((id is the key of customers) plus (3 rows of orders per customer)); x in [1, 99], proven; summed around 1, the least; a row adds 98 to sum(x - 1) and sum(x - 99) together)
-- sensitivity: sum(x - 99)  l0=1 l1=392 l2=392 linf=392 groups=1  (rows per unit 4, proven ((id is the key of customers) plus (3 rows of orders per customer)); x in [1, 99], proven; summed around 99, the greatest; a row adds 98 to sum(x - 1) and sum(x - 99) together)
-- plan:
--   r1:
--     aggregate: sum = sum(x#2), sum#2 = sum(((x#2 * 2) + 1))
--       union (x#2, id#4)
--         project x, id#2 = id
--           project x = age, id
--             scan customers (id, age)
--         project units#2, customer#2 = customer
--           project units#2 = units, customer
--             scan orders (id#3, customer, units)
--   answer:
--     project s = sum#7, t = sum#8
--       project sum#7 = sum#5, sum#8 = sum#6
--         aggregate: sum#5 = sum(part#5), sum#6 = sum(part#6)
--           union (part#5, part#6)
--             project part = sum, part#2 = sum#2
--               released r1 (sum, sum#2)
--             project part#3 = sum#3, part#4 = sum#4
--               aggregate: sum#3 = sum(x#3), sum#4 = sum(((x#3 * 2) + 1))
--                 project x#3 = col0#5
--                   project col0#5 = col0#4
--                     project col0#4 = col0#3
--                       union (col0#3)
--                         project col0 = 1
--                           one row
--                         project col0#2 = 5
--                           one row
==
# case: set_operations/means-with-public-rows
SELECT AVG(x) AS a, COUNT(*) AS n FROM (SELECT amount AS x FROM orders UNION ALL SELECT price FROM products) u WHERE x > 20
-- accept
-- sensitivity: sum(amount - 20)  l0=1 l1=1440 l2=1440 linf=1440 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [20, 500], proven; summed around 20, the least; a row adds 480 to sum(amount - 20) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=1 l1=1440 l2=1440 linf=1440 groups=1  (rows per unit 3, proven (3 rows of orders per customer); amount in [20, 500], proven; summed around 500, the greatest; a row adds 480 to sum(amount - 20) and sum(amount - 500) together)
-- plan:
--   r1:
--     aggregate: avg = avg(amount), count = count(amount), count#2 = count(*)
--       filter (amount > 20)
--         scan orders (id, customer, amount)
--   answer:
--     project a = avg#2, n = count#5
--       project avg#2 = div(sum#2, coerce(nullif(sum#3, 0))), count#5 = coerce(inside(sum#4, -9223372036854775809, 9223372036854775808))
--         aggregate: sum#2 = sum(part#7), sum#3 = sum(part#8), sum#4 = sum(part#9)
--           union (part#7, part#8, part#9)
--             project part = (avg * coerce(greatest(count, 0))), part#2 = greatest(count, 0), part#3 = count#2
--               released r1 (avg, count, count#2)
--             project part#4 = coerce(sum), part#5 = count#3, part#6 = count#4
--               aggregate: sum = sum(x), count#3 = count(x), count#4 = count(*)
--                 filter (x > 20)
--                   project x = price#3
--                     project price#3 = coerce(price#2)
--                       project price#2 = price
--                         scan products (id#2, kind, price)
==
# case: set_operations/groups-with-public-rows
SELECT r, COUNT(*) AS n, SUM(x) AS s, AVG(x) AS a FROM (SELECT region AS r, age AS x FROM customers UNION ALL SELECT id, id + 1 FROM regions) u GROUP BY r HAVING COUNT(*) > 1
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], proven; groups: r: from the public regions; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); age in [18, 99], proven; groups: r: from the public regions; a unit is in one group; a row adds 1 to all 3 weights together)
-- sensitivity: rows without age  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: r: from the public regions; a unit is in one group; a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate by r = id#2: count = count(*), sum = sum(age), avg = avg(age), count#2 = count(age)
--       join inner on (region = id#2)
--         scan customers (id, region, age)
--         scan regions (id#2)
--   answer:
--     project r#5 = r#4, n = count#5, s = sum#7, a = avg#2
--       filter (count#5 > 1)
--         project r#4 = key, count#5 = coerce(inside(sum#3, -9223372036854775809, 9223372036854775808)), sum#7 = sum#4, avg#2 = div(sum#5, coerce(nullif(sum#6, 0)))
--           aggregate by key = part#11: sum#3 = sum(part#12), sum#4 = sum(part#13), sum#5 = sum(part#14), sum#6 = sum(part#15)
--             union (part#11, part#12, part#13, part#14, part#15)
--               project part = r, part#2 = count, part#3 = sum, part#4 = (avg * coerce(greatest(count#2, 0))), part#5 = greatest(count#2, 0)
--                 released r1 (r, count, sum, avg, count#2)
--               project part#6 = r#3, part#7 = count#3, part#8 = sum#2, part#9 = coerce(sum#2), part#10 = count#4
--                 aggregate by r#3 = r#2: count#3 = count(*), sum#2 = sum(x), count#4 = count(x)
--                   project r#2 = id#5, x = id + 1#2
--                     project id#5 = id#4, id + 1#2 = id + 1
--                       project id#4 = id#3, id + 1 = (coerce(id#3) + 1)
--                         scan regions (id#3, name, zone)
==
# case: set_operations/groups-of-constants
SELECT k, COUNT(*) FILTER (WHERE x > 30) AS n, COUNT_IF(x > 30) AS m FROM (SELECT segment AS k, age AS x FROM customers UNION ALL SELECT 'new', 31) u GROUP BY k
-- accept
-- sensitivity: count(CASE WHEN (age > 30) THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: k: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k = segment: count = count(case((age > 30) then 1; else NULL))
--       scan customers (id, age, segment)
--   answer:
--     project k#5 = k#4, n = count#3, m = count#3
--       project k#4 = key, count#3 = coerce(inside(sum, -9223372036854775809, 9223372036854775808))
--         aggregate by key = part#5: sum = sum(part#6)
--           union (part#5, part#6)
--             project part = k, part#2 = count
--               released r1 (k, count)
--             project part#3 = k#3, part#4 = count#2
--               aggregate by k#3 = k#2: count#2 = count(case((x > 30) then 1; else NULL))
--                 project k#2 = 'new'#2, x = 31#2
--                   project 'new'#2 = 'new', 31#2 = 31
--                     project 'new', 31
--                       one row
==
# case: set_operations/totals-with-public-rows
SELECT r, COUNT(*) AS n FROM (SELECT region AS r FROM customers UNION ALL SELECT id FROM regions) u GROUP BY ROLLUP (r)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: r: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by r = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project r#14 = r#13, n = count#14
--       union (r#13, count#14)
--         project r#6 = r#5, count#5 = count#4
--           project r#5 = r#4, count#4 = count#3
--             project r#4 = key, count#3 = coerce(inside(sum, -9223372036854775809, 9223372036854775808))
--               aggregate by key = part#5: sum = sum(part#6)
--                 union (part#5, part#6)
--                   project part = r, part#2 = count
--                     released r1 (r, count)
--                   project part#3 = r#3, part#4 = count#2
--                     aggregate by r#3 = r#2: count#2 = count(*)
--                       project r#2 = id#5
--                         project id#5 = id#4
--                           project id#4 = id#3
--                             scan regions (id#3, name, zone)
--         project r#12 = NULL, count#13 = count#12
--           project count#12 = count#11
--             project count#11 = coalesce(coerce(inside(count#10, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#10 = sum(count#9)
--                 project r#11 = r#10, count#9 = count#8
--                   project r#10 = key#2, count#8 = coerce(inside(sum#2, -9223372036854775809, 9223372036854775808))
--                     aggregate by key#2 = part#11: sum#2 = sum(part#12)
--                       union (part#11, part#12)
--                         project part#7 = r#7, part#8 = count#6
--                           released r1 (r#7, count#6)
--                         project part#9 = r#9, part#10 = count#7
--                           aggregate by r#9 = r#8: count#7 = count(*)
--                             project r#8 = id#8
--                               project id#8 = id#7
--                                 project id#7 = id#6
--                                   scan regions (id#6, name#2, zone#2)
==
# case: set_operations/how-many-groups-with-public-rows
SELECT COUNT(*) AS g FROM (SELECT r, COUNT(*) AS n FROM (SELECT region AS r FROM customers UNION ALL SELECT id FROM regions) u GROUP BY r)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: r: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by r = id#2
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project g = count
--       aggregate: count = count(*)
--         project r#5 = r#4
--           project r#4 = key
--             aggregate by key = part#3
--               union (part#3)
--                 project part = r
--                   project r
--                     filter present
--                       released r1 (r, present)
--                 project part#2 = r#3
--                   aggregate by r#3 = r#2
--                     project r#2 = id#5
--                       project id#5 = id#4
--                         project id#4 = id#3
--                           scan regions (id#3, name, zone)
==
# case: set_operations/groups-alone-with-public-rows
SELECT r FROM (SELECT region AS r FROM customers UNION ALL SELECT id FROM regions) u GROUP BY r
-- accept
-- plan:
--   r1:
--     aggregate by r = id#2
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project r#5 = r#4
--       project r#4 = key
--         aggregate by key = part#3
--           union (part#3)
--             project part = r
--               released r1 (r)
--             project part#2 = r#3
--               aggregate by r#3 = r#2
--                 project r#2 = id#5
--                   project id#5 = id#4
--                     project id#4 = id#3
--                       scan regions (id#3, name, zone)
==
# case: set_operations/with-public-rows-in-with
WITH u AS (SELECT customer AS c, amount AS x FROM orders WHERE paid UNION ALL SELECT 0, price FROM products) SELECT c > 3 AS k, SUM(x) AS s FROM u WHERE c <> 4 GROUP BY k
-- accept
-- sensitivity: sum(amount)  l0=1 l1=1500 l2=1500 linf=1500 groups=2  (rows per unit 3, proven (3 rows of orders per customer); amount in [0, 500], proven; groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = (customer > 3): sum = sum(amount)
--       filter (paid AND (customer <> 4))
--         scan orders (id, customer, amount, paid)
--   answer:
--     project k = key#4, s = sum#4
--       project key#4 = key#3, sum#4 = sum#3
--         aggregate by key#3 = part#5: sum#3 = sum(part#6)
--           union (part#5, part#6)
--             project part = key, part#2 = sum
--               released r1 (key, sum)
--             project part#3 = key#2, part#4 = sum#2
--               aggregate by key#2 = (c > 3): sum#2 = sum(x)
--                 filter (c <> 4)
--                   project c = 0#2, x = price#3
--                     project 0#2 = coerce(0), price#3 = coerce(price#2)
--                       project 0, price#2 = price
--                         scan products (id#2, kind, price)
==
# case: set_operations/with-public-rows-as-one-value
SELECT COUNT(*) AS n FROM customers WHERE age > (SELECT AVG(x) FROM (SELECT age AS x FROM customers UNION ALL SELECT 20) u)
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], proven; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], proven; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: avg = avg(age), count = count(age)
--       scan customers (id, age)
--   f1:
--     project avg(x) = avg#2
--       project avg#2 = div(sum#2, coerce(nullif(sum#3, 0)))
--         aggregate: sum#2 = sum(part#5), sum#3 = sum(part#6)
--           union (part#5, part#6)
--             project part = (avg * coerce(greatest(count, 0))), part#2 = greatest(count, 0)
--               released r1 (avg, count)
--             project part#3 = coerce(sum), part#4 = count#2
--               aggregate: sum = sum(x), count#2 = count(x)
--                 project x = 20#2
--                   project 20#2 = 20
--                     project 20
--                       one row
--   r2:
--     aggregate: count#3 = count(*)
--       join inner on (coerce(age#2) > avg(x))
--         scan customers (id#2, age#2)
--         released f1 (avg(x))
==
# case: set_operations/least-with-public-rows
SELECT MIN(x) AS a FROM (SELECT age AS x FROM customers UNION ALL SELECT 5) u
-- reject DP402  constants among rows of individuals belong to no unit
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/distinct-with-public-rows
SELECT COUNT(DISTINCT x) AS n FROM (SELECT age AS x FROM customers UNION ALL SELECT 5) u
-- reject DP402  constants among rows of individuals belong to no unit
--                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/units-with-public-rows
SELECT customer, COUNT(*) AS n FROM (SELECT customer FROM orders UNION ALL SELECT 1) u GROUP BY customer
-- reject DP402  constants among rows of individuals belong to no unit
--                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/twice-with-public-rows
WITH u AS (SELECT age AS x FROM customers UNION ALL SELECT 5) SELECT (SELECT COUNT(*) FROM u) AS n, (SELECT SUM(x) FROM u) AS s
-- reject DP402  constants among rows of individuals belong to no unit
--                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/union-with-released
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment UNION SELECT segment, age FROM customers
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=246  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; n: 82 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   r2:
--     aggregate by segment#4 = segment#3, n = coerce(age)
--       scan customers (id#2, age, segment#3)
--   answer:
--     project segment#9 = key, n#6 = key#2
--       aggregate by key = part#5, key#2 = part#6
--         union (part#5, part#6)
--           project part = segment#4, part#2 = n
--             project segment#4, n
--               filter present
--                 released r2 (segment#4, n, present)
--           project part#3 = segment#8, part#4 = n#5
--             aggregate by segment#8 = segment#7, n#5 = n#4
--               project segment#7 = segment#6, n#4 = n#3
--                 project segment#6 = segment#5, n#3 = n#2
--                   project segment#5 = segment#2, n#2 = count
--                     project segment#2, count
--                       filter present#2
--                         released r1 (segment#2, count, present#2)
==
# case: set_operations/union-with-released-values
SELECT segment FROM customers GROUP BY segment UNION SELECT status FROM orders WHERE paid
-- accept
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   r2:
--     aggregate by segment#3 = status
--       filter paid
--         scan orders (id#2, customer, paid, status)
--   answer:
--     project segment#8 = key
--       aggregate by key = part#3
--         union (part#3)
--           project part = segment#3
--             released r2 (segment#3)
--           project part#2 = segment#7
--             aggregate by segment#7 = segment#6
--               project segment#6 = segment#5
--                 project segment#5 = segment#4
--                   project segment#4 = segment#2
--                     released r1 (segment#2)
==
# case: set_operations/union-with-released-in-a-count
SELECT COUNT(*) AS g FROM (SELECT segment AS k FROM customers GROUP BY segment UNION SELECT status FROM orders WHERE paid) u
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, proven (3 rows of orders per customer); groups: k: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   r2:
--     aggregate by k = status
--       filter paid
--         scan orders (id#2, customer, paid, status)
--   answer:
--     project g = count
--       aggregate: count = count(*)
--         project k#6 = key
--           aggregate by key = part#3
--             union (part#3)
--               project part = k
--                 project k
--                   filter present
--                     released r2 (k, present)
--               project part#2 = k#5
--                 aggregate by k#5 = k#4
--                   project k#4 = k#3
--                     project k#3 = k#2
--                       project k#2 = segment#2
--                         project segment#2
--                           filter present#2
--                             released r1 (segment#2, present#2)
==
# case: set_operations/union-of-released-and-of-units
SELECT region, COUNT(*) AS n FROM customers GROUP BY region UNION SELECT customer, COUNT(*) FROM orders GROUP BY customer
-- reject DP402  numbers over several units among rows of individuals belong to no unit
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: set_operations/union-all-with-released
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment UNION ALL SELECT segment, age FROM customers
-- reject DP401  the query returns rows of individuals
--                                                                             ^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: set_operations/union-with-released-without-a-list
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment UNION SELECT email, age FROM customers
-- reject DP303  the values of segment are private: no public list of its groups is known
--                                                                         ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
