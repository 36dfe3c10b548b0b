//! Small programs of processes that share two variables and send each other numbers.

use proptest::collection::vec;
use proptest::prelude::*;

/// The values of the input, and of everything else.
pub(super) const DOMAIN: u8 = 3;

/// A value that a program computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Constant(u8),
    Input,
}

/// What a process does with a value: one that is written in the program, or the last one that it
/// read or received.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Number(Number),
    Register,
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    Write(u8, Operand),
    Read(u8),
    Send(usize, Operand),
    /// Takes the first message that is one of these values, as a bit set.
    Receive {
        accepts: u8,
        patience: Patience,
    },
    /// Ends a process at once.
    Kill(usize),
    /// Whether a process is alive.
    Ask(usize),
    /// Whether a value is this one.
    If(Operand, u8, Vec<Op>, Vec<Op>),
}

/// How long a `receive` waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// Not at all.
    Zero,
    /// Until no process can go on.
    Later,
    /// For ever.
    Endless,
}

/// The code of each process. The first one starts the others.
#[derive(Clone, Debug)]
pub(super) struct SmallProgram {
    pub(super) processes: Vec<Vec<Op>>,
    /// Whether processes end each other, or ask about each other.
    pub(super) has_signals: bool,
    /// When messages arrive.
    pub(super) delivery: Delivery,
}

/// When messages arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// When they are sent.
    Instant,
    /// In a step of their own, in the order of their senders.
    Any,
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        3 => (0..DOMAIN).prop_map(|it| Operand::Number(Number::Constant(it))),
        2 => Just(Operand::Number(Number::Input)),
        2 => Just(Operand::Register),
    ]
}

fn patience() -> impl Strategy<Value = Patience> {
    prop_oneof![
        3 => Just(Patience::Zero),
        1 => Just(Patience::Later),
        3 => Just(Patience::Endless),
    ]
}

/// What a process does, of this many. Signals go to processes that were started before it.
fn op(processes: usize, own: usize, has_signals: bool) -> impl Strategy<Value = Op> {
    let signals = u32::from(has_signals) * 2;
    let known = if own == 0 { processes } else { own };
    let simple = prop_oneof![
        2 => (0..2_u8, operand()).prop_map(|(variable, value)| Op::Write(variable, value)),
        2 => (0..2_u8).prop_map(Op::Read),
        4 => (0..processes, operand()).prop_map(|(to, value)| Op::Send(to, value)),
        4 => (1..8_u8, patience()).prop_map(|(accepts, patience)| Op::Receive {
            accepts,
            patience,
        }),
        signals => (0..known).prop_map(Op::Kill),
        signals => (0..known).prop_map(Op::Ask),
    ];
    simple.prop_recursive(1, 4, 2, |inner| {
        let block = vec(inner, 0..=2);
        (operand(), 0..DOMAIN, block.clone(), block)
            .prop_map(|(operand, value, yes, no)| Op::If(operand, value, yes, no))
    })
}

/// Random programs of two or three processes.
pub(super) fn programs(delivery: Delivery) -> impl Strategy<Value = SmallProgram> {
    (2..=3_usize, any::<bool>()).prop_flat_map(move |(count, has_signals)| {
        let longest = if count == 2 { 4 } else { 3 };
        let process = |own| vec(op(count, own, has_signals), 0..=longest);
        let processes: Vec<_> = (0..count).map(process).collect();
        processes.prop_map(move |processes| SmallProgram {
            processes,
            has_signals,
            delivery,
        })
    })
}
