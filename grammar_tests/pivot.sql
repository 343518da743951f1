# about: PIVOT and UNPIVOT
# policy: shop
# case: pivot/of-released
# note: one release, in which a row is in one cell: a column more costs nothing
SELECT * FROM orders PIVOT (SUM(amount) FOR status IN ('open', 'sent') GROUP BY units)
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=27  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: units: 9 values; key: 3 values; a unit can be in several)
==
# case: pivot/statement
PIVOT orders ON status IN ('open', 'sent') USING COUNT(*) GROUP BY paid
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: paid: 2 values; key: 3 values; a unit can be in several)
==
# case: pivot/declared-values
# differs: the columns are those that the policy lists, not those that occur
PIVOT orders ON status USING SUM(amount) GROUP BY units
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=36  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: units: 9 values; key: 4 values; a unit can be in several)
==
# case: pivot/boolean-and-enum
# differs: the columns are those of the types, not those that occur
PIVOT customers ON vip, level USING COUNT(*) GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=21  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; key: 7 values; a unit is in one group)
==
# case: pivot/several-aggregates
SELECT * FROM customers PIVOT (SUM(balance) AS s, COUNT(*) FOR segment IN ('home', 'trade') GROUP BY vip)
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
==
# case: pivot/average
PIVOT customers ON segment IN ('home', 'office') USING AVG(balance) GROUP BY vip
-- accept
-- sensitivity: sum(balance + 1000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around -1000, the least; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
-- sensitivity: sum(balance - 5000)  l0=1 l1=6000 l2=6000 linf=6000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; summed around 5000, the greatest; groups: vip: 2 values; key: 3 values; a unit is in one group; a row adds 6000 to sum(balance + 1000) and sum(balance - 5000) together)
==
# case: pivot/two-columns
PIVOT customers ON segment IN ('home', 'trade'), vip IN (true, false) USING COUNT(*) GROUP BY level
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=20  (rows per unit 1, proven (id is the key of customers); groups: level: 4 values; key: 5 values; a unit is in one group)
==
# case: pivot/without-group
PIVOT (SELECT segment, balance FROM customers) ON segment IN ('home', 'office') USING SUM(balance)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=3  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: key: 3 values; a unit is in one group)
==
# case: pivot/implicit-group
PIVOT (SELECT segment, vip, balance FROM customers) ON segment IN ('home', 'office') USING SUM(balance)
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=6  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: vip: 2 values; key: 3 values; a unit is in one group)
==
# case: pivot/null-and-alias
SELECT * FROM orders PIVOT (COUNT(*) FOR status IN ('open' AS o, NULL AS nothing) GROUP BY units)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=27  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: units: 9 values; key: 3 values; a unit can be in several)
==
# case: pivot/undeclared-column
PIVOT customers ON email IN ('a', 'b') USING COUNT(*) GROUP BY segment
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=9  (rows per unit 1, proven (id is the key of customers); groups: segment: 3 values; key: 3 values; a unit is in one group)
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
==
# case: pivot/per-unit
SELECT AVG(open) AS o, COUNT(done) AS d FROM (PIVOT orders ON status IN ('open', 'done') USING SUM(units) GROUP BY customer) p
-- accept
-- sensitivity: d  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (one group per unit))
-- sensitivity: sum(max - 1)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); max in [1, 27], clamped; summed around 1, the least; a row adds 26 to sum(max - 1) and sum(max - 27) together)
-- sensitivity: sum(max - 27)  l0=1 l1=26 l2=26 linf=26 groups=1  (rows per unit 1, proven (one group per unit); max in [1, 27], clamped; summed around 27, the greatest; a row adds 26 to sum(max - 1) and sum(max - 27) together)
==
# case: pivot/per-unit-count
# note: a customer without open orders has 0 of them
SELECT SUM(open) AS s, COUNT(*) AS n FROM (PIVOT orders ON status IN ('open') USING COUNT(*) GROUP BY customer) p
-- accept
-- sensitivity: s  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); COALESCE(max, CAST(0 AS BIGINT)) in [0, 3], clamped; summed around 0, the least; a row adds 3 to sum(COALESCE(max, CAST(0 AS BIGINT))) and sum(COALESCE(max, CAST(0 AS BIGINT)) - 3) together)
-- sensitivity: sum(COALESCE(max, CAST(0 AS BIGINT)) - 3)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 1, proven (one group per unit); COALESCE(max, CAST(0 AS BIGINT)) in [0, 3], clamped; summed around 3, the greatest; a row adds 3 to sum(COALESCE(max, CAST(0 AS BIGINT))) and sum(COALESCE(max, CAST(0 AS BIGINT)) - 3) together)
==
# case: pivot/alias-and-names
SELECT p.v, h FROM customers PIVOT (COUNT(*) FOR segment IN ('home') GROUP BY vip) AS p(v, h) WHERE h > -1000000
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; key: 2 values; a unit is in one group)
==
# case: pivot/joined-with-public
SELECT r.name, p.home FROM customers PIVOT (COUNT(*) FOR segment IN ('home') GROUP BY region) p JOIN regions r ON r.id = p.region
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; region: from the public regions; a unit is in one group)
==
# case: pivot/with-query
# note: three open orders of one customer are seldom drawn: the claim is tight all the same
WITH o AS (SELECT units, paid, amount FROM orders WHERE status = 'open') PIVOT o ON paid IN (true, false) USING SUM(amount)
-- accept
-- sensitivity: sum(amount)  l0=3 l1=1500 l2=1500 linf=1500 groups=18  (rows per unit 3, enforced per unit (3 rows of orders per customer); amount in [0, 500], clamped; groups: units: 9 values; key: 2 values; a unit can be in several)
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
-- help: group by something that many units share
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
==
# case: pivot/unpivot-leaves-nulls-out
SELECT COUNT(*) AS k FROM (UNPIVOT orders ON paid INTO NAME n VALUE v) u
-- accept
-- sensitivity: k  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit ((3 rows of orders per customer)))
==
# case: pivot/unpivot-include-nulls
SELECT COUNT(*) AS k, COUNT(v) AS known FROM orders UNPIVOT INCLUDE NULLS (v FOR n IN (amount, weight AS w))
-- accept
-- sensitivity: k  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
-- sensitivity: known  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, enforced per unit ((3 rows of orders per customer) plus (3 rows of orders per customer)))
==
# case: pivot/unpivot-released
UNPIVOT (SELECT vip, SUM(balance) AS s, SUM(age) AS a FROM customers GROUP BY vip) ON s, a INTO NAME n VALUE v
-- accept
-- sensitivity: sum(balance)  l0=1 l1=5000 l2=5000 linf=5000 groups=2  (rows per unit 1, proven (id is the key of customers); balance in [-1000, 5000], clamped; groups: vip: 2 values; a unit is in one group)
-- sensitivity: sum(age)  l0=1 l1=99 l2=99 linf=99 groups=2  (rows per unit 1, proven (id is the key of customers); age in [18, 99], clamped; groups: vip: 2 values; a unit is in one group)
==
# case: pivot/unpivot-star
UNPIVOT (SELECT vip, COUNT(*) AS n, COUNT(age) AS a FROM customers GROUP BY vip) ON COLUMNS(* EXCLUDE vip)
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
-- sensitivity: count(age)  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: vip: 2 values; a unit is in one group)
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
