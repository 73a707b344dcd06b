"""How long Z3 takes to judge one decision.

    python -m oracle.verify.timing

prints the median and the 99th percentile of the checks, in ms of CPU, on generated clusters of three sizes.
"""

import time
from collections.abc import Callable, Iterator
from random import Random

from model.api.cluster import Cluster, read_cluster
from model.api.decode import decode
from model.api.objects import Pod
from oracle.smt.facts import Facts
from oracle.smt.preemption import Eviction, greedy
from oracle.smt.question import Incoming
from oracle.smt.settings import Settings
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.swarm import FEATURES, Draw
from oracle.verify.claims import Claims

SIZES = ((12, 30, 200), (100, 1000, 60), (1523, 8152, 25))
"""Nodes, pods on them, and pods to judge decisions about."""
USUAL = frozenset(FEATURES) - {"invalid", "huge", "claims", "nominated", "unschedulable", "node-churn", "extenders"}
URGENT = 1000
"""A priority above all others, so that there is somebody to evict."""

Check = Callable[[], object]


def crowded(nodes: int, pods: int, draw: Draw) -> Cluster:
    names = [f"n{at}" for at in range(nodes)]
    running = (placed(draw, pod(draw, f"p{at}", "default"), draw.pick(names)) for at in range(pods))
    return read_cluster({"nodes": [node(draw, name) for name in names], "pods": list(running)})


def incoming(draw: Draw, at: int) -> Pod:
    document = pod(draw, f"in{at}", "default")
    return decode({**document, "spec": document["spec"] | {"priority": URGENT}}, Pod)


def checks(cluster: Cluster, about: Pod, draw: Draw) -> Iterator[tuple[str, Check]]:
    """Taking in the cluster is part of each check."""
    facts = Facts.of(cluster)
    name = draw.pick(sorted(facts.nodes))
    victims = greedy(Eviction.of(Incoming(facts, about), facts.nodes[name], simulated=True))

    def claims() -> Claims:
        return Claims(Facts.of(cluster), about, Settings())

    yield "host", lambda: claims().host(name)
    yield "unschedulable", lambda: claims().unschedulable()
    if victims:
        yield "victims", lambda: claims().victims(name, victims)


def main() -> None:
    print(f"{'nodes':>6} {'pods':>6}  {'check':14} {'count':>6} {'median ms':>10} {'p99 ms':>10}")
    for nodes, pods, count in SIZES:
        draw = Draw(Random(f"{nodes}"), USUAL)
        cluster = crowded(nodes, pods, draw)
        taken: dict[str, list[float]] = {}
        for at in range(count):
            for name, check in checks(cluster, incoming(draw, at), draw):
                start = time.process_time()
                check()
                taken.setdefault(name, []).append((time.process_time() - start) * 1000)
        for name, times in taken.items():
            times.sort()
            median, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
            print(f"{nodes:6} {pods:6}  {name:14} {len(times):6} {median:10.1f} {p99:10.1f}")


if __name__ == "__main__":
    main()
