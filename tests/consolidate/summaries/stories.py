"""Small stories as episodes of three places, and what is only near them."""

from __future__ import annotations

from treering.consolidate.summaries.group import Episode
from treering.models.port import Embedder

DAY = 86_400_000_000  # microseconds
START = 1_700_000_000_000_000

Told = tuple[int, str, tuple[str, ...]]  # the day, the text and its tags

# Each with its place.
STORIES: dict[str, tuple[str, list[Told]]] = {
    "webhook": (
        "shop",
        [
            (
                1,
                "Stripe webhooks started failing around midnight. The handler in payment_worker.py times out "
                "after 10 seconds, and Stripe retries each event 3 times.",
                ("payments",),
            ),
            (
                1,
                "Looked at the failing Stripe webhooks again: the handler holds a row lock on the orders "
                "table while it calls the mail service.",
                ("payments",),
            ),
            (
                2,
                "Decided with Ada to move the mail call out of the webhook transaction. We will not raise the"
                " timeout, because Stripe gives up after 20 seconds anyway.",
                (),
            ),
            (
                3,
                "Mail is now sent through the mail-out queue; payment_worker.py answers Stripe within 300 ms.",
                ("payments",),
            ),
            (
                5,
                "Since the fix of the webhook handler went live there were no failed Stripe events. Added an "
                "alert at 2% failed events.",
                (),
            ),
        ],
    ),
    "rounding": (
        "shop",
        [
            (
                4,
                "Customer reported that the invoice total differs by one cent from the Stripe charge. Happens"
                " with three or more line items at 19% VAT.",
                ("payments",),
            ),
            (4, "The invoice rounding bug: invoice.py rounds VAT per line item, Stripe rounds the total once.", ()),
            (
                6,
                "Ada says the tax office accepts both, so we round VAT on the invoice total, half up, with "
                "Decimal and never with float.",
                ("payments",),
            ),
            (8, "invoice.py now rounds VAT once per invoice. Migrated 214 old invoices that were one cent off.", ()),
        ],
    ),
    "search": (
        "shop",
        [
            (
                2,
                "Product search takes 4 seconds for queries with more than three words. The catalog has 1.2 "
                "million rows.",
                ("performance",),
            ),
            (
                3,
                "EXPLAIN shows a sequential scan: the trigram index on products.title is not used because of "
                "lower() in the query.",
                ("performance",),
            ),
            (
                3,
                "Added an expression index on lower(title); product search went from 4 seconds to 180 ms.",
                ("performance",),
            ),
            (
                9,
                "Product search is slow again on staging only: staging lacks the expression index since the "
                "restore. Recreated it by hand.",
                (),
            ),
            (10, "Put the expression index for product search into migration 0042, so that restores keep it.", ()),
        ],
    ),
    "login": (
        "shop",
        [
            (5, "Users are logged out after exactly 15 minutes although refresh tokens live for 30 days.", ("auth",)),
            (
                6,
                "Refresh token rotation is broken in Safari: the cookie has SameSite=None without Secure, so "
                "Safari drops it.",
                ("auth",),
            ),
            (
                6,
                "Set Secure on the refresh cookie; Safari keeps users logged in now. Firefox never had the problem.",
                ("auth",),
            ),
            (7, "Wrote a Playwright test for refresh token rotation that runs on WebKit.", ("auth", "tests")),
        ],
    ),
    "onboarding": (
        "shop",
        [
            (3, "New hire Jonas starts on Monday. His laptop image needs Docker Desktop and the VPN profile.", ()),
            (
                4,
                "Jonas could not start the stack: docker compose up fails on Apple silicon because the image "
                "for elasticsearch is amd64 only.",
                (),
            ),
            (4, "Gave Jonas the arm64 override file for elasticsearch; docker compose up works on his laptop.", ()),
            (
                8,
                "Jonas wrote down the laptop setup in docs/onboarding.md: VPN profile first, then the arm64 "
                "override, then make seed.",
                (),
            ),
        ],
    ),
    "backup": (
        "shop",
        [
            (
                11,
                "The nightly pg_dump backup did not run for 6 days; cron on db-02 was disabled after the "
                "kernel update.",
                ("ops",),
            ),
            (12, "Re-enabled cron on db-02 and ran pg_dump by hand: 48 GB, 35 minutes.", ("ops",)),
            (13, "Test restore of the pg_dump backup took 2 hours and 10 minutes on db-03 without errors.", ("ops",)),
            (14, "Backups now ping healthchecks.io; we are paged if no backup arrives in 26 hours.", ("ops",)),
        ],
    ),
    "ratelimit": (
        "api",
        [
            (1, "Partner Norfolk gets HTTP 429 from our export endpoint at 60 requests per minute.", ("partners",)),
            (
                2,
                "The rate limiter counts per IP address, and Norfolk sends everything through one proxy, so "
                "all their 8 shops share a bucket.",
                ("partners",),
            ),
            (
                3,
                "Rate limiter keys on the API token now instead of the IP address. Limit stays at 60 per "
                "minute per token.",
                (),
            ),
            (
                4,
                "Norfolk confirmed: no more 429 on export since the limiter uses the token. They asked for "
                "120 requests per minute for the big shop.",
                ("partners",),
            ),
            (9, "Raised the rate limit for Norfolk's big shop to 120 per minute; all other tokens keep 60.", ()),
        ],
    ),
    "flaky": (
        "api",
        [
            (1, "test_export_large fails about one time in five on CI with a timeout, never locally.", ("ci",)),
            (
                2,
                "test_export_large: the CI runner has 2 cores, the test starts 8 workers and waits for all of"
                " them for 5 seconds.",
                ("ci",),
            ),
            (
                4,
                "Lowered the workers in test_export_large to the number of cores. 50 CI runs in a row were green.",
                ("ci",),
            ),
            (
                6,
                "test_export_large is flaky again after the runner image moved to Ubuntu 24.04; it waits on "
                "the clock of the container.",
                ("ci",),
            ),
            (
                7,
                "Replaced the sleep in test_export_large by a fake clock; stable on Ubuntu 24.04, 200 CI runs"
                " without a failure.",
                ("ci",),
            ),
        ],
    ),
    "csv": (
        "api",
        [
            (
                2,
                "The export endpoint writes CSV with semicolons for German partners and commas for all others.",
                ("partners",),
            ),
            (3, "Excel shows umlauts wrongly in our CSV exports unless the file starts with a UTF-8 BOM.", ()),
            (
                5,
                "Added the BOM to the CSV export for partners with locale de. Do not add it for others: "
                "Norfolk's importer breaks on a BOM.",
                ("partners",),
            ),
            (
                8,
                "CSV export: decimal separator is a comma when the field separator is a semicolon, asked for "
                "by partner Kessler.",
                ("partners",),
            ),
        ],
    ),
    "k8s": (
        "api",
        [
            (3, "Pods of export-api are OOMKilled twice a day; memory limit is 512Mi.", ("ops",)),
            (
                4,
                "Heap profile of export-api: the exporter builds the whole file in memory, 400 MB for the "
                "largest partner.",
                ("ops",),
            ),
            (6, "Streaming the export file in chunks of 64 KB; memory of the export-api pods is flat at 140 MB.", ()),
            (7, "Memory limit of the export-api pods is back to 256Mi. No OOMKilled since then.", ("ops",)),
        ],
    ),
    "openapi": (
        "api",
        [
            (
                5,
                "Decision: the API docs are generated from openapi.yaml, not from the code, so partners can "
                "review changes before we build them.",
                ("docs",),
            ),
            (6, "openapi.yaml is linted with spectral in CI; warnings fail the build.", ("docs", "ci")),
            (
                8,
                "Partners asked for examples in the API docs. Examples in openapi.yaml are checked against "
                "the schema by the linter.",
                ("docs",),
            ),
            (12, "Spectral rule added: each operation in openapi.yaml needs an operationId in camelCase.", ("docs",)),
        ],
    ),
    "kitchen": (
        "home",
        [
            (1, "Called the plumber Brandt about the leaking kitchen tap, he comes on Thursday between 9 and 11.", ()),
            (
                4,
                "Plumber Brandt looked at the kitchen tap: the cartridge is worn, he ordered a new one for 85 euros.",
                (),
            ),
            (
                9,
                "Brandt replaced the cartridge of the kitchen tap. It still drips a little when the water is hot.",
                (),
            ),
            (
                11,
                "Second visit of the plumber: the seal under the tap was the wrong size. No drip since. Paid "
                "140 euros in total.",
                (),
            ),
        ],
    ),
    "marathon": (
        "home",
        [
            (2, "Started the plan for the Hamburg marathon: 16 weeks, four runs a week.", ("running",)),
            (9, "Long run of 24 km for the marathon plan, knee hurt after 20 km.", ("running",)),
            (
                12,
                "The physiotherapist says the knee pain is the iliotibial band: no long runs over 15 km for two weeks.",
                ("running",),
            ),
            (26, "Knee is fine again, 28 km long run without pain. New shoes help.", ("running",)),
            (40, "Finished the Hamburg marathon in 3:52, knee held up.", ("running",)),
        ],
    ),
    "cat": (
        "home",
        [
            (3, "The cat Mimi eats less since Sunday and drinks a lot.", ()),
            (5, "Vet Dr. Lindner took blood from Mimi: kidney values are high, creatinine 3.1.", ()),
            (6, "Mimi gets the kidney diet food now, no dry food any more, and 2 ml of the syrup each morning.", ()),
            (
                20,
                "Control at the vet: creatinine of Mimi is down to 2.4. Go on with the kidney diet, next "
                "control in 3 months.",
                (),
            ),
        ],
    ),
    "spain": (
        "home",
        [
            (5, "Booked flights to Valencia for 12 May, 2 adults and 1 child, 412 euros with Vueling.", ("travel",)),
            (
                7,
                "Hotel in Valencia: decided for an apartment in Ruzafa instead of a hotel, because of the "
                "kitchen. 95 euros per night.",
                ("travel",),
            ),
            (
                9,
                "Vueling moved our flight to Valencia from 7:10 to 9:45. Free cancellation of the apartment "
                "until 5 May.",
                ("travel",),
            ),
            (
                15,
                "Rental car in Valencia not needed, the metro goes from the airport to Ruzafa in 25 minutes.",
                ("travel",),
            ),
        ],
    ),
}

# About other things, although they share a name, a word or a tag with a story.
NEAR: dict[str, list[Told]] = {
    "shop": [
        (1, "Lunch with the team at the new ramen place.", ()),
        (2, "Stripe dashboard has a new look.", ("payments",)),
        (3, "Asked Ada for the holiday calendar.", ()),
        (5, "Upgraded ruff to 0.8 and fixed 12 warnings.", ("ci",)),
        (6, "Customer asked for dark mode in the shop.", ()),
        (7, "Ada is on holiday until the 20th.", ()),
        (9, "The office printer is out of toner again.", ()),
        (10, "db-02 got a new SSD.", ("ops",)),
        (11, "Read an article about event sourcing, nice ideas about snapshots.", ()),
        (12, "Stripe raised its fees to 1.6%.", ("payments",)),
        (4, "Sent the quarterly report to the board.", ()),
        (8, "Products without a picture are hidden in the shop now.", ()),
        (9, "Docker Desktop wants a paid licence for teams over 250.", ()),
    ],
    "api": [
        (1, "Norfolk signed the contract for another year.", ("partners",)),
        (3, "Moved the standup to 9:30.", ()),
        (4, "CI minutes are used up for this month, bought 5,000 more.", ("ci",)),
        (5, "Partner Kessler has a new contact: Frau Albers.", ("partners",)),
        (6, "Ubuntu 22.04 support ends next spring.", ("ops",)),
        (7, "Upgraded FastAPI to 0.115 without changes.", ()),
        (9, "Rotated the API token of the test partner.", ("partners",)),
        (10, "Grafana dashboards moved to a new folder.", ("ops",)),
        (11, "The export button is blue now.", ()),
        (2, "Interviewed a candidate for the backend position.", ()),
    ],
    "home": [
        (1, "Bought a new bike lock.", ()),
        (4, "Mother's birthday is on the 23rd, she wishes for a book about Venice.", ()),
        (6, "Euro cup final was great.", ()),
        (8, "New neighbours moved in on the second floor.", ()),
        (10, "The dishwasher in the kitchen makes a strange noise.", ()),
        (13, "Cancelled the newspaper.", ()),
        (16, "Cinema with Eva, the film was too long.", ()),
        (17, "Hamburg was rainy all weekend.", ()),
        (21, "Called the tax office about the assessment.", ()),
    ],
}


def episodes(embedder: Embedder | None = None) -> tuple[list[Episode], dict[str, str]]:
    """All of them, and the story of each; those that are only near have one of their own."""
    told = [
        (f"{name}-{at}", name, place, *one) for name, (place, some) in STORIES.items() for at, one in enumerate(some)
    ]
    told += [
        (f"{place}-{at}", f"{place}-{at}", place, *one) for place, some in NEAR.items() for at, one in enumerate(some)
    ]
    vectors = [None] * len(told) if embedder is None else list(embedder.embed([text for *_, text, _ in told]))
    found = [
        Episode(id, place, text, START + day * DAY + at * 60_000_000, vector=vector, tags=tags)
        for at, ((id, _, place, day, text, tags), vector) in enumerate(zip(told, vectors, strict=True))
    ]
    return found, {id: story for id, story, *_ in told}
