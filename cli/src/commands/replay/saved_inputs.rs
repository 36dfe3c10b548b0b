//! The inputs of saved runs, as they can be given to code again.

use std::path::Path;

use erlang_term::Term;
use reports::{Entry, EntryKind, call_texts, played};

use crate::failure::Failure;
use crate::program::entry::{read_list, strange_event};
use crate::program::named_calls::{NamedCall, read_calls};
use crate::search::saved_runs::{self, SavedArguments, SavedRun};
use crate::sources::front_end::FrontEnd;

/// The input of a run.
#[derive(Clone, Debug)]
pub(super) enum SavedInput {
    /// The arguments of a function, as a list.
    Arguments(Term),
    /// The argument of `init/1`, and events.
    Events(Vec<Term>),
    /// Calls of the functions of a module.
    Calls(Vec<NamedCall>),
}

impl SavedInput {
    /// The input of a run of an entry, from a file.
    pub(super) fn of(
        file: &Path,
        run: &SavedRun,
        entry: &Entry,
        front_end: &FrontEnd,
    ) -> Result<Self, Failure> {
        let bad = |why: &str| bad_test(file, run, why);
        if entry.kind == EntryKind::Calls {
            let texts = match &run.arguments {
                SavedArguments::List(list) => {
                    call_texts(&entry.module, list.as_list().unwrap_or_default(), &[])
                }
                SavedArguments::Texts(texts) => texts.clone(),
            };
            let calls = read_calls(&entry.module, &texts, &*front_end.helper()?)?;
            let calls = calls.map_err(|why| bad(&why))?;
            return Ok(Self::Calls(calls));
        }
        let list = match &run.arguments {
            SavedArguments::List(list) => list.clone(),
            SavedArguments::Texts(texts) => {
                let text = format!("[{}]", texts.join(", "));
                let read = read_list(&text, &*front_end.helper()?)?;
                read.map_err(|why| bad(&format!("{text} {why}")))?
            }
        };
        let arguments = list.as_list().unwrap_or_default();
        if entry.behaviour().is_some() {
            let events = played(arguments);
            if events.is_empty() {
                return Err(bad("it has no argument of init/1"));
            }
            if let Some(strange) = strange_event(events) {
                return Err(bad(&format!("{strange} is no event")));
            }
            return Ok(Self::Events(events.to_vec()));
        }
        let (count, arity) = (arguments.len(), entry.function.arity);
        if count == arity as usize {
            Ok(Self::Arguments(list))
        } else {
            let why = format!("{} takes {arity} arguments, but has {count}", run.entry);
            Err(bad(&why))
        }
    }

    /// How many events or calls it has.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Arguments(_) => 0,
            Self::Events(events) => events.len().saturating_sub(1),
            Self::Calls(calls) => calls.len(),
        }
    }
}

/// The error for a run whose input cannot be used.
pub(super) fn bad_test(file: &Path, run: &SavedRun, why: &str) -> Failure {
    saved_runs::bad(file, &format!("test {}: {why}", run.id))
}
