"""The line below the prompt: the verdict of the query or the command at the cursor, cut to the
terminal's width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from prompt_toolkit.document import Document
from prompt_toolkit.utils import get_cwidth

from dpsql.errors import DpsqlError
from dpsql.repl.command import UsageError
from dpsql.repl.commands import ALIASES, COMMANDS
from dpsql.repl.completion.backslash import query_argument, stretch
from dpsql.repl.settings import ShellSettings
from dpsql.repl.shell import Shell
from dpsql.repl.splitting import split
from dpsql.repl.verdict import Verdict, chosen, together, verdict
from dpsql.repl.watcher import Watcher
from dpsql.visible import one_line

Part = tuple[str, str]
"""A style class and a text, as prompt_toolkit has them."""


SEPARATOR = "  │  "
LEAST = 12
"""Cells that are worth a phrase that is cut."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of the line.

    Attributes:
        style: the class of its colours.
        text: what it says.
        weight: those of the least weight go first where the terminal is narrow.
        words: whether it says something without its end.
    """

    style: str
    text: str
    weight: int
    words: bool = False


def phrases(verdict: Verdict, eps: str) -> list[Phrase]:
    """What a verdict says, in order.

    Args:
        verdict: of the query so far.
        eps: the ε of the settings, for who has typed nothing yet.
    """
    match verdict.kind:
        case "idle":
            found = [Phrase("", verdict.left, 3, True), Phrase("", f"ε = {eps} a query", 2)]
            found.append(Phrase("dim", "\\help", 1))
        case "unfinished":
            found = [Phrase("dim", "…", 3)]
        case "public":
            found = [Phrase("good", "✓ public", 3), Phrase("", "exact and free", 2)]
        case "stored":
            found = [Phrase("good", "✓ stored, free", 3)]
            found.append(Phrase("", "the answer that was paid for, again", 2, True))
        case "accepted":
            found = [Phrase("good", f"✓ {verdict.cost}", 5), Phrase("", verdict.width, 4)]
            found += [Phrase("", verdict.left, 3), Phrase("", verdict.more, 2)]
        case "too little":
            found = [Phrase("bad", f"✗ costs {verdict.cost}", 4)]
            why = verdict.message or f"only {verdict.left}"
            found.append(Phrase("", why, 3, bool(verdict.message)))
        case "rejected":
            found = [Phrase("bad", f"✗ {verdict.code}", 4), Phrase("", verdict.message, 3, True)]
            found.append(Phrase("dim", verdict.help, 2, True))
        case _:
            found = [Phrase("dim", verdict.message, 3, True)]
    every = Phrase("", verdict.together, 6)
    return [phrase for phrase in (every, *found) if phrase.text]


def fitting(found: Sequence[Phrase], width: int) -> list[Part]:
    """The phrases that fit, heavy ones first, in their order; the last is cut if it is of words.

    Args:
        found: what there is to say.
        width: of the terminal, in cells.
    """
    kept = list(found)
    while kept and _cells(kept) > width:
        lightest = min(kept, key=lambda phrase: phrase.weight)
        room = width - _cells([p for p in kept if p is not lightest]) - get_cwidth(SEPARATOR)
        at = kept.index(lightest)
        if len(kept) > 1 and not (lightest.words and room >= LEAST):
            del kept[at]
            continue
        room = width - 2 if len(kept) == 1 else room
        kept[at] = replace(lightest, text=cut(lightest.text, room))
        break
    parts: list[Part] = []
    for number, one in enumerate(kept):
        parts.append(("class:toolbar", SEPARATOR if number else " "))
        parts.append((f"class:toolbar.{one.style}" if one.style else "class:toolbar", one.text))
    return parts


def _cells(found: Sequence[Phrase]) -> int:
    return 2 + sum(get_cwidth(p.text) for p in found) + get_cwidth(SEPARATOR) * (len(found) - 1)


def cut(text: str, width: int) -> str:
    """As much of a text as has `width` cells."""
    if get_cwidth(text) <= width:
        return text
    ends = accumulate(get_cwidth(character) for character in text)
    return text[: sum(end < width for end in ends)] + "…" if width > 0 else ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a verdict is asked for; see `verdict`. `every` is what is asked together with it, and
    `first` are the settings before all of that.
    """

    text: str
    cursor: int | None
    settings: ShellSettings
    every: str = ""
    first: ShellSettings | None = None


class Below:
    """The line below the prompt. It never waits, and never reads a row."""

    def __init__(self, shell: Shell, redraw: Callable[[], None]) -> None:
        """Begin.

        Args:
            shell: whose database and settings count.
            redraw: called from another thread when there is more to show.
        """
        self._shell = shell
        self._watcher: Watcher[Asked, Verdict] = Watcher(self._judge, redraw)
        self._last: Verdict | None = None

    def parts(self, document: Document, width: int) -> list[Part]:
        """What to show now.

        Args:
            document: what is typed, and where the cursor is.
            width: of the terminal, in cells.
        """
        found = at_cursor(document.text, document.cursor_position, self._shell.settings)
        said = found if isinstance(found, list) else self._verdict(found)
        mode = self._shell.settings.editing
        return fitting([*said, Phrase("dim", f"{mode} (F4)", 0)] if said else said, width)

    def forget(self) -> None:
        """The ledger may have changed."""
        self._watcher.forget()

    def close(self) -> None:
        """Look at nothing more."""
        self._watcher.close()

    def _verdict(self, question: Asked) -> list[Phrase]:
        opening = self._shell.opening
        reply = self._watcher.ask(question)
        if reply is None and opening.ready is None:
            if opening.failure is not None:
                return [Phrase("bad", one_line(str(opening.failure)), 1, True)]
            return [Phrase("dim", one_line(f"opening {opening.which} …"), 1, True)]
        self._last = reply or self._last  # until the new one is there
        return [] if self._last is None else phrases(self._last, str(question.settings.eps))

    def _judge(self, question: Asked) -> Verdict:
        try:
            database = self._shell.opening.wait()
        except Exception:
            return Verdict("unknown")
        found = verdict(database, question.text, question.settings, question.cursor)
        if question.first is None:
            return found
        return replace(found, together=together(database, question.every, question.first))


def at_cursor(text: str, cursor: int, settings: ShellSettings) -> Asked | list[Phrase]:
    """The query at the cursor; or what there is to say of a command."""
    found = stretch(text, cursor, settings.dialect)
    if found.start and not found.command and not text[found.start : found.end].strip():
        found = stretch(text, found.start - 1, settings.dialect)  # the one that has just ended
    start = found.start
    if found.command:
        name = text[start : found.end].partition(" ")[0].lower()
        command = COMMANDS.get(ALIASES.get(name, name))
        query = query_argument(text[: found.end], start, COMMANDS)
        if query is None:
            if command is None:
                return [Phrase("dim", "…", 1)]
            return [Phrase("", command.usage, 2), Phrase("dim", command.summary, 1, True)]
        start = query
    own = text[start : found.end]
    begin = start + len(own) - len(own.lstrip())
    done = text[found.end : found.end + 1] == ";" or not begin <= cursor <= found.end
    written = own.strip()
    behind = min(cursor - begin, len(written) + 1)
    asked = Asked(written, None if done else behind, settings)
    queries = 0
    try:
        for each in split(text, settings.dialect):
            if each.start < found.start and each.command:  # it holds for the query at the cursor
                asked = replace(asked, settings=chosen(each, asked.settings) or asked.settings)
            queries += not each.command
    except (DpsqlError, UsageError):  # a run would stop there
        return asked
    return replace(asked, every=text, first=settings) if queries > 1 else asked
