//! Why and where a run crashed. Runs with the same cause are one finding.

use std::fmt;

use erlang_term::Term;

use super::reason_key::ReasonKeys;
use crate::crash_site::CrashSite;
use crate::entry::Entry;
use crate::outcome::Outcome;
use crate::reason_words::rough_key;

/// Why and where a run crashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    kind: CrashKind,
    /// The reason without values of the input.
    reason: String,
    place: CrashPlace,
}

/// How a run crashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CrashKind {
    /// It raised, with this class.
    Raised(String),
    /// It took too long or too much memory. Which of these comes first depends on the machine and
    /// on the instrumentation.
    Endless,
    /// It waits for ever.
    Deadlock,
    /// It brought its BEAM down.
    BeamDown,
    /// It did not crash.
    None,
}

/// Where a run crashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CrashPlace {
    Line(String, i64),
    Function(String),
    /// Somewhere in this entry, or unknown.
    Entry(String),
}

impl CrashKind {
    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Exception { class, .. } => Self::Raised(class.clone()),
            Outcome::Timeout | Outcome::Killed => Self::Endless,
            Outcome::Deadlock { .. } => Self::Deadlock,
            Outcome::WorkerDied => Self::BeamDown,
            Outcome::Ok(_) | Outcome::Steps | Outcome::Blocked(_) => Self::None,
        }
    }
}

impl Cause {
    /// The cause of a crash as far as its outcome alone shows it.
    pub fn of(outcome: &Outcome) -> Self {
        let reason = match outcome {
            Outcome::Exception { reason, .. } => rough_key(reason),
            Outcome::Ok(_)
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_) => String::new(),
        };
        let place = outcome.crash_site().map(|it| (it.file.clone(), it.line));
        let place = place.map(|(file, line)| CrashPlace::Line(file, line));
        Self {
            kind: CrashKind::of(outcome),
            reason,
            place: place.unwrap_or(CrashPlace::Entry(String::new())),
        }
    }

    /// The cause of a crash of an entry on some arguments.
    pub(super) fn new(
        keys: &ReasonKeys<'_>,
        entry: &Entry,
        arguments: &[Term],
        outcome: &Outcome,
        site: Option<&CrashSite>,
    ) -> Self {
        let reason = match outcome {
            Outcome::Exception { class, reason, .. } => keys.key(class, reason, site, arguments),
            Outcome::Ok(_)
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_) => String::new(),
        };
        let place = match site {
            Some(site) if site.line > 0 => CrashPlace::Line(site.file.clone(), site.line),
            Some(site) => CrashPlace::Function(site.function.clone()),
            None => CrashPlace::Entry(entry.to_string()),
        };
        Self {
            kind: CrashKind::of(outcome),
            reason,
            place,
        }
    }

    /// The reason without values of the input.
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }

    /// Whether the run took too long or too much memory.
    pub(super) fn is_endless(&self) -> bool {
        self.kind == CrashKind::Endless
    }

    /// Whether the run waits for ever.
    pub(super) fn is_deadlock(&self) -> bool {
        self.kind == CrashKind::Deadlock
    }

    /// Whether another run crashes for the same reason, and at the same line if both are known.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let is_elsewhere = match (&self.place, &other.place) {
            (CrashPlace::Line(..), CrashPlace::Line(..)) => self.place != other.place,
            (CrashPlace::Line(..) | CrashPlace::Function(_) | CrashPlace::Entry(_), _) => false,
        };
        (&self.kind, &self.reason) == (&other.kind, &other.reason) && !is_elsewhere
    }

    /// Whether a run on the original code crashes for the same reason. The places may differ, and a
    /// run that does not end may end its BEAM.
    pub(super) fn is_confirmed_by(&self, other: &Self) -> bool {
        let is_endless = |cause: &Self| match cause.kind {
            CrashKind::Endless | CrashKind::BeamDown => true,
            CrashKind::Raised(_) | CrashKind::Deadlock | CrashKind::None => false,
        };
        let is_same = (&self.kind, &self.reason) == (&other.kind, &other.reason);
        is_same || (is_endless(self) && is_endless(other))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            CrashKind::Raised(class) => write!(f, "{class}: {}", self.reason)?,
            CrashKind::Endless => f.write_str("a run that does not end")?,
            CrashKind::Deadlock => f.write_str("a run that waits for ever")?,
            CrashKind::BeamDown => f.write_str("a run that ends its BEAM")?,
            CrashKind::None => f.write_str("no crash")?,
        }
        match &self.place {
            CrashPlace::Line(file, line) => write!(f, " ({file}:{line})"),
            CrashPlace::Function(function) => write!(f, " ({function})"),
            CrashPlace::Entry(_) => Ok(()),
        }
    }
}
