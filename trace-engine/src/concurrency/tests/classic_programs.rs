//! How many runs classic programs have: as many as optimal reductions make.

use super::super::Mailboxes;
use super::joint_search::{Order, Search};
use super::small_program::{Delivery, Number, Op, Operand, Patience, SmallProgram};

fn runs(program: &SmallProgram, mailboxes: Mailboxes) -> usize {
    let search = Search::run(program, mailboxes, Order::Newest, 1);
    assert_eq!(search.repeated, 0);
    search.machines.len()
}

fn without_signals(processes: Vec<Vec<Op>>) -> SmallProgram {
    SmallProgram {
        processes,
        has_signals: false,
        delivery: Delivery::Instant,
    }
}

/// The same program, with deliveries that are steps.
fn with_deliveries(program: SmallProgram) -> SmallProgram {
    SmallProgram {
        delivery: Delivery::Any,
        ..program
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
            delivery: Delivery::Instant,
        };
        // The last step is its end. Then it is killed after it.
        assert_eq!(runs(&program, Mailboxes::ByReceive), steps + 2);
    }
}

/// If only receives choose, deliveries add no runs of their own.
#[test]
fn messages_of_some_senders_come_in_as_many_orders_if_they_take_their_time() {
    for (senders, expected) in [(2, 2), (3, 6), (4, 24)] {
        let program = with_deliveries(mailbox(senders));
        assert_eq!(runs(&program, Mailboxes::Ordered), expected);
        assert_eq!(runs(&program, Mailboxes::ByReceive), expected);
    }
}

/// The first process sends to the last one and then to the second one, which sends to the last one.
fn triangle() -> SmallProgram {
    let first = vec![send(2, 0), send(1, 0)];
    let second = vec![ANY, send(2, 1)];
    without_signals(vec![first, second, vec![ANY, ANY]])
}

#[test]
fn a_message_overtakes_another_one_only_if_they_take_their_time() {
    for mailboxes in [Mailboxes::Ordered, Mailboxes::ByReceive] {
        assert_eq!(runs(&triangle(), mailboxes), 1);
        assert_eq!(runs(&with_deliveries(triangle()), mailboxes), 2);
    }
}

#[test]
fn messages_of_one_sender_never_overtake_each_other() {
    for messages in 1..4 {
        let sends = (0..messages).map(|value| send(0, value)).collect();
        let receives = vec![ANY; usize::from(messages)];
        let program = with_deliveries(without_signals(vec![receives, sends]));
        for mailboxes in [Mailboxes::Ordered, Mailboxes::ByReceive] {
            assert_eq!(runs(&program, mailboxes), 1);
        }
    }
}

/// A signal stays behind the message, so the message is there before the process is killed.
#[test]
fn a_process_is_killed_after_messages_that_were_sent_before() {
    let program = |delivery| SmallProgram {
        processes: vec![Vec::new(), vec![ANY], vec![send(1, 0), Op::Kill(1)]],
        has_signals: true,
        delivery,
    };
    for delivery in [Delivery::Instant, Delivery::Any] {
        // It is killed before or after its end.
        assert_eq!(runs(&program(delivery), Mailboxes::ByReceive), 2);
    }
}
