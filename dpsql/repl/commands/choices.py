r"""What holds for the next query: `\eps`, `\delta`, `\clipping`, `\noise`, `\format`, …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, get_args

from dpsql.core.calibrate.options import Clipping, Noise
from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.settings import exact_delta, exact_eps
from dpsql.report.result.formats import FORMATS

USUAL = "auto"
r"""What `\delta` is called where the policy says it."""


def _eps(host: Host, text: str) -> None:
    if text:
        host.settings = replace(host.settings, eps=exact_eps(text))
    host.say(f"ε = {host.settings.eps} for each query")


def _delta(host: Host, text: str) -> None:
    if text:
        host.settings = replace(host.settings, delta=None if text == USUAL else exact_delta(text))
    delta = host.settings.delta
    usual = "that part of the policy's which ε is of its ε"
    host.say(f"δ = {usual if delta is None else delta} for each query that needs one")


def _one_of(key: str, allowed: Sequence[str], says: str) -> Callable[[Host, str], None]:
    """A command that sets a setting to one of several words, or says which it is."""

    def run(host: Host, text: str) -> None:
        if text:
            _choose(host, key, _chosen(text.lower(), allowed))
        host.say(f"{says}: {getattr(host.settings, key)}")

    return run


def _switch(key: str, says: str) -> Callable[[Host, str], None]:
    """A command that turns something on or off; without a word, the other way round."""

    def run(host: Host, text: str) -> None:
        now = getattr(host.settings, key)
        _choose(host, key, _chosen(text.lower(), ("on", "off")) == "on" if text else not now)
        host.say(f"{says}: {'on' if getattr(host.settings, key) else 'off'}")

    return run


def _choose(host: Host, key: str, value: Any) -> None:
    host.settings = replace(host.settings, **{key: value})


def _chosen(text: str, allowed: Sequence[str]) -> str:
    if text not in allowed:
        raise UsageError(f"{text!r} is not one of {', '.join(allowed)}")
    return text


def _words(*words: str) -> Callable[[Host], Sequence[str]]:
    return lambda _: words


_CLIPPING, _NOISE, _FORMATS = get_args(Clipping), get_args(Noise), tuple(FORMATS)

COMMANDS: tuple[Command, ...] = (
    Command("\\eps", "\\eps [E]", "the ε of each query", _eps, alone=True),
    Command(
        *("\\delta", f"\\delta [D|{USUAL}]", "the δ of each query", _delta),
        words=_words(USUAL),
        alone=True,
    ),
    Command(
        *("\\clipping", f"\\clipping [{'|'.join(_CLIPPING)}]", "how sums are clipped"),
        _one_of("clipping", _CLIPPING, "clipping"),
        words=_words(*_CLIPPING),
        alone=True,
    ),
    Command(
        *("\\noise", f"\\noise [{'|'.join(_NOISE)}]", "the noise of counts and sums"),
        _one_of("noise", _NOISE, "noise"),
        words=_words(*_NOISE),
        alone=True,
    ),
    Command(
        *("\\format", f"\\format [{'|'.join(_FORMATS)}]", "how answers are written"),
        _one_of("format", _FORMATS, "format"),
        words=_words(*_FORMATS),
        alone=True,
    ),
    Command(
        *("\\intervals", "\\intervals [on|off]", "half-widths in csv and markdown too"),
        _switch("intervals", "intervals in csv and markdown"),
        words=_words("on", "off"),
        alone=True,
    ),
    Command(
        *("\\timing", "\\timing [on|off]", "how long each query took"),
        _switch("timing", "timing"),
        words=_words("on", "off"),
        alone=True,
    ),
    Command(
        *("\\confirm", "\\confirm [on|off]", "ask before each charge, on a terminal"),
        _switch("confirm", "ask before each charge"),
        words=_words("on", "off"),
        alone=True,
    ),
)
