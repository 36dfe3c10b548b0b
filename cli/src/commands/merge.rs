//! `erlconcolic merge`: makes one report of several.

use std::env;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use diagnostic::Diagnostic;
use reports::{
    Exploration, NamedReport, SavedReport, ToldCode, eunit_report, html_report, merge_reports,
};
use serde_json::Value;
use trace_format::Program;

use crate::arguments::{MergeOptions, ReportFormat};
use crate::failure::Failure;
use crate::files::output::{check_writable, write_whole_file};
use crate::files::plain_file;
use crate::search::test_file::{TestFile, TestLibrary};
use crate::terminal::printing::print_by;
use crate::terminal::report_formats::{print_report, source_text};

pub(crate) fn run(options: &MergeOptions) -> Result<ExitCode, Failure> {
    if let Some(path) = &options.html {
        check_writable(path)?;
    }
    let path = options.eunit.as_deref();
    let eunit_file = path.map(|it| TestFile::new(TestLibrary::EUnit, it));
    let eunit_file = eunit_file.transpose()?;
    let reports = read_all(&options.reports)?;
    let merged = merge_reports(&reports).map_err(Failure)?;
    drop(reports);
    let saved = SavedReport::read(&merged).map_err(|why| bad("the merged report", &why))?;
    let program = Program::default();
    let code = ToldCode::new(&program).0;
    let exploration = saved.exploration(&code);
    let exploration = exploration.map_err(|why| bad("the merged report", &why))?;
    let tests = match eunit_file {
        Some(file) => Some((eunit_text(&saved, &file)?, file)),
        None => None,
    };
    print(options.format, &merged, &exploration)?;
    if let Some(path) = &options.html {
        let page = html_report(&exploration, &source_text);
        write_whole_file(path, page.as_bytes())?;
    }
    if let Some((text, file)) = tests {
        file.write(&text)?;
    }
    let has_findings = exploration.new_findings().next().is_some();
    Ok(if has_findings || exploration.failed_unit_tests() > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Reads all reports. All that cannot be read are named.
fn read_all(paths: &[PathBuf]) -> Result<Vec<NamedReport>, Failure> {
    let mut reports = Vec::with_capacity(paths.len());
    let mut diagnostics = Vec::new();
    for path in paths {
        match read(path) {
            Ok(report) => reports.push(report),
            Err(Failure(more)) => diagnostics.extend(more),
        }
    }
    if diagnostics.is_empty() {
        Ok(reports)
    } else {
        Err(Failure(diagnostics))
    }
}

fn read(path: &Path) -> Result<NamedReport, Failure> {
    let bytes = plain_file::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let name = path.display().to_string();
    let json: Result<Value, _> = serde_json::from_slice(&bytes);
    let json = json.map_err(|error| bad(&name, &error.to_string()))?;
    NamedReport::read(name.clone(), json).map_err(|why| bad(&name, &why))
}

/// The error for a file that is no report, or one of another version.
fn bad(name: &str, why: &str) -> Failure {
    let title = format!("{name} cannot be merged: {why}");
    Diagnostic::error("bad-report", title)
        .help("name reports that `explore --format json` of this version has written")
        .into()
}

/// The tests of all reports as one module.
fn eunit_text(saved: &SavedReport, file: &TestFile) -> Result<String, Failure> {
    file.check_name(saved.made_of.modules.keys().cloned())?;
    let Some(suites) = &saved.eunit_suites else {
        let title = "a report has no tests for EUnit";
        let help = "make each report with --eunit too: `explore ... --eunit FILE --format json`";
        return Err(Diagnostic::error("no-eunit-tests", title).help(help).into());
    };
    Ok(eunit_report(suites, &file.module, env::args_os().skip(1)))
}

fn print(
    format: ReportFormat,
    merged: &Value,
    exploration: &Exploration<'_>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    print_by(&mut out, |out| match format {
        ReportFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, merged)?;
            out.write_all(b"\n")
        }
        ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Junit | ReportFormat::Github => {
            print_report(exploration, format, out)
        }
    })
}
