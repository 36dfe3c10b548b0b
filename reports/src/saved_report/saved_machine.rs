//! A machine in a report.

use serde::Deserialize;

use crate::machine::{FoundMachine, FoundState, Transition};

/// The states and transitions of a machine.
#[derive(Debug, Deserialize)]
pub(super) struct SavedMachine {
    initial: Vec<String>,
    states: Vec<String>,
    /// How often each state was reached.
    reached: Vec<SavedState>,
    transitions: Vec<SavedTransition>,
}

#[derive(Debug, Deserialize)]
struct SavedState {
    count: usize,
    shortest: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct SavedTransition {
    from: String,
    event: String,
    to: Option<String>,
    count: usize,
    crashes: usize,
    shortest: Vec<String>,
}

impl SavedMachine {
    /// The machine.
    pub(super) fn machine(&self) -> FoundMachine {
        let states = self.states.iter().zip(&self.reached);
        let states = states.map(|(name, state)| FoundState {
            name: name.clone(),
            count: state.count,
            shortest: state.shortest.clone(),
        });
        let transitions = self.transitions.iter().map(|it| Transition {
            from: it.from.clone(),
            event: it.event.clone(),
            to: it.to.clone(),
            count: it.count,
            crashes: it.crashes,
            shortest: it.shortest.clone(),
        });
        FoundMachine {
            states: states.collect(),
            initial: self.initial.clone(),
            transitions: transitions.collect(),
        }
    }
}
