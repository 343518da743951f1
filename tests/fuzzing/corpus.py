"""What the fuzzer begins with: the probes, the language's own cases, and their policies."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from tests.support import grammar
from tests.support.policies import path_of

PROBES = Path(__file__).resolve().parents[1] / "data" / "probes.jsonl"

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\w+|<>|<=|>=|::|\|\||//|\S|\s+")


@cache
def queries() -> dict[str, tuple[str, ...]]:
    """Queries by the policy that they are over."""
    found: dict[str, list[str]] = {"tpch": []}
    for line in PROBES.read_text(encoding="utf-8").splitlines():
        probe = json.loads(line)
        if probe["expect"] != "property" and probe.get("world", "tpch") == "tpch":
            found["tpch"].append(probe["sql"])
    for case in grammar.every():
        found.setdefault(case.policy, []).append(case.query)
    return {name: tuple(dict.fromkeys(texts)) for name, texts in found.items()}


@cache
def policies() -> tuple[str, ...]:
    """The policies' YAML texts."""
    names = {name.partition(" ")[0] for name in queries()}
    return tuple(path_of(name).read_text(encoding="utf-8") for name in sorted(names))


def tokens(text: str) -> list[str]:
    """A text in words, signs and blanks; joined they are the text."""
    return _TOKEN.findall(text)


@cache
def words() -> tuple[str, ...]:
    """Every token of every query."""
    seen: dict[str, None] = {}
    for texts in queries().values():
        for text in texts:
            seen.update(dict.fromkeys(t for t in tokens(text) if t.strip()))
    return tuple(seen)


@cache
def parts() -> tuple[str, ...]:
    """What stands in brackets somewhere, brackets included: expressions, lists, subqueries."""
    seen: dict[str, None] = {}
    for texts in queries().values():
        for text in texts:
            opened: list[int] = []
            for place, character in enumerate(text):
                if character == "(":
                    opened.append(place)
                elif character == ")" and opened:
                    part = text[opened.pop() : place + 1]
                    if len(part) < 300:
                        seen[part] = None
    return tuple(seen)
