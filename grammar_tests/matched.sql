# about: COUNT(DISTINCT x) where a unit may have many values: these are matched with units
# policy: reads
# case: matched/count
SELECT COUNT(DISTINCT article) AS n FROM reads
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count = count(distinct article)
--       scan reads (reader, article)
-- sql:
WITH "pairs" AS MATERIALIZED (SELECT DISTINCT "t1"."reader" AS "u", "t1"."article" AS "x"
FROM "main"."reads" AS "t1"
WHERE ("t1"."reader" IS NOT NULL) AND ("t1"."article" IS NOT NULL)),
"heavy" AS MATERIALIZED (SELECT "pairs"."u"
FROM "pairs"
GROUP BY "pairs"."u"
HAVING (COUNT(*) > CAST(20 AS BIGINT))),
"ranked" AS (SELECT "pairs"."u", "pairs"."x", ROW_NUMBER() OVER (PARTITION BY "pairs"."u" ORDER BY HASH("pairs"."u", "pairs"."x", 'dpsql'), "pairs"."x") AS "place"
FROM "pairs"
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")),
"kept" AS (SELECT "ranked"."u", "ranked"."x"
FROM "ranked"
WHERE ("ranked"."place" <= CAST(20 AS BIGINT)) UNION ALL
SELECT "pairs"."u", "pairs"."x"
FROM "pairs"
LEFT
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")
WHERE "heavy"."u" IS NULL),
"offers" AS (SELECT "kept"."u", ARRAY_TO_STRING([LPAD(HEX("v"), 16, '0') FOR "v" IN LIST_SORT(LIST(HASH("kept"."x", 'dpsql')))], '') AS "offered"
FROM "kept"
GROUP BY "kept"."u")
SELECT "offers"."offered", DENSE_RANK() OVER (ORDER BY HASH("offers"."u", 'dpsql'), "offers"."u") AS "number", ROW_NUMBER() OVER (PARTITION BY "offers"."u"
ORDER BY HASH("offers"."u", 'dpsql')) AS "place"
FROM "offers"
==
# case: matched/by-group
SELECT device, COUNT(DISTINCT article) AS n FROM reads GROUP BY device
-- accept
-- sensitivity: n  clip=matched groups=3  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader); groups: device: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by device#2 = device: count = count(distinct article)
--       scan reads (reader, article, device)
-- sql:
WITH "pairs" AS MATERIALIZED (SELECT DISTINCT "t1"."reader" AS "u", "t1"."device" AS "k0", "t1"."article" AS "x"
FROM "main"."reads" AS "t1"
WHERE (("t1"."reader" IS NOT NULL) AND ("t1"."device" IN ('x', 'y', 'z'))) AND ("t1"."article" IS NOT NULL)),
"heavy" AS MATERIALIZED (SELECT "pairs"."u"
FROM "pairs"
GROUP BY "pairs"."u"
HAVING (COUNT(*) > CAST(20 AS BIGINT))),
"ranked" AS (SELECT "pairs"."u", "pairs"."k0", "pairs"."x", ROW_NUMBER() OVER (PARTITION BY "pairs"."u" ORDER BY HASH("pairs"."u", "pairs"."k0", "pairs"."x", 'dpsql'), "pairs"."k0", "pairs"."x") AS "place"
FROM "pairs"
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")),
"kept" AS (SELECT "ranked"."u", "ranked"."k0", "ranked"."x"
FROM "ranked"
WHERE ("ranked"."place" <= CAST(20 AS BIGINT)) UNION ALL
SELECT "pairs"."u", "pairs"."k0", "pairs"."x"
FROM "pairs"
LEFT
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")
WHERE "heavy"."u" IS NULL),
"offers" AS (SELECT "kept"."u", "kept"."k0", ARRAY_TO_STRING([LPAD(HEX("v"), 16, '0') FOR "v" IN LIST_SORT(LIST(HASH("kept"."x", 'dpsql')))], '') AS "offered"
FROM "kept"
GROUP BY "kept"."u", "kept"."k0")
SELECT "offers"."k0", "offers"."offered", DENSE_RANK() OVER (ORDER BY HASH("offers"."u", 'dpsql'), "offers"."u") AS "number", ROW_NUMBER() OVER (PARTITION BY "offers"."u"
ORDER BY HASH("offers"."u", "offers"."k0", 'dpsql'), "offers"."k0") AS "place"
FROM "offers"
==
# case: matched/by-two-keys
SELECT r.device, p.city, COUNT(DISTINCT r.article) AS n FROM reads r JOIN readers p ON r.reader = p.id GROUP BY ALL
-- accept
-- sensitivity: n  clip=matched groups=6  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader; id is the key of readers); groups: device: 3 values; city: 2 values; a unit can be in 3 of them)
-- plan:
--   r1:
--     aggregate by device#2 = device, city#3 = city#2: count = count(distinct article)
--       join inner on (reader = id)
--         scan reads (reader, article, device)
--         project id, city#2 = cut(city, 2)
--           scan readers (id, city)
==
# case: matched/where
SELECT COUNT(DISTINCT article) FILTER (WHERE seconds > 60) AS n, COUNT(*) AS c FROM reads WHERE place <> ''
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- sensitivity: c  l0=1 l1=20 l2=20 linf=20 groups=1  (rows per unit 20, enforced per unit (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count = count(distinct case((seconds > 60) then article; else NULL)), count#2 = count(*)
--       filter (place <> '')
--         scan reads (reader, article, place, seconds)
==
# case: matched/of-an-expression
SELECT COUNT(DISTINCT seconds // 10) AS n FROM reads
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader); seconds // 10 has at most 91 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct intdiv(seconds, 10))
--       scan reads (reader, seconds)
==
# case: matched/two-of-them
SELECT COUNT(DISTINCT article) AS n, COUNT(DISTINCT place) AS p FROM reads
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- sensitivity: p  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count = count(distinct article), count#2 = count(distinct place)
--       scan reads (reader, article, place)
==
# case: matched/in-private-groups
SELECT place, COUNT(DISTINCT article) AS n FROM reads GROUP BY place
-- accept
-- sensitivity: weight of units  l0=20 l1=4.47212219238 l2=1 linf=1 threshold=37.1728057861 groups=private  (rows per unit 20, enforced per unit (20 rows of reads per reader); a unit counts once in a group; groups: place: private, shown where enough units are; a unit can be in several; a unit in d groups weighs 1/√d in each)
-- sensitivity: n  clip=matched groups=private  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader); groups: place: private, shown where enough units are; a unit can be in several)
-- plan:
--   r1:
--     aggregate by place#2 = place: count = count(distinct article)
--       scan reads (reader, article, place)
==
# case: matched/joined
SELECT COUNT(DISTINCT a.topic) AS n FROM reads r JOIN articles a ON r.article = a.id
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count = count(distinct topic)
--       join inner on (article = id)
--         scan reads (reader, article)
--         scan articles (id, topic)
==
# case: matched/where-a-text-is-searched
SELECT COUNT(DISTINCT r.article) AS n FROM reads r JOIN readers p ON r.reader = p.id WHERE upper(r.place) LIKE '%A%'
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader; id is the key of readers))
-- plan:
--   r1:
--     aggregate: count = count(distinct article)
--       join inner on (reader = id)
--         filter like(upper(cut(place, 10000)), '%A%')
--           scan reads (reader, article, place)
--         scan readers (id)
-- sql:
WITH "stage1" AS MATERIALIZED (SELECT "t1"."reader" AS "c2", "t1"."article" AS "c3", "t1"."place" AS "c5"
FROM "main"."reads" AS "t1"
WHERE (UPPER((CASE WHEN (STRLEN("t1"."place") <= CAST(10000 AS BIGINT)) THEN "t1"."place" ELSE SUBSTRING("t1"."place", 1, CAST(10000 AS BIGINT)) END)) LIKE '%A%')),
"pairs" AS MATERIALIZED (SELECT DISTINCT "q1"."c2" AS "u", "q1"."c3" AS "x"
FROM "stage1" AS "q1"
CROSS
JOIN "main"."readers" AS "t1"
WHERE ("q1"."c2" = "t1"."id") AND ("q1"."c3" IS NOT NULL)),
"heavy" AS MATERIALIZED (SELECT "pairs"."u"
FROM "pairs"
GROUP BY "pairs"."u"
HAVING (COUNT(*) > CAST(20 AS BIGINT))),
"ranked" AS (SELECT "pairs"."u", "pairs"."x", ROW_NUMBER() OVER (PARTITION BY "pairs"."u" ORDER BY HASH("pairs"."u", "pairs"."x", 'dpsql'), "pairs"."x") AS "place"
FROM "pairs"
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")),
"kept" AS (SELECT "ranked"."u", "ranked"."x"
FROM "ranked"
WHERE ("ranked"."place" <= CAST(20 AS BIGINT)) UNION ALL
SELECT "pairs"."u", "pairs"."x"
FROM "pairs"
LEFT
JOIN "heavy" ON ("pairs"."u" = "heavy"."u")
WHERE "heavy"."u" IS NULL),
"offers" AS (SELECT "kept"."u", ARRAY_TO_STRING([LPAD(HEX("v"), 16, '0') FOR "v" IN LIST_SORT(LIST(HASH("kept"."x", 'dpsql')))], '') AS "offered"
FROM "kept"
GROUP BY "kept"."u")
SELECT "offers"."offered", DENSE_RANK() OVER (ORDER BY HASH("offers"."u", 'dpsql'), "offers"."u") AS "number", ROW_NUMBER() OVER (PARTITION BY "offers"."u"
ORDER BY HASH("offers"."u", 'dpsql')) AS "place"
FROM "offers" UNION ALL
SELECT NULL, NULL, NULL
FROM "stage1"
HAVING GREATEST(COUNT("stage1"."c2"), COUNT("stage1"."c3"), COUNT("stage1"."c5")) > 9000000000000000000
==
# case: matched/of-readers-with-many
SELECT COUNT(DISTINCT article) AS n FROM reads WHERE reader IN (SELECT reader FROM reads GROUP BY reader HAVING COUNT(*) > 1)
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count#2 = count(distinct article)
--       filter found
--         join mark found on (reader = reader#4)
--           scan reads (reader, article)
--           project reader#4 = reader#3
--             filter (count > 1)
--               aggregate per unit by reader#3 = reader#2: count = count(*)
--                 scan reads (reader#2)
==
# case: matched/two-reads-of-a-reader
SELECT COUNT(DISTINCT r.article) AS n FROM reads r JOIN reads s ON r.reader = s.reader AND r.seconds < s.seconds
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 400, proven (no two rows with the same reader, number_up_to_20))
-- plan:
--   r1:
--     aggregate: count = count(distinct article)
--       join inner on ((reader = reader#2) AND (seconds < seconds#2))
--         filter (number_up_to_20 <= 20)
--           project reader, article, seconds, number_up_to_20 = row_number
--             window row_number = row_number() over (partition reader; order reader asc nulls last, article asc nulls last, seconds asc nulls last)
--               scan reads (reader, article, seconds)
--         filter (number_up_to_20#2 <= 20)
--           project reader#2, seconds#2, number_up_to_20#2 = row_number#2
--             window row_number#2 = row_number() over (partition reader#2; order reader#2 asc nulls last, seconds#2 asc nulls last)
--               scan reads (reader#2, seconds#2)
==
# case: matched/not-where-values-are-few
# note: a month is one of 12
SELECT COUNT(DISTINCT seconds % 12) AS n FROM reads
-- accept
-- sensitivity: n  l0=1 l1=12 l2=12 linf=12 groups=1  (rows per unit 20, enforced per unit (20 rows of reads per reader); seconds % 12 has at most 12 values)
-- plan:
--   r1:
--     aggregate: count = count(distinct mod(seconds, 12))
--       scan reads (reader, seconds)
==
# case: matched/not-beside-their-sum
# note: the average's sum is of all values, and so is its count
SELECT COUNT(DISTINCT seconds) AS n, AVG(DISTINCT seconds) AS a FROM reads
-- accept
-- sensitivity: n  l0=1 l1=20 l2=20 linf=20 groups=1  (rows per unit 20, enforced per unit (20 rows of reads per reader); seconds has at most 901 values)
-- sensitivity: sum(distinct seconds)  l0=1 l1=18000 l2=18000 linf=18000 groups=1  (rows per unit 20, enforced per unit (20 rows of reads per reader); seconds has at most 901 values; seconds in [0, 900], clamped)
-- plan:
--   r1:
--     aggregate: count = count(distinct seconds), avg = avg(distinct seconds)
--       scan reads (reader, seconds)
==
# case: matched/units
SELECT COUNT(DISTINCT reader) AS n FROM reads
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 20, enforced per unit (20 rows of reads per reader); a unit counts once in a group)
-- plan:
--   r1:
--     aggregate: count = count(distinct reader)
--       scan reads (reader)
==
# policy: reads verified
# case: matched/verified
SELECT COUNT(DISTINCT article) AS n FROM reads
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, proven (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count = count(distinct article)
--       scan reads (id, reader, article)
-- sql:
WITH "pairs" AS MATERIALIZED (SELECT DISTINCT "t1"."reader" AS "u", "t1"."article" AS "x"
FROM "main"."reads" AS "t1"
WHERE ("t1"."article" IS NOT NULL)),
"offers" AS (SELECT "pairs"."u", ARRAY_TO_STRING([LPAD(HEX("v"), 16, '0') FOR "v" IN LIST_SORT(LIST(HASH("pairs"."x", 'dpsql')))], '') AS "offered"
FROM "pairs"
GROUP BY "pairs"."u")
SELECT "offers"."offered", DENSE_RANK() OVER (ORDER BY HASH("offers"."u", 'dpsql'), "offers"."u") AS "number", ROW_NUMBER() OVER (PARTITION BY "offers"."u"
ORDER BY HASH("offers"."u", 'dpsql')) AS "place"
FROM "offers"
==
# case: matched/verified-by-group
SELECT device, COUNT(DISTINCT article) AS n FROM reads GROUP BY device
-- accept
-- sensitivity: n  clip=matched groups=3  (a unit counts for as many of its values as the data says; rows per unit 20, proven (20 rows of reads per reader); groups: device: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by device#2 = device: count = count(distinct article)
--       scan reads (id, reader, article, device)
==
# policy: reads_replace
# case: matched/replace
SELECT COUNT(DISTINCT article) AS n FROM reads
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader))
-- plan:
--   r1:
--     aggregate: count = count(distinct article)
--       scan reads (reader, article)
==
# case: matched/replace-by-group
SELECT device, COUNT(DISTINCT article) AS n FROM reads GROUP BY device
-- accept
-- sensitivity: n  clip=matched groups=3  (a unit counts for as many of its values as the data says; rows per unit 20, enforced per unit (20 rows of reads per reader); groups: device: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by device#2 = device: count = count(distinct article)
--       scan reads (reader, article, device)
==
# policy: tpch
# case: matched/not-where-a-value-leads-to-the-unit
SELECT COUNT(DISTINCT l_orderkey) AS n FROM lineitem
-- accept
-- sensitivity: n  l0=1 l1=350 l2=350 linf=350 groups=1  (rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey))
-- plan:
--   r1:
--     aggregate: count = count(distinct l_orderkey)
--       scan lineitem (l_orderkey)
==
# case: matched/suppliers-of-customers
SELECT COUNT(DISTINCT l_suppkey) AS n FROM lineitem
-- accept
-- sensitivity: n  clip=matched groups=1  (a unit counts for as many of its values as the data says; rows per unit 350, enforced per unit (7 rows of lineitem per l_orderkey, 50 rows of orders per o_custkey))
-- plan:
--   r1:
--     aggregate: count = count(distinct l_suppkey)
--       scan lineitem (l_orderkey, l_suppkey)
