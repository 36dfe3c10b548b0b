//! The tests of a machine for EUnit: scripts that start the unchanged module, send it events, and
//! assert its replies and its last state, or why it ended.
//!
//! A script for each transition, and for what else reached a clause first; and for each finding.

use std::collections::BTreeSet;

use erlang_term::Term;
use trace_engine::{PlayMark, PlayMarkKind};
use trace_format::Schedule;

use super::test_case::{CaseKind, TestCase};
use crate::machine::{Behaviour, is_answered, played, shortest_tests, waited};
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::printed_value::read_shape;
use crate::searched::Searched;

/// A script that sleeps longer than this, in milliseconds, is left out.
const LONGEST_SLEEP: i64 = 2_000;

/// How much longer than its time a timer is waited for.
const PATIENCE: i64 = 50;

/// The cases of a machine: short sequences first, and findings last.
pub(super) fn machine_cases<C: OriginalCode>(
    search: &Searched,
    behaviour: Behaviour,
    original: &mut C,
) -> Result<Vec<TestCase>, C::Failure> {
    let mut sequences: Vec<(bool, Vec<Term>, &Outcome)> = Vec::new();
    for number in chosen(search) {
        if let Some(test) = search.report.tests.get(number)
            && test.schedule.is_none()
        {
            let outcome = &test.outcome.of_entry;
            let arguments = test.arguments.terms();
            sequences.push((outcome.is_finding(), arguments, outcome));
        }
    }
    sequences.sort_by_cached_key(|(is_finding, arguments, _)| {
        let texts = search.entry.arguments(arguments);
        (*is_finding, texts.len(), texts)
    });
    let mut cases = Vec::new();
    for (_, arguments, outcome) in sequences {
        cases.push(case(search, behaviour, &arguments, outcome, original)?);
    }
    Ok(cases)
}

/// The numbers of the tests that become scripts.
fn chosen(search: &Searched) -> BTreeSet<usize> {
    let tests = search.report.tests.iter();
    let marked = tests.clone().map(|it| (it.arguments.terms(), &*it.marks));
    let mut chosen = shortest_tests(marked);
    let mut crashes = BTreeSet::new();
    for (number, test) in tests.enumerate() {
        let is_first = search.new_clauses.get(number).is_some_and(|it| *it > 0);
        let outcome = &test.outcome.of_entry;
        let is_new = outcome.is_finding() && crashes.insert(format!("{:?}", outcome.stack()));
        if is_first || is_new {
            chosen.insert(number);
        }
    }
    chosen
}

fn case<C: OriginalCode>(
    search: &Searched,
    behaviour: Behaviour,
    arguments: &[Term],
    outcome: &Outcome,
    original: &mut C,
) -> Result<TestCase, C::Failure> {
    let list = Term::list(arguments.to_vec());
    let now = original.run(&search.entry, list.clone())?;
    let marks = original.marks(&search.entry, list, &Schedule::default());
    let script = Script {
        module: search.entry.module.to_string(),
        behaviour,
        marks: &marks,
    };
    let kind = match now {
        None => CaseKind::Skipped {
            why: "there was no time to check it",
        },
        Some(now) if !ends_alike(&now, outcome) => CaseKind::Skipped {
            why: "it ended in another way when it was run again",
        },
        Some(now) if script.sleeps(arguments) > LONGEST_SLEEP => {
            let _ = now;
            CaseKind::Skipped {
                why: "its timers take too long",
            }
        }
        Some(now) => match script.lines(arguments, &now) {
            Some(lines) => CaseKind::Play {
                name: name(search, arguments, &now),
                lines,
                is_finding: now.is_finding(),
            },
            None => CaseKind::Skipped {
                why: "its end cannot be asserted",
            },
        },
    };
    Ok(TestCase {
        call: search.entry.call(&search.entry.arguments(arguments)),
        has_funs: arguments.iter().any(Term::has_funs),
        bindings: Vec::new(),
        note: Vec::new(),
        kind,
    })
}

/// Whether two runs return, or raise the same.
fn ends_alike(one: &Outcome, other: &Outcome) -> bool {
    let kind = |it: &Outcome| match it {
        Outcome::Exception { class, reason, .. } => Some((class.clone(), reason.clone())),
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => None,
    };
    one.name() == other.name() && kind(one) == kind(other)
}

/// `door_after_cast_and_call_ends_by_badarith`.
fn name(search: &Searched, arguments: &[Term], outcome: &Outcome) -> String {
    let events = played(arguments).iter().skip(1);
    let words: Vec<String> = events.map(word).collect();
    let module = plain(search.entry.module.as_str());
    let after = if words.is_empty() {
        "init".to_owned()
    } else {
        words.join("_and_")
    };
    let after: String = after.chars().take(80).collect();
    match outcome {
        Outcome::Exception { reason, .. } => {
            let reason: String = plain(reason).chars().take(30).collect();
            format!("{module}_ends_by_{reason}_after_{after}")
        }
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => format!("{module}_after_{after}"),
    }
}

/// An event in a word or two: `cast_code`.
fn word(event: &Term) -> String {
    let Some([kind, content]) = event.as_tuple() else {
        return plain(&event.to_string());
    };
    let tag = content
        .as_tuple()
        .and_then(<[Term]>::first)
        .unwrap_or(content);
    match tag.as_atom() {
        Some(tag) => format!("{kind}_{}", plain(tag)),
        None => kind.to_string(),
    }
}

/// The letters and digits of a text, with one `_` for what is between them.
fn plain(text: &str) -> String {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
    words.join("_").to_lowercase()
}

/// What a script is made of.
struct Script<'play> {
    module: String,
    behaviour: Behaviour,
    marks: &'play [PlayMark],
}

impl Script<'_> {
    /// How long it sleeps.
    fn sleeps(&self, arguments: &[Term]) -> i64 {
        let events = (1..).zip(played(arguments).iter().skip(1));
        let pauses = events.filter(|it| it.1.as_tuple().is_none());
        let times = pauses.map(|it| waited(it.0, self.marks).unwrap_or_default());
        times.fold(0, i64::saturating_add)
    }

    /// Its expressions; `None` if the end cannot be asserted.
    fn lines(&self, arguments: &[Term], outcome: &Outcome) -> Option<Vec<String>> {
        let (argument, events) = played(arguments).split_first()?;
        let name = self.behaviour.name();
        let start = format!("{name}:start({}, {argument}, [])", self.module);
        let has_started = self
            .marks
            .iter()
            .any(|it| it.index == 0 && matches!(it.kind, PlayMarkKind::Handled { .. }));
        if !has_started {
            let is_ignored = matches!(outcome, Outcome::Ok(text) if text == "ignore");
            return Some(vec![if is_ignored {
                format!("?assertEqual(ignore, {start})")
            } else {
                format!("?assertMatch({{error, _}}, {start})")
            }]);
        }
        let ending = self.ending(outcome)?;
        let mut lines = vec![format!("{{ok, Pid}} = {start}")];
        if ending.iter().any(|it| it.contains("Ref")) {
            lines.push("Ref = monitor(process, Pid)".to_owned());
        }
        for (index, event) in (1..).zip(events) {
            lines.push(match event.as_tuple() {
                Some([kind, content]) => self.sent(index, kind, content),
                Some(_) | None => {
                    let time = waited(index, self.marks).unwrap_or_default();
                    format!("timer:sleep({})", time.saturating_add(PATIENCE))
                }
            });
        }
        lines.extend(ending);
        Some(lines)
    }

    fn sent(&self, index: usize, kind: &Term, content: &Term) -> String {
        let name = self.behaviour.name();
        match kind.as_atom() {
            Some("call") if is_answered(index, self.marks) => {
                let call = format!("{name}:call(Pid, {content})");
                match self.reply(index) {
                    Some(reply) => format!("?assertEqual({reply}, {call})"),
                    None => call,
                }
            }
            Some("call") => format!("{name}:send_request(Pid, {content})"),
            Some("cast") => format!("{name}:cast(Pid, {content})"),
            Some(_) | None => format!("Pid ! {content}"),
        }
    }

    /// The reply to a call, if it can be written.
    fn reply(&self, index: usize) -> Option<&Term> {
        let mut own = self.marks.iter().filter(|it| it.index == index);
        own.find_map(|it| match &it.kind {
            PlayMarkKind::Replied(reply) => Some(reply),
            PlayMarkKind::Handled { .. }
            | PlayMarkKind::Waited(_)
            | PlayMarkKind::Fired(_)
            | PlayMarkKind::Ended => None,
        })
    }

    /// What is asserted in the end.
    fn ending(&self, outcome: &Outcome) -> Option<Vec<String>> {
        let has_ended = self.marks.iter().any(|it| it.kind == PlayMarkKind::Ended);
        let ended = |expected: &str, pattern: &str| {
            let why = format!(
                "Why = receive {{'DOWN', Ref, process, Pid, {pattern}}} -> Reason \
                 after 1000 -> running end"
            );
            vec![why, format!("?assertEqual({expected}, Why)")]
        };
        match outcome {
            Outcome::Exception { class, reason, .. } => {
                read_shape(reason)?;
                let pattern = match class.as_str() {
                    "exit" => "Reason",
                    _ => "{Reason, _}",
                };
                Some(ended(reason, pattern))
            }
            Outcome::Ok(text) if has_ended => {
                let reason = text.strip_prefix("{stopped,")?.strip_suffix('}')?;
                Some(ended(reason, "Reason"))
            }
            Outcome::Ok(_) => {
                let state = self.marks.iter().rev().find_map(|it| match &it.kind {
                    PlayMarkKind::Handled { state, .. } => Some(state.as_ref()),
                    PlayMarkKind::Waited(_)
                    | PlayMarkKind::Fired(_)
                    | PlayMarkKind::Replied(_)
                    | PlayMarkKind::Ended => None,
                });
                let asserted = state
                    .flatten()
                    .map(|it| format!("?assertEqual({it}, sys:get_state(Pid))"));
                let stop = format!("{}:stop(Pid)", self.behaviour.name());
                Some(asserted.into_iter().chain([stop]).collect())
            }
            Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Blocked(_)
            | Outcome::Deadlock { .. }
            | Outcome::Steps => None,
        }
    }
}
