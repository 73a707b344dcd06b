"""Stands for the tests that `pytest --scheduler S` makes; see oracle.testing.plugin."""
