"""Where each part of a policy stands in its file, and problems that point there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dpsql.errors import PolicyError

Path = tuple[str | int, ...]
"""The keys and indices that lead to a part: ``("tables", "orders", "key", 0)``."""

_MAX_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with the part of the policy at `path`."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{dotted(self.path)}: {self.message}" if self.path else self.message


@dataclass(frozen=True, slots=True)
class Places:
    """The file of a policy and the line (1-based) of each of its parts.

    Two policies that say the same are equal, wherever it stands; so all places are equal.
    """

    file: str | None = field(default=None, compare=False)
    lines: Mapping[Path, int] = field(default_factory=dict, compare=False, repr=False)

    def line(self, path: Path) -> int | None:
        """The line of `path`, or of the nearest part around it that has one."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None

    def error(self, problems: Iterable[Problem]) -> PolicyError:
        """One error that tells all `problems`, in the order of the file."""
        unique = list(dict.fromkeys(problems))
        placed = sorted(
            ((self.line(problem.path), problem) for problem in unique),
            key=lambda pair: pair[0] or 0,
        )
        first = placed[0][0]
        lines = [str(placed[0][1])]
        for line, problem in placed[1:_MAX_SHOWN]:
            lines.append(f"line {line}: {problem}" if line is not None else str(problem))
        if len(placed) > _MAX_SHOWN:
            lines.append(f"... and {len(placed) - _MAX_SHOWN} more")
        return PolicyError("\n".join(lines), file=self.file, line=first)


def dotted(path: Path) -> str:
    """``tables.orders.key[0]``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
