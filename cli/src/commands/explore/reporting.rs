//! Reports what a search found.

use std::env;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use diagnostic::Diagnostic;
use reports::{
    AcceptFile, Exploration, dot_report, eunit_report, eunit_suites, exunit_report, html_report,
};

use crate::arguments::{Also, ExploreOptions, Skipped};
use crate::failure::Failure;
use crate::files::accept_path::{read, read_if_there, usual_path};
use crate::files::output::{check_writable, write_whole_file};
use crate::program::target::Target;
use crate::search::confirmation::Confirmation;
use crate::search::test_file::{TestFile, TestLibrary};
use crate::terminal::printing::print_by;
use crate::terminal::report_formats::{print_report, source_text};

/// How many other inputs of a finding are reported.
const MOST_ALSO: usize = 20;

/// More events than this are not understood as arguments of one function.
const MOST_EVENTS: usize = 200;

/// How to report, with the files that were checked before the search.
#[derive(Debug)]
pub(super) struct Reporting<'options> {
    options: &'options ExploreOptions,
    accepted: AcceptFile,
    eunit_file: Option<TestFile>,
    exunit_file: Option<TestFile>,
}

impl<'options> Reporting<'options> {
    /// Reads and checks the files that are needed after the search.
    pub(super) fn new(options: &'options ExploreOptions) -> Result<Self, Failure> {
        check_length(options.machines.length)?;
        for path in options.html.iter().chain(&options.machines.dot) {
            check_writable(path)?;
        }
        let accepted = match &options.accept {
            Some(path) => read(path)?,
            None => read_if_there(&usual_path(&options.sources))?,
        };
        let file = |library: TestLibrary, path: &Option<PathBuf>| {
            let path = path.as_deref();
            path.map(|it| TestFile::new(library, it)).transpose()
        };
        Ok(Self {
            options,
            accepted,
            eunit_file: file(TestLibrary::EUnit, &options.eunit)?,
            exunit_file: file(TestLibrary::ExUnit, &options.exunit)?,
        })
    }

    /// An error if the tests would replace a module that is explored, or if there is no machine to
    /// write.
    pub(super) fn check_target(&self, target: &Target) -> Result<(), Failure> {
        let has_machine = target
            .chosen
            .iter()
            .any(|it| it.entry.behaviour().is_some());
        let machines = &self.options.machines;
        let about_machines = [
            ("--dot", machines.dot.is_some()),
            ("--events", machines.events.is_some()),
            ("--state-of", machines.state_of.is_some()),
        ];
        let mut given = about_machines.iter().filter(|it| it.1 && !has_machine);
        if let Some((option, _)) = given.next() {
            let title = format!("{option} is about machines, and no machine is explored");
            let help = "name a gen_server or gen_statem with --machine";
            return Err(Diagnostic::error("no-machine", title).help(help).into());
        }
        let mut files = self.eunit_file.iter().chain(&self.exunit_file);
        files.try_for_each(|file| {
            let own = target.program.modules().iter().take(target.own_modules);
            file.check_name(own.map(|it| it.name.to_string()))
        })
    }

    /// How many other inputs of a finding are reported.
    pub(super) fn most_also(&self) -> usize {
        match self.options.also {
            Some(Also::All) => usize::MAX,
            None => MOST_ALSO,
        }
    }

    /// Marks findings that are accepted, and leaves out those that nobody wants.
    pub(super) fn choose(&self, exploration: &mut Exploration<'_>) {
        exploration.accept(&self.accepted);
        match self.options.skip {
            Some(Skipped::Unlikely) => exploration.leave_out_unlikely(),
            None => {}
        }
    }

    /// Prints the report and writes the other files. An error in one does not prevent the others.
    pub(super) fn tell(
        &self,
        exploration: &mut Exploration<'_>,
        confirmation: &mut Confirmation<'_>,
    ) -> Vec<Diagnostic> {
        let arguments = || env::args_os().skip(1);
        let eunit_written = self.eunit_file.as_ref().map_or(Ok(()), |file| {
            let suites = eunit_suites(exploration, confirmation)?;
            let written = file.write(&eunit_report(&suites, &file.module, arguments()));
            exploration.eunit_suites = Some(suites);
            written
        });
        let exunit_written = self.exunit_file.as_ref().map_or(Ok(()), |file| {
            let text = exunit_report(exploration, &file.module, confirmation, arguments())?;
            file.write(&text)
        });
        let mut out = BufWriter::new(io::stdout().lock());
        let printed = print_by(&mut out, |out| {
            print_report(exploration, self.options.format, out)
        });
        let page_written = self.write_page(exploration);
        let graph_written = self.write_graph(exploration);
        let results = [
            printed,
            page_written,
            graph_written,
            eunit_written,
            exunit_written,
        ]
        .into_iter();
        results
            .filter_map(Result::err)
            .flat_map(|failure| failure.0)
            .collect()
    }

    fn write_page(&self, exploration: &Exploration<'_>) -> Result<(), Failure> {
        match &self.options.html {
            Some(path) => {
                let text = html_report(exploration, &source_text);
                write_whole_file(path, text.as_bytes())
            }
            None => Ok(()),
        }
    }

    fn write_graph(&self, exploration: &Exploration<'_>) -> Result<(), Failure> {
        match &self.options.machines.dot {
            Some(path) => write_whole_file(path, dot_report(exploration).as_bytes()),
            None => Ok(()),
        }
    }
}

/// An error if sequences have no events, or more than a function may have arguments.
fn check_length(length: usize) -> Result<(), Failure> {
    if (1..=MOST_EVENTS).contains(&length) {
        return Ok(());
    }
    let title = format!("--length {length} is not possible");
    let help = format!("a sequence has 1 to {MOST_EVENTS} events or calls at most");
    Err(Diagnostic::error("bad-length", title).help(help).into())
}
