"""The code blocks of a Markdown file, run one after the other and compared with what they show.

    ```python           run in one namespace per file; a ```text block after it is what it prints
    ```ipython          the same as a notebook's cell; its last line is printed too
    ```console          lines that start with "$ " are run by bash, the others are what it prints;
                        dpsql by itself, with its exit code, or a part of what it prints, is called
                        here
    ```yaml file=NAME   written to NAME
    ```sql policy=NAME  explained; a ```text block after it is the error (see
                        dpsql/data/errors/), or else the explanation
    any other           only shown

The word `noisy` after the language says that numbers differ from run to run: then only their
places are compared, but for each `ε = ` and `δ = `. `python -m tools.markdown FILE…` writes what is
really printed into the files; without FILE into all of them. A picture that a page shows,
`![…](NAME.png)`, is made by its blocks; where it is missing, it is written beside the page, so
delete it to have it made anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import dpsql
from dpsql import demo
from dpsql.cli import main

ROOT = Path(dpsql.__file__).parents[1]
ERRORS = ROOT / "dpsql" / "data" / "errors"
"""A page for each code; in the package, so that `dpsql help` has them wherever it is installed."""
_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r'(.*?)(?:(; echo "exit \$\?")| \| (head|tail) -(\d+))?', re.DOTALL)
_PICTURE = re.compile(r"!\[[^]]*\]\(([\w-]+\.png)\)")
_NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_CHARGED = re.compile(rf"([εδ] = {_NUMBER})|{_NUMBER}")
"""Numbers; but what is charged is no noise."""


def files() -> list[str]:
    """README and all docs, by their paths from the root."""
    found = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ERRORS.glob("*.md"))]
    return ["README.md", *(str(path.relative_to(ROOT)) for path in found)]


@dataclass(frozen=True)
class Block:
    """A code block. `expected` is the block that shows what this one prints, if one does."""

    language: str
    words: tuple[str, ...]
    text: str
    start: int
    end: int
    line: int
    expected: Block | None = None

    @property
    def noisy(self) -> bool:
        return "noisy" in self.words

    def option(self, name: str) -> str | None:
        return next((w.partition("=")[2] for w in self.words if w.startswith(f"{name}=")), None)


@dataclass
class Session:
    """What the blocks of one file share."""

    folder: Path
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "example"})
    shell: Any = None

    def run(self, block: Block) -> str | None:
        """What the block prints; None where it is only shown."""
        if block.language == "python":
            return self._python(block)
        if block.language == "ipython":
            return self._ipython(block)
        if block.language == "console":
            return self._console(block)
        if block.language == "sql" and block.expected is not None:
            return self._explained(block)
        if block.language == "yaml" and (name := block.option("file")):
            (self.folder / name).write_text(block.text, encoding="utf-8")
        return None

    def _python(self, block: Block) -> str:
        printed = io.StringIO()
        code = compile("\n" * block.line + block.text, "<example>", "exec")
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            exec(code, self.namespace)
        return printed.getvalue()

    def _ipython(self, block: Block) -> str:
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            if self.shell is None:
                self.shell = _shell(self.folder, self.namespace)
            done = self.shell.run_cell(block.text)
        done.raise_error()
        return re.sub(r"^Out\[\d+\]: ?\n?", "", printed.getvalue(), flags=re.MULTILINE)

    def _console(self, block: Block) -> str:
        lines = ""
        for command in _commands(block.text):
            lines += "".join(f"{'$' if n == 0 else '>'} {c}\n" for n, c in enumerate(command))
            text = "\n".join(command)
            lines += self._bash(text) if (called := self._called(text)) is None else called
        return lines

    def _called(self, command: str) -> str | None:
        """What a call of dpsql prints, without a process of its own, which would take a second to
        start; None of other commands.
        """
        call, exit_code, part, number = _CALL.fullmatch(command).groups()  # type: ignore[union-attr]
        words = _plain(call)
        if words is None:
            return None
        printed, code = _called(words, self.folder)
        lines = printed.splitlines(keepends=True)
        if part:
            lines = lines[: int(number)] if part == "head" else lines[-int(number) :]
        return "".join(lines) + (f"exit {code}\n" if exit_code else "")

    def _bash(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=_environment(self.folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        return done.stdout

    def _explained(self, block: Block) -> str:
        name = block.option("policy")
        policy = dpsql.Policy.load(self.folder / name) if name else demo.policy()
        eps = float(block.option("eps") or 1)
        try:
            return f"{dpsql.explain(block.text.rstrip(), eps, policy=policy)}\n"
        except dpsql.Rejected as rejected:
            return f"{rejected}\n"


def blocks(text: str) -> Iterator[Block]:
    """The code blocks in order; a ```text block belongs to the one right before it."""
    found = [
        Block(m[1], tuple(m[2].split()), m[3], m.start(3), m.end(3), text.count("\n", 0, m.start()))
        for m in _BLOCK.finditer(text)
    ]
    for block, after in zip(found, [*found[1:], None], strict=False):
        if block.language == "text":
            continue
        between = text[block.end + 3 : after.start] if after is not None else ""
        if after is not None and after.language == "text" and between.count("\n") <= 3:
            yield Block(**{**vars(block), "expected": after})
        else:
            yield block


def pictures(text: str) -> list[str]:
    """The pictures that a page shows from its own folder."""
    return _PICTURE.findall(text)


def shown(block: Block) -> Block | None:
    """The block whose text is what this one prints."""
    return block if block.language == "console" else block.expected


def same(expected: str, actual: str, noisy: bool) -> bool:
    """Whether the two texts agree, up to numbers and the room they take if `noisy`."""
    return _masked(expected) == _masked(actual) if noisy else expected == actual


def _masked(text: str) -> str:
    text = re.sub(r"-{3,}", "---", _CHARGED.sub(lambda found: found[1] or "#", text))
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def _shell(folder: Path, namespace: dict[str, Any]) -> Any:
    """IPython without a terminal, a history or a profile of its own."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    settings = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    return InteractiveShell(
        config=settings, user_ns=namespace, ipython_dir=str(folder / ".ipython")
    )


def _commands(text: str) -> list[list[str]]:
    commands: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:]])
        elif line.startswith("> ") and commands:
            commands[-1].append(line[2:])
    return commands


def _plain(command: str) -> list[str] | None:
    """The words of a call of dpsql without anything of the shell's but quotes; None of others."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words = list(lexer)
    if (
        words[0] != "dpsql"
        or set(command) & set("$`")
        or any(set(w) <= set("();<>|&") for w in words)
    ):
        return None
    return words[1:]


def _called(words: list[str], folder: Path) -> tuple[str, int]:
    """What a command prints, and its exit code."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        patch.dict(os.environ, _environment(folder), clear=True),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
    return printed.buffer.getvalue().decode(), code  # type: ignore[attr-defined]


def _environment(folder: Path) -> dict[str, str]:
    """An environment whose `dpsql` is this one, without settings or a database of the user's."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    command = tools / "dpsql"
    # Not `python -m`, under which DuckDB draws a progress bar where something takes two seconds.
    script = "import sys\nfrom dpsql.cli import main\n\nsys.exit(main())\n"
    (tools / "main.py").write_text(script)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tools / "main.py"}" "$@"\n')
    command.chmod(0o755)
    named = ("DPSQL_DATABASE", "DPSQL_POLICY")
    kept = {k: v for k, v in os.environ.items() if k not in named}
    path = f"{tools}{os.pathsep}{kept.get('PATH', '')}"
    own = {"XDG_CONFIG_HOME": str(tools / "config"), "COLUMNS": "80"}  # not the user's settings
    return {**kept, **own, "PATH": path, "PYTHONPATH": str(ROOT)}


def updated(text: str, folder: Path) -> str:
    """The Markdown with what its blocks really print; noisy blocks stay where their shape is so."""
    session = Session(folder)
    changes: list[tuple[int, int, str]] = []
    for block in blocks(text):
        printed, place = session.run(block), shown(block)
        noisy = block.noisy or (place is not None and place.noisy)
        if printed is not None and place is not None and not same(place.text, printed, noisy):
            changes.append((place.start, place.end, printed))
    for start, end, printed in reversed(changes):
        text = text[:start] + printed + text[end:]
    return text


if __name__ == "__main__":
    for name in sys.argv[1:] or [str(ROOT / part) for part in files()]:
        file = Path(name)
        with tempfile.TemporaryDirectory() as scratch:
            page = updated(file.read_text(encoding="utf-8"), Path(scratch))
            file.write_text(page, encoding="utf-8")
            for picture in pictures(page):
                if not (file.parent / picture).exists():
                    shutil.copy(Path(scratch) / picture, file.parent / picture)
