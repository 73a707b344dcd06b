"""How fast a scheduler decides: nine workloads that were also run through kube-scheduler v1.15.3."""
