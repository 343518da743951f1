# about: Group keys that a public table lists, and NULL, which the policy declares of them
# policy: trips
# case: null_references/foreign-key
SELECT home, COUNT(*) AS n FROM people GROUP BY home
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of people); groups: home: from the public towns; a unit is in one group)
-- plan:
--   r1:
--     aggregate by home#2 = id#2: count = count(*)
--       join left on (home = id#2)
--         scan people (id, home)
--         scan towns (id#2)
==
# case: null_references/no-null-is-asked-for
SELECT town, SUM(km) AS s FROM trips WHERE town IS NOT NULL GROUP BY town
-- accept
-- sensitivity: s  l0=2 l1=100 l2=100 linf=100 groups=public  (rows per unit 2, enforced per unit (2 rows of trips per person); km in [0, 50], clamped; groups: town: from the public towns; a unit can be in several)
-- plan:
--   r1:
--     aggregate by town#2 = id: sum = sum(km)
--       filter (not(is_null(town)) AND not(is_null(id)))
--         join left on (town = id)
--           scan trips (person, town, km)
--           scan towns (id)
==
# case: null_references/null-alone
SELECT town, COUNT(*) AS n FROM trips WHERE town IS NULL GROUP BY town
-- accept
-- sensitivity: n  l0=1 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (2 rows of trips per person); groups: town: from the public towns; a unit can be in 1 of them)
-- plan:
--   r1:
--     aggregate by town#2 = id: count = count(*)
--       filter (is_null(town) AND is_null(id))
--         join left on (town = id)
--           scan trips (person, town)
--           scan towns (id)
==
# case: null_references/two-keys
SELECT home, town, COUNT(*) AS n FROM people JOIN trips ON person = id GROUP BY home, town
-- accept
-- sensitivity: n  l0=2 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (id is the key of people; 2 rows of trips per person); groups: home: from the public towns; town: from the public towns; a unit can be in several)
-- plan:
--   r1:
--     aggregate by home#2 = id#2, town#2 = id#3: count = count(*)
--       join inner on (person = id)
--         join left on (home = id#2)
--           scan people (id, home)
--           scan towns (id#2)
--         join left on (town = id#3)
--           scan trips (person, town)
--           scan towns (id#3)
==
# case: null_references/joined-to-its-table
SELECT home, COUNT(*) AS n FROM people JOIN towns ON towns.id = home GROUP BY home
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=public  (rows per unit 1, proven (id is the key of people); groups: home: from the public towns; a unit is in one group)
-- plan:
--   r1:
--     aggregate by home#2 = id#2: count = count(*)
--       join inner on (id#2 = home)
--         scan people (id, home)
--         scan towns (id#2)
==
# case: null_references/union
SELECT t, COUNT(*) AS n FROM (SELECT home AS t FROM people UNION ALL SELECT town FROM trips) GROUP BY t
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=public  (rows per unit 3, enforced per unit ((id is the key of people) plus (2 rows of trips per person)); groups: t: from the public towns; a unit can be in several)
-- plan:
--   r1:
--     aggregate by t#3 = id#4: count = count(*)
--       join left on (t#2 = id#4)
--         union (t#2, id#3)
--           project t, id#2 = id
--             project t = home, id
--               scan people (id, home)
--           project town#2, person#2 = person
--             project town#2 = town, person
--               scan trips (person, town)
--         scan towns (id#4)
==
# case: null_references/some-and-null
SELECT town, COUNT(DISTINCT person) AS n FROM trips WHERE town > 1 OR town IS NULL GROUP BY town
-- accept
-- sensitivity: n  l0=2 l1=2 l2=1.41421356237 linf=1 groups=public  (rows per unit 2, enforced per unit (2 rows of trips per person); a unit counts once in a group; groups: town: from the public towns; a unit can be in several)
-- plan:
--   r1:
--     aggregate by town#2 = id: count = count(distinct person)
--       filter (((town > 1) OR is_null(town)) AND ((id > 1) OR is_null(id)))
--         join left on (town = id)
--           scan trips (person, town)
--           scan towns (id)
==
# case: null_references/the-text-of-a-key
SELECT CAST(town AS VARCHAR) AS t, AVG(km) AS a FROM trips GROUP BY town
-- accept
-- sensitivity: sum(km)  l0=2 l1=100 l2=100 linf=100 groups=public  (rows per unit 2, enforced per unit (2 rows of trips per person); km in [0, 50], clamped; summed around 0, the least; groups: town: from the public towns; a unit can be in several; a row adds 50 to sum(km) and sum(km - 50) together)
-- sensitivity: sum(km - 50)  l0=2 l1=100 l2=100 linf=100 groups=public  (rows per unit 2, enforced per unit (2 rows of trips per person); km in [0, 50], clamped; summed around 50, the greatest; groups: town: from the public towns; a unit can be in several; a row adds 50 to sum(km) and sum(km - 50) together)
-- plan:
--   r1:
--     aggregate by town#2 = id: avg = avg(km)
--       join left on (town = id)
--         scan trips (person, town, km)
--         scan towns (id)
==
# case: null_references/groups-of-groups
SELECT COUNT(*) AS towns FROM (SELECT town, COUNT(*) AS n FROM trips GROUP BY town) WHERE n > 5
-- accept
-- sensitivity: count(*)  l0=2 l1=2 l2=2 linf=2 groups=public  (rows per unit 2, enforced per unit (2 rows of trips per person); groups: town: from the public towns; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by town#2 = id: count = count(*)
--       join left on (town = id)
--         scan trips (person, town)
--         scan towns (id)
--   answer:
--     project towns = count#2
--       aggregate: count#2 = count(*)
--         filter (n > 5)
--           project town#3 = town#2, n = count
--             project town#2, count
--               filter present
--                 released r1 (town#2, count, present)
