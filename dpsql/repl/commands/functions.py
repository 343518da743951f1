r"""`\df`: the functions of the language."""

from __future__ import annotations

from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.describe.functions import functions_text, names


def _functions(host: Host, argument: str) -> None:
    pattern = argument.strip().rstrip("; ").removesuffix("()") or "*"
    try:
        text = functions_text(pattern)
    except LookupError as unknown:
        raise UsageError(rf"{unknown}; \df lists all, \df date* those that begin so") from None
    host.write(text)


COMMANDS: tuple[Command, ...] = (
    Command(
        r"\df",
        r"\df [PATTERN]",
        "the functions, and how each is called",
        _functions,
        lambda _: names(),
        alone=True,
    ),
)
