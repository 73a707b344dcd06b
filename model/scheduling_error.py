"""Why a scheduling attempt ended without a host, as values.  [A-026, A-036..A-038, L-069]"""

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import frozen

from model.api.aggregate import aggregate
from model.fit import Fit
from model.rules import clause, declare, reached, rule

declare("A-037", "A failure of MatchInterPodAffinity shows as two entries of the histogram", __name__)
declare("A-038", "With short-circuit a node's entry holds the reasons of its first failing predicate only", __name__)


@frozen
class NoNodesAvailable:
    """The API knows no node at all.  [A-004]"""

    text = "no nodes available to schedule pods"


@frozen
class OtherError:
    """The attempt could not be carried through; no preemption follows."""

    text: str


@frozen
class FitError:
    """No node is feasible.  `num_all_nodes`: listed nodes; `failed`: why each evaluated one was refused."""

    num_all_nodes: int
    failed: Mapping[str, Fit]

    @property
    def text(self) -> str:
        return fit_error_text(self.num_all_nodes, self.failed)


SchedulingError = FitError | NoNodesAvailable | OtherError


@rule("A-036", "A FitError counts every reason over all nodes and sorts the counted texts as byte strings")
@clause("L-069", "Errors make the attempt fail with their aggregate; no feasible node makes it fail with a FitError")
def fit_error_text(num_all_nodes: int, failed: Mapping[str, Fit]) -> str:
    """For instance `0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had no available disk.`"""
    reached("L-069")
    histogram = Counter(reason.text for fit in failed.values() for reason in fit)
    counted = sorted((f"{count} {text}" for text, count in histogram.items()), key=str.encode)
    return f"0/{num_all_nodes} nodes are available: {', '.join(counted)}."


@rule("A-026", "Errors of single nodes fail the whole attempt with one text that counts repetitions")
def counted_errors(messages: Iterable[str]) -> str:
    """The texts in byte order, where kube-scheduler's own order is arbitrary.  [nondet]"""
    counts = Counter(messages)
    by_text = sorted(counts.items(), key=lambda counted: counted[0].encode())
    return aggregate(text if count == 1 else f"{text} (repeated {count} times)" for text, count in by_text)
