//! Steps: the calls of a process that others can see, or that depend on what others did.
//!
//! Two steps of different processes depend on each other if they touch the same object and one of
//! them writes it. All other calls, and taking a message, are local: their order does not matter.
//! A `receive` that times out and the end of a process are steps too, but not calls.
//!
//! A new step is one line in the table. `erlconcolic_lease` has what the runtime does for each
//! [`StepKind`].

use std::collections::HashMap;
use std::sync::LazyLock;

use self::Object::{
    AnyTable, AnyVariable, Cell, Mailbox, Name, Names, OwnSignals, Process, Processes, Signals,
    Table, TableKey, TableObject, Term, Terms, Variable,
};
use self::StepKind::{Ask, Clock, Plain, Send, Signal, Sleep, Spawn, Timer, TimerLeft};

/// A call that is a step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its module.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: u32,
    /// What the runtime does for it.
    pub kind: StepKind,
    /// What it touches.
    pub accesses: &'static [Access],
}

impl Step {
    /// The position of the process that it asks, or sends a signal that is no message. Messages that
    /// the caller sent to that process before arrive before.
    pub fn reaches(&self) -> Option<usize> {
        if self.kind != Ask && self.kind != Signal {
            return None;
        }
        self.accesses.iter().find_map(|access| match access.object {
            Process(at) | Mailbox(at) => Some(at),
            Name(_) | Names | Processes | Signals(_) | OwnSignals | Table(_) | TableKey(..)
            | TableObject(..) | AnyTable | Term(_) | Terms | Cell(..) | Variable(..)
            | AnyVariable => None,
        })
    }

    /// Whether it waits until the process that it reaches has answered.
    pub fn is_answered(&self) -> bool {
        let asks = ["is_process_alive", "process_info", "process_flag"];
        self.kind == Ask && asks.contains(&self.name)
    }
}

/// What the runtime does for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Nothing but counting it.
    Plain,
    /// Sends a message to its first argument.
    Send,
    /// Starts a process.
    Spawn,
    /// Reaches a process, and ends nobody: nothing but counting it, unless messages take their time.
    Ask,
    /// May end the process that is its first argument, or the caller, or send a message to anyone.
    Signal,
    /// Waits for as long as its argument says.
    Sleep,
    /// Starts a timer: the gate's, or one that nobody controls.
    Timer,
    /// Asks how much time a timer has left, and perhaps cancels it.
    TimerLeft,
    /// Reads the gate's clock.
    Clock,
}

impl StepKind {
    /// Its name in the runtime.
    pub fn name(self) -> &'static str {
        match self {
            Plain => "plain",
            Send => "send",
            Spawn => "spawn",
            Ask => "ask",
            Signal => "signal",
            Sleep => "sleep",
            Timer => "timer",
            TimerLeft => "timer_left",
            Clock => "clock",
        }
    }
}

/// An object, and what a step does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The object.
    pub object: Object,
    /// Whether it is changed.
    pub mode: AccessMode,
}

/// Whether a step changes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    /// It does not. Two such steps do not depend on each other.
    Read,
    /// It does.
    Write,
}

/// What a step touches. Numbers are positions of arguments, from 0.
///
/// A whole contains its parts: [`Object::Table`] is the same object as each [`Object::TableKey`] of
/// that table, and [`Object::Names`] as each [`Object::Name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// The mailbox of the process that an argument names.
    Mailbox(usize),
    /// The name that an argument is, if it is one.
    Name(usize),
    /// All registered names.
    Names,
    /// Whether the process that an argument names is alive.
    Process(usize),
    /// Which processes there are.
    Processes,
    /// Links, monitors and flags of the process that an argument names.
    Signals(usize),
    /// The same of the caller.
    OwnSignals,
    /// All of the table that an argument names.
    Table(usize),
    /// A key of a table: the positions of both.
    TableKey(usize, usize),
    /// The keys of the tuple, or of the list of tuples, at the second position.
    TableObject(usize, usize),
    /// A table that the arguments do not name.
    AnyTable,
    /// A persistent term, by its key.
    Term(usize),
    /// All persistent terms.
    Terms,
    /// A cell of an array of atomics or counters: the positions of the array and of the index.
    Cell(usize, usize),
    /// A variable in the environment of an application: the positions of both.
    Variable(usize, usize),
    /// A variable that the arguments do not name.
    AnyVariable,
}

const fn read(object: Object) -> Access {
    Access {
        object,
        mode: AccessMode::Read,
    }
}

const fn write(object: Object) -> Access {
    Access {
        object,
        mode: AccessMode::Write,
    }
}

/// Name, arity, kind and accesses of the functions of a module.
type Family = &'static [(&'static str, u32, StepKind, &'static [Access])];

const SENT: &[Access] = &[write(Mailbox(0)), read(Name(0))];
/// Spawns do not depend on each other, but on a list of all processes; so they only read.
const SPAWNED: &[Access] = &[read(Processes)];

/// A link belongs to both processes.
const LINKED: &[Access] = &[read(Process(0)), write(Signals(0)), write(OwnSignals)];
const LOOKED_AT: &[Access] = &[read(Process(0)), read(Signals(0)), read(Mailbox(0))];

const OF_ERLANG: Family = &[
    ("!", 2, Send, SENT),
    ("send", 2, Send, SENT),
    ("send", 3, Send, SENT),
    ("send_nosuspend", 2, Send, SENT),
    ("send_nosuspend", 3, Send, SENT),
    ("spawn", 1, Spawn, SPAWNED),
    ("spawn", 3, Spawn, SPAWNED),
    ("spawn_link", 1, Spawn, SPAWNED),
    ("spawn_link", 3, Spawn, SPAWNED),
    ("spawn_monitor", 1, Spawn, SPAWNED),
    ("spawn_monitor", 3, Spawn, SPAWNED),
    ("spawn_opt", 2, Spawn, SPAWNED),
    ("spawn_opt", 4, Spawn, SPAWNED),
    // Whom they end is known in each run.
    ("exit", 2, Signal, &[read(Process(0)), read(Signals(0))]),
    ("link", 1, Signal, LINKED),
    ("unlink", 1, Ask, LINKED),
    ("monitor", 2, Ask, &[read(Process(1)), read(Name(1))]),
    ("monitor", 3, Ask, &[read(Process(1)), read(Name(1))]),
    ("demonitor", 1, Plain, &[write(OwnSignals)]),
    ("demonitor", 2, Plain, &[write(OwnSignals)]),
    ("alias", 0, Plain, &[]),
    ("alias", 1, Plain, &[]),
    // Which aliases they end is known in each run.
    ("unalias", 1, Plain, &[]),
    ("register", 2, Plain, &[write(Name(0)), write(Process(1))]),
    ("unregister", 1, Plain, &[write(Name(0))]),
    ("whereis", 1, Plain, &[read(Name(0))]),
    ("registered", 0, Plain, &[read(Names)]),
    ("processes", 0, Plain, &[write(Processes)]),
    ("is_process_alive", 1, Ask, &[read(Process(0))]),
    ("process_info", 1, Ask, LOOKED_AT),
    ("process_info", 2, Ask, LOOKED_AT),
    ("process_flag", 2, Plain, &[write(OwnSignals)]),
    (
        "process_flag",
        3,
        Ask,
        &[write(Process(0)), write(Signals(0))],
    ),
    ("group_leader", 2, Ask, &[write(Process(1))]),
    ("send_after", 3, Timer, &[]),
    ("send_after", 4, Timer, &[]),
    ("start_timer", 3, Timer, &[]),
    ("start_timer", 4, Timer, &[]),
    // Which timer it is, is known in each run.
    ("cancel_timer", 1, TimerLeft, &[]),
    ("cancel_timer", 2, TimerLeft, &[]),
    ("read_timer", 1, TimerLeft, &[]),
    ("read_timer", 2, TimerLeft, &[]),
    ("monotonic_time", 0, Clock, &[]),
    ("monotonic_time", 1, Clock, &[]),
];

const OF_TIMER: Family = &[
    ("sleep", 1, Sleep, &[]),
    ("apply_after", 2, Timer, &[]),
    ("apply_after", 3, Timer, &[]),
    ("apply_after", 4, Timer, &[]),
    ("apply_interval", 2, Timer, &[]),
    ("apply_interval", 3, Timer, &[]),
    ("apply_interval", 4, Timer, &[]),
    ("apply_repeatedly", 2, Timer, &[]),
    ("apply_repeatedly", 3, Timer, &[]),
    ("apply_repeatedly", 4, Timer, &[]),
    ("send_after", 2, Timer, &[]),
    ("send_after", 3, Timer, &[]),
    ("send_interval", 2, Timer, &[]),
    ("send_interval", 3, Timer, &[]),
    ("exit_after", 2, Timer, &[]),
    ("exit_after", 3, Timer, &[]),
    ("kill_after", 1, Timer, &[]),
    ("kill_after", 2, Timer, &[]),
];

const READS_KEY: &[Access] = &[read(TableKey(0, 1))];
const WRITES_KEY: &[Access] = &[write(TableKey(0, 1))];
const WRITES_OBJECT: &[Access] = &[write(TableObject(0, 1))];
const READS_TABLE: &[Access] = &[read(Table(0))];
const WRITES_TABLE: &[Access] = &[write(Table(0))];

const OF_ETS: Family = &[
    ("new", 2, Plain, WRITES_TABLE),
    ("delete", 1, Plain, WRITES_TABLE),
    ("delete", 2, Plain, WRITES_KEY),
    ("delete_all_objects", 1, Plain, WRITES_TABLE),
    ("delete_object", 2, Plain, WRITES_OBJECT),
    ("first", 1, Plain, READS_TABLE),
    ("first_lookup", 1, Plain, READS_TABLE),
    (
        "give_away",
        3,
        Signal,
        &[write(Table(0)), write(Mailbox(1))],
    ),
    ("info", 1, Plain, READS_TABLE),
    ("info", 2, Plain, READS_TABLE),
    ("init_table", 2, Plain, WRITES_TABLE),
    ("insert", 2, Plain, WRITES_OBJECT),
    ("insert_new", 2, Plain, WRITES_OBJECT),
    ("last", 1, Plain, READS_TABLE),
    ("last_lookup", 1, Plain, READS_TABLE),
    ("lookup", 2, Plain, READS_KEY),
    ("lookup_element", 3, Plain, READS_KEY),
    ("lookup_element", 4, Plain, READS_KEY),
    ("match", 1, Plain, &[read(AnyTable)]),
    ("match", 2, Plain, READS_TABLE),
    ("match", 3, Plain, READS_TABLE),
    ("match_delete", 2, Plain, WRITES_TABLE),
    ("match_object", 1, Plain, &[read(AnyTable)]),
    ("match_object", 2, Plain, READS_TABLE),
    ("match_object", 3, Plain, READS_TABLE),
    ("member", 2, Plain, READS_KEY),
    ("next", 2, Plain, READS_TABLE),
    ("next_lookup", 2, Plain, READS_TABLE),
    ("prev", 2, Plain, READS_TABLE),
    ("prev_lookup", 2, Plain, READS_TABLE),
    ("rename", 2, Plain, &[write(Table(0)), write(Table(1))]),
    ("safe_fixtable", 2, Plain, READS_TABLE),
    ("select", 1, Plain, &[read(AnyTable)]),
    ("select", 2, Plain, READS_TABLE),
    ("select", 3, Plain, READS_TABLE),
    ("select_count", 2, Plain, READS_TABLE),
    ("select_delete", 2, Plain, WRITES_TABLE),
    ("select_replace", 2, Plain, WRITES_TABLE),
    ("select_reverse", 1, Plain, &[read(AnyTable)]),
    ("select_reverse", 2, Plain, READS_TABLE),
    ("select_reverse", 3, Plain, READS_TABLE),
    ("setopts", 2, Plain, WRITES_TABLE),
    ("slot", 2, Plain, READS_TABLE),
    ("tab2list", 1, Plain, READS_TABLE),
    ("take", 2, Plain, WRITES_KEY),
    ("update_counter", 3, Plain, WRITES_KEY),
    ("update_counter", 4, Plain, WRITES_KEY),
    ("update_element", 3, Plain, WRITES_KEY),
    ("update_element", 4, Plain, WRITES_KEY),
    ("whereis", 1, Plain, READS_TABLE),
];

const OF_PERSISTENT_TERM: Family = &[
    ("get", 0, Plain, &[read(Terms)]),
    ("get", 1, Plain, &[read(Term(0))]),
    ("get", 2, Plain, &[read(Term(0))]),
    ("put", 2, Plain, &[write(Term(0))]),
    ("put_new", 2, Plain, &[write(Term(0))]),
    ("erase", 1, Plain, &[write(Term(0))]),
];

const READS_CELL: &[Access] = &[read(Cell(0, 1))];
const WRITES_CELL: &[Access] = &[write(Cell(0, 1))];

const OF_ATOMICS: Family = &[
    ("new", 2, Plain, &[]),
    ("get", 2, Plain, READS_CELL),
    ("put", 3, Plain, WRITES_CELL),
    ("add", 3, Plain, WRITES_CELL),
    ("add_get", 3, Plain, WRITES_CELL),
    ("sub", 3, Plain, WRITES_CELL),
    ("sub_get", 3, Plain, WRITES_CELL),
    ("exchange", 3, Plain, WRITES_CELL),
    ("compare_exchange", 4, Plain, WRITES_CELL),
];

const OF_COUNTERS: Family = &[
    ("new", 2, Plain, &[]),
    ("get", 2, Plain, READS_CELL),
    ("put", 3, Plain, WRITES_CELL),
    ("add", 3, Plain, WRITES_CELL),
    ("sub", 3, Plain, WRITES_CELL),
];

const READS_VARIABLE: &[Access] = &[read(Variable(0, 1))];
const WRITES_VARIABLE: &[Access] = &[write(Variable(0, 1))];

const OF_APPLICATION: Family = &[
    ("get_env", 1, Plain, &[read(AnyVariable)]),
    ("get_env", 2, Plain, READS_VARIABLE),
    ("get_env", 3, Plain, READS_VARIABLE),
    ("get_all_env", 0, Plain, &[read(AnyVariable)]),
    ("get_all_env", 1, Plain, &[read(AnyVariable)]),
    ("set_env", 1, Plain, &[write(AnyVariable)]),
    ("set_env", 2, Plain, &[write(AnyVariable)]),
    ("set_env", 3, Plain, WRITES_VARIABLE),
    ("set_env", 4, Plain, WRITES_VARIABLE),
    ("unset_env", 2, Plain, WRITES_VARIABLE),
    ("unset_env", 3, Plain, WRITES_VARIABLE),
];

const FAMILIES: &[(&str, Family)] = &[
    ("erlang", OF_ERLANG),
    ("timer", OF_TIMER),
    ("ets", OF_ETS),
    ("persistent_term", OF_PERSISTENT_TERM),
    ("atomics", OF_ATOMICS),
    ("counters", OF_COUNTERS),
    ("application", OF_APPLICATION),
];

struct Steps {
    all: Vec<Step>,
    places: HashMap<(&'static str, &'static str, u32), usize>,
}

static STEPS: LazyLock<Steps> = LazyLock::new(|| {
    let of_family = |(module, family): &(&'static str, Family)| {
        let module = *module;
        family
            .iter()
            .map(move |&(name, arity, kind, accesses)| Step {
                module,
                name,
                arity,
                kind,
                accesses,
            })
    };
    let all: Vec<Step> = FAMILIES.iter().flat_map(of_family).collect();
    let keys = all.iter().map(|it| (it.module, it.name, it.arity));
    let places = keys.zip(0..).collect();
    Steps { all, places }
});

/// All calls that are steps.
pub fn steps() -> &'static [Step] {
    &STEPS.all
}

/// The step that a call is, if it is one.
pub fn step(module: &str, name: &str, arity: u32) -> Option<&'static Step> {
    let steps = &*STEPS;
    steps.all.get(*steps.places.get(&(module, name, arity))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_call_is_in_the_table_twice() {
        assert_eq!(STEPS.places.len(), STEPS.all.len());
    }

    #[test]
    fn objects_are_arguments_of_their_calls() {
        for step in steps() {
            for access in step.accesses {
                let arguments = match access.object {
                    Mailbox(at) | Name(at) | Process(at) | Signals(at) | Table(at) | Term(at) => {
                        vec![at]
                    }
                    TableKey(at, key) | TableObject(at, key) => vec![at, key],
                    Cell(at, index) => vec![at, index],
                    Variable(application, name) => vec![application, name],
                    Names | Processes | OwnSignals | AnyTable | Terms | AnyVariable => Vec::new(),
                };
                let arity = step.arity as usize;
                assert!(arguments.iter().all(|at| *at < arity), "{step:?}");
            }
        }
    }

    #[test]
    fn a_call_is_found_by_its_arity() {
        let send = step("erlang", "send", 3).expect("it is a step");
        assert_eq!(send.kind, Send);
        assert_eq!(send.accesses, SENT);
        assert!(step("erlang", "send", 1).is_none());
        assert!(step("lists", "send", 2).is_none());
    }

    #[test]
    fn steps_that_ask_or_signal_reach_a_process() {
        let reaches = |name, arity| step("erlang", name, arity).and_then(Step::reaches);
        assert_eq!(reaches("exit", 2), Some(0));
        assert_eq!(reaches("monitor", 3), Some(1));
        assert_eq!(reaches("group_leader", 2), Some(1));
        assert_eq!(reaches("register", 2), None);
        assert_eq!(reaches("send", 2), None);
        assert_eq!(step("ets", "give_away", 3).and_then(Step::reaches), Some(1));
        for step in steps() {
            let wants = step.kind == Ask || step.kind == Signal;
            assert_eq!(step.reaches().is_some(), wants, "{step:?}");
            assert!(wants || !step.is_answered(), "{step:?}");
        }
    }

    #[test]
    fn results_of_steps_are_logged() {
        for step in steps() {
            let model = crate::find(step.module, step.name, step.arity);
            let is_computed = model.is_some_and(|model| {
                matches!(
                    model.meaning,
                    crate::Meaning::Rule(..) | crate::Meaning::Walk(_) | crate::Meaning::Raise(_)
                )
            });
            assert!(!is_computed, "{step:?}");
        }
    }
}
