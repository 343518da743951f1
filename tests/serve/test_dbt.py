"""dbt: the project of `examples/dbt` beside a server's process. What it makes is made of what was
released, and to make it again is free.

dbt needs pathspec below 0.13 (dbt-core 1.11), mypy above 1.0: so dbt has an environment of its own,
which takes pip two minutes and PyPI to make, and its test is in the deep suite. The other test
asks by the same files what dbt's plugin asks, and needs no dbt.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pytest
import yaml
from jinja2 import Environment
from sqlalchemy import create_engine, text
from sqlalchemy.dialects import registry

import dpsql
from benchmarks.comparison.peers import ROOT, System, install, python
from dpsql.session.database import Database
from tests.serve.test_process import running
from tests.support.serving_mysql import serving

EXAMPLE = ROOT / "examples/dbt"
DBT = System(
    "dbt",
    "dbt",
    ("dbt-core>=1.11,<1.12", "dbt-duckdb>=1.11,<1.12", "pandas", "-e", f"{ROOT}[client]"),
)
_ENDS = ("", "_low", "_high")
SECRET = "DBT_ENV_SECRET_DPSQL_TOKEN"
registry.register("dpsql", "dpsql.sqlalchemy_dialect", "DpsqlDialect")


@dataclass(frozen=True)
class Shop:
    """A server of the demo.

    Attributes:
        db: the analyst's.
        known: what dbt finds in its environment.
    """

    db: Database
    known: dict[str, str]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    (tmp_path / "served").mkdir()
    with running(tmp_path / "served", "--demo", "--port", "0") as made:
        assert made.process.stdout is not None
        found = re.search(r"analyst's token.*: (\S+)", made.process.stdout.readline())
        assert found is not None
        with dpsql.connect(f"{made.url}/shop", token=found[1]) as db:
            server = made.url.removeprefix("http://")
            yield Shop(db, {SECRET: found[1], "DPSQL_SERVER": server})


def loaded(path: str, known: dict[str, str]) -> Any:
    """A YAML file of the project."""
    template = Environment().from_string((EXAMPLE / path).read_text())
    return yaml.safe_load(template.render(env_var=lambda name, *_: known[name]))


def query() -> str:
    """What the project's source asks."""
    (table,) = loaded("models/sources.yml", {})["sources"][0]["tables"]
    found: str = table["config"]["meta"]["query"]
    return found


def released(shop: Shop) -> list[tuple[Any, ...]]:
    """What the server answers, where it was asked before."""
    answer = shop.db.run(query(), 0.5)
    assert answer.cost.eps == 0
    return [tuple(row) for row in answer.rows]


def test_what_a_source_asks_is_charged_once(shop: Shop) -> None:
    profile = loaded("profiles.yml", shop.known)["shop"]["outputs"]["dev"]
    (plugin,) = profile["plugins"]
    (source,) = loaded("models/sources.yml", {})["sources"]
    assert plugin["alias"] == source["config"]["meta"]["plugin"]
    for _ in range(2):
        engine = create_engine(plugin["config"]["connection_url"])
        with engine.connect() as connection:
            rows = pandas.read_sql_query(text(query().format()), con=connection)
        engine.dispose()
        assert list(rows.itertuples(index=False, name=None)) == released(shop)
    assert shop.db.budget.spent.exact.eps == 0.5
    model = Environment().from_string((EXAMPLE / "models/channels.sql").read_text())
    made = duckdb.sql(model.render(source=lambda *_: "rows")).fetchall()
    assert sum(row[2] for row in made) == pytest.approx(1)


def test_the_page_shows_the_project() -> None:
    page = (ROOT / "docs/how-to/dbt.md").read_text(encoding="utf-8")
    plugins, sources, _ = (yaml.safe_load(t) for t in re.findall(r"```yaml\n(.*?)```", page, re.S))
    profile = yaml.safe_load((EXAMPLE / "profiles.yml").read_text())
    assert plugins["plugins"] == profile["shop"]["outputs"]["dev"]["plugins"]
    assert sources == yaml.safe_load((EXAMPLE / "models/sources.yml").read_text())
    (model,) = re.findall(r"```sql\n(.*?)```", page, re.S)
    assert (EXAMPLE / "models/channels.sql").read_text().endswith(model)


def test_by_mysqls_protocol_a_source_has_intervals(tmp_path: Path) -> None:
    """As `connection_url` and `connect_args` of the same plugin."""
    with serving(tmp_path) as made:
        url = f"mysql+pymysql://dbt:{made.join('dbt')}@127.0.0.1:{made.port}/shop"
        for _ in range(2):
            said = {"init_command": "SET @eps = 0.5, @intervals = 1"}
            engine = create_engine(url, connect_args=said)
            with engine.connect() as connection:
                rows = pandas.read_sql_query(text(query().format()), con=connection)
            engine.dispose()
            noisy = [f"{name}{end}" for name in ("orders", "shipping") for end in _ENDS]
            assert list(rows.columns) == ["channel", *noisy]
            assert (rows["orders_low"] < rows["orders"]).all()
        assert made.spent("dbt") == 0.5


@pytest.mark.deep
def test_dbt_makes_models_of_what_was_released(shop: Shop, tmp_path: Path) -> None:
    assert install(DBT) == ""
    project = tmp_path / "project"
    shutil.copytree(EXAMPLE, project)

    def dbt(*words: str) -> tuple[int, str]:
        command = [str(python(DBT).parent / "dbt"), "--no-use-colors", *words]
        known = {**os.environ, **shop.known}
        known.pop("PYTHONPATH", None)
        done = subprocess.run(command, cwd=project, env=known, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def made(table: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(project / "warehouse.duckdb"), read_only=True) as warehouse:
            return warehouse.sql(f"FROM {table}").fetchall()

    found = []
    for words in ("run", "run", "test"):
        code, said = dbt(words)
        assert code == 0 and "ERROR=0" in said, said
        found.append(made("channels"))
    assert found[0] == found[1] == found[2]
    assert [(row[0], row[1], row[3]) for row in found[0]] == released(shop)
    assert made("released.orders_by_channel") == released(shop)
    assert shop.db.budget.spent.exact.eps == 0.5
    assert [line.kind for line in shop.db.budget.history].count("charge") == 1

    sources = project / "models/sources.yml"
    sources.write_text(sources.read_text() + _MORE)
    for name in ("rows", "places"):
        (project / f"models/{name}.sql").write_text(f'FROM {{{{ source("released", "{name}_") }}}}')
    code, said = dbt("run")
    assert code == 1 and "PASS=2 WARN=0 ERROR=1" in said, said
    assert "DP401: the query returns rows of individuals" in said
    tables = made("(SELECT table_name FROM information_schema.tables) ORDER BY 1")
    assert tables == [("channels",), ("orders_by_channel",), ("places",), ("places_",)]
    assert shop.db.budget.spent.exact.eps == 0.5
    for path in project.rglob("*"):
        assert not path.is_file() or shop.known[SECRET].encode() not in path.read_bytes(), path


_MORE = """\
      - name: rows_
        config:
          meta: {query: "SELECT order_id, shipping FROM orders"}
      - name: places_
        config:
          meta: {table: regions}
"""
