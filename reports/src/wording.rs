//! Values, functions and crashes in the language of a program.
//!
//! Reports keep values and functions as Erlang source. A [`Wording`] shows them to the user: as they
//! are where the program is Erlang, and as Elixir source where it is Elixir.

use erlang_term::Atom;
use trace_format::Program;

use crate::elixir::{ElixirException, ElixirWriter, KnownStructs, exit_text, shown_function};
use crate::entry::Entry;
use crate::language::Language;
use crate::machine::play_text;
use crate::outcome::{Outcome, StackEntry};
use crate::printed_value::{read_expression, read_function};
use crate::terminal::shortened;

/// How values, functions and crashes are shown.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'code> {
    language: Language,
    writer: ElixirWriter<'code>,
}

impl<'code> Wording<'code> {
    /// The wording for an entry. The program has the structs that it uses.
    pub fn of(entry: &Entry, program: Option<&'code Program>) -> Self {
        Self::in_language(Language::of(&entry.module), program)
    }

    /// The wording of a language.
    pub fn in_language(language: Language, program: Option<&'code Program>) -> Self {
        let writer = ElixirWriter::new(KnownStructs::new(program));
        Self { language, writer }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// A value, given as Erlang source. One that cannot be read stays as it is.
    pub fn value(&self, source: &str) -> String {
        match self.language {
            Language::Erlang => source.to_owned(),
            Language::Elixir => match read_expression(source) {
                Some(expression) => self.writer.value(&expression),
                None => source.to_owned(),
            },
        }
    }

    /// Values, given as Erlang source.
    pub fn values(&self, sources: &[String]) -> Vec<String> {
        sources.iter().map(|it| self.value(it)).collect()
    }

    /// A function, given as `m:f/1`.
    pub fn function(&self, source: &str) -> String {
        match (self.language, read_function(source)) {
            (Language::Elixir, Some(function)) => shown_function(&function),
            (Language::Erlang, _) | (Language::Elixir, None) => source.to_owned(),
        }
    }

    /// What a gap is about: a function, alone or before other words, or something else.
    pub(crate) fn about(&self, what: &str) -> String {
        match what.split_once(", ") {
            Some((function, words)) => format!("{}, {words}", self.function(function)),
            None => self.function(what),
        }
    }

    /// A call of a function, given its arguments as Erlang source.
    pub fn call(&self, entry: &Entry, arguments: &[String]) -> String {
        self.call_of(entry, &self.values(arguments))
    }

    /// The same, with long arguments cut.
    pub(crate) fn short_call(&self, entry: &Entry, arguments: &[String]) -> String {
        self.call_of(entry, &self.short_values(arguments))
    }

    /// Values, given as Erlang source, with long ones cut.
    pub(crate) fn short_values(&self, sources: &[String]) -> Vec<String> {
        let values = self.values(sources).into_iter();
        values.map(|it| shortened(&it).into_owned()).collect()
    }

    /// A call of a function with arguments that are worded already.
    pub(crate) fn call_of(&self, entry: &Entry, arguments: &[String]) -> String {
        match self.language {
            Language::Erlang => entry.call(arguments),
            Language::Elixir if entry.behaviour().is_some() => {
                let module = shown_module(&entry.module);
                format!("{module}: {}", play_text(arguments))
            }
            Language::Elixir if !entry.is_function() => entry.call(arguments),
            Language::Elixir => {
                let name = self.function(&entry.to_string());
                let name = name.rsplit_once('/').map_or(name.as_str(), |it| it.0);
                format!("{name}({})", arguments.join(", "))
            }
        }
    }

    /// A call as a line for a shell.
    pub(crate) fn shell_line(&self, call: &str) -> String {
        match self.language {
            Language::Erlang => format!("{call}."),
            Language::Elixir => call.to_owned(),
        }
    }

    /// A frame of a stack.
    pub fn frame(&self, frame: &StackEntry) -> String {
        let function = self.function(&frame.function);
        StackEntry {
            function,
            ..frame.clone()
        }
        .to_string()
    }

    /// What a run raised: `error: badarith`, or `** (ArithmeticError) bad argument in arithmetic
    /// expression`. The message is the one that the program gives, if it is known.
    pub fn raised(&self, outcome: &Outcome, message: Option<&str>) -> Option<String> {
        let Outcome::Exception {
            class,
            reason,
            stack,
        } = outcome
        else {
            return None;
        };
        let text = match (self.language, message) {
            (Language::Erlang, _) => format!("{class}: {reason}"),
            (Language::Elixir, Some(message)) => in_one_line(message),
            (Language::Elixir, None) => in_one_line(&self.banner(class, reason, stack)),
        };
        Some(text)
    }

    fn banner(&self, class: &str, reason: &str, stack: &[StackEntry]) -> String {
        if class == "error" {
            let exception = ElixirException::of(&self.writer, reason, stack);
            let ElixirException { module, message } = exception;
            return format!("** ({module}) {message}");
        }
        let text = match class {
            "exit" => exit_text(&self.writer, reason),
            _ => self.value(reason),
        };
        format!("** ({class}) {text}")
    }

    /// The exception that a run raised, if it raised an error.
    pub(crate) fn exception(&self, outcome: &Outcome) -> Option<ElixirException> {
        match outcome {
            Outcome::Exception {
                class,
                reason,
                stack,
            } if class == "error" => Some(ElixirException::of(&self.writer, reason, stack)),
            Outcome::Exception { .. }
            | Outcome::Ok(_)
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_) => None,
        }
    }

    /// Variables and their values, given as Erlang source: `Given1 = fun(_) -> 0 end`.
    pub(crate) fn bindings(&self, sources: &[String]) -> Vec<String> {
        let pairs = sources.iter().filter_map(|it| it.split_once(" = "));
        pairs
            .map(|(name, value)| format!("{} = {}", self.value(name), self.value(value)))
            .collect()
    }

    /// The kind of what a run raised, without values: `badarith` or `ArithmeticError`, given the
    /// reason without values as reports name it.
    pub(crate) fn kind_of_reason(&self, outcome: &Outcome, reason: &str) -> String {
        match (self.language, self.exception(outcome)) {
            (Language::Elixir, Some(exception)) => exception.module,
            (Language::Elixir, None) => self.value(reason),
            (Language::Erlang, _) => reason.to_owned(),
        }
    }
}

/// The name of a module as its users call it.
pub fn shown_module(name: &Atom) -> String {
    Wording::in_language(Language::of(name), None).value(&name.to_string())
}

/// A text of several lines in one.
fn in_one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}
