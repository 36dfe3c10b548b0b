//! Sequences of calls as reports write them, read again: `{ok,_,S2} = m:pop(S1)`.
//!
//! Calls keep the names of their functions. Which clause of a spec each of them belongs to is found
//! out again, because the module may have changed since.

use std::collections::BTreeMap;

use erlang_term::{Atom, Term};
use reports::{MOST_VALUES, made_variable};
use solver::types::TypeId;

use crate::beam::{BeamError, Helper};
use crate::program::callable::{Callable, Callables};
use crate::program::entry::read_list;
use crate::program::names;

/// The tag of what stands for a value of an earlier call: `{Tag, Call, Value}`.
const MADE: &str = "$erlconcolic_made_by";

/// A call by the name of its function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedCall {
    function: Atom,
    arguments: Vec<Term>,
}

/// A value of an earlier call: the number of the call, and that of the value.
type MadeValue = (usize, usize);

/// Reads the calls of a sequence, or returns why they cannot be read.
pub(crate) fn read_calls(
    module: &Atom,
    texts: &[String],
    helper: &Helper,
) -> Result<Result<Vec<NamedCall>, String>, BeamError> {
    let mut bound = BTreeMap::new();
    let (mut functions, mut lists) = (Vec::new(), Vec::new());
    for (number, text) in (1..).zip(texts) {
        let Some((pattern, function, arguments)) = call_parts(module, text) else {
            return Ok(Err(format!("{text} is no call of {module}")));
        };
        lists.push(format!("[{}]", with_values(arguments, &bound)));
        functions.push(function);
        for value in 1..=MOST_VALUES {
            bound.insert(made_variable(number, value), (number, value));
        }
        bound.retain(|name, made| made.0 < number || words(pattern).any(|it| it == name));
    }
    let read = read_list(&format!("[{}]", lists.join(",")), helper)?;
    Ok(read.map(|lists| {
        let lists = lists.as_list().unwrap_or_default().iter();
        let calls = functions.into_iter().zip(lists);
        let calls = calls.map(|(function, list)| NamedCall {
            function,
            arguments: list.as_list().unwrap_or_default().to_vec(),
        });
        calls.collect()
    }))
}

/// The pattern, the function and the arguments of a call.
fn call_parts<'text>(module: &Atom, text: &'text str) -> Option<(&'text str, Atom, &'text str)> {
    let module = format!("{module}:");
    let (pattern, call) = match text.strip_prefix(&module) {
        Some(call) => ("", call),
        None => text.split_once(&format!(" = {module}"))?,
    };
    let is_open = |at: usize| !is_in_quotes(call.get(..at).unwrap_or_default());
    let mut open = call.match_indices('(').map(|it| it.0);
    let (function, rest) = call.split_at(open.find(|at| is_open(*at))?);
    let arguments = rest.strip_prefix('(')?.strip_suffix(')')?;
    Some((pattern, names::atom(function)?, arguments))
}

/// Whether what comes after a text is within a quoted atom.
fn is_in_quotes(text: &str) -> bool {
    let mut is_escaped = false;
    let quotes = text.chars().filter(|it| {
        let is_quote = *it == '\'' && !is_escaped;
        is_escaped = *it == '\\' && !is_escaped;
        is_quote
    });
    quotes.count() % 2 == 1
}

/// The words of a text that are not within quotes, with all that is between them.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '@';
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '\'' => end_of_quotes(rest, first),
            _ if is_word(first) => rest.find(|it| !is_word(it)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts
}

/// Where a quoted text ends.
fn end_of_quotes(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let mut characters = text.char_indices().skip(1);
    let end = characters.find(|(_, it)| {
        let is_end = *it == quote && !is_escaped;
        is_escaped = *it == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |it| it.0 + 1)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    parts(text).into_iter()
}

/// Arguments with tuples instead of variables for what earlier calls made.
fn with_values(text: &str, bound: &BTreeMap<String, MadeValue>) -> String {
    let parts = parts(text).into_iter();
    let parts = parts.map(|part| match bound.get(part) {
        Some((call, value)) => format!("{{'{MADE}',{call},{value}}}"),
        None => part.to_owned(),
    });
    parts.collect()
}

/// The value that a term stands for.
fn made_value(term: &Term) -> Option<MadeValue> {
    let [tag, call, value] = term.as_tuple()? else {
        return None;
    };
    let number = |it: &Term| usize::try_from(it.as_i64()?).ok();
    let is_made = tag.as_atom() == Some(MADE);
    is_made.then_some((number(call)?, number(value)?))
}

/// The values in a term.
fn made_values(term: &Term) -> Vec<MadeValue> {
    term.subterms().filter_map(made_value).collect()
}

impl Callables {
    /// Calls as the wrapper of these functions takes them; or the number of the first one that fits
    /// no spec.
    pub(crate) fn sequence(&self, calls: &[NamedCall]) -> Result<Vec<Term>, usize> {
        let Some(chosen) = self.choose(calls, &[]) else {
            let lengths = 1..calls.len();
            let is_known = |count: &usize| self.choose(calls.get(..*count)?, &[]);
            let known = lengths.rev().find(|count| is_known(count).is_some());
            return Err(known.unwrap_or(0) + 1);
        };
        let numbered = (1..).zip(calls).zip(&chosen);
        let terms = numbered.map(|((number, call), callable)| {
            let tag = Term::Atom(callable.tag.clone());
            let arguments = call.arguments.iter().zip(&callable.arguments);
            let arguments = arguments.map(|(argument, id)| match self.only_reference(*id) {
                Some(reference) => {
                    let (made, value) = made_value(argument).unwrap_or_default();
                    let before = number_before(number, made).saturating_sub(1);
                    integer(before * self.most_values(reference) + value)
                }
                None => self.with_references(argument, number, &chosen, *id),
            });
            Term::Tuple(std::iter::once(tag).chain(arguments).collect())
        });
        Ok(terms.collect())
    }

    /// A function with a clause of its spec for each call, such that each value that a later call
    /// takes is of the type that it wants. Some values are wanted already: call, value and type.
    fn choose(&self, calls: &[NamedCall], wanted: &[(MadeValue, usize)]) -> Option<Vec<&Callable>> {
        let Some((last, before)) = calls.split_last() else {
            return Some(Vec::new());
        };
        let number = calls.len();
        let is_called = |it: &&Callable| {
            it.function == last.function && it.arguments.len() == last.arguments.len()
        };
        let makes = |callable: &Callable, value: usize, reference: &usize| {
            let types = value.checked_sub(1).and_then(|it| callable.values.get(it));
            types.is_some_and(|it| it.contains(reference))
        };
        let mut fitting = self.functions.iter().filter(is_called).filter(|it| {
            let mut own = wanted.iter().filter(|it| it.0.0 == number);
            own.all(|((_, value), reference)| makes(it, *value, reference))
        });
        fitting.find_map(|callable| {
            let mut wanted = wanted.to_vec();
            wanted.extend(self.taken(callable, last)?);
            let mut chosen = self.choose(before, &wanted)?;
            chosen.push(callable);
            Some(chosen)
        })
    }

    /// The values that a call takes, and of which types; `None` if they do not fit.
    fn taken(&self, callable: &Callable, call: &NamedCall) -> Option<Vec<(MadeValue, usize)>> {
        let mut taken = Vec::new();
        for (argument, id) in call.arguments.iter().zip(&callable.arguments) {
            let values = made_values(argument);
            match self.only_reference(*id) {
                Some(reference) => taken.push((made_value(argument)?, reference)),
                None => {
                    let types = self.reference_types(*id);
                    if types.is_empty() && !values.is_empty() {
                        return None;
                    }
                    if let [(_, only)] = types.as_slice() {
                        taken.extend(values.into_iter().map(|it| (it, *only)));
                    }
                }
            }
        }
        Some(taken)
    }

    /// An argument with references as the wrapper understands them.
    fn with_references(
        &self,
        argument: &Term,
        number: usize,
        chosen: &[&Callable],
        id: TypeId,
    ) -> Term {
        let within = |it: &Term| self.with_references(it, number, chosen, id);
        if let Some((made, value)) = made_value(argument) {
            let maker = made.checked_sub(1).and_then(|it| chosen.get(it));
            let types = maker.and_then(|it| it.values.get(value.checked_sub(1)?));
            let known = self.reference_types(id);
            let is_good = |it: &&(Atom, usize)| types.is_some_and(|types| types.contains(&it.1));
            let tag = known.iter().find(is_good).or(known.first());
            let tag = tag.map_or_else(|| Atom::new(MADE), |it| it.0.clone());
            let before = number_before(number, made);
            return Term::Tuple(vec![Term::Atom(tag), integer(before), integer(value)]);
        }
        match argument {
            Term::Tuple(elements) => Term::Tuple(elements.iter().map(within).collect()),
            Term::List(elements, tail) => {
                let tail = tail.as_deref().map(|it| Box::new(within(it)));
                Term::List(elements.iter().map(within).collect(), tail)
            }
            Term::Integer(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Map(_)
            | Term::Bits(..)
            | Term::ExternalFun(_)
            | Term::TableFun(_) => argument.clone(),
        }
    }
}

/// How many calls before another one a call is.
fn number_before(number: usize, made: usize) -> usize {
    number.saturating_sub(made)
}

fn integer(number: usize) -> Term {
    Term::Integer(i64::try_from(number).unwrap_or(i64::MAX).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_patterns_functions_and_arguments() {
        let module = Atom::new("m");
        let parts = |text| call_parts(&module, text);
        let f = Atom::new("f");
        assert_eq!(parts("m:f()"), Some(("", f.clone(), "")));
        assert_eq!(
            parts("{ok,_,S2} = m:f(S1, [(])"),
            Some(("{ok,_,S2}", f, "S1, [(]"))
        );
        let odd = Some(("S1", Atom::new("a('"), "1"));
        assert_eq!(parts("S1 = m:'a(\\''(1)"), odd);
        for text in ["n:f()", "m:f", "m:f(1", "S1", "m:()"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }

    #[test]
    fn only_variables_of_earlier_calls_stand_for_values() {
        let bound = BTreeMap::from([("S1".to_owned(), (1, 1)), ("T12".to_owned(), (12, 2))]);
        let text = "{S1,aS1,\"S1\",'T12 \\' S1',[T12|S2]}";
        let expected = "{{'$erlconcolic_made_by',1,1},aS1,\"S1\",'T12 \\' S1',\
                        [{'$erlconcolic_made_by',12,2}|S2]}";
        assert_eq!(with_values(text, &bound), expected);
    }
}
