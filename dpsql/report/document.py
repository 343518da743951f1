"""What is told, without how it is drawn: `report.plaintext` and `report.page` do that, and escape.

Text is read from above to below and has no room beside it, so it leaves out what only a page shows:
headings, what is folded away, drawings, and words that explain a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpsql.report.steps import TreeStep


@dataclass(frozen=True, slots=True)
class Said:
    """A line, or a paragraph; "" is a gap between lines. `depth` is how far the line is indented,
    and `aside` a remark on what stands above it.
    """

    text: str
    depth: int = 0
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with its 95 % half-width.

    Attributes:
        value: of any type.
        width: None where there is none, or none that is known.
        noisy: whether the value may hold noise.
    """

    value: object
    width: float | None = None
    noisy: bool = False


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """A column: its name, whether it holds numbers, and what kind of values they are."""

    name: str
    number: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table.

    Attributes:
        heads: of the columns; their names alone will do.
        rows: texts, of which line ends stay line ends on a page; or cells.
        lines: what text says instead, where a table is too wide for it.
    """

    heads: tuple[ColumnHead | str, ...]
    rows: tuple[tuple[Cell | str, ...], ...]
    lines: tuple[Said, ...] | None = None


@dataclass(frozen=True, slots=True)
class NamedRows:
    """What things are called, and what they are."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page."""

    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A paragraph of a page: what the numbers mean."""

    text: str


@dataclass(frozen=True, slots=True)
class Folded:
    """Code, or a tree of steps, that a page shows when its title is opened; made only then."""

    title: str
    inner: Callable[[], str | TreeStep]


@dataclass(frozen=True, slots=True)
class Drawing:
    """An svg element of a page, escaped by who drew it."""

    svg: str


Part = Said | Listing | NamedRows | Heading | Remark | Folded | Drawing


@dataclass(frozen=True, slots=True)
class Document:
    """All of it, in order, and the title of a page that holds nothing else."""

    title: str
    parts: tuple[Part, ...]
