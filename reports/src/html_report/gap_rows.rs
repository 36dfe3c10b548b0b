//! What was concretized or left out, and what that means.

use trace_engine::explore::{Gap, Paths, Report};
use trace_format::Program;

use super::decision_names::site_line;
use super::page::{GapPage, LinePage};
use super::source_files::SourceFiles;
use crate::gap_texts::describe;

/// More places of one gap are not listed.
const MOST_PLACES: usize = 20;

/// The gaps of a report, with the places of calls whose results were taken from the run.
pub(super) fn gaps<O>(
    program: &Program,
    files: &SourceFiles<'_>,
    report: &Report<O>,
    paths: &Paths,
) -> Vec<GapPage> {
    let page = |(gap, count): (&Gap, &usize)| {
        let (code, what) = describe(gap);
        let places = paths.opaque_places(&what).take(MOST_PLACES);
        let mut places: Vec<LinePage> = places
            .filter(|_| matches!(gap, Gap::OpaqueCall(_)))
            .filter_map(|(module, site)| site_line(program, files, module, site))
            .collect();
        places.dedup();
        GapPage {
            code,
            what,
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
            "It is not followed and has no model. What it returned was taken from the run, as a \
             constant; other results were not looked for."
        }
        Gap::NotUnderstood(_) => {
            "A decision depends on a value about which not all is known. Its other ways were tried \
             only as far as they are understood."
        }
        Gap::Unsolved(_) => {
            "The solver found neither an input for another way nor a proof that there is none."
        }
        Gap::Divergence => {
            "The program does not depend on its input alone: the same decisions led elsewhere."
        }
        Gap::CutRun(_) => {
            "The events of a run end before the run did; what came then is not known."
        }
        Gap::LongRun => "Decisions behind the first 2,000 of a run are not looked at.",
        Gap::BadLog(_) => "A log could not be read or replayed. Please report it.",
        Gap::Unconfirmed(_) => {
            "It crashed in instrumented code and not in the code as it is, so it is no finding."
        }
        Gap::Stopped => "A limit of time or runs was met, or the search was interrupted.",
    }
}
