//! The search over orders and inputs on small random programs, compared with brute force; and how
//! many runs classic programs have.

mod classic_programs;
mod joint_search;
mod machine;
mod small_program;

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::Mailboxes;
use crate::visited::{Point, Visited};
use joint_search::{Order, Search};
use machine::Machine;
use small_program::{DOMAIN, Delivery, SmallProgram, programs};

/// Programs with more orders than this are not tried.
fn most_orders(program: &SmallProgram) -> usize {
    match program.delivery {
        Delivery::Instant => 60_000,
        // Deliveries make many more, and most of them are equivalent.
        Delivery::Any => 6_000,
    }
}

/// The classes of all runs of a program: the points of their events. `None` if there are too many.
fn brute_force(
    program: &SmallProgram,
    mailboxes: Mailboxes,
    visited: &mut Visited,
) -> Option<BTreeSet<Vec<Point>>> {
    let mut classes = BTreeSet::new();
    let mut orders = 0;
    for input in 0..DOMAIN {
        let mut open = vec![Machine::new(program, input)];
        while let Some(machine) = open.pop() {
            let enabled = machine.enabled();
            if enabled.is_empty() {
                orders += 1;
                classes.insert(joint_search::class(&machine, mailboxes, visited));
            }
            if orders > most_orders(program) {
                return None;
            }
            for process in enabled {
                let mut next = machine.clone();
                next.step(process);
                open.push(next);
            }
        }
    }
    Some(classes)
}

fn compare(program: &SmallProgram, mailboxes: Mailboxes) -> Result<(), TestCaseError> {
    let mut visited = Visited::default();
    let Some(classes) = brute_force(program, mailboxes, &mut visited) else {
        return Ok(());
    };
    let orders = [
        (Order::Newest, 1),
        (Order::Oldest, 1),
        (Order::Random(7), 1),
        (Order::Newest, 2),
        (Order::Random(8), 3),
        (Order::Oldest, 4),
    ];
    for (order, workers) in orders {
        let search = Search::run(program, mailboxes, order, workers);
        if workers == 1 {
            prop_assert_eq!(search.repeated, 0, "no class is run twice");
        }
        let mut found = BTreeSet::new();
        for machine in &search.machines {
            found.insert(joint_search::class(machine, mailboxes, &mut visited));
        }
        prop_assert_eq!(found.len(), search.machines.len());
        let missing = classes.difference(&found).count();
        prop_assert_eq!(missing, 0, "of {} classes", classes.len());
        prop_assert_eq!(found.difference(&classes).count(), 0);
    }
    Ok(())
}

proptest! {
    // The number of programs can be set: PROPTEST_CASES=10000.
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn every_class_is_run_once_if_sends_depend_on_each_other(
        program in programs(Delivery::Instant),
    ) {
        compare(&program, Mailboxes::Ordered)?;
    }

    #[test]
    fn every_class_is_run_once_if_only_receives_choose(program in programs(Delivery::Instant)) {
        compare(&program, Mailboxes::ByReceive)?;
    }

    #[test]
    fn every_class_is_run_once_if_deliveries_depend_on_each_other(
        program in programs(Delivery::Any),
    ) {
        compare(&program, Mailboxes::Ordered)?;
    }

    #[test]
    fn every_class_is_run_once_if_messages_take_their_time(program in programs(Delivery::Any)) {
        compare(&program, Mailboxes::ByReceive)?;
    }
}
