"""What a small decision around one idea consists of."""

from attrs import Factory, frozen

from oracle.strategies.clusters import Lists
from oracle.strategies.pools import Document


@frozen
class Twist:
    """A cluster, a pod to decide about, and what the scheduler is configured with for its sake."""

    lists: Lists
    pod: Document
    config: Document = Factory(dict)
