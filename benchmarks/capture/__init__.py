"""How well capture keeps what is worth keeping out of a coding session: labelled transcripts and their judge."""
