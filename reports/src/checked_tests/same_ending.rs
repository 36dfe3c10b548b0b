//! Whether runs ended in the same way.

use crate::outcome::Outcome;
use crate::printed_value::read_shape;

/// Whether two runs ended in the same way, as far as a report can tell.
pub(crate) fn ends_alike(one: &Outcome, other: &Outcome) -> bool {
    let is_raised_or_ok = matches!(one, Outcome::Ok(_) | Outcome::Exception { .. });
    if is_raised_or_ok {
        is_same(one, other)
    } else {
        one == other
    }
}

/// Whether two runs ended in the same way, as far as a test can tell.
pub(super) fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Ok(one), Outcome::Ok(other)) => is_same_value(one, other),
        (
            Outcome::Exception { class, reason, .. },
            Outcome::Exception {
                class: other_class,
                reason: other_reason,
                ..
            },
        ) => class == other_class && is_same_value(reason, other_reason),
        (
            Outcome::Ok(_)
            | Outcome::Exception { .. }
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_),
            _,
        ) => false,
    }
}

fn is_same_value(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let shape = read_shape(one);
    shape.is_some() && shape == read_shape(other)
}
