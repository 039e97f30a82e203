"""The pages and the changes as an application: it parses, asks the desk, and renders."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from treering.ledger.errors import Forbidden, InvalidInput, NotFound, TreeringError
from treering.ledger.people import ADMIN, may
from treering.surfaces.ui import acts
from treering.surfaces.ui.desk import Desk
from treering.surfaces.ui.gate import DESK, MEMBER, OPEN, VISITOR, Auth, Gate
from treering.surfaces.ui.pages import PAGES, Page
from treering.surfaces.ui.render import rendered

FOLDER = os.path.dirname(__file__)
LARGEST = 1 << 20  # bytes of a form: ten times the largest memory
MOST_NOTICES = 50  # results of changes that are kept until a page shows them
_STATUS = {NotFound: 404, InvalidInput: 400, Forbidden: 403}


class App:
    """The dashboard over a desk. What is different for another kind of visitor is in `auth`."""

    def __init__(self, desk: Desk | None, auth: Auth, port: int, public: str = "") -> None:
        """Without a desk, the one of the visitor is taken, whom `auth` knows."""
        self._desk = desk
        self._auth = auth
        self._notices: dict[str, acts.Notice] = {}
        routes = [Route(OPEN, self._open, methods=["GET", "POST"]), Route("/pulse.json", self._pulse)]
        for page in PAGES:
            routes += [Route(path, self._shower(page)) for path in (page.json, page.path)]
        routes += [Route(path, self._changer(act), methods=["POST"]) for path, act in acts.ACTS.items()]
        files = Mount("/static", StaticFiles(directory=os.path.join(FOLDER, "static")))
        errors: Any = {TreeringError: self._failed, 404: self._missing, Exception: self._broken}
        self.gate = Gate(Starlette(routes=[*routes, files], exception_handlers=errors), auth, port, public)
        self.last = time.monotonic()  # when somebody last asked for something

    @property
    def desk(self) -> Desk:
        assert self._desk is not None
        return self._desk

    def _at(self, request: Request) -> Desk:
        return self._desk or request.scope[DESK]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.last = time.monotonic()
        await self.gate(scope, receive, send)

    async def _open(self, request: Request) -> Response:
        """Turn the token into a cookie. A redirect would count as coming from where the link was, and a browser would
        keep the strict cookie back: so a page of our own leads on."""
        cookie = await self._auth.admit(request.query_params.get("token", ""))
        if not cookie and not request.scope[VISITOR]:
            return Response("this address was good once: start `treering ui` again\n", 403)
        answer = HTMLResponse(rendered("open.html", {}))
        if cookie:
            answer.set_cookie(self.gate.cookie, cookie, httponly=True, samesite="strict", secure=self.gate.secure)
        return answer

    async def _pulse(self, request: Request) -> Response:
        """Tell whether anything happened: a page that is looked at asks now and then."""
        clock = await self._at(request).ask(lambda asked: asked.memory.store.clock(), {})
        return _json({"clock": clock})

    def _shower(self, page: Page) -> Any:
        async def show(request: Request) -> Response:
            began = time.perf_counter()
            query, id = dict(request.query_params), request.path_params.get("id", "")
            if not page.dated:
                query.pop("as_of", "")
            as_json = request.url.path.endswith(".json")
            self._check(request, page)
            data = await self._at(request).ask(page.read, query, id, as_json)
            if as_json:
                answer = _json(data)
            else:
                answer = HTMLResponse(rendered(page.template, self._around(request, page, query, data)))
            answer.headers["Server-Timing"] = f"page;dur={1000 * (time.perf_counter() - began):.1f}"
            return answer

        return show

    def _around(
        self, request: Request, page: Page, query: Mapping[str, str], data: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what a template sees: the data of the page, and what stands around it."""
        return {
            **data,
            "page": page,
            "pages": _listed(request),
            "query": query,
            "here": _local(str(request.url.replace(scheme="", netloc=""))),
            "token": self._auth.form_token(request.scope[VISITOR]),
            "notice": self._notices.get(query.get("done", "")),
            "root": self._at(request).root,
            "as_of": query.get("as_of", ""),
        }

    def _changer(self, act: acts.Act) -> Any:
        async def change(request: Request) -> Response:
            form = await form_of(request)
            token = self._auth.form_token(request.scope[VISITOR])
            if not compare_digest(form.pop("token", "").encode(), token.encode()):
                return Response("this form is of another visit: load the page again\n", 403)
            id = request.path_params.get("id", "")
            notice = await self._at(request).ask(lambda asked: acts.done(act, asked), {**form, "as_of": ""}, id)
            if request.headers.get("accept") == "application/json":
                return _json(notice._asdict())
            return RedirectResponse(self._noted(notice, _local(form.get("back", ""))), 303)

        return change

    def _check(self, request: Request, page: Page) -> None:
        if page not in _open_to(request):
            raise Forbidden(f"{page.title} tells of the machine that this runs on: it is for an admin")

    def _noted(self, notice: acts.Notice, back: str) -> str:
        """Keep what was done for the next page, and return the address of that."""
        key = os.urandom(6).hex()
        self._notices[key] = notice
        while len(self._notices) > MOST_NOTICES:
            del self._notices[next(iter(self._notices))]
        path, _, rest = back.partition("?")
        kept = [part for part in rest.split("&") if part and not part.startswith("done=")]
        return f"{path}?{'&'.join([*kept, f'done={key}'])}"

    async def _failed(self, request: Request, error: Exception, status: int = 0) -> Response:
        status = status or next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 409)
        if request.url.path.endswith(".json") or request.headers.get("accept") == "application/json":
            return _json({"error": {"kind": type(error).__name__, "message": str(error)}}, status)
        back = _local(urlsplit(request.headers.get("referer", "")).path) if request.method == "POST" else "/"
        around = {"pages": _listed(request), "message": str(error), "back": back, "query": {}}
        return HTMLResponse(rendered("error.html", around), status)

    async def _broken(self, request: Request, error: Exception) -> Response:
        """Answer a request that we have failed at. The server then tells the whole of it where it was started."""
        told = f"This is a fault of Treering ({type(error).__name__}); the terminal that runs `treering ui` shows more."
        return await self._failed(request, TreeringError(told), 500)

    async def _missing(self, request: Request, error: Exception) -> Response:
        return await self._failed(request, NotFound("page", request.url.path, "the pages are listed above"))


def _open_to(request: Request) -> tuple[Page, ...]:
    """Return the pages that somebody may see: all of them, on a machine of their own."""
    member = request.scope.get(MEMBER)
    return PAGES if member is None or may(member.role, ADMIN) else tuple(one for one in PAGES if not one.machine)


def _listed(request: Request) -> list[Page]:
    return [one for one in _open_to(request) if one.key]


def _json(value: Any, status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False, default=list, allow_nan=False)
    return Response(text, status, media_type="application/json; charset=utf-8")


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form. Several values of one name are joined by blanks, as ids are."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise InvalidInput(f"a form has at most {LARGEST:,} bytes")
    fields: dict[str, str] = {}
    for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True):
        fields[name] = f"{fields[name]} {value}" if name in fields else value
    return fields


def _local(address: str) -> str:
    """Return an address if it is a path of ours, and the first page otherwise."""
    safe = address.startswith("/") and not address.startswith(("//", "/\\")) and "\r" not in address
    return address if safe and "\n" not in address else "/"
