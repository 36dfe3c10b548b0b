//! The exported functions of a module with specs, for sequences of calls. The Erlang side reads
//! them, see `erlconcolic_call_types`.

use std::path::{Path, PathBuf};

use erlang_term::{Atom, Term};
use flattener::flat::FunctionId;
use reports::MadePattern;

use crate::beam::BeamError;
use crate::failure::Failure;
use crate::sources::front_end::FrontEnd;
use crate::sources::specs::{Excluded, OpaqueTypes, Spec, one_excluded, read_answer};

/// The functions of a module.
#[derive(Clone, Debug)]
pub(crate) struct CallSpecs {
    /// A function appears for each clause of its spec.
    pub(crate) calls: Vec<CallSpec>,
    /// The types of their arguments: a clause for each.
    pub(crate) spec: Spec,
}

impl CallSpecs {
    /// Removes a function.
    pub(crate) fn leave_out(&mut self, function: &FunctionId) {
        let arity = function.arity as usize;
        let clauses = std::mem::take(&mut self.spec.signature.clauses);
        let calls = std::mem::take(&mut self.calls);
        let kept = calls.into_iter().zip(clauses);
        let kept = kept
            .filter(|(call, arguments)| call.function != function.name || arguments.len() != arity);
        (self.calls, self.spec.signature.clauses) = kept.unzip();
    }
}

/// A clause of a spec.
#[derive(Clone, Debug)]
pub(crate) struct CallSpec {
    pub(crate) function: Atom,
    /// Results that have values.
    pub(crate) patterns: Vec<MadePattern>,
    /// Results that have none although a pattern matches.
    pub(crate) excluded: Vec<Excluded>,
    /// For each value, the types for which it is good.
    pub(crate) values: Vec<Vec<usize>>,
}

/// The functions of the module in a file; `None` if its specs cannot be read.
pub(crate) fn call_specs(
    front_end: &FrontEnd,
    path: &Path,
    sources: &[PathBuf],
    opaque: OpaqueTypes,
) -> Result<Option<CallSpecs>, Failure> {
    let text = |path: &Path| Term::binary(path.to_string_lossy().as_bytes());
    let request = Term::Map(vec![
        (Term::atom("path"), text(path)),
        (
            Term::atom("sources"),
            Term::list(sources.iter().map(|path| text(path))),
        ),
        (Term::atom("opaque"), Term::atom(opaque.name())),
    ]);
    let command = Term::Tuple(vec![Term::atom("call_types"), request]);
    let answer = front_end.helper()?.call(command)?;
    let answer = answer.map_err(|messages| BeamError::refused("the specs", messages))?;
    let Some(spec) = read_answer(&answer)? else {
        return Ok(None);
    };
    let calls = answer.get("calls").and_then(Term::as_list);
    let calls = calls.and_then(|it| it.iter().map(call).collect::<Option<Vec<_>>>());
    let calls = calls.filter(|it| it.len() == spec.signature.clauses.len());
    let calls = calls.ok_or_else(|| BeamError::BadAnswer(format!("calls: {answer}")))?;
    Ok(Some(CallSpecs { calls, spec }))
}

fn call(term: &Term) -> Option<CallSpec> {
    let Term::Atom(function) = term.get("function")? else {
        return None;
    };
    let patterns = term.get("patterns")?.as_list()?.iter().map(pattern);
    let excluded = term.get("excluded")?.as_list()?.iter().map(one_excluded);
    let values = term.get("values")?.as_list()?.iter();
    let values = values.map(|it| it.as_list()?.iter().map(number).collect());
    Some(CallSpec {
        function: function.clone(),
        patterns: patterns.collect::<Option<_>>()?,
        excluded: excluded.collect::<Option<_>>()?,
        values: values.collect::<Option<_>>()?,
    })
}

fn pattern(term: &Term) -> Option<MadePattern> {
    match term.as_tuple() {
        None => Some(MadePattern::Other),
        Some([_, Term::Atom(atom)]) => Some(MadePattern::Atom(atom.clone())),
        Some([kind, value]) if kind.as_atom() == Some("made") => {
            Some(MadePattern::Value(number(value)?))
        }
        Some([_, parts]) => {
            let parts = parts.as_list()?.iter().map(pattern);
            Some(MadePattern::Tuple(parts.collect::<Option<_>>()?))
        }
        Some(_) => None,
    }
}

fn number(term: &Term) -> Option<usize> {
    usize::try_from(term.as_i64()?).ok()
}
