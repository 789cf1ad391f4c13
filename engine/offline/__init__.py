"""The policy that needs no language model; pure."""
