//! Each rule by which a search tells states apart is needed: without it, a search by states loses a
//! finding in one of the cases in `cases/pruning`.

use std::fs;

use end_to_end::case_comments::{Case, cases};
use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use rayon::prelude::*;
use serde_json::Value;
use trace_engine::ViewRule;

/// For each rule a case that needs it.
const NEEDED: [(&str, &str); 45] = [
    ("pattern-constants", "kept_tuples:tags"),
    ("pattern-cells", "kept_counters:first_collected"),
    ("pattern-elements", "kept_counters:in_tuple"),
    ("type-tests", "kept_demands:tested"),
    ("guards", "kept_counters:parity"),
    ("results", "kept_demands:returned"),
    ("local-results", "kept_folds:comprehended"),
    ("caught-reasons", "kept_exceptions:counted_throw"),
    ("reason-words", "kept_exceptions:tagged_finding"),
    ("fun-results", "kept_folds:folded_pair"),
    ("map-values", "kept_demands:in_map"),
    ("map-keys", "kept_maps:any_value"),
    ("segments", "kept_demands:in_text"),
    ("other-built-ins", "kept_texts:as_atom"),
    ("unknown-calls", "kept_demands:searched"),
    ("called-values", "kept_behind:called"),
    ("replaced-elements", "kept_tuples:put_first"),
    ("sums", "kept_demands:added"),
    ("divisors", "kept_numbers:divisor"),
    ("lengths", "kept_demands:measured"),
    ("appended", "kept_demands:appended"),
    ("reversed", "kept_demands:reversed"),
    ("segment-kinds", "kept_demands:written"),
    ("proper-ends", "kept_demands:appended"),
    ("known-integers", "kept_demands:picked"),
    ("handlers", "kept_exceptions:handler_variable"),
    ("callers", "kept_frames:two_sites"),
    ("last-calls", "kept_behind:second_frame"),
    ("reported-lines", "kept_frames:reported"),
    ("effects", "kept_dictionary:flag"),
    ("conditions", "kept_equalities:conditions"),
    ("connected-conditions", "kept_equalities:chained"),
    ("facts", "kept_demands:in_front"),
    ("same-parts", "kept_equalities:orientation"),
    ("part-types", "kept_equalities:ranges"),
    ("levels", "kept_levels:far_first"),
    ("wider-states", "kept_wider:sides"),
    ("whole-binaries", "kept_demands:whole_list"),
    ("bytes-left", "kept_demands:bytes_left"),
    ("untaken-ways", "kept_sums:exactly"),
    ("next-states", "kept_sums:all_high"),
    ("next-shapes", "kept_sums:flag"),
    ("lost-paths", "kept_sums:mapped"),
    ("covered-words", "kept_sums:word_of_sum"),
    ("assumptions", "kept_sums:counted_up"),
];

/// The case of this name, and the file that it is in.
fn case_of(name: &str) -> (Case, String) {
    let (module, function) = name.split_once(':').expect("a module and a function");
    let path = package_path(&format!("cases/pruning/{module}.erl"));
    let source = fs::read_to_string(&path).expect("the module can be read");
    let mut cases = cases(module, &source).into_iter();
    let prefix = format!("{module}:{function}/");
    let case = cases.find(|it| it.entry.starts_with(&prefix));
    (
        case.expect("there is such a case"),
        path.display().to_string(),
    )
}

/// Whether a search by states without this rule is complete and loses something. If calls are
/// explored by themselves, it may notice that a caller and an exit do not come together; so both are
/// tried.
fn loses(rule: &str, name: &str) -> bool {
    let variants: [&[&str]; 2] = [&[], &["--without", "calls"]];
    variants.iter().any(|words| loses_with(rule, name, words))
}

fn loses_with(rule: &str, name: &str, words: &[&str]) -> bool {
    let (case, file) = case_of(name);
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-weakened"));
    let searches = case.expected.searches();
    let by_states = searches.first().expect("there is a search");
    let runs = by_states.runs.to_string();
    let words = [
        ["explore", &file, "--entry", &case.entry, "--format", "json"].as_slice(),
        by_states.options.as_slice(),
        &["--max-runs", &runs],
        words,
    ]
    .concat();
    let mut command = place.command(&words);
    command.env("WITHOUT_RULE", rule);
    let run = place.finish(command, &words);
    let report: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    report.get("complete") == Some(&Value::from(true)) && !case.fits(&report)
}

#[test]
fn without_any_rule_a_finding_is_lost() {
    let rules = ViewRule::ALL.iter().map(|rule| rule.name());
    let needed: Vec<&str> = NEEDED.iter().map(|it| it.0).collect();
    assert_eq!(needed, rules.collect::<Vec<_>>(), "each rule has a case");
    let useless = NEEDED.par_iter().filter(|(rule, name)| !loses(rule, name));
    let useless: Vec<&(&str, &str)> = useless.collect();
    assert!(useless.is_empty(), "not noticed: {useless:?}");
}
