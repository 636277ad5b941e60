"""Counting data rows, and the scores of families."""
