"""The optimized scheduler behind the protocol of judgeable parts."""

from collections.abc import Mapping
from typing import Any

from impl import judged, judged_alone
from impl.bench import Bench
from impl.cache_component import OptimizedCache
from impl.queue_component import OptimizedQueue
from impl.scheduler import OptimizedScheduler
from model.api.components import CacheComponent, Decision, PreemptionDecision, QueueComponent, Situation, Verdict
from model.api.configuration import Configuration
from model.api.protocol import Scheduler


class Optimized:
    """`canonical`: where the real scheduler leaves the choice to chance, it chooses as recorded runs do."""

    name = "impl"
    canonical = True

    def scheduler(self, configuration: Configuration) -> Scheduler:
        return OptimizedScheduler(configuration)

    def queue(self) -> QueueComponent:
        return OptimizedQueue()

    def cache(self, ttl_ms: int) -> CacheComponent:
        return OptimizedCache(ttl_ms)

    def decide(self, situation: Situation) -> Decision:
        return judged.decide(situation)

    def preempt(self, situation: Situation) -> PreemptionDecision:
        return judged.preempt(situation)

    def predicate(self, name: str, situation: Situation, node: str, arguments: Mapping[str, Any]) -> Verdict:
        return judged_alone.predicate(name, situation, node, arguments)

    def priority(self, name: str, situation: Situation, arguments: Mapping[str, Any]) -> Mapping[str, int]:
        return judged_alone.priority(name, situation, arguments)

    def bench(self, configuration: Configuration) -> Bench:
        return Bench(configuration)
