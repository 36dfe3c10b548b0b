//! Schedules: which process of a run takes its steps when.
//!
//! A schedule is written as leases with commas between them: `0*3,0.1,0` lets process `0` take
//! three steps, then process `0.1` one, then `0` one more. If messages take their time, their
//! deliveries are steps too: `0>0.1*2` delivers the two oldest messages that `0` has sent to `0.1`
//! and that are still under way. After its last lease a run goes on as it would without a schedule:
//! what is under way is delivered at once, and the running process goes on until it waits.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A process by the spawns that led to it: `0` calls the entry function, `0.1` is the first process
/// that it spawned.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcessPath {
    first: u32,
    spawns: Vec<u32>,
}

impl ProcessPath {
    /// The process that calls the entry function.
    pub const ENTRY: Self = Self {
        first: 0,
        spawns: Vec::new(),
    };

    /// The process that these numbers lead to; `None` without a number.
    pub fn from_numbers(numbers: impl IntoIterator<Item = u32>) -> Option<Self> {
        let mut numbers = numbers.into_iter();
        let first = numbers.next()?;
        let spawns = numbers.collect();
        Some(Self { first, spawns })
    }

    /// The numbers that lead to it.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.first).chain(self.spawns.iter().copied())
    }

    /// A process that this one spawned, by its number among them.
    #[must_use]
    pub fn child(&self, number: u32) -> Self {
        let mut child = self.clone();
        child.spawns.push(number);
        child
    }
}

/// Who takes steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StepOwner {
    /// A process.
    Process(ProcessPath),
    /// The messages from one process to another one: a step is the delivery of the oldest.
    Channel {
        /// Their sender.
        from: ProcessPath,
        /// Their receiver.
        to: ProcessPath,
    },
}

impl StepOwner {
    /// The process; `None` if it is a channel.
    pub fn process(&self) -> Option<&ProcessPath> {
        match self {
            Self::Process(process) => Some(process),
            Self::Channel { .. } => None,
        }
    }
}

/// Someone may take this number of steps before another one is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Who.
    pub owner: StepOwner,
    /// How many steps.
    pub steps: NonZeroU32,
}

/// The leases of a run, in order. The default has none: each process goes on until it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schedule {
    leases: Vec<Lease>,
}

impl Schedule {
    /// The schedule without leases.
    pub fn run_on() -> &'static Self {
        static RUN_ON: Schedule = Schedule { leases: Vec::new() };
        &RUN_ON
    }

    /// The leases in order. No two in a row are of the same owner, unless their steps together are
    /// too many for one.
    pub fn leases(&self) -> &[Lease] {
        &self.leases
    }

    /// How many steps all leases have.
    pub fn steps(&self) -> u64 {
        let steps = self.leases.iter().map(|lease| u64::from(lease.steps.get()));
        steps.sum()
    }

    /// How often another process goes on. Deliveries are no switches.
    pub fn switches(&self) -> usize {
        let processes = || self.leases.iter().filter_map(|it| it.owner.process());
        let pairs = processes().zip(processes().skip(1));
        pairs.filter(|(one, next)| one != next).count()
    }

    /// Whether it says when messages are delivered.
    pub fn has_deliveries(&self) -> bool {
        self.leases.iter().any(|it| it.owner.process().is_none())
    }

    /// Adds a lease, or lengthens the last one if it is of the same owner.
    pub fn push(&mut self, owner: StepOwner, steps: NonZeroU32) {
        if let Some(last) = self.leases.last_mut()
            && last.owner == owner
            && let Some(sum) = last.steps.checked_add(steps.get())
        {
            last.steps = sum;
        } else {
            self.leases.push(Lease { owner, steps });
        }
    }
}

impl FromIterator<Lease> for Schedule {
    fn from_iter<I: IntoIterator<Item = Lease>>(leases: I) -> Self {
        let mut schedule = Self::default();
        for lease in leases {
            schedule.push(lease.owner, lease.steps);
        }
        schedule
    }
}

/// Why a text is not a schedule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ScheduleError {
    /// Not a process.
    #[error("`{0}` is not a process such as `0` or `0.1`")]
    Process(String),
    /// Not a number of steps.
    #[error("`{0}` is not a number of steps")]
    Steps(String),
}

impl FromStr for ProcessPath {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let mut numbers = text.split('.').map(number);
        let first = numbers.next().flatten();
        let spawns: Option<Vec<u32>> = numbers.collect();
        match (first, spawns) {
            (Some(first), Some(spawns)) => Ok(Self { first, spawns }),
            _ => Err(ScheduleError::Process(text.to_owned())),
        }
    }
}

/// A number without a sign.
fn number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

impl FromStr for StepOwner {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        match text.split_once('>') {
            Some((from, to)) => Ok(Self::Channel {
                from: from.parse()?,
                to: to.parse()?,
            }),
            None => text.parse().map(Self::Process),
        }
    }
}

impl FromStr for Lease {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let (owner, steps) = match text.split_once('*') {
            Some((owner, steps)) => {
                let number = number(steps).and_then(NonZeroU32::new);
                let number = number.ok_or_else(|| ScheduleError::Steps(steps.to_owned()))?;
                (owner, number)
            }
            None => (text, NonZeroU32::MIN),
        };
        Ok(Self {
            owner: owner.parse()?,
            steps,
        })
    }
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        text.split(',').map(str::parse::<Lease>).collect()
    }
}

impl fmt::Display for ProcessPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.first)?;
        self.spawns
            .iter()
            .try_for_each(|number| write!(formatter, ".{number}"))
    }
}

impl fmt::Display for StepOwner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(process) => write!(formatter, "{process}"),
            Self::Channel { from, to } => write!(formatter, "{from}>{to}"),
        }
    }
}

impl fmt::Display for Lease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.owner)?;
        if self.steps > NonZeroU32::MIN {
            write!(formatter, "*{}", self.steps)?;
        }
        Ok(())
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, lease) in self.leases.iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            write!(formatter, "{separator}{lease}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn schedule(text: &str) -> Schedule {
        text.parse().expect("the text is a schedule")
    }

    #[test]
    fn leases_have_processes_and_steps() {
        let schedule = schedule("0*3,0.1,0");
        let [first, second, third] = schedule.leases() else {
            panic!("there are three leases");
        };
        let entry = StepOwner::Process(ProcessPath::ENTRY);
        assert_eq!((&first.owner, first.steps.get()), (&entry, 3));
        let child = second.owner.process().expect("it is a process");
        assert_eq!(*child, ProcessPath::ENTRY.child(1));
        assert_eq!(child.numbers().collect::<Vec<_>>(), [0, 1]);
        let same = ProcessPath::from_numbers(child.numbers());
        assert_eq!(same.as_ref(), Some(child));
        assert_eq!((&third.owner, third.steps.get()), (&entry, 1));
    }

    #[test]
    fn deliveries_are_steps_of_channels() {
        let schedule = schedule("0*3,0>0.1,0>0.1,0.2>0,0");
        assert_eq!(schedule.to_string(), "0*3,0>0.1*2,0.2>0,0");
        assert!(schedule.has_deliveries());
        assert_eq!((schedule.steps(), schedule.switches()), (7, 0));
        let channel = &schedule.leases()[1].owner;
        let expected = StepOwner::Channel {
            from: ProcessPath::ENTRY,
            to: ProcessPath::ENTRY.child(1),
        };
        assert_eq!(*channel, expected);
        assert!(!Schedule::run_on().has_deliveries());
    }

    #[test]
    fn leases_of_one_process_are_joined() {
        assert_eq!(schedule("0,0,0,0.1,0.1").to_string(), "0*3,0.1*2");
    }

    #[test]
    fn no_text_means_to_run_on() {
        assert_eq!(&schedule(""), Schedule::run_on());
        assert_eq!(Schedule::run_on().to_string(), "");
    }

    #[test]
    fn errors_name_the_wrong_part() {
        let error = |text: &str| text.parse::<Schedule>().unwrap_err().to_string();
        assert_eq!(error("0,x"), "`x` is not a process such as `0` or `0.1`");
        assert_eq!(error("0,,0"), "`` is not a process such as `0` or `0.1`");
        assert_eq!(
            error("0.+1"),
            "`0.+1` is not a process such as `0` or `0.1`"
        );
        assert_eq!(error("0>"), "`` is not a process such as `0` or `0.1`");
        assert_eq!(
            error("0>1>2"),
            "`1>2` is not a process such as `0` or `0.1`"
        );
        assert_eq!(error("0*0"), "`0` is not a number of steps");
        assert_eq!(error("0*"), "`` is not a number of steps");
    }

    prop_compose! {
        fn any_path()(spawns in prop::collection::vec(0_u32..20, 0..4)) -> ProcessPath {
            let entry = ProcessPath::ENTRY;
            spawns.into_iter().fold(entry, |path, number| path.child(number))
        }
    }

    fn any_owner() -> impl Strategy<Value = StepOwner> {
        prop_oneof![
            any_path().prop_map(StepOwner::Process),
            (any_path(), any_path()).prop_map(|(from, to)| StepOwner::Channel { from, to }),
        ]
    }

    prop_compose! {
        fn any_lease()(owner in any_owner(), steps in 1_u32..1000) -> Lease {
            Lease { owner, steps: NonZeroU32::new(steps).expect("at least one") }
        }
    }

    proptest! {
        #[test]
        fn text_and_schedule_say_the_same(leases in prop::collection::vec(any_lease(), 0..10)) {
            let schedule: Schedule = leases.into_iter().collect();
            prop_assert_eq!(schedule.to_string().parse(), Ok(schedule));
        }
    }
}
