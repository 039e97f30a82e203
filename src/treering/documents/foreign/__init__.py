"""Other memories: their files read, and their ways of asking answered from our ledger."""
