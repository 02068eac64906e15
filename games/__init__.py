"""The games: one folder each, all the same inside."""
