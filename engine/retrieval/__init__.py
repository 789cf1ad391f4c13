"""Words, sentences and ranking over our own postings; pure."""
