# about: BOOL_OR, BOOL_AND, COUNT_IF and HISTOGRAM: counts of the rows for which something is true
# policy: shop
# case: indicators/bool-or
SELECT BOOL_OR(vip) AS b FROM customers
-- accept
-- sensitivity: count(vip)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: bool_or = bool_or(vip)
--       scan customers (id, vip)
-- sql:
SELECT COUNT(*) AS "n", COUNT((CASE WHEN "t1"."vip" THEN 1 ELSE CAST(NULL AS INT) END)) AS "n1"
FROM "main"."customers" AS "t1"
==
# case: indicators/bool-and
# note: the rows for which it is FALSE are counted
SELECT BOOL_AND(vip) AS b FROM customers
-- accept
-- sensitivity: count(NOT vip)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: bool_and = bool_and(vip)
--       scan customers (id, vip)
-- sql:
SELECT COUNT(*) AS "n", COUNT((CASE WHEN (NOT "t1"."vip") THEN 1 ELSE CAST(NULL AS INT) END)) AS "n1"
FROM "main"."customers" AS "t1"
==
# case: indicators/condition
SELECT BOOL_OR(amount > 400) AS b, BOOL_AND(amount > 100) AS c FROM orders
-- accept
-- sensitivity: count(amount > CAST(400.00 AS DECIMAL(10, 2)))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(NOT amount > CAST(100.00 AS DECIMAL(10, 2)))  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: bool_or = bool_or((amount > 400)), bool_and = bool_and((amount > 100))
--       scan orders (id, customer, amount)
==
# case: indicators/null-does-not-count
SELECT BOOL_OR(paid) AS b, BOOL_AND(paid) AS c FROM orders
-- accept
-- sensitivity: count(paid)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(NOT paid)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: bool_or = bool_or(paid), bool_and = bool_and(paid)
--       scan orders (id, customer, paid)
==
# case: indicators/bool-filtered
SELECT BOOL_OR(paid) FILTER (WHERE units > 3) AS b FROM orders
-- accept
-- sensitivity: count(CASE WHEN (units > 3) THEN paid ELSE CAST(NULL AS BOOLEAN) END)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: bool_or = bool_or(case((units > 3) then paid; else NULL))
--       scan orders (id, customer, paid, units)
==
# case: indicators/bool-grouped
SELECT vip, BOOL_OR(age > 60) AS b FROM customers GROUP BY vip
-- accept
-- sensitivity: count(age > 60)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: bool_or = bool_or((age > 60))
--       scan customers (id, age, vip)
==
# case: indicators/bool-having
# differs: groups are kept by their noisy counts
SELECT vip, COUNT(*) AS n FROM customers GROUP BY vip HAVING BOOL_OR(age > 60)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(age > 60)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: bool_or = bool_or((age > 60)), count = count(*)
--       scan customers (id, age, vip)
--   answer:
--     project vip#3 = vip#2, n = count
--       filter bool_or
--         released r1 (vip#2, bool_or, count)
==
# case: indicators/count-if
SELECT COUNT_IF(paid) AS n, COUNT_IF(amount > 100) AS m FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(case(paid then 1; else NULL)), count#2 = count(case((amount > 100) then 1; else NULL))
--       scan orders (id, customer, amount, paid)
==
# case: indicators/count-if-shared
# note: the same rows are counted once
SELECT COUNT_IF(vip) AS a, COUNT(*) FILTER (WHERE vip) AS b FROM customers
-- accept
-- sensitivity: a  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(case(vip then 1; else NULL))
--       scan customers (id, vip)
==
# case: indicators/histogram
# note: a row is in one bin: all bins together cost what one count does
SELECT HISTOGRAM(age, [30, 50, 70]) AS h FROM customers
-- accept
-- sensitivity: count(age <= 30)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(30 < age <= 50)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: count(50 < age <= 70)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: histogram = histogram(age, 30, 50, 70)
--       scan customers (id, age)
-- sql:
SELECT COUNT(*) AS "n", COUNT((CASE WHEN ("t1"."age" <= 30) THEN 1 ELSE CAST(NULL AS INT) END)) AS "n1", COUNT((CASE WHEN (("t1"."age" > 30) AND ("t1"."age" <= 50)) THEN 1 ELSE CAST(NULL AS INT) END)) AS "n2", COUNT((CASE WHEN (("t1"."age" > 50) AND ("t1"."age" <= 70)) THEN 1 ELSE CAST(NULL AS INT) END)) AS "n3"
FROM "main"."customers" AS "t1"
==
# case: indicators/histogram-of-decimals
# note: compared as DOUBLEs; an end need be no DECIMAL of the column's type
SELECT HISTOGRAM(amount, [0.1, 99.99, 249.995]) AS h FROM orders
-- accept
-- sensitivity: count(amount <= 0.1)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(0.1 < amount <= 99.99)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(99.99 < amount <= 249.995)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(amount, 3602879701896397/36028797018963968, 7036170730324623/70368744177664, 2198979275086889/8796093022208)
--       scan orders (id, customer, amount)
==
# case: indicators/histogram-beyond-the-decimals
SELECT HISTOGRAM(amount, [-1e300, 250, 1e12]) AS h FROM orders
-- accept
-- sensitivity: count(amount <= -1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(-1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160 < amount <= 250)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(250 < amount <= 1000000000000)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(amount, -1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160, 250, 1000000000000)
--       scan orders (id, customer, amount)
==
# case: indicators/histogram-of-doubles
SELECT HISTOGRAM(weight, [0.1, 5, 20]) AS h FROM orders
-- accept
-- sensitivity: count(weight <= 0.1)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(0.1 < weight <= 5)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(5 < weight <= 20)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(weight, 3602879701896397/36028797018963968, 5, 20)
--       scan orders (id, customer, weight)
==
# case: indicators/histogram-of-dates
SELECT HISTOGRAM(day, [DATE '2024-03-31', DATE '2024-06-30']) AS h FROM orders
-- accept
-- sensitivity: count(day <= 2024-03-31)  l0=2 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(2024-03-31 < day <= 2024-06-30)  l0=2 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(day, 2024-03-31, 2024-06-30)
--       scan orders (id, customer, day)
==
# case: indicators/histogram-of-an-unbounded-column
# note: the bins are public; what is in none is not told
SELECT HISTOGRAM(rate, [0, 1, 2]) AS h FROM orders
-- accept
-- sensitivity: count(rate <= 0)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(0 < rate <= 1)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(1 < rate <= 2)  l0=3 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(rate, 0, 1, 2)
--       scan orders (id, customer, rate)
==
# case: indicators/ends-in-any-order-and-twice
SELECT HISTOGRAM(units, [6, 3, 6]) AS h FROM orders
-- accept
-- sensitivity: count(units <= 3)  l0=2 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(3 < units <= 6)  l0=2 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(units, 3, 6)
--       scan orders (id, customer, units)
==
# case: indicators/histogram-filtered
SELECT HISTOGRAM(units, [3, 6]) FILTER (WHERE paid) AS h, COUNT(*) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END <= 3)  l0=2 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- sensitivity: count(3 < CASE WHEN paid THEN units ELSE CAST(NULL AS INT) END <= 6)  l0=2 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: histogram = histogram(case(paid then units; else NULL), 3, 6), count = count(*)
--       scan orders (id, customer, paid, units)
==
# case: indicators/histogram-grouped
SELECT vip, HISTOGRAM(age, [40, 60]) AS h FROM customers GROUP BY vip
-- accept
-- sensitivity: count(age <= 40)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(40 < age <= 60)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by vip#2 = vip: histogram = histogram(age, 40, 60)
--       scan customers (id, age, vip)
==
# case: indicators/histogram-without-bins
SELECT HISTOGRAM(age) AS h FROM customers
-- reject DP303  the bins of a histogram of private rows must be public
--     ^^^^^^^^^^^^^
-- help: name the upper ends of the bins: HISTOGRAM(x, [10, 20, 30])
==
# case: indicators/histogram-of-texts
SELECT HISTOGRAM(segment, ['home']) AS h FROM customers
-- reject DP205  bins of numbers and dates, not of VARCHAR
--                         ^^^^^^
-- help: HISTOGRAM(x) counts each value
==
# case: indicators/bins-of-a-column
SELECT HISTOGRAM(age, [age]) AS h FROM customers
-- reject DP205  bins are a list of constants
--                     ^^^
-- help: write [10, 20, 30]
==
# case: indicators/bool-of-a-number
SELECT BOOL_OR(age) AS b FROM customers
-- reject DP205  needs a condition, not INTEGER
--             ^^^
==
# case: indicators/bool-distinct
SELECT BOOL_OR(DISTINCT vip) AS b FROM customers
-- accept
-- sensitivity: count(vip)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: bool_or = bool_or(vip)
--       scan customers (id, vip)
==
# policy: replace
# case: indicators/replace-bool
SELECT BOOL_OR(weight > 140) AS b FROM patients
-- accept
-- sensitivity: count(weight > 140)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- plan:
--   r1:
--     aggregate: bool_or = bool_or((weight > 140))
--       scan patients (pid, weight)
==
# case: indicators/replace-histogram
# note: a row may leave one bin and come to another
SELECT HISTOGRAM(weight, [60, 90]) AS h FROM patients
-- accept
-- sensitivity: count(weight <= 60)  l0=2 l1=2 l2=1.41421356237 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- sensitivity: count(60 < weight <= 90)  l0=2 l1=2 l2=1.41421356237 linf=1 groups=1  (rows per unit 1, proven (pid is the key of patients))
-- plan:
--   r1:
--     aggregate: histogram = histogram(weight, 60, 90)
--       scan patients (pid, weight)
==
# case: indicators/replace-histogram-grouped
SELECT ward, HISTOGRAM(days, [7, 14]) AS h FROM stays GROUP BY ward
-- accept
-- sensitivity: count(days <= 7)  l0=4 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); groups: ward: 3 values; a unit can be in several)
-- sensitivity: count(7 < days <= 14)  l0=4 l1=4 l2=2.82842712475 linf=2 groups=3  (rows per unit 2, enforced per unit (2 rows of stays per pid); groups: ward: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by ward#2 = ward: histogram = histogram(days, 7, 14)
--       scan stays (pid, days, ward)
