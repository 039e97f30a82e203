"""What is worth keeping of a session, found without a model: in what the user said, and in what the agent did.

Junk is worse than a gap, so whatever is in doubt is left out; and nothing is ever taken from the output of a tool, from
a file, a page, a quotation, a pasted log, a summary, or a message that no person typed.

turns        a session: what was said, what was done
transcript   a session's turns, from the transcript of Claude Code, from an offset on
rollout      the same from Codex's
outputs      whether a call worked
catches      what is found
saying       what somebody says, and whether it is worth keeping
joining      two sentences that say one thing
repeating    what was said before: once more, otherwise, or taken back
changes      what changes something
fixes        a command that failed, a change, and the same command that worked
catching     all of it
asked        what a model may find besides, under the same doubts
episode      a session in a sentence or two

Reading in pieces: a fix, a decision and a thing taken back may stretch over some prompts. So a caller keeps, besides
`offset`, the first of `starts` (the last six prompts, within the last megabyte; `offset` if there is none), and begins
there when the file has grown. What is caught a second time has the mark of the first. What was caught of a line that is
read again, and is no longer caught, was taken back or contradicted meanwhile.
"""
