//! A short round of every fault. `make fault-tests` runs for an hour.

use end_to_end::faults::{FAULTS, Programs, long_search};
use end_to_end::random_programs::Random;

fn programs() -> Programs {
    Programs {
        tool: env!("CARGO_BIN_EXE_erlconcolic-under-test").into(),
        cutting_erl: env!("CARGO_BIN_EXE_cutting-erl").into(),
    }
}

fn rounds(name: &str, seeds: impl IntoIterator<Item = u64>) {
    let (_, round) = FAULTS.iter().find(|it| it.0 == name).expect("a fault");
    for seed in seeds {
        round(&programs(), &mut Random::new(seed));
    }
}

#[test]
fn killed_beams_change_nothing() {
    rounds("killed-beams", 0..2);
}

#[test]
fn a_full_state_folder_ends_the_search_with_its_report() {
    rounds("full-state-folder", 0..1);
    rounds("full-file-system", 0..1);
}

#[test]
fn a_file_that_cannot_be_written_is_reported_and_the_rest_is_written() {
    // One seed for each of the three outputs.
    rounds("full-outputs", [0, 1, 2]);
}

#[test]
fn a_closed_stdout_is_not_a_failure() {
    rounds("closed-stdout", 0..1);
}

#[test]
fn a_cut_channel_changes_nothing() {
    rounds("cut-channel", 0..2);
}

#[test]
fn questions_that_z3_does_not_answer_are_skipped() {
    rounds("solver-timeouts", 0..1);
}

#[test]
fn a_search_ends_with_its_report_at_every_signal() {
    rounds("signals", 0..1);
}

#[test]
fn a_run_that_takes_all_memory_brings_down_its_beam_alone() {
    rounds("greedy-runs", 0..1);
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn a_tool_without_memory_says_so() {
    rounds("starved-tool", 0..1);
}

#[test]
fn the_work_of_killed_nodes_is_done_by_others() {
    rounds("killed-nodes", 0..2);
}

#[test]
fn the_work_of_stopped_nodes_is_done_by_others() {
    rounds("stopped-nodes", 0..2);
}

#[test]
fn connections_that_are_cut_lose_nothing() {
    rounds("cut-connections", 0..2);
}

#[test]
fn a_node_with_a_full_disk_is_left_out() {
    rounds("full-node", 0..2);
}

#[test]
fn a_killed_search_on_nodes_goes_on_with_its_journal() {
    rounds("killed-search", 0..1);
}

#[test]
fn eight_nodes_find_what_one_machine_finds() {
    rounds("many-nodes", 0..1);
}

#[test]
fn a_long_search_leaks_nothing() {
    long_search::search(&programs(), 5_000);
}
