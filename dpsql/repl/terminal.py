"""The shell with a person: a prompt that completes, colours and remembers, and shows what a query
would cost before it is run. Enter ends a line or runs, Alt-Enter and F5 run, F4 changes the mode.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.application import get_app
from prompt_toolkit.enums import DEFAULT_BUFFER, EditingMode
from prompt_toolkit.filters import (
    Condition,
    completion_is_selected,
    emacs_mode,
    has_focus,
    is_searching,
    vi_insert_mode,
    vi_navigation_mode,
)
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth

from dpsql.repl import highlighting, output, splitting, telling
from dpsql.repl.completion.completer import ShellCompleter
from dpsql.repl.history import history
from dpsql.repl.pending import Opening
from dpsql.repl.settings import Editing, history_file
from dpsql.repl.shell import Shell
from dpsql.repl.toolbar import Below
from dpsql.visible import one_line

try:
    import termios
except ImportError:  # on Windows
    termios = None  # type: ignore[assignment]

MODES: dict[str, EditingMode] = {"emacs": EditingMode.EMACS, "vi": EditingMode.VI}


def _several() -> bool:
    """Whether a menu is there to choose from, so that Enter chooses."""
    state = get_app().current_buffer.complete_state
    return state is not None and len(state.completions) > 1


def bindings(complete: Callable[[str], bool], changed: Callable[[str], None]) -> KeyBindings:
    """The keys that are not prompt_toolkit's own.

    Args:
        complete: whether Enter runs a text.
        changed: is told of a new mode, "emacs" or "vi".
    """
    keys = KeyBindings()
    typing = has_focus(DEFAULT_BUFFER) & ~is_searching

    @keys.add("enter", filter=typing & (emacs_mode | vi_insert_mode | vi_navigation_mode))
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=True)

    @keys.add("enter", filter=typing & completion_is_selected & Condition(_several))
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None  # what was chosen is there already

    @keys.add("escape", "enter", filter=typing & emacs_mode)  # in vi, Escape has its own meaning
    @keys.add("f5", filter=typing)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("f4")
    def _(event: KeyPressEvent) -> None:
        emacs = event.app.editing_mode is EditingMode.EMACS
        event.app.editing_mode = EditingMode.VI if emacs else EditingMode.EMACS
        changed("vi" if emacs else "emacs")

    return keys


PROMPT = "dpsql> "
"""What stands before a statement."""

GREETING = r"\help lists the commands; queries end with ;  Ctrl-D leaves"


def interact(shell: Shell) -> int:
    """Read statements from the terminal and run them, until the person leaves.

    Args:
        shell: its database may be opening still; it is not closed.

    Returns:
        0; why a session could not go on is in `shell.failure`.
    """
    color = highlighting.has_color(shell.settings.color)
    if color:
        shell.output.paint = output.paint
    shell.ask = confirmed
    session, below = _session(shell, color)
    print_formatted_text(f"dpsql on {one_line(shell.opening.which)}\n{GREETING}")
    try:
        while _once(shell, session):
            below.forget()
    finally:
        below.close()
    return 0


def _once(shell: Shell, session: PromptSession[str]) -> bool:
    """One prompt, and what it asks for; False where the session ends."""
    before, shell.prefill = shell.prefill or "", None
    session.editing_mode = MODES[shell.settings.editing]
    try:
        text = session.prompt(default=before, pre_run=lambda: _watch(shell.opening))
    except KeyboardInterrupt:
        return True
    except EOFError:
        text = ""
        if shell.opening.failure is None:
            return False
    if shell.opening.failure is not None:
        shell.failure = shell.opening.failure
        shell.output.complain(telling.failure(shell.failure, None, "", "").words)
        return False
    return shell.execute_text(text) if text.strip() else True


def _watch(opening: Opening) -> None:
    """Tell the prompt when the database is open; end it where that cannot be."""
    app = get_app()

    async def watch() -> None:
        while opening.ready is None and opening.failure is None:
            await asyncio.sleep(0.05)
        if opening.failure is not None:
            app.exit(exception=EOFError())
        app.invalidate()

    if opening.ready is None:
        app.create_background_task(watch())


def _session(shell: Shell, color: bool) -> tuple[PromptSession[str], Below]:
    kept, problem = history(history_file() if shell.settings.history else None)
    if problem:
        shell.say(problem)

    def redraw() -> None:
        with suppress(RuntimeError):  # the prompt has just ended
            session.app.invalidate()

    below = Below(shell, redraw)

    def toolbar() -> StyleAndTextTuples:
        width = get_app().output.get_size().columns
        return list(below.parts(session.default_buffer.document, width))

    def changed(mode: str) -> None:
        shell.settings = replace(shell.settings, editing=cast(Editing, mode))

    def complete(text: str) -> bool:
        return splitting.complete(text, shell.settings.dialect)

    session: PromptSession[str] = PromptSession(
        [("class:prompt", PROMPT)],
        multiline=True,
        prompt_continuation=lambda width, _, wrapped: [
            # A line that is too long is only indented.
            ("class:continuation", f"{'' if wrapped else '-> ':>{width}}")
        ],
        lexer=highlighting.SqlLexer(lambda: shell.settings.dialect) if color else None,
        completer=ShellCompleter(shell),
        complete_while_typing=True,
        search_ignore_case=True,
        history=kept,
        key_bindings=bindings(complete, changed),
        bottom_toolbar=toolbar if shell.settings.toolbar else None,
        style=highlighting.style(color=color, light=highlighting.is_light()),
        include_default_pygments_style=False,
        color_depth=None if color else ColorDepth.DEPTH_1_BIT,
        enable_open_in_editor=True,
        tempfile_suffix=".sql",
        enable_suspend=True,
    )
    return session, below


def confirmed(question: str) -> bool:
    """Whether the person says yes; anything else is no. What was typed or pasted before the
    question could be read is no answer to it.
    """
    with suppress(EOFError, KeyboardInterrupt):
        session: PromptSession[str] = PromptSession()
        clear_typeahead(session.input)
        _forget_typed(session.input)
        said: str = session.prompt(f"{question} [y/N] ")
        return said.strip().lower() in ("y", "yes")
    return False


def _forget_typed(there: Input) -> None:
    """Forget what the terminal has and nobody has read."""
    if termios is not None:
        with suppress(termios.error):  # no terminal
            termios.tcflush(there.fileno(), termios.TCIFLUSH)
        return
    console: Any = importlib.import_module("msvcrt")
    while console.kbhit():
        console.getwch()
