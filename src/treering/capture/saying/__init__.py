"""What somebody says, and whether it is worth keeping.

own          a prompt's sentences that are the speaker's own: no quotation, no log, no paste
clauses      where a sentence may begin to say something of its own
doubts       signs that a sentence is not meant to last, or not meant at all
clear        a sentence that can be understood alone, cleaned
scope        whom it is about, and when it applies
telling      "remember that …"
lasting      words that say that something holds beyond the moment
standing     what shall always be so
customs      how things are done, and what a person likes
correcting   "no, use …"
deciding     what was decided, and why
weighing     reasons without a "because"
verbs        words that command, and words that tell of trouble
phrases      expressions made of lists of phrases
"""
