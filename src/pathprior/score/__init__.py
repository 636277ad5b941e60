"""The local scores."""
