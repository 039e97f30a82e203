"""The dashboard: pages on the memory for a person, in a browser on this machine."""
