# about: JOIN … USING and NATURAL JOIN
# policy: visits
# case: join_using_natural/using
SELECT ward, site, COUNT(*) AS n FROM visits JOIN wards USING (ward) GROUP BY ward, site
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward, site: from the public wards; a unit can be in several)
==
# case: join_using_natural/using-qualified
SELECT w.ward, COUNT(v.ward) AS n FROM visits v JOIN wards w USING (ward) GROUP BY w.ward
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: from the public wards; a unit can be in several)
==
# case: join_using_natural/natural
SELECT site, SUM(cost) AS s FROM visits NATURAL JOIN wards GROUP BY site
-- accept
-- sensitivity: s  l0=4 l1=400 l2=400 linf=400 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped; groups: site: from the public wards; a unit can be in several)
==
# case: join_using_natural/left-using
SELECT ward, COUNT(w.ward) AS n FROM visits v LEFT JOIN wards w USING (ward) GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: 3 values; a unit can be in several)
==
# case: join_using_natural/right-using
SELECT ward, COUNT(v.pid) AS n FROM visits v RIGHT JOIN wards w USING (ward) GROUP BY ward
-- accept
-- sensitivity: n  l0=4 l1=4 l2=4 linf=4 groups=public  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: from the public wards; a unit can be in several)
==
# case: join_using_natural/natural-right
SELECT ward, COUNT(*) AS n FROM wards NATURAL RIGHT JOIN visits GROUP BY ward
-- accept
-- sensitivity: n  l0=3 l1=4 l2=4 linf=4 groups=3  (rows per unit 4, enforced per unit (4 rows of visits per pid); groups: ward: 3 values; a unit can be in several)
==
# case: join_using_natural/several-columns
SELECT COUNT(*) AS n FROM visits a JOIN visits b USING (pid, ward)
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4))
==
# case: join_using_natural/three-times
SELECT COUNT(*) AS n FROM visits a JOIN visits b USING (pid) JOIN visits c USING (pid)
-- accept
-- sensitivity: n  l0=1 l1=64 l2=64 linf=64 groups=1  (rows per unit 64, proven (no two rows with the same pid, number_up_to_4))
==
# case: join_using_natural/star
SELECT SUM(cost) AS s FROM (SELECT * FROM visits JOIN wards USING (ward)) x WHERE x.ward <> 'a'
-- accept
-- sensitivity: s  l0=1 l1=400 l2=400 linf=400 groups=1  (rows per unit 4, enforced per unit (4 rows of visits per pid); cost in [-20, 100], clamped)
==
# case: join_using_natural/not-the-unit
SELECT COUNT(*) AS n FROM visits a JOIN visits b USING (ward)
-- reject DP402  the joined rows could belong to two different units
--                                      ^^^^^^^^
-- help: join on the unit: a.pid = b.pid
==
# case: join_using_natural/natural-on-everything
SELECT COUNT(*) AS n FROM visits a NATURAL JOIN visits b
-- accept
-- sensitivity: n  l0=1 l1=16 l2=16 linf=16 groups=1  (rows per unit 16, proven (no two rows with the same pid, number_up_to_4))
==
# policy: replace
# case: join_using_natural/full-using
SELECT COUNT(pid) AS n, COUNT(*) AS m FROM patients FULL JOIN stays USING (pid)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)))
==
# case: join_using_natural/full-using-star
SELECT COUNT(pid) AS n, SUM(days) AS s FROM (SELECT * FROM patients FULL JOIN stays USING (pid)) x
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)))
-- sensitivity: s  l0=1 l1=90 l2=90 linf=90 groups=1  (rows per unit 3, enforced per unit ((2 rows of stays per pid; pid is the key of patients) plus (pid is the key of patients)); days in [1, 30], clamped)
==
# policy: shop
# case: join_using_natural/full-using-qualified
SELECT COUNT(*) AS n, COUNT(a.customer) AS a, COUNT(b.customer) AS b, COUNT(customer) AS u FROM (SELECT * FROM orders WHERE paid) a FULL JOIN (SELECT * FROM orders WHERE units > 3) b USING (customer)
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
-- sensitivity: a  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
-- sensitivity: b  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
-- sensitivity: u  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, proven ((no two rows with the same customer, number_up_to_3) plus (no two rows with the same customer, number_up_to_3)))
==
# case: join_using_natural/full-using-public-key
SELECT id, COUNT(x.age) AS n FROM (SELECT region AS id, age FROM customers) x FULL JOIN regions USING (id) GROUP BY id
-- reject DP303  the values of id are private: no public list of its groups is known
--                                                                                                                  ^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: join_using_natural/full-using-public-key-qualified
SELECT regions.id, COUNT(x.age) AS n FROM (SELECT region AS id, age FROM customers) x FULL JOIN regions USING (id) GROUP BY regions.id
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: id: from the public regions; a unit is in one group)
==
# case: join_using_natural/natural-public-fan-out
SELECT COUNT(*) AS n FROM lines NATURAL JOIN tags
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
==
# case: join_using_natural/chain
SELECT COUNT(*) AS n FROM lines JOIN tags USING (product) JOIN (SELECT id AS product, kind FROM products) p USING (product) WHERE kind = 'a'
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 12, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer, times 2 rows of a public table))
==
# case: join_using_natural/ambiguous
SELECT COUNT(product) AS n FROM lines l JOIN tags t ON t.product = l.product
-- reject DP203  product could be more than one column
--           ^^^^^^^
-- help: write l.product
==
# case: join_using_natural/ambiguous-for-using
SELECT COUNT(*) AS n FROM lines a JOIN lines b ON a.order_id = b.order_id JOIN tags USING (product)
-- reject DP203  product could be more than one column
--                                                                                         ^^^^^^^
-- help: write a.product
==
# case: join_using_natural/using-unknown
SELECT COUNT(*) AS n FROM orders JOIN lines USING (order_id)
-- reject DP202  no column order_id on both sides
--                                                 ^^^^^^^^
==
# case: join_using_natural/natural-nothing-in-common
SELECT COUNT(*) AS n FROM lines NATURAL JOIN holidays
-- reject DP202  NATURAL JOIN: the sides have no column in common
--                                           ^^^^^^^^
==
# case: join_using_natural/full-using-in-parentheses
SELECT COUNT(*) AS n FROM regions r JOIN (customers c FULL JOIN (SELECT customer AS id FROM orders) o USING (id)) ON r.id = c.region
-- reject DP104  an outer join with USING in parentheses
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use ON
