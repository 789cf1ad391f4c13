"""Tests of engine/limits."""
