"""Volume binding as the scheduler does it: find volumes for a node, assume them, have them bound.

`find` chooses, `binder` keeps what was chosen and assumed, `bind` talks to the API server.
"""
