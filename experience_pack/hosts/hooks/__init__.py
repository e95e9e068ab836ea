"""Hooks: what a host runs before each model call and at the end of a turn."""
