"""What can go wrong, and how it is said.

    DpsqlError
    ├── Rejected         the query is not accepted; nothing was charged
    ├── PolicyError      the policy, or the data it is meant for, is not usable
    ├── InvalidBudget    an ε or δ that is none (also a ValueError); nothing was charged
    ├── InvalidArgument  another argument that is none (also a TypeError and a ValueError)
    ├── NotCalibrated    no ε is known to make an answer as accurate as wanted; nothing was read
    ├── UnknownDialect   a `dialect` that is not read (also a ValueError); nothing was charged
    ├── BudgetExceeded   the ledger refuses the charge; nothing was charged
    │   └── RateExceeded     too many charges in too short a time; nothing was charged
    ├── AnalystLocked    too many charged queries of an analyst failed; nothing was charged
    ├── AccessDenied     a server does not know the token, or its holder may not do that
    ├── RequestExists    a request with that key was charged before and has no answer to give again
    ├── InternalError    dpsql itself failed; the owner's log has a report
    └── EngineError      the engine failed; details are in the owner's log only
        ├── LedgerTampered   the ledger is not what it was; refused until the owner acknowledges it
        └── LimitExceeded    a query that reads nothing private met a limit; nothing was charged

No message here may hold a value of a private row: messages are functions of the query text, the
policy and the ledger. Errors that wrap an engine error are raised `from None`, so that
``__cause__`` and ``__context__`` do not carry one either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from dpsql.visible import visible

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the query text: character offsets, `end` exclusive.

    Attributes:
        view: whose definition stands for that text; "" for none.
        called: the name, as it was typed, of the function whose call stands there; "" for none.
    """

    start: int
    end: int
    view: str = ""
    called: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem of one query: a stable code, what is wrong, where, and the smallest fix."""

    code: str
    message: str
    span: Span | None = None
    help: str | None = None

    def placed(self) -> Diagnostic:
        """The same; one in the definition of a view says so, and is at the view's name."""
        if self.span is None or not self.span.view:
            return self
        message = f"in the view {self.span.view}: {self.message}"
        return replace(self, message=message, span=Span(self.span.start, self.span.end))

    def render(self, text: str) -> str:
        """The diagnostic with the line of `text` to blame and a caret line under it; whatever the
        text holds, it can be shown on a terminal.
        """
        lines = [f"{self.code}: {visible(self.message)}"]
        if self.span is not None and text:
            start = min(self.span.start, len(text) - 1)
            row = text.count("\n", 0, start)
            line_start = text.rfind("\n", 0, start) + 1
            line_end = text.find("\n", start)
            line_end = len(text) if line_end < 0 else line_end
            line = text[line_start:line_end].removesuffix("\r").replace("\t", " ")
            at = start - line_start
            end = max(at + 1, self.span.end - line_start)
            before, own, after = map(visible, (line[:at], line[at:end], line[end:]))
            lines += [
                f"  line {row + 1}, column {at + 1}",
                f"  | {before}{own}{after}",
                f"  | {' ' * len(before)}{'^' * max(1, len(own))}",
            ]
        if self.help:
            lines.append(f"  help: {visible(self.help)}")
        return "\n".join(lines)


class DpsqlError(Exception):
    """The base of every error that dpsql raises on purpose. All can be copied and pickled."""

    def __reduce__(self) -> tuple[object, ...]:
        # Not by __init__, which takes what the text is made of, and not the text.
        state = {name: value for name, value in vars(self).items() if not callable(value)}
        return _again, (type(self), self.args, state)


def _again(kind: type[DpsqlError], args: tuple[object, ...], state: dict[str, object]) -> object:
    made = kind.__new__(kind, *args)
    vars(made).update(state)
    return made


class Rejected(DpsqlError):  # noqa: N818  (the public name)
    """The query is not accepted. Nothing was read and nothing was charged.

    Attributes:
        diagnostics: every problem found, in the order of the text.
        code, message, span, help: those of the first.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...] | Diagnostic, text: str = "") -> None:
        self.diagnostics = (diagnostics,) if isinstance(diagnostics, Diagnostic) else diagnostics
        self.text = text
        super().__init__("\n".join(d.render(text) for d in self.diagnostics))

    @property
    def code(self) -> str:
        """The code of the first problem, such as ``DP402``."""
        return self.diagnostics[0].code

    @property
    def message(self) -> str:
        """The message of the first problem."""
        return self.diagnostics[0].message

    @property
    def span(self) -> Span | None:
        """The place of the first problem."""
        return self.diagnostics[0].span

    @property
    def help(self) -> str | None:
        """The fix of the first problem."""
        return self.diagnostics[0].help

    def at(self, text: str) -> Rejected:
        """The same problems, shown in `text`; with the view, where one is the definition's."""
        return Rejected(tuple(d.placed() for d in self.diagnostics), text)


class Problems:
    """Collects the problems of independent parts of a query, so that all are reported at once."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def attempt(self, work: Callable[[], T]) -> T | None:
        """The result of `work`; None where it was rejected, and its problems are kept."""
        try:
            return work()
        except Rejected as rejected:
            self.add(rejected)
            return None

    def add(self, rejected: Rejected) -> None:
        """Keep the problems that are not known yet."""
        self.found += [d for d in rejected.diagnostics if d not in self.found]

    def check(self) -> None:
        """Raise what was found.

        Raises:
            Rejected: every problem, in the order of the text.
        """
        if self.found:
            end = 2**31
            ordered = sorted(self.found, key=lambda d: end if d.span is None else d.span.start)
            raise Rejected(tuple(ordered))


def shallow(work: Callable[[], T], text: str) -> T:
    """The result of `work`, which walks or prints the trees that a query's `text` became.

    Raises:
        Rejected: they are too deep for that; nothing was charged.
    """
    try:
        return work()
    except RecursionError:
        pass
    raise Rejected(Diagnostic("DP103", "the query is too deeply nested"), text)


class PolicyError(DpsqlError):
    """The policy cannot be used: what is wrong, in which file, on which line (1-based)."""

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        place = ":".join(str(part) for part in (file, line) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)


class InvalidBudget(DpsqlError, ValueError):  # noqa: N818  (the public name)
    """An ε or a δ that is none: NaN, infinite, negative, no number. Nothing was charged."""


class InvalidArgument(DpsqlError, TypeError, ValueError):  # noqa: N818  (the public name)
    """An argument of a wrong type, or a value that it cannot have. Nothing was charged."""


class NotCalibrated(DpsqlError):  # noqa: N818  (the public name)
    """No ε is known with which the answer is as accurate as wanted. Nothing was read."""


class UnknownDialect(DpsqlError, ValueError):  # noqa: N818  (the public name)
    """A `dialect` that dpsql does not read. Nothing was charged."""


class BudgetExceeded(DpsqlError):  # noqa: N818  (the public name)
    """The charge is more than is left. Nothing was charged.

    Attributes:
        requested, remaining: (ε, δ) pairs, exact.
    """

    def __init__(
        self,
        message: str,
        requested: tuple[Fraction, Fraction] | None = None,
        remaining: tuple[Fraction, Fraction] | None = None,
    ) -> None:
        self.requested, self.remaining = requested, remaining
        super().__init__(message)


class RateExceeded(BudgetExceeded):
    """The analyst was charged too often in too short a time, or has as many queries that run as may
    fail. Nothing was charged this time.

    Attributes:
        seconds: after so long the next charge is granted; 0 where another query must end first.
    """

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        self.seconds = seconds
        super().__init__(message)


class AnalystLocked(DpsqlError):  # noqa: N818  (the public name)
    """Too many charged queries of this analyst failed. Nothing was charged; the owner must look.

    Attributes:
        analyst: who; "" for whoever gives no name.
        failures: how many.
    """

    def __init__(self, message: str, analyst: str = "", failures: int = 0) -> None:
        self.analyst, self.failures = analyst, failures
        super().__init__(message)


class AccessDenied(DpsqlError):  # noqa: N818  (the public name)
    """A server does not know the token, or its holder may not do that. Nothing was charged."""

    TOKEN = "the server does not know this token: it is wrong, has ended, or was revoked"


class InternalError(DpsqlError):
    """dpsql itself failed: a bug. What happened is for the owner, in the log, under `report`.

    Attributes:
        report: the number of the report.
        charge: what is known of a charge: that nothing was charged, or that what was stays so.
    """

    def __init__(self, report: str, charge: str = "nothing was charged") -> None:
        self.report, self.charge = report, charge
        super().__init__(f"dpsql itself failed; {charge}; the owner's log has report {report}")


class EngineError(DpsqlError):
    """The engine failed after the charge. The charge stays; the owner's log has the details."""


class LedgerTampered(EngineError):  # noqa: N818  (the public name)
    """The ledger is not what it was: a line is missing, was changed, or an older copy came back.

    Every query is refused until the owner acknowledges it (`dpsql budget DATA acknowledge`); what
    is known to have been spent stays spent.
    """


class LimitExceeded(EngineError):  # noqa: N818  (the public name)
    """A query over public tables met a limit of the policy, or the time of another was over before
    its charge. Nothing was charged.

    A query that was charged is never stopped with this error: which limit it met could tell of a
    row.

    Attributes:
        limit: its name in the policy: seconds, memory or public_rows.
    """

    def __init__(self, message: str, limit: str = "") -> None:
        self.limit = limit
        super().__init__(message)


class RequestExists(DpsqlError):  # noqa: N818  (the public name)
    """A request with this key was charged before, and there is no answer to give again: it is still
    being answered, or it died. Nothing was charged this time.
    """
