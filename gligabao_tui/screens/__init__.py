"""The screens: each composes widgets, hears messages, and asks the engine it was given."""
