# about: Where the public domain of a group key comes from: the query's own conditions, expressions, joins, releases
# policy: shop
# case: group_domains/in-list-on-an-expression
SELECT LEFT(email, 1) AS i, COUNT(*) AS n FROM customers WHERE LEFT(email, 1) IN ('a', 'b') GROUP BY i
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = left(email, 1): count = count(*)
--       filter in(left(cut(email, 10000), 1), 'a', 'b')
--         scan customers (id, email)
==
# case: group_domains/equals-on-an-expression
SELECT UPPER(email) AS e, COUNT(*) AS n FROM customers WHERE UPPER(email) = 'A' GROUP BY e
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: key: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = upper(email): count = count(*)
--       filter (upper(cut(email, 10000)) = 'A')
--         scan customers (id, email)
==
# case: group_domains/in-list-narrows-declared
SELECT segment, COUNT(*) AS n FROM customers WHERE segment IN ('office', 'trade', 'elsewhere') GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: segment: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       filter in(segment, 'office', 'trade', 'elsewhere')
--         scan customers (id, segment)
==
# case: group_domains/not-equal-narrows-declared
SELECT status, COUNT(*) AS n FROM orders WHERE status <> 'open' GROUP BY status
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       filter (status <> 'open')
--         scan orders (id, customer, status)
==
# case: group_domains/not-in-narrows-declared
SELECT segment, COUNT(*) AS n FROM customers WHERE segment NOT IN ('home', 'trade') GROUP BY segment
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); groups: segment: 1 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       filter not(in(segment, 'home', 'trade'))
--         scan customers (id, segment)
==
# case: group_domains/or-of-values
SELECT code, COUNT(*) AS n FROM orders WHERE code = 1 OR code = 2 GROUP BY code
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: code: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(*)
--       filter ((code = 1) OR (code = 2))
--         scan orders (id, customer, code)
==
# case: group_domains/or-with-another-column
SELECT email, COUNT(*) AS n FROM customers WHERE email = 'a' OR vip GROUP BY email
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                                           ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/filter-in-a-subquery
SELECT email, COUNT(*) AS n FROM (SELECT email FROM customers WHERE email IN ('a', 'b')) x GROUP BY email
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: email: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by email#2 = email: count = count(*)
--       filter in(email, 'a', 'b')
--         scan customers (id, email)
==
# case: group_domains/filter-in-the-having
SELECT email, COUNT(*) AS n FROM customers GROUP BY email HAVING email IN ('a', 'b')
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                  ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/range-of-whole-numbers
SELECT code, COUNT(*) AS n FROM orders WHERE code BETWEEN -2 AND 2 GROUP BY code
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: code: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(*)
--       filter ((code >= -2) AND (code <= 2))
--         scan orders (id, customer, code)
==
# case: group_domains/half-range
SELECT code, COUNT(*) AS n FROM orders WHERE code >= 32750 GROUP BY code
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=18  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: code: 18 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(*)
--       filter (code >= 32750)
--         scan orders (id, customer, code)
==
# case: group_domains/range-narrows-bounds
SELECT age, COUNT(*) AS n FROM customers WHERE age < 60 AND age > 18 GROUP BY age
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=41  (rows per unit 1, proven (id is the key of customers); groups: age: 41 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by age#2 = age: count = count(*)
--       filter ((age < 60) AND (age > 18))
--         scan customers (id, age)
==
# case: group_domains/empty-range
# note: no row fulfils both: there is no group
SELECT units, COUNT(*) AS n FROM orders WHERE units > 4 AND units < 4 GROUP BY units
-- accept
-- sensitivity: n  l0=0 l1=3 l2=3 linf=3 groups=0  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 0 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       filter ((units > 4) AND (units < 4))
--         scan orders (id, customer, units)
==
# case: group_domains/arithmetic
SELECT units % 3 AS r, units * 10 AS t, COUNT(*) AS n FROM orders GROUP BY r, t
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key, key: 9 combinations; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = mod(units, 3), key#2 = (units * 10): count = count(*)
--       scan orders (id, customer, units)
==
# case: group_domains/two-columns-in-one-key
SELECT segment || '/' || status AS k, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=10  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: key: 10 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(concat(segment#2, '/'), status): count = count(*)
--       join inner on (customer = id)
--         project id, segment#2 = cut(segment, 7)
--           scan customers (id, segment)
--         scan orders (id#2, customer, status)
==
# case: group_domains/case-of-an-undeclared-column
SELECT CASE WHEN email LIKE 'a%' THEN 'a' WHEN email IS NULL THEN NULL ELSE 'other' END AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case(like(email, 'a%') then 'a'; is_null(email) then NULL; else 'other'): count = count(*)
--       scan customers (id, email)
==
# case: group_domains/case-with-a-private-branch
SELECT CASE WHEN vip THEN email ELSE 'other' END AS k, COUNT(*) AS n FROM customers GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--               ^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/case-with-a-declared-branch
SELECT CASE WHEN vip THEN segment ELSE 'other' END AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: key: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case(vip then segment; else 'other'): count = count(*)
--       scan customers (id, vip, segment)
==
# case: group_domains/cast-of-a-boolean
SELECT CAST(vip AS INTEGER) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = cast(vip): count = count(*)
--       scan customers (id, vip)
==
# case: group_domains/truncated-year
SELECT DATE_TRUNC('year', born) AS y, COUNT(*) AS n FROM customers WHERE born >= '2000-01-01' GROUP BY y
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=11  (rows per unit 1, proven (id is the key of customers); groups: key: 11 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = date_trunc('year', coerce(born)): count = count(*)
--       filter (born >= 2000-01-01)
--         scan customers (id, born)
==
# case: group_domains/week-and-year
SELECT YEAR(day) AS y, WEEK(day) AS w, COUNT(*) AS n FROM orders GROUP BY ALL
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=52  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 1 values; key: 52 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = year(day), key#2 = week(day): count = count(*)
--       scan orders (id, customer, day)
==
# case: group_domains/month-of-a-narrowed-date
SELECT MONTH(day) AS m, COUNT(*) AS n FROM orders WHERE day BETWEEN '2024-11-15' AND '2024-12-31' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = month(day): count = count(*)
--       filter ((day >= 2024-11-15) AND (day <= 2024-12-31))
--         scan orders (id, customer, day)
==
# case: group_domains/text-of-a-date
SELECT STRFTIME(day, '%Y-%m') AS m, COUNT(*) AS n FROM orders GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 12 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = strftime(day, '%Y-%m'): count = count(*)
--       scan orders (id, customer, day)
==
# case: group_domains/unbounded-date
# note: all three holidays could be on the day of three orders of one customer: seldom drawn
SELECT h.day, COUNT(*) AS n FROM orders o JOIN holidays h ON o.day = h.day GROUP BY h.day
-- accept
-- sensitivity: n  l0=9 l1=9 l2=9 linf=9 groups=public  (rows per unit 9, enforced per unit (3 rows of orders per customer, times 3 rows of a public table); groups: day: from the public holidays; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#3 = day#2: count = count(*)
--       join inner on (day = day#2)
--         scan orders (id, customer, day)
--         scan holidays (day#2)
==
# case: group_domains/month-of-an-undeclared-date
SELECT MONTH(d) AS m, COUNT(*) AS n FROM (SELECT CAST(note AS DATE) AS d FROM lines) x GROUP BY m
-- reject DP306  CAST from VARCHAR to DATE could fail on some row
--           ^
-- help: use TRY_CAST(… AS DATE), which gives NULL where the value does not fit
==
# case: group_domains/foreign-key-and-its-column
SELECT c.region, r.zone, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY c.region, r.zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region, zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2, zone#2 = zone: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, zone)
==
# case: group_domains/foreign-key-left-join
# note: a customer whose region is NULL, or none of the table's, is in the group NULL
SELECT r.zone, COUNT(*) AS n FROM customers c LEFT JOIN regions r ON c.region = r.id GROUP BY r.zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone: count = count(*)
--       join left on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, zone)
==
# case: group_domains/foreign-key-behind-a-left-join
# note: an order without a line, and a line whose product is NULL or none of the table's, is in the group NULL
SELECT l.product, COUNT(*) AS n, SUM(l.quantity) AS s FROM orders o LEFT JOIN lines l ON l.order_id = o.id GROUP BY l.product
-- accept
-- sensitivity: rows with quantity near 0  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; groups: product: from the public products; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with quantity near 10  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; groups: product: from the public products; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count = count(*), sum = sum(quantity)
--       join left on (product = id#2)
--         join left on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, product, quantity)
--         scan products (id#2)
==
# case: group_domains/foreign-key-behind-a-left-join-that-is-not-null
SELECT l.product, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id WHERE l.product IS NOT NULL AND l.product <> 2 GROUP BY l.product
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count = count(*)
--       filter and(not(is_null(product)), (product <> 2), not(is_null(id#2)), (id#2 <> 2))
--         join left on (product = id#2)
--           join left on (order_id = id)
--             scan orders (id, customer)
--             scan lines (order_id, product)
--           scan products (id#2)
==
# case: group_domains/foreign-key-behind-a-left-join-of-a-subquery
SELECT x.product, x.region, COUNT(*) AS n FROM customers c LEFT JOIN (SELECT k.id, k.region, l.product FROM customers k JOIN orders o ON o.customer = k.id JOIN lines l ON l.order_id = o.id) x ON x.id = c.id GROUP BY x.product, x.region
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (id is the key of customers; id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; region: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#3 = id#5, region#3 = id#6: count = count(*)
--       join left on (region#2 = id#6)
--         join left on (product#2 = id#5)
--           join left on (id#4 = id)
--             scan customers (id)
--             project id#4 = id#2, region#2 = region, product#2 = product
--               join inner on (order_id = id#3)
--                 join inner on (customer = id#2)
--                   scan customers (id#2, region)
--                   scan orders (id#3, customer)
--                 scan lines (order_id, product)
--           scan products (id#5)
--         scan regions (id#6)
==
# case: group_domains/computed-of-a-foreign-key
# note: a product that is NULL is not declared: what stands for it has a group
SELECT COALESCE(product, 0) AS k, COUNT(*) AS n FROM lines GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: key: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = coalesce(id, 0): count = count(*)
--       join left on (product = id)
--         scan lines (order_id, product)
--         scan products (id)
==
# case: group_domains/computed-of-a-foreign-key-that-is-null-where-it-is
SELECT product + 1 AS k, COUNT(*) AS n FROM lines GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: key: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (id + 1): count = count(*)
--       join inner on (product = id)
--         scan lines (order_id, product)
--         scan products (id)
==
# case: group_domains/computed-of-two-foreign-keys
SELECT product + c.region AS k, COUNT(*) AS n FROM lines l JOIN orders o ON o.id = l.order_id JOIN customers c ON c.id = o.customer GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers); groups: key: from the public regions, products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (id#4 + id#3): count = count(*)
--       join inner on (product = id#4)
--         join inner on (region = id#3)
--           join inner on (id#2 = customer)
--             join inner on (id = order_id)
--               scan lines (order_id, product)
--               scan orders (id, customer)
--             scan customers (id#2, region)
--           scan regions (id#3)
--         scan products (id#4)
==
# case: group_domains/computed-of-a-foreign-key-and-more
SELECT product + quantity AS k, COUNT(*) AS n FROM lines GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: key: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (id + quantity): count = count(*)
--       filter ((quantity >= 1) AND (quantity <= 10))
--         join inner on (product = id)
--           scan lines (order_id, product, quantity)
--           scan products (id)
==
# case: group_domains/computed-of-a-foreign-key-and-listed
SELECT product % 3 AS k, COUNT(*) AS n FROM lines GROUP BY k
-- accept
-- sensitivity: n  l0=5 l1=6 l2=6 linf=6 groups=5  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: key: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = mod(product, 3): count = count(*)
--       scan lines (order_id, product)
==
# case: group_domains/computed-behind-a-left-join
SELECT l.product + 1 AS p, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id GROUP BY 1
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: key: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (id#2 + 1): count = count(*)
--       join left on (product = id#2)
--         join left on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, product)
--         scan products (id#2)
==
# case: group_domains/public-left-join
SELECT r.name, COUNT(c.id) AS n FROM regions r LEFT JOIN customers c ON c.region = r.id GROUP BY r.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: name: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by name#2 = name: count = count(id#2)
--       join matched on (region = id)
--         scan regions (id, name)
--         scan customers (id#2, region)
==
# case: group_domains/equal-to-a-public-column
# note: rumours has no key: a line meets as many rows as there are, and nothing bounds them
SELECT l.product, COUNT(*) AS n FROM lines l JOIN rumours u ON l.product = u.product GROUP BY l.product
-- reject DP403  one private row could meet any number of rows of rumours
--                                                ^^^^^^^^^
-- help: declare max_rows for u.product in the policy, or the key or rows of rumours
==
# case: group_domains/equal-to-a-public-key
SELECT l.product, SUM(l.quantity) AS s FROM lines l JOIN products p ON l.product = p.id WHERE p.price > 50 GROUP BY l.product
-- accept
-- sensitivity: s  l0=6 l1=60 l2=60 linf=60 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); quantity in [1, 10], clamped; groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id: sum = sum(quantity)
--       join inner on (product = id)
--         scan lines (order_id, product, quantity)
--         filter (price > 50)
--           scan products (id, price)
==
# case: group_domains/equal-to-a-key-of-no-reference
SELECT o.units, COUNT(*) AS n FROM orders o JOIN regions r ON o.units = r.id GROUP BY o.units
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = id#2: count = count(*)
--       filter ((id#2 >= 1) AND (id#2 <= 9))
--         join inner on (units = id#2)
--           scan orders (id, customer, units)
--           scan regions (id#2)
==
# case: group_domains/expression-of-a-foreign-key
SELECT region % 2 AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = mod(region, 2): count = count(*)
--       scan customers (id, region)
==
# case: group_domains/foreign-key-of-two-tables
SELECT c.region, l.product, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id JOIN lines l ON l.order_id = o.id GROUP BY c.region, l.product
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (id is the key of customers; 3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: region: from the public regions; product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by region#2 = id#3, product#2 = id#4: count = count(*)
--       join inner on (product = id#4)
--         join inner on (region = id#3)
--           join inner on (order_id = id#2)
--             join inner on (customer = id)
--               scan customers (id, region)
--               scan orders (id#2, customer)
--             scan lines (order_id, product)
--           scan regions (id#3)
--         scan products (id#4)
==
# case: group_domains/public-expression
SELECT UPPER(r.name) AS k, LENGTH(r.zone) AS z, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY k, z
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key, key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = upper(name), key#2 = length(zone): count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2, name, zone)
==
# case: group_domains/public-and-private-in-one-key
SELECT r.name || c.segment AS k, COUNT(*) AS n FROM customers c JOIN regions r ON c.region = r.id GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = concat(name, segment): count = count(*)
--       filter in(segment, 'home', 'office', 'trade')
--         join inner on (region = id#2)
--           scan customers (id, region, segment)
--           scan regions (id#2, name)
==
# case: group_domains/null-key
SELECT NULLIF(status, 'open') AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = nullif(status, 'open'): count = count(*)
--       scan orders (id, customer, status)
==
# case: group_domains/not-null-key
SELECT status, COUNT(*) AS n FROM orders WHERE status IS NOT NULL GROUP BY status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       filter not(is_null(status))
--         scan orders (id, customer, status)
==
# case: group_domains/null-alone
SELECT status, COUNT(*) AS n FROM orders WHERE status IS NULL GROUP BY status
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 1 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       filter is_null(status)
--         scan orders (id, customer, status)
==
# case: group_domains/extended-by-an-outer-join
# note: a customer without orders has the status NULL, and one row
SELECT o.status, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY o.status
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, status)
==
# case: group_domains/extended-column-without-nulls
SELECT o.units, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY o.units
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=10  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); groups: units: 10 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, units)
==
# case: group_domains/per-unit-count-as-a-key
SELECT k, COUNT(*) AS n FROM (SELECT customer, COUNT(*) AS k FROM orders GROUP BY customer) x GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (one group per unit); groups: k: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k = count: count#2 = count(*)
--       aggregate per unit by customer#2 = customer: count = count(*)
--         scan orders (id, customer)
==
# case: group_domains/per-unit-maximum-as-a-key
SELECT k, COUNT(*) AS n FROM (SELECT customer, MAX(units) AS k FROM orders GROUP BY customer) x GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=9  (rows per unit 1, proven (one group per unit); groups: k: 9 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k = max: count = count(*)
--       aggregate per unit by customer#2 = customer: max = max(units)
--         scan orders (id, customer, units)
==
# case: group_domains/released-key
# note: the groups are read from another release
SELECT x.segment, x.n > 3 AS many, COUNT(*) AS m FROM customers c JOIN (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x ON c.segment = x.segment GROUP BY ALL
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   f1:
--     project segment#3 = segment#2, n = count
--       project segment#2, count
--         filter present
--           released r1 (segment#2, count, present)
--   r2:
--     aggregate by segment#5 = segment#3: count#2 = count(*)
--       join inner on (segment#4 = segment#3)
--         scan customers (id#2, segment#4)
--         released f1 (segment#3, n)
--   answer:
--     project segment#13 = segment#5, many = key, m = count#2
--       project segment#5, key = (n#4 > 3), count#2
--         join inner on (segment#5 = segment#12)
--           project segment#5, count#2
--             filter chosen
--               join mark chosen on ((segment#9 = segment#9) AND is_not_distinct(segment#5, segment#9))
--                 released r2 (segment#5, count#2)
--                 project segment#9 = segment#8, n#3 = n#2
--                   project segment#8 = segment#7, n#2 = count#4
--                     project segment#7 = segment#6, count#4 = count#3
--                       filter present#2
--                         released r1 (segment#6, count#3, present#2)
--           project segment#12 = segment#11, n#4 = count#6
--             project segment#11 = segment#10, count#6 = count#5
--               filter present#3
--                 released r1 (segment#10, count#5, present#3)
==
# case: group_domains/subquery-scalar-key
SELECT (SELECT r.zone FROM regions r WHERE r.id = c.region) AS z, COUNT(*) AS n FROM customers c GROUP BY z
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone: count = count(*)
--       join left on (id#2 = region)
--         scan customers (id, region)
--         scan regions (id#2, zone)
==
# case: group_domains/double
SELECT ROUND(score) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = round(score): count = count(*)
--       scan customers (id, score)
==
# case: group_domains/double-made-whole
SELECT CAST(ROUND(score) AS INTEGER) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = cast(round(score)): count = count(*)
--       scan customers (id, score)
==
# case: group_domains/fifties-of-a-decimal
SELECT FLOOR(amount / 50) * 50 AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=11  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 11 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (floor(div(coerce(amount), 50)) * 50): count = count(*)
--       scan orders (id, customer, amount)
==
# case: group_domains/fives-of-a-double
SELECT FLOOR(weight / 5) * 5 AS k, COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY k
-- accept
-- sensitivity: rows with amount near 0  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: key: 5 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: key: 5 values; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by key = (floor(div(weight, 5)) * 5): count = count(*), sum = sum(amount)
--       scan orders (id, customer, amount, weight)
==
# case: group_domains/fifties-cast
SELECT CAST(FLOOR(amount / 50) * 50 AS INTEGER) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=11  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 11 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast((floor(div(coerce(amount), 50)) * 50)): count = count(*)
--       scan orders (id, customer, amount)
==
# case: group_domains/fifties-of-a-cast
SELECT CAST(amount AS INTEGER) // 50 * 50 AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=11  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 11 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (intdiv(cast(amount), 50) * 50): count = count(*)
--       scan orders (id, customer, amount)
==
# case: group_domains/tenths-of-a-double
SELECT ROUND(score, 1) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=21  (rows per unit 1, proven (id is the key of customers); groups: key: 21 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = round(score, 1): count = count(*)
--       scan customers (id, score)
==
# case: group_domains/up-to-whole
SELECT CEIL(score) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = ceil(score): count = count(*)
--       scan customers (id, score)
==
# case: group_domains/halves-cut-off
SELECT TRUNC(weight * 2) / 2 AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=41  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 41 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = div(trunc((weight * 2)), 2): count = count(*)
--       scan orders (id, customer, weight)
==
# case: group_domains/hundreds-of-a-decimal
SELECT ROUND(amount, -2) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = round(amount, -2): count = count(*)
--       scan orders (id, customer, amount)
==
# case: group_domains/quotients
SELECT age / 10 AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=82  (rows per unit 1, proven (id is the key of customers); groups: key: 82 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = div(coerce(age), 10): count = count(*)
--       scan customers (id, age)
==
# case: group_domains/powers-of-two
SELECT FLOOR(LOG2(weight + 1)) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = floor(log2((weight + 1))): count = count(*)
--       scan orders (id, customer, weight)
==
# case: group_domains/decades
SELECT YEAR(born) // 10 * 10 AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=10  (rows per unit 1, proven (id is the key of customers); groups: key: 10 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = (intdiv(year(born), 10) * 10): count = count(*)
--       scan customers (id, born)
==
# case: group_domains/steps-of-a-branch
SELECT CASE WHEN weight < 5 THEN FLOOR(weight) ELSE 9 END AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=7  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 7 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((weight < 5) then floor(weight); else 9): count = count(*)
--       scan orders (id, customer, weight)
==
# case: group_domains/text-of-a-branch
SELECT CASE WHEN FLOOR(weight) < 5 THEN 'light' ELSE 'heavy' END AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((floor(weight) < 5) then 'light'; else 'heavy'): count = count(*)
--       scan orders (id, customer, weight)
==
# case: group_domains/one-step-read-twice
SELECT FLOOR(weight / 10) * 10 - FLOOR(weight / 10) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = ((floor(div(weight, 10)) * 10) - floor(div(weight, 10))): count = count(*)
--       scan orders (id, customer, weight)
==
# case: group_domains/too-many-fractions
SELECT ROUND(amount, 1) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^^^^
-- help: group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x; or ask with a delta, and groups of few units are left out
==
# case: group_domains/rounded-without-bounds
SELECT FLOOR(rate) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^
-- help: group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x; or ask with a delta, and groups of few units are left out
==
# case: group_domains/decimal
SELECT amount, COUNT(*) AS n FROM orders GROUP BY amount
-- reject DP303  the values of amount are private: no public list of its groups is known
--                                                ^^^^^^
-- help: group by fewer numbers, such as FLOOR(x / 50) * 50 or ROUND(x, 1), of bounded x; or ask with a delta, and groups of few units are left out
==
# case: group_domains/decimal-in-list
SELECT amount, COUNT(*) AS n FROM orders WHERE amount IN (500, 249.99 + 0.01) GROUP BY amount
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: amount: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by amount#2 = amount: count = count(*)
--       filter in(amount, 500, 250)
--         scan orders (id, customer, amount)
==
# case: group_domains/timestamp
SELECT placed, COUNT(*) AS n FROM orders GROUP BY placed
-- reject DP303  the values of placed are private: no public list of its groups is known
--                                                ^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/timestamp-to-the-day
SELECT CAST(placed AS DATE) AS d, COUNT(*) AS n FROM orders GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 366 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: group_domains/hash-of-the-unit
SELECT customer % 2 AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = mod(customer, 2): count = count(*)
--       scan orders (id, customer)
==
# case: group_domains/condition-of-an-outer-join
# note: the rows that do not meet it stay
SELECT UPPER(c.email) AS e, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id AND UPPER(c.email) = 'A' GROUP BY e
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/null-among-the-values-of-an-expression
SELECT LEFT(email, 1) AS i, COUNT(*) AS n FROM customers WHERE LEFT(email, 1) = 'a' OR LEFT(email, 1) IS NULL GROUP BY i
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = left(email, 1): count = count(*)
--       filter ((left(cut(email, 10000), 1) = 'a') OR is_null(left(cut(email, 10000), 1)))
--         scan customers (id, email)
==
# case: group_domains/filtered-foreign-key
# note: the list is of products, and the filter says which of them
SELECT product, COUNT(*) AS n FROM lines WHERE product = 3 GROUP BY product
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by product#2 = id: count = count(*)
--       join inner on (product = id)
--         filter (product = 3)
--           scan lines (order_id, product)
--         filter (id = 3)
--           scan products (id)
==
# case: group_domains/jointly-filtered-foreign-keys
# note: both tables are tied by what the query says of the private keys
SELECT l.product, c.region, COUNT(*) AS n FROM lines l JOIN orders o ON o.id = l.order_id JOIN customers c ON c.id = o.customer WHERE l.product = c.region GROUP BY l.product, c.region
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers); groups: product, region: from the public products, regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by product#2 = id#3, region#2 = id#4: count = count(*)
--       join inner on ((region = id#4) AND (id#3 = id#4))
--         join inner on (product = id#3)
--           join inner on ((id#2 = customer) AND (product = region))
--             join inner on (id = order_id)
--               scan lines (order_id, product)
--               scan orders (id, customer)
--             scan customers (id#2, region)
--           scan products (id#3)
--         scan regions (id#4)
==
# case: group_domains/condition-on-the-private-side
SELECT p.kind, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product WHERE l.product IN (1, 2) AND l.product % 2 = 0 GROUP BY p.kind
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*)
--       join inner on (id = product)
--         filter (in(product, 1, 2) AND (mod(product, 2) = 0))
--           scan lines (order_id, product)
--         filter (in(id, 1, 2) AND (mod(id, 2) = 0))
--           scan products (id, kind)
==
# case: group_domains/foreign-key-of-per-unit-groups
SELECT product, COUNT(*) AS n FROM (SELECT order_id, product, SUM(quantity) AS q FROM lines GROUP BY order_id, product) l WHERE q > 2 GROUP BY product
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (at most 6 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#3 = id: count = count(*)
--       join inner on (product#2 = id)
--         filter (sum#2 > 2)
--           project order_id#2, product#2, sum#2 = sum
--             aggregate per unit by order_id#2 = order_id, product#2 = product: sum = sum(clamp(quantity, 1, 10))
--               scan lines (order_id, product, quantity)
--         scan products (id)
==
# case: group_domains/union-of-foreign-keys
SELECT product, COUNT(*) AS n FROM (SELECT product FROM lines WHERE returned UNION ALL SELECT product FROM lines WHERE quantity > 5) l GROUP BY product
-- accept
-- sensitivity: n  l0=12 l1=12 l2=12 linf=12 groups=public  (rows per unit 12, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer)); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#6 = id#3: count = count(*)
--       join inner on (product#5 = id#3)
--         union (product#5, customer#5)
--           project product#2, customer#2 = customer
--             join inner on (order_id = id)
--               project product#2 = product, order_id
--                 filter returned
--                   scan lines (order_id, product, returned)
--               scan orders (id, customer)
--           project product#4, customer#4 = customer#3
--             join inner on (order_id#2 = id#2)
--               project product#4 = product#3, order_id#2
--                 filter (quantity > 5)
--                   scan lines (order_id#2, product#3, quantity)
--               scan orders (id#2, customer#3)
--         scan products (id#3)
==
# case: group_domains/union-of-public-columns
SELECT kind, COUNT(*) AS n FROM (SELECT p.kind FROM lines l JOIN products p ON p.id = l.product UNION ALL SELECT r.name FROM customers c JOIN regions r ON r.id = c.region WHERE r.zone = 'south') u GROUP BY kind
-- accept
-- sensitivity: n  l0=7 l1=7 l2=7 linf=7 groups=public  (rows per unit 7, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers)); groups: kind: from the public products, regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#4 = kind#3: count = count(*)
--       union (kind#3, customer#3)
--         project kind#2, customer#2 = customer
--           join inner on (order_id = id#2)
--             project kind#2 = kind, order_id
--               join inner on (id = product)
--                 scan lines (order_id, product)
--                 scan products (id, kind)
--             scan orders (id#2, customer)
--         project name#2, id#5 = id#3
--           project name#2 = name, id#3
--             join inner on (id#4 = region)
--               scan customers (id#3, region)
--               filter (zone = 'south')
--                 scan regions (id#4, name, zone)
==
# case: group_domains/union-with-constants
# note: each branch has its own constant, beside its own list
SELECT what, name, COUNT(*) AS n FROM (SELECT 'sold' AS what, p.kind AS name FROM lines l JOIN products p ON p.id = l.product UNION ALL SELECT 'lives', r.name FROM customers c JOIN regions r ON r.id = c.region) u GROUP BY what, name
-- accept
-- sensitivity: n  l0=7 l1=7 l2=7 linf=7 groups=public  (rows per unit 7, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers)); groups: what, name: from the public products, regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by what#3 = what#2, name#5 = name#4: count = count(*)
--       union (what#2, name#4, customer#3)
--         project what, name, customer#2 = customer
--           join inner on (order_id = id#2)
--             project what = 'sold', name = kind, order_id
--               join inner on (id = product)
--                 scan lines (order_id, product)
--                 scan products (id, kind)
--             scan orders (id#2, customer)
--         project 'lives', name#3, id#5 = id#3
--           project 'lives', name#3 = name#2, id#3
--             join inner on (id#4 = region)
--               scan customers (id#3, region)
--               scan regions (id#4, name#2)
==
# case: group_domains/constants-of-a-union-alone
# note: no public table is read for them
SELECT what, COUNT(*) AS n FROM (SELECT 'sold' AS what, p.kind AS name FROM lines l JOIN products p ON p.id = l.product UNION ALL SELECT 'lives', r.name FROM customers c JOIN regions r ON r.id = c.region) u GROUP BY what
-- accept
-- sensitivity: n  l0=2 l1=7 l2=7 linf=7 groups=2  (rows per unit 7, enforced per unit ((2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer) plus (id is the key of customers)); groups: what: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by what#3 = what#2: count = count(*)
--       union (what#2, customer#3)
--         project what, customer#2 = customer
--           join inner on (order_id = id#2)
--             project what = 'sold', order_id
--               join inner on (id = product)
--                 scan lines (order_id, product)
--                 scan products (id)
--             scan orders (id#2, customer)
--         project 'lives', id#5 = id#3
--           project 'lives', id#3
--             join inner on (id#4 = region)
--               scan customers (id#3, region)
--               scan regions (id#4)
==
# case: group_domains/union-with-a-key-that-nobody-lists
SELECT x, COUNT(*) AS n FROM (SELECT product AS x FROM lines UNION ALL SELECT code FROM orders) u GROUP BY x
-- reject DP303  the values of x are private: no public list of its groups is known
--                                                                                                         ^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/foreign-key-without-a-match
# note: its NULL is a group beside those of the list
SELECT l.product, COUNT(*) AS n FROM orders o LEFT JOIN lines l ON l.order_id = o.id GROUP BY l.product
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count = count(*)
--       join left on (product = id#2)
--         join left on (order_id = id)
--           scan orders (id, customer)
--           scan lines (order_id, product)
--         scan products (id#2)
==
# case: group_domains/empty-groups-are-not-counted
SELECT COUNT(*) AS kinds, AVG(n) AS each FROM (SELECT p.kind, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product GROUP BY p.kind) k
-- accept
-- sensitivity: count(*)  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: kind: from the public products; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*)
--       join inner on (id = product)
--         scan lines (order_id, product)
--         scan products (id, kind)
--   answer:
--     project kinds = count#2, each = avg
--       aggregate: count#2 = count(*), avg = avg(n)
--         project kind#3 = kind#2, n = count
--           project kind#2, count
--             filter present
--               released r1 (kind#2, count, present)
==
# case: group_domains/days-of-moments
SELECT DATE_TRUNC('day', placed) AS d, COUNT(*) AS n FROM orders GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 366 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('day', placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: group_domains/weeks-of-moments
SELECT DATE_TRUNC('week', placed) AS d, COUNT(*) AS n FROM orders GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=53  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 53 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('week', placed): count = count(*)
--       scan orders (id, customer, placed)
==
# case: group_domains/days-of-moments-of-a-month
SELECT DATE_TRUNC('day', placed) AS d, SUM(units) AS s FROM orders WHERE placed >= TIMESTAMP '2024-03-01' GROUP BY d
-- accept
-- sensitivity: s  l0=3 l1=27 l2=27 linf=27 groups=306  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: key: 306 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('day', placed): sum = sum(units)
--       filter (placed >= 2024-03-01 00:00:00)
--         scan orders (id, customer, placed, units)
==
# case: group_domains/bucket-of-decimals
# note: what WIDTH_BUCKET is in the other dialects
SELECT CASE WHEN amount < 100 THEN 0 WHEN amount >= 400 THEN 7 WHEN amount >= 100 THEN CAST(GREATEST(LEAST(FLOOR((amount - 100) * 6 / 300), 5), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM orders GROUP BY b
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((amount < 100) then 0; (amount >= 400) then 7; (amount >= 100) then (cast(greatest(least(floor(div(coerce(((amount - 100) * 6)), 300)), 5), 0)) + 1); else NULL): count = count(*)
--       scan orders (id, customer, amount)
==
# case: group_domains/bucket-of-integers
# note: what WIDTH_BUCKET is in the other dialects
SELECT CASE WHEN age < 20 THEN 0 WHEN age >= 60 THEN 5 WHEN age >= 20 THEN CAST(GREATEST(LEAST(FLOOR((age - 20) * 4 / 40), 3), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM customers GROUP BY b
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: key: 6 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age < 20) then 0; (age >= 60) then 5; (age >= 20) then (cast(greatest(least(floor(div(coerce(((age - 20) * 4)), 40)), 3), 0)) + 1); else NULL): count = count(*)
--       scan customers (id, age)
==
# case: group_domains/bucket-of-doubles
# note: what WIDTH_BUCKET is in the other dialects
SELECT CASE WHEN weight < 5 THEN 0 WHEN weight >= 15 THEN 4 WHEN weight >= 5 THEN CAST(GREATEST(LEAST(FLOOR((weight - 5) * 3 / 10), 2), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM orders GROUP BY b
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((weight < 5) then 0; (weight >= 15) then 4; (weight >= 5) then (cast(greatest(least(floor(div(((weight - 5) * 3), 10)), 2), 0)) + 1); else NULL): count = count(*)
--       scan orders (id, customer, weight)
==
# case: group_domains/bucket-of-anything
# note: no bounds are declared; the parts are public all the same
SELECT CASE WHEN rate < 0 THEN 0 WHEN rate >= 1 THEN 3 WHEN rate >= 0 THEN CAST(GREATEST(LEAST(FLOOR((rate - 0) * 2 / 1), 1), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM orders GROUP BY b
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((rate < 0) then 0; (rate >= 1) then 3; (rate >= 0) then (cast(greatest(least(floor(div(((rate - 0) * 2), 1)), 1), 0)) + 1); else NULL): count = count(*)
--       scan orders (id, customer, rate)
==
# case: group_domains/bucket-of-whole-numbers-of-any-size
SELECT CASE WHEN code < 0 THEN 0 WHEN code >= 10 THEN 6 WHEN code >= 0 THEN CAST(GREATEST(LEAST(FLOOR((code - 0) * 5 / 10), 4), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM orders GROUP BY b
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=8  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 8 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((code < 0) then 0; (code >= 10) then 6; (code >= 0) then (cast(greatest(least(floor(div(coerce(((code - 0) * 5)), 10)), 4), 0)) + 1); else NULL): count = count(*)
--       scan orders (id, customer, code)
==
# case: group_domains/bucket-and-another-key
SELECT vip, CASE WHEN age < 18 THEN 0 WHEN age >= 98 THEN 3 WHEN age >= 18 THEN CAST(GREATEST(LEAST(FLOOR((age - 18) * 2 / 80), 1), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM customers GROUP BY vip, b
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = case((age < 18) then 0; (age >= 98) then 3; (age >= 18) then (cast(greatest(least(floor(div(coerce(((age - 18) * 2)), 80)), 1), 0)) + 1); else NULL): count = count(*)
--       scan customers (id, age, vip)
==
# case: group_domains/bucket-in-a-join
SELECT CASE WHEN o.amount < 0 THEN 0 WHEN o.amount >= 500 THEN 3 WHEN o.amount >= 0 THEN CAST(GREATEST(LEAST(FLOOR((o.amount - 0) * 2 / 500), 1), 0) AS INT) + 1 END AS b, COUNT(DISTINCT c.id) AS n FROM customers c JOIN orders o ON o.customer = c.id GROUP BY b
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 groups=5  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer); a unit counts once in a group; groups: key: 5 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((amount < 0) then 0; (amount >= 500) then 3; (amount >= 0) then (cast(greatest(least(floor(div(coerce(((amount - 0) * 2)), 500)), 1), 0)) + 1); else NULL): count = count(distinct id)
--       join inner on (customer = id)
--         scan customers (id)
--         scan orders (id#2, customer, amount)
==
# case: group_domains/bucket-having
SELECT CASE WHEN age < 18 THEN 0 WHEN age >= 98 THEN 3 WHEN age >= 18 THEN CAST(GREATEST(LEAST(FLOOR((age - 18) * 2 / 80), 1), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM customers GROUP BY b HAVING COUNT(*) > 3
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age < 18) then 0; (age >= 98) then 3; (age >= 18) then (cast(greatest(least(floor(div(coerce(((age - 18) * 2)), 80)), 1), 0)) + 1); else NULL): count = count(*)
--       scan customers (id, age)
--   answer:
--     project b = key, n = count
--       filter (count > 3)
--         released r1 (key, count)
==
# case: group_domains/bucket-rolled-up
SELECT CASE WHEN age < 18 THEN 0 WHEN age >= 98 THEN 3 WHEN age >= 18 THEN CAST(GREATEST(LEAST(FLOOR((age - 18) * 2 / 80), 1), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM customers GROUP BY ROLLUP (b)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age < 18) then 0; (age >= 98) then 3; (age >= 18) then (cast(greatest(least(floor(div(coerce(((age - 18) * 2)), 80)), 1), 0)) + 1); else NULL): count = count(*)
--       scan customers (id, age)
--   answer:
--     project b = key#7, n = count#10
--       union (key#7, count#10)
--         project key#3 = key#2, count#3 = count#2
--           project key#2 = key, count#2 = count
--             released r1 (key, count)
--         project key#6 = NULL, count#9 = count#8
--           project count#8 = count#7
--             project count#7 = coalesce(coerce(inside(count#6, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#6 = sum(count#5)
--                 project key#5 = key#4, count#5 = count#4
--                   released r1 (key#4, count#4)
==
# case: group_domains/bucket-filtered
SELECT CASE WHEN age < 20 THEN 0 WHEN age >= 60 THEN 5 WHEN age >= 20 THEN CAST(GREATEST(LEAST(FLOOR((age - 20) * 4 / 40), 3), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM customers WHERE age >= 50 GROUP BY b
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age < 20) then 0; (age >= 60) then 5; (age >= 20) then (cast(greatest(least(floor(div(coerce(((age - 20) * 4)), 40)), 3), 0)) + 1); else NULL): count = count(*)
--       filter (age >= 50)
--         scan customers (id, age)
==
# case: group_domains/bucket-averaged
SELECT AVG(CASE WHEN age < 20 THEN 0 WHEN age >= 60 THEN 5 WHEN age >= 20 THEN CAST(GREATEST(LEAST(FLOOR((age - 20) * 4 / 40), 3), 0) AS INT) + 1 END) AS a FROM customers
-- accept
-- sensitivity: sum(CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END)  l0=1 l1=5 l2=5 linf=5 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END in [0, 5], clamped; summed around 0, the least; a row adds 5 to sum(CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END) and sum(CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END - 5) together)
-- sensitivity: sum(CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END - 5)  l0=1 l1=5 l2=5 linf=5 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END in [0, 5], clamped; summed around 5, the greatest; a row adds 5 to sum(CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END) and sum(CASE WHEN (age < 20) THEN 0 WHEN (age >= 60) THEN 5 WHEN (age >= 20) THEN (CAST(GREATEST(LEAST(FLOOR((((age - 20) * 4) / CAST('40.0' AS DOUBLE))), CAST('3.0' AS DOUBLE)), CAST('0.0' AS DOUBLE)) AS INT) + 1) ELSE CAST(NULL AS INT) END - 5) together)
-- plan:
--   r1:
--     aggregate: avg = avg(case((age < 20) then 0; (age >= 60) then 5; (age >= 20) then (cast(greatest(least(floor(div(coerce(((age - 20) * 4)), 40)), 3), 0)) + 1); else NULL))
--       scan customers (id, age)
==
# case: group_domains/bucket-of-days
SELECT CASE WHEN DAYOFYEAR(day) < 1 THEN 0 WHEN DAYOFYEAR(day) >= 366 THEN 6 WHEN DAYOFYEAR(day) >= 1 THEN CAST(GREATEST(LEAST(FLOOR((DAYOFYEAR(day) - 1) * 5 / 365), 4), 0) AS INT) + 1 END AS b, SUM(units) AS s FROM orders GROUP BY b
-- accept
-- sensitivity: s  l0=3 l1=27 l2=27 linf=27 groups=6  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; groups: key: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((dayofyear(day) < 1) then 0; (dayofyear(day) >= 366) then 6; (dayofyear(day) >= 1) then (cast(greatest(least(floor(div(coerce(((dayofyear(day) - 1) * 5)), 365)), 4), 0)) + 1); else NULL): sum = sum(units)
--       scan orders (id, customer, day, units)
==
# case: group_domains/bucket-downward
SELECT CASE WHEN age > 60 THEN 0 WHEN age <= 20 THEN 5 WHEN age <= 60 THEN CAST(GREATEST(LEAST(FLOOR((60 - age) * 4 / 40), 3), 0) AS INT) + 1 END AS b, COUNT(*) AS n FROM customers GROUP BY b
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: key: 6 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age > 60) then 0; (age <= 20) then 5; (age <= 60) then (cast(greatest(least(floor(div(coerce(((60 - age) * 4)), 40)), 3), 0)) + 1); else NULL): count = count(*)
--       scan customers (id, age)
==
# case: group_domains/test-of-a-number-that-is-there
# note: TRUE and FALSE, and never NULL
SELECT isnan(COALESCE(rate, 1)) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = isnan(coalesce(rate, 1)): count = count(*)
--       scan orders (id, customer, rate)
==
# case: group_domains/public-groups-of-dependent-columns
SELECT d.kind, COUNT(*) AS n FROM lines l JOIN (SELECT DISTINCT a.id, a.kind FROM products a JOIN products b ON a.kind = b.kind) d ON l.product = d.id GROUP BY d.kind
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: kind: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#4 = kind#3: count = count(*)
--       join inner on (product = id#3)
--         scan lines (order_id, product)
--         aggregate by id#3 = id: kind#3 = min(kind)
--           join inner on (kind = kind#2)
--             scan products (id, kind)
--             scan products (id#2, kind#2)
==
# case: group_domains/public-groups-of-columns-dependent-by-equality
SELECT d.zone, COUNT(*) AS n FROM customers c JOIN (SELECT DISTINCT b.id AS other, r.zone, r.id FROM regions r JOIN regions b ON b.id = r.id) d ON c.region = d.other GROUP BY d.zone
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#3 = zone#2: count = count(*)
--       join inner on (region = other)
--         scan customers (id, region)
--         aggregate by other = id#3: zone#2 = min(zone)
--           join inner on (id#3 = id#2)
--             scan regions (id#2, zone)
--             scan regions (id#3)
==
# case: group_domains/public-groups-of-independent-columns
# note: a kind has several prices: that many groups a product's kind meets is not known
SELECT COUNT(*) AS n FROM lines l JOIN (SELECT DISTINCT a.id, b.price FROM products a JOIN products b ON a.kind = b.kind) d ON l.product = d.id
-- reject DP403  one private row could meet any number of rows of products
--                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join on all that it is grouped by
==
# case: group_domains/not-nan-under-a-filter
# note: what is between two numbers is not NaN, so the key is never NULL: two groups, not three
SELECT v < v AS k, COUNT(v) AS n FROM (SELECT SUM(SQRT(quantity)) AS v FROM lines GROUP BY order_id) WHERE v BETWEEN 0 AND 25 GROUP BY 1
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (at most 3 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (sum#2 < sum#2): count = count(sum#2)
--       filter ((sum#2 >= 0) AND (sum#2 <= 25))
--         project order_id#2, sum#2 = (coerce(sum) * 1/274877906944)
--           aggregate per unit by order_id#2 = order_id: sum = sum(steps(sqrt(coerce(clamp(quantity, 1, 10))), 1/274877906944))
--             scan lines (order_id, quantity)
==
# case: group_domains/months-that-a-condition-leaves
SELECT DATE_TRUNC('month', placed) AS m, COUNT(*) AS n FROM orders WHERE DATE_TRUNC('month', placed) >= '2024-10-01' GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', placed): count = count(*)
--       filter (date_trunc('month', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) >= 2024-10-01 00:00:00)
--         scan orders (id, customer, placed)
==
# case: group_domains/months-of-a-quarter
SELECT DATE_TRUNC('month', placed) AS m, COUNT(*) AS n FROM orders WHERE DATE_TRUNC('quarter', placed) = TIMESTAMP '2024-04-01' GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', placed): count = count(*)
--       filter (date_trunc('quarter', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)) = 2024-04-01 00:00:00)
--         scan orders (id, customer, placed)
==
# case: group_domains/months-of-a-year
SELECT DATE_TRUNC('month', born) AS m, COUNT(*) AS n FROM customers WHERE EXTRACT(year FROM born) = 1999 GROUP BY m
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=12  (rows per unit 1, proven (id is the key of customers); groups: key: 12 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', coerce(born)): count = count(*)
--       filter (year(clamp(born, 1920-01-01, 2010-12-31)) = 1999)
--         scan customers (id, born)
==
# case: group_domains/days-before-a-year
SELECT CAST(placed AS DATE) AS d, COUNT(*) AS n FROM orders WHERE 2024 > year(placed + INTERVAL 300 DAY) GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 366 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(placed): count = count(*)
--       filter (inside(year(plus_interval(clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00), 0, 300, 0)), 2023, 2026) < 2024)
--         scan orders (id, customer, placed)
==
# case: group_domains/days-of-a-month
SELECT day, COUNT(*) AS n FROM orders WHERE DATE_TRUNC('month', day) < '2024-02-01' GROUP BY day
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=31  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: 31 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#2 = day: count = count(*)
--       filter (date_trunc('month', coerce(clamp(day, 2024-01-01, 2024-12-31))) < 2024-02-01 00:00:00)
--         scan orders (id, customer, day)
==
# case: group_domains/decade-that-nobody-has
SELECT year(born) AS y, COUNT(*) AS n FROM customers WHERE decade(born) > 205 GROUP BY y
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=91  (rows per unit 1, proven (id is the key of customers); groups: key: 91 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = year(born): count = count(*)
--       filter (decade(clamp(born, 1920-01-01, 2010-12-31)) > 205)
--         scan customers (id, born)
==
# case: group_domains/weeks-of-days-that-a-condition-leaves
SELECT DATE_DIFF('day', day, DATE '2024-12-31') // 7 AS w, COUNT(*) AS n FROM orders WHERE DATE_DIFF('day', day, DATE '2024-12-31') BETWEEN 0 AND 20 GROUP BY w
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = intdiv(date_diff('day', day, 2024-12-31), 7): count = count(*)
--       filter ((date_diff('day', clamp(day, 2024-01-01, 2024-12-31), 2024-12-31) >= 0) AND (date_diff('day', clamp(day, 2024-01-01, 2024-12-31), 2024-12-31) <= 20))
--         scan orders (id, customer, day)
==
# case: group_domains/months-that-a-list-leaves
SELECT month(day) AS m, COUNT(*) AS n FROM orders WHERE month(day) IN (3, 5) OR month(day) % 6 = 0 GROUP BY m
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = month(day): count = count(*)
--       filter (in(month(clamp(day, 2024-01-01, 2024-12-31)), 3, 5) OR (mod(month(clamp(day, 2024-01-01, 2024-12-31)), 6) = 0))
--         scan orders (id, customer, day)
==
# case: group_domains/classes-without-null
SELECT age // 10 AS c, COUNT(*) AS n FROM customers WHERE age // 10 <> 4 GROUP BY c
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: key: 8 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = intdiv(age, 10): count = count(*)
--       filter (intdiv(clamp(age, 18, 99), 10) <> 4)
--         scan customers (id, age)
==
# case: group_domains/sign-of-what-a-condition-leaves
SELECT SIGN(score) AS s, COUNT(*) AS n FROM customers WHERE SIGN(score) <> 0 GROUP BY s
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = sign(score): count = count(*)
--       filter (sign(clamp(score, -1, 1)) <> 0)
--         scan customers (id, score)
==
# case: group_domains/months-of-rows-made-distinct
SELECT m, COUNT(*) AS n FROM (SELECT DISTINCT customer, DATE_TRUNC('month', day) AS m FROM orders) AS o WHERE m >= '2024-11-01' GROUP BY m
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=2  (rows per unit 2, proven (no two rows with the same customer, m); rows per unit and group 1, proven; groups: m: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by m#2 = m: count = count(*)
--       filter (m >= 2024-11-01 00:00:00)
--         aggregate per unit by customer#2 = customer, m = date_trunc('month', coerce(clamp(day, 2024-01-01, 2024-12-31)))
--           scan orders (id, customer, day)
==
# case: group_domains/weeks-of-a-union
SELECT w, COUNT(*) AS n FROM (SELECT DATE_TRUNC('week', day) AS w FROM orders UNION ALL SELECT DATE_TRUNC('week', placed) FROM orders) AS o WHERE w IN ('2024-01-01', '2024-01-08') GROUP BY w
-- accept
-- sensitivity: n  l0=2 l1=6 l2=6 linf=6 groups=2  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)); groups: w: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by w#3 = w#2: count = count(*)
--       filter in(w#2, 2024-01-01 00:00:00, 2024-01-08 00:00:00)
--         union (w#2, customer#5)
--           project w, customer#2 = customer
--             project w = date_trunc('week', coerce(clamp(day, 2024-01-01, 2024-12-31))), customer
--               scan orders (id, customer, day)
--           project date_trunc('week', placed), customer#4 = customer#3
--             project date_trunc('week', placed) = date_trunc('week', clamp(placed, 2024-01-01 00:00:00, 2024-12-31 00:00:00)), customer#3
--               scan orders (id#2, customer#3, placed)
==
# case: group_domains/one-of-few-numbers-or-null
SELECT COALESCE(weight, 1.0) AS g, COUNT(*) AS n FROM orders WHERE weight IN (0, 1) OR weight IS NULL GROUP BY g
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = coalesce(weight, 1): count = count(*)
--       filter (in(weight, 0, 1) OR is_null(weight))
--         scan orders (id, customer, weight)
==
# case: group_domains/chosen-public-text
SELECT kind, COUNT(*) AS n FROM (SELECT o.customer, MODE(p.kind) AS kind FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product GROUP BY 1) GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (one group per unit); groups: kind: from the public products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by kind#4 = kind#3: count#3 = count(*)
--       join left on (mode#2 = kind#3)
--         aggregate per unit by customer#2 = customer: mode#2 = min(mode)
--           project id, customer, order_id, product, id#2, kind, count#2, mode = first_value
--             window first_value = first_value(kind) over (partition customer; order is_null(kind) asc nulls last, count#2 desc nulls last, kind asc nulls last, id asc nulls last, customer asc nulls last, order_id asc nulls last, product asc nulls last, id#2 asc nulls last)
--               project id, customer, order_id, product, id#2, kind, count#2 = count
--                 window count = count(kind) over (partition customer, kind)
--                   join inner on (id#2 = product)
--                     join inner on (order_id = id)
--                       scan orders (id, customer)
--                       scan lines (order_id, product)
--                     scan products (id#2, kind)
--         aggregate by kind#3 = kind#2
--           scan products (id#3, kind#2)
==
# case: group_domains/chosen-foreign-key
SELECT product, COUNT(*) AS n FROM (SELECT o.customer, MODE(l.product) AS product FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY 1) GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (one group per unit); groups: product: from the public products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count#3 = count(*)
--       join left on (mode#2 = id#2)
--         aggregate per unit by customer#2 = customer: mode#2 = min(mode)
--           project id, customer, order_id, product, count#2, mode = first_value
--             window first_value = first_value(product) over (partition customer; order is_null(product) asc nulls last, count#2 desc nulls last, product asc nulls last, id asc nulls last, customer asc nulls last, order_id asc nulls last)
--               project id, customer, order_id, product, count#2 = count
--                 window count = count(product) over (partition customer, product)
--                   join inner on (order_id = id)
--                     scan orders (id, customer)
--                     scan lines (order_id, product)
--         scan products (id#2)
==
# case: group_domains/chosen-by-another-column
SELECT kind, COUNT(*) AS n FROM (SELECT o.customer, ARG_MAX(p.kind, o.day) AS kind FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product GROUP BY 1) GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (one group per unit); groups: kind: from the public products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by kind#4 = kind#3: count = count(*)
--       join left on (arg_max#2 = kind#3)
--         aggregate per unit by customer#2 = customer: arg_max#2 = min(arg_max)
--           project id, customer, day, order_id, product, id#2, kind, arg_max = first_value
--             window first_value = first_value(case((not(is_null(kind)) AND not(is_null(day))) then kind; else NULL)) over (partition customer; order not((not(is_null(kind)) AND not(is_null(day)))) asc nulls last, day desc nulls last, kind asc nulls last, id asc nulls last, customer asc nulls last, order_id asc nulls last, product asc nulls last, id#2 asc nulls last)
--               join inner on (id#2 = product)
--                 join inner on (order_id = id)
--                   scan orders (id, customer, day)
--                   scan lines (order_id, product)
--                 scan products (id#2, kind)
--         aggregate by kind#3 = kind#2
--           scan products (id#3, kind#2)
==
# case: group_domains/chosen-row-before
SELECT k, COUNT(*) AS n FROM (SELECT LAG(p.kind) OVER (PARTITION BY o.customer ORDER BY o.id, l.product) AS k FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product) GROUP BY 1
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (3 rows of orders per customer; 2 rows of lines per order_id, 3 rows of orders per customer); groups: k: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = kind#3: count = count(*)
--       join left on (lag#2 = kind#3)
--         project id, customer, order_id, product, id#2, kind, lag#2 = lag
--           window lag = lag(kind) over (partition customer; order id asc nulls last, product asc nulls last, customer asc nulls last, order_id asc nulls last, id#2 asc nulls last, kind asc nulls last)
--             join inner on (id#2 = product)
--               join inner on (order_id = id)
--                 scan orders (id, customer)
--                 scan lines (order_id, product)
--               scan products (id#2, kind)
--         aggregate by kind#3 = kind#2
--           scan products (id#3, kind#2)
==
# case: group_domains/chosen-by-a-subquery
SELECT (SELECT p.kind FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product WHERE o.customer = c.id ORDER BY o.id, p.kind LIMIT 1) AS k, COUNT(*) AS n FROM customers c GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers; no two rows with the same customer, number); groups: kind: from the public products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*)
--       join left on (customer = id)
--         scan customers (id)
--         filter (number = 1)
--           project id#2, customer, order_id, product, id#3, kind, number = row_number
--             window row_number = row_number() over (partition customer; order id#2 asc nulls last, kind asc nulls last, customer asc nulls last, order_id asc nulls last, product asc nulls last, id#3 asc nulls last)
--               join inner on (id#3 = product)
--                 join inner on (order_id = id#2)
--                   scan orders (id#2, customer)
--                   scan lines (order_id, product)
--                 scan products (id#3, kind)
==
# case: group_domains/chosen-and-narrowed
SELECT kind, COUNT(*) AS n FROM (SELECT o.customer, MIN(p.kind) AS kind FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product GROUP BY 1) WHERE kind > 'a' GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (one group per unit); groups: kind: from the public products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by kind#4 = kind#3: count = count(*)
--       filter ((min > 'a') AND (kind#3 > 'a'))
--         join left on (min = kind#3)
--           aggregate per unit by customer#2 = customer: min = min(kind)
--             join inner on (id#2 = product)
--               join inner on (order_id = id)
--                 scan orders (id, customer)
--                 scan lines (order_id, product)
--               scan products (id#2, kind)
--           aggregate by kind#3 = kind#2
--             scan products (id#3, kind#2)
==
# case: group_domains/chosen-of-two-columns
SELECT k, COUNT(*) AS n FROM (SELECT o.customer, MIN(COALESCE(p.kind, l.note)) AS k FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product GROUP BY 1) GROUP BY 1
-- reject DP303  the values of k are private: no public list of its groups is known
--     ^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/chosen-of-private-texts
SELECT k, COUNT(*) AS n FROM (SELECT customer, MIN(email) AS k FROM orders o JOIN customers c ON c.id = o.customer GROUP BY 1) GROUP BY 1
-- reject DP303  the values of k are private: no public list of its groups is known
--     ^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/chosen-with-a-default
SELECT k, COUNT(*) AS n FROM (SELECT LAG(p.kind, 1, 'first') OVER (PARTITION BY o.customer ORDER BY o.id, l.product) AS k FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product) GROUP BY 1
-- reject DP303  the values of k are private: no public list of its groups is known
--     ^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/year-quarter-and-month
# note: the months that the days are in, not each month with each quarter
SELECT YEAR(day) AS y, QUARTER(day) AS q, MONTH(day) AS m, COUNT(*) AS n FROM orders GROUP BY ALL
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=12  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key, key, key: 12 combinations; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = year(day), key#2 = quarter(day), key#3 = month(day): count = count(*)
--       scan orders (id, customer, day)
==
# case: group_domains/weekday-and-date
SELECT placed::DATE AS d, DAYNAME(placed) AS w, COUNT(*) AS n, SUM(amount) AS s FROM orders WHERE placed >= '2024-03-01' AND placed < '2024-03-08' GROUP BY d, w
-- accept
-- sensitivity: rows with amount near 0  l0=3 l1=3 l2=3 linf=3 groups=7  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: key, key: 7 combinations; a unit can be in several; a row adds 1 to all 2 weights together)
-- sensitivity: rows with amount near 500  l0=3 l1=3 l2=3 linf=3 groups=7  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: key, key: 7 combinations; a unit can be in several; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by key = cast(placed), key#2 = dayname(placed): count = count(*), sum = sum(amount)
--       filter ((placed >= 2024-03-01 00:00:00) AND (placed < 2024-03-08 00:00:00))
--         scan orders (id, customer, placed, amount)
==
# case: group_domains/narrowed-jointly
SELECT QUARTER(day) AS q, MONTHNAME(day) AS m, COUNT(*) AS n FROM orders WHERE DAY(day) = 31 AND QUARTER(day) <> 3 GROUP BY ALL
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=5  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key, key: 5 combinations; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = quarter(day), key#2 = monthname(day): count = count(*)
--       filter ((day(clamp(day, 2024-01-01, 2024-12-31)) = 31) AND (quarter(clamp(day, 2024-01-01, 2024-12-31)) <> 3))
--         scan orders (id, customer, day)
==
# case: group_domains/number-and-its-class
SELECT age, age >= 65 AS old, age // 10 AS tens, COUNT(*) AS n FROM customers GROUP BY ALL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=82  (rows per unit 1, proven (id is the key of customers); groups: age: 82 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by age#2 = age: count = count(*)
--       scan customers (id, age)
--   answer:
--     project age#3 = age#2, old = key, tens = key#2, n = count
--       project age#2, key = (age#2 >= 65), key#2 = intdiv(age#2, 10), count
--         released r1 (age#2, count)
==
# case: group_domains/before-midnight
SELECT DATE_TRUNC('day', placed) AS d, COUNT(*) AS n FROM orders WHERE placed < '2024-01-04' GROUP BY d
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('day', placed): count = count(*)
--       filter (placed < 2024-01-04 00:00:00)
--         scan orders (id, customer, placed)
==
# case: group_domains/days-of-two-months
# note: what bounds a unit's groups is the product, of which rows are dropped key by key
SELECT MONTH(day) AS m, QUARTER(day) AS q, COUNT(*) AS n FROM orders WHERE day IN ('2024-01-05', '2024-05-05') GROUP BY ALL
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key, key: 2 combinations; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = month(day), key#2 = quarter(day): count = count(*)
--       filter in(day, 2024-01-05, 2024-05-05)
--         scan orders (id, customer, day)
==
# case: group_domains/count-of-what-may-be-null
# note: nothing is said of NULL in it, so a unit may have none of it
SELECT n, COUNT(*) AS units FROM (SELECT customer, COUNT(amount) AS n FROM orders GROUP BY customer) GROUP BY n
-- accept
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: n: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by n = count: count#2 = count(*)
--       aggregate per unit by customer#2 = customer: count = count(amount)
--         scan orders (id, customer, amount)
==
# case: group_domains/value-for-null-below-distinct
# note: the value that stands for NULL has a group, wherever it was made
SELECT k, COUNT(*) AS n FROM (SELECT DISTINCT id, COALESCE(segment, 'none') AS k FROM customers) GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: k: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k#2 = k: count = count(*)
--       aggregate per unit by id#2 = id, k = coalesce(cut(segment, 7), 'none')
--         scan customers (id, segment)
==
# case: group_domains/of-a-table-and-a-list
SELECT r.name || '-' || c.segment AS k, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = concat(concat(name, '-'), segment): count = count(*)
--       filter in(segment, 'home', 'office', 'trade')
--         join inner on (id#2 = region)
--           scan customers (id, region, segment)
--           scan regions (id#2, name)
==
# case: group_domains/of-a-foreign-key-and-a-list
SELECT CONCAT(region, ' ', segment) AS k, SUM(balance) AS s FROM customers GROUP BY k
-- accept
-- sensitivity: s  l0=1 l1=5000 l2=5000 linf=5000 groups=public  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = concat(coalesce(concat(cast(id#2)), ''), ' ', coalesce(segment, '')): sum = sum(balance)
--       filter (in(segment, 'home', 'office', 'trade') OR is_null(segment))
--         join left on (region = id#2)
--           scan customers (id, region, balance, segment)
--           scan regions (id#2)
==
# case: group_domains/of-a-list-that-is-a-key-too
SELECT segment, r.name || segment AS k, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region GROUP BY 1, 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: segment, key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, key = concat(name, segment): count = count(*)
--       filter in(segment, 'home', 'office', 'trade')
--         join inner on (id#2 = region)
--           scan customers (id, region, segment)
--           scan regions (id#2, name)
==
# case: group_domains/of-two-tables
SELECT p.kind || ' in ' || r.name AS k, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product JOIN orders o ON o.id = l.order_id JOIN customers c ON c.id = o.customer JOIN regions r ON r.id = c.region GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers); groups: key: from the public products, regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(concat(kind, ' in '), name): count = count(*)
--       join inner on (id#4 = region)
--         join inner on (id#3 = customer)
--           join inner on (id#2 = order_id)
--             join inner on (id = product)
--               scan lines (order_id, product)
--               scan products (id, kind)
--             scan orders (id#2, customer)
--           scan customers (id#3, region)
--         scan regions (id#4, name)
==
# case: group_domains/of-two-tables-and-months
SELECT p.kind || r.name AS k, r.name || MONTH(o.day) AS m, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product JOIN orders o ON o.id = l.order_id JOIN customers c ON c.id = o.customer JOIN regions r ON r.id = c.region GROUP BY k, m
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer; 3 rows of orders per customer; id is the key of customers); groups: key, key: from the public products, regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(kind, name), key#2 = concat(name, cast(month(day))): count = count(*)
--       join inner on (id#4 = region)
--         join inner on (id#3 = customer)
--           join inner on (id#2 = order_id)
--             join inner on (id = product)
--               scan lines (order_id, product)
--               scan products (id, kind)
--             scan orders (id#2, customer, day)
--           scan customers (id#3, region)
--         scan regions (id#4, name)
==
# case: group_domains/of-a-table-and-the-days-of-a-filter
SELECT r.name || CAST(o.day AS VARCHAR) AS k, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer JOIN regions r ON r.id = c.region WHERE o.day BETWEEN DATE '2024-03-01' AND DATE '2024-03-07' GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: key: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(name, cast(day)): count = count(*)
--       join inner on (id#3 = region)
--         join inner on (id#2 = customer)
--           filter ((day >= 2024-03-01) AND (day <= 2024-03-07))
--             scan orders (id, customer, day)
--           scan customers (id#2, region)
--         scan regions (id#3, name)
==
# case: group_domains/of-a-table-and-null
SELECT r.name || COALESCE(o.status, '?') AS k, COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer JOIN regions r ON r.id = c.region GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit (3 rows of orders per customer; id is the key of customers); groups: key: from the public regions; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(name, coalesce(status, '?')): count = count(*)
--       filter (in(status, 'open', 'sent', 'done') OR is_null(status))
--         join inner on (id#3 = region)
--           join inner on (id#2 = customer)
--             scan orders (id, customer, status)
--             scan customers (id#2, region)
--           scan regions (id#3, name)
==
# case: group_domains/of-a-table-or-a-list
SELECT CASE WHEN c.age < 30 THEN r.name ELSE c.segment END AS k, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((age < 30) then name; else segment): count = count(*)
--       filter (in(segment, 'home', 'office', 'trade') OR is_null(segment))
--         join inner on (id#2 = region)
--           scan customers (id, region, age, segment)
--           scan regions (id#2, name)
==
# case: group_domains/of-a-table-and-what-is-private
SELECT r.name || c.email AS k, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/of-a-table-and-too-many-days
SELECT r.name || CAST(c.born AS VARCHAR) AS k, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: group_domains/among-public-rows
# note: only these are listed; which of them rows have is not asked twice
SELECT l.product, COUNT(*) AS n FROM lines l WHERE l.product IN (SELECT id FROM products WHERE kind = 'toy') GROUP BY 1
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count = count(*)
--       join inner on (product = id#2)
--         scan lines (order_id, product)
--         aggregate by id#2 = id
--           filter (kind = 'toy')
--             scan products (id, kind)
==
# case: group_domains/among-public-rows-by-exists
SELECT c.region, c.age, COUNT(*) AS n FROM customers c WHERE EXISTS (SELECT 1 FROM regions r WHERE r.id = c.region AND r.zone = 'north') AND c.age < 20 GROUP BY 1, 2
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: age: 2 values; region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#3, age#2 = age: count = count(*)
--       join inner on (id#3 = region)
--         filter (age < 20)
--           scan customers (id, region, age)
--         aggregate by id#3 = id#2
--           filter (zone = 'north')
--             scan regions (id#2, zone)
==
# case: group_domains/among-public-rows-or-not
SELECT c.region, COUNT(*) AS n FROM customers c WHERE c.region IN (SELECT id FROM regions WHERE zone = 'north') OR c.vip GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       filter (found OR vip)
--         join mark found on (id#2 = id#4)
--           join inner on (region = id#2)
--             scan customers (id, region, vip)
--             scan regions (id#2)
--           project id#4 = id#3
--             filter (zone = 'north')
--               scan regions (id#3, zone)
==
# case: group_domains/computed-of-two-keys
SELECT age, level, CASE WHEN level = 'gold' THEN age END AS a, COUNT(*) AS n FROM customers WHERE age < 20 GROUP BY ALL
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: age: 2 values; level: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by age#2 = age, level#2 = level: count = count(*)
--       filter (age < 20)
--         scan customers (id, age, level)
--   answer:
--     project age#3 = age#2, level#3 = level#2, a = key, n = count
--       project age#2, level#2, key = case((coerce(level#2) = 'gold') then age#2; else NULL), count
--         released r1 (age#2, level#2, count)
==
# case: group_domains/not-among-public-rows
SELECT c.region, COUNT(*) AS n FROM customers c WHERE c.region NOT IN (SELECT id FROM regions WHERE zone = 'north') GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       filter not(found)
--         join mark found on not(is_not_distinct((id#2 = id#4), false))
--           join inner on (region = id#2)
--             scan customers (id, region)
--             scan regions (id#2)
--           project id#4 = id#3
--             filter (zone = 'north')
--               scan regions (id#3, zone)
==
# case: group_domains/not-among-public-rows-by-a-column
SELECT r.zone, COUNT(*) AS n FROM customers c JOIN regions r ON r.id = c.region WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.id = r.id AND p.kind = 'toy') OR r.zone = 'south' GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: zone: from the public regions, products; a unit is in one group)
-- plan:
--   r1:
--     aggregate by zone#2 = zone: count = count(*)
--       filter (not(found) OR (zone = 'south'))
--         join mark found on (id#3 = id#2)
--           join inner on (id#2 = region)
--             scan customers (id, region)
--             scan regions (id#2, zone)
--           filter (kind = 'toy')
--             scan products (id#3, kind)
==
# case: group_domains/not-among-private-rows
# note: what private rows say takes no group away
SELECT c.region, COUNT(*) AS n FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.id AND o.units = c.region) GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       filter not(found)
--         join mark found on ((customer = id) AND (units = region))
--           join inner on (region = id#2)
--             scan customers (id, region)
--             scan regions (id#2)
--           scan orders (id#3, customer, units)
==
# case: group_domains/among-public-rows-by-semi-join
SELECT l.product, COUNT(*) AS n FROM lines l SEMI JOIN products p ON p.id = l.product AND p.kind = 'toy' GROUP BY 1
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several)
-- plan:
--   r1:
--     aggregate by product#2 = id#2: count = count(*)
--       join inner on (id#2 = product)
--         scan lines (order_id, product)
--         aggregate by id#2 = id
--           filter (kind = 'toy')
--             scan products (id, kind)
==
# case: group_domains/named-by-a-public-row
# note: the product fixes its kind; a customer is in two groups at most
SELECT l.product, p.kind, COUNT(*) AS n FROM lines l JOIN products p ON p.id = l.product WHERE l.product IN (1, 2) GROUP BY l.product, p.kind
-- accept
-- sensitivity: n  l0=2 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by product#2 = id: count = count(*)
--       join inner on (id = product)
--         filter in(product, 1, 2)
--           scan lines (order_id, product)
--         filter in(id, 1, 2)
--           scan products (id)
--   answer:
--     project product#3 = product#2, kind#3 = kind#2, n = count
--       project product#2, kind#2 = kind, count
--         join inner on (product#2 = id#2)
--           released r1 (product#2, count)
--           scan products (id#2, kind, price)
==
# case: group_domains/quotients-of-a-subquery
# note: from -62 // 10 = -6 to 109 // 10 = 10, and none beyond
SELECT k, COUNT(*) AS n FROM (SELECT DISTINCT id, (age - DATE_PART('year', born) + 1930) // 10 AS k FROM customers) AS c GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=17  (rows per unit 1, proven (one group per unit); groups: k: 17 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by k#2 = k: count = count(*)
--       aggregate per unit by id#2 = id, k = intdiv(((coerce(clamp(age, 18, 99)) - year(clamp(born, 1920-01-01, 2010-12-31))) + 1930), 10)
--         scan customers (id, age, born)
