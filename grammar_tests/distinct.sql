# about: SELECT DISTINCT and COUNT(DISTINCT x): over public domains, and within a unit
# policy: shop
# case: distinct/unit-inside
SELECT COUNT(*) AS n FROM (SELECT DISTINCT customer, status FROM orders) d
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#2 = customer, status#2 = status
--         scan orders (id, customer, status)
==
# case: distinct/unit-alone
# note: one row a customer, though 3 orders lead to it
SELECT COUNT(*) AS n FROM (SELECT DISTINCT customer FROM orders) d
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#2 = customer
--         scan orders (id, customer)
==
# case: distinct/leads-to-the-unit
# note: the orders of a customer, not the lines
SELECT COUNT(*) AS n FROM (SELECT DISTINCT order_id FROM lines) d
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by order_id#2 = order_id
--         scan lines (order_id)
==
# case: distinct/unit-and-value
SELECT SUM(units) AS s FROM (SELECT DISTINCT customer, units FROM orders) d
-- accept
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(units#2)
--       aggregate per unit by customer#2 = customer, units#2 = units
--         scan orders (id, customer, units)
==
# case: distinct/per-customer-attribute
SELECT segment, COUNT(*) AS n FROM (SELECT DISTINCT c.id, c.segment FROM customers c JOIN orders o ON o.customer = c.id) d GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#4 = segment#3: count = count(*)
--       aggregate per unit by id#3 = id, segment#3 = segment#2
--         join inner on (customer = id)
--           project id, segment#2 = cut(segment, 7)
--             scan customers (id, segment)
--           scan orders (id#2, customer)
==
# case: distinct/with-public-column
# note: six kinds of one customer need six products: they are seldom drawn
SELECT kind, COUNT(*) AS n FROM (SELECT DISTINCT o.customer, p.kind FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON l.product = p.id) d GROUP BY kind
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (at most 6 groups per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer)); groups: kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#3 = kind#2: count = count(*)
--       aggregate per unit by customer#2 = customer, kind#2 = kind
--         join inner on (product = id#2)
--           join inner on (order_id = id)
--             scan orders (id, customer)
--             scan lines (order_id, product)
--           scan products (id#2, kind)
==
# case: distinct/star
SELECT COUNT(*) AS n FROM (SELECT DISTINCT * FROM orders) d
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by id#2 = id, customer#2 = customer, day#2 = day, placed#2 = placed, amount#2 = amount, weight#2 = weight, paid#2 = paid, status#2 = status, units#2 = units, code#2 = code, total#2 = total, rate#2 = rate
--         scan orders (id, customer, day, placed, amount, weight, paid, status, units, code, total, rate)
==
# case: distinct/over-declared-values
SELECT DISTINCT segment FROM customers
-- accept
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   answer:
--     released r1 (segment#2)
==
# case: distinct/over-public-keys
SELECT DISTINCT r.name FROM customers c JOIN regions r ON c.region = r.id
-- accept
-- plan:
--   r1:
--     aggregate by name#2 = name
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name)
--   answer:
--     released r1 (name#2)
==
# case: distinct/product-of-domains
SELECT DISTINCT vip, level FROM customers ORDER BY vip, level
-- accept
-- plan:
--   r1:
--     aggregate by vip#2 = vip, level#2 = level
--       scan customers (id, vip, level)
--   answer:
--     sort vip#2 asc nulls last, level#2 asc nulls last
--       released r1 (vip#2, level#2)
==
# case: distinct/without-domain
SELECT DISTINCT email FROM customers
-- reject DP303  the values of email are private: no public list of its groups is known
--              ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: distinct/of-the-unit
SELECT DISTINCT id FROM customers
-- reject DP401  the query returns rows of individuals
--              ^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: distinct/count-over-a-domain
SELECT COUNT(*) AS n FROM (SELECT DISTINCT segment FROM customers) d
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of segment at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct segment)
--       scan customers (id, segment)
==
# case: distinct/count-distinct
SELECT COUNT(DISTINCT segment) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a unit has one value of segment at most)
-- plan:
--   r1:
--     aggregate: count = count(distinct segment)
--       scan customers (id, segment)
==
# case: distinct/distinct-on
SELECT DISTINCT ON (segment) segment, age FROM customers
-- reject DP405  DISTINCT ON without ORDER BY: which row it keeps depends on chance
--                  ^^^^^^^
-- help: add ORDER BY
==
# case: distinct/of-released
SELECT DISTINCT COUNT(*) > 1 AS many, vip FROM customers GROUP BY vip, level ORDER BY ALL
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; level: 4 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, level#2 = level: count = count(*)
--       scan customers (id, vip, level)
--   answer:
--     sort many#2 asc nulls last, vip#4 asc nulls last
--       aggregate by many#2 = many, vip#4 = vip#3
--         project many = (count > 1), vip#3 = vip#2
--           project vip#2, level#2, count
--             filter present
--               released r1 (vip#2, level#2, count, present)
==
# case: distinct/distinct-and-limit
SELECT DISTINCT segment FROM customers ORDER BY segment LIMIT 2
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment
--       scan customers (id, segment)
--   answer:
--     limit 2 offset 0
--       sort segment#2 asc nulls last
--         project segment#2
--           filter present
--             released r1 (segment#2, present)
==
# case: distinct/distinct-of-distinct
SELECT COUNT(*) AS n FROM (SELECT DISTINCT customer FROM (SELECT DISTINCT customer, status FROM orders) a) b
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       aggregate per unit by customer#3 = customer#2
--         aggregate per unit by customer#2 = customer, status#2 = status
--           scan orders (id, customer, status)
==
# case: distinct/null-is-one-value
SELECT COUNT(*) AS n, COUNT(status) AS known FROM (SELECT DISTINCT customer, status FROM orders) d
-- accept
-- sensitivity: known  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); a row adds 1 to all 2 weights together)
-- sensitivity: rows without status  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(status#2)
--       aggregate per unit by customer#2 = customer, status#2 = status
--         scan orders (id, customer, status)
==
# case: distinct/on-the-unit
SELECT status, COUNT(*) AS n FROM (SELECT DISTINCT ON (customer) customer, status FROM orders ORDER BY customer, day, id) AS first GROUP BY status
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (no two rows with the same customer, row_number); groups: status: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by status#3 = status#2: count = count(*)
--       filter (row_number#2 = 1)
--         project customer#2, status#2, order, order#2, row_number#2 = row_number
--           window row_number = row_number() over (partition customer#2; order customer#2 asc nulls last, order asc nulls last, order#2 asc nulls last, status#2 asc nulls last)
--             project customer#2 = customer, status#2 = status, order = day, order#2 = id
--               scan orders (id, customer, day, status)
==
# case: distinct/on-within-the-unit
SELECT status, SUM(amount) AS s FROM (SELECT DISTINCT ON (customer, o.status) status, amount FROM orders o ORDER BY day DESC NULLS LAST, id) AS last GROUP BY status
-- accept
-- sensitivity: s  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#3 = status#2: sum = sum(amount#2)
--       filter (row_number#2 = 1)
--         project status#2, amount#2, order, order#2, order#3, row_number#2 = row_number
--           window row_number = row_number() over (partition order#3, status#2; order order desc nulls last, order#2 asc nulls last, status#2 asc nulls last, amount#2 asc nulls last, order#3 asc nulls last)
--             project status#2 = status, amount#2 = amount, order = day, order#2 = id, order#3 = customer
--               scan orders (id, customer, day, amount, status)
==
# case: distinct/on-by-position
SELECT COUNT(*) AS n FROM (SELECT DISTINCT ON (1) customer AS c, paid FROM orders ORDER BY 1, amount, id) AS t WHERE paid
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same c, row_number))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((row_number#2 = 1) AND paid#2)
--         project c, paid#2, order, order#2, row_number#2 = row_number
--           window row_number = row_number() over (partition c; order c asc nulls last, order asc nulls last, order#2 asc nulls last, paid#2 asc nulls last)
--             project c = customer, paid#2 = paid, order = amount, order#2 = id
--               scan orders (id, customer, amount, paid)
==
# case: distinct/on-rows-of-several-units
SELECT COUNT(*) AS n FROM (SELECT DISTINCT ON (status) customer, status FROM orders ORDER BY day, id) AS t
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                             ^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it; for a quantile write QUANTILE_DISC(x, 0.25) or MEDIAN(x)
==
# case: distinct/on-released
SELECT DISTINCT ON (status) status, paid, COUNT(*) AS n FROM orders GROUP BY status, paid ORDER BY status, n DESC
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; paid: 2 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status, paid#2 = paid: count = count(*)
--       scan orders (id, customer, paid, status)
--   answer:
--     project status#4 = status#3, paid#4 = paid#3, n#2 = n
--       sort status#3 asc nulls last, n desc nulls last
--         filter (row_number = 1)
--           window row_number = row_number() over (partition status#3; order status#3 asc nulls last, n desc nulls last)
--             project status#3 = status#2, paid#3 = paid#2, n = count
--               project status#2, paid#2, count
--                 filter present
--                   released r1 (status#2, paid#2, count, present)
