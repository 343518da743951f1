"""The keys of the prompt: Enter ends a line or runs, Alt-Enter and F5 run, F4 changes the mode."""

from __future__ import annotations

from collections.abc import Callable

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
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

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
