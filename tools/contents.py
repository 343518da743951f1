"""The table of contents of the language, `grammar_tests/CONTENTS.md`: what each file of cases is
about, which of them are accepted, and by which codes the others are rejected.

`python -m tools.contents` writes it; so does `pytest grammar_tests --update-golden`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dpsql.codes import CODES
from tests.support import grammar
from tests.support.grammar import Case, MalformedError

FILE = grammar.FOLDER / "CONTENTS.md"
HEAD = """\
# The language, case by case

Each file holds the cases of one construct, and each case is a test: its verdict is compared, and
what is accepted is run on drawn databases. *Accepted* is answered with noise, *exact* reads public
tables alone, *rejected* has the codes that are named. Written by `python -m tools.contents`.
"""
_CODE = re.compile(r"-- reject (DP\d+)")


def contents() -> str:
    """The whole text.

    Raises:
        MalformedError: a file has no line that says what it is about.
    """
    cases = {path.stem: grammar.read(path) for path in grammar.paths()}
    return "\n".join([HEAD, *_files(cases), "", *_names(cases), *_index(cases), ""])


def write() -> None:
    """The file, whole or not at all."""
    part = FILE.with_suffix(f".{id(FILE)}.part")
    part.write_text(contents(), encoding="utf-8")
    part.replace(FILE)


def _files(cases: dict[str, tuple[Case, ...]]) -> Iterator[str]:
    yield "| file | about | accepted | exact | rejected | codes |"
    yield "|---|---|--:|--:|--:|---|"
    totals = [0, 0, 0]
    for path in grammar.paths():
        words = grammar.about(path)
        if words is None:
            raise MalformedError(f"{path}:1: needs a line `# about: …`")
        found = cases[path.stem]
        counts = [sum(verdict_of(c) == v for c in found) for v in ("accept", "exact", "reject")]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        numbers = " | ".join(str(count or "") for count in counts)
        codes = " ".join(sorted({code for case in found for code in codes_of(case)}))
        about = words.replace("|", "\\|").replace("*", "\\*")
        yield f"| [{path.stem}](#{path.stem}) | {about} | {numbers} | {codes} |"
    yield f"| | | {' | '.join(map(str, totals))} | |"


def _names(cases: dict[str, tuple[Case, ...]]) -> Iterator[str]:
    """Each file's cases by verdict, without the file's name before them."""
    for stem, found in cases.items():
        yield f"## {stem}\n\n[{stem}.sql]({stem}.sql)\n"
        for verdict, word in (("accept", "accepted"), ("exact", "exact")):
            names = [case.name for case in found if verdict_of(case) == verdict]
            if names:
                yield f"- {word}: {_list(names, stem)}"
        for code in sorted({code for case in found for code in codes_of(case)}):
            names = [case.name for case in found if code in codes_of(case)]
            yield f"- {code}: {_list(names, stem)}"
        yield ""


def _index(cases: dict[str, tuple[Case, ...]]) -> Iterator[str]:
    yield "## By code\n\n| code | meaning | cases | where |\n|---|---|--:|---|"
    for code, meaning in CODES.items():
        found = [case for part in cases.values() for case in part if code in codes_of(case)]
        page = f"[{code}](../dpsql/data/errors/{code}.md)"
        yield f"| {page} | {meaning} | {len(found)} | {_list(case.name for case in found)} |"


def verdict_of(case: Case) -> str:
    """`accept`, `exact` or `reject`; empty where the file has none yet."""
    return case.golden[0].split()[1] if case.golden else ""


def codes_of(case: Case) -> list[str]:
    """The codes of a case's problems."""
    return [found[1] for line in case.golden if (found := _CODE.match(line))]


def _list(names: Iterable[str], stem: str = "") -> str:
    return ", ".join(name.removeprefix(f"{stem}/") for name in names)


if __name__ == "__main__":
    write()
