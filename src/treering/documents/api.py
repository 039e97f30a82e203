"""`memory.documents`: what people write becomes memories, and memories become files that people read."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from treering.documents.harvest import harvest
from treering.documents.vault import vault
from treering.documents.vault.continuity import NAME, memory_md
from treering.documents.vault.folder import is_ours, put_generated
from treering.ledger.arguments import at_home
from treering.ledger.types import Context, Filter
from treering.truth import claims
from treering.truth.api import Truth

if TYPE_CHECKING:
    from treering.documents.harvest.harvest import Harvest
    from treering.documents.vault.vault import Replayed, Taken, Written
    from treering.ledger.workspace import Workspace


class Documents:
    """Markdown in and out."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace

    def harvest(
        self,
        paths: str | Sequence[str],
        *,
        project: str = "",
        root: str = "",
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Harvest:
        """Take the durable facts out of Markdown documents, and follow the documents as they change."""
        at = self._at
        limit, paths = at.config.content_limit, [paths] if isinstance(paths, str) else paths
        here = at.here(project)
        if paths and not here.project:  # what a document says, nobody here vouches for: it is no word to every project
            folder = harvest.repository(paths[0])
            here = at_home(here._replace(project=at.project_of(folder)), folder)
        done = harvest.harvest(at.ledger, here, paths, root, limit, dry_run, progress)
        if dry_run or Truth(at).to_compare() > claims.PATIENCE:
            return done
        return done._replace(contradictions=tuple(claims.catch_up(at.ledger, here)))

    def index(self, path: str = "", *, project: str = "", session: str = "", overwrite: bool = False) -> str:
        """Return what is known here as a Markdown text for people; with a path, write it there too."""
        here = self._at.here(project, session)
        text = self._memory_md(here)
        if path:
            put_generated(path, text, overwrite)
        return text

    def refresh(self) -> list[str]:
        """Write the MEMORY.md of every project that has one of ours anew, and return the files that changed."""
        found = []
        for project, folder in self._at.inbox.folders() if self._at.inbox is not None else ():
            path, here = os.path.join(folder, NAME), self._at.here(project)
            if not os.path.isfile(path) or not is_ours(folder, NAME):
                continue
            text = self._memory_md(here)
            try:
                found += [path] * put_generated(path, text)
            except OSError:  # a folder that cannot be written keeps the index that it has
                continue
        return found

    def _memory_md(self, here: Context) -> str:
        found = claims.contradictions(self._at.store, here.space)
        doubted = {id: f"may be out of date, see {newer[0]}" for id, newer in claims.doubted(found).items()}
        sure = claims.doubted(claims.asked(found))
        doubted |= {id: f"contradicted by {newer[0]}" for id, newer in sure.items()}
        return memory_md(self._at.store.records(Filter(here.space, visible_to=here)), doubted)

    def write_vault(
        self, folder: str, *, overwrite: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> Written:
        """Write the memory as a folder of Markdown files. Writing again adds what is new."""
        return vault.write(self._at.store, folder, self._at.space, self._at.now(), overwrite, progress)

    def replay_vault(self, folder: str) -> Replayed:
        """Compare the session files of a folder with its other files, which must follow from them."""
        return vault.replay(folder)

    def read_vault(
        self, folder: str, *, mine: bool = False, progress: Callable[[int], None] = lambda done: None
    ) -> Taken:
        """Take in a folder of Markdown files: all of it, or nothing. Reading it again adds nothing.

        What it says of itself is believed if it is `mine`; otherwise it is an outside text of its project.
        """
        at = self._at
        return vault.read(at.ledger, at.here(), folder, at.config.content_limit, progress, mine)
