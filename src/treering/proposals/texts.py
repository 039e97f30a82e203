"""The texts of proposals: files as they would be written. They are made when they are read, of what the store holds."""

from __future__ import annotations

from treering.core.signals import RETRIED
from treering.core.skills import LONGEST_DESCRIPTION, NAMELESS, slug
from treering.core.tuples import NamedTuple
from treering.core.types import TRUSTS
from treering.core.words import STOP_WORDS, folded
from treering.moment import shown
from treering.skills.frontmatter import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from treering.core.signals import Prompt, Rub
    from treering.core.types import Memory

ORIGIN = "treering-evolve"
PLACEHOLDER = "TODO-agent"  # on purpose: whoever merges the entry as it is routes nothing
NAME_WORDS = 4  # of a skill that nobody has named: enough to tell it from others
SAMPLES = 3  # prompts that show what was asked
UNKNOWN = "_Nobody has found it yet: write here what works, step by step._"
_FENCE = "```"
_SHORT = 200  # characters of a prompt or a step within a line


class Words(NamedTuple):
    """What a model, or whoever proposes a skill, has said of it. What is empty is derived."""

    name: str = ""
    description: str = ""
    content: str = ""
    triggers: tuple[str, ...] = ()


def upgrade(memory: Memory, words: Words) -> str:
    """A memory as a skill."""
    name = words.name or name_of([memory])
    about = line(memory.problem or memory.trigger or memory.content)
    tail = f" (auto-derived from memory {memory.id} after repeated reuse)"
    described = words.description or about[: LONGEST_DESCRIPTION - len(tail)] + tail
    facts = {"origin": ORIGIN, "memory": memory.id, "language": memory.language, "tags": ", ".join(memory.tags)}
    parts = [
        ("Problem", memory.problem or memory.trigger),
        ("Approach", memory.approach or memory.action or memory.content),
        ("Gotchas", memory.gotchas),
        ("Outcome", memory.outcome),
        ("When to invoke", _triggers(words.triggers or ((memory.trigger,) if memory.trigger else ()))),
        ("Origin", "\n".join(_origin(memory))),
    ]
    return skill(name, described, facts, _NOTE_OF_REUSE, parts)


_NOTE_OF_REUSE = """\
> **Auto-derived draft.** Recall showed this memory in session after session, so `treering evolve` made a skill
> of it. Read it, sharpen it and give it a better name before you commit it."""

_NOTE_OF_FRICTION = """\
> **Auto-derived draft.** Sessions got stuck here again and again. It waits in quarantine, where no agent looks,
> until somebody has written down what works and runs `treering evolve promote`."""

_NOTE_OF_PROCESSES = """\
> **Auto-derived draft.** Several processes in the memory do the same. Read it, sharpen it and give it a better
> name before you commit it."""


def induced(memories: Sequence[Memory], words: Words) -> str:
    """Processes that do the same, as one skill."""
    name = words.name or name_of(memories)
    triggers = tuple(dict.fromkeys(line(memory.trigger) for memory in memories if memory.trigger))
    first = line(memories[0].content)
    described = words.description or (f"Use when: {'; '.join(triggers)}" if triggers else f"Use for: {first}")
    best = max(memories, key=lambda memory: memory.q)
    others = [memory.action or memory.content for memory in memories if memory is not best]
    parts = [
        ("Approach", words.content or best.action or best.content),
        ("The same, in other words", "" if words.content else _list(others)),
        ("Gotchas", _list(memory.gotchas for memory in memories)),
        ("Outcome", _list(memory.outcome for memory in memories)),
        ("When to invoke", _triggers(words.triggers or triggers)),
        ("Origin", f"Made of {', '.join(memory.id for memory in memories)}."),
    ]
    return skill(name, described, {"origin": ORIGIN}, _NOTE_OF_PROCESSES, parts)


def eased(tokens: Sequence[str], prompts: Sequence[Prompt], rubs: Sequence[Rub], words: Words) -> str:
    """A skill that could lead past a place where sessions get stuck."""
    name = words.name or name_of_tokens(tokens)
    matter = ", ".join(tokens)
    described = words.description or f"Use for what keeps costing time around: {matter} (auto-derived from friction)"
    asked = [f"asked: {quoted(prompt.text)}" for prompt in prompts[-SAMPLES:]]
    said = _list(f"the user said: {quoted(rub.reason)}" for rub in rubs if rub.reason)
    parts = [
        ("Problem", _list([*asked, *map(_trouble, rubs)])),
        ("Approach", said or UNKNOWN),
        ("When to invoke", _triggers(words.triggers or tuple(quoted(prompt.text) for prompt in prompts[-SAMPLES:]))),
        ("Origin", f"{len(prompts) + len(rubs)} signals of friction around {matter}."),
    ]
    return skill(name, described, {"origin": f"{ORIGIN}-friction"}, _NOTE_OF_FRICTION, parts)


def routed(id: str, tokens: Sequence[str], prompts: Sequence[Prompt], count: int, file: str) -> str:
    """An entry that names who knows, once somebody has said who."""
    shown_tokens = ", ".join(tokens)
    mentions = ", ".join(f"`{token}`" for token in tokens)
    samples = "\n".join(f"- {quoted(prompt.text)}" for prompt in prompts[-SAMPLES:])
    return f"""<!-- proposed addition to {file}: {id} -->
<!-- review by hand, decide on tier and agent, then merge -->

### {PLACEHOLDER} — covers prompts about {shown_tokens}

Trigger if the user mentions {mentions}.

| Signal | Real human phrasing |
|---|---|
| repeated unrouted prompt cluster | {shown_tokens} |

**Origin:** `treering evolve`: {count} prompts on this matter came, and no memory answered them.

Recent samples:

{samples}

_(Do not commit this block as it is: put the agent's name in the place of `{PLACEHOLDER}`, and move the entry to the
tier where it belongs.)_
"""


def command(action: str, ids: Sequence[str]) -> str:
    """What a person types who agrees."""
    return f'treering evolve {action} {" ".join(ids)} --reason "as proposed"'.replace("  ", " ")


def skill(name: str, description: str, facts: dict[str, str], note: str, parts: Iterable[tuple[str, str]]) -> str:
    """A skill as a file. The frontmatter is written, never pasted: what memories say cannot add to it."""
    front = emit(name, description, {key: value for key, value in facts.items() if value})
    sections = "".join(f"\n## {heading}\n\n{_harmless(text.strip())}\n" for heading, text in parts if text.strip())
    return f"{front}\n# Skill: {name}\n\n{note}\n{sections}"


def name_of(memories: Sequence[Memory]) -> str:
    """The first words of a memory; or those that most of several share, in the order of the first."""
    said = [folded(memory.trigger or memory.problem or memory.content) for memory in memories]
    if len(memories) == 1:
        told = slug(memories[0].trigger or memories[0].problem or memories[0].content)
        return told if told != NAMELESS else f"memory-{memories[0].id}"  # of letters that do not fit a name
    shared: dict[str, int] = {}
    for words in said:
        for word in dict.fromkeys(words):
            if word.isascii() and word not in STOP_WORDS:  # so it fits a name
                shared[word] = shared.get(word, 0) + 1
    most = sorted(shared, key=lambda word: -shared[word])[:NAME_WORDS]
    return slug(" ".join(sorted(most, key=list(shared).index)))


def name_of_tokens(tokens: Sequence[str]) -> str:
    return slug(" ".join(tokens[:NAME_WORDS])) if tokens else NAMELESS


def setting(weights: Mapping[str, float | str], project: str) -> str:
    """What would count how much in recall, a line each."""
    told = [
        f"{name} = {value:g}" if isinstance(value, int | float) else f"{name} = {value}"
        for name, value in weights.items()
    ]
    return "\n".join([f"# recall, in {f'project {line(project)}' if project else 'every project'}", *told])


def quoted(text: str) -> str:
    """What somebody said, on one line of a file where it means nothing but itself."""
    plain = line(text).replace('"', "'").replace("`", "'").replace("|", "/").replace("<", "&lt;")
    return f'"{plain}"'


def from_outside(memories: Iterable[Memory]) -> bool:
    """Whether nobody here has said any of it: it came from a tool or a document."""
    return any(memory.trust == TRUSTS[-1] for memory in memories)


def _trouble(rub: Rub) -> str:
    what = f"{rub.tool} {quoted(rub.what)}" if rub.what else rub.tool
    if rub.kind == RETRIED:
        return f"{what} failed {rub.tries} times in a row: {quoted(rub.error)}"
    return f"the user stopped {what or 'the work'}"


def _origin(memory: Memory) -> Iterator[str]:
    yield f"- Memory id: `{memory.id}`"
    yield f"- Captured at: {shown(memory.created)}"
    if from_outside([memory]):
        yield f"- It comes from outside ({quoted(memory.origin)}): nobody here has said it. Check every line."


def _triggers(triggers: Sequence[str]) -> str:
    return _list(triggers) or "_Replace this section: say when an agent should load this skill._"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line(text, 0)}" for text in dict.fromkeys(lines) if text.strip())


def _harmless(text: str) -> str:
    """A text that cannot hide what comes after it: no comment, and no code that does not end."""
    shown = text.replace("<!--", "&lt;!--")
    return shown if shown.count(_FENCE) % 2 == 0 else f"{shown}\n{_FENCE}"


def line(text: str, most: int = _SHORT) -> str:
    said = " ".join(text.split())
    return said if not most or len(said) <= most else said[: most - 1].rstrip() + "…"
