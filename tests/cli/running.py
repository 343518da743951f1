"""The command line, run in this process."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

import pytest

from dpsql.cli import main

QUERY = "SELECT channel, COUNT(*) AS n, AVG(shipping) AS mean FROM orders GROUP BY channel"


DATA = ["shop.duckdb", "--policy", "shop.yaml"]


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Runner:
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *words: str, stdin: str = "") -> Ran:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        assert "\x1b" not in out + err
        return Ran(code, out, err)
