"""Risk Express, the dice game of conquest."""
