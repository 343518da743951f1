"""What is made when it is first asked for, and then kept: by a function of a module and its
arguments, so that it is data, can be pickled, and leads to nothing but what it is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Once(Generic[T]):
    """The result of `work(*arguments)`, made at the first call.

    Args:
        work: a function of a module; whoever unpickles this finds it by its name.
        arguments: of it.
    """

    __slots__ = ("_arguments", "_made", "_work")

    def __init__(self, work: Callable[P, T], *arguments: P.args, **none: P.kwargs) -> None:
        self._work: Callable[..., T] = work
        self._arguments: tuple[object, ...] = arguments
        self._made: tuple[T] | None = None

    def __call__(self) -> T:
        """What is made."""
        if self._made is None:
            self._made = (self._work(*self._arguments),)
        return self._made[0]

    def __reduce__(self) -> tuple[object, ...]:
        return Once, (self._work, *self._arguments)  # made anew: it may be large
