"""A certificate: the proof that a statement moves no further than is claimed, or a refusal."""

from __future__ import annotations

from dpsql.checker.facts import Claim, Clips, Edges, Facts, Listed, Offers, Sums
from dpsql.checker.measures import sums
from dpsql.checker.proof import ODD, Refused, Step, TooDeepError
from dpsql.checker.select import Reader
from dpsql.checker.special import clips, edges, listed, offers
from dpsql.checker.tree import parsed


def certify(claim: Claim, facts: Facts) -> Step:
    """The proof of a claim.

    Args:
        claim: a statement's text, and what is claimed of its answer.
        facts: what is known of the tables that it reads.

    Raises:
        Refused: it does not follow, or the checker does not follow.
    """
    try:
        node = parsed(claim.text)
        if isinstance(claim, Edges):
            return edges(node, claim, facts)
        if isinstance(claim, Listed):
            return listed(Reader(facts, claim.feeds).query(node, {}))
        answers = Reader(facts, claim.feeds).answers(node)
        if isinstance(claim, Clips):
            return clips(answers, claim, facts)
        if len(answers) != 1:
            raise Refused("several answers in one are not followed")
        if isinstance(claim, Offers):
            return offers(answers[0], claim, facts)
        assert isinstance(claim, Sums)
        return sums(answers[0], claim, facts)
    except RecursionError:
        raise TooDeepError("the statement is too deeply nested") from None
    except ODD as error:
        raise Refused(f"a form that is not followed ({type(error).__name__})") from None
