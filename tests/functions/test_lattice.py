"""A row's value on its lattice: whole, in range, near, monotone, and summed exactly."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from dpsql.core.enforce.lattice import MAX_STEPS, on_lattice
from dpsql.core.enforce.secure import secure
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Ref
from tests.functions import draw
from tests.functions.engine import CONNECTION
from tests.functions.test_compositions import options
from tests.support.effort import tries


def test_lattice() -> None:
    @options(tries(200, 1000))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(draw.NUMBERS))
        table = data.draw(draw.tables((kind,)))
        safe = secure(Ref(table.columns[0]), table.proven, table.claimed, value=True)
        values = infer(safe, table.proven)
        assume(values.bounded)
        found = on_lattice(safe, values)
        assert max(abs(found.low), abs(found.high)) <= MAX_STEPS + 1
        table.create()
        (plain, _), (steps, _) = table.evaluate(safe, found.expr)
        whole: list[tuple[Fraction, int]] = []
        for value, step in zip(plain, steps, strict=True):
            if value is None:
                assert step is None
                continue
            count = Fraction(step) / found.step if found.expr.type.is_decimal else Fraction(step)
            assert count.denominator == 1
            assert found.low <= count <= found.high
            near = abs(count * found.step - Fraction(value))
            # Beyond 2^53 steps an exact number loses its last digits on the way to a DOUBLE.
            assert near <= found.step / 2 + abs(Fraction(value)) / 2**51 * (not kind.is_float)
            whole.append((Fraction(value), int(count)))
        whole.sort()
        counts = [c for _, c in whole]
        assert counts == sorted(counts)
        text = table.sql(found.expr)
        for order in ("id", "id DESC"):
            sql = f"SELECT SUM({text}) FROM (SELECT * FROM t ORDER BY {order}) t"
            (total,) = CONNECTION.execute(sql).fetchone() or (None,)
            scale = found.step if found.expr.type.is_decimal else 1
            assert Fraction(total or 0) / scale == sum(counts)

    run()
