//! Machines as they were found, in the language of Graphviz.

use std::fmt::Write;

use crate::exploration::Exploration;
use crate::machine::{FoundMachine, JoinedArrow, Transition, joined_arrows};

/// A graph with a cluster for each machine. Transitions between the same two states are one arrow,
/// with a line for each in its label; its tooltip has their shortest sequences.
pub fn dot_report(exploration: &Exploration<'_>) -> String {
    let machines = exploration.searches.iter().filter_map(|search| {
        let name = exploration.shown(&search.entry);
        Some((name, search.found_machine()?))
    });
    dot(&machines.collect::<Vec<_>>())
}

/// The graph of some machines, given their names.
fn dot(machines: &[(String, FoundMachine)]) -> String {
    let mut out = String::from(
        "digraph machines {\n  charset=\"UTF-8\";\n  fontname=\"Helvetica\";\n  \
         node [shape=box, style=rounded, fontname=\"Helvetica\"];\n  \
         edge [fontname=\"Helvetica\", fontsize=11];\n",
    );
    for (number, (name, machine)) in machines.iter().enumerate() {
        cluster(&mut out, number, name, machine);
    }
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, number: usize, name: &str, machine: &FoundMachine) {
    let state = |name: &str| format!("m{number} {name}");
    let (start, end) = (format!("m{number}>"), format!("m{number}<"));
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "  subgraph cluster_{number} {{\n    label={};",
        label(name)
    );
    let _ = writeln!(out, "    {} [shape=point, label=\"\"];", id(&start));
    for it in &machine.states {
        let tooltip = label(&it.shortest.join(", "));
        let (node, name) = (id(&state(&it.name)), label(&it.name));
        let _ = writeln!(out, "    {node} [label={name}, tooltip={tooltip}];");
    }
    if machine.transitions.iter().any(|it| it.to.is_none()) {
        let _ = writeln!(
            out,
            "    {} [shape=doublecircle, style=filled, fillcolor=black, width=0.12, label=\"\", \
             tooltip=\"end\"];",
            id(&end)
        );
    }
    for name in &machine.initial {
        let _ = writeln!(out, "    {} -> {};", id(&start), id(&state(name)));
    }
    for arrow in joined_arrows(machine) {
        let named = |number: usize| machine.states.get(number).map(|it| state(&it.name));
        let from = named(arrow.from).unwrap_or_default();
        let to = arrow.to.and_then(named).unwrap_or_else(|| end.clone());
        let attributes = attributes(machine, &arrow);
        let _ = writeln!(out, "    {} -> {} [{attributes}];", id(&from), id(&to));
    }
    out.push_str("  }\n");
}

/// The attributes of an arrow.
fn attributes(machine: &FoundMachine, arrow: &JoinedArrow) -> String {
    let numbers = arrow.transitions.iter();
    let own: Vec<&Transition> = numbers
        .filter_map(|it| machine.transitions.get(*it))
        .collect();
    let events: Vec<&str> = own.iter().map(|it| it.event.as_str()).collect();
    let sequences: Vec<String> = own.iter().map(|it| it.shortest.join(", ")).collect();
    let colour = if own.iter().any(|it| it.crashes > 0) {
        ", color=red, fontcolor=red"
    } else {
        ""
    };
    let (events, sequences) = (label(&events.join("\n")), label(&sequences.join("\n")));
    format!("label={events}, tooltip={sequences}{colour}")
}

/// A quoted name.
fn id(text: &str) -> String {
    quoted(text, "&")
}

/// A quoted text that is shown. Graphviz reads entities in it.
fn label(text: &str) -> String {
    quoted(text, "&amp;")
}

fn quoted(text: &str, ampersand: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str(ampersand),
            '\n' => out.push_str("\\n"),
            _ if character.is_control() => {
                let _ = write!(out, "\\\\x{{{:X}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample_machine;

    #[test]
    fn machines_are_clusters_of_one_graph() {
        let mut door = sample_machine(
            &["locked", "open"],
            &[
                ("locked", "call {code,integer()}", Some("open")),
                ("locked", "cast coin", Some("open")),
                ("open", "timeout state_timeout", Some("locked")),
                ("open", "cast stop", None),
            ],
        );
        if let Some(last) = door.transitions.last_mut() {
            last.crashes = 1;
        }
        let empty = sample_machine(&["none"], &[]);
        let machines = [
            ("door (gen_statem)".to_owned(), door),
            ("store (gen_server)".to_owned(), empty),
        ];
        insta::assert_snapshot!(dot(&machines));
    }

    #[test]
    fn names_do_not_end_their_quotes() {
        let odd = [
            "'say \"hi\"'",
            "'back\\\\slash'",
            "'&lt; ü→\u{1F600}'",
            "a\\",
        ];
        let transitions: Vec<_> = odd.iter().map(|it| (*it, *it, Some(odd[0]))).collect();
        let machine = sample_machine(&odd, &transitions);
        insta::assert_snapshot!(dot(&[("'m\"\n\u{7}' (gen_server)".to_owned(), machine)]));
    }
}
