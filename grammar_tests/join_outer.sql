# about: LEFT, RIGHT and FULL joins
# policy: shop
# case: join_outer/left-condition-on-the-preserved-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id AND c.vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
==
# case: join_outer/left-where-on-the-preserved-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id WHERE c.vip
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
==
# case: join_outer/left-condition-on-the-other-side
SELECT COUNT(*) AS n, COUNT(o.id) AS matched FROM customers c LEFT JOIN orders o ON o.customer = c.id AND o.paid
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- sensitivity: matched  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
==
# case: join_outer/left-where-on-the-other-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id WHERE o.paid
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
==
# case: join_outer/left-without-a-match
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id WHERE o.id IS NULL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (no two rows with the same id, id))
==
# case: join_outer/left-sum
SELECT SUM(o.amount) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=1500 l2=1500 linf=1500 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped)
==
# case: join_outer/left-sum-of-coalesce
SELECT SUM(COALESCE(o.units, 20)) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: s  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); COALESCE(units, 20) in [1, 20], clamped)
==
# case: join_outer/left-on-a-key
SELECT COUNT(*) AS n, COUNT(l.order_id) AS matched FROM orders o LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- sensitivity: matched  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: join_outer/left-up-the-path
SELECT COUNT(*) AS n, COUNT(o.id) AS matched FROM lines l LEFT JOIN orders o ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer))
-- sensitivity: matched  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer))
==
# case: join_outer/right
SELECT COUNT(*) AS n, COUNT(o.id) AS matched FROM orders o RIGHT JOIN customers c ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- sensitivity: matched  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
==
# case: join_outer/right-then-left
SELECT COUNT(*) AS n, SUM(l.quantity) AS q FROM orders o RIGHT JOIN customers c ON o.customer = c.id LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- sensitivity: q  l0=1 l1=60 l2=60 linf=60 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped)
==
# case: join_outer/chain
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: join_outer/chain-of-two-branches
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders a ON a.customer = c.id LEFT JOIN orders b ON b.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (id is the key of customers; no two rows with the same customer, number_up_to_3; no two rows with the same customer, number_up_to_3))
==
# case: join_outer/chain-in-parentheses
SELECT COUNT(*) AS n, COUNT(l.quantity) AS q FROM customers c LEFT JOIN (orders o JOIN lines l ON l.order_id = o.id) ON o.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- sensitivity: q  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: join_outer/inner-through-the-extended-side
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: join_outer/extended-unit-on-itself
SELECT COUNT(*) AS n FROM lines l LEFT JOIN orders o ON l.order_id = o.id AND o.paid JOIN customers c ON c.id = o.customer
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers))
==
# case: join_outer/left-public-by-key
SELECT COUNT(*) AS n, COUNT(r.id) AS known FROM customers c LEFT JOIN regions r ON c.region = r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: known  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: join_outer/left-public-fan-out
SELECT COUNT(*) AS n FROM lines l LEFT JOIN tags t ON t.product = l.product
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
==
# case: join_outer/left-public-rows
SELECT COUNT(*) AS n FROM orders o LEFT JOIN holidays h ON o.day >= h.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table))
==
# case: join_outer/left-public-without-rows
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT * FROM holidays LIMIT 0) h ON TRUE
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: join_outer/public-left
SELECT r.name, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
==
# case: join_outer/public-left-count-of-rows
# differs: a public row without a match is no private row; its group counts 0, not 1
SELECT r.name, COUNT(*) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
==
# case: join_outer/public-left-condition-on-the-public-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id AND r.zone = 'north' GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
==
# case: join_outer/public-left-where-on-the-public-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE r.zone = 'north' GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
==
# case: join_outer/public-left-condition-on-the-private-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id AND c.vip GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
==
# case: join_outer/public-left-where-on-the-private-side
SELECT r.id, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id WHERE c.vip GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
==
# case: join_outer/public-right
SELECT p.kind, SUM(l.quantity) AS q FROM lines l RIGHT JOIN products p ON l.product = p.id GROUP BY p.kind
-- accept
-- sensitivity: q  l0=6 l1=60 l2=60 linf=60 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; groups: kind: from the public products; a unit can be in several)
==
# case: join_outer/public-left-chain
SELECT r.id, COUNT(o.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id LEFT JOIN orders o ON o.customer = c.id GROUP BY r.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: id: from the public regions; a unit is in one group)
==
# case: join_outer/public-left-unbounded-groups-of-one
SELECT h.name, COUNT(o.id) AS n FROM holidays h LEFT JOIN orders o ON o.day < h.day GROUP BY h.name
-- accept
-- sensitivity: n  l0=9 l1=9 l2=9 linf=9 groups=public  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); groups: name: from the public holidays; a unit can be in several)
==
# case: join_outer/full-public
SELECT r.name, COUNT(c.id) AS n FROM customers c FULL JOIN regions r ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
==
# case: join_outer/full-public-first
SELECT r.name, COUNT(c.id) AS n FROM regions r FULL JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
==
# case: join_outer/full-on-a-key
SELECT COUNT(*) AS n, COUNT(o.id) AS o, COUNT(l.order_id) AS l FROM orders o FULL JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)))
-- sensitivity: o  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)))
-- sensitivity: l  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: join_outer/full-condition-that-no-row-meets
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.id = b.id AND FALSE
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: join_outer/full-self-on-unit
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.customer = b.customer
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
==
# case: join_outer/full-groups
SELECT c.segment, o.status, COUNT(*) AS n FROM customers c FULL JOIN orders o ON o.customer = c.id AND o.paid GROUP BY c.segment, o.status
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=16  (rows per unit 4, enforced per unit ((3 rows of orders per customer; id is the key of customers) plus (id is the key of customers)); groups: segment: 4 values; status: 4 values; a unit can be in several)
==
# case: join_outer/full-then-inner
SELECT COUNT(*) AS n FROM customers c FULL JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=8 l2=8 linf=8 groups=1  (rows per unit 8, proven ((no two rows with the same customer, number_up_to_3; id is the key of customers) plus (id is the key of customers); 2 rows of lines per order_id, 3 rows of orders per customer))
==
# case: join_outer/full-then-inner-on-the-other-side
SELECT COUNT(*) AS n FROM orders o FULL JOIN customers c ON o.customer = c.id AND o.paid JOIN orders p ON p.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3; id is the key of customers) plus (id is the key of customers); no two rows with the same customer, number_up_to_3))
==
# case: join_outer/nulls-in-a-union
# note: the rows with NULL join nothing, so that 3 would do; a unit's rows of both branches count
SELECT COUNT(*) AS n FROM (SELECT customer AS k FROM orders UNION ALL SELECT NULL FROM orders) x JOIN customers c ON c.id = x.k
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer); id is the key of customers))
==
# case: join_outer/extended-listed-key
SELECT o.status, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY o.status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
==
# case: join_outer/extended-public-key
SELECT r.zone, COUNT(*) AS n FROM customers c LEFT JOIN regions r ON c.region = r.id AND r.name = 'a' GROUP BY r.zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
==
# case: join_outer/extended-key-coalesced
SELECT COALESCE(r.zone, 'none') AS zone, COUNT(*) AS n FROM customers c LEFT JOIN regions r ON c.region = r.id AND r.id > 1 GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: from the public regions; a unit is in one group)
==
# case: join_outer/extended-foreign-key
SELECT l.product, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id GROUP BY l.product
-- reject DP303  the values of product are private: no public list of its groups is known
--                                                                                            ^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: join_outer/extended-foreign-key-listed
SELECT p.id, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id LEFT JOIN products p ON p.id = l.product GROUP BY p.id
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: id: from the public products; a unit can be in several)
==
# case: join_outer/left-without-a-match-as-anti
SELECT COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: join_outer/per-unit-histogram
SELECT x.k, COUNT(*) AS n FROM (SELECT c.id, COUNT(o.id) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.id) x GROUP BY x.k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: k: 4 values; a unit is in one group)
==
# case: join_outer/left-of-per-unit-groups
SELECT COUNT(*) AS n, SUM(x.s) AS s FROM customers c LEFT JOIN (SELECT customer, SUM(units) AS s FROM orders GROUP BY customer) x ON x.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- sensitivity: s  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit); s in [1, 27], clamped)
==
# case: join_outer/left-of-finer-groups
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT customer, status, COUNT(*) AS k FROM orders GROUP BY customer, status) x ON x.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; at most 3 groups per unit (3 rows of orders per customer)))
==
# case: join_outer/groups-of-an-extended-unit
SELECT SUM(x.k) AS s FROM (SELECT o.customer, COUNT(*) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY o.customer) x
-- reject DP404  customer is the unit: every group would be one individual
--                                                                                                                            ^^^^^^^^^^
-- help: group by something that many units share
==
# case: join_outer/window-over-an-extended-unit
SELECT SUM(x.k) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY o.customer) AS k FROM customers c LEFT JOIN orders o ON o.customer = c.id) x
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# case: join_outer/left-self-in-time
SELECT COUNT(*) AS n FROM orders a LEFT JOIN orders b ON a.customer = b.customer AND b.day > a.day
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
==
# policy: shop verified
# case: join_outer/verified-chain
SELECT COUNT(*) AS n, SUM(l.price) AS s FROM customers c LEFT JOIN orders o ON o.customer = c.id LEFT JOIN lines l ON l.order_id = o.id
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer))
-- sensitivity: s  l0=1 l1=600 l2=600 linf=600 groups=1  (rows per unit 6, proven (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); price in [0, 100], proven)
==
# case: join_outer/verified-full
SELECT COUNT(*) AS n FROM orders o FULL JOIN lines l ON l.order_id = o.id AND l.returned
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; 3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# policy: replace
# case: join_outer/replace-complete
SELECT AVG(COALESCE(x.k, 0)) AS a FROM patients p LEFT JOIN (SELECT pid, COUNT(*) AS k FROM stays GROUP BY pid) x ON x.pid = p.pid
-- accept
-- sensitivity: a  l0=1 l1=0.5 l2=0.5 linf=0.5 groups=1  (rows per unit 1, proven (pid is the key of patients; one group per unit); COALESCE(k, CAST(0 AS BIGINT)) in [0, 2], clamped; summed around 1, the middle; divided by the public 4 rows; a NULL counts as 1)
==
# case: join_outer/replace-not-complete
SELECT COUNT(*) AS n, AVG(p.weight) AS a FROM patients p LEFT JOIN stays s ON s.pid = p.pid
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=1  (rows per unit 2, enforced per unit (pid is the key of patients; 2 rows of stays per pid))
-- sensitivity: centred sum(weight)  l0=1 l1=240 l2=240 linf=240 groups=1  (rows per unit 2, enforced per unit (pid is the key of patients; 2 rows of stays per pid); weight in [30, 150], clamped; summed around 90, the middle)
==
# policy: unbounded
# case: join_outer/unbounded
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id
-- accept
-- sensitivity: n  clip=adaptive groups=1  (what one unit adds is clipped where the data says)
==
# policy: shop
# case: join_outer/left-with-one-row-of-each-unit
# note: one order of each customer is the first: that it matches once, and not each of three, is not looked for
SELECT COUNT(*) AS n, COUNT(b.id) AS first FROM orders a LEFT JOIN (SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY day) = 1) b ON a.id = b.id
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; no two rows with the same customer, row_number))
-- sensitivity: first  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer; no two rows with the same customer, row_number))
==
# case: join_outer/first-number-over-an-extended-unit
# note: the customers without orders would be one partition
SELECT COUNT(*) AS n FROM (SELECT MIN(c.id) OVER (PARTITION BY o.customer) AS m FROM customers c LEFT JOIN orders o ON o.customer = c.id) x WHERE m = 1
-- reject DP405  a window over rows of several units: each row would depend on other units
--                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: PARTITION BY the unit, or a key that leads to it
==
# policy: shop verified
# case: join_outer/verified-no-row-on-the-other-side
# note: each customer stays
SELECT COUNT(*) AS n FROM customers c LEFT JOIN (SELECT customer FROM (SELECT customer, status FROM orders GROUP BY customer, status) g WHERE status IN ('lost', 'gone')) x ON x.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, status))
==
# case: join_outer/verified-two-branches
SELECT COUNT(*) AS n FROM customers c LEFT JOIN orders a ON a.customer = c.id LEFT JOIN orders b ON b.customer = c.id
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (id is the key of customers; 3 rows of orders per customer; 3 rows of orders per customer))
==
# case: join_outer/verified-extended-key-under-a-condition
# note: one customer has rows with a segment and rows with NULL
SELECT c.segment, COUNT(*) AS n FROM orders o LEFT JOIN customers c ON c.id = o.customer AND o.paid GROUP BY c.segment
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, proven (3 rows of orders per customer; id is the key of customers); groups: segment: 4 values; a unit can be in several)
==
# case: join_outer/verified-full-that-no-row-meets
SELECT COUNT(*) AS n FROM orders a FULL JOIN orders b ON a.id = b.id AND FALSE
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven ((3 rows of orders per customer) plus (3 rows of orders per customer)))
