//! Distances in small programs. A clause goes by the atom that its body is or ends in.

use std::collections::HashSet;
use std::sync::Arc;

use erlang_term::{Atom, Term};
use flattener::flat::{Operation, Value};
use flattener::{flatten, parse_module};
use trace_format::Program;

use super::flow_graph::{FlowClause, FlowGraph};
use super::nearest_clauses::NearestClauses;

/// A program of one module, whose first function is the entry.
struct Example {
    clauses: Vec<(String, FlowClause)>,
    nearest: NearestClauses,
}

impl Example {
    fn new(functions: &str) -> Self {
        let text = format!("module 'm' [] attributes []\n{functions}\nend\n");
        let module = flatten(parse_module(&text).expect("it is a module")).expect("a program");
        let program = Program::new([(module, Atom::new("m"))]);
        let graph = FlowGraph::new(&program, &[(0, 0)]);
        Self {
            clauses: named_clauses(&program),
            nearest: NearestClauses::new(Arc::new(graph), (0, 0)),
        }
    }

    fn clause(&self, name: &str) -> FlowClause {
        let found = self.clauses.iter().find(|it| it.0 == name);
        found
            .unwrap_or_else(|| panic!("no clause ends in {name}"))
            .1
    }

    /// How far the nearest of some clauses is from another one, if all others were reached.
    fn distance(&mut self, from: &str, to: &[&str]) -> Option<u32> {
        let wanted: Vec<FlowClause> = to.iter().map(|it| self.clause(it)).collect();
        let all = self.clauses.iter().map(|it| it.1);
        let reached: HashSet<FlowClause> = all.filter(|it| !wanted.contains(it)).collect();
        let from = self.clause(from);
        self.nearest.distance(from, &reached)
    }
}

fn named_clauses(program: &Program) -> Vec<(String, FlowClause)> {
    let module = program.module(0).expect("there is one");
    let mut found = Vec::new();
    for function in &module.flat.functions {
        for statement in function.statements() {
            let Operation::Case { clauses, .. } = &statement.operation else {
                continue;
            };
            for (number, clause) in clauses.iter().enumerate() {
                let result = function.block(clause.body).result.first();
                let name = result.and_then(Value::as_literal).and_then(Term::as_atom);
                let name = name.unwrap_or_default().to_owned();
                found.push((name, (0, statement.site, number)));
            }
        }
    }
    found
}

/// A case between two ways, as Core Erlang.
fn either(one: &str, other: &str) -> String {
    format!("case X of <1> when 'true' -> {one} <_> when 'true' -> {other} end")
}

#[test]
fn decisions_are_counted_and_other_statements_are_not() {
    let inner = either("'deep'", "'beside'");
    let text = format!("do call 'erlang':'self'() do {inner} 'first'");
    let middle = either(&text, "'second'");
    let mut example = Example::new(&format!("'f'/1 = fun (X) -> {middle}"));
    assert_eq!(example.distance("first", &["first"]), Some(0));
    assert_eq!(example.distance("first", &["deep"]), Some(1));
    assert_eq!(example.distance("second", &["deep"]), None);
    assert_eq!(example.distance("deep", &["second"]), None);
}

#[test]
fn a_distance_is_found_again_when_its_clause_was_reached() {
    let inner = either("'near'", &format!("do {} 'middle'", either("'far'", "'z'")));
    let text = format!(
        "'f'/1 = fun (X) -> {}",
        either(&format!("do {inner} 'a'"), "'b'")
    );
    let mut example = Example::new(&text);
    assert_eq!(example.distance("a", &["near", "far"]), Some(1));
    assert_eq!(example.distance("a", &["far"]), Some(2));
    assert_eq!(example.distance("a", &[]), None);
}

#[test]
fn the_way_past_a_call_is_the_shortest_through_its_callee() {
    let callee = either("'short'", &format!("do {} 'long'", either("'p'", "'q'")));
    let after = either("'after'", "'z'");
    let call = format!("do apply 'g'/1(X) do {after} 'a'");
    let mut example = Example::new(&format!(
        "'f'/1 = fun (X) -> {}
         'g'/1 = fun (X) -> {callee}",
        either(&call, "'b'"),
    ));
    assert_eq!(example.distance("a", &["short"]), Some(1), "into it");
    assert_eq!(example.distance("a", &["p"]), Some(2));
    assert_eq!(example.distance("a", &["after"]), Some(2), "past it");
    assert_eq!(example.distance("q", &["after"]), Some(1), "out of it");
}

#[test]
fn a_loop_ends_and_what_follows_is_near() {
    let body = format!("do apply 'g'/1(X) {}", either("'after'", "'z'"));
    let mut example = Example::new(&format!(
        "'f'/1 = fun (X) -> {body}
         'g'/1 = fun (X) -> {}",
        either("do apply 'g'/1(X) 'again'", "'end'"),
    ));
    assert_eq!(example.distance("end", &["after"]), Some(1));
    // One decision ends the loop.
    assert_eq!(example.distance("again", &["after"]), Some(2));
    assert_eq!(example.distance("again", &["end"]), Some(1));
}

#[test]
fn who_came_in_by_a_call_goes_out_by_no_other() {
    let use_it = |name: &str| {
        format!(
            "do apply 'h'/1(X) do {} '{name}'",
            either(&format!("'after_{name}'"), "'z'")
        )
    };
    let functions = format!(
        "'f'/1 = fun (X) -> {}
         'h'/1 = fun (X) -> {}",
        either(&use_it("one"), &use_it("other")),
        either("'inside'", "'y'"),
    );
    let mut example = Example::new(&functions);
    assert_eq!(example.distance("one", &["after_one"]), Some(2));
    assert_eq!(example.distance("one", &["after_other"]), None);
    // The graph knows no stacks, so that may be either.
    assert_eq!(example.distance("inside", &["after_other"]), Some(1));
}

#[test]
fn callers_that_are_never_called_do_not_count() {
    let functions = format!(
        "'f'/1 = fun (X) -> apply 'h'/1(X)
         'g'/1 = fun (X) -> do apply 'h'/1(X) {}
         'h'/1 = fun (X) -> {}",
        either("'elsewhere'", "'z'"),
        either("'inside'", "'y'"),
    );
    let mut example = Example::new(&functions);
    assert_eq!(example.distance("inside", &["elsewhere"]), None);
}

#[test]
fn exceptions_lead_to_handlers() {
    let protected = format!(
        "try apply 'g'/1(X) of <V> -> V catch <C, R, S> -> {}",
        either("'handled'", "'z'"),
    );
    let mut example = Example::new(&format!(
        "'f'/1 = fun (X) -> {protected}
         'g'/1 = fun (X) -> {}",
        either("do call 'erlang':'error'('bad') 'raises'", "'returns'"),
    ));
    assert_eq!(example.distance("raises", &["handled"]), Some(1));
    assert_eq!(example.distance("returns", &["handled"]), None);
}

#[test]
fn funs_are_called_where_they_are_made_and_where_any_fun_is() {
    let mut example = Example::new(&format!(
        "'f'/1 = fun (X) ->
           let <F> = fun (X) -> {} in
           do apply 'each'/2(F, X) 'ok'
         'each'/2 = fun (F, X) -> {}",
        either("'within'", "'z'"),
        either("do apply F(X) 'calls'", "'ends'"),
    ));
    assert_eq!(example.distance("calls", &["within"]), Some(1));
    assert_eq!(example.distance("ends", &["within"]), None);
}
