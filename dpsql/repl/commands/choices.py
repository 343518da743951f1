r"""What holds for the next query: `\eps`, `\delta`, `\clipping`, `\noise`, `\format`, …"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpsql.repl.command import Command, UsageError
from dpsql.repl.settings import ALLOWED, exact_delta, exact_eps

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell

USUAL = "auto"
r"""What `\delta` is called where the policy says it."""

SWITCH = ("on", "off")


def _eps(shell: Shell, text: str) -> None:
    if text:
        shell.settings = replace(shell.settings, eps=exact_eps(text))
    shell.say(f"ε = {shell.settings.eps} for each query")


def _delta(shell: Shell, text: str) -> None:
    if text:
        delta = None if text == USUAL else exact_delta(text)
        shell.settings = replace(shell.settings, delta=delta)
    usual = "that part of the policy's which ε is of its ε"
    shell.say(f"δ = {shell.settings.delta or usual} for each query that needs one")


def _choice(key: str, summary: str, says: str, allowed: Sequence[str] = SWITCH) -> Command:
    """A command that sets a setting to one of several words, or says which it is; a switch without
    a word is turned the other way round.
    """

    def run(shell: Shell, text: str) -> None:
        word, now = text.lower(), getattr(shell.settings, key)
        if word and word not in allowed:
            raise UsageError(f"{word!r} is not one of {', '.join(allowed)}")
        value: Any = word or now
        if allowed is SWITCH:
            value = word == "on" if word else not now
        shell.settings = replace(shell.settings, **{key: value})
        shell.say(f"{says}: {value if allowed is not SWITCH else 'on' if value else 'off'}")

    usage = f"\\{key} [{'|'.join(allowed)}]"
    return Command(usage, summary, run, lambda _: allowed, alone=True)


COMMANDS = (
    Command("\\eps [E]", "the ε of each query", _eps, alone=True),
    Command(f"\\delta [D|{USUAL}]", "the δ of each query", _delta, lambda _: (USUAL,), alone=True),
    _choice("clipping", "how sums are clipped", "clipping", ALLOWED["clipping"]),
    _choice("noise", "the noise of counts and sums", "noise", ALLOWED["noise"]),
    _choice("format", "how answers are written", "format", ALLOWED["format"]),
    _choice("intervals", "ends in csv, half-widths in markdown", "intervals in csv and markdown"),
    _choice("timing", "how long each query took", "timing"),
    _choice("confirm", "ask before each charge, on a terminal", "ask before each charge"),
)
