"""The Python API, from its docstrings: what `dpsql` exports, and what else programs are told of."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import dpsql
from dpsql.core.calibrate.options import Wishes
from tools.reference.prose import markdown

_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Yields):$")
_NAMED = re.compile(r"^ {4}(\*{0,2}[\w.]+(?:, [\w.]+)*): ?(.*)$")


def page(head: str, module: ModuleType, names: list[str]) -> str:
    """A page of a module's public names, functions first.

    Args:
        head: the heading and what comes before the first name.
        module: whose names they are.
        names: in alphabetical order, as they stand in `__all__`.
    """
    found = [(name, getattr(module, name)) for name in names]
    functions = [f for f in found if inspect.isfunction(f[1])]
    errors = [f for f in found if _is_error(f[1])]
    classes = [f for f in found if inspect.isclass(f[1]) and not _is_error(f[1])]
    parts = [head.strip(), ""]
    for heading, group in (("Functions", functions), ("Classes", classes), ("Exceptions", errors)):
        if group:
            parts.append(f"## {heading}\n")
        for name, thing in group:
            parts += _thing(name, thing)
    return "\n".join(parts).rstrip() + "\n"


def _is_error(thing: object) -> bool:
    return inspect.isclass(thing) and issubclass(thing, Exception)


def _thing(name: str, thing: Any) -> Iterator[str]:
    if inspect.isfunction(thing):
        yield f"### `{name}`\n\n{signature(name, thing)}\n\n{docstring(thing)}\n"
        return
    bases = [b.__name__ for b in thing.__bases__ if b is not object]
    kind = f" ({', '.join(bases)})" if _is_error(thing) else ""
    yield f"### `{name}`{kind}\n\n{docstring(thing)}\n"
    for part, value in _members(thing):
        if isinstance(value, property):
            yield f"#### `{name}.{part}`\n\n{docstring(value)}\n"
        else:
            call = signature(f"{name}.{part}", value)
            yield f"#### `{name}.{part}()`\n\n{call}\n\n{docstring(value)}\n"


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties in the order of the text, of the class and its own bases."""
    seen: set[str] = set()
    fields = {f.name for f in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    for base in (b for b in kind.__mro__ if b.__module__.startswith("dpsql")):
        for name, value in vars(base).items():
            function = getattr(value, "__func__", value)
            shown = isinstance(function, property) or inspect.isfunction(function)
            if name.startswith("_") or name in seen | fields or not shown:
                continue
            seen.add(name)
            yield name, function


def signature(name: str, function: Any) -> str:
    """How it is called, as Python writes it; `self` and `cls` left out."""
    found = inspect.signature(function)
    known = [p for p in found.parameters.values() if p.name not in ("self", "cls")]
    plain = found.replace(
        parameters=[p.replace(annotation=_bare(p.annotation)) for p in known],
        return_annotation=_bare(found.return_annotation),
    )
    text = f"{name}{plain}"
    if len(text) > 90:
        inner = ",\n".join(f"    {p}" for p in _spelled(plain))
        arrow = str(plain).rpartition(" -> ")[2] if " -> " in str(plain) else ""
        text = f"{name}(\n{inner},\n)" + (f" -> {arrow}" if arrow else "")
    return f"```py\n{text}\n```"


def _spelled(found: inspect.Signature) -> Iterator[str]:
    star = False
    for p in found.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not star:
            star = True
            yield "*"
        yield str(p)


class _Bare:
    """An annotation that is shown without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _bare(annotation: Any) -> Any:
    if annotation is inspect.Parameter.empty:
        return annotation
    return _Bare(annotation if isinstance(annotation, str) else annotation.__name__)


def docstring(thing: Any) -> str:
    """A docstring as Markdown; its sections as lists."""
    text = inspect.cleandoc(thing.__doc__ or "")
    prose: list[str] = []
    parts: list[str] = []
    lines = iter(text.split("\n"))
    section = ""
    items: list[str] = []
    for line in lines:
        if found := _SECTION.match(line):
            parts += _finished(section, items)
            section, items = found[1], []
        elif not section:
            prose.append(line)
        elif named := _NAMED.match(line):
            items.append(f"- `{named[1]}`: {named[2]}")
        elif line.startswith("    ") and items:
            items[-1] += f" {line.strip()}"
        elif line.strip() and line.startswith(" "):
            items.append(f"- {line.strip()}")
        elif line.strip():
            parts += _finished(section, items)
            section, items = "", []
            prose.append(line)
    parts += _finished(section, items)
    return "\n\n".join([markdown("\n".join(prose).strip()), *parts])


def _finished(section: str, items: list[str]) -> list[str]:
    return [f"*{section}*", "\n".join(items)] if items else []


HEAD = """
<!-- Written by python -m tools.reference, from the docstrings. -->

# The Python API

```py
import dpsql

db = dpsql.connect("shop.duckdb", policy="shop.yaml")
print(db.explain("SELECT COUNT(*) FROM orders", eps=0.5))
answer = db.run("SELECT COUNT(*) FROM orders", eps=0.5)
```

ε and δ are int, float, Decimal or Fraction; a float stands for the decimal by which it is shown,
0.1 for one tenth. All [exceptions](#exceptions) are a DpsqlError, and hold no private value.
`**wishes` are the keys of [Wishes](#wishes).
"""


DBAPI = """
<!-- Written by python -m tools.reference, from the docstrings. -->

# DB-API 2.0

`dpsql.dbapi` is dpsql as a Python database, by [PEP 249](https://peps.python.org/pep-0249/), for
tools that speak it. [Work in a notebook](../how-to/notebooks.md#pandas-and-jupysql-the-db-api) uses
it with pandas and JupySQL.

```py
from dpsql import dbapi

connection = dbapi.connect("shop.duckdb", "shop.yaml", eps=0.5)
cursor = connection.cursor()
cursor.execute("SELECT COUNT(*) AS n FROM orders WHERE channel = ?", ["phone"])
print(cursor.description, cursor.fetchall(), cursor.answer.interval("n"))
```

Each query costs the connection's ε, which can be set: `connection.eps = 1`. There are no
transactions: what was charged stays charged. `cursor.answer` has the intervals and the cost;
`cursor.answer.to_pandas(intervals=True)` gives the intervals' ends as columns. A `?`
takes a value (`paramstyle` is `qmark`), as a literal of the query that is then analysed. Threads
may share connections, but no cursors (`threadsafety` is 2).
"""


def api() -> str:
    """The page of `dpsql` itself."""
    told = "\n".join(["## What a query may also be told\n", *_thing("Wishes", Wishes)])
    return f"{page(HEAD, dpsql, [*dpsql.__all__])}\n{told.rstrip()}\n"


def dbapi() -> str:
    """The page of `dpsql.dbapi`."""
    module = importlib.import_module("dpsql.dbapi")
    names = [name for name in module.__all__ if callable(getattr(module, name))]
    return page(DBAPI, module, sorted(names, key=lambda name: (not name.islower(), name)))


MODELS = """
<!-- Written by python -m tools.reference. -->

# Models

`dpsql.models`: what `Database.fit`, `Database.explain_fit` and `Database.score` take and give. It
needs NumPy (`pip install "dpsql[models]"`). [From a question to a model](../tutorial/models.md) is
a tutorial, [Models](../explanation/models.md) says what is protected.
"""


def models() -> str:
    """The page of `dpsql.models`."""
    module = importlib.import_module("dpsql.models")
    return page(MODELS, module, sorted(module.__all__))
