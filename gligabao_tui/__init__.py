"""The surfaces of gligabao: the terminal app and the commands."""
