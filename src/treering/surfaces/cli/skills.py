"""Skills: list, show, search."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

from treering.ledger.errors import InvalidInput
from treering.ledger.usage import VERDICTS
from treering.skills.api import UNACCEPTED
from treering.surfaces.cli.app import KNOWLEDGE, Words, argument, command, group, number, option
from treering.surfaces.cli.complete import SKILL
from treering.surfaces.cli.everyday import session_option
from treering.surfaces.cli.render import Answer, line, safe, wrapped
from treering.surfaces.cli.view import ID, TEXT, Column, listed

if TYPE_CHECKING:
    from treering.memory import Treering
    from treering.skills.rules import Credit
    from treering.skills.search import Skill

SKILLS = group("skills", "Look at the skills that agents find here.", section=KNOWLEDGE)
_LAST = 20  # lines of what a check printed
root_option = option(
    "--root", about="the folder below which to look (default: where you are)", metavar="DIR", default="."
)
skill_argument = argument("name", "a skill's name", type=SKILL)


@command(SKILLS, "list", examples=("treering skills list", "treering skills list --json"), past=False)
@root_option
def list(memory: Treering, root: str) -> Answer:
    """List the skills that agents find here.

    Those of the project (skills, .agents/skills, .claude/skills), of the user, and of the folders that the settings
    name. Drafts in quarantine are not among them. One that has changed since it was promoted is marked.
    """
    found = memory.skills.list(root)
    known, changed = memory.skills.credits(), memory.skills.changed()
    rows = [plain(skill, known.get(skill.name), changed.get(skill.path, "")) for skill in found]
    lines = [(row["name"], row["place"], _remark(row) + row["description"]) for row in rows]
    gone = [f"{path}: {why}" for path, why in changed.items() if path not in {skill.path for skill in found}]
    return listed(rows, _COLUMNS, lines, note="\n".join(map(line, gone)), empty="no skills are found here")


_COLUMNS = (Column("skill", ID), Column("place"), Column("when to use it", TEXT))


@command(
    SKILLS,
    "show",
    examples=("treering skills show deploy-staging", "treering skills show deploy-staging --session monday"),
    past=False,
)
@skill_argument
@root_option
@session_option
def show(memory: Treering, name: str, root: str, session: str) -> Answer:
    """Load a skill: its whole text.

    What a project brings along stands in quotes, until you promote it: it is anybody's text. Counts as a use of it,
    once in a session: what the session leads to then counts for the skill too.
    """
    text, doubt = memory.skills.use(name, root, session=session), memory.skills.doubt(name, root)
    changed = "" if doubt == UNACCEPTED else doubt
    return Answer(
        {"name": name, "text": text, "changed": changed, "doubt": doubt},
        lambda page: wrapped(text.rstrip("\n"), page.width),
        note=f"{name} {_advice(doubt, name)}" if doubt else "",
    )


@command(SKILLS, "check", examples=("treering skills check say-hello",), past=False)
@skill_argument
@root_option
def check(memory: Treering, name: str, root: str) -> Answer:
    """Run the command that proves a skill, in the folder below which it lies, and say whether it worked.

    The front of the skill names it, as `check` of its metadata. Nothing is run of a skill that nobody accepted, or that
    has changed since.
    """
    wanted = memory.skills.check(name, root)
    if not wanted:
        raise InvalidInput(f"{name} names no command that proves it: write `check` into the metadata of its front")
    done = subprocess.run(wanted, shell=True, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    said = (done.stdout + done.stderr).rstrip("\n").splitlines()[-_LAST:]
    value = {"name": name, "command": wanted, "code": done.returncode, "output": "\n".join(said)}
    mark = "✓" if not done.returncode else "✗"
    lines = [f"{mark} {line(wanted)}", *(f"  {safe(one)}" for one in said)]
    return Answer(value, lambda page: lines, code=int(done.returncode != 0))


@command(SKILLS, "search", examples=('treering skills search "deploy to staging"',), past=False)
@argument("query", "what is to be done")
@root_option
@number("--limit", "how many at the most", 5)
def search(memory: Treering, query: str, root: str, limit: int) -> Answer:
    """Find the skills for a task."""
    found = memory.skills.search(query, limit, root)
    known = memory.skills.credits()
    rows = [{**plain(match.skill, known.get(match.skill.name), ""), "score": round(match.score, 4)} for match in found]
    lines = [(row["name"], row["place"], row["description"]) for row in rows]
    return listed(rows, _COLUMNS, lines, empty="no skill has to do with it")


@command(SKILLS, "index", examples=('treering skills index "the staging deploy hangs"',), past=False, hidden=True)
@argument("prompt", "what was asked", required=False)
@root_option
def index(memory: Treering, prompt: str, root: str) -> Answer:
    """Show the list of skills as it goes into a prompt.

    About 240 characters, first what has to do with the prompt; the texts of skills that match it well follow, within
    4,000 characters. Both are settings.
    """
    text = memory.skills.index(prompt, root)
    there = not text and any(memory.skills.list(root))
    empty = "there is no room for a name: see the setting skill_index_chars" if there else "no skills are found here"
    return Answer({"text": text, "characters": len(text)}, lambda page: safe(text).splitlines(), empty=empty)


@command(SKILLS, "feedback", examples=("treering skills feedback deploy-staging helpful",), past=False, hidden=True)
@skill_argument
@argument("verdict", "helpful, partially_helpful or not_helpful", type=Words(*VERDICTS))
@root_option
@option("--note", about="why, for the record", metavar="TEXT")
@session_option
def feedback(memory: Treering, name: str, verdict: str, root: str, note: str, session: str) -> Answer:
    """Say how useful a skill was.

    Its Q moves as that of a memory does, and orders skills that match about equally well.
    """
    found = memory.skills.feedback(name, verdict, note=note, session=session)
    return Answer({"name": name, **found._asdict()}, lambda page: [f"{name}  Q {found.q:.3f}"])


def _advice(doubt: str, name: str) -> str:
    if doubt == UNACCEPTED:
        return f"is {doubt}, so it is quoted: `treering review promote {name}` accepts it"
    return f"was {doubt}, so it is quoted: see whether that was you"


def plain(skill: Skill, credit: Credit | None, changed: str) -> dict[str, Any]:
    row = {**skill._asdict(), "problems": [*skill.problems], "changed": changed}
    return {**row, "q": credit.q if credit else None, "loads": credit.loads if credit else 0}


def _remark(row: dict[str, Any]) -> str:
    remarks = [*row["problems"], row["changed"]]
    return "".join(f"[{remark}] " for remark in remarks if remark)
