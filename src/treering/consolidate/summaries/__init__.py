"""Group episodes that belong together, sum them up, and check what a summary left out."""
