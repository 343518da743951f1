"""The argument for each rule, as it stands beside the code: a page for each stage of the pipeline.

A module is in a page if its docstring says more than its first sentence, or if something in it has
a claim. The order within a stage is that of reading, not of the alphabet.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.markdown import ROOT
from tools.reference.prose import markdown

HEAD = "<!-- Written by python -m tools.reference, from the docstrings beside the code. -->"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page.

    Attributes:
        name: of the file, without its suffix.
        title: the heading.
        about: what the stage does, and what it must not get wrong.
        folders: parts of `dpsql` whose modules are in it.
        first: modules that come before the others, by their paths below `dpsql`.
    """

    name: str
    title: str
    about: str
    folders: tuple[str, ...]
    first: tuple[str, ...] = ()


CHAPTERS = (
    Chapter(
        "1-language",
        "The language: what an expression can be, and that it cannot fail",
        "A query's text becomes a plan of typed expressions. Each function of the allow-list says "
        "what its result can be, given what its arguments can be; later stages rest on these "
        "ranges, so a range that is too narrow would be a breach. And none may fail on a row, or "
        "take visibly longer for it, since that would tell of the row.",
        ("front", "core/functions", "core/emit"),
        ("core/functions/spec.py",),
    ),
    Chapter(
        "2-plans",
        "Policy and plans: what is declared, and what stands for it",
        "The policy, the database's catalog and the owner's verification are put together: what "
        "of it is a fact, and what is a claim. Plans are what all later stages read.",
        ("platform/policy", "core/plan", "core/schema.py"),
    ),
    Chapter(
        "3-analyze",
        "What is inferred: whose a row is, and how many there are",
        "For each node of a plan, from the tables upwards: is it public, private or released; "
        "which column tells the unit; how many rows one unit can have; what the values can be; "
        "which groups there are.",
        ("core/infer",),
        (
            "core/infer/tracking.py",
            "core/infer/unit.py",
            "core/infer/keys.py",
            "core/infer/multiplicity.py",
            "core/infer/joins.py",
            "core/infer/grouping.py",
            "core/infer/ranges.py",
            "core/infer/domain.py",
            "core/infer/public_parts.py",
        ),
    ),
    Chapter(
        "4-rewrite",
        "What is rewritten: so that what was inferred holds on any data",
        "Declared bounds may be wrong. These passes enforce them in the query itself, and bring it "
        "to a form of which the next stage knows how to bound it.",
        ("core/shape", "front/resolve", "core/enforce"),
        (
            "core/enforce/secure.py",
            "core/enforce/secure_plan.py",
            "core/enforce/lattice.py",
            "core/shape/attach_unit.py",
            "core/enforce/asked_cells.py",
            "core/enforce/quota_sql.py",
            "core/enforce/as_declared.py",
            "core/enforce/members.py",
            "core/enforce/pairs.py",
            "core/enforce/per_unit.py",
        ),
    ),
    Chapter(
        "5-sensitivity",
        "Sensitivity: how far one unit can move each number",
        "What is measured for each aggregate, and the bound on how far one unit moves it.",
        ("core/release",),
        (
            "front/resolve/points.py",
            "core/release/release.py",
            "core/release/bound.py",
            "core/release/measures.py",
            "core/release/sums.py",
            "core/release/second_moments.py",
            "core/release/distinct.py",
        ),
    ),
    Chapter(
        "6-mechanism",
        "Mechanisms: what the noise guarantees",
        "How a number whose sensitivity is known becomes private. "
        "[Mechanisms](../mechanisms.md) is a shorter account, with examples.",
        ("core/noise",),
        (
            "core/noise/integer_noise.py",
            "core/noise/laplace.py",
            "core/noise/gaussian.py",
            "core/noise/exponential.py",
            "core/noise/quantiles.py",
            "core/noise/noisy_max.py",
            "core/noise/threshold.py",
            "core/noise/clip.py",
            "core/noise/adaptive.py",
        ),
    ),
    Chapter(
        "7-accounting",
        "Accounting: what it costs, and that nothing is forgotten",
        "How the costs of many answers add up, and how they are written down. "
        "[The ledger](../ledger.md) says it for its users.",
        ("core/account", "core/calibrate", "platform/ledger", "report/workloads"),
        (
            "core/account/events.py",
            "core/account/loss.py",
            "core/account/accountants.py",
            "core/account/gaussian_loss.py",
            "core/account/continuous.py",
            "core/account/divergences.py",
            "core/account/conversion.py",
            "core/account/distributions.py",
            "core/account/dominating_pairs.py",
            "core/account/pld.py",
            "core/account/exposure.py",
            "platform/ledger/ledger.py",
            "platform/ledger/lines.py",
            "platform/ledger/witness.py",
            "core/account/windows.py",
        ),
    ),
    Chapter(
        "8-execution",
        "Running it: the order of things, and what is given again for free",
        "The ledger is charged, the engine is asked, noise is added; then, and only then, is there "
        "something to look at.",
        ("execution", "platform/engine", "session/appended.py", "session/request_keys.py"),
        ("execution/run.py", "execution/noise.py", "execution/reuse.py"),
    ),
    Chapter(
        "9-audit",
        "Auditing: what is observed beside what is claimed",
        "Nothing rests on an audit, and it shares nothing with the analysis: the printed SQL and "
        "the real noise run on neighbours. [Audit a query](../../how-to/audit.md) says how to.",
        ("audit",),
        ("audit/worlds.py", "audit/databases.py", "audit/estimate.py", "audit/binomial.py"),
    ),
    Chapter(
        "10-checker",
        "The second proof: of the SQL that is printed",
        "It shares no code with the first one, and nothing rests on it. [Certificates]"
        "(../certificates.md) says how to read what it says.",
        ("checker",),
        (
            "checker/relation.py",
            "checker/joins.py",
            "checker/groups.py",
            "checker/quotas.py",
            "checker/measures.py",
            "checker/partition.py",
            "checker/special.py",
        ),
    ),
    Chapter(
        "11-server",
        "A server: who asks, in turn, and what is noted",
        "It computes nothing: it gives what `session/` gives to the analyst whose token was "
        "shown. [Serve a database](../../how-to/serve.md) says how to run one.",
        ("serve",),
        ("serve/service.py", "serve/fair_queue.py", "serve/principals.py", "serve/audit_log.py"),
    ),
    Chapter(
        "12-models",
        "Models: what is made of noisy sums",
        "Nothing here can breach privacy: it asks as any analyst may, and computes with what was "
        "told. [Models](../models.md) says what that means.",
        ("models",),
        (
            "models/model_queries.py",
            "models/wanted.py",
            "models/terms.py",
            "models/linear/cross_products.py",
            "models/linear/least_squares.py",
            "models/generalised/newton_sums.py",
            "models/generalised/newton.py",
            "models/generalised/path.py",
            "models/trees/planning.py",
            "models/trees/splits.py",
            "models/noise_law.py",
            "models/clusters/grid.py",
            "models/clusters/moving.py",
            "models/factors/factor_queries.py",
            "models/factors/directions.py",
            "models/factors/solving.py",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Argument:
    """What one module says: its own docstring, and those of its parts that make a claim."""

    path: str
    text: str
    parts: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """What it is called: the protocols of a server have files of the same names."""
        file = Path(self.path)
        if file.stem == "__init__":
            return file.parent.name
        nested = self.path.startswith("serve/") and self.path.count("/") > 1
        return f"{file.parent.name}-{file.stem}" if nested else file.stem

    @property
    def claims(self) -> bool:
        """Whether it claims something."""
        return any("laim" in text for text in (self.text, *(part for _, part in self.parts)))


@cache
def arguments(chapter: Chapter) -> list[Argument]:
    """The modules of a chapter that have something to say, in reading order."""
    package = ROOT / "dpsql"
    folders = [package / folder for folder in chapter.folders]
    files = [f for folder in folders for f in sorted(folder.rglob("*.py")) or [folder]]
    elsewhere = {folder for other in CHAPTERS if other is not chapter for folder in other.folders}
    files = [f for f in files if f.parent.relative_to(package).as_posix() not in elsewhere]
    found = [_argument(f, f.relative_to(package).as_posix()) for f in files]
    order = {path: place for place, path in enumerate(chapter.first)}
    told = [a for a in found if a.claims or "\n\n" in a.text or a.path in order]
    return sorted(told, key=lambda a: order.get(a.path, len(order)))


def _argument(file: Path, path: str) -> Argument:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    parts = tuple(
        (node.name, text)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and "Claim" in (text := ast.get_docstring(node) or "")
    )
    return Argument(path, ast.get_docstring(tree) or "", parts)


def page(chapter: Chapter) -> str:
    """The Markdown of a chapter."""
    return "\n".join(_page(chapter))


def _page(chapter: Chapter) -> Iterator[str]:
    yield f"{HEAD}\n\n# {chapter.title}\n\n{chapter.about}\n"
    for argument in arguments(chapter):
        link = f"[`{argument.path}`](../../../dpsql/{argument.path})"
        yield f"## {argument.name}\n\n{link}\n\n{markdown(argument.text)}\n"
        for name, text in argument.parts:
            yield f"### `{name}`\n\n{markdown(text)}\n"


def index() -> str:
    """The Markdown of the table of contents."""
    lines = [
        f"{HEAD}\n",
        "# The argument for each rule",
        "",
        "Every rule that bounds what one unit can change has its argument beside the code that",
        "applies it, and tests that fail if the rule is off by one. These pages are those",
        "arguments, in the order in which a query meets them: for a reviewer who wants to check",
        "that nothing is missing between the text of a query and the noisy answer.",
        "",
        "*Claim* says what holds, *why* proves it, *source* says whose proof it is.",
        "",
        "| page | claims in |",
        "|---|---|",
    ]
    for chapter in CHAPTERS:
        names = [f"[{a.name}]({chapter.name}.md#{a.name})" for a in arguments(chapter) if a.claims]
        lines.append(f"| [{chapter.title}]({chapter.name}.md) | {', '.join(names)} |")
    lines += [
        "",
        "What all of it is to protect against, and what not, is in the",
        "[threat model](../threat-model.md). [MUTATIONS.md](../../../tests/MUTATIONS.md) lists",
        "what was broken on purpose, and which test noticed.",
        "",
    ]
    return "\n".join(lines)
