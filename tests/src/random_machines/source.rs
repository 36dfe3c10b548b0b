//! The source of a random machine, its model, and its sequences.

use std::fmt::Write;

use super::conditions::{DataSum, DataVariable, LARGEST};
use super::parts::{
    BugKind, ClauseBody, DataUpdate, KINDS, MachineAction, MachineClause, MachineState,
    MachineTrigger, PlayedEvent,
};

/// How long timers take, in milliseconds.
const TIMER: usize = 20;

/// The form of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceForm<'name> {
    pub(super) name: &'name str,
    /// One function for each state, or one for all.
    pub(super) uses_state_functions: bool,
    pub(super) has_specs: bool,
}

/// How events of a kind are sent.
fn sent_as(kind: usize) -> &'static str {
    match kind {
        0..=2 => "cast",
        3 | 4 => "call",
        _ => "info",
    }
}

/// A sequence, as Erlang source.
pub(super) fn sequence(events: &[PlayedEvent]) -> String {
    let events = events.iter().map(|event| match event {
        PlayedEvent::Sent { kind, x, y } => {
            format!("{{{}, {{e{kind}, {x}, {y}}}}}", sent_as(*kind))
        }
        PlayedEvent::Tick => "{cast, tick}".to_owned(),
        PlayedEvent::Timeout => "timeout".to_owned(),
        PlayedEvent::Unknown => "{info, tick}".to_owned(),
    });
    format!("{{[], [{}]}}", events.collect::<Vec<_>>().join(", "))
}

/// The source of a module with these states.
pub(super) fn source(form: SourceForm<'_>, states: &[MachineState]) -> String {
    let name = form.name;
    let callbacks: Vec<String> = match form.uses_state_functions {
        true => (0..states.len()).map(|it| format!("s{it}/3")).collect(),
        false => vec!["handle_event/4".to_owned()],
    };
    let mode = match form.uses_state_functions {
        true => "state_functions",
        false => "handle_event_function",
    };
    let mut text = format!(
        "-module({name}).\n\
         -behaviour(gen_statem).\n\
         -export([init/1, callback_mode/0]).\n\
         -export([{}]).\n\n\
         -record(data, {{a = 0 :: integer(), b = 0 :: integer(), n = 0 :: integer()}}).\n\n",
        callbacks.join(", ")
    );
    if form.has_specs {
        let kinds: Vec<String> = (0..KINDS).map(|it| format!("e{it}")).collect();
        let _ = write!(
            text,
            "-type number() :: 0..{LARGEST}.\n\
             -type content() :: {{{}, number(), number()}} | tick | number().\n\n\
             -spec init([]) -> {{ok, s0, #data{{}}}}.\n",
            kinds.join(" | ")
        );
        text = text.replace("number()", "amount()");
    }
    let _ = write!(
        text,
        "init([]) ->\n    {{ok, s0, #data{{}}}}.\n\n\
         callback_mode() ->\n    {mode}.\n"
    );
    for (number, state) in states.iter().enumerate() {
        text.push_str(&state_source(form, number, state, states));
    }
    if !form.uses_state_functions {
        text.push_str("handle_event(_, _, _, _) ->\n    keep_state_and_data.\n");
    }
    text
}

fn state_source(
    form: SourceForm<'_>,
    number: usize,
    state: &MachineState,
    states: &[MachineState],
) -> String {
    let mut text = String::from("\n");
    if form.has_specs && form.uses_state_functions {
        let _ = writeln!(
            text,
            "-spec s{number}(gen_statem:event_type(), content(), #data{{}}) ->\n\
             {:10}gen_statem:event_handler_result(atom(), #data{{}}).",
            ""
        );
    } else if form.has_specs && number == 0 {
        let _ = writeln!(
            text,
            "-spec handle_event(gen_statem:event_type(), content(), atom(), #data{{}}) ->\n\
             {:10}gen_statem:event_handler_result(atom(), #data{{}}).",
            ""
        );
    }
    for clause in &state.clauses {
        text.push_str(&clause_source(form, number, clause, states));
    }
    if form.uses_state_functions {
        let _ = writeln!(text, "s{number}(_, _, _) ->\n    keep_state_and_data.");
    }
    text
}

fn clause_source(
    form: SourceForm<'_>,
    number: usize,
    clause: &MachineClause,
    states: &[MachineState],
) -> String {
    let is_call = matches!(clause.trigger, MachineTrigger::Kind(kind) if sent_as(kind) == "call");
    let action = |it: &MachineAction| action_source(it, is_call, states);
    let body = match &clause.body {
        ClauseBody::Act(it) => action(it),
        ClauseBody::Case(arms) => {
            let arms = arms
                .iter()
                .map(|(guard, it)| format!("        _{guard} ->\n            {}", action(it)));
            let arms: Vec<String> = arms.collect();
            format!("case Y of\n{}\n    end", arms.join(";\n"))
        }
    };
    let rest = format!("{} ->\n    {body};\n", clause.guard);
    let bound = |name: &'static str| if uses(&rest, name) { name } else { "_" };
    let (event, content) = match clause.trigger {
        MachineTrigger::Tick => ("cast".to_owned(), "tick".to_owned()),
        MachineTrigger::Timer => ("state_timeout".to_owned(), bound("X").to_owned()),
        MachineTrigger::Kind(kind) => {
            let event = match is_call {
                true => format!("{{call, {}}}", bound("From")),
                false => sent_as(kind).to_owned(),
            };
            let content = format!("{{e{kind}, {}, {}}}", bound("X"), bound("Y"));
            (event, content)
        }
    };
    let data = data_pattern(&rest);
    match form.uses_state_functions {
        true => format!("s{number}({event}, {content}, {data}){rest}"),
        false => format!("handle_event({event}, {content}, s{number}, {data}){rest}"),
    }
}

/// The pattern that binds the data that a clause uses.
fn data_pattern(clause: &str) -> String {
    let fields = [("a", "A"), ("b", "B"), ("n", "N")];
    let fields = fields.iter().filter(|(_, name)| uses(clause, name));
    let fields: Vec<String> = fields
        .map(|(field, name)| format!("{field} = {name}"))
        .collect();
    match (fields.is_empty(), uses(clause, "Data")) {
        (true, true) => "Data".to_owned(),
        (true, false) => "_".to_owned(),
        (false, true) => format!("#data{{{}}} = Data", fields.join(", ")),
        (false, false) => format!("#data{{{}}}", fields.join(", ")),
    }
}

/// Whether a variable occurs in code.
fn uses(code: &str, name: &str) -> bool {
    code.split(|it: char| !it.is_alphanumeric() && it != '_')
        .any(|word| word == name)
}

fn action_source(action: &MachineAction, is_call: bool, states: &[MachineState]) -> String {
    let reply = is_call.then(|| "{reply, From, ok}".to_owned());
    match action {
        MachineAction::Bug(number) => match BugKind::of(*number) {
            BugKind::Error => format!("error({{bug, {number}}})"),
            BugKind::Exit => format!("exit({{bug, {number}}})"),
            BugKind::BadReturn => format!("bug_{number}"),
        },
        MachineAction::Stay { update } => {
            let actions: Vec<String> = reply.into_iter().collect();
            format!("{{keep_state, {}{}}}", updated(update), listed(&actions))
        }
        MachineAction::Go { to, update } => {
            let has_timer = states.get(*to).is_some_and(|it| it.has_timer);
            let timer = has_timer.then(|| format!("{{state_timeout, {TIMER}, X}}"));
            let actions: Vec<String> = reply.into_iter().chain(timer).collect();
            format!(
                "{{next_state, s{to}, {}{}}}",
                updated(update),
                listed(&actions)
            )
        }
    }
}

fn listed(actions: &[String]) -> String {
    match actions {
        [] => String::new(),
        _ => format!(", [{}]", actions.join(", ")),
    }
}

fn updated(update: &DataUpdate) -> String {
    let DataUpdate { a, b, n } = update;
    let fields: [(&str, &DataSum, DataVariable); 3] = [
        ("a", a, DataVariable::A),
        ("b", b, DataVariable::B),
        ("n", n, DataVariable::N),
    ];
    let changed = fields.iter().filter(|(_, sum, own)| !sum.is(*own));
    let changed: Vec<String> = changed
        .map(|(field, sum, _)| format!("{field} = {sum}"))
        .collect();
    match changed.is_empty() {
        true => "Data".to_owned(),
        false => format!("Data#data{{{}}}", changed.join(", ")),
    }
}

/// The model of a machine, see `erlang_tools/machine_baselines.erl`.
pub(super) fn model(states: &[MachineState]) -> String {
    let kinds = (0..KINDS).map(|kind| {
        let data = format!("{{e{kind}, {{range, 0, {LARGEST}}}, {{range, 0, {LARGEST}}}}}");
        format!("e{kind} => {{{}, {data}}}", sent_as(kind))
    });
    let others = ["tick => {cast, tick}", "timer => timeout"].map(str::to_owned);
    let events: Vec<String> = kinds.chain(others).collect();
    let transitions: Vec<String> = states
        .iter()
        .enumerate()
        .flat_map(|(from, state)| state.clauses.iter().flat_map(move |it| edges(from, it)))
        .collect();
    format!(
        "{{argument, []}}.\n{{first, s0}}.\n{{events, #{{{}}}}}.\n{{transitions, [{}]}}.\n",
        events.join(",\n    "),
        transitions.join(",\n    ")
    )
}

fn edges(from: usize, clause: &MachineClause) -> Vec<String> {
    let event = match clause.trigger {
        MachineTrigger::Kind(kind) => format!("e{kind}"),
        MachineTrigger::Tick => "tick".to_owned(),
        MachineTrigger::Timer => "timer".to_owned(),
    };
    let actions: Vec<&MachineAction> = match &clause.body {
        ClauseBody::Act(action) => vec![action],
        ClauseBody::Case(arms) => arms.iter().map(|(_, action)| action).collect(),
    };
    let to = actions.into_iter().map(|action| match action {
        MachineAction::Go { to, .. } => *to,
        MachineAction::Stay { .. } | MachineAction::Bug(_) => from,
    });
    to.map(|to| format!("{{s{from}, {event}, s{to}}}"))
        .collect()
}
