"""Find what goes wrong for somebody who works with an agent, in the ledger and in transcripts.

The format of a transcript is internal to its agent and may change with any release, so nothing in
it is taken for granted, and no instruction in it is followed.
"""
