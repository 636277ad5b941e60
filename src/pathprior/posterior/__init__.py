"""Graphs drawn from the posterior."""
