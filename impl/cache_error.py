"""What the cache refuses."""


class CacheError(Exception):
    """A refused operation; the message is kube-scheduler's."""
