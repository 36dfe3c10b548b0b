//! Replaying runs: the paper's example, and events that do not fit.

use erlang_term::{Atom, Term};
use flattener::flat::SiteId;
use flattener::{flatten, parse_module};
use proptest::prelude::*;
use trace_engine::solver::{Limits, NativeIntegers, Shortcuts, Solver};
use trace_engine::{Mark, Replayed, replay, replay_until};
use trace_format::{Callable, Event, EventKind, Payload, Program, Wire, decode};

fn limits() -> Limits {
    Limits {
        term_depth: 10,
        cases: 100,
        shortcuts: Shortcuts::default(),
    }
}

/// A program of one module.
fn program(text: &str) -> Program {
    let module = parse_module(text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    let name = Atom::new(flat.name.as_str());
    Program::new([(flat, name)])
}

/// The paper's program, and the events of its run on `[a]`.
fn example_2() -> (Program, Vec<Event>) {
    let program = program(include_str!("../../samples/paper/figure5.core"));
    let decoded = decode(&program, Wire::Lean, &[3, 5, 4], Some((0, 0)));
    let events = decoded.expect("the log fits the program").events;
    (program, events)
}

fn replayed() -> Replayed {
    let (program, events) = example_2();
    replay(&program, &events, (0, 0), &[]).expect("the events fit the program")
}

/// `sym` of the paper: result and arguments, as general as the run allows.
#[test]
fn the_symbolic_run_of_the_paper() {
    let mut run = replayed();
    assert_eq!(run.trace, [2, 1]);
    let (input, result) = (run.graph.input(0), run.result.expect("it returned"));
    let mut integers = NativeIntegers::default();
    let list = Term::list([Term::atom("a")]);
    let parent = vec![run.graph.constant(&list)];
    let mut solver = Solver::new(&mut run.graph, parent, &mut integers, limits());
    for decision in &run.decisions {
        for condition in decision.conditions(decision.taken) {
            solver.assume(condition);
        }
    }
    let shapes = solver.shapes(&[], &[result, input]);
    assert_eq!(shapes, Some(vec!["[X,X]".to_owned(), "[X]".to_owned()]));
}

/// `input_alt` of the paper: the arguments of the run and of all others that decide differently
/// once.
#[test]
fn the_alternatives_of_the_paper() {
    let mut run = replayed();
    let input = run.graph.input(0);
    let mut integers = NativeIntegers::default();
    let mut solver = Solver::new(&mut run.graph, Vec::new(), &mut integers, limits());
    let mut answers = Vec::new();
    for decision in &run.decisions {
        let others = (0..decision.ways.len()).filter(|way| *way != decision.taken);
        for way in others {
            answers.extend(solver.shapes(&decision.conditions(way), &[input]));
        }
        for condition in decision.conditions(decision.taken) {
            solver.assume(condition);
        }
    }
    answers.extend(solver.shapes(&[], &[input]));
    assert_eq!(answers.concat(), ["[]", "[X,Y|R]", "[X]"]);
}

/// Kinds of events with what they carry chosen at random.
fn event_kind() -> impl Strategy<Value = EventKind> {
    let payload = prop::collection::vec(any::<u8>(), 0..4).prop_map(|bytes| Payload(bytes.into()));
    prop_oneof![
        Just(EventKind::Call),
        Just(EventKind::Exit),
        Just(EventKind::Bind),
        (0..4_usize).prop_map(EventKind::Case),
        (0..4_usize).prop_map(EventKind::ExitCase),
        prop::option::of(payload.clone()).prop_map(EventKind::Enter),
        Just(EventKind::Builtin),
        payload.clone().prop_map(EventKind::Result),
        prop::option::of(payload.clone()).prop_map(EventKind::Raised),
        Just(EventKind::Try),
        Just(EventKind::Leave),
        Just(EventKind::Caught),
        Just(EventKind::ExitTry),
        payload.prop_map(EventKind::Received),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let callable = prop_oneof![
        (0..4_usize).prop_map(Callable::Function),
        (0..9_u32).prop_map(|site| Callable::Fun(SiteId(site))),
    ];
    let site = prop::option::of((0..9_u32).prop_map(SiteId));
    (0..2_usize, callable, site, event_kind()).prop_map(|(module, callable, site, kind)| Event {
        module,
        callable,
        site,
        kind,
    })
}

proptest! {
    /// Events that are changed, left out, repeated or made up are refused or replayed, and never
    /// bring the engine down.
    #[test]
    fn damaged_events_do_no_harm(
        changes in prop::collection::vec((0..12_usize, 0..4_u8, event()), 1..4),
    ) {
        let (program, mut events) = example_2();
        for (index, change, made_up) in changes {
            let index = index.min(events.len());
            match change {
                0 if index < events.len() => drop(events.remove(index)),
                1 if index < events.len() => events.insert(index, events[index].clone()),
                2 if index < events.len() => events[index] = made_up,
                _ => events.insert(index, made_up),
            }
        }
        if let Err(error) = replay(&program, &events, (0, 0), &[]) {
            prop_assert!(error.number < events.len());
            prop_assert!(error.to_string().contains("does not fit the program"));
        }
    }

    /// The same for the bytes of a log.
    #[test]
    fn damaged_logs_do_no_harm(log in prop::collection::vec(0..12_u8, 0..12)) {
        let program = program(include_str!("../../samples/paper/figure5.core"));
        for wire in [Wire::Lean, Wire::Full] {
            if let Ok(decoded) = decode(&program, wire, &log, Some((0, 0))) {
                let _ = replay(&program, &decoded.events, (0, 0), &[]);
            }
        }
    }
}

/// The places of a run in the first modules are noted on demand.
#[test]
fn places_are_noted_only_for_the_modules_that_are_asked_for() {
    let (program, events) = example_2();
    let marks = |modules| {
        let replayed = replay_until(&program, &events, (0, 0), &[], modules, &|| false);
        replayed
            .expect("the events fit the program")
            .places
            .sorted()
    };
    assert!(marks(0).is_empty());
    let marks = marks(1);
    assert!(marks.iter().all(|(module, _)| *module == 0));
    let blocks = marks.iter().filter(|it| matches!(it.1, Mark::Block(..)));
    // Two functions, and a clause of each case.
    assert_eq!(blocks.count(), 4);
    let began = marks.iter().filter(|it| matches!(it.1, Mark::Began(_)));
    let ended = marks.iter().filter(|it| matches!(it.1, Mark::Ended(_)));
    assert!(began.count() >= ended.count());
}
