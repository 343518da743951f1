# about: WITH: names for subqueries, their scope and columns
# policy: shop
# case: cte/filter
WITH paid AS (SELECT * FROM orders WHERE paid) SELECT COUNT(*) AS n FROM paid
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter paid
--         scan orders (id, customer, paid)
==
# case: cte/chain
# note: three paid orders of one customer at the filter's end are seldom drawn: the claim is tight all the same
WITH a AS (SELECT customer, amount FROM orders WHERE paid), b AS (SELECT amount FROM a WHERE amount < 100) SELECT SUM(amount) AS s FROM b
-- accept
-- sensitivity: s  l0=1 l1=300 l2=300 linf=300 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (paid AND (amount < 100))
--         scan orders (id, customer, amount, paid)
==
# case: cte/twice
WITH big AS (SELECT * FROM orders WHERE amount > 100) SELECT COUNT(*) AS n FROM big a JOIN big b ON a.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (customer = customer#2)
--         filter ((number_up_to_3 <= 3) AND (amount > 100))
--           project id, customer, amount, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, amount asc nulls last)
--               scan orders (id, customer, amount)
--         filter ((number_up_to_3#2 <= 3) AND (amount#2 > 100))
--           project id#2, customer#2, amount#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, amount#2 asc nulls last)
--               scan orders (id#2, customer#2, amount#2)
==
# case: cte/shadows-a-table
WITH regions AS (SELECT id, amount AS name FROM orders) SELECT COUNT(*) AS n FROM regions
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, customer)
==
# case: cte/named-as-private
WITH orders AS (SELECT * FROM regions) SELECT COUNT(*) AS n FROM orders
-- exact
==
# case: cte/column-names
WITH o (a, b) AS (SELECT day, amount FROM orders) SELECT SUM(b) AS s FROM o WHERE a < '2024-07-01'
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (day < 2024-07-01)
--         scan orders (id, customer, day, amount)
==
# case: cte/released
WITH t AS (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) SELECT segment, n FROM t WHERE n > 1 ORDER BY n
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     sort n#3 asc nulls last
--       project segment#5 = segment#4, n#3 = n#2
--         filter (n#2 > 1)
--           project segment#4 = segment#3, n#2 = n
--             project segment#3 = segment#2, n = count
--               released r1 (segment#2, count)
==
# case: cte/public-joined
WITH north AS (SELECT id FROM regions WHERE zone = 'north') SELECT COUNT(*) AS n FROM customers c JOIN north ON c.region = north.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         filter (zone = 'north')
--           scan regions (id#2, zone)
==
# case: cte/recursive
WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 9) SELECT COUNT(*) AS n FROM r, orders
-- reject DP104  WITH RECURSIVE is not supported: it need not end
--             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: cte/same-name-twice
WITH a AS (SELECT * FROM orders), a AS (SELECT * FROM lines) SELECT COUNT(*) AS n FROM a
-- reject DP203  two WITH queries are called a
--                                ^
==
# case: cte/forward-reference
WITH a AS (SELECT * FROM b), b AS (SELECT * FROM orders) SELECT COUNT(*) AS n FROM a
-- reject DP201  no table b
--                       ^
