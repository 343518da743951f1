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

CHAIN = (
    *("errors", "types", "once", "core", "core/plan", "core/functions", "core/emit"),
    *("core/infer", "core/shape", "core/enforce", "core/release"),
)
"""The proof, from a plan to what is released: each may import those before it."""

APART = {
    "visible": set(),
    "codes": set(),
    "errors": {"visible"},
    "core/account": {"errors"},
    "core/noise": {"errors", "core/account"},
    "core/calibrate": {*CHAIN, "core/account", "core/noise"},
    "platform/policy": {"types", "errors", "core"},
    "platform/engine": {"types", "errors", "core", "platform/policy"},
    "platform/ledger": {"errors", "core/account"},
    "front": {*CHAIN[:7], "front/dialects"},
    "front/dialects": {"types", "errors", "front"},
    "front/resolve": set(CHAIN),
    "checker": set(),
}
"""Beside the chain, and what each may import. What is in `core` imports nothing above it: no
policy file, no engine, no ledger, no parser, no report.
"""

ABOVE = (
    *("proven", "compile", "execution"),
    *("report", "report/explanation", "report/result", "report/budget"),
    *(
        "report/workloads",
        "report/policies",
        "models",
        "session",
        "demo",
        "default",
        "audit",
        "randomize",
        "dbapi",
        "sqlalchemy_dialect",
        "notebook",
        "repl",
        "serve",
    ),
    *("cli", "__main__", "__init__"),
)
"""What is left, from the inside out: each may import all before it."""

CRITICAL = {part for part in (*CHAIN, *APART) if part.startswith("core")} | {"platform/ledger"}
INTERFACES = {"cli", "repl", "demo", "session", "report", "argparse", "IPython", "prompt_toolkit"}
INTERFACES |= {"pandas", "polars", "pyarrow", "rich", "pygments", "html", "dbapi", "notebook"}


def modules() -> list[Path]:
    return sorted(p for p in ROOT.rglob("*.py"))


def package(path: Path) -> str:
    """The part of dpsql that a file belongs to."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] not in ("core", "platform", "front", "report"):
        return parts[0]
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


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
            folders = (ROOT.joinpath(*parts[1:n]) for n in range(len(parts), 0, -1))
            file = next(f for f in folders if f.is_dir()) / "__init__.py"
        yield package(file), line


def violations() -> list[str]:
    allowed = {name: {name, *more} for name, more in APART.items()}
    before = {"visible"}
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


def test_a_worker_has_no_parser() -> None:
    """One is started for each file that is opened; its modules are most of what that takes."""
    left, seen = [ROOT / "platform/engine/worker_main.py"], set[Path]()
    while left:
        seen.add(path := left.pop())
        for name, _ in imports(path):
            library, *parts = name.split(".")
            assert library not in ("sqlglot", "pydantic", "yaml"), path
            if library == "dpsql":
                named = (
                    ROOT.joinpath(*parts[:n]).with_suffix(".py") for n in range(len(parts) + 1)
                )
                left += [file for file in named if file.exists() and file not in seen]
    assert len(seen) > 10


def test_the_core_imports_nothing_above_it() -> None:
    """Whoever reviews the proof reads one folder, and three small files beside it."""
    ground = {"errors", "types", "visible", "once"}
    above = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in (ROOT / "core").rglob("*.py")
        for name, line in own(path)
        if not (name.startswith("core") or name in ground)
    ]
    assert above == []


def test_every_part_has_a_layer() -> None:
    found = {package(path) for path in modules()} - {"data", "platform"}
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
