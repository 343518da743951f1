# about: Queries over public tables alone: exact and free
# policy: shop
# case: public/plain
SELECT name FROM regions ORDER BY name
-- exact
==
# case: public/aggregate
SELECT zone, COUNT(*) AS n FROM regions GROUP BY zone
-- exact
==
# case: public/join
SELECT p.kind, MAX(p.price) AS top FROM products p LEFT JOIN tags t ON t.product = p.id GROUP BY p.kind
-- exact
==
# case: public/window
SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS r FROM regions
-- exact
==
# case: public/union
SELECT id FROM regions UNION SELECT id FROM products
-- exact
==
# case: public/subquery
SELECT COUNT(*) AS n FROM products WHERE price > (SELECT AVG(price) FROM products)
-- exact
==
# case: public/constant
SELECT 1 + 1 AS two
-- accept
-- plan:
--   answer:
--     project two = 2
--       one row
==
# case: public/function-not-allowed
SELECT read_text('/etc/passwd') FROM regions
-- reject DP204  the function read_text is not on the allow-list
--     ^^^^^^^^^^^^^^^^^^^^^^^
==
# case: public/random
SELECT random() FROM regions
-- reject DP204  rand is not on the allow-list
--     ^^^^^^
==
# case: public/union-with-private
SELECT id FROM regions UNION SELECT id FROM customers
-- reject DP402  rows of a public table among private ones belong to no unit
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: public/private-in-subquery
SELECT name FROM regions WHERE id IN (SELECT region FROM customers)
-- reject DP402  whether private rows exist would decide which public rows are shown
--                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: count them: (SELECT COUNT(*) …) > 0
==
# case: public/no-such-column
SELECT nam FROM regions
-- reject DP202  no column nam
--     ^^^
-- help: did you mean name?
==
# case: public/neither-grouped-nor-aggregated
SELECT name, COUNT(*) FROM regions
-- reject DP208  name is neither grouped nor aggregated
--     ^^^^
-- help: add name to GROUP BY, or aggregate it
