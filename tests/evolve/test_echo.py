"""An agent that repeats what it was told is recognised; as soon as it says anything new, it is heard."""

from __future__ import annotations

import pytest

from treering.evolve.echo import echoed

KNOWN = (
    "The API listens on port 8080.",
    "Anna lives in Lyon.",
    "Anna likes tea.",
    "Never deploy on Fridays.",
    "The user prefers dark mode.",
    "Use pnpm instead of npm.",
    "The staging database runs Postgres 15. Its backups are kept for 14 days.",
    "If the build fails, ask Ben.",
    "Only admins can delete projects.",
    "Don't commit the .env file.",
    "The release is on 4 May and the freeze starts on 1 May.",
    "Use port 5432 in staging and port 6432 in production.",
    "Run `make test` before every release.",
    "The migration locked the table because the index was not created concurrently.",
)

ECHOES = [
    "The API listens on port 8080.",
    "the api listens on port 8080",
    "THE API LISTENS ON PORT 8080!",
    "As noted, the API listens on port 8080.",
    "As noted before: the API listens on port 8080.",
    "As you mentioned earlier, the API listens on port 8080.",
    "I recall that the API listens on port 8080.",
    "I remember that Anna lives in Lyon.",
    "According to my memory, Anna lives in Lyon.",
    "According to the notes, Anna lives in Lyon.",
    "Based on my memories, Anna lives in Lyon.",
    "From memory: Anna lives in Lyon.",
    "My notes say that Anna lives in Lyon.",
    "Note that Anna lives in Lyon.",
    "Reminder: never deploy on Fridays.",
    "Noted: never deploy on Fridays.",
    "It is known that Anna lives in Lyon.",
    "You told me that Anna lives in Lyon.",
    "You said Anna lives in Lyon.",
    "The user said that Anna lives in Lyon.",
    "Anna lives in Lyon, as noted.",
    "Anna lives in Lyon (from memory).",
    "Anna lives in Lyon, as you said before.",
    '"Anna lives in Lyon."',
    "> Anna lives in Lyon.",
    "- Anna lives in Lyon.\n- The API listens on port 8080.",
    "1. Never deploy on Fridays.\n2. Use pnpm instead of npm.",
    "Anna lives in Lyon. The API listens on port 8080.",
    "The API listens on port 8080. Anna lives in Lyon.",
    "Anna lives in Lyon and the API listens on port 8080.",
    "The API listens on port 8080, and Anna lives in Lyon.",
    "Anna lives in Lyon; the API listens on port 8080.",
    "Anna likes tea and lives in Lyon.",
    "Anna likes tea, Anna lives in Lyon, and the API listens on port 8080.",
    "I recall that Anna likes tea and that the API listens on port 8080.",
    "Do not commit the .env file.",
    "The staging database runs Postgres 15.",
    "Its backups are kept for 14 days.",
    "The staging database runs Postgres 15",
    "Here is what I remember:\n- Anna lives in Lyon.",
    "What I know from memory:\nAnna lives in Lyon.\nAnna likes tea.",
    "Anna lives in Lyon.\n  k7qm2xva-41 · semantic · said by the user · 3 days ago",
    "<memories>\nAnna lives in Lyon.\n  k7qm2xva-41 · semantic · said by an agent · today · project shop\n</memories>",
    "Got it. Anna lives in Lyon.",
    "Okay, Anna lives in Lyon.",
    "Understood: never deploy on Fridays.",
]

# In other words, in another order or cut short. It is the same, but words alone do not make sure of it: it is stored,
# and two memories that mean the same are for the merging of memories.
RETOLD = [
    "Do not deploy on Fridays.",
    "I prefer dark mode.",
    "You prefer dark mode.",
    "Use pnpm rather than npm.",
    "Before every release, run `make test`.",
    "The release is on 4 May.",
    "Because the index was not created concurrently, the migration locked the table.",
    "Ask Ben if the build fails.",
]

NEWS = [
    "The API listens on port 8081.",
    "The API does not listen on port 8080.",
    "The API listens on port 8080 in staging.",
    "The API listens on port 8080 and on port 8081.",
    "The API listens on port 8080 over TLS.",
    "The admin API listens on port 8080.",
    "As noted, the API listens on port 9090.",
    "According to my memory, Anna lives in Porto.",
    "Anna no longer lives in Lyon.",
    "Anna doesn't live in Lyon.",
    "Anna lived in Lyon.",
    "Hanna lives in Lyon.",
    "Anna works in Lyon.",
    "Anna lives in Lyon with Ben.",
    "Anna lives in Lyon. She has a dog.",
    "Anna lives in Lyon and has a dog.",
    "Anna lives in Lyon because of her job.",
    "Anna may live in Lyon.",
    "Anna likes tea and coffee.",
    "Anna likes coffee.",
    "Ben likes tea.",
    "Deploy on Fridays.",
    "Never deploy on Mondays.",
    "Never deploy on Fridays after noon.",
    "Use npm instead of pnpm.",
    "Use pnpm instead of yarn.",
    "The user prefers light mode.",
    "The staging database runs Postgres 16.",
    "The production database runs Postgres 15.",
    "Its backups are kept for 14 weeks.",
    "Ask Ben.",
    "The build fails.",
    "If the build fails, ask Anna.",
    "Admins can delete projects.",
    "Only admins can create projects.",
    "Commit the .env file.",
    "Don't commit the .env.example file.",
    "The release is on 1 May and the freeze starts on 4 May.",
    "The release is on 5 May.",
    "Use port 5432 in production.",
    "Use port 6432 in staging and port 5432 in production.",
    "Run `make lint` before every release.",
    "Run `make test` after every release.",
    "The index was created concurrently.",
    "The API listens on port 8080 and Ben lives in Lyon.",
    "Anna lives in Lyon; Ben does not.",
    "Remember that my locker code is 4471.",
    "The memory leak is in the parser.",
    "Note taking happens in Obsidian.",
    "Lyon.",
    "- Anna lives in Lyon.\n- Anna's birthday is 3 June.",
    "Anna lives in Lyon, as noted, and she moves in May.",
    "I remember that we have a new office.",
    "Postgres 15 is slow.",
]

WORK = (
    "The nightly export writes to s3://acme-exports and takes about 40 minutes.",
    "Priya owns the payments service.",
    "Payments must never be retried automatically.",
    "We use Terraform 1.6 for all infrastructure.",
    "To rotate the key: 1. run `vault rotate` 2. restart the gateway.",
    "The user's dog is called Bruno.",
    "Do not log personal data.",
    "The CI image is python:3.11-slim.",
    "Meetings are on Mondays at 9:30 and Thursdays at 14:00.",
    "Problem: the login page flickers.\nApproach: preload the font.\nGotcha: Safari caches it.",
    "I'm moving to Oslo in March.",
)
WORK_ECHOES = [
    "I recall from memory that Priya owns the payments service.",
    "Based on what I know, Priya owns the payments service.",
    "(From memory) Priya owns the payments service.",
    "- [k7qm2xva-41] Priya owns the payments service.",
    "From our previous conversations, I remember that the user's dog is called Bruno.",
    "I am moving to Oslo in March.",
    "Just to confirm: we use Terraform 1.6 for all infrastructure.",
    "**Do not log personal data.**",
    "* The CI image is `python:3.11-slim`.\n* Do not log personal data.",
    "Priya owns the payments service, and payments must never be retried automatically.",
    "Problem: the login page flickers. Approach: preload the font. Gotcha: Safari caches it.",
    "Recalled: Do not log personal data; We use Terraform 1.6 for all infrastructure.",
]
WORK_RETOLD = [
    "Priya is the owner of the payments service.",
    "From our previous conversations, I remember that your dog is called Bruno.",
    "The user is moving to Oslo in March.",
    "You're moving to Oslo in March.",
    "Never log personal data.",
]
WORK_NEWS = [
    "Priya and Tom own the payments service.",
    "Priya owns the payments service now that Tom left.",
    "Is Priya the owner of the payments service?",
    "Payments must never be retried.",
    "Payments must be retried automatically.",
    "We use Terraform 1.6 for most infrastructure.",
    "We use Terraform 1.6 for all infrastructure, except DNS.",
    "Do not log data.",
    "The base image is python:3.11-slim.",
    "Meetings are on Mondays at 14:00.",
    "Meetings are on Thursdays at 9:30 and Mondays at 14:00.",
    "I moved to Oslo in March.",
    "I am not moving to Oslo.",
    "The nightly export writes to s3://acme-imports and takes about 40 minutes.",
    "I remember that Priya quit.",
    "Sure! Let's do it tomorrow.",
    "According to my records, the budget is 5000.",
]


@pytest.mark.parametrize("text", WORK_ECHOES)
def test_what_an_agent_repeats_at_work_is_an_echo(text: str) -> None:
    assert echoed(text, WORK)


@pytest.mark.parametrize(
    ("text", "known"), [*((text, KNOWN) for text in RETOLD), *((text, WORK) for text in WORK_RETOLD)]
)
def test_what_is_told_in_other_words_is_none(text: str, known: tuple[str, ...]) -> None:
    assert not echoed(text, known)


@pytest.mark.parametrize("text", WORK_NEWS)
def test_what_it_learns_at_work_is_none(text: str) -> None:
    assert not echoed(text, WORK)


@pytest.mark.parametrize("text", ECHOES)
def test_what_only_repeats_is_an_echo(text: str) -> None:
    assert echoed(text, KNOWN)


@pytest.mark.parametrize("text", NEWS)
def test_what_says_anything_new_is_none(text: str) -> None:
    assert not echoed(text, KNOWN)


@pytest.mark.parametrize("text", ["", "  \n", "...", "- ", "Noted.", "Got it!", "As noted,"])
def test_what_says_nothing_is_none(text: str) -> None:
    assert not echoed(text, KNOWN)


def test_nothing_is_an_echo_of_nothing() -> None:
    assert not echoed("Anna lives in Lyon.", [])
    assert not echoed("Anna lives in Lyon.", ["", "  "])


def test_every_memory_is_an_echo_of_itself() -> None:
    assert all(echoed(text, KNOWN) for text in KNOWN)


def test_all_of_them_at_once_are_one() -> None:
    assert echoed("\n".join(reversed(KNOWN)), KNOWN)
    assert not echoed("\n".join(KNOWN) + "\nThe door code is 1234.", KNOWN)


def test_other_scripts_are_read_too() -> None:
    assert echoed("Анна живёт в Лионе.", ["Анна живёт в Лионе"])
    assert not echoed("Анна живёт в Париже.", ["Анна живёт в Лионе"])
    assert echoed("私はお茶が好きです。", ["私はお茶が好きです"])
    assert not echoed("私は珈琲が好きです。", ["私はお茶が好きです"])


@pytest.mark.parametrize("piece", ["tea, ", "tea and ", "As noted, ", "e.g. A ", " ", ". ", "(", "- ", "· ", "I said "])
def test_no_text_takes_long_to_hear(piece: str) -> None:
    """What would take minutes, or too deep a stack, if every way to part a sentence were tried."""
    assert not echoed("Ben " + piece * 20_000, ["tea", *KNOWN])


NOTE = "Restart the relay with a delay of 5 s, not 9 s, if the US feed stalls"


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "Remember: {}.",
        "Keep in mind: {}",
        "Don't forget: {}",
        "Important: {}",
        "Note: {}",
        "Reminder: {}",
        "Fact: {}",
        "Memory says: {}",
        "I already knew that {}",
        "I was told that {}",
        "As we know, {}",
        "{}, as we know.",
        "## Notes\n- {}",
        "# Memory\n{}",
        "Summary of this session:\n* {}",
        "**{}**",
        "> {}",
        "1. {}",
    ],
)
def test_a_light_frame_adds_nothing(frame: str) -> None:
    assert echoed(frame.format(NOTE), [NOTE])
    assert echoed(frame.format(NOTE[0].lower() + NOTE[1:]), [NOTE])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("5 s, not 9 s", "9 s, not 5 s"),
        ("5 s", "5 m"),
        ("5 s", "5 S"),
        ("US feed", "us feed"),
        ("stalls", "stalled"),
        ("stalls", "will stall"),
        ("if", "unless"),
        (" if the US feed stalls", ""),
        (" with a delay of 5 s, not 9 s,", ""),
        ("the relay", "my relay"),
        ("the relay", "the relays"),
        ("Restart", "\N{BALLOT X} Restart"),
        ("Restart", "Wrong: restart"),
        ("Restart", "Previously, restart"),
        ("Restart", "Anna says: restart"),
        ("Restart", "TODO: restart"),
        ("Restart", "[x] Restart"),
        ("stalls", "stalls \N{THUMBS DOWN SIGN}"),
        ("stalls", "stalls?"),
    ],
)
def test_one_word_is_enough_to_be_news(old: str, new: str) -> None:
    assert old in NOTE
    assert not echoed(NOTE.replace(old, new), [NOTE])


def test_what_limits_one_statement_is_not_laid_upon_another() -> None:
    known = ["Never push to main.", "Tag the release.", "The wiki is public."]
    assert echoed("The wiki is public and tag the release.", known)
    assert echoed("Never push to main; tag the release.", known)
    assert not echoed("Never push to main and tag the release.", known)


def test_what_stands_below_a_heading_is_not_said_by_itself() -> None:
    known = ["The old way, now forbidden:\n- push to main\n- tag by hand"]
    assert echoed(known[0], known)
    assert not echoed("Push to main", known)


def test_an_item_that_was_done_is_not_the_item_to_do() -> None:
    assert not echoed("- [x] ship the release", ["- [ ] ship the release"])
    assert not echoed("- [ ] ship the release", ["- [x] ship the release"])
