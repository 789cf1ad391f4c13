"""The terminal itself: what is sent to it beside the screen, and what it is asked to run."""
