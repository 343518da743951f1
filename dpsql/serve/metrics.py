"""Counts for Prometheus: of requests and verdicts, of what waits and what was spent. Not how long a
query took, which rows tell.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from dpsql.errors import AccessDenied
from dpsql.serve.principals import Principal
from dpsql.serve.service import OWNERS_ONLY, Service


class Metrics:
    """Of one server."""

    def __init__(self, service: Service) -> None:
        self._service, self._registry = service, CollectorRegistry()
        self._requests = Counter(
            "dpsql_requests", "Requests.", ("route", "status"), registry=self._registry
        )

    def request(self, route: str, status: int) -> None:
        """Count one, by its route and not by what it names."""
        self._requests.labels(route, str(status)).inc()

    def text(self, who: Principal) -> bytes:
        """All counts.

        Raises:
            AccessDenied: they are for services and owners.
        """
        if who.role not in ("service", "owner"):
            raise AccessDenied(OWNERS_ONLY)
        # Gauges of this request alone: not everybody may see the data sets of all.
        service, now = self._service, CollectorRegistry()
        verdicts = Gauge(
            "dpsql_queries", "What became of queries.", ("data", "verdict"), registry=now
        )
        rows = Gauge("dpsql_queue", "Queries at once.", ("state",), registry=now)
        spent = Gauge("dpsql_budget_eps", "The budget's ε.", ("data", "what"), registry=now)
        rows.labels("waiting").set(service.queue.length)
        rows.labels("running").set(service.queue.running)
        for (data, verdict), count in service.verdicts().items():
            if who.may_see(data):
                verdicts.labels(data, verdict).set(count)
        for name, found in service.data.items():
            if who.may_see(name):
                budget = found.db.budget
                spent.labels(name, "total").set(budget.total.eps)
                spent.labels(name, "spent").set(budget.spent.eps)
        return bytes(generate_latest(self._registry) + generate_latest(now))
