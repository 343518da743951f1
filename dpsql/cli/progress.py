"""How far a long command is: a bar on stderr, where that is a terminal; nothing elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

Progress = Callable[[str, int, int], None]
"""Told of a stage, how much of it is done, and how much there is (0: not known)."""

OFTEN = 0.1
"""Seconds between two pictures of a bar."""

WIDTH = 30


@contextmanager
def bar() -> Iterator[Progress]:
    """What is to be told how far it is; drawn by rich where that is installed."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda *_: None
        return
    with (_rich if find_spec("rich") is not None else _plain)() as told:
        yield told


@contextmanager
def _rich() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars
    from rich.progress import TaskProgressColumn as Percent
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    times = (Percent(), Elapsed(), Remaining())
    bars = Bars(*columns, *times, console=console, transient=True)
    known = {}
    with bars:

        def told(stage: str, done: int, total: int) -> None:
            if stage not in known:
                known[stage] = bars.add_task(stage, total=total or None)
            bars.update(known[stage], completed=done)

        yield told


@contextmanager
def _plain() -> Iterator[Progress]:
    last, shown = 0.0, ""
    began: dict[str, float] = {}

    def told(stage: str, done: int, total: int) -> None:
        nonlocal last, shown
        begin = began.setdefault(stage, time.monotonic())
        if time.monotonic() - last < OFTEN:
            return
        last = time.monotonic()
        filled = WIDTH * done // total if total else 0
        drawn = f"[{'#' * filled}{'.' * (WIDTH - filled)}] " if total else ""
        text = f"{drawn}{stage} {done:,}" + (f" of {total:,}, {done / total:.0%}" if total else "")
        if 0 < done < total:
            left = int((last - begin) * (total - done) / done)
            text += f", {left // 60}:{left % 60:02} left"
        print(f"\r{text.ljust(len(shown))}", end="", file=sys.stderr, flush=True)
        shown = text

    try:
        yield told
    finally:
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)
