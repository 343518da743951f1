# about: STRUCT values, {'a': x, 'b': y}: written out, and taken apart again
# policy: shop
# case: structs/field-of-groups
SELECT s.n, s.k FROM (SELECT {'n': COUNT(*), 'k': segment} AS s FROM customers GROUP BY segment)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project n#2 = n, k#2 = k
--       project n = count, k = segment#2
--         released r1 (segment#2, count)
==
# case: structs/means-of-fields
SELECT AVG(s.x) AS x, SUM(s['y']) AS y, COUNT(struct_extract(s, 'x')) AS n FROM (SELECT struct_pack(x := age, y := balance) AS s FROM customers)
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: y  l0=1 l1=5000 l2=5000 linf=5000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped)
-- plan:
--   r1:
--     aggregate: avg = avg(age), sum = sum(balance), count = count(age)
--       scan customers (id, age, balance)
==
# case: structs/unnamed-fields
SELECT AVG(s[1]) AS x, SUM(t[2]) AS y FROM (SELECT ROW(age, segment) AS s, (segment, balance) AS t FROM customers)
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: y  l0=1 l1=5000 l2=5000 linf=5000 groups=1  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped)
-- plan:
--   r1:
--     aggregate: avg = avg(age), sum = sum(balance)
--       scan customers (id, age, balance)
==
# case: structs/keys
SELECT q.s.k, (s).v, COUNT(*) AS n FROM (SELECT {'k': segment, 'v': vip} AS s FROM customers) AS q GROUP BY s.k, q.s.v ORDER BY s.k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: k: 3 values; v: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k = segment, v = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     sort k#2 asc nulls last
--       project k#2 = k, (s).v = v, n = count
--         released r1 (k, v, count)
==
# case: structs/within-one-another
SELECT t.a.b, t['a']['c'] FROM (SELECT s AS t FROM (SELECT {'a': {'b': COUNT(*), 'c': SUM(age)}, 'z': 1} AS s FROM customers))
-- accept
-- sensitivity: rows with age near 0  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(age)
--       scan customers (id, age)
--   answer:
--     project b#3 = b#2, t['a']['c'] = c#2
--       project b#2 = b, c#2 = c, z#2 = z
--         project b = count, c = sum, z = 1
--           released r1 (count, sum)
==
# case: structs/a-struct-of-a-struct
SELECT x.b, y.z.b FROM (SELECT s.a AS x, {'z': s.a} AS y FROM (SELECT {'a': {'b': COUNT(*)}} AS s FROM customers))
-- accept
-- sensitivity: b  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       scan customers (id)
--   answer:
--     project b#4 = b#2, b#5 = b#3
--       project b#2 = b, b#3 = b
--         project b = count
--           released r1 (count)
==
# case: structs/stars
SELECT b, c.d, n FROM (SELECT s.*, t.n FROM (SELECT {'b': COUNT(*), 'c': {'d': SUM(age)}} AS s, {'n': AVG(age)} AS t FROM customers) AS q)
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without age  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(age), avg = avg(age)
--       scan customers (id, age)
--   answer:
--     project b#3 = b#2, d#3 = d#2, n#3 = n#2
--       project b#2 = b, d#2 = d, n#2 = n
--         project b = count, d = sum, n = avg
--           released r1 (count, sum, avg)
==
# case: structs/stars-of-rows
SELECT s.b, n FROM (SELECT * EXCLUDE (t) FROM (SELECT {'b': segment} AS s, 7 AS t, COUNT(*) AS n FROM customers GROUP BY segment))
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project b#3 = b#2, n#3 = n#2
--       project b#2 = b, n#2 = n
--         project b = segment#2, t = 7, n = count
--           released r1 (segment#2, count)
==
# case: structs/at-once
SELECT {'n': COUNT(*)}.n AS n, SUM({'a': {'b': age}}.a['b']) AS s, SUM({'r': 2}.r * age) AS t, ROW(AVG(age), 1)[1] AS a FROM customers
-- accept
-- sensitivity: rows with age near 18  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows with age near 99  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; a row adds 1 to all 3 weights together)
-- sensitivity: rows without age  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 3 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(age), sum#2 = sum((2 * age)), avg = avg(age)
--       scan customers (id, age)
==
# case: structs/alias-in-where
SELECT COUNT(*) AS n FROM (SELECT {'k': age} AS s FROM customers WHERE s['k'] > 30) WHERE s.k < 60
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((age > 30) AND (age < 60))
--         scan customers (id, age)
==
# case: structs/names-of-columns
WITH w(z, g) AS (SELECT {'x': age, 'y': balance} AS s, segment FROM customers) SELECT g, AVG(z.x) AS x, SUM(z.y) AS y FROM w GROUP BY g
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=3  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; groups: segment: 3 values; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=3  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; groups: segment: 3 values; a unit is in one group; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: y  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: avg = avg(age), sum = sum(balance)
--       scan customers (id, age, balance, segment)
==
# case: structs/numbers-of-columns
SELECT g, s.n FROM (SELECT {'n': COUNT(*), 'm': AVG(age)} AS s, segment AS g FROM customers GROUP BY 2) ORDER BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     sort g#2 asc nulls last
--       project g#2 = g, n#2 = n
--         project n = count, g = segment#2
--           released r1 (segment#2, count)
==
# case: structs/unit-in-a-struct
SELECT COUNT(*) AS n, SUM(o.s.a) AS a FROM customers AS c JOIN (SELECT {'c': customer, 'a': amount} AS s FROM orders) AS o ON o.s.c = c.id WHERE c.vip
-- accept
-- sensitivity: rows with amount near 0  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); amount in [0, 500], clamped; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), sum = sum(amount)
--       join inner on (customer = id)
--         filter vip
--           scan customers (id, vip)
--         scan orders (id#2, customer, amount)
==
# case: structs/unit-of-an-outer-query
SELECT COUNT(*) AS n FROM (SELECT {'k': id} AS s, age FROM customers) AS c WHERE EXISTS (SELECT 1 FROM orders WHERE customer = c.s.k AND units > 2)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter found
--         join mark found on (customer = id)
--           scan customers (id)
--           filter (units > 2)
--             scan orders (id#2, customer, units)
==
# case: structs/each-unit
SELECT AVG(s.n) AS n, MAX(s.m) AS m FROM (SELECT customer, {'n': COUNT(*), 'm': MAX(units)} AS s FROM orders GROUP BY customer)
-- accept
-- sensitivity: centred sum(count)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); count in [1, 3], clamped; summed around 2, the middle)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit); 9 points; MIN and MAX are of the rank 31 from the end)
-- plan:
--   r1:
--     aggregate: avg = avg(count), max#2 = max(max)
--       aggregate per unit by customer#2 = customer: count = count(*), max = max(units)
--         scan orders (id, customer, units)
==
# case: structs/table-before-struct
SELECT SUM(s.a) AS a, SUM(s.b) AS b FROM (SELECT {'b': age, 'a': 5} AS s, age + 1 AS a FROM customers) AS s
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate: sum = sum((age + 1)), sum#2 = sum(age)
--       scan customers (id, age)
==
# case: structs/null-of-an-outer-join
SELECT COUNT(*) AS n, COUNT(q.s.u) AS u, SUM(COALESCE(s.u, 10)) AS m FROM customers AS c LEFT JOIN (SELECT customer, {'u': units, 'p': paid} AS s FROM orders) AS q ON q.customer = c.id
-- accept
-- sensitivity: u  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without u  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: centred sum(COALESCE(u, 10))  l0=1 l1=13.5 l2=13.5 linf=13.5 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); COALESCE(u, 10) in [1, 10], clamped; summed around 5.5, the middle)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(u), sum = sum(coalesce(u, 10))
--       join left on (customer#2 = id)
--         scan customers (id)
--         project customer#2 = customer, u = units
--           scan orders (id#2, customer, units)
==
# case: structs/public-fields
SELECT p.s.k, COUNT(*) AS n FROM lines JOIN (SELECT {'id': id, 'k': kind} AS s FROM products) AS p ON product = p.s.id GROUP BY p.s.k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: k: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = kind: count = count(*)
--       join inner on (product = id)
--         scan lines (order_id, product)
--         scan products (id, kind)
==
# case: structs/without-a-name
SELECT AVG(z.x) AS x FROM (SELECT {'x': age} FROM customers) AS q(z)
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- plan:
--   r1:
--     aggregate: avg = avg(age)
--       scan customers (id, age)
==
# case: structs/same-name-twice
SELECT AVG(p.s.x) AS x, SUM(q.s.x) AS y FROM (SELECT id, {'x': age} AS s FROM customers) AS p JOIN (SELECT customer, {'x': units} AS s FROM orders) AS q ON p.id = q.customer
-- accept
-- sensitivity: sum(age - 18)  l0=1 l1=243 l2=243 linf=243 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); age in [18, 99], clamped; summed around 18, the least; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: sum(age - 99)  l0=1 l1=243 l2=243 linf=243 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); age in [18, 99], clamped; summed around 99, the greatest; a row adds 81 to sum(age - 18) and sum(age - 99) together)
-- sensitivity: y  l0=1 l1=27 l2=27 linf=27 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); units in [1, 9], clamped)
-- plan:
--   r1:
--     aggregate: avg = avg(age), sum = sum(units)
--       join inner on (id = customer)
--         scan customers (id, age)
--         scan orders (id#2, customer, units)
==
# case: structs/rows-of-individuals
SELECT s.x FROM (SELECT {'x': age} AS s FROM customers)
-- reject DP401  the query returns rows of individuals
--     ^^^
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: structs/unbounded-field
SELECT SUM(s.x) AS x FROM (SELECT {'x': code, 'y': age} AS s FROM orders JOIN customers ON customer = customers.id)
-- reject DP301  nothing bounds what SUM adds up
--         ^^^
-- help: declare bounds for code in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: structs/as-the-answer
SELECT {'n': COUNT(*), 'a': AVG(age)} AS s FROM customers
-- reject DP104  s is a struct, which is no column of an answer
--           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns: COUNT(*) AS n, AVG(age) AS a
==
# case: structs/pack-as-the-answer
SELECT struct_pack(n := COUNT(*)) AS s FROM customers
-- reject DP104  s is a struct, which is no column of an answer
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns: COUNT(*) AS n
==
# case: structs/row-as-the-answer
SELECT ROW(COUNT(*), 1) AS s FROM customers
-- reject DP104  s is a struct, which is no column of an answer
--     ^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns: COUNT(*), 1
==
# case: structs/passed-on-as-the-answer
SELECT s FROM (SELECT {'n': COUNT(*)} AS s FROM customers)
-- reject DP104  s is a struct, which is no column of an answer
--     ^
-- help: write its fields as columns: s.n
==
# case: structs/no-such-field
SELECT s.am FROM (SELECT {'n': COUNT(*), 'age': AVG(age)} AS s FROM customers)
-- reject DP202  the struct s has no field am
--     ^^^^
-- help: it has n, age
==
# case: structs/no-such-field-at-once
SELECT {'n': COUNT(*)}.m FROM customers
-- reject DP202  the struct has no field m
--           ^^^^^^^^^^^
-- help: it has n
==
# case: structs/no-such-place
SELECT s[3] FROM (SELECT ROW(COUNT(*), 1) AS s FROM customers)
-- reject DP104  s is a struct, which is no value
--     ^
-- help: take one of its fields: s.1, s.2
==
# case: structs/place-of-a-name
SELECT s[1] FROM (SELECT {'1': COUNT(*)} AS s FROM customers)
-- reject DP105  Binder Error: struct_extract with an integer key can only be used on unnamed structs, use a string key instead
==
# case: structs/name-of-a-place
SELECT s['1'] FROM (SELECT ROW(COUNT(*)) AS s FROM customers)
-- reject DP105  Binder Error: struct_extract with a string key cannot be used on an unnamed struct, use a numeric index instead
==
# case: structs/compared
SELECT COUNT(*) FROM (SELECT {'x': age} AS s FROM customers) WHERE s = {'x': 3}
-- reject DP104  s is a struct, which is no value
--                                                                 ^
-- help: take one of its fields: s.x
==
# case: structs/is-null
SELECT COUNT(*) FROM customers LEFT JOIN (SELECT customer, {'u': units} AS s FROM orders) ON customer = customers.id WHERE s IS NULL
-- reject DP104  s is a struct, which is no value
--                                                                                                                         ^
-- help: take one of its fields: s.u
==
# case: structs/counted
SELECT COUNT(s) FROM (SELECT {'x': age, 'y': vip, 'z': 1, 'w': 2} AS s FROM customers)
-- reject DP104  s is a struct, which is no value
--           ^
-- help: take one of its fields: s.x, s.y, s.z, …
==
# case: structs/counted-at-once
SELECT COUNT(DISTINCT {'x': age}) FROM customers
-- reject DP104  a struct can stand only where its fields are taken
--                          ^^^
-- help: write its fields as columns, or take one: {'a': x}.a
==
# case: structs/as-a-key
SELECT s.k, COUNT(*) FROM (SELECT {'k': segment} AS s FROM customers) GROUP BY s
-- reject DP104  s is a struct, which is no value
--                                                                             ^
-- help: take one of its fields: s.k
==
# case: structs/as-a-key-by-alias
SELECT {'k': segment} AS s, COUNT(*) FROM customers GROUP BY s
-- reject DP104  a struct can stand only where its fields are taken
--           ^^^^^^^
-- help: write its fields as columns, or take one: {'a': x}.a
==
# case: structs/as-a-key-by-number
SELECT COUNT(*) FROM (SELECT {'k': segment} AS s, COUNT(*) FROM customers GROUP BY 1)
-- reject DP104  s is a struct, and no group key
--                                 ^^^^^^^^^^^^^
-- help: write its fields as columns: segment AS k
==
# case: structs/as-a-key-of-all
SELECT COUNT(*) FROM (SELECT {'k': segment} AS s, COUNT(*) AS n FROM customers GROUP BY ALL)
-- reject DP104  s is a struct, and no group key
--                                 ^^^^^^^^^^^^^
-- help: write its fields as columns: segment AS k
==
# case: structs/neither-grouped
SELECT s.k, s.j, COUNT(*) FROM (SELECT {'k': segment, 'j': age} AS s FROM customers) GROUP BY s.k
-- reject DP208  s.j is neither grouped nor aggregated
--          ^^^
-- help: add s.j to GROUP BY, or aggregate it
==
# case: structs/ordered-by
SELECT COUNT(*) FROM (SELECT {'k': segment} AS s, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY 1 LIMIT 2)
-- reject DP104  s is a struct, which has no order
--                                                                                                       ^
-- help: write its fields as columns: s.k
==
# case: structs/ordered-by-all
SELECT COUNT(*) FROM (SELECT {'k': segment} AS s, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY ALL LIMIT 2)
-- reject DP104  s is a struct, which has no order
--                                 ^^^^^^^^^^^^^
-- help: write its fields as columns: segment AS k
==
# case: structs/distinct
SELECT COUNT(*) FROM (SELECT DISTINCT {'k': segment} AS s FROM customers)
-- reject DP104  s is a struct, and its rows are not told apart
--                                          ^^^^^^^^^^^^^
-- help: write its fields as columns: segment AS k
==
# case: structs/union
SELECT SUM(s.x) FROM (SELECT {'x': age} AS s FROM customers UNION ALL SELECT {'x': age} FROM customers)
-- reject DP104  s is a struct, and no value for UNION
--                                 ^^^^^^^^^
-- help: write its fields as columns: age AS x
==
# case: structs/natural
SELECT COUNT(*) FROM (SELECT {'x': id} AS s FROM customers) NATURAL JOIN (SELECT {'x': id} AS s FROM customers)
-- reject DP104  s is a struct, and no value to join on
--                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns: s.x
==
# case: structs/using
SELECT COUNT(*) FROM (SELECT {'x': id} AS s FROM customers) JOIN (SELECT {'x': id} AS s FROM customers) USING (s)
-- reject DP104  s is a struct, which is no value
--                                                                                                             ^
-- help: take one of its fields: s.x
==
# case: structs/one-value
SELECT (SELECT {'n': COUNT(*)} FROM customers).n AS x
-- reject DP104  a field can be taken only of a struct that the query writes out
--                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns
==
# case: structs/one-value-without-a-field
SELECT COUNT(*) FROM customers WHERE age > (SELECT {'n': AVG(age)} FROM customers)
-- reject DP104  {'n': avg(age)} is a struct, which is no value
--                                                       ^^^^^^^
-- help: write its fields as columns: AVG(age) AS n
==
# case: structs/in-a-subquery
SELECT COUNT(*) FROM customers WHERE age IN (SELECT {'n': id} FROM regions)
-- reject DP104  {'n': id} is a struct, which is not compared
--                                                        ^^
-- help: write its fields as columns: id AS n
==
# case: structs/pivoted
SELECT * FROM (PIVOT (SELECT {'k': segment} AS s, vip, age FROM customers) ON vip IN (true, false) USING COUNT(*))
-- reject DP104  s is a struct, and no key of PIVOT
--                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns: s.k
==
# case: structs/named-twice
SELECT AVG({'a': age, 'A': 1}.a) FROM customers
-- reject DP104  a struct must not name a field twice
--                         ^
==
# case: structs/without-a-field-name
SELECT AVG(struct_pack(age + 1).x) FROM customers
-- reject DP104  a field of a struct needs a name
--                     ^^^^^^^
-- help: write {'a': x}
==
# case: structs/in-two-tables
SELECT AVG(s.x) FROM (SELECT id, {'x': age} AS s FROM customers) AS p JOIN (SELECT customer, {'y': units} AS s FROM orders) AS q ON p.id = q.customer
-- reject DP203  s.x could be more than one column
--         ^^^
-- help: write p.s.x
==
# case: structs/of-a-column
SELECT AVG(customers.age.x), COUNT(email['x']) FROM customers
-- reject DP104  qualify a column by its table's alias alone
--         ^^^^^^^^^^^^^^^
-- reject DP205  email is no struct
--                                 ^^^^^^^^^
==
# case: structs/of-a-case
SELECT AVG((CASE WHEN vip THEN {'x': age} END).x) FROM customers
-- reject DP104  a field can be taken only of a struct that the query writes out
--                    ^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: write its fields as columns
