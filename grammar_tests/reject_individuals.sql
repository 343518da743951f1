# about: Rows of individuals are rejected
# policy: shop
# case: reject_individuals/star
SELECT * FROM customers
-- reject DP401  the query returns rows of individuals
--     ^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: reject_individuals/column
SELECT email FROM customers WHERE id = 1
-- reject DP401  the query returns rows of individuals
--     ^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: reject_individuals/expression
SELECT amount * 2 AS x FROM orders
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: reject_individuals/distinct
SELECT DISTINCT segment FROM customers
-- accept
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   answer:
--     released r1 (segment#2)
==
# case: reject_individuals/order
SELECT id FROM orders ORDER BY amount DESC LIMIT 1
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: reject_individuals/joined-with-public
SELECT r.name FROM customers c JOIN regions r ON c.region = r.id
-- reject DP401  the query returns rows of individuals
--     ^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: reject_individuals/exists-by-constant
SELECT 1 AS one FROM customers WHERE email = 'a'
-- reject DP401  the query returns rows of individuals
--     ^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
