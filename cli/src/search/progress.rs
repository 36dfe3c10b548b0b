//! The progress of a search, on stderr.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use reports::{Cause, ClausePlace, Entry, Outcome, ReachableCode, Wording, counted, visible};
use trace_engine::explore::{Attempt, ClauseId, Lesson, Pruned};

/// Shows all runs and their reasons; or a line that counts them and the crashes, if stderr is a
/// terminal; or nothing.
#[derive(Debug)]
pub(crate) struct Progress<'search> {
    bar: ProgressBar,
    is_verbose: bool,
    start: Instant,
    clauses: HashMap<ClauseId, &'search ClausePlace>,
    state: Mutex<ShownProgress>,
}

#[derive(Debug, Default)]
struct ShownProgress {
    runs: usize,
    /// Several entries may reach the same clause.
    reached: HashSet<ClauseId>,
    waiting: usize,
    pruned: Pruned,
    /// The crashes that were shown: number of the entry, and cause.
    crashes: Vec<(usize, Cause)>,
}

impl<'search> Progress<'search> {
    pub(crate) fn new(quiet: bool, verbose: bool, code: &'search ReachableCode) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_draw_target(if quiet || verbose {
            ProgressDrawTarget::hidden()
        } else {
            // Draws on terminals only.
            ProgressDrawTarget::stderr()
        });
        let clauses = code.clauses.iter().map(|it| (it.id, &it.place));
        Self {
            bar,
            is_verbose: verbose,
            start: Instant::now(),
            clauses: clauses.collect(),
            state: Mutex::default(),
        }
    }

    /// Shows a run.
    pub(crate) fn ran(&self, entry: &Entry, attempt: &Attempt<'_>, outcome: &Outcome) {
        if !self.is_verbose && self.bar.is_hidden() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.runs += 1;
        let wording = Wording::of(entry, None);
        let call = wording.call(entry, &entry.arguments(attempt.arguments.terms()));
        if self.is_verbose {
            let why = self.why(attempt);
            let number = attempt.number + 1;
            say(&format!(
                "test {number}: {call} {}; {why}",
                ending(&wording, outcome)
            ));
        } else if outcome.is_finding() {
            let crash = (attempt.task, Cause::of(outcome));
            if !state.crashes.contains(&crash) {
                state.crashes.push(crash);
                self.bar
                    .println(format!("found: {call} {}", ending(&wording, outcome)));
            }
        }
    }

    /// Shows the results of a run.
    pub(crate) fn learned(&self, lesson: &Lesson<'_>) {
        if self.is_verbose {
            say(&self.lesson(lesson));
        } else if !self.bar.is_hidden() {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.waiting = lesson.waiting;
            state.pruned = lesson.pruned;
            let clauses = lesson.clauses.iter();
            let own = clauses.filter(|it| self.clauses.contains_key(it));
            state.reached.extend(own);
            let time = self.start.elapsed();
            self.bar
                .set_message(message(&state, self.clauses.len(), time));
            self.bar.tick();
        }
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The reason for an input.
    fn why(&self, attempt: &Attempt<'_>) -> String {
        let Some(parent) = attempt.parent else {
            return "seed input".to_owned();
        };
        let parent = parent + 1;
        match attempt.aim.map(|aim| self.clauses.get(&aim)) {
            Some(Some(place)) => format!("from test {parent}, to reach {}", shown(place)),
            Some(None) => format!("from test {parent}, to reach a clause of a library"),
            None => format!("from test {parent}, to take another branch"),
        }
    }

    fn lesson(&self, lesson: &Lesson<'_>) -> String {
        let reached = lesson.clauses.iter().filter_map(|it| self.clauses.get(it));
        let reached: Vec<String> = reached.map(|place| shown(place)).collect();
        let reached = if reached.is_empty() {
            "nothing new".to_owned()
        } else {
            reached.join(", ")
        };
        let statistics = lesson.statistics;
        let questions = usize::try_from(statistics.queries).unwrap_or(usize::MAX);
        let asked = if questions == 0 {
            "no questions".to_owned()
        } else {
            format!(
                "{}: {} solved, {} impossible, {} unsolved",
                counted(questions, "question"),
                statistics.sat,
                statistics.unsat,
                statistics.unknown,
            )
        };
        let waiting = counted(lesson.waiting, "input");
        format!("  reached: {reached}\n  solver: {asked}\n  waiting: {waiting}")
    }
}

/// Writes a line to stderr.
fn say(line: &str) {
    // If the terminal is gone, there is nowhere to report it.
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(line));
}

fn shown(place: &ClausePlace) -> String {
    match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", place.clause),
        _ => place.clause.clone(),
    }
}

/// How a run ended, in words.
fn ending(wording: &Wording<'_>, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(value) => format!("returns {}", wording.value(value)),
        Outcome::Exception { .. } => {
            let raised = wording.raised(outcome, None).unwrap_or_default();
            match outcome.crash_site() {
                Some(place) => format!("raises {raised} ({}:{})", place.file, place.line),
                None => format!("raises {raised}"),
            }
        }
        Outcome::Timeout => "takes too long".to_owned(),
        Outcome::Killed => "uses too much memory".to_owned(),
        Outcome::WorkerDied => "crashes the BEAM".to_owned(),
        Outcome::Deadlock { .. } => "waits for ever".to_owned(),
        Outcome::Steps => "takes too many steps".to_owned(),
        Outcome::Blocked(call) => format!("is refused a call of {}", wording.function(call)),
    }
}

fn message(state: &ShownProgress, clauses: usize, time: Duration) -> String {
    let ShownProgress {
        runs,
        reached,
        waiting,
        pruned,
        crashes,
    } = state;
    let pruned = match (pruned.points, pruned.ways) {
        (0, _) | (_, 0) => String::new(),
        (points, ways) => format!("{points} states, {ways} ways merged; "),
    };
    format!(
        "{runs} tests, {} of {clauses} clauses reached, {} found; {pruned}\
         {waiting} inputs waiting; {} s",
        reached.len(),
        crashes.len(),
        time.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use flattener::flat::SiteId;

    use super::*;

    #[test]
    fn the_line_counts_tests_clauses_findings_and_inputs() {
        let state = ShownProgress {
            runs: 12,
            reached: (0..7).map(|it| (0, SiteId(it), 0)).collect(),
            waiting: 40,
            crashes: vec![(0, Cause::of(&Outcome::Timeout))],
            pruned: Pruned::default(),
        };
        let time = Duration::from_millis(4_200);
        assert_eq!(
            message(&state, 9, time),
            "12 tests, 7 of 9 clauses reached, 1 found; 40 inputs waiting; 4 s"
        );
        let pruned = Pruned {
            points: 5,
            ways: 8,
            ..Pruned::default()
        };
        assert_eq!(
            message(&ShownProgress { pruned, ..state }, 9, time),
            "12 tests, 7 of 9 clauses reached, 1 found; 5 states, 8 ways merged; 40 inputs \
             waiting; 4 s"
        );
    }
}
