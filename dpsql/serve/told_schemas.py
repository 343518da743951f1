"""Schemas that were told by their digests, so that each is told once."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import replace

from dpsql.core.schema import Schema
from dpsql.report.explanation import Explanation
from dpsql.session.remote.codec import encoded
from dpsql.session.remote.remote_facts import Told

MOST = 256


class ToldSchemas:
    """Of one server, the newest. Safe for threads."""

    def __init__(self) -> None:
        self._schemas: OrderedDict[str, Schema] = OrderedDict()
        self._digests: OrderedDict[Schema, str] = OrderedDict()  # by identity
        self._lock = threading.Lock()

    def told(self, data: str, explained: Explanation) -> Told:
        """What is told of a query, and of its schema the digest, by which it can be asked for."""
        found = Told.of(explained)
        assert isinstance(found.schema, Schema)
        digest = self.digest(found.schema)
        with self._lock:
            self._schemas[f"{data}/{digest}"] = found.schema
            while len(self._schemas) > MOST:
                self._schemas.popitem(last=False)
        parts = tuple((self.told(data, one), times) for one, times in explained._parts)
        return replace(found, schema=digest, parts=parts)

    def find(self, data: str, digest: str) -> Schema | None:
        """One that was told of a data set."""
        with self._lock:
            return self._schemas.get(f"{data}/{digest}")

    def digest(self, schema: Schema) -> str:
        """By which a schema is known."""
        with self._lock:
            known = self._digests.get(schema)
        if known is None:
            known = hashlib.sha256(json.dumps(encoded(schema)).encode()).hexdigest()
            with self._lock:
                self._digests[schema] = known
                while len(self._digests) > MOST:
                    self._digests.popitem(last=False)
        return known
