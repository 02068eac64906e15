"""Triominos."""
