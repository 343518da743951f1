# about: GROUP BY keys that nobody lists: with a δ, groups of enough units come out
# policy: keys
# case: private_keys/one-row-a-unit
# note: COUNT(*) counts the units: it is measured, and paid for, once
SELECT job, COUNT(*) AS n FROM people GROUP BY job
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#2 = job: count = count(*)
--       scan people (id, job)
==
# case: private_keys/units-counted
# note: so it is where a unit may have several rows, and COUNT(DISTINCT unit) is asked for
SELECT page, COUNT(DISTINCT person) AS u FROM visits GROUP BY page
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct person)
--       scan visits (person, page)
==
# case: private_keys/rows-beside-units
SELECT page, COUNT(*) AS n, COUNT(DISTINCT person) AS u FROM visits GROUP BY page
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=51 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(*), count#2 = count(distinct person)
--       scan visits (person, page)
==
# case: private_keys/rows-alone
# note: units are counted all the same: they decide which groups come out
SELECT page, COUNT(*) AS n FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(*)
--       scan visits (person, page)
==
# case: private_keys/sum
# note: a row is a unit, and each unit is in one group
SELECT job, SUM(pay) AS s FROM people GROUP BY job
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 threshold=24 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: centred sum(pay)  l0=1 l1=50 l2=50 linf=50 groups=private  (rows per unit 1, proven (id is the key of people); pay in [0, 100], clamped; summed around 50, the middle; groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#2 = job: sum = sum(pay)
--       scan people (id, job, pay)
==
# case: private_keys/average
SELECT page, AVG(cost) AS a FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=34.8529663086 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: centred sum(cost)  l0=3 l1=75 l2=75 linf=75 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); cost in [-10, 40], clamped; summed around 15, the middle; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: count(cost)  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: avg = avg(cost)
--       scan visits (person, page, cost)
==
# case: private_keys/median
SELECT job, MEDIAN(pay) AS m, COUNT(*) AS n FROM people GROUP BY job
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=24 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=private  (rows per unit 1, proven (id is the key of people); 101 points)
-- plan:
--   r1:
--     aggregate by job#2 = job: median = median(pay), count = count(*)
--       scan people (id, job, pay)
==
# case: private_keys/mode
SELECT page, MODE(kind) AS k FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: k  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); 2 points)
-- plan:
--   r1:
--     aggregate by page#2 = page: mode = mode(kind)
--       scan visits (person, page, kind)
==
# case: private_keys/distinct-values
# note: 3 pairs of a page and a code at most; 3 pages
SELECT page, COUNT(DISTINCT code) AS c FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: c  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct code)
--       scan visits (person, page, code)
==
# case: private_keys/two-keys
SELECT page, code, COUNT(DISTINCT person) AS u FROM visits GROUP BY page, code
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; code: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page, code#2 = code: count = count(distinct person)
--       scan visits (person, page, code)
==
# case: private_keys/mixed-with-listed
# note: rows of a kind that is not listed are dropped
SELECT page, kind, COUNT(*) AS n FROM visits GROUP BY page, kind
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: kind: 2 values; page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: kind: 2 values; page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page, kind#2 = kind: count = count(*)
--       scan visits (person, page, kind)
==
# case: private_keys/mixed-with-a-public-table
SELECT s.town, v.page, SUM(v.cost) AS s FROM visits v JOIN sites s ON v.site = s.id GROUP BY s.town, v.page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: town: from the public sites; page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: s  l0=3 l1=120 l2=120 linf=120 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); cost in [-10, 40], clamped; groups: town: from the public sites; page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by town#2 = town, page#2 = page: sum = sum(cost)
--       join inner on (site = id)
--         scan visits (person, page, site, cost)
--         scan sites (id, town)
==
# case: private_keys/column-of-the-unit
# note: all rows of a person are in one group
SELECT p.job, COUNT(*) AS n, SUM(v.cost) AS s FROM people p JOIN visits v ON v.person = p.id GROUP BY p.job
-- accept
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 threshold=24 groups=private  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); a unit counts once in a group; groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: rows with cost near -10  l0=1 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); cost in [-10, 40], clamped; groups: job: private, shown where enough units are; a unit is in one group; a row adds 1 to all 2 weights together)
-- sensitivity: rows with cost near 40  l0=1 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); cost in [-10, 40], clamped; groups: job: private, shown where enough units are; a unit is in one group; a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate by job#3 = job#2: count = count(*), sum = sum(cost)
--       join inner on (person = id)
--         project id, job#2 = cut(job, 10000)
--           scan people (id, job)
--         scan visits (person, cost)
==
# case: private_keys/date
# note: dates that are no day of the calendar are one group, NULL
SELECT born, COUNT(*) AS n FROM people GROUP BY born
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (id is the key of people); groups: born: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by born#2 = born: count = count(*)
--       scan people (id, born)
-- sql:
SELECT NULLIF(NULLIF(LEAST(GREATEST("t1"."born", CAST('0001-12-31 (BC)' AS DATE)), CAST('10000-01-01' AS DATE)), CAST('0001-12-31 (BC)' AS DATE)), CAST('10000-01-01' AS DATE)) AS "k0", COUNT(*) AS "n"
FROM "main"."people" AS "t1"
GROUP BY NULLIF(NULLIF(LEAST(GREATEST("t1"."born", CAST('0001-12-31 (BC)' AS DATE)), CAST('10000-01-01' AS DATE)), CAST('0001-12-31 (BC)' AS DATE)), CAST('10000-01-01' AS DATE))
==
# case: private_keys/timestamp
SELECT at, COUNT(DISTINCT person) AS u FROM visits GROUP BY at
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: at: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by at#2 = at: count = count(distinct person)
--       scan visits (person, at)
==
# case: private_keys/part-of-a-date
SELECT YEAR(born) AS y, COUNT(*) AS n FROM people GROUP BY y
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (id is the key of people); groups: key: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = year(born): count = count(*)
--       scan people (id, born)
==
# case: private_keys/part-of-a-timestamp
SELECT date_trunc('month', at) AS m, COUNT(DISTINCT person) AS u FROM visits GROUP BY m
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = date_trunc('month', at): count = count(distinct person)
--       scan visits (person, at)
==
# case: private_keys/expression
SELECT UPPER(LEFT(page, 2)) AS p, COUNT(DISTINCT person) AS u FROM visits GROUP BY p
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = upper(left(page, 2)): count = count(distinct person)
--       scan visits (person, page)
==
# case: private_keys/whole-number
SELECT code, COUNT(DISTINCT person) AS u FROM visits WHERE code > 0 GROUP BY code
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: code: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(distinct person)
--       filter (code > 0)
--         scan visits (person, code)
==
# case: private_keys/decimal
# note: bounds of a DECIMAL are no list
SELECT cost, COUNT(DISTINCT person) AS u FROM visits GROUP BY cost
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: cost: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by cost#2 = cost: count = count(distinct person)
--       scan visits (person, cost)
==
# case: private_keys/double
SELECT code / 4 AS k, COUNT(*) AS n FROM visits GROUP BY k
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: key: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = div(coerce(code), 4): count = count(*)
--       scan visits (person, code)
==
# case: private_keys/double-of-a-decimal
SELECT cost / 3 AS k, COUNT(DISTINCT person) AS n FROM visits GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = div(coerce(cost), 3): count = count(distinct person)
--       scan visits (person, cost)
==
# case: private_keys/whole-double
SELECT FLOOR(code / 10) * 10 AS k, SUM(cost) AS s FROM visits GROUP BY k
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: key: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: s  l0=3 l1=120 l2=120 linf=120 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); cost in [-10, 40], clamped; groups: key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (floor(div(coerce(code), 10)) * 10): sum = sum(cost)
--       scan visits (person, code, cost)
==
# case: private_keys/listed-by-a-filter
# note: then the list is public, and no δ is needed
SELECT page, COUNT(DISTINCT person) AS u FROM visits WHERE page IN ('a', 'b') GROUP BY page
-- accept
-- sensitivity: u  l0=2 l1=2 l2=1.41421356237 linf=1 groups=2  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct person)
--       filter in(page, 'a', 'b')
--         scan visits (person, page)
==
# case: private_keys/without-a-count
# note: only the pages themselves
SELECT DISTINCT page FROM visits
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=12.2517242432 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- plan:
--   r1:
--     aggregate by page#2 = page
--       scan visits (person, page)
--   answer:
--     released r1 (page#2)
==
# case: private_keys/filtered
SELECT page, COUNT(*) FILTER (WHERE paid) AS n, SUM(cost) FILTER (WHERE NOT paid) AS s FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: s  l0=3 l1=120 l2=120 linf=120 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); CASE WHEN (NOT paid) THEN cost ELSE CAST(NULL AS DECIMAL(8, 2)) END in [-10, 40], clamped; groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(case(paid then 1; else NULL)), sum = sum(case(not(paid) then cost; else NULL))
--       scan visits (person, page, cost, paid)
==
# case: private_keys/histogram
SELECT page, HISTOGRAM(cost, [0, 10.5]) AS h FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: count(cost <= 0)  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: count(0 < cost <= 10.5)  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: histogram = histogram(cost, 0, 21/2)
--       scan visits (person, page, cost)
==
# case: private_keys/above
SELECT UPPER(job) AS j, n * 2 AS twice FROM (SELECT job, COUNT(*) AS n FROM people GROUP BY job) WHERE n > 1 ORDER BY n DESC LIMIT 3
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#2 = job: count = count(*)
--       scan people (id, job)
--   answer:
--     project j#2 = j, twice#2 = twice
--       limit 3 offset 0
--         sort order desc nulls last
--           project j = upper(job#3), twice = (coerce(n) * 2), order = n
--             filter (n > 1)
--               project job#3 = job#2, n = count
--                 released r1 (job#2, count)
==
# case: private_keys/having
SELECT page, COUNT(DISTINCT person) AS u FROM visits GROUP BY page HAVING AVG(cost) > 1
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=59 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: centred sum(cost)  l0=3 l1=75 l2=75 linf=75 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); cost in [-10, 40], clamped; summed around 15, the middle; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: count(cost)  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: avg = avg(cost), count = count(distinct person)
--       scan visits (person, page, cost)
--   answer:
--     project page#3 = page#2, u = count
--       filter (avg > 1)
--         released r1 (page#2, avg, count)
==
# case: private_keys/shown-groups-counted
# differs: groups of few units are not shown, and so not counted
SELECT COUNT(*) AS pages, SUM(u) AS total FROM (SELECT page, COUNT(DISTINCT person) AS u FROM visits GROUP BY page)
-- accept
-- sensitivity: units  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct person)
--       scan visits (person, page)
--   answer:
--     project pages = count#2, total = sum
--       aggregate: count#2 = count(*), sum = sum(u)
--         project page#3 = page#2, u = count
--           released r1 (page#2, count)
==
# case: private_keys/feed
# note: the second release reads which jobs came out
# differs: groups of few units are not shown
SELECT SUM(p.pay) AS s FROM people p JOIN (SELECT job FROM people GROUP BY job) j ON p.job = j.job
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: sum(pay)  l0=1 l1=100 l2=100 linf=100 groups=1  (rows per unit 1, proven (id is the key of people); pay in [0, 100], clamped)
-- plan:
--   r1:
--     aggregate by job#2 = job
--       scan people (id, job)
--   f1:
--     project job#3 = job#2
--       released r1 (job#2)
--   r2:
--     aggregate: sum = sum(pay)
--       join inner on (job#4 = job#3)
--         scan people (id#2, job#4, pay)
--         released f1 (job#3)
==
# case: private_keys/per-unit-first
# note: a person is in one group of so many pages
SELECT pages, COUNT(*) AS n FROM (SELECT person, COUNT(DISTINCT page) AS pages FROM visits GROUP BY person) GROUP BY pages
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=4  (rows per unit 1, proven (one group per unit); groups: pages: 4 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by pages = count: count#2 = count(*)
--       aggregate per unit by person#2 = person: count = count(distinct page)
--         scan visits (person, page)
==
# case: private_keys/per-unit-text
SELECT first, COUNT(*) AS n FROM (SELECT person, MIN(page) AS first FROM visits GROUP BY person) GROUP BY first
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (one group per unit); groups: first: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by first = min: count = count(*)
--       aggregate per unit by person#2 = person: min = min(page)
--         scan visits (person, page)
==
# case: private_keys/two-releases
# note: δ is shared by both
SELECT job, COUNT(*) AS n FROM people GROUP BY job UNION ALL SELECT page, COUNT(DISTINCT person) FROM visits GROUP BY page
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 threshold=33 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: units  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=62 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by job#2 = job: count = count(*)
--       scan people (id, job)
--   r2:
--     aggregate by page#2 = page: count#2 = count(distinct person)
--       scan visits (person, page)
--   answer:
--     union (job#5, n#3)
--       project job#4 = job#3, n#2 = n
--         project job#3 = job#2, n = count
--           released r1 (job#2, count)
--       project page#4 = page#3, count(distinct person)#2 = count(distinct person)
--         project page#3 = page#2, count(distinct person) = count#2
--           released r2 (page#2, count#2)
==
# case: private_keys/rollup
SELECT page, COUNT(*) AS n FROM visits GROUP BY ROLLUP (page)
-- reject DP405  groups of few units are not shown, and the totals would be without them
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: ask for the totals in a query of their own: … UNION ALL SELECT … GROUP BY …
==
# case: private_keys/rollup-that-does-not-add-up
# note: each set is computed from the rows
SELECT page, COUNT(DISTINCT person) AS u FROM visits GROUP BY ROLLUP (page)
-- accept
-- sensitivity: units  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=50 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct person)
--       scan visits (person, page)
--   r2:
--     aggregate: count#2 = count(distinct person#2)
--       scan visits (person#2)
--   answer:
--     project page#7 = page#6, u = count#7
--       union (page#6, count#7)
--         project page#4 = page#3, count#4 = count#3
--           project page#3 = page#2, count#3 = count
--             released r1 (page#2, count)
--         project page#5 = NULL, count#6 = count#5
--           project count#5 = count#2
--             released r2 (count#2)
==
# case: private_keys/rollup-of-listed-keys
SELECT kind, paid, COUNT(*) AS n FROM visits GROUP BY ROLLUP (kind, paid)
-- accept
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: kind: 2 values; paid: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind, paid#2 = paid: count = count(*)
--       scan visits (person, kind, paid)
--   answer:
--     project kind#18 = kind#17, paid#12 = paid#11, n = count#19
--       union (kind#17, paid#11, count#19)
--         project kind#4 = kind#3, paid#4 = paid#3, count#3 = count#2
--           project kind#3 = kind#2, paid#3 = paid#2, count#2 = count
--             released r1 (kind#2, paid#2, count)
--         project kind#10 = kind#9, paid#7 = NULL, count#9 = count#8
--           project kind#9 = kind#8, count#8 = count#7
--             project kind#8 = kind#7, count#7 = coerce(inside(count#6, -9223372036854775809, 9223372036854775808))
--               aggregate by kind#7 = kind#6: count#6 = sum(count#5)
--                 project kind#6 = kind#5, paid#6 = paid#5, count#5 = count#4
--                   released r1 (kind#5, paid#5, count#4)
--         project kind#16 = NULL, paid#10 = NULL, count#18 = count#17
--           project count#17 = count#16
--             project count#16 = coalesce(coerce(inside(count#15, -9223372036854775809, 9223372036854775808)), 0)
--               aggregate: count#15 = sum(count#14)
--                 project kind#15 = kind#14, count#14 = count#13
--                   project kind#14 = kind#13, count#13 = coerce(inside(count#12, -9223372036854775809, 9223372036854775808))
--                     aggregate by kind#13 = kind#12: count#12 = sum(count#11)
--                       project kind#12 = kind#11, paid#9 = paid#8, count#11 = count#10
--                         released r1 (kind#11, paid#8, count#10)
==
# case: private_keys/totals-of-their-own
# differs: groups of few units are not shown, and the total is
SELECT page, COUNT(*) AS n FROM visits GROUP BY page UNION ALL SELECT NULL, COUNT(*) FROM visits
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=36.0885009766 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(*)
--       scan visits (person, page)
--   r2:
--     aggregate: count#2 = count(*)
--       scan visits (person#2)
--   answer:
--     union (page#5, n#3)
--       project page#4 = page#3, n#2 = n
--         project page#3 = page#2, n = count
--           released r1 (page#2, count)
--       project null#2 = coerce(null), count(*)#2 = count(*)
--         project null = NULL, count(*) = count#2
--           released r2 (count#2)
==
# case: private_keys/grouping-sets-side-by-side
# differs: of listed kinds all are shown, also those without visits
SELECT page, kind, COUNT(DISTINCT person) AS u FROM visits GROUP BY GROUPING SETS ((page), (kind))
-- accept
-- sensitivity: units  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=45 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: units  l0=2 l1=2 l2=1.41421356237 linf=1 groups=2  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: kind: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct person)
--       scan visits (person, page)
--   r2:
--     aggregate by kind#2 = kind: count#2 = count(distinct person#2)
--       scan visits (person#2, kind)
--   answer:
--     project page#7 = page#6, kind#7 = kind#6, u = count#7
--       union (page#6, kind#6, count#7)
--         project page#4 = page#3, kind#3 = NULL, count#4 = count#3
--           project page#3 = page#2, count#3 = count
--             released r1 (page#2, count)
--         project page#5 = NULL, kind#5 = kind#4, count#6 = count#5
--           project kind#4 = kind#2, count#5 = count#2
--             released r2 (kind#2, count#2)
==
# case: private_keys/the-unit
SELECT person, COUNT(*) AS n FROM visits GROUP BY person
-- reject DP404  person leads to one unit: every group would be one individual
--                                                ^^^^^^
-- help: group by something that many units share, or aggregate over the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)
==
# case: private_keys/unbounded
SELECT topic, COUNT(*) AS n FROM calls GROUP BY topic
-- reject DP302  nothing bounds how many rows one unit has: ∞ rows of calls per person
--            ^^^^^^^
-- help: declare max_rows for calls.person in the policy
==
# case: private_keys/unbounded-of-the-unit
# note: a person's job is one, however many calls are made: the rows are clipped, the units are not
# differs: the heaviest units are clipped
SELECT p.job, COUNT(*) AS n FROM people p JOIN calls c ON c.person = p.id GROUP BY p.job
-- accept
-- sensitivity: units  l0=1 l1=1 l2=1 linf=1 threshold=24 groups=private  (a unit counts once in a group; groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: n  clip=adaptive groups=private  (what one unit adds is clipped where the data says; groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#3 = job#2: count = count(*)
--       join inner on (person = id)
--         project id, job#2 = cut(job, 10000)
--           scan people (id, job)
--         scan calls (person)
==
# case: private_keys/bare-union
SELECT page FROM visits UNION SELECT topic FROM calls
-- reject DP302  nothing bounds how many rows one unit has: (3 rows of visits per person) plus (∞ rows of calls per person)
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_rows for calls.person in the policy
==
# policy: keys_replace
# case: private_keys/replaced
# note: the one leaves a group, the other comes to another
SELECT job, COUNT(*) AS n FROM people GROUP BY job
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 threshold=27 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#2 = job: count = count(*)
--       scan people (id, job)
==
# case: private_keys/replaced-in-several-groups
SELECT page, COUNT(DISTINCT person) AS u, SUM(cost) AS s FROM visits GROUP BY page
-- accept
-- sensitivity: u  l0=6 l1=6 l2=2.44948974278 linf=1 threshold=96 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several)
-- sensitivity: s  l0=6 l1=240 l2=189.73665961 linf=150 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); cost in [-10, 40], clamped; groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page: count = count(distinct person), sum = sum(cost)
--       scan visits (person, page, cost)
==
# case: private_keys/replaced-public-number
# note: how many people there are is public, and how many a job has is not
SELECT job, AVG(pay) AS a FROM people GROUP BY job
-- accept
-- sensitivity: count(*)  l0=2 l1=2 l2=1.41421356237 linf=1 threshold=73 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: centred sum(pay)  l0=2 l1=100 l2=100 linf=100 groups=private  (rows per unit 1, proven (id is the key of people); pay in [0, 100], clamped; summed around 50, the middle; groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#2 = job: avg = avg(pay)
--       scan people (id, job, pay)
==
# policy: keys_rows
# case: private_keys/row-is-the-unit
SELECT job, COUNT(*) AS n, AVG(pay) AS a FROM people GROUP BY job
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=24 groups=private  (rows per unit 1, proven (each row of people is a unit); groups: job: private, shown where enough units are; a unit is in one group)
-- sensitivity: sum(pay)  l0=1 l1=100 l2=100 linf=100 groups=private  (rows per unit 1, proven (each row of people is a unit); pay in [0, 100], clamped; summed around 0, the least; groups: job: private, shown where enough units are; a unit is in one group; a row adds 100 to sum(pay) and sum(pay - 100) together)
-- sensitivity: sum(pay - 100)  l0=1 l1=100 l2=100 linf=100 groups=private  (rows per unit 1, proven (each row of people is a unit); pay in [0, 100], clamped; summed around 100, the greatest; groups: job: private, shown where enough units are; a unit is in one group; a row adds 100 to sum(pay) and sum(pay - 100) together)
-- plan:
--   r1:
--     aggregate by job#2 = job: count = count(*), avg = avg(pay)
--       scan people (job, pay)
==
# case: private_keys/row-and-a-public-key
SELECT p.job, t.name, COUNT(*) AS n FROM people p JOIN towns t ON p.town = t.id GROUP BY p.job, t.name
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (each row of people is a unit); groups: name: from the public towns; job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by job#2 = job, name#2 = name: count = count(*)
--       join inner on (town = id)
--         scan people (job, town)
--         scan towns (id, name)
==
# case: private_keys/row-met-several-times
SELECT p.job, COUNT(*) AS n FROM people p JOIN codes c ON p.post = c.post GROUP BY p.job
-- reject DP403  one private row could meet any number of rows of codes
--                                             ^^^^^^^
-- help: declare max_rows for c.post in the policy, or the key or rows of codes
==
# policy: shop
# case: private_keys/no-delta
SELECT email, COUNT(*) AS n FROM customers GROUP BY email
-- reject DP303  the values of email are private: no public list of its groups is known
--                                                  ^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# policy: keys_replace
# case: private_keys/replaced-dates
SELECT born, COUNT(*) AS n FROM people GROUP BY born
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 threshold=27 groups=private  (rows per unit 1, proven (id is the key of people); groups: born: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by born#2 = born: count = count(*)
--       scan people (id, born)
==
# policy: keys
# case: private_keys/listed-date-by-a-filter
SELECT born, COUNT(*) AS n FROM people WHERE born IN (DATE '2000-01-01', DATE '9999-12-31') GROUP BY born
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of people); groups: born: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by born#2 = born: count = count(*)
--       filter in(born, 2000-01-01, 9999-12-31)
--         scan people (id, born)
==
# case: private_keys/pages-of-a-day
# note: both keys of a row: 3 pairs at most
SELECT page, CAST(at AS DATE) AS day, COUNT(DISTINCT person) AS u FROM visits GROUP BY page, day
-- accept
-- sensitivity: u  l0=3 l1=3 l2=1.73205080757 linf=1 threshold=38 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#2 = page, key = cast(at): count = count(distinct person)
--       scan visits (person, page, at)
==
# case: private_keys/listed-keys
SELECT kind, COUNT(*) AS n, COUNT(DISTINCT person) FILTER (WHERE paid) AS u FROM visits GROUP BY kind
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: kind: 2 values; a unit can be in several)
-- sensitivity: u  l0=2 l1=2 l2=1.41421356237 linf=1 groups=2  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit has one value of CASE WHEN paid THEN person ELSE CAST(NULL AS BIGINT) END at most; groups: kind: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*), count#2 = count(distinct case(paid then person; else NULL))
--       scan visits (person, kind, paid)
==
# case: private_keys/gaussian
# note: where a unit is in many groups Gaussian noise loses less: the threshold grows with the root
SELECT page, h, COUNT(DISTINCT person) AS u FROM visits CROSS JOIN (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15),(16),(17),(18),(19),(20),(21),(22),(23),(24)) AS v(h) GROUP BY page, h
-- accept
-- sensitivity: u  l0=72 l1=72 l2=8.48528137424 linf=1 threshold=176 groups=private  (rows per unit 72, enforced per unit (3 rows of visits per person, times 24 rows of a public table); a unit counts once in a group; groups: col0: listed in the query; page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#3 = page#2, col0#26 = col0#25: count = count(distinct person)
--       join inner on true
--         project person, page#2 = cut(page, 10000)
--           scan visits (person, page)
--         union (col0#25)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--           project col0#4 = 4
--             one row
--           project col0#5 = 5
--             one row
--           project col0#6 = 6
--             one row
--           project col0#7 = 7
--             one row
--           project col0#8 = 8
--             one row
--           project col0#9 = 9
--             one row
--           project col0#10 = 10
--             one row
--           project col0#11 = 11
--             one row
--           project col0#12 = 12
--             one row
--           project col0#13 = 13
--             one row
--           project col0#14 = 14
--             one row
--           project col0#15 = 15
--             one row
--           project col0#16 = 16
--             one row
--           project col0#17 = 17
--             one row
--           project col0#18 = 18
--             one row
--           project col0#19 = 19
--             one row
--           project col0#20 = 20
--             one row
--           project col0#21 = 21
--             one row
--           project col0#22 = 22
--             one row
--           project col0#23 = 23
--             one row
--           project col0#24 = 24
--             one row
==
# policy: keys_replace
# case: private_keys/gaussian-replaced
# note: twice as many groups, of which none with fewer than the owner's minimum is ever shown
SELECT page, h, COUNT(DISTINCT person) AS u FROM visits CROSS JOIN (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15),(16),(17),(18),(19),(20),(21),(22),(23),(24)) AS v(h) GROUP BY page, h
-- accept
-- sensitivity: u  l0=144 l1=144 l2=12 linf=1 threshold=256 groups=private  (rows per unit 72, enforced per unit (3 rows of visits per person, times 24 rows of a public table); a unit counts once in a group; groups: col0: listed in the query; page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#3 = page#2, col0#26 = col0#25: count = count(distinct person)
--       join inner on true
--         project person, page#2 = cut(page, 10000)
--           scan visits (person, page)
--         union (col0#25)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--           project col0#4 = 4
--             one row
--           project col0#5 = 5
--             one row
--           project col0#6 = 6
--             one row
--           project col0#7 = 7
--             one row
--           project col0#8 = 8
--             one row
--           project col0#9 = 9
--             one row
--           project col0#10 = 10
--             one row
--           project col0#11 = 11
--             one row
--           project col0#12 = 12
--             one row
--           project col0#13 = 13
--             one row
--           project col0#14 = 14
--             one row
--           project col0#15 = 15
--             one row
--           project col0#16 = 16
--             one row
--           project col0#17 = 17
--             one row
--           project col0#18 = 18
--             one row
--           project col0#19 = 19
--             one row
--           project col0#20 = 20
--             one row
--           project col0#21 = 21
--             one row
--           project col0#22 = 22
--             one row
--           project col0#23 = 23
--             one row
--           project col0#24 = 24
--             one row
==
# policy: keys
# case: private_keys/weighed-keys
# note: nothing is shown of the units: one that is in d groups weighs 1/√d in each, and the noise is that of one group
SELECT page, h FROM visits CROSS JOIN (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15),(16),(17),(18),(19),(20),(21),(22),(23),(24)) AS v(h) GROUP BY page, h
-- accept
-- sensitivity: weight of units  l0=72 l1=8.48527526855 l2=1 linf=1 threshold=20.5762023926 groups=private  (rows per unit 72, enforced per unit (3 rows of visits per person, times 24 rows of a public table); a unit counts once in a group; groups: col0: listed in the query; page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/√d in each)
-- plan:
--   r1:
--     aggregate by page#3 = page#2, col0#26 = col0#25
--       join inner on true
--         project person, page#2 = cut(page, 10000)
--           scan visits (person, page)
--         union (col0#25)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--           project col0#4 = 4
--             one row
--           project col0#5 = 5
--             one row
--           project col0#6 = 6
--             one row
--           project col0#7 = 7
--             one row
--           project col0#8 = 8
--             one row
--           project col0#9 = 9
--             one row
--           project col0#10 = 10
--             one row
--           project col0#11 = 11
--             one row
--           project col0#12 = 12
--             one row
--           project col0#13 = 13
--             one row
--           project col0#14 = 14
--             one row
--           project col0#15 = 15
--             one row
--           project col0#16 = 16
--             one row
--           project col0#17 = 17
--             one row
--           project col0#18 = 18
--             one row
--           project col0#19 = 19
--             one row
--           project col0#20 = 20
--             one row
--           project col0#21 = 21
--             one row
--           project col0#22 = 22
--             one row
--           project col0#23 = 23
--             one row
--           project col0#24 = 24
--             one row
==
# case: private_keys/weighed-rows
# note: the units that keep a row are weighed
SELECT page, h, COUNT(*) AS n FROM visits CROSS JOIN (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15),(16),(17),(18),(19),(20),(21),(22),(23),(24)) AS v(h) GROUP BY page, h
-- accept
-- sensitivity: weight of units  l0=72 l1=8.48527526855 l2=1 linf=1 threshold=38.8359375 groups=private  (rows per unit 72, enforced per unit (3 rows of visits per person, times 24 rows of a public table); a unit counts once in a group; groups: col0: listed in the query; page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/√d in each)
-- sensitivity: n  l0=72 l1=72 l2=72 linf=72 groups=private  (rows per unit 72, enforced per unit (3 rows of visits per person, times 24 rows of a public table); groups: col0: listed in the query; page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#3 = page#2, col0#26 = col0#25: count = count(*)
--       join inner on true
--         project person, page#2 = cut(page, 10000)
--           scan visits (person, page)
--         union (col0#25)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--           project col0#4 = 4
--             one row
--           project col0#5 = 5
--             one row
--           project col0#6 = 6
--             one row
--           project col0#7 = 7
--             one row
--           project col0#8 = 8
--             one row
--           project col0#9 = 9
--             one row
--           project col0#10 = 10
--             one row
--           project col0#11 = 11
--             one row
--           project col0#12 = 12
--             one row
--           project col0#13 = 13
--             one row
--           project col0#14 = 14
--             one row
--           project col0#15 = 15
--             one row
--           project col0#16 = 16
--             one row
--           project col0#17 = 17
--             one row
--           project col0#18 = 18
--             one row
--           project col0#19 = 19
--             one row
--           project col0#20 = 20
--             one row
--           project col0#21 = 21
--             one row
--           project col0#22 = 22
--             one row
--           project col0#23 = 23
--             one row
--           project col0#24 = 24
--             one row
==
# policy: keys_replace
# case: private_keys/weighed-keys-replaced
# note: two units move, and a group has three at least
SELECT page, h FROM visits CROSS JOIN (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15),(16),(17),(18),(19),(20),(21),(22),(23),(24)) AS v(h) GROUP BY page, h
-- accept
-- sensitivity: weight of units  l0=144 l1=16.9705505371 l2=1.41421356237 linf=1 threshold=31.7411499023 groups=private  (rows per unit 72, enforced per unit (3 rows of visits per person, times 24 rows of a public table); a unit counts once in a group; groups: col0: listed in the query; page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/√d in each)
-- plan:
--   r1:
--     aggregate by page#3 = page#2, col0#26 = col0#25
--       join inner on true
--         project person, page#2 = cut(page, 10000)
--           scan visits (person, page)
--         union (col0#25)
--           project col0 = 1
--             one row
--           project col0#2 = 2
--             one row
--           project col0#3 = 3
--             one row
--           project col0#4 = 4
--             one row
--           project col0#5 = 5
--             one row
--           project col0#6 = 6
--             one row
--           project col0#7 = 7
--             one row
--           project col0#8 = 8
--             one row
--           project col0#9 = 9
--             one row
--           project col0#10 = 10
--             one row
--           project col0#11 = 11
--             one row
--           project col0#12 = 12
--             one row
--           project col0#13 = 13
--             one row
--           project col0#14 = 14
--             one row
--           project col0#15 = 15
--             one row
--           project col0#16 = 16
--             one row
--           project col0#17 = 17
--             one row
--           project col0#18 = 18
--             one row
--           project col0#19 = 19
--             one row
--           project col0#20 = 20
--             one row
--           project col0#21 = 21
--             one row
--           project col0#22 = 22
--             one row
--           project col0#23 = 23
--             one row
--           project col0#24 = 24
--             one row
==
# case: private_keys/weighed-few-replaced
# note: of few groups, 1/d
SELECT page FROM visits GROUP BY page
-- accept
-- sensitivity: weight of units  l0=6 l1=2 l2=1.41421356237 linf=1 threshold=27.5564117432 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- plan:
--   r1:
--     aggregate by page#2 = page
--       scan visits (person, page)
==
# policy: keys
# case: private_keys/one-job-and-two-kinds
# note: a person has one job, whatever it is, so that there are two groups of each
SELECT p.job, v.kind, COUNT(DISTINCT v.person) AS u FROM people AS p JOIN visits AS v ON p.id = v.person GROUP BY p.job, v.kind
-- accept
-- sensitivity: u  l0=2 l1=2 l2=1.41421356237 linf=1 threshold=25 groups=private  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); a unit counts once in a group; groups: kind: 2 values; job: private, shown where enough units are; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by job#3 = job#2, kind#2 = kind: count = count(distinct person)
--       join inner on (id = person)
--         project id, job#2 = cut(job, 10000)
--           scan people (id, job)
--         scan visits (person, kind)
==
# case: private_keys/one-grade-and-two-kinds
# note: of six groups
SELECT p.grade, v.kind, COUNT(DISTINCT v.person) AS u, COUNT(*) AS n FROM people AS p JOIN visits AS v ON p.id = v.person GROUP BY p.grade, v.kind
-- accept
-- sensitivity: u  l0=2 l1=2 l2=1.41421356237 linf=1 groups=6  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); a unit counts once in a group; groups: grade: 3 values; kind: 2 values; a unit can be in 2 of them)
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=6  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); groups: grade: 3 values; kind: 2 values; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by grade#3 = grade#2, kind#2 = kind: count = count(distinct person), count#2 = count(*)
--       join inner on (id = person)
--         project id, grade#2 = cut(grade, 2)
--           scan people (id, grade)
--         scan visits (person, kind)
==
# policy: keys_replace
# case: private_keys/one-grade-and-two-kinds-replaced
# note: two for each of two people
SELECT p.grade, v.kind, COUNT(DISTINCT v.person) AS u FROM people AS p JOIN visits AS v ON p.id = v.person GROUP BY p.grade, v.kind
-- accept
-- sensitivity: u  l0=4 l1=4 l2=2 linf=1 groups=6  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); a unit counts once in a group; groups: grade: 3 values; kind: 2 values; a unit can be in 2 of them)
-- plan:
--   r1:
--     aggregate by grade#3 = grade#2, kind#2 = kind: count = count(distinct person)
--       join inner on (id = person)
--         project id, grade#2 = cut(grade, 2)
--           scan people (id, grade)
--         scan visits (person, kind)
==
# policy: keys
# case: private_keys/bins-of-one-grade
# note: a person has one grade, and visits in each of the bins
SELECT p.grade, HISTOGRAM(v.cost, [0, 20]) AS h FROM people AS p JOIN visits AS v ON p.id = v.person GROUP BY p.grade
-- accept
-- sensitivity: count(cost <= 0)  l0=2 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); groups: grade: 3 values; a unit is in one group)
-- sensitivity: count(0 < cost <= 20)  l0=2 l1=3 l2=3 linf=3 groups=3  (rows per unit 3, enforced per unit (id is the key of people; 3 rows of visits per person); groups: grade: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by grade#3 = grade#2: histogram = histogram(cost, 0, 20)
--       join inner on (id = person)
--         project id, grade#2 = cut(grade, 2)
--           scan people (id, grade)
--         scan visits (person, cost)
==
# case: private_keys/no-value-of-another-key-is-left
# note: no declared value is; none counts as one, so that a threshold is found, and data that break it are cut
SELECT page, COUNT(*) AS c FROM (SELECT person, page, kind, COUNT(*) AS n FROM visits GROUP BY person, page, kind) AS t WHERE kind NOT IN ('x', 'y') GROUP BY page
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of visits per person)); a unit counts once in a group; groups: page: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: c  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of visits per person)); groups: page: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by page#3 = page#2: count = count(*)
--       filter not(in(kind#2, 'x', 'y'))
--         aggregate per unit by person#2 = person, page#2 = page, kind#2 = kind
--           scan visits (person, page, kind)
==
# case: private_keys/mean-of-groups
# note: made of their rows, so that no group need be shown, and no δ is spent
SELECT AVG(n) AS a, SUM(n) AS s, COUNT(*) AS c, MAX(m) AS m FROM (SELECT code, COUNT(*) AS n, MAX(cost) AS m FROM visits GROUP BY code)
-- accept
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- sensitivity: c  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- sensitivity: m  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person); 5,001 points; MIN and MAX are of the rank 208 from the end)
-- plan:
--   r1:
--     aggregate: total = count(*), groups = count(distinct code), sum = count(*), count = count(distinct code), max = max(cost)
--       scan visits (person, code, cost)
--   answer:
--     project a = avg, s = sum#2, c = count, m = max
--       project avg = div(coerce(total), coerce(nullif(groups, 0))), sum#2 = coerce(sum), count, max
--         released r1 (total, groups, sum, count, max)
==
# case: private_keys/groups-with-a-condition
SELECT COUNT(*) FILTER (WHERE code > 5) AS b, COUNT(code) AS c, COUNT(DISTINCT code) AS d FROM (SELECT DISTINCT code FROM visits)
-- accept
-- sensitivity: b  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- sensitivity: c  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- plan:
--   r1:
--     aggregate: count = count(distinct case((code > 5) then code; else NULL)), count#2 = count(distinct code), count#3 = count(distinct code)
--       scan visits (person, code)
==
# case: private_keys/groups-that-the-rows-do-not-tell
# differs: groups of fewer units than the threshold are left out, and so not counted
SELECT COUNT(*) AS n FROM (SELECT code, COUNT(*) AS n FROM visits GROUP BY code) WHERE n > 2
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: code: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: code: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by code#2 = code: count = count(*)
--       scan visits (person, code)
--   answer:
--     project n#2 = count#2
--       aggregate: count#2 = count(*)
--         filter (n > 2)
--           project code#3 = code#2, n = count
--             released r1 (code#2, count)
==
# case: private_keys/groups-joined-with-public-rows
SELECT COUNT(*) AS n FROM (SELECT DISTINCT code FROM visits) v JOIN sites s ON s.id = v.code
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- plan:
--   r1:
--     aggregate: count = count(distinct concat(case(is_null(code) then '-'; else concat(cast(length(cast(code))), ':', cast(code))), case(is_null(id) then '-'; else concat(cast(length(cast(id))), ':', cast(id)))))
--       join inner on (id = coerce(code))
--         scan visits (person, code)
--         scan sites (id)
==
# case: private_keys/groups-of-a-with-query-read-twice
WITH t AS (SELECT code, COUNT(*) AS n FROM visits GROUP BY code) SELECT (SELECT COUNT(*) FROM t) AS g, (SELECT SUM(n) FROM t) AS n
-- accept
-- sensitivity: count(distinct code)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- sensitivity: count(*)  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of visits per person))
-- plan:
--   r1:
--     aggregate: count = count(distinct code)
--       scan visits (person, code)
--   r2:
--     aggregate: sum = count(*)
--       scan visits (person#2)
--   answer:
--     project g = count(*)#2, n = sum(n)#2
--       project count(*)#2, sum(n)#2 = sum(n)
--         join inner on true
--           project count(*)#2 = count(*)
--             join inner on true
--               one row
--               project count(*) = count
--                 released r1 (count)
--           project sum(n) = sum#2
--             project sum#2 = coerce(sum)
--               released r2 (sum)
==
# case: private_keys/computed-of-the-unit-alone
SELECT 'c' || CAST(id + 1 AS VARCHAR) AS k, COUNT(*) AS n FROM people GROUP BY k
-- reject DP404  key leads to one unit: every group would be one individual
--     ^^^^^^^^^^^^^^^^^^
-- help: group by something that many units share
==
# case: private_keys/distinct-of-what-tells-the-unit
SELECT COUNT(*) AS n FROM (SELECT DISTINCT person + 1 AS k, COUNT(*) AS s FROM visits GROUP BY person) AS g
-- reject DP404  k leads to one unit: every group would be one individual
--                                         ^^^^^^^^^^
-- help: group by something that many units share
==
# case: private_keys/computed-of-the-unit-and-more
SELECT person + code AS k, COUNT(*) AS n FROM visits GROUP BY k
-- accept
-- sensitivity: weight of units  l0=3 l1=1 l2=1 linf=1 threshold=24.1701202393 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); a unit counts once in a group; groups: key: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/d in each)
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=private  (rows per unit 3, enforced per unit (3 rows of visits per person); groups: key: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = (person + code): count = count(*)
--       scan visits (person, code)
==
# case: private_keys/counts-with-public-rows
SELECT job, COUNT(*) AS n FROM (SELECT job FROM people UNION ALL SELECT 'cook') u GROUP BY job
-- reject DP402  constants among rows of individuals belong to no unit
--                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: aggregate the private rows first
==
# case: private_keys/listed-groups-with-public-rows
SELECT grade, COUNT(*) AS n FROM (SELECT grade FROM people UNION ALL SELECT 'd') u GROUP BY grade
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of people); groups: grade: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by grade#2 = grade: count = count(*)
--       scan people (id, grade)
--   answer:
--     project grade#6 = grade#5, n = count#3
--       project grade#5 = key, count#3 = coerce(inside(sum, -9223372036854775809, 9223372036854775808))
--         aggregate by key = part#5: sum = sum(part#6)
--           union (part#5, part#6)
--             project part = grade#2, part#2 = count
--               released r1 (grade#2, count)
--             project part#3 = grade#4, part#4 = count#2
--               aggregate by grade#4 = grade#3: count#2 = count(*)
--                 project grade#3 = 'd'#2
--                   project 'd'#2 = 'd'
--                     project 'd'
--                       one row
==
# case: private_keys/values-with-released-ones
SELECT job FROM people UNION SELECT grade FROM people GROUP BY grade
-- accept
-- sensitivity: count(*)  l0=1 l1=1 l2=1 linf=1 threshold=13 groups=private  (rows per unit 1, proven (id is the key of people); groups: job: private, shown where enough units are; a unit is in one group)
-- plan:
--   r1:
--     aggregate by grade#2 = grade
--       scan people (id, grade)
--   r2:
--     aggregate by job#2 = job
--       scan people (id#2, job)
--   answer:
--     project job#5 = key
--       aggregate by key = part#3
--         union (part#3)
--           project part = job#2
--             released r2 (job#2)
--           project part#2 = job#4
--             aggregate by job#4 = job#3
--               project job#3 = grade#4
--                 project grade#4 = grade#3
--                   project grade#3 = grade#2
--                     released r1 (grade#2)
