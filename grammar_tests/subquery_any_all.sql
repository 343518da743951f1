# about: Comparisons with ANY, SOME and ALL of a subquery
# policy: shop
# case: subquery_any_all/all-public
SELECT COUNT(*) AS n FROM orders WHERE amount > ALL (SELECT price FROM products)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((amount <= coerce(price#2)), false))
--           scan orders (id, customer, amount)
--           project price#2 = price
--             scan products (id#2, price)
==
# case: subquery_any_all/all-with-null
SELECT COUNT(*) AS n FROM orders WHERE units > ALL (SELECT NULLIF(id, 2) FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((units <= nullif(id, 2)), false))
--           scan orders (id, customer, units)
--           project nullif(id, 2) = nullif(id#2, 2)
--             scan regions (id#2)
==
# case: subquery_any_all/not-any
SELECT COUNT(*) AS n FROM orders WHERE NOT (units > ANY (SELECT NULLIF(id, 2) FROM regions))
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((units > nullif(id, 2)), false))
--           scan orders (id, customer, units)
--           project nullif(id, 2) = nullif(id#2, 2)
--             scan regions (id#2)
==
# case: subquery_any_all/not-all
SELECT COUNT(*) AS n FROM orders WHERE NOT (units >= ALL (SELECT NULLIF(id, 2) FROM regions))
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (units < nullif(id, 2))
--           scan orders (id, customer, units)
--           project nullif(id, 2) = nullif(id#2, 2)
--             scan regions (id#2)
==
# case: subquery_any_all/any-as-value
SELECT COUNT(*) AS n FROM orders WHERE (units > ANY (SELECT NULLIF(id, 2) FROM regions)) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(case(found then true; found#2 then NULL; else false))
--         join mark found#2 on not(is_not_distinct((units > nullif(id, 2)#2), false))
--           join mark found on (units > nullif(id, 2))
--             scan orders (id, customer, units)
--             project nullif(id, 2) = nullif(id#2, 2)
--               scan regions (id#2)
--           project nullif(id, 2)#2 = nullif(id#3, 2)
--             scan regions (id#3)
==
# case: subquery_any_all/all-as-value
SELECT COUNT(*) AS n FROM orders WHERE (units <> ALL (SELECT NULLIF(id, 2) FROM regions)) IS NULL
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter is_null(case(found then false; found#2 then NULL; else true))
--         join mark found#2 on not(is_not_distinct((units = nullif(id, 2)#2), false))
--           join mark found on (units = nullif(id, 2))
--             scan orders (id, customer, units)
--             project nullif(id, 2) = nullif(id#2, 2)
--               scan regions (id#2)
--           project nullif(id, 2)#2 = nullif(id#3, 2)
--             scan regions (id#3)
==
# case: subquery_any_all/equals-any
SELECT COUNT(*) AS n FROM orders WHERE customer = ANY (SELECT id FROM customers WHERE vip)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id#3)
--           scan orders (id, customer)
--           project id#3 = id#2
--             filter vip
--               scan customers (id#2, vip)
==
# case: subquery_any_all/differs-from-all
SELECT COUNT(*) AS n FROM lines WHERE product <> ALL (SELECT product FROM tags)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((product = product#3), false))
--           scan lines (order_id, product)
--           project product#3 = product#2
--             scan tags (product#2)
==
# case: subquery_any_all/all-of-the-unit
SELECT COUNT(*) AS n, SUM(o.units) AS s FROM orders o WHERE o.units >= ALL (SELECT p.units FROM orders p WHERE p.customer = o.customer)
-- accept
-- sensitivity: sum(units - 1)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); units in [1, 9], clamped; summed around 1, the least; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- sensitivity: sum(units - 9)  l0=1 l1=24 l2=24 linf=24 groups=1  (rows per unit 3, proven (no two rows with the same customer, number_up_to_3); units in [1, 9], clamped; summed around 9, the greatest; a row adds 8 to sum(units - 1) and sum(units - 9) together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(units)
--       filter not(found)
--         join mark found on ((customer#2 = customer) AND not(is_not_distinct((units < units#2), false)))
--           filter (number_up_to_3 <= 3)
--             project id, customer, units, number_up_to_3 = row_number
--               window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, units asc nulls last)
--                 scan orders (id, customer, units)
--           filter (number_up_to_3#2 <= 3)
--             project id#2, customer#2, units#2, number_up_to_3#2 = row_number#2
--               window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, units#2 asc nulls last)
--                 scan orders (id#2, customer#2, units#2)
==
# case: subquery_any_all/some
SELECT COUNT(*) AS n FROM customers c WHERE c.balance < SOME (SELECT o.amount FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on ((customer = id) AND (balance < coerce(amount)))
--           scan customers (id, balance)
--           scan orders (id#2, customer, amount)
==
# case: subquery_any_all/in-case
SELECT SUM(CASE WHEN l.quantity >= ALL (SELECT m.quantity FROM lines m WHERE m.order_id = l.order_id) THEN 1 ELSE 0 END) AS s FROM lines l
-- accept
-- sensitivity: s  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); CASE WHEN (NOT found) THEN 1 ELSE 0 END in [0, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case(not(found) then 1; else 0))
--       join mark found on ((order_id#2 = order_id) AND not(is_not_distinct((quantity < quantity#2), false)))
--         filter (number_up_to_2 <= 2)
--           project order_id, quantity, number_up_to_2 = row_number
--             window row_number = row_number() over (partition order_id; order order_id asc nulls last, quantity asc nulls last)
--               scan lines (order_id, quantity)
--         filter (number_up_to_2#2 <= 2)
--           project order_id#2, quantity#2, number_up_to_2#2 = row_number#2
--             window row_number#2 = row_number() over (partition order_id#2; order order_id#2 asc nulls last, quantity#2 asc nulls last)
--               scan lines (order_id#2, quantity#2)
==
# case: subquery_any_all/released
SELECT COUNT(*) AS n FROM customers c WHERE c.balance > ALL (SELECT a FROM (SELECT segment, AVG(balance) + 0.5 AS a FROM customers GROUP BY segment) x)
-- accept
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; a unit is in one group)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment: avg = avg(balance)
--       scan customers (id, balance, segment)
--   f1:
--     project a#2 = a
--       project segment#3 = segment#2, a = (avg + 1/2)
--         project segment#2, avg
--           filter present
--             released r1 (segment#2, avg, present)
--   r2:
--     aggregate: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((coerce(balance#2) <= a#2), false))
--           scan customers (id#2, balance#2)
--           released f1 (a#2)
==
# case: subquery_any_all/having
SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING COUNT(*) + 0.5 > ALL (SELECT id FROM regions)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project segment#3 = segment#2, n = count
--       filter not(found)
--         join mark found on not(is_not_distinct(((coerce(count) + 1/2) <= coerce(id#3)), false))
--           released r1 (segment#2, count)
--           project id#3 = id#2
--             scan regions (id#2, name, zone)
==
# case: subquery_any_all/other-units
SELECT COUNT(*) AS n FROM customers WHERE age >= ALL (SELECT age FROM customers)
-- reject DP402  whether a row counts could depend on rows of other units
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)
==
# case: subquery_any_all/other-units-equal
SELECT COUNT(*) AS n FROM lines WHERE product = ANY (SELECT product FROM lines WHERE returned)
-- reject DP402  whether a row counts could depend on rows of other units
--                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)
==
# case: subquery_any_all/tuple
SELECT COUNT(*) AS n FROM orders WHERE (customer, units) > ANY (SELECT id, age FROM customers)
-- reject DP104  tuples can only be tested with IN
--                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: compare each part
==
# case: subquery_any_all/compared-with-a-condition
# note: that a condition is NULL is a value of it, where it is compared
SELECT COUNT(*) AS n FROM orders WHERE (status < ANY (SELECT zone FROM regions)) = paid
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (case(found then true; found#2 then NULL; else false) = paid)
--         join mark found#2 on not(is_not_distinct((status#2 < zone#4), false))
--           join mark found on (status#2 < zone#2)
--             project id, customer, paid, status#2 = cut(status, 5)
--               scan orders (id, customer, paid, status)
--             project zone#2 = zone
--               scan regions (id#2, zone)
--           project zone#4 = zone#3
--             scan regions (id#3, zone#3)
==
# case: subquery_any_all/condition-among-values
SELECT COUNT(*) AS n FROM orders WHERE (status IN (SELECT zone FROM regions)) IN (paid, FALSE)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((case(found then true; found#2 then NULL; else false) = paid) OR (case(found then true; found#2 then NULL; else false) = false))
--         join mark found#2 on not(is_not_distinct((status#2 = zone#4), false))
--           join mark found on (status#2 = zone#2)
--             project id, customer, paid, status#2 = cut(status, 5)
--               scan orders (id, customer, paid, status)
--             project zone#2 = zone
--               scan regions (id#2, zone)
--           project zone#4 = zone#3
--             scan regions (id#3, zone#3)
==
# case: subquery_any_all/condition-among-rows
SELECT COUNT(*) AS n FROM orders WHERE (status IN (SELECT zone FROM regions)) <> ALL (SELECT id > 2 FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(found#3)
--         join mark found#3 on not(is_not_distinct((case(found then true; found#2 then NULL; else false) = id > 2), false))
--           join mark found#2 on not(is_not_distinct((status#2 = zone#4), false))
--             join mark found on (status#2 = zone#2)
--               project id, customer, status#2 = cut(status, 5)
--                 scan orders (id, customer, status)
--               project zone#2 = zone
--                 scan regions (id#2, zone)
--             project zone#4 = zone#3
--               scan regions (id#3, zone#3)
--           project id > 2 = (id#4 > 2)
--             scan regions (id#4)
==
# case: subquery_any_all/all-of-an-aggregate
# note: of no orders there is a row, too: 0, and NULL where it is no count
SELECT COUNT(*) AS n FROM customers c WHERE c.age > ALL (SELECT MAX(o.units) FROM orders o WHERE o.customer = c.id)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers; one group per unit))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter not(is_not_distinct(not(is_not_distinct((age <= max), false)), true))
--         join left on (customer#2 = id)
--           scan customers (id, age)
--           aggregate per unit by customer#2 = customer: max = max(units)
--             scan orders (id#2, customer, units)
