"""An agent's tools as a process, and on a server."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

import dpsql
from dpsql import demo
from dpsql.serve.mcp.main import mcp_server
from tests.serve.mcp.agents import ORDERS, calls, run


def test_the_command_line(tmp_path: Path) -> None:
    data, policy = demo.save(tmp_path)
    words = ["-m", "dpsql", "mcp", str(data), "--policy", str(policy), "--ask-above", "0.5"]
    started = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def work() -> list[Any]:
        async with Client(started) as client:
            return [await client.call_tool(*run(ORDERS, eps)) for eps in (0.4, 0.6)]

    little, much = anyio.run(work)
    assert not little.is_error and much.is_error
    with dpsql.connect(data, policy) as db:
        (line,) = db.budget.history
        assert line.analyst == "agent" and line.cost.eps == 0.4


def test_on_a_server(server: Any) -> None:
    """The agent is a principal with a cap of its own, which holds over all of its sessions."""
    cap = {"*": (Fraction(1, 2), None)}
    for n in range(2):
        with server.connect("robot", caps=cap) as db:
            made = mcp_server(db, Fraction(1), Fraction(5))
            first, second, found, budget = calls(
                made,
                "auto",
                run(f"SELECT COUNT(*) AS n FROM people WHERE age > {n}", 0.2),
                run(f"SELECT COUNT(*) AS n FROM people WHERE age < {n}", 0.4),
                run("SELECT id FROM people", 0.1),
                ("budget", {}),
            )
            assert not first.is_error and second.is_error and found.is_error
            assert "the cap of robot" in second.structured_content["error"]["text"]
            assert found.structured_content["error"]["code"] == "DP401"
            assert len(budget.structured_content["your_caps"]) == 1
            assert made.purse.left == 5 - Fraction(1, 5)


def test_the_command_line_over_a_url(server: Any) -> None:
    """As docs/how-to/agents.md has it: a URL, and the token in the environment."""
    words = ["-m", "dpsql", "mcp", f"{server.url}/shop", "--ask-above", "1"]
    env = {**os.environ, "DPSQL_TOKEN": server.token("robin")}
    started = StdioServerParameters(command=sys.executable, args=words, env=env)

    async def work() -> Any:
        async with Client(started) as client:
            return await client.call_tool(*run("SELECT COUNT(*) AS n FROM people", 0.4))

    assert not anyio.run(work).is_error
    (line,) = server.connect("robin").budget.history
    assert line.analyst == "robin" and line.cost.eps == 0.4
