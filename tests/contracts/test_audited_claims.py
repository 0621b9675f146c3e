"""Verdicts that once stood on less than a reader thinks: each case that an audit of version 0.2.0 found has a test that stays.

One table, so that a test which is renamed or dropped is missed here, by the words of its case.
"""

from __future__ import annotations

import ast

import pytest

from tests.places import ROOT

TRAINING, LAWS = "scores/test_unequal_training.py", "properties/test_one_answer.py"
DATA, RUNS = "inference/advice/test_data.py", "inference/advice/test_runs.py"
CASES = {
    "two copies, one of which stopped at 60 % of the steps": (
        "calibration/test_unequal_training.py",
        "test_two_copies_of_one_law_are_called_different_as_seldom_as_alpha_says",
    ),
    "pairs that do differ at the common step": (
        "calibration/test_unequal_training.py",
        "test_different_ones_are_found_as_often_as_at_the_common_step_whatever_the_policy",
    ),
    "a whole side with the last score carried": (
        TRAINING,
        "test_a_whole_side_that_ended_early_is_compared_at_the_last_common_step_and_never_carried",
    ),
    "half the budget": (TRAINING, "test_no_leader_is_named_where_no_step_can_stand_for_the_end"),
    "a run at step 0": (TRAINING, "test_a_refusal_offers_what_works_and_never_a_score_of_no_training"),
    "an IQM of three tasks": (
        "inference/advice/test_pairs.py",
        "test_a_pair_that_an_iqm_of_three_tasks_decides_is_told",
    ),
    "a cell of one run beside means": (
        "properties/test_single_runs.py",
        "test_tasks_of_a_single_run_are_left_out_of_their_pairs_by_name_and_number",
    ),
    "real pairs with one cell cut to one run": (
        "properties/test_single_runs.py",
        "test_of_real_pairs_with_one_cell_cut_to_one_run_the_verdict_is_that_of_the_other_tasks",
    ),
    "the single cell of a third": (
        "properties/test_single_runs.py",
        "test_a_third_algorithm_with_a_cell_of_one_run_changes_no_verdict_of_two_others",
    ),
    "a best run of 1.001": (
        "inference/pairs/test_unit.py",
        "test_a_best_run_of_a_thousandth_more_changes_no_measure_and_hardly_a_p_value",
    ),
    "sequential beside compare": (LAWS, "test_no_look_claims_what_compare_denies_of_the_same_runs"),
    "possible ranks of a table and of its sentence": (
        LAWS,
        "test_possible_ranks_are_those_of_all_at_once_wherever_they_are_printed",
    ),
    "R001 on many tasks": (
        "inference/advice/test_pairs.py",
        "test_few_runs_on_many_tasks_are_enough_for_every_verb_that_adds_them_up",
    ),
    "a tally of tasks for a test": (LAWS, "test_whether_a_lead_holds_across_tasks_is_what_tasks_as_the_sample_say"),
    "the interval of LaTeX": ("exits/test_exits.py", "test_every_exit_shows_the_same_cells"),
    "digits of single precision": (
        "calibration/test_guards_calibration.py",
        "test_no_guard_speaks_of_more_than_two_honest_data_sets_in_a_hundred",
    ),
    "scores in the order of their labels": (RUNS, "test_scores_in_the_order_of_their_labels_are_no_shared_runs"),
    "counts of successes": (RUNS, "test_counts_of_successes_have_no_order"),
    "two algorithms with the same runs": (
        RUNS,
        "test_algorithms_with_the_same_runs_in_any_order_have_no_verdict",
    ),
    "the same runs on one task": (
        RUNS,
        "test_a_task_on_which_two_algorithms_have_the_same_runs_is_named_and_the_verdict_stays",
    ),
    "one game under two ids": (DATA, "test_ids_of_one_environment_are_one_task"),
    "a crash entered as exact 0": (DATA, "test_exactly_0_beside_large_scores_is_asked_about"),
    "raw scores beside scores / 100": (DATA, "test_percentages_beside_fractions_are_a_warning_in_every_answer"),
    "best_return as the score": (DATA, "test_a_column_of_the_best_of_a_run_is_asked_about"),
    "two of five runs that vanish at the gate": (
        "methods/test_gate.py",
        "test_labels_of_the_baseline_that_the_candidate_lacks_are_asked_for",
    ),
    "percentages with an algorithm that failed": (
        "scores/test_reference_lookup.py",
        "test_one_algorithm_that_failed_is_not_taken_for_a_share_among_percentages",
    ),
    "reference rows of a table": (
        "methods/test_claims.py",
        "test_what_is_left_out_wins_and_loses_no_claim_and_counts_in_no_correction",
    ),
    "reports that die": (
        "report/test_any_design.py",
        "test_a_report_is_written_or_refused_before_anything_is_drawn",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_case_keeps_its_test(case):
    file, name = CASES[case]
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
