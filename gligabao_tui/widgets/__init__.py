"""House widgets: they take values and post messages, render plain text only, and do no I/O."""
