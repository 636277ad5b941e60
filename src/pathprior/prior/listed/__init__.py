"""The fit of beliefs whose configurations can be listed."""
