//! Where a search gets inputs from, besides those that the user named and the simplest ones.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use reports::unit_tests_text;

use crate::arguments::{ExploreOptions, ReportFormat};
use crate::failure::Failure;
use crate::program::target::Target;
use crate::search::unit_tests::UnitTests;
use crate::sources::front_end::FrontEnd;
use crate::terminal::printing::print_result;
use crate::terminal::render;

/// Where a search gets inputs from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seeding {
    /// From nowhere else.
    Usual,
    /// From the user's tests.
    Tests,
    /// The same. Only functions that the tests call are searched.
    TestsAlone,
}

impl Seeding {
    /// Runs the user's tests if they give inputs, and prints their results.
    pub(super) fn unit_tests(
        self,
        options: &ExploreOptions,
        front_end: &FrontEnd,
        target: &Target,
        end: Instant,
    ) -> Result<Option<UnitTests>, Failure> {
        if self == Self::Usual {
            return Ok(None);
        }
        let tests = UnitTests::run(target, front_end, end)?;
        let text = unit_tests_text(&tests.counts, &tests.failed);
        if options.format == ReportFormat::Human {
            print_result(&mut io::stdout().lock(), [text])?;
        } else {
            // Only the report is on standard output.
            render::text(&text);
        }
        Ok(Some(tests))
    }

    /// Leaves out functions that the tests do not call, if only those are searched. Returns whether
    /// there is one left to search: one with a spec, unless specs are ignored.
    pub(super) fn narrow(
        self,
        target: &mut Target,
        tests: &UnitTests,
        options: &ExploreOptions,
    ) -> bool {
        if self != Self::TestsAlone {
            return true;
        }
        target.chosen.retain(|chosen| tests.call(&chosen.entry));
        let chosen = target.chosen.iter().map(|it| &it.entry);
        let mut searched = chosen.filter(|it| options.no_spec || target.spec(it).is_some());
        searched.next().is_some()
    }
}

/// The status if there is nothing to search.
pub(super) fn nothing_called(tests: &UnitTests) -> ExitCode {
    render::note("the tests call no exported function with a spec: nothing is searched");
    if tests.failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
