"""Read texts as statements: words, quantities, sentences, and what they claim."""
