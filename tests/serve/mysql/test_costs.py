"""MySQL's protocol: at which ε a query is asked, and what it is charged."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpsql import demo
from dpsql.serve.mysql.session import OF_A_MODEL
from tests.serve.mysql.connecting import asked, new
from tests.support.serving_mysql import (
    Serving,
    refused,
    rows,
)


def test_the_three_ways_to_say_eps(server: Serving) -> None:
    query = asked()
    with new(server, "payer") as made:
        number, text = refused(made, query)
        assert number == 1231
        assert "eps: 0.2" in text and "@eps" in text
        assert server.spent("payer") == 0
        rows(made, f"/* eps: 0.125 */ {query}")
        assert server.spent("payer") == 0.125
        rows(made, f"{asked()} -- eps: 0.25")
        assert server.spent("payer") == 0.375
        rows(made, "SET @eps = 0.5")
        rows(made, asked())
        assert server.spent("payer") == 0.875
        rows(made, f"{asked()} /* eps: 0.125 */")  # the nearer one
        assert server.spent("payer") == 1.0
        rows(made, "SET @eps = NULL")
        assert refused(made, asked())[0] == 1231


def test_the_server_may_have_one_for_all(secret: Serving) -> None:
    secret.join("lazy")
    with secret.connect("lazy", ssl={"check_hostname": False}) as made:
        rows(made, asked())
    assert secret.spent("lazy") == 0.125


def test_a_principal_may_have_one_of_its_own(secret: Serving) -> None:
    """It comes before the server's, and after what the query or the session says."""
    secret.join("own", default_eps=Fraction(1, 4))
    with secret.connect("own", ssl={"check_hostname": False}) as made:
        assert dict(rows(made, f"EXPLAIN {asked()}"))["cost"] == "ε = 0.25"
        rows(made, asked())
        assert secret.spent("own") == 0.25
        rows(made, f"/* eps: 0.5 */ {asked()}")
    assert secret.spent("own") == 0.75


def test_a_refresh_is_free_and_the_same(server: Serving) -> None:
    query = asked()
    with new(server, "dashboard") as made:
        first = rows(made, f"/* eps: 0.125 */ {query}")
        with server.connect("dashboard") as again:
            text = query.replace("orders", "`orders`").replace(" AS ", "  as ")
            assert rows(again, f"/* eps: 0.125 */ {text}") == first
    assert server.spent("dashboard") == 0.125


def test_what_is_public_needs_no_eps_and_is_free(server: Serving) -> None:
    with new(server, "reader") as made:
        found = rows(made, "SELECT product_id, list_price FROM products ORDER BY 1 LIMIT 1")
        assert found == [(0, Decimal("27.60"))]
        assert rows(made, "SELECT 1 + 1, 'a'") == [(2, "a")]
    assert server.spent("reader") == 0


def test_explain_is_free_and_says_why(server: Serving) -> None:
    with new(server, "curious") as made:
        said = dict(rows(made, f"EXPLAIN {demo.QUERY} /* eps: 0.5 */"))
        assert (said["verdict"], said["cost"]) == ("accepted", "ε = 0.5")
        assert said["error of orders"].startswith("± ")
        said = dict(rows(made, "EXPLAIN SELECT email FROM customers"))
        assert (said["verdict"], said["code"]) == ("rejected", "DP401")
    assert server.spent("curious") == 0


def test_explain_has_the_words_of_estimate(server: Serving) -> None:
    """Of counts and sums as of averages, which are off by so much divided by how many they are."""
    four = "AVG(shipping) AS a, COUNT(*) AS n, SUM(shipping) AS s, MEDIAN(rating) AS m"
    sql = f"SELECT {four} FROM orders"
    (priced,) = server.service.data["shop"].db.estimate(sql, 0.5).entries
    with new(server, "measuring") as made:
        said = rows(made, f"EXPLAIN {sql} /* eps: 0.5 */")
    found = [(name, text) for name, text in said if name.startswith("error")]
    assert found == [(f"error of {c.name}", c.off_by) for c in priced.columns]
    assert [name for name, _ in found] == ["error of a", "error of n", "error of s", "error of m"]
    assert "/ values at 95 %" in found[0][1] and "/" not in found[2][1]


def test_explain_of_a_model_shows_no_sums_of_it(server: Serving) -> None:
    sql = "SELECT dp_linear_regression(rating, [shipping]) FROM orders"
    with new(server, "fitting") as made:
        said = rows(made, f"EXPLAIN {sql} /* eps: 0.5 */")
    assert [part for part in said if part[0].startswith("error")] == [("error", OF_A_MODEL)]


def test_budgets_and_caps_hold(server: Serving) -> None:
    server.join("poor", caps={"shop": (Fraction(1, 8), None)})
    query = asked()
    with server.connect("poor") as made:
        rows(made, f"/* eps: 0.125 */ {query}")
        more = f"{asked()} /* eps: 0.125 */"
        number, text = refused(made, more)
        assert number == 1226
        assert "ε" in text
        said = dict(rows(made, f"EXPLAIN {more}"))
        assert said["verdict"] == "refused" and said["problem"].endswith(text)
        assert rows(made, f"/* eps: 0.125 */ {query}")
        assert [name for name, *_ in rows(made, "SHOW BUDGET")][-1] == "of yours"
    assert server.spent("poor") == 0.125


def test_the_least_eps_of_a_principal_holds(server: Serving) -> None:
    server.join("coarse", min_eps=Fraction(2))
    with server.connect("coarse") as made:
        assert refused(made, f"{asked()} /* eps: 0.125 */")[0] == 1231
        assert rows(made, "SELECT COUNT(*) FROM regions")
    assert server.spent("coarse") == 0


def test_delta_is_passed_on(server: Serving) -> None:
    with new(server, "exact") as made:
        rows(made, "SET @delta = 0")
        rows(made, f"/* eps: 0.125 */ {asked()}")
        rows(made, f"/* eps: 0.125 */ /* delta: 1e-9 */ {asked()}")
    history = server.service.data["shop"].db.budget.history
    lines = [line for line in history if line.analyst == "exact"]
    assert [line.delta for line in lines if hasattr(line, "delta")] or len(lines) == 2


def test_intervals_are_there_for_who_asks(server: Serving) -> None:
    with new(server, "careful") as made:
        query = asked().replace("COUNT", "channel, COUNT")
        sql = f"{query} GROUP BY channel /* eps: 0.25 */"
        assert len(rows(made, sql)[0]) == 2
        rows(made, "SET @intervals = 1")
        with made.cursor() as cursor:
            cursor.execute(sql)
            names = [part[0] for part in cursor.description]
            row = cursor.fetchone()
        assert names == ["channel", "n", "n_low", "n_high"]
        assert row[2] < row[1] < row[3]
    assert server.spent("careful") == 0.25
