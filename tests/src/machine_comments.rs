//! The comments in `samples/machines`, which say what breaks a machine. `samples/machines/README.md`
//! describes them.

/// A sequence of events, and how the machine ends by the last of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakingSequence {
    /// The argument of `init/1` and the events, as Erlang source: `{Argument, [Event]}`.
    pub events: String,
    /// The end.
    pub end: BrokenMachine,
}

/// How a machine ends that has a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokenMachine {
    /// By an exception.
    Raised {
        /// `error` or `exit`.
        class: String,
        /// Its reason, printed without spaces.
        reason: String,
        /// The function that raises it, none if it is one of OTP.
        function: Option<String>,
    },
    /// By a function of the state, with arity 1, that is false.
    Invariant {
        /// The name of the function.
        function: String,
    },
}

impl BrokenMachine {
    /// From what stands behind `finds: `.
    fn read(text: &str) -> Option<Self> {
        if let Some(function) = text.strip_prefix("invariant ") {
            let function = function.strip_suffix("/1")?.to_owned();
            return Some(Self::Invariant { function });
        }
        let (class, rest) = text.split_once(' ')?;
        let (reason, function) = match rest.split_once(" in ") {
            Some((reason, function)) => (reason, Some(function.to_owned())),
            None => (rest, None),
        };
        Some(Self::Raised {
            class: class.to_owned(),
            reason: reason.to_owned(),
            function,
        })
    }
}

/// The sequences in the source of a module.
///
/// # Panics
/// When a comment cannot be understood.
pub fn breaking_sequences(source: &str) -> Vec<BreakingSequence> {
    let comments = source.lines().map_while(|line| line.strip_prefix("%%%"));
    let mut comments = comments.map(str::trim);
    let mut sequences = Vec::new();
    while let Some(comment) = comments.next() {
        let Some(first) = comment.strip_prefix("breaks: ") else {
            assert!(!comment.starts_with("finds: "), "`{comment}` has no events");
            continue;
        };
        let mut events = first.to_owned();
        let found = comments.find_map(|line| {
            let found = line.strip_prefix("finds: ");
            if found.is_none() {
                events.push(' ');
                events.push_str(line);
            }
            found
        });
        let end = found.and_then(BrokenMachine::read);
        let end = end.unwrap_or_else(|| panic!("no end of `{events}`"));
        sequences.push(BreakingSequence { events, end });
    }
    sequences
}
