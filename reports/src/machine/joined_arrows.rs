//! The arrows of a drawing of a machine: transitions between the same two states are one arrow.

use std::collections::HashMap;

use super::found_machine::FoundMachine;

/// All transitions from one state to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JoinedArrow {
    /// The number of the state before.
    pub(crate) from: usize,
    /// The number of the state after; `None` if the machine ends.
    pub(crate) to: Option<usize>,
    /// The numbers of the transitions, at least one.
    pub(crate) transitions: Vec<usize>,
}

/// The arrows of a machine, in the order in which they were found.
pub(crate) fn joined_arrows(machine: &FoundMachine) -> Vec<JoinedArrow> {
    let states = machine.states.iter().enumerate();
    let numbers: HashMap<&str, usize> = states.map(|(number, it)| (&*it.name, number)).collect();
    let mut places = HashMap::new();
    let mut arrows: Vec<JoinedArrow> = Vec::new();
    for (number, transition) in machine.transitions.iter().enumerate() {
        let Some(&from) = numbers.get(&*transition.from) else {
            continue;
        };
        let to = transition.to.as_deref();
        let to = to.and_then(|it| numbers.get(it).copied());
        let place = *places.entry((from, to)).or_insert(arrows.len());
        match arrows.get_mut(place) {
            Some(arrow) => arrow.transitions.push(number),
            None => arrows.push(JoinedArrow {
                from,
                to,
                transitions: vec![number],
            }),
        }
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample_machine;

    #[test]
    fn transitions_between_two_states_are_one_arrow() {
        let machine = sample_machine(
            &["a", "b"],
            &[
                ("a", "cast x", Some("b")),
                ("b", "cast x", Some("a")),
                ("a", "cast y", Some("b")),
                ("a", "cast z", None),
                ("a", "cast w", Some("a")),
                ("a", "call z", None),
            ],
        );
        let arrows = joined_arrows(&machine);
        let found: Vec<_> = arrows
            .iter()
            .map(|it| (it.from, it.to, it.transitions.as_slice()))
            .collect();
        let expected: [(usize, Option<usize>, &[usize]); 4] = [
            (0, Some(1), &[0, 2]),
            (1, Some(0), &[1]),
            (0, None, &[3, 5]),
            (0, Some(0), &[4]),
        ];
        assert_eq!(found, expected);
    }
}
