"""What hooks left behind, taken in by whoever has the whole engine: letters become events, and sessions memories."""
