r"""How many states the automaton of a regular expression has, and the least length that it matches.

DuckDB's engine (RE2) is linear in the string's length, but it builds its automaton as the strings
need it: where that has 2^20 states, as for `(a|b)*a(a|b){20}`, a string that visits many of them
takes 250 times as long as another of its length. So a pattern is taken only if all of its automata
are small: they are built here, over the ASCII characters, the pattern's own and a few more.

A part of RE2's syntax is read; whatever else it has is refused. That includes \C, which can cut a
character and so make a row fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

MAX_STATES = 128
MAX_POSITIONS = 128
MAX_PATTERN = 256
_MAX_DEPTH = 20

Test = Callable[[str], bool]


class Refused(Exception):  # noqa: N818  (an outcome, turned into a diagnostic)
    """The pattern is not taken; the message says why."""


@dataclass(frozen=True, slots=True)
class _Char:
    test: Test


@dataclass(frozen=True, slots=True)
class _Assert:
    kind: str  # ^ $ b B


@dataclass(frozen=True, slots=True)
class _Both:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Either:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Repeat:
    part: _Node
    low: int
    high: int | None
    lazy: bool


_Node = _Char | _Assert | _Both | _Either | _Repeat


def _word(c: str) -> bool:
    return c.isascii() and (c.isalnum() or c == "_")


_CLASSES: dict[str, Test] = {
    "d": lambda c: c in "0123456789",
    "w": _word,
    "s": lambda c: c in "\t\n\f\r ",
}
_CLASSES.update({k.upper(): (lambda c, t=t: not t(c)) for k, t in tuple(_CLASSES.items())})  # type: ignore[misc]
_POSIX: dict[str, Test] = {
    "alnum": lambda c: c.isascii() and c.isalnum(),
    "alpha": lambda c: c.isascii() and c.isalpha(),
    "digit": _CLASSES["d"],
    "lower": lambda c: c.isascii() and c.islower(),
    "upper": lambda c: c.isascii() and c.isupper(),
    "punct": lambda c: "!" <= c <= "~" and not c.isalnum(),
    "space": lambda c: c in "\t\n\v\f\r ",
    "word": _word,
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_ASSERTIONS = {"A": "^", "z": "$", "b": "b", "B": "B"}
_COUNT = re.compile(r"\{([0-9]{1,4})(,([0-9]{0,4}))?\}")
_GROUP = re.compile(r"\?(:|P<[A-Za-z_][A-Za-z_0-9]*>)")


class _Parser:
    def __init__(self, pattern: str, options: str) -> None:
        flags = re.match(r"\(\?([is]+)\)", pattern)
        self.text = pattern[flags.end() :] if flags else pattern
        options += flags[1] if flags else ""
        self.fold, self.newline = "i" in options, "s" in options
        self.at, self.depth = 0, 0

    def parse(self) -> _Node:
        node = self._either()
        if self.at < len(self.text):
            raise Refused("a ) without its (")
        return node

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self) -> str:
        c = self._next()
        if not c:
            raise Refused("the pattern ends too early")
        self.at += 1
        return c

    def _either(self) -> _Node:
        options = [self._both()]
        while self._next() == "|":
            self.at += 1
            options.append(self._both())
        return options[0] if len(options) == 1 else _Either(tuple(options))

    def _both(self) -> _Node:
        parts: list[_Node] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))
        return _Both(tuple(parts))

    def _repeated(self, atom: _Node) -> _Node:
        low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(self._next(), (-1, None))
        if low >= 0:
            self.at += 1
        elif count := _COUNT.match(self.text, self.at):
            low = int(count[1])
            high = low if count[2] is None else int(count[3]) if count[3] else None
            self.at = count.end()
        else:
            return atom
        if isinstance(atom, _Assert):
            raise Refused("a repeated ^, $ or \\b")
        lazy = self._next() == "?"
        self.at += lazy
        return _Repeat(atom, low, high, lazy)

    def _atom(self) -> _Node:
        c = self._take()
        if c == "(":
            return self._group()
        if c == "[":
            return _Char(self._class())
        if c == ".":
            return _Char((lambda c: True) if self.newline else (lambda c: c != "\n"))
        if c in "^$":
            return _Assert(c)
        if c in "*+?{":
            raise Refused(f"a {c} that repeats nothing; write \\{c} for the character")
        if c == "\\":
            c = self._take()
            if c in _ASSERTIONS:
                return _Assert(_ASSERTIONS[c])
            return _Char(_CLASSES[c] if c in _CLASSES else self._among(self._escaped(c)))
        return _Char(self._among(c))

    def _group(self) -> _Node:
        if self._next() == "?":
            kind = _GROUP.match(self.text, self.at)
            if kind is None:
                raise Refused("of groups that begin with (? only (?:…) is supported")
            self.at = kind.end()
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise Refused(f"groups more than {_MAX_DEPTH} deep")
        inner = self._either()
        if self._take() != ")":
            raise Refused("a ( without its )")
        self.depth -= 1
        return inner

    def _escaped(self, c: str) -> str:
        if c in _ESCAPES:
            return _ESCAPES[c]
        if c.isascii() and not c.isalnum():
            return c
        raise Refused(f"the escape \\{c} is not supported")

    def _among(self, chars: str) -> Test:
        return self._folded(lambda c: c in chars)

    def _folded(self, test: Test) -> Test:
        if not self.fold:
            return test
        return lambda c: any(test(v) for v in (c, *c.lower(), *c.upper(), *c.casefold()))

    def _class(self) -> Test:
        negative = self._next() == "^"
        self.at += negative
        tests: list[Test] = []
        while self._next() != "]" or not tests:
            posix = re.compile(r"\[:([a-z]+):\]").match(self.text, self.at)
            if posix is not None and posix[1] in _POSIX:
                tests.append(_POSIX[posix[1]])
                self.at = posix.end()
                continue
            c = self._take()
            if c == "[" and self._next() == ":":
                raise Refused("an unknown class of characters")
            if c == "\\":
                c = self._take()
                if c in _CLASSES:
                    tests.append(_CLASSES[c])
                    continue
                c = self._escaped(c)
            last = c
            if self._next() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                last = self._take()
                last = self._escaped(self._take()) if last == "\\" else last
            tests.append(lambda v, c=c, last=last: c <= v <= last)  # type: ignore[misc]
        self.at += 1
        found = self._folded(lambda v: any(t(v) for t in tests))
        return (lambda v: not found(v)) if negative else found


def _reversed(node: _Node) -> _Node:
    if isinstance(node, _Both):
        return _Both(tuple(_reversed(p) for p in node.parts[::-1]))
    if isinstance(node, _Either):
        return _Either(tuple(_reversed(p) for p in node.parts))
    if isinstance(node, _Repeat):
        return _Repeat(_reversed(node.part), node.low, node.high, node.lazy)
    if isinstance(node, _Assert):
        return _Assert({"^": "$", "$": "^"}.get(node.kind, node.kind))
    return node


def _width(node: _Node) -> int:
    if isinstance(node, _Char):
        return 1
    if isinstance(node, _Both):
        return sum(_width(p) for p in node.parts)
    if isinstance(node, _Either):
        return min(_width(p) for p in node.parts)
    return node.low * _width(node.part) if isinstance(node, _Repeat) else 0


class Alphabet:
    """Characters of which every class that a pattern tells apart has one; each test is made once
    for all automata of the pattern.
    """

    def __init__(self, letters: str) -> None:
        self.letters = letters
        self._passing: dict[object, list[str]] = {}

    def passing(self, test: object) -> list[str]:
        """The letters that pass a test."""
        found = self._passing.get(test)
        if found is None:
            found = self._passing[test] = [c for c in self.letters if test(c)]  # type: ignore[operator]
        return found


Key = tuple[tuple[int, ...], bool, bool]


class _Program:
    """Steps as in RE2: a character, an assertion, a choice in order of preference, a match."""

    def __init__(self, node: _Node, anchored: bool) -> None:
        self.steps: list[tuple[str, object, tuple[int, ...]]] = [("match", None, ())]
        self.positions = 0
        self.start = self._add(node, 0)
        if not anchored:
            anything = _Repeat(_Char(lambda c: True), 0, None, True)
            self.start = self._add(anything, self.start)
        self.looks = any(kind == "assert" for kind, _, _ in self.steps)

    def _step(self, kind: str, what: object, *then: int) -> int:
        self.steps.append((kind, what, then))
        if len(self.steps) > 6 * MAX_POSITIONS:
            raise Refused("the pattern is too large with its repetitions written out")
        return len(self.steps) - 1

    def _add(self, node: _Node, then: int) -> int:
        """The first step of `node`, which goes on to `then`."""
        if isinstance(node, _Char):
            self.positions += 1
            if self.positions > MAX_POSITIONS:
                raise Refused("the pattern is too large with its repetitions written out")
            return self._step("char", node.test, then)
        if isinstance(node, _Assert):
            return self._step("assert", node.kind, then)
        if isinstance(node, _Both):
            for part in node.parts[::-1]:
                then = self._add(part, then)
            return then
        if isinstance(node, _Either):
            return self._step("choice", None, *(self._add(p, then) for p in node.parts))
        if node.high is None:
            loop = self._step("choice", None)
            inner = self._add(node.part, loop)
            self.steps[loop] = ("choice", None, (then, inner) if node.lazy else (inner, then))
            then = loop
        else:
            end = then
            for _ in range(node.high - node.low):
                inner = self._add(node.part, then)
                then = self._step("choice", None, *((end, inner) if node.lazy else (inner, end)))
        for _ in range(node.low):
            then = self._add(node.part, then)
        return then

    def _reached(self, key: Key, word: bool, ordered: bool) -> tuple[list[tuple[int, int]], bool]:
        """The characters that can be taken next, given whether the next one is of a word, each
        with its step and the step after; and whether this is a match.
        """
        kernel, begin, before = key
        found: list[tuple[int, int]] = []
        seen: set[int] = set()
        stack, matched = list(kernel[::-1]), False
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            kind, what, then = self.steps[at]
            if kind == "char":
                found.append((at, then[0]))
            elif kind == "match":
                matched = True
                if ordered:
                    break  # what is less preferred no longer matters
            elif kind == "choice":
                stack += then[::-1]
            elif (what == "^" and begin) or (
                what in ("b", "B") and (what == "b") == (before != word)
            ):
                stack += then
        return found, matched

    def run(self, alphabet: Alphabet, ordered: bool) -> _Graph:
        """Every state.

        Raises:
            Refused: where there are more than MAX_STATES.
        """
        taken_by: dict[str, list[int]] = {c: [] for c in alphabet.letters}
        for at, (kind, what, _) in enumerate(self.steps):
            if kind == "char":
                for c in alphabet.passing(what):
                    taken_by[c].append(at)
        rows = {(frozenset(every), self.looks and _word(c)) for c, every in taken_by.items()}
        first: Key = ((self.start,), True, False)
        after: dict[Key, set[Key]] = {first: set()}
        may: set[Key] = set()
        must: set[Key] = set()
        todo, live = [first], 0
        while todo:
            key = todo.pop()
            must.add(key)
            for word in {w for _, w in rows}:
                found, matched = self._reached(key, word, ordered)
                live = max(live, len(found))
                if matched:
                    may.add(key)
                else:
                    must.discard(key)
                for taken in (taken for taken, w in rows if w == word):
                    then = dict.fromkeys(n for at, n in found if at in taken)
                    kernel = tuple(then) if ordered else tuple(sorted(then))
                    state: Key = (kernel, False, word)
                    after[key].add(state)
                    if state not in after:
                        after[state] = set()
                        todo.append(state)
                        if len(after) > MAX_STATES:
                            raise Refused(
                                f"its automaton has more than {MAX_STATES} states, so the time of "
                                "a match would depend on the row; use fewer counted repetitions"
                            )
        return _Graph(after, may, must, live)


@dataclass(frozen=True, slots=True)
class _Graph:
    after: dict[Key, set[Key]]
    may: set[Key]
    must: set[Key]
    live: int

    def ahead(self) -> int:
        """The most characters that are read after a match without coming to a longer one;
        MAX_STATES where there is no such number.
        """
        last = {n for key in self.may for n in self.after[key] if n[0]} - self.must
        count = 0
        while last and count < MAX_STATES:
            count += 1
            last = {n for key in last for n in self.after[key] if n[0]} - self.must
        return count


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a pattern.

    Attributes:
        width: the least number of characters that it matches.
        live: the most ways in which a match can go on at once.
        ahead: the most characters that are read after a match before it is known to be the one.
    """

    width: int
    live: int
    ahead: int


def _letters(pattern: str) -> str:
    near = {chr(min(max(ord(c) + d, 0), 0x10FFFF)) for c in pattern for d in (-1, 0, 1)}
    cases = {v for c in pattern for v in c.lower() + c.upper() + c.swapcase()}
    return "".join(sorted({*map(chr, range(128)), *near, *cases, *"äÄßſKЯя漢🤦"}))


@lru_cache(maxsize=512)
def check(pattern: str, options: str) -> Facts:
    """What is known of a pattern whose automata are small.

    Claim: RE2 builds few states for it, whatever the strings. Why: it runs the pattern forward,
    with or without regard to what is preferred, or backward, each with or without an anchor; all
    six automata have at most MAX_STATES states over characters (over bytes, a few times as many).

    Raises:
        Refused: otherwise, or where the syntax is not known here.
    """
    if len(pattern) > MAX_PATTERN:
        raise Refused(f"a pattern of more than {MAX_PATTERN} characters")
    node = _Parser(pattern, options).parse()
    alphabet = Alphabet(_letters(pattern))
    anchored, searching = _Program(node, True), _Program(node, False)
    live = anchored.run(alphabet, True).live
    ahead = searching.run(alphabet, True).ahead()
    for program in (anchored, searching):
        program.run(alphabet, False)
    for anchor in (True, False):
        _Program(_reversed(node), anchor).run(alphabet, False)
    return Facts(_width(node), live, ahead)
