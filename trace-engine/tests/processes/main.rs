//! Replaying runs of several processes, from logs that are written here.

mod courses;
mod writer;

use erlang_term::Term;
use flattener::flat::Callable;
use proptest::prelude::*;
use solver::ReleaseRules;
use solver::graph::Words;
use trace_engine::{
    Bounds, Noted, ReceiveTimeout, ReplayError, Replayed, Rest, RunEvent, RunEventKind, replay_run,
};
use trace_format::{Ending, ProcessLogs, Program, RunLog, TakenLease, Wire};

use writer::{Writer, atom, integer, pid, program, receive, tagged};

fn replayed(program: &Program, value: i64, logs: &ProcessLogs) -> Result<Replayed, ReplayError> {
    let log = RunLog::new(program, Wire::Lean, logs.entry(), Some((0, 0)));
    let bounds = Bounds {
        max_decisions: usize::MAX,
        max_decisions_of_several: usize::MAX,
        rest: Rest::Coverage,
    };
    let arguments = [Term::Integer(value.into())];
    let rules = ReleaseRules::default();
    replay_run(
        &log,
        logs,
        &rules,
        &arguments,
        Noted::default(),
        bounds,
        &|| false,
    )
}

/// The events, one in each line, with the conditions of decisions.
fn events(run: &Replayed) -> String {
    let lines = run.events.iter().enumerate();
    let lines = lines.map(|(number, event)| format!("{number:2} {}\n", text(run, event)));
    lines.collect()
}

fn text(run: &Replayed, event: &RunEvent) -> String {
    let what = match &event.kind {
        RunEventKind::Decision(number) => {
            let decision = run.decisions.get(*number).expect("it is one of the run");
            let names = ["X".to_owned()];
            let conditions = decision.conditions(decision.taken);
            format!(
                "decides {}",
                Words::new(&run.graph, &names, 100).conditions(&conditions)
            )
        }
        RunEventKind::Step(accesses) => format!("step with {} accesses", accesses.len()),
        RunEventKind::Send {
            to,
            arrives,
            accesses,
        } => {
            let how = if *arrives { "sends" } else { "posts" };
            format!("{how} to {to} with {} accesses", accesses.len())
        }
        RunEventKind::Deliver { to } => format!("delivers to {to}, behind {:?}", event.behind),
        RunEventKind::Spawn { child } => format!("spawns {child}"),
        RunEventKind::Look {
            receive,
            send,
            takes,
        } => {
            let what = if *takes { "takes" } else { "skips" };
            format!("receive {receive} {what} message {send}")
        }
        RunEventKind::Timeout { receive } => {
            format!("receive {receive} times out, waits: {}", event.waits)
        }
        RunEventKind::End => "ends".to_owned(),
    };
    format!("process {} {what}", event.process)
}

/// Two processes send to the first one, which takes one message, and looks into it.
fn two_senders() -> Program {
    let receive = receive(
        "<{'a', Z}> when call 'erlang':'>'(Z, 10) -> do primop 'remove_message'() {'a', Z}
         <{'b', Z2}> when 'true' -> do primop 'remove_message'() {'b', Z2}",
        "'infinity'",
        "'true'",
    );
    program(&format!(
        "'f'/1 = fun (X) ->
          let <S> = call 'erlang':'self'() in
          let <F> = fun () -> call 'erlang':'!'(S, {{'a', X}}) in
          do call 'erlang':'spawn'(F)
          do call 'erlang':'spawn'('m', 'g', [S, X])
          case {receive} of
            <{{'b', 7}}> when 'true' -> 'seven'
            <Else> when 'true' -> 'other'
          end
        'g'/2 = fun (To, Y) -> call 'erlang':'!'(To, {{'b', Y}})"
    ))
}

/// Its logs, if the first process takes the message of the sender with this number.
fn two_senders_logs(
    program: &Program,
    value: i64,
    sender: u32,
    leases: &[(usize, u32)],
) -> ProcessLogs {
    let first = Writer::new(program)
        .returned("self", 0, &pid(0))
        .returned("spawn", 0, &pid(1))
        .returned("spawn", 1, &pid(2));
    let tag = if sender == 0 { "a" } else { "b" };
    let ending = u32::from((tag, value) != ("b", 7));
    let first = first
        .chose(0, 0)
        .chose(1, sender)
        .returned("remove_message", sender as usize, &tagged(tag, value))
        .chose(3, ending);
    let a = Writer::new(program)
        .entered_fun(0, &[])
        .returned("!", 0, &tagged("a", value));
    let b = Writer::new(program)
        .entered_function(1, &[pid(0), integer(value)])
        .returned("!", 1, &tagged("b", value));
    ProcessLogs::new(vec![first.bytes, a.bytes, b.bytes], leases.to_vec())
}

/// The same, with deliveries.
fn delivered(
    program: &Program,
    sender: u32,
    leases: &[TakenLease],
) -> Result<Replayed, ReplayError> {
    let logs = two_senders_logs(program, 20, sender, &[]);
    let logs: Vec<Vec<u8>> = (0..3).map(|it| logs.process(it).to_vec()).collect();
    replayed(program, 20, &ProcessLogs::new(logs, leases.iter().copied()))
}

fn two_senders_run(value: i64, sender: u32, leases: &[(usize, u32)]) -> Replayed {
    let program = two_senders();
    let logs = two_senders_logs(&program, value, sender, leases);
    replayed(&program, value, &logs).expect("the logs fit")
}

#[test]
fn the_receiver_decides_about_the_input_of_the_sender() {
    let run = two_senders_run(20, 0, &[(0, 2), (1, 2), (2, 2), (0, 1)]);
    insta::assert_snapshot!(events(&run));
    assert_eq!(run.ending, Ending::Returned);
    assert!(run.opaque.is_empty() && run.uncontrolled.is_empty() && !run.is_cut());
}

#[test]
fn a_message_that_is_skipped_for_this_input_is_a_decision() {
    let run = two_senders_run(7, 1, &[(0, 2), (1, 2), (2, 2), (0, 1)]);
    insta::assert_snapshot!(events(&run));
}

#[test]
fn the_first_message_that_matches_is_taken() {
    let run = two_senders_run(20, 1, &[(0, 2), (2, 2), (1, 2), (0, 1)]);
    insta::assert_snapshot!(events(&run));
}

#[test]
fn a_message_is_in_the_mailbox_when_it_is_delivered() {
    let program = two_senders();
    let leases = [
        TakenLease::Steps(0, 2),
        TakenLease::Steps(1, 2),
        TakenLease::Steps(2, 2),
        TakenLease::Deliveries(2, 0, 1),
        TakenLease::Deliveries(1, 0, 1),
        TakenLease::Steps(0, 1),
    ];
    let run = delivered(&program, 1, &leases).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    assert_eq!(run.channels, [(1, 0), (2, 0)]);
    assert!(run.opaque.is_empty() && run.uncontrolled.is_empty() && !run.is_cut());
}

#[test]
fn messages_that_were_not_sent_are_not_delivered() {
    let program = two_senders();
    for leases in [
        [TakenLease::Steps(0, 2), TakenLease::Deliveries(1, 0, 1)],
        [TakenLease::Steps(0, 2), TakenLease::Deliveries(7, 9, 1)],
    ] {
        let replayed = delivered(&program, 1, &leases);
        assert!(matches!(replayed, Err(ReplayError::Leases { .. })));
    }
}

#[test]
fn processes_have_paths_and_entries() {
    let run = two_senders_run(20, 0, &[(0, 2), (1, 2), (2, 2), (0, 1)]);
    let processes = run.processes.iter();
    let processes: Vec<_> = processes
        .map(|it| (it.path.to_string(), it.entry, it.ending, it.waits_at))
        .collect();
    let fun = run.processes[1].entry.map(|it| it.1);
    assert!(matches!(fun, Some(Callable::Fun(_))), "{fun:?}");
    let function = |index| Some((0, Callable::Function(index)));
    let returned = Ending::Returned;
    assert_eq!(processes[0], ("0".to_owned(), function(0), returned, None));
    assert_eq!(
        processes[2],
        ("0.2".to_owned(), function(1), returned, None)
    );
    assert_eq!(processes[1].0, "0.1");
}

#[test]
fn only_messages_that_some_input_lets_match_might_match() {
    let receive = receive(
        "<{'a', K}> when call 'erlang':'=:='(K, X) -> do primop 'remove_message'() K",
        "0",
        "'late'",
    );
    let program = program(&format!(
        "'f'/1 = fun (X) ->
          let <S> = call 'erlang':'self'() in
          let <F> = fun () ->
            do call 'erlang':'!'(S, {{'a', 1}})
            do call 'erlang':'!'(S, {{'b', X}})
            call 'erlang':'!'(S, {{'a', 'no', X}}) in
          do call 'erlang':'spawn'(F)
          {receive}"
    ));
    let first = Writer::new(&program)
        .returned("self", 0, &pid(0))
        .returned("spawn", 0, &pid(1))
        .chose(0, 1)
        .chose(2, 0);
    let second = Writer::new(&program)
        .entered_fun(0, &[])
        .returned("!", 0, &tagged("a", 1))
        .returned("!", 1, &tagged("b", 5))
        .returned("!", 2, &atom("unused"));
    let logs = vec![first.bytes, second.bytes];
    let early = ProcessLogs::new(logs.clone(), vec![(0, 3), (1, 4)]);
    let mut run = replayed(&program, 5, &early).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    assert_eq!(run.receives.len(), 1);
    assert_eq!(run.receives[0].timeout, ReceiveTimeout::Zero);
    let sends = (0..run.events.len()).filter(|it| is_send(&run.events[*it]));
    let sends: Vec<usize> = sends.collect();
    let might = sends.iter().map(|send| run.might_match(&program, 0, *send));
    assert_eq!(might.collect::<Vec<_>>(), [true, false, false]);

    let late = ProcessLogs::new(logs, vec![(0, 1), (1, 4), (0, 2)]);
    let run = replayed(&program, 5, &late).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
}

fn is_send(event: &RunEvent) -> bool {
    matches!(event.kind, RunEventKind::Send { .. })
}

/// A process that waits for a message which does not come for this input.
#[test]
fn a_process_that_waits_for_ever_has_looked_at_all_messages() {
    let receive = receive(
        "<7> when 'true' -> do primop 'remove_message'() 'seven'",
        "'infinity'",
        "'true'",
    );
    let program = program(&format!(
        "'f'/1 = fun (X) ->
          let <F> = fun () -> {receive} in
          let <P> = call 'erlang':'spawn'(F) in
          call 'erlang':'!'(P, X)"
    ));
    let first = Writer::new(&program)
        .returned("spawn", 0, &pid(1))
        .returned("!", 0, &integer(5));
    let second = Writer::new(&program).entered_fun(0, &[]);
    let logs = vec![first.bytes, second.bytes];
    let logs = ProcessLogs::new(logs, vec![(0, 3)]);
    let run = replayed(&program, 5, &logs).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    assert_eq!(run.processes[1].ending, Ending::Open);
    assert!(run.processes[1].waits_at.is_some());
    assert_eq!(run.receives[0].process, 1);
    assert!(!run.is_cut());
}

#[test]
fn leases_that_do_not_fit_are_refused() {
    let program = two_senders();
    let problem = |leases: &[(usize, u32)]| {
        let logs = two_senders_logs(&program, 20, 0, leases);
        let refused = replayed(&program, 20, &logs).expect_err("they do not fit");
        refused.to_string()
    };
    let text = "the schedule of the run does not fit the log of process";
    assert_eq!(
        problem(&[(0, 2), (1, 4), (2, 2), (0, 1)]),
        format!("{text} 1: it made fewer steps")
    );
    assert_eq!(
        problem(&[(0, 2), (3, 1)]),
        format!("{text} 3: nobody spawned it")
    );
    assert_eq!(
        problem(&[(0, 2), (1, 2), (0, 1)]),
        format!("{text} 2: it made more steps")
    );
}

/// Leases of one process may be cut into pieces.
#[test]
fn short_leases_give_the_same_events() {
    let long = two_senders_run(20, 0, &[(0, 2), (1, 2), (2, 2), (0, 1)]);
    let short = two_senders_run(
        20,
        0,
        &[(0, 1), (0, 1), (1, 1), (1, 1), (2, 1), (2, 1), (0, 1)],
    );
    assert_eq!(long.events, short.events);
}

#[test]
fn without_leases_only_the_first_process_is_replayed() {
    let program = two_senders();
    let logs = two_senders_logs(&program, 20, 0, &[]);
    let run = replayed(&program, 20, &logs).expect("the log fits");
    assert!(run.events.is_empty() && run.processes.is_empty() && run.receives.is_empty());
    assert!(!run.opaque.is_empty());
}

/// Messages to a name, and what the name and a table have to do with it.
#[test]
fn names_and_tables_are_touched() {
    let program = program(
        "'f'/1 = fun (X) ->
          let <S> = call 'erlang':'self'() in
          do call 'erlang':'register'('me', S)
          let <T> = call 'ets':'new'('t', ['named_table',{'keypos', 2}]) in
          let <F> = fun () ->
            do call 'ets':'insert'('t', {'v', 'k'})
            do call 'erlang':'!'('me', X)
            call 'erlang':'!'('you', X) in
          do call 'erlang':'spawn'(F)
          call 'ets':'lookup'(T, 'k')",
    );
    let first = Writer::new(&program)
        .returned("self", 0, &pid(0))
        .returned("register", 0, &atom("true"))
        .returned("new", 0, &atom("t"))
        .returned("spawn", 0, &pid(1))
        .returned("lookup", 0, &atom("unused"));
    let second = Writer::new(&program)
        .entered_fun(0, &[])
        .returned("insert", 0, &atom("true"))
        .returned("!", 0, &integer(5))
        .raised("!", 1, "badarg");
    let logs = vec![first.bytes, second.bytes];
    let logs = ProcessLogs::new(logs, vec![(0, 3), (1, 4), (0, 2)]);
    let run = replayed(&program, 5, &logs).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    let conflict = |one: usize, other: usize| {
        let (one, other) = (&run.events[one], &run.events[other]);
        let mut pairs = one
            .accesses()
            .flat_map(|it| other.accesses().map(move |to| (it, to)));
        pairs.any(|(one, other)| one.conflicts_with(other))
    };
    let (register, new, insert, to_me, to_you, lookup, end) = (0, 1, 3, 4, 5, 7, 8);
    assert!(conflict(insert, lookup) && conflict(new, insert) && conflict(new, lookup));
    assert!(conflict(register, to_me) && !conflict(register, to_you));
    // The process of the entry function keeps its names and tables.
    assert!(!conflict(end, to_me) && !conflict(end, insert) && !conflict(end, to_you));
    assert!(!conflict(insert, to_me) && !conflict(to_me, to_you));
}

/// What a process puts into a table is symbolic for those who find it there.
#[test]
fn tables_hold_symbolic_values() {
    let program = program(
        "'f'/1 = fun (X) ->
          let <T> = call 'ets':'new'('t', ['public']) in
          let <F> = fun () -> call 'ets':'insert'(T, [{'k', X},{X, 1}]) in
          do call 'erlang':'spawn'(F)
          do call 'ets':'update_counter'(T, 'k', 3)
          case call 'ets':'lookup'(T, 'k') of
            <[{Key, 8}]> when 'true' -> 'eight'
            <Other> when 'true' -> 'other'
          end",
    );
    let table = b"\x83\x5a\x00\x01\x77\x0ferlconcolic@run\0\0\0\0\0\0\0\x07";
    let row = Term::Tuple(vec![Term::atom("k"), Term::Integer(8.into())]);
    let first = Writer::new(&program)
        .returned("new", 0, table)
        .returned("spawn", 0, &pid(1))
        .returned("update_counter", 0, &integer(8))
        .returned("lookup", 0, &erlang_term::encode(&Term::list([row])))
        .chose(0, 0);
    let second = Writer::new(&program)
        .entered_fun(0, &[])
        .returned("insert", 0, &atom("true"));
    let logs = vec![first.bytes, second.bytes];
    let logs = ProcessLogs::new(logs, vec![(0, 2), (1, 2), (0, 3)]);
    let run = replayed(&program, 5, &logs).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    assert!(run.opaque.is_empty(), "{:?}", run.opaque);
}

/// A step that calls followed code comes before what that code does.
#[test]
fn a_step_that_calls_back_is_made_before() {
    let program = program(
        "'f'/1 = fun (X) ->
          let <F> = fun () -> 'ok' in
          let <P> = call 'erlang':'spawn'(F) in
          let <G> = fun (Command) -> call 'erlang':'!'(P, X) in
          call 'ets':'init_table'('t', G)",
    );
    let first = Writer::new(&program)
        .returned("spawn", 0, &pid(1))
        .entered_fun(1, &[atom("read")])
        .returned("!", 0, &integer(5))
        .returned("init_table", 0, &atom("true"));
    let second = Writer::new(&program).entered_fun(0, &[]);
    let logs = vec![first.bytes, second.bytes];
    let logs = ProcessLogs::new(logs, vec![(0, 2), (1, 1), (0, 2)]);
    let run = replayed(&program, 5, &logs).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
}

/// Sleeping is a `receive` that takes nothing.
#[test]
fn a_process_sleeps_until_nobody_can_go_on() {
    let program = program(
        "'f'/1 = fun (X) ->
          let <F> = fun () -> call 'timer':'sleep'('infinity') in
          do call 'erlang':'spawn'(F)
          call 'timer':'sleep'(X)",
    );
    let first = Writer::new(&program)
        .returned("spawn", 0, &pid(1))
        .returned("sleep", 1, &atom("ok"));
    let second = Writer::new(&program).entered_fun(0, &[]);
    let logs = vec![first.bytes, second.bytes];
    let logs = ProcessLogs::new(logs, vec![(0, 3)]);
    let run = replayed(&program, 5, &logs).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    let timeouts: Vec<ReceiveTimeout> = run.receives.iter().map(|it| it.timeout).collect();
    assert_eq!(timeouts, [ReceiveTimeout::Later, ReceiveTimeout::Never]);
    assert!(!run.is_cut() && run.processes[1].waits_at.is_some());
}

/// The log of a `receive` of older compilers holds only its clause.
#[test]
fn the_receive_of_older_compilers_takes_symbolic_messages() {
    let program = program(
        "'f'/1 = fun (X) ->
          let <S> = call 'erlang':'self'() in
          let <F> = fun () -> call 'erlang':'!'(S, {'a', X}) in
          let <G> = fun () -> call 'erlang':'!'(S, {'b', X}) in
          do call 'erlang':'spawn'(F)
          do call 'erlang':'spawn'(G)
          let <Y> = receive
              <{'a', 1}> when 'true' -> 'one'
              <{'b', Z}> when 'true' -> Z
            after 100 -> 'late'
          in case Y of
            <9> when 'true' -> 'nine'
            <Else> when 'true' -> 'other'
          end",
    );
    let spawned = || {
        Writer::new(&program)
            .returned("self", 0, &pid(0))
            .returned("spawn", 0, &pid(1))
            .returned("spawn", 1, &pid(2))
    };
    let sender = |number: usize, tag| {
        Writer::new(&program)
            .entered_fun(number, &[])
            .returned("!", number, &tagged(tag, 5))
            .bytes
    };
    let senders = [sender(0, "a"), sender(1, "b")];
    let logs = |first: Writer<'_>, leases: &[(usize, u32)]| {
        let logs = [&[first.bytes][..], &senders].concat();
        ProcessLogs::new(logs, leases.to_vec())
    };
    let taken = spawned().received(0, 1).chose(0, 1);
    let taken = logs(taken, &[(0, 2), (1, 2), (2, 2), (0, 1)]);
    let run = replayed(&program, 5, &taken).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
    let late = spawned().received(0, 2).chose(0, 1);
    let late = logs(late, &[(0, 2), (1, 2), (0, 2), (2, 2)]);
    let run = replayed(&program, 5, &late).expect("the logs fit");
    insta::assert_snapshot!(events(&run));
}

proptest! {
    /// Logs and leases that are damaged or made up are refused or replayed, and never bring the
    /// engine down.
    #[test]
    fn damaged_runs_do_no_harm(
        made_up in prop::collection::vec(0..40_u8, 0..20),
        cut in 0..60_usize,
        which in 0..3_usize,
        leases in prop::collection::vec((0..4_usize, 0..4_u32), 1..6),
    ) {
        let program = two_senders();
        let whole = two_senders_logs(&program, 20, 0, &[]);
        let mut logs: Vec<Vec<u8>> = (0..3).map(|it| whole.process(it).to_vec()).collect();
        logs[which].truncate(cut);
        logs[which].extend(made_up);
        let logs = ProcessLogs::new(logs, leases);
        let run = replayed(&program, 20, &logs);
        if let Ok(run) = run {
            let decisions = run.events.iter();
            let decisions = decisions.filter(|it| matches!(it.kind, RunEventKind::Decision(_)));
            prop_assert_eq!(decisions.count(), run.decisions.len());
        }
    }
}
