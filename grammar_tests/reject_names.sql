# about: Names that do not exist, are ambiguous, or are not allowed; arguments that do not fit
# policy: shop
# case: reject_names/table
SELECT COUNT(*) AS n FROM order_s
-- reject DP201  no table order_s
--                        ^^^^^^^
-- help: did you mean orders?
==
# case: reject_names/undeclared-table
SELECT COUNT(*) AS n FROM staff
-- reject DP201  no table staff
--                        ^^^^^
==
# case: reject_names/other-schema
SELECT COUNT(*) AS n FROM information_schema.tables
-- exact
==
# case: reject_names/column
SELECT SUM(ammount) AS s FROM orders
-- reject DP202  no column ammount
--         ^^^^^^^
-- help: did you mean amount?
==
# case: reject_names/qualifier
SELECT SUM(x.amount) AS s FROM orders o
-- reject DP201  no table x in this FROM
--         ^^^^^^^^
==
# case: reject_names/ambiguous
SELECT SUM(price) AS s FROM lines l JOIN products p ON l.product = p.id
-- reject DP203  price could be more than one column
--         ^^^^^
-- help: write l.price
==
# case: reject_names/model
# note: a model is asked for alone; what it is then stands in docs/reference/models.md
SELECT 1 + dp_linear_regression(weight, [volume]) AS c FROM orders
-- reject DP204  the function dp_linear_regression is not on the allow-list
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: run a model alone, as a query: SELECT dp_linear_regression(y, [x1, x2]) FROM t
==
# case: reject_names/function
SELECT SUM(sine(weight)) AS s FROM orders
-- reject DP204  the function sine is not on the allow-list
--         ^^^^^^^^^^^
-- help: did you mean sin?
==
# case: reject_names/aggregate
SELECT MEDIAN(amount) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 50,001 points)
-- plan:
--   r1:
--     aggregate: median = median(amount)
--       scan orders (id, customer, amount)
==
# case: reject_names/count-distinct
SELECT COUNT(DISTINCT status) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct status)
--       scan orders (id, customer, status)
==
# case: reject_names/arguments
SELECT SUM(ABS(amount, 2)) AS s FROM orders
-- reject DP101  The number of provided arguments (2) is greater than the maximum number of supported arguments (1)
--                      ^
==
# case: reject_names/types
SELECT SUM(email) AS s FROM customers
-- reject DP205  needs a number, not VARCHAR
--         ^^^^^
-- help: write COUNT(x), or TRY_CAST(x AS INTEGER)
==
# case: reject_names/compared-types
SELECT COUNT(*) AS n FROM orders WHERE amount = paid
-- reject DP205  =: comparison of DECIMAL(10,2) and BOOLEAN
--                                              ^^^^
-- help: write CAST(x AS INTEGER) for the condition
==
# case: reject_names/opaque-compared
SELECT COUNT(*) AS n FROM customers WHERE photo = 'a'
-- reject DP205  the constant cannot be read as BLOB
--                                                ^^^
==
# case: reject_names/table-function
SELECT COUNT(*) AS n FROM read_csv('x.csv')
-- reject DP206  table functions are not supported
--                        ^^^^^^^^^^^^^^^^
-- help: name a table of the policy
==
# case: reject_names/range
SELECT COUNT(*) AS n FROM range(10) t, orders o
-- accept
-- sensitivity: n  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 30, enforced per unit (3 rows of orders per customer, times 10 rows of a public table))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on true
--         union ()
--           one row
--           one row
--           one row
--           one row
--           one row
--           one row
--           one row
--           one row
--           one row
--           one row
--         scan orders (id, customer)
==
# case: reject_names/aggregate-in-where
SELECT COUNT(*) AS n FROM orders WHERE COUNT(*) > 1
-- reject DP207  an aggregate cannot stand in WHERE
--                                     ^^^^^^^^^^^^
-- help: use HAVING
==
# case: reject_names/aggregate-in-group-by
SELECT COUNT(*) AS n FROM orders GROUP BY COUNT(*)
-- reject DP207  an aggregate cannot stand in GROUP BY
--                                        ^^^^^^^
==
# case: reject_names/aggregate-in-aggregate
SELECT SUM(COUNT(*)) AS n FROM orders
-- reject DP207  an aggregate inside an aggregate
--         ^^^^^^^
-- help: aggregate in a subquery of FROM first
==
# case: reject_names/neither-grouped
SELECT status, COUNT(*) AS n FROM orders
-- reject DP208  status is neither grouped nor aggregated
--     ^^^^^^
-- help: add status to GROUP BY, or aggregate it
==
# case: reject_names/other-database
SELECT COUNT(*) FROM other.main.orders
-- reject DP201  no table other.main.orders
--                   ^^^^^^^^^^^^^^^^^
-- help: the declared one is memory.main.orders
==
# case: reject_names/temporary
SELECT COUNT(*) FROM temp.orders
-- reject DP201  no table temp.orders
--                   ^^^^^^^^^^^
-- help: the declared one is memory.main.orders
==
# case: reject_names/other-database-as-a-with-query
WITH orders AS (SELECT 1 AS id) SELECT COUNT(*) FROM elsewhere.orders
-- reject DP201  no table elsewhere.orders
--                                                   ^^^^^^^^^^^^^^^^
-- help: the declared one is memory.main.orders
==
# case: reject_names/filter-of-no-aggregate
SELECT COUNT(*) FILTER (WHERE paid) AS p, units, M(units) FILTER (WHERE NOT paid) AS u FROM orders
-- reject DP208  units is neither grouped nor aggregated
--                                        ^^^^^
-- help: add units to GROUP BY, or aggregate it
-- reject DP204  the function m is not on the allow-list
--                                               ^^^^^^^
==
# case: reject_names/greatest-of-null
SELECT MAX(NULL) AS m, COUNT(*) AS n FROM orders
-- reject DP105  column 1 is NULL, whatever the rows are
-- help: leave it out, or write NULL
==
# case: reject_names/a-day-of-another-system
SELECT COUNT(*) AS n FROM orders WHERE day < SYSDATE
-- reject DP202  no column SYSDATE
--                                           ^^^^^^^
-- help: write CURRENT_DATE, or NOW() for the time of day as well
