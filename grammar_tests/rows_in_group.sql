# about: What one unit adds to one group, where a key that is unique in fact says how many rows it has there
# policy: ratings verified
# case: rows_in_group/one-for-each-item
# note: at most 6 rows, each of another item: L2 is √6, and not 6
SELECT item, COUNT(*) AS n, SUM(stars) AS s FROM ratings GROUP BY item
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: item: from the public items; a unit can be in several)
-- sensitivity: centred sum(stars)  l0=6 l1=12 l2=4.89897948557 linf=2 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; stars in [1, 5], proven; summed around 3, the middle; groups: item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#2 = id: count = count(*), sum = sum(stars)
--       join inner on (item = id)
--         scan ratings (person, item, stars)
--         scan items (id)
==
# case: rows_in_group/through-the-join
SELECT i.id, COUNT(*) AS n FROM ratings r JOIN items i ON r.item = i.id GROUP BY i.id
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: id: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by id#2 = id: count = count(*)
--       join inner on (item = id)
--         scan ratings (person, item)
--         scan items (id)
==
# case: rows_in_group/not-by-what-several-items-share
SELECT i.kind, COUNT(*) AS n FROM ratings r JOIN items i ON r.item = i.id GROUP BY i.kind
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, proven (6 rows of ratings per person); groups: kind: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by kind#2 = kind: count = count(*)
--       join inner on (item = id)
--         scan ratings (person, item)
--         scan items (id, kind)
==
# case: rows_in_group/not-by-a-part-of-the-key
SELECT device, COUNT(*) AS n FROM ratings GROUP BY device
-- accept
-- sensitivity: n  l0=2 l1=6 l2=6 linf=6 groups=2  (rows per unit 6, proven (6 rows of ratings per person); groups: device: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by device#2 = device: count = count(*)
--       scan ratings (person, item, device)
==
# case: rows_in_group/with-more-keys
SELECT item, device, COUNT(*) AS n FROM ratings GROUP BY item, device
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: device: 2 values; item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#2 = id, device#2 = device: count = count(*)
--       join inner on (item = id)
--         scan ratings (person, item, device)
--         scan items (id)
==
# case: rows_in_group/of-two-items
# note: two groups, and one row in each
SELECT item, COUNT(*) AS n, AVG(stars) AS a FROM ratings WHERE item IN (1, 2) GROUP BY item
-- accept
-- sensitivity: sum(stars - 1)  l0=2 l1=8 l2=5.65685424949 linf=4 groups=public  (rows per unit 2, proven (no two rows with the same person, item); rows per unit and group 1, proven; stars in [1, 5], proven; summed around 1, the least; groups: item: from the public items; a unit can be in 2 of them; a row adds 4 to sum(stars - 1) and sum(stars - 5) together)
-- sensitivity: sum(stars - 5)  l0=2 l1=8 l2=5.65685424949 linf=4 groups=public  (rows per unit 2, proven (no two rows with the same person, item); rows per unit and group 1, proven; stars in [1, 5], proven; summed around 5, the greatest; groups: item: from the public items; a unit can be in 2 of them; a row adds 4 to sum(stars - 1) and sum(stars - 5) together)
-- plan:
--   r1:
--     aggregate by item#2 = id: count = count(*), avg = avg(stars)
--       join inner on (item = id)
--         filter in(item, 1, 2)
--           scan ratings (person, item, stars)
--         filter in(id, 1, 2)
--           scan items (id)
==
# case: rows_in_group/not-of-a-computed-key
SELECT item % 2 AS odd, COUNT(*) AS n FROM ratings GROUP BY item % 2
-- accept
-- sensitivity: n  l0=3 l1=6 l2=6 linf=6 groups=3  (rows per unit 6, proven (6 rows of ratings per person); groups: key: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = mod(item, 2): count = count(*)
--       scan ratings (person, item)
==
# case: rows_in_group/not-of-another-column-of-the-item
# note: two items may have one label
SELECT i.label, COUNT(*) AS n FROM ratings r JOIN items i ON r.item = i.id GROUP BY i.label
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, proven (6 rows of ratings per person); groups: label: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by label#2 = label: count = count(*)
--       join inner on (item = id)
--         scan ratings (person, item)
--         scan items (id, label)
==
# case: rows_in_group/label-that-is-joined-on
# note: where items are met by their label, a rating meets several items, and each of them once
SELECT i.label, COUNT(*) AS n FROM ratings r JOIN (SELECT DISTINCT label FROM items) i ON r.item = i.label GROUP BY i.label
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: label: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by label#3 = label#2: count = count(*)
--       join inner on (item = label#2)
--         scan ratings (person, item)
--         aggregate by label#2 = label
--           scan items (id, label)
==
# case: rows_in_group/two-ratings-of-one-item
# note: all pairs of a user's ratings: 6 of one item
SELECT a.item, COUNT(*) AS n FROM ratings a JOIN ratings b ON a.person = b.person GROUP BY a.item
-- accept
-- sensitivity: n  l0=36 l1=36 l2=36 linf=36 groups=public  (rows per unit 36, proven (6 rows of ratings per person); groups: item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#3 = id: count = count(*)
--       join inner on (item = id)
--         join inner on (person = person#2)
--           scan ratings (person, item)
--           scan ratings (person#2, item#2)
--         scan items (id)
==
# case: rows_in_group/pairs-of-items
SELECT a.item, b.item AS other, COUNT(*) AS n FROM ratings a JOIN ratings b ON a.person = b.person WHERE a.item IN (1, 2) AND b.item IN (1, 2) GROUP BY a.item, b.item
-- accept
-- sensitivity: n  l0=4 l1=4 l2=2.82842712475 linf=2 groups=public  (rows per unit 4, proven (no two rows with the same person, item); rows per unit and group 2, proven; groups: item: from the public items; item: from the public items; a unit can be in 4 of them)
-- plan:
--   r1:
--     aggregate by item#3 = id, item#4 = id#2: count = count(*)
--       join inner on (item#2 = id#2)
--         join inner on (item = id)
--           join inner on (person = person#2)
--             filter in(item, 1, 2)
--               scan ratings (person, item)
--             filter in(item#2, 1, 2)
--               scan ratings (person#2, item#2)
--           filter in(id, 1, 2)
--             scan items (id)
--         filter in(id#2, 1, 2)
--           scan items (id#2)
==
# case: rows_in_group/not-of-zeros
# note: 0.0 and -0.0 are one group
SELECT at, COUNT(*) AS n FROM visits GROUP BY at
-- accept
-- sensitivity: n  l0=3 l1=4 l2=3.46410161514 linf=3 groups=3  (rows per unit 4, proven (4 rows of visits per person); rows per unit and group 3, proven; groups: at: 3 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by at#2 = at: count = count(*)
--       scan visits (person, at)
==
# case: rows_in_group/conditions-share-the-row
SELECT item, COUNT(*) FILTER (WHERE stars < 3) AS low, COUNT(*) FILTER (WHERE stars >= 3) AS high FROM ratings GROUP BY item
-- accept
-- sensitivity: low  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: item: from the public items; a unit can be in several)
-- sensitivity: high  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#2 = id: count = count(case((stars < 3) then 1; else NULL)), count#2 = count(case((stars >= 3) then 1; else NULL))
--       join inner on (item = id)
--         scan ratings (person, item, stars)
--         scan items (id)
==
# case: rows_in_group/spread
SELECT item, VAR_POP(stars) AS v FROM ratings GROUP BY item
-- accept
-- sensitivity: centred sum(stars)  l0=6 l1=12 l2=4.89897948557 linf=2 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; stars in [1, 5], proven; summed around 3, the middle; groups: item: from the public items; a unit can be in several)
-- sensitivity: sum((stars - middle)²)  l0=6 l1=12 l2=4.89897948557 linf=2 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; (stars - middle)² in [-2, 2], proven; groups: item: from the public items; a unit can be in several)
-- sensitivity: count(*)  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#2 = id: var_pop = var_pop(stars)
--       join inner on (item = id)
--         scan ratings (person, item, stars)
--         scan items (id)
==
# case: rows_in_group/of-a-unit-first
# note: a group of a user and an item has one row, of 1 to 5 stars
SELECT item, SUM(n) AS n, SUM(s) AS s FROM (SELECT person, item, COUNT(*) AS n, SUM(stars) AS s FROM ratings GROUP BY person, item) AS own GROUP BY item
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=public  (rows per unit 6, proven (at most 6 groups per unit (6 rows of ratings per person)); rows per unit and group 1, proven; count in [1, 1], proven; groups: item: from the public items; a unit can be in several)
-- sensitivity: s  l0=6 l1=30 l2=12.2474487139 linf=5 groups=public  (rows per unit 6, proven (at most 6 groups per unit (6 rows of ratings per person)); rows per unit and group 1, proven; sum in [1, 5], proven; groups: item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#3 = id: sum#3 = sum(count#2), sum#4 = sum(sum#2)
--       join inner on (item#2 = id)
--         project person#2, item#2, count#2 = count, sum#2 = sum
--           aggregate per unit by person#2 = person, item#2 = item: count = count(*), sum = sum(stars)
--             scan ratings (person, item, stars)
--         scan items (id)
==
# policy: ratings
# case: rows_in_group/where-rows-are-cut-down
# note: the quota alone bounds what is kept of a unit
SELECT item, COUNT(*) AS n FROM ratings GROUP BY item
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=public  (rows per unit 6, enforced per unit (6 rows of ratings per person); groups: item: from the public items; a unit can be in several)
-- plan:
--   r1:
--     aggregate by item#2 = id: count = count(*)
--       join inner on (item = id)
--         scan ratings (person, item)
--         scan items (id)
==
# policy: ratings verified
# case: rows_in_group/one-at-each-place
# note: a unit has one row at each place of its own, which is a group
SELECT k, COUNT(*) AS n, SUM(stars) AS s FROM (SELECT stars, ROW_NUMBER() OVER (PARTITION BY person ORDER BY stars, item) AS k FROM ratings) AS t GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=6  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: k: 6 values; a unit can be in several)
-- sensitivity: centred sum(stars)  l0=6 l1=12 l2=4.89897948557 linf=2 groups=6  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; stars in [1, 5], proven; summed around 3, the middle; groups: k: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = row_number#2: count = count(*), sum = sum(stars)
--       project person, item, stars, row_number#2 = row_number
--         window row_number = row_number() over (partition person; order stars asc nulls last, item asc nulls last, person asc nulls last)
--           scan ratings (person, item, stars)
==
# case: rows_in_group/several-at-a-rank
SELECT k, COUNT(*) AS n FROM (SELECT RANK() OVER (PARTITION BY person ORDER BY stars) AS k FROM ratings) AS t GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=6 linf=6 groups=6  (rows per unit 6, proven (6 rows of ratings per person); groups: k: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = rank#2: count = count(*)
--       project person, item, stars, rank#2 = rank
--         window rank = rank() over (partition person; order stars asc nulls last)
--           scan ratings (person, item, stars)
==
# case: rows_in_group/places-within-a-part
# note: the first row of each device is at place 1
SELECT k, COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person, device ORDER BY stars, item) AS k FROM ratings) AS t GROUP BY k
-- accept
-- sensitivity: n  l0=6 l1=6 l2=4.24264068712 linf=3 groups=6  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 3, proven; groups: k: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = row_number#2: count = count(*)
--       project person, item, stars, device, row_number#2 = row_number
--         window row_number = row_number() over (partition person, device; order stars asc nulls last, item asc nulls last, person asc nulls last, device asc nulls last)
--           scan ratings (person, item, stars, device)
==
# case: rows_in_group/one-at-each-place-of-a-part
SELECT k, device, COUNT(*) AS n FROM (SELECT device, ROW_NUMBER() OVER (PARTITION BY person, device ORDER BY stars, item) AS k FROM ratings) AS t WHERE device IS NOT NULL GROUP BY k, device
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=12  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: k: 6 values; device: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by k = row_number#2, device#2 = device: count = count(*)
--       filter not(is_null(device))
--         project person, item, stars, device, row_number#2 = row_number
--           window row_number = row_number() over (partition person, device; order stars asc nulls last, item asc nulls last, person asc nulls last, device asc nulls last)
--             scan ratings (person, item, stars, device)
==
# policy: shop verified
# case: rows_in_group/things-of-a-unit-apart
# note: a unit has three orders, each with lines of both kinds
SELECT returned, COUNT(*) AS n FROM (SELECT DISTINCT order_id, returned FROM lines) AS d GROUP BY returned
-- accept
-- sensitivity: n  l0=2 l1=6 l2=4.24264068712 linf=3 groups=2  (rows per unit 6, proven (at most 6 groups per unit (2 rows of lines per order_id, 3 rows of orders per customer)); rows per unit and group 3, proven; groups: returned: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by returned#3 = returned#2: count = count(*)
--       aggregate per unit by order_id#2 = order_id, returned#2 = returned
--         scan lines (order_id, returned)
==
# policy: ratings verified
# case: rows_in_group/places-of-another-type
# note: a cast that keeps values apart makes no other groups
SELECT CAST(k AS TINYINT) AS t, COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person ORDER BY stars, item) AS k FROM ratings) AS t GROUP BY 1
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=6  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: key: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(row_number#2): count = count(*)
--       project person, item, stars, row_number#2 = row_number
--         window row_number = row_number() over (partition person; order stars asc nulls last, item asc nulls last, person asc nulls last)
--           scan ratings (person, item, stars)
==
# case: rows_in_group/places-cast-twice
SELECT CAST(CAST(k AS INTEGER) AS TINYINT) AS t, COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person ORDER BY stars, item) AS k FROM ratings) AS t GROUP BY 1
-- accept
-- sensitivity: n  l0=6 l1=6 l2=2.44948974278 linf=1 groups=6  (rows per unit 6, proven (6 rows of ratings per person); rows per unit and group 1, proven; groups: key: 6 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(cast(row_number#2)): count = count(*)
--       project person, item, stars, row_number#2 = row_number
--         window row_number = row_number() over (partition person; order stars asc nulls last, item asc nulls last, person asc nulls last)
--           scan ratings (person, item, stars)
==
# case: rows_in_group/places-that-merge
SELECT CAST(k AS BOOLEAN) AS t, COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person ORDER BY stars, item) AS k FROM ratings) AS t GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=6 l2=6 linf=6 groups=1  (rows per unit 6, proven (6 rows of ratings per person); groups: key: 1 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = cast(row_number#2): count = count(*)
--       project person, item, stars, row_number#2 = row_number
--         window row_number = row_number() over (partition person; order stars asc nulls last, item asc nulls last, person asc nulls last)
--           scan ratings (person, item, stars)
