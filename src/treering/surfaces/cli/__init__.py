"""The command line: click reads the words, a function answers, the answer is printed."""

from __future__ import annotations

import os
import sys

from treering.ledger.errors import TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
COMPLETE = "_TREERING_COMPLETE"  # the variable by which a shell asks what could come next


def main() -> NoReturn:
    """Run the program.

    The store is closed when the answer is out. Taking the interpreter apart in good order would then cost as much
    again as reading a memory did, so the process just ends.
    """
    words = sys.argv[1:]
    if "mcp" in words:
        from treering.surfaces.mcp.front import begin

        begin(words)
    code = run(words)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or FAILED
    os._exit(code)


def run(words: Sequence[str]) -> int:
    """Run one command line and return its exit code. Whatever goes wrong ends in a message."""
    import click

    _speak_utf8()
    try:
        return _answer(words)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        from treering.surfaces.cli.app import explained

        return _complain("UsageError", explained(error), words, MISUSED)
    except TreeringError as error:
        return _complain(type(error).__name__, str(error), words, FAILED)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _hang_up()
    except OSError as error:
        return _complain(type(error).__name__, _what_failed(error), words, FAILED)
    except Exception as error:  # the outer edge: a bug is reported in a line, not in a traceback
        if sys.flags.dev_mode:
            raise
        return _complain(type(error).__name__, _bug(error, words), words, FAILED)


def _what_failed(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is None:  # only asking where we are names no file
        return "the folder that you are in was deleted: `cd` to one that is there, and try again"
    return f"{error.filename or 'the answer'}: {error.strerror}"


def _answer(words: Sequence[str]) -> int:
    from treering.surfaces.cli.app import PROGRAM, started

    instruction = os.environ.get(COMPLETE)
    root = started([] if instruction else words)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(root, {"obj": {}}, PROGRAM, COMPLETE, instruction)
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:  # bytes that are no text arrive as halves of characters
            import click

            raise click.UsageError(f"{word!r} is not valid UTF-8") from None
    with root.make_context(PROGRAM, [*words], obj={"words": [*words]}) as context:
        return int(root.invoke(context) or FINE)


def wants_json(words: Sequence[str]) -> bool:
    """Return whether a line asks for JSON, even one that cannot be parsed."""
    before = words[: words.index("--")] if "--" in words else words
    return "--json" in before


def _complain(kind: str, message: str, words: Sequence[str], code: int) -> int:
    from treering.surfaces.cli.render import line, page_of, pieces, wrapped

    if wants_json(words):
        text = "".join(pieces({"error": {"kind": kind, "message": message}}))
    else:
        text = "".join(f"{row}\n" for row in wrapped(f"error: {line(message)}", page_of(sys.stderr, os.environ).width))
    sys.stderr.write(text)
    return code


def _bug(error: Exception, words: Sequence[str]) -> str:
    from treering import __version__

    command = next((word for word in words if not word.startswith("-")), "")
    return (
        f"this is a bug in Treering {__version__}: {type(error).__name__}: {error}; please report it, with "
        f"what `python -X dev {sys.argv[0]} {command} …` prints"
    )


def _speak_utf8() -> None:
    """Print UTF-8 whatever the locale, as what is stored is UTF-8. A closed stream becomes the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: SIM115  (open until the process ends)
        setattr(sys, name, stream)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _hang_up() -> int:
    """Send what is left to the null device: the reader (`| head`) has had enough, which is no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE
