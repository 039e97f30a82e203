"""Read what somebody says, and tell whether it is worth keeping.

own          a prompt's sentences that are the speaker's own: no quotation, no log, no paste
clear        a sentence that can be understood alone: its clauses, its scope, cleaned
doubts       signs that a sentence is not meant to last or not meant at all; reasons
told         "remember that …"
standing     what shall always be so
customs      how things are done, and what a person likes
correct      "no, use …"
decisions    what was decided, and why
words        patterns made of lists of phrases; verbs
"""
