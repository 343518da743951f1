"""What every report can: be read as text, as HTML and as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from fractions import Fraction

from dpsql.execution.boundary import typed
from dpsql.report import page, plaintext
from dpsql.report.document import Document


def plain(value: object) -> object:
    """A value as JSON has it: of a dataclass its public fields, or what its `to_dict` gives."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return float(value) if isinstance(value, Fraction) else value


def _fields(value: object) -> dict[str, object]:
    named = (field.name for field in fields(value) if not field.name.startswith("_"))  # type: ignore[arg-type]
    return {name: plain(getattr(value, name)) for name in named}


class Plain:
    """A dataclass whose public fields are its plain data."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return _fields(self)


class Documented(Plain):
    """What tells of itself as a document."""

    __slots__ = ()

    def _document(self) -> Document:
        """What is told, in order."""
        raise NotImplementedError

    @typed
    def to_json(self) -> str:
        """As a JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    @typed
    def to_html(self) -> str:
        """As a page of its own, without scripts; every text is escaped."""
        found = self._document()
        return page.page(found.title, found)

    @typed
    def _repr_html_(self) -> str:
        """For notebooks."""
        return page.fragment(self._document())

    @typed
    def __str__(self) -> str:
        return plaintext.text(self._document())
