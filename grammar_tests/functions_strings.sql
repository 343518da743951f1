# about: Functions of strings, LIKE and regular expressions
# policy: shop
# case: functions_strings/length
SELECT COUNT(*) AS n FROM customers WHERE LENGTH(email) > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (length(cut(email, 10000)) > 1)
--         scan customers (id, email)
==
# case: functions_strings/sum-of-length-of-domain
# note: any string can stand in an unproven domain, and be as long as DuckDB lets it; drawn ones are short
SELECT SUM(LENGTH(segment)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=7 l2=7 linf=7 groups=1  (rows per unit 1, proven (id is the key of customers); LENGTH(segment) in [0, 7], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(length(segment))
--       scan customers (id, segment)
==
# case: functions_strings/sum-of-length
SELECT SUM(LEAST(LENGTH(email), 20)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=20 l2=20 linf=20 groups=1  (rows per unit 1, proven (id is the key of customers); LEAST(LENGTH(email), CAST(20 AS BIGINT)) in [0, 20], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(least(length(email), 20))
--       scan customers (id, email)
==
# case: functions_strings/lower-upper
SELECT COUNT(*) AS n FROM customers WHERE LOWER(email) = 'a' OR UPPER(email) = 'B'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((lower(cut(email, 10000)) = 'a') OR (upper(cut(email, 10000)) = 'B'))
--         scan customers (id, email)
==
# case: functions_strings/substring-trim
SELECT COUNT(*) AS n FROM customers WHERE SUBSTRING(email, 2, 1) = 'b' OR TRIM(email) = 'x' OR LTRIM(email) = 'x '
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or((substring(cut(email, 10000), 2, 1) = 'b'), (trim(cut(email, 10000)) = 'x'), (ltrim(cut(email, 10000)) = 'x '))
--         scan customers (id, email)
==
# case: functions_strings/concat
SELECT COUNT(*) AS n FROM customers WHERE email || segment = 'ahome'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat(cut(email, 10000), cut(segment, 7)) = 'ahome')
--         scan customers (id, segment, email)
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
-- plan:
--   r1:
--     aggregate by key = upper(segment): count = count(*)
--       scan customers (id, segment)
==
# case: functions_strings/regexp
SELECT COUNT(*) AS n FROM customers WHERE regexp_matches(email, '(a+)+$')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter regexp_matches(cut(email, 10000), '(a+)+$')
--         scan customers (id, email)
==
# case: functions_strings/regexp-operators
SELECT COUNT(*) AS n FROM customers WHERE email ~ '^a' AND email !~ 'b$' AND email ~* 'C' AND email SIMILAR TO '.*@.*' AND email NOT SIMILAR TO 'x'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and(regexp_matches(cut(email, 10000), '^a'), not(regexp_matches(cut(email, 10000), 'b$')), regexp_matches(cut(email, 10000), 'C', 'i'), regexp_full_match(cut(email, 10000), '.*@.*'), not(regexp_full_match(cut(email, 10000), 'x')))
--         scan customers (id, email)
==
# case: functions_strings/regexp-extract
SELECT COUNT(*) AS n FROM customers WHERE regexp_extract(email, '@([a-z]+)[.]', 1, 'i') = 'example' AND regexp_extract(email, 'a') <> ''
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((regexp_extract(cut(email, 10000), '@([a-z]+)[.]', 1, 'i') = 'example') AND (regexp_extract(cut(email, 10000), 'a', 0) <> ''))
--         scan customers (id, email)
==
# case: functions_strings/regexp-replace
SELECT COUNT(*) AS n FROM customers WHERE regexp_replace(email, '[0-9]+', '#', 'g') = 'a#'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (regexp_replace(cut(email, 10000), '[0-9]+', '#', 'g') = 'a#')
--         scan customers (id, email)
==
# case: functions_strings/regexp-full-match
SELECT COUNT(*) AS n FROM customers WHERE regexp_full_match(email, '[a-z]+', 'i')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter regexp_full_match(cut(email, 10000), '[a-z]+', 'i')
--         scan customers (id, email)
==
# case: functions_strings/regexp-of-column
SELECT COUNT(*) AS n FROM customers WHERE regexp_matches(email, segment)
-- reject DP205  regexp_matches: needs a constant pattern
--                                                              ^^^^^^^
==
# case: functions_strings/regexp-syntax
SELECT COUNT(*) AS n FROM customers WHERE regexp_matches(email, '(a')
-- reject DP205  regexp_matches: the pattern ends too early
--                                                              ^^^^
==
# case: functions_strings/regexp-states
SELECT COUNT(*) AS n FROM customers WHERE regexp_matches(email, '(a|b)*a(a|b){20}')
-- reject DP205  regexp_matches: its automaton has more than 128 states, so the time of a match would depend on the row; use fewer counted repetitions
--                                                              ^^^^^^^^^^^^^^^^^^
==
# case: functions_strings/regexp-byte
SELECT COUNT(*) AS n FROM customers WHERE regexp_extract(email, '\C') = ''
-- reject DP205  regexp_extract: the escape \C is not supported
--                                                              ^^^^
==
# case: functions_strings/regexp-option
SELECT COUNT(*) AS n FROM customers WHERE regexp_matches(email, 'a', 'l')
-- reject DP205  regexp_matches: the options are some of c, i, s
--                                                                   ^^^
==
# case: functions_strings/regexp-group
SELECT COUNT(*) AS n FROM customers WHERE regexp_extract(email, '(a)', 10) = ''
-- reject DP205  regexp_extract: argument 3 must be a constant from 0 to 9
--                                                                     ^^
==
# case: functions_strings/regexp-groups-ambiguous
SELECT COUNT(*) AS n FROM customers WHERE regexp_extract(email, '((.)*(.)*(.)*(.)*(.)*)', 1) = ''
-- reject DP205  regexp_extract: a match can go on in 5 ways at once, so the time to find its groups would depend on the row; at most 4 are taken
--                                                              ^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: functions_strings/regexp-replace-quadratic
SELECT COUNT(*) AS n FROM customers WHERE regexp_replace(email, 'a(.*z)?', '', 'g') = ''
-- reject DP205  regexp_replace: a search can read far beyond its match, so the time to replace all of them would depend on the row; leave out 'g', or what may follow a complete match
--                                                              ^^^^^^^^^
==
# case: functions_strings/regexp-replacement
SELECT COUNT(*) AS n FROM customers WHERE regexp_replace(email, 'a', '\1') = ''
-- reject DP205  regexp_replace: Invalid replacement string for regexp_replace: Rewrite schema requests 1 matches, but the regexp only has 0 parenthesized subexpressions.
--                                                                   ^^^^
==
# case: functions_strings/regexp-extract-all
SELECT COUNT(*) AS n FROM customers WHERE regexp_extract_all(email, 'a') IS NULL
-- reject DP204  the function regexp_extract_all is not on the allow-list
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: functions_strings/not-like
SELECT COUNT(*) AS n FROM customers WHERE email NOT LIKE 'a%' AND email NOT ILIKE '%b'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (not(like(cut(email, 10000), 'a%')) AND not(ilike(cut(email, 10000), '%b')))
--         scan customers (id, email)
==
# case: functions_strings/like-escape
# note: no drawn string matches: the claim is tight all the same
SELECT COUNT(*) AS n FROM customers WHERE email LIKE '%a$_b%' ESCAPE '$' AND email NOT ILIKE 'x$%' ESCAPE '$'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (like_escape(cut(email, 10000), '%a$_b%', '$') AND not(ilike_escape(cut(email, 10000), 'x$%', '$')))
--         scan customers (id, email)
==
# case: functions_strings/like-escape-at-end
SELECT COUNT(*) AS n FROM customers WHERE email LIKE 'a$' ESCAPE '$'
-- reject DP205  LIKE: the pattern ends in the escape character
--                                                   ^^^^
-- help: write TRY_CAST(x AS INTEGER) for the text, or a constant in quotes
==
# case: functions_strings/glob
# note: no drawn string matches: the claim is tight all the same
SELECT COUNT(*) AS n FROM customers WHERE email GLOB 'a*[0-9]?'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter glob(cut(email, 10000), 'a*[0-9]?')
--         scan customers (id, email)
==
# case: functions_strings/glob-floating
SELECT COUNT(*) AS n FROM customers WHERE email GLOB '*?????'
-- reject DP205  glob: more than 4 ? and […] in one piece after a *
--                                                   ^^^^^^^^
==
# case: functions_strings/search
# note: no drawn string passes all of them: the claim is tight all the same
SELECT COUNT(*) AS n FROM customers WHERE STARTS_WITH(email, 'a') AND email ^@ segment AND ends_with(email, 'b') AND suffix(email, 'b') AND prefix(email, 'a') AND CONTAINS(email, '@')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter and(starts_with(cut(email, 10000), 'a'), starts_with(cut(email, 10000), cut(segment, 7)), ends_with(cut(email, 10000), 'b'), contains(cut(email, 10000), '@'))
--         scan customers (id, segment, email)
==
# case: functions_strings/contains-column
SELECT COUNT(*) AS n FROM customers WHERE CONTAINS(email, segment)
-- reject DP205  contains: needs a constant string to look for
--                                                        ^^^^^^^
==
# case: functions_strings/position
SELECT COUNT(*) AS n FROM customers WHERE POSITION('@' IN email) > 1 AND STRPOS(email, '@') > 1 AND INSTR(email, '@') > 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (strpos(cut(email, 10000), '@') > 1)
--         scan customers (id, email)
==
# case: functions_strings/sum-of-position
# note: as above: drawn strings are short
SELECT SUM(POSITION('o' IN segment)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=7 l2=7 linf=7 groups=1  (rows per unit 1, proven (id is the key of customers); STRPOS(segment, 'o') in [0, 7], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(strpos(segment, 'o'))
--       scan customers (id, segment)
==
# case: functions_strings/left-right
SELECT COUNT(*) AS n FROM customers WHERE LEFT(email, 2) = 'ab' OR RIGHT(email, -1) = 'b' OR email[1:3] = 'abc' OR email[2] = 'b' OR email[2:] = 'b'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or((left(cut(email, 10000), 2) = 'ab'), (right(cut(email, 10000), -1) = 'b'), (substring(cut(email, 10000), 1, 3) = 'abc'), (substring(cut(email, 10000), 2, 1) = 'b'), (substring(cut(email, 10000), 2) = 'b'))
--         scan customers (id, email)
==
# case: functions_strings/left-column
SELECT COUNT(*) AS n FROM customers WHERE LEFT(email, age) = 'a'
-- reject DP205  left: argument 2 must be a constant from -1000000 to 1000000
--                                                    ^^^
==
# case: functions_strings/slice-from-the-end
SELECT COUNT(*) AS n FROM customers WHERE email[-2:] = 'a'
-- reject DP104  […] takes constant positions from 1, as in s[1:3]
--                                        ^^^^^^^^
==
# case: functions_strings/slice-step
SELECT COUNT(*) AS n FROM customers WHERE email[1:3:2] = 'a'
-- reject DP104  2 is not supported here
--                                                  ^
-- help: leave out the step
==
# case: functions_strings/left-of-domain
SELECT LEFT(segment, 1) AS s, COUNT(*) AS n FROM customers GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=3  (rows per unit 1, proven (id is the key of customers); groups: key: 3 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = left(segment, 1): count = count(*)
--       scan customers (id, segment)
==
# case: functions_strings/replace-split
SELECT COUNT(*) AS n FROM customers WHERE REPLACE(email, 'a', 'b') = 'b' OR SPLIT_PART(email, '@', 2) = 'x' OR TRANSLATE(email, 'ab', 'xy') = 'x'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or((replace(cut(email, 10000), 'a', 'b') = 'b'), (split_part(cut(email, 10000), '@', 2) = 'x'), (translate(cut(email, 10000), 'ab', 'xy') = 'x'))
--         scan customers (id, email)
==
# case: functions_strings/replace-growth
SELECT COUNT(*) AS n FROM customers WHERE REPLACE(REPLACE(email, 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa') = 'b'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (replace(replace(cut(email, 10000), 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa') = 'b')
--         scan customers (id, email)
==
# case: functions_strings/split-column
SELECT COUNT(*) AS n FROM customers WHERE SPLIT_PART(email, segment, 1) = 'x'
-- reject DP205  split_part: needs a constant separator
--                                                          ^^^^^^^
==
# case: functions_strings/pad
# note: a string of ten characters is never 'x', which is not looked for
SELECT COUNT(*) AS n FROM customers WHERE LPAD(email, 10, '0') = 'x' OR RPAD(email, 10, ' ') = 'x'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter ((lpad(cut(email, 10000), 10, '0') = 'x') OR (rpad(cut(email, 10000), 10, ' ') = 'x'))
--         scan customers (id, email)
==
# case: functions_strings/pad-empty
SELECT COUNT(*) AS n FROM customers WHERE LPAD(email, 10, '') = 'x'
-- reject DP205  lpad: the fill must not be empty
--                                                        ^^
==
# case: functions_strings/pad-long
SELECT COUNT(*) AS n FROM customers WHERE LPAD(email, 1001, 'x') = 'x'
-- reject DP205  lpad: argument 2 must be a constant from 0 to 1000
--                                                    ^^^^
==
# case: functions_strings/pad-two-arguments
SELECT COUNT(*) AS n FROM customers WHERE LPAD(email, 10) = 'x'
-- reject DP205  lpad: takes 3 arguments, not 2
--                                        ^^^^^^^^^^^^^^
==
# case: functions_strings/repeat-reverse
SELECT COUNT(*) AS n FROM customers WHERE REPEAT(email, 3) = REVERSE(email)
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (repeat(cut(email, 10000), 3) = reverse(cut(email, 10000)))
--         scan customers (id, email)
==
# case: functions_strings/repeat-long
SELECT COUNT(*) AS n FROM customers WHERE REPEAT(email, 65) = 'x'
-- reject DP205  repeat: argument 2 must be a constant from 0 to 64
--                                                      ^^
==
# case: functions_strings/concat-ws
SELECT COUNT(*) AS n FROM customers WHERE CONCAT_WS('-', email, segment) = 'x'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat_ws('-', cut(email, 10000), cut(segment, 7)) = 'x')
--         scan customers (id, segment, email)
==
# case: functions_strings/concat-ws-column
SELECT COUNT(*) AS n FROM customers WHERE CONCAT_WS(segment, email, segment) = 'x'
-- reject DP205  concat_ws: needs a constant separator
--                                                  ^^^^^^^
==
# case: functions_strings/trim-spellings
SELECT COUNT(*) AS n FROM customers WHERE TRIM(BOTH 'a' FROM email) = 'x' OR TRIM(LEADING FROM email) = 'x' OR TRIM(TRAILING 'a' FROM email) = 'x' OR RTRIM(email, 'a') = 'x'
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter or((trim(cut(email, 10000), 'a') = 'x'), (ltrim(cut(email, 10000)) = 'x'), (rtrim(cut(email, 10000), 'a') = 'x'), (rtrim(cut(email, 10000), 'a') = 'x'))
--         scan customers (id, email)
==
# case: functions_strings/codes
# note: any string can stand in an unproven domain; none with the last character of Unicode is drawn
SELECT SUM(ASCII(segment)) AS a, SUM(UNICODE(segment)) AS u FROM customers WHERE ORD(email) = 97
-- accept
-- sensitivity: a  l0=1 l1=1114111 l2=1114111 linf=1114111 groups=1  (rows per unit 1, proven (id is the key of customers); ASCII(segment) in [0, 1114111], proven)
-- sensitivity: u  l0=1 l1=1114111 l2=1114111 linf=1114111 groups=1  (rows per unit 1, proven (id is the key of customers); UNICODE(segment) in [-1, 1114111], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(ascii(segment)), sum#2 = sum(unicode(segment))
--       filter (unicode(cut(email, 10000)) = 97)
--         scan customers (id, segment, email)
==
# case: functions_strings/bytes
# note: any string can stand in an unproven domain, and be as long as DuckDB lets it; drawn ones are short
SELECT SUM(STRLEN(segment)) AS b FROM customers WHERE BIT_LENGTH(email) > 8
-- accept
-- sensitivity: b  l0=1 l1=28 l2=28 linf=28 groups=1  (rows per unit 1, proven (id is the key of customers); STRLEN(segment) in [0, 28], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(strlen(segment))
--       filter (inside(bit_length(cut(email, 10000)), -1, 320001) > 8)
--         scan customers (id, segment, email)
==
# case: functions_strings/initcap
SELECT COUNT(*) AS n FROM customers WHERE INITCAP(email) = 'A'
-- reject DP204  the function initcap is not on the allow-list
--                                        ^^^^^^^^^^^^^
==
# case: functions_strings/levenshtein
SELECT COUNT(*) AS n FROM customers WHERE LEVENSHTEIN(email, segment) > 2
-- reject DP204  the function levenshtein is not on the allow-list
--                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^
==
# case: functions_strings/bytes-of-no-bytes
# note: OCTET_LENGTH is of a BLOB in DuckDB; of a text it is STRLEN
SELECT COUNT(*) AS n FROM customers WHERE OCTET_LENGTH(email) > 1
-- reject DP204  the function octet_length is not on the allow-list
--                                        ^^^^^^^^^^^^^^^^^^
==
# case: functions_strings/length-of-a-text-of-any-length
SELECT AVG(LENGTH(email)) AS a FROM customers
-- reject DP301  nothing bounds what AVG adds up
--         ^^^^^^^^^^^^
-- help: declare max_length for email in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_strings/length-of-a-text-of-any-length-of-a-subquery
SELECT SUM(l) AS s FROM (SELECT LENGTH(email) + 1 AS l FROM customers)
-- reject DP301  nothing bounds what SUM adds up
--         ^
-- help: declare max_length for email in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_strings/place-in-a-text-of-any-length
SELECT AVG(POSITION('@' IN email)) AS a FROM customers
-- reject DP301  nothing bounds what AVG adds up
--         ^^^^^^^^^^^^^^^^^^^^^
-- help: declare max_length for email in the policy, or write LEAST(GREATEST(x, low), high) around it
==
# case: functions_strings/length-of-a-part
SELECT AVG(LENGTH(LEFT(email, 30))) AS a FROM customers
-- accept
-- sensitivity: sum(LENGTH(LEFT(email, 30)))  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 1, proven (id is the key of customers); LENGTH(LEFT(email, 30)) in [0, 30], proven; summed around 0, the least; a row adds 30 to sum(LENGTH(LEFT(email, 30))) and sum(LENGTH(LEFT(email, 30)) - 30) together)
-- sensitivity: sum(LENGTH(LEFT(email, 30)) - 30)  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 1, proven (id is the key of customers); LENGTH(LEFT(email, 30)) in [0, 30], proven; summed around 30, the greatest; a row adds 30 to sum(LENGTH(LEFT(email, 30))) and sum(LENGTH(LEFT(email, 30)) - 30) together)
-- plan:
--   r1:
--     aggregate: avg = avg(length(left(email, 30)))
--       scan customers (id, email)
==
# case: functions_strings/length-of-an-upper-part
SELECT SUM(LEAST(LENGTH(UPPER(email)), 30)) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=30 l2=30 linf=30 groups=1  (rows per unit 1, proven (id is the key of customers); LEAST(LENGTH(UPPER(email)), CAST(30 AS BIGINT)) in [0, 30], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(least(length(upper(email)), 30))
--       scan customers (id, email)
==
# case: functions_strings/long-texts-counted
SELECT COUNT(*) AS n, COUNT(LENGTH(email)) AS m FROM customers WHERE LENGTH(email) > 30
-- accept
-- sensitivity: m  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- sensitivity: rows without LENGTH(email)  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(*), count#2 = count(length(email))
--       filter (length(cut(email, 10000)) > 30)
--         scan customers (id, email)
==
# case: functions_strings/long-texts-as-a-condition
SELECT SUM(CASE WHEN LENGTH(email) > 30 THEN 1 ELSE 0 END) AS s FROM customers
-- accept
-- sensitivity: s  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers); CASE WHEN (LENGTH(email) > CAST(30 AS BIGINT)) THEN 1 ELSE 0 END in [0, 1], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(case((length(email) > 30) then 1; else 0))
--       scan customers (id, email)
==
# case: functions_strings/grouped-by-a-length
SELECT LEAST(LENGTH(email), 20) AS l, COUNT(*) AS n FROM customers GROUP BY l
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: functions_strings/number-in-a-concat
SELECT CONCAT(age // 10 * 10, '-', age // 10 * 10 + 9) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=10  (rows per unit 1, proven (id is the key of customers); groups: key: 10 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = concat(coalesce(concat(cast((intdiv(age, 10) * 10))), ''), '-', coalesce(concat(cast(((intdiv(age, 10) * 10) + 9))), '')): count = count(*)
--       scan customers (id, age)
==
# case: functions_strings/number-and-text
SELECT 'level ' || units || '/' || 9 AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=9  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 9 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(concat(concat('level ', cast(units)), '/'), cast(9)): count = count(*)
--       scan orders (id, customer, units)
==
# case: functions_strings/quarter-of-a-year
SELECT YEAR(placed) || '-Q' || QUARTER(placed) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(concat(cast(year(placed)), '-Q'), cast(quarter(placed))): count = count(*)
--       scan orders (id, customer, placed)
==
# case: functions_strings/number-beside-a-separator
SELECT CONCAT_WS('/', segment, YEAR(born) // 50) AS k, COUNT(*) AS n FROM customers GROUP BY k
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=16  (rows per unit 1, proven (id is the key of customers); groups: key: 16 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = concat_ws('/', segment, cast(intdiv(year(born), 50))): count = count(*)
--       scan customers (id, segment, born)
==
# case: functions_strings/number-compared-as-text
SELECT COUNT(*) AS n FROM orders WHERE code || '' = '7'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat(coerce(code), '') = '7')
--         scan orders (id, customer, code)
==
# case: functions_strings/double-in-a-concat
SELECT CONCAT('about ', weight) AS k, COUNT(*) AS n FROM orders GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: functions_strings/text-of-double-concat
SELECT COUNT(*) AS n FROM orders WHERE rate || 'a' = '1.5a'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), 'a') = '1.5a')
--         scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-length
# differs: of -0.0 the text is that of 0.0
SELECT SUM(LENGTH(rate || '')) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=72 l2=72 linf=72 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH(((CASE WHEN ISNAN(rate) THEN 'nan' ELSE LEFT(CAST((rate + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || '')) in [0, 24], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(length(concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), '')))
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-concat-function
SELECT SUM(LENGTH(CONCAT(weight, ' kg'))) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=81 l2=81 linf=81 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH((COALESCE(((CASE WHEN ISNAN(weight) THEN 'nan' ELSE LEFT(CAST((weight + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END)), '') || ' kg')) in [0, 27], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(length(concat(coalesce(concat(case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24))), ''), ' kg')))
--       scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-cast-to-text
SELECT SUM(LENGTH(CAST(rate AS VARCHAR))) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=72 l2=72 linf=72 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH((CASE WHEN ISNAN(rate) THEN 'nan' ELSE LEFT(CAST((rate + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END)) in [0, 24], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(length(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24))))
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-cast-in-a-list
SELECT COUNT(*) AS n FROM orders WHERE rate::VARCHAR IN ('0.0', 'nan', 'inf')
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter in(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), '0.0', 'nan', 'inf')
--         scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-distinct
SELECT COUNT(DISTINCT rate || '') AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(distinct concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), ''))
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-listed-key
SELECT weight || '' AS k, COUNT(*) AS n FROM orders WHERE weight || '' IN ('1.5', '2.0') GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24)), ''): count = count(*)
--       filter in(concat(case(isnan(weight) then 'nan'; else left(coerce((clamp(weight, 0, 2828823515942093/140737488355328) + 0)), 24)), ''), '1.5', '2.0')
--         scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-key-without-a-list
SELECT weight || '' AS k, COUNT(*) AS n FROM orders GROUP BY k
-- reject DP303  the values of key are private: no public list of its groups is known
--     ^^^^^^^^^^^^
-- help: declare `values` or `bounds` for its column in the policy, filter it with IN (…), or join a public table and group by that table's column; or ask with a delta, and groups of few units are left out
==
# case: functions_strings/text-of-double-first-character-as-key
SELECT LEFT(weight || '', 1) AS k, COUNT(*) AS n FROM orders WHERE LEFT(weight || '', 1) IN ('1', '2') GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = left(concat(case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24)), ''), 1): count = count(*)
--       filter in(left(concat(case(isnan(weight) then 'nan'; else left(coerce((clamp(weight, 0, 2828823515942093/140737488355328) + 0)), 24)), ''), 1), '1', '2')
--         scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-noisy-number-in-a-text
SELECT status || ' ' || AVG(weight) AS t FROM orders GROUP BY status
-- accept
-- sensitivity: sum(weight)  l0=3 l1=60.3 l2=60.3 linf=60.3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 0, the least; groups: status: 4 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=3 l1=60.3 l2=60.3 linf=60.3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 20.1, the greatest; groups: status: 4 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(weight)
--       scan orders (id, customer, weight, status)
==
# case: functions_strings/text-of-double-noisy-numbers-listed
SELECT STRING_AGG(m, ', ' ORDER BY m) AS t FROM (SELECT status, AVG(weight) AS m FROM orders GROUP BY status)
-- accept
-- sensitivity: sum(weight)  l0=3 l1=60.3 l2=60.3 linf=60.3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 0, the least; groups: status: 4 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=3 l1=60.3 l2=60.3 linf=60.3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 20.1, the greatest; groups: status: 4 values; a unit can be in several; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: count(*)  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several; groups in which it is no more than noise are left out)
-- plan:
--   r1:
--     aggregate by status#2 = status: avg = avg(weight)
--       scan orders (id, customer, weight, status)
--   answer:
--     project t = string_agg
--       aggregate: string_agg = string_agg(concat(case(isnan(m) then 'nan'; else left(coerce((m + 0)), 24))), , ; order m asc nulls last)
--         project status#3 = status#2, m = avg
--           project status#2, avg
--             filter present
--               released r1 (status#2, avg, present)
==
# case: functions_strings/text-of-double-decimal
SELECT COUNT(*) AS n FROM orders WHERE amount || 'a' = '1.50a'
-- reject DP205  concat: needs a string, not DECIMAL(10,2)
--                                     ^^^^^^
-- help: write CAST(x AS VARCHAR)
==
# case: functions_strings/text-of-double-concat-ws
SELECT COUNT(*) AS n FROM orders WHERE CONCAT_WS('-', status, rate) = 'open-1.0'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat_ws('-', cut(status, 5), case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24))) = 'open-1.0')
--         scan orders (id, customer, status, rate)
==
# case: functions_strings/text-of-double-float
SELECT SUM(LENGTH(CAST(rate AS FLOAT) || 'x')) AS n FROM orders
-- reject DP205  concat: the text of a FLOAT, which has fewer digits than the DOUBLE it is here
--                     ^^^^
-- help: write CAST(TRY_CAST(x AS DECIMAL(18, 4)) AS VARCHAR), with the digits that you want
==
# case: functions_strings/text-of-double-constant
SELECT SUM(LENGTH(1.5e0 || 'x')) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=75 l2=75 linf=75 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH(((CASE WHEN ISNAN(CAST('1.5' AS DOUBLE)) THEN 'nan' ELSE LEFT(CAST((CAST('1.5' AS DOUBLE) + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || 'x')) in [0, 25], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(length(concat(case(isnan(3/2) then 'nan'; else left(cast((3/2 + 0)), 24)), 'x')))
--       scan orders (id, customer)
==
# case: functions_strings/text-of-double-repeated
SELECT SUM(LENGTH(REPEAT(rate || '', 3))) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=216 l2=216 linf=216 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH(REPEAT(((CASE WHEN ISNAN(rate) THEN 'nan' ELSE LEFT(CAST((rate + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || ''), 3)) in [0, 72], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(length(repeat(concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), ''), 3)))
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-joined-on
SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.customer = b.customer AND a.rate || '' = b.rate || ''
-- accept
-- sensitivity: n  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 9, proven (no two rows with the same customer, number_up_to_3))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       join inner on ((customer = customer#2) AND (concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), '') = concat(case(isnan(rate#2) then 'nan'; else left(coerce((rate#2 + 0)), 24)), '')))
--         filter (number_up_to_3 <= 3)
--           project id, customer, rate, number_up_to_3 = row_number
--             window row_number = row_number() over (partition customer; order id asc nulls last, customer asc nulls last, rate asc nulls last)
--               scan orders (id, customer, rate)
--         filter (number_up_to_3#2 <= 3)
--           project id#2, customer#2, rate#2, number_up_to_3#2 = row_number#2
--             window row_number#2 = row_number() over (partition customer#2; order id#2 asc nulls last, customer#2 asc nulls last, rate#2 asc nulls last)
--               scan orders (id#2, customer#2, rate#2)
==
# case: functions_strings/text-of-double-minimum
SELECT MIN(LENGTH(rate || '')) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); 25 points; MIN and MAX are of the rank 38 from the end)
-- plan:
--   r1:
--     aggregate: min = min(length(concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), '')))
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-quotient
SELECT SUM(LENGTH(amount / 3 || '')) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=72 l2=72 linf=72 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH(((CASE WHEN ISNAN((amount / CAST('3.0' AS DOUBLE))) THEN 'nan' ELSE LEFT(CAST(((amount / CAST('3.0' AS DOUBLE)) + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || '')) in [0, 24], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(length(concat(case(isnan(div(coerce(amount), 3)) then 'nan'; else left(cast((div(coerce(amount), 3) + 0)), 24)), '')))
--       scan orders (id, customer, amount)
==
# case: functions_strings/text-of-double-per-unit-key
SELECT SUM(n) AS s FROM (SELECT customer, rate || '' AS r, COUNT(*) AS n FROM orders GROUP BY customer, r) x
-- accept
-- sensitivity: s  l0=1 l1=9 l2=9 linf=9 groups=1  (rows per unit 3, enforced per unit (at most 3 groups per unit (3 rows of orders per customer)); count in [1, 3], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(count)
--       aggregate per unit by customer#2 = customer, key = concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), ''): count = count(*)
--         scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-key-of-listed-numbers
SELECT rate || '' AS k, COUNT(*) AS n FROM orders WHERE rate IN (1.5, 2) GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), ''): count = count(*)
--       filter in(rate, 3/2, 2)
--         scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-floor-of-whole-numbers
SELECT SUM(LENGTH(FLOOR(units) || '')) AS n FROM orders
-- reject DP205  concat: the text of FLOOR or CEIL of a whole number, which is a DOUBLE
--                ^^^^^^^^^^^
-- help: leave FLOOR out, or write CAST(x AS BIGINT) around it
==
# case: functions_strings/text-of-double-floor
SELECT SUM(LENGTH(FLOOR(weight) || '')) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=72 l2=72 linf=72 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH(((CASE WHEN ISNAN(FLOOR(weight)) THEN 'nan' ELSE LEFT(CAST((FLOOR(weight) + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || '')) in [0, 24], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(length(concat(case(isnan(floor(weight)) then 'nan'; else left(cast((floor(weight) + 0)), 24)), '')))
--       scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-text-as-a-number
SELECT SUM(TRY_CAST(weight || '' AS INTEGER)) AS n FROM orders
-- accept
-- sensitivity: n  l0=1 l1=6442450944 l2=6442450944 linf=6442450944 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); TRY_CAST(((CASE WHEN ISNAN(weight) THEN 'nan' ELSE LEFT(CAST((weight + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || '') AS INT) in [-2147483648, 2147483647], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(try_cast(concat(case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24)), '')))
--       scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-like
SELECT COUNT(*) AS n FROM orders WHERE ROUND(weight, 1) || '' LIKE '%.5'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter like(concat(case(isnan(round(clamp(weight, 0, 2828823515942093/140737488355328), 1)) then 'nan'; else left(coerce((round(clamp(weight, 0, 2828823515942093/140737488355328), 1) + 0)), 24)), ''), '%.5')
--         scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-nan
SELECT COUNT(*) AS n FROM orders WHERE 'NaN'::DOUBLE || '' = 'nan' AND rate || '' = 'nan'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat(case(isnan(try_cast('nan')) then 'nan'; else left(coerce((try_cast('nan') + 0)), 24)), '') = 'nan')
--         filter (concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), '') = 'nan')
--           scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-of-null
SELECT COUNT(rate || '') AS n, COUNT(CONCAT(rate, '')) AS m FROM orders
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- sensitivity: rows without (CASE WHEN ISNAN(rate) THEN 'nan' ELSE LEFT(CAST((rate + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || ''  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); a row adds 1 to all 2 weights together)
-- plan:
--   r1:
--     aggregate: count = count(concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), '')), count#2 = count(concat(coalesce(concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24))), ''), ''))
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-in-a-case
SELECT CASE WHEN rate || '' = 'inf' THEN 'inf' ELSE 'other' END AS k, COUNT(*) AS n FROM orders GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = case((concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), '') = 'inf') then 'inf'; else 'other'): count = count(*)
--       scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-having
SELECT status, COUNT(*) AS n FROM orders WHERE weight || '' <> '0.0' GROUP BY status HAVING COUNT(*) > 3
-- accept
-- sensitivity: n  l0=3 l1=3 l2=3 linf=3 groups=4  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: status: 4 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by status#2 = status: count = count(*)
--       filter (concat(case(isnan(weight) then 'nan'; else left(coerce((clamp(weight, 0, 2828823515942093/140737488355328) + 0)), 24)), '') <> '0.0')
--         scan orders (id, customer, weight, status)
--   answer:
--     project status#3 = status#2, n = count
--       filter (count > 3)
--         released r1 (status#2, count)
==
# case: functions_strings/text-of-double-in-an-outer-join
SELECT COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer = c.id AND o.rate || '' = c.score || ''
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (id is the key of customers; 3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(id#2)
--       join left on ((customer = id) AND (concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), '') = concat(case(isnan(score) then 'nan'; else left(coerce((clamp(score, -1, 1) + 0)), 24)), '')))
--         scan customers (id, score)
--         scan orders (id#2, customer, rate)
==
# case: functions_strings/text-of-double-of-both-zeros
# differs: -0.0 is written as 0.0
SELECT COUNT(*) AS n FROM orders WHERE CONCAT(rate, '/', -rate) = '0.0/0.0'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (concat(coalesce(concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24))), ''), '/', coalesce(concat(case(isnan((0 - rate)) then 'nan'; else left(coerce(((0 - rate) + 0)), 24))), '')) = '0.0/0.0')
--         scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-of-two-numbers
# differs: -0.0 is written as 0.0, and every NaN as nan
SELECT SUM(LENGTH(rate || '/' || weight)) AS s FROM orders
-- accept
-- sensitivity: s  l0=1 l1=147 l2=147 linf=147 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); LENGTH((((CASE WHEN ISNAN(rate) THEN 'nan' ELSE LEFT(CAST((rate + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END) || '/') || (CASE WHEN ISNAN(weight) THEN 'nan' ELSE LEFT(CAST((weight + CAST('0.0' AS DOUBLE)) AS TEXT), 24) END))) in [0, 49], clamped)
-- plan:
--   r1:
--     aggregate: sum = sum(length(concat(concat(case(isnan(rate) then 'nan'; else left(cast((rate + 0)), 24)), '/'), case(isnan(weight) then 'nan'; else left(cast((weight + 0)), 24)))))
--       scan orders (id, customer, weight, rate)
==
# case: functions_strings/text-of-double-tried
SELECT COUNT(*) AS n FROM orders WHERE TRY_CAST(weight AS VARCHAR) = '20.1'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (case(isnan(weight) then 'nan'; else left(coerce((clamp(weight, 0, 2828823515942093/140737488355328) + 0)), 24)) = '20.1')
--         scan orders (id, customer, weight)
==
# case: functions_strings/text-of-double-public
SELECT price / 2 || ' each' AS t FROM products
-- exact
==
# case: functions_strings/text-of-double-grouped-by-the-number
SELECT rate || '' AS k, COUNT(*) AS n FROM orders WHERE rate IN (0, 2.5) GROUP BY rate
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: rate: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by rate#2 = rate: count = count(*)
--       filter in(rate, 0, 5/2)
--         scan orders (id, customer, rate)
==
# case: functions_strings/text-of-double-in-a-set-operation
SELECT COUNT(*) AS n FROM (SELECT customer, rate || '' AS r FROM orders UNION ALL SELECT id, score || '' FROM customers) x WHERE r = '1.0'
-- accept
-- sensitivity: n  l0=1 l1=4 l2=4 linf=4 groups=1  (rows per unit 4, enforced per unit ((3 rows of orders per customer) plus (id is the key of customers)))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (r#2 = '1.0')
--         union (r#2, customer#3)
--           project r, customer#2 = customer
--             project r = concat(case(isnan(rate) then 'nan'; else left(coerce((rate + 0)), 24)), ''), customer
--               scan orders (id, customer, rate)
--           project score || '', id#3 = id#2
--             project score || '' = concat(case(isnan(score) then 'nan'; else left(coerce((clamp(score, -1, 1) + 0)), 24)), ''), id#2
--               scan customers (id#2, score)
==
# case: functions_strings/number-of-digits
SELECT COUNT(*) AS n FROM orders WHERE CAST(CAST(YEAR(day) AS VARCHAR) || LPAD(CAST(MONTH(day) AS VARCHAR), 2, '0') AS INTEGER) > 202403
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (try_cast(concat(coerce(year(clamp(day, 2024-01-01, 2024-12-31))), lpad(coerce(month(clamp(day, 2024-01-01, 2024-12-31))), 2, '0'))) > 202403)
--         scan orders (id, customer, day)
==
# case: functions_strings/number-of-digits-of-a-format
SELECT CAST(STRFTIME(day, '%m%d') AS INTEGER) // 1000 AS k, COUNT(*) AS n FROM orders WHERE CAST(STRFTIME(day, '%Y%m') AS INTEGER) < 202407 GROUP BY k
-- accept
-- sensitivity: n  l0=2 l1=3 l2=3 linf=3 groups=2  (rows per unit 3, enforced per unit (3 rows of orders per customer); groups: key: 2 values; a unit can be in several)
-- plan:
--   r1:
--     aggregate by key = intdiv(cast(strftime(day, '%m%d')), 1000): count = count(*)
--       filter (try_cast(strftime(clamp(day, 2024-01-01, 2024-12-31), '%Y%m')) < 202407)
--         scan orders (id, customer, day)
==
# case: functions_strings/number-of-too-many-digits
SELECT COUNT(*) AS n FROM orders WHERE CAST(CAST(YEAR(day) AS VARCHAR) || LPAD(CAST(MONTH(day) AS VARCHAR), 6, '0') AS INTEGER) > 202403
-- reject DP306  CAST from VARCHAR to INTEGER could fail on some row
--                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use TRY_CAST(… AS INTEGER), which gives NULL where the value does not fit
==
# case: functions_strings/number-of-digits-or-a-sign
SELECT COUNT(*) AS n FROM orders WHERE CAST(CAST(DAY(day) - 9 AS VARCHAR) || CAST(MONTH(day) AS VARCHAR) AS INTEGER) > 3
-- reject DP306  CAST from VARCHAR to INTEGER could fail on some row
--                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: use TRY_CAST(… AS INTEGER), which gives NULL where the value does not fit
==
# case: functions_strings/sum-of-bits
SELECT SUM(BIT_LENGTH(LEFT(email, 10))) AS b FROM customers
-- accept
-- sensitivity: b  l0=1 l1=320 l2=320 linf=320 groups=1  (rows per unit 1, proven (id is the key of customers); CAST(BIT_LENGTH(LEFT(email, 10)) AS BIGINT) in [0, 320], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(bit_length(left(email, 10)))
--       scan customers (id, email)
==
# case: functions_strings/six-digits
SELECT FORMAT('{:g}', AVG(weight)) AS t FROM orders
-- accept
-- sensitivity: sum(weight)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 0, the least; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- sensitivity: sum(weight - 20.1)  l0=1 l1=60.3 l2=60.3 linf=60.3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer); weight in [0, 20.1], clamped; summed around 20.1, the greatest; a row adds 20.1 to sum(weight) and sum(weight - 20.1) together)
-- plan:
--   r1:
--     aggregate: avg = avg(weight)
--       scan orders (id, customer, weight)
==
# case: functions_strings/six-digits-of-a-row
SELECT COUNT(*) AS n FROM orders WHERE FORMAT('{:g}', rate * 1e9) LIKE '%e+%'
-- accept
-- sensitivity: n  l0=1 l1=3 l2=3 linf=3 groups=1  (rows per unit 3, enforced per unit (3 rows of orders per customer))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter like(case(isnan((rate * 1000000000)) then 'nan'; else left(six_digits((rate * 1000000000)), 24)), '%e+%')
--         scan orders (id, customer, rate)
==
# case: functions_strings/six-digits-of-a-whole-number
SELECT FORMAT('{:g}', COUNT(*)) AS t FROM orders
-- reject DP205  FORMAT('{:g}', x) needs a DOUBLE
--     ^^^^^^^^^^^^^^^^^^^^^^
-- help: write CAST(x AS DOUBLE)
==
# case: functions_strings/a-format-of-any-length
SELECT FORMAT('{:9999999}', AVG(weight)) AS t FROM orders
-- reject DP104  FORMAT takes the pattern '{:g}' and one DOUBLE, which it writes in six digits
--     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
-- help: join texts with CONCAT(a, b)
==
# case: functions_strings/greatest-of-texts
SELECT SUM(LENGTH(GREATEST(LEFT(email, 20), segment))) AS n, COUNT(*) FILTER (WHERE LEAST(email, 'm', NULL) = email) AS c FROM customers
-- accept
-- sensitivity: c  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- sensitivity: n  l0=1 l1=20 l2=20 linf=20 groups=1  (rows per unit 1, proven (id is the key of customers); LENGTH(GREATEST(LEFT(email, 20), segment)) in [0, 20], proven)
-- plan:
--   r1:
--     aggregate: sum = sum(length(greatest(left(email, 20), segment))), count = count(case((least(email, 'm', NULL) = email) then 1; else NULL))
--       scan customers (id, segment, email)
==
# case: functions_strings/groups-of-the-least-text
SELECT LEAST(segment, 'office') AS s, COUNT(*) AS n FROM customers GROUP BY 1
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=2  (rows per unit 1, proven (id is the key of customers); groups: key: 2 values; a unit is in one group)
-- plan:
--   r1:
--     aggregate by key = least(segment, 'office'): count = count(*)
--       scan customers (id, segment)
==
# case: functions_strings/greatest-of-an-enum
SELECT COUNT(*) AS n FROM customers WHERE GREATEST(level, 'gold') = 'gold'
-- reject DP205  greatest: needs numbers, dates or texts, not ENUM('basic', 'plus', 'gold')
--                                                 ^^^^^
==
# case: functions_strings/pattern-of-constants
SELECT COUNT(*) AS n FROM customers WHERE email LIKE 'a' || '%' OR email LIKE CONCAT('b', '%')
-- accept
-- sensitivity: n  l0=1 l1=1 l2=1 linf=1 groups=1  (rows per unit 1, proven (id is the key of customers))
-- plan:
--   r1:
--     aggregate: count = count(*)
--       filter (like(cut(email, 10000), 'a%') OR like(cut(email, 10000), 'b%'))
--         scan customers (id, email)
