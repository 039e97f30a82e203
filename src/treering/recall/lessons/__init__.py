"""Learn from judgements which questions a memory answered, and which kinds answer what."""
