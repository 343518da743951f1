"""A program in Java asks over MySQL's protocol, by MariaDB's driver, which many BI tools bring."""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.effort import chosen
from tests.support.serving_mysql import Serving, serving

CLIENT = Path(__file__).parent / "jdbc" / "Client.java"
DRIVER = Path("/usr/share/java/mariadb-java-client.jar")
TEXT = "it's \\ ö"
TABLES = "customers,order_lines,orders,products,regions"
ORDERS = "order_id:-5,customer_id:-5,ordered_on:91,channel:12,gift:-7,shipping:3,rating:4"
"""With the numbers of java.sql.Types."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    if shutil.which("javac") is None or not DRIVER.exists():
        pytest.skip("there is no Java, or no driver of MariaDB")
    with serving(tmp_path) as made:
        yield made


def said(server: Serving, name: str, more: str) -> dict[str, list[str]]:
    """What the program says, by what it is about."""
    token = server.join(name, data=frozenset({"shop"}))
    url = f"jdbc:mariadb://127.0.0.1:{server.port}/shop?{more}"
    command = ["java", "-cp", str(DRIVER), str(CLIENT), url, name, token, TEXT]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = defaultdict(list)
    for line in done.stdout.splitlines():
        about, _, what = line.partition("|")
        found[about].append(what)
    return found


@pytest.mark.parametrize("prepared", chosen(["false", "true"], "true"))
def test_a_tool_in_java(server: Serving, prepared: str) -> None:
    name = f"java_{prepared}"
    told = said(server, name, f"useServerPrepStmts={prepared}")
    assert told["valid"] == ["true"] and told["product"] == ["MySQL"]
    assert told["catalogs"] == ["information_schema,shop"]
    assert told["tables"] == [TABLES] and told["one"] == ["order_lines"]
    assert told["columns"] == [ORDERS]
    assert told["keys"] == ["order_id"] and told["references"] == ["customers"]
    assert told["indexes"] == ["PRIMARY"]
    head, *groups = told["asked"]
    assert head.startswith("segment:") and ",n:BIGINT,d:DOUBLE,m:" in head
    assert [g.partition(",")[0] for g in groups] == ["private", "business", "public"]
    assert told["again"][0] == "n:BIGINT" and 9000 < int(told["again"][1]) < 11000
    assert told["public"][1:] == ["Amber lamp,27.60,0", "Amber desk,216.00,1"]
    assert told["parameters"] == ["2"]
    assert told["prepared"][::2] == ["n:BIGINT"] * 2
    assert int(told["prepared"][1]) > 0 and told["text"] == ["n:BIGINT", "0"]
    assert told["refused"] == ["1231 42000", "1235 42000", "1054 42S22", "1064 42000", "1235 42000"]
    assert told["wrong"] == ["1045 28000"]
    assert server.spent(name) == 0.5  # four queries
