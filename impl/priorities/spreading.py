"""Priorities that keep the pods of one workload apart.  [S-022, S-055..S-058, S-070]"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from impl.lanes import Ints, Lane, Rows
from impl.pair_index import spread_search
from impl.pod_kind import PodKind
from impl.predicates.service_affinity import services_of
from impl.priorities.scorer import MAX, Constant, Factory, Scorer, Subject
from impl.stores import Stores
from impl.tally import Tally
from model.api.objects import ReplicaSet, StatefulSet
from model.api.selectors import Selector, SelectorError, from_label_selector, from_map

ZONE_WEIGHT = 2.0 / 3.0
FEW_PAIRS = 64
"""To look for those that occur takes longer."""


def pod_selectors(kind: PodKind, stores: Stores) -> list[Selector]:
    """The selectors of the services and controllers that select the pod.  [S-022]"""
    selectors = [from_map(service.spec.selector) for service in services_of(kind, stores)]
    if kind.labels:
        selectors += [
            from_map(controller.spec.selector)
            for controller in stores.replication_controllers.values()
            if controller.namespace == kind.namespace
            and controller.spec.selector
            and _equal(controller.spec.selector, kind.labels)
        ]
        for sets in (stores.replica_sets.values(), stores.stateful_sets.values()):
            selectors += _set_selectors(sets, kind)
    return selectors


def _equal(wanted: Mapping[str, str], labels: Mapping[str, str]) -> bool:
    return all(labels.get(key) == value for key, value in wanted.items())


def _set_selectors(sets: Iterable[ReplicaSet | StatefulSet], kind: PodKind) -> list[Selector]:
    """One selector that cannot be built silences all of its kind."""
    try:
        return list(_matching(sets, kind))
    except SelectorError:
        return []


def _matching(sets: Iterable[ReplicaSet | StatefulSet], kind: PodKind) -> Iterator[Selector]:
    for one in sets:
        if one.namespace == kind.namespace:
            selector = from_label_selector(one.spec.selector)
            if not selector.is_empty and selector.matches(kind.labels):
                yield selector


class SelectorSpread(Scorer):
    """Few pods of the same kind on the node and, with twice the weight, in its zone.  [S-057]"""

    local = False

    def __init__(self, subject: Subject, tally: Tally) -> None:
        super().__init__(subject)
        self._tally = tally
        self._zones = subject.table.column("zone")

    def scores(self, rows: Rows) -> Lane:
        """Worked out once for every pair of count and zone, as there are few."""
        coded = self._tally.beside(self._zones)
        pairs: Ints = coded.rows[rows]
        nodes = np.bincount(pairs)
        if len(nodes) <= FEW_PAIRS:
            return np.array(_scores_of_pairs(range(len(nodes)), nodes.tolist(), coded.bits))[pairs]
        found = nodes.nonzero()[0]
        scores = np.zeros(len(nodes), np.int64)
        scores[found] = _scores_of_pairs(found.tolist(), nodes[found].tolist(), coded.bits)
        return scores[pairs]


def _scores_of_pairs(pairs: Sequence[int], nodes: list[int], bits: int) -> list[int]:
    """`pairs`: the pods on a node and, in the lower bits, its zone, 0 for none; `nodes`: how many are like that."""
    mask = (1 << bits) - 1
    per_zone = [0] * (mask + 1)
    for pair, times in zip(pairs, nodes, strict=True):
        if pair > mask:
            per_zone[pair & mask] += (pair >> bits) * times
    per_zone[0] = 0
    beside = _falling(per_zone, max(per_zone), ZONE_WEIGHT)
    alone, partly = _by_count(pairs[-1] >> bits)
    return [
        int(partly[pair >> bits] + beside[zone] if (zone := pair & mask) else alone[pair >> bits]) for pair in pairs
    ]


def _falling(counts: Iterable[int], most: int, weight: float = 1.0) -> list[float]:
    """10 for none, 0 for the most, times the weight."""
    return [weight * (10.0 * ((most - count) / most if most else 1.0)) for count in counts]


@lru_cache
def _by_count(most: int) -> tuple[list[float], list[float]]:
    """The scores of 0 to `most` pods on a node, and what they count for beside a zone's."""
    counts = range(most + 1)
    return _falling(counts, most), _falling(counts, most, 1.0 - ZONE_WEIGHT)


class Unselected(Constant):
    """The pod belongs to no workload, which its labels decide."""

    local = False


def selector_spread(subject: Subject) -> Scorer:
    """[S-055, S-058]"""
    selectors = pod_selectors(subject.kind, subject.surroundings.stores)
    if not selectors:
        return Unselected(subject, MAX)
    return SelectorSpread(subject, subject.table.pairs.tally(spread_search(subject.kind.namespace, selectors)))


class ServiceAntiAffinity(Scorer):
    """[S-070]"""

    local = False

    def __init__(self, subject: Subject, label: str, tally: Tally | None) -> None:
        super().__init__(subject)
        self._label = label
        self._tally = tally

    def scores(self, rows: Rows) -> Lane:
        values = self.table.labels.column(self._label).codes[rows]
        counts: Ints = self._tally.rows[rows] if self._tally else np.zeros(len(values), np.int64)
        total = int(counts.sum())
        scores = np.full(len(counts), MAX)
        if total:
            per_value = np.bincount(values, weights=counts).astype(np.int64)
            scores = (10.0 * ((total - per_value[values]) / total)).astype(np.int64)
        return np.where(values > 0, scores, 0)


def service_anti_affinity(label: str) -> Factory:
    def factory(subject: Subject) -> Scorer:
        service = next(iter(services_of(subject.kind, subject.surroundings.stores)), None)
        if service is None:
            return ServiceAntiAffinity(subject, label, None)
        search = spread_search(subject.kind.namespace, (from_map(service.spec.selector),))
        return ServiceAntiAffinity(subject, label, subject.table.pairs.tally(search))

    return factory
