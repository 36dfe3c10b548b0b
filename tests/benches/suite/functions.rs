//! The functions that are measured.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::case_comments::{Expected, cases};
use end_to_end::erlang::package_path;
use end_to_end::explored_cases::modules;

/// A function of the samples or cases.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Below the folder of the repository.
    source: Cow<'static, str>,
    /// `name/arity`.
    pub(crate) entry: Cow<'static, str>,
    /// Whether there is something to find.
    pub(crate) has_bug: bool,
    /// The spec to add to a source without specs, so that all tools make the same inputs.
    spec: Option<&'static str>,
}

const fn buggy(source: &'static str, entry: &'static str) -> Function {
    Function {
        source: Cow::Borrowed(source),
        entry: Cow::Borrowed(entry),
        has_bug: true,
        spec: None,
    }
}

const fn clean(source: &'static str, entry: &'static str) -> Function {
    let mut function = buggy(source, entry);
    function.has_bug = false;
    function
}

impl Function {
    const fn with(mut self, spec: &'static str) -> Self {
        self.spec = Some(spec);
        self
    }
}

const COMMANDS: &str = "-spec run([{deposit | withdraw | save, integer()}]) -> term().";
const KEYS: &str = "-spec calculate([integer() | add | negate | share]) -> term().";
const PACKET: &str = "-spec decide({atom(), 0..65535, atom()}) -> term().";
const SORTED: &str = "-spec nth(non_neg_integer(), [integer()], [integer()]) -> term().";
const TREE: &str = "-type tree() :: leaf | {tree(), integer(), tree()}.
-spec insert(integer(), tree()) -> term().";

const FUNCTIONS: [Function; 40] = [
    buggy("samples/bank/bank.erl", "run/1").with(COMMANDS),
    clean("samples/brackets/brackets.erl", "check/1").with("-spec check(string()) -> term()."),
    buggy("samples/calculator/calculator.erl", "calculate/1").with(KEYS),
    buggy("samples/dates/dates.erl", "parse/1"),
    clean("samples/dates/dates.erl", "weekday/1"),
    clean("samples/firewall/firewall.erl", "decide/1").with(PACKET),
    buggy("samples/frames/frames.erl", "decode/1"),
    buggy("samples/ini/ini.erl", "parse/1"),
    buggy("samples/json/json_decoder.erl", "decode/1"),
    clean("samples/ledger/src/money.erl", "parse/1"),
    clean("samples/ledger/src/money.erl", "split/2"),
    buggy("samples/merge/merge.erl", "nth/3").with(SORTED),
    buggy("samples/regex/regex.erl", "match/2"),
    clean("samples/run_length/run_length.erl", "decode/1"),
    buggy("samples/search_tree/search_tree.erl", "insert/2").with(TREE),
    buggy("samples/tokenizer/tokenizer.erl", "tokens/1").with("-spec tokens(string()) -> term()."),
    buggy("samples/voucher/voucher.erl", "redeem/1"),
    buggy("tests/cases/atoms/atoms.erl", "tagged/2"),
    buggy("tests/cases/bit_strings/matching.erl", "packet/1"),
    buggy("tests/cases/bit_strings/matching.erl", "tlv/1"),
    buggy("tests/cases/bits/words.erl", "packed_date/3"),
    clean("tests/cases/bits/clean_bits.erl", "signed_byte/1"),
    buggy("tests/cases/built_ins/built_ins.erl", "key/1"),
    clean("tests/cases/built_ins/clean_built_ins.erl", "lookup/2"),
    buggy("tests/cases/control/control.erl", "accumulator/1"),
    buggy("tests/cases/control/control.erl", "state_machine/1"),
    clean("tests/cases/control/clean_control.erl", "toggle/1"),
    buggy("tests/cases/exceptions/exceptions.erl", "classes/1"),
    clean("tests/cases/exceptions/clean_exceptions.erl", "deep/1"),
    buggy("tests/cases/floats/mixed_numbers.erl", "average/1"),
    buggy("tests/cases/libraries/with_lists.erl", "key_sorted/1"),
    buggy("tests/cases/libraries/with_string.erl", "pieces/1"),
    buggy("tests/cases/libraries/with_sets.erl", "intersection/2"),
    buggy("tests/cases/maps/walked_maps.erl", "folded/1"),
    buggy("tests/cases/maps/with_maps.erl", "histogram/1"),
    buggy("tests/cases/processes/mailbox.erl", "order/2"),
    buggy("tests/cases/types/types.erl", "expression/1"),
    buggy("tests/cases/types/types.erl", "dice/3"),
    clean("tests/cases/types/clean_types.erl", "insert/2"),
    clean("tests/erlang_samples/endless_text.erl", "send/2"),
];

/// How many there are in a quick run.
const QUICK: usize = 2;

/// The functions to be measured.
pub(crate) fn chosen(is_quick: bool) -> Vec<Function> {
    let count = if is_quick { QUICK } else { FUNCTIONS.len() };
    FUNCTIONS.into_iter().take(count).collect()
}

/// The programs of a whole topic of cases, so that nobody chose them for this measurement; without
/// the modules that need options.
pub(crate) fn of_topic(topic: &str, is_quick: bool) -> Vec<Function> {
    let mut functions = Vec::new();
    for path in modules(topic) {
        let text = fs::read_to_string(&path).expect("the module can be read");
        if text.starts_with("%% options: ") {
            continue;
        }
        let file = path.file_name().expect("a module has a file").display();
        let source = format!("tests/cases/{topic}/{file}");
        let module = path.file_stem().and_then(|it| it.to_str());
        let found = cases(module.expect("a module has a name"), &text);
        functions.extend(found.into_iter().map(|case| {
            let entry = case.entry.split_once(':');
            let (_, entry) = entry.expect("an entry has a module");
            Function {
                source: Cow::Owned(source.clone()),
                entry: Cow::Owned(entry.to_owned()),
                has_bug: matches!(case.expected, Expected::Finding(_)),
                spec: None,
            }
        }));
    }
    let count = if is_quick { QUICK } else { functions.len() };
    functions.truncate(count);
    functions
}

impl Function {
    /// `module:name/arity`.
    pub(crate) fn name(&self) -> String {
        let module = Path::new(&*self.source).file_stem().unwrap_or_default();
        format!("{}:{}", module.display(), self.entry)
    }

    /// Whether it is in a sample of one module.
    pub(crate) fn is_sample(&self) -> bool {
        self.source.starts_with("samples/")
    }

    /// Writes the source with its spec into a folder.
    pub(crate) fn copy_to(&self, folder: &Path) -> PathBuf {
        let source = package_path("..").join(&*self.source);
        let mut text = fs::read_to_string(&source).expect("the source is there");
        if let Some(spec) = self.spec {
            text = format!("{text}\n{spec}\n");
        }
        let copy = folder.join(source.file_name().expect("a source has a name"));
        fs::write(&copy, text).expect("the folder can be written");
        copy
    }
}
