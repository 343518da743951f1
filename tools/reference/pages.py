"""Which pages there are, and what makes each of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tools.markdown import ROOT
from tools.reference import api, language, options, pictures, rules, shell

DOCS = ROOT / "docs"
_RULES = "explanation/rules"

PAGES: dict[str, Callable[[], str]] = {
    "reference/sql.md": language.page,
    "reference/api.md": api.api,
    "reference/dbapi.md": api.dbapi,
    "reference/models.md": api.models,
    "reference/options.md": options.page,
    "reference/repl.md": shell.page,
    "explanation.html": pictures.explanation,
    f"{_RULES}/README.md": rules.index,
    **{f"{_RULES}/{c.name}.md": partial(rules.page, c) for c in rules.CHAPTERS},
}
"""By their paths below `docs`."""


def write() -> None:
    """Every page, where it is not what it was."""
    for name, made in PAGES.items():
        file = DOCS / name
        text = made()
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
