"""Summaries and plots of batch results."""
