"""Mutants made by an edit of one rule's text: what is wrong stands in the edit itself."""

from __future__ import annotations

import __future__
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType
from typing import Any

import pytest

Patch = pytest.MonkeyPatch


def edit(name: str, function: Any, old: str, new: str) -> Callable[[Patch], None]:
    """A mutant called `name`: `function` with `new` in place of `old`, wherever it is imported.

    The mutant raises LookupError where the rule does not say `old` exactly once.
    """

    def mutant(patch: Patch) -> None:
        text = textwrap.dedent(inspect.getsource(function))
        if text.count(old) != 1:
            raise LookupError(f"{name}: {function.__qualname__} says {text.count(old)} times {old}")
        patch.setattr(function, "__code__", _code(text.replace(old, new), function))

    mutant.__name__ = name
    return mutant


def _code(text: str, function: Any) -> CodeType:
    flags = __future__.annotations.compiler_flag
    module = compile(text, inspect.getfile(function), "exec", flags, dont_inherit=True)
    return next(
        c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == function.__name__
    )
