"""Commands on skills."""

from __future__ import annotations

from treering.cli.render import Answer, columns, line, safe, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.core.crediting import Credit
    from treering.skills.search import Skill


def list(memory: Treering, call: Call) -> Answer:
    found = memory.skills(call["root"] or ".")
    known, changed = memory.skill_credits(), memory.changed_skills()
    rows = [_plain(skill, known.get(skill.name), changed.get(skill.path, "")) for skill in found]
    lines = [(row["name"], row["place"], line(_remark(row) + row["description"])) for row in rows]
    gone = [f"{path}: {why}" for path, why in changed.items() if path not in {skill.path for skill in found}]
    return Answer(
        rows, lambda page: columns(lines, page), note="\n".join(map(line, gone)), empty="no skills are found here"
    )


def show(memory: Treering, call: Call) -> Answer:
    text = memory.use_skill(call["name"], call["root"] or ".", session=call["session"])
    paths = {skill.name: skill.path for skill in memory.skills(call["root"] or ".")}
    changed = memory.changed_skills().get(paths.get(call["name"], ""), "")
    return Answer(
        {"name": call["name"], "text": text, "changed": changed},
        lambda page: wrapped(text.rstrip("\n"), page.width),
        note=f"{call['name']} was {changed}: see whether that was you" if changed else "",
    )


def search(memory: Treering, call: Call) -> Answer:
    found = memory.skill_search(call["query"], call["limit"], call["root"] or ".")
    known = memory.skill_credits()
    rows = [{**_plain(match.skill, known.get(match.skill.name), ""), "score": round(match.score, 4)} for match in found]
    lines = [(row["name"], row["place"], line(row["description"])) for row in rows]
    return Answer(rows, lambda page: columns(lines, page), empty="no skill has to do with it")


def index(memory: Treering, call: Call) -> Answer:
    text = memory.skill_index(call["prompt"], call["root"] or ".")
    there = not text and any(memory.skills(call["root"] or "."))
    empty = "there is no room for a name: see the setting skill_index_chars" if there else "no skills are found here"
    return Answer({"text": text, "characters": len(text)}, lambda page: safe(text).splitlines(), empty=empty)


def feedback(memory: Treering, call: Call) -> Answer:
    found = memory.skill_feedback(call["name"], call["verdict"], note=call["note"], session=call["session"])
    return Answer({"name": call["name"], **found._asdict()}, lambda page: [f"{call['name']}  Q {found.q:.3f}"])


def _plain(skill: Skill, credit: Credit | None, changed: str) -> dict[str, Any]:
    row = {**skill._asdict(), "problems": [*skill.problems], "changed": changed}
    return {**row, "q": credit.q if credit else None, "loads": credit.loads if credit else 0}


def _remark(row: dict[str, Any]) -> str:
    told = [*row["problems"], row["changed"]]
    return "".join(f"[{remark}] " for remark in told if remark)
