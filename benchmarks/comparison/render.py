"""docs/comparison.md from docs/comparison.json."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.comparison.data import TABLE_TEXTS
from benchmarks.comparison.peers import SYSTEMS, System
from benchmarks.comparison.probes import PROBES, WORDS
from benchmarks.comparison.times import TIMED

PAGE = Path(__file__).with_name("page.md")
Results = dict[str, Any]


def page(results: Results) -> str:
    """The whole document."""
    measured = [s for s in SYSTEMS if not results["systems"][s.name]["absent"]]
    parts = {
        "systems": _systems(results, measured),
        "absent": _absent(results),
        "counts": _counts(results, measured),
        "probes": _probes(results, measured),
        "rights": table(
            ("probe", "query", "right"), ((p.name, f"`{p.sql}`", p.right) for p in PROBES)
        ),
        "tables": TABLE_TEXTS,
        "tpch": _tpch(results, measured),
        "messages": _messages(results, measured),
        "rounds": str(max(timed.rounds for timed in TIMED)),
        "times": _times(results, measured),
    }
    text = PAGE.read_text(encoding="utf-8")
    return re.sub(r"\{(\w+)\}", lambda found: parts[found[1]], text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *([cell(one) for one in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Text that stays inside of its cell, whatever a system said."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("|", "\\|").replace("<", "&lt;")


def said(found: dict[str, str]) -> str:
    """A verdict and, of an answer, what was measured."""
    quiet = found["word"] in ("rejected", "failed", "crashed") or not found["note"]
    word = found["word"] if found["word"] in ("right", "rejected") else f"**{found['word']}**"
    return word if quiet else f"{word}: {found['note']}"


def _systems(results: Results, measured: list[System]) -> str:
    rows = []
    for system in measured:
        found = results["systems"][system.name]["versions"]
        shown = ", ".join(f"{name} {version}" for name, version in found.items())
        engine = system.engine
        if engine == "PostgreSQL":
            engine += f" {results['postgres']}"
        rows.append((system.name, engine, shown))
    dates = sorted({*results["dates"].values()})
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    head = f"Measured on {days}, {results['cpus']} cores:\n\n"
    return head + table(("system", "runs on", "versions"), rows)


def _absent(results: Results) -> str:
    gone = [(s.name, results["systems"][s.name]["absent"]) for s in SYSTEMS]
    lines = [
        f"{name} is {why}, so that nothing of it is measured here." for name, why in gone if why
    ]
    return "\n".join(lines) or "All were measured."


def _counts(results: Results, measured: list[System]) -> str:
    rows = []
    for part, name in (("probes", "probes"), ("tpch", "TPC-H queries")):
        for system in measured:
            words = Counter(found[system.name]["word"] for found in results[part].values())
            rows.append((name, system.name, *(str(words[w] or "") for w in WORDS)))
    return table(("of the", "system", *WORDS), rows)


def _probes(results: Results, measured: list[System]) -> str:
    names = [system.name for system in measured]
    found = results["probes"]
    rows = ((p.name, *(said(found[p.name][name]) for name in names)) for p in PROBES)
    return table(("probe", *names), rows)


def _tpch(results: Results, measured: list[System]) -> str:
    names = [system.name for system in measured]
    rows = (
        (f"Q{n}", *(said(found[name]) for name in names)) for n, found in results["tpch"].items()
    )
    return table(("query", *names), rows)


def _messages(results: Results, measured: list[System]) -> str:
    rows = []
    for part in ("probes", "tpch"):
        for name, found in results[part].items():
            for system in measured:
                one = found[system.name]
                if one["word"] in ("rejected", "failed", "crashed"):
                    shown = f"Q{name}" if part == "tpch" else name
                    rows.append((shown, system.name, f"{one['word']}: {one['note']}"))
    return table(("query", "system", "message"), rows)


def _times(results: Results, measured: list[System]) -> str:
    rows = []
    for timed in TIMED:
        for system in measured:
            found = results["times"][timed.name][system.name]
            if "private" not in found:
                rows.append(
                    (timed.name, system.name, f"{found['word']}: {found['note']}", "", "", "")
                )
                continue
            ratio = found["private"] / found["plain"]
            given = f"{found['rows']:,}"
            seconds = (f"{found[name]:.3g} s" for name in ("private", "plain"))
            rows.append((timed.name, system.name, *seconds, f"{ratio:.3g}", given))
    return table(("query", "system", "private", "plain", "ratio", "rows given"), rows)
