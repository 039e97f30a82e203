"""Serve MCP at /mcp and the dashboard everywhere else, to the members of a team."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from treering.ledger.errors import StoreError
from treering.ledger.people import tokens
from treering.ledger.types import alone, standpoint
from treering.memory import Treering
from treering.surfaces.mcp import gate as mcp_gate
from treering.surfaces.mcp.gate import PATH, Bucket, Places, Refusal, places
from treering.surfaces.mcp.http import Address, app_of, listening_at, run
from treering.surfaces.mcp.offer import Offer
from treering.surfaces.mcp.server import server_for
from treering.surfaces.mcp.tools.tool import Here
from treering.surfaces.mcp.worker import Worker
from treering.surfaces.team.members import Members, Present
from treering.surfaces.ui.app import App, form_of
from treering.surfaces.ui.gate import DESK, MEMBER, OPEN
from treering.surfaces.ui.render import rendered

Scope = MutableMapping[str, Any]

_PRESENT = "treering.present"  # set in the scope of a request of an agent: the member's memory
_SIGN_INS, _SIGN_INS_PER_SECOND = 30, 1.0


class Names(NamedTuple):
    """All the names under which the server may be addressed: its own, and the one that a proxy has for it."""

    all: tuple[Places, ...]

    def host(self, given: str) -> bool:
        return any(one.host(given) for one in self.all)

    def origin(self, given: str) -> bool:
        return any(one.origin(given) for one in self.all)


class AgentGate(mcp_gate.Gate):
    """Let in agents with the token of a member."""

    def __init__(self, app: mcp_gate.App, members: Members, names: Names) -> None:
        super().__init__(app, "", names)
        self._members = members
        self._buckets: defaultdict[str, Bucket] = defaultdict(Bucket)

    async def knows(self, shown: str, scope: Scope) -> bool:
        member = await self._members.of_token(shown)
        scope[MEMBER] = member
        return member is not None

    async def _refusal(self, scope: Scope) -> Refusal | None:
        if refusal := await super()._refusal(scope):
            return refusal
        present = self._members.present(scope[MEMBER])
        try:
            await asyncio.to_thread(present.worker)
        except StoreError as error:
            return Refusal(503, str(error))
        scope[_PRESENT] = present
        return None

    def _too_often(self, scope: Scope) -> Refusal | None:
        fine = self._buckets[scope[MEMBER].person].take()
        return None if fine else Refusal(429, "too many requests", (b"retry-after", b"1"))


class Visitors:
    """Implement `ui.gate.Auth`: browsers that have shown the token of a member."""

    closed = "sign in at /open with your token: `treering token add` makes one"
    free: tuple[str, ...] = (OPEN, "/static/style.css", "/static/ring.svg")

    def __init__(self, members: Members) -> None:
        self._members = members

    async def admit(self, token: str) -> str:
        return await self._members.admit(token)

    async def knows(self, cookie: str, scope: Scope) -> bool:
        member = await self._members.of_visit(cookie)
        if member is None:
            return False
        scope[MEMBER] = member
        scope[DESK] = await asyncio.to_thread(self._members.present(member).desk)
        return True

    def form_token(self, cookie: str) -> str:
        return self._members.form_token(cookie)


class TeamApp(App):
    """The dashboard, in which a person signs in with their token."""

    def __init__(self, members: Members, port: int, public: str) -> None:
        super().__init__(None, Visitors(members), port, public)
        self._bucket = Bucket(_SIGN_INS, _SIGN_INS_PER_SECOND)

    async def _open(self, request: Request) -> Response:
        """Show where to sign in, or turn a token into a cookie. The token comes in a form, and in no address, which
        would be kept in logs."""
        if request.method == "GET":
            return HTMLResponse(rendered("signin.html", {"wrong": False}))
        if not self._bucket.take():
            return Response("too many at once: try again in a second\n", 429)
        cookie = await self._auth.admit((await form_of(request)).get("token", "").strip())
        if not cookie:
            return HTMLResponse(rendered("signin.html", {"wrong": True}), 403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.gate.cookie, cookie, httponly=True, samesite="strict", secure=self.gate.secure)
        return answer


class TeamServer:
    """Both, as one application."""

    def __init__(self, offer: Offer, members: Members, address: Address, public: str, root: str) -> None:
        here = places(address.host, address.port, bool(address.certificate))
        names = Names((here, *_public(public)))
        self._agents = AgentGate(app_of(server_for(offer, partial(_asking, root))), members, names)
        self._people = TeamApp(members, address.port, public)

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        if scope["type"] == "http" and scope["path"] != PATH:
            await self._people(scope, receive, send)
        else:
            await self._agents(scope, receive, send)


def _public(address: str) -> tuple[Places, ...]:
    """Return the names of an address like https://memory.example.org."""
    if not address:
        return ()
    scheme, _, host = address.partition("://")
    name, _, port = host.partition(":")
    usual = 443 if scheme == "https" else 80
    return (Places(frozenset({name.lower()}), int(port or usual), scheme),)


def _asking(root: str, context: Any) -> tuple[Callable[[Callable[[Treering], Any]], Future[Any]], Here]:
    """Return who answers a request of an agent: its member's memory, in the project that the address names."""
    present: Present = context.request.scope[_PRESENT]
    project = context.request.query_params.get("project", "")

    def ask(job: Callable[[Treering], Any]) -> Future[Any]:
        def work(memory: Treering) -> Any:
            stand = memory.context._replace(project=memory.workspace.name(project), session="")
            memory.workspace.context = stand
            return job(memory)

        return present.worker().ask(work)

    return ask, Here(root=root, nonces=present.nonces)


def _maintain(memory: Treering, seconds: float) -> None:
    """Do what is due in the team's part, and in that of everybody who comes here."""
    space = memory.context.space
    people = {one.person for one in tokens(memory.store, space) if not one.revoked}
    for part in (space, *(alone(standpoint(space, person)) for person in sorted(people))):
        with memory.workspace.standing(part):
            memory.maintenance.run(seconds=seconds)


def serve(
    offer: Offer,
    opening: Callable[..., Treering],
    looking: Callable[[], Treering],
    address: Address,
    public: str,
    root: str,
) -> None:
    """Serve until interrupted. `opening` opens the memory for a member, `looking` for nobody: that one also does what
    is due when there is time."""
    maintenance = Worker(looking, maintain=_maintain)
    maintenance.start()
    maintenance.opened.result()  # a store that cannot be opened is reported now
    with listening_at(address) as listening, closing(Members(opening, looking, root)) as members:
        at = address._replace(port=listening.getsockname()[1])
        shown = public or f"{'https' if at.certificate else 'http'}://{at.host}:{at.port}"
        sys.stderr.write(f"serving at {shown}, and agents at {shown}{PATH}?project=NAME; `treering token add`\n")
        sys.stderr.flush()
        try:
            run(TeamServer(offer, members, at, public, root), at, listening)
        finally:
            maintenance.stop()
