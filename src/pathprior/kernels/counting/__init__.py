"""Counting and sampling DAGs."""
