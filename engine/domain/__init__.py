"""Values and words that every other part shares: pure, without clock, disk or network."""
