# about: ROLLUP, CUBE, GROUPING SETS, and GROUPING()
# policy: shop
# case: grouping_sets/rollup
# note: the totals are added up from the groups: free
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
==
# case: grouping_sets/cube
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
==
# case: grouping_sets/sets-apart
# note: no set lies in the other: each is a release of its own, at half of the ε
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (vip))
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
==
# case: grouping_sets/sets-nested
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (segment, vip), ())
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
==
# case: grouping_sets/grand-total-alone
SELECT COUNT(*) AS n FROM customers GROUP BY GROUPING SETS (())
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: grouping_sets/grouping-function
SELECT segment, vip, GROUPING(segment, vip) AS g, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
==
# case: grouping_sets/null-key-and-total
# note: NULL is a value of status, and what the total has; GROUPING tells them apart
SELECT status, GROUPING(status) AS g, COUNT(*) AS n FROM orders GROUP BY ROLLUP (status)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
==
# case: grouping_sets/average
SELECT segment, AVG(balance) AS a FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
==
# case: grouping_sets/sum-and-average
SELECT status, SUM(amount) AS s, AVG(amount) AS a, COUNT(amount) AS n FROM orders GROUP BY ROLLUP (status)
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 0, the least; groups: status: 4 values; a unit can be in several; a row adds 500 to sum(amount) and sum(amount - 500) together)
-- sensitivity: sum(amount - 500)  l0=3 l1=1500 l2=1500 linf=1500 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; summed around 500, the greatest; groups: status: 4 values; a unit can be in several; a row adds 500 to sum(amount) and sum(amount - 500) together)
==
# case: grouping_sets/product-of-sets
# note: NULL of an ENUM in the coarser sets
SELECT segment, vip, level, COUNT(*) AS n FROM customers GROUP BY segment, ROLLUP (vip, level)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=24  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; level: 4 values; a unit is in one group)
==
# case: grouping_sets/two-rollups
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment), ROLLUP (vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
==
# case: grouping_sets/same-set-twice
SELECT segment, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (segment))
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: grouping_sets/rollup-of-pairs
SELECT YEAR(day) AS y, QUARTER(day) AS q, MONTH(day) AS m, COUNT(*) AS n FROM orders GROUP BY ROLLUP (y, (q, m))
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=48  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 1 values; key: 4 values; key: 12 values; a unit can be in several)
==
# case: grouping_sets/public-key
# differs: a region without customers is a group too
SELECT r.name, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY ROLLUP (r.name)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
==
# case: grouping_sets/per-unit-sets
# note: the totals' range is taken for every row, and as a sum over the finer groups
SELECT SUM(n) AS s FROM (SELECT customer, status, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((customer, status), (customer))) x
-- accept
-- sensitivity: s  l0=1 l1=36 l2=36 linf=36 groups=1  (rows per unit 4, enforced per unit ((at most 3 groups per unit (3 rows of orders per customer)) plus (one group per unit)); count in [1, 9], clamped)
==
# case: grouping_sets/set-without-the-unit
SELECT SUM(n) AS s FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY ROLLUP (customer)) x
-- reject DP402  rows of a public table among private ones belong to no unit
--                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: grouping_sets/having-and-order
SELECT segment, vip, COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip) HAVING GROUPING(vip) = 1 ORDER BY n DESC
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group)
==
# case: grouping_sets/with-a-window
# differs: every group of the domain counts for the share
SELECT segment, COUNT(*) / MAX(COUNT(*)) OVER () AS part FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: grouping_sets/filtered-aggregate
SELECT segment, COUNT(*) FILTER (WHERE vip) AS v FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: count(CASE WHEN vip THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: grouping_sets/minimum
SELECT segment, MIN(age) AS a FROM customers GROUP BY ROLLUP (segment)
-- accept
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); 82 points)
-- sensitivity: quantiles(age)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); 82 points)
==
# case: grouping_sets/unit-in-a-set
SELECT segment, id, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (id))
-- reject DP401  the query returns rows of individuals
--     ^^^^^^^^^^^^^^^^^^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: grouping_sets/no-domain-in-a-set
SELECT segment, email, COUNT(*) AS n FROM customers GROUP BY GROUPING SETS ((segment), (email))
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                                                      ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: grouping_sets/grouping-of-no-key
SELECT segment, GROUPING(vip) AS g, COUNT(*) AS n FROM customers GROUP BY ROLLUP (segment)
-- reject DP208  vip is neither grouped nor aggregated
--                       ^^^
-- help: add vip to GROUP BY, or aggregate it
==
# case: grouping_sets/too-many-sets
SELECT COUNT(*) AS n FROM customers GROUP BY CUBE (segment, vip, level, age, region, born, email)
-- reject DP103  more than 64 grouping sets
--                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
