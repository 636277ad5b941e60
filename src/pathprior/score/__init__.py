"""The coded data table and the local scores."""
