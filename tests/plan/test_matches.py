"""A node that is added later is asked about by name: no `match` over plan nodes or expressions
takes those that it does not name for something.

A `match` that only looks for forms, such as `Call("cast", (inner,))`, tells no nodes apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import dpsql
from dpsql.core.plan.expr import Expr
from dpsql.core.plan.nodes import Plan

ROOT = Path(dpsql.__file__).parent
NODES, EXPRESSIONS = ({kind.__name__ for kind in get_args(u)} for u in (Plan, Expr))
FILES = [f for part in ("core", "checker", "front/resolve") for f in (ROOT / part).rglob("*.py")]


def left_open(source: str) -> Iterator[int]:
    """The lines of each `match` over nodes that has no case for one, or has one for all others."""
    for match in ast.walk(ast.parse(source)):
        if not isinstance(match, ast.Match):
            continue
        bare, sure = set(), set()
        for case in match.cases:
            found = {
                ast.unparse(part.cls)
                for part in getattr(case.pattern, "patterns", None) or [case.pattern]
                if isinstance(part, ast.MatchClass) and not (part.patterns or part.kwd_patterns)
            }
            bare |= found
            sure |= found if case.guard is None else set()
        last = match.cases[-1]
        rest = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
        never = rest and "assert_never" in ast.unparse(last)
        for every in (NODES, EXPRESSIONS):
            if bare and bare <= every and not never and (rest or not every <= sure):
                yield match.lineno


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_no_node_is_left_to_a_default(file: Path) -> None:
    assert list(left_open(file.read_text(encoding="utf-8"))) == []


def test_what_is_left_open_is_found() -> None:
    cases = [f"case {kind}(): pass" for kind in sorted(EXPRESSIONS)]
    first = "match e:\n " + "\n ".join(cases[:-1])
    assert len(NODES) == 13 and len(EXPRESSIONS) == 4 and len(FILES) > 100
    assert not list(left_open(f"{first}\n {cases[-1]}"))
    assert not list(left_open(f"{first}\n case _: assert_never(e)"))
    assert not list(left_open("match e:\n case Call('cast'): pass"))
    for wrong in ("", " case _: pass", f" {cases[-1].replace(':', ' if e:', 1)}"):
        assert list(left_open(f"{first}\n{wrong}")) == [1]
