"""What recall learns from judgements: which questions a memory answered, and which kinds of memories answer what."""
