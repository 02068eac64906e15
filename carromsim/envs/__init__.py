"""Adapters for gymnasium and PettingZoo."""
