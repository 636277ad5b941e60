"""Data from frames and files, coded at the door."""
