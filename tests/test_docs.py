"""The docs as a whole: every link leads somewhere, pages written by a program are what it writes,
and the site is built without a warning and loads nothing from anywhere else.
"""

from __future__ import annotations

import logging
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from tests.support.effort import chosen
from tools import docs_site
from tools.markdown import ROOT, files
from tools.reference import language, pictures, rules
from tools.reference.pages import DOCS, PAGES
from tools.reference.prose import markdown

FILES = [*files(), "CONTRIBUTING.md", "SECURITY.md", "grammar_tests/CONTENTS.md"]


@pytest.mark.parametrize("name", FILES)
def test_links(name: str) -> None:
    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    for link in docs_site.links(text):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name} links to {link}"
        assert ROOT in target.parents, f"{name} links to {link}"
        if anchor:
            there = docs_site.anchors(target.read_text(encoding="utf-8"))
            assert anchor in there, f"{name} links to {link}; there are {sorted(there)}"


def test_no_merge_was_left_half_done() -> None:
    """Pages that nothing runs are read by people alone."""
    for folder in ("docs", "dpsql", "grammar_tests", "tests", "examples"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".md", ".sql", ".yaml", ".py", ".ipynb", ".jsonl"):
                left = re.search(r"^(<{7}|>{7}) ", path.read_text(encoding="utf-8"), re.MULTILINE)
                assert left is None, path


def test_a_link_that_leads_nowhere_is_found() -> None:
    text = "[a](b.md#c) `[no](d.md)` [e](https://f.example)\n```text\n[no](g.md)\n```\n![h](i.png)"
    assert list(docs_site.links(text)) == ["b.md#c", "i.png"]
    page = "# A b: `c_d`\n```sh\n# no\n```\n## A\n## A"
    assert docs_site.anchors(page) == {"a-b-c_d", "a", "a-1"}


@pytest.mark.parametrize(("name", "least"), [("threat-model", 30), ("nist-sp-800-226", 25)])
def test_tests_that_are_named_are_there(name: str, least: int) -> None:
    page = DOCS / "explanation" / f"{name}.md"
    named = re.findall(r"\[`(test_\w+)`\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert len(named) > least
    for test, path in named:
        text = (page.parent / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {test}\(", text, re.MULTILINE), f"{path} has no {test}"


def test_each_row_of_the_threat_model_names_a_test() -> None:
    """Or a line, where what is said is what is not noticed."""
    page = (DOCS / "explanation" / "threat-model.md").read_text(encoding="utf-8")
    promised = page.partition("## What is promised")[2].partition("## What is not protected")[0]
    rows = re.findall(r"^\|(?!---)(.+)\|$", promised, re.MULTILINE)
    last = [row.split(" | ")[-1].strip(" |") for row in rows]
    assert len(last) > 40
    assert all(cell in ("test", "–") or "](../../tests/" in cell for cell in last)


@pytest.mark.parametrize("name", PAGES)
def test_a_written_page_is_up_to_date(name: str) -> None:
    there = (DOCS / name).read_text(encoding="utf-8")
    assert there == PAGES[name](), "run python -m tools.reference"


@pytest.mark.parametrize("name", chosen(pictures.PICTURES, "shell.svg"))
def test_a_picture_of_the_shell_is_what_the_shell_shows(name: str) -> None:
    there = (DOCS / name).read_text(encoding="utf-8")
    assert len(there) < 30_000 and "url(" not in there.replace("url(#", "")
    assert pictures.same_but_noise(there, pictures.made(name)), "run python -m tools.reference"


def test_tables_are_tables() -> None:
    """None stands in a block of code, where a reader would see its bars."""
    for name in FILES:
        for block in re.findall(r"^```text.*?^```$", (ROOT / name).read_text("utf-8"), re.M | re.S):
            assert "\n|---" not in block, name


def test_the_readme_of_a_package_has_no_link_that_breaks() -> None:
    """An index shows it without the repository: pyproject.toml leaves the words of such links."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        hook = tomllib.load(stream)["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    assert hook["fragments"] == [{"path": "README.md"}]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](docs/" in text and "![" in text
    for one in hook["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    assert list(docs_site.links(text)) == [] and "![" not in text
    assert "[in one page]" not in text and "in one page" in text


def test_every_function_and_every_claim_is_in_a_page() -> None:
    assert language.unlisted() == set()
    parts = {folder for chapter in rules.CHAPTERS for folder in chapter.folders}
    pages = "".join(PAGES[f"explanation/rules/{c.name}.md"]() for c in rules.CHAPTERS)
    for file in (ROOT / "dpsql").rglob("*.py"):
        path = file.relative_to(ROOT / "dpsql").as_posix()
        if re.search(r"^(Claims?|Why|Theorem \w)\b[.:, ]", file.read_text("utf-8"), re.MULTILINE):
            known = any(path == part or path.startswith(f"{part}/") for part in parts)
            assert known, f"{path} has a claim, and is in no page"
            assert f"(../../../dpsql/{path})" in pages, path


def test_docstrings_as_markdown() -> None:
    text = "A *b* of `c*d`, e * f.\nWhy: g_h < _i.\n\n    j   k\n\n- l\n  m\n- n\n\no    p"
    assert markdown(text) == (
        "A *b* of `c*d`, e \\* f.\n\n**Why**: g_h < \\_i.\n\n```text\nj   k\n```\n\n"
        "- l\n  m\n- n\n\n```text\no    p\n```"
    )


# --- the site ------------------------------------------------------------------------------------


class Loads(HTMLParser):
    """What a page loads, and the text of its fenced blocks that were not understood."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "link"):
            self.found.append(known.get("src") or known.get("href") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it, warnings being errors."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)
    build(config)
    logging.getLogger("mkdocs").handlers.clear()
    return folder


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        loads = Loads()
        text = page.read_text(encoding="utf-8")
        loads.feed(text)
        assert loads.found or page.name == "explanation.html", page  # it is a page by itself
        for address in loads.found:
            assert "//" not in address, f"{page.name} loads {address}"
            if address and not address.startswith("data:"):
                folder = site if address.startswith("/") else page.parent  # as in 404.html
                assert (folder / address.partition("?")[0].lstrip("/")).exists(), address
        assert "```" not in text, page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_the_site_has_every_page(site: Path) -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    named = set(re.findall(r"[\w/-]+\.md", str(nav)))
    assert named == {p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md")}
    for name in named:
        page = name.removesuffix(".md").replace("README", "index")
        assert (site / f"{page}.html").exists(), name
