"""Where the ledger and its projections live: in memory, or in one SQLite file."""
