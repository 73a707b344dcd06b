"""The priorities, each prepared for one kind of pod and then asked for rows or for the feasible nodes."""
