//! The drawing of a machine: boxes for states, arrows for transitions. The script finds what can be
//! chosen by `data-pick`: the kind (`s`tate, `t`ransition, `a`rrow) and a number.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::escaping::escape;
use super::machine_layout::{Pair, PlacedArrow, PlannedArrow, placed};
use crate::machine::{FoundMachine, JoinedArrow};

/// Machines with more states are not drawn: nobody would read it, and it would take long.
const MOST_STATES: usize = 80;

/// The same for arrows.
const MOST_ARROWS: usize = 300;

/// So many events are named at an arrow; the others are counted.
const MOST_LABELS: usize = 5;

/// Longer names are cut.
const LONGEST_NAME: usize = 36;

/// The width of a character in names of states, in pixels.
const STATE_CHARACTER: f64 = 8.2;
const STATE_HEIGHT: f64 = 34.0;
/// The width of a character in labels of arrows.
const LABEL_CHARACTER: f64 = 7.4;
const LABEL_HEIGHT: f64 = 18.0;
/// The sizes of where a machine starts and ends.
const START: Pair = (12.0, 12.0);
const END: Pair = (18.0, 18.0);

/// Whether a machine is small enough to be drawn.
pub(super) fn can_be_drawn(machine: &FoundMachine, arrows: &[JoinedArrow]) -> bool {
    machine.states.len() <= MOST_STATES && arrows.len() <= MOST_ARROWS
}

/// The drawing as SVG, given the number of the machine on the page and what the drawing is called.
pub(super) fn drawing(
    number: usize,
    name: &str,
    machine: &FoundMachine,
    arrows: &[JoinedArrow],
) -> String {
    let labels = arrows.iter().enumerate();
    let labels = labels.map(|(index, it)| labels_of(machine, index, it));
    let labels: Vec<Vec<ArrowLabel>> = labels.collect();
    let (boxes, planned) = planned(machine, arrows, &labels);
    let found = placed(&boxes, &planned);
    let (width, height) = found.size;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\" aria-label=\"{}\" data-machine=\"{number}\">",
        escape(name)
    );
    let own = found.arrows.iter().zip(arrows).enumerate();
    for (index, (place, arrow)) in own {
        let class = if crashes(machine, arrow) { " bad" } else { "" };
        let _ = write!(out, "<g class=\"joined{class}\" data-pick=\"a{index}\">");
        line(&mut out, place);
        out.push_str("</g>");
    }
    for place in found.arrows.iter().skip(arrows.len()) {
        out.push_str("<g class=\"joined\">");
        line(&mut out, place);
        out.push_str("</g>");
    }
    let mut places = found.boxes.iter().zip(&boxes);
    for (place, _) in places.by_ref().take(1) {
        circle(&mut out, "start", *place, START.0 / 2.0);
    }
    for (index, (place, size)) in places.enumerate() {
        match machine.states.get(index) {
            Some(state) => state_box(&mut out, index, &state.name, *place, *size),
            None => {
                circle(&mut out, "end-ring", *place, END.0 / 2.0);
                circle(&mut out, "start", *place, END.0 / 2.0 - 4.0);
            }
        }
    }
    for (place, labels) in found.arrows.iter().zip(&labels) {
        label_box(&mut out, place, labels);
    }
    out.push_str("</svg>");
    out
}

/// A line of the label of an arrow.
struct ArrowLabel {
    text: String,
    /// What is chosen by it.
    pick: String,
    is_crash: bool,
}

/// What is written at an arrow.
fn labels_of(machine: &FoundMachine, index: usize, arrow: &JoinedArrow) -> Vec<ArrowLabel> {
    let count = arrow.transitions.len();
    // A line for one more is no longer than the line that counts it.
    let shown = if count > MOST_LABELS + 1 {
        MOST_LABELS
    } else {
        count
    };
    let own = arrow.transitions.iter().take(shown);
    let own = own.filter_map(|number| {
        let transition = machine.transitions.get(*number)?;
        Some(ArrowLabel {
            text: cut(&transition.event),
            pick: format!("t{number}"),
            is_crash: transition.crashes > 0,
        })
    });
    let rest = (count > shown).then(|| ArrowLabel {
        text: format!("… {} more", count - shown),
        pick: format!("a{index}"),
        is_crash: false,
    });
    own.chain(rest).collect()
}

/// The sizes of start, states and end, and the arrows: first those of the machine, then those from the
/// start.
fn planned(
    machine: &FoundMachine,
    arrows: &[JoinedArrow],
    labels: &[Vec<ArrowLabel>],
) -> (Vec<Pair>, Vec<PlannedArrow>) {
    let states = machine.states.iter().map(|it| {
        let width = text_width(&cut(&it.name), STATE_CHARACTER) + 28.0;
        (width, STATE_HEIGHT)
    });
    let mut boxes: Vec<Pair> = std::iter::once(START).chain(states).collect();
    let end = boxes.len();
    if arrows.iter().any(|it| it.to.is_none()) {
        boxes.push(END);
    }
    let own = arrows.iter().zip(labels).map(|(arrow, labels)| {
        let widths = labels
            .iter()
            .map(|it| text_width(&it.text, LABEL_CHARACTER));
        let lines = u32::try_from(labels.len()).unwrap_or(u32::MAX);
        PlannedArrow {
            from: arrow.from + 1,
            to: arrow.to.map_or(end, |it| it + 1),
            label: (
                widths.fold(0.0, f64::max) + 12.0,
                f64::from(lines) * LABEL_HEIGHT,
            ),
        }
    });
    let states = machine.states.iter().enumerate();
    let initial = states.filter(|(_, it)| machine.initial.contains(&it.name));
    let initial = initial.map(|(number, _)| PlannedArrow {
        from: 0,
        to: number + 1,
        label: (0.0, 0.0),
    });
    let planned = own.chain(initial).collect();
    (boxes, planned)
}

fn crashes(machine: &FoundMachine, arrow: &JoinedArrow) -> bool {
    let mut own = arrow.transitions.iter();
    own.any(|it| {
        machine
            .transitions
            .get(*it)
            .is_some_and(|it| it.crashes > 0)
    })
}

fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

fn text_width(text: &str, character: f64) -> f64 {
    let columns = u32::try_from(text.width()).unwrap_or(u32::MAX);
    f64::from(columns) * character
}

fn state_box(out: &mut String, number: usize, name: &str, at: Pair, size: Pair) {
    let (x, y) = (at.0 - size.0 / 2.0, at.1 - size.1 / 2.0);
    let _ = write!(
        out,
        "<g class=\"state pick\" data-pick=\"s{number}\"><title>{}</title>\
         <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"9\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
        escape(name),
        size.0,
        size.1,
        at.0,
        at.1 + 4.5,
        escape(&cut(name))
    );
}

fn circle(out: &mut String, class: &str, at: Pair, radius: f64) {
    let _ = write!(
        out,
        "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"/>",
        at.0, at.1
    );
}

fn label_box(out: &mut String, place: &PlacedArrow, labels: &[ArrowLabel]) {
    let lines = u32::try_from(labels.len()).unwrap_or(u32::MAX);
    let mut y = place.label.1 - f64::from(lines) * LABEL_HEIGHT / 2.0;
    for label in labels {
        let width = text_width(&label.text, LABEL_CHARACTER) + 12.0;
        let class = if label.is_crash { " bad" } else { "" };
        let _ = write!(
            out,
            "<g class=\"event pick{class}\" data-pick=\"{}\"><rect x=\"{:.1}\" \
             y=\"{y:.1}\" width=\"{width:.1}\" height=\"{LABEL_HEIGHT}\" rx=\"4\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            label.pick,
            place.label.0 - width / 2.0,
            place.label.0,
            y + 13.0,
            escape(&label.text)
        );
        y += LABEL_HEIGHT;
    }
}

/// A curve through the points of an arrow, and its head.
fn line(out: &mut String, arrow: &PlacedArrow) {
    let [first, bends @ .., last] = arrow.points.as_slice() else {
        return;
    };
    let before = bends.last().unwrap_or(first);
    let (x, y) = (last.0 - before.0, last.1 - before.1);
    let length = x.hypot(y).max(0.1);
    let (x, y) = (x / length, y / length);
    let along = |back: f64, beside: f64| {
        (
            last.0 - x * back - y * beside,
            last.1 - y * back + x * beside,
        )
    };
    let mut curve = format!("M{:.1} {:.1}", first.0, first.1);
    for (number, bend) in bends.iter().enumerate() {
        let to = match bends.get(number + 1) {
            Some(next) => ((bend.0 + next.0) / 2.0, (bend.1 + next.1) / 2.0),
            None => along(7.0, 0.0),
        };
        let _ = write!(
            curve,
            "Q{:.1} {:.1} {:.1} {:.1}",
            bend.0, bend.1, to.0, to.1
        );
    }
    if bends.is_empty() {
        let to = along(7.0, 0.0);
        let _ = write!(curve, "L{:.1} {:.1}", to.0, to.1);
    }
    let (left, right) = (along(9.0, -4.5), along(9.0, 4.5));
    let _ = write!(
        out,
        "<path class=\"reach\" d=\"{curve}\"/><path class=\"curve\" d=\"{curve}\"/>\
         <path class=\"tip\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>",
        last.0, last.1, left.0, left.1, right.0, right.1
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{joined_arrows, sample_machine};

    fn drawn(machine: &FoundMachine) -> String {
        let drawing = drawing(0, "<The> drawing", machine, &joined_arrows(machine));
        drawing.replace("<g ", "\n<g ")
    }

    #[test]
    fn states_and_events_can_be_chosen() {
        let mut machine = sample_machine(
            &["locked", "open"],
            &[
                ("locked", "cast coin", Some("open")),
                ("locked", "cast \"<b>\"", Some("locked")),
                ("open", "cast push", None),
            ],
        );
        if let Some(last) = machine.transitions.last_mut() {
            last.crashes = 1;
        }
        insta::assert_snapshot!(drawn(&machine));
    }

    #[test]
    fn many_events_of_one_arrow_are_counted() {
        let events: Vec<String> = (0..12).map(|it| format!("cast e{it}")).collect();
        let all: Vec<_> = events.iter().map(|it| ("a", &**it, Some("b"))).collect();
        let text = drawn(&sample_machine(&["a", "b"], &all));
        assert_eq!(text.matches("class=\"event pick\"").count(), 6, "{text}");
        assert!(text.contains("data-pick=\"a0\"><rect") && text.contains("… 7 more"));
        let six: Vec<_> = all.iter().copied().take(MOST_LABELS + 1).collect();
        let text = drawn(&sample_machine(&["a", "b"], &six));
        assert_eq!(text.matches("class=\"event pick\"").count(), 6, "{text}");
        assert!(!text.contains("more"), "{text}");
        let text = drawn(&sample_machine(&["a", "b"], &[("a", "cast x", Some("b"))]));
        assert_eq!(text.matches("class=\"event pick\"").count(), 1, "{text}");
    }

    #[test]
    fn long_and_wide_names_have_room() {
        let long = "x".repeat(200);
        let names = [long.as_str(), "状態", "'ü🙂'"];
        let transitions = names.map(|it| (names[0], it, Some(it)));
        let text = drawn(&sample_machine(&names, &transitions));
        assert!(text.contains(&format!(">{}…</text>", "x".repeat(LONGEST_NAME))));
        assert!(text.contains(&format!("<title>{long}</title>")), "{text}");
        // Two columns for each of the characters.
        let width = format!("width=\"{:.1}\"", 4.0 * STATE_CHARACTER + 28.0);
        assert!(text.contains(&width), "{text}");
    }

    #[test]
    fn every_state_is_drawn_once_and_every_transition_is_reachable() {
        let names: Vec<String> = (0..50).map(|it| format!("state_{it}")).collect();
        let transitions: Vec<(usize, String, usize)> = (0..300)
            .map(|it| (it % 50, format!("cast e{it}"), it * 7 % 50))
            .collect();
        let states: Vec<&str> = names.iter().map(String::as_str).collect();
        let transitions: Vec<_> = transitions
            .iter()
            .map(|(from, event, to)| (states[*from], &**event, Some(states[*to])))
            .collect();
        let machine = sample_machine(&states, &transitions);
        let arrows = joined_arrows(&machine);
        assert!(can_be_drawn(&machine, &arrows));
        let text = drawn(&machine);
        assert_eq!(text.matches("class=\"state pick\"").count(), 50);
        for (number, arrow) in arrows.iter().enumerate() {
            assert!(text.contains(&format!("<g class=\"joined\" data-pick=\"a{number}\">")));
            let first = arrow
                .transitions
                .first()
                .expect("an arrow has a transition");
            assert!(text.contains(&format!("data-pick=\"t{first}\"")));
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
