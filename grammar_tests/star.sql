# about: * in the select list: EXCLUDE, REPLACE, of subqueries and releases
# policy: shop
# case: star/of-a-subquery
SELECT COUNT(*) AS n FROM (SELECT * FROM orders) o WHERE amount > 10
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (amount > 10)
--         scan orders (id, customer, amount)
==
# case: star/exclude
SELECT SUM(amount) AS s FROM (SELECT * EXCLUDE (day, placed) FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       scan orders (id, customer, amount)
==
# case: star/exclude-the-unit
# note: the unit is hidden, and still counted by
SELECT COUNT(*) AS n FROM (SELECT * EXCLUDE (id) FROM customers) c
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
==
# case: star/excluded-is-gone
SELECT SUM(amount) AS s FROM (SELECT * EXCLUDE (amount) FROM orders) o
-- reject DP202  no column amount
--         ^^^^^^
==
# case: star/replace
# note: what replaces the amount has other bounds
SELECT SUM(amount) AS s FROM (SELECT * REPLACE (LEAST(amount, 20) AS amount) FROM orders) o
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LEAST(amount, CAST(20.00 AS DECIMAL(12, 2))) in [0, 20], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(least(coerce(amount), 20))
--       scan orders (id, customer, amount)
==
# case: star/replace-the-unit
SELECT COUNT(*) AS n FROM (SELECT * REPLACE (1 AS customer) FROM orders) o
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: star/qualified
# note: three open orders of one customer are seldom drawn: the claim is tight all the same
SELECT COUNT(*) AS n FROM (SELECT o.* FROM customers c JOIN orders o ON o.customer = c.id) x WHERE status = 'open'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         scan customers (id)
--         filter (status = 'open')
--           scan orders (id#2, customer, status)
==
# case: star/two-tables
SELECT COUNT(*) AS n FROM (SELECT c.*, o.amount FROM customers c JOIN orders o ON o.customer = c.id) x WHERE vip AND amount > 5
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id)
--         filter vip
--           scan customers (id, vip)
--         filter (amount > 5)
--           scan orders (id#2, customer, amount)
==
# case: star/using
SELECT COUNT(*) AS n FROM (SELECT * FROM (SELECT customer, amount FROM orders) a JOIN (SELECT id AS customer, vip FROM customers) b USING (customer)) x WHERE vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = id#2)
--         scan orders (id, customer)
--         filter vip
--           scan customers (id#2, vip)
==
# case: star/released
SELECT * FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x ORDER BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     sort segment#4 asc nulls last
--       project segment#4 = segment#3, n#2 = n
--         project segment#3 = segment#2, n = count
--           released r1 (segment#2, count)
==
# case: star/released-exclude
SELECT * EXCLUDE (segment) FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project n#2 = n
--       project segment#3 = segment#2, n = count
--         released r1 (segment#2, count)
==
# case: star/from-first
FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#4 = segment#3, n#2 = n
--       project segment#3 = segment#2, n = count
--         released r1 (segment#2, count)
==
# case: star/individuals
SELECT * FROM customers
-- reject DP401  the query returns rows of individuals
--     ^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: star/exclude-unknown
SELECT * EXCLUDE (amuont) FROM orders
-- reject DP202  the star has no column amuont
--     ^^^^^^^^^^^^^^^^^
-- help: did you mean amount?
==
# case: star/unknown-table
SELECT x.* FROM orders
-- reject DP201  no table x in this FROM
--     ^^^
==
# case: star/ambiguous-after
SELECT COUNT(*) AS n FROM (SELECT * FROM customers c JOIN orders o ON o.customer = c.id) x WHERE x.id > 1
-- reject DP203  id could be more than one column
--                                                                                               ^^^^
-- help: name them apart in x, with AS
==
# case: star/exclude-everything
SELECT * EXCLUDE (a) FROM (SELECT COUNT(*) AS a FROM orders) x
-- reject DP202  the star stands for no column
--     ^^^^^^^^^^^^
