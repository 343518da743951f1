"""A host for commands that look: it keeps what they put out, and runs nothing."""

from __future__ import annotations

from typing import Any, cast

from dpsql.repl import commands
from dpsql.repl.command import Command
from dpsql.repl.settings import ShellSettings
from dpsql.repl.shell import Shell
from dpsql.report.result import Answer
from dpsql.session.database import Database


class Looker:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.settings = ShellSettings()
        self.query: str | None = None
        self.answer: Answer | None = None
        self.answered: str | None = None
        self.interactive = False
        self.prefill: str | None = None
        self.written: list[str] = []
        self.said: list[str] = []

    def write(self, text: str, whole: int = 0) -> None:
        self.written.append(text)

    def say(self, text: str) -> None:
        self.said.append(text)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a command that looks has no use for {name}")

    def __call__(self, line: str) -> str:
        """What a command puts out."""
        name, _, argument = line.partition(" ")
        self.written.clear()
        self.said.clear()
        command(name).run(cast(Shell, self), argument)
        return "\n".join(self.written)


def command(name: str) -> Command:
    return commands.COMMANDS[name]
