"""What is said in plain words, without "no", "always" or "because"; and what only sounds like it."""

from __future__ import annotations

import pytest

from tests.capture.scenes import later
from treering.capture.sift import catch
from treering.capture.turns import AGENT, USER, Said

# A prompt, the kind of what is kept of it, and a word that it has.
KEPT = [
    ("the terraform lives in infra/, not in deploy/", "correction", "infra/"),
    ("billing is owned by the payments team, not us", "correction", "payments"),
    ("the api client lives in packages/sdk, you put it in apps/web", "correction", "packages/sdk"),
    ("that's not how we do it: migrations go through flyway", "correction", "flyway"),
    ("moment is deprecated, we use dayjs", "correction", "dayjs"),
    ("dont use axios, we have our own fetch wrapper in lib/http", "correction", "lib/http"),
    ("any time the schema changes, `make client` has to run too", "correction", "make client"),
    ("the word is 'guest', not 'user'", "correction", "guest"),
    ("machine paths dont belong in the repo", "preference", "paths"),
    ("nothing goes straight onto main", "preference", "main"),
    ("new handlers go in app/api/v2", "preference", "app/api/v2"),
    ("in our team the reviewer merges, not the author", "preference", "reviewer"),
    ("branch names are ticket number first", "preference", "ticket"),
    ("we're on python 3.9 on the servers so no match statements", "preference", "3.9"),
    ("we say tenant not customer in the code", "preference", "tenant"),
    ("i want imperatives for all commit subjects", "preference", "imperatives"),
    ("the token is rotated each monday. worth noting down", "told", "monday"),
    ("the handhelds run android 8. bake that into your brain", "told", "android 8"),
    ("let's go with sqlite, a server is overkill for one user", "decision", "overkill"),
    ("postgres it is. we already run one and mongo would be a second thing to back up", "decision", "mongo"),
    ("cron. double mails are worse than late mails", "decision", "double"),
    ("we'll keep jquery in the admin, rewriting it buys us nothing", "decision", "jquery"),
    ("go with the task. a hung upstream must not take the server with it", "decision", "upstream"),
]
NOT_KEPT = [
    "uploads must not block the ui",
    "a hung upstream must not take the server with it",
    "remember: beer's on you",
    "the file is named foo.txt, not foo.md, rename it",
    "the button is in the header, not the footer",
    "the variable is called user_id not userId",
    "nobody can log in here",
    "only the owner can edit a comment",
    "this repo has no readme, write one",
    "tests go in circles",
    "put that in the notes section of the page",
    "when the user logs out, `clear()` has to be called",
    "i want tooltips for all buttons",
    "hmm weird. this would mean the cache is stale",
    "let's drop the column, it breaks the import",
    "focus stays on the input, users would have to click again",
    "nice. much simpler than before",
]
CHOSEN = [
    "I put the lock in Redis rather than in Postgres: the workers have no database connection.",
    "I left the retry at three on purpose: the bank blocks us after five.",
    "I switched to WAL mode. The other way was a copy, but then readers would see old data.",
    "Chose Caddy over nginx because it renews certificates itself.",
]
DONE = [
    "I replaced the call: the old one returned a promise that nobody awaited.",
    "I picked up where we left off: the parser is done, the printer is not.",
    "I used sed instead of the editor because the file is large.",
    "I switched to the branch: it has your two commits on top of main.",
]


@pytest.mark.parametrize(("prompt", "kind", "word"), KEPT)
def test_what_is_said_in_plain_words_is_kept(prompt: str, kind: str, word: str) -> None:
    (found,) = later(prompt)
    assert found.kind == kind
    assert word in found.content.lower()


@pytest.mark.parametrize("prompt", NOT_KEPT)
def test_what_tells_of_the_product_or_a_fault_is_not_kept(prompt: str) -> None:
    assert later(prompt) == []


@pytest.mark.parametrize("text", CHOSEN)
def test_what_the_agent_chose_is_kept_with_its_reason(text: str) -> None:
    (found,) = catch([Said(USER, "make it work"), Said(AGENT, text), Said(USER, "nice")])
    assert found.kind == "decision"


@pytest.mark.parametrize("text", DONE)
def test_what_the_agent_did_is_no_decision(text: str) -> None:
    assert catch([Said(USER, "make it work"), Said(AGENT, text), Said(USER, "nice")]) == []
