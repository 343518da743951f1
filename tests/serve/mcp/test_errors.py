"""What an agent is told of what cannot be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpsql.serve.mcp.main import mcp_server
from dpsql.session.database import Database
from tests.serve.mcp.agents import ORDERS, calls, spent


def test_errors_have_codes(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(1), Fraction(1))
    for name in ("run", "explain"):
        (found,) = calls(server, mode, (name, {"sql": "SELECT email FROM customers", "eps": 1}))
        error = found.structured_content["error"]
        assert found.is_error and error["code"] == "DP401" and error["type"] == "Rejected"
        assert error["problems"][0]["help"].startswith("aggregate")
        assert "Traceback" not in found.content[0].text


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"sql": 1, "eps": 1},
        {"sql": ORDERS},
        {"sql": ORDERS, "eps": [1]},
        {"sql": ORDERS, "eps": None},
        {"sql": ORDERS, "eps": "x" * 101},
        {"sql": ORDERS, "eps": "nan"},
        {"sql": ORDERS, "eps": "1e999999"},
        {"sql": "x" * 100_001, "eps": 1},
        {"sql": "\0", "eps": 1},
        {"sql": "", "eps": 1},
        {"sql": ";" * 1000, "eps": 1},
    ],
    ids=range(12),
)
def test_arguments_that_are_none(db: Database, mode: str, arguments: dict[str, Any]) -> None:
    (found,) = calls(mcp_server(db, Fraction(1), Fraction(1)), mode, ("run", arguments))
    assert found.is_error and spent(db) == 0
    assert "Traceback" not in found.content[0].text
