# about: MODE: one of the public values, picked by its noisy number of rows
# policy: shop
# case: mode/declared-values
SELECT MODE(segment) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points)
-- plan:
--   r1:
--     aggregate: mode = mode(segment)
--       scan customers (id, segment)
-- sql:
SELECT "t1"."segment" AS "k0", COUNT(*) AS "n"
FROM "main"."customers" AS "t1"
GROUP BY "t1"."segment"
==
# case: mode/booleans
SELECT MODE(vip) AS m, MODE(vip AND score > 0) AS both FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 2 points)
-- sensitivity: both  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 2 points)
-- plan:
--   r1:
--     aggregate: mode = mode(vip), mode#2 = mode((vip AND (score > 0)))
--       scan customers (id, score, vip)
==
# case: mode/bounded-integers
SELECT MODE(age) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
-- plan:
--   r1:
--     aggregate: mode = mode(age)
--       scan customers (id, age)
==
# case: mode/expression
SELECT MODE(age // 10) AS decade FROM customers
-- accept
-- sensitivity: decade  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 9 points)
-- plan:
--   r1:
--     aggregate: mode = mode(intdiv(age, 10))
--       scan customers (id, age)
==
# case: mode/dates
SELECT MODE(day) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 366 points)
-- plan:
--   r1:
--     aggregate: mode = mode(day)
--       scan orders (id, customer, day)
==
# case: mode/enum
SELECT MODE(level) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points)
-- plan:
--   r1:
--     aggregate: mode = mode(level)
--       scan customers (id, level)
==
# case: mode/filtered-by-in
SELECT MODE(email) AS m FROM customers WHERE email IN ('a', 'b')
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 2 points)
-- plan:
--   r1:
--     aggregate: mode = mode(email)
--       filter in(email, 'a', 'b')
--         scan customers (id, email)
==
# case: mode/filter-clause
SELECT MODE(segment) FILTER (WHERE age > 50) AS m, MODE(segment) AS every FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points)
-- sensitivity: every  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points)
-- plan:
--   r1:
--     aggregate: mode = mode(case((age > 50) then segment; else NULL)), mode#2 = mode(segment)
--       scan customers (id, age, segment)
==
# case: mode/null-does-not-count
SELECT MODE(status) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 3 points)
-- plan:
--   r1:
--     aggregate: mode = mode(status)
--       scan orders (id, customer, status)
==
# case: mode/case
SELECT MODE(CASE WHEN amount > 100 THEN 'much' ELSE 'little' END) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 2 points)
-- plan:
--   r1:
--     aggregate: mode = mode(case((amount > 100) then 'much'; else 'little'))
--       scan orders (id, customer, amount)
==
# case: mode/one-value
SELECT MODE(7) AS m FROM customers
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 1 points)
-- plan:
--   r1:
--     aggregate: mode = mode(7)
--       scan customers (id)
==
# case: mode/beside-median-and-count
SELECT MODE(units) AS o, MEDIAN(units) AS m, COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: o  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate: mode = mode(units), median = median(units), count = count(*)
--       scan orders (id, customer, units)
==
# case: mode/grouped
SELECT status, MODE(units) AS m FROM orders WHERE status IN ('open', 'sent') GROUP BY status
-- accept
-- sensitivity: m  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); 9 points)
-- plan:
--   r1:
--     aggregate by status#2 = status: mode = mode(units)
--       filter in(status, 'open', 'sent')
--         scan orders (id, customer, status, units)
==
# case: mode/lines
# note: two lines an order, three orders a customer
SELECT MODE(returned) AS m FROM lines
-- accept
-- sensitivity: m  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); 2 points)
-- plan:
--   r1:
--     aggregate: mode = mode(returned)
--       scan lines (order_id, returned)
==
# case: mode/unlisted-texts
SELECT MODE(email) AS m FROM customers
-- reject DP303  the values of email are private: no public list of them is known
--          ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, or filter it with IN (…)
==
# case: mode/unlisted-decimals
SELECT MODE(amount) AS m FROM orders
-- reject DP303  the values of amount are private: no public list of them is known
--          ^^^^^^
-- help: ask for whole numbers, such as MODE(CAST(x AS INTEGER))
==
# case: mode/rounded
SELECT MODE(CAST(weight AS INTEGER)) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 22 points)
-- plan:
--   r1:
--     aggregate: mode = mode(cast(weight))
--       scan orders (id, customer, weight)
==
# case: mode/doubles
SELECT MODE(weight) AS m FROM orders
-- reject DP303  the values of weight are private: no public list of them is known
--          ^^^^^^
-- help: ask for whole numbers, such as MODE(CAST(x AS INTEGER))
==
# case: mode/too-many-values
SELECT MODE(total) AS m FROM orders
-- reject DP303  the values of total are private: no public list of them is known
--          ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, or filter it with IN (…)
==
# case: mode/distinct
SELECT MODE(DISTINCT age) AS m FROM customers
-- reject DP104  DISTINCT takes one expression in COUNT, SUM, AVG, VAR and STDDEV
--                   ^^^
-- help: leave out DISTINCT
==
# case: mode/arg-max-of-rows
SELECT ARG_MAX(segment, balance) AS m FROM customers
-- reject DP204  the aggregate arg_max of private rows is not supported
--     ^^^^^^^^^^^^^^^^^^^^^^^^
-- help: ask for the largest total: SELECT ARG_MAX(x, n) FROM (SELECT x, SUM(y) AS n … GROUP BY x)
==
# case: mode/arg-max-of-groups
# differs: groups with as many customers are told apart by noise
SELECT ARG_MAX(segment, n) AS m FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) AS g
-- accept
-- sensitivity: arg_max(segment)  l0=None linf=1 groups=3  (rows per unit 1, proven (in one group); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
==
# policy: shop verified
# case: mode/verified
SELECT MODE(status) AS m FROM orders
-- accept
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, proven (3 rows of orders per customer); 3 points)
-- plan:
--   r1:
--     aggregate: mode = mode(status)
--       scan orders (id, customer, status)
==
# policy: replace
# case: mode/replace
SELECT MODE(sex) AS m FROM patients
-- accept
-- sensitivity: m  l0=1 l1=2 l2=2 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients); 2 points)
-- plan:
--   r1:
--     aggregate: mode = mode(sex)
--       scan patients (pid, sex)
==
# case: mode/replace-grouped
SELECT ward, MODE(days) AS m FROM stays GROUP BY ward
-- accept
-- sensitivity: m  l0=3 l1=4 l2=4 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); 30 points)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: mode = mode(days)
--       scan stays (pid, days, ward)
