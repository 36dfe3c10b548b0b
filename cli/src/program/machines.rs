//! Machines: modules of the user with the behaviour `gen_server` or `gen_statem`.
//!
//! The input of a machine is the argument of its `init/1` and a sequence of events. A wrapper, in a
//! module of its own, gives them to a player in Erlang, which does what the process of the behaviour
//! would do. Both are instrumented like the rest of the program, so which events there are comes out
//! of the clauses of the callbacks. Without instrumentation the wrapper has the real process started.

use std::path::Path;

use diagnostic::Diagnostic;
use erlang_term::Atom;
use flattener::flat::{FunctionId, Module};
use reports::{BROKEN_POSTCONDITION, Behaviour, Entry, Outcome, REJECTED_INPUT};

use crate::beam::{Beam, BeamError, Effort};
use crate::failure::Failure;
use crate::program::contract::Conditions;
use crate::program::core_names::{call, quoted};
use crate::program::entry::find_entry;
use crate::program::library_code::flat_module;
use crate::program::mailbox::{may_get_messages, names_absolute_times};
use crate::program::renaming::Renaming;
use crate::sources::front_end::FrontEnd;

/// The module of the wrappers.
const MODULE: &str = "erlconcolic_machines";

/// What plays machines, as Core Erlang.
const PLAYERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/machine_players.rs"));

/// The same, compiled.
const BEAMS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/machine_beams.rs"));

/// The players of real machines, and what they need.
const REAL: [&str; 3] = [
    "erlconcolic_machine_proof",
    "erlconcolic_play",
    "erlconcolic_real_machine",
];

/// What a play tells the search.
const MARKS: &str = "erlconcolic_machine_mark";

/// How long a real machine waits for a timer, in milliseconds.
const LONGEST_WAIT: u32 = 4_000;

/// The options of the user.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MachineOptions<'options> {
    /// How many events there are at most.
    pub(crate) length: usize,
    /// The type of events.
    pub(crate) events: Option<&'options str>,
    /// Asked of each state.
    pub(crate) invariant: Option<&'options str>,
    /// Makes the labels of states.
    pub(crate) state_of: Option<&'options str>,
    /// Whether sequences of calls are played that no search would make.
    pub(crate) plays_all: bool,
}

/// The machines of a search.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    /// Wrapper `run_0` plays the first one.
    machines: Vec<Machine>,
    length: usize,
    release: String,
    invariant: Option<Entry>,
    state_of: Option<Entry>,
    before: Option<Entry>,
    after: Option<Entry>,
}

#[derive(Debug)]
struct Machine {
    entry: Entry,
    behaviour: Behaviour,
    /// Whether its process can get messages that are no events of a sequence.
    has_mailbox: bool,
    /// Whether it may ask what time it is.
    has_clock: bool,
}

impl Machine {
    fn new(entry: &Entry, modules: &[Module]) -> Option<Self> {
        let behaviour = entry.behaviour()?;
        let module = modules.iter().find(|it| it.name == entry.module)?;
        let has_mailbox = may_get_messages(module, behaviour, modules);
        Some(Self {
            entry: entry.clone(),
            behaviour,
            has_mailbox,
            has_clock: has_mailbox || modules.iter().any(names_absolute_times),
        })
    }
}

impl Machines {
    /// The machines among some entries.
    pub(crate) fn find<'entries>(
        entries: impl IntoIterator<Item = &'entries Entry>,
        options: MachineOptions<'_>,
        conditions: Conditions<'_>,
        modules: &[Module],
        front_end: &FrontEnd,
    ) -> Result<Self, Failure> {
        let machines = entries.into_iter();
        let machines = machines.filter_map(|it| Machine::new(it, modules));
        let machines: Vec<Machine> = machines.collect();
        if machines.is_empty() {
            return Ok(Self::default());
        }
        let find = |option: &str, text: Option<&str>, wanted: &[u32], takes: &str| {
            let found = text
                .map(|text| find_entry(option, text, modules))
                .transpose()?;
            match found {
                Some(found) if !wanted.contains(&found.function.arity) => {
                    let title = format!("{option} {found} has the wrong number of arguments");
                    let error = Diagnostic::error("bad-condition", title);
                    Err(Failure::from(error.help(format!("it takes {takes}"))))
                }
                found => Ok(found),
            }
        };
        let state = "the state (for gen_statem: {State, Data})";
        let input = "the argument of init/1 and the list of events";
        let result = format!("{input} and the result {{Ending, Replies}}, or the result alone");
        Ok(Self {
            machines,
            length: options.length,
            release: front_end.otp_release()?,
            invariant: find("--invariant", options.invariant, &[1], state)?,
            state_of: find("--state-of", options.state_of, &[1], state)?,
            before: find("--pre", conditions.before, &[2], input)?,
            after: find("--post", conditions.after, &[3, 1], &result)?,
        })
    }

    fn is_empty(&self) -> bool {
        self.machines.is_empty()
    }

    /// How many arguments a wrapper has.
    pub(crate) fn arity(&self) -> u32 {
        u32::try_from(self.length + 1).unwrap_or(u32::MAX)
    }

    /// The wrapper of a machine.
    pub(crate) fn start(&self, entry: &Entry) -> Option<Entry> {
        let number = self.machines.iter().position(|it| it.entry == *entry)?;
        Some(Entry::new(Atom::new(MODULE), self.wrapper(number)))
    }

    fn wrapper(&self, number: usize) -> FunctionId {
        FunctionId {
            name: Atom::new(format!("run_{number}")),
            arity: self.arity(),
        }
    }

    /// The modules that play machines; none if there are no machines.
    pub(crate) fn flat(&self) -> Result<Vec<Module>, Failure> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let wrappers = self.core(|machine, events| {
            let player = match machine.behaviour {
                Behaviour::GenServer => "erlconcolic_play_server",
                Behaviour::GenStatem => "erlconcolic_play_statem",
            };
            let (module, options) = (quoted(&machine.entry.module), self.options(machine));
            format!("call '{player}':'play'({module},A0,{events},{options})")
        });
        let players = PLAYERS.iter();
        let players =
            players.filter(|(name, _)| *name == "erlconcolic_play" || !REAL.contains(name));
        let wrappers = (MODULE, wrappers.as_str());
        let texts = players.copied().chain([wrappers]);
        let modules = texts.map(|(name, text)| flat_module(&Atom::new(name), text));
        modules.collect()
    }

    /// The number of the module that a play tells about itself.
    pub(crate) fn marks(&self) -> Option<Atom> {
        (!self.is_empty()).then(|| Atom::new(MARKS))
    }

    /// The modules that start real machines, compiled without instrumentation.
    pub(crate) fn beams(
        &self,
        front_end: &FrontEnd,
        renaming: &Renaming,
    ) -> Result<Vec<Beam>, Failure> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let text = self.core(|machine, events| {
            let (behaviour, module) = (machine.behaviour.name(), quoted(&machine.entry.module));
            let replies = self.after.is_some();
            let invariant = self
                .invariant
                .as_ref()
                .map_or_else(|| "'none'".to_owned(), named);
            format!(
                "call 'erlconcolic_machine_proof':'play'('{behaviour}',{module},A0,{events},\
                 ~{{'invariant'=>{invariant},'timeout'=>{LONGEST_WAIT},'replies'=>'{replies}'}}~)"
            )
        });
        let code = if renaming.is_empty() {
            let compiled = front_end.compile_core(&text, Effort::Usual)?;
            compiled.map_err(|messages| BeamError::refused("the machines", messages))?
        } else {
            front_end.compile_renamed(Path::new(MODULE), &text, &renaming.renamings())?
        };
        let wrappers = Beam {
            name: Atom::new(MODULE),
            code,
        };
        let real = BEAMS.iter().filter(|(name, _)| REAL.contains(name));
        let real = real.map(|(name, code)| Beam {
            name: Atom::new(name),
            code: code.to_vec(),
        });
        Ok(real.chain([wrappers]).collect())
    }

    /// The options of a player.
    fn options(&self, machine: &Machine) -> String {
        let mut options = vec![
            format!(
                "'clock'=>{}",
                if machine.has_clock { "0" } else { "'none'" }
            ),
            format!("'release'=>{}", self.release),
            format!("'mailbox'=>'{}'", machine.has_mailbox),
            format!("'replies'=>'{}'", self.after.is_some()),
        ];
        let functions = [("invariant", &self.invariant), ("state_of", &self.state_of)];
        for (key, function) in functions {
            options.extend(
                function
                    .as_ref()
                    .map(|it| format!("'{key}'=>{}", named(it))),
            );
        }
        format!("~{{{}}}~", options.join(","))
    }

    /// The module of the wrappers, as Core Erlang, given what plays a machine.
    fn core(&self, play: impl Fn(&Machine, &str) -> String) -> String {
        let names: Vec<String> = (0..=self.length).map(|it| format!("A{it}")).collect();
        let events = names.iter().skip(1);
        let events = events.rfold("[]".to_owned(), |rest, name| format!("[{name}|{rest}]"));
        let (mut exports, mut functions) = (Vec::new(), String::new());
        for (number, machine) in self.machines.iter().enumerate() {
            let FunctionId { name, arity } = self.wrapper(number);
            let body = self.checked(&play(machine, "Es"));
            let parameters = names.join(",");
            exports.push(format!("'{name}'/{arity}"));
            functions.push_str(&format!(
                "'{name}'/{arity} = fun ({parameters}) -> let <Es> = {events} in {body}\n"
            ));
        }
        let exports = exports.join(",");
        format!("module '{MODULE}' [{exports}] attributes []\n{functions}end\n")
    }

    /// A play with its conditions.
    fn checked(&self, play: &str) -> String {
        let texts = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let mut body = play.to_owned();
        if let Some(after) = &self.after {
            let arguments = match after.function.arity {
                1 => texts(&["R"]),
                _ => texts(&["A0", "Es", "R"]),
            };
            let check = call(after, &arguments);
            let Entry {
                module, function, ..
            } = after;
            let (module, name, arity) = (quoted(module), quoted(&function.name), function.arity);
            body = format!(
                "let <R> = {body} in case {check} of <'false'> when 'true' -> \
                 call 'erlang':'error'({{'{BROKEN_POSTCONDITION}',{{{module},{name},{arity}}},R}}) \
                 <_> when 'true' -> R end"
            );
        }
        if let Some(before) = &self.before {
            let call = call(before, &texts(&["A0", "Es"]));
            body = format!(
                "case try {call} of <B> -> B catch <C,E,T> -> 'false' of \
                 <'true'> when 'true' -> {body} \
                 <_> when 'true' -> call 'erlang':'exit'('{REJECTED_INPUT}') end"
            );
        }
        body
    }

    /// Removes what plays a machine from an outcome.
    pub(crate) fn tidy(&self, outcome: &mut Outcome) {
        if self.is_empty() {
            return;
        }
        if let Outcome::Exception { stack, .. } = outcome {
            stack.retain(|entry| {
                let module = entry.module();
                module != MODULE && PLAYERS.iter().all(|player| player.0 != module)
            });
        }
    }
}

/// A module that plays, as Core Erlang.
pub(crate) fn player_text(name: &str) -> &'static str {
    let player = PLAYERS.iter().find(|it| it.0 == name);
    player.map_or("", |it| it.1)
}

/// The same, compiled.
pub(crate) fn player_beam(name: &str) -> Beam {
    let player = BEAMS.iter().find(|it| it.0 == name);
    Beam {
        name: Atom::new(name),
        code: player.map_or_else(Vec::new, |it| it.1.to_vec()),
    }
}

/// `{Module, Function}`.
fn named(function: &Entry) -> String {
    let (module, name) = (quoted(&function.module), quoted(&function.function.name));
    format!("{{{module},{name}}}")
}
