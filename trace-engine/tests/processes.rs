//! Replaying runs of several processes, from logs that are written here.

use erlang_term::{Atom, Term, encode};
use flattener::flat::{Operation, SiteId, Statement};
use flattener::{flatten, parse_module};
use solver::ReleaseRules;
use trace_engine::{Bounds, ReplayError, Replayed, Rest, RunEventKind, replay_run};
use trace_format::{ENTER, ProcessLogs, Program, RunLog, Wire, encode_number, offset};

/// Two processes send to the first one, which takes the message of `a` or `b`, and then compares
/// what is in it.
const TWO_SENDERS: &str = "
module 'm' ['f'/1] attributes []
'f'/1 = fun (X) ->
  let <S> = call 'erlang':'self'() in
  let <F> = fun () -> call 'erlang':'!'(S, {'a', X}) in
  let <G> = fun () -> call 'erlang':'!'(S, {'b', X}) in
  do call 'erlang':'spawn'(F)
  do call 'erlang':'spawn'(G)
  let <Y> =
    ( letrec 'recv$^0'/0 = fun () ->
        let <Is, M> = primop 'recv_peek_message'() in
        case Is of
          <'true'> when 'true' ->
            case M of
              <{'a', Z}> when call 'erlang':'>'(Z, 10) -> do primop 'remove_message'() {'a', Z}
              <{'b', Z2}> when 'true' -> do primop 'remove_message'() {'b', Z2}
              <Other> when 'true' -> do primop 'recv_next'() apply 'recv$^0'/0()
            end
          <'false'> when 'true' ->
            let <T> = primop 'recv_wait_timeout'('infinity') in
            case T of
              <'true'> when 'true' -> 'true'
              <'false'> when 'true' -> apply 'recv$^0'/0()
            end
        end
      in apply 'recv$^0'/0()
      -| ['letrec_goto','no_inline'] )
  in case Y of
       <{'b', 7}> when 'true' -> 'seven'
       <Else> when 'true' -> 'other'
     end
end";

fn program(text: &str) -> Program {
    let module = parse_module(text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    let name = Atom::new(flat.name.as_str());
    Program::new([(flat, name)])
}

/// Writes the log of a process.
struct Writer<'program> {
    program: &'program Program,
    bytes: Vec<u8>,
}

impl<'program> Writer<'program> {
    fn new(program: &'program Program) -> Self {
        Self {
            program,
            bytes: Vec::new(),
        }
    }

    /// The n-th statement, from 0, for which something holds.
    fn site(&self, number: usize, is_it: impl Fn(&Statement) -> bool) -> SiteId {
        let module = &self.program.modules()[0];
        let mut statements: Vec<&Statement> = module.flat.statements().collect();
        statements.sort_by_key(|statement| statement.site);
        let mut found = statements.into_iter().filter(|it| is_it(it));
        found.nth(number).expect("there is such a statement").site
    }

    fn item(mut self, site: SiteId, offset: u32) -> Self {
        let numbering = &self.program.modules()[0].numbering;
        self.bytes
            .extend(encode_number(numbering.number(site, offset)));
        self
    }

    fn payload(mut self, bytes: &[u8]) -> Self {
        let length = u32::try_from(bytes.len()).expect("it is short");
        self.bytes.extend(encode_number(length));
        self.bytes.extend(bytes);
        self
    }

    /// The n-th call of a function returned these bytes.
    fn returned(self, name: &str, number: usize, bytes: &[u8]) -> Self {
        let site = self.site(number, |it| calls(it, name));
        self.item(site, offset::RESULT).payload(bytes)
    }

    /// The n-th case chose a clause, from 0.
    fn chose(self, number: usize, clause: u32) -> Self {
        let site = self.site(number, |it| matches!(it.operation, Operation::Case { .. }));
        self.item(site, offset::CLAUSE + clause)
    }

    /// The n-th function of a `letrec` is called.
    fn applied(self, number: usize) -> Self {
        let site = self.site(number, |it| matches!(it.operation, Operation::Apply { .. }));
        let plan = &self.program.modules()[0].plan;
        if plan.is_on_lean_wire(site) {
            self.item(site, offset::CALL)
        } else {
            self
        }
    }

    /// The n-th fun is entered from outside, without arguments.
    fn entered(mut self, number: usize) -> Self {
        let site = self.site(number, |it| matches!(it.operation, Operation::Fun(_)));
        let numbers = [ENTER, 0, site.0 * 2 + 1, 1];
        self.bytes
            .extend(numbers.into_iter().flat_map(encode_number));
        self.payload(&encode(&Term::list([])))
    }
}

fn calls(statement: &Statement, wanted: &str) -> bool {
    match &statement.operation {
        Operation::Call { name, .. } => {
            name.as_literal().and_then(|name| name.as_atom()) == Some(wanted)
        }
        Operation::Primop { name, .. } => name.as_str() == wanted,
        _ => false,
    }
}

/// The pid of a process of the run.
fn pid(number: u32) -> Vec<u8> {
    let mut bytes = b"\x83\x58\x77\x0ferlconcolic@run".to_vec();
    bytes.extend(number.to_be_bytes());
    bytes.extend([0; 8]);
    bytes
}

fn message(tag: &str, value: i64) -> Vec<u8> {
    encode(&Term::Tuple(vec![
        Term::atom(tag),
        Term::Integer(value.into()),
    ]))
}

/// Which message the first process takes.
#[derive(Clone, Copy, PartialEq)]
enum Taken {
    A,
    B,
    Nothing,
}

/// The logs of a run of `TWO_SENDERS`.
fn logs(program: &Program, value: i64, taken: Taken, leases: Vec<(usize, u32)>) -> ProcessLogs {
    let first = Writer::new(program)
        .returned("self", 0, &pid(0))
        .returned("spawn", 0, &pid(1))
        .returned("spawn", 1, &pid(2));
    let calls = first.site(0, |it| matches!(it.operation, Operation::Apply { .. }));
    let _ = calls;
    let first = first.applied(2);
    let first = match taken {
        Taken::A => first
            .chose(0, 0)
            .chose(1, 0)
            .returned("remove_message", 0, &message("a", value))
            .chose(3, 1),
        Taken::B => first
            .chose(0, 0)
            .chose(1, 1)
            .returned("remove_message", 1, &message("b", value))
            .chose(3, u32::from(value != 7)),
        Taken::Nothing => first,
    };
    let sender = |fun: usize, tag: &str| {
        Writer::new(program)
            .entered(fun)
            .returned("!", fun, &message(tag, value))
            .bytes
    };
    let logs = vec![first.bytes, sender(0, "a"), sender(1, "b")];
    ProcessLogs::with_leases(logs, leases)
}

fn replayed(program: &Program, value: i64, logs: &ProcessLogs) -> Result<Replayed, ReplayError> {
    let log = RunLog::new(program, Wire::Lean, logs.entry(), Some((0, 0)));
    let bounds = Bounds {
        max_decisions: usize::MAX,
        rest: Rest::Coverage,
    };
    let arguments = [Term::Integer(value.into())];
    replay_run(
        &log,
        logs,
        &ReleaseRules::default(),
        &arguments,
        0,
        bounds,
        &|| false,
    )
}

fn kinds(run: &Replayed) -> Vec<(usize, &RunEventKind)> {
    let events = run.events.iter();
    events.map(|it| (it.process, &it.kind)).collect()
}

#[test]
fn the_receiver_decides_about_the_input_of_the_sender() {
    let program = program(TWO_SENDERS);
    let leases = vec![(0, 2), (1, 2), (2, 2), (0, 1)];
    let logs = logs(&program, 20, Taken::A, leases);
    let run = replayed(&program, 20, &logs).expect("the logs fit");
    let paths: Vec<String> = run.processes.iter().map(|it| it.path.to_string()).collect();
    assert_eq!(paths, ["0", "0.1", "0.2"]);
    insta::assert_debug_snapshot!(kinds(&run));
    assert!(run.opaque.is_empty(), "{:?}", run.opaque);
    assert!(run.uncontrolled.is_empty(), "{:?}", run.uncontrolled);
    assert!(!run.is_cut());
}
