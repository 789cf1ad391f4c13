"""Tests of engine/llm."""
