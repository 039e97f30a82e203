"""How an open memory knows skills: it finds them, loads them, and learns which of them are of use."""

from __future__ import annotations

import os

from treering.core.errors import InvalidInput
from treering.core.types import limit_of
from treering.proposing import Proposing

# Only what reading a memory needs is imported above: see `opened.py`.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.crediting import Credit
    from treering.skills.index import Index
    from treering.skills.search import Match, Skill


MOST_SKILLS = 100_000  # more are nobody's


class Skilled(Proposing):
    """The skills of a project and its user. Drafts in quarantine are none."""

    def skills(self, root: str = ".") -> list[Skill]:
        """Every skill that an agent finds here, by name."""
        return self._index(root).skills()

    def skill_search(self, query: str, limit: int = 5, root: str = ".") -> list[Match]:
        """The skills that a task is about, the best first. Of two that match about equally, the one that helped."""
        if not isinstance(query, str) or not any(letter.isalnum() for letter in query):
            raise InvalidInput(f"there is nothing to look for: a query is a text with words, not {query!r}")
        found = self._index(root, shipped=True).search(query, MOST_SKILLS)
        from treering.proposals.credit import credits

        known = credits(self.store, self.context.space)
        weighed = [
            match._replace(score=match.score * _factor(known[match.skill.name].q))
            if match.skill.name in known
            else match
            for match in found
        ]
        return sorted(weighed, key=lambda match: -match.score)[: limit_of(limit)]

    def use_skill(self, name: str, root: str = ".", *, session: str = "") -> str:
        """The text of a skill. The session has loaded it from now on, and what it leads to falls back on the skill."""
        from treering.proposals.credit import load

        if not isinstance(name, str):
            raise InvalidInput(f"a skill has a name, not {name!r}")
        text = self._index(root, shipped=True).body(name)
        if self._writable:
            load(self.ledger, name, self._here("", session), self._now())
        return text

    def skill_index(self, prompt: str = "", root: str = ".", *, session: str = "", log: bool = False) -> str:
        """The skills in a few words, for a prompt, and the texts of those that match it well; not of one that has
        changed since it was promoted. Nothing if there are none. With `log`, for whoever hands it to an agent: the
        session has loaded those from now on."""
        from treering.proposals.credit import load
        from treering.skills.compact import chosen, sound, with_bodies

        index, config, changed = self._index(root), self.config, self.changed_skills()
        if log and self._writable:
            here = self._here("", session)
            trusted = [skill for skill in sound(index.skills()) if skill.path not in changed]
            for skill in chosen(index, trusted, prompt, config.skill_body_chars):
                load(self.ledger, skill.name, here, self._now())
        return with_bodies(index, prompt, config.skill_index_chars, config.skill_body_chars, changed)

    def skill_feedback(self, name: str, verdict: str, *, note: str = "", session: str = "") -> Credit:
        """Judge a skill that was loaded: `helpful`, `partially_helpful` or `not_helpful`. How it has fared by now."""
        from treering.core.rewards import VERDICTS
        from treering.core.types import one_of
        from treering.proposals.credit import judge

        one_of("verdict", verdict, VERDICTS)
        here = self._here("", session)
        return judge(self.ledger, name, verdict, self.config.rewards, here, self._now(), self._cleaned(note))

    def skill_credits(self) -> dict[str, Credit]:
        """How each skill that was ever loaded has fared."""
        from treering.proposals.credit import credits

        return credits(self.store, self.context.space)

    def loaded_skills(self, session: str) -> list[str]:
        """The skills that a session has loaded: what it leads to falls back on them."""
        from treering.proposals.credit import loads

        return [*dict.fromkeys(name for _, name in loads(self.store, self.context.space, session))]

    def changed_skills(self) -> dict[str, str]:
        """The files of promoted skills that somebody has edited or deleted since, and which of the two."""
        from treering.proposals.credit import changed

        return changed(self.store, self.context.space)

    def _index(self, root: str, shipped: bool = False) -> Index:
        from treering.skills.cache import FILE_NAME
        from treering.skills.folders import folders
        from treering.skills.index import Index

        if not isinstance(root, str) or "\0" in root or not os.path.isdir(os.path.expanduser(root)):
            raise InvalidInput(f"the root is a folder, not {root!r}")
        root, config = os.path.expanduser(root), self.config
        user, more, target = os.path.expanduser("~"), config.skill_folders, config.skill_target
        places = folders(os.path.abspath(root), user, more, target, shipped=shipped)
        return Index(places, os.path.join(self._home, FILE_NAME) if self._home else "")


def _factor(q: float) -> float:
    """What use adds to a match: at most a tenth, as with memories."""
    return 0.9 + 0.2 * q
