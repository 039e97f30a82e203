"""Read what a text tells of the things that it names: verbs, phrases, and who does what to whom."""
