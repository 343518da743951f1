# about: Every aggregate over public tables (exact) and over released rows (post-processing)
# policy: shop
# case: aggregates_public/moments
SELECT kind, STDDEV(price) AS s, VAR_POP(price) AS v, MEDIAN(price) AS m FROM products GROUP BY kind
-- exact
==
# case: aggregates_public/pairs
SELECT CORR(p.price, t.product) AS c, REGR_SLOPE(p.price, t.product) AS s FROM products p JOIN tags t ON t.product = p.id
-- exact
==
# case: aggregates_public/quantiles
SELECT QUANTILE_CONT(price, [0.25, 0.75]) AS q, PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY price DESC) AS d FROM products
-- exact
==
# case: aggregates_public/key-of-the-greatest
SELECT MODE(kind) AS m, ARG_MAX(kind, price) AS dearest, MIN_BY(id, price) AS cheapest FROM products
-- exact
==
# case: aggregates_public/histogram
SELECT HISTOGRAM(price, [10, 20, 50]) AS h, HISTOGRAM(kind) AS k FROM products
-- exact
==
# case: aggregates_public/unlisted
SELECT RESERVOIR_QUANTILE(price, 0.5) FROM products
-- reject DP204  the function reservoir_quantile is not on the allow-list
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: aggregates_public/released-median
SELECT MEDIAN(n) AS m FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project m = median
--       aggregate: median = median(n)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/released-correlation
SELECT CORR(a, b) AS c, REGR_SLOPE(a, b) AS s, COVAR_SAMP(a, b) AS v FROM (SELECT day, COUNT(*) AS a, SUM(amount) AS b FROM orders GROUP BY day) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: 366 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: day: 366 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by day#2 = day: count = count(*), sum = sum(amount)
--       scan orders (id, customer, day, amount)
--   answer:
--     project c = corr, s = regr_slope, v = covar_samp
--       aggregate: corr = corr(a, b), regr_slope = regr_slope(a, b), covar_samp = covar_samp(a, b)
--         project day#3 = day#2, a = count, b = sum
--           project day#2, count, sum
--             filter present
--               released r1 (day#2, count, sum, present)
==
# case: aggregates_public/released-key-of-the-greatest
SELECT ARG_MAX(product, n) AS best, ARG_MIN(product, n) FILTER (WHERE product <> 1) AS worst FROM (SELECT product, COUNT(*) AS n FROM lines GROUP BY product) x
-- accept
-- sensitivity: count(*)  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer); groups: product: from the public products; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by product#2 = id: count = count(*)
--       join inner on (product = id)
--         scan lines (order_id, product)
--         scan products (id)
--   answer:
--     project best = arg_max, worst = arg_min
--       aggregate: arg_max = arg_max(product#3, n), arg_min = arg_min(case((product#3 <> 1) then product#3; else NULL), case((product#3 <> 1) then n; else NULL))
--         project product#3 = product#2, n = count
--           project product#2, count
--             filter present
--               released r1 (product#2, count, present)
==
# case: aggregates_public/released-quantiles
SELECT QUANTILE_CONT(n, 0.1) AS low, QUANTILE_DISC(n, [0.5, 0.9]) AS high, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n DESC) AS top FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project low = quantile_cont, high = quantile_disc, top = quantile_cont#2
--       aggregate: quantile_cont = quantile_cont(n, 1/10), quantile_disc = quantile_disc(n, 1/2, 9/10), quantile_cont#2 = quantile_cont(n, 3/4)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/released-one-and-a-list-of-one
SELECT QUANTILE_DISC(n, 0.5) AS one, QUANTILE_DISC(n, [0.5]) AS listed FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project one = quantile_disc, listed = quantile_disc#2
--       aggregate: quantile_disc = quantile_disc(n, 1/2), quantile_disc#2 = quantile_disc(n, 1/2)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/released-mode
SELECT MODE(segment) AS m, MODE() WITHIN GROUP (ORDER BY n > 10) AS most FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment: count = count(*)
--       scan customers (id, segment)
--   answer:
--     project m = mode, most = mode#2
--       aggregate: mode = mode(segment#3), mode#2 = mode((n > 10))
--         project segment#3 = segment#2, n = count
--           project segment#2, count
--             filter present
--               released r1 (segment#2, count, present)
==
# case: aggregates_public/released-histogram
SELECT HISTOGRAM(n, [10, 100, 1000]) AS h, HISTOGRAM(vip) AS v FROM (SELECT vip, segment, COUNT(*) AS n FROM customers GROUP BY vip, segment) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, segment#2 = segment: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project h = histogram, v = histogram#2
--       aggregate: histogram = histogram(n, 10, 100, 1000), histogram#2 = histogram(vip#3)
--         project vip#3 = vip#2, segment#3 = segment#2, n = count
--           project vip#2, segment#2, count
--             filter present
--               released r1 (vip#2, segment#2, count, present)
==
# case: aggregates_public/released-histogram-of-days
SELECT HISTOGRAM(day, ['2024-03-31', DATE '2024-06-30']) AS h FROM (SELECT day, COUNT(*) AS n FROM orders GROUP BY day HAVING COUNT(*) > 5) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=366  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: day: 366 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by day#2 = day: count = count(*)
--       scan orders (id, customer, day)
--   answer:
--     project h = histogram
--       aggregate: histogram = histogram(day#3, 2024-03-31, 2024-06-30)
--         project day#3 = day#2, n = count
--           filter (count > 5)
--             project day#2, count
--               filter present
--                 released r1 (day#2, count, present)
==
# case: aggregates_public/released-approximate
SELECT APPROX_QUANTILE(n, 0.5) AS q, APPROX_COUNT_DISTINCT(region) AS d FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project q = quantile_disc, d = count#2
--       aggregate: quantile_disc = quantile_disc(n, 1/2), count#2 = count(distinct region#3)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/released-filter
SELECT CORR(a, b) FILTER (WHERE a > 3) AS c, VAR_SAMP(a) FILTER (WHERE b > 0) AS v FROM (SELECT status, COUNT(*) AS a, SUM(units) AS b FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: centred sum(units)  l0=3 l1=12 l2=12 linf=12 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); units in [1, 9], clamped; summed around 5, the middle; groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*), sum = sum(units)
--       scan orders (id, customer, status, units)
--   answer:
--     project c = corr, v = var_samp
--       aggregate: corr = corr(case((a > 3) then a; else NULL), case((a > 3) then b; else NULL)), var_samp = var_samp(case((b > 0) then a; else NULL))
--         project status#3 = status#2, a = count, b = sum
--           project status#2, count, sum
--             filter present
--               released r1 (status#2, count, sum, present)
==
# case: aggregates_public/released-rollup
SELECT vip, segment, MAX(DISTINCT n) AS most, MEDIAN(n) AS m FROM (SELECT vip, segment, COUNT(*) AS n FROM customers GROUP BY vip, segment) x GROUP BY ROLLUP (vip, segment)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; segment: 3 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by vip#2 = vip, segment#2 = segment: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project vip#21 = vip#20, segment#19 = segment#18, most = max#10, m = median#10
--       union (vip#20, segment#18, max#10, median#10)
--         project vip#7 = vip#6, segment#7 = segment#6, max#3 = max#2, median#3 = median#2
--           project vip#6 = vip#5, segment#6 = segment#5, max#2 = max, median#2 = median
--             aggregate by vip#5 = vip#4, segment#5 = segment#4: max = max(n#2), median = median(n#2)
--               project vip#4 = vip#3, segment#4 = segment#3, n#2 = n
--                 project vip#3 = vip#2, segment#3 = segment#2, n = count
--                   project vip#2, segment#2, count
--                     filter present
--                       released r1 (vip#2, segment#2, count, present)
--         project vip#14 = vip#13, segment#12 = NULL, max#6 = max#5, median#6 = median#5
--           project vip#13 = vip#12, max#5 = max#4, median#5 = median#4
--             aggregate by vip#12 = vip#11: max#4 = max(n#4), median#4 = median(n#4)
--               project vip#11 = vip#10, segment#11 = segment#10, n#4 = n#3
--                 project vip#10 = vip#9, segment#10 = segment#9, n#3 = count#3
--                   project vip#9 = vip#8, segment#9 = segment#8, count#3 = count#2
--                     filter present#2
--                       released r1 (vip#8, segment#8, count#2, present#2)
--         project vip#19 = NULL, segment#17 = NULL, max#9 = max#8, median#9 = median#8
--           project max#8 = max#7, median#8 = median#7
--             aggregate: max#7 = max(n#6), median#7 = median(n#6)
--               project vip#18 = vip#17, segment#16 = segment#15, n#6 = n#5
--                 project vip#17 = vip#16, segment#15 = segment#14, n#5 = count#5
--                   project vip#16 = vip#15, segment#14 = segment#13, count#5 = count#4
--                     filter present#3
--                       released r1 (vip#15, segment#13, count#4, present#3)
==
# case: aggregates_public/fraction-too-large
SELECT QUANTILE_CONT(n, 95) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  a quantile's fraction must be from 0 to 1
--                      ^^
-- help: write 0.25 for the value that a quarter of the rows does not exceed
==
# case: aggregates_public/fraction-no-constant
SELECT QUANTILE_CONT(n, region / 10) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  a quantile's fraction must be a constant from 0 to 1
--                      ^^^^^^^^^^^
-- help: write the number itself, such as 0.25
==
# case: aggregates_public/fraction-missing
SELECT PERCENTILE_CONT(0.5) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  a quantile takes a value and a fraction
--     ^^^^^^^^^^^^^^^^^^^
-- help: write QUANTILE_CONT(x, 0.5)
==
# case: aggregates_public/discrete-descending
SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n DESC) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP104  PERCENTILE_DISC in descending order
--                                                 ^
-- help: write ORDER BY x alone
==
# case: aggregates_public/between-texts
SELECT QUANTILE_CONT(segment, 0.5) AS q FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) x
-- reject DP205  needs a number or a date, not VARCHAR
--                   ^^^^^^^
-- help: QUANTILE_DISC gives one of the values
==
# case: aggregates_public/bins-no-constants
SELECT HISTOGRAM(n, [10, region]) AS h FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP205  bins are a list of constants
--                       ^^^^^^
-- help: write [10, 20, 30]
==
# case: aggregates_public/bins-of-another-type
SELECT HISTOGRAM(n, [10, 20.5]) AS h FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project h = histogram
--       aggregate: histogram = histogram(coerce(n), 10, 41/2)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/several-keys
SELECT ARG_MAX(region, n, 3) AS best FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP104  ARG_MAX of several rows is not supported
--     ^^^^^^^^^^^^^^^^^^^^
-- help: write ARG_MAX(key, by) for one of them
==
# case: aggregates_public/distinct-spread
SELECT STDDEV(DISTINCT n) AS s FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP104  DISTINCT takes one expression in COUNT, SUM and AVG
--                     ^
-- help: leave out DISTINCT
==
# case: aggregates_public/listed
SELECT LIST(n) AS l, ANY_VALUE(n) AS v, STRING_AGG(region, ',') AS s FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- reject DP204  the aggregate list is not supported
--     ^^^^^^
-- help: rows cannot be listed: GROUP BY the value
-- reject DP204  the aggregate any_value is not supported
--                             ^
-- help: use MIN, MAX or MODE
-- reject DP204  the aggregate string_agg is not supported
--                                      ^^^^^^^^^^^^^^^^^^^^^^
-- help: rows cannot be listed: GROUP BY the value
==
# case: aggregates_public/list-is-only-output
SELECT q + 1 AS x FROM (SELECT QUANTILE_CONT(n, [0.5]) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x) y
-- reject DP205  +: needs a number, not DOUBLE[]
--     ^
