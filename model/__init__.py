"""The reference semantics of kube-scheduler v1.15: pure functions over frozen values, to be read like a specification.

What happens:

    loop/        one event in, calls to the outside on the way, the state after it; begin with `loop.step`
    queue/       which pod is tried next, and which ones wait for what
    cache/       what counts on which node, the snapshot of it, the order in which nodes are tried
    algorithm    one attempt: feasibility (fits, predicates/), then scoring (priorities/) and host_selection
    preemption/  who would have to go, from which node
    volumes/     which volumes a pod's claims would use on a node, and having them bound; volume_decisions: what is kept
    extenders    the web hooks that may take part in all of that

What it is made of:

    api/         the vocabulary that every scheduler here shares: objects, quantities, selectors, events, calls
    node_info, world, attempt, semantics   what is known of a node, of the cluster, in one attempt; the rules in force
    releases     a release as a value, from a configuration (gates, providers, selection, validation)

What is free: sampling and permitted say what parallel workers and equal nodes allow besides the canonical choice.
Accounts: rules lists all rules with their places, quirks the switches, unmodelled and unswitched the exceptions.
The model behind the protocols that schedulers are judged by: engine, scheduler, decision, standing.
"""
