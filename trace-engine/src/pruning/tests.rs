//! Views and live variables of small programs.

use erlang_term::Atom;
use flattener::{flatten, parse_module};
use trace_format::Program;

use super::static_part::{Pruning, demand_of};
use super::view::View;

/// A program of one module, whose first function is the entry.
fn program(functions: &str) -> Program {
    let text = format!("module 'm' [] attributes []\n{functions}\nend\n");
    let module = flatten(parse_module(&text).expect("it is a module")).expect("a program");
    Program::new([(module, Atom::new("m"))])
}

/// The view of a variable of a function, by their names.
fn view(program: &Program, function: &str, variable: &str) -> View {
    let functions = &program.module(0).expect("there is one").flat.functions;
    let index = functions
        .iter()
        .position(|it| it.id.name.as_str() == function);
    let index = index.expect("there is such a function");
    let mut variables = functions[index].variables.iter();
    let variable = variables.position(|it| it.name == variable);
    let variable = u32::try_from(variable.expect("there is such a variable")).expect("few");
    let demand = demand_of(program, &[(0, 0)]);
    demand
        .variable((0, index), flattener::flat::VarId(variable))
        .clone()
}

#[test]
fn nobody_looks_at_an_accumulator_that_is_returned() {
    let program = program(
        "'f'/2 = fun (List, Acc) ->
           case List of
             <[]> when 'true' -> Acc
             <[H|T]> when 'true' -> apply 'f'/2(T, [H|Acc])
           end",
    );
    assert_eq!(view(&program, "f", "Acc"), View::nothing());
    assert_eq!(view(&program, "f", "H"), View::nothing());
    assert_eq!(view(&program, "f", "List"), View::Full);
}

#[test]
fn a_counter_that_nobody_compares_must_be_an_integer() {
    let program = program(
        "'f'/2 = fun (List, Count) ->
           case List of
             <[]> when 'true' -> Count
             <[H|T]> when 'true' ->
               let <Next> = call 'erlang':'+'(Count, 1) in apply 'f'/2(T, Next)
           end",
    );
    assert_eq!(view(&program, "f", "Count"), View::integer());
}

#[test]
fn a_counter_that_a_caller_compares_is_looked_at() {
    let program = program(
        "'g'/1 = fun (List) ->
           let <N> = apply 'f'/2(List, 0) in
           case N of <3> when 'true' -> 'three' <M> when 'true' -> 'other' end
         'f'/2 = fun (List, Count) ->
           case List of
             <[]> when 'true' -> Count
             <[H|T]> when 'true' ->
               let <Next> = call 'erlang':'+'(Count, 1) in apply 'f'/2(T, Next)
           end",
    );
    assert_eq!(view(&program, "f", "Count"), View::Full);
    assert_eq!(view(&program, "g", "N"), View::outer());
}

#[test]
fn of_a_map_whose_values_nobody_looks_at_only_the_keys_count() {
    let program = program(
        "'g'/3 = fun (Key, Value, Map) ->
           let <New> = ~{Key => Value|Map}~ in
           case New of
             <~{'a' := V}~> when 'true' -> 'there'
             <Other> when 'true' -> 'missing'
           end",
    );
    let only_keys = View::map(View::nothing());
    assert_eq!(view(&program, "g", "New"), only_keys);
    assert_eq!(view(&program, "g", "Map"), only_keys);
    assert_eq!(view(&program, "g", "Key"), View::Full);
    assert_eq!(view(&program, "g", "Value"), View::nothing());
}

#[test]
fn a_list_that_is_counted_or_appended_to_must_be_proper() {
    let program = program(
        "'f'/3 = fun (One, Two, Three) ->
           let <A> = call 'erlang':'length'(One) in
           let <B> = call 'erlang':'++'(Two, Three) in {A, B}",
    );
    assert_eq!(view(&program, "f", "One"), View::spine());
    assert_eq!(view(&program, "f", "Two"), View::spine());
    assert_eq!(view(&program, "f", "Three"), View::nothing());
}

#[test]
fn of_a_tuple_the_elements_that_are_used_are_looked_at() {
    let program = program(
        "'f'/3 = fun (Tag, Value, Rest) ->
           let <Pair> = {Tag, Value, Rest} in
           case Pair of
             <{'ok', V, R}> when 'true' -> apply 'g'/2(V, R)
             <Other> when 'true' -> Other
           end
         'g'/2 = fun (V, R) -> let <S> = call 'erlang':'+'(V, 1) in {S, R}",
    );
    assert_eq!(view(&program, "f", "Tag"), View::outer());
    assert_eq!(view(&program, "f", "Value"), View::integer());
    assert_eq!(view(&program, "f", "Rest"), View::nothing());
}

#[test]
fn guards_and_unknown_calls_look_at_everything() {
    let program = program(
        "'f'/3 = fun (A, B, C) ->
           let <X> = call 'io':'format'(C) in
           case A of
             <Y> when call 'erlang':'>'(B, 1) -> Y
             <Z> when 'true' -> Z
           end",
    );
    assert_eq!(view(&program, "f", "A"), View::nothing());
    assert_eq!(view(&program, "f", "B"), View::Full);
    assert_eq!(view(&program, "f", "C"), View::Full);
}

#[test]
fn what_is_raised_is_looked_at_by_those_who_catch_it() {
    let raise = "'g'/2 = fun (Tag, Value) -> call 'erlang':'throw'({Tag, Value})";
    let uncaught = program(&format!("'f'/2 = fun (A, B) -> apply 'g'/2(A, B) {raise}"));
    assert_eq!(view(&uncaught, "g", "Tag"), View::Full);
    assert_eq!(view(&uncaught, "g", "Value"), View::nothing());
    let caught = program(&format!(
        "'f'/2 = fun (A, B) ->
           try apply 'g'/2(A, B) of <X> -> X
           catch <Class, Reason, Trace> ->
             case Reason of
               <{{'bad', V}}> when 'true' -> call 'erlang':'+'(V, 1)
               <Other> when 'true' -> 'other'
             end
         {raise}"
    ));
    assert_eq!(view(&caught, "g", "Value"), View::integer());
    // The entry only hands it on.
    assert_eq!(view(&caught, "f", "B"), View::integer());
}

#[test]
fn funs_may_be_called_by_anybody() {
    let program = program(
        "'f'/2 = fun (A, B) ->
           let <F> = fun (X) -> {X, A} in
           let <Y> = apply F(B) in 'done'",
    );
    assert_eq!(view(&program, "f", "A"), View::Full);
    assert_eq!(view(&program, "f", "B"), View::Full);
}

/// The names of the variables that are live before and after the first call of a function, and
/// whether the caller does nothing more after it.
fn live_at_call(program: &Program, callee: &str) -> (Vec<String>, Vec<String>, bool) {
    let pruning = Pruning::new(program, &[(0, 0)]);
    let function = &program.module(0).expect("there is one").flat.functions[0];
    let mut statements = function.statements();
    let call = statements.find(|it| {
        let mut operands = it.operation.operands().into_iter();
        operands.any(|operand| format!("{operand:?}").contains(callee))
    });
    let live = pruning.live(
        program.module(0).expect("there is one"),
        (0, 0),
        call.expect("there is a call").site,
    );
    let live = live.expect("it is a statement");
    let names = |variables: &[flattener::flat::VarId]| {
        let names = variables
            .iter()
            .map(|it| function.variable(*it).name.to_string());
        names.collect()
    };
    (names(&live.before), names(&live.after), live.is_last)
}

#[test]
fn variables_are_live_until_they_were_used_last() {
    let program = program(
        "'f'/3 = fun (A, B, C) ->
           let <X> = apply 'callee'/1(A) in
           let <Y> = call 'erlang':'+'(X, B) in {Y, B}
         'callee'/1 = fun (A) -> A",
    );
    let (before, after, is_last) = live_at_call(&program, "callee");
    assert_eq!(before, ["A", "B"]);
    assert_eq!(after, ["B"]);
    assert!(!is_last);
}

#[test]
fn what_a_handler_needs_is_live_in_the_protected_part() {
    let program = program(
        "'f'/2 = fun (A, B) ->
           try
             let <X> = apply 'callee'/1(A) in {X}
           of <Y> -> Y
           catch <Class, Reason, Trace> -> B
         'callee'/1 = fun (A) -> A",
    );
    let (_, after, is_last) = live_at_call(&program, "callee");
    assert_eq!(after, ["B"]);
    assert!(!is_last);
}

#[test]
fn a_function_that_only_puts_a_result_together_does_nothing_more() {
    let program = program(
        "'f'/2 = fun (A, B) ->
           let <X> = apply 'callee'/1(A) in [B|X]
         'callee'/1 = fun (A) -> A",
    );
    assert!(live_at_call(&program, "callee").2);
}
