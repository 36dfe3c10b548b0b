//! Random machines: modules with the behaviour `gen_statem`, with guards that compare the data of
//! an event with those of earlier events, counters, timers, and bugs.
//!
//! All their branches (clauses of functions and of `case`) can be reached, by sequences of at most
//! as many events as wanted. This holds by construction: each state knows a sequence that leads to
//! it, and the data of the machine there. A new branch gets an event first, and a guard that this
//! event satisfies then; the branch is dropped if one before it would take the event. Branches are
//! added behind others only, so no sequence changes its meaning later.

mod conditions;
mod parts;
mod source;

use crate::random_programs::Random;

use self::conditions::{
    DataGuard, DataSum, DataTest, DataValues, DataVariable, LARGEST, number_below,
};
use self::parts::{
    BugKind, ClauseBody, DataUpdate, KINDS, MachineAction, MachineClause, MachineState,
    MachineTrigger, PlayedEvent,
};

/// A bug needs at least this many events.
const EVENTS_OF_BUGS: usize = 3;
/// The variables of an event.
const DATA_OF_EVENTS: [DataVariable; 2] = [DataVariable::X, DataVariable::Y];
/// How often a branch is tried that others might take.
const TRIES: usize = 20;

/// A random machine and what is known about it.
#[derive(Clone, Debug)]
pub struct RandomMachine {
    /// The source of the module.
    pub source: String,
    /// What `erlang_tools/machine_baselines.erl` wants to know of it.
    pub model: String,
    /// For each branch a sequence that reaches it, as Erlang source: `{Argument, [Event]}`.
    pub branches: Vec<String>,
    /// The bugs.
    pub bugs: Vec<PlantedBug>,
}

/// A bug of a random machine.
#[derive(Clone, Debug)]
pub struct PlantedBug {
    /// `error` or `exit`.
    pub class: &'static str,
    /// The reason, printed without spaces.
    pub reason: String,
    /// A sequence that ends by it, as Erlang source: `{Argument, [Event]}`.
    pub events: String,
}

/// The size of a random machine.
#[derive(Clone, Copy, Debug)]
pub struct MachineSize {
    /// It has at least as many branches, and few more.
    pub branches: usize,
    /// All can be reached by sequences of so many events.
    pub events: usize,
}

/// A machine with this name.
///
/// # Panics
/// When there are too few events for bugs.
pub fn machine(name: &str, size: MachineSize, random: &mut Random) -> RandomMachine {
    assert!(size.events >= EVENTS_OF_BUGS, "bugs need more events");
    let uses_state_functions = random.chance(60);
    let has_specs = random.chance(50);
    let mut builder = MachineBuilder {
        random,
        size,
        states: Vec::new(),
        branches: vec![Vec::new()],
        bugs: Vec::new(),
        // Each state function has a last clause for all other events.
        catches_in_each: uses_state_functions,
    };
    builder.build();
    let MachineBuilder {
        states,
        branches,
        bugs,
        ..
    } = builder;
    let form = source::SourceForm {
        name,
        uses_state_functions,
        has_specs,
    };
    RandomMachine {
        source: source::source(form, &states),
        model: source::model(&states),
        branches: branches.iter().map(|it| source::sequence(it)).collect(),
        bugs: bugs
            .iter()
            .enumerate()
            .map(|(number, events)| PlantedBug {
                class: BugKind::of(number).class(),
                reason: BugKind::of(number).reason(number),
                events: source::sequence(events),
            })
            .collect(),
    }
}

struct MachineBuilder<'random> {
    random: &'random mut Random,
    size: MachineSize,
    states: Vec<MachineState>,
    branches: Vec<Vec<PlayedEvent>>,
    bugs: Vec<Vec<PlayedEvent>>,
    catches_in_each: bool,
}

impl MachineBuilder<'_> {
    fn build(&mut self) {
        // The clause of callback_mode/0; that of init/1 is there already.
        self.branches.push(Vec::new());
        self.add_state(Vec::new(), DataValues::default(), false);
        if !self.catches_in_each {
            self.branches.push(vec![PlayedEvent::Unknown]);
        }
        // One state behind the other, as deep as possible.
        while self.last_layer() + 1 < self.size.events {
            self.add_clause(self.states.len() - 1, Wish::NewState);
        }
        while self.bugs.is_empty() {
            self.add_clause(self.states.len() - 1, Wish::Bug);
        }
        while self.branches.len() < self.size.branches {
            let state = self.random.below(self.states.len());
            let wish = match self.random.below(10) {
                0..=1 if self.states.len() < self.size.branches / 12 => Wish::NewState,
                2 => Wish::Bug,
                _ => Wish::Any,
            };
            self.add_clause(state, wish);
        }
    }

    fn last_layer(&self) -> usize {
        self.states.last().map_or(0, |it| it.path.len())
    }

    /// A state with what it always has.
    fn add_state(&mut self, path: Vec<PlayedEvent>, values: DataValues, has_timer: bool) -> usize {
        let index = self.states.len();
        let has_ticks = self.random.chance(35);
        let mut clauses = Vec::new();
        let after = |event| [path.as_slice(), &[event]].concat();
        if has_ticks {
            let update = DataUpdate {
                n: DataSum::of(&[DataVariable::N]).plus(1),
                ..DataUpdate::none()
            };
            clauses.push(MachineClause {
                trigger: MachineTrigger::Tick,
                guard: DataGuard::default(),
                body: ClauseBody::Act(MachineAction::Stay { update }),
            });
            self.branches.push(after(PlayedEvent::Tick));
        }
        if self.catches_in_each {
            self.branches.push(after(PlayedEvent::Unknown));
        }
        self.states.push(MachineState {
            path,
            values,
            has_timer,
            has_ticks,
            clauses,
        });
        if has_timer {
            self.add_timer_clause(index);
        }
        index
    }

    /// The clause for the timer; its guard tests the content.
    fn add_timer_clause(&mut self, index: usize) {
        let state = self.states.get(index).expect("the state is there");
        let values = state.values;
        let sequence = [state.path.as_slice(), &[PlayedEvent::Timeout]].concat();
        let is_hard = self.random.chance(50);
        let others = [DataVariable::A, DataVariable::B];
        let guard = DataGuard::satisfied(
            (DataVariable::X, None),
            &others,
            &values,
            is_hard,
            self.random,
        );
        self.branches.push(sequence.clone());
        let action = self.action(&sequence, &values, Wish::Any, &[DataVariable::X]);
        self.push_clause(
            index,
            MachineClause {
                trigger: MachineTrigger::Timer,
                guard,
                body: ClauseBody::Act(action),
            },
        );
    }

    fn push_clause(&mut self, index: usize, clause: MachineClause) {
        let state = self.states.get_mut(index);
        state.expect("the state is there").clauses.push(clause);
    }

    /// A clause for an event with data, if no clause before it takes the event.
    fn add_clause(&mut self, index: usize, wish: Wish) {
        let kind = self.random.below(KINDS);
        let (path, values) = self.place(index);
        let has_case = !matches!(wish, Wish::Bug) && self.random.chance(30);
        // Kinds that are always hard leave room for more clauses.
        let is_hard = matches!(wish, Wish::Bug) || kind < 2 || self.random.chance(50);
        let second = (!has_case).then_some(DataVariable::Y);
        let others = [DataVariable::A, DataVariable::B];
        let mut guard = DataGuard::satisfied(
            (DataVariable::X, second),
            &others,
            &values,
            is_hard,
            self.random,
        );
        if matches!(path.last(), Some(PlayedEvent::Tick)) {
            let count = DataSum::of(&[]).plus(values.n);
            guard = guard.and(DataTest::Equal(DataSum::of(&[DataVariable::N]), count));
        }
        let arms = match has_case {
            true => self.arms(&values),
            false => vec![(DataGuard::default(), values.y)],
        };
        let trigger = MachineTrigger::Kind(kind);
        let state = self.states.get(index).expect("the state is there");
        let mut before = state.clauses.iter().filter(|it| it.trigger == trigger);
        let is_taken = before.any(|clause| {
            let with = |y: i64| DataValues { y, ..values };
            arms.iter().any(|(_, y)| clause.guard.holds(&with(*y)))
        });
        if is_taken {
            return;
        }
        let body = match has_case {
            true => self.case(arms, wish, kind, &path, values),
            false => self.act(wish, kind, &path, values),
        };
        let clause = MachineClause {
            trigger,
            guard,
            body,
        };
        self.push_clause(index, clause);
    }

    /// A sequence that ends in a state, perhaps after ticks there, with the data of the machine and
    /// of an event to come.
    fn place(&mut self, index: usize) -> (Vec<PlayedEvent>, DataValues) {
        let state = self.states.get(index).expect("the state is there");
        let left = self.size.events - state.path.len() - 1;
        let ticks = match state.has_ticks && self.random.chance(40) {
            true => left.min(1 + self.random.below(2)),
            false => 0,
        };
        let mut path = state.path.clone();
        path.resize(path.len() + ticks, PlayedEvent::Tick);
        let n = state.values.n + i64::try_from(ticks).expect("a small number");
        let values = DataValues { n, ..state.values };
        let values = DataValues {
            x: self.number(),
            y: self.number(),
            ..values
        };
        (path, values)
    }

    fn act(
        &mut self,
        wish: Wish,
        kind: usize,
        path: &[PlayedEvent],
        values: DataValues,
    ) -> ClauseBody {
        let DataValues { x, y, .. } = values;
        let sequence = [path, &[PlayedEvent::Sent { kind, x, y }]].concat();
        self.branches.push(sequence.clone());
        ClauseBody::Act(self.action(&sequence, &values, wish, &DATA_OF_EVENTS))
    }

    fn case(
        &mut self,
        arms: Vec<(DataGuard, i64)>,
        wish: Wish,
        kind: usize,
        path: &[PlayedEvent],
        values: DataValues,
    ) -> ClauseBody {
        let mut cases = Vec::new();
        for (guard, y) in arms {
            let values = DataValues { y, ..values };
            let x = values.x;
            let sequence = [path, &[PlayedEvent::Sent { kind, x, y }]].concat();
            if cases.is_empty() {
                // The clause itself.
                self.branches.push(sequence.clone());
            }
            self.branches.push(sequence.clone());
            let action = self.action(&sequence, &values, wish, &DATA_OF_EVENTS);
            cases.push((guard, action));
        }
        ClauseBody::Case(cases)
    }

    /// Guards of a `case` about the second of the event, each with a value that gets there. The
    /// last one takes everything.
    fn arms(&mut self, values: &DataValues) -> Vec<(DataGuard, i64)> {
        let mut arms: Vec<(DataGuard, i64)> = Vec::new();
        let wanted = 2 + self.random.below(3);
        let others = [DataVariable::A, DataVariable::B, DataVariable::X];
        for _ in 0..TRIES {
            let y = self.number();
            let here = DataValues { y, ..*values };
            if arms.iter().any(|(guard, _)| guard.holds(&here)) {
                continue;
            }
            if arms.len() + 1 == wanted {
                arms.push((DataGuard::default(), y));
                return arms;
            }
            let is_hard = self.random.chance(70);
            let tested = (DataVariable::Y, None);
            let guard = DataGuard::satisfied(tested, &others, &here, is_hard, self.random);
            arms.push((guard, y));
        }
        // One that would take everything before the last is reached.
        let y = self.number();
        vec![(DataGuard::default(), y)]
    }

    /// What is done after a sequence, whose last event has these values.
    fn action(
        &mut self,
        sequence: &[PlayedEvent],
        values: &DataValues,
        wish: Wish,
        data: &[DataVariable],
    ) -> MachineAction {
        let may_break = sequence.len() >= EVENTS_OF_BUGS;
        if may_break && (matches!(wish, Wish::Bug) || self.random.chance(5)) {
            self.bugs.push(sequence.to_vec());
            return MachineAction::Bug(self.bugs.len() - 1);
        }
        let update = self.update(data);
        if matches!(wish, Wish::NewState) && sequence.len() < self.size.events {
            let after = update.applied(values);
            let has_timer = self.random.chance(30);
            let to = self.add_state(sequence.to_vec(), after, has_timer);
            return MachineAction::Go { to, update };
        }
        match self.random.chance(50) {
            true => MachineAction::Stay { update },
            false => MachineAction::Go {
                to: self.random.below(self.states.len()),
                update,
            },
        }
    }

    fn update(&mut self, data: &[DataVariable]) -> DataUpdate {
        let mut sum = |own: DataVariable, other: DataVariable| {
            let given = *self.random.pick(data);
            match self.random.below(6) {
                0 => DataSum::of(&[own]),
                1 | 2 => DataSum::of(&[given]),
                3 => DataSum::of(&[own, given]),
                4 => DataSum::of(&[given, other]),
                _ => DataSum::of(&[given]).plus(1),
            }
        };
        DataUpdate {
            a: sum(DataVariable::A, DataVariable::B),
            b: sum(DataVariable::B, DataVariable::A),
            n: DataSum::of(&[DataVariable::N]),
        }
    }

    fn number(&mut self) -> i64 {
        number_below(LARGEST + 1, self.random)
    }
}

/// What a new clause is for.
#[derive(Clone, Copy, Debug)]
enum Wish {
    NewState,
    Bug,
    Any,
}
