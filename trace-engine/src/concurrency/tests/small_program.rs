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
        is_polling: bool,
    },
    /// Whether a value is this one.
    If(Operand, u8, Vec<Op>, Vec<Op>),
}

/// The code of each process. The first one starts the others.
#[derive(Clone, Debug)]
pub(super) struct SmallProgram {
    pub(super) processes: Vec<Vec<Op>>,
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        3 => (0..DOMAIN).prop_map(|it| Operand::Number(Number::Constant(it))),
        2 => Just(Operand::Number(Number::Input)),
        2 => Just(Operand::Register),
    ]
}

fn op(processes: usize) -> impl Strategy<Value = Op> {
    let simple = prop_oneof![
        2 => (0..2_u8, operand()).prop_map(|(variable, value)| Op::Write(variable, value)),
        2 => (0..2_u8).prop_map(Op::Read),
        4 => (0..processes, operand()).prop_map(|(to, value)| Op::Send(to, value)),
        4 => (1..8_u8, any::<bool>()).prop_map(|(accepts, is_polling)| Op::Receive {
            accepts,
            is_polling
        }),
    ];
    simple.prop_recursive(1, 4, 2, |inner| {
        let block = vec(inner, 0..=2);
        (operand(), 0..DOMAIN, block.clone(), block)
            .prop_map(|(operand, value, yes, no)| Op::If(operand, value, yes, no))
    })
}

/// Random programs of two or three processes.
pub(super) fn programs() -> impl Strategy<Value = SmallProgram> {
    (2..=3_usize).prop_flat_map(|count| {
        let longest = if count == 2 { 4 } else { 3 };
        vec(vec(op(count), 0..=longest), count).prop_map(|processes| SmallProgram { processes })
    })
}
