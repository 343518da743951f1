"""Whether the checker follows what is accepted, and how long it takes beside the analysis.

    python benchmarks/certificates.py drawn 25000 shop 1   # queries, a policy of the tests, a seed
    python benchmarks/certificates.py time

`drawn` prints how many of so many drawn queries were rejected, public, and certified; one that is
accepted and not certified is printed whole. `time` prints, for each TPC-H query over tables whose
claims are enforced, the least CPU time of some runs of both: the checker reads the SQL that is
printed for the engine anyway.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.analysis import least  # noqa: E402
from benchmarks.forgetting import forget  # noqa: E402
from dpsql.compile import Compiled, ReleasedQuery, compile_query, plain_source  # noqa: E402
from dpsql.core.release.statements import Statements, statements  # noqa: E402
from dpsql.errors import Rejected  # noqa: E402
from dpsql.execution import certify  # noqa: E402
from dpsql.platform.policy import Policy, resolve  # noqa: E402
from tests.adversarial.queries import Query, queries  # noqa: E402
from tests.support.policies import load  # noqa: E402
from tests.support.second_proof import refusal  # noqa: E402
from tests.tpch.data import query  # noqa: E402


def drawn(count: int, policy: str, start: int) -> int:
    """Draw queries; 1 where one was not certified."""
    schema, tally = load(policy).schema, Counter[str]()

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(policy))
    def run(asked: Query) -> None:
        tally["drawn"] += 1
        try:
            compiled = compile_query(asked.text, schema, Fraction(1))
        except Rejected:
            tally["rejected"] += 1
            return
        if not isinstance(compiled.query, ReleasedQuery):
            tally["public"] += 1
        elif (why := refusal(compiled)) is None:
            tally["certified"] += 1
        else:
            tally["refused"] += 1
            print(f"{why}\n  {asked.text}", flush=True)

    run()
    print(policy, start, dict(tally), flush=True)
    return 1 if tally["refused"] else 0


def times() -> None:
    """Print a line for each query of TPC-H."""
    schema = resolve(Policy.load(ROOT / "tests" / "tpch" / "policy.yaml"), None, None)
    print("| query | analysis_ms | checker_ms | ratio |\n|---|---|---|---|")
    ratios: list[float] = []
    for number in range(1, 23):
        text = query(number)

        def analyse(text: str = text) -> None:
            forget()
            with suppress(Rejected):
                compile_query(text, schema, Fraction(1))

        try:
            compiled = compile_query(text, schema, Fraction(1))
        except Rejected:
            continue

        if not isinstance(compiled.query, ReleasedQuery):
            continue
        texts = [statements(release, plain_source) for release in compiled.query.releases]

        def check(compiled: Compiled = compiled, texts: list[Statements] = texts) -> None:
            forget()
            certify.proofs(compiled, texts, plain_source)

        a, b = least(analyse), least(check)
        ratios.append(b / a)
        print(f"| {number} | {a:.1f} | {b:.1f} | {b / a:.2f} |", flush=True)
    print(f"median ratio {statistics.median(ratios):.2f}, largest {max(ratios):.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["drawn"]:
        sys.exit(drawn(int(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
    times()
