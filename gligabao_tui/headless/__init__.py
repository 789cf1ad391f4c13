"""What works without a screen: commands and, later, servers. Never imports Textual."""
