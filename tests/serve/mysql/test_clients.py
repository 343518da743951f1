"""MySQL's protocol: what drivers, shells and tools ask for beside queries."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import date
from decimal import Decimal

import pymysql
import pytest

from dpsql.serve.mysql.command_text import statement
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.prepared import MOST
from dpsql.serve.mysql.spoken import SpokenStatements
from dpsql.serve.mysql.variables import Variables
from tests.serve.mysql.connecting import asked, new
from tests.support.serving_mysql import (
    Raw,
    Serving,
    refused,
    rows,
)


def test_what_is_there(anna: pymysql.Connection) -> None:
    assert rows(anna, "SHOW DATABASES") == [("information_schema",), ("shop",)]
    assert rows(anna, "SHOW TABLES LIKE 'order%'") == [("orders",), ("order_lines",)]
    assert rows(anna, "DESCRIBE regions")[0] == ("region_id", "int", "NO", "PRI", None, "")
    assert "PRIMARY KEY (`order_id`)" in rows(anna, "SHOW CREATE TABLE shop.orders")[0][1]
    found = rows(
        anna,
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() "
        "AND table_comment LIKE 'private%' ORDER BY 1",
    )
    assert [name for (name,) in found] == ["customers", "order_lines", "orders"]
    found = rows(
        anna,
        "SELECT c.COLUMN_NAME, k.CONSTRAINT_NAME FROM INFORMATION_SCHEMA.COLUMNS c LEFT JOIN "
        "INFORMATION_SCHEMA.KEY_COLUMN_USAGE k USING (table_schema, table_name, column_name) "
        "WHERE c.table_name = 'regions' ORDER BY c.ORDINAL_POSITION LIMIT 1",
    )
    assert found == [("region_id", "PRIMARY")]


def test_a_model(server: Serving) -> None:
    sql = "SELECT `gift`, dp_linear_regression(rating, [shipping], ridge := 1) FROM orders "
    with new(server, "modeller") as there:
        found = rows(there, f"/* eps: 2 */ {sql} GROUP BY gift")
        assert [row[:2] for row in found] == [
            (gift, term) for gift in (0, 1) for term in ("intercept", "shipping")
        ]
        assert server.spent("modeller") == 2
        told = dict(rows(there, f"/* eps: 2 */ EXPLAIN {sql} GROUP BY gift"))
        assert told["cost"] == "ε = 2"
        assert "DP208" in refused(there, f"/* eps: 2 */ {sql}")[1]
        tree = "SELECT dp_decision_tree(rating, [shipping, gift], depth := 1) FROM orders"
        leaves = rows(there, f"/* eps: 2 */ {tree}")
        assert len(leaves) == len({row[1] for row in leaves}) and leaves[0][0] == 0
        for odd in ("SELECT [1] FROM orders", "SELECT f(rating, [shipping]) FROM orders"):
            assert "is not read here" in refused(there, f"/* eps: 2 */ {odd}")[1]


def test_texts_of_the_catalog_may_have_a_character_set(anna: pymysql.Connection) -> None:
    sql = (
        "SELECT CONVERT(table_name USING utf8mb4) AS t FROM information_schema.tables "
        "WHERE table_name COLLATE utf8mb4_bin LIKE 'order\\_%%'"
    )
    assert rows(anna, sql.replace("%%", "%")) == [("order_lines",)]


def test_what_is_not_ones_own_is_not_listed(anna: pymysql.Connection, server: Serving) -> None:
    sql = "SELECT DISTINCT table_schema FROM information_schema.columns ORDER BY 1"
    assert rows(anna, sql) == [("shop",)]
    assert refused(anna, "SHOW TABLES FROM vault")[0] == 1049
    assert refused(anna, "USE vault")[0] == 1049
    assert refused(anna, "SELECT COUNT(*) FROM vault.orders /* eps: 1 */")[0] == 1044
    assert refused(anna, "DESCRIBE vault.orders")[0] == 1049
    with server.connect("bert") as made:
        assert rows(made, sql) == [("shop",), ("vault",)]


def test_types_of_values(anna: pymysql.Connection) -> None:
    sql = (
        "SELECT p.list_price, p.product, p.product_id, p.product_id > 3 AS big, "
        "p.product_id / 4 AS part, DATE '2024-02-29' AS day, NULL AS none FROM products p "
        "WHERE p.product_id = 1"
    )
    (found,) = rows(anna, sql)
    assert found == (Decimal("216.00"), "Amber desk", 1, 0, 0.25, date(2024, 2, 29), None)


def test_a_column_is_named_as_it_was_written(anna: pymysql.Connection) -> None:
    with anna.cursor() as cursor:
        cursor.execute("SELECT COUNT(*), MAX(region_id) FROM regions")
        assert [part[0] for part in cursor.description] == ["COUNT(*)", "MAX(region_id)"]


@pytest.mark.parametrize(
    "sql",
    [
        "SET NAMES utf8mb4",
        "SET autocommit = 1, sql_mode = 'STRICT_TRANS_TABLES'",
        "SET character_set_results = NULL",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES')",
        "SHOW VARIABLES LIKE 'lower%'",
        "SHOW WARNINGS",
        "SHOW COLLATION",
        "SHOW PLUGINS",
        "SHOW GRANTS",
        "SELECT @@session.auto_increment_increment AS a, @@character_set_client AS b",
        "/* ApplicationName=x */ SELECT @@version_comment LIMIT 1",
        "SELECT CONNECTION_ID(), NOW(), VERSION()",
        "SELECT 1 FROM DUAL",
        "SELECT CAST('test plain returns' AS CHAR(60)) AS anon_1",
        "BEGIN",
        "START TRANSACTION READ ONLY",
        "COMMIT",
        "ROLLBACK",
        "-- nothing",
        ";",
    ],
)
def test_what_drivers_send(anna: pymysql.Connection, sql: str) -> None:
    rows(anna, sql)


@pytest.mark.parametrize("sql", ["SELECT", "/* eps: 1 */ SELECT"])
def test_a_query_without_columns_is_refused(anna: pymysql.Connection, sql: str) -> None:
    """The protocol cannot say that there are none."""
    assert "DP104" in refused(anna, sql)[1]
    assert rows(anna, "SELECT 1") == [(1,)]


def test_a_shell_lists_columns_to_complete_them(server: Serving) -> None:
    raw = Raw(server.port)
    raw.login("anna", server.tokens["anna"])
    raw.send(b"\x04regions\0")
    found = []
    while (packet := raw.read())[0] != 0xFE:
        found.append(packet)
    assert len(found) == 3 and b"region_id" in found[0] and b"country" in found[2]
    raw.send(b"\x04nope\0")
    assert raw.read()[0] == 0xFF
    raw.close()


def test_prepared_statements(server: Serving) -> None:
    raw = Raw(server.port)
    assert raw.login("anna", server.tokens["anna"])[0] == 0
    sql = "SELECT product FROM products WHERE product_id = ? AND category <> ? LIMIT ?"
    (found,) = raw.execute(sql, 1, "x", 5)
    assert found.endswith(b"\x0aAmber desk")
    assert raw.execute("SELECT ? AS a", None)[0][1] & 4
    raw.close()


@pytest.mark.parametrize(
    "text",
    ["' OR 1=1 -- ", "\\' OR 1=1 -- ", "a'; DROP TABLE x", "?", "\\", "''", "/* eps: 1 */", "ö\\1"],
)
def test_no_parameter_leaves_its_quotes(server: Serving, text: str) -> None:
    raw = Raw(server.port)
    raw.login("anna", server.tokens["anna"])
    (found,) = raw.execute("SELECT ? AS a, '?' AS b, ? AS c", text, "?")
    data = text.encode()
    assert found[2:] == bytes((len(data),)) + data + b"\x01?\x01?"
    # In a query over a table: no product has that name, whatever is in it.
    assert raw.execute("SELECT product FROM products WHERE product = ?", text) == []
    raw.close()


def test_the_command_line(server: Serving) -> None:
    program = shutil.which("mysql")
    if program is None:
        pytest.skip("there is no mysql")
    server.join("terminal")
    base = [program, "-h127.0.0.1", f"-P{server.port}", "-uterminal", "--skip-ssl", "--comments"]
    base += [f"-p{server.tokens['terminal']}", "shop", "-N", "-B", "-e"]
    sql = f"SET @eps = 0.125; SELECT COUNT(*) > 5 FROM regions; {asked()}; SHOW TABLES"
    done = subprocess.run([*base, sql], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "1" and int(lines[1]) > 0 and "orders" in lines
    assert server.spent("terminal") == 0.125
    clear = [*base[:-1], "--default-auth=mysql_clear_password", "--enable-cleartext-plugin", "-e"]
    done = subprocess.run([*clear, "SELECT 7"], capture_output=True, text=True, timeout=120)
    assert "7" in done.stdout.splitlines() or "unknown option" in done.stderr


def test_other_letters_than_those_of_unicode(server: Serving) -> None:
    with server.connect("anna", charset="latin1") as made:
        assert rows(made, "SELECT 'ö' AS a, 'x' AS b") == [("ö", "x")]
        rows(made, "SET NAMES utf8mb4")


def test_variables_stand_for_their_values(server: Serving) -> None:
    with new(server, "varying") as made:
        rows(made, "SET @low = -1, @name = 'Amber desk', @x := NULL")
        sql = "SELECT product_id FROM products WHERE product_id > @low AND product = @name"
        assert rows(made, sql) == [(1,)]
        assert rows(made, "SELECT @x, @nothing") == [(None, None)]
        assert refused(made, "SELECT @@nothing")[0] == 1193


@pytest.mark.parametrize(
    ("sql", "marked"),
    [
        ("SELECT  `email`,\n  `city_name` FROM `customers`", "`city_name`"),
        ("SELECT email FROM customers LIMIT 2, 3", "email"),
        (
            "SELECT COUNT(*) FROM orders WHERE IFNULL(shipping, 2) > @least AND nothing = 1",
            "nothing",
        ),
    ],
)
def test_what_is_wrong_is_shown_in_what_was_typed(
    anna: pymysql.Connection, sql: str, marked: str
) -> None:
    """The line that was sent, and not the query of DuckDB's that it became."""
    for text in (sql, f"/* eps: 1 */ {sql}"):
        said = refused(anna, text)[1]
        line, carets = re.findall(r"^  \| (.*)$", said, re.MULTILINE)
        assert line in text and line[carets.index("^") :].startswith(marked)
        assert carets.count("^") == len(marked)


def test_the_audit_log_has_what_was_typed(server: Serving) -> None:
    sql = "SELECT COUNT( * ) AS `n` FROM `orders` WHERE IFNULL(`shipping`, 1) > 3 /* eps: 0.1 */"
    with new(server, "typist") as made:
        rows(made, sql)
        rows(made, f"EXPLAIN {sql}")
        rows(made, "SELECT COUNT(*) FROM orders WHERE channel <> %s /* eps: 0.1 */", "it's")
    lines = [x for x in server.service.audit.lines() if x.get("principal") == "typist"]
    asked = {x["action"]: x for x in lines if "sql" in x}
    assert asked["explain"]["sql"] == f"EXPLAIN {sql}"
    first = next(x for x in lines if x["action"] == "ask")
    assert first["sql"] == sql and "COALESCE(" in str(first["became"])
    last = [x for x in lines if x["action"] == "ask"][-1]
    assert last["sql"] == "SELECT COUNT(*) FROM orders WHERE channel <> 'it\\'s' /* eps: 0.1 */"
    shown = [one.shown for one in server.service.asked.of("typist", "shop")]
    assert sql in shown


def test_values_of_a_prepared_statement_are_in_the_text() -> None:
    text = "SELECT COUNT(*) FROM t WHERE a = ? AND b < ? AND c IS ? -- ?"
    assert statement(text, ("it's", -3, None)).text == (
        "SELECT COUNT(*) FROM t WHERE a = 'it''s' AND b < ( - 3 ) AND c IS NULL -- ?"
    )
    assert statement("SELECT  1 ;").text == "SELECT  1 ;"


def test_statements_are_prepared_in_sql(server: Serving) -> None:
    """A value stands between no quotes that it could end; ε is that of either text."""
    with new(server, "preparing") as made:
        for word, said in (
            ("PREPARE one FROM 'SELECT COUNT(*) AS n FROM products WHERE list_price > ?'", None),
            ("PREPARE `Two` FROM @text", None),
            ("SET @least = 5.5, @odd = 'it''s -- ? 1'", None),
            ("EXECUTE one USING @least", 1),
            ("EXECUTE one USING @nothing", 1),
        ):
            if "@text" in word:
                rows(made, "SET @text = 'SELECT COUNT(*) FROM orders WHERE channel <> ?'")
            assert len(rows(made, word)) == (said or 0)
        assert refused(made, "EXECUTE two USING @odd")[0] == 1231
        rows(made, "/* eps: 0.25 */ EXECUTE two USING @odd")
        assert server.spent("preparing") == 0.25
        rows(made, "EXECUTE two USING @odd /* eps: 0.25 */")  # the same
        assert server.spent("preparing") == 0.25
        typed = [x["sql"] for x in server.service.audit.lines() if x.get("action") == "ask"]
        assert typed[-1] == "SELECT COUNT(*) FROM orders WHERE channel <> 'it''s -- ? 1'"
        rows(made, "PREPARE two FROM 'SELECT COUNT(*) FROM orders /* eps: 0.5 */'")
        assert "two different ε" in refused(made, "/* eps: 0.25 */ EXECUTE two")[1]
        rows(made, "DEALLOCATE PREPARE two")
        rows(made, "DROP PREPARE one;")
        for gone in ("EXECUTE one USING @least", "DEALLOCATE PREPARE two", "EXECUTE never"):
            assert refused(made, gone)[0] == 1243


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        ("PREPARE", 1235),
        ("PREPARE s", 1064),
        ("PREPARE s FROM", 1064),
        ("PREPARE s FROM SELECT 1", 1064),
        ("PREPARE s FROM 'SELECT 1', @a", 1064),
        ("PREPARE 's' FROM 'SELECT 1'", 1064),
        ("EXECUTE kept USING", 1064),
        ("EXECUTE kept USING a", 1064),
        ("EXECUTE kept USING @a @b", 1064),
        ("EXECUTE kept USING @a,", 1064),
        ("EXECUTE kept USING @@version", 1064),
        ("EXECUTE kept", 1210),
        ("EXECUTE kept USING @a, @b", 1210),
        ("EXECUTE nested", 1235),
        ("DEALLOCATE PREPARE kept, nested", 1064),
        ("DEALLOCATE kept", 1235),
        ("DROP TABLE people", 1235),
    ],
)
def test_prepared_statements_that_are_none(anna: pymysql.Connection, sql: str, number: int) -> None:
    rows(anna, "PREPARE kept FROM 'SELECT ? + 1'")
    rows(anna, "PREPARE nested FROM 'EXECUTE nested'")
    assert refused(anna, sql)[0] == number


def test_what_is_prepared_in_sql_is_bounded(server: Serving) -> None:
    spoken = SpokenStatements(100)
    for _ in range(3):  # one in the place of another
        spoken.read(f"PREPARE a FROM '{'SELECT 1'.ljust(60)}'", Variables(100))
    with pytest.raises(Refused, match="too much"):
        spoken.read(f"PREPARE b FROM '{'SELECT 1'.ljust(60)}'", Variables(100))
    many = SpokenStatements(10**6)
    for n in range(MOST):
        many.read(f"PREPARE s{n} FROM 'SELECT 1'", Variables(100))
    with pytest.raises(Refused, match="too many"):
        many.read("PREPARE more FROM 'SELECT 1'", Variables(100))
