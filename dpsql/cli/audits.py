"""`dpsql audit`: what is claimed of a query, beside what is observed."""

from __future__ import annotations

import json
import os
from argparse import Namespace

from dpsql import audit as auditing
from dpsql.audit.report import Report
from dpsql.cli import exits, query
from dpsql.cli.progress import bar
from dpsql.report.page import page
from dpsql.report.workloads.workload import workload

MOST = 10**9


def audit(arguments: Namespace) -> int:
    """Every claim of each query, and whether it was contradicted."""
    data, text = query.data_and_text(arguments)
    query.check(arguments, data)
    if data is None:
        arguments.parser.error("an audit needs DATA, a file or folder that is there")
        raise AssertionError("error() does not return")
    for name in ("worlds", "samples", "units"):
        value = getattr(arguments, name)
        least = 4 if name == "samples" and value else 0
        if value is not None and not least <= value <= MOST:
            arguments.parser.error(f"--{name} {value} is out of range")
    parts = workload(text, arguments.dialect) if arguments.file is not None else ()
    asked = [(p.text, arguments.eps if p.eps is None else p.eps) for p in parts]
    reports: list[Report] = []
    with query.uncharged(data, arguments.policy) as db:
        for sql, eps in asked or [(text, arguments.eps)]:
            with bar() as progress:
                found = auditing.check(
                    db,
                    sql,
                    eps,
                    arguments.delta,
                    units=arguments.units,
                    worlds=arguments.worlds,
                    samples=arguments.samples,
                    confidence=arguments.confidence,
                    seed=arguments.seed,
                    progress=progress,
                    **query.wishes(arguments),
                )
            reports.append(found)
            if arguments.format == "text":
                print(("\n" if len(reports) > 1 else "") + f"audit of {found.sql}\n\n{found}")
    if arguments.format == "json":
        made = [report.to_dict() for report in reports]
        print(json.dumps(made[0] if len(made) == 1 else made, ensure_ascii=False, indent=2))
    if arguments.html is not None:
        _write(arguments, reports)
    return exits.OK if all(report.holds for report in reports) else exits.AUDIT


def _write(arguments: Namespace, reports: list[Report]) -> None:
    """The page, for the owner's eyes alone."""
    text = page("dpsql: an audit", *(report._document() for report in reports))
    try:
        handle = os.open(arguments.html, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such file"
        arguments.parser.error(f"cannot write {arguments.html}: {reason}")
