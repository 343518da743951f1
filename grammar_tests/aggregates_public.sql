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
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project s = stddev_samp
--       aggregate: stddev_samp = stddev_samp(distinct n)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/listed
SELECT LIST(n) AS l, ANY_VALUE(n) AS v, STRING_AGG(region, ',') AS s FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project l = list, v = any_value, s = string_agg
--       aggregate: list = list(n), any_value = any_value(n), string_agg = string_agg(concat(coerce(region#3)), ,)
--         project region#3 = region#2, n = count
--           project region#2, count
--             filter present
--               released r1 (region#2, count, present)
==
# case: aggregates_public/list-is-only-output
SELECT q + 1 AS x FROM (SELECT QUANTILE_CONT(n, [0.5]) AS q FROM (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x) y
-- reject DP205  +: needs a number, not DOUBLE[]
--     ^
==
# case: aggregates_public/released-list
# differs: groups may tie
SELECT LIST(n) AS l, ARRAY_AGG(status ORDER BY n DESC) AS s FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project l = list, s = list#2
--       aggregate: list = list(n), list#2 = list(status#3; order n desc nulls last)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: aggregates_public/released-list-distinct
SELECT LIST(DISTINCT vip) AS l, LIST(DISTINCT segment ORDER BY segment DESC) AS s FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip
--       scan customers (id, vip, segment)
--   answer:
--     project l = list, s = list#2
--       aggregate: list = list(distinct vip#3; order vip#3 asc nulls last), list#2 = list(distinct segment#3; order segment#3 desc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2
--           project segment#2, vip#2
--             filter present
--               released r1 (segment#2, vip#2, present)
==
# case: aggregates_public/released-list-filtered
SELECT LIST(segment ORDER BY n) FILTER (WHERE vip) AS l FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project l = list
--       aggregate: list = list(segment#3; order n asc nulls last) where vip#3
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-list-grouped
SELECT vip, LIST(segment ORDER BY n DESC) AS l FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY vip
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project vip#5 = vip#4, l = list
--       aggregate by vip#4 = vip#3: list = list(segment#3; order n desc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-list-having
SELECT vip, LIST(n) AS l FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY vip HAVING SUM(n) > 10 ORDER BY vip
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     sort vip#5 asc nulls last
--       project vip#5 = vip#4, l = list
--         filter (sum > 10)
--           aggregate by vip#4 = vip#3: sum = sum(n), list = list(n)
--             project segment#3 = segment#2, vip#3 = vip#2, n = count
--               project segment#2, vip#2, count
--                 filter present
--                   released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-list-of-null
# differs: groups may tie
SELECT LIST(NULLIF(status, 'open') ORDER BY n) AS l FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project l = list
--       aggregate: list = list(nullif(status#3, 'open'); order n asc nulls last)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: aggregates_public/released-list-rolled-up
SELECT vip, LIST(segment ORDER BY segment) AS l FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY ROLLUP (vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip
--       scan customers (id, vip, segment)
--   answer:
--     project vip#14 = vip#13, l = list#7
--       union (vip#13, list#7)
--         project vip#7 = vip#6, list#3 = list#2
--           project vip#6 = vip#5, list#2 = list
--             aggregate by vip#5 = vip#4: list = list(segment#4; order segment#4 asc nulls last)
--               project segment#4 = segment#3, vip#4 = vip#3
--                 project segment#3 = segment#2, vip#3 = vip#2
--                   project segment#2, vip#2
--                     filter present
--                       released r1 (segment#2, vip#2, present)
--         project vip#12 = NULL, list#6 = list#5
--           project list#5 = list#4
--             aggregate: list#4 = list(segment#8; order segment#8 asc nulls last)
--               project segment#8 = segment#7, vip#11 = vip#10
--                 project segment#7 = segment#6, vip#10 = vip#9
--                   project segment#6 = segment#5, vip#9 = vip#8
--                     filter present#2
--                       released r1 (segment#5, vip#8, present#2)
==
# case: aggregates_public/released-list-in-a-join
SELECT r.zone, LIST(x.n ORDER BY x.n) AS l FROM regions r JOIN (SELECT region, COUNT(*) AS n FROM customers GROUP BY region) x ON x.region = r.id GROUP BY r.zone
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: region: from the public regions; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by region#2 = id#2: count = count(*)
--       join inner on (region = id#2)
--         scan customers (id, region)
--         scan regions (id#2)
--   answer:
--     project zone#3 = zone#2, l = list
--       aggregate by zone#2 = zone: list = list(n; order n asc nulls last)
--         join inner on (region#3 = id#3)
--           scan regions (id#3, name, zone)
--           project region#3 = region#2, n = count
--             project region#2, count
--               filter present
--                 released r1 (region#2, count, present)
==
# case: aggregates_public/released-list-of-lists
SELECT LIST(q) AS l FROM (SELECT status, QUANTILE_CONT(n, [0.5]) AS q FROM (SELECT status, paid, COUNT(*) AS n FROM orders GROUP BY status, paid) GROUP BY status) y
-- reject DP205  needs a number, a text, a condition or a date, not DOUBLE[]
--          ^
==
# case: aggregates_public/released-list-in-a-condition
SELECT vip FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY vip HAVING LIST(n) = LIST(n)
-- reject DP205  =: BIGINT[] cannot be compared
--                                                                                                                                 ^^^^^^
==
# case: aggregates_public/released-string-agg
SELECT STRING_AGG(status, ', ' ORDER BY n DESC) AS s FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project s = string_agg
--       aggregate: string_agg = string_agg(status#3, , ; order n desc nulls last)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: aggregates_public/released-string-agg-of-numbers
SELECT STRING_AGG(n, '/') AS s FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project s = string_agg
--       aggregate: string_agg = string_agg(concat(coerce(n)), /)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: aggregates_public/released-string-agg-plain
SELECT STRING_AGG(segment) AS s, GROUP_CONCAT(segment, '') AS g, LISTAGG(segment, ';' ORDER BY n, b DESC) AS l FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*), sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project s = string_agg, g = string_agg#2, l = string_agg#3
--       aggregate: string_agg = string_agg(segment#3, ,), string_agg#2 = string_agg(segment#3, ), string_agg#3 = string_agg(segment#3, ;; order n asc nulls last, b desc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count, b = sum
--           project segment#2, vip#2, count, sum
--             filter present
--               released r1 (segment#2, vip#2, count, sum, present)
==
# case: aggregates_public/released-string-agg-distinct
SELECT STRING_AGG(DISTINCT segment, '+') AS s FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip
--       scan customers (id, vip, segment)
--   answer:
--     project s = string_agg
--       aggregate: string_agg = string_agg(distinct segment#3, +; order segment#3 asc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2
--           project segment#2, vip#2
--             filter present
--               released r1 (segment#2, vip#2, present)
==
# case: aggregates_public/released-string-agg-distinct-by-another
SELECT STRING_AGG(DISTINCT segment, '+' ORDER BY n) AS s FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- reject DP104  DISTINCT is sorted by the value alone
--                         ^^^^^^^^^^^^^^^^^^^^^^^
==
# case: aggregates_public/released-string-agg-filtered
SELECT vip, STRING_AGG(segment ORDER BY n) FILTER (WHERE n > 2) AS s FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY vip
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project vip#5 = vip#4, s = string_agg
--       aggregate by vip#4 = vip#3: string_agg = string_agg(case((n > 2) then segment#3; else NULL), ,; order n asc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-string-agg-no-constant
SELECT STRING_AGG(segment, segment) AS s FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- reject DP205  what stands between texts is a constant
--                         ^^^^^^^
==
# case: aggregates_public/released-string-agg-in-a-function
SELECT LENGTH(STRING_AGG(segment ORDER BY n)) AS s, UPPER(STRING_AGG(segment ORDER BY n)) AS u FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project s = length(string_agg), u = upper(string_agg)
--       aggregate: string_agg = string_agg(segment#3, ,; order n asc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-string-agg-read-again
SELECT COUNT(*) AS n FROM customers WHERE segment = (SELECT STRING_AGG(status, '') FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING COUNT(*) > 9))
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   f1:
--     project string_agg(status, '') = string_agg
--       aggregate: string_agg = string_agg(status#3, )
--         project status#3 = status#2, n = count
--           filter (count > 9)
--             project status#2, count
--               filter present
--                 released r1 (status#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (segment = string_agg(status, ''))
--         scan customers (id#2, segment)
--         released f1 (string_agg(status, ''))
==
# case: aggregates_public/released-first-and-last
SELECT FIRST(segment ORDER BY n DESC) AS f, LAST(segment ORDER BY n DESC) AS l, ANY_VALUE(segment) AS a FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project f = first, l = last, a = any_value
--       aggregate: first = first(segment#3; order n desc nulls last), last = last(segment#3; order n desc nulls last), any_value = any_value(segment#3)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-first-filtered
SELECT FIRST(segment ORDER BY b) FILTER (WHERE vip) AS f, ANY_VALUE(vip) FILTER (WHERE n > 3) AS a FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*), sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project f = first, a = any_value
--       aggregate: first = first(segment#3; order b asc nulls last) where vip#3, any_value = any_value(case((n > 3) then vip#3; else NULL))
--         project segment#3 = segment#2, vip#3 = vip#2, n = count, b = sum
--           project segment#2, vip#2, count, sum
--             filter present
--               released r1 (segment#2, vip#2, count, sum, present)
==
# case: aggregates_public/released-first-of-groups
SELECT segment, FIRST(vip ORDER BY n DESC) AS v FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project segment#5 = segment#4, v = first
--       aggregate by segment#4 = segment#3: first = first(vip#3; order n desc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-first-read-again
SELECT COUNT(*) AS n FROM customers WHERE segment = (SELECT FIRST(segment ORDER BY n DESC) FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   f1:
--     project first(segment order by n desc) = first
--       aggregate: first = first(segment#3; order n desc nulls last)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
--   r2:
--     aggregate: count#2 = count(*)
--       join inner on (segment#4 = first(segment order by n desc))
--         scan customers (id#2, segment#4)
--         released f1 (first(segment order by n desc))
==
# case: aggregates_public/released-bits
SELECT BIT_AND(n) AS a, BIT_OR(n) AS o, BIT_XOR(n) AS x FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       scan orders (id, customer, status)
--   answer:
--     project a = bit_and, o = bit_or, x = bit_xor
--       aggregate: bit_and = bit_and(n), bit_or = bit_or(n), bit_xor = bit_xor(n)
--         project status#3 = status#2, n = count
--           project status#2, count
--             filter present
--               released r1 (status#2, count, present)
==
# case: aggregates_public/released-bits-of-fractions
SELECT BIT_AND(b / 2) AS a FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- reject DP205  needs a whole number, not DOUBLE
--             ^^^^^
==
# case: aggregates_public/released-product
SELECT PRODUCT(n) AS p, MAD(n) AS m, ENTROPY(vip) AS e FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*)
--       scan customers (id, vip, segment)
--   answer:
--     project p = product, m = mad, e = entropy
--       aggregate: product = product(n), mad = mad(n), entropy = entropy(vip#3)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count
--           project segment#2, vip#2, count
--             filter present
--               released r1 (segment#2, vip#2, count, present)
==
# case: aggregates_public/released-shape
SELECT vip, SKEWNESS(n) AS s, KURTOSIS(b) AS k FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x GROUP BY vip
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*), sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project vip#5 = vip#4, s = skewness, k = kurtosis
--       aggregate by vip#4 = vip#3: skewness = skewness(n), kurtosis = kurtosis(b)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count, b = sum
--           project segment#2, vip#2, count, sum
--             filter present
--               released r1 (segment#2, vip#2, count, sum, present)
==
# case: aggregates_public/released-lines
SELECT REGR_COUNT(n, b) AS c, REGR_AVGX(n, b) AS ax, REGR_AVGY(n, b) AS ay, REGR_SXX(n, b) AS xx, REGR_SXY(n, b) AS xy, REGR_SYY(n, b) AS yy FROM (SELECT segment, vip, COUNT(*) AS n, SUM(balance) AS b FROM customers GROUP BY segment, vip) x
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=6  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; vip: 2 values; a unit is in one group; groups in which it is no more than noise are left out)
-- sensitivity: centred sum(balance)  l0=1 l1=3000 l2=3000 linf=3000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 2000, the middle; groups: segment: 3 values; vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by segment#2 = segment, vip#2 = vip: count = count(*), sum = sum(balance)
--       scan customers (id, balance, vip, segment)
--   answer:
--     project c = regr_count, ax = regr_avgx, ay = regr_avgy, xx = regr_sxx, xy = regr_sxy, yy = regr_syy
--       aggregate: regr_count = regr_count(n, b), regr_avgx = regr_avgx(n, b), regr_avgy = regr_avgy(n, b), regr_sxx = regr_sxx(n, b), regr_sxy = regr_sxy(n, b), regr_syy = regr_syy(n, b)
--         project segment#3 = segment#2, vip#3 = vip#2, n = count, b = sum
--           project segment#2, vip#2, count, sum
--             filter present
--               released r1 (segment#2, vip#2, count, sum, present)
==
# case: aggregates_public/released-of-private-groups
SELECT LIST(n ORDER BY n DESC) AS l FROM (SELECT email, COUNT(*) AS n FROM customers GROUP BY email) x
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                                                            ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: aggregates_public/private-list
SELECT LIST(amount) AS l FROM orders
-- reject DP204  the aggregate list of private rows is not supported
--     ^^^^^^^^^^^
-- help: rows cannot be listed: GROUP BY the value
==
# case: aggregates_public/private-string-agg
SELECT status, STRING_AGG(code, ',') AS s FROM orders GROUP BY status
-- reject DP204  the aggregate string_agg of private rows is not supported
--             ^^^^^^^^^^^^^^^^^^^^
-- help: rows cannot be listed: GROUP BY the value
==
# case: aggregates_public/private-first
SELECT FIRST(amount ORDER BY day) AS f, LAST(amount) AS l, ANY_VALUE(status) AS a FROM orders
-- reject DP204  the aggregate first of private rows is not supported
--     ^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use MIN, MAX or MODE
-- reject DP204  the aggregate last of private rows is not supported
--                                      ^^^^^^^^^^^
-- help: use MIN, MAX or MODE
-- reject DP204  the aggregate any_value of private rows is not supported
--                                                                   ^^^^^^
-- help: use MIN, MAX or MODE
==
# case: aggregates_public/private-bits
SELECT BIT_AND(units) AS b, BIT_XOR(units) AS x FROM orders
-- reject DP204  the aggregate bit_and of private rows is not supported
--     ^^^^^^^^^^^^^
-- help: count a bit: COUNT_IF(x & 4 > 0)
-- reject DP204  the aggregate bit_xor of private rows is not supported
--                          ^^^^^^^^^^^^^
-- help: count a bit: COUNT_IF(x & 4 > 0)
==
# case: aggregates_public/private-shape
SELECT SKEWNESS(amount) AS s, KURTOSIS(amount) AS k, PRODUCT(units) AS p, MAD(amount) AS m, ENTROPY(status) AS e FROM orders
-- reject DP204  the aggregate skewness of private rows is not supported
--     ^^^^^^^^^^^^^^^
-- help: write AVG(POW(x - (SELECT AVG(x) FROM t), 3)) / POW(STDDEV_POP(x), 3)
-- reject DP204  the aggregate kurtosis of private rows is not supported
--                            ^^^^^^^^^^^^^^^
-- help: write AVG(POW(x - (SELECT AVG(x) FROM t), 4)) / POW(STDDEV_POP(x), 4) - 3
-- reject DP204  the aggregate product of private rows is not supported
--                                                   ^^^^^^^^^^^^^
-- help: write EXP(SUM(LN(GREATEST(x, low)))), of numbers from low on, above 0
-- reject DP204  the aggregate mad of private rows is not supported
--                                                                        ^^^^^^^^^^
-- help: write MEDIAN(ABS(x - (SELECT MEDIAN(x) FROM t)))
-- reject DP204  the aggregate entropy of private rows is not supported
--                                                                                          ^^^^^^^^^^^^^^
-- help: count the values: SELECT -SUM(p * LOG2(p)) FROM (SELECT n / SUM(n) OVER () AS p FROM (SELECT x, COUNT(*) AS n … GROUP BY x)) WHERE p > 0
==
# case: aggregates_public/per-unit-list
SELECT COUNT(*) AS n FROM (SELECT customer, LIST(amount) AS l FROM orders GROUP BY customer) x WHERE l IS NOT NULL
-- reject DP204  the aggregate list of one unit's rows is not supported
--                                          ^^^^^^^^^^^
-- help: use COUNT, SUM, AVG, VAR, MIN, MAX, MEDIAN, MODE, ARG_MAX, FIRST or LAST
==
# case: aggregates_public/per-unit-first
SELECT SUM(f) AS s FROM (SELECT customer, FIRST(amount ORDER BY day) AS f FROM orders GROUP BY customer) x
-- accept
-- sensitivity: s  l0=1 l1=500 l2=500 linf=500 groups=1  (rows per unit 1, proven (one group per unit); first in [0, 500], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(first#2)
--       aggregate per unit by customer#2 = customer: first#2 = min(first)
--         project id, customer, day, amount, first = first_value
--           window first_value = first_value(amount) over (partition customer; order day asc nulls last, amount asc nulls last, id asc nulls last, customer asc nulls last)
--             scan orders (id, customer, day, amount)
==
# case: aggregates_public/public-list-beside-private-rows
SELECT r.names, COUNT(*) AS n FROM customers c JOIN (SELECT id, STRING_AGG(name, '+') AS names FROM regions GROUP BY id) r ON r.id = c.region GROUP BY r.names
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: names: from the public regions; a unit is in one group)
-- plan:
--   r1:
--     aggregate by names = string_agg: count = count(*)
--       join inner on (id#3 = region)
--         scan customers (id, region)
--         aggregate by id#3 = id#2: string_agg = string_agg(name, +; order name asc nulls last)
--           scan regions (id#2, name)
==
# case: aggregates_public/public-first-beside-private-rows
SELECT COUNT(*) AS n FROM customers WHERE region = (SELECT FIRST(id ORDER BY name DESC) FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region = first)
--         scan customers (id, region)
--         aggregate: first = first(id#2; order name desc nulls last, id#2 asc nulls last)
--           scan regions (id#2, name)
==
# case: aggregates_public/public-any-value-beside-private-rows
SELECT COUNT(*) AS n FROM customers WHERE region <> (SELECT ANY_VALUE(id) FILTER (WHERE zone = 'north') FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region <> any_value)
--         scan customers (id, region)
--         aggregate: any_value = any_value(case((zone = 'north') then id#2; else NULL); order case((zone = 'north') then id#2; else NULL) asc nulls last)
--           scan regions (id#2, zone)
==
# case: aggregates_public/public-last-filtered-beside-private-rows
SELECT COUNT(*) AS n FROM customers WHERE region = (SELECT LAST(id) FILTER (WHERE zone = 'north') FROM regions)
-- reject DP204  FILTER of last of public rows, beside private ones
--                                                         ^^^^^^^
-- help: filter them in a subquery: FROM (SELECT … WHERE …)
==
# case: aggregates_public/public-statistics-beside-private-rows
SELECT COUNT(*) AS n FROM lines WHERE price > (SELECT MAD(price) + SKEWNESS(price) + REGR_SXY(price, id) + ENTROPY(kind) FROM products)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (coerce(price) > (((coerce(mad) + skewness) + regr_sxy) + entropy))
--         scan lines (order_id, price)
--         aggregate: mad = mad(price#2), skewness = skewness(price#2; order price#2 asc nulls last), regr_sxy = regr_sxy(price#2, id; order price#2 asc nulls last, id asc nulls last), entropy = entropy(kind; order kind asc nulls last)
--           scan products (id, kind, price#2)
==
# case: aggregates_public/public-bits-beside-private-rows
SELECT COUNT(*) AS n FROM customers WHERE region < (SELECT BIT_OR(id) FROM regions)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (region < bit_or)
--         scan customers (id, region)
--         aggregate: bit_or = bit_or(id#2)
--           scan regions (id#2)
==
# case: aggregates_public/public-lists
SELECT zone, LIST(name ORDER BY id) AS l, STRING_AGG(name, '; ') AS s, FIRST(id) AS f FROM regions GROUP BY zone
-- exact
==
# case: aggregates_public/any-value-of-everything
SELECT ANY_VALUE(*) AS a FROM regions r JOIN customers c ON c.region = r.id
-- reject DP205  a star can stand only in COUNT(*)
--               ^
==
# case: aggregates_public/first-of-nothing
SELECT FIRST() AS f FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- reject DP101  the text is not a complete SELECT
--           ^
==
# case: aggregates_public/product-of-two
SELECT PRODUCT(n, n) AS f FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- reject DP205  PRODUCT needs one argument
--     ^^^^^^^^^^^^
==
# case: aggregates_public/product-of-texts
SELECT PRODUCT(status) AS f FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- reject DP205  needs a number, not VARCHAR
--             ^^^^^^
-- help: write COUNT(x), or TRY_CAST(x AS INTEGER)
==
# case: aggregates_public/product-distinct
SELECT PRODUCT(DISTINCT n) AS f FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) x
-- reject DP104  DISTINCT takes one expression in COUNT, SUM, AVG, VAR and STDDEV
--                      ^
-- help: leave out DISTINCT
==
# case: aggregates_public/of-no-more-rows-than-the-table-has
SELECT SUM(n) AS s, SUM(place) AS p FROM orders o JOIN (SELECT day, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY day) AS place FROM holidays GROUP BY day) h ON h.day = o.day
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); count in [1, 3], proven)
-- sensitivity: p  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); row_number in [1, 3], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(count), sum#2 = sum(row_number)
--       join inner on (day#3 = day)
--         scan orders (id, customer, day)
--         window row_number = row_number() over (order day#3 asc nulls last, count asc nulls last)
--           aggregate by day#3 = day#2: count = count(*)
--             scan holidays (day#2)
==
# case: aggregates_public/one-of-public-rows-beside-private-rows
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT id, name FROM regions ORDER BY zone LIMIT 1) p ON p.id = c.region
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#3 = region)
--         scan customers (id, region)
--         limit 1 offset 0
--           sort order asc nulls last, id#3 asc nulls last, name#2 asc nulls last
--             project id#3 = id#2, name#2 = name, order = zone
--               scan regions (id#2, name, zone)
==
# case: aggregates_public/numbered-public-rows-beside-private-rows
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT id, ROW_NUMBER() OVER (ORDER BY zone) AS r, LAST_VALUE(name) OVER (ORDER BY zone) AS l FROM regions) p ON p.id = c.region WHERE p.r > 1 AND p.l <> 'x'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         filter ((row_number > 1) AND (last_value <> 'x'))
--           window row_number = row_number() over (order zone asc nulls last, id#2 asc nulls last, name asc nulls last), last_value = last_value(name) over (partition zone; order id#2 asc nulls last, name asc nulls last; rows preceding to following)
--             scan regions (id#2, name, zone)
==
# case: aggregates_public/floats-beside-private-rows
SELECT COUNT(*) AS n FROM lines WHERE price > (SELECT SUM(CAST(price AS DOUBLE)) FROM products) AND quantity > (SELECT MAX(s) FROM (SELECT AVG(id / 3) OVER (PARTITION BY kind) AS s FROM products)) AND product <> (SELECT ARG_MAX(id, price) FROM products)
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit (2 rows of lines per order_id, 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (product <> arg_max)
--         join inner on (coerce(quantity) > max)
--           join inner on (coerce(price) > sum)
--             scan lines (order_id, product, quantity, price)
--             aggregate: sum = sum(coerce(clamp(price#2, 0, 200)); order coerce(clamp(price#2, 0, 200)) asc nulls last)
--               scan products (id, price#2)
--           aggregate: max = max(avg)
--             window avg = avg(div(coerce(id#2), 3); order div(coerce(id#2), 3) asc nulls last) over (partition kind)
--               scan products (id#2, kind)
--         aggregate: arg_max = arg_max(id#3, price#3; order id#3 asc nulls last, price#3 asc nulls last)
--           scan products (id#3, price#3)
==
# case: aggregates_public/frames-beside-private-rows
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT id, NTH_VALUE(name, 2) OVER (PARTITION BY zone ORDER BY id) AS l, STRING_AGG(name) OVER (ORDER BY zone) AS f FROM regions) p ON p.id = c.region WHERE p.l <> p.f
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on (id#2 = region)
--         scan customers (id, region)
--         filter (nth_value <> string_agg)
--           window nth_value = nth_value(name, 2; order id#2 asc nulls last, name asc nulls last) over (partition zone; order id#2 asc nulls last), string_agg = string_agg(name, ','; order zone asc nulls last, name asc nulls last) over (order zone asc nulls last)
--             scan regions (id#2, name, zone)
==
# case: aggregates_public/frames-without-nulls-beside-private-rows
SELECT COUNT(*) AS n FROM customers c JOIN (SELECT id, LAST_VALUE(name IGNORE NULLS) OVER (ORDER BY zone) AS f FROM regions) p ON p.id = c.region WHERE p.f <> 'a'
-- reject DP204  last_value with IGNORE NULLS, of public rows beside private ones
--                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: filter them in a subquery: FROM (SELECT … WHERE x IS NOT NULL)
