# about: BOOL_OR, BOOL_AND, COUNT_IF and HISTOGRAM: counts of the rows for which something is true
# policy: shop
# case: indicators/bool-or
SELECT BOOL_OR(vip) AS b FROM customers
-- accept
-- sql:
==
# case: indicators/bool-and
# note: the rows for which it is FALSE are counted
SELECT BOOL_AND(vip) AS b FROM customers
-- accept
-- sql:
==
# case: indicators/condition
SELECT BOOL_OR(amount > 400) AS b, BOOL_AND(amount > 100) AS c FROM orders
==
# case: indicators/null-does-not-count
SELECT BOOL_OR(paid) AS b, BOOL_AND(paid) AS c FROM orders
==
# case: indicators/bool-filtered
SELECT BOOL_OR(paid) FILTER (WHERE units > 3) AS b FROM orders
==
# case: indicators/bool-grouped
SELECT vip, BOOL_OR(age > 60) AS b FROM customers GROUP BY vip
==
# case: indicators/bool-having
# differs: groups are kept by their noisy counts
SELECT vip, COUNT(*) AS n FROM customers GROUP BY vip HAVING BOOL_OR(age > 60)
==
# case: indicators/count-if
SELECT COUNT_IF(paid) AS n, COUNT_IF(amount > 100) AS m FROM orders
==
# case: indicators/count-if-shared
# note: the same rows are counted once
SELECT COUNT_IF(vip) AS a, COUNT(*) FILTER (WHERE vip) AS b, SUM(CASE WHEN vip THEN 1 ELSE 0 END) AS c FROM customers
==
# case: indicators/histogram
# note: a row is in one bin: all bins together cost what one count does
SELECT HISTOGRAM(age, [30, 50, 70]) AS h FROM customers
-- accept
-- sql:
==
# case: indicators/histogram-of-decimals
SELECT HISTOGRAM(amount, [0.1, 99.99, 250]) AS h FROM orders
==
# case: indicators/histogram-of-doubles
SELECT HISTOGRAM(weight, [0.1, 5, 20]) AS h FROM orders
==
# case: indicators/histogram-of-dates
SELECT HISTOGRAM(day, [DATE '2024-03-31', DATE '2024-06-30']) AS h FROM orders
==
# case: indicators/histogram-of-an-unbounded-column
# note: the bins are public; what is in none is not told
SELECT HISTOGRAM(rate, [0, 1, 2]) AS h FROM orders
==
# case: indicators/ends-in-any-order-and-twice
SELECT HISTOGRAM(units, [6, 3, 6]) AS h FROM orders
==
# case: indicators/histogram-filtered
SELECT HISTOGRAM(units, [3, 6]) FILTER (WHERE paid) AS h, COUNT(*) AS n FROM orders
==
# case: indicators/histogram-grouped
SELECT vip, HISTOGRAM(age, [40, 60]) AS h FROM customers GROUP BY vip
==
# case: indicators/histogram-without-bins
SELECT HISTOGRAM(age) AS h FROM customers
==
# case: indicators/histogram-of-texts
SELECT HISTOGRAM(segment, ['home']) AS h FROM customers
==
# case: indicators/bins-of-a-column
SELECT HISTOGRAM(age, [age]) AS h FROM customers
==
# case: indicators/bool-of-a-number
SELECT BOOL_OR(age) AS b FROM customers
==
# case: indicators/bool-distinct
SELECT BOOL_OR(DISTINCT vip) AS b FROM customers
==
# policy: replace
# case: indicators/replace-bool
SELECT BOOL_OR(weight > 140) AS b FROM patients
==
# case: indicators/replace-histogram
# note: a row may leave one bin and come to another
SELECT HISTOGRAM(weight, [60, 90]) AS h FROM patients
==
# case: indicators/replace-histogram-grouped
SELECT ward, HISTOGRAM(days, [7, 14]) AS h FROM stays GROUP BY ward
