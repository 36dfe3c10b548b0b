//! What was concretized or skipped, and what that means.

use trace_engine::explore::{Gap, Paths, Report};
use trace_format::Program;

use super::decision_names::site_line;
use super::page::{GapPage, LinePage};
use super::source_files::SourceFiles;
use crate::wording::Wording;

/// At most this many places of a gap are listed.
const MOST_PLACES: usize = 20;

/// The gaps of a report, with the places of calls whose results were taken from the run.
pub(super) fn gaps<O>(
    program: &Program,
    files: &SourceFiles<'_>,
    report: &Report<O>,
    paths: &Paths,
    wording: &Wording<'_>,
) -> Vec<GapPage> {
    let page = |(gap, count): (&Gap, &usize)| {
        let what = gap.about().to_owned();
        let places = paths.opaque_places(&what).take(MOST_PLACES);
        let mut places: Vec<LinePage> = places
            .filter(|_| matches!(gap, Gap::OpaqueCall(_)))
            .filter_map(|(module, site)| site_line(program, files, module, site))
            .collect();
        places.dedup();
        GapPage {
            code: gap.code(),
            what: wording.about(&what),
            why: why(gap),
            count: *count,
            places,
        }
    };
    report.gaps.iter().map(page).collect()
}

/// What a gap means.
fn why(gap: &Gap) -> &'static str {
    match gap {
        Gap::OpaqueCall(_) => {
            "It is not followed and has no model. Its result was taken from the run as a constant; \
             the search did not look for other results."
        }
        Gap::NotUnderstood(_) => {
            "A decision depends on a value that is not fully known. Its other branches were tried \
             only as far as they are understood."
        }
        Gap::Unsolved(_) => {
            "The solver found neither an input for another branch nor a proof that there is none."
        }
        Gap::Divergence => {
            "The program does not depend on its input alone: it took another path than expected."
        }
        Gap::CutRun(_) => {
            "The events of a run stop before its end. What happened after that is not known."
        }
        Gap::LongRun => "Of a run with more than 2,000 decisions, some have no other ways tried.",
        Gap::BadLog(_) => "A log could not be read or replayed. Please report it.",
        Gap::Uncontrolled(_) => {
            "No schedule says when it happens, so its other orders were not run."
        }
        Gap::ScheduleBound => "An order needs more switches between processes than are allowed.",
        Gap::Unconfirmed(_) => {
            "It crashed in instrumented code, but not in the original code, so it is not a finding."
        }
        Gap::UncheckedCrash(_) => {
            "It crashed in instrumented code. The time was up before it could be run again on the \
             original code, so it is not a finding."
        }
        Gap::NotCompiled(_) => {
            "It does not compile. Its functions were not explored, and runs that call them were \
             not followed."
        }
        Gap::MissingShard(_) => "Its report was not merged, so its functions are not here.",
        Gap::Stopped => "The search reached a limit of time or runs, or was interrupted.",
    }
}
