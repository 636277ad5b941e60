"""Fits on listed configurations."""
