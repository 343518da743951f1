# about: MODE: one of the public values, picked by its noisy number of rows
# policy: shop
# case: mode/declared-values
SELECT MODE(segment) AS m FROM customers
-- accept
-- sql:
==
# case: mode/booleans
SELECT MODE(vip) AS m, MODE(vip AND score > 0) AS both FROM customers
==
# case: mode/bounded-integers
SELECT MODE(age) AS m FROM customers
==
# case: mode/expression
SELECT MODE(age // 10) AS decade FROM customers
==
# case: mode/dates
SELECT MODE(day) AS m FROM orders
==
# case: mode/enum
SELECT MODE(level) AS m FROM customers
==
# case: mode/filtered-by-in
SELECT MODE(email) AS m FROM customers WHERE email IN ('a', 'b')
==
# case: mode/filter-clause
SELECT MODE(segment) FILTER (WHERE age > 50) AS m, MODE(segment) AS every FROM customers
==
# case: mode/null-does-not-count
SELECT MODE(status) AS m FROM orders
==
# case: mode/case
SELECT MODE(CASE WHEN amount > 100 THEN 'much' ELSE 'little' END) AS m FROM orders
==
# case: mode/one-value
SELECT MODE(7) AS m FROM customers
==
# case: mode/beside-median-and-count
SELECT MODE(units) AS o, MEDIAN(units) AS m, COUNT(*) AS n FROM orders
==
# case: mode/grouped
SELECT status, MODE(units) AS m FROM orders WHERE status IN ('open', 'sent') GROUP BY status
==
# case: mode/lines
# note: two lines an order, three orders a customer
SELECT MODE(returned) AS m FROM lines
==
# case: mode/unlisted-texts
SELECT MODE(email) AS m FROM customers
==
# case: mode/unlisted-decimals
SELECT MODE(amount) AS m FROM orders
==
# case: mode/doubles
SELECT MODE(weight) AS m FROM orders
==
# case: mode/too-many-values
SELECT MODE(total) AS m FROM orders
==
# case: mode/distinct
SELECT MODE(DISTINCT age) AS m FROM customers
==
# case: mode/arg-max-of-rows
SELECT ARG_MAX(segment, balance) AS m FROM customers
==
# case: mode/arg-max-of-groups
# differs: groups with as many customers are told apart by noise
SELECT ARG_MAX(segment, n) AS m FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) AS g
==
# policy: shop verified
# case: mode/verified
SELECT MODE(status) AS m FROM orders
==
# policy: replace
# case: mode/replace
SELECT MODE(sex) AS m FROM patients
==
# case: mode/replace-grouped
SELECT ward, MODE(days) AS m FROM stays GROUP BY ward
