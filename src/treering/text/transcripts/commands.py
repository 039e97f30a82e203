"""Read command lines: what one tries, whether another tries the same, whether one only looks.

This is no shell. It is right often enough to tell a second try from something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# A quoted text, what parts two commands, a run of anything else. A quote that is never closed ends with the line.
_PIECE = re.compile(r""""[^"]*"?|'[^']*'?|&&|\|\||;|\||[^\s"';|&]+|&""")
_SEAMS = frozenset({"&&", "||", ";", "|"})
_QUOTES = "\"'`"

# They go before a command: where it runs, in what surroundings, and when.
_BEFORE = frozenset("cd pushd export set source . sleep wait timeout chcp true unset".split())
_AROUND = frozenset("sudo time timeout nohup env command exec nice npx bunx uvx doas start winpty xvfb-run".split())
_SHELLS = frozenset("bash sh zsh cmd powershell pwsh".split())
_RUNNERS = frozenset(
    {"uv run", "poetry run", "pipenv run", "pdm run", "bundle exec", "pnpm exec", "python -m", "python3 -m", "py -m"}
)
# One name for a program, and one for its verb.
_PROGRAMS = {"pip3": "pip", "python3": "python", "py": "python", "docker-compose": "docker compose", "nodejs": "node"}
_VERBS = {"i": "install", "add": "install", "t": "test", "rm": "remove", "uninstall": "remove"}
_MANAGERS = frozenset("npm pnpm yarn bun pip cargo".split())

# Programs that change nothing.
_LOOKS = frozenset(
    """ls ll dir cat bat head tail less more grep egrep rg ag find fd pwd which where whereis type ps top pgrep lsof df
    du free env printenv echo printf date whoami id groups uname hostname file stat wc sort uniq cut tr column diff cmp
    tree man help jq yq awk test [ ping nslookup dig host getent netstat ss ip ifconfig journalctl dmesg history md5sum
    sha256sum xxd od strings locate realpath readlink basename dirname tasklist findstr get-content get-childitem
    get-process select-string test-path lpstat vmstat iostat curl""".split()
)
# Programs of which some verbs change nothing, and those verbs; a few do so only as long as they are told nothing more.
_TOOLS = frozenset(
    """git docker podman kubectl helm npm pnpm yarn bun pip cargo go systemctl service brew apt gh glab aws gcloud az
    terraform poetry uv supervisorctl pm2 conda rustup nvm flyctl heroku vercel redis-cli""".split()
)
_LOOKING_VERBS = frozenset(
    """status log logs diff show blame ls list view info inspect describe get ps images version freeze outdated why top
    is-active ls-files ls-remote rev-parse events help check-ignore whoami doctor history search""".split()
)
_BARE_VERBS = frozenset("branch remote config tag stash".split())
_MESSAGES = frozenset({"-m", "-am", "--message", "--title", "--body", "--notes", "--comment", "--description"})
_ASKS = frozenset({"--help", "-h", "--version", "-V", "-version", "/?", "--dry-run"})
_SENDS = ("-X", "-d", "--data", "--request", "-F", "--form", "-T", "--json", "-o", "-O", "--output")  # of curl
_SILENT = ("2>", "&>/dev/null", ">/dev/null", "1>/dev/null")


def same(one: str, other: str) -> bool:
    """Tell whether two lines try the same: one command, of which one may say more than the other."""
    some, others = words(one), words(other)
    if not some or not others or some[0] != others[0]:
        return False
    return set(some) <= set(others) or set(others) <= set(some)


def words(line: str) -> list[str]:
    """Return the words of the command that a line is about, without its options."""
    for part in _parts(line):
        found = [*_without_options(_unwrapped(part))]
        if found and found[0] not in _BEFORE:
            return found
    return []


def looks(line: str) -> bool:
    """Tell whether a line only looks around: it asks for files, for a status or for help."""
    return all(_part_looks(part) for part in _parts(line))


def _parts(line: str) -> list[list[str]]:
    """Return the pieces of each command in a line."""
    parts: list[list[str]] = [[]]
    for piece in _PIECE.findall(line):
        if piece in _SEAMS:
            parts.append([])
        elif piece != "&":
            parts[-1].append(piece)
    return [part for part in parts if part]


def _without_options(found: Sequence[str]) -> Iterator[str]:
    """Drop options, the values that surely are theirs, redirections, quotes and versions."""
    option = ""
    for word in found:
        bare = word.strip(_QUOTES + "()")
        if word.startswith(("-", ">", "<", "2>", "1>")) or _is_slash_option(word):
            option = word
            continue
        value = option.rstrip("=") in _MESSAGES or (bool(option) and (bare.isdecimal() or "=" in bare))
        if bare and not value:
            yield _unversioned(bare.lower().removeprefix("./").removeprefix(".\\"))
        option = ""


def _is_slash_option(word: str) -> bool:
    """Tell whether a word is an option as on Windows: /m, /b, /p:Configuration=Release."""
    return word.startswith("/") and "/" not in word[1:] and (len(word) == 2 or ":" in word)


def _unversioned(word: str) -> str:
    """Return a package without its version."""
    name, at, version = word.rpartition("@")
    if at and name and (version[:1].isdecimal() or version[:1] in ("^", "~") or version in ("latest", "next")):
        return name
    for sign in ("==", ">=", "<=", "~="):
        word = word.partition(sign)[0]
    return word


def _unwrapped(found: list[str]) -> list[str]:
    """Drop what stands around the program, and give it and its verb one name."""
    while found and (found[0] in _AROUND or _is_surroundings(found[0])):
        found = found[1:]
    if len(found) > 1 and found[0] in _SHELLS:
        inner = [*map(str, _PIECE.findall(found[-1].strip(_QUOTES)))]
        return _unwrapped(inner if found[-1][0] in _QUOTES else found[1:])
    if " ".join(found[:2]) in _RUNNERS:
        found = found[2:]
    if not found:
        return []
    found = [*_PROGRAMS.get(found[0], found[0]).split(), *found[1:]]
    if found[0] in _MANAGERS and len(found) > 1:
        found[1] = _VERBS.get(found[1], found[1])
    return found


def _is_surroundings(word: str) -> bool:
    """Tell whether a word is a variable for the command, a time limit, or a wrapper's option."""
    name, sign, _ = word.partition("=")
    return (bool(sign) and name.isidentifier()) or word.rstrip("smh").isdecimal() or word.startswith("-")


def _part_looks(found: list[str]) -> bool:
    if any(">" in word and word[0] not in _QUOTES and not word.startswith(_SILENT) for word in found):
        return False
    if any(word in _ASKS for word in found):
        return True
    said = [word for word in _unwrapped(found) if not word.startswith("-")]
    if not said or said[0] in _BEFORE:
        return True
    program = said[0].lower()
    if program == "curl":
        return not any(word.startswith(_SENDS) for word in found)
    if program == "sed":
        return "-n" in found
    if program == "find":
        return not any(word in ("-delete", "-exec") for word in found)
    if program in _TOOLS:
        has_more = len(said) > 2 or any(word.startswith("-") for word in found)
        return any(verb in _LOOKING_VERBS for verb in said[1:3]) or (said[-1] in _BARE_VERBS and not has_more)
    return program in _LOOKS
