"""Reading the cluster that a command is about, with a notice of what is left out of account."""

from collections.abc import Iterable

from model.api.cluster import Cluster
from model.api.manifests import read_manifests
from oracle.cli.streams import notice
from oracle.unheeded import unheeded


def read_dump(paths: Iterable[str]) -> Cluster:
    """Raises ManifestError."""
    manifests = read_manifests(*paths)
    if manifests.notice:
        notice(manifests.notice)
    if left_out := unheeded(manifests.cluster):
        notice("\n  ".join(["this cluster says things that kube-scheduler v1.15 does not heed:", *left_out]))
    return manifests.cluster
