"""What a text tells of the things that it names: verbs, turns of speech, and who does what to whom."""
