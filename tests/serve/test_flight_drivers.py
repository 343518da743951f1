"""What people use: ADBC by itself, and under pandas, polars and SQLAlchemy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pandas
import polars
import pytest

from dpsql import demo
from tests.support.flight_server import Served, served

dbapi = pytest.importorskip("adbc_driver_flightsql.dbapi")
HEADER = "adbc.flight.sql.rpc.call_header."


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("flight")) as made:
        yield made


@pytest.fixture
def connection(there: Served) -> Iterator[Any]:
    login = {"username": "anna", "password": there.tokens["anna"]}
    given = {**login, f"{HEADER}x-dpsql-eps": "0.02"}
    with dbapi.connect(there.uri, db_kwargs=given, autocommit=True) as made:
        yield made


def test_rows(there: Served, connection: Any) -> None:
    before = there.spent("anna")
    with connection.cursor() as cursor:
        cursor.execute(demo.QUERY)
        rows = cursor.fetchall()
        assert [row[0] for row in rows][:2] == ["Alps", "Baltic"] and len(rows) == 8
        assert there.spent("anna") == before + Fraction("0.02")
        cursor.execute(demo.QUERY)
        assert cursor.fetchall() == rows, "the stored answer"
        cursor.execute(f"/* eps: 0.03 */ {demo.QUERY}")
        assert cursor.fetch_arrow_table().num_rows == 8
    assert there.spent("anna") == before + Fraction("0.05")


def test_schemas_are_free(there: Served, connection: Any) -> None:
    before = there.spent("anna")
    with connection.cursor() as cursor:
        schema = cursor.adbc_execute_schema(
            "SELECT SUM(rating) AS s, SUM(shipping) AS t, AVG(rating) AS a FROM orders"
        )
        assert [str(field.type) for field in schema] == ["int64", "decimal128(38, 2)", "double"]
        cursor.adbc_prepare("SELECT COUNT(*) FROM orders")
    assert there.spent("anna") == before


def test_a_model(there: Served, connection: Any) -> None:
    """Its columns are known when it is run: they are not those of the query that it is made of."""
    before = there.spent("anna")
    with connection.cursor() as cursor:
        sql = "/* eps: 2 */ SELECT gift, dp_linear_regression(rating, [shipping]) FROM orders "
        cursor.execute(sql + "GROUP BY gift")
        found = cursor.fetch_arrow_table()
        assert found.column_names == ["gift", "term", "coefficient", "sampling", "rows"]
        assert found["term"].to_pylist() == ["intercept", "shipping"] * 2
        cursor.execute("/* eps: 1 */ SELECT dp_decision_tree(gift, [shipping]) FROM orders")
        leaves = cursor.fetch_arrow_table()
        assert leaves.column_names == ["leaf", "condition", "class", "share", "rows"]
        assert [str(leaves[name].type) for name in ("leaf", "class")] == ["int32", "bool"]
        cursor.adbc_prepare(sql + "GROUP BY gift")
        with pytest.raises(dbapi.Error, match="did not provide schema"):
            cursor.adbc_execute_schema(sql + "GROUP BY gift")
    assert there.spent("anna") == before + 3


def test_partitions_are_a_ticket(there: Served, connection: Any) -> None:
    with connection.cursor() as cursor:
        parts, _ = cursor.adbc_execute_partitions("SELECT COUNT(*) AS n FROM customers")
        (part,) = parts
        before = there.spent("anna")
        cursor.adbc_read_partition(part)
        first = cursor.fetchall()
        cursor.adbc_read_partition(part)
        assert cursor.fetchall() == first
    assert there.spent("anna") == before + Fraction("0.02")
    login = {"username": "ben", "password": there.tokens["ben"]}
    with (
        dbapi.connect(there.uri, db_kwargs=login, autocommit=True) as ben,
        ben.cursor() as cursor,
        pytest.raises(dbapi.Error, match="this ticket is not yours"),
    ):
        cursor.adbc_read_partition(part)


def test_what_there_is(connection: Any) -> None:
    info = connection.adbc_get_info()
    assert info["vendor_name"] == "dpsql"
    (catalog,) = connection.adbc_get_objects(depth="all").read_all().to_pylist()
    (schema,) = catalog["catalog_db_schemas"]
    tables = {t["table_name"]: t["table_columns"] for t in schema["db_schema_tables"]}
    assert [c["column_name"] for c in tables["regions"]] == ["region_id", "region", "country"]
    assert connection.adbc_get_table_types() == ["TABLE", "VIEW"]
    assert connection.adbc_get_table_schema("orders").names[0] == "order_id"


def test_errors(there: Served, connection: Any) -> None:
    with connection.cursor() as cursor:
        with pytest.raises(dbapi.Error, match="DP401: the query returns rows") as caught:
            cursor.execute("SELECT * FROM customers")
        assert "Traceback" not in str(caught.value)
        with pytest.raises(dbapi.Error, match="write the value in its place"):
            cursor.execute("SELECT COUNT(*) FROM orders WHERE channel = ?", ("web",))
    for login in ({}, {"username": "ben", "password": there.tokens["anna"]}):
        with (
            pytest.raises(dbapi.Error, match="does not know this token"),
            dbapi.connect(there.uri, db_kwargs=login, autocommit=True) as made,
            made.cursor() as cursor,
        ):
            cursor.execute("SELECT 1")


def test_a_bearer_token(there: Served) -> None:
    login = {"adbc.flight.sql.authorization_header": f"Bearer {there.tokens['ben']}"}
    with (
        dbapi.connect(there.uri, db_kwargs=login, autocommit=True) as made,
        made.cursor() as cursor,
    ):
        cursor.execute("SELECT 1 AS x")
        assert cursor.fetchall() == [(1,)]
        with pytest.raises(dbapi.Error, match="this query needs an ε"):
            cursor.execute("SELECT COUNT(*) FROM orders")


def test_pandas(connection: Any) -> None:
    found = pandas.read_sql("SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift", connection)
    assert list(found.columns) == ["gift", "n"] and len(found) == 2


def test_polars(connection: Any) -> None:
    found = polars.read_database("SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift", connection)
    assert found.schema == {"gift": polars.Boolean, "n": polars.Int64}


def test_sqlalchemy(there: Served) -> None:
    pytest.importorskip("sqlalchemy_adbc")
    import sqlalchemy

    host = there.uri.removeprefix("grpc://")
    login = {
        "adbc.flight.sql.authorization_header": f"Bearer {there.tokens['anna']}",
        f"{HEADER}x-dpsql-eps": "0.02",
    }
    engine = sqlalchemy.create_engine(
        f"adbc+flightsql://{host}?tls=false", connect_args={"db_kwargs": login, "autocommit": True}
    )
    with engine.connect() as opened:
        rows = opened.execute(sqlalchemy.text("SELECT COUNT(*) AS n FROM orders")).all()
        assert len(rows) == 1
        columns = sqlalchemy.inspect(opened).get_columns("orders", schema="main")
        assert columns[0]["name"] == "order_id"
    engine.dispose()
