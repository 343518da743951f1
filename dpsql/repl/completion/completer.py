"""Completion for prompt_toolkit."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from dpsql.repl.commands import COMMANDS
from dpsql.repl.completion.backslash import stretch, takes
from dpsql.repl.completion.suggest import proposals
from dpsql.repl.shell import Shell


class ShellCompleter(Completer):
    """What can come at the cursor of a shell's prompt."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._files = PathCompleter(expanduser=True)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """See `proposals`; for a command that takes a file, the files that there are."""
        text, cursor = document.text, document.cursor_position
        dialect = self._shell.settings.dialect
        found = stretch(text, cursor, dialect)
        if found.command and takes("FILE", text, found.start, COMMANDS):
            name = text[found.start : cursor].partition(" ")[2].lstrip()
            yield from self._files.get_completions(Document(name), complete_event)
            return
        database = self._shell.opening.ready
        schema = None if database is None else database.schema
        offered = proposals(text, cursor, schema, COMMANDS, lambda c: c.words(self._shell), dialect)
        if complete_event.text_inserted and all(c.spoken and c.start == cursor for c in offered):
            return  # nothing was typed of a word yet: no menu that nobody asked for
        for one in offered:
            yield Completion(
                one.text, one.start - cursor, display=one.display, display_meta=one.meta
            )
