"""The optimized scheduler: the decisions of `model`, taken on columns, heaps and kept counts."""
