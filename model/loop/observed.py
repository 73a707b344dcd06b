"""The inside of the scheduler, as the protocol shows it."""

from collections.abc import Iterable

from model.api.clock import Instant
from model.api.protocol import Observation
from model.loop.state import NodeBinding, SchedulerState
from model.node_info import NodeInfo
from model.queue.backoff import backoff_time
from model.queue.heap import in_pop_order
from model.queue.state import Entry, less_active
from model.quirks import Quirks


def observed(state: SchedulerState, quirks: Quirks) -> Observation:
    queue, cache = state.queue, state.cache

    def end_of_backoff(entry: Entry) -> tuple[Instant, str]:
        return backoff_time(queue.backoffs, entry.pod, quirks) or Instant(0), entry.key

    return Observation(
        active=_keys(in_pop_order(queue.active, less_active)),
        backoff=_keys(sorted(queue.backoff.entries.values(), key=end_of_backoff)),
        unschedulable=tuple(sorted(_keys(queue.unschedulable.values()))),
        nominated={node: tuple(pod.key for pod in pods) for node, pods in queue.nominated_by_node.items()},
        scheduling_cycle=queue.cycle,
        move_request_cycle=queue.move_cycle,
        assumed=tuple(sorted(cache.pods[uid].pod.key for uid in cache.assumed)),
        cache_nodes={name: _pods(info) for name, info in cache.nodes.items() if info.node},
        ghost_nodes={name: _pods(info) for name, info in cache.nodes.items() if not info.node},
        last_node_index=state.last_node_index,
        pending_binds=tuple(
            f"{waiting.pod.key} {'held' if isinstance(waiting, NodeBinding) else 'volumes'}"
            for waiting in state.bindings
        ),
        notes=state.notes,
    )


def _keys(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(entry.key for entry in entries)


def _pods(info: NodeInfo) -> tuple[str, ...]:
    return tuple(pod.key for pod in info.pods)
