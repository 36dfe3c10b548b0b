//! Theorem 1 of the paper: an instrumented program gives, on the unmodified BEAM, the events that
//! the instrumented semantics gives for the program itself.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use end_to_end::erlang::package_path;
use end_to_end::instrumented_semantics::{Bounds, Exception, Execution, Outcome, Semantics};
use end_to_end::random_programs::{self, Language, Random, Shape};
use end_to_end::tool::no_project;
use erlang_term::{Atom, Term, encode};
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::instrumented::instrument;
use erlconcolic::worker::{self, Limits, Run, Worker};
use flattener::flat::{FunctionId, FunctionRef, Module, Operation, TailForm, Value, to_ast};
use flattener::{Detail, flatten, parse_module, print_module};
use trace_format::{
    Ending, Event, EventKind, Notation, Payload, Program, RunLog, Wire, body_name, decode,
};

const SHAPE: Shape = Shape {
    language: Language::Paper,
    modules: 16,
    functions: 20,
};
const INPUTS: usize = 6;
/// Inputs are drawn until enough of them stay within these bounds.
const DRAWN: usize = 60;
const BOUNDS: Bounds = Bounds {
    events: 1500,
    parts: 300,
};

/// A program with its instrumented code on a BEAM.
struct Bench {
    modules: Vec<Module>,
    program: Program,
    wire: Wire,
    worker: Worker,
}

/// What was seen of a run: events and outcome in the terms of the semantics.
struct Seen {
    events: Vec<Event>,
    ending: Ending,
    outcome: worker::Outcome,
}

impl Bench {
    fn new(modules: Vec<Module>, wire: Wire) -> Self {
        let front_end = FrontEnd::with_settings(Settings::default());
        let instrumented = instrument(&front_end, modules.clone(), wire)
            .unwrap_or_else(|failure| panic!("{:?}", failure.0));
        Self {
            modules,
            worker: Worker::new(&instrumented.program, instrumented.beams, no_project()),
            program: instrumented.program,
            wire,
        }
    }

    fn function(&self, (module, index): (usize, usize)) -> (&Atom, &FunctionId) {
        let module = self.modules.get(module).expect("the module is there");
        let function = module.functions.get(index).expect("the function is there");
        (&module.name, &function.id)
    }

    /// Runs a function on the BEAM.
    fn run(&mut self, entry: (usize, usize), arguments: &[Term]) -> Result<Seen, String> {
        let limits = Limits {
            milliseconds: 20_000,
            heap_words: 16 * 1024 * 1024,
            allowed: Vec::new(),
        };
        let (module, function) = self.function(entry);
        let (module, body) = (module.clone(), body_name(function));
        let arguments = Term::list(arguments.iter().cloned());
        let run = self.worker.run(&module, &body, arguments, &limits);
        let Run { outcome, logs, .. } = run.unwrap_or_else(|failure| panic!("{:?}", failure.0));
        if logs.len() > 1 {
            return Err(format!("{} processes have logs", logs.len()));
        }
        let log = logs.first().map_or(&[][..], Vec::as_slice);
        let decoded = decode(&RunLog::new(&self.program, self.wire, log, Some(entry)))
            .map_err(|error| format!("{outcome:?}, log {log:?}: {error}"))?;
        Ok(Seen {
            events: decoded.events.into_iter().map(normalised).collect(),
            ending: decoded.ending,
            outcome,
        })
    }

    /// The first difference between a run and the semantics.
    fn difference(&self, seen: &Seen, expected: &Execution) -> Option<String> {
        let notation = Notation::new(&self.program);
        let show = |event: Option<&Event>| {
            event.map_or("nothing".to_owned(), |event| {
                format!("{} ({event:?})", notation.event(event))
            })
        };
        let count = seen.events.len().max(expected.events.len());
        for index in 0..count {
            let (seen, expected) = (seen.events.get(index), expected.events.get(index));
            if seen != expected {
                let (seen, expected) = (show(seen), show(expected));
                return Some(format!("event {index} is {seen}\nexpected:  {expected}"));
            }
        }
        let (outcome, ending) = match &expected.outcome {
            Outcome::Value(value) => (format!("{value}"), Ending::Returned),
            Outcome::Exception(Exception { class, reason }) => {
                (format!("{class}: {reason}"), Ending::Raised)
            }
        };
        let seen_outcome = match &seen.outcome {
            worker::Outcome::Ok(value) => value.clone(),
            worker::Outcome::Exception { class, reason, .. } => format!("{class}: {reason}"),
            worker::Outcome::Timeout
            | worker::Outcome::Killed
            | worker::Outcome::WorkerDied
            | worker::Outcome::Deadlock { .. }
            | worker::Outcome::Steps
            | worker::Outcome::Blocked(_) => format!("{:?}", seen.outcome),
        };
        if (&seen_outcome, seen.ending) != (&outcome, ending) {
            return Some(format!(
                "the outcome is {seen_outcome} ({:?})\nexpected:      {outcome} ({ending:?})",
                seen.ending
            ));
        }
        None
    }

    /// Everything that helps to see what went wrong in a run.
    fn report(&self, entry: (usize, usize), arguments: &[Term], difference: &str) -> String {
        let (module, function) = self.function(entry);
        let arguments: Vec<String> = arguments.iter().map(Term::to_string).collect();
        let arguments = arguments.join(",");
        let mut report = reachable(&self.modules, entry);
        let name = &function.name;
        // Writing to a string cannot fail.
        let _ = writeln!(report, "\n{module}:{name}({arguments})\n{difference}");
        report
    }
}

/// Payloads as this program writes them: terms have more than one external form.
fn normalised(mut event: Event) -> Event {
    if let EventKind::Raised(Some(payload)) = &mut event.kind {
        let term = payload.term().expect("the payload is a term");
        *payload = Payload(encode(&term).into());
    }
    event
}

/// The text of the functions that a function can reach.
fn reachable(modules: &[Module], entry: (usize, usize)) -> String {
    let numbers: HashMap<(&Atom, &FunctionId), (usize, usize)> = modules
        .iter()
        .enumerate()
        .flat_map(|(number, module)| {
            let functions = module.functions.iter().enumerate();
            functions.map(move |(index, function)| ((&module.name, &function.id), (number, index)))
        })
        .collect();
    let mut found = BTreeSet::from([entry]);
    let mut waiting = vec![entry];
    while let Some((number, index)) = waiting.pop() {
        let Some(module) = modules.get(number) else {
            continue;
        };
        let blocks = module.functions.get(index).map(|function| &function.blocks);
        let blocks = blocks.into_iter().flatten();
        for statement in blocks.flat_map(|block| &block.statements) {
            let callee = callee(&module.name, &statement.operation);
            let callee = callee.and_then(|(module, id)| numbers.get(&(&module, &id)).copied());
            waiting.extend(callee.filter(|callee| found.insert(*callee)));
        }
    }
    let mut text = String::new();
    for (number, module) in modules.iter().enumerate() {
        let mut part = module.clone();
        let mut index = 0;
        part.functions.retain(|_| {
            index += 1;
            found.contains(&(number, index - 1))
        });
        if !part.functions.is_empty() {
            part.exports.clear();
            text.push_str(&print_module(
                &to_ast(&part, TailForm::Bound),
                Detail::Readable,
            ));
        }
    }
    text
}

fn callee(module: &Atom, operation: &Operation) -> Option<(Atom, FunctionId)> {
    if let Operation::Apply { operator, .. } = operation
        && let Value::Function(function) = operator
        && let FunctionRef::Module(id) = &**function
    {
        return Some((module.clone(), id.clone()));
    }
    if let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    {
        let atom = |value: &Value| value.as_literal()?.as_atom().map(Atom::new);
        let arity = u32::try_from(arguments.len()).ok()?;
        let name = atom(name)?;
        return Some((atom(module)?, FunctionId { name, arity }));
    }
    None
}

fn flat_module(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    flatten(module).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// What the programs and inputs of a test exercise.
#[derive(Debug, Default)]
struct Tally {
    functions: usize,
    runs: usize,
    events: usize,
    /// Runs that call something.
    calling: usize,
    raising: usize,
    /// Runs in which a built-in raises.
    failing: usize,
    longest: usize,
}

impl Tally {
    fn add(&mut self, execution: &Execution) {
        let has = |kind: fn(&EventKind) -> bool| {
            usize::from(execution.events.iter().any(|event| kind(&event.kind)))
        };
        self.runs += 1;
        self.events += execution.events.len();
        self.longest = self.longest.max(execution.events.len());
        self.calling += has(|kind| *kind == EventKind::Call);
        self.raising += has(|kind| matches!(kind, EventKind::Raised(_)));
        self.failing += has(|kind| matches!(kind, EventKind::Raised(Some(_))));
    }
}

/// Runs random programs on the BEAM and in the semantics.
#[track_caller]
fn random_programs_have_the_events_of_the_semantics(
    seed: u64,
    language: Language,
    wire: Wire,
) -> Tally {
    let mut random = Random::new(seed);
    let shape = Shape { language, ..SHAPE };
    let texts = random_programs::modules(&mut random, shape);
    let modules: Vec<Module> = texts.iter().map(|text| flat_module(text)).collect();
    let semantics = Semantics::new(&modules);
    let mut bench = Bench::new(modules.clone(), wire);
    let mut tally = Tally::default();
    // The one with the fewest events is the easiest to read.
    let mut failures = 0;
    let mut smallest: Option<(usize, String)> = None;
    for (number, module) in modules.iter().enumerate() {
        for (index, function) in module.functions.iter().enumerate() {
            let entry = (number, index);
            let mut runs = 0;
            for _ in 0..DRAWN {
                if runs == INPUTS {
                    tally.functions += 1;
                    break;
                }
                let input = random_programs::input(&mut random, function.fun.parameters.len());
                let Some(expected) = semantics.execute(entry, input.clone(), BOUNDS) else {
                    continue;
                };
                runs += 1;
                tally.add(&expected);
                let seen = bench.run(entry, &input);
                let difference = match &seen {
                    Ok(seen) => bench.difference(seen, &expected),
                    Err(error) => Some(error.clone()),
                };
                let Some(difference) = difference else {
                    continue;
                };
                failures += 1;
                let size = expected.events.len();
                if smallest.as_ref().is_none_or(|(known, _)| size < *known) {
                    smallest = Some((size, bench.report(entry, &input, &difference)));
                }
            }
        }
    }
    if let Some((_, report)) = smallest {
        panic!(
            "{failures} of {} runs differ, such as:\n{report}",
            tally.runs
        );
    }
    tally
}

#[track_caller]
fn check(seed: u64, language: Language, wire: Wire) {
    let tally = random_programs_have_the_events_of_the_semantics(seed, language, wire);
    assert!(tally.functions >= 300, "{tally:?}");
    // The generator still makes programs that call, raise and run for a while.
    assert!(tally.calling >= tally.runs / 2, "{tally:?}");
    assert!(tally.events >= 10 * tally.runs, "{tally:?}");
    assert!(tally.raising >= 100, "{tally:?}");
    let is_failing = tally.failing >= 100;
    assert_eq!(is_failing, language == Language::WithBuiltIns, "{tally:?}");
    assert!(tally.longest <= BOUNDS.events, "{tally:?}");
}

#[test]
fn full_log_of_the_paper_s_language() {
    check(1, Language::Paper, Wire::Full);
}

#[test]
fn lean_log_of_the_paper_s_language() {
    check(1, Language::Paper, Wire::Lean);
}

#[test]
fn full_log_with_built_ins() {
    check(2, Language::WithBuiltIns, Wire::Full);
}

#[test]
fn lean_log_with_built_ins() {
    check(2, Language::WithBuiltIns, Wire::Lean);
}

// ---- The paper's own program

fn figure_5() -> Module {
    let path = package_path("../samples/paper/figure5.core");
    flat_module(&std::fs::read_to_string(path).expect("the sample is there"))
}

/// The index of `main/1`.
const MAIN: (usize, usize) = (0, 0);

const EXAMPLE_2: [&str; 9] = [
    "call([X],[W],W,[X,X])",
    "case([X,Y],[W1,W2],2,X,[H|T],[(1,X,[]),(2,X,[H|T])])",
    "call([X,Y],[W1,W2],W2,[T,Y])",
    "case([X,Y],[W1,W2],1,X,[],[(1,X,[]),(2,X,[H|T])])",
    "exitcase([X,Y],[W1,W2],W1,Y)",
    "exit([X,Y],[W1,W2],W1)",
    "exitcase([X,Y],[W1,W2],W1,[H|W2])",
    "exit([X,Y],[W1,W2],W1)",
    "exit([X],[W],W)",
];

#[test]
fn figure_5_has_the_events_of_example_2() {
    for wire in [Wire::Full, Wire::Lean] {
        let mut bench = Bench::new(vec![figure_5()], wire);
        let input = [Term::list([Term::atom("a")])];
        let seen = bench.run(MAIN, &input).expect("the log can be read");
        let notation = Notation::new(&bench.program);
        let events: Vec<String> = seen
            .events
            .iter()
            .map(|event| notation.event(event))
            .collect();
        assert_eq!(events, EXAMPLE_2, "{wire:?}");
        assert_eq!(seen.outcome, worker::Outcome::Ok("[a,a]".to_owned()));
        assert_eq!(seen.ending, Ending::Returned);
    }
}

#[test]
fn the_semantics_has_the_events_of_example_2() {
    let modules = [figure_5()];
    let program = Program::new(modules.iter().map(|it| (it.clone(), it.name.clone())));
    let notation = Notation::new(&program);
    let input = vec![Term::list([Term::atom("a")])];
    let execution = Semantics::new(&modules).execute(MAIN, input, BOUNDS);
    let execution = execution.expect("it is within bounds");
    let events = execution.events.iter();
    let events: Vec<String> = events.map(|event| notation.event(event)).collect();
    assert_eq!(events, EXAMPLE_2);
}

#[test]
fn figure_5_on_a_long_list() {
    const LENGTH: usize = 3000;
    let modules = vec![figure_5()];
    let input = [Term::list((0..LENGTH).map(|_| Term::atom("a")))];
    let bounds = Bounds {
        events: 5 * LENGTH,
        parts: 3 * LENGTH,
    };
    let expected = Semantics::new(&modules).execute(MAIN, input.to_vec(), bounds);
    let expected = expected.expect("it is within bounds");
    assert_eq!(expected.events.len(), 4 * LENGTH + 5);
    for wire in [Wire::Full, Wire::Lean] {
        let mut bench = Bench::new(modules.clone(), wire);
        let seen = bench.run(MAIN, &input).expect("the log can be read");
        let difference = bench.difference(&seen, &expected);
        assert_eq!(difference, None, "{wire:?}");
    }
}

/// On the way back from the recursion the same call of `tl` returns twice, then raises.
#[test]
fn a_built_in_raises_where_it_returned_before() {
    let modules = vec![flat_module(
        "module 'shorter' ['main'/2]
             attributes []
         'main'/2 =
             fun (L,A) ->
                 case L of
                     <[H|T]> when 'true' ->
                         let <R> = apply 'main'/2(T,A) in call 'erlang':'tl'(R)
                     <X> when 'true' -> A
                 end
         end",
    )];
    let list = |length: usize| Term::list((0..length).map(|_| Term::atom("a")));
    let semantics = Semantics::new(&modules);
    for wire in [Wire::Full, Wire::Lean] {
        let mut bench = Bench::new(modules.clone(), wire);
        for (length, rest) in [(2, 2), (3, 2), (5, 2), (3, 0)] {
            let input = [list(length), list(rest)];
            let expected = semantics.execute(MAIN, input.to_vec(), BOUNDS);
            let expected = expected.expect("it is within bounds");
            let seen = bench.run(MAIN, &input).expect("the log can be read");
            assert_eq!(
                bench.difference(&seen, &expected),
                None,
                "{wire:?}, {length}, {rest}"
            );
        }
    }
}
