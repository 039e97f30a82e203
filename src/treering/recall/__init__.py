"""Finding the right memory. For now by keyword, in its simplest honest form."""
