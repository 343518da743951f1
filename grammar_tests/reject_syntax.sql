# about: Texts that are not one SELECT, or that dpsql does not model
# policy: shop
# case: reject_syntax/not-sql
SELEC COUNT(*) FROM orders
-- reject DP102  dpsql answers SELECT statements, not SELEC
--^^^
-- help: did you mean SELECT?
==
# case: reject_syntax/unbalanced
SELECT COUNT(* FROM orders
-- reject DP101  syntax error at or near "FROM"
--             ^^^^
==
# case: reject_syntax/insert
INSERT INTO regions VALUES (1, 'x', 'north')
-- reject DP102  dpsql answers SELECT statements, not INSERT
--^^^^
==
# case: reject_syntax/drop
DROP TABLE customers
-- reject DP102  dpsql answers SELECT statements, not DROP
--^^
==
# case: reject_syntax/pragma
PRAGMA database_list
-- reject DP102  a PRAGMA is the engine's own matter
--^^^^
-- help: DESCRIBE t has columns and types
==
# case: reject_syntax/explain
EXPLAIN SELECT COUNT(*) FROM orders
-- reject DP102  EXPLAIN is a query of its own
--^^^^^
-- help: run it alone, with dpsql.connect and run
==
# case: reject_syntax/two-statements
SELECT COUNT(*) AS n FROM orders; SELECT 1
-- reject DP102  more than one statement
--                              ^
-- help: send one SELECT at a time
==
# case: reject_syntax/too-deep
SELECT COUNT(*) AS n FROM orders WHERE (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((paid)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
-- reject DP103  nested more than 120 levels deep
--                                                                                                                                                             ^
==
# case: reject_syntax/union
SELECT COUNT(*) AS n FROM orders UNION ALL SELECT COUNT(*) FROM lines
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(*)  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   r2:
--     aggregate: count#2 = count(*)
--       scan lines (order_id)
--   answer:
--     union (n#3)
--       project n#2 = n
--         project n = count
--           released r1 (count)
--       project count(*)#2 = count(*)
--         project count(*) = count#2
--           released r2 (count#2)
==
# case: reject_syntax/filter
SELECT COUNT(*) FILTER (WHERE paid) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(paid then 1; else NULL))
--       scan orders (id, customer, paid)
==
# case: reject_syntax/window
SELECT SUM(COUNT(*)) OVER () AS n FROM orders GROUP BY status
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project n = sum
--       window sum = sum(count) over ()
--         released r1 (status#2, count)
==
# case: reject_syntax/tablesample
SELECT COUNT(*) AS n FROM orders USING SAMPLE 10%
-- reject DP104  USING SAMPLE is not supported here
--                                            ^^
-- help: leave out USING SAMPLE
==
# case: reject_syntax/lambda
SELECT COUNT(*) AS n FROM orders WHERE list_filter([1], x -> x > 0) IS NULL
-- reject DP204  the function list_filter is not on the allow-list
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: reject_syntax/parameter
SELECT COUNT(*) AS n FROM orders WHERE amount > $1
-- reject DP104  $1 is not supported
--                                              ^
-- help: write the value in its place
==
# case: reject_syntax/qualify
SELECT COUNT(*) AS n FROM orders QUALIFY row_number() OVER () = 1
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
--   answer:
--     project n = count
--       filter (row_number = 1)
--         window row_number = row_number() over ()
--           released r1 (count)
==
# case: reject_syntax/multi-line
SELECT status,
       COUNT(*) AS n
FROM orders AS o
JOIN lines AS l ON l.note = o.status
GROUP BY status
-- reject DP402  the joined rows could belong to two different units
--   ^^^^^^^^^^  line 4
-- help: join on a key that leads to the unit: o.id = l.order_id
==
# case: reject_syntax/invisible-letter
# note: DuckDB takes U+2060 for a blank, and would see one word more
SELECT COUNT(*) AS n⁠x FROM orders
-- reject DP101  a name has a letter that nobody sees
--                 ^^^
-- help: remove it
==
# case: reject_syntax/comment-behind-the-semicolon
SELECT COUNT(*) FROM orders; -- it is one statement
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: reject_syntax/an-argument-too-many
# note: DuckDB's own words, as it binds the text to empty tables
SELECT XOR(units, 1, 2) AS x, COUNT(*) AS n FROM orders GROUP BY 1
-- reject DP105  Binder Error: No function matches the given name and argument types 'xor(INTEGER, INTEGER_LITERAL, INTEGER_LITERAL)'. You might need to add explicit type casts.
--     ^^^^^^^^^^^^^^^^
==
# case: reject_syntax/an-argument-too-few
SELECT COUNT(*) AS n FROM orders WHERE LOG2() > 1
-- reject DP105  Binder Error: No function matches the given name and argument types 'log2()'. You might need to add explicit type casts.
--                                     ^^^^^^
==
# case: reject_syntax/a-table-named-where
SELECT COUNT(*) FROM orders AS where
-- reject DP101  syntax error at or near "where"
--                             ^^^^^
==
# case: reject_syntax/a-table-named-left
SELECT COUNT(*) FROM orders AS left
-- reject DP101  syntax error at or near "left"
--                             ^^^^
==
# case: reject_syntax/a-column-named-left
SELECT COUNT(*) AS left FROM orders
-- accept
-- sensitivity: left  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: reject_syntax/a-comment-that-does-not-end
SELECT COUNT(*) /* x * / FROM orders
-- reject DP101  unterminated /* comment at or near "/* x * / FROM orders"
--              ^
==
# case: reject_syntax/a-text-that-does-not-end
SELECT COUNT(*) FROM orders WHERE segment = 'web
-- reject DP101  unterminated string literal
--                                          ^
==
# case: reject_syntax/two-from
SELECT COUNT(*) FROM FROM orders
-- reject DP101  syntax error at or near "FROM"
--                   ^^^^
==
# case: reject_syntax/two-operators
SELECT SUM(units / * 2) AS s FROM orders
-- reject DP101  syntax error at or near "2"
--                   ^
==
# case: reject_syntax/connect-by
SELECT COUNT(*) FROM orders CONNECT BY units
-- reject DP101  syntax error at or near "BY"
--                                  ^^
==
# case: reject_syntax/a-word-that-is-well-spelt
SELECT COUNT(*) AS n FROM orders GROUP BY ROLLUP (id 5)
-- reject DP101  syntax error at or near "5"
--                                                   ^
==
# case: reject_syntax/top-of-another-database
SELECT TOP 3 status, COUNT(*) FROM orders GROUP BY status
-- reject DP101  syntax error at or near "3"
--         ^
-- help: if the query is written for SQL Server, say so: dialect="tsql"
==
# case: reject_syntax/rollup-of-another-database
SELECT status, COUNT(*) FROM orders GROUP BY status WITH ROLLUP
-- reject DP101  syntax error at or near "WITH"
--                                                  ^^^^
-- help: if the query is written for MySQL or SQL Server, say so: dialect="mysql"
==
# case: reject_syntax/quotes-of-another-database
SELECT `status`, COUNT(*) FROM orders GROUP BY 1
-- reject DP101  Invalid expression / Unexpected token
--            ^
-- help: if the query is written for MySQL, BigQuery or Spark, say so: dialect="mysql"
==
# case: reject_syntax/limit-of-another-database
SELECT status, COUNT(*) FROM orders GROUP BY status LIMIT 1, 2
-- reject DP101  syntax error at or near ","
--                                                         ^
-- help: if the query is written for MySQL, say so: dialect="mysql"
