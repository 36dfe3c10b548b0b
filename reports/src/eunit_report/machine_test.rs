//! The tests of a machine for EUnit: scripts that start the unchanged module, send it events, and
//! assert its replies and its last state, or why it ended.
//!
//! A script for each transition, and for what else reached a clause first; and for each finding.

use erlang_term::Term;
use trace_engine::{PlayMark, PlayMarkKind};
use trace_format::Schedule;

use super::played_tests::{NO_END, plain, played_cases, telling_tests};
use super::test_case::{CaseKind, TestCase};
use crate::machine::{
    Behaviour, asked_of_state, has_started, is_answered, played, shortest_tests, started, waited,
};
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
    let tests = search.report.tests.iter();
    let marked = tests.map(|it| (it.arguments.terms(), &*it.marks));
    let mut chosen = shortest_tests(marked);
    chosen.extend(telling_tests(search));
    let marks = |original: &mut C, arguments: &[Term]| {
        let list = Term::list(arguments.to_vec());
        original.marks(&search.entry, list, &Schedule::default())
    };
    let left_out = |original: &mut C, arguments: &[Term]| {
        let marks = marks(original, arguments);
        Script::new(search, behaviour, &marks).why_left_out(arguments)
    };
    let written = |original: &mut C, arguments: &[Term], now: &Outcome| {
        let marks = marks(original, arguments);
        match Script::new(search, behaviour, &marks).lines(arguments, now) {
            Some(lines) => CaseKind::Play {
                name: name(search, arguments, now),
                lines,
                is_finding: now.is_finding(),
            },
            None => NO_END,
        }
    };
    played_cases(search, &chosen, original, left_out, written)
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

/// What a script is made of.
struct Script<'play> {
    module: String,
    behaviour: Behaviour,
    marks: &'play [PlayMark],
}

impl<'play> Script<'play> {
    fn new(search: &Searched, behaviour: Behaviour, marks: &'play [PlayMark]) -> Self {
        Self {
            module: search.entry.module.to_string(),
            behaviour,
            marks,
        }
    }

    /// Why there is no test of these events, if a test could not know when timers are over.
    fn why_left_out(&self, arguments: &[Term]) -> Option<&'static str> {
        if self.sleeps(arguments) > LONGEST_SLEEP {
            return Some("its timers take too long");
        }
        let is_close = self.has_close_timers(arguments);
        is_close.then_some("a timer may be over before its next event")
    }

    /// Whether a timer that is not to be over at some event is over soon: a test sleeps a little
    /// longer than timers take.
    fn has_close_timers(&self, arguments: &[Term]) -> bool {
        let mut late = PATIENCE;
        let events = played(arguments).iter().skip(1);
        let events = events.map(Some).chain([None]);
        (0..).zip(events).any(|(index, next)| {
            let waits = next.is_some_and(|it| it.as_tuple().is_none());
            let is_close = !waits && self.left(index).is_some_and(|it| it < 2 * late);
            late = if waits { late + PATIENCE } else { PATIENCE };
            is_close
        })
    }

    /// The time of the next timer after an event.
    fn left(&self, index: usize) -> Option<i64> {
        let mut own = self.marks.iter().filter(|it| it.index == index);
        own.find_map(|it| match &it.kind {
            PlayMarkKind::Waits(left) => left.as_i64(),
            PlayMarkKind::Handled { .. }
            | PlayMarkKind::Waited(_)
            | PlayMarkKind::Replied(_)
            | PlayMarkKind::Fired(_)
            | PlayMarkKind::Ended { .. } => None,
        })
    }

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
        if !has_started(self.marks) {
            let start = format!("{name}:start({}, {argument}, [])", self.module);
            let is_ignored = matches!(outcome, Outcome::Ok(text) if text == "ignore");
            return Some(vec![if is_ignored {
                format!("?assertEqual(ignore, {start})")
            } else {
                format!("?assertMatch({{error, _}}, {start})")
            }]);
        }
        let ending = self.ending(outcome)?;
        let is_monitored = ending.iter().any(|it| it.contains("Ref"));
        let ends_at_once = events.is_empty() && is_monitored;
        let starts = (ends_at_once, is_monitored);
        let mut lines = started(&self.module, self.behaviour, argument, starts);
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
            | PlayMarkKind::Waits(_)
            | PlayMarkKind::Fired(_)
            | PlayMarkKind::Ended { .. } => None,
        })
    }

    /// What is asserted in the end.
    fn ending(&self, outcome: &Outcome) -> Option<Vec<String>> {
        let has_ended = self
            .marks
            .iter()
            .any(|it| matches!(it.kind, PlayMarkKind::Ended { .. }));
        let ended = |expected: &str, pattern: &str| {
            let why = format!(
                "Why = receive {{'DOWN', Ref, process, Pid, {pattern}}} -> Reason \
                 after 1000 -> running end"
            );
            vec![why, format!("?assertEqual({expected}, Why)")]
        };
        let stop = format!("{}:stop(Pid)", self.behaviour.name());
        match outcome {
            Outcome::Exception { class, reason, .. } if !has_ended => {
                let asked = asked_of_state(self.marks, outcome)?;
                let asserted = match outcome.asked_invariant() {
                    Some(_) => format!("?assertNotEqual(true, {asked})"),
                    None => {
                        read_shape(reason)?;
                        format!("?assertException({class}, {reason}, {asked})")
                    }
                };
                Some(vec![asserted, stop])
            }
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
                    | PlayMarkKind::Waits(_)
                    | PlayMarkKind::Fired(_)
                    | PlayMarkKind::Replied(_)
                    | PlayMarkKind::Ended { .. } => None,
                });
                let asserted = state
                    .flatten()
                    .map(|it| format!("?assertEqual({it}, sys:get_state(Pid))"));
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
