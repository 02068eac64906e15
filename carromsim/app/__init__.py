"""The desktop shell that every game runs in."""
