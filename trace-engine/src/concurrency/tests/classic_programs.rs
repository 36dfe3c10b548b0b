//! How many runs classic programs have: as many as optimal reductions make.

use super::super::Mailboxes;
use super::joint_search::{Order, Search};
use super::small_program::{Number, Op, Operand, Patience, SmallProgram};

fn runs(program: &SmallProgram, mailboxes: Mailboxes) -> usize {
    let search = Search::run(program, mailboxes, Order::Newest, 1);
    assert_eq!(search.repeated, 0);
    search.machines.len()
}

fn without_signals(processes: Vec<Vec<Op>>) -> SmallProgram {
    SmallProgram {
        processes,
        has_signals: false,
    }
}

const ANY: Op = Op::Receive {
    accepts: 7,
    patience: Patience::Endless,
};

fn send(to: usize, value: u8) -> Op {
    Op::Send(to, Operand::Number(Number::Constant(value)))
}

/// Processes that each send one message to the first one, which receives them all.
fn mailbox(senders: usize) -> SmallProgram {
    let mut processes = vec![vec![ANY; senders]];
    processes.extend(vec![vec![send(0, 0)]; senders]);
    without_signals(processes)
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
        let program = without_signals(processes);
        assert_eq!(runs(&program, Mailboxes::ByReceive), 1 << readers);
    }
}

#[test]
fn the_order_of_messages_that_nobody_receives_does_not_count() {
    let mut processes = vec![Vec::new()];
    processes.extend(vec![vec![send(0, 1)]; 3]);
    let program = without_signals(processes);
    assert_eq!(runs(&program, Mailboxes::Ordered), 6);
    assert_eq!(runs(&program, Mailboxes::ByReceive), 1);
}

/// How many steps a process makes before it is killed is up to the order.
#[test]
fn a_process_is_killed_before_each_of_its_steps() {
    for steps in 0..4 {
        let process = vec![Op::Read(0); steps];
        let program = SmallProgram {
            processes: vec![Vec::new(), process, vec![Op::Kill(1)]],
            has_signals: true,
        };
        // The last step is its end. Then it is killed after it.
        assert_eq!(runs(&program, Mailboxes::ByReceive), steps + 2);
    }
}
