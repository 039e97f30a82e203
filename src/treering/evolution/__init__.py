"""Evolution at work: feedback goes into the ledger, and what it amounts to improves the memory, with evidence only."""
