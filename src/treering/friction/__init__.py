"""What went wrong for somebody who works with an agent, mined from Claude Code's transcripts.

A transcript is a file of JSON lines that grows while a session runs. Its format is internal to the agent and may change
with any release, so nothing that stands there is taken for granted; and nothing that stands there is ever followed.

signals      what is found: prompts, retry loops, stops
calls        what a tool was asked for, and whether that is about the same as before
loops        calls that fail again and again
transcript   all of it, over one file
"""
