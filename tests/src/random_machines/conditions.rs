//! Guards of random machines: they compare the data of an event with those of events before.

use std::fmt::{self, Display, Formatter};

use crate::random_programs::Random;

/// Data of events are from 0 to this.
pub(super) const LARGEST: i64 = 1_000_000;

/// A variable of a clause: data of the event, or data of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataVariable {
    /// The first of the event; the content of a timer.
    X,
    /// The second of the event.
    Y,
    /// The first of the machine.
    A,
    /// The second of the machine.
    B,
    /// The counter of the machine.
    N,
}

/// The values of all variables at a place of a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DataValues {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) a: i64,
    pub(super) b: i64,
    pub(super) n: i64,
}

impl DataValues {
    fn of(&self, variable: DataVariable) -> i64 {
        match variable {
            DataVariable::X => self.x,
            DataVariable::Y => self.y,
            DataVariable::A => self.a,
            DataVariable::B => self.b,
            DataVariable::N => self.n,
        }
    }
}

/// Variables and a number, added.
#[derive(Clone, Debug)]
pub(super) struct DataSum {
    variables: Vec<DataVariable>,
    constant: i64,
}

impl DataSum {
    pub(super) fn of(variables: &[DataVariable]) -> Self {
        Self {
            variables: variables.to_vec(),
            constant: 0,
        }
    }

    pub(super) fn plus(mut self, constant: i64) -> Self {
        self.constant += constant;
        self
    }

    pub(super) fn value(&self, values: &DataValues) -> i64 {
        let variables = self.variables.iter().map(|it| values.of(*it));
        variables.sum::<i64>() + self.constant
    }

    /// Whether it is this variable and nothing else.
    pub(super) fn is(&self, variable: DataVariable) -> bool {
        self.variables == [variable] && self.constant == 0
    }
}

impl Display for DataSum {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.variables.iter().map(|it| format!("{it:?}")).collect();
        match (names.is_empty(), self.constant) {
            (true, constant) => write!(formatter, "{constant}"),
            (false, 0) => write!(formatter, "{}", names.join(" + ")),
            (false, constant @ ..0) => write!(formatter, "{} - {}", names.join(" + "), -constant),
            (false, constant) => write!(formatter, "{} + {constant}", names.join(" + ")),
        }
    }
}

/// A test of a guard.
#[derive(Clone, Debug)]
pub(super) enum DataTest {
    Equal(DataSum, DataSum),
    Less(DataSum, DataSum),
    Remainder(DataSum, i64, i64),
}

impl DataTest {
    fn holds(&self, values: &DataValues) -> bool {
        match self {
            Self::Equal(left, right) => left.value(values) == right.value(values),
            Self::Less(left, right) => left.value(values) < right.value(values),
            Self::Remainder(sum, by, rest) => sum.value(values) % by == *rest,
        }
    }
}

impl Display for DataTest {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(left, right) => write!(formatter, "{left} =:= {right}"),
            Self::Less(left, right) => write!(formatter, "{left} < {right}"),
            Self::Remainder(sum, by, rest) => write!(formatter, "({sum}) rem {by} =:= {rest}"),
        }
    }
}

/// Tests that must all succeed.
#[derive(Clone, Debug, Default)]
pub(super) struct DataGuard(Vec<DataTest>);

impl DataGuard {
    pub(super) fn holds(&self, values: &DataValues) -> bool {
        self.0.iter().all(|it| it.holds(values))
    }

    pub(super) fn and(mut self, test: DataTest) -> Self {
        self.0.push(test);
        self
    }

    /// A guard that holds for these values. It tests the first variable, perhaps together with the
    /// second, against some of the others. Few other values satisfy one that is hard.
    pub(super) fn satisfied(
        tested: (DataVariable, Option<DataVariable>),
        others: &[DataVariable],
        values: &DataValues,
        is_hard: bool,
        random: &mut Random,
    ) -> Self {
        let base = some_of(others, random);
        let (subject, second) = tested;
        let subject = match second {
            Some(second) if is_hard && random.chance(30) => DataSum::of(&[subject, second]),
            Some(_) | None => DataSum::of(&[subject]),
        };
        // The number that must be added to make both sides equal.
        let gap = subject.value(values) - base.value(values);
        let slack = |random: &mut Random, limit| 1 + number_below(limit, random);
        let below = |random: &mut Random, limit| {
            DataTest::Less(
                base.clone().plus(gap - slack(random, limit)),
                subject.clone(),
            )
        };
        let above = |random: &mut Random, limit| {
            DataTest::Less(
                subject.clone(),
                base.clone().plus(gap + slack(random, limit)),
            )
        };
        let tests = match (is_hard, random.below(4)) {
            (true, 0 | 1) => vec![DataTest::Equal(subject.clone(), base.clone().plus(gap))],
            (true, 2) => vec![below(random, 4), above(random, 4)],
            (true, _) => {
                // Erlang's remainder has the sign of the dividend, and so has Rust's.
                let by = 97 + number_below(900, random);
                let rest = subject.value(values) % by;
                let remainder = DataTest::Remainder(subject.clone(), by, rest);
                vec![below(random, 500), remainder]
            }
            (false, 0) => Vec::new(),
            (false, 1) => vec![below(random, LARGEST / 10)],
            (false, 2) => vec![above(random, LARGEST / 10)],
            (false, _) => vec![DataTest::Remainder(
                subject.clone(),
                2,
                subject.value(values) % 2,
            )],
        };
        Self(tests)
    }
}

impl Display for DataGuard {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let tests: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        match tests.is_empty() {
            true => Ok(()),
            false => write!(formatter, " when {}", tests.join(", ")),
        }
    }
}

fn some_of(variables: &[DataVariable], random: &mut Random) -> DataSum {
    let chosen = variables.iter().filter(|_| random.chance(60));
    DataSum::of(&chosen.copied().collect::<Vec<_>>())
}

/// A number from 0 on, below a limit.
pub(super) fn number_below(limit: i64, random: &mut Random) -> i64 {
    let limit = usize::try_from(limit).expect("limits are positive");
    i64::try_from(random.below(limit)).expect("it is below a number of this type")
}
