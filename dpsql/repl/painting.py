"""Colours of what is put out on a terminal. The text itself stays the same."""

from __future__ import annotations

from dpsql.repl.output import Role

MAX_CHARACTERS = 200_000
"""Longer texts have no colours: finding them would take longer than reading."""

_STYLES: dict[Role, tuple[tuple[str, str], ...]] = {
    "answer": (
        (r" ± [\d.,]+", "dim"),
        (r"(?m)^[- ]*--[- ]*$", "dim"),
        (r"(?m)^\(.*\)$", "dim"),
        (r"\bNULL\b", "dim"),
    ),
    "remark": ((r"(?s).+", "dim"),),
    "error": (
        (r"(?m)^(?:\S+: )?DP\d{3}:", "bold red"),
        (r"(?m)^  \| +\^+$", "red"),
        (r"(?m)^  help: .*$", "green"),
        (r"(?m)^  line \d+, column \d+$", "dim"),
    ),
}


def paint(role: Role, text: str) -> str:
    """A text with colours, for a terminal that has them."""
    if len(text) > MAX_CHARACTERS or "\t" in text:
        return text
    from rich.console import Console  # not before the first prompt, which is to come soon
    from rich.text import Text

    painted = Text(text)
    for pattern, style in _STYLES[role]:
        painted.highlight_regex(pattern, style)
    console = Console(force_terminal=True, color_system="standard", legacy_windows=False)
    with console.capture() as captured:
        console.print(painted, end="", soft_wrap=True)
    return captured.get()
