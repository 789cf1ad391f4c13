"""Tests of what reads the web."""
