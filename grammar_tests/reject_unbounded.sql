# about: What nothing bounds is rejected; what the query bounds by itself is not
# policy: unbounded
# case: reject_unbounded/rows
# note: COUNT and SUM of them are clipped where the data says (clipping.sql); a quantile is not
SELECT MEDIAN(amount) AS m FROM orders
-- reject DP302  nothing bounds how many rows one unit has: ∞ rows of orders per customer
--     ^^^^^^^^^^^^^
-- help: declare max_rows for that column in the policy
==
# case: reject_unbounded/rows-in-a-join
SELECT COUNT(DISTINCT o.amount) AS n FROM customers c JOIN orders o ON o.customer = c.id
-- reject DP302  nothing bounds how many rows one unit has: id is the key of customers; ∞ rows of orders per customer
--     ^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for that column in the policy
==
# case: reject_unbounded/values
SELECT SUM(income) AS s FROM customers
-- reject DP301  nothing bounds what SUM adds up
--         ^^^^^^
-- help: declare bounds for income in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: reject_unbounded/average
SELECT AVG(income * 2) AS a FROM customers
-- reject DP301  nothing bounds what AVG adds up
--         ^^^^^^^^^^
-- help: declare bounds for income in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: reject_unbounded/bounded-by-the-query
SELECT SUM(LEAST(GREATEST(income, 0), 1000)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=1  (rows per unit 1, proven (id is the key of customers); LEAST(GREATEST(income, CAST('0.0' AS DOUBLE)), CAST('1000.0' AS DOUBLE)) in [0, 1000], proven)
-- sql:
SELECT COUNT(*) AS "n", SUM(CAST(ROUND((LEAST(GREATEST("t1"."income", CAST('0.0' AS DOUBLE)), CAST('1000.0' AS DOUBLE)) / CAST('9.313225746154785e-10' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."customers" AS "t1"
==
# case: reject_unbounded/bounded-by-a-filter
SELECT SUM(income) AS s FROM customers WHERE income BETWEEN 0 AND 1000
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=1  (rows per unit 1, proven (id is the key of customers); income in [0, 1000], proven)
-- sql:
SELECT COUNT(*) AS "n", SUM(CAST(ROUND(("t1"."income" / CAST('9.313225746154785e-10' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."customers" AS "t1"
WHERE (("t1"."income" >= CAST('0.0' AS DOUBLE)) AND ("t1"."income" <= CAST('1000.0' AS DOUBLE)))
==
# case: reject_unbounded/bounded-by-the-type
SELECT AVG(age) AS a FROM customers
-- reject DP301  nothing bounds what AVG adds up
--         ^^^
-- help: declare bounds for age in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: reject_unbounded/dates
SELECT COUNT(*) AS n FROM customers WHERE YEAR(born) > 1990 AND born + INTERVAL 1 DAY < DATE '2020-01-01' AND DATE_TRUNC('month', born) > DATE '1800-01-01'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: reject_unbounded/date-differences
SELECT COUNT(*) AS n FROM customers WHERE born - DATE '2000-01-01' > 5 AND WEEK(born) < 50 AND DAYOFYEAR(born) > 3
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: reject_unbounded/year-groups
SELECT YEAR(born) AS y, COUNT(*) AS n FROM customers GROUP BY y
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: reject_unbounded/week-groups
SELECT MONTH(born) AS m, COUNT(*) AS n FROM customers GROUP BY m
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=13  (rows per unit 1, proven (id is the key of customers); groups: key: 13 values; a unit is in one group)
==
# case: reject_unbounded/public-fan-out
SELECT COUNT(*) AS n FROM customers c JOIN cities t ON t.name = c.name
-- reject DP403  one private row could meet any number of rows of this public table
--                                         ^^^^^^^^
-- help: join on its key, or declare the table's key or rows in the policy
==
# case: reject_unbounded/noise-does-not-fit
SELECT SUM(LEAST(GREATEST(income, -1e300), 1e300)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1e+300 l2=1e+300 linf=1e+300 groups=1  (rows per unit 1, proven (id is the key of customers); LEAST(GREATEST(income, CAST('-1e+300' AS DOUBLE)), CAST('1e+300' AS DOUBLE)) in [-1000000000000395599002415345499124533328976454657154070129495514437911293303486236001176042643810878815360421422140764637470714566191851495320107129704979343782960437897034073981389258121256844644384876432978283571159224521264454901230682258883592282897391531870138046836166471753007508448244106526720, 1000000000000395599002415345499124533328976454657154070129495514437911293303486236001176042643810878815360421422140764637470714566191851495320107129704979343782960437897034073981389258121256844644384876432978283571159224521264454901230682258883592282897391531870138046836166471753007508448244106526720], proven)
==
# policy: shop
# case: reject_unbounded/noise-beyond-64-bits
# note: 3^19 rows of one customer, each up to 9e18
SELECT SUM(total) AS s FROM orders JOIN (SELECT customer FROM orders) o0 USING (customer) JOIN (SELECT customer FROM orders) o1 USING (customer) JOIN (SELECT customer FROM orders) o2 USING (customer) JOIN (SELECT customer FROM orders) o3 USING (customer) JOIN (SELECT customer FROM orders) o4 USING (customer) JOIN (SELECT customer FROM orders) o5 USING (customer) JOIN (SELECT customer FROM orders) o6 USING (customer) JOIN (SELECT customer FROM orders) o7 USING (customer) JOIN (SELECT customer FROM orders) o8 USING (customer) JOIN (SELECT customer FROM orders) o9 USING (customer) JOIN (SELECT customer FROM orders) o10 USING (customer) JOIN (SELECT customer FROM orders) o11 USING (customer) JOIN (SELECT customer FROM orders) o12 USING (customer) JOIN (SELECT customer FROM orders) o13 USING (customer) JOIN (SELECT customer FROM orders) o14 USING (customer) JOIN (SELECT customer FROM orders) o15 USING (customer) JOIN (SELECT customer FROM orders) o16 USING (customer) JOIN (SELECT customer FROM orders) o17 USING (customer)
-- reject DP305  the noise of sum(total) would not fit 64 bits at this ε
-- help: use a larger ε, or narrower bounds
