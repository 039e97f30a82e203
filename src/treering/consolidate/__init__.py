"""Turn episodes into knowledge, connect what is known, and reflect on how the memory does."""
