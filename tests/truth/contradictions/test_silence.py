"""Pairs that a careful reader would let stand: where words alone cannot tell, nothing is raised."""

from __future__ import annotations

import pytest

from tests.truth.contradictions.test_rules import cases, kind

NESTED = """
Sofia lives in Spain. | Sofia lives in Valencia, near the market.
Tests run on Linux in CI. | Tests run on `ubuntu-22.04` in CI.
The database is hosted in Europe. | The database is hosted in Frankfurt.
Nils is from Sweden. | Nils is from Malmö.
The client is written in JavaScript. | The client is written in TypeScript with React.
The app is built with React. | The app is built with Next.js.
The office plants are watered by Jo. | The office plants are watered by Al.
The editor of the journal is Dr. Wu. | The editor of the journal is Mei Wu.
The author of the report is Kim. | The author of the report is the data team.
Gina's email is gina@home.net. | Gina's work email is gina@acme.com.
Tanja's child is Mia. | Tanja's child is Paul.
Leo plays tennis on Mondays. | Leo plays tennis on Thursdays.
"""


@pytest.mark.parametrize("one, other", cases(NESTED))
def test_values_of_which_one_may_be_in_the_other_or_stand_beside_it_are_no_contradiction(one: str, other: str) -> None:
    assert kind(one, other) is None


GOVERNED = """
`npm run dev` fails if Docker isn't running. | Docker has to be up for `npm run dev` to work.
Museum entry is free with a student card. | Museum entry is 12 euros if you have no student card.
Deploy only if the tests pass. | Don't deploy unless the tests pass.
Nina eats cheese unless it is blue. | Nina doesn't eat blue cheese.
Refunds are allowed except for gift cards. | Refunds are not allowed for gift cards.
Guests may not use the pool after 10 pm. | Guests may use the pool.
Iris doesn't like coffee in the evening. | Iris likes coffee.
Carla can attend the offsite. | Nothing keeps Carla from attending the offsite.
Not every test needs a database. | Some tests need a database.
Secrets never go into git. | Keep secrets out of git.
There is no rule against pets in the office. | Pets are allowed in the office.
For EU customers VAT is added. | For US customers no VAT is added.
"""


@pytest.mark.parametrize("one, other", cases(GOVERNED))
def test_a_negation_within_a_condition_or_of_a_part_denies_nothing_else(one: str, other: str) -> None:
    assert kind(one, other) is None


ELSEWHEN = """
Before the March migration, event ids were 32-bit. | Event ids are 64-bit.
Clara used to work at Siemens. | Clara works at Bosch.
When I started, we had two servers. | We have six servers.
Alma has worked at SAP. | Alma works at Oracle.
This morning the build was broken. | The build isn't broken.
The rent was raised in 2022. | The rent was raised in 2024.
The previous owner of the module was Tim. | The owner of the module is Jan.
`/v1/orders` isn't paginated. | Plan for the March milestone: paginate `/v1/orders`.
Planned: upgrade to Python 3.13. | We run Python 3.11.
We will switch the queue to RabbitMQ. | The queue is Redis.
The office moves to Leipzig next year. | The office is in Dresden.
The target is a latency of 100 ms. | The latency is 240 ms.
Feature request: allow dark mode. | Dark mode is not allowed.
From May on the stand-up is at 10:00. | The stand-up is at 9:00.
"""


@pytest.mark.parametrize("one, other", cases(ELSEWHEN))
def test_what_was_or_is_to_be_does_not_contradict_what_is(one: str, other: str) -> None:
    assert kind(one, other) is None


BOUNDS = """
The dataset has over 1,000 rows. | The dataset has 1,200 rows.
The trip costs between 300 and 400 euros. | The trip costs 350 euros.
It takes 10 to 15 minutes to warm up. | It takes 12 minutes to warm up.
The maximum upload size is 100 MB. | The upload size is 20 MB.
Grandma's birthday party is on 9 May. | Grandma's birthday is 7 May.
The function takes two arguments. | The function takes three optional arguments.
The course has 12 lessons. | The course has 4 lessons left.
"""


@pytest.mark.parametrize("one, other", cases(BOUNDS))
def test_a_bound_a_range_or_a_part_does_not_contradict_the_value(one: str, other: str) -> None:
    assert kind(one, other) is None
