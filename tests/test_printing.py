"""What is printed is what sqlglot prints, though in a shorter way."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from sqlglot import exp

import dpsql.core.release.statements
from dpsql.compile import ReleasedQuery, plain_source
from dpsql.core.emit.printing import printed
from tests.support import grammar
from tests.support.effort import tries


def test_every_statement_is_printed_as_sqlglot_prints_it() -> None:
    """A copy of a tree shares no parts: nothing in it can hang on which parent came last."""
    seen = 0

    def compared(tree: exp.Expr, *, pretty: bool = False) -> str:
        nonlocal seen
        seen += 1
        text = printed(tree, pretty=pretty)
        assert text == tree.copy().sql(dialect="duckdb", pretty=pretty)
        return text

    cases = [case for case in grammar.every() if grammar.accepted(case)]
    with patch.object(dpsql.core.release.statements, "printed", compared):
        for case in cases[:: tries(8, 1)]:
            query: Any = grammar.compiled(case).query
            if isinstance(query, ReleasedQuery):
                for number, release in enumerate(query.releases):
                    every = dpsql.core.release.statements.statements
                    every(release, plain_source, pretty=number % 2 == 0)
    assert seen > 200
