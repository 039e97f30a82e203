"""Each rule of what contradicts what, and of what only looks like it."""

from __future__ import annotations

import pytest

from treering.truth.contradictions import KINDS, Conflict, between, why


def kind(one: str, other: str) -> str | None:
    """The kind of the conflict, in whichever order they come."""
    found, turned = between(one, other), between(other, one)
    assert (found is None) == (turned is None)
    return found.kind if found else None


def cases(text: str) -> list[tuple[str, str]]:
    rows = [line.strip().split(" | ") for line in text.strip().splitlines()]
    return [(one, other) for one, other in rows]


NEGATIONS = """
The exporter supports Excel. | The exporter does not support Excel.
Root login is allowed. | Root login is forbidden.
Type hints are mandatory. | Type hints are optional.
Debug logging is on in production. | Debug logging is off in production.
Squash commits before merging. | Never squash commits before merging.
Sessions are stored in Redis. | Sessions are no longer stored in Redis.
The image builds without network access. | The image build needs network access.
Secrets may be logged in debug mode. | Secrets must never be logged.
The parser is able to read streams. | Turns out that the parser is unable to read streams.
Address the user formally. | The user wants to be addressed informally, by first name.
The changelog is written by hand. | The changelog is generated automatically.
"""


@pytest.mark.parametrize("one, other", cases(NEGATIONS))
def test_a_statement_and_its_denial_contradict_each_other(one: str, other: str) -> None:
    assert kind(one, other) == "negation"


NUMBERS = """
The request timeout is 30 seconds. | The request timeout is 2 minutes.
The exporter listens on port 9100. | The exporter listens on port 9464.
Uploads are limited to 10 MB. | The maximum upload size is now 250 MB.
PRs need two approvals. | PRs need one approval.
The backup runs daily. | The backup runs weekly.
Rate limit: 100 requests per minute | The rate limit is 60 requests per minute.
Two approvals are needed to merge. | One approval is needed to merge.
The vault is backed up every six hours. | The vault is backed up once a day.
The mortgage has a fixed rate of 2.1% for ten years, and we may pay back more. | The fixed rate of our mortgage is 2.7%.
A student has to hand in eight of the ten sheets. | Students pass if they hand in at least six of the ten sheets.
"""


@pytest.mark.parametrize("one, other", cases(NUMBERS))
def test_another_number_of_the_same_thing_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) == "number"


VERSIONS = """
The backend runs on Python 3.10. | We are on Python 3.12 for the backend now.
The production database is Postgres 13. | The production database is Postgres 16.
The latest release of the CLI is v2.4.0. | The latest release of the CLI is v2.5.1.
Stay with Ansible 2.9, the playbooks do not work with newer ones. | Playbooks have been rewritten for Ansible 2.17.
The pipeline image is `node:18-alpine`. | The pipeline image is `node:22-alpine`.
We pin `eslint@8.57.0`. | `eslint` is at 9.10.0 now.
The module uses `go 1.19`, so keep away from maps. | The module was raised: `go 1.22` is what the module uses.
We are on Kubernetes 1.28. | The cluster was upgraded to Kubernetes 1.31.
"""


@pytest.mark.parametrize("one, other", cases(VERSIONS))
def test_another_version_of_the_same_thing_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) == "version"


DATES = """
The release is planned for 14 March. | The release is planned for 28 March.
Stand-up is at 9:30. | Stand-up starts at 10:00 now.
The retrospective takes place every Friday. | Retrospectives happen on Wednesdays.
The weekly sync is on Tuesday at 10:00. | The weekly sync is on Wednesday at 11:00.
Noor joined the company in 2019. | Noor joined the company in 2021.
The licence expires on 2026-02-11. | The licence expires on 2026-08-11.
Physio appointment: Tue 17:30 | Physio appointment: Fri 08:00
The couple's wedding anniversary is 3 August. | Their wedding anniversary falls on the 30th of August.
Flight to Oslo leaves at 07:15 on the 12th. | The Oslo flight was rebooked: departure 13:40 on the 12th.
Support for the old interface ends in Q2 2026. | We prolonged support for the old interface up to Q4 2026.
Rosa's exam is on 12 May in Leeds. | Rosa's exam was postponed to 19 May.
"""


@pytest.mark.parametrize("one, other", cases(DATES))
def test_another_date_or_time_of_the_same_thing_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) == "date"


CHOICES = """
Use pnpm in this repository. | Use yarn in this repository.
The user prefers tabs for indentation. | The user prefers spaces for indentation.
Tests are written with unittest. | Write tests with pytest.
The frontend is built with webpack. | The frontend is now built with Vite.
Write new components as classes. | New components are written as functions.
"""


@pytest.mark.parametrize("one, other", cases(CHOICES))
def test_another_choice_for_the_same_purpose_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) == "choice"


NAMES = """
The session cache lives in Redis. | The session cache now lives in Memcached.
Lena maintains the billing service. | Omar maintains the billing service.
Anna is the product owner. | The product owner is Felix.
The main entry point is `src/server.ts`. | The main entry point is `src/main.ts`.
The staging URL is https://stage.example.com. | The staging URL is https://test.example.com.
Hines Ward plays the position of wide receiver. | Hines Ward plays the position of cornerback.
The user's dentist is Dr. Okafor. | The user's dentist is Dr. Lindqvist.
DNS is handled by Route 53. | DNS is handled by Cloudflare.
Logs are shipped to Loki. | Logs go to Elasticsearch.
Sara manages the design team. | The design team is managed by Ibrahim.
Dark mode is the default theme. | Light mode is the default theme.
The capital fund is managed from Luxembourg. | Place from which the capital fund is managed: Dublin
The theme colour is blue. | The theme colour is green.
"""


@pytest.mark.parametrize("one, other", cases(NAMES))
def test_another_name_or_place_of_the_same_thing_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) == "name"


REPLACED = """
The default branch is `master`. | We renamed the default branch to `main`.
Use npm to install packages. | We switched from npm to pnpm.
Errors go to Sentry. | We replaced Sentry by GlitchTip for error tracking.
Deploy the site with rsync. | The site is deployed from a container, rsync is history.
Format Python with black. | Python code is formatted with `ruff format`, not black.
`UserRepo` loads the accounts. | The class `UserRepo` is now called `AccountStore`.
Elena commutes to the Valencia site. | Elena has been transferred from Valencia to the Bilbao site.
Workflow engine in use: Airflow | All workflows have been ported to Dagster and Airflow was uninstalled in May.
Work runs in Celery with a worker for each queue. | Work runs in Dramatiq; Celery and its workers were removed.
Dependency injection goes through the container. | Pass dependencies by hand, we have no container.
Our CRM is HubSpot. | We moved from HubSpot to Salesforce.
"""


@pytest.mark.parametrize("one, other", cases(REPLACED))
def test_what_was_replaced_contradicts_what_still_states_it(one: str, other: str) -> None:
    assert kind(one, other) in ("name", "choice")


SUBJECTS = """
The API listens on port 8080. | The admin UI listens on port 9090.
Staging runs Postgres 16. | Production runs Postgres 14.
Alice prefers dark mode. | Bob prefers light mode.
Server A has 16 cores. | Server B has 32 cores.
The read timeout is 10 s. | The write timeout is 30 s.
The timeout is 30 s. | The read timeout is 10 s.
Passwords have a minimum length of 8 characters. | Passwords have a maximum length of 64 characters.
Ticket 4512 is about the login page. | Ticket 4519 is about the login page.
Windows 95 was developed by Microsoft. | Windows 98 was developed by Microsoft.
Unit tests must not touch the network. | The smoke tests do touch the network.
The analytics group switched from Looker to Metabase. | The sales group stays with Looker and its licence was renewed.
We have no staging environment for the app. | The staging environment for the API runs on Hetzner.
Lines may be 100 characters long. | Docstring lines may be 80 characters long.
Invoices to Acme are sent on the 1st. | Invoices to Globex are sent on the 15th.
Marta moved from Porto to Lisbon. | Marta's parents live in Porto.
"""


@pytest.mark.parametrize("one, other", cases(SUBJECTS))
def test_statements_about_two_things_do_not_meet(one: str, other: str) -> None:
    assert kind(one, other) is None


COMPLEMENTS = """
The user likes tea. | The user likes coffee.
The project depends on `httpx`. | The project depends on `pydantic`.
The library supports Python 3.11. | The library supports Python 3.12.
We use Grafana for dashboards. | We also use Datadog for dashboards.
Run `make lint` before pushing. | Run `make test` before pushing.
The backend uses Postgres. | The backend uses Redis.
The user is learning Spanish. | The user is learning Italian.
Tokens are signed with RS256. | Tokens are signed by the auth service.
Messages are encrypted with AES. | Messages are compressed with zstd.
The package is built with setuptools. | The package is published with twine.
The database moved to Frankfurt. | The database runs on Postgres.
Docs moved to `handbook/`. | The docs are in English.
Nina is in charge of hiring. | Nina is in Berlin.
The report is sent to Anna. | The report is sent to Ben.
The branch must not be deleted while a review is open. | Delete the branch after the merge.
The talk is held in English. | The talk is held in room 12.
"""


@pytest.mark.parametrize("one, other", cases(COMPLEMENTS))
def test_what_can_both_be_so_is_no_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is None


REFINEMENTS = """
The request times out after 30 seconds. | The request times out after half a minute.
The request times out after 30 s. | The request times out after 30000 ms.
The release is in March. | The release is on 18 March.
The project uses Python 3.12. | The project uses Python 3.12.4, installed through `uv`.
At least 3 replicas run in production. | 5 replicas run in production.
The API latency is about 200 ms. | The API latency is 210 ms.
Kemal lives in Turkey. | Kemal lives in Izmir, Turkey.
The cache is in Redis. | The cache is in Redis, database number 2.
Stand-up is at 14:00. | Our stand-up takes place at 2 pm.
The main database is Postgres. | The main database is PostgreSQL.
The service is deployed by Ana. | The service is deployed by a pipeline that Ana maintains.
"""


@pytest.mark.parametrize("one, other", cases(REFINEMENTS))
def test_the_same_value_in_other_words_or_more_exactly_is_no_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is None


CONDITIONS = """
On CI the tests run with four workers. | Locally the tests run with one worker.
On Windows the config is in `%APPDATA%`. | On Linux the config is in `~/.config`.
In debug builds assertions are enabled. | In release builds assertions are disabled.
Admins may delete projects. | Ordinary users may not delete projects.
The build takes 5 minutes on CI. | The build takes 12 minutes on my laptop.
The price is 20 euros without tax. | The price is 23.80 euros with tax.
Use tabs in Makefiles. | Use spaces in Python files.
The gym is open until 22:00 on weekdays. | The gym is open until 18:00.
The pool opens at 9:00 in winter. | The pool opens at 7:00.
"""


@pytest.mark.parametrize("one, other", cases(CONDITIONS))
def test_different_conditions_are_no_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is None


TIMES = """
Met Ana on Monday to talk about the data model. | Met Ana on Thursday to talk about the data model.
In 2024 we had 40 users. | In 2026 we had 900 users.
Version 1.8 was released on 4 May. | Version 1.9 was released on 2 June.
The room was 21 degrees warm on Monday. | The room was 26 degrees warm on Friday.
The build failed on Tuesday because of a full disk. | The build passed on Wednesday.
Called the plumber on 2 March about the tap. | Called the plumber on 9 March about the tap.
Replaced the filter on 3 May. | Replaced the filter on 4 August.
"""


@pytest.mark.parametrize("one, other", cases(TIMES))
def test_what_happened_at_different_times_is_no_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is None


UNSAID = """
Should we use Redis for the job queue? | We use Postgres for the job queue.
Is the deadline 1 May? | The deadline is 15 May.
Maybe the office moves to Leipzig. | The office is in Berlin.
Ravi asked whether the API supports pagination. | The API does not support pagination.
Someone claims that the SDK does not work with Go. | The SDK works with Go.
The plan is to raise the timeout to 60 s, we want to try it. | We might keep the timeout at 20 s.
"The timeout is 60 s" was his joke. | The timeout is 20 s.
Emeka wanted to know if refunds are automatic. | Refunds aren't automatic.
Asked if the API supports batching. | The API does not support batching.
It would be wrong to say that the driver does not support IPv6. | The driver supports IPv6.
"""


@pytest.mark.parametrize("one, other", cases(UNSAID))
def test_questions_plans_claims_and_quotations_state_nothing(one: str, other: str) -> None:
    assert kind(one, other) is None


DOUBLE = """
The `--region` flag is not optional. | The `--region` flag is required.
The cache isn't disabled in production. | The cache is enabled in production.
Never merge without a review. | Always get a review before merging.
Don't forget to run `make schema`. | Run `make schema`.
Deploying on Friday isn't allowed. | Deploying on Friday is forbidden.
There's nothing against using the new logger. | You may use the new logger.
Interns are not barred from production access. | Interns can get production access.
"""


@pytest.mark.parametrize("one, other", cases(DOUBLE))
def test_two_negations_cancel_each_other_out(one: str, other: str) -> None:
    assert kind(one, other) is None


NUMBERED = """
session note {}
fact {} about apples
Chapter {} covers joins.
step {} is to restart the server
row {} is red
user {} likes tea
ticket {} is fixed
We closed issue #{} in the parser.
note {}: the pump was noisy
Camera {} is in the hall.
Customer {} pays by card.
Version {} of the text is shorter.
See page {} of the manual.
"""


@pytest.mark.parametrize("text", NUMBERED.strip().splitlines())
def test_a_number_that_names_a_thing_is_no_value(text: str) -> None:
    assert kind(text.format(3), text.format(4)) is None
    assert kind(text.format(4411), text.format(4412)) is None


@pytest.mark.parametrize(
    "text", ["The port is {}.", "Timeout: {}", "We listen on port {}.", "Retry {} times.", "The room seats {} people."]
)
def test_the_number_of_a_quantity_is_a_value(text: str) -> None:
    assert kind(text.format(12), text.format(17)) == "number"


def test_what_leads_to_a_statement_is_no_speaker() -> None:
    """Where a thing was read says nothing of what it is about; who said it does."""
    assert kind("Looked at the papers again: the fixed rate is 2.7%.", "The fixed rate is 2.1%.") == "number"
    assert kind("Ana said: my rate is 2.7%.", "Ben said: my rate is 2.1%.") is None


def test_speakers_do_not_contradict_each_other() -> None:
    """I am another for each of them."""
    assert kind("Ana: my office is in Berlin.", "Ben: my office is now in Leipzig.") is None
    assert kind("Ana: my office is in Berlin.", "Ana: my office is now in Leipzig.") == "name"


def test_code_states_nothing() -> None:
    block = "How it is run:\n```\nThe timeout is 20 s.\n```"
    assert kind(block, "The timeout is 30 s.") is None
    assert kind(block.replace("```", ""), "The timeout is 30 s.") == "number"


def test_one_sentence_among_several_is_enough() -> None:
    one = "We had a call with the vendor. The request timeout is 30 s. Ana will write the summary."
    other = "Notes on operations. The request timeout is 90 s."
    found = between(one, other)
    assert found == Conflict(
        "number", (one.index("30"), one.index("30") + 4), (other.index("90"), other.index("90") + 4)
    )


def test_two_long_texts_are_not_compared() -> None:
    """Their sentences lean on each other, and what they are about is said elsewhere."""
    rest = "".join(
        f" The {word} chapter was added to the handbook." for word in "first second third fourth fifth sixth".split()
    )
    one, other = "The request timeout is 30 s." + rest, "The request timeout is 90 s." + rest
    assert kind(one, other) is None
    assert kind(one, "The request timeout of the client is 90 s.") is None
    assert kind("The request timeout is 30 s.", "The request timeout is 90 s.") == "number"


def test_the_reason_names_both_values() -> None:
    one, other = "The request timeout is 30 s.", "The request timeout is 2 minutes."
    found = between(one, other)
    assert found is not None
    assert why(found, one, other) == 'the number differs: "30 s" here, "2 minutes" there'


def test_a_long_value_is_cut_in_the_reason() -> None:
    one = "Our public SDK that we ship to partners and to customers with every release is thread-safe."
    other = "Our public SDK that we ship to partners and to customers with every release isn't thread-safe."
    found = between(one, other)
    assert found is not None
    said = why(found, one, other)
    assert '…" here' in said
    assert said.endswith('"isn\'t" there')


def test_every_kind_has_a_reason() -> None:
    for name in KINDS:
        assert why(Conflict(name, (0, 1), (0, 1)), "a", "b").endswith(': "a" here, "b" there')
