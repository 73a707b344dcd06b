"""A Kubernetes API server that plays clusters to a real scheduler process and judges what it does.

resources, addresses    which kinds are served, and what a path means; discovery: how clients are told
world, documents        the cluster that is served, and objects that no decision depends on
history                 what the cluster was at every revision
deeds                   what the scheduler asked for, in the order in which it reached the server
requests, answers       what each request is answered with, or refused with (refusals)
reading, writing        objects, collections, status; selecting and patches: what selectors and patches mean
placing                 bindings and evictions
application, watching   HTTP around the answers: bodies, limits, streams
serving, process        the server in a thread, the scheduler in a child process
cases, playing          small clusters for real time, and waiting until nothing moves any more (binding_volumes)
views, ordering         which states a decision may have been made in, and in which order several were
memory                  what a scheduler remembers of all that came before
judging, exactness      whether each is right in one of them
stale_nominations       what may excuse it, as what v1.15 did not look at (stumbling)
validation, account     many clusters, one verdict; findings: what is kept of a wrong one
visit                   one cluster, for a scheduler that comes when it likes
"""

PREFIX = "kube:"
"""Of the name of a scheduler that is a command; without a command, one waits for somebody else's scheduler."""
