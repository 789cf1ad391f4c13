"""Reading pages safely and searching; the only part that meets the network for content."""
