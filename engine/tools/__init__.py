"""The tools an agent has."""
