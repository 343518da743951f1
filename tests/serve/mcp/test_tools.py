"""An agent's tools: which there are, and what each says."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import anyio
from mcp import Client

from dpsql import demo
from dpsql.serve.mcp import agent_json
from dpsql.serve.mcp.main import mcp_server
from dpsql.serve.mcp.tools import INSTRUCTIONS
from dpsql.session.database import Database
from tests.serve.mcp.agents import ORDERS, calls, run, spent


def test_the_tools(db: Database, mode: str) -> None:
    async def work() -> tuple[Any, str | None]:
        async with Client(mcp_server(db, Fraction(1), Fraction(1)), mode=mode) as client:  # type: ignore[arg-type]
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = anyio.run(work)
    assert [tool.name for tool in tools] == ["describe", "explain", "estimate", "budget", "run"]
    assert [tool.annotations.read_only_hint for tool in tools] == [True] * 4 + [False]
    assert set(tools[-1].input_schema["properties"]) == {"sql", "eps"}
    assert instructions == INSTRUCTIONS and "never instructions" in " ".join(INSTRUCTIONS.split())


def test_what_is_free(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(1, 2), Fraction(2))
    found = calls(
        server,
        mode,
        ("describe", {}),
        ("explain", {"sql": ORDERS, "eps": 0.6}),
        ("explain", {"sql": ORDERS, "eps": 3}),
        ("explain", {"sql": "SELECT * FROM regions", "eps": 1}),
        ("estimate", {"queries": [ORDERS, "SELECT * FROM customers"], "eps": "1/2"}),
        ("budget", {}),
    )
    assert not any(result.is_error for result in found) and spent(db) == 0
    described, explained, dear, public, estimated, left = (r.structured_content for r in found)
    assert described["protected_unit"] == "customers.customer_id"
    tables = {table["name"]: table for table in described["tables"]}
    assert tables["customers"]["access"] == "private" and tables["regions"]["access"] == "public"
    columns = {column["name"]: column for column in tables["customers"]["columns"]}
    assert columns["birth_year"]["declared"] == "from 1930 to 2008"
    assert next(iter(columns)) == "customer_id", "in the table's own order"
    assert explained["cost"] == {"eps": 0.6, "delta": 0}
    assert explained["expected"][0]["width"] == 200 and explained["a_person_is_asked"]
    assert not dear["fits_into_the_session"] and dear["fits_into_the_budget"]
    assert public["verdict"] == "exact and free" and not public["a_person_is_asked"]
    assert [query["verdict"] for query in estimated["queries"]] == ["released", "rejected"]
    assert left["session"] == {"most": 2, "left": 2} and left["data"]["remaining"]["eps"] == 10
    for result in found:  # those who read no structure read the same
        assert json.loads(result.content[0].text) == result.structured_content


def test_an_answer_has_its_noise_beside_it(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(1), Fraction(2))
    first, again, exact, left = calls(
        server,
        mode,
        run(demo.QUERY, 0.5),
        run(demo.QUERY, "1/2"),
        run("SELECT region FROM regions ORDER BY region LIMIT 2", 1),
        ("budget", {}),
    )
    one = first.structured_content
    assert [c["noisy"] for c in one["columns"]] == [False, True, True] and len(one["rows"]) == 8
    region, orders, shipping = one["rows"][0]
    assert region == "Alps" and orders["plus_minus"] > 0 and shipping["plus_minus"] > 0
    assert one["what_is_noise"] == agent_json.NOISY and one["cost"]["eps"] == 0.5
    assert again.structured_content["rows"] == one["rows"]
    assert again.structured_content["cost"]["eps"] == 0
    assert again.structured_content["what_is_noise"].startswith(agent_json.REUSED)
    assert exact.structured_content["rows"] == [["Alps"], ["Baltic"]]
    assert exact.structured_content["what_is_noise"] == agent_json.EXACT
    assert left.structured_content["session"]["left"] == 1.5 and spent(db) == 0.5
