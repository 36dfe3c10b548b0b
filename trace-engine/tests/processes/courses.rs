//! The courses of runs, as people tell them.

use erlang_term::Term;
use solver::ReleaseRules;
use trace_engine::explore::RecordedRun;
use trace_engine::{Bounds, MomentKind, Rest, RunCourse, course_of};
use trace_format::{ProcessLogs, TakenLease, Wire};

use super::{two_senders, two_senders_logs};

/// The course of a run in which the first process takes the message of the sender with this number.
fn course(sender: u32, leases: &[TakenLease]) -> RunCourse {
    let program = two_senders();
    let logs = two_senders_logs(&program, 20, sender, &[]);
    let logs: Vec<Vec<u8>> = (0..3).map(|it| logs.process(it).to_vec()).collect();
    let run = RecordedRun {
        program: &program,
        wire: Wire::Lean,
        entry: (0, 0),
        arguments: &[Term::Integer(20.into())],
        logs: &ProcessLogs::new(logs, leases.iter().copied()),
        rules: &ReleaseRules::default(),
        any_time: false,
    };
    let bounds = Bounds {
        max_decisions: 100,
        max_decisions_of_several: 100,
        rest: Rest::Nothing,
    };
    course_of(&run, 10_000, bounds, &|| false).expect("the logs fit")
}

fn told(course: &RunCourse) -> Vec<String> {
    let moments = course.moments.iter();
    let words = moments.map(|it| {
        let what = match &it.kind {
            MomentKind::Send {
                to,
                message,
                arrives,
            } => format!("sends {message} to {to}, arrives: {arrives}"),
            MomentKind::Deliver { to, message } => format!("reaches {to}: {message}"),
            MomentKind::Spawn { child } => format!("starts {child}"),
            MomentKind::Take {
                from,
                message,
                waited,
            } => format!("takes {message} from {from}, waited: {waited}"),
            MomentKind::Timeout => "times out".to_owned(),
            MomentKind::Step => "steps".to_owned(),
            MomentKind::End => "ends".to_owned(),
            MomentKind::Ended { by } => format!("is ended by {by}"),
        };
        format!("{} {what}", it.process)
    });
    words.collect()
}

#[test]
fn messages_have_the_values_of_the_run() {
    let course = course(
        0,
        &[
            TakenLease::Steps(0, 2),
            TakenLease::Steps(1, 2),
            TakenLease::Steps(2, 2),
            TakenLease::Steps(0, 1),
        ],
    );
    assert_eq!(
        told(&course),
        [
            "0 starts 1",
            "0 starts 2",
            "1 sends {a,20} to 0, arrives: true",
            "1 ends",
            "2 sends {b,20} to 0, arrives: true",
            "2 ends",
            "0 takes {a,20} from 1, waited: true",
            "0 ends",
        ]
    );
    let [unread] = course.unread.as_slice() else {
        panic!("{course:?}");
    };
    assert_eq!((unread.from, unread.to), (2, 0));
    assert_eq!(
        (unread.message.as_str(), unread.has_arrived),
        ("{b,20}", true)
    );
    assert!(!course.is_cut);
}

#[test]
fn a_message_that_takes_its_time_is_told_twice() {
    let course = course(
        1,
        &[
            TakenLease::Steps(0, 2),
            TakenLease::Steps(1, 2),
            TakenLease::Steps(2, 2),
            TakenLease::Deliveries(2, 0, 1),
            TakenLease::Steps(0, 1),
        ],
    );
    assert_eq!(
        told(&course)[2..],
        [
            "1 sends ... to 0, arrives: false",
            "1 ends",
            "2 sends {b,20} to 0, arrives: false",
            "2 ends",
            "2 reaches 0: {b,20}",
            "0 takes {b,20} from 2, waited: true",
            "0 ends",
        ]
    );
    let [unread] = course.unread.as_slice() else {
        panic!("{course:?}");
    };
    assert_eq!((unread.from, unread.has_arrived), (1, false));
}
