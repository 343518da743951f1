"""YAML text to plain Python values and the line of each, as strict as a policy needs it.

Not `yaml.safe_load`: that one reads NO as false, 0.05 as a binary float, 010 as 8 and the last of
two equal keys, expands aliases, and forgets the lines. Here scalars follow the YAML 1.2 core
schema (plus dates), a number with a point is a `decimal.Decimal`, keys are always text, and
duplicate keys, aliases, tags and documents after the first are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

import yaml
from yaml import events

from dpsql.errors import PolicyError
from dpsql.platform.policy.places import Path, Places

MAX_BYTES = 1_000_000
_MAX_DEPTH = 16
_MAX_DIGITS = 400
_LARGE = 20_000
"""More characters are read by libyaml, where it is there: the same events, twenty times as fast;
the other one has the better words for what is wrong."""

_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,6})?\Z")
_SPECIAL = re.compile(r"([-+]?)\.(inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?\Z"
)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# PyYAML itself lets some of these out: chr() of a large escape, an index past the end of the text.
_READER_ERRORS = (ValueError, OverflowError, RecursionError, LookupError, TypeError, AttributeError)


def load_yaml(text: str, file: str | None = None) -> tuple[object, Places]:
    """The value that `text` stands for, and its places.

    Raises:
        PolicyError: for anything that is not one plain YAML document of at most `MAX_BYTES`.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise PolicyError(f"the policy is larger than {MAX_BYTES} bytes", file=file)
    return _Reader(text, file).document()


class _Reader:
    def __init__(self, text: str, file: str | None) -> None:
        self._text = text
        self._file = file
        self._lines: dict[Path, int] = {}
        self._events = self._read()

    def document(self) -> tuple[object, Places]:
        value: object = None
        seen = False
        for event in self._events:
            if isinstance(event, events.DocumentStartEvent):
                if seen:
                    raise self._error("a policy is one YAML document, not several", event)
                seen = True
                value = self._value(next(self._events), ())
        if not seen or value is None:
            raise PolicyError("the policy is empty", file=self._file, line=1)
        return value, Places(self._file, self._lines)

    def _read(self) -> Iterator[events.Event]:
        fast = len(self._text) > _LARGE and yaml.__with_libyaml__
        loader = yaml.CSafeLoader if fast else yaml.SafeLoader
        try:
            yield from yaml.parse(self._text, Loader=loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark is not None else None
            problem = error.problem or error.context or ""
            message = f"not YAML: {problem}" if "nesting" not in problem else "nested too deeply"
        except yaml.reader.ReaderError as error:
            line = self._text.count("\n", 0, error.position) + 1
            message = "not YAML: a character that is not allowed"
        except yaml.YAMLError:
            line, message = None, "not YAML"
        except _READER_ERRORS:
            line, message = None, "not YAML: an escape or a directive that cannot be read"
        else:
            return
        raise PolicyError(message, file=self._file, line=line) from None

    def _value(self, event: events.Event, path: Path) -> object:
        if len(path) > _MAX_DEPTH:
            raise self._error("nested too deeply", event)
        self._lines.setdefault(path, _line(event))
        if isinstance(event, events.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self._error("anchors and aliases (& and *) are not allowed in a policy", event)
        if isinstance(event, events.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, events.SequenceStartEvent):
            self._no_tag(event, event.tag)
            return self._sequence(path)
        if isinstance(event, events.MappingStartEvent):
            self._no_tag(event, event.tag)
            return self._mapping(path)
        raise self._error("not YAML", event)

    def _sequence(self, path: Path) -> list[object]:
        items: list[object] = []
        while not isinstance(event := next(self._events), events.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        return items

    def _mapping(self, path: Path) -> dict[str, object]:
        items: dict[str, object] = {}
        while not isinstance(event := next(self._events), events.MappingEndEvent):
            if not isinstance(event, events.ScalarEvent) or event.anchor is not None:
                raise self._error("a key must be plain text", event)
            self._no_tag(event, event.tag)
            key = self._clean(event)
            if key in items:
                first = self._lines[(*path, key)]
                raise self._error(f"the key {key} is there twice (first on line {first})", event)
            self._lines[(*path, key)] = _line(event)
            items[key] = self._value(next(self._events), (*path, key))
        return items

    def _scalar(self, event: events.ScalarEvent) -> object:
        if event.tag == "tag:yaml.org,2002:str" or event.tag == "!":
            return self._clean(event)
        self._no_tag(event, event.tag)
        text = self._clean(event)
        if event.style:
            return text
        try:
            return _plain(text)
        except ValueError as error:
            raise self._error(str(error), event) from None

    def _clean(self, event: events.ScalarEvent) -> str:
        text: str = event.value
        if any((c < " " and c not in "\t\n\r") or "\ud800" <= c <= "\udfff" for c in text):
            raise self._error("a character that is not allowed", event)
        return text

    def _no_tag(self, event: events.Event, tag: str | None) -> None:
        if tag is not None:
            raise self._error(f"tags ({tag}) are not allowed in a policy", event)

    def _error(self, message: str, event: events.Event) -> PolicyError:
        return PolicyError(message, file=self._file, line=_line(event))


def _line(event: events.Event) -> int:
    mark = event.start_mark
    return mark.line + 1 if mark is not None else 1


def _plain(text: str) -> object:
    """What an unquoted scalar stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if match := _SPECIAL.match(text):
        return Decimal(f"{match[1]}Infinity") if match[2] else Decimal("NaN")
    if _INTEGER.match(text) or _DECIMAL.match(text):
        if len(text) > _MAX_DIGITS:
            raise ValueError("the number has too many digits")
        return int(text) if _INTEGER.match(text) else Decimal(text)
    if _DATE.match(text) or _TIMESTAMP.match(text):
        try:
            return (date if _DATE.match(text) else datetime).fromisoformat(text)
        except ValueError:
            raise ValueError(f"there is no such day or time: {text}") from None
    return text
