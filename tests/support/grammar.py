"""The files of `grammar_tests/`: cases of the language, read and written.

    # about: …                        the file's first line: what it is about
    # policy: shop                    for all cases from here on; `shop verified`: all claims proven
    # case: sum/plain                 its name
    # note: …                         optional, for people
    # differs: …                      optional: why the answer is not what the engine itself says
    SELECT SUM(amount) AS s FROM orders
    -- accept
    -- sensitivity: s  l0=1 l1=1500 …  one line a measurement
    -- sql:                           optional: the rewritten query
    WITH …
    ==                                the next case

Other verdicts are `-- exact` (public, free) and `-- reject DP402  message` with carets under the
part to blame and `-- help: …`. A file in any other form is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from dpsql.compile import Compiled, ReleasedQuery, compile_query, plain_source
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.plan.nodes import Plan, Project, Released, nodes
from dpsql.core.release.statements import statements
from dpsql.errors import Rejected
from dpsql.proven import PublicQuery
from dpsql.report.explanation.explanation import explanation
from dpsql.report.explanation.measurement import Release
from tests.support.plan_printer import Printer
from tests.support.policies import load
from tests.support.sql_text import lines_of

FOLDER = Path(__file__).resolve().parents[2] / "grammar_tests"
EPS = Fraction(1)

_HEADER = re.compile(r"# (policy|case|note|differs): (\S.*)")
_ABOUT = re.compile(r"# about: (\S.*)\n")
_VERDICT = re.compile(r"-- (accept|exact|reject)\b")


class MalformedError(Exception):
    """A grammar file that cannot be read; with the file and the line."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what is asked, and the verdict as the file has it.

    Attributes:
        file: the file's stem.
        name: unique in all files.
        policy: of `grammar_tests/policies`, maybe with " verified".
        notes: header lines other than these, as they stand.
        differs: why the answer is not the engine's own; None where it is.
        query: the SQL.
        golden: the lines after it.
    """

    file: str
    name: str
    policy: str
    notes: tuple[str, ...]
    differs: str | None
    query: str
    golden: tuple[str, ...]

    @property
    def shows_sql(self) -> bool:
        """Whether the file keeps the rewritten query of this case."""
        return "-- sql:" in self.golden


def read(path: Path) -> tuple[Case, ...]:
    """The cases of a file.

    Raises:
        MalformedError: the file is not of the form above.
    """
    cases: list[Case] = []
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    first = 1 if _ABOUT.match(text) else 0
    policy, start, block = None, first + 1, []
    for number, line in enumerate([*lines[first:], "=="], first + 1):
        if line != "==":
            block.append(line)
            continue
        case = _case(path, start, block, policy)
        if any(case.name == other.name for other in cases):
            raise MalformedError(f"{path}:{start}: two cases are called {case.name}")
        policy = case.policy
        cases.append(case)
        start, block = number + 1, []
    return tuple(cases)


def about(path: Path) -> str | None:
    """What a file is about, in its own words, if it says so."""
    found = _ABOUT.match(path.read_text(encoding="utf-8")) if path.exists() else None
    return found[1] if found else None


def paths() -> list[Path]:
    """All files, in order."""
    return sorted(FOLDER.glob("*.sql"))


def every() -> tuple[Case, ...]:
    """The cases of all files.

    Raises:
        MalformedError: a file is not of the form above.
    """
    return tuple(case for path in paths() for case in read(path))


def _case(path: Path, start: int, block: list[str], policy: str | None) -> Case:
    headers: dict[str, str] = {}
    notes: list[str] = []
    position = 0
    while position < len(block) and block[position].startswith("#"):
        found = _HEADER.fullmatch(block[position])
        if found is None:
            raise MalformedError(f"{path}:{start + position}: not a header: {block[position]}")
        if found[1] in headers:
            raise MalformedError(f"{path}:{start + position}: a second {found[1]}")
        headers[found[1]] = found[2]
        if found[1] in ("note", "differs"):
            notes.append(block[position])
        position += 1
    body = block[position:]
    end = next((i for i, line in enumerate(body) if line.startswith("--")), len(body))
    query, golden = "\n".join(body[:end]), tuple(body[end:])
    policy = headers.get("policy", policy)
    if policy is None or "case" not in headers or not query.strip():
        raise MalformedError(f"{path}:{start}: a case needs a policy, a name and a query")
    if golden and not _VERDICT.match(golden[0]):
        raise MalformedError(f"{path}:{start + position + end}: not a verdict: {golden[0]}")
    differs = headers.get("differs")
    return Case(path.stem, headers["case"], policy, tuple(notes), differs, query, golden)


def write(path: Path, cases: tuple[Case, ...]) -> None:
    """The file of `cases`, whole or not at all; its first line stays."""
    words = about(path)
    texts: list[str] = []
    policy = None
    for case in cases:
        head = [f"# policy: {case.policy}"] if case.policy != policy else []
        policy = case.policy
        head += [f"# case: {case.name}", *case.notes]
        texts.append("\n".join([*head, case.query, *case.golden]) + "\n")
    part = path.with_suffix(f".{id(cases)}.part")
    top = f"# about: {words}\n" if words else ""
    part.write_text(top + "==\n".join(texts), encoding="utf-8")
    part.replace(path)


def updated(case: Case) -> Case:
    """The case with the verdict that dpsql gives now."""
    return replace(case, golden=verdict(case))


@lru_cache(maxsize=1024)
def compiled(case: Case) -> Compiled:
    """The case's query, compiled; at most once.

    Raises:
        Rejected: it is not accepted.
    """
    return compiled_anew(case)


def compiled_anew(case: Case) -> Compiled:
    """The case's query, compiled for ε = 1 and that part of the policy's δ that goes with it.

    Raises:
        Rejected: it is not accepted.
    """
    schema = load(case.policy).schema
    options = Options(delta=usual_delta(EPS, None, schema))
    return compile_query(case.query, schema, EPS, options=options)


def accepted(case: Case) -> bool:
    """Whether the file says that the query is answered."""
    return bool(case.golden) and not case.golden[0].startswith("-- reject")


def verdict(case: Case) -> tuple[str, ...]:
    """What the file should say below the query."""
    try:
        found = compiled(case)
    except Rejected as problem:
        return tuple(_rejected(case.query, problem))
    if isinstance(found.query, PublicQuery):
        return ("-- exact",)
    releases = explanation(found, ()).releases
    points = [p for p in found.query.releases for _ in (*p.measures, *p.picks)]
    lines = ["-- accept"]
    for release, point in zip(releases, points, strict=True):
        private = bool(point.domain.private)
        lines.append(_sensitivity(release, private, found.schema.neighbours))
    lines += ["-- plan:", *(f"--   {line}" for line in planned(found.query))]
    if case.shows_sql:
        lines.append("-- sql:")
        for point in found.query.releases:
            for text in statements(point, plain_source).every:
                lines += lines_of(text)
    return tuple(lines)


def planned(query: ReleasedQuery) -> list[str]:
    """The rows of each release as they are proven, what these read of one another, and what is made
    of them, where that is more than to show it.
    """
    printer, lines = Printer(), list[str]()

    def add(name: str, plan: Plan) -> None:
        lines.append(f"{name}:")
        lines.extend(printer.lines(plan, 1))

    known: set[str] = set()
    for point in query.releases:
        for name in (n.name for n in nodes(point.aggregate) if isinstance(n, Released)):
            if name not in known and name in query.feeds:
                add(name, query.feeds[name].plan)
            known.add(name)
        add(point.table, point.aggregate)
    shown = isinstance(query.plan, Project) and isinstance(query.plan.input, Released)
    if not shown:
        add("answer", query.plan)
    return lines


def _sensitivity(release: Release, private: bool, neighbours: str) -> str:
    unknown = "private" if private else "public"
    groups = unknown if release.groups is None else str(release.groups)
    named = (("l1", release.l1), ("l2", release.l2), ("linf", release.linf))
    moved = f"l0={release.l0} " + " ".join(f"{n}={v:.12g}" for n, v in named if v is not None)
    if release.clipping is not None:
        moved = f"clip={release.clipping}"
    if release.threshold is not None:
        moved += f" threshold={release.threshold:.12g}"
    why = [r for r in release.reasons if r != f"neighbours: {neighbours}"]
    return f"-- sensitivity: {release.name}  {moved} groups={groups}  ({'; '.join(why)})"


def _rejected(query: str, problem: Rejected) -> list[str]:
    lines: list[str] = []
    for diagnostic in problem.diagnostics:
        lines.append(f"-- reject {diagnostic.code}  {diagnostic.message}")
        if diagnostic.span is not None:
            lines.append(_carets(query, diagnostic.span.start, diagnostic.span.end))
        if diagnostic.help:
            lines.append(f"-- help: {diagnostic.help}")
    return lines


def _carets(query: str, start: int, end: int) -> str:
    """Carets below the part; the first two columns are the comment's own."""
    start = min(start, len(query) - 1)
    row = query.count("\n", 0, start)
    first = query.rfind("\n", 0, start) + 1
    last = query.find("\n", start)
    width = min(end, len(query) if last < 0 else last) - start
    line = " " * (start - first) + "^" * max(1, width)
    where = f"  line {row + 1}" if "\n" in query else ""
    return f"--{line[2:]}{where}"
