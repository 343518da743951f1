"""Pictures of the shell: what a terminal shows of a session, as SVG that loads nothing.

`python -m tools.reference` makes them anew; a test makes them again and compares all but the noise.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable
from html import unescape
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.text import Text

from dpsql import demo
from tests.repl.screen import Terminal
from tools.markdown import same

_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_LINE = re.compile(r'<text [^>]*x="([\d.]+)"[^>]*-line-(\d+)\)"[^>]*>(.*?)</text>')


def shell(show: Terminal) -> None:
    """An answer, what is rejected, and the verdict of what is typed."""
    show.until(lambda: "ε = 0.5 a query" in show.toolbar)
    show.send("SELECT channel, COUNT(*) AS orders FROM orders WHERE gift GROUP BY channel;")
    show.until(lambda: "✓ ε = 0.5" in show.toolbar)
    show.send("\r")
    show.until(lambda: show.toolbar.startswith(" ε = 9.5"))
    show.send("SELECT email FROM customers WHERE trust < 0.1;\r")
    show.until("  help: ")
    show.until(lambda: show.toolbar.startswith(" ε = 9.5"))
    show.send("SELECT segment, SUM(trust) AS trust FROM customers GROUP BY segment")
    show.until(lambda: "✓ ε = 0.5" in show.toolbar and "trust ±" in show.toolbar)


def why(show: Terminal) -> None:
    """Why a sensitivity is what it is, and the ε that an accuracy needs."""
    show.until(lambda: "ε = 0.5 a query" in show.toolbar)
    show.send("\\why SELECT channel, COUNT(*) AS orders FROM orders WHERE gift GROUP BY channel\r")
    show.until("channel one of")
    show.until(lambda: show.lines[show.screen.cursor.y] == "dpsql>")
    show.send("\\calibrate 5% size=1000\r")
    show.until("to choose it: ")
    show.until(lambda: show.toolbar.startswith(" ε = 10"))


PICTURES: dict[str, tuple[Callable[[Terminal], None], tuple[int, int]]] = {
    "shell.svg": (shell, (98, 28)),
    "why.svg": (why, (98, 28)),
}
"""By their files below `docs`: what is done, and the size of the terminal."""


def made(name: str) -> str:
    """The picture, from a session with the demo's data."""
    act, size = PICTURES[name]
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal("repl", home=Path(home), size=size)
        try:
            act(terminal)
            return svg(terminal)
        finally:
            terminal.kill()


def explanation() -> str:
    """An explanation as the page that notebooks show."""
    sql = "SELECT channel, COUNT(*) AS orders, AVG(rating) AS rating FROM orders GROUP BY channel"
    with demo.database() as db:
        return db.explain(sql, 0.5).to_html()


def svg(terminal: Terminal) -> str:
    """What the terminal shows."""
    screen = terminal.screen
    console = Console(record=True, width=screen.columns, file=io.StringIO(), legacy_windows=False)
    empty = False
    for row in range(screen.lines):
        if empty and not screen.display[row].strip():  # of many empty lines one is enough
            continue
        empty = not screen.display[row].strip()
        line = Text(end="")
        cells = (screen.buffer[row][column] for column in range(screen.columns))
        for style, run in groupby(cells, _style):
            line.append("".join(cell.data for cell in run), style)
        line.rstrip()
        console.print(line, no_wrap=True, crop=False)
    drawn = console.export_svg(title="dpsql repl", unique_id="dpsql")
    return _FONT.sub("", drawn).replace("Fira Code", "ui-monospace, Menlo, Consolas")


def _style(cell: object) -> Style:
    front = getattr(cell, "fg", "default")
    known = front.replace("bright", "bright_").replace("brown", "yellow")
    return Style(
        color=None if front == "default" else known if known.isidentifier() else f"#{front}",
        bold=getattr(cell, "bold", False),
        reverse=getattr(cell, "reverse", False),
        italic=getattr(cell, "italics", False),
    )


def text(drawn: str) -> str:
    """The words of a picture, in lines."""
    lines: dict[int, list[tuple[float, str]]] = {}
    for place, number, words in _LINE.findall(drawn):
        lines.setdefault(int(number), []).append((float(place), unescape(words)))
    return "\n".join(_joined(lines[number]) for number in sorted(lines))


def _joined(parts: list[tuple[float, str]]) -> str:
    return " ".join(words.replace("\xa0", " ").strip() for _, words in sorted(parts))


def same_but_noise(one: str, other: str) -> bool:
    """Whether two pictures show the same session."""
    return same(text(one), text(other), noisy=True)


def write(docs: Path) -> None:
    """Each picture that shows another session than there is now."""
    for name in PICTURES:
        file, now = docs / name, made(name)
        if not file.exists() or not same_but_noise(file.read_text(encoding="utf-8"), now):
            file.write_text(now, encoding="utf-8")
