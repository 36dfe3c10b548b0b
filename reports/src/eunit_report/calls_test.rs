//! The tests of sequences of calls for EUnit: calls with variables for what they make, and their
//! results.
//!
//! A value of an opaque type is not compared: how it looks is nobody's business. Where a module
//! declares its types openly, what the last call made is compared too.

use erlang_term::{Atom, Term};
use trace_engine::PlayMark;
use trace_engine::explore::Gap;
use trace_format::Schedule;

use super::assertion::Assertion;
use super::played_tests::{NO_END, plain, played_cases, telling_tests};
use super::test_case::{CaseKind, TestCase};
use super::value_pattern::PatternWriter;
use crate::abbreviated_value::abbreviated;
use crate::call_results::{CallResult, asked_value, fits, result_of};
use crate::call_sequence::{SequenceCall, begun_calls, has_returned, made_variable, taken_values};
use crate::checked_tests::ArgumentSource;
use crate::exploration::Exploration;
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::printed_value::{Expression, Shape, read_expression, read_shape};
use crate::searched::Searched;

/// The cases of a module: short sequences first, and findings last.
pub(super) fn call_cases<C: OriginalCode>(
    exploration: &Exploration<'_>,
    search: &Searched,
    original: &mut C,
) -> Result<Vec<TestCase>, C::Failure> {
    let chosen = telling_tests(search);
    let has_open_types = !exploration.code.declares_opaque_types(&search.entry.module);
    let is_opaque = |gap: &Gap| matches!(gap, Gap::OpaqueCall(_) | Gap::Divergence);
    // What such a call returns may be different each time.
    let may_vary = search.report.gaps.keys().any(is_opaque);
    let all = |_: &mut C, _: &[Term]| None;
    played_cases(
        search,
        &chosen,
        original,
        all,
        |original, arguments, now| {
            let mut marks = || {
                let list = Term::list(arguments.to_vec());
                original.marks(&search.entry, list, &Schedule::default())
            };
            let first = marks();
            let second = may_vary.then(marks);
            let calls = begun_calls(arguments, &first);
            let script = CallScript {
                module: &search.entry.module,
                has_open_types,
                marks: &first,
                other_marks: second.as_deref(),
            };
            match script.lines(&calls, now) {
                Some(lines) => CaseKind::Play {
                    name: name(&calls, now),
                    lines,
                    is_finding: now.is_finding(),
                },
                None => NO_END,
            }
        },
    )
}

/// `pop_after_new_and_push_raises_badmatch`.
fn name(calls: &[SequenceCall<'_>], outcome: &Outcome) -> String {
    let mut words: Vec<String> = calls.iter().map(|it| plain(it.function.as_str())).collect();
    let last = words.pop().unwrap_or_default();
    let name = match words.as_slice() {
        [] => last,
        before => format!("{last}_after_{}", before.join("_and_")),
    };
    let name: String = name.chars().take(100).collect();
    match outcome {
        Outcome::Exception { .. } if outcome.broken_invariant().is_some() => {
            format!("{name}_breaks_the_invariant")
        }
        Outcome::Exception { class, reason, .. } => {
            let verb = match class.as_str() {
                "exit" => "exits_with",
                "throw" => "throws",
                _ => "raises",
            };
            let reason: String = plain(reason).chars().take(30).collect();
            format!("{name}_{verb}_{reason}")
        }
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => name,
    }
}

/// What a test is made of.
struct CallScript<'play> {
    module: &'play Atom,
    has_open_types: bool,
    marks: &'play [PlayMark],
    /// Those of another play, if it may be different.
    other_marks: Option<&'play [PlayMark]>,
}

impl CallScript<'_> {
    /// Its expressions; `None` if the end cannot be asserted.
    fn lines(&self, calls: &[SequenceCall<'_>], outcome: &Outcome) -> Option<Vec<String>> {
        let last = calls.last()?;
        let ends_after = has_returned(last.number, self.marks);
        let mut used = taken_values(calls);
        let asked = match outcome {
            Outcome::Exception { .. } if ends_after => Some(self.asked(calls, outcome)?),
            Outcome::Exception { class, stack, .. } if class == "exit" && stack.is_empty() => {
                // An exit signal would end the test too.
                return None;
            }
            Outcome::Exception { .. } | Outcome::Ok(_) => None,
            Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Blocked(_)
            | Outcome::Deadlock { .. }
            | Outcome::Steps => return None,
        };
        used.extend(asked.as_ref().map(|it| it.0));
        let terms: Vec<Term> = calls
            .iter()
            .flat_map(|it| it.arguments().cloned())
            .collect();
        let ArgumentSource { bindings, texts } = ArgumentSource::new(&terms);
        let (mut lines, mut texts) = (bindings, texts.into_iter());
        for call in calls {
            let own = texts.by_ref().take(call.arguments().count());
            let source = call.source(self.module, own.collect::<Vec<_>>());
            if call.number == last.number && !ends_after {
                lines.push(Assertion::new(outcome, &source)?.expression());
                continue;
            }
            let values = used.iter().filter(|it| it.0 == call.number);
            let values: Vec<usize> = values.map(|it| it.1).collect();
            lines.extend(self.returned(call, &values, source));
        }
        lines.extend(asked.map(|it| it.1.expression()));
        Some(lines)
    }

    /// A call that returned, with names for these of its values.
    fn returned(&self, call: &SequenceCall<'_>, used: &[usize], source: String) -> Vec<String> {
        let result = self.result(call.number);
        let whole = match &result {
            Some(CallResult::Plain(term)) => Some(term),
            Some(CallResult::Made(term)) => Some(term).filter(|_| self.has_open_types),
            None => None,
        };
        if used.is_empty()
            && let Some(term) = whole
            && let Some(assertion) = Assertion::new(&Outcome::Ok(term.to_string()), &source)
        {
            return vec![assertion.expression()];
        }
        let mut writer = PatternWriter::with_suffix(format!("_{}", call.number));
        let pattern = result.and_then(|it| matched(call, used, &it.text(), &mut writer));
        let pattern = pattern.or_else(|| call.pattern(used).filter(|_| !used.is_empty()));
        let pattern = pattern.unwrap_or_else(|| "_".to_owned());
        match writer.guard() {
            Some(guard) if used.is_empty() => {
                let expected = format!("{pattern} when {guard}");
                vec![Assertion::matches(expected, source).expression()]
            }
            Some(guard) => vec![format!("{pattern} = {source}"), format!("?assert({guard})")],
            None if used.is_empty() && pattern != "_" => {
                vec![Assertion::matches(pattern, source).expression()]
            }
            None => vec![format!("{pattern} = {source}")],
        }
    }

    /// What a call returned, if that can be written and is always the same.
    fn result(&self, number: usize) -> Option<CallResult<'_>> {
        let result = result_of(number, self.marks)?;
        let is_same = |other| result_of(number, other).as_ref() == Some(&result);
        let is_fixed = self.other_marks.is_none_or(is_same);
        is_fixed.then_some(result)
    }

    /// The value that an invariant is asked of after the last call, and what it says.
    fn asked(
        &self,
        calls: &[SequenceCall<'_>],
        outcome: &Outcome,
    ) -> Option<((usize, usize), Assertion)> {
        let function = outcome.broken_invariant()?;
        let function = function.strip_suffix("/1")?;
        let value = asked_value(calls, self.marks, outcome);
        let check = format!("{function}({})", made_variable(value.0, value.1));
        Some((value, Assertion::broken(check)))
    }
}

/// A pattern for what a call returned: with names for these of its values, nothing about its other
/// values, and the rest as it is.
fn matched(
    call: &SequenceCall<'_>,
    used: &[usize],
    result: &str,
    writer: &mut PatternWriter,
) -> Option<String> {
    let result = read_shape(result)?;
    let named = |value: usize| match used.contains(&value) {
        true => made_variable(call.number, value),
        false => format!("_{}", made_variable(call.number, value)),
    };
    let patterns = call.patterns(named).into_iter();
    let mut patterns = patterns.filter_map(|it| read_expression(&it));
    let pattern = patterns.find(|it| fits(it, &result))?;
    Some(written(&pattern, &result, writer))
}

/// A pattern with what a result has where it says nothing. Values without a name remain unknown.
fn written(pattern: &Expression, result: &Shape, writer: &mut PatternWriter) -> String {
    match (pattern, result) {
        (Expression::Variable(name), _) if name != "_" => match name.starts_with('_') {
            true => "_".to_owned(),
            false => name.clone(),
        },
        (Expression::Tuple(parts), Shape::Tuple(elements)) => {
            let pairs = parts.iter().zip(elements);
            let texts = pairs.map(|(part, element)| written(part, element, writer));
            let texts: Vec<String> = texts.collect();
            format!("{{{}}}", texts.join(","))
        }
        (_, element) => writer.term(&abbreviated(element.clone())),
    }
}
