"""Starts, follows and ends runs; writes what happens."""
