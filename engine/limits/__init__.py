"""Prices and caps: what calls cost and when to stop; pure."""
