"""The simple loop, its tools' protocol and its observer."""
