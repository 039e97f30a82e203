"""The tables of names as one dictionary, and the words that say what the name beside them is."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


def _read() -> dict[str, list[str]]:
    """Read the tables of names.txt: a line in brackets opens one, and `#` begins a comment."""
    tables: dict[str, list[str]] = {}
    names: list[str] = []
    for line in files(__package__).joinpath("names.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            tables[line.strip("[]")] = names = []
        elif not line.startswith("#"):
            names += line.split()
    return tables


_TABLES = _read()
_SENTENCE_STARTS = frozenset(_TABLES["strict"])
ALIASES = dict(pair.split("/") for pair in _TABLES["aliases"])  # other ways to write one name, as normal forms
FIRST_NAMES = frozenset(_TABLES["first_names"])
_PROPER = frozenset(_TABLES["proper_libraries"] + _TABLES["proper_tools"])

EXTENSIONS = frozenset(_TABLES["extensions"])  # of names of files
# A name in kebab-case that ends so is a program of one's own; that begins or ends so, a package.
OWN_ENDS = frozenset(
    """admin agent android api app backend bff bot cli client collector console consumer controller core
    crawler daemon dashboard engine etl exporter firmware frontend functions gateway hub importer indexer
    infra ingest ingestor ios job jobs lambda lib loader mailer mobile monolith monorepo notifier operator
    pipeline platform portal processor producer proxy router runner scheduler sdk server service
    service-v2 shop site store svc sync syncer ui web webapp worker workers""".split()
)


SURE, LIKELY, UNSURE = 0.9, 0.7, 0.5  # confidences: of a known name, of a good guess, of a fair one
GUESSED = 0.4  # of one that counts only if something is told of it


FREE, CAPITAL, STRICT = range(3)  # a name in any case; with a capital only; with one that no sentence gives it


class Entry(NamedTuple):
    type: str
    proper: int = FREE


class Phrase(NamedTuple):
    words: tuple[str, ...]
    type: str


class Lexicon(NamedTuple):
    single: dict[str, Entry]
    phrases: dict[str, list[Phrase]]  # by their first word, the longest first


@lru_cache(1)
def lexicon() -> Lexicon:
    """Return the dictionary: what a word, or the words that it begins, is the name of."""
    single: dict[str, Entry] = {}
    phrases: dict[str, list[Phrase]] = {}
    for table, entry in (
        ("proper_libraries", Entry("library", CAPITAL)),
        ("proper_tools", Entry("tool", CAPITAL)),
        ("concepts", Entry("concept")),
        ("libraries", Entry("library")),
        ("tools", Entry("tool")),
        ("patterns", Entry("pattern")),
        ("conventions", Entry("convention")),
        ("errors", Entry("error")),
        ("files", Entry("file")),
    ):
        for name in _TABLES[table]:
            if "_" not in name[1:-1] or name in _WITH_UNDERSCORE:
                single[name] = entry._replace(proper=_proper(name))
                continue
            words = tuple(name.split("_"))
            phrases.setdefault(words[0], []).append(Phrase(words, entry.type))
    for found in phrases.values():
        found.sort(key=lambda phrase: (-len(phrase.words), phrase.words))
    return Lexicon(single, phrases)


def _proper(name: str) -> int:
    return STRICT if name in _SENTENCE_STARTS else CAPITAL if name in _PROPER else FREE


# Names that have an underscore of their own, where it stands for no blank.
_WITH_UNDERSCORE = frozenset(
    """snake_case pg_dump pg_restore node_modules authorized_keys known_hosts id_rsa serde_json delayed_job factory_bot
    factory_boy wicked_pdf good_job mini_magick env_logger model_bakery ex_unit rails_admin eslint_d""".split()
)
