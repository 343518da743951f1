"""Mutants that are an edit of one rule's text: a file of blocks

left_rows_lost: dpsql.core.infer.joins._at_least_one   its name, and the function that is edited
- max(1, value)                                       what stands there exactly once
+ value                                               what the mutant has instead
neighbours join_outer/left                            the check that kills it, and on which case
"""

from __future__ import annotations
import __future__

import importlib
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

Mutant = Callable[[pytest.MonkeyPatch], None]


def edits(path: Path) -> list[tuple[Mutant, str, str]]:
    """The mutants of a file, each with the name of its check and of its case."""
    found: list[tuple[Mutant, str, str]] = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        first, *lines, last = block.splitlines()
        name, _, function = first.partition(": ")
        old, new = ("\n".join(line[2:] for line in lines if line.startswith(sign)) for sign in "-+")
        check, _, case = last.partition(" ")
        found.append((edit(name, _function(function), old, new), check, case))
    return found


def edit(name: str, function: Any, old: str, new: str) -> Mutant:
    """A mutant called `name`: `function` with `new` in place of `old`, wherever it is imported.

    The mutant raises LookupError where the function does not say `old` exactly once.
    """

    def mutant(patch: pytest.MonkeyPatch) -> None:
        text = textwrap.dedent(inspect.getsource(function))
        if text.count(old) != 1:
            raise LookupError(f"{name}: {function.__qualname__} says {text.count(old)} times {old}")
        patch.setattr(function, "__code__", _code(text.replace(old, new), function))

    mutant.__name__ = name
    return mutant


def _function(path: str) -> Any:
    """A function or a method by its full name."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:  # a method
        return getattr(_function(module), name)


def _code(text: str, function: Any) -> CodeType:
    flags = __future__.annotations.compiler_flag
    module = compile(text, inspect.getfile(function), "exec", flags, dont_inherit=True)
    codes = [c for c in module.co_consts if isinstance(c, CodeType)]
    return next(c for c in codes if c.co_name == function.__name__)
