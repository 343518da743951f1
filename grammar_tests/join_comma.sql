# policy: shop
# case: join_comma/right
# note: a comma binds less than JOIN: each holiday with each row of (c RIGHT JOIN o).
SELECT COUNT(*) AS n FROM holidays h, customers c RIGHT JOIN orders o ON c.id = o.customer
==
# case: join_comma/full
SELECT COUNT(*) AS n FROM holidays h, customers c FULL JOIN orders o ON c.id = o.customer AND c.vip
==
# case: join_comma/using
# note: the k of USING is that of customers, not of what is before the comma.
SELECT COUNT(*) AS n FROM (VALUES (1), (2)) v(customer), (SELECT id AS customer FROM customers) c JOIN orders USING (customer)
==
# case: join_comma/lateral-and-right
SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT c.vip AS v) s RIGHT JOIN holidays h ON s.v
==
# case: join_comma/same-alias
SELECT COUNT(*) AS n FROM customers c, orders o FULL JOIN lines c ON c.order_id = o.id
==
# case: join_comma/count-of-nothing
SELECT COUNT() AS n FROM customers
==
# case: join_comma/minimum-of-nothing
SELECT MIN() AS n FROM regions, customers
