"""Measure every system, write docs/comparison.json and docs/comparison.md.

python -m benchmarks.comparison [--part {probes,tpch,times}] [--system NAME] [--render]

With --part or --system, the record keeps what it had of the others.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import psycopg

from benchmarks.comparison import data, peers, probes, tpch
from benchmarks.comparison.charges import epsilon
from benchmarks.comparison.peers import ROOT, SYSTEMS, System
from benchmarks.comparison.render import Results, page
from benchmarks.comparison.times import LIMIT, TIMED
from tests.support import servers

RECORD = ROOT / "docs" / "comparison.json"
PAGE = ROOT / "docs" / "comparison.md"
Found = dict[str, Any]
Places = dict[str, data.Place]


def probed(system: System, places: Places) -> Iterator[tuple[str, Found]]:
    for probe in probes.PROBES:
        limit = 60 + probe.n / 2
        got = peers.ask(system, {**places["probes"].request(), **probe.request()}, limit)
        if "cost" in got:
            got["cost"] = epsilon(got["cost"], probes.DELTA)
        yield probe.name, _plain(probes.verdict(probe, got))


def queried(system: System, places: Places) -> Iterator[tuple[str, Found]]:
    with duckdb.connect(str(places["tpch"].duckdb), read_only=True) as connection:
        truth = {n: connection.execute(tpch.query(n)).fetchall() for n in tpch.NUMBERS}
    for number in tpch.NUMBERS:
        got = peers.ask(system, {**places["tpch"].request(), **tpch.request(number)})
        yield str(number), _plain(tpch.verdict(got, truth[number]))


def timed(system: System, places: Places) -> Iterator[tuple[str, Found]]:
    for one in TIMED:
        got = peers.ask(system, {**places[one.place].request(), **one.request()}, LIMIT)
        if got["status"] == "answered":
            yield one.name, {name: got[name] for name in ("plain", "private", "rows")}
        else:
            yield one.name, {"word": got["status"], "note": probes.first_line(got["message"])}


PARTS: dict[str, Callable[[System, Places], Iterator[tuple[str, Found]]]] = {
    "probes": probed,
    "tpch": queried,
    "times": timed,
}


def measure(results: Results, parts: list[str], only: list[str]) -> None:
    """Put what is measured into the results."""
    results["cpus"] = os.cpu_count()
    systems = results["systems"] = {}
    for system in SYSTEMS:
        absent = peers.install(system)
        versions = {} if absent else peers.versions(system)
        systems[system.name] = {"absent": absent, "versions": versions}
    with tempfile.TemporaryDirectory() as folder, servers.postgres() as server:
        with psycopg.connect(server.format("postgres")) as connection:
            results["postgres"] = connection.info.parameter_status("server_version")
        places = data.places(Path(folder), server, parts)
        for part in parts:
            found: dict[str, Found] = results.setdefault(part, {})
            for system in SYSTEMS:
                if systems[system.name]["absent"] or system.name not in only:
                    continue
                for name, one in PARTS[part](system, places):
                    print(f"{part}: {name}: {system.name}: {one}", flush=True)
                    found.setdefault(name, {})[system.name] = one
                    keep(results)
            results.setdefault("dates", {})[part] = datetime.date.today().isoformat()


def keep(results: Results) -> None:
    """Write the record: after each answer, so that a run may be stopped and go on by its parts."""
    RECORD.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _plain(verdict: probes.Verdict) -> Found:
    return {"word": verdict.word, "note": verdict.note}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=list(PARTS), help="all by default")
    names = [system.name for system in SYSTEMS]
    parser.add_argument("--system", action="append", choices=names, help="all by default")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    args = parser.parse_args()
    results: Results = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    if not args.render:
        if servers.REASON:
            parser.error(servers.REASON)
        measure(results, args.part or list(PARTS), args.system or names)
        keep(results)
    if missing := PARTS.keys() - results.keys():
        parser.error(f"the page also needs --part {' --part '.join(sorted(missing))}")
    PAGE.write_text(page(results), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
