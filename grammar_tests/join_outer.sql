# about: LEFT, RIGHT and FULL joins
# policy: shop
# case: join_outer/left-condition-on-the-preserved-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id AND c.vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on ((customer = id) AND vip)
--         scan customers (id, vip)
--         scan orders (id#2, customer)
==
# case: join_outer/left-where-on-the-preserved-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id WHERE c.vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter vip
--         join left on (customer = id)
--           scan customers (id, vip)
--           scan orders (id#2, customer)
==
# case: join_outer/left-condition-on-the-other-side
SELECT COUNT(*) AS n, COUNT(o.id) AS matched FROM customers c LEFT JOIN orders o ON o.customer = c.id AND o.paid
-- accept
-- sensitivity: matched  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on ((customer = id) AND paid)
--         scan customers (id)
--         scan orders (id#2, customer, paid)
==
# case: join_outer/left-where-on-the-other-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id WHERE o.paid
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter paid
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer, paid)
==
# case: join_outer/left-without-a-match
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id WHERE o.id IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same id, id))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
==
# case: join_outer/left-sum
SELECT SUM(o.amount) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, amount)
==
# case: join_outer/left-sum-of-coalesce
SELECT SUM(COALESCE(o.units, 20)) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); COALESCE(units, 20) in [1, 20], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(coalesce(units, 20))
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, units)
==
# case: join_outer/left-on-a-key
SELECT COUNT(*) AS n, COUNT(l.order_id) AS matched FROM orders o LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: matched  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without order_id  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(order_id)
--       join left on (order_id = id)
--         scan orders (id, customer)
--         scan lines (order_id)
==
# case: join_outer/left-up-the-path
SELECT COUNT(*) AS n, COUNT(o.id) AS matched FROM lines l LEFT JOIN orders o ON l.order_id = o.id
-- accept
-- sensitivity: matched  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id)
--       join left on (order_id = id)
--         scan lines (order_id)
--         scan orders (id, customer)
==
# case: join_outer/right
SELECT COUNT(*) AS n, COUNT(o.id) AS matched FROM orders o RIGHT JOIN customers c ON o.customer = c.id
-- accept
-- sensitivity: matched  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer)
==
# case: join_outer/right-then-left
SELECT COUNT(*) AS n, SUM(l.quantity) AS q FROM orders o RIGHT JOIN customers c ON o.customer = c.id LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: rows with quantity near 0  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with quantity near 10  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(quantity)
--       join left on (order_id = id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
--         scan lines (order_id, quantity)
==
# case: join_outer/chain
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (order_id = id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
--         scan lines (order_id)
==
# case: join_outer/chain-of-two-branches
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders a ON a.customer = c.id LEFT JOIN orders b ON b.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (id is the key of customers; no two rows with the same customer, number_up_to_3; no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (customer#2 = id)
--         join left on (customer = id)
--           scan customers (id)
--           filter (number_up_to_3 <= 3)
--             project id#2, customer, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id#2 asc nulls last, customer asc nulls last)
--                 scan orders (id#2, customer)
--         filter (number_up_to_3#2 <= 3)
--           project id#3, customer#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#3 asc nulls last, customer#2 asc nulls last)
--               scan orders (id#3, customer#2)
==
# case: join_outer/chain-in-parentheses
SELECT COUNT(*) AS n, COUNT(l.quantity) AS q FROM customers c LEFT JOIN (orders o JOIN lines l ON l.order_id = o.id) ON o.customer = c.id
-- accept
-- sensitivity: q  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without quantity  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(quantity)
--       join left on (customer = id)
--         scan customers (id)
--         join inner on (order_id = id#2)
--           scan orders (id#2, customer)
--           scan lines (order_id, quantity)
==
# case: join_outer/inner-through-the-extended-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id = id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
--         scan lines (order_id)
==
# case: join_outer/extended-unit-on-itself
SELECT COUNT(*) AS n FROM lines l LEFT JOIN orders o ON l.order_id = o.id AND o.paid JOIN customers c ON c.id = o.customer
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#2 = customer)
--         join left on ((order_id = id) AND paid)
--           scan lines (order_id)
--           scan orders (id, customer, paid)
--         scan customers (id#2)
==
# case: join_outer/left-public-by-key
SELECT COUNT(*) AS n, COUNT(r.id) AS known FROM customers c LEFT JOIN regions r ON c.region = r.id
-- accept
-- sensitivity: known  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#2)
--       join left on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
==
# case: join_outer/left-public-fan-out
SELECT COUNT(*) AS n FROM lines l LEFT JOIN tags t ON t.product = l.product
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (product#2 = product)
--         scan lines (order_id, product)
--         scan tags (product#2)
==
# case: join_outer/left-public-rows
SELECT COUNT(*) AS n FROM orders o LEFT JOIN holidays h ON o.day >= h.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (day >= day#2)
--         scan orders (id, customer, day)
--         scan holidays (day#2)
==
# case: join_outer/left-public-without-rows
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT * FROM holidays LIMIT 0) h ON TRUE
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on true
--         scan customers (id)
--         limit 0 offset 0
--           sort day#2 asc nulls last, name#2 asc nulls last
--             project day#2 = day, name#2 = name
--               scan holidays (day, name)
==
# case: join_outer/public-left
SELECT r.name, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(id#2)
--       join matched on (region = id)
--         scan regions (id, name)
--         scan customers (id#2, region)
==
# case: join_outer/public-left-count-of-rows
# differs: a public row without a match is no private row; its group counts 0, not 1
SELECT r.name, COUNT(*) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join matched on (region = id)
--         scan regions (id, name)
--         scan customers (id#2, region)
==
# case: join_outer/public-left-condition-on-the-public-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id AND r.zone = 'north' GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on ((region = id) AND (zone = 'north'))
--         scan regions (id, zone)
--         scan customers (id#2, region)
==
# case: join_outer/public-left-where-on-the-public-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE r.zone = 'north' GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       filter (zone = 'north')
--         join matched on (region = id)
--           scan regions (id, zone)
--           scan customers (id#2, region)
==
# case: join_outer/public-left-condition-on-the-private-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id AND c.vip GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       join matched on ((region = id) AND vip)
--         scan regions (id)
--         scan customers (id#2, region, vip)
==
# case: join_outer/public-left-where-on-the-private-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE c.vip GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#3 = id: count = count(id#2)
--       filter vip
--         join matched on (region = id)
--           scan regions (id)
--           scan customers (id#2, region, vip)
==
# case: join_outer/public-right
SELECT p.kind, SUM(l.quantity) AS q FROM lines l RIGHT JOIN products p ON l.product = p.id GROUP BY p.kind
-- accept
-- sensitivity: q  l0=6 l1=60 l2=60 linf=60 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; groups: kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: sum = sum(quantity)
--       join matched on (product = id)
--         scan products (id, kind)
--         scan lines (order_id, product, quantity)
==
# case: join_outer/public-left-chain
SELECT r.id, COUNT(o.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id LEFT JOIN orders o ON o.customer = c.id GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: id: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by id#4 = id: count = count(id#3)
--       join left on (customer = id#2)
--         join matched on (region = id)
--           scan regions (id)
--           scan customers (id#2, region)
--         scan orders (id#3, customer)
==
# case: join_outer/public-left-unbounded-groups-of-one
SELECT h.name, COUNT(o.id) AS n FROM holidays h LEFT JOIN orders o ON o.day < h.day GROUP BY h.name
-- accept
-- sensitivity: n  l0=9 l1=9 l2=9 linf=9 groups=public  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); groups: name: from the public holidays; a unit can be in several)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(id)
--       join matched on (day#2 < day)
--         scan holidays (day, name)
--         scan orders (id, customer, day#2)
==
# case: join_outer/full-public
SELECT r.name, COUNT(c.id) AS n FROM customers c FULL JOIN regions r ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(id)
--       join left on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name)
==
# case: join_outer/full-public-first
SELECT r.name, COUNT(c.id) AS n FROM regions r FULL JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(id)
--       join left on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name)
==
# case: join_outer/full-on-a-key
SELECT COUNT(*) AS n, COUNT(o.id) AS o, COUNT(l.order_id) AS l FROM orders o FULL JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: rows with id and with order_id  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)); a row adds 1 to all 4 weights together)
-- sensitivity: rows with id and without order_id  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)); a row adds 1 to all 4 weights together)
-- sensitivity: rows without id and with order_id  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)); a row adds 1 to all 4 weights together)
-- sensitivity: rows without id and without order_id  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)); a row adds 1 to all 4 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#6), count#3 = count(order_id#5)
--       union (id#6, order_id#5, customer#6)
--         project id#2, order_id#2, customer#3 = customer#2
--           join inner on (order_id#2 = id#3)
--             project id#2 = id, order_id#2 = order_id
--               join left on (order_id = id)
--                 scan lines (order_id)
--                 scan orders (id, customer)
--             scan orders (id#3, customer#2)
--         project id#5, order_id#4, customer#5 = customer#4
--           project id#5 = id#4, order_id#4 = NULL, customer#4
--             filter not(found)
--               join mark found on (order_id#3 = id#4)
--                 scan orders (id#4, customer#4)
--                 scan lines (order_id#3)
==
# case: join_outer/full-condition-that-no-row-meets
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.id = b.id AND FALSE
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#7)
--         project customer#3 = customer
--           join left on ((id = id#2) AND false)
--             scan orders (id, customer)
--             scan orders (id#2, customer#2)
--         project customer#6 = customer#4
--           filter not(found)
--             join mark found on ((id#4 = id#3) AND false)
--               scan orders (id#3, customer#4)
--               scan orders (id#4, customer#5)
==
# case: join_outer/full-self-on-unit
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#7)
--         project customer#3 = customer
--           join left on (customer = customer#2)
--             filter (number_up_to_3 <= 3)
--               project id, customer, number_up_to_3 = row_number
--                 window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                   scan orders (id, customer)
--             filter (number_up_to_3#2 <= 3)
--               project id#2, customer#2, number_up_to_3#2 = row_number#2
--                 window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last)
--                   scan orders (id#2, customer#2)
--         project customer#6 = customer#4
--           filter not(found)
--             join mark found on (customer#5 = customer#4)
--               filter (number_up_to_3#3 <= 3)
--                 project id#3, customer#4, number_up_to_3#3 = row_number#3
--                   window row_number#3 = row_number() over (partition customer#4; order id#3 asc nulls last, customer#4 asc nulls last)
--                     scan orders (id#3, customer#4)
--               filter (number_up_to_3#4 <= 3)
--                 project id#4, customer#5, number_up_to_3#4 = row_number#4
--                   window row_number#4 = row_number() over (partition customer#5; order id#4 asc nulls last, customer#5 asc nulls last)
--                     scan orders (id#4, customer#5)
==
# case: join_outer/full-groups
SELECT c.segment, o.status, COUNT(*) AS n FROM customers c FULL JOIN orders o ON o.customer = c.id AND o.paid GROUP BY c.segment, o.status
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=16  (rows per unit 4, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (id is the key of customers)); groups: segment: 4 values; status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by segment#7 = segment#6, status#5 = status#4: count = count(*)
--       union (segment#6, status#4, customer#4)
--         project segment#3, status#2, customer#2 = customer
--           project segment#3 = segment#2, status#2 = status, customer
--             join left on ((customer = id#2) AND paid)
--               scan orders (id, customer, paid, status)
--               project id#2, segment#2 = cut(segment, 7)
--                 scan customers (id#2, segment)
--         project segment#5, status#3, id#5 = id#3
--           project segment#5 = segment#4, status#3 = NULL, id#3
--             filter not(found)
--               join mark found on ((customer#3 = id#3) AND paid#2)
--                 scan customers (id#3, segment#4)
--                 scan orders (id#4, customer#3, paid#2)
==
# case: join_outer/full-then-inner
SELECT COUNT(*) AS n FROM customers c FULL JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 8, proven ((no two rows with the same customer, number_up_to_3; id is the key of customers) plus (id is the key of customers); 2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (order_id = id#8)
--         union (id#8, customer#4)
--           project id#3, customer#2 = customer
--             project id#3 = id, customer
--               join left on (customer = id#2)
--                 filter (number_up_to_3 <= 3)
--                   project id, customer, number_up_to_3 = row_number
--                     window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last)
--                       scan orders (id, customer)
--                 scan customers (id#2)
--           project id#6, id#7 = id#4
--             project id#6 = NULL, id#4
--               filter not(found)
--                 join mark found on (customer#3 = id#4)
--                   scan customers (id#4)
--                   filter (number_up_to_3#2 <= 3)
--                     project id#5, customer#3, number_up_to_3#2 = row_number#2
--                       window row_number#2 = row_number() over (partition customer#3; order id#5 asc nulls last, customer#3 asc nulls last)
--                         scan orders (id#5, customer#3)
--         filter (number_up_to_2 <= 2)
--           project order_id, number_up_to_2 = row_number#3
--             window row_number#3 = row_number() over (partition order_id; order order_id asc nulls last)
--               scan lines (order_id)
==
# case: join_outer/full-then-inner-on-the-other-side
SELECT COUNT(*) AS n FROM orders o FULL JOIN customers c ON o.customer = c.id AND o.paid JOIN orders p ON p.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3; id is the key of customers) plus (id is the key of customers); no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer#5 = id#8)
--         union (id#8, customer#4)
--           project id#3, customer#2 = customer
--             project id#3 = id#2, customer
--               join left on ((customer = id#2) AND paid)
--                 filter (number_up_to_3 <= 3)
--                   project id, customer, paid, number_up_to_3 = row_number
--                     window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, paid asc nulls last)
--                       scan orders (id, customer, paid)
--                 scan customers (id#2)
--           project id#6, id#7 = id#6
--             project id#6 = id#4
--               filter not(found)
--                 join mark found on ((customer#3 = id#4) AND paid#2)
--                   scan customers (id#4)
--                   filter (number_up_to_3#2 <= 3)
--                     project id#5, customer#3, paid#2, number_up_to_3#2 = row_number#2
--                       window row_number#2 = row_number() over (partition customer#3; order id#5 asc nulls last, customer#3 asc nulls last, paid#2 asc nulls last)
--                         scan orders (id#5, customer#3, paid#2)
--         filter (number_up_to_3#3 <= 3)
--           project id#9, customer#5, number_up_to_3#3 = row_number#3
--             window row_number#3 = row_number() over (partition customer#5; order id#9 asc nulls last, customer#5 asc nulls last)
--               scan orders (id#9, customer#5)
==
# case: join_outer/nulls-in-a-union
# note: the rows with NULL join nothing, so that 3 would do; a unit's rows of both branches count
SELECT COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT NULL FROM orders) x JOIN customers c ON c.id = x.k
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer); id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#3 = k#3)
--         union (k#3, k#4)
--           project k, k#2 = k
--             project k = customer
--               scan orders (id, customer)
--           project null, customer#3 = customer#2
--             project null = coerce(NULL), customer#2
--               scan orders (id#2, customer#2)
--         scan customers (id#3)
==
# case: join_outer/extended-listed-key
SELECT o.status, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY o.status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, status)
==
# case: join_outer/extended-public-key
SELECT r.zone, COUNT(*) AS n FROM customers c LEFT JOIN regions r ON c.region = r.id AND r.name = 'a' GROUP BY r.zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone: count = count(*)
--       filter (in(name, 'a') OR is_null(name))
--         join left on ((region = id#2) AND (name = 'a'))
--           scan customers (id, region)
--           scan regions (id#2, name, zone)
==
# case: join_outer/extended-key-coalesced
SELECT COALESCE(r.zone, 'none') AS zone, COUNT(*) AS n FROM customers c LEFT JOIN regions r ON c.region = r.id AND r.id > 1 GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = coalesce(zone, 'none'): count = count(*)
--       join left on ((region = id#2) AND (id#2 > 1))
--         scan customers (id, region)
--         scan regions (id#2, zone)
==
# case: join_outer/extended-foreign-key
SELECT l.product, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id GROUP BY l.product
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count = count(*)
--       join left on (product = id#2)
--         join left on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, product)
--         scan products (id#2)
==
# case: join_outer/extended-foreign-key-listed
SELECT p.id, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id LEFT JOIN products p ON p.id = l.product GROUP BY p.id
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: id: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by id#3 = id#2: count = count(*)
--       join left on (id#2 = product)
--         join left on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, product)
--         scan products (id#2)
==
# case: join_outer/left-without-a-match-as-anti
SELECT COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
==
# case: join_outer/per-unit-histogram
SELECT x.k, COUNT(*) AS n FROM (SELECT c.id, COUNT(o.id) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.id) x GROUP BY x.k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: k: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k = count: count#2 = count(*)
--       aggregate per unit by id#3 = id: count = count(id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
==
# case: join_outer/left-of-per-unit-groups
SELECT COUNT(*) AS n, SUM(x.s) AS s FROM customers c LEFT JOIN (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer) x ON x.customer = c.id
-- accept
-- sensitivity: rows with s near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); s in [1, 27], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with s near 27  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); s in [1, 27], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum#3 = sum(s)
--       join left on (customer#3 = id)
--         scan customers (id)
--         project customer#3 = customer#2, s = sum#2
--           project customer#2, sum#2 = sum
--             aggregate per unit by customer#2 = customer: sum = sum(clamp(units, 1, 9))
--               scan orders (id#2, customer, units)
==
# case: join_outer/left-of-finer-groups
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT customer, status, COUNT(*) AS k FROM orders GROUP BY customer, status) x ON x.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; at most 3 groups per unit (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (customer#3 = id)
--         scan customers (id)
--         project customer#3 = customer#2
--           aggregate per unit by customer#2 = customer, status#2 = status
--             scan orders (id#2, customer, status)
==
# case: join_outer/groups-of-an-extended-unit
SELECT SUM(x.k) AS s FROM (SELECT o.customer, COUNT(*) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY o.customer) x
-- reject DP404  customer is the unit: every group would be one individual
--                                                                                                                            ^^^^^^^^^^
-- help: group by something that many units share
==
# case: join_outer/window-over-an-extended-unit
SELECT SUM(x.k) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY o.customer) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) x
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: join_outer/left-self-in-time
SELECT COUNT(*) AS n FROM orders a LEFT JOIN orders b ON a.customer = b.customer AND b.day > a.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on ((customer = customer#2) AND (day#2 > day))
--         filter (number_up_to_3 <= 3)
--           project id, customer, day, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, day asc nulls last)
--               scan orders (id, customer, day)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, day#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, day#2 asc nulls last)
--               scan orders (id#2, customer#2, day#2)
==
# policy: shop verified
# case: join_outer/verified-chain
SELECT COUNT(*) AS n, SUM(l.price) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: rows with price near 0  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); price in [0, 100], proven; a row adds 1 to all 2 weights together)
-- sensitivity: rows with price near 100  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); price in [0, 100], proven; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(price)
--       join left on (order_id = id#2)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
--         scan lines (order_id, price)
==
# case: join_outer/verified-full
SELECT COUNT(*) AS n FROM orders o FULL JOIN lines l ON l.order_id = o.id AND l.returned
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#6)
--         project customer#3 = customer#2
--           join inner on (order_id = id#2)
--             join left on ((order_id = id) AND returned)
--               scan lines (order_id, returned)
--               scan orders (id, customer)
--             scan orders (id#2, customer#2)
--         project customer#5 = customer#4
--           filter not(found)
--             join mark found on ((order_id#2 = id#3) AND returned#2)
--               scan orders (id#3, customer#4)
--               scan lines (order_id#2, returned#2)
==
# policy: replace
# case: join_outer/replace-complete
SELECT AVG(COALESCE(x.k, 0)) AS a FROM patients p LEFT JOIN (SELECT pid, COUNT(*) AS k FROM stays GROUP BY pid) x ON x.pid = p.pid
-- accept
-- sensitivity: a  l0=1 l1=0.5 l2=0.5 linf=0.5 groups=1  (rows per unit 1, proven (pid is the key of patients; one group per unit); COALESCE(k, CAST(0 AS BIGINT)) in [0, 2], clamped; summed around 1, the middle; divided by the public 4 rows; a NULL counts as 1)
-- plan:
--   r1:
--     aggregate: avg = avg(coalesce(k, 0))
--       join left on (pid#4 = pid)
--         scan patients (pid)
--         project pid#4 = pid#3, k = count
--           aggregate per unit by pid#3 = pid#2: count = count(*)
--             scan stays (pid#2)
==
# case: join_outer/replace-not-complete
SELECT COUNT(*) AS n, AVG(p.weight) AS a FROM patients p LEFT JOIN stays s ON s.pid = p.pid
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (pid is the key of patients; 2 rows of stays per pid))
-- sensitivity: centred sum(weight)  l0=1 l1=240 l2=240 linf=240 groups=1  (rows per unit 2, enforced per unit (pid is the key of patients; 2 rows of stays per pid); weight in [30, 150], clamped; summed around 90, the middle)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(weight)
--       join left on (pid#2 = pid)
--         scan patients (pid, weight)
--         scan stays (pid#2)
==
# policy: unbounded
# case: join_outer/unbounded
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (customer)
==
# policy: shop
# case: join_outer/left-with-one-row-of-each-unit
# note: one order of each customer is the first: that it matches once, and not each of three, is not looked for
SELECT COUNT(*) AS n, COUNT(b.id) AS first FROM orders a LEFT JOIN (SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) = 1) b ON a.id = b.id
-- accept
-- sensitivity: first  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; no two rows with the same customer, row_number); a row adds 1 to all 2 weights together)
-- sensitivity: rows without id  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; no two rows with the same customer, row_number); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(id#3)
--       join left on (id = id#3)
--         scan orders (id, customer)
--         project id#3 = id#2, customer#2
--           filter (row_number#2 = 1)
--             project id#2, customer#2, day, row_number#2 = row_number
--               window row_number = row_number() over (partition customer#2; order day asc nulls last, id#2 asc nulls last, customer#2 asc nulls last)
--                 scan orders (id#2, customer#2, day)
==
# case: join_outer/first-number-over-an-extended-unit
# note: the customers without orders would be one partition
SELECT COUNT(*) AS n FROM (SELECT MIN(c.id) OVER (PARTITION BY o.customer) AS m FROM customers c LEFT JOIN orders o ON o.customer = c.id) x WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: join_outer/no-row-on-the-other-side
# note: each order stays, though the other side is known to have none
SELECT COUNT(*) AS n FROM orders o LEFT JOIN ((SELECT id FROM regions LIMIT 0) UNION ALL (SELECT id FROM regions LIMIT 0)) x ON TRUE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer, times 0 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on true
--         scan orders (id, customer)
--         union ()
--           project 
--             limit 0 offset 0
--               sort id#3 asc nulls last
--                 project id#3 = id#2
--                   scan regions (id#2, name, zone)
--           project 
--             limit 0 offset 0
--               sort id#5 asc nulls last
--                 project id#5 = id#4
--                   scan regions (id#4, name#2, zone#2)
==
# case: join_outer/no-row-of-a-cross-join-on-the-other-side
SELECT COUNT(*) AS n FROM orders o LEFT JOIN (SELECT z.n FROM (SELECT COUNT(*) AS n FROM regions) z CROSS JOIN ((SELECT id FROM regions LIMIT 0) UNION ALL (SELECT id FROM regions LIMIT 0)) y) q ON TRUE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer, times 0 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on true
--         scan orders (id, customer)
--         join inner on true
--           aggregate
--             scan regions (id#2)
--           union ()
--             project 
--               limit 0 offset 0
--                 sort id#4 asc nulls last
--                   project id#4 = id#3
--                     scan regions (id#3, name, zone)
--             project 
--               limit 0 offset 0
--                 sort id#6 asc nulls last
--                   project id#6 = id#5
--                     scan regions (id#5, name#2, zone#2)
==
# case: join_outer/one-row-of-all-on-the-other-side
SELECT COUNT(*) AS n FROM orders o LEFT JOIN (SELECT COUNT(*) AS n FROM regions) b ON o.id = b.n
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count#2 = count(*)
--       join left on (id = n)
--         scan orders (id, customer)
--         project n = count
--           aggregate: count = count(*)
--             scan regions (id#2)
==
# policy: shop verified
# case: join_outer/verified-no-row-on-the-other-side
# note: each customer stays
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT customer FROM (SELECT customer, status FROM orders GROUP BY customer, status) g WHERE status IN ('lost', 'gone')) x ON x.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, status))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (customer#3 = id)
--         scan customers (id)
--         project customer#3 = customer#2
--           filter in(status#2, 'lost', 'gone')
--             aggregate per unit by customer#2 = customer, status#2 = status
--               scan orders (id#2, customer, status)
==
# case: join_outer/verified-two-branches
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders a ON a.customer = c.id LEFT JOIN orders b ON b.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (id is the key of customers; 3 rows of orders per customer; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (customer#2 = id)
--         join left on (customer = id)
--           scan customers (id)
--           scan orders (id#2, customer)
--         scan orders (id#3, customer#2)
==
# case: join_outer/verified-extended-key-under-a-condition
# note: one customer has rows with a segment and rows with NULL
SELECT c.segment, COUNT(*) AS n FROM orders o LEFT JOIN customers c ON c.id = o.customer AND o.paid GROUP BY c.segment
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, proven (3 rows of orders per customer; id is the key of customers); groups: segment: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       join left on ((id#2 = customer) AND paid)
--         scan orders (id, customer, paid)
--         scan customers (id#2, segment)
==
# case: join_outer/verified-full-that-no-row-meets
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.id = b.id AND FALSE
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#7)
--         project customer#3 = customer
--           join left on ((id = id#2) AND false)
--             scan orders (id, customer)
--             scan orders (id#2, customer#2)
--         project customer#6 = customer#4
--           filter not(found)
--             join mark found on ((id#4 = id#3) AND false)
--               scan orders (id#3, customer#4)
--               scan orders (id#4, customer#5)
==
# policy: shop
# case: join_outer/of-rows-without-columns
SELECT COUNT(*) AS n FROM orders AS o LEFT JOIN ((SELECT 1 AS k) AS a LEFT JOIN (SELECT 2 AS k) AS b ON TRUE) ON TRUE
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on true
--         scan orders (id, customer)
--         join left on true
--           one row
--           one row
==
# policy: shop verified
# case: join_outer/key-of-nulls-in-sets
# differs: a public row without a match is no private row; its group counts 0, not 1
SELECT t1.name AS k0, COUNT(*) AS v0 FROM regions AS t1 FULL JOIN customers AS t2 ON t2.region = t1.id GROUP BY ROLLUP (t1.name)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join left on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name)
--   answer:
--     project k0 = name#8, v0 = count#10
--       union (name#8, count#10)
--         project name#4 = name#3, count#3 = count#2
--           project name#3 = name#2, count#2 = count
--             released r1 (name#2, count)
--         project name#7 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project name#6 = name#5, count#5 = count#4
--                   released r1 (name#5, count#4)
==
# case: join_outer/what-nothing-meets
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (VALUES (1, 'a'), (2, 'b')) AS v(a, b) ON v.a > 5
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table); rows per unit and group 1, proven)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join left on (col0#3 > 5)
--         scan customers (id)
--         union (col0#3)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
==
# case: join_outer/what-is-never-null-is-null
SELECT COUNT(v.b) AS n FROM customers c LEFT JOIN (VALUES (1, 'a'), (2, 'b')) AS v(a, b) ON NOT (v.a IS NOT NULL OR c.region > 2)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 2, proven (id is the key of customers, times 2 rows of a public table); rows per unit and group 1, proven)
-- plan:
--   r1:
--     aggregate: count = count(col1#3)
--       join left on (is_null(col0#3) AND (region <= 2))
--         scan customers (id, region)
--         union (col0#3, col1#3)
--           project col0 = 1, col1 = 'a'
--             one row
--           project col0#2 = 2, col1#2 = 'b'
--             one row
==
# case: join_outer/full-of-public-rows-that-private-ones-are-looked-up-in
SELECT COUNT(*) AS n FROM customers c WHERE c.region IN (SELECT id FROM regions a FULL JOIN (SELECT id FROM regions WHERE zone = 'north') b USING (id))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (region = id#5)
--           scan customers (id, region)
--           project id#5 = coalesce(id#2, id#4)
--             join full on (id#2 = id#4)
--               scan regions (id#2)
--               project id#4 = id#3
--                 filter (zone = 'north')
--                   scan regions (id#3, zone)
