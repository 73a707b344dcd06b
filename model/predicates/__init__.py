"""The fit predicates: why a pod does not fit a node.  `registry` lists them by name, in evaluation order."""
