"""Discs on a table: numpy and pymunk, no rules, no pictures."""
