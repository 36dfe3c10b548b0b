//! Messages to the user. Crates turn their errors into [`Diagnostic`]s; only the
//! command line knows how to draw them.

use std::ops::Range;

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The tool could not do its work.
    Error,
    /// The work was done, but the user should know this.
    Warning,
}

/// A place in a source text, by byte offsets, with a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Byte range in the source.
    pub range: Range<usize>,
    /// The label; may be empty.
    pub text: String,
}

/// A source text a message points into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name shown to the user.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub level: Level,
    /// A stable code, the same in every version.
    pub code: &'static str,
    /// What is wrong, in one line without a full stop.
    pub title: String,
    /// The place it is about, with the text around it.
    pub place: Option<(Source, Label)>,
    /// What else is known.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(code: &'static str, title: impl Into<String>) -> Self {
        Self {
            level: Level::Error,
            code,
            title: title.into(),
            place: None,
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, title: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            ..Self::error(code, title)
        }
    }

    /// The same message, pointing at a place.
    #[must_use]
    pub fn at(mut self, source: Source, range: Range<usize>, text: impl Into<String>) -> Self {
        self.place = Some((
            source,
            Label {
                range,
                text: text.into(),
            },
        ));
        self
    }

    /// The same message with one more fact.
    #[must_use]
    pub fn note(mut self, fact: impl Into<String>) -> Self {
        self.notes.push(fact.into());
        self
    }

    /// The same message with one more piece of advice.
    #[must_use]
    pub fn help(mut self, advice: impl Into<String>) -> Self {
        self.help.push(advice.into());
        self
    }
}
