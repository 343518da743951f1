"""SQLAlchemy: `dpsql://` here and of a server, and `mysql+pymysql://`."""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pandas
import pytest
import sqlalchemy
import uvicorn
from sqlalchemy import Engine, MetaData, Table, create_engine, exc, func, select, text
from sqlalchemy.dialects import registry

from dpsql import dbapi, demo
from dpsql.serve.api import api
from dpsql.serve.login import Login
from tests.support.serving_mysql import Serving, serving

ENTRY = ("dpsql", "dpsql.sqlalchemy_dialect", "DpsqlDialect")
registry.register(*ENTRY)  # also where the package was installed before it had the entry point


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    data, policy = demo.save(tmp_path_factory.mktemp("here"))
    return Path(data), Path(policy)


@pytest.fixture
def here(files: tuple[Path, Path]) -> Iterator[Engine]:
    made = create_engine(f"dpsql:///{files[0]}?policy={files[1]}&eps=0.25")
    yield made
    made.dispose()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("there")) as made:
        made.join("anna", data=frozenset({"shop"}))
        made.join("bert")
        yield made


@pytest.fixture(scope="module")
def http(server: Serving) -> Iterator[int]:
    """The port of the same service over HTTP."""
    app = api(server.service, Login(server.service.principals))
    made = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    while not made.started:
        time.sleep(0.05)
    yield made.servers[0].sockets[0].getsockname()[1]
    made.should_exit = True
    thread.join(20)


def there(server: Serving, http: int, name: str, more: str = "") -> Engine:
    return create_engine(f"dpsql://:{server.tokens[name]}@127.0.0.1:{http}/shop?eps=0.25{more}")


def over_mysql(server: Serving, name: str) -> Engine:
    token = server.tokens[name]
    return create_engine(f"mysql+pymysql://{name}:{token}@127.0.0.1:{server.port}/shop")


def spent(engine: Engine) -> float:
    with engine.connect() as connection:
        own = connection.connection.dbapi_connection
        assert isinstance(own, dbapi.Connection)
        return own.database.budget.spent.eps


def test_the_package_names_it() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    name, module, kind = ENTRY
    named = project["project"]["entry-points"]["sqlalchemy.dialects"]
    assert named == {name: f"{module}:{kind}"}


def test_what_is_there(here: Engine) -> None:
    found = sqlalchemy.inspect(here)
    assert found.get_table_names()[:2] == ["customers", "orders"]
    assert found.has_table("Orders") and not found.has_table("nope")
    assert found.get_schema_names() == [] and found.get_view_names() == []
    assert found.get_pk_constraint("orders")["constrained_columns"] == ["order_id"]
    (key,) = found.get_foreign_keys("orders")
    assert (key["referred_table"], key["referred_columns"]) == ("customers", ["customer_id"])
    kinds = {column["name"]: str(column["type"]) for column in found.get_columns("orders")}
    assert kinds["shipping"] == "NUMERIC(6, 2)" and kinds["ordered_on"] == "DATE"
    assert found.get_table_comment("regions") == {"text": "public"}
    assert found.get_indexes("orders") == found.get_unique_constraints("orders") == []
    with pytest.raises(exc.NoSuchTableError):
        found.get_columns("nope")
    assert spent(here) == 0


def test_a_query_is_built_and_charged_once(here: Engine) -> None:
    orders = Table("orders", MetaData(), autoload_with=here)
    query = (
        select(orders.c.channel, func.count().label("n"), func.avg(orders.c.shipping))
        .where(orders.c.ordered_on >= date(2024, 1, 1), orders.c.channel.in_(["web", "app"]))
        .where(orders.c.gift.is_(False), orders.c.shipping < Decimal("19.5"))
        .group_by(orders.c.channel)
        .order_by(orders.c.channel)
        .limit(5)
    )
    before = spent(here)
    with here.connect() as connection:
        first = connection.execute(query).all()
        assert [row.channel for row in first] == ["app", "web"]
        assert connection.execute(query).all() == first
    assert spent(here) - before == 0.25


def test_eps_of_one_query(here: Engine) -> None:
    before = spent(here)
    with here.connect() as connection:
        query = text("SELECT COUNT(*) FROM customers WHERE birth_year > :year")
        connection.execution_options(eps=0.125).execute(query, {"year": 1990})
        assert spent(here) - before == 0.125
        connection.execution_options(eps=None).execute(query, {"year": 1970})
        assert spent(here) - before == 0.375
        with pytest.raises(exc.DBAPIError):
            connection.execution_options(eps=-1).execute(query, {"year": 1971})
    assert spent(here) - before == 0.375


def test_pandas_reads_it(here: Engine) -> None:
    found = pandas.read_sql("SELECT region, country FROM regions ORDER BY region_id LIMIT 2", here)
    assert list(found.columns) == ["region", "country"] and len(found) == 2
    found = pandas.read_sql_table("regions", here)
    assert len(found) > 3


def test_operators_are_duckdbs(here: Engine) -> None:
    products = Table("products", MetaData(), autoload_with=here)
    number = products.c.product_id
    with here.connect() as connection:
        query = select(number / 4, number // 4, number % 4, products.c.product + "!").where(
            number == 1, products.c.product.ilike("amber d%"), ~products.c.category.ilike("x%")
        )
        assert connection.execute(query).all() == [(0.25, 0, 1, "Amber desk!")]
        assert connection.scalar(select(func.count()).select_from(products).where(number == 1)) == 1


def test_what_is_not_accepted_is_told(here: Engine) -> None:
    with here.connect() as connection:
        with pytest.raises(exc.ProgrammingError, match="DP401"):
            connection.execute(text("SELECT email FROM customers"))
        with pytest.raises(exc.DBAPIError, match="DP102"):
            connection.execute(text("DROP TABLE orders"))
        connection.commit()
        connection.rollback()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("dpsql:///x.duckdb?policy=p.yaml", "ε"),
        ("dpsql:///x.duckdb?eps=1", "policy"),
        ("dpsql:///?policy=p.yaml&eps=1", "no data"),
        ("dpsql:///x.duckdb?policy=p.yaml&eps=x", "no ε"),
        ("dpsql:///x.duckdb?policy=p.yaml&eps=1&eps=2", "more than once"),
        ("dpsql:///x.duckdb?policy=p.yaml&eps=1&epz=2", "epz"),
        ("dpsql://anna:t@host/shop?eps=1", "token"),
        ("dpsql://:t@host/shop?eps=1&policy=x", "policy"),
    ],
)
def test_a_url_that_is_none(url: str, said: str) -> None:
    with pytest.raises(exc.ArgumentError, match=said):
        create_engine(url).connect()


def test_no_token_goes_over_plain_http_to_elsewhere() -> None:
    engine = create_engine("dpsql://:secret@host.example/shop?eps=1")
    _, said = engine.dialect.create_connect_args(engine.url)
    assert said["data"].startswith("https://")
    assert "secret" not in repr(engine)


def test_disposed_of_the_data_are_given_back(files: tuple[Path, Path]) -> None:
    engine = create_engine(f"dpsql:///{files[0]}?policy={files[1]}&eps=0.25")
    spent(engine)
    assert engine.dialect._opened is not None
    engine.dispose()
    assert engine.dialect._opened is None
    assert spent(engine) >= 0
    engine.dispose()


def test_a_server_answers(server: Serving, http: int) -> None:
    engine = there(server, http, "anna")
    assert sqlalchemy.inspect(engine).has_table("orders")
    query = "SELECT COUNT(*) AS n FROM orders WHERE rating = 3"
    found = pandas.read_sql(query, engine)
    assert pandas.read_sql(query, engine).equals(found)
    assert server.spent("anna") == 0.25
    engine.dispose()
    server.tokens["nobody"] = "dpsql_0123456789abcdef_" + "x" * 43
    with pytest.raises(exc.DBAPIError, match="token"):
        there(server, http, "nobody").connect()


def test_mysql_reflects_and_asks(server: Serving) -> None:
    engine = over_mysql(server, "bert")
    found = sqlalchemy.inspect(engine)
    assert "orders" in found.get_table_names()
    assert found.has_table("orders") and not found.has_table("nope")
    assert sorted(found.get_schema_names()) == ["information_schema", "shop", "vault"]
    orders = Table("orders", MetaData(), autoload_with=engine)
    assert [column.name for column in orders.primary_key] == ["order_id"]
    assert isinstance(orders.c.ordered_on.type, sqlalchemy.Date)
    query = (
        select(func.year(orders.c.ordered_on).label("year"), func.count())
        .where(orders.c.channel == "web", orders.c.ordered_on >= date(2024, 1, 1))
        .group_by(text("1"))
        .order_by("year")
    )
    with engine.connect() as connection:
        connection.execute(text("SET @eps = :eps"), {"eps": 0.25})
        first = connection.execute(query).all()
        assert [row.year for row in first] == [2024, 2025]
        assert connection.execute(query).all() == first
    assert server.spent("bert") == 0.25
    engine.dispose()
