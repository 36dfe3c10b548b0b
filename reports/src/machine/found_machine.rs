//! A machine as a search found it: its states, and the transitions between them.

use std::collections::{BTreeMap, BTreeSet};

use erlang_term::Term;
use trace_engine::{ChosenClause, PlayMark, PlayMarkKind};

use super::event_texts::{event_shape, event_texts, played};
use super::shape::shape;

/// The states and transitions of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundMachine {
    /// The states, in the order in which they were found.
    pub states: Vec<FoundState>,
    /// The names of those with which it begins.
    pub initial: Vec<String>,
    /// Each once, in the order in which they were found.
    pub transitions: Vec<Transition>,
}

/// A state of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundState {
    /// Its name, or its shape.
    pub name: String,
    /// How many tests reach it.
    pub count: usize,
    /// The shortest sequence that reaches it.
    pub shortest: Vec<String>,
}

/// A transition of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state before.
    pub from: String,
    /// The event, without its values.
    pub event: String,
    /// The state after; `None` if the machine ended.
    pub to: Option<String>,
    /// How many tests show it.
    pub count: usize,
    /// How many of these crash in it.
    pub crashes: usize,
    /// The shortest sequence that shows it.
    pub shortest: Vec<String>,
}

/// The numbers of states and transitions.
#[derive(Default)]
struct Known {
    states: BTreeMap<String, usize>,
    transitions: BTreeMap<Step, usize>,
}

impl FoundMachine {
    /// What some tests show, given the arguments and marks of each, and whether it crashes.
    pub fn of<'tests>(tests: impl Iterator<Item = (Vec<Term>, &'tests [PlayMark], bool)>) -> Self {
        let mut machine = Self::default();
        let mut known = Known::default();
        for (arguments, marks, is_crash) in tests {
            machine.add(&arguments, marks, is_crash, &mut known);
        }
        machine
    }

    fn add(&mut self, arguments: &[Term], marks: &[PlayMark], is_crash: bool, known: &mut Known) {
        let texts = event_texts(arguments, marks);
        let (mut reached, mut shown) = (BTreeSet::new(), BTreeSet::new());
        for (step, index) in transitions(arguments, marks) {
            let sequence = texts.get(..=index).unwrap_or(&texts);
            let (from, _, to) = &step;
            if let Some(name) = to {
                let number = self.state(name, known);
                let is_first = reached.insert(number);
                if let Some(state) = self.states.get_mut(number) {
                    state.count += usize::from(is_first);
                    keep_shorter(&mut state.shortest, sequence);
                }
            }
            if from == START {
                let first = to.clone().filter(|it| !self.initial.contains(it));
                self.initial.extend(first);
                continue;
            }
            let is_end = to.is_none();
            let number = self.transition(step, known);
            let is_first = shown.insert(number);
            if let Some(transition) = self.transitions.get_mut(number) {
                transition.count += usize::from(is_first);
                transition.crashes += usize::from(is_crash && is_end);
                keep_shorter(&mut transition.shortest, sequence);
            }
        }
    }

    /// The number of a state.
    fn state(&mut self, name: &str, known: &mut Known) -> usize {
        if let Some(number) = known.states.get(name) {
            return *number;
        }
        let number = self.states.len();
        known.states.insert(name.to_owned(), number);
        self.states.push(FoundState {
            name: name.to_owned(),
            count: 0,
            shortest: Vec::new(),
        });
        number
    }

    /// The number of a transition.
    fn transition(&mut self, key: Step, known: &mut Known) -> usize {
        if let Some(number) = known.transitions.get(&key) {
            return *number;
        }
        let number = self.transitions.len();
        known.transitions.insert(key.clone(), number);
        self.transitions.push(Transition {
            from: key.0,
            event: key.1,
            to: key.2,
            count: 0,
            crashes: 0,
            shortest: Vec::new(),
        });
        number
    }
}

/// No state has this name.
const START: &str = "";

/// State, event and state.
type Step = (String, String, Option<String>);

/// The transitions of a play, each with the number of the event that led there.
fn transitions(arguments: &[Term], marks: &[PlayMark]) -> Vec<(Step, usize)> {
    let mut found = Vec::new();
    let mut current = START.to_owned();
    for mark in marks {
        let (event, to) = match &mark.kind {
            PlayMarkKind::Handled { event, label, .. } => {
                (event_shape(event), Some(state_name(label)))
            }
            PlayMarkKind::Ended { event, .. } => {
                let sent = arguments.get(mark.index).filter(|_| mark.index > 0);
                let event = event.as_ref().or(sent);
                (event.map(event_shape).unwrap_or_default(), None)
            }
            PlayMarkKind::Waited(_)
            | PlayMarkKind::Waits(_)
            | PlayMarkKind::Fired(_)
            | PlayMarkKind::Replied(_) => continue,
        };
        let next = to.clone().unwrap_or_default();
        let from = std::mem::replace(&mut current, next);
        found.push(((from, event, to), mark.index));
    }
    found
}

/// The clause of a callback because of which a play ended, if its end was due to one.
pub(crate) fn ending_clause(marks: &[PlayMark]) -> Option<ChosenClause> {
    marks.iter().rev().find_map(|mark| match mark.kind {
        PlayMarkKind::Ended { clause, .. } => clause,
        PlayMarkKind::Handled { .. }
        | PlayMarkKind::Waited(_)
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_) => None,
    })
}

/// The numbers of the tests that show transitions first, of the shortest sequences.
pub(crate) fn shortest_tests<'tests>(
    tests: impl Iterator<Item = (Vec<Term>, &'tests [PlayMark])>,
) -> BTreeSet<usize> {
    let mut shortest: BTreeMap<Step, (usize, usize)> = BTreeMap::new();
    for (number, (arguments, marks)) in tests.enumerate() {
        let length = played(&arguments).len();
        for (transition, _) in transitions(&arguments, marks) {
            let known = shortest.entry(transition).or_insert((length, number));
            *known = (*known).min((length, number));
        }
    }
    shortest.into_values().map(|it| it.1).collect()
}

/// What a state is called, given its label. One without a label is that of a `gen_server`.
fn state_name(label: &Term) -> String {
    shape(label)
}

/// Takes a sequence if it is the first one, or shorter.
fn keep_shorter(known: &mut Vec<String>, sequence: &[String]) {
    let size = |it: &[String]| (it.len(), it.iter().map(String::len).sum::<usize>());
    if known.is_empty() || size(sequence) < size(known) {
        *known = sequence.to_vec();
    }
}
