"""Queries that are made to take long to analyse, each of a size of one's choice."""

from __future__ import annotations

from tests.support.shapes import Shape, between, chain, columns, nested, where

SHAPES: dict[str, Shape] = {
    # Many columns.
    "corr": columns("CORR(amount + #, units) AS c#"),
    "corr same": columns("CORR(amount, units) AS c#"),
    "var": columns("VAR_SAMP(amount + #) AS c#"),
    "covar": columns("COVAR_POP(amount, units + #) AS c#"),
    "regr": columns("REGR_SLOPE(amount, units * #) AS c#"),
    "sum": columns("SUM(amount + #) AS c#"),
    "avg": columns("AVG(amount * #) AS c#"),
    "count": columns("COUNT(amount + #) AS c#"),
    "count distinct": columns("COUNT(DISTINCT units + #) AS c#"),
    "median": columns("MEDIAN(amount + #) AS c#"),
    "mode": columns("MODE(units + #) AS c#"),
    "max": columns("MAX(units + #) AS c#"),
    "histogram": columns("HISTOGRAM(units + #) AS c#"),
    "same column": columns("COUNT(*) AS c#"),
    "grouped corr": columns("CORR(amount + #, units) AS c#", "FROM orders GROUP BY status"),
    "aggregates in arithmetic": columns("SUM(amount + #)", "AS s FROM orders", " + "),
    "formula of one sum": columns("SUM(amount) * #", "AS s FROM orders", " + "),
    "keys": lambda n: (
        "SELECT COUNT(*) FROM (SELECT "
        + ", ".join(f"units % 2 AS k{i}" for i in range(n))
        + " FROM orders) t GROUP BY "
        + ", ".join(f"k{i}" for i in range(n))
    ),
    "columns of a subquery": lambda n: (
        "SELECT SUM(c0) FROM (SELECT "
        + ", ".join(f"units + {i} AS c{i}" for i in range(n))
        + " FROM orders) t"
    ),
    "per unit columns": lambda n: (
        "SELECT "
        + ", ".join(f"SUM(c{i})" for i in range(n))
        + " FROM (SELECT customer, "
        + ", ".join(f"SUM(units + {i}) AS c{i}" for i in range(n))
        + " FROM orders GROUP BY customer) t"
    ),
    "windows": lambda n: (
        "SELECT "
        + ", ".join(f"SUM(c{i})" for i in range(n))
        + " FROM (SELECT "
        + ", ".join(
            f"ROW_NUMBER() OVER (PARTITION BY customer ORDER BY units + {i}) AS c{i}"
            for i in range(n)
        )
        + " FROM orders) t"
    ),
    # FILTER, whose conditions are compared with one another.
    "filter equal": columns("COUNT(*) FILTER (WHERE units = #)"),
    "filter text": columns("COUNT(*) FILTER (WHERE status = 's#')"),
    "filter range": columns("SUM(amount) FILTER (WHERE id BETWEEN # AND # + 1)"),
    "filter like": columns("COUNT(*) FILTER (WHERE note LIKE '%a#_b%')", "FROM lines"),
    "filter regex": columns(
        "COUNT(*) FILTER (WHERE regexp_matches(note, 'a#[b-d]+(x|y)*'))", "FROM lines"
    ),
    "filter or": columns("COUNT(*) FILTER (WHERE units = # OR units = # + 1 OR paid)"),
    "filter long": columns(
        "COUNT(*) FILTER (WHERE " + " OR ".join(f"units = # + {i}" for i in range(20)) + ")"
    ),
    "filter conjunction": columns(
        "COUNT(*) FILTER (WHERE " + " AND ".join(f"units <> # + {i}" for i in range(20)) + ")"
    ),
    "case sums": columns("SUM(CASE WHEN units = # THEN amount END)"),
    "filter in": columns(
        "COUNT(*) FILTER (WHERE units IN (" + ", ".join(f"# + {i}" for i in range(10)) + "))"
    ),
    "filter in constants": columns(
        "COUNT(*) FILTER (WHERE units IN (" + ", ".join(f"#{i:02}" for i in range(30)) + "))"
    ),
    # Long conditions and lists.
    "and": where("units <> #", " AND "),
    "or": where("units = #", " OR "),
    "or of pairs": where("(units = # AND paid)", " OR "),
    "or of texts": where("note = 'x#'", " OR ", "lines"),
    "and of columns": where("amount > units * #", " AND "),
    "regexes": where("regexp_matches(note, 'a#[b-d]+(x|y)*')", " OR ", "lines"),
    "one regex": where("regexp_matches(note, '(a|b)*a(a|b){6}')", " OR ", "lines"),
    "wide regexes": where("regexp_matches(note, '(a|b|c#)*a(a|b)(a|b)(a|b)')", " OR ", "lines"),
    "regex replace": where("regexp_replace(note, 'a#+', 'b', 'g') = 'x'", " OR ", "lines"),
    "regex extract": where("regexp_extract(note, 'a#([b-d]+)', 1) = 'x'", " OR ", "lines"),
    "likes": where("note LIKE '%a#_b%c'", " OR ", "lines"),
    "globs": where("note GLOB '*a#?b*[c-f]'", " OR ", "lines"),
    "in": between("SELECT COUNT(*) FROM orders WHERE units IN (", "#", ", ", ")"),
    "in of texts": between("SELECT COUNT(*) FROM lines WHERE note IN (", "'x#'", ", ", ")"),
    "in of expressions": between(
        "SELECT COUNT(*) FROM orders WHERE id IN (", "units + #", ", ", ")"
    ),
    "in of decimals": between("SELECT COUNT(*) FROM orders WHERE amount IN (", "#.25", ", ", ")"),
    "grouped in": between(
        "SELECT status, COUNT(*) FROM orders WHERE id IN (", "#", ", ", ") GROUP BY status"
    ),
    "grouped by in": between(
        "SELECT id, COUNT(*) FROM orders WHERE id IN (", "#", ", ", ") GROUP BY id"
    ),
    "grouped by in of texts": between(
        "SELECT note, COUNT(*) FROM lines WHERE note IN (", "'x#'", ", ", ") GROUP BY note"
    ),
    "grouped by or": between(
        "SELECT id, COUNT(*) FROM orders WHERE ", "id = #", " OR ", " GROUP BY id"
    ),
    "not in": between("SELECT COUNT(*) FROM orders WHERE units NOT IN (", "#", ", ", ")"),
    "case": between("SELECT SUM(CASE units ", "WHEN # THEN #", " ", " ELSE 0 END) FROM orders"),
    "case search": between(
        "SELECT SUM(CASE ", "WHEN amount > # THEN units + #", " ", " END) FROM orders"
    ),
    "grouped case": between(
        "SELECT CASE ",
        "WHEN units = # THEN 'g#'",
        " ",
        " END AS g, COUNT(*) FROM orders GROUP BY g",
    ),
    "case of likes": between(
        "SELECT SUM(CASE ", "WHEN note LIKE '%#%' THEN quantity", " ", " END) FROM lines"
    ),
    "unions told apart": between(
        "SELECT COUNT(*) FROM (", "SELECT * FROM orders", " UNION ", ") AS t"
    ),
    "pivots": between("PIVOT orders ON ", "paid", ", ", " USING COUNT(*) GROUP BY status"),
    "groupings": lambda n: (
        f"SELECT COUNT(*) FROM {'(SELECT id, COUNT(*) AS c FROM ' * n}orders"
        f"{' GROUP BY id) AS t' * n}"
    ),
    "plus": between("SELECT SUM(", "units", " + ", ") FROM orders"),
    "plus of others": between("SELECT SUM(", "units * #", " + ", ") FROM orders"),
    "times": between("SELECT SUM(", "units", " * ", ") FROM orders"),
    "times of doubles": between("SELECT SUM(", "weight", " * ", ") FROM orders"),
    "divided": between("SELECT SUM(", "amount", " / ", ") FROM orders"),
    "concat": between("SELECT COUNT(*) FROM lines WHERE ", "note", " || ", " = 'x'"),
    "concat of constants": between("SELECT COUNT(*) FROM lines WHERE ", "'x#'", " || ", " = note"),
    "concat function": between("SELECT COUNT(*) FROM lines WHERE concat(", "note", ", ", ") = 'x'"),
    "greatest": between("SELECT SUM(greatest(", "units + #", ", ", ")) FROM orders"),
    "coalesce": between("SELECT SUM(coalesce(", "units + #", ", ", ")) FROM orders"),
    "greatest of dates": between("SELECT MAX(greatest(", "day + #", ", ", ")) FROM orders"),
    "long number": lambda n: f"SELECT SUM(units) FROM orders WHERE rate < {'9' * n}",
    "long exponent": lambda n: f"SELECT SUM(units) FROM orders WHERE rate < 1e{n}",
    "long decimal": lambda n: f"SELECT SUM(units) FROM orders WHERE rate < 0.{'7' * n}",
    "sum of long numbers": lambda n: f"SELECT SUM(rate * 1e{n}) FROM orders WHERE rate < 1e{n}",
    "long text": lambda n: f"SELECT COUNT(*) FROM lines WHERE note = '{'x' * n}'",
    "long pattern": lambda n: f"SELECT COUNT(*) FROM lines WHERE note LIKE '%{'a%' * n}'",
    "long regex": lambda n: (
        f"SELECT COUNT(*) FROM lines WHERE regexp_matches(note, '{'(a|b)?' * n}')"
    ),
    "counted regex": lambda n: (
        f"SELECT COUNT(*) FROM lines WHERE regexp_matches(note, '(a|b)*a(a|b){{{n}}}')"
    ),
    "long format": lambda n: (
        f"SELECT strftime(day, '{'%d-%m ' * n}') AS f, COUNT(*) FROM orders GROUP BY f"
    ),
    "long name": lambda n: f"SELECT COUNT(*) AS {'x' * n} FROM orders",
    "unknown names": columns("SUM(unknown#)"),
    "comments": lambda n: "SELECT COUNT(*) " + "/* x */ " * n + "FROM orders",
    "unary": lambda n: f"SELECT SUM({'- ' * n}units) FROM orders",
    "nots": lambda n: f"SELECT COUNT(*) FROM orders WHERE {'NOT ' * n}paid",
    "casts": lambda n: f"SELECT SUM(units{'::BIGINT' * n}) FROM orders",
    # Deep nesting.
    "brackets": nested("(~)", "units"),
    "nested plus": nested("(~ + units)", "units"),
    "nested abs": nested("abs(~ - #)", "units"),
    "nested case": nested("CASE WHEN units > # THEN ~ ELSE # END", "units"),
    "nested case in the condition": nested("CASE WHEN ~ > # THEN units ELSE # END", "units"),
    "nested simple case": nested("CASE ~ WHEN 1 THEN 2 WHEN # THEN 4 ELSE 3 END", "units"),
    "nested between": nested("CASE WHEN ~ BETWEEN 1 AND # THEN 1 ELSE 2 END", "units"),
    "nested in": nested("CASE WHEN ~ IN (1, 2, #) THEN 1 ELSE 2 END", "units"),
    "nested distinct from": nested("CASE WHEN ~ IS DISTINCT FROM # THEN 1 ELSE 2 END", "units"),
    "nested if": nested("if(~ > #, 1, 2)", "units"),
    "nested sign": nested("sign(~)", "units"),
    "nested trunc": nested("trunc(~ / 3)", "units"),
    "nested length": nested(
        "left(note, length(~))", "note", "SELECT COUNT(*) FROM lines WHERE ~ = 'x'"
    ),
    "nested coalesce": nested("coalesce(~, units + #)", "units"),
    "nested greatest": nested("greatest(~, units + #)", "units"),
    "nested nullif": nested("nullif(~, #)", "units"),
    "nested division": nested("(~ // (units + #))", "units"),
    "nested modulo": nested("(~ % (units + #))", "total"),
    "nested shift": nested("(~ << units)", "units"),
    "nested round": nested("round(~ / 3, 2)", "amount"),
    "nested sqrt": nested("sqrt(abs(~))", "weight"),
    "nested exp": nested("exp(~)", "score", "SELECT SUM(~) FROM customers"),
    "nested power": nested("pow(~, 2)", "weight"),
    "nested date": nested("(~ + INTERVAL 1 MONTH)", "day", "SELECT MAX(~) FROM orders"),
    "nested date trunc": nested("date_trunc('month', ~)", "day", "SELECT MAX(~) FROM orders"),
    "nested replace": nested(
        "replace(~, 'a', 'bb')", "note", "SELECT COUNT(*) FROM lines WHERE ~ = 'x'"
    ),
    "nested substring": nested(
        "substring(~, #, 5)", "note", "SELECT COUNT(*) FROM lines WHERE ~ = 'x'"
    ),
    "nested upper": nested("upper(~)", "note", "SELECT COUNT(*) FROM lines WHERE ~ = 'x'"),
    "nested regex replace": nested(
        "regexp_replace(~, 'a#', 'b', 'g')", "note", "SELECT COUNT(*) FROM lines WHERE ~ = 'x'"
    ),
    "nested subqueries": nested(
        "SELECT * FROM (~) t#", "SELECT * FROM orders", "SELECT COUNT(*) FROM (~) t"
    ),
    "nested distinct": nested(
        "SELECT DISTINCT units + # AS units FROM (~) t#",
        "SELECT units FROM orders",
        "SELECT COUNT(*) FROM (~) t",
    ),
    "nested in subqueries": nested(
        "SELECT id FROM customers WHERE id IN (~)",
        "SELECT customer FROM orders",
        "SELECT COUNT(*) FROM customers WHERE id IN (~)",
    ),
    "nested exists": nested(
        "EXISTS (SELECT 1 FROM orders o# WHERE o#.customer = c.id AND ~)",
        "TRUE",
        "SELECT COUNT(*) FROM customers c WHERE ~",
    ),
    "nested released": nested(
        "(SELECT COUNT(*) FROM customers WHERE age > ~)",
        "20",
        "SELECT COUNT(*) FROM customers WHERE age > ~",
    ),
    # Many tables.
    "exists": where("EXISTS (SELECT 1 FROM lines l# WHERE order_id = o.id)", " AND ", "orders o"),
    "exists or": where(
        "EXISTS (SELECT 1 FROM lines l# WHERE l#.order_id = o.id AND l#.quantity = #)",
        " OR ",
        "orders o",
    ),
    "in subqueries": where(
        "id IN (SELECT order_id FROM lines WHERE quantity > #)", " AND ", "orders"
    ),
    "scalar subqueries": where(
        "amount > (SELECT AVG(amount) FROM orders WHERE units = #)", " AND ", "orders"
    ),
    "correlated subqueries": where(
        "3 > (SELECT COUNT(*) FROM lines l WHERE l.order_id = o.id AND quantity = #)",
        " AND ",
        "orders o",
    ),
    "released columns": columns("(SELECT SUM(amount) FROM orders WHERE units = #)", ""),
    "joins": lambda n: (
        "SELECT COUNT(*) FROM customers c "
        + " ".join(
            f"JOIN orders o{i} ON o{i}.customer = c.id AND o{i}.units = {i}" for i in range(n)
        )
    ),
    "public joins": lambda n: (
        "SELECT COUNT(*) FROM customers c "
        + " ".join(f"JOIN regions r{i} ON r{i}.id = c.region" for i in range(n))
    ),
    "left joins": lambda n: (
        "SELECT COUNT(*) FROM customers c "
        + " ".join(f"LEFT JOIN regions r{i} ON r{i}.id = c.region" for i in range(n))
    ),
    "star joins": lambda n: (
        "SELECT COUNT(*) FROM (SELECT * FROM customers c "
        + " ".join(f"JOIN regions r{i} ON r{i}.id = c.region" for i in range(n))
        + ") t"
    ),
    "comma": lambda n: (
        "SELECT COUNT(*) FROM customers c, "
        + ", ".join(f"regions r{i}" for i in range(n))
        + " WHERE "
        + " AND ".join(f"r{i}.id = c.region" for i in range(n))
    ),
    "one-row joins": lambda n: (
        "SELECT COUNT(*) FROM customers c "
        + " ".join(f"JOIN customers d{i} ON d{i}.id = c.id" for i in range(n))
    ),
    "using": lambda n: (
        "SELECT COUNT(*) FROM customers "
        + " ".join(
            f"JOIN (SELECT id, {i} AS x{i} FROM customers) d{i} USING (id)" for i in range(n)
        )
    ),
    "unions": lambda n: (
        "SELECT COUNT(*) FROM ("
        + " UNION ALL ".join(f"SELECT units FROM orders WHERE units = {i}" for i in range(n))
        + ") t"
    ),
    "distinct unions": lambda n: (
        "SELECT COUNT(*) FROM ("
        + " UNION ".join(f"SELECT units FROM orders WHERE units = {i}" for i in range(n))
        + ") t"
    ),
    "unions of releases": lambda n: " UNION ALL ".join(
        f"SELECT COUNT(*) AS n FROM orders WHERE units = {i}" for i in range(n)
    ),
    "unions of constants": lambda n: (
        "SELECT x, COUNT(*) FROM orders JOIN ("
        + " UNION ALL ".join(f"SELECT {i} AS x" for i in range(n))
        + ") t ON units = x GROUP BY x"
    ),
    "excepts": lambda n: (
        "SELECT COUNT(*) FROM ("
        + " EXCEPT ".join(f"SELECT units FROM orders WHERE units = {i}" for i in range(n))
        + ") t"
    ),
    # WITH, whose queries stand for themselves wherever they are named.
    "chain": chain("SELECT * FROM @", "SELECT * FROM orders", "SELECT COUNT(*) FROM @"),
    "chain of sums": chain(
        "SELECT units + units AS units FROM @",
        "SELECT units FROM orders",
        "SELECT SUM(units) FROM @",
    ),
    "chain of cases": chain(
        "SELECT CASE WHEN units > # THEN units ELSE units + 1 END AS units FROM @",
        "SELECT units FROM orders",
        "SELECT SUM(units) FROM @",
    ),
    "chain of filtered cases": chain(
        "SELECT CASE WHEN n > # THEN n END AS n FROM @",
        "SELECT COUNT(*) AS n FROM orders",
        "SELECT n FROM @ WHERE n > 5",
    ),
    "chain of public cases": chain(
        "SELECT CASE WHEN n > # THEN n END AS n FROM @",
        "SELECT id AS n FROM products",
        "SELECT n FROM @ WHERE n > 5",
    ),
    "chain of joined cases": chain(
        "SELECT x.id, CASE WHEN x.units > y.units THEN x.units END AS units "
        "FROM @ x JOIN customers y2 ON x.id = y2.id JOIN (SELECT id, age AS units FROM customers) "
        "y ON x.id = y.id",
        "SELECT id, age AS units FROM customers",
        "SELECT SUM(units) FROM @ WHERE units > 5",
    ),
    "public nested nullif": nested("nullif(~, #)", "id", "SELECT ~ FROM products"),
    "public nested case": nested(
        "CASE ~ WHEN 1 THEN 2 WHEN # THEN 4 ELSE 3 END", "id", "SELECT ~ FROM products"
    ),
    "post-processing nullif": nested(
        "nullif(~, #)", "n", "SELECT ~ FROM (SELECT COUNT(*) AS n FROM orders) t"
    ),
    "chain of windows": chain(
        "SELECT customer, SUM(units) OVER (PARTITION BY customer) AS units FROM @",
        "SELECT customer, units FROM orders",
        "SELECT SUM(units) FROM @",
    ),
    "chain of groups": chain(
        "SELECT customer, SUM(units) AS units FROM @ GROUP BY customer",
        "SELECT customer, units FROM orders",
        "SELECT SUM(units) FROM @",
    ),
    "chain of distinct": chain(
        "SELECT DISTINCT customer, units + 1 AS units FROM @",
        "SELECT customer, units FROM orders",
        "SELECT SUM(units) FROM @",
    ),
    "chain of filters": chain(
        "SELECT * FROM @ WHERE units <> #", "SELECT * FROM orders", "SELECT COUNT(*) FROM @"
    ),
    "doubling join": chain(
        "SELECT x.id FROM @ x JOIN @ y ON x.id = y.id",
        "SELECT id FROM customers",
        "SELECT COUNT(*) FROM @",
    ),
    "doubling union": chain(
        "SELECT * FROM @ UNION ALL SELECT * FROM @",
        "SELECT id FROM customers",
        "SELECT COUNT(*) FROM @",
    ),
    "doubling subquery": chain(
        "SELECT id FROM @ WHERE id IN (SELECT id FROM @)",
        "SELECT id FROM customers",
        "SELECT COUNT(*) FROM @",
    ),
    "doubling release": chain(
        "SELECT n + (SELECT n FROM @) AS n FROM @",
        "SELECT COUNT(*) AS n FROM customers",
        "SELECT n FROM @",
    ),
    "post-processing": chain(
        "SELECT n + n AS n FROM @", "SELECT COUNT(*) AS n FROM customers", "SELECT n FROM @"
    ),
    "post-processing columns": lambda n: (
        "WITH r AS (SELECT COUNT(*) AS n FROM orders) SELECT "
        + ", ".join(f"n + {i} AS c{i}" for i in range(n))
        + " FROM r"
    ),
    "post-processing cases": lambda n: (
        "WITH r AS (SELECT COUNT(*) AS n FROM orders) SELECT CASE "
        + " ".join(f"WHEN n > {i} THEN {i}" for i in range(n))
        + " END FROM r"
    ),
    "post-processing abs": lambda n: f"SELECT {'@' * n}COUNT(*) FROM orders",
    "having": lambda n: (
        "SELECT status, COUNT(*) FROM orders GROUP BY status HAVING "
        + " AND ".join(f"SUM(units + {i}) > {i}" for i in range(n))
    ),
    "order by": lambda n: (
        "SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY "
        + ", ".join(f"SUM(units + {i})" for i in range(n))
    ),
    # Groups and VALUES.
    "values": lambda n: (
        "SELECT x, COUNT(*) FROM orders JOIN (VALUES "
        + ", ".join(f"({i})" for i in range(n))
        + ") v(x) ON units = x GROUP BY x"
    ),
    "values of texts": lambda n: (
        "SELECT x, COUNT(*) FROM lines JOIN (VALUES "
        + ", ".join(f"('x{i}')" for i in range(n))
        + ") v(x) ON note = x GROUP BY x"
    ),
    "values to join": lambda n: (
        "SELECT SUM(y) FROM orders JOIN (VALUES "
        + ", ".join(f"({i}, {i}.5)" for i in range(n))
        + ") v(x, y) ON units = x WHERE x < 5"
    ),
    "wide values": lambda n: (
        "SELECT COUNT(*) FROM orders JOIN (VALUES ("
        + ", ".join(str(i) for i in range(n))
        + ")) v ON units = col0"
    ),
    "grouping sets": lambda n: (
        "SELECT COUNT(*) FROM orders GROUP BY GROUPING SETS ("
        + ", ".join("(status)" for _ in range(n))
        + ")"
    ),
    "cube": lambda n: (
        "SELECT COUNT(*) FROM orders GROUP BY CUBE ("
        + ", ".join(["status", "units", "paid", "units % 2", "units % 3", "units % 4", "day"][:n])
        + ")"
    ),
    "pivot": lambda n: (
        "SELECT * FROM (PIVOT orders ON units IN ("
        + ", ".join(str(i) for i in range(n))
        + ") USING SUM(amount) GROUP BY status)"
    ),
    "far key": lambda n: f"SELECT code, COUNT(*) FROM orders WHERE code = 1e{n} GROUP BY code",
    "bounded key": lambda n: (
        f"SELECT id, COUNT(*) FROM orders WHERE id BETWEEN 1 AND {n} GROUP BY id"
    ),
    "bounded key corr": lambda n: (
        "SELECT id, CORR(amount, units), CORR(units, weight) FROM orders "
        f"WHERE id BETWEEN 1 AND {n} GROUP BY id"
    ),
    "computed key": lambda n: f"SELECT units * {n} % 977 AS k, COUNT(*) FROM orders GROUP BY k",
    "computed day": lambda n: (
        f"SELECT day + {n} AS k, units, EXTRACT(week FROM day + {n}), COUNT(*) FROM orders "
        "GROUP BY ALL"
    ),
    "small integers": lambda n: (
        "SELECT code, "
        + ", ".join(f"CORR(amount + {i}, units)" for i in range(n))
        + " FROM orders GROUP BY code"
    ),
    "lists of shares": lambda n: (
        "SELECT QUANTILE_CONT(amount, ["
        + ", ".join(f"{i}.5 / {n}" for i in range(n))
        + "]) FROM orders"
    ),
    "quantile shares": lambda n: (
        "SELECT QUANTILE_DISC(amount, ["
        + ", ".join(f"{i / n:.6f}" for i in range(n))
        + "]) FROM orders"
    ),
    # Public tables alone.
    "public columns": columns("SUM(price + #)", "FROM products"),
    "public where": where("price <> #", " AND ", "products"),
    "public values": lambda n: (
        "SELECT COUNT(*) FROM (VALUES " + ", ".join(f"({i})" for i in range(n)) + ") v(x)"
    ),
    "public unions": lambda n: " UNION ALL ".join(f"SELECT {i} AS x" for i in range(n)),
    "public joins of chains": chain(
        "SELECT x.id FROM @ x JOIN @ y ON x.id = y.id",
        "SELECT id FROM products",
        "SELECT COUNT(*) FROM @",
    ),
    "public nested": nested("(~ + id)", "id", "SELECT ~ FROM products"),
    "public regexes": where("regexp_matches(kind, 'a#[b-d]+(x|y)*')", " OR ", "products"),
}
"""By name."""
