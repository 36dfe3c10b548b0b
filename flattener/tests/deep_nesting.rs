//! Programs that nest deeply go through the whole front end on a small stack.

use std::fmt::{self, Write};
use std::thread;

use flattener::flat::{TailForm, to_ast};
use flattener::passes::{name_subexpressions, number_sites, rename_variables, verify};
use flattener::{Detail, parse_module, print_module};

/// Less than threads of the standard library get.
const STACK: usize = 1024 * 1024;

/// Levels that this stack has no room for: each takes more than 700 bytes in every walk.
const DEEP: usize = 1_500;

/// Runs the whole front end on a function with this body: a tree is parsed, cloned, compared,
/// formatted, printed, renamed, flattened, verified, turned back, and dropped.
fn check(body: String) {
    let walk = move || {
        let text = format!("module 'm' ['f'/1] attributes [] 'f'/1 = fun (X) -> {body} end");
        let module = parse_module(&text).expect("the text is a module");
        let copy = module.clone();
        assert!(copy == module, "a copy is equal");
        write!(Nowhere, "{copy:?}").expect("nothing can go wrong on the way to nowhere");
        drop(copy);
        let printed = print_module(&module, Detail::Full);
        assert!(
            parse_module(&printed).as_ref() == Ok(&module),
            "what is printed parses to the same tree"
        );
        let renamed = rename_variables::run(module).expect("all names are bound");
        assert_eq!(verify::unique_variables(&renamed), Vec::<String>::new());
        let flat = name_subexpressions::run(renamed).expect("the text is a program");
        assert_eq!(verify::flat(&flat), Vec::<String>::new());
        let flat = number_sites::run(flat);
        assert_eq!(verify::numbered(&flat), Vec::<String>::new());
        let copy = flat.clone();
        assert!(copy == flat, "a copy is equal");
        write!(Nowhere, "{copy:?}").expect("nothing can go wrong on the way to nowhere");
        let printed = print_module(&to_ast(&flat, TailForm::Bare), Detail::Full);
        parse_module(&printed).expect("what is printed is a module");
    };
    let thread = thread::Builder::new()
        .stack_size(STACK)
        .spawn(walk)
        .expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

/// `core` between `depth` times `before` and as many times `after`.
fn nested(before: &str, core: &str, after: &str, depth: usize) -> String {
    let (before, after) = (before.repeat(depth), after.repeat(depth));
    format!("{before}{core}{after}")
}

#[test]
fn a_list_of_100_000_literals() {
    check(format!("[0{}]", ",1".repeat(100_000)));
}

#[test]
fn a_list_of_100_000_literals_as_the_compiler_prints_it() {
    check(nested("[1|", "[]", "]", 100_000));
}

#[test]
fn tuples_100_000_levels_deep() {
    check(nested("{", "", "}", 100_000));
}

#[test]
fn a_chain_of_50_000_lets() {
    check(nested("let <Y> = apply X() in ", "Y", "", 50_000));
}

#[test]
fn a_chain_of_50_000_dos() {
    check(nested("do apply X() ", "X", "", 50_000));
}

#[test]
fn cases_20_000_levels_deep() {
    check(nested("case X of <Y> when 'true' -> ", "Y", " end", 20_000));
}

#[test]
fn funs_20_000_levels_deep() {
    check(nested("fun (Y) -> ", "{X,Y}", "", 20_000));
}

#[test]
fn annotations_100_000_levels_deep() {
    check(format!("( X -| [{}] )", nested("{", "1", "}", 100_000)));
}

#[test]
fn an_alias_pattern_of_100_000_variables() {
    let names: Vec<String> = (0..100_000).map(|number| format!("V{number}")).collect();
    check(format!(
        "case X of <{}> when 'true' -> X end",
        names.join(" = ")
    ));
}

#[test]
fn a_list_of_100_000_variables_inside_a_tuple_pattern() {
    let names: Vec<String> = (0..100_000).map(|number| format!("V{number}")).collect();
    check(format!(
        "case X of <{{[{}]}}> when 'true' -> X end",
        names.join(",")
    ));
}

#[test]
fn list_patterns_100_000_levels_deep() {
    let heads: String = (0..100_000).map(|number| format!("[V{number}|")).collect();
    let closing = "]".repeat(100_000);
    check(format!(
        "case X of <{heads}[]{closing}> when 'true' -> X end"
    ));
}

#[test]
fn a_list_of_100_000_literals_with_a_variable_at_its_end() {
    check(nested("[1|", "X", "]", 100_000));
}

#[test]
fn guards_20_000_levels_deep() {
    let guard = nested("call 'erlang':'not'(", "Y", ")", 20_000);
    check(format!("case X of <Y> when {guard} -> Y end"));
}

#[test]
fn every_part_of_every_expression_may_be_deep() {
    for (before, core, after) in [
        ("[X|", "X", "]"),
        ("[", "X", "]"),
        ("[", "1", "]"),
        ("{", "X", "}"),
        ("~{'k'=>", "X", "}~"),
        ("~{'k'=>", "1", "}~"),
        ("~{", "X", "=>1}~"),
        ("~{'k':=1|", "X", "}~"),
        ("#{#<", "X", ">('all',1,'binary',['unsigned'|['big']])}#"),
        ("#{#<1>(", "X", ",1,'integer',['unsigned'|['big']])}#"),
        ("let <Y> = ", "apply X()", " in apply Y()"),
        ("do ", "X", " apply X()"),
        ("call 'm':'f'(", "X", ")"),
        ("call ", "X", ":'f'()"),
        ("call 'm':", "X", "()"),
        ("apply ", "X", "()"),
        ("apply X(", "X", ")"),
        ("primop 'p'(", "X", ")"),
        ("case ", "X", " of <Y> when 'true' -> Y end"),
        ("case <", "X", "> of <Y> when 'true' -> Y end"),
        ("letrec 'g'/0 = fun () -> X in ", "apply 'g'/0()", ""),
        ("letrec 'g'/0 = fun () -> ", "X", " in apply 'g'/0()"),
        ("try ", "X", " of <Y> -> Y catch <C,R> -> C"),
        ("try X of <Y> -> ", "Y", " catch <C,R> -> C"),
        ("try X of <Y> -> Y catch <C,R> -> ", "C", ""),
        ("catch ", "X", ""),
        ("receive <Y> when 'true' -> ", "Y", " after 0 -> X"),
        ("receive after ", "X", " -> X"),
        ("receive after 0 -> ", "X", ""),
        ("( [X|", "X", "] -| [1] )"),
        ("( {", "X", "} -| [1] )"),
    ] {
        check(nested(before, core, after, DEEP));
    }
}

#[test]
fn every_part_of_every_pattern_may_be_deep() {
    for (before, core, after) in [
        ("{", "Y", "}"),
        ("{", "1", "}"),
        ("[", "Y", "]"),
        ("[1|", "[]", "]"),
        ("~{'k':=", "Y", "}~"),
        ("( {", "Y", "} -| [1] )"),
    ] {
        let pattern = nested(before, core, after, DEEP);
        check(format!("case X of <{pattern}> when 'true' -> X end"));
    }
}

#[test]
fn every_part_of_every_guard_may_be_deep() {
    for (before, core, after) in [
        ("let <Z> = Y in ", "Z", ""),
        ("let <Z> = ", "Y", " in Z"),
        ("do Y ", "Y", ""),
        ("do ", "Y", " Y"),
        ("try ", "Y", " of <Z> -> Z catch <C,R> -> C"),
        ("try Y of <Z> -> ", "Z", " catch <C,R> -> C"),
        ("try Y of <Z> -> Z catch <C,R> -> ", "C", ""),
        ("case Y of <Z> when 'true' -> ", "Z", " end"),
        ("case Y of <Z> when ", "Y", " -> Z end"),
        ("case ", "Y", " of <Z> when 'true' -> Z end"),
        ("{", "Y", "}"),
        ("{", "call 'erlang':'self'()", "}"),
        ("[1|", "[]", "]"),
        ("[", "Y", "]"),
        ("[1|", "call 'erlang':'self'()", "]"),
        ("~{'k'=>", "Y", "}~"),
        ("#{#<", "Y", ">('all',1,'binary',['unsigned'|['big']])}#"),
    ] {
        let guard = nested(before, core, after, DEEP);
        check(format!("case X of <Y> when {guard} -> Y end"));
    }
}

#[test]
fn every_part_of_every_annotation_may_be_deep() {
    for (before, after) in [("[", "]"), ("[1|", "]"), ("~{1=>", "}~"), ("~{", "=>1}~")] {
        check(format!("( X -| [{}] )", nested(before, "1", after, DEEP)));
    }
}

#[test]
fn values_of_attributes_may_be_deep() {
    let value = nested("{", "1", "}", DEEP);
    let text = format!("module 'm' [] attributes ['a' = {value}] end");
    let module = parse_module(&text).expect("the text is a module");
    flattener::flatten(module).expect("the value is a constant");
}

#[test]
fn keys_of_patterns_may_be_deep() {
    for key in [nested("{", "1", "}", DEEP), nested("[", "1", "]", DEEP)] {
        check(format!("case X of <~{{{key}:=Y}}~> when 'true' -> Y end"));
    }
}
