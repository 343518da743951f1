r"""`\plot`: a picture of the answer, or of the noise to come, in a file."""

from __future__ import annotations

import io
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from dpsql.errors import DpsqlError, InvalidArgument
from dpsql.repl.command import Command, UsageError
from dpsql.repl.commands.explanations import explained, query_of
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell


ENDINGS = (".png", ".svg", ".pdf")

NOISE = "noise"
"""The word for a picture of the noise instead of the answer."""


def _plot(shell: Shell, argument: str) -> None:
    first, _, rest = argument.strip().rstrip("; ").partition(" ")
    name = (rest if first == NOISE else f"{first} {rest}").strip()
    ending = Path(name).suffix.lower() or ".png"
    if ending not in ENDINGS:
        better = one_line(Path(name).stem)
        raise UsageError(rf"a picture is a PNG, SVG or PDF file: \plot {better}.png")
    try:
        if first != NOISE and shell.answer is not None:
            figure = shell.answer.plot()
        else:
            figure = explained(shell, query_of(shell, "", r"\explain")).plot()
        content = io.BytesIO()
        figure.savefig(content, format=ending.removeprefix("."))
    except InvalidArgument as error:  # what has no picture
        raise UsageError(one_line(str(error))) from None
    except DpsqlError:
        raise
    except (ImportError, ValueError) as error:  # a missing extra
        raise UsageError(one_line(str(error))) from None
    shell.say(f"wrote {_write(name, content.getvalue())}")


def _write(name: str, content: bytes) -> Path:
    """Into that file, which is overwritten; without a name into a new one."""
    new = (Path(f"dpsql-plot{'' if n == 1 else f'-{n}'}.png") for n in count(1))
    try:
        if name:
            file = Path(name if Path(name).suffix else f"{name}.png").expanduser()
        else:
            file = next(one for one in new if not one.exists())
        file.write_bytes(content)
    except (OSError, ValueError, RuntimeError) as error:  # the last: ~ of a user who is not there
        problem = getattr(error, "strerror", None) or "no such file"
        place = one_line(name) or "a picture here"
        raise UsageError(f"cannot write {place}: {problem}") from None
    return file


SUMMARY = "a picture of the last answer, or of the noise of the last query, into a PNG, SVG or PDF"
COMMANDS = (Command(r"\plot [noise] [FILE]", SUMMARY, _plot, lambda _: (NOISE,)),)
