"""What the memory puts before a person: made of signals, with its evidence, and never done before they decide."""
