"""What went wrong for somebody who works with an agent, mined from Claude Code's transcripts.

A transcript is a file of JSON lines that grows while a session runs. Its format is internal to the agent and may change
with any release, so nothing that stands there is taken for granted; and nothing that stands there is ever followed.

signals      what is found: prompts, retry loops, stops
lines        a file's lines, from a place on; the fields of a line
prompts      what a person typed, without what the agent wrote around it
stops        interruptions and rejections
calls        what a tool was asked for, and whether that is about the same as before
commands     the same for command lines
failures     the telling line of an error
loops        calls that fail again and again
transcript   all of it, over one file
"""
