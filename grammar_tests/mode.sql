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
# case: mode/public-texts
# differs: values may tie
SELECT MODE(r.name) AS m FROM customers c JOIN regions r ON r.id = c.region
-- accept
-- sensitivity: arg_max(name)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         filter not(is_null(name))
--           scan regions (id#2, name)
--   answer:
--     project m = count
--       project count
--         released r1 (count)
==
# case: mode/public-texts-in-capitals
# differs: values may tie
SELECT MODE(UPPER(p.kind)) AS m FROM lines l JOIN products p ON p.id = l.product
-- accept
-- sensitivity: arg_max(value)  l0=None linf=6 groups=public  (rows per unit 6, enforced per unit (in one group); groups: value: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by value = upper(kind): count = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product)
--         filter not(is_null(upper(cut(kind, 10000))))
--           scan products (id, kind)
--   answer:
--     project m = count
--       project count
--         released r1 (count)
==
# case: mode/reference-to-a-public-table
# differs: values may tie
SELECT MODE(region) AS m FROM customers
-- accept
-- sensitivity: arg_max(region)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         filter not(is_null(region))
--           scan customers (id, region)
--         filter not(is_null(id#2))
--           scan regions (id#2)
--   answer:
--     project m = count
--       project count
--         released r1 (count)
==
# case: mode/public-texts-beside-others
# differs: values may tie
SELECT COUNT(*) AS n, MODE(r.name) AS m, AVG(c.age) AS a, MODE(c.segment) AS s FROM customers c JOIN regions r ON r.id = c.region
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: centred sum(age)  l0=1 l1=40.5 l2=40.5 linf=40.5 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 58.5, the middle)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: mode(segment)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 3 points)
-- sensitivity: arg_max(name)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate: count = count(*), avg = avg(age), mode = mode(segment)
--       join inner on (id#2 = region)
--         scan customers (id, region, age, segment)
--         scan regions (id#2)
--   r2:
--     aggregate by name#2 = name: count#2 = count(*)
--       join inner on (id#4 = region#2)
--         scan customers (id#3, region#2)
--         filter not(is_null(name))
--           scan regions (id#4, name)
--   answer:
--     project n = count, m = count#2, a = avg, s = mode
--       project count, count#2, avg, mode
--         join inner on true
--           released r1 (count, avg, mode)
--           released r2 (count#2)
==
# case: mode/public-texts-filtered
# differs: values may tie
SELECT MODE(name) FILTER (WHERE vip) AS m FROM (SELECT c.vip, r.name FROM customers c LEFT JOIN regions r ON r.id = c.region)
-- accept
-- sensitivity: arg_max(name)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       filter (vip AND not(is_null(name)))
--         join left on (id#2 = region)
--           scan customers (id, region, vip)
--           scan regions (id#2, name)
--   answer:
--     project m = count
--       project count
--         released r1 (count)
==
# case: mode/public-texts-in-a-case
# differs: values may tie
SELECT MODE(CASE WHEN c.age > 30 THEN r.name END) AS m FROM customers c JOIN regions r ON r.id = c.region
-- accept
-- sensitivity: arg_max(name)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(*)
--       join inner on (id#2 = region)
--         filter (age > 30)
--           scan customers (id, region, age)
--         filter not(is_null(name))
--           scan regions (id#2, name)
--   answer:
--     project m = count
--       project count
--         released r1 (count)
==
# case: mode/public-texts-of-groups
# differs: values may tie, and groups where none shows through the noise have none
SELECT c.vip, MODE(r.name) AS m FROM customers c JOIN regions r ON r.id = c.region GROUP BY c.vip
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; name: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, name#2 = name: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region, vip)
--         filter not(is_null(name))
--           scan regions (id#2, name)
--   answer:
--     project vip#4 = vip#3, m = mode
--       project vip#3, mode
--         aggregate by vip#3 = vip#2: mode = arg_max(name#2, count)
--           project vip#2, name#2, count
--             filter present
--               released r1 (vip#2, name#2, count, present)
==
# case: mode/public-texts-of-groups-beside-a-count
# differs: values may tie, and groups where none shows through the noise have none
SELECT o.status, MODE(c.region) AS m, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id GROUP BY o.status
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: status: 4 values; region: from the public regions; a unit can be in 4 of them; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, status)
--   r2:
--     aggregate by status#4 = status#3, region#2 = id#5: count#2 = count(*)
--       join inner on (region = id#5)
--         join inner on (customer#2 = id#3)
--           filter not(is_null(region))
--             scan customers (id#3, region)
--           scan orders (id#4, customer#2, status#3)
--         filter not(is_null(id#5))
--           scan regions (id#5)
--   answer:
--     project status#6 = status#2, m = mode, n = count
--       project status#2, mode, count
--         join left on is_not_distinct(status#2, status#5)
--           released r1 (status#2, count)
--           aggregate by status#5 = status#4: mode = arg_max(region#2, count#2)
--             project status#4, region#2, count#2
--               filter present
--                 released r2 (status#4, region#2, count#2, present)
==
# case: mode/two-of-public-values
# differs: values may tie
SELECT MODE(l.product) AS p, MODE(p.kind) AS k FROM lines l JOIN products p ON p.id = l.product
-- accept
-- sensitivity: arg_max(product)  l0=None linf=6 groups=public  (rows per unit 6, enforced per unit (in one group); groups: product: from the public products; a unit can be in several)
-- sensitivity: arg_max(kind)  l0=None linf=6 groups=public  (rows per unit 6, enforced per unit (in one group); groups: kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id: count = count(*)
--       join inner on (id = product)
--         filter not(is_null(product))
--           scan lines (order_id, product)
--         filter not(is_null(id))
--           scan products (id)
--   r2:
--     aggregate by kind#2 = kind: count#2 = count(*)
--       join inner on (id#2 = product#3)
--         scan lines (order_id#2, product#3)
--         filter not(is_null(kind))
--           scan products (id#2, kind)
--   answer:
--     project p = count, k = count#2
--       project count, count#2
--         join inner on true
--           released r1 (count)
--           released r2 (count#2)
==
# case: mode/public-texts-used-in-a-query
# differs: values may tie
SELECT COUNT(*) AS n FROM customers WHERE region = (SELECT MODE(region) FROM customers WHERE vip)
-- accept
-- sensitivity: arg_max(region)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: region: from the public regions; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         filter (vip AND not(is_null(region)))
--           scan customers (id, region, vip)
--         filter not(is_null(id#2))
--           scan regions (id#2)
--   f1:
--     project mode(region) = count
--       project count
--         released r1 (count)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (region#3 = mode(region))
--         scan customers (id#3, region#3)
--         released f1 (mode(region))
==
# case: mode/public-values-of-private-groups
SELECT email, MODE(region) AS m FROM customers GROUP BY email
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                      ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: mode/public-values-of-units
SELECT id, MODE(region) AS m FROM customers GROUP BY id
-- reject DP404  id leads to one unit: every group would be one individual
--                                                   ^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: mode/public-and-private-in-one
SELECT MODE(r.name || c.email) AS m FROM customers c JOIN regions r ON r.id = c.region
-- reject DP303  the values of name || email are private: no public list of them is known
--          ^^^^^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, or filter it with IN (…)
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
