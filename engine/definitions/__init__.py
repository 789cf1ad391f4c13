"""Agents described in files: read, checked whole, resolved to values, and packed into bundles."""
