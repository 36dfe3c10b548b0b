//! What bounds the inputs of searches.

use crate::counted::counted;
use crate::entry::EntryKind;
use crate::searched::Searched;

/// What bounds the inputs of some searches, if they are complete: `arguments of depth at most 4`, or
/// `at most 3 events and arguments of depth at most 4`.
pub(crate) fn bounds(searches: &[Searched]) -> String {
    let longest = |is_such: fn(EntryKind) -> bool, name: &str| {
        let such = searches.iter().filter(|it| is_such(it.entry.kind));
        let length = such.filter_map(|it| it.length).max()?;
        Some(format!("at most {}", counted(length, name)))
    };
    let events = longest(|it| matches!(it, EntryKind::Machine(_)), "event");
    let calls = longest(|it| it == EntryKind::Calls, "call");
    let depth = least_to_most(searches.iter().map(|it| it.term_depth));
    let depth = format!("arguments of depth at most {depth}");
    let bounds: Vec<String> = events.into_iter().chain(calls).chain([depth]).collect();
    bounds.join(" and ")
}

/// `2`, or `2 to 4`.
fn least_to_most(numbers: impl Iterator<Item = u32> + Clone) -> String {
    let (least, most) = (
        numbers.clone().min().unwrap_or(0),
        numbers.max().unwrap_or(0),
    );
    if least == most {
        most.to_string()
    } else {
        format!("{least} to {most}")
    }
}
