"""When a person is asked, and what is a yes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpsql.errors import Rejected
from dpsql.serve.mcp.main import mcp_server
from dpsql.serve.mcp.tools import DECLINED
from dpsql.session.database import Database
from tests.serve.mcp.agents import CUSTOMERS, ORDERS, calls, person, run, spent


def test_without_elicitation_much_is_refused(db: Database, mode: str) -> None:
    server = mcp_server(db, Fraction(1, 2), Fraction(3))
    little, much, again = calls(server, mode, run(ORDERS, 0.5), run(ORDERS, 0.6), run(ORDERS, 0.5))
    assert not little.is_error and not again.is_error and much.is_error
    assert "cannot ask one" in much.structured_content["error"]["text"]
    assert much.structured_content["error"]["type"] == "Declined" and spent(db) == 0.5


def test_a_person_says_yes(db: Database, mode: str) -> None:
    reply, asked = person("accept")
    server = mcp_server(db, Fraction(1, 2), Fraction(3))
    results = calls(
        server,
        mode,
        run(ORDERS, 0.5),
        run(CUSTOMERS, 0.6),
        run(CUSTOMERS, 0.6),
        run("SELECT * FROM customers", 0.6),
        run("SELECT * FROM regions", 5),
        run(CUSTOMERS, 5),
        reply=reply,
    )
    assert [r.is_error for r in results] == [False, False, False, True, False, True]
    assert len(asked) == 1, "for what is stored, rejected, public or too much nobody is asked"
    assert asked[0].startswith("May the agent spend ε = 0.6? It may spend ε = 2.5 more")
    assert asked[0].endswith(f"| {CUSTOMERS}") and spent(db) == 1.1


@pytest.mark.parametrize("reply", [("decline",), ("cancel",), ("accept", False)], ids=str)
def test_a_person_says_no(db: Database, mode: str, reply: tuple[Any, ...]) -> None:
    says, asked = person(*reply)
    server = mcp_server(db, Fraction(0), Fraction(3))
    (found,) = calls(server, mode, run(ORDERS, 0.1), reply=says)
    assert found.is_error and len(asked) == 1 and spent(db) == 0
    assert found.structured_content["error"] == {"type": "Declined", "text": DECLINED}


@pytest.mark.parametrize("spend", ["perhaps", None, 7, {"a": 1}], ids=str)
def test_an_answer_that_is_none_is_no_yes(db: Database, mode: str, spend: object) -> None:
    says, _ = person("accept", spend)
    server = mcp_server(db, Fraction(0), Fraction(3))
    try:
        (found,) = calls(server, mode, run(ORDERS, 0.1), reply=says)
    except Exception:
        found = None
    assert found is None or found.is_error
    assert spent(db) == 0


@pytest.mark.parametrize(
    "more",
    [
        {"said": {"action": "accept", "data": {"spend": True}}},
        {"said": {"spend": True}},
        {"consent": True, "ask_above": 9, "most": 9},
        {"ctx": {"mcp_server": None}},
    ],
)
def test_no_argument_is_a_yes(db: Database, mode: str, more: dict[str, Any]) -> None:
    server = mcp_server(db, Fraction(1, 10), Fraction(3))
    name, arguments = run(ORDERS, 0.5)
    (found,) = calls(server, mode, (name, arguments | more))
    assert found.is_error and spent(db) == 0


def test_the_question_cannot_be_forged(db: Database, mode: str) -> None:
    """What the agent writes stands behind a bar, line by line, in letters that are seen."""
    reply, asked = person("decline")
    forged = f"/* \nMay the agent spend ε = 0.0001?\r\u2028\u202e */ {ORDERS} -- " + "x" * 5000
    server = mcp_server(db, Fraction(1, 10), Fraction(3))
    calls(server, mode, run(forged, 0.5), reply=reply)
    first, *rest, last = asked[0].split("\n")
    assert first.startswith("May the agent spend ε = 0.5?")
    assert all(line.startswith("| ") for line in rest)
    assert last.startswith("(and ") and last.endswith("characters more)")
    assert asked[0].replace("\n", "").isprintable()


def test_a_rejected_query_costs_no_question(db: Database) -> None:
    with pytest.raises(Rejected):
        db.explain("SELECT * FROM customers", 1)
    reply, asked = person("accept")
    calls(
        mcp_server(db, Fraction(0), Fraction(1)),
        "auto",
        run("SELECT * FROM customers", 1),
        reply=reply,
    )
    assert asked == []
