# about: FILTER (WHERE …) of an aggregate
# policy: shop
# case: filter_clause/count
SELECT COUNT(*) FILTER (WHERE paid) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: filter_clause/sum
SELECT SUM(amount) FILTER (WHERE status = 'open') AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped)
==
# case: filter_clause/avg
SELECT AVG(amount) FILTER (WHERE status = 'open') AS s FROM orders
-- accept
-- sensitivity: centred sum(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 250, the middle)
-- sensitivity: count(CASE WHEN (status = 'open') THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: filter_clause/count-of-a-column
SELECT COUNT(weight) FILTER (WHERE units > 3) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: filter_clause/same-filter-shares
# note: the average reuses the count: two measures, not three
SELECT COUNT(amount) FILTER (WHERE paid) AS n, AVG(amount) FILTER (WHERE paid) AS a FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: centred sum(CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN paid THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [0, 500], clamped; summed around 250, the middle)
==
# case: filter_clause/of-a-group
# note: three paid orders of one customer are seldom drawn: the claim is tight all the same
SELECT units, COUNT(*) FILTER (WHERE paid) AS p, COUNT(*) AS n FROM orders GROUP BY units
-- accept
-- sensitivity: p  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; a unit can be in several)
==
# case: filter_clause/null-condition-keeps-nothing
# note: n is always 0, which is not looked for
SELECT COUNT(*) FILTER (WHERE NULL) AS n, COUNT(*) FILTER (WHERE paid IS NULL) AS m FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: filter_clause/narrowed-by-its-condition
# note: where the condition holds, amounts are above 400; elsewhere NULL is added, which is nothing
SELECT SUM(amount) FILTER (WHERE amount > 400) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); CASE WHEN (amount > CAST(400.00 AS DECIMAL(10, 2))) THEN amount ELSE CAST(NULL AS DECIMAL(10, 2)) END in [400, 500], clamped)
==
# case: filter_clause/having
SELECT segment FROM customers GROUP BY segment HAVING COUNT(*) FILTER (WHERE vip) > 1
-- accept
-- sensitivity: count(CASE WHEN vip THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
==
# case: filter_clause/count-if-with-filter
SELECT COUNT_IF(paid) FILTER (WHERE units > 2) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
==
# case: filter_clause/count-distinct-per-unit
SELECT SUM(d) AS s FROM (SELECT customer, COUNT(DISTINCT status) FILTER (WHERE paid) AS d FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); count in [0, 3], clamped)
==
# case: filter_clause/per-unit
SELECT AVG(s) AS a FROM (SELECT customer, SUM(amount) FILTER (WHERE paid) AS s FROM orders GROUP BY customer) x
-- accept
-- sensitivity: centred sum(sum)  l0=1 l1=750 l2=750 linf=750 groups=1  (rows per unit 1, proven (one group per unit); sum in [0, 1500], clamped; summed around 750, the middle)
-- sensitivity: count(sum)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
==
# case: filter_clause/subquery-in-it
SELECT COUNT(*) FILTER (WHERE region IN (SELECT id FROM regions WHERE zone = 'north')) AS n FROM customers
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: filter_clause/aggregate-in-it
SELECT SUM(amount) FILTER (WHERE COUNT(*) > 1) AS s FROM orders
-- reject DP207  an aggregate cannot stand in FILTER
--                               ^^^^^^^^^^^^
==
# case: filter_clause/no-condition
SELECT SUM(amount) FILTER (WHERE amount) AS s FROM orders
-- reject DP205  needs a condition, not DECIMAL(10,2)
--                               ^^^^^^
==
# case: filter_clause/no-aggregate
SELECT ABS(amount) FILTER (WHERE paid) AS s FROM orders
-- reject DP207  FILTER belongs to an aggregate, which cannot stand here
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: filter_clause/of-released-rows
# differs: groups without rows are groups here
SELECT SUM(n) FILTER (WHERE segment <> 'home') AS s FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
