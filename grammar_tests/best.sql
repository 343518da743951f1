# about: ARG_MAX and ARG_MIN over groups of private rows: report-noisy-max tells the best group alone
# policy: shop
# case: best/count
# differs: groups may tie
SELECT ARG_MAX(status, n) AS best FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status)
-- accept
-- sensitivity: arg_max(status)  l0=None linf=3 groups=4  (rows per unit 3, enforced per unit (in one group); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
==
# case: best/least-sum
# differs: groups may tie, and empty ones are candidates
SELECT ARG_MIN(paid, s) AS worst FROM (SELECT paid, SUM(units) AS s FROM orders GROUP BY paid)
-- accept
-- sensitivity: arg_min(paid)  l0=None linf=27 groups=2  (rows per unit 3, enforced per unit (in one group); units in [1, 9], clamped; groups: paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid: sum = sum(units)
--       scan orders (id, customer, paid, units)
==
# case: best/of-one-row-each
# differs: groups may tie
SELECT ARG_MAX(segment, n) AS best FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment)
-- accept
-- sensitivity: arg_max(segment)  l0=None linf=1 groups=3  (rows per unit 1, proven (in one group); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
==
# case: best/public-key
# differs: groups may tie
SELECT ARG_MAX(zone, n) AS best FROM (SELECT r.zone, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region GROUP BY r.zone)
-- accept
-- sensitivity: arg_max(zone)  l0=None linf=1 groups=public  (rows per unit 1, proven (in one group); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         scan regions (id#2, zone)
==
# case: best/weighted-by-the-key
# differs: groups may tie
SELECT ARG_MAX(units, units * n) AS best FROM (SELECT units, COUNT(*) AS n FROM orders GROUP BY units)
-- accept
-- sensitivity: arg_max(units)  l0=None linf=27 groups=9  (rows per unit 3, enforced per unit (in one group); units in [1, 9], clamped; groups: units: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: sum = sum(units)
--       scan orders (id, customer, units)
==
# case: best/met-by-many
# note: a unit can be in all three groups, which may be one and the same; that it is in each once would need a key
# differs: groups may tie
SELECT ARG_MAX(day, n) AS best FROM (SELECT h.day, COUNT(*) AS n FROM customers c JOIN holidays h ON c.born < h.day GROUP BY h.day)
-- accept
-- sensitivity: arg_max(day)  l0=None linf=3 groups=public  (rows per unit 3, proven (in one group); groups: day: from the public holidays; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#2 = day: count = count(*)
--       join inner on (born < day)
--         scan customers (id, born)
--         scan holidays (day)
==
# case: best/once-in-each-group
# note: for one product a line of an order is met once by its key: two lines of three orders
# differs: groups may tie
SELECT ARG_MAX(product, product * n) AS best FROM (SELECT p.id AS product, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product GROUP BY p.id)
-- reject DP301  nothing bounds what SUM adds up
--                      ^^^^^^^
-- help: declare bounds for id in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: best/both-signs
# note: a row may lower the score
# differs: groups may tie
SELECT ARG_MAX(segment, s) AS best FROM (SELECT segment, SUM(balance) AS s FROM customers GROUP BY segment)
-- accept
-- sensitivity: arg_max(segment)  l0=None linf=5000 groups=3  (rows per unit 1, proven (in one group); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: sum = sum(balance)
--       scan customers (id, balance, segment)
==
# case: best/count-of-a-column
# differs: groups may tie
SELECT ARG_MAX(segment, n) AS best FROM (SELECT segment, COUNT(balance) AS n FROM customers GROUP BY segment)
-- accept
-- sensitivity: arg_max(segment)  l0=None linf=1 groups=3  (rows per unit 1, proven (in one group); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(balance)
--       scan customers (id, balance, segment)
==
# case: best/filtered
# differs: groups may tie
SELECT ARG_MAX(status, n) AS best FROM (SELECT status, COUNT(*) FILTER (WHERE paid) AS n FROM orders WHERE units > 1 GROUP BY status)
-- accept
-- sensitivity: arg_max(status)  l0=None linf=3 groups=4  (rows per unit 3, enforced per unit (in one group); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(case(paid then 1; else NULL))
--       filter (units > 1)
--         scan orders (id, customer, paid, status, units)
==
# case: best/average
# note: the score is no count or sum: the averages are released, and the best of them is free
# differs: groups may tie
SELECT ARG_MAX(status, a) AS best FROM (SELECT status, AVG(units) AS a FROM orders GROUP BY status)
-- accept
-- sensitivity: centred sum(units)  l0=3 l1=12 l2=12 linf=12 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle; groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(units)
--       scan orders (id, customer, status, units)
--   answer:
--     project best = arg_max
--       aggregate: arg_max = arg_max(status#3, a)
--         project status#3 = status#2, a = avg
--           project status#2, avg
--             filter present
--               released r1 (status#2, avg, present)
==
# case: best/filtered-groups
# note: HAVING reads the scores, which are released then
# differs: groups may tie
SELECT ARG_MAX(status, n) AS best FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING COUNT(*) > -1e9)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project best = arg_max
--       aggregate: arg_max = arg_max(status#3, n)
--         project status#3 = status#2, n = count
--           filter (coerce(count) > -1000000000)
--             project status#2, count
--               filter present
--                 released r1 (status#2, count, present)
==
# case: best/two-keys
# differs: groups may tie
SELECT ARG_MAX(status, n) AS best FROM (SELECT status, paid, COUNT(*) AS n FROM orders GROUP BY status, paid)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; paid: 2 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status, paid#2 = paid: count = count(*)
--       scan orders (id, customer, paid, status)
--   answer:
--     project best = arg_max
--       aggregate: arg_max = arg_max(status#3, n)
--         project status#3 = status#2, paid#3 = paid#2, n = count
--           project status#2, paid#2, count
--             filter present
--               released r1 (status#2, paid#2, count, present)
==
# case: best/per-region
# differs: groups may tie
SELECT paid, ARG_MAX(status, n) AS best FROM (SELECT status, paid, COUNT(*) AS n FROM orders GROUP BY status, paid) GROUP BY paid
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; paid: 2 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status, paid#2 = paid: count = count(*)
--       scan orders (id, customer, paid, status)
--   answer:
--     project paid#5 = paid#4, best = arg_max
--       aggregate by paid#4 = paid#3: arg_max = arg_max(status#3, n)
--         project status#3 = status#2, paid#3 = paid#2, n = count
--           project status#2, paid#2, count
--             filter present
--               released r1 (status#2, paid#2, count, present)
==
# case: best/used-in-a-query
# differs: groups may tie
SELECT COUNT(*) AS n FROM orders WHERE status = (SELECT ARG_MAX(status, n) FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status))
-- accept
-- sensitivity: arg_max(status)  l0=None linf=3 groups=4  (rows per unit 3, enforced per unit (in one group); groups: status: 4 values; a unit can be in several)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   f1:
--     project arg_max(status, n) = count
--       released r1 (count)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (status#3 = arg_max(status, n))
--         scan orders (id#2, customer#2, status#3)
--         released f1 (arg_max(status, n))
==
# case: best/of-rows
SELECT ARG_MAX(status, units) AS best FROM orders
-- reject DP204  the aggregate arg_max of private rows is not supported
--     ^^^^^^^^^^^^^^^^^^^^^
-- help: ask for the largest total: SELECT ARG_MAX(x, n) FROM (SELECT x, SUM(y) AS n … GROUP BY x)
==
# case: best/of-units
SELECT ARG_MAX(customer, n) AS best FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer)
-- reject DP204  the aggregate arg_max of private rows is not supported
--     ^^^^^^^^^^^^^^^^^^^
-- help: ask for the largest total: SELECT ARG_MAX(x, n) FROM (SELECT x, SUM(y) AS n … GROUP BY x)
==
# case: best/unlisted
SELECT ARG_MAX(total, n) AS best FROM (SELECT total, COUNT(*) AS n FROM orders GROUP BY total)
-- reject DP303  the values of total are private: no public list of its groups is known
--                                                                                      ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# policy: replace
# case: best/replace
# differs: groups may tie
SELECT ARG_MAX(ward, n) AS best FROM (SELECT ward, COUNT(*) AS n FROM stays GROUP BY ward)
-- accept
-- sensitivity: arg_max(ward)  l0=None linf=2 groups=3  (rows per unit 2, enforced per unit (in one group); groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: count = count(*)
--       scan stays (pid, ward)
==
# case: best/replace-sum
# differs: groups may tie
SELECT ARG_MIN(sex, s) AS best FROM (SELECT sex, SUM(weight) AS s FROM patients GROUP BY sex)
-- accept
-- sensitivity: arg_min(sex)  l0=None linf=150 groups=2  (rows per unit 1, proven (in one group); weight in [30, 150], clamped; groups: sex: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by sex#2 = sex: sum = sum(weight)
--       scan patients (pid, weight, sex)
