"""Checks quotations against what was read."""
