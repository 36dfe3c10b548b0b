//! The bytes of logs, as `docs/trace-format.md` describes them. The Erlang side is held to the
//! same bytes by its own tests.

use erlang_term::{Atom, Term, encode};
use flattener::{flatten, parse_module};
use trace_format::{Decoded, Ending, Notation, Program, RunLog, Wire, decode};

/// A program of one module.
fn program(text: &str) -> Program {
    let module = parse_module(text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    let name = Atom::new(flat.name.as_str());
    Program::new([(flat, name)])
}

fn read(program: &Program, wire: Wire, log: &[u8]) -> (Vec<String>, Ending) {
    let Decoded { events, ending } =
        decode(&RunLog::new(program, wire, log, Some((0, 0)))).expect("the log fits the program");
    let notation = Notation::new(program);
    let events = events.iter().map(|event| notation.event(event)).collect();
    (events, ending)
}

#[test]
fn the_paper_program() {
    let program = program(include_str!("../../samples/paper/figure5.core"));
    let lean = read(&program, Wire::Lean, &[3, 5, 4]);
    let full = read(&program, Wire::Full, &[3, 5, 6, 4, 3, 2, 3, 2]);
    assert_eq!(lean, full);
    assert_eq!(lean.0.len(), 9);
    assert_eq!(lean.1, Ending::Returned);
}

#[test]
fn a_log_that_is_cut_short_is_read_as_far_as_it_goes() {
    let program = program(include_str!("../../samples/paper/figure5.core"));
    let (whole, _) = read(&program, Wire::Full, &[3, 5, 6, 4, 3, 2, 3, 2]);
    for length in 0..8 {
        let log = &[3, 5, 6, 4, 3, 2, 3, 2][..length];
        let (events, ending) = read(&program, Wire::Full, log);
        assert_eq!(ending, Ending::Open);
        assert_eq!(events, whole[..length]);
    }
}

#[test]
fn a_log_of_another_program_is_refused() {
    let program = program(include_str!("../../samples/paper/figure5.core"));
    for log in [
        &[4_u8][..],
        &[3, 7],
        &[0xff; 8],
        &[3, 0, 9, 9, 0],
        &[3, 4, 2],
    ] {
        assert!(
            decode(&RunLog::new(&program, Wire::Lean, log, Some((0, 0)))).is_err(),
            "{log:?}"
        );
    }
}

#[test]
fn an_exception_of_a_built_in_and_an_opaque_value() {
    let program = program(
        "module 'm' ['f'/1] attributes []
         'f'/1 = fun (X) ->
           let <Y> = call 'ets':'info'(X) in
           let <Z> = call 'erlang':'+'(Y,1) in Z
         end",
    );
    let value = encode(&Term::atom("undefined"));
    let reason = encode(&Term::Tuple(vec![
        Term::atom("error"),
        Term::atom("badarith"),
    ]));
    let mut log = vec![4, u8::try_from(value.len()).expect("short")];
    log.extend(value);
    log.extend([1, 0, 1, u8::try_from(reason.len()).expect("short")]);
    log.extend(reason);
    let (events, ending) = read(&program, Wire::Lean, &log);
    assert_eq!(ending, Ending::Raised);
    assert_eq!(
        events,
        [
            "result([X],[Y,Z],Y,ets:info(X),undefined)",
            "raised([X],[Y,Z],erlang:'+'(Y,1),{error,badarith})",
        ]
    );
}
