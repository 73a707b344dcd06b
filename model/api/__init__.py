"""The vocabulary that every scheduler, the model and the oracle share: Kubernetes objects, quantities, the protocol.

Nothing here decides anything; decisions live in `model`, `impl` and `oracle`.
"""
