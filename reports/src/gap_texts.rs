//! Gaps of a search in words.

use trace_engine::explore::Gap;

/// A stable code for a gap, and what it is about.
pub(crate) fn describe(gap: &Gap) -> (&'static str, String) {
    match gap {
        Gap::OpaqueCall(name) => ("opaque-call", name.clone()),
        Gap::NotUnderstood(place) => ("not-understood", place.clone()),
        Gap::Unsolved(place) => ("unsolved", place.clone()),
        Gap::Divergence => (
            "divergence",
            "a run took another path than expected".to_owned(),
        ),
        Gap::CutRun(why) => ("cut-run", why.clone()),
        Gap::LongRun => ("long-run", "a run has too many decisions".to_owned()),
        Gap::BadLog(error) => ("bad-log", error.clone()),
        Gap::Unconfirmed(crash) => ("unconfirmed", crash.clone()),
        Gap::Stopped => ("stopped", "the search ended before it was done".to_owned()),
    }
}
