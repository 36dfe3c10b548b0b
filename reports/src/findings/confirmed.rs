//! A crash that happened again.

use erlang_term::Term;
use trace_engine::PlayMark;
use trace_engine::explore::Race;
use trace_format::{ProcessPath, Schedule};

use super::cause::Cause;
use super::finding::{ConfirmedOn, CrashInput, CrashPlay};
use super::reason_key::ReasonKeys;
use crate::call_results::asked_value;
use crate::call_sequence::{begun_calls, call_script, call_texts};
use crate::chart::ChartedRun;
use crate::crash_site::CrashSite;
use crate::entry::{Entry, EntryKind, argument_texts};
use crate::explored_code::ExploredCode;
use crate::language::Language;
use crate::machine::{asked_of_state, crash_script, event_texts};
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::searched::Searched;

/// An input of a group that crashes on the original code.
#[derive(Debug)]
pub(super) struct Confirmed {
    /// The test of the group with this input, or with a larger one.
    pub(super) test: usize,
    /// Whether the input is smaller than that of the test.
    pub(super) is_shrunk: bool,
    pub(super) arguments: Vec<Term>,
    pub(super) cause: Cause,
    pub(super) outcome: Outcome,
    /// The process that crashes.
    pub(super) process: ProcessPath,
    /// If it was run with a schedule: which process takes its steps when.
    pub(super) schedule: Option<Schedule>,
    /// Whether it does not happen in the usual order of steps.
    pub(super) needs_order: bool,
    /// Two steps in whose other order it does not happen.
    pub(super) race: Option<Race>,
    /// These steps, by their numbers among the events of the run.
    pub(super) racing: Option<[usize; 2]>,
    /// What its processes do, if there are several.
    pub(super) charted: Option<ChartedRun>,
    pub(super) on: ConfirmedOn,
    /// The message of the exception, where the program has words of its own for it.
    pub(super) message: Option<String>,
    /// What the play of a machine told.
    pub(super) marks: Vec<PlayMark>,
    pub(super) site: Option<CrashSite>,
}

/// The code in which causes of crashes are looked up.
#[derive(Debug)]
pub(super) struct Confirming<'code> {
    pub(super) code: &'code ExploredCode<'code>,
    pub(super) keys: &'code ReasonKeys<'code>,
}

impl Confirming<'_> {
    /// A run on the original code, if it crashed.
    pub(super) fn crash<C: OriginalCode>(
        &self,
        (entry, test, arguments): (&Entry, usize, &[Term]),
        outcome: Outcome,
        original: &mut C,
    ) -> Option<Confirmed> {
        if !outcome.is_finding() {
            return None;
        }
        let marks = || {
            let list = Term::list(arguments.to_vec());
            original.marks(entry, list, &Schedule::default())
        };
        let site = CrashSite::new(self.code, entry, &outcome, marks);
        let cause = Cause::new(self.keys, entry, arguments, &outcome, site.as_ref());
        Some(Confirmed {
            test,
            is_shrunk: false,
            arguments: arguments.to_vec(),
            cause,
            outcome,
            process: ProcessPath::ENTRY,
            schedule: None,
            needs_order: true,
            race: None,
            racing: None,
            charted: None,
            on: ConfirmedOn::Code,
            message: None,
            marks: Vec::new(),
            site,
        })
    }
}

impl Confirmed {
    /// The length of its arguments as text.
    pub(super) fn size(&self) -> usize {
        let texts = argument_texts(&self.arguments);
        texts.iter().map(String::len).sum()
    }

    /// The same crash in the order of another run of its input.
    pub(super) fn in_order_of(&self, other: Self) -> Self {
        Self {
            is_shrunk: self.is_shrunk,
            ..other
        }
    }

    /// How often another process goes on.
    pub(super) fn switches(&self) -> usize {
        self.schedule.as_ref().map_or(0, Schedule::switches)
    }

    /// Whether a program is likely to get this input.
    pub(super) fn is_plain(&self, search: &Searched) -> bool {
        search.is_plain(&self.arguments, &self.outcome)
    }

    /// With the message that the program has for its exception.
    pub(super) fn with_message<C: OriginalCode>(mut self, entry: &Entry, original: &mut C) -> Self {
        let is_raised = matches!(self.outcome, Outcome::Exception { .. });
        let is_alone = self.schedule.is_none();
        let is_own = is_raised && is_alone && !self.outcome.breaks_postcondition();
        if is_own && Language::of(&entry.module) == Language::Elixir {
            self.message = original.banner(entry, Term::list(self.arguments.clone()));
        }
        self
    }

    /// With what the play of a machine or of calls tells.
    pub(super) fn with_marks<C: OriginalCode>(mut self, entry: &Entry, original: &mut C) -> Self {
        if !entry.is_function() {
            let schedule = self.schedule.clone().unwrap_or_default();
            self.marks = original.marks(entry, Term::list(self.arguments.clone()), &schedule);
        }
        self
    }

    /// What is asked of the state of a machine to see it, if the machine goes on.
    fn asked(&self) -> Option<String> {
        let is_own = self.process == ProcessPath::ENTRY;
        is_own
            .then(|| asked_of_state(&self.marks, &self.outcome))
            .flatten()
    }

    /// The play of a machine or of calls that shows it.
    pub(super) fn play(&self, entry: &Entry) -> Option<CrashPlay> {
        let (module, arguments, marks) = (&entry.module, &self.arguments, &self.marks);
        match entry.kind {
            EntryKind::Function => None,
            EntryKind::Machine(behaviour) => Some(CrashPlay {
                script: crash_script(module, behaviour, (arguments, marks), self.asked()),
                events: event_texts(arguments, marks),
            }),
            EntryKind::Calls => {
                let asked = self.outcome.broken_invariant();
                let asked = asked.as_deref().and_then(|it| it.strip_suffix("/1"));
                let value = asked_value(&begun_calls(arguments, marks), marks, &self.outcome);
                Some(CrashPlay {
                    script: call_script(module, arguments, marks, asked.map(|it| (it, value))),
                    events: call_texts(module, arguments, marks),
                })
            }
        }
    }

    /// Its input, given the number of its search.
    pub(super) fn input(&self, number: usize, search: &Searched) -> CrashInput {
        CrashInput {
            search: number,
            test: self.test,
            is_shrunk: self.is_shrunk,
            arguments: search.entry.arguments(&self.arguments),
            is_likely: self.is_plain(search),
            switches: self.switches(),
        }
    }
}
