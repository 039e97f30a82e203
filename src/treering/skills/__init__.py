"""Skills: files that tell an agent how to do a thing. Found, read, written and put where they belong.

paths, descent, place   files below a root, safely
frontmatter, block      what a skill says of itself, written and read
index, search           which skills there are, and which of them a prompt is about
rules, credit           what a skill may be called; of what use those were that were loaded
signals, proposals      what speaks for a new skill, and what a person decides on
"""
