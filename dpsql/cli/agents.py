"""`dpsql mcp`: an agent's tools over one database."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.util import find_spec

from dpsql.cli import exits
from dpsql.cli.query import opened
from dpsql.platform.engine.urls import is_served


def mcp(arguments: Namespace) -> int:
    """Tools over stdin and stdout, until the client hangs up."""
    if find_spec("mcp") is None:
        print('dpsql: an agent\'s tools need more: pip install "dpsql[mcp]"', file=sys.stderr)
        return exits.USAGE
    from dpsql.serve.mcp.main import main

    if arguments.analyst is None and not is_served(arguments.data):  # a server knows its token
        arguments.analyst = "agent"
    with opened(arguments, arguments.data) as db:
        main(db, arguments.ask_above, arguments.most)
    return exits.OK
