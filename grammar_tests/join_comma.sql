# about: A comma in FROM: it binds less than JOIN
# policy: shop
# case: join_comma/right
# note: a comma binds less than JOIN: each holiday with each row of (c RIGHT JOIN o).
SELECT COUNT(*) AS n FROM holidays h, customers c RIGHT JOIN orders o ON c.id = o.customer
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer; id is the key of customers, times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         scan holidays ()
--         join left on (id#2 = customer)
--           scan orders (id, customer)
--           scan customers (id#2)
==
# case: join_comma/full
SELECT COUNT(*) AS n FROM holidays h, customers c FULL JOIN orders o ON c.id = o.customer AND c.vip
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (id is the key of customers), times 3 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         scan holidays ()
--         union (customer#4)
--           project customer#2 = customer
--             join left on ((id#2 = customer) AND vip)
--               scan orders (id, customer)
--               scan customers (id#2, vip)
--           project id#5 = id#3
--             filter not(found)
--               join mark found on ((id#3 = customer#3) AND vip#2)
--                 scan customers (id#3, vip#2)
--                 scan orders (id#4, customer#3)
==
# case: join_comma/using
# note: the k of USING is that of customers, not of what is before the comma.
SELECT COUNT(*) AS n FROM (VALUES (1), (2)) v(customer), (SELECT id AS customer FROM customers) c JOIN orders USING (customer)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers, times 2 rows of a public table; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = customer)
--         join inner on true
--           union ()
--             one row
--             one row
--           scan customers (id)
--         scan orders (id#2, customer)
==
# case: join_comma/lateral-and-right
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT c.vip AS v) s RIGHT JOIN holidays h ON s.v
-- reject DP104  LATERAL goes with CROSS, INNER and LEFT JOIN … ON
--                                                     ^^^^^^^^^^^^^
==
# case: join_comma/same-alias
SELECT COUNT(*) AS n FROM customers c, orders o FULL JOIN lines c ON c.order_id = o.id
-- reject DP203  two tables of this FROM are called c
--                                     ^^^^^^^^
-- help: use AS
==
# case: join_comma/count-of-nothing
SELECT COUNT() AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
==
# case: join_comma/minimum-of-nothing
SELECT MIN() AS n FROM regions, customers
-- reject DP205  MIN needs an argument
