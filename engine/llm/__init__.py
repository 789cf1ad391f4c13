"""Models behind one protocol: Anthropic, offline, recorded; and the retries around them."""
