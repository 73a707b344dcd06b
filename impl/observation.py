"""The inside of the scheduler, for whoever compares it."""

from collections.abc import Iterable, Mapping

from impl.algorithm import Algorithm
from impl.backoff import NEVER
from impl.binding import Phase
from impl.queue import Entry
from impl.surroundings import Surroundings
from model.api.objects import Pod
from model.api.protocol import Observation


def observe(surroundings: Surroundings, algorithm: Algorithm, phases: Iterable[Phase]) -> Observation:
    """Takes the algorithm's notes away with it."""
    queue, cache = surroundings.queue, surroundings.cache
    ends = queue.backoff.ends
    backing_off = sorted(queue.backing_off, key=lambda entry: (ends.get(entry.backoff_key, NEVER), entry.key))
    notes = tuple(algorithm.notes)
    algorithm.notes.clear()
    return Observation(
        active=_keys(queue.in_pop_order()),
        backoff=_keys(backing_off),
        unschedulable=tuple(sorted(_keys(queue.unschedulable.values()))),
        nominated=_by_node(queue.nominated),
        scheduling_cycle=queue.cycle,
        move_request_cycle=queue.move_cycle,
        assumed=tuple(sorted(cache.pods[uid].pod.key for uid in cache.assumed)),
        cache_nodes=_by_node({name: aggregate.pods for name, aggregate in cache.aggregates.items()}),
        ghost_nodes=_by_node(
            {name: aggregate.pods for name, aggregate in cache.aggregates.items() if aggregate.node is None}
        ),
        last_node_index=algorithm.last_node_index,
        pending_binds=tuple(f"{phase.pod.key} {'held' if phase.volumes is None else 'volumes'}" for phase in phases),
        notes=notes,
    )


def _keys(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(entry.key for entry in entries)


def _by_node(pods: Mapping[str, Iterable[Pod]]) -> dict[str, tuple[str, ...]]:
    return {node: tuple(pod.key for pod in held) for node, held in pods.items()}
