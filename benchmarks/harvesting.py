"""What a harvest takes from the documentation of the packages that are installed here: counts, and a sample to read.

Whether a fact is worth keeping, a person says: print a sample, mark each line, count.
"""

from __future__ import annotations

import argparse
import random
import sysconfig
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from time import process_time

from treering.documents.harvest import facts

Document = tuple[str, str]


def documents() -> Iterator[Document]:
    """Every Markdown file of the environment, and every description that is Markdown; each text once."""
    seen: set[str] = set()
    for name, text in (*_descriptions(), *_files()):
        if text not in seen:
            seen.add(text)
            yield name, text


def _descriptions() -> Iterator[Document]:
    for found in distributions():
        head, _, text = (found.read_text("METADATA") or "").partition("\n\n")
        if "Description-Content-Type: text/markdown" in head:
            yield f"{found.name}/README.md", text


def _files() -> Iterator[Document]:
    root = Path(sysconfig.get_path("purelib"))
    for path in sorted(root.rglob("*.md")):
        yield str(path.relative_to(root)), path.read_text(encoding="utf-8", errors="replace")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.harvesting", description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="how many facts to print")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    given = parser.parse_args()
    texts = list(documents())
    start = process_time()
    found = [(name, fact) for name, text in texts for fact in facts(text, name)]
    took = process_time() - start
    size = sum(len(text) for _, text in texts) / 1_000_000
    print(f"{len(found):,} facts from {len(texts):,} documents, {size:.1f} million characters in {took:.1f} s of CPU\n")
    for name, fact in random.Random(given.seed).sample(found, min(given.sample, len(found))):
        print(f"{name}:{fact.line}  {fact.type}\n  {fact.text}\n")


if __name__ == "__main__":
    main()
