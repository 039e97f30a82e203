"""What is worth keeping: sections and their headings, states of decisions, releases, questions, noise."""
