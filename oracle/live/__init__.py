"""A Kubernetes API server that plays clusters to a real scheduler process and judges what it does.

resources, addresses    which kinds are served, and what a path means
world, history          the cluster that is served, and what it was at every revision
deeds                   what the scheduler asked for, in the order in which it reached the server
answers, patches        what each request is answered with
application, watching   HTTP around the answers: bodies, limits, streams
serving, process        the server in a thread, the scheduler in a child process
cases, playing          small clusters for real time, and waiting until nothing moves any more
views, ordering         which states a decision may have been made in, and in which order several were
judging, exactness      whether each is right in one of them
validation, account     many clusters, one verdict
visit                   one cluster, for a scheduler that comes when it likes
"""

PREFIX = "kube:"
"""Of the name of a scheduler that is a command; without a command, one waits for somebody else's scheduler."""
