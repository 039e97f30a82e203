"""Take what a person has said in chats elsewhere, judged as capture judges prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.capture.statements import statements
from treering.ledger.arguments import at_home, parse_row
from treering.ledger.decide import remember
from treering.ledger.transfer import commit_new
from treering.text.transcripts.chats import Prompt, chats

if TYPE_CHECKING:
    from treering.ledger.workspace import Workspace


class Chatted(NamedTuple):
    """What was taken from chats, or would be."""

    source: str
    chats: int
    prompts: int
    added: tuple[str, ...]
    known: int
    redacted: int


def take_chats(
    workspace: Workspace,
    path: str,
    *,
    project: str = "",
    mine: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Chatted:
    """Remember the statements of a person's chats that are worth keeping; what is here already is left as it is.

    They are outside texts, as anybody could have written the file. Only as `mine` are they the user's own words, and
    told in every project if they are about the person.
    """
    source, read = chats(path)
    limit, here = workspace.config.content_limit, workspace.here(project)
    here = here if mine else at_home(here, source)
    rows = _rows(source, (prompt for chat in read for prompt in chat), mine, bool(here.project))
    wishes = [parse_row(row, limit)._replace(identity=source) for row in rows]
    drafts = {draft.key: (draft, wish) for wish in wishes if (draft := remember(wish, here))}
    known = workspace.ledger.store.known([*drafts])
    fresh = [both for key, both in drafts.items() if key not in known]
    if not dry_run:
        commit_new(workspace.ledger, [draft for draft, _ in fresh], progress)
    redacted = sum(bool(wish.redacted) for _, wish in fresh)
    added = tuple(wish.content for _, wish in fresh)
    return Chatted(source, len(read), sum(map(len, read)), added, len(wishes) - len(added), redacted)


def _rows(source: str, prompts: Iterable[Prompt], mine: bool, placed: bool) -> Iterator[dict[str, Any]]:
    for prompt in prompts:
        for catch in statements(prompt.text, prompt.before):
            if catch.likely or (mine and catch.by != "user"):
                continue
            row: dict[str, Any] = {"content": catch.content, "type": catch.type, "tags": (source, catch.kind)}
            row["origin"] = "user" if mine else f"import:{source}:{prompt.chat}"
            row |= {"scope": catch.scope} if mine and placed else {}  # without a project all of it is the user's
            row |= {"at": prompt.time} if prompt.time else {}
            yield row
