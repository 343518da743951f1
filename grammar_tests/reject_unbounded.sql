# about: What nothing bounds is rejected; what the query bounds by itself is not
# policy: unbounded
# case: reject_unbounded/rows
# note: COUNT and SUM of them are clipped where the data says (clipping.sql); a quantile is not
SELECT MEDIAN(amount) AS m FROM orders
-- reject DP302  nothing bounds how many rows one unit has: ∞ rows of orders per customer
--     ^^^^^^^^^^^^^
-- help: declare max_rows for orders.customer in the policy
==
# case: reject_unbounded/rows-in-a-join
SELECT COUNT(DISTINCT o.amount) AS n FROM customers c JOIN orders o ON o.customer = c.id
-- reject DP302  nothing bounds how many rows one unit has: id is the key of customers; ∞ rows of orders per customer
--     ^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for orders.customer in the policy
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
-- plan:
--   r1:
--     aggregate: sum = sum(least(greatest(income, 0), 1000))
--       scan customers (id, income)
-- sql:
SELECT COUNT(*) AS "n", SUM(CAST(ROUND((LEAST(GREATEST("t1"."income", CAST('0.0' AS DOUBLE)), CAST('1000.0' AS DOUBLE)) / CAST('9.313225746154785e-10' AS DOUBLE))) AS BIGINT)) AS "s0"
FROM "main"."customers" AS "t1"
==
# case: reject_unbounded/bounded-by-a-filter
SELECT SUM(income) AS s FROM customers WHERE income BETWEEN 0 AND 1000
-- accept
-- sensitivity: s  l0=1 l1=1000 l2=1000 linf=1000 groups=1  (rows per unit 1, proven (id is the key of customers); income in [0, 1000], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(income)
--       filter ((income >= 0) AND (income <= 1000))
--         scan customers (id, income)
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
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((year(born) > 1990), (plus_interval(in_calendar(try_cast(born)), 0, 1, 0) < 2020-01-01 00:00:00), (coerce(date_trunc('month', in_calendar(try_cast(born)))) > 1800-01-01))
--         scan customers (id, born)
==
# case: reject_unbounded/date-differences
SELECT COUNT(*) AS n FROM customers WHERE born - DATE '2000-01-01' > 5 AND WEEK(born) < 50 AND DAYOFYEAR(born) > 3
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and((days_between(in_calendar(born), 2000-01-01) > 5), (week(in_calendar(born)) < 50), (dayofyear(in_calendar(born)) > 3))
--         scan customers (id, born)
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
-- plan:
--   r1:
--     aggregate by key = month(born): count = count(*)
--       scan customers (id, born)
==
# case: reject_unbounded/public-fan-out
SELECT COUNT(*) AS n FROM customers c JOIN cities t ON t.name = c.name
-- reject DP403  one private row could meet any number of rows of cities
--                                         ^^^^^^^^
-- help: declare max_rows for t.name in the policy, or the key or rows of cities
==
# case: reject_unbounded/noise-does-not-fit
SELECT SUM(LEAST(GREATEST(income, -1e300), 1e300)) AS s FROM customers
-- reject DP305  the sums of LEAST(GREATEST(income, CAST('-1e+300' AS DOUBLE)), CAST('1e+300' AS DOUBLE)) would not fit a DOUBLE
--         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use narrower bounds
==
# policy: shop
# case: reject_unbounded/squares-beyond-double
SELECT VAR_POP(CAST(units AS DOUBLE) * 1e300) AS v FROM orders
-- reject DP305  the squares of CAST(units AS DOUBLE) * CAST('1e+300' AS DOUBLE) would not fit a DOUBLE
--                  ^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use narrower bounds
==
# case: reject_unbounded/rows-that-meet-one-another
# note: 3^19 rows of one customer
SELECT SUM(total) AS s FROM orders JOIN (SELECT customer FROM orders) o0 USING (customer) JOIN (SELECT customer FROM orders) o1 USING (customer) JOIN (SELECT customer FROM orders) o2 USING (customer) JOIN (SELECT customer FROM orders) o3 USING (customer) JOIN (SELECT customer FROM orders) o4 USING (customer) JOIN (SELECT customer FROM orders) o5 USING (customer) JOIN (SELECT customer FROM orders) o6 USING (customer) JOIN (SELECT customer FROM orders) o7 USING (customer) JOIN (SELECT customer FROM orders) o8 USING (customer) JOIN (SELECT customer FROM orders) o9 USING (customer) JOIN (SELECT customer FROM orders) o10 USING (customer) JOIN (SELECT customer FROM orders) o11 USING (customer) JOIN (SELECT customer FROM orders) o12 USING (customer) JOIN (SELECT customer FROM orders) o13 USING (customer) JOIN (SELECT customer FROM orders) o14 USING (customer) JOIN (SELECT customer FROM orders) o15 USING (customer) JOIN (SELECT customer FROM orders) o16 USING (customer) JOIN (SELECT customer FROM orders) o17 USING (customer)
-- reject DP501  one unit could cause 155,743,038,669 steps of work, more than the 1,000,000 of the policy: its rows become up to 1,162,261,467
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on a key, join fewer tables, or aggregate one side first
==
# case: reject_unbounded/rows-times-public-rows
# note: a million rows of one order
SELECT COUNT(*) AS n FROM (SELECT DISTINCT o.id, a.x AS a, b.x AS b, c.x AS c, d.x AS d, e.x AS e, f.x AS f FROM orders o CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) a(x) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) b(x) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) c(x) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) d(x) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) e(x) CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) f(x)) z
-- reject DP501  one unit could cause 128,259,255 steps of work, more than the 1,000,000 of the policy: its rows become up to 3,000,000
--                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on a key, join fewer tables, or aggregate one side first
==
# policy: keys
# case: reject_unbounded/texts-that-grow
# note: an undeclared text is cut at 10,000 characters, and here written 32 times
SELECT COUNT(*) AS n FROM people WHERE regexp_matches(repeat(job, 32), 'a.*b')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of people))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter regexp_matches(repeat(cut(job, 10000), 32), 'a.*b')
--         scan people (id, job)
==
# case: reject_unbounded/texts-that-grow-beyond
SELECT COUNT(*) AS n FROM people WHERE regexp_replace(repeat(job, 64), 'a.*b', '') = 'c'
-- reject DP501  one unit could cause 5,160,652 steps of work, more than the 1,000,000 of the policy
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: read shorter texts: declare max_length for them, or write LEFT(x, 100) around them
==
# policy: shop
# case: reject_unbounded/public-rows
SELECT COUNT(*) AS n FROM products a, products b, products c, products d
-- reject DP502  public rows alone could make about 2e+16 steps, more than 1,000,000,000,000
--                                                            ^^^^^^^^^^
-- help: join on equal columns, or declare in the policy how many rows the tables have
==
# case: reject_unbounded/public-rows-for-each-private-row
# note: 10,000 rows of each table are assumed, since nothing is declared
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM products a, products b WHERE a.price + b.price > o.amount)
-- reject DP501  one unit could cause 1,800,000,099 steps of work, more than the 1,000,000 of the policy: its rows become up to 300,000,000
--                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on a key, join fewer tables, or aggregate one side first
==
# case: reject_unbounded/public-rows-that-private-rows-meet
# note: whether they are looked at depends on whether a private row is there
SELECT COUNT(*) AS n FROM orders o WHERE EXISTS (SELECT 1 FROM products a, products b WHERE a.id = o.id)
-- reject DP502  private rows meet a query over public tables of about 1e+08 rows, more than 1,000,000
-- help: use SELECT DISTINCT or aggregate in it, or declare rows of its tables
==
# case: reject_unbounded/public-rows-that-private-rows-meet-distinct
# note: the same, aggregated: computed whoever is there
SELECT COUNT(*) AS n FROM orders WHERE amount IN (SELECT MAX(a.price + b.price) FROM products a, products b)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (amount = coerce(max(a.price + b.price)))
--           scan orders (id, customer, amount)
--           project max(a.price + b.price) = max
--             aggregate: max = max((clamp(price, 0, 200) + clamp(price#2, 0, 200)))
--               join inner on true
--                 scan products (id#2, price)
--                 scan products (id#3, price#2)
==
# case: reject_unbounded/a-sum-of-each-unit
# note: the limits of SMALLINT bound it, and hide everything
SELECT AVG(t) AS a FROM (SELECT customer, SUM(code) AS t FROM orders GROUP BY customer) AS o
-- reject DP301  nothing bounds what AVG adds up
--         ^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: reject_unbounded/a-running-sum
SELECT SUM(t) AS a FROM (SELECT SUM(code) OVER (PARTITION BY customer) AS t FROM orders) AS o
-- reject DP301  nothing bounds what SUM adds up
--         ^
-- help: write LEAST(GREATEST(x, low), high) around it
==
# case: reject_unbounded/a-sum-of-each-unit-that-is-compared
SELECT COUNT(*) AS n FROM (SELECT customer FROM orders GROUP BY customer HAVING SUM(code) > 7) AS o
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (sum#2 > 7)
--         project customer#2, sum#2 = sum
--           aggregate per unit by customer#2 = customer: sum = sum(code)
--             scan orders (id, customer, code)
==
# case: reject_unbounded/a-sum-of-each-unit-of-what-is-bounded
SELECT AVG(t) AS a FROM (SELECT customer, SUM(code) AS t FROM orders WHERE code BETWEEN 1 AND 5 GROUP BY customer) AS o
-- accept
-- sensitivity: sum(sum - 1)  l0=1 l1=14 l2=14 linf=14 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 15], clamped; summed around 1, the least; a row adds 14 to sum(sum - 1) and sum(sum - 15) together)
-- sensitivity: sum(sum - 15)  l0=1 l1=14 l2=14 linf=14 groups=1  (rows per unit 1, proven (one group per unit); sum in [1, 15], clamped; summed around 15, the greatest; a row adds 14 to sum(sum - 1) and sum(sum - 15) together)
-- plan:
--   r1:
--     aggregate: avg = avg(sum#2)
--       project customer#2, sum#2 = sum
--         aggregate per unit by customer#2 = customer: sum = sum(code)
--           filter ((code >= 1) AND (code <= 5))
--             scan orders (id, customer, code)
