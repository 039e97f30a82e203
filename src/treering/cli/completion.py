"""Tab completion: a script for each shell, and what the scripts ask for."""

from __future__ import annotations

import os

from treering.cli.commands import BY_NAME, COMMANDS, FLAG, Argument
from treering.cli.parse import UsageError, is_option, options_of, split
from treering.cli.render import Answer, cut, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from treering.api import Treering
    from treering.cli.commands import Command, Option
    from treering.cli.parse import Call

    Candidate = tuple[str, str]  # what could stand here, and a word about it

NEWEST = 50  # ids to offer: nobody reads more of them
_ABOUT_WIDTH = 50  # columns of text beside an id

BASH = """\
_treering() {
    local value about
    COMPREPLY=()
    while IFS=$'\\t' read -r value about; do
        COMPREPLY+=("$value")
    done < <(treering complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o nosort -F _treering treering 2>/dev/null || complete -o default -F _treering treering
"""

ZSH = """\
#compdef treering
_treering() {
    local line value
    local -a found
    for line in "${(@f)$(treering complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        value="${line%%$'\\t'*}"
        [[ -n "$value" ]] && found+=("${value//:/\\\\:}:${line#*$'\\t'}")
    done
    if (( $#found )); then _describe -V treering found; else _files; fi
}
compdef _treering treering
"""

FISH = """\
function __treering_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (treering complete -- $words[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c treering -f -k -a '(__treering_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def script(call: Call) -> Answer:
    text = SCRIPTS.get(call["shell"])
    if text is None:
        raise UsageError(f"there is no completion for {call['shell']!r}: choose {', '.join(SCRIPTS)}")
    return Answer({"shell": call["shell"], "script": text}, lambda page: [text.rstrip("\n")])


def complete(call: Call) -> Answer:
    *before, current = call["words"] or [""]
    found = list(dict(candidates(before, current)).items())
    value = [{"value": value, "about": about} for value, about in found]
    return Answer(value, lambda page: (f"{value}\t{about}" for value, about in found))


class Line:
    """What the words before the cursor amount to. They need not make sense yet."""

    def __init__(self, words: Iterable[str]) -> None:
        self.command: Command | None = None
        self.arguments: list[str] = []
        self.values: dict[str, str] = {}
        self.pending: Option | None = None  # an option that waits for its value
        self.options = True  # until a `--`
        for word in words:
            self._take(word)

    def _take(self, word: str) -> None:
        if self.pending is not None:
            if word != "=":  # bash makes three words of --type=fact
                self.values[self.pending.name], self.pending = word, None
        elif self.options and word == "--":
            self.options = False
        elif self.options and is_option(word):
            flag, value = split(word)
            option = options_of(self.command).get(flag)
            if option is not None and option.takes != FLAG:
                self.pending = option if value is None else None
                self.values[option.name] = value or ""
        else:
            self.arguments.append(word)
            self._look_up()

    def _look_up(self) -> None:
        name = " ".join([*([self.command.name] if self.command else []), *self.arguments])
        if name in BY_NAME:
            self.command, self.arguments = BY_NAME[name], []


def candidates(before: list[str], current: str) -> Iterator[Candidate]:
    """What could stand where the cursor is, after the words before it."""
    so_far = Line(before)
    flag, equals, value = current.partition("=")
    options = options_of(so_far.command)
    if so_far.pending is not None:
        return _starting(_choices(so_far.pending), "" if current == "=" else current)
    if equals and flag in options:
        found = _starting(_choices(options[flag]), value)
        return ((f"{flag}={choice}", about) for choice, about in found)
    if so_far.options and current.startswith("-"):
        return _starting(((flag, option.about) for flag, option in options.items()), current)
    return _starting(_words(so_far), current)


def _starting(found: Iterable[Candidate], current: str) -> Iterator[Candidate]:
    return (candidate for candidate in found if candidate[0].startswith(current))


def _choices(option: Option) -> Iterator[Candidate]:
    return ((choice, "") for choice in option.choices)


def _words(so_far: Line) -> Iterable[Candidate]:
    """Commands, until there is one; then what its next argument can be."""
    command = so_far.command
    if command is None:
        return _commands(so_far.arguments)
    places = [*command.arguments, *(argument for argument in command.arguments[-1:] if argument.many)]
    place = min(len(so_far.arguments), len(command.arguments))
    wanted = places[place] if place < len(places) else Argument("", "")
    if wanted.choices:
        return ((choice, "") for choice in wanted.choices)
    completes = wanted.completes
    if completes == "shell":
        return ((shell, "") for shell in SCRIPTS)
    if completes == "command":
        return _commands(so_far.arguments)
    return _ids(completes, so_far.values) if completes else ()


def _commands(start: list[str]) -> Iterator[Candidate]:
    for command in COMMANDS:
        words = command.name.split()
        if words[: len(start)] == start and len(words) > len(start):
            yield words[len(start)], command.summary if len(words) == len(start) + 1 else ""


def _ids(completes: str, values: dict[str, str]) -> Iterator[Candidate]:
    """Ids of a store that is there; looking for one makes none."""
    from treering.config import home_of
    from treering.stores.files import FILE_NAME
    from treering.wiring import open

    home = home_of(values.get("home"), os.environ)
    if not os.path.exists(os.path.join(home, FILE_NAME)):
        return
    with open(home, space=values.get("space", ""), actor="user") as memory:
        below = _BELOW.get(completes)
        found = below(memory, values.get("root") or ".") if below else _LISTED[completes](memory)
        for id, text in found:
            yield id, cut(line(text), _ABOUT_WIDTH)


def _memories(memory: Treering) -> Iterator[Candidate]:
    return ((found.id, found.content) for found in memory.list(limit=NEWEST))


def _forgotten(memory: Treering) -> Iterator[Candidate]:
    """What can be restored, the text of the forgotten being out of sight."""
    for status in ("forgotten", "deprecated", "merged", "superseded", "archived"):
        yield from ((found.id, found.content) for found in memory.list(status=status, limit=NEWEST))


def _contradictions(memory: Treering) -> Iterator[Candidate]:
    from treering.truth import contradictions

    standing = contradictions(memory.store, memory.context.space)  # a key that is pressed writes nothing
    return ((found.id, found.why) for found in standing[-NEWEST:])


def _recalls(memory: Treering) -> Iterator[Candidate]:
    from treering.core.events import RECALLED
    from treering.evolution.feedback import LAST

    yield LAST, "the last recall"
    yield from _events(memory, (RECALLED,))


def _proposals(memory: Treering) -> Iterator[Candidate]:
    return ((found.id, found.name or found.text) for found in memory.proposals()[:NEWEST])


def _groups(memory: Treering) -> Iterator[Candidate]:
    return ((one.id, f"{one.status}: {', '.join(one.memories)}") for one in memory.groups()[-NEWEST:])


def _entities(memory: Treering) -> Iterator[Candidate]:
    """What most is related to, as far as it has been read: a key that is pressed reads nothing."""
    from treering.consolidation.graphing import Graph

    hubs = Graph(memory.store, memory.context.space).hubs()
    return ((hub.name, hub.scope) for hub in hubs[:NEWEST])


def _skills(memory: Treering, root: str) -> Iterator[Candidate]:
    return ((found.name, found.description) for found in memory.skills(root))


def _drafts(memory: Treering, root: str) -> Iterator[Candidate]:
    """What is in quarantine: no index has it."""
    from treering.proposals.proposal import DRAFTS
    from treering.skills.folders import SKILL_FILE

    folder = os.path.join(os.path.expanduser(root), *DRAFTS.split("/"))
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return ((name, "") for name in names if os.path.isfile(os.path.join(folder, name, SKILL_FILE)))


def _events(memory: Treering, kinds: tuple[str, ...] = ()) -> Iterator[Candidate]:
    from treering.cli.events import gist, kind
    from treering.core.ports import EventQuery

    query = EventQuery(space=memory.context.space, kinds=kinds, newest=True, limit=NEWEST)
    return ((event.id, f"{kind(event)}: {gist(event)}") for event in memory.store.events(query))


_LISTED: dict[str, Callable[[Treering], Iterator[Candidate]]] = {
    "memory": _memories,
    "forgotten": _forgotten,
    "event": _events,
    "contradiction": _contradictions,
    "recall": _recalls,
    "proposal": _proposals,
    "group": _groups,
    "entity": _entities,
}

# What lies below a root, by the folder that it is.
_BELOW: dict[str, Callable[[Treering, str], Iterator[Candidate]]] = {"skill": _skills, "draft": _drafts}
