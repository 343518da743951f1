# about: Rows that belong to units of two kinds, and queries whose rows belong to one
# policy: two
# case: two_kinds/one-kind
SELECT COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per buyer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, buyer)
==
# case: two_kinds/one-kind-of-the-others
SELECT AVG(price) AS p FROM offers
-- accept
-- sensitivity: sum(price)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 4, enforced per unit (4 rows of offers per seller); price in [0, 50], clamped; summed around 0, the least; a row adds 50 to sum(price) and sum(price - 50) together)
-- sensitivity: sum(price - 50)  l0=1 l1=200 l2=200 linf=200 groups=1  (rows per unit 4, enforced per unit (4 rows of offers per seller); price in [0, 50], clamped; summed around 50, the greatest; a row adds 50 to sum(price) and sum(price - 50) together)
-- plan:
--   r1:
--     aggregate: avg = avg(price)
--       scan offers (seller, price)
==
# case: two_kinds/count
# differs: units that are too heavy are truncated
SELECT COUNT(*) AS n FROM lines
-- accept
-- sensitivity: n  clip=adaptive groups=1  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan lines (order_id, seller)
==
# case: two_kinds/count-of-what-is-known
# differs: units that are too heavy are truncated
SELECT COUNT(note) AS n FROM lines
-- accept
-- sensitivity: n  clip=adaptive groups=1  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says)
-- plan:
--   r1:
--     aggregate: count = count(note)
--       scan lines (order_id, seller, note)
==
# case: two_kinds/sum-of-both-signs
# differs: units that are too heavy are truncated
SELECT SUM(amount) AS s FROM lines WHERE kind = 'a'
-- accept
-- sensitivity: s  clip=adaptive groups=1  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says)
-- plan:
--   r1:
--     aggregate: sum = sum(amount)
--       filter (kind = 'a')
--         scan lines (order_id, seller, amount, kind)
==
# case: two_kinds/all-tables-joined
# differs: units that are too heavy are truncated
SELECT COUNT(*) AS n, SUM(l.amount) AS s
FROM buyers b JOIN orders o ON o.buyer = b.id JOIN lines l ON l.order_id = o.id
JOIN sellers s ON s.id = l.seller WHERE b.area = s.area
-- accept
-- sensitivity: n  clip=adaptive groups=1  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says)
-- sensitivity: s  clip=adaptive groups=1  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       join inner on ((id#3 = seller) AND (area#2 = area#4))
--         join inner on (order_id = id#2)
--           join inner on (buyer = id)
--             project id, area#2 = cut(area, 2)
--               scan buyers (id, area)
--             scan orders (id#2, buyer)
--           scan lines (order_id, seller, amount)
--         project id#3, area#4 = cut(area#3, 2)
--           scan sellers (id#3, area#3)
==
# case: two_kinds/listed-key
# differs: units that are too heavy are truncated
SELECT kind, COUNT(*) AS n FROM lines GROUP BY kind
-- accept
-- sensitivity: n  clip=adaptive groups=2  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says; groups: kind: 2 values; one unit is in 2 of them at most)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*)
--       scan lines (order_id, seller, kind)
==
# case: two_kinds/key-of-one-kind
# differs: units that are too heavy are truncated
SELECT s.area, COUNT(*) AS n FROM lines l JOIN sellers s ON s.id = l.seller GROUP BY s.area
-- accept
-- sensitivity: n  clip=adaptive groups=2  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says; groups: area: 2 values; one unit is in 2 of them at most)
-- plan:
--   r1:
--     aggregate by area#3 = area#2: count = count(*)
--       join inner on (id = seller)
--         scan lines (order_id, seller)
--         project id, area#2 = cut(area, 2)
--           scan sellers (id, area)
==
# case: two_kinds/key-of-both-kinds
# differs: units that are too heavy are truncated
SELECT s.area, COUNT(*) AS n FROM lines l JOIN sellers s ON s.id = l.seller
JOIN orders o ON o.id = l.order_id JOIN buyers b ON b.id = o.buyer AND b.area = s.area
GROUP BY s.area
-- accept
-- sensitivity: n  clip=adaptive groups=2  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says; groups: area: 2 values; one unit is in 1 of them at most)
-- plan:
--   r1:
--     aggregate by area#5 = area#2: count = count(*)
--       join inner on ((id#3 = buyer) AND (area#4 = area#2))
--         join inner on (id#2 = order_id)
--           join inner on (id = seller)
--             scan lines (order_id, seller)
--             project id, area#2 = cut(area, 2)
--               scan sellers (id, area)
--           scan orders (id#2, buyer)
--         project id#3, area#4 = cut(area#3, 2)
--           scan buyers (id#3, area#3)
==
# case: two_kinds/releases-of-each-kind
SELECT (SELECT COUNT(*) FROM orders) - (SELECT COUNT(*) FROM offers) AS n
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per buyer))
-- sensitivity: count(*)  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit (4 rows of offers per seller))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan orders (id, buyer)
--   r2:
--     aggregate: count#2 = count(*)
--       scan offers (seller)
--   answer:
--     project n = (coerce(count(*)#2) - coerce(count(*)#4))
--       project count(*)#2, count(*)#4 = count(*)#3
--         join inner on true
--           project count(*)#2 = count(*)
--             join inner on true
--               one row
--               project count(*) = count
--                 released r1 (count)
--           project count(*)#3 = count#2
--             released r2 (count#2)
==
# case: two_kinds/with
# differs: units that are too heavy are truncated
WITH paid AS (SELECT l.* FROM lines l JOIN orders o ON o.id = l.order_id WHERE o.paid)
SELECT COUNT(*) AS n FROM paid
-- accept
-- sensitivity: n  clip=adaptive groups=1  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says)
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id = order_id)
--         scan lines (order_id, seller)
--         filter paid
--           scan orders (id, buyer, paid)
==
# case: two_kinds/average
SELECT AVG(amount) FROM lines
-- reject DP407  AVG of rows of two kinds of unit is not supported
--     ^^^^^^^^^^
-- help: use COUNT and SUM; an average is SUM(x) / COUNT(x)
==
# case: two_kinds/distinct
SELECT COUNT(DISTINCT seller) FROM lines
-- reject DP407  COUNT(DISTINCT …) of rows of two kinds of unit is not supported
--     ^^^^^^^^^^^^^^^^^^^^^
-- help: use COUNT and SUM; an average is SUM(x) / COUNT(x)
==
# case: two_kinds/median
SELECT MEDIAN(amount) FROM lines
-- reject DP407  MEDIAN of rows of two kinds of unit is not supported
--     ^^^^^^^^^^^^^
-- help: use COUNT and SUM; an average is SUM(x) / COUNT(x)
==
# case: two_kinds/has-a-match
SELECT COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.order_id = o.id)
-- reject DP407  whether private rows have a match, or exist, is asked of rows of several kinds of unit
--                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use an inner join: JOIN … ON …
==
# case: two_kinds/anti
SELECT COUNT(*) FROM sellers WHERE id NOT IN (SELECT seller FROM lines)
-- reject DP407  whether private rows have a match, or exist, is asked of rows of several kinds of unit
--                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use an inner join: JOIN … ON …
==
# case: two_kinds/outer
SELECT COUNT(*) FROM orders o LEFT JOIN lines l ON l.order_id = o.id
-- reject DP407  whether private rows have a match, or exist, is asked of rows of several kinds of unit
--                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use an inner join: JOIN … ON …
==
# case: two_kinds/across-units
SELECT COUNT(*) FROM lines a JOIN lines b ON a.order_id = b.order_id
-- reject DP402  the joined rows could belong to two different units
--                                ^^^^^^^
-- help: join on the unit: a.seller = b.seller
==
# case: two_kinds/no-condition-between-kinds
SELECT COUNT(*) FROM buyers b JOIN sellers s ON b.area = s.area
-- reject DP403  one private row could meet any number of rows of sellers
--                                 ^^^^^^^^^
-- help: join on its key, s.id
==
# case: two_kinds/key-from-a-hidden-table
SELECT s.id, COUNT(*) FROM lines l JOIN sellers s ON s.id = l.seller GROUP BY s.id
-- reject DP303  the values of id are private: no public list of its groups is known
--                                                                            ^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: two_kinds/key-from-a-public-table
# differs: units that are too heavy are truncated
SELECT t.region, COUNT(*) FROM lines l JOIN sellers s ON s.id = l.seller JOIN towns t ON t.name = s.town
GROUP BY t.region
-- accept
-- sensitivity: count(*)  clip=adaptive groups=public  (rows of two kinds of unit, buyers.id and sellers.id: their sum is truncated where the data says; groups: region: from the public towns; one unit is in all of them at most)
-- plan:
--   r1:
--     aggregate by region#2 = region: count = count(*)
--       join inner on (name = town)
--         join inner on (id = seller)
--           scan lines (order_id, seller)
--           filter coalesce((strlen(town) <= 40000), true)
--             scan sellers (id, town)
--         scan towns (name, region)
==
# case: two_kinds/first-per-unit
SELECT AVG(n) FROM (SELECT order_id, COUNT(*) AS n FROM lines GROUP BY order_id)
-- reject DP404  order_id leads to one unit: every group would be one individual
--                                                                     ^^^^^^^^
-- help: group by something that many units share
==
# case: two_kinds/union
SELECT COUNT(*) FROM (SELECT seller FROM lines UNION ALL SELECT seller FROM offers)
-- reject DP407  private rows of several kinds of unit below an aggregate: union
--                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate joined and filtered rows of tables, without subqueries that aggregate
==
# case: two_kinds/released-again
SELECT COUNT(*) FROM lines, (SELECT COUNT(*) AS n FROM orders) AS o WHERE amount < n
-- reject DP407  noisy answers are joined with rows of several kinds of unit
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: ask for them in a query of their own
==
# case: two_kinds/rows-of-individuals
SELECT seller FROM lines
-- reject DP401  the query returns rows of individuals
--     ^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: two_kinds/count-over-a-domain
SELECT COUNT(*) AS n FROM (SELECT kind FROM lines GROUP BY kind) k
-- reject DP405  which values occur is private: this would count all that the policy lists
--     ^^^^^^^
-- help: aggregate the rows themselves
