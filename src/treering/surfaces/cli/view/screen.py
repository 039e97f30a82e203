"""Where output goes: a terminal with a person before it, or a pipe."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from treering.ledger.errors import TreeringError
from treering.surfaces.cli.render import is_terminal, line, safe

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


class NobodyToAsk(TreeringError):
    """A question needs an answer, and there is no terminal to ask at."""


class View(Protocol):
    """Something that can be shown: as plain lines in a pipe, drawn at a terminal."""

    def lines(self) -> Iterable[str]:
        """Return whole lines, without colours, as wide as they are."""

    def parts(self, width: int) -> Iterable[RenderableType]:
        """Return what rich draws on a screen so many columns wide, part by part."""


def console(stderr: bool = False) -> Console:
    """Return a rich console on stdout or stderr. What is printed on it is never read as markup."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    drawn = is_terminal(stream)
    coloured = drawn and not os.environ.get("NO_COLOR")
    return Console(
        file=stream,
        force_terminal=drawn,
        color_system="auto" if coloured else None,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=False,
    )


def show(what: str | View) -> bool:
    """Print a text or a view. Return whether there was anything to print."""
    view = _view(what)
    if not is_terminal():
        return _write(f"{row}\n" for row in view.lines())
    return _write(_drawn(view, console()))


def paged(what: str | View) -> bool:
    """Do as `show` does, through $PAGER or `less -R` if it is longer than the screen of a terminal."""
    view = _view(what)
    if not is_terminal():
        return show(view)
    screen = console()
    pieces = _drawn(view, screen)
    first: list[str] = []
    for piece in pieces:
        first.append(piece)
        if sum(part.count("\n") for part in first) >= screen.height:
            return _page(first, pieces)
    return _write(first)


def note(text: str, style: str = "dim") -> None:
    """Print a line for people beside the answer, on stderr."""
    sys.stdout.flush()
    if is_terminal(sys.stderr):
        console(stderr=True).print(line(text), style=style)
    else:
        sys.stderr.write(line(text) + "\n")


def confirm(question: str) -> bool:
    """Ask at the terminal. Anything but y or yes is a no."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise NobodyToAsk("there is nobody to ask here: add --yes if you mean it")
    sys.stdout.flush()
    sys.stderr.write(f"{line(question)} [y/N] ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:  # Ctrl-D leaves the cursor behind the question
        sys.stderr.write("\n")
    return answer.strip().lower() in ("y", "yes")


class _Text:
    """A text as a view."""

    def __init__(self, text: str) -> None:
        self._text = safe(text)

    def lines(self) -> Iterator[str]:
        return iter(self._text.splitlines())

    def parts(self, width: int) -> Iterator[RenderableType]:
        from rich.text import Text

        if self._text:
            yield Text(self._text)


def _view(what: str | View) -> View:
    return _Text(what) if isinstance(what, str) else what


def _drawn(view: View, screen: Console) -> Iterator[str]:
    """Draw a view part by part, so that the first page of a long list is there at once."""
    for part in view.parts(screen.width):
        with screen.capture() as captured:
            screen.print(part)
        yield "".join(f"{row.rstrip(' ')}\n" for row in captured.get().splitlines())  # rich fills lines with blanks


def _write(pieces: Iterable[str]) -> bool:
    some = False
    for piece in pieces:
        sys.stdout.write(piece)
        some = True
    sys.stdout.flush()
    return some


def _page(first: list[str], rest: Iterator[str]) -> bool:
    command = os.environ.get("PAGER", "less -R").strip()
    if not command or command == "cat" or not shutil.which(command.split()[0]):
        return _write(first) | _write(rest)
    sys.stdout.flush()
    environment = {**os.environ, "LESS": os.environ.get("LESS", "R")}  # `PAGER=less` is to show colours too
    pager = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, text=True, encoding="utf-8", env=environment)
    assert pager.stdin is not None
    with suppress(BrokenPipeError, KeyboardInterrupt):  # whoever has seen enough quits the pager
        for piece in chain(first, rest):
            pager.stdin.write(piece)
    with suppress(BrokenPipeError):
        pager.stdin.close()
    while pager.poll() is None:
        with suppress(KeyboardInterrupt):  # Ctrl-C is the pager's own: it stops a search there
            pager.wait()
    return True
