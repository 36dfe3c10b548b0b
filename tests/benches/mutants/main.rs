//! What generated tests are worth: how many mutants of a module they catch, compared with random
//! inputs. `erlang_tools/mutant_kills.erl` makes and runs the mutants on the BEAM.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use end_to_end::benchmarks::{Report, Row, Table, counted};
use end_to_end::erlang::{erlc, package_path, run_main, temporary_folder};

/// How many inputs of each sample become tests, at most.
const MAX_RUNS: &str = "300";

/// The columns of figures.
const FIGURES: usize = 6;

/// A module and the functions of it that are tested.
struct Subject {
    source: &'static str,
    functions: &'static [&'static str],
    /// Whether specs say what the inputs are. Without specs they can be anything.
    has_specs: bool,
}

const SUBJECTS: [Subject; 14] = [
    without_specs("bank/bank.erl", &["run/1"]),
    without_specs("brackets/brackets.erl", &["check/1"]),
    without_specs("calculator/calculator.erl", &["calculate/1"]),
    subject(
        "dates/dates.erl",
        &["parse/1", "day_of_year/1", "weekday/1"],
    ),
    without_specs("firewall/firewall.erl", &["decide/1"]),
    subject("frames/frames.erl", &["decode/1"]),
    subject("ini/ini.erl", &["parse/1"]),
    subject("json/json_decoder.erl", &["decode/1"]),
    subject(
        "ledger/src/money.erl",
        &["parse/1", "format/1", "add/2", "split/2"],
    ),
    without_specs("merge/merge.erl", &["nth/3"]),
    subject("regex/regex.erl", &["match/2"]),
    subject("run_length/run_length.erl", &["encode/1", "decode/1"]),
    without_specs("search_tree/search_tree.erl", &["insert/2"]),
    without_specs("tokenizer/tokenizer.erl", &["tokens/1"]),
];

const fn subject(source: &'static str, functions: &'static [&'static str]) -> Subject {
    Subject {
        source,
        functions,
        has_specs: true,
    }
}

const fn without_specs(source: &'static str, functions: &'static [&'static str]) -> Subject {
    Subject {
        source,
        functions,
        has_specs: false,
    }
}

fn main() -> io::Result<()> {
    let tool = env::args_os().nth(1).map(PathBuf::from);
    let tool = tool.ok_or_else(|| io::Error::other("name the tool that is to be measured"))?;
    let tools = temporary_folder();
    let sources = ["mutation", "mutant_kills", "mutant_inputs"]
        .map(|name| package_path(&format!("erlang_tools/{name}.erl")));
    erlc(tools.path(), [], &sources);
    let mut rows: Vec<Row> = SUBJECTS
        .iter()
        .map(|subject| subject.row(&tool, tools.path()))
        .collect();
    let with_specs = rows.iter().zip(&SUBJECTS).filter(|it| it.1.has_specs);
    let with_specs = totals(with_specs.map(|it| it.0));
    let totals = totals(&rows);
    let mut report = Report::new("Generated tests: mutants killed");
    if let [mutants, _, suite, random @ ..] = totals.as_slice() {
        report.target(
            "share of all mutants that the generated tests kill",
            suite / mutants,
            true,
        );
        for (count, killed) in ["100", "1,000", "10,000"].iter().zip(random) {
            report.target(
                format!("the same of {count} random inputs (wanted: less than the tests)"),
                killed / mutants,
                killed < suite,
            );
        }
    }
    for (name, figures) in [("all with specs", with_specs), ("all", totals)] {
        rows.push(Row::new(name, figures));
    }
    report.table(Table {
        title: "Mutants that are noticed".to_owned(),
        note:
            "A mutant is a module with one small mistake: another operator or constant, a missing \
               clause, a negated test in a guard. We make at most 80 of each module, and count how \
               many the tests catch; some of them mean the same as the original. The tests are \
               those of explore --eunit, from at most 300 runs, which use any terms for functions \
               without a spec. The random inputs are PropEr's, of the types that the specs name, or \
               would name; they kill a mutant if one of them ends differently than before."
                .to_owned(),
        rows_are: "module".to_owned(),
        columns: vec![
            counted("mutants"),
            counted("tests"),
            counted("killed by the tests").more(),
            counted("by 100 inputs"),
            counted("by 1,000 inputs"),
            counted("by 10,000 inputs"),
        ],
        rows,
    });
    report.publish("mutants")
}

/// The sum of each column.
fn totals<'row>(rows: impl IntoIterator<Item = &'row Row>) -> Vec<f64> {
    let mut totals = vec![0.0; FIGURES];
    for row in rows {
        for (total, figure) in totals.iter_mut().zip(&row.figures) {
            *total += figure.unwrap_or_default();
        }
    }
    totals
}

impl Subject {
    /// Makes tests of the module, and counts.
    fn row(&self, tool: &Path, tools: &Path) -> Row {
        let source = package_path("../samples").join(self.source);
        let name = source.file_stem().and_then(|it| it.to_str());
        let name = name.expect("a sample has a name").to_owned();
        let suite = format!("{name}_tests");
        let file = tools.join(format!("{suite}.erl"));
        let mut command = Command::new(tool);
        command
            .arg("explore")
            .arg(&source)
            .arg("--eunit")
            .arg(&file);
        command.args(["--max-runs", MAX_RUNS, "--quiet"]);
        for function in self.functions {
            command.args(["--entry", function]);
        }
        let explored = command.output().expect("the tool can be started");
        let status = explored.status.code();
        assert!(matches!(status, Some(0 | 1)), "{name}: {explored:?}");
        erlc(tools, [], &[file]);
        let source = source.to_str().expect("the path is UTF-8");
        let arguments = [&[source, &suite], self.functions].concat();
        let finished = run_main(tools, "mutant_kills", &arguments);
        assert_eq!(finished.status, 0, "{name}: {}", finished.text);
        let figures = finished.text.split_whitespace();
        let figures: Vec<f64> = figures.filter_map(|it| it.parse().ok()).collect();
        assert_eq!(figures.len(), FIGURES, "{name}: {}", finished.text);
        Row::new(name, figures)
    }
}
