"""Find what a text names: the tables of names, the shapes of names, and the words around them."""
