# policy: shop
# case: functions_strings/length
SELECT COUNT(*) AS n FROM customers WHERE LENGTH(email) > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: functions_strings/sum-of-length-of-domain
SELECT SUM(LENGTH(segment)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=4294967296 l2=4294967296 linf=4294967296 groups=1  (rows per unit 1, proven (id is the key of customers); LENGTH(segment) in [0, 4294967296], proven)
==
# case: functions_strings/sum-of-length
SELECT SUM(LEAST(LENGTH(email), 20)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=20 l2=20 linf=20 groups=1  (rows per unit 1, proven (id is the key of customers); LEAST(LENGTH(email), CAST(20 AS BIGINT)) in [0, 20], proven)
==
# case: functions_strings/lower-upper
SELECT COUNT(*) AS n FROM customers WHERE LOWER(email) = 'a' OR UPPER(email) = 'B'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: functions_strings/substring-trim
SELECT COUNT(*) AS n FROM customers WHERE SUBSTRING(email, 2, 1) = 'b' OR TRIM(email) = 'x' OR LTRIM(email) = 'x '
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: functions_strings/concat
SELECT COUNT(*) AS n FROM customers WHERE email || segment = 'ahome'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
==
# case: functions_strings/substring-variable
SELECT COUNT(*) AS n FROM customers WHERE SUBSTRING(email, age) = 'a'
-- reject DP205  substring: argument 2 must be a constant from -1000000 to 1000000
--                                                         ^^^
==
# case: functions_strings/upper-of-domain
SELECT UPPER(segment) AS s, COUNT(*) AS n FROM customers GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
==
# case: functions_strings/regexp
SELECT COUNT(*) AS n FROM customers WHERE regexp_matches(email, '(a+)+$')
-- reject DP204  the function regexplike is not on the allow-list
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
