"""A team: who may come in to the server, and what they may do there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from treering.ledger.errors import InvalidInput
from treering.ledger.people import ROLES
from treering.surfaces.cli.app import ROOT, SHARED, Words, argument, command, flag, group, option
from treering.surfaces.cli.change import NotConfirmed
from treering.surfaces.cli.render import Answer, counted, line, when
from treering.surfaces.cli.view import ID, MEANING, TIME, Column, listed

if TYPE_CHECKING:
    from treering.ledger.people import Token
    from treering.memory import Treering

TOKEN = group("token", "Tokens of the people of a team, with which they come in to `treering serve`.", section=SHARED)


@command(TOKEN, "add", examples=("treering token add anna --role writer",), past=False)
@argument("person", "who it is for: the name that their events will carry")
@option("--role", about="what they may do (default: writer)", type=Words(*ROLES))
def add(memory: Treering, person: str, role: str) -> Answer:
    """Give a person a token for `treering serve`.

    It is printed once, and kept as a hash. A reader looks; a writer also remembers, forgets and gives feedback; a
    reviewer also decides what waits for review, and undoes what others did; an admin may do everything.
    """
    from treering.ledger import people

    made = people.new_token()
    draft = people.admit(person, role or people.WRITER, made, memory.workspace.here())
    (event,) = memory.ledger.commit(lambda: [draft])
    value = {"id": event.id, "person": person, "role": role or people.WRITER, "token": made}
    return Answer(value, lambda page: [made], note="keep it: it is not shown again")


@command(TOKEN, "list", examples=("treering token list",))
def listing(memory: Treering) -> Answer:
    """List the tokens, those that were revoked too."""
    from treering.ledger.people import tokens

    found = tokens(memory.store, memory.context.space)
    columns = (Column("id", ID), Column("person"), Column("role"), Column("made", TIME), Column("", MEANING))
    rows = [(one.id, line(one.person), one.role, one.created, _state(one)) for one in found]
    return listed([_plain(one) for one in found], columns, rows, empty="nobody has a token: treering token add NAME")


@command(TOKEN, "revoke", examples=("treering token revoke anna",), past=False)
@argument("name", "a person, or the id of one token")
def revoke(memory: Treering, name: str) -> Answer:
    """Let the tokens of a person, or one of them, hold no longer. Servers refuse them from the next request on."""
    from treering.ledger import people

    gone = people.standing(memory.store, memory.context.space, name)
    memory.ledger.commit(lambda: [people.dismiss(one, memory.workspace.here()) for one in gone])
    return Answer([one.id for one in gone], lambda page: [f"revoked {one.id} of {line(one.person)}" for one in gone])


@command(ROOT, "leave", section=SHARED, examples=("treering leave anna --to ~/anna --yes",), past=False)
@argument("person", "who leaves the team")
@option("--to", about="a new home folder for what is theirs alone", metavar="DIR")
@flag("--yes", "do not ask")
def leave(memory: Treering, person: str, to: str, yes: bool) -> Answer:
    """Let a person leave the team: they take what is theirs, and lose the rest.

    What is theirs alone is brought to a new home folder, which they open as a memory of their own, and is purged here
    with what they asked. Their tokens hold no longer. What they said for the team stays the team's, with their name.
    """
    from treering.compose import open_own
    from treering.ledger import people
    from treering.ledger.types import alone, person_in, standpoint, team_of

    people.check_person(person)
    team = team_of(memory.context.space)
    if person_in(memory.context.space):
        raise InvalidInput(f"this is for who runs the database: say --space {team}, with no person in the settings")
    if not to:
        raise click.UsageError("say where what is theirs goes: --to DIR")
    own = alone(standpoint(team, person))
    rows, said = people.belongings(memory.store, own)
    held = [one for one in people.tokens(memory.store, team) if one.person == person and not one.revoked]
    if not said and not held:
        raise InvalidInput(f"nobody called {person} has anything in {team}")
    if not yes:
        raise NotConfirmed(f"this moves {counted(len(rows), 'memory', 'memories')} of {person} to {to}, and purges "
                           f"here all that is theirs alone: say --yes if you mean it")  # fmt: skip
    with open_own(to) as there:
        if any(there.store.heads()):
            raise InvalidInput(f"{to} has a memory already: name a new folder")
        there.remember_many(rows)
    memory.ledger.commit(lambda: [people.dismiss(one, memory.workspace.here()) for one in held])
    with memory.workspace.standing(own):
        if said:
            memory.purge(*said, reason="left the team")
    value = {"person": person, "to": to, "memories": len(rows), "purged": len(said), "tokens": len(held)}
    told = f"{person} took {counted(len(rows), 'memory', 'memories')} to {line(to)}"
    return Answer(value, lambda page: [told, f"{counted(len(held), 'token')} of theirs hold no longer"])


def _state(one: Token) -> str:
    return f"revoked {when(one.revoked)}" if one.revoked else ""


def _plain(one: Token) -> dict[str, Any]:
    times = {"created": one.created / 1e6, "revoked": one.revoked / 1e6 or None}
    return {"id": one.id, "person": one.person, "role": one.role, "by": one.by, **times}
