"""Dated facts from texts: extraction, resolving, deciding, and finding them again."""
