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
-- reject DP204  the function random is not on the allow-list
--     ^^^^^^
-- help: leave it out: an answer says nothing that is drawn by chance but its noise
==
# case: public/union-with-private
SELECT id FROM regions UNION SELECT id FROM customers
-- reject DP402  rows of regions among rows of individuals belong to no unit
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first: SELECT k, COUNT(*) … GROUP BY k UNION ALL SELECT k, 1 FROM regions
==
# case: public/private-in-subquery
SELECT name FROM regions WHERE id IN (SELECT region FROM customers)
-- reject DP402  whether private rows exist would decide which public rows are shown
--                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: release which there are, with noise: SELECT DISTINCT region there
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
==
# case: public/describe-of-a-query
DESCRIBE SELECT region, AVG(age) AS a FROM customers GROUP BY region
-- exact
==
# case: public/describe-of-rows
DESCRIBE SELECT * FROM customers
-- exact
==
# case: public/describe-unknown
DESCRIBE secrets
-- reject DP201  no table secrets
--       ^^^^^^^
==
# case: public/information-schema
SELECT table_name, COUNT(*) AS columns FROM information_schema.columns WHERE data_type = 'VARCHAR' GROUP BY table_name
-- exact
==
# case: public/information-schema-beside-private-rows
SELECT COUNT(*) FROM customers WHERE segment IN (SELECT column_name FROM information_schema.columns)
-- reject DP104  the tables of information_schema go with public tables alone
-- help: ask for them in a query of their own
==
# case: public/summarize
SUMMARIZE customers
-- reject DP102  SUMMARIZE shows values of single rows
--^^^^^^^
-- help: DESCRIBE t has columns and types; ask for aggregates
==
# case: public/catalog-functions
SELECT * FROM duckdb_tables()
-- reject DP206  table functions are not supported
--            ^^^^^^^^^^^^^
-- help: ask information_schema.tables or .columns
==
# case: public/where-am-i
SELECT current_schema() AS s, current_database() AS d
-- accept
-- plan:
--   answer:
--     project s = 'main', d = 'memory'
--       one row
==
# case: public/full-name
SELECT COUNT(*) AS n FROM memory.main.regions
-- exact
==
# case: public/series
SELECT i, i * i AS square FROM generate_series(1, 3) AS t(i)
-- accept
-- plan:
--   answer:
--     project i = col0#4, square = (col0#4 * col0#4)
--       union (col0#4)
--         project col0 = 1
--           one row
--         project col0#2 = 2
--           one row
--         project col0#3 = 3
--           one row
==
# case: public/padded
SELECT RPAD(name, 9, '.') AS n, LPAD(zone, 3, '0') AS z FROM regions
-- exact
==
# case: public/padded-by-rows
SELECT RPAD(name, id, '.') AS n FROM regions
-- reject DP204  the length of RPAD is no small constant
--     ^^^^^^^^^^^^^^^^^^
-- help: write a constant of 999 at most
==
# case: public/padded-far
SELECT LPAD(name, 1000, '.') AS n FROM regions
-- reject DP204  the length of LPAD is no small constant
--     ^^^^^^^^^^^^^^^^^^^^
-- help: write a constant of 999 at most
==
# case: public/shapes
SELECT SKEWNESS(price) AS s, KURTOSIS_POP(price) AS k, ENTROPY(kind) AS e, MAD(price) AS m FROM products
-- exact
