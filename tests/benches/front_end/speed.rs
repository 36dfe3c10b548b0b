//! Speed of parsing, flattening and printing.

use std::path::Path;

use end_to_end::benchmarks::{Report, Row, Table, column, counted, median};
use end_to_end::flat_beams;
use end_to_end::otp::Application;
use flattener::flat::{TailForm, to_ast};
use flattener::{Detail, flatten, parse_module, print_module};
use rayon::prelude::*;

use crate::clock::{Time, timed};
use crate::otp_clock::OtpClock;

const ROUNDS: usize = 3;
/// The main figure gets more, since even processor time varies on a busy machine.
const PARSING_ROUNDS: usize = 6;

/// How many times faster than OTP parsing has to be.
const PARSING_TARGET: f64 = 12.0;
/// The part of a compilation that a module may cost.
const MODULE_TARGET: f64 = 0.25;

/// Modules of stdlib, small and large.
const MODULES: [&str; 22] = [
    "array",
    "base64",
    "calendar",
    "dets",
    "epp",
    "erl_lint",
    "erl_parse",
    "erl_pp",
    "erl_scan",
    "ets",
    "gb_trees",
    "gen_server",
    "io_lib",
    "lists",
    "maps",
    "orddict",
    "proplists",
    "qlc",
    "queue",
    "string",
    "supervisor",
    "unicode_util",
];

pub(crate) fn megabytes(texts: &[String]) -> f64 {
    bytes(texts) as f64 / 1e6
}

fn bytes(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

fn parse(text: &str) -> flattener::ast::CoreModule {
    parse_module(text).expect("the compiler's text parses")
}

/// All of stdlib, against OTP's own scanner and parser.
pub(crate) fn parsing(
    texts: &[String],
    folder: &Path,
    otp_clock: &mut OtpClock,
    report: &mut Report,
) {
    let mut best = [Time::MAX; 3];
    for _ in 0..PARSING_ROUNDS {
        let one = texts.iter().map(|text| timed(|| parse(text)).0).sum();
        let (all, ()) = timed(|| {
            let texts = texts.par_iter().with_max_len(1);
            texts.for_each(|text| drop(parse(text)));
        });
        let otp = otp_clock.parse(folder);
        best = [best[0].min(one), best[1].min(all), best[2].min(otp)];
    }
    let [one, all, otp] = best;
    let megabytes = megabytes(texts);
    let of_processor = |it: Time| otp.processor.as_secs_f64() / it.processor.as_secs_f64();
    let by_the_clock = |it: Time| otp.wall.as_secs_f64() / it.wall.as_secs_f64();
    let row = |name: String, time| Row::new(name, [of_processor(time), by_the_clock(time)]);
    let (ratio, parallel_ratio) = (of_processor(one), by_the_clock(all));
    let cores = rayon::current_num_threads();
    report.table(Table {
        title: format!("Parsing stdlib ({megabytes:.1} MB as `erlc +to_core` writes it)"),
        note: "Module by module; no result is kept. OTP: core_scan and core_parse in one process. \
               Freeing the results is included only with several cores."
            .to_owned(),
        rows_are: "parser".to_owned(),
        columns: vec![
            column("times faster than OTP, of processor time").more(),
            column("by the clock").more(),
        ],
        rows: vec![
            row("ours, one core".to_owned(), one),
            row(format!("ours, {cores} cores"), all),
        ],
    });
    let wanted = |how: &str| {
        format!("parsing, times faster than OTP, {how} (wanted: at least {PARSING_TARGET})")
    };
    report.target(wanted("one core"), ratio, ratio >= PARSING_TARGET);
    report.target(
        wanted(&format!("{cores} cores")),
        parallel_ratio,
        parallel_ratio >= PARSING_TARGET,
    );
}

/// Single modules, against a full compilation.
pub(crate) fn modules(
    application: &Application,
    texts: &[String],
    otp_clock: &mut OtpClock,
    report: &mut Report,
) {
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for (source, text) in application.sources.iter().zip(texts) {
        let module = source.file_stem().unwrap_or_default().display().to_string();
        if !MODULES.contains(&module.as_str()) {
            continue;
        }
        let (mut ours, mut otp) = (Time::MAX, Time::MAX);
        for _ in 0..ROUNDS {
            otp = otp.min(otp_clock.compile(&application.name, source));
            let (time, _) = timed(|| {
                let flat = flatten(parse(text)).expect("the compiler's text is a program");
                flat_beams::text(&flat)
            });
            ours = ours.min(time);
        }
        let [ours, otp] = [ours, otp].map(|time| time.processor.as_secs_f64() * 1e3);
        ratios.push(ours / otp);
        rows.push(Row::new(module, [text.len() as f64 / 1e3, ours / otp]));
    }
    assert_eq!(rows.len(), MODULES.len());
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    let median = median(ratios);
    report.table(Table {
        title: "Parse, flatten and print, against a full compilation".to_owned(),
        note: "Processor time for a module's text with all annotations, and of compile:file/2 for \
               the same module in a warm node."
            .to_owned(),
        rows_are: "module".to_owned(),
        columns: vec![counted("kB of Core Erlang"), column("ours / OTP's").less()],
        rows,
    });
    let wanted = |which: &str| format!("cost of a module, {which} (wanted: less than 0.25)");
    report.target(wanted("median"), median, median < MODULE_TARGET);
    report.target(wanted("worst"), worst, worst < MODULE_TARGET);
}

/// Each step on all of stdlib, on one core.
pub(crate) fn throughput(form: &str, texts: &[String], report: &mut Report) {
    let mut best = [Time::MAX; 3];
    for _ in 0..ROUNDS {
        let (parsing, parsed) = timed(|| texts.iter().map(|text| parse(text)).collect::<Vec<_>>());
        let (flattening, flat) = timed(|| {
            let flat = parsed
                .into_iter()
                .map(flatten)
                .collect::<Result<Vec<_>, _>>();
            flat.expect("the compiler's text is a program")
        });
        let trees: Vec<_> = flat
            .iter()
            .map(|module| to_ast(module, TailForm::Bare))
            .collect();
        let (printing, _) = timed(|| {
            let print = |module| print_module(module, Detail::Full).len();
            trees.iter().map(print).sum::<usize>()
        });
        best = [
            best[0].min(parsing),
            best[1].min(flattening),
            best[2].min(printing),
        ];
    }
    let megabytes = megabytes(texts);
    let all: f64 = best.iter().map(|it| it.processor.as_secs_f64()).sum();
    let rows = ["lex and parse", "flatten", "print"]
        .iter()
        .zip(best)
        .map(|(step, time)| Row::new(*step, [time.processor.as_secs_f64() / all]))
        .collect();
    report.table(Table {
        title: format!("Steps on stdlib, {megabytes:.1} MB {form}"),
        note: "Shares of the processor time on one core.".to_owned(),
        rows_are: "step".to_owned(),
        columns: vec![column("share")],
        rows,
    });
}
