"""What the output of a tool says of the call: whether it worked. Nothing else is taken from it."""

from __future__ import annotations

from treering.transcripts.failures import telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.capture.turns import Did

_LOOKED_AT = 4_000  # characters from either end of an output
# Behind a pipe, or in front of "|| true", a command's exit code is lost, and only its output tells that it failed.
_HIDING = ("|", "; echo", ";echo")
_SIGNS = (
    *("Traceback (most recent call last)", "npm ERR!", "npm error", "FAILED", "FAILURES", "ERRORS", "error:", "Error:"),
    *("error[E", "command not found", "No such file or directory", "BUILD FAILED", "panic:", "fatal:", "exit code 1"),
    *("exit code: 1", "Exit status 1", "✗", "✕", "error TS", "ELIFECYCLE", "FAIL ", "--- FAIL"),
)
_WAITING = ("Command running in background", "Command is running in background")


def answered(call: Did, output: str) -> Did:
    """A call with a result that is no error."""
    if output.startswith(_WAITING):
        return call
    if call.command and any(hiding in call.command for hiding in _HIDING):
        seen = output if len(output) <= 2 * _LOOKED_AT else output[:_LOOKED_AT] + "\n" + output[-_LOOKED_AT:]
        if any(sign in seen for sign in _SIGNS):
            return failed(call, output)
    return call._replace(ok=True)


def failed(call: Did, output: str) -> Did:
    return call._replace(ok=False, error=telling(output))
