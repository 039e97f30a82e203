"""Two hundred sessions with a memory that is judged and evolves, beside the same memory that does not."""
