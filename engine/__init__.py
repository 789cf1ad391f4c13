"""The research engine: everything but the surfaces, which enter by `engine.api` only."""
