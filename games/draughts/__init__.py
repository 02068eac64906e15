"""Draughts on 8×8 with flying kings."""
