//! Machines for tests.

use super::found_machine::{FoundMachine, FoundState, Transition};

/// A machine with these states, which begins with the first one, and these transitions: from, event,
/// to.
pub(crate) fn sample_machine(
    states: &[&str],
    transitions: &[(&str, &str, Option<&str>)],
) -> FoundMachine {
    let found = states.iter().map(|name| FoundState {
        name: (*name).to_owned(),
        count: 1,
        shortest: vec!["init([])".to_owned()],
    });
    let transitions = transitions.iter().map(|(from, event, to)| Transition {
        from: (*from).to_owned(),
        event: (*event).to_owned(),
        to: to.map(str::to_owned),
        count: 2,
        crashes: 0,
        shortest: vec!["init([])".to_owned(), (*event).to_owned()],
    });
    FoundMachine {
        states: found.collect(),
        initial: states.iter().take(1).map(|it| (*it).to_owned()).collect(),
        transitions: transitions.collect(),
    }
}
