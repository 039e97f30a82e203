"""How long it takes to list a thousand skills and to find those that a prompt is about, beside listing their files.

Bare is to look up the folder, and the size and time of each file in it. First, the head of every file is read. Then the
same index is asked again, which looks at every file but reads none. Then a fresh process is, with what the first one
kept: as timed inside of it, and as a whole beside a process that only lists the files.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import perf_counter

import treering
from benchmarks import opening, report
from benchmarks.figures import Figure, compare, figure
from benchmarks.texts import Notes
from treering.skills.frontmatter import emit
from treering.skills.index import FILE_NAME, Index
from treering.skills.paths import FILE_NAMES, TARGET, folders
from treering.skills.place import place
from treering.skills.rules import slug

SIZE = 1_000
GOAL = 100.0  # milliseconds for a fresh process to list and search, at the most
REPEATS, STARTS = 9, 15
_BODY = 2_000  # characters, about those of a skill

_TIMED = """
from time import perf_counter
{imports}
start = perf_counter()
{work}
print(1000 * (perf_counter() - start))
"""
_LISTED = "for entry in os.scandir({path!r}): os.stat(os.path.join(entry.path, {file!r}))"
_ASKED = "found = Index(folders({root!r}, {home!r}), {kept!r}); rank(found.skills(), {prompt!r})"
_IMPORTS = "from treering.skills.paths import folders\nfrom treering.skills.index import Index, rank"


def make(folder: str, size: int) -> None:
    """A project with so many skills."""
    notes = Notes()
    for number, note in enumerate(notes.take(size)):
        name = f"{slug(note)[:50].strip('-')}-{number}"
        body = "\n\n".join(notes.take(_BODY // 200))
        place(folder, f"{TARGET}/{name}/{FILE_NAMES[0]}", f"{emit(name, note)}\n{body}\n")


def run(size: int, repeats: int, starts: int, folder: str) -> Iterator[Figure]:
    """The figures of one size."""
    make(folder, size)
    path, kept = os.path.join(folder, TARGET), os.path.join(folder, FILE_NAME)
    prompt = " ".join(next(Notes().take(1)).split()[:12])
    where = folders(folder, folder)
    index = Index(where, kept)
    index.skills()

    def bare() -> float:
        return _milliseconds(lambda: _list(path))

    yield figure(
        "list, first: every head read", size, "ms", compare(bare, lambda: _milliseconds(Index(where).skills), repeats)
    )
    yield figure("list, again", size, "ms", compare(bare, lambda: _milliseconds(index.skills), repeats))
    yield figure(
        "search, again", size, "ms", compare(bare, lambda: _milliseconds(lambda: index.search(prompt)), repeats)
    )
    compileall.compile_dir(os.path.dirname(treering.__file__), quiet=1)
    listed = _TIMED.format(imports="import os", work=_LISTED.format(path=path, file=FILE_NAMES[0]))
    for name, file in (("with what was kept", kept), ("with nothing kept", "")):
        work = _ASKED.format(root=folder, home=folder, kept=file, prompt=prompt)
        programs = listed, _TIMED.format(imports=_IMPORTS, work=work)
        inside = [_pair(_timed, programs) for _ in range(starts)]
        yield figure(f"list and search in a fresh process, {name}", size, "ms", inside)
        if file:
            took = median(ours for _, ours in inside)
            yield figure("list and search in a fresh process; bare: the goal", size, "ms", [(GOAL, took)], 1.0)
        yield figure(f"the whole process, {name}", size, "ms", [_pair(_whole, programs) for _ in range(starts)])


def _pair(timed: Callable[[str], float], programs: tuple[str, str]) -> tuple[float, float]:
    bare, ours = programs
    return timed(bare), timed(ours)


def _list(path: str) -> None:
    for entry in os.scandir(path):
        os.stat(os.path.join(entry.path, FILE_NAMES[0]))


def _milliseconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return 1000 * (perf_counter() - start)


def _timed(program: str) -> float:
    """What a fresh process says that its work took."""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return float(done.stdout)


def _whole(program: str) -> float:
    return opening.run([sys.executable, "-c", program])


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    print(report.HEADINGS, end="", flush=True)
    figures = []
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        for found in run(options.size, options.repeats, options.starts, folder):
            print(report.line(found), end="", flush=True)
            figures.append(found)
    if options.save:
        record = {**report.heading(), "method": (__doc__ or "").strip(), "figures": report.rows(figures)}
        print(f"\nrecorded in benchmarks/results/{report.write('skills', record)}")
        report.show_in_readme("skills", report.table(figures), record)
    return 0 if all(found.met for found in figures) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.skills", description="How fast skills are found.")
    parser.add_argument("--size", type=int, default=SIZE, metavar="N", help="skills")
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N")
    parser.add_argument("--starts", type=int, default=STARTS, metavar="N", help="processes of each kind")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
