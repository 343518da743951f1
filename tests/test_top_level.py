"""What stands at the top of the project: what is meant to, and nothing that a run left there."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]

FILES = {
    *(".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"),
    *("SECURITY.md", "conftest.py", "mkdocs.yml", "pyproject.toml"),
}
FOLDERS = {".ci", "benchmarks", "docs", "dpsql", "examples", "grammar_tests", "tests", "tools"}


def test_nothing_else_is_kept() -> None:
    """Of a copy without its history, such as a source archive, all that is not hidden."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.split("\n")
        kept = {name.partition("/")[0] for name in listed if name}
    else:
        kept = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert kept <= FILES | FOLDERS


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_demo_installs_no_development_packages(tmp_path: Path) -> None:
    """What a clone would do, where nothing is made yet."""
    for name in ("Makefile", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    said = {
        target: subprocess.run(
            ["make", "-n", target], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout
        for target in ("demo", "test")
    }
    assert "install" in said["demo"] and "[dev]" not in said["demo"]
    assert "[dev]" in said["test"]


def test_it_says_that_it_is_typed() -> None:
    assert (ROOT / "dpsql" / "py.typed").exists()
