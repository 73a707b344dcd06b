"""The fit predicates, each prepared for one kind of pod and then asked for a row, a column or a trial."""
