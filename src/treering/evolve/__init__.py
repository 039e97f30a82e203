"""What makes the memory better: pure parts that judge, compare and estimate."""
