"""Words of a query that can find something."""

from __future__ import annotations

MOST_TERMS = 64  # a longer query is a document: its first words say what it is about

# Words so common that they would match everything and say nothing.
STOP_WORDS = frozenset(
    """a about above after again against all am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have having
    he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on
    once only or other our ours out over own same she should so some such than that the their theirs them then
    there these they this those through to too under until up very was we were what when where which while who
    whom why will with would you your yours""".split()
)


def terms(query: str) -> list[str]:
    """The words to search for, each once. A query of stop words alone is taken at its word."""
    words = "".join(letter if letter.isalnum() else " " for letter in query.lower()).split()
    found = dict.fromkeys(words)
    meaningful = [word for word in found if word not in STOP_WORDS]
    return (meaningful or list(found))[:MOST_TERMS]
