"""The Engine protocol as JSON lines over a local socket."""
