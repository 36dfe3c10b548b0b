//! What the calls of a sequence returned, as marks of its play tell.

use erlang_term::Term;
use trace_engine::{PlayMark, PlayMarkKind};

use crate::call_sequence::{MOST_VALUES, SequenceCall, made_variable};
use crate::outcome::Outcome;
use crate::printed_value::{Expression, Shape, read_expression, read_shape};

/// What a call returned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallResult<'play> {
    /// Something without values for other calls.
    Plain(&'play Term),
    /// Something with such values.
    Made(&'play Term),
}

impl CallResult<'_> {
    /// It as Erlang source.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Plain(term) | Self::Made(term) => term.to_string(),
        }
    }
}

/// What the call with this number returned, if that can be written.
pub(crate) fn result_of(number: usize, marks: &[PlayMark]) -> Option<CallResult<'_>> {
    let own = || marks.iter().filter(move |it| it.index == number);
    let plain = own().find_map(|it| match &it.kind {
        PlayMarkKind::Replied(result) => Some(CallResult::Plain(result)),
        PlayMarkKind::Handled { .. }
        | PlayMarkKind::Waited(_)
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Ended { .. } => None,
    });
    let made = || {
        own().find_map(|it| match &it.kind {
            PlayMarkKind::Handled { state, .. } => state.as_ref().map(CallResult::Made),
            PlayMarkKind::Replied(_)
            | PlayMarkKind::Waited(_)
            | PlayMarkKind::Waits(_)
            | PlayMarkKind::Fired(_)
            | PlayMarkKind::Ended { .. } => None,
        })
    };
    plain.or_else(made)
}

/// Whether a result has the form of a pattern.
pub(crate) fn fits(pattern: &Expression, result: &Shape) -> bool {
    match (pattern, result) {
        (Expression::Variable(_), _) => true,
        (Expression::Atom(wanted), Shape::Atom(atom)) => wanted == atom,
        (Expression::Tuple(parts), Shape::Tuple(elements)) => {
            let mut pairs = parts.iter().zip(elements);
            parts.len() == elements.len() && pairs.all(|(part, element)| fits(part, element))
        }
        _ => false,
    }
}

/// The value of which an invariant is not true: the numbers of its call and of the value. It is the
/// last one that looks as the outcome says, or else the last one.
pub(crate) fn asked_value(
    calls: &[SequenceCall<'_>],
    marks: &[PlayMark],
    outcome: &Outcome,
) -> (usize, usize) {
    let values: Vec<(usize, usize, Shape)> = made_values(calls, marks);
    let broken = outcome.broken_value().and_then(read_shape);
    let found = values.iter().find(|it| Some(&it.2) == broken.as_ref());
    let found = found.or(values.first()).map(|it| (it.0, it.1));
    found.unwrap_or((calls.len(), 1))
}

/// The values that calls made, those of the last call first.
fn made_values(calls: &[SequenceCall<'_>], marks: &[PlayMark]) -> Vec<(usize, usize, Shape)> {
    let mut values = Vec::new();
    for call in calls.iter().rev() {
        let Some(CallResult::Made(result)) = result_of(call.number, marks) else {
            continue;
        };
        let names = |value: usize| made_variable(call.number, value);
        let patterns = call.patterns(names).into_iter();
        let mut patterns = patterns.filter_map(|it| read_expression(&it));
        let result = read_shape(&result.to_string());
        if let Some(result) = result
            && let Some(pattern) = patterns.find(|it| fits(it, &result))
        {
            let mut named = Vec::new();
            collect(&pattern, result, &mut named);
            let numbered = named.into_iter().filter_map(|(name, shape)| {
                let number = (1..=MOST_VALUES).find(|it| names(*it) == name)?;
                Some((call.number, number, shape))
            });
            values.extend(numbered);
        }
    }
    values
}

/// The parts of a result that have names in a pattern which it fits.
fn collect(pattern: &Expression, result: Shape, named: &mut Vec<(String, Shape)>) {
    match (pattern, result) {
        (Expression::Variable(name), result) => named.push((name.clone(), result)),
        (Expression::Tuple(parts), Shape::Tuple(elements)) => {
            let pairs = parts.iter().zip(elements);
            pairs.for_each(|(part, element)| collect(part, element, named));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use erlang_term::Atom;

    use super::*;
    use crate::call_sequence::{CallArgument, MadePattern, begun_calls, call_tag};

    fn call(function: &str, kinds: &[CallArgument], pattern: MadePattern, given: &[i64]) -> Term {
        let tag = call_tag(1, &Atom::new(function), kinds, &[pattern]).expect("a plain name");
        let given = given.iter().map(|it| Term::Integer((*it).into()));
        Term::Tuple(std::iter::once(Term::Atom(tag)).chain(given).collect())
    }

    fn handled(index: usize, result: Term) -> PlayMark {
        let [event, label] = ["none", "none"].map(Term::atom);
        let state = Some(result);
        PlayMark {
            decisions: 0,
            index,
            kind: PlayMarkKind::Handled {
                event,
                label,
                state,
            },
        }
    }

    fn list(elements: &[i64]) -> Term {
        Term::list(elements.iter().map(|it| Term::Integer((*it).into())))
    }

    fn broken(value: &str) -> Outcome {
        Outcome::Exception {
            class: "error".to_owned(),
            reason: format!("{{invariant,{{m,is_valid,1}},{value}}}"),
            stack: Vec::new(),
        }
    }

    #[test]
    fn an_invariant_is_asked_of_the_value_that_breaks_it() {
        let two = MadePattern::Tuple(vec![MadePattern::Value(1), MadePattern::Value(2)]);
        let arguments = [
            call("new", &[], MadePattern::Value(1), &[]),
            call("split", &[CallArgument::Made(2)], two, &[1]),
            call(
                "clear",
                &[CallArgument::Made(2)],
                MadePattern::Value(1),
                &[1],
            ),
        ];
        let mut marks = vec![
            handled(1, list(&[1, 2])),
            handled(2, Term::Tuple(vec![list(&[1]), list(&[2])])),
            handled(3, Term::atom("full")),
        ];
        marks.push(PlayMark {
            kind: PlayMarkKind::Replied(Term::atom("full")),
            ..marks[2].clone()
        });
        let calls = begun_calls(&arguments, &marks);
        let asked = |value: &str| asked_value(&calls, &marks, &broken(value));
        assert_eq!(asked("[2]"), (2, 2));
        assert_eq!(asked("[1,2]"), (1, 1));
        assert_eq!(asked("#Ref<0.1.2.3>"), (2, 1), "the last one with values");
        assert_eq!(
            result_of(3, &marks).map(|it| it.text()),
            Some("full".into())
        );
        assert_eq!(asked_value(&calls, &[], &broken("[]")), (3, 1));
    }
}
