//! The types of arguments, from specs. The Erlang side reads and resolves a spec, see
//! `erlconcolic_types`; here its answer becomes a grammar.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use diagnostic::Diagnostic;
use erlang_term::{Integer, Term};
use flattener::flat::FunctionId;
use solver::types::{Alternative, Field, Signature, TypeId, Types};

use crate::beam::BeamError;
use crate::failure::Failure;
use crate::sources::front_end::FrontEnd;
use crate::terminal::render;

/// The signatures of some functions of the module in a file, in their order; `None` for functions
/// without a spec. Other modules of the user may define types.
///
/// # Errors
/// When there is no Erlang.
pub fn signatures(
    front_end: &FrontEnd,
    functions: &[FunctionId],
    path: &Path,
    sources: &[PathBuf],
) -> Result<Vec<Option<Signature>>, Failure> {
    let text = |path: &Path| Term::binary(path.to_string_lossy().as_bytes());
    let names = functions.iter().map(|function| {
        let arity = Term::Integer(i64::from(function.arity).into());
        Term::Tuple(vec![Term::Atom(function.name.clone()), arity])
    });
    let sources = sources.iter().map(|path| text(path));
    let request = Term::Map(vec![
        (Term::atom("path"), text(path)),
        (Term::atom("functions"), Term::list(names)),
        (Term::atom("sources"), Term::list(sources)),
    ]);
    let command = Term::Tuple(vec![Term::atom("types"), request]);
    let answer = front_end.helper()?.call(command)?;
    let answer = answer.map_err(|messages| BeamError::refused("the spec", messages))?;
    let answers = answer.as_list().filter(|it| it.len() == functions.len());
    let answers = answers.ok_or_else(|| BeamError::BadAnswer(format!("specs: {answer}")))?;
    answers.iter().map(read_answer).collect()
}

fn read_answer(answer: &Term) -> Result<Option<Signature>, Failure> {
    if answer.as_atom() == Some("none") {
        return Ok(None);
    }
    let warnings = answer.get("warnings").and_then(Term::as_list);
    let warnings = warnings.unwrap_or_default().iter();
    let warnings: Vec<Diagnostic> = warnings
        .filter_map(Term::as_binary)
        .map(|text| Diagnostic::warning("unknown-type", String::from_utf8_lossy(text)))
        .collect();
    render::show(&warnings);
    let signature = parse(answer);
    let bad = || BeamError::BadAnswer(format!("a spec: {answer}"));
    Ok(Some(signature.ok_or_else(bad)?))
}

fn parse(answer: &Term) -> Option<Signature> {
    let types = answer.get("types")?.as_list()?;
    let types = types
        .iter()
        .map(|alternatives| alternatives.as_list()?.iter().map(alternative).collect())
        .collect::<Option<Vec<Vec<Alternative>>>>()?;
    let clauses = answer.get("clauses")?.as_list()?;
    let clauses = clauses.iter().map(ids);
    Some(Signature {
        types: Arc::new(Types::new(types)),
        clauses: clauses.collect::<Option<_>>()?,
    })
}

fn ids(list: &Term) -> Option<Vec<TypeId>> {
    list.as_list()?.iter().map(id).collect()
}

fn id(term: &Term) -> Option<TypeId> {
    Some(TypeId(u32::try_from(term.as_i64()?).ok()?))
}

fn alternative(term: &Term) -> Option<Alternative> {
    if let Some(name) = term.as_atom() {
        return plain(name);
    }
    let parts = term.as_tuple()?;
    let (tag, rest) = parts.split_first()?;
    match (tag.as_atom()?, rest) {
        ("integer", [min, max]) => {
            let min = bound(min, "neg_inf")?;
            Some(Alternative::Integer(min, bound(max, "pos_inf")?))
        }
        ("atom", [Term::Atom(atom)]) => Some(Alternative::Atom(atom.clone())),
        ("cons", [head, tail]) => Some(Alternative::Cons(id(head)?, id(tail)?)),
        ("tuple", [types]) => Some(Alternative::Tuple(ids(types)?)),
        ("map", [fields]) => {
            let fields = fields.as_list()?.iter().map(field);
            let fields = fields.collect::<Option<_>>()?;
            Some(Alternative::Map(fields))
        }
        ("bitstring", [base, unit]) => {
            let number = |term: &Term| u64::try_from(term.as_i64()?).ok();
            Some(Alternative::Bits(number(base)?, number(unit)?))
        }
        ("function", [arguments, result]) => {
            let arity = match arguments.as_atom() {
                Some(_) => None,
                None => Some(u32::try_from(arguments.as_list()?.len()).ok()?),
            };
            Some(Alternative::Fun(arity, id(result)?))
        }
        _ => None,
    }
}

fn plain(name: &str) -> Option<Alternative> {
    Some(match name {
        "any" => Alternative::Any,
        "float" => Alternative::Float,
        "atom" => Alternative::AnyAtom,
        "nil" => Alternative::Nil,
        "tuple" => Alternative::AnyTuple,
        "map" => Alternative::AnyMap,
        "function" => Alternative::AnyFun,
        "pid" => Alternative::Pid,
        "port" => Alternative::Port,
        "reference" => Alternative::Reference,
        _ => return None,
    })
}

fn bound(term: &Term, infinite: &str) -> Option<Option<Integer>> {
    if let Term::Integer(value) = term {
        return Some(Some(value.clone()));
    }
    (term.as_atom() == Some(infinite)).then_some(None)
}

fn field(term: &Term) -> Option<Field> {
    let [necessity, key, value] = term.as_tuple()? else {
        return None;
    };
    Some(Field {
        is_required: necessity.as_atom()? == "required",
        key: id(key)?,
        value: id(value)?,
    })
}
