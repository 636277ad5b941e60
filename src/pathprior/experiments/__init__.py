"""The paper's tables and figures, one file each, and the runner they share."""
