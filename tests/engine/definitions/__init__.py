"""Tests of engine.definitions."""
