"""`dpsql mcp`: the tools over stdin and stdout."""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.account.amount import parse_eps
from dpsql.serve.mcp.tools import AgentServer
from dpsql.session.database import Database


def mcp_server(db: Database, ask_above: Fraction, most: Fraction) -> AgentServer:
    """A server of the Model Context Protocol over a database.

    Args:
        db: here or on a server; it is asked as its analyst, who should be the agent alone.
        ask_above: the ε of a call above which a person is asked, by elicitation; 0 for each.
        most: the ε that all calls together may spend.

    Raises:
        InvalidBudget: an ε that is none.
    """
    above = parse_eps(ask_above) if ask_above else Fraction(0)
    return AgentServer(db, above, parse_eps(most))


def main(db: Database, ask_above: Fraction, most: Fraction) -> None:
    """Serve one client, on stdin and stdout, until it hangs up."""
    mcp_server(db, ask_above, most).run("stdio")
