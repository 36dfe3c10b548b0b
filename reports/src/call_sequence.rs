//! Sequences of calls: inputs whose elements are calls of a module's functions. What one call made
//! can be an argument of a later one.
//!
//! A call is a tuple of a tag and the arguments. An argument that an earlier call made is a number:
//! that of the value among all values that earlier calls may have made, the last call first. Where
//! only a part of an argument is such a value, it is a reference: a tuple of a tag, how many calls
//! before that was, and which of the values of that call is meant.

use erlang_term::{Atom, Term};
use trace_engine::{PlayMark, PlayMarkKind};

use crate::machine::played_events;

/// What the tags of calls begin with.
const CALL: &str = "$erlconcolic_call";
/// What the tags of references begin with.
const REFERENCE: &str = "$erlconcolic_made";
/// Between the parts of a tag.
const SEPARATOR: char = '\u{1f}';
/// Before the number of a value in a pattern.
const VALUE: char = '\u{1e}';
/// Between patterns.
const NEXT: char = '\u{1d}';

/// The names of the variables for the first, second, ... value of a call.
const NAMES: [&str; 6] = ["S", "T", "U", "V", "W", "X"];

/// How many values a call can make.
pub const MOST_VALUES: usize = NAMES.len();

/// Longer names cannot be atoms.
const MOST_CHARACTERS: usize = 255;

/// Where values are in what a call returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MadePattern {
    /// Something else.
    Other,
    /// This atom.
    Atom(Atom),
    /// A tuple of these.
    Tuple(Vec<Self>),
    /// The value with this number, from 1 on.
    Value(usize),
}

impl MadePattern {
    /// The pattern as a part of a tag.
    fn text(&self) -> String {
        match self {
            Self::Other => "_".to_owned(),
            Self::Atom(atom) => atom.to_string(),
            Self::Value(number) => format!("{VALUE}{number}"),
            Self::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::text).collect();
                format!("{{{}}}", parts.join(","))
            }
        }
    }
}

/// What an argument of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallArgument {
    /// A value as it is.
    Plain,
    /// The number of something that an earlier call made, which makes at most so many values.
    Made(usize),
    /// A value with references in it.
    Mixed,
}

impl CallArgument {
    fn text(self) -> String {
        match self {
            Self::Plain => "v".to_owned(),
            Self::Made(most) => most.to_string(),
            Self::Mixed => "m".to_owned(),
        }
    }

    fn of(text: char) -> Option<Self> {
        match text {
            'v' => Some(Self::Plain),
            'm' => Some(Self::Mixed),
            digit => Some(Self::Made(usize::try_from(digit.to_digit(10)?).ok()?)),
        }
    }
}

/// The tag of the calls of a function. Functions with the same name have different numbers. `None`
/// if their names are too odd.
pub fn call_tag(
    number: usize,
    function: &Atom,
    arguments: &[CallArgument],
    patterns: &[MadePattern],
) -> Option<Atom> {
    let arguments: String = arguments.iter().map(|it| it.text()).collect();
    let patterns: Vec<String> = patterns.iter().map(MadePattern::text).collect();
    let patterns = patterns.join(&NEXT.to_string());
    let name = function.as_str();
    let parts = [CALL, &number.to_string(), name, &arguments, &patterns];
    let text = parts.join(&SEPARATOR.to_string());
    let is_odd = name.contains(SEPARATOR) || text.chars().count() > MOST_CHARACTERS;
    (!is_odd).then(|| Atom::new(text))
}

/// The type that the tag of a reference stands for.
pub fn reference_type(tag: &Atom) -> Option<usize> {
    let rest = tag.as_str().strip_prefix(REFERENCE)?;
    rest.strip_prefix(SEPARATOR)?.parse().ok()
}

/// A call of a sequence.
#[derive(Debug)]
pub(crate) struct SequenceCall<'input> {
    /// From 1 on.
    pub(crate) number: usize,
    /// The function that is called.
    pub(crate) function: Atom,
    patterns: Vec<&'input str>,
    arguments: Vec<(CallArgument, &'input Term)>,
}

impl<'input> SequenceCall<'input> {
    /// Its arguments; parts of them stand for values of earlier calls.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &'input Term> {
        self.arguments.iter().map(|it| it.1)
    }

    fn of(number: usize, term: &'input Term) -> Option<Self> {
        let (Term::Atom(tag), arguments) = term.as_tuple()?.split_first()? else {
            return None;
        };
        let rest = tag.as_str().strip_prefix(CALL)?.strip_prefix(SEPARATOR)?;
        let mut parts = rest.splitn(4, SEPARATOR).skip(1);
        let (function, kinds, patterns) = (parts.next()?, parts.next()?, parts.next()?);
        let kinds = kinds.chars().map(CallArgument::of);
        let kinds: Vec<CallArgument> = kinds.collect::<Option<_>>()?;
        let patterns = patterns.split(NEXT).filter(|it| !it.is_empty());
        Some(Self {
            number,
            function: Atom::new(function),
            patterns: patterns.collect(),
            arguments: kinds.into_iter().zip(arguments).collect(),
        })
    }

    /// The values of earlier calls in an argument: terms, numbers of calls, numbers of values.
    fn references_in(
        &self,
        kind: CallArgument,
        argument: &'input Term,
    ) -> Vec<(&'input Term, usize, usize)> {
        let made = match kind {
            CallArgument::Plain => Vec::new(),
            CallArgument::Made(most) => numbered(argument, most).into_iter().collect(),
            CallArgument::Mixed => argument.subterms().filter_map(reference).collect(),
        };
        let made = made.into_iter();
        made.map(|(term, before, value)| (term, self.number.saturating_sub(before), value))
            .collect()
    }

    /// The same in all arguments: numbers of calls and of values.
    fn references(&self) -> Vec<(usize, usize)> {
        let arguments = self.arguments.iter();
        let references = arguments.flat_map(|it| self.references_in(it.0, it.1));
        references.map(|it| (it.1, it.2)).collect()
    }

    /// The call as Erlang source, given its arguments as source.
    pub(crate) fn source(
        &self,
        module: &Atom,
        arguments: impl IntoIterator<Item = String>,
    ) -> String {
        let given = self.arguments.iter().zip(arguments);
        let arguments = given.map(|((kind, argument), mut text)| {
            for (term, call, value) in self.references_in(*kind, argument) {
                text = text.replace(&term.to_string(), &made_variable(call, value));
            }
            text
        });
        let arguments: Vec<String> = arguments.collect();
        format!("{module}:{}({})", self.function, arguments.join(", "))
    }

    /// A pattern for what it returns, with variables for these of its values.
    pub(crate) fn pattern(&self, used: &[usize]) -> Option<String> {
        let has = |pattern: &&&str, value: &usize| pattern.contains(&format!("{VALUE}{value}"));
        let mut patterns = self.patterns.iter();
        let pattern = patterns.find(|it| used.iter().all(|value| has(it, value)))?;
        Some(self.named(pattern, |value| match used.contains(&value) {
            true => made_variable(self.number, value),
            false => "_".to_owned(),
        }))
    }

    /// Patterns for what it returns, in which values have these names.
    pub(crate) fn patterns(&self, name: impl Fn(usize) -> String) -> Vec<String> {
        let patterns = self.patterns.iter();
        patterns.map(|it| self.named(it, &name)).collect()
    }

    fn named(&self, pattern: &str, name: impl Fn(usize) -> String) -> String {
        let values = (1..=MOST_VALUES).rev();
        values.fold(pattern.to_owned(), |text, value| {
            text.replace(&format!("{VALUE}{value}"), &name(value))
        })
    }

    /// Whether it returns the value itself.
    fn is_maker(&self) -> bool {
        self.patterns.iter().any(|it| *it == format!("{VALUE}1"))
    }
}

/// A number that stands for a value, how many calls before its own it means, and which value.
fn numbered(term: &Term, most: usize) -> Option<(&Term, usize, usize)> {
    let number = usize::try_from(term.as_i64()?).ok()?.checked_sub(1)?;
    let before = number.checked_div(most)?;
    Some((term, before + 1, number - before * most + 1))
}

/// A reference, how many calls before its own it means, and which value.
fn reference(term: &Term) -> Option<(&Term, usize, usize)> {
    let [Term::Atom(tag), before, value] = term.as_tuple()? else {
        return None;
    };
    reference_type(tag)?;
    let number = |it: &Term| usize::try_from(it.as_i64()?).ok();
    Some((term, number(before)?, number(value)?))
}

/// The name of a value that a call made.
pub fn made_variable(call: usize, value: usize) -> String {
    let name = NAMES.get(value.saturating_sub(1)).unwrap_or(&"S");
    format!("{name}{call}")
}

/// The calls of a sequence as Erlang source: `S1 = m:new()`, `S2 = m:push(3, S1)`, `m:pop(S2)`. Marks
/// of its play tell which calls began, and whether the last one returned; without marks, all began,
/// and the last one did not return.
pub fn call_texts(module: &Atom, arguments: &[Term], marks: &[PlayMark]) -> Vec<String> {
    texts(module, arguments, marks, None)
}

/// The same as expressions for a shell, with a call of a function that is asked of a value, if there
/// is one. The value has the number of its call and its own number.
pub(crate) fn call_script(
    module: &Atom,
    arguments: &[Term],
    marks: &[PlayMark],
    asked: Option<(&str, (usize, usize))>,
) -> String {
    let mut lines = texts(module, arguments, marks, asked.map(|it| it.1));
    lines.extend(asked.map(|(function, (call, value))| {
        let value = made_variable(call, value);
        format!("{function}({value})")
    }));
    format!("{}.", lines.join(",\n"))
}

/// The calls of a sequence that began, as marks of its play tell; without marks, all.
pub(crate) fn begun_calls<'input>(
    arguments: &'input [Term],
    marks: &[PlayMark],
) -> Vec<SequenceCall<'input>> {
    let calls = (1..).zip(played_events(arguments));
    let calls = calls.map_while(|(number, call)| SequenceCall::of(number, call));
    let began = marks.iter().map(|it| it.index).max();
    calls.take(began.unwrap_or(usize::MAX)).collect()
}

/// The values of calls that other calls take: numbers of calls and of values.
pub(crate) fn taken_values(calls: &[SequenceCall<'_>]) -> Vec<(usize, usize)> {
    calls.iter().flat_map(SequenceCall::references).collect()
}

/// The calls, and which other value is needed: the numbers of its call and of the value.
fn texts(
    module: &Atom,
    arguments: &[Term],
    marks: &[PlayMark],
    needed: Option<(usize, usize)>,
) -> Vec<String> {
    let calls = begun_calls(arguments, marks);
    let mut used = taken_values(&calls);
    used.extend(needed);
    let texts = calls.iter().map(|call| {
        let own = used.iter().filter(|it| it.0 == call.number);
        let mut own: Vec<usize> = own.map(|it| it.1).collect();
        let has_returned = match marks {
            [] => call.number < calls.len(),
            marks => has_returned(call.number, marks),
        };
        if has_returned && call.is_maker() {
            own.push(1);
        }
        let source = call.source(module, call.arguments().map(Term::to_string));
        match call.pattern(&own).filter(|_| !own.is_empty()) {
            Some(pattern) => format!("{pattern} = {source}"),
            None => source,
        }
    });
    texts.collect()
}

/// Whether a call returned.
pub(crate) fn has_returned(number: usize, marks: &[PlayMark]) -> bool {
    marks.iter().any(|mark| match mark.kind {
        PlayMarkKind::Handled { .. } => mark.index == number,
        PlayMarkKind::Waited(_)
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_)
        | PlayMarkKind::Ended { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(value: i64) -> Term {
        Term::Integer(value.into())
    }

    fn value() -> Vec<MadePattern> {
        vec![MadePattern::Value(1)]
    }

    /// `{_, Value}`.
    fn in_pair() -> Vec<MadePattern> {
        let parts = vec![MadePattern::Other, MadePattern::Value(1)];
        vec![MadePattern::Tuple(parts)]
    }

    fn call(function: &str, patterns: &[MadePattern], kinds: &str, arguments: Vec<Term>) -> Term {
        let kinds: Vec<CallArgument> = kinds.chars().filter_map(CallArgument::of).collect();
        let tag = call_tag(1, &Atom::new(function), &kinds, patterns).expect("the name is plain");
        Term::Tuple([vec![Term::Atom(tag)], arguments].concat())
    }

    fn made(before: i64, value: i64) -> Term {
        let tag = Term::atom("$erlconcolic_made\u{1f}1");
        Term::Tuple(vec![tag, integer(before), integer(value)])
    }

    fn mark(index: usize, has_returned: bool) -> PlayMark {
        let none = || Term::atom("none");
        PlayMark {
            decisions: 0,
            index,
            kind: match has_returned {
                true => PlayMarkKind::Handled {
                    event: none(),
                    label: none(),
                    state: None,
                },
                false => PlayMarkKind::Waited(integer(0)),
            },
        }
    }

    fn sequence() -> Vec<Term> {
        vec![
            call("new", &value(), "", vec![]),
            call("push", &value(), "v1", vec![integer(3), integer(1)]),
            call("pop", &in_pair(), "1", vec![integer(1)]),
            call(
                "sum",
                &[],
                "mv",
                vec![Term::list([made(2, 1), made(1, 1)]), made(1, 1)],
            ),
            Term::atom("none"),
        ]
    }

    #[test]
    fn calls_have_variables() {
        let texts = call_texts(&Atom::new("m"), &sequence(), &[]);
        let expected = [
            "S1 = m:new()",
            "S2 = m:push(3, S1)",
            "{_,S3} = m:pop(S2)",
            "m:sum([S2,S3], {'$erlconcolic_made\\0371',1,1})",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn calls_that_did_not_begin_are_not_shown() {
        let marks = [mark(1, false), mark(1, true), mark(2, false)];
        let texts = call_texts(&Atom::new("m"), &sequence(), &marks);
        assert_eq!(texts, ["S1 = m:new()", "m:push(3, S1)"]);
    }

    #[test]
    fn a_script_asks_a_function_of_what_a_call_made() {
        let calls = sequence();
        let calls = calls.get(..3).expect("there are more calls");
        let module = Atom::new("m");
        let script = call_script(&module, calls, &[], Some(("m:is_valid", (3, 1))));
        let expected = "S1 = m:new(),\nS2 = m:push(3, S1),\n{_,S3} = m:pop(S2),\nm:is_valid(S3).";
        assert_eq!(script, expected);
        let script = call_script(&module, calls, &[], None);
        assert!(script.ends_with("m:pop(S2)."), "{script}");
    }

    #[test]
    fn several_values_have_several_names() {
        let parts = vec![MadePattern::Value(1), MadePattern::Value(2)];
        let split = [MadePattern::Tuple(parts)];
        let calls = [
            call("split", &split, "v", vec![integer(1)]),
            call("join", &value(), "22", vec![integer(2), integer(1)]),
        ];
        let texts = call_texts(&Atom::new("It's"), &calls, &[]);
        let expected = ["{S1,T1} = 'It\\'s':split(1)", "'It\\'s':join(T1, S1)"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn odd_names_have_no_tags() {
        assert_eq!(call_tag(1, &Atom::new("a\u{1f}b"), &[], &[]), None);
        assert_eq!(call_tag(1, &Atom::new("a".repeat(255)), &[], &[]), None);
    }
}
