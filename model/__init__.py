"""The reference semantics of kube-scheduler: pure functions over frozen values.

Start with `model.loop` for what happens in which order, `model.algorithm` for one scheduling
attempt, and `model.rules` for the list of all rules and where each of them lives.
"""
