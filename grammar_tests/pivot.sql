# about: PIVOT and UNPIVOT
# policy: shop
# case: pivot/of-released
# note: one release, in which a row is in one cell: a column more costs nothing
SELECT * FROM orders PIVOT (SUM(amount) FOR status IN ('open', 'sent') GROUP BY units)
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=27  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: units: 9 values; key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units, key = case((status = 'open') then 0; (status = 'sent') then 1; else NULL): sum = sum(amount)
--       scan orders (id, customer, amount, status, units)
--   answer:
--     project units#6 = units#5, open#2 = open, sent#2 = sent
--       project units#5 = units#4, open = max, sent = max#2
--         aggregate by units#4 = units#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--           project units#3 = units#2, cell = key, part = sum
--             released r1 (units#2, key, sum)
==
# case: pivot/statement
PIVOT orders ON status IN ('open', 'sent') USING COUNT(*) GROUP BY paid
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by paid#2 = paid, key = case((status = 'open') then 0; (status = 'sent') then 1; else NULL): count = count(*)
--       scan orders (id, customer, paid, status)
--   answer:
--     project paid#7 = paid#6, open#3 = open#2, sent#3 = sent#2
--       project paid#6 = paid#5, open#2 = open, sent#2 = sent
--         project paid#5 = paid#4, open = coalesce(max, 0), sent = coalesce(max#2, 0)
--           aggregate by paid#4 = paid#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--             project paid#3 = paid#2, cell = key, part = count
--               released r1 (paid#2, key, count)
==
# case: pivot/declared-values
# differs: the columns are those that the policy lists, not those that occur
PIVOT orders ON status USING SUM(amount) GROUP BY units
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=36  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: units: 9 values; key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units, key = case((status = 'done') then 0; (status = 'open') then 1; (status = 'sent') then 2; else NULL): sum = sum(amount)
--       scan orders (id, customer, amount, status, units)
--   answer:
--     project units#7 = units#6, done#3 = done#2, open#3 = open#2, sent#3 = sent#2
--       project units#6 = units#5, done#2 = done, open#2 = open, sent#2 = sent
--         project units#5 = units#4, done = max, open = max#2, sent = max#3
--           aggregate by units#4 = units#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL)), max#3 = max(case((cell = 2) then part; else NULL))
--             project units#3 = units#2, cell = key, part = sum
--               released r1 (units#2, key, sum)
==
# case: pivot/boolean-and-enum
# differs: the columns are those of the types, not those that occur
PIVOT customers ON vip, level USING COUNT(*) GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=21  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; key: 7 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, key = case(((vip = false) AND (coerce(level) = 'basic')) then 0; ((vip = false) AND (coerce(level) = 'gold')) then 1; ((vip = false) AND (coerce(level) = 'plus')) then 2; ((vip = true) AND (coerce(level) = 'basic')) then 3; ((vip = true) AND (coerce(level) = 'gold')) then 4; ((vip = true) AND (coerce(level) = 'plus')) then 5; else NULL): count = count(*)
--       scan customers (id, vip, level, segment)
--   answer:
--     project segment#7 = segment#6, false_basic#3 = false_basic#2, false_gold#3 = false_gold#2, false_plus#3 = false_plus#2, true_basic#3 = true_basic#2, true_gold#3 = true_gold#2, true_plus#3 = true_plus#2
--       project segment#6 = segment#5, false_basic#2 = false_basic, false_gold#2 = false_gold, false_plus#2 = false_plus, true_basic#2 = true_basic, true_gold#2 = true_gold, true_plus#2 = true_plus
--         project segment#5 = segment#4, false_basic = coalesce(max, 0), false_gold = coalesce(max#2, 0), false_plus = coalesce(max#3, 0), true_basic = coalesce(max#4, 0), true_gold = coalesce(max#5, 0), true_plus = coalesce(max#6, 0)
--           aggregate by segment#4 = segment#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL)), max#3 = max(case((cell = 2) then part; else NULL)), max#4 = max(case((cell = 3) then part; else NULL)), max#5 = max(case((cell = 4) then part; else NULL)), max#6 = max(case((cell = 5) then part; else NULL))
--             project segment#3 = segment#2, cell = key, part = count
--               released r1 (segment#2, key, count)
==
# case: pivot/several-aggregates
SELECT * FROM customers PIVOT (SUM(balance) AS s, COUNT(*) FOR segment IN ('home', 'trade') GROUP BY vip)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = case((segment = 'home') then 0; (segment = 'trade') then 1; else NULL): sum = sum(balance), count = count(*)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project vip#6 = vip#5, home_s#2 = home_s, home_count_star()#2 = home_count_star(), trade_s#2 = trade_s, trade_count_star()#2 = trade_count_star()
--       project vip#5 = vip#4, home_s = max, home_count_star() = coalesce(max#2, 0), trade_s = max#3, trade_count_star() = coalesce(max#4, 0)
--         aggregate by vip#4 = vip#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 0) then part#2; else NULL)), max#3 = max(case((cell = 1) then part; else NULL)), max#4 = max(case((cell = 1) then part#2; else NULL))
--           project vip#3 = vip#2, cell = key, part = sum, part#2 = count
--             released r1 (vip#2, key, sum, count)
==
# case: pivot/average
PIVOT customers ON segment IN ('home', 'office') USING AVG(balance) GROUP BY vip
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = case((segment = 'home') then 0; (segment = 'office') then 1; else NULL): avg = avg(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project vip#7 = vip#6, home#3 = home#2, office#3 = office#2
--       project vip#6 = vip#5, home#2 = home, office#2 = office
--         project vip#5 = vip#4, home = max, office = max#2
--           aggregate by vip#4 = vip#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--             project vip#3 = vip#2, cell = key, part = avg
--               released r1 (vip#2, key, avg)
==
# case: pivot/two-columns
PIVOT customers ON segment IN ('home', 'trade'), vip IN (true, false) USING COUNT(*) GROUP BY level
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=20  (rows per unit 1, proven (id is the key of customers); groups: level: 4 values; key: 5 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by level#2 = level, key = case(((segment = 'home') AND (vip = true)) then 0; ((segment = 'home') AND (vip = false)) then 1; ((segment = 'trade') AND (vip = true)) then 2; ((segment = 'trade') AND (vip = false)) then 3; else NULL): count = count(*)
--       scan customers (id, vip, level, segment)
--   answer:
--     project level#7 = level#6, home_true#3 = home_true#2, home_false#3 = home_false#2, trade_true#3 = trade_true#2, trade_false#3 = trade_false#2
--       project level#6 = level#5, home_true#2 = home_true, home_false#2 = home_false, trade_true#2 = trade_true, trade_false#2 = trade_false
--         project level#5 = level#4, home_true = coalesce(max, 0), home_false = coalesce(max#2, 0), trade_true = coalesce(max#3, 0), trade_false = coalesce(max#4, 0)
--           aggregate by level#4 = level#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL)), max#3 = max(case((cell = 2) then part; else NULL)), max#4 = max(case((cell = 3) then part; else NULL))
--             project level#3 = level#2, cell = key, part = count
--               released r1 (level#2, key, count)
==
# case: pivot/without-group
PIVOT (SELECT segment, balance FROM customers) ON segment IN ('home', 'office') USING SUM(balance)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = case((segment = 'home') then 0; (segment = 'office') then 1; else NULL): sum = sum(balance)
--       scan customers (id, balance, segment)
--   answer:
--     project home#3 = home#2, office#3 = office#2
--       project home#2 = home, office#2 = office
--         project home = max, office = max#2
--           aggregate: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--             project cell = key, part = sum
--               released r1 (key, sum)
==
# case: pivot/implicit-group
PIVOT (SELECT segment, vip, balance FROM customers) ON segment IN ('home', 'office') USING SUM(balance)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: vip: 2 values; key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = case((segment = 'home') then 0; (segment = 'office') then 1; else NULL): sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project vip#7 = vip#6, home#3 = home#2, office#3 = office#2
--       project vip#6 = vip#5, home#2 = home, office#2 = office
--         project vip#5 = vip#4, home = max, office = max#2
--           aggregate by vip#4 = vip#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--             project vip#3 = vip#2, cell = key, part = sum
--               released r1 (vip#2, key, sum)
==
# case: pivot/null-and-alias
SELECT * FROM orders PIVOT (COUNT(*) FOR status IN ('open' AS o, NULL AS nothing) GROUP BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=27  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units, key = case((status = 'open') then 0; is_null(status) then 1; else NULL): count = count(*)
--       scan orders (id, customer, status, units)
--   answer:
--     project units#6 = units#5, o#2 = o, nothing#2 = nothing
--       project units#5 = units#4, o = coalesce(max, 0), nothing = coalesce(max#2, 0)
--         aggregate by units#4 = units#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--           project units#3 = units#2, cell = key, part = count
--             released r1 (units#2, key, count)
==
# case: pivot/undeclared-column
PIVOT customers ON email IN ('a', 'b') USING COUNT(*) GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=9  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, key = case((email = 'a') then 0; (email = 'b') then 1; else NULL): count = count(*)
--       scan customers (id, segment, email)
--   answer:
--     project segment#7 = segment#6, a#3 = a#2, b#3 = b#2
--       project segment#6 = segment#5, a#2 = a, b#2 = b
--         project segment#5 = segment#4, a = coalesce(max, 0), b = coalesce(max#2, 0)
--           aggregate by segment#4 = segment#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--             project segment#3 = segment#2, cell = key, part = count
--               released r1 (segment#2, key, count)
==
# case: pivot/no-aggregate-function
SELECT * FROM customers PIVOT (ABS(balance) FOR segment IN ('home') GROUP BY vip)
-- reject DP205  PIVOT takes aggregates alone
--                             ^^^^^^^^^^^
==
# case: pivot/filter-inside
PIVOT customers ON segment IN ('home') USING COUNT(*) FILTER (WHERE vip) GROUP BY level
-- accept
-- sensitivity: count(CASE WHEN vip THEN 1 ELSE CAST(NULL AS INT) END)  l0=1 l1=1 l2=1 linf=1 groups=8  (rows per unit 1, proven (id is the key of customers); groups: level: 4 values; key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by level#2 = level, key = case((segment = 'home') then 0; else NULL): count = count(case(vip then 1; else NULL))
--       scan customers (id, vip, level, segment)
--   answer:
--     project level#7 = level#6, home#3 = home#2
--       project level#6 = level#5, home#2 = home
--         project level#5 = level#4, home = coalesce(max, 0)
--           aggregate by level#4 = level#3: max = max(case((cell = 0) then part; else NULL))
--             project level#3 = level#2, cell = key, part = count
--               released r1 (level#2, key, count)
==
# case: pivot/per-unit
SELECT AVG(open) AS o, COUNT(done) AS d FROM (PIVOT orders ON status IN ('open', 'done') USING SUM(units) GROUP BY customer) p
-- accept
-- sensitivity: d  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: sum(max - 1)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); max in [1, 27], clamped; summed around 1, the least; a row adds 26 to sum(max - 1) and sum(max - 27) together)
-- sensitivity: sum(max - 27)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); max in [1, 27], clamped; summed around 27, the greatest; a row adds 26 to sum(max - 1) and sum(max - 27) together)
-- plan:
--   r1:
--     aggregate: avg = avg(max), count = count(max#2)
--       aggregate per unit by customer#3 = customer#2: max = max(case((key = 0) then sum#2; else NULL)), max#2 = max(case((key = 1) then sum#2; else NULL))
--         project customer#2, key, sum#2 = sum
--           aggregate per unit by customer#2 = customer, key = case((status = 'open') then 0; (status = 'done') then 1; else NULL): sum = sum(clamp(units, 1, 9))
--             scan orders (id, customer, status, units)
==
# case: pivot/per-unit-count
# note: a customer without open orders has 0 of them
SELECT SUM(open) AS s, COUNT(*) AS n FROM (PIVOT orders ON status IN ('open') USING COUNT(*) GROUP BY customer) p
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); COALESCE(max, CAST(0 AS BIGINT)) in [0, 3], clamped; summed around 0, the least; a row adds 3 to sum(COALESCE(max, CAST(0 AS BIGINT))) and sum(COALESCE(max, CAST(0 AS BIGINT)) - 3) together)
-- sensitivity: sum(COALESCE(max, CAST(0 AS BIGINT)) - 3)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); COALESCE(max, CAST(0 AS BIGINT)) in [0, 3], clamped; summed around 3, the greatest; a row adds 3 to sum(COALESCE(max, CAST(0 AS BIGINT))) and sum(COALESCE(max, CAST(0 AS BIGINT)) - 3) together)
-- plan:
--   r1:
--     aggregate: sum = sum(coalesce(max, 0)), count#2 = count(*)
--       aggregate per unit by customer#3 = customer#2: max = max(case((key = 0) then count; else NULL))
--         aggregate per unit by customer#2 = customer, key = case((status = 'open') then 0; else NULL): count = count(*)
--           scan orders (id, customer, status)
==
# case: pivot/alias-and-names
SELECT p.v, h FROM customers PIVOT (COUNT(*) FOR segment IN ('home') GROUP BY vip) AS p(v, h) WHERE h > -1000000
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, key = case((segment = 'home') then 0; else NULL): count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project v = vip#5, h = home
--       filter (home > -1000000)
--         project vip#5 = vip#4, home = coalesce(max, 0)
--           aggregate by vip#4 = vip#3: max = max(case((cell = 0) then part; else NULL))
--             project vip#3 = vip#2, cell = key, part = count
--               released r1 (vip#2, key, count)
==
# case: pivot/joined-with-public
SELECT r.name, p.home FROM customers PIVOT (COUNT(*) FOR segment IN ('home') GROUP BY region) p JOIN regions r ON r.id = p.region
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; region: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by region#2 = id#2, key = case((segment = 'home') then 0; else NULL): count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region, segment)
--         scan regions (id#2)
--   answer:
--     project name#2 = name, home#2 = home
--       join inner on (id#3 = region#5)
--         project region#5 = region#4, home = coalesce(max, 0)
--           aggregate by region#4 = region#3: max = max(case((cell = 0) then part; else NULL))
--             project region#3 = region#2, cell = key, part = count
--               released r1 (region#2, key, count)
--         scan regions (id#3, name, zone)
==
# case: pivot/with-query
# note: three open orders of one customer are seldom drawn: the claim is tight all the same
WITH o AS (SELECT units, paid, amount FROM orders WHERE status = 'open') PIVOT o ON paid IN (true, false) USING SUM(amount)
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=18  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: units: 9 values; key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by units#2 = units, key = case((paid = true) then 0; (paid = false) then 1; else NULL): sum = sum(amount)
--       filter (status = 'open')
--         scan orders (id, customer, amount, paid, status, units)
--   answer:
--     project units#7 = units#6, true#3 = true#2, false#3 = false#2
--       project units#6 = units#5, true#2 = true, false#2 = false
--         project units#5 = units#4, true = max, false = max#2
--           aggregate by units#4 = units#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--             project units#3 = units#2, cell = key, part = sum
--               released r1 (units#2, key, sum)
==
# case: pivot/of-released-declared-values
# differs: the columns are those that the policy lists, not those that occur
PIVOT (SELECT segment, level, COUNT(*) AS n FROM customers GROUP BY 1, 2) ON segment USING SUM(n)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=12  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; level: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, level#2 = level: count = count(*)
--       scan customers (id, level, segment)
--   answer:
--     project level#9 = level#8, home#3 = home#2, office#3 = office#2, trade#3 = trade#2
--       project level#8 = level#7, home#2 = home, office#2 = office, trade#2 = trade
--         project level#7 = level#6, home = max, office = max#2, trade = max#3
--           aggregate by level#6 = level#5: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL)), max#3 = max(case((cell = 2) then part; else NULL))
--             project level#5 = level#4, cell = key, part = sum
--               aggregate by level#4 = level#3, key = case((segment#3 = 'home') then 0; (segment#3 = 'office') then 1; (segment#3 = 'trade') then 2; else NULL): sum = sum(n)
--                 project segment#3 = segment#2, level#3 = level#2, n = count
--                   released r1 (segment#2, level#2, count)
==
# case: pivot/of-public
PIVOT regions ON zone IN ('north', 'south') USING COUNT(*) GROUP BY name
-- exact
==
# case: pivot/of-public-without-list
PIVOT regions ON zone USING COUNT(*) GROUP BY name
-- exact
==
# case: pivot/no-list
PIVOT customers ON email USING COUNT(*) GROUP BY segment
-- reject DP303  the values of email are private: no public list of columns is known
--                 ^^^^^
-- help: list them: IN (…), or declare `values` in the policy
==
# case: pivot/too-many-groups
PIVOT customers ON segment USING COUNT(*)
-- reject DP404  id leads to one unit: every group would be one individual
--    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: pivot/by-an-expression
PIVOT customers ON segment || email USING COUNT(*) GROUP BY vip
-- reject DP104  PIVOT by an expression is not supported
--                 ^^^^^^^^^^^^^^^^
-- help: name it in a subquery, and pivot by that name
==
# case: pivot/other-type
PIVOT customers ON segment IN (1) USING COUNT(*) GROUP BY vip
-- reject DP205  PIVOT … IN needs values of the column, which is VARCHAR
--                             ^
==
# case: pivot/same-value-twice
PIVOT customers ON segment IN ('home', 'home') USING COUNT(*) GROUP BY vip
-- reject DP205  PIVOT … IN needs different values
--                 ^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: pivot/no-aggregate
SELECT * FROM customers PIVOT (balance FOR segment IN ('home') GROUP BY vip)
-- reject DP101  Expecting an aggregation function in PIVOT
--                             ^^^^^^^
==
# case: pivot/no-such-column
PIVOT customers ON segmnt USING COUNT(*) GROUP BY vip
-- reject DP202  no column segmnt
--                 ^^^^^^
-- help: did you mean segment?
==
# case: pivot/no-such-group
PIVOT customers ON segment USING COUNT(*) GROUP BY nope
-- reject DP202  no column nope
--                                                 ^^^^
==
# case: pivot/no-columns
PIVOT customers
-- reject DP205  PIVOT needs the columns whose values become columns
--    ^^^^^^^^^
==
# case: pivot/of-a-join
SELECT * FROM orders o JOIN customers c ON c.id = o.customer PIVOT (COUNT(*) FOR status IN ('open') GROUP BY segment)
-- reject DP104  PIVOT of a join without parentheses
--                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: put the join in parentheses
==
# case: pivot/unpivot-private
# note: each order is a row in both names; observed is about half, since the weights are much smaller
SELECT n, SUM(v) AS s FROM orders UNPIVOT (v FOR n IN (amount, weight)) GROUP BY n
-- accept
-- sensitivity: s  l0=2 l1=3000 l2=3000 linf=3000 groups=2  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)); v in [0, 500], clamped; groups: n: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by n#2 = n: sum = sum(v)
--       union (n, v, customer#5)
--         project part, part#2, customer#2 = customer
--           project part = 'amount', part#2 = coerce(amount), customer
--             filter not(is_null(amount))
--               scan orders (id, customer, amount)
--         project part#3, part#4, customer#4 = customer#3
--           project part#3 = 'weight', part#4 = weight, customer#3
--             filter not(is_null(weight))
--               scan orders (id#2, customer#3, weight)
==
# case: pivot/unpivot-leaves-nulls-out
SELECT COUNT(*) AS k FROM (UNPIVOT orders ON paid INTO NAME n VALUE v) u
-- accept
-- sensitivity: k  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((3 rows of orders per customer)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       union (customer#3)
--         project customer#2 = customer
--           filter not(is_null(paid))
--             scan orders (id, customer, paid)
==
# case: pivot/unpivot-include-nulls
SELECT COUNT(*) AS k, COUNT(v) AS known FROM orders UNPIVOT INCLUDE NULLS (v FOR n IN (amount, weight AS w))
-- accept
-- sensitivity: known  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)); a row adds 1 to all 2 weights together)
-- sensitivity: rows without v  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(v)
--       union (v, customer#5)
--         project part, customer#2 = customer
--           project part = coerce(amount), customer
--             scan orders (id, customer, amount)
--         project part#2, customer#4 = customer#3
--           project part#2 = weight, customer#3
--             scan orders (id#2, customer#3, weight)
==
# case: pivot/unpivot-released
UNPIVOT (SELECT vip, SUM(balance) AS s, SUM(age) AS a FROM customers GROUP BY vip) ON s, a INTO NAME n VALUE v
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=2  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum(age)  l0=1 l1=99 l2=99 linf=99 groups=2  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: sum = sum(balance), sum#2 = sum(age)
--       scan customers (id, age, balance, vip)
--   answer:
--     project vip#10 = vip#9, n#3 = n#2, v#3 = v#2
--       project vip#9 = vip#8, n#2 = n, v#2 = v
--         union (vip#8, n, v)
--           project part = vip#4, part#2 = 's', part#3 = coerce(s#2)
--             filter not(is_null(s#2))
--               project vip#4 = vip#3, s#2 = s, a#2 = a
--                 project vip#3 = vip#2, s = sum, a = sum#2
--                   released r1 (vip#2, sum, sum#2)
--           project part#4 = vip#7, part#5 = 'a', part#6 = coerce(a#4)
--             filter not(is_null(a#4))
--               project vip#7 = vip#6, s#4 = s#3, a#4 = a#3
--                 project vip#6 = vip#5, s#3 = sum#3, a#3 = sum#4
--                   released r1 (vip#5, sum#3, sum#4)
==
# case: pivot/unpivot-star
UNPIVOT (SELECT vip, COUNT(*) AS n, COUNT(age) AS a FROM customers GROUP BY vip) ON COLUMNS(* EXCLUDE vip)
-- accept
-- sensitivity: rows with age  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group; a row adds 1 to all 2 weights together)
-- sensitivity: rows without age  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: count = count(*), count#2 = count(age)
--       scan customers (id, age, vip)
--   answer:
--     project vip#10 = vip#9, name#3 = name#2, value#3 = value#2
--       project vip#9 = vip#8, name#2 = name, value#2 = value
--         union (vip#8, name, value)
--           project part = vip#4, part#2 = 'n', part#3 = n#2
--             filter not(is_null(n#2))
--               project vip#4 = vip#3, n#2 = n, a#2 = a
--                 project vip#3 = vip#2, n = count, a = count#2
--                   released r1 (vip#2, count, count#2)
--           project part#4 = vip#7, part#5 = 'a', part#6 = a#4
--             filter not(is_null(a#4))
--               project vip#7 = vip#6, n#4 = n#3, a#4 = a#3
--                 project vip#6 = vip#5, n#3 = count#3, a#3 = count#4
--                   released r1 (vip#5, count#3, count#4)
==
# case: pivot/unpivot-individuals
UNPIVOT orders ON amount, weight
-- reject DP401  the query returns rows of individuals
-- help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key
==
# case: pivot/unpivot-other-types
SELECT COUNT(*) AS n FROM (UNPIVOT orders ON amount, status) u
-- reject DP205  UNPIVOT: values of DECIMAL(10,2) and VARCHAR
--                                 ^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: pivot/unpivot-several
SELECT COUNT(*) AS n FROM (UNPIVOT orders ON (amount, weight), (units, code) INTO NAME n VALUE v, w) u
-- reject DP104  UNPIVOT into several columns is not supported
--                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: pivot/statement-in-an-order
PIVOT (SELECT vip, segment FROM customers) ON vip USING COUNT(*) GROUP BY segment ORDER BY segment DESC LIMIT 2
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; key: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, key = case((vip = false) then 0; (vip = true) then 1; else NULL): count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     limit 2 offset 0
--       sort segment#7 desc nulls last
--         project segment#7 = segment#6, false#3 = false#2, true#3 = true#2
--           project segment#6 = segment#5, false#2 = false, true#2 = true
--             project segment#5 = segment#4, false = coalesce(max, 0), true = coalesce(max#2, 0)
--               aggregate by segment#4 = segment#3: max = max(case((cell = 0) then part; else NULL)), max#2 = max(case((cell = 1) then part; else NULL))
--                 project segment#3 = segment#2, cell = key, part = count
--                   project segment#2, key, count
--                     filter present
--                       released r1 (segment#2, key, count, present)
==
# case: pivot/statement-in-a-union
PIVOT (SELECT vip, segment FROM customers) ON vip USING COUNT(*) GROUP BY segment LIMIT 2 UNION ALL SELECT 'x', 1, 2
-- reject DP101  PIVOT is followed by ORDER BY, LIMIT and OFFSET alone
-- help: write SELECT * FROM (PIVOT …)
