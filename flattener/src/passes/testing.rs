//! Helpers for tests of passes: functions in, a snapshot with both sides out.

use crate::ast::CoreModule;
use crate::flat::{TailForm, to_ast};
use crate::passes::{flatten, rename_variables};
use crate::{Detail, parse_module, print_module};

/// Compares functions before and after a pass with a snapshot. The first
/// argument says what is shown: `renamed`, `flat` (every statement bound, as the paper writes it)
/// or `flat_code` (tail calls bare, as code is made from it).
macro_rules! check_pass {
    ($shown:ident, $functions:expr) => {
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!($crate::passes::testing::$shown($functions));
        })
    };
}
pub(crate) use check_pass;

/// A module of these functions.
pub(crate) fn module(functions: &str) -> CoreModule {
    let text = format!("module 'test' [] attributes []\n{functions}\nend");
    parse_module(&text).expect("the functions are Core Erlang")
}

/// After renaming.
pub(crate) fn renamed(functions: &str) -> String {
    let renamed = rename_variables::run(module(functions)).expect("the names are fine");
    both(functions, &renamed)
}

/// After all passes, with every statement bound.
pub(crate) fn flat(functions: &str) -> String {
    flat_as(functions, TailForm::Bound)
}

/// After all passes, with statements in tail position left bare.
pub(crate) fn flat_code(functions: &str) -> String {
    flat_as(functions, TailForm::Bare)
}

fn flat_as(functions: &str, tail_form: TailForm) -> String {
    let flat = flatten(module(functions)).expect("the functions are a program");
    both(functions, &to_ast(&flat, tail_form))
}

/// The functions before and after.
fn both(functions: &str, after: &CoreModule) -> String {
    let printed = print_module(after, Detail::Full);
    let body = printed
        .split_once("\n\n")
        .and_then(|(_, rest)| rest.strip_suffix("\n\nend\n"))
        .expect("a module has a head and an end");
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let lines = || functions.lines().filter(|line| !line.trim().is_empty());
    let margin = lines().map(|line| indentation(&line)).min().unwrap_or(0);
    let before: Vec<&str> = lines().map(|line| &line[margin..]).collect();
    format!("{}\n\n⟶\n\n{body}", before.join("\n"))
}
