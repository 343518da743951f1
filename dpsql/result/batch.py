"""Answers that were declared together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpsql.explanation import QueryCost
from dpsql.explanation.page import fragment, paragraph
from dpsql.result.answer import Answer


@dataclass(frozen=True, slots=True)
class Batch:
    """The answers to queries that were declared together, in their order.

    Attributes:
        answers: each says its own cost.
        cost: of all together: what the ledger was charged.
    """

    answers: tuple[Answer, ...]
    cost: QueryCost

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __getitem__(self, number: int) -> Answer:
        """An answer, from 0.

        Raises:
            IndexError: there are not so many.
        """
        return self.answers[number]

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.answers), self._total])

    def __repr__(self) -> str:
        return "\n\n".join([*map(repr, self.answers), self._total])

    def _repr_html_(self) -> str:
        """All answers, for notebooks."""
        return "".join(a._repr_html_() for a in self.answers) + fragment(paragraph(self._total))

    @property
    def _total(self) -> str:
        return f"({len(self)} answers, {self.cost})"
