"""Define the words that tell a relation, and which way round.

A plus before a verb means all its regular forms; an underscore stands for a blank.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

# Relation, how sure it is, and the verbs: the subject does it to the object.
_FORWARD = (
    (
        "uses",
        0.85,
        """+use +leverage +adopt +wrap runs_on run_on running_on runs_inside runs_under ran_on runs_with run_with
        talks_to talk_to connects_to connect_to writes_to write_to reads_from read_from publishes_to subscribes_to
        delegates_to consumes built_on built_with built_using built_on_top_of sits_on_top_of written_in rewritten_in
        backed_by powered_by hosted_on hosted_by deployed_to deployed_on deployed_with deployed_via deployed_by
        deployed_through implemented_in implemented_with implemented_using stored_in made_with formatted_with
        formatted_by linted_with linted_by generated_with generated_by rendered_with compiled_with compiled_by
        switched_to switches_to moved_to migrated_to ported_to standardised_on standardized_on settled_on
        signed_with is_on are_on provisioned_with provisioned_by managed_by managed_with packaged_with bundled_with
        bundled_by goes_through go_through goes_via authenticates_with authenticates_via authenticates_against
        served_by served_from cached_in kept_in persisted_in persisted_to saved_in queued_in logs_to exports_to
        pushes_to pulls_from scrapes loads trained_with trained_on done_with done_in done_via""",
    ),
    (
        "uses",
        0.7,
        "+call +invoke +embed +employ runs running via using driven_by orchestrated_by handled_by queries polls",
    ),
    (
        "depends_on",
        0.9,
        """+depend_on depends_upon depend_upon +require +rely_on +need waits_for wait_for waiting_for waits_on
        wait_on blocked_by blocked_on has_a_dependency_on builds_on hinges_on pulls_in brings_in expects
        won't_start_without does_not_start_without doesn't_start_without cannot_run_without can't_run_without
        cannot_start_without""",
    ),
    (
        "part_of",
        0.9,
        """is_part_of are_part_of part_of belongs_to belong_to contained_in included_in bundled_in is_a_part_of
        is_a_module_of is_a_submodule_of is_a_package_in is_a_component_of component_of shipped_in""",
    ),
    (
        "part_of",
        0.75,
        """lives_in live_in lives_under live_under sits_in sits_under lives_inside resides_in located_in defined_in
        declared_in is_in is_inside is_under""",
    ),
    (
        "causes",
        0.85,
        """+cause +trigger leads_to lead_to led_to results_in resulted_in +raise throws threw throw ends_in ended_in
        is_the_cause_of was_the_cause_of is_the_reason_for was_the_reason_for provokes provoked is_behind was_behind
        is_to_blame_for was_to_blame_for is_responsible_for_the""",
    ),
    (
        "fixes",
        0.85,
        """+fix +resolve +solve +cure +prevent +avoid gets_rid_of got_rid_of works_around work_around worked_around
        +mend +remedy +address is_the_fix_for was_the_fix_for is_a_fix_for is_the_workaround_for is_a_workaround_for
        is_the_cure_for took_care_of takes_care_of +silence helps_against helped_against helps_with did_the_trick
        does_the_trick gets_around""",
    ),
    (
        "contradicts",
        0.85,
        """conflicts_with conflict_with conflicted_with clashes_with clash_with is_incompatible_with
        are_incompatible_with incompatible_with is_not_compatible_with not_compatible_with contradicts contradict
        contradicted mutually_exclusive_with collides_with disagrees_with fights_with does_not_work_with
        do_not_work_with doesn't_work_with don't_work_with doesn't_play_well_with does_not_play_well_with
        does_not_support doesn't_support breaks broke cannot_be_combined_with can't_be_combined_with """,
    ),
    (
        "replaces",
        0.9,
        """+replace +supersede takes_the_place_of took_the_place_of take_the_place_of taking_the_place_of
        taken_the_place_of is_a_drop-in_replacement_for is_the_replacement_for is_a_replacement_for is_the_new
        is_the_successor_of is_the_successor_to is_successor_to supplants supplanted obsoletes formerly""",
    ),
    ("replaces", 0.75, "instead_of rather_than in_place_of"),
    (
        "related_to",
        0.8,
        """owner_of owners_of author_of authors_of maintainer_of maintainers_of owns own owned maintains maintain
        wrote rewrote ported authored looks_after look_after is_responsible_for are_responsible_for responsible_for
        added is_in_charge_of in_charge_of is_the_owner_of is_the_author_of is_the_maintainer_of is_owner_of
        is_maintainer_of took_over takes_over goes_with integrates_with integrate_with is_related_to relates_to
        related_to pairs_with works_with introduced set_up built reviewed designed created refactored documented""",
    ),
    (
        "tested_by",
        0.9,
        """tested_by tested_in tested_with tested_through tested_against covered_by covered_in exercised_by
        verified_by checked_by has_tests_in has_its_tests_in has_a_test_in is_under_test_in""",
    ),
    (
        "configured_by",
        0.9,
        """configured_by configured_in configured_via configured_through configured_with configured_from is_set_in
        are_set_in is_set_by are_set_by set_via is_set_via controlled_by controlled_via controlled_through
        toggled_by enabled_by enabled_via enabled_in disabled_by disabled_in disabled_via switched_on_by
        turned_on_by turned_off_by reads_its_config_from gets_its_config_from takes_its_settings_from
        reads_its_settings_from parametrised_by gated_by tuned_via tuned_in tuned_with overridden_by overridden_in
        pinned_in""",
    ),
    ("imports", 0.9, "+import"),
    (
        "is_a",
        0.9,
        """is_a_subclass_of is_a_kind_of is_a_type_of is_a_fork_of inherits_from +extend subclasses is_a_subtype_of
        is_an_alias_for is_an_alias_of""",
    ),
    ("is_a", 0.8, "is_a is_an was_a are_a is_one_of_our"),
)
# The same, the other way round: the object does it to the subject.
_BACKWARD = (
    (
        "uses",
        0.85,
        """used_by used_in called_by called_from invoked_by consumed_by wrapped_by read_by queried_by shared_by
        adopted_by""",
    ),
    ("depends_on", 0.9, "required_by needed_by blocks a_dependency_of dependency_of is_a_prerequisite_for"),
    (
        "part_of",
        0.85,
        """contains contain contained includes include consists_of consist_of is_made_up_of comprises bundles
        ships_with holds""",
    ),
    (
        "causes",
        0.85,
        """caused_by triggered_by due_to stems_from stemmed_from comes_from came_from originates_in originated_in
        comes_down_to came_down_to goes_back_to go_back_to went_back_to boils_down_to boiled_down_to traced_to
        traced_back_to down_to raised_by thrown_by produced_by is_the_result_of was_the_result_of turned_out_to_be
        is_a_symptom_of because_of thanks_to""",
    ),
    (
        "fixes",
        0.9,
        """fixed_by solved_by resolved_by cured_by mended_by fixed_with solved_with resolved_with fixed_in
        went_away_with goes_away_with gone_with gone_after gone_since gone_once prevented_by worked_around_by
        worked_around_with addressed_by went_away_after went_away_once disappeared_with disappeared_after fixed_via
        avoided_by avoided_with goes_away_after goes_away_when""",
    ),
    (
        "replaces",
        0.9,
        """replaced_by replaced_with superseded_by supplanted_by ousted_by swapped_for deprecated_in_favour_of
        deprecated_in_favor_of in_favour_of in_favor_of swapped_out_for made_way_for gave_way_to succeeded_by
        exchanged_for renamed_to is_now became gives_way_to makes_way_for taken_over_by""",
    ),
    (
        "related_to",
        0.8,
        "owned_by maintained_by written_by authored_by looked_after_by introduced_by designed_by built_by added_by",
    ),
    ("tested_by", 0.85, "+test +cover +exercise"),
    ("configured_by", 0.8, "+configure +control +toggle sets"),
    ("imports", 0.9, "imported_by imported_in imported_from"),
)
# It ends what was: "billing-api dropped Redis".
_ENDING = (
    (
        "uses",
        0.8,
        """no_longer_uses no_longer_use stopped_using +drop moved_off moved_away_from migrated_off
        migrated_away_from ditched abandoned no_longer_runs_on no_longer_calls""",
    ),
    ("depends_on", 0.85, "no_longer_depends_on no_longer_depend_on no_longer_needs no_longer_need no_longer_requires"),
)
_VOWELS = "aeiou"


class Predicate(NamedTuple):
    words: tuple[str, ...]
    type: str
    back: bool  # from the object to the subject
    confidence: float
    ends: bool = False
    finite: bool = True  # may have a subject of its own before it


@lru_cache(1)
def predicates() -> dict[str, dict[str, list[Predicate]]]:
    """Return the predicates by their first two words, the longest first; made when first needed.

    The second word of a single one is empty.
    """
    found: dict[str, dict[str, list[Predicate]]] = {}
    for table, back, ends in ((_FORWARD, False, False), (_BACKWARD, True, False), (_ENDING, False, True)):
        for type, confidence, verbs in table:
            for verb in verbs.split():
                for form in _forms(verb):
                    words = tuple(form.split("_"))
                    one = Predicate(words, type, back, confidence, ends, not form.endswith("ing"))
                    second = words[1] if len(words) > 1 else ""
                    found.setdefault(words[0], {}).setdefault(second, []).append(one)
    for seconds in found.values():
        for same in seconds.values():
            same.sort(key=lambda one: -len(one.words))
    return found


def _forms(verb: str) -> list[str]:
    if not verb.startswith("+"):
        return [verb]
    base, _, rest = verb[1:].partition("_")
    tail = f"_{rest}" if rest else ""
    return [form + tail for form in (base, _third(base), _past(base), _going(base))]


def _third(base: str) -> str:
    if base[-1] == "y" and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z")) else "s")


def _past(base: str) -> str:
    if base == "run":
        return "ran"
    if base == "drop":
        return "dropped"
    if base[-1] == "y" and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return base + ("d" if base[-1] == "e" else "ed")


def _going(base: str) -> str:
    if base in ("run", "drop"):
        return base + base[-1] + "ing"
    return (base[:-1] if base[-1] == "e" else base) + "ing"
