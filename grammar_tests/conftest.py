"""Each case of each `*.sql` file here is one test: the verdict is compared exactly, and what is
accepted is proven twice, and run on drawn databases. `--update-golden` writes the verdicts and
CONTENTS.md anew; review the diff."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import grammar
from tests.support.checks import check_case
from tests.support.effort import sampled
from tests.support.second_proof import refusal
from tools import contents


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the verdicts anew")


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> GrammarFile | None:
    if file_path.suffix == ".sql" and file_path.parent == grammar.FOLDER:
        found: GrammarFile = GrammarFile.from_parent(parent, path=file_path)
        return found
    return None


def pytest_collection_finish(session: pytest.Session) -> None:
    """With --update-golden, write the verdicts of the cases that were selected, and no others."""
    if not session.config.getoption("--update-golden"):
        return
    selected = [item for item in session.items if isinstance(item, GrammarCase)]
    for path in dict.fromkeys(item.path for item in selected):
        found = {i.case.name: grammar.updated(i.case) for i in selected if i.path == path}
        grammar.write(path, tuple(found.get(c.name, c) for c in grammar.read(path)))
        for item in selected:
            item.case = found.get(item.case.name, item.case)
    contents.write()


class GrammarFile(pytest.File):
    def collect(self) -> Iterator[GrammarCase]:
        for case in grammar.read(self.path):
            yield GrammarCase.from_parent(self, name=case.name, case=case)


class GrammarCase(pytest.Item):
    def __init__(self, *, case: grammar.Case, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.case = case

    def runtest(self) -> None:
        found = "\n".join(grammar.verdict(self.case))
        assert found == "\n".join(self.case.golden), "run with --update-golden and review the diff"
        if grammar.accepted(self.case):
            assert refusal(grammar.compiled(self.case)) is None, "the checker does not follow"
            check_case(self.case, run=sampled(self.case.name, 5))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.case.name
