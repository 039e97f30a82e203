"""The command line: words are parsed by a table, a function answers, the answer is rendered."""

from __future__ import annotations

import os
import sys

from treering.core.errors import TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from treering.cli.parse import Call

FINE, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130


def main() -> NoReturn:
    """The program.

    When the answer is out, the store is closed. Taking the interpreter apart in good order would then cost
    as much again as reading a memory did, so the process just ends.
    """
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or FAILED
    os._exit(code)


def run(words: Sequence[str]) -> int:
    """Run one command line. Whatever goes wrong ends in a message and a code."""
    _speak_utf8()
    try:
        return _answer(words)
    except TreeringError as error:
        return _complain(error, str(error), words)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _hang_up()
    except OSError as error:
        return _complain(error, f"{error.filename or 'the answer'}: {error.strerror}", words)
    except Exception as error:  # the outer edge: a bug is told in a line, not in a traceback
        if sys.flags.dev_mode:
            raise
        return _complain(error, _bug(error, words), words)


def _answer(words: Sequence[str]) -> int:
    from treering.cli.parse import parse
    from treering.cli.render import put

    call = parse(words)
    module, _, name = call.command.run.partition(":")
    function = getattr(__import__(f"treering.cli.{module}", fromlist=[name]), name)
    if not call.command.opens:
        return put(function(call), call["json"])
    with _opened(call) as memory:
        if call.values.get("project") == ".":
            call.values["project"] = memory.project_of(os.getcwd())
        return put(function(memory, call), call["json"])


def _opened(call: Call) -> Any:
    from treering.wiring import open

    return open(call["home"] or None, space=call["space"], actor="user", as_of=call["as_of"] or None)


def _complain(error: Exception, message: str, words: Sequence[str]) -> int:
    from treering.cli.parse import UsageError, wants_json
    from treering.cli.render import line, pieces

    if wants_json(words):
        text = "".join(pieces({"error": {"kind": type(error).__name__, "message": message}}))
    else:
        text = f"error: {line(message)}\n"
    sys.stderr.write(text)
    return MISUSED if isinstance(error, UsageError) else FAILED


def _bug(error: Exception, words: Sequence[str]) -> str:
    from treering import __version__

    command = next((word for word in words if not word.startswith("-")), "")
    return (
        f"this is a bug in Treering {__version__}: {type(error).__name__}: {error}; please report it, with "
        f"what `python -X dev {sys.argv[0]} {command} …` prints"
    )


def _speak_utf8() -> None:
    """What is stored is UTF-8, and so is what is printed, whatever the locale. A closed stream is nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: SIM115  (open until the process ends)
        setattr(sys, name, stream)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _hang_up() -> int:
    """Nobody reads any more (`| head`). What is left to print goes nowhere, and that is fine."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE
