"""Find fixes: a command that failed, a change, and the same command that worked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from treering.capture.turns import AGENT, EDITORS, FIX, PROCEDURAL, SHELLS, Catch, Did, Said, Turn
from treering.text.sentences import Sentence, own
from treering.text.transcripts import commands
from treering.text.wishes import LONGEST
from treering.text.words import folded

# What filters the output of a command, and does not change the command.
_WATCHED = re.compile(
    r"\s*(?:2>&1|&>\s?\S+|2>\s?/dev/null|\|\s*(?:tail|head|grep|tee|less|cat|sed|awk|wc|sort)\b[^|&;]*)\s*$"
)
_THERE = re.compile(r"^(?:(?:cd|pushd) [^\s;&]+ ?(?:&&|;) ?)+")
_WORDY = frozenset(
    """-v -vv -vvv -q -qq -x -s --verbose --quiet --silent --tb=short --tb=long --tb=no --tb=line --no-header
    --color=always -ra -rA --bail --no-cov --nocapture""".split()
)

_SETS = ("export ", "unset ", "source ", ". ")  # what a shell itself changes


def is_edit(turn: Did) -> bool:
    return turn.tool in EDITORS and bool(turn.target)


def command(turn: Did) -> str:
    """Return the command that was run, without wrappers and without flags that change only what it prints; empty if it
    was no command."""
    return " ".join(word for word in run(turn).split(" ") if word not in _WORDY)


def run(turn: Did) -> str:
    """Return the command that was run, without wrappers; empty if it was no command."""
    if turn.tool not in SHELLS:
        return ""
    text = " ".join(turn.command.split())
    while found := _WATCHED.search(text):
        text = text[: found.start()]
    return _THERE.sub("", text)


def changes(line: str) -> bool:
    """Tell whether a command line may change something that others need: it does not only look, and is no test."""
    if line.startswith(_SETS):
        return True
    return bool(line) and not commands.looks(line) and not _TESTS.search(line)


def name(path: str) -> str:
    """Return the end of a path, by which a file is known."""
    parts = path.replace("\\", "/").rsplit("/", 2)
    return "/".join(parts[-2:]) if len(parts) > 2 and parts[-2] else parts[-1]


CONFIDENCE = 0.7
MOST_CHANGES = 3  # with more, nobody knows which of them helped
_NEAR = 50  # changes before a failure among which a test may have been written
_LONGEST_COMMAND = 150  # characters of a command in a fix: a longer one is a script
_LONGEST_WHY = 220  # characters
_OURS = frozenset({"run", "edit", "and"})  # words of an action that come from us
_FIRST = 2  # sentences of the agent after it worked

_TESTS = re.compile(
    r"\b(?:pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|playwright test|cypress"
    r"|(?:npm|pnpm|yarn|bun|cargo|go|mix|dotnet|swift|mvn|gradle|gradlew|make|deno|rake|just"
    r"|hatch) (?:run )?(?:\w+:)?test\S*)\b"
)
_TEST_FILE = re.compile(r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)test_[^/]*$|[._-](?:test|spec)s?\.\w+$")
_SETUP_FILE = re.compile(
    r"(?:^|/)(?:package(?:-lock)?\.json|setup\.py|[\w.-]*(?:requirements|constraints)[\w.-]*\.txt|conftest\.py"
    r"|go\.mod|Gemfile|Makefile"
    r"|Dockerfile[\w.]*|[tj]sconfig[\w.]*\.json|global\.json|CMakeLists\.txt|pom\.xml|Procfile"
    r"|[\w.-]*\.config\.[cm]?[jt]s|\.[\w.-]*rc(?:\.\w+)?|\.env[\w.-]*|\.(?:tool-versions|python-version"
    r"|gitignore|dockerignore|gitattributes|editorconfig)"
    r"|[\w.-]*\.(?:toml|ya?ml|in|ini|cfg|conf|properties|gradle|kts|lock|env|tf|tfvars))$"
)
# Well-known names only: any other may be text that somebody wrote to be captured.
_ERRORS = frozenset(
    """ModuleNotFoundError ImportError AttributeError TypeError ValueError KeyError IndexError NameError SyntaxError
    IndentationError RuntimeError RecursionError NotImplementedError AssertionError FileNotFoundError
    FileExistsError PermissionError ConnectionError ConnectionRefusedError ConnectionResetError TimeoutError OSError
    IOError EOFError UnicodeDecodeError UnicodeEncodeError ZeroDivisionError OverflowError MemoryError StopIteration
    ReferenceError RangeError EvalError URIError AggregateError DOMException NullPointerException
    ClassNotFoundException NoClassDefFoundError IllegalArgumentException IllegalStateException
    ArrayIndexOutOfBoundsException NumberFormatException IOException StackOverflowError OutOfMemoryError
    ConcurrentModificationException UnsupportedClassVersionError UnsatisfiedLinkError NullReferenceException
    ArgumentException InvalidOperationException NoMethodError LoadError ArgumentError OperationalError
    ProgrammingError IntegrityError DatabaseError SSLError CertificateError HTTPError URLError JSONDecodeError
    CalledProcessError BrokenPipeError ENOENT EACCES EPERM EEXIST EISDIR ENOTDIR EMFILE ENOSPC ENOMEM ECONNREFUSED
    ECONNRESET ETIMEDOUT EADDRINUSE EADDRNOTAVAIL EHOSTUNREACH ENOTFOUND EPIPE EINVAL EBUSY EXDEV EAI_AGAIN ERESOLVE
    EINTEGRITY ETARGET E404 E401 E403 SIGSEGV SIGKILL SIGABRT SIGTERM SIGBUS ERR_MODULE_NOT_FOUND ERR_REQUIRE_ESM
    ERR_OSSL_EVP_UNSUPPORTED ERR_PNPM_OUTDATED_LOCKFILE ELIFECYCLE""".split()
)
_NAMES = re.compile(r"\b[A-Z][A-Za-z0-9_]{3,40}\b")
_CODES = re.compile(r"\b(?:TS|E|C|CS|SA|DL|SC|LNK|MSB|NU|F|W|RUF|B)\d{3,5}\b")  # of compilers and linters
_PHRASES = (
    *("command not found", "no module named", "permission denied", "operation not permitted", "connection refused"),
    *("no such file", "out of memory", "address already in use", "deadline exceeded"),
)
_TALK = re.compile(r"(?<!CMakeLists)\.(?:md|txt|rst|adoc)$")  # edits of such files repair nothing
_PROGRAMS = frozenset("cd ls cat echo git sleep rm mkdir kill true".split())  # their failing teaches nothing


class _Failure(NamedTuple):
    """A command that failed, with places in the list of all changes."""

    error: str
    first: int  # the first one since it failed
    late: int  # the same, of the last time that it failed


class _Changes:
    """All changes so far."""

    def __init__(self) -> None:
        self.turns: list[Did] = []
        self._edited: dict[str, int] = {}  # a file, and the place of its first change

    def add(self, turn: Did) -> None:
        if is_edit(turn):
            self._edited.setdefault(turn.target, len(self.turns))
        self.turns.append(turn)

    def edited(self, file: str, before: int) -> bool:
        """Tell whether a file was changed before a place."""
        return self._edited.get(file, before) < before

    def tested(self, before: int) -> bool:
        """Tell whether a test was written before a place."""
        near = self.turns[max(0, before - _NEAR) : before]
        return any(is_edit(turn) and _TEST_FILE.search(turn.target.replace("\\", "/")) for turn in near)


def fixes(turns: Sequence[Turn]) -> Iterator[Catch]:
    """Yield what helped, for each command that failed and then worked."""
    failures: dict[str, _Failure] = {}
    changed = _Changes()
    asked = 0  # the first change since the last prompt: whoever speaks may have repaired what failed before
    waiting: Catch | None = None  # for the agent's word on it
    for turn in turns:
        if isinstance(turn, Said):
            if waiting:
                yield _explain(waiting, turn)
            waiting = None
            asked = asked if turn.who == AGENT else len(changed.turns)
            continue
        line = command(turn)
        if line and turn.ok is False:
            failures[line] = _fail(failures.get(line), turn, len(changed.turns))
        elif line and turn.ok and line in failures and (found := _fix(line, failures.pop(line), turn, changed, asked)):
            if waiting:
                yield waiting
            waiting = found
        if turn.ok and (is_edit(turn) or changes(line)):
            changed.add(turn)
    if waiting:
        yield waiting


def _fail(before: _Failure | None, turn: Did, place: int) -> _Failure:
    return before._replace(late=place) if before else _Failure(turn.error, place, place)


def _fix(line: str, failure: _Failure, worked: Did, changed: _Changes, asked: int) -> Catch | None:
    program = (commands.words(line) or [""])[0]
    teaches = program and program not in _PROGRAMS and not commands.looks(line.replace(" -h ", " "))
    if not teaches or len(line) > _LONGEST_COMMAND:
        return None
    late = max(failure.late, asked)
    if len(changed.turns) == late:  # it was only tried again
        return None
    files, ran = _acts(changed.turns[max(failure.first, asked) :], line)
    if len(files) + len(ran) > MOST_CHANGES:
        files, ran = _acts(changed.turns[late:], line)
    if not 0 < len(files) + len(ran) <= MOST_CHANGES:
        return None
    setup = any(_SETUP_FILE.search(file.replace("\\", "/")) for file in files)
    own = not setup and all(changed.edited(file, failure.first) for file in files)
    told = len(files) == 1 and any(files.values())
    if not ran and not setup and not told and not _known_name(failure.error):  # an edit of code mends this error only
        return None
    if not ran and (own or not _teaches(line, files, changed.tested(failure.first))):
        return None
    return _catch(line, failure, files, ran, worked)


def _acts(turns: Sequence[Did], line: str) -> tuple[dict[str, str], list[str]]:
    """Return the files edited, each with what was written if it was edited once, and the commands run; a few more than
    are shown."""
    files, ran = dict[str, str](), dict[str, None]()
    for turn in turns:
        if is_edit(turn) and _repairs(turn.target):
            files[turn.target] = "" if turn.target in files else turn.wrote
        elif not is_edit(turn) and command(turn) != line and len(each := run(turn)) <= _LONGEST_COMMAND:
            ran[each] = None
        if len(files) + len(ran) > MOST_CHANGES:
            break
    return files, [*ran]


def _repairs(file: str) -> bool:
    return bool(_SETUP_FILE.search(file.replace("\\", "/"))) or not _TALK.search(file)


def _teaches(line: str, files: Iterable[str], tested: bool) -> bool:
    """Tell whether edits teach more than that code was written until its tests passed."""
    paths = [file.replace("\\", "/") for file in files]
    if any(_SETUP_FILE.search(path) for path in paths) or not _TESTS.search(line):
        return True
    return not tested and not any(_TEST_FILE.search(path) for path in paths)


def _catch(line: str, failure: _Failure, files: Mapping[str, str], ran: Sequence[str], worked: Did) -> Catch:
    action = " and ".join([*(f"run `{each}`" for each in ran), *(_edit(name(file), files[file]) for file in files)])
    error = error_name(failure.error)
    trigger = f"`{line}` fails" + (f" with {error}" if error else "")
    content = f"When {trigger}, {action}; then it succeeds."
    return Catch(
        FIX,
        content,
        PROCEDURAL,
        trigger=trigger,
        action=action[0].upper() + action[1:],
        outcome=f"`{line}` succeeds",
        confidence=CONFIDENCE,
        line=worked.line,
        by=AGENT,
    )


def _edit(file: str, wrote: str) -> str:
    return f"edit {file} (`{wrote}`)" if wrote else f"edit {file}"


def _explain(fix: Catch, turn: Said) -> Catch:
    """Return a fix with the agent's explanation, if it came right after."""
    if turn.who != AGENT:
        return fix
    words = set(folded(fix.action)) - _OURS
    rows = [each for each in own(turn.text)[:_FIRST] if _is_why(each, words)]
    said = " ".join(each.text.rstrip(".") + "." for each in rows)
    if not rows or len(said) > _LONGEST_WHY:
        return fix
    content = f"{fix.content} {said}"
    return fix._replace(content=content) if len(content) <= LONGEST else fix


def _is_why(sentence: Sentence, words: set[str]) -> bool:
    """Tell whether a sentence is about a fix, and not about all that was done."""
    if sentence.asks or "://" in sentence.text or '"' in sentence.text:  # what it quotes is somebody else's
        return False
    return bool(words & set(folded(sentence.text)))


def error_name(error: str) -> str:
    """Return the name of an error, never its message, which somebody else wrote."""
    lower = error.lower()
    return _known_name(error) or next((phrase for phrase in _PHRASES if phrase in lower), "")


def _known_name(error: str) -> str:
    """Return the name that a language, a system or a compiler gives to an error."""
    if name := next((found for found in _NAMES.findall(error) if found in _ERRORS), ""):
        return name
    code = _CODES.search(error)
    return code[0] if code else ""
