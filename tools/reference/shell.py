r"""The commands and the settings of `dpsql repl`, from their registry and their dataclass."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields

from dpsql.repl.commands import ALIASES, COMMANDS
from dpsql.repl.settings import ShellSettings
from tools.markdown import ROOT

FILE = ROOT / "docs" / "reference" / "repl.md"
_PART = re.compile(
    r"(<!-- (\w+): written by python -m tools.reference -->\n).*?(?=<!-- end -->)", re.DOTALL
)


def page() -> str:
    """The page with its tables written anew; the rest of it is written by hand."""
    tables = {"commands": _commands, "settings": _settings}
    text = FILE.read_text(encoding="utf-8")
    return _PART.sub(lambda m: "\n".join([m[1], *tables[m[2]](), "", ""]), text)


def _commands() -> Iterator[str]:
    yield "| command | what it does |\n|---|---|"
    for command in COMMANDS.values():
        usage = command.usage.replace("|", "\\|")
        yield f"| `{usage}` | {command.summary} |"
    others = ", ".join(f"`{alias}` is `{name}`" for alias, name in ALIASES.items())
    yield f"\n{others}."


def _settings() -> Iterator[str]:
    words: dict[str, str] = {}
    for line in (
        inspect.cleandoc(ShellSettings.__doc__ or "").partition("Attributes:\n")[2].splitlines()
    ):
        if found := re.match(r" {4}([\w, ]+): (.*)", line):
            words |= dict.fromkeys(found[1].split(", "), found[2])
    yield "| key | usual value | what it is |\n|---|---|---|"
    for known in fields(ShellSettings):
        usual = known.default
        shown = str(usual).lower() if isinstance(usual, bool) else f"{usual}"
        text = words[known.name].replace("|", "\\|").removesuffix(".")
        yield f"| `{known.name}` | {'' if usual is None else f'`{shown}`'} | {text} |"
