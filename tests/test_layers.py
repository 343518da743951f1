"""A stage imports the stages before it and never one after; imports inside functions count too."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpsql

ROOT = Path(dpsql.__file__).parent

CHAIN = ("policy", "plan", "sql", "analyze", "rewrite", "sensitivity")
"""From a policy and a query's text to what is proven: each may import those before it, and types
and errors."""

APART = {
    "visible": set(),
    "types": set(),
    "errors": {"visible"},
    "accounting": {"errors"},
    "mechanism": {"errors", "accounting"},
    "engine": {"types", "errors", "policy"},
    "checker": set(),
}
"""Beside the chain, and what each may import."""

ABOVE = (
    *("figure", "pictures", "once"),
    *("options", "statements", "importance", "calibration", "choosing", "compile"),
    *("execution", "target", "certifying", "report"),
    *("explanation",),
    *("prepared", "arrow", "result", "budget", "workloads", "declared", "without_data"),
    *(
        "rechecks",
        "pacing",
        "session",
        "connecting",
        "demo",
        "default",
        "audit",
        "randomize",
        "formats",
    ),
    *("dbapi", "notebook", "repl", "cli", "__main__", "__init__"),
)
"""What is left, from the inside out: each may import all before it."""

CRITICAL = {"plan", "sql", "analyze", "rewrite", "sensitivity", "mechanism", "accounting"}
INTERFACES = {"cli", "repl", "demo", "default", "result", "argparse", "IPython", "prompt_toolkit"}
INTERFACES |= {"pandas", "polars", "pyarrow", "rich", "pygments", "html", "dbapi", "notebook"}


def modules() -> list[Path]:
    return sorted(p for p in ROOT.rglob("*.py"))


def package(path: Path) -> str:
    """The part of dpsql that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every dotted name that a file imports at run time, and its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in node.body
        for inner in ast.walk(child)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def own(path: Path) -> Iterator[tuple[str, int]]:
    """The parts of dpsql that a file imports."""
    for name, line in imports(path):
        parts = name.split(".")
        if parts[0] != "dpsql" or len(parts) == 1:
            continue
        files = (ROOT.joinpath(*parts[1:n]).with_suffix(".py") for n in range(len(parts), 1, -1))
        file = next((f for f in files if f.exists()), None)
        if file is None:
            folder = ROOT / parts[1]
            file = folder / "__init__.py" if folder.is_dir() else ROOT / "__init__.py"
        yield package(file), line


def violations() -> list[str]:
    allowed = {name: {name, *more} for name, more in APART.items()}
    before = {"types", "errors", "visible"}
    for name in CHAIN:
        before.add(name)
        allowed[name] = set(before)
    before |= set(APART)
    for name in ABOVE:
        before.add(name)
        allowed[name] = set(before)
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules()
        for name, line in own(path)
        if name not in allowed[package(path)]
    ]


def test_every_part_has_a_layer() -> None:
    found = {package(path) for path in modules()} - {"data"}
    assert found <= {*CHAIN, *APART, *ABOVE}


def test_a_stage_imports_only_stages_before_it() -> None:
    assert violations() == []


def test_privacy_critical_code_imports_no_user_interface() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules()
        if package(path) in CRITICAL
        for name, line in imports(path)
        if INTERFACES & set(name.split(".")[:2])
    ]
    assert found == []


@pytest.mark.parametrize(
    "name",
    ["dpsql"]
    + [m.name for m in pkgutil.walk_packages(dpsql.__path__, "dpsql.") if "__main__" not in m.name],
)
def test_all_names_what_is_there(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", None)
    if exported is not None:
        assert len(set(exported)) == len(exported)
        assert [n for n in exported if not hasattr(module, n)] == []


def test_dpsql_exports_all_that_it_imports() -> None:
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    names = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert names == set(dpsql.__all__)
    assert dpsql.__all__ == sorted(dpsql.__all__)
