"""`make bench-learning`: what a memory finds better for having been told what was of use."""
