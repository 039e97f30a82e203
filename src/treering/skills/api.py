"""`memory.skills`: the skills that an agent finds here, and which of them were of use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.ledger.errors import InvalidInput, Refused
from treering.ledger.types import limit_of, one_of
from treering.ledger.usage import VERDICTS
from treering.skills import credit
from treering.skills.frontmatter import CHECK, read
from treering.skills.index import FILE_NAME, Index
from treering.skills.paths import OWN, PROJECT, SKILL_FILE, folders
from treering.skills.place import digest, read_text
from treering.skills.search import chosen, quoted, sound, with_bodies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.ledger.workspace import Workspace
    from treering.skills.paths import Folder
    from treering.skills.rules import Credit
    from treering.skills.search import Accepts, Match, Skill

    # By other names, as `list` is a method below.
    Found = list[Skill]
    Matches = list[Match]
    Names = list[str]

MOST_SKILLS = 100_000  # more are nobody's
UNACCEPTED = "from a file of this project that nobody accepted here"


class Skills:
    """The skills of a project and its user. Drafts in quarantine are none."""

    def __init__(self, workspace: Workspace) -> None:
        self._at = workspace

    def list(self, root: str = ".") -> Found:
        """Return every skill that an agent finds here, by name."""
        return self._index(root).skills()

    def search(self, query: str, limit: int = 5, root: str = ".") -> Matches:
        """Return the skills that a task is about, the best first. Of two that match about equally, the one that
        helped."""
        if not isinstance(query, str) or not any(letter.isalnum() for letter in query):
            raise InvalidInput(f"there is nothing to look for: a query is a text with words, not {query!r}")
        found = self._index(root, shipped=True).search(query, MOST_SKILLS)
        known = self.credits()
        weighed = [
            match._replace(score=match.score * _factor(known[match.skill.name].q))
            if match.skill.name in known
            else match
            for match in found
        ]
        return sorted(weighed, key=lambda match: -match.score)[: limit_of(limit)]

    def use(self, name: str, root: str = ".", *, session: str = "") -> str:
        """Return the text of a skill, quoted line by line if nobody accepted it. The session has loaded it from now on:
        what it leads to counts for the skill."""
        if not isinstance(name, str):
            raise InvalidInput(f"a skill has a name, not {name!r}")
        index = self._index(root, shipped=True)
        skill = index.skill(name)
        text = index.text_of(skill)
        if self._at.writable:
            credit.load(self._at.ledger, name, self._at.here("", session), self._at.now())
        return text if self.accepts()(skill) else quoted(text)

    def doubt(self, name: str, root: str = ".") -> str:
        """Return why a skill is not to be followed unasked; nothing for one that a person accepted."""
        skill = self._index(root, shipped=True).skill(name)
        return self.changed().get(skill.path, "") or ("" if self.accepts()(skill) else UNACCEPTED)

    def check(self, name: str, root: str = ".") -> str:
        """Return the command that proves a skill, as its front names it; nothing if it names none. Of a skill that is
        not to be followed unasked it is refused, as whoever asks will run it."""
        if doubt := self.doubt(name, root):
            raise Refused(f"{name} is {doubt}: read it, then promote it, and its check can be run")
        text = read_text(self._index(root, shipped=True).skill(name).path)
        return read(text or "").metadata.get(CHECK, "")

    def accepts(self) -> Accepts:
        """Return what tells whether a person accepted a skill: promoted it as it is, or keeps it in a folder of their
        own. What a project brings along is anybody's, but for a copy of what comes with Treering."""
        promoted = credit.promoted(self._at.store, self._at.space)

        def accepted(skill: Skill) -> bool:
            if skill.path in promoted:
                return not promoted[skill.path]
            shipped = digest(os.path.join(OWN, skill.name, SKILL_FILE))
            return skill.place != PROJECT or bool(shipped and digest(skill.path) == shipped)

        return accepted

    def index(self, prompt: str = "", root: str = ".", *, session: str = "", log: bool = False) -> str:
        """Return the skills in a few words, for a prompt, and the texts of those that match it well; not of one that
        has changed since it was promoted, and in quotes what nobody accepted. With `log`, the session has loaded those
        from now on."""
        if not any(os.path.isdir(folder.path) for folder in self._folders(root)):
            return ""
        index, config, changed, accepts = self._index(root), self._at.config, self.changed(), self.accepts()
        if log and self._at.writable:
            here = self._at.here("", session)
            shown = [skill for skill in sound(index.skills()) if skill.path not in changed]
            for skill in chosen(index, shown, prompt, config.skill_body_chars, accepts):
                credit.load(self._at.ledger, skill.name, here, self._at.now())
        return with_bodies(index, prompt, config.skill_index_chars, config.skill_body_chars, changed, accepts)

    def feedback(self, name: str, verdict: str, *, note: str = "", session: str = "") -> Credit:
        """Judge a skill that was loaded: `helpful`, `partially_helpful` or `not_helpful`. Return its credit."""
        one_of("verdict", verdict, VERDICTS)
        at = self._at
        here = at.here("", session)
        return credit.judge(at.ledger, name, verdict, at.config.rewards, here, at.now(), at.clean(note))

    def credits(self) -> dict[str, Credit]:
        """Return what each skill that was ever loaded has earned."""
        return credit.credits(self._at.store, self._at.space)

    def loaded(self, session: str) -> Names:
        """Return the skills that a session has loaded."""
        return [*dict.fromkeys(name for _, name in credit.loads(self._at.store, self._at.space, session))]

    def changed(self) -> dict[str, str]:
        """Return the files of promoted skills that were edited or deleted since, and which of the two."""
        return credit.changed(self._at.store, self._at.space)

    def _index(self, root: str, shipped: bool = False) -> Index:
        return Index(self._folders(root, shipped), os.path.join(self._at.home, FILE_NAME) if self._at.home else "")

    def _folders(self, root: str, shipped: bool = False) -> Sequence[Folder]:
        if not isinstance(root, str) or "\0" in root or not os.path.isdir(os.path.expanduser(root)):
            raise InvalidInput(f"the root is a folder, not {root!r}")
        root, config = os.path.expanduser(root), self._at.config
        user, more, target = os.path.expanduser("~"), config.skill_folders, config.skill_target
        return folders(os.path.abspath(root), user, more, target, shipped=shipped)


def _factor(q: float) -> float:
    """Return what use adds to a match: at most a tenth, as with memories."""
    return 0.9 + 0.2 * q
