"""A real Chromium, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PLACES = ("chromium", "chromium-browser", "google-chrome")


def missing() -> str:
    """What keeps a browser from being there; "" for nothing."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return "" if _program() else "there is no Chromium"


@contextmanager
def chromium() -> Iterator[Browser]:
    """It, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as made:
        browser = made.chromium.launch(executable_path=_program(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def _program() -> str | None:
    found = (shutil.which(name) for name in PLACES)
    return next((path for path in found if path and Path(path).exists()), None)
