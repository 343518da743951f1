"""The greatest flow through a graph of two sides that grows, in whole numbers: no float is near it.

Dinic's algorithm (1970): shortest augmenting paths, all of one length at a time. They are walked
with a list, not by recursion, so that their length is no matter. Where nodes let more through, or
edges are added, what flowed before still fits, and is augmented.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

_SOURCE, _SINK = 0, 1


class Flow:
    """From nodes of the left side along edges to nodes of the right side."""

    def __init__(self) -> None:
        self.total = 0
        """What flows."""
        self._nodes: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        self._out: list[list[int]] = [[], []]
        self._to: list[int] = []
        self._room: list[int] = []  # of each edge; edge e ^ 1 is e backwards

    def widen(self, side: int, name: Hashable, more: int) -> None:
        """Let so much more through a node, which is new or there.

        Args:
            side: 0 for the left, 1 for the right.
            name: which node of that side.
            more: ≥ 0.
        """
        node = self._nodes[side].get(name)
        if node is None:
            node = self._nodes[side][name] = len(self._out)
            self._out.append([])
            ends = (node, _SINK) if side else (_SOURCE, node)
            self._edge(*ends, 0)
        self._room[self._out[node][0] ^ (0 if side else 1)] += more

    def has(self, side: int, name: Hashable) -> bool:
        """Whether a node is there."""
        return name in self._nodes[side]

    def widen_all(self, more: int) -> None:
        """Let so much more through every node that is there."""
        for side, nodes in enumerate(self._nodes):
            for name in nodes:
                self.widen(side, name, more)

    def tie(self, left: Hashable, right: Hashable, most: int) -> None:
        """Add an edge between two nodes that are there, along which so much can flow, ≥ 0."""
        self._edge(self._nodes[0][left], self._nodes[1][right], most)

    def augment(self) -> int:
        """Let as much flow as can, and say how much that is in all."""
        while (level := self._levels())[_SINK] >= 0:
            places = [0] * len(self._out)
            while found := self._path(level, places):
                self.total += found
        return self.total

    def _edge(self, start: int, end: int, most: int) -> None:
        for a, b, room in ((start, end, most), (end, start, 0)):
            self._out[a].append(len(self._to))
            self._to.append(b)
            self._room.append(room)

    def _levels(self) -> list[int]:
        """How far each node is from the source, by edges with room; -1 for those out of reach."""
        level = [-1] * len(self._out)
        level[_SOURCE] = 0
        todo = deque([_SOURCE])
        while todo:
            node = todo.popleft()
            for edge in self._out[node]:
                if self._room[edge] and level[self._to[edge]] < 0:
                    level[self._to[edge]] = level[node] + 1
                    todo.append(self._to[edge])
        return level

    def _path(self, level: list[int], places: list[int]) -> int:
        """Send as much as one path takes, and say how much: 0 where there is none any more."""
        path: list[int] = []
        node = _SOURCE
        while node != _SINK:
            out = self._out[node]
            while places[node] < len(out):
                edge = out[places[node]]
                if self._room[edge] and level[self._to[edge]] == level[node] + 1:
                    break
                places[node] += 1
            if places[node] < len(out):
                path.append(out[places[node]])
                node = self._to[path[-1]]
            elif path:
                node = self._to[path.pop() ^ 1]
                places[node] += 1
            else:
                return 0
        sent = min(self._room[edge] for edge in path)
        for edge in path:
            self._room[edge] -= sent
            self._room[edge ^ 1] += sent
        return sent
