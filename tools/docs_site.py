"""What mkdocs is told beyond `mkdocs.yml`: the pages are written for readers of the repository.

- A file outside `docs/` that a page links to is in the site too, as `source/PATH`; so are the files
  that it links to. So every link of the repository is one of the site.
- Words after a code block's language are for the tests (`tools/markdown.py`) and are left out; so
  is the escape of a `|` in a table's code, which GitHub wants and mkdocs shows.
- Anchors are made as GitHub makes them.
- Colours come from a style sheet that is written here: nothing is loaded from anywhere else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_INFO = re.compile(r"^(```\w+)[ ].*$", re.MULTILINE)
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def links(text: str) -> Iterator[str]:
    """What the page links to inside of the repository, with anchors; not what its code shows."""
    for found in _LINK.finditer(_CODE.sub("", text)):
        if not found[0].startswith(("http:", "https:", "mailto:")):
            yield found[0]


def slug(words: str, separator: str = "-") -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", separator)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    found: dict[str, int] = {}
    for heading in _HEADING.findall(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        name = slug(re.sub(r"\[([^]]*)\]\([^)]*\)|[`*\\]", r"\1", heading))
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return set(found)


def linked(page: Path) -> Iterator[Path]:
    """The files that a page links to."""
    for link in links(page.read_text(encoding="utf-8")):
        if target := link.partition("#")[0]:
            yield (page.parent / target).resolve()


def outside() -> set[Path]:
    """The files outside `docs/` that belong to the site."""
    found: set[Path] = set()
    left = sorted(DOCS.rglob("*.md"))
    while left:
        for target in linked(left.pop()):
            if target not in found and target.is_file() and DOCS not in target.parents:
                found.add(target)
                if target.suffix == ".md":
                    left.append(target)
    return found


def place(file: Path) -> str:
    """Where a file of the repository is in the site."""
    inside = DOCS in file.parents
    return file.relative_to(DOCS).as_posix() if inside else f"source/{file.relative_to(ROOT)}"


def rewritten(text: str, file: Path) -> str:
    """A page's text as mkdocs reads it.

    Args:
        text: what is in the file.
        file: the page, in the repository.
    """
    folder = posixpath.dirname(place(file))

    def there(found: re.Match[str]) -> str:
        path, mark, anchor = found[0].partition("#")
        target = (file.parent / path).resolve()
        if not path or ":" in path or not target.is_file():
            return found[0]
        return posixpath.relpath(place(target), folder or ".") + mark + anchor

    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [_LINK.sub(there, text[end : code.start()]), _plain(code[0])]
        end = code.end()
    return "".join([*parts, _LINK.sub(there, text[end:])])


def _plain(code: str) -> str:
    """Code as Python's Markdown wants it: no words after a language, no escapes in a table."""
    return _INFO.sub(r"\1", code) if code.startswith("```") else code.replace(r"\|", "|")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Anchors as in the repository."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slug
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files from outside, and the colours."""
    from mkdocs.structure.files import File, InclusionLevel
    from pygments.formatters import HtmlFormatter

    for file in sorted(outside()):
        known = {"abs_src_path": str(file), "inclusion": InclusionLevel.NOT_IN_NAV}
        files.append(File.generated(config, place(file), **known))
    colours: Any = HtmlFormatter(style="default")
    style = colours.get_style_defs(".codehilite")
    files.append(File.generated(config, "colours.css", content=style))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links to where things are in the site."""
    return rewritten(markdown, Path(str(page.file.abs_src_path)).resolve())
