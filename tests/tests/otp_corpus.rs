//! Every module of OTP's own libraries passes through the front end without changing its meaning.

use std::collections::BTreeMap;

use end_to_end::beam_file::differing_chunks;
use end_to_end::erlang::temporary_folder;
use end_to_end::flat_beams;
use end_to_end::otp::{self, Application, PlainText};
use erlconcolic::beam::Helper;
use erlconcolic::front_end::Loaded;
use flattener::flat::{TailForm, to_ast};
use flattener::passes::verify;
use flattener::{Detail, flatten, parse_module, print_module};
use rayon::prelude::*;

const APPLICATIONS: [&str; 5] = ["stdlib", "kernel", "compiler", "syntax_tools", "parsetools"];

/// How many modules Debian's OTP 25 has there, with some room for other builds of it.
const EXPECTED_IN_25: usize = 250;

/// For every module:
/// - the printed tree parses to the same tree, both for the text that the tool works with and for
///   the text that `erlc +to_core` writes;
/// - the printed text compiles to the same code as the original text, to the last byte;
/// - the module flattens, the flat form keeps its promises, and compiles.
#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn every_module_prints_flattens_and_compiles() {
    let otp = otp::find(&APPLICATIONS);
    let mut report = Report::default();
    for plain in plain_failures(&otp.applications) {
        report.plain_texts += 1;
        report.add(plain);
    }
    for application in &otp.applications {
        check_application(application, &mut report);
    }
    println!(
        "{} modules checked, {} texts of `erlc +to_core`",
        report.modules, report.plain_texts
    );
    let failed = report.failures.len();
    let list: Vec<String> = report
        .failures
        .into_iter()
        .map(|(name, reasons)| format!("{name}: {}", reasons.join("; ")))
        .collect();
    assert!(
        list.is_empty(),
        "{failed} modules failed:\n{}",
        list.join("\n")
    );
    assert_eq!(report.modules, report.plain_texts);
    if otp.release == 25 {
        assert!(
            report.modules >= EXPECTED_IN_25,
            "only {} modules: are the sources of OTP installed?",
            report.modules
        );
    }
}

/// What went wrong, by module.
#[derive(Default)]
struct Report {
    modules: usize,
    plain_texts: usize,
    failures: BTreeMap<String, Vec<String>>,
}

impl Report {
    fn add(&mut self, (name, reasons): (String, Vec<String>)) {
        if !reasons.is_empty() {
            self.failures.entry(name).or_default().extend(reasons);
        }
    }
}

fn plain_failures(applications: &[Application]) -> Vec<(String, Vec<String>)> {
    let folder = temporary_folder();
    let texts = otp::plain_texts(applications, folder.path());
    let check = |PlainText { name, text, .. }: PlainText| {
        let reasons = match parse_module(&text) {
            Ok(module) => round_trip_failure(&module, &print_module(&module, Detail::Full)),
            Err(error) => Some(format!("{error} at {:?}", error.span)),
        };
        let of_plain = |reason| format!("`erlc +to_core`: {reason}");
        (name, reasons.into_iter().map(of_plain).collect())
    };
    texts.into_par_iter().map(check).collect()
}

fn check_application(application: &Application, report: &mut Report) {
    let front_end = application.front_end();
    let name_of = |path: &std::path::Path| {
        let module = path.file_stem().unwrap_or_default().display();
        format!("{}/{module}", application.name)
    };
    let loaded = front_end.load(&application.sources).unwrap_or_else(|_| {
        // One by one, to name those that fail and to go on with the others.
        let mut loaded = Vec::new();
        for source in &application.sources {
            match front_end.load(std::slice::from_ref(source)) {
                Ok(modules) => loaded.extend(modules),
                Err(failure) => report.add((name_of(source), vec![format!("{failure:?}")])),
            }
        }
        loaded
    });
    report.modules += loaded.len();
    let helper = front_end.helper().expect("the helper runs");
    let results: Vec<(String, Vec<String>)> = loaded
        .into_par_iter()
        .map(|module| (name_of(&module.path), failures(module, &helper)))
        .collect();
    results.into_iter().for_each(|result| report.add(result));
}

fn failures(loaded: Loaded, helper: &Helper) -> Vec<String> {
    let Loaded { text, module, .. } = loaded;
    let original = flat_beams::submit(helper, &text);
    let printed_text = print_module(&module, Detail::Full);
    let printed = flat_beams::submit(helper, &printed_text);
    let mut failures = Vec::from_iter(round_trip_failure(&module, &printed_text));
    match flatten(module) {
        Ok(flat) => {
            let compiled = flat_beams::submit(helper, &flat_beams::text(&flat));
            failures.extend(broken_promises(&flat));
            if let Err(error) = flat_beams::beam(compiled.wait()) {
                failures.push(format!("the flat form does not compile: {error}"));
            }
        }
        Err(errors) => failures.push(format!("does not flatten: {errors:?}")),
    }
    let original = flat_beams::beam(original.wait());
    let printed = flat_beams::beam(printed.wait());
    match (original, printed) {
        (Ok(original), Ok(printed)) if original == printed => {}
        (Ok(original), Ok(printed)) => failures.push(format!(
            "the printed text compiles to other chunks {:?}",
            differing_chunks(&original, &printed)
        )),
        (original, printed) => {
            let errors = [("original", original), ("printed", printed)];
            failures.extend(errors.into_iter().filter_map(|(which, result)| {
                let error = result.err()?;
                Some(format!("the {which} text does not compile: {error}"))
            }));
        }
    }
    failures
}

fn round_trip_failure(module: &flattener::ast::CoreModule, printed: &str) -> Option<String> {
    match parse_module(printed) {
        Ok(again) if again == *module => None,
        Ok(_) => Some("the printed text parses to another tree".to_owned()),
        Err(error) => Some(format!("the printed text does not parse: {error}")),
    }
}

/// Optimised builds do not verify by themselves.
fn broken_promises(flat: &flattener::flat::Module) -> Vec<String> {
    let mut broken = verify::flat(flat);
    broken.extend(verify::numbered(flat));
    broken.extend(verify::unique_variables(&to_ast(flat, TailForm::Bare)));
    broken
}
