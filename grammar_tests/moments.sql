# about: VAR, STDDEV, COVAR, CORR, REGR_*: sums of squares and products around the middle
# policy: shop
# case: moments/variance-of-integers
SELECT VAR_POP(age) AS v FROM customers
-- accept
-- sql:
==
# case: moments/four-of-one
# note: one sum, one sum of squares and one count for all of them
SELECT VAR_POP(age) AS vp, VAR_SAMP(age) AS vs, STDDEV_POP(age) AS sp, STDDEV_SAMP(age) AS ss FROM customers
==
# case: moments/synonyms
SELECT VARIANCE(units) AS v, STDDEV(units) AS s FROM orders
==
# case: moments/shares-with-average-and-count
SELECT AVG(balance) AS a, VAR_SAMP(balance) AS v, COUNT(*) AS n, SUM(balance) AS s FROM customers
==
# case: moments/never-null
# note: the number of rows is the number of values
SELECT VAR_POP(units) AS v FROM orders
==
# case: moments/double
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT VAR_POP(weight) AS v FROM orders
==
# case: moments/average-beside-variance-of-a-double
# differs: a DOUBLE is rounded to a millionth of its range before it is squared
SELECT AVG(score) AS a, STDDEV_POP(score) AS s FROM customers
==
# case: moments/wide-integers
# differs: more digits than a variance can be told to
SELECT VAR_POP(total) AS v FROM orders
==
# case: moments/expression
SELECT VAR_POP(price * quantity) AS v FROM lines
==
# case: moments/constant
# note: nothing but a count is measured
SELECT VAR_POP(2) AS v, VAR_SAMP(2) AS s FROM orders
==
# case: moments/filtered
SELECT VAR_POP(age) FILTER (WHERE vip) AS v, COUNT(*) FILTER (WHERE vip) AS n FROM customers
==
# case: moments/where-narrows
SELECT VAR_POP(age) AS v FROM customers WHERE age BETWEEN 30 AND 40
==
# case: moments/grouped
SELECT segment, VAR_POP(balance) AS v, AVG(balance) AS a FROM customers GROUP BY segment
==
# case: moments/having
# differs: groups are kept by their noisy deviations
SELECT vip, STDDEV_SAMP(age) AS s FROM customers GROUP BY vip HAVING STDDEV_SAMP(age) > 5
==
# case: moments/arithmetic-on-it
# differs: where nothing varies, noise over noise is anything
SELECT STDDEV_POP(units) / AVG(units) AS relative FROM orders
==
# case: moments/covariance
SELECT COVAR_POP(balance, age) AS c, COVAR_SAMP(balance, age) AS d FROM customers
-- accept
-- sql:
==
# case: moments/pairs-without-null
# note: both may be NULL: a row counts where neither is
SELECT COVAR_POP(amount, code) AS c FROM orders WHERE code BETWEEN 1 AND 5
==
# case: moments/either-order
# note: one sum of products and one number of pairs for both
SELECT COVAR_POP(age, balance) AS a, COVAR_POP(balance, age) AS b, VAR_POP(age) AS v FROM customers
==
# case: moments/with-itself
# note: the covariance is the variance
SELECT COVAR_POP(age, age) AS c, VAR_POP(age) AS v, COUNT(age) AS n FROM customers
==
# case: moments/correlation
# differs: where nothing varies, noise over noise is anything
SELECT CORR(balance, age) AS c FROM customers
==
# case: moments/correlation-with-itself
# differs: where nothing varies, noise over noise is anything
SELECT CORR(age, age) AS c FROM customers
==
# case: moments/correlation-with-a-constant
# note: the engine says NaN, dpsql NULL
SELECT CORR(units, 3) AS c FROM orders
==
# case: moments/regression
# differs: where nothing varies, noise over noise is anything
SELECT REGR_SLOPE(balance, age) AS s, REGR_INTERCEPT(balance, age) AS i, REGR_R2(balance, age) AS r FROM customers
==
# case: moments/correlation-beside-variances
# note: VAR is of all values, CORR of pairs: other rows, so other sums
# differs: where nothing varies, noise over noise is anything
SELECT VAR_POP(amount) AS v, CORR(amount, weight) AS c FROM orders
==
# case: moments/unbounded
SELECT VAR_POP(rate) AS v FROM orders
==
# case: moments/unbounded-second
SELECT CORR(amount, rate) AS c FROM orders
==
# case: moments/of-text
SELECT STDDEV(email) AS s FROM customers
==
# case: moments/of-dates
SELECT VAR_POP(born) AS v FROM customers
==
# case: moments/distinct
SELECT VAR_POP(DISTINCT age) AS v FROM customers
==
# policy: shop verified
# case: moments/verified
SELECT VAR_POP(amount) AS v FROM orders
-- accept
-- sql:
==
# policy: replace
# case: moments/replace-public-rows
# note: the number of rows is public, and no number of values is measured
SELECT VAR_POP(weight) AS v, AVG(weight) AS a FROM patients
-- accept
-- sql:
==
# case: moments/replace-nullable
SELECT COVAR_POP(weight, height) AS c, VAR_POP(weight) AS v FROM patients WHERE height > 1
==
# case: moments/replace-several-rows
SELECT ward, VAR_SAMP(days) AS v FROM stays GROUP BY ward
