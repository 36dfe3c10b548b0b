//! Machines as they were found, in a few lines.

use std::fmt::Write;

use crate::counted::counted;
use crate::exploration::Exploration;
use crate::machine::{Behaviour, FoundMachine, JoinedArrow, joined_arrows};
use crate::terminal::shortened;

/// The arrows of larger machines are not listed.
const MOST_ARROWS: usize = 20;

/// At most this many events are named for one arrow.
const MOST_EVENTS: usize = 4;

/// The state of a `gen_server`, if nobody says what to call it.
const UNNAMED: &str = "none";

/// A paragraph for each machine: how many states and transitions it has, and which, if it is small.
pub(super) fn machine_lines(exploration: &Exploration<'_>) -> String {
    let mut out = String::new();
    for search in &exploration.searches {
        if let Some(machine) = search.found_machine() {
            let is_server = search.entry.behaviour() == Some(Behaviour::GenServer);
            let has_names = !is_server || machine.states.iter().any(|it| it.name != UNNAMED);
            push_machine(
                &mut out,
                &exploration.shown(&search.entry),
                has_names,
                &machine,
            );
        }
    }
    out
}

fn push_machine(out: &mut String, name: &str, has_names: bool, machine: &FoundMachine) {
    let states = counted(machine.states.len(), "state");
    let transitions = counted(machine.transitions.len(), "transition");
    let arrows = joined_arrows(machine);
    let is_small = arrows.len() <= MOST_ARROWS;
    let hint = match (has_names, is_small) {
        (false, _) => " (--state-of tells its states apart)",
        (true, false) => " (--html draws them, --dot writes them for Graphviz)",
        (true, true) => "",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{name}: {states}, {transitions}{hint}");
    if is_small {
        for state in &machine.initial {
            let _ = writeln!(out, "  starts in {}", shortened(state));
        }
        for arrow in &arrows {
            let _ = writeln!(out, "  {}", arrow_line(machine, arrow));
        }
    }
    out.push('\n');
}

/// `locked -> open: cast coin, call {code,integer()}`.
fn arrow_line(machine: &FoundMachine, arrow: &JoinedArrow) -> String {
    let name = |number: usize| machine.states.get(number).map_or("", |it| &*it.name);
    let numbers = arrow.transitions.iter();
    let own = numbers.filter_map(|it| machine.transitions.get(*it));
    let shown = own.clone().take(MOST_EVENTS).map(|it| {
        let crash = if it.crashes > 0 { " (crashes)" } else { "" };
        format!("{}{crash}", shortened(&it.event))
    });
    let mut events = shown.collect::<Vec<_>>().join(", ");
    let more = own.count().saturating_sub(MOST_EVENTS);
    if more > 0 {
        events.push_str(&format!(" and {more} more"));
    }
    let (from, to) = (name(arrow.from), arrow.to.map_or("end", name));
    format!("{} -> {}: {events}", shortened(from), shortened(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample_machine;

    fn lines(machine: &FoundMachine) -> String {
        let mut out = String::new();
        push_machine(&mut out, "door (gen_statem)", true, machine);
        out
    }

    #[test]
    fn a_small_machine_is_listed() {
        let events = ["cast a", "cast b", "cast c", "cast d", "cast e", "cast f"];
        let mut transitions: Vec<_> = events
            .iter()
            .map(|it| ("locked", *it, Some("open")))
            .collect();
        transitions.push(("open", "info {x,integer()}", None));
        let mut machine = sample_machine(&["locked", "open"], &transitions);
        if let Some(last) = machine.transitions.last_mut() {
            last.crashes = 1;
        }
        let expected = "\
door (gen_statem): 2 states, 7 transitions
  starts in locked
  locked -> open: cast a, cast b, cast c, cast d and 2 more
  open -> end: info {x,integer()} (crashes)

";
        assert_eq!(lines(&machine), expected);
    }

    #[test]
    fn a_server_with_one_state_tells_how_to_name_states() {
        let mut out = String::new();
        push_machine(&mut out, "s", false, &sample_machine(&[UNNAMED], &[]));
        let first = out.lines().next();
        assert_eq!(
            first,
            Some("s: 1 state, 0 transitions (--state-of tells its states apart)")
        );
    }

    #[test]
    fn a_large_machine_is_counted() {
        let names: Vec<String> = (0..=MOST_ARROWS).map(|it| format!("s{it}")).collect();
        let states: Vec<&str> = names.iter().map(String::as_str).collect();
        let transitions: Vec<_> = states.iter().map(|it| (*it, "cast x", Some(*it))).collect();
        let text = lines(&sample_machine(&states, &transitions));
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("21 states, 21 transitions (--html"), "{text}");
    }
}
