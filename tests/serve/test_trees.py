"""Trees of data on a server: several queries, one after the other."""

from __future__ import annotations

import pytest

from dpsql.models import DecisionTree
from tests.support.serving import Served


def test_a_tree_of_data_on_a_server_is_the_one_on_the_spot(server: Served) -> None:
    sql = "SELECT cost, age FROM visits JOIN people ON id = person"
    model = DecisionTree("cost", ["age"], depth=1, bins=4)
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        fitted = there.fit(sql, model, 3)
        assert float(fitted.cost.eps) == pytest.approx(3)
        assert there.fit(sql, model, 3).nodes == here.fit(sql, model, 3).nodes == fitted.nodes
