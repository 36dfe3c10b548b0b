//! How many runs classic programs have: as many as optimal reductions make.

use super::super::Mailboxes;
use super::joint_search::{Order, Search};
use super::small_program::{Number, Op, Operand, SmallProgram};

fn runs(program: &SmallProgram, mailboxes: Mailboxes) -> usize {
    let search = Search::run(program, mailboxes, Order::Newest);
    assert_eq!(search.repeated, 0);
    search.machines.len()
}

const ANY: Op = Op::Receive {
    accepts: 7,
    is_polling: false,
};

fn send(to: usize, value: u8) -> Op {
    Op::Send(to, Operand::Number(Number::Constant(value)))
}

/// Processes that each send one message to the first one, which receives them all.
fn mailbox(senders: usize) -> SmallProgram {
    let mut processes = vec![vec![ANY; senders]];
    processes.extend(vec![vec![send(0, 0)]; senders]);
    SmallProgram { processes }
}

#[test]
fn messages_of_some_senders_come_in_any_order() {
    for (senders, expected) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
        let program = mailbox(senders);
        assert_eq!(runs(&program, Mailboxes::Ordered), expected);
        assert_eq!(runs(&program, Mailboxes::ByReceive), expected);
    }
}

#[test]
fn readers_see_a_variable_before_or_after_it_is_written() {
    let writer = vec![Op::Write(0, Operand::Number(Number::Constant(1)))];
    for readers in 1..=7 {
        let mut processes = vec![Vec::new(), writer.clone()];
        processes.extend(vec![vec![Op::Read(0)]; readers]);
        let program = SmallProgram { processes };
        assert_eq!(runs(&program, Mailboxes::ByReceive), 1 << readers);
    }
}

#[test]
fn the_order_of_messages_that_nobody_receives_does_not_count() {
    let mut processes = vec![Vec::new()];
    processes.extend(vec![vec![send(0, 1)]; 3]);
    let program = SmallProgram { processes };
    assert_eq!(runs(&program, Mailboxes::Ordered), 6);
    assert_eq!(runs(&program, Mailboxes::ByReceive), 1);
}
