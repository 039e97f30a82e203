"""Find what is worth keeping of a session, in what the user said and what the agent did.

Junk is worse than a gap, so whatever is in doubt is left out. Nothing is ever taken from the output
of a tool, a file, a page, a quotation, a pasted log, a summary, or a message that no person typed.

turns        what was said, what was done, what was caught, each thing once
transcript   a session's turns, from the transcript of Claude Code or Codex, from an offset on
sentences    what somebody says, and whether it is worth keeping
fixes        a command that failed, a change, and the same command that worked
sift         all of it, and a session in a sentence or two
model        what a model may find besides, under the same doubts
echoes       recalled memories that come back
mine         prompts and troubles of transcripts, as events
inbox        queued events of hooks

Reading in pieces: a fix, a decision or a retraction may stretch over some prompts. So a caller keeps
the first of `starts` (the last six prompts, within the last megabyte; `offset` if there is none) and
begins there when the file has grown. What is caught a second time has the mark of the first. What is
no longer caught in a line that is read again was taken back or contradicted meanwhile.
"""
