//! Functions that are taken apart.

use std::fmt::Write;

use flattener::ast::CoreModule;
use flattener::{Detail, flatten, parse_module, print_module};

use super::*;

fn parsed(functions: &str) -> CoreModule {
    let text = format!("module 'm' ['f'/2] attributes []\n{functions}\nend");
    parse_module(&text).expect("it is a module")
}

/// The outlined module. It must be a program: no name in it is unbound.
fn outlined(functions: &str) -> CoreModule {
    let module = outline(parsed(functions));
    let text = print_module(&module, Detail::Full);
    let again = parse_module(&text).expect("it can be read again");
    if let Err(errors) = flatten(again) {
        panic!("{errors:?}\n{text}");
    }
    module
}

/// Clauses for the numbers up to a count, each with this body, in which `@` is the number.
fn clauses(count: usize, body: &str) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let body = body.replace('@', &number.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<{number}> when 'true' -> {body}");
        text
    })
}

fn function(body: &str) -> String {
    format!("'f'/2 = fun (X, Y) -> {body}\n'g'/1 = fun (X) -> X")
}

const WORK: &str = "do call 'e':'out'(@, []) apply 'g'/1(Y)";

#[test]
fn small_functions_stay_as_they_are() {
    let text = function(&format!("case X of {} end", clauses(9, WORK)));
    assert_eq!(outline(parsed(&text)), parsed(&text));
}

#[test]
fn tables_stay_as_they_are() {
    let table = clauses(900, "call 'e':'out'(@, {'a',[@]})");
    let text = function(&format!("case X of {table} end"));
    assert_eq!(outline(parsed(&text)), parsed(&text));
}

#[test]
fn bodies_with_a_frame_become_functions() {
    let text = function(&format!("case X of {} end", clauses(200, WORK)));
    let module = outlined(&text);
    assert_eq!(module.definitions.len(), 202);
    let [first, second, ..] = module.definitions.as_slice() else {
        panic!("there are functions");
    };
    assert_eq!(first.name.to_string(), "'f'/2");
    assert_eq!(second.name.to_string(), "'@f/2@1'/1");
}

#[test]
fn a_large_case_before_other_code_becomes_a_function() {
    let cases = format!("case X of {} end", clauses(200, WORK));
    for text in [
        format!("let <Z> = {cases} in {{Z,Y}}"),
        format!("do call 'e':'out'(1, []) {cases}"),
        format!("catch {cases}"),
    ] {
        let module = outlined(&function(&text));
        assert_eq!(module.definitions.len(), 203, "{text}");
    }
}

#[test]
fn several_values_come_back_in_a_tuple() {
    let body = "let <V> = call 'e':'out'(@, Y) in <V,X>";
    let cases = format!("case X of {} end", clauses(200, body));
    let module = outlined(&function(&format!("let <A,B> = {cases} in {{A,B}}")));
    assert_eq!(module.definitions.len(), 203);
}

#[test]
fn labels_of_a_large_function_become_functions() {
    let mut nested = "apply 'l299'/0()".to_owned();
    for number in (0..300).rev() {
        let jump = if number == 0 {
            "call 'e':'none'()".to_owned()
        } else {
            format!("apply 'l{}'/0()", number - 1)
        };
        let body = WORK.replace('@', "7");
        nested = format!(
            "( letrec 'l{number}'/0 = fun () -> case Y of
                 <{number}> when 'true' -> {body}
                 <_> when 'true' -> do call 'e':'out'(9, []) {jump}
               end
             in {nested} -| ['letrec_goto'] )"
        );
    }
    let module = outlined(&function(&nested));
    assert_eq!(module.definitions.len(), 302);
    let text = print_module(&module, Detail::Full);
    assert!(!text.contains("letrec"), "{text}");
}

#[test]
fn a_receive_stays_in_one_function() {
    let taken = format!("do primop 'remove_message'() {WORK}");
    let peek = format!(
        "( letrec 'recv'/0 = fun () ->
             let <Has,M> = primop 'recv_peek_message'() in
             case Has of
               <'true'> when 'true' -> case M of {}
                 <_> when 'true' -> do primop 'recv_next'() apply 'recv'/0() end
               <'false'> when 'true' -> primop 'recv_wait_timeout'('infinity')
             end
           in apply 'recv'/0() -| ['letrec_goto'] )",
        clauses(200, &taken)
    );
    let text = function(&peek);
    assert_eq!(outline(parsed(&text)).definitions.len(), 2);
    // A whole one may become a part of another function.
    let around = function(&format!("case X of {} end", clauses(200, WORK)));
    assert!(outlined(&around).definitions.len() > 2);
}

#[test]
fn exceptions_stay_where_they_are_caught() {
    let handler = clauses(200, "do call 'e':'out'(@, []) primop 'raw_raise'(C, R, S)");
    let text = function(&format!(
        "try X of <V> -> V catch <C,R,S> -> case R of {handler} end"
    ));
    assert_eq!(outline(parsed(&text)).definitions.len(), 2);
}

#[test]
fn the_text_grows_with_the_function() {
    let size = |count| {
        let text = function(&format!(
            "let <Z> = case X of {} end in {{Z,Y}}",
            clauses(count, WORK)
        ));
        print_module(&outlined(&text), Detail::Code).len()
    };
    let (small, large) = (size(300), size(1200));
    assert!(large < 5 * small, "{small}, {large}");
}

#[test]
fn code_of_any_depth_is_taken_apart() {
    let mut code = "Y".to_owned();
    for number in 0..20_000 {
        code = format!(
            "case X of <{number}> when 'true' -> {} <_{number}> when 'true' -> {code} end",
            WORK.replace('@', "1")
        );
    }
    assert!(outlined(&function(&code)).definitions.len() > 20_000 / 400);
}
