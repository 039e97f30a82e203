"""Keep the ledger and its projections: a port, and SQLite behind it, in a file or in memory."""
