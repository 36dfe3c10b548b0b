//! How time and memory grow with the size of a module.

use std::collections::HashSet;

use end_to_end::benchmarks::{Report, Row, Table, column, counted};
use end_to_end::flat_beams;
use erlang_term::Atom;
use flattener::ast::{CoreModule, Definition, Meta};
use flattener::{Detail, flatten, parse_module, print_module};

use crate::clock::{Time, timed};
use crate::memory::peak_of_all;

const ROUNDS: usize = 3;
const SIZES: [usize; 4] = [1, 2, 4, 8];
/// Modules of such sizes make up the large ones, so that these come out near their sizes.
const PARTS: std::ops::Range<usize> = 20_000..100_000;
/// How much more a byte may cost in the largest module than in the smallest.
const TARGET: f64 = 1.5;

/// Modules of 1, 2, 4 and 8 MB, made from the functions of real ones under new names.
pub(crate) fn measure(texts: &[String], report: &mut Report) {
    let modules = SIZES.map(|size| large_module(texts, size * 1_000_000));
    let mut best = [[Time::MAX; 3]; SIZES.len()];
    for _ in 0..ROUNDS {
        for (text, best) in modules.iter().zip(&mut best) {
            let times = steps(text);
            *best = [
                best[0].min(times[0]),
                best[1].min(times[1]),
                best[2].min(times[2]),
            ];
        }
    }
    let costs: Vec<Cost> = modules
        .iter()
        .zip(best)
        .map(|(text, times)| Cost::of(text, times))
        .collect();
    let smallest = costs.first().expect("there are sizes");
    let growth = |figure: fn(&Cost) -> f64| {
        let [smallest, .., largest] = costs.as_slice() else {
            return f64::NAN;
        };
        figure(largest) / figure(smallest)
    };
    let (time, memory) = (growth(Cost::nanoseconds), growth(|cost| cost.peak));
    report.table(Table {
        title: "Growth with the size of one module".to_owned(),
        note: "Processor time for each byte of text, relative to the smallest module, and peak \
               bytes of memory for each byte: a linear cost is the same in every row."
            .to_owned(),
        rows_are: "module".to_owned(),
        columns: vec![
            column("parse").less(),
            column("flatten").less(),
            column("print").less(),
            column("all").less(),
            counted("peak bytes/byte").less(),
        ],
        rows: costs.iter().map(|it| it.row(smallest)).collect(),
    });
    let wanted = |what: &str| format!("{what} for a byte, 8 MB against 1 MB (wanted: at most 1.5)");
    report.target(wanted("time"), time, time <= TARGET);
    report.target(wanted("memory"), memory, memory <= TARGET);
}

/// The cost of each byte of a text.
struct Cost {
    bytes: f64,
    /// Of parsing, flattening and printing.
    nanoseconds: [f64; 3],
    peak: f64,
}

impl Cost {
    fn of(text: &str, times: [Time; 3]) -> Self {
        let bytes = text.len() as f64;
        Self {
            bytes,
            nanoseconds: times.map(|time| time.processor.as_nanos() as f64 / bytes),
            peak: peak_of_all(text).0 as f64 / bytes,
        }
    }

    fn nanoseconds(&self) -> f64 {
        self.nanoseconds.iter().sum()
    }

    fn row(&self, smallest: &Self) -> Row {
        let [parse, flatten, print] = self.nanoseconds;
        let [first_parse, first_flatten, first_print] = smallest.nanoseconds;
        let figures = [
            parse / first_parse,
            flatten / first_flatten,
            print / first_print,
            self.nanoseconds() / smallest.nanoseconds(),
            self.peak,
        ];
        Row::new(format!("{:.2} MB", self.bytes / 1e6), figures)
    }
}

fn steps(text: &str) -> [Time; 3] {
    let (parsing, module) = timed(|| parse_module(text).expect("the text parses"));
    let (flattening, flat) = timed(|| flatten(module).expect("the text is a program"));
    let (printing, _) = timed(|| flat_beams::text(&flat));
    [parsing, flattening, printing]
}

/// The text of a module of about this size.
fn large_module(texts: &[String], size: usize) -> String {
    let parts = texts.iter().filter(|text| PARTS.contains(&text.len()));
    let mut definitions: Vec<Definition> = Vec::new();
    let mut bytes = 0;
    for (copy, text) in parts.cycle().enumerate() {
        if bytes >= size {
            break;
        }
        let part = module_of(renamed(text, copy).definitions);
        bytes += print_module(&part, Detail::Full).len();
        definitions.extend(part.definitions);
    }
    print_module(&module_of(definitions), Detail::Full)
}

fn module_of(definitions: Vec<Definition>) -> CoreModule {
    CoreModule {
        meta: Meta::default(),
        name: Atom::new("large"),
        exports: Vec::new(),
        attributes: Vec::new(),
        definitions,
    }
}

/// The module with other names for its functions, where they are defined and where they are used.
fn renamed(text: &str, copy: usize) -> CoreModule {
    let module = parse_module(text).expect("the compiler's text parses");
    let names: HashSet<String> = module
        .definitions
        .iter()
        .map(|definition| {
            format!(
                "'{}'/{}",
                definition.name.name.as_str(),
                definition.name.arity
            )
        })
        .collect();
    let mut out = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(at) = rest.find('\'') {
        let (before, quoted) = rest.split_at(at);
        out.push_str(before);
        let name = function_name(quoted);
        // `fun 'm':'f'/1` names a function of some module.
        if names.contains(name) && !out.ends_with(':') {
            out.push_str(&format!("'{copy}:"));
            out.push_str(&name[1..]);
            rest = &quoted[name.len()..];
        } else {
            out.push('\'');
            rest = &quoted[1..];
        }
    }
    out.push_str(rest);
    parse_module(&out).expect("the text is the same but for names")
}

/// The text from a quotation mark to the next one, and the arity after it.
fn function_name(quoted: &str) -> &str {
    let Some(atom) = quoted[1..].find('\'').map(|at| at + 2) else {
        return "";
    };
    let arity = |character: char| character.is_ascii_digit();
    let end = match quoted[atom..].strip_prefix('/') {
        Some(digits) => atom + 1 + digits.find(|digit| !arity(digit)).unwrap_or(digits.len()),
        None => atom,
    };
    &quoted[..end]
}
