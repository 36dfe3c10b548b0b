//! The section with the machines as they were found: a drawing, and a table of all transitions.

use std::fmt::Write;

use super::escaping::escape;
use super::machine_drawing::{can_be_drawn, drawing};
use super::page::{MachinePage, Page};
use crate::counted::counted;
use crate::machine::{FoundMachine, Transition, joined_arrows};

/// How many arrows a page draws, all machines together.
const MOST_ARROWS_ON_PAGE: usize = 600;

/// The section; nothing if there are no machines.
pub(super) fn section(page: &Page) -> String {
    if page.machines.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<section id=\"machines\" aria-labelledby=\"machines-name\">\
         <h2 id=\"machines-name\">States and transitions</h2>",
    );
    let mut room = MOST_ARROWS_ON_PAGE;
    for (number, machine) in page.machines.iter().enumerate() {
        one_machine(&mut out, number, machine, &mut room);
    }
    out.push_str("</section>");
    out
}

fn one_machine(out: &mut String, number: usize, page: &MachinePage, room: &mut usize) {
    let MachinePage { name, machine } = page;
    let name = escape(name);
    let id = format!("machine-{number}-name");
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<section class=\"machine\" aria-labelledby=\"{id}\"><div class=\"tree-head\">\
         <h3 id=\"{id}\"><code>{name}</code> <small>{}, {}</small></h3></div>",
        counted(machine.states.len(), "state"),
        counted(machine.transitions.len(), "transition")
    );
    let arrows = joined_arrows(machine);
    let is_drawn = can_be_drawn(machine, &arrows) && arrows.len() <= *room;
    if is_drawn {
        *room -= arrows.len();
        let label = format!("The states of {}", page.name);
        let _ = write!(
            out,
            "<div class=\"sketch\"><div class=\"canvas\">{}</div>\
             <div class=\"choice\" role=\"region\" aria-label=\"What is chosen in {name}\">\
             <p class=\"hint js\" hidden>Choose a state or an event to see its shortest sequence. \
             The arrow keys lead from one to the next.</p></div></div>",
            drawing(number, &label, machine, &arrows)
        );
    } else {
        out.push_str("<p class=\"nothing too-large\">It is too large for a drawing.</p>");
    }
    let open = if is_drawn { "" } else { " open" };
    let _ = write!(
        out,
        "<details class=\"transitions\"{open}><summary>All states and transitions</summary>"
    );
    states_table(out, machine);
    transitions_table(out, machine);
    out.push_str("</details></section>");
}

fn states_table(out: &mut String, machine: &FoundMachine) {
    out.push_str(
        "<div class=\"wide\"><table><thead><tr><th scope=\"col\">State</th>\
         <th scope=\"col\" class=\"number\">Tests</th><th scope=\"col\">Shortest sequence</th></tr>\
         </thead><tbody>",
    );
    for state in &machine.states {
        let start = if machine.initial.contains(&state.name) {
            " <small>the machine starts here</small>"
        } else {
            ""
        };
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code>{start}</th><td class=\"number\">{}</td>\
             <td>{}</td></tr>",
            escape(&state.name),
            state.count,
            sequence(&state.shortest)
        );
    }
    out.push_str("</tbody></table></div>");
}

fn transitions_table(out: &mut String, machine: &FoundMachine) {
    if machine.transitions.is_empty() {
        return;
    }
    out.push_str(
        "<div class=\"wide\"><table><thead><tr><th scope=\"col\">From</th>\
         <th scope=\"col\">Event</th><th scope=\"col\">To</th>\
         <th scope=\"col\" class=\"number\">Tests</th><th scope=\"col\">Shortest sequence</th></tr>\
         </thead><tbody>",
    );
    for transition in &machine.transitions {
        let _ = write!(
            out,
            "<tr><td><code>{}</code></td><td><code>{}</code></td><td>{}</td>\
             <td class=\"number\">{}</td><td>{}</td></tr>",
            escape(&transition.from),
            escape(&transition.event),
            after(transition),
            transition.count,
            sequence(&transition.shortest)
        );
    }
    out.push_str("</tbody></table></div>");
}

/// The state after a transition.
fn after(transition: &Transition) -> String {
    match &transition.to {
        Some(state) => format!("<code>{}</code>", escape(state)),
        None if transition.crashes > 0 => "<span class=\"bad\">crashes</span>".to_owned(),
        None => "ends".to_owned(),
    }
}

fn sequence(events: &[String]) -> String {
    format!("<code>{}</code>", escape(&events.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample_machine;

    fn section_of(machine: FoundMachine) -> String {
        let machines = vec![MachinePage {
            name: "m (gen_server)".to_owned(),
            machine,
        }];
        section(&Page {
            machines,
            ..Page::default()
        })
    }

    #[test]
    fn a_page_without_machines_has_no_section() {
        assert_eq!(section(&Page::default()), "");
    }

    #[test]
    fn everything_is_in_a_table_too() {
        let mut machine = sample_machine(
            &["'<a>'", "b"],
            &[("'<a>'", "cast x", Some("b")), ("b", "cast y", None)],
        );
        let text = section_of(machine.clone());
        assert!(text.contains("<svg ") && text.contains("<details class=\"transitions\">"));
        let row = "<td><code>&#39;&lt;a&gt;&#39;</code></td><td><code>cast x</code></td>\
             <td><code>b</code></td><td class=\"number\">2</td>\
             <td><code>init([]), cast x</code></td>";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("<td>ends</td>"), "{text}");
        if let Some(last) = machine.transitions.last_mut() {
            last.crashes = 1;
        }
        assert!(section_of(machine).contains("crashes</span></td>"));
    }

    #[test]
    fn a_machine_that_is_too_large_is_only_a_table() {
        let names: Vec<String> = (0..400).map(|it| format!("s{it}")).collect();
        let states: Vec<&str> = names.iter().map(String::as_str).collect();
        let pairs = states.iter().zip(states.iter().skip(1));
        let transitions: Vec<_> = pairs
            .map(|(one, two)| (*one, "cast x", Some(*two)))
            .collect();
        let text = section_of(sample_machine(&states, &transitions));
        assert!(!text.contains("<svg"), "it is drawn");
        assert!(text.contains("too large for a drawing"));
        assert!(text.contains("<details class=\"transitions\" open>"));
        assert!(text.contains("<code>s399</code>"));
    }

    #[test]
    fn a_page_does_not_draw_machines_without_end() {
        let states: Vec<String> = (0..60).map(|it| format!("s{it}")).collect();
        let states: Vec<&str> = states.iter().map(String::as_str).collect();
        let transitions: Vec<_> = states
            .iter()
            .map(|it| (states[0], "cast x", Some(*it)))
            .collect();
        let machine = sample_machine(&states, &transitions);
        let machines = (0..20).map(|_| MachinePage {
            name: "m".to_owned(),
            machine: machine.clone(),
        });
        let page = Page {
            machines: machines.collect(),
            ..Page::default()
        };
        let text = section(&page);
        assert_eq!(text.matches("<svg").count(), MOST_ARROWS_ON_PAGE / 60);
        assert_eq!(text.matches("too large for a drawing").count(), 10);
    }
}
