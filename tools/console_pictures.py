"""The pictures of the console in docs/pictures: `python -m tools.console_pictures` makes them anew.

Their numbers hold noise, so that no test compares them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from dpsql import demo
from tests.support.browsers import chromium
from tests.support.console import listening, served

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
VIEWS = (("360", 360, 1180, "light"), ("800", 800, 1060, "dark"), ("1280", 1280, 1010, "light"))
"""Of each picture its name, its width and height, and its colours."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), only="shop") as there,
        listening(there.app) as address,
        chromium() as browser,
    ):
        for name, width, height, colours in VIEWS:
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if colours == "dark" else "light",
            )
            page.goto(address)
            page.fill("input[name=token]", there.tokens["anna"])
            page.keyboard.press("Enter")
            page.locator(".cm-content").click()
            page.keyboard.insert_text(demo.QUERY)
            page.locator("#verdict[data-kind=accepted]").wait_for()
            page.keyboard.press("Control+Enter")
            page.locator("#state", has_text="answered").wait_for()
            page.locator("#eps").focus()
            page.wait_for_timeout(1000)
            page.screenshot(path=FOLDER / f"console-{name}.png")
            page.close()


if __name__ == "__main__":
    main()
