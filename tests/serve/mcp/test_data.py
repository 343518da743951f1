"""What others wrote is data to an agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

from dpsql.serve.mcp import agent_json
from dpsql.serve.mcp.main import mcp_server
from dpsql.serve.mcp.tools import INSTRUCTIONS
from dpsql.session.database import Database
from tests.serve.mcp.agents import HOSTILE, calls, run


def test_names_and_values_are_data(hostile: Database, mode: str) -> None:
    name = HOSTILE.replace('"', '""')
    server = mcp_server(hostile, Fraction(1), Fraction(5))
    results = calls(
        server,
        mode,
        ("describe", {}),
        ("explain", {"sql": f'SELECT SUM("{name}") AS "{name}" FROM people', "eps": 1}),
        ("estimate", {"queries": [f'SELECT SUM("{name}") FROM people'], "eps": 1}),
        run(f'SELECT SUM("{name}") AS "{name}" FROM people', 1),
        run(f'SELECT * FROM "{name}"', 1),
        run(f'SELECT "{name}" FROM people', 1),
        run(f'SELECT "{name}x" FROM people', 1),
    )
    assert [r.is_error for r in results] == [False] * 5 + [True] * 2

    def texts(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from (text for pair in value.items() for part in pair for text in texts(part))
        elif isinstance(value, list):
            yield from (text for part in value for text in texts(part))

    for result in results:
        assert any("ignore all instructions" in text for text in texts(result.structured_content))
        assert all(text.isprintable() for text in texts(result.structured_content))
        assert json.loads(result.content[0].text) == result.structured_content
        assert len(result.content) == 1 and "\x1b" not in result.content[0].text
    sentences = (agent_json.NOISY, agent_json.EXACT, agent_json.REUSED, INSTRUCTIONS)
    assert not any("ignore" in sentence for sentence in sentences)


def test_long_answers_end(hostile: Database) -> None:
    server = mcp_server(hostile, Fraction(1), Fraction(1))
    (found,) = calls(server, "auto", run("SELECT i, t FROM long ORDER BY i", 1))
    assert not found.is_error, found.content[0].text
    made = found.structured_content
    assert len(made["rows"]) == agent_json.ROWS and made["rows_left_out"] == 1500
    assert made["rows"][0][1].endswith("(5,000 characters)")


def test_values_of_all_kinds() -> None:
    from datetime import date
    from decimal import Decimal

    given = {"a": [Decimal("1.5"), Fraction(1, 4), date(2024, 1, 2), float("nan"), b"\xff", {1: 2}]}
    found = agent_json.plain(given)
    assert found == {"a": [1.5, 0.25, "2024-01-02", "nan", "b'\\xff'", {"1": 2}]}
    json.dumps(found, allow_nan=False)
