//! Findings in runs of several processes.

use std::path::Path;

use erlang_term::Term;
use trace_engine::explore::Test;
use trace_engine::{Moment, MomentKind, ReplayedProcess, RunCourse, UnreadMessage};
use trace_format::{Ending, ProcessPath, Program, Schedule};

use super::{SOURCE, exploration, explored, raised, searched, test};
use crate::*;

/// Code with two processes. The second one raises if it takes a step before the last step of the
/// first one, and if the argument is not too small.
#[derive(Default)]
struct TwoProcesses {
    trials: usize,
    crashes_in_trial: Option<usize>,
}

fn ordered_end(argument: i64, schedule: &str) -> OrderedRun {
    let taken = match schedule {
        "" => "0*2,0.1".to_owned(),
        given => given.to_owned(),
    };
    let crashes = argument > 2 && taken.ends_with(",0");
    let end = if crashes {
        ProcessEnd::Raised {
            class: "error".to_owned(),
            reason: "badarith".to_owned(),
            stack: raised("error", "badarith", 7).stack().to_vec(),
        }
    } else {
        ProcessEnd::Normal
    };
    let process = |index, path: &str, end| RunProcess {
        index,
        path: path.parse().expect("it is a path"),
        entry: "m:f/1".to_owned(),
        is_own: true,
        end,
    };
    let processes = [process(0, "0", ProcessEnd::Normal), process(1, "0.1", end)];
    OrderedRun {
        end: RunEnd {
            of_entry: Outcome::Ok("1".to_owned()),
            processes: processes.into(),
        },
        schedule: taken.parse().expect("it is a schedule"),
    }
}

/// What the two processes do: the second one crashes, and never takes a message.
fn course() -> RunCourse {
    let process = |path: ProcessPath| ReplayedProcess {
        path,
        entry: None,
        ending: Ending::Open,
        waits_at: None,
    };
    let moment = |event, process, kind| Moment {
        event,
        process,
        kind,
        place: None,
    };
    let message = "{<tag>,<0>}".to_owned();
    RunCourse {
        processes: [ProcessPath::ENTRY, ProcessPath::ENTRY.child(1)]
            .map(process)
            .into(),
        moments: vec![
            moment(0, 0, MomentKind::Spawn { child: 1 }),
            moment(1, 1, MomentKind::End),
            moment(
                2,
                0,
                MomentKind::Send {
                    to: 1,
                    message: message.clone(),
                    arrives: true,
                },
            ),
        ],
        unread: vec![UnreadMessage {
            from: 0,
            to: 1,
            message,
            has_arrived: true,
        }],
        is_cut: false,
    }
}

impl OriginalCode for TwoProcesses {
    type Failure = String;

    fn run(&mut self, _: &Entry, _: Term) -> Result<Option<Outcome>, String> {
        Err("it has several processes".to_owned())
    }

    fn try_out(
        &mut self,
        _: &Entry,
        _: Term,
        trial: Trial,
    ) -> Result<Option<Vec<Outcome>>, String> {
        self.trials += 1;
        let mut ends = vec![Outcome::Ok("1".to_owned())];
        if Some(trial.number) == self.crashes_in_trial {
            ends.push(raised("error", "badarith", 7));
        }
        Ok(Some(ends))
    }

    fn run_in_order(
        &mut self,
        _: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Result<Option<OrderedRun>, String> {
        let argument = arguments.as_list().and_then(<[Term]>::first);
        let argument = argument.and_then(Term::as_i64).unwrap_or(0);
        Ok(Some(ordered_end(argument, &schedule.to_string())))
    }

    fn charted_run(
        &mut self,
        _: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Option<ChartedRun> {
        let argument = arguments.as_list().and_then(<[Term]>::first);
        let argument = argument.and_then(Term::as_i64).unwrap_or(0);
        let end = ordered_end(argument, &schedule.to_string()).end;
        let course = course();
        Some(ChartedRun { course, end })
    }

    fn banner(&mut self, _: &Entry, _: Term) -> Option<String> {
        None
    }

    fn formatted(&mut self, _: &str, _: usize) -> Option<String> {
        None
    }

    fn is_input(&self, _: &Entry, _: &[Term]) -> bool {
        true
    }

    fn has_time_to_shrink(&self) -> bool {
        true
    }
}

fn ordered_test(argument: i64, schedule: &str) -> Test<RunEnd> {
    Test {
        outcome: ordered_end(argument, schedule).end,
        schedule: Some(schedule.into()),
        ..test(None, argument, Outcome::Ok("1".to_owned()))
    }
}

#[test]
fn a_crash_of_another_process_is_found_with_its_schedule() {
    let tests = || {
        vec![
            ordered_test(90, "0*2,0.1"),
            ordered_test(90, "0,0.1,0,0.1,0"),
            ordered_test(90, "0,0.1,0"),
        ]
    };
    for (crashes_in_trial, on, trials) in [
        (None, ConfirmedOn::Schedule, 50),
        (Some(3), ConfirmedOn::Code, 4),
    ] {
        let mut original = TwoProcesses {
            crashes_in_trial,
            ..TwoProcesses::default()
        };
        let code = Program::default();
        let mut searches = [searched(tests())];
        let (findings, _) = find_crashes(&explored(&code), &mut searches, 5, &mut original);
        let [finding] = findings.as_slice() else {
            panic!("{findings:?}");
        };
        assert_eq!(finding.process.to_string(), "0.1");
        assert_eq!(finding.confirmed_on, on);
        assert_eq!(original.trials, trials);
        let schedule = finding.schedule.as_ref().map(ToString::to_string);
        assert_eq!(schedule.as_deref(), Some("0,0.1,0"));
        // The input is made smaller with the schedule.
        assert_eq!(finding.first().arguments, ["3"]);
        assert_eq!((finding.tests, finding.also.len()), (2, 1));
    }
}

#[test]
fn reports_show_processes_and_schedules() {
    let program = Program::default();
    let code = explored(&program);
    let mut exploration = exploration(&code, vec![searched(vec![ordered_test(3, "0,0.1,0")])]);
    let original = &mut TwoProcesses::default();
    exploration.findings = find_crashes(&code, &mut exploration.searches, 5, original).0;
    let waiting = [("0", 2), ("0.1", 3)].map(|(process, line)| Waiting {
        process: process.to_owned(),
        stack: raised("error", "x", line).stack().to_vec(),
    });
    let mut deadlock = exploration.findings[0].clone();
    deadlock.outcome = Outcome::Deadlock {
        waiting: waiting.to_vec(),
    };
    deadlock.process = ProcessPath::ENTRY;
    deadlock.race = Some([2, 3].map(|line| SourcePlace {
        file: "m.erl".to_owned(),
        line,
    }));
    exploration.findings.push(deadlock);
    let read = |path: &Path| (path == Path::new("m.erl")).then(|| SOURCE.to_owned());
    let mut json = Vec::new();
    json_report(&exploration, &mut json).expect("a vector can be written");
    let json = String::from_utf8(json).expect("JSON is UTF-8");
    insta::assert_snapshot!("text_of_processes", text_report(&exploration, &read));
    insta::assert_snapshot!("json_of_processes", json);
    insta::assert_snapshot!("github_of_processes", github_report(&exploration));
    let junit = junit_report(&exploration);
    assert!(
        junit.contains("process 0.1 waits in m:f/1 (m.erl:3)"),
        "{junit}"
    );
    let sarif = sarif_report(&exploration, "1").to_string();
    assert!(sarif.contains("relatedLocations"), "{sarif}");
    let page = html_report(&exploration, &read);
    for part in [
        "Processes",
        "<code>0,0.1,0</code>",
        "confirmed with its schedule",
        "<code>0</code> to 0.1: {&lt;tag&gt;,&lt;0&gt;}",
        "<summary><svg",
        "crashes: error: badarith",
        "<h4 class=\"part\">Never received</h4>",
    ] {
        assert!(page.contains(part), "{part}");
    }
}
